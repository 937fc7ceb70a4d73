/* hcdps_links.c: least costs between representatives that are at most `depth` regions apart, and
 * the records of these paths.
 *
 * A* finds the cheapest path from one representative to the other; in corridors a flood finds all
 * those from it (hcdps_flood.c). A path serves both directions: steps can be walked back. Then it
 * is compressed: from one subgoal on, binary search finds the farthest node of the path to which a
 * climb leads that costs no more than the path to it. That is the next subgoal. (Binary search
 * finds a place where climbing ends, not always the last one. L does not compare costs; a climb
 * along a wall may be longer than the path.)
 *
 * Costs are those of steps where all ground costs 1. If all ground has one other price, and that is
 * no whole number, the world rounds what a step costs: steps of 5 and 7 cost 6 and 9 at 330 / 256.
 * Then A* finds the path that is cheapest in the world and floods the one that is cheapest without
 * rounding. Either may be some per cent above the least of the other kind. Both are sound: all that
 * is promised of a record is that its climbs cost no more than its path, in steps at cost 1.
 *
 * Where there are no records (crn_hcdps_has_records) a link costs what its door says.
 *
 * Batches of pairs are given to the workers, and what they found is kept in the order of pairs: any
 * number of them gives the same bytes.
 */
#include "realtime/hcdps/hcdps_flood.h"

enum { LINKS_BATCH = 64 };

/* ---- paths ---- */

bool crn_hcdps_reserve_path(const crn_hcdps_job *job, crn_hcdps_path *path, size_t count)
{
    void *nodes = path->nodes, *costs = path->costs, *moves = path->moves;
    bool ok = crn_grow(job->context, &nodes, &path->node_capacity, count, sizeof *path->nodes) &&
              crn_grow(job->context, &costs, &path->cost_capacity, count, sizeof *path->costs) &&
              crn_grow(job->context, &moves, &path->move_capacity, 2 * count, sizeof *path->moves);
    path->nodes = nodes;
    path->costs = costs;
    path->moves = moves;
    return ok;
}

void crn_hcdps_free_path(const crn_hcdps_job *job, crn_hcdps_path *path)
{
    crn_free(job->context, path->nodes, path->node_capacity * sizeof *path->nodes);
    crn_free(job->context, path->costs, path->cost_capacity * sizeof *path->costs);
    crn_free(job->context, path->moves, path->move_capacity * sizeof *path->moves);
}

static uint64_t links_step(const crn_hcdps_job *job, cairn_node a, cairn_node b)
{
    const crn_grid_space *map = job->map;
    if (!map) return cairn_space_step_cost(job->space, a, b);
    cairn_cell from = cairn_grid_cell(map->grid, a), to = cairn_grid_cell(map->grid, b);
    bool diagonal = from.x != to.x && from.y != to.y && !map->hex;
    return diagonal ? map->base.scale.diagonal : map->base.scale.straight;
}

void crn_hcdps_measure_path(const crn_hcdps_job *job, crn_hcdps_path *path)
{
    uint64_t sum = 0;
    path->only = false;
    for (size_t i = 0; i < path->count; i++) {
        if (i) sum += links_step(job, path->nodes[i - 1], path->nodes[i]);
        path->costs[i] = sum;
    }
}

/* ---- compressing ---- */

/* Can a node of a path be climbed to from one before it? */
static bool links_climbs(const crn_hcdps_job *job, const crn_hcdps_path *path, bool back,
                         size_t from, size_t to)
{
    const uint8_t *moves = path->moves + (back ? path->count - 1 : 0) + from;
    uint32_t steps = (uint32_t)(to - from);
    if (back) from = path->count - 1 - from, to = path->count - 1 - to;
    if (path->only)
        return crn_climb_matches(job->map, path->nodes[from], path->nodes[to], moves, steps);
    uint64_t limit =
        back ? path->costs[from] - path->costs[to] : path->costs[to] - path->costs[from];
    return crn_space_climb_within(job->space, path->nodes[from], path->nodes[to],
                                  job->index->cutoff, limit);
}

