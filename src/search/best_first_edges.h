/* best_first_edges.h: relaxes the neighbours of a node, for each kind of space. See
 * best_first_plugs.h.
 *
 * A node may have many edges, and a cell many links. A batch of them is one unit of work, and the
 * loop comes back for the rest (bf->is_pending, bf->pending_edge).
 */
#ifndef CRN_BEST_FIRST_EDGES_H
#define CRN_BEST_FIRST_EDGES_H

#include "search/best_first_plugs.h"

#define BEST_FIRST_LINKS 8u /* each may lead to a tile that is new, for which gates are chosen */

/* The node's other edges come later. */
CRN_INLINE void best_first_put_off(crn_best_first *bf, crn_place place, uint32_t edge)
{
    bf->is_pending = true;
    bf->pending = place;
    bf->pending_edge = edge;
}

/* ---- cells ---- */

/* Was the first path to a cell that from a node, where the first one is kept? */
static inline bool best_first_first_from(const crn_best_first *bf, const crn_page *page,
                                         uint32_t slot, crn_place place, cairn_node node)
{
    return bf->settings.keep == CRN_KEEP_FIRST && page->mark[slot] & CRN_MARK_SEEN &&
           best_first_parent(bf, place, page->mark[slot]) == node;
}

/* A link that leaves a node. The record of a cell has no room for the link that led there, so
 * that is kept by target. A link is taken only if it makes the cell cheaper, and never if a step is
 * as cheap. Paths are read by the same rule (crn_links_used), and the step may be one that the
 * canonical order leaves out. Where the first path to a cell is kept, that means: of the step and
 * the link from the same node the cheaper one. */
static void best_first_link_edge(crn_best_first *bf, const best_first_plugs *plugs, uint32_t number,
                                 cairn_cost g)
{
    const crn_space_link *link = &bf->map->links.links[number];
    if (link->cost >= crn_grid_walk_cost(bf->map, link->from, link->to)) return;
    crn_place place = best_first_place(bf, link->to);
    uint32_t slot, *came = &bf->came[link->target], before = *came;
    crn_page *page = best_first_grid_page(bf, place, &slot);
    cairn_cost known = crn_record_cost(page, slot);
    uint64_t cost = (uint64_t)g + link->cost;
    bool first = best_first_first_from(bf, page, slot, place, link->from);
    *came = number;
    if (!first) {
        best_first_relax(bf, plugs, page, slot, place, CRN_BY_LINK, cost);
    } else if (cost < known) {
        plugs->improve(bf, page, slot, place, CRN_BY_LINK, (cairn_cost)cost);
    }
    if (crn_record_cost(page, slot) == known) *came = before;
}

/* The links of a cell from one of them on: a batch. Links are rare, so one function serves all
 * instances. */
static CRN_NOINLINE void best_first_link_batch(crn_best_first *bf, const best_first_plugs *plugs,
                                               crn_place from, cairn_cost g, uint32_t number)
{
    const crn_links *links = &bf->map->links;
    cairn_node node = best_first_node(bf, from);
    uint32_t end = crn_min_u32(number + BEST_FIRST_LINKS, links->count);
    for (; number < end && links->links[number].from == node; number++)
        best_first_link_edge(bf, plugs, number, g);
    if (number == end && end < links->count && links->links[end].from == node)
        best_first_put_off(bf, from, end);
}

/* The links of a cell, or the first batch of them. */
CRN_INLINE void best_first_link_edges(crn_best_first *bf, const best_first_plugs *plugs,
                                      crn_place from, cairn_cost g)
{
    const crn_links *links = &bf->map->links;
    if (!crn_bit(&links->from, (int32_t)(from.value & 0xffff), (int32_t)(from.value >> 16))) return;
    best_first_link_batch(bf, plugs, from, g, crn_links_first(links, best_first_node(bf, from)));
}

/* Uniform grid: two costs, and the moves of the 3×3 bits. */
CRN_INLINE void best_first_uniform_edges(crn_best_first *bf, const best_first_plugs *plugs,
                                         uint32_t mark, crn_place place, cairn_cost g)
{
    uint32_t pattern = crn_grid_pattern(bf->map, place.value & 0xffff, place.value >> 16);
    for (uint32_t moves = bf->moves[mark & CRN_MARK_MOVE][pattern]; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), beside_slot;
        crn_place beside = best_first_beside(place, d);
        crn_page *beside_page = best_first_grid_page(bf, beside, &beside_slot);
        best_first_relax(bf, plugs, beside_page, beside_slot, beside, d, (uint64_t)g + bf->step[d]);
    }
}

