/* test_pra.c: PRA*, what is special to it. Layers of cliques are what they are said to be, when
 * built and after thousands of edits: every node has one parent, every clique is one, edges are
 * exactly those of the cells below, the top layer has a node for each region. Pieces lead to the
 * goal for every k; repaired layers are as good as new ones; in the background the old layers serve
 * until the new ones are there; files that cannot be right are refused.
 */
#include "conformance.h"
#include "files.h"
#include "kit.h"

#include "hierarchy/pra/pra.h"

#include <inttypes.h>
#include <time.h>

static crn_cliques *layers_of(const kit *k)
{
    return ((crn_pra_index *)k->planner->index)->cliques;
}

/* ---- the checker ---------------------------------------------------------------------- */

/* Which nodes of a layer are next to each other, pair by pair. */
typedef struct table {
    uint32_t count;
    uint8_t *next; /* count × count */
} table;

static table table_of(uint32_t count)
{
    table t = {count, calloc((size_t)count * count + 1, 1)};
    if (!t.next) abort();
    return t;
}

static uint8_t *at(const table *t, uint32_t a, uint32_t b)
{
    return &t->next[(size_t)a * t->count + b];
}

/* Steps on foot that can be made back. */
static table table_of_ground(const oracle *o)
{
    table t = table_of(o->count);
    for (cairn_node a = 0; a < o->count; a++) {
        for (uint32_t e = o->first[a]; e < o->first[a + 1]; e++) {
            cairn_node b = o->to[e];
            if (a != b && !o->link[e] && oracle_walk(o, b, a) != ORACLE_NONE) *at(&t, a, b) = 1;
        }
    }
    return t;
}

/* Those of a layer, by the steps on the ground. */
static table table_above(const crn_cliques *c, uint32_t level, const table *ground)
{
    table t = table_of(crn_cliques_count(c, level));
    uint32_t *up = malloc((ground->count + 1) * sizeof *up);
    if (!up) abort();
    for (cairn_node a = 0; a < ground->count; a++) {
        up[a] = a;
        for (uint32_t i = 0; i < level && up[a] != CAIRN_NO_NODE; i++)
            up[a] = c->levels[i].parents[up[a]];
    }
    for (cairn_node a = 0; a < ground->count; a++) {
        for (cairn_node b = 0; b < ground->count; b++) {
            if (*at(ground, a, b) && up[a] != up[b]) *at(&t, up[a], up[b]) = 1;
        }
    }
    free(up);
    return t;
}

static uint32_t degree(const table *t, uint32_t node)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->count; i++) n += *at(t, node, i);
    return n;
}

/* A joined orphan: its only neighbour is in the same clique. */
static bool is_orphan(const crn_cliques *c, const table *t, uint32_t level, uint32_t node)
{
    const uint32_t *parents = c->levels[level].parents;
    if (!c->join || degree(t, node) != 1) return false;
    for (uint32_t i = 0; i < t->count; i++) {
        if (*at(t, node, i)) return parents[i] == parents[node];
    }
    return false;
}

/* The children of a node, as the lists have them: next to each other, ascending, theirs. Returns
 * how many. */
static uint32_t check_clique(const crn_cliques *c, const table *below, uint32_t level,
                             cairn_node node)
{
    const crn_clique_level *l = &c->levels[level - 1];
    cairn_node members[512];
    uint32_t count = 0, size = 0;
    for (cairn_node child = crn_cliques_first(c, level, node); child != CAIRN_NO_NODE;
         child = crn_cliques_next(c, level - 1, child)) {
        CHECK(count < 512 && (!count || members[count - 1] < child), "children of %u out of order",
              node);
        CHECK(l->parents[child] == node, "%u of layer %u has another parent", child, level - 1);
        members[count++] = child;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (is_orphan(c, below, level - 1, members[i])) continue;
        CHECK(++size <= CRN_CLIQUE_SIZE, "%u of layer %u is too large", node, level);
        for (uint32_t j = 0; j < count; j++) {
            if (i == j || is_orphan(c, below, level - 1, members[j])) continue;
            CHECK(*at(below, members[i], members[j]),
                  "layer %u: %u and %u are not next to each other", level - 1, members[i],
                  members[j]);
        }
    }
    return count;
}

static void check_edges(const crn_cliques *c, const table *t, uint32_t level, cairn_node node)
{
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count;
    if (!crn_cliques_has(c, level, node)) return;
    const cairn_edge *edges = crn_cliques_neighbours(c, level, node, room, &count);
    CHECK(count == degree(t, node), "%u of layer %u has %u edges, not %u", node, level, count,
          degree(t, node));
    for (uint32_t i = 0; i < count; i++) {
        CHECK(*at(t, node, edges[i].node) && (!i || edges[i - 1].node < edges[i].node),
              "%u of layer %u: an edge to %u", node, level, edges[i].node);
        assert_true(crn_cliques_packed(c, level) || edges[i].cost > 0);
        if (!c->map || !c->map->uniform || c->map->hex || level == 1) continue;
        crn_clique_body a = crn_cliques_body(c, level, node),
                        b = crn_cliques_body(c, level, edges[i].node);
        double dx = abs(a.x - b.x) / 16.0, dy = abs(a.y - b.y) / 16.0, low = dx < dy ? dx : dy;
        bool four = c->map->profile.neighbours == CAIRN_NEIGHBOURS_4;
        double cost =
            c->ground->scale.straight * (dx + dy) -
            (four ? 0 : low * (2 * c->ground->scale.straight - c->ground->scale.diagonal));
        CHECK(edges[i].cost >= cost - 1 && edges[i].cost <= cost + 2, "%u, not %f", edges[i].cost,
              cost);
    }
}

