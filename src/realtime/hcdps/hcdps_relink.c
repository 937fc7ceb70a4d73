/* hcdps_relink.c: the index of `hcdps` after an edit: doors and links.
 *
 * A door between two regions of which none was freed is still there; all others are where cells
 * were freed, or lead there. So are the better doors of regions that took cells.
 *
 * Which links a region has depends on the doors of the regions round it, and on the paths to these.
 * If none of these doors was looked at again, if even without walls no path through the edit could
 * be as cheap as that of a link, and if the numbers of all these regions have moved by as much, the
 * region keeps its links: they are copied.
 *
 * Of all others the records are climbed again. One that passes a cell with other steps is searched
 * again, and so is one that the edit may have made cheaper: where the path between its ends through
 * what was opened is shorter than it, on a map without walls. The others are still the cheapest
 * paths. So the links are those of a build with the same regions.
 *
 * What links cost is not in the index. The first repair climbs all records; then the costs are left
 * from each repair to the next one. (Where all ground has one price that is no whole number, paths
 * are not those that cost least here, and may cost more than their records: there every repair
 * climbs.)
 */
#include "realtime/hcdps/hcdps_repair.h"

/* ---- doors ---- */

/* As a build looks at it: where links leave a cell, at all edges. */
static cairn_cost relink_step(const crn_hcdps_job *job, const crn_hcdps_door *door)
{
    const crn_grid_space *map = job->map;
    cairn_cell a = cairn_grid_cell(map->grid, door->leave),
               b = cairn_grid_cell(map->grid, door->enter);
    if (map->links.count && crn_bit(&map->links.from, a.x, a.y))
        return cairn_space_step_cost(&map->base, door->leave, door->enter);
    return a.x == b.x || a.y == b.y || map->hex ? map->base.scale.straight
                                                : map->base.scale.diagonal;
}

static bool relink_add_door(crn_hcdps_job *job, crn_hcdps_door door)
{
    void *doors = job->old_doors;
    bool ok = crn_grow(job->context, &doors, &job->old_door_capacity, job->old_door_count + 1,
                       sizeof door);
    job->old_doors = doors;
    if (ok) job->old_doors[job->old_door_count++] = door;
    return ok;
}

/* The old links of a region, the part of the map that it was of, and its doors to others that were
 * not freed. */
static bool relink_read(crn_hcdps_mend *r, uint32_t region)
{
    cairn_context *context = r->job.context;
    uint32_t count = crn_hcdps_list_links(r->old, region, r->links), near = 0;
    bool ok = crn_hcdps_reserve(&r->link_to, context, count);
    for (uint32_t i = 0; i < count && ok; i++) {
        const crn_hcdps_link *link = &r->links[i];
        r->link_to.owned[r->link_to.count++] = link->region;
        crn_set_unite(r->part.owned, region, link->region);
        if (link->leave == CAIRN_NO_NODE) continue;
        near++;
        if (r->freed[region] || r->freed[link->region]) continue;
        crn_hcdps_door door = {(uint64_t)region << 32 | link->region, 0, link->leave, link->enter};
        ok = relink_add_door(&r->job, door);
    }
    return ok && crn_hcdps_put(&r->link_near, context, near) &&
           crn_hcdps_put(&r->link_first, context, (uint32_t)r->link_to.count);
}

