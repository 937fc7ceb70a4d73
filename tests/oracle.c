/* oracle.c: see oracle.h. Everything here is as naive as it can be on purpose: it is the
 * yardstick, so a reader must be able to see that it is right.
 */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rules of a grid ------------------------------------------------------------ */

static int64_t height_of(const oracle_grid *grid, int64_t x, int64_t y)
{
    return grid->elevation ? grid->elevation[y * grid->width + x] : 0;
}

static bool is_free(const oracle_grid *grid, const cairn_profile *profile, int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= grid->width || y >= grid->height) return false;
    if (!grid->open[y * grid->width + x]) return false;
    return profile->terrain_cost[grid->terrain ? grid->terrain[y * grid->width + x] : 0] != 0;
}

cairn_position oracle_centre(const oracle_grid *grid, int64_t x, int64_t y)
{
    if (!grid->hex) return (cairn_position){(double)x, (double)y, 0};
    return (cairn_position){(double)x + (y % 2 ? 0.5 : 0), (double)y * sqrt(0.75), 0};
}

static double distance_to_side(cairn_position p, cairn_position a, cairn_position b)
{
    double ux = b.x - a.x, uy = b.y - a.y;
    double along = ((p.x - a.x) * ux + (p.y - a.y) * uy) / (ux * ux + uy * uy);
    if (along < 0) along = 0;
    if (along > 1) along = 1;
    double dx = a.x + along * ux - p.x, dy = a.y + along * uy - p.y;
    return sqrt(dx * dx + dy * dy);
}

/* From a place to the shape of a cell that it does not lie in: to the nearest of its sides. */
static double distance_to_shape(const oracle_grid *grid, cairn_position from, int64_t u, int64_t v)
{
    static const double square[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    double third = sqrt(1.0 / 3);
    const double hexagon[6][2] = {{0, -third}, {0.5, -third / 2}, {0.5, third / 2},
                                  {0, third},  {-0.5, third / 2}, {-0.5, -third / 2}};
    const double(*corners)[2] = grid->hex ? hexagon : square;
    int count = grid->hex ? 6 : 4;
    cairn_position to = oracle_centre(grid, u, v);
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        const double *p = corners[i], *q = corners[(i + 1) % count];
        double d = distance_to_side(from, (cairn_position){to.x + p[0], to.y + p[1], 0},
                                    (cairn_position){to.x + q[0], to.y + q[1], 0});
        if (d < least) least = d;
    }
    return least;
}

/* From the centre of one cell to the shape of another one. */
static double distance_to_cell(const oracle_grid *grid, int64_t x, int64_t y, int64_t u, int64_t v)
{
    return distance_to_shape(grid, oracle_centre(grid, x, y), u, v);
}

/* Nearer than the radius. What lies exactly as far away is not, though doubles may make a little
 * less of it: among hexagons the sides of a cell are half a cell away from its centre. Radii that
 * differ from a distance by less than this are nobody's. */
static bool is_nearer(double distance, double radius)
{
    return distance < radius - 1e-9;
}

bool oracle_may_stand(const oracle_grid *grid, const cairn_profile *profile, int64_t x, int64_t y)
{
    if (!is_free(grid, profile, x, y)) return false;
    for (int64_t v = 0; v < profile->footprint; v++) {
        for (int64_t u = 0; u < profile->footprint; u++) {
            if (!is_free(grid, profile, x + u, y + v)) return false;
        }
    }
    int64_t reach = profile->radius > 0.5 ? (int64_t)(profile->radius * 1.5) + 1 : 0;
    for (int64_t v = y - reach; v <= y + reach; v++) {
        for (int64_t u = x - reach; u <= x + reach; u++) {
            if (is_free(grid, profile, u, v)) continue;
            if (is_nearer(distance_to_cell(grid, x, y, u, v), profile->radius)) return false;
        }
    }
    return true;
}

/* Squares touch by sides and corners; hexagons that touch have centres one cell apart. */
bool oracle_touches(const oracle_grid *grid, cairn_node from, cairn_node to)
{
    int64_t ax = from % grid->width, ay = from / grid->width, bx = to % grid->width,
            by = to / grid->width;
    if (from == to) return false;
    if (!grid->hex) return bx - ax >= -1 && bx - ax <= 1 && by - ay >= -1 && by - ay <= 1;
    cairn_position a = oracle_centre(grid, ax, ay), b = oracle_centre(grid, bx, by);
    double dx = b.x - a.x, dy = b.y - a.y;
    return dx * dx + dy * dy < 1.1;
}

