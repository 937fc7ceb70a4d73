/* test_service_twins.c: copies of a world that serve while another one is brought up to date
 * (game/twins.h): they are what the world is, whatever was committed; graphs have them, too; and
 * what happens without memory, or with little time, is said.
 */
#include "edits.h"
#include "graph_edits.h"
#include "office.h"

#include "game/twins.h"
#include "world/graph.h"
#include "world/grid_space.h"

enum { BACKGROUND = 5, WORK = 300 };

/* ---- copies ------------------------------------------------------------------------------- */

static void check_same_grid(const cairn_grid *a, const cairn_grid *b)
{
    for (cairn_node node = 0; node < a->width * a->height; node++) {
        cairn_cell_state x = crn_grid_state(a, node), y = crn_grid_state(b, node);
        assert_true(x.open == y.open && x.terrain == y.terrain && x.layer == y.layer &&
                    x.elevation == y.elevation);
    }
    assert_int_equal(a->link_count, b->link_count);
    for (uint32_t i = 0; i < a->link_count; i++) {
        cairn_link x = a->links[i], y = b->links[i];
        CHECK(x.from == y.from && x.to == y.to && x.id == y.id && x.cost == y.cost &&
                  x.kind == y.kind,
              "link %u", i);
    }
}

/* Cells and links, in any number of commits, more than the grid remembers now and then. */
static void copies_of_grids_are_what_the_grid_is(void **state)
{
    (void)state;
    scene_rng rng = {31};
    for (uint32_t round = 0; round < 6; round++) {
        scene *s = scene_noise("noise", 40, 30, 20, round + 1);
        if (round % 2) scene_add_terrain(s, round);
        if (round % 3) scene_add_links(s, 15, 200, 3000, round % 2, round);
        world w = world_of(s);
        cairn_planner *planner;
        CHECK_OK(cairn_planner_create(w.space, "alt", &planner, NULL));
        CHECK_OK(cairn_planner_build(planner, NULL, NULL));
        crn_twins *twins = crn_twins_create(planner, false);
        assert_non_null(twins);
        for (uint32_t sync = 0; sync < 12; sync++) {
            uint64_t work;
            uint32_t commits = sync % 4 ? 1 + scene_random(&rng, 4) : 70;
            for (uint32_t i = 0; i < commits; i++) {
                for (uint32_t n = 0; n < 5; n++) edit_something(&w, true, &rng);
                CHECK_OK(cairn_grid_commit(w.grid));
            }
            assert_true(crn_twins_are_old(twins) && crn_twins_begin(twins));
            CHECK_OK(crn_twins_end(twins, &work));
            assert_true(work > 0);
            const cairn_planner *serving = crn_twins_planner(twins);
            assert_false(crn_twins_are_old(twins));
            CHECK_OK(cairn_planner_state(serving));
            check_same_grid(w.grid, crn_grid_space_of(serving->space)->grid);
        }
        crn_twins_destroy(twins);
        cairn_planner_destroy(planner);
        world_end(&w);
    }
}

static crn_stock_edge edge_at(const cairn_graph *graph, uint32_t i)
{
    return graph->stock.offsets ? graph->stock.edges[i] : (crn_stock_edge){graph->edges[i], false};
}

static void check_same_graph(const cairn_graph *a, const cairn_graph *b)
{
    const uint32_t *first = a->stock.offsets ? a->stock.offsets : a->offsets,
                   *second = b->stock.offsets ? b->stock.offsets : b->offsets;
    assert_int_equal(crn_graph_size(a), crn_graph_size(b));
    for (cairn_node n = 0; n < a->node_count; n++) {
        cairn_position p = cairn_graph_position(a, n), q = cairn_graph_position(b, n);
        assert_true(cairn_graph_node_open(a, n) == cairn_graph_node_open(b, n));
        assert_true(p.x == q.x && p.y == q.y && p.z == q.z && first[n + 1] == second[n + 1]);
        for (uint32_t i = first[n]; i < first[n + 1]; i++) {
            crn_stock_edge x = edge_at(a, i), y = edge_at(b, i);
            assert_true(x.edge.node == y.edge.node && x.edge.cost == y.edge.cost);
            assert_true(x.closed == y.closed);
        }
    }
}

