/* best_first_loops.c: the instances of the best-first loop.
 *
 * Five kinds of spaces. `uniform`: a grid on which only straight and diagonal differ, by far the
 * most frequent case; which moves are worth making from a cell comes from a table, by the cells
 * round it and the move that led there. With buckets it has a loop of its own
 * (best_first_uniform.inc), which also keeps the next cell in hand; with a heap it shares the
 * common one (best_first.inc). `grid`: any grid. `sight`: any grid, with lines of sight
 * (best_first_sight.h). `layer`: an abstract graph (abstract_graph.h), for A* with buckets. `any`:
 * any space through its table of functions, with parents instead of directions; it is the reference
 * that the others are tested against.
 */
#include "search/best_first_sight.h"

typedef void best_first_relax(crn_best_first *bf, crn_page *page, uint32_t slot, crn_place place,
                              uint32_t link, uint64_t g);
typedef void best_first_improve(crn_best_first *bf, crn_page *page, uint32_t slot, crn_place place,
                                uint32_t link, cairn_cost g);

/* Names by which the loop finds its plugs. */
#define best_first_uniform_page best_first_grid_page
#define best_first_estimate crn_best_first_estimate
#define best_first_abstract_page best_first_any_page
#define best_first_sight_page best_first_any_page

/* ---- keys ---- */

uint32_t crn_best_first_tie(const crn_best_first *bf, cairn_cost g)
{
    switch (bf->settings.tie) {
    case CRN_TIE_LARGE_G: return ~g;
    case CRN_TIE_SMALL_G: return g;
    case CRN_TIE_FIRST_IN: return bf->heap.pushed;
    default: return 0; /* the heap itself prefers the last in */
    }
}

/* Of a uniform grid, in 64 bits that need no saturation. */
CRN_INLINE uint64_t best_first_scaled_octile(const crn_best_first *bf, crn_place place)
{
    int32_t x = (int32_t)(place.value & 0xffff), y = (int32_t)(place.value >> 16);
    uint64_t dx = crn_outside(x, bf->box.left, bf->box.right),
             dy = crn_outside(y, bf->box.top, bf->box.bottom);
    uint64_t low = dx < dy ? dx : dy;
    return (uint64_t)bf->straight * (dx + dy) - (uint64_t)bf->shortcut * low;
}

/* In a layer, to its goal. */
CRN_INLINE uint64_t best_first_abstract_distance(const crn_best_first *bf, crn_place place)
{
    const crn_abstract_node *node = crn_abstract_view_node(bf->view, place.value);
    return crn_metric_distance(bf->metric, node->x, node->y, bf->goal_x, bf->goal_y);
}

CRN_INLINE uint64_t best_first_nothing(const crn_best_first *bf, crn_place place)
{
    (void)bf;
    (void)place;
    return 0;
}

/* The larger of an estimate and what the landmarks say, if there are any. */
CRN_INLINE uint64_t best_first_at_least(const crn_best_first *bf, cairn_node node,
                                        uint64_t estimate)
{
    const crn_landmarks *marks = bf->settings.landmarks;
    uint64_t bound = marks ? crn_landmarks_estimate(marks, &bf->landmarks_goal, node) : 0;
    return bound > estimate ? bound : estimate;
}

CRN_INLINE uint64_t best_first_landmarks(const crn_best_first *bf, crn_place place)
{
    return best_first_at_least(bf, best_first_node(bf, place), best_first_scaled_octile(bf, place));
}

/* The larger of an estimate and what the table of clusters says, or the latter alone. */
CRN_INLINE uint64_t best_first_by_clusters(const crn_best_first *bf, cairn_node node,
                                           uint64_t estimate)
{
    uint32_t cluster = bf->settings.clusters->clusters[node];
    uint64_t cost = bf->clusters_to[cluster];
    bool alone = bf->settings.clusters_alone && cluster != bf->goal_cluster;
    return alone || cost > estimate ? cost : estimate;
}

CRN_INLINE uint64_t best_first_clusters(const crn_best_first *bf, crn_place place)
{
    return best_first_by_clusters(bf, best_first_node(bf, place),
                                  best_first_scaled_octile(bf, place));
}

