/* jump.h: jump point search, the part that `jps` and `jps-plus` share.
 *
 * On a grid where only straight and diagonal steps differ, most of the equally short paths between
 * two cells differ only in the order of their steps. Canonical order keeps one: diagonal steps
 * first, as long as nothing forces another order. Then a path branches only where an obstacle
 * forces a turn, at *jump points*; the search jumps from one to the next and leaves out all cells
 * between. A straight jump goes to the next jump point (scan.h, or a table). A diagonal jump scans
 * from each cell that it passes along both straight directions. The jump points found there are
 * pushed at once, not the cell where the path turns (Harabor and Grastien 2014 call these
 * intermediate points and prune them). The path from a record's parent to it is then always the
 * same: diagonal steps first, then straight ones.
 *
 * Under corners=never nothing forces a turn on a diagonal. Where corners may be cut it may, and the
 * diagonal jump ends there.
 *
 * Links, ground and heights. Every jump ends at a stop (world/stops.c): a cell that links leave, or
 * one with ground of another cost, or a step that is not allowed, beside it. A cell that a link
 * leads to is entered in no direction, so that all moves are useful there, as at the start. So they
 * are at other stops, from which single steps lead to other stops, at their own costs. Between
 * stops all steps are allowed and the ground is the same, so the canonical order holds from one to
 * the next, at the costs of that ground. (Carlson, Moghadam, Harabor and others, "Optimal
 * Pathfinding on Weighted Grid Maps", 2023, prune moves at borders of ground too.)
 *
 * Sources: Harabor and Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", 2011;
 * "Improving Jump Point Search", 2014; Sturtevant and Rabin, "Canonical Orderings on Grids", 2016.
 */
#ifndef CRN_JUMP_H
#define CRN_JUMP_H

#include "jump/glide.h"
#include "jump/records.h"
#include "open/sparse.h"
#include "search/search.h"
#include "world/grid_space.h"

struct crn_jump_table;
struct crn_jump_boxes;

/* The parameter `jumps`: where small obstacles are scattered, plain A* is faster. */
typedef enum crn_jump_choice { CRN_JUMP_AUTO, CRN_JUMP_ALWAYS } crn_jump_choice;
extern const char *const crn_jump_choices[];
extern const char *const crn_jump_vectors[];

#define CRN_PARAMETER_JUMPS \
    { \
        "jumps", \
            "auto: step by step where small obstacles are so scattered that jumping does not pay", \
            CAIRN_PARAMETER_CHOICE, 0, 1, CRN_JUMP_AUTO, crn_jump_choices \
    }

typedef struct crn_jump crn_jump;
typedef cairn_status crn_jump_loop(crn_jump *jump, uint64_t work);

struct crn_jump {
    cairn_search *search;
    const crn_grid_space *map;
    const struct crn_jump_table *table; /* NULL = scan the bits */
    const struct crn_jump_boxes *boxes; /* NULL = follow every direction */
    crn_jump_loop *loop;
    crn_glide *glide[4];       /* by diagonal direction less CRN_NE; NULL = cell by cell */
    crn_glide_axis axes[4][2]; /* its rows and columns */
    crn_jump_records records;
    crn_sparse open;

    /* costs of steps on the ground that is being jumped over */
    uint64_t straight, diagonal;
    /* of estimates: a straight step on the cheapest ground; two of them less a diagonal one */
    uint64_t least, shortcut;
    bool stops;   /* there are any on the map */
    bool narrows; /* they, or boxes, leave out moves */
    bool varied;  /* ground of different costs, or limits of height */
    crn_box box;  /* the goal, with the gates that lead there */
    crn_gate gates[CRN_GATES];
    crn_gate_arrays arrays;        /* the same, if they fit */
    uint32_t goal_x, goal_y, goal; /* goal: as a place */
    /* overflowed: a path was dropped because it costs more than 32 bits hold */
    bool goal_found, overflowed;
    uint64_t bound; /* keys must be less */

    /* The record being expanded, and the diagonal jump that goes on with the next unit of work. */
    uint32_t from;       /* place */
    cairn_cost from_g;   /* its cost */
    uint32_t moves;      /* diagonal directions still to come, the lowest of them under way */
    uint32_t at_x, at_y; /* where it is ... */
    uint64_t at_g;       /* ... at this cost */
    bool is_pending;
    bool linking;  /* before them come links of the place, ... */
    uint32_t link; /* ... from this number on */

    uint64_t work, expanded, reopened, pushes;
    uint32_t closest_at; /* looking for a partial end */
};

/* A place is y << 16 | x. */
CRN_INLINE cairn_node crn_jump_node(const crn_jump *jump, uint32_t place)
{
    return (place >> 16) * jump->map->grid->width + (place & 0xffff);
}

/* Finds the gates that lead to the goal. gated: the estimate that knows them; `walk` is that on
 * foot (jump_stops.c). */
