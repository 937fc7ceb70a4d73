/* test_cluster_table.c: clusters are connected parts of squares or of graphs, the table holds the
 * least costs between them, estimates never exceed the rest, nodes are opened again where they must
 * be, damaged tables do no harm. That answers are optimal is checked for every algorithm by the
 * conformance suite.
 */
#include "conformance.h"
#include "files.h"
#include "kit.h"

enum { NONE = UINT16_MAX };

/* ---- the index, taken apart ------------------------------------------------------------ */

typedef struct table {
    bytes file;
    cairn_archive *archive;
    const uint16_t *clusters; /* of each node */
    const uint32_t *costs;    /* from a to b: costs[b * count + a] */
    uint32_t count;
} table;

static table table_of(const cairn_planner *planner)
{
    table t = {.file = saved(planner)};
    size_t nodes, size;
    t.archive = opened(context_of(planner), &t.file);
    t.clusters = cairn_archive_section(t.archive, "index.groups", 2, &nodes);
    t.costs = cairn_archive_section(t.archive, "index.costs", 4, &size);
    assert_non_null(t.clusters);
    assert_non_null(t.costs);
    assert_int_equal(nodes, 2 * cairn_space_node_count(cairn_planner_space(planner)));
    while ((size_t)t.count * t.count * 4 < size) t.count++;
    assert_int_equal((size_t)t.count * t.count * 4, size);
    return t;
}

static void table_free(table *t)
{
    cairn_archive_close(t->archive);
    bytes_free(&t->file);
}

static void open_subject(subject *s, place *p, const char *spec)
{
    assert_true(subject_open(s, p, cairn_algorithm_find("cluster-table", 13), spec));
}

/* Every scene under one of its rules each, and every graph; with `first` = 0 … 3 each scene meets
 * each corner rule. */
static void each_place(const char *spec, uint32_t first, subject_test *test)
{
    for (uint32_t i = 0; i < scene_count() + graph_scene_count(); i++) {
        scene *drawn = i < scene_count() ? scene_at(i) : NULL;
        cairn_corners corners = (cairn_corners)((first + i) % CAIRN_CORNERS_COUNT);
        place *p = drawn ? place_of_scene(drawn, drawn->profile.neighbours, corners)
                         : place_of_graph(graph_scene_at(i - scene_count()));
        subject s;
        open_subject(&s, p, spec);
        test(&s);
        subject_close(&s);
        place_destroy(p);
    }
}

/* ---- clusters --------------------------------------------------------------------------- */

/* Every node that can be stood on has a cluster, no other one has, and none is empty. */
static void check_members(const subject *s, const table *t)
{
    const oracle *o = s->place->oracle;
    bool *used = calloc(t->count, sizeof *used);
    uint32_t standing = 0;
    if (!used) abort();
    for (cairn_node n = 0; n < o->count; n++) {
        CHECK((t->clusters[n] == NONE) == !o->usable[n], "%s: node %u", subject_text(s), n);
        if (t->clusters[n] == NONE) continue;
        assert_true(t->clusters[n] < t->count);
        used[t->clusters[n]] = true;
        standing++;
    }
    for (uint32_t c = 0; standing && c < t->count; c++)
        CHECK(used[c], "%s: cluster %u", subject_text(s), c);
    free(used);
}

static void inspect_members(subject *s)
{
    table t = table_of(s->planner);
    check_members(s, &t);
    table_free(&t);
}

static void every_node_has_a_cluster(void **state)
{
    (void)state;
    each_place("cluster-table", 0, inspect_members);
    each_place("cluster-table:size=1024", 0, inspect_members);
    each_place("cluster-table:size=20", 0, inspect_members);
}

/* Cells by the letters of their clusters, in the order in which they come. */
static void check_drawing(const char *map, uint32_t size, const char *expected)
{
    scene *drawn = scene_of_text("drawn", map);
    kit k = kit_of_scene(drawn, NULL);
    char spec[40];
    snprintf(spec, sizeof spec, "cluster-table:size=%u", size);
    kit_plan(&k, spec);
    table t = table_of(k.planner);
    const char *at = expected;
    for (cairn_node n = 0; n < drawn->width * drawn->height; n++, at++) {
        if (*at == '\n') at++;
        char letter = t.clusters[n] == NONE ? '#' : (char)('a' + t.clusters[n]);
        CHECK(letter == *at, "cell %u: %c, not %c", n, letter, *at);
    }
    table_free(&t);
    kit_close(&k);
    scene_destroy(drawn);
}

