/* jps_plus.c: jump point search with precomputed jumps.
 *
 * The same search as `jps`, but jumps are read from a table: a straight one takes one look-up, a
 * diagonal one a look-up for each cell where it must stop. The table takes 4.5 bytes per cell, and
 * the bitmaps that the space keeps 5 bits: about 5.1 bytes in all. After edits the table is
 * repaired where it changed, and is then equal to a rebuilt one (table.h).
 * Builds and repairs can be done in slices; of boxes too.
 *
 * With boxes=on each jump point also has, for every direction, a box around all goals to which a
 * shortest path begins in that direction. Directions whose box does not hold the goal are skipped
 * (boxes.h). Building the boxes takes a search of the whole map for each jump point. An edit that
 * opens or closes a cell drops them, and the planner continues without them until it is rebuilt.
 *
 * Optimal. Links are in the table, but not in the boxes, which are not used where there are any.
 * Where ground differs in cost the bitmaps are scanned, as by `jps`. What that delegates to A* is
 * delegated here too.
 *
 * Sources: Harabor and Grastien 2011 and 2014 (see jump.h); Rabin and Silva, "JPS+: An Extreme A*
 * Speed Optimization for Static Uniform Cost Grids", 2015; Rabin and Sturtevant, "Combining
 * Bounding Boxes and JPS to Prune Grid Pathfinding", 2016.
 */
#include "jump/jump_check.h"
#include "jump/boxes.h"
#include "jump/jump.h"
#include "jump/table.h"

#define JPS_PLUS_UNIT 64u /* cells of the table that are computed in a unit of work */

enum { JPS_PLUS_OFF, JPS_PLUS_ON };
static const char *const jps_plus_switch[] = {"off", "on", NULL};

static const cairn_parameter jps_plus_parameters[] = {
    CRN_PARAMETER_JUMPS,
    {"boxes", "leave out directions that do not lead to the goal; slow to build",
     CAIRN_PARAMETER_CHOICE, JPS_PLUS_OFF, JPS_PLUS_ON, JPS_PLUS_OFF, jps_plus_switch},
};

typedef struct jps_plus_index {
    crn_jump_table table;
    crn_jump_boxes boxes;
    bool awaits_boxes; /* a build in slices: once the table is there */
} jps_plus_index;

static const crn_grid_space *jps_plus_map(const cairn_planner *planner)
{
    return crn_grid_space_of(planner->space);
}

static bool jps_plus_has_boxes(const cairn_planner *planner)
{
    int64_t boxes = JPS_PLUS_OFF;
    crn_parameter(planner, "boxes", &boxes);
    return boxes == JPS_PLUS_ON;
}

static cairn_status jps_plus_create(cairn_planner *planner, cairn_error *error)
{
    /* They also count how crowded the map is. */
    cairn_status status = crn_grid_space_keep_runs((crn_grid_space *)(void *)planner->space);
    if (status == CAIRN_OK)
        planner->index = crn_alloc_zero(planner->space->context, sizeof(jps_plus_index));
    if (!planner->index) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    planner->optimal = true;
    planner->bound = 1;
    return CAIRN_OK;
}

static void jps_plus_drop(cairn_planner *planner)
{
    jps_plus_index *index = planner->index;
    crn_jump_table_drop(&index->table, planner->space->context);
    crn_jump_boxes_drop(&index->boxes, planner->space->context);
    index->awaits_boxes = false;
}

static void jps_plus_destroy(cairn_planner *planner)
{
    jps_plus_drop(planner);
    crn_free(planner->space->context, planner->index, sizeof(jps_plus_index));
}

/* The boxes take so much longer than the table that its share of the work is not worth a report. */
static cairn_status jps_plus_build(cairn_planner *planner, const cairn_progress *progress,
                                   cairn_error *error)
{
    jps_plus_index *index = planner->index;
    bool alone = !jps_plus_has_boxes(planner) || jps_plus_map(planner)->links.count;
    cairn_status status =
        crn_jump_table_build(&index->table, jps_plus_map(planner), alone ? progress : NULL, error);
    if (status == CAIRN_OK && !alone) {
        status = crn_jump_boxes_build(&index->boxes, jps_plus_map(planner), progress, error);
    }
    if (status != CAIRN_OK) jps_plus_drop(planner);
    return status;
}

