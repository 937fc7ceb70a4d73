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

/* At a time: edges, ranks, ranks whose centres are asked for, and those whose edges are read. */
enum { MM_JOINED = 128, MM_RANKS = 1024, MM_CENTRED = 64, MM_LEFT_RANKS = 64 };
/* And the units of work they count for. */
enum { MM_RANKS_UNITS = 16, MM_CENTRED_UNITS = 16, MM_UPPER_UNITS = 16 };

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
    memset(job->counts, 0, sizeof job->counts);
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
    return job->around[slot][region].size;
}

/* Joins the region that an edge leaves to those at corners. */
static bool mm_join_corner(crn_mm_job *job, uint64_t edge, uint32_t least)
{
    const crn_mm_draft *beside = &job->beside;
    if (mm_size(job, CRN_MM_OWN, (uint32_t)(edge >> 32)) < least) return true;
    uint64_t slot = crn_mm_slot(CRN_MM_OWN, (uint32_t)(edge >> 16 & 7));
    uint64_t node = slot << 16 | (edge & 0xffff);
    for (size_t k = mm_first_edge(beside, node << 32);
         k < beside->edge_count && beside->edges[k] >> 32 == node; k++) {
        uint32_t corner = (uint32_t)(beside->edges[k] >> 16 & 15),
                 region = (uint32_t)beside->edges[k] & 0xffff;
        if (mm_size(job, corner, region) < least) continue;
        uint32_t direction = crn_mm_towards((int32_t)(corner % 3) - 1, (int32_t)(corner / 3) - 1);
        if (!crn_mm_draft_edge(&job->draft, job->context, (uint32_t)(edge >> 32), direction,
                               region))
            return false;
    }
    return true;
}

