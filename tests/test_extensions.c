/* test_extensions.c: places in the descriptor that no algorithm of the registry uses yet, proved by
 * algorithms of this test: paths that improve, next moves from an index, events of navigators,
 * states that are not nodes.
 */
#include "continuous/navigator.h"
#include "kit.h"
#include "search/own_search.h"
#include "search/subsearch.h"

extern const crn_algorithm crn_algorithm_astar;

static void extension_plan(kit *k, const crn_algorithm *algorithm)
{
    CHECK_OK(crn_planner_create_of(k->space, algorithm, "", &k->planner, NULL));
    CHECK_OK(cairn_search_create(k->planner, NULL, &k->search));
}

static void set_open(kit *k, int32_t x, int32_t y, bool open)
{
    CHECK_OK(cairn_grid_set_open(k->grid, x, y, open));
    CHECK_OK(cairn_grid_commit(k->grid));
}

/* ---- anytime: weighted A* with smaller and smaller weights ------------------------------- */

typedef struct anytime {
    cairn_search *search;
    crn_subsearch subsearch;
    uint32_t weight; /* of the search that comes next, or is under way */
    bool begun;
    cairn_node *nodes; /* turning points of the best path, the goal first */
    uint32_t count;
    cairn_cost cost;
} anytime;

enum { ANYTIME_WEIGHT = 8 };

static cairn_cost anytime_estimate(void *user, cairn_node node)
{
    const anytime *a = user;
    const cairn_space *space = a->search->space;
    return a->weight *
           space->functions->estimate(space, space->default_heuristic, node, &a->search->box);
}

static cairn_status anytime_open(cairn_search *search)
{
    anytime *a = search->scratch = crn_scratch_alloc(&search->memory, sizeof *a);
    if (!a) return CAIRN_OUT_OF_MEMORY;
    memset(a, 0, sizeof *a);
    a->search = search;
    a->nodes = malloc(search->space->node_count * sizeof *a->nodes);
    cairn_status status =
        crn_subsearch_open(&a->subsearch, &search->memory, search, search->planner->space, 0);
    a->subsearch.estimate = anytime_estimate;
    a->subsearch.estimate_user = a;
    return status;
}

static void anytime_close(cairn_search *search)
{
    anytime *a = search->scratch;
    if (!a) return;
    crn_subsearch_close(&a->subsearch);
    free(a->nodes);
    crn_scratch_free(&search->memory, a, sizeof *a);
}

static cairn_status anytime_begin(cairn_search *search)
{
    anytime *a = search->scratch;
    a->weight = ANYTIME_WEIGHT;
    a->cost = CAIRN_NO_COST;
    a->begun = false;
    return CAIRN_RUNNING;
}

/* A search has ended: keeps its path if it is cheaper. */
static void anytime_keep(anytime *a, cairn_node goal)
{
    cairn_cost cost = crn_subsearch_cost(&a->subsearch, goal);
    a->begun = false;
    a->search->bound = a->weight;
    a->search->improvable = a->weight > 1;
    a->weight /= 2;
    if (cost >= a->cost) return;
    a->cost = cost;
    a->count = 0;
    for (; goal != CAIRN_NO_NODE; goal = crn_subsearch_before(&a->subsearch, goal))
        a->nodes[a->count++] = goal;
}

static cairn_status anytime_step(cairn_search *search, uint64_t work)
{
    anytime *a = search->scratch;
    cairn_status status = CAIRN_RUNNING;
    if (!a->begun)
        status = crn_subsearch_begin(&a->subsearch, search->query.from, search->goals[0]);
    a->begun = true;
    if (status == CAIRN_RUNNING) status = crn_subsearch_step(&a->subsearch, &work);
    if (status == CAIRN_FOUND) anytime_keep(a, search->reached_goal = search->goals[0]);
    return status;
}