/* Any grid. */
CRN_INLINE void best_first_grid_edges(crn_best_first *bf, const best_first_plugs *plugs,
                                      crn_place place, cairn_cost g)
{
    const crn_grid_space *map = bf->map;
    uint32_t x = place.value & 0xffff, y = place.value >> 16;
    uint32_t moves = crn_grid_moves(map, x, y);
    if (map->limited) moves = crn_grid_limit_moves(map, x, y, moves);
    cairn_node node = best_first_node(bf, place);
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), beside_slot;
        crn_place beside = best_first_beside(place, d);
        crn_page *beside_page = best_first_grid_page(bf, beside, &beside_slot);
        cairn_cost cost = crn_grid_step_cost(map, node, best_first_node(bf, beside), d);
        best_first_relax(bf, plugs, beside_page, beside_slot, beside, d, (uint64_t)g + cost);
    }
}

/* The edges of a cell that was reached with this mark. */
CRN_INLINE void best_first_cell_edges(crn_best_first *bf, const best_first_plugs *plugs,
                                      uint32_t mark, crn_place place, cairn_cost g)
{
    if (CRN_UNLIKELY(g >= bf->overflow)) crn_best_first_note_cell_overflow(bf, g, place);
    if (plugs->space == BEST_FIRST_UNIFORM) {
        best_first_uniform_edges(bf, plugs, mark, place, g);
    } else {
        best_first_grid_edges(bf, plugs, place, g);
    }
    if (CRN_UNLIKELY(bf->linked)) best_first_link_edges(bf, plugs, place, g);
}

/* ---- nodes ---- */

/* One edge. */
CRN_INLINE void best_first_edge(crn_best_first *bf, const best_first_plugs *plugs, crn_place from,
                                cairn_cost g, cairn_edge edge)
{
    uint32_t slot;
    crn_place to = {edge.node};
    crn_page *page = best_first_any_page(bf, to, &slot);
    best_first_relax(bf, plugs, page, slot, to, from.value, (uint64_t)g + edge.cost);
}

/* The edges of a node of an abstract graph, straight from its list. */
CRN_INLINE void best_first_list_edges(crn_best_first *bf, const best_first_plugs *plugs,
                                      crn_place from, cairn_cost g, const cairn_edge *edge,
                                      const cairn_edge *end)
{
    crn_page *const *table = bf->table;
    const uint32_t *group = bf->view->group, *stamps = bf->view->stamps, stamp = bf->view->stamp;
    for (; edge != end; edge++) {
        /* as wide as an address: nothing to convert */
        size_t to = edge->node, slot = to % CRN_PAGE;
        crn_page *page = table[to / CRN_PAGE];
        if (CRN_UNLIKELY(!page)) page = crn_records_touch(bf->records, edge->node / CRN_PAGE);
        uint64_t sum = (uint64_t)g + edge->cost;
        if (CRN_LIKELY(sum >= page->g[slot])) continue;
        if (group && stamps[group[to]] != stamp) continue;
        plugs->improve(bf, page, (uint32_t)slot, (crn_place){edge->node}, from.value,
                       (cairn_cost)sum);
    }
}

/* What a view adds to the edges of a node: a batch of them, `at` edges after those of its list.
 * That is rare, so one function serves all instances. */
static CRN_NOINLINE void best_first_more_edges(crn_best_first *bf, const best_first_plugs *plugs,
                                               crn_place place, cairn_cost g, uint32_t at)
{
    cairn_edge edges[BEST_FIRST_SMALL_BATCH];
    uint32_t listed = bf->view->graph->nodes[place.value].count;
    uint32_t count = bf->view->more(bf->view, place.value, &at, edges, BEST_FIRST_SMALL_BATCH);
    /* They may be longer than the space says. */
    crn_best_first_note_overflow(bf, g, edges, count);
    for (uint32_t i = 0; i < count; i++) best_first_edge(bf, plugs, place, g, edges[i]);
    if (at != UINT32_MAX) best_first_put_off(bf, place, listed + at);
}