/* Is the path from one height to another neither too steep up nor too steep down? */
static bool height_allows(const oracle_grid *grid, const cairn_profile *profile, int64_t ax,
                          int64_t ay, int64_t bx, int64_t by)
{
    int64_t gained = height_of(grid, bx, by) - height_of(grid, ax, ay);
    if (profile->max_climb != CAIRN_ANY_STEP && gained > profile->max_climb) return false;
    if (profile->max_drop != CAIRN_ANY_STEP && -gained > profile->max_drop) return false;
    return true;
}

/* A side cell of a diagonal step a -> b is free if it can be stood on and a -> side -> b
 * obeys the elevation limits. */
static bool side_is_free(const oracle_grid *grid, const cairn_profile *profile, const int64_t a[2],
                         const int64_t side[2], const int64_t b[2])
{
    return oracle_may_stand(grid, profile, side[0], side[1]) &&
           height_allows(grid, profile, a[0], a[1], side[0], side[1]) &&
           height_allows(grid, profile, side[0], side[1], b[0], b[1]);
}

/* Does an agent among hexagons keep its distance all the path from a to b? What only the end that
 * is pretended minds does not count. The path is looked at in pieces; 1/16 of it is one of them, so
 * what is nearest to its middle is seen exactly. */
static bool way_is_clear(const oracle_grid *grid, const cairn_profile *profile, const int64_t a[2],
                         const int64_t b[2], bool pretend)
{
    enum { PIECES = 16 };
    cairn_position from = oracle_centre(grid, a[0], a[1]), to = oracle_centre(grid, b[0], b[1]);
    int64_t reach = (int64_t)(profile->radius * 1.5) + 2;
    for (int64_t v = a[1] - reach; v <= a[1] + reach; v++) {
        for (int64_t u = a[0] - reach; u <= a[0] + reach; u++) {
            if (is_free(grid, profile, u, v) || (u == b[0] && v == b[1])) continue;
            if (pretend && is_nearer(distance_to_cell(grid, b[0], b[1], u, v), profile->radius))
                continue;
            for (int i = 0; i <= PIECES; i++) {
                double t = i / (double)PIECES;
                cairn_position at = {from.x + t * (to.x - from.x), from.y + t * (to.y - from.y), 0};
                if (is_nearer(distance_to_shape(grid, at, u, v), profile->radius)) return false;
            }
        }
    }
    return true;
}

bool oracle_may_step(const oracle_grid *grid, const cairn_profile *profile, cairn_node from,
                     cairn_node to, bool pretend)
{
    const int64_t a[2] = {from % grid->width, from / grid->width};
    const int64_t b[2] = {to % grid->width, to / grid->width};
    int64_t dx = b[0] - a[0], dy = b[1] - a[1];
    if (!oracle_touches(grid, from, to)) return false;
    if (!oracle_may_stand(grid, profile, a[0], a[1])) return false;
    if (!pretend && !oracle_may_stand(grid, profile, b[0], b[1])) return false;
    if (!height_allows(grid, profile, a[0], a[1], b[0], b[1])) return false;
    if (grid->hex && profile->radius > 0 && !way_is_clear(grid, profile, a, b, pretend))
        return false;
    if (!dx || !dy || grid->hex) return true;
    if (profile->neighbours == CAIRN_NEIGHBOURS_4) return false;
    const int64_t s[2] = {b[0], a[1]}, t[2] = {a[0], b[1]};
    int free_sides = side_is_free(grid, profile, a, s, b) + side_is_free(grid, profile, a, t, b);
    /* "An agent with a size never cuts a corner." */
    bool body = profile->radius > 0 || profile->footprint > 1;
    switch (body ? CAIRN_CORNERS_NEVER : profile->corners) {
    case CAIRN_CORNERS_NEVER: return free_sides == 2;
    case CAIRN_CORNERS_ONE: return free_sides >= 1;
    default: return true;
    }
}

static uint64_t price_of_step(const oracle_grid *grid, const cairn_profile *profile,
                              cairn_scale scale, cairn_node a, cairn_node b)
{
    bool diagonal =
        !grid->hex && a % grid->width != b % grid->width && a / grid->width != b / grid->width;
    uint64_t cost = diagonal ? scale.diagonal : scale.straight;
    /* "to the nearest one, halves up, and never to less than one unit" */
    uint64_t parts = cost * profile->terrain_cost[grid->terrain ? grid->terrain[b] : 0];
    cost = parts / 256 + (parts % 256 >= 128 ? 1 : 0);
    if (cost == 0) cost = 1;
    uint64_t extra = (grid->layer ? grid->layer[b] : 0u) + (grid->added ? grid->added[b] : 0u);
    cost += extra * profile->layer_weight * scale.straight / 256;
    int64_t gained = grid->elevation ? (int64_t)grid->elevation[b] - grid->elevation[a] : 0;
    if (gained > 0) cost += (uint64_t)gained * profile->gradient * scale.straight / 256;
    return cost;
}

