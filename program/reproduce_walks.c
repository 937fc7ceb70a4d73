/* reproduce_walks.c: agents that walk on the same problems, move by move (see reproduce.h).
 *
 * The algorithms are measured one after the other, and only one of them has memory at a time: on
 * maps of thirty million cells each may need hundreds of megabytes. What is done of a map is kept
 * in the journal after each of them.
 *
 * An agent is asked for its moves until it is there. Navigators are asked as such, and agents of
 * an index that has such (cairn_agent). Of other planners the path is asked for in pieces of one
 * step; or as a whole; or move by move without any memory (cairn_planner_next). A walk is timed as
 * a whole, and its time over the number of moves is the time of a move; if it is short, it is
 * walked once before, and the median of three walks counts. For the longest move every fifth
 * problem is walked twice more, with a look at the clock before and after each move; of the two
 * times of a move, which is the same in both, the smaller one counts, so that no interrupt is
 * taken for one.
 *
 * Problems are L's: random, and the best path costs 1000 to 3000 straight steps on maps that are
 * 4096 cells wide or high, as many fewer as the map is smaller.
 */
#include "reproduce.h"

#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WALKS_SIDE = 4096,
    WALKS_LEAST = 1000,
    WALKS_MOST = 3000,
    WALKS_TRIES = 100000,
    WALKS_RUNS = 3,
    WALKS_WATCHED = 5,     /* every so many problems: the longest move */
    WALKS_TURNS = 10000000 /* more: it is given up, and has failed */
};
#define WALKS_LONG_US 5000
#define WALKS_LEAST_US 0.001

typedef struct walks_problem {
    cairn_node from, to;
    cairn_cost best;
} walks_problem;

typedef struct walks_agent {
    reproduce_job *job;
    reproduce_asked asked;
    const char *spec;
    cairn_planner *planner;
    cairn_search *search;       /* one of these two, ... */
    cairn_navigator *navigator; /* ... */
    bool walks;                 /* ... or an agent, ... */
    cairn_agent agent;          /* ... or none of them: single moves */
    double asking;
    const walks_problem *problems;
    uint32_t problem_count;

    /* the walk */
    cairn_node at, to;
    cairn_cell here;
    cairn_scale scale;
    uint64_t cost, turns, edges;
    cairn_status status; /* CAIRN_RUNNING, CAIRN_FOUND, or why it is over */
    double *times;       /* of its moves */
    size_t time_capacity;

    /* the build, by thirds of its progress */
    double begun, thirds[3];
    uint32_t third;
    double done, share; /* of the part, before this series and in each of its halves */
} walks_agent;

/* ---- problems ---- */

/* Costs in units between which those of problems lie. */
static void walks_range(const reproduce_job *job, cairn_cost *least, cairn_cost *most)
{
    uint32_t width = cairn_grid_width(job->grid), height = cairn_grid_height(job->grid);
    uint64_t side = width < height ? width : height;
    if (side > WALKS_SIDE) side = WALKS_SIDE;
    uint64_t unit = side * cairn_space_scale(job->space).straight;
    *least = (cairn_cost)(WALKS_LEAST * unit / WALKS_SIDE);
    *most = (cairn_cost)(WALKS_MOST * unit / WALKS_SIDE);
}

/* Is a path so cheap ruled out by the distance? */
static bool walks_is_far(const reproduce_job *job, const walks_problem *p, cairn_cost most)
{
    cairn_cell a = cairn_grid_cell(job->grid, p->from), b = cairn_grid_cell(job->grid, p->to);
    uint64_t x = (uint64_t)llabs((long long)a.x - b.x), y = (uint64_t)llabs((long long)a.y - b.y);
    return (x > y ? x : y) * cairn_space_scale(job->space).straight > most;
}

static bool walks_choose(const reproduce_job *job, cairn_search *exact, uint32_t number,
                         walks_problem *out)
{
    uint64_t state = (uint64_t)job->part->number << 32 | number;
    uint64_t nodes = cairn_space_node_count(job->space);
    cairn_cost least, most;
    walks_range(job, &least, &most);
    for (uint32_t i = 0; i < WALKS_TRIES; i++) {
        const cairn_path *path;
        out->from = (cairn_node)(((reproduce_random(&state) >> 32) * nodes) >> 32);
        if (!cairn_space_usable(job->space, out->from)) continue;
        if (cairn_random_reachable(job->space, out->from, &state, &out->to)) continue;
        if (walks_is_far(job, out, most)) continue;
        cairn_query query = {.from = out->from, .to = out->to, .max_cost = most};
        if (cairn_search_find(exact, &query, &path) != CAIRN_FOUND || path->cost < least) continue;
        out->best = path->cost;
        return true;
    }
    complain("%s: there are too few problems of the right length", job->part->map);
    return false;
}