/* Edges of the same two nodes, too, some closed, some added later. */
static void copies_of_graphs_are_what_the_graph_is(void **state)
{
    (void)state;
    scene_rng rng = {32};
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        cairn_context *context = plain_context(0);
        cairn_graph *graph, *copy;
        if (s->node_count > 400 || s->node_count < 2) {
            graph_scene_destroy(s);
            cairn_context_destroy(context);
            continue;
        }
        CHECK_OK(graph_scene_graph(s, context, &graph));
        drawn_graph drawn = drawn_of(graph);
        for (uint32_t sync = 0; sync < 20; sync++) {
            if (sync % 10 == 0) CHECK_OK(crn_graph_copy(context, graph, &copy));
            for (uint32_t commits = scene_random(&rng, 3); commits; commits--) {
                for (uint32_t n = 0; n < 9; n++) drawn_edit(&drawn, graph, &rng);
                const drawn_edge *old = &drawn.edges[scene_random(&rng, drawn.edge_count)];
                cairn_graph_edge again = {old->edge.from, old->edge.to, 1 + scene_random(&rng, 99)};
                CHECK_OK(cairn_graph_add_edge(graph, &again));
                drawn_add(&drawn, again);
                CHECK_OK(cairn_graph_commit(graph));
            }
            CHECK_OK(crn_graph_stage_changes(copy, graph));
            CHECK_OK(cairn_graph_commit(copy));
            check_same_graph(graph, copy);
            if (sync % 10 == 9) cairn_graph_destroy(copy);
        }
        drawn_free(&drawn);
        cairn_graph_destroy(graph);
        graph_scene_destroy(s);
        cairn_context_destroy(context);
    }
}

/* ---- services on graphs --------------------------------------------------------------------- */

typedef struct city {
    office o;
    cairn_graph *graph;
    drawn_graph drawn;
    scene_rng rng;
    uint64_t hash;
    uint32_t found, outdated, stale;
    bool built; /* the first index */
} city;

static city city_open(const char *spec, uint32_t workers, const cairn_service_share *share)
{
    city c = {.rng = {5}, .o.context = plain_context(workers)};
    uint32_t number;
    enum { NODES = 300, EDGES = 900 };
    cairn_graph_edge edges[EDGES];
    cairn_position positions[NODES];
    for (uint32_t i = 0; i < NODES; i++)
        positions[i] = (cairn_position){i % 20 * 10.0, (double)(i / 20) * 10, 0};
    for (uint32_t i = 0; i < EDGES; i++) {
        uint32_t from = scene_random(&c.rng, NODES), far = i % 3 ? 1 : 20,
                 to = from + far < NODES ? from + far : from - far;
        edges[i] = (cairn_graph_edge){from, to, 100 + scene_random(&c.rng, 200)};
    }
    cairn_graph_options options = {.node_count = NODES,
                                   .edge_count = EDGES,
                                   .positions = positions,
                                   .edges = edges,
                                   .both_ways = true};
    CHECK_OK(cairn_graph_create(c.o.context, &options, &c.graph, NULL));
    CHECK_OK(cairn_space_of_graph(c.graph, &c.o.space, NULL));
    CHECK_OK(
        cairn_service_create(c.o.context, &(cairn_service_options){.slice = 50}, &c.o.service));
    CHECK_OK(cairn_planner_create(c.o.space, spec, &c.o.planners[0], NULL));
    CHECK_OK(cairn_service_add(c.o.service, c.o.planners[0], share, &number));
    c.o.planner_count = 1;
    c.drawn = drawn_of(c.graph);
    return c;
}

static void city_close(city *c)
{
    cairn_service_destroy(c->o.service);
    cairn_planner_destroy(c->o.planners[0]);
    cairn_space_destroy(c->o.space);
    cairn_graph_destroy(c->graph);
    cairn_context_destroy(c->o.context);
    drawn_free(&c->drawn);
}

