/* hpa_near.c: which edges of HPA* a change of some cells can concern. See hpa_near.h. */
#include "hierarchy/hpa/hpa_near.h"

static bool near_is_same(crn_metric a, crn_metric b)
{
    return a.straight == b.straight && a.shortcut == b.shortcut && a.hex == b.hex &&
           a.blind == b.blind;
}

void crn_hpa_near_continue(crn_hpa_near *near, const crn_hpa *index)
{
    const crn_grid_space *space = index->clusters.space;
    crn_metric now = crn_metric_of(&space->base);
    near->known = near->known && near_is_same(near->metric, now) && !now.blind &&
                  !space->links.shortcut_count && !space->steep;
}

void crn_hpa_near_begin(crn_hpa_near *near, const crn_hpa *index)
{
    *near = (crn_hpa_near){.metric = index->metric, .known = true, .cell = CAIRN_NO_NODE};
    crn_hpa_near_continue(near, index);
}

static crn_size_box near_union(crn_size_box a, crn_size_box b)
{
    return (crn_size_box){crn_min_u32(a.left, b.left), crn_min_u32(a.top, b.top),
                          crn_max_u32(a.right, b.right), crn_max_u32(a.bottom, b.bottom)};
}

/* Does an edit of a cell open or close that cell, and change nothing else? */
static bool near_is_single(const crn_hpa_near *near, const crn_grid_space *space, cairn_node cell)
{
    crn_size_box box = crn_edits_box(space, cell, 0);
    return near->known && space->uniform && !space->limited && box.left == box.right &&
           box.top == box.bottom;
}

void crn_hpa_near_add(crn_hpa_near *near, const crn_hpa *index, cairn_node cell, crn_size_box box)
{
    const cairn_space *space = &index->clusters.space->base;
    uint32_t width = index->clusters.space->grid->width;
    bool single = !near->begun || near->cell == cell;
    near->slack = near->metric.shortcut; /* two steps to the cell, less the one past it */
    near->cell = single && near_is_single(near, index->clusters.space, cell) ? cell : CAIRN_NO_NODE;
    near->cells = near->begun ? near_union(near->cells, box) : box;
    near->begun = true;
    box = near->cells;
    crn_abstract_position(space, box.top * width + box.left, &near->left, &near->top);
    crn_abstract_position(space, box.bottom * width + box.right, &near->right, &near->bottom);
    if (!index->clusters.space->hex) return;
    near->left -= CRN_ABSTRACT_UNITS / 2; /* every other row lies half a cell to the right */
    near->right += CRN_ABSTRACT_UNITS / 2;
}

bool crn_hpa_near_parts(const crn_hpa_near *near, const crn_hpa *index)
{
    static const uint8_t ring[] = {0, 1, 2, 5, 8, 7, 6, 3};
    const crn_grid_space *space = index->clusters.space;
    if (near->cell == CAIRN_NO_NODE || space->hex) return true;
    uint32_t width = space->grid->width, runs = 0,
             open = crn_grid_pattern(space, near->cell % width, near->cell / width);
    for (uint32_t i = 0; i < 8; i++) runs += open >> ring[i] & 1 & ~(open >> ring[(i + 7) % 8]);
    return runs > 1;
}

bool crn_hpa_near_concerns(const crn_hpa_near *near, const crn_hpa *index, cairn_node node,
                           cairn_cost *costliest)
{
    if (!near->known) return true;
    const crn_abstract_node *place = &index->abstract.nodes[node];
    const cairn_edge *edges = crn_abstract_edges(&index->abstract, node);
    uint64_t there = crn_hpa_near_distance(near, place->x, place->y);
    cairn_cost most = 0;
    for (uint32_t e = 0; e < place->count; e++) {
        const crn_abstract_node *to = &index->abstract.nodes[edges[e].node];
        if (edges[e].cost && edges[e].cost >= there + crn_hpa_near_distance(near, to->x, to->y))
            return true;
        most = crn_max_u32(most, edges[e].cost);
    }
    *costliest = crn_max_u32(*costliest, most);
    return false;
}