/* The cells below a node, and the sum of their positions. */
typedef struct below_node {
    uint64_t x, y;
    uint32_t cells;
} below_node;

static below_node *sum_below(const crn_cliques *c, uint32_t level)
{
    below_node *sums = calloc(crn_cliques_count(c, level) + 1, sizeof *sums);
    if (!sums) abort();
    for (cairn_node cell = 0; cell < c->ground->node_count; cell++) {
        uint32_t up = cell;
        int32_t x, y;
        for (uint32_t i = 0; i < level && up != CAIRN_NO_NODE; i++) up = c->levels[i].parents[up];
        if (up == CAIRN_NO_NODE) continue;
        crn_abstract_position(c->ground, cell, &x, &y);
        sums[up].x += (uint32_t)x, sums[up].y += (uint32_t)y, sums[up].cells++;
    }
    return sums;
}

static void check_body(const crn_cliques *c, uint32_t level, cairn_node node, const below_node *sum)
{
    crn_clique_body centre = crn_cliques_body(c, level, node);
    CHECK(centre.cells == sum->cells, "%u of layer %u has %u cells, not %u", node, level,
          centre.cells, sum->cells);
    if (c->plain) return;
    int64_t off_x = (int64_t)(sum->x / sum->cells) - centre.x,
            off_y = (int64_t)(sum->y / sum->cells) - centre.y; /* each layer rounds down */
    CHECK(off_x >= 0 && off_x <= level && off_y >= 0 && off_y <= level,
          "%u of layer %u lies elsewhere", node, level);
}

static void check_layer(const crn_cliques *c, uint32_t level, const table *below, const table *t)
{
    const crn_clique_level *l = &c->levels[level];
    uint32_t children = 0, edges = 0, with_parent = 0, vacant = 0, listed = 0;
    below_node *sums = sum_below(c, level);
    for (cairn_node node = 0; node < t->count; node++) {
        uint32_t count = check_clique(c, below, level, node);
        children += count;
        vacant += !count;
        check_edges(c, t, level, node);
        edges += degree(t, node);
        if (count) check_body(c, level, node, &sums[node]);
        bool parent = l->parents[node] != CAIRN_NO_NODE;
        CHECK(parent == (count && level < c->top), "%u of layer %u: a parent, or none", node,
              level);
    }
    free(sums);
    for (cairn_node node = 0; node < below->count; node++) {
        with_parent += c->levels[level - 1].parents[node] != CAIRN_NO_NODE;
    }
    for (uint32_t i = l->vacant; i; i = l->packs ? l->packs[i - 1].mask : l->cliques[i - 1].cells)
        listed++;
    CHECK(children == with_parent && edges == l->edge_count && listed == vacant, "layer %u: counts",
          level);
    CHECK(!edges == (level == c->top) || c->top == CRN_CLIQUE_LEVELS, "layer %u of %u has %u edges",
          level, c->top, edges); /* (after edits a large one may have some) */
}

static void check_layers(const crn_cliques *c, const oracle *o)
{
    table ground = table_of_ground(o), below = table_of_ground(o);
    for (cairn_node i = 0; i < o->count; i++) {
        CHECK(o->usable[i] == (c->levels[0].parents[i] != CAIRN_NO_NODE), "cell %u", i);
    }
    for (uint32_t level = 1; level <= c->top; level++) {
        table t = table_above(c, level, &ground);
        check_layer(c, level, &below, &t);
        free(below.next);
        below = t;
    }
    free(below.next);
    free(ground.next);
}

static oracle *oracle_of(const kit *k, const scene *s, const cairn_profile *profile)
{
    oracle_grid raw = scene_raw(s);
    return oracle_of_grid(&raw, profile, cairn_space_scale(k->space));
}

/* ---- building --------------------------------------------------------------------------- */

static const char *const settings[] = {"pra", "pra:orphans=single", "pra:positions=plain"};

static void layers_are_what_they_are_said_to_be_in_every_scene(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene *s = scene_at(i);
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile) && s->width * s->height <= 700;
             rule++) {
            kit k = kit_of_scene(s, &profile);
            oracle *o = oracle_of(&k, s, &profile);
            for (uint32_t j = 0; j < 3; j++) {
                kit_plan(&k, settings[j]);
                check_layers(layers_of(&k), o);
            }
            oracle_destroy(o);
            kit_close(&k);
        }
        scene_destroy(s);
    }
}

static void a_plain_map_is_abstracted_by_blocks_of_four(void **state)
{
    (void)state;
    scene *s = scene_blank("plain", 64, 32);
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "pra");
    const crn_cliques *c = layers_of(&k);
    assert_int_equal(c->top, 6);
    for (uint32_t level = 1; level <= 5; level++)
        assert_int_equal(crn_cliques_count(c, level), 2048u >> 2 * level);
    for (cairn_node i = 0; i < 2048; i++)
        assert_int_equal(c->levels[0].parents[i], i / 64 / 2 * 32 + i % 64 / 2);
    kit_end(&k, s);
}

