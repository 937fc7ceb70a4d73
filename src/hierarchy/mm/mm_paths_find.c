/* mm_paths_find.c: finds the paths between centres of `dbastar`, and repairs them. See mm_paths.h.
 *
 * What a sector keeps is written as a whole, and then becomes part of the index. In a repair a path
 * is copied from what was there if no cell has changed in the rectangle that it was found in, and
 * its ends are where they were. For that a path must not depend on anything else: of many cheapest
 * ones a search finds the one that its estimate and open list happen to prefer, and these follow
 * from the ground. So it is told what the ground in the rectangle is like, not that of the map.
 */
#include "hierarchy/mm/mm_paths_edges.h"

/* ---- finding ---- */

/* What is written of a sector, before it becomes part of the index: positions are those in it. */
static bool paths_reserve(crn_mm_job *job, size_t regions, size_t costs, size_t bytes)
{
    crn_mm_paths_draft *draft = &job->paths;
    void *r = draft->regions, *c = draft->costs, *b = draft->bytes;
    bool ok = crn_grow(job->context, &r, &draft->region_capacity, draft->region_count + regions,
                       sizeof *draft->regions) &&
              crn_grow(job->context, &c, &draft->cost_capacity, draft->cost_count + costs,
                       sizeof *draft->costs) &&
              crn_grow(job->context, &b, &draft->byte_capacity, draft->byte_count + bytes, 1);
    draft->regions = r;
    draft->costs = c;
    draft->bytes = b;
    return ok;
}

/* The cells of two sectors and of what lies between their corners. */
static crn_area paths_area(const crn_mm_job *job, const crn_mm_paths_edges *edges)
{
    crn_area a = crn_mm_area(job->mm, job->space, edges->sector),
             b = crn_mm_area(job->mm, job->space, edges->to_sector);
    crn_area area = {crn_min_u32(a.left, b.left), crn_min_u32(a.top, b.top), 0, 0};
    area.width = crn_max_u32(a.left + a.width, b.left + b.width) - area.left;
    area.height = crn_max_u32(a.top + a.height, b.top + b.height) - area.top;
    return area;
}

static cairn_status paths_show(crn_mm_job *job, const crn_mm_paths_edges *edges)
{
    crn_area area = paths_area(job, edges);
    if (!job->searching) {
        job->memory = (crn_scratch){.context = job->context};
        cairn_status status = crn_part_open(&job->part, &job->memory, job->space);
        if (status == CAIRN_OK)
            status =
                crn_subsearch_open(&job->subsearch, &job->memory, NULL, &job->part.space.base, 0);
        if (status != CAIRN_OK) crn_part_close(&job->part);
        if (status != CAIRN_OK) return status;
        job->searching = true;
    }
    if (!memcmp(&area, &job->shown, sizeof area)) return CAIRN_OK;
    crn_part_hide(&job->part, job->shown);
    crn_part_refresh(&job->part);
    crn_part_show(&job->part, area);
    crn_part_learn_surface(&job->part, area);
    job->shown = area;
    return CAIRN_OK;
}

/* Nothing is shown any more: what can be used may change before the next path is found. */
static void paths_hide(crn_mm_job *job)
{
    if (job->searching) crn_part_hide(&job->part, job->shown);
    job->shown = (crn_area){0};
}

/* The direction of the step from one cell to another. */
static uint32_t paths_direction(uint32_t width, cairn_node from, cairn_node to)
{
    int32_t dx = (int32_t)(to % width) - (int32_t)(from % width),
            dy = (int32_t)(to / width) - (int32_t)(from / width);
    uint32_t direction = 0;
    while (crn_dx[direction] != dx || crn_dy[direction] != dy) direction++;
    return direction;
}

