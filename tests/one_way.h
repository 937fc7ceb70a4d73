/* one_way.h: worlds where some steps cannot be walked back, and which of them can be explored without
 * getting trapped.
 */
#ifndef TESTS_ONE_WAY_H
#define TESTS_ONE_WAY_H

#include "kit.h"

/* With all edges the other way round: distances to a node instead of from it. */
static inline oracle *oracle_reversed(const oracle *o)
{
    uint32_t count = o->first[o->count];
    cairn_graph_edge *edges = malloc((count + 1) * sizeof *edges);
    if (!edges) abort();
    for (cairn_node n = 0; n < o->count; n++)
        for (uint32_t i = o->first[n]; i < o->first[n + 1]; i++)
            edges[i] = (cairn_graph_edge){o->to[i], n, (cairn_cost)o->cost[i]};
    oracle *back = oracle_of_edges(o->count, edges, count, false);
    free(edges);
    return back;
}

/* A world, what the oracle knows of it, and the same with all edges reversed. */
typedef struct one_way {
    kit k;
    scene *scene; /* NULL: a graph */
    oracle *there, *back;
} one_way;

static inline one_way one_way_of_scene(scene *s)
{
    one_way w = {.k = kit_of_scene(s, &s->profile), .scene = s};
    oracle_grid raw = scene_raw(s);
    /* sized agents never cut corners: the profile of the space says so */
    w.there = oracle_of_grid(&raw, cairn_space_profile(w.k.space), cairn_space_scale(w.k.space));
    w.back = oracle_reversed(w.there);
    return w;
}

static inline one_way one_way_of_graph(const cairn_graph_options *options)
{
    one_way w = {0};
    CHECK_OK(cairn_context_create(NULL, &w.k.context));
    CHECK_OK(cairn_graph_create(w.k.context, options, &w.k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(w.k.graph, &w.k.space, NULL));
    w.there = oracle_of_edges(options->node_count, options->edges, options->edge_count,
                              options->both_ways);
    w.back = oracle_reversed(w.there);
    return w;
}

/* Points on a square; a ring of one-way edges through all of them in a random order, and some more:
 * from everywhere there is a path to everywhere. */
static inline one_way one_way_ring(uint32_t nodes, uint32_t more, uint64_t seed)
{
    scene_rng rng = {seed};
    cairn_graph_edge *edges = malloc((nodes + more) * sizeof *edges);
    cairn_position *at = calloc(nodes, sizeof *at);
    cairn_node *order = malloc(nodes * sizeof *order);
    if (!edges || !at || !order) abort();
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t other = scene_random(&rng, i + 1);
        order[i] = order[other], order[other] = i;
        at[i].x = scene_random(&rng, 500), at[i].y = scene_random(&rng, 500);
    }
    for (uint32_t i = 0; i < nodes + more; i++) {
        cairn_node a = i < nodes ? order[i] : scene_random(&rng, nodes);
        cairn_node b =
            i < nodes ? order[(i + 1) % nodes] : (a + 1 + scene_random(&rng, nodes - 1)) % nodes;
        double dx = at[a].x - at[b].x, dy = at[a].y - at[b].y;
        edges[i].from = a, edges[i].to = b;
        edges[i].weight = (uint32_t)(dx > 0 ? dx : -dx) + (uint32_t)(dy > 0 ? dy : -dy) + 1;
    }
    one_way w = one_way_of_graph(&(cairn_graph_options){
        .node_count = nodes, .edge_count = nodes + more, .edges = edges, .positions = at});
    free(edges), free(at), free(order);
    return w;
}

/* High ground in the middle: an agent can jump down anywhere, but gets up on ramps only. */
static inline void scene_add_ledges(scene *s)
{
    uint32_t left = s->width / 3, top = s->height / 3;
    s->elevation = calloc((size_t)s->width * s->height, sizeof *s->elevation);
    if (!s->elevation) abort();
    for (uint32_t y = top; y < 2 * top; y++)
        for (uint32_t x = left; x < 2 * left; x++)
            s->elevation[y * s->width + x] = (int16_t)(x == left && y % 3 == 0 ? 5 : 10);
    s->profile.max_climb = 5, s->profile.max_drop = 50;
}

/* Of any kind: corner rules and neighbourhoods, hexagons, terrain, dangers, hills, ledges, links,
 * graphs. */
enum { ONE_WAY_KINDS = 12 };
static inline one_way one_way_thrown(uint32_t kind, uint32_t width, uint32_t height, uint64_t seed)
{
    if (kind % ONE_WAY_KINDS >= 10) return one_way_ring(width * height / 4, width, seed);
    scene *s = kind % 3 ? scene_noise("noise", width, height, 25, seed)
                        : scene_rooms("rooms", width, height, 5, seed);
    switch (kind % ONE_WAY_KINDS) {
    case 0: s->profile.corners = CAIRN_CORNERS_NEVER; break;
    case 1: s->profile.corners = CAIRN_CORNERS_ALWAYS; break;
    case 2: s->profile.neighbours = CAIRN_NEIGHBOURS_4; break;
    case 3: scene_make_hex(s); break;
    case 4: scene_add_terrain(s, seed); break;
    case 5: scene_add_danger(s, seed); break;
    case 6: scene_add_hills(s, seed); break;
    case 7: scene_add_ledges(s); break;
    case 8: scene_add_links(s, 12, 100, 900, false, seed); break;
    default: scene_make_hex(s), scene_add_links(s, 8, 100, 900, false, seed); break;
    }
    return one_way_of_scene(s);
}

static inline void one_way_end(one_way *w)
{
    oracle_destroy(w->there);
    oracle_destroy(w->back);
    kit_close(&w->k);
    if (w->scene) scene_destroy(w->scene);
}

/* Can the goal be reached from everywhere that can be got to? */
static inline bool one_way_is_safe(one_way *w, cairn_node from, cairn_node goal)
{
    oracle_search(w->there, from);
    oracle_search(w->back, goal);
    if (w->there->distance[goal] == ORACLE_NONE) return false;
    for (cairn_node n = 0; n < w->there->count; n++)
        if (w->there->distance[n] != ORACLE_NONE && w->back->distance[n] == ORACLE_NONE)
            return false;
    return true;
}

/* Two nodes, and a walk between them that no step can spoil. False: none was found (links that lead
 * to an island spoil most walks), and the two are what they were. */
static inline bool one_way_pick(one_way *w, scene_rng *rng, cairn_node *from, cairn_node *to)
{
    for (uint32_t i = 0; i < 2000; i++) {
        cairn_node a = scene_random(rng, w->there->count), b = scene_random(rng, w->there->count);
        if (a == b || !w->there->usable[a] || !w->there->usable[b] || !one_way_is_safe(w, a, b))
            continue;
        *from = a, *to = b;
        return true;
    }
    return false;
}

/* A world of a kind that has such walks. */
static inline one_way one_way_safe(uint32_t kind, uint32_t width, uint32_t height, uint64_t seed)
{
    for (uint32_t i = 0; i < 30; i++) {
        one_way w = one_way_thrown(kind, width, height, seed + 1000 * i);
        scene_rng rng = {seed};
        cairn_node from, to;
        if (one_way_pick(&w, &rng, &from, &to)) return w;
        one_way_end(&w);
    }
    CHECK(false, "kind %u: no world can be explored safely", kind);
    return (one_way){0};
}

#endif
