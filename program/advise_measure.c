/* advise_measure.c: candidates, and what they take (see advise.h).
 *
 * Measuring everything long enough would take minutes, so it goes in rounds: the first has few
 * problems and one edit, each later one four times as many. After a round, whoever obeys the needs
 * clearly not, or takes far longer than the best, is dropped. So most of the time is spent on those
 * between whom it is hard to choose. A candidate that uses up its share of a round's time is
 * measured on fewer problems of it.
 *
 * Problems lead from a random cell to a random one that can be reached, in random order; the best
 * cost of each is that of `astar`. Edits close a square and open it again, half of them on the
 * middle of such a path. Each of the two is a commit, and all indexes are synced after it. Where
 * there are edits, planners that give pieces are asked for these as well. Times are processor time.
 */
#include "advise.h"

#include "interrupt.h"
#include "progress.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEASURE_ROUNDS = 3, MEASURE_FIRST = 8, MEASURE_PIECE = 16, MEASURE_REPEATS = 3 };
#define MEASURE_SHORT 200.0 /* microseconds: shorter runs are repeated, and the median counts */
#define MEASURE_BUILD 0.2   /* part of all time that building one index may take */
#define MEASURE_ROUND 0.25  /* part of all time for a round, shared equally */

/* Beyond the needs by so much, or so much slower than the best: dropped after the round. */
static const double measure_slack[MEASURE_ROUNDS] = {2, 1.5, 1};
static const double measure_behind[MEASURE_ROUNDS] = {4, 2, HUGE_VAL};

/* Parameters that are worth a candidate of their own. */
static const char *const measure_variants[] = {
    "wastar:weight=1.5", "alt:landmarks=8", "hpa:size=10",   "hpa:size=32",
    "mm:levels=2",       "mm:sector=32",    "sga:variant=2",
};

typedef struct measure_limit {
    double until;
    bool passed;
} measure_limit;

/* ---- candidates ---- */

static bool measure_add(advise_run *run, const char *spec)
{
    if (run->count == ADVISE_CANDIDATES) return false;
    advise_candidate *c = &run->all[run->count++];
    *c = (advise_candidate){0};
    snprintf(c->spec, sizeof c->spec, "%s", spec);
    return true;
}

/* All planners whose paths keep to the grid, and that can solve long problems. */
static void measure_add_all(advise_run *run)
{
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (a->kind == CAIRN_KIND_PLANNER && !(a->flags & (CAIRN_EXPONENTIAL | CAIRN_ANY_ANGLE)))
            measure_add(run, a->name);
    }
    for (size_t i = 0; i < sizeof measure_variants / sizeof *measure_variants; i++)
        if (cairn_algorithm_find(measure_variants[i], strcspn(measure_variants[i], ":")))
            measure_add(run, measure_variants[i]);
}

static void measure_drop(advise_candidate *c)
{
    cairn_search_destroy(c->search);
    cairn_planner_destroy(c->planner);
    c->search = NULL;
    c->planner = NULL;
}

static bool measure_in_time(void *user, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    measure_limit *limit = user;
    limit->passed |= reproduce_clock() > limit->until;
    return !limit->passed && !interrupt_came();
}

/* The index, unless it takes too long. */
static int measure_build(advise_run *run, advise_candidate *c)
{
    double begin = reproduce_clock(), most = run->seconds * 1e6 * MEASURE_BUILD;
    measure_limit limit = {.until = begin + most};
    cairn_progress watch = {measure_in_time, &limit};
    cairn_error error = {0};
    cairn_status status = cairn_planner_build(c->planner, &watch, &error);
    c->build_us = reproduce_clock() - begin;
    c->index_bytes = cairn_planner_index_bytes(c->planner);
    if (status == CAIRN_OK) return END_OK;
    if (interrupt_came()) return END_INTERRUPTED;
    if (status == CAIRN_OUT_OF_MEMORY) {
        error.status = status;
        return world_complain(run->world->name, &error);
    }
    c->fault = status == CAIRN_CANCELLED ? ADVISE_SLOW_BUILD : ADVISE_REFUSED;
    measure_drop(c);
    return END_OK;
}

