/* polygon_world.c: see polygon_world.h. Memory is the C library's: what the library's own memory
 * does is not the question here.
 */
#include "polygon_world.h"
#include "scenes.h"

#include <math.h>
#include <stdlib.h>

enum { POLYGON_UNIT = 64, POLYGON_LADDER = 900, POLYGON_BRIDGE = 20 };

static polygon_world *world_of(const cairn_space *space)
{
    return (polygon_world *)(uintptr_t)space;
}

polygon_world *polygon_world_of(cairn_space *space)
{
    return world_of(space);
}

static void *polygon_zeros(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) abort();
    return memory;
}

/* ---- shapes ---- */

static uint32_t corner_at(const polygon_options *o, uint32_t x, uint32_t y)
{
    return y * (o->width + 1) + x;
}

static void add_polygon(polygon_world *w, uint32_t count, const uint32_t *corners)
{
    polygon *p = &w->polygons[w->base.node_count++];
    p->count = count;
    memcpy(p->corners, corners, count * sizeof *corners);
    for (uint32_t i = 0; i < count; i++) {
        p->centre.x += w->corners[corners[i]].x / count;
        p->centre.y += w->corners[corners[i]].y / count;
        p->centre.z += w->corners[corners[i]].z / count;
    }
}

/* A square, two triangles, or nothing. */
static void add_square(polygon_world *w, uint32_t x, uint32_t y, scene_rng *rng)
{
    const polygon_options *o = &w->options;
    uint32_t a = corner_at(o, x, y), b = a + 1, c = corner_at(o, x + 1, y + 1), d = c - 1;
    uint32_t lot = scene_random(rng, 100);
    if (lot < 12) return;
    if (lot < 40) {
        add_polygon(w, 3, (uint32_t[]){a, b, c});
        add_polygon(w, 3, (uint32_t[]){a, c, d});
    } else {
        add_polygon(w, 4, (uint32_t[]){a, b, c, d});
    }
}

/* Above the middle row, with corners of its own. */
static void add_bridge(polygon_world *w)
{
    const polygon_options *o = &w->options;
    uint32_t corners = (o->width + 1) * (o->height + 1);
    for (uint32_t x = 0; x <= o->width; x++) {
        for (uint32_t i = 0; i < 2; i++) {
            cairn_position at = {x, o->height / 2 + i, POLYGON_BRIDGE + x / 8.0};
            w->corners[corners + 2 * x + i] = at;
        }
    }
    for (uint32_t x = 0; x < o->width; x++) {
        uint32_t a = corners + 2 * x;
        add_polygon(w, 4, (uint32_t[]){a, a + 2, a + 3, a + 1});
    }
}

static void add_shapes(polygon_world *w, scene_rng *rng)
{
    const polygon_options *o = &w->options;
    for (uint32_t y = 0; y <= o->height; y++) {
        for (uint32_t x = 0; x <= o->width; x++) {
            double dx = (scene_random(rng, 9) - 4.0) / 20, dy = (scene_random(rng, 9) - 4.0) / 20;
            double z = scene_random(rng, 17) / 8.0 + 1;
            w->corners[corner_at(o, x, y)] = (cairn_position){x + dx, y + dy, z};
        }
    }
    for (uint32_t i = 0; i < o->width * o->height; i++)
        add_square(w, i % o->width, i / o->width, rng);
    add_bridge(w);
    for (uint32_t i = 0; i < w->base.node_count; i++)
        w->polygons[i].blocked = scene_random(rng, 100) < o->blocked;
}

/* ---- what leads where ---- */

static double polygon_distance(cairn_position a, cairn_position b)
{
    double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return sqrt(dx * dx + dy * dy + dz * dz);
}

/* The corners that two polygons share: how many, and the first two. */
static uint32_t polygon_shared(const polygon *a, const polygon *b, uint32_t shared[2])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < b->count; k++) {
            if (a->corners[i] == b->corners[k] && count < 2) shared[count++] = a->corners[i];
        }
    }
    return count;
}

