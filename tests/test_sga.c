/* test_sga.c: SGA* against a plain one written for this test: lines by rounding, whole lists of
 * cells, every pair of ends remembered, and searches of A* asked for through the public functions.
 * Besides: lines of every neighbourhood; mazes and hollows never trap it; closed places on the
 * line; paths of its own that lead only part of the distance; every search that it can be given.
 * That paths are legal, and slices the same, is checked for every algorithm by the conformance
 * suite.
 */
#include "kit.h"

#include <math.h>

enum { MOST = 20000 };

/* ---- cells ------------------------------------------------------------------------------ */

static int32_t sign(int32_t v)
{
    return (v > 0) - (v < 0);
}

typedef struct cells {
    cairn_node list[MOST];
    uint32_t count;
} cells;

static void cells_add(cells *c, cairn_node node)
{
    assert_true(c->count < MOST);
    c->list[c->count++] = node;
}

/* Squares: all cells of a path, the first one only on demand. */
static void cells_add_path(cells *c, const cairn_grid *grid, const cairn_path *path, bool first)
{
    if (first) cells_add(c, path->nodes[0]);
    for (uint32_t i = 1; i < path->count; i++) {
        cairn_cell a = cairn_grid_cell(grid, path->nodes[i - 1]),
                   b = cairn_grid_cell(grid, path->nodes[i]);
        int32_t x = sign(b.x - a.x), y = sign(b.y - a.y);
        while (a.x != b.x || a.y != b.y) {
            a.x += x, a.y += y;
            cells_add(c, cairn_grid_node(grid, a.x, a.y));
        }
    }
}

/* ---- a plain SGA* ------------------------------------------------------------------------- */

typedef struct model {
    const cairn_grid *grid;
    const oracle *oracle;
    cairn_search *astar;
    bool diagonal, deviation, labels;
    uint32_t variant;
    cells ways[2];
    cairn_node pairs[MOST][2];
    uint32_t pair_count;
    bool repeats; /* both ends were where they were before */
    uint32_t searches;
} model;

/* The k-th cell of the line, by rounding. */
static cairn_node line_cell(const model *m, cairn_node from, cairn_node to, uint32_t k,
                            uint32_t *length)
{
    cairn_cell a = cairn_grid_cell(m->grid, from), b = cairn_grid_cell(m->grid, to);
    int32_t dx = b.x - a.x, dy = b.y - a.y, wide = abs(dx), high = abs(dy);
    if (!m->diagonal) { /* steps to the side and up or down */
        *length = (uint32_t)(wide + high);
        int32_t second = *length ? (int32_t)ceil((double)k * high / *length - 0.5) : 0;
        return cairn_grid_node(m->grid, a.x + sign(dx) * ((int32_t)k - second),
                               a.y + sign(dy) * second);
    }
    int32_t most = wide > high ? wide : high, least = wide > high ? high : wide;
    *length = (uint32_t)most;
    int32_t second = most ? (int32_t)ceil((double)k * least / most - 0.5) : 0;
    int32_t x = wide >= high ? (int32_t)k : second, y = wide >= high ? second : (int32_t)k;
    return cairn_grid_node(m->grid, a.x + sign(dx) * x, a.y + sign(dy) * y);
}

static bool model_search(model *m, cairn_node from, cairn_node to, cells *out)
{
    const cairn_path *path;
    cairn_query query = {.from = from, .to = to};
    m->searches++;
    out->count = 0;
    if (cairn_search_find(m->astar, &query, &path) != CAIRN_FOUND) return false;
    cells_add_path(out, m->grid, path, true);
    return true;
}

static double model_far(const model *m, cairn_node from, cairn_node n)
{
    cairn_cell a = cairn_grid_cell(m->grid, from), b = cairn_grid_cell(m->grid, n);
    int dx = abs(b.x - a.x), dy = abs(b.y - a.y);
    return !m->deviation ? hypot(dx, dy) : dx > dy ? dx : dy;
}

static bool model_in_front(const model *m, cairn_node from, cairn_node n, cairn_node target)
{
    cairn_cell a = cairn_grid_cell(m->grid, from), b = cairn_grid_cell(m->grid, n),
               t = cairn_grid_cell(m->grid, target);
    return (b.x - a.x) * (t.x - a.x) + (b.y - a.y) * (t.y - a.y) > 0;
}

