/* table.c: making the table of straight runs, repairing, saving and loading it. See table.h.
 *
 * Runs to the south follow from the row below, the others from the row above and from the cells to the left and to the right: so one look
 * upwards and one downwards make any rectangle of the table right, given what lies round it; the whole table is one
 * such rectangle. What cells are is found for 64 of them at once.
 *
 * Repair. Whether a cell can be stood on was so far what the table says and is now what the bitmap says, so of the cells
 * that commits touched those that differ are the ones that changed, whatever happened in between. They are gathered in boxes, one
 * cell wider on each side: nothing outside has become, or ceased to be, a jump point. Each box is made anew, then runs that lead
 * into it follow outside, cell by cell, until one is found that has not changed. The order of the boxes does not matter: a cell outside obeys
 * the rule of table.h at any time, unless the next cell of its run lies in a box that is still to come.
 */
#include "jump/table.h"
#include "search/algorithm.h"

#define TABLE_SECTION "index.jumps"
#define TABLE_TO_POINT (CRN_RUN_POINT | 1u)
#define TABLE_SOUTH (UINT64_C(0xffff) << 16 * CRN_S)
#define TABLE_REPORT 64u /* rows between two reports */

static size_t table_size(const crn_jump_table *table)
{
    return crn_mul_size((size_t)table->width * table->height, sizeof *table->cells);
}

static uint64_t table_run_bits(uint32_t run, uint32_t direction)
{
    return (uint64_t)run << 16 * direction;
}

/* ---- what cells are ---- */

/* 64 cells of a row and those round them: [1][1] are the cells themselves, [0][2] those above and to the right, and so on. */
typedef struct table_words {
    uint64_t at[3][3];
} table_words;

static table_words table_words_at(const crn_grid_space *space, uint32_t x, uint32_t y)
{
    table_words words;
    for (int32_t row = 0; row < 3; row++) {
        for (int32_t column = 0; column < 3; column++) {
            words.at[row][column] =
                crn_bits_word(&space->usable, (int32_t)x + column - 1, (int32_t)y + row - 1);
        }
    }
    return words;
}

/* Which of the cells are jump points of arrivals in a straight direction? (Of cells that cannot be stood on nobody asks.) */
CRN_INLINE uint64_t table_points(const table_words *words, cairn_corners corners, uint32_t direction)
{
    const int32_t dx = crn_dx[direction], dy = crn_dy[direction];
    uint64_t points = 0;
    for (int32_t side = -1; side <= 1; side += 2) {
        int32_t x = 1 + side * dy, y = 1 + side * dx;
        uint64_t beside = words->at[y][x];
        if (corners == CAIRN_CORNERS_NEVER) {
            points |= beside & ~words->at[y - dy][x - dx];
        } else {
            uint64_t on = corners == CAIRN_CORNERS_ONE ? words->at[1 + dy][1 + dx] : UINT64_MAX;
            points |= ~beside & words->at[y + dy][x + dx] & on;
        }
    }
    return points;
}

/* The run of the cell from which one step in a direction leads to a cell with this run, which is usable and a point or not. */
CRN_INLINE uint32_t table_follow(uint32_t run, uint64_t usable, uint64_t point)
{
    uint32_t on = point & 1 ? TABLE_TO_POINT : run + 1;
    return usable & 1 ? on : 0;
}

/* The run of the cell from which one step leads to (x, y), inside the map, as the table has it. */
static uint32_t table_run_to(const crn_grid_space *space, const uint64_t *row, uint32_t x, uint32_t y,
                             uint32_t direction)
{
    table_words words = table_words_at(space, x, y);
    return table_follow(crn_jump_run(row[x], direction), words.at[1][1],
                        table_points(&words, space->profile.corners, direction));
}

/* ---- a row of a rectangle ---- */

/* Columns of a row. */
typedef struct table_span {
    uint32_t y, left, right; /* both ends inclusive */
} table_span;

