/* simulate.h: agents that walk in a world that changes, turn by turn.
 *
 * A turn is a frame of a game: first the world is edited and committed to, and targets move; then
 * the agents walk. Either each is asked for its next move, as a navigator; or all get their paths
 * from one path service, which has a budget for each frame, and walk along them at some speed.
 * Everything that happens follows from the seed, but for the times and what a budget of
 * microseconds suffices for. Each move is looked at by itself: it must be an edge of the world as
 * it is then.
 */
#ifndef PROGRAM_SIMULATE_H
#define PROGRAM_SIMULATE_H

#include "index.h"
#include "world.h"

enum { SIMULATE_AGENTS_MAX = 100000 };

/* What happens. Zero means default, or not at all. */
typedef struct simulate_setup {
    uint32_t agents; /* 1 */
    uint32_t turns;  /* after which it ends: 10,000 */
    uint32_t goals;  /* that each agent walks to, one after the other: 1 */
    uint32_t every;  /* an edit comes every so many turns ... */
    uint32_t size;   /* ... and closes a square of so many cells a side (3), ... */
    uint32_t ahead;  /* ... so many points ahead of an agent (0: anywhere), ... */
    uint32_t share;  /* ... in so many of a hundred cases (100; the others: anywhere), ... */
    uint32_t life;   /* ... and opens it again after so many turns (0: never) */
    uint32_t roam;   /* targets make a step every so many turns */
    uint32_t sensor; /* an agent sees the cells so far away; 0 = it knows everything at once */
    bool unknown;  /* it assumes that all other cells are free, instead of as they were at first */
    uint64_t work; /* units for all agents together in a turn */
    uint64_t seed;
    const cairn_script *script; /* its goal for all, and its changes: the steps count turns */
    cairn_navigator_options how;

    /* With a path service (navigators have none of these): */
    bool service;
    uint32_t fps;        /* turns a second: 60 */
    uint32_t speed;      /* cells that an agent walks a second: 8 */
    uint32_t arrivals;   /* agents that come a second; 0 = all are there at first */
    uint32_t drain;      /* turns at most, behind `turns`, without new goals and new edits */
    uint32_t budget_us;  /* of a turn, what commits take included */
    uint64_t soft;       /* units that turns should take, less than `work` */
    uint32_t searches;   /* under way at a time */
    uint32_t background; /* turns that a sync of the index takes, beside them */
    size_t byte_limit;   /* of the service ... */
    size_t search_bytes; /* ... and of each search */
    cairn_shortcuts shortcuts;
    uint32_t obstacles; /* turns that who stands in the way is an obstacle; 0 = nobody is */
} simulate_setup;

/* An edited cell. */
typedef struct simulate_edit {
    uint32_t turn;
    cairn_node cell;
    bool open;
} simulate_edit;

/* From the end of this turn on, an agent is here and wants to be there. Turn 0 is the start. */
typedef struct simulate_event {
    uint32_t turn, agent;
    cairn_node at, target; /* CAIRN_NO_NODE: it has not come yet */
} simulate_event;

/* Numbers that are sorted in the end. */
typedef struct simulate_series {
    double *items;
    size_t count, capacity;
    bool sorted;
} simulate_series;

