/* test_hpa.c: HPA*: clusters and their transitions, the index before and after edits, paths of
 * several levels. */
#include "files.h"
#include "hierarchies.h"

#include "hierarchy/hpa/hpa_job.h"
#include "search/algorithm.h"

/* ---- clusters -------------------------------------------------------------------------- */

/* Transitions of all clusters, by the cell that they leave. */
typedef struct crossings {
    uint32_t *first; /* by cell, and one more */
    crn_exit *exits;
} crossings;

static bool leads(const oracle *o, cairn_node a, cairn_node b)
{
    return oracle_walk(o, a, b) != ORACLE_NONE;
}

/* A transition can be walked in the directions that it says, and its other cluster says the
 * same. */
static void check_exits(const crn_clusters *clusters, const oracle *o, uint32_t cluster)
{
    static crn_exit exits[CRN_EXITS_MAX], back[CRN_EXITS_MAX];
    static const uint32_t turned[] = {0, CRN_EXIT_IN, CRN_EXIT_OUT, CRN_EXIT_BOTH};
    uint32_t count = crn_clusters_exits(clusters, cluster, exits);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node from = exits[i].from, to = exits[i].to;
        assert_true(i == 0 || exits[i - 1].from < from || exits[i - 1].to < to);
        assert_int_equal(crn_clusters_at(clusters, from), cluster);
        uint32_t other = crn_clusters_at(clusters, to), found = 0;
        assert_int_not_equal(other, cluster);
        assert_true(exits[i].use && (!(exits[i].use & CRN_EXIT_OUT) || leads(o, from, to)));
        for (uint32_t k = crn_clusters_exits(clusters, other, back); k-- > 0;) {
            bool same = back[k].from == to && back[k].to == from;
            found += same && back[k].use == turned[exits[i].use];
        }
        assert_int_equal(found, 1);
    }
}

static crossings all_crossings(const crn_clusters *clusters, uint32_t cells)
{
    static crn_exit exits[CRN_EXITS_MAX];
    crossings all = {calloc(cells + 1, sizeof *all.first), malloc(12 * cells * sizeof *all.exits)};
    if (!all.first || !all.exits) abort();
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t c = 0; c < crn_clusters_count(clusters); c++) {
            for (uint32_t i = crn_clusters_exits(clusters, c, exits); i-- > 0;) {
                if (round) {
                    all.exits[--all.first[exits[i].from]] = exits[i];
                } else {
                    all.first[exits[i].from]++;
                }
            }
        }
        for (uint32_t i = 0; !round && i < cells; i++) all.first[i + 1] += all.first[i];
    }
    return all;
}

/* Marks the cells that steps lead to: any steps, or only those inside of clusters and of
 * transitions. */
static void reach(const oracle *o, const crn_clusters *clusters, const crossings *within,
                  cairn_node from, bool *reached)
{
    cairn_node *stack = malloc(o->count * sizeof *stack);
    uint32_t count = 0;
    if (!stack) abort();
    memset(reached, 0, o->count);
    reached[stack[count++] = from] = true;
    while (count) {
        cairn_node a = stack[--count];
        for (uint32_t e = o->first[a]; e < o->first[a + 1]; e++) {
            cairn_node b = o->to[e];
            bool inside = crn_clusters_at(clusters, a) == crn_clusters_at(clusters, b);
            if (!reached[b] && (inside || !within)) reached[stack[count++] = b] = true;
        }
        for (uint32_t e = within ? within->first[a] : 0; within && e < within->first[a + 1]; e++) {
            const crn_exit *exit = &within->exits[e];
            if (exit->use & CRN_EXIT_OUT && !reached[exit->to])
                reached[stack[count++] = exit->to] = true;
        }
    }
    free(stack);
}

/* A path leads from one cell to another if and only if one by paths inside of clusters and
 * transitions does. */
