/* hcdps_repair.c: the index of `hcdps` after an edit: regions.
 *
 * A climb depends on the steps that are legal in the cells that it passes, and on nothing else. So
 * the regions that have a cell beside an edited one are freed: their cells belong to nobody. Small
 * regions beside them are freed too, and those beside these, so that they do not become more and
 * more. Then the cells are given away again, as in a build: to the seeds of squares that are free;
 * to seeds of squares beside them that were left as they are; and what is left to seeds among them.
 * So regions are nearly those of a build: which cells one has depends on the map near it alone.
 *
 * The regions of cells are decoded only near the edit: in some rows, and in more of them if what
 * is freed lies farther away. All arrays are written again; what did not change is copied. So a
 * repair costs what the index has of bytes, and the searches near the edit.
 */
#include "realtime/hcdps/hcdps_repair.h"

#include "world/changes.h"

enum {
    MEND_SMALL = 3, /* one that has fewer cells than a third of a square */
    MEND_RINGS = 2, /* of small ones round those that are touched */
    MEND_MOST = 64  /* regions that are freed, and a quarter of all; else it is a build */
};

/* ---- where something changed ---- */

static void mend_widen(crn_size_box *box, uint32_t x, uint32_t y)
{
    box->left = crn_min_u32(box->left, x);
    box->top = crn_min_u32(box->top, y);
    box->right = crn_max_u32(box->right, x);
    box->bottom = crn_max_u32(box->bottom, y);
}

static bool mend_in_box(const crn_size_box *box, uint32_t x, uint32_t y)
{
    return x >= box->left && x <= box->right && y >= box->top && y <= box->bottom;
}

/* Cells that could be stood on before or after: all that changed, usable ones beside them. */
static bool mend_touch(crn_hcdps_mend *r, cairn_node edited)
{
    const crn_grid_space *map = r->job.map;
    crn_size_box changed = crn_edits_box(map, edited, 0), near = crn_edits_box(map, edited, 1);
    bool ok = true;
    for (uint32_t y = near.top; y <= near.bottom; y++) {
        for (uint32_t x = near.left; x <= near.right && ok; x++) {
            if (!mend_in_box(&changed, x, y) && !crn_bit(&map->usable, (int32_t)x, (int32_t)y))
                continue;
            mend_widen(&r->touched_box, x, y);
            mend_widen(&r->changed_box, x, y);
            ok = crn_hcdps_put(&r->touched, r->job.context, y * map->grid->width + x);
        }
    }
    return ok;
}

static bool mend_open(crn_hcdps_mend *r, cairn_node edited)
{
    void *opened = r->opened;
    bool ok = crn_grow(r->job.context, &opened, &r->opened_capacity, r->opened_count + 1,
                       sizeof *r->opened);
    r->opened = opened;
    if (!ok) return false;
    crn_size_box box = crn_edits_box(r->job.map, edited, 1);
    r->opened[r->opened_count++] = box;
    mend_widen(&r->changed_box, box.left, box.top);
    mend_widen(&r->changed_box, box.right, box.bottom);
    return true;
}

static bool mend_before(const void *a, const void *b)
{
    return *(const uint32_t *)a < *(const uint32_t *)b;
}

static cairn_status mend_find_touched(crn_hcdps_mend *r, uint64_t since)
{
    const crn_grid_space *map = r->job.map;
    crn_edits edits;
    cairn_status status = crn_edits_begin(&edits, map->grid, since);
    if (status != CAIRN_OK) return status;
    bool ok = true;
    for (const cairn_change *change; ok && (change = crn_edits_next(&edits));) {
        bool closed = change->before.open && !change->after.open;
        ok = mend_touch(r, change->node) && (closed || mend_open(r, change->node));
        if (r->touched.count > map->base.node_count / 16) return CAIRN_STALE;
    }
    crn_link_edits link_edits = {.grid = map->grid, .version = since + 1};
    for (const cairn_link *link; ok && edits.links && (link = crn_link_edits_next(&link_edits));)
        ok = mend_touch(r, link->from) && mend_touch(r, link->to);
    if (!ok) return CAIRN_OUT_OF_MEMORY;
    crn_sort(r->touched.owned, r->touched.count, sizeof *r->touched.owned, mend_before);
    size_t kept = 0;
    for (size_t i = 0; i < r->touched.count; i++) {
        if (!kept || r->touched.items[i] != r->touched.items[kept - 1])
            r->touched.owned[kept++] = r->touched.items[i];
    }
    r->touched.count = kept;
    return CAIRN_OK;
}