/* Climbing costs extra; 0: there is no step. */
static cairn_cost polygon_step(const polygon_world *w, cairn_node from, cairn_node to)
{
    uint32_t shared[2];
    const polygon *a = &w->polygons[from], *b = &w->polygons[to];
    double climb = b->centre.z - a->centre.z;
    if (polygon_shared(a, b, shared) < 2 || (w->options.ledges && climb > 0.5)) return 0;
    double cost = ceil(polygon_distance(a->centre, b->centre) * POLYGON_UNIT);
    return (cairn_cost)(cost + (climb > 0 ? ceil(climb * POLYGON_UNIT / 2) : 0));
}

/* The first and the last polygon of the ground are joined with the ends of the bridge. */
static cairn_cost polygon_ladder(const polygon_world *w, cairn_node from, cairn_node to)
{
    cairn_node last = w->base.node_count - 1, first = w->base.node_count - w->options.width;
    cairn_node low = from < to ? from : to, high = from < to ? to : from;
    bool ladder = (low == 0 && high == first) || (low == first - 1 && high == last);
    return ladder ? POLYGON_LADDER : 0;
}

static void add_sides(polygon_world *w)
{
    uint32_t count = w->base.node_count;
    w->least = INFINITY;
    for (cairn_node from = 0; from < count; from++) {
        for (cairn_node to = 0; to < count; to++) {
            cairn_cost cost = from == to ? 0 : polygon_step(w, from, to);
            if (!cost && from != to) cost = polygon_ladder(w, from, to);
            if (!cost) continue;
            w->sides[w->side_count++] = (cairn_graph_edge){from, to, cost};
            double distance = polygon_distance(w->polygons[from].centre, w->polygons[to].centre);
            w->least = fmin(w->least, cost / distance);
        }
    }
}

/* Everything that depends on what is blocked. */
static void world_derive(polygon_world *w)
{
    uint32_t count = w->base.node_count;
    w->edge_count = 0;
    w->base.min_edge = CAIRN_COST_MAX;
    w->base.max_edge = 0;
    memset(w->first, 0, (count + 1) * sizeof *w->first);
    for (uint32_t i = 0; i < w->side_count; i++) {
        cairn_graph_edge e = w->sides[i];
        if (w->polygons[e.from].blocked || w->polygons[e.to].blocked) continue;
        w->edges[w->edge_count++] = e;
        w->first[e.from + 1]++;
        if (e.weight < w->base.min_edge) w->base.min_edge = e.weight;
        if (e.weight > w->base.max_edge) w->base.max_edge = e.weight;
    }
    w->base.max_step = w->base.max_edge;
    for (uint32_t n = 0; n < count; n++) w->first[n + 1] += w->first[n];
    for (uint32_t n = 0; n < count; n++) w->region[n] = w->polygons[n].blocked ? 0 : n + 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < w->edge_count; i++) {
            uint32_t *a = &w->region[w->edges[i].from], *b = &w->region[w->edges[i].to];
            changed |= *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
}

/* ---- the functions of the space ---- */

static void polygon_space_destroy(cairn_space *space)
{
    polygon_world *w = world_of(space);
    free(w->corners);
    free(w->polygons);
    free(w->sides);
    free(w->edges);
    free(w->first);
    free(w->region);
    free(w);
}

static uint32_t polygon_space_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                     cairn_edge *out, uint32_t capacity)
{
    const polygon_world *w = world_of(space);
    uint32_t count = 0;
    for (uint32_t i = w->first[node] + first; i < w->first[node + 1] && count < capacity; i++)
        out[count++] = (cairn_edge){w->edges[i].to, w->edges[i].weight};
    return count;
}

static bool polygon_space_usable(const cairn_space *space, cairn_node node)
{
    return !world_of(space)->polygons[node].blocked;
}

static cairn_position polygon_space_position(const cairn_space *space, cairn_node node)
{
    return world_of(space)->polygons[node].centre;
}