/* Boxes do not outlive what they depend on. */
static void jps_plus_fit_boxes(cairn_planner *planner)
{
    jps_plus_index *index = planner->index;
    if (index->table.changed || !crn_jump_boxes_fit(&index->boxes, jps_plus_map(planner)))
        crn_jump_boxes_drop(&index->boxes, planner->space->context);
}

static cairn_status jps_plus_repair(cairn_planner *planner, const cairn_progress *progress,
                                    cairn_error *error)
{
    jps_plus_index *index = planner->index;
    cairn_status status = crn_jump_table_repair(&index->table, jps_plus_map(planner),
                                                planner->built_version, progress, error);
    jps_plus_fit_boxes(planner);
    return status;
}

/* ---- in slices ---- */

static cairn_status jps_plus_build_begin(cairn_planner *planner, cairn_error *error)
{
    jps_plus_index *index = planner->index;
    cairn_status status = crn_jump_table_build_begin(&index->table, jps_plus_map(planner), error);
    index->awaits_boxes = status == CAIRN_RUNNING && jps_plus_has_boxes(planner);
    return status;
}

static cairn_status jps_plus_repair_begin(cairn_planner *planner, uint64_t since,
                                          cairn_error *error)
{
    jps_plus_index *index = planner->index;
    (void)error;
    crn_jump_table_repair_begin(&index->table, jps_plus_map(planner), since);
    return CAIRN_RUNNING;
}

/* The table, and then the boxes of a build. A commit in the middle of these drops them, as after
 * the build. */
static cairn_status jps_plus_go_on(cairn_planner *planner, uint64_t *cells, cairn_error *error)
{
    jps_plus_index *index = planner->index;
    const crn_grid_space *map = jps_plus_map(planner);
    cairn_status status = CAIRN_OK;
    if (index->table.job.busy) {
        status = crn_jump_table_step(&index->table, map, cells, error);
        if (status != CAIRN_OK) return status;
        jps_plus_fit_boxes(planner);
        if (index->awaits_boxes && !map->links.count)
            status = crn_jump_boxes_begin(&index->boxes, map, error);
        index->awaits_boxes = false;
    }
    return index->boxes.slices ? crn_jump_boxes_step(&index->boxes, map, cells, error) : status;
}

static cairn_status jps_plus_step(cairn_planner *planner, uint64_t *work, cairn_error *error)
{
    uint64_t most = UINT64_MAX / JPS_PLUS_UNIT, units = *work < most ? *work : most,
             cells = units * JPS_PLUS_UNIT;
    cairn_status status = jps_plus_go_on(planner, &cells, error);
    *work -= units - cells / JPS_PLUS_UNIT;
    return status;
}

static const crn_slice_functions jps_plus_slices = {.build_begin = jps_plus_build_begin,
                                                    .repair_begin = jps_plus_repair_begin,
                                                    .step = jps_plus_step};

static size_t jps_plus_bytes(const cairn_planner *planner)
{
    const jps_plus_index *index = planner->index;
    return crn_jump_table_bytes(&index->table) + crn_jump_boxes_bytes(&index->boxes);
}

static cairn_status jps_plus_save(const cairn_planner *planner, cairn_store *store,
                                  cairn_error *error)
{
    const jps_plus_index *index = planner->index;
    cairn_status status = crn_jump_table_save(&index->table, store, error);
    return status == CAIRN_OK ? crn_jump_boxes_save(&index->boxes, store, error) : status;
}

static cairn_status jps_plus_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                                  cairn_error *error)
{
    jps_plus_index *index = planner->index;
    cairn_status status =
        crn_jump_table_load(&index->table, jps_plus_map(planner), archive, borrow, error);
    if (status == CAIRN_OK && jps_plus_has_boxes(planner)) {
        status = crn_jump_boxes_load(&index->boxes, jps_plus_map(planner), archive, borrow, error);
    }
    if (status != CAIRN_OK) jps_plus_drop(planner);
    return status;
}

/* ---- what the index looks like: jump points, and straight jumps between them ---- */

/* The jump from a point in a straight direction, unless it leads to no point, or is shown from the
 * other end. Where ground differs it has no cost. */