/* How many cells of a piece behind its first one are kept. */
static uint32_t model_trim(const model *m, const cells *piece, cairn_node target)
{
    cairn_node from = piece->list[0];
    uint32_t best = piece->count - 1;
    double farthest = 0;
    for (uint32_t i = 1; i < piece->count; i++) {
        double far = model_far(m, from, piece->list[i]);
        if (!model_in_front(m, from, piece->list[i], target) || far <= farthest + 1e-9) continue;
        farthest = far;
        best = i;
    }
    return best;
}

static bool model_open(const model *m, cairn_node n)
{
    bool reached = !m->labels || m->oracle->distance[n] != ORACLE_NONE; /* from the start */
    return m->oracle->usable[n] && reached;
}

/* From the end of a path along the line to `to`: true if the path leads there now. Beginning at the
 * k-th cell of the line, which is left behind the sub-goal. */
static bool model_go(model *m, cells *way, cairn_node from, cairn_node to, uint32_t *k,
                     bool *failed)
{
    static cells piece, turned;
    uint32_t length;
    cairn_node at = line_cell(m, from, to, *k, &length);
    cairn_node next = at;
    for (; *k < length; at = next) {
        next = line_cell(m, from, to, *k + 1, &length);
        if (oracle_edge(m->oracle, at, next) == ORACLE_NONE) break;
        ++*k;
        if (m->variant < 3) cells_add(way, next);
    }
    if (*k == length && m->variant < 3) return true;
    if (*k < length) ++*k;
    for (;;) { /* the next sub-goal */
        while (!model_open(m, line_cell(m, from, to, *k, &length))) ++*k;
        cairn_node goal = line_cell(m, from, to, *k, &length), end = way->list[way->count - 1];
        if (end == goal) return true;
        if (model_search(m, goal, end, &piece)) break;
        for (;;) {
            *failed = *k == length;
            if (*failed) return false;
            at = line_cell(m, from, to, *k, &length);
            next = line_cell(m, from, to, ++*k, &length);
            if (oracle_edge(m->oracle, at, next) == ORACLE_NONE) break;
        }
    }
    turned.count = 0;
    for (uint32_t i = piece.count; i-- > 0;) cells_add(&turned, piece.list[i]);
    bool met = *k == length;
    uint32_t kept =
        met || m->variant == 1 || m->repeats ? turned.count - 1 : model_trim(m, &turned, to);
    for (uint32_t i = 1; i <= kept; i++) cells_add(way, turned.list[i]);
    return met;
}

static void model_note_ends(model *m, cairn_node a, cairn_node b)
{
    for (uint32_t i = 0; i < m->pair_count; i++) {
        if (m->pairs[i][0] == a && m->pairs[i][1] == b) m->repeats = true;
    }
    assert_true(m->pair_count < MOST);
    m->pairs[m->pair_count][0] = a;
    m->pairs[m->pair_count++][1] = b;
}

/* Both ways together are the result, in the first one. */
static bool model_find(model *m, cairn_node from, cairn_node to)
{
    m->pair_count = m->searches = 0;
    m->repeats = false;
    m->ways[0].count = m->ways[1].count = 0;
    cells_add(&m->ways[0], from);
    cells_add(&m->ways[1], to);
    bool met = from == to, failed = false;
    uint32_t k = 0;
    for (uint32_t side = 0; !met && !failed; side = m->variant > 1 ? !side : 0) {
        cells *way = &m->ways[side], *other = &m->ways[!side];
        if (m->variant == 1) {
            met = model_go(m, way, from, to, &k, &failed);
            continue;
        }
        cairn_node end = way->list[way->count - 1], target = other->list[other->count - 1];
        if (side == 0) model_note_ends(m, end, target);
        k = 0;
        met = end == target || model_go(m, way, end, target, &k, &failed);
    }
    if (m->ways[0].list[m->ways[0].count - 1] == m->ways[1].list[m->ways[1].count - 1])
        m->ways[1].count--;
    while (m->ways[1].count) cells_add(&m->ways[0], m->ways[1].list[--m->ways[1].count]);
    return met;
}

