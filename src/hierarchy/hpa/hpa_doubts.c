/* hpa_doubts.c: which edges of a larger cluster of HPA* may cost something else than before, and
 * what they cost. See hpa_rows.h.
 *
 * A cluster of a maze has hundreds of nodes and hundreds of targets, but each node leads to few of
 * them. So doubts are found edge by edge. Pairs without an edge are looked at only if paths have
 * appeared, and then only targets that such a path leads to.
 */
#include "hierarchy/hpa/hpa_rows.h"

/* ---- memory ---- */

static bool doubts_reserve(crn_hpa_rows *rows)
{
    void *doubts = rows->doubts;
    if (rows->doubt_count < rows->doubt_capacity) return true;
    bool ok = crn_scratch_grow(rows->memory, &doubts, &rows->doubt_capacity,
                               (size_t)rows->doubt_count + 1, sizeof *rows->doubts);
    rows->doubts = doubts;
    return ok;
}

/* To find doubts: what is known of each number, and what a search is for. */
static bool doubts_reserve_wanted(crn_hpa_rows *rows)
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

/* ---- what is not as it was ---- */

/* Sorts the edges by where they lead. */
static void doubts_sort_back(const crn_hpa_rows *rows, uint32_t edge_count)
{
    const cairn_edge *edges = rows->edges, *edge = edges;
    const uint32_t *ends = rows->first.items + 1;
    uint32_t *first = rows->back_first.items, *next = first + 1, inside = rows->inside;
    size_t count = rows->nodes.count + 2;
    cairn_edge *back = rows->back;
    memset(first, 0, count * sizeof *first);
    for (uint32_t e = 0; e < edge_count; e++) first[edges[e].node + 2]++;
    for (uint32_t i = 2; i < count; i++) first[i] += first[i - 1];
    for (uint32_t from = 0; from < inside; from++) {
        for (const cairn_edge *end = edges + ends[from]; edge < end; edge++) {
            cairn_edge *out = back + next[edge->node]++;
            out->node = from;
            out->cost = edge->cost;
        }
    }
}

/* Turns the edges round; false = no memory. */
static bool doubts_turn(crn_hpa_rows *rows)
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
    doubts_sort_back(rows, edge_count);
    return true;
}

/* An edge that a node has or had. */
typedef enum doubts_kind {
    DOUBTS_OLD,     /* it has it no more, or at a higher cost */
    DOUBTS_CHEAPER, /* it had it at a higher cost */
    DOUBTS_ADDED    /* it did not have it */
} doubts_kind;

/* Lists a node from which it is this far to something that is not what it was. */
static void doubts_leave(crn_hpa_rows *rows, uint32_t number, cairn_cost cost)
{
    if (!crn_nodes_reserve(&rows->left, rows->memory, 2)) return;
    rows->left.items[rows->left.count++] = number;
    rows->left.items[rows->left.count++] = cost;
}

/* Pushes what such an edge of a node leads to. Of those that are new or cheaper only paths that are
 * cheaper matter, so these count as if they cost one more. If it leads to a node that was chosen or
 * is no longer, nothing is pushed: paths through that one leave it by edges that are. Returns
 * whether it was pushed. */
static bool doubts_push(const crn_hpa_rows_search *search, uint32_t from, const cairn_edge *edge,
                        doubts_kind kind)
{
    crn_hpa_rows *rows = search->rows;
    if (!crn_hpa_rows_has(rows, edge->node)) return false;
    uint32_t number = rows->numbers[edge->node];
    if (number < rows->inside && rows->costs[number]) {
        if (kind == DOUBTS_OLD) doubts_leave(rows, from, edge->cost);
        return false;
    }
    crn_hpa_rows_push(search, number, (uint64_t)edge->cost + (kind != DOUBTS_OLD));
    rows->cheaper = rows->cheaper || kind != DOUBTS_OLD;
    rows->added = rows->added || kind == DOUBTS_ADDED;
    return true;
}

