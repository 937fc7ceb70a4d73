/* slow_sight.h: the answer book for paths of any angle: which straight lines an agent can walk,
 * what they cost, and the shortest path over such lines by looking along every one there is. On top
 * of slow_ray.h; sizes are judged by the distance of the line to every blocked cell. Slow and plain
 * on purpose.
 */
#ifndef TESTS_SLOW_SIGHT_H
#define TESTS_SLOW_SIGHT_H

#include "slow_ray.h"

/* ---- room for a size ---------------------------------------------------------------------- */

static inline double slow_side(const double a[2], const double b[2], const double p[2])
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static inline double slow_between(const double a[2], const double b[2], const double c[2],
                                  const double d[2])
{
    if (slow_side(a, b, c) * slow_side(a, b, d) < 0 && slow_side(c, d, a) * slow_side(c, d, b) < 0)
        return 0;
    double least = fmin(slow_to_side(c, a, b), slow_to_side(d, a, b));
    return fmin(least, fmin(slow_to_side(a, c, d), slow_to_side(b, c, d)));
}

/* From the line a to b, which is no point, to the rim of a cell. */
static inline double slow_line_to_cell(const world *w, const double a[2], const double b[2],
                                       int64_t x, int64_t y)
{
    double rim[7][2], least = 1e9;
    int count = slow_rim(w, x, y, rim);
    for (int i = 0; i < count; i++) least = fmin(least, slow_between(a, b, rim[i], rim[i + 1]));
    return least;
}

/* Does the inside of the square that a footprint and a blocked cell make meet the line? */
static inline bool slow_bumps(const world *w, cairn_node a, cairn_node b, int64_t x, int64_t y)
{
    int64_t width = w->scene->width, side = w->scene->profile.footprint;
    int64_t ax = a % width, ay = a / width, dx = b % width - ax, dy = b / width - ay;
    fraction from = {-1, 1}, to = {2, 1}, begin = {0, 1}, end = {1, 1};
    if (!clip(ax, dx, x - side, x + 1, &from, &to) || !clip(ay, dy, y - side, y + 1, &from, &to))
        return false;
    return less(from, to) && less(from, end) && less(begin, to);
}

