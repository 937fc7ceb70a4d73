/* best_first.h: the engine behind Dijkstra, A*, weighted A*, greedy, breadth-first and
 * depth-first search, and behind every refinement of a hierarchy.
 *
 * The loop itself stands once, in best_first_loops.c, which makes an instance of it for every
 * combination of space, open list and estimate that is worth having; best_first.c begins and
 * ends its queries. What differs between the algorithms is in the settings below.
 */
#ifndef CRN_BEST_FIRST_H
#define CRN_BEST_FIRST_H

#include "heuristic/heuristic.h"
#include "search/search.h"

/* The first two are built into loops of their own; the others are called through their tables
 * (open.h). Those before the queue can be chosen by name, in this order (crn_open_choices). */
typedef enum crn_open_kind {
    CRN_OPEN_BUCKETS,
    CRN_OPEN_HEAP,
    CRN_OPEN_UNSORTED_ARRAY,
    CRN_OPEN_UNSORTED_LIST,
    CRN_OPEN_SORTED_ARRAY,
    CRN_OPEN_SORTED_LIST,
    CRN_OPEN_SKIP_LIST,
    CRN_OPEN_BINARY_HEAP,
    CRN_OPEN_SKEW_HEAP,
    CRN_OPEN_SPLAY_TREE,
    CRN_OPEN_HOT_QUEUE,
    CRN_OPEN_QUEUE,
    CRN_OPEN_STACK,
    CRN_OPEN_KINDS
} crn_open_kind;

/* Among the choices of weighted A*, the one after all lists: buckets where they are faster, else
 * the heap. */
#define CRN_OPEN_AUTO CRN_OPEN_QUEUE

/* Which of several paths to a node is kept. */
typedef enum crn_keep {
    CRN_KEEP_CHEAPEST,      /* reopening closed nodes */
    CRN_KEEP_CHEAPEST_OPEN, /* closed nodes stay as they are */
    CRN_KEEP_FIRST,
    CRN_KEEP_LAST /* the last path before the node is expanded: depth-first */
} crn_keep;

/* Whose children the neighbours of a node become. */
typedef enum crn_sight_kind {
    CRN_SIGHT_NONE, /* its own */
    /* those of its parent, if a line leads to them: tested when they are generated ... */
    CRN_SIGHT_EAGER,
    CRN_SIGHT_LAZY /* ... or not before they are expanded */
} crn_sight_kind;

typedef enum crn_tie {
    CRN_TIE_LARGE_G,
    CRN_TIE_SMALL_G,
    CRN_TIE_LAST_IN,
    CRN_TIE_FIRST_IN
} crn_tie;

/* The settings that make an algorithm. The key of a node, up to a factor, is cost_weight·g +
 * estimate_weight·h / 256. */
typedef struct crn_settings {
    crn_open_kind open;
    crn_open_kind first_open; /* the first list that the parameter `open` can choose */
    crn_keep keep;
    cairn_heuristic heuristic;
    uint32_t cost_weight;     /* 0 or 1 */
    uint32_t estimate_weight; /* in 256ths */
    crn_tie tie;              /* of lists that sort strictly */
    bool automatic; /* buckets in place of the heap, on uniform grids (best_first_choose_list) */
    bool hashed;    /* lists that change entries find them by a hash table, not by the record */
    bool stored;    /* the record keeps the estimate (lists called through tables) */
    bool longer;    /* stop only when no cheaper path to the goal can be open (T 5.3.1) */
    /* a node no more expensive than the one before it is expanded next, past the open list */
    bool fast;
    bool bpmx;            /* estimates of neighbours raise each other (crn_best_first_lift) */
    bool generic;         /* use the loop for any space even on grids */
    crn_sight_kind sight; /* grids, with a heap and CRN_KEEP_CHEAPEST_OPEN, ... */
    const struct crn_best_first_lines *lines; /* ... and &crn_best_first_lines_of_sight */
    const crn_heuristic *plug; /* refines what `heuristic`, a metric, says; NULL = nothing does */
} crn_settings;

/* The functions of a crn_algorithm that is a setting of the loop. The planner's parameters are
 * found by name: heuristic, open, tie, stop, loop, weight, reopen, member, store; those that the
 * algorithm does not list keep what the preset says. */
cairn_status crn_best_first_create(cairn_planner *planner, const crn_settings *preset,
                                   cairn_error *error);
void crn_best_first_destroy(cairn_planner *planner);
cairn_status crn_best_first_open(cairn_search *search);
void crn_best_first_close(cairn_search *search);
cairn_status crn_best_first_begin(cairn_search *search);
/* Adds more starts to a query right after it has begun. Only for Dijkstra's algorithm without a
 * goal, and without a sink. */
void crn_best_first_begin_too(cairn_search *search, const cairn_node *nodes, uint32_t count);
/* Begins a query that differs from the last one only by its start and its single goal, in a
 * fraction of the time. Leaves metrics to the next step.
 * - The last query has ended, and crn_best_first_repeats says that it is possible.
 * - The space has not changed, and there is no sink. */
bool crn_best_first_repeats(const cairn_search *search);
cairn_status crn_best_first_begin_again(cairn_search *search);
cairn_status crn_best_first_step(cairn_search *search, uint64_t work);
cairn_node crn_best_first_before(const cairn_search *search,
                                 /* the node before it on its path; CAIRN_NO_NODE for the start */
                                 cairn_node node);