static void city_check(city *c, const cairn_request *request, const cairn_path *path, bool old)
{
    const char *name = cairn_planner_algorithm(c->o.planners[0])->name;
    oracle *o = drawn_oracle(&c->drawn);
    oracle_search(o, request->from);
    uint64_t best = o->distance[request->to];
    c->hash = hash_path(c->hash, path) * 31 + path->version;
    if (path->status == CAIRN_FOUND) {
        assert_true(cairn_path_valid(c->o.space, path, NULL, NULL, NULL));
        assert_true(path->cost >= best && path->nodes[0] == request->from);
        double length = path->cost / cairn_graph_unit(c->graph);
        assert_true(path->length > length - 1e-6 && path->length < length + 1e-6);
        assert_true((path->version != cairn_space_version(c->o.space)) == old);
        assert_true(!old || path->suboptimality_bound == 0);
        if (!old && cairn_planner_optimal(c->o.planners[0])) CHECK(path->cost == best, "%s", name);
    } else if (path->status == CAIRN_UNREACHABLE) {
        CHECK(best == ORACLE_NONE, "%s: it can be reached", name);
    } else {
        CHECK(path->status == CAIRN_STALE || path->status == CAIRN_BLOCKED_START ||
                  path->status == CAIRN_BLOCKED_GOAL,
              "%s: %s", name, cairn_status_text(path->status));
    }
    c->found += path->status == CAIRN_FOUND;
    c->stale += path->status == CAIRN_STALE;
    c->outdated += old;
    oracle_destroy(o);
}

/* Asks for paths one after the other; a commit in every other frame. */
static void city_serve(city *c, uint32_t asked, bool edits)
{
    for (uint32_t i = 0; i < asked; i++) {
        cairn_request request = {.from = scene_random(&c->rng, c->drawn.node_count),
                                 .to = scene_random(&c->rng, c->drawn.node_count)};
        cairn_ticket ticket = ask(&c->o, &request);
        const cairn_path *path;
        for (uint32_t n = 0; cairn_service_answer(c->o.service, ticket, &path) == CAIRN_RUNNING;) {
            assert_true(n++ < 1000);
            if (edits && n % 2) {
                drawn_edit(&c->drawn, c->graph, &c->rng);
                CHECK_OK(cairn_graph_commit(c->graph));
            }
            cairn_frame frame = update(&c->o, WORK);
            const cairn_algorithm *a = cairn_planner_algorithm(c->o.planners[0]);
            CHECK(!c->built || !frame.undivided, "%s: %u units", a->name, (unsigned)frame.used);
            c->hash = c->hash * 31 + frame.used + 7 * frame.restarts;
            if (frame.answered) cairn_service_answer(c->o.service, ticket, &path);
            if (frame.answered) city_check(c, &request, path, frame.outdated);
        }
        CHECK_OK(cairn_service_release(c->o.service, ticket));
    }
    c->built = true;
}

static void graphs_have_twins(void **state)
{
    (void)state;
    cairn_service_share share = {.background = BACKGROUND};
    uint32_t algorithms = 0;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (!(a->flags & CAIRN_NEEDS_INDEX) || !(a->worlds & 1u << CAIRN_WORLD_GRAPH)) continue;
        uint64_t hash = 0;
        algorithms++;
        for (uint32_t workers = 0; workers < 3; workers += 2) {
            city c = city_open(a->name, workers, &share);
            city_serve(&c, 5, false);
            assert_int_equal(c.outdated, 0);
            city_serve(&c, 40, true);
            CHECK(c.outdated > 10 && c.found > 20 && c.stale < 4,
                  "%s: %u outdated, %u found, %u stale", a->name, c.outdated, c.found, c.stale);
            assert_true(cairn_service_usage(c.o.service).copy_bytes > 10000);
            if (workers) assert_int_equal(c.hash, hash);
            hash = c.hash;
            for (uint32_t n = 0; n < 3 * BACKGROUND; n++) update(&c.o, WORK);
            uint32_t outdated = c.outdated;
            city_serve(&c, 5, false);
            assert_int_equal(c.outdated, outdated);
            city_close(&c);
        }
    }
    assert_true(algorithms > 1);
}

/* ---- little time ----------------------------------------------------------------------------- */

static office linked_office(cairn_context *context, uint32_t side, const char *spec)
{
    cairn_service_share share = {.background = BACKGROUND};
    scene *s = scene_blank("links", side, side);
    uint32_t number;
    scene_add_links(s, 4, 9000, 9001, false, 3);
    office o = office_open(s, context, NULL, 0, NULL);
    CHECK_OK(cairn_planner_create(o.space, spec, &o.planners[0], NULL));
    CHECK_OK(cairn_planner_build(o.planners[0], NULL, NULL));
    CHECK_OK(cairn_service_add(o.service, o.planners[0], &share, &number));
    o.planner_count = 1;
    return o;
}

static void toggle(office *o, int32_t x, int32_t y)
{
    CHECK_OK(cairn_grid_set_open(o->grid, x, y, !cairn_grid_is_open(o->grid, x, y)));
}

