/* hcdps_reroute.c: the index of `hcdps` after an edit: rows.
 *
 * The links that all regions take to one target are a *column*. Columns do not depend on each
 * other: one is right if following it from each region ends at the target. It need not be the
 * cheapest one, so a column stays as it is as long as its links are there, whatever they cost now.
 * What is found again:
 *
 * - Columns of new regions, and some others with each repair: that is how costs follow
 *   (hcdps_columns.c).
 * - Rows of new regions: one search from the region. No old route passes it.
 * - Where a link is gone, all columns that took it are *patched*. The first region behind it on
 *   the old route that is still there can be reached over other links, by a detour
 *   (hcdps_detour.c).
 * - Where a link is new or cheaper, and near gaps, routes over other links may have become the
 *   cheapest ones: these are led there (hcdps_shortcut.c).
 * - Parts of the map that were not connected and now are: one search tells how to get from all
 *   regions of the one to the nearest of the other, whatever the target there. From that region on
 *   there are routes.
 * - Parts that are no longer connected: no link.
 *
 * All this is done for ranges of targets, not for each one, and rows are written from their old
 * runs. All rows are found again if too much has changed, or where steps lead only one way.
 */
#include "realtime/hcdps/hcdps_reroute.h"
#include "realtime/hcdps/hcdps_routes.h"

enum { REROUTE_SETS = 64 };

/* ---- which links are still there ---- */

static void reroute_map_links(crn_hcdps_rerouting *j)
{
    const crn_hcdps_mend *r = j->r;
    for (uint32_t old = 0; old < r->regions; old++) {
        uint32_t first = r->link_first.items[old], end = r->link_first.items[old + 1];
        bool remains = crn_hcdps_remains(r, old);
        uint32_t region = remains ? r->order.items[old] : 0,
                 count = remains ? crn_hcdps_count_of(j, region) : 0,
                 near = remains ? r->job.link_near.items[region] : 0;
        const uint32_t *links = remains ? crn_hcdps_links_of(j, region) : NULL;
        for (uint32_t i = 0; i < count; i++) j->queue[links[i]] = i;
        for (uint32_t i = first; i < end; i++) {
            uint32_t to = r->link_to.items[i];
            j->moved[i] = CRN_HCDPS_NO_LINK;
            if (!remains || !crn_hcdps_remains(r, to)) continue;
            uint32_t slot = j->queue[r->order.items[to]];
            if (slot < (j->near ? near : count) && links[slot] == r->order.items[to])
                j->moved[i] = slot;
        }
    }
}

/* ---- parts of the map ---- */

/* Returns whether it is several. */
static bool reroute_mix(uint32_t *what, uint32_t with)
{
    if (*what == UINT32_MAX) *what = with;
    if (*what != with) *what = CRN_HCDPS_MIXED;
    return *what != with;
}

static void reroute_compare_parts(crn_hcdps_rerouting *j)
{
    crn_hcdps_mend *r = j->r;
    for (uint32_t i = 0; i < r->regions; i++) j->before[i] = crn_set_find(r->part.owned, i);
    memcpy(j->now, crn_hcdps_routes_web(j->routes)->part, j->regions * sizeof *j->now);
    memset(j->only, 0xff, j->regions * sizeof *j->only);
    memset(j->split, 0xff, r->regions * sizeof *j->split);
    for (uint32_t i = 0; i < j->regions; i++) {
        if (r->was.items[i] == UINT32_MAX) continue;
        j->mixed |= reroute_mix(&j->only[j->now[i]], j->before[r->was.items[i]]);
        j->mixed |= reroute_mix(&j->split[j->before[r->was.items[i]]], j->now[i]);
    }
}

