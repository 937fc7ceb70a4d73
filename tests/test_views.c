/* test_views.c: views of a space against a grid that was really edited: the same edges both ways,
 * the same answers of every planner that works on views, whatever lies below changes too.
 */
#include "edge_sets.h"
#include "edits.h"
#include "kit.h"
#include "world/grid_space.h"

/* A grid with a view over its space, and beside it a grid that has the view's cells in earnest. */
typedef struct pair {
    world below, real;
    cairn_space *view;
    uint8_t *mode; /* of each cell: 0 = as it is, 1 = blocked, 2 = opened */
    uint8_t *extra;
    cairn_planner *planners[EDITED_ALGORITHMS];
    cairn_search *searches[EDITED_ALGORITHMS];
    uint32_t found;
} pair;

enum { WEIGHT = 100 }; /* of the extra layer, which must be empty */

static scene *scene_for_views(uint32_t i)
{
    scene *s = scene_at(i);
    free(s->layer);
    s->layer = NULL;
    s->profile.layer_weight = WEIGHT;
    return s;
}

/* Takes over both scenes, which are alike. */
static pair pair_of(scene *a, scene *b)
{
    pair p = {.below = world_of(a), .real = world_of(b)};
    uint32_t cells = a->width * a->height;
    p.mode = calloc(cells, 1), p.extra = calloc(cells, 1);
    if (!p.mode || !p.extra) abort();
    CHECK_OK(cairn_space_view_create(p.below.space, &p.view, NULL));
    for (uint32_t k = 0; k < cairn_algorithm_count() && k < EDITED_ALGORITHMS; k++) {
        char spec[64];
        const char *name = soon_given_up(cairn_algorithm_at(k), spec);
        if (cairn_planner_create(p.view, name, &p.planners[k], NULL) != CAIRN_OK) continue;
        CHECK_OK(cairn_search_create(p.planners[k], NULL, &p.searches[k]));
    }
    return p;
}

static void pair_end(pair *p)
{
    for (uint32_t k = 0; k < LENGTH(p->planners); k++) {
        cairn_search_destroy(p->searches[k]);
        cairn_planner_destroy(p->planners[k]);
    }
    cairn_space_destroy(p->view);
    world_end(&p->below);
    world_end(&p->real);
    free(p->mode), free(p->extra);
}

static void edit_view(pair *p, scene_rng *rng)
{
    cairn_node node = any_cell(&p->below, rng);
    uint32_t what = scene_random(rng, 5);
    if (what == 0) {
        p->mode[node] = p->extra[node] = 0;
        CHECK_OK(cairn_view_restore(p->view, node));
    } else if (what < 3) {
        p->mode[node] = (uint8_t)what;
        CHECK_OK(what == 1 ? cairn_view_block(p->view, node) : cairn_view_open(p->view, node));
    } else {
        p->extra[node] = (uint8_t)scene_random(rng, 60);
        CHECK_OK(cairn_view_cost(p->view, node, p->extra[node] * WEIGHT));
    }
}

/* Changes the grid below, cells only. */
static void edit_below(pair *p, scene_rng *rng)
{
    edit_cell(&p->below, any_cell(&p->below, rng), rng);
    CHECK_OK(cairn_grid_commit(p->below.grid));
}

static void edit_links_below(pair *p, scene_rng *rng)
{
    cairn_link link = {any_cell(&p->below, rng), any_cell(&p->below, rng),
                       7000 + scene_random(rng, 5), scene_random(rng, 3000), 0};
    if (link.from == link.to) return;
    edit_remove_links(&p->below, link.id);
    edit_remove_links(&p->real, link.id);
    edit_add_link(&p->below, &link);
    edit_add_link(&p->real, &link);
    CHECK_OK(cairn_grid_commit(p->below.grid));
}

/* Makes the real one what the view shows. */
static void make_real(pair *p)
{
    scene *a = p->below.scene, *b = p->real.scene;
    if (!b->layer) b->layer = calloc(a->width * a->height, 1);
    if (!b->layer) abort();
    for (cairn_node n = 0; n < a->width * a->height; n++) {
        int32_t x = (int32_t)(n % a->width), y = (int32_t)(n / a->width);
        b->open[n] = p->mode[n] ? p->mode[n] == 2 : a->open[n];
        b->layer[n] = p->extra[n];
        CHECK_OK(cairn_grid_set_open(p->real.grid, x, y, b->open[n]));
        CHECK_OK(cairn_grid_set_layer(p->real.grid, x, y, b->layer[n]));
        if (a->terrain)
            CHECK_OK(cairn_grid_set_terrain(p->real.grid, x, y, b->terrain[n] = a->terrain[n]));
        if (a->elevation)
            CHECK_OK(
                cairn_grid_set_elevation(p->real.grid, x, y, b->elevation[n] = a->elevation[n]));
    }
    CHECK_OK(cairn_grid_commit(p->real.grid));
}

