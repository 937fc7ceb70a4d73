/* test_units.c: what is large is done in units of work: goals that are many nodes, cells that many
 * links leave, nodes with many neighbours. Step by step it is the same answer, by the same work.
 * (tools/check_units.sh counts the instructions of a unit.)
 */
#include "kit.h"

#include "search/path_builder.h"

enum { SIDE = 60, NODES = SIDE * SIDE, CROWD = 1000 };

/* Streets, and with a hub roads from there to a lot of crossings. */
static kit streets(bool hub)
{
    kit k = {0};
    static cairn_position positions[NODES];
    static cairn_graph_edge edges[2 * NODES + CROWD];
    uint32_t count = 0;
    scene_rng rng = {77};
    for (uint32_t i = 0; i < NODES; i++) {
        positions[i] = (cairn_position){i % SIDE, i / SIDE, 0};
        uint32_t weight = 100 + scene_random(&rng, 50);
        if (i % SIDE + 1 < SIDE) edges[count++] = (cairn_graph_edge){i, i + 1, weight};
        if (i / SIDE + 1 < SIDE) edges[count++] = (cairn_graph_edge){i, i + SIDE, weight + 9};
    }
    for (uint32_t i = 0; hub && i < CROWD; i++)
        edges[count++] = (cairn_graph_edge){0, NODES - 1 - 2 * i, 3000 + i % 7};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    cairn_graph_options options = {.node_count = NODES,
                                   .edge_count = count,
                                   .positions = positions,
                                   .edges = edges,
                                   .both_ways = true};
    CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    return k;
}

/* Answers a query one unit at a time and at once. The same, by the same work. */
static uint64_t in_units(kit *k, const cairn_query *query, cairn_cost *cost)
{
    const cairn_path *path;
    uint64_t units = 0;
    cairn_status status = cairn_search_begin(k->search, query);
    for (; status == CAIRN_RUNNING; units++) status = cairn_search_step(k->search, 1);
    CHECK_STATUS(status, CAIRN_FOUND);
    CHECK_STATUS(cairn_search_result(k->search, &path), CAIRN_FOUND);
    cairn_node end = path->end;
    cairn_metrics metrics = cairn_search_metrics(k->search);
    *cost = path->cost;
    CHECK(metrics.work == units, "%u units, not %u", (unsigned)metrics.work, (unsigned)units);
    CHECK_STATUS(cairn_search_find(k->search, query, &path), CAIRN_FOUND);
    cairn_metrics whole = cairn_search_metrics(k->search);
    CHECK(path->end == end && path->cost == *cost && whole.work == units &&
              whole.expanded == metrics.expanded && whole.generated == metrics.generated,
          "at once it is another answer: %u at %u by %u", path->cost, path->end,
          (unsigned)whole.work);
    return units;
}

typedef struct region {
    const cairn_node *goals; /* NULL = by position */
    uint32_t count;
    double radius;
} region;

static bool region_has(const kit *k, const region *r, cairn_node node, cairn_node centre)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (r->goals[i] == node) return true;
    cairn_position a = cairn_space_position(k->space, node),
                   b = cairn_space_position(k->space, centre);
    double dx = a.x - b.x, dy = a.y - b.y;
    return !r->goals && dx * dx + dy * dy <= r->radius * r->radius;
}

/* The least cost to one of them, by a search of everything. */
static cairn_cost least_cost(kit *k, cairn_node from, const region *r, cairn_node centre)
{
    cairn_cost least = CAIRN_NO_COST;
    cairn_query all = {.from = from, .goal_kind = CAIRN_GOAL_NONE};
    kit other = *k;
    other.planner = NULL, other.search = NULL;
    kit_plan(&other, "dijkstra");
    CHECK_STATUS(cairn_search_find(other.search, &all, NULL), CAIRN_FOUND);
    for (cairn_node node = 0; node < cairn_space_node_count(k->space); node++) {
        cairn_cost cost = cairn_search_cost_to(other.search, node);
        if (cost < least && region_has(k, r, node, centre)) least = cost;
    }
    cairn_search_destroy(other.search);
    cairn_planner_destroy(other.planner);
    return least;
}