/* A large commit takes more than a frame has: several pay for reading it. */
static void frames_pay_together_for_what_is_read(void **state)
{
    (void)state;
    office o = linked_office(plain_context(0), 80, "alt");
    uint64_t used = 0;
    for (int32_t i = 0; i < 4000; i++) toggle(&o, i % 80, i / 80);
    CHECK_OK(cairn_grid_commit(o.grid));
    uint32_t frames = 0;
    cairn_ticket ticket = CAIRN_NO_TICKET;
    for (; frames < 40; frames++) {
        cairn_frame frame = update(&o, 1);
        assert_true(!frame.undivided && !frame.debt);
        used += frame.used;
    }
    assert_int_equal(used, 1 + 4000 / 1024);
    ticket = ask(&o, &(cairn_request){.from = 79 * 80, .to = 79 * 80 + 50});
    const cairn_path *path;
    update_all(&o);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, &path), CAIRN_FOUND);
    assert_true(path->version == cairn_space_version(o.space));
    office_close(&o);
}

/* There is no index yet. Each frame has a commit, begins to make an index, and has no more units than
 * it takes to read for that: the request is answered all the same. */
static void who_reads_leaves_something_to_the_others(void **state)
{
    (void)state;
    for (uint32_t work = 1; work < 4; work++) {
        office o = linked_office(plain_context(0), 12, "alt");
        uint32_t frames = 0;
        office_add(&o, "alt", &(cairn_service_share){.background = 1});
        cairn_ticket ticket = ask(&o, &(cairn_request){.planner = 1, .from = 0, .to = 143});
        do {
            assert_true(frames++ < 3000);
            toggle(&o, 6, 6);
            CHECK_OK(cairn_grid_commit(o.grid));
            update(&o, work);
        } while (cairn_service_answer(o.service, ticket, NULL) == CAIRN_RUNNING);
        CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_FOUND);
        office_close(&o);
    }
}

/* Asks three times, with one unit and a commit in each frame; how many frames that took. */
static uint32_t answers_of_one_unit(const char *spec, uint32_t workers)
{
    enum { SIDE = 12, MOST = 6000 };
    cairn_request request = {.from = 0, .to = SIDE - 1};
    scene *s = scene_noise("noise", SIDE, SIDE, 10, 3);
    scene_add_links(s, 4, 9000, 9001, false, 3);
    office o = office_open(s, plain_context(workers), NULL, 0, NULL);
    office_add(&o, spec, NULL);
    cairn_ticket ticket = ask(&o, &request);
    uint32_t frames = 0;
    for (uint32_t answers = 0; answers < 3; frames++) {
        const cairn_path *path;
        CHECK(frames < MOST, "%s: %u answers", spec, answers);
        toggle(&o, 1 + (int32_t)(frames % (SIDE - 2)), 9);
        CHECK_OK(cairn_grid_commit(o.grid));
        cairn_frame frame = update(&o, 1);
        assert_true(frame.used <= 1 && !frame.undivided && !frame.beside && !frame.debt);
        if (!frame.answered) continue;
        CHECK_STATUS(cairn_service_answer(o.service, ticket, &path), CAIRN_FOUND);
        assert_true(frame.outdated == 1 && path->suboptimality_bound == 0);
        assert_true(cairn_path_valid(o.space, path, NULL, NULL, NULL));
        CHECK_OK(cairn_service_release(o.service, ticket));
        ticket = ask(&o, &request);
        answers++;
    }
    cairn_service_use use = cairn_service_usage(o.service);
    assert_true(use.copy_bytes > 0 && !use.failed_syncs);
    office_close(&o);
    return frames;
}

/* Commits come faster than slices can follow: in a copy that stands still they come to an end. */
static void slices_end_however_fast_commits_come(void **state)
{
    (void)state;
    static const char *const specs[] = {"hpa", "mm", "dbastar", "hpa:size=4,levels=1"};
    for (uint32_t i = 0; i < LENGTH(specs); i++)
        assert_int_equal(answers_of_one_unit(specs[i], 0), answers_of_one_unit(specs[i], 2));
}

/* Somebody has waited for so many commits that there would be a copy now, but the index is up to date
 * by then: there is none. Else it would get an index, too, which no budget knows of. */
