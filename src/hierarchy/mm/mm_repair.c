/* mm_repair.c: building and repairing the index of `mm`, a piece at a time. See mm_job.h.
 *
 * A build makes every sector, level by level. The bytes of a sector depend only on the 3×3 sectors
 * round it (mm_build.c). So a repair makes those near a changed cell again and puts them in the
 * place of the old ones (mm_blocks.h): what comes out is what a build would make, and the others
 * are not touched. Only where the regions of a sector begin in the count of all is written for
 * every sector behind one that has more or fewer than before: four bytes each.
 *
 * First the sectors with changed cells are made again. Edges lead both ways, so what leads to such
 * a sector follows from what leaves it; and what joins two others at a corner follows from its
 * edges to both, or from the cell in its own corner. If its edges are what they were, and no cell
 * in a corner has changed, then the sectors round it are what they were. Most edits move a centre,
 * and nothing else. (Where steps lead one way, or centres are optimised, all nine are made again.)
 *
 * The levels above follow in the same manner, where the level below differs from what it was. If
 * just a centre has moved, nothing but the centres above it can change.
 *
 * Commits may come between two pieces. While level 1 is made, sectors are made of the world as it
 * is then; in the end those near what was committed meanwhile are made again, all nine. So level 1
 * is that of one world before anything is made of it. Nothing but paths and links needs the world
 * after that. Where cells changed their paths may be wrong; but then the job ends with a repair of
 * what was committed since, which finds all of them again.
 */
#include "hierarchy/mm/mm_job.h"

/* At a time: edits, sectors of a list, numbers of regions. */
enum { SECTORS_EDITS = 8, SECTORS_LISTED = 32, SECTORS_COUNTED = 8192 };

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
    bool ok = true, around = job->amending || sectors_at_corner(job, box, wide);
    for (uint32_t y = box.top / side; y <= box.bottom / side; y++) {
        for (uint32_t x = box.left / side; x <= box.right / side && ok; x++) {
            uint32_t sector = y * columns + x;
            bool same = job->changed.count && job->changed.items[job->changed.count - 1] == sector;
            if (same && job->around_changed >= around) continue;
            job->around_changed = around;
            ok = crn_mm_list_put(&job->changed, job->context, sector) &&
                 crn_mm_list_put_around(&job->near, job, 0, sector) &&
                 (!around || crn_mm_list_put_around(&job->marks, job, 0, sector));
        }
    }
    return ok;
}

/* Reads the next edits. Where bodies or heights count, steps of cells beside may have changed
 * too. */
static cairn_status sectors_edits_on(crn_mm_job *job)
{
    bool ok = true, wide = job->space->sized || crn_grid_may_be_limited(job->space);
    for (uint32_t left = SECTORS_EDITS; ok && left; left--) {
        const cairn_change *change = crn_edits_next(&job->edits);
        if (!change) {
            job->version = cairn_space_version(&job->space->base);
            return CAIRN_OK;
        }
        ok = sectors_mark_box(job, crn_edits_box(job->space, change->node, wide), wide);
    }
    return ok ? CAIRN_RUNNING : CAIRN_OUT_OF_MEMORY;
}

/* Brings all lists of the level into order. */
static cairn_status sectors_lists_on(crn_mm_job *job)
{
    crn_mm_list *lists[] = {&job->changed, &job->near, &job->moved, &job->moved_below};
    for (uint32_t i = 0; i < CRN_COUNT(lists); i++)
        if (!crn_mm_list_sort_on(lists[i])) return CAIRN_RUNNING;
    return CAIRN_OK;
}

/* Edges of a sector, one after the other, ascending. */
typedef struct sectors_edges {
    const crn_mm_sector *sector;
    crn_mm_edges edges;
    uint32_t region;
    uint64_t next; /* region, direction and the other one; UINT64_MAX: there is none */
} sectors_edges;

