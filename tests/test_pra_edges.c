/* test_pra_edges.c: links and one-way steps on the levels of PRA*. Every level has exactly those
 * doors and ledges that the ground has between its nodes, when built, after thousands of edits, from
 * files and in the background. PRA* itself answers, finds a path if and only if there is one, in
 * pieces too, and expands hardly more for it.
 */
#include "hierarchies.h"

#include "hierarchy/pra/pra.h"

static crn_cliques *levels_of(const kit *k)
{
    return ((crn_pra_index *)k->planner->index)->cliques;
}

/* ---- what levels have ---------------------------------------------------------------------- */

/* The node of a level that each cell lies in. */
static uint32_t *nodes_above(const crn_cliques *c, uint32_t level)
{
    uint32_t count = c->ground->node_count, *up = malloc((count + 1) * sizeof *up);
    if (!up) abort();
    for (cairn_node cell = 0; cell < count; cell++) {
        up[cell] = cell;
        for (uint32_t i = 0; i < level && up[cell] != CAIRN_NO_NODE; i++)
            up[cell] = c->levels[i].parents[up[cell]];
    }
    return up;
}

/* What a ledge list says of two nodes. */
static uint32_t ledge(const crn_cliques *c, uint32_t level, cairn_node a, cairn_node b)
{
    uint32_t count, found = 0;
    const cairn_edge *ledges = crn_cliques_ledges(c, level, a, NULL, &count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(!i || ledges[i - 1].node < ledges[i].node);
        if (ledges[i].node == b) found = ledges[i].cost;
    }
    return found;
}

static bool has_door(const crn_cliques *c, uint32_t level, cairn_node from, cairn_node to,
                     cairn_node leave, cairn_node arrive)
{
    const crn_clique_doors *doors = &c->levels[level].doors;
    for (size_t i = crn_cliques_first_door(doors, from);
         i < doors->count && doors->items[i].from == from; i++) {
        const crn_clique_door *door = &doors->items[i];
        if (door->to == to && door->leave == leave && door->arrive == arrive) return true;
    }
    return false;
}

/* All steps of the ground that cannot be walked back, and all of its links, are on the level; and
 * nothing else is. */
static void check_level(const crn_cliques *c, uint32_t level, const oracle *o)
{
    uint32_t *up = nodes_above(c, level), count = crn_cliques_count(c, level);
    uint8_t *expected = calloc((size_t)count * count + 1, 1);
    if (!expected) abort();
    size_t doors = 0;
    for (cairn_node a = 0; a < o->count; a++) {
        for (uint32_t e = o->first[a]; e < o->first[a + 1]; e++) {
            cairn_node b = o->to[e];
            if (up[a] == up[b]) continue;
            if (o->link[e]) continue;
            if (oracle_walk(o, b, a) != ORACLE_NONE) continue;
            expected[(size_t)up[a] * count + up[b]] |= CRN_LEDGE_THERE;
            expected[(size_t)up[b] * count + up[a]] |= CRN_LEDGE_BACK;
        }
    }
    for (uint32_t i = 0; i < c->map->links.count; i++) {
        const crn_space_link *link = &c->map->links.links[i];
        cairn_node from = up[link->from], to = up[link->to];
        if (from == to) continue;
        doors++;
        CHECK(has_door(c, level, from, to, link->from, link->to), "level %u: no door", level);
    }
    CHECK(doors == c->levels[level].doors.count, "level %u: %zu doors, not %zu", level,
          c->levels[level].doors.count, doors);
    for (cairn_node a = 0; a < count; a++) {
        for (cairn_node b = 0; b < count; b++) {
            uint32_t want = expected[(size_t)a * count + b], is = ledge(c, level, a, b);
            CHECK(is == want, "level %u: from %u to %u %u, not %u", level, a, b, is, want);
        }
    }
    free(expected);
    free(up);
}

static uint32_t check_levels(const kit *k, const scene *s)
{
    const crn_cliques *c = levels_of(k);
    oracle *o = oracle_of(s, k);
    uint32_t some = 0;
    for (uint32_t level = 1; level <= c->top; level++) {
        check_level(c, level, o);
        some += c->levels[level].ledges.pool.count > 0;
    }
    oracle_destroy(o);
    return some;
}

/* ---- worlds and settings -------------------------------------------------------------------- */

