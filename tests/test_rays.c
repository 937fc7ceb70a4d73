/* test_rays.c: ray smoothing, against the method of the paper written down plainly: every ray is
 * followed cell by cell, and every cell looked for on the whole path.
 */
#include "path/rays.h"
#include "routes.h"
#include "smoothing.h"

/* ---- the plain method ---------------------------------------------------------------------- */

typedef struct plain {
    const world *w;
    const oracle *o;
    const cairn_node *path;
    uint32_t length, box;
    cairn_node *out;
    uint32_t count, next, ahead; /* as the words of rays.c have it */
} plain;

/* The cell this many half cells to the right and rows below; CAIRN_NO_NODE outside. */
static cairn_node plain_beside(const world *w, cairn_node n, int64_t right, int64_t down)
{
    int64_t y = below(w, n) + down, x = right_of(w, n) + right;
    if (y < 0 || y >= w->scene->height) return CAIRN_NO_NODE;
    x -= w->scene->hex ? y % 2 : 0;
    if (x < 0 || x % 2 || x / 2 >= w->scene->width) return CAIRN_NO_NODE;
    return (cairn_node)(y * w->scene->width + x / 2);
}

static uint64_t plain_cost(const plain *p, const cairn_node *cells, uint32_t count)
{
    uint64_t cost = 0;
    for (uint32_t i = 1; i < count; i++) {
        uint64_t step = oracle_walk(p->o, cells[i - 1], cells[i]);
        assert_true(step != ORACLE_NONE);
        cost += step;
    }
    return cost;
}

/* The last place of a cell on the path, from 1; 0 = not on it. */
static uint32_t plain_place(const plain *p, cairn_node cell)
{
    uint32_t place = p->length;
    while (place && p->path[place - 1] != cell) place--;
    return place;
}

/* May a ray of this cost go to this place? */
static bool plain_good(const plain *p, uint32_t first, uint32_t place, uint64_t cost)
{
    if (place <= p->next) return false;
    return cost <= plain_cost(p, p->out + first, p->count - first) +
                       plain_cost(p, p->path + p->next - 1, place - p->next + 1);
}

static void plain_send(plain *p)
{
    uint32_t first = p->count - p->ahead, best = 0, best_length = 0;
    cairn_node best_cells[200], cells[200];
    if (plain_good(p, first, plain_place(p, p->out[first]), 0))
        best = plain_place(p, p->out[first]);
    for (int64_t right = -2; right <= 2; right++) {
        for (int64_t down = -1; down <= 1; down++) {
            uint64_t cost = 0;
            cairn_node at = p->out[first];
            for (uint32_t length = 1; !p->box || length <= p->box; length++) {
                cairn_node to = plain_beside(p->w, at, right, down);
                if (to == CAIRN_NO_NODE || to == at) break;
                uint64_t step = oracle_walk(p->o, at, to);
                if (step == ORACLE_NONE) break;
                cost += step;
                cells[length - 1] = at = to;
                uint32_t place = plain_place(p, at);
                if (place <= best || !plain_good(p, first, place, cost)) continue;
                best = place;
                best_length = length;
                memcpy(best_cells, cells, length * sizeof *cells);
            }
        }
    }
    if (!best) {
        p->ahead--;
        return;
    }
    p->count = first + 1;
    for (uint32_t i = 0; i < best_length; i++) p->out[p->count++] = best_cells[i];
    p->next = best;
    p->ahead = best_length > 3 ? 3 : best_length ? best_length : 1;
}

/* Smooths cells one step apart; the result has no more of them. */
static uint32_t plain_smooth(const world *w, const oracle *o, const cairn_node *path,
                             uint32_t length, uint32_t box, cairn_node *out)
{
    plain p = {w, o, path, length, box, out, 1, 1, 1};
    out[0] = path[0];
    while (p.next < length) plain_send(&p);
    assert_true(p.count <= length);
    return p.count;
}