static void what_has_caught_up_is_not_copied(void **state)
{
    (void)state;
    enum { SIDE = 60, COMMITS = 60 };
    office o = office_open(scene_blank("blank", SIDE, SIDE), plain_context(0), NULL, 0, NULL);
    office_add(&o, "hpa", NULL);
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = SIDE * SIDE - 1});
    update(&o, 1);
    for (int32_t i = 0; i < COMMITS; i++) {
        toggle(&o, i % (SIDE - 1), 7);
        CHECK_OK(cairn_grid_commit(o.grid));
        update(&o, 1);
        assert_true(cairn_planner_state(o.planners[0]) != CAIRN_OK);
        CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_RUNNING);
    }
    CHECK_OK(cairn_planner_sync(o.planners[0], NULL, NULL));
    update_all(&o);
    CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_FOUND);
    assert_int_equal(cairn_service_usage(o.service).copy_bytes, 0);
    office_close(&o);
}

/* It takes many more frames than an index, while commits come in each of them. Where nothing can be
 * pinned, the next index waits for it. */
static void long_searches_end_where_there_are_links(void **state)
{
    (void)state;
    enum { SIDE = 60 };
    office o = linked_office(plain_context(0), SIDE, "alt:landmarks=1");
    cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = SIDE * SIDE - 1});
    const cairn_path *path;
    uint32_t restarts = 0, frames = 0;
    cairn_status status = CAIRN_RUNNING;
    for (; status == CAIRN_RUNNING; frames++) {
        assert_true(frames < 2000);
        toggle(&o, 30, 30);
        CHECK_OK(cairn_grid_commit(o.grid));
        restarts += update(&o, 8).restarts;
        status = cairn_service_answer(o.service, ticket, &path);
    }
    CHECK_STATUS(status, CAIRN_FOUND);
    CHECK(restarts == 2 && frames > 2 * BACKGROUND, "%u restarts in %u frames", restarts, frames);
    assert_true(path->version < cairn_space_version(o.space));
    office_close(&o);
}

/* ---- wrong answers ---------------------------------------------------------------------------- */

/* A gate is closed: the old index leads through it. The request waits for the next one; and if each
 * of them is wrong again, it is told so. */
static void what_is_wrong_waits_for_the_next_index(void **state)
{
    (void)state;
    enum { SIDE = 30 };
    for (uint32_t again = 0; again < 2; again++) {
        office o = linked_office(plain_context(0), SIDE, "alt");
        for (int32_t y = 0; y < SIDE; y++)
            if (y != 3 && y != 9 && y != 15 && y != 21) toggle(&o, 15, y);
        for (uint32_t i = 0; i < 4; i++)
            CHECK_OK(cairn_grid_remove_links(o.grid, cairn_grid_link_at(o.grid, i).id));
        CHECK_OK(cairn_grid_commit(o.grid));
        for (uint32_t i = 0; i < 3 * BACKGROUND; i++) update(&o, WORK);
        const cairn_link link = {.from = 0, .to = 1, .cost = 90000};
        CHECK_OK(cairn_grid_add_link(o.grid, &link)); /* nothing can be pinned */
        CHECK_OK(cairn_grid_commit(o.grid));
        for (uint32_t i = 0; i < 3 * BACKGROUND; i++) update(&o, WORK);
        toggle(&o, 15, 3);
        CHECK_OK(cairn_grid_commit(o.grid));
        cairn_ticket ticket = ask(&o, &(cairn_request){.from = 3 * SIDE, .to = 3 * SIDE + 29});
        const cairn_path *path;
        cairn_status status = CAIRN_RUNNING;
        uint32_t frames = 0, restarts = 0;
        int32_t gate = 9;
        for (; status == CAIRN_RUNNING; frames++) {
            assert_true(frames < 100);
            restarts += update(&o, 0).restarts;
            status = cairn_service_answer(o.service, ticket, &path);
            if (!again || frames % BACKGROUND != 2 || gate > 15) continue;
            toggle(&o, 15, gate); /* the one that the next index leads through */
            gate += 6;
            CHECK_OK(cairn_grid_commit(o.grid));
        }
        CHECK_STATUS(status, again ? CAIRN_STALE : CAIRN_FOUND);
        CHECK(restarts == (again ? 3 : 1), "%u restarts in %u frames", restarts, frames);
        if (!again) {
            assert_true(frames > BACKGROUND && frames <= BACKGROUND + 2);
            assert_true(path->version == cairn_space_version(o.space));
        }
        office_close(&o);
    }
}

