/* reproduce_labels.c: connected components under edits (Anguelov 8.2.1.2; see reproduce.h).
 *
 * Each problem of a map is a round. Six places are closed, one commit each: a cell, a small wall
 * and a ring, somewhere in the component of the start, and the same three near the line from start
 * to goal, where SGA* meets them. A wall is the narrowest of eight that cross the passage that they
 * stand in; a ring always encloses something. So components split, and join when the places are
 * opened again at the end of the round. The choice depends on the map's name and the number of the
 * problem alone.
 *
 * - Each place is closed and opened some times, for the median. The same edits go to a copy of the
 *   grid that has no space: the difference is what the space adds, which is mostly components.
 * - What the thesis calls its preprocessing step is done in each round: a label for each cell, by
 *   flooding. So is what Cairn does from scratch, a new space. The labels are compared with the
 *   components that were kept up to date: if they differ, there is no table.
 * - Between the edits A* and SGA*, with and without labels, solve the problem, if start and goal
 *   are still connected. SGA* is watched: which of its sub-goals lie in another component, and how
 *   many nodes are expanded for these.
 * - For some problems they then look for a goal that was cut off, and for the problem's goal from a
 *   start that was enclosed. Cairn's A* always asks the components, so A* without labels is a
 *   search for no goal: it expands the same nodes, all that can be reached, and saves the
 *   estimates.
 */
#include "reproduce_labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABELS_PLACES = 6,
    LABELS_CELLS = 64,  /* of a place */
    LABELS_TRIES = 200, /* to find one */
    LABELS_REACH = 16,  /* of a wall, from its middle */
    LABELS_RADIUS_LEAST = 3,
    LABELS_RADIUS_MOST = 8, /* of a ring */
    LABELS_STRAY = 8,       /* of places near the line */
    LABELS_COMMITS = 3,
    LABELS_TURNS = 3,
    LABELS_SITES = 8, /* of which the narrowest gets the wall */
    LABELS_REPEATS = 32
};
/* A run of this many microseconds needs no run before it. */
#define LABELS_LONG_US 5000

/* An edit: cells that were open. */
typedef struct labels_place {
    uint32_t series;
    cairn_cell middle, cells[LABELS_CELLS];
    uint32_t count;
} labels_place;

/* What one algorithm made of one problem. */
typedef struct labels_answer {
    bool asked;
    cairn_status status;
    cairn_cost cost;
    double time_us;
    uint64_t expanded, wasted;
    uint32_t subgoals, discarded;
} labels_answer;

typedef struct labels_contest {
    reproduce_job *job;
    cairn_grid *twin; /* the same map without a space */
    cairn_planner *planners[REPRODUCE_SERIES];
    cairn_search *searches[REPRODUCE_SERIES];
    double asking; /* what it takes to ask for the time */
    uint8_t *open; /* of each cell; then its label, and a stack */
    uint32_t *labels, *stack, label_count;
    uint64_t *components; /* of each label */
    double relabel_us, build_us;
    /* the round */
    const reproduce_problem *problem;
    uint64_t random;
    labels_place places[LABELS_PLACES];
} labels_contest;

static bool labels_complain(const labels_contest *c, const char *what)
{
    complain("%s: %s", c->job->part->map, what);
    return false;
}

/* ---- from scratch ---- */

static void labels_flood(labels_contest *c, uint32_t first, uint32_t label)
{
    uint32_t width = cairn_grid_width(c->job->grid),
             nodes = width * cairn_grid_height(c->job->grid);
    uint32_t waiting = 0;
    c->stack[waiting++] = first;
    c->labels[first] = label;
    while (waiting) {
        uint32_t node = c->stack[--waiting], x = node % width;
        const uint32_t beside[4] = {node - width, x + 1 < width ? node + 1 : nodes, node + width,
                                    x ? node - 1 : nodes};
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t next = beside[i];
            if (next >= nodes || !c->open[next] || c->labels[next]) continue;
            c->labels[next] = label;
            c->stack[waiting++] = next;
        }
    }
}

/* Without cut corners, cells are connected by straight steps alone if at all. */
static void labels_from_scratch(labels_contest *c)
{
    uint32_t nodes = cairn_space_node_count(c->job->space);
    for (uint32_t i = 0; i < nodes; i++) c->open[i] = cairn_space_usable(c->job->space, i);
    double begin = reproduce_clock();
    memset(c->labels, 0, nodes * sizeof *c->labels);
    c->label_count = 0;
    for (uint32_t i = 0; i < nodes; i++)
        if (c->open[i] && !c->labels[i]) labels_flood(c, i, ++c->label_count);
    c->relabel_us = reproduce_clock() - begin;
}

