/* hcdps_renumber.c: the index of `hcdps` after an edit: numbers of regions.
 *
 * Rows are run length encoded, so numbers decide how long they are. A build numbers regions along
 * a walk: those in one direction have numbers in a row, and each part of the map has. Here regions
 * that remain keep their order, and a new one comes behind one that it touches. But
 *
 * - a part of the map that was cut off comes behind the one that it was of. Else every row would
 *   say, in the middle of what can be reached, that this cannot.
 * - parts that were joined become one: the smaller comes where they touch.
 *
 * So the new order is made of *segments* of the old one, mostly of a single one.
 */
#include "realtime/hcdps/hcdps_repair.h"

/* Regions of a part of the map that were of one part before. */
typedef struct renumber_group {
    uint32_t part, before; /* parts, named by a region in provisional numbers */
    uint32_t count, first; /* regions, and where they are in `members` */
    uint32_t next;         /* another one of the part; UINT32_MAX = none */
    uint32_t beside;       /* another one that comes at the same region */
    bool largest, placed;
} renumber_group;

typedef struct renumber_job {
    crn_hcdps_mend *r;
    uint32_t all;              /* regions: old ones, and new ones, which have the next numbers */
    crn_hcdps_array list;      /* those of the new index, in the order of before */
    uint32_t *part, *group_of; /* of all */
    uint32_t *head;            /* of each part: a group */
    uint32_t *attached;        /* of each region: a group that comes behind it */
    uint32_t *members;
    crn_hcdps_array stack; /* groups, and which of their regions is next */
    renumber_group *groups;
    size_t group_count, group_capacity;
    uint64_t *between; /* doors between groups: their keys, ascending */
    size_t between_count, between_capacity;
} renumber_job;

/* ---- the order of before, with new regions ---- */

static bool renumber_before(const void *a, const void *b)
{
    return *(const uint64_t *)a < *(const uint64_t *)b;
}

/* After which one a new region is numbered: one that it touches, the best. Regions that touch no
 * other one come last. */
static void renumber_find_places(const crn_hcdps_mend *r, uint64_t *list, uint64_t *least)
{
    for (size_t i = 0; i < r->job.door_capacity; i++) {
        const crn_hcdps_door *door = &r->job.doors[i];
        uint32_t from = (uint32_t)(door->key >> 32), to = (uint32_t)door->key;
        if (door->key == UINT64_MAX || from < r->regions || to >= r->regions) continue;
        uint64_t cost = door->cost << 20 | to;
        if (cost >= least[from - r->regions]) continue;
        least[from - r->regions] = cost;
        list[from - r->regions] = (uint64_t)to << 32 | from;
    }
}

static uint64_t *renumber_list_new(const crn_hcdps_mend *r, uint32_t count)
{
    size_t size = (2 * (size_t)count + 1) * sizeof(uint64_t);
    uint64_t *list = crn_alloc(r->job.context, size);
    if (!list) return NULL;
    uint64_t *least = list + count + 1;
    for (uint32_t i = 0; i < count; i++) list[i] = (uint64_t)r->regions << 32 | (r->regions + i);
    for (uint32_t i = 0; i < count; i++) least[i] = UINT64_MAX;
    renumber_find_places(r, list, least);
    crn_sort(list, count, sizeof *list, renumber_before);
    list[count] = UINT64_MAX;
    return list;
}

static bool renumber_is_gone(const crn_hcdps_mend *r, uint32_t region)
{
    cairn_node home = crn_hcdps_home(r->job.index, region);
    return r->freed[region] && (home < r->job.first || home >= r->job.end ||
                                crn_hcdps_job_region(&r->job, home) != region);
}

