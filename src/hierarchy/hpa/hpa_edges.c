/* hpa_edges.c: finding the edges of dirty clusters. See hpa_job.h.
 *
 * The edges of a node of the lowest level take a search of its cluster, unless nothing is in the
 * way (direct.h). After a change inside of a cluster most of them cost what they did. If one cell
 * was opened or closed, one search from that cell tells for which nodes that is certain: a path by
 * this cell costs at least what the search found from one end and from the other. What costs less
 * never passed the cell, and nothing that does will be cheaper (hpa_near.h says the same of
 * distances, which are less exact, but need no search).
 */
#include "hierarchy/hpa/hpa_job.h"
#include "hierarchy/hpa/hpa_thin.h"

/* ---- giving nodes their edges ---- */

/* Does an edge of a node that is kept matter to the larger cluster, or did it? */
static bool edges_matter(const crn_hpa_job *job, const cairn_edge *edge)
{
    return crn_hpa_kept(job->index, edge->node) ||
           crn_hpa_level_of(job->index, edge->node) > job->level ||
           crn_hpa_past_has(&job->past, edge->node);
}

/* Skips edges that do not matter. */
static uint32_t edges_next(const crn_hpa_job *job, const cairn_edge *edges, uint32_t count,
                           uint32_t i)
{
    while (i < count && !edges_matter(job, &edges[i])) i++;
    return i;
}

/* Are two lists of edges the same to the larger cluster? */
static bool edges_are_same(const crn_hpa_job *job, const cairn_edge *a, uint32_t a_count,
                           const cairn_edge *b, uint32_t b_count)
{
    /* what both begin and end with is the same */
    uint32_t same = 0;
    while (same < a_count && same < b_count && a[same].node == b[same].node &&
           a[same].cost == b[same].cost)
        same++;
    for (; a_count > same && b_count > same && a[a_count - 1].node == b[b_count - 1].node &&
           a[a_count - 1].cost == b[b_count - 1].cost;
         a_count--, b_count--) {
    }
    uint32_t i = edges_next(job, a, a_count, same), k = edges_next(job, b, b_count, same);
    while (i < a_count && k < b_count && a[i].node == b[k].node && a[i].cost == b[k].cost) {
        i = edges_next(job, a, a_count, i + 1);
        k = edges_next(job, b, b_count, k + 1);
    }
    return i == a_count && k == b_count;
}

/* Are these edges of job->edges other ones to the larger cluster than those that a node has? */
static bool edges_note(const crn_hpa_job *job, cairn_node node, uint32_t count)
{
    const crn_hpa *index = job->index;
    if (job->level + 1 == index->levels) return false; /* there is none */
    if (job->whole) return true;
    if (!crn_hpa_kept(index, node) && !crn_hpa_past_has(&job->past, node)) return false;
    return !edges_are_same(job, crn_abstract_edges(&index->abstract, node),
                           index->abstract.nodes[node].count, job->edges, count);
}

/* Gives a node these edges of job->edges; *changed: to the larger cluster they are other ones than
 * before. */
static cairn_status edges_connect(crn_hpa_job *job, cairn_node node, uint32_t count, bool *changed)
{
    crn_hpa *index = job->index;
    const crn_abstract_node *place = &index->abstract.nodes[node];
    const cairn_edge *before = crn_abstract_edges(&index->abstract, node);
    if (place->count == count && (!count || !memcmp(before, job->edges, count * sizeof *before)))
        return CAIRN_OK;
    if (edges_note(job, node, count)) {
        *changed = true;
        if (!job->whole && !crn_hpa_past_add(&job->past, index, job->level, node, false))
            return CAIRN_OUT_OF_MEMORY;
    }
    return crn_abstract_connect(&index->abstract, node, job->edges, count) ? CAIRN_OK
                                                                           : CAIRN_OUT_OF_MEMORY;
}

/* ---- the lowest level ---- */

/* A cluster whose edges are being found. */
typedef struct edges_ground {
    crn_hpa_job *job;
    crn_hpa_finding *finding;
    const crn_hpa_member *members;
    uint32_t count;
    bool inside; /* only cells inside of it changed */
} edges_ground;

