/* gateway_index.c: finding areas and gates, the table of costs between them, files. See
 * heuristic/gateway.h.
 *
 * 1. The map is divided at its narrow passages (areas.h). Small areas join a neighbour: those of
 *    less than some cells, of twice as many and so on, until no more gates are left than wanted.
 *    Without a width, several are tried. The one with the largest estimates for some random goals
 *    is used, with what is left from each gate exact.
 * 2. The border of two areas is known by its cells on the side that has fewer. Cells side by side
 *    are a gate.
 * 3. One search of everything from all cells of a gate gives its row of the table. Workers share
 *    the gates.
 */
#include "heuristic/gateway.h"
#include "search/areas.h"
#include "search/best_first.h"

#define GATEWAY_AREAS "index.areas"
#define GATEWAY_FIRST "index.first"
#define GATEWAY_DOORS "index.doors"
#define GATEWAY_COSTS "index.between"
#define GATEWAY_SLICE 4u     /* gates for a worker between two reports */
#define GATEWAY_GOALS 8u     /* that widths are judged by, ... */
#define GATEWAY_SAMPLES 512u /* ... with this many nodes each */
enum { GATEWAY_BATCH = 16 };

/* A cell of a gate. */
typedef struct gateway_cell {
    uint32_t border; /* its place in the table of borders */
    cairn_node node;
    uint32_t gate;
} gateway_cell;

/* A worker's search, and the least cost to each gate; behind these there is room for all doors. */
typedef struct gateway_worker {
    cairn_search *search;
    cairn_cost *least;
    uint64_t work;
    cairn_status status;
} gateway_worker;

typedef struct gateway_job {
    crn_gateway *gateway;
    cairn_space *space;
    crn_areas areas;
    uint32_t *sets, *sizes; /* of areas: which belong together, and their nodes */
    gateway_cell *cells;    /* by border, then by node; later by gate */
    size_t cell_count, cell_bytes;
    uint32_t gate_count, most;
    cairn_cost *costs;      /* the table that is filled */
    cairn_planner *planner; /* dijkstra */
    gateway_worker *workers;
    uint32_t worker_count, done; /* workers; gates that are done */
    uint64_t work;               /* of the searches, and one for each node of each division */
    const cairn_progress *progress;
} gateway_job;

/* Progress, in parts of the whole. */
enum { GATEWAY_DIVIDING = 100, GATEWAY_ALL = 1000 };

static bool gateway_report(const gateway_job *job, uint32_t part)
{
    return crn_progress(job->progress, part, GATEWAY_ALL);
}

/* ---- gates ---- */

static bool gateway_before(const void *a, const void *b)
{
    const gateway_cell *x = a, *y = b;
    return x->border != y->border ? x->border < y->border : x->node < y->node;
}

static bool gateway_gate_before(const void *a, const void *b)
{
    const gateway_cell *x = a, *y = b;
    return x->gate != y->gate ? x->gate < y->gate : x->node < y->node;
}

/* The cell of a step from one area to another that belongs to a gate. */
static void gateway_note(gateway_job *job, cairn_node from, cairn_node to)
{
    uint32_t a = job->areas.of[from], b = job->areas.of[to];
    if (a == b) return;
    const crn_border *border = crn_areas_border(&job->areas, crn_min_u32(a, b), crn_max_u32(a, b));
    uint32_t side = border->sides[1].count < border->sides[0].count;
    job->cells[job->cell_count++] = (gateway_cell){(uint32_t)(border - job->areas.borders),
                                                   border->areas[side] == a ? from : to, 0};
}

static void gateway_collect(gateway_job *job)
{
    const cairn_space *space = job->space;
    job->cell_count = 0;
    for (cairn_node node = 0; node < space->node_count; node++) {
        cairn_edge edges[GATEWAY_BATCH];
        if (job->areas.of[node] == CRN_NO_AREA) continue;
        for (uint32_t first = 0, count = GATEWAY_BATCH; count == GATEWAY_BATCH; first += count) {
            count = space->functions->expand(space, node, first, edges, GATEWAY_BATCH);
            for (uint32_t i = 0; i < count; i++) gateway_note(job, node, edges[i].node);
        }
    }
    size_t kept = 0;
    crn_sort(job->cells, job->cell_count, sizeof *job->cells, gateway_before);
    for (size_t i = 0; i < job->cell_count; i++) {
        if (kept && !gateway_before(&job->cells[kept - 1], &job->cells[i])) continue;
        job->cells[kept++] = job->cells[i];
    }
    job->cell_count = kept;
}

