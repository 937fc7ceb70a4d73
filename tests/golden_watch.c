/* golden_watch.c: golden lines of traces: every event of some queries of every algorithm. */
#include "golden.h"

#include <stdio.h>

enum { QUERIES = 4 };

static void watch_event(void *user, const cairn_event *event)
{
    uint64_t *hash = user;
    *hash = golden_bytes(*hash, (uint32_t)event->kind, 4);
    *hash = golden_bytes(*hash, event->level, 4);
    *hash = golden_bytes(*hash, event->node, 4);
    *hash = golden_bytes(*hash, event->parent, 4);
    *hash = golden_bytes(*hash, event->g, 4);
    *hash = golden_bytes(*hash, event->h, 4);
}

/* Whole, within a budget, in pieces, and to what is near a cell. */
static cairn_query watch_query(const golden_world *w, uint32_t q, uint32_t flags, scene_rng *rng)
{
    cairn_query query = {.from = golden_world_pick(w, rng)};
    query.to = golden_world_pick(w, rng);
    if (q % 4 == 1) query.max_work = 40, query.partial = true;
    if (q % 4 == 2) query.piece = 5;
    if (q % 4 == 3 && (flags & CAIRN_MANY_GOALS)) query.goal_kind = CAIRN_GOAL_NEXT_TO;
    return query;
}

static uint64_t watch_planner(golden_world *w, cairn_planner *planner, uint64_t hash, uint64_t seed)
{
    cairn_search *search = NULL;
    if (cairn_search_create(planner, NULL, &search) != CAIRN_OK) return 0;
    cairn_trace_sink sink = {watch_event, &hash};
    scene_rng rng = {seed};
    cairn_search_trace(search, &sink);
    for (uint32_t q = 0; q < QUERIES; q++) {
        cairn_query query = watch_query(w, q, cairn_planner_algorithm(planner)->flags, &rng);
        const cairn_path *path = NULL;
        cairn_status status = cairn_search_find(search, &query, &path);
        while (status == CAIRN_FOUND && path->partial)
            status = cairn_search_find_next(search, &path);
        hash = golden_bytes(hash, golden_path(path, cairn_search_metrics(search)), 8);
    }
    cairn_search_destroy(search);
    return hash;
}

static uint64_t watch_algorithm(cairn_context *context, const char *name, const char *where)
{
    uint64_t hash = golden_start();
    golden_world w;
    for (uint32_t rule = 0; golden_world_open(&w, context, where, rule); rule += 2) {
        cairn_planner *planner = golden_world_plan(&w, name);
        hash = planner ? watch_planner(&w, planner, hash, 400 + rule) : golden_bytes(hash, 1, 8);
        cairn_planner_destroy(planner);
        golden_world_close(&w);
    }
    golden_world_close(&w);
    return hash;
}

void golden_traces(cairn_context *context)
{
    static const char *const worlds[] = {"rooms",    "gaps",    "blocks",    "everything",
                                         "network",  "hex-all", "hex-dense", "roads",
                                         "directed", "abstract"};
    for (uint32_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        for (uint32_t a = 0; a < golden_spec_count(); a++) {
            char what[80];
            snprintf(what, sizeof what, "trace.%s", golden_spec_at(a));
            golden_print(what, worlds[i], watch_algorithm(context, golden_spec_at(a), worlds[i]));
        }
    }
}
