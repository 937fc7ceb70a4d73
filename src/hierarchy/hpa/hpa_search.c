/* hpa_search.c: the searches of HPA*. See hpa.c.
 *
 * A path is made in phases (crn_hpa_phase): the paths from the start out of its cluster and those
 * to the goal inside its own (hpa_ends.c), then a path through the graph between them. Its edges
 * are read off and turned into edges of the levels below and at last into steps, the first ones
 * first.
 */
#include "hierarchy/hpa/hpa_search.h"
#include "hierarchy/hpa/hpa_scratch.h"

/* ---- a search ---- */

#define HPA_STAYS UINT32_MAX
#define HPA_JOINED 4u /* edges of a level that are refined at once */

typedef crn_hpa_scratch hpa_search;
typedef crn_hpa_hop hpa_hop;

static hpa_search *hpa_of(const cairn_search *search)
{
    return search->scratch;
}

static const cairn_grid *hpa_grid(const hpa_search *hpa)
{
    return hpa->index->clusters.space->grid;
}

/* The edges of a node of the graph. */
static const cairn_edge *hpa_edges(const hpa_search *hpa, cairn_node node, uint32_t *count)
{
    if (hpa->lazy) return crn_hpa_lazy_edges(hpa->lazy, node, count);
    *count = hpa->index->abstract.nodes[node].count;
    return crn_abstract_edges(&hpa->index->abstract, node);
}

/* ---- the life of a search ---- */

void crn_hpa_search_close(cairn_search *search)
{
    hpa_search *hpa = search->scratch;
    if (!hpa) return;
    crn_scratch *memory = &search->memory;
    crn_hpa_lazy_close(hpa->lazy);
    crn_scratch_free(memory, hpa->shown, hpa->cluster_count * sizeof *hpa->shown);
    crn_scratch_free(memory, hpa->marks, hpa->cluster_count * sizeof *hpa->marks);
    crn_nodes_close(&hpa->hops, memory);
    crn_cluster_search_close(search, sizeof *hpa);
}

cairn_status crn_hpa_search_open(cairn_search *search)
{
    const crn_hpa *index = search->planner->index;
    cairn_status status = crn_cluster_search_open(search, index, sizeof(hpa_search));
    hpa_search *hpa = search->scratch;
    if (hpa) {
        hpa->index = index;
        hpa->insert = (crn_hpa_insert)crn_parameter_of(search->planner, "insert");
    }
    if (status != CAIRN_OK || crn_parameter_of(search->planner, "intra") != 1) return status;
    hpa->lazy = crn_hpa_lazy_open(search, index, &hpa->base.view);
    return hpa->lazy ? CAIRN_OK : CAIRN_OUT_OF_MEMORY; /* the caller closes what is open */
}

/* ---- which clusters the search across the map sees ---- */

/* Shows or hides the children of all clusters that hold a cell. */
static void hpa_show(hpa_search *hpa, cairn_node cell, uint32_t shown)
{
    const crn_hpa *index = hpa->index;
    for (uint32_t l = 1; l < index->levels && cell != CAIRN_NO_NODE; l++) {
        crn_hpa_children children = crn_hpa_children_of(index, l, crn_hpa_cluster(index, l, cell));
        for (uint32_t i = 0; i < children.columns * children.rows; i++) {
            hpa->shown[crn_hpa_child(&children, i)] = shown;
        }
    }
}

/* The same for all clusters around those that hold a cell, too. */
static void hpa_show_around(hpa_search *hpa, cairn_node cell, uint32_t shown)
{
    const crn_hpa *index = hpa->index;
    uint32_t width = hpa_grid(hpa)->width, height = hpa_grid(hpa)->height;
    for (uint32_t l = 1; l < index->levels && cell != CAIRN_NO_NODE; l++) {
        int32_t size = (int32_t)index->level[l].size;
        for (int32_t i = 0; i < 9; i++) {
            int32_t x = (int32_t)(cell % width) + (i % 3 - 1) * size,
                    y = (int32_t)(cell / width) + (i / 3 - 1) * size;
            if (x < 0 || y < 0 || x >= (int32_t)width || y >= (int32_t)height) continue;
            uint32_t cluster = crn_hpa_cluster(index, l, (uint32_t)y * width + (uint32_t)x);
            crn_hpa_children children = crn_hpa_children_of(index, l, cluster);
            for (uint32_t k = 0; k < children.columns * children.rows; k++)
                hpa->shown[crn_hpa_child(&children, k)] = shown;
        }
    }
}

