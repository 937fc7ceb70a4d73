/* repro.h: repro files: world, profile, query and algorithm of one question in a `.cairn` file, so that it can be asked
 * again elsewhere.
 */
#ifndef PROGRAM_REPRO_H
#define PROGRAM_REPRO_H

#include "world.h"

enum { REPRO_TEXT = 256 };

/* What a file says of a question; all zeros if it says nothing. */
typedef struct repro {
    cairn_archive *archive; /* NULL: no `.cairn` file */
    bool has_profile, has_query;
    cairn_profile profile;
    cairn_query query;          /* its goals lie in the archive */
    char from[REPRO_TEXT];      /* as for --from and --to; "" without a query */
    char to[REPRO_TEXT];        /* "" too if the query brings a list of goals */
    char algorithm[REPRO_TEXT]; /* "" = not said */
    char smooth[REPRO_TEXT];
} repro;

/* Looks into a world's file. END_OK also for files of other kinds, or END_DATA after a complaint. If another
 * version of Cairn wrote it, a note on standard error says so. Close it in every case. */
int repro_open(repro *r, cairn_context *context, const char *name);
void repro_close(repro *r);

/* Writes one. Of `said`, the texts are used: places only if they lie outside the world (else the query says it). */
int repro_save(const world *w, const cairn_query *query, const repro *said, const char *name);

#endif