static bool labels_build_space(labels_contest *c)
{
    cairn_space *space = NULL;
    cairn_error error = {0};
    double begin = reproduce_clock();
    cairn_status status = cairn_space_of_grid(c->job->grid, NULL, &space, &error);
    c->build_us = reproduce_clock() - begin;
    cairn_space_destroy(space);
    return status ? labels_complain(c, error.text) : true;
}

/* Each label stands for one component, and there are as many of both. */
static bool labels_agree(labels_contest *c)
{
    const cairn_space *space = c->job->space;
    uint32_t count, largest;
    memset(c->components, 0, (c->label_count + 1u) * sizeof *c->components);
    if (cairn_space_components(space, &count, &largest))
        return labels_complain(c, "there is not enough memory to count components");
    bool same = count == c->label_count;
    for (uint32_t i = 0; same && i < cairn_space_node_count(space); i++) {
        uint64_t *known = &c->components[c->labels[i]], component = cairn_space_component(space, i);
        if (!*known) *known = component;
        same = *known == component;
    }
    return same ? true : labels_complain(c, "the components are not those of the map");
}

/* ---- places ---- */

static uint32_t labels_below(labels_contest *c, uint32_t count)
{
    return (uint32_t)(((reproduce_random(&c->random) >> 32) * count) >> 32);
}

static bool labels_near(cairn_cell a, cairn_cell b, int32_t distance)
{
    return abs(a.x - b.x) <= distance && abs(a.y - b.y) <= distance;
}

static bool labels_is_end(const labels_contest *c, cairn_cell cell, int32_t distance)
{
    const cairn_grid *grid = c->job->grid;
    return labels_near(cell, cairn_grid_cell(grid, c->problem->from), distance) ||
           labels_near(cell, cairn_grid_cell(grid, c->problem->to), distance);
}

static bool labels_is_usable(const labels_contest *c, cairn_cell cell)
{
    const cairn_grid *grid = c->job->grid;
    return cell.x >= 0 && cell.y >= 0 && (uint32_t)cell.x < cairn_grid_width(grid) &&
           (uint32_t)cell.y < cairn_grid_height(grid) &&
           cairn_space_usable(c->job->space, cairn_grid_node(grid, cell.x, cell.y));
}

/* Between the second and the eighth tenth of the line, or anywhere. */
static cairn_cell labels_guess(labels_contest *c, bool near)
{
    const cairn_grid *grid = c->job->grid;
    if (!near) return cairn_grid_cell(grid, labels_below(c, cairn_space_node_count(c->job->space)));
    cairn_cell from = cairn_grid_cell(grid, c->problem->from),
               to = cairn_grid_cell(grid, c->problem->to);
    int32_t part = 2000 + (int32_t)labels_below(c, 6001);
    int32_t dx = (int32_t)((int64_t)(to.x - from.x) * part / 10000),
            dy = (int32_t)((int64_t)(to.y - from.y) * part / 10000);
    return (cairn_cell){from.x + dx + (int32_t)labels_below(c, 2 * LABELS_STRAY + 1) - LABELS_STRAY,
                        from.y + dy + (int32_t)labels_below(c, 2 * LABELS_STRAY + 1) -
                            LABELS_STRAY};
}

/* A cell that the start is connected with, away from both ends. */
static bool labels_find_middle(labels_contest *c, bool near, cairn_cell *out)
{
    const cairn_space *space = c->job->space;
    for (uint32_t i = 0; i < LABELS_TRIES; i++) {
        *out = labels_guess(c, near);
        if (!labels_is_usable(c, *out) || labels_is_end(c, *out, LABELS_RADIUS_MOST + 1)) continue;
        cairn_node node = cairn_grid_node(c->job->grid, out->x, out->y);
        if (cairn_reachable(space, c->problem->from, node) == CAIRN_REACH_YES) return true;
    }
    return false;
}

static void labels_put(const labels_contest *c, labels_place *place, int32_t x, int32_t y)
{
    cairn_cell cell = {x, y};
    if (place->count < LABELS_CELLS && labels_is_usable(c, cell) && !labels_is_end(c, cell, 0))
        place->cells[place->count++] = cell;
}