cairn_status crn_mm_join_corners_on(crn_mm_job *job, uint32_t least)
{
    enum { SORT_OWN, SORT_BESIDE, JOIN };
    uint32_t *step = &job->drafting.at;
    if (!job->beside.edge_count) return CAIRN_OK;
    if (*step < JOIN) {
        *step += crn_mm_draft_sort_on(*step == SORT_OWN ? &job->draft : &job->beside);
        job->drafting.edge = job->draft.edge_count;
        return CAIRN_RUNNING;
    }
    for (uint32_t left = MM_JOINED; job->drafting.edge; left--) {
        if (!left) return CAIRN_RUNNING;
        if (!mm_join_corner(job, job->draft.edges[--job->drafting.edge], least))
            return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_OK;
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

/* The place beside another one; CRN_MM_BELOW: it is in another upper sector. */
static uint32_t mm_inside(uint32_t place, uint32_t direction)
{
    uint32_t x = (uint32_t)((int32_t)(place % CRN_MM_UPPER_SIDE) + crn_dx[direction]),
             y = (uint32_t)((int32_t)(place / CRN_MM_UPPER_SIDE) + crn_dy[direction]);
    return x < CRN_MM_UPPER_SIDE && y < CRN_MM_UPPER_SIDE ? y * CRN_MM_UPPER_SIDE + x
                                                          : CRN_MM_BELOW;
}

/* The ranks of what lies below the sector in a place, from this one on; the next one. */
static uint32_t mm_rank(crn_mm_job *job, uint32_t level, uint32_t slot, uint32_t sector,
                        uint32_t rank)
{
    const crn_mm_level *lower = &job->mm->levels[level - 1];
    for (uint32_t place = 0; place < CRN_MM_BELOW; place++) {
        uint32_t below =
            sector == UINT32_MAX ? UINT32_MAX : mm_below(job->mm, level, sector, place);
        job->bases[slot][place] = rank;
        if (below != UINT32_MAX) rank += crn_mm_count(lower, below);
    }
    return job->bases[slot][CRN_MM_BELOW] = rank;
}

static bool mm_reserve_ranks(crn_mm_job *job, uint32_t total)
{
    void *set = job->set, *labels = job->labels;
    bool ok = crn_grow(job->context, &set, &job->set_capacity, total, sizeof *job->set) &&
              crn_grow(job->context, &labels, &job->label_capacity, total, sizeof *job->labels);
    job->set = set;
    job->labels = labels;
    return ok;
}

/* ---- which region is it part of? ---- */

cairn_node crn_mm_above(const crn_mm *mm, uint32_t level, cairn_node node)
{
    const crn_mm_level *lower = &mm->levels[level];
    uint32_t sector = crn_mm_sector_of(lower, node);
    const uint16_t *labels = crn_mm_block(&lower->labels, lower->label_begin[sector]);
    uint32_t label = labels[node - lower->first[sector]];
    if (label == CRN_MM_NO_LABEL) return CAIRN_NO_NODE;
    return mm->levels[level + 1].first[crn_mm_upper(mm, level, sector)] + label;
}

/* Joins the regions of a lower sector that edges inside the sector connect, and labels those that
 * have edges to elsewhere. */
static void mm_unite(crn_mm_job *job, uint32_t level, uint32_t sector, uint32_t place)
{
    const uint32_t *bases = job->bases[CRN_MM_OWN];
    uint32_t below = mm_below(job->mm, level, sector, place), to[CRN_DIRECTIONS], direction, region;
    if (below == UINT32_MAX) return;
    crn_mm_sector packed = crn_mm_sector_at(&job->mm->levels[level - 1], below);
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) to[d] = mm_inside(place, d);
    for (uint32_t i = 0; i < packed.count; i++) {
        crn_mm_edges edges = crn_mm_edges_of(&packed, i);
        uint32_t rank = bases[place] + i;
        while (crn_mm_edges_next(&edges, &direction, &region)) {
            if (to[direction] < CRN_MM_BELOW) {
                crn_set_unite(job->set, rank, bases[to[direction]] + region);
            } else {
                job->labels[rank] = 0;
            }
        }
    }
}

/* The same of the next lower sectors. */
static cairn_status mm_unite_on(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    const uint32_t *bases = job->bases[CRN_MM_OWN];
    uint32_t *place = &job->drafting.place, first = bases[*place];
    if (!crn_mm_spend(job, MM_UPPER_UNITS)) return CAIRN_RUNNING;
    for (; *place < CRN_MM_BELOW; ++*place) {
        if (bases[*place] - first > MM_LEFT_RANKS) return CAIRN_RUNNING;
        mm_unite(job, level, sector, *place);
    }
    return CAIRN_OK;
}

/* The next ranks: the first of each region gets a label if one of them has. */
static cairn_status mm_find_roots_on(crn_mm_job *job, uint32_t ranks)
{
    uint32_t *at = &job->drafting.at, end = crn_min_u32(*at + MM_RANKS, ranks);
    for (; *at < end; ++*at)
        if (job->labels[*at] != CRN_MM_NO_LABEL) job->labels[crn_set_find(job->set, *at)] = 0;
    return end < ranks ? CAIRN_RUNNING : CAIRN_OK;
}

/* The next ranks: numbers the regions. No more than there are: a wrong file may have fewer. */
static cairn_status mm_number_on(crn_mm_job *job, uint32_t ranks, uint32_t most)
{
    uint32_t *at = &job->drafting.at, *regions = &job->drafting.regions;
    uint32_t end = crn_min_u32(*at + MM_RANKS, ranks);
    for (; *at < end; ++*at) {
        uint32_t root = crn_set_find(job->set, *at);
        if (job->labels[root] == CRN_MM_NO_LABEL) continue;
        job->labels[*at] = root == *at ? (uint16_t)(*regions)++ : job->labels[root];
    }
    if (end < ranks) return CAIRN_RUNNING;
    for (uint32_t i = 0; *regions > most && i < ranks; i++)
        if (job->labels[i] >= most) job->labels[i] = CRN_MM_NO_LABEL;
    return CAIRN_OK;
}

/* Writes the labels of a sector below, in place of those that it had. */
static bool mm_put_labels(crn_mm_job *job, uint32_t level, uint32_t below, const uint16_t *labels)
{
    crn_mm_level *lower = &job->mm->levels[level - 1];
    uint32_t count = crn_mm_count(lower, below);
    if (!job->whole) {
        const crn_mm_old *old = crn_mm_old_sector(job, level - 1, below);
        crn_mm_change change = {&lower->label_begin[below], old ? old->count : count, labels,
                                count};
        return crn_mm_blocks_replace(&lower->labels, job->context, &change);
    }
    uint16_t *out = crn_mm_blocks_room(&lower->labels, job->context, count);
    if (!out) return false;
    memcpy(out, labels, count * sizeof *labels);
    lower->label_begin[below] = crn_mm_blocks_append(&lower->labels, count);
    return true;
}

/* Every rank is a region of its own, without a label. */
static bool mm_label_begin(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    uint32_t ranks = mm_rank(job, level, CRN_MM_OWN, sector, 0);
    if (!mm_reserve_ranks(job, ranks + 1)) return false;
    for (uint32_t i = 0; i < ranks; i++) {
        job->set[i] = i;
        job->labels[i] = CRN_MM_NO_LABEL;
    }
    return true;
}

enum { MM_LABEL_BEGIN, MM_LABEL_UNITE, MM_LABEL_ROOTS, MM_LABEL_NUMBER, MM_LABEL_PUT, MM_LABELLED };

static cairn_status mm_label_step(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    const crn_mm_level *upper = &job->mm->levels[level];
    uint32_t *place = &job->drafting.place, ranks = job->bases[CRN_MM_OWN][CRN_MM_BELOW];
    bool ok = true;
    switch (job->drafting.step) {
    case MM_LABEL_BEGIN: return mm_label_begin(job, level, sector) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    case MM_LABEL_UNITE: return mm_unite_on(job, level, sector);
    case MM_LABEL_ROOTS: return mm_find_roots_on(job, ranks);
    case MM_LABEL_NUMBER:
        return mm_number_on(job, ranks,
                            job->loading ? crn_mm_count(upper, sector) : CRN_MM_NO_LABEL);
    default: break;
    }
    for (; *place < CRN_MM_BELOW && ok; ++*place) {
        uint32_t below = mm_below(job->mm, level, sector, *place);
        if (below != UINT32_MAX)
            ok = mm_put_labels(job, level, below, job->labels + job->bases[CRN_MM_OWN][*place]);
    }
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

cairn_status crn_mm_label_on(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    crn_mm_progress *p = &job->drafting;
    for (; p->step < MM_LABELLED; *p = (crn_mm_progress){.step = p->step + 1}) {
        cairn_status status = mm_label_step(job, level, sector);
        if (status != CAIRN_OK) return status;
    }
    *p = (crn_mm_progress){0};
    return CAIRN_OK;
}

/* Reads the labels of what lies below the sector in a place. */
static void mm_read_labels(crn_mm_job *job, uint32_t level, uint32_t slot, uint32_t sector)
{
    const crn_mm_level *lower = &job->mm->levels[level - 1];
    for (uint32_t place = 0; place < CRN_MM_BELOW; place++) {
        uint32_t below = mm_below(job->mm, level, sector, place);
        if (below == UINT32_MAX) continue;
        memcpy(job->labels + job->bases[slot][place],
               crn_mm_block(&lower->labels, lower->label_begin[below]),
               crn_mm_count(lower, below) * sizeof *job->labels);
    }
}

/* Counts the regions of a sector in a place, and what lies below them. They stand behind those
 * that were counted before. */
static cairn_status mm_count_labels_on(crn_mm_job *job, uint32_t slot)
{
    const uint32_t *bases = job->bases[slot];
    uint32_t first = job->about_first[slot], *at = &job->drafting.at;
    uint32_t ranks = bases[CRN_MM_BELOW] - bases[0], end = crn_min_u32(*at + MM_RANKS, ranks);
    if (!*at) {
        void *about = job->about;
        bool ok = crn_grow(job->context, &about, &job->about_capacity, (size_t)first + ranks + 1,
                           sizeof *job->about);
        job->about = about;
        if (!ok) return CAIRN_OUT_OF_MEMORY;
        memset(job->about + first, 0, (ranks + 1) * sizeof *job->about);
    }
    for (; *at < end; ++*at) {
        uint32_t label = job->labels[bases[0] + *at];
        if (label == CRN_MM_NO_LABEL) continue;
        job->about[first + label].size++;
        job->counts[slot] = crn_max_u32(job->counts[slot], label + 1u);
    }
    job->about_first[slot + 1] = first + job->counts[slot];
    return end < ranks ? CAIRN_RUNNING : CAIRN_OK;
}

/* Ranks of what lies below the 3×3 sectors. */
static bool mm_rank_around(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    uint32_t ranks = 0;
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++)
        ranks =
            mm_rank(job, level, slot, crn_mm_around(&job->mm->levels[level], sector, slot), ranks);
    job->about_first[0] = 0;
    return mm_reserve_ranks(job, ranks + 1);
}

/* Finds the regions of all 3×3 sectors. */
static cairn_status mm_see_upper_on(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    uint32_t *slot = &job->drafting.slot;
    for (uint32_t left = MM_RANKS; *slot < CRN_MM_AROUND; ++*slot, job->drafting.at = 0) {
        uint32_t around = crn_mm_around(&job->mm->levels[level], sector, *slot),
                 ranks = job->bases[*slot][CRN_MM_BELOW] - job->bases[*slot][0];
        if (!left) return CAIRN_RUNNING;
        left -= crn_min_u32(ranks, left);
        if (around != UINT32_MAX && !job->drafting.at) mm_read_labels(job, level, *slot, around);
        cairn_status status = mm_count_labels_on(job, *slot);
        if (status != CAIRN_OK) return status;
    }
    for (uint32_t i = 0; i < CRN_MM_AROUND; i++) job->around[i] = job->about + job->about_first[i];
    return CAIRN_OK;
}

/* ---- centres ---- */

/* Memory for so many regions, and so many ranks. */
static bool mm_reserve_middles(crn_mm_job *job, size_t regions, size_t ranks)
{
    void *middles = job->middles, *cells = job->cells, *wanted = job->wanted;
    bool ok = crn_grow(job->context, &middles, &job->middle_capacity, regions + 1,
                       sizeof *job->middles) &&
              crn_grow(job->context, &cells, &job->cell_capacity, ranks + 1, sizeof *job->cells) &&
              crn_grow(job->context, &wanted, &job->wanted_capacity, regions + 1, 1);
    job->middles = middles;
    job->cells = cells;
    job->wanted = wanted;
    return ok;
}

/* Chooses the regions whose centres are looked for: all, or those that may have moved. */
static void mm_want(crn_mm_job *job, uint32_t level, uint32_t sector, uint32_t regions, bool all)
{
    const uint32_t *bases = job->bases[CRN_MM_OWN];
    memset(job->wanted, all, regions);
    for (uint32_t place = 0; !all && place < CRN_MM_BELOW; place++) {
        uint32_t below = mm_below(job->mm, level, sector, place);
        if (below == UINT32_MAX || !crn_mm_listed(&job->moved_below, below)) continue;
        for (uint32_t i = bases[place]; i < bases[place + 1]; i++)
            if (job->labels[i] < regions) job->wanted[job->labels[i]] = 1;
    }
}

/* Before the middles of the wanted regions of a sector are found. False = no memory. */
static bool mm_begin_middles(crn_mm_job *job, uint32_t level, uint32_t sector, uint32_t regions,
                             bool all)
{
    const uint32_t *bases = job->bases[CRN_MM_OWN];
    if (!mm_reserve_middles(job, regions, bases[CRN_MM_BELOW] - bases[0])) return false;
    mm_want(job, level, sector, regions, all);
    memset(job->middles, 0, regions * sizeof *job->middles);
    return true;
}

/* The next ranks: the sums of where what lies below the wanted regions has its centres, and these
 * by rank. */
static cairn_status mm_sum_ranks_on(crn_mm_job *job, uint32_t level, uint32_t sector,
                                    uint32_t regions)
{
    const uint32_t *bases = job->bases[CRN_MM_OWN];
    uint32_t *place = &job->drafting.place, *at = &job->drafting.at, left = MM_CENTRED;
    if (!crn_mm_spend(job, MM_CENTRED_UNITS)) return CAIRN_RUNNING;
    for (; *place < CRN_MM_BELOW; ++*place, *at = 0) {
        uint32_t below = mm_below(job->mm, level, sector, *place);
        for (; bases[*place] + *at < bases[*place + 1]; ++*at) {
            uint32_t i = bases[*place] + *at, region = job->labels[i];
            if (region >= regions || !job->wanted[region]) continue;
            if (!left--) return CAIRN_RUNNING;
            cairn_cell cell = crn_mm_place(job->mm, level - 1, below, *at);
            crn_mm_middle *middle = &job->middles[region];
            job->cells[i - bases[0]] = cell;
            middle->x += cell.x;
            middle->y += cell.y;
            middle->size++;
            middle->least = INT64_MAX;
        }
    }
    return CAIRN_OK;
}

/* The next ranks: of each wanted region of a sector, which of the regions below is nearest to the
 * middle of all that belong to it. */
static cairn_status mm_compare_ranks_on(crn_mm_job *job, uint32_t regions)
{
    const uint32_t *bases = job->bases[CRN_MM_OWN];
    const uint16_t *labels = job->labels + bases[0];
    uint32_t ranks = bases[CRN_MM_BELOW] - bases[0], *at = &job->drafting.at,
             end = crn_min_u32(*at + MM_RANKS, ranks);
    if (!crn_mm_spend(job, MM_RANKS_UNITS)) return CAIRN_RUNNING;
    for (; *at < end; ++*at) {
        if (labels[*at] >= regions || !job->wanted[labels[*at]]) continue;
        crn_mm_middle *middle = &job->middles[labels[*at]];
        int64_t dx = job->cells[*at].x * middle->size - middle->x,
                dy = job->cells[*at].y * middle->size - middle->y, distance = dx * dx + dy * dy;
        if (distance >= middle->least) continue;
        middle->least = distance;
        middle->best = *at;
    }
    return end < ranks ? CAIRN_RUNNING : CAIRN_OK;
}

/* ---- a sector ---- */

/* Where the edges of a lower sector lead that leave the upper one in a place of the 3×3. */
typedef struct mm_exit {
    uint32_t direction; /* of the upper sector; CRN_DIRECTIONS: that does not count */
    uint32_t base;      /* of the ranks there */
} mm_exit;

/* By the direction of the edge; false: none counts. From the sectors beside the own one only those
 * to corners do. */
static bool mm_find_exits(const crn_mm_job *job, uint32_t slot, uint32_t place,
                          mm_exit exits[CRN_DIRECTIONS])
{
    bool some = false;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        int32_t x = (int32_t)(place % CRN_MM_UPPER_SIDE) + crn_dx[d],
                y = (int32_t)(place / CRN_MM_UPPER_SIDE) + crn_dy[d],
                side = (int32_t)CRN_MM_UPPER_SIDE;
        int32_t sx = (x >= side) - (x < 0), sy = (y >= side) - (y < 0);
        exits[d].direction = CRN_DIRECTIONS;
        if (!sx && !sy) continue;
        uint32_t direction = crn_mm_towards(sx, sy), beside = crn_mm_slot(slot, direction);
        if (beside == CRN_MM_AROUND || (slot != CRN_MM_OWN && (beside % 2 || beside == CRN_MM_OWN)))
            continue;
        uint32_t there = (uint32_t)((y - sy * side) * side + x - sx * side);
        exits[d] = (mm_exit){direction, job->bases[beside][there]};
        some = true;
    }
    return some;
}