/* Writes the runs of the path that was found, the last one first. Returns how many. */
static uint32_t paths_put_runs(const crn_mm_job *job, cairn_node from, cairn_node to, uint8_t *out)
{
    const uint32_t width = job->space->grid->width;
    uint32_t count = 0, before = CRN_DIRECTIONS;
    for (cairn_node cell = to; cell != from;) {
        cairn_node earlier = crn_subsearch_before(&job->subsearch, cell);
        uint32_t direction = paths_direction(width, earlier, cell);
        if (direction != before || out[count - 1] % CRN_MM_PATHS_RUN == CRN_MM_PATHS_RUN - 1) {
            out[count++] = (uint8_t)(direction * CRN_MM_PATHS_RUN);
            before = direction;
        } else {
            out[count - 1]++;
        }
        cell = earlier;
    }
    return count;
}

/* The runs of a path are there, behind this many bytes of room for their number. */
static void paths_add_path(crn_mm_paths_draft *draft, uint32_t room, uint32_t count)
{
    uint8_t *start = draft->bytes + draft->byte_count, *at = start;
    for (uint32_t i = 0; i < count / 2; i++) {
        uint8_t run = start[room + i];
        start[room + i] = start[room + count - 1 - i];
        start[room + count - 1 - i] = run;
    }
    *at++ = (uint8_t)crn_min_u32(count, CRN_MM_PATHS_LONG);
    if (count >= CRN_MM_PATHS_LONG) {
        *at++ = (uint8_t)count;
        *at++ = (uint8_t)(count >> 8);
    }
    memmove(at, start + room, count);
    draft->byte_count += (uint32_t)(at - start) + count;
}

/* Finds the path of an edge, and writes it. */
static cairn_status paths_find(crn_mm_job *job, const crn_mm_paths_edges *edges)
{
    enum { ROOM = 3 };
    cairn_node from = crn_mm_cell(job->mm, job->space, 0, edges->sector, edges->region),
               to = crn_mm_cell(job->mm, job->space, 0, edges->to_sector, edges->to);
    cairn_status status = paths_show(job, edges);
    if (status != CAIRN_OK) return status;
    size_t most = (size_t)job->shown.width * job->shown.height;
    if (!paths_reserve(job, 0, 0, most + ROOM)) return CAIRN_OUT_OF_MEMORY;
    status = crn_subsearch_find(&job->subsearch, from, to);
    if (status == CAIRN_OUT_OF_MEMORY) return status;
    uint8_t *runs = job->paths.bytes + job->paths.byte_count + ROOM;
    paths_add_path(&job->paths, ROOM,
                   status == CAIRN_FOUND ? paths_put_runs(job, from, to, runs) : 0);
    job->found++;
    return CAIRN_OK;
}

/* The path and the cost of an edge; the path is found and written, if it is kept here. */
static cairn_status paths_make_edge(crn_mm_job *job, const crn_mm_paths_edges *edges)
{
    uint32_t at = job->paths.byte_count;
    bool keeps = crn_mm_paths_keep(edges);
    cairn_status status = keeps ? paths_find(job, edges) : CAIRN_OK;
    if (status != CAIRN_OK || !paths_reserve(job, 0, 1, 0)) return CAIRN_OUT_OF_MEMORY;
    crn_mm_path path = {0};
    if (keeps) {
        crn_mm_paths_read(job->paths.bytes + at, &path);
    } else {
        path = crn_mm_path_of(job->mm, edges);
    }
    job->paths.costs[job->paths.cost_count++] = crn_mm_path_cost(job->mm, job->space, edges, &path);
    return CAIRN_OK;
}

/* ---- what was there before ---- */

/* A sector as it was packed before the repair. */
static crn_mm_sector paths_before(const crn_mm_job *job, uint32_t sector)
{
    const crn_mm_level *level = &job->mm->levels[0];
    const crn_mm_old *old = crn_mm_old_sector(job, 0, sector);
    if (!old) return crn_mm_sector_at(level, sector);
    return crn_mm_sector_of_bytes(level, job->history[0].bytes + old->at, old->count);
}

/* Has a cell changed in the rectangle in which the path of an edge was found? */
static bool paths_touched(const crn_mm_job *job, const crn_mm_paths_edges *edges)
{
    const uint32_t columns = job->mm->levels[0].columns;
    uint32_t a = edges->sector, b = edges->to_sector,
             corners[4] = {a, b, a / columns * columns + b % columns,
                           b / columns * columns + a % columns};
    if (job->mm->levels[0].one_way) return true; /* heights reach further */
    for (uint32_t i = 0; i < 4; i++)
        if (crn_mm_listed(&job->changed, corners[i])) return true;
    return false;
}

