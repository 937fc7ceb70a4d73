/* hpa_lazy.c: edges inside of clusters that are found when they are needed (intra=lazy). The index
 * holds no edges then. A search finds those of a node when it expands it, and keeps them until the
 * index changes.
 *
 * To find them is a search of a cluster. It is done in units of work: until the edges are known,
 * the view answers "later", and the search above asks again with its next unit. Edges that an
 * earlier query has found take as many units, in which nothing is done: the work of a query, and
 * where its budget ends, do not depend on what was asked before. */
#include "hierarchy/hpa/hpa_lazy.h"

#define LAZY_BLOCK 8192u   /* edges of a block, or as many as a node may have */
#define LAZY_CLEARED 4096u /* nodes that are forgotten in a unit of work */
#define LAZY_OUTLETS 128u  /* that become edges */
#define LAZY_CELLS 32u     /* that are expanded */

void crn_hpa_lazy_close(crn_hpa_lazy *lazy)
{
    if (!lazy) return;
    crn_scratch *memory = lazy->memory;
    crn_hpa_ground_close(&lazy->ground);
    crn_scratch_free(memory, lazy->nodes, lazy->node_count * sizeof *lazy->nodes);
    for (size_t i = 0; i < lazy->block_count; i++)
        crn_scratch_free(memory, lazy->blocks[i].edges,
                         lazy->blocks[i].capacity * sizeof *lazy->blocks[i].edges);
    crn_scratch_free(memory, lazy->blocks, lazy->block_capacity * sizeof *lazy->blocks);
    crn_scratch_free(memory, lazy, sizeof *lazy);
}

bool crn_hpa_lazy_forget(crn_hpa_lazy *lazy)
{
    size_t count = lazy->index->abstract.node_count + 1;
    if (count != lazy->node_count) {
        crn_scratch_free(lazy->memory, lazy->nodes, lazy->node_count * sizeof *lazy->nodes);
        lazy->nodes = crn_scratch_alloc(lazy->memory, crn_mul_size(count, sizeof *lazy->nodes));
        lazy->node_count = lazy->nodes ? count : 0;
    }
    lazy->cleared = lazy->block = lazy->used = 0;
    lazy->node = lazy->waiting = CAIRN_NO_NODE;
    crn_hpa_ground_show(&lazy->ground, lazy->index, CAIRN_NO_NODE);
    crn_part_refresh(&lazy->ground.part);
    return lazy->nodes;
}

bool crn_hpa_lazy_forget_on(crn_hpa_lazy *lazy)
{
    size_t left = lazy->node_count - lazy->cleared,
           count = left < LAZY_CLEARED ? left : LAZY_CLEARED;
    memset(lazy->nodes + lazy->cleared, 0, count * sizeof *lazy->nodes);
    lazy->cleared += count;
    return count == left;
}

/* Makes room for this many edges at one place: in this block, or in the next one; false = no
 * memory. */
static bool hpa_lazy_reserve(crn_hpa_lazy *lazy, size_t count)
{
    if (lazy->block < lazy->block_count && lazy->used + count <= lazy->blocks[lazy->block].capacity)
        return true;
    if (lazy->used) lazy->block++;
    lazy->used = 0;
    void *blocks = lazy->blocks;
    bool ok = crn_scratch_grow(lazy->memory, &blocks, &lazy->block_capacity, lazy->block + 1,
                               sizeof *lazy->blocks);
    lazy->blocks = blocks;
    if (!ok) return false;
    if (lazy->block == lazy->block_count) lazy->blocks[lazy->block_count++] = (crn_hpa_block){0};
    crn_hpa_block *block = &lazy->blocks[lazy->block];
    if (block->capacity >= count) return true;
    crn_scratch_free(lazy->memory, block->edges, block->capacity * sizeof *block->edges);
    *block = (crn_hpa_block){.capacity = count > LAZY_BLOCK ? count : LAZY_BLOCK};
    block->edges =
        crn_scratch_alloc(lazy->memory, crn_mul_size(block->capacity, sizeof *block->edges));
    if (!block->edges) block->capacity = 0;
    return block->edges;
}

