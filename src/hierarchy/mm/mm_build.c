/* mm_build.c: building and repairing the index of `mm`. See mm_index.h.
 *
 * The bytes of a sector depend only on the cells of the 3×3 sectors round it: its own regions and
 * their centres, the regions of its neighbours, and the steps between them. So a repair rebuilds
 * the sectors that have a changed cell among those 3×3, copies the others, and gets what a build
 * would make. Level 2 follows from level 1 in the same manner.
 *
 * Optimised centres: of a lattice of cells of the region, and the middle, the one from which A*
 * expands least on the paths to the middles of all regions that it is joined to. For this every
 * cell costs the same, whatever its terrain, and nothing beyond the 3×3 sectors counts.
 */
#include "hierarchy/mm/mm_job.h"
#include "world/changes.h"

#define MM_LATTICE 4u /* candidates for a centre in each direction */

/* ---- regions of level 1 ---- */

/* The reached cell nearest to the middle of all reached ones, of which there are this many; of
 * equal ones the first. */
static uint32_t mm_middle(const crn_flood *flood, uint32_t side, int64_t count)
{
    int64_t sum_x = 0, sum_y = 0, least = INT64_MAX;
    uint32_t best = 0;
    for (uint32_t y = 0; y < flood->area.height; y++) {
        for (uint64_t cells = flood->reached[y]; cells; cells &= cells - 1) {
            sum_x += crn_lowest_bit(cells);
            sum_y += y;
        }
    }
    for (uint32_t y = 0; y < flood->area.height; y++) {
        for (uint64_t cells = flood->reached[y]; cells; cells &= cells - 1) {
            uint32_t x = crn_lowest_bit(cells);
            int64_t dx = x * count - sum_x, dy = y * count - sum_y, distance = dx * dx + dy * dy;
            if (distance >= least) continue;
            least = distance;
            best = y * side + x;
        }
    }
    return best;
}

/* Labels the cells that were reached, and removes them from those that are left. Returns how many
 * there are. */
static uint32_t mm_label(crn_mm_job *job, uint64_t left[CRN_FLOOD_SIDE_MAX], uint16_t *labels,
                         uint32_t region)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < job->flood.area.height; y++) {
        uint64_t cells = job->flood.reached[y];
        left[y] &= ~cells;
        for (; cells; cells &= cells - 1, count++)
            labels[y * job->mm->side + crn_lowest_bit(cells)] = (uint16_t)region;
    }
    return count;
}

/* Finds the regions of one of the 3×3 sectors; false = no memory. */
static bool flood_sector(crn_mm_job *job, uint32_t slot, uint32_t sector)
{
    crn_flood *flood = &job->flood;
    const uint32_t side = job->mm->side;
    uint64_t left[CRN_FLOOD_SIDE_MAX];
    uint16_t *labels = job->labels + (size_t)slot * side * side;
    bool middles = slot == CRN_MM_OWN || job->searching;
    uint32_t region = 0;
    crn_flood_open(flood, job->space, crn_mm_area(job->mm, job->space, sector));
    memcpy(left, flood->usable, sizeof left);
    for (uint32_t y = 0; y < flood->area.height; y++) {
        while (left[y]) {
            crn_flood_begin(flood, crn_lowest_bit(left[y]), y);
            while (!crn_flood_sweep(flood)) {
            }
            uint32_t size = mm_label(job, left, labels, region++),
                     middle = middles ? mm_middle(flood, side, size) : 0;
            if (!crn_mm_put_about(job, slot, middle, size)) return false;
        }
    }
    return true;
}

/* The steps out of one of the 3×3 sectors that begin at a cell of it. */
static bool mm_leave_from(crn_mm_job *job, uint32_t slot, crn_area area, uint32_t x, uint32_t y)
{
    const crn_grid_space *space = job->space;
    const uint32_t side = job->mm->side;
    uint32_t ax = area.left + x, ay = area.top + y;
    if (!crn_bit(&space->usable, (int32_t)ax, (int32_t)ay)) return true;
    uint32_t moves = crn_grid_moves(space, ax, ay),
             region = job->labels[(size_t)slot * side * side + y * side + x];
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
        uint32_t other = job->labels[(size_t)beside * side * side + place];
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
    const uint16_t *labels = job->labels + (size_t)CRN_MM_OWN * side * side;
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
    job->searching = true;
    return status;
}

