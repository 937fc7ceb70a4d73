/* astar_turns.c: A* with turns=fewest: of all cheapest paths, one with the fewest turns.
 *
 * On a grid there are often many cheapest paths, and which of them A* returns is chance: it may
 * wind along a diagonal where one bend would do. This search has three parts.
 * 1. A*, which does not stop at the goal, but expands every node whose f is no more than the cost
 *    of the path. Then the cost of every node on every cheapest path is known.
 * 2. From the goals back, by falling cost, over all edges that cheapest paths may use: those along
 *    which costs differ by what the edge costs. For each node it finds the fewest turns from there
 *    to a goal, and which first steps have them. A path that leaves a node in another direction
 *    than it arrived turns there. So what matters of a first step is only whether it has the fewest
 *    turns: one that has more is never better than to turn at once. A number and a set of
 *    directions are all that a node needs.
 * 3. From the start along these steps: straight on where that is one of them. The path is written
 *    into the records, from which it is read like any other.
 *
 * A link is no step: nothing turns where it begins or ends. Costs are never more than those of A*:
 * the promise is the fewest turns of all cheapest paths, not of all paths. Without a goal only the
 * first part is done.
 *
 * Refused are worlds without directions (graphs, views, and so queries with a filter), estimates of
 * a query's own, which may exceed the rest and so hide cheapest paths, and all other parameters of
 * A*: the open list is a heap, whose order does not matter.
 *
 * It takes the time of A* that expands all nodes as good as the path, with a heap, and of a second
 * look at the nodes on cheapest paths; 12 bytes more for each node.
 */
#include "search/astar.h"
#include "search/own_search.h"
#include "open/heap.h"
#include "path/line.h"
#include "world/grid_space.h"

/* Bits of a set of first steps: a step (dx, dy) is bit 3 (dx + 1) + dy + 1, and two more. */
enum { TURNS_BY_LINK = 1u << 9, TURNS_HERE = 1u << 10, TURNS_ANY = (1u << 9) - 1 };

typedef enum turns_part { TURNS_SEARCH, TURNS_BACK, TURNS_FORTH } turns_part;

/* What is known of a node on a cheapest path. */
typedef struct turns_note {
    uint32_t turns; /* from here to a goal, at least; each first step of the set has them */
    uint32_t first; /* 0 = it is on none */
    uint32_t link;  /* where the link of the set leads */
} turns_note;

typedef struct turns_search {
    crn_own own;
    turns_part part;
    size_t marked;   /* goals that part 2 has begun with */
    cairn_node node; /* being worked on */
    uint32_t edge;   /* part 2: the next edge that leads to it; UINT32_MAX = none is left */
    uint32_t bit;    /* part 3: the direction of the last step, or TURNS_ANY */
    crn_heap back;   /* part 2: nodes on cheapest paths, the most expensive first */
} turns_search;

static const crn_own_plan turns_plan = {.size = sizeof(turns_search),
                                        .open = &crn_open_heap,
                                        .extra = sizeof(turns_note),
                                        .until_empty = true};

static cairn_status turns_open(cairn_search *search)
{
    cairn_status status = crn_own_open(search, &turns_plan);
    turns_search *t = search->scratch;
    if (t) crn_heap_open(&t->back, &search->memory);
    return status;
}

static void turns_close(cairn_search *search)
{
    turns_search *t = search->scratch;
    if (t) crn_heap_close(&t->back);
    crn_own_close(search);
}

static cairn_status turns_begin(cairn_search *search)
{
    turns_search *t = search->scratch;
    t->part = TURNS_SEARCH;
    t->marked = 0;
    t->edge = UINT32_MAX;
    crn_heap_reset(&t->back);
    if (search->query.estimate) return CAIRN_UNSUPPORTED;
    return crn_own_begin(search, NULL, search->space->default_heuristic);
}

/* The known cost; CAIRN_NO_COST if there is none. */
static cairn_cost turns_cost(crn_own *own, cairn_node node)
{
    uint32_t slot;
    return crn_own_page(own, node, &slot)->g[slot];
}

/* ---- 1: the search ---- */