/* Squares of 4×4, or what is left at the rim. A wall makes two clusters of one square; what is less
 * than a quarter of it makes one together, wherever it lies. */
static void squares_fall_into_their_parts(void **state)
{
    (void)state;
    check_drawing("....#...\n"
                  "....#...\n"
                  "####....\n"
                  "........\n"
                  ".#...#.#\n"
                  "#...##.#\n"
                  "....#.##\n",
                  4,
                  "aaaa#ccc\n"
                  "aaaa#ccc\n"
                  "####cccc\n"
                  "bbbbcccc\n"
                  "d#eef#f#\n"
                  "#eee##f#\n"
                  "eeee#f##\n");
    check_drawing("###\n###\n", 4, "###\n###\n");
}

/* A long chain falls into runs; nodes without edges, and short chains, are put together until a
 * cluster is full. */
static void graphs_fall_into_balls(void **state)
{
    (void)state;
    cairn_graph_edge edges[60];
    uint32_t count = 0;
    for (cairn_node n = 0; n < 17; n++) {
        edges[count++] = (cairn_graph_edge){n, n + 1, 5};
        edges[count++] = (cairn_graph_edge){n + 1, n, 5};
    }
    kit k = kit_of_edges(36, edges, count);
    kit_plan(&k, "cluster-table:size=3"); /* of 9 nodes */
    table t = table_of(k.planner);
    for (cairn_node n = 0; n < 36; n++)
        CHECK(t.clusters[n] == n / 9, "node %u: %u", n, t.clusters[n]);
    static const uint32_t costs[] = {0, 5, UINT32_MAX, UINT32_MAX, 5, 0, UINT32_MAX, UINT32_MAX};
    assert_memory_equal(t.costs, costs, sizeof costs);
    table_free(&t);
    kit_plan(&k, "cluster-table:size=5");
    t = table_of(k.planner);
    assert_int_equal(t.count, 2); /* the chain, and the nodes beside it */
    table_free(&t);
    kit_close(&k);
}

/* ---- the table --------------------------------------------------------------------------- */

/* The least of all paths from any node of a cluster to any node of another one, each looked up
 * alone. */
static uint64_t *least_costs(oracle *o, const table *t)
{
    size_t size = (size_t)t->count * t->count;
    uint64_t *least = malloc(size * sizeof *least);
    if (!least) abort();
    for (size_t i = 0; i < size; i++) least[i] = ORACLE_NONE;
    for (cairn_node from = 0; from < o->count; from++) {
        if (!o->usable[from]) continue;
        oracle_search(o, from);
        for (cairn_node to = 0; to < o->count; to++) {
            if (!o->usable[to]) continue;
            uint64_t *cost = &least[(size_t)t->clusters[to] * t->count + t->clusters[from]];
            if (o->distance[to] < *cost) *cost = o->distance[to];
        }
    }
    return least;
}

static uint64_t one_way;

static void inspect_table(subject *s)
{
    table t = table_of(s->planner);
    check_members(s, &t);
    uint64_t *least = least_costs(s->place->oracle, &t);
    for (uint32_t to = 0; to < t.count; to++) {
        for (uint32_t from = 0; from < t.count; from++) {
            uint64_t expected = least[to * t.count + from];
            if (expected > CAIRN_COST_MAX) expected = UINT32_MAX;
            CHECK(t.costs[to * t.count + from] == expected, "%s: %u to %u: %u, not %u",
                  subject_text(s), from, to, t.costs[to * t.count + from], (uint32_t)expected);
            one_way += t.costs[to * t.count + from] != t.costs[from * t.count + to];
        }
    }
    free(least);
    table_free(&t);
}

enum { SMALL_SCENES = 8 };

