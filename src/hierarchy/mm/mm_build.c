/* mm_build.c: building the index of `mm`. See mm_index.h; mm_repair.c repairs it.
 *
 * The bytes of a sector depend only on the cells of the 3×3 sectors round it: its own regions and
 * their centres, the regions of its neighbours, and the steps between them. Regions of a sector are
 * found once for several of those that need them: a few sectors are kept.
 *
 * Optimised centres: of a lattice of cells of the region, and the middle, the one from which A*
 * expands least on the paths to the middles of all regions that it is joined to. For this every
 * cell costs the same, whatever its terrain, and nothing beyond the 3×3 sectors counts.
 */
#include "hierarchy/mm/mm_job.h"

#define MM_LATTICE 4u /* candidates for a centre in each direction */

/* ---- regions of level 1 ---- */

/* Labels the cells that were reached, and removes them from those that are left. Returns how many
 * there are. */
static uint32_t mm_label(const crn_flood *flood, uint64_t left[CRN_FLOOD_SIDE_MAX],
                         uint16_t *labels, uint32_t side, uint32_t region)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < flood->area.height; y++) {
        uint64_t cells = flood->reached[y];
        left[y] &= ~cells;
        for (; cells; cells &= cells - 1, count++)
            labels[y * side + crn_lowest_bit(cells)] = (uint16_t)region;
    }
    return count;
}

/* Finds the regions of a sector; false = no memory. */
static bool mm_flood(crn_mm_job *job, crn_mm_flooding *out, uint32_t sector)
{
    crn_flood *flood = &job->flood;
    const uint32_t side = job->mm->side;
    uint64_t left[CRN_FLOOD_SIDE_MAX];
    void *labels = out->labels, *about = out->about;
    bool ok = crn_grow(job->context, &labels, &out->label_capacity, (size_t)side * side,
                       sizeof *out->labels);
    out->labels = labels;
    out->sector = UINT32_MAX;
    out->count = 0;
    out->middles = false;
    crn_flood_open(flood, job->space, crn_mm_area(job->mm, job->space, sector));
    memcpy(left, flood->usable, sizeof left);
    memcpy(out->usable, flood->usable, sizeof left);
    out->height = flood->area.height;
    for (uint32_t y = 0; y < flood->area.height; y++) {
        while (ok && left[y]) {
            crn_flood_begin(flood, crn_lowest_bit(left[y]), y);
            while (!crn_flood_sweep(flood)) {
            }
            ok = crn_grow(job->context, &about, &out->about_capacity, (size_t)out->count + 1,
                          sizeof *out->about);
            out->about = about;
            if (!ok) break;
            uint32_t size = mm_label(flood, left, out->labels, side, out->count);
            out->about[out->count++] = (crn_mm_about){0, size};
        }
    }
    if (ok) out->sector = sector;
    return ok;
}

/* The cell of each region nearest to the middle of all its cells; of equal ones the first. */
static void mm_find_middles(crn_mm_flooding *flooding, crn_mm_middle *middles, uint32_t side)
{
    memset(middles, 0, flooding->count * sizeof *middles);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t y = 0; y < flooding->height; y++) {
            for (uint64_t cells = flooding->usable[y]; cells; cells &= cells - 1) {
                uint32_t x = crn_lowest_bit(cells), region = flooding->labels[y * side + x];
                crn_mm_middle *middle = &middles[region];
                crn_mm_about *about = &flooding->about[region];
                if (!pass) {
                    middle->x += x;
                    middle->y += y;
                    middle->least = INT64_MAX;
                    continue;
                }
                int64_t dx = (int64_t)x * about->size - middle->x,
                        dy = (int64_t)y * about->size - middle->y, distance = dx * dx + dy * dy;
                if (distance >= middle->least) continue;
                middle->least = distance;
                about->middle = y * side + x;
            }
        }
    }
    flooding->middles = true;
}

/* The middles of the regions of a sector; false = no memory. */
static bool mm_add_middles(crn_mm_job *job, crn_mm_flooding *flooding)
{
    void *middles = job->middles;
    bool ok = crn_grow(job->context, &middles, &job->middle_capacity, (size_t)flooding->count + 1,
                       sizeof *job->middles);
    job->middles = middles;
    if (ok) mm_find_middles(flooding, job->middles, job->mm->side);
    return ok;
}

/* Finds the regions of one of the 3×3 sectors, unless they are known; false = no memory. */
static bool mm_see(crn_mm_job *job, uint32_t slot, uint32_t sector)
{
    const uint32_t columns = job->mm->levels[0].columns;
    uint32_t x = sector % columns % CRN_MM_FLOODS, y = sector / columns % CRN_MM_FLOODS;
    crn_mm_flooding *flooding = &job->floods[y * CRN_MM_FLOODS + x];
    bool middles = slot == CRN_MM_OWN || job->optimising;
    if (flooding->sector != sector && !mm_flood(job, flooding, sector)) return false;
    if (middles && !flooding->middles && !mm_add_middles(job, flooding)) return false;
    job->around[slot] = flooding->about;
    job->counts[slot] = flooding->count;
    job->places[slot] = flooding->labels;
    return true;
}

