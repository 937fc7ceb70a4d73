/* index.h: where planners get their index from: a file that `cairn build` wrote, or built on the
 * spot. */
#ifndef PROGRAM_INDEX_H
#define PROGRAM_INDEX_H

#include "world.h"

/* The file of --index. All zeros: there is none. */
typedef struct index_file {
    const char *name;
    cairn_archive *archive;
} index_file;

#define FLAG_INDEX(where) \
    FLAG_INPUT("index", "F.cairn", "take the index from this file instead of building it", where)

/* `name` may be NULL. END_OK, or END_DATA after a complaint. Close it in every case, after the
 * planners. */
int index_open(index_file *index, cairn_context *context, const char *name);
void index_close(index_file *index);

/* How a planner came to its index. */
typedef struct index_report {
    bool needed, loaded;
    size_t bytes;
    double seconds; /* it took to build or load */
} index_report;

/* Sees to it that a planner that needs an index has one. END_OK, or another end after a
 * complaint. */
int index_prepare(const index_file *index, cairn_planner *planner, const char *label,
                  index_report *report);

/* "8.2 MB, built in 12.3 ms" */
enum { INDEX_TEXT = 96 };
const char *index_text(const index_report *report, char out[INDEX_TEXT]);

/* Writes the index of a planner into a file. */
int index_save(const cairn_planner *planner, const char *name);

#endif