/* ---- making one --------------------------------------------------------------------- */

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) abort(); /* a test without memory has nothing to say */
    return memory;
}

static oracle *oracle_blank(uint32_t count, uint32_t edges)
{
    oracle *o = need(1, sizeof *o);
    o->count = count;
    o->usable = need(count, sizeof *o->usable);
    o->first = need((size_t)count + 1, sizeof *o->first);
    o->to = need(edges, sizeof *o->to);
    o->cost = need(edges, sizeof *o->cost);
    o->link = need(edges, sizeof *o->link);
    o->kept[0].distance = o->distance = need(count, sizeof *o->distance);
    o->kept[0].steps = o->steps = need(count, sizeof *o->steps);
    o->heap_key = need((size_t)edges + 1, sizeof *o->heap_key);
    o->heap_node = need((size_t)edges + 1, sizeof *o->heap_node);
    return o;
}

static void oracle_add_edge(oracle *o, cairn_node to, uint64_t cost)
{
    o->to[o->edges] = to;
    o->cost[o->edges++] = cost;
}

/* "It can be used while both its cells can be stood on", if its kind is allowed. */
static void oracle_add_links(oracle *o, const oracle_grid *grid, const cairn_profile *profile,
                             cairn_scale scale, cairn_node from)
{
    for (uint32_t i = 0; i < grid->link_count; i++) {
        const cairn_link *link = &grid->links[i];
        if (link->from != from || !(profile->links & 1u << link->kind)) continue;
        if (!oracle_may_stand(grid, profile, from % grid->width, from / grid->width)) continue;
        if (!oracle_may_stand(grid, profile, link->to % grid->width, link->to / grid->width))
            continue;
        uint64_t cost = (uint64_t)link->cost * scale.straight / 256;
        oracle_add_edge(o, link->to, cost ? cost : 1);
        o->link[o->edges - 1] = 1 + (uint64_t)link->id;
    }
}

oracle *oracle_of_grid(const oracle_grid *grid, const cairn_profile *profile, cairn_scale scale)
{
    uint32_t count = grid->width * grid->height;
    oracle *o = oracle_blank(count, count * 8 + grid->link_count);
    for (cairn_node a = 0; a < count; a++) {
        int64_t x = a % grid->width, y = a / grid->width;
        o->usable[a] = oracle_may_stand(grid, profile, x, y);
        o->first[a] = o->edges;
        for (int64_t v = y - 1; v <= y + 1; v++) {
            for (int64_t u = x - 1; u <= x + 1; u++) {
                if (u < 0 || v < 0 || u >= grid->width || v >= grid->height) continue;
                cairn_node b = (cairn_node)(v * grid->width + u);
                if (!oracle_may_step(grid, profile, a, b, false)) continue;
                oracle_add_edge(o, b, price_of_step(grid, profile, scale, a, b));
            }
        }
        oracle_add_links(o, grid, profile, scale, a);
    }
    o->first[count] = o->edges;
    return o;
}

oracle *oracle_of_edges(uint32_t count, const cairn_graph_edge *edges, uint32_t edge_count,
                        bool both_ways)
{
    oracle *o = oracle_blank(count, edge_count * (both_ways ? 2 : 1));
    for (cairn_node a = 0; a < count; a++) {
        o->usable[a] = true;
        o->first[a] = o->edges;
        for (uint32_t i = 0; i < edge_count; i++) {
            if (edges[i].from == a) oracle_add_edge(o, edges[i].to, edges[i].weight);
            if (both_ways && edges[i].to == a) oracle_add_edge(o, edges[i].from, edges[i].weight);
        }
    }
    o->first[count] = o->edges;
    return o;
}

void oracle_destroy(oracle *o)
{
    if (!o) return;
    free(o->usable), free(o->first), free(o->to), free(o->cost);
    free(o->link), free(o->heap_key), free(o->heap_node);
    for (uint32_t i = 0; i < ORACLE_KEPT; i++) free(o->kept[i].distance), free(o->kept[i].steps);
    free(o);
}

