/* mm_build.c: a sector of level 1 of `mm`. See mm_index.h; mm_upper.c makes those of the levels
 * above, mm_repair.c builds and repairs with them.
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

/* At a time: rows of floods, rows whose cells are counted, cells whose steps are looked at. */
enum { MM_SWEPT = 128, MM_COUNTED = 32, MM_LEFT = 48, MM_FALLEN = 32 };
/* And the units of work they count for: a unit is about an expanded cell. */
enum { MM_SWEPT_UNITS = 8, MM_COUNTED_UNITS = 8, MM_LEFT_UNITS = 32 };

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

/* Memory for the labels of a sector. */
static bool mm_flood_begin(crn_mm_job *job, crn_mm_flooding *out, uint32_t sector)
{
    const uint32_t side = job->mm->side;
    void *labels = out->labels;
    bool ok = crn_grow(job->context, &labels, &out->label_capacity, (size_t)side * side,
                       sizeof *out->labels);
    out->labels = labels;
    out->sector = UINT32_MAX;
    out->count = 0;
    out->middles = false;
    crn_flood_open_begin(&job->flood, job->space, crn_mm_area(job->mm, job->space, sector));
    memcpy(job->flooding.left, job->flood.usable, sizeof job->flooding.left);
    memcpy(out->usable, job->flood.usable, sizeof out->usable);
    out->height = job->flood.area.height;
    job->flooding.row = 0;
    return ok;
}

/* Begins at the next cell of no region; false: there is none. */
static bool mm_flood_next(crn_mm_job *job)
{
    uint32_t *row = &job->flooding.row;
    while (*row < job->flood.area.height && !job->flooding.left[*row]) ++*row;
    if (*row == job->flood.area.height) return false;
    crn_flood_begin(&job->flood, crn_lowest_bit(job->flooding.left[*row]), *row);
    return true;
}

/* A region has been flooded. False = no memory. */
static bool mm_flood_end(crn_mm_job *job, crn_mm_flooding *out)
{
    void *about = out->about;
    bool ok = crn_grow(job->context, &about, &out->about_capacity, (size_t)out->count + 1,
                       sizeof *out->about);
    out->about = about;
    if (!ok) return false;
    uint32_t size =
        mm_label(&job->flood, job->flooding.left, out->labels, job->mm->side, out->count);
    out->about[out->count++] = (crn_mm_about){0, size};
    return true;
}

/* Finds the regions of a sector. */
static cairn_status mm_flood_on(crn_mm_job *job, crn_mm_flooding *out, uint32_t sector)
{
    enum { BEGIN, OPEN, NEXT, SWEEP };
    uint32_t *step = &job->flooding.step;
    if (!crn_mm_spend(job, MM_SWEPT_UNITS)) return CAIRN_RUNNING;
    if (*step == BEGIN) {
        if (!mm_flood_begin(job, out, sector)) return CAIRN_OUT_OF_MEMORY;
        *step = OPEN;
    }
    if (*step == OPEN) {
        if (crn_flood_open_on(&job->flood, job->space)) *step = NEXT;
        return CAIRN_RUNNING;
    }
    for (uint32_t rows = 0; rows < MM_SWEPT; rows += job->flood.area.height) {
        if (*step == NEXT && !mm_flood_next(job)) {
            out->sector = sector;
            *step = BEGIN;
            return CAIRN_OK;
        }
        *step = SWEEP;
        if (!crn_flood_sweep(&job->flood)) continue;
        if (!mm_flood_end(job, out)) return CAIRN_OUT_OF_MEMORY;
        *step = NEXT;
    }
    return CAIRN_RUNNING;
}

/* Adds up where the cells of a row are, by region. */
static void mm_sum_row(const crn_mm_flooding *flooding, crn_mm_middle *middles, uint32_t side,
                       uint32_t y)
{
    for (uint64_t cells = flooding->usable[y]; cells; cells &= cells - 1) {
        uint32_t x = crn_lowest_bit(cells);
        crn_mm_middle *middle = &middles[flooding->labels[y * side + x]];
        middle->x += x;
        middle->y += y;
        middle->least = INT64_MAX;
    }
}

