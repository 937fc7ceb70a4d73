/* grid_space.h: a grid as one kind of agent sees it.
 *
 * Its core is a bitmap of the cells that the agent can stand on, and a table that turns the 3×3
 * bits round a cell into the set of moves that the corner rule allows: three loads and one look-up
 * instead of eight branches. Costs are needed only where they differ. A space in which every cell
 * costs the same and no height matters is `uniform`, and the fast loops need only the bitmap.
 */
#ifndef CRN_GRID_SPACE_H
#define CRN_GRID_SPACE_H

#include "world/clearance.h"
#include "world/grid.h"
#include "world/components.h"
#include "world/links.h"
#include "world/runs.h"
#include "world/size.h"
#include "world/space.h"
#include <stddef.h>

/* Directions: straight ones first, then diagonal ones. Also the order in which
 * neighbours are generated. */
enum { CRN_N, CRN_E, CRN_S, CRN_W, CRN_NE, CRN_SE, CRN_SW, CRN_NW, CRN_DIRECTIONS };

/* Hexagons need no more directions: as cells of an array their six neighbours are east, west,
 * north, south, and the two diagonal ones on the side to which the rows beside it are shifted. So a
 * hexagonal space is the same bitmap and the same look-up, with the moves masked by the parity of
 * the row. */

/* How a cell was entered: by a move in one of the directions, not at all, or by a link (a door, a
 * ladder, a teleport between any two cells); after one, as at the start, every legal move is
 * useful. */
enum { CRN_NO_ARRIVAL = CRN_DIRECTIONS, CRN_BY_LINK, CRN_ARRIVALS };

extern const int8_t crn_dx[CRN_DIRECTIONS], crn_dy[CRN_DIRECTIONS];
extern const uint8_t crn_opposite[CRN_DIRECTIONS];

struct crn_view;

typedef struct crn_grid_space {
    cairn_space base;
    cairn_grid *grid;
    struct crn_view *views;      /* linked: they follow every commit */
    struct crn_grid_space *next; /* of the same grid */
    cairn_profile profile;
    crn_bits usable; /* where the agent can stand */
    crn_bits free;   /* agents with a size: what is open and allowed, before it is eroded */
    crn_size size;
    bool sized; /* `free` exists */
    bool hex;
    uint8_t row_moves[2]; /* by the parity of the row: directions that exist */
    /* costs differ only by straight and diagonal, no height matters; on squares also straight <
     * diagonal < 2 · straight, so that only the straight line is as short as the straight line */
    bool uniform;
    bool priced; /* ground differs in cost: by terrain, extra costs or slopes */
    bool steep;  /* elevation limits matter */
    /* steps must be tested one by one: steep, or the size has dips */
    bool limited;
    uint32_t least; /* smallest terrain cost of the classes present, in 256ths */
    /* Steps on the cheapest ground present: `times` steps of this scale. Of a whole multiple the
     * scale is that of the space; else it is the rounded prices, and `times` is 1. */
    cairn_scale cheapest;
    uint32_t times;
    cairn_cost step[CRN_DIRECTIONS]; /* the same by direction; if uniform, what all steps cost */
    /* of straight [0] and diagonal [1] steps onto ground of each class; 0 = forbidden */
    cairn_cost price[256][2];
    cairn_cost layer_cost[256];
    int32_t max_rise; /* largest difference of neighbouring elevations, at least */
    bool rises_known;
    crn_components components;
    crn_links links;
    crn_clearance *clearance; /* NULL = not kept */
    crn_runs *runs;           /* NULL = not kept */
    cairn_upkeep upkeep;
    /* by how the cell was entered and the 3×3 bits round it */
    uint8_t moves[CRN_ARRIVALS][512];
    uint8_t canonical[CRN_ARRIVALS][512]; /* the same, in canonical order only */
} crn_grid_space;

/* The space as one of a grid: NULL if it is of another world. */
CRN_INLINE const crn_grid_space *crn_grid_space_of(const cairn_space *space)
{
    return space->world == CAIRN_WORLD_GRID ? (const crn_grid_space *)(const void *)space : NULL;
}

/* Four bytes, the least significant one first. (Compilers see that this is one load on most
 * machines only if it is said so.) */
CRN_INLINE uint32_t crn_four_bytes(const uint8_t *at)
{
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t four;
    memcpy(&four, at, sizeof four);
    return four;
#else
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
#endif
}

