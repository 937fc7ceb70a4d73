/* commit.c: edits of a grid.
 *
 * Changes are staged in a list and made all at once. A commit first gets all the memory
 * it may need, so that it either happens whole or not at all; then it writes the cells,
 * remembers what changed (cell by cell, and as a bit per 64×64 tile) and tells every space
 * of the grid. The last commits are kept for those who follow later, bounded in number
 * and in cells; whoever comes too late rebuilds.
 */
#include "world/grid.h"
#include "world/grid_space.h"

enum { COMMIT_OPEN, COMMIT_TERRAIN, COMMIT_LAYER, COMMIT_ELEVATION };

/* ---- staging ---- */

static cairn_status commit_stage(cairn_grid *grid, int32_t x, int32_t y, uint8_t field, int16_t value)
{
    cairn_node node = cairn_grid_node(grid, x, y);
    if (node == CAIRN_NO_NODE) return CAIRN_OUT_OF_BOUNDS;
    void *edits = grid->edits;
    if (grid->edit_count == UINT32_MAX ||
        !crn_grow(grid->context, &edits, &grid->edit_capacity, grid->edit_count + 1, sizeof *grid->edits)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    grid->edits = edits;
    grid->edits[grid->edit_count] = (crn_edit){node, (uint32_t)grid->edit_count, field, value};
    grid->edit_count++;
    return CAIRN_OK;
}

cairn_status cairn_grid_set_open(cairn_grid *grid, int32_t x, int32_t y, bool open)
{
    return commit_stage(grid, x, y, COMMIT_OPEN, open);
}

cairn_status cairn_grid_set_terrain(cairn_grid *grid, int32_t x, int32_t y, uint8_t terrain)
{
    return commit_stage(grid, x, y, COMMIT_TERRAIN, terrain);
}

cairn_status cairn_grid_set_layer(cairn_grid *grid, int32_t x, int32_t y, uint8_t value)
{
    return commit_stage(grid, x, y, COMMIT_LAYER, value);
}

cairn_status cairn_grid_set_elevation(cairn_grid *grid, int32_t x, int32_t y, int16_t value)
{
    return commit_stage(grid, x, y, COMMIT_ELEVATION, value);
}

void cairn_grid_discard(cairn_grid *grid)
{
    grid->edit_count = 0;
}

/* By cell, then in the order of staging. */
static bool commit_before(const void *a, const void *b)
{
    const crn_edit *first = a, *second = b;
    return first->node != second->node ? first->node < second->node : first->order < second->order;
}

/* ---- the commit ---- */

/* Fills `changes` (may be NULL: just counts) with what the sorted edits come to. */
static uint32_t commit_collect(const cairn_grid *grid, cairn_change *changes)
{
    uint32_t count = 0;
    for (size_t i = 0; i < grid->edit_count;) {
        cairn_node node = grid->edits[i].node;
        cairn_cell_state before = crn_grid_state(grid, node), after = before;
        for (; i < grid->edit_count && grid->edits[i].node == node; i++) {
            const crn_edit *edit = &grid->edits[i];
            switch (edit->field) {
            case COMMIT_OPEN: after.open = edit->value != 0; break;
            case COMMIT_TERRAIN: after.terrain = (uint8_t)edit->value; break;
            case COMMIT_LAYER: after.layer = (uint8_t)edit->value; break;
            default: after.elevation = edit->value; break;
            }
        }
        if (before.open == after.open && before.terrain == after.terrain && before.layer == after.layer &&
            before.elevation == after.elevation) {
            continue;
        }
        if (changes) changes[count] = (cairn_change){node, before, after};
        count++;
    }
    return count;
}

static uint32_t commit_tile_columns(const cairn_grid *grid)
{
    return (grid->width + CAIRN_TILE - 1) / CAIRN_TILE;
}

static uint32_t commit_tile_rows(const cairn_grid *grid)
{
    return (grid->height + CAIRN_TILE - 1) / CAIRN_TILE;
}

static size_t commit_tile_bytes(const cairn_grid *grid)
{
    return ((size_t)commit_tile_columns(grid) * commit_tile_rows(grid) + 63) / 64 * sizeof(uint64_t);
}

/* The planes that the changes need and that do not exist yet. */
static bool commit_make_planes(cairn_grid *grid, const cairn_change *changes, uint32_t count)
{
    bool terrain = false, layer = false, elevation = false;
    for (uint32_t i = 0; i < count; i++) {
        terrain |= changes[i].after.terrain != 0;
        layer |= changes[i].after.layer != 0;
        elevation |= changes[i].after.elevation != 0;
    }
    size_t cells = (size_t)grid->width * grid->height;
    if (terrain && !grid->terrain && !(grid->terrain = crn_alloc_zero(grid->context, cells))) return false;
    if (layer && !grid->layer && !(grid->layer = crn_alloc_zero(grid->context, cells))) return false;
    if (elevation && !grid->elevation &&
        !(grid->elevation = crn_alloc_zero(grid->context, cells * sizeof *grid->elevation))) {
        return false;
    }
    return true;
}

static void commit_apply(cairn_grid *grid, const cairn_change *change, uint64_t *tiles)
{
    cairn_node node = change->node;
    cairn_cell cell = cairn_grid_cell(grid, node);
    const cairn_cell_state *after = &change->after;
    crn_bit_set(&grid->open, cell.x, cell.y, after->open);
    grid->class_count[change->before.terrain]--;
    grid->class_count[after->terrain]++;
    if (grid->terrain) grid->terrain[node] = after->terrain;
    if (grid->layer) grid->layer[node] = after->layer;
    if (grid->elevation) grid->elevation[node] = after->elevation;
    uint32_t tile = (uint32_t)cell.y / CAIRN_TILE * commit_tile_columns(grid) + (uint32_t)cell.x / CAIRN_TILE;
    tiles[tile / 64] |= UINT64_C(1) << (tile % 64);
}

static void commit_free(cairn_grid *grid, crn_commit *commit)
{
    crn_free(grid->context, commit->changes, commit->count * sizeof *commit->changes);
    crn_free(grid->context, commit->tiles, commit_tile_bytes(grid));
    *commit = (crn_commit){0};
}

void crn_grid_forget_commits(cairn_grid *grid)
{
    for (uint32_t i = 0; i < CRN_COMMITS_KEPT; i++) commit_free(grid, &grid->commits[i]);
}

/* Keeps the newest commits: at most CRN_COMMITS_KEPT (the ring sees to that), and no more
 * changed cells in all than a sixteenth of the grid or 4096. */
static void commit_trim(cairn_grid *grid)
{
    uint64_t cells = (uint64_t)grid->width * grid->height, room = cells / 16 > 4096 ? cells / 16 : 4096;
    uint64_t used = 0;
    for (uint64_t back = 0; back < CRN_COMMITS_KEPT && back < grid->version; back++) {
        crn_commit *commit = &grid->commits[(grid->version - back) % CRN_COMMITS_KEPT];
        used += commit->count;
        if (used > room && back > 0) commit_free(grid, commit);
    }
}

static cairn_status commit_prepare(cairn_grid *grid, uint32_t count, crn_commit *commit)
{
    *commit = (crn_commit){grid->version + 1, NULL, count, NULL};
    commit->changes = crn_alloc(grid->context, crn_mul_size(count, sizeof *commit->changes));
    commit->tiles = crn_alloc_zero(grid->context, commit_tile_bytes(grid));
    if (commit->changes && commit->tiles) {
        commit_collect(grid, commit->changes);
        if (commit_make_planes(grid, commit->changes, count)) return CAIRN_OK;
    }
    commit_free(grid, commit);
    return CAIRN_OUT_OF_MEMORY;
}

size_t crn_grid_commit_bytes(const cairn_grid *grid)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < CRN_COMMITS_KEPT; i++) {
        if (!grid->commits[i].changes) continue;
        bytes += grid->commits[i].count * sizeof *grid->commits[i].changes + commit_tile_bytes(grid);
    }
    return bytes;
}