/* Targets of parts that are as they were are one class. */
static bool reroute_list_classes(crn_hcdps_rerouting *j)
{
    for (uint32_t i = 0; i < j->regions; i++) {
        uint32_t old = j->r->was.items[i];
        if (old == UINT32_MAX && i) continue; /* has a column */
        crn_hcdps_class class = {i, old == UINT32_MAX ? UINT32_MAX : j->before[old], j->now[i]};
        if (!crn_hcdps_is_mixed(j, i)) class.before = class.now = UINT32_MAX;
        const crn_hcdps_class *last = j->class_count ? &j->classes[j->class_count - 1] : NULL;
        if (last && last->before == class.before && last->now == class.now) continue;
        void *classes = j->classes;
        bool ok = crn_grow(j->r->job.context, &classes, &j->class_capacity, j->class_count + 1,
                           sizeof *j->classes);
        j->classes = classes;
        if (!ok) return false;
        j->classes[j->class_count++] = class;
    }
    return true;
}

/* The routes to each part that was joined with others. */
static bool reroute_find_sets(crn_hcdps_rerouting *j)
{
    const crn_hcdps_mend *r = j->r;
    memset(j->set_of, 0xff, r->regions * sizeof *j->set_of);
    for (uint32_t i = 0; i < j->regions; i++) {
        uint32_t old = r->was.items[i];
        if (old == UINT32_MAX || j->only[j->now[i]] != CRN_HCDPS_MIXED) continue;
        uint32_t *set = &j->set_of[j->before[old]];
        if (*set == UINT32_MAX) *set = j->sets++;
    }
    j->gives_up = j->sets > REROUTE_SETS || j->sets > 8 + j->regions / 16;
    if (j->gives_up || !j->sets) return true;
    j->set_slots = crn_alloc(r->job.context, (size_t)j->sets * j->regions * sizeof *j->set_slots);
    if (!j->set_slots) return false;
    for (uint32_t part = 0; part < r->regions; part++) {
        uint32_t count = 0;
        if (j->set_of[part] == UINT32_MAX) continue;
        for (uint32_t i = 0; i < j->regions; i++) {
            uint32_t old = r->was.items[i];
            if (old != UINT32_MAX && j->before[old] == part) j->queue[count++] = i;
        }
        const uint16_t *slots = crn_hcdps_find_routes(j->routes, j->queue, count, true, UINT32_MAX);
        if (!slots) return false;
        memcpy(j->set_slots + (size_t)j->set_of[part] * j->regions, slots,
               j->regions * sizeof *slots);
    }
    return true;
}

/* ---- rows ---- */

/* The runs of a region's row as it was: the first old number and the link of now. */
static bool reroute_read_runs(crn_hcdps_rerouting *j, uint32_t region)
{
    const crn_hcdps_mend *r = j->r;
    cairn_context *context = r->job.context;
    uint32_t old = r->was.items[region];
    const uint32_t *moved = j->moved + r->link_first.items[old];
    uint32_t links = r->link_first.items[old + 1] - r->link_first.items[old];
    crn_hcdps_reader reader =
        crn_hcdps_stream(r->old, j->near ? CRN_HCDPS_NEAR : CRN_HCDPS_ROWS,
                         j->near ? CRN_HCDPS_NEAR_FIRST : CRN_HCDPS_ROW_FIRST, old);
    uint32_t runs = crn_hcdps_read(&reader), start = UINT32_MAX;
    const uint8_t *entry = reader.at;
    reader.at += (size_t)(runs ? (runs - 1) / CRN_HCDPS_GROUP : 0) * CRN_HCDPS_ENTRY;
    j->runs.count = 0;
    if (!crn_hcdps_reserve(&j->runs, context, 2 * (size_t)runs)) return false;
    uint32_t *out = j->runs.owned;
    for (uint32_t i = 0; i < runs; i++) {
        uint32_t value = crn_hcdps_read(&reader), slot = value % (links + 1);
        start += value / (links + 1) + 1;
        if (i && i % CRN_HCDPS_GROUP == 0) {
            start = entry[0] | (uint32_t)entry[1] << 8 | (uint32_t)entry[2] << 16;
            entry += CRN_HCDPS_ENTRY;
        }
        *out++ = start;
        *out++ = slot == links ? crn_hcdps_count_of(j, region) : moved[slot];
    }
    j->runs.count = 2 * (size_t)runs;
    return true;
}

