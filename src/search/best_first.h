/* best_first.h: the engine behind Dijkstra, A*, weighted A*, greedy, breadth-first and
 * depth-first search, and behind every refinement of a hierarchy.
 *
 * The loop itself stands once, as a text, in best_first.inc; best_first.c includes it for
 * every combination of space, open list and tracing that is worth having. What differs between
 * the algorithms is in the settings below.
 */
#ifndef CRN_BEST_FIRST_H
#define CRN_BEST_FIRST_H

#include "open/bins.h"
#include "open/chain.h"
#include "open/heap.h"
#include "search/records.h"
#include "search/search.h"
#include "world/grid_space.h"

typedef enum crn_open_kind {
    CRN_OPEN_BINS,
    CRN_OPEN_HEAP,
    CRN_OPEN_QUEUE,
    CRN_OPEN_STACK,
    CRN_OPEN_KINDS
} crn_open_kind;

/* Which of several ways to a node is kept. */
typedef enum crn_keep {
    CRN_KEEP_CHEAPEST,      /* reopening closed nodes */
    CRN_KEEP_CHEAPEST_OPEN, /* closed nodes stay as they are */
    CRN_KEEP_FIRST,
    CRN_KEEP_LAST /* until it is expanded: depth-first */
} crn_keep;

typedef enum crn_tie { CRN_TIE_LARGE_G, CRN_TIE_SMALL_G, CRN_TIE_LAST_IN, CRN_TIE_FIRST_IN } crn_tie;

/* What makes an algorithm. Key of a node, up to a factor: cost_weight·g + estimate_weight·h / 256. */
typedef struct crn_settings {
    crn_open_kind open;
    crn_keep keep;
    cairn_heuristic heuristic;
    uint32_t cost_weight;     /* 0 or 1 */
    uint32_t estimate_weight; /* in 256ths */
    crn_tie tie;              /* heap only */
    bool longer;              /* stop only when no cheaper way to the goal can be open (T 1057) */
    bool generic;             /* use the loop for any space even on grids */
} crn_settings;

/* What a loop addresses its records by: y << 16 | x in the grid loops, the node's number in
 * the generic one. A type of its own, so that it cannot be mixed up with a cairn_node. */
typedef struct crn_place {
    uint32_t value;
} crn_place;

#define CRN_TILE_SIDE 16u

typedef struct crn_best_first crn_best_first;
typedef cairn_status crn_loop(crn_best_first *bf, uint64_t work);

struct crn_best_first {
    /* What the inner loop reads. */
    crn_records *records; /* one of the two below */
    const crn_scratch *memory;
    const crn_grid_space *map; /* NULL in the generic loop */
    uint32_t tile_columns;
    cairn_cost limit;            /* ways that cost more are not looked at */
    uint64_t bound;              /* keys from here on cannot lead to anything better */
    cairn_cost spill;            /* a node that costs more than this may overflow with its next step */
    uint64_t g_factor, h_factor; /* key of a node: g_factor·g + h_factor·h */
    bool goal_found;
    crn_place goal; /* the best goal so far, with its cost */
    cairn_cost goal_cost;
    cairn_scale step;  /* cost of a straight and a diagonal step, terrain included, if uniform */
    uint64_t shortcut; /* what a diagonal step saves over two straight ones */
    crn_box box;
    crn_bins bins;
    uint64_t work, expanded, generated, reopened, pushes;
    uint64_t spilled; /* nodes that only ways too dear for 32 bits were seen to */

    cairn_search *search;
    const cairn_space *space;
    crn_settings settings;
    crn_loop *loop;
    crn_heap heap;
    crn_chain chain;
    crn_records tiles;     /* of the grid loops */
    crn_records pages;     /* of the generic loop, with parents */
    crn_place pending;     /* the node whose edges are being followed ... */
    uint32_t pending_edge; /* ... from this one on */
    bool is_pending;
};

/* The functions of a crn_algorithm that is a setting of the loop. The planner's parameters
 * are found by name: heuristic, open, tie, stop, loop, weight, reopen; those that the algorithm does not
 * list keep what the preset says. */
cairn_status crn_best_first_create(cairn_planner *planner, const crn_settings *preset, cairn_error *error);
void crn_best_first_destroy(cairn_planner *planner);
cairn_status crn_best_first_open(cairn_search *search);
void crn_best_first_close(cairn_search *search);
cairn_status crn_best_first_begin(cairn_search *search);
cairn_status crn_best_first_step(cairn_search *search, uint64_t work);
cairn_status crn_best_first_path_to(cairn_search *search, cairn_node node);
cairn_cost crn_best_first_cost_to(const cairn_search *search, cairn_node node);
cairn_status crn_best_first_reached(const cairn_search *search, cairn_visit *visit, void *user);

/* All of them at once, for a descriptor. */
#define CRN_BEST_FIRST_FUNCTIONS \
    .destroy = crn_best_first_destroy, .open = crn_best_first_open, .close = crn_best_first_close, \
    .begin = crn_best_first_begin, .step = crn_best_first_step, .path_to = crn_best_first_path_to, \
    .cost_to = crn_best_first_cost_to, .reached = crn_best_first_reached

/* Parameters that several algorithms share. */
extern const char *const crn_heuristic_choices[],
    *const crn_open_choices[], *const crn_tie_choices[], *const crn_stop_choices[],
                                                             *const crn_loop_choices[],
                                                                 *const crn_reopen_choices[];

#define CRN_PARAMETER_HEURISTIC \
    { \
        "heuristic", "estimate of the cost to the goal", CAIRN_PARAMETER_CHOICE, 0, \
            CAIRN_HEURISTIC_COUNT - 1, CAIRN_HEURISTIC_AUTO, crn_heuristic_choices \
    }
#define CRN_PARAMETER_OPEN_LIST(standard) \
    { \
        "open", "open list: bucket bins, or a heap with strict ties", CAIRN_PARAMETER_CHOICE, 0, 1, \
            standard, crn_open_choices \
    }
#define CRN_PARAMETER_OPEN CRN_PARAMETER_OPEN_LIST(CRN_OPEN_BINS)
#define CRN_PARAMETER_TIE \
    { \
        "tie", "which of equal keys the heap prefers", CAIRN_PARAMETER_CHOICE, 0, 3, 0, crn_tie_choices \
    }
#define CRN_PARAMETER_STOP \
    { \
        "stop", "when the goal is closed, or when no cheaper way can be open", CAIRN_PARAMETER_CHOICE, 0, 1, \
            0, crn_stop_choices \
    }
#define CRN_PARAMETER_LOOP \
    { \
        "loop", "loops made for grids, or the one for every space", CAIRN_PARAMETER_CHOICE, 0, 1, 0, \
            crn_loop_choices \
    }

#endif
