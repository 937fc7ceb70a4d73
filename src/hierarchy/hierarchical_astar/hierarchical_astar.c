/* hierarchical_astar.c: A* whose estimate is a distance in an abstraction.
 *
 * Nodes are grouped, groups are grouped again, and no path in an abstraction costs more than one
 * below it (hierarchical_astar_index.h). So the distance from a node's group to the goal's group
 * never overestimates, and knows of walls that straight distances do not. A query begins at the
 * top: each level is searched by A*, guided by the result of the level above it, and level 0 by A*
 * with the larger of this and the default estimate.
 *
 * The result of a search: let P be the cost of the path that it found from its start to its end, g
 * the cost that it knows of a group, and e the estimate that it used there. Groups with g + e ≤ P
 * have been settled, and g is the distance. All others are at least P − e away, or the search would
 * have expanded them. So min(g, P − e) never overestimates the distance from the search's start,
 * and is consistent if e is. A search that estimates the rest of the path to its end must be guided
 * by one that began at that end. So levels are searched alternately: level 1 backwards from the
 * goal, level 2 forwards from the start, and so on.
 *
 * Optimal, in every space. It pays where default estimates are bad and searches long: each query
 * searches the levels as well. Queries with several goals, or with a limit or an estimate of their
 * own, are delegated to A*.
 *
 * Source: Holte, Perez, Zimmer and MacDonald, "Hierarchical A*: Searching Abstraction Hierarchies
 * Efficiently", 1996. The bound P − e is theirs ("P-g caching"), and so are the stars.
 */
#include "hierarchy/hierarchical_astar/hierarchical_astar_check.h"
#include "hierarchy/hierarchical_astar/hierarchical_astar_index.h"
#include "heuristic/heuristic.h"
#include "search/subsearch.h"

static const cairn_parameter hierarchical_astar_parameters[] = {
    {"levels", "of the abstraction, at most", CAIRN_PARAMETER_INTEGER, 1, CRN_STARS_MAX, 2, NULL},
    {"radius", "of a group, in edges", CAIRN_PARAMETER_INTEGER, 1, 8, 4, NULL},
};

/* ---- the planner and its index ---- */

static cairn_status hierarchical_astar_create(cairn_planner *planner, cairn_error *error)
{
    planner->index = crn_alloc_zero(planner->space->context, sizeof(crn_stars));
    if (!planner->index) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    planner->optimal = true;
    planner->bound = 1;
    return CAIRN_OK;
}

static void hierarchical_astar_drop(cairn_planner *planner)
{
    crn_stars_drop(planner->index, planner->space->context);
}

static void hierarchical_astar_destroy(cairn_planner *planner)
{
    hierarchical_astar_drop(planner);
    crn_free(planner->space->context, planner->index, sizeof(crn_stars));
}

static cairn_status hierarchical_astar_build(cairn_planner *planner, const cairn_progress *progress,
                                             cairn_error *error)
{
    crn_stars_options options = {.levels = crn_parameter_of(planner, "levels"),
                                 .radius = crn_parameter_of(planner, "radius")};
    return crn_stars_build(planner->index, planner->space, options, progress, error);
}

static size_t hierarchical_astar_bytes(const cairn_planner *planner)
{
    return crn_stars_bytes(planner->index);
}

static uint64_t hierarchical_astar_work(const cairn_planner *planner)
{
    const crn_stars *stars = planner->index;
    uint64_t work = 0;
    /* each node is asked for its edges once for the groups, and once for what joins them */
    for (uint32_t i = 0; i < stars->count; i++) work += 2 * (uint64_t)stars->levels[i].below;
    return work;
}

static cairn_status hierarchical_astar_save(const cairn_planner *planner, cairn_store *store,
                                            cairn_error *error)
{
    return crn_stars_save(planner->index, planner->space->context, store, error);
}

static cairn_status hierarchical_astar_load(cairn_planner *planner, const cairn_archive *archive,
                                            bool borrow, cairn_error *error)
{
    (void)borrow; /* edges are put into lists */
    return crn_stars_load(planner->index, planner->space, crn_parameter_of(planner, "levels"),
                          archive, error);
}

