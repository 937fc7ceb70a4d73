/* grid_refresh.c: refreshes a grid space after commits of its grid. See grid_space.h.
 *
 * Before a commit all memory is allocated that the refresh may need, so that nothing can fail then.
 * After it, only what lies near changed cells is recomputed: usable cells, runs, clearance,
 * components, links.
 */
#include "world/grid_space.h"
#include "world/profile.h"
#include "world/view.h"

/* ---- refreshing after commits ---- */

static bool grid_space_allows(const crn_grid_space *space, const cairn_cell_state *state)
{
    return state->open && space->profile.terrain_cost[state->terrain];
}

static uint32_t grid_space_tile(const crn_grid_space *space, uint32_t x, uint32_t y)
{
    return y / CAIRN_TILE * space->components.levels[0].columns + x / CAIRN_TILE;
}

/* Changes that matter, of one row and in one word of cells. */
typedef struct grid_space_group {
    uint32_t first, last, y; /* columns, row */
    uint32_t count;
} grid_space_group;

/* Does the agent see a difference: in where it can be, or, if asked for, in height? */
static bool grid_space_matters(const crn_grid_space *space, const cairn_change *change,
                               bool heights)
{
    return grid_space_allows(space, &change->before) != grid_space_allows(space, &change->after) ||
           (heights && change->before.elevation != change->after.elevation);
}

/* The next group from change *i on; false if there is none. */
static bool grid_space_next_group(const crn_grid_space *space, const crn_commit *commit,
                                  bool heights, uint32_t *i, grid_space_group *out)
{
    uint32_t width = space->grid->width;
    *out = (grid_space_group){0};
    for (; *i < commit->count; ++*i) {
        const cairn_change *change = &commit->changes[*i];
        if (!grid_space_matters(space, change, heights)) continue;
        uint32_t x = change->node % width, y = change->node / width;
        if (!out->count) {
            out->first = x;
            out->y = y;
        } else if (y != out->y || x / CAIRN_TILE != out->first / CAIRN_TILE) {
            break;
        }
        out->last = x;
        out->count++;
    }
    return out->count > 0;
}

/* May there be ground of several costs, or heights that limit steps, after the commit? */
static bool grid_space_gets_ground(const crn_grid_space *space, const crn_commit *commit)
{
    if (!space->uniform) return true;
    for (uint32_t i = 0; i < commit->count; i++) {
        const cairn_cell_state *after = &commit->changes[i].after;
        cairn_cost price = space->price[after->terrain][0];
        if (after->elevation && crn_grid_minds_heights(space)) return true;
        if (price && (price != space->step[CRN_N] || space->layer_cost[after->layer])) return true;
    }
    return false;
}

bool crn_grid_space_prepare(crn_grid_space *space, const crn_commit *commit, uint32_t link_count)
{
    if (!crn_links_reserve(&space->links, space, link_count)) return false;
    if (!crn_views_prepare(space, link_count)) return false;
    if (space->runs && (link_count || grid_space_gets_ground(space, commit)) &&
        !crn_stops_reserve(space))
        return false;
    uint32_t width = space->grid->width, height = space->grid->height;
    /* A cell that changes adds at most one run; one that others keep their distance from changes
     * many cells. */
    uint32_t rows = (uint32_t)(space->size.bottom - space->size.top + 1);
    uint32_t runs = rows * ((uint32_t)(space->size.right - space->size.left) / 2 + 1);
    bool heights = crn_grid_minds_heights(space);
    /* A change of height may also part it from the cells beside it, and a cell that dips into steps
     * others. */
    if (crn_grid_may_be_limited(space)) runs = 3 * runs + CRN_SIZE_DIPS;
    crn_components_begin(&space->components);
    grid_space_group group;
    for (uint32_t i = 0; grid_space_next_group(space, commit, heights, &i, &group);) {
        crn_size_box first = crn_size_reach(&space->size, width, height, group.first, group.y);
        crn_size_box last = crn_size_reach(&space->size, width, height, group.last, group.y);
        for (uint32_t ty = first.top / CAIRN_TILE; ty <= last.bottom / CAIRN_TILE; ty++) {
            for (uint32_t tx = first.left / CAIRN_TILE; tx <= last.right / CAIRN_TILE; tx++) {
                uint32_t number = ty * space->components.levels[0].columns + tx;
                if (!crn_components_reserve(&space->components, number, group.count * runs))
                    return false;
            }
        }
    }
    return true;
}