static uint32_t compared, with_searches;

static void compare(kit *k, const oracle *o, model *m, cairn_node from, cairn_node to,
                    const char *what)
{
    static cells got;
    const cairn_path *path;
    cairn_query query = {.from = from, .to = to, .max_work = 10000000};
    cairn_status status = cairn_search_find(k->search, &query, &path);
    bool reachable = o->distance[to] != ORACLE_NONE;
    CHECK(status == (reachable ? CAIRN_FOUND : CAIRN_UNREACHABLE), "%s: %u to %u: %s", what, from,
          to, cairn_status_text(status));
    if (!reachable) return;
    CHECK(model_find(m, from, to), "%s: %u to %u: the plain one fails", what, from, to);
    if (m->repeats) return; /* noticed at once here, after a while there */
    got.count = 0;
    cells_add_path(&got, k->grid, path, true);
    CHECK(got.count == m->ways[0].count &&
              !memcmp(got.list, m->ways[0].list, got.count * sizeof *got.list),
          "%s: %u to %u: another way, of %u cells, not %u", what, from, to, got.count,
          m->ways[0].count);
    compared++;
    with_searches += m->searches > 0;
}

static const char *const hollow_text = "........................................\n"
                                       "........................................\n"
                                       "....####################################\n"
                                       "....#...............................#...\n"
                                       "....#...............................#...\n"
                                       "....#.......########................#...\n"
                                       "....#.......#......#................#...\n"
                                       "....#.......#......#................#...\n"
                                       "............#......#................#...\n"
                                       "....#.......########................#...\n"
                                       "....#...............................#...\n"
                                       "....#...............................#...\n"
                                       "....####################.############...\n"
                                       "........................................\n"
                                       "..#..#..#..#..#..#..#..#..#..#..#..#..#.\n"
                                       "........................................\n"
                                       ".######.######.#####.######.######.####.\n"
                                       "......#......#.....#......#......#......\n"
                                       "......#......#.....#......#......#......\n"
                                       "........................................\n";

/* On one scene, under every rule for squares, all variants. */
static void compare_on(scene *s, uint32_t problems, uint64_t seed)
{
    static model m;
    cairn_profile profile;
    for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
        kit k = kit_of_scene(s, &profile), plain = kit_of_scene(s, &profile);
        kit_plan(&plain, "astar");
        oracle_grid raw = scene_raw(s);
        oracle *o = oracle_of_grid(&raw, &profile, cairn_space_scale(k.space));
        for (uint32_t i = 0; i < 10; i++) {
            m.variant = i < 2 ? 1 : i < 6 ? 2 : 3;
            m.deviation = i & 1;
            m.labels = i >> 1 & 1;
            m.diagonal = profile.neighbours == CAIRN_NEIGHBOURS_8;
            m.oracle = o, m.grid = k.grid, m.astar = plain.search;
            char spec[80];
            snprintf(spec, sizeof spec, "sga:variant=%u,trim=%s,labels=%s", m.variant,
                     m.deviation ? "deviation" : "distance", m.labels ? "on" : "off");
            kit_plan(&k, spec);
            scene_rng rng = {seed};
            for (uint32_t n = 0; n < problems; n++) {
                cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
                oracle_search(o, from);
                compare(&k, o, &m, from, to, spec);
            }
        }
        oracle_destroy(o);
        kit_close(&k), kit_close(&plain);
    }
    scene_destroy(s);
}

static void it_is_what_a_plain_one_is(void **state)
{
    (void)state;
    compared = with_searches = 0;
    compare_on(scene_of_text("hollows", hollow_text), 40, 1);
    compare_on(scene_blocks("blocks", 60, 50, 80, 2), 25, 2);
    compare_on(scene_noise("noise", 40, 40, 35, 3), 20, 3);
    compare_on(scene_rooms("rooms", 49, 49, 8, 4), 15, 4);
    CHECK(compared > 2500 && with_searches > 1500, "only %u comparisons, %u with searches",
          compared, with_searches);
}

