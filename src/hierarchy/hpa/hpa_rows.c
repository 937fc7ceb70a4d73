/* hpa_rows.c: the small graph of a larger cluster, and searches in it. See hpa_rows.h. */
#include "hierarchy/hpa/hpa_rows.h"

void crn_hpa_rows_open(crn_hpa_rows *rows, crn_scratch *memory)
{
    *rows = (crn_hpa_rows){.memory = memory};
    crn_sparse_open(&rows->open, memory);
}

void crn_hpa_rows_close(crn_hpa_rows *rows)
{
    crn_scratch *memory = rows->memory;
    crn_sparse_close(&rows->open);
    crn_nodes_close(&rows->nodes, memory);
    crn_nodes_close(&rows->first, memory);
    crn_scratch_free(memory, rows->numbers, rows->number_capacity * sizeof *rows->numbers);
    crn_scratch_free(memory, rows->edges, rows->edge_capacity * sizeof *rows->edges);
    crn_scratch_free(memory, rows->costs, rows->cost_capacity * sizeof *rows->costs);
    crn_scratch_free(memory, rows->targets, rows->target_capacity * sizeof *rows->targets);
}

/* ---- memory ---- */

static bool rows_reserve_numbers(crn_hpa_rows *rows, size_t need)
{
    size_t before = rows->number_capacity;
    void *numbers = rows->numbers;
    bool ok = crn_scratch_grow(rows->memory, &numbers, &rows->number_capacity, need,
                               sizeof *rows->numbers);
    rows->numbers = numbers;
    if (ok && rows->number_capacity > before)
        memset(rows->numbers + before, 0, (rows->number_capacity - before) * sizeof *rows->numbers);
    return ok;
}

static bool rows_reserve_edges(crn_hpa_rows *rows, size_t need)
{
    void *edges = rows->edges;
    bool ok =
        crn_scratch_grow(rows->memory, &edges, &rows->edge_capacity, need, sizeof *rows->edges);
    rows->edges = edges;
    return ok;
}

/* For a cost of each node, and for the targets. */
static bool rows_reserve_costs(crn_hpa_rows *rows)
{
    void *costs = rows->costs, *targets = rows->targets;
    bool ok = crn_scratch_grow(rows->memory, &costs, &rows->cost_capacity, rows->nodes.count,
                               sizeof *rows->costs);
    rows->costs = costs;
    ok = ok && crn_scratch_grow(rows->memory, &targets, &rows->target_capacity,
                                crn_hpa_rows_most(rows), sizeof *rows->targets);
    rows->targets = targets;
    return ok;
}

/* ---- the small graph ---- */

/* Has a node of the index a number in the small graph? */
static bool rows_has(const crn_hpa_rows *rows, cairn_node node)
{
    uint32_t number = rows->numbers[node];
    return number < rows->nodes.count && rows->nodes.items[number] == node;
}

static bool rows_add(crn_hpa_rows *rows, cairn_node node)
{
    rows->numbers[node] = (uint32_t)rows->nodes.count;
    return crn_nodes_push(&rows->nodes, rows->memory, node);
}

/* Adds the nodes of the level below. */
static bool rows_add_inside(crn_hpa_rows *rows, const crn_hpa *index,
                            const crn_hpa_children *children)
{
    for (uint32_t i = 0; i < children->columns * children->rows; i++) {
        uint32_t count;
        const crn_hpa_member *members = crn_hpa_members(index, crn_hpa_child(children, i), &count);
        for (uint32_t k = 0; k < count; k++) {
            if (crn_hpa_kept(index, members[k].node) && !rows_add(rows, members[k].node))
                return false;
        }
    }
    rows->inside = (uint32_t)rows->nodes.count;
    return true;
}

/* Adds the edges of a node: to nodes inside, and to those out of the cluster on its level and
 * higher ones. */
static bool rows_add_edges(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                           cairn_node node, uint32_t *edge_count)
{
    const crn_abstract_node *place = &index->abstract.nodes[node];
    const cairn_edge *edges = crn_abstract_edges(&index->abstract, node);
    if (!rows_reserve_edges(rows, (size_t)*edge_count + place->count)) return false;
    for (uint32_t e = 0; e < place->count; e++) {
        if (!rows_has(rows, edges[e].node)) {
            bool out = index->groups[edges[e].node] >= index->level[level].first;
            if (!out) continue;
            if (!rows_add(rows, edges[e].node)) return false;
        }
        rows->edges[(*edge_count)++] = (cairn_edge){rows->numbers[edges[e].node], edges[e].cost};
    }
    return true;
}

