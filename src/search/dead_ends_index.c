/* dead_ends_index.c: finding chambers, files. See heuristic/dead_ends.h.
 *
 * 1. Areas. A cell of a grid is narrow if the open cells beside it in its row, or in its column,
 *    are no more than `width`. Cells that are narrow in the same direction and connected are an
 *    area: a corridor or a door; and so are connected cells that are not narrow: a room. In other
 *    worlds every node is an area.
 * 2. Gates. The edges between two areas are one gate, and the nodes on each of its sides are known
 *    by a box round them and by their number. Areas whose gate is not tight are united.
 * 3. Bridges. A gate that is the only connection of two parts is a bridge of the graph of areas
 *    (Tarjan, "A Note on Finding the Bridges of a Graph", 1974). All other gates unite their areas.
 *    What is left are the chambers.
 *
 * Any partition would do; better ones only find more dead ends. Without a width, six are tried, and
 * the one that leaves the fewest nodes alive for some random queries is used.
 */
#include "heuristic/dead_ends.h"
#include "search/algorithm.h"
#include "world/grid_space.h"

#define DEAD_ENDS_NODES "index.chambers"
#define DEAD_ENDS_TREE "index.forest"
#define DEAD_ENDS_SAMPLES 64u
enum { DEAD_ENDS_BATCH = 16 };

/* One side of a gate. */
typedef struct dead_ends_side {
    bool filled;
    uint32_t left, top, right, bottom; /* round its nodes */
    uint32_t count;                    /* of those that an edge leaves ... */
    cairn_node counted;                /* ... of which this is the last one */
} dead_ends_side;

typedef struct dead_ends_gate {
    uint32_t areas[2]; /* ascending; both 0: the place in the table is free */
    dead_ends_side sides[2];
} dead_ends_gate;

typedef struct dead_ends_job {
    cairn_space *space;
    const crn_grid_space *map; /* NULL: it is no grid */
    uint32_t width, columns;
    uint32_t *areas; /* of each node; later its chamber */
    uint32_t *nodes; /* one for each node: a queue, then what areas belong to */
    uint32_t area_count;
    dead_ends_gate *gates; /* a hash table */
    size_t capacity, gate_count;
    /* of areas: the place of their edges, the order in which they are found, ... */
    uint32_t *first, *found, *order;
    uint32_t *low, *by, *next; /* ... how far up they lead, the gate they were found by, the next */
    uint32_t *edges;           /* gates by area */
    crn_chamber *chambers;
    uint32_t chamber_count;
} dead_ends_job;

/* ---- areas ---- */

static bool dead_ends_usable(const dead_ends_job *job, cairn_node node)
{
    return job->space->functions->usable(job->space, node);
}

/* Marks the cells of runs of at most `width` cells along rows or columns with a bit. */
static void dead_ends_mark_runs(dead_ends_job *job, bool down, uint32_t bit)
{
    uint32_t columns = job->columns, rows = job->space->node_count / columns;
    uint32_t lines = down ? columns : rows, length = down ? rows : columns;
    size_t step = down ? columns : 1, line_step = down ? 1 : columns;
    for (uint32_t line = 0; line < lines; line++) {
        for (uint32_t from = 0, to; from < length; from = to + 1) {
            for (to = from; to < length; to++)
                if (!dead_ends_usable(job, (cairn_node)(line * line_step + to * step))) break;
            for (uint32_t i = from; to - from <= job->width && i < to; i++)
                job->nodes[line * line_step + i * step] |= bit;
        }
    }
}

/* Puts the nodes of the same kind that a node leads to into the next area. The kinds are in
 * `nodes`, the queue of the flood is linked through `found`. */
