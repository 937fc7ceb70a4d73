/* dhpa_search.c: the searches of DHPA*. See dhpa.c.
 *
 * A path is made in phases (dhpa_phase): the costs of first and last legs, a path through the graph
 * between them, and then leg by leg a walk along a route, put into the path.
 */
#include "hierarchy/dhpa/dhpa_search.h"
#include "hierarchy/dhpa/dhpa_walk.h"
#include "search/nodes.h"

#define DHPA_STRIDE 16u /* steps in a unit of work, or other things as small */
/* steps in a bucket of the search above: few edges are shorter, and these do no harm */
#define DHPA_BUCKET 4u

/* ---- a search ---- */

#define DHPA_LINKS 256u /* that a leg may leave a cluster by, found in a unit of work */

typedef enum dhpa_phase {
    DHPA_DIRECT,  /* both ends in one cluster: the path inside of it */
    DHPA_ENDS,    /* the costs of first legs, then those of last legs */
    DHPA_CROSS,   /* a path through the graph */
    DHPA_RECALL,  /* its nodes are read off, the last one first */
    DHPA_NEXT,    /* the next leg is begun */
    DHPA_FIND,    /* the links by which it may leave the cluster */
    DHPA_COMPARE, /* where it may leave the cluster, if there is a choice */
    DHPA_WALK,    /* its cells are found */
    DHPA_PUT,     /* and put into the path */
    DHPA_SMOOTH
} dhpa_phase;

/* Where a leg may leave its cluster, and what the step over the border, or the link, costs. */
typedef struct dhpa_entrance {
    cairn_node cell;
    cairn_cost step;
} dhpa_entrance;

typedef struct dhpa_search {
    crn_cluster_search base; /* first */
    const crn_dhpa *index;
    dhpa_phase phase;
    cairn_cost direct;    /* DHPA_DIRECT; CAIRN_NO_COST = no path, or it was not asked */
    bool walks_ends;      /* by the parameter `ends` */
    bool searched;        /* one-way steps: paths from the start are those of a search */
    bool exact;           /* DHPA_ENDS: costs are added up ... */
    bool arriving;        /* ... of last legs ... */
    uint32_t member;      /* ... of this node of the cluster ... */
    bool walking;         /* ... right now */
    cairn_cost costliest; /* edge that the search above sees */
    crn_metric walked;    /* distances without links */
    crn_nodes chain; /* nodes of the view still to go to, and before them where the path ends */
    size_t leg;      /* where the leg begins on the path */
    dhpa_entrance *entrances;
    size_t entrance_capacity;
    uint32_t entrance_count, entrance, best;
    uint32_t arrival; /* DHPA_FIND: the next link */
    uint64_t best_cost;
    crn_dhpa_walk walk; /* its trail is as long as a cluster has cells */
    size_t trail_capacity, most_trail;
    crn_approach approach; /* its memory is taken when an index has clusters with paths */
    size_t approach_places;
    bool approached; /* it was used */
    size_t put;      /* DHPA_PUT: how many of them stand in the path */
} dhpa_search;

static dhpa_search *dhpa_of(const cairn_search *search)
{
    return search->scratch;
}

static const crn_grid_space *dhpa_space(const dhpa_search *dhpa)
{
    return crn_grid_space_of(dhpa->base.search->space);
}

static void dhpa_close_approach(dhpa_search *dhpa, crn_scratch *memory)
{
    crn_approach *approach = &dhpa->approach;
    size_t places = dhpa->approach_places;
    crn_scratch_free(memory, approach->costs, places * sizeof *approach->costs);
    crn_scratch_free(memory, approach->links, places * sizeof *approach->links);
    crn_scratch_free(memory, approach->list, places * sizeof *approach->list);
}

void crn_dhpa_search_close(cairn_search *search)
{
    dhpa_search *dhpa = search->scratch;
    if (!dhpa) return;
    crn_nodes_close(&dhpa->chain, &search->memory);
    crn_scratch_free(&search->memory, dhpa->walk.trail,
                     dhpa->trail_capacity * sizeof *dhpa->walk.trail);
    crn_scratch_free(&search->memory, dhpa->entrances,
                     dhpa->entrance_capacity * sizeof *dhpa->entrances);
    dhpa_close_approach(dhpa, &search->memory);
    crn_cluster_search_close(search, sizeof *dhpa);
}