static bool renumber_list_all(renumber_job *n, const uint64_t *list)
{
    crn_hcdps_mend *r = n->r;
    cairn_context *context = r->job.context;
    bool ok = true;
    for (uint32_t i = 0; i < r->regions && ok; i++) {
        uint32_t part = crn_set_find(r->part.owned, i);
        if (renumber_is_gone(r, i)) {
            r->numbered = true;
        } else {
            ok = crn_hcdps_put(&n->list, context, i);
        }
        for (; *list >> 32 == i && ok; list++) {
            r->part.owned[(uint32_t)*list] = part;
            ok = crn_hcdps_put(&n->list, context, (uint32_t)*list);
        }
    }
    for (; *list != UINT64_MAX && ok; list++)
        ok = crn_hcdps_put(&n->list, context, (uint32_t)*list);
    return ok;
}

/* ---- groups ---- */

static void renumber_find_parts(renumber_job *n)
{
    const crn_hcdps_job *job = &n->r->job;
    for (uint32_t i = 0; i < n->all; i++) n->part[i] = i;
    for (size_t i = 0; i < job->door_capacity; i++) {
        uint64_t key = job->doors[i].key;
        if (key != UINT64_MAX) crn_set_unite(n->part, (uint32_t)(key >> 32), (uint32_t)key);
    }
    for (size_t i = 0; i < job->old_door_count; i++) {
        uint64_t key = job->old_doors[i].key;
        crn_set_unite(n->part, (uint32_t)(key >> 32), (uint32_t)key);
    }
}

/* The group of a region, a new one if there is none; UINT32_MAX: no memory. */
static uint32_t renumber_group_of(renumber_job *n, uint32_t part, uint32_t before)
{
    uint32_t last = (uint32_t)n->group_count - 1, i = n->head[part];
    if (n->group_count && n->groups[last].part == part && n->groups[last].before == before)
        return last;
    while (i != UINT32_MAX && n->groups[i].before != before) i = n->groups[i].next;
    if (i != UINT32_MAX) return i;
    void *groups = n->groups;
    bool ok = crn_grow(n->r->job.context, &groups, &n->group_capacity, n->group_count + 1,
                       sizeof *n->groups);
    n->groups = groups;
    if (!ok) return UINT32_MAX;
    n->groups[n->group_count] = (renumber_group){
        .part = part, .before = before, .next = n->head[part], .beside = UINT32_MAX};
    n->head[part] = (uint32_t)n->group_count;
    return (uint32_t)n->group_count++;
}

static bool renumber_find_groups(renumber_job *n)
{
    uint32_t first = 0;
    memset(n->head, 0xff, n->all * sizeof *n->head);
    memset(n->attached, 0xff, n->all * sizeof *n->attached);
    for (size_t i = 0; i < n->list.count; i++) {
        uint32_t region = n->list.items[i], part = crn_set_find(n->part, region),
                 group = renumber_group_of(n, part, crn_set_find(n->r->part.owned, region));
        if (group == UINT32_MAX) return false;
        n->group_of[region] = group;
        n->groups[group].count++;
    }
    for (size_t i = 0; i < n->group_count; i++) {
        renumber_group *group = &n->groups[i];
        group->first = first;
        first += group->count;
        group->count = 0;
    }
    for (size_t i = 0; i < n->list.count; i++) {
        renumber_group *group = &n->groups[n->group_of[n->list.items[i]]];
        n->members[group->first + group->count++] = n->list.items[i];
    }
    return true;
}

/* A group that touches one that has a place gets one there. (Where parts were joined: there are no
 * old doors.) */
static bool renumber_attach(renumber_job *n, uint32_t region, uint32_t to)
{
    renumber_group *group = &n->groups[n->group_of[to]];
    if (group->placed || !n->groups[n->group_of[region]].placed) return false;
    group->placed = true;
    group->beside = n->attached[region];
    n->attached[region] = n->group_of[to];
    return true;
}

/* Lists the doors between groups, ascending. */
static bool renumber_list_doors(renumber_job *n)
{
    const crn_hcdps_job *job = &n->r->job;
    for (size_t i = 0; i < job->door_capacity; i++) {
        uint64_t key = job->doors[i].key;
        if (key == UINT64_MAX || n->group_of[key >> 32] == n->group_of[(uint32_t)key]) continue;
        void *between = n->between;
        bool ok = crn_grow(job->context, &between, &n->between_capacity, n->between_count + 1,
                           sizeof *n->between);
        n->between = between;
        if (!ok) return false;
        n->between[n->between_count++] = key;
    }
    crn_sort(n->between, n->between_count, sizeof *n->between, renumber_before);
    return true;
}