void crn_jump_open_gates(crn_jump *jump);
uint64_t crn_jump_gated(const crn_jump *jump, uint32_t x, uint32_t y, uint64_t walk);

CRN_INLINE uint32_t crn_jump_place_of(const crn_jump *jump, cairn_node node)
{
    uint32_t width = jump->map->grid->width;
    return node / width << 16 | node % width;
}

CRN_INLINE uint64_t crn_jump_estimate(const crn_jump *jump, uint32_t x, uint32_t y)
{
    uint64_t dx = x > jump->goal_x ? x - jump->goal_x : jump->goal_x - x;
    uint64_t dy = y > jump->goal_y ? y - jump->goal_y : jump->goal_y - y;
    uint64_t walk = jump->least * (dx + dy) - jump->shortcut * (dx < dy ? dx : dy);
    return CRN_LIKELY(!jump->box.gate_count) ? walk : crn_jump_gated(jump, x, y, walk);
}

/* The path from a record's parent to it: this many diagonal steps, and then this many straight
 * ones. */
typedef struct crn_jump_leg {
    uint32_t diagonal, straight;
    cairn_cell back; /* from the record to its parent */
    bool level;      /* the straight steps go along a row */
    uint32_t turn;   /* place where they meet */
} crn_jump_leg;

static inline crn_jump_leg crn_jump_leg_to(const crn_jump_record *record)
{
    uint32_t place = crn_jump_place(record), x = place & 0xffff, y = place >> 16;
    uint32_t px = record->parent & 0xffff, py = record->parent >> 16;
    uint32_t wide = x > px ? x - px : px - x, high = y > py ? y - py : py - y;
    uint32_t diagonal = crn_min_u32(wide, high);
    uint32_t turn_x = x > px ? px + diagonal : px - diagonal,
             turn_y = y > py ? py + diagonal : py - diagonal;
    return (crn_jump_leg){.diagonal = diagonal,
                          .straight = crn_max_u32(wide, high) - diagonal,
                          .back = {(px > x) - (px < x), (py > y) - (py < y)},
                          .level = wide > high,
                          .turn = turn_y << 16 | turn_x};
}

static inline bool crn_jump_is_linked(const crn_jump_record *record)
{
    return (record->key & CRN_JUMP_ARRIVAL) == CRN_BY_LINK;
}

static inline bool crn_jump_is_first(const crn_jump_record *record)
{
    return (record->key & CRN_JUMP_ARRIVAL) == CRN_NO_ARRIVAL;
}

/* The loop for a space (jump_loops.c). */
crn_jump_loop *crn_jump_choose(const crn_jump *jump);

/* Relaxes a path to (x, y) that costs g and arrives in a direction, from the place being
 * expanded. */
void crn_jump_relax(crn_jump *jump, uint32_t x, uint32_t y, uint32_t arrival, uint64_t g);

/* Sets the costs of steps to those of a cell's ground: they depend only on the ground entered. */
void crn_jump_learn_ground(crn_jump *jump, cairn_node node);

/* What stops ask for (jump_stops.c). leave: before a place is expanded, sets the costs of its
 * ground, follows its links, and steps from stop to stop; returns the moves that are left to be
 * jumped along. Of many links some are left for further units of work (jump->linking), which follow
 * those. cost: of the leg to a record. */
uint32_t crn_jump_leave(crn_jump *jump, uint32_t moves);
void crn_jump_relax_links(crn_jump *jump);
uint64_t crn_jump_leg_cost(const crn_jump *jump, const crn_jump_record *record);

/* The functions of a search of a crn_algorithm that jumps. */
cairn_status crn_jump_open(cairn_search *search);
void crn_jump_close(cairn_search *search);
bool crn_jump_suits(const cairn_planner *planner);
bool crn_jump_handles(const cairn_search *search);
cairn_status crn_jump_begin(cairn_search *search, const struct crn_jump_table *table,
                            const struct crn_jump_boxes *boxes);
cairn_status crn_jump_step(cairn_search *search, uint64_t work);
cairn_status crn_jump_path_to(cairn_search *search, cairn_node node);
cairn_cost crn_jump_cost_to(const cairn_search *search, cairn_node node);
bool crn_jump_closest(cairn_search *search, uint64_t work, bool first);
cairn_status crn_jump_reached(const cairn_search *search, cairn_visit *visit, void *user);

#define CRN_JUMP_SEARCH_FUNCTIONS \
    .open = crn_jump_open, .close = crn_jump_close, .suits = crn_jump_suits, \
    .handles = crn_jump_handles, .delegate = "astar", .step = crn_jump_step, \
    .path_to = crn_jump_path_to, .cost_to = crn_jump_cost_to, .closest = crn_jump_closest, \
    .reached = crn_jump_reached

#endif