/* The outlets of the cluster are known: begins to search it. */
static bool hpa_lazy_begin(crn_hpa_lazy *lazy)
{
    const crn_hpa *index = lazy->index;
    crn_hpa_ground *ground = &lazy->ground;
    cairn_node cell = crn_hpa_cell(index, lazy->node);
    crn_hpa_ground_show(ground, index, index->groups[lazy->node]);
    if (!hpa_lazy_reserve(lazy, (size_t)ground->count * index->levels)) return false;
    lazy->leaving = (crn_hpa_leaving){.best = CAIRN_NO_COST};
    lazy->stage = CRN_HPA_LAZY_WRITE;
    if (crn_hpa_ground_sees(ground, index, cell, CAIRN_NO_NODE)) return true;
    lazy->stage = CRN_HPA_LAZY_SEARCH;
    return crn_subsearch_begin(&ground->subsearch, cell, CAIRN_NO_NODE) != CAIRN_OUT_OF_MEMORY;
}

/* Writes some of the edges. */
static cairn_status hpa_lazy_write(crn_hpa_lazy *lazy)
{
    cairn_edge *edges = lazy->blocks[lazy->block].edges + lazy->used;
    if (!crn_hpa_ground_edges_on(&lazy->ground, &lazy->leaving, edges, LAZY_OUTLETS))
        return CAIRN_RUNNING;
    lazy->nodes[lazy->node] =
        (crn_hpa_found){.edges = edges, .count = lazy->leaving.count, .known = true};
    lazy->used += lazy->leaving.count;
    lazy->node = CAIRN_NO_NODE;
    return CAIRN_OK;
}

/* Finds the edges of a node, a bounded piece at a time: CAIRN_RUNNING, CAIRN_OK when they are
 * known. */
static cairn_status hpa_lazy_find(crn_hpa_lazy *lazy, cairn_node node)
{
    const crn_hpa *index = lazy->index;
    uint32_t cluster = index->groups[node];
    uint64_t work = LAZY_CELLS;
    if (node != lazy->node) {
        lazy->node = node;
        lazy->stage = CRN_HPA_LAZY_GATHER;
        crn_hpa_ground_begin_leaving(&lazy->ground);
    }
    cairn_status status = CAIRN_RUNNING;
    switch (lazy->stage) {
    case CRN_HPA_LAZY_GATHER:
        status = crn_hpa_ground_leave_on(&lazy->ground, index, cluster);
        if (status != CAIRN_OK) return status;
        lazy->stage = CRN_HPA_LAZY_BEGIN;
        return CAIRN_RUNNING;
    case CRN_HPA_LAZY_BEGIN: return hpa_lazy_begin(lazy) ? CAIRN_RUNNING : CAIRN_OUT_OF_MEMORY;
    case CRN_HPA_LAZY_SEARCH:
        status = crn_subsearch_step(&lazy->ground.subsearch, &work);
        if (status == CAIRN_RUNNING || status == CAIRN_OUT_OF_MEMORY) return status;
        lazy->stage = CRN_HPA_LAZY_WRITE;
        return CAIRN_RUNNING;
    default: return hpa_lazy_write(lazy);
    }
}

void crn_hpa_lazy_begin(crn_hpa_lazy *lazy)
{
    lazy->node = lazy->waiting = CAIRN_NO_NODE;
    lazy->failed = false;
}

/* The same, or waits as long as that took. */
static cairn_status hpa_lazy_wait(crn_hpa_lazy *lazy, cairn_node node)
{
    crn_hpa_found *found = &lazy->nodes[node];
    cairn_status status = CAIRN_OK;
    if (lazy->waiting != node) lazy->waited = 0;
    lazy->waiting = node;
    if (!found->known) {
        status = hpa_lazy_find(lazy, node);
        if (status == CAIRN_OK) found->units = lazy->waited;
    } else if (lazy->waited < found->units) {
        status = CAIRN_RUNNING;
    }
    lazy->waited++;
    if (status != CAIRN_RUNNING) lazy->waiting = CAIRN_NO_NODE;
    return status;
}

const cairn_edge *crn_hpa_lazy_edges(const crn_hpa_lazy *lazy, cairn_node node, uint32_t *count)
{
    *count = lazy->nodes[node].count;
    return lazy->nodes[node].edges;
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
    if (!first) {
        cairn_status status = hpa_lazy_wait(lazy, node);
        if (status == CAIRN_RUNNING) return CRN_EXPAND_LATER;
        if (status != CAIRN_OK) {
            lazy->node = CAIRN_NO_NODE;
            lazy->failed = true;
            return 0;
        }
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
    *lazy = (crn_hpa_lazy){.index = index,
                           .memory = &search->memory,
                           .functions = crn_abstract_functions,
                           .node = CAIRN_NO_NODE,
                           .waiting = CAIRN_NO_NODE};
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
