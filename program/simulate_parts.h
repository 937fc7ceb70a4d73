/* simulate_parts.h: what the parts of a simulation share.
 *
 *     simulate.c          the turns; agents that are navigators
 *     simulate_service.c  agents that walk on the paths of a service
 *     simulate_edits.c    edits, and targets that move
 *     simulate_meet.c     agents that stand in the way of others
 *     simulate_judge.c    whether moves and reasons are right
 *     simulate_film.c     the animated picture
 *     simulate_chart.c    the charts
 */
#ifndef PROGRAM_SIMULATE_PARTS_H
#define PROGRAM_SIMULATE_PARTS_H

#include "simulate.h"

enum { SIMULATE_AHEAD = 4096 };

/* What an agent does that has its paths from a service. */
typedef enum simulate_state {
    SIMULATE_AWAY,  /* it has not come yet */
    SIMULATE_ASKS,  /* it has a goal, and asks in this turn */
    SIMULATE_WAITS, /* for its path, or the next piece */
    SIMULATE_WALKS
} simulate_state;

typedef struct simulate_agent {
    cairn_node at, target;
    uint32_t goals; /* reached so far */
    uint32_t since; /* the turn in which it got this goal */
    uint64_t expanded;
    uint32_t heading; /* of its target, when that roams */
    bool responded;   /* it has made a step towards this goal, or has a path there ... */
    bool done;        /* it has reached its last goal ... */
    bool stopped;     /* ... or has no path now */
    bool asked;       /* for a path to this goal */
    bool rests;       /* it gets no goal any more */
    bool judged;      /* its goal was said to be out of reach, which was looked at */
    simulate_state state;
    cairn_ticket ticket;
    uint32_t patience; /* it waits for another one until this turn; 0 = it does not */
    uint32_t progress; /* towards the next step, in cells a second for each turn */
    /* what it did in this turn, to be looked at: */
    bool stepped;
    cairn_node from;
    bool gives_up; /* its goal, for this reason: */
    cairn_status reason;
    cairn_node told_at, told_target; /* in the last event */
} simulate_agent;

/* ---- simulate.c ---- */

/* A random number below `count`. */
uint32_t simulate_pick(simulate_run *run, uint32_t count);

/* Room for so many things; false = there is no memory, which the run notes. */
bool simulate_grow(simulate_run *run, void **items, size_t size, size_t count, size_t *capacity);
void simulate_add(simulate_run *run, simulate_series *series, double value);

/* Another goal for an agent, where it is not yet; false = there is none. */
bool simulate_aim(simulate_run *run, simulate_agent *agent);

/* A goal has got its answer. */
void simulate_respond(simulate_run *run, simulate_agent *agent);

/* Seconds since any moment. */
double simulate_clock(const simulate_run *run);

int simulate_complain(const simulate_run *run, const cairn_error *error);

/* ---- simulate_edits.c ---- */

/* Chooses what changes in this turn: nothing yet does. END_OK, or END_DATA after a complaint. */
int simulate_plan_edits(simulate_run *run);

/* Makes these edits and commits them. */
void simulate_make_edits(simulate_run *run);

/* Keeps those that have changed something. */
void simulate_note_edits(simulate_run *run);

void simulate_move_targets(simulate_run *run);
void simulate_forget_squares(simulate_run *run);

/* How many changes of the script are to come; only those of the goal, if wanted. */
uint32_t simulate_to_come(const simulate_run *run, bool goals);

/* ---- simulate_service.c ---- */

int simulate_paths_begin(simulate_run *run);

/* New agents come, and goals are given. */
void simulate_paths_aim(simulate_run *run);

/* Nobody gets another goal any more. */
void simulate_paths_rest(simulate_run *run);

/* One frame of the service, and the steps that are due. `begin`: when the turn did. */
void simulate_paths_turn(simulate_run *run, double begin);

/* Looks at what happened in it. */
void simulate_paths_check(simulate_run *run);
void simulate_paths_end(simulate_run *run);
void simulate_paths_free(simulate_run *run);

/* The target of an agent has moved. */
void simulate_paths_retarget(simulate_run *run, simulate_agent *agent);

/* The cell so many steps ahead, or the last one of the path; false = it has none. */
bool simulate_paths_ahead(const simulate_run *run, const simulate_agent *agent, uint32_t steps,
                          cairn_cell *out);

/* ---- simulate_meet.c: nothing happens without the option ---- */

int simulate_meet_begin(simulate_run *run);
void simulate_meet_free(simulate_run *run);

/* An agent has come, or made a step. */
void simulate_meet_come(const simulate_run *run, const simulate_agent *agent);
void simulate_meet_step(const simulate_run *run, simulate_agent *agent);

/* Must it wait, as another one stands on its next cell? */
bool simulate_meet_waits(simulate_run *run, simulate_agent *agent, cairn_node next);

/* Commits what is staged, and the obstacles; false = there is no memory. */
bool simulate_meet_commit(const simulate_run *run);

/* ---- simulate_judge.c ---- */

/* False = there is no memory. */
bool simulate_judge_begin(simulate_run *run);
void simulate_judge_free(simulate_run *run);

/* A cell has been opened or closed. */
void simulate_judge_edit(simulate_run *run, cairn_node cell, bool open);

/* May an agent go from one cell to the other, as the world is? */
bool simulate_judge_step(const simulate_run *run, cairn_node from, cairn_node to);

/* Is there no path at all? */
bool simulate_judge_apart(simulate_run *run, cairn_node from, cairn_node to);

#endif
