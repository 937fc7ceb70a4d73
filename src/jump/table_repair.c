/* table_repair.c: repairing the table of jumps after commits.
 *
 * The table says whether a cell could be stood on before, and the bitmap whether it can be now. So
 * of the cells that commits touched, those that differ are the ones that changed, whatever happened
 * in between. They are gathered in boxes, one cell wider on each side: nothing outside has become,
 * or ceased to be, a jump point. Each box is recomputed, then runs that lead into it are updated
 * outside, cell by cell, until one is found that has not changed. The order of the boxes does not
 * matter: a cell outside obeys the rule of table.h at any time, unless the next cell of its run
 * lies in a box that is still to come. Bits of diagonals are updated wherever a cell lies in a box,
 * or begins or ceases to see a jump point.
 *
 * The table also knows which cells links left. Those that links leave now, or leave no longer, are
 * boxes of their own: nothing beside them has become another jump point.
 */
#include "jump/table_parts.h"
#include "search/algorithm.h"
#include "world/changes.h"

/* Cells, both ends inclusive. */
typedef struct table_box {
    uint32_t left, top, right, bottom;
    uint32_t count; /* of the cells in it those that it is for */
    bool link;      /* it is a cell that links leave, or left */
} table_box;

typedef struct table_repair {
    crn_jump_table *table;
    const crn_grid_space *space;
    table_box *boxes;
    size_t count, capacity;
} table_repair;

/* ---- which cells changed ---- */

/* Puts a piece of a row into a box that ends beside or above it, if that does not make the box much
 * too large. */
static bool table_join(table_repair *repair, const table_box *piece)
{
    enum { LOOK_BACK = 8 };
    for (size_t i = 0; i < LOOK_BACK && i < repair->count; i++) {
        table_box *box = &repair->boxes[repair->count - 1 - i];
        table_box both = {crn_min_u32(box->left, piece->left),
                          box->top,
                          crn_max_u32(box->right, piece->right),
                          piece->bottom,
                          box->count + piece->count,
                          false};
        if (box->bottom > piece->top || box->bottom + 2 < piece->top) continue;
        uint64_t area = (uint64_t)(both.right - both.left + 1) * (both.bottom - both.top + 1);
        if (area > 2 * (uint64_t)both.count + 16) continue;
        *box = both;
        return true;
    }
    return false;
}

static bool table_add(table_repair *repair, const table_box *piece)
{
    if (!piece->count || (!piece->link && table_join(repair, piece))) return true;
    void *boxes = repair->boxes;
    if (!crn_grow(repair->space->base.context, &boxes, &repair->capacity, repair->count + 1,
                  sizeof *piece)) {
        return false;
    }
    repair->boxes = boxes;
    repair->boxes[repair->count++] = *piece;
    return true;
}

