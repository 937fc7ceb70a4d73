/* sensed_ground.h: worlds for agents that walk: a grid or a graph that is edited, and beside it, if the
 * agents have sensors, what is known of it. Both are kept twice: as the library has them, and as
 * plain arrays that the oracle reads. What a sensor sees is done here once more, cell by cell in the
 * words of navigator.h, and compared with what the library knows.
 */
#ifndef TESTS_SENSED_GROUND_H
#define TESTS_SENSED_GROUND_H

#include "edits.h"
#include "graph_edits.h"

/* One of the two worlds. */
typedef struct ground_side {
    world w; /* of a grid; the space is that of a graph too */
    drawn_graph drawn;
    cairn_graph *graph; /* NULL: a grid */
    oracle *now;        /* of this version ... */
    uint64_t version;   /* ... of the world; NULL = none yet */
} ground_side;

typedef struct ground {
    ground_side truth, belief;
    ground_side *known; /* one of the two */
    uint32_t range;     /* of sensors; 0 = the truth is known */
    uint32_t count;     /* nodes */
    /* nothing is new to one who looks again from here, while both worlds are the same */
    cairn_node looked;
    uint64_t looked_truth, looked_known;
    watched memory;
    cairn_context *context;
    scene_rng rng;
} ground;

/* ---- life ------------------------------------------------------------------------------ */

static inline ground *ground_new(uint64_t seed)
{
    ground *g = calloc(1, sizeof *g);
    if (!g) abort();
    g->rng.state = seed;
    g->known = &g->truth;
    CHECK_OK(watched_context(&g->memory, &g->context));
    return g;
}

static inline void ground_side_end(ground_side *side)
{
    if (side->now) oracle_destroy(side->now);
    cairn_space_destroy(side->w.space);
    cairn_grid_destroy(side->w.grid);
    cairn_graph_destroy(side->graph);
    if (side->w.scene) scene_destroy(side->w.scene);
    drawn_free(&side->drawn);
}

static inline void ground_end(ground *g)
{
    ground_side_end(&g->belief);
    ground_side_end(&g->truth);
    cairn_context_destroy(g->context);
    CHECK(!g->memory.blocks && !g->memory.wrong_size, "memory was lost");
    free(g);
}

/* Takes over the scene. */
static inline ground *ground_of_scene(scene *s, uint64_t seed)
{
    ground *g = ground_new(seed);
    world *w = &g->truth.w;
    w->scene = s;
    CHECK_OK(scene_grid(s, g->context, &w->grid));
    CHECK_OK(cairn_space_of_grid(w->grid, &s->profile, &w->space, NULL));
    g->count = cairn_space_node_count(w->space);
    return g;
}

/* Small, of any kind. */
static inline ground *ground_of_grid(uint64_t seed)
{
    scene_rng rng = {seed};
    if (scene_random(&rng, 4) == 0) {
        scene *s = scene_noise("wide", 20, 16, 15 + scene_random(&rng, 20), seed);
        s->profile.corners = (cairn_corners)scene_random(&rng, CAIRN_CORNERS_COUNT);
        return ground_of_scene(s, seed);
    }
    world w = thrown_world(&rng, true);
    scene *s = w.scene;
    cairn_space_destroy(w.space);
    cairn_grid_destroy(w.grid);
    cairn_context_destroy(w.context);
    return ground_of_scene(s, seed);
}

static inline void ground_draw(ground *g, const cairn_graph_options *options)
{
    ground_side *truth = &g->truth;
    CHECK_OK(cairn_graph_create(g->context, options, &truth->graph, NULL));
    CHECK_OK(cairn_space_of_graph(truth->graph, &truth->w.space, NULL));
    truth->drawn = drawn_of(truth->graph);
    g->count = options->node_count;
}