static int measure_begin(const command *self, advise_run *run, advise_candidate *c)
{
    int end = world_planner(self, run->world, c->spec, !run->own, &c->planner);
    if (end) return end;
    c->fault = c->planner ? ADVISE_OBEYS : ADVISE_REFUSED;
    if (!c->planner) return END_OK;
    uint32_t flags = cairn_planner_algorithm(c->planner)->flags;
    c->index = flags & CAIRN_NEEDS_INDEX;
    c->repairs = flags & CAIRN_REPAIRS;
    c->slices = flags & CAIRN_SLICES;
    c->pieces = flags & CAIRN_PIECES;
    end = c->index ? measure_build(run, c) : END_OK;
    if (end || !c->planner || cairn_search_create(c->planner, NULL, &c->search) == CAIRN_OK)
        return end;
    complain("%s: there is not enough memory to search", run->world->name);
    return END_DATA;
}

/* ---- problems ---- */

/* The best cost of each, and a node in the middle of its path, which `number` keeps. */
static int measure_solve(const command *self, advise_run *run, uint64_t *state)
{
    cairn_planner *planner;
    cairn_search *search = NULL;
    const world *w = run->world;
    int end = world_planner(self, w, "astar", false, &planner);
    if (!end) end = advise_breaks_begin(run, planner);
    if (end) return cairn_planner_destroy(planner), end;
    bool ok = cairn_search_create(planner, NULL, &search) == CAIRN_OK;
    problem_set *set = &run->problems;
    double until = reproduce_clock() + run->seconds * 1e6 * MEASURE_ROUND;
    for (uint32_t tries = 0; ok && set->count < ADVISE_PROBLEMS && tries < 8 * ADVISE_PROBLEMS;
         tries++) {
        problem p = {.from = problems_random_node(w, state)};
        if (p.from == CAIRN_NO_NODE || interrupt_came()) break;
        if (set->count >= MEASURE_FIRST && reproduce_clock() > until) break;
        const cairn_path *path;
        if (cairn_random_reachable(w->space, p.from, state, &p.to) != CAIRN_OK || p.to == p.from ||
            cairn_search_find(search, &(cairn_query){.from = p.from, .to = p.to}, &path) !=
                CAIRN_FOUND)
            continue;
        p.reference = path->cost;
        uint64_t middle = cairn_path_step_count(w->space, path) / 2;
        if (!cairn_path_cells(w->space, path, middle, &p.number, 1)) continue;
        set->items[set->count++] = p;
        ok = advise_breaks_add(run, &p, path);
    }
    if (ok && set->count) advise_breaks_end(run);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    if (interrupt_came()) return END_INTERRUPTED;
    if (ok && set->count) return END_OK;
    complain(ok ? "%s: no two places are joined, so there is nothing to measure"
                : "%s: there is not enough memory to search",
             w->name);
    return END_DATA;
}

static double measure_find(cairn_search *search, const cairn_query *query, const cairn_path **path)
{
    double times[MEASURE_REPEATS];
    for (uint32_t i = 0; i < MEASURE_REPEATS; i++) {
        double begin = reproduce_clock();
        cairn_search_find(search, query, path);
        times[i] = reproduce_clock() - begin;
        if (times[0] > MEASURE_SHORT) return times[0];
    }
    return statistic_median(times, MEASURE_REPEATS);
}

/* How much longer than the best, in per cent. */
static double measure_longer(const problem *p, cairn_cost cost)
{
    return p->reference ? 100.0 * cost / p->reference - 100 : 0;
}

/* The whole path in pieces, as a service gives them to more agents than it has searches: each is
 * searched from where the last one ended, and asked for twice as many steps. */
static void measure_pieces(const advise_run *run, advise_candidate *c, const problem *p)
{
    cairn_query query = {.from = p->from, .to = p->to, .piece = run->edited.piece};
    const cairn_path *path;
    cairn_cost cost = 0;
    double time = 0, first = 0;
    uint32_t count = 0;
    do {
        time += measure_find(c->search, &query, &path);
        if (!count++) first = time;
        if (path->status != CAIRN_FOUND) {
            c->pieces = false; /* whole paths, then */
            return;
        }
        cost += path->cost;
        query.from = path->end;
        query.piece *= 2;
    } while (path->partial);
    statistic_add(&c->first_us, first);
    statistic_add(&c->pieces_us, time);
    statistic_add(&c->pieces_count, count);
    statistic_add(&c->pieces_longer, measure_longer(p, cost));
}

/* What is searched again when an agent is in the middle and its path is broken. */
static void measure_rest(advise_candidate *c, const problem *p)
{
    cairn_query query = {.from = p->number, .to = p->to};
    const cairn_path *path;
    statistic_add(&c->rest_us, measure_find(c->search, &query, &path));
}

