/* table_repair.c: making the table of jumps, and repairing it after commits.
 *
 * A build computes one rectangle: all of the table. A repair computes one around each change
 * (table_gather.c); then runs that lead into it are updated outside, cell by cell, until one is
 * found that has not changed. The order of the rectangles does not matter: a cell outside obeys the
 * rule of table.h at any time, unless the next cell of its run lies in a rectangle that is still to
 * come, or has just been updated for the one at hand. Bits of diagonals are updated wherever a cell
 * lies in a rectangle, or begins or ceases to see a jump point.
 *
 * All of it is divided into pieces. What is left after one of them is written down in the job, and
 * holds after a commit as well: the new changes only add rectangles, and the cells that they make
 * wrong lie in these. So a build goes on where it was, and so does a repair.
 */
#include "jump/table_parts.h"
#include "search/algorithm.h"

#define REPAIR_REPORT 64u   /* rows between two reports */
#define REPAIR_CLEAR 65536u /* bytes in a piece */
#define REPAIR_COLUMNS 128u /* whose runs are updated together */

static uint32_t *repair_row(const crn_jump_table *table, uint32_t y)
{
    return table->owned + (size_t)y * table->width;
}

/* ---- a rectangle ---- */

/* Reports progress of all of the table: `done` of twice as many rows as there are. */
static bool repair_tell(const crn_jump_table *table, uint32_t done)
{
    if (!table->job.whole || (done % REPAIR_REPORT && done != 2 * table->height)) return true;
    return crn_progress(table->job.progress, done, 2 * (uint64_t)table->height);
}

static void repair_enter(crn_jump_job *job, crn_jump_stage stage)
{
    job->stage = stage;
    job->at = 0;
    job->walk = crn_jump_walk_of(&job->walk.rect, stage == CRN_JUMP_BACK);
    job->x = job->walk.rect.left;
    job->y = job->walk.rect.top;
    job->outside = false;
}

static void repair_close(crn_jump_job *job)
{
    job->stage = CRN_JUMP_IDLE;
    if (!job->whole) {
        job->area -= crn_jump_rect_area(&job->walk.rect);
        job->first++;
    }
    job->whole = false;
}

static void repair_fill(crn_jump_table *table)
{
    crn_jump_job *job = &table->job;
    job->rects.count = job->first = job->kept = job->next = job->fresh = 0;
    job->area = 0;
    job->edited.count = 0;
    job->comparing = false;
    job->gathered = job->whole = true;
    job->copied = crn_mul_size((size_t)table->width * table->height, sizeof *table->cells);
    job->walk.rect = (crn_jump_rect){.right = (uint16_t)(table->width - 1),
                                     .bottom = (uint16_t)(table->height - 1)};
    repair_enter(job, CRN_JUMP_CLEAR);
}

/* Clears a piece of the bits of diagonals. */
static void repair_clear(crn_jump_table *table)
{
    crn_jump_job *job = &table->job;
    size_t size = crn_bits_bytes(&table->passed[0]), bits = job->at / size, from = job->at % size,
           part = size - from < REPAIR_CLEAR ? size - from : REPAIR_CLEAR;
    memset(table->passed[bits].rows - 8 + from, 0, part);
    job->at += part;
    if (job->at == 4 * size) repair_enter(job, CRN_JUMP_BACK);
}

static cairn_status repair_back(crn_jump_table *table, const crn_grid_space *space, uint64_t *cells)
{
    crn_jump_job *job = &table->job;
    const uint32_t last = table->height - 1;
    crn_jump_span span;
    while (*cells >= CRN_JUMP_MOST && crn_jump_walk_next(&job->walk, &span)) {
        if (span.right + 1 == table->width && !repair_tell(table, last - span.y))
            return CAIRN_CANCELLED;
        uint32_t *row = repair_row(table, span.y);
        crn_jump_row_back(space, span, span.y < last ? row + table->width : NULL, row);
        *cells -= CRN_JUMP_BESIDE + span.right - span.left;
    }
    if (job->walk.over) repair_enter(job, CRN_JUMP_FORTH);
    return CAIRN_RUNNING;
}

