/* measure.c: many queries of one planner (see measure.h).
 *
 * Each thread has its own search and takes the next few problems from a shared counter. An answer
 * is stored by the number of its problem, so that it does not matter which thread found it. The
 * clock runs from entering cairn_search_find until it returns, when the turning points are in the
 * result.
 */
#include "measure.h"

#include "interrupt.h"
#include "progress.h"
#include "text.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MEASURE_CHUNK = 4, MEASURE_REPEATS = 1000, MEASURE_WARM = 16, MEASURE_PIECE = 16 };

typedef struct measure_job {
    const world *world;
    cairn_planner *planner;
    const problem_set *set;
    measure_options options;
    answer *answers;
    progress progress;
    _Atomic uint32_t next;
} measure_job;

/* ---- one answer ---- */

static cairn_query measure_query(const problem *p)
{
    return (cairn_query){.from = p->from, .to = p->to};
}

/* Steps between two hexagons, odd rows half a cell to the right: rows, and the columns that the
 * rows do not cover. */
static double measure_hex(cairn_cell a, cairn_cell b)
{
    int64_t dy = b.y - a.y, dx = (b.x - b.y / 2) - (a.x - a.y / 2);
    int64_t most = dx < 0 ? -dx : dx, rows = dy < 0 ? -dy : dy,
            both = dx + dy < 0 ? -dx - dy : dx + dy;
    if (rows > most) most = rows;
    return (double)(both > most ? both : most);
}

static double measure_squares(cairn_cell a, cairn_cell b)
{
    double dx = fabs((double)b.x - a.x), dy = fabs((double)b.y - a.y);
    return fmax(dx, dy) - fmin(dx, dy) + fmin(dx, dy) * sqrt(2.0);
}

/* A link counts as its cost in straight steps, which is a whole number of units. */
static double measure_link(const world *w, cairn_node from, cairn_node to, uint32_t id)
{
    const cairn_profile *profile = cairn_space_profile(w->space);
    double straight = cairn_space_scale(w->space).straight, least = HUGE_VAL;
    for (uint32_t i = 0; i < cairn_grid_link_count(w->grid); i++) {
        cairn_link link = cairn_grid_link_at(w->grid, i);
        if (link.from > from) break;
        if (link.from != from || link.to != to || link.id != id ||
            !(profile->links >> link.kind & 1))
            continue;
        least = fmin(least, fmax(floor(straight * link.cost / 256), 1));
    }
    return least / straight;
}

double measure_crow(const world *w, cairn_node from, cairn_node to)
{
    cairn_cell a = cairn_grid_cell(w->grid, from), b = cairn_grid_cell(w->grid, to);
    bool hex = cairn_grid_layout(w->grid) == CAIRN_LAYOUT_HEX;
    double dx = (double)b.x - a.x + (hex ? 0.5 * ((b.y & 1) - (a.y & 1)) : 0),
           dy = (double)b.y - a.y;
    return sqrt(dx * dx + dy * dy * (hex ? 0.75 : 1));
}

/* The length of a path of turning points. */
static double measure_length(const world *w, const cairn_path *path)
{
    bool hex = cairn_grid_layout(w->grid) == CAIRN_LAYOUT_HEX;
    double length = 0;
    uint32_t link = 0;
    for (uint32_t i = 1; i < path->count; i++) {
        cairn_node from = path->nodes[i - 1], to = path->nodes[i];
        cairn_cell a = cairn_grid_cell(w->grid, from), b = cairn_grid_cell(w->grid, to);
        if (link < path->link_count && path->links[link].at == i - 1)
            length += measure_link(w, from, to, path->links[link++].id);
        else if (path->any_angle)
            length += measure_crow(w, from, to);
        else
            length += hex ? measure_hex(a, b) : measure_squares(a, b);
    }
    return length;
}

static bool measure_gives_pieces(const measure_job *job)
{
    return cairn_planner_algorithm(job->planner)->flags & CAIRN_PIECES;
}

/* Follows the pieces: each must begin where the one before it ended and cost what its steps do, and
 * the last one lead to the goal. */
static bool measure_follow(const measure_job *job, cairn_search *search, const problem *p,
                           answer *out)
{
    cairn_query query = measure_query(p);
    query.piece = MEASURE_PIECE;
    const cairn_path *path;
    cairn_node at = p->from;
    cairn_status status = cairn_search_find(search, &query, &path);
    while (status == CAIRN_FOUND) {
        if (!path->count || path->nodes[0] != at) return false;
        cairn_cost cost;
        if (job->options.inspect &&
            (!cairn_path_valid(job->world->space, path, &cost, NULL, NULL) || cost != path->cost))
            return false;
        out->pieces_length += path->length;
        out->pieces_cost += path->cost;
        at = path->end;
        if (!path->partial) return at == p->to;
        status = cairn_search_find_next(search, &path);
    }
    return false;
}

static answer_fault measure_inspect(const measure_job *job, const problem *p,
                                    const cairn_path *path)
{
    const cairn_space *space = job->world->space;
    cairn_cost cost;
    if (path->status != CAIRN_FOUND) return FAULT_NONE;
    if (!path->count || path->nodes[0] != p->from || path->nodes[path->count - 1] != p->to ||
        path->end != p->to)
        return FAULT_ENDS;
    if (!cairn_path_valid(space, path, &cost, NULL, NULL)) return FAULT_ILLEGAL;
    if (cost != path->cost) return FAULT_COST;
    if (job->world->grid &&
        fabs(measure_length(job->world, path) - path->length) > 1e-6 * (1 + path->length))
        return FAULT_LENGTH;
    return FAULT_NONE;
}

