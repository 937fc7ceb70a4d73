/* files.h: the files that a command reads and writes: nothing that is read may be overwritten, and no two outputs may be
 * one file.
 */
#ifndef PROGRAM_FILES_H
#define PROGRAM_FILES_H

#include "command.h"

typedef struct file_use {
    const char *what; /* of what is read: "world"; of what is written: the flag, "--svg" */
    const char *name; /* NULL = it was not given */
    bool written;
} file_use;

/* To be asked before anything is written. END_OK, or END_USAGE after a complaint. */
int files_check(const command *self, const file_use *files, uint32_t count);

#endif