static void check_region(kit *k, const cairn_query *query, const region *r, uint64_t units)
{
    static const char *const specs[] = {"astar", "dijkstra", "astar:open=heap"};
    cairn_cost right = least_cost(k, query->from, r, query->to), cost;
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit_plan(k, specs[i]);
        uint64_t taken = in_units(k, query, &cost);
        CHECK(cost == right, "%s: %u, not %u", specs[i], cost, right);
        CHECK(taken > units, "%s: %u units", specs[i], (unsigned)taken);
    }
}

static void what_lies_round_a_goal_is_collected_in_units_of_work(void **state)
{
    (void)state;
    scene *s = scene_blank("hall", 200, 150);
    kit graph = streets(false), grid = kit_of_scene(s, &s->profile);
    cairn_query query = {
        .from = NODES - 1, .to = 70, .goal_kind = CAIRN_GOAL_WITHIN, .radius = 45.5};
    check_region(&graph, &query, &(region){.radius = 45.5}, 40);
    query = (cairn_query){
        .from = 200 * 150 - 1, .to = 200 * 30 + 40, .goal_kind = CAIRN_GOAL_WITHIN, .radius = 90};
    check_region(&grid, &query, &(region){.radius = 90}, 100);
    kit_close(&graph);
    kit_end(&grid, s);
}

static void many_goals_in_any_order_are_each_a_goal(void **state)
{
    (void)state;
    kit k = streets(false);
    static cairn_node goals[3000];
    scene_rng rng = {5};
    for (uint32_t round = 0; round < 6; round++) {
        uint32_t count = 2 + scene_random(&rng, 2998);
        for (uint32_t i = 0; i < count; i++) goals[i] = scene_random(&rng, NODES / 3);
        cairn_query query = {
            .from = NODES - 1 - scene_random(&rng, SIDE), .goals = goals, .goal_count = count};
        check_region(&k, &query, &(region){.goals = goals, .count = count}, count / 64);
    }
    kit_close(&k);
}

static void next_to_a_hub_there_are_many(void **state)
{
    (void)state;
    kit k = streets(true);
    static cairn_node beside[CROWD + 2];
    uint32_t count = 0;
    for (cairn_node node = 0; node < NODES; node++) {
        if (cairn_space_step_cost(k.space, node, 0) != CAIRN_NO_COST) beside[count++] = node;
    }
    assert_int_equal(count, CROWD + 2);
    cairn_query query = {.from = 5, .to = 0, .goal_kind = CAIRN_GOAL_NEXT_TO};
    check_region(&k, &query, &(region){.goals = beside, .count = count}, 10);
    query.from = NODES - 2 * CROWD + 2; /* no neighbour of the hub; the last ones lie beside it */
    check_region(&k, &query, &(region){.goals = beside, .count = count}, 10);
    kit_close(&k);
}

/* Resolving goals uses up the budget: the start is all that is known. */
static void a_budget_may_end_while_goals_are_collected(void **state)
{
    (void)state;
    kit k = streets(false);
    const cairn_path *path;
    cairn_query query = {
        .from = NODES - 1, .to = 70, .goal_kind = CAIRN_GOAL_WITHIN, .radius = 45.5, .max_work = 3};
    kit_plan(&k, "astar");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_OUT_OF_BUDGET);
    CHECK(!path->count && cairn_search_metrics(k.search).work == 3, "a path to nothing");
    query.partial = true;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_OUT_OF_BUDGET);
    CHECK(path->partial && path->end == NODES - 1 && path->count == 1, "it ends at %u", path->end);
    kit_close(&k);
}

/* ---- crowds ---- */

/* Open ground with a wall across, and links from one cell to a lot of others; every other one of
 * them is a shortcut. */
static kit crowd_of_links(scene **s)
{
    *s = scene_blank("crowd", 96, 80);
    for (uint32_t x = 0; x < 96; x++) (*s)->open[40 * 96 + x] = x == 90;
    kit k = kit_of_scene(*s, &(*s)->profile);
    scene_rng rng = {9};
    for (uint32_t i = 0; i < 900; i++) {
        cairn_link link = {.from = i < 500 ? 20 * 96 + 20 : scene_random(&rng, 96 * 80),
                           .to = i < 500 || i >= 700 ? scene_random(&rng, 96 * 80) : 50 * 96 + 50,
                           .id = i,
                           .cost = i % 2 ? 256 * 5 : 256 * 150};
        if (link.from != link.to) CHECK_OK(cairn_grid_add_link(k.grid, &link));
    }
    CHECK_OK(cairn_grid_commit(k.grid));
    return k;
}

