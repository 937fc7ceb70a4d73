/* test_hierarchical_astar.c: the levels of hierarchical A*: every node in one star, every edge the
 * cheapest between its groups, turned round where levels are searched backwards; distances in them
 * never exceed those below; they guide the search; damaged files do no harm; what the index shows
 * are these groups. That answers are optimal is checked for every algorithm by the conformance
 * suite.
 */
#include "conformance.h"
#include "files.h"
#include "items.h"
#include "kit.h"

#include "hierarchy/hierarchical_astar/hierarchical_astar_index.h"

static const char *const specs[] = {"hierarchical-astar:levels=1,radius=1", "hierarchical-astar",
                                    "hierarchical-astar:levels=8,radius=1",
                                    "hierarchical-astar:levels=4,radius=3"};

/* Every place, each with one of the specifications. */
static void each_place(subject_test *test)
{
    const cairn_algorithm *algorithm = cairn_algorithm_find("hierarchical-astar", 18);
    for (uint32_t i = 0; i < scene_count() + graph_scene_count(); i++) {
        scene *drawn = i < scene_count() ? scene_at(i) : NULL;
        place *p = drawn ? place_of_scene(drawn, drawn->profile.neighbours,
                                          (cairn_corners)(i % CAIRN_CORNERS_COUNT))
                         : place_of_graph(graph_scene_at(i - scene_count()));
        subject s;
        assert_true(subject_open(&s, p, algorithm, specs[i % LENGTH(specs)]));
        test(&s);
        subject_close(&s);
        place_destroy(p);
    }
}

/* ---- levels by hand ------------------------------------------------------------------- */

/* A graph as a list of edges. */
typedef struct network {
    uint32_t count;
    cairn_graph_edge *edges;
    size_t edge_count;
} network;

static network network_new(uint32_t count, size_t edges)
{
    network n = {.count = count, .edges = calloc(edges + 1, sizeof *n.edges)};
    if (!n.edges) abort();
    return n;
}

static network network_of_place(const place *p)
{
    const oracle *o = p->oracle;
    network n = network_new(o->count, o->edges);
    for (uint32_t a = 0; a < o->count; a++) {
        for (uint32_t k = o->first[a]; k < o->first[a + 1]; k++) {
            n.edges[n.edge_count++] =
                (cairn_graph_edge){.from = a, .to = o->to[k], .weight = (uint32_t)o->cost[k]};
        }
    }
    return n;
}