/* Finds those of a row that are nearest to the middle. */
static void mm_compare_row(crn_mm_flooding *flooding, crn_mm_middle *middles, uint32_t side,
                           uint32_t y)
{
    for (uint64_t cells = flooding->usable[y]; cells; cells &= cells - 1) {
        uint32_t x = crn_lowest_bit(cells), region = flooding->labels[y * side + x];
        crn_mm_middle *middle = &middles[region];
        crn_mm_about *about = &flooding->about[region];
        int64_t dx = (int64_t)x * about->size - middle->x,
                dy = (int64_t)y * about->size - middle->y, distance = dx * dx + dy * dy;
        if (distance >= middle->least) continue;
        middle->least = distance;
        about->middle = y * side + x;
    }
}

/* Finds the cell of each region of a sector nearest to the middle of all its cells; of equal ones
 * the first. */
static cairn_status mm_middles_on(crn_mm_job *job, crn_mm_flooding *flooding)
{
    uint32_t *row = &job->flooding.row;
    if (job->flooding.step == 0) {
        void *middles = job->middles;
        bool ok = crn_grow(job->context, &middles, &job->middle_capacity,
                           (size_t)flooding->count + 1, sizeof *job->middles);
        job->middles = middles;
        if (!ok) return CAIRN_OUT_OF_MEMORY;
        memset(job->middles, 0, flooding->count * sizeof *job->middles);
        *row = 0;
        job->flooding.step = 1;
    }
    if (!crn_mm_spend(job, MM_COUNTED_UNITS)) return CAIRN_RUNNING;
    for (uint32_t rows = 0; *row < 2 * flooding->height; ++*row) {
        if (rows++ == MM_COUNTED) return CAIRN_RUNNING;
        if (*row < flooding->height) {
            mm_sum_row(flooding, job->middles, job->mm->side, *row);
        } else {
            mm_compare_row(flooding, job->middles, job->mm->side, *row - flooding->height);
        }
    }
    job->flooding.step = 0;
    flooding->middles = true;
    return CAIRN_OK;
}

/* Finds the regions of one of the 3×3 sectors, unless they are known. */
static cairn_status mm_see_on(crn_mm_job *job, uint32_t slot, uint32_t sector)
{
    const uint32_t columns = job->mm->levels[0].columns;
    uint32_t x = sector % columns % CRN_MM_FLOODS, y = sector / columns % CRN_MM_FLOODS;
    crn_mm_flooding *flooding = &job->floods[y * CRN_MM_FLOODS + x];
    bool middles = slot == CRN_MM_OWN || job->optimising;
    cairn_status status = CAIRN_OK;
    if (flooding->sector != sector) {
        status = mm_flood_on(job, flooding, sector);
        if (status == CAIRN_OK && middles) return CAIRN_RUNNING;
    } else if (middles && !flooding->middles) {
        status = mm_middles_on(job, flooding);
    }
    if (status != CAIRN_OK) return status;
    job->around[slot] = flooding->about;
    job->counts[slot] = flooding->count;
    job->places[slot] = flooding->labels;
    return CAIRN_OK;
}

/* Of all 3×3 sectors. */
static cairn_status mm_see_around_on(crn_mm_job *job, uint32_t sector)
{
    uint32_t *slot = &job->drafting.slot;
    for (; *slot < CRN_MM_AROUND; ++*slot) {
        uint32_t around = crn_mm_around(&job->mm->levels[0], sector, *slot);
        cairn_status status = around == UINT32_MAX ? CAIRN_OK : mm_see_on(job, *slot, around);
        if (status != CAIRN_OK) return status;
    }
    return CAIRN_OK;
}

