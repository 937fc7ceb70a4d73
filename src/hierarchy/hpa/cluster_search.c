/* cluster_search.c: what the searches of HPA* and DHPA* have in common. See cluster_search.h. */
#include "hierarchy/hpa/cluster_search.h"

cairn_status crn_cluster_search_open(cairn_search *search, const crn_hpa *graph, size_t size)
{
    crn_scratch *memory = &search->memory;
    crn_cluster_search *base = search->scratch = crn_scratch_alloc(memory, size);
    if (!base) return CAIRN_OUT_OF_MEMORY;
    memset(base, 0, size);
    base->search = search;
    base->graph = graph;
    crn_builder_open(&base->builder, search);
    crn_abstract_view_open(&base->view, &graph->abstract, search->space);
    cairn_status status =
        crn_hpa_ground_open(&base->ground, memory, search, crn_grid_space_of(search->space));
    if (status != CAIRN_OK) return status;
    return crn_subsearch_open(&base->above, memory, search, &base->view.base, 1);
}

void crn_cluster_search_close(cairn_search *search, size_t size)
{
    crn_cluster_search *base = search->scratch;
    crn_scratch *memory = &search->memory;
    crn_builder_close(&base->builder);
    crn_subsearch_close(&base->above);
    crn_hpa_ground_close(&base->ground);
    crn_scratch_free(memory, base->leave, base->leave_capacity * sizeof *base->leave);
    crn_scratch_free(memory, base->arrive, base->arrive_capacity * sizeof *base->arrive);
    crn_scratch_free(memory, base, size);
    search->scratch = NULL;
}

cairn_status crn_cluster_search_begin(crn_cluster_search *base)
{
    crn_search_announce(base->search, 0);
    crn_hpa_ground_show(&base->ground, base->graph, CAIRN_NO_NODE);
    crn_part_refresh(&base->ground.part);
    crn_subsearch_rest(&base->ground.subsearch);
    crn_subsearch_rest(&base->above);
    base->view.leave_count = base->view.arrive_count = 0;
    base->going = false;
    return crn_builder_begin(&base->builder, base->search->query.from);
}

cairn_status crn_cluster_search_reserve(crn_cluster_search *base, size_t leave, size_t arrive)
{
    crn_scratch *memory = &base->search->memory;
    void *leaves = base->leave, *arrives = base->arrive;
    bool ok = crn_scratch_grow(memory, &leaves, &base->leave_capacity, leave, sizeof *base->leave);
    ok = ok &&
         crn_scratch_grow(memory, &arrives, &base->arrive_capacity, arrive, sizeof *base->arrive);
    base->leave = leaves;
    base->arrive = arrives;
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

void crn_cluster_search_aim(crn_cluster_search *base, cairn_cost min_edge, cairn_cost max_edge)
{
    crn_abstract_view *view = &base->view;
    const cairn_search *search = base->search;
    crn_abstract_position(search->space, search->query.from, &view->start.x, &view->start.y);
    crn_abstract_position(search->space, search->goals[0], &view->goal.x, &view->goal.y);
    crn_abstract_view_refresh(view, min_edge, max_edge);
    crn_abstract_view_open_gates(view, search->goals[0], &base->gates);
}

cairn_node crn_cluster_search_cell(const crn_cluster_search *base, cairn_node node)
{
    const crn_abstract_view *view = &base->view;
    return node == crn_abstract_view_start(view)  ? base->search->query.from
           : node == crn_abstract_view_goal(view) ? base->search->goals[0]
                                                  : crn_hpa_cell(base->graph, node);
}

/* Can it be that there is no path? Where links and steps may lead one way only, unless an edge may
 * have been left out because its cost does not fit 32 bits. */
static bool cluster_search_may_fail(const crn_cluster_search *base)
{
    const crn_hpa *graph = base->graph;
    const cairn_space *space = base->search->space;
    uint64_t side = graph->level[graph->levels - 1].size, cells = side * side;
    if (cells > space->node_count) cells = space->node_count;
    return cairn_space_directed(space) && cells * space->max_edge <= CAIRN_COST_MAX;
}

cairn_status crn_cluster_search_end(const crn_cluster_search *base, cairn_status status)
{
    bool failed = status == CAIRN_UNREACHABLE || status == CAIRN_COST_OVERFLOW;
    if (status == CAIRN_UNREACHABLE && !base->going && cluster_search_may_fail(base)) return status;
    if (failed && !base->going) return crn_search_delegate(base->search);
    /* there is a path, but not as the index has it */
    return status == CAIRN_UNREACHABLE ? CAIRN_STALE : status;
}

uint64_t crn_cluster_search_bytes(const crn_cluster_search *base, uint32_t edges)
{
    return crn_builder_bytes(&base->builder) + base->ground.subsearch.peak + base->above.peak +
           edges * sizeof *base->leave;
}
