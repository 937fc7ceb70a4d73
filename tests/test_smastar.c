/* test_smastar.c: SMA*: the limit of nodes, dropping and generating again, paths that fit and paths
 * that do not. The conformance suite compares its paths with the oracle's.
 */
#include "deepening.h"

/* ---- memory ---- */

/* The most nodes that were held at once, and how many were dropped. */
static uint32_t most_held(const story *t, uint32_t *dropped)
{
    uint32_t held = 1, most = 1;
    *dropped = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        held += t->events[i].kind == CAIRN_EVENT_GENERATE;
        if (t->events[i].kind == CAIRN_EVENT_FORGET) held--, ++*dropped;
        if (held > most) most = held;
    }
    return most;
}

static void it_never_holds_more_nodes_than_its_limit(void **state)
{
    (void)state;
    static const uint32_t limits[] = {8, 12, 30, 100, 400};
    static const char *const names[] = {"gaps", "rooms", "swamps", "hex-light"};
    uint32_t drops = 0, found = 0;
    for (uint32_t n = 0; n < LENGTH(names); n++) {
        scene *s = scene_named(names[n]);
        kit k = kit_of_scene(s, &s->profile), best = kit_of_scene(s, &s->profile);
        kit_plan(&best, "astar");
        for (uint32_t m = 0; m < LENGTH(limits); m++) {
            char spec[64];
            scene_rng rng = {n + 1};
            snprintf(spec, sizeof spec, "smastar:nodes=%u,effort=3000", limits[m]);
            kit_plan(&k, spec);
            for (uint32_t i = 0; i < 12; i++) {
                cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
                const cairn_path *path, *other;
                uint32_t dropped;
                uint32_t most = most_held(story_of(&k, &query, &path), &dropped);
                CHECK(most <= limits[m], "%s in %s: %u nodes", spec, names[n], most);
                drops += dropped;
                if (path->status != CAIRN_FOUND) continue;
                cairn_search_find(best.search, &query, &other);
                CHECK(path->cost >= other->cost &&
                          path->cost <= path->suboptimality_bound * other->cost,
                      "%s in %s, %u to %u: %u, not %u", spec, names[n], query.from, query.to,
                      path->cost, other->cost);
                found++;
            }
        }
        kit_close(&best);
        kit_end(&k, s);
    }
    CHECK(drops > 10000 && found > 60, "%u dropped, %u found", drops, found);
}

/* ---- paths that fit ---- */

/* The only path through a winding corridor: it fits to the node. */
static void a_path_fits_if_there_is_a_place_for_each_of_its_nodes(void **state)
{
    (void)state;
    scene *s = scene_named("serpent");
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = {.from = 0, .to = 0};
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
    oracle_search(o, 0);
    for (cairn_node n = 0; n < o->count; n++) {
        if (o->distance[n] != ORACLE_NONE && o->distance[n] > o->distance[query.to]) query.to = n;
    }
    char spec[64];
    const cairn_path *path;
    snprintf(spec, sizeof spec, "smastar:nodes=%u", o->steps[query.to] + 1);
    kit_plan(&k, spec);
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    CHECK(path->cost == o->distance[query.to] && path->suboptimality_bound == 1, "%u", path->cost);
    snprintf(spec, sizeof spec, "smastar:nodes=%u", o->steps[query.to]);
    kit_plan(&k, spec);
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_TOO_LONG);
    assert_true(!path->count && !cairn_planner_optimal(k.planner));
    oracle_destroy(o);
    kit_end(&k, s);
}

/* A cheap path of ten steps, and an expensive edge beside it. */
static void a_path_that_fits_says_how_much_cheaper_others_may_be(void **state)
{
    (void)state;
    cairn_graph_edge edges[11];
    for (uint32_t i = 0; i < 10; i++) edges[i] = (cairn_graph_edge){i, i + 1, 2};
    edges[10] = (cairn_graph_edge){0, 10, 35};
    kit k = kit_of_edges(11, edges, 11);
    cairn_query query = {.from = 0, .to = 10};
    const cairn_path *path;
    kit_plan(&k, "smastar:nodes=8");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    CHECK(path->cost == 35 && path->suboptimality_bound >= 35.0 / 20, "%u, bound %f", path->cost,
          path->suboptimality_bound);
    assert_false(cairn_planner_optimal(k.planner));
    kit_plan(&k, "smastar:nodes=11");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    CHECK(path->cost == 20 && path->suboptimality_bound == 1, "%u", path->cost);
    assert_true(cairn_planner_optimal(k.planner));
    kit_close(&k);
}

