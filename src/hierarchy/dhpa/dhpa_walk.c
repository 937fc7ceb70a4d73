/* dhpa_walk.c: walks along the routes of a cluster. See dhpa_walk.h. */
#include "hierarchy/dhpa/dhpa_walk.h"

/* Begins along a path, if the cell is a node. */
static CRN_NOINLINE void dhpa_walk_begin_path(crn_dhpa_walk *walk, const crn_dhpa *index,
                                              uint32_t cluster, uint32_t i)
{
    uint32_t count;
    const crn_hpa_member *members = crn_hpa_members(&index->graph, cluster, &count);
    uint32_t from = crn_dhpa_rank(members, count, walk->cell);
    walk->searched = from == count;
    walk->found = false;
    if (walk->searched) {
        crn_approach_begin(walk->approach, walk->space,
                           crn_clusters_area(&index->graph.clusters, cluster), walk->cell,
                           walk->several ? CAIRN_NO_NODE : walk->goal);
    } else if (from != i) {
        walk->path = crn_path_between(walk->routes, from, i);
    }
}

bool crn_dhpa_walk_begin(crn_dhpa_walk *walk, const crn_dhpa *index, cairn_node cell, uint32_t i,
                         bool back)
{
    const crn_clusters *clusters = &index->graph.clusters;
    uint32_t width = clusters->space->grid->width, x = cell % width, y = cell / width,
             column = x / clusters->size, row = y / clusters->size,
             cluster = row * clusters->columns + column, count;
    const crn_routes *routes = index->routes[cluster];
    cairn_node goal = crn_hpa_members(&index->graph, cluster, &count)[i].cell;
    walk->space = clusters->space;
    walk->routes = routes;
    walk->x = x - column * clusters->size;
    walk->y = y - row * clusters->size;
    walk->leg.steps = 0;
    walk->cell = cell;
    walk->goal = goal;
    walk->back = back;
    walk->searched = false;
    walk->cost = 0;
    walk->count = 0;
    if (!crn_reaches(crn_reach_at(routes, walk->x, walk->y), i)) return false;
    if (crn_routes_are_paths(routes)) {
        dhpa_walk_begin_path(walk, index, cluster, i);
        return true;
    }
    crn_reader reader = crn_routes_reader(routes);
    walk->end.track = crn_track_of(&reader, i);
    if (routes->height)
        walk->end.place = crn_target_place(goal % width - column * clusters->size,
                                           goal / width - row * clusters->size);
    return true;
}

/* What a step costs that is walked, or walked back. */
static cairn_cost dhpa_walk_cost(const crn_grid_space *space, bool back, cairn_node from,
                                 cairn_node to, uint32_t direction)
{
    return crn_grid_step_cost(space, back ? to : from, back ? from : to, direction);
}

/* At most this many steps, where answers are steps; returns how many there were. */
static uint32_t dhpa_walk_steps(crn_dhpa_walk *walk, uint32_t most)
{
    const crn_grid_space *space = walk->space;
    const crn_reader reader = crn_routes_reader(walk->routes);
    const int64_t *offsets = walk->offsets;
    const cairn_cost *costs = space->uniform ? space->step : NULL;
    cairn_edge *first = walk->trail + walk->count, *trail = first, *end = first + most;
    uint32_t x = walk->x, y = walk->y, track = walk->end.track;
    cairn_node cell = walk->cell, goal = walk->goal;
    uint32_t direction = 0, before = UINT32_MAX;
    uint64_t cost = 0;
    for (; trail < end && cell != goal; trail++) {
        uint32_t zone = crn_zone_at(&reader, x, y);
        if (zone != before) direction = crn_answer_of(&reader, zone, track);
        before = zone;
        cairn_node next = cell + (uint32_t)offsets[direction];
        cairn_cost step =
            costs ? costs[direction] : dhpa_walk_cost(space, walk->back, cell, next, direction);
        *trail = (cairn_edge){cell, step};
        cost += step;
        x = (uint32_t)((int32_t)x + crn_dx[direction]);
        y = (uint32_t)((int32_t)y + crn_dy[direction]);
        cell = next;
    }
    walk->x = x;
    walk->y = y;
    walk->cell = cell;
    walk->cost += cost;
    return (uint32_t)(trail - first);
}

/* The next leg of a path, or the next step of a route that was searched for. */
static CRN_NOINLINE crn_leg dhpa_walk_next(crn_dhpa_walk *walk)
{
    if (!walk->searched) return crn_path_leg(&walk->path);
    return (crn_leg){crn_approach_step(walk->approach, walk->cell), 1};
}

/* Looks for the next leg: to a target, along a path, or a step that was searched for. */
static void dhpa_walk_aim(crn_dhpa_walk *walk)
{
    if (crn_routes_are_paths(walk->routes)) {
        walk->leg = dhpa_walk_next(walk);
        return;
    }
    crn_reader reader = crn_routes_reader(walk->routes);
    uint32_t zone = crn_zone_at(&reader, walk->x, walk->y),
             number = crn_answer_of(&reader, zone, walk->end.track);
    crn_leg leg = crn_leg_to_target(&reader, number, walk->end, walk->x, walk->y);
    walk->leg = leg;
    walk->x += (uint32_t)crn_dx[leg.direction] * leg.steps;
    walk->y += (uint32_t)crn_dy[leg.direction] * leg.steps;
}

/* The same of a leg, where answers are targets. */
static uint32_t dhpa_walk_leg(crn_dhpa_walk *walk, uint32_t most)
{
    const crn_grid_space *space = walk->space;
    if (!walk->leg.steps) dhpa_walk_aim(walk);
    uint32_t direction = walk->leg.direction, steps = crn_min_u32(walk->leg.steps, most),
             offset = (uint32_t)walk->offsets[direction];
    cairn_edge *trail = walk->trail + walk->count;
    cairn_node cell = walk->cell;
    uint64_t cost = 0;
    walk->cell += steps * offset;
    walk->leg.steps -= steps;
    if (space->uniform) {
        cairn_cost step = space->step[direction];
        walk->cost += (uint64_t)step * steps;
        for (uint32_t i = 0; i < steps; i++, cell += offset) trail[i] = (cairn_edge){cell, step};
        return steps;
    }
    for (uint32_t i = 0; i < steps; i++, cell += offset) {
        trail[i].node = cell;
        cost += trail[i].cost = dhpa_walk_cost(space, walk->back, cell, cell + offset, direction);
    }
    walk->cost += cost;
    return steps;
}

bool crn_dhpa_walk_step(crn_dhpa_walk *walk, uint32_t most)
{
    uint32_t left = most;
    if (CRN_UNLIKELY(walk->searched && !walk->found)) {
        walk->found = crn_approach_find(walk->approach, walk->goal);
        return false;
    }
    while (left && walk->cell != walk->goal) {
        uint32_t steps =
            walk->routes->height ? dhpa_walk_leg(walk, left) : dhpa_walk_steps(walk, left);
        walk->count += steps;
        left -= steps;
    }
    if (left) walk->trail[walk->count++] = (cairn_edge){walk->cell, 0};
    return left;
}