/* How many regions a lower sector has. */
static uint32_t mm_regions(const crn_mm_job *job, uint32_t slot, uint32_t place)
{
    return job->bases[slot][place + 1] - job->bases[slot][place];
}

/* The edges of a lower sector, in a place of the upper one, that leave the upper one. */
static bool mm_leave_upper(crn_mm_job *job, uint32_t level, uint32_t slot, uint32_t place,
                           uint32_t below)
{
    mm_exit exits[CRN_DIRECTIONS];
    if (!mm_find_exits(job, slot, place, exits)) return true;
    crn_mm_sector packed = crn_mm_sector_at(&job->mm->levels[level - 1], below);
    for (uint32_t i = 0; i < packed.count; i++) {
        uint32_t from = job->labels[job->bases[slot][place] + i], d, region;
        crn_mm_edges edges = crn_mm_edges_of(&packed, i);
        if (from == CRN_MM_NO_LABEL) continue;
        while (crn_mm_edges_next(&edges, &d, &region)) {
            if (exits[d].direction == CRN_DIRECTIONS) continue;
            uint32_t label = job->labels[exits[d].base + region];
            if (label == CRN_MM_NO_LABEL) continue; /* only in a wrong file */
            if (!crn_mm_join(job, slot, from, exits[d].direction, label)) return false;
        }
    }
    return true;
}