static const char *const exact_specs[] = {
    "astar",      "dijkstra",         "astar:open=heap", "astar:heuristic=manhattan",
    "astar-fast", "jps:jumps=always", "jps-plus",        "hierarchical-astar",
    "alt",        "cluster-table"};
static const char *const other_specs[] = {
    "hpa", "dhpa", "pra", "mm", "dbastar", "sga", "theta", "lazy-theta", "pra:ground=greedy"};

static void check_exact(kit *k, cairn_query query, const char *spec)
{
    cairn_cost cost, right;
    kit_plan(k, "dijkstra:loop=generic");
    in_units(k, &query, &right);
    kit_plan(k, spec);
    in_units(k, &query, &cost);
    bool exact = k->planner && strcmp(spec, "astar:heuristic=manhattan");
    CHECK(exact ? cost == right : cost >= right, "%s: from %u to %u %u, not %u", spec, query.from,
          query.to, cost, right);
}

static void links_of_a_crowded_cell_are_followed_in_units_of_work(void **state)
{
    (void)state;
    scene *s;
    kit k = crowd_of_links(&s);
    cairn_query from = {.from = 20 * 96 + 20, .to = 96 * 80 - 1},
                past = {.from = 96 * 10 + 3, .to = 60 * 96 + 7},
                to = {.from = 0, .to = 50 * 96 + 51};
    for (uint32_t i = 0; i < LENGTH(exact_specs); i++) {
        check_exact(&k, from, exact_specs[i]);
        check_exact(&k, past, exact_specs[i]);
        check_exact(&k, to, exact_specs[i]);
    }
    for (uint32_t i = 0; i < LENGTH(other_specs); i++) {
        cairn_cost cost;
        kit_plan(&k, other_specs[i]);
        in_units(&k, &from, &cost);
        in_units(&k, &past, &cost);
        in_units(&k, &to, &cost);
    }
    kit_end(&k, s);
}

static void a_crowded_cell_takes_more_than_a_unit(void **state)
{
    (void)state;
    scene *s;
    kit k = crowd_of_links(&s);
    cairn_query query = {.from = 20 * 96 + 20, .to = 96 * 80 - 1};
    static const char *const specs[] = {"astar", "astar:open=heap", "jps:jumps=always", "theta"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit_plan(&k, specs[i]);
        CHECK_STATUS(cairn_search_begin(k.search, &query), CAIRN_RUNNING);
        cairn_search_step(k.search, 10);
        cairn_metrics metrics = cairn_search_metrics(k.search);
        CHECK(metrics.expanded == 1 && metrics.work == 10, "%s: %u expanded by %u units", specs[i],
              (unsigned)metrics.expanded, (unsigned)metrics.work);
    }
    kit_end(&k, s);
}

static void a_hub_of_a_graph_is_passed_in_units_of_work(void **state)
{
    (void)state;
    kit k = streets(true);
    cairn_query past = {.from = 3, .to = NODES - 1}, to = {.from = NODES - SIDE / 2, .to = 0};
    static const char *const specs[] = {"astar", "pra", "hierarchical-astar", "pra:ground=greedy"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        cairn_cost cost, right;
        const cairn_query *queries[] = {&past, &to};
        for (uint32_t q = 0; q < 2; q++) {
            kit_plan(&k, "dijkstra");
            in_units(&k, queries[q], &right);
            kit_plan(&k, specs[i]);
            in_units(&k, queries[q], &cost);
            CHECK(cost >= right && cost <= 2 * right, "%s: %u, not %u", specs[i], cost, right);
            CHECK(i == 1 || i == 3 || cost == right, "%s: %u, not %u", specs[i], cost, right);
        }
    }
    kit_close(&k);
}

/* Events of a search: how many of each kind. */
static void count_event(void *user, const cairn_event *event)
{
    ((uint32_t *)user)[event->kind]++;
}

