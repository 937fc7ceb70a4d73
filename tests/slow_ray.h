/* slow_ray.h: small random worlds, and a ray cast for judging the library's: it clips the line
 * against the shape of every single cell of the map, in exact fractions, and asks the oracle about
 * every change of cell. Slow and plain on purpose.
 */
#ifndef TESTS_SLOW_RAY_H
#define TESTS_SLOW_RAY_H

#include "scenes.h"
#include "support.h"
#include <math.h>

/* ---- a world for a test ---------------------------------------------------------------- */

typedef struct world {
    cairn_context *context;
    scene *scene;
    oracle_grid raw;
    cairn_grid *grid;
    cairn_space *space;
} world;

/* Takes over the scene. */
static inline world world_of(scene *s)
{
    world w = {.scene = s, .raw = scene_raw(s)};
    CHECK_OK(cairn_context_create(NULL, &w.context));
    CHECK_OK(scene_grid(s, w.context, &w.grid));
    CHECK_OK(cairn_space_of_grid(w.grid, &s->profile, &w.space, NULL));
    return w;
}

static inline void world_end(world *w)
{
    cairn_space_destroy(w->space);
    cairn_grid_destroy(w->grid);
    cairn_context_destroy(w->context);
    scene_destroy(w->scene);
}

/* A small random world under random rules, with or without ornaments. */
static inline world thrown_world(scene_rng *rng, bool ornaments)
{
    uint32_t width = 1 + scene_random(rng, 14), height = 1 + scene_random(rng, 14);
    scene *s =
        scene_noise("thrown", width, height, scene_random(rng, 45), scene_random(rng, 1u << 30));
    if (ornaments) {
        if (scene_random(rng, 3) == 0) scene_add_terrain(s, scene_random(rng, 1u << 30));
        /* Every other world has fractions. */
        for (uint32_t kind = 0; kind < 256 && width % 2; kind++)
            if (s->profile.terrain_cost[kind])
                s->profile.terrain_cost[kind] =
                    (uint16_t)(s->profile.terrain_cost[kind] + kind * 37);
        if (scene_random(rng, 6) == 0) scene_add_danger(s, scene_random(rng, 1u << 30));
        if (scene_random(rng, 3) == 0) scene_add_cliffs(s, scene_random(rng, 1u << 30));
        if (scene_random(rng, 2)) s->profile.gradient = 0;
        /* often alike */
        for (uint32_t i = 0; s->layer && i < width * height; i++) s->layer[i] &= 1;
    }
    s->profile.neighbours = scene_random(rng, 4) ? CAIRN_NEIGHBOURS_8 : CAIRN_NEIGHBOURS_4;
    s->profile.corners = (cairn_corners)scene_random(rng, CAIRN_CORNERS_COUNT);
    if (scene_random(rng, 2)) scene_make_hex(s);
    uint32_t size = scene_random(rng, 12);
    if (size == 0) s->profile.radius = 0.8;
    if (size == 1 && !s->hex) s->profile.footprint = 2;
    if (size == 2) s->profile.radius = 0.4;
    if (scene_random(rng, 3) == 0)
        scene_add_links(s, 8, 0, 2000, false, scene_random(rng, 1u << 30));
    if (scene_random(rng, 3) == 0) scene_add_links(s, 8, 0, 400, true, scene_random(rng, 1u << 30));
    return world_of(s);
}

static inline cairn_node any_cell(const world *w, scene_rng *rng)
{
    return scene_random(rng, w->scene->width * w->scene->height);
}

/* ---- the slow ray ---------------------------------------------------------------------- */

/* A fraction with a positive denominator. */
typedef struct fraction {
    int64_t over, under;
} fraction;

static inline bool less(fraction a, fraction b)
{
    return a.over * b.under < b.over * a.under;
}

/* The part of the line, as an open interval of its parameter, on which one coordinate p + t·d lies
 * strictly between low and high. False if there is none. */