/* The set of a gate in `gate` of its cells: the number of one of them, up to itself. */
static size_t gateway_find(gateway_cell *cells, size_t i)
{
    while (cells[i].gate != i) i = cells[i].gate = cells[cells[i].gate].gate;
    return i;
}

/* Unites a cell with one of the same border beside it. */
static void gateway_unite(gateway_job *job, size_t i, int64_t node)
{
    gateway_cell *cells = job->cells, key = {cells[i].border, (cairn_node)node, 0};
    size_t low = 0;
    if (node < 0 || node >= job->space->node_count) return;
    for (size_t high = i; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (gateway_before(&cells[middle], &key)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == i || cells[low].border != key.border || cells[low].node != key.node) return;
    size_t a = gateway_find(cells, low), b = gateway_find(cells, i);
    cells[a > b ? a : b].gate = (uint32_t)(a < b ? a : b);
}

/* Cells before a cell that are beside it. (A cell at the end of a row may be united with one at the
 * beginning of the next: any union is right.) */
static void gateway_join(gateway_job *job)
{
    const int64_t columns = job->areas.columns;
    for (size_t i = 0; i < job->cell_count; i++) job->cells[i].gate = (uint32_t)i;
    for (size_t i = 0; i < job->cell_count; i++) {
        int64_t node = job->cells[i].node;
        const int64_t beside[] = {node - 1, node - columns - 1, node - columns, node - columns + 1};
        for (uint32_t k = 0; k < CRN_COUNT(beside); k++) gateway_unite(job, i, beside[k]);
    }
    for (size_t i = 0; i < job->cell_count; i++)
        job->cells[i].gate = (uint32_t)gateway_find(job->cells, i);
    uint32_t count = 0; /* (a gate's first cell has the number of the set, and comes first) */
    for (size_t i = 0; i < job->cell_count; i++) {
        uint32_t set = job->cells[i].gate;
        job->cells[i].gate = set == i ? count++ : job->cells[set].gate;
    }
    job->gate_count = count;
}

static void gateway_free_cells(gateway_job *job)
{
    crn_free(job->space->context, job->cells, job->cell_bytes);
    job->cells = NULL;
    job->cell_bytes = 0;
}

/* Finds the gates of the areas as they are. */
static cairn_status gateway_find_gates(gateway_job *job)
{
    gateway_free_cells(job);
    job->cell_bytes = crn_mul_size(job->areas.crossings + 1, sizeof *job->cells);
    job->cells = crn_alloc(job->space->context, job->cell_bytes);
    if (!job->cells || job->areas.crossings > UINT32_MAX) return CAIRN_OUT_OF_MEMORY;
    gateway_collect(job);
    gateway_join(job);
    return CAIRN_OK;
}

/* ---- areas ---- */

/* Lets areas of less than so many nodes join a neighbour: first those that together are no more
 * than twice as many, then those that are still too small. */
static void gateway_unite_areas(gateway_job *job, uint32_t small, bool all)
{
    const crn_areas *areas = &job->areas;
    for (size_t i = 0; i < areas->capacity; i++) {
        const crn_border *border = &areas->borders[i];
        if (!border->areas[1]) continue;
        uint32_t a = crn_set_find(job->sets, border->areas[0]),
                 b = crn_set_find(job->sets, border->areas[1]);
        uint64_t sum = (uint64_t)job->sizes[a] + job->sizes[b];
        if (a == b || crn_min_u32(job->sizes[a], job->sizes[b]) >= small) continue;
        if (!all && sum > 2 * (uint64_t)small) continue;
        crn_set_unite(job->sets, a, b);
        job->sizes[crn_min_u32(a, b)] = (uint32_t)sum;
    }
}

static void gateway_merge(gateway_job *job, uint32_t small)
{
    crn_areas *areas = &job->areas;
    uint32_t count = 0;
    memset(job->sizes, 0, areas->count * sizeof *job->sizes);
    for (cairn_node node = 0; node < job->space->node_count; node++)
        if (areas->of[node] != CRN_NO_AREA) job->sizes[areas->of[node]]++;
    for (uint32_t i = 0; i < areas->count; i++) job->sets[i] = i;
    gateway_unite_areas(job, small, false);
    gateway_unite_areas(job, small, true);
    for (uint32_t i = 0; i < areas->count; i++) { /* (the least of a set represents it) */
        uint32_t set = crn_set_find(job->sets, i);
        job->sizes[i] = set == i ? count++ : job->sizes[set];
    }
    for (cairn_node node = 0; node < job->space->node_count; node++)
        if (areas->of[node] != CRN_NO_AREA) areas->of[node] = job->sizes[areas->of[node]];
    areas->count = count;
}

static bool gateway_find_borders(gateway_job *job)
{
    crn_areas_free_borders(&job->areas);
    return crn_areas_find_borders(&job->areas);
}

/* Divides the map at passages of this width, into areas with no more gates than are wanted. */
static cairn_status gateway_try(gateway_job *job, uint32_t width)
{
    uint32_t small = crn_max_u32(2, job->space->node_count / (16 * job->most));
    cairn_status status = CAIRN_OK;
    crn_areas_divide(&job->areas, width);
    if (!gateway_find_borders(job)) return CAIRN_OUT_OF_MEMORY;
    do {
        gateway_merge(job, small);
        small = small > UINT32_MAX / 2 ? UINT32_MAX : 2 * small;
        job->gate_count = UINT32_MAX;
        if (!gateway_find_borders(job)) return CAIRN_OUT_OF_MEMORY;
        if (job->areas.border_count <= job->most) status = gateway_find_gates(job);
    } while (status == CAIRN_OK && job->gate_count > job->most);
    return status;
}

/* ---- the index ---- */

static size_t gateway_costs_bytes(const crn_gateway *gateway)
{
    return crn_mul_size((size_t)gateway->gate_count * gateway->gate_count, sizeof *gateway->costs);
}

static size_t gateway_tables_bytes(const crn_gateway *gateway)
{
    size_t costs = gateway_costs_bytes(gateway), areas = gateway->node_count * sizeof(uint16_t),
           first = (gateway->area_count + 1) * sizeof *gateway->first;
    return costs + first + gateway->door_count * sizeof *gateway->doors + areas;
}

/* Makes room for all tables, in one block. */
static bool gateway_allocate(crn_gateway *gateway, cairn_context *context)
{
    uint8_t *at = gateway->owned = crn_alloc(context, gateway_tables_bytes(gateway));
    if (!at) return false;
    gateway->costs = (const cairn_cost *)(void *)at;
    at += gateway_costs_bytes(gateway);
    gateway->first = (const uint32_t *)(void *)at;
    at += (gateway->area_count + 1) * sizeof *gateway->first;
    gateway->doors = (const crn_gateway_door *)(void *)at;
    at += gateway->door_count * sizeof *gateway->doors;
    gateway->areas = (const uint16_t *)(void *)at;
    return true;
}

/* Counts the doors of each area into `sizes`, or fills in what is left of them there: areas of too
 * many doors have none. Returns how many there are. */
static uint32_t gateway_count_doors(gateway_job *job)
{
    uint32_t doors = 0, gate = CRN_NO_AREA;
    memset(job->sizes, 0, job->areas.count * sizeof *job->sizes);
    for (size_t i = 0; i < job->cell_count; i++) {
        if (job->cells[i].gate == gate) continue;
        gate = job->cells[i].gate;
        for (uint32_t side = 0; side < 2; side++)
            job->sizes[job->areas.borders[job->cells[i].border].areas[side]]++;
    }
    for (uint32_t i = 0; i < job->areas.count; i++) {
        if (job->sizes[i] > CRN_GATEWAY_DOORS) job->sizes[i] = 0;
        doors += job->sizes[i];
    }
    return doors;
}

/* Numbers the areas that have doors from 1 on, into `sets`, and says where their doors begin. All
 * others are area 0. */
static void gateway_number_areas(gateway_job *job, uint32_t *first)
{
    uint32_t count = 1, doors = 0;
    first[0] = 0;
    for (uint32_t i = 0; i < job->areas.count; i++) {
        job->sets[i] = 0;
        if (!job->sizes[i]) continue;
        first[count] = doors;
        doors += job->sizes[i];
        job->sets[i] = count++;
    }
    first[count] = doors;
}

/* Adds a cell to the door of an area; the cells of a gate come one after the other. */
static void gateway_widen(const gateway_job *job, crn_gateway_door *door, const gateway_cell *cell,
                          bool begins)
{
    uint16_t x = (uint16_t)(cell->node % job->areas.columns),
             y = (uint16_t)(cell->node / job->areas.columns);
    if (begins) *door = (crn_gateway_door){x, y, x, y, (uint16_t)cell->gate};
    if (x < door->left) door->left = x;
    if (y < door->top) door->top = y;
    if (x > door->right) door->right = x;
    if (y > door->bottom) door->bottom = y;
}

/* The doors, area by area. `sizes` counts those that are left. */
static void gateway_fill_doors(gateway_job *job, const uint32_t *first, crn_gateway_door *doors)
{
    for (size_t i = 0; i < job->cell_count; i++) {
        const gateway_cell *cell = &job->cells[i];
        bool begins = !i || cell[-1].gate != cell->gate;
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t area = job->areas.borders[cell->border].areas[side], number = job->sets[area];
            if (!number) continue;
            if (begins) job->sizes[area]--;
            gateway_widen(job, &doors[first[number] + job->sizes[area]], cell, begins);
        }
    }
}