/* The edges that a node has or had. */
typedef struct doubts_edges {
    const cairn_edge *edges;
    uint32_t count;
} doubts_edges;

/* A node has these edges, and had the others. Pushes what those lead to that are not the same.
 * Returns whether there are any. The order of edges is the same in both lists. */
static bool doubts_push_edges(const crn_hpa_rows_search *search, uint32_t from, doubts_edges has,
                              doubts_edges had)
{
    uint32_t at = 0;
    bool any = false;
    for (uint32_t e = 0; e < had.count; e++) {
        const cairn_edge *before = &had.edges[e];
        uint32_t same = at;
        while (same < has.count && has.edges[same].node != before->node) same++;
        bool gone = same == has.count;
        if (!gone) {
            for (; at < same; at++)
                any = doubts_push(search, from, &has.edges[at], DOUBTS_ADDED) || any;
            at++;
            if (has.edges[same].cost < before->cost)
                any = doubts_push(search, from, &has.edges[same], DOUBTS_CHEAPER) || any;
        }
        if (gone || has.edges[same].cost > before->cost)
            any = doubts_push(search, from, before, DOUBTS_OLD) || any;
    }
    for (; at < has.count; at++)
        any = doubts_push(search, from, &has.edges[at], DOUBTS_ADDED) || any;
    return any;
}

/* A node is not what it was: pushes what its edges lead to that are not the same. Returns whether
 * there are any. */
static bool doubts_push_former(const crn_hpa_rows_search *search, const crn_hpa *index,
                               const crn_hpa_past *past, const crn_hpa_former *former)
{
    uint32_t from = search->rows->numbers[former->node];
    doubts_edges none = {NULL, 0}, has = {crn_abstract_edges(&index->abstract, former->node),
                                          index->abstract.nodes[former->node].count};
    doubts_edges had = {former->count ? past->edges + former->first : NULL, former->count};
    if (!former->chosen) return doubts_push_edges(search, from, has, had);
    bool any = doubts_push_edges(search, from, none, had);
    if (from >= search->rows->kept) return any;
    return doubts_push_edges(search, from, has, none) || any;
}

/* Marks the nodes that were chosen or are no longer, in the costs of the next search. */
static void doubts_mark_chosen(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                               uint32_t cluster, const crn_hpa_past *past)
{
    memset(rows->costs, 0, rows->inside * sizeof *rows->costs);
    for (size_t i = 0; i < past->count; i++) {
        const crn_hpa_former *former = &past->formers[i];
        if (former->chosen && crn_hpa_rows_concerns(index, level, cluster, former))
            rows->costs[rows->numbers[former->node]] = 1;
    }
}

/* Pushes what leads on from all that is not what it was, and lists the nodes; false = no
 * memory. */
static bool doubts_push_past(const crn_hpa_rows_search *search, const crn_hpa *index,
                             uint32_t level, uint32_t cluster, const crn_hpa_past *past)
{
    crn_hpa_rows *rows = search->rows;
    crn_nodes_clear(&rows->left);
    rows->cheaper = rows->added = false;
    for (size_t i = 0; i < past->count; i++) {
        const crn_hpa_former *former = &past->formers[i];
        if (crn_hpa_rows_concerns(index, level, cluster, former) &&
            doubts_push_former(search, index, past, former))
            doubts_leave(rows, rows->numbers[former->node], 0);
    }
    return !rows->memory->failed;
}

/* Is there a node of the cluster that has edges, but not to all targets? */
static bool doubts_miss(const crn_hpa_rows *rows, const crn_hpa *index, uint32_t cluster)
{
    uint32_t count;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t edges = index->abstract.nodes[members[i].node].count;
        if (edges && edges - 1 < crn_hpa_rows_most(rows)) return true;
    }
    return false;
}