static inline bool clip(int64_t p, int64_t d, int64_t low, int64_t high, fraction *from,
                        fraction *to)
{
    if (d == 0) return low < p && p < high;
    fraction a = {d > 0 ? low - p : p - high, d > 0 ? d : -d};
    fraction b = {d > 0 ? high - p : p - low, d > 0 ? d : -d};
    if (less(*from, a)) *from = a;
    if (less(b, *to)) *to = b;
    return true;
}

typedef struct touched {
    fraction enters;
    cairn_node node;
} touched;

/* Every cell whose inside the line meets, in the order in which it enters them. */
static inline uint32_t slow_line(const world *w, cairn_node a, cairn_node b, touched *out)
{
    int64_t width = w->scene->width, height = w->scene->height;
    /* Doubled, so that cell borders are whole numbers. */
    int64_t ax = 2 * (a % width), ay = 2 * (a / width), dx = 2 * (b % width) - ax,
            dy = 2 * (b / width) - ay;
    uint32_t count = 0;
    for (int64_t y = 0; y < height; y++) {
        for (int64_t x = 0; x < width; x++) {
            fraction from = {-1, 1}, to = {2, 1};
            if (!clip(ax, dx, 2 * x - 1, 2 * x + 1, &from, &to)) continue;
            if (!clip(ay, dy, 2 * y - 1, 2 * y + 1, &from, &to)) continue;
            fraction begin = {0, 1}, end = {1, 1};
            if (!less(from, to) || !less(from, end) || !less(begin, to)) continue;
            uint32_t i = count++;
            for (; i && less(from, out[i - 1].enters); i--) out[i] = out[i - 1];
            out[i] = (touched){from, (cairn_node)(y * width + x)};
        }
    }
    return count;
}

static inline bool slow_alike(const world *w, cairn_node a, cairn_node b)
{
    const scene *s = w->scene;
    if (!oracle_may_stand(&w->raw, &s->profile, b % s->width, b / s->width)) return false;
    if (s->terrain &&
        s->profile.terrain_cost[s->terrain[a]] != s->profile.terrain_cost[s->terrain[b]])
        return false;
    if (s->layer && s->profile.layer_weight && s->layer[a] != s->layer[b]) return false;
    return !(s->elevation && s->profile.gradient && s->elevation[a] != s->elevation[b]);
}

static inline bool slow_step(const world *w, cairn_node a, cairn_node b)
{
    const cairn_profile *profile = &w->scene->profile;
    uint32_t width = w->scene->width;
    bool diagonal = a % width != b % width && a / width != b / width;
    if (!diagonal || profile->neighbours == CAIRN_NEIGHBOURS_8)
        return oracle_may_step(&w->raw, profile, a, b, false);
    cairn_node s = a / width * width + b % width, t = b / width * width + a % width;
    return oracle_may_step(&w->raw, profile, a, s, false) &&
           oracle_may_step(&w->raw, profile, s, b, false) &&
           oracle_may_step(&w->raw, profile, a, t, false) &&
           oracle_may_step(&w->raw, profile, t, b, false);
}

/* ---- the same among hexagons ---- */

/* A hexagon, of the map or just outside it, that the line meets: from where to where. */
typedef struct met {
    fraction from, to;
    int64_t x, y;
    bool inside; /* not only its rim */
} met;

