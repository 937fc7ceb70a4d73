/* nearest.c: the usable node nearest to one that may not be, for a unit that a wall was built on.
 *
 * On grids cells are visited in square rings round the node, and the search ends when no farther
 * ring can have a nearer cell: the work is proportional to the area up to the answer. Distances
 * are integers, four times the square of the distance in cells, so that ties are exact. That holds
 * for hexagons too, whose rows lie half a cell apart and √3/2 cells below each other. Graphs have
 * a tree of their positions, through which a walk leads. Other worlds are asked for the position
 * of every node. A query does that in bounded pieces.
 */
#include "world/graph.h"
#include "world/view.h"

typedef struct nearest_search {
    const cairn_space *space;
    const cairn_grid *grid;
    cairn_cell centre;
    double limit; /* no farther, as a distance below */
    crn_closest_usable *found;
} nearest_search;

static uint64_t nearest_distance(const nearest_search *search, int32_t x, int32_t y)
{
    int64_t dx = 2 * ((int64_t)x - search->centre.x), dy = (int64_t)y - search->centre.y;
    if (search->grid->layout != CAIRN_LAYOUT_HEX) return (uint64_t)(dx * dx + 4 * dy * dy);
    dx += (y & 1) - (search->centre.y & 1);
    return (uint64_t)(dx * dx + 3 * dy * dy);
}

/* No cell of a ring or of one outside it is nearer than this. */
static uint64_t nearest_bound(const nearest_search *search, uint32_t ring)
{
    uint64_t r = ring;
    if (search->grid->layout != CAIRN_LAYOUT_HEX || !ring) return 4 * r * r;
    uint64_t beside = (2 * r - 1) * (2 * r - 1), above = 3 * r * r;
    return beside < above ? beside : above;
}

static void nearest_consider(const nearest_search *search, int32_t x, int32_t y)
{
    crn_closest_usable *found = search->found;
    if (!cairn_grid_inside(search->grid, x, y)) return;
    cairn_node node = cairn_grid_node(search->grid, x, y);
    uint64_t distance = nearest_distance(search, x, y);
    bool nearer = distance < found->least || (distance == found->least && node < found->best);
    if (!nearer || (double)distance > search->limit) return;
    if (!search->space->functions->usable(search->space, node)) return;
    found->least = distance;
    found->best = node;
}

static bool nearest_is_over(const nearest_search *search, uint32_t ring)
{
    if (ring >= search->grid->width && ring >= search->grid->height) return true;
    uint64_t bound = nearest_bound(search, ring);
    return bound > search->found->least || (double)bound > search->limit;
}

static bool nearest_on_grid(const cairn_space *space, const cairn_grid *grid,
                            crn_closest_usable *found)
{
    enum { PIECE = 256 };
    double limit = 4 * found->limit * found->limit;
    nearest_search search = {space, grid, cairn_grid_cell(grid, found->node), limit, found};
    for (uint32_t i = 0; i < PIECE; i++) {
        if (!found->at && nearest_is_over(&search, found->ring)) return true;
        cairn_cell at = crn_ring_cell(found->ring, found->at++);
        nearest_consider(&search, search.centre.x + at.x, search.centre.y + at.y);
        if (found->at == crn_ring_length(found->ring)) {
            found->ring++;
            found->at = 0;
        }
    }
    return false;
}

static double nearest_square(const cairn_space *space, cairn_node a, cairn_node b)
{
    cairn_position p = cairn_space_position(space, a), q = cairn_space_position(space, b);
    double dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    return dx * dx + dy * dy + dz * dz;
}

static bool nearest_on_graph(const cairn_space *space, crn_closest_usable *found)
{
    uint32_t looks = 128;
    const cairn_graph *graph = cairn_space_graph(space);
    if (!found->walking)
        crn_graph_tree_begin(graph, cairn_space_position(space, found->node), true, found->walk);
    found->walking = true;
    if (!crn_graph_tree_go_on(graph, found->walk, &looks)) return false;
    cairn_node best = found->walk->best;
    bool near = best != CAIRN_NO_NODE &&
                nearest_square(space, found->node, best) <= found->limit * found->limit;
    if (near) found->best = best;
    return true;
}

static bool nearest_by_position(const cairn_space *space, crn_closest_usable *found)
{
    enum { PIECE = 256 };
    cairn_node end = crn_min_u32(found->at, UINT32_MAX - PIECE) + PIECE;
    for (; found->at < space->node_count && found->at < end; found->at++) {
        if (!space->functions->usable(space, found->at)) continue;
        double distance = nearest_square(space, found->node, found->at);
        if (distance > found->square || (distance == found->square && found->best != CAIRN_NO_NODE))
            continue;
        found->square = distance;
        found->best = found->at;
    }
    return found->at == space->node_count;
}

bool crn_closest_usable_begin(const cairn_space *space, cairn_node node, double limit,
                              crn_closest_usable *search)
{
    *search = (crn_closest_usable){.node = node,
                                   .limit = limit,
                                   .best = CAIRN_NO_NODE,
                                   .least = UINT64_MAX,
                                   .square = limit * limit};
    if (!cairn_space_usable(space, node)) return !space->placed;
    search->best = node;
    return true;
}

bool crn_closest_usable_go_on(const cairn_space *space, crn_closest_usable *search)
{
    const cairn_grid *grid = cairn_space_grid(crn_view_ground(space));
    if (grid) return nearest_on_grid(space, grid, search);
    return space->world == CAIRN_WORLD_GRAPH ? nearest_on_graph(space, search)
                                             : nearest_by_position(space, search);
}

cairn_status cairn_nearest_usable(const cairn_space *space, cairn_node node, double limit,
                                  cairn_node *out)
{
    if (!space || !out) return CAIRN_INVALID;
    *out = CAIRN_NO_NODE;
    if (!(limit >= 0)) return CAIRN_INVALID;
    if (node >= space->node_count) return CAIRN_OUT_OF_BOUNDS;
    crn_closest_usable search;
    crn_tree_walk walk;
    bool over = crn_closest_usable_begin(space, node, limit, &search);
    search.walk = &walk;
    if (over && search.best == CAIRN_NO_NODE) return CAIRN_UNSUPPORTED;
    while (!over) over = crn_closest_usable_go_on(space, &search);
    *out = search.best;
    return *out == CAIRN_NO_NODE ? CAIRN_UNREACHABLE : CAIRN_OK;
}