static void mm_search_close(crn_mm_job *job)
{
    if (!job->searching) return;
    crn_subsearch_close(&job->subsearch);
    crn_part_close(&job->part);
    job->searching = false;
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
        uint32_t middle = job->about[job->about_first[slot] + (uint32_t)(edge & 0xffff)].middle;
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
    const uint16_t *labels = job->labels + (size_t)CRN_MM_OWN * side * side;
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
        job->about_first[slot + 1] = job->about_first[slot];
        if (around != UINT32_MAX && !flood_sector(job, slot, around)) return CAIRN_OUT_OF_MEMORY;
    }
    for (uint32_t i = job->about_first[CRN_MM_OWN]; i < job->about_first[CRN_MM_OWN + 1]; i++) {
        if (!crn_mm_draft_region(&job->draft, job->context, job->about[i].middle))
            return CAIRN_OUT_OF_MEMORY;
    }
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
        uint32_t around = crn_mm_around(&job->mm->levels[0], sector, slot);
        if (around == UINT32_MAX || !crn_mm_counts(job, slot)) continue;
        if (!mm_leave(job, slot, around)) return CAIRN_OUT_OF_MEMORY;
    }
    if (!crn_mm_join_corners(job, job->mm->side * job->mm->side / 2)) return CAIRN_OUT_OF_MEMORY;
    if (job->space->limited && !mm_fall(job, sector)) return CAIRN_OUT_OF_MEMORY;
    return job->searching ? mm_optimise(job, sector) : CAIRN_OK;
}

/* ---- levels ---- */

/* Has one of the 3×3 sectors other regions than it had? */
static bool mm_differs(const crn_mm_job *job, const crn_mm_level *old, uint32_t slot,
                       uint32_t sector)
{
    return job->about_first[slot + 1] - job->about_first[slot] !=
           old->first[sector + 1] - old->first[sector];
}

/* Sectors that are copied, and those beside them, have the regions that they had, unless these came
 * from a wrong file: then edges between them would lead nowhere. */
static bool mm_contradicts(const crn_mm_job *job, const crn_mm_level *old, const uint8_t *marks,
                           uint32_t sector)
{
    bool copied = false;
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
        uint32_t around = crn_mm_around(old, sector, slot);
        if (around == UINT32_MAX || marks[around]) continue;
        if (mm_differs(job, old, slot, around)) return true;
        copied = true;
    }
    return copied && mm_differs(job, old, CRN_MM_OWN, sector);
}

/* Counts the regions of a level that paths may pass. */
static void mm_count_passed(crn_mm_level *level, const crn_mm_level *old, const uint8_t *marks)
{
    level->passed = marks ? old->passed : 0;
    for (uint32_t i = 0; i < crn_mm_sector_count(level); i++) {
        if (marks && !marks[i]) continue;
        level->passed += crn_mm_passed(level, i) - (marks ? crn_mm_passed(old, i) : 0);
    }
}

/* Makes a level: marked sectors, or all if there are no marks, from scratch; the others are copied
 * from `old`. */
static cairn_status mm_make_level(crn_mm_job *job, uint32_t i, const crn_mm_level *old,
                                  const uint8_t *marks, const cairn_progress *progress,
                                  uint64_t done, uint64_t total)
{
    crn_mm_level *level = &job->mm->levels[i];
    crn_mm_writer writer = {.context = job->context, .level = level};
    cairn_status status = CAIRN_OK;
    if (i && !crn_mm_level_open_labels(level - 1, job->context)) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t sector = 0; sector < crn_mm_sector_count(level) && status == CAIRN_OK; sector++) {
        if (sector % level->columns == 0 && !crn_progress(progress, done + sector, total))
            return CAIRN_CANCELLED;
        if (marks && !marks[sector]) {
            if (i) crn_mm_copy_labels(job->mm, i, sector, old - 1);
            if (!crn_mm_write_copy(&writer, old)) status = CAIRN_OUT_OF_MEMORY;
            continue;
        }
        status = i ? crn_mm_draft_upper(job, i, sector) : mm_draft_sector(job, sector);
        if (status == CAIRN_OK && marks && mm_contradicts(job, old, marks, sector))
            status = CAIRN_STALE;
        if (status == CAIRN_OK && !crn_mm_write(&writer, &job->draft)) status = CAIRN_OUT_OF_MEMORY;
    }
    if (status == CAIRN_OK && !crn_mm_write_end(&writer)) status = CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) mm_count_passed(level, old, marks);
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

static crn_mm_job *mm_open_job(crn_mm *mm, const crn_grid_space *space)
{
    crn_mm_job *job = crn_alloc_zero(space->base.context, sizeof *job);
    if (!job) return NULL;
    job->mm = mm;
    job->space = space;
    job->context = space->base.context;
    return job;
}

static void mm_close_job(crn_mm_job *job)
{
    mm_search_close(job);
    crn_mm_draft_close(&job->draft, job->context);
    crn_mm_draft_close(&job->beside, job->context);
    crn_free(job->context, job->labels, job->label_capacity * sizeof *job->labels);
    crn_free(job->context, job->about, job->about_capacity * sizeof *job->about);
    crn_free(job->context, job->set, job->set_capacity * sizeof *job->set);
    crn_free(job->context, job, sizeof *job);
}