/* The cost of the best path of at most `nodes` nodes to each node: of the best of one node fewer,
 * or of one step more. ORACLE_NONE = none is so short. */
static void best_that_fit(const oracle *o, cairn_node from, uint32_t nodes, uint64_t *best)
{
    uint64_t *before = malloc(o->count * sizeof *before);
    assert_non_null(before);
    for (uint32_t i = 0; i < o->count; i++) best[i] = i == from ? 0 : ORACLE_NONE;
    for (uint32_t step = 1; step < nodes && step < o->count; step++) {
        memcpy(before, best, o->count * sizeof *before);
        for (uint32_t i = 0; i < o->count; i++) {
            for (uint32_t e = o->first[i]; e < o->first[i + 1] && before[i] != ORACLE_NONE; e++)
                if (before[i] + o->cost[e] < best[o->to[e]])
                    best[o->to[e]] = before[i] + o->cost[e];
        }
    }
    free(before);
}

typedef struct fits {
    uint32_t asked, optimal, best, none, unreachable, gave; /* answers of each kind */
} fits;

/* One answer: is it the best path that fits, and does it say what it is? */
static void judge_fit(const answer *a, const uint64_t *fit, const oracle *o, uint32_t nodes,
                      fits *sum)
{
    cairn_node to = a->path.end;
    uint64_t best = fit[to], least = o->distance[to];
    double bound = a->path.suboptimality_bound;
    CHECK(a->path.cost == best, "%u nodes, to %u: %u, not %u", nodes, to, a->path.cost,
          (uint32_t)best);
    CHECK(bound >= 1 && (double)best <= bound * (double)least * (1 + 1e-9),
          "%u nodes, to %u: %u and %u, not %f", nodes, to, (uint32_t)best, (uint32_t)least, bound);
    CHECK(bound == 1 || nodes < o->count, "%u nodes: a path is not known to be optimal", nodes);
    sum->optimal += best == least && bound == 1;
    sum->best += best > least;
}

/* Asks for paths from one node, with every limit of nodes. */
static void ask_for_all_that_fit(kit *k, oracle *o, cairn_node from, fits *sum)
{
    uint64_t *fit = malloc(o->count * sizeof *fit);
    uint32_t reached = 0;
    assert_non_null(fit);
    oracle_search(o, from);
    for (uint32_t i = 0; i < o->count; i++) reached += o->distance[i] != ORACLE_NONE;
    for (uint32_t nodes = 2; nodes <= o->count + 1; nodes++) {
        char spec[64];
        snprintf(spec, sizeof spec, "smastar:nodes=%u,effort=300000", nodes);
        kit_plan(k, spec);
        best_that_fit(o, from, nodes, fit);
        for (cairn_node to = nodes % 2; to < o->count; to += 2) {
            cairn_query query = {.from = from, .to = to};
            answer a = answer_find(k->search, &query), b = answer_sliced(k->search, &query, 7);
            cairn_status status = a.path.status;
            CHECK(answer_same_path(&a, &b) && answer_same_metrics(&a, &b), "%s: slices", spec);
            sum->asked++;
            sum->gave += status == CAIRN_OUT_OF_BUDGET;
            sum->none += status == CAIRN_TOO_LONG;
            sum->unreachable += status == CAIRN_UNREACHABLE;
            bool none = status == CAIRN_TOO_LONG ? nodes < reached : o->distance[to] == ORACLE_NONE;
            if (fit[to] != ORACLE_NONE)
                CHECK(status == CAIRN_FOUND || status == CAIRN_OUT_OF_BUDGET, "%s, %u to %u: %s",
                      spec, from, to, cairn_status_text(status));
            else
                CHECK(none || !o->usable[to] || status == CAIRN_OUT_OF_BUDGET, "%s, %u to %u: %s",
                      spec, from, to, cairn_status_text(status));
            if (status == CAIRN_FOUND) judge_fit(&a, fit, o, nodes, sum);
            answer_free(&a), answer_free(&b);
        }
    }
    free(fit);
}

