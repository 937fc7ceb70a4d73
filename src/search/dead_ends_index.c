/* dead_ends_index.c: finding chambers, files. See heuristic/dead_ends.h.
 *
 * 1. The space is divided into areas at its narrow passages (search/areas.h).
 * 2. Areas whose border is not tight are united.
 * 3. A border that is the only connection of two parts is a bridge of the graph of areas (Tarjan,
 *    "A Note on Finding the Bridges of a Graph", 1974). All other borders unite their areas. What
 *    is left are the chambers.
 *
 * Any partition would do; better ones only find more dead ends. Without a width, six are tried, and
 * the one that leaves the fewest nodes alive for some random queries is used.
 */
#include "heuristic/dead_ends.h"
#include "search/algorithm.h"
#include "search/areas.h"

#define DEAD_ENDS_NODES "index.chambers"
#define DEAD_ENDS_TREE "index.forest"
#define DEAD_ENDS_SAMPLES 64u
enum { DEAD_ENDS_BATCH = 16 };

typedef struct dead_ends_job {
    cairn_space *space;
    crn_areas areas; /* of each node; later its chamber */
    uint32_t width;
    uint32_t *nodes; /* one for each node: the kinds of cells, then what areas belong to */
    /* of areas: the place of their edges, the order in which they are found, ... */
    uint32_t *first, *found, *order;
    uint32_t *low, *by,
        *next;       /* ... how far up they lead, the border they were found by, the next */
    uint32_t *edges; /* borders by area */
    crn_chamber *chambers;
    uint32_t chamber_count;
    uint64_t work; /* two for each node and width: areas, and what they belong to */
} dead_ends_job;

/* Is it one node? Or, where `lines` do, are they cells side by side? */
static bool dead_ends_is_tight(const crn_border_side *side, bool lines)
{
    uint32_t across = side->right - side->left, down = side->bottom - side->top;
    if (!across && !down) return true;
    return lines && (!across || !down) && side->count == across + down + 1;
}

/* Unites the areas of borders that are not tight. On uniform grids without links straight steps are
 * the cheapest path along a line. */
static void dead_ends_unite(dead_ends_job *job)
{
    const crn_grid_space *map = job->areas.map;
    bool lines = map && map->uniform && !map->hex && !map->links.count;
    for (uint32_t i = 0; i < job->areas.count; i++) job->nodes[i] = i;
    for (size_t i = 0; i < job->areas.capacity; i++) {
        const crn_border *border = &job->areas.borders[i];
        if (!border->areas[1]) continue;
        if (!dead_ends_is_tight(&border->sides[0], lines) ||
            !dead_ends_is_tight(&border->sides[1], lines))
            crn_set_unite(job->nodes, border->areas[0], border->areas[1]);
    }
}

/* ---- bridges ---- */

/* The end of a border that is not this area. */
static uint32_t dead_ends_other(const dead_ends_job *job, uint32_t border, uint32_t area)
{
    const uint32_t *areas = job->areas.borders[border].areas;
    uint32_t end = crn_set_find(job->nodes, areas[0]);
    return end != area ? end : crn_set_find(job->nodes, areas[1]);
}

/* Lists the borders of each area: first[i] to first[i + 1]. */
static void dead_ends_list(dead_ends_job *job)
{
    memset(job->first, 0, ((size_t)job->areas.count + 1) * sizeof *job->first);
    for (int fill = 0; fill < 2; fill++) {
        for (size_t i = 0; i < job->areas.capacity; i++) {
            const crn_border *border = &job->areas.borders[i];
            if (!border->areas[1]) continue;
            uint32_t a = crn_set_find(job->nodes, border->areas[0]),
                     b = crn_set_find(job->nodes, border->areas[1]);
            if (a == b) continue;
            if (fill) {
                job->edges[--job->first[a]] = job->edges[--job->first[b]] = (uint32_t)i;
            } else {
                job->first[a]++, job->first[b]++;
            }
        }
        for (uint32_t i = 0; !fill && i < job->areas.count; i++) job->first[i + 1] += job->first[i];
    }
}

