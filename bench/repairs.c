/* repairs.c: what repairing a search saves: `bench_repairs [-n PROBLEMS] [-a ALGORITHM] MAP…`.
 *
 * An agent of the algorithm (dstar-lite) walks from a random place to one that is at least 100
 * steps away, PROBLEMS times (20) on each map. After ten steps a block of 3×3 cells is built on its
 * path, centred 5 or 30 steps ahead, and is taken away again after the next step. A row for each
 * distance tells how many nodes the agent expanded after it was built, and after it was taken away,
 * in per cent of what A* expands for the same path in the same world: in sum, and the mean of the
 * single walks' per cents; how much processor time the first took in per cent of A*'s; and in how
 * many cases the agent expanded more than A*.
 *
 * Then an agent with a sensor, which takes all for free that it has not seen within 5 cells, walks
 * between the same two places to the end. A* plans again whenever something was seen, from where
 * the agent is, in the world as it knows it. A row tells of the nodes after the first step, and
 * another one of the whole walk.
 *
 * The last row is about the first search: nodes and time likewise; bytes that the agent holds for
 * each node that it has touched, and as a part of what it may hold, which is 16 for each of them,
 * 12 for each one that was queued at once, and 4 KB for the agent; and nodes of the whole walk
 * without fog in per cent of one search of A* for each change.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/io.h>

#include <string.h>

enum { STEPS = 10, LEAST = 100, AHEAD = 64, MAY_HOLD = 4096, RANGE = 5, TURNS = 100000 };

typedef struct share {
    uint64_t ours, theirs;
    double our_time, their_time;
    double per_cents; /* the sum of those of the single cases */
    uint32_t cases, worse;
} share;

typedef struct bench {
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner, *judge;
    cairn_search *search;
    cairn_navigator *agent;
    share built[2], gone[2], first, walk;
    share fog, whole;         /* in fog: after the first step, and all; a case is a walk */
    double bytes;             /* of all agents after their first search ... */
    uint64_t nodes;           /* ... which touched so many, ... */
    uint64_t queued;          /* ... with so many queued at once */
    int64_t waiting, at_once; /* of one search */
    uint32_t walks;
} bench;

static void count_node(void *user, const cairn_event *event)
{
    bench *b = user;
    b->nodes += event->kind == CAIRN_EVENT_GENERATE;
    b->waiting += event->kind == CAIRN_EVENT_GENERATE;
    b->waiting -= event->kind == CAIRN_EVENT_EXPAND && b->waiting;
    if (b->waiting > b->at_once) b->at_once = b->waiting;
}

/* What a first search touches. */
static void count_nodes(bench *b, cairn_node from, cairn_node to)
{
    cairn_move move;
    cairn_navigator *agent;
    cairn_trace_sink sink = {count_node, b};
    check(cairn_navigator_create(b->planner, NULL, &agent), "navigator");
    b->waiting = b->at_once = 0;
    cairn_navigator_trace(agent, &sink);
    cairn_navigator_start(agent, from, to);
    cairn_navigator_next(agent, &move);
    cairn_navigator_destroy(agent);
    b->queued += (uint64_t)b->at_once;
}

static double per_cent(double a, double b)
{
    return b > 0 ? 100 * a / b : 0;
}

/* Adds a case. */
static void add(share *s, const share *one)
{
    s->ours += one->ours;
    s->theirs += one->theirs;
    s->our_time += one->our_time;
    s->their_time += one->their_time;
    s->per_cents += per_cent((double)one->ours, one->theirs ? (double)one->theirs : 1);
    s->cases++;
    s->worse += one->ours > one->theirs;
}

/* One call of the agent, and A* for the same. */
static void compare(bench *b, share *s)
{
    const cairn_path *path;
    cairn_move move;
    cairn_query query = {.from = cairn_navigator_at(b->agent),
                         .to = cairn_navigator_goal(b->agent)};
    double start = now_us();
    cairn_search_find(b->search, &query, &path);
    double between = now_us();
    cairn_navigator_next(b->agent, &move);
    share one = {.ours = move.expanded,
                 .theirs = cairn_search_metrics(b->search).expanded,
                 .our_time = now_us() - between,
                 .their_time = between - start};
    add(s, &one);
    add(&b->walk, &one);
}

