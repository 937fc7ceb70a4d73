/* table.c: making the table of jumps, saving and loading it. See table.h.
 *
 * Runs to the south follow from the row below, the others from the row above and from the cells to
 * the left and to the right: so one pass upwards and one downwards compute any rectangle of the
 * table, given what lies around it; the whole table is one such rectangle. The properties of 64
 * cells are computed at once.
 *
 * The bits of diagonals are made in strips of 64 columns: a word for each row, of which bit i moves
 * by i rows, in six steps of 1, 2, 4 … rows.
 */
#include "jump/table_parts.h"
#include "search/algorithm.h"

#define TABLE_SECTION "index.jumps"
#define TABLE_SOUTH (UINT32_C(0xff) << 8 * CRN_S)
#define TABLE_REPORT 64u /* rows between two reports */

static size_t table_size(const crn_jump_table *table)
{
    return crn_mul_size((size_t)table->width * table->height, sizeof *table->cells);
}

uint32_t crn_jump_long_run(const crn_jump_table *table, uint32_t direction, uint32_t x, uint32_t y)
{
    const uint32_t hop = CRN_JUMP_LENGTH - 1;
    const ptrdiff_t step = crn_dx[direction] + crn_dy[direction] * (ptrdiff_t)table->width;
    const uint32_t *cell = table->cells + ((size_t)y * table->width + x);
    uint32_t gone = 0, field = crn_jump_field(*cell, direction);
    while ((field & CRN_JUMP_LENGTH) == CRN_JUMP_LENGTH) {
        cell += (ptrdiff_t)hop * step;
        gone += hop;
        field = crn_jump_field(*cell, direction);
    }
    return (gone + (field & CRN_JUMP_LENGTH)) | (field & CRN_JUMP_POINT) << 8;
}

/* ---- what cells are ---- */

/* 64 cells of a row and those round them: [1][1] are the cells themselves, [0][2] those above and
 * to the right, and so on. */
typedef struct table_words {
    uint64_t at[3][3];
    uint64_t linked; /* links leave them */
} table_words;

/* In a row of bits cell x - 1 is bit x: so the word of it and the next one hold all that is asked,
 * but for the last cell to the right if x is the last bit of a word. */
static table_words table_words_at(const crn_grid_space *space, uint32_t x, uint32_t y)
{
    const size_t stride = space->usable.stride, at = x / 64 * 8;
    const uint8_t *row = space->usable.rows + y * stride + at;
    const uint32_t shift = x % 64;
    const bool second = at + 8 < stride, third = shift == 63 && at + 16 < stride;
    table_words words;
    for (uint32_t i = 0; i < 3; i++, row += stride) {
        uint64_t low = crn_word_load(row), high = second ? crn_word_load(row + 8) : 0;
        uint64_t middle = low >> shift >> 1 | high << (63 - shift),
                 end = high >> shift >> 1 | (third ? row[16] : 0);
        words.at[i][0] = low >> shift | high << 1 << (63 - shift);
        words.at[i][1] = middle;
        words.at[i][2] = middle >> 1 | end << 63;
    }
    words.linked =
        space->links.count ? crn_bits_word(&space->links.from, (int32_t)x, (int32_t)y) : 0;
    return words;
}

/* Which of the cells are jump points of arrivals in a straight direction? (Here and below the
 * result is undefined for cells that cannot be stood on.) */