/* Any edges, one way or both ways; now and then one node has edges to all others. */
static inline ground *ground_of_graph(uint64_t seed)
{
    enum { NODES = 150, EDGES = 400 };
    cairn_graph_edge edges[EDGES];
    cairn_position positions[NODES];
    ground *g = ground_new(seed);
    scene_rng *rng = &g->rng;
    bool hub = !scene_random(rng, 4);
    g->count = hub ? NODES : 40;
    uint32_t count = hub ? EDGES : 40 + scene_random(rng, 100);
    for (uint32_t i = 0; i < g->count; i++)
        positions[i] = (cairn_position){scene_random(rng, 900), scene_random(rng, 900), 0};
    for (uint32_t i = 0; i < count; i++) {
        bool ray = hub && i < g->count - 1;
        cairn_node a = ray ? 0 : scene_random(rng, g->count),
                   b = ray ? i + 1 : (a + 1 + scene_random(rng, g->count - 1)) % g->count;
        double dx = positions[a].x - positions[b].x, dy = positions[a].y - positions[b].y;
        uint32_t weight = (uint32_t)sqrt(dx * dx + dy * dy) + 1 + scene_random(rng, 90);
        edges[i] = (cairn_graph_edge){a, b, weight};
    }
    cairn_graph_options options = {.node_count = g->count,
                                   .edge_count = count,
                                   .edges = edges,
                                   .positions = scene_random(rng, 3) ? positions : NULL,
                                   .both_ways = hub || scene_random(rng, 2)};
    ground_draw(g, &options);
    return g;
}

/* ---- the oracle and edits -------------------------------------------------------------- */

static inline oracle *ground_oracle(ground_side *side)
{
    uint64_t version = cairn_space_version(side->w.space);
    if (side->now && side->version == version) return side->now;
    if (side->now) oracle_destroy(side->now);
    side->version = version;
    if (side->graph) {
        side->now = drawn_oracle(&side->drawn);
    } else {
        /* sized agents never cut corners: the profile of the space says so */
        side->w.raw = scene_raw(side->w.scene);
        side->now = oracle_of_grid(&side->w.raw, cairn_space_profile(side->w.space),
                                   cairn_space_scale(side->w.space));
    }
    side->now->costs_only = true;
    return side->now;
}

static inline uint64_t ground_cost(ground_side *side, cairn_node from, cairn_node to)
{
    oracle *o = ground_oracle(side);
    oracle_search(o, from);
    return from == to && o->usable[from] ? 0 : o->distance[to];
}

/* Any usable node; CAIRN_NO_NODE: there is none. */
static inline cairn_node ground_pick(ground *g)
{
    cairn_node first = scene_random(&g->rng, g->count);
    for (uint32_t i = 0; i < g->count; i++) {
        cairn_node node = (first + i) % g->count;
        if (cairn_space_usable(g->truth.w.space, node)) return node;
    }
    return CAIRN_NO_NODE;
}

static inline void ground_commit(ground_side *side)
{
    CHECK_OK(side->graph ? cairn_graph_commit(side->graph) : cairn_grid_commit(side->w.grid));
}

static inline void ground_edit(ground *g, ground_side *side)
{
    if (side->graph)
        drawn_edit(&side->drawn, side->graph, &g->rng);
    else
        edit_something(&side->w, true, &g->rng);
}

/* Closes, or opens again, a cell or an edge that the agent is about to use. */
static inline void ground_edit_ahead(ground *g, const cairn_navigator *navigator)
{
    cairn_node ahead[6];
    uint32_t count = cairn_navigator_ahead(navigator, ahead, LENGTH(ahead));
    uint32_t shown = count < LENGTH(ahead) ? count : (uint32_t)LENGTH(ahead);
    if (shown < 2) return;
    cairn_node node = ahead[1 + scene_random(&g->rng, shown - 1)];
    scene *s = g->truth.w.scene;
    if (s) {
        s->open[node] = !s->open[node];
        CHECK_OK(cairn_grid_set_open(g->truth.w.grid, (int32_t)(node % s->width),
                                     (int32_t)(node / s->width), s->open[node]));
    } else {
        bool *open = &g->truth.drawn.open[node];
        *open = !*open;
        CHECK_OK(cairn_graph_set_node_open(g->truth.graph, node, *open));
    }
}

/* ---- what is known --------------------------------------------------------------------- */

/* A plane of bytes: as the truth, or all the same. */
static inline uint8_t *ground_plane(const uint8_t *truth, bool known, uint8_t value, uint32_t count)
{
    uint8_t *plane = malloc(count);
    if (!plane) abort();
    memset(plane, value, count);
    if (known && truth) memcpy(plane, truth, count);
    if (known && !truth) memset(plane, 0, count);
    return plane;
}