static void check_edges(const pair *p)
{
    const char *name = p->below.scene->name;
    edge_set seen = edge_set_of(p->view, cairn_space_expand, false, 5),
             real = edge_set_of(p->real.space, cairn_space_expand, false, 16);
    edge_set_check_equal(name, &seen, &real);
    edge_set_check_back(name, p->view, 3);
    for (cairn_node n = 0; n < cairn_space_node_count(p->view); n++) {
        CHECK(cairn_space_usable(p->view, n) == cairn_space_usable(p->real.space, n), "%s: node %u",
              name, n);
    }
    edge_set_free(&seen);
    edge_set_free(&real);
}

/* Paths in views, and the estimates on their path. */
static void check_query(pair *p, oracle *o, scene_rng *rng)
{
    cairn_node from = any_cell(&p->below, rng), to = any_cell(&p->below, rng);
    oracle_search(o, from);
    uint64_t best = o->distance[to];
    for (uint32_t k = 0; k < EDITED_ALGORITHMS; k++) {
        const cairn_path *path;
        if (!p->searches[k]) continue;
        const char *name = cairn_algorithm_at(k)->name;
        cairn_status status =
            cairn_search_find(p->searches[k], &(cairn_query){.from = from, .to = to}, &path);
        cairn_status must = !o->usable[from]      ? CAIRN_BLOCKED_START
                            : !o->usable[to]      ? CAIRN_BLOCKED_GOAL
                            : best == ORACLE_NONE ? CAIRN_UNREACHABLE
                                                  : CAIRN_FOUND;
        if (gave_up(cairn_algorithm_at(k), status)) continue;
        CHECK(status == must, "%s in %s from %u to %u: %s, not %s", name, p->below.scene->name,
              from, to, cairn_status_text(status), cairn_status_text(must));
        if (status != CAIRN_FOUND) continue;
        bool optimal = cairn_planner_optimal(p->planners[k]);
        CHECK(path->cost == best || (!optimal && path->cost > best),
              "%s in %s from %u to %u: %u, the best is %u", name, p->below.scene->name, from, to,
              path->cost, (unsigned)best);
        cairn_cost sum;
        CHECK(cairn_path_valid(p->view, path, &sum, NULL, NULL) && sum == path->cost, "%s", name);
        p->found++;
    }
    CHECK(best == ORACLE_NONE || cairn_reachable(p->view, from, to) != CAIRN_REACH_NO,
          "from %u to %u", from, to);
    if (best != ORACLE_NONE) {
        CHECK(cairn_estimate(p->view, CAIRN_HEURISTIC_AUTO, from, to) <= best, "from %u to %u",
              from, to);
    }
}

static void check_planners(pair *p, scene_rng *rng)
{
    oracle_grid raw = scene_raw(p->real.scene);
    oracle *o = oracle_of_grid(&raw, &p->real.scene->profile, cairn_space_scale(p->real.space));
    for (uint32_t q = 0; q < 4; q++) check_query(p, o, rng);
    oracle_destroy(o);
}

static void views_are_as_good_as_edits(void **state)
{
    (void)state;
    uint32_t found = 0, links = 0;
    for (uint32_t i = 0; i < scene_count(); i++) {
        pair p = pair_of(scene_for_views(i), scene_for_views(i));
        scene_rng rng = {i + 1};
        bool linked = p.below.scene->link_count > 0;
        uint32_t rounds = test_times(9, 4);
        for (uint32_t round = 0; round < rounds; round++) {
            uint64_t before = cairn_space_version(p.view);
            for (uint32_t e = scene_random(&rng, 6); e; e--) edit_view(&p, &rng);
            if (round % 3 == 1) edit_below(&p, &rng);
            if (round % 4 == 2 && linked) edit_links_below(&p, &rng), links++;
            CHECK(cairn_space_version(p.view) >= before, "versions rise");
            make_real(&p);
            check_edges(&p);
            check_planners(&p, &rng);
        }
        found += p.found;
        CHECK_OK(cairn_view_clear(p.view));
        assert_int_equal(cairn_view_count(p.view), 0);
        edge_set seen = edge_set_of(p.view, cairn_space_expand, false, 16),
                 below = edge_set_of(p.below.space, cairn_space_expand, false, 16);
        edge_set_check_equal("cleared", &seen, &below);
        edge_set_free(&seen);
        edge_set_free(&below);
        if (p.below.scene->width * p.below.scene->height < 1000) {
            assert_int_equal(cairn_space_validate(p.view, NULL, NULL), 0);
        }
        pair_end(&p);
    }
    CHECK(found > 400 && links > 5, "%u paths, %u links", found, links);
}

