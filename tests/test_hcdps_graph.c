/* test_hcdps_graph.c: `hcdps` on graphs of every kind: every node reaches its representative and
 * back, every record can be climbed, by a climb written down here once more from the edges that
 * were given; walks, move by move and with a cursor, and paths arrive exactly where the answer book
 * says that there is a way; who answers; nodes with very many edges, very many regions, very large
 * costs; edits; a wrong index or agent does no harm.
 */
#include "files.h"
#include "kit.h"
#include "oracle.h"

#include "realtime/hcdps/hcdps_index.h"
#include "search/algorithm.h"
#include <math.h>

/* ---- graphs ------------------------------------------------------------------------------ */

enum { MOST_NODES = 400, MOST_EDGES = 6 * MOST_NODES };

typedef struct drawn {
    graph_scene scene;
    cairn_position positions[MOST_NODES];
    cairn_graph_edge edges[MOST_EDGES];
    double scale; /* the least cost of an edge for its length; 0 = nothing has a length */
    bool mutual;  /* every edge can be walked back for the same cost */
} drawn;

static double straight(const drawn *g, cairn_node a, cairn_node b)
{
    const cairn_position *p = g->scene.positions;
    if (!p) return 0;
    double dx = p[a].x - p[b].x, dy = p[a].y - p[b].y, dz = p[a].z - p[b].z;
    return sqrt(dx * dx + dy * dy + dz * dz);
}

/* The same as estimates have it. */
static double rounded(const drawn *g, cairn_node a, cairn_node b)
{
    const cairn_position *p = g->scene.positions;
    if (!p) return 0;
    return crn_graph_metric(CAIRN_HEURISTIC_EUCLIDEAN, fabs(p[a].x - p[b].x), fabs(p[a].y - p[b].y),
                            fabs(p[a].z - p[b].z));
}

static void join(drawn *g, cairn_node a, cairn_node b, double weight)
{
    if (a == b || g->scene.edge_count == MOST_EDGES) return;
    g->edges[g->scene.edge_count++] = (cairn_graph_edge){a, b, (cairn_cost)weight};
}

/* Crossings of streets, some of which are missing. */
static void draw_streets(drawn *g, scene_rng *rng, uint32_t missing, bool even)
{
    uint32_t width = 4 + scene_random(rng, 12), height = 4 + scene_random(rng, 12);
    g->scene.node_count = width * height;
    for (uint32_t i = 0; i < width * height; i++) {
        g->positions[i].x = 10 * (i % width) + (even ? 0 : scene_random(rng, 60) * .1);
        g->positions[i].y = 10 * (i / width) + (even ? 0 : scene_random(rng, 60) * .1);
        g->positions[i].z = even || scene_random(rng, 3) ? 0 : scene_random(rng, 8);
    }
    for (uint32_t i = 0; i < width * height; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t to = k ? i + width : i + 1;
            if ((k ? to >= width * height : to % width == 0) || scene_random(rng, 100) < missing)
                continue;
            join(g, i, to, ceil(10 * straight(g, i, to) * (1 + scene_random(rng, 3))));
        }
    }
}

/* Points thrown on a square, each joined to those near it. */
static void draw_near(drawn *g, scene_rng *rng)
{
    uint32_t nodes = g->scene.node_count = 40 + scene_random(rng, 160);
    for (uint32_t i = 0; i < nodes; i++) {
        g->positions[i].x = scene_random(rng, 1000) * .1;
        g->positions[i].y = scene_random(rng, 1000) * .1;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (straight(g, i, j) < 14) join(g, i, j, 1 + floor(8 * straight(g, i, j)));
        }
    }
}

/* Any edges between points of which some are the same. */
static void draw_any(drawn *g, scene_rng *rng, uint32_t edges)
{
    uint32_t nodes = g->scene.node_count = 2 + scene_random(rng, 80);
    for (uint32_t i = 0; i < nodes; i++) {
        g->positions[i].x = scene_random(rng, 12);
        g->positions[i].y = scene_random(rng, 12);
    }
    for (uint32_t i = 0; i < nodes * edges; i++)
        join(g, scene_random(rng, nodes), scene_random(rng, nodes), 1 + scene_random(rng, 40));
}