/* Lists the targets that paths have appeared to, in their order; false = no memory. */
static bool doubts_list_passed(crn_hpa_rows *rows, const crn_hpa *index)
{
    const cairn_cost *further = rows->costs + 2 * rows->nodes.count;
    uint32_t count = crn_hpa_rows_most(rows);
    crn_nodes_clear(&rows->passed);
    crn_nodes_clear(&rows->places);
    if (!crn_hpa_rows_sort(rows, index) || !crn_nodes_reserve(&rows->passed, rows->memory, count) ||
        !crn_nodes_reserve(&rows->places, rows->memory, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = rows->targets[i].number;
        rows->places.items[number - rows->inside] = i;
        if (further[number] != CAIRN_NO_COST) rows->passed.items[rows->passed.count++] = number;
    }
    return true;
}

/* Returns the least cost of a target by an edge that is not what it was. */
static cairn_cost doubts_nearest(const crn_hpa_rows *rows)
{
    const cairn_cost *further = rows->costs + 2 * rows->nodes.count;
    cairn_cost least = CAIRN_NO_COST;
    for (size_t i = rows->inside; i < rows->nodes.count; i++)
        least = crn_min_u32(least, further[i]);
    return least;
}

/* Finds the costs by what is not as it was, up to the most expensive edge of the cluster, unless
 * paths may have appeared. */
static uint32_t doubts_go_further(const crn_hpa_rows_search *further, const crn_hpa *index,
                                  uint32_t level, uint32_t cluster, const crn_hpa_past *past)
{
    crn_hpa_rows *rows = further->rows;
    rows->missing = !rows->same || doubts_miss(rows, index, cluster);
    rows->most = rows->missing ? CAIRN_COST_MAX : crn_hpa_costliest_of(index, cluster);
    crn_hpa_rows_begin(further, index, level, rows->most);
    if (!doubts_push_past(further, index, level, cluster, past)) return 0;
    if (rows->missing && !rows->added) {
        rows->missing = false;
        rows->most = crn_hpa_costliest_of(index, cluster);
        crn_hpa_rows_begin(further, index, level, rows->most);
        if (!doubts_push_past(further, index, level, cluster, past)) return 0;
    }
    uint32_t expanded = crn_hpa_rows_run(further);
    return !rows->missing || doubts_list_passed(rows, index) ? expanded : 0;
}

uint32_t crn_hpa_rows_measure(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                              uint32_t cluster, const crn_hpa_past *past)
{
    size_t count = rows->nodes.count;
    rows->doubt_count = 0;
    if (!doubts_turn(rows)) return 0;
    doubts_mark_chosen(rows, index, level, cluster, past);
    crn_hpa_rows_search there = {rows, rows->back_first.items, rows->back, rows->costs + count, 0};
    crn_hpa_rows_search further = {rows, rows->first.items, rows->edges, rows->costs + 2 * count,
                                   0};
    uint32_t expanded = doubts_go_further(&further, index, level, cluster, past);
    cairn_cost nearest = doubts_nearest(rows);
    rows->most = nearest < rows->most ? rows->most - nearest : 0;
    crn_hpa_rows_begin(&there, index, level, rows->most);
    for (size_t i = 0; i < rows->left.count; i += 2)
        crn_hpa_rows_push(&there, rows->left.items[i], rows->left.items[i + 1]);
    return expanded + crn_hpa_rows_run(&there);
}

/* ---- edges in doubt ---- */

/* Notes a doubt by a path that costs so much; false = no memory. */
static bool doubts_add(crn_hpa_rows *rows, crn_hpa_doubt doubt, uint64_t by)
{
    if (!doubts_reserve(rows)) return false;
    if (rows->cheaper) doubt.cost = (cairn_cost)(by ? by - 1 : 0);
    rows->doubts[rows->doubt_count++] = doubt;
    return true;
}

/* Notes the targets up to a place that paths have appeared to and that a node has no edge to;
 * false = no memory. *at: the next one of rows->passed. */
static bool doubts_add_missing(crn_hpa_rows *rows, crn_hpa_doubt doubt, uint32_t place, size_t *at)
{
    const cairn_cost *further = rows->costs + 2 * rows->nodes.count;
    uint64_t there = rows->costs[rows->nodes.count + doubt.from];
    for (; *at < rows->passed.count; ++*at) {
        doubt.to = rows->passed.items[*at];
        if (rows->places.items[doubt.to - rows->inside] >= place) break;
        if (there + further[doubt.to] > CAIRN_COST_MAX) continue;
        if (!doubts_add(rows, doubt, there + further[doubt.to])) return false;
    }
    /* to the one at this place there is an edge */
    *at += *at < rows->passed.count && rows->places.items[doubt.to - rows->inside] == place;
    return true;
}

/* An edge leads to a node that no path leads to any more: notes that there is none; false = no
 * memory. */
static bool doubts_remove(crn_hpa_rows *rows, crn_hpa_doubt doubt)
{
    if (!doubts_reserve(rows)) return false;
    doubt.to = CAIRN_NO_NODE;
    doubt.cost = CAIRN_NO_COST;
    doubt.had = doubt.found = true;
    rows->doubts[rows->doubt_count++] = doubt;
    return true;
}

/* Notes the doubts of a node with these edges: false = one of them leads to a node inside, or no
 * memory. */
static bool doubts_find(crn_hpa_rows *rows, crn_hpa_doubt doubt, const cairn_edge *edges,
                        uint32_t count, cairn_cost *costliest)
{
    const cairn_cost *further = rows->costs + 2 * rows->nodes.count;
    uint64_t there = rows->costs[rows->nodes.count + doubt.from];
    bool missing = rows->missing && there <= rows->most;
    size_t at = 0;
    for (doubt.edge = 0; doubt.edge < count; doubt.edge++) {
        const cairn_edge *edge = &edges[doubt.edge];
        if (CRN_UNLIKELY(!crn_hpa_rows_has(rows, edge->node))) {
            if (!doubts_remove(rows, doubt)) return false;
            continue;
        }
        doubt.to = rows->numbers[edge->node];
        if (doubt.to < rows->inside) return false;
        doubt.had = false;
        if (CRN_UNLIKELY(missing) &&
            !doubts_add_missing(rows, doubt, rows->places.items[doubt.to - rows->inside], &at))
            return false;
        doubt.had = true;
        doubt.cost = edge->cost;
        if (edge->cost >= there + further[doubt.to] &&
            !doubts_add(rows, doubt, there + further[doubt.to]))
            return false;
        *costliest = crn_max_u32(*costliest, edge->cost);
    }
    doubt.had = false;
    return !missing || doubts_add_missing(rows, doubt, crn_hpa_rows_most(rows), &at);
}

bool crn_hpa_rows_doubt(crn_hpa_rows *rows, const crn_hpa *index, uint32_t member, cairn_node node,
                        cairn_node below)
{
    const cairn_edge *edges = crn_abstract_edges(&index->abstract, node);
    uint32_t count = index->abstract.nodes[node].count, before = rows->doubt_count;
    crn_hpa_doubt doubt = {.member = member, .from = rows->numbers[below]};
    cairn_cost most = 0;
    if (!count || edges[count - 1].node != below) return false;
    if (!doubts_find(rows, doubt, edges, count - 1, &most)) {
        rows->doubt_count = before;
        return false;
    }
    if (rows->doubt_count == before) rows->costliest = crn_max_u32(rows->costliest, most);
    return true;
}

/* Counts the doubts of each node and target, and chains those of each target; false = no
 * memory. */
static bool doubts_count(crn_hpa_rows *rows)
{
    if (!doubts_reserve_wanted(rows)) return false;
    crn_nodes_clear(&rows->doubtful);
    memset(rows->doubt_counts, 0, rows->nodes.count * sizeof *rows->doubt_counts);
    memset(rows->doubt_heads, 0, rows->nodes.count * sizeof *rows->doubt_heads);
    for (uint32_t i = rows->doubt_count; i-- > 0;) {
        crn_hpa_doubt *doubt = &rows->doubts[i];
        if (doubt->found) continue;
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
static uint32_t doubts_worst(crn_hpa_rows *rows)
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
static crn_hpa_doubt *doubts_next(const crn_hpa_rows *rows, uint32_t number, crn_hpa_doubt *doubt)
{
    if (number >= rows->inside) return doubt->next ? &rows->doubts[doubt->next - 1] : NULL;
    crn_hpa_doubt *next = doubt + 1;
    return next < rows->doubts + rows->doubt_count && next->from == number ? next : NULL;
}

/* Finds all edges in doubt of a node or a target. Returns how many nodes were expanded. */
static uint32_t doubts_settle(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level,
                              uint32_t number)
{
    crn_hpa_rows_search search = {rows, rows->first.items, rows->edges, rows->costs, 0};
    bool forwards = number < rows->inside;
    crn_hpa_doubt *first = &rows->doubts[rows->doubt_heads[number] - 1];
    for (crn_hpa_doubt *d = first; d; d = doubts_next(rows, number, d)) {
        if (!d->found)
            rows->wanted[search.wanted++] = (crn_hpa_wanted){forwards ? d->to : d->from, d->cost};
    }
    if (!forwards) {
        search.first = rows->back_first.items;
        search.edges = rows->back;
    }
    crn_hpa_rows_begin_paths(&search, index, level);
    if (forwards) {
        crn_hpa_rows_push(&search, number, 0);
    } else {
        for (uint32_t e = search.first[number]; e < search.first[number + 1]; e++)
            crn_hpa_rows_push(&search, rows->back[e].node, rows->back[e].cost);
    }
    uint32_t expanded = crn_hpa_rows_run(&search);
    for (crn_hpa_doubt *d = first; d; d = doubts_next(rows, number, d)) {
        if (d->found) continue;
        d->found = true;
        d->cost = rows->costs[forwards ? d->to : d->from];
        rows->doubt_counts[d->from]--;
        rows->doubt_counts[d->to]--;
    }
    return expanded;
}

void crn_hpa_rows_begin_settling(crn_hpa_rows *rows)
{
    crn_nodes_clear(&rows->doubtful);
    if (rows->doubt_count) doubts_count(rows);
}

bool crn_hpa_rows_settle(crn_hpa_rows *rows, const crn_hpa *index, uint32_t level, uint64_t *work)
{
    uint32_t number = doubts_worst(rows);
    if (number == CAIRN_NO_NODE) return false;
    *work += doubts_settle(rows, index, level, number);
    return true;
}

/* ---- edges ---- */

uint32_t crn_hpa_rows_mend(crn_hpa_rows *rows, const crn_hpa *index, cairn_node node,
                           uint32_t *doubt, cairn_edge *out)
{
    const cairn_edge *edges = crn_abstract_edges(&index->abstract, node);
    uint32_t count = 0, e = 0, at = *doubt, member = rows->doubts[at].member,
             end = index->abstract.nodes[node].count - 1; /* the last one leads below */
    for (; at < rows->doubt_count && rows->doubts[at].member == member; at++) {
        const crn_hpa_doubt *d = &rows->doubts[at];
        while (e < d->edge) out[count++] = edges[e++];
        if (d->cost != CAIRN_NO_COST)
            out[count++] = (cairn_edge){rows->nodes.items[d->to], d->cost};
        e += d->had;
    }
    while (e < end) out[count++] = edges[e++];
    cairn_cost costliest = rows->costliest;
    for (uint32_t i = 0; i < count; i++) costliest = crn_max_u32(costliest, out[i].cost);
    rows->costliest = costliest;
    *doubt = at;
    return count;
}
