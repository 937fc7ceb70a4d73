/* ground.h: worlds for navigators that are optimal at every step: grids and graphs that are edited
 * under an agent's feet, and an oracle that says what the rest of its path may cost in the world as
 * it is at that moment.
 */
#ifndef TESTS_GROUND_H
#define TESTS_GROUND_H

#include "edits.h"
#include "graph_edits.h"
#include "kit.h"

/* ---- the world ---------------------------------------------------------------------- */

/* A grid or a graph. */
typedef struct ground {
    world w; /* of a grid */
    drawn_graph drawn;
    kit k; /* of a graph */
    cairn_space *space;
    uint32_t count; /* nodes */
    bool heavy;     /* costs may not fit into 32 bits */
    oracle *now;    /* NULL = the world has changed since */
    scene_rng rng;
} ground;

static inline ground ground_of_world(world w, scene_rng rng)
{
    ground g = {.w = w, .rng = rng};
    g.space = w.space;
    g.count = cairn_space_node_count(g.space);
    return g;
}

static inline ground ground_of_grid(uint64_t seed)
{
    scene_rng rng = {seed};
    if (scene_random(&rng, 3)) {
        world w = thrown_world(&rng, true);
        return ground_of_world(w, rng);
    }
    scene *s = scene_noise("wide", 30, 24, 15 + scene_random(&rng, 20), seed);
    s->profile.corners = (cairn_corners)scene_random(&rng, CAIRN_CORNERS_COUNT);
    return ground_of_world(world_of(s), rng);
}