CRN_INLINE uint64_t table_points(const table_words *words, cairn_corners corners,
                                 uint32_t direction)
{
    const int32_t dx = crn_dx[direction], dy = crn_dy[direction];
    uint64_t points = words->linked;
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

/* From which of the cells can a diagonal step be made? */
CRN_INLINE uint64_t table_steps(const table_words *words, cairn_corners corners, int32_t dx,
                                int32_t dy)
{
    uint64_t to = words->at[1 + dy][1 + dx], level = words->at[1][1 + dx],
             upright = words->at[1 + dy][1];
    if (corners == CAIRN_CORNERS_ALWAYS) return to;
    return to & (corners == CAIRN_CORNERS_NEVER ? level & upright : level | upright);
}

/* Which of the cells force a turn after a diagonal step? Where corners may be cut: those with a
 * blocked cell beside that step and a free one after it. */
CRN_INLINE uint64_t table_turns(const table_words *words, cairn_corners corners, int32_t dx,
                                int32_t dy)
{
    if (corners == CAIRN_CORNERS_NEVER) return 0;
    uint64_t level = ~words->at[1][1 - dx] & words->at[1 + dy][1 - dx];
    uint64_t upright = ~words->at[1 - dy][1] & words->at[1 - dy][1 + dx];
    if (corners == CAIRN_CORNERS_ONE) {
        level &= words->at[1 + dy][1];
        upright &= words->at[1][1 + dx];
    }
    return level | upright;
}

/* ---- straight runs of a row ---- */

/* The run of the cell from which one step leads to a cell with this run, which is usable and a
 * point or not. */
CRN_INLINE uint32_t table_extend(uint32_t run, uint64_t usable, uint64_t point)
{
    uint32_t on = point & 1 ? CRN_JUMP_TO_POINT : crn_jump_longer(run);
    return usable & 1 ? on : 0;
}

uint32_t crn_jump_run_to(const crn_grid_space *space, const uint32_t *row, uint32_t x, uint32_t y,
                         uint32_t direction)
{
    table_words words = table_words_at(space, x, y);
    return table_extend(crn_jump_field(row[x], direction), words.at[1][1],
                        table_points(&words, space->profile.corners, direction));
}

void crn_jump_row_south(const crn_grid_space *space, crn_jump_span span, const uint32_t *below,
                        uint32_t *row)
{
    for (uint32_t x = span.left; x <= span.right; x += 64) {
        uint32_t count = crn_min_u32(64, span.right - x + 1);
        uint64_t here = crn_bits_word(&space->usable, (int32_t)x, (int32_t)span.y), next = 0,
                 points = 0;
        if (below) {
            table_words words = table_words_at(space, x, span.y + 1);
            next = words.at[1][1];
            points = table_points(&words, space->profile.corners, CRN_S);
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t run = below ? crn_jump_field(below[x + i], CRN_S) : 0;
            run = table_extend(run, next >> i, points >> i);
            row[x + i] = here >> i & 1 ? crn_jump_bits(run, CRN_S) : CRN_JUMP_BLOCKED;
        }
    }
}

/* North and west; east is cleared. */
static void table_row_north_west(const crn_grid_space *space, crn_jump_span span,
                                 const uint32_t *above, uint32_t *row)
{
    const cairn_corners corners = space->profile.corners;
    uint32_t west = span.left ? crn_jump_run_to(space, row, span.left - 1, span.y, CRN_W) : 0;
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
            uint32_t north = above ? crn_jump_field(above[x + i], CRN_N) : 0;
            north = table_extend(north, next >> i, points_north >> i);
            uint32_t cell = row[x + i] & TABLE_SOUTH;
            cell |= crn_jump_bits(north, CRN_N) | crn_jump_bits(west, CRN_W);
            row[x + i] = here >> i & 1 ? cell : CRN_JUMP_BLOCKED;
            west = table_extend(west, here >> i, points_west >> i);
        }
    }
}

/* East, which must be clear. */
static void table_row_east(const crn_grid_space *space, crn_jump_span span, uint32_t *row)
{
    bool last = span.right + 1 == space->grid->width;
    uint32_t east = last ? 0 : crn_jump_run_to(space, row, span.right + 1, span.y, CRN_E);
    for (uint32_t end = span.right + 1; end > span.left;) {
        uint32_t count = crn_min_u32(64, end - span.left);
        end -= count;
        table_words words = table_words_at(space, end, span.y);
        uint64_t here = words.at[1][1],
                 points = table_points(&words, space->profile.corners, CRN_E);
        for (uint32_t i = count; i-- > 0;) {
            row[end + i] |= here >> i & 1 ? crn_jump_bits(east, CRN_E) : 0;
            east = table_extend(east, here >> i, points >> i);
        }
    }
}

void crn_jump_row_others(const crn_grid_space *space, crn_jump_span span, const uint32_t *above,
                         uint32_t *row)
{
    table_row_north_west(space, span, above, row);
    table_row_east(space, span, row);
}

/* ---- diagonals ---- */

/* For each straight direction, which of these cells, at most 64, see a jump point. */
static void table_sights(const uint32_t *cells, uint32_t count, uint64_t sights[4])
{
    for (uint32_t d = 0; d < 4; d++) sights[d] = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t d = 0; d < 4; d++) sights[d] |= (uint64_t)(cells[i] >> (8 * d + 7) & 1) << i;
    }
}