/* Visits what an area leads to, depth first: the order, and the border that each is found by. */
static uint32_t dead_ends_visit(dead_ends_job *job, uint32_t root, uint32_t count)
{
    uint32_t area = root;
    job->found[root] = count;
    job->order[count++] = root;
    job->by[root] = CRN_NO_CHAMBER;
    while (area != CRN_NO_CHAMBER) {
        if (job->next[area] == job->first[area + 1]) {
            area = area == root ? CRN_NO_CHAMBER : dead_ends_other(job, job->by[area], area);
            continue;
        }
        uint32_t border = job->edges[job->next[area]++];
        uint32_t to = dead_ends_other(job, border, area);
        if (job->found[to] != CRN_NO_CHAMBER) continue;
        job->found[to] = count;
        job->order[count++] = to;
        job->by[to] = border;
        area = to;
    }
    return count;
}

/* How far up an area and those below it lead by other borders than the one it was found by. */
static uint32_t dead_ends_lowest(const dead_ends_job *job, uint32_t area)
{
    uint32_t low = job->found[area];
    for (uint32_t i = job->first[area]; i < job->first[area + 1]; i++) {
        uint32_t border = job->edges[i];
        if (border == job->by[area]) continue;
        uint32_t to = dead_ends_other(job, border, area);
        low = crn_min_u32(low, job->by[to] == border ? job->low[to] : job->found[to]);
    }
    return low;
}

/* Numbers the chambers in the order in which their first areas were found, which is a preorder. The
 * number of an area goes into `next`. */
static void dead_ends_number(dead_ends_job *job, uint32_t count)
{
    job->chamber_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t area = job->order[i], parent = CRN_NO_CHAMBER;
        if (job->by[area] != CRN_NO_CHAMBER)
            parent = job->next[dead_ends_other(job, job->by[area], area)];
        if (parent != CRN_NO_CHAMBER && job->low[area] < job->found[area]) {
            job->next[area] = parent;
            continue;
        }
        job->next[area] = job->chamber_count;
        job->chambers[job->chamber_count] = (crn_chamber){parent, job->chamber_count, 0};
        job->chamber_count++;
    }
}

/* The chambers below each, and the heavy paths: from a chamber on to the child that has most
 * below it. */
static void dead_ends_join(dead_ends_job *job)
{
    crn_chamber *chambers = job->chambers;
    uint32_t *heavy = job->order;
    for (uint32_t i = job->chamber_count; i-- > 0;) {
        uint32_t parent = chambers[i].parent;
        if (parent != CRN_NO_CHAMBER)
            chambers[parent].last = crn_max_u32(chambers[parent].last, chambers[i].last);
        heavy[i] = CRN_NO_CHAMBER;
    }
    for (uint32_t i = 0; i < job->chamber_count; i++) {
        uint32_t parent = chambers[i].parent, size = chambers[i].last - i;
        if (parent == CRN_NO_CHAMBER) continue;
        uint32_t best = heavy[parent];
        if (best == CRN_NO_CHAMBER || chambers[best].last - best < size) heavy[parent] = i;
    }
    for (uint32_t i = 0; i < job->chamber_count; i++) {
        uint32_t parent = chambers[i].parent;
        bool goes_on = parent != CRN_NO_CHAMBER && heavy[parent] == i;
        chambers[i].head = goes_on ? chambers[parent].head : i;
    }
}

