/* golden_repair.c: golden lines of worlds that change: what every algorithm answers after each of
 * some commits, and what its index and overlay are after the last, brought up to date by repairs.
 */
#include "golden.h"

#include <stdio.h>

enum { ROUNDS = 7, QUERIES = 3 };

typedef struct repair_hashes {
    uint64_t answers, index, overlay;
} repair_hashes;

/* Every fourth edit waits for the next one. Not in the background: without workers that repairs
 * what is rebuilt with them, so that answers may differ. */
static cairn_status repair_sync(cairn_planner *planner, uint32_t round)
{
    return round % 4 == 3 ? CAIRN_OK : cairn_planner_sync(planner, NULL, NULL);
}

static uint64_t repair_ask(const golden_world *w, cairn_search *search, scene_rng *rng)
{
    uint64_t hash = golden_start();
    for (uint32_t q = 0; q < QUERIES; q++) {
        cairn_query query = {.from = golden_world_pick(w, rng), .partial = q == 1};
        query.to = golden_world_pick(w, rng);
        const cairn_path *path = NULL;
        cairn_search_find(search, &query, &path);
        hash = golden_bytes(hash, golden_path(path, cairn_search_metrics(search)), 8);
    }
    return hash;
}

static void repair_planner(golden_world *w, cairn_planner *planner, repair_hashes *hashes,
                           uint64_t seed)
{
    cairn_search *search = NULL;
    scene_rng rng = {seed};
    if (cairn_search_create(planner, NULL, &search) != CAIRN_OK) return;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        cairn_status status = golden_edit(w, round, &rng);
        if (status == CAIRN_OK) status = repair_sync(planner, round);
        hashes->answers = golden_bytes(hashes->answers, (uint32_t)status, 4);
        hashes->answers = golden_bytes(hashes->answers, repair_ask(w, search, &rng), 8);
    }
    hashes->index = golden_bytes(hashes->index, golden_index(planner), 8);
    hashes->overlay = golden_bytes(hashes->overlay, golden_overlay(planner), 8);
    cairn_search_destroy(search);
}

static repair_hashes repair_world(cairn_context *context, const char *where, const char *name)
{
    golden_world w;
    repair_hashes hashes = {golden_start(), golden_start(), golden_start()};
    for (uint32_t rule = 0; golden_world_open(&w, context, where, rule); rule += 2) {
        cairn_planner *planner = golden_world_plan(&w, name);
        if (planner) repair_planner(&w, planner, &hashes, 600 + rule);
        cairn_planner_destroy(planner);
        golden_world_close(&w);
    }
    golden_world_close(&w);
    return hashes;
}

static void repair_print(const char *what, const char *name, const char *where, uint64_t hash)
{
    char line[120];
    snprintf(line, sizeof line, "%s.%s", what, name);
    golden_print(line, where, hash);
}

static void repair_print_all(cairn_context *context, const char *where, const char *spec,
                             bool indexed)
{
    repair_hashes hashes = repair_world(context, where, spec);
    repair_print("repaired", spec, where, hashes.answers);
    if (!indexed) return;
    repair_print("repaired-index", spec, where, hashes.index);
    repair_print("repaired-overlay", spec, where, hashes.overlay);
}

void golden_repairs(cairn_context *context)
{
    static const char *const worlds[] = {"rooms", "band",    "blocks", "swamps",
                                         "wide",  "network", "cliffs", "hex-all"};
    char spec[GOLDEN_SPEC];
    for (uint32_t a = 0; a < golden_spec_count(); a++) {
        const cairn_algorithm *algorithm = golden_spec_algorithm(a);
        bool indexed = algorithm->flags & CAIRN_NEEDS_INDEX,
             repairs = algorithm->flags & CAIRN_REPAIRS && a < cairn_algorithm_count();
        for (uint32_t i = 0; i < sizeof worlds / sizeof *worlds; i++)
            repair_print_all(context, worlds[i], golden_spec_at(a), indexed);
        for (uint32_t i = 0; repairs && golden_other_spec(algorithm, i, spec); i++)
            repair_print_all(context, "rooms", spec, indexed);
    }
}
