/* mm_upper.c: sectors of the levels of `mm` above the first one, and how regions at corners are
 * joined on all of them. See mm_job.h.
 *
 * A region of an upper level is what is connected of the regions below it, inside its 4×4 sectors.
 * If no edge leads out of it, nothing ever passes it, and it is left out.
 *
 * Corners. Sectors that meet at a corner are seldom joined by a step: it would have to be the one
 * between two cells. Without such edges a route towards the south-east goes east and south in
 * turn, at the same cost in whatever order. The search could as well go all the way east first,
 * and paths became up to a fifth longer; and no estimate was near the truth. So two regions at a
 * corner are joined too if a region beside both leads from one to the other, and if they are large:
 * on level 1 half of their sector, above of four regions. Between small ones the path through the
 * third may be long, and the search from centre to centre explores much to find it.
 */
#include "hierarchy/mm/mm_job.h"

/* ---- from level to level ---- */

/* Row by row of sectors, then along the row that it is in. */
uint32_t crn_mm_descend(const crn_mm *mm, uint32_t level, uint32_t sector, uint32_t region,
                        uint32_t *component_below)
{
    const crn_mm_level *lower = &mm->levels[level - 1], *upper = &mm->levels[level];
    crn_mm_sector packed = crn_mm_sector_at(upper, sector);
    uint32_t rank = crn_mm_centre(&packed, region), row = sector / upper->columns;
    uint32_t left = (sector - row * upper->columns) * CRN_MM_UPPER_SIDE;
    uint32_t width = crn_min_u32(CRN_MM_UPPER_SIDE, lower->columns - left);
    const uint32_t *first = lower->first + (size_t)row * CRN_MM_UPPER_SIDE * lower->columns + left;
    for (; rank >= first[width] - first[0]; first += lower->columns)
        rank -= first[width] - first[0];
    for (; rank >= first[1] - first[0]; first++) rank -= first[1] - first[0];
    *component_below = rank;
    return (uint32_t)(first - lower->first);
}

cairn_node crn_mm_lower(const crn_mm *mm, uint32_t level, uint32_t sector, uint32_t region)
{
    uint32_t rank, below = crn_mm_descend(mm, level, sector, region, &rank);
    return mm->levels[level - 1].first[below] + rank;
}

uint32_t crn_mm_upper(const crn_mm *mm, uint32_t level, uint32_t sector)
{
    const crn_mm_level *lower = &mm->levels[level], *upper = &mm->levels[level + 1];
    uint32_t x = sector % lower->columns, y = sector / lower->columns;
    return y / upper->side * upper->columns + x / upper->side;
}

uint32_t crn_mm_around(const crn_mm_level *level, uint32_t sector, uint32_t slot)
{
    int64_t x = (int64_t)(sector % level->columns) + slot % 3 - 1,
            y = (int64_t)(sector / level->columns) + slot / 3 - 1;
    bool inside = x >= 0 && y >= 0 && x < level->columns && y < level->rows;
    return inside ? (uint32_t)(y * level->columns + x) : UINT32_MAX;
}

/* ---- edges ---- */

void crn_mm_begin_draft(crn_mm_job *job)
{
    job->draft.count = job->draft.edge_count = job->beside.edge_count = 0;
    memset(job->about_first, 0, sizeof job->about_first);
}

bool crn_mm_put_about(crn_mm_job *job, uint32_t slot, uint32_t middle, uint32_t size)
{
    void *about = job->about;
    uint32_t count = job->about_first[slot + 1];
    bool ok =
        crn_grow(job->context, &about, &job->about_capacity, (size_t)count + 1, sizeof *job->about);
    job->about = about;
    if (!ok) return false;
    job->about[count] = (crn_mm_about){middle, size};
    job->about_first[slot + 1]++;
    return true;
}

bool crn_mm_counts(const crn_mm_job *job, uint32_t slot)
{
    bool corners = job->space->profile.neighbours != CAIRN_NEIGHBOURS_4;
    return slot == CRN_MM_OWN || (corners && slot % 2);
}

bool crn_mm_join(crn_mm_job *job, uint32_t slot, uint32_t region, uint32_t direction,
                 uint32_t other)
{
    if (slot == CRN_MM_OWN)
        return crn_mm_draft_edge(&job->draft, job->context, region, direction, other);
    uint32_t corner = crn_mm_slot(slot, direction);
    if (corner % 2 || corner == CRN_MM_OWN) return true; /* is none */
    return crn_mm_draft_edge(&job->beside, job->context, slot << 16 | region, corner, other);
}