/* The same for a route with links: the points of all its pieces. */
static uint32_t plain_route(const world *w, const oracle *o, const route *r, uint32_t box,
                            cairn_node *points, uint64_t *cost)
{
    cairn_node *cells = calloc(r->cell_count, sizeof *cells);
    uint32_t count = 0, first = 0;
    *cost = 0;
    for (uint32_t i = 1; i <= r->cell_count; i++) {
        uint32_t id;
        bool linked = i < r->cell_count && route_links(o, r->cells[i - 1], r->cells[i], &id);
        if (i < r->cell_count && !linked) continue;
        uint32_t length = plain_smooth(w, o, r->cells + first, i - first, box, cells);
        plain p = {.o = o};
        *cost += plain_cost(&p, cells, length) +
                 (linked ? oracle_edge(o, r->cells[i - 1], r->cells[i]) : 0);
        for (uint32_t k = 0; k < length; k++) {
            bool inside =
                k > 0 && k + 1 < length && same_direction(w, cells[k - 1], cells[k], cells[k + 1]);
            if (!inside) points[count++] = cells[k];
        }
        first = i;
    }
    free(cells);
    return count;
}

/* ---- many routes --------------------------------------------------------------------------- */

static void check_rays(const world *w, route *r, scene_rng *rng)
{
    oracle *o = oracle_of_grid(&w->raw, &w->scene->profile, cairn_space_scale(w->space));
    cairn_node *expected = calloc(r->cell_count, sizeof *expected),
               *out = calloc(r->cell_count, sizeof *out);
    uint32_t boxes[] = {0, 1, 1 + scene_random(rng, 6)};
    for (uint32_t i = 0; i < LENGTH(boxes); i++) {
        uint64_t expected_cost;
        uint32_t expected_count = plain_route(w, o, r, boxes[i], expected, &expected_cost),
                 count = 0;
        cairn_cost cost = 0;
        double length = 0;
        CHECK_OK(smooth_rays(w->space, &r->path, boxes[i], NULL, 0, &count, NULL, NULL));
        assert_int_equal(count, expected_count);
        CHECK_OK(
            smooth_rays(w->space, &r->path, boxes[i], out, r->cell_count, &count, &cost, &length));
        assert_int_equal(count, expected_count);
        assert_memory_equal(out, expected, count * sizeof *out);
        assert_int_equal(cost, expected_cost);
        assert_true(cost <= r->path.cost && length <= r->path.length + 1e-9);
        assert_true(out[0] == r->cells[0] && out[count - 1] == r->path.end);
        if (count > 1)
            CHECK_STATUS(
                smooth_rays(w->space, &r->path, boxes[i], out, count - 1, &count, NULL, NULL),
                CAIRN_INVALID);
    }
    free(expected);
    free(out);
    oracle_destroy(o);
}

static void rays_give_what_the_plain_method_gives(void **state)
{
    (void)state;
    for_many_routes(230, 160, check_rays);
}

/* A path in two pieces: whole, and a unit of work at a time. */
static void check_slices(const world *w, route *r, scene_rng *rng)
{
    (void)rng;
    oracle *o = oracle_of_grid(&w->raw, &w->scene->profile, cairn_space_scale(w->space));
    cairn_cost *costs = calloc(r->cell_count, sizeof *costs);
    plain p = {.o = o};
    crn_scratch memory = {.context = w->context};
    crn_rays whole, sliced;
    crn_rays_open(&whole, &memory, crn_grid_space_of(w->space));
    crn_rays_open(&sliced, &memory, crn_grid_space_of(w->space));
    for (uint32_t i = 1; i < r->cell_count && !r->path.link_count; i++)
        costs[i] = costs[i - 1] + (cairn_cost)plain_cost(&p, r->cells + i - 1, 2);
    for (uint32_t length = r->path.link_count ? 0 : r->cell_count; length; length /= 3) {
        uint64_t all = 1000000, units = 0;
        assert_true(crn_rays_begin(&whole, r->cells, costs, length, 0));
        assert_true(crn_rays_begin(&sliced, r->cells, costs, length, 0));
        assert_true(crn_rays_bytes(&sliced) > 0);
        CHECK_STATUS(crn_rays_step(&whole, &all), CAIRN_OK);
        for (;; units++) {
            uint64_t work = 1;
            if (crn_rays_step(&sliced, &work) == CAIRN_OK) break;
            assert_int_equal(work, 0);
        }
        assert_in_range(1000000 - all - units, 0, 1); /* the last unit ends it */
        assert_int_equal(whole.count, sliced.count);
        assert_memory_equal(whole.out, sliced.out, whole.count * sizeof *whole.out);
        assert_memory_equal(whole.out_costs, sliced.out_costs,
                            whole.count * sizeof *whole.out_costs);
        crn_rays_end(&sliced);
        assert_int_equal(crn_rays_bytes(&sliced), 0);
    }
    crn_rays_close(&whole);
    crn_rays_close(&sliced);
    assert_int_equal(memory.bytes, 0);
    free(costs);
    oracle_destroy(o);
}