/* The steps out of one of the 3×3 sectors that begin at a cell of it. */
static bool mm_leave_from(crn_mm_job *job, uint32_t slot, crn_area area, uint32_t x, uint32_t y)
{
    const crn_grid_space *space = job->space;
    const uint32_t side = job->mm->side;
    uint32_t ax = area.left + x, ay = area.top + y;
    if (!crn_bit(&space->usable, (int32_t)ax, (int32_t)ay)) return true;
    uint32_t moves = crn_grid_moves(space, ax, ay), region = job->places[slot][y * side + x];
    if (space->limited) moves = crn_grid_limit_moves(space, ax, ay, moves);
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        int32_t bx = (int32_t)x + crn_dx[d], by = (int32_t)y + crn_dy[d];
        int32_t sx = (bx >= (int32_t)side) - (bx < 0), sy = (by >= (int32_t)side) - (by < 0);
        if (!sx && !sy) continue;
        uint32_t to_x = (uint32_t)((int32_t)ax + crn_dx[d]),
                 to_y = (uint32_t)((int32_t)ay + crn_dy[d]);
        uint32_t direction = 0;
        while (crn_dx[direction] != sx || crn_dy[direction] != sy) direction++;
        uint32_t beside = crn_mm_slot(slot, direction);
        if (beside == CRN_MM_AROUND) continue;
        uint32_t place = to_y % side * side + to_x % side;
        uint32_t other = job->places[beside][place];
        if (!crn_mm_join(job, slot, region, direction, other)) return false;
    }
    return true;
}

/* Along the border of the own sector, or on the sides of one beside it that end at corners. */
static bool mm_leave(crn_mm_job *job, uint32_t slot, uint32_t sector)
{
    crn_area area = crn_mm_area(job->mm, job->space, sector);
    for (uint32_t y = 0; y < area.height; y++) {
        bool rim = slot % 6 != 1 && (!y || y + 1 == area.height);
        if (!rim && slot % 6 == 3) continue;
        for (uint32_t x = 0; x < area.width; x += rim || area.width == 1 ? 1 : area.width - 1) {
            if (!mm_leave_from(job, slot, area, x, y)) return false;
        }
    }
    return true;
}

/* Steps between regions of the own sector, which lead one way: both ways would join them. */
static bool mm_fall(crn_mm_job *job, uint32_t sector)
{
    const crn_grid_space *space = job->space;
    const uint32_t side = job->mm->side;
    const uint16_t *labels = job->places[CRN_MM_OWN];
    crn_area area = crn_mm_area(job->mm, space, sector);
    for (uint32_t i = 0; i < area.width * area.height; i++) {
        uint32_t x = i % area.width, y = i / area.width, ax = area.left + x, ay = area.top + y;
        if (!crn_bit(&space->usable, (int32_t)ax, (int32_t)ay)) continue;
        uint32_t moves = crn_grid_limit_moves(space, ax, ay, crn_grid_moves(space, ax, ay));
        for (; moves; moves &= moves - 1) {
            uint32_t d = crn_lowest_bit(moves), region = labels[y * side + x];
            uint32_t bx = (uint32_t)((int32_t)x + crn_dx[d]),
                     by = (uint32_t)((int32_t)y + crn_dy[d]);
            if (bx >= area.width || by >= area.height || labels[by * side + bx] == region) continue;
            if (!crn_mm_draft_edge(&job->draft, job->context, region, 0,
                                   labels[by * side + bx] | CRN_MM_REGION_OWN))
                return false;
        }
    }
    return true;
}

/* ---- optimised centres ---- */

/* A part in which every cell costs the same, whatever changes elsewhere. */
static cairn_status mm_search_open(crn_mm_job *job)
{
    job->memory = (crn_scratch){.context = job->context};
    cairn_status status = crn_part_open(&job->part, &job->memory, job->space);
    if (status != CAIRN_OK) return status;
    crn_grid_space *plain = &job->part.space;
    cairn_scale scale = plain->base.scale;
    plain->uniform = true;
    plain->least = 256;
    plain->cheapest = scale;
    plain->times = 1;
    plain->links = (crn_links){0};
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        plain->step[d] = d < CRN_NE || plain->hex ? scale.straight : scale.diagonal;
    }
    plain->base.min_edge = scale.straight;
    plain->base.max_edge = plain->base.max_step = plain->hex ? scale.straight : scale.diagonal;
    status = crn_subsearch_open(&job->subsearch, &job->memory, NULL, &plain->base, 0);
    if (status != CAIRN_OK) {
        crn_part_close(&job->part);
        return status;
    }
    job->searching = job->optimising = true;
    return status;
}