/* Is every node expanded that is as good as the path? */
static bool turns_is_enough(const crn_own *own)
{
    crn_open_entry next;
    bool expanding = own->is_pending && own->pending_edge != UINT32_MAX;
    return own->goal_found && !expanding && own->plan->open->least(own->list, &next) &&
           next.key > own->goal_cost;
}

static cairn_status turns_expand(turns_search *t)
{
    crn_own *own = &t->own;
    crn_own_batch batch;
    if (turns_is_enough(own)) {
        own->work++;
        return CAIRN_FOUND;
    }
    cairn_status status = crn_own_next(own, &batch);
    for (uint32_t i = 0; i < batch.count; i++) {
        cairn_node to = batch.edges[i].node;
        uint64_t g = (uint64_t)batch.g + batch.edges[i].cost;
        if (g >= turns_cost(own, to)) continue; /* most are known: no estimate is needed */
        uint64_t f = g + crn_own_estimate(own, to);
        if (own->goal_found && f > own->goal_cost) continue;
        if (crn_own_relax(own, batch.state, to, g)) crn_own_push(own, to, f, ~(uint32_t)g);
    }
    return status;
}

/* ---- 2: back from the goals ---- */

/* The step from one cell to another one beside it, as a bit; a link has its own. */
static uint32_t turns_bit(const crn_grid_space *map, cairn_node from, cairn_node to)
{
    if (map->links.count && crn_links_used(map, from, to)) return TURNS_BY_LINK;
    cairn_cell a = cairn_grid_cell(map->grid, from), b = cairn_grid_cell(map->grid, to);
    if (map->hex) {
        a = crn_line_to_axial(a);
        b = crn_line_to_axial(b);
    }
    return 1u << (3 * (b.x - a.x + 1) + (b.y - a.y + 1));
}

/* A node is on a cheapest path: with these turns to the goal if its first step is this one. */
static void turns_note_step(turns_search *t, cairn_node node, turns_note found)
{
    turns_note *note = crn_own_extra(&t->own, node);
    if (!note->first) crn_heap_push(&t->back, ~turns_cost(&t->own, node), 0, node);
    if (!note->first || found.turns < note->turns) {
        *note = found;
    } else if (found.turns == note->turns) {
        if (found.first == TURNS_BY_LINK && !(note->first & TURNS_BY_LINK)) note->link = found.link;
        note->first |= found.first;
    }
}

/* Begins with the goals that are as near as the nearest one: some of them at a time. */
static void turns_begin_back(turns_search *t)
{
    enum { GOALS = 24 };
    const cairn_search *search = t->own.search;
    for (uint32_t i = 0; i < GOALS && t->marked < search->goal_count; i++, t->marked++) {
        cairn_node goal = search->goals[t->marked];
        if (turns_cost(&t->own, goal) == t->own.goal_cost)
            turns_note_step(t, goal, (turns_note){.first = TURNS_ANY | TURNS_HERE});
    }
}

/* The edges that lead to a node, a batch at a time: those that cheapest paths may use. */
static void turns_look_back(turns_search *t)
{
    cairn_edge edges[CRN_OWN_BATCH];
    const cairn_space *space = t->own.search->space;
    const crn_grid_space *map = crn_grid_space_of(space);
    turns_note here = *(const turns_note *)crn_own_extra(&t->own, t->node);
    cairn_cost g = turns_cost(&t->own, t->node);
    uint32_t count = crn_grid_expand_back(space, t->node, t->edge, edges, CRN_OWN_BATCH);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node from = edges[i].node;
        if ((uint64_t)turns_cost(&t->own, from) + edges[i].cost != g) continue;
        uint32_t bit = turns_bit(map, from, t->node);
        bool straight = bit == TURNS_BY_LINK || here.first & (bit | TURNS_BY_LINK | TURNS_HERE);
        turns_note_step(t, from, (turns_note){here.turns + !straight, bit, t->node});
    }
    t->edge = count == CRN_OWN_BATCH ? t->edge + CRN_OWN_BATCH : UINT32_MAX;
}

/* One unit of work. True when the start, which costs least, is reached. */
static bool turns_back(turns_search *t)
{
    if (t->marked < t->own.search->goal_count) {
        turns_begin_back(t);
        return false;
    }
    if (t->edge == UINT32_MAX) {
        if (!crn_heap_pop(&t->back, &t->node)) return true;
        t->edge = 0;
    }
    turns_look_back(t);
    return false;
}