/* Each edge and another one back; sometimes one of these costs more. */
static void list_both_ways(drawn *g, bool uneven)
{
    uint32_t count = g->scene.edge_count;
    for (uint32_t i = 0; i < count && g->scene.edge_count < MOST_EDGES; i++)
        join(g, g->edges[i].to, g->edges[i].from, g->edges[i].weight);
    if (uneven && count) g->edges[g->scene.edge_count - 1].weight++;
}

static uint64_t cheapest(const drawn *g, cairn_node a, cairn_node b)
{
    uint64_t least = ORACLE_NONE;
    for (uint32_t i = 0; i < g->scene.edge_count; i++) {
        const cairn_graph_edge *e = &g->edges[i];
        bool there = e->from == a && e->to == b, back = e->from == b && e->to == a;
        if ((there || (back && g->scene.both_ways)) && e->weight < least) least = e->weight;
    }
    return least;
}

static void measure(drawn *g)
{
    g->mutual = true;
    for (uint32_t i = 0; i < g->scene.edge_count; i++) {
        const cairn_graph_edge *e = &g->edges[i];
        double length = rounded(g, e->from, e->to);
        if (length > 0 && (g->scale == 0 || e->weight / length < g->scale))
            g->scale = e->weight / length;
        g->mutual &= cheapest(g, e->from, e->to) == cheapest(g, e->to, e->from);
    }
}

static drawn *any_graph(uint32_t seed)
{
    drawn *g = calloc(1, sizeof *g);
    scene_rng rng = {seed + 1};
    if (!g) abort();
    g->scene = (graph_scene){.name = "drawn", .positions = g->positions, .edges = g->edges};
    g->scene.both_ways = seed % 9 < 5;
    switch (seed % 9) {
    case 0: draw_streets(g, &rng, 10, false); break;
    case 1: draw_near(g, &rng); break;
    case 2: draw_streets(g, &rng, 35, false); break;
    case 3: draw_any(g, &rng, 1); break;
    case 4: draw_streets(g, &rng, 20, true); break;
    case 5: draw_streets(g, &rng, 5, true), list_both_ways(g, seed / 9 % 2); break;
    case 6: draw_any(g, &rng, 3); break;
    case 7:
        draw_near(g, &rng), list_both_ways(g, false), g->scene.edge_count -= seed / 9 % 8;
        break;
    default: draw_any(g, &rng, 2), list_both_ways(g, false); break;
    }
    if (seed % 9 == 8 && seed % 2) g->scene.positions = NULL;
    if (seed % 100 == 50) g->scene.node_count = 1, g->scene.edge_count = 0;
    if (seed % 100 == 60) g->scene.edge_count = 0;
    measure(g);
    return g;
}

static const char *any_spec(uint32_t seed)
{
    static const char *const specs[] = {"hcdps:loops=keep", "hcdps:depth=3,spacing=3,loops=keep",
                                        "hcdps:cutoff=4,spacing=9,loops=keep",
                                        "hcdps:records=pairs,spacing=5,k=3,loops=keep"};
    return specs[seed % LENGTH(specs)];
}

static kit kit_of_graph(const drawn *g, const char *spec)
{
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(graph_scene_graph(&g->scene, k.context, &k.graph));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    kit_plan(&k, spec);
    return k;
}

static const crn_hcdps *index_of(const kit *k)
{
    return k->planner->index;
}

/* ---- a climb by hand ---------------------------------------------------------------------- */

typedef struct choice {
    cairn_node node;
    double sum;
    cairn_cost cost;
} choice;

