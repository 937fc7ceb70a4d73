/* reproduce_compare.c: several algorithms on the same problems (see reproduce.h).
 *
 * Each problem is given to all of them in turn, so that what the machine does meanwhile hits all
 * alike. In a turn the search runs once untimed, so that nobody pays for memory that others left
 * cold, and then timed, in processor time of its thread, less what asking for the time takes. Of
 * many problems only means and deviations are told, so one timed run of each is enough; but a run
 * so short that a disturbance would count for much is timed three times, for the median. With
 * several turns (--repeat) their median is the time. Nodes are counted in the untimed run of the
 * first turn. Some algorithms are so slow that they get a sample of the problems. The first
 * algorithm is A*; a problem that it cannot solve is no problem. What the others need is a per cent
 * of what their base, an A*, needed for that problem (Anguelov 8.3.1), and the mean is that of the
 * per cents, so that short paths count as much as long ones.
 */
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARE_REPEATS = 32, COMPARE_ASKED = 200, COMPARE_SHORT_RUNS = 3 };
#define COMPARE_LEAST_US 0.01
#define COMPARE_SHORT_US 200

/* What one algorithm made of one problem. */
typedef struct compare_answer {
    cairn_status status;
    cairn_cost cost;
    double smoothed, cells, time_us;
    cairn_metrics metrics;
    uint64_t largest; /* 0 = nobody asked */
    bool asked;       /* else the problem is not in this algorithm's sample */
} compare_answer;

typedef struct compare_contest {
    reproduce_job *job;
    cairn_planner *planners[REPRODUCE_SERIES];
    cairn_search *searches[REPRODUCE_SERIES];
    double asking; /* what it takes to ask for the time */
    FILE *lines;   /* of single problems; NULL = nobody asked */
    char lines_name[REPRODUCE_NAME * 3];
} compare_contest;

/* ---- making ready ---- */

static bool compare_complain(const reproduce_job *job, const char *spec, cairn_status status,
                             const cairn_error *error)
{
    complain("%s on %s: %s", spec, job->part->map,
             error->text[0] ? error->text : cairn_status_text(status));
    return false;
}

static bool compare_make(compare_contest *c, uint32_t i)
{
    reproduce_job *job = c->job;
    const char *spec = job->series[i].spec;
    cairn_error error = {0};
    cairn_status status = cairn_planner_create(job->space, spec, &c->planners[i], &error);
    double begin = reproduce_clock();
    if (!status) status = cairn_planner_build(c->planners[i], NULL, &error);
    double build_ms = (reproduce_clock() - begin) / 1e3;
    if (!status) status = cairn_search_create(c->planners[i], NULL, &c->searches[i]);
    if (status) return compare_complain(job, spec, status, &error);
    statistic *cells = job->part->record.cells[i];
    if (cairn_planner_algorithm(c->planners[i])->flags & CAIRN_NEEDS_INDEX) {
        statistic_add(&cells[METRIC_BUILD_MS], build_ms);
        statistic_add(&cells[METRIC_INDEX_BYTES],
                      (double)cairn_planner_index_bytes(c->planners[i]));
    }
    return true;
}

double reproduce_asking(void)
{
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < COMPARE_ASKED; i++) {
        double begin = reproduce_clock();
        least = fmin(least, reproduce_clock() - begin);
    }
    return least;
}

static void compare_end(compare_contest *c)
{
    for (uint32_t i = 0; i < c->job->series_count; i++) {
        cairn_search_destroy(c->searches[i]);
        cairn_planner_destroy(c->planners[i]);
    }
}

/* ---- one problem ---- */

static bool compare_smooth(const reproduce_job *job, const cairn_path *path, compare_answer *out)
{
    uint32_t capacity = (uint32_t)cairn_path_step_count(job->space, path) + 1;
    cairn_smoothed smooth = {.nodes = malloc(capacity * sizeof(cairn_node)), .capacity = capacity};
    cairn_status status =
        smooth.nodes ? cairn_smooth_rays(job->space, path, 0, &smooth) : CAIRN_OUT_OF_MEMORY;
    free(smooth.nodes);
    out->smoothed = status ? NAN : (double)smooth.cost;
    /* a path of any angle is smooth as it is */
    if (!status || status == CAIRN_UNSUPPORTED) return true;
    complain("%s: a path cannot be smoothed: %s", job->part->map, cairn_status_text(status));
    return false;
}

static bool compare_keep(const reproduce_job *job, uint32_t series, cairn_search *search,
                         const cairn_path *path, compare_answer *out)
{
    out->status = path->status;
    out->cost = path->cost;
    out->metrics = cairn_search_metrics(search);
    if (path->status != CAIRN_FOUND) return true;
    out->cells = (double)cairn_path_step_count(job->space, path);
    return !job->part->table->smooth || !series || compare_smooth(job, path, out);
}

/* The nodes that a search has seen, each of which it keeps a record of, and the most of a search
 * inside a search. */
typedef struct compare_seen {
    uint64_t now, most;
} compare_seen;

