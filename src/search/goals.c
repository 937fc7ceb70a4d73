/* goals.c: resolves the goals of a query to a list of usable nodes and a box round them.
 *
 * Algorithms only know that list. Functions of the space turn "next to" and "within" into nodes
 * here. There may be as many as the world has nodes, so it is done in stages that can be
 * interrupted: the goals that were asked for are checked, all nodes are collected, the list is
 * sorted, and what can be reached is kept.
 */
#include "search/search.h"
#include <math.h>

/* This many nodes are looked at in a unit of work, and a piece more. */
#define GOALS_LOOKS 256u
/* What a piece of "next to" or "within" counts for, besides the nodes that it finds. */
#define GOALS_PIECE_LOOKS (CRN_SPACE_PIECE / 2)
/* This many items are sifted at a time, and each counts for this many nodes. */
#define GOALS_SIFTS 32u
#define GOALS_SIFT_LOOKS 8u
/* The same of goals whose component is asked for. */
#define GOALS_CHOICES 64u
#define GOALS_CHOICE_LOOKS 4u
/* A list of more goals grows by moving this many at a time, each time for this many nodes. */
#define GOALS_MOVED 16384u
#define GOALS_MOVE_LOOKS 48u

static const cairn_node *goals_asked(const cairn_query *query, uint32_t *count)
{
    *count = query->goals ? query->goal_count : 1;
    return query->goals ? query->goals : &query->to;
}

