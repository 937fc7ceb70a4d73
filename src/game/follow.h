/* follow.h: paths that agents walk, and the watch over them.
 *
 * A followed path is cut into *runs*: steps in a row that begin in one tile of the world. Every
 * tile has a list of the runs in it. A commit *touches* tiles: in each of them a box of nodes whose
 * edges it may have changed. Only steps of the runs there that lie in the box are tested again, so
 * that what a commit costs depends on what it changes. A path is broken if one of them that is
 * still ahead of its agent is not legal.
 *
 * The watch goes through the commits one by one (watch.c), in pieces of bounded work, as a part of
 * the budget of an update. Places that have opened are *gains*: boxes that shortcuts may lead over.
 */
#ifndef CRN_FOLLOW_H
#define CRN_FOLLOW_H

#include "world/size.h"
#include <cairn/service.h>

enum {
    CRN_WATCH_TILE = 64,    /* the side of a tile of a grid ... */
    CRN_WATCH_NODES = 1024, /* ... and nodes with numbers in a row, in other worlds */
    CRN_WATCH_TOUCHES = 64, /* tiles that are listed; if there are more, all are looked at */
    CRN_WATCH_GAINS = 8,    /* boxes; if there are more, they are joined */
    CRN_WATCH_EFFORT = 128, /* pieces of work that make a unit: a step, or less */
    CRN_WATCH_STEPS = 96,   /* of a run, at most */
    CRN_WATCH_LINES = 8,    /* of a run of any angle, at most */
    CRN_WATCH_TRIES = 2,    /* for a shortcut, if the agent has left it when it is found */
    CRN_WATCH_AHEAD = 256   /* steps that an agent makes at a time */
};

typedef struct crn_run {
    uint32_t tile, follow;
    uint32_t before, after; /* in the list of the tile */
    uint32_t next;          /* of the path; or the next free one */
    uint32_t segment;       /* it begins at this node, behind this point of the path, ... */
    cairn_node node;
    uint32_t first, steps; /* ... so many steps from its start, and has so many steps */
} crn_run;

typedef struct crn_follow {
    uint32_t job;
    uint32_t before, after; /* of the same planner; or the next free one */
    uint32_t runs;          /* the first */
    cairn_shortcuts shortcuts;
    uint32_t tries;
    bool again; /* the shortcut that was found leads elsewhere */
    /* the agent is at this node, behind this point of the path, so many steps from its start */
    cairn_node at;
    uint32_t segment, steps;
    cairn_cost left; /* what the rest of the path costs; CAIRN_NO_COST = not known */
} crn_follow;

/* In one tile. */
typedef struct crn_touch {
    uint32_t tile;
    crn_size_box box; /* of cells; elsewhere of numbers of nodes */
    bool priced;      /* steps there may have other costs */
} crn_touch;

typedef enum crn_watch_stage { CRN_WATCH_IDLE, CRN_WATCH_RUNS, CRN_WATCH_PATHS } crn_watch_stage;

typedef struct crn_watch {
    uint32_t *tiles; /* the first run in each; NULL = no path has been followed yet */
    uint32_t tile_count, columns;
    uint32_t follows; /* the first */

    uint64_t version; /* of the world: all paths are known to be whole in it, ... */
    uint64_t target;  /* ... and are being looked at for this one */
    crn_watch_stage stage;
    uint32_t touch, cursor; /* which touch, and which run of its tile or path is next */
    crn_touch *touches;     /* CRN_WATCH_TOUCHES */
    uint32_t touch_count;
    bool whole;          /* anything may have changed */
    bool blind;          /* anything may have opened */
    crn_size_box *gains; /* CRN_WATCH_GAINS */
    uint32_t gain_count;
} crn_watch;

struct crn_service_planner;

/* follow.c:
 * - take: a search for a followed job is over. False = there is no room for its answer.
 * - again: its desk is free; searches again if that is wanted.
 * - end: its job ends.
 * - forget: drops the path that is walked; the ticket has no answer then.
 * - replan: searches for another path from where the agent is. `broken`: the old one is dropped. */
bool crn_follow_take(cairn_service *service, uint32_t job, const cairn_path *path);
void crn_follow_again(cairn_service *service, uint32_t job);
void crn_follow_end(cairn_service *service, uint32_t follow);
void crn_follow_forget(cairn_service *service, uint32_t follow);
void crn_follow_replan(cairn_service *service, uint32_t follow, bool broken);

/* Is the step or line legal that begins at this node, behind this point of a path? Links need their
 * place among those of the path. */
typedef struct crn_step {
    cairn_node from, to;
    uint32_t segment;
} crn_step;
bool crn_follow_step(cairn_path_iterator *iterator, crn_step *step);
bool crn_follow_legal(const cairn_space *space, const cairn_path *path, const crn_step *step,
                      cairn_cost *cost);

/* watch.c:
 * - open: makes the lists of tiles; false = no memory.
 * - tile: where a node is.
 * - is_done: all commits are taken care of.
 * - work: looks at what commits have done, with at most so many units. Returns those used. */
bool crn_watch_open(crn_scratch *memory, const cairn_space *space, crn_watch *watch);
void crn_watch_close(crn_scratch *memory, crn_watch *watch);
uint32_t crn_watch_tile(const crn_watch *watch, const cairn_space *space, cairn_node node);
bool crn_watch_is_done(const struct crn_service_planner *planner);
uint64_t crn_watch_work(cairn_service *service, struct crn_service_planner *planner, uint64_t units,
                        cairn_frame *frame);

/* runs.c: lists the runs of a path that is to be followed; false = no memory, and there are none.
 * `drop` takes them out of all lists. */
bool crn_runs_make(cairn_service *service, uint32_t follow, const cairn_path *path);
void crn_runs_drop(cairn_service *service, uint32_t follow);

#endif
