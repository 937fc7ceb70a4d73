/* hpa_ends.c: joins the ends of a query to the graph of HPA*. See hpa_search.c.
 *
 * A cluster may have thousands of nodes, where links begin and end. So what is done for each of
 * them is done for some of them in a unit of work. Floods of large clusters are units by
 * themselves.
 */
#include "hierarchy/hpa/hpa_scratch.h"

#define HPA_RENEWED 4096u     /* clusters that get their entries in a unit of work */
#define HPA_FEW_OUTLETS 96u   /* with more, the search of the start begins with a unit of its own */
#define HPA_FEW_ROWS 32u      /* of a cluster; with more, each step is a unit of its own */
#define HPA_LEFT_OUTLETS 128u /* that become edges */
#define HPA_ARRIVALS 512u     /* nodes that become edges */
#define HPA_SIFTS 128u        /* when these are sorted */

typedef crn_hpa_scratch hpa_search;

/* ---- another index ---- */

/* Memory for the tables; false = there is none. */
static bool hpa_renew_begin(hpa_search *hpa)
{
    const crn_hpa *index = hpa->index;
    crn_scratch *memory = &hpa->base.search->memory;
    size_t size = index->cluster_count * sizeof *hpa->shown;
    if (hpa->cluster_count != index->cluster_count) {
        crn_scratch_free(memory, hpa->shown, hpa->cluster_count * sizeof *hpa->shown);
        crn_scratch_free(memory, hpa->marks, hpa->cluster_count * sizeof *hpa->marks);
        hpa->shown = hpa->marks = NULL;
        hpa->cluster_count = index->cluster_count;
    }
    if (!hpa->shown) hpa->shown = crn_scratch_alloc(memory, size);
    if (!hpa->marks) hpa->marks = crn_scratch_alloc(memory, size);
    hpa->renewing = true;
    hpa->renewed = hpa->stamp = 0;
    return hpa->shown && hpa->marks && (!hpa->lazy || crn_hpa_lazy_forget(hpa->lazy));
}

cairn_status crn_hpa_ends_renew(crn_hpa_scratch *hpa)
{
    const crn_hpa *index = hpa->index;
    if (hpa->edition == index->edition) return CAIRN_OK;
    if (!hpa->renewing && !hpa_renew_begin(hpa)) return CAIRN_OUT_OF_MEMORY;
    uint32_t first = index->level[index->levels - 1].first,
             end = crn_min_u32(index->cluster_count - hpa->renewed, HPA_RENEWED) + hpa->renewed;
    for (; hpa->renewed < end; hpa->renewed++) {
        hpa->shown[hpa->renewed] = hpa->renewed >= first;
        hpa->marks[hpa->renewed] = 0;
    }
    bool forgot = !hpa->lazy || crn_hpa_lazy_forget_on(hpa->lazy);
    if (!forgot || end < index->cluster_count) return CAIRN_RUNNING;
    hpa->renewing = false;
    hpa->ends[0] = hpa->ends[1] = CAIRN_NO_NODE;
    hpa->wide = false;
    hpa->costliest = crn_hpa_costliest(index);
    hpa->edition = index->edition;
    return CAIRN_OK;
}

/* ---- the ends ---- */

static cairn_status hpa_begin_crossing(hpa_search *hpa)
{
    cairn_cost costliest =
        crn_max_u32(crn_max_u32(hpa->costliest, hpa->leaving.costliest), hpa->arriving);
    crn_abstract_view *view = &hpa->base.view;
    view->leave = hpa->base.leave;
    view->leave_count = hpa->leave_count;
    view->arrive = hpa->base.arrive;
    view->arrive_count = hpa->arrive_count;
    view->group = hpa->index->levels > 1 ? hpa->index->groups : NULL;
    view->stamps = hpa->shown;
    view->stamp = 1;
    /* Edges are about as long as clusters: finer buckets would stay empty. */
    cairn_cost bucket = hpa->base.search->space->min_edge * hpa->index->clusters.size / 2;
    crn_cluster_search_aim(&hpa->base, crn_abstract_least(bucket, costliest), costliest);
    hpa->phase = HPA_CROSS;
    return crn_hpa_look(&hpa->base.above, crn_abstract_view_start(view),
                        crn_abstract_view_goal(view));
}

/* Are clusters so large that to flood one is enough for a unit? */
static bool hpa_large(const hpa_search *hpa)
{
    return hpa->index->clusters.size > HPA_FEW_ROWS;
}

/* Do the beginnings of phases need units of their own? Links make them more expensive, too: there
 * are more nodes and gates. */
static bool hpa_apart(const hpa_search *hpa)
{
    return hpa_large(hpa) || hpa->index->clusters.space->links.count != 0;
}

/* Some of the edges to the goal are put in the order of their nodes. */
static cairn_status hpa_sort_on(hpa_search *hpa)
{
    if (!crn_sort_go_on(&hpa->sorting, hpa->base.arrive, sizeof *hpa->base.arrive, crn_edge_before,
                        HPA_SIFTS))
        return CAIRN_RUNNING;
    hpa->phase = HPA_AIM;
    return hpa_apart(hpa) ? CAIRN_RUNNING : hpa_begin_crossing(hpa);
}

