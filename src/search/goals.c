/* goals.c: what the goals of a query come to: a list of usable nodes and a box round them.
 *
 * Algorithms know only that list: "next to" and "within" are made of nodes here. On grids
 * that is local work; on graphs both look at every node.
 */
#include "search/search.h"
#include "world/grid_space.h"
#include <math.h>

static cairn_status goals_add(cairn_search *search, cairn_node node)
{
    if (!cairn_space_usable(search->space, node)) return CAIRN_OK;
    void *goals = search->goals;
    if (!crn_scratch_grow(&search->memory, &goals, &search->goal_capacity, search->goal_count + 1,
                          sizeof *search->goals)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    search->goals = goals;
    search->goals[search->goal_count++] = node;
    return CAIRN_OK;
}

/* ---- next to ---- */

static cairn_status goals_beside_cell(cairn_search *search, cairn_node goal)
{
    const crn_grid_space *space = crn_grid_space_of(search->space);
    cairn_cell cell = cairn_grid_cell(space->grid, goal);
    cairn_status status = CAIRN_OK;
    for (uint32_t d = 0; d < CRN_DIRECTIONS && status == CAIRN_OK; d++) {
        int32_t x = cell.x - crn_dx[d], y = cell.y - crn_dy[d];
        if (!cairn_grid_inside(space->grid, x, y)) continue;
        if (crn_grid_could_step(space, (uint32_t)x, (uint32_t)y, d)) {
            status = goals_add(search, cairn_grid_node(space->grid, x, y));
        }
    }
    return status;
}

static cairn_status goals_beside_waypoint(cairn_search *search, cairn_node goal)
{
    cairn_status status = CAIRN_OK;
    for (cairn_node node = 0; node < search->space->node_count && status == CAIRN_OK; node++) {
        if (cairn_space_step_cost(search->space, node, goal) != CAIRN_NO_COST)
            status = goals_add(search, node);
    }
    return status;
}

/* ---- within ---- */

static int32_t goals_clamp(double v, uint32_t size)
{
    return v < 0 ? 0 : v > size - 1.0 ? (int32_t)(size - 1) : (int32_t)v;
}

/* Is the centre of b at most so far from the centre of a? In half cells, of which rows of hexagons
 * are √3 apart. */
static bool goals_near(const cairn_grid *grid, cairn_cell a, cairn_cell b, double radius)
{
    bool hex = grid->layout == CAIRN_LAYOUT_HEX;
    double dx = 2.0 * (b.x - a.x) + (hex ? (b.y & 1) - (a.y & 1) : 0), dy = b.y - a.y;
    return dx * dx + (hex ? 3 : 4) * dy * dy <= 4 * radius * radius;
}

static cairn_status goals_round_cell(cairn_search *search, cairn_node goal, double radius)
{
    const cairn_grid *grid = cairn_space_grid(search->space);
    cairn_cell cell = cairn_grid_cell(grid, goal);
    bool hex = grid->layout == CAIRN_LAYOUT_HEX;
    double wide = hex ? radius + 1 : radius, high = hex ? radius / CRN_HEX_ROW + 1 : radius;
    int32_t left = goals_clamp(cell.x - wide, grid->width),
            right = goals_clamp(cell.x + wide, grid->width);
    int32_t top = goals_clamp(cell.y - high, grid->height),
            bottom = goals_clamp(cell.y + high, grid->height);
    for (int32_t y = top; y <= bottom; y++) {
        for (int32_t x = left; x <= right; x++) {
            if (!goals_near(grid, cell, (cairn_cell){x, y}, radius)) continue;
            cairn_status status = goals_add(search, cairn_grid_node(grid, x, y));
            if (status != CAIRN_OK) return status;
        }
    }
    return CAIRN_OK;
}

static cairn_status goals_round_waypoint(cairn_search *search, cairn_node goal, double radius)
{
    cairn_position centre = cairn_space_position(search->space, goal);
    cairn_status status = CAIRN_OK;
    for (cairn_node node = 0; node < search->space->node_count && status == CAIRN_OK; node++) {
        cairn_position at = cairn_space_position(search->space, node);
        double dx = at.x - centre.x, dy = at.y - centre.y;
        if (dx * dx + dy * dy <= radius * radius) status = goals_add(search, node);
    }
    return status;
}

/* ---- all of them ---- */

static cairn_status goals_of_one(cairn_search *search, cairn_node goal)
{
    bool grid = search->space->world == CAIRN_WORLD_GRID;
    double radius = search->query.radius;
    switch (search->query.goal_kind) {
    case CAIRN_GOAL_NEXT_TO:
        return grid ? goals_beside_cell(search, goal) : goals_beside_waypoint(search, goal);
    case CAIRN_GOAL_WITHIN:
        return grid ? goals_round_cell(search, goal, radius)
                    : goals_round_waypoint(search, goal, radius);
    default: return goals_add(search, goal);
    }
}

static bool goals_before(const void *a, const void *b)
{
    return *(const cairn_node *)a < *(const cairn_node *)b;
}

/* Ascending, each once. */
static void goals_sort(cairn_search *search)
{
    size_t kept = 1;
    crn_sort(search->goals, search->goal_count, sizeof *search->goals, goals_before);
    for (size_t i = 1; i < search->goal_count; i++) {
        if (search->goals[i] != search->goals[kept - 1]) search->goals[kept++] = search->goals[i];
    }
    search->goal_count = kept;
}

/* Goals in other components than the start: no search would find them. */
static void goals_forget_unreachable(cairn_search *search)
{
    uint64_t component = cairn_space_component(search->space, search->query.from);
    size_t kept = 0;
    for (size_t i = 0; component && i < search->goal_count; i++) {
        if (cairn_space_component(search->space, search->goals[i]) == component) {
            search->goals[kept++] = search->goals[i];
        }
    }
    search->goal_count = kept;
}

cairn_status crn_goals_resolve(cairn_search *search)
{
    const cairn_query *query = &search->query;
    search->goal_count = 0;
    search->box = crn_box_empty();
    if (query->goal_kind == CAIRN_GOAL_NONE) return CAIRN_OK;
    const cairn_node *goals = query->goals ? query->goals : &query->to;
    uint32_t count = query->goals ? query->goal_count : 1;
    if (count == 0 || (unsigned)query->goal_kind > CAIRN_GOAL_NONE) return CAIRN_INVALID;
    if (query->goal_kind == CAIRN_GOAL_WITHIN && !(query->radius >= 0 && isfinite(query->radius))) {
        return CAIRN_INVALID;
    }
    if (query->goal_kind == CAIRN_GOAL_WITHIN && search->space->world == CAIRN_WORLD_GRAPH &&
        !cairn_graph_has_positions(cairn_space_graph(search->space))) {
        return CAIRN_UNSUPPORTED;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (goals[i] >= search->space->node_count) return CAIRN_OUT_OF_BOUNDS;
    }
    for (uint32_t i = 0; i < count; i++) {
        cairn_status status = goals_of_one(search, goals[i]);
        if (status != CAIRN_OK) return status;
    }
    if (search->goal_count == 0) return CAIRN_BLOCKED_GOAL;
    goals_sort(search);
    if (!search->asked->ignores_components) goals_forget_unreachable(search);
    if (search->goal_count == 0) return CAIRN_UNREACHABLE;
    for (size_t i = 0; i < search->goal_count; i++)
        crn_box_add(&search->box, search->space, search->goals[i]);
    search->aim = search->box;
    return CAIRN_OK;
}

/* ---- instead of goals that cannot be reached ---- */

/* Round the goals as they were asked for. */
static void goals_aim(cairn_search *search)
{
    const cairn_query *query = &search->query;
    search->aim = crn_box_empty();
    if (!query->goals) crn_box_add(&search->aim, search->space, query->to);
    for (uint32_t i = 0; query->goals && i < query->goal_count; i++) {
        crn_box_add(&search->aim, search->space, query->goals[i]);
    }
}

cairn_status crn_goals_replace(cairn_search *search)
{
    const cairn_query *query = &search->query;
    const cairn_space *space = search->space;
    const cairn_node *goals = query->goals ? query->goals : &query->to;
    uint32_t count = query->goals ? query->goal_count : 1;
    cairn_node best = CAIRN_NO_NODE;
    cairn_cost least = CAIRN_NO_COST;
    for (uint32_t i = 0; i < count; i++) {
        cairn_node near;
        cairn_status status = cairn_nearest_reachable(space, query->from, goals[i], &near);
        if (status != CAIRN_OK) return status;
        crn_box box = crn_box_empty();
        crn_box_add(&box, space, goals[i]);
        cairn_cost cost = space->functions->estimate(space, space->default_heuristic, near, &box);
        if (cost > least || (cost == least && near >= best)) continue;
        least = cost;
        best = near;
    }
    if (best == CAIRN_NO_NODE) return search->reason;
    goals_aim(search);
    search->goal_count = 0;
    cairn_status status = goals_add(search, best);
    if (status != CAIRN_OK) return status;
    /* A caller's estimate aims at the goals that were given. */
    search->query.estimate = NULL;
    search->box = crn_box_empty();
    crn_box_add(&search->box, space, best);
    return CAIRN_OK;
}