static bool mend_is_touched(const crn_hcdps_mend *r, cairn_node node)
{
    size_t at = crn_lower_bound(r->touched.items, r->touched.count, node);
    return at < r->touched.count && r->touched.items[at] == node;
}

/* ---- the cells near it ---- */

/* So many rows above and below the edit, in whole blocks. */
static void mend_choose_rows(crn_hcdps_mend *r, uint32_t reach)
{
    const cairn_grid *grid = r->job.map->grid;
    uint32_t every = r->old->every, nodes = r->job.map->base.node_count,
             top = r->touched_box.top - crn_min_u32(r->touched_box.top, reach),
             bottom = grid->height - 1 - r->touched_box.bottom > reach
                          ? r->touched_box.bottom + reach
                          : grid->height - 1;
    uint64_t first = (uint64_t)top * grid->width / every * every,
             end = (uint64_t)(bottom + 1) * grid->width;
    end = (end + every - 1) / every * every;
    r->job.first = (cairn_node)first;
    r->job.end = end < nodes ? (cairn_node)end : nodes;
}

static void mend_decode(crn_hcdps_mend *r)
{
    crn_hcdps_job *job = &r->job;
    for (cairn_node node = job->first; node < job->end;) {
        crn_hcdps_reader reader =
            crn_hcdps_stream(r->old, CRN_HCDPS_RUNS, CRN_HCDPS_ENTRIES, node / r->old->every);
        cairn_node end = job->end - node > r->old->every ? node + r->old->every : job->end;
        for (uint32_t region = 0; node < end;) {
            region += crn_hcdps_signed(crn_hcdps_read(&reader));
            uint32_t length = crn_hcdps_read(&reader);
            if (!length || length > end - node) length = end - node;
            r->cells[region] += length;
            for (cairn_node stop = node + length; node < stop; node++)
                job->region[node - job->first] = region << 1;
        }
    }
    memset(job->steps, 0xff, (job->end - job->first) * sizeof *job->steps);
}

/* ---- freeing ---- */

static bool mend_free_region(crn_hcdps_mend *r, uint32_t region)
{
    if (r->freed[region]) return true;
    r->freed[region] = 1;
    return crn_hcdps_put(&r->area.freed, r->job.context, region);
}

/* Is a cell inside, and are the two rows above and below it known? */
static bool mend_is_near(const crn_hcdps_mend *r, int32_t x, int32_t y)
{
    const cairn_grid *grid = r->job.map->grid;
    uint64_t row = (uint64_t)y * grid->width, two = 2 * (uint64_t)grid->width;
    return cairn_grid_inside(grid, x, y) && (!r->job.first || row >= r->job.first + two) &&
           (r->job.end == r->job.map->base.node_count ||
            row + 3 * (uint64_t)grid->width <= r->job.end);
}

/* Was a cell of the region that its run names? Then it is the representative, or another one beside
 * it is of the same. */
static bool mend_is_member(const crn_hcdps_mend *r, cairn_node node)
{
    cairn_cell cell = cairn_grid_cell(r->job.map->grid, node);
    uint32_t region = crn_hcdps_job_region(&r->job, node);
    if (crn_hcdps_home(r->old, region) == node) return true;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        int32_t x = cell.x + crn_dx[d], y = cell.y + crn_dy[d];
        if (!mend_is_near(r, x, y)) continue;
        cairn_node beside = (uint32_t)y * r->job.map->grid->width + (uint32_t)x;
        if (crn_hcdps_job_region(&r->job, beside) == region) return true;
    }
    return false;
}

static bool mend_is_small(const crn_hcdps_mend *r, uint32_t region)
{
    return r->cells[region] < r->old->spacing * r->old->spacing / MEND_SMALL;
}