static void any_pra(scene_rng *rng, char *out, size_t size)
{
    static const char *const specs[] = {
        "pra",
        "pra:corridor=wide",
        "pra:corridor=inner,lowest=1",
        "pra:k=3",
        "pra:lowest=1,start=middle",
        "pra:orphans=single,positions=plain",
        "pra:smooth=rays",
        "pra:start=middle,lowest=1,corridor=inner,ground=cliques,orphans=single,positions=plain"};
    snprintf(out, size, "%s", specs[scene_random(rng, LENGTH(specs))]);
}

/* Any scene, with heights more often than elsewhere. */
static scene *any_linked_scene(scene_rng *rng, uint64_t seed)
{
    scene *s = any_scene(rng, seed);
    if (!s->elevation && seed % 3 == 0) scene_add_cliffs(s, seed);
    uint32_t links = seed % 4 ? scene_random(rng, 12) : 0;
    scene_add_links(s, links, 1, seed % 2 ? 300 : 4000, seed % 5 == 0, seed);
    return s;
}

static void levels_know_links_and_ledges_after_any_edits(void **state)
{
    (void)state;
    scene_rng rng = {3};
    uint32_t some = 0, seeds = test_times(60, 20), rounds = 30;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        char spec[160];
        scene *s = any_linked_scene(&rng, seed);
        any_pra(&rng, spec, sizeof spec);
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, spec);
        const crn_cliques *before = levels_of(&k);
        some += check_levels(&k, s);
        for (uint32_t round = 0; round < rounds; round++) {
            for (uint32_t i = scene_random(&rng, 3); i < 3; i++) edit_some(&k, s, &rng);
            if (scene_random(&rng, 2)) edit_some_links(&k, s, &rng);
            CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
            if (round % 6 == 5 && levels_of(&k) == before) some += check_levels(&k, s);
        }
        kit_end(&k, s);
    }
    assert_true(some > 3 * seeds);
}

static void pra_answers_and_finds_what_there_is(void **state)
{
    (void)state;
    scene_rng rng = {7};
    uint32_t seeds = test_times(300, 60);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        char spec[160];
        scene *s = any_linked_scene(&rng, seed);
        any_pra(&rng, spec, sizeof spec);
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, spec);
        for (uint32_t round = 0; round < 6; round++) {
            check_ways_by(&k, s, spec, "pra", &rng);
            if (scene_random(&rng, 2)) edit_some(&k, s, &rng);
            if (scene_random(&rng, 4)) edit_some_links(&k, s, &rng);
            CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        }
        kit_end(&k, s);
    }
}

/* The first heights of a world come with a commit: a plateau that no step leads up to. */
static void the_first_ledges_may_come_later(void **state)
{
    (void)state;
    enum { WIDTH = 60, HEIGHT = 48, INSIDE = 22 * WIDTH + 32 };
    scene *s = scene_blank("plain", WIDTH, HEIGHT);
    s->profile.max_climb = 1, s->profile.max_drop = 9;
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "pra");
    const crn_cliques *before = levels_of(&k);
    assert_false(before->ledged);
    s->elevation = calloc(WIDTH * HEIGHT, sizeof *s->elevation);
    for (int32_t y = 20; y < 26; y++) {
        for (int32_t x = 30; x < 36; x++) {
            s->elevation[y * WIDTH + x] = 5;
            CHECK_OK(cairn_grid_set_elevation(k.grid, x, y, 5));
        }
    }
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    assert_ptr_equal(levels_of(&k), before); /* repaired, not rebuilt */
    assert_true(before->ledged && check_levels(&k, s) > 0);
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.from = INSIDE, .to = 0}, &path),
                 CAIRN_FOUND);
    assert_string_equal(path->answered_by->name, "pra");
    CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.from = 0, .to = INSIDE}, &path),
                 CAIRN_UNREACHABLE);
    kit_end(&k, s);
}

