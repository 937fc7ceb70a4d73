/* hcdps_doors.c: which regions of `hcdps` touch, and by which step a walker leaves one for another.
 *
 * Of all steps and links from a region to another one, the door is the one for which the distances
 * to both representatives, on a map without walls, sum up to the least. Steps are looked up in a
 * hash table by the two regions, so memory is proportional to the pairs that touch.
 */
#include "realtime/hcdps/hcdps_job.h"

enum { DOORS_LEAST = 1024 };

static size_t doors_slot(const crn_hcdps_job *job, uint64_t key)
{
    size_t mask = job->door_capacity - 1,
           slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    while (job->doors[slot].key != UINT64_MAX && job->doors[slot].key != key)
        slot = (slot + 1) & mask;
    return slot;
}

static bool doors_resize(crn_hcdps_job *job, size_t capacity)
{
    crn_hcdps_door *old = job->doors;
    size_t before = job->door_capacity;
    crn_hcdps_door *doors = crn_alloc(job->context, crn_mul_size(capacity, sizeof *doors));
    if (!doors) return false;
    memset(doors, 0xff, capacity * sizeof *doors);
    job->doors = doors;
    job->door_capacity = capacity;
    for (size_t i = 0; i < before; i++) {
        if (old[i].key != UINT64_MAX) doors[doors_slot(job, old[i].key)] = old[i];
    }
    crn_free(job->context, old, before * sizeof *old);
    return true;
}

static bool doors_is_better(const crn_hcdps_door *a, const crn_hcdps_door *b)
{
    if (a->cost != b->cost) return a->cost < b->cost;
    return a->leave != b->leave ? a->leave < b->leave : a->enter < b->enter;
}

uint64_t crn_hcdps_door_cost(const crn_hcdps_job *job, const crn_hcdps_door *door, cairn_cost step)
{
    cairn_node from = crn_hcdps_home(job->index, (uint32_t)(door->key >> 32)),
               to = crn_hcdps_home(job->index, (uint32_t)door->key);
    return step + crn_space_climb_distance(job->space, door->leave, from) +
           crn_space_climb_distance(job->space, door->enter, to);
}

bool crn_hcdps_note_door(crn_hcdps_job *job, const crn_hcdps_door *door)
{
    if (2 * job->door_count + 2 > job->door_capacity &&
        !doors_resize(job, job->door_capacity ? 2 * job->door_capacity : DOORS_LEAST))
        return false;
    crn_hcdps_door *known = &job->doors[doors_slot(job, door->key)];
    if (known->key == UINT64_MAX) {
        job->door_count++;
        *known = *door;
    } else if (doors_is_better(door, known)) {
        *known = *door;
    }
    return true;
}

bool crn_hcdps_is_noted(const crn_hcdps_job *job, const crn_hcdps_door *door)
{
    return job->door_count && job->doors[doors_slot(job, door->key)].key == door->key;
}

/* The region of a cell that links lead to or from: it may be far away. */
static uint32_t doors_region_of(const crn_hcdps_job *job, cairn_node node)
{
    if (job->before && (node < job->first || node >= job->end))
        return crn_hcdps_region(job->before, node);
    return crn_hcdps_job_region(job, node);
}

/* A step or link; false = no memory. */
static bool doors_note(crn_hcdps_job *job, cairn_node from, cairn_node to, cairn_cost step)
{
    uint32_t a = doors_region_of(job, from), b = doors_region_of(job, to);
    if (a == b) return true;
    crn_hcdps_door door = {(uint64_t)a << 32 | b, 0, from, to};
    door.cost = crn_hcdps_door_cost(job, &door, step);
    return crn_hcdps_note_door(job, &door);
}

/* A cell that links leave, or a node of a graph. (One that costs more than 32 bits hold leads
 * nowhere.) */
static bool doors_note_all(crn_hcdps_job *job, cairn_node node)
{
    enum { BATCH = 16 };
    const cairn_space *space = job->space;
    cairn_edge edges[BATCH];
    bool ok = true;
    for (uint32_t first = 0, count = BATCH; count == BATCH && ok; first += BATCH) {
        count = space->functions->expand(space, node, first, edges, BATCH);
        for (uint32_t i = 0; i < count && ok; i++)
            ok = edges[i].cost == CAIRN_NO_COST ||
                 doors_note(job, node, edges[i].node, edges[i].cost);
    }
    return ok;
}

bool crn_hcdps_note_steps(crn_hcdps_job *job, cairn_node node)
{
    const crn_grid_space *map = job->map;
    crn_climb at = crn_climb_between(map, node, node);
    if (map->links.count && crn_bit(&map->links.from, at.x, at.y)) return doors_note_all(job, node);
    for (uint32_t moves = crn_climb_moves(&at); moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        crn_climb beside = at;
        crn_climb_move(&beside, d);
        cairn_cost step =
            d < CRN_NE || map->hex ? map->base.scale.straight : map->base.scale.diagonal;
        if (!doors_note(job, node, crn_climb_node(&beside), step)) return false;
    }
    return true;
}