static cairn_status anytime_improve(cairn_search *search, uint64_t work)
{
    cairn_status status = anytime_step(search, work);
    /* what was found before is still there */
    return status == CAIRN_RUNNING ? CAIRN_FOUND : status;
}

static cairn_status anytime_path_to(cairn_search *search, cairn_node node)
{
    const anytime *a = search->scratch;
    assert_int_equal(node, a->nodes[0]);
    cairn_status status = CAIRN_OK;
    crn_path_start(search);
    for (uint32_t i = 0; i < a->count && status == CAIRN_OK; i++)
        status = crn_path_add(search, a->nodes[i]);
    if (status == CAIRN_OK) crn_path_finish(search, a->cost);
    return status;
}

static cairn_cost anytime_cost_to(const cairn_search *search, cairn_node node)
{
    const anytime *a = search->scratch;
    return node == search->reached_goal ? a->cost : CAIRN_NO_COST;
}

static cairn_status extension_create(cairn_planner *planner, cairn_error *error)
{
    (void)planner, (void)error;
    return CAIRN_OK;
}

static void extension_destroy(cairn_planner *planner)
{
    (void)planner;
}

static bool anytime_handles(const cairn_search *search)
{
    return search->goal_count == 1 && !search->query.estimate;
}

static const crn_algorithm anytime_algorithm = {
    .info = {.name = "anytime",
             .aliases = "",
             .flags = CAIRN_ANYTIME | CAIRN_TERRAIN | CAIRN_MANY_GOALS,
             CRN_ALL_WORLDS},
    .create = extension_create,
    .destroy = extension_destroy,
    .open = anytime_open,
    .close = anytime_close,
    .handles = anytime_handles,
    .delegate = "astar",
    .begin = anytime_begin,
    .step = anytime_step,
    .improve = anytime_improve,
    .path_to = anytime_path_to,
    .cost_to = anytime_cost_to,
};

static cairn_cost best_cost(kit *k, cairn_node from, cairn_node to)
{
    cairn_planner *planner;
    cairn_search *search;
    cairn_cost cost;
    CHECK_OK(cairn_planner_create(k->space, "dijkstra", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    CHECK_STATUS(cairn_distance(search, from, to, &cost), CAIRN_FOUND);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    return cost;
}

/* Noise with a path from corner to corner. */
static scene *anytime_scene(uint64_t seed)
{
    scene *s = scene_noise("noise", 40, 40, 30, seed);
    for (uint32_t i = 0; i < 40; i++) s->open[i * 40] = s->open[39 * 40 + i] = true;
    return s;
}

static void paths_improve_until_they_are_the_best(void **state)
{
    (void)state;
    uint32_t improved = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        scene *s = anytime_scene(seed);
        kit k = kit_of_scene(s, &s->profile);
        extension_plan(&k, &anytime_algorithm);
        cairn_cost best = best_cost(&k, 0, 1599), last;
        const cairn_path *path;
        CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.to = 1599}, &path), CAIRN_FOUND);
        CHECK(path->improvable && path->suboptimality_bound == ANYTIME_WEIGHT, "the first path");
        for (last = path->cost; path->improvable; last = path->cost) {
            uint64_t work = cairn_search_metrics(k.search).work;
            CHECK_STATUS(cairn_search_improve(k.search, 37, &path), CAIRN_FOUND);
            CHECK(cairn_search_metrics(k.search).work > work, "metrics count on");
            cairn_cost cost;
            CHECK(path->cost <= last && path->cost <= path->suboptimality_bound * best, "no bound");
            CHECK(cairn_path_valid(k.space, path, &cost, NULL, NULL) && cost == path->cost,
                  "no path");
            assert_ptr_equal(path->answered_by, &anytime_algorithm.info);
            improved += path->cost < last;
        }
        assert_int_equal(path->cost, best);
        assert_true(path->suboptimality_bound == 1);
        CHECK_STATUS(cairn_search_improve(k.search, 37, &path), CAIRN_INVALID);
        assert_null(path);
        kit_end(&k, s);
    }
    CHECK(improved > 5, "%u improvements prove nothing", improved);
}

