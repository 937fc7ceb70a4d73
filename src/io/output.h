/* output.h: a file that is written piece by piece and appears whole or not at all (output.c). */
#ifndef CRN_IO_OUTPUT_H
#define CRN_IO_OUTPUT_H

#include "io/support.h"

#define CRN_IO_NAME 4096u

/* A piece that fails is remembered until the end. */
typedef struct crn_io_output {
    void *stream;
    int fault;                   /* the first error, as errno has them */
    bool in_place;               /* a device or a pipe: nothing is put in its place */
    bool nameless;               /* what is written has no name yet */
    char name[CRN_IO_NAME];      /* where the file goes, links followed */
    char temporary[CRN_IO_NAME]; /* its name until it is whole */
} crn_io_output;

cairn_status crn_io_output_open(crn_io_output *output, const char *name, cairn_error *error);
cairn_status crn_io_output_write(void *output, const void *data, size_t size);

/* Gives the file its name, if all was written; else nothing is left of it, and what had the name
 * before stays. */
cairn_status crn_io_output_close(crn_io_output *output, cairn_error *error);

/* Closes without giving it its name: it was not to be. What a device has got stays there. */
void crn_io_output_drop(crn_io_output *output);

/* As crn_io_output_open, with a temporary name from the start, for tests. */
cairn_status crn_io_output_open_named(crn_io_output *output, const char *name, cairn_error *error);

/* A device, a pipe, a folder. */
bool crn_io_is_special(const char *name);

#endif