/* One edge: is it better than the best one before it? */
static void consider(const drawn *g, cairn_node from, cairn_node target, cairn_node to,
                     cairn_cost cost, choice *best)
{
    double h = straight(g, to, target), sum = cost + g->scale * h;
    if (to != target && !(h < straight(g, from, target))) return;
    if (to == target) sum = -1; /* before all others */
    if (best->node != CAIRN_NO_NODE &&
        (sum > best->sum || (sum == best->sum && (to == target || cost <= best->cost))))
        return;
    *best = (choice){to, sum, cost};
}

static cairn_node slow_step(const drawn *g, cairn_node from, cairn_node target)
{
    choice best = {.node = CAIRN_NO_NODE};
    for (uint32_t i = 0; i < g->scene.edge_count; i++) {
        const cairn_graph_edge *e = &g->edges[i];
        if (e->from == from) consider(g, from, target, e->to, e->weight, &best);
        if (e->to == from && g->scene.both_ways)
            consider(g, from, target, e->from, e->weight, &best);
    }
    return best.node;
}

/* With a region it must stay there. */
static void check_climb(const kit *k, const drawn *g, cairn_node from, cairn_node to,
                        uint32_t region)
{
    for (uint32_t left = index_of(k)->cutoff; from != to; left--) {
        cairn_node next = slow_step(g, from, to);
        CHECK(next != CAIRN_NO_NODE && left, "no climb from %u to %u", from, to);
        CHECK(region == UINT32_MAX || crn_hcdps_region(index_of(k), next) == region,
              "the climb from %u to %u leaves its region", from, to);
        from = next;
    }
}

/* ---- the checker --------------------------------------------------------------------------- */

static void check_links(const kit *k, const drawn *g, uint32_t region)
{
    const crn_hcdps *index = index_of(k);
    for (uint32_t i = 0; i < crn_hcdps_links(index, region); i++) {
        crn_hcdps_link link = crn_hcdps_link_at(index, region, i);
        cairn_node node = crn_hcdps_home(index, region), before = node;
        if (link.leave != CAIRN_NO_NODE) {
            CHECK(crn_hcdps_region(index, link.leave) == region &&
                      crn_hcdps_region(index, link.enter) == link.region &&
                      cheapest(g, link.leave, link.enter) != ORACLE_NONE,
                  "no door from %u to %u", link.leave, link.enter);
        }
        if (!index->exact) continue;
        for (; crn_hcdps_subgoal(index, &link.read, link.end, &node); before = node)
            check_climb(k, g, before, node, UINT32_MAX);
        check_climb(k, g, before, crn_hcdps_home(index, link.region), UINT32_MAX);
    }
}

static void check_pairs(const kit *k, const drawn *g)
{
    const crn_hcdps *index = index_of(k);
    uint32_t regions = crn_hcdps_regions(index);
    const uint32_t *at = crn_hcdps_items(index, CRN_HCDPS_PAIR_FIRST),
                   *nodes = crn_hcdps_items(index, CRN_HCDPS_PAIRS);
    if (!index->arrays[CRN_HCDPS_PAIR_FIRST].count) return;
    for (size_t i = 0; i < (size_t)regions * regions; i++) {
        cairn_node from = crn_hcdps_home(index, (uint32_t)(i / regions));
        for (uint32_t n = at[i]; n < at[i + 1]; from = nodes[n++])
            check_climb(k, g, from, nodes[n], UINT32_MAX);
    }
}

/* Following the rows gets to a region if there is a way. */
static void check_chains(const kit *k, oracle *o, uint32_t from, bool near)
{
    const crn_hcdps *index = index_of(k);
    uint32_t regions = crn_hcdps_regions(index);
    oracle_search(o, crn_hcdps_home(index, from));
    for (uint32_t to = 0; to < regions; to++) {
        uint32_t at = from, hops = 0, link = 0;
        while (at != to && hops++ <= regions && link != UINT32_MAX) {
            link = crn_hcdps_next(index, at, to, near);
            if (link != UINT32_MAX) at = crn_hcdps_link_at(index, at, link).region;
        }
        CHECK((at == to) == (o->distance[crn_hcdps_home(index, to)] != ORACLE_NONE),
              "from region %u to %u", from, to);
    }
}