/* The next lower sectors with such edges. */
static cairn_status mm_leave_upper_on(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    uint32_t *slot = &job->drafting.slot, *place = &job->drafting.place, left = MM_LEFT_RANKS;
    if (!crn_mm_spend(job, MM_UPPER_UNITS)) return CAIRN_RUNNING;
    for (; *slot < CRN_MM_AROUND; ++*slot, *place = 0) {
        uint32_t around = crn_mm_around(&job->mm->levels[level], sector, *slot);
        if (around == UINT32_MAX || !crn_mm_counts(job, *slot)) continue;
        for (; *place < CRN_MM_BELOW; ++*place) {
            uint32_t below = mm_below(job->mm, level, around, *place);
            if (below == UINT32_MAX) continue;
            if (!left) return CAIRN_RUNNING;
            left -= crn_min_u32(mm_regions(job, *slot, *place), left);
            if (!mm_leave_upper(job, level, *slot, *place, below)) return CAIRN_OUT_OF_MEMORY;
        }
    }
    return CAIRN_OK;
}

/* Are the centres of a sector known, but for those above what has moved? In a repair, where nothing
 * below it has changed, most are as they were. */
static bool mm_knows_centres(const crn_mm_job *job, uint32_t level, uint32_t sector)
{
    return !job->whole && !crn_mm_listed(&job->changed, sector) &&
           crn_mm_count(&job->mm->levels[level], sector) == job->counts[CRN_MM_OWN];
}