static void check_clusters(scene *s, uint32_t size, crn_entrances rule, uint32_t threshold,
                           scene_rng *rng)
{
    kit k = kit_of_scene(s, &s->profile);
    oracle *o = oracle_of(s, &k);
    crn_clusters clusters;
    crn_clusters_divide(&clusters, crn_grid_space_of(k.space), size, rule, threshold);
    for (uint32_t i = 0; i < crn_clusters_count(&clusters); i++) check_exits(&clusters, o, i);
    crossings within = all_crossings(&clusters, o->count);
    bool *all = malloc(o->count), *parts = malloc(o->count);
    for (uint32_t round = 0; round < 3; round++) {
        cairn_node from = scene_random(rng, o->count);
        if (!o->usable[from]) continue;
        reach(o, &clusters, NULL, from, all);
        reach(o, &clusters, &within, from, parts);
        for (uint32_t i = 0; i < o->count; i++)
            CHECK(all[i] == parts[i], "%s, clusters of %u cells: from %u to %u", s->name, size,
                  from, i);
    }
    free(all), free(parts), free(within.first), free(within.exits);
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
                       2 + scene_random(&rng, 8), &rng);
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

/* Levels by the size of the map, of which these clusters are small enough for two or three. */
static void any_thin_spec(scene_rng *rng, char *out, size_t size)
{
    snprintf(out, size, "hpa:size=%u,threshold=%u,entrances=%s", 2 + scene_random(rng, 2),
             2 + scene_random(rng, 4), scene_random(rng, 2) ? "single" : "tiers");
}

static void a_repaired_index_is_a_rebuilt_one(void **state)
{
    (void)state;
    check_repairs(any_spec, test_times(150, 15), 20);
}

static void links_and_one_way_steps_are_served(void **state)
{
    (void)state;
    check_linked_repairs("hpa", any_spec, test_times(150, 20), 12);
}

/* ---- few nodes above the lowest level --------------------------------------------------- */

/* A map on which clusters of 2 cells make three levels. */
static scene *large_scene(uint64_t seed)
{
    scene *s = seed % 4 == 0   ? scene_noise("noise", 140, 90, 35, seed)
               : seed % 4 == 1 ? scene_rooms("rooms", 130, 129, 6, seed)
               : seed % 4 == 2 ? scene_serpent("serpent", 129, 61)
                               : scene_blocks("blocks", 60, 140, 200, seed);
    if (seed % 5 == 1) scene_make_hex(s);
    if (seed % 5 == 2) scene_add_cliffs(s, seed);
    if (seed % 5 == 3) scene_add_terrain(s, seed);
    scene_rule(s, (uint32_t)seed % 3, &s->profile);
    return s;
}

/* Marks the nodes of the highest level that edges between such nodes lead to. */
static void reach_above(const crn_hpa *index, cairn_node from, bool *reached)
{
    const crn_abstract_graph *graph = &index->abstract;
    cairn_node *stack = malloc(graph->node_count * sizeof *stack);
    uint32_t count = 0;
    assert_non_null(stack);
    memset(reached, 0, graph->node_count);
    reached[stack[count++] = from] = true;
    while (count) {
        cairn_node a = stack[--count];
        for (uint32_t e = 0; e < graph->nodes[a].count; e++) {
            cairn_node b = crn_abstract_edges(graph, a)[e].node;
            if (reached[b] || crn_hpa_level_of(index, b) + 1 != index->levels) continue;
            reached[stack[count++] = b] = true;
        }
    }
    free(stack);
}

/* The highest level alone leads wherever the ground does, and nowhere else. (A cell that a cluster
 * can be left by, but not entered, is one that no edge leads to.) */