static void improving_ends_as_searches_do(void **state)
{
    (void)state;
    scene *s = anytime_scene(1);
    kit k = kit_of_scene(s, &s->profile);
    extension_plan(&k, &anytime_algorithm);
    const cairn_path *path;
    CHECK_STATUS(cairn_search_improve(NULL, 1, &path), CAIRN_INVALID);
    CHECK_STATUS(cairn_search_improve(k.search, 1, &path), CAIRN_INVALID); /* before any query */
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.to = 1599}, &path), CAIRN_FOUND);
    uint64_t work = cairn_search_metrics(k.search).work;
    CHECK_STATUS(
        cairn_search_find(k.search, &(cairn_query){.to = 1599, .max_work = work + 5}, &path),
        CAIRN_FOUND);
    CHECK_STATUS(cairn_search_improve(k.search, 1000, &path), CAIRN_FOUND);
    CHECK(cairn_search_metrics(k.search).work <= work + 5 && path->count, "more than the budget");
    CHECK_STATUS(cairn_search_improve(k.search, 1000, &path), CAIRN_FOUND);
    CHECK(!path->improvable && path->count, "the budget is used up");
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.to = 1599}, &path), CAIRN_FOUND);
    cairn_search_cancel(k.search);
    CHECK_STATUS(cairn_search_improve(k.search, 1, &path), CAIRN_CANCELLED);
    CHECK(!path->count && !path->improvable, "cancelled");
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.to = 1599}, &path), CAIRN_FOUND);
    set_open(&k, 0, 5, false);
    CHECK_STATUS(cairn_search_improve(k.search, 1, &path), CAIRN_STALE);
    kit_end(&k, s);
}

/* What it does not handle A* answers, which has nothing to improve. */
static void an_algorithm_outside_of_the_registry_delegates(void **state)
{
    (void)state;
    scene *s = anytime_scene(2);
    kit k = kit_of_scene(s, &s->profile);
    extension_plan(&k, &anytime_algorithm);
    cairn_node goals[2] = {1599, 1598};
    const cairn_path *path;
    cairn_query query = {.goals = goals, .goal_count = 2};
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    assert_string_equal(path->answered_by->name, "astar");
    CHECK(!path->improvable && path->suboptimality_bound == 1, "A*'s path");
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.to = 1599}, &path), CAIRN_FOUND);
    assert_string_equal(path->answered_by->name, "anytime");
    kit_end(&k, s);
}

/* Where there is no delegate they are refused, and the search answers nothing about them. */
static void without_a_delegate_queries_are_refused(void **state)
{
    (void)state;
    static crn_algorithm alone;
    alone = anytime_algorithm;
    alone.delegate = NULL;
    scene *s = anytime_scene(2);
    kit k = kit_of_scene(s, &s->profile);
    extension_plan(&k, &alone);
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.to = 1599}, &path), CAIRN_FOUND);
    cairn_node goals[2] = {1599, 1598};
    cairn_query query = {.goals = goals, .goal_count = 2};
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_UNSUPPORTED);
    assert_null(path->answered_by);
    assert_int_equal(cairn_search_cost_to(k.search, 1599), CAIRN_NO_COST);
    CHECK_STATUS(cairn_search_improve(k.search, 1, &path), CAIRN_INVALID);
    kit_end(&k, s);
}

/* ---- the next move: a complete table ------------------------------------------------------ */