/* How far a wall can go from the middle. */
static int32_t labels_run(const labels_contest *c, cairn_cell middle, int32_t dx, int32_t dy)
{
    int32_t length = 0;
    while (length < LABELS_REACH && labels_is_usable(c, (cairn_cell){middle.x + dx * (length + 1),
                                                                     middle.y + dy * (length + 1)}))
        length++;
    return length;
}

static void labels_put_wall(const labels_contest *c, labels_place *place, cairn_cell middle)
{
    *place = (labels_place){.series = LABELS_WALL, .middle = middle};
    int32_t west = labels_run(c, middle, -1, 0), east = labels_run(c, middle, 1, 0);
    int32_t north = labels_run(c, middle, 0, -1), south = labels_run(c, middle, 0, 1);
    bool across = west + east <= north + south;
    for (int32_t i = across ? -west : -north; i <= (across ? east : south); i++)
        labels_put(c, place, middle.x + (across ? i : 0), middle.y + (across ? 0 : i));
}

static void labels_put_ring(labels_contest *c, labels_place *place)
{
    cairn_cell middle = place->middle;
    int32_t radius = LABELS_RADIUS_LEAST +
                     (int32_t)labels_below(c, LABELS_RADIUS_MOST - LABELS_RADIUS_LEAST + 1);
    for (int32_t y = -radius; y <= radius; y++) {
        bool whole = abs(y) == radius;
        for (int32_t x = -radius; x <= radius; x += whole ? 1 : 2 * radius)
            labels_put(c, place, middle.x + x, middle.y + y);
    }
}

/* Walls stand where the map is narrow. */
static void labels_choose_wall(labels_contest *c, labels_place *place, bool near)
{
    for (uint32_t i = 0; i < LABELS_SITES; i++) {
        labels_place site;
        cairn_cell middle;
        if (!labels_find_middle(c, near, &middle)) return;
        labels_put_wall(c, &site, middle);
        if (site.count && (!place->count || site.count < place->count)) *place = site;
    }
}

/* Without cells if there is no such place. */
static void labels_choose(labels_contest *c, labels_place *place, uint32_t series, bool near)
{
    *place = (labels_place){.series = series};
    if (series == LABELS_WALL) {
        labels_choose_wall(c, place, near);
    } else if (labels_find_middle(c, near, &place->middle)) {
        if (series == LABELS_CELL) labels_put(c, place, place->middle.x, place->middle.y);
        if (series == LABELS_RING) labels_put_ring(c, place);
    }
}

/* ---- edits ---- */

/* What two commits of the same cells took: with the space, and without it. */
typedef struct labels_times {
    double with, without;
} labels_times;

static double labels_commit_one(const labels_contest *c, cairn_grid *grid,
                                const labels_place *place, bool open, bool *ok)
{
    for (uint32_t i = 0; i < place->count; i++)
        if (cairn_grid_set_open(grid, place->cells[i].x, place->cells[i].y, open)) *ok = false;
    double begin = reproduce_clock();
    if (cairn_grid_commit(grid)) *ok = false;
    return fmax(reproduce_clock() - begin - c->asking, 0);
}

static bool labels_commit(const labels_contest *c, const labels_place *place, bool open,
                          labels_times *out)
{
    bool ok = true;
    out->without = labels_commit_one(c, c->twin, place, open, &ok);
    out->with = labels_commit_one(c, c->job->grid, place, open, &ok);
    return ok ? true : labels_complain(c, "an edit could not be committed");
}

static void labels_count_edit(labels_contest *c, const labels_place *place, double *with,
                              double *without)
{
    statistic *cells = c->job->part->record.cells[place->series];
    double time = statistic_median(with, LABELS_COMMITS),
           base = statistic_median(without, LABELS_COMMITS);
    cairn_upkeep work = cairn_space_upkeep(c->job->space);
    statistic_add(&cells[METRIC_CHANGED], place->count);
    statistic_add(&cells[METRIC_TILES], work.tiles_updated);
    statistic_add(&cells[METRIC_BLOCKS], work.blocks_joined);
    statistic_add(&cells[METRIC_TIME], time);
    statistic_add(&cells[METRIC_BASE_TIME], base);
    if (c->relabel_us > 0)
        statistic_add(&cells[METRIC_UPKEEP_PERCENT], 100 * (time - base) / c->relabel_us);
}