static inline scene *ground_belief(const scene *truth, uint32_t what, uint8_t terrain)
{
    uint32_t count = truth->width * truth->height;
    scene *s = scene_blank("known", truth->width, truth->height);
    s->profile = truth->profile;
    s->hex = truth->hex;
    if (what & CAIRN_KNOW_OPEN) memcpy(s->open, truth->open, count);
    s->terrain = ground_plane(truth->terrain, what & CAIRN_KNOW_TERRAIN, terrain, count);
    s->layer = ground_plane(truth->layer, what & CAIRN_KNOW_LAYER, 0, count);
    s->elevation = calloc(count, sizeof *s->elevation);
    s->links = malloc((truth->link_count + 1) * sizeof *s->links);
    if (!s->elevation || !s->links) abort();
    if (what & CAIRN_KNOW_ELEVATION && truth->elevation)
        memcpy(s->elevation, truth->elevation, count * sizeof *s->elevation);
    if (what & CAIRN_KNOW_LINKS && truth->link_count) {
        memcpy(s->links, truth->links, truth->link_count * sizeof *s->links);
        s->link_count = truth->link_count;
    }
    return s;
}

/* From now on agents walk in what is known, and see so far. */
static inline void ground_forget(ground *g, uint32_t what, uint8_t terrain, uint32_t range)
{
    ground_side *truth = &g->truth, *belief = &g->belief;
    g->known = belief;
    g->range = range;
    g->looked = CAIRN_NO_NODE;
    if (truth->graph) {
        CHECK_OK(cairn_graph_known(truth->graph, what, &belief->graph, NULL));
        CHECK_OK(cairn_space_of_graph(belief->graph, &belief->w.space, NULL));
        belief->drawn = (drawn_graph){.node_count = g->count};
        belief->drawn.open = malloc(g->count * sizeof *belief->drawn.open);
        if (!belief->drawn.open) abort();
        for (cairn_node n = 0; n < g->count; n++)
            belief->drawn.open[n] = truth->drawn.open[n] || !(what & CAIRN_KNOW_OPEN);
        for (uint32_t i = 0; i < truth->drawn.edge_count; i++) {
            drawn_add(&belief->drawn, truth->drawn.edges[i].edge);
            if (what & CAIRN_KNOW_OPEN) belief->drawn.edges[i].open = truth->drawn.edges[i].open;
        }
        belief->drawn.positions = malloc(g->count * sizeof *belief->drawn.positions);
        return;
    }
    belief->w.scene = ground_belief(truth->w.scene, what, terrain);
    CHECK_OK(cairn_grid_known(truth->w.grid, what, terrain, &belief->w.grid, NULL));
    CHECK_OK(cairn_space_of_grid(belief->w.grid, &truth->w.scene->profile, &belief->w.space, NULL));
}

/* The least range that an agent can have: what its size takes up at the next cell. */
static inline uint32_t ground_least_range(const ground *g)
{
    const cairn_profile *profile = cairn_space_profile(g->truth.w.space);
    if (!profile) return 1;
    if (profile->footprint > 1) return profile->footprint;
    if (g->truth.w.scene->hex && profile->radius > 0) return 2;
    return profile->radius > 0.5 ? 2 : 1; /* these tests have none above 1.5 */
}

/* How many steps a cell is away from another one, over open ground with eight or six neighbours. */
static inline uint32_t cells_apart(const scene *s, cairn_node a, cairn_node b)
{
    int64_t ax = a % s->width, ay = a / s->width, bx = b % s->width, by = b / s->width;
    int64_t dy = by - ay;
    if (!s->hex) {
        int64_t dx = bx - ax;
        dx = dx < 0 ? -dx : dx, dy = dy < 0 ? -dy : dy;
        return (uint32_t)(dx > dy ? dx : dy);
    }
    /* in axes that lean to the left, and the third axis that follows from them */
    int64_t dq = (bx - (by - (by & 1)) / 2) - (ax - (ay - (ay & 1)) / 2), ds = -dq - dy;
    dq = dq < 0 ? -dq : dq, dy = dy < 0 ? -dy : dy, ds = ds < 0 ? -ds : ds;
    return (uint32_t)((dq + dy + ds) / 2);
}