/* Asks with a sink and without: the same work. */
static void check_listened(kit *k, const char *spec, const cairn_query *query)
{
    const cairn_path *path;
    uint32_t events[64] = {0};
    cairn_trace_sink sink = {count_event, events};
    CHECK_STATUS(cairn_search_find(k->search, query, &path), CAIRN_FOUND);
    cairn_metrics quiet = cairn_search_metrics(k->search);
    cairn_search_trace(k->search, &sink);
    CHECK_STATUS(cairn_search_find(k->search, query, &path), CAIRN_FOUND);
    cairn_search_trace(k->search, NULL);
    cairn_metrics traced = cairn_search_metrics(k->search);
    CHECK(events[CAIRN_EVENT_EXPAND] && events[CAIRN_EVENT_CLOSE], "%s: nothing is told", spec);
    CHECK(quiet.work == traced.work && quiet.expanded == traced.expanded &&
              quiet.generated == traced.generated && quiet.reopened == traced.reopened &&
              quiet.pushes == traced.pushes,
          "%s from %u to %u: %u units, listened to %u", spec, query->from, query->to,
          (unsigned)quiet.work, (unsigned)traced.work);
}

/* Nodes of abstract graphs that have as many edges as a batch, more and fewer, in lists and not. */
static void who_listens_changes_no_unit_of_work(void **state)
{
    (void)state;
    static const char *const specs[] = {"pra",
                                        "pra:orphans=single",
                                        "pra:ground=greedy",
                                        "hpa",
                                        "hpa:size=10",
                                        "hpa:levels=2",
                                        "hpa:size=8,intra=lazy",
                                        "hpa:insert=dijkstra",
                                        "dhpa",
                                        "hierarchical-astar",
                                        "mm",
                                        "dbastar"};
    scene *s;
    kit grid = crowd_of_links(&s), graph = streets(true);
    scene_rng rng = {3};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit_plan(&grid, specs[i]);
        for (uint32_t j = 0; j < 8; j++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = 60 * 96 + 7 + j};
            if (j % 2) query.from = 20 * 96 + 20;
            check_listened(&grid, specs[i], &query);
        }
        if (i > 2 && i != 9) continue;
        kit_plan(&graph, specs[i]);
        check_listened(&graph, specs[i], &(cairn_query){.from = 3, .to = NODES - 1 - i});
        check_listened(&graph, specs[i], &(cairn_query){.from = NODES - SIDE / 2, .to = 0});
    }
    kit_end(&grid, s);
    kit_close(&graph);
}

/* ---- parts ---- */

/* A wall that only links lead over: from all cells of a square to the same cell. One of them, the
 * first or the last, is cheaper than the others by far. */
static void the_best_of_many_links_is_found_in_units_of_work(void **state)
{
    (void)state;
    enum { WIDE = 128, HIGH = 64, EDGE = 24, CHEAP = 256 * 5, DEAR = 256 * 900 };
    static const char *const specs[] = {"dhpa",
                                        "dhpa:size=24",
                                        "hpa",
                                        "hpa:size=64",
                                        "hpa:intra=lazy",
                                        "mm:sector=64",
                                        "mm:sector=64,ahead=2",
                                        "dbastar:sector=64",
                                        "pra",
                                        "hierarchical-astar"};
    for (uint32_t last = 0; last < 2; last++) {
        scene *s = scene_blank("walled", WIDE, HIGH);
        for (uint32_t y = 0; y < HIGH; y++) s->open[y * WIDE + WIDE / 2] = false;
        kit k = kit_of_scene(s, &s->profile);
        for (uint32_t i = 0; i < EDGE * EDGE; i++) {
            bool cheap = i == last * (EDGE * EDGE - 1);
            cairn_link link = {.from = (EDGE + i / EDGE) * WIDE + EDGE + i % EDGE,
                               .to = 30 * WIDE + 100,
                               .id = i,
                               .cost = cheap ? CHEAP : DEAR};
            CHECK_OK(cairn_grid_add_link(k.grid, &link));
        }
        CHECK_OK(cairn_grid_commit(k.grid));
        cairn_query query = {.from = 2 * WIDE + 2, .to = 34 * WIDE + 110};
        cairn_cost right, cost;
        kit_plan(&k, "dijkstra");
        in_units(&k, &query, &right);
        for (uint32_t i = 0; i < LENGTH(specs); i++) {
            kit_plan(&k, specs[i]);
            in_units(&k, &query, &cost);
            CHECK(cost >= right && cost < right + DEAR / 2, "%s: %u, not %u", specs[i], cost,
                  right);
        }
        kit_end(&k, s);
    }
}