/* The first edge of a draft in order that is no less. */
static size_t mm_first_edge(const crn_mm_draft *draft, uint64_t least)
{
    return crn_lower_bound_wide(draft->edges, draft->edge_count, least);
}

static uint32_t mm_size(const crn_mm_job *job, uint32_t slot, uint32_t region)
{
    return job->about[job->about_first[slot] + region].size;
}

static uint32_t mm_direction_to(uint32_t slot)
{
    uint32_t direction = 0;
    while (crn_mm_slot(CRN_MM_OWN, direction) != slot) direction++;
    return direction;
}

bool crn_mm_join_corners(crn_mm_job *job, uint32_t least)
{
    const crn_mm_draft *beside = &job->beside;
    if (!beside->edge_count) return true;
    crn_mm_draft_sort(&job->draft);
    crn_mm_draft_sort(&job->beside);
    for (size_t i = job->draft.edge_count; i-- > 0;) {
        uint64_t edge = job->draft.edges[i];
        if (mm_size(job, CRN_MM_OWN, (uint32_t)(edge >> 32)) < least) continue;
        uint64_t slot = crn_mm_slot(CRN_MM_OWN, (uint32_t)(edge >> 16 & 7));
        uint64_t node = slot << 16 | (edge & 0xffff);
        for (size_t k = mm_first_edge(beside, node << 32);
             k < beside->edge_count && beside->edges[k] >> 32 == node; k++) {
            uint32_t corner = (uint32_t)(beside->edges[k] >> 16 & 15),
                     region = (uint32_t)beside->edges[k] & 0xffff;
            if (mm_size(job, corner, region) < least) continue;
            if (!crn_mm_draft_edge(&job->draft, job->context, (uint32_t)(edge >> 32),
                                   mm_direction_to(corner), region))
                return false;
        }
    }
    return true;
}

/* ---- regions ---- */

/* The lower sector in a place of an upper one; UINT32_MAX = there is none. */
static uint32_t mm_below(const crn_mm *mm, uint32_t level, uint32_t sector, uint32_t place)
{
    const crn_mm_level *lower = &mm->levels[level - 1], *upper = &mm->levels[level];
    uint32_t x = sector % upper->columns * upper->side + place % upper->side,
             y = sector / upper->columns * upper->side + place / upper->side;
    return x < lower->columns && y < lower->rows ? y * lower->columns + x : UINT32_MAX;
}

static uint32_t mm_place_below(const crn_mm *mm, uint32_t level, uint32_t lower_sector)
{
    uint32_t columns = mm->levels[level - 1].columns, side = mm->levels[level].side;
    return lower_sector / columns % side * side + lower_sector % columns % side;
}

/* Joins the regions that edges inside one of the 3×3 sectors connect, and labels those that have
 * edges to elsewhere. */
static void mm_unite(crn_mm_job *job, uint32_t level, uint32_t slot, uint32_t sector)
{
    const crn_mm *mm = job->mm;
    const crn_mm_level *lower = &mm->levels[level - 1];
    for (uint32_t place = 0; place < CRN_MM_BELOW; place++) {
        uint32_t below = mm_below(mm, level, sector, place);
        if (below == UINT32_MAX) continue;
        crn_mm_sector packed = crn_mm_sector_at(lower, below);
        for (uint32_t i = 0; i < packed.count; i++) {
            crn_mm_edges edges = crn_mm_edges_of(&packed, i);
            uint32_t direction, region, rank = job->bases[slot][place] + i;
            while (crn_mm_edges_next(&edges, &direction, &region)) {
                uint32_t other = crn_mm_beside(lower, below, direction);
                if (crn_mm_upper(mm, level - 1, other) == sector) {
                    uint32_t base = job->bases[slot][mm_place_below(mm, level, other)];
                    crn_set_unite(job->set, rank, base + region);
                } else {
                    job->labels[rank] = 0;
                }
            }
        }
    }
}

/* Numbers the regions of a sector in a place, and counts what lies below them. */
static bool mm_number_regions(crn_mm_job *job, uint32_t slot)
{
    const uint32_t *bases = job->bases[slot];
    uint32_t regions = 0;
    for (uint32_t i = bases[0]; i < bases[CRN_MM_BELOW]; i++) {
        if (job->labels[i] != CRN_MM_NO_LABEL) job->labels[crn_set_find(job->set, i)] = 0;
    }
    for (uint32_t i = bases[0]; i < bases[CRN_MM_BELOW]; i++) {
        uint32_t root = crn_set_find(job->set, i);
        if (job->labels[root] == CRN_MM_NO_LABEL) continue;
        if (root == i && !crn_mm_put_about(job, slot, 0, 0)) return false;
        job->labels[i] = root == i ? (uint16_t)regions++ : job->labels[root];
        job->about[job->about_first[slot] + job->labels[i]].size++;
    }
    return true;
}

