/* hcdps_relink.c: the index of `hcdps` after an edit: doors and links.
 *
 * A door between two regions of which none was freed is still there; all others are where cells
 * were freed, or lead there. So are the better doors of regions that took cells.
 *
 * Records are climbed again, all of them: that tells what links cost. One that passes a cell with
 * other steps is searched again, and so is one that the edit may have made cheaper: where the path
 * between its ends through what was opened is shorter than it, on a map without walls. The others
 * are still the cheapest paths. So the links are those of a build with the same regions.
 */
#include "realtime/hcdps/hcdps_repair.h"

/* ---- doors ---- */

static cairn_cost relink_step(const crn_hcdps_job *job, const crn_hcdps_link *link)
{
    const crn_grid_space *map = job->map;
    cairn_cell a = cairn_grid_cell(map->grid, link->leave),
               b = cairn_grid_cell(map->grid, link->enter);
    int32_t dx = a.x - b.x, dy = a.y - b.y;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1)
        return cairn_space_step_cost(&map->base, link->leave, link->enter);
    return !dx || !dy || map->hex ? map->base.scale.straight : map->base.scale.diagonal;
}

/* The doors of a region to others that were not freed, and the part of the map that it was of. */
static bool relink_keep_doors(crn_hcdps_mend *r, uint32_t region)
{
    uint32_t count = crn_hcdps_list_links(r->old, region, r->links);
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) {
        const crn_hcdps_link *link = &r->links[i];
        crn_set_unite(r->part.owned, region, link->region);
        if (link->leave == CAIRN_NO_NODE || r->freed[region] || r->freed[link->region]) continue;
        crn_hcdps_door door = {(uint64_t)region << 32 | link->region, 0, link->leave, link->enter};
        door.cost = crn_hcdps_door_cost(&r->job, &door, relink_step(&r->job, link));
        ok = crn_hcdps_note_door(&r->job, &door);
    }
    return ok;
}

/* All steps from the freed cells, and from those beside them. */
static bool relink_scan(crn_hcdps_mend *r)
{
    const crn_grid_space *map = r->job.map;
    const crn_size_box *box = &r->area.box;
    uint32_t right = crn_min_u32(box->right + 1, map->grid->width - 1),
             bottom = crn_min_u32(box->bottom + 1, map->grid->height - 1);
    bool ok = true;
    for (uint32_t y = box->top - (box->top > 0); y <= bottom; y++) {
        for (uint32_t x = box->left - (box->left > 0); x <= right && ok; x++)
            ok = !crn_bit(&map->usable, (int32_t)x, (int32_t)y) ||
                 crn_hcdps_note_steps(&r->job, y * map->grid->width + x);
    }
    return ok && crn_hcdps_note_links(&r->job);
}