/* The paths that a search returns when its work ends some units early cost what they say. */
static void check_cut_off(kit *k, const char *spec, cairn_query query, uint64_t units)
{
    query.partial = true;
    for (uint64_t early = 1; early < 60; early += 3) {
        const cairn_path *path;
        cairn_cost cost;
        query.max_work = units - early;
        cairn_search_find(k->search, &query, &path);
        CHECK(path->partial, "%s: all is found in %u units", spec, (unsigned)query.max_work);
        bool legal = cairn_path_valid(k->space, path, &cost, NULL, NULL);
        CHECK(legal && cost == path->cost, "%s: after %u units the path costs %u, not %u", spec,
              (unsigned)query.max_work, cost, path->cost);
    }
}

/* One corridor, and rows of links beside its steps, some of them cheaper. */
static void add_links_to_corridor(kit *k, uint32_t edge)
{
    for (uint32_t y = 10; y < edge; y += 20) {
        for (uint32_t x = 30; x < 60; x++) {
            cairn_link link = {.from = y * edge + x, .to = y * edge + x + 1};
            if (y % 4) link.from++, link.to--; /* the corridor leads back */
            link.cost = x % 10 ? 2560 : 20;
            CHECK_OK(cairn_grid_add_link(k->grid, &link));
        }
    }
    CHECK_OK(cairn_grid_commit(k->grid));
}

/* A path is compared with links when it is known: some nodes for a unit. */
static void long_paths_are_compared_with_links_in_units_of_work(void **state)
{
    (void)state;
    enum { EDGE = 96 };
    static const char *const specs[] = {"hpa", "hpa:smooth=rays", "dhpa", "mm", "mm:smooth=none"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        scene *s = scene_serpent("serpent", EDGE, EDGE);
        kit k = kit_of_scene(s, &s->profile);
        cairn_query query = {.from = 0, .to = (EDGE - 2) * EDGE + EDGE / 2};
        cairn_cost right, cost;
        kit_plan(&k, specs[i]);
        uint64_t before = in_units(&k, &query, &cost);
        add_links_to_corridor(&k, EDGE);
        kit_plan(&k, "dijkstra");
        in_units(&k, &query, &right);
        CHECK(right < cost, "no link is of use: %u and %u", right, cost);
        kit_plan(&k, specs[i]);
        uint64_t after = in_units(&k, &query, &cost);
        CHECK(cost == right, "%s: %u, not %u", specs[i], cost, right);
        CHECK(after >= before + EDGE * EDGE / 2 / 256, "%s: %u units, and with links %u", specs[i],
              (unsigned)before, (unsigned)after);
        check_cut_off(&k, specs[i], query, after);
        kit_end(&k, s);
    }
}

/* Steps whose costs know of no link, as stored routes have them. At any time what is reported is the
 * cost of the path so far, and at the end every link is used. */
static void what_links_save_is_kept_from_unit_to_unit(void **state)
{
    (void)state;
    enum { WIDE = 2000, STEP_EAST = 1, EVERY = 90, CHEAP = 20 };
    scene *s = scene_blank("hall", WIDE, 4);
    kit k = kit_of_scene(s, &s->profile);
    uint32_t links = 0;
    for (uint32_t x = 10; x + 1 < WIDE; x += EVERY, links++) {
        cairn_link link = {.from = x, .to = x + 1, .cost = CHEAP};
        CHECK_OK(cairn_grid_add_link(k.grid, &link));
    }
    CHECK_OK(cairn_grid_commit(k.grid));
    kit_plan(&k, "hpa");
    CHECK_STATUS(cairn_search_begin(k.search, &(cairn_query){.to = WIDE - 1}), CAIRN_RUNNING);
    crn_builder *builder = k.search->scratch;
    uint8_t east[WIDE - 1];
    memset(east, STEP_EAST, sizeof east);
    CHECK_OK(crn_builder_begin(builder, 0));
    CHECK_OK(crn_builder_walk(builder, east, WIDE - 1));
    cairn_cost before = crn_builder_cost_to(k.search, WIDE - 1), last = before;
    cairn_cost saving =
        before / (WIDE - 1) - crn_links_used(crn_grid_space_of(k.space), 10, 11)->cost;
    CHECK_STATUS(crn_builder_deliver(k.search, true, false), CAIRN_RUNNING);
    uint32_t units = 0;
    cairn_status status = CAIRN_RUNNING;
    for (; status == CAIRN_RUNNING; units++) {
        uint64_t work = 1;
        status = crn_builder_smooth_step(builder, &work);
        cairn_cost cost = crn_builder_cost_to(k.search, WIDE - 1);
        CHECK(cost < last && (before - cost) % saving == 0, "unit %u: %u after %u", units, cost,
              last);
        last = cost;
    }
    CHECK_OK(status);
    CHECK_STATUS(crn_builder_deliver(k.search, true, true), CAIRN_FOUND);
    CHECK(last == before - links * saving, "%u, not %u", last, before - links * saving);
    CHECK(units >= WIDE / 256, "%u units", units);
    kit_end(&k, s);
}