static cairn_status repair_forth(crn_jump_table *table, const crn_grid_space *space,
                                 uint64_t *cells)
{
    crn_jump_job *job = &table->job;
    crn_jump_span span;
    while (*cells >= CRN_JUMP_MOST && crn_jump_walk_next(&job->walk, &span)) {
        if (!span.left && !repair_tell(table, table->height + span.y)) return CAIRN_CANCELLED;
        uint32_t *row = repair_row(table, span.y);
        crn_jump_row_forth(space, span, span.y ? row - table->width : NULL, row);
        if (!job->whole) crn_jump_row_passed(table, space, span);
        *cells -= CRN_JUMP_BESIDE + span.right - span.left;
    }
    if (job->walk.over) repair_enter(job, job->whole ? CRN_JUMP_TILES : CRN_JUMP_EAST);
    return CAIRN_RUNNING;
}

static cairn_status repair_tile(crn_jump_table *table, const crn_grid_space *space)
{
    crn_jump_job *job = &table->job;
    crn_jump_tile_passed(table, space, job->at++);
    if (job->at < crn_jump_tiles(table)) return CAIRN_RUNNING;
    if (!repair_tell(table, 2 * table->height)) return CAIRN_CANCELLED;
    repair_close(job);
    return CAIRN_RUNNING;
}

/* ---- outside ---- */

static bool repair_empty(const crn_jump_span *span)
{
    return span->left > span->right;
}

static void repair_include(crn_jump_span *span, uint32_t x)
{
    span->left = crn_min_u32(span->left, x);
    span->right = crn_max_u32(span->right, x);
}

/* Gives a cell another run; `sight` gathers the cells that see something else than before. */
static void repair_around(uint32_t *row, uint32_t x, uint32_t run, uint32_t direction,
                          crn_jump_span *sight)
{
    uint32_t before = row[x];
    row[x] = (before & ~crn_jump_bits(0xff, direction)) | crn_jump_bits(run, direction);
    if ((before ^ row[x]) & crn_jump_bits(CRN_JUMP_POINT, direction)) repair_include(sight, x);
}

/* Can the run of a cell have changed because that of the next cell has? Not if that is a point, nor
 * if this cell cannot be stood on. */
static bool repair_depends(uint32_t cell, uint32_t direction)
{
    return cell != CRN_JUMP_BLOCKED && crn_jump_field(cell, direction) != CRN_JUMP_TO_POINT;
}

/* Updates a piece of the runs of row job->y that lead into the rectangle at its column x: of
 * job->left cells behind job->x. Returns of how many. */
CRN_INLINE uint32_t repair_spread_row(crn_jump_table *table, const crn_grid_space *space,
                                      uint32_t direction)
{
    crn_jump_job *job = &table->job;
    const uint32_t most = crn_min_u32(job->left, CRN_JUMP_PIECE), y = job->y;
    const uint32_t back = direction == CRN_E ? UINT32_MAX : 1; /* to the next cell */
    uint32_t *row = repair_row(table, y), x = job->x, count = 0;
    crn_jump_span sight = {.y = y, .left = UINT32_MAX};
    if (most && row[x + back] != CRN_JUMP_BLOCKED) {
        uint32_t run = crn_jump_run_to(space, row, x, y, direction);
        while (crn_jump_field(row[x + back], direction) != run) {
            repair_around(row, x += back, run, direction, &sight);
            run = crn_jump_longer(run);
            if (++count == most || !repair_depends(row[x + back], direction)) break;
        }
    }
    job->x = x;
    job->left = count < most ? 0 : job->left - count;
    if (!repair_empty(&sight)) crn_jump_row_passed(table, space, sight);
    return count;
}

/* Runs along all rows, to the east or to the west. */
static void repair_spread_rows(crn_jump_table *table, const crn_grid_space *space, uint64_t *cells)
{
    crn_jump_job *job = &table->job;
    const crn_jump_rect *rect = &job->walk.rect;
    const bool east = job->stage == CRN_JUMP_EAST;
    while (*cells >= CRN_JUMP_MOST && job->y <= rect->bottom) {
        if (!job->outside) {
            job->x = east ? rect->left : rect->right;
            job->left = east ? job->x : table->width - 1 - job->x;
        }
        uint32_t count =
            east ? repair_spread_row(table, space, CRN_E) : repair_spread_row(table, space, CRN_W);
        *cells -= CRN_JUMP_BESIDE + CRN_JUMP_OUTSIDE * count;
        job->outside = job->left > 0;
        job->y += !job->outside;
    }
    if (job->y > rect->bottom) repair_enter(job, east ? CRN_JUMP_WEST : CRN_JUMP_SOUTH);
}

/* Runs along columns, one row beyond `next`, which has changed in the span. The span becomes what
 * changes here. */
