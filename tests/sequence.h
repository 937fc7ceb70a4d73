/* sequence.h: programs of calls. A sequence makes a small world, spaces, planners, searches and
 * agents that walk, then edits, commits, syncs, asks, saves, loads and destroys in any order, while
 * memory fails now and then. Every decision is drawn from bytes (a fuzzer's input) or from a seed,
 * so the same input is the same program. Every answer is compared with the oracle, which reads a
 * drawing of the world that is edited beside it.
 *
 * What a program has done is kept as text, one call a line, and printed when a check fails.
 *
 *     sequence.c          decisions, the log, which call comes next
 *     sequence_world.c    worlds, edits and commits
 *     sequence_obstacles.c  what lies on cells for a while
 *     sequence_space.c    spaces and views
 *     sequence_planner.c  planners and the life of their indexes
 *     sequence_search.c   queries: whole, in slices, in pieces, cancelled
 *     sequence_judge.c    what the oracle says to an answer
 *     sequence_walk.c     agents that walk while the world changes
 *     sequence_service.c  a path service beside them
 */
#ifndef TESTS_SEQUENCE_H
#define TESTS_SEQUENCE_H

#include "conformance.h"
#include "files.h"
#include "graph_edits.h"
#include <cairn/callbacks.h>
#include <cairn/service.h>

enum {
    SEQUENCE_SPACES = 3,
    SEQUENCE_PLANNERS = 5,
    SEQUENCE_SEARCHES = 5,
    SEQUENCE_WALKERS = 3,
    SEQUENCE_SERVED = 3, /* planners of the service */
    SEQUENCE_TICKETS = 8,
    SEQUENCE_FILES = 3,
    SEQUENCE_GOALS = 4,
    SEQUENCE_CELLS = 6,  /* of a filter */
    SEQUENCE_THINGS = 5, /* obstacles */
    SEQUENCE_HAUNTS = 3  /* where queries begin, until the next commit or so */
};

/* An obstacle. */
typedef struct sequence_thing {
    cairn_obstacle_options options;
    uint64_t end; /* the first tick without it; 0 = none */
    cairn_obstacle handle;
    bool used;
} sequence_thing;

/* The world as the library has it, and its drawings: as committed, and with what is staged. */
typedef struct sequence_world {
    cairn_world_kind kind; /* a grid, a graph, or functions */
    scene *now, *next;     /* grids */
    scene *own;            /* as committed, without obstacles; `next` has none, either */
    cairn_grid *grid;
    cairn_obstacles *obstacles;
    sequence_thing things[SEQUENCE_THINGS], visible[SEQUENCE_THINGS]; /* since the last tick */
    uint64_t ticks;
    bool links_staged;
    drawn_graph drawn, staged; /* graphs and functions */
    graph_scene shape;         /* what the judge wants to know of them */
    cairn_graph *graph;
    uint32_t node_count;
    uint64_t changes; /* commits so far */
} sequence_world;

/* A slot whose `space` is NULL is free. One whose handle was destroyed stays as long as something
 * is made of it. */
typedef struct sequence_space {
    cairn_space *space;
    bool gone;
    uint32_t users;
    bool clears; /* it keeps clearances, up to a few cells */
    place place; /* for the judge */
    uint64_t oracle_version;
    /* of a view */
    struct sequence_space *below;
    scene *seen;    /* the world with the patch */
    uint8_t *mode;  /* by cell: 0 as it is, 1 blocked, 2 opened */
    uint8_t *extra; /* by cell: units of the extra layer */
} sequence_space;

typedef struct sequence_planner {
    cairn_planner *planner;
    bool gone;
    uint32_t users;
    sequence_space *space;
    const cairn_algorithm *algorithm;
    char spec[200];
    bool optimal;
    /* the index, as planner.h describes its life */
    bool built, slicing, syncing;
    bool unsure; /* agents may have synced it after its handle was gone */
    uint64_t version, sync_version;
    uint32_t generation; /* how often it became another one */
    bool given;          /* clusters */
    uint32_t group;      /* planners that share an index have the same number; 0 = it shares none */
} sequence_planner;

typedef enum sequence_stage { STAGE_IDLE, STAGE_RUNNING, STAGE_ENDED, STAGE_TOLD } sequence_stage;

typedef struct sequence_search {
    cairn_search *search;
    sequence_planner *planner;
    bool limited; /* in its memory */
    sequence_stage stage;
    cairn_query query;
    cairn_node goals[SEQUENCE_GOALS];
    cairn_filter filter;
    cairn_filter_cell cells[SEQUENCE_CELLS];
    uint16_t costs[256];
    /* as it was begun */
    uint64_t version;
    uint32_t generation;
    cairn_status ready; /* the planner's state; CAIRN_RUNNING = in slices */
    bool old_index;     /* during a sync in the background */
    bool unsure;        /* of the planner's index */
    bool cancelled, refused;
    cairn_status status;
    /* in pieces */
    cairn_node begins;
    uint64_t paid;
    bool more;
    bool improvable; /* the last path, which cost ... */
    cairn_cost cost;
} sequence_search;

typedef struct sequence_walker {
    cairn_navigator *navigator;
    sequence_planner *planner;
    cairn_navigator_options options;
    bool started, limited;
} sequence_walker;

typedef struct sequence_ticket {
    cairn_ticket ticket; /* 0 = free */
    cairn_request asked;
    sequence_planner *planner;
    uint64_t version; /* of the world, when it was asked for */
    bool answered, followed;
    bool refused; /* memory was, since then */
} sequence_ticket;