/* Copies path and cost of an edge between two centres, if there was one and no cell between them
 * has changed; `region` had the first centre. */
static bool paths_copy(crn_mm_job *job, const crn_mm_paths_edges *edges,
                       const crn_mm_sector *before, uint32_t region, bool *ok)
{
    const crn_mm_paths *paths = &job->mm->paths;
    crn_mm_sector now = crn_mm_sector_at(edges->level, edges->to_sector),
                  then = paths_before(job, edges->to_sector);
    uint32_t centre = crn_mm_centre(&now, edges->to);
    crn_mm_region_paths at = crn_mm_region_paths_of(paths, edges->sector)[region];
    crn_mm_paths_edges old = crn_mm_paths_edges_of(edges->level, edges->sector, before, region);
    const uint8_t *begin = crn_mm_block(&paths->bytes, at.byte), *end = begin;
    while (crn_mm_paths_next(&old)) {
        crn_mm_path path;
        begin = end;
        if (crn_mm_paths_keep(&old)) end = crn_mm_paths_read(begin, &path);
        if (old.to_sector != edges->to_sector || crn_mm_centre(&then, old.to) != centre) continue;
        size_t bytes = (size_t)(end - begin);
        *ok = paths_reserve(job, 0, 1, bytes);
        if (!*ok) return true;
        if (bytes) memcpy(job->paths.bytes + job->paths.byte_count, begin, bytes);
        job->paths.byte_count += (uint32_t)bytes;
        job->paths.costs[job->paths.cost_count++] =
            *(const cairn_cost *)crn_mm_block(&paths->costs, at.edge + old.number - 1);
        return true;
    }
    return false;
}

/* Which region had its centre there? UINT32_MAX: none. */
static uint32_t paths_region_before(const crn_mm_sector *before, uint32_t centre)
{
    for (uint32_t i = 0; i < before->count; i++)
        if (crn_mm_centre(before, i) == centre) return i;
    return UINT32_MAX;
}

/* ---- sectors ---- */

/* Writes the paths of a region. `before`: its sector as it was, or NULL. */
static cairn_status paths_make_region(crn_mm_job *job, uint32_t sector, const crn_mm_sector *packed,
                                      uint32_t region, const crn_mm_sector *before)
{
    crn_mm_paths_draft *draft = &job->paths;
    uint32_t old = before ? paths_region_before(before, crn_mm_centre(packed, region)) : UINT32_MAX;
    if (!paths_reserve(job, 1, 0, 0)) return CAIRN_OUT_OF_MEMORY;
    draft->regions[draft->region_count++] =
        (crn_mm_region_paths){draft->cost_count, draft->byte_count};
    crn_mm_paths_edges edges = crn_mm_paths_edges_of(&job->mm->levels[0], sector, packed, region);
    while (crn_mm_paths_next(&edges)) {
        bool ok = true;
        if (old != UINT32_MAX && !paths_touched(job, &edges) &&
            paths_copy(job, &edges, before, old, &ok)) {
            if (!ok) return CAIRN_OUT_OF_MEMORY;
            continue;
        }
        cairn_status status = paths_make_edge(job, &edges);
        if (status != CAIRN_OK) return status;
    }
    return CAIRN_OK;
}

static cairn_status paths_make_sector(crn_mm_job *job, uint32_t sector, const crn_mm_sector *before)
{
    crn_mm_sector packed = crn_mm_sector_at(&job->mm->levels[0], sector);
    cairn_status status = CAIRN_OK;
    job->paths.region_count = job->paths.cost_count = job->paths.byte_count = 0;
    for (uint32_t i = 0; i < packed.count && status == CAIRN_OK; i++)
        status = paths_make_region(job, sector, &packed, i, before);
    return status;
}

/* Positions in the sector become those in the index. */
static void paths_place(crn_mm_paths_draft *draft, uint32_t edge, uint32_t byte)
{
    for (uint32_t i = 0; i < draft->region_count; i++) {
        draft->regions[i].edge += edge;
        draft->regions[i].byte += byte;
    }
}