/* ---- lines ---------------------------------------------------------------------------- */

/* Nothing in the path: no search, the fewest steps, and no cell farther from the line than its
 * neighbours lie apart. */
static void line_on(const scene *s, const cairn_profile *profile)
{
    kit k = kit_of_scene(s, profile);
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, profile, cairn_space_scale(k.space));
    scene_rng rng = {7};
    kit_plan(&k, "sga");
    for (uint32_t n = 0; n < 200; n++) {
        cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
        const cairn_path *path;
        cairn_query query = {.from = from, .to = to};
        CHECK_STATUS(cairn_search_find(k.search, &query, &path), CAIRN_FOUND);
        oracle_search(o, from);
        assert_int_equal(path->cost, o->distance[to]);
        assert_int_equal(cairn_search_metrics(k.search).expanded, 0);
        cairn_position a = oracle_centre(&raw, from % s->width, from / s->width),
                       b = oracle_centre(&raw, to % s->width, to / s->width);
        double length = hypot(b.x - a.x, b.y - a.y);
        for (uint32_t i = 0; i < path->count && length > 0; i++) {
            cairn_position p =
                oracle_centre(&raw, path->nodes[i] % s->width, path->nodes[i] / s->width);
            double away = fabs((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / length;
            CHECK(away <= 0.75, "%u to %u: %u lies %f away", from, to, path->nodes[i], away);
        }
    }
    oracle_destroy(o);
    kit_close(&k);
}

static void lines_are_straight_in_every_neighbourhood(void **state)
{
    (void)state;
    for (uint32_t hex = 0; hex < 2; hex++) {
        scene *s = scene_blank("blank", 37, 29);
        cairn_profile profile;
        if (hex) scene_make_hex(s);
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) line_on(s, &profile);
        scene_destroy(s);
    }
}

/* ---- never trapped, always complete ---------------------------------------------------- */

static void ask_everywhere(scene *s, double radius, uint32_t problems)
{
    static const char *const specs[] = {"sga:variant=1",
                                        "sga",
                                        "sga:trim=deviation,labels=off",
                                        "sga:variant=3",
                                        "sga:variant=3,trim=deviation,subsearch=jps",
                                        "sga:subsearch=greedy,smooth=rays"};
    cairn_profile profile;
    for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
        profile.radius = radius;
        kit k = kit_of_scene(s, &profile);
        for (uint32_t i = 0; i < LENGTH(specs); i++) {
            kit_plan(&k, specs[i]);
            scene_rng rng = {11};
            for (uint32_t n = 0; n < problems; n++) {
                cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
                if (!cairn_space_usable(k.space, from) || !cairn_space_usable(k.space, to))
                    continue;
                const cairn_path *path;
                cairn_query query = {.from = from, .to = to, .max_work = 3000000};
                cairn_status status = cairn_search_find(k.search, &query, &path);
                bool reachable = cairn_reachable(k.space, from, to) == CAIRN_REACH_YES;
                CHECK(status == (reachable ? CAIRN_FOUND : CAIRN_UNREACHABLE),
                      "%s on %s: %u to %u: %s", specs[i], s->name, from, to,
                      cairn_status_text(status));
                cairn_cost cost;
                if (!reachable) continue;
                CHECK(cairn_path_valid(k.space, path, &cost, NULL, NULL) && cost == path->cost,
                      "%s on %s: %u to %u", specs[i], s->name, from, to);
            }
        }
        kit_close(&k);
    }
    scene_destroy(s);
}

static scene *labyrinth(uint32_t corridor, uint64_t seed)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_generator generator = {.kind = CAIRN_GENERATE_MAZE,
                                 .width = 61,
                                 .height = 47,
                                 .corridor = corridor,
                                 .wall = 1,
                                 .seed = seed};
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(cairn_generate(context, &generator, &grid, NULL));
    scene *s = scene_blank("labyrinth", 61, 47);
    for (cairn_node n = 0; n < 61 * 47; n++) {
        cairn_cell c = cairn_grid_cell(grid, n);
        s->open[n] = cairn_grid_is_open(grid, c.x, c.y);
    }
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return s;
}