/* A large world of cliffs: an edit concerns few ledges, however many there are. */
static void an_edit_looks_at_few_ledges(void **state)
{
    (void)state;
    enum { SIDE = 256, EDITS = 150, MEAN = 3000, MANY = 20000 };
    scene *s = scene_blank("cliffs", SIDE, SIDE);
    scene_add_cliffs(s, 3);
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "pra");
    assert_true(levels_of(&k)->levels[1].ledges.pool.count > MANY);
    uint64_t sum = 0;
    for (int32_t i = 0; i < EDITS; i++) {
        int32_t x = i * 199 % SIDE, y = i * 331 % SIDE;
        CHECK_OK(cairn_grid_set_elevation(k.grid, x, y, (int16_t)(i % 9)));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        sum += levels_of(&k)->looked;
    }
    CHECK(sum <= (uint64_t)MEAN * EDITS, "%u looked at for an edit", (unsigned)(sum / EDITS));
    kit_end(&k, s);
}

/* ---- what searches do ------------------------------------------------------------------------ */

/* Two-way links between cells drawn by lot, each that many times as expensive as a step for each
 * cell between its ends, or one step. */
static void add_two_way_links(scene *s, uint32_t count, bool teleports, scene_rng *rng)
{
    s->links = calloc(2 * (size_t)count, sizeof *s->links);
    if (!s->links) abort();
    for (uint32_t i = 0; i < count; i++) {
        cairn_node a = scene_pick(s, rng), b = scene_pick(s, rng);
        uint32_t far = (uint32_t)(abs((int)(a % s->width) - (int)(b % s->width)) +
                                  abs((int)(a / s->width) - (int)(b / s->width)) + 1);
        uint32_t cost = 256 * (teleports ? 1 : far);
        s->links[s->link_count++] = (cairn_link){a, b, i, cost, 1};
        s->links[s->link_count++] = (cairn_link){b, a, i, cost, 1};
    }
}

/* Sums over queries. */
typedef struct sums {
    double cost, expanded;
    uint32_t links;
} sums;

static sums sum_queries(const scene *s, const char *spec, uint32_t allowed, uint32_t piece)
{
    enum { QUERIES = 80 };
    sums sum = {0};
    cairn_profile profile = s->profile;
    profile.links = allowed;
    kit k = kit_of_scene(s, &profile);
    scene_rng rng = {11};
    kit_plan(&k, spec);
    for (uint32_t i = 0; i < QUERIES; i++) {
        cairn_query query = {
            .from = scene_pick(s, &rng), .to = scene_pick(s, &rng), .piece = piece};
        const cairn_path *path;
        cairn_status status = cairn_search_find(k.search, &query, &path);
        sum.expanded += (double)cairn_search_metrics(k.search).expanded;
        for (; status == CAIRN_FOUND; status = cairn_search_find_next(k.search, &path)) {
            sum.cost += path->cost;
            sum.links += path->link_count;
        }
    }
    kit_close(&k);
    return sum;
}

/* Doors that are no shortcuts, and teleports: paths are hardly longer than the best, in pieces too,
 * they take links, and searches expand hardly more than without links. */
static void links_are_taken_and_cost_little(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        bool teleports = i & 1;
        scene_rng rng = {5};
        scene *s = i < 2 ? scene_rooms("rooms", 200, 190, 13, 1)
                         : scene_blocks("blocks", 210, 200, 300, 1);
        add_two_way_links(s, 20, teleports, &rng);
        sums best = sum_queries(s, "astar", UINT32_MAX, 0), without = sum_queries(s, "pra", 0, 0),
             with = sum_queries(s, "pra", UINT32_MAX, 0),
             pieces = sum_queries(s, "pra", UINT32_MAX, 16);
        CHECK(with.cost <= 1.05 * best.cost && pieces.cost <= 1.06 * best.cost,
              "%s %u: %.0f, in pieces %.0f, the best is %.0f", s->name, teleports, with.cost,
              pieces.cost, best.cost);
        CHECK(with.expanded <= (teleports ? 1.5 : 1.15) * without.expanded,
              "%s %u: %.0f expanded, %.0f without links", s->name, teleports, with.expanded,
              without.expanded);
        CHECK(!teleports || 10 * with.links > 6 * best.links, "%u links, not %u", with.links,
              best.links);
        scene_destroy(s);
    }
}

/* Links to cells beside their own that cost more than the step, in a corridor that hides a corner of
 * it: the cost of the path is that of its steps. */