static void every_node_and_record_is_climbed(void **state)
{
    (void)state;
    uint32_t regions = 0, nodes = 0, exact = 0;
    for (uint32_t seed = 0; seed < test_times(400, 100); seed++) {
        drawn *g = any_graph(seed);
        kit k = kit_of_graph(g, any_spec(seed));
        const crn_hcdps *index = index_of(&k);
        oracle *o =
            oracle_of_edges(g->scene.node_count, g->edges, g->scene.edge_count, g->scene.both_ways);
        for (cairn_node node = 0; node < g->scene.node_count; node++) {
            uint32_t region = crn_hcdps_region(index, node);
            check_climb(&k, g, node, crn_hcdps_home(index, region), region);
            check_climb(&k, g, crn_hcdps_home(index, region), node, region);
        }
        for (uint32_t i = 0; i < crn_hcdps_regions(index); i++) {
            check_links(&k, g, i);
            check_chains(&k, o, i, false);
            check_chains(&k, o, i, true);
        }
        check_pairs(&k, g);
        assert_int_equal(index->exact, g->mutual);
        regions += crn_hcdps_regions(index), nodes += g->scene.node_count, exact += g->mutual;
        oracle_destroy(o);
        kit_close(&k);
        free(g);
    }
    CHECK(3 * regions < 2 * nodes, "%u regions of %u nodes: nothing was climbed", regions, nodes);
    CHECK(exact > 40, "%u graphs with records prove nothing", exact);
}

/* ---- walking -------------------------------------------------------------------------------- */

/* Follows cairn_planner_next, which never comes back to a node. */
static void check_moves(const kit *k, const oracle *o, cairn_node from, cairn_node to)
{
    bool seen[MOST_NODES] = {false};
    uint64_t cost = 0, best = o->distance[to];
    cairn_node next;
    if (best == ORACLE_NONE) {
        CHECK_STATUS(cairn_planner_next(k->planner, from, to, &next), CAIRN_UNREACHABLE);
        assert_int_equal(next, CAIRN_NO_NODE);
        return;
    }
    for (; from != to; from = next) {
        CHECK(!seen[from], "twice at %u on the way to %u", from, to);
        seen[from] = true;
        CHECK_STATUS(cairn_planner_next(k->planner, from, to, &next), CAIRN_FOUND);
        CHECK(oracle_edge(o, from, next) != ORACLE_NONE, "no edge from %u to %u", from, next);
        cost += oracle_edge(o, from, next);
    }
    assert_true(cost >= best);
}

/* An agent, copied before every move as if it had been stored; `walk` gets where it was. */
static uint32_t check_agent(const kit *k, const oracle *o, cairn_node from, cairn_node to,
                            cairn_node *walk, uint32_t most)
{
    cairn_agent agent;
    uint32_t moves = 0;
    if (o->distance[to] == ORACLE_NONE) {
        CHECK_STATUS(cairn_planner_walk(k->planner, from, to, &agent), CAIRN_UNREACHABLE);
        return 0;
    }
    CHECK_STATUS(cairn_planner_walk(k->planner, from, to, &agent), CAIRN_FOUND);
    walk[moves++] = from;
    while (agent.at != to) {
        cairn_agent stored = agent;
        memset(&agent, 0xa5, sizeof agent);
        CHECK(moves < most, "from %u to %u it never arrives", from, to);
        CHECK_STATUS(cairn_planner_move(k->planner, &stored), CAIRN_FOUND);
        CHECK(oracle_edge(o, walk[moves - 1], stored.at) != ORACLE_NONE, "no edge to %u",
              stored.at);
        walk[moves++] = stored.at;
        agent = stored;
    }
    return moves;
}