static cairn_status gateway_fill_tables(gateway_job *job)
{
    crn_gateway *gateway = job->gateway;
    crn_sort(job->cells, job->cell_count, sizeof *job->cells, gateway_gate_before);
    gateway->gate_count = job->gate_count;
    gateway->door_count = gateway_count_doors(job);
    gateway->area_count = 1;
    for (uint32_t i = 0; i < job->areas.count; i++) gateway->area_count += job->sizes[i] != 0;
    if (!gateway_allocate(gateway, job->space->context)) return CAIRN_OUT_OF_MEMORY;
    uint32_t *first = (uint32_t *)(uintptr_t)gateway->first;
    uint16_t *areas = (uint16_t *)(uintptr_t)gateway->areas;
    job->costs = (cairn_cost *)(uintptr_t)gateway->costs;
    gateway_number_areas(job, first);
    gateway_fill_doors(job, first, (crn_gateway_door *)(uintptr_t)gateway->doors);
    for (cairn_node node = 0; node < gateway->node_count; node++) {
        uint32_t area = job->areas.of[node];
        areas[node] = area == CRN_NO_AREA ? CRN_GATEWAY_NONE : (uint16_t)job->sets[area];
    }
    return CAIRN_OK;
}

/* ---- the table ---- */

/* The least costs from a node, or from all of these cells, to each gate. */
static cairn_status gateway_search(const gateway_job *job, gateway_worker *worker, cairn_node from,
                                   size_t first, size_t last)
{
    cairn_query query = {.from = from, .goal_kind = CAIRN_GOAL_NONE};
    cairn_status status = cairn_search_begin(worker->search, &query);
    for (size_t i = first; i < last && status == CAIRN_RUNNING; i++)
        crn_best_first_begin_too(worker->search, &job->cells[i].node, 1);
    if (status == CAIRN_RUNNING) status = cairn_search_step(worker->search, UINT64_MAX);
    worker->work += cairn_search_metrics(worker->search).work;
    /* Nodes that cost more than 32 bits hold are not reached. */
    if (status != CAIRN_FOUND && status != CAIRN_COST_OVERFLOW) return status;
    memset(worker->least, 0xff, job->gate_count * sizeof *worker->least);
    for (size_t i = 0; i < job->cell_count; i++) {
        cairn_cost cost = crn_best_first_cost_to(worker->search, job->cells[i].node),
                   *least = &worker->least[job->cells[i].gate];
        if (cost < *least) *least = cost;
    }
    return CAIRN_OK;
}