/* The largest group of each part has its place. */
static bool renumber_place_groups(renumber_job *n)
{
    bool more = false;
    for (uint32_t i = 0; i < n->group_count; i++) {
        uint32_t best = n->head[n->groups[i].part];
        for (uint32_t k = best; k != UINT32_MAX; k = n->groups[k].next) {
            if (n->groups[k].count > n->groups[best].count) best = k;
        }
        n->groups[i].largest = n->groups[i].placed = best == i;
        more |= best != i;
    }
    if (more && !renumber_list_doors(n)) return false;
    while (more) {
        more = false;
        for (size_t i = 0; i < n->between_count; i++) {
            uint32_t from = (uint32_t)(n->between[i] >> 32), to = (uint32_t)n->between[i];
            more |= renumber_attach(n, from, to) || renumber_attach(n, to, from);
        }
    }
    return true;
}

/* ---- numbers ---- */

static bool renumber_put(crn_hcdps_mend *r, uint32_t region)
{
    r->order.owned[region] = (uint32_t)r->was.count;
    return crn_hcdps_put(&r->was, r->job.context, region < r->regions ? region : UINT32_MAX);
}

static bool renumber_push(renumber_job *n, uint32_t group)
{
    return group == UINT32_MAX || (crn_hcdps_put(&n->stack, n->r->job.context, group) &&
                                   crn_hcdps_put(&n->stack, n->r->job.context, 0));
}

/* The regions of a group, and behind each of them the groups that were attached to it. */
static bool renumber_put_group(renumber_job *n, uint32_t root)
{
    bool ok = renumber_push(n, root);
    while (n->stack.count && ok) {
        uint32_t *top = n->stack.owned + n->stack.count - 2;
        const renumber_group *group = &n->groups[top[0]];
        if (top[1] == group->count) {
            n->stack.count -= 2;
            ok = renumber_push(n, group->beside);
            continue;
        }
        uint32_t region = n->members[group->first + top[1]++];
        ok = renumber_put(n->r, region) && renumber_push(n, n->attached[region]);
    }
    return ok;
}

static bool renumber_put_all(renumber_job *n)
{
    crn_hcdps_mend *r = n->r;
    bool ok = true;
    memset(r->order.owned, 0xff, n->all * sizeof *r->order.owned);
    for (uint32_t i = 0; i < n->group_count && ok; i++)
        ok = !n->groups[i].largest || renumber_put_group(n, i);
    ok = ok && crn_hcdps_put_all(&r->up, r->job.context, r->order.items, r->regions);
    uint32_t place = r->was.count ? (uint32_t)r->was.count - 1 : 0;
    for (uint32_t i = r->regions; ok && i-- > 0;) {
        if (r->up.items[i] != UINT32_MAX) place = r->up.items[i];
        r->up.owned[i] = r->order.owned[i] = place;
    }
    return ok;
}

/* ---- segments ---- */

static bool renumber_add_segment(crn_hcdps_mend *r, crn_hcdps_segment segment)
{
    void *segments = r->segments;
    bool ok = crn_grow(r->job.context, &segments, &r->segment_capacity, r->segment_count + 1,
                       sizeof *r->segments);
    r->segments = segments;
    if (!ok) return false;
    if (r->segment_count) r->segments[r->segment_count - 1].end = segment.first;
    r->segments[r->segment_count++] = segment;
    return true;
}

static bool renumber_find_segments(crn_hcdps_mend *r)
{
    bool ok = true;
    uint32_t count = (uint32_t)r->was.count;
    for (uint32_t i = 0; i < count && ok; i++) {
        uint32_t old = r->was.items[i];
        if (old == UINT32_MAX) continue;
        crn_hcdps_segment *last = r->segment_count ? &r->segments[r->segment_count - 1] : NULL;
        if (last && last->old_end <= old && r->up.items[last->old_end] == i) {
            last->old_end = old + 1;
        } else {
            ok = renumber_add_segment(r, (crn_hcdps_segment){i, count, old, old + 1});
        }
    }
    r->numbered |= r->segment_count > 1;
    return ok;
}