static bool rows_target_before(const void *a, const void *b)
{
    const crn_hpa_target *p = a, *q = b;
    return p->cell != q->cell ? p->cell < q->cell : p->level < q->level;
}

static void rows_sort_targets(crn_hpa_rows *rows, const crn_hpa *index)
{
    for (uint32_t i = rows->inside; i < rows->nodes.count; i++) {
        cairn_node node = rows->nodes.items[i];
        rows->targets[i - rows->inside] =
            (crn_hpa_target){crn_hpa_cell(index, node), crn_hpa_level_of(index, node), i};
    }
    crn_sort(rows->targets, crn_hpa_rows_most(rows), sizeof *rows->targets, rows_target_before);
}

bool crn_hpa_rows_gather(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level, uint32_t cluster)
{
    crn_hpa_children children = crn_hpa_children_of(index, level, cluster);
    uint32_t edge_count = 0;
    crn_nodes_clear(&rows->nodes);
    crn_nodes_clear(&rows->first);
    if (!rows_reserve_numbers(rows, index->abstract.node_count) ||
        !rows_add_inside(rows, index, &children))
        return false;
    for (uint32_t i = 0; i < rows->inside; i++) {
        if (!crn_nodes_push(&rows->first, rows->memory, edge_count) ||
            !rows_add_edges(rows, index, level, rows->nodes.items[i], &edge_count))
            return false;
    }
    if (!crn_nodes_push(&rows->first, rows->memory, edge_count) || !rows_reserve_costs(rows))
        return false;
    rows_sort_targets(rows, index);
    return true;
}

/* ---- searching it ---- */

/* Edges are about as long as clusters: finer buckets would stay empty. */
static uint32_t rows_shift(const crn_hpa *index, uint32_t level)
{
    uint64_t bucket = (uint64_t)index->clusters.space->base.min_edge *
                      crn_max_u32(index->level[level - 1].size / 2, 1);
    uint32_t shift = 0;
    while (bucket >> (shift + 1) && shift < 31) shift++;
    return shift;
}

static void rows_expand(crn_hpa_rows *rows, uint32_t number, cairn_cost cost)
{
    const cairn_edge *edge = rows->edges + rows->first.items[number],
                     *end = rows->edges + rows->first.items[number + 1];
    for (; edge < end; edge++) {
        uint64_t further = (uint64_t)cost + edge->cost;
        if (further >= rows->costs[edge->node]) continue; /* nor may it be more than fits */
        rows->costs[edge->node] = (cairn_cost)further;
        if (edge->node < rows->inside)
            crn_sparse_push(&rows->open, further, edge->node, (cairn_cost)further);
    }
}

uint32_t crn_hpa_rows_find(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                           cairn_node below)
{
    uint32_t expanded = 0, number = rows->numbers[below], cost;
    for (uint32_t i = 0; i < rows->nodes.count; i++) rows->costs[i] = CAIRN_NO_COST;
    CRN_CHECK(index->abstract.context, rows_has(rows, below));
    rows->costs[number] = 0;
    crn_sparse_reset(&rows->open, rows_shift(index, level), 0);
    crn_sparse_push(&rows->open, 0, number, 0);
    while (crn_sparse_advance(&rows->open)) {
        while (crn_sparse_pop(&rows->open, &number, &cost)) {
            if (rows->costs[number] != cost) continue; /* it got cheaper since */
            rows_expand(rows, number, cost);
            expanded++;
        }
    }
    return expanded;
}

uint32_t crn_hpa_rows_edges(const crn_hpa_rows *rows, cairn_edge *out, cairn_cost *costliest)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < crn_hpa_rows_most(rows); i++) {
        uint32_t number = rows->targets[i].number;
        cairn_cost cost = rows->costs[number];
        if (cost == CAIRN_NO_COST) continue;
        out[count++] = (cairn_edge){rows->nodes.items[number], cost};
        *costliest = crn_max_u32(*costliest, cost);
    }
    return count;
}