/* The part of the line on which it is in the hexagon, the rim included; false if it is nowhere. */
static inline bool meet(const int64_t a[2], const int64_t d[2], met *m)
{
    static const int64_t points[6][2] = {{1, -1}, {1, 1}, {0, 2}, {-1, 1}, {-1, -1}, {0, -2}};
    const int64_t centre[2] = {2 * m->x + (m->y & 1), 3 * m->y};
    m->from = (fraction){0, 1}, m->to = (fraction){1, 1}, m->inside = true;
    for (int i = 0; i < 6; i++) {
        const int64_t *p = points[i], *q = points[(i + 1) % 6];
        int64_t ux = q[0] - p[0], uy = q[1] - p[1];
        /* On the inner side of this side of it: now + t·more > 0. */
        int64_t now = ux * (a[1] - centre[1] - p[1]) - uy * (a[0] - centre[0] - p[0]);
        int64_t more = ux * d[1] - uy * d[0];
        if (more == 0 && now < 0) return false;
        if (more == 0 && now == 0) m->inside = false;
        fraction at = {more > 0 ? -now : now, more > 0 ? more : -more};
        if (more > 0 && less(m->from, at)) m->from = at;
        if (more < 0 && less(at, m->to)) m->to = at;
    }
    m->inside = m->inside && less(m->from, m->to);
    return !less(m->to, m->from);
}

static inline bool met_alike(const world *w, cairn_node a, const met *m)
{
    int64_t width = w->scene->width;
    return m->x >= 0 && m->y >= 0 && m->x < width && m->y < w->scene->height &&
           slow_alike(w, a, (cairn_node)(m->y * width + m->x));
}

/* Everything that the line meets, in the order in which it enters. */
static inline uint32_t slow_hexagons(const world *w, cairn_node from, cairn_node to, met *out)
{
    int64_t width = w->scene->width, height = w->scene->height;
    int64_t ay = from / width, by = to / width;
    const int64_t a[2] = {2 * (from % width) + ay % 2, 3 * ay};
    const int64_t d[2] = {2 * (to % width) + by % 2 - a[0], 3 * by - a[1]};
    uint32_t count = 0;
    for (int64_t y = -1; y <= height; y++) {
        for (int64_t x = -1; x <= width; x++) {
            met m = {.x = x, .y = y};
            if (!meet(a, d, &m)) continue;
            uint32_t i = count++;
            for (; i && less(m.from, out[i - 1].from); i--) out[i] = out[i - 1];
            out[i] = m;
        }
    }
    return count;
}

/* From one hexagon whose inside is met to the next: all others whose rim is met between them must
 * be free too, and the steps over them possible. */
static inline bool slow_change(const world *w, cairn_node a, const met *p, const met *q,
                               const met *all, uint32_t count)
{
    cairn_profile profile = w->scene->profile;
    uint32_t width = w->scene->width;
    cairn_node from = (cairn_node)(p->y * width + p->x), to = (cairn_node)(q->y * width + q->x);
    profile.radius =
        0; /* where there is room matters on the line, not from centre to centre: see slow_room */
    if (!met_alike(w, a, q)) return false;
    if (oracle_touches(&w->raw, from, to) && !oracle_may_step(&w->raw, &profile, from, to, false))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].inside || less(all[i].from, p->to) || less(q->from, all[i].to)) continue;
        cairn_node side = (cairn_node)(all[i].y * width + all[i].x);
        if (!met_alike(w, a, &all[i]) || !oracle_may_step(&w->raw, &profile, from, side, false) ||
            !oracle_may_step(&w->raw, &profile, side, to, false)) {
            return false;
        }
    }
    return true;
}

static inline bool slow_hex_ray(const world *w, cairn_node a, cairn_node b, cairn_node *last)
{
    met all[1024];
    *last = a;
    if (a == b) return true;
    uint32_t count = slow_hexagons(w, a, b, all), before = 0;
    while (!all[before].inside) before++;
    assert_int_equal(all[before].y * w->scene->width + all[before].x, a);
    for (uint32_t i = before + 1; i < count; i++) {
        if (!all[i].inside) continue;
        if (!slow_change(w, a, &all[before], &all[i], all, count)) return false;
        *last = (cairn_node)(all[i].y * w->scene->width + all[i].x);
        before = i;
    }
    assert_int_equal(*last, b);
    return true;
}

/* ---- sizes, by walking in small steps ---- */

static inline double slow_to_side(const double p[2], const double a[2], const double b[2])
{
    double dx = b[0] - a[0], dy = b[1] - a[1];
    double t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double x = a[0] + t * dx - p[0], y = a[1] + t * dy - p[1];
    return sqrt(x * x + y * y);
}