static void slices_give_what_the_whole_gives(void **state)
{
    (void)state;
    for_many_routes(231, 40, check_slices);
}

/* ---- single cases ---------------------------------------------------------------------------- */

static cairn_node node_at(const world *w, uint32_t x, uint32_t y)
{
    return y * w->scene->width + x;
}

/* Figure 7.5 of the thesis: the path bends to go through the middle of an entrance; a ray leads
 * past the bend. */
static void a_bend_through_a_transition_is_pulled_straight(void **state)
{
    (void)state;
    world w = world_of(scene_blank("bend", 20, 10));
    cairn_node nodes[] = {node_at(&w, 0, 4), node_at(&w, 8, 4), node_at(&w, 10, 6),
                          node_at(&w, 12, 4), node_at(&w, 19, 4)};
    cairn_path path = {
        .status = CAIRN_FOUND, .nodes = nodes, .count = 5, .version = cairn_grid_version(w.grid)};
    cairn_node out[40];
    uint32_t count;
    double length;
    CHECK_OK(smooth_rays(w.space, &path, 0, out, 40, &count, NULL, &length));
    assert_int_equal(count, 2);
    assert_true(length == 19);
    /* The box must hold the ray. */
    CHECK_OK(smooth_rays(w.space, &path, 3, out, 40, &count, NULL, &length));
    assert_true(length > 19);
    CHECK_OK(smooth_rays(w.space, &path, 4, out, 40, &count, NULL, &length));
    assert_true(length == 19);
    world_end(&w);
}

/* Worked out by hand: the first hit is the end of the first leg, then (12, 8); (10, 6), two cells
 * before it, sees (14, 6). */
static void it_goes_on_two_cells_before_the_hit(void **state)
{
    (void)state;
    world w = world_of(scene_blank("back", 20, 10));
    cairn_node nodes[] = {node_at(&w, 0, 4), node_at(&w, 8, 4), node_at(&w, 12, 8),
                          node_at(&w, 15, 5), node_at(&w, 19, 5)};
    cairn_node expected[] = {nodes[0],           nodes[1], node_at(&w, 10, 6),
                             node_at(&w, 14, 6), nodes[3], nodes[4]};
    cairn_path path = {
        .status = CAIRN_FOUND, .nodes = nodes, .count = 5, .version = cairn_grid_version(w.grid)};
    cairn_node out[40];
    uint32_t count;
    cairn_cost cost;
    cairn_scale scale = cairn_space_scale(w.space);
    CHECK_OK(smooth_rays(w.space, &path, 0, out, 40, &count, &cost, NULL));
    assert_int_equal(count, LENGTH(expected));
    assert_memory_equal(out, expected, sizeof expected);
    assert_int_equal(cost, 16 * scale.straight + 3 * scale.diagonal);
    world_end(&w);
}

static void a_ray_does_not_cut_corners(void **state)
{
    (void)state;
    /* The path goes round a wall; only where corners may be cut a diagonal leads past its end. */
    static const cairn_corners rules[] = {CAIRN_CORNERS_NEVER, CAIRN_CORNERS_ONE};
    cairn_cost costs[2];
    for (int i = 0; i < 2; i++) {
        scene *s = scene_of_text("wall", "...\n"
                                         "##.\n"
                                         "...\n");
        s->profile.corners = rules[i];
        world w = world_of(s);
        cairn_node nodes[] = {0, 2, 8, 6}, out[7];
        cairn_path path = {.status = CAIRN_FOUND,
                           .nodes = nodes,
                           .count = 4,
                           .version = cairn_grid_version(w.grid)};
        uint32_t count;
        CHECK_OK(smooth_rays(w.space, &path, 0, out, 7, &count, &costs[i], NULL));
        assert_int_equal(count, i ? 5 : 4);
        world_end(&w);
    }
    assert_true(costs[1] < costs[0]);
}