static cairn_status goals_add(cairn_search *search, cairn_node node)
{
    if (!cairn_space_usable(search->space, node)) return CAIRN_OK;
    void *goals = search->goals;
    if (!crn_scratch_grow(&search->memory, &goals, &search->goal_capacity, search->goal_count + 1,
                          sizeof *search->goals)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    search->goals = goals;
    if (search->goal_count && search->goals[search->goal_count - 1] >= node)
        search->resolving.sorted = false;
    search->goals[search->goal_count++] = node;
    return CAIRN_OK;
}

/* ---- stages: each does a piece, and returns how many nodes it has looked at ---- */

static void goals_enter(crn_resolving *resolving, crn_resolve_stage stage)
{
    resolving->stage = stage;
    resolving->at = resolving->goal = 0;
    resolving->place = 0;
}

/* Are they nodes? What lies round them is what a partial path aims at. */
static uint32_t goals_check(cairn_search *search, cairn_status *status)
{
    crn_resolving *resolving = &search->resolving;
    uint32_t count, first = resolving->goal;
    const cairn_node *goals = goals_asked(&search->query, &count);
    uint32_t end = crn_min_u32(count - first, CRN_SPACE_PIECE) + first;
    for (; resolving->goal < end; resolving->goal++) {
        cairn_node goal = goals[resolving->goal];
        if (goal >= search->space->node_count) {
            *status = CAIRN_OUT_OF_BOUNDS;
            return 0;
        }
        crn_box_add(&search->aim, search->space, goal);
    }
    if (end == count) goals_enter(resolving, CRN_RESOLVE_COLLECT);
    return end - first;
}

/* What the goal that it has come to stands for: the next piece. */
static uint32_t goals_round(cairn_search *search, cairn_node goal, cairn_node *found)
{
    const cairn_query *query = &search->query;
    uint32_t *at = &search->resolving.at;
    if (query->goal_kind == CAIRN_GOAL_NEXT_TO)
        return crn_space_next_to(search->space, goal, at, found);
    if (query->goal_kind == CAIRN_GOAL_WITHIN)
        return crn_space_within(search->space, goal, query->radius, at, found);
    *at = UINT32_MAX;
    *found = goal;
    return 1;
}

static uint32_t goals_collect(cairn_search *search, cairn_status *status)
{
    crn_resolving *resolving = &search->resolving;
    cairn_node found[CRN_SPACE_PIECE];
    uint32_t count, looks = search->query.goal_kind == CAIRN_GOAL_AT ? 0 : GOALS_PIECE_LOOKS;
    const cairn_node *goals = goals_asked(&search->query, &count);
    uint32_t nodes = goals_round(search, goals[resolving->goal], found);
    for (uint32_t i = 0; i < nodes && *status == CAIRN_RUNNING; i++) {
        if (goals_add(search, found[i]) != CAIRN_OK) *status = CAIRN_OUT_OF_MEMORY;
    }
    if (resolving->at != UINT32_MAX) return looks + nodes;
    resolving->at = 0;
    if (++resolving->goal < count) return looks + nodes;
    if (!search->goal_count && *status == CAIRN_RUNNING) *status = CAIRN_BLOCKED_GOAL;
    resolving->sorting = crn_sorting_of(resolving->sorted ? 0 : search->goal_count);
    goals_enter(resolving, CRN_RESOLVE_SORT);
    return looks + nodes;
}

/* Is the list long, and may the next piece exceed its memory? */
static bool goals_lack_room(const cairn_search *search)
{
    return search->goal_count >= GOALS_MOVED &&
           search->goal_count + CRN_SPACE_PIECE > search->goal_capacity;
}

/* Moves some of the goals to a list twice as long, which becomes the list after the last ones. */
static uint32_t goals_move(cairn_search *search, cairn_status *status)
{
    crn_scratch *memory = &search->memory;
    if (!search->longer) {
        search->longer_capacity = crn_mul_size(search->goal_capacity, 2);
        search->longer = crn_scratch_alloc(
            memory, crn_mul_size(search->longer_capacity, sizeof *search->longer));
        search->moved = 0;
    }
    if (!search->longer) {
        *status = CAIRN_OUT_OF_MEMORY;
        return 0;
    }
    size_t left = search->goal_count - search->moved,
           count = left < GOALS_MOVED ? left : GOALS_MOVED;
    memcpy(search->longer + search->moved, search->goals + search->moved,
           count * sizeof *search->goals);
    search->moved += count;
    if (count < left) return GOALS_MOVE_LOOKS;
    crn_scratch_free(memory, search->goals, search->goal_capacity * sizeof *search->goals);
    search->goals = search->longer;
    search->goal_capacity = search->longer_capacity;
    search->longer = NULL;
    return GOALS_MOVE_LOOKS;
}

void crn_goals_stop_moving(cairn_search *search)
{
    crn_scratch_free(&search->memory, search->longer,
                     search->longer_capacity * sizeof *search->longer);
    search->longer = NULL;
}

static bool goals_before(const void *a, const void *b)
{
    return *(const cairn_node *)a < *(const cairn_node *)b;
}

static uint32_t goals_sort(cairn_search *search)
{
    crn_resolving *resolving = &search->resolving;
    size_t left = resolving->sorting.left;
    if (crn_sort_go_on(&resolving->sorting, search->goals, sizeof *search->goals, goals_before,
                       GOALS_SIFTS)) {
        resolving->kept = 0;
        resolving->component = cairn_space_component(search->space, search->query.from);
        goals_enter(resolving, CRN_RESOLVE_CHOOSE);
    }
    return (uint32_t)(left - resolving->sorting.left) * GOALS_SIFT_LOOKS;
}

/* Is a goal in the component of the start? No search would find another one. */
static bool goals_reachable(const cairn_search *search, cairn_node goal)
{
    uint64_t component = search->resolving.component;
    return search->asked->ignores_components ||
           (component && cairn_space_component(search->space, goal) == component);
}

/* Ascending, each once, those that can be reached, with a box round them. */
static uint32_t goals_choose(cairn_search *search, cairn_status *status)
{
    crn_resolving *resolving = &search->resolving;
    size_t left = search->goal_count - resolving->place;
    uint32_t choices = left < GOALS_CHOICES ? (uint32_t)left : GOALS_CHOICES,
             looks = GOALS_CHOICE_LOOKS * choices;
    for (size_t end = resolving->place + choices; resolving->place < end; resolving->place++) {
        cairn_node goal = search->goals[resolving->place];
        if (resolving->place && goal == resolving->last) continue;
        resolving->last = goal;
        if (!goals_reachable(search, goal)) continue;
        search->goals[resolving->kept++] = goal;
        crn_box_add(&search->box, search->space, goal);
    }
    if (choices < left) return looks;
    search->goal_count = resolving->kept;
    resolving->stage = CRN_RESOLVE_DONE;
    if (!search->goal_count) *status = CAIRN_UNREACHABLE;
    if (search->goal_count) search->aim = search->box;
    return looks;
}

/* One node, which most queries ask for, needs no stages. */
static cairn_status goals_resolve_one(cairn_search *search, cairn_node goal)
{
    const cairn_space *space = search->space;
    if (goal >= space->node_count) return CAIRN_OUT_OF_BOUNDS;
    crn_box_add(&search->aim, space, goal);
    cairn_status status = goals_add(search, goal);
    if (status != CAIRN_OK) return status;
    if (!search->goal_count) return CAIRN_BLOCKED_GOAL;
    search->resolving.component = cairn_space_component(space, search->query.from);
    search->goal_count = goals_reachable(search, goal);
    if (!search->goal_count) return CAIRN_UNREACHABLE;
    search->box = search->aim;
    return CAIRN_OK;
}

/* The algorithm begins in the same unit of work only if this was little. */
cairn_status crn_goals_resolve(cairn_search *search)
{
    crn_resolving *resolving = &search->resolving;
    cairn_status status = CAIRN_RUNNING;
    uint32_t looks = 0;
    while (looks < GOALS_LOOKS && status == CAIRN_RUNNING && resolving->stage != CRN_RESOLVE_DONE) {
        switch (resolving->stage) {
        case CRN_RESOLVE_CHECK: looks += goals_check(search, &status); break;
        case CRN_RESOLVE_COLLECT:
            looks += goals_lack_room(search) ? goals_move(search, &status)
                                             : goals_collect(search, &status);
            break;
        case CRN_RESOLVE_SORT: looks += goals_sort(search); break;
        default: looks += goals_choose(search, &status); break;
        }
    }
    bool done = resolving->stage == CRN_RESOLVE_DONE && looks <= GOALS_LOOKS / 2;
    return status == CAIRN_RUNNING && done ? CAIRN_OK : status;
}

cairn_status crn_goals_resolve_begin(cairn_search *search)
{
    const cairn_query *query = &search->query;
    uint32_t count;
    const cairn_node *goals = goals_asked(query, &count);
    search->goal_count = 0;
    crn_goals_stop_moving(search);
    search->box = crn_box_empty();
    if (query->goal_kind == CAIRN_GOAL_NONE) return CAIRN_OK;
    if (count == 0 || (unsigned)query->goal_kind > CAIRN_GOAL_NONE) return CAIRN_INVALID;
    if (query->goal_kind == CAIRN_GOAL_WITHIN && !(query->radius >= 0 && isfinite(query->radius))) {
        return CAIRN_INVALID;
    }
    if (query->goal_kind == CAIRN_GOAL_WITHIN && !search->space->placed) return CAIRN_UNSUPPORTED;
    search->aim = crn_box_empty();
    if (count == 1 && query->goal_kind == CAIRN_GOAL_AT) return goals_resolve_one(search, *goals);
    search->resolving = (crn_resolving){.stage = CRN_RESOLVE_CHECK, .sorted = true};
    return crn_goals_resolve(search);
}

/* ---- instead of goals that cannot be reached ---- */

/* Begins to look round the next goal. */
static void goals_look(cairn_search *search)
{
    uint32_t count;
    const cairn_node *goals = goals_asked(&search->query, &count);
    search->near_found = crn_nearest_begin(search->space, search->query.from,
                                           goals[search->near_goal], &search->nearest);
}

void crn_goals_replace_begin(cairn_search *search)
{
    search->near_goal = 0;
    search->near_best = CAIRN_NO_NODE;
    search->near_cost = CAIRN_NO_COST;
    goals_look(search);
}

/* What was found near a goal, if it is better than what was found near the others. */
static void goals_compare(cairn_search *search)
{
    const cairn_space *space = search->space;
    cairn_node near = search->nearest.best;
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, search->nearest.to);
    cairn_cost cost = space->functions->estimate(space, space->default_heuristic, near, &box);
    if (cost > search->near_cost || (cost == search->near_cost && near >= search->near_best))
        return;
    search->near_cost = cost;
    search->near_best = near;
}

