/* ends.c: queries whose ends are positions, and what their paths carry besides nodes.
 *
 * Algorithms only know nodes. A position is replaced by the node there before the algorithm sees
 * the query. In a graph that is a walk through the tree of its positions (graph_tree.c). It is
 * short for most of them, but where many nodes are equally far it visits them all, so it is done
 * in units of work. When a path is made, the exact ends are put before and after the positions of
 * its nodes. Worlds whose nodes are areas also give the portal between each two nodes.
 */
#include "search/search.h"
#include "world/graph.h"
#include "world/view.h"

#define ENDS_LOOKS 128u /* nodes of a tree that are visited in a unit of work */

struct crn_tree_walk *crn_ends_walk(cairn_search *search)
{
    if (!search->walk) search->walk = crn_scratch_alloc(&search->memory, sizeof *search->walk);
    return search->walk;
}

/* Finds the node at a position: CAIRN_RUNNING after this many looks. */
static cairn_status ends_locate(cairn_search *search, cairn_position position, uint32_t *looks,
                                cairn_node *out)
{
    const cairn_graph *graph = cairn_space_graph(crn_view_ground(search->space));
    if (!graph) {
        *out = cairn_space_node_at(search->space, position);
        return CAIRN_OK;
    }
    crn_tree_walk *walk = crn_ends_walk(search);
    if (!walk) return CAIRN_OUT_OF_MEMORY;
    if (!search->walking) crn_graph_tree_begin(graph, position, false, walk);
    search->walking = !crn_graph_tree_go_on(graph, walk, looks);
    *out = walk->best;
    return search->walking ? CAIRN_RUNNING : CAIRN_OK;
}

cairn_status crn_ends_resolve(cairn_search *search)
{
    cairn_query *query = &search->query;
    uint32_t looks = ENDS_LOOKS;
    cairn_status status = CAIRN_OK;
    while (search->unplaced && status == CAIRN_OK) {
        bool from = search->unplaced & CAIRN_FROM_POSITION;
        status = ends_locate(search, from ? query->from_position : query->to_position, &looks,
                             from ? &query->from : &query->to);
        if (status == CAIRN_OK)
            search->unplaced &=
                from ? ~(uint32_t)CAIRN_FROM_POSITION : ~(uint32_t)CAIRN_TO_POSITION;
    }
    return status;
}

cairn_status crn_ends_resolve_begin(cairn_search *search)
{
    const cairn_query *query = &search->query;
    const uint32_t known = CAIRN_FROM_POSITION | CAIRN_TO_POSITION;
    if (!query->by_position) return CAIRN_OK;
    if (query->by_position & ~known) return CAIRN_INVALID;
    if (!search->space->placed) return CAIRN_UNSUPPORTED;
    search->unplaced = query->by_position;
    search->walking = false;
    return crn_ends_resolve(search);
}

/* ---- points ---- */

/* Does the path lead to the position that was asked for? Only its last piece does. */
static bool ends_meet_goal(const cairn_search *search)
{
    const cairn_query *query = &search->query;
    if (!(query->by_position & CAIRN_TO_POSITION) || query->goals || search->unfinished)
        return false;
    return query->goal_kind == CAIRN_GOAL_AT && search->path.end == query->to;
}

/* A later piece of a path begins elsewhere: cairn_search_begin_next takes the bit away. */
static bool ends_leave_start(const cairn_search *search)
{
    return search->query.by_position & CAIRN_FROM_POSITION &&
           search->path.nodes[0] == search->query.from;
}

static cairn_status ends_add_points(cairn_search *search)
{
    cairn_path *path = &search->path;
    bool start = ends_leave_start(search), goal = ends_meet_goal(search);
    if (!start && !goal) return CAIRN_OK;
    void *room = search->points;
    if (!crn_scratch_grow(&search->memory, &room, &search->point_capacity, (size_t)path->count + 2,
                          sizeof *search->points)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    cairn_position *points = search->points = room;
    uint32_t count = 0;
    if (start) points[count++] = search->query.from_position;
    for (uint32_t i = 0; i < path->count && (path->count > 1 || !start || !goal); i++)
        points[count++] = cairn_space_position(search->space, path->nodes[i]);
    if (goal) points[count++] = search->query.to_position;
    path->points = points;
    path->point_count = count;
    return CAIRN_OK;
}

/* ---- portals ---- */

static cairn_status ends_add_portals(cairn_search *search)
{
    cairn_path *path = &search->path;
    const cairn_space *space = search->space;
    if (!space->functions->portal || path->count < 2) return CAIRN_OK;
    void *room = search->portals;
    if (!crn_scratch_grow(&search->memory, &room, &search->portal_capacity, path->count - 1,
                          sizeof *search->portals)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    search->portals = room;
    for (uint32_t i = 0; i + 1 < path->count; i++)
        search->portals[i] = space->functions->portal(space, path->nodes[i], path->nodes[i + 1]);
    path->portals = search->portals;
    path->portal_count = path->count - 1;
    return CAIRN_OK;
}

cairn_status crn_ends_decorate(cairn_search *search)
{
    if (!search->path.count) return CAIRN_OK;
    cairn_status status = ends_add_points(search);
    return status == CAIRN_OK ? ends_add_portals(search) : status;
}

void crn_ends_free(cairn_search *search)
{
    crn_scratch_free(&search->memory, search->walk, sizeof *search->walk);
    crn_scratch_free(&search->memory, search->points,
                     search->point_capacity * sizeof *search->points);
    crn_scratch_free(&search->memory, search->portals,
                     search->portal_capacity * sizeof *search->portals);
}