static void few_nodes_keep_everything_together(void **state)
{
    (void)state;
    scene_rng rng = {23};
    for (uint64_t seed = 0; seed < 20; seed++) {
        scene *s = large_scene(seed);
        kit k = kit_of_scene(s, &s->profile);
        oracle *o = oracle_of(s, &k);
        kit_plan(&k, "hpa:size=2,threshold=3");
        const crn_hpa *index = k.planner->index;
        assert_true(index->thin && index->levels >= 3);
        const crn_hpa_level *top = &index->level[index->levels - 1];
        bool *reached = malloc(index->abstract.node_count);
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t count, others;
            const crn_hpa_member *from = crn_hpa_members(
                index, top->first + scene_random(&rng, top->columns * top->rows), &count);
            if (!count) continue;
            from += scene_random(&rng, count);
            oracle_search(o, from->cell);
            reach_above(index, from->node, reached);
            for (uint32_t c = top->first; c < index->cluster_count; c++) {
                const crn_hpa_member *to = crn_hpa_members(index, c, &others);
                for (uint32_t m = 0; m < others; m++)
                    CHECK(reached[to[m].node] == (o->distance[to[m].cell] != ORACLE_NONE) ||
                              (s->elevation && !reached[to[m].node]),
                          "%s %u: from %u to %u (%d)", s->name, (unsigned)seed, from->cell,
                          to[m].cell, reached[to[m].node]);
            }
        }
        free(reached);
        oracle_destroy(o);
        kit_end(&k, s);
    }
}

static void repairs_with_few_nodes_above(void **state)
{
    (void)state;
    check_repairs(any_thin_spec, test_times(150, 12), 20);
    check_linked_repairs("hpa", any_thin_spec, test_times(150, 14), 12);
    scene_rng rng = {41};
    for (uint64_t seed = 0; seed < 8; seed++) {
        scene *s = large_scene(seed);
        if (seed % 2) scene_add_links(s, 25, 10, 6000, false, seed);
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, "hpa:size=2,threshold=3");
        for (uint32_t round = 0; round < test_times(40, 5); round++) {
            for (uint32_t i = scene_random(&rng, 4); i < 4; i++) edit_some(&k, s, &rng);
            if (seed % 2) edit_some_links(&k, s, &rng);
            CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
            check_as_built(&k, "hpa:size=2,threshold=3");
            if (round % 8 == 7) check_ways_by(&k, s, "hpa:size=2,threshold=3", "hpa", &rng);
        }
        kit_end(&k, s);
    }
}

/* A map on which clusters of 7 cells make two levels. */
static scene *wide_scene(uint64_t seed)
{
    scene *s = seed % 3 == 0   ? scene_noise("noise", 260, 90, 35, seed)
               : seed % 3 == 1 ? scene_rooms("rooms", 130, 255, 11, seed)
                               : scene_blocks("blocks", 90, 256, 250, seed);
    if (seed % 5 == 4) scene_make_hex(s);
    if (seed % 5 == 3) scene_add_cliffs(s, seed);
    scene_rule(s, (uint32_t)seed % 3, &s->profile);
    return s;
}

/* Edits one cell, and syncs. Returns the units of work. */
static uint64_t repair_cell(kit *k, scene *s, uint32_t cell)
{
    s->open[cell] = !s->open[cell];
    CHECK_OK(cairn_grid_set_open(k->grid, (int32_t)(cell % s->width), (int32_t)(cell / s->width),
                                 s->open[cell]));
    CHECK_OK(cairn_grid_commit(k->grid));
    CHECK_OK(cairn_planner_sync(k->planner, NULL, NULL));
    return ((const crn_hpa *)k->planner->index)->job->work;
}

/* Cells inside of clusters, which leave their nodes as they are, and cells at borders. */
static void single_cells_are_repaired(void **state)
{
    (void)state;
    static const char *const specs[] = {"hpa:size=7", "hpa:size=9,levels=1",
                                        "hpa:size=8,levels=2,entrances=tiers"};
    scene_rng rng = {53};
    for (uint64_t seed = 0; seed < 15; seed++) {
        scene *s = wide_scene(seed);
        kit k = kit_of_scene(s, &s->profile);
        const char *spec = specs[seed / 5];
        kit_plan(&k, spec);
        for (uint32_t round = 0; round < test_times(40, 3); round++) {
            for (uint32_t i = 0; i < 3; i++)
                repair_cell(&k, s, scene_random(&rng, s->width * s->height));
            check_as_built(&k, spec);
        }
        kit_end(&k, s);
    }
}

