/* best_first_loops.c: the instances of the best-first loop, the choice of the one for a query, and
 * the functions that they call seldom.
 *
 * The loop itself is in best_first_run.h, with its story. Uniform grids with buckets, by far the
 * most frequent case, have a loop of their own (best_first_uniform.c). The loop with lines of sight
 * is in best_first_sight.c, where it is used, so that a program without it does not contain it.
 */
#include "heuristic/landmarks.h"
#include "search/best_first_run.h"

/* ---- keys ---- */

uint32_t crn_best_first_tie(const crn_best_first *bf, cairn_cost g)
{
    switch (bf->settings.tie) {
    case CRN_TIE_LARGE_G: return ~g;
    case CRN_TIE_SMALL_G: return g;
    case CRN_TIE_FIRST_IN: return bf->heap.pushed;
    default: return 0; /* the lists themselves prefer the last in */
    }
}

uint64_t crn_best_first_estimate(const crn_best_first *bf, crn_place place)
{
    return crn_estimate_node(&bf->estimate, best_first_node(bf, place));
}

/* The cost of an edge from one node to another among the first ones, CAIRN_NO_COST if there is
 * none. */
static cairn_cost best_first_edge_cost(const crn_best_first *bf, cairn_node from, cairn_node to)
{
    cairn_edge edges[BEST_FIRST_SMALL_BATCH];
    cairn_cost cost = CAIRN_NO_COST;
    uint32_t count =
        bf->space->functions->expand(bf->space, from, 0, edges, BEST_FIRST_SMALL_BATCH);
    for (uint32_t i = 0; i < count; i++)
        if (edges[i].node == to && edges[i].cost < cost) cost = edges[i].cost;
    return cost;
}

CRN_NOINLINE uint64_t crn_best_first_lift(const crn_best_first *bf, crn_place place, cairn_cost g)
{
    cairn_edge edges[BEST_FIRST_SMALL_BATCH];
    cairn_node node = best_first_node(bf, place);
    uint64_t h = crn_estimate_node(&bf->estimate, node);
    uint32_t count =
        bf->space->functions->expand(bf->space, node, 0, edges, BEST_FIRST_SMALL_BATCH);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t beside = crn_estimate_node(&bf->estimate, edges[i].node);
        if (beside <= h) continue;
        cairn_cost back = best_first_edge_cost(bf, edges[i].node, node);
        if (back != CAIRN_NO_COST && beside > h + back) h = beside - back;
    }
    return best_first_key(bf, g, h);
}

/* ---- what the loop reports ---- */

void crn_best_first_note_goal(crn_best_first *bf, crn_place place, cairn_cost g)
{
    if (bf->goal_found && g >= bf->goal_cost) return;
    bf->goal_found = true;
    bf->goal = place;
    bf->goal_cost = g;
    if (bf->settings.open == CRN_OPEN_BUCKETS || bf->bands) bf->bound = best_first_key(bf, g, 0);
    bf->watch = bf->calm = 0;
}

cairn_status crn_best_first_ended(crn_best_first *bf)
{
    if (bf->goal_found) {
        bf->search->reached_goal = best_first_node(bf, bf->goal);
        return CAIRN_FOUND;
    }
    return bf->overflowed && !bf->search->query.max_cost ? CAIRN_COST_OVERFLOW : CAIRN_UNREACHABLE;
}

CRN_NOINLINE void crn_best_first_note_overflow(crn_best_first *bf, cairn_cost g,
                                               const cairn_edge *edges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot;
        crn_page *page = best_first_page(bf, best_first_place(bf, edges[i].node), &slot);
        bool fresh = !(page->mark[slot] & (CRN_MARK_SEEN | CRN_MARK_OVERFLOWED));
        if (!fresh || (uint64_t)g + edges[i].cost <= CAIRN_COST_MAX) continue;
        page->mark[slot] |= CRN_MARK_OVERFLOWED;
        bf->overflowed++;
    }
}

CRN_NOINLINE void crn_best_first_note_cell_overflow(crn_best_first *bf, cairn_cost g,
                                                    crn_place place)
{
    enum { BATCH = 64 };
    cairn_edge edges[BATCH];
    for (uint32_t first = 0, count = BATCH; count == BATCH; first += count) {
        count = bf->space->functions->expand(bf->space, best_first_node(bf, place), first, edges,
                                             BATCH);
        crn_best_first_note_overflow(bf, g, edges, count);
    }
}

void crn_best_first_trace(crn_best_first *bf, cairn_event_kind kind, crn_place place)
{
    uint32_t slot;
    crn_page *page = best_first_page(bf, place, &slot);
    uint32_t move = bf->map ? page->mark[slot] : page->parent[slot];
    crn_trace(bf->search, kind, best_first_node(bf, place), best_first_parent(bf, place, move),
              page->g[slot], crn_saturate(crn_best_first_estimate(bf, place)));
}

CRN_NOINLINE void crn_best_first_report(const crn_best_first *bf, crn_place place, uint32_t move,
                                        uint32_t mark, cairn_cost g)
{
    cairn_event_kind kind = !(mark & CRN_MARK_SEEN)  ? CAIRN_EVENT_GENERATE
                            : mark & CRN_MARK_CLOSED ? CAIRN_EVENT_REOPEN
                                                     : CAIRN_EVENT_UPDATE;
    crn_trace(bf->search, kind, best_first_node(bf, place), best_first_parent(bf, place, move), g,
              crn_saturate(crn_best_first_estimate(bf, place)));
}

/* The estimates from the nearest and from the farthest cell of a tile to a box. */
typedef struct best_first_reach {
    uint64_t least, most;
} best_first_reach;

