/* table_gather.c: which parts of the table of jumps must be computed again after commits.
 *
 * The table says whether a cell could be stood on before, and the bitmap whether it can be now. So
 * of the cells that commits touched, those that differ are the ones that changed, whatever happened
 * in between. They are gathered in rectangles, one cell wider on each side: nothing outside has
 * become, or ceased to be, a jump point.
 *
 * The table also knows which cells links left. Those that links leave now, or leave no longer, are
 * rectangles of their own: nothing beside them has become another jump point.
 *
 * All of this is done before anything is computed. So what is computed always follows from what the
 * table knows, and a commit in the middle of a build or repair is seen by the same comparison. Only
 * of cells that a build has not come to the table knows nothing: an edit there counts as a change.
 */
#include "jump/table_parts.h"
#include "search/algorithm.h"

enum {
    GATHER_BLOCK = 256,  /* rectangles */
    GATHER_STEPS = 128,  /* edits or links in a piece */
    GATHER_COPY = 65536, /* bytes in a piece */
    GATHER_CELLS = 512   /* what a piece takes, in cells to be computed */
};

/* ---- walks ---- */

crn_jump_walk crn_jump_walk_of(const crn_jump_rect *rect, bool back)
{
    return (crn_jump_walk){.rect = *rect,
                           .x = back ? rect->right : rect->left,
                           .y = back ? rect->bottom : rect->top,
                           .back = back};
}

bool crn_jump_walk_next(crn_jump_walk *walk, crn_jump_span *span)
{
    const crn_jump_rect *rect = &walk->rect;
    if (walk->over) return false;
    *span = (crn_jump_span){walk->y, walk->x, walk->x};
    if (walk->back) {
        span->left -= crn_min_u32(CRN_JUMP_PIECE - 1, walk->x - rect->left);
        if (span->left != rect->left) {
            walk->x = span->left - 1;
            return true;
        }
        walk->x = rect->right;
        walk->over = walk->y-- == rect->top;
    } else {
        span->right += crn_min_u32(CRN_JUMP_PIECE - 1, rect->right - walk->x);
        if (span->right != rect->right) {
            walk->x = span->right + 1;
            return true;
        }
        walk->x = rect->left;
        walk->over = walk->y++ == rect->bottom;
    }
    return true;
}

/* ---- rectangles ---- */

crn_jump_rect *crn_jump_rect_at(const crn_jump_rects *rects, size_t i)
{
    return &rects->blocks[i / GATHER_BLOCK][i % GATHER_BLOCK];
}

static bool gather_push(crn_jump_rects *rects, cairn_context *context, const crn_jump_rect *rect)
{
    if (rects->count == rects->block_count * GATHER_BLOCK) {
        void *blocks = rects->blocks;
        if (!crn_grow(context, &blocks, &rects->capacity, rects->block_count + 1,
                      sizeof *rects->blocks))
            return false;
        rects->blocks = blocks;
        crn_jump_rect *block = crn_alloc(context, GATHER_BLOCK * sizeof *block);
        if (!block) return false;
        rects->blocks[rects->block_count++] = block;
    }
    *crn_jump_rect_at(rects, rects->count++) = *rect;
    return true;
}

void crn_jump_rects_close(crn_jump_rects *rects, cairn_context *context)
{
    for (size_t i = 0; i < rects->block_count; i++)
        crn_free(context, rects->blocks[i], GATHER_BLOCK * sizeof **rects->blocks);
    crn_free(context, rects->blocks, rects->capacity * sizeof *rects->blocks);
    *rects = (crn_jump_rects){0};
}

size_t crn_jump_rects_bytes(const crn_jump_rects *rects)
{
    return rects->block_count * GATHER_BLOCK * sizeof **rects->blocks +
           rects->capacity * sizeof *rects->blocks;
}

/* Puts a piece of a row into a rectangle that ends beside or above it, if that does not make it
 * much too large. */
static bool gather_join(crn_jump_job *job, const crn_jump_rect *piece)
{
    enum { LOOK_BACK = 8 };
    for (size_t i = 0; i < LOOK_BACK && i < job->rects.count - job->fresh; i++) {
        crn_jump_rect *rect = crn_jump_rect_at(&job->rects, job->rects.count - 1 - i);
        crn_jump_rect both = {.left = rect->left < piece->left ? rect->left : piece->left,
                              .top = rect->top,
                              .right = rect->right > piece->right ? rect->right : piece->right,
                              .bottom = piece->bottom,
                              .count = rect->count + piece->count};
        if (rect->link || rect->bottom > piece->top || rect->bottom + 2 < piece->top) continue;
        if (crn_jump_rect_area(&both) > 2 * (uint64_t)both.count + 16) continue;
        *rect = both;
        return true;
    }
    return false;
}

