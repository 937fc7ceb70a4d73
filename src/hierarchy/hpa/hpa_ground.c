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

static void hpa_fill_outlet(const crn_hpa *index, uint32_t cluster, crn_hpa_outlet *outlet)
{
    outlet->step = crn_clusters_crossing(&index->clusters, outlet->from, outlet->to);
    if (!outlet->last) return;
    outlet->inside = crn_hpa_cluster(index, 0, outlet->to) == cluster;
    outlet->levels = (uint8_t)(crn_hpa_crossed(index, outlet->from, outlet->to) + 1);
    for (uint32_t l = 0; l < outlet->levels; l++) {
        outlet->nodes[l] = crn_hpa_find(index, l, outlet->to);
        if (outlet->nodes[l] == CAIRN_NO_NODE) outlet->levels = (uint8_t)l; /* few have one */
    }
}

bool crn_hpa_ground_leave(crn_hpa_ground *ground, const crn_hpa *index, uint32_t cluster)
{
    crn_exits *exits = &ground->exits;
    void *outlets = ground->outlets;
    ground->count = 0;
    if (!crn_clusters_outlets(&index->clusters, cluster, ground->memory, exits)) return false;
    bool ok = crn_scratch_grow(ground->memory, &outlets, &ground->outlet_capacity, exits->count,
                               sizeof *ground->outlets);
    ground->outlets = outlets;
    if (!ok) return false;
    for (uint32_t i = 0; i < exits->count; i++) {
        const crn_exit *exit = &exits->items[i];
        ground->outlets[i] = (crn_hpa_outlet){.from = exit->from, .to = exit->to};
        ground->outlets[i].last = i + 1 == exits->count || exit[1].to != exit->to;
        hpa_fill_outlet(index, cluster, &ground->outlets[i]);
    }
    ground->count = exits->count;
    return true;
}

cairn_status crn_hpa_ground_open(crn_hpa_ground *ground, crn_scratch *memory, cairn_search *outer,
                                 const crn_grid_space *space)
{
    ground->memory = memory;
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
    if (!ground->memory) return;
    crn_exits_close(&ground->exits, ground->memory);
    crn_scratch_free(ground->memory, ground->area, sizeof *ground->area);
    ground->area = NULL;
    crn_scratch_free(ground->memory, ground->outlets,
                     ground->outlet_capacity * sizeof *ground->outlets);
    ground->outlets = NULL;
    ground->outlet_capacity = 0;
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
    ground->area_open = false;
}

/* Makes a cell of the cluster usable, or blocks it. */
static void hpa_ground_set(crn_hpa_ground *ground, cairn_node cell, bool usable)
{
    uint32_t width = ground->part.whole->grid->width, x = cell % width, y = cell / width;
    (usable ? crn_part_show_cell : crn_part_hide_cell)(&ground->part, x, y);
    if (ground->area_open) crn_area_search_refresh(ground->area, x, y);
}

/* Makes `area` that of the cluster, where it can be used; false = no memory. */
static bool hpa_ground_open_area(crn_hpa_ground *ground, const crn_hpa *index)
{
    if (ground->area_open || !crn_area_search_suits(index->clusters.space)) return true;
    if (!ground->area) ground->area = crn_scratch_alloc(ground->memory, sizeof *ground->area);
    if (!ground->area) return false;
    crn_area_search_open(ground->area, &ground->part.space,
                         crn_clusters_area(&index->clusters, ground->shown));
    ground->area_open = true;
    return true;
}

cairn_status crn_hpa_ground_find(crn_hpa_ground *ground, const crn_hpa *index, cairn_node from,
                                 uint64_t *work)
{
    bool usable = cairn_space_usable(&index->clusters.space->base, from);
    cairn_status status = CAIRN_OK;
    if (!hpa_ground_open_area(ground, index)) return CAIRN_OUT_OF_MEMORY;
    if (!usable) hpa_ground_set(ground, from, true);
    ground->seen_directly = false;
    ground->found_in_area = ground->area_open;
    if (ground->found_in_area) {
        *work += crn_area_search_find(ground->area, from);
    } else {
        status = crn_subsearch_find(&ground->subsearch, from, CAIRN_NO_NODE);
        *work += ground->subsearch.search.metrics.work;
    }
    if (!usable) hpa_ground_set(ground, from, false);
    return status == CAIRN_OUT_OF_MEMORY ? status : CAIRN_OK;
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
    ground->seen_directly = ground->found_in_area = false;
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
    return ground->seen_directly   ? crn_direct_cost(&ground->direct, cell)
           : ground->found_in_area ? crn_area_search_cost(ground->area, cell)
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
        if (CRN_UNLIKELY(outlet->inside) && crn_hpa_ground_cost(ground, outlet->to) <= best)
            best = CAIRN_NO_COST;
        for (uint32_t l = 0; best <= CAIRN_COST_MAX && l < outlet->levels; l++) {
            out[count++] = (cairn_edge){outlet->nodes[l], (cairn_cost)best};
        }
        if (best <= CAIRN_COST_MAX) *costliest = crn_max_u32(*costliest, (cairn_cost)best);
        best = CAIRN_NO_COST;
    }
    return count;
}