static void hpa_hide_all(hpa_search *hpa)
{
    for (uint32_t i = 0; i < 2; i++) {
        if (hpa->wide) hpa_show_around(hpa, hpa->ends[i], 0);
        hpa_show(hpa, hpa->ends[i], 0);
    }
    hpa->wide = false;
}

/* ---- from edges to steps ---- */

static bool hpa_push(hpa_search *hpa, hpa_hop hop)
{
    crn_scratch *memory = &hpa->base.search->memory;
    return crn_nodes_push(&hpa->hops, memory, hop.to) &&
           crn_nodes_push(&hpa->hops, memory, hop.from);
}

static hpa_hop hpa_pop(hpa_search *hpa)
{
    hpa->hops.count -= 2;
    return (hpa_hop){.to = hpa->hops.items[hpa->hops.count],
                     .from = hpa->hops.items[hpa->hops.count + 1]};
}

/* Reads off some edges of the path that the search above found. */
static cairn_status hpa_recall(hpa_search *hpa)
{
    enum { AT_ONCE = 64 };
    for (uint32_t i = 0; i < AT_ONCE; i++) {
        cairn_node before = crn_subsearch_before(&hpa->base.above, hpa->recalled);
        if (before == CAIRN_NO_NODE) {
            hpa->phase = HPA_REFINE;
            return CAIRN_RUNNING;
        }
        if (!hpa_push(hpa, (hpa_hop){before, hpa->recalled})) return CAIRN_OUT_OF_MEMORY;
        hpa->recalled = before;
    }
    return CAIRN_RUNNING;
}

/* Lets searches below an edge see the children of the cluster that a node is in. */
static void hpa_mark_children(hpa_search *hpa, uint32_t level, cairn_node node)
{
    const crn_hpa *index = hpa->index;
    crn_hpa_children children = crn_hpa_children_of(index, level, index->groups[node]);
    for (uint32_t i = 0; i < children.columns * children.rows; i++) {
        hpa->marks[crn_hpa_child(&children, i)] = hpa->stamp;
    }
}

/* Where nodes are few, takes some edges of the level at once, so that the path does not have to
 * pass all of their nodes. */
static void hpa_join_hops(hpa_search *hpa, uint32_t level)
{
    const crn_hpa *index = hpa->index;
    cairn_node goal = crn_abstract_view_goal(&hpa->base.view);
    for (uint32_t i = 1; i < HPA_JOINED && hpa->hops.count; i++) {
        hpa_hop next = hpa_pop(hpa);
        if (next.to == goal || crn_hpa_level_of(index, next.from) != level ||
            crn_hpa_level_of(index, next.to) < level) {
            hpa->hops.count += 2;
            return;
        }
        hpa_mark_children(hpa, level, next.from);
        hpa->hop.to = next.to;
    }
}

/* An edge of a higher level: a search of the level below, inside the cluster, and of the one behind
 * its border that is entered. */
static cairn_status hpa_descend(hpa_search *hpa, uint32_t level)
{
    const crn_hpa *index = hpa->index;
    hpa->stamp++;
    hpa_mark_children(hpa, level, hpa->hop.from);
    if (index->thin) hpa_join_hops(hpa, level);
    cairn_node to = crn_hpa_cell(index, hpa->hop.to);
    hpa->marks[crn_hpa_cluster(index, level - 1, to)] = hpa->stamp;
    hpa->base.view.group = index->groups;
    hpa->base.view.stamps = hpa->marks;
    hpa->base.view.stamp = hpa->stamp;
    hpa->base.view.arrive_count = 0;
    crn_abstract_view_close_gates(&hpa->base.view); /* they lead to the goal only */
    cairn_node from = crn_hpa_find(index, level - 1, crn_hpa_cell(index, hpa->hop.from));
    hpa->recalled = crn_hpa_find(index, level - 1, to);
    hpa->phase = HPA_DESCEND;
    return crn_hpa_look(&hpa->base.above, from, hpa->recalled);
}