typedef struct sequence_service {
    cairn_service *service;
    size_t limit; /* bytes; 0 = none */
    sequence_planner *planners[SEQUENCE_SERVED];
    uint32_t planner_count;
    bool exceeds; /* one of them has an index that may take more than a frame has */
    sequence_ticket tickets[SEQUENCE_TICKETS];
} sequence_service;

/* A saved index. */
typedef struct sequence_file {
    bytes bytes;
    char spec[200];
    uint64_t hash;
} sequence_file;

typedef struct sequence {
    /* decisions: from bytes, or, if there are none, from the generator */
    const uint8_t *data;
    size_t size, at;
    bool over;
    scene_rng rng;
    /* what was done */
    char *log;
    size_t log_size, log_capacity;
    uint64_t calls; /* of the library */
    uint64_t answers, paths;
    /* memory */
    watched memory;
    bool failing; /* now and then */
    bool workers; /* threads: then the C library's memory, which never fails */
    bool refused; /* memory was, in the last call */
    cairn_context *context;

    sequence_world world;
    cairn_node haunts[SEQUENCE_HAUNTS];
    sequence_space spaces[SEQUENCE_SPACES];
    sequence_planner planners[SEQUENCE_PLANNERS];
    uint32_t groups; /* numbers given to planners that share */
    sequence_search searches[SEQUENCE_SEARCHES];
    sequence_walker walkers[SEQUENCE_WALKERS];
    sequence_service service;
    sequence_file files[SEQUENCE_FILES];
    cairn_turn turn;
    bytes *kept; /* files that planners may still read */
    uint32_t kept_count;
} sequence;

/* What a program, or many, came to. */
typedef struct sequence_sums {
    uint64_t programs, calls, answers, paths;
} sequence_sums;

/* Runs one program: from bytes, or from a seed. */
void sequence_run_bytes(const uint8_t *data, size_t size, sequence_sums *sums);
void sequence_run_seed(uint64_t seed, sequence_sums *sums);

/* The program that is running, or that has failed; NULL between programs. */
const sequence *sequence_running(void);
void sequence_print(void);
void sequence_forget(void); /* after a failure: what it holds is lost */

/* Prints every call before it is made. */
void sequence_be_loud(bool loud);

/* ---- decisions ---- */

uint32_t choose(sequence *q, uint32_t below);
bool one_in(sequence *q, uint32_t n);

/* ---- calls ---- */

/* Writes a call into the log, and lets memory fail in it, perhaps. */
void sequence_before(sequence *q, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Notes what came of it. "Out of memory" needs a reason. */
cairn_status sequence_after(sequence *q, cairn_status status);

/* SEQUENCE_CALL(q, cairn_x(...), "x(%u)", ...): a call with its line in the log. */
#define SEQUENCE_CALL(q, call, ...) (sequence_before(q, __VA_ARGS__), sequence_after(q, call))

/* A line that is no call. */
void sequence_note(sequence *q, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* ---- worlds ---- */

/* A commit was made, the world having been of this version: `now` is what everybody sees. */
void world_made(sequence *q, uint64_t before);

/* A call about obstacles; puts those that the last tick has made on a drawing. */
void world_obstruct(sequence *q);
void world_cover(const sequence_world *w, scene *s);

void world_create(sequence *q);
cairn_callbacks sequence_functions(sequence_world *w);
void world_destroy_handle(sequence *q);
void world_free(sequence *q);
void world_edit(sequence *q);
void world_commit(sequence *q);
void world_discard(sequence *q);
cairn_node world_node(sequence *q); /* any */
cairn_node world_place(sequence *q);
uint64_t space_version(const sequence_space *s);

void space_create(sequence *q);
void space_create_view(sequence *q);
void space_edit_view(sequence *q);
void space_ask(sequence *q);
void space_destroy(sequence *q, sequence_space *s);
void space_leave(sequence_space *s); /* one user less */
sequence_space *space_any(sequence *q);
uint32_t space_number(const sequence *q, const sequence_space *s);

/* The oracle of the space, of the world as it is. */
oracle *space_oracle(sequence_space *s, const sequence_world *world);

/* A drawing with other cells and costs, for a filter; scene_destroy frees it. */
scene *scene_copy(const scene *s);

/* ---- planners ---- */

void planner_create(sequence *q);
void planner_touch(sequence *q); /* builds, syncs, saves, loads, ... */
void planner_sync_all(sequence *q);
void planner_destroy(sequence *q, sequence_planner *p);
void planner_leave(sequence_planner *p);
sequence_planner *planner_any(sequence *q, bool with_handle);
uint32_t planner_number(const sequence *q, const sequence_planner *p);

/* What cairn_planner_state must say. */
cairn_status planner_expected(const sequence_planner *p);
/* Writes to `bytes`, for cairn_writer. */
cairn_status sequence_write(void *user, const void *data, size_t size);
/* Waits for a sync in the background; false if nobody can, because the handle is gone. */
bool planner_settle(sequence *q, sequence_planner *p);
/* Somebody else may have synced it. */
void planner_recall(sequence *q, sequence_planner *p);

/* ---- searches ---- */

void search_create(sequence *q);
void search_ask(sequence *q);   /* begins a query, or asks all of it at once */
void search_go_on(sequence *q); /* with what is under way */
void search_destroy(sequence *q, sequence_search *s);

/* ---- the judge ---- */

void judge_answer(sequence *q, sequence_search *s, const cairn_path *path);
void judge_distance(sequence *q, sequence_search *s, cairn_status status, cairn_cost cost);

/* ---- agents ---- */

void walker_create(sequence *q);
void walker_walk(sequence *q);
void walker_turn_all(sequence *q);
void walker_destroy(sequence *q, sequence_walker *w);

/* ---- the service ---- */

void service_serve(sequence *q);
void service_close(sequence *q);

#endif
