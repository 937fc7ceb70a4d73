/* test_upkeep.c: what a space keeps (where the agent can stand, which cells are connected,
 * clearances) follows 100,000 random commits: single cells, rectangles, scattered cells, opening
 * and closing, on maps of several kinds, for agents of several sizes at once. After every batch all
 * of it is compared, byte by byte, with what a space made again holds; and, as that would only
 * repeat a mistake, after every tenth batch with the regions that the edges of the oracle make.
 */
#include "scenes.h"
#include "support.h"
#include "world/grid_space.h"

/* ---- comparing ---- */

static void check_bits(const char *what, const crn_bits *a, const crn_bits *b)
{
    CHECK(a->size == b->size && memcmp(a->rows, b->rows, a->size) == 0,
          "%s differ from those built anew", what);
}

static void check_level(const crn_components *a, const crn_components *b, uint32_t depth)
{
    const crn_component_level *x = &a->levels[depth], *y = &b->levels[depth];
    uint32_t blocks = x->columns * x->rows;
    CHECK(memcmp(x->open, y->open, blocks * sizeof *x->open) == 0, "open parts differ at level %u",
          depth);
    CHECK(memcmp(x->parts, y->parts, blocks * sizeof *x->parts) == 0, "parts differ at level %u",
          depth);
    if (!x->rims) return;
    CHECK(memcmp(x->rims, y->rims, (size_t)blocks * 4 * x->side * sizeof *x->rims) == 0,
          "rims differ at level %u", depth);
    for (uint32_t block = 0; block < blocks; block++) {
        size_t at = (size_t)block * x->widest;
        CHECK(memcmp(x->up + at, y->up + at, x->open[block] * sizeof *x->up) == 0,
              "the way up from level %u differs", depth);
    }
}

static void check_labels(const crn_components *a, const crn_components *b)
{
    CHECK(a->level_count == b->level_count, "levels");
    for (uint32_t depth = 0; depth < a->level_count; depth++) check_level(a, b, depth);
    for (uint32_t i = 0; i < a->levels[0].columns * a->levels[0].rows; i++) {
        const crn_component_tile *x = &a->tiles[i], *y = &b->tiles[i];
        CHECK(x->runs == y->runs && memcmp(x->first, y->first, sizeof x->first) == 0,
              "runs of tile %u differ", i);
        CHECK(!x->runs ||
                  memcmp(x->components, y->components, x->runs * sizeof *x->components) == 0,
              "labels of tile %u differ", i);
    }
}

static void check_links(const crn_links *a, const crn_links *b)
{
    CHECK(a->count == b->count && a->joint_count == b->joint_count &&
              a->shortcut_count == b->shortcut_count && a->costliest == b->costliest,
          "links differ");
    for (uint32_t i = 0; i < a->count; i++) {
        CHECK(a->links[i].from == b->links[i].from && a->links[i].to == b->links[i].to &&
                  a->links[i].cost == b->links[i].cost && a->links[i].id == b->links[i].id,
              "link %u differs", i);
    }
    for (uint32_t i = 0; i < a->joint_count; i++) {
        CHECK(a->joints[i].component == b->joints[i].component &&
                  a->joints[i].root == b->joints[i].root,
              "what links join differs");
    }
}

static void check_against_fresh(cairn_grid *grid, const cairn_space *kept)
{
    const crn_grid_space *a = crn_grid_space_of(kept);
    cairn_space *fresh = NULL;
    CHECK_OK(cairn_space_of_grid(grid, cairn_space_profile(kept), &fresh, NULL));
    const crn_grid_space *b = crn_grid_space_of(fresh);
    check_bits("usable cells", &a->usable, &b->usable);
    if (a->sized) check_bits("free cells", &a->free, &b->free);
    check_labels(&a->components, &b->components);
    check_links(&a->links, &b->links);
    CHECK(a->uniform == b->uniform && a->limited == b->limited && a->least == b->least &&
              a->base.max_edge >= b->base.max_edge,
          "costs differ");
    if (a->clearance) {
        CHECK_OK(cairn_space_keep_clearance(fresh, a->clearance->cells));
        CHECK(memcmp(a->clearance->values, b->clearance->values,
                     (size_t)grid->width * grid->height * sizeof *a->clearance->values) == 0,
              "clearances differ");
    }
    cairn_space_destroy(fresh);
}

/* ---- regions by the oracle ---- */

/* The world as it is now, cell by cell. */
typedef struct facts {
    uint8_t *open, *terrain;
    int16_t *elevation;
    cairn_link *links;
    oracle_grid grid;
} facts;