/* Were there answers of each kind? Components tell on grids what cannot be reached. */
static void check_fits(const fits *sum, bool grid)
{
    CHECK(sum->optimal > sum->asked / 4 && sum->best > sum->asked / 100 &&
              sum->none > sum->asked / 40 && (grid || sum->unreachable > sum->asked / 50) &&
              !sum->gave,
          "%u asked: %u optimal, %u best, %u none, %u unreachable, %u gave up", sum->asked,
          sum->optimal, sum->best, sum->none, sum->unreachable, sum->gave);
}

enum { NODES = 20, EDGES = 48 };

/* One-way graphs, most of them with cheap paths of many steps, and expensive ones of few. */
static void the_best_path_that_fits_is_found_in_graphs(void **state)
{
    (void)state;
    fits sum = {0};
    uint32_t seeds = test_times(40, 20);
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        cairn_graph_edge edges[EDGES];
        scene_rng rng = {seed};
        for (uint32_t i = 0; i < EDGES; i++) {
            cairn_node from = i < NODES ? i : scene_random(&rng, NODES);
            uint32_t far = i < NODES ? 1 : 1 + scene_random(&rng, 7);
            uint32_t cost = 1 + scene_random(&rng, 4) + (seed % 4 ? far * far * 2 : 0);
            /* of every other graph half cannot be reached from the other */
            cairn_node to = (from + far) % NODES, end = seed % 2 ? NODES / 2 : NODES;
            edges[i] = (cairn_graph_edge){from, from < end && to >= end ? from / 2 : to, cost};
            if (edges[i].to == from) edges[i].to = (from + 1) % end;
        }
        kit k = kit_of_edges(NODES, edges, EDGES);
        oracle *o = oracle_of_edges(NODES, edges, EDGES, false);
        ask_for_all_that_fit(&k, o, scene_random(&rng, NODES / 2), &sum);
        oracle_destroy(o);
        kit_close(&k);
    }
    check_fits(&sum, false);
}

/* A winding corridor whose walls are expensive ground with holes in them: the cheap path goes round,
 * the short one through. */
static scene *make_swamp(uint32_t seed)
{
    scene_rng rng = {seed};
    scene *s = scene_noise("swamp", 5, 5, 5, seed);
    scene_add_terrain(s, 1);
    for (uint32_t i = 0; i < 25; i++) {
        uint32_t x = i % 5, y = i / 5;
        bool wall = y % 2 && x != (y % 4 == 1 ? 4u : 0u) && scene_random(&rng, 8);
        s->terrain[i] = wall ? (uint8_t)(3 + scene_random(&rng, 3)) : 0;
    }
    if (seed % 3 == 0)
        scene_make_hex(s);
    else
        s->profile.neighbours = seed % 4 ? CAIRN_NEIGHBOURS_4 : CAIRN_NEIGHBOURS_8;
    if (seed % 2) scene_add_links(s, 2, 300, 2000, false, seed);
    return s;
}

static void the_best_path_that_fits_is_found_over_terrain(void **state)
{
    (void)state;
    fits sum = {0};
    uint32_t seeds = test_times(12, 6);
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        scene *s = make_swamp(seed);
        cairn_node from = 0;
        kit k = kit_of_scene(s, &s->profile);
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
        while (!o->usable[from]) from++;
        ask_for_all_that_fit(&k, o, from, &sum);
        oracle_destroy(o);
        kit_end(&k, s);
    }
    check_fits(&sum, true);
}

/* ---- when none fits ---- */

/* Asks with room for up to three nodes less than the path of fewest steps has, and for that path.
 * `given` are those that gave up, where one does fit. */
static void ask_around_the_shortest(kit *k, const oracle *o, cairn_query query, uint32_t *none,
                                    uint32_t *given)
{
    uint64_t *fit = malloc(o->count * sizeof *fit);
    uint32_t least = 2;
    assert_non_null(fit);
    while (best_that_fit(o, query.from, least, fit), fit[query.to] == ORACLE_NONE) least++;
    for (uint32_t nodes = least > 4 ? least - 3 : 2; nodes <= least; nodes++) {
        char spec[64];
        const cairn_path *path;
        snprintf(spec, sizeof spec, "smastar:nodes=%u,effort=20000", nodes);
        kit_plan(k, spec);
        cairn_status status = cairn_search_find(k->search, &query, &path);
        *none += nodes < least;
        *given += status == CAIRN_OUT_OF_BUDGET;
        if (nodes < least)
            CHECK(status == CAIRN_TOO_LONG, "%s, %u to %u: %s", spec, query.from, query.to,
                  cairn_status_text(status));
        else
            CHECK(status == CAIRN_OUT_OF_BUDGET ||
                      (status == CAIRN_FOUND && path->cost == fit[query.to]),
                  "%s, %u to %u: %s", spec, query.from, query.to, cairn_status_text(status));
    }
    free(fit);
}