/* South, all else cleared; `below` is the next row, NULL under the last. */
static void table_row_south(const crn_grid_space *space, table_span span, const uint64_t *below,
                            uint64_t *row)
{
    for (uint32_t x = span.left; x <= span.right; x += 64) {
        uint32_t count = crn_min_u32(64, span.right - x + 1);
        uint64_t here = crn_bits_word(&space->usable, (int32_t)x, (int32_t)span.y), next = 0, points = 0;
        if (below) {
            table_words words = table_words_at(space, x, span.y + 1);
            next = words.at[1][1];
            points = table_points(&words, space->profile.corners, CRN_S);
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t run =
                table_follow(below ? crn_jump_run(below[x + i], CRN_S) : 0, next >> i, points >> i);
            row[x + i] = here >> i & 1 ? table_run_bits(run, CRN_S) : CRN_JUMP_BLOCKED;
        }
    }
}

/* North and west; east is cleared. */
static void table_row_north_west(const crn_grid_space *space, table_span span, const uint64_t *above,
                                 uint64_t *row)
{
    const cairn_corners corners = space->profile.corners;
    uint32_t west = span.left ? table_run_to(space, row, span.left - 1, span.y, CRN_W) : 0;
    for (uint32_t x = span.left; x <= span.right; x += 64) {
        uint32_t count = crn_min_u32(64, span.right - x + 1);
        table_words words = table_words_at(space, x, span.y);
        uint64_t here = words.at[1][1], next = words.at[0][1], points_north = 0;
        uint64_t points_west = table_points(&words, corners, CRN_W);
        if (above) {
            table_words higher = table_words_at(space, x, span.y - 1);
            points_north = table_points(&higher, corners, CRN_N);
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t north =
                table_follow(above ? crn_jump_run(above[x + i], CRN_N) : 0, next >> i, points_north >> i);
            uint64_t cell = row[x + i] & TABLE_SOUTH;
            cell |= table_run_bits(north, CRN_N) | table_run_bits(west, CRN_W);
            row[x + i] = here >> i & 1 ? cell : CRN_JUMP_BLOCKED;
            west = table_follow(west, here >> i, points_west >> i);
        }
    }
}

/* East, which must be clear. */
static void table_row_east(const crn_grid_space *space, table_span span, uint64_t *row)
{
    bool last = span.right + 1 == space->grid->width;
    uint32_t east = last ? 0 : table_run_to(space, row, span.right + 1, span.y, CRN_E);
    for (uint32_t end = span.right + 1; end > span.left;) {
        uint32_t count = crn_min_u32(64, end - span.left);
        end -= count;
        table_words words = table_words_at(space, end, span.y);
        uint64_t here = words.at[1][1], points = table_points(&words, space->profile.corners, CRN_E);
        for (uint32_t i = count; i-- > 0;) {
            row[end + i] |= table_run_bits(east, CRN_E); /* no matter where nobody can stand */
            east = table_follow(east, here >> i, points >> i);
        }
    }
}

static void table_row_others(const crn_grid_space *space, table_span span, const uint64_t *above,
                             uint64_t *row)
{
    table_row_north_west(space, span, above, row);
    table_row_east(space, span, row);
}

/* ---- the whole table ---- */

/* Tells of `done` of twice as many rows as there are. */
static bool table_report(const crn_jump_table *table, const cairn_progress *progress, uint32_t done)
{
    if (done % TABLE_REPORT && done != 2 * table->height) return true;
    return crn_progress(progress, done, 2 * (uint64_t)table->height);
}

static cairn_status table_fill(const crn_jump_table *table, const crn_grid_space *space,
                               const cairn_progress *progress)
{
    const uint32_t width = table->width, height = table->height;
    table_span span = {.right = width - 1};
    for (uint32_t done = 0; done < height; done++) {
        if (!table_report(table, progress, done)) return CAIRN_CANCELLED;
        span.y = height - 1 - done;
        uint64_t *row = table->owned + (size_t)span.y * width;
        table_row_south(space, span, done ? row + width : NULL, row);
    }
    for (span.y = 0; span.y < height; span.y++) {
        if (!table_report(table, progress, height + span.y)) return CAIRN_CANCELLED;
        uint64_t *row = table->owned + (size_t)span.y * width;
        table_row_others(space, span, span.y ? row - width : NULL, row);
    }
    return table_report(table, progress, 2 * height) ? CAIRN_OK : CAIRN_CANCELLED;
}

