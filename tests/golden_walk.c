/* golden_walk.c: golden lines of navigators: every move of a walk of every algorithm, through a
 * world that is edited meanwhile, with another goal after a while, and pushed elsewhere once.
 */
#include "golden.h"

#include <stdio.h>

enum { CALLS = 70, EDIT_EVERY = 8, RETARGET_AT = 30, PUSH_AT = 50, AHEAD = 4 };

/* What a call did; units of work may be counted otherwise one day, so they are left out. */
static uint64_t walk_move(uint64_t hash, const cairn_move *move)
{
    hash = golden_bytes(hash, (uint32_t)move->kind, 4);
    hash = golden_bytes(hash, (uint32_t)move->status, 4);
    hash = golden_bytes(golden_bytes(hash, move->from, 4), move->to, 4);
    hash = golden_bytes(golden_bytes(hash, move->arrived, 1), move->linked, 1);
    hash = golden_bytes(golden_bytes(hash, move->link, 4), move->cost, 4);
    hash = golden_bytes(hash, move->expanded, 8);
    hash = golden_bytes(golden_bytes(hash, move->plans, 4), move->pieces, 4);
    return golden_bytes(golden_bytes(hash, move->syncs, 4), move->broken, 1);
}

/* Something in the path, or anything anywhere. Graphs do not change. */
static void walk_edit(golden_world *w, const cairn_navigator *navigator, uint32_t call,
                      scene_rng *rng)
{
    cairn_node ahead[AHEAD];
    if (!w->grid) return;
    uint32_t count = cairn_navigator_ahead(navigator, ahead, AHEAD);
    if (call / EDIT_EVERY % 2 && count > 1) {
        cairn_cell c = cairn_grid_cell(w->grid, ahead[count < AHEAD ? count - 1 : AHEAD - 1]);
        cairn_grid_set_open(w->grid, c.x, c.y, false);
    }
    golden_edit(w, call / EDIT_EVERY, rng);
}

static uint64_t walk_navigator(golden_world *w, cairn_navigator *navigator, uint64_t hash,
                               scene_rng *rng)
{
    cairn_node from = golden_world_pick(w, rng), to = golden_world_pick(w, rng);
    hash = golden_bytes(hash, (uint32_t)cairn_navigator_start(navigator, from, to), 4);
    for (uint32_t call = 1; call <= CALLS; call++) {
        cairn_move move;
        cairn_navigator_next(navigator, &move);
        hash = walk_move(hash, &move);
        if (call % EDIT_EVERY == 0) walk_edit(w, navigator, call, rng);
        to = golden_world_pick(w, rng);
        if (call == RETARGET_AT) cairn_navigator_retarget(navigator, to);
        if (call == PUSH_AT) cairn_navigator_start(navigator, golden_world_pick(w, rng), to);
    }
    return golden_bytes(hash, cairn_navigator_sums(navigator).cost, 8);
}

static uint64_t walk_world(cairn_context *context, const char *where, const char *name,
                           const cairn_navigator_options *options)
{
    golden_world w;
    uint64_t hash = golden_start();
    for (uint32_t rule = 0; golden_world_open(&w, context, where, rule); rule += 3) {
        cairn_planner *planner = golden_world_plan(&w, name);
        cairn_navigator *navigator = NULL;
        scene_rng rng = {700 + rule};
        if (planner && cairn_navigator_create(planner, options, &navigator) == CAIRN_OK)
            hash = walk_navigator(&w, navigator, hash, &rng);
        cairn_navigator_destroy(navigator);
        cairn_planner_destroy(planner);
        golden_world_close(&w);
    }
    golden_world_close(&w);
    return hash;
}

void golden_walks(cairn_context *context)
{
    static const char *const worlds[] = {"rooms",   "blocks",  "everything",
                                         "network", "hex-all", "roads"};
    cairn_navigator_options plain = cairn_navigator_defaults(), other = plain;
    other.replan = CAIRN_REPLAN_CHANGED;
    other.work = 150;
    other.piece = 6;
    for (uint32_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        for (uint32_t a = 0; a < golden_spec_count(); a++) {
            const char *name = golden_spec_at(a);
            char what[80];
            snprintf(what, sizeof what, "walk.%s", name);
            golden_print(what, worlds[i], walk_world(context, worlds[i], name, &plain));
            snprintf(what, sizeof what, "walk-sliced.%s", name);
            golden_print(what, worlds[i], walk_world(context, worlds[i], name, &other));
        }
    }
}