/* ---- links ---- */

/* Has nothing of the table been computed yet? Then all of it will be. */
static bool gather_is_early(const crn_jump_job *job)
{
    return job->whole && job->stage == CRN_JUMP_CLEAR;
}

static void gather_swap_links(crn_jump_table *table)
{
    crn_jump_job *job = &table->job;
    cairn_node *linked = table->linked;
    size_t capacity = table->linked_capacity;
    table->linked = job->linked;
    table->linked_count = job->linked_count;
    table->linked_capacity = job->linked_capacity;
    job->linked = linked;
    job->linked_capacity = capacity;
    job->compared = true;
}

/* Compares the next cells that links leave, or left: those in one of two ascending lists only are
 * rectangles. */
static cairn_status gather_links(crn_jump_table *table, const crn_grid_space *space)
{
    crn_jump_job *job = &table->job;
    const crn_links *links = &space->links;
    void *linked = job->linked;
    if (!crn_grow(space->base.context, &linked, &job->linked_capacity, links->count,
                  sizeof *job->linked))
        return CAIRN_OUT_OF_MEMORY;
    job->linked = linked;
    for (uint32_t i = 0; i < GATHER_STEPS; i++) {
        cairn_node a = job->link < links->count ? links->links[job->link].from : CAIRN_NO_NODE,
                   b = job->before < table->linked_count ? table->linked[job->before]
                                                         : CAIRN_NO_NODE,
                   node = a < b ? a : b;
        if (node == CAIRN_NO_NODE) {
            gather_swap_links(table);
            return CAIRN_RUNNING;
        }
        job->link += a == node;
        bool again = job->linked_count && job->linked[job->linked_count - 1] == a;
        if (a == node && again) continue;
        if (a == node) job->linked[job->linked_count++] = a;
        job->before += b == node;
        uint16_t x = (uint16_t)(node % table->width), y = (uint16_t)(node / table->width);
        if (a != b && !gather_is_early(job) &&
            !gather_push(&job->rects, space->base.context, &(crn_jump_rect){x, y, x, y, 1, true}))
            return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_RUNNING;
}

/* ---- edits ---- */

/* Ends the piece of a row that was gathered last; false = no memory. */
static bool gather_end_piece(crn_jump_job *job, cairn_context *context)
{
    crn_jump_rect piece = job->edited;
    job->edited.count = 0;
    return !piece.count || gather_join(job, &piece) || gather_push(&job->rects, context, &piece);
}

/* The next cells that may have been opened or closed. */
static cairn_status gather_edits(crn_jump_table *table, const crn_grid_space *space)
{
    crn_jump_job *job = &table->job;
    for (uint32_t i = 0; i < GATHER_STEPS; i++) {
        const cairn_change *change = crn_edits_next(&job->edits);
        if (!change) {
            job->gathered = true;
            bool ok = gather_end_piece(job, space->base.context);
            job->fresh = job->rects.count;
            return ok ? CAIRN_RUNNING : CAIRN_OUT_OF_MEMORY;
        }
        if (change->before.open == change->after.open &&
            change->before.terrain == change->after.terrain)
            continue;
        uint16_t x = (uint16_t)(change->node % table->width),
                 y = (uint16_t)(change->node / table->width);
        crn_jump_rect *piece = &job->edited;
        if (piece->count && y == piece->top && x == piece->right + 1) {
            piece->right = x;
            piece->count++;
            continue;
        }
        if (!gather_end_piece(job, space->base.context)) return CAIRN_OUT_OF_MEMORY;
        *piece = (crn_jump_rect){x, y, x, y, 1, false};
    }
    return CAIRN_RUNNING;
}

/* ---- which of them changed ---- */

/* Copies the next bytes of a table that is borrowed. */
static cairn_status gather_copy(crn_jump_table *table, const crn_grid_space *space)
{
    crn_jump_job *job = &table->job;
    size_t size = crn_mul_size(space->base.node_count, sizeof *table->owned),
           part = size - job->copied < GATHER_COPY ? size - job->copied : GATHER_COPY;
    if (!table->owned) table->owned = crn_alloc(space->base.context, size);
    if (!table->owned) return CAIRN_OUT_OF_MEMORY;
    memcpy((uint8_t *)table->owned + job->copied, (const uint8_t *)table->cells + job->copied,
           part);
    job->copied += part;
    if (job->copied == size) table->cells = table->owned;
    return CAIRN_RUNNING;
}

/* How many cells of a row, from the left, does the table know nothing of? */
static uint32_t gather_unknown(const crn_jump_job *job, uint32_t y)
{
    if (!job->whole || job->stage != CRN_JUMP_BACK || y > job->walk.y) return 0;
    return y < job->walk.y ? UINT32_MAX : job->walk.x + 1;
}

/* Notes in the table which cells of a span can be stood on now, and what changed with them. */
static void gather_compare_span(crn_jump_table *table, const crn_grid_space *space,
                                const crn_jump_span *span)
{
    crn_jump_rect *found = &table->job.found;
    uint32_t *row = table->owned + (size_t)span->y * table->width;
    uint32_t unknown = gather_unknown(&table->job, span->y);
    for (uint32_t x = span->left; x <= span->right; x++) {
        bool now = crn_bit(&space->usable, (int32_t)x, (int32_t)span->y);
        if (x >= unknown && now == (row[x] != CRN_JUMP_BLOCKED)) continue;
        row[x] = now ? 0 : CRN_JUMP_BLOCKED;
        if (!found->count++) found->top = (uint16_t)span->y;
        if (x < found->left) found->left = (uint16_t)x;
        if (x > found->right) found->right = (uint16_t)x;
        found->bottom = (uint16_t)span->y;
    }
}

/* Keeps the rectangle around what changed, one cell wider, if anything did. */
static void gather_keep(crn_jump_table *table)
{
    crn_jump_job *job = &table->job;
    crn_jump_rect *found = &job->found;
    job->next++;
    job->comparing = false;
    if (!found->count) return;
    if (!found->link) {
        found->left = (uint16_t)(found->left - (found->left > 0));
        found->top = (uint16_t)(found->top - (found->top > 0));
        found->right = (uint16_t)(found->right + (found->right + 1u < table->width));
        found->bottom = (uint16_t)(found->bottom + (found->bottom + 1u < table->height));
    }
    job->area += crn_jump_rect_area(found);
    *crn_jump_rect_at(&job->rects, job->kept++) = *found;
    table->changed = true;
}

/* Compares the next piece of a rectangle with the bitmap. Where agents have a size, what they need
 * reaches beyond it. */
static void gather_compare(crn_jump_table *table, const crn_grid_space *space, uint64_t *cells)
{
    crn_jump_job *job = &table->job;
    crn_jump_span span;
    if (!job->comparing) {
        *cells -= CRN_JUMP_BESIDE;
        crn_jump_rect rect = *crn_jump_rect_at(&job->rects, job->next);
        crn_size_box first =
            crn_size_reach(&space->size, table->width, table->height, rect.left, rect.top);
        crn_size_box last =
            crn_size_reach(&space->size, table->width, table->height, rect.right, rect.bottom);
        job->comparing = true;
        job->found = (crn_jump_rect){.left = UINT16_MAX};
        if (rect.link) job->found = rect;
        rect = (crn_jump_rect){(uint16_t)first.left,
                               (uint16_t)first.top,
                               (uint16_t)last.right,
                               (uint16_t)last.bottom,
                               0,
                               false};
        job->compare = crn_jump_walk_of(&rect, false);
        job->compare.over = job->found.link;
    }
    while (*cells >= CRN_JUMP_MOST && crn_jump_walk_next(&job->compare, &span)) {
        gather_compare_span(table, space, &span);
        *cells -= span.right - span.left + 1;
    }
    if (job->compare.over) gather_keep(table);
}

cairn_status crn_jump_gather(crn_jump_table *table, const crn_grid_space *space, uint64_t *cells)
{
    crn_jump_job *job = &table->job;
    if (job->compared && table->cells == table->owned && job->gathered) {
        if (job->next == job->rects.count) return CAIRN_OK;
        gather_compare(table, space, cells);
        return CAIRN_RUNNING;
    }
    *cells -= GATHER_CELLS;
    if (!job->compared) return gather_links(table, space);
    return table->cells != table->owned ? gather_copy(table, space) : gather_edits(table, space);
}