static void dead_ends_cut(dead_ends_job *job)
{
    uint32_t count = 0;
    dead_ends_list(job);
    memset(job->found, 0xff, job->areas.count * sizeof *job->found);
    memcpy(job->next, job->first, ((size_t)job->areas.count + 1) * sizeof *job->next);
    for (uint32_t area = 0; area < job->areas.count; area++) {
        bool is_first = crn_set_find(job->nodes, area) == area;
        if (is_first && job->found[area] == CRN_NO_CHAMBER)
            count = dead_ends_visit(job, area, count);
    }
    for (uint32_t i = count; i-- > 0;)
        job->low[job->order[i]] = dead_ends_lowest(job, job->order[i]);
    dead_ends_number(job, count);
    for (cairn_node node = 0; node < job->space->node_count; node++) {
        uint32_t *area = &job->areas.of[node];
        if (*area != CRN_NO_CHAMBER) *area = job->next[crn_set_find(job->nodes, *area)];
    }
    dead_ends_join(job);
}

/* ---- building ---- */

/* Chambers by passages of this width. */
static cairn_status dead_ends_try(dead_ends_job *job, uint32_t width)
{
    cairn_context *context = job->space->context;
    job->width = width;
    job->work += 2 * (uint64_t)job->space->node_count;
    crn_areas_divide(&job->areas, width);
    if (!crn_areas_find_borders(&job->areas)) return CAIRN_OUT_OF_MEMORY;
    size_t bytes = crn_mul_size(2 * job->areas.border_count + 1, sizeof *job->edges);
    job->edges = crn_alloc(context, bytes);
    if (!job->edges) return CAIRN_OUT_OF_MEMORY;
    dead_ends_unite(job);
    dead_ends_cut(job);
    crn_free(context, job->edges, bytes);
    crn_areas_free_borders(&job->areas);
    return CAIRN_OK;
}

/* The nodes in a chamber and all above it. */
static uint64_t dead_ends_weigh(const dead_ends_job *job, uint32_t chamber, const uint32_t *sizes,
                                uint32_t top)
{
    uint64_t sum = 0;
    for (; chamber != CRN_NO_CHAMBER && chamber >= top; chamber = job->chambers[chamber].parent)
        sum += sizes[chamber];
    return sum;
}

/* How many nodes stay alive, for some random pairs. */
static uint64_t dead_ends_judge(dead_ends_job *job)
{
    crn_rng rng = {1};
    uint32_t *sizes = job->first, count = job->space->node_count;
    crn_dead_ends made = {.of = job->areas.of, .chambers = job->chambers};
    uint64_t sum = 0;
    memset(sizes, 0, ((size_t)job->chamber_count + 1) * sizeof *sizes);
    for (cairn_node node = 0; node < count; node++)
        if (job->areas.of[node] != CRN_NO_CHAMBER) sizes[job->areas.of[node]]++;
    for (uint32_t i = 0; i < DEAD_ENDS_SAMPLES; i++) {
        uint32_t a = job->areas.of[crn_rng_below(&rng, count)],
                 b = job->areas.of[crn_rng_below(&rng, count)];
        if (a == CRN_NO_CHAMBER || b == CRN_NO_CHAMBER) continue;
        uint32_t top = crn_dead_ends_common(&made, a, b);
        if (top == CRN_NO_CHAMBER) continue;
        sum += dead_ends_weigh(job, a, sizes, top) + dead_ends_weigh(job, b, sizes, top);
    }
    return sum;
}

static cairn_status dead_ends_choose(dead_ends_job *job, uint32_t width,
                                     const cairn_progress *progress)
{
    static const uint32_t widths[] = {1, 2, 4, 8, 16, 32};
    uint64_t least = UINT64_MAX;
    bool choose = !width && job->areas.map;
    uint32_t best = width ? width : 1;
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; choose && i < CRN_COUNT(widths) && status == CAIRN_OK; i++) {
        if (!crn_progress(progress, i, CRN_COUNT(widths) + 1)) return CAIRN_CANCELLED;
        status = dead_ends_try(job, widths[i]);
        uint64_t alive = status == CAIRN_OK ? dead_ends_judge(job) : UINT64_MAX;
        if (alive < least) least = alive, best = widths[i];
    }
    if (status == CAIRN_OK && !crn_progress(progress, CRN_COUNT(widths), CRN_COUNT(widths) + 1))
        return CAIRN_CANCELLED;
    if (status == CAIRN_OK) status = dead_ends_try(job, best);
    if (status != CAIRN_OK) return status;
    const uint32_t all = CRN_COUNT(widths) + 1;
    return crn_progress(progress, all, all) ? CAIRN_OK : CAIRN_CANCELLED;
}