static bool table_allocate(crn_jump_table *table, const crn_grid_space *space)
{
    *table = (crn_jump_table){.width = space->grid->width, .height = space->grid->height};
    table->owned = crn_alloc(space->base.context, table_size(table));
    table->cells = table->owned;
    return table->owned != NULL;
}

static cairn_status table_no_memory(cairn_error *error)
{
    return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the table of jumps");
}

cairn_status crn_jump_table_build(crn_jump_table *table, const crn_grid_space *space,
                                  const cairn_progress *progress, cairn_error *error)
{
    if (!table_allocate(table, space)) return table_no_memory(error);
    cairn_status status = table_fill(table, space, progress);
    if (status == CAIRN_OK) return status;
    crn_jump_table_drop(table, space->base.context);
    return crn_fail(error, status, 0, "the build was cancelled");
}

void crn_jump_table_drop(crn_jump_table *table, cairn_context *context)
{
    if (table->owned) crn_free(context, table->owned, table_size(table));
    *table = (crn_jump_table){0};
}

size_t crn_jump_table_bytes(const crn_jump_table *table)
{
    return sizeof *table + table_size(table);
}

/* ---- repair: which cells changed ---- */

/* Cells, both ends inclusive. */
typedef struct table_box {
    uint32_t left, top, right, bottom;
    uint32_t count; /* of the cells in it those that it is for */
} table_box;

typedef struct table_repair {
    crn_jump_table *table;
    const crn_grid_space *space;
    table_box *boxes;
    size_t count, capacity;
} table_repair;