static bool mend_free_cell(crn_hcdps_mend *r, cairn_node node)
{
    uint32_t width = r->job.map->grid->width;
    r->job.region[node - r->job.first] = CRN_HCDPS_NONE << 1;
    mend_widen(&r->area.box, node % width, node / width);
    return true;
}

/* Frees the cells of a region that are beside one; *small: notes small regions too. */
static bool mend_flood_beside(crn_hcdps_mend *r, cairn_node node, uint32_t region, bool small,
                              crn_hcdps_array *stack)
{
    const crn_grid_space *map = r->job.map;
    cairn_cell cell = cairn_grid_cell(map->grid, node);
    bool ok = true;
    for (uint32_t d = 0; d < CRN_DIRECTIONS && ok; d++) {
        int32_t x = cell.x + crn_dx[d], y = cell.y + crn_dy[d];
        if (!cairn_grid_inside(map->grid, x, y)) continue;
        cairn_node beside = (uint32_t)y * map->grid->width + (uint32_t)x;
        uint32_t other = crn_hcdps_job_region(&r->job, beside);
        r->narrow |= other == region && !mend_is_near(r, x, y);
        if (r->narrow) return true;
        bool usable = crn_bit(&map->usable, x, y);
        if (other == CRN_HCDPS_NONE || (!usable && !mend_is_touched(r, beside))) continue;
        if (other == region) {
            ok = mend_free_cell(r, beside) && crn_hcdps_put(stack, r->job.context, beside);
        } else if (small && usable && mend_is_small(r, other)) {
            ok = mend_free_region(r, other);
        }
    }
    return ok;
}

static bool mend_flood(crn_hcdps_mend *r, uint32_t region, bool small, crn_hcdps_array *stack)
{
    cairn_node home = crn_hcdps_home(r->old, region);
    cairn_cell cell = cairn_grid_cell(r->job.map->grid, home);
    r->narrow |= !mend_is_near(r, cell.x, cell.y);
    if (r->narrow) return true;
    bool ok = mend_free_cell(r, home) && crn_hcdps_put(stack, r->job.context, home);
    while (stack->count && ok)
        ok = mend_flood_beside(r, stack->items[--stack->count], region, small, stack);
    return ok;
}

static bool mend_free(crn_hcdps_mend *r)
{
    crn_hcdps_array stack = {0};
    bool ok = true;
    for (size_t i = 0; i < r->touched.count && ok; i++) {
        cairn_node node = r->touched.items[i];
        if (mend_is_member(r, node)) ok = mend_free_region(r, crn_hcdps_job_region(&r->job, node));
    }
    size_t ring = r->area.freed.count;
    uint32_t rings = MEND_RINGS;
    for (size_t i = 0; i < r->area.freed.count && ok && !r->narrow; i++) {
        if (i == ring && rings) rings--, ring = r->area.freed.count;
        ok = mend_flood(r, r->area.freed.items[i], rings > 0, &stack);
    }
    for (size_t i = 0; i < r->touched.count && ok; i++) ok = mend_free_cell(r, r->touched.items[i]);
    crn_hcdps_free_array(&stack, r->job.context);
    return ok;
}

/* ---- runs ---- */

/* A block in which no cell changed, with other numbers. */
static bool mend_renumber_block(crn_hcdps_mend *r, uint32_t block)
{
    crn_hcdps_reader reader = crn_hcdps_stream(r->old, CRN_HCDPS_RUNS, CRN_HCDPS_ENTRIES, block);
    crn_hcdps_writer writer = {.out = &r->job.index->arrays[CRN_HCDPS_RUNS],
                               .context = r->job.context};
    uint32_t region = 0, before = 0;
    for (uint32_t length = 1; length;) {
        region += crn_hcdps_signed(crn_hcdps_read(&reader));
        length = crn_hcdps_read(&reader);
        crn_hcdps_write(&writer, crn_hcdps_unsigned(r->order.items[region] - before));
        crn_hcdps_write(&writer, length);
        before = r->order.items[region];
    }
    return crn_hcdps_write_end(&writer);
}