/* All edges to the goal are known. */
static cairn_status hpa_begin_sorting(hpa_search *hpa)
{
    hpa->sorting = crn_sorting_of(hpa->ascending ? 0 : hpa->arrive_count);
    hpa->phase = HPA_SORT;
    return hpa_sort_on(hpa);
}

static void hpa_add_arrival(hpa_search *hpa, cairn_node node, cairn_cost cost)
{
    cairn_edge *edge = &hpa->base.arrive[hpa->arrive_count++];
    *edge = (cairn_edge){node, cost};
    if (hpa->arrive_count > 1 && edge[-1].node >= node) hpa->ascending = false;
    hpa->arriving = crn_max_u32(hpa->arriving, cost);
}

/* Costs that do not depend on the direction: the paths from the goal to the nodes of its cluster
 * are those to it. Some of them. */
static cairn_status hpa_arrive_on(hpa_search *hpa)
{
    uint32_t count;
    const crn_hpa_member *members = crn_hpa_members(hpa->index, hpa->base.ground.shown, &count);
    uint32_t end = crn_min_u32(hpa->member + HPA_ARRIVALS, count);
    for (; hpa->member < end; hpa->member++) {
        cairn_cost cost = crn_hpa_ground_cost(&hpa->base.ground, members[hpa->member].cell);
        if (cost != CAIRN_NO_COST) hpa_add_arrival(hpa, members[hpa->member].node, cost);
    }
    hpa->phase = HPA_ARRIVED;
    return end < count ? CAIRN_RUNNING : hpa_begin_sorting(hpa);
}

/* Finds the costs from a cell of the cluster that is shown without a search, where that is asked
 * for, possible, and little work. */
static bool hpa_sees(hpa_search *hpa, cairn_node from, cairn_node to)
{
    return hpa->insert == CRN_HPA_DIRECT &&
           crn_hpa_ground_sees(&hpa->base.ground, hpa->index, from, to);
}

/* Are paths to the goal found one by one? They must be where costs differ by direction. */
static bool hpa_arrives_apart(const hpa_search *hpa)
{
    return hpa->insert == CRN_HPA_ASTAR || !crn_grid_space_of(hpa->base.search->space)->uniform;
}

/* Looks for paths to the goal: for all at once from the goal, or from one node after the other. */
static cairn_status hpa_begin_arriving(hpa_search *hpa)
{
    const crn_hpa *index = hpa->index;
    cairn_node goal = hpa->base.search->goals[0];
    uint32_t cluster = crn_hpa_cluster(index, 0, goal), count;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &count);
    if (hpa->member == count) return hpa_begin_sorting(hpa);
    cairn_status status = crn_cluster_search_reserve(&hpa->base, 0, count);
    if (status != CAIRN_OK) return status;
    crn_hpa_ground_show(&hpa->base.ground, index, cluster);
    hpa->base.ground.apart = false;
    hpa->phase = HPA_ARRIVE;
    if (hpa_arrives_apart(hpa))
        return crn_hpa_look(&hpa->base.ground.subsearch, members[hpa->member].cell, goal);
    if (!hpa_sees(hpa, goal, CAIRN_NO_NODE))
        return crn_hpa_look(&hpa->base.ground.subsearch, goal, CAIRN_NO_NODE);
    hpa->phase = HPA_ARRIVED;
    return hpa_large(hpa) ? CAIRN_RUNNING : hpa_arrive_on(hpa);
}

/* Some of the edges from the start. */
static cairn_status hpa_leave_on(hpa_search *hpa)
{
    cairn_cost direct = CAIRN_NO_COST;
    cairn_node goal = hpa->base.search->goals[0];
    if (!crn_hpa_ground_edges_on(&hpa->base.ground, &hpa->leaving, hpa->base.leave,
                                 HPA_LEFT_OUTLETS))
        return CAIRN_RUNNING;
    hpa->leave_count = hpa->leaving.count;
    if (crn_hpa_cluster(hpa->index, 0, goal) == hpa->base.ground.shown)
        direct = crn_hpa_ground_cost(&hpa->base.ground, goal);
    if (direct != CAIRN_NO_COST) {
        hpa->base.leave[hpa->leave_count++] =
            (cairn_edge){crn_abstract_view_goal(&hpa->base.view), direct};
        hpa->leaving.costliest = crn_max_u32(hpa->leaving.costliest, direct);
    }
    hpa->member = 0;
    hpa->ascending = true;
    hpa->arriving = 0;
    hpa->phase = HPA_TURN;
    return hpa_apart(hpa) ? CAIRN_RUNNING : hpa_begin_arriving(hpa);
}

/* A search of the goal's cluster has ended: from the goal to all nodes, or from one of them to the
 * goal. */