static void block(const bench *b, cairn_node centre, uint8_t was[9], bool build)
{
    uint32_t width = cairn_grid_width(b->grid);
    for (uint32_t i = 0; i < 9; i++) {
        int32_t x = (int32_t)(centre % width + i % 3) - 1,
                y = (int32_t)(centre / width + i / 3) - 1;
        if (!cairn_grid_inside(b->grid, x, y)) continue;
        if (build) was[i] = cairn_grid_is_open(b->grid, x, y);
        if (was[i]) cairn_grid_set_open(b->grid, x, y, !build);
    }
    check(cairn_grid_commit(b->grid), "commit");
}

static bool near(const bench *b, cairn_node a, cairn_node centre)
{
    uint32_t width = cairn_grid_width(b->grid);
    int64_t dx = (int64_t)(a % width) - centre % width, dy = (int64_t)(a / width) - centre / width;
    return dx * dx < 4 && dy * dy < 4;
}

static void build_ahead(bench *b, uint32_t which)
{
    cairn_node ahead[AHEAD];
    uint8_t was[9] = {0};
    uint32_t distance = which ? 30 : 5, count = cairn_navigator_ahead(b->agent, ahead, AHEAD);
    if (count <= distance + 2 || near(b, cairn_navigator_goal(b->agent), ahead[distance])) return;
    cairn_node centre = ahead[distance], at = ahead[0], goal = cairn_navigator_goal(b->agent);
    block(b, centre, was, true);
    if (cairn_reachable(b->space, at, goal) == CAIRN_REACH_YES) {
        compare(b, &b->built[which]);
        block(b, centre, was, false);
        compare(b, &b->gone[which]);
    } else {
        block(b, centre, was, false);
    }
}

/* ---- fog ---- */

/* The known world and what plans in it. */
typedef struct fog {
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner, *judge;
    cairn_search *search;
    cairn_navigator *agent;
} fog;

static void fog_open(fog *f, const bench *b, const char *spec)
{
    check(cairn_grid_known(b->grid, CAIRN_KNOW_NOTHING, 0, &f->grid, NULL), "known world");
    check(cairn_space_of_grid(f->grid, NULL, &f->space, NULL), "known world");
    f->search = search_of(f->space, "astar", &f->judge);
    check(cairn_planner_create(f->space, spec, &f->planner, NULL), spec);
    check(cairn_navigator_create(f->planner, NULL, &f->agent), "navigator");
    check(cairn_navigator_set_sensor(f->agent, b->space, RANGE, NULL), "sensor");
}

static void fog_close(fog *f)
{
    cairn_navigator_destroy(f->agent);
    cairn_planner_destroy(f->planner);
    cairn_search_destroy(f->search);
    cairn_planner_destroy(f->judge);
    cairn_space_destroy(f->space);
    cairn_grid_destroy(f->grid);
}

/* One call; A* plans if there is something new, or nothing was planned yet. */
static bool fog_turn(fog *f, bool first, share *one)
{
    const cairn_path *path;
    cairn_move move;
    double start = now_us();
    cairn_status status = cairn_navigator_next(f->agent, &move);
    double between = now_us();
    one->ours += move.expanded;
    one->our_time += between - start;
    if (first || move.seen) {
        cairn_query query = {.from = move.from, .to = cairn_navigator_goal(f->agent)};
        cairn_search_find(f->search, &query, &path);
        one->theirs += cairn_search_metrics(f->search).expanded;
        one->their_time += now_us() - between;
    }
    return status == CAIRN_OK && !move.arrived;
}

static void walk_in_fog(bench *b, const char *spec, cairn_node from, cairn_node to)
{
    fog f = {0};
    share first = {0}, later = {0}, whole;
    fog_open(&f, b, spec);
    cairn_navigator_start(f.agent, from, to);
    bool walks = fog_turn(&f, true, &first);
    for (uint32_t turn = 0; walks && turn < TURNS; turn++) walks = fog_turn(&f, false, &later);
    check(cairn_navigator_at(f.agent) == to ? CAIRN_OK : CAIRN_UNREACHABLE, "a walk in fog");
    whole = first;
    whole.ours += later.ours;
    whole.theirs += later.theirs;
    whole.our_time += later.our_time;
    whole.their_time += later.their_time;
    add(&b->fog, &later);
    add(&b->whole, &whole);
    fog_close(&f);
}

