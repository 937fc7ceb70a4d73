/* table.c: what the table of jumps says of some cells, and saving and loading it. See table.h.
 *
 * Runs to the south and east follow from the cells below and to the right, the others from those
 * above and to the left: so one pass back from the last cell, and one forth from the first, compute
 * any rectangle of the table, given what lies around it; the whole table is one such rectangle. The
 * properties of 64 cells are computed at once.
 *
 * The bits of diagonals are made in tiles of 64 columns: a word for each row, of which bit i moves
 * by i rows, in six steps of 1, 2, 4 … rows.
 */
#include "jump/table_parts.h"
#include "search/algorithm.h"

#define TABLE_SECTION "index.jumps"
#define TABLE_BACK (UINT32_C(0xff) << 8 * CRN_S | UINT32_C(0xff) << 8 * CRN_E)

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
    table_words words; /* of a single cell: its bit is the lowest */
    uint32_t pattern = crn_grid_pattern(space, x, y);
    for (uint32_t i = 0; i < 9; i++) words.at[i / 3][i % 3] = pattern >> i;
    words.linked = space->links.count && crn_bit(&space->links.from, (int32_t)x, (int32_t)y);
    return table_extend(crn_jump_field(row[x], direction), words.at[1][1],
                        table_points(&words, space->profile.corners, direction));
}

/* South; the others are cleared. */
static void table_row_south(const crn_grid_space *space, crn_jump_span span, const uint32_t *below,
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

void crn_jump_row_back(const crn_grid_space *space, crn_jump_span span, const uint32_t *below,
                       uint32_t *row)
{
    table_row_south(space, span, below, row);
    table_row_east(space, span, row);
}

void crn_jump_row_forth(const crn_grid_space *space, crn_jump_span span, const uint32_t *above,
                        uint32_t *row)
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
            uint32_t cell = row[x + i] & TABLE_BACK;
            cell |= crn_jump_bits(north, CRN_N) | crn_jump_bits(west, CRN_W);
            row[x + i] = here >> i & 1 ? cell : CRN_JUMP_BLOCKED;
            west = table_extend(west, here >> i, points_west >> i);
        }
    }
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

enum {
    TABLE_ROWS = 32,  /* of a tile, which has 64 columns */
    TABLE_AHEAD = 32, /* the longest move of a word */
    TABLE_WORDS = TABLE_AHEAD + TABLE_ROWS + 63
};
_Static_assert(64 * TABLE_ROWS == CRN_JUMP_TILE, "the cells of a tile");

/* Moves bit i of each word by i words on (`rising`), or by 63 - i. In front of the words there are
 * 32 zeros, behind the first TABLE_ROWS of them too. `other` has as much room, and begins with as
 * many zeros. */
static void table_skew(uint64_t *restrict words, uint64_t *restrict other, bool rising)
{
    static const uint64_t moved[6] = {UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc),
                                      UINT64_C(0xf0f0f0f0f0f0f0f0), UINT64_C(0xff00ff00ff00ff00),
                                      UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000)};
    for (uint32_t k = 0; k < 6; k += 2) {
        uint64_t mask = rising ? moved[k] : ~moved[k], next = rising ? moved[k + 1] : ~moved[k + 1];
        for (uint32_t i = TABLE_AHEAD; i < TABLE_WORDS; i++)
            other[i] = (words[i] & ~mask) | (words[i - (1u << k)] & mask);
        for (uint32_t i = TABLE_AHEAD; i < TABLE_WORDS; i++)
            words[i] = (other[i] & ~next) | (other[i - (2u << k)] & next);
    }
}

/* Adds words to lines that follow each other, from this one on; the columns are a tile's. */
static void table_or_lines(crn_bits *bits, uint32_t x, uint32_t line, uint32_t height,
                           const uint64_t *words)
{
    uint8_t *at = bits->rows + ((size_t)line + 1) * bits->stride + x / 64 * 8;
    for (uint32_t i = TABLE_AHEAD; i < TABLE_WORDS; i++, line++, at += bits->stride) {
        if (line == height) {
            line = 0;
            at -= height * bits->stride;
        }
        /* column x is bit x + 1 */
        crn_word_store(at, crn_word_load(at) | words[i] << 1);
        if (words[i] >> 63) at[8] |= 1;
    }
}

static uint32_t table_tile_columns(const crn_jump_table *table)
{
    return (table->width + 63) / 64;
}

size_t crn_jump_tiles(const crn_jump_table *table)
{
    return (size_t)table_tile_columns(table) * ((table->height + TABLE_ROWS - 1) / TABLE_ROWS);
}

/* A diagonal that begins in its first row lies in the line of its corner; the others begin in its
 * first column, and lie in lines before or behind that. */