static bool mend_write_block(crn_hcdps_mend *r, uint32_t block)
{
    crn_hcdps_job *job = &r->job;
    uint32_t width = job->map->grid->width;
    uint64_t first = (uint64_t)block * r->old->every, end = first + r->old->every;
    if (end > job->map->base.node_count) end = job->map->base.node_count;
    if (first / width <= r->area.box.bottom && (end - 1) / width >= r->area.box.top)
        return crn_hcdps_write_block(job, (cairn_node)first, (cairn_node)end);
    if (r->numbered) return mend_renumber_block(r, block);
    const uint32_t *at = crn_hcdps_items(r->old, CRN_HCDPS_ENTRIES) + block;
    return crn_hcdps_put_all(&job->index->arrays[CRN_HCDPS_RUNS], job->context,
                             crn_hcdps_items(r->old, CRN_HCDPS_RUNS) + at[0], at[1] - at[0]);
}

static cairn_status mend_write_runs(crn_hcdps_mend *r)
{
    crn_hcdps *index = r->job.index;
    uint32_t blocks = (uint32_t)r->old->arrays[CRN_HCDPS_ENTRIES].count - 1;
    bool ok = crn_hcdps_put(&index->arrays[CRN_HCDPS_ENTRIES], r->job.context, 0);
    r->job.order = r->order.items;
    for (uint32_t i = 0; i < blocks && ok; i++) {
        ok = mend_write_block(r, i) &&
             crn_hcdps_put(&index->arrays[CRN_HCDPS_ENTRIES], r->job.context,
                           (uint32_t)index->arrays[CRN_HCDPS_RUNS].count);
    }
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* ---- all of it ---- */

static void mend_forget_cells(crn_hcdps_mend *r)
{
    size_t cells = r->job.end - r->job.first;
    crn_free(r->job.context, r->job.region, cells * sizeof *r->job.region);
    crn_free(r->job.context, r->job.steps, cells * sizeof *r->job.steps);
    r->job.region = NULL;
    r->job.steps = NULL;
}

/* Frees regions in so many rows. */
static bool mend_try(crn_hcdps_mend *r, uint32_t reach)
{
    crn_hcdps_job *job = &r->job;
    mend_forget_cells(r);
    mend_choose_rows(r, reach);
    job->region = crn_alloc(job->context, (job->end - job->first) * sizeof *job->region);
    job->steps = crn_alloc(job->context, (job->end - job->first) * sizeof *job->steps);
    if (!job->region || !job->steps) return false;
    memset(r->cells, 0, r->regions * sizeof *r->cells);
    memset(r->freed, 0, r->regions);
    r->area.box = (crn_size_box){UINT32_MAX, UINT32_MAX, 0, 0};
    r->area.freed.count = 0;
    r->narrow = false;
    mend_decode(r);
    return mend_free(r);
}

static cairn_status mend_regions(crn_hcdps_mend *r)
{
    crn_hcdps_job *job = &r->job;
    const crn_hcdps_array *homes = &r->old->arrays[CRN_HCDPS_HOMES];
    r->cells = crn_alloc(job->context, r->regions * sizeof *r->cells);
    r->freed = crn_alloc(job->context, r->regions);
    bool ok = r->cells && r->freed &&
              crn_hcdps_put_all(&job->index->arrays[CRN_HCDPS_HOMES], job->context, homes->items,
                                homes->count);
    uint32_t reach = 2 * r->old->spacing + 4;
    ok = ok && mend_try(r, reach);
    while (r->narrow && ok) ok = mend_try(r, reach *= 2);
    if (!ok) return CAIRN_OUT_OF_MEMORY;
    if (r->area.freed.count > MEND_MOST + r->regions / 4) return CAIRN_STALE;
    job->area = &r->area;
    cairn_status status = crn_hcdps_grow_again(job);
    if (status == CAIRN_OK) status = crn_hcdps_reopen_doors(r);
    if (status == CAIRN_OK) status = crn_hcdps_renumber(r);
    return status == CAIRN_OK ? mend_write_runs(r) : status;
}

static cairn_status mend_stages(crn_hcdps_mend *r)
{
    static cairn_status (*const stages[])(crn_hcdps_mend *) = {mend_regions, crn_hcdps_relink,
                                                               crn_hcdps_reroute};
    cairn_status status = CAIRN_OK;
    for (; r->job.stage < 3 && status == CAIRN_OK; r->job.stage++) {
        status = crn_hcdps_report(&r->job, 0, 1);
        if (status == CAIRN_OK) status = stages[r->job.stage](r);
    }
    return status == CAIRN_OK ? crn_hcdps_report(&r->job, 0, 1) : status;
}

static void mend_close(crn_hcdps_mend *r)
{
    cairn_context *context = r->job.context;
    mend_forget_cells(r);
    crn_free(context, r->cells, r->regions * sizeof *r->cells);
    crn_free(context, r->freed, r->regions);
    crn_free(context, r->opened, r->opened_capacity * sizeof *r->opened);
    crn_free(context, r->links, CRN_HCDPS_SLOTS * sizeof *r->links);
    crn_free(context, r->kept.stays, crn_hcdps_regions(r->job.index) + 1);
    crn_hcdps_free_array(&r->touched, context);
    crn_hcdps_free_array(&r->area.freed, context);
    crn_hcdps_free_array(&r->order, context);
    crn_hcdps_free_array(&r->up, context);
    crn_hcdps_free_array(&r->part, context);
    crn_free(context, r->segments, r->segment_capacity * sizeof *r->segments);
    crn_hcdps_free_array(&r->was, context);
    crn_hcdps_free_array(&r->link_first, context);
    crn_hcdps_free_array(&r->link_near, context);
    crn_hcdps_free_array(&r->link_to, context);
    crn_hcdps_close_job(&r->job);
}

/* Do links cost what their records do? */
static bool mend_costs_stay(const crn_hcdps_mend *r)
{
    const crn_grid_space *map = r->job.map;
    return r->job.exact && map->cheapest.straight == map->base.scale.straight &&
           map->cheapest.diagonal == map->base.scale.diagonal;
}

/* Leaves them to the next repair, without what is too much. */
static cairn_status mend_leave_costs(crn_hcdps_mend *r)
{
    crn_hcdps *index = r->job.index;
    size_t size = r->job.cost_count * sizeof *index->costs;
    if (!size || !mend_costs_stay(r)) return CAIRN_OK;
    index->costs = crn_alloc(r->job.context, size);
    if (!index->costs) return CAIRN_OUT_OF_MEMORY;
    memcpy(index->costs, r->job.costs, size);
    index->cost_capacity = r->job.cost_count;
    return CAIRN_OK;
}

cairn_status crn_hcdps_repair(crn_hcdps *index, const crn_grid_space *map, uint64_t since,
                              const cairn_progress *progress, cairn_error *error)
{
    cairn_context *context = map->base.context;
    crn_hcdps made = *index;
    bool exact = crn_hcdps_has_records(index, &map->base);
    if (index->pairs || exact != index->exact || !crn_hcdps_regions(index)) return CAIRN_STALE;
    memset(made.arrays, 0, sizeof made.arrays);
    made.costs = NULL;
    made.cost_capacity = 0;
    crn_hcdps_mend r = {.old = index, .regions = crn_hcdps_regions(index)};
    r.touched_box = r.changed_box = (crn_size_box){UINT32_MAX, UINT32_MAX, 0, 0};
    r.job = (crn_hcdps_job){.index = &made,
                            .space = &map->base,
                            .map = map,
                            .context = context,
                            .progress = progress,
                            .exact = exact,
                            .before = index};
    r.links = crn_alloc(context, CRN_HCDPS_SLOTS * sizeof *r.links);
    cairn_status status = r.links ? mend_find_touched(&r, since) : CAIRN_OUT_OF_MEMORY;
    bool changed = status == CAIRN_OK && r.touched.count;
    if (changed) status = mend_stages(&r);
    if (status == CAIRN_OK) status = crn_hcdps_trim(&made, context);
    made.work = r.job.work;
    if (changed && status == CAIRN_OK) status = mend_leave_costs(&r);
    mend_close(&r);
    if (changed && status == CAIRN_OK) {
        crn_hcdps old = *index;
        *index = made;
        made = old;
    }
    crn_hcdps_drop(&made, context);
    if (status == CAIRN_OK) crn_hcdps_seal(index, &map->base);
    return status == CAIRN_OK || status == CAIRN_STALE ? status : crn_hcdps_failed(status, error);
}