/* The runs of a row that lie in a segment, in new numbers. */
static bool reroute_read_segment(crn_hcdps_rerouting *j, const crn_hcdps_segment *segment)
{
    cairn_context *context = j->r->job.context;
    const uint32_t *runs = j->runs.items;
    size_t low = 0, high = j->runs.count / 2;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (runs[2 * middle] <= segment->old_first) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (!crn_hcdps_reserve(&j->rows, context, j->runs.count + 2)) return false;
    uint32_t *out = j->rows.owned + j->rows.count;
    *out++ = segment->first;
    *out++ = runs[2 * low + 1];
    for (size_t i = low + 1; i < j->runs.count / 2 && runs[2 * i] < segment->old_end; i++) {
        *out++ = j->r->up.items[runs[2 * i]];
        *out++ = runs[2 * i + 1];
    }
    j->rows.count = (size_t)(out - j->rows.owned);
    return true;
}

static bool reroute_read_row(crn_hcdps_rerouting *j, uint32_t region)
{
    cairn_context *context = j->r->job.context;
    if (j->r->was.items[region] == UINT32_MAX)
        return crn_hcdps_put(&j->rows, context, 0) &&
               crn_hcdps_put(&j->rows, context, crn_hcdps_count_of(j, region));
    bool ok = reroute_read_runs(j, region);
    for (size_t i = 0; i < j->r->segment_count && ok; i++)
        ok = reroute_read_segment(j, &j->r->segments[i]);
    return ok;
}

static bool reroute_read_rows(crn_hcdps_rerouting *j)
{
    bool ok = true;
    j->row_first[0] = 0;
    for (uint32_t i = 0; i < j->regions && ok; i++) {
        ok = reroute_read_row(j, i);
        j->row_first[i + 1] = j->rows.count;
    }
    return ok;
}

/* The row of a new region, where detours do not tell it. */
static bool reroute_find_row(crn_hcdps_rerouting *j, uint32_t region)
{
    const uint16_t *slots = crn_hcdps_find_routes(j->routes, &region, 1, false, UINT32_MAX);
    uint16_t *row = slots ? crn_hcdps_patched_row(j, region) : NULL;
    for (uint32_t i = 0; i < j->regions && row; i++) {
        if (row[i] == CRN_HCDPS_NO_LINK) row[i] = slots[i];
    }
    return row;
}

static bool reroute_find_new_rows(crn_hcdps_rerouting *j)
{
    bool ok = true;
    for (uint32_t i = 0; i < j->regions && ok; i++)
        ok = j->r->was.items[i] != UINT32_MAX || reroute_find_row(j, i);
    return ok;
}

/* Where the parts of a row are. */
typedef struct reroute_cursor {
    uint32_t region, none, at, end, slot;
    const uint32_t *run, *last_run; /* of the row as it was */
    size_t class, range;
    const crn_hcdps_ranges *ranges;
    bool mixed;
} reroute_cursor;

uint32_t crn_hcdps_class_link(const crn_hcdps_rerouting *j, uint32_t region,
                              const crn_hcdps_class *class)
{
    uint32_t old = j->r->was.items[region];
    if (class->now == UINT32_MAX) return UINT32_MAX;
    if (class->now != j->now[region]) return crn_hcdps_count_of(j, region);
    if (j->only[class->now] == CRN_HCDPS_MIXED && class->before != UINT32_MAX &&
        (old == UINT32_MAX || j->before[old] != class->before))
        return j->set_slots[(size_t)j->set_of[class->before] * j->regions + region];
    return UINT32_MAX;
}

/* The link for targets of another part, or of one that was another. */
static void reroute_by_class(const crn_hcdps_rerouting *j, reroute_cursor *c)
{
    while (c->class + 1 < j->class_count && j->classes[c->class + 1].first <= c->at) c->class ++;
    if (c->class + 1 < j->class_count) c->end = crn_min_u32(c->end, j->classes[c->class + 1].first);
    uint32_t slot = crn_hcdps_class_link(j, c->region, &j->classes[c->class]);
    if (slot != UINT32_MAX) c->slot = slot;
}