/* Pieces that smoothing makes too short get longer, perhaps by a link. Whenever the work ends, the
 * path can be walked and costs what it says. */
static void pieces_with_links_may_be_cut_off_at_any_time(void **state)
{
    (void)state;
    enum { EDGE = 96, PIECES = 12 };
    static const char *const specs[] = {"hpa:size=8,smooth=rays", "dhpa:size=8,smooth=rays"};
    scene *s = scene_blank("walled", EDGE, EDGE);
    for (uint32_t y = 0; y < EDGE; y++) s->open[y * EDGE + 40] = false;
    kit k = kit_of_scene(s, &s->profile);
    cairn_link link = {.from = 60 * EDGE + 39, .to = 62 * EDGE + 44, .cost = 256};
    CHECK_OK(cairn_grid_add_link(k.grid, &link));
    CHECK_OK(cairn_grid_commit(k.grid));
    for (uint32_t i = 0; i < LENGTH(specs) * PIECES; i++) {
        const char *spec = specs[i % LENGTH(specs)];
        cairn_query query = {.from = 2 * EDGE + 2, .to = 80 * EDGE + 90, .partial = true};
        cairn_status status = CAIRN_RUNNING;
        query.piece = 30 + 3 * (uint32_t)(i / LENGTH(specs));
        kit_plan(&k, spec);
        for (query.max_work = 1; status != CAIRN_FOUND; query.max_work++) {
            const cairn_path *path;
            cairn_cost cost;
            status = cairn_search_find(k.search, &query, &path);
            bool legal = !path->count || cairn_path_valid(k.space, path, &cost, NULL, NULL);
            CHECK(legal && (!path->count || cost == path->cost), "%s: piece %u, %u units", spec,
                  query.piece, (unsigned)query.max_work);
        }
    }
    kit_end(&k, s);
}

/* Returns how many units pass before a query expands a node. */
static uint32_t units_before_a_node(kit *k, const char *spec, const cairn_query *query)
{
    uint32_t units = 0;
    kit_plan(k, spec);
    CHECK_STATUS(cairn_search_begin(k->search, query), CAIRN_RUNNING);
    for (; cairn_search_metrics(k->search).expanded == 0; units++)
        CHECK_STATUS(cairn_search_step(k->search, 1), CAIRN_RUNNING);
    return units;
}

/* On open ground the ends are joined by floods. Those of small clusters are part of a unit. */
static void floods_of_large_clusters_are_units_of_work(void **state)
{
    (void)state;
    scene *s = scene_blank("hall", 200, 200);
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = {.from = 3 * 200 + 3, .to = 190 * 200 + 190};
    uint32_t small = units_before_a_node(&k, "hpa:size=32,levels=1", &query),
             large = units_before_a_node(&k, "hpa:size=64,levels=1", &query);
    CHECK(small <= 1 && large >= 5, "%u units and %u", small, large);
    cairn_cost cost;
    in_units(&k, &query, &cost);
    kit_end(&k, s);
}

/* What leads out of the cluster of the start is gathered. Many links are looked up by another unit
 * than the one that has found the last of them. */
static void links_that_leave_a_cluster_are_gathered_first(void **state)
{
    (void)state;
    uint32_t units[2];
    for (uint32_t many = 0; many < 2; many++) {
        scene *s = scene_blank("hall", 100, 100);
        kit k = kit_of_scene(s, &s->profile);
        for (uint32_t i = 0; i < (many ? 31 : 20); i++) {
            cairn_link link = {
                .from = 3 * 100 + 3, .to = (40 + i) * 100 + 77, .id = i, .cost = 90000};
            CHECK_OK(cairn_grid_add_link(k.grid, &link));
        }
        CHECK_OK(cairn_grid_commit(k.grid));
        cairn_query query = {.from = 3 * 100 + 3, .to = 95 * 100 + 30};
        units[many] = units_before_a_node(&k, "hpa", &query);
        kit_end(&k, s);
    }
    CHECK(units[1] == units[0] + 1, "%u units, then %u", units[0], units[1]);
}