/* Corners go round all the same way. */
static bool polygon_holds(const polygon_world *w, const polygon *p, cairn_position at)
{
    for (uint32_t i = 0; i < p->count; i++) {
        cairn_position a = w->corners[p->corners[i]],
                       b = w->corners[p->corners[(i + 1) % p->count]];
        if (!((b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x) >= 0)) return false;
    }
    return true;
}

/* Of polygons above each other the one whose centre is nearest in height. */
static cairn_node polygon_space_node_at(const cairn_space *space, cairn_position position)
{
    const polygon_world *w = world_of(space);
    cairn_node best = CAIRN_NO_NODE;
    double least = INFINITY;
    for (cairn_node node = 0; node < space->node_count; node++) {
        double height = fabs(w->polygons[node].centre.z - position.z);
        if (!(height < least) || !polygon_holds(w, &w->polygons[node], position)) continue;
        least = height;
        best = node;
    }
    return best;
}

static double polygon_gap(double v, double low, double high)
{
    return v < low ? low - v : v > high ? v - high : 0;
}

static cairn_cost polygon_space_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                         cairn_node node, const crn_box *box)
{
    if (heuristic == CAIRN_HEURISTIC_NULL) return 0;
    const polygon_world *w = world_of(space);
    cairn_position at = w->polygons[node].centre;
    cairn_position gap = {polygon_gap(at.x, box->x0, box->x1), polygon_gap(at.y, box->y0, box->y1),
                          polygon_gap(at.z, box->z0, box->z1)};
    double far = polygon_distance(gap, (cairn_position){0, 0, 0});
    return (cairn_cost)floor(w->least * far * (1 - 0x1p-40));
}

static uint64_t polygon_space_version(const cairn_space *space)
{
    return world_of(space)->version;
}

static uint64_t polygon_space_validate(const cairn_space *space, cairn_fault_report *report,
                                       void *user)
{
    const polygon_world *w = world_of(space);
    uint64_t faults = 0;
    for (uint32_t i = 0; i < w->edge_count; i++) {
        cairn_graph_edge e = w->edges[i];
        cairn_cost step = polygon_step(w, e.from, e.to), ladder = polygon_ladder(w, e.from, e.to);
        if (e.weight == (step ? step : ladder)) continue;
        faults++;
        if (report) report(user, e.from, e.to, "the cost is wrong");
    }
    return faults;
}

static size_t polygon_space_bytes(const cairn_space *space)
{
    const polygon_world *w = world_of(space);
    return sizeof *w + w->edge_count * sizeof *w->edges;
}

static uint64_t polygon_space_region(const cairn_space *space, cairn_node node)
{
    return world_of(space)->region[node];
}

static bool polygon_space_directed(const cairn_space *space)
{
    return world_of(space)->options.ledges;
}

/* One node is a piece. */
static bool polygon_space_nearest(const cairn_space *space, crn_nearest *search)
{
    crn_box box = crn_box_empty();
    cairn_node node = search->at++;
    if (node == space->node_count) return true;
    if (polygon_space_region(space, node) != search->component) return false;
    crn_box_add(&box, space, search->to);
    cairn_cost cost = polygon_space_estimate(space, space->default_heuristic, node, &box);
    if (cost >= search->least) return false;
    search->least = cost;
    search->best = node;
    return false;
}

static cairn_node polygon_space_pick(const cairn_space *space, uint64_t region, crn_rng *rng)
{
    cairn_node node;
    do node = crn_rng_below(rng, space->node_count);
    while (polygon_space_region(space, node) != region);
    return node;
}

static bool polygon_space_regions(const cairn_space *space, uint32_t *count, uint32_t *largest)
{
    const polygon_world *w = world_of(space);
    for (cairn_node node = 0; node < space->node_count; node++) {
        uint32_t size = 0;
        /* a region has the number of its first polygon */
        if (w->region[node] != node + 1) continue;
        for (cairn_node other = 0; other < space->node_count; other++)
            size += w->region[other] == node + 1;
        ++*count;
        if (size > *largest) *largest = size;
    }
    return true;
}

