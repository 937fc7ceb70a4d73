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
#include "hierarchy/mm/mm_index.h"
#include "search/subsearch.h"
#include "world/changes.h"

#define MM_AROUND 9u
#define MM_OWN 4u     /* of the 3×3 sectors the one in the middle */
#define MM_LATTICE 4u /* candidates for a centre in each direction */

typedef struct mm_job {
    crn_mm *mm;
    const crn_grid_space *space;
    cairn_context *context;
    crn_flood flood;
    crn_mm_draft draft;

    /* Of the 3×3 sectors: their regions, and where those have their middles. */
    /* level 1: side² for each of them, by cell; level 2: by rank of the region below */
    uint16_t *labels;
    size_t label_capacity;
    uint32_t *middles;
    size_t middle_capacity;
    uint32_t middle_first[MM_AROUND + 1];
    uint32_t bases[MM_AROUND][CRN_MM_UPPER_SIDE * CRN_MM_UPPER_SIDE +
                              1]; /* level 2: where labels of lower sectors begin */
    uint32_t *set;                /* level 2: union-find, by rank */
    size_t set_capacity;

    /* For optimised centres. */
    crn_scratch memory;
    crn_part part;
    crn_subsearch subsearch;
    bool searching; /* these are open */
} mm_job;

/* Convert between a sector and its place among the 3×3 sectors round another one; UINT32_MAX =
 * there is none. */
static uint32_t mm_around(const crn_mm_level *level, uint32_t sector, uint32_t slot)
{
    int64_t x = (int64_t)(sector % level->columns) + slot % 3 - 1,
            y = (int64_t)(sector / level->columns) + slot / 3 - 1;
    bool inside = x >= 0 && y >= 0 && x < level->columns && y < level->rows;
    return inside ? (uint32_t)(y * level->columns + x) : UINT32_MAX;
}

static uint32_t mm_slot(uint32_t direction)
{
    return (uint32_t)((crn_dy[direction] + 1) * 3 + crn_dx[direction] + 1);
}

/* ---- regions of level 1 ---- */