/* Which ones there are; the cheapest cost of each by a fast search. */
static bool walks_make_problems(reproduce_job *job, walks_problem *out, uint32_t *count)
{
    const char *spec = cairn_algorithm_find("jps", 3) ? "jps" : "astar";
    cairn_planner *planner = NULL;
    cairn_search *search = NULL;
    cairn_error error = {0};
    error.status = cairn_planner_create(job->space, spec, &planner, &error);
    if (!error.status) error.status = cairn_search_create(planner, NULL, &search);
    if (error.status) world_complain(job->part->map, &error);
    bool ok = !error.status;
    *count = 0;
    for (uint32_t i = 0; ok && i < job->part->set->problems; i += job->run->options->every)
        ok = !reproduce_ending() && walks_choose(job, search, i + 1, &out[(*count)++]);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    return ok;
}

/* ---- making ready ---- */

static bool walks_complain(const walks_agent *a, cairn_status status, const cairn_error *error)
{
    if (status != CAIRN_CANCELLED)
        complain("%s on %s: %s", a->spec, a->job->part->map,
                 error->text[0] ? error->text : cairn_status_text(status));
    return false;
}

static void walks_release(walks_agent *a)
{
    cairn_search_destroy(a->search);
    cairn_navigator_destroy(a->navigator);
    a->search = NULL;
    a->navigator = NULL;
    a->walks = false;
}

static bool walks_report(void *user, uint64_t done, uint64_t total)
{
    walks_agent *a = user;
    double part = total ? (double)done / (double)total : 0, now = reproduce_clock();
    while (a->third < 2 && part * 3 >= a->third + 1) a->thirds[a->third++] = now;
    reproduce_advance(a->job, a->done + a->share * part);
    return !reproduce_ending();
}

/* What a section of a saved index is for (L 7.1). */
static reproduce_metric walks_share(const char *section)
{
    if (!strcmp(section, "index.runs")) return METRIC_CELLS_SHARE;
    return !strcmp(section, "index.entries") ? METRIC_TABLE_SHARE : METRIC_RECORDS_SHARE;
}

typedef struct walks_bytes {
    unsigned char *data;
    size_t size, capacity;
} walks_bytes;

static cairn_status walks_write(void *user, const void *bytes, size_t size)
{
    walks_bytes *out = user;
    if (size > out->capacity - out->size) {
        size_t capacity = 2 * out->capacity + size;
        unsigned char *data = realloc(out->data, capacity);
        if (!data) return CAIRN_OUT_OF_MEMORY;
        out->data = data;
        out->capacity = capacity;
    }
    memcpy(out->data + out->size, bytes, size);
    out->size += size;
    return CAIRN_OK;
}

static void walks_count_shares(const cairn_archive *archive, statistic *cells)
{
    uint64_t sizes[METRIC_COUNT] = {0}, sum = 0;
    size_t size = 0;
    const char *name;
    for (uint32_t i = 0; (name = cairn_archive_section_name(archive, i, &size)); i++) {
        if (strncmp(name, "index.", 6) != 0) continue;
        sizes[walks_share(name)] += size;
        sum += size;
    }
    for (uint32_t m = METRIC_RECORDS_SHARE; sum && m <= METRIC_TABLE_SHARE; m++)
        statistic_add(&cells[m], 100.0 * (double)sizes[m] / (double)sum);
}

/* The shares of an index, as its file has them. Not all of them can be saved. */
static void walks_shares(const walks_agent *a, statistic *cells)
{
    cairn_store *store = NULL;
    cairn_archive *archive = NULL;
    walks_bytes bytes = {0};
    cairn_writer writer = {walks_write, &bytes};
    cairn_error error = {0};
    if (!cairn_store_create(a->job->context, &store) &&
        !cairn_planner_save(a->planner, store, &error) && !cairn_store_write(store, &writer) &&
        !cairn_archive_open(a->job->context, (cairn_bytes){bytes.data, bytes.size}, 0, &archive,
                            &error))
        walks_count_shares(archive, cells);
    cairn_archive_close(archive);
    cairn_store_destroy(store);
    free(bytes.data);
}