static void mazes_and_hollows_never_trap_it(void **state)
{
    (void)state;
    for (uint32_t hex = 0; hex < 2; hex++) {
        scene *scenes[] = {labyrinth(1, 1), labyrinth(3, 2), scene_of_text("hollows", hollow_text),
                           scene_serpent("serpent", 41, 31), scene_rooms("rooms", 49, 41, 6, 5)};
        for (uint32_t i = 0; i < LENGTH(scenes); i++) {
            if (hex) scene_make_hex(scenes[i]);
            ask_everywhere(scenes[i], 0, 20);
        }
    }
}

static void sizes_and_terrain_are_no_trap(void **state)
{
    (void)state;
    ask_everywhere(labyrinth(4, 3), 1.2, 30);
    scene *s = scene_blocks("blocks", 60, 50, 60, 9);
    scene_add_terrain(s, 9);
    ask_everywhere(s, 1.5, 30);
    s = scene_noise("hills", 40, 40, 25, 4);
    scene_add_hills(s, 4);
    ask_everywhere(s, 0, 30);
}

/* ---- closed places ------------------------------------------------------------------------ */

static const char *const closed_text = "..............................\n"
                                       ".........#########............\n"
                                       ".........#.......#............\n"
                                       ".........#.......#............\n"
                                       ".........#.......#......####..\n"
                                       ".........#.......#......#..#..\n"
                                       ".........#.......#......#..#..\n"
                                       ".........#.......#......####..\n"
                                       ".........#########............\n"
                                       "..............................\n";

static cairn_status ask(kit *k, const char *spec, uint32_t from, uint32_t to, bool partial,
                        const cairn_path **path)
{
    cairn_query query = {.from = from, .to = to, .partial = partial};
    kit_plan(k, spec);
    return cairn_search_find(k->search, &query, path);
}

enum { CLOSED_WIDTH = 30 };

static uint32_t closed_cell(uint32_t x, uint32_t y)
{
    return y * CLOSED_WIDTH + x;
}

static void closed_places_on_the_line_are_passed_over(void **state)
{
    (void)state;
    scene *s = scene_of_text("closed", closed_text);
    kit k = kit_of_scene(s, &s->profile);
    const cairn_path *path;
    for (uint32_t variant = 1; variant <= 3; variant++) {
        char on[64], off[64];
        snprintf(on, sizeof on, "sga:variant=%u,labels=on", variant);
        snprintf(off, sizeof off, "sga:variant=%u,labels=off", variant);
        CHECK_STATUS(ask(&k, on, closed_cell(2, 5), closed_cell(21, 5), false, &path), CAIRN_FOUND);
        uint64_t asked = cairn_search_metrics(k.search).expanded;
        CHECK_STATUS(ask(&k, off, closed_cell(2, 5), closed_cell(21, 5), false, &path),
                     CAIRN_FOUND);
        uint64_t searched = cairn_search_metrics(k.search).expanded;
        /* The search begins in the closed place, and ends when its 42 cells are known. */
        CHECK(searched > asked && searched <= asked + 42, "%s: %u and %u nodes", on,
              (unsigned)asked, (unsigned)searched);
        CHECK_STATUS(ask(&k, on, closed_cell(2, 5), closed_cell(25, 5), false, &path),
                     CAIRN_UNREACHABLE);
        assert_int_equal(cairn_search_metrics(k.search).work, 0);
        CHECK_STATUS(ask(&k, off, closed_cell(2, 5), closed_cell(25, 5), false, &path),
                     CAIRN_UNREACHABLE);
        assert_true(cairn_search_metrics(k.search).work > 0);
    }
    kit_close(&k);
    scene_destroy(s);
}

