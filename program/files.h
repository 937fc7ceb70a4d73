/* files.h: the files that a command reads and writes: nothing that is read may be overwritten, and
 * no two outputs may be one file.
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

/* Writes NAME.tmp and gives it its name when all is written: there is never half a file of that
 * name. END_OK, or END_DATA after a complaint. */
int files_write(const char *name, const void *data, size_t size);

#endif
