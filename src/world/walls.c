/* walls.c: extra costs near walls, so that paths keep away from them where there is room.
 *
 * A cheapest path touches every corner that it passes. What looks better costs a little more near
 * walls: `cost` units of the extra layer right beside one, and less with the distance, down to
 * nothing at `range` cells from there. These costs are the grid's extra layer, as if the user had
 * written them. So they are committed, saved, hashed and repaired like any edit; every algorithm
 * that takes terrain is exact with them, and since they only add, every estimate stays admissible.
 *
 * After an edit only cells near those that were opened or blocked can have other distances: they
 * lie in a box around each of them. Nothing else is looked at.
 */
#include "world/changes.h"
#include "world/cover.h"

#include <math.h>

typedef struct walls_task {
    const cairn_walls *walls;
    const crn_grid_space *space;
    cairn_grid *grid;
    uint32_t limit; /* 12 · distance² from which on nothing is added */
    bool staged;    /* edits that are staged already may be of the extra layer: they yield */
} walls_task;

/* The units that a cell is to have. */
static uint8_t walls_units(const walls_task *task, uint32_t x, uint32_t y)
{
    crn_bitmap free = crn_grid_free(task->space);
    if (!crn_bit(free.bits, (int32_t)x, (int32_t)y)) return 0;
    double range = task->walls->range,
           away = crn_clearance_distance(crn_clearance_look(&free, x, y, task->limit, NULL)) - 0.5;
    if (away >= range) return 0;
    return (uint8_t)floor(task->walls->cost * (1 - away / range) + 0.5);
}

/* Stages what is different in a box. */
static cairn_status walls_stage(const walls_task *task, crn_size_box box)
{
    const cairn_grid *grid = task->grid;
    for (uint32_t y = box.top; y <= box.bottom; y++) {
        for (uint32_t x = box.left; x <= box.right; x++) {
            uint8_t units = walls_units(task, x, y);
            cairn_node node = y * grid->width + x;
            cairn_cell_state own =
                crn_cover_own(crn_cover_find(grid->cover, node), crn_grid_state(grid, node));
            bool same = units == own.layer;
            if (same && !task->staged) continue;
            cairn_status status = cairn_grid_set_layer(task->grid, (int32_t)x, (int32_t)y, units);
            if (status != CAIRN_OK) return status;
        }
    }
    return CAIRN_OK;
}

/* The box that one edited cell can matter to. Rows of hexagons lie closer together, and the gap
 * between two of them is up to 1.08 less than the distance of their centres. */
static crn_size_box walls_box(const walls_task *task, cairn_node node)
{
    uint32_t width = task->grid->width, height = task->grid->height, x = node % width,
             y = node / width, reach = (uint32_t)(task->walls->range + 1),
             rows = (uint32_t)((task->walls->range + 1.08) / CRN_HEX_ROW);
    return (crn_size_box){.left = x - crn_min_u32(x, reach),
                          .top = y - crn_min_u32(y, rows),
                          .right = crn_min_u32(x + reach, width - 1),
                          .bottom = crn_min_u32(y + rows, height - 1)};
}

static cairn_status walls_stage_changes(const walls_task *task)
{
    crn_edits edits;
    const cairn_change *change;
    cairn_status status = crn_edits_begin(&edits, task->grid, task->walls->since);
    while (status == CAIRN_OK && (change = crn_edits_next(&edits))) {
        bool same = change->before.open == change->after.open &&
                    change->before.terrain == change->after.terrain;
        if (!same) status = walls_stage(task, walls_box(task, change->node));
    }
    return status;
}

cairn_status cairn_space_stage_walls(cairn_space *space, const cairn_walls *walls)
{
    if (!space || !walls) return CAIRN_INVALID;
    const crn_grid_space *own = crn_grid_space_of(space);
    if (!own) return CAIRN_UNSUPPORTED;
    if (!(walls->range > 0 && walls->range < CRN_CLEARANCE_MAX) ||
        walls->since > own->grid->version)
        return CAIRN_INVALID;
    double far = walls->range + 0.5;
    walls_task task = {walls, own, own->grid, (uint32_t)(12 * far * far) + 1,
                       own->grid->edit_count != 0};
    if (walls->since) return walls_stage_changes(&task);
    return walls_stage(
        &task, (crn_size_box){.right = own->grid->width - 1, .bottom = own->grid->height - 1});
}