/* Erodes again what lies near cells x0…x1 of row y. */
static void grid_space_erode_near(crn_grid_space *space, uint32_t x0, uint32_t x1, uint32_t y)
{
    uint32_t width = space->grid->width, height = space->grid->height;
    const crn_bitmap free = crn_grid_free(space);
    crn_size_box first = crn_size_reach(&space->size, width, height, x0, y);
    crn_size_box last = crn_size_reach(&space->size, width, height, x1, y);
    for (uint32_t row = first.top; row <= first.bottom; row++) {
        for (uint32_t x = first.left & ~(CAIRN_TILE - 1); x <= last.right; x += CAIRN_TILE) {
            uint64_t now = crn_size_erode(&space->size, &free, x, row);
            space->upkeep.rows_eroded++;
            uint64_t changed = now ^ crn_bits_word(&space->usable, (int32_t)x, (int32_t)row);
            if (!changed) continue;
            crn_bits_set_word(&space->usable, x, row, now);
            if (space->runs) {
                crn_size_box box = {x + crn_lowest_bit(changed), row, x + crn_highest_bit(changed),
                                    row};
                crn_runs_update(space->runs, &space->usable, &box);
                crn_stops_update_ground(space, &box);
            }
            crn_components_touch(&space->components, grid_space_tile(space, x, row));
        }
    }
}

static void grid_space_refresh_sized(crn_grid_space *space, const crn_commit *commit)
{
    for (uint32_t i = 0; i < commit->count; i++) {
        cairn_cell cell = cairn_grid_cell(space->grid, commit->changes[i].node);
        crn_bit_set(&space->free, cell.x, cell.y,
                    grid_space_allows(space, &commit->changes[i].after));
    }
    grid_space_group group;
    for (uint32_t i = 0; grid_space_next_group(space, commit, false, &i, &group);) {
        grid_space_erode_near(space, group.first, group.last, group.y);
    }
}

static void grid_space_refresh_cells(crn_grid_space *space, const cairn_change *changes,
                                     uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cairn_cell cell = cairn_grid_cell(space->grid, changes[i].node);
        bool now = grid_space_allows(space, &changes[i].after);
        if (now == crn_bit(&space->usable, cell.x, cell.y)) continue;
        crn_bit_set(&space->usable, cell.x, cell.y, now);
        crn_components_touch(&space->components,
                             grid_space_tile(space, (uint32_t)cell.x, (uint32_t)cell.y));
    }
}

/* Changes that fill a box well go together, others one by one. */
static void grid_space_refresh_runs(crn_grid_space *space, const crn_commit *commit)
{
    grid_space_group group;
    crn_size_box all = {UINT32_MAX, UINT32_MAX, 0, 0};
    uint64_t count = 0;
    for (uint32_t i = 0; grid_space_next_group(space, commit, false, &i, &group);
         count += group.count) {
        all.left = crn_min_u32(all.left, group.first);
        all.right = crn_max_u32(all.right, group.last);
        all.top = crn_min_u32(all.top, group.y);
        all.bottom = group.y;
    }
    if (!count) return;
    if ((uint64_t)(all.right - all.left + 1) * (all.bottom - all.top + 1) <= 8 * count) {
        crn_runs_update(space->runs, &space->usable, &all);
        crn_stops_update_ground(space, &all);
        return;
    }
    for (uint32_t i = 0; grid_space_next_group(space, commit, false, &i, &group);) {
        crn_size_box box = {group.first, group.y, group.last, group.y};
        crn_runs_update(space->runs, &space->usable, &box);
        crn_stops_update_ground(space, &box);
    }
}

/* Cells whose ground or height is another one, row by row. */
static void grid_space_refresh_stops(crn_grid_space *space, const crn_commit *commit)
{
    const uint32_t width = space->grid->width;
    crn_size_box box = {.left = 1};
    for (uint32_t i = 0; i < commit->count; i++) {
        const cairn_change *change = &commit->changes[i];
        if (change->before.terrain == change->after.terrain &&
            change->before.layer == change->after.layer &&
            (!space->steep || change->before.elevation == change->after.elevation))
            continue;
        uint32_t x = change->node % width, y = change->node / width;
        if (box.left <= box.right && y == box.top && x <= box.right + 64) {
            box.right = x;
            continue;
        }
        if (box.left <= box.right) crn_stops_update_ground(space, &box);
        box = (crn_size_box){x, y, x, y};
    }
    if (box.left <= box.right) crn_stops_update_ground(space, &box);
}

