/* hpa_rows.c: the small graph of a larger cluster, and searches in it. See hpa_rows.h. */
#include "hierarchy/hpa/hpa_rows.h"

void crn_hpa_rows_open(crn_hpa_rows *rows, crn_scratch *memory)
{
    *rows = (crn_hpa_rows){.memory = memory};
}

void crn_hpa_rows_close(crn_hpa_rows *rows)
{
    crn_scratch *memory = rows->memory;
    crn_scratch_free(memory, rows->queue.entries,
                     rows->queue.capacity * sizeof *rows->queue.entries);
    crn_nodes_close(&rows->nodes, memory);
    crn_nodes_close(&rows->first, memory);
    crn_nodes_close(&rows->back_first, memory);
    crn_nodes_close(&rows->left, memory);
    crn_nodes_close(&rows->places, memory);
    crn_nodes_close(&rows->passed, memory);
    crn_scratch_free(memory, rows->numbers, rows->number_capacity * sizeof *rows->numbers);
    crn_scratch_free(memory, rows->edges, rows->edge_capacity * sizeof *rows->edges);
    crn_scratch_free(memory, rows->back, rows->back_capacity * sizeof *rows->back);
    crn_scratch_free(memory, rows->costs, rows->cost_capacity * sizeof *rows->costs);
    crn_scratch_free(memory, rows->targets, rows->target_capacity * sizeof *rows->targets);
    crn_scratch_free(memory, rows->doubts, rows->doubt_capacity * sizeof *rows->doubts);
    crn_scratch_free(memory, rows->doubt_counts, rows->count_capacity * sizeof *rows->doubt_counts);
    crn_scratch_free(memory, rows->doubt_heads, rows->head_capacity * sizeof *rows->doubt_heads);
    crn_scratch_free(memory, rows->wanted, rows->wanted_capacity * sizeof *rows->wanted);
    crn_nodes_close(&rows->doubtful, memory);
}

/* ---- memory ---- */

bool crn_hpa_rows_reserve(crn_hpa_rows *rows, size_t need)
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
    if (need <= rows->edge_capacity) return true;
    bool ok =
        crn_scratch_grow(rows->memory, &edges, &rows->edge_capacity, need, sizeof *rows->edges);
    rows->edges = edges;
    return ok;
}

/* For three costs of each node. */
static bool rows_reserve_costs(crn_hpa_rows *rows)
{
    void *costs = rows->costs;
    bool ok = crn_scratch_grow(rows->memory, &costs, &rows->cost_capacity, 3 * rows->nodes.count,
                               sizeof *rows->costs);
    rows->costs = costs;
    return ok;
}

/* ---- the small graph ---- */

static bool rows_add(crn_hpa_rows *rows, cairn_node node)
{
    rows->numbers[node] = (uint32_t)rows->nodes.count;
    return crn_nodes_push(&rows->nodes, rows->memory, node);
}

/* Adds those that paths no longer lead through. */
static bool rows_add_former(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                            uint32_t cluster, const crn_hpa_past *past)
{
    rows->kept = (uint32_t)rows->nodes.count;
    for (size_t i = 0; i < past->count; i++) {
        const crn_hpa_former *former = &past->formers[i];
        if (crn_hpa_rows_concerns(index, level, cluster, former) &&
            !crn_hpa_rows_has(rows, former->node) && !rows_add(rows, former->node))
            return false;
    }
    rows->inside = (uint32_t)rows->nodes.count;
    return true;
}

/* Adds the nodes of the level below. */
static bool rows_add_inside(crn_hpa_rows *rows, const crn_hpa *index,
                            const crn_hpa_children *children)
{
    for (uint32_t i = 0; i < children->columns * children->rows; i++) {
        uint32_t count;
        const crn_hpa_member *members = crn_hpa_members(index, crn_hpa_child(children, i), &count);
        if (!crn_nodes_reserve(&rows->nodes, rows->memory, count)) return false;
        for (uint32_t k = 0; k < count; k++) {
            if (!crn_hpa_kept(index, members[k].node)) continue;
            rows->numbers[members[k].node] = (uint32_t)rows->nodes.count;
            rows->nodes.items[rows->nodes.count++] = members[k].node;
        }
    }
    return true;
}

/* Adds the edges of a node: to nodes inside, and to those out of the cluster on its level and
 * higher ones. */