static scene *small_scene(uint32_t i)
{
    scene *s =
        i == 1 ? scene_rooms("rooms", 17, 13, 4, 5) : scene_noise("noise", 16, 13, 20 + i, i + 1);
    if (i == 2) scene_add_terrain(s, 3);
    if (i == 3) scene_add_hills(s, 4), scene_add_danger(s, 4);
    if (i == 4) scene_add_cliffs(s, 5);
    if (i == 5) scene_add_links(s, 12, 100, 2000, false, 6);
    if (i == 6) scene_add_links(s, 12, 10, 100, true, 7), scene_add_terrain(s, 8);
    if (i == 7) scene_make_hex(s);
    return s;
}

/* All small scenes under all rules. */
static void each_small_place(const char *spec, subject_test *test)
{
    for (uint32_t i = 0; i < SMALL_SCENES; i++) {
        for (uint32_t rule = 0;; rule++) {
            scene *drawn = small_scene(i);
            cairn_profile profile;
            if (!scene_rule(drawn, rule, &profile)) {
                scene_destroy(drawn);
                break;
            }
            place *p = place_of_scene(drawn, profile.neighbours, profile.corners);
            subject s;
            open_subject(&s, p, spec);
            test(&s);
            subject_close(&s);
            place_destroy(p);
        }
    }
}

static void the_table_holds_the_least_costs_under_every_rule(void **state)
{
    (void)state;
    one_way = 0;
    each_small_place("cluster-table:size=4", inspect_table);
    each_small_place("cluster-table:size=2", inspect_table);
    assert_true(one_way > 100);
}

static void inspect_graph(subject *s)
{
    if (s->place->graph && s->place->oracle->count <= 400) inspect_table(s);
}

static void the_table_holds_the_least_costs_of_graphs(void **state)
{
    (void)state;
    each_place("cluster-table:size=5", 0, inspect_graph);
}

/* ---- clusters that are given -------------------------------------------------------------- */

/* Builds again with clusters that are given, and looks at everything. */
static void give(subject *s, uint32_t (*number)(scene_rng *rng, cairn_node node))
{
    uint32_t count = s->place->oracle->count;
    uint16_t *clusters = malloc(count * sizeof *clusters);
    if (!clusters) abort();
    scene_rng rng = {count};
    for (cairn_node n = 0; n < count; n++) clusters[n] = (uint16_t)number(&rng, n);
    CHECK_OK(cairn_planner_set_clusters(s->planner, clusters, NULL));
    CHECK_STATUS(cairn_planner_state(s->planner), CAIRN_NOT_BUILT);
    CHECK_OK(cairn_planner_build(s->planner, NULL, NULL));
    free(clusters);
}

static uint32_t any_number(scene_rng *rng, cairn_node node)
{
    (void)node;
    return scene_random(rng, 3) ? 60000 + scene_random(rng, 5) : NONE;
}

static void judge_place(subject *s);

/* Clusters without rhyme or reason, some nodes without one: the table is exact, and so are the
 * answers. */
static void inspect_given(subject *s)
{
    give(s, any_number);
    table t = table_of(s->planner);
    uint64_t *least = least_costs(s->place->oracle, &t);
    for (uint32_t i = 0; i < t.count * t.count; i++) {
        uint64_t expected = least[i] > CAIRN_COST_MAX ? UINT32_MAX : least[i];
        CHECK(t.costs[i] == expected, "%s: %u", subject_text(s), i);
    }
    free(least);
    table_free(&t);
    judge_place(s);
}

static void any_clusters_can_be_given(void **state)
{
    (void)state;
    each_small_place("cluster-table:size=4", inspect_given);
    each_small_place("cluster-table:size=4,estimate=null", inspect_given);
}