static void an_orphan_joins_its_neighbour_or_stays_alone(void **state)
{
    (void)state;
    scene *s = scene_of_text("orphan", "..#\n...\n"); /* four, and one to the right of them */
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "pra");
    assert_int_equal(crn_cliques_count(layers_of(&k), 1), 1);
    kit_plan(&k, "pra:orphans=single");
    assert_int_equal(crn_cliques_count(layers_of(&k), 1), 2);
    kit_end(&k, s);
}

/* Rooms and random cells, as the generators make them; after many edits hardly more. */
static void levels_are_small(void **state)
{
    (void)state;
    enum { SIDE = 1024, ROOMS = 20, RANDOM = 32, EDITS = 20 };
    for (uint32_t i = 0; i < 2; i++) {
        kit k = {0};
        cairn_generator generator =
            cairn_generator_default(i ? CAIRN_GENERATE_RANDOM : CAIRN_GENERATE_ROOMS);
        generator.width = generator.height = SIDE;
        CHECK_OK(cairn_context_create(NULL, &k.context));
        CHECK_OK(cairn_generate(k.context, &generator, &k.grid, NULL));
        CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
        kit_plan(&k, "pra");
        size_t most = (size_t)(i ? RANDOM : ROOMS) * SIDE * SIDE;
        size_t used = cairn_planner_index_bytes(k.planner);
        CHECK(used <= most, "%zu bytes, not %zu", used, most);
        for (int32_t x = 0; x < EDITS; x++)
            CHECK_OK(cairn_grid_set_open(k.grid, 40 * x, 500, x & 1));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        used = cairn_planner_index_bytes(k.planner);
        CHECK(used <= most + most / 8, "edited: %zu bytes", used);
        kit_close(&k);
    }
}

static void stars_and_rings_are_abstracted(void **state)
{
    (void)state;
    cairn_graph_edge star[60], ring[2 * 30];
    for (uint32_t i = 0; i < 30; i++) {
        star[i] = (cairn_graph_edge){.from = 0, .to = i + 1, .weight = 1 + i};
        star[30 + i] = (cairn_graph_edge){.from = i + 1, .to = 0, .weight = 1 + i};
        ring[2 * i] = (cairn_graph_edge){.from = i, .to = (i + 1) % 30, .weight = 2};
        ring[2 * i + 1] = (cairn_graph_edge){.from = (i + 1) % 30, .to = i, .weight = 2};
    }
    for (uint32_t i = 0; i < 2; i++) {
        kit k = kit_of_edges(i ? 30 : 31, i ? ring : star, 60);
        oracle *o = oracle_of_edges(i ? 30 : 31, i ? ring : star, 60, false);
        for (uint32_t j = 0; j < 2; j++) {
            kit_plan(&k, settings[j]);
            check_layers(layers_of(&k), o);
        }
        oracle_destroy(o);
        kit_close(&k);
    }
}

/* Two hubs with more leaves than are sorted while they are found; edges in no order, some twice,
 * some one way only. */
static void hubs_are_abstracted_however_their_edges_are_ordered(void **state)
{
    (void)state;
    enum { LEAVES = 200, STRIDE = 77 };
    cairn_graph_edge edges[5 * LEAVES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < LEAVES; i++) {
        uint32_t leaf = 1 + i * STRIDE % LEAVES, hub = leaf % 3 ? 0 : LEAVES + 1;
        edges[count++] = (cairn_graph_edge){.from = hub, .to = leaf, .weight = 1 + i};
        if (leaf % 5) edges[count++] = (cairn_graph_edge){.from = leaf, .to = hub, .weight = 2};
        if (!(leaf % 7)) edges[count++] = (cairn_graph_edge){.from = hub, .to = leaf, .weight = 9};
        if (leaf % 11) continue;
        edges[count++] = (cairn_graph_edge){.from = leaf, .to = LEAVES + 1 - hub, .weight = 3};
        edges[count++] = (cairn_graph_edge){.from = LEAVES + 1 - hub, .to = leaf, .weight = 3};
    }
    kit k = kit_of_edges(LEAVES + 2, edges, count);
    oracle *o = oracle_of_edges(LEAVES + 2, edges, count, false);
    for (uint32_t j = 0; j < 2; j++) {
        kit_plan(&k, settings[j]);
        check_layers(layers_of(&k), o);
        assert_true(layers_of(&k)->one_way);
    }
    oracle_destroy(o);
    kit_close(&k);
}

static void a_star_is_abstracted_in_time(void **state)
{
    (void)state;
    enum { LEAVES = 150000 };
    cairn_graph_edge *star = calloc(2 * LEAVES, sizeof *star);
    assert_non_null(star);
    for (uint32_t i = 0; i < LEAVES; i++) {
        star[2 * i] = (cairn_graph_edge){.from = 0, .to = LEAVES - i, .weight = 1};
        star[2 * i + 1] = (cairn_graph_edge){.from = LEAVES - i, .to = 0, .weight = 1};
    }
    kit k = kit_of_edges(LEAVES + 1, star, 2 * LEAVES);
    kit_plan(&k,
             /* in less than a second: with a look at every other leaf for each it would be half a
         * minute */
             "pra");
    assert_int_equal(crn_cliques_count(layers_of(&k), 1), 1);
    assert_int_equal(layers_of(&k)->levels[1].cliques[0].cells, LEAVES + 1);
    kit_close(&k);
    free(star);
}

/* ---- edits ------------------------------------------------------------------------------ */

