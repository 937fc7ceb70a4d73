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
    crn_nodes_close(&rows->back_first, memory);
    crn_nodes_close(&rows->left, memory);
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
    if (need <= rows->edge_capacity) return true;
    bool ok =
        crn_scratch_grow(rows->memory, &edges, &rows->edge_capacity, need, sizeof *rows->edges);
    rows->edges = edges;
    return ok;
}

static bool rows_reserve_doubt(crn_hpa_rows *rows)
{
    void *doubts = rows->doubts;
    bool ok = crn_scratch_grow(rows->memory, &doubts, &rows->doubt_capacity,
                               (size_t)rows->doubt_count + 1, sizeof *rows->doubts);
    rows->doubts = doubts;
    return ok;
}

/* To find doubts: what is known of each number, and what a search is for. */
static bool rows_reserve_wanted(crn_hpa_rows *rows)
{
    size_t count = rows->nodes.count;
    void *counts = rows->doubt_counts, *heads = rows->doubt_heads, *wanted = rows->wanted;
    bool ok = crn_scratch_grow(rows->memory, &counts, &rows->count_capacity, count,
                               sizeof *rows->doubt_counts);
    rows->doubt_counts = counts;
    ok = ok && crn_scratch_grow(rows->memory, &heads, &rows->head_capacity, count,
                                sizeof *rows->doubt_heads);
    rows->doubt_heads = heads;
    ok = ok && crn_scratch_grow(rows->memory, &wanted, &rows->wanted_capacity, rows->doubt_count,
                                sizeof *rows->wanted);
    rows->wanted = wanted;
    return ok;
}