static cairn_status hop_create(cairn_planner *planner, cairn_error *error)
{
    (void)error;
    size_t count = planner->space->node_count;
    planner->index = malloc(count * count * sizeof(cairn_node));
    return planner->index ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static void hop_destroy(cairn_planner *planner)
{
    free(planner->index);
}

static void hop_drop(cairn_planner *planner)
{
    (void)planner;
}

/* From every node back to `from`: steps can be made both ways here. */
static void hop_fill(cairn_planner *planner, cairn_search *search, cairn_node to)
{
    uint32_t count = planner->space->node_count;
    cairn_node *table = planner->index;
    for (cairn_node n = 0; n < count; n++) table[(size_t)n * count + to] = CAIRN_NO_NODE;
    cairn_query query = {.from = to, .goal_kind = CAIRN_GOAL_NONE};
    if (cairn_search_find(search, &query, NULL) != CAIRN_FOUND) return;
    for (cairn_node n = 0; n < count; n++) {
        const cairn_path *path;
        if (n == to || cairn_search_path_to(search, n, &path) != CAIRN_OK) continue;
        uint64_t steps = cairn_path_step_count(planner->space, path);
        cairn_path_cells(planner->space, path, steps - 2, &table[(size_t)n * count + to], 1);
    }
}

static cairn_status hop_build(cairn_planner *planner, const cairn_progress *progress,
                              cairn_error *error)
{
    (void)progress, (void)error;
    cairn_planner *dijkstra;
    cairn_search *search;
    CHECK_OK(cairn_planner_create(planner->space, "dijkstra", &dijkstra, NULL));
    CHECK_OK(cairn_search_create(dijkstra, NULL, &search));
    for (cairn_node to = 0; to < planner->space->node_count; to++) hop_fill(planner, search, to);
    cairn_search_destroy(search);
    cairn_planner_destroy(dijkstra);
    return CAIRN_OK;
}

static cairn_status hop_next_move(const cairn_planner *planner, cairn_node from, cairn_node to,
                                  cairn_node *next)
{
    const cairn_node *table = planner->index;
    *next = table[(size_t)from * planner->space->node_count + to];
    return *next == CAIRN_NO_NODE ? CAIRN_UNREACHABLE : CAIRN_FOUND;
}

static const crn_index_functions hop_index = {.build = hop_build, .drop = hop_drop};

static const crn_algorithm hop_algorithm = {
    .info = {.name = "hop",
             .aliases = "",
             .flags = CAIRN_NEXT_MOVE | CAIRN_NEEDS_INDEX,
             CRN_ALL_WORLDS},
    .create = hop_create,
    .destroy = hop_destroy,
    .index = &hop_index,
    .next_move = hop_next_move,
};

static const char hop_map[] = "......#.\n"
                              ".####.#.\n"
                              ".#..#.##\n"
                              ".#.##...\n"
                              "........\n";

/* Step by step along the table, at the cost of the best path. */
static void check_hops(kit *k, cairn_node from, cairn_node to)
{
    uint64_t cost = 0;
    cairn_cost best = best_cost(k, from, to);
    for (cairn_node at = from, next; at != to; at = next) {
        CHECK_STATUS(cairn_planner_next(k->planner, at, to, &next), CAIRN_FOUND);
        cairn_cost step = cairn_space_step_cost(k->space, at, next);
        CHECK(step != CAIRN_NO_COST && cost < best, "no step from %u to %u", at, next);
        cost += step;
    }
    assert_int_equal(cost, best);
}

static void moves_are_known_without_a_search(void **state)
{
    (void)state;
    scene *s = scene_of_text("hops", hop_map);
    kit k = kit_of_scene(s, &s->profile);
    CHECK_OK(crn_planner_create_of(k.space, &hop_algorithm, "", &k.planner, NULL));
    cairn_node next = 0;
    CHECK_STATUS(cairn_planner_next(k.planner, 0, 1, &next), CAIRN_NOT_BUILT);
    assert_int_equal(next, CAIRN_NO_NODE);
    CHECK_OK(cairn_planner_build(k.planner, NULL, NULL));
    for (cairn_node from = 0; from < 40; from++) {
        for (cairn_node to = 0; to < 40; to++) {
            cairn_reach reach = cairn_reachable(k.space, from, to);
            bool usable = s->open[from] && s->open[to];
            if (usable && reach == CAIRN_REACH_YES) check_hops(&k, from, to);
            if (usable && reach == CAIRN_REACH_NO)
                CHECK_STATUS(cairn_planner_next(k.planner, from, to, &next), CAIRN_UNREACHABLE);
        }
    }
    CHECK_STATUS(cairn_planner_next(k.planner, 3, 3, &next), CAIRN_FOUND);
    assert_int_equal(next, 3);
    CHECK_STATUS(cairn_planner_next(k.planner, 9, 3, &next), CAIRN_BLOCKED_START);
    CHECK_STATUS(cairn_planner_next(k.planner, 3, 9, &next), CAIRN_BLOCKED_GOAL);
    CHECK_STATUS(cairn_planner_next(k.planner, 3, 40, &next), CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_planner_next(NULL, 3, 3, &next), CAIRN_INVALID);
    CHECK_STATUS(cairn_planner_next(k.planner, 3, 3, NULL), CAIRN_INVALID);
    set_open(&k, 3, 4, false);
    CHECK_STATUS(cairn_planner_next(k.planner, 3, 4, &next), CAIRN_STALE);
    assert_int_equal(next, CAIRN_NO_NODE);
    CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    CHECK_STATUS(cairn_planner_next(k.planner, 0, 37, &next), CAIRN_FOUND);
    cairn_planner_destroy(k.planner);
    CHECK_OK(cairn_planner_create(k.space, "astar", &k.planner, NULL));
    CHECK_STATUS(cairn_planner_next(k.planner, 0, 1, &next), CAIRN_UNSUPPORTED);
    kit_end(&k, s);
}

/* ---- navigators are told what happened ----------------------------------------------------- */

static char told[64]; /* a letter for each event */

static void tell(char event)
{
    size_t length = strlen(told);
    if (length + 1 < sizeof told) told[length] = event, told[length + 1] = 0;
}

static void tell_start(cairn_navigator *navigator)
{
    tell('b');
    crn_navigator_replanning.start(navigator);
}

static void tell_changed(cairn_navigator *navigator)
{
    tell('c');
    crn_navigator_replanning.changed(navigator);
}

static void tell_stepped(cairn_navigator *navigator, cairn_node from)
{
    CHECK(cairn_space_step_cost(navigator->space, from, navigator->at) != CAIRN_NO_COST,
          "that is no step");
    tell('s');
    crn_navigator_replanning.stepped(navigator, from);
}

static void tell_pushed(cairn_navigator *navigator)
{
    tell('p');
    crn_navigator_replanning.pushed(navigator);
}

static void tell_retargeted(cairn_navigator *navigator)
{
    tell('r');
    crn_navigator_replanning.retargeted(navigator);
}

static void check_told(const char *events)
{
    assert_string_equal(told, events);
    told[0] = 0;
}

static void navigators_are_told_what_happened(void **state)
{
    (void)state;
    crn_navigator_functions functions = crn_navigator_replanning;
    functions.start = tell_start;
    functions.changed = tell_changed;
    functions.stepped = tell_stepped;
    functions.pushed = tell_pushed;
    functions.retargeted = tell_retargeted;
    crn_algorithm algorithm = crn_algorithm_astar;
    algorithm.navigator = &functions;
    scene *s = scene_blank("blank", 20, 20);
    kit k = kit_of_scene(s, &s->profile);
    CHECK_OK(crn_planner_create_of(k.space, &algorithm, "", &k.planner, NULL));
    cairn_navigator *navigator;
    CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
    CHECK_STATUS(cairn_navigator_moved(navigator, 5), CAIRN_INVALID);
    told[0] = 0;
    CHECK_OK(cairn_navigator_start(navigator, 0, 19));
    check_told("b");
    cairn_navigator_next(navigator, NULL);
    check_told("s"); /* to 1 */
    CHECK_OK(cairn_navigator_moved(navigator, 1));
    check_told("");
    CHECK_OK(cairn_navigator_moved(navigator, 2));
    check_told("s");
    set_open(&k, 10, 10, false);
    cairn_navigator_next(navigator, NULL);
    check_told("cs");
    CHECK_OK(cairn_navigator_moved(navigator, 300));
    check_told("p");
    set_open(&k, 10, 10, true);
    CHECK_OK(cairn_navigator_moved(navigator, 301));
    check_told("cs");
    set_open(&k, 10, 10, false);
    CHECK_OK(cairn_navigator_retarget(navigator, 18));
    check_told("cr");
    CHECK_STATUS(cairn_navigator_moved(navigator, 400), CAIRN_OUT_OF_BOUNDS);
    check_told("");
    cairn_navigator_destroy(navigator);
    kit_end(&k, s);
}

/* ---- states that are not nodes: a search that pays for turns ------------------------------- */

/* A node and the direction of the step to it; the direction of a node itself is TURN_NONE. */
enum { TURN_DIRECTIONS = 8, TURN_NONE = 8, TURN_PRICE = 700 };

static uint32_t turn_direction(const cairn_space *space, cairn_node from, cairn_node to)
{
    cairn_position a = cairn_space_position(space, from), b = cairn_space_position(space, to);
    uint32_t dx = (uint32_t)(b.x - a.x + 1.5), dy = (uint32_t)(b.y - a.y + 1.5);
    uint32_t place = dy * 3 + dx; /* 4 is the middle */
    return place < 4 ? place : place - 1;
}

static uint32_t turn_states(const cairn_space *space)
{
    return space->node_count * (1 + TURN_DIRECTIONS);
}

static cairn_node turn_node(const crn_own *own, uint32_t state)
{
    return (state - own->search->space->node_count) / TURN_DIRECTIONS;
}

static uint32_t turn_arrival(const crn_own *own, uint32_t state)
{
    uint32_t nodes = own->search->space->node_count;
    return state < nodes ? TURN_NONE : (state - nodes) % TURN_DIRECTIONS;
}

static const crn_own_plan turn_plan = {.size = sizeof(crn_own),
                                       .open = &crn_open_heap,
                                       .extra = sizeof(uint32_t), /* turns so far */
                                       .states = turn_states,
                                       .node_of = turn_node};

static cairn_status turn_open(cairn_search *search)
{
    return crn_own_open(search, &turn_plan);
}

static cairn_status turn_begin(cairn_search *search)
{
    return crn_own_begin(search, NULL, search->space->default_heuristic);
}

static void turn_relax(crn_own *own, const crn_own_batch *batch, cairn_edge edge)
{
    const cairn_space *space = own->search->space;
    uint32_t came = turn_arrival(own, batch->state);
    uint32_t goes = turn_direction(space, crn_own_node(own, batch->state), edge.node);
    bool turns = came != TURN_NONE && came != goes;
    uint32_t count = *(const uint32_t *)crn_own_extra(own, batch->state) + turns;
    uint64_t g = (uint64_t)batch->g + edge.cost + (turns ? TURN_PRICE : 0);
    uint32_t to = space->node_count + edge.node * TURN_DIRECTIONS + goes;
    if (!crn_own_relax(own, batch->state, to, g)) return;
    *(uint32_t *)crn_own_extra(own, to) = count;
    crn_own_push(own, to, g + crn_own_estimate(own, to), 0);
    if (edge.node != own->search->goals[0]) return;
    if (!crn_own_relax(own, to, edge.node, g)) return;
    *(uint32_t *)crn_own_extra(own, edge.node) = count;
    crn_own_push(own, edge.node, g, 0);
}

static cairn_status turn_step(cairn_search *search, uint64_t work)
{
    crn_own *own = search->scratch;
    cairn_status status = CAIRN_RUNNING;
    for (; work && status == CAIRN_RUNNING; work--) {
        crn_own_batch batch;
        status = crn_own_next(own, &batch);
        for (uint32_t i = 0; i < batch.count; i++) turn_relax(own, &batch, batch.edges[i]);
    }
    return crn_own_pause(own, status);
}

static const crn_algorithm turn_algorithm = {
    .info = {.name = "turns", .aliases = "", .flags = CAIRN_TERRAIN, CRN_ALL_WORLDS},
    .create = crn_own_create_optimal,
    .open = turn_open,
    .begin = turn_begin,
    .step = turn_step,
    CRN_OWN_SEARCH_FUNCTIONS,
};

/* The oracle: relaxes all states until nothing changes. */
static cairn_cost turn_oracle(const cairn_space *space, cairn_node from, cairn_node to)
{
    enum { SIDES = TURN_DIRECTIONS + 1 };
    size_t states = (size_t)space->node_count * SIDES;
    cairn_cost *costs = malloc(states * sizeof *costs);
    memset(costs, 0xff, states * sizeof *costs);
    costs[from * SIDES + TURN_NONE] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t s = 0; s < states; s++) {
            if (costs[s] == CAIRN_NO_COST) continue;
            cairn_edge edges[16];
            cairn_node at = (cairn_node)(s / SIDES);
            uint32_t count = cairn_space_expand(space, at, 0, edges, 16);
            for (uint32_t i = 0; i < count; i++) {
                uint32_t came = (uint32_t)(s % SIDES),
                         goes = turn_direction(space, at, edges[i].node);
                cairn_cost cost = costs[s] + edges[i].cost;
                if (came != TURN_NONE && came != goes) cost += TURN_PRICE;
                cairn_cost *known = &costs[(size_t)edges[i].node * SIDES + goes];
                changed |= cost < *known;
                if (cost < *known) *known = cost;
            }
        }
    }
    cairn_cost best = CAIRN_NO_COST;
    for (uint32_t d = 0; d < SIDES; d++) {
        cairn_cost cost = costs[(size_t)to * SIDES + d];
        if (cost < best) best = cost;
    }
    free(costs);
    return best;
}