/* All arrays of the job in one block, this many numbers for each node. */
enum { DEAD_ENDS_ARRAYS = 7 };

static cairn_status dead_ends_fill(crn_dead_ends *dead_ends, dead_ends_job *job, uint32_t width,
                                   const cairn_progress *progress)
{
    cairn_context *context = job->space->context;
    size_t count = (size_t)job->space->node_count + 1;
    cairn_status status = dead_ends_choose(job, width, progress);
    if (status != CAIRN_OK) return status;
    dead_ends->owned_chambers =
        crn_alloc(context, crn_mul_size(job->chamber_count + 1u, sizeof *job->chambers));
    if (!dead_ends->owned_chambers) return CAIRN_OUT_OF_MEMORY;
    dead_ends->count = job->chamber_count;
    dead_ends->width = job->width;
    memcpy(dead_ends->owned_chambers, job->chambers, job->chamber_count * sizeof *job->chambers);
    memcpy(dead_ends->owned, job->areas.of, (count - 1) * sizeof *dead_ends->of);
    dead_ends->chambers = dead_ends->owned_chambers;
    return CAIRN_OK;
}

cairn_status crn_dead_ends_build(crn_dead_ends *dead_ends, cairn_space *space, uint32_t width,
                                 const cairn_progress *progress, cairn_error *error)
{
    dead_ends_job job = {.space = space, .areas = crn_areas_of(space)};
    size_t count = (size_t)space->node_count + 1,
           block = crn_mul_size(count, DEAD_ENDS_ARRAYS * sizeof(uint32_t)),
           chambers = crn_mul_size(count, sizeof *job.chambers);
    uint32_t *memory = crn_alloc(space->context, block);
    *dead_ends = (crn_dead_ends){.node_count = space->node_count};
    dead_ends->of = dead_ends->owned =
        crn_alloc(space->context, crn_mul_size(count, sizeof *dead_ends->of));
    job.chambers = crn_alloc(space->context, chambers);
    cairn_status status = CAIRN_OUT_OF_MEMORY;
    if (memory && job.chambers && dead_ends->owned) {
        uint32_t **arrays[] = {&job.areas.of, &job.nodes, &job.first, &job.found,
                               &job.order,    &job.low,   &job.by};
        for (uint32_t i = 0; i < DEAD_ENDS_ARRAYS; i++) *arrays[i] = memory + i * count;
        job.areas.kinds = job.nodes;
        job.areas.queue = job.found;
        job.next = crn_alloc(space->context, crn_mul_size(count, sizeof *job.next));
        if (job.next) status = dead_ends_fill(dead_ends, &job, width, progress);
        crn_free(space->context, job.next, crn_mul_size(count, sizeof *job.next));
    }
    crn_areas_free_borders(&job.areas);
    crn_free(space->context, memory, block);
    crn_free(space->context, job.chambers, chambers);
    dead_ends->work = job.work;
    if (status == CAIRN_OK) return status;
    crn_dead_ends_drop(dead_ends, space->context);
    return crn_fail(error, status, 0, "%s",
                    status == CAIRN_CANCELLED ? "the build was cancelled"
                                              : "no memory for the chambers");
}

void crn_dead_ends_drop(crn_dead_ends *dead_ends, cairn_context *context)
{
    crn_free(context, dead_ends->owned,
             crn_mul_size((size_t)dead_ends->node_count + 1, sizeof *dead_ends->of));
    crn_free(context, dead_ends->owned_chambers,
             ((size_t)dead_ends->count + 1) * sizeof *dead_ends->chambers);
    *dead_ends = (crn_dead_ends){0};
}