/* Which of the cells from (x, y) on, at most 64, jumps in each diagonal direction pass. */
static void table_passed(const crn_jump_table *table, const crn_grid_space *space, uint32_t x,
                         uint32_t y, uint32_t count, uint64_t passed[4])
{
    const cairn_corners corners = space->profile.corners;
    table_words words = table_words_at(space, x, y);
    uint64_t sights[4];
    table_sights(table->cells + ((size_t)y * table->width + x), count, sights);
    for (uint32_t d = CRN_NE; d < CRN_DIRECTIONS; d++) {
        int32_t dx = crn_dx[d], dy = crn_dy[d];
        uint64_t stops = sights[dx > 0 ? CRN_E : CRN_W] | sights[dy > 0 ? CRN_S : CRN_N];
        stops |= table_turns(&words, corners, dx, dy) | words.linked;
        passed[d - CRN_NE] = words.at[1][1] & table_steps(&words, corners, dx, dy) & ~stops;
    }
}

void crn_jump_row_passed(crn_jump_table *table, const crn_grid_space *space, crn_jump_span span)
{
    for (uint32_t x = span.left; x <= span.right; x += 64) {
        uint32_t count = crn_min_u32(64, span.right - x + 1);
        uint64_t passed[4];
        table_passed(table, space, x, span.y, count, passed);
        for (uint32_t d = CRN_NE; d < CRN_DIRECTIONS; d++) {
            uint32_t line = crn_jump_line(table, d, x, span.y), last = table->height - 1;
            bool rising = d == CRN_NE || d == CRN_SW;
            for (uint32_t i = 0; i < count; i++) {
                crn_bit_set(&table->passed[d - CRN_NE], (int32_t)(x + i), (int32_t)line,
                            passed[d - CRN_NE] >> i & 1);
                if (rising)
                    line = line == last ? 0 : line + 1;
                else
                    line = line ? line - 1 : last;
            }
        }
    }
}

/* Where both corners of a diagonal step may be cut, turns may be forced on cells that no straight
 * step leads to. */
bool crn_jump_table_is_point(const crn_jump_table *table, const crn_grid_space *space, uint32_t x,
                             uint32_t y)
{
    const cairn_corners corners = space->profile.corners;
    if (crn_jump_cell(table, x, y) == CRN_JUMP_BLOCKED) return false;
    table_words words = table_words_at(space, x, y);
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        uint32_t from_x = (uint32_t)((int32_t)x - crn_dx[d]),
                 from_y = (uint32_t)((int32_t)y - crn_dy[d]);
        if (from_x >= table->width || from_y >= table->height) continue;
        uint32_t from = crn_jump_cell(table, from_x, from_y);
        if (from == CRN_JUMP_BLOCKED) continue;
        if (d < CRN_NE && crn_jump_field(from, d) == CRN_JUMP_TO_POINT) return true;
        if (d >= CRN_NE && corners == CAIRN_CORNERS_ALWAYS &&
            table_turns(&words, corners, crn_dx[d], crn_dy[d]) & 1)
            return true;
    }
    return false;
}

/* Moves bit i of the words of all rows by i rows on, or back, cyclically; `other` has room for as
 * many. */
static void table_skew(uint64_t *words, uint64_t *other, uint32_t height, bool on)
{
    static const uint64_t moved[6] = {UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc),
                                      UINT64_C(0xf0f0f0f0f0f0f0f0), UINT64_C(0xff00ff00ff00ff00),
                                      UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000)};
    for (uint32_t k = 0; k < 6; k++) {
        uint32_t shift = (1u << k) % height;
        uint32_t from = on ? height - shift : shift; /* the row whose bits come to row 0 */
        for (uint32_t y = 0; y < height; y++, from++) {
            if (from >= height) from -= height;
            other[y] = (words[y] & ~moved[k]) | (words[from] & moved[k]);
        }
        memcpy(words, other, height * sizeof *words);
    }
}