/* The cell one step from another one, against a direction; CAIRN_NO_NODE outside the map. */
static cairn_node hpa_beside(const hpa_search *hpa, cairn_node cell, uint32_t direction)
{
    cairn_cell at = cairn_grid_cell(hpa_grid(hpa), cell);
    return cairn_grid_node(hpa_grid(hpa), at.x - crn_dx[direction], at.y - crn_dy[direction]);
}

/* Is a cell a node of the cluster that is shown, from which one can step to another one, outside
 * of it? */
static bool hpa_steps(const hpa_search *hpa, cairn_node last, cairn_node to)
{
    const crn_hpa *index = hpa->index;
    uint32_t cluster = hpa->base.ground.shown;
    if (last == CAIRN_NO_NODE || crn_hpa_cluster(index, 0, last) != cluster) return false;
    return crn_hpa_find(index, 0, last) != CAIRN_NO_NODE &&
           crn_grid_walk_cost(index->clusters.space, last, to) != CAIRN_NO_COST &&
           crn_hpa_cluster(index, 0, to) != cluster;
}

/* The next link from the cluster that is shown to a cell, from the one at hpa->crossing on; returns
 * where it begins, CAIRN_NO_NODE if there is none. */
static cairn_node hpa_next_link(hpa_search *hpa, cairn_node to)
{
    const crn_links *links = &hpa->index->clusters.space->links;
    if (!links->count) return CAIRN_NO_NODE;
    uint32_t first = crn_links_first_arrival(links, to),
             i = crn_clusters_arrival(&hpa->index->clusters, hpa->base.ground.shown, to,
                                      hpa->crossing - CRN_DIRECTIONS + first);
    if (i == links->count) return CAIRN_NO_NODE;
    hpa->crossing = i - first + CRN_DIRECTIONS;
    return links->links[links->arrivals[i].link].from;
}

/* The next search for an edge of the lowest level: to a node of the cluster from which a step or a
 * link leads to its target. */
static cairn_status hpa_walk(hpa_search *hpa, uint32_t crossing)
{
    cairn_node end = crn_builder_end(&hpa->base.builder),
               to = crn_cluster_search_cell(&hpa->base, hpa->hop.to), last;
    for (hpa->crossing = crossing; hpa->crossing < CRN_DIRECTIONS; hpa->crossing++) {
        last = hpa_beside(hpa, to, hpa->crossing);
        if (hpa_steps(hpa, last, to)) return crn_hpa_look(&hpa->base.ground.subsearch, end, last);
    }
    last = hpa_next_link(hpa, to);
    if (last == CAIRN_NO_NODE) return CAIRN_UNREACHABLE; /* there is no such index */
    return crn_hpa_look(&hpa->base.ground.subsearch, end, last);
}

/* What the edge says it costs. */
static cairn_cost hpa_edge_cost(const hpa_search *hpa, hpa_hop hop)
{
    const crn_abstract_view *view = &hpa->base.view;
    bool start = hop.from == crn_abstract_view_start(view);
    uint32_t count = hpa->leave_count;
    const cairn_edge *edges = start ? hpa->base.leave : hpa_edges(hpa, hop.from, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (edges[i].node == hop.to) return edges[i].cost;
    }
    return CAIRN_NO_COST;
}

static cairn_status hpa_refine(hpa_search *hpa)
{
    const crn_hpa *index = hpa->index;
    const crn_abstract_view *view = &hpa->base.view;
    hpa->hop = hpa_pop(hpa);
    bool inside = hpa->hop.from != crn_abstract_view_start(view);
    uint32_t level = inside ? crn_hpa_level_of(index, hpa->hop.from) : 0;
    /* only down a level */
    if (crn_cluster_search_cell(&hpa->base, hpa->hop.to) == crn_builder_end(&hpa->base.builder))
        return CAIRN_RUNNING;
    if (level) return hpa_descend(hpa, level);
    crn_hpa_ground_show(&hpa->base.ground, index,
                        crn_hpa_cluster(index, 0, crn_builder_end(&hpa->base.builder)));
    hpa->phase = HPA_WALK;
    hpa->crossing = HPA_STAYS;
    if (hpa->hop.to == crn_abstract_view_goal(view))
        return crn_hpa_look(&hpa->base.ground.subsearch, crn_builder_end(&hpa->base.builder),
                            hpa->base.search->goals[0]);
    hpa->expected = hpa_edge_cost(hpa, hpa->hop);
    return hpa_walk(hpa, 0);
}