/* How many values a change of these cells touches. */
static uint64_t grid_space_cleared(const crn_clearance *field, const crn_size_box *box)
{
    uint64_t reach = 2 * (uint64_t)field->reach + 1;
    return (box->right - box->left + reach) * (box->bottom - box->top + reach);
}

/* Changes go together as long as that is less work than doing them apart. */
static void grid_space_refresh_clearance(crn_grid_space *space, const crn_commit *commit)
{
    crn_clearance *field = space->clearance;
    const crn_bits *bits = crn_grid_free_bits(space);
    grid_space_group group;
    crn_size_box box = {0};
    bool any = false;
    for (uint32_t i = 0; grid_space_next_group(space, commit, false, &i, &group);) {
        crn_size_box one = {group.first, group.y, group.last, group.y}, both = one;
        if (any) {
            both = (crn_size_box){crn_min_u32(box.left, one.left), box.top,
                                  crn_max_u32(box.right, one.right), one.bottom};
            if (grid_space_cleared(field, &both) >
                grid_space_cleared(field, &box) + grid_space_cleared(field, &one)) {
                space->upkeep.cells_cleared += crn_clearance_update(field, bits, &box);
                both = one;
            }
        }
        box = both;
        any = true;
    }
    if (any) {
        space->upkeep.cells_cleared += crn_clearance_update(field, bits, &box);
    }
}

/* A cell that dips into steps parts and joins cells that it leaves as they are. */
static void grid_space_refresh_dips(crn_grid_space *space, const crn_commit *commit)
{
    uint32_t width = space->grid->width, height = space->grid->height;
    grid_space_group group;
    for (uint32_t i = 0; grid_space_next_group(space, commit, false, &i, &group);) {
        crn_size_box first = crn_size_reach(&space->size, width, height, group.first, group.y);
        crn_size_box last = crn_size_reach(&space->size, width, height, group.last, group.y);
        for (uint32_t y = first.top / CAIRN_TILE; y <= last.bottom / CAIRN_TILE; y++) {
            for (uint32_t x = first.left / CAIRN_TILE; x <= last.right / CAIRN_TILE; x++)
                crn_components_touch(&space->components,
                                     y * space->components.levels[0].columns + x);
        }
    }
}

/* With elevation limits a cell may have changed its height and nothing else. */
static void grid_space_refresh_heights(crn_grid_space *space, const cairn_change *changes,
                                       uint32_t count)
{
    uint32_t width = space->grid->width;
    for (uint32_t i = 0; i < count; i++) {
        crn_components_touch(&space->components, grid_space_tile(space, changes[i].node % width,
                                                                 changes[i].node / width));
    }
}

void crn_grid_space_refresh(crn_grid_space *space, const crn_commit *commit)
{
    const cairn_change *changes = commit->changes;
    space->upkeep = (cairn_upkeep){0};
    crn_grid_space_learn_rises(space, changes, commit->count);
    crn_grid_space_learn_costs(space);
    if (space->sized) {
        grid_space_refresh_sized(space, commit);
    } else {
        grid_space_refresh_cells(space, changes, commit->count);
        if (space->runs) grid_space_refresh_runs(space, commit);
    }
    if (space->runs) grid_space_refresh_stops(space, commit);
    if (space->steep) grid_space_refresh_heights(space, changes, commit->count);
    if (space->size.dips) grid_space_refresh_dips(space, commit);
    if (space->clearance) grid_space_refresh_clearance(space, commit);
    crn_components_repair(&space->components, space);
    space->upkeep.tiles_updated = space->components.tiles_updated;
    space->upkeep.blocks_joined = space->components.blocks_joined;
    if (crn_links_refresh(&space->links, space, commit->links_changed))
        crn_grid_space_learn_costs(space);
    crn_links_join(&space->links, space);
    if (space->views) crn_views_refresh(space);
}