static bool rows_add_edges(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                           cairn_node node, uint32_t *edge_count)
{
    const crn_abstract_node *place = &index->abstract.nodes[node];
    if (!rows_reserve_edges(rows, (size_t)*edge_count + place->count + 1) ||
        !crn_nodes_reserve(&rows->nodes, rows->memory, place->count))
        return false;
    if (!place->count) return true; /* there may be none at all */
    const cairn_edge *edge = crn_abstract_edges(&index->abstract, node), *end = edge + place->count;
    cairn_node *nodes = rows->nodes.items;
    uint32_t *numbers = rows->numbers, outside = index->level[level].first,
             count = (uint32_t)rows->nodes.count;
    cairn_cost longest = rows->longest;
    cairn_edge *out = rows->edges + *edge_count;
    for (; edge < end; edge++) {
        cairn_node to = edge->node;
        uint32_t number = numbers[to];
        if (number >= count || nodes[number] != to) {
            if (index->groups[to] < outside) continue;
            number = numbers[to] = count++;
            nodes[number] = to;
        }
        out->node = number;
        out++->cost = edge->cost;
        longest = crn_max_u32(longest, edge->cost);
    }
    rows->nodes.count = count;
    rows->longest = longest;
    *edge_count = (uint32_t)(out - rows->edges);
    return true;
}

static bool rows_target_before(const void *a, const void *b)
{
    const crn_hpa_target *p = a, *q = b;
    return p->cell != q->cell ? p->cell < q->cell : p->level < q->level;
}

bool crn_hpa_rows_sort(crn_hpa_rows *rows, const crn_hpa *index)
{
    uint32_t count = crn_hpa_rows_most(rows);
    void *targets = rows->targets;
    if (rows->sorted) return true;
    bool ok = crn_scratch_grow(rows->memory, &targets, &rows->target_capacity, count,
                               sizeof *rows->targets);
    rows->targets = targets;
    if (!ok) return false;
    for (uint32_t i = 0; i < count; i++) {
        cairn_node node = rows->nodes.items[rows->inside + i];
        rows->targets[i] = (crn_hpa_target){crn_hpa_cell(index, node),
                                            crn_hpa_level_of(index, node), rows->inside + i};
    }
    crn_sort(rows->targets, count, sizeof *rows->targets, rows_target_before);
    rows->sorted = true;
    return true;
}

