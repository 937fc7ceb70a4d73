/* test_obstacles.c: obstacles with a time to live, against a list of rectangles from which every
 * cell is worked out again: random lives with edits of the game under and beside obstacles, memory
 * that fails, what steady use allocates, and what planners make of it.
 */
#include "scenes.h"
#include "support.h"

enum { WIDTH = 26, HEIGHT = 19, MOST = 24, STAGED = 64, LIVES = 40, LEAST_LIVES = 12, DEEDS = 400 };

/* ---- the model ---- */

typedef struct thing {
    cairn_obstacle_options options;
    uint64_t end; /* the first tick without it; 0 = none */
    cairn_obstacle handle;
    bool used;
} thing;

typedef struct staged {
    uint32_t cell;
    uint8_t field, value;
} staged;

typedef struct life {
    scene_rng rng;
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_obstacles *obstacles;
    watched memory;
    thing wanted[MOST], visible[MOST]; /* now; when the last tick was made */
    uint8_t own[3][WIDTH * HEIGHT];    /* open, layer, terrain */
    cairn_cell_state seen[WIDTH * HEIGHT];
    staged staged[STAGED];
    uint32_t staged_count;
    uint64_t now;
    cairn_obstacle gone; /* one that has ended */
    uint32_t ended, hidden, failures;
} life;

static bool thing_covers(const thing *t, int32_t x, int32_t y)
{
    const cairn_obstacle_options *o = &t->options;
    int32_t width = o->width ? (int32_t)o->width : 1, height = o->height ? (int32_t)o->height : 1;
    return t->used && x >= o->x && y >= o->y && x < o->x + width && y < o->y + height;
}

/* What a cell must be, from all that is visible. */
static cairn_cell_state life_expect(const life *l, int32_t x, int32_t y)
{
    uint32_t at = (uint32_t)(y * WIDTH + x), layer = l->own[1][at];
    cairn_cell_state state = {.open = l->own[0][at], .terrain = l->own[2][at]};
    for (uint32_t i = 0; i < MOST; i++) {
        if (!thing_covers(&l->visible[i], x, y)) continue;
        layer += l->visible[i].options.cost;
        if (!l->visible[i].options.cost) state.open = false;
    }
    state.layer = (uint8_t)(layer > 255 ? 255 : layer);
    return state;
}

/* Every cell; returns whether any has changed since the last time. */
static bool life_check(life *l)
{
    bool changed = false;
    for (int32_t y = 0; y < HEIGHT; y++) {
        for (int32_t x = 0; x < WIDTH; x++) {
            uint32_t at = (uint32_t)(y * WIDTH + x);
            cairn_cell_state now = life_expect(l, x, y), *before = &l->seen[at],
                             own = cairn_obstacles_own_state(l->obstacles, x, y);
            CHECK(cairn_grid_is_open(l->grid, x, y) == now.open &&
                      cairn_grid_layer(l->grid, x, y) == now.layer &&
                      cairn_grid_terrain(l->grid, x, y) == now.terrain,
                  "cell (%d,%d), tick %llu", x, y, (unsigned long long)l->now);
            CHECK(own.open == l->own[0][at] && own.layer == l->own[1][at] &&
                      own.terrain == l->own[2][at],
                  "what is under cell (%d,%d)", x, y);
            changed |= before->open != now.open || before->layer != now.layer ||
                       before->terrain != now.terrain;
            *before = now;
        }
    }
    return changed;
}

static void life_apply_staged(life *l)
{
    for (uint32_t i = 0; i < l->staged_count; i++) {
        const staged *s = &l->staged[i];
        l->hidden += s->field == 0 && !s->value && l->own[0][s->cell] && !l->seen[s->cell].open;
        l->own[s->field][s->cell] = s->value;
    }
    l->staged_count = 0;
}

/* ---- what is done ---- */