/* Two links that only the view can use, one of them a shortcut. */
static void links_of_opened_cells_lead_on(void **state)
{
    (void)state;
    uint32_t worlds = test_times(24, 6);
    for (uint32_t i = 0; i < worlds; i++) {
        scene *scenes[2];
        for (uint32_t k = 0; k < 2; k++) {
            scenes[k] = scene_noise("links", 24, 20, 30, 50 + i);
            scenes[k]->profile.layer_weight = WEIGHT;
            if (i % 3 == 0) scene_make_hex(scenes[k]);
            scene_add_links(scenes[k], 20, 0, 2500, i & 1, i);
        }
        pair p = pair_of(scenes[0], scenes[1]);
        scene_rng rng = {i + 1};
        for (uint32_t k = 0; k < 20; k++) {
            const cairn_link *link =
                &p.below.scene->links[scene_random(&rng, p.below.scene->link_count)];
            cairn_node node = scene_random(&rng, 2) ? link->from : link->to;
            p.mode[node] = scene_random(&rng, 3) ? 2 : 1;
            CHECK_OK(p.mode[node] == 2 ? cairn_view_open(p.view, node)
                                       : cairn_view_block(p.view, node));
            make_real(&p);
            check_edges(&p);
            check_planners(&p, &rng);
        }
        pair_end(&p);
    }
}

/* ---- goals that are not a node ----------------------------------------------------------- */

static void goals_next_to_and_within_are_those_of_the_grid(void **state)
{
    (void)state;
    const char *const names[] = {"light", "gaps", "hex-light", "cliffs", "wide"};
    for (uint32_t i = 0; i < LENGTH(names); i++) {
        pair p = pair_of(scene_named(names[i]), scene_named(names[i]));
        scene_rng rng = {i + 3};
        cairn_planner *planner;
        cairn_search *searches[2];
        for (uint32_t e = 0; e < 30; e++) {
            cairn_node node = any_cell(&p.below, &rng);
            p.mode[node] = (uint8_t)(1 + scene_random(&rng, 2));
            CHECK_OK(p.mode[node] == 2 ? cairn_view_open(p.view, node)
                                       : cairn_view_block(p.view, node));
        }
        make_real(&p);
        cairn_planner *planners[2];
        for (uint32_t k = 0; k < 2; k++) {
            CHECK_OK(cairn_planner_create(k ? p.real.space : p.view, "dijkstra", &planner, NULL));
            planners[k] = planner;
            CHECK_OK(cairn_search_create(planner, NULL, &searches[k]));
        }
        for (uint32_t q = 0; q < 60; q++) {
            cairn_query query = {.from = any_cell(&p.below, &rng), .to = any_cell(&p.below, &rng)};
            query.goal_kind = q & 1 ? CAIRN_GOAL_NEXT_TO : CAIRN_GOAL_WITHIN;
            query.radius = 2.5;
            const cairn_path *paths[2];
            cairn_status seen = cairn_search_find(searches[0], &query, &paths[0]);
            CHECK_STATUS(cairn_search_find(searches[1], &query, &paths[1]), seen);
            if (seen != CAIRN_FOUND) continue;
            assert_int_equal(paths[0]->cost, paths[1]->cost);
            CHECK(paths[0]->cost || paths[0]->length == 0, "%f", paths[0]->length);
        }
        for (uint32_t k = 0; k < 2; k++) {
            cairn_search_destroy(searches[k]);
            cairn_planner_destroy(planners[k]);
        }
        pair_end(&p);
    }
}