/* The path of a search is the walk of an agent, if both have records. */
static void check_path(const kit *k, const drawn *g, const oracle *o, cairn_node from,
                       cairn_node to, const cairn_node *walk, uint32_t moves)
{
    const cairn_path *path;
    cairn_query query = {.from = from, .to = to};
    cairn_status status = cairn_search_find(k->search, &query, &path);
    CHECK_STATUS(status, o->distance[to] == ORACLE_NONE ? CAIRN_UNREACHABLE : CAIRN_FOUND);
    if (status != CAIRN_FOUND) return;
    assert_true(g->mutual ? path->cost >= o->distance[to] : path->cost == o->distance[to]);
    assert_string_equal(path->answered_by->name, g->mutual ? "hcdps" : "astar");
    if (!g->mutual) return;
    assert_int_equal(cairn_path_step_count(k->space, path), moves);
    cairn_path_iterator it = cairn_path_begin(k->space, path);
    for (uint32_t i = 0; i < moves; i++) assert_int_equal(cairn_path_next(&it), walk[i]);
}

static void walks_arrive_where_there_is_a_way(void **state)
{
    (void)state;
    static cairn_node walk[4 * MOST_NODES];
    for (uint32_t seed = 0; seed < test_times(300, 80); seed++) {
        drawn *g = any_graph(seed);
        kit k = kit_of_graph(g, any_spec(seed / 3));
        scene_rng rng = {seed + 77};
        oracle *o =
            oracle_of_edges(g->scene.node_count, g->edges, g->scene.edge_count, g->scene.both_ways);
        for (uint32_t i = 0; i < 12; i++) {
            cairn_node from = scene_random(&rng, g->scene.node_count);
            oracle_search(o, from);
            for (uint32_t n = 0; n < 25; n++) {
                cairn_node to = scene_random(&rng, g->scene.node_count);
                check_moves(&k, o, from, to);
                uint32_t moves = check_agent(&k, o, from, to, walk, LENGTH(walk));
                check_path(&k, g, o, from, to, walk, moves);
            }
        }
        oracle_destroy(o);
        kit_close(&k);
        free(g);
    }
}

/* ---- large numbers -------------------------------------------------------------------------- */

/* Two nodes with very many edges each, joined by a bridge, far from each other. The node in the
 * middle, a seed, is joined to nothing. */
static kit kit_of_hubs(uint32_t spokes)
{
    uint32_t nodes = 2 * spokes + 4, bridge = nodes - 2;
    cairn_position *positions = calloc(nodes, sizeof *positions);
    cairn_graph_edge *edges = calloc(nodes, sizeof *edges);
    kit k = {0};
    if (!positions || !edges) abort();
    for (uint32_t i = 0; i < 2 * spokes + 2; i++) {
        uint32_t hub = i < spokes + 1 ? 0 : spokes + 1;
        positions[i] = (cairn_position){hub ? 1000 + i % 50 : -(double)(i % 50), i % 97, 0};
        edges[i] = (cairn_graph_edge){hub, i, 100};
    }
    positions[bridge].x = 400;
    positions[nodes - 1] = (cairn_position){500, 48, 0};
    edges[0] = (cairn_graph_edge){0, bridge, 10};
    edges[spokes + 1] = (cairn_graph_edge){bridge, spokes + 1, 10};
    cairn_graph_options options = {.node_count = nodes,
                                   .edge_count = 2 * spokes + 2,
                                   .positions = positions,
                                   .edges = edges,
                                   .both_ways = true};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    free(positions), free(edges);
    return k;
}

/* A step that must look at all edges of a node takes many units of work. */
static void nodes_with_many_edges_are_climbed_in_pieces(void **state)
{
    (void)state;
    enum { SPOKES = 30000, UNIT = 512 };
    kit k = kit_of_hubs(SPOKES);
    const cairn_path *path;
    kit_plan(&k, "hcdps:spacing=500");
    cairn_query query = {.from = 5, .to = 2 * SPOKES};
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    assert_string_equal(path->answered_by->name, "hcdps");
    assert_int_equal(path->cost, 220);
    uint64_t work = cairn_search_metrics(k.search).work;
    CHECK(work > SPOKES / UNIT, "%u units", (unsigned)work);
    kit_close(&k);
}