/* The row of a gate. */
static cairn_status gateway_fill_row(const gateway_job *job, gateway_worker *worker, uint32_t gate)
{
    const uint32_t count = job->gate_count;
    size_t first = 0, last;
    while (job->cells[first].gate != gate) first++;
    for (last = first; last < job->cell_count && job->cells[last].gate == gate;) last++;
    cairn_status status = gateway_search(job, worker, job->cells[first].node, first + 1, last);
    for (uint32_t to = 0; to < count; to++)
        job->costs[(size_t)to * count + gate] = worker->least[to];
    return status;
}

static void gateway_task(void *user, uint32_t number)
{
    const gateway_job *job = user;
    gateway_worker *worker = &job->workers[number];
    for (uint32_t i = 0; i < GATEWAY_SLICE && worker->status == CAIRN_OK; i++) {
        uint32_t gate = job->done + i * job->worker_count + number;
        if (gate < job->gate_count) worker->status = gateway_fill_row(job, worker, gate);
    }
}

static cairn_status gateway_run(gateway_job *job)
{
    cairn_status status = CAIRN_OK;
    for (; job->done < job->gate_count && status == CAIRN_OK;
         job->done += job->worker_count * GATEWAY_SLICE) {
        uint64_t part = (uint64_t)(GATEWAY_ALL - GATEWAY_DIVIDING) * job->done / job->gate_count;
        if (!gateway_report(job, GATEWAY_DIVIDING + (uint32_t)part)) return CAIRN_CANCELLED;
        cairn_parallel_for(job->space->context, job->worker_count, gateway_task, job);
        for (uint32_t i = 0; i < job->worker_count && status == CAIRN_OK; i++)
            status = job->workers[i].status;
    }
    if (status != CAIRN_OK) return status;
    return gateway_report(job, GATEWAY_ALL) ? CAIRN_OK : CAIRN_CANCELLED;
}