uint64_t crn_best_first_estimate(const crn_best_first *bf, crn_place place)
{
    cairn_node node = best_first_node(bf, place);
    const cairn_query *query = &bf->search->query;
    if (query->estimate) return query->estimate(query->estimate_user, node);
    uint64_t estimate = 0;
    if (bf->settings.heuristic != CAIRN_HEURISTIC_NULL) {
        estimate =
            bf->space->functions->estimate(bf->space, bf->settings.heuristic, node, &bf->box);
    }
    if (bf->settings.clusters) return best_first_by_clusters(bf, node, estimate);
    return best_first_at_least(bf, node, estimate);
}

/* ---- what the loop asks and tells ---- */

/* Does the rule of which way to keep want this one? Of several edges between the same two
 * nodes (graphs) the cheapest is kept in any case. */
static bool best_first_wants(const crn_best_first *bf, const crn_page *page, uint32_t slot,
                             uint32_t link, uint64_t g)
{
    if (g > CAIRN_COST_MAX) return false;
    bool seen = page->mark[slot] & CRN_MARK_SEEN, cheaper = g < crn_record_cost(page, slot);
    bool same = seen && !bf->map && page->parent[slot] == link;
    switch (bf->settings.keep) {
    case CRN_KEEP_CHEAPEST: return cheaper;
    case CRN_KEEP_CHEAPEST_OPEN: return cheaper && !(page->mark[slot] & CRN_MARK_CLOSED);
    case CRN_KEEP_FIRST: return same ? cheaper : !seen;
    default: return !(page->mark[slot] & CRN_MARK_CLOSED) && (!same || cheaper);
    }
}

void crn_best_first_note_goal(crn_best_first *bf, crn_place place, cairn_cost g)
{
    if (bf->goal_found && g >= bf->goal_cost) return;
    bf->goal_found = true;
    bf->goal = place;
    bf->goal_cost = g;
    if (bf->settings.open == CRN_OPEN_BUCKETS || bf->bands) bf->bound = best_first_key(bf, g, 0);
    bf->watch = 0;
}

cairn_status crn_best_first_ended(crn_best_first *bf)
{
    if (bf->goal_found) {
        bf->search->reached_goal = best_first_node(bf, bf->goal);
        return CAIRN_FOUND;
    }
    return bf->overflowed && !bf->search->query.max_cost ? CAIRN_COST_OVERFLOW : CAIRN_UNREACHABLE;
}