static cairn_obstacle_options life_options(life *l)
{
    cairn_obstacle_options o = {.x = (int32_t)scene_random(&l->rng, WIDTH + 8) - 4,
                                .y = (int32_t)scene_random(&l->rng, HEIGHT + 8) - 4,
                                .width = scene_random(&l->rng, 6),
                                .height = scene_random(&l->rng, 6),
                                .ticks = scene_random(&l->rng, 9)};
    if (scene_random(&l->rng, 2)) o.cost = (uint8_t)(1 + scene_random(&l->rng, 120));
    return o;
}

static bool life_is_inside(cairn_obstacle_options o)
{
    thing t = {.options = o, .used = true};
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++)
            if (thing_covers(&t, x, y)) return true;
    return false;
}

static thing *life_pick(life *l, bool used)
{
    uint32_t first = scene_random(&l->rng, MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        thing *t = &l->wanted[(first + i) % MOST];
        if (t->used == used) return t;
    }
    return NULL;
}

/* Is this what must come out, or did memory fail? */
static bool life_did(life *l, cairn_status status, cairn_status expected)
{
    if (status == CAIRN_OUT_OF_MEMORY && l->memory.failures) {
        l->failures++;
        return false;
    }
    CHECK_STATUS(status, expected);
    return status == CAIRN_OK;
}

static void life_put(life *l)
{
    thing *t = life_pick(l, false);
    cairn_obstacle handle;
    cairn_obstacle_options o = life_options(l);
    if (!t) return;
    cairn_status status = cairn_obstacles_put(l->obstacles, &o, &handle);
    if (!life_did(l, status, life_is_inside(o) ? CAIRN_OK : CAIRN_OUT_OF_BOUNDS)) {
        assert_true(handle == CAIRN_NO_OBSTACLE);
        return;
    }
    for (uint32_t i = 0; i < MOST; i++)
        assert_true(!l->wanted[i].used || l->wanted[i].handle != handle);
    *t = (thing){o, o.ticks ? l->now + 1 + o.ticks : 0, handle, true};
}

static void life_move(life *l, thing *t)
{
    cairn_obstacle_options o = t->options;
    o.x += (int32_t)scene_random(&l->rng, 7) - 3;
    o.y += (int32_t)scene_random(&l->rng, 7) - 3;
    cairn_status status = cairn_obstacles_move(l->obstacles, t->handle, o.x, o.y);
    if (life_did(l, status, life_is_inside(o) ? CAIRN_OK : CAIRN_OUT_OF_BOUNDS)) t->options = o;
}

static void life_renew(life *l, thing *t)
{
    uint32_t ticks = scene_random(&l->rng, 9);
    CHECK_OK(cairn_obstacles_renew(l->obstacles, t->handle, ticks));
    t->end = ticks ? l->now + 1 + ticks : 0;
}

static void life_remove(life *l, thing *t)
{
    CHECK_OK(cairn_obstacles_remove(l->obstacles, t->handle));
    l->gone = t->handle;
    t->used = false;
}

static void life_stage(life *l)
{
    uint32_t x = scene_random(&l->rng, WIDTH), y = scene_random(&l->rng, HEIGHT),
             field = scene_random(&l->rng, 3);
    uint8_t value = (uint8_t)scene_random(&l->rng, field == 0 ? 2 : field == 1 ? 200 : 4);
    const thing *t = life_pick(l, true); /* rather under an obstacle */
    if (t && cairn_grid_inside(l->grid, t->options.x, t->options.y) && scene_random(&l->rng, 2)) {
        x = (uint32_t)t->options.x;
        y = (uint32_t)t->options.y;
    }
    int32_t column = (int32_t)x, row = (int32_t)y;
    if (l->staged_count == STAGED) return;
    cairn_status status = field == 0   ? cairn_grid_set_open(l->grid, column, row, value)
                          : field == 1 ? cairn_grid_set_layer(l->grid, column, row, value)
                                       : cairn_grid_set_terrain(l->grid, column, row, value);
    if (life_did(l, status, CAIRN_OK))
        l->staged[l->staged_count++] = (staged){y * WIDTH + x, (uint8_t)field, value};
}