static cairn_node mm_place_cell(const crn_mm_job *job, uint32_t sector, uint32_t place)
{
    crn_area area = crn_mm_area(job->mm, job->space, sector);
    return (area.top + place / job->mm->side) * job->space->grid->width + area.left +
           place % job->mm->side;
}

/* Counts the expansions of A* from a place to the middles of all regions that its region is joined
 * to, up to `most`. */
static cairn_status mm_explored(crn_mm_job *job, uint32_t sector, uint32_t region, uint32_t place,
                                uint64_t most, uint64_t *sum)
{
    cairn_node from = mm_place_cell(job, sector, place);
    *sum = 0;
    for (size_t i = 0; i < job->draft.edge_count && *sum < most; i++) {
        uint64_t edge = job->draft.edges[i];
        if (edge >> 32 != region) continue;
        uint32_t slot = crn_mm_slot(CRN_MM_OWN, (uint32_t)(edge >> 16 & 7));
        uint32_t middle = job->around[slot][edge & 0xffff].middle;
        cairn_node to =
            mm_place_cell(job, crn_mm_around(&job->mm->levels[0], sector, slot), middle);
        cairn_status status = crn_subsearch_find(&job->subsearch, from, to);
        if (status == CAIRN_OUT_OF_MEMORY) return status;
        *sum += job->subsearch.search.metrics.expanded;
    }
    return CAIRN_OK;
}

static cairn_status mm_optimise_region(crn_mm_job *job, uint32_t sector, uint32_t region)
{
    const uint32_t side = job->mm->side, step = side / MM_LATTICE;
    const uint16_t *labels = job->places[CRN_MM_OWN];
    crn_area area = crn_mm_area(job->mm, job->space, sector);
    uint64_t least, explored;
    cairn_status status =
        mm_explored(job, sector, region, job->draft.centres[region], UINT64_MAX, &least);
    for (uint32_t i = 0; i < MM_LATTICE * MM_LATTICE && status == CAIRN_OK; i++) {
        uint32_t x = step / 2 + i % MM_LATTICE * step, y = step / 2 + i / MM_LATTICE * step;
        if (x >= area.width || y >= area.height) continue;
        uint32_t place = y * side + x;
        cairn_node cell = mm_place_cell(job, sector, place);
        if (labels[place] != region || !cairn_space_usable(&job->space->base, cell)) continue;
        status = mm_explored(job, sector, region, place, least, &explored);
        if (status != CAIRN_OK || explored >= least) continue;
        least = explored;
        job->draft.centres[region] = place;
    }
    return status;
}

static cairn_status mm_optimise(crn_mm_job *job, uint32_t sector)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t shown = 0; shown < 2; shown++) {
        for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
            uint32_t around = crn_mm_around(&job->mm->levels[0], sector, slot);
            if (around == UINT32_MAX) continue;
            crn_area area = crn_mm_area(job->mm, job->space, around);
            if (shown) {
                crn_part_hide(&job->part, area);
            } else {
                crn_part_show(&job->part, area);
            }
        }
        for (uint32_t i = 0; !shown && i < job->draft.count && status == CAIRN_OK; i++) {
            status = mm_optimise_region(job, sector, i);
        }
    }
    return status;
}

/* ---- level 1 ---- */

static cairn_status mm_draft_sector(crn_mm_job *job, uint32_t sector)
{
    crn_mm_begin_draft(job);
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
        uint32_t around = crn_mm_around(&job->mm->levels[0], sector, slot);
        if (around != UINT32_MAX && !mm_see(job, slot, around)) return CAIRN_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < job->counts[CRN_MM_OWN]; i++) {
        if (!crn_mm_draft_region(&job->draft, job->context, job->around[CRN_MM_OWN][i].middle))
            return CAIRN_OUT_OF_MEMORY;
    }
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
        uint32_t around = crn_mm_around(&job->mm->levels[0], sector, slot);
        if (around == UINT32_MAX || !crn_mm_counts(job, slot)) continue;
        if (!mm_leave(job, slot, around)) return CAIRN_OUT_OF_MEMORY;
    }
    if (!crn_mm_join_corners(job, job->mm->side * job->mm->side / 2)) return CAIRN_OUT_OF_MEMORY;
    if (job->space->limited && !mm_fall(job, sector)) return CAIRN_OUT_OF_MEMORY;
    return job->optimising ? mm_optimise(job, sector) : CAIRN_OK;
}

/* ---- building ---- */