/* In the trap a search with room for some dozens of nodes generates the same paths for ever. */
static void it_knows_that_no_path_fits(void **state)
{
    (void)state;
    static const char *const names[] = {"trap", "rooms", "dense", "swamps", "portals", "hex-light"};
    uint32_t none = 0, given = 0;
    for (uint32_t n = 0; n < LENGTH(names); n++) {
        scene *s = scene_named(names[n]);
        kit k = kit_of_scene(s, &s->profile);
        scene_rng rng = {n + 5};
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
        uint32_t queries = test_times(10, 5);
        for (uint32_t i = 0; i < queries; i++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            oracle_search(o, query.from);
            if (query.from == query.to || o->distance[query.to] == ORACLE_NONE) continue;
            ask_around_the_shortest(&k, o, query, &none, &given);
        }
        oracle_destroy(o);
        kit_end(&k, s);
    }
    CHECK(none > 50 && given, "%u do not fit, %u gave up", none, given);
}

/* Four rows of twelve nodes, each with an edge to every node of the next one: there are 20,736
 * paths, and none leads to the goal. Each node is looked at once to know that. */
static void it_knows_that_nothing_leads_to_the_goal(void **state)
{
    (void)state;
    enum { ARMS = 12, STEPS = 4, LAST = ARMS * STEPS + 1 };
    cairn_graph_edge edges[ARMS * ARMS * STEPS];
    uint32_t count = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
        for (uint32_t i = 0; i < (step ? ARMS : 1); i++) {
            cairn_node from = step ? 1 + (step - 1) * ARMS + i : 0;
            for (uint32_t j = 0; j < ARMS; j++)
                edges[count++] = (cairn_graph_edge){from, 1 + step * ARMS + j, 1 + (i * j) % 7};
        }
    }
    kit k = kit_of_edges(LAST + 1, edges, count);
    const cairn_path *path;
    kit_plan(&k, "smastar:nodes=8,effort=1000");
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.from = 0, .to = LAST}, &path),
                 CAIRN_UNREACHABLE);
    kit_close(&k);
}

/* A large world, a wall with a hole far away, and room for a few nodes, which take fewer bytes than
 * the bits of the world. It asks all the same, and knows. */
static void however_few_nodes_it_knows_that_no_path_fits(void **state)
{
    (void)state;
    enum { SIDE = 200, FEW = 24 };
    scene *s = scene_blank("wall", SIDE, SIDE);
    for (uint32_t y = 0; y + 1 < SIDE; y++) s->open[y * SIDE + SIDE / 2] = 0;
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = {.from = 20 * SIDE + SIDE / 2 - 3, .to = 20 * SIDE + SIDE / 2 + 3};
    const cairn_path *path;
    char spec[64];
    for (uint32_t nodes = 12; nodes <= FEW; nodes += 12) {
        snprintf(spec, sizeof spec, "smastar:nodes=%u,effort=3000", nodes);
        kit_plan(&k, spec);
        cairn_status status = cairn_search_find(k.search, &query, &path);
        cairn_metrics metrics = cairn_search_metrics(k.search);
        CHECK(status == CAIRN_TOO_LONG && metrics.expanded < 3000, "%s: %s", spec,
              cairn_status_text(status));
    }
    kit_end(&k, s);
}

enum { SIDE = 60 };

/* A wall with a hole far away from the ends of the query. */
static scene *scene_walled(void)
{
    scene *s = scene_blank("wall", SIDE, SIDE);
    for (uint32_t y = 0; y + 1 < SIDE; y++) s->open[y * SIDE + SIDE / 2] = 0;
    return s;
}

static cairn_query query_through_wall(void)
{
    return (cairn_query){.from = 20 * SIDE + SIDE / 2 - 5, .to = 20 * SIDE + SIDE / 2 + 5};
}

/* No path fits, and with enough bytes it asks. What it keeps for the
 * next query must not change the answer to that. */