static best_first_reach best_first_tile_reach(const crn_best_first *bf, int32_t x, int32_t y,
                                              crn_gate box)
{
    const int32_t side = (int32_t)CRN_TILE_SIDE - 1;
    uint32_t dx = crn_outside(x, box.left - side, box.right),
             dy = crn_outside(y, box.top - side, box.bottom);
    uint32_t far_x = crn_max_u32(crn_outside(x, box.left, box.right),
                                 crn_outside(x + side, box.left, box.right));
    uint32_t far_y = crn_max_u32(crn_outside(y, box.top, box.bottom),
                                 crn_outside(y + side, box.top, box.bottom));
    uint64_t straight = bf->straight, shortcut = bf->shortcut;
    return (best_first_reach){straight * (dx + dy) - shortcut * crn_min_u32(dx, dy) + box.rest,
                              straight * (far_x + far_y) - shortcut * crn_min_u32(far_x, far_y) +
                                  box.rest};
}

/* The gates that may decide the estimate of a cell of a tile: not those that another one, or
 * walking, beats at each of its cells. */
static uint64_t best_first_tile_gates(const crn_best_first *bf, uint32_t origin)
{
    const crn_box *box = &bf->estimate.box;
    int32_t x = (int32_t)(origin & 0xffff), y = (int32_t)(origin >> 16);
    crn_gate goal = {box->left, box->top, box->right, box->bottom, 0};
    uint64_t enough = best_first_tile_reach(bf, x, y, goal).most, found = 0;
    for (uint32_t i = 0; i < box->gate_count; i++) {
        uint64_t most = best_first_tile_reach(bf, x, y, box->gates[i]).most;
        enough = most < enough ? most : enough;
    }
    for (uint32_t i = 0; i < box->gate_count; i++) {
        if (best_first_tile_reach(bf, x, y, box->gates[i]).least <= enough)
            found |= UINT64_C(1) << i;
    }
    return found;
}

static CRN_NOINLINE crn_page *best_first_touch_gates(const crn_best_first *bf, crn_page *page)
{
    page->gates = best_first_tile_gates(bf, page->origin);
    return page;
}

CRN_NOINLINE crn_page *crn_best_first_touch(crn_best_first *bf, uint32_t number)
{
    crn_page *page = crn_records_touch(bf->records, number);
    if (page == bf->records->spare && bf->left) { /* no memory: this expansion is the last */
        bf->work -= bf->left - 1;
        bf->expanded -= bf->left - 1;
        bf->left = 1;
    }
    page->origin = (number / bf->tile_columns << 16 | number % bf->tile_columns) * CRN_TILE_SIDE;
    if (bf->reads_ahead) crn_landmarks_read_ahead(&bf->estimate, number);
    return CRN_LIKELY(!bf->estimate.box.gate_count) ? page : best_first_touch_gates(bf, page);
}

/* ---- the instances ---- */

CRN_NOINLINE void crn_best_first_improve_fully(crn_best_first *bf, const best_first_plugs *plugs,
                                               const best_first_step *step)
{
    best_first_improve_as(bf, plugs, step->page, step->slot, step->place, step->move, step->g,
                          true);
}

BEST_FIRST_INSTANCE(uniform_heap, UNIFORM, HEAP, OCTILE)
BEST_FIRST_INSTANCE(refined_heap, UNIFORM, HEAP, REFINED)
BEST_FIRST_INSTANCE(gated_heap, UNIFORM, HEAP, GATED)
BEST_FIRST_INSTANCE(grid_buckets, GRID, BUCKETS, ASKED)
BEST_FIRST_INSTANCE(grid_heap, GRID, HEAP, ASKED)
BEST_FIRST_INSTANCE(abstract_buckets, ABSTRACT, BUCKETS, DISTANCE)
BEST_FIRST_INSTANCE(gated_buckets, ABSTRACT, BUCKETS, ASKED)
BEST_FIRST_INSTANCE(watched_buckets, WATCHED, BUCKETS, ASKED)
BEST_FIRST_INSTANCE(any_buckets, ANY, BUCKETS, ASKED)
BEST_FIRST_INSTANCE(any_heap, ANY, HEAP, ASKED)
BEST_FIRST_INSTANCE(any_chain, ANY, CHAIN, ASKED)
BEST_FIRST_INSTANCE(any_plug, ANY, PLUG, ASKED)

crn_loop *crn_best_first_choose(crn_best_first *bf)
{
    crn_open_kind open = bf->settings.open;
    if (bf->settings.lines) return bf->settings.lines->loop;
    if (best_first_is_chain(bf)) return best_first_any_chain;
    if (best_first_is_plugged(bf)) return best_first_any_plug;
    bool buckets = open == CRN_OPEN_BUCKETS;
    if (bf->view && buckets) {
        if (bf->traced) return best_first_watched_buckets;
        return bf->view->gates ? best_first_gated_buckets : best_first_abstract_buckets;
    }
    if (!bf->map) return buckets ? best_first_any_buckets : best_first_any_heap;
    if (best_first_by_entry(bf)) return crn_best_first_choose_uniform(bf);
    /* On a heap, plugs whose keys do not fall take every move, not only those in canonical
     * order. */
    bool canonical = bf->bands || !bf->estimate.refine;
    if (best_first_is_uniform(bf) && bf->estimate.metric == CAIRN_HEURISTIC_OCTILE && canonical) {
        if (bf->estimate.box.gate_count) return best_first_gated_heap;
        return bf->estimate.refine ? best_first_refined_heap : best_first_uniform_heap;
    }
    return buckets ? best_first_grid_buckets : best_first_grid_heap;
}