static void a_path_in_a_view_is_as_long_as_in_the_grid(void **state)
{
    (void)state;
    pair p = pair_of(scene_named("light"), scene_named("light"));
    scene_rng rng = {9};
    cairn_planner *planner;
    cairn_search *search;
    CHECK_OK(cairn_planner_create(p.real.space, "dijkstra", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    for (uint32_t k = 0; k < EDITED_ALGORITHMS; k++) {
        if (!p.searches[k] || strcmp(cairn_algorithm_at(k)->name, "dijkstra") != 0) continue;
        for (uint32_t q = 0; q < 30; q++) {
            cairn_query query = {.from = any_cell(&p.below, &rng), .to = any_cell(&p.below, &rng)};
            const cairn_path *a, *b;
            if (cairn_search_find(p.searches[k], &query, &a) != CAIRN_FOUND) continue;
            CHECK_STATUS(cairn_search_find(search, &query, &b), CAIRN_FOUND);
            CHECK(fabs(a->length - b->length) < 1e-9, "%f and %f", a->length, b->length);
        }
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    pair_end(&p);
}

/* ---- changes ------------------------------------------------------------------------------ */

typedef struct told {
    bool *marks;
    int64_t last;
    uint32_t count;
} told;

static void tell(void *user, cairn_node node)
{
    told *t = user;
    CHECK(node > t->last, "node %u after %d", node, (int)t->last);
    t->last = node;
    t->marks[node] = true;
    t->count++;
}

static void views_tell_what_changed_near_them(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < scene_count(); i++) {
        pair p = pair_of(scene_for_views(i), scene_for_views(i));
        scene_rng rng = {i + 1};
        uint32_t nodes = cairn_space_node_count(p.view);
        for (uint32_t round = 0; round < 8; round++) {
            uint64_t since = cairn_space_version(p.view);
            edge_set then = edge_set_of(p.view, cairn_space_expand, false, 16);
            told t = {.marks = calloc(nodes, 1), .last = -1};
            if (!t.marks) abort();
            for (uint32_t e = scene_random(&rng, 3); e; e--) edit_view(&p, &rng);
            if (round % 3) edit_below(&p, &rng);
            if (round % 4 == 2 && p.below.scene->link_count) edit_links_below(&p, &rng);
            edit_view(&p, &rng);
            edge_set now = edge_set_of(p.view, cairn_space_expand, false, 16);
            CHECK_OK(cairn_space_changes(p.view, since, tell, &t));
            for (size_t a = 0, b = 0; a < then.count || b < now.count;) {
                int order = a == then.count  ? 1
                            : b == now.count ? -1
                                             : edge_set_order(&then.edges[a], &now.edges[b]);
                const cairn_graph_edge *e = order > 0 ? &now.edges[b] : &then.edges[a];
                CHECK(!order || (t.marks[e->from] && t.marks[e->to]), "%s: %u to %u",
                      p.below.scene->name, e->from, e->to);
                a += order <= 0, b += order >= 0;
            }
            const crn_size *size = &crn_grid_space_of(p.below.space)->size;
            uint32_t box =
                (uint32_t)((size->right - size->left + 5) * (size->bottom - size->top + 5));
            CHECK(t.count <= 5 * box + 4 * p.below.scene->link_count + 8, "%s: %u nodes",
                  p.below.scene->name, t.count);
            edge_set_free(&then);
            edge_set_free(&now);
            free(t.marks);
        }
        pair_end(&p);
    }
}

static void views_forget_old_edits(void **state)
{
    (void)state;
    pair p = pair_of(scene_named("open"), scene_named("open"));
    told t = {.marks = calloc(cairn_space_node_count(p.view), 1), .last = -1};
    if (!t.marks) abort();
    uint64_t since = cairn_space_version(p.view);
    for (uint32_t i = 0; i < 300; i++)
        CHECK_OK(i & 1 ? cairn_view_open(p.view, 5) : cairn_view_block(p.view, 5));
    assert_int_equal(cairn_space_changes(p.view, since, tell, &t), CAIRN_STALE);
    assert_int_equal(t.count, 0);
    CHECK_OK(cairn_space_changes(p.view, since + 200, tell, &t));
    assert_int_equal(t.count, 6); /* in the first row */
    free(t.marks);
    pair_end(&p);
}

/* ---- limits ------------------------------------------------------------------------------- */

static void what_a_view_cannot_do_is_refused(void **state)
{
    (void)state;
    scene *s = scene_named("light");
    kit k = kit_of_scene(s, NULL);
    cairn_space *view, *other;
    cairn_error error = {0};
    CHECK_OK(cairn_space_view_create(k.space, &view, NULL));
    assert_int_equal(cairn_space_view_create(view, &other, &error), CAIRN_UNSUPPORTED);
    CHECK(other == NULL && error.text[0], "a reason");
    assert_int_equal(cairn_view_block(k.space, 3), CAIRN_INVALID);
    assert_int_equal(cairn_view_clear(k.space), CAIRN_INVALID);
    assert_int_equal(cairn_view_block(view, cairn_space_node_count(view)), CAIRN_OUT_OF_BOUNDS);
    assert_true(cairn_space_grid(view) == NULL && cairn_space_graph(view) == NULL &&
                cairn_space_profile(view) == NULL && cairn_view_space(view) == k.space);
    uint64_t hash = cairn_space_hash(view);
    CHECK_OK(cairn_view_block(view, 3));
    assert_true(cairn_space_hash(view) != hash);
    uint32_t served = 0;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        cairn_planner *planner;
        error = (cairn_error){0};
        if (a->kind != CAIRN_KIND_PLANNER) continue;
        cairn_status status = cairn_planner_create(view, a->name, &planner, &error);
        bool index = a->flags & CAIRN_NEEDS_INDEX, graphs = a->worlds >> CAIRN_WORLD_GRAPH & 1;
        CHECK(status == (graphs && !index ? CAIRN_OK : CAIRN_UNSUPPORTED), "%s: %s", a->name,
              error.text);
        /* hcdps serves graphs too, but no world that is only like one */
        bool named = index && graphs ? strstr(error.text, "index") || strstr(error.text, "grid")
                                     : strstr(error.text, "grid") != NULL;
        CHECK(status == CAIRN_OK || named, "%s: %s", a->name, error.text);
        served += status == CAIRN_OK;
        cairn_planner_destroy(planner);
    }
    CHECK(served > 4, "%u algorithms", served);
    cairn_space_destroy(view);
    kit_end(&k, s);
}

static void a_view_takes_memory_for_its_patch_only(void **state)
{
    (void)state;
    watched w = {0};
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space, *view;
    CHECK_OK(watched_context(&w, &context));
    cairn_grid_options options = {.width = 1000, .height = 1000};
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    size_t before = w.bytes;
    CHECK_OK(cairn_space_view_create(space, &view, NULL));
    for (cairn_node n = 0; n < 20; n++) CHECK_OK(cairn_view_block(view, 1000 * n + 500));
    assert_int_equal(w.bytes - before, cairn_space_bytes(view));
    CHECK(w.bytes - before < 10000, "%zu bytes", w.bytes - before);
    uint64_t version = cairn_space_version(view);
    w.calls = 0, w.fail_at = 1, w.fail_on = true;
    cairn_node node = 0;
    while (cairn_view_block(view, 3000 + node) == CAIRN_OK) node++, version++;
    assert_int_equal(cairn_view_block(view, 3000 + node), CAIRN_OUT_OF_MEMORY);
    assert_int_equal(cairn_space_version(view), version);
    assert_true(cairn_space_usable(view, 3000 + node));
    CHECK_OK(cairn_view_clear(view)); /* needs none */
    w.fail_at = 0;
    cairn_space_destroy(view);
    assert_int_equal(w.bytes, before);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

/* Without memory for the links that opened cells may gain, a commit below does not happen. */
static void commits_below_get_memory_for_views_first(void **state)
{
    (void)state;
    watched w = {0};
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space, *view;
    CHECK_OK(watched_context(&w, &context));
    cairn_grid_options options = {.width = 20, .height = 20};
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    CHECK_OK(cairn_grid_set_open(grid, 5, 5, false));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_OK(cairn_space_view_create(space, &view, NULL));
    CHECK_OK(cairn_view_open(view, 105));
    for (uint32_t i = 0; i < 30; i++)
        CHECK_OK(cairn_grid_add_link(grid, &(cairn_link){105, i, i, 256, 0}));
    uint32_t failures = 0;
    for (;; failures++) {
        w.calls = 0, w.fail_at = failures + 1;
        cairn_status status = cairn_grid_commit(grid);
        w.fail_at = 0;
        if (status == CAIRN_OK) break;
        assert_int_equal(cairn_space_step_cost(view, 105, 0), CAIRN_NO_COST);
    }
    CHECK(failures > 3, "%u failures", failures);
    assert_int_equal(cairn_space_step_cost(view, 105, 0), 5741);
    assert_int_equal(cairn_space_step_cost(space, 105, 0), CAIRN_NO_COST);
    cairn_space_destroy(view);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    assert_int_equal(w.bytes, 0);
}

static void count_node(void *user, cairn_node node)
{
    (void)node;
    ++*(uint32_t *)user;
}

/* The ground does not mind what lies under a wall; a view that has opened the wall does. */
static void ground_under_an_opened_wall_changes_the_view(void **state)
{
    (void)state;
    scene *s = scene_blank("hall", 20, 20);
    kit k = kit_of_scene(s, NULL);
    cairn_space *view;
    CHECK_OK(cairn_grid_set_open(k.grid, 5, 5, false));
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_OK(cairn_space_view_create(k.space, &view, NULL));
    CHECK_OK(cairn_view_open(view, 105));
    uint64_t version = cairn_space_version(view);
    CHECK_OK(cairn_grid_set_layer(k.grid, 5, 5, 9));
    CHECK_OK(cairn_grid_commit(k.grid));
    uint32_t of_view = 0, of_ground = 0;
    CHECK_OK(cairn_space_changes(view, version, count_node, &of_view));
    CHECK_OK(cairn_space_changes(k.space, 2, count_node, &of_ground));
    CHECK(of_view >= 9 && of_ground == 0, "%u and %u nodes", of_view, of_ground);
    cairn_space_destroy(view);
    kit_end(&k, s);
}

/* What the agent sees in the path is blocked in its view; it walks round it. */
static void a_navigator_walks_round_what_its_view_shows(void **state)
{
    (void)state;
    scene *s = scene_blank("hall", 20, 9);
    kit k = kit_of_scene(s, NULL);
    cairn_space *view, *below = k.space;
    CHECK_OK(cairn_space_view_create(k.space, &view, NULL));
    k.space = view;
    kit_plan(&k, "astar");
    cairn_navigator *navigator;
    CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, 4 * 20, 4 * 20 + 19));
    cairn_move move = {0};
    uint32_t steps = 0;
    for (uint32_t turn = 0; turn < 60 && !move.arrived; turn++) {
        cairn_navigator_next(navigator, &move);
        steps += move.kind == CAIRN_MOVE_STEP;
        CHECK(move.to % 20 != 10 || move.to / 20 == 8, "through the wall at %u", move.to);
        if (turn != 3) continue;
        for (uint32_t y = 0; y < 8; y++) CHECK_OK(cairn_view_block(view, y * 20 + 10));
    }
    assert_true(move.arrived && steps >= 19);
    assert_true(cairn_space_usable(below, 10));
    cairn_navigator_destroy(navigator);
    cairn_search_destroy(k.search);
    cairn_planner_destroy(k.planner);
    k.search = NULL, k.planner = NULL;
    cairn_space_destroy(view);
    k.space = below;
    kit_end(&k, s);
}