/* A cluster beside the one that changes has a part, two cells of which lead to two parts of that
 * one, at the border of larger clusters. When they are connected, it becomes a bay, whose
 * transitions are left out, and is one no more when they are parted. */
static void bays_beside_a_change_are_found(void **state)
{
    (void)state;
    scene *s = scene_noise("bay", 256, 28, 0, 1);
    memset(s->open, 0, (size_t)s->width * s->height * sizeof *s->open);
    for (uint32_t x = 14; x < 28; x++) s->open[1 * s->width + x] = s->open[5 * s->width + x] = true;
    for (uint32_t y = 1; y < 6; y++) s->open[y * s->width + 25] = y != 3;
    for (uint32_t y = 1; y < 6; y++) s->open[y * s->width + 28] = true;
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "hpa:size=7");
    const crn_hpa *index = k.planner->index;
    for (uint32_t round = 0; round < 4; round++) {
        bool bay = s->open[3 * s->width + 25];
        assert_int_equal(crn_hpa_find(index, 1, 1 * s->width + 28) != CAIRN_NO_NODE, !bay);
        assert_int_equal(crn_hpa_find(index, 1, 5 * s->width + 28) != CAIRN_NO_NODE, !bay);
        check_as_built(&k, "hpa:size=7");
        repair_cell(&k, s, 3 * s->width + 25);
    }
    kit_end(&k, s);
}

/* A corridor through larger clusters of 28 cells. */
static scene *corridor_scene(void)
{
    scene *s = scene_noise("corridor", 256, 28, 0, 1);
    memset(s->open, 0, (size_t)s->width * s->height * sizeof *s->open);
    for (uint32_t x = 0; x < s->width; x++) s->open[3 * s->width + x] = true;
    return s;
}

/* The corridor is closed in the middle of a larger cluster: nothing inside leads to its other end
 * any more. So no edge may lead there, not even from a node that reaches nothing that changed. */
static void what_is_cut_off_is_not_led_to(void **state)
{
    (void)state;
    scene *s = corridor_scene();
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "hpa:size=7");
    for (uint32_t round = 0; round < 4; round++) {
        repair_cell(&k, s, 3 * s->width + 52);
        check_as_built(&k, "hpa:size=7");
    }
    kit_end(&k, s);
}

/* A cell at the border of a larger cluster is closed, and opened again before the repair is over:
 * its node below may have another number then. */
static void nodes_may_come_back_meanwhile(void **state)
{
    (void)state;
    scene *s = corridor_scene();
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "hpa:size=7");
    for (uint32_t units = 0; units < 24; units++) {
        CHECK_OK(cairn_grid_set_open(k.grid, 28, 3, false));
        CHECK_OK(cairn_grid_commit(k.grid));
        cairn_status status = CAIRN_RUNNING;
        for (uint32_t i = 0; i < units && status == CAIRN_RUNNING; i++)
            status = cairn_planner_sync_step(k.planner, 1, NULL);
        CHECK_OK(cairn_grid_set_open(k.grid, 28, 3, true));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        check_as_built(&k, "hpa:size=7");
    }
    kit_end(&k, s);
}

/* Where nothing is open there are no nodes, and larger clusters choose among none. */
static void larger_clusters_may_be_empty(void **state)
{
    (void)state;
    scene *s = corridor_scene();
    memset(s->open, 0, (size_t)s->width * s->height * sizeof *s->open);
    kit k = kit_of_scene(s, &s->profile);
    kit_plan(&k, "hpa:size=7");
    for (uint32_t x = 27; x < 29; x++) {
        repair_cell(&k, s, 3 * s->width + x);
        check_as_built(&k, "hpa:size=7");
    }
    kit_end(&k, s);
}

/* Two links in a larger cluster, each of which costs more than half of what fits: there is no path
 * along both. */