/* The 3×3 bits round (x, y), row by row from the upper left one. */
CRN_INLINE uint32_t crn_bits_pattern(const crn_bits *bits, uint32_t x, uint32_t y)
{
    /* Cell (x, y) is bit x + 1 of row y + 1: its 3×3 block starts at bit x of row y. */
    const uint8_t *at = bits->rows + y * bits->stride + (x >> 3);
    uint32_t shift = x & 7;
    uint32_t above = crn_four_bytes(at) >> shift & 7;
    uint32_t level = crn_four_bytes(at + bits->stride) >> shift & 7;
    uint32_t below = crn_four_bytes(at + 2 * bits->stride) >> shift & 7;
    return above | level << 3 | below << 6;
}

CRN_INLINE uint32_t crn_grid_pattern(const crn_grid_space *space, uint32_t x, uint32_t y)
{
    return crn_bits_pattern(&space->usable, x, y);
}

/* Returns the allowed moves out of (x, y) as a set of directions; elevation is not tested yet. */
CRN_INLINE uint32_t crn_grid_moves(const crn_grid_space *space, uint32_t x, uint32_t y)
{
    return space->moves[CRN_NO_ARRIVAL][crn_grid_pattern(space, x, y)] & space->row_moves[y & 1];
}

/* Returns the bitmap of what is open and allowed, whatever the size of the agent. */
CRN_INLINE const crn_bits *crn_grid_free_bits(const crn_grid_space *space)
{
    return space->sized ? &space->free : &space->usable;
}

CRN_INLINE crn_bitmap crn_grid_free(const crn_grid_space *space)
{
    const cairn_grid *grid = space->grid;
    return (crn_bitmap){crn_grid_free_bits(space), grid->width, grid->height, grid->layout};
}

/* In a uniform space, a move from p into a cell makes some moves out of it useless. `moves` leaves
 * out those to neighbours that p reaches by a single legal step: p itself has relaxed them at a
 * lower cost (one step costs less than two). `canonical` also leaves out those that another path
 * from p, round the cell, beats, or equals in canonical order: after a straight move among free
 * cells one is left, after a diagonal one three. grid_space.c says which searches may do without
 * them. Squares only. */
CRN_INLINE uint32_t crn_grid_canonical_moves(const crn_grid_space *space, uint32_t x, uint32_t y,
                                             uint32_t arrival)
{
    return space->canonical[arrival][crn_grid_pattern(space, x, y)];
}

/* May elevation limits matter, now or after an edit? And may steps have to be tested one by one? */
CRN_INLINE bool crn_grid_minds_heights(const crn_grid_space *space)
{
    return space->profile.max_climb != CAIRN_ANY_STEP || space->profile.max_drop != CAIRN_ANY_STEP;
}

CRN_INLINE bool crn_grid_may_be_limited(const crn_grid_space *space)
{
    return crn_grid_minds_heights(space) || space->size.dips;
}

/* Does an agent with a size have room for the step from (x, y) to the cell beside it, if it has
 * room at both ends? */
CRN_INLINE bool crn_grid_has_room(const crn_grid_space *space, uint32_t x, uint32_t y, int32_t dx,
                                  int32_t dy)
{
    if (!space->size.dips) return true;
    crn_bitmap free = crn_grid_free(space);
    return crn_size_can_pass(&space->size, &free, (cairn_cell){(int32_t)x, (int32_t)y}, dx, dy);
}

/* Do heights allow the step from a to b, which touch by a side or corner? (Only if
 * space->steep.) */
CRN_INLINE bool crn_grid_height_ok(const crn_grid_space *space, size_t a, size_t b)
{
    int32_t rise = space->grid->elevation[b] - space->grid->elevation[a];
    return rise <= space->profile.max_climb && -(int64_t)rise <= space->profile.max_drop;
}

/* Removes the moves that elevation limits and dips forbid (only if space->limited). */
uint32_t crn_grid_limit_moves(const crn_grid_space *space, uint32_t x, uint32_t y, uint32_t moves);

/* Does a step lead from one cell to another one that touches it? (Links are not steps.) */
bool crn_grid_can_step(const crn_grid_space *space, uint32_t ax, uint32_t ay, uint32_t bx,
                       uint32_t by);

/* Returns the cost of that step, or CAIRN_NO_COST if there is none or it does not fit. */
cairn_cost crn_grid_walk_cost(const crn_grid_space *space, cairn_node a, cairn_node b);

/* Would a step in a direction be legal from (x, y) if the cell it leads to were usable? */
bool crn_grid_could_step(const crn_grid_space *space, uint32_t x, uint32_t y, uint32_t direction);