static cairn_status hpa_arrived(hpa_search *hpa)
{
    if (!hpa_arrives_apart(hpa)) return hpa_arrive_on(hpa);
    uint32_t count;
    const crn_hpa_member *member =
        &crn_hpa_members(hpa->index, hpa->base.ground.shown, &count)[hpa->member++];
    const crn_subsearch *subsearch = &hpa->base.ground.subsearch;
    if (subsearch->search.status == CAIRN_FOUND)
        hpa_add_arrival(hpa, member->node, crn_subsearch_cost(subsearch, subsearch->goal));
    return hpa_begin_arriving(hpa);
}

/* What can be reached from the start in its cluster is known. */
static cairn_status hpa_left(hpa_search *hpa)
{
    size_t most = (size_t)hpa->base.ground.count * hpa->index->levels + 1;
    cairn_status status = crn_cluster_search_reserve(&hpa->base, most, 0);
    if (status != CAIRN_OK) return status;
    hpa->leaving = (crn_hpa_leaving){.best = CAIRN_NO_COST};
    hpa->phase = HPA_LEFT;
    return hpa_leave_on(hpa);
}

/* The next path from the start, to a node of its cluster, and to the goal if that is there. */
static cairn_status hpa_leave_apart(hpa_search *hpa)
{
    uint32_t cluster = hpa->base.ground.shown, count;
    const crn_hpa_member *members = crn_hpa_members(hpa->index, cluster, &count);
    cairn_node from = hpa->base.search->query.from, goal = hpa->base.search->goals[0];
    bool same = crn_hpa_cluster(hpa->index, 0, goal) == cluster;
    if (hpa->member == 0 && !crn_hpa_ground_apart(&hpa->base.ground, count + 1))
        return CAIRN_OUT_OF_MEMORY;
    if (hpa->member == count + same) return hpa_left(hpa);
    cairn_node to = hpa->member < count ? members[hpa->member].cell : goal;
    return crn_hpa_look(&hpa->base.ground.subsearch, from, to);
}

/* A search from the start has ended: to everything in its cluster, or to one node of it. */
static cairn_status hpa_leave(hpa_search *hpa)
{
    const crn_subsearch *subsearch = &hpa->base.ground.subsearch;
    if (hpa->insert != CRN_HPA_ASTAR) return hpa_left(hpa);
    if (subsearch->search.status == CAIRN_FOUND)
        crn_hpa_ground_note(&hpa->base.ground, subsearch->goal,
                            crn_subsearch_cost(subsearch, subsearch->goal));
    hpa->member++;
    return hpa_leave_apart(hpa);
}

/* Searches from the start: what leads out of its cluster is known. */
static cairn_status hpa_depart(hpa_search *hpa)
{
    const crn_hpa *index = hpa->index;
    cairn_node from = hpa->base.search->query.from, goal = hpa->base.search->goals[0];
    uint32_t cluster = crn_hpa_cluster(index, 0, from);
    crn_hpa_ground_show(&hpa->base.ground, index, cluster);
    hpa->phase = HPA_LEAVE;
    hpa->member = 0;
    hpa->base.ground.apart = hpa->base.ground.seen_directly = false;
    if (hpa->insert == CRN_HPA_ASTAR) return hpa_leave_apart(hpa);
    bool same = crn_hpa_cluster(index, 0, goal) == cluster;
    if (hpa_sees(hpa, from, same ? goal : CAIRN_NO_NODE)) return hpa_left(hpa);
    return crn_hpa_look(&hpa->base.ground.subsearch, from, CAIRN_NO_NODE);
}

cairn_status crn_hpa_ends_start(crn_hpa_scratch *hpa)
{
    uint32_t cluster = crn_hpa_cluster(hpa->index, 0, hpa->base.search->query.from);
    hpa->phase = HPA_GATHER;
    cairn_status status = crn_hpa_ground_leave_on(&hpa->base.ground, hpa->index, cluster);
    if (status != CAIRN_OK) return status;
    hpa->phase = HPA_DEPART;
    bool many = hpa->base.ground.count > HPA_FEW_OUTLETS;
    return many || hpa_large(hpa) ? CAIRN_RUNNING : hpa_depart(hpa);
}

cairn_status crn_hpa_ends_searched(crn_hpa_scratch *hpa)
{
    return hpa->phase == HPA_LEAVE ? hpa_leave(hpa) : hpa_arrived(hpa);
}

cairn_status crn_hpa_ends_go_on(crn_hpa_scratch *hpa)
{
    switch (hpa->phase) {
    case HPA_GATHER: return crn_hpa_ends_start(hpa);
    case HPA_DEPART: return hpa_depart(hpa);
    case HPA_LEFT: return hpa_leave_on(hpa);
    case HPA_TURN: return hpa_begin_arriving(hpa);
    case HPA_ARRIVED: return hpa_arrive_on(hpa);
    case HPA_SORT: return hpa_sort_on(hpa);
    default: return hpa_begin_crossing(hpa);
    }
}
