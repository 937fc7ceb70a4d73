/* progress.h: one line of progress on a terminal's standard error; nothing elsewhere. */
#ifndef PROGRAM_PROGRESS_H
#define PROGRAM_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool on;
    char label[96];
    uint64_t total;
    double begun;
    atomic_flag busy;       /* a thread is printing */
    _Atomic uint64_t shown; /* when it was last printed, in milliseconds since `begun` */
} progress;

void progress_begin(progress *p, const char *label, uint64_t total);

/* May be called from any thread, at any rate. */
void progress_at(progress *p, uint64_t done);

/* Wipes the line away. */
void progress_end(progress *p);

#endif