static bool walks_build(walks_agent *a, statistic *cells)
{
    cairn_error error = {0};
    cairn_progress progress = {walks_report, a};
    if (cairn_planner_state(a->planner) == CAIRN_OK) return true; /* nothing to build */
    a->third = 0;
    a->begun = reproduce_clock();
    cairn_status status = cairn_planner_build(a->planner, &progress, &error);
    double end = reproduce_clock();
    if (status) return walks_complain(a, status, &error);
    while (a->third < 3) a->thirds[a->third++] = end;
    statistic_add(&cells[METRIC_BUILD_MS], (end - a->begun) / 1e3);
    for (uint32_t i = 0; i < 3; i++)
        statistic_add(&cells[METRIC_STAGE_1_MS + i],
                      (a->thirds[i] - (i ? a->thirds[i - 1] : a->begun)) / 1e3);
    statistic_add(&cells[METRIC_INDEX_BYTES], (double)cairn_planner_index_bytes(a->planner));
    walks_shares(a, cells);
    return true;
}

/* What series of the same index have in common. */
static void walks_copy(statistic *cells, const statistic *from)
{
    static const reproduce_metric metrics[] = {
        METRIC_BUILD_MS,    METRIC_STAGE_1_MS,    METRIC_STAGE_2_MS,  METRIC_STAGE_3_MS,
        METRIC_INDEX_BYTES, METRIC_RECORDS_SHARE, METRIC_CELLS_SHARE, METRIC_TABLE_SHARE};
    for (uint32_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        cells[metrics[i]] = from[metrics[i]];
}

static bool walks_enter(walks_agent *a, uint32_t series)
{
    const reproduce_job *job = a->job;
    a->asked = job->part->table->walks[series];
    const cairn_algorithm *algorithm = cairn_planner_algorithm(a->planner);
    cairn_status status = CAIRN_OK;
    a->walks = a->asked == ASK_BY_KIND && algorithm->flags & CAIRN_NEXT_MOVE &&
               cairn_planner_walk(a->planner, a->problems->from, a->problems->to, &a->agent) !=
                   CAIRN_UNSUPPORTED;
    if (a->walks || a->asked == ASK_MOVES) return true;
    if (a->asked == ASK_BY_KIND && algorithm->kind == CAIRN_KIND_NAVIGATOR)
        status = cairn_navigator_create(a->planner, NULL, &a->navigator);
    else
        status = cairn_search_create(a->planner, NULL, &a->search);
    return !status || walks_complain(a, status, &(cairn_error){0});
}

/* ---- a walk ---- */

static void walks_take(walks_agent *a, const cairn_path *path)
{
    a->status = path->status;
    if (path->status != CAIRN_FOUND) return;
    a->cost += path->cost;
    a->edges += cairn_path_step_count(a->job->space, path) - 1; /* which counts the start */
    if (path->partial) a->status = CAIRN_RUNNING;
}

static void walks_take_move(walks_agent *a, cairn_status status, const cairn_move *move)
{
    a->cost += move->cost;
    a->edges += move->kind == CAIRN_MOVE_STEP;
    if (move->arrived)
        a->status = CAIRN_FOUND;
    else if (status != CAIRN_OK && status != CAIRN_RUNNING)
        a->status = status;
}

static void walks_take_node(walks_agent *a, cairn_status status, cairn_node next)
{
    if (status != CAIRN_FOUND) {
        a->status = status;
        return;
    }
    cairn_cell there = cairn_grid_cell(a->job->grid, next);
    bool diagonal = a->here.x != there.x && a->here.y != there.y;
    a->cost += diagonal ? a->scale.diagonal : a->scale.straight;
    a->here = there;
    a->edges++;
    a->at = next;
    if (next == a->to) a->status = CAIRN_FOUND;
}

static void walks_begin(walks_agent *a, const walks_problem *p)
{
    a->at = p->from;
    a->to = p->to;
    a->here = cairn_grid_cell(a->job->grid, p->from);
    a->cost = a->turns = a->edges = 0;
    a->status = CAIRN_RUNNING;
    cairn_status status = CAIRN_OK;
    if (a->navigator) status = cairn_navigator_start(a->navigator, p->from, p->to);
    if (a->walks) status = cairn_planner_walk(a->planner, p->from, p->to, &a->agent);
    if (status != CAIRN_OK && status != CAIRN_FOUND) a->status = status;
}

/* Asks for one move. */
static void walks_turn(walks_agent *a)
{
    const cairn_path *path;
    if (a->navigator) {
        cairn_move move;
        cairn_status status = cairn_navigator_next(a->navigator, &move);
        walks_take_move(a, status, &move);
    } else if (a->search && a->turns) {
        cairn_search_find_next(a->search, &path);
        walks_take(a, path);
    } else if (a->search) {
        cairn_query query = {.from = a->at, .to = a->to, .piece = a->asked != ASK_WHOLE};
        cairn_search_find(a->search, &query, &path);
        walks_take(a, path);
    } else if (a->walks) {
        cairn_status status = cairn_planner_move(a->planner, &a->agent);
        walks_take_node(a, status, a->agent.at);
    } else {
        cairn_node next;
        cairn_status status = cairn_planner_next(a->planner, a->at, a->to, &next);
        walks_take_node(a, status, next);
    }
    a->turns++;
}

static bool walks_goes_on(const walks_agent *a)
{
    return a->status == CAIRN_RUNNING && a->turns < WALKS_TURNS;
}

/* A whole walk; returns its time. */
static double walks_walk(walks_agent *a, const walks_problem *p)
{
    double begin = reproduce_clock();
    walks_begin(a, p);
    while (walks_goes_on(a)) walks_turn(a);
    return fmax(reproduce_clock() - begin - a->asking, WALKS_LEAST_US);
}

static double walks_time(walks_agent *a, const walks_problem *p)
{
    double times[WALKS_RUNS] = {walks_walk(a, p)};
    if (times[0] >= WALKS_LONG_US) return times[0];
    for (uint32_t i = 0; i < WALKS_RUNS; i++) times[i] = walks_walk(a, p);
    return statistic_median(times, WALKS_RUNS);
}

static bool walks_room(walks_agent *a)
{
    if (a->turns < a->time_capacity) return true;
    size_t capacity = a->time_capacity ? 2 * a->time_capacity : 65536;
    double *times = realloc(a->times, capacity * sizeof *times);
    if (!times) return complain("there is not enough memory for the times of a walk"), false;
    a->times = times;
    a->time_capacity = capacity;
    return true;
}

/* A walk with a look at the clock at each move. */
static bool walks_watch(walks_agent *a, const walks_problem *p, bool again)
{
    walks_begin(a, p);
    while (walks_goes_on(a)) {
        uint64_t turn = a->turns;
        if (!walks_room(a)) return false;
        double begin = reproduce_clock();
        walks_turn(a);
        double time = fmax(reproduce_clock() - begin - a->asking, WALKS_LEAST_US);
        a->times[turn] = again ? fmin(a->times[turn], time) : time;
    }
    return true;
}

static bool walks_worst(walks_agent *a, const walks_problem *p, double *most)
{
    if (!walks_watch(a, p, false) || !walks_watch(a, p, true)) return false;
    *most = 0;
    for (uint64_t i = 0; i < a->turns; i++) *most = fmax(*most, a->times[i]);
    return true;
}

/* ---- what it came to ---- */

static void walks_count_memory(const walks_agent *a, statistic *cells)
{
    /* where it is and where it goes, and a cursor */
    double nodes = 0, bytes = 0, agent = a->walks ? sizeof a->agent : 2 * sizeof(cairn_node);
    if (a->search) {
        cairn_metrics metrics = cairn_search_metrics(a->search);
        nodes = (double)metrics.expanded;
        agent = bytes = (double)metrics.peak_bytes;
    } else if (a->navigator) {
        cairn_walk_sums sums = cairn_navigator_sums(a->navigator);
        nodes = (double)sums.expanded;
        bytes = (double)sums.peak_bytes;
        agent = (double)sums.bytes;
    }
    statistic_add(&cells[METRIC_EXPANDED], nodes);
    statistic_add(&cells[METRIC_MEMORY], bytes);
    statistic_add(&cells[METRIC_AGENT_BYTES], agent);
}

static void walks_count(const walks_agent *a, const walks_problem *p, double time_us,
                        statistic *cells)
{
    statistic_add(&cells[METRIC_FAILED], a->status != CAIRN_FOUND);
    if (a->status != CAIRN_FOUND) return;
    cairn_cost unit = cairn_space_scale(a->job->space).straight;
    statistic_add(&cells[METRIC_COST], (double)a->cost / unit);
    statistic_add(&cells[METRIC_CELLS], (double)a->edges + 1);
    statistic_add(&cells[METRIC_TURNS], (double)a->turns);
    double longer = 100 * ((double)a->cost / p->best - 1);
    statistic_add(&cells[METRIC_LONGER], longer);
    statistic_add(&cells[METRIC_WITHIN_5], longer <= 5);
    statistic_add(&cells[METRIC_TIME], time_us);
    statistic_add(&cells[METRIC_MOVE_TIME], time_us / (double)a->turns);
    walks_count_memory(a, cells);
    if (cells == a->job->part->record.cells[0])
        statistic_add(&cells[METRIC_DIFFICULTY],
                      (double)cairn_search_metrics(a->search).expanded / (double)a->edges);
}

/* Is its goal the first subgoal of an agent with an index? Then it walks there alone. */
static void walks_look_ahead(walks_agent *a, const walks_problem *p, statistic *cells)
{
    cairn_node first;
    if (!a->navigator || !cairn_planner_index_bytes(a->planner)) return;
    walks_begin(a, p);
    while (walks_goes_on(a) && !a->edges) walks_turn(a);
    bool alone = cairn_navigator_subgoals(a->navigator, &first, 1) == 1 && first == p->to;
    statistic_add(&cells[METRIC_ALONE], alone ? 100 : 0);
}

/* All problems with one series. */
static bool walks_all(walks_agent *a, statistic *cells)
{
    for (uint32_t i = 0; i < a->problem_count; i++) {
        const walks_problem *p = &a->problems[i];
        double worst = 0, time_us = walks_time(a, p);
        if (reproduce_ending()) return false;
        walks_count(a, p, time_us, cells);
        if (i % WALKS_WATCHED == 0 && a->status == CAIRN_FOUND) {
            if (a->asked == ASK_WHOLE)
                worst = time_us;
            else if (!walks_worst(a, p, &worst))
                return false;
            statistic_add(&cells[METRIC_WORST_MOVE], worst);
        }
        walks_look_ahead(a, p, cells);
        reproduce_advance(a->job, a->done + a->share * (1 + (i + 1.0) / a->problem_count));
    }
    return true;
}

/* ---- all of it ---- */

/* Is a series to be measured on this map, and not yet? */
static bool walks_is_due(const reproduce_job *job, uint32_t series)
{
    const reproduce_part *part = job->part;
    const reproduce_table *table = part->table;
    bool here = !table->series_sets || table->series_sets[series] >> (part->set - table->sets) & 1;
    uint32_t maps = table->series_maps ? table->series_maps[series] : 0;
    return job->series[series].spec && here && (!maps || part->number <= maps) &&
           !part->record.cells[series][METRIC_FAILED].count;
}

static void walks_place(walks_agent *a, uint32_t number, uint32_t count)
{
    a->done = (double)number / count;
    a->share = 0.5 / count;
}

/* A series, and others that have the same index. */
static bool walks_series(walks_agent *a, uint32_t first)
{
    reproduce_job *job = a->job;
    cairn_error error = {0};
    a->spec = job->series[first].spec;
    cairn_status status = cairn_planner_create(job->space, a->spec, &a->planner, &error);
    bool ok = !status || walks_complain(a, status, &error);
    uint32_t built = first;
    for (uint32_t i = first; ok && i < job->series_count; i++) {
        statistic *cells = job->part->record.cells[i];
        if (!walks_is_due(job, i) || strcmp(job->series[i].spec, a->spec)) continue;
        walks_place(a, i, job->series_count);
        ok = walks_build(a, cells) && walks_enter(a, i) && walks_all(a, cells);
        if (ok && i > built) walks_copy(cells, job->part->record.cells[built]);
        walks_release(a);
        /* What is not whole must not be kept. */
        ok = ok && journal_keep(job->run, job->part, job->fingerprint);
    }
    cairn_planner_destroy(a->planner);
    a->planner = NULL;
    return ok;
}

bool reproduce_walk(reproduce_job *job)
{
    walks_agent a = {
        .job = job, .scale = cairn_space_scale(job->space), .asking = reproduce_asking()};
    walks_problem *problems = calloc(job->part->set->problems + 1u, sizeof *problems);
    if (!problems) return complain("there is not enough memory for the problems"), false;
    bool ok = journal_recall(job->run, job->part, job->fingerprint) &&
              walks_make_problems(job, problems, &a.problem_count);
    a.problems = problems;
    for (uint32_t i = 0; ok && i < job->series_count; i++)
        if (walks_is_due(job, i)) ok = walks_series(&a, i);
    free(a.times);
    free(problems);
    return ok;
}