cairn_status crn_dhpa_search_open(cairn_search *search)
{
    const crn_dhpa *index = search->planner->index;
    cairn_status status = crn_cluster_search_open(search, &index->graph, sizeof(dhpa_search));
    dhpa_search *dhpa = search->scratch;
    if (status != CAIRN_OK) return status; /* the caller closes what is open */
    dhpa->index = index;
    dhpa->walks_ends = crn_parameter_of(search->planner, "ends") == DHPA_ENDS_WALK;
    size_t size = crn_parameter_of(search->planner, "size");
    dhpa->walk.offsets = dhpa->base.builder.offset;
    dhpa->walk.trail = crn_scratch_alloc(&search->memory, size * size * sizeof *dhpa->walk.trail);
    if (!dhpa->walk.trail) return CAIRN_OUT_OF_MEMORY;
    dhpa->trail_capacity = size * size;
    dhpa->walk.approach = &dhpa->approach;
    dhpa->approach_places = crn_approach_places(size);
    return CAIRN_OK;
}

/* Before a query: what was searched for may be of another world. */
static cairn_status dhpa_reserve_approach(dhpa_search *dhpa)
{
    crn_approach *approach = &dhpa->approach;
    crn_scratch *memory = &dhpa->base.search->memory;
    approach->from = CAIRN_NO_NODE;
    if (!dhpa->index->paths) return CAIRN_OK;
    size_t places = dhpa->approach_places;
    if (!approach->costs)
        approach->costs = crn_scratch_alloc(memory, places * sizeof *approach->costs);
    if (!approach->list)
        approach->list = crn_scratch_alloc(memory, places * sizeof *approach->list);
    if (approach->links) return approach->costs && approach->list ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    approach->links = crn_scratch_alloc(memory, places * sizeof *approach->links);
    if (approach->links) memset(approach->links, 0, places * sizeof *approach->links);
    return approach->costs && approach->list && approach->links ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static uint32_t dhpa_cluster(const dhpa_search *dhpa, cairn_node cell)
{
    return crn_hpa_cluster(&dhpa->index->graph, 0, cell);
}

/* Success is no reason to end. */
static cairn_status dhpa_running(cairn_status status)
{
    return status == CAIRN_OK ? CAIRN_RUNNING : status;
}

/* ---- the ends ---- */

static cairn_status dhpa_begin_crossing(dhpa_search *dhpa)
{
    crn_abstract_view *view = &dhpa->base.view;
    if (dhpa->direct != CAIRN_NO_COST) {
        dhpa->base.leave[view->leave_count++] =
            (cairn_edge){crn_abstract_view_goal(view), dhpa->direct};
        dhpa->costliest = crn_max_u32(dhpa->costliest, dhpa->direct);
    }
    crn_sort(dhpa->base.arrive, view->arrive_count, sizeof *dhpa->base.arrive, crn_edge_before);
    view->leave = dhpa->base.leave;
    view->arrive = dhpa->base.arrive;
    cairn_cost bucket = DHPA_BUCKET * dhpa->base.search->space->min_edge;
    crn_abstract_view_bound(view, crn_abstract_least(bucket, dhpa->costliest), dhpa->costliest);
    dhpa->phase = DHPA_CROSS;
    dhpa->walk.several = false;
    return crn_subsearch_begin(&dhpa->base.above, crn_abstract_view_start(view),
                               crn_abstract_view_goal(view));
}

/* One leg more between the end in question and a node of its cluster. */
static void dhpa_relax(dhpa_search *dhpa, cairn_node node, uint64_t cost)
{
    crn_abstract_view *view = &dhpa->base.view;
    if (cost > CAIRN_COST_MAX) return;
    cairn_edge edge = {node, (cairn_cost)cost};
    if (dhpa->arriving) {
        dhpa->base.arrive[view->arrive_count++] = edge;
    } else {
        dhpa->base.leave[view->leave_count++] = edge;
    }
    dhpa->costliest = crn_max_u32(dhpa->costliest, edge.cost);
}

static uint64_t dhpa_estimate(const dhpa_search *dhpa, const crn_abstract_node *end,
                              cairn_node node)
{
    const crn_abstract_node *place = &dhpa->index->graph.abstract.nodes[node];
    return crn_metric_distance(dhpa->walked, end->x, end->y, place->x, place->y);
}

/* One-way steps: the first legs are those of a search from the start. */
static void dhpa_leave_searched(dhpa_search *dhpa)
{
    uint32_t count;
    const crn_hpa_member *members =
        crn_hpa_members(&dhpa->index->graph, dhpa->base.ground.shown, &count);
    for (uint32_t i = 0; i < count; i++)
        dhpa_relax(dhpa, members[i].node,
                   crn_subsearch_cost(&dhpa->base.ground.subsearch, members[i].cell));
}

/* Some of the legs between an end and the nodes of its cluster, at estimated costs. */
static void dhpa_relax_estimated(dhpa_search *dhpa, cairn_node cell, const crn_hpa_member *members,
                                 uint32_t count)
{
    const crn_clusters *clusters = &dhpa->index->graph.clusters;
    const crn_abstract_node *end = dhpa->arriving ? &dhpa->base.view.goal : &dhpa->base.view.start;
    uint32_t width = clusters->space->grid->width, size = clusters->size;
    if (dhpa->member == count) return;
    const crn_routes *routes = dhpa->index->routes[dhpa_cluster(dhpa, cell)];
    crn_reach reach = crn_reach_at(routes, cell % width % size, cell / width % size);
    for (uint32_t i = 0; i < DHPA_STRIDE && dhpa->member < count; i++, dhpa->member++) {
        cairn_node node = members[dhpa->member].node;
        if (crn_reaches(reach, dhpa->member))
            dhpa_relax(dhpa, node, dhpa_estimate(dhpa, end, node));
    }
}

/* The same at exact costs: until one begins to be added up. */
static void dhpa_relax_walked(dhpa_search *dhpa, cairn_node cell, uint32_t count)
{
    for (uint32_t i = 0; i < DHPA_STRIDE && dhpa->member < count; i++, dhpa->member++) {
        dhpa->walking =
            crn_dhpa_walk_begin(&dhpa->walk, dhpa->index, cell, dhpa->member, dhpa->arriving);
        if (dhpa->walking) return;
    }
}

/* Some steps of a walk; true if it has arrived. Cells that a route is searched among are no nodes
 * that the search expands: they count as units of work. */
static bool dhpa_walk_on(dhpa_search *dhpa)
{
    bool arrived = crn_dhpa_walk_step(&dhpa->walk, DHPA_STRIDE);
    dhpa->approached |= dhpa->walk.searched;
    return arrived;
}

/* Some of the legs; or some steps of one. */
static cairn_status dhpa_ends(dhpa_search *dhpa)
{
    cairn_node cell = dhpa->arriving ? dhpa->base.search->goals[0] : dhpa->base.search->query.from;
    uint32_t count;
    const crn_hpa_member *members =
        crn_hpa_members(&dhpa->index->graph, dhpa_cluster(dhpa, cell), &count);
    if (dhpa->walking) {
        dhpa->walking = !dhpa_walk_on(dhpa);
        if (!dhpa->walking) dhpa_relax(dhpa, members[dhpa->member++].node, dhpa->walk.cost);
        return CAIRN_RUNNING;
    }
    if (dhpa->exact) {
        dhpa_relax_walked(dhpa, cell, count);
    } else {
        dhpa_relax_estimated(dhpa, cell, members, count);
    }
    if (dhpa->member < count) return CAIRN_RUNNING;
    if (dhpa->arriving) return dhpa_begin_crossing(dhpa);
    dhpa->arriving = true;
    dhpa->member = 0;
    return CAIRN_RUNNING;
}

/* Memory for the legs of both ends. */
static cairn_status dhpa_reserve_legs(dhpa_search *dhpa)
{
    const cairn_search *search = dhpa->base.search;
    const crn_lists *members = &dhpa->index->graph.members;
    uint32_t start = dhpa_cluster(dhpa, search->query.from),
             goal = dhpa_cluster(dhpa, search->goals[0]);
    return crn_cluster_search_reserve(&dhpa->base, (size_t)crn_lists_count(members, start) + 1,
                                      crn_lists_count(members, goal));
}

static cairn_status dhpa_begin_ends(dhpa_search *dhpa)
{
    dhpa->exact = dhpa->walk.several = dhpa->direct != CAIRN_NO_COST || dhpa->walks_ends;
    dhpa->arriving = dhpa->walking = false;
    dhpa->member = 0;
    dhpa->phase = DHPA_ENDS;
    if (dhpa_reserve_legs(dhpa) != CAIRN_OK) return CAIRN_OUT_OF_MEMORY;
    if (!dhpa->searched) return CAIRN_RUNNING;
    dhpa_leave_searched(dhpa);
    dhpa->arriving = true;
    return CAIRN_RUNNING;
}

/* ---- from edges to steps ---- */

/* The i-th node of the chain from where the path ends. */
static cairn_node dhpa_along(const dhpa_search *dhpa, size_t i)
{
    return dhpa->chain.items[dhpa->chain.count - 1 - i];
}

static cairn_status dhpa_push(dhpa_search *dhpa, cairn_node node)
{
    return crn_nodes_push(&dhpa->chain, &dhpa->base.search->memory, node) ? CAIRN_RUNNING
                                                                          : CAIRN_OUT_OF_MEMORY;
}

/* Reads off some nodes of the path that the search above found. */
static cairn_status dhpa_recall(dhpa_search *dhpa)
{
    for (uint32_t i = 0; i < DHPA_STRIDE; i++) {
        cairn_node before = crn_subsearch_before(&dhpa->base.above, dhpa_along(dhpa, 0));
        if (before == CAIRN_NO_NODE) {
            dhpa->phase = DHPA_NEXT;
            return CAIRN_RUNNING;
        }
        if (dhpa_push(dhpa, before) == CAIRN_OUT_OF_MEMORY) return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_RUNNING;
}

/* The place of a node among those of its cluster. */
static uint32_t dhpa_rank(const dhpa_search *dhpa, cairn_node node)
{
    uint32_t count;
    const crn_hpa *graph = &dhpa->index->graph;
    const crn_hpa_member *members = crn_hpa_members(graph, graph->groups[node], &count);
    return crn_dhpa_rank(members, count, crn_hpa_cell(graph, node));
}

static bool dhpa_add_entrance(dhpa_search *dhpa, cairn_node cell, cairn_cost step)
{
    if (CRN_UNLIKELY(dhpa->entrance_count == dhpa->entrance_capacity)) {
        void *entrances = dhpa->entrances;
        bool ok = crn_scratch_grow(&dhpa->base.search->memory, &entrances, &dhpa->entrance_capacity,
                                   dhpa->entrance_count + 1u, sizeof *dhpa->entrances);
        dhpa->entrances = entrances;
        if (!ok) return false;
    }
    dhpa->entrances[dhpa->entrance_count++] = (dhpa_entrance){cell, step};
    return true;
}

/* Finds the nodes of a cluster from which a step leads to a cell of another one; false = no
 * memory. */
static bool dhpa_find_entrances(dhpa_search *dhpa, uint32_t cluster, cairn_node to)
{
    const crn_grid_space *space = dhpa_space(dhpa);
    crn_area area = crn_clusters_area(&dhpa->index->graph.clusters, cluster);
    uint32_t width = space->grid->width, x = to % width - area.left, y = to / width - area.top;
    bool inside = x < area.width && y < area.height;
    dhpa->entrance_count = dhpa->entrance = dhpa->best = 0;
    for (uint32_t d = 0; d < CRN_DIRECTIONS && !inside; d++) {
        if ((uint32_t)((int32_t)x + crn_dx[d]) >= area.width ||
            (uint32_t)((int32_t)y + crn_dy[d]) >= area.height)
            continue;
        cairn_node cell = to + (uint32_t)dhpa->walk.offsets[d];
        if (crn_hpa_find(&dhpa->index->graph, 0, cell) == CAIRN_NO_NODE) continue;
        cairn_cost step = crn_grid_walk_cost(space, cell, to);
        if (step != CAIRN_NO_COST && !dhpa_add_entrance(dhpa, cell, step)) return false;
    }
    return true;
}

/* The next entrance to try, the best one if all have been tried. */
static cairn_status dhpa_try(dhpa_search *dhpa)
{
    cairn_node from = dhpa_along(dhpa, 0);
    uint32_t rank = dhpa_rank(dhpa, from);
    dhpa->phase = DHPA_COMPARE;
    for (; dhpa->entrance_count > 1 && dhpa->entrance < dhpa->entrance_count; dhpa->entrance++) {
        if (crn_dhpa_walk_begin(&dhpa->walk, dhpa->index, dhpa->entrances[dhpa->entrance].cell,
                                rank, true))
            return CAIRN_RUNNING;
    }
    dhpa->phase = DHPA_WALK;
    bool found =
        dhpa->entrance_count &&
        crn_dhpa_walk_begin(&dhpa->walk, dhpa->index, dhpa->entrances[dhpa->best].cell, rank, true);
    return found ? CAIRN_RUNNING : CAIRN_UNREACHABLE; /* there is no such index */
}

/* Some of those from which a link leads to the cell. */
static cairn_status dhpa_find_links(dhpa_search *dhpa)
{
    const crn_links *links = &dhpa_space(dhpa)->links;
    const crn_clusters *clusters = &dhpa->index->graph.clusters;
    uint32_t cluster = dhpa->index->graph.groups[dhpa_along(dhpa, 0)], left = DHPA_LINKS;
    cairn_node to = crn_cluster_search_cell(&dhpa->base, dhpa_along(dhpa, 1));
    for (; left; left--) {
        dhpa->arrival = crn_clusters_arrival(clusters, cluster, to, dhpa->arrival);
        if (dhpa->arrival == links->count) return dhpa_try(dhpa);
        const crn_space_link *link = &links->links[links->arrivals[dhpa->arrival++].link];
        cairn_cost step = crn_saturate(crn_grid_walk_cost(clusters->space, link->from, to));
        if (!dhpa_add_entrance(dhpa, link->from, crn_min_u32(step, link->cost)))
            return CAIRN_OUT_OF_MEMORY;
    }
    dhpa->phase = DHPA_FIND;
    return CAIRN_RUNNING;
}

static void dhpa_compared(dhpa_search *dhpa)
{
    uint64_t cost = dhpa->walk.cost + dhpa->entrances[dhpa->entrance].step;
    if (cost >= dhpa->best_cost) return;
    dhpa->best_cost = cost;
    dhpa->best = dhpa->entrance;
}

static cairn_status dhpa_begin_leg(dhpa_search *dhpa)
{
    const crn_abstract_view *view = &dhpa->base.view;
    cairn_node from = dhpa_along(dhpa, 0), to = dhpa_along(dhpa, 1);
    cairn_node start = crn_abstract_view_start(view), goal = crn_abstract_view_goal(view);
    dhpa->leg = dhpa->base.builder.count - 1;
    dhpa->phase = DHPA_WALK;
    dhpa->entrance_count = 0;
    dhpa->best_cost = UINT64_MAX;
    if (from == start && (to == goal || dhpa->searched)) {
        dhpa->chain.count--;
        dhpa->phase = DHPA_NEXT;
        return dhpa_running(crn_builder_append(&dhpa->base.builder, &dhpa->base.ground.subsearch,
                                               crn_cluster_search_cell(&dhpa->base, to)));
    }
    if (from == start || to == goal) {
        cairn_node end =
            from == start ? dhpa->base.search->query.from : dhpa->base.search->goals[0];
        bool found = crn_dhpa_walk_begin(&dhpa->walk, dhpa->index, end,
                                         dhpa_rank(dhpa, from == start ? to : from), to == goal);
        return found ? CAIRN_RUNNING : CAIRN_UNREACHABLE; /* it was there before */
    }
    cairn_node cell = crn_cluster_search_cell(&dhpa->base, to);
    const crn_links *links = &dhpa_space(dhpa)->links;
    if (!dhpa_find_entrances(dhpa, dhpa->index->graph.groups[from], cell))
        return CAIRN_OUT_OF_MEMORY;
    if (!links->count) return dhpa_try(dhpa);
    dhpa->arrival = crn_links_first_arrival(links, cell);
    return dhpa_find_links(dhpa);
}

/* Puts this many cells of the trail into the path. */
static cairn_status dhpa_put_some(dhpa_search *dhpa, size_t steps)
{
    crn_builder *builder = &dhpa->base.builder;
    cairn_status status = crn_builder_reserve(builder, builder->count + steps);
    if (status != CAIRN_OK) return status;
    cairn_node *nodes = builder->nodes + builder->count;
    cairn_cost *costs = builder->costs + builder->count;
    bool back = dhpa->walk.back;
    const cairn_edge *trail = dhpa->walk.trail;
    size_t last = dhpa->walk.count - 1;
    uint64_t cost = costs[-1];
    for (size_t i = 0, at = dhpa->put; i < steps; i++, at++) {
        cost += trail[back ? last - at : at - 1].cost;
        nodes[i] = trail[back ? last - at : at].node;
        costs[i] = (cairn_cost)cost;
    }
    builder->count += steps;
    dhpa->put += steps;
    return cost > CAIRN_COST_MAX ? CAIRN_COST_OVERFLOW : CAIRN_OK;
}

/* Puts some of the trail into the path; at the end of it the step over the border. */
static cairn_status dhpa_put(dhpa_search *dhpa)
{
    size_t left = dhpa->walk.count - dhpa->put;
    cairn_status status = dhpa_put_some(dhpa, left < DHPA_STRIDE ? left : DHPA_STRIDE);
    if (status != CAIRN_OK) return status;
    if (left > DHPA_STRIDE) return CAIRN_RUNNING;
    dhpa->chain.count--;
    cairn_node to = crn_cluster_search_cell(&dhpa->base, dhpa_along(dhpa, 0));
    if (dhpa->entrance_count)
        status = crn_builder_put(&dhpa->base.builder, to, dhpa->entrances[dhpa->best].step);
    crn_builder_tell(&dhpa->base.builder, dhpa->leg);
    dhpa->phase = DHPA_NEXT;
    return dhpa_running(status);
}

/* ---- phases ---- */

/* Some steps of a walk. */
static cairn_status dhpa_go(dhpa_search *dhpa)
{
    if (!dhpa_walk_on(dhpa)) return CAIRN_RUNNING;
    if (dhpa->phase == DHPA_COMPARE) {
        dhpa_compared(dhpa);
        dhpa->entrance++;
        return dhpa_try(dhpa);
    }
    if (dhpa->walk.count > dhpa->most_trail) dhpa->most_trail = dhpa->walk.count;
    dhpa->put = 1; /* where the trail begins, the path ends */
    dhpa->phase = DHPA_PUT;
    return CAIRN_RUNNING;
}

static bool dhpa_complete(const dhpa_search *dhpa)
{
    return dhpa->chain.count <= 1;
}

static cairn_status dhpa_deliver(dhpa_search *dhpa)
{
    bool smoothed = dhpa->phase == DHPA_SMOOTH;
    dhpa->phase = DHPA_SMOOTH;
    return crn_builder_deliver(dhpa->base.search, dhpa_complete(dhpa), smoothed);
}

static cairn_status dhpa_smoothed(dhpa_search *dhpa)
{
    if (dhpa_complete(dhpa) || crn_builder_suffices(&dhpa->base.builder)) {
        uint32_t smooth = crn_parameter_of(dhpa->base.search->planner, "smooth");
        if (smooth != CRN_SMOOTH_NONE) crn_builder_tell(&dhpa->base.builder, 0);
        return dhpa_deliver(dhpa);
    }
    dhpa->phase = DHPA_NEXT;
    return CAIRN_RUNNING;
}

/* The path between two ends in one cluster is known, or that there is none. */
static cairn_status dhpa_found_direct(dhpa_search *dhpa, cairn_status ended)
{
    const crn_abstract_view *view = &dhpa->base.view;
    if (ended == CAIRN_OUT_OF_MEMORY) return ended;
    cairn_node goal = dhpa->base.search->goals[0];
    if (ended == CAIRN_FOUND && dhpa_cluster(dhpa, goal) == dhpa->base.ground.shown)
        dhpa->direct = crn_subsearch_cost(&dhpa->base.ground.subsearch, goal);
    cairn_status status = dhpa_begin_ends(dhpa);
    uint64_t least = crn_abstract_view_distance(view, &view->start, view->goal.x, view->goal.y);
    if (dhpa->direct > least || status != CAIRN_RUNNING) return status;
    dhpa->phase = DHPA_NEXT;
    status = dhpa_push(dhpa, crn_abstract_view_goal(view));
    return status == CAIRN_RUNNING ? dhpa_push(dhpa, crn_abstract_view_start(view)) : status;
}

static cairn_status dhpa_search_step(dhpa_search *dhpa, uint64_t *work)
{
    bool direct = dhpa->phase == DHPA_DIRECT;
    cairn_status status =
        crn_subsearch_step(direct ? &dhpa->base.ground.subsearch : &dhpa->base.above, work);
    if (status == CAIRN_RUNNING) return status;
    if (direct) return dhpa_found_direct(dhpa, status);
    if (status != CAIRN_FOUND) return status;
    dhpa->phase = DHPA_RECALL;
    return dhpa_push(dhpa, crn_abstract_view_goal(&dhpa->base.view));
}

/* One unit of work besides searches and rays. */
static cairn_status dhpa_act(dhpa_search *dhpa)
{
    switch (dhpa->phase) {
    case DHPA_ENDS: return dhpa_ends(dhpa);
    case DHPA_RECALL: return dhpa_recall(dhpa);
    case DHPA_FIND: return dhpa_find_links(dhpa);
    case DHPA_COMPARE:
    case DHPA_WALK: return dhpa_go(dhpa);
    case DHPA_PUT: return dhpa_put(dhpa);
    default: break;
    }
    bool enough = dhpa_complete(dhpa) || crn_builder_suffices(&dhpa->base.builder);
    return enough ? dhpa_deliver(dhpa) : dhpa_begin_leg(dhpa);
}

/* Goes on for at most *work units. */
static cairn_status dhpa_advance(dhpa_search *dhpa, uint64_t *work)
{
    if (dhpa->phase == DHPA_SMOOTH) {
        cairn_status status = crn_builder_smooth_step(&dhpa->base.builder, work);
        return status == CAIRN_OK ? dhpa_smoothed(dhpa) : status;
    }
    if (dhpa->phase == DHPA_DIRECT || dhpa->phase == DHPA_CROSS)
        return dhpa_search_step(dhpa, work);
    dhpa->base.search->metrics.work++;
    --*work;
    return dhpa_act(dhpa);
}

static void dhpa_count_bytes(dhpa_search *dhpa)
{
    const crn_abstract_view *view = &dhpa->base.view;
    dhpa->base.search->metrics.peak_bytes =
        crn_cluster_search_bytes(&dhpa->base, view->leave_count + view->arrive_count) +
        dhpa->chain.most * sizeof *dhpa->chain.items + dhpa->most_trail * sizeof *dhpa->walk.trail +
        (dhpa->approached ? dhpa->approach_places : 0) *
            (sizeof *dhpa->approach.costs + sizeof *dhpa->approach.links +
             sizeof *dhpa->approach.list);
}

cairn_status crn_dhpa_search_step(cairn_search *search, uint64_t work)
{
    dhpa_search *dhpa = dhpa_of(search);
    cairn_status status = CAIRN_RUNNING;
    while (work && status == CAIRN_RUNNING) status = dhpa_advance(dhpa, &work);
    dhpa_count_bytes(dhpa);
    return crn_cluster_search_end(&dhpa->base, status);
}

static cairn_status dhpa_begin_search(dhpa_search *dhpa)
{
    const cairn_search *search = dhpa->base.search;
    cairn_node from = search->query.from, to = search->goals[0];
    uint32_t cluster = dhpa_cluster(dhpa, from);
    dhpa->phase = DHPA_DIRECT;
    dhpa->direct = CAIRN_NO_COST;
    dhpa->costliest = dhpa->index->costliest;
    dhpa->searched = crn_clusters_one_way(&dhpa->index->graph.clusters);
    dhpa->walked = crn_metric_of(search->space);
    crn_cluster_search_aim(&dhpa->base, search->space->min_edge, dhpa->costliest);
    if (cluster != dhpa_cluster(dhpa, to) && !dhpa->searched) return dhpa_begin_ends(dhpa);
    crn_hpa_ground_show(&dhpa->base.ground, &dhpa->index->graph, cluster);
    cairn_status status = crn_subsearch_begin(&dhpa->base.ground.subsearch, from,
                                              dhpa->searched ? CAIRN_NO_NODE : to);
    return status == CAIRN_RUNNING ? status : dhpa_found_direct(dhpa, status);
}

cairn_status crn_dhpa_search_begin(cairn_search *search)
{
    dhpa_search *dhpa = dhpa_of(search);
    crn_nodes_clear(&dhpa->chain);
    dhpa->most_trail = 0;
    dhpa->approached = false;
    cairn_status status = crn_cluster_search_begin(&dhpa->base);
    if (status == CAIRN_OK) status = dhpa_reserve_approach(dhpa);
    if (status != CAIRN_OK) return status;
    if (search->query.from == search->goals[0]) {
        search->metrics.generated = 1;
        status = crn_builder_found(search, true);
    } else {
        status = dhpa_begin_search(dhpa);
    }
    dhpa_count_bytes(dhpa);
    return status;
}

cairn_status crn_dhpa_search_next(cairn_search *search)
{
    dhpa_search *dhpa = dhpa_of(search);
    crn_builder_next(&dhpa->base.builder);
    dhpa->approach.from = CAIRN_NO_NODE;
    dhpa->base.going = true;
    dhpa->phase = DHPA_NEXT;
    return CAIRN_RUNNING;
}