/* The regions of a sector and their centres. */
static bool mm_draft_centres(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    uint32_t regions = job->counts[CRN_MM_OWN];
    bool ok = true;
    crn_mm_sector before = {0};
    if (mm_knows_centres(job, level, sector))
        before = crn_mm_sector_at(&job->mm->levels[level], sector);
    for (uint32_t i = 0; i < regions && ok; i++)
        ok = crn_mm_draft_region(&job->draft, job->context,
                                 job->wanted[i] ? job->middles[i].best : crn_mm_centre(&before, i));
    return ok;
}

/* The steps of drafting a sector, in this order. */
enum {
    MM_UPPER_BEGIN,
    MM_UPPER_SEE,
    MM_UPPER_MIDDLES,
    MM_UPPER_SUM,
    MM_UPPER_COMPARE,
    MM_UPPER_CENTRES,
    MM_UPPER_LEAVE,
    MM_UPPER_CORNERS,
    MM_UPPER_SORT,
    MM_UPPER_DRAFTED
};

static cairn_status mm_draft_upper_step(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    uint32_t regions = job->counts[CRN_MM_OWN];
    bool ok = true;
    switch (job->drafting.step) {
    case MM_UPPER_BEGIN:
        crn_mm_begin_draft(job);
        ok = mm_rank_around(job, level, sector);
        break;
    case MM_UPPER_SEE: return mm_see_upper_on(job, level, sector);
    case MM_UPPER_MIDDLES:
        ok = mm_begin_middles(job, level, sector, regions, !mm_knows_centres(job, level, sector));
        break;
    case MM_UPPER_SUM: return mm_sum_ranks_on(job, level, sector, regions);
    case MM_UPPER_COMPARE: return mm_compare_ranks_on(job, regions);
    case MM_UPPER_CENTRES: ok = mm_draft_centres(job, level, sector); break;
    case MM_UPPER_LEAVE: return mm_leave_upper_on(job, level, sector);
    case MM_UPPER_CORNERS: return crn_mm_join_corners_on(job, CRN_MM_UPPER_SIDE);
    default: return crn_mm_draft_sort_on(&job->draft) ? CAIRN_OK : CAIRN_RUNNING;
    }
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

cairn_status crn_mm_draft_upper_on(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    crn_mm_progress *p = &job->drafting;
    for (; p->step < MM_UPPER_DRAFTED; *p = (crn_mm_progress){.step = p->step + 1}) {
        cairn_status status = mm_draft_upper_step(job, level, sector);
        if (status != CAIRN_OK) return status;
    }
    return CAIRN_OK;
}

/* ---- centres alone ---- */

/* Writes those that may have moved. */
static void mm_write_centres(crn_mm_job *job, uint32_t level, uint32_t count)
{
    const crn_mm_level *upper = &job->mm->levels[level];
    uint8_t *centres = job->packed + crn_mm_head(upper);
    for (uint32_t i = 0; i < count; i++) {
        if (!job->wanted[i]) continue;
        centres[i * upper->width] = (uint8_t)job->middles[i].best;
        centres[i * upper->width + 1] = (uint8_t)(job->middles[i].best >> 8);
    }
}

static bool mm_begin_centres(crn_mm_job *job, uint32_t level, uint32_t sector, uint32_t count)
{
    if (!mm_reserve_ranks(job, mm_rank(job, level, CRN_MM_OWN, sector, 0) + 1)) return false;
    mm_read_labels(job, level, CRN_MM_OWN, sector);
    return mm_begin_middles(job, level, sector, count, false);
}

cairn_status crn_mm_find_centres_on(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    enum { BEGIN, SUM, COMPARE, FOUND };
    uint32_t count = crn_mm_count(&job->mm->levels[level], sector);
    crn_mm_progress *p = &job->drafting;
    for (; p->step < FOUND; *p = (crn_mm_progress){.step = p->step + 1}) {
        cairn_status status = CAIRN_OK;
        if (p->step == BEGIN && !mm_begin_centres(job, level, sector, count))
            return CAIRN_OUT_OF_MEMORY;
        if (p->step == SUM) status = mm_sum_ranks_on(job, level, sector, count);
        if (p->step == COMPARE) status = mm_compare_ranks_on(job, count);
        if (status != CAIRN_OK) return status;
    }
    mm_write_centres(job, level, count);
    *p = (crn_mm_progress){0};
    return CAIRN_OK;
}