static void the_same_query_has_the_same_answer_again(void **state)
{
    (void)state;
    scene *s = scene_walled();
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = query_through_wall();
    uint32_t kinds[3] = {0};
    kit_plan(&k, "smastar:nodes=70,effort=9000");
    for (size_t limit = 8000; limit < 48000; limit += 1000) {
        cairn_search_options options = {.byte_limit = limit};
        cairn_search *search;
        if (cairn_search_create(k.planner, &options, &search) != CAIRN_OK) continue;
        answer a = answer_find(search, &query), b = answer_find(search, &query);
        CHECK(answer_same_path(&a, &b) && answer_same_metrics(&a, &b), "%u bytes: %s, then %s",
              (unsigned)limit, cairn_status_text(a.path.status), cairn_status_text(b.path.status));
        kinds[0] += a.path.status == CAIRN_TOO_LONG && a.metrics.expanded >= SIDE * SIDE;
        kinds[1] += a.path.status == CAIRN_OUT_OF_BUDGET;
        /* memory is another reason: there is none for a single node */
        kinds[2] += a.path.status == CAIRN_OUT_OF_MEMORY && !a.metrics.expanded;
        answer_free(&a), answer_free(&b);
        cairn_search_destroy(search);
    }
    CHECK(kinds[0] && kinds[1] && kinds[2], "%u ask, %u do not, %u cannot begin", kinds[0],
          kinds[1], kinds[2]);
    kit_end(&k, s);
}

/* There is room for all nodes of the path, but not for their bytes. */
static void too_few_bytes_are_another_reason_than_too_few_nodes(void **state)
{
    (void)state;
    scene *s = scene_walled();
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = query_through_wall();
    uint32_t began = 0, found = 0;
    kit_plan(&k, "smastar");
    for (size_t limit = 16000; !found; limit += limit / 4) {
        cairn_search_options options = {.byte_limit = limit};
        cairn_search *search;
        CHECK_OK(cairn_search_create(k.planner, &options, &search));
        cairn_status status = cairn_search_find(search, &query, NULL);
        began += status == CAIRN_OUT_OF_MEMORY && cairn_search_metrics(search).expanded;
        found += status == CAIRN_FOUND;
        CHECK(status == CAIRN_OUT_OF_MEMORY || status == CAIRN_FOUND, "%u bytes: %s",
              (unsigned)limit, cairn_status_text(status));
        cairn_search_destroy(search);
    }
    CHECK(began > 1, "%u searches ended under way", began);
    kit_end(&k, s);
}

/* ---- dropping ---- */

/* From the start two arms of five nodes lead on; the goal is at the end of the second. There is room
 * for the start and seven others, so a part of the first is dropped. Its parent knows what it was
 * worth, so that it is not generated again before the goal is found. */
static void what_is_dropped_is_remembered_by_its_parent(void **state)
{
    (void)state;
    cairn_graph_edge edges[12];
    for (uint32_t i = 0; i < 6; i++) {
        edges[i] = (cairn_graph_edge){i ? i : 0, i + 1, i < 4 ? 1 : 40};
        edges[6 + i] = (cairn_graph_edge){i ? i + 6 : 0, i + 7, 4};
    }
    kit k = kit_of_edges(13, edges, 12);
    kit_plan(&k, "smastar:nodes=8");
    const cairn_path *path;
    uint32_t dropped, again[13] = {0};
    const story *t = story_of(&k, &(cairn_query){.from = 0, .to = 12}, &path);
    CHECK(path->status == CAIRN_FOUND && path->cost == 24, "%s", cairn_status_text(path->status));
    most_held(t, &dropped);
    assert_true(dropped > 0);
    for (uint32_t i = 0; i < t->count; i++)
        again[t->events[i].node] += t->events[i].kind == CAIRN_EVENT_GENERATE;
    for (uint32_t i = 1; i < 13; i++)
        CHECK(again[i] <= 1, "%u was generated %u times", i, again[i]);
    kit_close(&k);
}

/* ---- in pieces ---- */

/* From each node of a cheap path an edge leads to the last but one, the cheaper the later: none of
 * these paths dominates another. They are compared a piece at a time. */