static inline bool slow_has_room(const world *w, cairn_node a, cairn_node b)
{
    const scene *s = w->scene;
    int64_t width = s->width, height = s->height;
    if (!(s->profile.radius > 0) && s->profile.footprint <= 1) return true;
    cairn_position from = oracle_centre(&w->raw, a % width, a / width),
                   to = oracle_centre(&w->raw, b % width, b / width);
    const double p[2] = {from.x, from.y}, q[2] = {to.x, to.y};
    for (int64_t y = -3; y < height + 3; y++) {
        for (int64_t x = -3; x < width + 3; x++) {
            bool in = x >= 0 && y >= 0 && x < width && y < height;
            uint8_t class = in && s->terrain ? s->terrain[y * width + x] : 0;
            if (in && s->open[y * width + x] && s->profile.terrain_cost[class]) continue;
            if (s->profile.footprint > 1
                    ? slow_bumps(w, a, b, x, y)
                    : slow_line_to_cell(w, p, q, x, y) < s->profile.radius - 1e-9)
                return false;
        }
    }
    return true;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* Is there a line from a to b, or a step? */
static inline bool slow_sees(const world *w, cairn_node a, cairn_node b)
{
    cairn_node last;
    if (oracle_may_step(&w->raw, &w->scene->profile, a, b, false)) return true;
    return slow_ray(w, a, b, &last) && slow_has_room(w, a, b);
}

/* Four times the square of its length. */
static inline uint64_t slow_square(const world *w, cairn_node a, cairn_node b)
{
    int64_t width = w->scene->width, ay = a / width, by = b / width;
    int64_t dx = 2 * (int64_t)(b % width) - 2 * (int64_t)(a % width), dy = by - ay;
    if (w->scene->hex)
        return (uint64_t)((dx + by % 2 - ay % 2) * (dx + by % 2 - ay % 2) + 3 * dy * dy);
    return (uint64_t)(dx * dx + 4 * dy * dy);
}

static inline double slow_length(const world *w, cairn_node a, cairn_node b)
{
    return sqrt((double)slow_square(w, a, b)) / 2;
}

static inline uint64_t slow_line_steps(const world *w, cairn_node a, cairn_node b)
{
    int64_t width = w->scene->width, ay = a / width, by = b / width;
    int64_t dx = (int64_t)(b % width) - (int64_t)(a % width), dy = by - ay;
    if (!w->scene->hex) return (uint64_t)(llabs(dx) > llabs(dy) ? llabs(dx) : llabs(dy));
    int64_t q = dx - (by - by % 2) / 2 + (ay - ay % 2) / 2;
    return (uint64_t)((llabs(q) + llabs(dy) + llabs(q + dy)) / 2);
}

/* In the words of path.h. */
static inline uint64_t slow_line_cost(const world *w, cairn_scale scale, cairn_node a, cairn_node b)
{
    const scene *s = w->scene;
    uint64_t parts =
        (uint64_t)scale.straight * s->profile.terrain_cost[s->terrain ? s->terrain[b] : 0];
    uint64_t unit = parts / 256 + (parts % 256 >= 128), square;
    if (!unit) unit = 1;
    square = slow_square(w, a, b) * unit * unit;
    uint64_t cost = (uint64_t)(sqrt((double)square) / 2);
    while (cost && 4 * (cost - 1) * (cost - 1) >= square) cost--;
    while (4 * cost * cost < square) cost++;
    if (s->layer)
        cost += slow_line_steps(w, a, b) *
                (s->layer[b] * (uint64_t)s->profile.layer_weight * scale.straight / 256);
    int64_t gained = s->elevation ? (int64_t)s->elevation[b] - s->elevation[a] : 0;
    if (gained > 0) cost += (uint64_t)gained * s->profile.gradient * scale.straight / 256;
    return cost;
}

/* ---- lines over changing ground ----------------------------------------------------------- */

/* The cell beside a that lies on the line to b; CAIRN_NO_NODE if no step has this direction. */
static inline cairn_node slow_toward(const world *w, cairn_node a, cairn_node b)
{
    int64_t width = w->scene->width, height = w->scene->height, ax = a % width, ay = a / width;
    for (int64_t y = ay - 1; y <= ay + 1; y++) {
        for (int64_t x = ax - 1; x <= ax + 1; x++) {
            cairn_node n = (cairn_node)(y * width + x);
            if (x < 0 || y < 0 || x >= width || y >= height || n == a) continue;
            double first = slow_length(w, a, n), rest = slow_length(w, n, b);
            if (first < 1.5 && first + rest < slow_length(w, a, b) + 1e-9) return n;
        }
    }
    return CAIRN_NO_NODE;
}

/* What it costs to walk straight from a to b: along a line; or, where the ground changes, along
 * lines and steps of one direction, which path.h allows to be merged. ORACLE_NONE = that is not
 * possible. */
static inline uint64_t slow_walk_cost(const world *w, cairn_scale scale, cairn_node a, cairn_node b)
{
    uint64_t cost = 0;
    cairn_node begin = a; /* of the ground that we are on */
    if (slow_sees(w, a, b)) return slow_line_cost(w, scale, a, b);
    while (a != b) {
        cairn_node next = slow_toward(w, a, b);
        if (next == CAIRN_NO_NODE || !slow_sees(w, a, next)) return ORACLE_NONE;
        if (!slow_alike(w, begin, next)) {
            cost += slow_line_cost(w, scale, begin, a) + slow_line_cost(w, scale, a, next);
            begin = next;
        }
        a = next;
    }
    return cost + slow_line_cost(w, scale, begin, b);
}

/* ---- the shortest path -------------------------------------------------------------------- */

/* The least cost from a cell to all others over lines, steps and links between any two cells;
 * ORACLE_NONE where none lead. `seen`, of count × count, says between which cells there are
 * lines. */
static inline void slow_shortest(const world *w, const oracle *o, cairn_scale scale,
                                 const bool *seen, cairn_node from, uint64_t *distance)
{
    uint32_t count = o->count;
    bool *done = calloc(count, sizeof *done);
    if (!done) abort();
    for (cairn_node n = 0; n < count; n++) distance[n] = ORACLE_NONE;
    distance[from] = 0;
    for (;;) {
        cairn_node at = CAIRN_NO_NODE;
        for (cairn_node n = 0; n < count; n++) {
            if (!done[n] && distance[n] != ORACLE_NONE &&
                (at == CAIRN_NO_NODE || distance[n] < distance[at]))
                at = n;
        }
        if (at == CAIRN_NO_NODE) break;
        done[at] = true;
        for (cairn_node n = 0; n < count; n++) {
            if (!seen[at * count + n]) continue;
            uint64_t cost = distance[at] + slow_line_cost(w, scale, at, n);
            if (cost < distance[n]) distance[n] = cost;
        }
        for (uint32_t e = o->first[at]; e < o->first[at + 1]; e++) {
            if (o->link[e] && distance[at] + o->cost[e] < distance[o->to[e]])
                distance[o->to[e]] = distance[at] + o->cost[e];
        }
    }
    free(done);
}

#endif