static facts facts_of(const cairn_grid *grid)
{
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid),
             count = width * height;
    facts f = {malloc(count),
               malloc(count),
               malloc(count * sizeof(int16_t)),
               malloc((cairn_grid_link_count(grid) + 1u) * sizeof(cairn_link)),
               {0}};
    if (!f.open || !f.terrain || !f.elevation || !f.links) abort();
    for (uint32_t i = 0; i < count; i++) {
        int32_t x = (int32_t)(i % width), y = (int32_t)(i / width);
        f.open[i] = cairn_grid_is_open(grid, x, y);
        f.terrain[i] = cairn_grid_terrain(grid, x, y);
        f.elevation[i] = cairn_grid_elevation(grid, x, y);
    }
    for (uint32_t i = 0; i < cairn_grid_link_count(grid); i++)
        f.links[i] = cairn_grid_link_at(grid, i);
    f.grid = (oracle_grid){.width = width,
                           .height = height,
                           .open = f.open,
                           .terrain = f.terrain,
                           .elevation = f.elevation,
                           .hex = cairn_grid_layout(grid) == CAIRN_LAYOUT_HEX,
                           .links = f.links,
                           .link_count = cairn_grid_link_count(grid)};
    return f;
}

static void facts_free(facts *f)
{
    free(f->open);
    free(f->terrain);
    free(f->elevation);
    free(f->links);
}

static uint32_t flood_join(const oracle *o, uint32_t *component, cairn_node n)
{
    uint32_t changes = 0;
    for (uint32_t e = o->first[n]; e < o->first[n + 1]; e++) {
        uint32_t *a = &component[n], *b = &component[o->to[e]];
        if (*a == *b) continue;
        *a = *b = *a < *b ? *a : *b;
        changes++;
    }
    return changes;
}

/* Gives each node the least number of its region, from 1 on: both ends of every edge take the
 * smaller one until nothing changes. */
static void flood(const cairn_space *space, uint32_t *component)
{
    facts f = facts_of(cairn_space_grid(space));
    oracle *o = oracle_of_grid(&f.grid, cairn_space_profile(space), cairn_space_scale(space));
    for (cairn_node n = 0; n < o->count; n++) component[n] = o->usable[n] ? n + 1 : 0;
    for (uint32_t changes = 1; changes;) {
        changes = 0;
        for (cairn_node n = 0; n < o->count; n++) changes += flood_join(o, component, n);
        for (cairn_node n = o->count; n-- > 0;) changes += flood_join(o, component, n);
    }
    oracle_destroy(o);
    facts_free(&f);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The same partition under two namings? Each name of one must always meet the same name of the
 * other. */
static void check_regions(const cairn_space *space)
{
    uint32_t count = cairn_space_node_count(space);
    uint32_t *component = malloc(count * sizeof *component);
    uint64_t *name = calloc(count + 1, sizeof *name);
    if (!component || !name) abort();
    flood(space, component);
    for (cairn_node n = 0; n < count; n++) {
        uint64_t told = cairn_space_component(space, n);
        CHECK((told != 0) == (component[n] != 0), "node %u: usable or not", n);
        if (!told) continue;
        if (!name[component[n]]) name[component[n]] = told;
        CHECK(name[component[n]] == told, "node %u is told to be in another region than %u", n,
              component[n] - 1);
    }
    /* Different regions have different names. */
    qsort(name, count + 1, sizeof *name, by_number);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(!name[i] || name[i] != name[i + 1], "two regions are told to be one");
    }
    free(name);
    free(component);
}

/* ---- random commits ---- */

typedef struct upkeep {
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *spaces[8];
    uint32_t count;
    scene_rng rng;
    bool terrain, heights, links;
    uint32_t next_id;
} upkeep;

static void upkeep_space(upkeep *u, cairn_profile profile, uint32_t clearance)
{
    cairn_error error = {0};
    CHECK(cairn_space_of_grid(u->grid, &profile, &u->spaces[u->count], &error) == CAIRN_OK, "%s",
          error.text);
    if (clearance) CHECK_OK(cairn_space_keep_clearance(u->spaces[u->count], clearance));
    u->count++;
}

