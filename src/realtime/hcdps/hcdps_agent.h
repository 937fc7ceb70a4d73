/* hcdps_agent.h: an agent that walks from subgoal to subgoal; see hcdps_agent.c. */
#ifndef CRN_HCDPS_AGENT_H
#define CRN_HCDPS_AGENT_H

#include "realtime/hcdps/hcdps_index.h"

enum {
    CRN_HCDPS_DIRECT = 1, /* L's improvements */
    CRN_HCDPS_FIRST = 2,
    CRN_HCDPS_LAST = 4,
    CRN_HCDPS_HOMED = 8,  /* the representative of `region` has been read */
    CRN_HCDPS_FINAL = 16, /* so has the goal: it is the last of `subgoals` */
    CRN_HCDPS_PLAIN = 32, /* the cursor is of no use: moves are those of hcdps_move.c */
};

/* As large as a cairn_agent. `at` and `goal` come first there too. */
typedef struct crn_hcdps_agent {
    cairn_node at, goal;
    uint32_t stamp;       /* of the index, odd; 0 = the walk has not begun */
    uint32_t goal_region; /* ... */
    uint32_t region;      /* where the record ends that is being read ... */
    uint32_t read, end;   /* ... of which this is left */
    uint8_t count;        /* of subgoals that are known */
    uint8_t tries;        /* most climbs to later subgoals that are still to be tried */
    uint8_t left, look;   /* moves until the next look, and from the last try to it */
    uint8_t ahead, flags;
    uint8_t unused[6];
    cairn_node subgoals[2]; /* the first one is climbed to */
} crn_hcdps_agent;

/* An agent with the parameters of a planner. */
crn_hcdps_agent crn_hcdps_agent_of(const cairn_planner *planner);

/* What an agent walks on. */
typedef struct crn_hcdps_ground {
    const crn_hcdps *index;
    const crn_grid_space *map;    /* one of both, ... */
    const crn_graph_space *graph; /* ... and NULL for the other one */
} crn_hcdps_ground;

/* Begins a walk between two usable nodes; `at`, `goal`, `ahead` and L's improvements in `flags` are
 * set. FOUND or UNREACHABLE. */
cairn_status crn_hcdps_agent_begin(const crn_hcdps_ground *ground, crn_hcdps_agent *agent);

CRN_INLINE crn_hcdps_ground crn_hcdps_ground_of(const crn_hcdps *index, const cairn_space *space)
{
    return (crn_hcdps_ground){index, crn_grid_space_of(space), crn_graph_space_of(space)};
}

/* Makes one move. The agent must not be at its goal. False: no climb leads on, so the index or the
 * agent is wrong. */
bool crn_hcdps_agent_move(const crn_hcdps_ground *ground, crn_hcdps_agent *agent);

/* What comes before the step of such a move: finds out where it is to lead, subgoals[0]. False as
 * above. */
bool crn_hcdps_agent_aim(const crn_hcdps_ground *ground, crn_hcdps_agent *agent);

/* Puts the agent where its next subgoal is: the one after it is the first of `subgoals`. False:
 * there is none. */
bool crn_hcdps_agent_pass(const crn_hcdps_ground *ground, crn_hcdps_agent *agent);

/* `walk` of a crn_algorithm. */
cairn_status crn_hcdps_walk(const cairn_planner *planner, cairn_agent *agent, bool begin);

#endif