/* The directions in which steps leave a sector from a place in it. */
static uint32_t mm_outward(uint32_t side, uint32_t x, uint32_t y)
{
    const uint32_t west = 1u << CRN_W | 1u << CRN_NW | 1u << CRN_SW,
                   east = 1u << CRN_E | 1u << CRN_NE | 1u << CRN_SE,
                   north = 1u << CRN_N | 1u << CRN_NW | 1u << CRN_NE,
                   south = 1u << CRN_S | 1u << CRN_SW | 1u << CRN_SE;
    return (x ? 0 : west) | (x + 1 == side ? east : 0) | (y ? 0 : north) |
           (y + 1 == side ? south : 0);
}

/* The steps out of one of the 3×3 sectors that begin at a cell of it. */
static bool mm_leave_from(crn_mm_job *job, uint32_t slot, crn_area area, uint32_t x, uint32_t y)
{
    const crn_grid_space *space = job->space;
    const uint32_t side = job->mm->side;
    uint32_t ax = area.left + x, ay = area.top + y, outward = mm_outward(side, x, y);
    if (!outward || !crn_bit(&space->usable, (int32_t)ax, (int32_t)ay)) return true;
    uint32_t moves = crn_grid_moves(space, ax, ay) & outward;
    if (space->limited) moves = crn_grid_limit_moves(space, ax, ay, moves);
    uint32_t region = job->places[slot][y * side + x];
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        int32_t bx = (int32_t)x + crn_dx[d], by = (int32_t)y + crn_dy[d];
        int32_t sx = (bx >= (int32_t)side) - (bx < 0), sy = (by >= (int32_t)side) - (by < 0);
        uint32_t direction = crn_mm_towards(sx, sy), beside = crn_mm_slot(slot, direction);
        if (beside == CRN_MM_AROUND) continue;
        uint32_t place =
            (uint32_t)((by - sy * (int32_t)side) * (int32_t)side + bx - sx * (int32_t)side);
        uint32_t other = job->places[beside][place];
        if (!crn_mm_join(job, slot, region, direction, other)) return false;
    }
    return true;
}

/* The steps that leave a row of one of the 3×3 sectors: along the border of the own sector, or on
 * the sides of one beside it that end at corners. */
static bool mm_leave_row(crn_mm_job *job, uint32_t slot, crn_area area, uint32_t y, uint32_t *cells)
{
    bool rim = slot % 6 != 1 && (!y || y + 1 == area.height);
    if (!rim && slot % 6 == 3) return true;
    for (uint32_t x = 0; x < area.width; x += rim || area.width == 1 ? 1 : area.width - 1) {
        if (!mm_leave_from(job, slot, area, x, y)) return false;
        ++*cells;
    }
    return true;
}

/* The regions of the sector and their centres. */
static bool mm_draft_regions(crn_mm_job *job)
{
    bool ok = true;
    for (uint32_t i = 0; i < job->counts[CRN_MM_OWN] && ok; i++)
        ok = crn_mm_draft_region(&job->draft, job->context, job->around[CRN_MM_OWN][i].middle);
    return ok;
}

static cairn_status mm_leave_on(crn_mm_job *job, uint32_t sector)
{
    uint32_t *slot = &job->drafting.slot, *y = &job->drafting.at, cells = 0;
    if (!crn_mm_spend(job, MM_LEFT_UNITS)) return CAIRN_RUNNING;
    if (*slot + *y == 0 && !mm_draft_regions(job)) return CAIRN_OUT_OF_MEMORY;
    for (; *slot < CRN_MM_AROUND; ++*slot, *y = 0) {
        uint32_t around = crn_mm_around(&job->mm->levels[0], sector, *slot);
        if (around == UINT32_MAX || !crn_mm_counts(job, *slot)) continue;
        crn_area area = crn_mm_area(job->mm, job->space, around);
        for (; *y < area.height; ++*y) {
            if (cells >= MM_LEFT) return CAIRN_RUNNING;
            if (!mm_leave_row(job, *slot, area, *y, &cells)) return CAIRN_OUT_OF_MEMORY;
        }
    }
    return CAIRN_OK;
}