/* An edge may lead to the goal that the view adds. */
CRN_INLINE void best_first_arrive(crn_best_first *bf, const best_first_plugs *plugs,
                                  crn_place place, cairn_cost g)
{
    const crn_abstract_view *view = bf->view;
    cairn_cost cost =
        view->arrive_count ? crn_abstract_view_arrival(view, place.value) : CAIRN_NO_COST;
    if (cost != CAIRN_NO_COST)
        best_first_edge(bf, plugs, place, g, (cairn_edge){crn_abstract_view_goal(view), cost});
}

/* The start that a view adds, nodes with more edges than a batch, nodes to which the view adds
 * some, costs near overflow: a batch. One function serves all instances. */
static CRN_NOINLINE void best_first_rare_edges(crn_best_first *bf, const best_first_plugs *plugs,
                                               crn_place place, cairn_cost g)
{
    const crn_abstract_view *view = bf->view;
    bool inside = place.value < view->graph->node_count;
    const cairn_edge *edges = inside ? crn_abstract_edges(view->graph, place.value) : view->leave;
    uint32_t first = bf->pending_edge,
             end = inside ? view->graph->nodes[place.value].count : view->leave_count;
    if (!inside && place.value != crn_abstract_view_start(view)) return;
    if (first > end) { /* the list is done */
        best_first_more_edges(bf, plugs, place, g, first - end);
        return;
    }
    if (inside && !first) best_first_arrive(bf, plugs, place, g);
    if (end - first > bf->batch) best_first_put_off(bf, place, end = first + bf->batch);
    if (g >= bf->overflow && first != end)
        crn_best_first_note_overflow(bf, g, edges + first, end - first);
    if (!inside) {
        for (uint32_t i = first; i < end; i++) best_first_edge(bf, plugs, place, g, edges[i]);
    } else if (first != end) { /* there may be no list */
        best_first_list_edges(bf, plugs, place, g, edges + first, edges + end);
    }
    if (view->more && inside && !bf->is_pending) best_first_more_edges(bf, plugs, place, g, 0);
}

/* An abstract graph. Its view may add a start and a goal, and an edge may lead from the one to the
 * other. */
CRN_INLINE void best_first_abstract_edges(crn_best_first *bf, const best_first_plugs *plugs,
                                          crn_place place, cairn_cost g)
{
    const crn_abstract_view *view = bf->view;
    const crn_abstract_graph *graph = view->graph;
    if (CRN_UNLIKELY(place.value >= graph->node_count) || CRN_UNLIKELY(bf->pending_edge) ||
        CRN_UNLIKELY(graph->nodes[place.value].count > bf->batch) ||
        CRN_UNLIKELY(view->more != NULL) || CRN_UNLIKELY(g >= bf->overflow)) {
        best_first_rare_edges(bf, plugs, place, g);
        return;
    }
    best_first_arrive(bf, plugs, place, g);
    const crn_abstract_node *node = &graph->nodes[place.value];
    if (CRN_UNLIKELY(!node->count)) return; /* there may be no list */
    const cairn_edge *edges = graph->edges + node->first;
    best_first_list_edges(bf, plugs, place, g, edges, edges + node->count);
}

/* Any space. A batch of edges is one unit of work; a node with more edges continues later. */
CRN_INLINE void best_first_any_edges(crn_best_first *bf, const best_first_plugs *plugs,
                                     crn_place place, cairn_cost g)
{
    cairn_edge edges[BEST_FIRST_BATCH];
    uint32_t batch = bf->batch;
    uint32_t count =
        bf->space->functions->expand(bf->space, place.value, bf->pending_edge, edges, batch);
    if (CRN_UNLIKELY(count == CRN_EXPAND_LATER)) {
        best_first_put_off(bf, place, bf->pending_edge);
        return;
    }
    if (CRN_UNLIKELY(g >= bf->overflow)) crn_best_first_note_overflow(bf, g, edges, count);
    for (uint32_t i = 0; i < count; i++) best_first_edge(bf, plugs, place, g, edges[i]);
    if (count == batch) best_first_put_off(bf, place, bf->pending_edge + batch);
}

/* The edges of a node in a space with records by number: all, or those that are left. */
CRN_INLINE void best_first_node_edges(crn_best_first *bf, const best_first_plugs *plugs,
                                      crn_place place, cairn_cost g)
{
    if (best_first_has_lists(plugs)) {
        best_first_abstract_edges(bf, plugs, place, g);
    } else if (plugs->space == BEST_FIRST_SIGHT) {
        bf->settings.lines->edges(bf, place, g);
    } else {
        best_first_any_edges(bf, plugs, place, g);
    }
}

#endif