static void paths_that_cost_too_much_are_none(void **state)
{
    (void)state;
    scene *s = scene_noise("links", 256, 28, 0, 1);
    memset(s->open, 0, (size_t)s->width * s->height * sizeof *s->open);
    for (uint32_t x = 14; x < 80; x++) s->open[s->width + x] = x != 35 && x != 45;
    s->profile.cost_scale = 0;
    kit k = kit_of_scene(s, &s->profile);
    for (uint32_t x = 34; x < 45; x += 10) {
        cairn_link link = {.from = s->width + x, .to = s->width + x + 2, .cost = 133000000};
        CHECK_OK(cairn_grid_add_link(k.grid, &link));
    }
    CHECK_OK(cairn_grid_commit(k.grid));
    kit_plan(&k, "hpa:size=7");
    const crn_hpa *index = k.planner->index;
    for (uint32_t round = 0; round < 2; round++) {
        cairn_node node = crn_hpa_find(index, 1, s->width + 28);
        assert_int_not_equal(node, CAIRN_NO_NODE);
        const cairn_edge *edges = crn_abstract_edges(&index->abstract, node);
        for (uint32_t e = 0; e < index->abstract.nodes[node].count; e++)
            CHECK(crn_hpa_cell(index, edges[e].node) != s->width + 56, "costs %u",
                  (unsigned)edges[e].cost);
        repair_cell(&k, s, 2 * s->width + 40);
        check_as_built(&k, "hpa:size=7");
    }
    kit_end(&k, s);
}

/* Most of the nodes near a change are not searched from: 8,000 units for each cell instead of
 * 13,000. */
static void repairs_of_single_cells_are_little_work(void **state)
{
    (void)state;
    uint64_t work = 0;
    for (uint64_t seed = 0; seed < 3; seed++) {
        scene *s = wide_scene(seed);
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, "hpa:size=24,levels=1");
        scene_rng rng = {59};
        for (uint32_t i = 0; i < 200; i++)
            work += repair_cell(&k, s, scene_random(&rng, s->width * s->height));
        kit_end(&k, s);
    }
    CHECK(work < 2000000, "%u units", (unsigned)work);
}