static void hierarchical_astar_overlay(const cairn_planner *planner, uint32_t level,
                                       const cairn_overlay_sink *sink)
{
    crn_stars_overlay(planner->index, planner->space, level, sink);
}

/* ---- a search ---- */

/* One level, or the ground, which is number 0. */
typedef struct hierarchical_astar_floor {
    struct hierarchical_astar_search *owner;
    uint32_t number;
    crn_abstract_view view; /* not of the ground */
    crn_subsearch subsearch;
    cairn_node start, goal;
    cairn_cost found; /* the cost of the path between them, when it has been searched */
} hierarchical_astar_floor;

typedef struct hierarchical_astar_search {
    cairn_search *search;
    const crn_stars *stars;
    /* one for each level that there can be, and one for the ground */
    hierarchical_astar_floor *floors;
    uint32_t capacity;
    uint32_t at;  /* the floor that is being searched */
    uint32_t top; /* floors from here on give no bound */
    crn_box box;  /* round the goal, and what links do for the estimate of the ground */
    crn_gate gates[CRN_GATES];
    bool begun;    /* its search has begun */
    bool grounded; /* the ground is being searched, or has been */
} hierarchical_astar_search;

static hierarchical_astar_search *hierarchical_astar_of(const cairn_search *search)
{
    return search->scratch;
}

/* Returns the bound of the floors above for a node: its least distance from where the search of the
 * next floor began, which is where this one ends. */
static cairn_cost hierarchical_astar_above(const hierarchical_astar_search *s, uint32_t floor,
                                           cairn_node node)
{
    if (floor + 1 >= s->top) return 0;
    const hierarchical_astar_floor *above = &s->floors[floor + 1];
    cairn_node group = s->stars->levels[floor].groups[node];
    cairn_cost known = crn_subsearch_cost(&above->subsearch, group);
    cairn_cost estimate = hierarchical_astar_above(s, floor + 1, group);
    cairn_cost rest = above->found > estimate ? above->found - estimate : 0;
    return known < rest ? known : rest;
}

static cairn_cost hierarchical_astar_estimate(void *user, cairn_node node)
{
    const hierarchical_astar_floor *floor = user;
    cairn_cost above = hierarchical_astar_above(floor->owner, floor->number, node);
    if (floor->number) return above;
    const cairn_space *space = floor->owner->search->space;
    cairn_cost default_heuristic =
        space->functions->estimate(space, space->default_heuristic, node, &floor->owner->box);
    return above > default_heuristic ? above : default_heuristic;
}

static void hierarchical_astar_close(cairn_search *search)
{
    hierarchical_astar_search *s = search->scratch;
    if (!s) return;
    for (uint32_t i = 0; s->floors && i < s->capacity; i++)
        crn_subsearch_close(&s->floors[i].subsearch);
    crn_scratch_free(&search->memory, s->floors, s->capacity * sizeof *s->floors);
    crn_scratch_free(&search->memory, s, sizeof *s);
}

static cairn_status hierarchical_astar_open(cairn_search *search)
{
    hierarchical_astar_search *s = crn_scratch_alloc(&search->memory, sizeof *s);
    if (!s) return CAIRN_OUT_OF_MEMORY;
    search->scratch = s;
    *s = (hierarchical_astar_search){.search = search, .stars = search->planner->index};
    s->capacity = crn_parameter_of(search->planner, "levels") + 1;
    s->floors = crn_scratch_alloc(&search->memory, s->capacity * sizeof *s->floors);
    if (!s->floors) return CAIRN_OUT_OF_MEMORY;
    memset(s->floors, 0, s->capacity * sizeof *s->floors);
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < s->capacity && status == CAIRN_OK; i++) {
        hierarchical_astar_floor *floor = &s->floors[i];
        floor->owner = s;
        floor->number = i;
        if (i)
            crn_abstract_view_open(&floor->view, &s->stars->levels[i - 1].abstract, search->space);
        status = crn_subsearch_open(&floor->subsearch, &search->memory, search,
                                    i ? &floor->view.base : search->planner->space, i);
        floor->subsearch.estimate = hierarchical_astar_estimate;
        floor->subsearch.estimate_user = floor;
    }
    return status; /* the caller closes what is open */
}