bool crn_hcdps_compress(const crn_hcdps_job *job, const crn_hcdps_path *path, bool back,
                        crn_hcdps_array *out)
{
    size_t at = 0, last = path->count - 1;
    while (at < last) {
        /* `low` can be climbed to, `high` is not known or cannot */
        size_t low = at + 1, most = at + job->index->cutoff, high = (last < most ? last : most) + 1,
               probe = high - 1;
        while (high - low > 1) {
            if (links_climbs(job, path, back, at, probe)) {
                low = probe;
            } else {
                high = probe;
            }
            probe = low + (high - low) / 2;
        }
        at = low;
        if (!crn_hcdps_put(out, job->context, path->nodes[back ? last - at : at])) return false;
    }
    return true;
}

/* ---- the search for a path ---- */

/* One worker. */
typedef struct links_worker {
    cairn_search *search;
    crn_hcdps_flood flood;
    crn_hcdps_path path;
    crn_hcdps_array records; /* of the batch */
    crn_hcdps_array paths;
    uint64_t work;
    cairn_status status;
} links_worker;

typedef struct links_task {
    crn_hcdps_job *job;
    cairn_planner *planner;
    links_worker *workers;
    uint32_t worker_count;
    size_t first, end; /* pairs of the batch */
} links_task;

static bool links_keep(crn_hcdps_job *job, links_worker *w, crn_hcdps_pair *pair)
{
    bool ok;
    pair->first = (uint32_t)w->records.count;
    ok = crn_hcdps_compress(job, &w->path, false, &w->records);
    pair->middle = (uint32_t)w->records.count;
    ok = ok && crn_hcdps_compress(job, &w->path, true, &w->records);
    pair->end = (uint32_t)w->records.count;
    pair->path = w->paths.count;
    if (ok && job->index->pairs)
        ok = crn_hcdps_put_all(&w->paths, job->context, w->path.nodes, pair->length);
    return ok;
}