/* Puts a piece of a row into a box that ends beside or above it, if that does not make the box much too large. */
static bool table_join(table_repair *repair, const table_box *piece)
{
    enum { LOOK_BACK = 8 };
    for (size_t i = 0; i < LOOK_BACK && i < repair->count; i++) {
        table_box *box = &repair->boxes[repair->count - 1 - i];
        table_box both = {crn_min_u32(box->left, piece->left), box->top,
                          crn_max_u32(box->right, piece->right), piece->bottom, box->count + piece->count};
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
    if (!piece->count || table_join(repair, piece)) return true;
    void *boxes = repair->boxes;
    if (!crn_grow(repair->space->base.context, &boxes, &repair->capacity, repair->count + 1, sizeof *piece)) {
        return false;
    }
    repair->boxes = boxes;
    repair->boxes[repair->count++] = *piece;
    return true;
}

/* The cells of a commit that may have been opened or closed; false = no memory. */
static bool table_gather(table_repair *repair, const cairn_commit *commit)
{
    const uint32_t width = repair->table->width;
    table_box piece = {0};
    for (uint32_t i = 0; i < commit->change_count; i++) {
        const cairn_change *change = &commit->changes[i];
        if (change->before.open == change->after.open && change->before.terrain == change->after.terrain)
            continue;
        uint32_t x = change->node % width, y = change->node / width;
        if (piece.count && y == piece.top && x == piece.right + 1) {
            piece.right = x;
            piece.count++;
            continue;
        }
        if (!table_add(repair, &piece)) return false;
        piece = (table_box){x, y, x, y, 1};
    }
    return table_add(repair, &piece);
}

/* Compares table and bitmap, and notes in the table who can be stood on now; the box becomes the one round all that changed. */
static void table_mark(const table_repair *repair, table_box *box)
{
    const crn_grid_space *space = repair->space;
    const uint32_t width = repair->table->width, height = repair->table->height;
    crn_size_box first = crn_size_reach(&space->size, width, height, box->left, box->top);
    crn_size_box last = crn_size_reach(&space->size, width, height, box->right, box->bottom);
    *box = (table_box){.left = UINT32_MAX, .top = UINT32_MAX};
    for (uint32_t y = first.top; y <= last.bottom; y++) {
        uint64_t *row = repair->table->owned + (size_t)y * width;
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
        table_mark(repair, &box);
        if (!box.count) continue;
        area += (uint64_t)(box.right - box.left + 1) * (box.bottom - box.top + 1);
        repair->boxes[kept++] = box;
    }
    repair->count = kept;
    return area;
}

/* ---- repair: what follows ---- */

static void table_fill_box(const table_repair *repair, const table_box *box)
{
    const uint32_t width = repair->table->width, height = repair->table->height;
    table_span span = {.left = box->left, .right = box->right};
    for (uint32_t y = box->bottom + 1; y-- > box->top;) {
        uint64_t *row = repair->table->owned + (size_t)y * width;
        span.y = y;
        table_row_south(repair->space, span, y + 1 < height ? row + width : NULL, row);
    }
    for (span.y = box->top; span.y <= box->bottom; span.y++) {
        uint64_t *row = repair->table->owned + (size_t)span.y * width;
        table_row_others(repair->space, span, span.y ? row - width : NULL, row);
    }
}

/* May the run of a cell have changed because that of the next cell has? Not if its next cell is a point, nor if nobody stands here. */
static bool table_depends(uint64_t cell, uint32_t direction)
{
    return cell != CRN_JUMP_BLOCKED && crn_jump_run(cell, direction) != TABLE_TO_POINT;
}

static void table_set_run(uint64_t *cell, uint32_t run, uint32_t direction)
{
    *cell = (*cell & ~table_run_bits(0xffff, direction)) | table_run_bits(run, direction);
}

/* Runs along a row that lead into the box at its column x: the cells behind x follow, `left` of them. */
static void table_spread_row(const table_repair *repair, uint32_t x, uint32_t y, uint32_t direction,
                             uint32_t left)
{
    const ptrdiff_t back = -crn_dx[direction];
    uint64_t *row = repair->table->owned + (size_t)y * repair->table->width, *cell = row + x;
    uint32_t run = table_run_to(repair->space, row, x, y, direction);
    for (bool first = true; left > 0; left--, first = false, run++) {
        cell += back;
        if (*cell == CRN_JUMP_BLOCKED || crn_jump_run(*cell, direction) == run) return;
        if (!first && !table_depends(*cell, direction)) return;
        table_set_run(cell, run, direction);
    }
}

/* One row more of runs along columns; the span becomes what changed. `next` is the row that the runs lead to. */
static bool table_spread_over(table_span *span, uint64_t *row, const uint64_t *next, uint32_t direction)
{
    table_span changed = {.left = UINT32_MAX};
    for (uint32_t x = span->left; x <= span->right; x++) {
        uint32_t run = crn_jump_run(next[x], direction) + 1;
        if (next[x] == CRN_JUMP_BLOCKED || !table_depends(row[x], direction) ||
            crn_jump_run(row[x], direction) == run) {
            continue;
        }
        table_set_run(&row[x], run, direction);
        changed.left = crn_min_u32(changed.left, x);
        changed.right = x;
    }
    span->left = changed.left;
    span->right = changed.right;
    return changed.left != UINT32_MAX;
}

/* Runs along columns that lead into the box at its row y, from `left` rows beyond. */
static void table_spread_columns(const table_repair *repair, const table_box *box, uint32_t y,
                                 uint32_t direction, uint32_t left)
{
    if (!left) return;
    const ptrdiff_t back = -(ptrdiff_t)crn_dy[direction] * (ptrdiff_t)repair->table->width;
    const uint64_t *next = repair->table->owned + (size_t)y * repair->table->width;
    uint64_t *row = repair->table->owned + ((ptrdiff_t)((size_t)y * repair->table->width) + back);
    table_span span = {.left = box->left, .right = box->right};
    for (uint32_t x = box->left; x <= box->right; x++) {
        if (row[x] == CRN_JUMP_BLOCKED) continue;
        table_set_run(&row[x], table_run_to(repair->space, next, x, y, direction), direction);
    }
    while (--left > 0) {
        next = row;
        row += back;
        if (!table_spread_over(&span, row, next, direction)) return;
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

/* ---- repair ---- */

/* A borrowed table is copied before it is written to. */
static bool table_own(crn_jump_table *table, const crn_grid_space *space)
{
    if (table->owned) return true;
    const uint64_t *borrowed = table->cells;
    if (!table_allocate(table, space)) return false;
    memcpy(table->owned, borrowed, table_size(table));
    return true;
}

/* CAIRN_STALE: the grid has forgotten a commit. */
static cairn_status table_gather_all(table_repair *repair, uint64_t since)
{
    const cairn_grid *grid = repair->space->grid;
    for (uint64_t version = since + 1; version <= cairn_grid_version(grid); version++) {
        cairn_commit commit;
        if (cairn_grid_commit_info(grid, version, &commit) != CAIRN_OK) return CAIRN_STALE;
        if (!table_gather(repair, &commit)) return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_OK;
}

cairn_status crn_jump_table_repair(crn_jump_table *table, const crn_grid_space *space, uint64_t since,
                                   bool *changed, cairn_error *error)
{
    table_repair repair = {.table = table, .space = space};
    cairn_status status = table_gather_all(&repair, since);
    *changed = status == CAIRN_STALE;
    if (status != CAIRN_OUT_OF_MEMORY && !table_own(table, space)) status = CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) {
        uint64_t area = table_mark_all(&repair);
        *changed = repair.count > 0;
        /* More than all in boxes: then all of it at once. */
        if (area > (uint64_t)table->width * table->height) status = CAIRN_STALE;
    }
    if (status == CAIRN_STALE)
        status = table_fill(table, space, NULL);
    else if (status == CAIRN_OK)
        for (size_t i = 0; i < repair.count; i++) table_mend(&repair, &repair.boxes[i]);
    crn_free(space->base.context, repair.boxes, repair.capacity * sizeof *repair.boxes);
    return status == CAIRN_OK ? status : table_no_memory(error);
}

/* ---- saving and loading ---- */

cairn_status crn_jump_table_save(const crn_jump_table *table, cairn_store *store, cairn_error *error)
{
    cairn_status status = cairn_store_add(store, TABLE_SECTION, table->cells, table_size(table), 8, true);
    return status == CAIRN_OK ? status
                              : crn_fail(error, status, 0, "the table of jumps cannot be added to the file");
}

/* Is row y what a look upwards, or downwards, would make of it? `scratch` has room for a row. */
static bool table_row_right(const crn_grid_space *space, const uint64_t *cells, uint32_t y, bool upwards,
                            uint64_t *scratch)
{
    const uint32_t width = space->grid->width;
    const uint64_t *row = cells + (size_t)y * width;
    table_span span = {.y = y, .right = width - 1};
    if (!upwards) {
        memcpy(scratch, row, width * sizeof *row);
        table_row_others(space, span, y ? row - width : NULL, scratch);
        return memcmp(scratch, row, width * sizeof *row) == 0;
    }
    table_row_south(space, span, y + 1 < space->grid->height ? row + width : NULL, scratch);
    for (uint32_t x = 0; x < width; x++) {
        uint64_t south = row[x] & (scratch[x] == CRN_JUMP_BLOCKED ? UINT64_MAX : TABLE_SOUTH);
        if (scratch[x] != south) return false;
    }
    return true;
}

static cairn_status table_check(const crn_grid_space *space, const uint64_t *cells, cairn_error *error)
{
    size_t size = space->grid->width * sizeof *cells;
    uint64_t *scratch = crn_alloc(space->base.context, size);
    if (!scratch) return table_no_memory(error);
    bool right = true;
    for (uint32_t y = 0; right && y < space->grid->height; y++) {
        right = table_row_right(space, cells, y, true, scratch) &&
                table_row_right(space, cells, y, false, scratch);
    }
    crn_free(space->base.context, scratch, size);
    return right ? CAIRN_OK : crn_fail(error, CAIRN_BAD_DATA, 0, "the table of jumps does not fit the map");
}

cairn_status crn_jump_table_load(crn_jump_table *table, const crn_grid_space *space,
                                 const cairn_archive *archive, bool borrow, cairn_error *error)
{
    size_t size = 0;
    const uint64_t *cells = cairn_archive_section(archive, TABLE_SECTION, 8, &size);
    if (!cells || size != crn_mul_size(space->base.node_count, sizeof *cells)) {
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the table of jumps is missing or of a wrong size");
    }
    cairn_status status = table_check(space, cells, error);
    if (status != CAIRN_OK) return status;
    *table = (crn_jump_table){.cells = cells, .width = space->grid->width, .height = space->grid->height};
    if (!borrow && !table_own(table, space)) status = table_no_memory(error);
    return status;
}