/* If that went well there is more to do. */
static cairn_status hpa_more(cairn_status status)
{
    return status == CAIRN_OK ? CAIRN_RUNNING : status;
}

/* A search for steps has ended. It may be that one can step to the target from several nodes: the
 * edge is the cheapest of these paths. */
static cairn_status hpa_walked(hpa_search *hpa, cairn_status found)
{
    crn_builder *builder = &hpa->base.builder;
    const crn_subsearch *subsearch = &hpa->base.ground.subsearch;
    hpa->phase = HPA_REFINE;
    if (hpa->crossing == HPA_STAYS)
        return hpa_more(
            found == CAIRN_FOUND ? crn_builder_append(builder, subsearch, subsearch->goal) : found);
    cairn_node to = crn_cluster_search_cell(&hpa->base, hpa->hop.to);
    uint64_t cost = CAIRN_NO_COST;
    if (found == CAIRN_FOUND) {
        cost = (uint64_t)crn_subsearch_cost(subsearch, subsearch->goal) +
               crn_clusters_crossing(&hpa->index->clusters, subsearch->goal, to);
    }
    if (cost > hpa->expected) {
        hpa->phase = HPA_WALK;
        return hpa_walk(hpa, hpa->crossing + 1);
    }
    if (hpa->base.search->traced)
        crn_trace(hpa->base.search, CAIRN_EVENT_PASS, to, subsearch->goal, (cairn_cost)cost, 0);
    cairn_status status = crn_builder_append(builder, subsearch, subsearch->goal);
    return hpa_more(status == CAIRN_OK ? crn_builder_step(builder, to) : status);
}

/* ---- phases ---- */

/* Long enough, or complete: then rays, if asked for. */
static cairn_status hpa_deliver(hpa_search *hpa)
{
    bool smoothed = hpa->phase == HPA_SMOOTH;
    hpa->phase = HPA_SMOOTH;
    return crn_builder_deliver(hpa->base.search, hpa->hops.count == 0, smoothed);
}

/* The nodes of the higher levels are few, and the search across the map saw no others there. */
static bool hpa_sees_few(const hpa_search *hpa)
{
    return hpa->index->thin && hpa->base.view.group;
}

/* It may have missed a path, as those into a small bay: searches again with all nodes of the
 * clusters around the ends, and then with all that there are. */
static cairn_status hpa_cross_again(hpa_search *hpa)
{
    crn_abstract_view *view = &hpa->base.view;
    if (hpa->wide) view->group = NULL;
    if (!hpa->wide) {
        hpa_show_around(hpa, hpa->ends[0], 1);
        hpa_show_around(hpa, hpa->ends[1], 1);
    }
    hpa->wide = true;
    return crn_hpa_look(&hpa->base.above, crn_abstract_view_start(view),
                        crn_abstract_view_goal(view));
}

/* A subsearch has ended with this status: chooses what comes next. */
static cairn_status hpa_go_on(hpa_search *hpa, cairn_status ended)
{
    if (ended == CAIRN_OUT_OF_MEMORY || (hpa->lazy && hpa->lazy->failed))
        return CAIRN_OUT_OF_MEMORY;
    switch (hpa->phase) {
    case HPA_LEAVE:
    case HPA_ARRIVE: return crn_hpa_ends_searched(hpa);
    case HPA_WALK: return hpa_walked(hpa, ended);
    case HPA_CROSS:
        if (ended == CAIRN_UNREACHABLE && hpa_sees_few(hpa)) return hpa_cross_again(hpa);
        hpa->recalled = crn_abstract_view_goal(&hpa->base.view);
        break;
    default: break;
    }
    hpa->phase = HPA_RECALL;
    return hpa_more(ended);
}

/* Begins with the start, as soon as the tables are those of the index. */
static cairn_status hpa_set_out(hpa_search *hpa)
{
    const cairn_search *search = hpa->base.search;
    hpa->phase = HPA_RENEW;
    cairn_status status = crn_hpa_ends_renew(hpa);
    if (status != CAIRN_OK) return status;
    crn_abstract_view_refresh(&hpa->base.view, search->space->min_edge, hpa->costliest);
    hpa_hide_all(hpa);
    hpa->ends[0] = search->query.from;
    hpa->ends[1] = search->goals[0];
    hpa_show(hpa, hpa->ends[0], 1);
    hpa_show(hpa, hpa->ends[1], 1);
    crn_hpa_ground_begin_leaving(&hpa->base.ground);
    return crn_hpa_ends_start(hpa);
}