/* Steps from a cell to other regions of the own sector. */
static bool mm_fall_from(crn_mm_job *job, crn_area area, uint32_t x, uint32_t y)
{
    const crn_grid_space *space = job->space;
    const uint32_t side = job->mm->side;
    const uint16_t *labels = job->places[CRN_MM_OWN];
    uint32_t ax = area.left + x, ay = area.top + y;
    if (!crn_bit(&space->usable, (int32_t)ax, (int32_t)ay)) return true;
    uint32_t moves = crn_grid_limit_moves(space, ax, ay, crn_grid_moves(space, ax, ay));
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), region = labels[y * side + x];
        uint32_t bx = (uint32_t)((int32_t)x + crn_dx[d]), by = (uint32_t)((int32_t)y + crn_dy[d]);
        if (bx >= area.width || by >= area.height || labels[by * side + bx] == region) continue;
        if (!crn_mm_draft_edge(&job->draft, job->context, region, 0,
                               labels[by * side + bx] | CRN_MM_REGION_OWN))
            return false;
    }
    return true;
}

/* Steps between regions of the own sector, which lead one way: both ways would join them. */
static cairn_status mm_fall_on(crn_mm_job *job, uint32_t sector)
{
    uint32_t *at = &job->drafting.at;
    crn_area area = crn_mm_area(job->mm, job->space, sector);
    uint32_t cells = area.width * area.height, end = crn_min_u32(*at + MM_FALLEN, cells);
    if (!crn_mm_spend(job, MM_LEFT_UNITS)) return CAIRN_RUNNING;
    for (; *at < end; ++*at)
        if (!mm_fall_from(job, area, *at % area.width, *at / area.width))
            return CAIRN_OUT_OF_MEMORY;
    return end < cells ? CAIRN_RUNNING : CAIRN_OK;
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

/* Begins the search from the candidate to the middle of a region that an edge leads to. */
static cairn_status mm_explore_edge(crn_mm_job *job, uint32_t sector, uint64_t edge)
{
    uint32_t slot = crn_mm_slot(CRN_MM_OWN, (uint32_t)(edge >> 16 & 7)),
             middle = job->around[slot][edge & 0xffff].middle;
    cairn_node from = mm_place_cell(job, sector, job->optimum.place),
               to = mm_place_cell(job, crn_mm_around(&job->mm->levels[0], sector, slot), middle);
    job->optimum.running = true;
    cairn_status status = crn_subsearch_begin(&job->subsearch, from, to);
    return status == CAIRN_OUT_OF_MEMORY ? status : CAIRN_RUNNING;
}

/* Counts the expansions of A* from the candidate to the middles of all regions that its region is
 * joined to, up to the least count so far. */
static cairn_status mm_explore_on(crn_mm_job *job, uint32_t sector)
{
    crn_mm_optimum *o = &job->optimum;
    if (o->running) {
        cairn_status status = crn_mm_search_on(job);
        if (status == CAIRN_RUNNING || status == CAIRN_OUT_OF_MEMORY) return status;
        o->running = false;
        o->sum += job->subsearch.search.metrics.expanded;
        o->edge++;
    }
    for (; o->edge < job->draft.edge_count && o->sum < o->least; o->edge++) {
        uint64_t edge = job->draft.edges[o->edge];
        if (edge >> 32 == o->region) return mm_explore_edge(job, sector, edge);
    }
    return CAIRN_OK;
}

/* The place of the next candidate for the centre of the region: first its middle, then those of a
 * lattice. False: there is none. */
static bool mm_next_candidate(crn_mm_job *job, uint32_t sector)
{
    crn_mm_optimum *o = &job->optimum;
    const uint32_t side = job->mm->side, step = side / MM_LATTICE;
    const uint16_t *labels = job->places[CRN_MM_OWN];
    crn_area area = crn_mm_area(job->mm, job->space, sector);
    o->sum = o->edge = 0;
    o->place = job->draft.centres[o->region];
    if (!o->candidate) return true;
    for (; o->candidate <= MM_LATTICE * MM_LATTICE; o->candidate++) {
        uint32_t i = o->candidate - 1;
        uint32_t x = step / 2 + i % MM_LATTICE * step, y = step / 2 + i / MM_LATTICE * step;
        if (x >= area.width || y >= area.height) continue;
        o->place = y * side + x;
        cairn_node cell = mm_place_cell(job, sector, o->place);
        if (cairn_space_usable(&job->space->base, cell) && labels[o->place] == o->region)
            return true;
    }
    return false;
}

/* Shows the 3×3 sectors, or hides them. */
static void mm_show_around(crn_mm_job *job, uint32_t sector)
{
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
        uint32_t around = crn_mm_around(&job->mm->levels[0], sector, slot);
        if (around == UINT32_MAX) continue;
        crn_area area = crn_mm_area(job->mm, job->space, around);
        if (job->optimum.shown) {
            crn_part_hide(&job->part, area);
        } else {
            crn_part_show(&job->part, area);
        }
    }
    job->optimum.shown = !job->optimum.shown;
}