static bool hierarchical_astar_handles(const cairn_search *search)
{
    const cairn_query *query = &search->query;
    return search->goal_count == 1 && !query->estimate && !query->max_cost;
}

static cairn_status hierarchical_astar_begin(cairn_search *search)
{
    hierarchical_astar_search *s = hierarchical_astar_of(search);
    crn_search_announce(search, 0);
    s->box = search->box;
    crn_box_open_gates(&s->box, search->space, search->space->default_heuristic, s->gates);
    s->floors[0].start = search->query.from;
    s->floors[0].goal = search->goals[0];
    for (uint32_t i = 0; i <= s->stars->count; i++) {
        hierarchical_astar_floor *floor = &s->floors[i];
        crn_subsearch_rest(&floor->subsearch);
        if (!i) continue;
        const crn_stars_level *level = &s->stars->levels[i - 1];
        crn_abstract_view_refresh(&floor->view, level->min_edge, level->max_edge);
        floor->start = level->groups[s->floors[i - 1].start];
        floor->goal = level->groups[s->floors[i - 1].goal];
    }
    s->at = s->stars->count;
    s->top = s->stars->count + 1;
    s->begun = s->grounded = false;
    return CAIRN_RUNNING;
}

static cairn_status hierarchical_astar_begin_floor(hierarchical_astar_search *s)
{
    hierarchical_astar_floor *floor = &s->floors[s->at];
    bool turned = s->at && crn_stars_backwards(s->at - 1);
    s->begun = true;
    s->grounded = !s->at;
    return crn_subsearch_begin(&floor->subsearch, turned ? floor->goal : floor->start,
                               turned ? floor->start : floor->goal);
}

/* A floor has been searched; CAIRN_RUNNING if that is not the end. */
static cairn_status hierarchical_astar_descend(hierarchical_astar_search *s, cairn_status status)
{
    hierarchical_astar_floor *floor = &s->floors[s->at];
    if (!s->at || status == CAIRN_OUT_OF_MEMORY) return status;
    if (status == CAIRN_FOUND) {
        floor->found = crn_subsearch_cost(&floor->subsearch, floor->subsearch.goal);
        s->at--;
    } else if (status == CAIRN_COST_OVERFLOW || s->search->query.partial) {
        /* Groups that cannot be reached in the ground may overflow here; how far does a path
         * lead? */
        s->at = 0;
        s->top = 1;
    } else {
        return status;
    }
    s->begun = false;
    return CAIRN_RUNNING;
}

static cairn_status hierarchical_astar_step(cairn_search *search, uint64_t work)
{
    hierarchical_astar_search *s = hierarchical_astar_of(search);
    cairn_status status = CAIRN_RUNNING;
    while (work && status == CAIRN_RUNNING) {
        if (!s->begun) status = hierarchical_astar_begin_floor(s);
        if (status == CAIRN_RUNNING)
            status = crn_subsearch_step(&s->floors[s->at].subsearch, &work);
        if (status != CAIRN_RUNNING) status = hierarchical_astar_descend(s, status);
    }
    if (status == CAIRN_FOUND) search->reached_goal = search->goals[0];
    uint64_t bytes = sizeof *s + s->capacity * sizeof *s->floors;
    for (uint32_t i = 0; i <= s->stars->count; i++) bytes += s->floors[i].subsearch.peak;
    if (bytes > search->metrics.peak_bytes) search->metrics.peak_bytes = bytes;
    if (status == CAIRN_FOUND && search->traced) {
        const crn_subsearch *ground = &s->floors[0].subsearch;
        cairn_node goal = search->reached_goal;
        crn_trace(search, CAIRN_EVENT_END, goal, crn_subsearch_before(ground, goal),
                  crn_subsearch_cost(ground, goal), 0);
    }
    return status;
}

/* ---- the result ---- */

static cairn_cost hierarchical_astar_cost_to(const cairn_search *search, cairn_node node)
{
    const hierarchical_astar_search *s = hierarchical_astar_of(search);
    if (s->grounded) return crn_subsearch_cost(&s->floors[0].subsearch, node);
    return node == search->query.from ? 0 : CAIRN_NO_COST;
}