static void sectors_next_edge(sectors_edges *at)
{
    uint32_t direction, other;
    for (;;) {
        if (crn_mm_edges_next(&at->edges, &direction, &other)) {
            at->next = (uint64_t)at->region << 32 | direction << 16 | other;
            return;
        }
        if (++at->region >= at->sector->count) break;
        at->edges = crn_mm_edges_of(at->sector, at->region);
    }
    at->next = UINT64_MAX;
}

static sectors_edges sectors_edges_of(const crn_mm_sector *sector)
{
    sectors_edges at = {.sector = sector};
    if (sector->count) at.edges = crn_mm_edges_of(sector, 0);
    sectors_next_edge(&at);
    return at;
}

/* In which directions does a sector have other edges than before? */
static uint32_t sectors_directions(const crn_mm_sector *now, const crn_mm_sector *before)
{
    uint32_t directions = 0;
    sectors_edges a = sectors_edges_of(now), b = sectors_edges_of(before);
    while (a.next != UINT64_MAX || b.next != UINT64_MAX) {
        uint64_t next = a.next < b.next ? a.next : b.next;
        if (a.next != b.next) directions |= 1u << (next >> 16 & 7);
        if (b.next == next) sectors_next_edge(&b);
        if (a.next == next) sectors_next_edge(&a);
    }
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

/* The sectors of the level below that are others than before, and those above them if not just
 * centres have moved. */
static cairn_status sectors_lower_on(crn_mm_job *job)
{
    const crn_mm_history *history = &job->history[(job->level + 1) % 2];
    bool ok = true;
    if (!job->level || job->whole) return CAIRN_OK;
    for (uint32_t left = SECTORS_LISTED; ok && job->at < history->count; job->at++) {
        const crn_mm_old *old = &history->items[job->at];
        if (!left--) return CAIRN_RUNNING;
        ok = crn_mm_list_put(&job->moved_below, job->context, old->sector);
        if (ok && !sectors_only_moved(job, job->level - 1, old))
            ok = crn_mm_list_put(&job->changed, job->context,
                                 crn_mm_upper(job->mm, job->level - 1, old->sector));
    }
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* The sectors above those whose centres may lie elsewhere now. */
static cairn_status sectors_upper_on(crn_mm_job *job)
{
    const crn_mm_list *below = &job->moved_below;
    bool ok = true;
    if (!job->level || job->whole) return CAIRN_OK;
    if (!crn_mm_list_sort_on(&job->moved_below)) return CAIRN_RUNNING;
    for (uint32_t left = SECTORS_LISTED; ok && job->at < below->count; job->at++) {
        if (!left--) return CAIRN_RUNNING;
        ok = crn_mm_list_put(&job->moved, job->context,
                             crn_mm_upper(job->mm, job->level - 1, below->items[job->at]));
    }
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* ---- a sector ---- */

/* Sectors in which nothing has changed have the regions that they had, unless these came from a
 * wrong file: then edges between them would lead nowhere. What was committed meanwhile is looked at
 * later. */
static bool sectors_contradicts(const crn_mm_job *job, uint32_t sector)
{
    const crn_mm_level *l = &job->mm->levels[job->level];
    if (job->whole || job->version != cairn_space_version(&job->space->base)) return false;
    for (uint32_t slot = 0; slot < CRN_MM_AROUND; slot++) {
        uint32_t around = crn_mm_around(l, sector, slot);
        if (around == UINT32_MAX || job->counts[slot] == crn_mm_count(l, around)) continue;
        if (!crn_mm_listed(&job->changed, around)) return true;
    }
    return false;
}

/* Puts a sector as it is packed now in the place of the old one, unless they are the same. Its
 * regions are counted later: until then the level has the old number. */
static bool sectors_replace(crn_mm_job *job, uint32_t sector, uint32_t size)
{
    crn_mm_level *l = &job->mm->levels[job->level];
    const uint8_t *before = crn_mm_block(&l->bytes, l->begin[sector]);
    crn_mm_sector then = crn_mm_sector_now(l, sector);
    uint32_t old = crn_mm_sector_bytes(l, before, then.count);
    if (old == size && !memcmp(before, job->packed, size)) return true;
    l->passed -= crn_mm_passed(&then);
    crn_mm_change change = {&l->begin[sector], old, job->packed, size};
    if (!crn_mm_keep_old(job, job->level, sector) ||
        !crn_mm_blocks_replace(&l->bytes, job->context, &change))
        return false;
    crn_mm_sector now = crn_mm_sector_now(l, sector);
    l->passed += crn_mm_passed(&now);
    return true;
}

static bool sectors_reserve(crn_mm_job *job, size_t bytes)
{
    void *packed = job->packed;
    bool ok = crn_grow(job->context, &packed, &job->packed_capacity, bytes, 1);
    job->packed = packed;
    return ok;
}

/* Makes a sector again. */
static cairn_status sectors_sector_on(crn_mm_job *job, uint32_t sector)
{
    const crn_mm_level *l = &job->mm->levels[job->level];
    cairn_status status = crn_mm_draft_on(job, job->level, sector);
    if (status != CAIRN_OK) return status;
    if (sectors_contradicts(job, sector)) return CAIRN_STALE;
    job->drafted++;
    if (!sectors_reserve(job, crn_mm_pack_room(l, &job->draft))) return CAIRN_OUT_OF_MEMORY;
    uint32_t size = crn_mm_pack(l, &job->draft, job->packed);
    return sectors_replace(job, sector, size) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* The same of one in which something has changed; marks those round it that depend on it. */
static cairn_status sectors_changed_sector_on(crn_mm_job *job, uint32_t sector)
{
    const crn_mm_level *l = &job->mm->levels[job->level];
    const crn_mm_history *history = &job->history[job->level % 2];
    size_t before = history->count;
    cairn_status status = sectors_sector_on(job, sector);
    if (status != CAIRN_OK || history->count == before) return status;
    const crn_mm_old *old = &history->items[before];
    crn_mm_sector now = crn_mm_sector_now(l, sector),
                  then = crn_mm_sector_of_bytes(l, history->bytes + old->at, old->count);
    uint32_t directions = sectors_directions(&now, &then);
    return sectors_mark_towards(job, job->level, sector, directions) ? CAIRN_OK
                                                                     : CAIRN_OUT_OF_MEMORY;
}

/* Makes one for the first time. */
static cairn_status sectors_new_sector_on(crn_mm_job *job, uint32_t sector)
{
    cairn_status status = crn_mm_draft_on(job, job->level, sector);
    if (status != CAIRN_OK) return status;
    bool ok = crn_mm_write(&job->mm->levels[job->level], job->context, sector, &job->draft);
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* A sector in which nothing but the centres of its regions may be others now. */
static cairn_status sectors_centres_on(crn_mm_job *job, uint32_t sector)
{
    const crn_mm_level *l = &job->mm->levels[job->level];
    const uint8_t *now = crn_mm_block(&l->bytes, l->begin[sector]);
    uint32_t size = crn_mm_sector_bytes(l, now, crn_mm_count(l, sector));
    if (!job->drafting.step) {
        if (!sectors_reserve(job, size)) return CAIRN_OUT_OF_MEMORY;
        memcpy(job->packed, now, size);
    }
    cairn_status status = crn_mm_find_centres_on(job, job->level, sector);
    if (status != CAIRN_OK) return status;
    return sectors_replace(job, sector, size) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* ---- the stages of a level ---- */

/* Says how much is done: of a build before each row of sectors. */
static bool sectors_report(const crn_mm_job *job)
{
    uint64_t at = job->whole ? job->at : 0;
    return at % job->mm->levels[job->level].columns ||
           crn_progress(job->progress, job->done + at, job->total);
}

/* How many sectors a stage is for, and which is next: those that have changed, or all. */
static size_t sectors_turns(const crn_mm_job *job, const crn_mm_list *changed)
{
    return job->whole ? crn_mm_sector_count(&job->mm->levels[job->level]) : changed->count;
}

static uint32_t sectors_turn(const crn_mm_job *job, const crn_mm_list *changed)
{
    return job->whole ? (uint32_t)job->at : changed->items[job->at];
}

static cairn_status sectors_labels_on(crn_mm_job *job)
{
    if (!job->level) return CAIRN_OK;
    crn_mm_level *lower = &job->mm->levels[job->level - 1];
    if (job->whole && !lower->label_begin && !crn_mm_level_open_labels(lower, job->context))
        return CAIRN_OUT_OF_MEMORY;
    if (job->at == sectors_turns(job, &job->changed)) {
        bool ok = !job->whole || crn_mm_blocks_end(&lower->labels, job->context);
        return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    }
    cairn_status status = crn_mm_label_on(job, job->level, sectors_turn(job, &job->changed));
    if (status != CAIRN_OK) return status;
    job->at++;
    return CAIRN_RUNNING;
}

static cairn_status sectors_changed_on(crn_mm_job *job)
{
    if (job->amending) return CAIRN_OK;
    if (job->at == sectors_turns(job, &job->changed)) {
        crn_mm_blocks *bytes = &job->mm->levels[job->level].bytes;
        bool ok = !job->whole || crn_mm_blocks_end(bytes, job->context);
        return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    }
    uint32_t sector = sectors_turn(job, &job->changed);
    if (job->whole && !job->drafting.step && !sectors_report(job)) return CAIRN_CANCELLED;
    cairn_status status =
        job->whole ? sectors_new_sector_on(job, sector) : sectors_changed_sector_on(job, sector);
    if (status != CAIRN_OK) return status;
    job->at++;
    return CAIRN_RUNNING;
}

/* Goes back to the edits: level 1 is to fit what was committed while it was made. */
static cairn_status sectors_amend(crn_mm_job *job)
{
    cairn_status status = crn_edits_begin(&job->edits, job->space->grid, job->version);
    crn_mm_list_clear(&job->marks);
    job->amending = true;
    job->around_changed = false;
    job->stage = CRN_MM_EDITS;
    job->at = 0;
    return status == CAIRN_OK ? CAIRN_RUNNING : status;
}

static cairn_status sectors_marked_on(crn_mm_job *job)
{
    crn_mm_list *marks = &job->marks;
    if (!crn_mm_list_sort_on(marks)) return CAIRN_RUNNING;
    for (uint32_t left = SECTORS_LISTED; job->at < marks->count; job->at++) {
        uint32_t sector = marks->items[job->at];
        if (!left--) return CAIRN_RUNNING;
        if (!job->amending && crn_mm_listed(&job->changed, sector)) continue;
        cairn_status status = sectors_sector_on(job, sector);
        job->at += status == CAIRN_OK;
        return status == CAIRN_OK ? CAIRN_RUNNING : status;
    }
    if (!job->level && job->version != cairn_space_version(&job->space->base))
        return sectors_amend(job);
    job->amending = false;
    return CAIRN_OK;
}

static cairn_status sectors_moved_on(crn_mm_job *job)
{
    const crn_mm_list *moved = &job->moved;
    if (!job->level || job->whole) return CAIRN_OK;
    for (uint32_t left = SECTORS_LISTED; job->at < moved->count; job->at++) {
        uint32_t sector = moved->items[job->at];
        if (!left--) return CAIRN_RUNNING;
        if (crn_mm_listed(&job->changed, sector) || crn_mm_listed(&job->marks, sector)) continue;
        cairn_status status = sectors_centres_on(job, sector);
        job->at += status == CAIRN_OK;
        return status == CAIRN_OK ? CAIRN_RUNNING : status;
    }
    return CAIRN_OK;
}

static void sectors_shift(uint32_t *first, uint32_t count, uint32_t more)
{
    for (uint32_t i = 0; i < count; i++) first[i] += more;
}

/* Counts the regions of a level again behind the first sector that has others than before. */
static cairn_status sectors_counts_on(crn_mm_job *job)
{
    crn_mm_level *l = &job->mm->levels[job->level];
    crn_mm_history *history = &job->history[job->level % 2];
    uint32_t *done = &job->drafting.at, left = SECTORS_COUNTED;
    if (!crn_mm_sort_old_on(history)) return CAIRN_RUNNING;
    if (!job->at && !*done) job->more = 0;
    for (; job->at < history->count; job->at++, *done = 0) {
        const crn_mm_old *old = &history->items[job->at];
        uint32_t end = job->at + 1 < history->count ? old[1].sector : crn_mm_sector_count(l);
        if (!left) return CAIRN_RUNNING;
        if (!*done) job->more += crn_mm_sector_now(l, old->sector).count - old->count;
        uint32_t count = crn_min_u32(job->more ? end - old->sector - *done : 0, left);
        sectors_shift(l->first + old->sector + 1 + *done, count, job->more);
        *done += count;
        left -= count ? count : 1;
        if (job->more && *done < end - old->sector) return CAIRN_RUNNING;
    }
    return CAIRN_OK;
}

static cairn_status sectors_paths_on(crn_mm_job *job)
{
    bool begins = !job->at && !job->finding.step;
    if (job->level || !job->mm->stored) return CAIRN_OK;
    if (begins && !crn_mm_paths_begin(job)) return CAIRN_OUT_OF_MEMORY;
    if (job->at == sectors_turns(job, &job->near))
        return crn_mm_paths_end(job) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    if (job->whole && !job->finding.step && !sectors_report(job)) return CAIRN_CANCELLED;
    cairn_status status = crn_mm_find_paths_on(job, sectors_turn(job, &job->near));
    if (status != CAIRN_OK) return status;
    job->at++;
    return CAIRN_RUNNING;
}

/* The most of the costs of paths. */
static cairn_status sectors_most_on(crn_mm_job *job)
{
    if (job->level || !job->mm->stored) return CAIRN_OK;
    for (uint32_t last = UINT32_MAX, leaf; job->at < sectors_turns(job, &job->near); job->at++) {
        uint32_t sector = sectors_turn(job, &job->near);
        leaf = sector / CRN_MM_PATHS_LEAF;
        if (last != UINT32_MAX && leaf != last) return CAIRN_RUNNING;
        if (leaf != last) crn_mm_paths_update_most(job->mm, sector);
        last = leaf;
    }
    return CAIRN_OK;
}

/* ---- from stage to stage ---- */

static cairn_status sectors_begin_repair(crn_mm_job *job, uint64_t since)
{
    crn_mm_list *lists[] = {&job->changed, &job->marks, &job->near, &job->moved, &job->moved_below};
    for (uint32_t i = 0; i < CRN_COUNT(lists); i++) crn_mm_list_clear(lists[i]);
    for (uint32_t i = 0; i < 2; i++) crn_mm_history_clear(&job->history[i]);
    crn_mm_draft_again(job);
    job->whole = job->amending = false;
    job->stage = CRN_MM_EDITS;
    job->level = 0;
    job->at = 0;
    job->done = 0;
    job->total = job->mm->level_count;
    return crn_edits_begin(&job->edits, job->space->grid, since);
}

static void sectors_enter_level(crn_mm_job *job)
{
    crn_mm_list below = job->moved;
    job->level++;
    crn_mm_history_clear(&job->history[job->level % 2]);
    job->stage = CRN_MM_LOWER;
    job->moved = job->moved_below;
    job->moved_below = below;
    crn_mm_list_clear(&job->changed);
    crn_mm_list_clear(&job->marks);
    crn_mm_list_clear(&job->moved);
    job->done += !job->whole;
}

/* A stage is over. CAIRN_OK: so is the job. */
static cairn_status sectors_next(crn_mm_job *job)
{
    bool made = job->stage == CRN_MM_CHANGED && !job->amending;
    if (job->whole && (made || (job->stage == CRN_MM_PATHS && !job->level && job->mm->stored)))
        job->done += crn_mm_sector_count(&job->mm->levels[job->level]);
    job->at = 0;
    if (job->stage == CRN_MM_MOST && job->level + 1 < job->mm->level_count) {
        sectors_enter_level(job);
        return job->whole || sectors_report(job) ? CAIRN_RUNNING : CAIRN_CANCELLED;
    }
    if (++job->stage < CRN_MM_DONE) return CAIRN_RUNNING;
    if (job->version != cairn_space_version(&job->space->base)) {
        cairn_status status = sectors_begin_repair(job, job->version);
        return status == CAIRN_OK ? CAIRN_RUNNING : status;
    }
    return crn_progress(job->progress, job->total, job->total) ? CAIRN_OK : CAIRN_CANCELLED;
}

/* Subtracts what it takes from *work. What was saved is for one piece: after a commit that may be
 * another one, which takes less, and the rest is lost. */
static cairn_status sectors_step(crn_mm_job *job, uint64_t *work)
{
    static cairn_status (*const stages[])(crn_mm_job *) = {
        sectors_edits_on,  sectors_lower_on,   sectors_upper_on,  sectors_lists_on,
        sectors_labels_on, sectors_changed_on, sectors_marked_on, sectors_moved_on,
        sectors_counts_on, sectors_paths_on,   sectors_most_on,   crn_mm_find_doors_on};
    cairn_status status = CAIRN_RUNNING;
    uint64_t granted = *work - (job->saved < *work ? job->saved : *work);
    job->left = *work;
    job->waits = false;
    while (job->left && !job->waits && status == CAIRN_RUNNING) {
        uint64_t before = job->left;
        crn_mm_stage stage = job->stage;
        status = stages[stage](job);
        job->left -= job->left == before && !job->waits;
        if (!job->waits && job->left > granted) job->left = granted;
        if (status == CAIRN_OK) status = sectors_next(job);
    }
    *work = job->left;
    job->saved = status == CAIRN_RUNNING ? job->left : 0;
    return status;
}

/* ---- builds ---- */

static bool sectors_open_levels(crn_mm *mm, const crn_grid_space *space)
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

static cairn_status sectors_say(cairn_status status, cairn_error *error)
{
    if (status == CAIRN_CANCELLED) return crn_fail(error, status, 0, "the build was cancelled");
    if (status == CAIRN_OUT_OF_MEMORY)
        return crn_fail(error, status, 0, "no memory for the abstraction");
    return status;
}

/* The paths of `dbastar` are found with memory that is as large as the map: that of a repair is
 * kept for the next one. */
static void sectors_end(crn_mm *mm)
{
    crn_mm_job *job = mm->job;
    job->busy = false;
    job->progress = NULL;
    if (mm->stored && !job->built) return;
    crn_mm_job_close(job);
    mm->job = NULL;
}

static bool sectors_open_job(crn_mm *mm, const crn_grid_space *space)
{
    if (!mm->job) mm->job = crn_mm_job_open(mm, space);
    if (mm->job) mm->job->busy = true;
    return mm->job;
}

cairn_status crn_mm_build_begin(crn_mm *mm, const crn_grid_space *space, cairn_error *error)
{
    if (!sectors_open_job(mm, space) || !sectors_open_levels(mm, space)) {
        crn_mm_drop(mm, space->base.context);
        return sectors_say(CAIRN_OUT_OF_MEMORY, error);
    }
    crn_mm_job *job = mm->job;
    job->whole = job->built = true;
    job->stage = CRN_MM_CHANGED;
    job->version = cairn_space_version(&space->base);
    for (uint32_t i = 0; i < mm->level_count; i++)
        job->total += crn_mm_sector_count(&mm->levels[i]);
    if (mm->stored) job->total += crn_mm_sector_count(&mm->levels[0]);
    return CAIRN_RUNNING;
}

cairn_status crn_mm_build(crn_mm *mm, const crn_grid_space *space, const cairn_progress *progress,
                          cairn_error *error)
{
    cairn_status status = crn_mm_build_begin(mm, space, error);
    if (status != CAIRN_RUNNING) return status;
    uint64_t work = UINT64_MAX;
    mm->job->progress = progress;
    status = sectors_step(mm->job, &work);
    sectors_end(mm);
    if (status != CAIRN_OK) crn_mm_drop(mm, space->base.context);
    return sectors_say(status, error);
}

/* ---- repairs ---- */

/* The world has changed while a job is under way. CAIRN_STALE: the grid has forgotten how. */
static cairn_status sectors_continue(crn_mm_job *job)
{
    crn_edits probe;
    bool reads = job->stage == CRN_MM_EDITS;
    cairn_status status =
        crn_edits_begin(&probe, job->space->grid, reads ? job->edits.version - 1 : job->version);
    if (status != CAIRN_OK) return status;
    if (!job->level && job->stage < CRN_MM_COUNTS) crn_mm_draft_again(job);
    if (job->stage == CRN_MM_PATHS) crn_mm_paths_again(job);
    if (job->stage == CRN_MM_DOORS) job->at = 0;
    return CAIRN_RUNNING;
}

static cairn_status sectors_begin(crn_mm *mm, const crn_grid_space *space, uint64_t since)
{
    if (mm->job && mm->job->busy) return sectors_continue(mm->job);
    if (!sectors_open_job(mm, space)) return CAIRN_OUT_OF_MEMORY;
    mm->job->drafted = mm->job->found = 0;
    cairn_status status = sectors_begin_repair(mm->job, since);
    return status == CAIRN_OK ? CAIRN_RUNNING : status;
}

cairn_status crn_mm_repair_begin(crn_mm *mm, const crn_grid_space *space, uint64_t since,
                                 cairn_error *error)
{
    return sectors_say(sectors_begin(mm, space, since), error);
}

cairn_status crn_mm_repair(crn_mm *mm, const crn_grid_space *space, uint64_t since,
                           const cairn_progress *progress, cairn_error *error)
{
    uint64_t work = UINT64_MAX;
    cairn_status status = sectors_begin(mm, space, since);
    if (status == CAIRN_RUNNING) {
        mm->job->progress = progress;
        status = sectors_report(mm->job) ? sectors_step(mm->job, &work) : CAIRN_CANCELLED;
    }
    if (mm->job) sectors_end(mm);
    return sectors_say(status, error);
}

/* An index from a wrong file cannot be repaired. */
cairn_status crn_mm_step(crn_mm *mm, const crn_grid_space *space, uint64_t *work,
                         cairn_error *error)
{
    cairn_status status = sectors_step(mm->job, work);
    if (status == CAIRN_STALE) {
        crn_mm_drop(mm, space->base.context);
        return crn_mm_build_begin(mm, space, error);
    }
    if (status == CAIRN_OK) sectors_end(mm);
    return sectors_say(status, error);
}

/* ---- after loading ---- */

static cairn_status sectors_load(crn_mm_job *job)
{
    cairn_status status = CAIRN_OK;
    job->whole = job->loading = true;
    job->left = UINT64_MAX;
    for (job->level = 1; job->level < job->mm->level_count; job->level++) {
        for (job->at = 0; (status = sectors_labels_on(job)) == CAIRN_RUNNING;) {
        }
        if (status != CAIRN_OK) return status;
    }
    job->at = 0;
    while ((status = crn_mm_find_doors_on(job)) == CAIRN_RUNNING) {
    }
    return status;
}

cairn_status crn_mm_finish(crn_mm *mm, const crn_grid_space *space)
{
    crn_mm_job *job = crn_mm_job_open(mm, space);
    cairn_status status = job ? sectors_load(job) : CAIRN_OUT_OF_MEMORY;
    crn_mm_job_close(job);
    return status;
}