cairn_status cairn_grid_commit(cairn_grid *grid)
{
    crn_sort(grid->edits, grid->edit_count, sizeof *grid->edits, commit_before);
    uint32_t count = commit_collect(grid, NULL);
    if (count == 0) {
        grid->edit_count = 0;
        return CAIRN_OK;
    }
    crn_commit commit;
    cairn_status status = commit_prepare(grid, count, &commit);
    if (status != CAIRN_OK) {
        /* Staging goes on where it was: later edits must stay later. */
        for (size_t i = 0; i < grid->edit_count; i++) grid->edits[i].order = (uint32_t)i;
        return status;
    }
    for (uint32_t i = 0; i < count; i++) commit_apply(grid, &commit.changes[i], commit.tiles);
    grid->edit_count = 0;
    grid->version++;
    crn_commit *slot = &grid->commits[grid->version % CRN_COMMITS_KEPT];
    commit_free(grid, slot);
    *slot = commit;
    commit_trim(grid);
    for (crn_grid_space *space = grid->spaces; space; space = space->next) {
        crn_grid_space_follow(space, commit.changes, count);
    }
    return CAIRN_OK;
}

cairn_status cairn_grid_commit_info(const cairn_grid *grid, uint64_t version, cairn_commit *out)
{
    const crn_commit *commit = &grid->commits[version % CRN_COMMITS_KEPT];
    if (!out) return CAIRN_INVALID;
    if (!commit->changes || commit->version != version) return CAIRN_STALE;
    *out = (cairn_commit){version,       commit->changes,           commit->count,
                          commit->tiles, commit_tile_columns(grid), commit_tile_rows(grid),
                          false};
    return CAIRN_OK;
}