/* The game commits by itself: obstacles do not change with it. */
static void life_commit(life *l)
{
    uint64_t version = cairn_grid_version(l->grid);
    if (life_did(l, cairn_grid_commit(l->grid), CAIRN_OK)) life_apply_staged(l);
    bool changed = life_check(l);
    assert_int_equal(cairn_grid_version(l->grid) - version, changed);
}

static void life_end_things(life *l)
{
    l->now++;
    for (uint32_t i = 0; i < MOST; i++) {
        thing *t = &l->wanted[i];
        if (!t->used || !t->end || t->end > l->now) continue;
        t->used = false;
        l->gone = t->handle;
        l->ended++;
    }
}

static void life_tick(life *l)
{
    uint64_t version = cairn_grid_version(l->grid);
    cairn_status status = cairn_obstacles_tick(l->obstacles);
    life_end_things(l);
    if (!life_did(l, status, CAIRN_OK)) { /* all is as it was, and the next tick does it */
        assert_false(life_check(l));
        assert_int_equal(cairn_grid_version(l->grid), version);
        l->memory.fail_at = 0;
        uint32_t what = scene_random(&l->rng, 4);
        if (what < 2) {
            cairn_grid_discard(l->grid);
            l->staged_count = 0;
        } else if (what == 2) {
            life_commit(l);
            version = cairn_grid_version(l->grid);
        }
        CHECK_OK(cairn_obstacles_tick(l->obstacles));
        life_end_things(l);
    }
    life_apply_staged(l);
    memcpy(l->visible, l->wanted, sizeof l->visible);
    bool changed = life_check(l);
    assert_int_equal(cairn_grid_version(l->grid) - version, changed);
}

static void life_do(life *l)
{
    thing *t = life_pick(l, true);
    switch (scene_random(&l->rng, t ? 16 : 7)) {
    case 0:
    case 1: life_stage(l); break;
    case 2: life_commit(l); break;
    case 3:
    case 4: life_tick(l); break;
    case 5:
    case 6:
    case 7:
    case 8: life_put(l); break;
    case 9:
    case 10:
    case 11: life_move(l, t); break;
    case 12:
    case 13: life_renew(l, t); break;
    case 14: life_remove(l, t); break;
    default:
        if (scene_random(&l->rng, 8)) break;
        cairn_obstacles_clear(l->obstacles);
        memset(l->wanted, 0, sizeof l->wanted);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < MOST; i++) count += l->wanted[i].used;
    assert_int_equal(cairn_obstacles_count(l->obstacles), count);
    if (l->gone) CHECK_STATUS(cairn_obstacles_remove(l->obstacles, l->gone), CAIRN_INVALID);
}

/* ---- lives ---- */

static void life_begin(life *l, uint64_t seed)
{
    *l = (life){.rng = {seed}};
    uint8_t *open = l->own[0];
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) open[i] = scene_random(&l->rng, 5) > 0;
    for (uint32_t i = 0; seed % 3 && i < WIDTH * HEIGHT; i++)
        l->own[1][i] = (uint8_t)scene_random(&l->rng, 9);
    cairn_grid_options options = {
        .width = WIDTH, .height = HEIGHT, .open = open, .layer = l->own[1]};
    if (seed % 2) options.layout = CAIRN_LAYOUT_HEX;
    cairn_profile profile = cairn_profile_default();
    if (seed % 2) profile.neighbours = CAIRN_NEIGHBOURS_HEX;
    profile.layer_weight = 32;
    CHECK_OK(watched_context(&l->memory, &l->context));
    CHECK_OK(cairn_grid_create(l->context, &options, &l->grid, NULL));
    CHECK_OK(cairn_space_of_grid(l->grid, &profile, &l->space, NULL));
    CHECK_OK(cairn_obstacles_create(l->grid, &l->obstacles));
    life_check(l);
}