/* ---- memory ----------------------------------------------------------------------------------- */

/* Every allocation of a sync fails once: that is counted, the old index serves on, and the next
 * update tries again. */
static void syncs_without_memory_are_counted(void **state)
{
    (void)state;
    uint32_t failed = 0, outdated = 0;
    for (uint64_t fail_at = 1;; fail_at++) {
        watched memory = {0};
        cairn_context *context;
        CHECK_OK(watched_context(&memory, &context));
        office o = linked_office(context, 20, "alt");
        toggle(&o, 10, 10);
        CHECK_OK(cairn_grid_add_link(o.grid, &(cairn_link){.from = 5, .to = 300, .cost = 700}));
        CHECK_OK(cairn_grid_commit(o.grid));
        memory.fail_at = memory.calls + fail_at;
        for (uint32_t i = 0; i < BACKGROUND + 1; i++) update(&o, WORK);
        bool fails = memory.failures;
        memory.fail_at = 0;
        uint64_t counted = cairn_service_usage(o.service).failed_syncs;
        CHECK(counted == fails, "%u counted", (uint32_t)counted);
        cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = 19});
        cairn_frame frame = update(&o, WORK);
        assert_true(frame.answered == 1 && frame.outdated <= fails);
        outdated += frame.outdated;
        CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_FOUND);
        for (uint32_t i = 0; i < 2 * BACKGROUND; i++) update(&o, WORK);
        ticket = ask(&o, &(cairn_request){.from = 0, .to = 18});
        assert_int_equal(update(&o, WORK).outdated, 0);
        CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_FOUND);
        assert_int_equal(cairn_service_usage(o.service).failed_syncs, counted);
        office_close(&o);
        assert_true(!memory.blocks && !memory.wrong_size);
        failed += fails;
        if (!fails) break;
    }
    assert_true(failed > 5 && outdated > 2);
}

/* Requests wait for the first index, which takes nothing of the frames. Every allocation fails once:
 * who waits is told so, and the next index serves. */
static void the_first_index_is_waited_for(void **state)
{
    (void)state;
    uint32_t failed = 0, refused = 0;
    for (uint64_t fail_at = 1;; fail_at++) {
        cairn_service_share share = {.background = BACKGROUND};
        watched memory = {0};
        cairn_context *context;
        CHECK_OK(watched_context(&memory, &context));
        office o = office_open(scene_blank("blank", 30, 30), context, NULL, 0, NULL);
        office_add(&o, "alt", &share);
        cairn_ticket ticket = ask(&o, &(cairn_request){.from = 0, .to = 99});
        memory.fail_at = memory.calls + fail_at;
        for (uint32_t i = 0; i < BACKGROUND; i++) assert_true(update(&o, WORK).used <= 1);
        cairn_frame frame = update(&o, WORK);
        bool fails = memory.failures;
        assert_true(!frame.undivided && (fails || frame.beside >= 900));
        memory.fail_at = 0;
        cairn_status status = cairn_service_answer(o.service, ticket, NULL);
        CHECK(status == CAIRN_FOUND || (fails && status == CAIRN_OUT_OF_MEMORY), "%s",
              cairn_status_text(status));
        refused += status == CAIRN_OUT_OF_MEMORY;
        ticket = ask(&o, &(cairn_request){.from = 5, .to = 99});
        for (uint32_t i = 0; i <= BACKGROUND; i++) update(&o, WORK);
        CHECK_STATUS(cairn_service_answer(o.service, ticket, NULL), CAIRN_FOUND);
        office_close(&o);
        assert_true(!memory.blocks && !memory.wrong_size);
        failed += fails;
        if (!fails) break;
    }
    assert_true(failed > 5 && refused > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_of_grids_are_what_the_grid_is),
        cmocka_unit_test(copies_of_graphs_are_what_the_graph_is),
        cmocka_unit_test(graphs_have_twins),
        cmocka_unit_test(frames_pay_together_for_what_is_read),
        cmocka_unit_test(who_reads_leaves_something_to_the_others),
        cmocka_unit_test(slices_end_however_fast_commits_come),
        cmocka_unit_test(what_has_caught_up_is_not_copied),
        cmocka_unit_test(long_searches_end_where_there_are_links),
        cmocka_unit_test(what_is_wrong_waits_for_the_next_index),
        cmocka_unit_test(syncs_without_memory_are_counted),
        cmocka_unit_test(the_first_index_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
