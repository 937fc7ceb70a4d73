/* test_hpa.c: HPA*: clusters and their transitions, the index before and after edits, paths of
 * several levels. */
#include "hierarchies.h"

/* ---- clusters -------------------------------------------------------------------------- */

static uint32_t root_of(const uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i];
    return i;
}

static void unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a), b = root_of(parent, b);
    if (a < b) parent[b] = a;
    if (b < a) parent[a] = b;
}

static bool both_ways(const oracle *o, cairn_node a, cairn_node b)
{
    return oracle_walk(o, a, b) != ORACLE_NONE && oracle_walk(o, b, a) != ORACLE_NONE;
}

/* Which cells are connected by steps that can be made back; inside of clusters only, or
 * anywhere. */
static uint32_t *joined_cells(const oracle *o, const crn_clusters *within)
{
    uint32_t *parent = malloc(o->count * sizeof *parent);
    if (!parent) abort();
    for (uint32_t i = 0; i < o->count; i++) parent[i] = i;
    for (cairn_node a = 0; a < o->count; a++) {
        for (uint32_t e = o->first[a]; e < o->first[a + 1]; e++) {
            cairn_node b = o->to[e];
            if (within && crn_clusters_at(within, a) != crn_clusters_at(within, b)) continue;
            if (both_ways(o, a, b)) unite(parent, a, b);
        }
    }
    return parent;
}

static void check_exits(const crn_clusters *clusters, const oracle *o, uint32_t cluster,
                        uint32_t *parent)
{
    static crn_exit exits[CRN_EXITS_MAX], back[CRN_EXITS_MAX];
    uint32_t count = crn_clusters_exits(clusters, cluster, exits);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node from = exits[i].from, to = exits[i].to;
        assert_true(i == 0 || exits[i - 1].from < from || exits[i - 1].to < to);
        assert_int_equal(crn_clusters_at(clusters, from), cluster);
        uint32_t other = crn_clusters_at(clusters, to), found = 0;
        assert_int_not_equal(other, cluster);
        assert_true(both_ways(o, from, to));
        for (uint32_t k = crn_clusters_exits(clusters, other, back); k-- > 0;) {
            found += back[k].from == to && back[k].to == from;
        }
        assert_int_equal(found, 1);
        unite(parent, from, to);
    }
}

/* Two cells are connected if and only if they do by paths inside of clusters and transitions. */
static void check_clusters(scene *s, uint32_t size, crn_entrances rule, uint32_t threshold)
{
    kit k = kit_of_scene(s, &s->profile);
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k.space));
    crn_clusters clusters;
    crn_clusters_divide(&clusters, crn_grid_space_of(k.space), size, rule, threshold);
    uint32_t *all = joined_cells(o, NULL), *parts = joined_cells(o, &clusters);
    for (uint32_t i = 0; i < crn_clusters_count(&clusters); i++)
        check_exits(&clusters, o, i, parts);
    for (uint32_t i = 0; i < o->count; i++) {
        CHECK(root_of(all, i) == root_of(parts, i), "%s, clusters of %u cells: cell %u is cut off",
              s->name, size, i);
    }
    free(all), free(parts);
    oracle_destroy(o);
    kit_close(&k);
}

static void transitions_keep_everything_together(void **state)
{
    (void)state;
    scene_rng rng = {11};
    uint32_t seeds = test_times(3000, 300);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        scene *s = any_scene(&rng, seed);
        check_clusters(s, 2 + scene_random(&rng, 11), (crn_entrances)scene_random(&rng, 2),
                       2 + scene_random(&rng, 8));
        scene_destroy(s);
    }
}