/* Nothing leads back along a chain, so every node is a region. */
static void graphs_with_too_many_regions_are_refused(void **state)
{
    (void)state;
    enum { NODES = 40000 };
    static cairn_graph_edge edges[NODES];
    for (uint32_t i = 0; i + 1 < NODES; i++) edges[i] = (cairn_graph_edge){i, i + 1, 5};
    kit k = kit_of_edges(NODES, edges, NODES - 1);
    cairn_error error = {0};
    CHECK_OK(cairn_planner_create(k.space, "hcdps", &k.planner, NULL));
    CHECK_STATUS(cairn_planner_build(k.planner, NULL, &error), CAIRN_UNSUPPORTED);
    assert_non_null(strstr(error.text, "too many regions"));
    kit_close(&k);
}

/* A path that costs as much as 32 bits hold is no record; moves are the same. */
static void large_costs_are_left_to_astar(void **state)
{
    (void)state;
    const cairn_position positions[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    for (uint32_t large = 0; large < 2; large++) {
        cairn_cost weight = large ? CAIRN_COST_MAX / 3 : 1000;
        const cairn_graph_edge edges[] = {{0, 1, weight}, {1, 2, weight}, {2, 3, weight}};
        cairn_graph_options options = {.node_count = 4,
                                       .edge_count = 3,
                                       .positions = positions,
                                       .edges = edges,
                                       .both_ways = true};
        kit k = {0};
        const cairn_path *path;
        cairn_node next;
        CHECK_OK(cairn_context_create(NULL, &k.context));
        CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        kit_plan(&k, "hcdps:spacing=1");
        cairn_query query = {.from = 0, .to = 3};
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
        assert_int_equal(path->cost, 3 * (uint64_t)weight);
        assert_string_equal(path->answered_by->name, large ? "astar" : "hcdps");
        CHECK_STATUS(cairn_planner_next(k.planner, 0, 3, &next), CAIRN_FOUND);
        assert_int_equal(next, 1);
        kit_close(&k);
    }
}

/* ---- edits ----------------------------------------------------------------------------------- */

static void agents_go_on_after_an_edit(void **state)
{
    (void)state;
    drawn *g = any_graph(0);
    kit k = kit_of_graph(g, "hcdps:spacing=3,direct=off");
    cairn_node to = g->scene.node_count - 1;
    cairn_agent agent;
    CHECK_STATUS(cairn_planner_walk(k.planner, 0, to, &agent), CAIRN_FOUND);
    CHECK_STATUS(cairn_planner_move(k.planner, &agent), CAIRN_FOUND);
    cairn_node at = agent.at, other = to / 2;
    CHECK_OK(cairn_graph_set_node_open(k.graph, other, false));
    CHECK_OK(cairn_graph_commit(k.graph));
    CHECK_STATUS(cairn_planner_move(k.planner, &agent), CAIRN_STALE);
    assert_int_equal(agent.at, at);
    CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    for (uint32_t i = 0; i < 4 * g->scene.node_count && agent.at != to; i++) {
        CHECK_STATUS(cairn_planner_move(k.planner, &agent), CAIRN_FOUND);
        assert_int_not_equal(agent.at, other);
    }
    assert_int_equal(agent.at, to);
    agent.at = other, agent.goal = 0;
    CHECK_STATUS(cairn_planner_move(k.planner, &agent), CAIRN_BLOCKED_START);
    kit_close(&k);
    free(g);
}

/* ---- what is wrong does no harm --------------------------------------------------------------- */

static void agents_that_are_wrong_do_no_harm(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 90; seed++) {
        drawn *g = any_graph(seed);
        kit k = kit_of_graph(g, any_spec(seed / 9));
        scene_rng rng = {seed + 11};
        cairn_agent agent;
        cairn_node from = scene_random(&rng, g->scene.node_count),
                   to = scene_random(&rng, g->scene.node_count);
        bool walks = cairn_planner_walk(k.planner, from, to, &agent) == CAIRN_FOUND;
        for (uint32_t i = 0; i < 60 && walks && agent.at != to; i++) {
            cairn_node before = agent.at;
            uint32_t word = i % 4 ? 1 + scene_random(&rng, LENGTH(agent.cursor) - 1) : 0;
            agent.cursor[word] ^= 1u << scene_random(&rng, 32);
            walks = cairn_planner_move(k.planner, &agent) == CAIRN_FOUND;
            CHECK(!walks || cheapest(g, before, agent.at) != ORACLE_NONE,
                  "seed %u: no edge from %u to %u", seed, before, agent.at);
        }
        kit_close(&k);
        free(g);
    }
}