static bool paths_append_block(crn_mm_blocks *blocks, cairn_context *context, const void *items,
                               size_t count)
{
    void *out = crn_mm_blocks_room(blocks, context, count);
    if (out && count) memcpy(out, items, count * blocks->unit);
    return out;
}

/* Appends what was written. */
static bool paths_append(crn_mm_job *job, uint32_t sector)
{
    crn_mm_paths *paths = &job->mm->paths;
    crn_mm_paths_draft *draft = &job->paths;
    paths_place(draft, paths->costs.used, paths->bytes.used);
    if (!paths_append_block(&paths->costs, job->context, draft->costs, draft->cost_count) ||
        !paths_append_block(&paths->bytes, job->context, draft->bytes, draft->byte_count) ||
        !paths_append_block(&paths->regions, job->context, draft->regions, draft->region_count))
        return false;
    crn_mm_blocks_append(&paths->costs, draft->cost_count);
    crn_mm_blocks_append(&paths->bytes, draft->byte_count);
    paths->begin[sector] = crn_mm_blocks_append(&paths->regions, draft->region_count);
    return true;
}

/* Puts what was written in the place of what was there before. */
static bool paths_replace(crn_mm_job *job, uint32_t sector, const crn_mm_sector *before)
{
    crn_mm_paths *paths = &job->mm->paths;
    crn_mm_paths_draft *draft = &job->paths;
    crn_mm_paths_extent old = crn_mm_paths_extent_of(job->mm, sector, before);
    crn_mm_change costs = {&old.first.edge, old.costs, draft->costs, draft->cost_count},
                  bytes = {&old.first.byte, old.bytes, draft->bytes, draft->byte_count},
                  regions = {&paths->begin[sector], before->count, draft->regions,
                             draft->region_count};
    if (!crn_mm_blocks_replace(&paths->costs, job->context, &costs) ||
        !crn_mm_blocks_replace(&paths->bytes, job->context, &bytes))
        return false;
    paths_place(draft, old.first.edge, old.first.byte);
    return crn_mm_blocks_replace(&paths->regions, job->context, &regions);
}

cairn_status crn_mm_find_paths(crn_mm_job *job, const crn_mm_paths_plan *plan)
{
    const crn_mm_level *level = &job->mm->levels[0];
    crn_mm_paths *paths = &job->mm->paths;
    cairn_status status = crn_mm_paths_open(job->mm, job->context) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < paths->sectors && status == CAIRN_OK; i++) {
        if (i % level->columns == 0 && !crn_progress(plan->progress, plan->done + i, plan->total))
            return CAIRN_CANCELLED;
        status = paths_make_sector(job, i, NULL);
        if (status == CAIRN_OK && !paths_append(job, i)) status = CAIRN_OUT_OF_MEMORY;
    }
    if (status != CAIRN_OK) return status;
    paths_hide(job);
    if (!crn_mm_blocks_end(&paths->costs, job->context) ||
        !crn_mm_blocks_end(&paths->bytes, job->context) ||
        !crn_mm_blocks_end(&paths->regions, job->context))
        return CAIRN_OUT_OF_MEMORY;
    crn_mm_paths_count_most(job->mm);
    return CAIRN_OK;
}

/* In ascending order: a path that is kept with another sector is found before it is needed. */
cairn_status crn_mm_repair_paths(crn_mm_job *job)
{
    const crn_mm_list *marks = &job->near;
    for (size_t i = 0; i < marks->count; i++) {
        crn_mm_sector before = paths_before(job, marks->items[i]);
        cairn_status status = paths_make_sector(job, marks->items[i], &before);
        if (status != CAIRN_OK) return status;
        if (!paths_replace(job, marks->items[i], &before)) return CAIRN_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < marks->count; i++)
        if (!i || marks->items[i] / CRN_MM_PATHS_LEAF != marks->items[i - 1] / CRN_MM_PATHS_LEAF)
            crn_mm_paths_update_most(job->mm, marks->items[i]);
    paths_hide(job);
    return CAIRN_OK;
}