/* A grid that is made of what must be seen gives the same paths. */
static void life_compare_paths(life *l)
{
    uint8_t open[WIDTH * HEIGHT], layer[WIDTH * HEIGHT];
    cairn_grid_options options = {.width = WIDTH,
                                  .height = HEIGHT,
                                  .open = open,
                                  .layer = layer,
                                  .terrain = l->own[2],
                                  .layout = cairn_grid_layout(l->grid)};
    cairn_grid *grid;
    cairn_space *spaces[2] = {l->space};
    cairn_planner *planners[2];
    cairn_search *searches[2];
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        open[i] = l->seen[i].open;
        layer[i] = l->seen[i].layer;
    }
    assert_int_equal(cairn_space_validate(l->space, NULL, NULL), 0);
    CHECK_OK(cairn_grid_create(l->context, &options, &grid, NULL));
    CHECK_OK(cairn_space_of_grid(grid, cairn_space_profile(l->space), &spaces[1], NULL));
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_OK(cairn_planner_create(spaces[i], "astar", &planners[i], NULL));
        CHECK_OK(cairn_search_create(planners[i], NULL, &searches[i]));
    }
    for (uint32_t i = 0; i < 8; i++) {
        const cairn_path *paths[2];
        cairn_query query = {.from = scene_random(&l->rng, WIDTH * HEIGHT),
                             .to = scene_random(&l->rng, WIDTH * HEIGHT)};
        for (uint32_t k = 0; k < 2; k++) cairn_search_find(searches[k], &query, &paths[k]);
        assert_int_equal(paths[0]->status, paths[1]->status);
        assert_int_equal(paths[0]->cost, paths[1]->cost);
    }
    for (uint32_t i = 0; i < 2; i++) {
        cairn_search_destroy(searches[i]);
        cairn_planner_destroy(planners[i]);
    }
    cairn_space_destroy(spaces[1]);
    cairn_grid_destroy(grid);
}

static void life_end(life *l)
{
    l->memory.fail_at = 0;
    cairn_obstacles_clear(l->obstacles);
    CHECK_OK(cairn_obstacles_tick(l->obstacles));
    life_apply_staged(l);
    memset(l->visible, 0, sizeof l->visible);
    life_check(l);               /* every cell is its own again */
    cairn_grid_destroy(l->grid); /* lives on */
    cairn_obstacles_destroy(l->obstacles);
    cairn_space_destroy(l->space);
    cairn_context_destroy(l->context);
    assert_int_equal(l->memory.blocks, 0);
    assert_false(l->memory.wrong_size);
}

static void every_cell_is_what_lies_on_it(void **state)
{
    static life l;
    uint32_t ended = 0, hidden = 0;
    (void)state;
    for (uint64_t seed = 1, lives = test_lives(LIVES, LEAST_LIVES); seed <= lives; seed++) {
        life_begin(&l, seed);
        for (uint32_t i = 0; i < DEEDS; i++) life_do(&l);
        life_compare_paths(&l);
        life_end(&l);
        ended += l.ended;
        hidden += l.hidden;
    }
    /* cells were closed while an obstacle closed them */
    CHECK(ended > 100 && hidden > 3, "%u obstacles, %u cells", ended, hidden);
}

static void without_memory_nothing_is_lost(void **state)
{
    static life l;
    uint32_t failures = 0;
    (void)state;
    for (uint64_t seed = 1, lives = test_lives(LIVES, LEAST_LIVES); seed <= lives; seed++) {
        life_begin(&l, seed);
        for (uint32_t i = 0; i < DEEDS; i++) {
            if (scene_random(&l.rng, 4) == 0)
                l.memory.fail_at = l.memory.calls + 1 + scene_random(&l.rng, 6);
            life_do(&l);
        }
        life_end(&l);
        failures += l.failures;
    }
    assert_true(failures > 20);
}

