/* mm_repair.c: repairing the index of `mm`. See mm_index.h.
 *
 * The bytes of a sector depend only on the 3×3 sectors round it (mm_build.c). So those near a
 * changed cell are made again and put in the place of the old ones (mm_blocks.h): what comes out is
 * what a build would make, and the others are not touched. Only where the regions of a sector begin
 * in the count of all is written for every sector behind one that has more or fewer than before:
 * four bytes each.
 *
 * First the sectors with changed cells are made again. Edges lead both ways, so what leads to such
 * a sector follows from what leaves it; and what joins two others at a corner follows from its
 * edges to both, or from the cell in its own corner. If its edges are what they were, and no cell
 * in a corner has changed, then the sectors round it are what they were. Most edits move a centre,
 * and nothing else. (Where steps lead one way, or centres are optimised, all nine are made again.)
 *
 * The levels above follow in the same manner, where the level below differs from what it was. If
 * just a centre has moved, nothing but the centres above it can change.
 */
#include "hierarchy/mm/mm_job.h"
#include "world/changes.h"

/* ---- what must be made again ---- */

/* Do the edges of the sectors round one depend on this part of it? */
static bool sectors_at_corner(const crn_mm_job *job, crn_size_box box, bool wide)
{
    const uint32_t side = job->mm->side;
    bool column = box.left % side == 0 || box.right % side == side - 1,
         row = box.top % side == 0 || box.bottom % side == side - 1;
    if (job->mm->optimised || job->mm->levels[0].one_way) return true;
    return wide ? column || row || box.left / side != box.right / side ||
                      box.top / side != box.bottom / side
                : column && row;
}

/* The sectors of level 1 in which cells of a box lie, and what may have to be made again for it. */
static bool sectors_mark_box(crn_mm_job *job, crn_size_box box, bool wide)
{
    const uint32_t side = job->mm->side, columns = job->mm->levels[0].columns;
    bool ok = true, around = sectors_at_corner(job, box, wide);
    for (uint32_t y = box.top / side; y <= box.bottom / side; y++) {
        for (uint32_t x = box.left / side; x <= box.right / side && ok; x++) {
            uint32_t sector = y * columns + x;
            if (job->changed.count && job->changed.items[job->changed.count - 1] == sector &&
                !around)
                continue;
            ok = crn_mm_list_put(&job->changed, job->context, sector) &&
                 crn_mm_list_put_around(&job->near, job, 0, sector) &&
                 (!around || crn_mm_list_put_around(&job->marks, job, 0, sector));
        }
    }
    return ok;
}

/* Where bodies or heights count, steps of cells beside may have changed too. */
static cairn_status sectors_mark_edits(crn_mm_job *job, uint64_t since)
{
    bool ok = true, wide = job->space->sized || crn_grid_may_be_limited(job->space);
    crn_edits edits;
    cairn_status status = crn_edits_begin(&edits, job->space->grid, since);
    if (status != CAIRN_OK) return status;
    for (const cairn_change *change; ok && (change = crn_edits_next(&edits));)
        ok = sectors_mark_box(job, crn_edits_box(job->space, change->node, wide), wide);
    crn_mm_list_sort(&job->changed);
    crn_mm_list_sort(&job->near);
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* The next edge in a direction: region << 16 | the other one; UINT32_MAX: there is none. */
static uint32_t sectors_next_edge(const crn_mm_sector *sector, crn_mm_edges *edges,
                                  uint32_t *region, uint32_t wanted)
{
    uint32_t direction, other;
    for (; *region < sector->count; ++*region) {
        if (!edges->at) *edges = crn_mm_edges_of(sector, *region);
        while (crn_mm_edges_next(edges, &direction, &other))
            if (direction == wanted) return *region << 16 | other;
        edges->at = NULL;
    }
    return UINT32_MAX;
}

/* Do two sectors have the same edges in a direction? */
static bool sectors_same_towards(const crn_mm_sector *a, const crn_mm_sector *b, uint32_t direction)
{
    crn_mm_edges in_a = {0}, in_b = {0};
    for (uint32_t i = 0, k = 0, edge;;) {
        edge = sectors_next_edge(a, &in_a, &i, direction);
        if (edge != sectors_next_edge(b, &in_b, &k, direction)) return false;
        if (edge == UINT32_MAX) return true;
    }
}

/* In which directions has a sector other edges than before? */
static uint32_t sectors_directions(const crn_mm_job *job, uint32_t level, const crn_mm_old *old)
{
    const crn_mm_level *l = &job->mm->levels[level];
    const uint8_t *bytes = crn_mm_block(&l->bytes, l->begin[old->sector]);
    crn_mm_sector now = crn_mm_sector_of_bytes(l, bytes, crn_mm_number(bytes, crn_mm_head(l))),
                  before = crn_mm_sector_of_bytes(l, job->history[level % 2].bytes + old->at,
                                                  old->count);
    uint32_t directions = 0;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++)
        if (!sectors_same_towards(&now, &before, d)) directions |= 1u << d;
    return directions;
}