static void paths_to_the_same_node_are_compared_in_pieces(void **state)
{
    (void)state;
    enum { LENGTH_OF_PATH = 3000, LIMIT = LENGTH_OF_PATH / 2 };
    static cairn_graph_edge edges[2 * LENGTH_OF_PATH + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < LENGTH_OF_PATH; i++) {
        edges[count++] = (cairn_graph_edge){i, i + 1, 1};
        edges[count++] = (cairn_graph_edge){i, LENGTH_OF_PATH + 1, 3 * (LENGTH_OF_PATH - i)};
    }
    edges[count++] = (cairn_graph_edge){LENGTH_OF_PATH + 1, LENGTH_OF_PATH + 2, 4 * LENGTH_OF_PATH};
    kit k = kit_of_edges(LENGTH_OF_PATH + 3, edges, count);
    cairn_query query = {.from = 0, .to = LENGTH_OF_PATH + 2};
    char spec[64];
    snprintf(spec, sizeof spec, "smastar:nodes=%u", LIMIT);
    kit_plan(&k, spec);
    answer a = answer_find(k.search, &query), b = answer_sliced(k.search, &query, 3);
    /* the longest path that fits: LIMIT - 2 nodes of the cheap path */
    uint32_t last = LIMIT - 3, cost = last + 3 * (LENGTH_OF_PATH - last) + 4 * LENGTH_OF_PATH;
    CHECK(a.path.status == CAIRN_FOUND && a.path.cost == cost && a.path.count == LIMIT, "%s, %u",
          cairn_status_text(a.path.status), a.path.cost);
    assert_true(answer_same_path(&a, &b) && answer_same_metrics(&a, &b));
    CHECK(a.metrics.work > 12 * a.metrics.expanded, "%u units, %u expanded",
          (unsigned)a.metrics.work, (unsigned)a.metrics.expanded);
    answer_free(&a), answer_free(&b);
    kit_close(&k);
}

/* There is room for one arm and a part of the other. */
static void the_path_to_a_node_that_is_dropped_is_copied_in_pieces(void **state)
{
    (void)state;
    char spec[64];
    snprintf(spec, sizeof spec, "smastar:nodes=%u,effort=%u", 2 * ARM + 20, 2 * ARM + 150);
    check_partial_path_along_the_arm(spec, ARM / 128 - 1);
}

/* ---- A* ---- */

/* With room for everything it is A*, but for what it generates one by one. */
static void with_enough_memory_it_expands_what_astar_does(void **state)
{
    (void)state;
    static const char *const names[] = {"trap", "rooms", "light", "dense", "swamps", "hex-light"};
    uint64_t sums[2] = {0};
    for (uint32_t n = 0; n < LENGTH(names); n++) {
        scene *s = scene_named(names[n]);
        kit a = kit_of_scene(s, &s->profile), b = kit_of_scene(s, &s->profile);
        scene_rng rng = {n + 9};
        kit_plan(&a, "astar:open=heap");
        kit_plan(&b, "smastar:effort=100000");
        for (uint32_t i = 0; i < 40; i++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            answer first = answer_find(a.search, &query), second = answer_find(b.search, &query);
            CHECK(first.path.status == second.path.status && first.path.cost == second.path.cost,
                  "%s, %u to %u: %u and %u", names[n], query.from, query.to, first.path.cost,
                  second.path.cost);
            sums[0] += first.metrics.expanded, sums[1] += second.metrics.expanded;
            answer_free(&first), answer_free(&second);
        }
        kit_close(&a);
        kit_end(&b, s);
    }
    CHECK(sums[1] < 3 * sums[0], "%u expansions, %u by A*", (unsigned)sums[1], (unsigned)sums[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_never_holds_more_nodes_than_its_limit),
        cmocka_unit_test(a_path_fits_if_there_is_a_place_for_each_of_its_nodes),
        cmocka_unit_test(a_path_that_fits_says_how_much_cheaper_others_may_be),
        cmocka_unit_test(the_best_path_that_fits_is_found_in_graphs),
        cmocka_unit_test(the_best_path_that_fits_is_found_over_terrain),
        cmocka_unit_test(it_knows_that_no_path_fits),
        cmocka_unit_test(it_knows_that_nothing_leads_to_the_goal),
        cmocka_unit_test(however_few_nodes_it_knows_that_no_path_fits),
        cmocka_unit_test(the_same_query_has_the_same_answer_again),
        cmocka_unit_test(too_few_bytes_are_another_reason_than_too_few_nodes),
        cmocka_unit_test(what_is_dropped_is_remembered_by_its_parent),
        cmocka_unit_test(paths_to_the_same_node_are_compared_in_pieces),
        cmocka_unit_test(the_path_to_a_node_that_is_dropped_is_copied_in_pieces),
        cmocka_unit_test(with_enough_memory_it_expands_what_astar_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