/* Old doors between regions that have a step between them near the edit, too: the best counts. */
static bool relink_compare_doors(crn_hcdps_job *job)
{
    size_t count = job->old_door_count;
    bool ok = true;
    job->old_door_count = 0;
    for (size_t i = 0; i < count && ok; i++) {
        crn_hcdps_door door = job->old_doors[i];
        bool noted = crn_hcdps_is_noted(job, &door);
        if (noted || !job->exact)
            door.cost = crn_hcdps_door_cost(job, &door, relink_step(job, &door));
        if (noted) {
            ok = crn_hcdps_note_door(job, &door);
        } else {
            job->old_doors[job->old_door_count++] = door;
        }
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
    bool ok = crn_hcdps_put(&r->link_first, r->job.context, 0) &&
              crn_hcdps_reserve(&r->part, r->job.context, r->regions);
    for (uint32_t i = 0; i < r->regions && ok; i++) r->part.owned[r->part.count++] = i;
    for (uint32_t i = 0; i < r->regions && ok; i++) ok = relink_read(r, i);
    return ok && relink_scan(r) && relink_compare_doors(&r->job) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* ---- regions that keep their links ---- */

/* Those whose doors have changed, or may have, do not. Lists them; returns how many. */
static uint32_t relink_list_changed(crn_hcdps_mend *r, uint32_t *list)
{
    const crn_hcdps_job *job = &r->job;
    uint32_t regions = crn_hcdps_regions(job->index), count = 0;
    uint8_t *stays = r->kept.stays;
    for (uint32_t i = 0; i < regions; i++) {
        uint32_t old = r->was.items[i];
        if (old == UINT32_MAX || r->freed[old]) stays[i] = 0;
    }
    for (size_t i = 0; i < job->door_count; i++) {
        if (!job->doors[i].cost) continue;
        stays[job->doors[i].key >> 32] = stays[(uint32_t)job->doors[i].key] = 0;
    }
    for (size_t i = 0; i < r->area.freed.count; i++) {
        uint32_t old = r->area.freed.items[i], first = r->link_first.items[old];
        for (uint32_t k = 0; k < r->link_near.items[old]; k++) {
            uint32_t to = r->link_to.items[first + k];
            if (crn_hcdps_remains(r, to)) stays[r->order.items[to]] = 0;
        }
    }
    for (uint32_t i = 0; i < regions; i++) {
        if (!stays[i]) list[count++] = i;
    }
    return count;
}

/* Nor do those that look so far through doors. */
static void relink_spread(crn_hcdps_mend *r, uint32_t *list, uint32_t count)
{
    const crn_hcdps_job *job = &r->job;
    uint32_t at = 0;
    for (uint32_t depth = 1; depth < job->index->depth; depth++) {
        for (uint32_t end = count; at < end; at++) {
            for (uint32_t i = job->door_first[list[at]]; i < job->door_first[list[at] + 1]; i++) {
                uint32_t to = (uint32_t)job->doors[i].key;
                if (r->kept.stays[to]) list[count++] = to;
                r->kept.stays[to] = 0;
            }
        }
    }
}

/* The nearest cell of a box. */
static cairn_cell relink_nearest(const crn_size_box *box, cairn_cell cell)
{
    uint32_t x = crn_min_u32(crn_max_u32((uint32_t)cell.x, box->left), box->right),
             y = crn_min_u32(crn_max_u32((uint32_t)cell.y, box->top), box->bottom);
    return (cairn_cell){(int32_t)x, (int32_t)y};
}

/* Is the edit so far away that no path of this cost between two regions can lead there? */
static bool relink_is_far(const crn_hcdps_mend *r, uint32_t a, uint32_t b, uint64_t cost)
{
    const crn_grid_space *map = r->job.map;
    cairn_cell from = cairn_grid_cell(map->grid, crn_hcdps_home(r->old, a)),
               to = cairn_grid_cell(map->grid, crn_hcdps_home(r->old, b));
    return crn_climb_distance(map, from, relink_nearest(&r->changed_box, from)) +
               crn_climb_distance(map, to, relink_nearest(&r->changed_box, to)) >
           cost;
}

/* Nor do those one of whose links leads elsewhere, may have another path, or is another number of
 * regions away. */
static void relink_compare_links(crn_hcdps_mend *r, uint32_t old)
{
    uint8_t *stays = r->kept.stays;
    const uint32_t *order = r->order.items;
    if (!crn_hcdps_remains(r, old)) return;
    for (uint32_t i = r->link_first.items[old]; i < r->link_first.items[old + 1]; i++) {
        uint32_t to = r->link_to.items[i];
        bool remains = crn_hcdps_remains(r, to);
        if (!remains || order[to] - to != order[old] - old) stays[order[old]] = 0;
        if (remains && old < to && !relink_is_far(r, old, to, r->old->costs[i]))
            stays[order[old]] = stays[order[to]] = 0;
    }
}

static bool relink_find_kept(crn_hcdps_mend *r)
{
    uint32_t regions = crn_hcdps_regions(r->job.index);
    size_t size = (regions + 1) * sizeof(uint32_t);
    uint32_t *list = crn_alloc(r->job.context, size);
    r->kept = (crn_hcdps_kept){crn_alloc_zero(r->job.context, regions + 1),
                               r->was.items,
                               r->order.items,
                               &r->link_first,
                               &r->link_near,
                               &r->link_to};
    bool ok = list && r->kept.stays;
    if (ok && r->job.exact && r->old->costs) {
        memset(r->kept.stays, 1, regions);
        relink_spread(r, list, relink_list_changed(r, list));
        for (uint32_t i = 0; i < r->regions; i++) relink_compare_links(r, i);
    }
    if (r->kept.stays) r->job.kept = &r->kept;
    crn_free(r->job.context, list, size);
    return ok;
}

/* Does an old region remain with other links? */
static bool relink_is_changed(const crn_hcdps_mend *r, uint32_t old)
{
    return crn_hcdps_remains(r, old) && !r->kept.stays[r->order.items[old]];
}

/* The pairs of regions that keep their links with others: as before. */
static bool relink_list_kept_pairs(crn_hcdps_mend *r)
{
    bool ok = true;
    for (uint32_t old = 0; old < r->regions; old++) {
        if (!relink_is_changed(r, old)) continue;
        for (uint32_t i = r->link_first.items[old]; i < r->link_first.items[old + 1] && ok; i++) {
            uint32_t to = r->link_to.items[i], a = r->order.items[old], b = r->order.items[to];
            if (crn_hcdps_remains(r, to) && r->kept.stays[b])
                ok = crn_hcdps_add_pair(&r->job, crn_min_u32(a, b), crn_max_u32(a, b));
        }
    }
    crn_hcdps_sort_pairs(&r->job, 0);
    return ok;
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

/* Does an old region have a link that is made again, or has one to it? */
static bool relink_concerns(const crn_hcdps_mend *r, uint32_t old)
{
    bool concerns = relink_is_changed(r, old);
    if (!crn_hcdps_remains(r, old)) return false;
    for (uint32_t i = r->link_first.items[old]; i < r->link_first.items[old + 1] && !concerns; i++)
        concerns = relink_is_changed(r, r->link_to.items[i]);
    return concerns;
}

/* Notes where the old records are. */
static void relink_note(crn_hcdps_mend *r, uint32_t region, relink_record *records)
{
    crn_hcdps_job *job = &r->job;
    uint32_t count = crn_hcdps_list_links(r->old, region, r->links);
    for (uint32_t i = 0; i < count; i++) {
        const crn_hcdps_link *link = &r->links[i];
        if (!crn_hcdps_remains(r, link->region) ||
            (!relink_is_changed(r, region) && !relink_is_changed(r, link->region)))
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
}

static bool relink_is_same(const crn_hcdps_array *a, const crn_hcdps_array *b)
{
    return a->count == b->count &&
           (!a->count || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

/* The records of all links that are made again. */
static bool relink_keep_records(crn_hcdps_mend *r, bool *missing)
{
    crn_hcdps_job *job = &r->job;
    size_t size = (job->pair_count + 1) * sizeof(relink_record);
    relink_record *records = crn_alloc_zero(job->context, size);
    if (!records) return false;
    for (uint32_t i = 0; i < r->regions; i++) {
        if (relink_concerns(r, i)) relink_note(r, i, records);
    }
    for (size_t i = 0; i < job->pair_count; i++) {
        if (records[i].found == 3) relink_keep(r, &job->pairs[i], &records[i]);
        *missing |= !job->pairs[i].known;
    }
    crn_free(job->context, records, size);
    return true;
}

cairn_status crn_hcdps_relink(crn_hcdps_mend *r)
{
    crn_hcdps_job *job = &r->job;
    cairn_status status = relink_find_kept(r) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    bool missing = false;
    if (status == CAIRN_OK && job->exact) {
        status = crn_hcdps_list_pairs(job);
        if (status == CAIRN_OK && !(relink_list_kept_pairs(r) && relink_keep_records(r, &missing)))
            status = CAIRN_OUT_OF_MEMORY;
    }
    r->relinked |= missing || r->numbered || !job->exact;
    if (status == CAIRN_OK && missing) status = crn_hcdps_search_pairs(job);
    if (status == CAIRN_OK) status = crn_hcdps_write_links(job);
    /* regions that begin or end to touch */
    r->relinked |= !relink_is_same(&r->link_first, &job->link_first) ||
                   !relink_is_same(&r->link_near, &job->link_near) ||
                   !relink_is_same(&r->link_to, &job->link_to);
    return status;
}
