/* reproduce_continuous.h: agents in a world that changes: what happens in which set, and who walks
 * (see reproduce_t_continuous.c). */
#ifndef PROGRAM_REPRODUCE_CONTINUOUS_H
#define PROGRAM_REPRODUCE_CONTINUOUS_H

#include "reproduce.h"

#include "simulate.h"

/* One agent on maps of 512×512 cells, under different changes; then crowds on 1024×1024:
 * CROWD_KINDS kinds of changes, each for several numbers of agents. */
enum {
    C_NEAR,
    C_FAR,
    C_LARGE_NEAR,
    C_LARGE_FAR,
    C_AWAY,
    C_BARRIER_STAYS,
    C_BARRIER_OPENS,
    C_FOG,
    C_TARGET,
    C_FOG_TURNS,
    C_EDIT_TURNS,
    C_CROWDS
};
enum {
    CROWD_AWAY,
    CROWD_NEAR,
    CROWD_FAR,
    CROWD_LARGE_NEAR,
    CROWD_LARGE_FAR,
    CROWD_FOG,
    CROWD_TARGET,
    CROWD_KINDS
};
enum { CROWD_1, CROWD_10, CROWD_50, CROWD_200, CROWD_COUNTS };
#define C_CROWD(kind, count) (C_CROWDS + (kind)*CROWD_COUNTS + (count))
enum { C_SETS = C_CROWD(CROWD_KINDS, 0) };

enum {
    C_ASTAR,
    C_ASTAR_BLOCKED,
    C_ASTAR_TIES,
    C_JPS,
    C_JPS_BLOCKED,
    C_LPASTAR,
    C_DSTAR_LITE,
    C_DSTAR,
    C_FOCUSED,
    C_AASTAR,
    C_GAASTAR,
    C_MTAASTAR,
    C_MPAASTAR,
    C_MPGAASTAR,
    C_ANYTIME,
    C_ARASTAR,
    C_ADSTAR,
    C_ADSTAR_KM,
    C_RTASTAR,
    C_LRTASTAR,
    C_LSS,
    C_RTAASTAR,
    C_RTDSTAR,
    C_RTDSTAR_EQUAL,
    C_TBASTAR,
    C_SERIES
};
_Static_assert(C_SETS <= 64, "a bit for each");
_Static_assert((int)C_SERIES <= (int)REPRODUCE_SERIES, "a record has room for all series");

/* What happens in a set. */
typedef struct continuous_setup {
    const char *title; /* of a crowd: that of its kind */
    simulate_setup world;
    /* A barrier: a square of at most so many cells a side, on the middle of the best path, is
     * closed at first. It is as large as leaves another path. */
    uint32_t barrier;
    bool opens; /* it opens when an agent could have walked a quarter of that path */
    /* Something changes at nearly every step: who then begins again each time takes part in the
     * first walk on each map only. */
    bool restless;
} continuous_setup;

/* Who begins a new search whenever something has changed. */
#define CONTINUOUS_RENEWING \
    (UINT64_C(1) << C_LPASTAR | UINT64_C(1) << C_ANYTIME | UINT64_C(1) << C_ARASTAR)

/* reproduce_continuous_page.c */
void reproduce_print_continuous(const reproduce_run *run, const reproduce_table *table, FILE *out);
bool reproduce_draw_continuous(const reproduce_run *run, const reproduce_table *table);

#endif