/* The path that a flood has found. */
static cairn_status links_take(crn_hcdps_job *job, links_worker *w, crn_hcdps_pair *pair)
{
    cairn_node to = crn_hcdps_home(job->index, pair->to);
    if (!crn_hcdps_flood_path(&w->flood, to, &w->path)) return CAIRN_OUT_OF_MEMORY;
    pair->cost = w->path.costs[w->path.count - 1];
    pair->length = (uint32_t)w->path.count;
    return links_keep(job, w, pair) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* The steps of a path on squares from its first node on, and what they cost. */
static void links_unfold(const crn_grid_space *map, const cairn_path *found, crn_hcdps_path *path)
{
    const int32_t width = (int32_t)map->grid->width;
    cairn_cell at = cairn_grid_cell(map->grid, found->nodes[0]);
    cairn_node *nodes = path->nodes;
    uint64_t *costs = path->costs;
    *nodes = found->nodes[0];
    *costs = 0;
    path->only = false;
    for (uint32_t i = 1; i < found->count; i++) {
        cairn_cell to = cairn_grid_cell(map->grid, found->nodes[i]);
        while (at.x != to.x || at.y != to.y) {
            int32_t dx = (to.x > at.x) - (to.x < at.x), dy = (to.y > at.y) - (to.y < at.y);
            at.x += dx;
            at.y += dy;
            nodes[1] = (cairn_node)(at.y * width + at.x);
            costs[1] = *costs + (dx && dy ? map->base.scale.diagonal : map->base.scale.straight);
            nodes++;
            costs++;
        }
    }
}

static cairn_status links_search(crn_hcdps_job *job, links_worker *w, crn_hcdps_pair *pair)
{
    const cairn_space *space = job->space;
    const cairn_path *found;
    crn_hcdps_path *path = &w->path;
    cairn_query query = {.from = crn_hcdps_home(job->index, pair->from),
                         .to = crn_hcdps_home(job->index, pair->to)};
    cairn_status status = cairn_search_find(w->search, &query, &found);
    if (status != CAIRN_FOUND) return status;
    w->work += cairn_search_metrics(w->search).expanded;
    pair->length = (uint32_t)cairn_path_step_count(space, found);
    if (!crn_hcdps_reserve_path(job, path, pair->length)) return CAIRN_OUT_OF_MEMORY;
    path->count = pair->length;
    if (job->map && !job->map->hex) {
        links_unfold(job->map, found, path);
    } else {
        cairn_path_cells(space, found, 0, path->nodes, pair->length);
        crn_hcdps_measure_path(job, path);
    }
    pair->cost = path->costs[path->count - 1];
    return links_keep(job, w, pair) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* Where the pairs from a region end, of so many. */
static size_t links_group_end(const links_task *task, size_t first, size_t all)
{
    const crn_hcdps_pair *pairs = task->job->pairs;
    size_t end = first;
    while (end < all && pairs[end].from == pairs[first].from) end++;
    return end;
}

/* The pairs from a region. */
static void links_search_group(links_task *task, links_worker *w, size_t first, size_t end)
{
    crn_hcdps_job *job = task->job;
    if (w->flood.job) w->work += crn_hcdps_flood_from(&w->flood, job->pairs + first, end - first);
    for (size_t i = first; i < end && w->status == CAIRN_OK; i++) {
        crn_hcdps_pair *pair = &job->pairs[i];
        if (pair->known) continue;
        bool flooded =
            w->flood.job && crn_hcdps_is_flooded(&w->flood, crn_hcdps_home(job->index, pair->to));
        w->status = flooded ? links_take(job, w, pair) : links_search(job, w, pair);
    }
}

/* Groups of the batch by turns. */
static void links_run(void *user, uint32_t number)
{
    links_task *task = user;
    uint32_t turn = 0;
    for (size_t i = task->first, end; i < task->end; i = end) {
        end = links_group_end(task, i, task->end);
        if (turn++ % task->worker_count == number)
            links_search_group(task, &task->workers[number], i, end);
    }
}

/* Puts what the workers found in the order of pairs. */
static bool links_gather(links_task *task)
{
    crn_hcdps_job *job = task->job;
    bool ok = true;
    uint32_t turn = 0;
    for (size_t i = task->first; i < task->end && ok; i++) {
        if (i > task->first && job->pairs[i].from != job->pairs[i - 1].from) turn++;
        links_worker *w = &task->workers[turn % task->worker_count];
        crn_hcdps_pair *pair = &job->pairs[i];
        if (pair->known) continue;
        uint32_t moved = (uint32_t)job->records.count - pair->first;
        ok = crn_hcdps_put_all(&job->records, job->context, w->records.items + pair->first,
                               pair->end - pair->first);
        pair->first += moved, pair->middle += moved, pair->end += moved;
        if (!job->index->pairs || !ok) continue;
        size_t path = job->paths.count;
        ok =
            crn_hcdps_put_all(&job->paths, job->context, w->paths.items + pair->path, pair->length);
        pair->path = path;
    }
    for (uint32_t i = 0; i < task->worker_count; i++)
        task->workers[i].records.count = task->workers[i].paths.count = 0;
    return ok;
}

/* A batch ends with a region: so what floods from it take does not depend on how many workers there
 * are. */
static cairn_status links_search_all(links_task *task)
{
    crn_hcdps_job *job = task->job;
    cairn_status status = CAIRN_OK;
    for (task->first = 0; task->first < job->pair_count && status == CAIRN_OK;
         task->first = task->end) {
        status = crn_hcdps_report(job, task->first, job->pair_count);
        if (status != CAIRN_OK) break;
        task->end = task->first + LINKS_BATCH * task->worker_count;
        if (task->end > job->pair_count) task->end = job->pair_count;
        task->end = links_group_end(task, task->end - 1, job->pair_count);
        cairn_parallel_for(job->context, task->worker_count, links_run, task);
        for (uint32_t i = 0; i < task->worker_count && status == CAIRN_OK; i++)
            status = task->workers[i].status;
        if (status == CAIRN_OK && !links_gather(task)) status = CAIRN_OUT_OF_MEMORY;
    }
    return status;
}

static void links_close(links_task *task, size_t size)
{
    cairn_context *context = task->job->context;
    for (uint32_t i = 0; task->workers && i < task->worker_count; i++) {
        links_worker *w = &task->workers[i];
        task->job->work += w->work;
        cairn_search_destroy(w->search);
        crn_hcdps_close_flood(&w->flood);
        crn_hcdps_free_path(task->job, &w->path);
        crn_hcdps_free_array(&w->records, context);
        crn_hcdps_free_array(&w->paths, context);
    }
    crn_free(context, task->workers, size);
    cairn_planner_destroy(task->planner);
}

cairn_status crn_hcdps_search_pairs(crn_hcdps_job *job)
{
    links_task task = {.job = job, .worker_count = crn_parallel_tasks(job->context)};
    size_t size = task.worker_count * sizeof *task.workers;
    cairn_status status =
        cairn_planner_create((cairn_space *)(uintptr_t)job->space, "astar", &task.planner, NULL);
    if (status == CAIRN_OK) {
        task.workers = crn_alloc_zero(job->context, size);
        if (!task.workers) status = CAIRN_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < task.worker_count && status == CAIRN_OK; i++) {
        status = cairn_search_create(task.planner, NULL, &task.workers[i].search);
        if (status == CAIRN_OK && crn_hcdps_floods(job) &&
            !crn_hcdps_open_flood(&task.workers[i].flood, job))
            status = CAIRN_OUT_OF_MEMORY;
    }
    if (status == CAIRN_OK) status = links_search_all(&task);
    links_close(&task, size);
    return status;
}

/* ---- which pairs ---- */

/* Breadth-first search through doors: which regions are at most `depth` away. */
typedef struct links_reach {
    uint32_t *queue, *mark, *depth;
    size_t size;
} links_reach;

bool crn_hcdps_add_pair(crn_hcdps_job *job, uint32_t from, uint32_t to)
{
    void *pairs = job->pairs;
    bool ok = crn_grow(job->context, &pairs, &job->pair_capacity, job->pair_count + 1,
                       sizeof *job->pairs);
    job->pairs = pairs;
    if (ok) job->pairs[job->pair_count++] = (crn_hcdps_pair){.from = from, .to = to};
    return ok;
}

static bool links_pair_before(const void *a, const void *b)
{
    const crn_hcdps_pair *x = a, *y = b;
    return x->from != y->from ? x->from < y->from : x->to < y->to;
}

void crn_hcdps_sort_pairs(crn_hcdps_job *job, size_t first)
{
    if (job->pair_count > first)
        crn_sort(job->pairs + first, job->pair_count - first, sizeof *job->pairs,
                 links_pair_before);
}

/* Does a region keep its links? */
static bool links_stay(const crn_hcdps_job *job, uint32_t region)
{
    return job->kept && job->kept->stays[region];
}

/* The pairs of a region with later ones, ascending. */
static bool links_reach_from(crn_hcdps_job *job, links_reach *reach, uint32_t region)
{
    uint32_t head = 0, tail = 0;
    size_t first = job->pair_count;
    bool ok = true;
    reach->queue[tail++] = region;
    reach->mark[region] = region;
    reach->depth[region] = 0;
    for (; head < tail && ok; head++) {
        uint32_t at = reach->queue[head];
        if (reach->depth[at] == job->index->depth || tail > CRN_HCDPS_SLOTS / 2) continue;
        for (uint32_t i = job->door_first[at]; i < job->door_first[at + 1] && ok; i++) {
            uint32_t next = (uint32_t)job->doors[i].key;
            if (reach->mark[next] == region) continue;
            reach->mark[next] = region;
            reach->depth[next] = reach->depth[at] + 1;
            reach->queue[tail++] = next;
            if (next > region && !links_stay(job, next)) ok = crn_hcdps_add_pair(job, region, next);
        }
    }
    crn_hcdps_sort_pairs(job, first);
    return ok;
}

cairn_status crn_hcdps_list_pairs(crn_hcdps_job *job)
{
    uint32_t regions = crn_hcdps_regions(job->index);
    size_t size = (regions + 1) * sizeof(uint32_t);
    links_reach reach = {crn_alloc(job->context, size), crn_alloc(job->context, size),
                         crn_alloc(job->context, size), size};
    bool ok = reach.queue && reach.mark && reach.depth;
    if (ok) memset(reach.mark, 0xff, size);
    for (uint32_t i = 0; i < regions && ok; i++)
        ok = links_stay(job, i) || links_reach_from(job, &reach, i);
    crn_free(job->context, reach.queue, size);
    crn_free(job->context, reach.mark, size);
    crn_free(job->context, reach.depth, size);
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* ---- writing ---- */

/* A link while those of its region are put in order. */
typedef struct links_draft {
    uint32_t to;
    uint64_t cost;
    cairn_node leave, enter;
    uint32_t first, count; /* its record */
} links_draft;

typedef struct links_drafts {
    links_draft *items;
    size_t count, capacity;
    links_draft *near; /* room for some of them */
    size_t near_capacity;
    uint32_t *first; /* pairs by their later region: positions in `back` */
    uint32_t *back;
} links_drafts;

static const crn_hcdps_door *links_door(const crn_hcdps_job *job, uint32_t from, uint32_t to)
{
    uint64_t key = (uint64_t)from << 32 | to;
    size_t low = job->door_first[from], count = job->door_first[from + 1] - low,
           at = low + crn_lower_bound_wide(job->doors + low, count, key);
    return at < low + count && job->doors[at].key == key ? &job->doors[at] : NULL;
}

static bool links_draft_one(crn_hcdps_job *job, links_drafts *drafts, uint32_t from, uint32_t to,
                            const crn_hcdps_pair *pair)
{
    void *items = drafts->items;
    if (!crn_grow(job->context, &items, &drafts->capacity, drafts->count + 1,
                  sizeof *drafts->items))
        return false;
    drafts->items = items;
    const crn_hcdps_door *door = links_door(job, from, to);
    links_draft *draft = &drafts->items[drafts->count++];
    *draft = (links_draft){to, door ? door->cost : 0, CAIRN_NO_NODE, CAIRN_NO_NODE, 0, 0};
    if (door) draft->leave = door->leave, draft->enter = door->enter;
    if (!pair) return true;
    bool back = pair->from == to;
    draft->cost = pair->cost;
    draft->first = back ? pair->middle : pair->first;
    draft->count = (back ? pair->end : pair->middle) - draft->first;
    return true;
}

/* Links come ascending: now those to regions that touch come first. */
static bool links_part(crn_hcdps_job *job, links_drafts *drafts)
{
    void *near = drafts->near;
    uint32_t count = 0, far = 0;
    bool ok = crn_grow(job->context, &near, &drafts->near_capacity, drafts->count + 1,
                       sizeof *drafts->near);
    drafts->near = near;
    if (!ok) return false;
    for (size_t i = drafts->count; i-- > 0;) {
        links_draft draft = drafts->items[i];
        if (draft.leave == CAIRN_NO_NODE) {
            drafts->items[drafts->count - ++far] = draft;
        } else {
            drafts->near[count++] = draft;
        }
    }
    for (uint32_t i = 0; i < count; i++) drafts->items[i] = drafts->near[count - 1 - i];
    return true;
}

/* The links of a region: of pairs, or of doors where there are none. */
static bool links_draft_region(crn_hcdps_job *job, links_drafts *drafts, uint32_t region,
                               size_t *next)
{
    bool ok = true;
    drafts->count = 0;
    for (uint32_t i = drafts->first[region]; i < drafts->first[region + 1] && ok; i++) {
        const crn_hcdps_pair *pair = &job->pairs[drafts->back[i]];
        ok = links_draft_one(job, drafts, region, pair->from, pair);
    }
    for (; *next < job->pair_count && job->pairs[*next].from == region && ok; ++*next)
        ok = links_draft_one(job, drafts, region, job->pairs[*next].to, &job->pairs[*next]);
    for (uint32_t i = job->door_first[region]; i < job->door_first[region + 1] && ok && !job->exact;
         i++)
        ok = links_draft_one(job, drafts, region, (uint32_t)job->doors[i].key, NULL);
    return ok && links_part(job, drafts);
}

/* Columns and rows from one node to another. */
static void links_difference(const crn_hcdps_job *job, cairn_node from, cairn_node to,
                             uint32_t out[2])
{
    uint32_t width = job->index->width;
    out[0] = crn_hcdps_unsigned(to % width - from % width);
    out[1] = crn_hcdps_unsigned(to / width - from / width);
}

/* The direction of the step from a cell to the one beside it; CRN_DIRECTIONS: they are not, or it
 * is a graph. */
static uint32_t links_direction(const crn_hcdps_job *job, cairn_node from, cairn_node to)
{
    if (!job->map) return CRN_DIRECTIONS;
    cairn_cell a = cairn_grid_cell(job->map->grid, from), b = cairn_grid_cell(job->map->grid, to);
    uint32_t d = 0;
    while (d < CRN_DIRECTIONS && (a.x + crn_dx[d] != b.x || a.y + crn_dy[d] != b.y)) d++;
    return d;
}

/* The numbers of a link after its size; returns how many. Its record is not among them. */
enum { LINKS_NUMBERS = 4 };
static uint32_t links_head(const crn_hcdps_job *job, const links_draft *draft, uint32_t from,
                           uint32_t out[LINKS_NUMBERS])
{
    uint32_t difference[2], d;
    out[0] = crn_hcdps_unsigned(draft->to - from);
    if (draft->leave == CAIRN_NO_NODE) return 1;
    links_difference(job, crn_hcdps_home(job->index, from), draft->leave, difference);
    d = links_direction(job, draft->leave, draft->enter);
    out[1] = difference[0];
    out[2] = difference[1] * 9 + d;
    out[3] = draft->enter;
    return d == CRN_DIRECTIONS ? 4 : 3;
}

/* Writes a link, or adds up the bytes that it takes. */
static uint32_t links_write_link(const crn_hcdps_job *job, const links_draft *draft, uint32_t from,
                                 crn_hcdps_writer *writer)
{
    uint32_t head[LINKS_NUMBERS], size = 0, count = links_head(job, draft, from, head);
    cairn_node at = crn_hcdps_home(job->index, from);
    for (uint32_t i = 0; i < count; i++) {
        size += crn_hcdps_size(head[i]);
        if (writer) crn_hcdps_write(writer, head[i]);
    }
    for (uint32_t i = 0; i + 1 < draft->count; i++) { /* the last one is the representative */
        cairn_node next = job->records.items[draft->first + i];
        uint32_t difference[2];
        links_difference(job, at, next, difference);
        size += crn_hcdps_size(difference[0]) + crn_hcdps_size(difference[1]);
        if (writer) crn_hcdps_write(writer, difference[0]), crn_hcdps_write(writer, difference[1]);
        at = next;
    }
    return size;
}

static cairn_status links_write_region(crn_hcdps_job *job, const links_drafts *drafts,
                                       uint32_t region)
{
    crn_hcdps_writer writer = {.out = &job->index->arrays[CRN_HCDPS_LINKS],
                               .context = job->context};
    uint32_t near = 0;
    bool ok = true;
    if (drafts->count >= CRN_HCDPS_SLOTS) return CAIRN_UNSUPPORTED;
    while (near < drafts->count && drafts->items[near].leave != CAIRN_NO_NODE) near++;
    crn_hcdps_write(&writer, (uint32_t)drafts->count);
    crn_hcdps_write(&writer, near);
    for (size_t i = 0; i < drafts->count && ok; i++) {
        const links_draft *draft = &drafts->items[i];
        crn_hcdps_write(&writer, links_write_link(job, draft, region, NULL));
        links_write_link(job, draft, region, &writer);
        job->costs[job->cost_count++] = draft->cost;
        ok = crn_hcdps_put(&job->link_to, job->context, draft->to);
    }
    ok = ok && crn_hcdps_put(&job->link_near, job->context, near) &&
         crn_hcdps_put(&job->link_first, job->context, (uint32_t)job->cost_count);
    return crn_hcdps_write_end(&writer) && ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* A region that has the links that it had before a repair. */
static bool links_copy_region(crn_hcdps_job *job, uint32_t region, size_t *next)
{
    const crn_hcdps_kept *kept = job->kept;
    cairn_context *context = job->context;
    uint32_t old = kept->was[region], first = kept->first->items[old],
             count = kept->first->items[old + 1] - first;
    const uint32_t *at = crn_hcdps_items(job->before, CRN_HCDPS_LINK_FIRST) + old;
    while (*next < job->pair_count && job->pairs[*next].from == region) ++*next;
    if (!crn_hcdps_reserve(&job->link_to, context, count)) return false;
    for (uint32_t i = 0; i < count; i++)
        job->link_to.owned[job->link_to.count++] = kept->order[kept->to->items[first + i]];
    memcpy(job->costs + job->cost_count, job->before->costs + first, count * sizeof *job->costs);
    job->cost_count += count;
    return crn_hcdps_put_all(&job->index->arrays[CRN_HCDPS_LINKS], context,
                             crn_hcdps_items(job->before, CRN_HCDPS_LINKS) + at[0],
                             at[1] - at[0]) &&
           crn_hcdps_put(&job->link_near, context, kept->near->items[old]) &&
           crn_hcdps_put(&job->link_first, context, (uint32_t)job->cost_count);
}

/* Sorts pairs by their later region. */
static void links_index_pairs(const crn_hcdps_job *job, links_drafts *drafts)
{
    uint32_t regions = crn_hcdps_regions(job->index);
    for (size_t i = 0; i < job->pair_count; i++) drafts->first[job->pairs[i].to]++;
    for (uint32_t i = 0; i < regions; i++) drafts->first[i + 1] += drafts->first[i];
    for (size_t i = job->pair_count; i-- > 0;)
        drafts->back[--drafts->first[job->pairs[i].to]] = (uint32_t)i;
}

static cairn_status links_write(crn_hcdps_job *job)
{
    uint32_t regions = crn_hcdps_regions(job->index);
    size_t next = 0, size = (regions + 2) * sizeof(uint32_t),
           back_size = (job->pair_count + 1) * sizeof(uint32_t);
    crn_hcdps_array *first = &job->index->arrays[CRN_HCDPS_LINK_FIRST],
                    *links = &job->index->arrays[CRN_HCDPS_LINKS];
    links_drafts drafts = {.first = crn_alloc_zero(job->context, size),
                           .back = crn_alloc(job->context, back_size)};
    bool ok = drafts.first && drafts.back && crn_hcdps_put(first, job->context, 0) &&
              crn_hcdps_put(&job->link_first, job->context, 0);
    cairn_status status = ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    if (ok) links_index_pairs(job, &drafts);
    for (uint32_t i = 0; i < regions && status == CAIRN_OK; i++) {
        bool stays = links_stay(job, i);
        ok = stays ? links_copy_region(job, i, &next) : links_draft_region(job, &drafts, i, &next);
        status = !ok ? CAIRN_OUT_OF_MEMORY : stays ? CAIRN_OK : links_write_region(job, &drafts, i);
        if (status == CAIRN_OK && !crn_hcdps_put(first, job->context, (uint32_t)links->count))
            status = CAIRN_OUT_OF_MEMORY;
    }
    crn_free(job->context, drafts.items, drafts.capacity * sizeof *drafts.items);
    crn_free(job->context, drafts.near, drafts.near_capacity * sizeof *drafts.near);
    crn_free(job->context, drafts.first, size);
    crn_free(job->context, drafts.back, back_size);
    return status;
}

cairn_status crn_hcdps_find_links(crn_hcdps_job *job)
{
    cairn_status status = CAIRN_OK;
    if (job->exact) {
        status = crn_hcdps_list_pairs(job);
        if (status == CAIRN_OK) status = crn_hcdps_search_pairs(job);
    }
    return status == CAIRN_OK ? crn_hcdps_write_links(job) : status;
}

cairn_status crn_hcdps_write_links(crn_hcdps_job *job)
{
    job->cost_capacity = 2 * job->pair_count + job->door_count + 1;
    if (job->kept) job->cost_capacity += job->kept->to->count;
    job->costs = crn_alloc(job->context, job->cost_capacity * sizeof *job->costs);
    return job->costs ? links_write(job) : CAIRN_OUT_OF_MEMORY;
}