void crn_jump_tile_passed(crn_jump_table *table, const crn_grid_space *space, size_t tile)
{
    const uint32_t x = (uint32_t)(tile % table_tile_columns(table)) * 64,
                   y = (uint32_t)(tile / table_tile_columns(table)) * TABLE_ROWS,
                   height = table->height, rows = crn_min_u32(TABLE_ROWS, height - y);
    uint64_t words[4][TABLE_WORDS] = {{0}}, other[TABLE_WORDS], any[4] = {0};
    memset(other, 0, TABLE_AHEAD * sizeof *other);
    for (uint32_t i = 0; i < rows; i++) {
        uint64_t passed[4];
        table_passed(table, space, x, y + i, crn_min_u32(64, table->width - x), passed);
        for (uint32_t d = 0; d < 4; d++) {
            words[d][TABLE_AHEAD + i] = passed[d];
            any[d] |= passed[d];
        }
    }
    for (uint32_t d = CRN_NE; d < CRN_DIRECTIONS; d++) {
        bool rising = d == CRN_NE || d == CRN_SW;
        uint64_t *strip = words[d - CRN_NE];
        if (!any[d - CRN_NE]) continue;
        table_skew(strip, other, rising);
        uint32_t line = crn_jump_line(table, d, x, y) + (rising ? 0 : height - 63 % height);
        table_or_lines(&table->passed[d - CRN_NE], x, line % height, height, strip);
    }
}

/* ---- the whole table ---- */

/* All but what is in the memory, and what links leave; false = no memory. */
bool crn_jump_table_open(crn_jump_table *table, const crn_grid_space *space)
{
    cairn_context *context = space->base.context;
    const uint32_t width = space->grid->width, height = space->grid->height;
    *table = (crn_jump_table){.width = width, .height = height};
    table->turn = (width + height - 1) / height * height;
    bool ok = true;
    for (uint32_t i = 0; i < 4 && ok; i++)
        ok = crn_bits_reserve(context, width, height, &table->passed[i]);
    if (!ok) crn_jump_table_drop(table, context);
    return ok;
}

cairn_status crn_jump_table_no_memory(cairn_error *error)
{
    return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the table of jumps");
}

void crn_jump_table_drop(crn_jump_table *table, cairn_context *context)
{
    crn_jump_job *job = &table->job;
    if (table->owned) crn_free(context, table->owned, table_size(table));
    for (uint32_t i = 0; i < 4; i++) crn_bits_destroy(context, &table->passed[i]);
    crn_free(context, table->linked, table->linked_capacity * sizeof *table->linked);
    crn_free(context, job->linked, job->linked_capacity * sizeof *job->linked);
    crn_jump_rects_close(&job->rects, context);
    *table = (crn_jump_table){0};
}

size_t crn_jump_table_bytes(const crn_jump_table *table)
{
    return sizeof *table + table_size(table) + 4 * crn_bits_bytes(&table->passed[0]) +
           (table->linked_capacity + table->job.linked_capacity) * sizeof *table->linked +
           crn_jump_rects_bytes(&table->job.rects);
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
        crn_jump_row_forth(space, span, y ? row - width : NULL, scratch);
        return memcmp(scratch, row, width * sizeof *row) == 0;
    }
    crn_jump_row_back(space, span, y + 1 < space->grid->height ? row + width : NULL, scratch);
    for (uint32_t x = 0; x < width; x++) {
        uint32_t back = row[x] & (scratch[x] == CRN_JUMP_BLOCKED ? UINT32_MAX : TABLE_BACK);
        if (scratch[x] != back) return false;
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

/* Notes the cells that links leave; false = no memory. */
static bool table_note_links(crn_jump_table *table, const crn_grid_space *space)
{
    const crn_links *links = &space->links;
    void *linked = NULL;
    bool ok = crn_grow(space->base.context, &linked, &table->linked_capacity, links->count,
                       sizeof *table->linked);
    table->linked = linked;
    for (uint32_t i = 0; ok && i < links->count; i++) {
        if (!i || links->links[i].from != links->links[i - 1].from)
            table->linked[table->linked_count++] = links->links[i].from;
    }
    return ok;
}

static void table_pass_all(crn_jump_table *table, const crn_grid_space *space)
{
    for (uint32_t i = 0; i < 4; i++)
        memset(table->passed[i].rows - 8, 0, crn_bits_bytes(&table->passed[i]));
    for (size_t i = 0; i < crn_jump_tiles(table); i++) crn_jump_tile_passed(table, space, i);
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
    if (!crn_jump_table_open(table, space)) return crn_jump_table_no_memory(error);
    if (!borrow) table->owned = crn_alloc(space->base.context, size);
    if (table->owned) memcpy(table->owned, cells, size);
    table->cells = borrow ? cells : table->owned;
    if (table->cells && table_note_links(table, space)) {
        table_pass_all(table, space);
        return CAIRN_OK;
    }
    crn_jump_table_drop(table, space->base.context);
    return crn_jump_table_no_memory(error);
}