static void paths_of_its_own_lead_part_of_the_way(void **state)
{
    (void)state;
    scene *s = scene_of_text("closed", closed_text);
    kit k = kit_of_scene(s, &s->profile);
    const cairn_path *path;
    for (uint32_t variant = 1; variant <= 3; variant++) {
        char spec[64];
        snprintf(spec, sizeof spec, "sga:variant=%u,labels=off", variant);
        /* The goal is closed in: the path ends at its wall. */
        CHECK_STATUS(ask(&k, spec, closed_cell(2, 5), closed_cell(25, 5), true, &path),
                     CAIRN_UNREACHABLE);
        CHECK(path->partial && (path->end == closed_cell(23, 5) || path->end == closed_cell(23, 6)),
              "%s: ends at %u", spec, path->end);
        /* The start is: it ends at its own wall. */
        CHECK_STATUS(ask(&k, spec, closed_cell(25, 5), closed_cell(2, 5), true, &path),
                     CAIRN_UNREACHABLE);
        CHECK(path->partial && path->end / CLOSED_WIDTH >= 5 && path->end / CLOSED_WIDTH <= 6 &&
                  path->end % CLOSED_WIDTH >= 25 && path->end % CLOSED_WIDTH <= 26,
              "%s: ends at %u", spec, path->end);
    }
    kit_close(&k);
    scene_destroy(s);
}

/* ---- searches inside, memory ------------------------------------------------------------- */

static void any_complete_search_will_do(void **state)
{
    (void)state;
    static const char *const subsearch[] = {"astar",  "astar-fast", "dijkstra", "wastar",
                                            "greedy", "bfs",        "jps"};
    scene *s = scene_of_text("hollows", hollow_text);
    kit k = kit_of_scene(s, &s->profile);
    scene_rng rng = {5};
    for (uint32_t n = 0; n < 30; n++) {
        cairn_node from = scene_pick(s, &rng), to = scene_pick(s, &rng);
        cairn_cost optimal = CAIRN_NO_COST;
        if (cairn_reachable(k.space, from, to) != CAIRN_REACH_YES) continue;
        kit_plan(&k, "dijkstra");
        CHECK_STATUS(cairn_distance(k.search, from, to, &optimal), CAIRN_FOUND);
        for (uint32_t i = 0; i < LENGTH(subsearch); i++) {
            char spec[64];
            const cairn_path *path;
            snprintf(spec, sizeof spec, "sga:subsearch=%s", subsearch[i]);
            CHECK_STATUS(ask(&k, spec, from, to, false, &path), CAIRN_FOUND);
            assert_true(path->cost >= optimal && path->suboptimality_bound == 0);
        }
    }
    kit_close(&k);
    scene_destroy(s);
}

/* One wall across the line, of 9 × 2 cells: one sub-goal, behind it, and one search back. */
static void the_subsearch_has_parameters(void **state)
{
    (void)state;
    static const char *const inner[] = {"open=heap/tie=small-g", "heuristic=euclidean",
                                        "heuristic=euclidean/open=heap/tie=small-g"};
    scene *s = scene_blank("wall", 40, 21);
    for (uint32_t y = 6; y < 15; y++) s->open[y * 40 + 20] = s->open[y * 40 + 21] = 0;
    kit k = kit_of_scene(s, &s->profile);
    cairn_node from = 10 * 40 + 2, to = 10 * 40 + 37, before = 10 * 40 + 19, behind = 10 * 40 + 22;
    const cairn_path *path;
    uint64_t seen[LENGTH(inner)];
    for (uint32_t i = 0; i < LENGTH(inner); i++) {
        char spec[80];
        snprintf(spec, sizeof spec, "sga:variant=1,subsearch=astar/%s", inner[i]);
        CHECK_STATUS(ask(&k, spec, from, to, false, &path), CAIRN_FOUND);
        seen[i] = cairn_search_metrics(k.search).expanded;
        snprintf(spec, sizeof spec, "astar:%s", inner[i]);
        for (char *at = spec; (at = strchr(at, '/'));) *at = ',';
        CHECK_STATUS(ask(&k, spec, behind, before, false, &path), CAIRN_FOUND);
        uint64_t alone = cairn_search_metrics(k.search).expanded;
        CHECK(seen[i] == alone, "%s: %u nodes, alone %u", inner[i], (unsigned)seen[i],
              (unsigned)alone);
    }
    assert_true(seen[0] < seen[2]);
    kit_close(&k);
    scene_destroy(s);
}