static void dead_ends_flood(dead_ends_job *job, cairn_node from)
{
    const cairn_space *space = job->space;
    uint32_t *queue = job->found, head = 0, tail = 0;
    job->areas[from] = job->area_count;
    queue[tail++] = from;
    while (head < tail) {
        cairn_node node = queue[head++];
        cairn_edge edges[DEAD_ENDS_BATCH];
        for (uint32_t first = 0, count = DEAD_ENDS_BATCH; count == DEAD_ENDS_BATCH;
             first += count) {
            count = space->functions->expand(space, node, first, edges, DEAD_ENDS_BATCH);
            for (uint32_t i = 0; i < count; i++) {
                cairn_node to = edges[i].node;
                if (job->areas[to] != CRN_NO_CHAMBER || job->nodes[to] != job->nodes[from])
                    continue;
                job->areas[to] = job->area_count;
                queue[tail++] = to;
            }
        }
    }
    job->area_count++;
}

static void dead_ends_divide(dead_ends_job *job)
{
    uint32_t count = job->space->node_count;
    memset(job->areas, 0xff, count * sizeof *job->areas);
    memset(job->nodes, 0, count * sizeof *job->nodes);
    job->area_count = 0;
    if (job->map) {
        dead_ends_mark_runs(job, false, 1);
        dead_ends_mark_runs(job, true, 2);
    }
    for (cairn_node node = 0; node < count; node++) {
        if (job->areas[node] != CRN_NO_CHAMBER || !dead_ends_usable(job, node)) continue;
        if (job->map) {
            dead_ends_flood(job, node);
        } else {
            job->areas[node] = job->area_count++;
        }
    }
}

/* ---- gates ---- */

static dead_ends_gate *dead_ends_place(const dead_ends_job *job, uint32_t a, uint32_t b)
{
    uint64_t hash = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
    size_t mask = job->capacity - 1, at = (size_t)(hash >> 32) & mask;
    while (job->gates[at].areas[1] &&
           (job->gates[at].areas[0] != a || job->gates[at].areas[1] != b))
        at = (at + 1) & mask;
    return &job->gates[at];
}

/* A table twice as large. */
static bool dead_ends_grow(dead_ends_job *job)
{
    dead_ends_job larger = *job;
    larger.capacity = job->capacity ? 2 * job->capacity : 1024;
    larger.gates =
        crn_alloc_zero(job->space->context, crn_mul_size(larger.capacity, sizeof *larger.gates));
    if (!larger.gates) return false;
    for (size_t i = 0; i < job->capacity; i++) {
        const dead_ends_gate *gate = &job->gates[i];
        if (gate->areas[1]) *dead_ends_place(&larger, gate->areas[0], gate->areas[1]) = *gate;
    }
    crn_free(job->space->context, job->gates, job->capacity * sizeof *job->gates);
    job->gates = larger.gates;
    job->capacity = larger.capacity;
    return true;
}

static void dead_ends_widen(const dead_ends_job *job, dead_ends_side *side, cairn_node node)
{
    uint32_t x = job->columns ? node % job->columns : node,
             y = job->columns ? node / job->columns : 0;
    if (!side->filled) *side = (dead_ends_side){.filled = true, x, y, x, y, 0, 0};
    side->left = crn_min_u32(side->left, x);
    side->top = crn_min_u32(side->top, y);
    side->right = crn_max_u32(side->right, x);
    side->bottom = crn_max_u32(side->bottom, y);
}

/* An edge. Nodes are visited in order, so that each is counted once. */
static bool dead_ends_note(dead_ends_job *job, cairn_node from, cairn_node to)
{
    uint32_t a = job->areas[from], b = job->areas[to];
    bool turned = a > b;
    if (a == b) return true;
    if (2 * job->gate_count >= job->capacity && !dead_ends_grow(job)) return false;
    dead_ends_gate *gate = dead_ends_place(job, turned ? b : a, turned ? a : b);
    if (!gate->areas[1]) job->gate_count++;
    gate->areas[turned] = a;
    gate->areas[!turned] = b;
    dead_ends_side *side = &gate->sides[turned];
    dead_ends_widen(job, side, from);
    dead_ends_widen(job, &gate->sides[!turned], to);
    if (!side->count || side->counted != from) side->count++;
    side->counted = from;
    return true;
}