size_t crn_dead_ends_bytes(const crn_dead_ends *dead_ends)
{
    return offsetof(crn_dead_ends, work) + dead_ends->node_count * sizeof *dead_ends->of +
           dead_ends->count * sizeof *dead_ends->chambers;
}

/* ---- saving and loading ---- */

cairn_status crn_dead_ends_save(const crn_dead_ends *dead_ends, cairn_store *store,
                                cairn_error *error)
{
    cairn_bytes nodes = {dead_ends->of, dead_ends->node_count * sizeof *dead_ends->of},
                tree = {dead_ends->chambers, dead_ends->count * sizeof *dead_ends->chambers};
    cairn_status status = cairn_store_add(store, DEAD_ENDS_NODES, nodes, 4, true);
    if (status == CAIRN_OK) status = cairn_store_add(store, DEAD_ENDS_TREE, tree, 4, true);
    return status == CAIRN_OK
               ? status
               : crn_fail(error, status, 0, "the chambers cannot be added to the file");
}

/* Parents and heads before a chamber, what is below it after it: no walk leaves the tables. */
static bool dead_ends_make_sense(const crn_dead_ends *dead_ends, const cairn_space *space)
{
    for (uint32_t i = 0; i < dead_ends->count; i++) {
        const crn_chamber *chamber = &dead_ends->chambers[i];
        bool root = chamber->parent == CRN_NO_CHAMBER;
        if (!root && chamber->parent >= i) return false;
        if (chamber->last < i || chamber->last >= dead_ends->count) return false;
        if (chamber->head > i || (chamber->head < i && root)) return false;
        if (chamber->head != i && chamber->head != dead_ends->chambers[chamber->parent].head)
            return false;
    }
    for (cairn_node node = 0; node < space->node_count; node++) {
        bool stands = space->functions->usable(space, node);
        uint32_t of = dead_ends->of[node];
        if (stands ? of >= dead_ends->count : of != CRN_NO_CHAMBER) return false;
    }
    return true;
}

static cairn_status dead_ends_copy(crn_dead_ends *dead_ends, const cairn_space *space)
{
    crn_dead_ends from = *dead_ends;
    size_t nodes = crn_mul_size((size_t)from.node_count + 1, sizeof *from.of),
           tree = crn_mul_size((size_t)from.count + 1, sizeof *from.chambers);
    dead_ends->of = dead_ends->owned = crn_alloc(space->context, nodes);
    dead_ends->chambers = dead_ends->owned_chambers = crn_alloc(space->context, tree);
    if (!dead_ends->owned || !dead_ends->owned_chambers) {
        crn_dead_ends_drop(dead_ends, space->context);
        return CAIRN_OUT_OF_MEMORY;
    }
    memcpy(dead_ends->owned, from.of, from.node_count * sizeof *from.of);
    memcpy(dead_ends->owned_chambers, from.chambers, from.count * sizeof *from.chambers);
    return CAIRN_OK;
}

cairn_status crn_dead_ends_load(crn_dead_ends *dead_ends, const cairn_space *space,
                                const cairn_archive *archive, bool borrow, cairn_error *error)
{
    size_t nodes = 0, tree = 0;
    const void *of = cairn_archive_section(archive, DEAD_ENDS_NODES, 4, &nodes),
               *chambers = cairn_archive_section(archive, DEAD_ENDS_TREE, 4, &tree);
    crn_dead_ends loaded = {.of = of, .chambers = chambers, .node_count = space->node_count};
    loaded.count = (uint32_t)(tree / sizeof *loaded.chambers);
    bool fits = of && chambers && nodes == crn_mul_size(space->node_count, sizeof *loaded.of) &&
                tree == loaded.count * sizeof *loaded.chambers;
    if (!fits || !dead_ends_make_sense(&loaded, space))
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the chambers are missing or make no sense");
    *dead_ends = loaded;
    if (borrow || dead_ends_copy(dead_ends, space) == CAIRN_OK) return CAIRN_OK;
    return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the chambers");
}
