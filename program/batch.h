/* batch.h: what `bench` and `check` have in common: several maps, several algorithms, the
 * problems of each map.
 */
#ifndef PROGRAM_BATCH_H
#define PROGRAM_BATCH_H

#include "algorithms.h"
#include "index.h"
#include "measure.h"
#include "profile.h"

typedef struct batch_options {
    arg_texts algorithms;
    problem_options problems;
    uint32_t threads;
    profile_options profile;
    const char *index;
} batch_options;

/* The default options. */
#define BATCH_DEFAULTS \
    { \
        .problems = {.seed = 1}, .threads = 1 \
    }

#define BATCH_FLAGS(type, member, default_threads) \
    FLAG_ALGORITHM(ARG_TEXTS, "ALG,…", "which algorithms (all that fit the map)", \
                   offsetof(type, member.algorithms)), \
        PROBLEM_FLAGS(type, member.problems), \
        FLAG_COUNT("threads", "N", "run N searches side by side (" default_threads ")", \
                   offsetof(type, member.threads), 1, 64), \
        FLAG_INDEX(offsetof(type, member.index)), PROFILE_FLAGS(type, member.profile)

typedef struct batch {
    const command *self;
    const batch_options *options;
    cairn_context *context;
    algorithm_list algorithms;
    world_list maps;
    index_file index;
    uint32_t map; /* the current one */
} batch;

/* One algorithm on one map. */
typedef struct batch_item {
    const batch *batch;
    const world *world;
    const problem_set *set;
    const char *spec;
    cairn_planner *planner;
    index_report index;
    char label[96]; /* for progress */
} batch_item;

/* An exit code: END_OK goes on with the next. */
typedef int batch_visit(void *user, const batch_item *item);

/* Prepares everything but the worlds; visits every map and algorithm; gives all back. The
 * first two return END_OK, or another end after a complaint. Ctrl-C ends the visits:
 * END_INTERRUPTED, after a note. Close it in every case. */
int batch_open(batch *b, const command *self, const batch_options *options, int argc, char **argv);
int batch_each(batch *b, batch_visit *visit, void *user);
void batch_close(batch *b);

#endif