cairn_status crn_goals_put(cairn_search *search, cairn_node goal)
{
    search->phase = CRN_PHASE_SEARCH;
    search->goal_count = 0;
    cairn_status status = goals_add(search, goal);
    if (status != CAIRN_OK) return status;
    /* A caller's estimate aims at the goals that were given. */
    search->query.estimate = NULL;
    search->box = crn_box_empty();
    crn_box_add(&search->box, search->space, goal);
    return CAIRN_OK;
}

cairn_status crn_goals_replace(cairn_search *search)
{
    const cairn_space *space = search->space;
    uint32_t count;
    goals_asked(&search->query, &count);
    if (!search->near_found)
        search->near_found = space->functions->nearest(space, &search->nearest);
    if (!search->near_found) return CAIRN_RUNNING;
    if (search->nearest.best != CAIRN_NO_NODE) goals_compare(search);
    if (++search->near_goal < count) {
        goals_look(search);
        return CAIRN_RUNNING;
    }
    return search->near_best == CAIRN_NO_NODE ? search->reason
                                              : crn_goals_put(search, search->near_best);
}

bool crn_goals_has(const cairn_search *search, cairn_node node)
{
    size_t i = crn_lower_bound(search->goals, search->goal_count, node);
    return i < search->goal_count && search->goals[i] == node;
}
