/* hpa_ground.c: what leads out of a cluster of HPA*, and searches inside of one. See
 * hpa_index.h. */
#include "hierarchy/hpa/hpa_index.h"

/* The highest level of which a step crosses a border. */
uint32_t crn_hpa_crossed(const crn_hpa *index, cairn_node from, cairn_node to)
{
    uint32_t level = 0;
    while (level + 1 < index->levels &&
           crn_hpa_cluster(index, level + 1, from) != crn_hpa_cluster(index, level + 1, to)) {
        level++;
    }
    return level;
}

static bool hpa_exit_before(const void *a, const void *b)
{
    const crn_exit *p = a, *q = b;
    return p->to != q->to ? p->to < q->to : p->from < q->from;
}

uint32_t crn_hpa_outlets(const crn_hpa *index, uint32_t cluster, crn_hpa_outlet out[CRN_EXITS_MAX])
{
    crn_exit exits[CRN_EXITS_MAX];
    uint32_t count = crn_clusters_exits(&index->clusters, cluster, exits);
    crn_sort(exits, count, sizeof *exits, hpa_exit_before);
    for (uint32_t i = 0; i < count; i++) {
        crn_hpa_outlet *outlet = &out[i];
        *outlet = (crn_hpa_outlet){.from = exits[i].from, .to = exits[i].to};
        outlet->step = crn_grid_walk_cost(index->clusters.space, outlet->from, outlet->to);
        outlet->last = i + 1 == count || exits[i + 1].to != outlet->to;
        if (!outlet->last) continue;
        outlet->levels = (uint8_t)(crn_hpa_crossed(index, outlet->from, outlet->to) + 1);
        for (uint32_t l = 0; l < outlet->levels; l++)
            outlet->nodes[l] = crn_hpa_find(index, l, outlet->to);
    }
    return count;
}

cairn_status crn_hpa_ground_open(crn_hpa_ground *ground, crn_scratch *memory, cairn_search *outer,
                                 const crn_grid_space *space)
{
    ground->shown = ground->seen = CAIRN_NO_NODE;
    cairn_status status = crn_part_open(&ground->part, memory, space);
    if (status == CAIRN_OK)
        status = crn_subsearch_open(&ground->subsearch, memory, outer, &ground->part.space.base, 0);
    return status;
}

void crn_hpa_ground_close(crn_hpa_ground *ground)
{
    crn_subsearch_close(&ground->subsearch);
    if (ground->part.memory) crn_part_close(&ground->part);
}

void crn_hpa_ground_show(crn_hpa_ground *ground, const crn_hpa *index, uint32_t cluster)
{
    if (cluster == ground->shown) return;
    if (ground->shown != CAIRN_NO_NODE)
        crn_part_hide(&ground->part, crn_clusters_area(&index->clusters, ground->shown));
    if (cluster != CAIRN_NO_NODE)
        crn_part_show(&ground->part, crn_clusters_area(&index->clusters, cluster));
    ground->shown = cluster;
    ground->seen = CAIRN_NO_NODE;
}

static bool hpa_ground_knows(crn_hpa_ground *ground, cairn_node cell)
{
    return crn_direct_cost(&ground->direct, cell) != CAIRN_NO_COST ||
           crn_direct_never(&ground->direct, cell);
}

bool crn_hpa_ground_direct(crn_hpa_ground *ground, const crn_hpa *index, cairn_node from,
                           cairn_node to)
{
    const crn_grid_space *space = index->clusters.space;
    ground->seen_directly = false;
    if (!crn_direct_suits(space)) return false;
    if (ground->seen != ground->shown)
        crn_direct_open(&ground->direct, space, crn_clusters_area(&index->clusters, ground->shown));
    ground->seen = ground->shown;
    crn_direct_begin(&ground->direct, from);
    uint32_t count;
    const crn_hpa_member *members = crn_hpa_members(index, ground->shown, &count);
    if (to != CAIRN_NO_NODE && !hpa_ground_knows(ground, to)) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!hpa_ground_knows(ground, members[i].cell)) return false;
    }
    ground->seen_directly = true;
    return true;
}

cairn_cost crn_hpa_ground_cost(const crn_hpa_ground *ground, cairn_node cell)
{
    return ground->seen_directly ? crn_direct_cost(&ground->direct, cell)
                                 : crn_subsearch_cost(&ground->subsearch, cell);
}

uint32_t crn_hpa_ground_edges(const crn_hpa_ground *ground, cairn_edge *out, cairn_cost *costliest)
{
    uint32_t count = 0;
    uint64_t best = CAIRN_NO_COST;
    for (uint32_t i = 0; i < ground->count; i++) {
        const crn_hpa_outlet *outlet = &ground->outlets[i];
        uint64_t cost = (uint64_t)crn_hpa_ground_cost(ground, outlet->from) + outlet->step;
        if (cost < best) best = cost;
        if (!outlet->last) continue;
        for (uint32_t l = 0; best <= CAIRN_COST_MAX && l < outlet->levels; l++) {
            out[count++] = (cairn_edge){outlet->nodes[l], (cairn_cost)best};
        }
        if (best <= CAIRN_COST_MAX) *costliest = crn_max_u32(*costliest, (cairn_cost)best);
        best = CAIRN_NO_COST;
    }
    return count;
}