/* One bounded piece of work besides subsearches. */
static cairn_status hpa_act(hpa_search *hpa)
{
    if (hpa->phase == HPA_RENEW) return hpa_set_out(hpa);
    if (hpa->phase <= HPA_AIM) return crn_hpa_ends_go_on(hpa);
    if (hpa->phase == HPA_RECALL) return hpa_recall(hpa);
    if (hpa->hops.count == 0 || crn_builder_suffices(&hpa->base.builder)) return hpa_deliver(hpa);
    return hpa_refine(hpa);
}

static bool hpa_searches(const hpa_search *hpa)
{
    return hpa->phase == HPA_LEAVE || hpa->phase == HPA_ARRIVE || hpa->phase == HPA_CROSS ||
           hpa->phase == HPA_DESCEND || hpa->phase == HPA_WALK;
}

static cairn_status hpa_smoothed(hpa_search *hpa)
{
    bool enough = hpa->hops.count == 0 || crn_builder_suffices(&hpa->base.builder);
    if (enough) return hpa_deliver(hpa);
    hpa->phase = HPA_REFINE;
    return CAIRN_RUNNING;
}

/* What is done besides searching costs a unit each time. */
static void hpa_charge(hpa_search *hpa, uint64_t *work)
{
    hpa->base.search->metrics.work++;
    --*work;
}

/* Goes on for at most *work units. */
static cairn_status hpa_advance(hpa_search *hpa, uint64_t *work)
{
    cairn_status status;
    if (hpa->phase == HPA_SMOOTH) {
        status = crn_builder_smooth_step(&hpa->base.builder, work);
        return status == CAIRN_OK ? hpa_smoothed(hpa) : status;
    }
    if (hpa_searches(hpa)) {
        crn_subsearch *subsearch = hpa->phase == HPA_CROSS || hpa->phase == HPA_DESCEND
                                       ? &hpa->base.above
                                       : &hpa->base.ground.subsearch;
        status = crn_subsearch_step(subsearch, work);
        if (status == CAIRN_RUNNING || !*work) return CAIRN_RUNNING;
        hpa_charge(hpa, work);
        return hpa_go_on(hpa, status);
    }
    hpa_charge(hpa, work);
    return hpa_act(hpa);
}

static void hpa_count_bytes(hpa_search *hpa)
{
    hpa->base.search->metrics.peak_bytes =
        crn_cluster_search_bytes(&hpa->base, hpa->leave_count + hpa->arrive_count) +
        hpa->hops.most * sizeof *hpa->hops.items;
}

cairn_status crn_hpa_search_step(cairn_search *search, uint64_t work)
{
    hpa_search *hpa = hpa_of(search);
    cairn_status status = CAIRN_RUNNING;
    while (work && status == CAIRN_RUNNING) status = hpa_advance(hpa, &work);
    hpa_count_bytes(hpa);
    return crn_cluster_search_end(&hpa->base, status);
}

cairn_status crn_hpa_search_begin(cairn_search *search)
{
    hpa_search *hpa = hpa_of(search);
    crn_nodes_clear(&hpa->hops);
    hpa->leave_count = hpa->arrive_count = 0;
    if (hpa->lazy) crn_hpa_lazy_begin(hpa->lazy);
    cairn_status status = crn_cluster_search_begin(&hpa->base);
    if (status != CAIRN_OK) return status;
    if (search->query.from == search->goals[0]) {
        search->metrics.generated = 1;
        hpa_count_bytes(hpa);
        return crn_builder_found(search, true);
    }
    hpa->renewing = false;
    status = hpa_set_out(hpa);
    hpa_count_bytes(hpa);
    return status;
}

cairn_status crn_hpa_search_next(cairn_search *search)
{
    hpa_search *hpa = hpa_of(search);
    crn_builder_next(&hpa->base.builder);
    hpa->base.going = true;
    hpa->phase = HPA_REFINE;
    return CAIRN_RUNNING;
}