static void stage(upkeep *u, uint32_t x, uint32_t y, uint32_t what)
{
    if (x >= u->grid->width || y >= u->grid->height) return;
    int32_t cx = (int32_t)x, cy = (int32_t)y;
    CHECK_OK(cairn_grid_set_open(u->grid, cx, cy, what != 0));
    if (u->terrain && scene_random(&u->rng, 4) == 0)
        CHECK_OK(cairn_grid_set_terrain(u->grid, cx, cy, (uint8_t)scene_random(&u->rng, 4)));
    if (u->heights && scene_random(&u->rng, 2) == 0)
        CHECK_OK(cairn_grid_set_elevation(u->grid, cx, cy, (int16_t)scene_random(&u->rng, 6)));
}

static void stage_link(upkeep *u)
{
    cairn_link link = {.from = scene_random(&u->rng, u->grid->width * u->grid->height),
                       .to = scene_random(&u->rng, u->grid->width * u->grid->height),
                       .id = u->next_id++ % 40,
                       .cost = scene_random(&u->rng, 20000)};
    if (scene_random(&u->rng, 2)) {
        CHECK_OK(cairn_grid_remove_links(u->grid, scene_random(&u->rng, 40)));
    } else if (link.from != link.to) {
        CHECK_OK(cairn_grid_add_link(u->grid, &link));
    }
}

static void commit_something(upkeep *u)
{
    uint32_t width = u->grid->width, height = u->grid->height;
    uint32_t x = scene_random(&u->rng, width), y = scene_random(&u->rng, height),
             kind = scene_random(&u->rng, 20);
    /* Tile borders are where mistakes hide. */
    if (scene_random(&u->rng, 3) == 0) x = (x + 32) / 64 * 64 - scene_random(&u->rng, 2);
    if (scene_random(&u->rng, 3) == 0) y = (y + 32) / 64 * 64 - scene_random(&u->rng, 2);
    uint32_t open = scene_random(&u->rng, 2);
    if (kind < 14) {
        stage(u, x, y,
              x < width && y < height && !cairn_grid_is_open(u->grid, (int32_t)x, (int32_t)y));
    } else if (kind < 17) {
        uint32_t w = 1 + scene_random(&u->rng, 24), h = 1 + scene_random(&u->rng, 24);
        for (uint32_t dy = 0; dy < h; dy++) {
            for (uint32_t dx = 0; dx < w; dx++) stage(u, x + dx, y + dy, open);
        }
    } else {
        for (uint32_t i = 2 + scene_random(&u->rng, 30); i > 0; i--) {
            stage(u, scene_random(&u->rng, width), scene_random(&u->rng, height),
                  scene_random(&u->rng, 2));
        }
    }
    if (u->links && scene_random(&u->rng, 3) == 0) stage_link(u);
    uint64_t version = cairn_grid_version(u->grid);
    CHECK_OK(cairn_grid_commit(u->grid));
    if (cairn_grid_version(u->grid) == version) return;
    for (uint32_t i = 0; i < u->count; i++) {
        cairn_upkeep cost = cairn_space_upkeep(u->spaces[i]);
        const crn_components *components = &crn_grid_space_of(u->spaces[i])->components;
        /* One cell of a point without size redoes its tile and a block of each level. */
        const crn_size *size = &crn_grid_space_of(u->spaces[i])->size;
        if (kind < 14 && !u->links && crn_size_is_point(size) && !size->dips)
            CHECK(cost.tiles_updated <= 1 && cost.blocks_joined < components->level_count,
                  "an edit costs too much");
    }
}

static void run(upkeep *u, uint32_t commits, uint32_t batch)
{
    commits = test_times(commits, commits / 10);
    for (uint32_t i = 1; i <= commits; i++) {
        commit_something(u);
        if (i % batch) continue;
        for (uint32_t k = 0; k < u->count; k++) {
            check_against_fresh(u->grid, u->spaces[k]);
            if (i / batch % 10 == k) check_regions(u->spaces[k]);
        }
    }
    for (uint32_t k = 0; k < u->count; k++) {
        check_regions(u->spaces[k]);
        cairn_space_destroy(u->spaces[k]);
    }
    cairn_grid_destroy(u->grid);
}

static upkeep upkeep_of(cairn_context *context, scene *s, cairn_layout layout, uint64_t seed)
{
    upkeep u = {.context = context, .rng = {seed}};
    CHECK_OK(scene_grid(s, context, &u.grid));
    CHECK_OK(cairn_grid_set_layout(u.grid, layout));
    scene_destroy(s);
    return u;
}

/* A point and three radii at once. Between hexagons the oracle measures in doubles: no distance
 * comes near to those. */
