/* heuristics.h: `cairn check --heuristics`: is what estimates promise true of a world? */
#ifndef PROGRAM_HEURISTICS_H
#define PROGRAM_HEURISTICS_H

#include "batch.h"

/* Checks the estimates of the algorithms that were named, or all of them, on each map. Prints a
 * table or a document. Returns an exit code: END_NO if a promise is broken. */
int heuristics_check(const command *self, const batch_options *options, bool as_json, int argc,
                     char **argv);

#endif