static void dear_ground_is_gone_round(void **state)
{
    (void)state;
    scene *s = scene_blank("swamp", 9, 5);
    s->terrain = calloc(45, 1);
    for (uint32_t i = 0; i < 45; i++)
        s->terrain[i] = i / 9 < 4 && i % 9 == 4 ? CAIRN_TERRAIN_SWAMP : 0;
    s->profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = CAIRN_TIMES(90);
    world w = world_of(s);
    cairn_node nodes[] = {0, 4 * 9, 4 * 9 + 8, 8}; /* down, across below the swamp, and up again */
    cairn_path path = {
        .status = CAIRN_FOUND, .nodes = nodes, .count = 4, .version = cairn_grid_version(w.grid)};
    cairn_node out[20];
    uint32_t count;
    cairn_cost cost;
    CHECK_OK(smooth_rays(w.space, &path, 0, out, 20, &count, &cost, NULL));
    /* straight to the swamp's lower end and straight on, not through it */
    assert_int_equal(count, 3);
    assert_int_equal(out[1], 4 * 9 + 4);
    assert_int_equal(cost, 8 * cairn_space_scale(w.space).diagonal);
    world_end(&w);
}

static void a_way_that_comes_back_is_cut_off(void **state)
{
    (void)state;
    world w = world_of(scene_blank("loop", 9, 9));
    cairn_node nodes[] = {0, 5, 50, 45, 0, 9}, out[30];
    cairn_path path = {
        .status = CAIRN_FOUND, .nodes = nodes, .count = 6, .version = cairn_grid_version(w.grid)};
    uint32_t count;
    cairn_cost cost;
    CHECK_OK(smooth_rays(w.space, &path, 0, out, 30, &count, &cost, NULL));
    assert_int_equal(count, 2);
    assert_int_equal(out[1], 9);
    assert_int_equal(cost, cairn_space_scale(w.space).straight);
    world_end(&w);
}

static void a_graph_keeps_its_path(void **state)
{
    const cairn_graph_edge edges[] = {{0, 1, 10}, {1, 2, 5}, {0, 2, 1}};
    cairn_graph_options options = {.node_count = 3, .edge_count = 3, .edges = edges};
    cairn_graph *graph = NULL;
    cairn_space *space = NULL;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    cairn_node nodes[] = {0, 1, 2}, out[3] = {9, 9, 9};
    cairn_path path = {.status = CAIRN_FOUND,
                       .nodes = nodes,
                       .count = 3,
                       .cost = 15,
                       .length = 15,
                       .version = cairn_space_version(space)};
    uint32_t count = 0;
    cairn_cost cost = 0;
    double length = 0;
    CHECK_OK(smooth_rays(space, &path, 0, out, 3, &count, &cost, &length));
    assert_int_equal(count, 3);
    assert_memory_equal(out, nodes, sizeof nodes);
    assert_int_equal(cost, 15);
    assert_true(length == 15);
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    world w = world_of(scene_blank("why", 5, 5));
    cairn_node nodes[] = {0, 7, 9}, out[9];
    uint32_t count = 9;
    cairn_cost cost = 9;
    cairn_path path = {.status = CAIRN_UNREACHABLE};
    CHECK_STATUS(smooth_rays(w.space, &path, 0, out, 9, &count, &cost, NULL), CAIRN_UNREACHABLE);
    assert_int_equal(count, 0);
    assert_int_equal(cost, CAIRN_NO_COST);
    CHECK_STATUS(smooth_rays(w.space, NULL, 0, out, 9, &count, &cost, NULL), CAIRN_INVALID);
    CHECK_STATUS(smooth_rays(NULL, &path, 0, out, 9, &count, &cost, NULL), CAIRN_INVALID);
    path = (cairn_path){
        .status = CAIRN_FOUND, .nodes = nodes, .count = 3, .version = cairn_grid_version(w.grid)};
    CHECK_STATUS(smooth_rays(w.space, &path, 0, out, 9, &count, &cost, NULL), CAIRN_BAD_DATA);
    path.version++;
    CHECK_STATUS(smooth_rays(w.space, &path, 0, out, 9, NULL, NULL, NULL), CAIRN_STALE);
    world_end(&w);
}

/* One winding corridor, whose rows every column crosses, as wide as COMB. */
enum { COMB = 9 };

static scene *comb_scene(uint32_t height)
{
    scene *s = scene_blank("comb", COMB, height);
    for (uint32_t y = 1; y < height; y += 2)
        for (uint32_t x = 0; x < COMB; x++) s->open[y * COMB + x] = x == (y / 2 % 2 ? 0 : COMB - 1);
    return s;
}