/* Numbers are those of rooms; what has none is divided as usual, and NULL undoes it all. */
static void given_clusters_come_first(void **state)
{
    (void)state;
    scene *drawn = scene_of_text("drawn", "....#...\n"
                                          "....#...\n"
                                          "####....\n"
                                          "........\n");
    static const char *const given = "cc--z---"
                                     "cc--z---"
                                     "zzzz----"
                                     "----aa--";
    static const char *const expected = "aabb#ddd"
                                        "aabb#ddd"
                                        "####dddd"
                                        "eeeeccdd";
    kit k = kit_of_scene(drawn, NULL);
    kit_plan(&k, "cluster-table:size=4");
    uint16_t clusters[32];
    for (uint32_t n = 0; n < 32; n++)
        clusters[n] = (uint16_t)(given[n] == '-' ? CAIRN_NO_CLUSTER : given[n] * 100);
    CHECK_OK(cairn_planner_set_clusters(k.planner, clusters, NULL));
    CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    table t = table_of(k.planner);
    /* Letters in the order in which they come. */
    char letters[16] = "", next = 'a';
    for (uint32_t n = 0; n < 32; n++) {
        if (t.clusters[n] != NONE && !letters[t.clusters[n]]) letters[t.clusters[n]] = next++;
        char letter = t.clusters[n] == NONE ? '#' : letters[t.clusters[n]];
        CHECK((letter == '#') == (expected[n] == '#'), "cell %u: %c", n, letter);
    }
    for (uint32_t a = 0; a < 32; a++) {
        for (uint32_t b = 0; b < 32; b++)
            CHECK((t.clusters[a] == t.clusters[b]) == (expected[a] == expected[b]), "%u, %u", a, b);
    }
    table_free(&t);
    CHECK_OK(cairn_planner_set_clusters(k.planner, NULL, NULL));
    CHECK_OK(cairn_planner_build(k.planner, NULL, NULL));
    t = table_of(k.planner);
    assert_int_equal(t.clusters[0], t.clusters[3]);
    table_free(&t);
    kit_end(&k, drawn);
}

static void too_many_given_clusters_are_refused(void **state)
{
    (void)state;
    static uint16_t clusters[80 * 80];
    scene *s = scene_blank("field", 80, 80);
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "cluster-table");
    for (uint32_t n = 0; n < 80 * 80; n++) clusters[n] = (uint16_t)n;
    cairn_error error = {0};
    CHECK_STATUS(cairn_planner_set_clusters(k.planner, clusters, &error), CAIRN_UNSUPPORTED);
    assert_non_null(strstr(error.text, "6400 clusters are too many"));
    CHECK_OK(cairn_planner_build(k.planner, NULL, NULL)); /* as before */
    table t = table_of(k.planner);
    assert_int_equal(t.count, 100);
    table_free(&t);
    kit_plan(&k, "hpa");
    CHECK_STATUS(cairn_planner_set_clusters(k.planner, clusters, NULL), CAIRN_UNSUPPORTED);
    CHECK_OK(cairn_planner_state(k.planner));
    CHECK_STATUS(cairn_planner_set_clusters(NULL, clusters, NULL), CAIRN_INVALID);
    kit_end(&k, s);
}

/* ---- estimates ------------------------------------------------------------------------ */

typedef struct judge {
    const subject *subject;
    const table *table;
    const oracle *rest; /* distances to the goal */
    bool alone, null;
    uint64_t reopened, above,
        below; /* nodes opened again; estimates larger and smaller than the usual ones */
    cairn_node goal;
} judge;

static void judge_event(void *user, const cairn_event *event)
{
    judge *j = user;
    if (event->kind == CAIRN_EVENT_REOPEN) j->reopened++;
    if (event->kind != CAIRN_EVENT_GENERATE && event->kind != CAIRN_EVENT_EXPAND) return;
    uint32_t from = j->table->clusters[event->node], to = j->table->clusters[j->goal];
    cairn_cost usual =
        cairn_estimate(j->subject->place->space, CAIRN_HEURISTIC_AUTO, event->node, j->goal);
    cairn_cost expected = j->table->costs[to * j->table->count + from];
    if (!j->null && (from == to || (!j->alone && usual > expected))) expected = usual;
    /* no path leads there; told like this */
    if (expected > CAIRN_COST_MAX) expected = CAIRN_COST_MAX;
    CHECK(event->h == expected, "%s: node %u to %u: estimate %u, not %u", subject_text(j->subject),
          event->node, j->goal, event->h, expected);
    CHECK(event->h <= j->rest->distance[event->node], "%s: node %u to %u: estimate %u is too much",
          subject_text(j->subject), event->node, j->goal, event->h);
    j->above += event->h > usual;
    j->below += event->h < usual;
}