/* ---- searching ---------------------------------------------------------------------- */

static void heap_swap(oracle *o, uint32_t i, uint32_t j)
{
    uint64_t key = o->heap_key[i];
    uint32_t node = o->heap_node[i];
    o->heap_key[i] = o->heap_key[j], o->heap_node[i] = o->heap_node[j];
    o->heap_key[j] = key, o->heap_node[j] = node;
}

static void heap_push(oracle *o, uint64_t key, cairn_node node)
{
    uint32_t i = o->heap_size++;
    o->heap_key[i] = key, o->heap_node[i] = node;
    for (; i && o->heap_key[i] < o->heap_key[(i - 1) / 2]; i = (i - 1) / 2)
        heap_swap(o, i, (i - 1) / 2);
}

static void heap_pop(oracle *o, uint64_t *key, cairn_node *node)
{
    *key = o->heap_key[0], *node = o->heap_node[0];
    heap_swap(o, 0, --o->heap_size);
    for (uint32_t i = 0;;) {
        uint32_t least = i;
        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2; child++) {
            if (child < o->heap_size && o->heap_key[child] < o->heap_key[least]) least = child;
        }
        if (least == i) return;
        heap_swap(o, i, least);
        i = least;
    }
}

/* Dijkstra with unit or real costs; every relaxation is pushed, outdated ones are skipped. */
static void spread(oracle *o, cairn_node from, bool unit_costs)
{
    for (uint32_t i = 0; i < o->count; i++) o->distance[i] = ORACLE_NONE;
    if (from >= o->count || !o->usable[from]) return;
    o->heap_size = 0;
    o->distance[from] = 0;
    heap_push(o, 0, from);
    while (o->heap_size) {
        uint64_t key;
        cairn_node node;
        heap_pop(o, &key, &node);
        if (key > o->distance[node]) continue;
        for (uint32_t e = o->first[node]; e < o->first[node + 1]; e++) {
            uint64_t reached = key + (unit_costs ? 1 : o->cost[e]);
            if (reached >= o->distance[o->to[e]]) continue;
            o->distance[o->to[e]] = reached;
            heap_push(o, reached, o->to[e]);
        }
    }
}

/* Where the answers from a node are, or shall be; true if they are there. */
static bool oracle_recall(oracle *o, cairn_node from)
{
    uint32_t known = o->searches < ORACLE_KEPT ? o->searches : ORACLE_KEPT, i = 0;
    while (i < known && o->kept[i].from != from) i++;
    bool found = i < known;
    oracle_answers *a = &o->kept[found ? i : o->searches++ % ORACLE_KEPT];
    if (!a->distance) a->distance = need(o->count, sizeof *a->distance);
    if (!a->steps) a->steps = need(o->count, sizeof *a->steps);
    a->from = from;
    o->distance = a->distance;
    o->steps = a->steps;
    return found;
}

void oracle_search(oracle *o, cairn_node from)
{
    if (oracle_recall(o, from)) return;
    if (!o->costs_only) spread(o, from, true);
    for (uint32_t i = 0; i < o->count && !o->costs_only; i++) {
        o->steps[i] = o->distance[i] == ORACLE_NONE ? UINT32_MAX : (uint32_t)o->distance[i];
    }
    spread(o, from, false);
}

static bool any_edge(uint64_t link, uint64_t wanted)
{
    (void)link, (void)wanted;
    return true;
}

static bool same_link(uint64_t link, uint64_t wanted)
{
    return link == wanted;
}

static uint64_t cheapest(const oracle *o, cairn_node a, cairn_node b,
                         bool (*wanted)(uint64_t link, uint64_t wanted), uint64_t link)
{
    uint64_t best = ORACLE_NONE;
    if (a >= o->count || b >= o->count) return best;
    for (uint32_t e = o->first[a]; e < o->first[a + 1]; e++) {
        if (o->to[e] == b && wanted(o->link[e], link) && o->cost[e] < best) best = o->cost[e];
    }
    return best;
}

uint64_t oracle_edge(const oracle *o, cairn_node a, cairn_node b)
{
    return cheapest(o, a, b, any_edge, 0);
}

uint64_t oracle_walk(const oracle *o, cairn_node a, cairn_node b)
{
    return cheapest(o, a, b, same_link, 0);
}

uint64_t oracle_link(const oracle *o, cairn_node a, cairn_node b, uint32_t id)
{
    return cheapest(o, a, b, same_link, 1 + (uint64_t)id);
}
