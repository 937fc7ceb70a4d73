/* routes.h: legal paths for the tests of paths: walks without aim, and shortest paths read off the
 * oracle's distances, so that these tests do not depend on the searches.
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
    cairn_path_link *links;
    cairn_path path; /* of the points */
} route;

/* A cell's place, to the right in half cells. */
static inline int64_t right_of(const world *w, cairn_node n)
{
    return 2 * (int64_t)(n % w->scene->width) + (w->scene->hex ? n / w->scene->width % 2 : 0);
}

static inline int64_t below(const world *w, cairn_node n)
{
    return n / w->scene->width;
}

static inline bool same_direction(const world *w, cairn_node a, cairn_node b, cairn_node c)
{
    return right_of(w, b) - right_of(w, a) == right_of(w, c) - right_of(w, b) &&
           below(w, b) - below(w, a) == below(w, c) - below(w, b);
}

/* Is the path from a to b a link? Then the first of the cheapest. */
static inline bool route_links(const oracle *o, cairn_node a, cairn_node b, uint32_t *id)
{
    uint64_t cost = oracle_edge(o, a, b);
    if (cost == ORACLE_NONE || cost >= oracle_walk(o, a, b)) return false;
    for (uint32_t e = o->first[a + 1]; e-- > o->first[a];) {
        if (o->to[e] == b && o->cost[e] == cost && o->link[e]) *id = (uint32_t)(o->link[e] - 1);
    }
    return true;
}

/* Makes a path of legal cells, one step or link apart. Takes over the cells. */
static inline route route_of(const world *w, const oracle *o, cairn_node *cells, uint32_t count)
{
    route r = {.cells = cells, .cell_count = count};
    r.points = calloc(count, sizeof *r.points), r.links = calloc(count, sizeof *r.links);
    uint32_t width = w->scene->width, points = 0, links = 0, id = 0;
    bool by_link = false, to_link = false;
    uint64_t cost = 0;
    r.path.length = 0;
    for (uint32_t i = 0; i < count; i++, by_link = to_link) {
        to_link = i + 1 < count && route_links(o, cells[i], cells[i + 1], &id);
        if (i == 0 || i == count - 1 || by_link || to_link ||
            !same_direction(w, cells[i - 1], cells[i], cells[i + 1])) {
            r.points[points++] = cells[i];
        }
        if (to_link) r.links[links++] = (cairn_path_link){points - 1, id};
        if (i == 0) continue;
        bool diagonal = !w->scene->hex && cells[i - 1] % width != cells[i] % width &&
                        cells[i - 1] / width != cells[i] / width;
        uint64_t step = oracle_edge(o, cells[i - 1], cells[i]);
        cost += step;
        r.path.length += by_link    ? (double)step / cairn_space_scale(w->space).straight
                         : diagonal ? sqrt(2)
                                    : 1;
    }
    r.path.status = CAIRN_FOUND;
    r.path.end = cells[count - 1];
    r.path.nodes = r.points;
    r.path.count = points;
    r.path.links = r.links;
    r.path.link_count = links;
    r.path.cost = (cairn_cost)cost;
    r.path.version = cairn_grid_version(w->grid);
    return r;
}

static inline void route_end(route *r)
{
    free(r->cells);
    free(r->points);
    free(r->links);
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
    return route_of(w, o, cells, count);
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
    return route_of(w, o, cells, count);
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