/* ---- choosing a width ---- */

/* The sum of the estimates of some nodes for a goal, if what is left from each gate were exact. */
static cairn_status gateway_judge_goal(gateway_job *job, cairn_node goal, uint64_t *sum)
{
    const crn_gateway *gateway = job->gateway;
    const cairn_space *space = job->space;
    const uint32_t step = space->node_count / GATEWAY_SAMPLES + 1;
    cairn_status status = gateway_search(job, job->workers, goal, 0, 0);
    if (status != CAIRN_OK) return status;
    crn_heuristic plug = crn_gateway_heuristic(gateway);
    crn_estimate estimate = {.room = job->workers->least + job->most};
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, goal);
    crn_aim aim = {.space = space,
                   .metric = space->default_heuristic,
                   .nodes = &goal,
                   .count = 1,
                   .box = &box};
    crn_estimate_bind(&estimate, &plug, &aim);
    for (uint32_t i = 0; i < gateway->door_count; i++)
        estimate.room[i] = crn_min_u32(job->workers->least[gateway->doors[i].gate], CAIRN_COST_MAX);
    for (cairn_node node = 0; node < space->node_count; node += step) {
        if (crn_best_first_cost_to(job->workers->search, node) == CAIRN_NO_COST) continue;
        *sum += crn_estimate_node(&estimate, node);
    }
    return CAIRN_OK;
}

/* How good the estimates are, for some random goals. */
static cairn_status gateway_judge(gateway_job *job, uint64_t *sum)
{
    crn_rng rng = {1};
    cairn_status status = CAIRN_OK;
    *sum = 0;
    for (uint32_t i = 0, goals = 0; i < 8 * GATEWAY_GOALS && goals < GATEWAY_GOALS; i++) {
        cairn_node goal = crn_rng_below(&rng, job->space->node_count);
        if (job->areas.of[goal] == CRN_NO_AREA || status != CAIRN_OK) continue;
        status = gateway_judge_goal(job, goal, sum);
        goals++;
    }
    return status;
}

/* Areas and gates by passages of this width, without costs. */
static cairn_status gateway_divide(gateway_job *job, uint32_t width)
{
    crn_gateway_drop(job->gateway, job->space->context);
    job->gateway->node_count = job->space->node_count;
    job->work += job->space->node_count;
    cairn_status status = gateway_try(job, width);
    return status == CAIRN_OK ? gateway_fill_tables(job) : status;
}

/* The same, and if no width is given, by the one that serves best. */
static cairn_status gateway_choose(gateway_job *job, uint32_t width)
{
    static const uint32_t widths[] = {1, 2, 4, 8, 16, 32};
    uint32_t best = width ? width : 1;
    uint64_t most = 0, sum = 0;
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; !width && i < CRN_COUNT(widths) && status == CAIRN_OK; i++) {
        if (!gateway_report(job, GATEWAY_DIVIDING * i / CRN_COUNT(widths))) return CAIRN_CANCELLED;
        status = gateway_divide(job, widths[i]);
        if (status == CAIRN_OK) status = gateway_judge(job, &sum);
        if (sum > most) most = sum, best = widths[i];
    }
    return status == CAIRN_OK ? gateway_divide(job, best) : status;
}

/* ---- building ---- */