/* ---- walks ---- */

static bool walk(bench *b, const char *spec, uint64_t *seed)
{
    cairn_move move;
    cairn_node from = random_cell(b->space, seed), to;
    if (cairn_random_reachable(b->space, from, seed, &to)) return false;
    const cairn_path *path;
    cairn_search_find(b->search, &(cairn_query){.from = from, .to = to}, &path);
    if (cairn_path_step_count(b->space, path) < LEAST) return false;
    count_nodes(b, from, to);
    check(cairn_navigator_create(b->planner, NULL, &b->agent), "navigator");
    cairn_navigator_start(b->agent, from, to);
    compare(b, &b->first);
    b->bytes += (double)cairn_navigator_sums(b->agent).bytes;
    for (uint32_t which = 0; which < 2; which++) {
        for (uint32_t i = 0; i < STEPS; i++) cairn_navigator_next(b->agent, &move);
        build_ahead(b, which);
    }
    b->walks++;
    cairn_navigator_destroy(b->agent);
    walk_in_fog(b, spec, from, to);
    return true;
}

static double in_sum(const share *s)
{
    return per_cent((double)s->ours, (double)s->theirs);
}

static double by_walk(const share *s)
{
    return s->per_cents / (s->cases ? s->cases : 1);
}

static void report_fog(const char *what, const share *s)
{
    printf("fog, %s: %6.2f %% of the nodes (by walk %.2f %%); time %6.2f %%; %u of %u worse\n",
           what, in_sum(s), by_walk(s), per_cent(s->our_time, s->their_time), s->worse, s->cases);
}

static void report(const bench *b)
{
    for (uint32_t which = 0; which < 2; which++) {
        const share *s = &b->built[which], *t = &b->gone[which];
        printf("%2u ahead: built %6.2f %% (by walk %.2f %%), gone %6.2f %% (%.2f %%) of the nodes; "
               "time %6.2f %%; %u of %u worse\n",
               which ? 30 : 5, in_sum(s), by_walk(s), in_sum(t), by_walk(t),
               per_cent(s->our_time, s->their_time), s->worse, s->cases);
    }
    report_fog("after the first step", &b->fog);
    report_fog("whole walks", &b->whole);
    printf("first search: %.0f %% of the nodes, time %.0f %%; %.1f bytes a node, %.2f of what it "
           "may hold; walks %.0f %%\n",
           in_sum(&b->first), per_cent(b->first.our_time, b->first.their_time),
           b->bytes / (double)(b->nodes ? b->nodes : 1),
           b->bytes / (double)(16 * b->nodes + 12 * b->queued + (uint64_t)MAY_HOLD * b->walks),
           in_sum(&b->walk));
}

static void run(bench *b, const char *map, const char *spec, uint32_t problems)
{
    cairn_context *context;
    uint64_t seed = 11;
    check(cairn_context_create(NULL, &context), "context");
    check(cairn_grid_load(context, map, &b->grid, NULL), map);
    check(cairn_space_of_grid(b->grid, NULL, &b->space, NULL), map);
    b->search = search_of(b->space, "astar", &b->judge);
    check(cairn_planner_create(b->space, spec, &b->planner, NULL), spec);
    for (uint32_t done = 0, tries = 0; done < problems && tries < 50 * problems; tries++)
        done += walk(b, spec, &seed);
    cairn_search_destroy(b->search);
    cairn_planner_destroy(b->judge);
    cairn_planner_destroy(b->planner);
    cairn_space_destroy(b->space);
    cairn_grid_destroy(b->grid);
    cairn_context_destroy(context);
}

int main(int count, char **words)
{
    bench b = {0};
    uint32_t problems = 20;
    const char *spec = "dstar-lite";
    for (int i = 1; i < count; i++) {
        if (!strcmp(words[i], "-n") && i + 1 < count)
            problems = (uint32_t)strtoul(words[++i], NULL, 10);
        else if (!strcmp(words[i], "-a") && i + 1 < count)
            spec = words[++i];
        else
            run(&b, words[i], spec, problems);
    }
    report(&b);
    return 0;
}