static void jps_plus_show_jump(const cairn_planner *planner, uint32_t direction,
                               cairn_overlay_item item, const cairn_overlay_sink *sink)
{
    const crn_jump_table *table = &((const jps_plus_index *)planner->index)->table;
    const crn_grid_space *map = jps_plus_map(planner);
    uint32_t x = item.node % table->width, y = item.node / table->width;
    uint32_t run = crn_jump_run(table, crn_jump_cell(table, x, y), direction, x, y);
    uint32_t length = run & CRN_RUN_LENGTH;
    if (!(run & CRN_RUN_POINT)) return;
    uint32_t end_x = (uint32_t)((int32_t)x + (int32_t)length * crn_dx[direction]),
             end_y = (uint32_t)((int32_t)y + (int32_t)length * crn_dy[direction]);
    uint32_t back =
        crn_jump_run(table, crn_jump_cell(table, end_x, end_y), direction ^ 2, end_x, end_y);
    if (back == run && (direction == CRN_N || direction == CRN_W)) return;
    item.kind = CAIRN_OVERLAY_EDGE;
    item.to = cairn_space_position(planner->space, end_y * table->width + end_x);
    item.cost = map->uniform ? crn_saturate((uint64_t)length * map->step[direction]) : 0;
    sink->item(sink->user, &item);
}

static void jps_plus_show(const cairn_planner *planner, bool jumps, const cairn_overlay_sink *sink)
{
    const crn_jump_table *table = &((const jps_plus_index *)planner->index)->table;
    for (cairn_node node = 0; node < planner->space->node_count; node++) {
        if (!crn_jump_table_is_point(table, jps_plus_map(planner), node % table->width,
                                     node / table->width))
            continue;
        cairn_overlay_item item = {
            .kind = CAIRN_OVERLAY_NODE, .level = 1, .node = node, .group = node};
        item.from = cairn_space_position(planner->space, node);
        if (!jumps) sink->item(sink->user, &item);
        for (uint32_t d = 0; jumps && d < CRN_NE; d++) jps_plus_show_jump(planner, d, item, sink);
    }
}

static void jps_plus_overlay(const cairn_planner *planner, uint32_t level,
                             const cairn_overlay_sink *sink)
{
    if (level > 1) return;
    jps_plus_show(planner, false, sink);
    jps_plus_show(planner, true, sink);
}

static cairn_status jps_plus_begin(cairn_search *search)
{
    const jps_plus_index *index = search->planner->index;
    const crn_grid_space *map = jps_plus_map(search->planner);
    bool boxes = index->boxes.boxes && !map->links.count;
    return crn_jump_begin(search, map->uniform ? &index->table : NULL,
                          boxes && map->uniform ? &index->boxes : NULL);
}

#if defined(CAIRN_CHECKS)
static const char *jps_plus_checked(const cairn_planner *planner, bool whole)
{
    (void)whole;
    const jps_plus_index *index = planner->index;
    const char *wrong = crn_jump_table_check(&index->table, jps_plus_map(planner));
    return wrong ? wrong : crn_jump_boxes_check(&index->boxes, jps_plus_map(planner));
}
#endif

static const crn_index_functions jps_plus_functions = {
    .format = 1,
    .of_searches = 1u << 0, /* jumps */
    .build = jps_plus_build,
    .drop = jps_plus_drop,
    .repair = jps_plus_repair,
    .slices = &jps_plus_slices,
    .bytes = jps_plus_bytes,
    .save = jps_plus_save,
    .load = jps_plus_load,
    .check = CRN_CHECKED(jps_plus_checked),
    .overlay = jps_plus_overlay,
};

const crn_algorithm crn_algorithm_jps_plus = {
    .info = {.name = "jps-plus",
             .aliases = "jps+ jump-point-search-plus",
             .summary =
                 "jump point search with a table of jumps: optimal, about 5.1 bytes per cell, "
                 "repaired after edits",
             .source = "Rabin and Silva 2015",
             .family = "jump",
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_NO_GOAL |
                      CAIRN_NEEDS_INDEX | CAIRN_REPAIRS | CAIRN_SLICES,
             .worlds = 1u << CAIRN_WORLD_GRID,
             .neighbourhoods = 1u << CAIRN_NEIGHBOURS_8,
             .corners = (1u << CAIRN_CORNERS_COUNT) - 1,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS | 1u << CAIRN_FEATURE_NO_GOAL,
             .parameters = jps_plus_parameters,
             .parameter_count = CRN_COUNT(jps_plus_parameters)},
    .create = jps_plus_create,
    .destroy = jps_plus_destroy,
    .index = &jps_plus_functions,
    .begin = jps_plus_begin,
    CRN_JUMP_SEARCH_FUNCTIONS,
};
