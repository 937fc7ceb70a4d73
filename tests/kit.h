/* kit.h: a world with one space, one planner at a time and one search, for tests that look
 * closely at single algorithms.
 */
#ifndef TESTS_KIT_H
#define TESTS_KIT_H

#include "scenes.h"
#include "support.h"

typedef struct kit {
    cairn_context *context;
    cairn_graph *graph;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
} kit;

static inline void kit_plan(kit *k, const char *spec)
{
    cairn_search_destroy(k->search);
    cairn_planner_destroy(k->planner);
    k->search = NULL, k->planner = NULL;
    cairn_error error = {0};
    CHECK(planner_ready(k->space, spec, &k->planner, &error) == CAIRN_OK, "%s: %s", spec,
          error.text);
    CHECK_OK(cairn_search_create(k->planner, NULL, &k->search));
}

static inline kit kit_of_edges(uint32_t nodes, const cairn_graph_edge *edges, uint32_t count)
{
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    cairn_graph_options options = {.node_count = nodes, .edge_count = count, .edges = edges};
    CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    return k;
}

static inline kit kit_of_scene(const scene *s, const cairn_profile *profile)
{
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, profile, &k.space, NULL));
    return k;
}

static inline void kit_close(kit *k)
{
    cairn_search_destroy(k->search);
    cairn_planner_destroy(k->planner);
    cairn_space_destroy(k->space);
    cairn_grid_destroy(k->grid);
    cairn_graph_destroy(k->graph);
    cairn_context_destroy(k->context);
}

/* With the scene that it was made of. */
static inline void kit_end(kit *k, scene *s)
{
    kit_close(k);
    scene_destroy(s);
}

/* How much more expensive than the best, in per cent, on the mean of some queries: with the planner
 * that it has ... */
static inline double kit_costlier_now(kit *k, uint32_t queries)
{
    scene_rng rng = {7};
    kit best = *k;
    best.planner = NULL, best.search = NULL;
    kit_plan(&best, "astar");
    double sum = 0;
    uint32_t count = cairn_space_node_count(k->space), asked = 0;
    while (asked < queries) {
        cairn_query query = {.from = scene_random(&rng, count), .to = scene_random(&rng, count)};
        const cairn_path *a, *b;
        if (cairn_search_find(best.search, &query, &a) != CAIRN_FOUND || !a->cost) continue;
        CHECK_STATUS(cairn_search_find(k->search, &query, &b), CAIRN_FOUND);
        assert_true(b->cost >= a->cost);
        sum += (double)b->cost / a->cost - 1;
        asked++;
    }
    cairn_search_destroy(best.search);
    cairn_planner_destroy(best.planner);
    return 100 * sum / queries;
}

/* ... and with another one. */
static inline double kit_costlier(kit *k, const char *spec, uint32_t queries)
{
    kit_plan(k, spec);
    return kit_costlier_now(k, queries);
}

#endif