static void measure_first(advise_candidate *c, const problem *p, double time)
{
    cairn_query query = {.from = p->from, .to = p->to, .piece = MEASURE_PIECE};
    const cairn_path *path;
    if (c->pieces) time = measure_find(c->search, &query, &path);
    statistic_add(&c->first_us, time);
}

static void measure_problem(const advise_run *run, advise_candidate *c, const problem *p)
{
    const cairn_algorithm *own = cairn_planner_algorithm(c->planner);
    cairn_query query = {.from = p->from, .to = p->to};
    const cairn_path *path;
    double time = measure_find(c->search, &query, &path);
    c->failed += path->status != CAIRN_FOUND;
    c->delegated += path->status == CAIRN_FOUND && path->answered_by && path->answered_by != own;
    if (path->status != CAIRN_FOUND || (path->answered_by && path->answered_by != own)) return;
    c->solved++;
    statistic_add(&c->time_us, time);
    statistic_add(&c->bytes, (double)cairn_search_metrics(c->search).peak_bytes);
    statistic_add(&c->path_bytes, (double)sizeof *path + path->count * sizeof *path->nodes +
                                      path->link_count * (double)sizeof *path->links);
    statistic_add(&c->longer, measure_longer(p, path->cost));
    statistic_add(&c->steps, (double)cairn_path_step_count(run->world->space, path) - 1);
    if (run->needs->edits > 0) measure_rest(c, p);
    if (c->pieces && run->edited.piece)
        measure_pieces(run, c, p);
    else
        measure_first(c, p, time);
}

static void measure_problems(const advise_run *run, advise_candidate *c, uint32_t first,
                             uint32_t last)
{
    double until = reproduce_clock() + run->seconds * 1e6 * MEASURE_ROUND / run->count;
    const problem *warm = &run->problems.items[0]; /* memory is mapped before the clock counts */
    if (!first)
        cairn_search_find(c->search, &(cairn_query){.from = warm->from, .to = warm->to}, NULL);
    for (uint32_t i = first; i < last && i < run->problems.count; i++) {
        if (i > first && !run->thorough && reproduce_clock() > until) return;
        measure_problem(run, c, &run->problems.items[i]);
    }
}

/* ---- edits ---- */

/* Syncs all indexes that are still in the running; false after a complaint. */
static bool measure_sync(advise_run *run)
{
    for (uint32_t i = 0; i < run->count; i++) {
        advise_candidate *c = &run->all[i];
        if (!c->planner || !c->index) continue;
        double begin = reproduce_clock();
        cairn_status status = cairn_planner_sync(c->planner, NULL, NULL);
        statistic_add(&c->repair_us, reproduce_clock() - begin);
        if (status == CAIRN_OK) continue;
        complain("%s: %s: %s", run->world->name, c->spec, cairn_status_text(status));
        return false;
    }
    return true;
}

static bool measure_commit(advise_run *run)
{
    double begin = reproduce_clock();
    if (cairn_grid_commit(run->world->grid) != CAIRN_OK) {
        complain("%s: there is not enough memory for an edit", run->world->name);
        return false;
    }
    statistic_add(&run->edited.commit_us, reproduce_clock() - begin);
    return measure_sync(run);
}

/* Closes the open cells of a square round a cell, and opens them again. */
static bool measure_edit(advise_run *run, cairn_cell middle)
{
    cairn_grid *grid = run->world->grid;
    int32_t side = (int32_t)run->needs->side;
    uint32_t count = 0, capacity = run->needs->side * run->needs->side;
    cairn_cell *cells = malloc(capacity * sizeof *cells);
    bool ok = cells != NULL;
    for (int32_t i = 0; ok && i < side * side; i++) {
        cairn_cell cell = {middle.x - side / 2 + i % side, middle.y - side / 2 + i / side};
        if (!cairn_grid_is_open(grid, cell.x, cell.y)) continue;
        cells[count++] = cell;
        ok = cairn_grid_set_open(grid, cell.x, cell.y, false) == CAIRN_OK;
    }
    ok = ok && measure_commit(run);
    for (uint32_t i = 0; ok && i < count; i++)
        ok = cairn_grid_set_open(grid, cells[i].x, cells[i].y, true) == CAIRN_OK;
    ok = ok && measure_commit(run);
    free(cells);
    return ok;
}