/* ---- all of it ---- */

static bool renumber_open(renumber_job *n)
{
    cairn_context *context = n->r->job.context;
    size_t size = (n->all + 1) * sizeof(uint32_t);
    n->part = crn_alloc(context, size);
    n->group_of = crn_alloc(context, size);
    n->head = crn_alloc(context, size);
    n->attached = crn_alloc(context, size);
    n->members = crn_alloc(context, size);
    return n->part && n->group_of && n->head && n->attached && n->members;
}

static void renumber_close(renumber_job *n)
{
    cairn_context *context = n->r->job.context;
    size_t size = (n->all + 1) * sizeof(uint32_t);
    crn_free(context, n->part, size);
    crn_free(context, n->group_of, size);
    crn_free(context, n->head, size);
    crn_free(context, n->attached, size);
    crn_free(context, n->members, size);
    crn_free(context, n->groups, n->group_capacity * sizeof *n->groups);
    crn_free(context, n->between, n->between_capacity * sizeof *n->between);
    crn_hcdps_free_array(&n->list, context);
    crn_hcdps_free_array(&n->stack, context);
}

static bool renumber_regions(crn_hcdps_mend *r)
{
    const crn_hcdps_array *homes = &r->job.index->arrays[CRN_HCDPS_HOMES];
    renumber_job n = {.r = r, .all = (uint32_t)homes->count};
    uint32_t count = n.all - r->regions;
    uint64_t *list = renumber_list_new(r, count);
    bool ok = list && renumber_open(&n) &&
              crn_hcdps_put_all(&r->order, r->job.context, homes->items, n.all);
    for (uint32_t i = r->regions; i < n.all && ok; i++)
        ok = crn_hcdps_put(&r->part, r->job.context, i);
    ok = ok && renumber_list_all(&n, list);
    if (ok) renumber_find_parts(&n);
    ok = ok && renumber_find_groups(&n) && renumber_place_groups(&n);
    ok = ok && renumber_put_all(&n) && renumber_find_segments(r);
    r->numbered |= count > 0;
    crn_free(r->job.context, list, (2 * (size_t)count + 1) * sizeof *list);
    renumber_close(&n);
    return ok;
}

static void renumber_door(const crn_hcdps_mend *r, crn_hcdps_door *door)
{
    uint32_t from = r->order.items[door->key >> 32], to = r->order.items[(uint32_t)door->key];
    door->key = (uint64_t)from << 32 | to;
}

cairn_status crn_hcdps_renumber(crn_hcdps_mend *r)
{
    crn_hcdps_job *job = &r->job;
    if (!renumber_regions(r)) return CAIRN_OUT_OF_MEMORY;
    crn_hcdps_array homes = job->index->arrays[CRN_HCDPS_HOMES],
                    *numbered = &job->index->arrays[CRN_HCDPS_HOMES];
    *numbered = (crn_hcdps_array){0};
    bool ok = crn_hcdps_put_all(numbered, job->context, r->was.items, r->was.count);
    for (uint32_t i = 0; i < homes.count && ok; i++) {
        if (i >= r->regions || crn_hcdps_remains(r, i))
            numbered->owned[r->order.items[i]] = homes.items[i];
    }
    crn_hcdps_free_array(&homes, job->context);
    for (size_t i = 0; i < job->door_capacity && ok; i++) {
        if (job->doors[i].key != UINT64_MAX) renumber_door(r, &job->doors[i]);
    }
    for (size_t i = 0; i < job->old_door_count && ok; i++) renumber_door(r, &job->old_doors[i]);
    return ok ? crn_hcdps_keep_doors(job) : CAIRN_OUT_OF_MEMORY;
}