/* Corners and windows are shortcuts of the default subsearch only. */
static void a_subsearch_with_parameters_searches_every_corner(void **state)
{
    (void)state;
    scene *s = scene_blank("post", 12, 12);
    s->open[4 * 12 + 5] = 0; /* beside the line, which is diagonal */
    kit k = kit_of_scene(s, &s->profile);
    const cairn_path *path;
    cairn_node from = 1 * 12 + 1, to = 10 * 12 + 10;
    CHECK_STATUS(ask(&k, "sga:variant=1", from, to, false, &path), CAIRN_FOUND);
    assert_int_equal(cairn_search_metrics(k.search).expanded, 0);
    CHECK_STATUS(ask(&k, "sga:variant=1,subsearch=astar/open=heap", from, to, false, &path),
                 CAIRN_FOUND);
    assert_true(cairn_search_metrics(k.search).expanded > 0);
    kit_close(&k);
    scene_destroy(s);
}

static void wrong_parameters_of_the_subsearch_are_named(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"sga:subsearch=astar/", "a slash with nothing behind it"},
        {"sga:subsearch=astar/opn=heap", "astar has no parameter 'opn'"},
        {"sga:subsearch=astar/open", "'open' should read key=value"},
        {"sga:subsearch=astar/open=heap/tie=low", "tie=low: one of "},
        {"sga:subsearch=asatr/open=heap", "subsearch=asatr: one of "},
        {"sga:trim=distance/open=heap", "trim=distance/open=heap: one of "},
        {"hpa:entrances=single/size=10", "entrances=single/size=10: one of "}};
    scene *s = scene_blank("blank", 8, 8);
    kit k = kit_of_scene(s, &s->profile);
    cairn_planner *planner;
    cairn_error error;
    for (uint32_t i = 0; i < LENGTH(wrong); i++) {
        CHECK_STATUS(cairn_planner_create(k.space, wrong[i][0], &planner, &error), CAIRN_INVALID);
        CHECK(strstr(error.text, wrong[i][1]), "%s: %s", wrong[i][0], error.text);
    }
    char spec[400] = "sga:subsearch=astar";
    for (uint32_t i = 0; i < 20; i++) strcat(spec, "/open=heap");
    CHECK_STATUS(cairn_planner_create(k.space, spec, &planner, &error), CAIRN_INVALID);
    CHECK(strstr(error.text, "'astar' has too many parameters"), "%s", error.text);
    kit_close(&k);
    scene_destroy(s);
}

/* Many obstacles far apart: the memory of one search at a time. */
static void memory_is_that_of_the_largest_search(void **state)
{
    (void)state;
    scene *s = scene_blank("posts", 1000, 21);
    for (uint32_t x = 40; x < 960; x += 40) {
        for (uint32_t y = 6; y < 15; y++) s->open[y * s->width + x] = 0;
    }
    kit k = kit_of_scene(s, &s->profile);
    const cairn_path *path;
    cairn_node from = 10 * s->width, half = from + 499, to = from + 999;
    CHECK_STATUS(ask(&k, "sga", from, half, false, &path), CAIRN_FOUND);
    uint64_t few = cairn_search_metrics(k.search).peak_bytes;
    CHECK_STATUS(ask(&k, "sga", from, to, false, &path), CAIRN_FOUND);
    uint64_t many = cairn_search_metrics(k.search).peak_bytes;
    /* The path itself is twice as long, at most nine bytes a cell. */
    CHECK(many <= few + 9 * 700, "%u and %u bytes", (unsigned)few, (unsigned)many);
    kit_close(&k);
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_what_a_plain_one_is),
        cmocka_unit_test(lines_are_straight_in_every_neighbourhood),
        cmocka_unit_test(mazes_and_hollows_never_trap_it),
        cmocka_unit_test(sizes_and_terrain_are_no_trap),
        cmocka_unit_test(closed_places_on_the_line_are_passed_over),
        cmocka_unit_test(paths_of_its_own_lead_part_of_the_way),
        cmocka_unit_test(any_complete_search_will_do),
        cmocka_unit_test(the_subsearch_has_parameters),
        cmocka_unit_test(a_subsearch_with_parameters_searches_every_corner),
        cmocka_unit_test(wrong_parameters_of_the_subsearch_are_named),
        cmocka_unit_test(memory_is_that_of_the_largest_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
