/* nearest.c: the usable node nearest to one that may not be, for a unit that a wall was built on.
 *
 * On grids cells are visited in square rings round the node, and the search ends when no farther
 * ring can have a nearer cell: the work is proportional to the area up to the answer. Distances are
 * integers, four times the square of the distance in cells, so that ties are exact. That holds for
 * hexagons too, whose rows lie half a cell apart and √3/2 cells below each other. Graphs have a
 * tree of their positions. Other worlds are asked for the position of every node.
 */
#include "world/graph.h"
#include "world/view.h"

typedef struct nearest_search {
    const cairn_space *space;
    const cairn_grid *grid;
    cairn_cell centre;
    double limit;   /* no farther, as a distance below */
    uint64_t least; /* the distance of ... */
    cairn_node best;
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

static void nearest_consider(nearest_search *search, int32_t x, int32_t y)
{
    if (!cairn_grid_inside(search->grid, x, y)) return;
    cairn_node node = cairn_grid_node(search->grid, x, y);
    uint64_t distance = nearest_distance(search, x, y);
    bool nearer = distance < search->least || (distance == search->least && node < search->best);
    if (!nearer || (double)distance > search->limit) return;
    if (!search->space->functions->usable(search->space, node)) return;
    search->least = distance;
    search->best = node;
}

static void nearest_visit_ring(nearest_search *search, int32_t r)
{
    int32_t x = search->centre.x, y = search->centre.y;
    for (int32_t d = -r; d <= r; d++) {
        nearest_consider(search, x + d, y - r);
        nearest_consider(search, x + d, y + r);
    }
    for (int32_t d = 1 - r; d < r; d++) {
        nearest_consider(search, x - r, y + d);
        nearest_consider(search, x + r, y + d);
    }
}

static cairn_node nearest_on_grid(const cairn_space *space, const cairn_grid *grid, cairn_node node,
                                  double limit)
{
    nearest_search search = {
        space, grid, cairn_grid_cell(grid, node), 4 * limit * limit, UINT64_MAX, CAIRN_NO_NODE};
    uint32_t rings = crn_max_u32(grid->width, grid->height);
    for (uint32_t r = 0; r < rings; r++) {
        uint64_t bound = nearest_bound(&search, r);
        if (bound > search.least || (double)bound > search.limit) break;
        nearest_visit_ring(&search, (int32_t)r);
    }
    return search.best;
}

static double nearest_square(const cairn_space *space, cairn_node a, cairn_node b)
{
    cairn_position p = cairn_space_position(space, a), q = cairn_space_position(space, b);
    double dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    return dx * dx + dy * dy + dz * dz;
}

static cairn_node nearest_on_graph(const cairn_space *space, cairn_node node, double limit)
{
    cairn_position centre = cairn_space_position(space, node);
    cairn_node best = crn_graph_tree_nearest(cairn_space_graph(space), centre, true);
    if (best == CAIRN_NO_NODE || nearest_square(space, node, best) > limit * limit)
        return CAIRN_NO_NODE;
    return best;
}

static cairn_node nearest_by_position(const cairn_space *space, cairn_node node, double limit)
{
    cairn_node best = CAIRN_NO_NODE;
    double least = limit * limit;
    for (cairn_node other = 0; other < space->node_count; other++) {
        if (!space->functions->usable(space, other)) continue;
        double distance = nearest_square(space, node, other);
        if (distance > least || (distance == least && best != CAIRN_NO_NODE)) continue;
        least = distance;
        best = other;
    }
    return best;
}

cairn_status cairn_nearest_usable(const cairn_space *space, cairn_node node, double limit,
                                  cairn_node *out)
{
    if (!space || !out) return CAIRN_INVALID;
    *out = CAIRN_NO_NODE;
    if (!(limit >= 0)) return CAIRN_INVALID;
    if (node >= space->node_count) return CAIRN_OUT_OF_BOUNDS;
    const cairn_grid *grid = cairn_space_grid(crn_view_ground(space));
    if (cairn_space_usable(space, node)) {
        *out = node;
    } else if (grid) {
        *out = nearest_on_grid(space, grid, node, limit);
    } else if (space->placed) {
        *out = (space->world == CAIRN_WORLD_GRAPH ? nearest_on_graph
                                                  : nearest_by_position)(space, node, limit);
    } else {
        return CAIRN_UNSUPPORTED;
    }
    return *out == CAIRN_NO_NODE ? CAIRN_UNREACHABLE : CAIRN_OK;
}