/* Marks the sectors round one that depend on its edges in these directions: those there; and those
 * beside it that it may join to another one beside it. */
static bool sectors_mark_towards(crn_mm_job *job, uint32_t level, uint32_t sector,
                                 uint32_t directions)
{
    const uint32_t vertical = 1u << CRN_N | 1u << CRN_S, across = 1u << CRN_E | 1u << CRN_W;
    uint32_t marked = directions;
    if (directions & vertical) marked |= across;
    if (directions & across) marked |= vertical;
    bool ok = true;
    for (; marked && ok; marked &= marked - 1) {
        uint32_t beside = crn_mm_beside(&job->mm->levels[level], sector, crn_lowest_bit(marked));
        if (beside != UINT32_MAX) ok = crn_mm_list_put(&job->marks, job->context, beside);
    }
    return ok;
}

/* Does a sector have other regions or edges than before, not just other centres? */
static bool sectors_only_moved(const crn_mm_job *job, uint32_t level, const crn_mm_old *old)
{
    const crn_mm_level *l = &job->mm->levels[level];
    const uint8_t *bytes = crn_mm_block(&l->bytes, l->begin[old->sector]),
                  *before = job->history[level % 2].bytes + old->at;
    uint32_t count = crn_mm_number(bytes, crn_mm_head(l)),
             centres = crn_mm_head(l) + l->width * count,
             size = crn_mm_sector_bytes(l, bytes, count);
    return count == old->count && size == crn_mm_sector_bytes(l, before, count) &&
           !memcmp(bytes + centres, before + centres, size - centres);
}

/* Finds the sectors of a level that depend on what has changed on the level below it. */
static bool sectors_mark_upper(crn_mm_job *job, uint32_t level)
{
    const crn_mm_history *history = &job->history[(level - 1) % 2];
    bool ok = true;
    crn_mm_list lower = job->moved;
    job->moved = job->moved_below;
    job->moved_below = lower;
    job->changed.count = job->marks.count = job->moved.count = 0;
    for (size_t i = 0; i < history->count && ok; i++)
        ok = crn_mm_list_put(&job->moved_below, job->context, history->items[i].sector);
    crn_mm_list_sort(&job->moved_below);
    for (size_t i = 0; i < job->moved_below.count && ok; i++)
        ok = crn_mm_list_put(&job->moved, job->context,
                             crn_mm_upper(job->mm, level - 1, job->moved_below.items[i]));
    for (size_t i = 0; i < history->count && ok; i++) {
        const crn_mm_old *old = &history->items[i];
        ok = sectors_only_moved(job, level - 1, old) ||
             crn_mm_list_put(&job->changed, job->context,
                             crn_mm_upper(job->mm, level - 1, old->sector));
    }
    crn_mm_list_sort(&job->moved);
    crn_mm_list_sort(&job->changed);
    return ok;
}