static inline void ground_draw(ground *g, const cairn_graph_options *options)
{
    CHECK_OK(cairn_context_create(NULL, &g->k.context));
    CHECK_OK(cairn_graph_create(g->k.context, options, &g->k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(g->k.graph, &g->k.space, NULL));
    g->drawn = drawn_of(g->k.graph);
    g->space = g->k.space;
    g->count = options->node_count;
}

/* Any edges, one way or both ways. Now and then one node has edges to all others: then expanding it
 * takes several units of work. */
static inline ground ground_of_graph(uint64_t seed)
{
    enum { NODES = 250, EDGES = 600 };
    static cairn_graph_edge edges[EDGES];
    static cairn_position positions[NODES];
    ground g = {.rng = {seed}};
    bool hub = !scene_random(&g.rng, 4);
    g.heavy = !scene_random(&g.rng, 8);
    g.count = hub ? NODES : 48;
    uint32_t count = hub ? EDGES : 40 + scene_random(&g.rng, 120);
    for (uint32_t i = 0; i < g.count; i++)
        positions[i] = (cairn_position){scene_random(&g.rng, 900), scene_random(&g.rng, 900), 0};
    for (uint32_t i = 0; i < count; i++) {
        bool ray = hub && i < g.count - 1;
        cairn_node a = ray ? 0 : scene_random(&g.rng, g.count),
                   b = ray ? i + 1 : (a + 1 + scene_random(&g.rng, g.count - 1)) % g.count;
        double dx = positions[a].x - positions[b].x, dy = positions[a].y - positions[b].y;
        uint32_t weight = (uint32_t)sqrt(dx * dx + dy * dy) + 1 + scene_random(&g.rng, 90);
        /* paths may cost more than 32 bits hold */
        edges[i] = (cairn_graph_edge){a, b, g.heavy ? weight * 900000 : weight};
    }
    cairn_graph_options options = {.node_count = g.count,
                                   .edge_count = count,
                                   .edges = edges,
                                   .positions = scene_random(&g.rng, 3) ? positions : NULL,
                                   .both_ways = hub || scene_random(&g.rng, 2)};
    ground_draw(&g, &options);
    if (g.heavy) g.drawn.scale = 900000;
    return g;
}

static inline void ground_end(ground *g)
{
    if (g->now) oracle_destroy(g->now);
    if (g->k.graph) {
        kit_close(&g->k);
        drawn_free(&g->drawn);
    } else {
        world_end(&g->w);
    }
}

static inline oracle *ground_oracle(ground *g)
{
    if (g->now) return g->now;
    if (g->k.graph) return g->now = drawn_oracle(&g->drawn);
    g->w.raw = scene_raw(g->w.scene);
    /* sized agents never cut corners: the profile of the space says so */
    return g->now = oracle_of_grid(&g->w.raw, cairn_space_profile(g->space),
                                   cairn_space_scale(g->space));
}

static inline uint64_t ground_cost(ground *g, cairn_node from, cairn_node to)
{
    oracle *o = ground_oracle(g);
    o->costs_only = true;
    oracle_search(o, from);
    return from == to && o->usable[from] ? 0 : o->distance[to];
}

static inline void ground_commit(ground *g)
{
    if (g->now) oracle_destroy(g->now);
    g->now = NULL;
    CHECK_OK(g->k.graph ? cairn_graph_commit(g->k.graph) : cairn_grid_commit(g->w.grid));
}

static inline void ground_edit(ground *g)
{
    if (g->k.graph)
        drawn_edit(&g->drawn, g->k.graph, &g->rng);
    else
        edit_something(&g->w, true, &g->rng);
}

/* Closes, or opens again, a cell on the path of the agent. */
static inline void ground_edit_ahead(ground *g, const cairn_navigator *navigator)
{
    cairn_node ahead[8];
    uint32_t count = cairn_navigator_ahead(navigator, ahead, LENGTH(ahead));
    uint32_t shown = count < LENGTH(ahead) ? count : (uint32_t)LENGTH(ahead);
    if (g->k.graph || shown < 2) return;
    cairn_node node = ahead[1 + scene_random(&g->rng, shown - 1)];
    scene *s = g->w.scene;
    s->open[node] = !s->open[node];
    CHECK_OK(cairn_grid_set_open(g->w.grid, (int32_t)(node % s->width), (int32_t)(node / s->width),
                                 s->open[node]));
}

/* ---- kinds of worlds ------------------------------------------------------------------ */

typedef enum ground_kind {
    GROUND_SQUARES_4,
    GROUND_SQUARES_8,
    GROUND_HEXAGONS,
    GROUND_TERRAIN,
    GROUND_HEIGHTS,
    GROUND_SIZES,
    GROUND_LINKS,
    GROUND_GRIDS,
    GROUND_BOTH_WAYS = GROUND_GRIDS, /* graphs */
    GROUND_DIRECTED,
    GROUND_KINDS
} ground_kind;

static const char *const ground_kind_names[GROUND_KINDS] = {"squares, 4", "squares, 8", "hexagons",
                                                            "terrain",    "heights",    "sizes",
                                                            "links",      "both ways",  "directed"};

static inline bool ground_is(const ground *g, ground_kind kind)
{
    const scene *s = g->k.graph ? NULL : g->w.scene;
    const cairn_profile *p = s ? cairn_space_profile(g->space) : NULL;
    if (!s) return kind == (cairn_space_directed(g->space) ? GROUND_DIRECTED : GROUND_BOTH_WAYS);
    switch (kind) {
    case GROUND_SQUARES_4: return p->neighbours == CAIRN_NEIGHBOURS_4;
    case GROUND_SQUARES_8: return p->neighbours == CAIRN_NEIGHBOURS_8;
    case GROUND_HEXAGONS: return p->neighbours == CAIRN_NEIGHBOURS_HEX;
    case GROUND_TERRAIN: return s->terrain;
    case GROUND_HEIGHTS: return s->elevation;
    case GROUND_SIZES: return p->radius > 0 || p->footprint > 1;
    case GROUND_LINKS: return s->link_count;
    case GROUND_BOTH_WAYS:
    case GROUND_DIRECTED:
    case GROUND_KINDS: break;
    }
    return false;
}

/* Lives in each kind of world. */
typedef struct ground_tally {
    uint32_t of[GROUND_KINDS];
} ground_tally;

static inline void ground_count(ground_tally *t, const ground *g)
{
    for (uint32_t k = 0; k < GROUND_KINDS; k++) t->of[k] += ground_is(g, (ground_kind)k);
}

/* Few seeds are few worlds. So one more life is lived, by the `next` one of those that live, in a
 * world of each kind that none was in so far. CAIRN_TEST_TELL=1 says how many were in each. */
static inline void ground_live_in_all(ground_tally *t, ground (*make)(uint64_t seed),
                                      uint64_t factor, void (*live)(ground *g, uint32_t next))
{
    enum { FIRST = 100000, TRIES = 2000 };
    ground any = make(factor);
    uint32_t k = any.k.graph ? GROUND_GRIDS : 0, end = any.k.graph ? GROUND_KINDS : GROUND_GRIDS;
    ground_end(&any);
    for (; k < end; k++) {
        for (uint64_t seed = FIRST; !t->of[k] && seed < FIRST + TRIES; seed++) {
            ground g = make(seed * factor);
            if (ground_is(&g, (ground_kind)k) && !g.heavy) {
                ground_count(t, &g);
                live(&g, k);
            }
            ground_end(&g);
        }
        CHECK(t->of[k], "no life in %s", ground_kind_names[k]);
        if (getenv("CAIRN_TEST_TELL"))
            print_error("%s: %u lives\n", ground_kind_names[k], t->of[k]);
    }
}

/* ---- one agent ---------------------------------------------------------------------- */

static inline void check_ahead(ground *g, const cairn_navigator *navigator, const char *name)
{
    cairn_node ahead[1024], at = cairn_navigator_at(navigator);
    cairn_node goal = cairn_navigator_goal(navigator);
    uint32_t count = cairn_navigator_ahead(navigator, ahead, LENGTH(ahead));
    if (!count) return;
    CHECK(count <= LENGTH(ahead) && ahead[0] == at && ahead[count - 1] == goal,
          "%s: the path ahead leads from %u to %u", name, ahead[0], ahead[count - 1]);
    uint64_t sum = 0;
    for (uint32_t i = 0; i + 1 < count; i++)
        sum += oracle_edge(ground_oracle(g), ahead[i], ahead[i + 1]);
    CHECK(sum == ground_cost(g, at, goal), "%s: the path ahead costs %llu, not %llu", name,
          (unsigned long long)sum, (unsigned long long)ground_cost(g, at, goal));
}

/* A step is one of the world, and who stops has no path. */
static inline void check_legal(ground *g, const cairn_navigator *navigator, const cairn_move *m,
                               const char *name)
{
    cairn_node goal = cairn_navigator_goal(navigator);
    uint64_t best = ground_cost(g, m->from, goal);
    if (m->kind == CAIRN_MOVE_STOP) {
        cairn_status must = !g->now->usable[m->from] ? CAIRN_BLOCKED_START
                            : !g->now->usable[goal]  ? CAIRN_BLOCKED_GOAL
                            : best == ORACLE_NONE    ? CAIRN_UNREACHABLE
                                                     : CAIRN_COST_OVERFLOW;
        CHECK(best == ORACLE_NONE || best >= CAIRN_NO_COST, "%s: stops at %u, %llu from %u: %s",
              name, m->from, (unsigned long long)best, goal, cairn_status_text(m->status));
        /* beyond what costs too much nobody has looked */
        bool unknown = g->heavy && m->status == CAIRN_COST_OVERFLOW && must == CAIRN_UNREACHABLE;
        CHECK(m->status == must || unknown, "%s: stops: \"%s\", not \"%s\"", name,
              cairn_status_text(m->status), cairn_status_text(must));
    } else if (m->kind == CAIRN_MOVE_STEP) {
        CHECK(m->cost == oracle_edge(g->now, m->from, m->to), "%s: a step of %u", name, m->cost);
    }
}

/* And it is a step of a cheapest path. */
static inline void check_move(ground *g, const cairn_navigator *navigator, const cairn_move *m,
                              const char *name)
{
    check_legal(g, navigator, m, name);
    if (m->kind != CAIRN_MOVE_STEP) return;
    cairn_node goal = cairn_navigator_goal(navigator);
    uint64_t best = ground_cost(g, m->from, goal), rest = ground_cost(g, m->to, goal);
    CHECK(m->cost + rest == best, "%s: from %u over %u to %u costs %llu, the best %llu", name,
          m->from, m->to, goal, (unsigned long long)(m->cost + rest), (unsigned long long)best);
    check_ahead(g, navigator, name);
}

static inline cairn_node any_node(ground *g)
{
    cairn_node node = scene_random(&g->rng, g->count);
    for (uint32_t i = 0; i < 30 && !cairn_space_usable(g->space, node); i++)
        node = scene_random(&g->rng, g->count);
    return node;
}

static inline cairn_move think(cairn_navigator *navigator, uint64_t *expanded)
{
    cairn_move m = {.status = CAIRN_RUNNING};
    for (uint32_t i = 0; m.status == CAIRN_RUNNING; i++) {
        CHECK(i < 1000000, "it thinks without end");
        cairn_navigator_next(navigator, &m);
        *expanded += m.expanded;
    }
    return m;
}

#endif
