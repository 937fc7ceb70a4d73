/* repro.h: repro files: world, profile, query and algorithm in a `.cairn` file, so that the query
 * can be repeated elsewhere.
 */
#ifndef PROGRAM_REPRO_H
#define PROGRAM_REPRO_H

#include "world.h"

enum { REPRO_TEXT = 256 };

/* What a file says of a question; all zeros if it says nothing. */
typedef struct repro {
    bool has_query;
    cairn_query query;          /* its goals lie in the world's archive */
    char from[REPRO_TEXT];      /* as for --from and --to; "" without a query */
    char to[REPRO_TEXT];        /* "" too if the query brings a list of goals */
    char algorithm[REPRO_TEXT]; /* "" = not said */
    char smooth[REPRO_TEXT];
} repro;

/* Looks into a world's file. END_OK also for files of other kinds, or END_DATA after a complaint.
 * If another version of Cairn wrote it, a note on standard error says so. */
int repro_read(repro *r, const world *w);

/* A text that the file holds, "" if there is none. False, after a complaint, if it is not made of
 * printable characters. */
bool repro_text(const world *w, const char *section, char out[REPRO_TEXT]);

/* Writes one. Of `said`, the texts are used: places only if they lie outside the world (else the
 * query says it). */
int repro_save(const world *w, const cairn_query *query, const repro *said, const char *name);

#endif