static void add_radii(upkeep *u)
{
    static const double squares[] = {0, 1, 1.5, 3}, hexagons[] = {0, 1.1, 1.6, 3.1};
    for (uint32_t i = 0; i < LENGTH(squares); i++) {
        cairn_profile profile = cairn_profile_for(u->grid);
        profile.radius = profile.neighbours == CAIRN_NEIGHBOURS_HEX ? hexagons[i] : squares[i];
        upkeep_space(u, profile, i ? 0 : 6);
    }
}

/* ---- the kinds of maps ---- */

static void on_scattered_obstacles(void **state)
{
    upkeep u = upkeep_of(*state, scene_noise("noise", 150, 141, 20, 1), CAIRN_LAYOUT_SQUARE, 1);
    add_radii(&u);
    run(&u, 25000, 250);
}

static void on_rooms(void **state)
{
    upkeep u = upkeep_of(*state, scene_rooms("rooms", 193, 128, 7, 2), CAIRN_LAYOUT_SQUARE, 2);
    add_radii(&u);
    run(&u, 20000, 250);
}

static void on_one_long_corridor(void **state)
{
    upkeep u = upkeep_of(*state, scene_serpent("serpent", 130, 129), CAIRN_LAYOUT_SQUARE, 3);
    add_radii(&u);
    cairn_profile always = cairn_profile_default();
    always.corners = CAIRN_CORNERS_ALWAYS;
    upkeep_space(&u, always, 0);
    run(&u, 20000, 250);
}

/* Radii that cells dip into steps for: two without and two with erosion. */
static void on_hexagons_with_little_room(void **state)
{
    static const double radii[] = {0.3, 0.45, 2.05, 3.77};
    upkeep u = upkeep_of(*state, scene_noise("tight", 140, 130, 8, 11), CAIRN_LAYOUT_HEX, 11);
    for (uint32_t i = 0; i < LENGTH(radii); i++) {
        cairn_profile profile = cairn_profile_for(u.grid);
        profile.radius = radii[i];
        upkeep_space(&u, profile, 0);
        CHECK(crn_grid_space_of(u.spaces[i])->limited && !cairn_space_directed(u.spaces[i]),
              "limits");
    }
    run(&u, 10000, 250);
}

static void on_hexagons(void **state)
{
    upkeep u = upkeep_of(*state, scene_noise("hexagons", 140, 130, 35, 4), CAIRN_LAYOUT_HEX, 4);
    add_radii(&u);
    run(&u, 15000, 250);
}

/* Dense enough that regions fall apart everywhere, under every corner rule, with footprints. */
static void on_dense_obstacles_under_every_rule(void **state)
{
    upkeep u = upkeep_of(*state, scene_noise("dense", 131, 200, 45, 5), CAIRN_LAYOUT_SQUARE, 5);
    for (uint32_t corners = 0; corners < CAIRN_CORNERS_COUNT; corners++) {
        cairn_profile profile = cairn_profile_default();
        profile.corners = (cairn_corners)corners;
        profile.footprint = corners;
        upkeep_space(&u, profile, 0);
    }
    cairn_profile four = cairn_profile_default();
    four.neighbours = CAIRN_NEIGHBOURS_4;
    upkeep_space(&u, four, 0);
    run(&u, 10000, 250);
}

static void with_terrain_heights_and_links(void **state)
{
    upkeep u = upkeep_of(*state, scene_noise("rich", 129, 140, 25, 6), CAIRN_LAYOUT_SQUARE, 6);
    u.terrain = u.heights = u.links = true;
    cairn_profile profile = cairn_profile_default();
    upkeep_space(&u, profile, 3);
    profile.max_climb = 2;
    profile.max_drop = 3;
    upkeep_space(&u, profile, 0);
    profile.corners = CAIRN_CORNERS_ALWAYS;
    upkeep_space(&u, profile, 0);
    profile.radius = 1;
    profile.max_climb = profile.max_drop = 3;
    upkeep_space(&u, profile, 0);
    run(&u, 6000, 200);
}

static void with_hexagons_heights_and_links(void **state)
{
    upkeep u = upkeep_of(*state, scene_noise("rich", 129, 140, 25, 6), CAIRN_LAYOUT_HEX, 7);
    u.terrain = u.heights = u.links = true;
    cairn_profile profile = cairn_profile_for(u.grid);
    upkeep_space(&u, profile, 3);
    profile.max_climb = 1;
    profile.max_drop = 2;
    upkeep_space(&u, profile, 0);
    profile.radius = 0.4;
    upkeep_space(&u, profile, 0);
    run(&u, 3000, 200);
}

