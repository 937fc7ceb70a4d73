/* cover.c: what lies on cells for a while. See cover.h. */
#include "world/cover.h"

enum { COVER_LEAST = 16 };

/* ---- the table ---- */

static size_t cover_home(const crn_cover *cover, cairn_node node)
{
    return (size_t)((node * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (cover->slot_count - 1);
}

/* The slot of a node, or the free one where it would be. */
static crn_cover_cell *cover_slot(const crn_cover *cover, cairn_node node)
{
    size_t at = cover_home(cover, node);
    while (cover->slots[at].node != CAIRN_NO_NODE && cover->slots[at].node != node)
        at = (at + 1) & (cover->slot_count - 1);
    return &cover->slots[at];
}

crn_cover_cell *crn_cover_find(const crn_cover *cover, cairn_node node)
{
    if (!cover || !cover->count) return NULL;
    crn_cover_cell *cell = cover_slot(cover, node);
    return cell->node == node ? cell : NULL;
}

static bool cover_grow(crn_cover *cover, size_t need)
{
    crn_cover bigger = *cover;
    while (bigger.slot_count < 2 * need)
        bigger.slot_count = bigger.slot_count ? 2 * bigger.slot_count : COVER_LEAST;
    if (bigger.slot_count == cover->slot_count) return true;
    bigger.slots = crn_alloc(cover->context, crn_mul_size(bigger.slot_count, sizeof *bigger.slots));
    if (!bigger.slots) return false;
    for (size_t i = 0; i < bigger.slot_count; i++) bigger.slots[i].node = CAIRN_NO_NODE;
    for (size_t i = 0; i < cover->slot_count; i++)
        if (cover->slots[i].node != CAIRN_NO_NODE)
            *cover_slot(&bigger, cover->slots[i].node) = cover->slots[i];
    crn_free(cover->context, cover->slots, cover->slot_count * sizeof *cover->slots);
    *cover = bigger;
    return true;
}

bool crn_cover_reserve(crn_cover *cover, size_t more)
{
    void *dirty = cover->dirty;
    size_t need = cover->count + more;
    bool ok = crn_grow(cover->context, &dirty, &cover->dirty_capacity, need, sizeof *cover->dirty);
    cover->dirty = dirty;
    return ok && cover_grow(cover, need);
}

void crn_cover_free(crn_cover *cover)
{
    crn_free(cover->context, cover->slots, cover->slot_count * sizeof *cover->slots);
    crn_free(cover->context, cover->dirty, cover->dirty_capacity * sizeof *cover->dirty);
    *cover = (crn_cover){.context = cover->context};
}

size_t crn_cover_bytes(const crn_cover *cover)
{
    return cover->slot_count * sizeof *cover->slots + cover->dirty_capacity * sizeof *cover->dirty;
}

/* Empties a slot, and moves those behind it that would not be found any more. */
static void cover_drop(crn_cover *cover, crn_cover_cell *cell)
{
    size_t mask = cover->slot_count - 1, hole = (size_t)(cell - cover->slots);
    for (size_t at = (hole + 1) & mask; cover->slots[at].node != CAIRN_NO_NODE;
         at = (at + 1) & mask) {
        size_t home = cover_home(cover, cover->slots[at].node);
        if (((at - home) & mask) < ((at - hole) & mask)) continue; /* its home is behind the hole */
        cover->slots[hole] = cover->slots[at];
        hole = at;
    }
    cover->slots[hole].node = CAIRN_NO_NODE;
    cover->count--;
}

/* ---- what is wanted ---- */

static crn_cover_cell *cover_touch(crn_cover *cover, cairn_node node)
{
    crn_cover_cell *cell = cover_slot(cover, node);
    if (cell->node == CAIRN_NO_NODE) {
        *cell = (crn_cover_cell){.node = node};
        cover->count++;
    }
    if (!cell->dirty) cover->dirty[cover->dirty_count++] = node;
    cell->dirty = true;
    return cell;
}

void crn_cover_close(crn_cover *cover, cairn_node node, bool more)
{
    crn_cover_cell *cell = cover_touch(cover, node);
    cell->closures = more ? cell->closures + 1 : cell->closures - 1;
}

void crn_cover_charge(crn_cover *cover, cairn_node node, uint8_t cost, bool more)
{
    crn_cover_cell *cell = cover_touch(cover, node);
    cell->costs = more ? cell->costs + cost : cell->costs - cost;
}

void crn_cover_settle(crn_cover *cover)
{
    for (size_t i = 0; i < cover->dirty_count; i++) {
        crn_cover_cell *cell = crn_cover_find(cover, cover->dirty[i]);
        cell->dirty = false;
        if (!crn_cover_lies(cell)) cover_drop(cover, cell);
    }
    cover->dirty_count = 0;
}

cairn_status crn_cover_stage(cairn_grid *grid)
{
    const crn_cover *cover = grid->cover;
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < cover->dirty_count && status == CAIRN_OK; i++)
        status = crn_grid_stage_cover(grid, cover->dirty[i]);
    return status;
}

/* ---- what commits make of it ---- */

cairn_cell_state crn_cover_seen(const crn_cover_cell *cell, cairn_cell_state own, bool staged)
{
    if (!cell) return own;
    bool closed = staged ? cell->closures > 0 : cell->closed;
    uint32_t cost = staged ? cell->costs : cell->cost;
    own.open = own.open && !closed;
    own.layer = (uint8_t)crn_min_u32(own.layer + crn_min_u32(cost, UINT8_MAX), UINT8_MAX);
    return own;
}

void crn_cover_make(crn_cover_cell *cell, cairn_cell_state own, bool staged)
{
    if (staged) {
        cell->closed = cell->closures > 0;
        cell->cost = (uint8_t)crn_min_u32(cell->costs, UINT8_MAX);
    }
    cell->open = own.open;
    cell->layer = own.layer;
}