static cairn_status gateway_open_workers(gateway_job *job, size_t row)
{
    cairn_context *context = job->space->context;
    job->workers = crn_alloc_zero(context, job->worker_count * sizeof *job->workers);
    if (!job->workers) return CAIRN_OUT_OF_MEMORY;
    cairn_status status = cairn_planner_create(job->space, "dijkstra", &job->planner, NULL);
    for (uint32_t i = 0; i < job->worker_count && status == CAIRN_OK; i++) {
        status = cairn_search_create(job->planner, NULL, &job->workers[i].search);
        job->workers[i].least = crn_alloc(context, row);
        if (!job->workers[i].least) status = CAIRN_OUT_OF_MEMORY;
    }
    return status;
}

static void gateway_close_workers(gateway_job *job, size_t row)
{
    cairn_context *context = job->space->context;
    for (uint32_t i = 0; job->workers && i < job->worker_count; i++) {
        job->work += job->workers[i].work;
        cairn_search_destroy(job->workers[i].search);
        crn_free(context, job->workers[i].least, row);
    }
    crn_free(context, job->workers, job->worker_count * sizeof *job->workers);
    cairn_planner_destroy(job->planner);
}

/* All arrays of the job in one block, this many numbers for each node. */
enum { GATEWAY_ARRAYS = 5 };

static cairn_status gateway_fill(gateway_job *job, uint32_t *memory, uint32_t width)
{
    size_t count = (size_t)job->space->node_count + 1,
           row = crn_mul_size(job->most, 3 * sizeof(cairn_cost)); /* and the room of an estimate */
    uint32_t **arrays[] = {&job->areas.of, &job->areas.kinds, &job->areas.queue, &job->sets,
                           &job->sizes};
    for (uint32_t i = 0; i < GATEWAY_ARRAYS; i++) *arrays[i] = memory + i * count;
    job->worker_count = crn_parallel_tasks(job->space->context);
    cairn_status status = gateway_open_workers(job, row);
    if (status == CAIRN_OK) status = gateway_choose(job, width);
    if (status == CAIRN_OK) status = gateway_run(job);
    gateway_close_workers(job, row);
    return status;
}

cairn_status crn_gateway_build(crn_gateway *gateway, cairn_space *space, crn_gateway_plan plan,
                               const cairn_progress *progress, cairn_error *error)
{
    gateway_job job = {.gateway = gateway,
                       .space = space,
                       .areas = crn_areas_of(space),
                       .progress = progress,
                       .most = plan.gates};
    uint64_t usual = crn_square_root(4 * (uint64_t)space->node_count);
    if (!plan.gates) job.most = usual < CRN_GATEWAY_USUAL ? (uint32_t)usual : CRN_GATEWAY_USUAL;
    size_t block = crn_mul_size((size_t)space->node_count + 1, GATEWAY_ARRAYS * sizeof(uint32_t));
    uint32_t *memory = crn_alloc(space->context, block);
    *gateway = (crn_gateway){.node_count = space->node_count};
    cairn_status status = memory ? gateway_fill(&job, memory, plan.width) : CAIRN_OUT_OF_MEMORY;
    crn_areas_free_borders(&job.areas);
    gateway_free_cells(&job);
    crn_free(space->context, memory, block);
    gateway->work = job.work;
    if (status == CAIRN_OK) return status;
    crn_gateway_drop(gateway, space->context);
    return crn_fail(error, status, 0, "%s",
                    status == CAIRN_CANCELLED ? "the build was cancelled"
                                              : "no memory for the gates");
}

void crn_gateway_drop(crn_gateway *gateway, cairn_context *context)
{
    if (gateway->owned) crn_free(context, gateway->owned, gateway_tables_bytes(gateway));
    *gateway = (crn_gateway){0};
}

size_t crn_gateway_bytes(const crn_gateway *gateway)
{
    return offsetof(crn_gateway, work) + gateway_tables_bytes(gateway);
}

/* ---- saving and loading ---- */

cairn_status crn_gateway_save(const crn_gateway *gateway, cairn_store *store, cairn_error *error)
{
    const struct {
        const char *name;
        cairn_bytes bytes;
        uint32_t element;
    } sections[] = {
        {GATEWAY_AREAS, {gateway->areas, gateway->node_count * sizeof *gateway->areas}, 2},
        {GATEWAY_FIRST, {gateway->first, (gateway->area_count + 1) * sizeof *gateway->first}, 4},
        {GATEWAY_DOORS, {gateway->doors, gateway->door_count * sizeof *gateway->doors}, 2},
        {GATEWAY_COSTS, {gateway->costs, gateway_costs_bytes(gateway)}, 4}};
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < CRN_COUNT(sections) && status == CAIRN_OK; i++)
        status =
            cairn_store_add(store, sections[i].name, sections[i].bytes, sections[i].element, true);
    return status == CAIRN_OK ? status
                              : crn_fail(error, status, 0, "the gates cannot be added to the file");
}