static inline void see_cell(scene *known, const scene *truth, cairn_node node)
{
    uint32_t kept = 0;
    known->open[node] = truth->open[node];
    known->terrain[node] = truth->terrain ? truth->terrain[node] : 0;
    known->layer[node] = truth->layer ? truth->layer[node] : 0;
    known->elevation[node] = truth->elevation ? truth->elevation[node] : 0;
    for (uint32_t i = 0; i < known->link_count; i++)
        if (known->links[i].from != node) known->links[kept++] = known->links[i];
    known->link_count = kept;
    for (uint32_t i = 0; i < truth->link_count; i++) {
        if (truth->links[i].from != node) continue;
        known->links = realloc(known->links, (known->link_count + 2) * sizeof *known->links);
        if (!known->links) abort();
        known->links[known->link_count++] = truth->links[i];
    }
}

static inline void see_cells(scene *known, const scene *truth, cairn_node at, uint32_t range)
{
    for (cairn_node n = 0; n < truth->width * truth->height; n++)
        if (cells_apart(truth, at, n) <= range) see_cell(known, truth, n);
}

/* Of the edges that leave a node, whatever their ends are: to each node, that there is one, and the
 * weight of the cheapest that is open; 0 = none. */
typedef struct drawn_star {
    bool there[256];
    cairn_cost least[256];
} drawn_star;

static inline void drawn_leaving(const drawn_graph *d, cairn_node a, drawn_star *star)
{
    memset(star, 0, sizeof *star);
    for (uint32_t i = 0; i < d->edge_count; i++) {
        const drawn_edge *e = &d->edges[i];
        cairn_cost *least = &star->least[e->edge.to];
        if (e->edge.from != a) continue;
        star->there[e->edge.to] = true;
        if (e->open && (!*least || e->edge.weight < *least)) *least = e->edge.weight;
    }
}

static inline void see_edges(drawn_graph *known, const drawn_graph *truth, cairn_node a)
{
    drawn_star was, is;
    assert_true(truth->node_count <= LENGTH(was.there));
    drawn_leaving(known, a, &was);
    drawn_leaving(truth, a, &is);
    for (cairn_node b = 0; b < truth->node_count; b++) {
        if (was.there[b] || is.there[b]) known->open[b] = truth->open[b];
        if (was.least[b] == is.least[b]) continue;
        for (uint32_t i = 0; i < known->edge_count; i++) {
            drawn_edge *e = &known->edges[i];
            if (e->edge.from != a || e->edge.to != b) continue;
            e->open = is.least[b] != 0;
            if (is.least[b]) e->edge.weight = is.least[b];
        }
        if (!was.there[b]) drawn_add(known, (cairn_graph_edge){a, b, is.least[b]});
    }
}

static inline void see_nodes(drawn_graph *known, const drawn_graph *truth, cairn_node at,
                             uint32_t range)
{
    uint32_t *steps = malloc(truth->node_count * sizeof *steps);
    if (!steps) abort();
    for (cairn_node n = 0; n < truth->node_count; n++) steps[n] = n == at ? 0 : UINT32_MAX;
    for (uint32_t step = 1; step < range; step++) {
        for (uint32_t i = 0; i < truth->edge_count; i++) {
            const cairn_graph_edge *e = &truth->edges[i].edge;
            if (drawn_usable(truth, &truth->edges[i]) && steps[e->from] == step - 1 &&
                steps[e->to] > step)
                steps[e->to] = step;
        }
    }
    known->open[at] = truth->open[at];
    for (cairn_node n = 0; n < truth->node_count; n++)
        if (steps[n] != UINT32_MAX) see_edges(known, truth, n);
    free(steps);
}