/* The ranks of what lies below the 3×3 sectors; how many. */
static uint32_t mm_rank_around(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    const crn_mm *mm = job->mm;
    const crn_mm_level *lower = &mm->levels[level - 1];
    uint32_t total = 0;
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
        uint32_t around = crn_mm_around(&mm->levels[level], sector, slot);
        for (uint32_t place = 0; place < CRN_MM_BELOW; place++) {
            uint32_t below = around == UINT32_MAX ? UINT32_MAX : mm_below(mm, level, around, place);
            job->bases[slot][place] = total;
            if (below != UINT32_MAX) total += lower->first[below + 1] - lower->first[below];
        }
        job->bases[slot][CRN_MM_BELOW] = total;
    }
    return total;
}

/* Each of this many ranks is alone, and left out. */
static bool mm_begin_uniting(crn_mm_job *job, uint32_t total)
{
    void *set = job->set, *labels = job->labels;
    bool ok = crn_grow(job->context, &set, &job->set_capacity, total, sizeof *job->set) &&
              crn_grow(job->context, &labels, &job->label_capacity, total, sizeof *job->labels);
    job->set = set;
    job->labels = labels;
    if (!ok) return false;
    for (uint32_t i = 0; i < total; i++) {
        job->set[i] = i;
        job->labels[i] = CRN_MM_NO_LABEL;
    }
    return true;
}

/* Finds the regions of all 3×3 sectors; false = no memory. */
static bool mm_unite_around(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    if (!mm_begin_uniting(job, mm_rank_around(job, level, sector))) return false;
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
        uint32_t around = crn_mm_around(&job->mm->levels[level], sector, slot);
        job->about_first[slot + 1] = job->about_first[slot];
        if (around == UINT32_MAX) continue;
        mm_unite(job, level, slot, around);
        if (!mm_number_regions(job, slot)) return false;
    }
    return true;
}

/* ---- which region is it part of? ---- */

cairn_node crn_mm_above(const crn_mm *mm, uint32_t level, cairn_node node)
{
    const crn_mm_level *lower = &mm->levels[level];
    uint32_t sector = crn_mm_sector_of(lower, node), label = lower->above[node];
    if (label == CRN_MM_NO_LABEL) return CAIRN_NO_NODE;
    return mm->levels[level + 1].first[crn_mm_upper(mm, level, sector)] + label;
}

/* Writes the labels of what lies below a sector, if there are that many regions: a wrong file may
 * have fewer. */
static void mm_put_labels(crn_mm_job *job, uint32_t level, uint32_t sector, uint32_t regions)
{
    crn_mm_level *lower = &job->mm->levels[level - 1];
    for (uint32_t place = 0; place < CRN_MM_BELOW; place++) {
        const uint32_t *base = &job->bases[CRN_MM_OWN][place];
        if (base[0] == base[1]) continue;
        uint16_t *above = lower->above + lower->first[mm_below(job->mm, level, sector, place)];
        for (uint32_t i = base[0]; i < base[1]; i++)
            *above++ = job->labels[i] < regions ? job->labels[i] : CRN_MM_NO_LABEL;
    }
}

void crn_mm_copy_labels(crn_mm *mm, uint32_t level, uint32_t sector, const crn_mm_level *below)
{
    crn_mm_level *lower = &mm->levels[level - 1];
    for (uint32_t place = 0; place < CRN_MM_BELOW; place++) {
        uint32_t at = mm_below(mm, level, sector, place);
        if (at == UINT32_MAX) continue;
        memcpy(lower->above + lower->first[at], below->above + below->first[at],
               (lower->first[at + 1] - lower->first[at]) * sizeof *lower->above);
    }
}

cairn_status crn_mm_find_labels(crn_mm_job *job)
{
    for (uint32_t level = 1; level < job->mm->level_count; level++) {
        const crn_mm_level *upper = &job->mm->levels[level];
        if (!crn_mm_level_open_labels(&job->mm->levels[level - 1], job->context))
            return CAIRN_OUT_OF_MEMORY;
        for (uint32_t sector = 0; sector < crn_mm_sector_count(upper); sector++) {
            crn_mm_begin_draft(job);
            if (!mm_begin_uniting(job, mm_rank_around(job, level, sector)))
                return CAIRN_OUT_OF_MEMORY;
            mm_unite(job, level, CRN_MM_OWN, sector);
            if (!mm_number_regions(job, CRN_MM_OWN)) return CAIRN_OUT_OF_MEMORY;
            mm_put_labels(job, level, sector, upper->first[sector + 1] - upper->first[sector]);
        }
    }
    return CAIRN_OK;
}