/* Searches from the cell that changed, as if it were open. Then detours by it are known: for each
 * node of the cluster the cost from there to the cell, and behind them for each outlet the cost
 * from the cell to its target, the least of all outlets with the same target standing at the last
 * of them. */
static cairn_status edges_measure(edges_ground *g)
{
    crn_hpa_job *job = g->job;
    crn_hpa_ground *ground = &job->ground;
    cairn_status status = crn_hpa_ground_find(ground, job->index, job->near.cell, &job->work);
    if (status != CAIRN_OK) return status;
    for (uint32_t i = 0; i < g->count; i++)
        job->detours[i] = crn_hpa_ground_cost(ground, g->members[i].cell);
    uint64_t best = CAIRN_NO_COST;
    for (uint32_t i = 0; i < ground->count; i++) {
        const crn_hpa_outlet *outlet = &ground->outlets[i];
        uint64_t cost = crn_hpa_ground_cost(ground, outlet->from);
        if (cost != CAIRN_NO_COST && cost + outlet->step < best) best = cost + outlet->step;
        job->detours[g->count + i] = (cairn_cost)best;
        if (outlet->last) best = CAIRN_NO_COST;
    }
    g->finding->measured = true;
    return CAIRN_OK;
}

/* After measuring: can the edges of the i-th node be other ones than before? */
static bool edges_detour(const edges_ground *g, uint32_t i)
{
    const crn_hpa_job *job = g->job;
    const crn_abstract_node *place = &job->index->abstract.nodes[g->members[i].node];
    const cairn_edge *edges = crn_abstract_edges(&job->index->abstract, g->members[i].node);
    uint64_t there = job->detours[i], slack = job->near.slack;
    uint32_t e = 0;
    if (there == CAIRN_NO_COST) return false;
    for (uint32_t k = 0; k < job->ground.count; k++) {
        const crn_hpa_outlet *outlet = &job->ground.outlets[k];
        if (!outlet->last) continue;
        bool known = e < place->count && edges[e].node == outlet->nodes[0];
        uint64_t further = job->detours[g->count + k];
        if (further != CAIRN_NO_COST && (!known || edges[e].cost + slack >= there + further))
            return true;
        e += known ? outlet->levels : 0;
    }
    return e != place->count;
}

/* The edges of a node stay what they are. */
static void edges_leave(edges_ground *g, cairn_node node)
{
    const crn_abstract_node *place = &g->job->index->abstract.nodes[node];
    const cairn_edge *edges = crn_abstract_edges(&g->job->index->abstract, node);
    for (uint32_t e = 0; e < place->count; e++)
        g->finding->costliest = crn_max_u32(g->finding->costliest, edges[e].cost);
}

/* Transitions and nodes for which it is seen in a unit of work what they cost without a search. */
#define EDGES_SEEN 256u

/* Finds the costs from the i-th node, by a search if need be; *same: its edges are the same as
 * before. */
static cairn_status edges_find(edges_ground *g, uint32_t i, bool *same)
{
    /* where that many nodes could not be seen from each other, no others will be */
    enum { MISSES = 4 };
    crn_hpa_job *job = g->job;
    crn_hpa_ground *ground = &job->ground;
    const crn_hpa_member *member = &g->members[i];
    *same = false;
    if (g->finding->misses < MISSES &&
        crn_hpa_ground_direct(ground, job->index, member->cell, CAIRN_NO_NODE)) {
        job->seen += ground->count + g->count;
        job->work += job->seen / EDGES_SEEN;
        job->seen %= EDGES_SEEN;
        return CAIRN_OK;
    }
    g->finding->misses++;
    if (g->inside && job->near.cell != CAIRN_NO_NODE) {
        cairn_status status = g->finding->measured ? CAIRN_OK : edges_measure(g);
        *same = status == CAIRN_OK && !edges_detour(g, i);
        if (status != CAIRN_OK || *same) return status;
    }
    return crn_hpa_ground_find(ground, job->index, member->cell, &job->work);
}

/* Are the edges of a node certainly the same as before, as far as distances tell? Where nodes are
 * few, they are still connected as they were. */