static cairn_status mm_build_level(crn_mm_job *job, uint32_t i, const cairn_progress *progress,
                                   uint64_t done, uint64_t total)
{
    crn_mm_level *level = &job->mm->levels[i];
    cairn_status status = i ? crn_mm_label_all(job, i) : CAIRN_OK;
    for (uint32_t sector = 0; sector < crn_mm_sector_count(level) && status == CAIRN_OK; sector++) {
        if (sector % level->columns == 0 && !crn_progress(progress, done + sector, total))
            return CAIRN_CANCELLED;
        status = i ? crn_mm_draft_upper(job, i, sector) : mm_draft_sector(job, sector);
        if (status == CAIRN_OK && !crn_mm_write(level, job->context, sector, &job->draft))
            status = CAIRN_OUT_OF_MEMORY;
        if (status == CAIRN_OK) level->passed += crn_mm_passed(level, sector);
    }
    if (status == CAIRN_OK && !crn_mm_blocks_end(&level->bytes, job->context))
        status = CAIRN_OUT_OF_MEMORY;
    return status;
}

static bool mm_open_levels(crn_mm *mm, const crn_grid_space *space)
{
    cairn_context *context = space->base.context;
    crn_mm_extent extent = {mm->side, mm->side * mm->side, space->grid->width, space->grid->height,
                            crn_grid_may_be_limited(space)};
    for (uint32_t i = 0; i < mm->level_count; i++) {
        crn_mm_level *level = &mm->levels[i];
        if (!crn_mm_level_open(level, context, extent)) return false;
        extent = (crn_mm_extent){CRN_MM_UPPER_SIDE, UINT32_MAX, level->columns, level->rows, false};
    }
    return true;
}

static cairn_status mm_build_all(crn_mm_job *job, const cairn_progress *progress)
{
    crn_mm *mm = job->mm;
    uint64_t done = 0, total = 0;
    cairn_status status = CAIRN_OK;
    if (!mm_open_levels(mm, job->space)) return CAIRN_OUT_OF_MEMORY;
    if (mm->optimised && !crn_grid_may_be_limited(job->space)) status = mm_search_open(job);
    for (uint32_t i = 0; i < mm->level_count; i++) total += crn_mm_sector_count(&mm->levels[i]);
    if (mm->stored) total += crn_mm_sector_count(&mm->levels[0]);
    for (uint32_t i = 0; i < mm->level_count && status == CAIRN_OK; i++) {
        status = mm_build_level(job, i, progress, done, total);
        done += crn_mm_sector_count(&mm->levels[i]);
    }
    if (status == CAIRN_OK) status = crn_mm_find_doors(job);
    if (status == CAIRN_OK && mm->stored) {
        crn_mm_paths_plan plan = {progress, done, total};
        status = crn_mm_find_paths(job, &plan);
    }
    if (status == CAIRN_OK && !crn_progress(progress, total, total)) status = CAIRN_CANCELLED;
    return status;
}

static cairn_status mm_fail(cairn_error *error, cairn_status status)
{
    return crn_fail(error, status, 0, "%s",
                    status == CAIRN_CANCELLED ? "the build was cancelled"
                                              : "no memory for the abstraction");
}

cairn_status crn_mm_build(crn_mm *mm, const crn_grid_space *space, const cairn_progress *progress,
                          cairn_error *error)
{
    crn_mm_job *job = crn_mm_job_open(mm, space);
    cairn_status status = job ? mm_build_all(job, progress) : CAIRN_OUT_OF_MEMORY;
    crn_mm_job_close(job);
    if (status == CAIRN_OK) return status;
    crn_mm_drop(mm, space->base.context);
    return mm_fail(error, status);
}

cairn_status crn_mm_finish(crn_mm *mm, const crn_grid_space *space)
{
    crn_mm_job *job = crn_mm_job_open(mm, space);
    if (!job) return CAIRN_OUT_OF_MEMORY;
    cairn_status status = CAIRN_OK;
    job->loading = true;
    for (uint32_t i = 1; i < mm->level_count && status == CAIRN_OK; i++)
        status = crn_mm_label_all(job, i);
    if (status == CAIRN_OK) status = crn_mm_find_doors(job);
    crn_mm_job_close(job);
    return status;
}

cairn_status crn_mm_draft_one(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    return level ? crn_mm_draft_upper(job, level, sector) : mm_draft_sector(job, sector);
}

cairn_status crn_mm_job_begin(crn_mm_job *job)
{
    for (uint32_t i = 0; i < CRN_MM_FLOODS * CRN_MM_FLOODS; i++) job->floods[i].sector = UINT32_MAX;
    if (!job->mm->optimised || crn_grid_may_be_limited(job->space)) return CAIRN_OK;
    return mm_search_open(job);
}