CRN_INLINE void repair_spread_over(uint32_t *row, const uint32_t *next, uint32_t direction,
                                   crn_jump_span *span, crn_jump_span *sight)
{
    crn_jump_span changed = {.left = UINT32_MAX};
    const uint32_t right = span->right;
    for (uint32_t x = span->left; x <= right; x++) {
        uint32_t run = crn_jump_longer(crn_jump_field(next[x], direction));
        if (next[x] == CRN_JUMP_BLOCKED || !repair_depends(row[x], direction) ||
            crn_jump_field(row[x], direction) == run) {
            continue;
        }
        repair_around(row, x, run, direction, sight);
        repair_include(&changed, x);
    }
    *span = changed;
}

/* The same for the row beyond the rectangle, of whose last row, y, also points may have changed. */
static void repair_spread_out(const crn_grid_space *space, uint32_t *row, const uint32_t *next,
                              uint32_t direction, const crn_jump_span *span, crn_jump_span *sight)
{
    for (uint32_t x = span->left; x <= span->right; x++) {
        if (row[x] == CRN_JUMP_BLOCKED) continue;
        repair_around(row, x, crn_jump_run_to(space, next, x, span->y, direction), direction,
                      sight);
    }
}

/* Begins with the next columns of the rectangle. */
static void repair_enter_columns(crn_jump_table *table)
{
    crn_jump_job *job = &table->job;
    const crn_jump_rect *rect = &job->walk.rect;
    const bool south = job->stage == CRN_JUMP_SOUTH;
    uint32_t more = crn_min_u32(REPAIR_COLUMNS - 1, rect->right - job->x);
    job->span = (crn_jump_span){south ? rect->top : rect->bottom, job->x, job->x + more};
    job->left = south ? rect->top : table->height - 1u - rect->bottom;
    job->x += more + 1;
}

/* Updates the runs along some columns that lead into the rectangle: of job->left rows beyond that
 * of job->span, which has changed. */
CRN_INLINE void repair_spread_columns(crn_jump_table *table, const crn_grid_space *space,
                                      uint32_t direction, uint64_t *cells)
{
    crn_jump_job *job = &table->job;
    crn_jump_span span = job->span;
    bool first = !job->outside;
    uint32_t left = job->left;
    uint64_t work = *cells;
    for (; left && work >= CRN_JUMP_MOST && !repair_empty(&span); left--, first = false) {
        uint32_t y = direction == CRN_S ? span.y - 1 : span.y + 1;
        uint32_t *row = repair_row(table, y), *next = repair_row(table, span.y);
        crn_jump_span sight = {.y = y, .left = UINT32_MAX};
        work -= CRN_JUMP_BESIDE + CRN_JUMP_OUTSIDE * (span.right - span.left);
        if (first)
            repair_spread_out(space, row, next, direction, &span, &sight);
        else
            repair_spread_over(row, next, direction, &span, &sight);
        if (!repair_empty(&sight)) crn_jump_row_passed(table, space, sight);
        span.y = y;
    }
    *cells = work;
    job->span = span;
    job->left = repair_empty(&span) ? 0 : left;
    job->outside = job->left > 0;
}

/* Runs along all columns, to the south or to the north. */
static void repair_spread_over_columns(crn_jump_table *table, const crn_grid_space *space,
                                       uint64_t *cells)
{
    crn_jump_job *job = &table->job;
    const bool south = job->stage == CRN_JUMP_SOUTH;
    while (*cells >= CRN_JUMP_MOST && (job->outside || job->x <= job->walk.rect.right)) {
        if (!job->outside) repair_enter_columns(table);
        if (south)
            repair_spread_columns(table, space, CRN_S, cells);
        else
            repair_spread_columns(table, space, CRN_N, cells);
    }
    if (job->outside || job->x <= job->walk.rect.right) return;
    if (south)
        repair_enter(job, CRN_JUMP_NORTH);
    else
        repair_close(job);
}

/* ---- all of it ---- */

/* The rectangles hold more cells than the map: all of it is made at once. */
static bool repair_is_too_much(const crn_jump_table *table)
{
    return table->job.area > (uint64_t)table->width * table->height;
}

/* Begins with the next rectangle; false: there is none. */
static bool repair_turn(crn_jump_table *table)
{
    crn_jump_job *job = &table->job;
    if (repair_is_too_much(table)) repair_fill(table);
    if (job->stage != CRN_JUMP_IDLE) return true;
    if (job->first == job->kept) return false;
    job->walk.rect = *crn_jump_rect_at(&job->rects, job->first);
    repair_enter(job, CRN_JUMP_BACK);
    return true;
}