/* Every number of every array is changed; what passes the check must do no harm. */
static void an_index_that_is_wrong_does_no_harm(void **state)
{
    (void)state;
    uint32_t passed = 0, refused = 0;
    drawn *g = any_graph(2);
    kit k = kit_of_graph(g, "hcdps:spacing=3,depth=2,k=16");
    crn_hcdps *index = k.planner->index;
    for (uint32_t a = 0; a < CRN_HCDPS_ARRAYS; a++) {
        for (size_t n = 0; n < 2 * index->arrays[a].count; n++) {
            uint32_t *item = &index->arrays[a].owned[n / 2], kept = *item;
            scene_rng rng = {n + 1};
            *item ^= 1u << (n * 7 + a) % 32;
            bool passes = !crn_hcdps_check(index, k.space, false);
            passed += passes, refused += !passes;
            for (uint32_t m = 0; m < 3 && passes; m++) {
                cairn_query query = {.from = scene_random(&rng, g->scene.node_count),
                                     .to = scene_random(&rng, g->scene.node_count)};
                const cairn_path *path;
                cairn_node next;
                bool may = cairn_reachable(k.space, query.from, query.to) == CAIRN_REACH_YES;
                CHECK_STATUS(cairn_search_find(k.search, &query, &path),
                             may ? CAIRN_FOUND : CAIRN_UNREACHABLE);
                if (cairn_planner_next(k.planner, query.from, query.to, &next) == CAIRN_FOUND)
                    CHECK(query.from == next || cheapest(g, query.from, next) != ORACLE_NONE,
                          "array %u: no edge", a);
            }
            *item = kept;
        }
    }
    CHECK(passed > 10 && refused > 200, "%u passed, %u refused", passed, refused);
    kit_close(&k);
    free(g);
}

/* Searching deeper and looking ahead make paths shorter on the mean. */
static void improvements_improve(void **state)
{
    (void)state;
    static const char *const specs[] = {"hcdps:spacing=4,direct=off,first=off,last=off,ahead=0",
                                        "hcdps:spacing=4", "hcdps:spacing=4,depth=3"};
    drawn *g = calloc(1, sizeof *g);
    scene_rng rng = {5};
    double before = 1e9;
    if (!g) abort();
    g->scene = (graph_scene){.positions = g->positions, .edges = g->edges, .both_ways = true};
    do { /* a large one */
        g->scene.edge_count = 0;
        draw_streets(g, &rng, 15, false);
    } while (g->scene.node_count < 180);
    kit k = kit_of_graph(g, specs[0]);
    for (uint32_t i = 0; i < LENGTH(specs); i++) {
        double costlier = kit_costlier(&k, specs[i], 300);
        CHECK(costlier < before, "%s: %g %% longer, %g before", specs[i], costlier, before);
        before = costlier;
    }
    CHECK(before < 15, "%g %% longer with everything", before);
    kit_close(&k);
    free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_and_record_is_climbed),
        cmocka_unit_test(walks_arrive_where_there_is_a_way),
        cmocka_unit_test(nodes_with_many_edges_are_climbed_in_pieces),
        cmocka_unit_test(graphs_with_too_many_regions_are_refused),
        cmocka_unit_test(large_costs_are_left_to_astar),
        cmocka_unit_test(agents_go_on_after_an_edit),
        cmocka_unit_test(agents_that_are_wrong_do_no_harm),
        cmocka_unit_test(an_index_that_is_wrong_does_no_harm),
        cmocka_unit_test(improvements_improve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