/* ---- centres ---- */

/* Where the centre of the lower region of a rank in the sector lies. */
static cairn_cell mm_rank_cell(const crn_mm_job *job, uint32_t level, uint32_t sector,
                               uint32_t rank)
{
    const crn_mm *mm = job->mm;
    const uint32_t *bases = job->bases[CRN_MM_OWN];
    uint32_t place = 0;
    while (bases[place + 1] <= bases[0] + rank) place++;
    return crn_mm_place(mm, level - 1, mm_below(mm, level, sector, place),
                        bases[0] + rank - bases[place]);
}

/* The rank of the lower region nearest to the middle of all that belong to a region. */
static uint32_t mm_rank_middle(const crn_mm_job *job, uint32_t level, uint32_t sector,
                               uint32_t region)
{
    const uint32_t *bases = job->bases[CRN_MM_OWN];
    const uint16_t *labels = job->labels + bases[0];
    uint32_t count = bases[CRN_MM_BELOW] - bases[0], best = 0;
    int64_t sum_x = 0, sum_y = 0, members = 0, least = INT64_MAX;
    for (uint32_t rank = 0; rank < count; rank++) {
        if (labels[rank] != region) continue;
        cairn_cell cell = mm_rank_cell(job, level, sector, rank);
        sum_x += cell.x;
        sum_y += cell.y;
        members++;
    }
    for (uint32_t rank = 0; rank < count; rank++) {
        if (labels[rank] != region) continue;
        cairn_cell cell = mm_rank_cell(job, level, sector, rank);
        int64_t dx = cell.x * members - sum_x, dy = cell.y * members - sum_y;
        if (dx * dx + dy * dy >= least) continue;
        least = dx * dx + dy * dy;
        best = rank;
    }
    return best;
}

/* ---- a sector ---- */

/* The edges of a lower sector, in a place of the upper one, that leave the upper one. */
static bool mm_leave_upper(crn_mm_job *job, uint32_t level, uint32_t slot, uint32_t place,
                           uint32_t below)
{
    const crn_mm *mm = job->mm;
    const crn_mm_level *lower = &mm->levels[level - 1], *upper = &mm->levels[level];
    uint32_t sector = crn_mm_upper(mm, level - 1, below);
    crn_mm_sector packed = crn_mm_sector_at(lower, below);
    for (uint32_t i = 0; i < packed.count; i++) {
        uint32_t from = job->labels[job->bases[slot][place] + i], d, region;
        crn_mm_edges edges = crn_mm_edges_of(&packed, i);
        while (crn_mm_edges_next(&edges, &d, &region)) {
            uint32_t other = crn_mm_beside(lower, below, d),
                     to = crn_mm_upper(mm, level - 1, other), direction = 0;
            if (to == sector) continue;
            while (crn_mm_beside(upper, sector, direction) != to) direction++;
            uint32_t beside = crn_mm_slot(slot, direction);
            if (beside == CRN_MM_AROUND) continue;
            uint32_t rank = job->bases[beside][mm_place_below(mm, level, other)] + region;
            if (job->labels[rank] == CRN_MM_NO_LABEL) continue; /* only in a wrong file */
            if (!crn_mm_join(job, slot, from, direction, job->labels[rank])) return false;
        }
    }
    return true;
}

static bool mm_leave_all(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    bool ok = true;
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
        uint32_t around = crn_mm_around(&job->mm->levels[level], sector, slot);
        if (around == UINT32_MAX || !crn_mm_counts(job, slot)) continue;
        for (uint32_t place = 0; place < CRN_MM_BELOW && ok; place++) {
            uint32_t below = mm_below(job->mm, level, around, place);
            if (below != UINT32_MAX) ok = mm_leave_upper(job, level, slot, place, below);
        }
    }
    return ok && crn_mm_join_corners(job, CRN_MM_UPPER_SIDE);
}

cairn_status crn_mm_draft_upper(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    crn_mm_begin_draft(job);
    if (!mm_unite_around(job, level, sector)) return CAIRN_OUT_OF_MEMORY;
    uint32_t regions = job->about_first[CRN_MM_OWN + 1] - job->about_first[CRN_MM_OWN];
    bool ok = true;
    for (uint32_t i = 0; i < regions && ok; i++) {
        uint32_t middle = mm_rank_middle(job, level, sector, i);
        ok = crn_mm_draft_region(&job->draft, job->context, middle);
    }
    mm_put_labels(job, level, sector, regions);
    return ok && mm_leave_all(job, level, sector) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}