/* While a query runs with buckets or a heap: the node that is to be expanded next, which may have
 * been expanded before; CAIRN_NO_NODE: there is none. */
cairn_node crn_best_first_promising(cairn_search *search);
/* Writes the end of the path to a node: at most this many nodes, without the start, with their
 * costs by the records, at the end of both arrays. Returns how many. */
uint32_t crn_best_first_trail(const cairn_search *search, cairn_node node, cairn_node *nodes,
                              cairn_cost *costs, uint32_t capacity);
/* Grids without links: goes back along the path to a node, at most this many steps, and writes
 * their directions. Returns how many; 0 at the start. */
uint32_t crn_best_first_back(const cairn_search *search, cairn_node *node, uint8_t *directions,
                             uint32_t capacity);
cairn_status crn_best_first_path_to(cairn_search *search, cairn_node node);
cairn_cost crn_best_first_cost_to(const cairn_search *search, cairn_node node);
/* Is the search that is under way one of this loop, which reads nothing of its world but what lies
 * beside the nodes that it has seen, the query, and what all costs and estimates rest on? */
bool crn_best_first_reads_near(const cairn_search *search);
bool crn_best_first_closest(cairn_search *search, uint64_t work, bool first);
cairn_status crn_best_first_reached(const cairn_search *search, cairn_visit *visit, void *user);
bool crn_best_first_estimates(const cairn_planner *planner, crn_planner_estimates *out);

/* All of them at once, for a descriptor, and those of its searches alone. */
#define CRN_BEST_FIRST_FUNCTIONS .destroy = crn_best_first_destroy, CRN_BEST_FIRST_SEARCH_FUNCTIONS
#define CRN_BEST_FIRST_SEARCH_FUNCTIONS \
    .open = crn_best_first_open, .close = crn_best_first_close, .begin = crn_best_first_begin, \
    .step = crn_best_first_step, .path_to = crn_best_first_path_to, \
    .cost_to = crn_best_first_cost_to, .closest = crn_best_first_closest, \
    .reached = crn_best_first_reached, .estimates = crn_best_first_estimates

/* Parameters that several algorithms share. */
extern const char *const crn_open_choices[];      /* all lists, ... */
extern const char *const crn_auto_open_choices[]; /* ... and `auto`, ... */
extern const char *const crn_loop_open_choices[]; /* ... and those that have loops of their own */
extern const char *const crn_member_choices[];
extern const char *const crn_store_choices[];
extern const char *const crn_tie_choices[];
extern const char *const crn_stop_choices[];
extern const char *const crn_loop_choices[];
extern const char *const crn_reopen_choices[];

#define CRN_PARAMETER_HEURISTIC \
    { \
        "heuristic", "estimate of the cost to the goal", CAIRN_PARAMETER_CHOICE, 0, \
            CRN_HEURISTIC_END - 1, CAIRN_HEURISTIC_AUTO, crn_heuristic_choices \
    }
#define CRN_PARAMETER_OPEN \
    { \
        "open", "open list: buckets, or a heap with strict ties", CAIRN_PARAMETER_CHOICE, 0, 1, \
            CRN_OPEN_BUCKETS, crn_loop_open_choices \
    }
#define CRN_PARAMETER_ANY_OPEN(default_list) \
    { \
        "open", "open list: buckets, or one that sorts strictly", CAIRN_PARAMETER_CHOICE, 0, \
            CRN_OPEN_QUEUE - 1, default_list, crn_open_choices \
    }
#define CRN_PARAMETER_STRICT_OPEN /* with .first_open = CRN_OPEN_HEAP */ \
    { \
        "open", "open list: one that sorts strictly", CAIRN_PARAMETER_CHOICE, 0, \
            CRN_OPEN_QUEUE - 1 - CRN_OPEN_HEAP, 0, crn_open_choices + CRN_OPEN_HEAP \
    }
#define CRN_PARAMETER_AUTO_OPEN \
    { \
        "open", "open list: buckets, or one that sorts strictly; auto: what is faster", \
            CAIRN_PARAMETER_CHOICE, 0, CRN_OPEN_AUTO, CRN_OPEN_AUTO, crn_auto_open_choices \
    }
#define CRN_PARAMETER_MEMBER \
    { \
        "member", "how lists that change entries find them: by the record, or by a hash table", \
            CAIRN_PARAMETER_CHOICE, 0, 1, 0, crn_member_choices \
    }
#define CRN_PARAMETER_STORE \
    { \
        "store", "what records keep beside the cost, with lists other than buckets and heap", \
            CAIRN_PARAMETER_CHOICE, 0, 1, 0, crn_store_choices \
    }
#define CRN_PARAMETER_TIE \
    { \
        "tie", "which of equal keys a list that sorts strictly prefers", CAIRN_PARAMETER_CHOICE, \
            0, 3, 0, crn_tie_choices \
    }
#define CRN_PARAMETER_STOP \
    { \
        "stop", "when the goal is closed, or when no cheaper path can be open", \
            CAIRN_PARAMETER_CHOICE, 0, 1, 0, crn_stop_choices \
    }
#define CRN_PARAMETER_BPMX \
    { \
        "bpmx", "1: estimates of neighbours raise each other, on heaps", CAIRN_PARAMETER_INTEGER, \
            0, 1, 0, NULL \
    }
#define CRN_PARAMETER_LOOP \
    { \
        "loop", "loops made for grids, or the one for every space", CAIRN_PARAMETER_CHOICE, 0, 1, \
            0, crn_loop_choices \
    }

#endif