/* The same edges, the other way round. */
static oracle *turned_round(const oracle *o)
{
    cairn_graph_edge *edges = malloc((o->edges + 1u) * sizeof *edges);
    if (!edges) abort();
    uint32_t count = 0;
    for (cairn_node n = 0; n < o->count; n++) {
        for (uint32_t e = o->first[n]; e < o->first[n + 1]; e++)
            edges[count++] = (cairn_graph_edge){o->to[e], n, (uint32_t)o->cost[e]};
    }
    oracle *turned = oracle_of_edges(o->count, edges, count, false);
    free(edges);
    return turned;
}

static judge sum;

/* Estimates of all nodes that are looked at, and the cost of what is found. */
static void judge_place(subject *s)
{
    table t = table_of(s->planner);
    oracle *o = s->place->oracle, *rest = turned_round(o);
    judge j = {.subject = s,
               .table = &t,
               .rest = rest,
               .alone = strstr(s->spec, "estimate=table") != NULL,
               .null = strstr(s->spec, "estimate=null") != NULL};
    cairn_trace_sink sink = {.event = judge_event, .user = &j};
    cairn_search_trace(s->search, &sink);
    scene_rng rng = {o->count};
    for (uint32_t i = 0; i < 12; i++) {
        cairn_node from = scene_random(&rng, o->count);
        j.goal = scene_random(&rng, o->count);
        if (!o->usable[from] || !o->usable[j.goal]) continue;
        oracle_search(rest, j.goal);
        const cairn_path *path;
        cairn_status status =
            cairn_search_find(s->search, &(cairn_query){.from = from, .to = j.goal}, &path);
        if (status != CAIRN_FOUND) continue;
        CHECK(path->cost == rest->distance[from], "%s: %u to %u costs %u", subject_text(s), from,
              j.goal, path->cost);
    }
    cairn_search_trace(s->search, NULL);
    sum.reopened += j.reopened, sum.above += j.above, sum.below += j.below;
    oracle_destroy(rest);
    table_free(&t);
}

static void estimates_are_what_the_table_says_and_never_too_much(void **state)
{
    (void)state;
    sum = (judge){0};
    each_small_place("cluster-table:size=4", judge_place);
    each_place("cluster-table:size=6", 1, judge_place);
    assert_true(sum.above > 1000 && sum.below == 0);
    assert_true(sum.reopened > 10);
    sum = (judge){0};
    each_small_place("cluster-table:size=4,estimate=table", judge_place);
    each_place("cluster-table:size=6,estimate=table", 2, judge_place);
    assert_true(sum.above > 1000 && sum.below > 1000);
    assert_true(sum.reopened > 100);
    uint64_t below = sum.below;
    sum = (judge){0};
    each_small_place("cluster-table:size=4,estimate=null", judge_place);
    each_place("cluster-table:size=6,estimate=null", 2, judge_place);
    assert_true(sum.above > 1000 && sum.below > below);
}

static uint64_t expanded_by(place *p, const char *spec)
{
    subject s;
    uint64_t all = 0;
    assert_true(subject_open(&s, p, cairn_algorithm_find(spec, strcspn(spec, ":")), spec));
    for (uint32_t i = 0; i < p->query_count; i++) {
        cairn_search_find(s.search,
                          &(cairn_query){.from = p->queries[i].from, .to = p->queries[i].to}, NULL);
        all += cairn_search_metrics(s.search).expanded;
    }
    subject_close(&s);
    return all;
}

/* Indoors the table knows where the doors are, the better the more clusters there are. Outdoors,
 * where there are none, it alone is worse than the usual estimate, and with it no worse. */