static int edge_order(const void *a, const void *b)
{
    const cairn_graph_edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

/* What lies above it, by groups: the cheapest edge between each two of them. */
static network network_above(const network *below, const uint32_t *groups, uint32_t count)
{
    network n = network_new(count, below->edge_count);
    for (size_t i = 0; i < below->edge_count; i++) {
        cairn_graph_edge e = below->edges[i];
        e.from = groups[e.from], e.to = groups[e.to];
        if (e.from != e.to) n.edges[n.edge_count++] = e;
    }
    qsort(n.edges, n.edge_count, sizeof *n.edges, edge_order);
    size_t kept = 0;
    for (size_t i = 0; i < n.edge_count; i++) {
        if (kept && n.edges[kept - 1].from == n.edges[i].from &&
            n.edges[kept - 1].to == n.edges[i].to)
            continue;
        n.edges[kept++] = n.edges[i];
    }
    n.edge_count = kept;
    return n;
}

/* Every node within `radius` edges of the first one of its group, through nodes of it. */
static void check_stars(const subject *s, const network *below, const crn_stars_level *level,
                        uint32_t radius)
{
    uint32_t groups = (uint32_t)level->abstract.node_count;
    uint32_t *away = malloc((below->count + 1) * sizeof *away);
    uint8_t *begun = calloc(groups + 1, 1);
    if (!away || !begun) abort();
    for (uint32_t i = 0; i < below->count; i++) {
        uint32_t group = level->groups[i];
        away[i] = group != CAIRN_NO_NODE && !begun[group] ? 0 : UINT32_MAX;
        if (group != CAIRN_NO_NODE) begun[group] = 1;
    }
    for (uint32_t round = 0; round < radius; round++) {
        for (size_t i = 0; i < below->edge_count; i++) {
            const cairn_graph_edge *e = &below->edges[i];
            bool same = level->groups[e->from] == level->groups[e->to];
            if (same && away[e->from] == round && away[e->to] > round + 1) away[e->to] = round + 1;
        }
    }
    for (uint32_t i = 0; i < below->count; i++) {
        CHECK(level->groups[i] == CAIRN_NO_NODE || away[i] <= radius, "%s: %u is too far out",
              subject_text(s), i);
    }
    for (uint32_t i = 0; i < groups; i++) assert_true(begun[i]);
    free(away), free(begun);
}

static void check_edges(const subject *s, const network *n, const crn_stars_level *level,
                        bool turned)
{
    size_t count = 0;
    for (cairn_node node = 0; node < n->count; node++) {
        for (uint32_t i = 0; i < level->abstract.nodes[node].count; i++, count++) {
            cairn_edge edge = crn_abstract_edges(&level->abstract, node)[i];
            cairn_graph_edge wanted = {.from = turned ? edge.node : node,
                                       .to = turned ? node : edge.node,
                                       .weight = edge.cost};
            const cairn_graph_edge *found =
                bsearch(&wanted, n->edges, n->edge_count, sizeof wanted, edge_order);
            CHECK(found, "%s: no edge from %u to %u for %u", subject_text(s), (unsigned)wanted.from,
                  (unsigned)wanted.to, edge.cost);
            assert_true(edge.cost >= level->min_edge && edge.cost <= level->max_edge);
        }
    }
    CHECK(count == n->edge_count, "%s: %u edges, not %u", subject_text(s), (unsigned)count,
          (unsigned)n->edge_count);
}

static void check_levels(subject *s)
{
    const crn_stars *stars = s->planner->index;
    int64_t radius = 0;
    assert_true(crn_parameter(s->planner, "radius", &radius));
    network below = network_of_place(s->place);
    for (cairn_node i = 0; i < below.count && stars->count; i++) {
        bool grouped = stars->levels[0].groups[i] != CAIRN_NO_NODE;
        CHECK(grouped == s->place->oracle->usable[i], "%s: %u", subject_text(s), i);
    }
    for (uint32_t i = 0; i < stars->count; i++) {
        check_stars(s, &below, &stars->levels[i], (uint32_t)radius);
        const crn_stars_level *level = &stars->levels[i];
        network above = network_above(&below, level->groups, (uint32_t)level->abstract.node_count);
        check_edges(s, &above, &stars->levels[i], crn_stars_backwards(i));
        free(below.edges);
        below = above;
    }
    free(below.edges);
}

static void levels_are_stars_joined_by_their_cheapest_edges(void **state)
{
    (void)state;
    each_place(check_levels);
}

/* ---- guidance ------------------------------------------------------------------------- */

typedef struct counter {
    uint64_t ground, above;
} counter;

static void count_expansions(void *user, const cairn_event *event)
{
    counter *c = user;
    if (event->kind != CAIRN_EVENT_EXPAND) return;
    if (event->level)
        c->above++;
    else
        c->ground++;
}

static counter counted(kit *k, const char *spec, cairn_query query, cairn_cost *cost)
{
    counter c = {0, 0};
    cairn_trace_sink sink = {count_expansions, &c};
    const cairn_path *path;
    kit_plan(k, spec);
    cairn_search_trace(k->search, &sink);
    CHECK_STATUS(cairn_search_find(k->search, &query, &path), CAIRN_FOUND);
    *cost = path->cost;
    return c;
}

/* One corridor winds up to the goal, another one as long winds down to nowhere: straight estimates
 * think no worse of it. */
static void the_ground_is_searched_less_where_walls_mislead(void **state)
{
    (void)state;
    enum { SIDE = 41 };
    scene *drawn = scene_serpent("serpent", SIDE, SIDE);
    kit k = kit_of_scene(drawn, &drawn->profile);
    cairn_query query = {.from = SIDE / 2 / 2 * 2 * SIDE + SIDE / 2, .to = 0};
    cairn_cost best, cost;
    counter plain = counted(&k, "astar", query, &best);
    static const char *const tries[] = {"hierarchical-astar:levels=1", "hierarchical-astar",
                                        "hierarchical-astar:radius=1"};
    for (uint32_t i = 0; i < LENGTH(tries); i++) {
        counter guided = counted(&k, tries[i], query, &cost);
        assert_int_equal(cost, best);
        CHECK(guided.above > 0 && guided.ground < plain.ground, "%s: %u on the ground, A* %u",
              tries[i], (unsigned)guided.ground, (unsigned)plain.ground);
    }
    kit_end(&k, drawn);
}

/* More levels leave less to search on the first one. */
static void upper_levels_guide_lower_ones(void **state)
{
    (void)state;
    scene *drawn = scene_rooms("rooms", 120, 120, 9, 5);
    kit k = kit_of_scene(drawn, &drawn->profile);
    scene_rng rng = {4};
    uint64_t one = 0, two = 0;
    for (uint32_t i = 0; i < 12; i++) {
        cairn_query query = {.from = scene_pick(drawn, &rng), .to = scene_pick(drawn, &rng)};
        cairn_cost a, b;
        if (cairn_reachable(k.space, query.from, query.to) != CAIRN_REACH_YES) continue;
        one += counted(&k, "hierarchical-astar:levels=1,radius=1", query, &a).above;
        two += counted(&k, "hierarchical-astar:levels=2,radius=1", query, &b).above;
        assert_int_equal(a, b);
    }
    CHECK(two < one, "%u expansions above the ground with two levels, %u with one", (unsigned)two,
          (unsigned)one);
    kit_end(&k, drawn);
}

/* ---- damage --------------------------------------------------------------------------- */

static bytes damaged(const cairn_archive *good, cairn_context *context, size_t cut, size_t flip)
{
    cairn_store *store;
    size_t size;
    CHECK_OK(cairn_store_create(context, &store));
    const void *head = cairn_archive_section(good, "index", 8, &size);
    CHECK_OK(cairn_store_add(store, "index", (cairn_bytes){head, size}, 8, false));
    const uint8_t *data = cairn_archive_section(good, "index.stars", 4, &size);
    uint8_t *copy = malloc(size);
    if (!copy) abort();
    memcpy(copy, data, size);
    if (flip < 8 * size) copy[flip / 8] = (uint8_t)(copy[flip / 8] ^ 1u << flip % 8);
    CHECK_OK(cairn_store_add(store, "index.stars", (cairn_bytes){copy, size - 4 * cut}, 4, false));
    free(copy);
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    return file;
}

/* It is refused, or whatever is found is a path. */
static bool refuses(const subject *s, const bytes *file)
{
    cairn_archive *archive = opened(s->place->context, file);
    cairn_planner *planner;
    cairn_error error = {0};
    CHECK_OK(cairn_planner_create(s->place->space, s->spec, &planner, NULL));
    cairn_status status = cairn_planner_load(planner, archive, true, &error);
    CHECK(status == CAIRN_OK || (status == CAIRN_BAD_DATA && error.text[0]), "%s",
          cairn_status_text(status));
    if (status == CAIRN_OK) {
        items all = items_of(planner, 0);
        items_free(&all);
        cairn_search *search;
        CHECK_OK(cairn_search_create(planner, NULL, &search));
        for (uint32_t i = 0; i < s->place->query_count; i++) {
            cairn_query query = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
            const cairn_path *path;
            if (cairn_search_find(search, &query, &path) != CAIRN_FOUND) continue;
            assert_true(cairn_path_valid(s->place->space, path, NULL, NULL, NULL));
        }
        cairn_search_destroy(search);
    }
    cairn_planner_destroy(planner);
    cairn_archive_close(archive);
    return status != CAIRN_OK;
}

static void damaged_sections_are_refused_or_harmless(void **state)
{
    (void)state;
    place *p =
        place_of_scene(scene_noise("small", 9, 7, 20, 3), CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER);
    subject s;
    assert_true(subject_open(&s, p, cairn_algorithm_find("hierarchical-astar", 18),
                             "hierarchical-astar:radius=1"));
    bytes file = saved(s.planner);
    cairn_archive *good = opened(p->context, &file);
    size_t size;
    assert_non_null(cairn_archive_section(good, "index.stars", 4, &size));
    for (size_t cut = 1; cut <= size / 4; cut += test_stride()) {
        bytes bad = damaged(good, p->context, cut, SIZE_MAX);
        CHECK(refuses(&s, &bad), "%u numbers are missing", (unsigned)cut);
        bytes_free(&bad);
    }
    uint32_t refused = 0;
    for (size_t flip = 0; flip < 8 * size; flip += test_stride()) {
        bytes bad = damaged(good, p->context, 0, flip);
        refused += refuses(&s, &bad);
        bytes_free(&bad);
    }
    assert_true(refused > 4 * size / test_stride()); /* all but some bits of costs and groups */
    cairn_archive_close(good);
    bytes_free(&file);
    subject_close(&s);
    place_destroy(p);
}

/* ---- what the index looks like ------------------------------------------------------- */

/* The group of each node, as the areas of a layer say; every node that can be stood on has one. */
static uint32_t *groups_shown(const subject *s, const items *one)
{
    const oracle *o = s->place->oracle;
    uint32_t *groups = malloc((o->count + 1) * sizeof *groups);
    if (!groups) abort();
    memset(groups, 0xff, (o->count + 1) * sizeof *groups);
    for (size_t i = 0; i < one->count && one->at[i].kind == CAIRN_OVERLAY_AREA; i++)
        groups[one->at[i].node] = one->at[i].group;
    for (cairn_node node = 0; node < o->count; node++)
        CHECK((groups[node] != CAIRN_NO_NODE) == o->usable[node], "%s: %u", subject_text(s), node);
    return groups;
}

/* From the first node of each group all others can be reached inside it, on edges taken either
 * way. */
static void check_connected(const subject *s, const uint32_t *groups, const network *ground)
{
    uint32_t *lowest =
        malloc((ground->count + 1) * sizeof *lowest); /* that is known to are connected with it */
    if (!lowest) abort();
    for (cairn_node node = 0; node < ground->count; node++) lowest[node] = node;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < ground->edge_count; i++) {
            cairn_node a = ground->edges[i].from, b = ground->edges[i].to;
            if (groups[a] != groups[b] || lowest[a] == lowest[b]) continue;
            lowest[a] = lowest[b] = lowest[a] < lowest[b] ? lowest[a] : lowest[b];
            changed = true;
        }
    }
    uint32_t count = 0;
    for (cairn_node node = 0; node < ground->count; node++) {
        if (groups[node] == CAIRN_NO_NODE || lowest[node] != node) continue;
        CHECK(groups[node] == count, "%s: group %u is in pieces", subject_text(s), groups[node]);
        count++;
    }
    free(lowest);
}