static cairn_status hierarchical_astar_path_to(cairn_search *search, cairn_node node)
{
    const hierarchical_astar_search *s = hierarchical_astar_of(search);
    cairn_cost cost = hierarchical_astar_cost_to(search, node);
    cairn_status status = CAIRN_OK;
    crn_path_start(search);
    while (node != CAIRN_NO_NODE && status == CAIRN_OK) {
        status = crn_path_add(search, node);
        node = s->grounded ? crn_subsearch_before(&s->floors[0].subsearch, node) : CAIRN_NO_NODE;
    }
    if (status == CAIRN_OK) crn_path_finish(search, cost);
    return status;
}

static bool hierarchical_astar_closest(cairn_search *search, uint64_t work, bool first)
{
    hierarchical_astar_search *s = hierarchical_astar_of(search);
    if (!s->grounded) { /* the search ended before it came to the ground */
        crn_closest_begin(search);
        return true;
    }
    cairn_search *ground = &s->floors[0].subsearch.search;
    ground->aim = search->aim;
    bool done = crn_best_first_closest(ground, work, first);
    search->reached_goal = ground->reached_goal;
    return done;
}

static cairn_status hierarchical_astar_reached(const cairn_search *search, cairn_visit *visit,
                                               void *user)
{
    const hierarchical_astar_search *s = hierarchical_astar_of(search);
    if (s->grounded) return crn_best_first_reached(&s->floors[0].subsearch.search, visit, user);
    visit(user, search->query.from, 0);
    return CAIRN_OK;
}

#if defined(CAIRN_CHECKS)
static const char *hierarchical_astar_checked(const cairn_planner *planner, bool whole)
{
    return crn_stars_check(planner->index, planner->space, whole);
}
#endif

static const crn_index_functions hierarchical_astar_functions = {
    .format = 1,
    .build = hierarchical_astar_build,
    .drop = hierarchical_astar_drop,
    .bytes = hierarchical_astar_bytes,
    .work = hierarchical_astar_work,
    .save = hierarchical_astar_save,
    .load = hierarchical_astar_load,
    .check = CRN_CHECKED(hierarchical_astar_checked),
    .overlay = hierarchical_astar_overlay,
};

/* The estimate of the ground is the larger of the level's above and the default one. */
static crn_heuristic_facts hierarchical_astar_facts(const void *data, const cairn_space *space)
{
    (void)data;
    return (crn_heuristic_facts){.admissible = true,
                                 .consistent =
                                     crn_heuristic_consistent(space, space->default_heuristic),
                                 .rise = UINT64_MAX};
}

static bool hierarchical_astar_estimates(const cairn_planner *planner, crn_planner_estimates *out)
{
    static const crn_heuristic plug = {.name = "hierarchical-astar",
                                       .facts = hierarchical_astar_facts};
    *out = (crn_planner_estimates){&plug, planner->space->default_heuristic, false};
    return true;
}

const crn_algorithm crn_algorithm_hierarchical_astar = {
    .info = {.name = "hierarchical-astar",
             .aliases = "ha*",
             .summary = "A* guided by distances in an abstraction of the world: optimal",
             .source = "Holte, Perez, Zimmer and MacDonald 1996",
             .family = "hierarchy",
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_NO_GOAL |
                      CAIRN_NEEDS_INDEX,
             CRN_ALL_WORLDS,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS | 1u << CAIRN_FEATURE_NO_GOAL,
             .parameters = hierarchical_astar_parameters,
             .parameter_count = CRN_COUNT(hierarchical_astar_parameters)},
    .create = hierarchical_astar_create,
    .estimates = hierarchical_astar_estimates,
    .destroy = hierarchical_astar_destroy,
    .index = &hierarchical_astar_functions,
    .open = hierarchical_astar_open,
    .close = hierarchical_astar_close,
    .handles = hierarchical_astar_handles,
    .delegate = "astar",
    .begin = hierarchical_astar_begin,
    .step = hierarchical_astar_step,
    .path_to = hierarchical_astar_path_to,
    .cost_to = hierarchical_astar_cost_to,
    .closest = hierarchical_astar_closest,
    .reached = hierarchical_astar_reached,
};