bool crn_hpa_rows_gather(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level, uint32_t cluster,
                         const crn_hpa_past *past)
{
    crn_hpa_children children = crn_hpa_children_of(index, level, cluster);
    uint32_t edge_count = 0;
    crn_nodes_clear(&rows->nodes);
    crn_nodes_clear(&rows->first);
    rows->longest = rows->costliest = 0;
    if (!crn_hpa_rows_reserve(rows, index->abstract.node_count) ||
        !rows_add_inside(rows, index, &children) ||
        !rows_add_former(rows, index, level, cluster, past))
        return false;
    if (!crn_nodes_reserve(&rows->first, rows->memory, (size_t)rows->inside + 1)) return false;
    for (uint32_t i = 0; i < rows->inside; i++) {
        rows->first.items[i] = edge_count;
        if (!rows_add_edges(rows, index, level, rows->nodes.items[i], &edge_count)) return false;
    }
    rows->first.items[rows->inside] = edge_count;
    rows->sorted = false;
    return rows_reserve_costs(rows);
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

/* Room for this many more entries; false = no memory. */
static bool rows_reserve_entries(crn_hpa_rows *rows, size_t more)
{
    crn_hpa_queue *queue = &rows->queue;
    void *entries = queue->entries;
    bool ok = crn_scratch_grow(rows->memory, &entries, &queue->capacity, queue->count + more + 1,
                               sizeof *queue->entries);
    queue->entries = entries;
    return ok;
}

void crn_hpa_rows_begin(const crn_hpa_rows_search *search, const crn_hpa *index, uint32_t level,
                        cairn_cost most)
{
    crn_hpa_queue *queue = &search->rows->queue;
    for (size_t i = 0; i < search->rows->nodes.count; i++) search->costs[i] = most + 1;
    memset(queue->heads, 0, sizeof queue->heads);
    queue->count = queue->current = 0;
    queue->last = CRN_HPA_BUCKETS - 1;
    queue->shift = rows_shift(index, level);
    queue->wide = false;
}

void crn_hpa_rows_begin_paths(const crn_hpa_rows_search *search, const crn_hpa *index,
                              uint32_t level)
{
    crn_hpa_rows_begin(search, index, level, CAIRN_COST_MAX);
    for (uint32_t i = search->rows->kept; i < search->rows->inside; i++) search->costs[i] = 0;
}

/* Adds a node; there is room. */
CRN_INLINE void rows_put(crn_hpa_queue *queue, uint32_t number, cairn_cost cost)
{
    uint32_t slot = crn_min_u32(cost >> queue->shift, queue->last);
    uint32_t *head = &queue->heads[slot % CRN_HPA_BUCKETS], at = ++queue->count;
    crn_hpa_entry *entry = &queue->entries[at];
    entry->number = number;
    entry->cost = cost;
    entry->next = *head;
    *head = at;
}

void crn_hpa_rows_push(const crn_hpa_rows_search *search, uint32_t number, uint64_t cost)
{
    crn_hpa_rows *rows = search->rows;
    if (cost >= search->costs[number]) return;
    if (cost + (uint64_t)rows->longest * rows->inside > CAIRN_COST_MAX) rows->queue.wide = true;
    search->costs[number] = (cairn_cost)cost;
    if (number < rows->inside && rows_reserve_entries(rows, 1))
        rows_put(&rows->queue, number, (cairn_cost)cost);
}

/* Is all known that the search is for? What costs no more than the nodes to come is. */
static bool rows_is_done(const crn_hpa_rows_search *search, uint32_t *wanted, uint64_t floor)
{
    if (!*wanted) return false;
    const crn_hpa_wanted *last = search->rows->wanted + *wanted;
    for (; *wanted > 0; --*wanted) {
        cairn_cost cost = search->costs[(--last)->number];
        if (cost > floor && cost > last->floor) return false;
    }
    return true;
}

/* Expands a node; there is room for all nodes. `wide`: costs may become more than fits. */
CRN_INLINE void rows_expand(const crn_hpa_rows_search *search, uint32_t number, cairn_cost cost,
                            bool wide)
{
    cairn_cost *costs = search->costs;
    const cairn_edge *edge = search->edges + search->first[number],
                     *end = search->edges + search->first[number + 1];
    for (; edge < end; edge++) {
        cairn_cost sum = cost + edge->cost;
        if (CRN_LIKELY(sum >= costs[edge->node]) || (wide && sum < cost)) continue;
        costs[edge->node] = sum;
        if (edge->node < search->rows->inside) rows_put(&search->rows->queue, edge->node, sum);
    }
}

/* Expands what is in the current bucket. Returns how many nodes. */
CRN_INLINE uint32_t rows_empty(const crn_hpa_rows_search *search, uint32_t *popped, bool wide)
{
    crn_hpa_rows *rows = search->rows;
    uint32_t *head = &rows->queue.heads[rows->queue.current % CRN_HPA_BUCKETS], expanded = 0;
    for (uint32_t at; (at = *head); ++*popped) {
        const crn_hpa_entry *entry = &rows->queue.entries[at];
        uint32_t number = entry->number;
        cairn_cost cost = entry->cost;
        *head = entry->next;
        if (search->costs[number] != cost) continue; /* it got cheaper since */
        if (CRN_UNLIKELY(rows->queue.count + (size_t)rows->inside >= rows->queue.capacity) &&
            !rows_reserve_entries(rows, rows->inside))
            break;
        rows_expand(search, number, cost, wide);
        expanded++;
    }
    return expanded;
}

uint32_t crn_hpa_rows_run(const crn_hpa_rows_search *by)
{
    const crn_hpa_rows_search search = *by;
    crn_hpa_queue *queue = &search.rows->queue;
    uint32_t expanded = 0, popped = 0, wanted = search.wanted;
    while (popped < queue->count && !search.rows->memory->failed) {
        while (!queue->heads[queue->current % CRN_HPA_BUCKETS]) queue->current++;
        if (rows_is_done(&search, &wanted, (uint64_t)queue->current << queue->shift)) break;
        queue->last = queue->current + CRN_HPA_BUCKETS - 1;
        expanded +=
            queue->wide ? rows_empty(&search, &popped, true) : rows_empty(&search, &popped, false);
    }
    return expanded;
}

uint32_t crn_hpa_rows_find(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                           cairn_node below)
{
    crn_hpa_rows_search search = {rows, rows->first.items, rows->edges, rows->costs, 0};
    if (!crn_hpa_rows_sort(rows, index)) return 0;
    crn_hpa_rows_begin_paths(&search, index, level);
    CRN_CHECK(index->abstract.context, crn_hpa_rows_has(rows, below));
    crn_hpa_rows_push(&search, rows->numbers[below], 0);
    return crn_hpa_rows_run(&search);
}

/* ---- edges ---- */

uint32_t crn_hpa_rows_edges(crn_hpa_rows *rows, cairn_edge *out)
{
    uint32_t count = 0;
    cairn_cost costliest = rows->costliest;
    for (uint32_t i = 0; i < crn_hpa_rows_most(rows); i++) {
        uint32_t number = rows->targets[i].number;
        cairn_cost cost = rows->costs[number];
        if (cost == CAIRN_NO_COST) continue;
        out[count++] = (cairn_edge){rows->nodes.items[number], cost};
        costliest = crn_max_u32(costliest, cost);
    }
    rows->costliest = costliest;
    return count;
}
