/* slow_ray.h: small random worlds, and a ray cast for judging the library's: it clips the line
 * against the square of every single cell of the map, in exact fractions, and asks the oracle about
 * every change of cell. Slow and plain on purpose.
 */
#ifndef TESTS_SLOW_RAY_H
#define TESTS_SLOW_RAY_H

#include "scenes.h"
#include "support.h"

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
    scene *s = scene_noise("thrown", width, height, scene_random(rng, 45), scene_random(rng, 1u << 30));
    if (ornaments) {
        if (scene_random(rng, 3) == 0) scene_add_terrain(s, scene_random(rng, 1u << 30));
        if (scene_random(rng, 6) == 0) scene_add_danger(s, scene_random(rng, 1u << 30));
        if (scene_random(rng, 3) == 0) scene_add_cliffs(s, scene_random(rng, 1u << 30));
        if (scene_random(rng, 2)) s->profile.gradient = 0;
        for (uint32_t i = 0; s->layer && i < width * height; i++) s->layer[i] &= 1; /* often alike */
    }
    s->profile.neighbours = scene_random(rng, 4) ? CAIRN_NEIGHBOURS_8 : CAIRN_NEIGHBOURS_4;
    s->profile.corners = (cairn_corners)scene_random(rng, CAIRN_CORNERS_COUNT);
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
static inline bool clip(int64_t p, int64_t d, int64_t low, int64_t high, fraction *from, fraction *to)
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
    int64_t ax = 2 * (a % width), ay = 2 * (a / width), dx = 2 * (b % width) - ax, dy = 2 * (b / width) - ay;
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
    if (s->terrain && s->profile.terrain_cost[s->terrain[a]] != s->profile.terrain_cost[s->terrain[b]])
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
    return oracle_may_step(&w->raw, profile, a, s, false) && oracle_may_step(&w->raw, profile, s, b, false) &&
           oracle_may_step(&w->raw, profile, a, t, false) && oracle_may_step(&w->raw, profile, t, b, false);
}

static inline bool slow_ray(const world *w, cairn_node a, cairn_node b, cairn_node *last)
{
    touched line[1024] = {{{0, 1}, 0}};
    *last = CAIRN_NO_NODE;
    if (!slow_alike(w, a, a)) return false;
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
