/* test_hcdps_regions.c: the regions of `hcdps` beside those that a slow build makes, which follows
 * the head of hcdps_regions.c to the letter: every climb is made step by step, and nothing is known
 * beforehand. And the doors between them beside those that a look at all steps finds.
 */
#define _POSIX_C_SOURCE 200809L
#include "slow_climb.h"

#include <cairn/generate.h>

/* ---- a slow build -------------------------------------------------------------------------- */

typedef struct proposal {
    cairn_node node, home;
} proposal;

typedef struct proposals {
    proposal *items;
    size_t count, capacity;
} proposals;

typedef struct growth {
    const crn_hcdps *index; /* its parameters */
    const crn_grid_space *map;
    uint32_t nodes, width, height;
    cairn_node *home;  /* of each cell; CAIRN_NO_NODE: it has none */
    uint32_t *region;  /* of each cell, as the index says */
    proposals ring[4]; /* by distance */
    int64_t distance;
} growth;

static int64_t apart_nodes(const growth *g, cairn_node a, cairn_node b)
{
    return apart(g->map, a % g->width, a / g->width, b % g->width, b / g->width);
}

static void propose(growth *g, cairn_node node, cairn_node home)
{
    int64_t distance = apart_nodes(g, node, home) / g->map->base.scale.straight;
    if (distance < g->distance) distance = g->distance;
    if (distance > g->distance + 3) distance = g->distance + 3;
    proposals *p = &g->ring[distance % 4];
    if (p->count == p->capacity) {
        p->capacity = 2 * p->capacity + 64;
        p->items = realloc(p->items, p->capacity * sizeof *p->items);
        if (!p->items) abort();
    }
    p->items[p->count++] = (proposal){node, home};
}

/* In the order of directions. */
static cairn_node neighbour(const growth *g, cairn_node node, uint32_t direction)
{
    static const int8_t dx[8] = {0, 1, 0, -1, 1, 1, -1, -1}, dy[8] = {-1, 0, 1, 0, -1, 1, 1, -1};
    int64_t x = (int64_t)(node % g->width) + dx[direction],
            y = (int64_t)(node / g->width) + dy[direction];
    if (x < 0 || y < 0 || x >= g->width || y >= g->height) return CAIRN_NO_NODE;
    if (!crn_grid_can_step(g->map, node % g->width, node / g->width, (uint32_t)x, (uint32_t)y))
        return CAIRN_NO_NODE;
    return (cairn_node)(y * g->width + x);
}

static void join(growth *g, cairn_node node, cairn_node home)
{
    g->home[node] = home;
    for (uint32_t d = 0; d < 8; d++) {
        cairn_node next = neighbour(g, node, d);
        if (next != CAIRN_NO_NODE && g->home[next] == CAIRN_NO_NODE) propose(g, next, home);
    }
}

/* Does the climb lie in the region, but for the cell that is proposed? */
static bool climbs_inside(const growth *g, cairn_node from, cairn_node to, proposal p)
{
    trail t = {0};
    bool ok = slow_climb(g->map, from, to, g->index->cutoff, &t);
    for (size_t i = 0; i < t.count && ok; i++)
        ok = t.nodes[i] == p.node || g->home[t.nodes[i]] == p.home;
    free(t.nodes);
    return ok;
}

static void grow(growth *g)
{
    for (uint32_t empty = 0; empty < 4; g->distance++) {
        proposals *list = &g->ring[g->distance % 4];
        empty = list->count ? 0 : empty + 1;
        for (size_t i = 0; i < list->count; i++) {
            proposal p = list->items[i];
            if (g->home[p.node] == CAIRN_NO_NODE && climbs_inside(g, p.node, p.home, p) &&
                climbs_inside(g, p.home, p.node, p))
                join(g, p.node, p.home);
        }
        list->count = 0;
    }
}

static void plant(growth *g, cairn_node seed)
{
    g->distance = 0;
    join(g, seed, seed);
}

