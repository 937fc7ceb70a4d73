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

#define HPA_OUTLETS 64u   /* that are filled in for a unit of work */
#define HPA_FEW_LEVELS 3u /* with more, half of them */
#define HPA_FEW_EXITS 32u /* among links: with more, they are not filled in by the same unit */
#define HPA_SEEN 512u     /* nodes of a cluster that are tested for one */

/* Some more of the transitions that were gathered; of those between the same two cells the last. */
static cairn_status hpa_ground_fill(crn_hpa_ground *ground, const crn_hpa *index, uint32_t cluster)
{
    const crn_exits *exits = &ground->exits;
    uint32_t most = index->levels > HPA_FEW_LEVELS ? HPA_OUTLETS / 2 : HPA_OUTLETS,
             end = crn_min_u32(ground->exit + most, exits->count);
    for (; ground->exit < end; ground->exit++) {
        const crn_exit *exit = &exits->items[ground->exit];
        bool final = ground->exit + 1 == exits->count;
        if (!final && exit[1].to == exit->to && exit[1].from == exit->from) continue;
        crn_hpa_outlet *outlet = &ground->outlets[ground->count++];
        *outlet = (crn_hpa_outlet){.from = exit->from, .to = exit->to};
        outlet->last = final || exit[1].to != exit->to;
        hpa_fill_outlet(index, cluster, outlet);
    }
    return end == exits->count ? CAIRN_OK : CAIRN_RUNNING;
}

void crn_hpa_ground_begin_leaving(crn_hpa_ground *ground)
{
    crn_clusters_begin_outlets(&ground->exits);
    ground->count = ground->exit = 0;
    ground->gathered = false;
}

cairn_status crn_hpa_ground_leave_on(crn_hpa_ground *ground, const crn_hpa *index, uint32_t cluster)
{
    if (!ground->gathered) {
        void *outlets = ground->outlets;
        cairn_status status =
            crn_clusters_outlets(&index->clusters, cluster, ground->memory, &ground->exits);
        if (status != CAIRN_OK) return status;
        bool ok = crn_scratch_grow(ground->memory, &outlets, &ground->outlet_capacity,
                                   ground->exits.count, sizeof *ground->outlets);
        ground->outlets = outlets;
        if (!ok) return CAIRN_OUT_OF_MEMORY;
        ground->gathered = true;
        if (ground->exits.count > HPA_FEW_EXITS && index->clusters.space->links.count)
            return CAIRN_RUNNING;
    }
    return hpa_ground_fill(ground, index, cluster);
}

bool crn_hpa_ground_leave(crn_hpa_ground *ground, const crn_hpa *index, uint32_t cluster)
{
    cairn_status status = CAIRN_RUNNING;
    crn_hpa_ground_begin_leaving(ground);
    while (status == CAIRN_RUNNING) status = crn_hpa_ground_leave_on(ground, index, cluster);
    return status == CAIRN_OK;
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
    crn_scratch_free(ground->memory, ground->known, ground->known_capacity * sizeof *ground->known);
    ground->outlets = NULL;
    ground->known = NULL;
    ground->outlet_capacity = ground->known_capacity = 0;
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

bool crn_hpa_ground_sees(crn_hpa_ground *ground, const crn_hpa *index, cairn_node from,
                         cairn_node to)
{
    uint32_t count;
    crn_hpa_members(index, ground->shown, &count);
    ground->seen_directly = ground->found_in_area = false;
    return count <= HPA_SEEN && crn_hpa_ground_direct(ground, index, from, to);
}

bool crn_hpa_ground_apart(crn_hpa_ground *ground, uint32_t most)
{
    void *known = ground->known;
    bool ok = crn_scratch_grow(ground->memory, &known, &ground->known_capacity, most,
                               sizeof *ground->known);
    ground->known = known;
    ground->known_count = 0;
    ground->apart = true;
    return ok;
}

void crn_hpa_ground_note(crn_hpa_ground *ground, cairn_node cell, cairn_cost cost)
{
    ground->known[ground->known_count++] = (cairn_edge){cell, cost};
}

/* They were noted ascending by cell, but for the last one, which may be the goal. */
static cairn_cost hpa_ground_noted(const crn_hpa_ground *ground, cairn_node cell)
{
    uint32_t count = ground->known_count;
    if (!count) return CAIRN_NO_COST;
    if (ground->known[count - 1].node == cell) return ground->known[count - 1].cost;
    size_t at = crn_lower_bound(ground->known, count - 1, cell);
    return at < count - 1 && ground->known[at].node == cell ? ground->known[at].cost
                                                            : CAIRN_NO_COST;
}

cairn_cost crn_hpa_ground_cost(const crn_hpa_ground *ground, cairn_node cell)
{
    if (CRN_UNLIKELY(ground->apart)) return hpa_ground_noted(ground, cell);
    return ground->seen_directly   ? crn_direct_cost(&ground->direct, cell)
           : ground->found_in_area ? crn_area_search_cost(ground->area, cell)
                                   : crn_subsearch_cost(&ground->subsearch, cell);
}

bool crn_hpa_ground_edges_on(const crn_hpa_ground *ground, crn_hpa_leaving *leaving,
                             cairn_edge *out, uint32_t outlets)
{
    uint64_t best = leaving->best;
    for (; outlets && leaving->outlet < ground->count; outlets--, leaving->outlet++) {
        const crn_hpa_outlet *outlet = &ground->outlets[leaving->outlet];
        uint64_t cost = (uint64_t)crn_hpa_ground_cost(ground, outlet->from) + outlet->step;
        if (cost < best) best = cost;
        if (!outlet->last) continue;
        if (CRN_UNLIKELY(outlet->inside) && crn_hpa_ground_cost(ground, outlet->to) <= best)
            best = CAIRN_NO_COST;
        for (uint32_t l = 0; best <= CAIRN_COST_MAX && l < outlet->levels; l++) {
            out[leaving->count++] = (cairn_edge){outlet->nodes[l], (cairn_cost)best};
        }
        if (best <= CAIRN_COST_MAX)
            leaving->costliest = crn_max_u32(leaving->costliest, (cairn_cost)best);
        best = CAIRN_NO_COST;
    }
    leaving->best = best;
    return leaving->outlet == ground->count;
}

uint32_t crn_hpa_ground_edges(const crn_hpa_ground *ground, cairn_edge *out, cairn_cost *costliest)
{
    crn_hpa_leaving leaving = {.best = CAIRN_NO_COST, .costliest = *costliest};
    crn_hpa_ground_edges_on(ground, &leaving, out, UINT32_MAX);
    *costliest = leaving.costliest;
    return leaving.count;
}