/* ---- a level ---- */

/* Sectors in which nothing has changed have the regions that they had, unless these came from a
 * wrong file: then edges between them would lead nowhere. */
static bool sectors_contradicts(const crn_mm_job *job, uint32_t level, uint32_t sector)
{
    const crn_mm_level *l = &job->mm->levels[level];
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
        uint32_t around = crn_mm_around(l, sector, slot);
        if (around == UINT32_MAX || job->counts[slot] == crn_mm_count(l, around)) continue;
        if (!crn_mm_listed(&job->changed, around)) return true;
    }
    return false;
}

/* Puts a sector as it is packed now in the place of the old one, unless they are the same. Its
 * regions are counted later: until then the level has the old number. */
static bool sectors_replace(crn_mm_job *job, uint32_t level, uint32_t sector, uint32_t size)
{
    crn_mm_level *l = &job->mm->levels[level];
    const uint8_t *before = crn_mm_block(&l->bytes, l->begin[sector]);
    uint32_t old = crn_mm_sector_bytes(l, before, crn_mm_count(l, sector));
    if (old == size && !memcmp(before, job->packed, size)) return true;
    l->passed -= crn_mm_passed(l, sector);
    if (!crn_mm_keep_old(job, level, sector)) return false;
    crn_mm_change change = {&l->begin[sector], old, job->packed, size};
    return crn_mm_blocks_replace(&l->bytes, job->context, &change);
}

static bool sectors_reserve(crn_mm_job *job, size_t bytes)
{
    void *packed = job->packed;
    bool ok = crn_grow(job->context, &packed, &job->packed_capacity, bytes, 1);
    job->packed = packed;
    return ok;
}