/* Three levels of blocks. */
static void on_a_map_of_many_tiles(void **state)
{
    upkeep u = upkeep_of(*state, scene_noise("large", 1100, 600, 40, 8), CAIRN_LAYOUT_SQUARE, 8);
    cairn_profile profile = cairn_profile_default();
    upkeep_space(&u, profile, 0);
    profile.corners = CAIRN_CORNERS_ALWAYS;
    upkeep_space(&u, profile, 0);
    CHECK(crn_grid_space_of(u.spaces[0])->components.level_count == 3, "levels");
    for (uint32_t i = 1, commits = test_times(1000, 300); i <= commits; i++) {
        commit_something(&u);
        if (i % 100) continue;
        for (uint32_t k = 0; k < u.count; k++) check_against_fresh(u.grid, u.spaces[k]);
    }
    run(&u, 0, 1);
}

/* With elevation limits, two tiles may lose each other although both look the same as before. */
static void a_step_over_a_border_is_lost_alone(void **state)
{
    upkeep u = upkeep_of(*state, scene_blank("row", 128, 1), CAIRN_LAYOUT_SQUARE, 10);
    for (int32_t x = 65; x < 128; x++) CHECK_OK(cairn_grid_set_elevation(u.grid, x, 0, 2));
    CHECK_OK(cairn_grid_commit(u.grid));
    cairn_profile profile = cairn_profile_default();
    profile.max_climb = profile.max_drop = 2;
    upkeep_space(&u, profile, 0);
    for (int16_t height = 1; height <= 4; height++) {
        CHECK_OK(cairn_grid_set_elevation(u.grid, 64, 0, height));
        CHECK_OK(cairn_grid_commit(u.grid));
        bool joined = cairn_reachable(u.spaces[0], 0, 127) == CAIRN_REACH_YES;
        CHECK(joined == (height <= 2), "a step of %d", height);
    }
    run(&u, 0, 1);
}

/* What does not matter costs nothing, and what lies apart is done apart. */
static void edits_cost_what_they_change(void **state)
{
    upkeep u = upkeep_of(*state, scene_blank("blank", 1024, 1024), CAIRN_LAYOUT_SQUARE, 9);
    cairn_profile profile = cairn_profile_default();
    profile.radius = 1.5;
    upkeep_space(&u, profile, 8);
    size_t before = cairn_space_bytes(u.spaces[0]);
    for (uint32_t i = 0; i < 20000; i++) {
        CHECK_OK(cairn_grid_set_layer(u.grid, 500, 500, (uint8_t)(i % 2 + 1)));
        CHECK_OK(cairn_grid_commit(u.grid));
        cairn_upkeep cost = cairn_space_upkeep(u.spaces[0]);
        CHECK(!cost.rows_eroded && !cost.cells_cleared && !cost.tiles_updated &&
                  !cost.blocks_joined,
              "an extra cost changes what hangs together");
    }
    CHECK(cairn_space_bytes(u.spaces[0]) == before, "memory grew for edits that change nothing");
    for (int32_t i = 0; i < 64; i++) CHECK_OK(cairn_grid_set_open(u.grid, 16 * i, 16 * i, false));
    CHECK_OK(cairn_grid_commit(u.grid));
    cairn_upkeep cost = cairn_space_upkeep(u.spaces[0]);
    CHECK(cost.cells_cleared <= 64 * 21 * 21, "%u values for 64 cells far apart",
          (unsigned)cost.cells_cleared);
    check_against_fresh(u.grid, u.spaces[0]);
    cairn_space_destroy(u.spaces[0]);
    cairn_grid_destroy(u.grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define UPKEEP_TEST(test) cmocka_unit_test_setup_teardown(test, context_set_up, context_tear_down)
        UPKEEP_TEST(on_scattered_obstacles),
        UPKEEP_TEST(on_rooms),
        UPKEEP_TEST(on_one_long_corridor),
        UPKEEP_TEST(on_hexagons),
        UPKEEP_TEST(on_hexagons_with_little_room),
        UPKEEP_TEST(on_dense_obstacles_under_every_rule),
        UPKEEP_TEST(with_terrain_heights_and_links),
        UPKEEP_TEST(with_hexagons_heights_and_links),
        UPKEEP_TEST(on_a_map_of_many_tiles),
        UPKEEP_TEST(a_step_over_a_border_is_lost_alone),
        UPKEEP_TEST(edits_cost_what_they_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
