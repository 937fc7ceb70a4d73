/* files.h: the files that a command reads and writes: nothing that is read may be overwritten, and
 * no two outputs may be one file. "-" is standard input (args.c gives it a name) or standard
 * output.
 */
#ifndef PROGRAM_FILES_H
#define PROGRAM_FILES_H

#include "command.h"

#include <cairn/io.h>

/* What "-" is called as a file to read. */
#define FILES_INPUT "/dev/stdin"

typedef struct file_use {
    const char *what; /* of what is read: "world"; of what is written: the flag, "--svg" */
    const char *name; /* NULL = it was not given */
    bool written;
} file_use;

/* To be asked before anything is written. END_OK, or END_USAGE after a complaint. */
int files_check(const command *self, const file_use *files, uint32_t count);

/* A pipe, a terminal, a folder: what cannot be read twice, and what no file may replace. */
bool files_is_special(const char *name);

/* ---- writing: to a name, or to standard output if it is "-" ---- */

/* To be told the name of each file that will be written. If it is "-", standard output is that
 * file's, and what the program prints from then on goes to standard error. */
void files_take_output(const char *name);

/* Ends standard output. False after a complaint if something was lost. */
bool files_end(void);

/* Each of these: END_OK, or END_DATA after a complaint. */
int files_put(const char *name, cairn_file file);
int files_save(const cairn_store *store, const char *name);

/* A grid as the kind of file that FORMAT (such as "map"), or else the ending of the name says; a
 * name that cannot have one is a map. A status, and a reason for all but CAIRN_OK. */
cairn_status files_format_grid(const cairn_grid *grid, const char *name, const char *format,
                               cairn_file *out, cairn_error *error);

/* Is the ending of a name what its file is? Not that of standard output or of a pipe. */
bool files_named(const char *name, const char *format);

/* The flag for that format. */
#define FLAG_FORMAT(where) \
    FLAG_TEXT("format", "KIND", "map, txt, png or cairn, whatever the name ends in (-: map)", where)

/* As files_put, without the complaint. */
cairn_status files_try_put(const char *name, cairn_file file, cairn_error *error);

/* Writes to standard output, for what is written piece by piece. */
cairn_writer files_writer(void);

#endif