/* The reached cell nearest to the middle of all reached ones; of equal ones the first. */
static uint32_t mm_middle(const crn_flood *flood, uint32_t side)
{
    int64_t sum_x = 0, sum_y = 0, count = 0, least = INT64_MAX;
    uint32_t best = 0;
    for (uint32_t y = 0; y < flood->area.height; y++) {
        for (uint64_t cells = flood->reached[y]; cells; cells &= cells - 1) {
            sum_x += crn_lowest_bit(cells);
            sum_y += y;
            count++;
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

static bool mm_put_middle(mm_job *job, uint32_t slot, uint32_t middle)
{
    void *middles = job->middles;
    uint32_t count = job->middle_first[slot + 1];
    bool ok = crn_grow(job->context, &middles, &job->middle_capacity, (size_t)count + 1,
                       sizeof *job->middles);
    job->middles = middles;
    if (!ok) return false;
    job->middles[count] = middle;
    job->middle_first[slot + 1]++;
    return true;
}

/* Labels the cells that were reached, and removes them from those that are left. */
static void mm_label(mm_job *job, uint64_t left[CRN_FLOOD_SIDE_MAX], uint16_t *labels,
                     uint32_t region)
{
    for (uint32_t y = 0; y < job->flood.area.height; y++) {
        uint64_t cells = job->flood.reached[y];
        left[y] &= ~cells;
        for (; cells; cells &= cells - 1)
            labels[y * job->mm->side + crn_lowest_bit(cells)] = (uint16_t)region;
    }
}

/* Finds the regions of one of the 3×3 sectors; false = no memory. */
static bool flood_sector(mm_job *job, uint32_t slot, uint32_t sector)
{
    crn_flood *flood = &job->flood;
    const uint32_t side = job->mm->side;
    uint64_t left[CRN_FLOOD_SIDE_MAX];
    uint16_t *labels = job->labels + (size_t)slot * side * side;
    bool middles = slot == MM_OWN || job->searching;
    uint32_t region = 0;
    crn_flood_open(flood, job->space, crn_mm_area(job->mm, job->space, sector));
    memcpy(left, flood->usable, sizeof left);
    for (uint32_t y = 0; y < flood->area.height; y++) {
        while (left[y]) {
            crn_flood_begin(flood, crn_lowest_bit(left[y]), y);
            while (!crn_flood_sweep(flood)) {
            }
            mm_label(job, left, labels, region++);
            if (middles && !mm_put_middle(job, slot, mm_middle(flood, side))) return false;
        }
    }
    return true;
}

/* The steps out of the sector that begin at a cell of it. */
static bool mm_leave_from(mm_job *job, crn_area area, uint32_t x, uint32_t y)
{
    const crn_grid_space *space = job->space;
    const uint32_t side = job->mm->side;
    uint32_t ax = area.left + x, ay = area.top + y;
    if (!crn_bit(&space->usable, (int32_t)ax, (int32_t)ay)) return true;
    uint32_t moves = crn_grid_moves(space, ax, ay),
             region = job->labels[(size_t)MM_OWN * side * side + y * side + x];
    if (space->limited) moves = crn_grid_limit_moves(space, ax, ay, moves);
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        int32_t bx = (int32_t)x + crn_dx[d], by = (int32_t)y + crn_dy[d];
        int32_t sx = (bx >= (int32_t)side) - (bx < 0), sy = (by >= (int32_t)side) - (by < 0);
        if (!sx && !sy) continue;
        uint32_t to_x = (uint32_t)((int32_t)ax + crn_dx[d]),
                 to_y = (uint32_t)((int32_t)ay + crn_dy[d]);
        if (space->limited && !crn_grid_can_step(space, to_x, to_y, ax, ay)) continue;
        uint32_t direction = 0;
        while (crn_dx[direction] != sx || crn_dy[direction] != sy) direction++;
        uint32_t place = to_y % side * side + to_x % side;
        uint32_t other = job->labels[(size_t)mm_slot(direction) * side * side + place];
        if (!crn_mm_draft_edge(&job->draft, job->context, region, direction, other)) return false;
    }
    return true;
}

static bool mm_leave(mm_job *job, uint32_t sector)
{
    crn_area area = crn_mm_area(job->mm, job->space, sector);
    for (uint32_t y = 0; y < area.height; y++) {
        bool rim = !y || y + 1 == area.height;
        for (uint32_t x = 0; x < area.width; x += rim || area.width == 1 ? 1 : area.width - 1) {
            if (!mm_leave_from(job, area, x, y)) return false;
        }
    }
    return true;
}

/* ---- optimised centres ---- */

/* A part in which every cell costs the same, whatever changes elsewhere. */
static cairn_status mm_search_open(mm_job *job)
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

static void mm_search_close(mm_job *job)
{
    if (!job->searching) return;
    crn_subsearch_close(&job->subsearch);
    crn_part_close(&job->part);
    job->searching = false;
}

static cairn_node mm_place_cell(const mm_job *job, uint32_t sector, uint32_t place)
{
    crn_area area = crn_mm_area(job->mm, job->space, sector);
    return (area.top + place / job->mm->side) * job->space->grid->width + area.left +
           place % job->mm->side;
}

/* Counts the expansions of A* from a place to the middles of all regions that its region is joined
 * to, up to `most`. */
static cairn_status mm_explored(mm_job *job, uint32_t sector, uint32_t region, uint32_t place,
                                uint64_t most, uint64_t *sum)
{
    cairn_node from = mm_place_cell(job, sector, place);
    *sum = 0;
    for (size_t i = 0; i < job->draft.edge_count && *sum < most; i++) {
        uint64_t edge = job->draft.edges[i];
        if (edge >> 32 != region) continue;
        uint32_t slot = mm_slot((uint32_t)(edge >> 16 & 7));
        uint32_t middle = job->middles[job->middle_first[slot] + (uint32_t)(edge & 0xffff)];
        cairn_node to = mm_place_cell(job, mm_around(&job->mm->levels[0], sector, slot), middle);
        cairn_status status = crn_subsearch_find(&job->subsearch, from, to);
        if (status == CAIRN_OUT_OF_MEMORY) return status;
        *sum += job->subsearch.search.metrics.expanded;
    }
    return CAIRN_OK;
}

static cairn_status mm_optimise_region(mm_job *job, uint32_t sector, uint32_t region)
{
    const uint32_t side = job->mm->side, step = side / MM_LATTICE;
    const uint16_t *labels = job->labels + (size_t)MM_OWN * side * side;
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

static cairn_status mm_optimise(mm_job *job, uint32_t sector)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t shown = 0; shown < 2; shown++) {
        for (uint32_t slot = 0; slot < MM_AROUND; slot++) {
            uint32_t around = mm_around(&job->mm->levels[0], sector, slot);
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

static void mm_begin_draft(mm_job *job)
{
    job->draft.count = job->draft.edge_count = 0;
    job->middle_first[0] = 0;
}

static cairn_status mm_draft_sector(mm_job *job, uint32_t sector)
{
    mm_begin_draft(job);
    for (uint32_t slot = 0; slot < MM_AROUND; slot++) {
        uint32_t around = mm_around(&job->mm->levels[0], sector, slot);
        job->middle_first[slot + 1] = job->middle_first[slot];
        if (around != UINT32_MAX && !flood_sector(job, slot, around)) return CAIRN_OUT_OF_MEMORY;
    }
    for (uint32_t i = job->middle_first[MM_OWN]; i < job->middle_first[MM_OWN + 1]; i++) {
        if (!crn_mm_draft_region(&job->draft, job->context, job->middles[i]))
            return CAIRN_OUT_OF_MEMORY;
    }
    if (!mm_leave(job, sector)) return CAIRN_OUT_OF_MEMORY;
    return job->searching ? mm_optimise(job, sector) : CAIRN_OK;
}

/* ---- level 2 ---- */

/* The lower sector in a place of an upper one; UINT32_MAX = there is none. */
static uint32_t mm_below(const crn_mm *mm, uint32_t sector, uint32_t place)
{
    const crn_mm_level *lower = &mm->levels[0], *upper = &mm->levels[1];
    uint32_t x = sector % upper->columns * upper->side + place % upper->side,
             y = sector / upper->columns * upper->side + place / upper->side;
    return x < lower->columns && y < lower->rows ? y * lower->columns + x : UINT32_MAX;
}

static uint32_t mm_place_below(const crn_mm *mm, uint32_t lower_sector)
{
    uint32_t columns = mm->levels[0].columns, side = mm->levels[1].side;
    return lower_sector / columns % side * side + lower_sector % columns % side;
}

/* Joins the regions that steps inside one of the 3×3 sectors connect. */
static void mm_unite(mm_job *job, uint32_t slot, uint32_t sector)
{
    const crn_mm *mm = job->mm;
    const crn_mm_level *lower = &mm->levels[0];
    for (uint32_t place = 0; place < CRN_MM_UPPER_SIDE * CRN_MM_UPPER_SIDE; place++) {
        uint32_t below = mm_below(mm, sector, place);
        if (below == UINT32_MAX) continue;
        crn_mm_sector packed = crn_mm_sector_at(lower, below);
        for (uint32_t i = 0; i < packed.count; i++) {
            crn_mm_edges edges = crn_mm_edges_of(&packed, i);
            uint32_t direction, region;
            while (crn_mm_edges_next(&edges, &direction, &region)) {
                uint32_t other = crn_mm_beside(lower, below, direction);
                if (crn_mm_upper(mm, other) != sector) continue;
                crn_set_unite(job->set, job->bases[slot][place] + i,
                              job->bases[slot][mm_place_below(mm, other)] + region);
            }
        }
    }
}

/* Numbers the regions of all 3×3 sectors; false = no memory. */
static bool mm_unite_around(mm_job *job, uint32_t sector)
{
    const crn_mm *mm = job->mm;
    const crn_mm_level *lower = &mm->levels[0];
    const uint32_t places = CRN_MM_UPPER_SIDE * CRN_MM_UPPER_SIDE;
    uint32_t total = 0;
    for (uint32_t slot = 0; slot < MM_AROUND; slot++) {
        uint32_t around = mm_around(&mm->levels[1], sector, slot);
        for (uint32_t place = 0; place < places; place++) {
            uint32_t below = around == UINT32_MAX ? UINT32_MAX : mm_below(mm, around, place);
            job->bases[slot][place] = total;
            if (below != UINT32_MAX) total += lower->first[below + 1] - lower->first[below];
        }
        job->bases[slot][places] = total;
    }
    void *set = job->set, *labels = job->labels;
    bool ok = crn_grow(job->context, &set, &job->set_capacity, total, sizeof *job->set) &&
              crn_grow(job->context, &labels, &job->label_capacity, total, sizeof *job->labels);
    job->set = set;
    job->labels = labels;
    if (!ok) return false;
    for (uint32_t i = 0; i < total; i++) job->set[i] = i;
    for (uint32_t slot = 0; slot < MM_AROUND; slot++) {
        uint32_t around = mm_around(&mm->levels[1], sector, slot), regions = 0;
        if (around == UINT32_MAX) continue;
        mm_unite(job, slot, around);
        for (uint32_t i = job->bases[slot][0]; i < job->bases[slot][places]; i++) {
            uint32_t root = crn_set_find(job->set, i);
            job->labels[i] = root == i ? (uint16_t)regions++ : job->labels[root];
        }
    }
    return true;
}

/* Where the centre of the lower region of a rank in the sector lies. */
static cairn_cell mm_rank_cell(const mm_job *job, uint32_t sector, uint32_t rank)
{
    const crn_mm *mm = job->mm;
    const uint32_t *bases = job->bases[MM_OWN];
    uint32_t place = 0;
    while (bases[place + 1] <= bases[0] + rank) place++;
    return crn_mm_place(mm, 0, mm_below(mm, sector, place), bases[0] + rank - bases[place]);
}

/* The rank of the lower region nearest to the middle of all that belong to a region. */
static uint32_t mm_rank_middle(const mm_job *job, uint32_t sector, uint32_t region)
{
    const uint16_t *labels = job->labels + job->bases[MM_OWN][0];
    uint32_t count =
                 job->bases[MM_OWN][CRN_MM_UPPER_SIDE * CRN_MM_UPPER_SIDE] - job->bases[MM_OWN][0],
             best = 0;
    int64_t sum_x = 0, sum_y = 0, members = 0, least = INT64_MAX;
    for (uint32_t rank = 0; rank < count; rank++) {
        if (labels[rank] != region) continue;
        cairn_cell cell = mm_rank_cell(job, sector, rank);
        sum_x += cell.x;
        sum_y += cell.y;
        members++;
    }
    for (uint32_t rank = 0; rank < count; rank++) {
        if (labels[rank] != region) continue;
        cairn_cell cell = mm_rank_cell(job, sector, rank);
        int64_t dx = cell.x * members - sum_x, dy = cell.y * members - sum_y;
        if (dx * dx + dy * dy >= least) continue;
        least = dx * dx + dy * dy;
        best = rank;
    }
    return best;
}

/* The edges that leave one of the lower sectors for another upper one. */
static bool mm_leave_upper(mm_job *job, uint32_t sector, uint32_t place)
{
    const crn_mm *mm = job->mm;
    const crn_mm_level *lower = &mm->levels[0], *upper = &mm->levels[1];
    uint32_t below = mm_below(mm, sector, place);
    if (below == UINT32_MAX) return true;
    crn_mm_sector packed = crn_mm_sector_at(lower, below);
    for (uint32_t i = 0; i < packed.count; i++) {
        uint32_t from = job->labels[job->bases[MM_OWN][place] + i], d, region;
        crn_mm_edges edges = crn_mm_edges_of(&packed, i);
        while (crn_mm_edges_next(&edges, &d, &region)) {
            uint32_t other = crn_mm_beside(lower, below, d), to = crn_mm_upper(mm, other),
                     direction = 0;
            if (to == sector) continue;
            while (crn_mm_beside(upper, sector, direction) != to) direction++;
            uint32_t label = job->bases[mm_slot(direction)][mm_place_below(mm, other)] + region;
            if (!crn_mm_draft_edge(&job->draft, job->context, from, direction, job->labels[label]))
                return false;
        }
    }
    return true;
}

static cairn_status mm_draft_upper(mm_job *job, uint32_t sector)
{
    mm_begin_draft(job);
    if (!mm_unite_around(job, sector)) return CAIRN_OUT_OF_MEMORY;
    uint32_t places = CRN_MM_UPPER_SIDE * CRN_MM_UPPER_SIDE, regions = 0;
    for (uint32_t i = job->bases[MM_OWN][0]; i < job->bases[MM_OWN][places]; i++) {
        regions = crn_max_u32(regions, job->labels[i] + 1u);
    }
    bool ok = true;
    for (uint32_t i = 0; i < regions && ok; i++) {
        ok = crn_mm_draft_region(&job->draft, job->context, mm_rank_middle(job, sector, i));
    }
    for (uint32_t place = 0; place < places && ok; place++) ok = mm_leave_upper(job, sector, place);
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* ---- levels ---- */

/* Makes a level: marked sectors, or all if there are no marks, from scratch; the others are copied
 * from `old`. */
static cairn_status mm_make_level(mm_job *job, uint32_t i, const crn_mm_level *old,
                                  const uint8_t *marks, const cairn_progress *progress,
                                  uint64_t done, uint64_t total)
{
    crn_mm_level *level = &job->mm->levels[i];
    crn_mm_writer writer = {.context = job->context, .level = level};
    cairn_status status = CAIRN_OK;
    for (uint32_t sector = 0; sector < crn_mm_sector_count(level) && status == CAIRN_OK; sector++) {
        if (sector % level->columns == 0 && !crn_progress(progress, done + sector, total))
            return CAIRN_CANCELLED;
        if (marks && !marks[sector]) {
            if (!crn_mm_write_copy(&writer, old)) status = CAIRN_OUT_OF_MEMORY;
            continue;
        }
        status = i ? mm_draft_upper(job, sector) : mm_draft_sector(job, sector);
        if (status == CAIRN_OK && !crn_mm_write(&writer, &job->draft)) status = CAIRN_OUT_OF_MEMORY;
    }
    if (status == CAIRN_OK && !crn_mm_write_end(&writer)) status = CAIRN_OUT_OF_MEMORY;
    return status;
}

static bool mm_open_levels(crn_mm *mm, const crn_grid_space *space)
{
    cairn_context *context = space->base.context;
    crn_mm_level *lower = &mm->levels[0];
    crn_mm_extent extent = {mm->side, mm->side * mm->side, space->grid->width, space->grid->height};
    if (!crn_mm_level_open(lower, context, extent)) return false;
    extent = (crn_mm_extent){CRN_MM_UPPER_SIDE, UINT32_MAX, lower->columns, lower->rows};
    return mm->level_count == 1 || crn_mm_level_open(&mm->levels[1], context, extent);
}

static void mm_close_job(mm_job *job)
{
    mm_search_close(job);
    crn_mm_draft_close(&job->draft, job->context);
    crn_free(job->context, job->labels, job->label_capacity * sizeof *job->labels);
    crn_free(job->context, job->middles, job->middle_capacity * sizeof *job->middles);
    crn_free(job->context, job->set, job->set_capacity * sizeof *job->set);
}

/* All levels; `old` and marks for each of them, or NULL. */
static cairn_status mm_make(crn_mm *mm, const crn_grid_space *space, const crn_mm *old,
                            uint8_t *const marks[CRN_MM_LEVELS], const cairn_progress *progress)
{
    mm_job *job = crn_alloc_zero(space->base.context, sizeof *job);
    if (!job) return CAIRN_OUT_OF_MEMORY;
    job->mm = mm;
    job->space = space;
    job->context = space->base.context;
    void *labels = NULL;
    bool ok = mm_open_levels(mm, space) &&
              crn_grow(job->context, &labels, &job->label_capacity,
                       (size_t)MM_AROUND * mm->side * mm->side, sizeof *job->labels);
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
    if (status == CAIRN_OK && !crn_progress(progress, total, total)) status = CAIRN_CANCELLED;
    mm_close_job(job);
    crn_free(space->base.context, job, sizeof *job);
    if (status != CAIRN_OK) crn_mm_drop(mm, space->base.context);
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

/* Marks the 3×3 sectors round one, on all levels. */
static void mm_mark(const crn_mm *mm, uint32_t sector, uint8_t *const marks[CRN_MM_LEVELS])
{
    for (uint32_t i = 0; i < mm->level_count; i++) {
        if (i) sector = crn_mm_upper(mm, sector);
        for (uint32_t slot = 0; slot < MM_AROUND; slot++) {
            uint32_t around = mm_around(&mm->levels[i], sector, slot);
            if (around != UINT32_MAX) marks[i][around] = 1;
        }
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
                mm_mark(mm, y * mm->levels[0].columns + x, marks);
            }
        }
    }
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
    crn_mm fresh = {.side = mm->side, .level_count = mm->level_count, .optimised = mm->optimised};
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