/* Near the largest cost: which of these edges lead out of 32 bits to a node not seen yet? */
static CRN_NOINLINE void best_first_note_overflow(crn_best_first *bf, cairn_cost g,
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

/* Fast expansion: a node that is no more expensive than the one being expanded comes next, past the
 * open list. If there are several, it is the last one, which on grids is a diagonal step away; the
 * one before it must be put on the list instead. Is anything left to be put there? */
static bool best_first_exchange(crn_best_first *bf, crn_page *page, crn_place *place, cairn_cost *g,
                                uint64_t *key)
{
    if (*key > bf->key) return true;
    crn_hand before = bf->hand;
    cairn_cost before_g = bf->hand_g;
    uint64_t before_key = bf->hand_key;
    bf->hand = (crn_hand){page, {place->value}};
    bf->hand_g = *g;
    bf->hand_key = *key;
    if (!before.page) return false;
    *place = best_first_spot_place(before.spot);
    *g = before_g;
    *key = before_key;
    return true;
}

/* Takes the next node from a heap with bands; false if no node that is left can lead to a cheaper
 * goal. */
static bool best_first_take_banded(crn_best_first *bf, crn_place *place)
{
    bf->floor = crn_heap_least(&bf->heap);
    return bf->floor <= (bf->bound | bf->bands) && crn_heap_pop(&bf->heap, &place->value);
}

/* A node that was closed, or that only too expensive paths led to, got a cheaper one. */
static void best_first_note_return(crn_best_first *bf, uint32_t mark)
{
    if (mark & CRN_MARK_CLOSED) bf->reopened++;
    if (mark & CRN_MARK_OVERFLOWED) bf->overflowed--;
}

static CRN_NOINLINE void best_first_note_cell_overflow(crn_best_first *bf, cairn_cost g,
                                                       crn_place place)
{
    enum { BATCH = 64 };
    cairn_edge edges[BATCH];
    for (uint32_t first = 0, count = BATCH; count == BATCH; first += count) {
        count = bf->space->functions->expand(bf->space, best_first_node(bf, place), first, edges,
                                             BATCH);
        best_first_note_overflow(bf, g, edges, count);
    }
}

void crn_best_first_trace(crn_best_first *bf, cairn_event_kind kind, crn_place place)
{
    uint32_t slot;
    crn_page *page = best_first_page(bf, place, &slot);
    uint32_t link = bf->map ? page->mark[slot] : page->parent[slot];
    crn_trace(bf->search, kind, best_first_node(bf, place), best_first_parent(bf, place, link),
              page->g[slot], crn_saturate(crn_best_first_estimate(bf, place)));
}

/* A path was found to a node that had this mark before. */
static void best_first_report(const crn_best_first *bf, crn_place place, uint32_t link,
                              uint32_t mark, cairn_cost g, uint64_t h)
{
    cairn_event_kind kind = !(mark & CRN_MARK_SEEN)  ? CAIRN_EVENT_GENERATE
                            : mark & CRN_MARK_CLOSED ? CAIRN_EVENT_REOPEN
                                                     : CAIRN_EVENT_UPDATE;
    crn_trace(bf->search, kind, best_first_node(bf, place), best_first_parent(bf, place, link), g,
              crn_saturate(h));
}

/* ---- edges ---- */

CRN_NOINLINE crn_page *crn_best_first_touch(crn_best_first *bf, uint32_t number)
{
    crn_page *page = crn_records_touch(bf->records, number);
    if (page == bf->records->spare && bf->left) { /* no memory: this expansion is the last */
        bf->work -= bf->left - 1;
        bf->expanded -= bf->left - 1;
        bf->left = 1;
    }
    page->origin = (number / bf->tile_columns << 16 | number % bf->tile_columns) * CRN_TILE_SIDE;
    return page;
}

/* Uniform grid: two costs, and the moves of the 3×3 bits. */
CRN_INLINE void best_first_uniform_edges(crn_best_first *bf, crn_page *page, uint32_t slot,
                                         crn_place place, cairn_cost g, best_first_relax *relax)
{
    uint32_t pattern = crn_grid_pattern(bf->map, place.value & 0xffff, place.value >> 16);
    for (uint32_t moves = bf->moves[page->mark[slot] & CRN_MARK_MOVE][pattern]; moves;
         moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), beside_slot;
        crn_place beside = best_first_beside(place, d);
        crn_page *beside_page = best_first_grid_page(bf, beside, &beside_slot);
        relax(bf, beside_page, beside_slot, beside, d, (uint64_t)g + bf->step[d]);
    }
}

/* The links that leave a node. The record of a cell has no room for which one led there: that is
 * kept by target. A link is taken only if it makes the cell cheaper, and never if a step is as
 * cheap: paths are read so (crn_links_used), and the step may be one that the canonical order
 * leaves out. */
CRN_INLINE void best_first_link_edges(crn_best_first *bf, crn_place from, cairn_cost g,
                                      best_first_relax *relax)
{
    const crn_links *links = &bf->map->links;
    if (!crn_bit(&links->from, (int32_t)(from.value & 0xffff), (int32_t)(from.value >> 16))) return;
    cairn_node node = best_first_node(bf, from);
    for (uint32_t i = crn_links_first(links, node);
         i < links->count && links->links[i].from == node; i++) {
        const crn_space_link *link = &links->links[i];
        if (link->cost >= crn_grid_walk_cost(bf->map, node, link->to)) continue;
        crn_place place = best_first_place(bf, link->to);
        uint32_t slot, *came = &bf->came[link->target], before = *came;
        crn_page *page = best_first_grid_page(bf, place, &slot);
        cairn_cost known = crn_record_cost(page, slot);
        *came = i;
        relax(bf, page, slot, place, CRN_BY_LINK, (uint64_t)g + link->cost);
        if (crn_record_cost(page, slot) == known) *came = before;
    }
}

/* Any grid. */
CRN_INLINE void best_first_grid_edges(crn_best_first *bf, crn_page *page, uint32_t slot,
                                      crn_place place, cairn_cost g, best_first_relax *relax)
{
    (void)page;
    (void)slot;
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
        relax(bf, beside_page, beside_slot, beside, d, (uint64_t)g + cost);
    }
}