/* The columns from x on, at most 64, of all lines. `words` has room for five for each row. */
static void table_pass_strip(crn_jump_table *table, const crn_grid_space *space, uint32_t x,
                             uint64_t *words)
{
    const uint32_t height = table->height, count = crn_min_u32(64, table->width - x);
    uint64_t *other = words + 4 * (size_t)height;
    for (uint32_t y = 0; y < height; y++) {
        uint64_t passed[4];
        table_passed(table, space, x, y, count, passed);
        for (uint32_t d = 0; d < 4; d++) words[d * (size_t)height + y] = passed[d];
    }
    for (uint32_t d = CRN_NE; d < CRN_DIRECTIONS; d++) {
        uint64_t *strip = words + (d - CRN_NE) * (size_t)height;
        table_skew(strip, other, height, d == CRN_NE || d == CRN_SW);
        uint32_t line = crn_jump_line(table, d, x, 0);
        for (uint32_t y = 0; y < height; y++, line++) {
            if (line == height) line = 0;
            crn_bits_set_word(&table->passed[d - CRN_NE], x, line, strip[y]);
        }
    }
}

/* All bits of diagonals; false = no memory. */
static bool table_pass_all(crn_jump_table *table, const crn_grid_space *space)
{
    size_t size = crn_mul_size(table->height, 5 * sizeof(uint64_t));
    uint64_t *words = crn_alloc(space->base.context, size);
    if (!words) return false;
    for (uint32_t x = 0; x < table->width; x += 64) table_pass_strip(table, space, x, words);
    crn_free(space->base.context, words, size);
    return true;
}

/* ---- the whole table ---- */

/* Reports progress: `done` of twice as many rows as there are. */
static bool table_report(const crn_jump_table *table, const cairn_progress *progress, uint32_t done)
{
    if (done % TABLE_REPORT && done != 2 * table->height) return true;
    return crn_progress(progress, done, 2 * (uint64_t)table->height);
}

cairn_status crn_jump_table_fill(crn_jump_table *table, const crn_grid_space *space,
                                 const cairn_progress *progress)
{
    const uint32_t width = table->width, height = table->height;
    crn_jump_span span = {.right = width - 1};
    for (uint32_t done = 0; done < height; done++) {
        if (!table_report(table, progress, done)) return CAIRN_CANCELLED;
        span.y = height - 1 - done;
        uint32_t *row = table->owned + (size_t)span.y * width;
        crn_jump_row_south(space, span, done ? row + width : NULL, row);
    }
    for (span.y = 0; span.y < height; span.y++) {
        if (!table_report(table, progress, height + span.y)) return CAIRN_CANCELLED;
        uint32_t *row = table->owned + (size_t)span.y * width;
        crn_jump_row_others(space, span, span.y ? row - width : NULL, row);
    }
    if (!table_pass_all(table, space)) return CAIRN_OUT_OF_MEMORY;
    return table_report(table, progress, 2 * height) ? CAIRN_OK : CAIRN_CANCELLED;
}

bool crn_jump_table_note_links(crn_jump_table *table, const crn_grid_space *space)
{
    const crn_links *links = &space->links;
    void *linked = table->linked;
    if (!crn_grow(space->base.context, &linked, &table->linked_capacity, links->count,
                  sizeof *table->linked))
        return false;
    table->linked = linked;
    table->linked_count = 0;
    for (uint32_t i = 0; i < links->count; i++) {
        if (!i || links->links[i].from != links->links[i - 1].from)
            table->linked[table->linked_count++] = links->links[i].from;
    }
    return true;
}

/* All but the runs; false = no memory. */
static bool table_open(crn_jump_table *table, const crn_grid_space *space)
{
    const uint32_t width = space->grid->width, height = space->grid->height;
    *table = (crn_jump_table){.width = width, .height = height};
    table->turn = (width + height - 1) / height * height;
    for (uint32_t i = 0; i < 4; i++) {
        if (!crn_bits_create(space->base.context, width, height, &table->passed[i])) return false;
    }
    return crn_jump_table_note_links(table, space);
}

bool crn_jump_table_own(crn_jump_table *table, cairn_context *context)
{
    if (table->owned) return true;
    table->owned = crn_alloc(context, table_size(table));
    if (table->owned && table->cells) memcpy(table->owned, table->cells, table_size(table));
    table->cells = table->owned;
    return table->owned != NULL;
}

cairn_status crn_jump_table_no_memory(cairn_error *error)
{
    return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the table of jumps");
}