/* All levels; `old` and marks for each of them, or NULL. */
static cairn_status mm_make(crn_mm *mm, const crn_grid_space *space, const crn_mm *old,
                            uint8_t *const marks[CRN_MM_LEVELS], const cairn_progress *progress)
{
    crn_mm_job *job = mm_open_job(mm, space);
    if (!job) return CAIRN_OUT_OF_MEMORY;
    void *labels = NULL;
    bool ok = mm_open_levels(mm, space) &&
              crn_grow(job->context, &labels, &job->label_capacity,
                       (size_t)CRN_MM_AROUND * mm->side * mm->side, sizeof *job->labels);
    job->labels = labels;
    cairn_status status = ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    if (ok && mm->optimised && !crn_grid_may_be_limited(space)) status = mm_search_open(job);
    uint64_t done = 0, total = 0;
    for (uint32_t i = 0; ok && i < mm->level_count; i++)
        total += crn_mm_sector_count(&mm->levels[i]);
    for (uint32_t i = 0; i < mm->level_count && status == CAIRN_OK; i++) {
        status = mm_make_level(job, i, old ? &old->levels[i] : NULL, marks ? marks[i] : NULL,
                               progress, done, total);
        done += crn_mm_sector_count(&mm->levels[i]);
    }
    if (status == CAIRN_OK) status = crn_mm_find_doors(job);
    if (status == CAIRN_OK && !crn_progress(progress, total, total)) status = CAIRN_CANCELLED;
    mm_close_job(job);
    if (status != CAIRN_OK) crn_mm_drop(mm, space->base.context);
    return status;
}

cairn_status crn_mm_finish(crn_mm *mm, const crn_grid_space *space)
{
    crn_mm_job *job = mm_open_job(mm, space);
    if (!job) return CAIRN_OUT_OF_MEMORY;
    cairn_status status = crn_mm_find_labels(job);
    if (status == CAIRN_OK) status = crn_mm_find_doors(job);
    mm_close_job(job);
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
    cairn_status status = mm_make(mm, space, NULL, NULL, progress);
    return status == CAIRN_OK ? status : mm_fail(error, status);
}

/* ---- repairing ---- */

/* Marks the 3×3 sectors round one. */
static void mm_mark(const crn_mm_level *level, uint32_t sector, uint8_t *marks)
{
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
        uint32_t around = crn_mm_around(level, sector, slot);
        if (around != UINT32_MAX) marks[around] = 1;
    }
}

/* On a level above: round all in which something is marked. */
static void mm_mark_upper(const crn_mm *mm, uint32_t level, uint8_t *const marks[CRN_MM_LEVELS])
{
    const crn_mm_level *lower = &mm->levels[level - 1];
    for (uint32_t sector = 0; sector < crn_mm_sector_count(lower); sector++) {
        if (!marks[level - 1][sector]) continue;
        mm_mark(&mm->levels[level], crn_mm_upper(mm, level - 1, sector), marks[level]);
    }
}

static cairn_status mm_mark_all(const crn_mm *mm, const crn_grid_space *space, uint64_t since,
                                uint8_t *const marks[CRN_MM_LEVELS])
{
    const uint32_t side = mm->side;
    crn_edits edits;
    cairn_status status = crn_edits_begin(&edits, space->grid, since);
    if (status != CAIRN_OK) return status;
    for (const cairn_change *change; (change = crn_edits_next(&edits));) {
        crn_size_box box = crn_edits_box(space, change->node, 0);
        for (uint32_t y = box.top / side; y <= box.bottom / side; y++) {
            for (uint32_t x = box.left / side; x <= box.right / side; x++) {
                mm_mark(&mm->levels[0], y * mm->levels[0].columns + x, marks[0]);
            }
        }
    }
    for (uint32_t i = 1; i < mm->level_count; i++) mm_mark_upper(mm, i, marks);
    return CAIRN_OK;
}

cairn_status crn_mm_repair(crn_mm *mm, const crn_grid_space *space, uint64_t since,
                           const cairn_progress *progress, cairn_error *error)
{
    cairn_context *context = space->base.context;
    uint8_t *marks[CRN_MM_LEVELS] = {NULL};
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < mm->level_count && status == CAIRN_OK; i++) {
        marks[i] = crn_alloc_zero(context, crn_mm_sector_count(&mm->levels[i]));
        if (!marks[i]) status = mm_fail(error, CAIRN_OUT_OF_MEMORY);
    }
    if (status == CAIRN_OK) status = mm_mark_all(mm, space, since, marks);
    crn_mm fresh = {.side = mm->side,
                    .level_count = mm->level_count,
                    .few = mm->few,
                    .optimised = mm->optimised};
    if (status == CAIRN_OK) {
        status = mm_make(&fresh, space, mm, marks, progress);
        if (status != CAIRN_OK) mm_fail(error, status);
    }
    for (uint32_t i = 0; i < mm->level_count; i++) {
        crn_free(context, marks[i], crn_mm_sector_count(&mm->levels[i]));
    }
    if (status != CAIRN_OK) return status;
    crn_mm_drop(mm, context);
    *mm = fresh;
    return CAIRN_OK;
}
