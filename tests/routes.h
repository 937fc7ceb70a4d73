/* routes.h: legal paths for the tests of paths: walks without aim, and shortest paths read off the oracle's
 * distances, so that these tests do not depend on the searches.
 */
#ifndef TESTS_ROUTES_H
#define TESTS_ROUTES_H

#include "slow_ray.h"

#include <math.h>

/* ---- paths from the oracle ---------------------------------------------------------------- */

typedef struct route {
    cairn_node *cells; /* every cell */
    uint32_t cell_count;
    cairn_node *points; /* turning points */
    cairn_path path;    /* of the points */
} route;

static inline bool same_direction(const world *w, cairn_node a, cairn_node b, cairn_node c)
{
    int64_t width = w->scene->width;
    return (int64_t)(b % width) - a % width == (int64_t)(c % width) - b % width &&
           (int64_t)(b / width) - a / width == (int64_t)(c / width) - b / width;
}

/* Makes a path of legal cells, one step apart. Takes over the cells. */
static inline route route_of(const world *w, cairn_node *cells, uint32_t count)
{
    route r = {.cells = cells, .cell_count = count, .points = calloc(count, sizeof *r.points)};
    uint32_t width = w->scene->width, points = 0;
    uint64_t cost = 0;
    r.path.length = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || i == count - 1 || !same_direction(w, cells[i - 1], cells[i], cells[i + 1])) {
            r.points[points++] = cells[i];
        }
        if (i == 0) continue;
        bool diagonal = cells[i - 1] % width != cells[i] % width && cells[i - 1] / width != cells[i] / width;
        cost += cairn_space_step_cost(w->space, cells[i - 1], cells[i]);
        r.path.length += diagonal ? sqrt(2) : 1;
    }
    r.path.status = CAIRN_FOUND;
    r.path.end = cells[count - 1];
    r.path.nodes = r.points;
    r.path.count = points;
    r.path.cost = (cairn_cost)cost;
    r.path.version = cairn_grid_version(w->grid);
    return r;
}

static inline void route_end(route *r)
{
    free(r->cells);
    free(r->points);
}

/* A legal walk without aim; turns back at dead ends. */
static inline route random_walk(const world *w, oracle *o, scene_rng *rng)
{
    uint32_t limit = 1 + scene_random(rng, 60), count = 0, way = 0;
    cairn_node *cells = calloc(limit, sizeof *cells), at = scene_pick(w->scene, rng);
    cells[count++] = at;
    while (count < limit && o->first[at] < o->first[at + 1]) {
        uint32_t degree = o->first[at + 1] - o->first[at];
        if (scene_random(rng, 4) == 0) way = scene_random(rng, 8); /* mostly the same way on */
        at = o->to[o->first[at] + way % degree];
        cells[count++] = at;
    }
    return route_of(w, cells, count);
}

/* The shortest path to the cell farthest in steps, or to a random reachable one. */
static inline route shortest_route(const world *w, oracle *o, scene_rng *rng)
{
    cairn_node from = scene_pick(w->scene, rng), to = from;
    oracle_search(o, from);
    for (int tries = 0; tries < 20; tries++) {
        cairn_node other = any_cell(w, rng);
        if (o->distance[other] == ORACLE_NONE) continue;
        if (o->distance[other] > o->distance[to]) to = other;
    }
    uint32_t limit = w->scene->width * w->scene->height, count = 0;
    cairn_node *cells = calloc(limit, sizeof *cells);
    for (cairn_node at = to; at != from;) {
        cells[count++] = at;
        cairn_node before = CAIRN_NO_NODE;
        for (cairn_node n = 0; n < o->count; n++) {
            uint64_t edge = o->distance[n] == ORACLE_NONE ? ORACLE_NONE : oracle_edge(o, n, at);
            if (edge != ORACLE_NONE && o->distance[n] + edge == o->distance[at]) before = n;
        }
        assert_int_not_equal(before, CAIRN_NO_NODE);
        at = before;
    }
    cells[count++] = from;
    for (uint32_t i = 0; i < count / 2; i++) {
        cairn_node t = cells[i];
        cells[i] = cells[count - 1 - i], cells[count - 1 - i] = t;
    }
    return route_of(w, cells, count);
}

/* Calls `check` for many routes in many worlds. */
static inline void for_many_routes(uint64_t seed, int rounds,
                                   void (*check)(const world *w, route *r, scene_rng *rng))
{
    scene_rng rng = {seed};
    for (int round = 0; round < rounds; round++) {
        world w = thrown_world(&rng, round % 2);
        if (scene_pick(w.scene, &rng) != CAIRN_NO_NODE) {
            oracle *o = oracle_of_grid(&w.raw, &w.scene->profile, cairn_space_scale(w.space));
            for (int i = 0; i < 6; i++) {
                route r = i % 2 ? random_walk(&w, o, &rng) : shortest_route(&w, o, &rng);
                check(&w, &r, &rng);
                route_end(&r);
            }
            oracle_destroy(o);
        }
        world_end(&w);
    }
}

#endif