static void creating_fails_whole(void **state)
{
    watched memory = {0};
    cairn_context *context;
    cairn_grid *grid;
    cairn_obstacles *obstacles, *second;
    (void)state;
    CHECK_OK(watched_context(&memory, &context));
    CHECK_OK(random_grid(context, 20, 20, 20, 1, &grid));
    memory.fail_at = memory.calls + 1;
    CHECK_STATUS(cairn_obstacles_create(grid, &obstacles), CAIRN_OUT_OF_MEMORY);
    assert_null(obstacles);
    CHECK_OK(cairn_obstacles_create(grid, &obstacles));
    CHECK_STATUS(cairn_obstacles_create(grid, &second), CAIRN_INVALID); /* one for each grid */
    cairn_obstacles_destroy(obstacles);
    CHECK_OK(cairn_obstacles_create(grid, &obstacles));
    cairn_obstacles_destroy(obstacles);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    assert_int_equal(memory.blocks, 0);
}

/* ---- the interface ---- */

static void faults_have_a_status(void **state)
{
    cairn_grid *grid;
    cairn_obstacles *obstacles;
    cairn_obstacle a, b;
    cairn_obstacle_options options = {.x = 20, .y = 3};
    CHECK_OK(random_grid(*state, 20, 10, 0, 1, &grid));
    CHECK_STATUS(cairn_obstacles_create(NULL, &obstacles), CAIRN_INVALID);
    CHECK_STATUS(cairn_obstacles_create(grid, NULL), CAIRN_INVALID);
    CHECK_OK(cairn_obstacles_create(grid, &obstacles));
    CHECK_STATUS(cairn_obstacles_put(obstacles, &options, &a), CAIRN_OUT_OF_BOUNDS);
    assert_true(a == CAIRN_NO_OBSTACLE);
    options = (cairn_obstacle_options){.x = INT32_MIN, .y = 0, .width = CAIRN_GRID_MAX};
    CHECK_STATUS(cairn_obstacles_put(obstacles, &options, &a), CAIRN_OUT_OF_BOUNDS);
    options = (cairn_obstacle_options){.x = INT32_MAX, .y = INT32_MAX, .width = 5};
    CHECK_STATUS(cairn_obstacles_put(obstacles, &options, &a), CAIRN_OUT_OF_BOUNDS);
    options = (cairn_obstacle_options){.width = CAIRN_GRID_MAX + 1};
    CHECK_STATUS(cairn_obstacles_put(obstacles, &options, &a), CAIRN_INVALID);
    CHECK_STATUS(cairn_obstacles_put(obstacles, NULL, &a), CAIRN_INVALID);
    CHECK_STATUS(cairn_obstacles_put(NULL, &options, &a), CAIRN_INVALID);
    options = (cairn_obstacle_options){.x = 1, .y = 1, .ticks = 1};
    CHECK_STATUS(cairn_obstacles_put(obstacles, &options, NULL), CAIRN_INVALID);
    CHECK_OK(cairn_obstacles_put(obstacles, &options, &a));
    CHECK_STATUS(cairn_obstacles_move(obstacles, a, -1, 0), CAIRN_OUT_OF_BOUNDS);
    CHECK_STATUS(cairn_obstacles_move(obstacles, CAIRN_NO_OBSTACLE, 0, 0), CAIRN_INVALID);
    CHECK_STATUS(cairn_obstacles_renew(obstacles, a + 1, 4), CAIRN_INVALID);
    CHECK_OK(cairn_obstacles_remove(obstacles, a));
    CHECK_STATUS(cairn_obstacles_remove(obstacles, a), CAIRN_INVALID);
    CHECK_OK(cairn_obstacles_put(obstacles, &options, &b)); /* in the same place */
    assert_true(a != b);
    CHECK_STATUS(cairn_obstacles_move(obstacles, a, 0, 0), CAIRN_INVALID);
    CHECK_STATUS(cairn_obstacles_tick(NULL), CAIRN_INVALID);
    assert_int_equal(cairn_obstacles_count(NULL), 0);
    assert_int_equal(cairn_obstacles_bytes(NULL), 0);
    assert_false(cairn_obstacles_own_state(obstacles, -1, 0).open);
    cairn_obstacles_destroy(NULL);
    cairn_obstacles_destroy(obstacles);
    cairn_grid_destroy(grid);
}