static void change_cell(const kit *k, scene *s, scene_rng *rng)
{
    uint32_t node = scene_random(rng, s->width * s->height), what = scene_random(rng, 4);
    int32_t x = (int32_t)(node % s->width), y = (int32_t)(node / s->width);
    if (!what && s->terrain) {
        s->terrain[node] = (uint8_t)scene_random(rng, 4);
        CHECK_OK(cairn_grid_set_terrain(k->grid, x, y, s->terrain[node]));
    } else if (what == 1 && s->elevation) {
        s->elevation[node] = (int16_t)scene_random(rng, 6);
        CHECK_OK(cairn_grid_set_elevation(k->grid, x, y, s->elevation[node]));
    } else {
        s->open[node] = !s->open[node];
        CHECK_OK(cairn_grid_set_open(k->grid, x, y, s->open[node]));
    }
}

/* Takes over the scene. */
static void edit_and_check_layers(scene *s, const cairn_profile *profile, const char *spec,
                                  uint32_t rounds)
{
    kit k = kit_of_scene(s, profile);
    scene_rng rng = {rounds + s->width};
    rounds = test_times(rounds, 80);
    kit_plan(&k, spec);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 1 + scene_random(&rng, 3); i; i--) change_cell(&k, s, &rng);
        CHECK_OK(cairn_grid_commit(k.grid));
        const crn_cliques *before = layers_of(&k);
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        assert_ptr_equal(layers_of(&k), before); /* repaired, not rebuilt */
        if (round % 16 && round + 1 < rounds) continue;
        oracle *o = oracle_of(&k, s, profile);
        check_layers(layers_of(&k), o);
        oracle_destroy(o);
    }
    kit_end(&k, s);
}

static void after_any_edits_layers_are_what_they_are_said_to_be(void **state)
{
    (void)state;
    cairn_profile profile = cairn_profile_default();
    for (uint32_t corners = 0; corners < CAIRN_CORNERS_COUNT; corners++) {
        profile.corners = (cairn_corners)corners;
        for (uint32_t i = 0; i < 2; i++) {
            edit_and_check_layers(scene_noise("noise", 22, 17, 25, corners + 1), &profile,
                                  settings[i], 800);
        }
    }
    profile.neighbours = CAIRN_NEIGHBOURS_4;
    edit_and_check_layers(scene_noise("four", 20, 16, 25, 5), &profile, "pra", 800);
}

/* On scattered ground high levels have hubs with many neighbours. What is not concerned by an edit
 * is left alone, so only few edits look at many edges. */
static void an_edit_looks_at_few_edges(void **state)
{
    (void)state;
    enum { SIDE = 512, EDITS = 400, MEAN = 400, MOST = 5000 };
    kit k = {0};
    cairn_generator generator = cairn_generator_default(CAIRN_GENERATE_RANDOM);
    generator.width = generator.height = SIDE;
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_generate(k.context, &generator, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    kit_plan(&k, "pra");
    uint64_t sum = 0, most = 0;
    for (int32_t i = 0; i < EDITS; i++) {
        int32_t x = i * 199 % SIDE, y = i * 331 % SIDE;
        CHECK_OK(cairn_grid_set_open(k.grid, x, y, !cairn_grid_is_open(k.grid, x, y)));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        uint64_t looked = layers_of(&k)->looked;
        sum += looked;
        if (looked > most) most = looked;
    }
    CHECK(sum <= (uint64_t)MEAN * EDITS && most <= MOST,
          "%" PRIu64 " edges an edit, at most %" PRIu64, sum / EDITS, most);
    kit_close(&k);
}

static void edits_of_other_worlds_are_followed_too(void **state)
{
    (void)state;
    cairn_profile profile = cairn_profile_default();
    scene *s = scene_noise("hexagons", 18, 16, 25, 6);
    scene_make_hex(s);
    profile = s->profile;
    edit_and_check_layers(s, &profile, "pra", 500);
    s = scene_noise("hills", 18, 16, 15, 7);
    scene_add_terrain(s, 1);
    scene_add_cliffs(s, 2);
    profile = s->profile;
    edit_and_check_layers(s, &profile, "pra:positions=plain", 500);
    profile = cairn_profile_default();
    for (uint32_t i = 0; i < 3; i++) {
        profile.radius = 0.4 + 0.7 * i;
        edit_and_check_layers(scene_noise("sizes", 24, 20, 4, 8 + i), &profile, "pra", 300);
    }
}

/* The first open cells, and the first ground that costs more or lies higher, come with edits. */
static void a_world_may_begin_with_nothing(void **state)
{
    (void)state;
    for (uint32_t rounds = 16; rounds < 32; rounds++) {
        scene *s = scene_noise("walls", 12, 9, 100, rounds);
        scene_add_terrain(s, 1);
        scene_add_cliffs(s, 2);
        memset(s->terrain, 0, (size_t)s->width * s->height * sizeof *s->terrain);
        memset(s->elevation, 0, (size_t)s->width * s->height * sizeof *s->elevation);
        cairn_profile profile = s->profile;
        edit_and_check_layers(s, &profile, "pra", rounds);
    }
}

/* The sum of the costs of many ways; how many cells they lead over does not matter. */
static double sum_of_costs(const kit *k, const scene *s, uint32_t count)
{
    scene_rng rng = {99};
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const cairn_path *path;
        cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
        if (cairn_search_find(k->search, &query, &path) == CAIRN_FOUND) sum += path->cost;
    }
    return sum;
}

/* What paths cost after edits: by repaired layers, by new ones, and at least. */
typedef struct way_costs {
    double repaired, built, best;
} way_costs;