static int measure_edits(advise_run *run, uint32_t count)
{
    if (run->needs->edits <= 0) return END_OK;
    for (uint32_t i = 0; i < count && !interrupt_came(); i++, run->edits++) {
        const problem *p = &run->problems.items[run->edits % run->problems.count];
        cairn_node node =
            run->edits % 2 ? problems_random_node(run->world, &run->random) : p->number;
        if (!measure_edit(run, cairn_grid_cell(run->world->grid, node))) return END_DATA;
    }
    return END_OK;
}

/* ---- rounds ---- */

/* Does it break a need even if that were so much larger? */
static bool measure_hopeless(const advise_run *run, const advise_candidate *c, double slack)
{
    advise_needs wide = *run->needs;
    wide.budget_us *= slack;
    wide.bytes *= slack;
    wide.longer = wide.longer * slack + slack;
    advise_run relaxed = {.needs = &wide, .edited = run->edited};
    advise_candidate copy = *c;
    advise_judge(&relaxed, &copy);
    return copy.fault != ADVISE_OBEYS;
}

/* What it would take of a frame if its paths had been unlucky by two standard errors. */
static double measure_hoped(const advise_run *run, const advise_candidate *c)
{
    const statistic *time = c->piece ? &c->pieces_us : &c->time_us;
    double count = c->piece ? statistic_mean(&c->pieces_count) : 1;
    double error = c->solved ? statistic_deviation(time) / sqrt(c->solved) / count : 0;
    return c->frame_us - 2 * error * advise_form_of(c)->searches / run->needs->frames;
}

/* Drops who has no chance. Before the edits of a round only needs count, not who is faster. */
static void measure_thin(advise_run *run, uint32_t round, bool edited)
{
    advise_choose(run);
    if (run->thorough) return;
    bool any = run->chosen != ADVISE_CANDIDATES && edited;
    double best = any ? run->all[run->chosen].frame_us : HUGE_VAL;
    for (uint32_t i = 0; i < run->count; i++) {
        advise_candidate *c = &run->all[i];
        if (!c->planner) continue;
        bool behind = measure_hoped(run, c) > best * measure_behind[round];
        if (!behind && !measure_hopeless(run, c, measure_slack[round])) continue;
        c->dropped = true;
        measure_drop(c);
    }
}

static int measure_round(advise_run *run, uint32_t round, progress *bar)
{
    uint32_t first = 0, last = MEASURE_FIRST;
    for (uint32_t i = 0; i < round; i++) {
        first = last;
        last += (uint32_t)MEASURE_FIRST << (2 * (i + 1));
    }
    for (uint32_t i = 0; i < run->count && !interrupt_came(); i++) {
        if (run->all[i].planner) measure_problems(run, &run->all[i], first, last);
        progress_at(bar, (uint64_t)(round + 1) * run->count + i + 1);
    }
    measure_thin(run, round, false); /* it may take long to build an index again */
    int end = measure_edits(run, 1u << round);
    if (!end) measure_thin(run, round, true);
    return interrupt_came() ? END_INTERRUPTED : end;
}

int advise_measure(const command *self, advise_run *run, const algorithm_list *algorithms)
{
    double begin = reproduce_clock();
    progress bar;
    run->own = !algorithms->all;
    if (algorithms->all) measure_add_all(run);
    for (uint32_t i = 0; !algorithms->all && i < algorithms->count; i++)
        measure_add(run, algorithms->specs[i]);
    run->problems.items = calloc(ADVISE_PROBLEMS, sizeof *run->problems.items);
    if (!run->problems.items) {
        complain("%s: there is not enough memory for problems", run->world->name);
        return END_DATA;
    }
    progress_begin(&bar, text_base(run->world->name), (uint64_t)(MEASURE_ROUNDS + 1) * run->count);
    int end = measure_solve(self, run, &run->random);
    for (uint32_t i = 0; !end && i < run->count; i++) {
        end = measure_begin(self, run, &run->all[i]);
        progress_at(&bar, i + 1);
    }
    for (uint32_t round = 0; !end && round < MEASURE_ROUNDS; round++)
        end = measure_round(run, round, &bar);
    progress_end(&bar);
    run->spent_us = reproduce_clock() - begin;
    return end;
}

void advise_free(advise_run *run)
{
    for (uint32_t i = 0; i < run->count; i++) measure_drop(&run->all[i]);
    advise_breaks_free(run);
    problems_free(&run->problems);
}