/* In effect from the next tick on, for so many ticks. */
static void an_obstacle_lasts_as_many_ticks_as_were_said(void **state)
{
    cairn_grid *grid;
    cairn_obstacles *obstacles;
    cairn_obstacle cart, other;
    cairn_obstacle_options options = {.x = 4, .y = 4, .ticks = 3};
    CHECK_OK(random_grid(*state, 9, 9, 0, 1, &grid));
    CHECK_OK(cairn_obstacles_create(grid, &obstacles));
    CHECK_OK(cairn_obstacles_put(obstacles, &options, &cart));
    assert_true(cairn_grid_is_open(grid, 4, 4));
    for (uint32_t tick = 1; tick <= 5; tick++) {
        CHECK_OK(cairn_obstacles_tick(obstacles));
        assert_int_equal(cairn_grid_is_open(grid, 4, 4), tick > 3);
    }
    assert_int_equal(cairn_grid_version(grid), 3); /* it came and went */
    /* what comes and goes between two ticks was never there */
    CHECK_OK(cairn_obstacles_put(obstacles, &options, &other));
    CHECK_OK(cairn_obstacles_remove(obstacles, other));
    CHECK_OK(cairn_obstacles_tick(obstacles));
    assert_int_equal(cairn_grid_version(grid), 3);
    cairn_obstacles_destroy(obstacles);
    cairn_grid_destroy(grid);
}