/* Its cells from one end to the other; returns how many. */
static uint32_t comb_cells(uint32_t height, cairn_node *cells)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < height; y++) {
        bool back = y / 2 % 2;
        for (uint32_t i = 0; i < (y % 2 ? 1 : COMB); i++) {
            uint32_t x = y % 2 ? (back ? 0 : COMB - 1) : back ? COMB - 1 - i : i;
            cells[count++] = y * COMB + x;
        }
    }
    return count;
}

/* The most places in one list that rays look through. */
static uint32_t longest_list(const crn_rays *rays)
{
    uint32_t longest = 0;
    for (uint32_t line = 0; line < CRN_RAYS_LINES; line++) {
        for (uint32_t slot = 0; slot <= rays->mask; slot++) {
            uint32_t places = 0;
            uint32_t place = rays->heads[line * ((size_t)rays->mask + 1) + slot];
            for (; place; place = rays->before[place - 1][line]) places++;
            if (places > longest) longest = places;
        }
    }
    return longest;
}

/* Smooths the path of a comb, of which nothing can be cut off, and returns the longest list. */
static uint32_t longest_list_of_comb(uint32_t height, uint32_t box)
{
    world w = world_of(comb_scene(height));
    cairn_node *cells = calloc((size_t)height * COMB, sizeof *cells);
    uint32_t count = comb_cells(height, cells);
    cairn_cost *costs = calloc(count, sizeof *costs);
    for (uint32_t i = 0; i < count; i++) costs[i] = i * cairn_space_scale(w.space).straight;
    crn_scratch memory = {.context = w.context};
    crn_rays rays;
    crn_rays_open(&rays, &memory, crn_grid_space_of(w.space));
    assert_true(crn_rays_begin(&rays, cells, costs, count, box));
    uint64_t work = UINT64_MAX;
    CHECK_STATUS(crn_rays_step(&rays, &work), CAIRN_OK);
    assert_int_equal(rays.count, count);
    assert_memory_equal(rays.out, cells, count * sizeof *cells);
    uint32_t longest = longest_list(&rays);
    crn_rays_close(&rays);
    free(cells);
    free(costs);
    world_end(&w);
    return longest;
}

/* With a box a cell looks through lists that do not grow with the path: a few stretches of 16
 * cells share one at most. Without a box they do. */
static void a_box_bounds_what_a_cell_costs(void **state)
{
    (void)state;
    uint32_t shorter = longest_list_of_comb(500, 16), longer = longest_list_of_comb(8000, 16);
    CHECK(shorter <= 64 && longer <= 64, "%u and %u places in a list", shorter, longer);
    assert_true(longest_list_of_comb(500, 0) >= 500 / 2);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    watched memory = {0};
    cairn_context *context = NULL;
    CHECK_OK(watched_context(&memory, &context));
    scene *s = scene_blank("memory", 60, 60);
    scene_add_terrain(s, 5); /* rays need costs of their own */
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, &s->profile, &space, NULL));
    cairn_node nodes[] = {0, 59, 60 * 60 - 1}, out[120];
    cairn_path path = {
        .status = CAIRN_FOUND, .nodes = nodes, .count = 3, .version = cairn_grid_version(grid)};
    size_t blocks = memory.blocks;
    uint64_t fail = 1;
    for (;; fail++) {
        uint32_t count = 7;
        cairn_cost cost = 7;
        memory.calls = 0, memory.fail_at = fail, memory.failures = 0;
        cairn_status status = smooth_rays(space, &path, 0, out, 120, &count, &cost, NULL);
        assert_int_equal(memory.blocks, blocks);
        CHECK_STATUS(status, memory.failures ? CAIRN_OUT_OF_MEMORY : CAIRN_OK);
        if (!memory.failures) break;
        assert_int_equal(count, 0);
        assert_int_equal(cost, CAIRN_NO_COST);
    }
    assert_true(fail > 6 && !memory.wrong_size);
    memory.fail_at = 0;
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_give_what_the_plain_method_gives),
        cmocka_unit_test(slices_give_what_the_whole_gives),
        cmocka_unit_test(a_bend_through_a_transition_is_pulled_straight),
        cmocka_unit_test(it_goes_on_two_cells_before_the_hit),
        cmocka_unit_test(a_ray_does_not_cut_corners),
        cmocka_unit_test(dear_ground_is_gone_round),
        cmocka_unit_test(a_way_that_comes_back_is_cut_off),
        cmocka_unit_test_setup_teardown(a_graph_keeps_its_path, context_set_up, context_tear_down),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(a_box_bounds_what_a_cell_costs),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("rays", tests, NULL, NULL);
}