/* The corners of a cell, the first one again at the end; how many there are. */
static inline int slow_rim(const world *w, int64_t x, int64_t y, double rim[7][2])
{
    static const double square[4][2] = {{.5, -.5}, {.5, .5}, {-.5, .5}, {-.5, -.5}};
    double t = sqrt(3) / 3;
    const double hexagon[6][2] = {{.5, -t / 2}, {.5, t / 2},   {0, t},
                                  {-.5, t / 2}, {-.5, -t / 2}, {0, -t}};
    const double(*points)[2] = w->scene->hex ? hexagon : square;
    int count = w->scene->hex ? 6 : 4;
    cairn_position c = oracle_centre(&w->raw, x, y);
    for (int i = 0; i <= count; i++) {
        rim[i][0] = c.x + points[i % count][0];
        rim[i][1] = c.y + points[i % count][1];
    }
    return count;
}

/* From a place to the rim of a cell. */
static inline double slow_to_cell(const world *w, const double p[2], int64_t x, int64_t y)
{
    double rim[7][2], least = 1e9;
    int count = slow_rim(w, x, y, rim);
    for (int i = 0; i < count; i++) {
        double d = slow_to_side(p, rim[i], rim[i + 1]);
        if (d < least) least = d;
    }
    return least;
}

/* How much more room than it needs an agent has that moves from a to b, at the narrowest place;
 * less than 0: it is too near, or overlaps. Right to within a hundredth of a cell. */
static inline double slow_room(const world *w, cairn_node a, cairn_node b)
{
    enum { PIECES = 2000 };
    const scene *s = w->scene;
    int64_t width = s->width, height = s->height, side = s->profile.footprint;
    cairn_position from = oracle_centre(&w->raw, a % width, a / width),
                   to = oracle_centre(&w->raw, b % width, b / width);
    double least = 1e9, way = hypot(to.x - from.x, to.y - from.y);
    for (int64_t y = -3; y < height + 3; y++) {
        for (int64_t x = -3; x < width + 3; x++) {
            bool in = x >= 0 && y >= 0 && x < width && y < height;
            uint8_t class = in && s->terrain ? s->terrain[y * width + x] : 0;
            if (in && s->open[y * width + x] && s->profile.terrain_cost[class]) continue;
            for (int i = 0, pieces; i <= PIECES; i += pieces) {
                double t = i / (double)PIECES,
                       p[2] = {from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
                double room = slow_to_cell(w, p, x, y) - s->profile.radius;
                if (side > 1) { /* p is the middle of the upper left cell */
                    double dx = p[0] > (double)x ? p[0] - (double)x - 1 : (double)(x - side) - p[0];
                    double dy = p[1] > (double)y ? p[1] - (double)y - 1 : (double)(y - side) - p[1];
                    room = dx > dy ? dx : dy;
                }
                /* Room shrinks no faster than the agent moves: until then it is not less than the
                 * least. */
                pieces = 1 + (room > least ? (int)((room - least) / way * PIECES) : 0);
                if (room < least) least = room;
            }
        }
    }
    return least;
}

static inline bool slow_ray(const world *w, cairn_node a, cairn_node b, cairn_node *last)
{
    touched line[1024] = {{{0, 1}, 0}};
    *last = CAIRN_NO_NODE;
    if (!slow_alike(w, a, a)) return false;
    if (w->scene->hex) return slow_hex_ray(w, a, b, last);
    uint32_t count = slow_line(w, a, b, line);
    *last = a;
    assert_int_equal(line[0].node, a);
    assert_int_equal(line[count - 1].node, b);
    for (uint32_t i = 1; i < count; i++) {
        if (!slow_alike(w, a, line[i].node) || !slow_step(w, *last, line[i].node)) return false;
        *last = line[i].node;
    }
    return true;
}

#endif