/* One edge. */
CRN_INLINE void best_first_any_edge(crn_best_first *bf, crn_place from, cairn_cost g,
                                    cairn_edge edge, best_first_relax *relax)
{
    uint32_t slot;
    crn_place to = {edge.node};
    crn_page *page = best_first_any_page(bf, to, &slot);
    relax(bf, page, slot, to, from.value, (uint64_t)g + edge.cost);
}

/* The node's other edges come later. */
CRN_INLINE void best_first_put_off(crn_best_first *bf, crn_place place, uint32_t edge)
{
    bf->is_pending = true;
    bf->pending = place;
    bf->pending_edge = edge;
}

#define BEST_FIRST_BATCH 64u

/* The edges of a node of a layer, straight from its list. */
CRN_INLINE void best_first_list_edges(crn_best_first *bf, crn_place from, cairn_cost g,
                                      const cairn_edge *edge, const cairn_edge *end,
                                      best_first_improve *improve)
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
        improve(bf, page, (uint32_t)slot, (crn_place){edge->node}, from.value, (cairn_cost)sum);
    }
}

/* A layer. From the start that only its view has, edges may lead to the goal that only the view
 * has. */
CRN_INLINE void best_first_abstract_edges(crn_best_first *bf, crn_place place, cairn_cost g,
                                          best_first_relax *relax, best_first_improve *improve)
{
    const crn_abstract_view *view = bf->view;
    bool inside = place.value < view->graph->node_count;
    const cairn_edge *edges = inside ? crn_abstract_edges(view->graph, place.value) : view->leave;
    uint32_t first = bf->pending_edge,
             end = inside ? view->graph->nodes[place.value].count : view->leave_count;
    if (!inside && place.value != crn_abstract_view_start(view)) return;
    if (inside && !first && view->arrive_count) {
        cairn_cost cost = crn_abstract_view_arrival(view, place.value);
        if (cost != CAIRN_NO_COST)
            best_first_any_edge(bf, place, g, (cairn_edge){crn_abstract_view_goal(view), cost},
                                relax);
    }
    if (end - first > BEST_FIRST_BATCH)
        best_first_put_off(bf, place, end = first + BEST_FIRST_BATCH);
    if (CRN_UNLIKELY(g > bf->overflow)) best_first_note_overflow(bf, g, edges + first, end - first);
    if (CRN_LIKELY(inside)) {
        best_first_list_edges(bf, place, g, edges + first, edges + end, improve);
    } else {
        for (uint32_t i = first; i < end; i++) best_first_any_edge(bf, place, g, edges[i], relax);
    }
}

/* Any space: a batch of edges is one unit of work; a node with more of them goes on later. */
CRN_INLINE void best_first_any_edges(crn_best_first *bf, crn_place place, cairn_cost g,
                                     best_first_relax *relax, best_first_improve *improve)
{
    (void)improve;
    cairn_edge edges[BEST_FIRST_BATCH];
    uint32_t count = bf->space->functions->expand(bf->space, place.value, bf->pending_edge, edges,
                                                  BEST_FIRST_BATCH);
    if (CRN_UNLIKELY(g > bf->overflow)) best_first_note_overflow(bf, g, edges, count);
    for (uint32_t i = 0; i < count; i++) best_first_any_edge(bf, place, g, edges[i], relax);
    if (count == BEST_FIRST_BATCH)
        best_first_put_off(bf, place, bf->pending_edge + BEST_FIRST_BATCH);
}

/* ---- lines of sight ---- */

/* Where lines to the neighbours of a node may begin: its parent, or itself. */
static cairn_node best_first_origin(const crn_best_first *bf, cairn_node node, cairn_node parent)
{
    if (parent == CAIRN_NO_NODE || !crn_ground_same(crn_grid_space_of(bf->space), parent, node) ||
        crn_best_first_sight_link(bf, parent, node)) {
        return node;
    }
    return parent;
}

/* What is offered to a neighbour of the node that is being expanded. */
typedef struct best_first_sighting {
    const crn_grid_space *map;
    crn_point node, origin;
    cairn_cost g, origin_g;
    bool eager;
    uint32_t far; /* cells looked along */
} best_first_sighting;

/* A line from the origin, if there may be one, else a step. The line is no more expensive, so if it
 * is of no use, neither is. */
