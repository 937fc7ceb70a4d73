/* hcdps_move.c: the next move of a walker that remembers nothing.
 *
 * A walker with a cursor knows to which subgoal it climbs. One that is told only where it is and
 * where it wants to go must find out again with each move, and must not turn back. Regions are
 * closed, and that is enough:
 *
 * - In the goal's region it climbs to the goal, if that climb stays in the region; else to the
 *   representative. From there it does stay.
 * - Elsewhere, the row of its region names the region next to it that comes next, and the door that
 *   leads there. It climbs to the representative of that region, if the climb leaves its own region
 *   only for that one; else through the door; else to the cell before the door, if these climbs
 *   stay inside; else to its own representative. From there the door can be reached.
 *
 * The rest of a climb is a climb and passes the same test, so a walker that has begun one goes on
 * with it, unless one that comes earlier in this list has become possible. Then it goes on with
 * that one. So it leaves its region in the end, and only for the next one; and with each region
 * the costs to the goal's representative fall. Nothing here searches: it takes at most four
 * climbs of `cutoff` steps.
 */
#include "realtime/hcdps/hcdps_index.h"

/* ---- moving ---- */

typedef struct move_job {
    const crn_hcdps *index;
    const crn_graph_space *graph; /* NULL = it walks on a grid */
    cairn_node from;
    uint32_t region;     /* of the walker */
    uint32_t begin, end; /* nodes that are known to be in it */
} move_job;

/* Is a node in the region of the walker? Mostly it lies in the run that was looked up last. */
static bool move_is_inside(move_job *job, cairn_node node)
{
    if (node >= job->begin && node < job->end) return true;
    crn_hcdps_run run = crn_hcdps_run_at(job->index, node);
    if (run.region != job->region) return false;
    job->begin = run.begin;
    job->end = run.end;
    return true;
}

/* The same as move_try, below, on a graph. */
static bool move_try_on_graph(move_job *job, cairn_node to, uint32_t into, cairn_node *next)
{
    cairn_node first = CAIRN_NO_NODE, node = job->from;
    for (uint32_t left = job->index->cutoff; left && node != to; left--) {
        if (!crn_graph_climb_step(job->graph, &node, to)) return false;
        if (first == CAIRN_NO_NODE) first = node;
        if (node != to && move_is_inside(job, node)) continue;
        if (node != to && (into == UINT32_MAX || crn_hcdps_region(job->index, node) != into))
            return false;
        *next = first;
        return true;
    }
    return false;
}

/* Does the climb to a node get there, or into another region (UINT32_MAX = none), before it
 * leaves that of the walker? *next is its first node then. */
static bool move_try(move_job *job, crn_climb climb, cairn_node to, uint32_t into, cairn_node *next)
{
    if (job->graph) return move_try_on_graph(job, to, into, next);
    cairn_cell target = cairn_grid_cell(climb.map->grid, to);
    cairn_node first = CAIRN_NO_NODE;
    climb.tx = target.x;
    climb.ty = target.y;
    for (uint32_t left = job->index->cutoff; left && !crn_climb_arrived(&climb); left--) {
        uint32_t d = crn_climb_direction(&climb);
        if (d == CRN_CLIMB_STUCK) return false;
        crn_climb_move(&climb, d);
        cairn_node node = crn_climb_node(&climb);
        if (first == CAIRN_NO_NODE) first = node;
        if (node != to && move_is_inside(job, node)) continue;
        if (node != to && (into == UINT32_MAX || crn_hcdps_region(job->index, node) != into))
            return false;
        *next = first;
        return true;
    }
    return false;
}

bool crn_hcdps_move(const crn_hcdps *index, const cairn_space *space, cairn_node from,
                    cairn_node to, cairn_node *next)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    uint32_t region = crn_hcdps_region(index, from), goal = crn_hcdps_region(index, to);
    move_job job = {index, crn_graph_space_of(space), from, region, 0, 0};
    crn_climb climb = {0};
    if (map) climb = crn_climb_between(map, from, from);
    if (region == goal) {
        if (move_try(&job, climb, to, UINT32_MAX, next)) return true;
    } else {
        uint32_t slot = crn_hcdps_next(index, region, goal, true);
        if (slot == UINT32_MAX) return false;
        crn_hcdps_link link = crn_hcdps_link_at(index, region, slot);
        *next = link.enter;
        if (from == link.leave) return true;
        if (move_try(&job, climb, crn_hcdps_home(index, link.region), link.region, next) ||
            move_try(&job, climb, link.enter, link.region, next) ||
            move_try(&job, climb, link.leave, UINT32_MAX, next))
            return true;
    }
    return move_try(&job, climb, crn_hcdps_home(index, region), UINT32_MAX, next);
}