static void edit_and_sum_costs(scene *s, uint64_t seed, way_costs *sums)
{
    enum { EDITS = 1500, WAYS = 200 };
    uint32_t edits = test_times(EDITS, EDITS / 5);
    kit k = kit_of_scene(s, NULL);
    scene_rng rng = {seed};
    kit_plan(&k, "pra");
    const crn_cliques *before = layers_of(&k);
    for (uint32_t round = 0; round < edits; round++) {
        change_cell(&k, s, &rng);
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    }
    assert_ptr_equal(layers_of(&k), before); /* repaired, not rebuilt */
    sums->repaired += sum_of_costs(&k, s, WAYS);
    kit_plan(&k, "pra");
    sums->built += sum_of_costs(&k, s, WAYS);
    kit_plan(&k, "astar");
    sums->best += sum_of_costs(&k, s, WAYS);
    kit_close(&k);
}

static scene *scene_of_kind(uint32_t kind, uint64_t seed)
{
    switch (kind) {
    case 0: return scene_rooms("rooms", 120, 110, 11, seed);
    case 1: return scene_noise("noise", 100, 100, 25, seed);
    case 2: return scene_blocks("blocks", 110, 90, 90, seed);
    default: return scene_blank("plain", 100, 90);
    }
}

static void after_thousands_of_edits_ways_are_as_good_as_new(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 4; kind++) {
        way_costs sums = {0};
        for (uint64_t seed = 1; seed <= 3; seed++) {
            scene *s = scene_of_kind(kind, seed);
            edit_and_sum_costs(s, seed, &sums);
            scene_destroy(s);
        }
        CHECK(sums.repaired <= 1.01 * sums.built && sums.built <= 1.05 * sums.best,
              "kind %u: repaired %f, built %f, best %f", kind, sums.repaired, sums.built,
              sums.best);
    }
}

/* ---- corridors --------------------------------------------------------------------------- */

static void wider_corridors_have_shorter_ways(void **state)
{
    (void)state;
    static const char *const specs[] = {"pra:corridor=inner", "pra:corridor=wide", "pra"};
    enum { WAYS = 200, SPECS = 3 };
    scene *s = scene_rooms("rooms", 200, 190, 13, 1);
    kit k = kit_of_scene(s, NULL);
    double costs[SPECS];
    for (uint32_t i = 0; i < SPECS; i++) {
        kit_plan(&k, specs[i]);
        costs[i] = sum_of_costs(&k, s, WAYS);
    }
    CHECK(costs[1] < 0.99 * costs[0] && costs[2] < 0.99 * costs[1], "inner %f, wide %f, wider %f",
          costs[0], costs[1], costs[2]);
    kit_end(&k, s);
}

/* By the first cell that is reached, instead of by that of the least cost and estimate: on open
 * ground it goes straight where it should go diagonally. */
static void greedy_entries_have_longer_paths(void **state)
{
    (void)state;
    scene *s = scene_blank("blank", 90, 80);
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "pra:corridor=inner,ground=cliques");
    double by_estimate = sum_of_costs(&k, s, 100);
    kit_plan(&k, "pra:corridor=inner,ground=greedy");
    double greedy = sum_of_costs(&k, s, 100);
    CHECK(greedy > by_estimate, "greedy %f, by estimate %f", greedy, by_estimate);
    kit_end(&k, s);
}

/* What a corridor has shown is hidden when the next query begins: it costs a used search the same
 * as a new one. */
static void nothing_of_a_corridor_is_left(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", 60, 50, 9, 5);
    kit k = kit_of_scene(s, NULL);
    scene_rng rng = {5};
    kit_plan(&k, "pra");
    for (uint32_t i = 0; i < 200; i++) {
        cairn_query query = {
            .from = scene_pick(s, &rng), .to = scene_pick(s, &rng), .piece = i % 2 * 16};
        cairn_search *fresh;
        CHECK_OK(cairn_search_create(k.planner, NULL, &fresh));
        CHECK_STATUS(cairn_search_find(k.search, &query, NULL),
                     cairn_search_find(fresh, &query, NULL));
        assert_int_equal(cairn_search_metrics(k.search).expanded,
                         cairn_search_metrics(fresh).expanded);
        assert_int_equal(cairn_search_metrics(k.search).generated,
                         cairn_search_metrics(fresh).generated);
        cairn_search_destroy(fresh);
    }
    kit_end(&k, s);
}

/* ---- pieces ------------------------------------------------------------------------------ */

/* Follows the pieces of a path to its end; returns what they cost together. */
static uint64_t follow(const kit *k, cairn_node from, cairn_node to, uint32_t piece)
{
    const cairn_path *path;
    uint64_t cost = 0;
    cairn_query query = {.from = from, .to = to, .piece = piece};
    CHECK_STATUS(cairn_search_find(k->search, &query, &path), CAIRN_FOUND);
    for (uint32_t pieces = 0;; pieces++) {
        cairn_cost sum;
        CHECK(path->nodes[0] == from && cairn_path_valid(k->space, path, &sum, NULL, NULL) &&
                  sum == path->cost,
              "a piece from %u is not legal", from);
        cost += path->cost;
        from = path->end;
        if (!path->partial) break;
        CHECK(cairn_path_step_count(k->space, path) >= piece && pieces < 5000,
              "piece %u is too short", pieces);
        CHECK_STATUS(cairn_search_find_next(k->search, &path), CAIRN_FOUND);
    }
    assert_int_equal(from, to);
    CHECK_STATUS(cairn_search_find_next(k->search, &path), CAIRN_INVALID);
    return cost;
}