static bool dead_ends_find_gates(dead_ends_job *job)
{
    const cairn_space *space = job->space;
    for (cairn_node node = 0; node < space->node_count; node++) {
        cairn_edge edges[DEAD_ENDS_BATCH];
        if (job->areas[node] == CRN_NO_CHAMBER) continue;
        for (uint32_t first = 0, count = DEAD_ENDS_BATCH; count == DEAD_ENDS_BATCH;
             first += count) {
            count = space->functions->expand(space, node, first, edges, DEAD_ENDS_BATCH);
            for (uint32_t i = 0; i < count; i++)
                if (!dead_ends_note(job, node, edges[i].node)) return false;
        }
    }
    return true;
}

/* Is it one node? Or, where `lines` do, are they cells side by side? */
static bool dead_ends_is_tight(const dead_ends_side *side, bool lines)
{
    uint32_t across = side->right - side->left, down = side->bottom - side->top;
    if (!across && !down) return true;
    return lines && (!across || !down) && side->count == across + down + 1;
}

/* Unites the areas of gates that are not tight. On uniform grids without links straight steps are
 * the cheapest path along a line. */
static void dead_ends_unite(dead_ends_job *job)
{
    const crn_grid_space *map = job->map;
    bool lines = map && map->uniform && !map->hex && !map->links.count;
    for (uint32_t i = 0; i < job->area_count; i++) job->nodes[i] = i;
    for (size_t i = 0; i < job->capacity; i++) {
        const dead_ends_gate *gate = &job->gates[i];
        if (!gate->areas[1]) continue;
        if (!dead_ends_is_tight(&gate->sides[0], lines) ||
            !dead_ends_is_tight(&gate->sides[1], lines))
            crn_set_unite(job->nodes, gate->areas[0], gate->areas[1]);
    }
}

/* ---- bridges ---- */

/* The end of a gate that is not this area. */
static uint32_t dead_ends_other(const dead_ends_job *job, uint32_t gate, uint32_t area)
{
    const uint32_t *areas = job->gates[gate].areas;
    uint32_t end = crn_set_find(job->nodes, areas[0]);
    return end != area ? end : crn_set_find(job->nodes, areas[1]);
}

/* Lists the gates of each area: first[i] to first[i + 1]. */
static void dead_ends_list(dead_ends_job *job)
{
    memset(job->first, 0, ((size_t)job->area_count + 1) * sizeof *job->first);
    for (int fill = 0; fill < 2; fill++) {
        for (size_t i = 0; i < job->capacity; i++) {
            const dead_ends_gate *gate = &job->gates[i];
            if (!gate->areas[1]) continue;
            uint32_t a = crn_set_find(job->nodes, gate->areas[0]),
                     b = crn_set_find(job->nodes, gate->areas[1]);
            if (a == b) continue;
            if (fill) {
                job->edges[--job->first[a]] = job->edges[--job->first[b]] = (uint32_t)i;
            } else {
                job->first[a]++, job->first[b]++;
            }
        }
        for (uint32_t i = 0; !fill && i < job->area_count; i++) job->first[i + 1] += job->first[i];
    }
}

/* Visits what an area leads to, depth first: the order, and the gate that each is found by. */
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
        uint32_t gate = job->edges[job->next[area]++];
        uint32_t to = dead_ends_other(job, gate, area);
        if (job->found[to] != CRN_NO_CHAMBER) continue;
        job->found[to] = count;
        job->order[count++] = to;
        job->by[to] = gate;
        area = to;
    }
    return count;
}