/* Cost of a legal move from node a in a direction to node b; CAIRN_NO_COST if it does not fit. */
CRN_INLINE cairn_cost crn_grid_step_cost(const crn_grid_space *space, cairn_node a, cairn_node b,
                                         uint32_t direction)
{
    const cairn_grid *grid = space->grid;
    if (space->uniform) return space->step[direction];
    uint64_t cost = space->price[grid->terrain ? grid->terrain[b] : 0][direction / CRN_NE];
    if (grid->layer) cost += space->layer_cost[grid->layer[b]];
    if (space->profile.gradient && grid->elevation && grid->elevation[b] > grid->elevation[a]) {
        uint64_t climb = (uint64_t)(grid->elevation[b] - grid->elevation[a]);
        cost += climb * space->profile.gradient * space->base.scale.straight / 256;
    }
    return crn_edge_cost(cost);
}

/* The edges of these moves from a node of a uniform space. They are the edges to it as well: what
 * the bitmap says of a step holds both ways, and so does its cost. */
CRN_INLINE uint32_t crn_grid_uniform_edges(const crn_grid_space *space, cairn_node node,
                                           uint32_t moves, cairn_edge out[CRN_DIRECTIONS])
{
    int32_t width = (int32_t)space->grid->width;
    cairn_edge *end = out;
    for (; moves; moves &= moves - 1, end++) {
        uint32_t d = crn_lowest_bit(moves);
        end->node = node + (cairn_node)(crn_dy[d] * width + crn_dx[d]);
        end->cost = space->step[d];
    }
    return (uint32_t)(end - out);
}

/* prepare: before a commit, gets all memory that refreshing may need; false = there is none.
 * refresh: after it. */
bool crn_grid_space_prepare(crn_grid_space *space, const crn_commit *commit, uint32_t link_count);
void crn_grid_space_refresh(crn_grid_space *space, const crn_commit *commit);

/* What the ground of some cells is like. */
typedef struct crn_surface {
    uint32_t least, most; /* terrain costs, in 256ths; 0 = no cell may be entered */
    uint32_t rise;        /* no step rises higher */
    uint8_t layer;        /* the highest value */
    bool heights;         /* they may differ */
} crn_surface;

CRN_INLINE void crn_surface_add(crn_surface *surface, uint32_t cost)
{
    if (!cost) return;
    if (!surface->least || cost < surface->least) surface->least = cost;
    if (cost > surface->most) surface->most = cost;
}

/* Everything that follows from the ground: of the cells that are used, or of the whole grid now. */
void crn_grid_space_learn_surface(crn_grid_space *space, const crn_surface *surface);

/* What it knows of all costs and heights of its cells; after changes of heights. */
void crn_grid_space_learn_costs(crn_grid_space *space);
void crn_grid_space_learn_rises(crn_grid_space *space, const cairn_change *changes, uint32_t count);

/* Makes and keeps space->runs; only for eight neighbours. No other thread may use the space
 * meanwhile. */
cairn_status crn_grid_space_keep_runs(crn_grid_space *space);

/* Reachability (reach.c): the functions of a space. */
uint64_t crn_grid_component(const cairn_space *space, cairn_node node);
bool crn_grid_directed(const cairn_space *space);
bool crn_grid_nearest(const cairn_space *space, crn_nearest *search);
cairn_node crn_grid_pick(const cairn_space *space, uint64_t component, crn_rng *rng);
bool crn_grid_components(const cairn_space *space, uint32_t *count, uint32_t *largest);

/* Measures and neighbourhoods (grid_measure.c): the functions of a space. */
void crn_grid_box_add(const cairn_space *space, cairn_node node, crn_box *box);
bool crn_grid_admissible(const cairn_space *space, cairn_heuristic heuristic);
bool crn_grid_consistent(const cairn_space *space, cairn_heuristic heuristic);
bool crn_grid_uniform(const cairn_space *space);
double crn_grid_length(const cairn_space *space, const crn_path_sums *sums);
uint32_t crn_grid_next_to(const cairn_space *space, cairn_node goal, uint32_t *at, cairn_node *out);
uint32_t crn_grid_within(const cairn_space *space, cairn_node goal, double radius, uint32_t *at,
                         cairn_node *out);

/* The edges that lead to a cell (grid_back.c): a function of a space. */
uint32_t crn_grid_expand_back(const cairn_space *space, cairn_node node, uint32_t first,
                              cairn_edge *out, uint32_t capacity);

/* The checker (validate.c). */
uint64_t crn_grid_validate(const cairn_space *space, cairn_fault_report *report, void *user);

/* Copies a space, but not its holders: another thread may count them at the same time. */
CRN_INLINE void crn_grid_space_copy(crn_grid_space *to, const crn_grid_space *from)
{
    size_t before = offsetof(crn_grid_space, base.holders),
           after = before + sizeof from->base.holders;
    memcpy(to, from, before);
    memcpy((char *)to + after, (const char *)from + after, sizeof *to - after);
}

#endif