/* A maze with walls and corridors of one cell; a few more openings make circles. */
static scene *maze(uint32_t side, uint32_t openings, uint64_t seed)
{
    scene *s = scene_blank("maze", side, side);
    scene_rng rng = {seed};
    memset(s->open, 0, (size_t)side * side);
    for (uint32_t y = 0; y < side; y += 2) {
        for (uint32_t x = 0; x < side; x += 2) {
            s->open[y * side + x] = 1;
            bool west = x && (!y || scene_random(&rng, 2));
            if (west)
                s->open[y * side + x - 1] = 1;
            else if (y)
                s->open[(y - 1) * side + x] = 1;
        }
    }
    for (uint32_t i = 0; i < openings; i++) s->open[scene_random(&rng, side * side)] = 1;
    return s;
}

static void pieces_lead_to_the_goal_whatever_k(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "pra:k=1",  "pra:k=2", "pra:k=5",
        "pra:k=16", "pra",     "pra:k=3,corridor=inner,ground=cliques,orphans=single,start=middle"};
    for (uint32_t i = 0; i < 4; i++) {
        scene *s = i < 3 ? maze(41, i * 60, i + 1) : scene_rooms("rooms", 44, 40, 7, 2);
        kit k = kit_of_scene(s, NULL);
        oracle *o = oracle_of(&k, s, cairn_space_profile(k.space));
        for (uint32_t j = 0; j < 6; j++) {
            scene_rng rng = {i + 1};
            kit_plan(&k, specs[j]);
            for (uint32_t n = 0; n < 12; n++) {
                cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
                oracle_search(o, from);
                if (o->distance[to] == ORACLE_NONE) continue;
                uint64_t cost = follow(&k, from, to, 1 + n);
                CHECK(cost >= o->distance[to], "%s: too good", specs[j]);
                CHECK(i == 0 || j < 3 || cost <= 2 * o->distance[to], "%s: %u, the best is %u",
                      specs[j], (unsigned)cost, (unsigned)o->distance[to]);
            }
        }
        oracle_destroy(o);
        kit_end(&k, s);
    }
}

/* Where pieces look ahead by a single node they go to and fro here and there: until an end of one
 * comes again, not longer. */
static void pieces_go_to_and_fro_once(void **state)
{
    (void)state;
    enum { SIDE = 61 };
    uint32_t again = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        scene *s = maze(SIDE, 300, seed);
        kit k = kit_of_scene(s, NULL);
        scene_rng rng = {seed};
        kit_plan(&k, "pra:k=1");
        for (uint32_t i = 0; i < 60; i++) {
            uint8_t times[SIDE * SIDE] = {0};
            cairn_query query = {
                .from = scene_pick(s, &rng), .to = scene_pick(s, &rng), .piece = 1};
            const cairn_path *path;
            cairn_status status = cairn_search_find(k.search, &query, &path);
            for (; status == CAIRN_FOUND; status = cairn_search_find_next(k.search, &path)) {
                again += times[path->end]++ > 0;
                CHECK(times[path->end] <= 2, "%u to %u: at %u again", query.from, query.to,
                      path->end);
            }
        }
        kit_end(&k, s);
    }
    assert_true(again > 0);
}

static void the_whole_way_is_its_pieces_put_together(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", 60, 50, 9, 5);
    kit k = kit_of_scene(s, NULL);
    scene_rng rng = {7};
    kit_plan(&k, "pra:k=6");
    for (uint32_t i = 0; i < 30; i++) {
        cairn_query query = {.from = scene_pick(s, &rng), .to = scene_pick(s, &rng)};
        const cairn_path *path;
        if (cairn_search_find(k.search, &query, &path) != CAIRN_FOUND) continue;
        cairn_cost whole = path->cost;
        assert_int_equal(follow(&k, query.from, query.to, 1), whole);
        assert_int_equal(follow(&k, query.from, query.to, 11), whole);
    }
    kit_end(&k, s);
}

/* Paths in pieces of 16 steps: what they cost, and how many nodes were expanded for the first
 * pieces. */
typedef struct piece_sums {
    double cost, expanded;
} piece_sums;

static piece_sums sum_pieces(const scene *s, const char *spec)
{
    enum { WAYS = 40, PIECE = 16 };
    piece_sums sums = {0};
    kit k = kit_of_scene(s, NULL);
    scene_rng rng = {3};
    kit_plan(&k, spec);
    for (uint32_t i = 0; i < WAYS; i++) {
        cairn_query query = {
            .from = scene_pick(s, &rng), .to = scene_pick(s, &rng), .piece = PIECE};
        const cairn_path *path;
        if (cairn_search_find(k.search, &query, &path) != CAIRN_FOUND) continue;
        sums.expanded += (double)cairn_search_metrics(k.search).expanded;
        sums.cost += (double)follow(&k, query.from, query.to, PIECE);
    }
    kit_close(&k);
    return sums;
}

/* A piece follows the path on each layer only as far as it leads itself, and a few nodes more; with
 * a k it does k nodes. */