/* How far up an area and those below it lead by other gates than the one it was found by. */
static uint32_t dead_ends_lowest(const dead_ends_job *job, uint32_t area)
{
    uint32_t low = job->found[area];
    for (uint32_t i = job->first[area]; i < job->first[area + 1]; i++) {
        uint32_t gate = job->edges[i];
        if (gate == job->by[area]) continue;
        uint32_t to = dead_ends_other(job, gate, area);
        low = crn_min_u32(low, job->by[to] == gate ? job->low[to] : job->found[to]);
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
    memset(job->found, 0xff, job->area_count * sizeof *job->found);
    memcpy(job->next, job->first, ((size_t)job->area_count + 1) * sizeof *job->next);
    for (uint32_t area = 0; area < job->area_count; area++) {
        bool is_first = crn_set_find(job->nodes, area) == area;
        if (is_first && job->found[area] == CRN_NO_CHAMBER)
            count = dead_ends_visit(job, area, count);
    }
    for (uint32_t i = count; i-- > 0;)
        job->low[job->order[i]] = dead_ends_lowest(job, job->order[i]);
    dead_ends_number(job, count);
    for (cairn_node node = 0; node < job->space->node_count; node++) {
        uint32_t *area = &job->areas[node];
        if (*area != CRN_NO_CHAMBER) *area = job->next[crn_set_find(job->nodes, *area)];
    }
    dead_ends_join(job);
}

/* ---- building ---- */

static void dead_ends_free_gates(dead_ends_job *job)
{
    crn_free(job->space->context, job->gates, job->capacity * sizeof *job->gates);
    job->gates = NULL;
    job->capacity = job->gate_count = 0;
}

/* Chambers by passages of this width. */
static cairn_status dead_ends_try(dead_ends_job *job, uint32_t width)
{
    cairn_context *context = job->space->context;
    job->width = width;
    dead_ends_divide(job);
    if (!dead_ends_find_gates(job)) return CAIRN_OUT_OF_MEMORY;
    size_t bytes = crn_mul_size(2 * job->gate_count + 1, sizeof *job->edges);
    job->edges = crn_alloc(context, bytes);
    if (!job->edges) return CAIRN_OUT_OF_MEMORY;
    dead_ends_unite(job);
    dead_ends_cut(job);
    crn_free(context, job->edges, bytes);
    dead_ends_free_gates(job);
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
    crn_dead_ends made = {.of = job->areas, .chambers = job->chambers};
    uint64_t sum = 0;
    memset(sizes, 0, ((size_t)job->chamber_count + 1) * sizeof *sizes);
    for (cairn_node node = 0; node < count; node++)
        if (job->areas[node] != CRN_NO_CHAMBER) sizes[job->areas[node]]++;
    for (uint32_t i = 0; i < DEAD_ENDS_SAMPLES; i++) {
        uint32_t a = job->areas[crn_rng_below(&rng, count)],
                 b = job->areas[crn_rng_below(&rng, count)];
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
    bool choose = !width && job->map;
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
    memcpy(dead_ends->owned, job->areas, (count - 1) * sizeof *job->areas);
    dead_ends->chambers = dead_ends->owned_chambers;
    return CAIRN_OK;
}

cairn_status crn_dead_ends_build(crn_dead_ends *dead_ends, cairn_space *space, uint32_t width,
                                 const cairn_progress *progress, cairn_error *error)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    dead_ends_job job = {.space = space, .map = map, .columns = map ? map->grid->width : 0};
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
        uint32_t **arrays[] = {&job.areas, &job.nodes, &job.first, &job.found,
                               &job.order, &job.low,   &job.by};
        for (uint32_t i = 0; i < DEAD_ENDS_ARRAYS; i++) *arrays[i] = memory + i * count;
        job.next = crn_alloc(space->context, crn_mul_size(count, sizeof *job.next));
        if (job.next) status = dead_ends_fill(dead_ends, &job, width, progress);
        crn_free(space->context, job.next, crn_mul_size(count, sizeof *job.next));
    }
    dead_ends_free_gates(&job);
    crn_free(space->context, memory, block);
    crn_free(space->context, job.chambers, chambers);
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
    return sizeof *dead_ends + dead_ends->node_count * sizeof *dead_ends->of +
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
