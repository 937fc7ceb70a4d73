/* best_first_sight.c: the loop with lines of sight. See best_first_sight.h. */
#include "search/best_first_sight.h"
#include "path/sight.h"
#include "search/best_first_run.h"

/* cells of visibility tests in a unit of work; the rest of a node's edges comes later */
#define SIGHT_FAR 1024u

static const crn_page *sight_look(const crn_best_first *bf, cairn_node node, uint32_t *slot)
{
    return bf->table[best_first_any_locate((crn_place){node}, slot)];
}

static cairn_cost sight_known_cost(const crn_best_first *bf, cairn_node node)
{
    uint32_t slot;
    const crn_page *page = sight_look(bf, node, &slot);
    return page ? page->g[slot] : CAIRN_NO_COST;
}

static const crn_space_link *sight_link(const crn_best_first *bf, cairn_node parent,
                                        cairn_node node)
{
    const crn_grid_space *map = crn_grid_space_of(bf->space);
    const crn_space_link *link =
        map->links.count ? crn_links_between(&map->links, parent, node) : NULL;
    if (!link) return NULL;
    uint64_t paid = (uint64_t)sight_known_cost(bf, node) - sight_known_cost(bf, parent);
    if (paid != link->cost) return NULL;
    crn_point a = crn_point_of(map, parent), b = crn_point_of(map, node);
    return crn_sight_cost(map, a, b) == paid && crn_sight_or_step(map, a, b) ? NULL : link;
}

/* Finds the cheapest path by a step from a neighbour that was expanded. One of them has relaxed
 * this node, so there is one. A link that was refused because a line was assumed to be cheaper is
 * forgotten: links that lead here are not kept. So such a path may be more expensive than that of
 * Theta*, but it is legal. */
static crn_arrival sight_nearest(const crn_best_first *bf, crn_point point)
{
    const crn_grid_space *map = crn_grid_space_of(bf->space);
    crn_arrival best = {CAIRN_NO_NODE, UINT64_MAX};
    uint32_t moves = crn_grid_moves(map, (uint32_t)point.cell.x, (uint32_t)point.cell.y);
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        if (!(moves >> crn_opposite[d] & 1)) continue;
        cairn_cell cell = {point.cell.x - crn_dx[d], point.cell.y - crn_dy[d]};
        cairn_node beside = (cairn_node)cell.y * map->grid->width + (cairn_node)cell.x;
        uint32_t slot;
        const crn_page *page = sight_look(bf, beside, &slot);
        if (!page || !(page->mark[slot] & CRN_MARK_CLOSED) || page->g[slot] >= best.cost) continue;
        if (map->limited && crn_grid_walk_cost(map, beside, point.node) == CAIRN_NO_COST) continue;
        uint64_t cost = page->g[slot] + crn_sight_cost(map, (crn_point){beside, cell}, point);
        if (cost < best.cost) best = (crn_arrival){beside, cost};
    }
    return best;
}

/* Did a link lead here? */
static bool sight_linked(const crn_best_first *bf, cairn_node parent, cairn_node node)
{
    return crn_grid_space_of(bf->space)->links.count && sight_link(bf, parent, node);
}

static crn_arrival sight_arrival(const crn_best_first *bf, cairn_node node)
{
    const crn_grid_space *map = crn_grid_space_of(bf->space);
    uint32_t slot;
    const crn_page *page = sight_look(bf, node, &slot);
    crn_arrival believed = {page->parent[slot], page->g[slot]};
    if (believed.parent == CAIRN_NO_NODE || sight_linked(bf, believed.parent, node))
        return believed;
    crn_point point = crn_point_of(map, node);
    if (crn_sight_or_step(map, crn_point_of(map, believed.parent), point)) return believed;
    return sight_nearest(bf, point);
}

/* ---- the loop ---- */

BEST_FIRST_INSTANCE(sight_heap, SIGHT, HEAP, ASKED)

/* ---- edges ---- */

/* Returns where lines to the neighbours of a node may begin: at its parent, or at the node
 * itself. */
static cairn_node sight_origin(const crn_best_first *bf, cairn_node node, cairn_node parent)
{
    if (parent == CAIRN_NO_NODE || !crn_ground_same(crn_grid_space_of(bf->space), parent, node) ||
        sight_linked(bf, parent, node)) {
        return node;
    }
    return parent;
}

/* The node that is being expanded, and where lines to its neighbours begin. */
typedef struct sight_expansion {
    const crn_grid_space *map;
    crn_point node, origin;
    cairn_cost g, origin_g;
    bool eager;
    uint32_t far; /* cells of visibility tests so far */
} sight_expansion;

/* Relaxes a neighbour by a line from the origin, if there may be one, else by a step. The line is
 * no more expensive than the step, so if the line is no improvement, neither is the step. */
static void sight_edge(crn_best_first *bf, sight_expansion *sighting, crn_point to)
{
    uint32_t slot;
    crn_place place = {to.node};
    crn_page *page = best_first_any_page(bf, place, &slot);
    if (page->mark[slot] & CRN_MARK_CLOSED) return;
    bool line = sighting->origin.node != sighting->node.node &&
                crn_ground_same(sighting->map, sighting->origin.node, to.node);
    if (line) {
        uint64_t cost = sighting->origin_g + crn_sight_cost(sighting->map, sighting->origin, to);
        if (cost >= page->g[slot]) return;
        if (sighting->eager) {
            bf->lines++;
            sighting->far += crn_sight_reach(sighting->origin, to);
            line = crn_sight(sighting->map, sighting->origin, to);
        }
        if (line) {
            best_first_relax(bf, &best_first_sight_heap_plugs, page, slot, place,
                             sighting->origin.node, cost);
            return;
        }
    }
    uint64_t cost = sighting->g + crn_sight_cost(sighting->map, sighting->node, to);
    best_first_relax(bf, &best_first_sight_heap_plugs, page, slot, place, sighting->node.node,
                     cost);
}