/* For three costs of each node, and for the targets. */
static bool rows_reserve_costs(crn_hpa_rows *rows)
{
    void *costs = rows->costs, *targets = rows->targets;
    bool ok = crn_scratch_grow(rows->memory, &costs, &rows->cost_capacity, 3 * rows->nodes.count,
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

/* Is a node that is not what it was one of the level below in a cluster? */
static bool rows_concerns(const crn_hpa *index, uint32_t level, uint32_t cluster,
                          const crn_hpa_former *former)
{
    return former->level + 1 == level &&
           crn_hpa_cluster(index, level, crn_hpa_cell(index, former->node)) == cluster;
}

/* Adds those that paths no longer lead through. */
static bool rows_add_former(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                            uint32_t cluster, const crn_hpa_past *past)
{
    rows->kept = (uint32_t)rows->nodes.count;
    for (size_t i = 0; i < past->count; i++) {
        const crn_hpa_former *former = &past->formers[i];
        if (rows_concerns(index, level, cluster, former) && !rows_has(rows, former->node) &&
            !rows_add(rows, former->node))
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
        for (uint32_t k = 0; k < count; k++) {
            if (crn_hpa_kept(index, members[k].node) && !rows_add(rows, members[k].node))
                return false;
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

bool crn_hpa_rows_gather(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level, uint32_t cluster,
                         const crn_hpa_past *past)
{
    crn_hpa_children children = crn_hpa_children_of(index, level, cluster);
    uint32_t edge_count = 0;
    crn_nodes_clear(&rows->nodes);
    crn_nodes_clear(&rows->first);
    if (!rows_reserve_numbers(rows, index->abstract.node_count) ||
        !rows_add_inside(rows, index, &children) ||
        !rows_add_former(rows, index, level, cluster, past))
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

/* Edges of the small graph, forwards or back. */
typedef struct rows_search {
    crn_hpa_rows *rows;
    const uint32_t *first;
    const cairn_edge *edges;
    cairn_cost *costs;
    uint32_t wanted; /* of rows->wanted: so many are to be found; none: all nodes are */
} rows_search;

/* A path to a node costs this; it must not be more than fits. */
CRN_INLINE void rows_relax(const rows_search *search, uint32_t number, uint64_t cost)
{
    if (CRN_LIKELY(cost >= search->costs[number])) return;
    search->costs[number] = (cairn_cost)cost;
    if (number < search->rows->inside)
        crn_sparse_push(&search->rows->open, cost, number, (cairn_cost)cost);
}

/* Is all known that the search is for? What costs no more than the nodes to come is. */
static bool rows_is_done(rows_search *search)
{
    const crn_hpa_wanted *wanted = search->rows->wanted;
    uint64_t floor = crn_sparse_floor(&search->rows->open);
    uint32_t left = search->wanted;
    if (!left) return false;
    for (; left > 0; left--) {
        cairn_cost cost = search->costs[wanted[left - 1].number];
        if (cost > floor && cost > wanted[left - 1].floor) break;
    }
    search->wanted = left;
    return !left;
}

/* Expands what was pushed, and what that leads to. Returns how many nodes. */
static uint32_t rows_run(const rows_search *by)
{
    rows_search search = *by;
    crn_sparse *open = &search.rows->open;
    uint32_t expanded = 0, number, cost;
    while (crn_sparse_advance(open) && !rows_is_done(&search)) {
        while (crn_sparse_pop(open, &number, &cost)) {
            if (search.costs[number] != cost) continue; /* it got cheaper since */
            const cairn_edge *edge = search.edges + search.first[number],
                             *end = search.edges + search.first[number + 1];
            for (; edge < end; edge++) rows_relax(&search, edge->node, (uint64_t)cost + edge->cost);
            expanded++;
        }
    }
    return expanded;
}

/* Begins with nothing reached. */
static void rows_begin(const rows_search *search, const crn_hpa *index, uint32_t level)
{
    crn_hpa_rows *rows = search->rows;
    for (uint32_t i = 0; i < rows->nodes.count; i++) search->costs[i] = CAIRN_NO_COST;
    crn_sparse_reset(&rows->open, rows_shift(index, level), 0);
}

/* Begins to look for paths: nothing leads through nodes that are not kept. */
static void rows_begin_paths(const rows_search *search, const crn_hpa *index, uint32_t level)
{
    rows_begin(search, index, level);
    for (uint32_t i = search->rows->kept; i < search->rows->inside; i++) search->costs[i] = 0;
}

uint32_t crn_hpa_rows_find(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                           cairn_node below)
{
    rows_search search = {rows, rows->first.items, rows->edges, rows->costs, 0};
    rows_begin_paths(&search, index, level);
    CRN_CHECK(index->abstract.context, rows_has(rows, below));
    rows_relax(&search, rows->numbers[below], 0);
    return rows_run(&search);
}

/* ---- what is not as it was ---- */

/* Turns the edges round; false = no memory. */
static bool rows_turn(crn_hpa_rows *rows)
{
    uint32_t edge_count = rows->first.items[rows->inside];
    size_t count = rows->nodes.count + 2;
    void *back = rows->back, *firsts = rows->back_first.items;
    bool ok = crn_scratch_grow(rows->memory, &back, &rows->back_capacity, (size_t)edge_count + 1,
                               sizeof *rows->back);
    rows->back = back;
    ok = ok && crn_scratch_grow(rows->memory, &firsts, &rows->back_first.capacity, count,
                                sizeof *rows->back_first.items);
    rows->back_first.items = firsts;
    if (!ok) return false;
    uint32_t *first = rows->back_first.items;
    memset(first, 0, count * sizeof *first);
    for (uint32_t e = 0; e < edge_count; e++) first[rows->edges[e].node + 2]++;
    for (uint32_t i = 2; i < count; i++) first[i] += first[i - 1];
    for (uint32_t from = 0; from < rows->inside; from++) {
        for (uint32_t e = rows->first.items[from]; e < rows->first.items[from + 1]; e++)
            rows->back[first[rows->edges[e].node + 1]++] = (cairn_edge){from, rows->edges[e].cost};
    }
    return true;
}

/* A node has this edge now, and did not before or at a higher cost: pushes what it leads to. Only
 * paths that are cheaper matter, so it counts as if it cost one more. Returns whether it is an edge
 * of the small graph. */
static bool rows_push_new(const rows_search *search, const cairn_edge *edge)
{
    if (!rows_has(search->rows, edge->node)) return false;
    rows_relax(search, search->rows->numbers[edge->node], (uint64_t)edge->cost + 1);
    search->rows->cheaper = true;
    return true;
}

/* A node had this edge, and does not any more or at a higher cost. */
static bool rows_push_old(const rows_search *search, const cairn_edge *edge)
{
    if (!rows_has(search->rows, edge->node)) return false;
    rows_relax(search, search->rows->numbers[edge->node], edge->cost);
    return true;
}

/* A node has these edges, and had the others. Pushes what those lead to that are not the same.
 * Returns whether there are any. The order of edges is the same in both lists. */
static bool rows_push_edges(const rows_search *search, const cairn_edge *has, uint32_t count,
                            const cairn_edge *had, uint32_t had_count)
{
    uint32_t at = 0;
    bool any = false;
    for (uint32_t e = 0; e < had_count; e++) {
        uint32_t same = at;
        while (same < count && has[same].node != had[e].node) same++;
        if (same < count) {
            for (; at < same; at++) any = rows_push_new(search, &has[at]) || any;
            at++;
            if (has[same].cost < had[e].cost) any = rows_push_new(search, &has[same]) || any;
        }
        if (same == count || has[same].cost > had[e].cost)
            any = rows_push_old(search, &had[e]) || any;
    }
    for (; at < count; at++) any = rows_push_new(search, &has[at]) || any;
    return any;
}

/* A node is not what it was: pushes what its edges lead to that are not the same. Returns whether
 * there are any. */
static bool rows_push_former(const rows_search *search, const crn_hpa *index,
                             const crn_hpa_past *past, const crn_hpa_former *former)
{
    const crn_hpa_rows *rows = search->rows;
    const cairn_edge *has = crn_abstract_edges(&index->abstract, former->node),
                     *had = former->count ? past->edges + former->first : NULL;
    uint32_t count = index->abstract.nodes[former->node].count;
    if (!former->chosen) return rows_push_edges(search, has, count, had, former->count);
    bool any = rows_push_edges(search, NULL, 0, had, former->count);
    if (rows->numbers[former->node] >= rows->kept) return any;
    return rows_push_edges(search, has, count, NULL, 0) || any;
}

uint32_t crn_hpa_rows_measure(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                              uint32_t cluster, const crn_hpa_past *past)
{
    rows->doubt_count = 0;
    rows->cheaper = false;
    if (!rows_turn(rows)) return 0;
    size_t count = rows->nodes.count;
    rows_search there = {rows, rows->back_first.items, rows->back, rows->costs + count, 0},
                further = {rows, rows->first.items, rows->edges, rows->costs + 2 * count, 0};
    crn_nodes_clear(&rows->left);
    rows_begin(&further, index, level);
    for (size_t i = 0; i < past->count; i++) {
        const crn_hpa_former *former = &past->formers[i];
        if (rows_concerns(index, level, cluster, former) &&
            rows_push_former(&further, index, past, former) &&
            !crn_nodes_push(&rows->left, rows->memory, rows->numbers[former->node]))
            return 0;
    }
    uint32_t expanded = rows_run(&further);
    rows_begin(&there, index, level);
    for (size_t i = 0; i < rows->left.count; i++) rows_relax(&there, rows->left.items[i], 0);
    return expanded + rows_run(&there);
}

/* ---- edges in doubt ---- */

static bool rows_add_doubt(crn_hpa_rows *rows, uint32_t member, cairn_node below, uint32_t target,
                           cairn_cost floor)
{
    if (!rows_reserve_doubt(rows)) return false;
    rows->doubts[rows->doubt_count++] = (crn_hpa_doubt){.member = member,
                                                        .from = rows->numbers[below],
                                                        .to = rows->targets[target].number,
                                                        .target = target,
                                                        .cost = floor};
    return true;
}

bool crn_hpa_rows_doubt(crn_hpa_rows *rows, const crn_hpa *index, uint32_t member, cairn_node node,
                        cairn_node below, cairn_cost *costliest)
{
    const crn_abstract_node *place = &index->abstract.nodes[node];
    const cairn_edge *edges = crn_abstract_edges(&index->abstract, node);
    const cairn_cost *further = rows->costs + 2 * rows->nodes.count;
    uint64_t there = rows->costs[rows->nodes.count + rows->numbers[below]];
    uint32_t e = 0, before = rows->doubt_count;
    cairn_cost most = 0;
    for (uint32_t i = 0; i < crn_hpa_rows_most(rows); i++) {
        uint32_t number = rows->targets[i].number;
        bool had = e < place->count && edges[e].node == rows->nodes.items[number];
        bool passes = there != CAIRN_NO_COST && further[number] != CAIRN_NO_COST;
        uint64_t by = there + further[number];
        if (passes && (had ? edges[e].cost >= by : rows->cheaper) &&
            !rows_add_doubt(rows, member, below, i,
                            rows->cheaper ? (cairn_cost)(by ? by - 1 : 0) : edges[e].cost))
            return false;
        if (had) most = crn_max_u32(most, edges[e++].cost);
    }
    if (e + 1 != place->count || edges[e].node != below) {
        rows->doubt_count = before;
        return false;
    }
    if (rows->doubt_count == before) *costliest = crn_max_u32(*costliest, most);
    return true;
}

/* Counts the doubts of each node and target, and chains those of each target; false = no
 * memory. */
static bool rows_count_doubts(crn_hpa_rows *rows)
{
    if (!rows_reserve_wanted(rows)) return false;
    crn_nodes_clear(&rows->doubtful);
    memset(rows->doubt_counts, 0, rows->nodes.count * sizeof *rows->doubt_counts);
    memset(rows->doubt_heads, 0, rows->nodes.count * sizeof *rows->doubt_heads);
    for (uint32_t i = rows->doubt_count; i-- > 0;) {
        crn_hpa_doubt *doubt = &rows->doubts[i];
        uint32_t ends[] = {doubt->from, doubt->to};
        for (uint32_t k = 0; k < 2; k++) {
            if (!rows->doubt_counts[ends[k]]++ &&
                !crn_nodes_push(&rows->doubtful, rows->memory, ends[k]))
                return false;
        }
        doubt->next = rows->doubt_heads[doubt->to];
        rows->doubt_heads[doubt->to] = rows->doubt_heads[doubt->from] = i + 1;
    }
    return true;
}

/* The node or target with most doubts; CAIRN_NO_NODE if all are found. */
static uint32_t rows_most_doubtful(crn_hpa_rows *rows)
{
    uint32_t best = CAIRN_NO_NODE, most = 0;
    size_t kept = 0;
    for (size_t i = 0; i < rows->doubtful.count; i++) {
        uint32_t number = rows->doubtful.items[i], count = rows->doubt_counts[number];
        if (!count) continue;
        rows->doubtful.items[kept++] = number;
        if (count <= most) continue;
        most = count;
        best = number;
    }
    rows->doubtful.count = kept;
    return best;
}

/* The next doubt of a node, or of a target; NULL if there is none. */
static crn_hpa_doubt *rows_next_doubt(const crn_hpa_rows *rows, uint32_t number,
                                      crn_hpa_doubt *doubt)
{
    if (number >= rows->inside) return doubt->next ? &rows->doubts[doubt->next - 1] : NULL;
    crn_hpa_doubt *next = doubt + 1;
    return next < rows->doubts + rows->doubt_count && next->from == number ? next : NULL;
}

/* Finds all edges in doubt of a node or a target. Returns how many nodes were expanded. */
static uint32_t rows_settle(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                            uint32_t number)
{
    rows_search search = {rows, rows->first.items, rows->edges, rows->costs, 0};
    bool forwards = number < rows->inside;
    crn_hpa_doubt *first = &rows->doubts[rows->doubt_heads[number] - 1];
    for (crn_hpa_doubt *d = first; d; d = rows_next_doubt(rows, number, d)) {
        if (!d->found)
            rows->wanted[search.wanted++] = (crn_hpa_wanted){forwards ? d->to : d->from, d->cost};
    }
    if (!forwards) {
        search.first = rows->back_first.items;
        search.edges = rows->back;
    }
    rows_begin_paths(&search, index, level);
    if (forwards) {
        rows_relax(&search, number, 0);
    } else {
        for (uint32_t e = search.first[number]; e < search.first[number + 1]; e++)
            rows_relax(&search, rows->back[e].node, rows->back[e].cost);
    }
    uint32_t expanded = rows_run(&search);
    for (crn_hpa_doubt *d = first; d; d = rows_next_doubt(rows, number, d)) {
        if (d->found) continue;
        d->found = true;
        d->cost = rows->costs[forwards ? d->to : d->from];
        rows->doubt_counts[d->from]--;
        rows->doubt_counts[d->to]--;
    }
    return expanded;
}

uint32_t crn_hpa_rows_settle(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level)
{
    uint32_t expanded = 0;
    if (!rows->doubt_count || !rows_count_doubts(rows)) return 0;
    for (uint32_t number; (number = rows_most_doubtful(rows)) != CAIRN_NO_NODE;)
        expanded += rows_settle(rows, index, level, number);
    return expanded;
}

/* ---- edges ---- */

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

uint32_t crn_hpa_rows_mend(const crn_hpa_rows *rows, const crn_hpa *index, cairn_node node,
                           uint32_t *doubt, cairn_edge *out, cairn_cost *costliest)
{
    const cairn_edge *edges = crn_abstract_edges(&index->abstract, node);
    uint32_t count = 0, e = 0, at = *doubt, member = rows->doubts[at].member;
    for (uint32_t i = 0; i < crn_hpa_rows_most(rows); i++) {
        cairn_node target = rows->nodes.items[rows->targets[i].number];
        cairn_cost cost = CAIRN_NO_COST;
        if (edges[e].node == target) cost = edges[e++].cost; /* the last one leads below */
        if (at < rows->doubt_count && rows->doubts[at].member == member &&
            rows->doubts[at].target == i)
            cost = rows->doubts[at++].cost;
        if (cost == CAIRN_NO_COST) continue;
        out[count++] = (cairn_edge){target, cost};
        *costliest = crn_max_u32(*costliest, cost);
    }
    *doubt = at;
    return count;
}