static void compare_see(void *user, const cairn_event *event)
{
    compare_seen *seen = user;
    if (event->kind == CAIRN_EVENT_SOURCE || event->kind == CAIRN_EVENT_PIECE) seen->now = 1;
    if (event->kind == CAIRN_EVENT_GENERATE) seen->now++;
    if (seen->now > seen->most) seen->most = seen->now;
}

/* A* is one search: its metrics tell, and it need not be watched. */
static bool compare_is_one(const compare_contest *c, uint32_t series)
{
    return !strcmp(cairn_planner_algorithm(c->planners[series])->name, "astar");
}

/* Being watched takes as much time as searching, so this is a run whose time does not count. */
static uint64_t compare_largest(cairn_search *search, const cairn_query *query)
{
    compare_seen seen = {0};
    cairn_trace_sink sink = {compare_see, &seen};
    cairn_search_trace(search, &sink);
    cairn_search_find(search, query, NULL);
    cairn_search_trace(search, NULL);
    return seen.most;
}

static double compare_run(double asking, cairn_search *search, const cairn_query *query,
                          const cairn_path **path)
{
    double begin = reproduce_clock();
    cairn_search_find(search, query, path);
    return fmax(reproduce_clock() - begin - asking, COMPARE_LEAST_US);
}

/* Where this is the only turn, a short run is timed several times. */
double reproduce_time(double asking, cairn_search *search, const cairn_query *query, bool only,
                      const cairn_path **path)
{
    double times[COMPARE_SHORT_RUNS] = {compare_run(asking, search, query, path)};
    uint32_t count = 1;
    while (only && times[0] < COMPARE_SHORT_US && count < COMPARE_SHORT_RUNS)
        times[count++] = compare_run(asking, search, query, path);
    return statistic_median(times, count);
}

/* One turn of one algorithm. */
static bool compare_turn(const compare_contest *c, const cairn_query *query, uint32_t series,
                         uint32_t turn, compare_answer *out)
{
    const reproduce_job *job = c->job;
    cairn_search *search = c->searches[series];
    const cairn_path *path;
    bool count = !turn && job->part->table->metrics & METRIC_BIT(METRIC_LARGEST);
    bool watch = count && !compare_is_one(c, series);
    /* Not timed: finds the memory cold. */
    if (watch)
        out->largest = compare_largest(search, query);
    else
        cairn_search_find(search, query, &path);
    out->time_us = reproduce_time(c->asking, search, query, reproduce_repeats(job) == 1, &path);
    if (count && !watch) out->largest = cairn_search_metrics(search).generated;
    return turn || compare_keep(job, series, search, path, out);
}

/* Runs all algorithms in turn, as often as asked for, each time beginning with another one. */
static bool compare_ask(compare_contest *c, const reproduce_problem *p, compare_answer *answers)
{
    const reproduce_job *job = c->job;
    uint32_t repeat = reproduce_repeats(job);
    double times[REPRODUCE_SERIES][COMPARE_REPEATS];
    cairn_query query = {.from = p->from, .to = p->to};
    for (uint32_t r = 0; r < repeat; r++) {
        for (uint32_t turn = 0; turn < job->series_count; turn++) {
            uint32_t i = (turn + p->number + r) % job->series_count;
            if (!answers[i].asked) continue;
            if (!compare_turn(c, &query, i, r, &answers[i])) return false;
            times[i][r] = answers[i].time_us;
        }
    }
    for (uint32_t i = 0; i < job->series_count; i++)
        if (answers[i].asked) answers[i].time_us = statistic_median(times[i], repeat);
    return true;
}

static void compare_percent(statistic *s, double value, double of)
{
    if (of > 0) statistic_add(s, 100 * value / of);
}

static void compare_quality(const reproduce_job *job, statistic *cells, const compare_answer *best,
                            const compare_answer *a)
{
    double longer = 100 * ((double)a->cost / best->cost - 1);
    statistic_add(&cells[METRIC_COST], (double)a->cost / cairn_space_scale(job->space).straight);
    statistic_add(&cells[METRIC_CELLS], a->cells);
    statistic_add(&cells[METRIC_LONGER], longer);
    statistic_add(&cells[METRIC_WITHIN_1], longer <= 1);
    statistic_add(&cells[METRIC_WITHIN_5], longer <= 5);
    if (job->part->table->smooth && (a == best || isfinite(a->smoothed)))
        statistic_add(&cells[METRIC_LONGER_SMOOTHED],
                      a == best ? 0 : 100 * (a->smoothed / best->cost - 1));
}

static void compare_percents(statistic *cells, const compare_answer *base, const compare_answer *a)
{
    compare_percent(&cells[METRIC_EXPANDED_PERCENT], (double)a->metrics.expanded,
                    (double)base->metrics.expanded);
    compare_percent(&cells[METRIC_LARGEST_PERCENT], (double)a->largest, (double)base->largest);
    compare_percent(&cells[METRIC_MEMORY_PERCENT], (double)a->metrics.peak_bytes,
                    (double)base->metrics.peak_bytes);
    compare_percent(&cells[METRIC_TIME_PERCENT], a->time_us, base->time_us);
    statistic_add(&cells[METRIC_BASE_TIME], base->time_us);
}