/* Relaxes the links that leave a node, from one of them on. Returns true if some are left. */
static bool sight_links(crn_best_first *bf, const sight_expansion *sighting, uint32_t from)
{
    const crn_links *links = &sighting->map->links;
    cairn_node node = sighting->node.node;
    if (!links->count) return false;
    uint32_t first = crn_links_first(links, node) + from;
    for (uint32_t i = first; i < links->count && links->links[i].from == node; i++) {
        if (i - first == BEST_FIRST_SMALL_BATCH) return true;
        best_first_edge(bf, &best_first_sight_heap_plugs, (crn_place){node}, sighting->g,
                        (cairn_edge){links->links[i].to, links->links[i].cost});
    }
    return false;
}

/* Relaxes steps in the order of directions, then links. Testing many cells ends the unit of
 * work. */
static void sight_edges(crn_best_first *bf, crn_place place, cairn_cost g)
{
    const crn_grid_space *map = crn_grid_space_of(bf->space);
    uint32_t slot, origin_slot, width = map->grid->width, first = bf->pending_edge;
    crn_point node = crn_point_of(map, place.value);
    uint32_t x = (uint32_t)node.cell.x, y = (uint32_t)node.cell.y;
    crn_page *page = best_first_any_page(bf, place, &slot);
    cairn_node origin = sight_origin(bf, place.value, page->parent[slot]);
    sight_expansion sighting = {.map = map,
                                .node = node,
                                .origin = crn_point_of(map, origin),
                                .g = g,
                                .eager = bf->settings.sight == CRN_SIGHT_EAGER};
    sighting.origin_g = best_first_any_page(bf, (crn_place){origin}, &origin_slot)->g[origin_slot];
    /* Its line may cost a unit more than a diagonal step. */
    if (CRN_UNLIKELY((uint64_t)sighting.g + 1 >= bf->overflow) && !first)
        crn_best_first_note_cell_overflow(bf, sighting.g + 1, place);
    uint32_t moves = first < CRN_DIRECTIONS ? crn_grid_moves(map, x, y) & ~0u << first : 0;
    if (map->limited && moves) moves = crn_grid_limit_moves(map, x, y, moves);
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        if (sighting.far > SIGHT_FAR) {
            best_first_put_off(bf, place, d);
            return;
        }
        cairn_node to = (cairn_node)(place.value + crn_dy[d] * (int64_t)width + crn_dx[d]);
        cairn_cell cell = {node.cell.x + crn_dx[d], node.cell.y + crn_dy[d]};
        sight_edge(bf, &sighting, (crn_point){to, cell});
    }
    uint32_t links = first > CRN_DIRECTIONS ? first - CRN_DIRECTIONS : 0;
    if (sight_links(bf, &sighting, links))
        best_first_put_off(bf, place, CRN_DIRECTIONS + links + BEST_FIRST_SMALL_BATCH);
}

/* Lazy Theta*: a node is about to be expanded, so its parent must see it, or another node becomes
 * its parent. False if it is now too expensive: it waits for a cheaper path. */
static bool sight_settle(crn_best_first *bf, crn_page *page, uint32_t slot, crn_place place,
                         cairn_cost *g)
{
    if (bf->settings.sight != CRN_SIGHT_LAZY) return true;
    if (page->parent[slot] == CAIRN_NO_NODE) return true;
    crn_arrival arrival = sight_arrival(bf, place.value);
    bf->lines++;
    if (arrival.parent == page->parent[slot]) return *g <= bf->limit;
    page->parent[slot] = arrival.parent;
    if (arrival.cost > CAIRN_COST_MAX) {
        page->mark[slot] |= CRN_MARK_OVERFLOWED;
        bf->overflowed++;
        arrival.cost = CAIRN_NO_COST;
    }
    *g = page->g[slot] = (cairn_cost)arrival.cost;
    if (bf->search->traced) crn_best_first_trace(bf, CAIRN_EVENT_UPDATE, place);
    return *g <= bf->limit;
}

const crn_best_first_lines crn_best_first_lines_of_sight = {.loop = best_first_sight_heap,
                                                            .edges = sight_edges,
                                                            .settle = sight_settle,
                                                            .arrival = sight_arrival,
                                                            .link = sight_link};

cairn_status crn_best_first_sight_create(cairn_planner *planner, crn_sight_kind sight,
                                         cairn_error *error)
{
    const crn_settings preset = {.open = CRN_OPEN_HEAP,
                                 .keep = CRN_KEEP_CHEAPEST_OPEN,
                                 .heuristic = CAIRN_HEURISTIC_EUCLIDEAN,
                                 .cost_weight = 1,
                                 .estimate_weight = 256,
                                 .sight = sight,
                                 .lines = &crn_best_first_lines_of_sight};
    return crn_best_first_create(planner, &preset, error);
}