/* The link of a column. One that is as cheap stays, so that rows remain short. */
static void reroute_by_column(const crn_hcdps_rerouting *j, reroute_cursor *c, uint32_t column)
{
    const uint32_t *costs = j->column_costs + (size_t)column * j->regions;
    if (c->slot < c->none) {
        uint32_t to = crn_hcdps_links_of(j, c->region)[c->slot];
        if (costs[to] < costs[c->region] &&
            costs[to] + crn_hcdps_route_cost(j->routes, c->region, c->slot) <= costs[c->region])
            return;
    }
    c->slot = j->column_slots[(size_t)column * j->regions + c->region];
    if (c->slot == UINT16_MAX) c->slot = c->none;
}

/* Targets that have a column. Inside of a tree, its anchor's says nothing. Whoever is in a tree has
 * one route to all others, which the row tells; only new ones it does not know. */
static void reroute_by_range(const crn_hcdps_rerouting *j, reroute_cursor *c)
{
    while (c->range < c->ranges->count && c->ranges->items[c->range].end <= c->at) c->range++;
    if (c->range == c->ranges->count) return;
    const crn_hcdps_range *range = &c->ranges->items[c->range];
    bool inside = range->first <= c->at;
    c->end = crn_min_u32(c->end, inside ? range->end : range->first);
    if (inside && range->tree != j->anchor[c->region]) reroute_by_column(j, c, range->column);
}

/* Finds the link for the target c->at, which is that for all up to c->end. */
static void reroute_choose(const crn_hcdps_rerouting *j, reroute_cursor *c)
{
    while (c->run < c->last_run && c->run[2] <= c->at) c->run += 2;
    c->end = c->run < c->last_run ? c->run[2] : j->regions;
    c->slot = c->run[1];
    if (c->mixed) reroute_by_class(j, c);
    const uint16_t *patched = j->patched[c->region];
    if (patched) {
        c->end = crn_hcdps_patch_end(patched, c->at, c->end);
        if (patched[c->at] != CRN_HCDPS_NO_LINK) c->slot = patched[c->at];
    }
    reroute_by_range(j, c);
}

static bool reroute_put_run(crn_hcdps_rerouting *j, uint32_t first, uint32_t slot)
{
    crn_hcdps_array *runs = &j->runs;
    if (CRN_UNLIKELY(runs->capacity - runs->count < 2) &&
        !crn_hcdps_reserve(runs, j->r->job.context, 2))
        return false;
    runs->owned[runs->count++] = first;
    runs->owned[runs->count++] = slot;
    return true;
}

/* What is said of the region itself does not matter. */
static bool reroute_write_row(crn_hcdps_rerouting *j, uint32_t region, crn_hcdps_array *out)
{
    cairn_context *context = j->r->job.context;
    reroute_cursor c = {.region = region,
                        .none = crn_hcdps_count_of(j, region),
                        .run = j->rows.items + j->row_first[region],
                        .last_run = j->rows.items + j->row_first[region + 1] - 2};
    uint32_t last = UINT32_MAX;
    bool ok = true;
    c.mixed = crn_hcdps_is_mixed(j, region);
    c.ranges = j->anchor[region] == region ? &j->ranges : &j->new_ranges;
    j->runs.count = 0;
    for (; c.at < j->regions && ok; c.at = c.end) {
        reroute_choose(j, &c);
        if (c.at == region) {
            c.end = region + 1;
            if (last != UINT32_MAX) continue;
            c.slot = c.none;
        }
        if (c.at < region) c.end = crn_min_u32(c.end, region);
        j->gives_up |= c.slot > c.none;
        if (c.slot != last) ok = reroute_put_run(j, c.at, c.slot);
        last = c.slot;
    }
    return ok && (j->gives_up || crn_hcdps_write_row(out, context, &j->runs, c.none + 1));
}