static void pieces_look_ahead_as_far_as_they_need(void **state)
{
    (void)state;
    scene *scenes[] = {scene_blocks("blocks", 210, 200, 300, 1),
                       scene_rooms("rooms", 200, 190, 13, 1)};
    for (uint32_t i = 0; i < 2; i++) {
        piece_sums near = sum_pieces(scenes[i], "pra"), far = sum_pieces(scenes[i], "pra:k=16");
        CHECK(near.expanded <= 0.75 * far.expanded, "%s: %.0f nodes, %.0f by k=16", scenes[i]->name,
              near.expanded, far.expanded);
        CHECK(near.cost <= 1.005 * far.cost, "%s: ways cost %.0f, %.0f by k=16", scenes[i]->name,
              near.cost, far.cost);
        scene_destroy(scenes[i]);
    }
}

/* ---- in the background ------------------------------------------------------------------- */

static kit kit_with_workers(const scene *s, const char *spec, uint32_t workers)
{
    kit k = {0};
    cairn_context_options options = cairn_context_defaults();
    options.workers = workers;
    CHECK_OK(cairn_context_create(&options, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    kit_plan(&k, spec);
    return k;
}

/* Searches are served, and what they find is legal in the world as it is. Returns how many found a
 * way. */
static uint32_t ask_meanwhile(const kit *k, const scene *s, scene_rng *rng)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < 10; i++) {
        cairn_query query = {.from = scene_pick(s, rng), .to = scene_pick(s, rng)};
        const cairn_path *path;
        cairn_status status = cairn_search_find(k->search, &query, &path);
        CHECK(status == CAIRN_FOUND || status == CAIRN_UNREACHABLE || status == CAIRN_STALE, "%s",
              cairn_status_text(status));
        if (status != CAIRN_FOUND) continue;
        CHECK(cairn_path_valid(k->space, path, NULL, NULL, NULL),
              "a way through what is blocked now");
        found++;
    }
    return found;
}

static void sync_in_the_background(const char *spec, uint32_t workers)
{
    scene *s = scene_rooms("rooms", 30, 28, 7, 8);
    kit k = kit_with_workers(s, spec, workers);
    cairn_profile profile = cairn_profile_default();
    scene_rng rng = {5};
    uint32_t found = 0, rounds = test_times(60, 15);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 1 + scene_random(&rng, 9); i; i--) change_cell(&k, s, &rng);
        CHECK_OK(cairn_grid_commit(k.grid));
        /* nothing has changed after all */
        if (cairn_planner_state(k.planner) == CAIRN_OK) continue;
        CHECK_STATUS(cairn_planner_sync_begin(k.planner, NULL), workers ? CAIRN_RUNNING : CAIRN_OK);
        CHECK_STATUS(cairn_planner_state(k.planner), CAIRN_OK);
        found += ask_meanwhile(&k, s, &rng);
        if (round % 5 == 4) { /* another commit before it is ready */
            change_cell(&k, s, &rng);
            CHECK_OK(cairn_grid_commit(k.grid));
            found += workers ? ask_meanwhile(&k, s, &rng) : 0;
            cairn_planner_sync_end(k.planner, true, NULL);
            CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        } else if (round % 7 == 6) {
            /* what is under way is given up */
            CHECK_OK(cairn_planner_build(k.planner, NULL, NULL));
        } else {
            while (round % 2 && cairn_planner_sync_end(k.planner, false, NULL) == CAIRN_RUNNING)
                continue;
            CHECK_STATUS(cairn_planner_sync_end(k.planner, true, NULL), CAIRN_OK);
        }
        oracle *o = oracle_of(&k, s, &profile);
        check_layers(layers_of(&k), o);
        oracle_destroy(o);
    }
    assert_true(found > 3 * rounds);
    change_cell(&k, s, &rng);
    CHECK_OK(cairn_grid_commit(k.grid));
    cairn_planner_sync_begin(k.planner, NULL); /* still under way when the planner goes */
    kit_end(&k, s);
}

static void the_old_layers_serve_until_the_new_ones_are_there(void **state)
{
    (void)state;
    sync_in_the_background("pra", 2);
    sync_in_the_background("pra", 0);
    sync_in_the_background("pra:corridor=wide", 2); /* on the ground, of cells instead of squares */
}

static void where_the_old_layers_lead_nowhere_it_is_said(void **state)
{
    (void)state;
    scene *s = scene_of_text("door", ".....#.....\n.....#.....\n.....#.....\n");
    kit k = kit_with_workers(s, "pra", 1);
    CHECK_OK(cairn_grid_set_open(k.grid, 5, 1, true));
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_STATUS(cairn_planner_sync_begin(k.planner, NULL), CAIRN_RUNNING);
    cairn_query through = {.from = 0, .to = 10}, onto = {.from = 0, .to = 16};
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k.search, &through, &path), CAIRN_STALE);
    CHECK_STATUS(cairn_search_find(k.search, &onto, &path), CAIRN_STALE);
    CHECK_STATUS(cairn_planner_sync_end(k.planner, true, NULL), CAIRN_OK);
    CHECK_STATUS(cairn_search_find(k.search, &through, &path), CAIRN_FOUND);
    CHECK_STATUS(cairn_search_find(k.search, &onto, &path), CAIRN_FOUND);
    kit_end(&k, s);
}

/* ---- files and pictures ------------------------------------------------------------------ */