/* Does the next piece. */
static cairn_status repair_piece(crn_jump_table *table, const crn_grid_space *space,
                                 uint64_t *cells)
{
    cairn_status status = crn_jump_gather(table, space, cells);
    if (status != CAIRN_OK) return status;
    if (!repair_turn(table)) return CAIRN_OK;
    switch (table->job.stage) {
    case CRN_JUMP_BACK: return repair_back(table, space, cells);
    case CRN_JUMP_FORTH: return repair_forth(table, space, cells);
    case CRN_JUMP_TILES: *cells -= CRN_JUMP_TILE; return repair_tile(table, space);
    case CRN_JUMP_EAST:
    case CRN_JUMP_WEST: repair_spread_rows(table, space, cells); break;
    case CRN_JUMP_SOUTH:
    case CRN_JUMP_NORTH: repair_spread_over_columns(table, space, cells); break;
    default: *cells -= CRN_JUMP_PIECE; repair_clear(table);
    }
    return CAIRN_RUNNING;
}

/* Keeps memory for a few rectangles. */
static void repair_end(crn_jump_job *job, cairn_context *context)
{
    if (job->rects.block_count > 1) crn_jump_rects_close(&job->rects, context);
    job->rects.count = job->first = job->kept = job->next = job->fresh = 0;
    job->progress = NULL;
    job->busy = false;
}

/* The most that the next piece takes, in cells. */
static uint32_t repair_price(const crn_jump_job *job)
{
    return job->stage == CRN_JUMP_TILES ? CRN_JUMP_TILE : CRN_JUMP_MOST;
}

cairn_status crn_jump_table_step(crn_jump_table *table, const crn_grid_space *space,
                                 uint64_t *cells, cairn_error *error)
{
    cairn_status status = CAIRN_RUNNING;
    while (status == CAIRN_RUNNING && *cells >= repair_price(&table->job))
        status = repair_piece(table, space, cells);
    if (status == CAIRN_OK) repair_end(&table->job, space->base.context);
    if (status == CAIRN_CANCELLED) return crn_fail(error, status, 0, "the build was cancelled");
    return status == CAIRN_OUT_OF_MEMORY ? crn_jump_table_no_memory(error) : status;
}

void crn_jump_table_repair_begin(crn_jump_table *table, const crn_grid_space *space, uint64_t since)
{
    crn_jump_job *job = &table->job;
    const bool rest = job->busy && !job->gathered;
    const uint32_t next = job->edits.next;
    if (!job->busy) {
        table->changed = false;
        job->copied = 0;
    }
    job->busy = true;
    job->compared = false;
    job->link = 0;
    job->before = job->linked_count = 0;
    if (job->whole && job->stage == CRN_JUMP_CLEAR) return; /* whatever was edited */
    if (rest) since = job->edits.version - 1;
    job->gathered = false;
    if (crn_edits_begin(&job->edits, space->grid, since) == CAIRN_STALE) {
        table->changed = true;
        repair_fill(table);
    } else if (rest) {
        job->edits.next = next;
    }
}

/* All at once. */
static cairn_status repair_run(crn_jump_table *table, const crn_grid_space *space,
                               const cairn_progress *progress, cairn_error *error)
{
    uint64_t cells = UINT64_MAX;
    table->job.progress = progress;
    return crn_jump_table_step(table, space, &cells, error);
}

cairn_status crn_jump_table_repair(crn_jump_table *table, const crn_grid_space *space,
                                   uint64_t since, const cairn_progress *progress,
                                   cairn_error *error)
{
    crn_jump_table_repair_begin(table, space, since);
    return repair_run(table, space, progress, error);
}

cairn_status crn_jump_table_build_begin(crn_jump_table *table, const crn_grid_space *space,
                                        cairn_error *error)
{
    if (!crn_jump_table_open(table, space)) return crn_jump_table_no_memory(error);
    repair_fill(table);
    table->owned = crn_alloc(space->base.context, table->job.copied);
    table->cells = table->owned;
    table->job.busy = true;
    if (table->owned) return CAIRN_RUNNING;
    crn_jump_table_drop(table, space->base.context);
    return crn_jump_table_no_memory(error);
}

cairn_status crn_jump_table_build(crn_jump_table *table, const crn_grid_space *space,
                                  const cairn_progress *progress, cairn_error *error)
{
    cairn_status status = crn_jump_table_build_begin(table, space, error);
    if (status == CAIRN_RUNNING) status = repair_run(table, space, progress, error);
    if (status != CAIRN_OK) crn_jump_table_drop(table, space->base.context);
    return status;
}