static void tables_save_expansions_indoors(void **state)
{
    (void)state;
    place *p = place_of_scene(scene_rooms("rooms", 89, 89, 11, 3), CAIRN_NEIGHBOURS_8,
                              CAIRN_CORNERS_NEVER);
    uint64_t astar = expanded_by(p, "astar"), few = expanded_by(p, "cluster-table:size=22"),
             many = expanded_by(p, "cluster-table:size=6");
    CHECK(many * 10 < astar * 9 && many < few, "%u, %u, %u", (unsigned)astar, (unsigned)few,
          (unsigned)many);
    place_destroy(p);
    p = place_of_scene(scene_blank("field", 60, 60), CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER);
    astar = expanded_by(p, "astar:open=heap");
    uint64_t with = expanded_by(p, "cluster-table:size=15"),
             alone = expanded_by(p, "cluster-table:size=15,estimate=table");
    CHECK(with == astar && alone > 2 * astar, "%u, %u, %u", (unsigned)astar, (unsigned)with,
          (unsigned)alone);
    place_destroy(p);
}

/* Taken by their keys alone, most nodes would be opened again. */
static void few_nodes_are_opened_again(void **state)
{
    (void)state;
    place *p = place_of_scene(scene_noise("noise", 120, 120, 25, 3), CAIRN_NEIGHBOURS_8,
                              CAIRN_CORNERS_NEVER);
    static const char *const specs[] = {"cluster-table:size=20",
                                        "cluster-table:size=20,estimate=table"};
    for (uint32_t spec = 0; spec < LENGTH(specs); spec++) {
        subject s;
        uint64_t expanded = 0, reopened = 0;
        open_subject(&s, p, specs[spec]);
        for (uint32_t i = 0; i < p->query_count; i++) {
            cairn_query query = {.from = p->queries[i].from, .to = p->queries[i].to};
            cairn_search_find(s.search, &query, NULL);
            cairn_metrics metrics = cairn_search_metrics(s.search);
            expanded += metrics.expanded, reopened += metrics.reopened;
        }
        CHECK(reopened && reopened * 3 < expanded, "%s: %u of %u", s.spec, (unsigned)reopened,
              (unsigned)expanded);
        subject_close(&s);
    }
    place_destroy(p);
}

static void too_many_clusters_are_refused(void **state)
{
    (void)state;
    scene *drawn = scene_blank("field", 33, 33);
    kit k = kit_of_scene(drawn, NULL);
    cairn_error error = {0};
    cairn_planner *planner;
    CHECK_STATUS(cairn_planner_create(k.space, "cluster-table:size=1", &planner, &error),
                 CAIRN_UNSUPPORTED);
    assert_non_null(strstr(error.text, "1024"));
    kit_plan(&k, "cluster-table:size=2");
    kit_end(&k, drawn);
}

/* ---- overlays ---------------------------------------------------------------------------- */

typedef struct shown {
    const table *table;
    uint32_t areas;
} shown;

static void show_item(void *user, const cairn_overlay_item *item)
{
    shown *seen = user;
    assert_int_equal(item->kind, CAIRN_OVERLAY_AREA);
    assert_int_equal(item->level, 1);
    assert_int_equal(item->group, seen->table->clusters[item->node]);
    seen->areas++;
}

static void its_overlay_shows_the_clusters(void **state)
{
    (void)state;
    scene *drawn = scene_noise("shown", 20, 20, 30, 2);
    kit k = kit_of_scene(drawn, NULL);
    kit_plan(&k, "cluster-table:size=7");
    table t = table_of(k.planner);
    shown seen = {.table = &t};
    cairn_overlay_sink sink = {show_item, &seen};
    uint32_t standing = 0;
    for (cairn_node n = 0; n < 400; n++) standing += cairn_space_usable(k.space, n);
    for (uint32_t layer = 0; layer < 3; layer++) {
        seen.areas = 0;
        CHECK_OK(cairn_planner_overlay(k.planner, layer, &sink));
        assert_int_equal(seen.areas, layer < 2 ? standing : 0);
    }
    table_free(&t);
    kit_end(&k, drawn);
}

/* ---- damage --------------------------------------------------------------------------- */

static const char *const sections[] = {"index", "index.groups", "index.costs"};
static const uint32_t elements[] = {8, 2, 4};

/* The same sections with right checksums, but in one of them a bit is flipped or the end is
 * missing. */