static bool edges_stay(edges_ground *g, cairn_node node)
{
    return g->inside && g->job->index->thin && !g->job->parted &&
           !crn_hpa_near_concerns(&g->job->near, g->job->index, node, &g->finding->costliest);
}

static cairn_status edges_of_cell(edges_ground *g, uint32_t i, bool *changed)
{
    cairn_node node = g->members[i].node;
    bool same;
    if (edges_stay(g, node)) return CAIRN_OK;
    cairn_status status = edges_find(g, i, &same);
    if (status != CAIRN_OK) return status;
    if (same) {
        edges_leave(g, node);
        return CAIRN_OK;
    }
    uint32_t count = crn_hpa_ground_edges(&g->job->ground, g->job->edges, &g->finding->costliest);
    return edges_connect(g->job, node, count, changed);
}

static bool edges_reserve(crn_hpa_job *job, uint32_t members)
{
    void *detours = job->detours;
    bool ok = crn_scratch_grow(&job->memory, &detours, &job->detour_capacity,
                               (size_t)job->ground.count + members, sizeof *job->detours);
    job->detours = detours;
    return ok && crn_hpa_job_reserve_edges(job, (size_t)job->ground.count * CRN_HPA_LEVELS);
}

cairn_status crn_hpa_connect_ground(crn_hpa_job *job, uint32_t cluster, uint8_t how, bool *changed)
{
    crn_hpa *index = job->index;
    crn_hpa_finding *finding = &job->finding;
    edges_ground g = {.job = job, .finding = finding, .inside = how == CRN_HPA_DIRTY_INSIDE};
    g.members = crn_hpa_members(index, cluster, &g.count);
    /* what leads out of it is the same, and so is all that is inside */
    if (g.inside && job->near.cell != CAIRN_NO_NODE &&
        crn_hpa_cluster(index, 0, job->near.cell) != cluster)
        return CAIRN_OK;
    if (!finding->begun) crn_hpa_ground_begin_leaving(&job->ground);
    finding->begun = true;
    if (!finding->led) {
        cairn_status status = crn_hpa_ground_leave_on(&job->ground, index, cluster);
        job->work += status == CAIRN_RUNNING;
        if (status != CAIRN_OK) return status;
        if (!edges_reserve(job, g.count)) return CAIRN_OUT_OF_MEMORY;
        crn_hpa_ground_show(&job->ground, index, cluster);
        finding->led = true;
        return CAIRN_RUNNING;
    }
    if (finding->member < g.count) {
        cairn_status status = edges_of_cell(&g, finding->member++, changed);
        return status == CAIRN_OK ? CAIRN_RUNNING : status;
    }
    crn_hpa_set_costliest(index, cluster, finding->costliest);
    return CAIRN_OK;
}

/* ---- the other levels ---- */

/* A larger cluster whose edges are being found. */
typedef struct edges_above {
    crn_hpa_job *job;
    uint32_t cluster;
    bool same; /* its nodes and those below are */
} edges_above;

/* In a build nothing was before. */
static bool edges_gather(const edges_above *a)
{
    crn_hpa_job *job = a->job;
    if (job->finding.gathered) return true;
    job->finding.gathered = true;
    if (!crn_hpa_rows_gather(&job->rows, job->index, job->level, a->cluster, &job->past))
        return false;
    job->rows.same = a->same;
    if (!job->whole)
        job->work +=
            crn_hpa_rows_measure(&job->rows, job->index, job->level, a->cluster, &job->past);
    return !job->memory.failed;
}

/* The node of the level below in the cell of a node. */
static cairn_node edges_below(const edges_above *a, const crn_hpa_member *member)
{
    cairn_node below =
        a->job->index->thin ? crn_hpa_thin_below(a->job->index, member->node) : CAIRN_NO_NODE;
    return below != CAIRN_NO_NODE ? below
                                  : crn_hpa_find(a->job->index, a->job->level - 1, member->cell);
}

