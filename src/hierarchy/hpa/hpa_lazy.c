/* hpa_lazy.c: edges inside of clusters that are found when they are needed (intra=lazy). The index
 * holds no edges then. A search finds those of a node when it expands it, and keeps them until the
 * index changes. */
#include "hierarchy/hpa/hpa_lazy.h"

void crn_hpa_lazy_close(crn_hpa_lazy *lazy)
{
    if (!lazy) return;
    crn_scratch *memory = lazy->memory;
    crn_hpa_ground_close(&lazy->ground);
    crn_scratch_free(memory, lazy->nodes, lazy->node_capacity * sizeof *lazy->nodes);
    crn_scratch_free(memory, lazy->edges, lazy->edge_capacity * sizeof *lazy->edges);
    crn_scratch_free(memory, lazy, sizeof *lazy);
}

bool crn_hpa_lazy_refresh(crn_hpa_lazy *lazy)
{
    size_t count = lazy->index->abstract.node_count;
    void *nodes = lazy->nodes;
    bool ok = crn_scratch_grow(lazy->memory, &nodes, &lazy->node_capacity, count + 1,
                               sizeof *lazy->nodes);
    lazy->nodes = nodes;
    if (ok) memset(lazy->nodes, 0, (count + 1) * sizeof *lazy->nodes);
    lazy->edge_count = 0;
    crn_hpa_ground_show(&lazy->ground, lazy->index, CAIRN_NO_NODE);
    crn_part_refresh(&lazy->ground.part);
    return ok;
}

/* Finds the edges of a node; false = no memory. */
static bool hpa_lazy_find(crn_hpa_lazy *lazy, cairn_node node)
{
    const crn_hpa *index = lazy->index;
    uint32_t cluster = index->groups[node];
    if (cluster != lazy->ground.shown && !crn_hpa_ground_leave(&lazy->ground, index, cluster))
        return false;
    crn_hpa_ground_show(&lazy->ground, index, cluster);
    void *edges = lazy->edges;
    bool ok = crn_scratch_grow(lazy->memory, &edges, &lazy->edge_capacity,
                               lazy->edge_count + lazy->ground.count, sizeof *lazy->edges);
    lazy->edges = edges;
    cairn_node cell = crn_hpa_cell(index, node);
    if (!ok ||
        (!crn_hpa_ground_direct(&lazy->ground, index, cell, CAIRN_NO_NODE) &&
         crn_subsearch_find(&lazy->ground.subsearch, cell, CAIRN_NO_NODE) == CAIRN_OUT_OF_MEMORY))
        return false;
    cairn_cost costliest = 0;
    uint32_t count =
        crn_hpa_ground_edges(&lazy->ground, lazy->edges + lazy->edge_count, &costliest);
    lazy->nodes[node] =
        (crn_hpa_found){.edges = {(uint32_t)lazy->edge_count, count}, .known = true};
    lazy->edge_count += count;
    return true;
}

const cairn_edge *crn_hpa_lazy_edges(const crn_hpa_lazy *lazy, cairn_node node, uint32_t *count)
{
    const crn_list *found = &lazy->nodes[node].edges;
    *count = found->count;
    return found->first ? lazy->edges + found->first : lazy->edges;
}

/* Expands a node of a view of which the edges may not be known yet. As the level has none, it tells
 * only whether the goal is next. */
static uint32_t hpa_lazy_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                cairn_edge *out, uint32_t capacity)
{
    const crn_abstract_view *view = (const crn_abstract_view *)(const void *)space;
    crn_hpa_lazy *lazy = view->owner;
    if (node >= view->graph->node_count || !capacity)
        return crn_abstract_functions.expand(space, node, first, out, capacity);
    if (!lazy->nodes[node].known && !hpa_lazy_find(lazy, node)) {
        lazy->failed = true;
        return 0;
    }
    uint32_t count, goals = crn_abstract_functions.expand(space, node, 0, out, 1);
    const cairn_edge *edges = crn_hpa_lazy_edges(lazy, node, &count);
    uint32_t written = first ? 0 : goals;
    for (uint32_t i = first ? first - goals : 0; i < count && written < capacity; i++) {
        out[written++] = edges[i];
    }
    return written;
}

crn_hpa_lazy *crn_hpa_lazy_open(cairn_search *search, const crn_hpa *index, crn_abstract_view *view)
{
    crn_hpa_lazy *lazy = crn_scratch_alloc(&search->memory, sizeof *lazy);
    if (!lazy) return NULL;
    *lazy = (crn_hpa_lazy){
        .index = index, .memory = &search->memory, .functions = crn_abstract_functions};
    if (crn_hpa_ground_open(&lazy->ground, lazy->memory, NULL, crn_grid_space_of(search->space))) {
        crn_hpa_lazy_close(lazy);
        return NULL;
    }
    lazy->functions.expand = hpa_lazy_expand;
    lazy->functions.expand_back = NULL; /* edges are found when their node is expanded */
    view->base.functions = &lazy->functions;
    view->owner = lazy;
    return lazy;
}