/* Goals in more places than are marked in a unit. Wherever the budget ends, there is a path, if only
 * to the start; and who listens hears the same in units of work as at once. */
static void a_budget_may_end_while_goals_are_marked(void **state)
{
    (void)state;
    cairn_node goals[200];
    scene *s = scene_blank("open", 256, 256);
    for (uint32_t i = 0; i < 200; i++) goals[i] = (i / 14 * 17 + 5) * 256 + i % 14 * 18 + 3;
    cairn_query query = {.from = 200 * 256 + 251, .goals = goals, .goal_count = 200};
    static const char *const specs[] = {"dijkstra", "astar", "astar:open=heap", "theta"};
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, specs[i]);
        query.partial = true;
        for (query.max_work = 1; query.max_work < 60; query.max_work++) {
            const cairn_path *path;
            cairn_status status = cairn_search_begin(k.search, &query);
            while (status == CAIRN_RUNNING) status = cairn_search_step(k.search, 1);
            CHECK_STATUS(cairn_search_result(k.search, &path), status);
            CHECK(path->count && path->nodes[0] == query.from && path->cost != CAIRN_NO_COST &&
                      (path->end != query.from || path->cost == 0),
                  "%s, %u units: to %u for %u", specs[i], (unsigned)query.max_work, path->end,
                  path->cost);
        }
        query.max_work = 0, query.partial = false;
        uint32_t events[2][64] = {{0}};
        for (uint32_t whole = 0; whole < 2; whole++) {
            cairn_trace_sink sink = {count_event, events[whole]};
            cairn_search_trace(k.search, &sink);
            cairn_status status = cairn_search_begin(k.search, &query);
            while (status == CAIRN_RUNNING)
                status = cairn_search_step(k.search, whole ? UINT64_MAX : 1);
            CHECK_STATUS(status, CAIRN_FOUND);
        }
        CHECK(events[0][CAIRN_EVENT_DESTINATION] == 200, "%s: goals are not told", specs[i]);
        assert_memory_equal(events[0], events[1], sizeof events[0]);
        kit_close(&k);
    }
    scene_destroy(s);
}

/* The first query finds the edges of the nodes that it expands, the second one knows them. */
static void a_cluster_is_searched_in_units_of_work(void **state)
{
    (void)state;
    scene *s = scene_blank("hall", 96, 96);
    for (uint32_t i = 0; i < 96 * 96; i++) s->open[i] = i % 7 != 3 || i / 96 % 5 == 1;
    s->open[1] = s->open[96 * 96 - 1] = true;
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = {.from = 1, .to = 96 * 96 - 1};
    kit_plan(&k, "hpa:intra=lazy,levels=1");
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    cairn_metrics first = cairn_search_metrics(k.search);
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    cairn_metrics second = cairn_search_metrics(k.search);
    CHECK(first.expanded == second.expanded && first.work == second.work, "%u units, then %u",
          (unsigned)first.work, (unsigned)second.work);
    CHECK(first.work > 2 * first.expanded, "%u units for %u nodes", (unsigned)first.work,
          (unsigned)first.expanded);
    kit_end(&k, s);
}