/* Gives a node these edges of job->edges, and the one to the level below. */
static cairn_status edges_finish(const edges_above *a, const crn_hpa_member *member, uint32_t count,
                                 bool *changed)
{
    cairn_node below = edges_below(a, member);
    a->job->edges[count++] = (cairn_edge){below, 0};
    return edges_connect(a->job, member->node, count, changed);
}

/* Finds the edges of the i-th node, unless they stay or only some of them are in doubt. */
static cairn_status edges_of_node(const edges_above *a, const crn_hpa_member *members, uint32_t i,
                                  bool *changed)
{
    crn_hpa_job *job = a->job;
    const crn_hpa *index = job->index;
    const crn_hpa_member *member = &members[i];
    if (!edges_gather(a)) return CAIRN_OUT_OF_MEMORY;
    cairn_node below = edges_below(a, member);
    if (!job->whole && crn_hpa_rows_doubt(&job->rows, index, i, member->node, below))
        return CAIRN_OK;
    job->work += crn_hpa_rows_find(&job->rows, index, job->level, below);
    if (job->memory.failed ||
        !crn_hpa_job_reserve_edges(job, (size_t)crn_hpa_rows_most(&job->rows) + 1))
        return CAIRN_OUT_OF_MEMORY;
    uint32_t count = crn_hpa_rows_edges(&job->rows, job->edges);
    return edges_finish(a, member, count, changed);
}

/* Finds the edges that are in doubt, by one search after the other. */
static cairn_status edges_settle(const edges_above *a, const crn_hpa_member *members, bool *changed)
{
    crn_hpa_job *job = a->job;
    crn_hpa_rows *rows = &job->rows;
    if (!job->finding.gathered || job->whole) return CAIRN_OK;
    if (!job->finding.settling) crn_hpa_rows_begin_settling(rows);
    job->finding.settling = true;
    if (!job->memory.failed && crn_hpa_rows_settle(rows, job->index, job->level, &job->work))
        return CAIRN_RUNNING;
    if (job->memory.failed || !crn_hpa_job_reserve_edges(job, (size_t)crn_hpa_rows_most(rows) + 1))
        return CAIRN_OUT_OF_MEMORY;
    for (uint32_t at = 0; at < rows->doubt_count;) {
        const crn_hpa_member *member = &members[rows->doubts[at].member];
        uint32_t count = crn_hpa_rows_mend(rows, job->index, member->node, &at, job->edges);
        cairn_status status = edges_finish(a, member, count, changed);
        if (status != CAIRN_OK) return status;
    }
    return CAIRN_OK;
}

/* No edge that a cluster has is more expensive than what is known of it, also if a commit comes
 * before the rest of them is found. */
static void edges_raise(crn_hpa_job *job, uint32_t cluster)
{
    if (!job->whole && job->rows.costliest > crn_hpa_costliest_of(job->index, cluster))
        crn_hpa_set_costliest(job->index, cluster, job->rows.costliest);
}

cairn_status crn_hpa_connect_above(crn_hpa_job *job, uint32_t cluster, uint8_t how, bool *changed)
{
    crn_hpa *index = job->index;
    edges_above a = {.job = job, .cluster = cluster, .same = how == CRN_HPA_DIRTY_INSIDE};
    uint32_t count;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &count);
    job->finding.begun = true;
    if (job->finding.member < count) {
        cairn_status found = edges_of_node(&a, members, job->finding.member++, changed);
        edges_raise(job, cluster);
        return found == CAIRN_OK ? CAIRN_RUNNING : found;
    }
    cairn_status status = edges_settle(&a, members, changed);
    if (status == CAIRN_OK) crn_hpa_set_costliest(index, cluster, count ? job->rows.costliest : 0);
    return status;
}

cairn_status crn_hpa_lead_above(crn_hpa_job *job, uint32_t cluster, bool *changed)
{
    uint32_t count, edges;
    const crn_hpa_member *members = crn_hpa_members(job->index, cluster, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!crn_hpa_thin_lead(job, job->level, members[i].node, &edges))
            return CAIRN_OUT_OF_MEMORY;
        cairn_status status = edges_connect(job, members[i].node, edges, changed);
        if (status != CAIRN_OK) return status;
    }
    return CAIRN_OK;
}