static void check_turns(kit *k, const cairn_path *path, cairn_cost best)
{
    cairn_cost steps;
    CHECK(cairn_path_valid(k->space, path, &steps, NULL, NULL), "no path");
    crn_own *own = k->search->scratch;
    uint32_t turns = *(const uint32_t *)crn_own_extra(own, k->search->goals[0]);
    CHECK(path->cost == best, "%u instead of %u", path->cost, best);
    CHECK(path->cost == steps + turns * TURN_PRICE, "%u turns cannot be", turns);
}

static void states_need_not_be_nodes(void **state)
{
    (void)state;
    uint32_t found = 0, turning = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        scene *s = scene_noise("noise", 24, 24, 25, seed);
        kit k = kit_of_scene(s, &s->profile);
        extension_plan(&k, &turn_algorithm);
        for (cairn_node to = 570; to < 576; to++) {
            const cairn_path *path;
            cairn_cost best = turn_oracle(k.space, 0, to);
            cairn_status status =
                cairn_search_find(k.search, &(cairn_query){.from = 0, .to = to}, &path);
            CHECK((status == CAIRN_FOUND) == (best != CAIRN_NO_COST), "it is unreachable");
            if (status != CAIRN_FOUND) continue;
            check_turns(&k, path, best);
            found++;
            turning += best > best_cost(&k, 0, to);
        }
        kit_end(&k, s);
    }
    CHECK(found > 20 && turning > 10, "%u paths, %u with turns, prove nothing", found, turning);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_improve_until_they_are_the_best),
        cmocka_unit_test(improving_ends_as_searches_do),
        cmocka_unit_test(an_algorithm_outside_of_the_registry_delegates),
        cmocka_unit_test(without_a_delegate_queries_are_refused),
        cmocka_unit_test(moves_are_known_without_a_search),
        cmocka_unit_test(navigators_are_told_what_happened),
        cmocka_unit_test(states_need_not_be_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