/* Are the lists of doors in order, and inside of the map? */
static bool gateway_doors_make_sense(const crn_gateway *gateway, const cairn_grid *grid)
{
    const uint32_t *first = gateway->first;
    if (first[0] || first[gateway->area_count] != gateway->door_count) return false;
    for (uint32_t i = 0; i < gateway->area_count; i++)
        if (first[i] > first[i + 1] || first[i + 1] - first[i] > CRN_GATEWAY_DOORS) return false;
    for (uint32_t i = 0; i < gateway->door_count; i++) {
        const crn_gateway_door *door = &gateway->doors[i];
        if (door->left > door->right || door->right >= grid->width || door->top > door->bottom ||
            door->bottom >= grid->height || door->gate >= gateway->gate_count)
            return false;
    }
    return true;
}

static bool gateway_makes_sense(const crn_gateway *gateway, const cairn_space *space)
{
    if (!gateway_doors_make_sense(gateway, cairn_space_grid(space))) return false;
    for (cairn_node node = 0; node < space->node_count; node++) {
        bool stands = space->functions->usable(space, node);
        uint32_t area = gateway->areas[node];
        if (stands ? area >= gateway->area_count : area != CRN_GATEWAY_NONE) return false;
    }
    return true;
}

/* Copies tables of a file, which lie anywhere, into a block. */
static cairn_status gateway_copy(crn_gateway *gateway, cairn_context *context)
{
    const crn_gateway from = *gateway;
    if (!gateway_allocate(gateway, context)) {
        *gateway = (crn_gateway){0};
        return CAIRN_OUT_OF_MEMORY;
    }
    uint8_t *at = gateway->owned;
    const size_t costs = gateway_costs_bytes(&from),
                 first = (from.area_count + 1) * sizeof *from.first,
                 doors = from.door_count * sizeof *from.doors;
    memcpy(at, from.costs, costs);
    memcpy(at + costs, from.first, first);
    memcpy(at + costs + first, from.doors, doors);
    memcpy(at + costs + first + doors, from.areas, from.node_count * sizeof *from.areas);
    return CAIRN_OK;
}

cairn_status crn_gateway_load(crn_gateway *gateway, const cairn_space *space,
                              const cairn_archive *archive, bool borrow, cairn_error *error)
{
    size_t areas = 0, first = 0, doors = 0, costs = 0;
    crn_gateway loaded = {.areas = cairn_archive_section(archive, GATEWAY_AREAS, 2, &areas),
                          .first = cairn_archive_section(archive, GATEWAY_FIRST, 4, &first),
                          .doors = cairn_archive_section(archive, GATEWAY_DOORS, 2, &doors),
                          .costs = cairn_archive_section(archive, GATEWAY_COSTS, 4, &costs),
                          .node_count = space->node_count};
    loaded.gate_count = (uint32_t)crn_square_root(costs / sizeof *loaded.costs);
    loaded.door_count = (uint32_t)(doors / sizeof *loaded.doors);
    loaded.area_count = first ? (uint32_t)(first / sizeof *loaded.first) - 1 : 0;
    bool fits = loaded.areas && loaded.first && loaded.doors && loaded.costs && loaded.area_count &&
                loaded.area_count < CRN_GATEWAY_NONE && loaded.gate_count <= CRN_GATEWAY_MOST &&
                costs == gateway_costs_bytes(&loaded) &&
                first == (loaded.area_count + 1) * sizeof *loaded.first &&
                doors == loaded.door_count * sizeof *loaded.doors &&
                loaded.door_count <= 2 * CRN_GATEWAY_MOST &&
                areas == crn_mul_size(space->node_count, sizeof *loaded.areas);
    if (!fits || !gateway_makes_sense(&loaded, space))
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the gates are missing or make no sense");
    *gateway = loaded;
    if (borrow || gateway_copy(gateway, space->context) == CAIRN_OK) return CAIRN_OK;
    return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the gates");
}
