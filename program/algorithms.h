/* algorithms.h: the list of algorithms a command was asked to use. */
#ifndef PROGRAM_ALGORITHMS_H
#define PROGRAM_ALGORITHMS_H

#include "args.h"

#include <cairn/cairn.h>

enum { ALGORITHM_SPEC = 160, ALGORITHM_SPECS = 64 };

typedef struct algorithm_list {
    char specs[ALGORITHM_SPECS][ALGORITHM_SPEC];
    uint32_t count;
    /* none was named: use all, and skip those that do not support a map */
    bool all;
} algorithm_list;

/* Splits what -a was given. `NAME:key=value,key=value` holds commas itself: a piece that
 * is a key and a value goes with the algorithm before it. Every name is looked up.
 * END_OK, or END_USAGE after a complaint. */
int algorithms_from(const struct command *self, const arg_texts *texts, algorithm_list *out);

/* Does it leave the choice to the library? */
bool algorithms_is_auto(const char *spec);

/* END_OK if the name before the colon is known, else END_USAGE after a complaint. */
int algorithms_check(const struct command *self, const char *spec);

/* The default algorithm of a query: its search is what pictures and traces are to show. */
#define ALGORITHM_DEFAULT "astar"

/* The parameter `nodes` of a planner: the most that its search may hold; 0 if it has none. */
int64_t algorithms_most_nodes(const cairn_planner *planner);

#endif