static void components_of_views_are_counted(void **state)
{
    (void)state;
    scene *s = scene_blank("parts", 9, 5);
    kit k = kit_of_scene(s, NULL);
    cairn_space *view;
    uint32_t count, largest;
    CHECK_OK(cairn_space_view_create(k.space, &view, NULL));
    for (uint32_t y = 0; y < 5; y++) CHECK_OK(cairn_view_block(view, y * 9 + 3));
    CHECK_OK(cairn_space_components(view, &count, &largest));
    assert_int_equal(count, 2);
    assert_int_equal(largest, 25);
    cairn_node near;
    CHECK_OK(cairn_nearest_reachable(view, 0, 3, &near)); /* blocked: the nearest is beside it */
    CHECK(cairn_space_usable(view, near) && (near == 2 || near == 4), "%u", near);
    uint64_t seed = 3;
    for (uint32_t i = 0; i < 50; i++) {
        CHECK_OK(cairn_random_reachable(view, 0, &seed, &near));
        CHECK(near % 9 != 3, "%u", near);
    }
    cairn_space_destroy(view);
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_are_as_good_as_edits),
        cmocka_unit_test(links_of_opened_cells_lead_on),
        cmocka_unit_test(goals_next_to_and_within_are_those_of_the_grid),
        cmocka_unit_test(a_path_in_a_view_is_as_long_as_in_the_grid),
        cmocka_unit_test(views_tell_what_changed_near_them),
        cmocka_unit_test(views_forget_old_edits),
        cmocka_unit_test(what_a_view_cannot_do_is_refused),
        cmocka_unit_test(a_view_takes_memory_for_its_patch_only),
        cmocka_unit_test(commits_below_get_memory_for_views_first),
        cmocka_unit_test(ground_under_an_opened_wall_changes_the_view),
        cmocka_unit_test(a_navigator_walks_round_what_its_view_shows),
        cmocka_unit_test(components_of_views_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