/* What happened. */
typedef struct simulate_run {
    const world *world;
    const simulate_setup *setup;
    const char *spec;       /* of the planner */
    cairn_planner *planner; /* ready to use; with a sensor it gets one of its own */
    /* with a sensor: what is known */
    cairn_grid *known;
    cairn_space *known_space;
    cairn_planner *known_planner;
    uint32_t agents;
    struct simulate_agent *all;
    cairn_navigator **navigators;
    cairn_move *moves;
    struct simulate_paths *paths; /* of the path service */
    struct simulate_judge *judge;
    struct simulate_meetings *meetings; /* with obstacles */
    uint64_t random;
    cairn_turn turn;
    struct simulate_square *squares; /* that will be opened again, the first one first */
    size_t square_count, square_capacity;
    size_t first_square; /* that is still closed */
    uint32_t next_change;
    bool failed; /* there was no memory */
    /* seconds, for the times of turns; NULL = those on the wall. What is shared with other programs
     * is better measured in processor time. */
    double (*clock)(void);

    /* kept for pictures and records: */
    simulate_event *events; /* at first one for each agent */
    size_t event_count, event_capacity;
    simulate_edit *edits;
    size_t edit_count, edit_capacity, first_edit; /* of this turn */
    simulate_edit *waiting; /* cells on which an agent stood in the way of another one, and when */
    size_t waiting_count, waiting_capacity;
    uint64_t *hashes; /* one for each turn: of all that happened until then */
    size_t hash_capacity;
    simulate_series frames; /* microseconds that each turn took, but for those of a drain */
    /* the turns that a goal waited for its first step, or for its path from a service: those given
     * before the first turn, and all others */
    simulate_series opening, responses;
    /* what the clock said to a service with a budget of microseconds, in nanoseconds, turn by turn:
     * how often it was asked, the budget, then each answer. `replays`: it says that again. */
    uint32_t *looks;
    size_t look_count, look_capacity, next_look;
    bool replays;

    uint32_t turns;
    uint32_t arrived, stuck;   /* agents at their last goal, and without a path, in the end */
    uint64_t reached;          /* goals */
    uint64_t illegal;          /* moves that no edge allows: must be none */
    uint64_t seen;             /* cells that sensors corrected */
    uint64_t collisions;       /* pairs of agents that ended a turn on the same cell */
    uint64_t changes;          /* commits that changed something */
    uint64_t first_expanded;   /* nodes expanded until the first steps */
    cairn_walk_sums sums;      /* of all agents */
    uint64_t agent_bytes;      /* the mean of what an agent holds in the end ... */
    uint64_t agent_bytes_most; /* ... and the largest */
    uint64_t peak_bytes;       /* all agents and the pool, the most at the end of a turn */
    double seconds;

    /* With a path service: */
    bool drains;                           /* goals and edits come no more */
    uint64_t given;                        /* goals for which a path was asked */
    uint64_t given_up[CAIRN_STATUS_COUNT]; /* goals, by the reason */
    uint64_t false_reasons;                /* "unreachable", but it is not: must be none */
    uint64_t over_budget; /* turns with more units than `work`: indexes cannot always be divided */
    uint64_t undivided;   /* units above what these were granted, ... */
    uint64_t beside;      /* ... those of indexes that turns made beside it without a thread, ... */
    uint64_t overspent;   /* ... and turns with more units for other reasons: must be none */
    uint64_t answers, broken, better; /* paths given; broken ones, and shortcuts */
    uint64_t outdated, pinned, restarts;
    uint64_t held;  /* times that a step was not made, as another agent stood there */
    uint64_t waits; /* times that an agent stood before a step that it cannot make any more */
    cairn_service_use use;
} simulate_run;

/* Called before each turn, with the agents that still walk; false ends the run. May be
 * NULL. */
typedef bool simulate_watch(void *user, uint32_t turn, uint32_t walking);

/* Runs it all, on a grid, with an index that is ready. The world is edited. END_OK, or END_DATA
 * after a complaint. Free it in every case. */
int simulate_all(simulate_run *run, simulate_watch *watch, void *user);
void simulate_free(simulate_run *run);

/* The value that `part` of all do not exceed, 0 if there are none; sorts them. */
double simulate_quantile(simulate_series *series, double part);
double simulate_mean(const simulate_series *series);

/* With a path service: the goals that were neither reached nor given up until the end, and the
 * share of goals that were reached, of all but those that were found to be out of reach. */
uint64_t simulate_open_goals(const simulate_run *run);
double simulate_share(const simulate_run *run);

/* Writes an animated picture of the run, from the world as it is in the end. END_OK, or another end
 * after a complaint. */
int simulate_film(const simulate_run *run, const char *name);

/* Draws how long turns took and goals waited, as SVG or, if the name ends so, as PNG. END_OK, or
 * another end after a complaint. */
int simulate_chart(simulate_run *run, const char *name);
bool simulate_chart_is_png(const char *name);

/* ---- recordings (simulate_record.c) ---- */

/* Before the run; afterwards, before anything is told. END_OK, or END_DATA after a complaint.
 * Destroy the store in every case. */
int simulate_record_begin(const world *w, cairn_store **out);
int simulate_record_end(cairn_store *store, const simulate_run *run, const char *options,
                        const char *name);

/* The options of a recording, to be freed; what a run needs to do it again, for so many turns; and
 * was it the same? END_OK, or another end after a complaint. */
int simulate_record_options(const world *w, char **out);
int simulate_record_load(simulate_run *run, uint32_t *turns);
int simulate_record_compare(const simulate_run *run);

int simulate_no_memory(void);

/* Tells of it all. */
typedef struct simulate_report {
    simulate_run *run;
    const index_report *index;
    bool interrupted;
} simulate_report;
void simulate_print_json(const simulate_report *report);
void simulate_print_text(const simulate_report *report);

#endif