static void check_entrance(uint32_t length, crn_entrances rule, uint32_t threshold,
                           const char *expected)
{
    scene *s = scene_blank("wall", 24, 12);
    for (uint32_t y = length; y < 12; y++) s->open[y * 24 + 11] = 0;
    kit k = kit_of_scene(s, &s->profile);
    crn_clusters clusters;
    crn_exit exits[CRN_EXITS_MAX];
    crn_clusters_divide(&clusters, crn_grid_space_of(k.space), 12, rule, threshold);
    char found[16] = "............";
    uint32_t count = crn_clusters_exits(&clusters, 0, exits);
    for (uint32_t i = 0; i < count; i++) found[exits[i].from / 24] = 'x';
    found[length] = 0;
    assert_string_equal(found, expected);
    kit_end(&k, s);
}

static void entrances_get_their_transitions(void **state)
{
    (void)state;
    check_entrance(1, CRN_ENTRANCES_SINGLE, 6, "x");
    check_entrance(5, CRN_ENTRANCES_SINGLE, 6, "..x..");
    check_entrance(6, CRN_ENTRANCES_SINGLE, 6, "x....x");
    check_entrance(9, CRN_ENTRANCES_SINGLE, 6, "x.......x");
    check_entrance(9, CRN_ENTRANCES_SINGLE, 10, "....x....");
    check_entrance(4, CRN_ENTRANCES_TIERS, 6, "..x.");
    check_entrance(5, CRN_ENTRANCES_TIERS, 6, "x...x");
    check_entrance(6, CRN_ENTRANCES_TIERS, 6, "x....x");
    check_entrance(7, CRN_ENTRANCES_TIERS, 6, "..x.x..");
    check_entrance(9, CRN_ENTRANCES_TIERS, 6, "..x...x..");
}

/* ---- the index ------------------------------------------------------------------------- */

static void any_spec(scene_rng *rng, char *out, size_t size)
{
    static const char *const rules[] = {"single", "tiers"};
    static const char *const smooth[] = {"none", "rays", "box"};
    snprintf(out, size,
             "hpa:size=%u,entrances=%s,threshold=%u,levels=%u,growth=%u,smooth=%s,intra=%s",
             2 + scene_random(rng, 9), rules[scene_random(rng, 2)], 2 + scene_random(rng, 8),
             1 + scene_random(rng, 4), 2 + scene_random(rng, 2), smooth[scene_random(rng, 3)],
             scene_random(rng, 6) ? "eager" : "lazy");
}

static void a_repaired_index_is_a_rebuilt_one(void **state)
{
    (void)state;
    check_repairs(any_spec, test_times(150, 30), 20);
}

/* What paths may be made of: paths inside of clusters from any cell to any other, and the steps of
 * transitions. */
static oracle *oracle_of_transitions(scene *s, const kit *k, const crn_clusters *clusters)
{
    static crn_exit exits[CRN_EXITS_MAX];
    const size_t cells = (size_t)s->width * s->height,
                 most = cells * clusters->size * clusters->size + 4 * cells;
    cairn_graph_edge *edges = malloc(most * sizeof *edges);
    assert_non_null(edges);
    uint32_t count = 0;
    oracle *whole = oracle_of(s, k);
    for (uint32_t c = 0; c < crn_clusters_count(clusters); c++) {
        oracle *o = oracle_of_cluster(s, k, crn_clusters_area(clusters, c));
        for (cairn_node a = 0; a < cells; a++) {
            if (!o->usable[a]) continue;
            oracle_search(o, a);
            for (cairn_node b = 0; b < cells; b++) {
                if (a == b || o->distance[b] == ORACLE_NONE) continue;
                edges[count++] =
                    (cairn_graph_edge){.from = a, .to = b, .weight = (cairn_cost)o->distance[b]};
            }
        }
        oracle_destroy(o);
        for (uint32_t i = crn_clusters_exits(clusters, c, exits); i-- > 0;) {
            cairn_cost cost = (cairn_cost)oracle_walk(whole, exits[i].from, exits[i].to);
            edges[count++] =
                (cairn_graph_edge){.from = exits[i].from, .to = exits[i].to, .weight = cost};
        }
        assert_true(count <= most);
    }
    oracle *all = oracle_of_edges((uint32_t)cells, edges, count, false);
    oracle_destroy(whole);
    free(edges);
    return all;
}