static bytes damaged(const cairn_archive *good, cairn_context *context, uint32_t which, size_t cut,
                     size_t flip)
{
    cairn_store *store;
    CHECK_OK(cairn_store_create(context, &store));
    for (uint32_t i = 0; i < LENGTH(sections); i++) {
        size_t size;
        const uint8_t *data = cairn_archive_section(good, sections[i], elements[i], &size);
        uint8_t *copy = malloc(size);
        if (!copy) abort();
        memcpy(copy, data, size);
        if (i == which && flip < 8 * size)
            copy[flip / 8] = (uint8_t)(copy[flip / 8] ^ 1u << flip % 8);
        if (i == which) size -= cut * elements[i];
        CHECK_OK(
            cairn_store_add(store, sections[i], (cairn_bytes){copy, size}, elements[i], false));
        free(copy);
    }
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    return file;
}

/* Is it refused? If not, whatever is found is a path. */
static bool refuses(subject *s, const bytes *file)
{
    cairn_archive *archive = opened(s->place->context, file);
    cairn_error error = {0};
    cairn_status status = cairn_planner_load(s->planner, archive, true, &error);
    CHECK(status == CAIRN_OK || (status == CAIRN_BAD_DATA && error.text[0]), "%s",
          cairn_status_text(status));
    for (uint32_t i = 0; status == CAIRN_OK && i < s->place->query_count; i++) {
        cairn_query query = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
        const cairn_path *path;
        if (cairn_search_find(s->search, &query, &path) != CAIRN_FOUND) continue;
        assert_true(cairn_path_valid(s->place->space, path, NULL, NULL, NULL));
    }
    CHECK_OK(cairn_planner_build(s->planner, NULL, NULL)); /* nothing borrowed is left */
    cairn_archive_close(archive);
    return status != CAIRN_OK;
}

static void damaged_tables_are_refused_or_harmless(void **state)
{
    (void)state;
    place *p =
        place_of_scene(scene_noise("small", 9, 7, 20, 3), CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER);
    subject s;
    open_subject(&s, p, "cluster-table:size=4");
    bytes file = saved(s.planner);
    cairn_archive *good = opened(p->context, &file);
    for (uint32_t which = 1; which < LENGTH(sections); which++) {
        size_t size;
        uint32_t refused = 0;
        assert_non_null(cairn_archive_section(good, sections[which], elements[which], &size));
        for (size_t cut = 1; cut <= size / elements[which]; cut++) {
            bytes bad = damaged(good, p->context, which, cut, SIZE_MAX);
            CHECK(refuses(&s, &bad), "%u numbers of %s are missing", (unsigned)cut,
                  sections[which]);
            bytes_free(&bad);
        }
        for (size_t flip = 0; flip < 8 * size; flip += test_stride()) {
            bytes bad = damaged(good, p->context, which, 0, flip);
            refused += refuses(&s, &bad);
            bytes_free(&bad);
        }
        /* All but some bits of the numbers of clusters; costs are believed. */
        CHECK(which == 1 ? refused > 6 * size / test_stride() : refused == 0, "%s: %u",
              sections[which], refused);
    }
    cairn_archive_close(good);
    bytes_free(&file);
    subject_close(&s);
    place_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_has_a_cluster),
        cmocka_unit_test(squares_fall_into_their_parts),
        cmocka_unit_test(graphs_fall_into_balls),
        cmocka_unit_test(the_table_holds_the_least_costs_under_every_rule),
        cmocka_unit_test(any_clusters_can_be_given),
        cmocka_unit_test(given_clusters_come_first),
        cmocka_unit_test(too_many_given_clusters_are_refused),
        cmocka_unit_test(the_table_holds_the_least_costs_of_graphs),
        cmocka_unit_test(estimates_are_what_the_table_says_and_never_too_much),
        cmocka_unit_test(tables_save_expansions_indoors),
        cmocka_unit_test(few_nodes_are_opened_again),
        cmocka_unit_test(too_many_clusters_are_refused),
        cmocka_unit_test(its_overlay_shows_the_clusters),
        cmocka_unit_test(damaged_tables_are_refused_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