CRN_INLINE void best_first_sight_edge(crn_best_first *bf, best_first_sighting *sighting,
                                      crn_point to, best_first_relax *relax)
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
            relax(bf, page, slot, place, sighting->origin.node, cost);
            return;
        }
    }
    uint64_t cost = sighting->g + crn_sight_cost(sighting->map, sighting->node, to);
    relax(bf, page, slot, place, sighting->node.node, cost);
}

/* Links that leave a node, from one of them on; true: not all of them. */
static bool best_first_sight_links(crn_best_first *bf, const best_first_sighting *sighting,
                                   uint32_t from, best_first_relax *relax)
{
    const crn_links *links = &sighting->map->links;
    cairn_node node = sighting->node.node;
    if (!links->count) return false;
    uint32_t first = crn_links_first(links, node) + from;
    for (uint32_t i = first; i < links->count && links->links[i].from == node; i++) {
        if (i - first == BEST_FIRST_BATCH) return true;
        best_first_any_edge(bf, (crn_place){node}, sighting->g,
                            (cairn_edge){links->links[i].to, links->links[i].cost}, relax);
    }
    return false;
}

/* Steps in the order of directions, then links. Looking along many cells is enough for one unit of
 * work. */
CRN_INLINE void best_first_sight_edges(crn_best_first *bf, crn_place place, cairn_cost g,
                                       best_first_relax *relax, best_first_improve *improve)
{
    (void)improve;
    const crn_grid_space *map = crn_grid_space_of(bf->space);
    uint32_t slot, origin_slot, width = map->grid->width, first = bf->pending_edge;
    crn_point node = crn_point_of(map, place.value);
    uint32_t x = (uint32_t)node.cell.x, y = (uint32_t)node.cell.y;
    crn_page *page = best_first_any_page(bf, place, &slot);
    cairn_node origin = best_first_origin(bf, place.value, page->parent[slot]);
    best_first_sighting sighting = {.map = map,
                                    .node = node,
                                    .origin = crn_point_of(map, origin),
                                    .g = g,
                                    .eager = bf->settings.sight == CRN_SIGHT_EAGER};
    sighting.origin_g = best_first_any_page(bf, (crn_place){origin}, &origin_slot)->g[origin_slot];
    /* Its line may cost a unit more than a diagonal step. */
    if (CRN_UNLIKELY(sighting.g >= bf->overflow) && !first)
        best_first_note_cell_overflow(bf, sighting.g + 1, place);
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
        best_first_sight_edge(bf, &sighting, (crn_point){to, cell}, relax);
    }
    uint32_t links = first > CRN_DIRECTIONS ? first - CRN_DIRECTIONS : 0;
    if (best_first_sight_links(bf, &sighting, links, relax))
        best_first_put_off(bf, place, CRN_DIRECTIONS + links + BEST_FIRST_BATCH);
}

/* Lazy Theta*: a node is about to be expanded, so its parent must see it, or another one takes its
 * place. False if it is now too expensive: it waits for a cheaper path. */
