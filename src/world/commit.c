/* commit.c: edits of a grid.
 *
 * Changes are staged in a list and made all at once. A commit first gets all the memory it may
 * need, so that it either happens whole or not at all. Then it writes the cells, remembers what
 * changed (cell by cell, and as a bit per 64×64 tile) and refreshes every space of the grid. The
 * last commits are kept for indexes that are repaired later, limited in number and in cells. An
 * index that comes too late is rebuilt.
 *
 * Edits of a cell on which something lies for a while are those of its own state (cover.h).
 */
#include "world/cover.h"
#include "world/grid.h"
#include "world/grid_space.h"
#include "world/world_check.h"

enum { COMMIT_OPEN, COMMIT_TERRAIN, COMMIT_LAYER, COMMIT_ELEVATION, COMMIT_COVER };

/* ---- staging ---- */

static cairn_status commit_stage_node(cairn_grid *grid, cairn_node node, uint8_t field,
                                      int16_t value)
{
    if (node == CAIRN_NO_NODE) return CAIRN_OUT_OF_BOUNDS;
    void *edits = grid->edits;
    if (grid->edit_count == UINT32_MAX || !crn_grow(grid->context, &edits, &grid->edit_capacity,
                                                    grid->edit_count + 1, sizeof *grid->edits)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    grid->edits = edits;
    grid->edits[grid->edit_count] = (crn_edit){node, (uint32_t)grid->edit_count, field, value};
    grid->edit_count++;
    return CAIRN_OK;
}

static cairn_status commit_stage(cairn_grid *grid, int32_t x, int32_t y, uint8_t field,
                                 int16_t value)
{
    return commit_stage_node(grid, cairn_grid_node(grid, x, y), field, value);
}

cairn_status crn_grid_stage_cover(cairn_grid *grid, cairn_node node)
{
    return commit_stage_node(grid, node, COMMIT_COVER, 0);
}

void crn_grid_unstage_covers(cairn_grid *grid)
{
    size_t kept = 0;
    for (size_t i = 0; i < grid->edit_count; i++) {
        if (grid->edits[i].field == COMMIT_COVER) continue;
        grid->edits[kept] = grid->edits[i];
        grid->edits[kept].order = (uint32_t)kept;
        kept++;
    }
    grid->edit_count = kept;
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

static cairn_status commit_stage_link(cairn_grid *grid, crn_link_edit edit)
{
    void *edits = grid->link_edits;
    if (!crn_grow(grid->context, &edits, &grid->link_edit_capacity, grid->link_edit_count + 1,
                  sizeof edit)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    grid->link_edits = edits;
    grid->link_edits[grid->link_edit_count++] = edit;
    return CAIRN_OK;
}

cairn_status cairn_grid_add_link(cairn_grid *grid, const cairn_link *link)
{
    if (!grid || !link || link->kind > 31 || link->from == link->to) return CAIRN_INVALID;
    uint32_t cells = grid->width * grid->height;
    if (link->from >= cells || link->to >= cells) return CAIRN_OUT_OF_BOUNDS;
    return commit_stage_link(grid, (crn_link_edit){.link = *link});
}

cairn_status cairn_grid_remove_links(cairn_grid *grid, uint32_t id)
{
    if (!grid) return CAIRN_INVALID;
    return commit_stage_link(grid, (crn_link_edit){.link = {.id = id}, .remove = true});
}

cairn_status crn_grid_remove_leaving(cairn_grid *grid, cairn_node from)
{
    return commit_stage_link(
        grid, (crn_link_edit){.link = {.from = from}, .remove = true, .leaving = true});
}

uint32_t cairn_grid_link_count(const cairn_grid *grid)
{
    return grid->link_count;
}

cairn_link cairn_grid_link_at(const cairn_grid *grid, uint32_t i)
{
    return i < grid->link_count ? grid->links[i]
                                : (cairn_link){CAIRN_NO_NODE, CAIRN_NO_NODE, 0, 0, 0};
}

void cairn_grid_discard(cairn_grid *grid)
{
    grid->edit_count = 0;
    grid->link_edit_count = 0;
}

/* By cell, then in the order of staging. */
static bool commit_before(const void *a, const void *b)
{
    const crn_edit *first = a, *second = b;
    return first->node != second->node ? first->node < second->node : first->order < second->order;
}

/* ---- the commit ---- */

/* What the edits of one cell come to. */
typedef struct commit_cell {
    crn_cover_cell *cover; /* NULL: nothing lies on it, or is going to */
    bool staged;           /* it gets what its cover wants */
    cairn_cell_state own;
} commit_cell;

/* Looks at the sorted edits of a cell, from the i-th on. Returns where those of the next begin. */
static size_t commit_look(const cairn_grid *grid, size_t i, commit_cell *out)
{
    cairn_node node = grid->edits[i].node;
    *out = (commit_cell){.cover = crn_cover_find(grid->cover, node)};
    out->own = crn_cover_own(out->cover, crn_grid_state(grid, node));
    for (; i < grid->edit_count && grid->edits[i].node == node; i++) {
        const crn_edit *edit = &grid->edits[i];
        switch (edit->field) {
        case COMMIT_OPEN: out->own.open = edit->value != 0; break;
        case COMMIT_TERRAIN: out->own.terrain = (uint8_t)edit->value; break;
        case COMMIT_LAYER: out->own.layer = (uint8_t)edit->value; break;
        case COMMIT_COVER: out->staged = true; break;
        default: out->own.elevation = edit->value; break;
        }
    }
    return i;
}

/* Fills `changes` (may be NULL: only counts) with the net effect of the sorted edits. */
static uint32_t commit_collect(const cairn_grid *grid, cairn_change *changes)
{
    uint32_t count = 0;
    for (size_t i = 0; i < grid->edit_count;) {
        commit_cell cell;
        cairn_node node = grid->edits[i].node;
        cairn_cell_state before = crn_grid_state(grid, node);
        i = commit_look(grid, i, &cell);
        cairn_cell_state after = crn_cover_seen(cell.cover, cell.own, cell.staged);
        if (before.open == after.open && before.terrain == after.terrain &&
            before.layer == after.layer && before.elevation == after.elevation) {
            continue;
        }
        if (changes) changes[count] = (cairn_change){node, before, after};
        count++;
    }
    return count;
}

/* Nothing can fail any more, and the cells are still what they were: keeps what is under covers. */
static void commit_make_covers(const cairn_grid *grid)
{
    for (size_t i = 0; grid->cover && i < grid->edit_count;) {
        commit_cell cell;
        i = commit_look(grid, i, &cell);
        if (cell.cover) crn_cover_make(cell.cover, cell.own, cell.staged);
    }
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
    return ((size_t)commit_tile_columns(grid) * commit_tile_rows(grid) + 63) / 64 *
           sizeof(uint64_t);
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
    if (terrain && !grid->terrain && !(grid->terrain = crn_alloc_zero(grid->context, cells)))
        return false;
    if (layer && !grid->layer && !(grid->layer = crn_alloc_zero(grid->context, cells)))
        return false;
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
    uint32_t tile =
        (uint32_t)cell.y / CAIRN_TILE * commit_tile_columns(grid) + (uint32_t)cell.x / CAIRN_TILE;
    tiles[tile / 64] |= UINT64_C(1) << (tile % 64);
}

static void commit_free(cairn_grid *grid, crn_commit *commit)
{
    if (!commit->version) return;
    crn_free(grid->context, commit->changes,
             crn_max_u32(commit->count, 1) * sizeof *commit->changes);
    crn_free(grid->context, commit->tiles, commit_tile_bytes(grid));
    crn_free(grid->context, commit->link_changes,
             commit->link_change_count * sizeof *commit->link_changes);
    *commit = (crn_commit){0};
}

void crn_grid_forget_commits(cairn_grid *grid)
{
    for (uint32_t i = 0; i < CRN_COMMITS_KEPT; i++) commit_free(grid, &grid->commits[i]);
}

/* Keeps the newest commits: at most CRN_COMMITS_KEPT (the size of the ring), and no more changed
 * cells and links in all than a sixteenth of the grid or 4096. */
static void commit_trim(cairn_grid *grid)
{
    uint64_t cells = (uint64_t)grid->width * grid->height,
             room = cells / 16 > 4096 ? cells / 16 : 4096;
    uint64_t used = 0;
    for (uint64_t back = 0; back < CRN_COMMITS_KEPT && back < grid->version; back++) {
        crn_commit *commit = &grid->commits[(grid->version - back) % CRN_COMMITS_KEPT];
        used += (uint64_t)commit->count + commit->link_change_count;
        if (used > room && back > 0) commit_free(grid, commit);
    }
}

/* Memory for cells and spaces; false = there is none. */
static bool commit_prepare(cairn_grid *grid, uint32_t count, uint32_t link_count,
                           crn_commit *commit)
{
    /* A commit that changes links only has no cells, but is remembered like the others. */
    *commit = (crn_commit){.version = grid->version + 1, .count = count};
    commit->changes =
        crn_alloc(grid->context, crn_mul_size(crn_max_u32(count, 1), sizeof *commit->changes));
    commit->tiles = crn_alloc_zero(grid->context, commit_tile_bytes(grid));
    bool ok = commit->changes && commit->tiles;
    if (ok) {
        commit_collect(grid, commit->changes);
        ok = commit_make_planes(grid, commit->changes, count);
    }
    for (crn_grid_space *space = grid->spaces; ok && space; space = space->next) {
        ok = crn_grid_space_prepare(space, commit, link_count);
    }
    if (!ok) commit_free(grid, commit);
    return ok;
}

/* ---- links ---- */

/* A link, and when it was added. */
typedef struct commit_link {
    cairn_link link;
    uint32_t order;
} commit_link;

typedef struct commit_links {
    cairn_link *links;
    uint32_t count, capacity;
    bool changed;
    crn_link_change *changes; /* to be remembered */
    uint32_t change_count;
} commit_links;

static bool commit_link_before(const void *a, const void *b)
{
    const commit_link *first = a, *second = b;
    if (first->link.from != second->link.from) return first->link.from < second->link.from;
    if (first->link.to != second->link.to) return first->link.to < second->link.to;
    return first->order < second->order;
}

/* Notes a change where there is room for it; the count goes up anyway. */
static void commit_note_link(commit_links *made, const cairn_link *link, bool added)
{
    if (made->changes) made->changes[made->change_count] = (crn_link_change){*link, added};
    made->change_count++;
}

static bool commit_removes(const crn_link_edit *edit, const cairn_link *link)
{
    return edit->leaving ? link->from == edit->link.from : link->id == edit->link.id;
}

/* Applies the staged changes to the links, one after the other. Returns how many are left. */
static uint32_t commit_edit_links(const cairn_grid *grid, commit_link *links, commit_links *made)
{
    uint32_t count = 0;
    made->change_count = 0;
    for (; count < grid->link_count; count++)
        links[count] = (commit_link){grid->links[count], count};
    for (size_t i = 0; i < grid->link_edit_count; i++) {
        const crn_link_edit *edit = &grid->link_edits[i];
        uint32_t kept = 0;
        if (!edit->remove) {
            links[count++] = (commit_link){edit->link, (uint32_t)(grid->link_count + i)};
            commit_note_link(made, &edit->link, true);
            continue;
        }
        for (uint32_t k = 0; k < count; k++) {
            if (!commit_removes(edit, &links[k].link)) {
                links[kept++] = links[k];
            } else {
                commit_note_link(made, &links[k].link, false);
            }
        }
        count = kept;
    }
    return count;
}

static bool commit_same_links(const cairn_grid *grid, const commit_links *made)
{
    if (made->count != grid->link_count) return false;
    for (uint32_t i = 0; i < made->count; i++) {
        const cairn_link *a = &grid->links[i], *b = &made->links[i];
        if (a->from != b->from || a->to != b->to || a->id != b->id || a->cost != b->cost ||
            a->kind != b->kind) {
            return false;
        }
    }
    return true;
}

/* Makes the staged changes, once to count them and once to note them; false = no memory. */
static bool commit_order_links(const cairn_grid *grid, commit_link *ordered, commit_links *made)
{
    made->count = commit_edit_links(grid, ordered, made);
    if (!made->change_count) return true;
    made->changes = crn_alloc(grid->context, made->change_count * sizeof *made->changes);
    if (!made->changes) return false;
    commit_edit_links(grid, ordered, made);
    crn_sort(ordered, made->count, sizeof *ordered, commit_link_before);
    for (uint32_t i = 0; i < made->count; i++) made->links[i] = ordered[i].link;
    return true;
}

/* Makes the new links from the staged changes; false = no memory. */
static bool commit_make_links(const cairn_grid *grid, commit_links *made)
{
    *made = (commit_links){.count = grid->link_count};
    if (!grid->link_edit_count) return true;
    size_t capacity = grid->link_count;
    for (size_t i = 0; i < grid->link_edit_count; i++) capacity += !grid->link_edits[i].remove;
    if (capacity > UINT32_MAX / 4) return false;
    if (!capacity) return true;
    size_t size = capacity * sizeof(commit_link);
    commit_link *ordered = crn_alloc(grid->context, size);
    if (!ordered) return false;
    made->links = crn_alloc(grid->context, capacity * sizeof *made->links);
    if (made->links) made->capacity = (uint32_t)capacity;
    bool ok = made->links && commit_order_links(grid, ordered, made);
    crn_free(grid->context, ordered, size);
    made->changed = ok && made->change_count && !commit_same_links(grid, made);
    return ok;
}

static void commit_free_links(const cairn_grid *grid, commit_links *made)
{
    crn_free(grid->context, made->links, made->capacity * sizeof *made->links);
    if (made->changes)
        crn_free(grid->context, made->changes, made->change_count * sizeof *made->changes);
}

/* The grid takes over the array. */
static void commit_take_links(cairn_grid *grid, commit_links *made)
{
    crn_free(grid->context, grid->links, grid->link_capacity * sizeof *grid->links);
    grid->links = made->links;
    grid->link_count = made->count;
    grid->link_capacity = made->capacity;
}

/* ---- all of it ---- */

size_t crn_grid_commit_bytes(const cairn_grid *grid)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < CRN_COMMITS_KEPT; i++) {
        const crn_commit *commit = &grid->commits[i];
        if (!commit->changes) continue;
        bytes += crn_max_u32(commit->count, 1) * sizeof *commit->changes + commit_tile_bytes(grid) +
                 commit->link_change_count * sizeof *commit->link_changes;
    }
    return bytes;
}

static void commit_make(cairn_grid *grid, crn_commit *commit, commit_links *made)
{
    commit_make_covers(grid);
    for (uint32_t i = 0; i < commit->count; i++)
        commit_apply(grid, &commit->changes[i], commit->tiles);
    commit->links_changed = made->changed;
    if (made->changed) {
        commit->link_changes = made->changes;
        commit->link_change_count = made->change_count;
        commit_take_links(grid, made);
    } else {
        commit_free_links(grid, made);
    }
    cairn_grid_discard(grid);
    grid->version++;
    crn_commit *slot = &grid->commits[grid->version % CRN_COMMITS_KEPT];
    commit_free(grid, slot);
    *slot = *commit;
    commit_trim(grid);
    for (crn_grid_space *space = grid->spaces; space; space = space->next)
        crn_grid_space_refresh(space, slot);
#if defined(CAIRN_CHECKS)
    crn_grid_check_commit(grid);
#endif
}

cairn_status cairn_grid_commit(cairn_grid *grid)
{
    crn_sort(grid->edits, grid->edit_count, sizeof *grid->edits, commit_before);
    uint32_t count = commit_collect(grid, NULL);
    commit_links made;
    bool ok = commit_make_links(grid, &made);
    if (ok && count == 0 && !made.changed) {
        commit_free_links(grid, &made);
        commit_make_covers(grid);
        cairn_grid_discard(grid);
        return CAIRN_OK;
    }
    crn_commit commit;
    ok = ok && commit_prepare(grid, count, made.count, &commit);
    if (!ok) {
        commit_free_links(grid, &made);
        /* Staging continues where it was: later edits must stay later. */
        for (size_t i = 0; i < grid->edit_count; i++) grid->edits[i].order = (uint32_t)i;
        return CAIRN_OUT_OF_MEMORY;
    }
    commit_make(grid, &commit, &made);
    return CAIRN_OK;
}

cairn_status cairn_grid_commit_info(const cairn_grid *grid, uint64_t version, cairn_commit *out)
{
    const crn_commit *commit = &grid->commits[version % CRN_COMMITS_KEPT];
    if (!out) return CAIRN_INVALID;
    if (!commit->changes || commit->version != version) return CAIRN_STALE;
    *out = (cairn_commit){.version = version,
                          .changes = commit->changes,
                          .change_count = commit->count,
                          .tiles = commit->tiles,
                          .tile_columns = commit_tile_columns(grid),
                          .tile_rows = commit_tile_rows(grid),
                          .links_changed = commit->links_changed};
    return CAIRN_OK;
}