/* An agent looks round: what is known by the arrays. */
static inline void ground_see(ground *g, cairn_node at)
{
    uint64_t truth_now = cairn_space_version(g->truth.w.space),
             known_now = cairn_space_version(g->known->w.space);
    if (!g->range ||
        (g->looked == at && g->looked_truth == truth_now && g->looked_known == known_now))
        return;
    g->looked = at, g->looked_truth = truth_now, g->looked_known = known_now;
    if (g->truth.graph) {
        see_nodes(&g->belief.drawn, &g->truth.drawn, at, g->range);
        return;
    }
    const scene *truth = g->truth.w.scene;
    see_cells(g->belief.w.scene, truth, at, g->range);
    for (uint32_t i = 0; i < truth->link_count; i++) {
        if (truth->links[i].from == at)
            see_cells(g->belief.w.scene, truth, truth->links[i].to, ground_least_range(g) - 1);
    }
}

/* ---- what the library knows is what the arrays say ------------------------------------------ */

static inline int link_order(const void *a, const void *b)
{
    const cairn_link *x = a, *y = b;
    uint32_t xs[] = {x->from, x->to, x->id, x->cost, x->kind},
             ys[] = {y->from, y->to, y->id, y->cost, y->kind};
    for (uint32_t i = 0; i < LENGTH(xs); i++)
        if (xs[i] != ys[i]) return xs[i] < ys[i] ? -1 : 1;
    return 0;
}

static inline int edge_order(const void *a, const void *b)
{
    const cairn_graph_edge *x = a, *y = b;
    uint32_t xs[] = {x->from, x->to, x->weight}, ys[] = {y->from, y->to, y->weight};
    for (uint32_t i = 0; i < LENGTH(xs); i++)
        if (xs[i] != ys[i]) return xs[i] < ys[i] ? -1 : 1;
    return 0;
}

static inline void check_links(const world *w)
{
    scene *s = w->scene;
    uint32_t count = cairn_grid_link_count(w->grid);
    cairn_link *links = malloc((count + 1) * sizeof *links);
    if (!links) abort();
    for (uint32_t i = 0; i < count; i++) links[i] = cairn_grid_link_at(w->grid, i);
    CHECK(count == s->link_count, "%u links are known, not %u", count, s->link_count);
    qsort(links, count, sizeof *links, link_order);
    if (count) qsort(s->links, count, sizeof *s->links, link_order);
    for (uint32_t i = 0; i < count; i++)
        CHECK(!link_order(&links[i], &s->links[i]), "another link is known from %u to %u",
              links[i].from, links[i].to);
    free(links);
}

static inline void check_edges(const ground_side *side)
{
    uint32_t count, at = 0;
    cairn_graph_edge *must = drawn_list(&side->drawn, &count);
    qsort(must, count, sizeof *must, edge_order);
    for (cairn_node n = 0; n < side->drawn.node_count; n++) {
        uint32_t degree = cairn_graph_degree(side->graph, n);
        cairn_graph_edge *edges = malloc((degree + 1) * sizeof *edges);
        if (!edges) abort();
        for (uint32_t i = 0; i < degree; i++) edges[i] = cairn_graph_edge_at(side->graph, n, i);
        qsort(edges, degree, sizeof *edges, edge_order);
        CHECK(cairn_graph_node_open(side->graph, n) == side->drawn.open[n], "node %u is open?", n);
        for (uint32_t i = 0; i < degree; i++, at++)
            CHECK(at < count && !edge_order(&edges[i], &must[at]), "another edge from %u to %u", n,
                  edges[i].to);
        free(edges);
    }
    CHECK(at == count, "%u edges are known, not %u", at, count);
    free(must);
}

static inline void ground_check_known(const ground *g)
{
    const ground_side *side = &g->belief;
    if (!g->range) return;
    if (side->graph) {
        check_edges(side);
        return;
    }
    const scene *s = side->w.scene;
    const cairn_grid *grid = side->w.grid;
    for (cairn_node n = 0; n < g->count; n++) {
        int32_t x = (int32_t)(n % s->width), y = (int32_t)(n / s->width);
        CHECK(cairn_grid_is_open(grid, x, y) == (s->open[n] != 0) &&
                  cairn_grid_terrain(grid, x, y) == s->terrain[n] &&
                  cairn_grid_layer(grid, x, y) == s->layer[n] &&
                  cairn_grid_elevation(grid, x, y) == s->elevation[n],
              "cell (%d, %d) is not known as it was seen", x, y);
    }
    check_links(&side->w);
}

#endif
