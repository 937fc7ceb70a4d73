// test_cpp.cpp: the classes of cairn.hpp: they own, move and clean up, throw or tell, and find what
// the C library finds. Compiled with and without exceptions.
#include <cairn/cairn.hpp>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

static int failed = 0;
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            failed++; \
        } \
    } while (0)

static const char rows[] = "......\n.####.\n....#.\n";

template <class Object> constexpr bool moves_only()
{
    return std::is_nothrow_move_constructible_v<Object> &&
           std::is_nothrow_move_assignable_v<Object> && !std::is_copy_constructible_v<Object> &&
           !std::is_copy_assignable_v<Object>;
}
static_assert(moves_only<cairn::context>() && moves_only<cairn::grid>() &&
              moves_only<cairn::graph>() && moves_only<cairn::space>() &&
              moves_only<cairn::planner>() && moves_only<cairn::search>() &&
              moves_only<cairn::navigator>() && moves_only<cairn::path>());

static void check_search(cairn::grid &grid, cairn::space &space, const char *spec)
{
    cairn::planner planner(space, spec);
    cairn::search search(planner);
    cairn::path_view path = search.find(grid.node(3, 2), grid.node(5, 2));
    CHECK(path && path.found() && path.length() == 12 && !path.partial());
    CHECK(!std::strcmp(planner.algorithm().name, spec));
    CHECK(path[0] == grid.node(3, 2) && path[path.size() - 1] == grid.node(5, 2));
    std::vector<cairn_node> nodes(path.begin(), path.end());
    CHECK(nodes.size() == path.size() && nodes.front() == path[0]);
    CHECK(search.metrics().answered_by != nullptr);
    CHECK(search.cost_to(grid.node(5, 2)) == path.cost() || !planner.optimal());
}

static void a_grid_is_searched()
{
    cairn::context context;
    cairn::grid grid(context, rows);
    CHECK(grid.width() == 6 && grid.height() == 3 && !grid.is_open(1, 1));
    cairn::space space(grid);
    for (const char *spec : {"astar", "dijkstra", "alt"}) check_search(grid, space, spec);
    cairn::path path = grid.find_path({3, 2}, {5, 2});
    CHECK(path.length() == 12);
    CHECK(space.reachable(grid.node(3, 2), grid.node(5, 2)) == CAIRN_REACH_YES);
    CHECK(space.usable(0) && space.node_count() == 18);
}

static void changes_are_seen_after_the_commit()
{
    cairn::context context;
    cairn::grid grid(context, rows);
    cairn::space space(grid);
    cairn::planner planner(space, "alt");
    cairn::search search(planner);
    CHECK(grid.set_open(4, 2, true) == CAIRN_OK && grid.commit() == CAIRN_OK);
    CHECK(search.find(15, 17).status() == CAIRN_STALE && planner.state() == CAIRN_STALE);
    CHECK(planner.sync() == CAIRN_OK);
    CHECK(search.find(15, 17).length() == 2);
    cairn_query query{};
    query.from = 15;
    query.to = 17;
    cairn_status status = search.begin(query);
    while (status == CAIRN_RUNNING) status = search.step(1);
    CHECK(status == CAIRN_FOUND && search.result_path().length() == 2);
}

static void planners_share_an_index()
{
    cairn::context context;
    cairn::grid grid(context, rows);
    cairn::space space(grid);
    cairn::planner smooth;
    {
        cairn::planner plain(space, "mm:smooth=none");
        smooth = cairn::planner(space, "mm:smooth=rays", plain);
        CHECK(smooth.state() == CAIRN_OK && !cairn_planner_index_bytes(smooth.get()) &&
              cairn_planner_index_bytes(plain.get()));
        auto other = cairn::planner::make(space, "mm:levels=2", plain);
        CHECK(!other && std::strstr(other.error.text, "levels"));
    }
    cairn::search search(smooth);
    CHECK(search.find(15, 17).status() == CAIRN_FOUND && search.find(15, 17).length() == 12);
}

// A path of one's own stays when the search goes on, and when everything else is gone.
static void paths_can_be_kept()
{
    cairn::path kept;
    CHECK(!kept && kept.size() == 0);
    {
        cairn::context context;
        cairn::grid grid(context, rows);
        cairn::space space(grid);
        cairn::planner planner(space);
        cairn::search search(planner);
        cairn::path first(context, search.find(15, 17));
        search.find(0, 1);
        CHECK(first.length() == 12 && first.size() == 5);
        kept = std::move(first);
        cairn::path moved(std::move(kept));
        CHECK(kept.size() == 0 && !kept);
        kept = std::move(moved);
    }
    CHECK(kept.length() == 12 && kept[4] == 17);
}

// Objects that others need may go first.
static void objects_may_be_destroyed_in_any_order()
{
    cairn::search search;
    CHECK(!search && search.get() == nullptr);
    {
        cairn::context context;
        cairn::grid grid(context, rows);
        cairn::space space(grid);
        cairn::planner planner(space, "jps");
        search = cairn::search(planner);
        cairn::grid other = std::move(grid);
        CHECK(!grid && other);
        cairn_grid_destroy(other.release());
        CHECK(!other);
    }
    CHECK(search.find(15, 17).length() == 12);
}