/* The usable cell of a square nearest to its middle, the first one of several. */
static cairn_node nearest_of_square(const growth *g, uint32_t left, uint32_t top, uint32_t right,
                                    uint32_t bottom)
{
    int64_t least = INT64_MAX, x = left + (right - left) / 2, y = top + (bottom - top) / 2;
    cairn_node best = CAIRN_NO_NODE;
    for (uint32_t i = 0; i < (right - left) * (bottom - top); i++) {
        uint32_t column = left + i % (right - left), row = top + i / (right - left);
        cairn_node node = row * g->width + column;
        int64_t distance = apart(g->map, column, row, x, y);
        if (!cairn_space_usable(&g->map->base, node) || distance >= least) continue;
        least = distance;
        best = node;
    }
    return best;
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static growth slow_build(const cairn_planner *planner)
{
    growth g = {.index = index_of(planner), .map = map_of(planner)};
    g.nodes = cairn_space_node_count(&g.map->base);
    g.width = g.map->grid->width, g.height = g.map->grid->height;
    g.home = malloc(g.nodes * sizeof *g.home);
    g.region = malloc(g.nodes * sizeof *g.region);
    if (!g.home || !g.region) abort();
    for (cairn_node node = 0; node < g.nodes; node++) {
        g.home[node] = CAIRN_NO_NODE;
        g.region[node] = crn_hcdps_region(g.index, node);
    }
    uint32_t side = g.index->spacing;
    for (uint32_t top = 0; top < g.height; top += side) {
        for (uint32_t left = 0; left < g.width; left += side) {
            cairn_node seed = nearest_of_square(&g, left, top, least_of(left + side, g.width),
                                                least_of(top + side, g.height));
            if (seed != CAIRN_NO_NODE) plant(&g, seed);
        }
    }
    grow(&g);
    for (cairn_node node = 0; node < g.nodes; node++) {
        if (g.home[node] != CAIRN_NO_NODE || !cairn_space_usable(&g.map->base, node)) continue;
        plant(&g, node);
        grow(&g);
    }
    return g;
}

/* ---- doors --------------------------------------------------------------------------------- */

typedef struct door {
    int64_t cost;
    cairn_node leave, enter;
} door;

static bool is_better(const door *a, const door *b)
{
    if (a->cost != b->cost) return a->cost < b->cost;
    return a->leave != b->leave ? a->leave < b->leave : a->enter < b->enter;
}

/* Of all steps from a region to another one the one with the least way from one representative to
 * the other; ways without walls. */
static void check_doors(const char *text, const growth *g)
{
    uint32_t regions = crn_hcdps_regions(g->index), doors = 0, links = 0;
    door *best = malloc(((size_t)regions * regions + 1) * sizeof *best);
    if (!best) abort();
    for (size_t i = 0; i < (size_t)regions * regions; i++) best[i].cost = INT64_MAX;
    for (cairn_node node = 0; node < g->nodes; node++) {
        for (uint32_t d = 0; d < 8 && g->home[node] != CAIRN_NO_NODE; d++) {
            cairn_node next = neighbour(g, node, d);
            if (next == CAIRN_NO_NODE || g->home[next] == g->home[node]) continue;
            door here = {apart_nodes(g, node, g->home[node]) + apart_nodes(g, node, next) +
                             apart_nodes(g, next, g->home[next]),
                         node, next};
            door *known = &best[g->region[node] * regions + g->region[next]];
            doors += known->cost == INT64_MAX;
            if (is_better(&here, known)) *known = here;
        }
    }
    for (uint32_t i = 0; i < regions; i++) {
        for (uint32_t k = 0; k < crn_hcdps_links(g->index, i); k++) {
            crn_hcdps_link link = crn_hcdps_link_at(g->index, i, k);
            const door *known = &best[i * regions + link.region];
            if (link.leave == CAIRN_NO_NODE) continue;
            links++;
            CHECK(link.leave == known->leave && link.enter == known->enter,
                  "%s: the door from region %u to %u is the step from %u to %u, not %u to %u", text,
                  i, link.region, link.leave, link.enter, known->leave, known->enter);
        }
    }
    CHECK(links == doors, "%s: %u doors, not %u", text, links, doors);
    free(best);
}

/* ---- cases --------------------------------------------------------------------------------- */

static void check_built(const char *text, kit *k, const char *spec)
{
    kit_plan(k, spec);
    growth g = slow_build(k->planner);
    for (cairn_node node = 0; node < g.nodes; node++) {
        if (g.home[node] == CAIRN_NO_NODE) continue;
        cairn_node home = crn_hcdps_home(g.index, g.region[node]);
        CHECK(home == g.home[node], "%s, %s: cell %u belongs to %u, not to %u", text, spec, node,
              home, g.home[node]);
    }
    if (!g.map->links.count) check_doors(text, &g);
    for (uint32_t i = 0; i < 4; i++) free(g.ring[i].items);
    free(g.home);
    free(g.region);
}

static void regions_of_all_scenes(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene *s = scene_at(i);
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            kit k = kit_of_scene(s, &profile);
            check_built(s->name, &k, (i + rule) % 2 ? "hcdps" : "hcdps:spacing=5,cutoff=7");
            kit_close(&k);
        }
        scene_destroy(s);
    }
}

static void regions_of_noise(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < test_times(300, 60); seed++) {
        scene *s = scene_noise("noise", 8 + seed % 43, 6 + seed % 27, seed * 7 % 45, seed);
        if (seed % 5 == 4) scene_make_hex(s);
        if (seed % 5 == 0) s->profile.neighbours = CAIRN_NEIGHBOURS_4;
        s->profile.corners = (cairn_corners)(seed % 3);
        if (seed % 7 == 6) s->profile.radius = 0.6 + seed % 11 * 0.1;
        kit k = kit_of_scene(s, &s->profile);
        char text[32];
        snprintf(text, sizeof text, "noise %u", seed);
        check_built(text, &k, seed % 2 ? "hcdps:spacing=40" : "hcdps:spacing=9,cutoff=8");
        kit_end(&k, s);
    }
}

static void regions_of_generated_maps(void **state)
{
    (void)state;
    static const cairn_generator_kind kinds[] = {CAIRN_GENERATE_FACILITY, CAIRN_GENERATE_CAVES,
                                                 CAIRN_GENERATE_MAZE, CAIRN_GENERATE_ROOMS,
                                                 CAIRN_GENERATE_PSEUDO_RTS};
    for (uint32_t i = 0; i < LENGTH(kinds) * CAIRN_CORNERS_COUNT; i++) {
        cairn_generator generator = cairn_generator_default(kinds[i / CAIRN_CORNERS_COUNT]);
        cairn_profile profile = cairn_profile_default();
        kit k = {0};
        char text[32];
        generator.width = 97, generator.height = 75;
        profile.corners = (cairn_corners)(i % CAIRN_CORNERS_COUNT);
        CHECK_OK(cairn_context_create(NULL, &k.context));
        CHECK_OK(cairn_generate(k.context, &generator, &k.grid, NULL));
        CHECK_OK(cairn_space_of_grid(k.grid, &profile, &k.space, NULL));
        snprintf(text, sizeof text, "generator %u", i);
        check_built(text, &k, i % 2 ? "hcdps:spacing=32" : "hcdps:spacing=70,cutoff=60");
        kit_close(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_of_all_scenes),
        cmocka_unit_test(regions_of_noise),
        cmocka_unit_test(regions_of_generated_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