static int measure_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double measure_median(double *times, uint32_t count)
{
    qsort(times, count, sizeof *times, measure_compare);
    return 0.5 * (times[(count - 1) / 2] + times[count / 2]);
}

/* Runs the same query `repeat` times; the median of the times counts. */
static double measure_time(const measure_job *job, cairn_search *search, const cairn_query *query,
                           const cairn_path **path)
{
    double times[MEASURE_REPEATS];
    uint32_t repeat = job->options.repeat ? job->options.repeat : 1;
    if (repeat > MEASURE_REPEATS) repeat = MEASURE_REPEATS;
    for (uint32_t i = 0; i < repeat; i++) {
        double begin = text_clock();
        cairn_search_find(search, query, path);
        times[i] = (text_clock() - begin) * 1e6;
    }
    return measure_median(times, repeat);
}

static void measure_one(const measure_job *job, cairn_search *search, const problem *p, answer *out)
{
    cairn_query query = measure_query(p);
    const cairn_path *path = NULL;
    double time_us = measure_time(job, search, &query, &path);
    cairn_metrics metrics = cairn_search_metrics(search);
    *out = (answer){.status = path->status,
                    .cost = path->cost,
                    .length = path->length,
                    .bound = path->suboptimality_bound,
                    .time_us = time_us,
                    .first_us = time_us,
                    .expanded = metrics.expanded,
                    .generated = metrics.generated,
                    .peak_bytes = metrics.peak_bytes,
                    .answered_by = metrics.answered_by};
    if (job->options.inspect) out->fault = measure_inspect(job, p, path);
    if (!measure_gives_pieces(job) || out->status != CAIRN_FOUND) return;
    query.piece = MEASURE_PIECE;
    if (job->options.pieces) out->first_us = measure_time(job, search, &query, &path);
    out->followed = measure_follow(job, search, p, out);
    if (!out->followed && !out->fault && job->options.inspect) out->fault = FAULT_PIECES;
}

/* ---- all of them ---- */

/* Memory is mapped and the branch predictor learns before the clock counts. */
static void measure_warm_up(const measure_job *job, cairn_search *search)
{
    uint32_t count = job->set->count, runs = count < MEASURE_WARM ? count : MEASURE_WARM;
    for (uint32_t i = 0; i < runs; i++) {
        cairn_query query =
            measure_query(&job->set->items[(uint64_t)count * (runs - i) / runs - 1]);
        cairn_search_find(search, &query, NULL);
    }
}

static void measure_task(void *user, uint32_t index)
{
    (void)index;
    measure_job *job = user;
    cairn_search *search = NULL;
    if (cairn_search_create(job->planner, NULL, &search)) return; /* the others do its share */
    if (job->options.warm) measure_warm_up(job, search);
    for (uint32_t first; (first = atomic_fetch_add(&job->next, MEASURE_CHUNK)) < job->set->count;) {
        uint32_t left = job->set->count - first,
                 end = first + (left < MEASURE_CHUNK ? left : MEASURE_CHUNK);
        for (uint32_t i = first; i < end && !interrupt_came(); i++)
            measure_one(job, search, &job->set->items[i], &job->answers[i]);
        progress_at(&job->progress, end);
    }
    cairn_search_destroy(search);
}

answer *measure_run(const world *w, cairn_planner *planner, const problem_set *set,
                    const measure_options *options)
{
    answer *answers = calloc(set->count ? set->count : 1, sizeof *answers);
    measure_job *job = calloc(1, sizeof *job);
    if (answers && job) {
        job->world = w;
        job->planner = planner;
        job->set = set;
        job->options = *options;
        job->answers = answers;
        atomic_store(&job->next, 0);
        progress_begin(&job->progress, options->label, set->count);
        cairn_parallel_for(w->context, options->threads ? options->threads : 1, measure_task, job);
        progress_end(&job->progress);
    }
    bool ok = answers && job && (atomic_load(&job->next) >= set->count || !set->count);
    free(job);
    if (ok && !interrupt_came()) return answers;
    complain("%s: there is not enough memory to search", w->name);
    free(answers);
    return NULL;
}

int measure_references(const command *self, const world *w, problem_set *set, uint32_t threads)
{
    if (set->published) return END_OK;
    char label[96];
    snprintf(label, sizeof label, "%.60s: reference", text_base(w->name));
    cairn_planner *planner;
    int end = world_planner(self, w, "dijkstra", false, &planner);
    if (end) return end;
    measure_options options = {.threads = threads, .label = label};
    answer *answers = measure_run(w, planner, set, &options);
    cairn_planner_destroy(planner);
    if (!answers) return END_DATA;
    for (uint32_t i = 0; i < set->count; i++) {
        set->items[i].reference =
            answers[i].status == CAIRN_FOUND ? answers[i].cost : CAIRN_NO_COST;
        set->items[i].expected = answers[i].status;
    }
    free(answers);
    return END_OK;
}

/* ---- judging ---- */

bool measure_solved(const problem *p, const answer *a)
{
    return a->status == p->expected && (a->status == CAIRN_FOUND || a->status == CAIRN_UNREACHABLE);
}

double measure_excess(const problem_set *set, const problem *p, const answer *a)
{
    if (set->published) {
        if (fabs(a->length - p->length) <= p->tolerance) return 0;
        return p->length > 0 ? a->length / p->length - 1 : HUGE_VAL;
    }
    if (a->cost == p->reference) return 0;
    return p->reference ? (double)a->cost / p->reference - 1 : HUGE_VAL;
}

double measure_pieces_excess(const problem_set *set, const problem *p, const answer *a)
{
    answer whole = *a;
    whole.length = a->pieces_length;
    whole.cost = a->pieces_cost;
    return measure_excess(set, p, &whole);
}
