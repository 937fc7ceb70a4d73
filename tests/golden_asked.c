/* golden_asked.c: golden lines of every kind of query, one line for a kind: among them those that
 * an algorithm delegates to A*, for the query's sake or for the world's (links, one-way steps,
 * ground that differs). What a search tells afterwards (costs and paths to other nodes, all that
 * was reached) is hashed, too.
 */
#include "golden.h"

#include <stdio.h>

enum { GOALS = 3, PROBES = 4 };

enum {
    ASKED_PLAIN,
    ASKED_GOALS,
    ASKED_NEXT_TO,
    ASKED_WITHIN,
    ASKED_NONE,
    ASKED_COST,
    ASKED_ESTIMATE,
    ASKED_PARTIAL,
    ASKED_PIECES,
    ASKED_COUNT
};
static const char *const asked_names[] = {"plain",    "goals",    "next-to", "within", "none",
                                          "max-cost", "estimate", "partial", "pieces"};

/* What a query points to. */
typedef struct asked_ends {
    const cairn_space *space;
    cairn_node goals[GOALS];
} asked_ends;

/* An estimate that is never too large, and not consistent. */
static cairn_cost asked_estimate(void *user, cairn_node node)
{
    const asked_ends *ends = user;
    return node % 3 ? cairn_estimate(ends->space, CAIRN_HEURISTIC_AUTO, node, ends->goals[0]) : 0;
}

static cairn_query asked_query(const golden_world *w, uint32_t kind, asked_ends *ends,
                               scene_rng *rng)
{
    cairn_query query = {.from = golden_world_pick(w, rng)};
    ends->space = w->space;
    for (uint32_t i = 0; i < GOALS; i++) ends->goals[i] = golden_world_pick(w, rng);
    query.to = ends->goals[0];
    switch (kind) {
    case ASKED_GOALS: query.goals = ends->goals, query.goal_count = GOALS; break;
    case ASKED_NEXT_TO: query.goal_kind = CAIRN_GOAL_NEXT_TO; break;
    case ASKED_WITHIN: query.goal_kind = CAIRN_GOAL_WITHIN, query.radius = 3.5; break;
    case ASKED_NONE: query.goal_kind = CAIRN_GOAL_NONE, query.max_cost = 60000; break;
    case ASKED_COST: query.max_cost = 100000; break;
    case ASKED_ESTIMATE: query.estimate = asked_estimate, query.estimate_user = ends; break;
    case ASKED_PARTIAL: query.partial = true, query.max_work = 60; break;
    case ASKED_PIECES: query.piece = 4; break;
    default: break;
    }
    return query;
}

static void asked_visit(void *user, cairn_node node, cairn_cost cost)
{
    uint64_t *hash = user;
    *hash = golden_bytes(golden_bytes(*hash, node, 4), cost, 4);
}

static uint64_t asked_afterwards(const golden_world *w, cairn_search *search, uint64_t hash,
                                 scene_rng *rng)
{
    cairn_search_reached(search, asked_visit, &hash);
    for (uint32_t i = 0; i < PROBES; i++) {
        cairn_node node = golden_world_pick(w, rng);
        const cairn_path *path = NULL;
        hash = golden_bytes(hash, cairn_search_cost_to(search, node), 4);
        cairn_search_path_to(search, node, &path);
        if (path) hash = golden_bytes(hash, golden_path(path, cairn_search_metrics(search)), 8);
    }
    return hash;
}

static uint64_t asked_once(golden_world *w, cairn_search *search, uint32_t kind, scene_rng *rng)
{
    asked_ends ends;
    cairn_query query = asked_query(w, kind, &ends, rng);
    const cairn_path *path = NULL;
    uint64_t hash = golden_start();
    cairn_status status = cairn_search_find(search, &query, &path);
    for (;; status = cairn_search_find_next(search, &path)) {
        hash = golden_bytes(hash, golden_path(path, cairn_search_metrics(search)), 8);
        hash = golden_number(hash, path->suboptimality_bound);
        if (status != CAIRN_FOUND || !path->partial) break;
    }
    return asked_afterwards(w, search, hash, rng);
}

static void asked_planner(golden_world *w, cairn_planner *planner, uint64_t *hashes, uint64_t seed)
{
    cairn_search *search = NULL;
    scene_rng rng = {seed};
    if (cairn_search_create(planner, NULL, &search) != CAIRN_OK) return;
    for (uint32_t i = 0; i < 2 * ASKED_COUNT; i++) {
        uint64_t *hash = &hashes[i % ASKED_COUNT];
        *hash = golden_bytes(*hash, asked_once(w, search, i % ASKED_COUNT, &rng), 8);
    }
    cairn_search_destroy(search);
}

static void asked_world(cairn_context *context, const char *where, const char *name,
                        uint64_t *hashes)
{
    golden_world w;
    for (uint32_t rule = 0; golden_world_open(&w, context, where, rule); rule += 3) {
        cairn_planner *planner = golden_world_plan(&w, name);
        if (planner) asked_planner(&w, planner, hashes, 500 + rule);
        cairn_planner_destroy(planner);
        golden_world_close(&w);
    }
    golden_world_close(&w);
}

void golden_asked(cairn_context *context)
{
    static const char *const worlds[] = {"blocks",      "gaps", "swamps", "doors", "cliffs",
                                         "hex-portals", "wide", "roads",  "ring",  "directed"};
    for (uint32_t a = 0; a < golden_spec_count(); a++) {
        const char *name = golden_spec_at(a);
        uint64_t hashes[ASKED_COUNT];
        char what[80];
        for (uint32_t kind = 0; kind < ASKED_COUNT; kind++) hashes[kind] = golden_start();
        for (uint32_t i = 0; i < sizeof worlds / sizeof *worlds; i++)
            asked_world(context, worlds[i], name, hashes);
        snprintf(what, sizeof what, "asked.%s", name);
        for (uint32_t kind = 0; kind < ASKED_COUNT; kind++)
            golden_print(what, asked_names[kind], hashes[kind]);
    }
}