/* No search is needed where nothing is in the path; all the same each way is the cheapest that
 * there is through transitions. */
static void ways_are_the_cheapest_through_transitions(void **state)
{
    (void)state;
    scene_rng rng = {29};
    for (uint64_t seed = 0; seed < 8; seed++) {
        uint32_t size = 5 + (uint32_t)seed % 4;
        scene *s = seed % 4 == 0   ? scene_noise("noise", 26, 22, 30, seed)
                   : seed % 4 == 1 ? scene_blocks("blocks", 26, 22, 12, seed)
                   : seed % 4 == 2 ? scene_serpent("serpent", 25, 21)
                                   : scene_rooms("rooms", 26, 22, 5, seed);
        if (seed == 7) scene_add_terrain(s, seed);
        scene_rule(s, (uint32_t)seed % 3, &s->profile);
        kit k = kit_of_scene(s, &s->profile);
        crn_clusters clusters;
        crn_clusters_divide(&clusters, crn_grid_space_of(k.space), size, CRN_ENTRANCES_SINGLE, 6);
        oracle *o = oracle_of_transitions(s, &k, &clusters);
        char spec[32];
        snprintf(spec, sizeof spec, "hpa:size=%u", size);
        kit_plan(&k, spec);
        for (uint32_t i = 0; i < 200; i++) {
            cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
            answer a = answer_find(k.search, &(cairn_query){.from = from, .to = to});
            oracle_search(o, from);
            uint64_t cost = a.path.status == CAIRN_FOUND ? a.path.cost : ORACLE_NONE;
            CHECK(cost == o->distance[to], "%s on %s %u from %u to %u: %u, not %u", spec, s->name,
                  (unsigned)seed, from, to, (unsigned)cost, (unsigned)o->distance[to]);
            answer_free(&a);
        }
        oracle_destroy(o);
        kit_end(&k, s);
    }
}

/* Levels change how long it takes, not what paths cost. */
static void all_levels_cost_the_same(void **state)
{
    (void)state;
    static const char *const specs[] = {"hpa:size=5,levels=1", "hpa:size=5,levels=2",
                                        "hpa:size=5,levels=3,growth=2",
                                        "hpa:size=5,levels=4,growth=2", "hpa:size=5,intra=lazy"};
    scene_rng rng = {17};
    for (uint64_t seed = 0; seed < 8; seed++) {
        scene *s = seed % 2 ? scene_rooms("rooms", 90, 70, 7, seed)
                            : scene_noise("noise", 90, 70, 25, seed);
        if (seed % 4 > 1) scene_add_terrain(s, seed);
        kit k[LENGTH(specs)];
        for (uint32_t i = 0; i < LENGTH(specs); i++) {
            k[i] = kit_of_scene(s, &s->profile);
            kit_plan(&k[i], specs[i]);
        }
        for (uint32_t i = 0; i < 60; i++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            answer first = answer_find(k[0].search, &query);
            for (uint32_t j = 1; j < LENGTH(specs); j++) {
                answer a = answer_find(k[j].search, &query);
                CHECK(a.path.status == first.path.status && a.path.cost == first.path.cost,
                      "%s from %u to %u: %u, not %u", specs[j], query.from, query.to, a.path.cost,
                      first.path.cost);
                answer_free(&a);
            }
            answer_free(&first);
        }
        for (uint32_t i = 0; i < LENGTH(specs); i++) kit_close(&k[i]);
        scene_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transitions_keep_everything_together),
        cmocka_unit_test(entrances_get_their_transitions),
        cmocka_unit_test(a_repaired_index_is_a_rebuilt_one),
        cmocka_unit_test(ways_are_the_cheapest_through_transitions),
        cmocka_unit_test(all_levels_cost_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