cairn_status crn_jump_table_build(crn_jump_table *table, const crn_grid_space *space,
                                  const cairn_progress *progress, cairn_error *error)
{
    cairn_context *context = space->base.context;
    cairn_status status = CAIRN_OUT_OF_MEMORY;
    if (table_open(table, space) && crn_jump_table_own(table, context)) {
        status = crn_jump_table_fill(table, space, progress);
    }
    if (status == CAIRN_OK) return status;
    crn_jump_table_drop(table, context);
    return status == CAIRN_CANCELLED ? crn_fail(error, status, 0, "the build was cancelled")
                                     : crn_jump_table_no_memory(error);
}

void crn_jump_table_drop(crn_jump_table *table, cairn_context *context)
{
    if (table->owned) crn_free(context, table->owned, table_size(table));
    for (uint32_t i = 0; i < 4; i++) crn_bits_destroy(context, &table->passed[i]);
    crn_free(context, table->linked, table->linked_capacity * sizeof *table->linked);
    *table = (crn_jump_table){0};
}

size_t crn_jump_table_bytes(const crn_jump_table *table)
{
    return sizeof *table + table_size(table) + 4 * crn_bits_bytes(&table->passed[0]) +
           table->linked_capacity * sizeof *table->linked;
}

/* ---- saving and loading ---- */

cairn_status crn_jump_table_save(const crn_jump_table *table, cairn_store *store,
                                 cairn_error *error)
{
    cairn_status status = cairn_store_add(store, TABLE_SECTION,
                                          (cairn_bytes){table->cells, table_size(table)}, 4, true);
    return status == CAIRN_OK
               ? status
               : crn_fail(error, status, 0, "the table of jumps cannot be added to the file");
}

/* Is row y what a pass upwards, or downwards, would compute? `scratch` has room for a row. */
static bool table_row_right(const crn_grid_space *space, const uint32_t *cells, uint32_t y,
                            bool upwards, uint32_t *scratch)
{
    const uint32_t width = space->grid->width;
    const uint32_t *row = cells + (size_t)y * width;
    crn_jump_span span = {.y = y, .right = width - 1};
    if (!upwards) {
        memcpy(scratch, row, width * sizeof *row);
        crn_jump_row_others(space, span, y ? row - width : NULL, scratch);
        return memcmp(scratch, row, width * sizeof *row) == 0;
    }
    crn_jump_row_south(space, span, y + 1 < space->grid->height ? row + width : NULL, scratch);
    for (uint32_t x = 0; x < width; x++) {
        uint32_t south = row[x] & (scratch[x] == CRN_JUMP_BLOCKED ? UINT32_MAX : TABLE_SOUTH);
        if (scratch[x] != south) return false;
    }
    return true;
}

static cairn_status table_check(const crn_grid_space *space, const uint32_t *cells,
                                cairn_error *error)
{
    size_t size = space->grid->width * sizeof *cells;
    uint32_t *scratch = crn_alloc(space->base.context, size);
    if (!scratch) return crn_jump_table_no_memory(error);
    bool right = true;
    for (uint32_t y = 0; right && y < space->grid->height; y++) {
        right = table_row_right(space, cells, y, true, scratch) &&
                table_row_right(space, cells, y, false, scratch);
    }
    crn_free(space->base.context, scratch, size);
    return right ? CAIRN_OK
                 : crn_fail(error, CAIRN_BAD_DATA, 0, "the table of jumps does not fit the map");
}

cairn_status crn_jump_table_load(crn_jump_table *table, const crn_grid_space *space,
                                 const cairn_archive *archive, bool borrow, cairn_error *error)
{
    size_t size = 0;
    const uint32_t *cells = cairn_archive_section(archive, TABLE_SECTION, 4, &size);
    if (!cells || size != crn_mul_size(space->base.node_count, sizeof *cells)) {
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the table of jumps is missing or of a wrong size");
    }
    cairn_status status = table_check(space, cells, error);
    if (status != CAIRN_OK) return status;
    bool ok = table_open(table, space);
    table->cells = cells;
    ok = ok && (borrow || crn_jump_table_own(table, space->base.context)) &&
         table_pass_all(table, space);
    if (ok) return CAIRN_OK;
    crn_jump_table_drop(table, space->base.context);
    return crn_jump_table_no_memory(error);
}