/* Loads these numbers with right checksums. */
static cairn_status load_parents(const kit *k, const uint32_t *numbers, size_t number_count,
                                 const uint32_t *parents, size_t parent_count)
{
    cairn_store *store;
    cairn_error error = {0};
    CHECK_OK(cairn_store_create(k->context, &store));
    CHECK_OK(cairn_store_add(store, "index.cliques", (cairn_bytes){numbers, number_count * 4}, 4,
                             false));
    CHECK_OK(cairn_store_add(store, "index.parents", (cairn_bytes){parents, parent_count * 4}, 4,
                             false));
    bytes file = bytes_of(store);
    cairn_archive *archive = opened(k->context, &file);
    crn_cliques *c = crn_cliques_create(k->space, true, false);
    cairn_status status = crn_cliques_load(c, archive, &error);
    assert_true(status == CAIRN_OK || error.text[0]);
    crn_cliques_destroy(c);
    cairn_archive_close(archive);
    bytes_free(&file);
    cairn_store_destroy(store);
    return status;
}

static void layers_that_cannot_be_right_are_refused(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 12, 10, 20, 3);
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "pra");
    const crn_cliques *c = layers_of(&k);
    uint32_t numbers[CRN_CLIQUE_LEVELS + 1] = {c->top}, parents[400], total = 0;
    for (uint32_t i = 0; i <= c->top; i++) {
        uint32_t count = crn_cliques_count(c, i);
        if (i) numbers[i] = count;
        memcpy(parents + total, c->levels[i].parents, count * sizeof *parents);
        total += count;
    }
    CHECK_OK(load_parents(&k, numbers, c->top + 1, parents, total));
    CHECK_STATUS(load_parents(&k, numbers, c->top + 1, parents, total - 1), CAIRN_BAD_DATA);
    CHECK_STATUS(load_parents(&k, numbers, c->top, parents, total), CAIRN_BAD_DATA);
    for (uint32_t i = 0; i < total;
         i++) { /* to no parent, to one that is none, to another one: it may be legal */
        uint32_t right = parents[i];
        parents[i] = right == CAIRN_NO_NODE ? 0 : CAIRN_NO_NODE;
        CHECK_STATUS(load_parents(&k, numbers, c->top + 1, parents, total), CAIRN_BAD_DATA);
        parents[i] = 100000;
        CHECK_STATUS(load_parents(&k, numbers, c->top + 1, parents, total), CAIRN_BAD_DATA);
        parents[i] = right;
    }
    uint32_t far = s->width * s->height - 1, first = 0;
    while (!s->open[far]) far--;
    while (!s->open[first]) first++;
    parents[far] = parents[first]; /* they are not next to each other */
    CHECK_STATUS(load_parents(&k, numbers, c->top + 1, parents, total), CAIRN_BAD_DATA);
    kit_end(&k, s);
}

typedef struct tally {
    uint32_t kinds[CAIRN_OVERLAY_KIND_COUNT], level, last;
} tally;

static void count_item(void *user, const cairn_overlay_item *item)
{
    tally *t = user;
    assert_true(item->level >= t->last);
    t->last = item->level;
    t->kinds[item->kind] += item->level == t->level;
}

static void an_overlay_shows_every_layer(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", 24, 20, 6, 3);
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "pra");
    const crn_cliques *c = layers_of(&k);
    uint32_t cells = 0;
    for (cairn_node i = 0; i < s->width * s->height; i++) cells += cairn_space_usable(k.space, i);
    for (uint32_t level = 1; level <= c->top; level++) {
        for (uint32_t only = 0; only < 2; only++) {
            tally t = {.level = level};
            CHECK_OK(cairn_planner_overlay(k.planner, only * level,
                                           &(cairn_overlay_sink){count_item, &t}));
            assert_int_equal(t.kinds[CAIRN_OVERLAY_AREA], cells);
            assert_int_equal(t.kinds[CAIRN_OVERLAY_NODE], crn_cliques_count(c, level));
            assert_int_equal(2 * t.kinds[CAIRN_OVERLAY_EDGE], c->levels[level].edge_count);
        }
    }
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_what_they_are_said_to_be_in_every_scene),
        cmocka_unit_test(a_plain_map_is_abstracted_by_blocks_of_four),
        cmocka_unit_test(an_orphan_joins_its_neighbour_or_stays_alone),
        cmocka_unit_test(levels_are_small),
        cmocka_unit_test(stars_and_rings_are_abstracted),
        cmocka_unit_test(hubs_are_abstracted_however_their_edges_are_ordered),
        cmocka_unit_test(a_star_is_abstracted_in_time),
        cmocka_unit_test(after_any_edits_layers_are_what_they_are_said_to_be),
        cmocka_unit_test(an_edit_looks_at_few_edges),
        cmocka_unit_test(edits_of_other_worlds_are_followed_too),
        cmocka_unit_test(a_world_may_begin_with_nothing),
        cmocka_unit_test(after_thousands_of_edits_ways_are_as_good_as_new),
        cmocka_unit_test(wider_corridors_have_shorter_ways),
        cmocka_unit_test(greedy_entries_have_longer_paths),
        cmocka_unit_test(nothing_of_a_corridor_is_left),
        cmocka_unit_test(pieces_lead_to_the_goal_whatever_k),
        cmocka_unit_test(pieces_go_to_and_fro_once),
        cmocka_unit_test(the_whole_way_is_its_pieces_put_together),
        cmocka_unit_test(pieces_look_ahead_as_far_as_they_need),
        cmocka_unit_test(the_old_layers_serve_until_the_new_ones_are_there),
        cmocka_unit_test(where_the_old_layers_lead_nowhere_it_is_said),
        cmocka_unit_test(layers_that_cannot_be_right_are_refused),
        cmocka_unit_test(an_overlay_shows_every_layer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