/* A candidate after the other, region by region. */
static cairn_status mm_optimise_on(crn_mm_job *job, uint32_t sector)
{
    crn_mm_optimum *o = &job->optimum;
    if (!o->shown) {
        *o = (crn_mm_optimum){.least = UINT64_MAX};
        mm_show_around(job, sector);
        return CAIRN_RUNNING;
    }
    if (o->region == job->draft.count) {
        mm_show_around(job, sector);
        return CAIRN_OK;
    }
    if (!o->running && !o->edge && !mm_next_candidate(job, sector)) {
        o->region++;
        o->candidate = 0;
        o->least = UINT64_MAX;
        return CAIRN_RUNNING;
    }
    cairn_status status = mm_explore_on(job, sector);
    if (status != CAIRN_OK) return status;
    if (o->sum < o->least) {
        o->least = o->sum;
        job->draft.centres[o->region] = o->place;
    }
    o->candidate++;
    o->edge = 0;
    return CAIRN_RUNNING;
}

/* ---- level 1 ---- */

/* The steps of drafting a sector, in this order. */
enum { MM_BEGIN, MM_SEE, MM_LEAVE, MM_CORNERS, MM_FALL, MM_OPTIMISE, MM_SORT, MM_DRAFTED };

static cairn_status mm_draft_step(crn_mm_job *job, uint32_t sector)
{
    switch (job->drafting.step) {
    case MM_BEGIN:
        crn_mm_begin_draft(job);
        if (!job->mm->optimised || job->searching || crn_grid_may_be_limited(job->space))
            return CAIRN_OK;
        return mm_search_open(job);
    case MM_SEE: return mm_see_around_on(job, sector);
    case MM_LEAVE: return mm_leave_on(job, sector);
    case MM_CORNERS: return crn_mm_join_corners_on(job, job->mm->side * job->mm->side / 2);
    case MM_FALL: return job->space->limited ? mm_fall_on(job, sector) : CAIRN_OK;
    case MM_OPTIMISE: return job->optimising ? mm_optimise_on(job, sector) : CAIRN_OK;
    default: return crn_mm_draft_sort_on(&job->draft) ? CAIRN_OK : CAIRN_RUNNING;
    }
}

static cairn_status mm_draft_sector_on(crn_mm_job *job, uint32_t sector)
{
    crn_mm_progress *p = &job->drafting;
    for (; p->step < MM_DRAFTED; *p = (crn_mm_progress){.step = p->step + 1}) {
        cairn_status status = mm_draft_step(job, sector);
        if (status != CAIRN_OK) return status;
    }
    return CAIRN_OK;
}

cairn_status crn_mm_draft_on(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    cairn_status status =
        level ? crn_mm_draft_upper_on(job, level, sector) : mm_draft_sector_on(job, sector);
    if (status == CAIRN_OK) job->drafting = (crn_mm_progress){0};
    return status;
}

void crn_mm_draft_again(crn_mm_job *job)
{
    for (uint32_t i = 0; i < CRN_MM_FLOODS * CRN_MM_FLOODS; i++) job->floods[i].sector = UINT32_MAX;
    job->flooding.step = 0;
    job->drafting = (crn_mm_progress){0};
    job->optimum = (crn_mm_optimum){0};
    if (job->optimising) crn_mm_job_end_searches(job);
    job->optimising = false;
}
