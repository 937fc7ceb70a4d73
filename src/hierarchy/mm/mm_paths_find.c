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

static cairn_status paths_open(crn_mm_job *job)
{
    job->memory = (crn_scratch){.context = job->context};
    cairn_status status = crn_part_open(&job->part, &job->memory, job->space);
    if (status == CAIRN_OK)
        status = crn_subsearch_open(&job->subsearch, &job->memory, NULL, &job->part.space.base, 0);
    if (status != CAIRN_OK) crn_part_close(&job->part);
    job->searching = status == CAIRN_OK;
    return status;
}

/* Shows the cells that the path of an edge may use; true when it is done. */
static bool paths_show_on(crn_mm_job *job, const crn_mm_paths_edges *edges)
{
    crn_area area = paths_area(job, edges);
    if (memcmp(&area, &job->shown, sizeof area)) {
        crn_part_hide(&job->part, job->shown);
        crn_part_refresh(&job->part);
        crn_part_show(&job->part, area);
        crn_part_learn_begin(&job->part);
        job->shown = area;
        job->surveyed = false;
    }
    if (!job->surveyed) job->surveyed = crn_part_learn_on(&job->part, area);
    return job->surveyed;
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

enum { PATHS_ROOM = 3 }; /* bytes for the number of runs */

/* Begins to find the path of an edge. */
static cairn_status paths_begin_search(crn_mm_job *job)
{
    crn_mm_finding *f = &job->finding;
    const crn_mm_paths_edges *edges = &f->edges;
    size_t most = (size_t)job->shown.width * job->shown.height;
    if (!paths_reserve(job, 0, 0, most + PATHS_ROOM)) return CAIRN_OUT_OF_MEMORY;
    f->from = crn_mm_cell(job->mm, job->space, 0, edges->sector, edges->region);
    f->to = crn_mm_cell(job->mm, job->space, 0, edges->to_sector, edges->to);
    /* level 1 may be older than the world: then this is found again */
    cairn_space *shown = &job->part.space.base;
    if (!cairn_space_usable(shown, f->from) || !cairn_space_usable(shown, f->to))
        return CAIRN_UNREACHABLE;
    return crn_subsearch_begin(&job->subsearch, f->from, f->to);
}

/* The cost of the next edge; false = no memory. */
static bool paths_put_cost(crn_mm_job *job, cairn_cost cost)
{
    if (!paths_reserve(job, 0, 1, 0)) return false;
    job->paths.costs[job->paths.cost_count++] = cost;
    return true;
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

/* What comes next for a sector. */
enum { PATHS_BEGIN, PATHS_REGION, PATHS_EDGE, PATHS_WALK, PATHS_SHOW, PATHS_SEARCH };
/* How many edges without a search are one unit of work; so many steps are one more. */
enum { PATHS_EDGES = 8, PATHS_STEPS = 64 };

static void paths_begin_sector(crn_mm_job *job, uint32_t sector)
{
    job->finding = (crn_mm_finding){.step = PATHS_REGION,
                                    .packed = crn_mm_sector_at(&job->mm->levels[0], sector)};
    if (!job->whole) job->finding.before = paths_before(job, sector);
    job->paths.region_count = job->paths.cost_count = job->paths.byte_count = 0;
}

/* The paths of the next region. False = no memory. */
static bool paths_begin_region(crn_mm_job *job, uint32_t sector)
{
    crn_mm_finding *f = &job->finding;
    crn_mm_paths_draft *draft = &job->paths;
    uint32_t centre = crn_mm_centre(&f->packed, f->region);
    f->step = PATHS_EDGE;
    f->old = job->whole ? UINT32_MAX : paths_region_before(&f->before, centre);
    f->edges = crn_mm_paths_edges_of(&job->mm->levels[0], sector, &f->packed, f->region);
    if (!paths_reserve(job, 1, 0, 0)) return false;
    draft->regions[draft->region_count++] =
        (crn_mm_region_paths){draft->cost_count, draft->byte_count};
    return true;
}

/* What a path costs that is known: *left less what following it is for a unit of work, which may
 * not be enough for all of it. False = no memory. */
static bool paths_walk_edge(crn_mm_job *job, uint32_t *left)
{
    crn_mm_finding *f = &job->finding;
    crn_mm_path path = crn_mm_path_of(job->mm, &f->edges);
    uint32_t steps = crn_mm_path_walk_on(job->space, &path, &f->walk, (*left + 1) * PATHS_STEPS);
    *left -= crn_min_u32(steps / PATHS_STEPS, *left);
    if (f->walk.at != CAIRN_NO_NODE && f->walk.run < path.count) return true;
    f->step = PATHS_EDGE;
    return paths_put_cost(job, crn_mm_path_cost(job->mm, job->space, &f->edges, &path, &f->walk));
}

/* The path of the edge, unless it takes a search or is to be followed. False = no memory. */
static bool paths_take_edge(crn_mm_job *job)
{
    crn_mm_finding *f = &job->finding;
    bool ok = true;
    if (f->old != UINT32_MAX && !paths_touched(job, &f->edges) &&
        paths_copy(job, &f->edges, &f->before, f->old, &ok))
        return ok;
    if (crn_mm_paths_keep(&f->edges)) {
        f->step = PATHS_SHOW;
        return true;
    }
    crn_mm_path_begin(job->mm, job->space, &f->edges, &f->walk);
    f->step = PATHS_WALK;
    return true;
}

/* Writes the path of the edge: that which was found, or none; and what it costs. False = no
 * memory. */
static bool paths_write(crn_mm_job *job, bool is_found)
{
    const crn_mm_finding *f = &job->finding;
    uint8_t *runs = job->paths.bytes + job->paths.byte_count + PATHS_ROOM;
    uint32_t count = is_found ? paths_put_runs(job, f->from, f->to, runs) : 0;
    paths_add_path(&job->paths, PATHS_ROOM, count);
    job->found++;
    return paths_put_cost(job, count ? crn_subsearch_cost(&job->subsearch, f->to) : CAIRN_COST_MAX);
}

/* Searches for the path of the edge, and writes it. */
static cairn_status paths_search_on(crn_mm_job *job)
{
    crn_mm_finding *f = &job->finding;
    cairn_status status;
    if (!job->searching) {
        status = paths_open(job);
        return status == CAIRN_OK ? CAIRN_RUNNING : status;
    }
    if (f->step == PATHS_SHOW) {
        if (!paths_show_on(job, &f->edges)) return CAIRN_RUNNING;
        f->step = PATHS_SEARCH;
        status = paths_begin_search(job);
    } else {
        status = crn_mm_search_on(job);
    }
    if (status == CAIRN_RUNNING || status == CAIRN_OUT_OF_MEMORY) return status;
    f->step = PATHS_EDGE;
    return paths_write(job, status == CAIRN_FOUND) ? CAIRN_RUNNING : CAIRN_OUT_OF_MEMORY;
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

bool crn_mm_paths_begin(crn_mm_job *job)
{
    return !job->whole || crn_mm_paths_open(job->mm, job->context);
}

cairn_status crn_mm_find_paths_on(crn_mm_job *job, uint32_t sector)
{
    crn_mm_finding *f = &job->finding;
    if (f->step >= PATHS_SHOW) return paths_search_on(job);
    if (f->step == PATHS_BEGIN) paths_begin_sector(job, sector);
    for (uint32_t left = PATHS_EDGES; left && f->step != PATHS_SHOW;) {
        left--;
        if (f->step == PATHS_REGION && f->region == f->packed.count) {
            bool ok =
                job->whole ? paths_append(job, sector) : paths_replace(job, sector, &f->before);
            f->step = PATHS_BEGIN;
            return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
        }
        if (f->step == PATHS_REGION && !paths_begin_region(job, sector)) return CAIRN_OUT_OF_MEMORY;
        if (f->step == PATHS_EDGE && !crn_mm_paths_next(&f->edges)) {
            f->region++;
            f->step = PATHS_REGION;
        } else if (f->step == PATHS_EDGE && !paths_take_edge(job)) {
            return CAIRN_OUT_OF_MEMORY;
        }
        if (f->step == PATHS_WALK && !paths_walk_edge(job, &left)) return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_RUNNING;
}

bool crn_mm_paths_end(crn_mm_job *job)
{
    crn_mm_paths *paths = &job->mm->paths;
    paths_hide(job);
    return !job->whole || (crn_mm_blocks_end(&paths->costs, job->context) &&
                           crn_mm_blocks_end(&paths->bytes, job->context) &&
                           crn_mm_blocks_end(&paths->regions, job->context));
}

void crn_mm_paths_again(crn_mm_job *job)
{
    if (job->finding.step == PATHS_SEARCH) job->finding.step = PATHS_SHOW;
    paths_hide(job);
}