/* Costs near walls are the cells' own, also under an obstacle that costs. */
static void walls_are_staged_under_obstacles(void **state)
{
    cairn_grid *grid;
    cairn_space *space;
    cairn_obstacles *obstacles;
    cairn_obstacle smoke;
    cairn_walls walls = {.range = 2, .cost = 8};
    CHECK_OK(random_grid(*state, 12, 12, 0, 1, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    CHECK_OK(cairn_obstacles_create(grid, &obstacles));
    cairn_obstacle_options options = {.width = 12, .height = 12, .cost = 8, .ticks = 1};
    CHECK_OK(cairn_obstacles_put(obstacles, &options, &smoke));
    CHECK_OK(cairn_obstacles_tick(obstacles));
    CHECK_OK(
        cairn_space_stage_walls(space, &walls)); /* beside the edge 8, which is there already */
    CHECK_OK(cairn_obstacles_tick(obstacles));
    assert_int_equal(cairn_grid_layer(grid, 0, 5), 8);
    assert_int_equal(cairn_grid_layer(grid, 6, 6), 0);
    cairn_obstacles_destroy(obstacles);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* ---- what it takes ---- */

enum { CARTS = 40, ROUNDS = 30, WARM = 200 };

static uint64_t drive(cairn_obstacles *obstacles, const cairn_obstacle *carts, uint32_t step,
                      const watched *memory)
{
    uint64_t before = memory->calls;
    for (uint32_t i = 0; i < CARTS; i++) {
        CHECK_OK(cairn_obstacles_move(obstacles, carts[i], (int32_t)((step + i) % 90),
                                      (int32_t)(2 * i)));
        CHECK_OK(cairn_obstacles_renew(obstacles, carts[i], 2 + i % 4));
    }
    CHECK_OK(cairn_obstacles_tick(obstacles));
    return memory->calls - before;
}

/* The same edits by hand. */
static uint64_t edit(cairn_grid *grid, uint32_t step, const watched *memory)
{
    uint64_t before = memory->calls;
    for (uint32_t i = 0; i < CARTS; i++) {
        cairn_grid_set_open(grid, (int32_t)((step - 1 + i) % 90), (int32_t)(2 * i), true);
        cairn_grid_set_open(grid, (int32_t)((step + i) % 90), (int32_t)(2 * i), false);
    }
    CHECK_OK(cairn_grid_commit(grid));
    return memory->calls - before;
}

static void steady_use_allocates_what_commits_do(void **state)
{
    watched memory = {0};
    cairn_context *context;
    cairn_grid *grid, *twin;
    cairn_obstacles *obstacles;
    cairn_obstacle carts[CARTS];
    (void)state;
    CHECK_OK(watched_context(&memory, &context));
    CHECK_OK(random_grid(context, 90, 80, 0, 1, &grid));
    CHECK_OK(random_grid(context, 90, 80, 0, 1, &twin));
    CHECK_OK(cairn_obstacles_create(grid, &obstacles));
    for (uint32_t i = 0; i < CARTS; i++) {
        cairn_obstacle_options options = {.x = (int32_t)i, .y = (int32_t)(2 * i), .ticks = 2};
        CHECK_OK(cairn_obstacles_put(obstacles, &options, &carts[i]));
    }
    for (uint32_t step = 1; step <= WARM; step++) {
        drive(obstacles, carts, step, &memory);
        edit(twin, step, &memory);
    }
    size_t bytes = cairn_obstacles_bytes(obstacles);
    for (uint32_t step = WARM + 1; step <= WARM + ROUNDS; step++) {
        uint64_t made = drive(obstacles, carts, step, &memory);
        assert_int_equal(made, edit(twin, step, &memory));
    }
    assert_int_equal(cairn_obstacles_bytes(obstacles), bytes);
    for (uint32_t i = 0; i < CARTS; i++)
        CHECK_OK(cairn_obstacles_renew(obstacles, carts[i], 0)); /* they stay */
    uint64_t before = memory.calls;
    for (uint32_t i = 0; i < ROUNDS; i++) CHECK_OK(cairn_obstacles_tick(obstacles));
    assert_int_equal(memory.calls, before);
    cairn_obstacles_destroy(obstacles);
    cairn_grid_destroy(grid);
    cairn_grid_destroy(twin);
    cairn_context_destroy(context);
    assert_int_equal(memory.blocks, 0);
}

static void memory_does_not_depend_on_the_map(void **state)
{
    size_t bytes[2];
    for (uint32_t i = 0; i < 2; i++) {
        cairn_grid *grid;
        cairn_obstacles *obstacles;
        cairn_obstacle cart;
        cairn_obstacle_options options = {.x = 10, .y = 10, .width = 9, .height = 9, .ticks = 5};
        CHECK_OK(random_grid(*state, i ? 1500 : 40, i ? 1200 : 40, 0, 1, &grid));
        CHECK_OK(cairn_obstacles_create(grid, &obstacles));
        CHECK_OK(cairn_obstacles_put(obstacles, &options, &cart));
        CHECK_OK(cairn_obstacles_tick(obstacles));
        bytes[i] = cairn_obstacles_bytes(obstacles);
        cairn_obstacles_destroy(obstacles);
        cairn_grid_destroy(grid);
    }
    assert_int_equal(bytes[0], bytes[1]);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, context_set_up, context_tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_is_what_lies_on_it),
        cmocka_unit_test(without_memory_nothing_is_lost),
        cmocka_unit_test(creating_fails_whole),
        CASE(faults_have_a_status),
        CASE(an_obstacle_lasts_as_many_ticks_as_were_said),
        CASE(walls_are_staged_under_obstacles),
        cmocka_unit_test(steady_use_allocates_what_commits_do),
        CASE(memory_does_not_depend_on_the_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
