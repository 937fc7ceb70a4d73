/* mm_view.c: packed levels as spaces. See mm_view.h. */
#include "hierarchy/mm_view.h"

static const crn_mm_view *view_of(const cairn_space *space)
{
    return (const crn_mm_view *)(const void *)space;
}

/* Where a region lies: the number of its node is given as well. */
static void view_position(const crn_mm_view *view, cairn_node node, uint32_t sector, uint32_t region,
                          int32_t *x, int32_t *y)
{
    for (uint32_t i = 0; i < 2; i++) {
        if (view->ends[i] != node) continue;
        *x = view->end_x[i];
        *y = view->end_y[i];
        return;
    }
    cairn_cell cell = crn_mm_place(view->mm, view->level, sector, region);
    *x = cell.x * CRN_LAYER_UNITS + (view->ground->hex && cell.y & 1 ? CRN_LAYER_UNITS / 2 : 0);
    *y = cell.y * CRN_LAYER_UNITS;
}

static void view_locate(const crn_mm_view *view, cairn_node node, int32_t *x, int32_t *y)
{
    const crn_mm_level *level = &view->mm->levels[view->level];
    uint32_t sector = crn_mm_sector_of(level, node);
    view_position(view, node, sector, node - level->first[sector], x, y);
}

static uint32_t view_expand(const cairn_space *space, cairn_node node, uint32_t first, cairn_edge *out,
                            uint32_t capacity)
{
    const crn_mm_view *view = view_of(space);
    const crn_mm_level *level = &view->mm->levels[view->level];
    uint32_t at = crn_mm_sector_of(level, node), written = 0, direction, region;
    crn_mm_sector sector = crn_mm_sector_at(level, at);
    crn_mm_edges edges = crn_mm_edges_of(&sector, node - level->first[at]);
    int32_t x, y, to_x, to_y;
    view_position(view, node, at, node - level->first[at], &x, &y);
    while (written < capacity && crn_mm_edges_next(&edges, &direction, &region)) {
        uint32_t beside =
            (uint32_t)((int64_t)at + crn_dy[direction] * (int64_t)level->columns + crn_dx[direction]);
        if (view->within != CRN_MM_EVERYWHERE && crn_mm_upper(view->mm, beside) != view->within) continue;
        if (first) {
            first--;
            continue;
        }
        cairn_node to = level->first[beside] + region;
        view_position(view, to, beside, region, &to_x, &to_y);
        out[written++] = (cairn_edge){to, crn_saturate(crn_metric_distance(view->metric, x, y, to_x, to_y))};
    }
    return written;
}

static bool view_usable(const cairn_space *space, cairn_node node)
{
    return node < space->node_count;
}

static cairn_position view_localize(const cairn_space *space, cairn_node node)
{
    int32_t x, y;
    view_locate(view_of(space), node, &x, &y);
    return (cairn_position){x, y};
}

static cairn_cost view_estimate(const cairn_space *space, cairn_heuristic heuristic, cairn_node node,
                                const crn_box *box)
{
    const crn_mm_view *view = view_of(space);
    if (heuristic == CAIRN_HEURISTIC_NULL) return 0;
    int32_t x, y;
    view_locate(view, node, &x, &y);
    return crn_saturate(crn_metric_distance(view->metric, x, y, (int32_t)box->x0, (int32_t)box->y0));
}

static uint64_t view_version(const cairn_space *space)
{
    return cairn_space_version(&view_of(space)->ground->base);
}

static const crn_space_functions view_functions = {
    .expand = view_expand,
    .usable = view_usable,
    .localize = view_localize,
    .estimate = view_estimate,
    .version = view_version,
};

void crn_mm_view_open(crn_mm_view *view, const crn_mm *mm, const crn_grid_space *ground, uint32_t level)
{
    *view = (crn_mm_view){.mm = mm, .ground = ground, .level = level};
    view->base.functions = &view_functions;
    view->base.context = ground->base.context;
    view->base.world = CAIRN_WORLD_GRAPH;
    view->base.scale = ground->base.scale;
    view->base.standard = CAIRN_HEURISTIC_OCTILE;
    view->base.min_edge = view->base.max_edge = view->base.max_step = 1;
}

/* Edges are as long as a sector, more or less: bins of about that width do well. */
void crn_mm_view_follow(crn_mm_view *view)
{
    const crn_mm *mm = view->mm;
    uint64_t side = view->level ? mm->side * CRN_MM_UPPER_SIDE : mm->side;
    view->metric = crn_metric_of(&view->ground->base);
    view->ends[0] = view->ends[1] = CAIRN_NO_NODE;
    view->within = CRN_MM_EVERYWHERE;
    view->base.node_count = crn_mm_node_count(&mm->levels[view->level]);
    view->base.min_edge = crn_saturate(view->metric.straight * side / 4);
    view->base.max_edge = view->base.max_step = crn_saturate(4 * side * view->metric.straight);
}

void crn_mm_view_place(crn_mm_view *view, uint32_t end, cairn_node node, cairn_node cell)
{
    view->ends[end] = node;
    crn_layer_position(&view->ground->base, cell, &view->end_x[end], &view->end_y[end]);
}