cairn_status crn_hcdps_reopen_doors(crn_hcdps_mend *r)
{
    bool ok = true;
    for (uint32_t i = 0; i < r->regions && ok; i++) ok = crn_hcdps_put(&r->part, r->job.context, i);
    for (uint32_t i = 0; i < r->regions && ok; i++) ok = relink_keep_doors(r, i);
    return ok && relink_scan(r) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* ---- records ---- */

/* The old records of a pair, there and back; read == end: the link goes straight there. */
typedef struct relink_record {
    uint32_t read[2], end[2];
    uint8_t found; /* bits */
} relink_record;

static bool relink_is_touched(const crn_hcdps_mend *r, const crn_climb *climb)
{
    const crn_size_box *box = &r->touched_box;
    if ((uint32_t)climb->x - box->left > box->right - box->left ||
        (uint32_t)climb->y - box->top > box->bottom - box->top)
        return false;
    cairn_node node = crn_climb_node(climb);
    size_t at = crn_lower_bound(r->touched.items, r->touched.count, node);
    return at < r->touched.count && r->touched.items[at] == node;
}

/* The nearest cell of a box. */
static cairn_cell relink_nearest(const crn_size_box *box, cairn_cell cell)
{
    uint32_t x = crn_min_u32(crn_max_u32((uint32_t)cell.x, box->left), box->right),
             y = crn_min_u32(crn_max_u32((uint32_t)cell.y, box->top), box->bottom);
    return (cairn_cell){(int32_t)x, (int32_t)y};
}

/* Adds what a climb costs (NULL: nobody asks); false: it passes what was touched, or does not
 * arrive. It never goes away from its target: if that is nearer than what was touched, the climb is
 * what it was before. */
static bool relink_climb(const crn_hcdps_mend *r, cairn_node from, cairn_node to, uint64_t *cost)
{
    const crn_grid_space *map = r->job.map;
    crn_climb climb = crn_climb_between(map, from, to);
    cairn_cell start = {climb.x, climb.y}, target = {climb.tx, climb.ty};
    if (!map->hex && crn_climb_distance(map, start, target) <
                         crn_climb_distance(map, relink_nearest(&r->touched_box, target), target)) {
        if (!cost) return true;
        uint64_t sum = 0;
        bool reaches = crn_climb_reaches(map, from, to, r->old->cutoff, &sum);
        *cost += sum;
        return reaches;
    }
    for (uint32_t left = r->old->cutoff; !crn_climb_arrived(&climb); left--) {
        if (relink_is_touched(r, &climb)) return false;
        uint32_t d = crn_climb_direction(&climb);
        if (d == CRN_CLIMB_STUCK || !left) return false;
        if (cost)
            *cost += d < CRN_NE || map->hex ? map->base.scale.straight : map->base.scale.diagonal;
        crn_climb_move(&climb, d);
    }
    return true;
}

/* Copies the record of a pair from the old index, if it still leads there. */
static bool relink_copy(crn_hcdps_mend *r, cairn_node from, cairn_node to, uint32_t read,
                        uint32_t end, uint64_t *cost)
{
    cairn_node node = from, before = from;
    if (cost) *cost = 0;
    while (crn_hcdps_subgoal(r->old, &read, end, &node)) {
        if (!relink_climb(r, before, node, cost)) return false;
        if (!crn_hcdps_put(&r->job.records, r->job.context, node)) return false;
        before = node;
    }
    return relink_climb(r, before, to, cost) && crn_hcdps_put(&r->job.records, r->job.context, to);
}

/* Can there be a cheaper path through what was opened? */
static bool relink_is_shorter(const crn_hcdps_mend *r, const crn_hcdps_pair *pair)
{
    const crn_grid_space *map = r->job.map;
    cairn_cell from = cairn_grid_cell(map->grid, crn_hcdps_home(r->job.index, pair->from)),
               to = cairn_grid_cell(map->grid, crn_hcdps_home(r->job.index, pair->to));
    for (size_t i = 0; i < r->opened_count; i++) {
        const crn_size_box *box = &r->opened[i];
        if (crn_climb_distance(map, from, relink_nearest(box, from)) +
                crn_climb_distance(map, to, relink_nearest(box, to)) <
            pair->cost)
            return true;
    }
    return false;
}

/* A pair that was there before. */
static void relink_keep(crn_hcdps_mend *r, crn_hcdps_pair *pair, const relink_record *record)
{
    cairn_node from = crn_hcdps_home(r->job.index, pair->from),
               to = crn_hcdps_home(r->job.index, pair->to);
    size_t count = r->job.records.count;
    pair->first = (uint32_t)count;
    pair->known = relink_copy(r, from, to, record->read[0], record->end[0], &pair->cost) &&
                  !relink_is_shorter(r, pair);
    pair->middle = (uint32_t)r->job.records.count;
    pair->known = pair->known && relink_copy(r, to, from, record->read[1], record->end[1], NULL);
    pair->end = (uint32_t)r->job.records.count;
    if (!pair->known) r->job.records.count = count;
}

/* The number of a pair; that of all pairs if there is none. */
static size_t relink_pair(const crn_hcdps_job *job, uint32_t a, uint32_t b)
{
    uint32_t from = crn_min_u32(a, b), to = crn_max_u32(a, b);
    size_t low = 0, high = job->pair_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const crn_hcdps_pair *pair = &job->pairs[middle];
        if (pair->from < from || (pair->from == from && pair->to < to)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < job->pair_count && job->pairs[low].from == from && job->pairs[low].to == to;
    return found ? low : job->pair_count;
}

/* Notes where the old records are, and where links led. */
static bool relink_note(crn_hcdps_mend *r, uint32_t region, relink_record *records)
{
    crn_hcdps_job *job = &r->job;
    uint32_t count = crn_hcdps_list_links(r->old, region, r->links), near = 0;
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) {
        const crn_hcdps_link *link = &r->links[i];
        near += link->leave != CAIRN_NO_NODE;
        ok = crn_hcdps_put(&r->link_to, job->context, link->region);
        if (!job->exact || !crn_hcdps_remains(r, region) || !crn_hcdps_remains(r, link->region))
            continue;
        uint32_t from = r->order.items[region], to = r->order.items[link->region];
        size_t at = relink_pair(job, from, to);
        if (at == job->pair_count) {
            r->relinked = true;
            continue;
        }
        bool back = from > to;
        records[at].read[back] = link->read;
        records[at].end[back] = link->end;
        records[at].found |= (uint8_t)(1 << back);
    }
    return ok && crn_hcdps_put(&r->link_near, job->context, near) &&
           crn_hcdps_put(&r->link_first, job->context, (uint32_t)r->link_to.count);
}

static bool relink_is_same(const crn_hcdps_array *a, const crn_hcdps_array *b)
{
    return a->count == b->count &&
           (!a->count || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

cairn_status crn_hcdps_relink(crn_hcdps_mend *r)
{
    crn_hcdps_job *job = &r->job;
    cairn_status status = job->exact ? crn_hcdps_list_pairs(job) : CAIRN_OK;
    size_t size = (job->pair_count + 1) * sizeof(relink_record);
    relink_record *records = status == CAIRN_OK ? crn_alloc_zero(job->context, size) : NULL;
    bool ok = records && crn_hcdps_put(&r->link_first, job->context, 0), missing = false;
    for (uint32_t i = 0; i < r->regions && ok; i++) ok = relink_note(r, i, records);
    for (size_t i = 0; i < job->pair_count && ok; i++) {
        if (records[i].found == 3) relink_keep(r, &job->pairs[i], &records[i]);
        missing |= !job->pairs[i].known;
    }
    crn_free(job->context, records, size);
    if (status == CAIRN_OK && !ok) status = CAIRN_OUT_OF_MEMORY;
    r->relinked |= missing || r->numbered || !job->exact;
    if (status == CAIRN_OK && missing) status = crn_hcdps_search_pairs(job);
    if (status == CAIRN_OK) status = crn_hcdps_write_links(job);
    /* regions that begin or end to touch */
    r->relinked |= !relink_is_same(&r->link_first, &job->link_first) ||
                   !relink_is_same(&r->link_near, &job->link_near) ||
                   !relink_is_same(&r->link_to, &job->link_to);
    return status;
}