/* Where an edge of an overlay leads from and to, and its cost; several may look alike. */
static int line_order(const void *a, const void *b)
{
    const cairn_overlay_item *p = a, *q = b;
    if (p->from.x != q->from.x) return p->from.x < q->from.x ? -1 : 1;
    if (p->from.y != q->from.y) return p->from.y < q->from.y ? -1 : 1;
    if (p->to.x != q->to.x) return p->to.x < q->to.x ? -1 : 1;
    if (p->to.y != q->to.y) return p->to.y < q->to.y ? -1 : 1;
    return (p->cost > q->cost) - (p->cost < q->cost);
}

static int ends_order(const void *a, const void *b)
{
    const cairn_graph_edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Each two groups with an edge between them are joined once, and no others. `nodes` are shown by
 * group. */
static void check_joined(const subject *s, const cairn_overlay_item *nodes,
                         const cairn_overlay_item *edges, size_t edge_count, const network *between)
{
    cairn_overlay_item *lines = calloc(between->edge_count + 1, sizeof *lines);
    if (!lines) abort();
    size_t pairs = 0;
    for (size_t i = 0; i < between->edge_count; i++) {
        const cairn_graph_edge *e = &between->edges[i];
        cairn_graph_edge back = {.from = e->to, .to = e->from};
        bool both = bsearch(&back, between->edges, between->edge_count, sizeof back, ends_order);
        lines[i].from = nodes[e->from].from, lines[i].to = nodes[e->to].from,
        lines[i].cost = e->weight;
        pairs += !both || e->from < e->to;
    }
    CHECK(pairs == edge_count, "%s: %zu edges, not %zu", subject_text(s), edge_count, pairs);
    qsort(lines, between->edge_count, sizeof *lines, line_order);
    for (size_t i = 0; i < edge_count; i++)
        CHECK(bsearch(&edges[i], lines, between->edge_count, sizeof *lines, line_order),
              "%s: edge %zu", subject_text(s), i);
    free(lines);
}

static void check_shown(subject *s)
{
    const crn_stars *stars = s->planner->index;
    network ground = network_of_place(s->place);
    for (uint32_t abstract = 1; abstract <= stars->count; abstract++) {
        items one = items_of(s->planner, abstract);
        if (!one.count) break;
        uint32_t *groups = groups_shown(s, &one), next = 0;
        check_connected(s, groups, &ground);
        const cairn_overlay_item *nodes = one.at + items_count(&one, abstract, CAIRN_OVERLAY_AREA);
        for (cairn_node node = 0; node < ground.count; node++) { /* the first node of each group */
            if (groups[node] != next) continue;
            cairn_position centre = cairn_space_position(s->place->space, node);
            assert_int_equal(nodes[next].node, next);
            assert_memory_equal(&nodes[next].from, &centre, sizeof centre);
            next++;
        }
        assert_int_equal(items_count(&one, abstract, CAIRN_OVERLAY_NODE), next);
        network between = network_above(&ground, groups, next);
        check_joined(s, nodes, nodes + next, items_count(&one, abstract, CAIRN_OVERLAY_EDGE),
                     &between);
        free(between.edges);
        free(groups);
        items_free(&one);
    }
    free(ground.edges);
}

static void it_shows_groups_that_hang_together_and_which_of_them_touch(void **state)
{
    (void)state;
    each_place(check_shown);
}

/* What upper floors say of groups that they have not come to must never be too much: on maps of
 * several floors each path is the cheapest. */
static void ways_are_the_cheapest_on_many_floors(void **state)
{
    (void)state;
    scene_rng rng = {31};
    for (uint64_t seed = 0; seed < 8; seed++) {
        scene *s = seed % 2 ? scene_rooms("rooms", 70, 60, 6, seed)
                            : scene_noise("noise", 70, 60, 34, seed);
        if (seed % 4 > 1) scene_add_terrain(s, seed);
        kit k = kit_of_scene(s, &s->profile);
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
        for (uint32_t i = 0; i < LENGTH(specs); i++) {
            kit_plan(&k, specs[i]);
            for (uint32_t n = 0; n < test_times(60, 10); n++) {
                cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
                answer a = answer_find(k.search, &query);
                oracle_search(o, query.from);
                uint64_t cost = a.path.status == CAIRN_FOUND ? a.path.cost : ORACLE_NONE;
                CHECK(cost == o->distance[query.to], "%s on %s %u from %u to %u: %u, not %u",
                      specs[i], s->name, (unsigned)seed, query.from, query.to, (unsigned)cost,
                      (unsigned)o->distance[query.to]);
                answer_free(&a);
            }
        }
        oracle_destroy(o);
        kit_end(&k, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_stars_joined_by_their_cheapest_edges),
        cmocka_unit_test(the_ground_is_searched_less_where_walls_mislead),
        cmocka_unit_test(upper_levels_guide_lower_ones),
        cmocka_unit_test(ways_are_the_cheapest_on_many_floors),
        cmocka_unit_test(damaged_sections_are_refused_or_harmless),
        cmocka_unit_test(it_shows_groups_that_hang_together_and_which_of_them_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