static void links_more_expensive_than_a_step_are_not_taken(void **state)
{
    (void)state;
    static const char *const specs[] = {"pra", "pra:corridor=inner,lowest=1",
                                        "pra:corridor=inner,lowest=1,ground=cliques"};
    for (uint32_t seed = 1; seed <= 12; seed++) {
        enum { SIDE = 40, LINKS = 1200, QUERIES = 30 };
        scene *s = scene_blocks("blocks", SIDE, SIDE, 60, seed);
        scene_rng rng = {seed};
        s->links = calloc(LINKS, sizeof *s->links);
        if (!s->links) abort();
        for (uint32_t i = 0; i < LINKS; i++) {
            uint32_t x = 1 + scene_random(&rng, SIDE - 2), y = 1 + scene_random(&rng, SIDE - 2);
            uint32_t to_x = i % 2 ? x + 1 : x - 1, to_y = i % 4 < 2 ? y + 1 : y - 1;
            cairn_node from = y * SIDE + x, to = to_y * SIDE + to_x;
            s->links[s->link_count++] =
                (cairn_link){.from = from, .to = to, .id = i + 1, .cost = 450, .kind = 1};
        }
        kit k = kit_of_scene(s, &s->profile);
        for (uint32_t i = 0; i < LENGTH(specs); i++) {
            kit_plan(&k, specs[i]);
            for (uint32_t q = 0; q < QUERIES; q++) {
                cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
                const cairn_path *path;
                if (cairn_search_find(k.search, &query, &path) != CAIRN_FOUND) continue;
                cairn_cost cost = 0;
                CHECK(cairn_path_valid(k.space, path, &cost, NULL, NULL), "%s: not valid",
                      specs[i]);
                CHECK(path->cost == cost, "%s: the path says %u, its steps %u", specs[i],
                      path->cost, cost);
            }
        }
        kit_end(&k, s);
    }
}

/* A node that thousands of links leave is expanded in many units of work: none takes more than a
 * batch of them. */
static void many_links_are_many_units(void **state)
{
    (void)state;
    enum { SIDE = 256, CORNER = 8, LINKS = 8192, BATCH = 64 };
    scene *s = scene_blocks("open", SIDE, SIDE, 0, 1);
    scene_rng rng = {3};
    s->links = calloc(LINKS, sizeof *s->links);
    if (!s->links) abort();
    for (uint32_t i = 0; i < LINKS; i++) {
        uint32_t x = i % CORNER, y = i / CORNER % CORNER;
        s->links[s->link_count++] = (cairn_link){.from = y * SIDE + x,
                                                 .to = scene_pick(s, &rng),
                                                 .id = i + 1,
                                                 .cost = 20 * 256,
                                                 .kind = 1};
    }
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "pra");
    cairn_query query = {.from = 0, .to = SIDE * SIDE - 1};
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
    assert_string_equal(path->answered_by->name, "pra");
    assert_int_equal(path->link_count, 1);
    uint64_t work = cairn_search_metrics(k.search).work;
    CHECK(work >= LINKS / BATCH, "only %u units of work", (unsigned)work);
    kit_end(&k, s);
}

/* Where only one-way links or ledges lead from the start, a partial path ends where that of A*
 * does. */
static void partial_paths_end_as_near_as_those_of_astar(void **state)
{
    (void)state;
    scene *s = scene_of_text("islands", "....#....#....\n....#....#....\n....#....#....\n");
    s->links = calloc(2, sizeof *s->links);
    s->links[0] = (cairn_link){.from = 3, .to = 5, .id = 1, .cost = 256};
    s->links[1] = (cairn_link){.from = 10, .to = 8, .id = 2, .cost = 256};
    s->link_count = 2;
    kit k = kit_of_scene(s, &s->profile);
    cairn_query query = {.from = 14, .to = 27, .partial = true};
    const cairn_path *path;
    kit_plan(&k, "astar");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_UNREACHABLE);
    cairn_node end = path->end;
    assert_true(path->partial && end != query.from);
    kit_plan(&k, "pra");
    CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_UNREACHABLE);
    assert_true(path->partial && path->end == end);
    assert_string_equal(path->answered_by->name, "astar");
    kit_end(&k, s);
}

/* ---- files and threads ------------------------------------------------------------------------ */