/* Is a row as it was? Nobody has another number, and from a dead end there is one way out. */
static bool reroute_stays(const crn_hcdps_rerouting *j, uint32_t region)
{
    const crn_hcdps_mend *r = j->r;
    uint32_t old = r->was.items[region];
    if (r->numbered || old == UINT32_MAX || j->anchor[region] == region || j->patched[region] ||
        crn_hcdps_is_mixed(j, region))
        return false;
    uint32_t first = r->link_first.items[old], count = r->link_first.items[old + 1] - first, i = 0;
    if (count != crn_hcdps_count_of(j, region)) return false;
    if (j->near) count = r->link_near.items[old]; /* it knows no others */
    if (j->near && count != r->job.link_near.items[region]) return false;
    while (i < count && j->moved[first + i] == i) i++;
    return i == count;
}

static bool reroute_copy_row(crn_hcdps_rerouting *j, uint32_t region, crn_hcdps_array *out)
{
    const crn_hcdps *old = j->r->old;
    const uint32_t *at =
        crn_hcdps_items(old, j->near ? CRN_HCDPS_NEAR_FIRST : CRN_HCDPS_ROW_FIRST) +
        j->r->was.items[region];
    return crn_hcdps_put_all(
        out, j->r->job.context,
        crn_hcdps_items(old, j->near ? CRN_HCDPS_NEAR : CRN_HCDPS_ROWS) + at[0], at[1] - at[0]);
}

static bool reroute_write(crn_hcdps_rerouting *j)
{
    crn_hcdps_job *job = &j->r->job;
    crn_hcdps_array *out = &job->index->arrays[j->near ? CRN_HCDPS_NEAR : CRN_HCDPS_ROWS],
                    *first =
                        &job->index->arrays[j->near ? CRN_HCDPS_NEAR_FIRST : CRN_HCDPS_ROW_FIRST];
    bool ok = crn_hcdps_put(first, job->context, 0);
    for (uint32_t i = 0; i < j->regions && ok && !j->gives_up; i++) {
        ok = (reroute_stays(j, i) ? reroute_copy_row(j, i, out) : reroute_write_row(j, i, out)) &&
             crn_hcdps_put(first, job->context, (uint32_t)out->count);
    }
    return ok;
}

/* ---- all of it ---- */

static bool reroute_open(crn_hcdps_rerouting *j)
{
    const crn_hcdps_mend *r = j->r;
    cairn_context *context = r->job.context;
    size_t now = (j->regions + 1) * sizeof(uint32_t), old = (r->regions + 1) * sizeof(uint32_t),
           most = now > old ? now : old;
    j->routes = crn_hcdps_open_routes(&j->r->job, j->near);
    j->moved = crn_alloc(context, (r->link_to.count + 1) * sizeof *j->moved);
    j->before = crn_alloc(context, old);
    j->split = crn_alloc(context, old);
    j->set_of = crn_alloc(context, old);
    j->now = crn_alloc(context, now);
    j->only = crn_alloc(context, now);
    j->anchor = crn_alloc(context, now);
    j->place = crn_alloc(context, now);
    j->row_first = crn_alloc(context, (j->regions + 1) * sizeof *j->row_first);
    j->arrives = crn_alloc(context, now);
    j->patched = crn_alloc_zero(context, (j->regions + 1) * sizeof *j->patched);
    j->queue = crn_alloc_zero(context, most);
    return j->routes && j->moved && j->before && j->split && j->set_of && j->now && j->only &&
           j->anchor && j->place && j->row_first && j->arrives && j->patched && j->queue;
}