/* Where only what all of them solve is compared: notes who fails. True if somebody does. */
static bool compare_given_up(const reproduce_job *job, const compare_answer *answers)
{
    bool given_up = false;
    if (!job->part->table->solved_by_all) return false;
    for (uint32_t i = 0; i < job->series_count; i++) {
        if (!answers[i].asked || answers[i].status == CAIRN_FOUND) continue;
        statistic_add(&job->part->record.cells[i][METRIC_FAILED], 1);
        given_up = true;
    }
    return given_up;
}

static void compare_count(const reproduce_job *job, const compare_answer *answers)
{
    if (compare_given_up(job, answers)) return;
    for (uint32_t i = 0; i < job->series_count; i++) {
        const compare_answer *a = &answers[i];
        statistic *cells = job->part->record.cells[i];
        if (!a->asked) continue;
        statistic_add(&cells[METRIC_FAILED], a->status != CAIRN_FOUND);
        if (a->status != CAIRN_FOUND) continue;
        compare_quality(job, cells, &answers[0], a);
        statistic_add(&cells[METRIC_EXPANDED], (double)a->metrics.expanded);
        statistic_add(&cells[METRIC_REVISITED], (double)a->metrics.reopened);
        statistic_add(&cells[METRIC_MEMORY], (double)a->metrics.peak_bytes);
        if (answers[0].largest) statistic_add(&cells[METRIC_LARGEST], (double)a->largest);
        statistic_add(&cells[METRIC_TIME], a->time_us);
        compare_percents(cells, &answers[job->series[i].base], a);
    }
}

static void compare_line(const compare_contest *c, const reproduce_problem *p,
                         const compare_answer *answers)
{
    const reproduce_job *job = c->job;
    if (!c->lines) return;
    cairn_cell from = cairn_grid_cell(job->grid, p->from), to = cairn_grid_cell(job->grid, p->to);
    for (uint32_t i = 0; i < job->series_count; i++) {
        if (!answers[i].asked) continue;
        double smoothed = i ? answers[i].smoothed : (double)answers[i].cost;
        fprintf(c->lines, "%u,%d,%d,%d,%d,\"%s\",%s,%u,", p->number, (int)from.x, (int)from.y,
                (int)to.x, (int)to.y, job->series[i].name, cairn_result_text(answers[i].status),
                answers[i].cost);
        if (isfinite(smoothed)) fprintf(c->lines, "%.0f", smoothed);
        fprintf(c->lines, ",%llu,%llu,%llu\n", (unsigned long long)answers[i].metrics.expanded,
                (unsigned long long)answers[i].metrics.peak_bytes,
                (unsigned long long)answers[i].largest);
    }
}

/* ---- all of them ---- */

/* Is an algorithm measured on this set? */
static bool compare_has(const compare_contest *c, uint32_t series)
{
    const reproduce_table *table = c->job->part->table;
    if (!table->series_sets || series >= table->series_count) return true;
    return table->series_sets[series] >> (c->job->part->set - table->sets) & 1;
}

/* Which algorithms get the number-th problem of the part. */
static void compare_choose(const compare_contest *c, uint32_t number, compare_answer *answers)
{
    for (uint32_t i = 0; i < c->job->series_count; i++) {
        uint32_t every = c->job->series[i].every;
        bool asked = c->searches[i] && (!every || number % every == 0) && compare_has(c, i);
        answers[i] = (compare_answer){.status = CAIRN_INVALID, .asked = asked};
    }
}

static bool compare_problems(compare_contest *c, const reproduce_problem *problems, uint32_t count)
{
    compare_answer answers[REPRODUCE_SERIES];
    for (uint32_t i = 0; i < count; i++) {
        compare_choose(c, i, answers);
        if (reproduce_ending() || !compare_ask(c, &problems[i], answers)) return false;
        if (answers[0].status != CAIRN_FOUND || !answers[0].cost) continue;
        compare_count(c->job, answers);
        compare_line(c, &problems[i], answers);
    }
    return true;
}

static bool compare_open_lines(compare_contest *c)
{
    const reproduce_job *job = c->job;
    if (!job->run->options->problems) return true;
    reproduce_lines_name(job->part, c->lines_name);
    c->lines = reproduce_create(job->run, c->lines_name);
    if (c->lines)
        fputs("problem,from_x,from_y,to_x,to_y,series,status,cost,smoothed_cost,expanded,peak_"
              "bytes,largest_nodes\n",
              c->lines);
    return c->lines != NULL;
}

bool reproduce_compare(reproduce_job *job)
{
    compare_contest c = {.job = job, .asking = reproduce_asking()};
    reproduce_problem *problems = NULL;
    uint32_t count = 0;
    bool ok = reproduce_problems(job, &problems, &count) && compare_open_lines(&c);
    for (uint32_t i = 0; ok && i < job->series_count; i++)
        if (job->series[i].spec) ok = compare_make(&c, i);
    ok = ok && compare_problems(&c, problems, count);
    if (c.lines) {
        if (ok)
            ok = reproduce_finish(job->run, c.lines, c.lines_name);
        else
            fclose(c.lines);
    }
    compare_end(&c);
    free(problems);
    return ok;
}