static uint32_t polygon_space_next_to(const cairn_space *space, cairn_node goal, uint32_t *at,
                                      cairn_node *out)
{
    const polygon_world *w = world_of(space);
    uint32_t i = *at, end = i + CRN_SPACE_PIECE, count = 0;
    for (; i < w->side_count && i < end; i++)
        if (w->sides[i].to == goal) out[count++] = w->sides[i].from;
    *at = i < w->side_count ? i : UINT32_MAX;
    return count;
}

static cairn_portal polygon_space_portal(const cairn_space *space, cairn_node from, cairn_node to)
{
    const polygon_world *w = world_of(space);
    const polygon *a = &w->polygons[from], *b = &w->polygons[to];
    uint32_t shared[2];
    if (polygon_shared(a, b, shared) < 2) return (cairn_portal){b->centre, b->centre};
    cairn_position p = w->corners[shared[0]], q = w->corners[shared[1]];
    double dx = b->centre.x - a->centre.x, dy = b->centre.y - a->centre.y;
    bool p_left = dx * (p.y - a->centre.y) - dy * (p.x - a->centre.x) > 0;
    return p_left ? (cairn_portal){p, q} : (cairn_portal){q, p};
}

static cairn_status polygon_space_save(const cairn_space *space, cairn_store *store)
{
    const polygon_world *w = world_of(space);
    return cairn_store_add(store, "polygons",
                           (cairn_bytes){w->edges, w->edge_count * sizeof *w->edges}, 4, false);
}

static const crn_space_functions polygon_space_functions = {
    .plural = "polygons",
    .destroy = polygon_space_destroy,
    .expand = polygon_space_expand,
    .usable = polygon_space_usable,
    .position = polygon_space_position,
    .node_at = polygon_space_node_at,
    .estimate = polygon_space_estimate,
    .version = polygon_space_version,
    .validate = polygon_space_validate,
    .bytes = polygon_space_bytes,
    .component = polygon_space_region,
    .directed = polygon_space_directed,
    .nearest = polygon_space_nearest,
    .pick = polygon_space_pick,
    .components = polygon_space_regions,
    .next_to = polygon_space_next_to,
    .portal = polygon_space_portal,
    .save = polygon_space_save,
};

/* ---- creation ---- */

polygon_world *polygon_world_create(cairn_context *context, const polygon_options *options)
{
    polygon_world *w = polygon_zeros(1, sizeof *w);
    scene_rng rng = {options->seed};
    size_t squares = (size_t)options->width * options->height;
    size_t corners = (options->width + 1u) * (options->height + 3u);
    w->options = *options;
    w->version = 1;
    w->corners = polygon_zeros(corners, sizeof *w->corners);
    w->polygons = polygon_zeros(2 * squares + options->width, sizeof *w->polygons);
    add_shapes(w, &rng);
    uint32_t count = w->base.node_count;
    w->sides = polygon_zeros((size_t)count * (POLYGON_CORNERS + 2), sizeof *w->sides);
    w->edges = polygon_zeros((size_t)count * (POLYGON_CORNERS + 2), sizeof *w->edges);
    w->first = polygon_zeros(count + 1, sizeof *w->first);
    w->region = polygon_zeros(count, sizeof *w->region);
    w->base.functions = &polygon_space_functions;
    w->base.context = context;
    w->base.world = CAIRN_WORLD_MESH;
    w->base.placed = true;
    w->base.default_heuristic = CAIRN_HEURISTIC_EUCLIDEAN;
    w->base.scale.straight = POLYGON_UNIT;
    add_sides(w);
    world_derive(w);
    return w;
}

void polygon_world_block(polygon_world *world, cairn_node node, bool blocked)
{
    world->polygons[node].blocked = blocked;
    world->version++;
    world_derive(world);
}

bool polygon_has_corner(const polygon_world *world, cairn_node node, cairn_position corner)
{
    const polygon *p = &world->polygons[node];
    for (uint32_t i = 0; i < p->count; i++) {
        cairn_position at = world->corners[p->corners[i]];
        if (at.x == corner.x && at.y == corner.y && at.z == corner.z) return true;
    }
    return false;
}