static cairn_status sectors_sector(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    const crn_mm_level *l = &job->mm->levels[level];
    cairn_status status = crn_mm_draft_one(job, level, sector);
    if (status != CAIRN_OK) return status;
    if (sectors_contradicts(job, level, sector)) return CAIRN_STALE;
    job->drafted++;
    if (!sectors_reserve(job, crn_mm_pack_room(l, &job->draft))) return CAIRN_OUT_OF_MEMORY;
    uint32_t size = crn_mm_pack(l, &job->draft, job->packed);
    return sectors_replace(job, level, sector, size) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* A sector in which nothing but the centres of its regions may be others now. */
static cairn_status sectors_centres(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    const crn_mm_level *l = &job->mm->levels[level];
    const uint8_t *now = crn_mm_block(&l->bytes, l->begin[sector]);
    uint32_t size = crn_mm_sector_bytes(l, now, crn_mm_count(l, sector));
    if (!sectors_reserve(job, size)) return CAIRN_OUT_OF_MEMORY;
    memcpy(job->packed, now, size);
    if (!crn_mm_find_centres(job, level, sector, job->packed)) return CAIRN_STALE;
    return sectors_replace(job, level, sector, size) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static void sectors_shift(uint32_t *first, uint32_t count, uint32_t more)
{
    for (uint32_t i = 0; i < count; i++) first[i] += more;
}

/* Counts the regions of a level again behind the first sector that has others than before. */
static void sectors_count(crn_mm_job *job, uint32_t level)
{
    crn_mm_level *l = &job->mm->levels[level];
    const crn_mm_history *history = &job->history[level % 2];
    uint32_t sectors = crn_mm_sector_count(l), more = 0;
    for (size_t i = 0; i < history->count; i++) {
        uint32_t sector = history->items[i].sector,
                 end = i + 1 < history->count ? history->items[i + 1].sector : sectors;
        const uint8_t *now = crn_mm_block(&l->bytes, l->begin[sector]);
        more += crn_mm_number(now, crn_mm_head(l)) - history->items[i].count;
        if (more) sectors_shift(l->first + sector + 1, end - sector, more);
    }
    for (size_t i = 0; i < history->count; i++)
        l->passed += crn_mm_passed(l, history->items[i].sector);
}

/* Makes the sectors again in which something has changed, and marks those round them that depend on
 * it. */
static cairn_status sectors_changed(crn_mm_job *job, uint32_t level)
{
    const crn_mm_history *history = &job->history[level % 2];
    const crn_mm_list *changed = &job->changed;
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < changed->count && status == CAIRN_OK; i++) {
        size_t before = history->count;
        status = sectors_sector(job, level, changed->items[i]);
        if (status != CAIRN_OK || history->count == before) continue;
        uint32_t directions = sectors_directions(job, level, &history->items[before]);
        if (!sectors_mark_towards(job, level, changed->items[i], directions))
            status = CAIRN_OUT_OF_MEMORY;
    }
    crn_mm_list_sort(&job->marks);
    return status;
}

static cairn_status sectors_level(crn_mm_job *job, uint32_t level)
{
    crn_mm_history *history = &job->history[level % 2];
    const crn_mm_list *marks = &job->marks, *moved = &job->moved;
    cairn_status status = level ? crn_mm_label_again(job, level) : CAIRN_OK;
    history->count = history->size = 0;
    if (status == CAIRN_OK) status = sectors_changed(job, level);
    for (size_t i = 0; i < marks->count && status == CAIRN_OK; i++)
        if (!crn_mm_listed(&job->changed, marks->items[i]))
            status = sectors_sector(job, level, marks->items[i]);
    for (size_t i = 0; level && i < moved->count && status == CAIRN_OK; i++)
        if (!crn_mm_listed(&job->changed, moved->items[i]) &&
            !crn_mm_listed(marks, moved->items[i]))
            status = sectors_centres(job, level, moved->items[i]);
    crn_mm_sort_old(history);
    if (status == CAIRN_OK) sectors_count(job, level);
    return status;
}

/* ---- the whole ---- */

static cairn_status sectors_levels(crn_mm_job *job, const cairn_progress *progress)
{
    crn_mm *mm = job->mm;
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < mm->level_count && status == CAIRN_OK; i++) {
        if (!crn_progress(progress, i, mm->level_count)) return CAIRN_CANCELLED;
        if (i && !sectors_mark_upper(job, i)) return CAIRN_OUT_OF_MEMORY;
        status = sectors_level(job, i);
        if (!i && status == CAIRN_OK && mm->stored) status = crn_mm_repair_paths(job);
    }
    if (status == CAIRN_OK) status = crn_mm_find_doors(job);
    if (status == CAIRN_OK && !crn_progress(progress, mm->level_count, mm->level_count))
        status = CAIRN_CANCELLED;
    return status;
}

static cairn_status sectors_all(crn_mm_job *job, uint64_t since, const cairn_progress *progress)
{
    job->changed.count = job->marks.count = job->near.count = 0;
    job->moved.count = job->moved_below.count = 0;
    job->drafted = job->found = 0;
    job->repairing = true;
    cairn_status status = sectors_mark_edits(job, since);
    if (status == CAIRN_OK) status = crn_mm_job_begin(job);
    return status == CAIRN_OK ? sectors_levels(job, progress) : status;
}

cairn_status crn_mm_repair(crn_mm *mm, const crn_grid_space *space, uint64_t since,
                           const cairn_progress *progress, cairn_error *error)
{
    if (!mm->job) mm->job = crn_mm_job_open(mm, space);
    cairn_status status = mm->job ? sectors_all(mm->job, since, progress) : CAIRN_OUT_OF_MEMORY;
    /* the paths of `dbastar` are found with memory that is as large as the map: it is kept */
    if (mm->job && !mm->stored) {
        crn_mm_job_close(mm->job);
        mm->job = NULL;
    }
    if (status == CAIRN_OK || status == CAIRN_STALE) return status;
    return crn_fail(error, status, 0, "%s",
                    status == CAIRN_CANCELLED ? "the build was cancelled"
                                              : "no memory for the abstraction");
}