static void a_graph_and_functions_are_worlds_too()
{
    cairn::context context;
    const cairn_graph_edge edges[] = {{0, 1, 5}, {1, 2, 6}, {0, 2, 20}};
    cairn_graph_options options{};
    options.node_count = 3;
    options.edge_count = 3;
    options.edges = edges;
    cairn::graph graph(context, options);
    cairn::space space(graph);
    cairn::planner planner(space);
    cairn::search search(planner);
    CHECK(search.find(0, 2).cost() == 11);
    CHECK(graph.set_edge_open(1, 2, false) == CAIRN_OK && graph.commit() == CAIRN_OK);
    CHECK(search.find(0, 2).cost() == 20 && graph.node_count() == 3);

    cairn_callbacks ring{};
    ring.node_count = 10;
    ring.neighbours = [](void *, cairn_node node, cairn_edge *out) -> std::uint32_t {
        out[0] = {(node + 1) % 10, 3};
        return 1;
    };
    cairn::space circle(context, ring);
    cairn::planner around(circle, "dijkstra");
    CHECK(cairn::search(around).find(1, 0).cost() == 27);
}

static void an_agent_walks()
{
    cairn::context context;
    cairn::grid grid(context, rows);
    cairn::space space(grid);
    cairn::planner planner(space);
    cairn::navigator agent(planner);
    CHECK(agent.start(15, 17) == CAIRN_OK && agent.goal() == 17);
    int steps = 0;
    for (cairn_move move = agent.next(); !move.arrived && steps < 100; move = agent.next()) steps++;
    CHECK(steps == 11 && agent.at() == 17);
    CHECK(agent.retarget(0) == CAIRN_OK && agent.next().status == CAIRN_OK);
    CHECK(agent.moved(0) == CAIRN_OK && agent.next().kind == CAIRN_MOVE_ARRIVED);
}

static void an_agent_walks_in_fog()
{
    cairn::context context;
    cairn::grid truth(context, rows);
    auto known = cairn::grid::known(truth, CAIRN_KNOW_NOTHING);
    CHECK(known && known.value.width() == truth.width());
    cairn::space true_space(truth), space(known.value);
    cairn::planner planner(space, "dstar-lite");
    cairn::navigator agent(planner);
    CHECK(agent.set_sensor(space, 1) == CAIRN_INVALID);
    CHECK(agent.set_sensor(true_space, 1) == CAIRN_OK && agent.start(15, 17) == CAIRN_OK);
    int steps = 0;
    std::uint32_t seen = 0;
    for (cairn_move move{}; !move.arrived && steps < 100; steps++) {
        move = agent.next();
        seen += move.seen;
    }
    CHECK(steps >= 11 && seen && agent.at() == 17);

    cairn_graph_edge edges[] = {{0, 1, 5}};
    cairn_graph_options options{};
    options.node_count = 2;
    options.edge_count = 1;
    options.edges = edges;
    cairn::graph graph(context, options);
    CHECK(cairn::graph::known(graph, CAIRN_KNOW_ALL).value.node_count() == 2);
}

static void failures_are_told()
{
    cairn::context context;
    auto made = cairn::grid::make(context, "..\n.x\n");
    CHECK(!made && !made.value && made.error.status == CAIRN_BAD_DATA && made.error.line == 2);
    auto good = cairn::grid::make(context, rows);
    CHECK(good && good.value.width() == 6);
    cairn::space space(good.value);
    auto planner = cairn::planner::make(space, "asatr");
    CHECK(!planner && planner.error.status == CAIRN_INVALID &&
          std::strstr(planner.error.text, "astar"));
    cairn_context_options small = cairn_context_defaults();
    small.byte_limit = 1;
    CHECK(cairn::context::make(small).error.status == CAIRN_OUT_OF_MEMORY);
}

static void paths_keep_away_from_walls()
{
    cairn::context context;
    cairn::grid grid(context, "...........\n...........\n...........\n...........\n...........\n");
    cairn_profile profile = cairn_profile_default();
    profile.layer_weight = 16;
    cairn::space space(grid, profile);
    cairn::planner planner(space, "astar");
    cairn::search search(planner);
    cairn_cost before = search.find(0, 10).cost();
    cairn_walls walls{};
    CHECK(space.stage_walls(walls) == CAIRN_INVALID);
    walls.range = 2;
    walls.cost = 32;
    CHECK(space.stage_walls(walls) == CAIRN_OK && grid.commit() == CAIRN_OK);
    CHECK(search.find(0, 10).cost() > before);
}

#if defined(__cpp_exceptions)
static void failures_are_thrown()
{
    cairn::context context;
    bool thrown = false;
    try {
        cairn::grid grid(context, "..\n.x\n");
    } catch (const cairn::error &error) {
        thrown = error.status() == CAIRN_BAD_DATA && error.line() == 2 && error.what()[0];
    }
    CHECK(thrown);
    thrown = false;
    try {
        cairn::grid grid(context, rows);
        cairn::space space(grid);
        cairn::planner planner(space, "asatr");
    } catch (const std::runtime_error &) {
        thrown = true;
    }
    CHECK(thrown);
    CHECK(context.memory().bytes > 0);
}
#endif

int main()
{
    a_grid_is_searched();
    changes_are_seen_after_the_commit();
    paths_keep_away_from_walls();
    planners_share_an_index();
    paths_can_be_kept();
    objects_may_be_destroyed_in_any_order();
    a_graph_and_functions_are_worlds_too();
    an_agent_walks();
    an_agent_walks_in_fog();
    failures_are_told();
#if defined(__cpp_exceptions)
    failures_are_thrown();
#endif
    std::printf("%s\n", failed ? "failed" : "all is well");
    return failed != 0;
}