bool crn_hcdps_note_links(crn_hcdps_job *job)
{
    const crn_links *links = &job->map->links;
    bool ok = true;
    for (uint32_t i = 0; i < links->count && ok; i++) {
        const crn_space_link *link = &links->links[i];
        ok = link->cost == CAIRN_NO_COST || doors_note(job, link->from, link->to, link->cost);
    }
    return ok;
}

/* ---- in order ---- */

static bool doors_key_before(const void *a, const void *b)
{
    return ((const crn_hcdps_door *)a)->key < ((const crn_hcdps_door *)b)->key;
}

static void doors_sort_group(crn_hcdps_door *doors, size_t count)
{
    size_t i = 1;
    while (i < count && doors[i - 1].key < doors[i].key) i++;
    if (i < count) crn_sort(doors, count, sizeof *doors, doors_key_before);
}

/* First by the region that they leave, into another array. Old ones of a region mostly ascend. */
bool crn_hcdps_sort_doors(crn_hcdps_job *job)
{
    uint32_t regions = crn_hcdps_regions(job->index), *first = job->door_first;
    size_t noted = job->door_count, old = job->old_door_count, count = noted + old;
    crn_hcdps_door *sorted = crn_alloc(job->context, (count + 1) * sizeof *sorted);
    if (!sorted) return false;
    memset(first, 0, (regions + 1) * sizeof *first);
    for (size_t i = 0; i < noted; i++) first[job->doors[i].key >> 32]++;
    for (size_t i = 0; i < old; i++) first[job->old_doors[i].key >> 32]++;
    for (uint32_t i = 0; i < regions; i++) first[i + 1] += first[i];
    for (size_t i = noted; i-- > 0;) sorted[--first[job->doors[i].key >> 32]] = job->doors[i];
    for (size_t i = old; i-- > 0;) sorted[--first[job->old_doors[i].key >> 32]] = job->old_doors[i];
    for (uint32_t i = 0; i < regions; i++)
        doors_sort_group(sorted + first[i], first[i + 1] - first[i]);
    crn_free(job->context, job->doors, job->door_capacity * sizeof *job->doors);
    job->doors = sorted;
    job->door_count = count;
    job->door_capacity = count + 1;
    job->old_door_count = 0;
    return true;
}

CRN_INLINE bool doors_differ(uint32_t own, uint32_t other)
{
    return (own ^ other) > 1 && other < CRN_HCDPS_NONE << 1;
}

/* Is another region in the 3×3 cells round this one? Blocked cells have none. At the ends of a row
 * it also looks at cells of other rows, and may say so where there is none. */
static bool doors_is_between(const uint32_t *at, uint32_t width)
{
    const uint32_t *row = at - width - 1, own = *at;
    for (uint32_t i = 0; i < 3; i++, row += width) {
        if (doors_differ(own, row[0]) || doors_differ(own, row[1]) || doors_differ(own, row[2]))
            return true;
    }
    return false;
}

/* Most cells lie inside of a region, where nothing is to be noted, unless links lead elsewhere. */
static bool doors_note_grid(crn_hcdps_job *job)
{
    const uint32_t *region = job->region, width = job->map->grid->width, end = job->end;
    bool ok = true, linked = job->map->links.count;
    for (cairn_node node = 0; node < end && ok; node++) {
        if (region[node] >> 1 == CRN_HCDPS_NONE) continue;
        bool within = node > width && end - node > width + 1; /* 3×3 cells lie in the array */
        if (linked || !within || doors_is_between(region + node, width))
            ok = crn_hcdps_note_steps(job, node);
    }
    return ok;
}

static bool doors_note_graph(crn_hcdps_job *job)
{
    bool ok = true;
    for (cairn_node node = 0; node < job->space->node_count && ok; node++)
        ok = doors_note_all(job, node);
    return ok;
}

cairn_status crn_hcdps_keep_doors(crn_hcdps_job *job)
{
    uint32_t regions = crn_hcdps_regions(job->index);
    job->door_first = crn_alloc(job->context, (regions + 1) * sizeof *job->door_first);
    if (!job->door_first) return CAIRN_OUT_OF_MEMORY;
    size_t kept = 0;
    for (size_t i = 0; i < job->door_capacity; i++) {
        if (job->doors[i].key != UINT64_MAX) job->doors[kept++] = job->doors[i];
    }
    return crn_hcdps_sort_doors(job) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

cairn_status crn_hcdps_find_doors(crn_hcdps_job *job)
{
    bool ok = job->map ? doors_note_grid(job) : doors_note_graph(job);
    return ok ? crn_hcdps_keep_doors(job) : CAIRN_OUT_OF_MEMORY;
}