/* A position in the middle of a circle: every node of it is looked at. */
static void nodes_at_positions_are_found_in_units_of_work(void **state)
{
    (void)state;
    enum { RING = 4000 };
    static cairn_position positions[RING];
    static cairn_graph_edge edges[RING];
    kit k = {0};
    for (uint32_t i = 0; i < RING; i++) {
        uint32_t x = i < RING / 2 ? i : RING - i, y = RING / 2 - (x > RING / 2 ? RING - x : x);
        positions[i] = (cairn_position){(double)x - RING / 4, i < RING / 2 ? y : -(double)y, 1e9};
        edges[i] = (cairn_graph_edge){i, (i + 1) % RING, 100};
    }
    cairn_graph_options options = {.node_count = RING,
                                   .edge_count = RING,
                                   .positions = positions,
                                   .edges = edges,
                                   .both_ways = true};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    kit_plan(&k, "astar");
    /* so far away that all of them are equally far */
    cairn_query query = {.by_position = CAIRN_FROM_POSITION | CAIRN_TO_POSITION,
                         .from_position = {0, 0, -1e300},
                         .to_position = positions[RING / 3]};
    CHECK_STATUS(cairn_search_begin(k.search, &query), CAIRN_RUNNING);
    uint32_t units = 0;
    for (; cairn_search_metrics(k.search).expanded == 0; units++)
        CHECK_STATUS(cairn_search_step(k.search, 1), CAIRN_RUNNING);
    CHECK(units > RING / 256, "%u units before the first node", units);
    cairn_cost cost;
    in_units(&k, &query, &cost);
    const cairn_path *path;
    cairn_search_result(k.search, &path);
    CHECK(path->nodes[0] == cairn_space_node_at(k.space, query.from_position) &&
              path->end == RING / 3 && cost == RING / 3 * 100,
          "from %u to %u for %u", path->nodes[0], path->end, cost);
    kit_close(&k);
}

static size_t most_moved;
static void *watch_moves(void *user, void *old, size_t old_size, size_t size)
{
    (void)user;
    if (old && size && old_size > most_moved) most_moved = old_size;
    if (size) return realloc(old, size);
    free(old);
    return NULL;
}

/* A long list of goals grows without being copied at once. */
static void many_goals_are_moved_in_units_of_work(void **state)
{
    (void)state;
    enum { WIDE = 600, GOALS = WIDE * 500, MOVED = 20000 };
    static cairn_node goals[GOALS];
    static uint8_t open[WIDE * WIDE];
    cairn_context_options options = cairn_context_defaults();
    options.allocate = watch_moves;
    kit k = {0};
    memset(open, 1, sizeof open);
    for (uint32_t i = 0; i < GOALS; i++) goals[i] = i;
    goals[MOVED] = GOALS - 1; /* the nearest one is moved several times */
    goals[GOALS - 1] = MOVED;
    cairn_grid_options size = {.width = WIDE, .height = WIDE, .open = open};
    cairn_profile profile = cairn_profile_default();
    CHECK_OK(cairn_context_create(&options, &k.context));
    CHECK_OK(cairn_grid_create(k.context, &size, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, &profile, &k.space, NULL));
    kit_plan(&k, "dijkstra");
    most_moved = 0;
    cairn_query query = {.from = WIDE * WIDE - 1, .goals = goals, .goal_count = GOALS};
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    CHECK(most_moved <= 1 << 17, "%u bytes were moved", (unsigned)most_moved);
    CHECK(path->cost == 100 * cairn_space_scale(k.space).straight && path->end == GOALS - 1,
          "to %u for %u", path->end, path->cost);
    kit_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_round_a_goal_is_collected_in_units_of_work),
        cmocka_unit_test(many_goals_in_any_order_are_each_a_goal),
        cmocka_unit_test(next_to_a_hub_there_are_many),
        cmocka_unit_test(a_budget_may_end_while_goals_are_collected),
        cmocka_unit_test(a_budget_may_end_while_goals_are_marked),
        cmocka_unit_test(links_of_a_crowded_cell_are_followed_in_units_of_work),
        cmocka_unit_test(a_crowded_cell_takes_more_than_a_unit),
        cmocka_unit_test(a_hub_of_a_graph_is_passed_in_units_of_work),
        cmocka_unit_test(who_listens_changes_no_unit_of_work),
        cmocka_unit_test(the_best_of_many_links_is_found_in_units_of_work),
        cmocka_unit_test(long_paths_are_compared_with_links_in_units_of_work),
        cmocka_unit_test(what_links_save_is_kept_from_unit_to_unit),
        cmocka_unit_test(pieces_with_links_may_be_cut_off_at_any_time),
        cmocka_unit_test(floods_of_large_clusters_are_units_of_work),
        cmocka_unit_test(links_that_leave_a_cluster_are_gathered_first),
        cmocka_unit_test(a_cluster_is_searched_in_units_of_work),
        cmocka_unit_test(nodes_at_positions_are_found_in_units_of_work),
        cmocka_unit_test(many_goals_are_moved_in_units_of_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