/* Closed, not timed; then opened and closed some times. */
static bool labels_edit(labels_contest *c, const labels_place *place)
{
    double with[2][LABELS_COMMITS], without[2][LABELS_COMMITS];
    labels_times times;
    uint32_t before = 0, after = 0, largest;
    bool ok = !cairn_space_components(c->job->space, &before, &largest) &&
              labels_commit(c, place, false, &times) &&
              !cairn_space_components(c->job->space, &after, &largest);
    for (uint32_t i = 0; ok && i < 2 * LABELS_COMMITS; i++) {
        bool open = i % 2 == 0;
        ok = labels_commit(c, place, open, &times);
        with[open][i / 2] = times.with;
        without[open][i / 2] = times.without;
        if (ok && i + 2 >= 2 * LABELS_COMMITS)
            labels_count_edit(c, place, with[open], without[open]);
    }
    statistic *cells = c->job->part->record.cells[place->series];
    statistic_add(&cells[METRIC_SPLIT], before != after);
    statistic_add(&cells[METRIC_BUILD_MS], c->build_us / 1e3);
    statistic_add(&cells[METRIC_RELABEL_MS], c->relabel_us / 1e3);
    statistic_add(&cells[METRIC_INDEX_BYTES], (double)cairn_space_bytes(c->job->space));
    return ok;
}

static bool labels_close_all(labels_contest *c)
{
    static const uint32_t kinds[] = {LABELS_CELL, LABELS_WALL, LABELS_RING};
    labels_from_scratch(c);
    bool ok = labels_build_space(c);
    for (uint32_t i = 0; ok && i < LABELS_PLACES; i++) {
        labels_choose(c, &c->places[i], kinds[i % 3], i >= 3);
        ok = !c->places[i].count || labels_edit(c, &c->places[i]);
    }
    if (ok) labels_from_scratch(c);
    return ok && labels_agree(c);
}

static bool labels_open_all(labels_contest *c)
{
    labels_times ignored;
    bool ok = true;
    for (uint32_t i = 0; ok && i < LABELS_PLACES; i++)
        ok = !c->places[i].count || labels_commit(c, &c->places[i], true, &ignored);
    return ok;
}

/* ---- queries ---- */

/* Watches the sub-goals of SGA*. */
typedef struct labels_watch {
    const cairn_space *space;
    uint64_t component; /* of the start */
    bool elsewhere;     /* is the sub-goal at hand in another one? */
    labels_answer *answer;
} labels_watch;

static void labels_see(void *user, const cairn_event *event)
{
    labels_watch *watch = user;
    if (event->kind == CAIRN_EVENT_SUBGOAL) {
        watch->elsewhere = cairn_space_component(watch->space, event->node) != watch->component;
        watch->answer->subgoals++;
        watch->answer->discarded += watch->elsewhere;
    }
    if (event->kind == CAIRN_EVENT_EXPAND) watch->answer->wasted += watch->elsewhere;
}

static void labels_ask_watched(const labels_contest *c, uint32_t series, const cairn_query *query,
                               labels_answer *out)
{
    const cairn_space *space = c->job->space;
    labels_watch watch = {space, cairn_space_component(space, query->from), false, out};
    cairn_trace_sink sink = {labels_see, &watch};
    cairn_search_trace(c->searches[series], &sink);
    cairn_search_find(c->searches[series], query, NULL);
    cairn_search_trace(c->searches[series], NULL);
}

/* Once without being timed, watched or not, unless it takes long. */
static double labels_ask(const labels_contest *c, uint32_t series, const cairn_query *query,
                         bool only, labels_answer *out)
{
    cairn_search *search = c->searches[series];
    const cairn_path *path;
    bool watch = series && series < LABELS_GOAL;
    double time = 0;
    *out = (labels_answer){.asked = true};
    if (watch)
        labels_ask_watched(c, series, query, out);
    else
        time = reproduce_time(c->asking, search, query, false, &path);
    if (time < LABELS_LONG_US) time = reproduce_time(c->asking, search, query, only, &path);
    out->status = path->status;
    out->cost = path->cost;
    out->expanded = cairn_search_metrics(search).expanded;
    return time;
}

/* How often a problem is given to all. Labels save little of the problems that can be solved, so
 * these take more than one turn. */
static uint32_t labels_turns(const labels_contest *c, uint32_t first)
{
    uint32_t repeat = reproduce_repeats(c->job);
    return first || repeat > LABELS_TURNS ? repeat : LABELS_TURNS;
}

