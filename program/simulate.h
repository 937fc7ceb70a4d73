/* simulate.h: agents that walk in a world that changes, turn by turn.
 *
 * A turn is a frame of a game: first the world is edited and committed to, and targets move; then
 * every agent is asked for its next move. Everything that happens follows from the seed, but for
 * the times. Each move is looked at by itself: it must be an edge of the world as it is then.
 */
#ifndef PROGRAM_SIMULATE_H
#define PROGRAM_SIMULATE_H

#include "world.h"

/* What happens. Zero means default, or not at all. */
typedef struct simulate_setup {
    uint32_t agents; /* 1 */
    uint32_t turns;  /* after which it ends: 10,000 */
    uint32_t goals;  /* that each agent walks to, one after the other: 1 */
    uint32_t every;  /* an edit comes every so many turns ... */
    uint32_t size;   /* ... and closes a square of so many cells a side (3), ... */
    uint32_t ahead;  /* ... so many points ahead of an agent (0: anywhere), ... */
    uint32_t life;   /* ... and opens it again after so many turns (0: never) */
    uint32_t roam;   /* targets make a step every so many turns */
    uint32_t sensor; /* an agent sees the cells so far away; 0 = it knows everything at once */
    bool unknown;  /* it assumes that all other cells are free, instead of as they were at first */
    uint64_t work; /* units for all agents together in a turn */
    uint64_t seed;
    const cairn_script *script; /* its goal for all, and its changes: the steps count turns */
    cairn_navigator_options how;
} simulate_setup;

/* An edited cell. */
typedef struct simulate_edit {
    uint32_t turn;
    cairn_node cell;
    bool open;
} simulate_edit;

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

    /* kept for pictures: */
    cairn_node *places; /* of all agents, then of all targets, turn by turn; those at the start */
    size_t place_capacity;
    simulate_edit *edits;
    size_t edit_count, edit_capacity;
    double *frame_us; /* what each turn took */
    size_t frame_capacity;

    uint32_t turns;
    uint32_t arrived, stuck;   /* agents at their last goal, and without a path, in the end */
    uint64_t reached;          /* goals */
    uint64_t illegal;          /* moves that no edge allows: must be none */
    uint64_t seen;             /* cells that sensors corrected */
    uint64_t collisions;       /* pairs of agents that ended a turn on the same cell */
    uint64_t changes;          /* commits that changed something */
    uint64_t responses;        /* first steps towards a goal, ... */
    uint64_t response_turns;   /* ... the turns until then ... */
    uint32_t response_most;    /* ... and the most of one */
    uint64_t first_expanded;   /* nodes expanded until these steps */
    cairn_walk_sums sums;      /* of all agents */
    uint64_t agent_bytes;      /* the mean of what an agent holds in the end ... */
    uint64_t agent_bytes_most; /* ... and the largest */
    uint64_t peak_bytes;       /* all agents and the pool, the most at the end of a turn */
    double seconds;
} simulate_run;

/* Called before each turn, with the agents that still walk; false ends the run. May be
 * NULL. */
typedef bool simulate_watch(void *user, uint32_t turn, uint32_t walking);

/* Runs it all, on a grid, with an index that is ready. The world is edited. END_OK, or END_DATA
 * after a complaint. Free it in every case. */
int simulate_all(simulate_run *run, simulate_watch *watch, void *user);
void simulate_free(simulate_run *run);

/* The time that `part` of all turns do not exceed; sorts them. */
double simulate_frame(simulate_run *run, double part);

/* Writes an animated picture of the run, from the world as it is in the end. END_OK, or another end
 * after a complaint. */
int simulate_film(const simulate_run *run, const char *name);

#endif