/* ---- 3: forth from the start ---- */

static cairn_node turns_step(const crn_grid_space *map, cairn_node from, uint32_t bit)
{
    int32_t number = (int32_t)crn_lowest_bit(bit);
    cairn_cell cell = cairn_grid_cell(map->grid, from);
    if (map->hex) cell = crn_line_to_axial(cell);
    cell.x += number / 3 - 1;
    cell.y += number % 3 - 1;
    if (map->hex) cell = crn_line_from_axial(cell);
    return cairn_grid_node(map->grid, cell.x, cell.y);
}

/* Some steps. True at the goal. */
static bool turns_forth(turns_search *t)
{
    enum { STEPS = 64 };
    const crn_grid_space *map = crn_grid_space_of(t->own.search->space);
    for (uint32_t i = 0; i < STEPS; i++) {
        const turns_note *note = crn_own_extra(&t->own, t->node);
        uint32_t slot, bit = note->first & t->bit ? note->first & t->bit : note->first;
        if (note->first & TURNS_HERE) {
            t->own.goal = t->node;
            return true;
        }
        if (!(note->first & t->bit & TURNS_ANY) && note->first & TURNS_BY_LINK) bit = TURNS_BY_LINK;
        bit &= 0 - bit;
        cairn_node next = bit == TURNS_BY_LINK ? note->link : turns_step(map, t->node, bit);
        crn_own_page(&t->own, next, &slot)->parent[slot] = t->node;
        t->bit = bit == TURNS_BY_LINK ? TURNS_ANY : bit;
        t->node = next;
    }
    return false;
}

/* ---- all of it ---- */

/* The part is done: the next one begins. */
static cairn_status turns_next_part(turns_search *t)
{
    if (t->part == TURNS_FORTH || t->own.search->query.goal_kind == CAIRN_GOAL_NONE)
        return CAIRN_FOUND;
    t->part++;
    t->node = t->own.search->query.from;
    t->edge = UINT32_MAX;
    t->bit = TURNS_ANY;
    return CAIRN_RUNNING;
}

static cairn_status turns_step_search(cairn_search *search, uint64_t work)
{
    turns_search *t = search->scratch;
    cairn_status status = CAIRN_RUNNING;
    for (; work && status == CAIRN_RUNNING; work--) {
        bool done;
        if (t->part == TURNS_SEARCH) {
            status = turns_expand(t);
            done = status == CAIRN_FOUND;
        } else {
            t->own.work++;
            done = t->part == TURNS_BACK ? turns_back(t) : turns_forth(t);
            if (search->memory.failed) status = CAIRN_OUT_OF_MEMORY;
        }
        if (done && status != CAIRN_OUT_OF_MEMORY) status = turns_next_part(t);
    }
    status = crn_own_pause(&t->own, status);
    search->metrics.peak_bytes += crn_heap_bytes(&t->back);
    return status;
}

static const crn_algorithm turns_algorithm = {
    .info = CRN_ASTAR_INFO,
    .variant_of = &crn_algorithm_astar,
    .create = crn_astar_turns_create,
    .destroy = crn_own_destroy,
    .open = turns_open,
    .close = turns_close,
    .begin = turns_begin,
    .step = turns_step_search,
    .path_to = crn_own_path_to,
    .cost_to = crn_own_cost_to,
    .closest = crn_own_closest,
    .reached = crn_own_reached,
};

cairn_status crn_astar_turns_create(cairn_planner *planner, cairn_error *error)
{
    if (planner->space->world != CAIRN_WORLD_GRID)
        return crn_fail(error, CAIRN_UNSUPPORTED, 0, "turns=fewest needs the directions of a grid");
    for (uint32_t i = 0; i + 1 < CRN_ASTAR_PARAMETERS; i++) {
        if (planner->parameters[i] != crn_astar_parameters[i].default_value)
            return crn_fail(error, CAIRN_UNSUPPORTED, 0, "turns=fewest does not go with %s",
                            crn_astar_parameters[i].name);
    }
    planner->algorithm = &turns_algorithm;
    return crn_own_create_optimal(planner, error);
}