/* The cells that may have been opened or closed. CAIRN_STALE: the grid has forgotten a commit. */
static cairn_status table_gather(table_repair *repair, uint64_t since)
{
    const uint32_t width = repair->table->width;
    table_box piece = {0};
    crn_edits edits;
    cairn_status status = crn_edits_begin(&edits, repair->space->grid, since);
    if (status != CAIRN_OK) return status;
    for (const cairn_change *change; (change = crn_edits_next(&edits));) {
        if (change->before.open == change->after.open &&
            change->before.terrain == change->after.terrain)
            continue;
        uint32_t x = change->node % width, y = change->node / width;
        if (piece.count && y == piece.top && x == piece.right + 1) {
            piece.right = x;
            piece.count++;
            continue;
        }
        if (!table_add(repair, &piece)) return CAIRN_OUT_OF_MEMORY;
        piece = (table_box){x, y, x, y, 1, false};
    }
    return table_add(repair, &piece) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* Adds the cells that links have begun or ceased to leave: those in one of two ascending lists
 * only. */
static cairn_status table_gather_links(table_repair *repair)
{
    const crn_jump_table *table = repair->table;
    const crn_links *links = &repair->space->links;
    size_t old = 0;
    for (uint32_t now = 0; now < links->count || old < table->linked_count;) {
        cairn_node a = now < links->count ? links->links[now].from : CAIRN_NO_NODE,
                   b = old < table->linked_count ? table->linked[old] : CAIRN_NO_NODE;
        cairn_node node = a < b ? a : b;
        while (now < links->count && links->links[now].from == node) now++;
        old += b == node;
        uint32_t x = node % table->width, y = node / table->width;
        if (a != b && !table_add(repair, &(table_box){x, y, x, y, 1, true}))
            return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_OK;
}

/* Compares table and bitmap, and notes in the table which cells can be stood on now; the box
 * becomes the one around all that changed, one cell wider. */
static void table_mark(const table_repair *repair, table_box *box)
{
    const crn_grid_space *space = repair->space;
    const uint32_t width = repair->table->width, height = repair->table->height;
    crn_size_box first = crn_size_reach(&space->size, width, height, box->left, box->top);
    crn_size_box last = crn_size_reach(&space->size, width, height, box->right, box->bottom);
    *box = (table_box){.left = UINT32_MAX, .top = UINT32_MAX};
    for (uint32_t y = first.top; y <= last.bottom; y++) {
        uint32_t *row = repair->table->owned + (size_t)y * width;
        for (uint32_t x = first.left; x <= last.right; x++) {
            bool now = crn_bit(&space->usable, (int32_t)x, (int32_t)y);
            if (now == (row[x] != CRN_JUMP_BLOCKED)) continue;
            row[x] = now ? 0 : CRN_JUMP_BLOCKED;
            box->left = crn_min_u32(box->left, x);
            box->right = crn_max_u32(box->right, x);
            box->top = crn_min_u32(box->top, y);
            box->bottom = y;
            box->count++;
        }
    }
    if (!box->count) return;
    box->left -= box->left > 0;
    box->top -= box->top > 0;
    box->right += box->right + 1 < width;
    box->bottom += box->bottom + 1 < height;
}

/* All boxes; those in which nothing changed go. Returns how many cells the others hold. */
static uint64_t table_mark_all(table_repair *repair)
{
    uint64_t area = 0;
    size_t kept = 0;
    for (size_t i = 0; i < repair->count; i++) {
        table_box box = repair->boxes[i];
        if (!box.link) table_mark(repair, &box);
        if (!box.count) continue;
        area += (uint64_t)(box.right - box.left + 1) * (box.bottom - box.top + 1);
        repair->boxes[kept++] = box;
    }
    repair->count = kept;
    return area;
}

/* ---- what follows ---- */

static uint32_t *table_row(const table_repair *repair, uint32_t y)
{
    return repair->table->owned + (size_t)y * repair->table->width;
}

static void table_fill_box(const table_repair *repair, const table_box *box)
{
    const uint32_t height = repair->table->height;
    crn_jump_span span = {.left = box->left, .right = box->right};
    for (uint32_t y = box->bottom + 1; y-- > box->top;) {
        span.y = y;
        crn_jump_row_south(repair->space, span, y + 1 < height ? table_row(repair, y + 1) : NULL,
                           table_row(repair, y));
    }
    for (span.y = box->top; span.y <= box->bottom; span.y++) {
        crn_jump_row_others(repair->space, span, span.y ? table_row(repair, span.y - 1) : NULL,
                            table_row(repair, span.y));
        crn_jump_row_passed(repair->table, repair->space, span);
    }
}

static bool table_empty(const crn_jump_span *span)
{
    return span->left > span->right;
}

static void table_include(crn_jump_span *span, uint32_t x)
{
    span->left = crn_min_u32(span->left, x);
    span->right = crn_max_u32(span->right, x);
}

/* Gives a cell another run; `sight` gathers the cells that see something else than before. */
static void table_change(uint32_t *row, uint32_t x, uint32_t run, uint32_t direction,
                         crn_jump_span *sight)
{
    uint32_t before = row[x];
    row[x] = (before & ~crn_jump_bits(0xff, direction)) | crn_jump_bits(run, direction);
    if ((before ^ row[x]) & crn_jump_bits(CRN_JUMP_POINT, direction)) table_include(sight, x);
}

/* Can the run of a cell have changed because that of the next cell has? Not if that is a point, nor
 * if this cell cannot be stood on. */
static bool table_depends(uint32_t cell, uint32_t direction)
{
    return cell != CRN_JUMP_BLOCKED && crn_jump_field(cell, direction) != CRN_JUMP_TO_POINT;
}

/* Updates runs along a row that lead into the box at its column x: of `left` cells behind x. */
static void table_spread_row(const table_repair *repair, uint32_t x, uint32_t y, uint32_t direction,
                             uint32_t left)
{
    uint32_t *row = table_row(repair, y);
    uint32_t run = crn_jump_run_to(repair->space, row, x, y, direction);
    crn_jump_span sight = {.y = y, .left = UINT32_MAX};
    for (bool first = true; left > 0; left--, first = false, run = crn_jump_longer(run)) {
        x = direction == CRN_E ? x - 1 : x + 1;
        if (row[x] == CRN_JUMP_BLOCKED || crn_jump_field(row[x], direction) == run) break;
        if (!first && !table_depends(row[x], direction)) break;
        table_change(row, x, run, direction, &sight);
    }
    if (!table_empty(&sight)) crn_jump_row_passed(repair->table, repair->space, sight);
}

/* Runs along columns, one row beyond `next`, which has changed in the span. The span becomes what
 * changes here. */
static void table_spread_over(uint32_t *row, const uint32_t *next, uint32_t direction,
                              crn_jump_span *span, crn_jump_span *sight)
{
    crn_jump_span changed = {.left = UINT32_MAX};
    for (uint32_t x = span->left; x <= span->right; x++) {
        uint32_t run = crn_jump_longer(crn_jump_field(next[x], direction));
        if (next[x] == CRN_JUMP_BLOCKED || !table_depends(row[x], direction) ||
            crn_jump_field(row[x], direction) == run) {
            continue;
        }
        table_change(row, x, run, direction, sight);
        table_include(&changed, x);
    }
    *span = changed;
}

/* The same for the row beyond the box, of whose last row, y, also points may have changed. */
static void table_spread_out(const table_repair *repair, uint32_t *row, uint32_t y,
                             uint32_t direction, const crn_jump_span *span, crn_jump_span *sight)
{
    for (uint32_t x = span->left; x <= span->right; x++) {
        if (row[x] == CRN_JUMP_BLOCKED) continue;
        table_change(row, x, crn_jump_run_to(repair->space, table_row(repair, y), x, y, direction),
                     direction, sight);
    }
}

/* Runs along columns that lead into the box at its row y, from `left` rows beyond. */
static void table_spread_columns(const table_repair *repair, const table_box *box, uint32_t y,
                                 uint32_t direction, uint32_t left)
{
    crn_jump_span span = {.left = box->left, .right = box->right};
    for (bool first = true; left > 0 && !table_empty(&span); left--, first = false) {
        uint32_t beyond = direction == CRN_S ? y - 1 : y + 1;
        uint32_t *row = table_row(repair, beyond);
        crn_jump_span sight = {.y = beyond, .left = UINT32_MAX};
        if (first)
            table_spread_out(repair, row, y, direction, &span, &sight);
        else
            table_spread_over(row, table_row(repair, y), direction, &span, &sight);
        if (!table_empty(&sight)) crn_jump_row_passed(repair->table, repair->space, sight);
        y = beyond;
    }
}

static void table_mend(const table_repair *repair, const table_box *box)
{
    const uint32_t width = repair->table->width, height = repair->table->height;
    table_fill_box(repair, box);
    for (uint32_t y = box->top; y <= box->bottom; y++) {
        table_spread_row(repair, box->left, y, CRN_E, box->left);
        table_spread_row(repair, box->right, y, CRN_W, width - 1 - box->right);
    }
    table_spread_columns(repair, box, box->top, CRN_S, box->top);
    table_spread_columns(repair, box, box->bottom, CRN_N, height - 1 - box->bottom);
}

/* ---- all of it ---- */

cairn_status crn_jump_table_repair(crn_jump_table *table, const crn_grid_space *space,
                                   uint64_t since, const cairn_progress *progress,
                                   cairn_error *error)
{
    cairn_context *context = space->base.context;
    table_repair repair = {.table = table, .space = space};
    cairn_status status = table_gather(&repair, since);
    if (status == CAIRN_OK) status = table_gather_links(&repair);
    table->changed = status == CAIRN_STALE;
    if (status != CAIRN_OUT_OF_MEMORY && !crn_jump_table_own(table, context))
        status = CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) {
        uint64_t area = table_mark_all(&repair);
        table->changed = repair.count > 0;
        /* The boxes hold more cells than the map: rebuild all of it at once. */
        if (area > (uint64_t)table->width * table->height) status = CAIRN_STALE;
    }
    for (size_t i = 0; status == CAIRN_OK && i < repair.count; i++)
        table_mend(&repair, &repair.boxes[i]);
    if (status == CAIRN_STALE) status = crn_jump_table_fill(table, space, progress);
    if (status == CAIRN_OK && !crn_jump_table_note_links(table, space))
        status = CAIRN_OUT_OF_MEMORY;
    crn_free(context, repair.boxes, repair.capacity * sizeof *repair.boxes);
    return status == CAIRN_OUT_OF_MEMORY ? crn_jump_table_no_memory(error) : status;
}