/* They are far fewer, and paths hardly longer. */
static void few_nodes_cost_little(void **state)
{
    (void)state;
    scene_rng rng = {31};
    for (uint64_t seed = 0; seed < 8; seed++) {
        scene *s = large_scene(seed);
        kit few = kit_of_scene(s, &s->profile), all = kit_of_scene(s, &s->profile);
        kit_plan(&few, "hpa:size=3");
        kit_plan(&all, "hpa:size=3,levels=3,growth=4");
        double ratio = 0, found = 0;
        for (uint32_t i = 0; i < 200; i++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            answer a = answer_find(few.search, &query), b = answer_find(all.search, &query);
            CHECK(a.path.status == b.path.status, "%s from %u to %u", s->name, query.from,
                  query.to);
            CHECK(a.path.cost >= b.path.cost, "%s from %u to %u: cheaper than with all nodes",
                  s->name, query.from, query.to);
            if (a.path.status == CAIRN_FOUND && b.path.cost)
                ratio += (double)a.path.cost / b.path.cost, found++;
            answer_free(&a), answer_free(&b);
        }
        CHECK(found == 0 || ratio < 1.1 * found, "%s %u: %.3f times as long", s->name,
              (unsigned)seed, ratio / found);
        CHECK(2 * cairn_planner_index_bytes(few.planner) <
                  3 * cairn_planner_index_bytes(all.planner),
              "%s %u: %u bytes, and %u with all nodes", s->name, (unsigned)seed,
              (unsigned)cairn_planner_index_bytes(few.planner),
              (unsigned)cairn_planner_index_bytes(all.planner));
        kit_close(&all);
        kit_end(&few, s);
    }
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
            if (!(exits[i].use & CRN_EXIT_OUT)) continue;
            cairn_cost cost = (cairn_cost)oracle_walk(whole, exits[i].from, exits[i].to);
            edges[count++] =
                (cairn_graph_edge){.from = exits[i].from, .to = exits[i].to, .weight = cost};
        }
        assert_true(count <= most);
    }
    for (cairn_node a = 0; a < cells; a++) {
        for (uint32_t e = whole->first[a]; e < whole->first[a + 1]; e++) {
            if (!whole->link[e]) continue;
            uint64_t cost = oracle_edge(whole, a, whole->to[e]); /* a step may be cheaper */
            edges[count++] =
                (cairn_graph_edge){.from = a, .to = whole->to[e], .weight = (cairn_cost)cost};
        }
    }
    assert_true(count <= most);
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
    for (uint64_t seed = 0; seed < 24; seed++) {
        uint32_t size = 5 + (uint32_t)seed % 4;
        scene *s = seed % 4 == 0   ? scene_noise("noise", 26, 22, 30, seed)
                   : seed % 4 == 1 ? scene_blocks("blocks", 26, 22, 12, seed)
                   : seed % 4 == 2 ? scene_serpent("serpent", 25, 21)
                                   : scene_rooms("rooms", 26, 22, 5, seed);
        if (seed % 8 == 7) scene_add_terrain(s, seed);
        if (seed % 5 == 4) scene_add_cliffs(s, seed);
        if (seed >= 8)
            scene_add_links(s, 2 + (uint32_t)seed, 10, seed % 2 ? 9000 : 900, seed % 3 == 2, seed);
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
        if (seed > 3) scene_add_links(s, 40, 10, 9000, seed % 3 == 2, seed);
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

/* Inside of larger clusters, too, links may be shortcuts, which an estimate by distance does not
 * know of: an edge would be turned into more expensive ones. */
static void shortcuts_below_an_edge_are_found(void **state)
{
    (void)state;
    scene_rng rng = {37};
    for (uint64_t seed = 0; seed < 6; seed++) {
        scene *s = scene_blank("open", 72, 48);
        scene_add_links(s, 30 + 10 * (uint32_t)seed, 10, 400, seed % 2, seed);
        kit one = kit_of_scene(s, &s->profile), two = kit_of_scene(s, &s->profile);
        kit_plan(&one, "hpa:size=3,levels=1");
        kit_plan(&two, "hpa:size=3,levels=2,growth=8");
        for (uint32_t i = 0; i < 150; i++) {
            cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
            answer a = answer_find(one.search, &query), b = answer_find(two.search, &query);
            CHECK(a.path.status == b.path.status && a.path.cost == b.path.cost,
                  "%u from %u to %u: %u, not %u", (unsigned)seed, query.from, query.to, b.path.cost,
                  a.path.cost);
            answer_free(&a), answer_free(&b);
        }
        kit_close(&one);
        kit_end(&two, s);
    }
}

/* ---- how the ends are joined --------------------------------------------------------------- */

static const char *const inserts[] = {"direct", "dijkstra", "astar"};

static void plan_insert(kit *k, const char *spec, uint32_t insert)
{
    char text[80];
    snprintf(text, sizeof text, "%s,insert=%s", spec, inserts[insert]);
    kit_plan(k, text);
}

/* Asks three planners the same; returns what each of them has expanded. */
static void ask_all(kit *const kits[3], scene *s, uint32_t queries, uint64_t expanded[3])
{
    scene_rng rng = {61};
    for (uint32_t i = 0; i < queries; i++) {
        cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
        answer first = answer_find(kits[0]->search, &query);
        expanded[0] += cairn_search_metrics(kits[0]->search).expanded;
        for (uint32_t k = 1; k < 3; k++) {
            answer other = answer_find(kits[k]->search, &query);
            expanded[k] += cairn_search_metrics(kits[k]->search).expanded;
            CHECK(other.path.status == first.path.status && other.path.cost == first.path.cost &&
                      other.path.count == first.path.count,
                  "%s from %u to %u: insert=%s gives %u, not %u", s->name, query.from, query.to,
                  inserts[k], other.path.cost, first.path.cost);
            answer_free(&other);
        }
        answer_free(&first);
    }
}

static void check_inserts(scene *s, const char *spec, uint64_t expanded[3])
{
    kit k[3];
    for (uint32_t i = 0; i < 3; i++) {
        k[i] = kit_of_scene(s, &s->profile);
        plan_insert(&k[i], spec, i);
    }
    ask_all((kit *const[3]){&k[0], &k[1], &k[2]}, s, test_times(60, 10), expanded);
    for (uint32_t i = 0; i < 3; i++) kit_close(&k[i]);
}

/* Paths and costs are the same; hexagons, terrain, one-way steps and links included. */
static void the_ends_are_joined_alike(void **state)
{
    (void)state;
    static const char *const specs[] = {"hpa:size=7,levels=1", "hpa:size=3", "hpa:size=9,levels=2",
                                        "hpa:size=8,intra=lazy"};
    uint64_t expanded[3] = {0};
    for (uint64_t seed = 0; seed < 16; seed++) {
        scene *s = large_scene(seed);
        if (seed % 3 == 2) scene_add_links(s, 40, 10, 400, seed % 2, seed);
        check_inserts(s, specs[seed / 4], expanded);
        scene_destroy(s);
    }
}

/* Where little is in the way A* looks at fewer cells than Dijkstra's search, which looks at all of
 * the cluster; where there are many walls and nodes it looks at more. */
static void astar_joins_ends_where_the_ground_is_open(void **state)
{
    (void)state;
    uint64_t wide[3] = {0}, narrow[3] = {0};
    scene *s = scene_blank("open", 120, 120);
    check_inserts(s, "hpa:size=30,levels=1", wide);
    scene_destroy(s);
    CHECK(wide[0] < wide[2] && wide[2] < wide[1], "%u, %u, %u", (unsigned)wide[0],
          (unsigned)wide[1], (unsigned)wide[2]);
    s = scene_noise("noise", 120, 120, 35, 3);
    check_inserts(s, "hpa:size=30,levels=1", narrow);
    scene_destroy(s);
    CHECK(narrow[1] < narrow[2], "%u, %u", (unsigned)narrow[1], (unsigned)narrow[2]);
}

/* It is no matter of the index, which serves all three. */
static void the_index_knows_nothing_of_inserting(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", 60, 60, 6, 1);
    kit k = kit_of_scene(s, &s->profile);
    plan_insert(&k, "hpa:size=7", 1);
    bytes file = saved(k.planner);
    cairn_archive *archive = opened(k.context, &file);
    cairn_index_info info;
    CHECK_OK(cairn_archive_index(archive, &info, NULL));
    assert_null(strstr(info.spec, "insert"));
    assert_non_null(strstr(info.spec, "box=16"));
    cairn_planner *planner = NULL;
    CHECK_OK(cairn_planner_create(k.space, "hpa:size=7,insert=astar", &planner, NULL));
    CHECK_OK(cairn_planner_load(planner, archive, false, NULL));
    cairn_planner_destroy(planner);
    cairn_archive_close(archive);
    bytes_free(&file);
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transitions_keep_everything_together),
        cmocka_unit_test(entrances_get_their_transitions),
        cmocka_unit_test(a_repaired_index_is_a_rebuilt_one),
        cmocka_unit_test(links_and_one_way_steps_are_served),
        cmocka_unit_test(few_nodes_keep_everything_together),
        cmocka_unit_test(repairs_with_few_nodes_above),
        cmocka_unit_test(single_cells_are_repaired),
        cmocka_unit_test(bays_beside_a_change_are_found),
        cmocka_unit_test(paths_that_cost_too_much_are_none),
        cmocka_unit_test(repairs_of_single_cells_are_little_work),
        cmocka_unit_test(what_is_cut_off_is_not_led_to),
        cmocka_unit_test(nodes_may_come_back_meanwhile),
        cmocka_unit_test(larger_clusters_may_be_empty),
        cmocka_unit_test(few_nodes_cost_little),
        cmocka_unit_test(ways_are_the_cheapest_through_transitions),
        cmocka_unit_test(all_levels_cost_the_same),
        cmocka_unit_test(shortcuts_below_an_edge_are_found),
        cmocka_unit_test(the_ends_are_joined_alike),
        cmocka_unit_test(astar_joins_ends_where_the_ground_is_open),
        cmocka_unit_test(the_index_knows_nothing_of_inserting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