/* All series from the first on in turn, each time beginning with another one. */
static bool labels_ask_all(const labels_contest *c, const cairn_query *query, uint32_t first,
                           uint32_t count, labels_answer *answers)
{
    double times[REPRODUCE_SERIES][LABELS_REPEATS];
    uint32_t turns = labels_turns(c, first);
    memset(answers, 0, count * sizeof *answers);
    for (uint32_t step = 0; step < turns * count; step++) {
        uint32_t turn = step / count, i = (step + turn + c->problem->number) % count;
        if (reproduce_ending()) return false;
        if (!c->searches[first + i]) continue;
        cairn_query own = *query;
        if (first && !i) own.goal_kind = CAIRN_GOAL_NONE; /* A* that knows of no components */
        times[i][turn] = labels_ask(c, first + i, &own, turns == 1, &answers[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        if (answers[i].asked) answers[i].time_us = statistic_median(times[i], turns);
    return true;
}

static void labels_percent(statistic *s, double value, double of)
{
    if (of > 0) statistic_add(s, 100 * value / of);
}

static void labels_count(const labels_contest *c, uint32_t series, const labels_answer *base,
                         const labels_answer *a)
{
    statistic *cells = c->job->part->record.cells[series];
    statistic_add(&cells[METRIC_EXPANDED], (double)a->expanded);
    statistic_add(&cells[METRIC_TIME], a->time_us);
    if (!base->asked) return;
    labels_percent(&cells[METRIC_EXPANDED_PERCENT], (double)a->expanded, (double)base->expanded);
    labels_percent(&cells[METRIC_TIME_PERCENT], a->time_us, base->time_us);
    statistic_add(&cells[METRIC_BASE_TIME], base->time_us);
}

static void labels_count_subgoals(statistic *cells, const labels_answer *base,
                                  const labels_answer *a)
{
    statistic_add(&cells[METRIC_SUBGOALS], a->subgoals);
    statistic_add(&cells[METRIC_WASTED], (double)a->wasted);
    labels_percent(&cells[METRIC_DISCARDED], a->discarded, a->subgoals);
    labels_percent(&cells[METRIC_WASTED_PERCENT], (double)a->wasted, (double)a->expanded);
    if (base->subgoals) /* SGA* without labels */
        labels_percent(&cells[METRIC_REST_PERCENT], (double)a->expanded,
                       (double)(base->expanded - base->wasted));
}

static bool labels_solve(const labels_contest *c)
{
    labels_answer answers[LABELS_GOAL];
    cairn_query query = {.from = c->problem->from, .to = c->problem->to};
    if (!labels_ask_all(c, &query, 0, LABELS_GOAL, answers)) return false;
    if (answers[0].status != CAIRN_FOUND || !answers[0].cost) return true;
    for (uint32_t i = 0; i < LABELS_GOAL; i++) {
        const labels_answer *a = &answers[i], *base = &answers[c->job->series[i].base];
        statistic *cells = c->job->part->record.cells[i];
        if (!a->asked) continue;
        statistic_add(&cells[METRIC_FAILED], a->status != CAIRN_FOUND);
        if (a->status != CAIRN_FOUND) continue;
        statistic_add(&cells[METRIC_COST],
                      (double)a->cost / cairn_space_scale(c->job->space).straight);
        statistic_add(&cells[METRIC_LONGER], 100 * ((double)a->cost / answers[0].cost - 1));
        labels_count(c, i, base, a);
        if (i) labels_count_subgoals(cells, base, a);
    }
    return true;
}

/* There is no path; what a search for no goal says of that is that it is done. */
static bool labels_fail(const labels_contest *c, cairn_node from, cairn_node to, uint32_t first)
{
    enum { COUNT = LABELS_START - LABELS_GOAL };
    labels_answer answers[COUNT];
    cairn_query query = {.from = from, .to = to};
    if (!labels_ask_all(c, &query, first, COUNT, answers)) return false;
    for (uint32_t i = 0; i < COUNT; i++) {
        statistic *cells = c->job->part->record.cells[first + i];
        if (!answers[i].asked) continue;
        statistic_add(&cells[METRIC_FAILED],
                      answers[i].status != (i ? CAIRN_UNREACHABLE : CAIRN_FOUND));
        labels_count(c, first + i, &answers[c->job->series[first + i].base - first], &answers[i]);
    }
    return true;
}

/* What a ring has enclosed: the one near the line, if it is there. */
static bool labels_enclosed(const labels_contest *c, cairn_node *out)
{
    for (uint32_t i = LABELS_PLACES; i--;) {
        const labels_place *place = &c->places[i];
        if (place->series != LABELS_RING || !place->count) continue;
        *out = cairn_grid_node(c->job->grid, place->middle.x, place->middle.y);
        if (cairn_space_usable(c->job->space, *out)) return true;
    }
    return false;
}

/* Both could be reached before the edits. */
static bool labels_ask_cut(const labels_contest *c, bool solvable)
{
    const cairn_space *space = c->job->space;
    cairn_node from = c->problem->from, to = c->problem->to, inside;
    bool enclosed = labels_enclosed(c, &inside);
    cairn_node goal = enclosed && solvable ? inside : to;
    bool ok = true;
    if (cairn_reachable(space, from, goal) == CAIRN_REACH_NO)
        ok = labels_fail(c, from, goal, LABELS_GOAL);
    if (ok && enclosed && cairn_reachable(space, inside, to) == CAIRN_REACH_NO)
        ok = labels_fail(c, inside, to, LABELS_START);
    return ok;
}

/* ---- all of it ---- */

static bool labels_round(labels_contest *c, uint32_t number)
{
    const reproduce_part *part = c->job->part;
    uint32_t every = c->job->series[LABELS_GOAL].every;
    if (cairn_reachable(c->job->space, c->problem->from, c->problem->to) != CAIRN_REACH_YES)
        return true;
    c->random = reproduce_hash(REPRODUCE_HASH, part->map, strlen(part->map)) + c->problem->number;
    bool ok = labels_close_all(c);
    if (ok) {
        bool solvable =
            cairn_reachable(c->job->space, c->problem->from, c->problem->to) == CAIRN_REACH_YES;
        ok = (!solvable || labels_solve(c)) && (number % every || labels_ask_cut(c, solvable));
    }
    return ok && labels_open_all(c);
}

static bool labels_make_searches(labels_contest *c)
{
    const reproduce_job *job = c->job;
    for (uint32_t i = 0; i < LABELS_CELL; i++) {
        cairn_error error = {0};
        if (!job->series[i].spec) continue;
        cairn_status status =
            cairn_planner_create(job->space, job->series[i].spec, &c->planners[i], &error);
        if (!status) status = cairn_search_create(c->planners[i], NULL, &c->searches[i]);
        if (status)
            return labels_complain(c, error.text[0] ? error.text : cairn_status_text(status));
    }
    return true;
}

/* The copy has the same cells; its space would be updated by every commit. */
static bool labels_begin(labels_contest *c)
{
    size_t nodes = cairn_space_node_count(c->job->space);
    c->asking = reproduce_asking();
    c->open = malloc(nodes);
    c->labels = malloc(nodes * sizeof *c->labels);
    c->stack = malloc(nodes * sizeof *c->stack);
    c->components = malloc((nodes + 1) * sizeof *c->components);
    if (!c->open || !c->labels || !c->stack || !c->components)
        return labels_complain(c, "there is not enough memory for labels");
    reproduce_job copy = *c->job;
    copy.grid = NULL;
    copy.space = NULL;
    bool ok = reproduce_open(&copy);
    cairn_space_destroy(copy.space);
    c->twin = copy.grid;
    return ok && labels_make_searches(c);
}

static void labels_end(labels_contest *c)
{
    for (uint32_t i = 0; i < LABELS_CELL; i++) {
        cairn_search_destroy(c->searches[i]);
        cairn_planner_destroy(c->planners[i]);
    }
    cairn_grid_destroy(c->twin);
    free(c->open);
    free(c->labels);
    free(c->stack);
    free(c->components);
}

bool reproduce_label(reproduce_job *job)
{
    labels_contest c = {.job = job};
    reproduce_problem *problems = NULL;
    uint32_t count = 0;
    uint64_t hash = cairn_space_hash(job->space);
    bool ok = reproduce_problems(job, &problems, &count) && labels_begin(&c);
    for (uint32_t i = 0; ok && i < count; i++) {
        c.problem = &problems[i];
        ok = !reproduce_ending() && labels_round(&c, i);
    }
    if (ok && cairn_space_hash(job->space) != hash)
        ok = labels_complain(&c, "what was closed was not opened again");
    labels_end(&c);
    free(problems);
    return ok;
}