static bool best_first_settle(crn_best_first *bf, crn_page *page, uint32_t slot, crn_place place,
                              cairn_cost *g)
{
    if (page->parent[slot] == CAIRN_NO_NODE) return true;
    crn_arrival arrival = crn_best_first_sight_arrival(bf, place.value);
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

/* ---- the instances ---- */

#define BF_SPACE uniform
#define BF_LIST buckets
#define BF_ESTIMATE octile /* to a single cell, and f = g + h */
#include "search/best_first_instance.inc"

#define BF_SPACE uniform
#define BF_LIST buckets
#define BF_ESTIMATE scaled_octile /* f = g + w·h */
#include "search/best_first_instance.inc"

#define BF_SPACE uniform
#define BF_LIST buckets
#define BF_ESTIMATE landmarks /* or octile */
#include "search/best_first_instance.inc"

#define BF_SPACE uniform
#define BF_LIST buckets
#define BF_ESTIMATE nothing
#include "search/best_first_instance.inc"

#define BF_SPACE uniform
#define BF_LIST buckets
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE uniform
#define BF_LIST heap
#define BF_ESTIMATE scaled_octile
#include "search/best_first_instance.inc"

#define BF_SPACE uniform
#define BF_LIST heap
#define BF_ESTIMATE clusters
#include "search/best_first_instance.inc"

#define BF_SPACE grid
#define BF_LIST buckets
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE grid
#define BF_LIST heap
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE grid
#define BF_LIST queue
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE grid
#define BF_LIST stack
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE abstract
#define BF_LIST buckets
#define BF_ESTIMATE abstract_distance /* f = g + h */
#include "search/best_first_instance.inc"

#define BF_SPACE any
#define BF_LIST buckets
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE any
#define BF_LIST heap
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE any
#define BF_LIST queue
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE any
#define BF_LIST stack
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE sight
#define BF_LIST heap
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

crn_loop *crn_best_first_choose(const crn_best_first *bf)
{
    static crn_loop *const grid[CRN_OPEN_KINDS][2] = {
        {bf_grid_buckets_estimate_0_run, bf_grid_buckets_estimate_1_run},
        {bf_grid_heap_estimate_0_run, bf_grid_heap_estimate_1_run},
        {bf_grid_queue_estimate_0_run, bf_grid_queue_estimate_1_run},
        {bf_grid_stack_estimate_0_run, bf_grid_stack_estimate_1_run},
    };
    static crn_loop *const any[CRN_OPEN_KINDS][2] = {
        {bf_any_buckets_estimate_0_run, bf_any_buckets_estimate_1_run},
        {bf_any_heap_estimate_0_run, bf_any_heap_estimate_1_run},
        {bf_any_queue_estimate_0_run, bf_any_queue_estimate_1_run},
        {bf_any_stack_estimate_0_run, bf_any_stack_estimate_1_run},
    };
    bool traced = bf->search->traced;
    if (bf->view && bf->settings.open == CRN_OPEN_BUCKETS) {
        return traced ? bf_abstract_buckets_abstract_distance_1_run
                      : bf_abstract_buckets_abstract_distance_0_run;
    }
    if (bf->settings.sight)
        return traced ? bf_sight_heap_estimate_1_run : bf_sight_heap_estimate_0_run;
    if (!bf->map) return any[bf->settings.open][traced];
    bool octile = bf->settings.heuristic == CAIRN_HEURISTIC_OCTILE,
         marks = bf->settings.landmarks != NULL;
    bool uniform = best_first_is_uniform(bf);
    if (uniform && bf->settings.open == CRN_OPEN_HEAP && octile && bf->settings.clusters) {
        return traced ? bf_uniform_heap_clusters_1_run : bf_uniform_heap_clusters_0_run;
    }
    if (uniform && bf->settings.open == CRN_OPEN_HEAP && octile && !marks) {
        return traced ? bf_uniform_heap_scaled_octile_1_run : bf_uniform_heap_scaled_octile_0_run;
    }
    if (!uniform || bf->settings.open != CRN_OPEN_BUCKETS) return grid[bf->settings.open][traced];
    if (octile && marks) {
        return traced ? bf_uniform_buckets_landmarks_1_run : bf_uniform_buckets_landmarks_0_run;
    }
    if (octile) {
        bool cell = bf->box.left == bf->box.right && bf->box.top == bf->box.bottom;
        uint64_t farthest = (uint64_t)bf->straight * (bf->map->grid->width + bf->map->grid->height);
        /* it looks at the bound from bucket to bucket only */
        bool limited = bf->bound != UINT64_MAX;
        if (cell && !limited && farthest <= CAIRN_COST_MAX && bf->settings.estimate_weight == 256 &&
            bf->settings.cost_weight == 1) {
            return traced ? bf_uniform_buckets_octile_1_run : bf_uniform_buckets_octile_0_run;
        }
        return traced ? bf_uniform_buckets_scaled_octile_1_run
                      : bf_uniform_buckets_scaled_octile_0_run;
    }
    if (bf->settings.heuristic == CAIRN_HEURISTIC_NULL && !marks) {
        return traced ? bf_uniform_buckets_nothing_1_run : bf_uniform_buckets_nothing_0_run;
    }
    return traced ? bf_uniform_buckets_estimate_1_run : bf_uniform_buckets_estimate_0_run;
}

bool crn_best_first_is_octile(const crn_best_first *bf)
{
    return bf->loop == bf_uniform_buckets_octile_0_run;
}