static void reroute_close(crn_hcdps_rerouting *j)
{
    const crn_hcdps_mend *r = j->r;
    cairn_context *context = r->job.context;
    size_t now = (j->regions + 1) * sizeof(uint32_t), old = (r->regions + 1) * sizeof(uint32_t);
    crn_hcdps_close_routes(j->routes);
    crn_free(context, j->moved, (r->link_to.count + 1) * sizeof *j->moved);
    crn_free(context, j->before, old);
    crn_free(context, j->split, old);
    crn_free(context, j->set_of, old);
    crn_free(context, j->now, now);
    crn_free(context, j->only, now);
    crn_free(context, j->anchor, now);
    crn_free(context, j->place, now);
    crn_free(context, j->row_first, (j->regions + 1) * sizeof *j->row_first);
    crn_free(context, j->arrives, now);
    for (uint32_t i = 0; j->patched && i < j->regions; i++)
        crn_free(context, j->patched[i], j->regions * sizeof **j->patched);
    crn_free(context, j->patched, (j->regions + 1) * sizeof *j->patched);
    crn_free(context, j->queue, now > old ? now : old);
    crn_free(context, j->column_slots,
             (j->columns.count * j->regions + 1) * sizeof *j->column_slots);
    crn_free(context, j->column_costs,
             2 * (j->columns.count * j->regions + 1) * sizeof *j->column_slots);
    crn_free(context, j->set_slots, (size_t)j->sets * j->regions * sizeof *j->set_slots);
    crn_free(context, j->ranges.items, j->ranges.capacity * sizeof *j->ranges.items);
    crn_free(context, j->new_ranges.items, j->new_ranges.capacity * sizeof *j->new_ranges.items);
    crn_free(context, j->visits, j->visit_capacity * sizeof *j->visits);
    crn_free(context, j->pieces, j->piece_capacity * sizeof *j->pieces);
    crn_free(context, j->classes, j->class_capacity * sizeof *j->classes);
    crn_free(context, j->detours, j->detour_capacity * sizeof *j->detours);
    crn_hcdps_free_array(&j->columns, context);
    crn_hcdps_free_array(&j->trail, context);
    crn_hcdps_free_array(&j->runs, context);
    crn_hcdps_free_array(&j->rows, context);
}

/* CAIRN_STALE: all rows must be found again. */
static cairn_status reroute_pass(crn_hcdps_mend *r, bool near)
{
    crn_hcdps_rerouting j = {.r = r, .near = near, .regions = crn_hcdps_regions(r->job.index)};
    bool ok = reroute_open(&j);
    if (ok) {
        reroute_map_links(&j);
        reroute_compare_parts(&j);
    }
    ok = ok && reroute_list_classes(&j) && reroute_find_sets(&j) && crn_hcdps_find_columns(&j) &&
         (j.gives_up || reroute_read_rows(&j)) && (j.gives_up || crn_hcdps_patch(&j)) &&
         (j.gives_up || (reroute_find_new_rows(&j) && crn_hcdps_take_shortcuts(&j))) &&
         (j.gives_up || reroute_write(&j));
    cairn_status status = !ok ? CAIRN_OUT_OF_MEMORY : j.gives_up ? CAIRN_STALE : CAIRN_OK;
    reroute_close(&j);
    return status;
}

static bool reroute_copy(crn_hcdps_mend *r)
{
    bool ok = true;
    for (uint32_t i = CRN_HCDPS_ROW_FIRST; i <= CRN_HCDPS_NEAR && ok; i++) {
        const crn_hcdps_array *array = &r->old->arrays[i];
        ok = !array->count || crn_hcdps_put_all(&r->job.index->arrays[i], r->job.context,
                                                array->items, array->count);
    }
    return ok;
}

cairn_status crn_hcdps_reroute(crn_hcdps_mend *r)
{
    crn_hcdps_job *job = &r->job;
    cairn_status status = CAIRN_STALE;
    if (!r->relinked) return reroute_copy(r) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    bool whole = cairn_space_directed(&job->map->base);
    if (!whole && crn_hcdps_regions(job->index)) {
        status = reroute_pass(r, false);
        if (status == CAIRN_OK && r->old->depth > 1) status = reroute_pass(r, true);
    }
    if (status != CAIRN_STALE) return status;
    for (uint32_t i = CRN_HCDPS_ROW_FIRST; i <= CRN_HCDPS_NEAR; i++)
        job->index->arrays[i].count = 0;
    return crn_hcdps_find_rows(job);
}