static void loaded_levels_know_links_and_ledges(void **state)
{
    (void)state;
    scene_rng rng = {9};
    for (uint64_t seed = 0; seed < 20; seed++) {
        scene *s = any_linked_scene(&rng, seed);
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, "pra");
        for (uint32_t i = 0; i < 5; i++) edit_some(&k, s, &rng);
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        bytes file = saved(k.planner);
        cairn_archive *archive = opened(k.context, &file);
        CHECK_OK(cairn_planner_load(k.planner, archive, false, NULL));
        check_levels(&k, s);
        cairn_archive_close(archive);
        bytes_free(&file);
        kit_end(&k, s);
    }
}

/* While new levels are made, paths are legal in the world as it is; then levels are right. */
static void the_background_knows_links_and_ledges(void **state)
{
    (void)state;
    scene_rng rng = {13};
    uint32_t found = 0;
    for (uint64_t seed = 0; seed < test_times(30, 10); seed++) {
        scene *s = any_linked_scene(&rng, 3 * seed);
        kit k = {0};
        cairn_context_options options = cairn_context_defaults();
        options.workers = 2;
        CHECK_OK(cairn_context_create(&options, &k.context));
        CHECK_OK(scene_grid(s, k.context, &k.grid));
        CHECK_OK(cairn_space_of_grid(k.grid, &s->profile, &k.space, NULL));
        kit_plan(&k, "pra");
        for (uint32_t round = 0; round < 8; round++) {
            edit_some(&k, s, &rng);
            edit_some_links(&k, s, &rng);
            if (cairn_planner_state(k.planner) == CAIRN_OK) continue;
            cairn_planner_sync_begin(k.planner, NULL);
            for (uint32_t i = 0; i < 8; i++) {
                uint32_t cells = s->width * s->height;
                cairn_query query = {.from = scene_random(&rng, cells),
                                     .to = scene_random(&rng, cells)};
                const cairn_path *path;
                if (cairn_search_find(k.search, &query, &path) != CAIRN_FOUND) continue;
                CHECK(cairn_path_valid(k.space, path, NULL, NULL, NULL), "not legal now");
                found++;
            }
            if (cairn_planner_sync_end(k.planner, true, NULL) != CAIRN_OK)
                CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
            check_levels(&k, s);
        }
        kit_end(&k, s);
    }
    CHECK(found >= 40, "%u paths prove nothing", found);
}

/* A wall that only links from one cell lead over. Each one near the end of a batch is the cheapest
 * once. */
static void no_link_of_a_crowded_clique_is_passed_over(void **state)
{
    (void)state;
    enum { WIDE = 128, HIGH = 64, MANY = 100, CHEAP = 256 * 5, DEAR = 256 * 9000 };
    scene *s = scene_blank("walled", WIDE, HIGH);
    for (uint32_t y = 0; y < HIGH; y++) s->open[y * WIDE + WIDE / 2] = false;
    for (uint32_t best = 50; best < 72; best++) {
        kit k = kit_of_scene(s, &s->profile);
        for (uint32_t i = 0; i < MANY; i++) {
            cairn_link link = {.from = 20 * WIDE + 20,
                               .to = (20 + i / 10) * WIDE + 90 + i % 10,
                               .id = i,
                               .cost = i == best ? CHEAP : DEAR};
            CHECK_OK(cairn_grid_add_link(k.grid, &link));
        }
        CHECK_OK(cairn_grid_commit(k.grid));
        cairn_query query = {.from = 2 * WIDE + 2, .to = 34 * WIDE + 110};
        const cairn_path *path;
        kit_plan(&k, "pra:lowest=1");
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
        CHECK(path->cost < DEAR, "link %u is passed over: %u", best, path->cost);
        kit_close(&k);
    }
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_know_links_and_ledges_after_any_edits),
        cmocka_unit_test(pra_answers_and_finds_what_there_is),
        cmocka_unit_test(the_first_ledges_may_come_later),
        cmocka_unit_test(an_edit_looks_at_few_ledges),
        cmocka_unit_test(links_are_taken_and_cost_little),
        cmocka_unit_test(links_more_expensive_than_a_step_are_not_taken),
        cmocka_unit_test(many_links_are_many_units),
        cmocka_unit_test(partial_paths_end_as_near_as_those_of_astar),
        cmocka_unit_test(loaded_levels_know_links_and_ledges),
        cmocka_unit_test(the_background_knows_links_and_ledges),
        cmocka_unit_test(no_link_of_a_crowded_clique_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
