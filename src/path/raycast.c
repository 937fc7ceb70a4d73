/* raycast.c: can an agent walk in a straight line from cell to cell?
 *
 * The line runs from centre to centre. It crosses the k-th upright cell border (k = 0, 1, …) after
 * (2k + 1) / (2·dx) of its length and the k-th level one after (2k + 1) / (2·dy), so which border
 * comes next is decided by comparing (2i + 1)·dy with (2k + 1)·dx: whole numbers, no rounding, no cell
 * missed and none too many (Amanatides and Woo 1987 walk the same way with floating point). If both
 * come at once, the line passes exactly through the corner of four cells and touches the
 * inside of only two of them; going from one to the other is then precisely a diagonal step,
 * and the corner rule decides. Agents with four neighbours have no diagonal steps: their line may
 * pass a corner if both ways round it can be walked, as nothing is then cut.
 *
 * Where the ground changes its price, the shortest way may bend, so the line ends there: every cell
 * must cost to enter what the first one costs. Every change of cell must also be a step that elevation limits
 * allow, and where climbing costs, the line stays level.
 */
#include "path/line.h"
#include <cairn/path.h>

typedef struct raycast {
    const cairn_space *space;
    const cairn_grid *grid;
    const cairn_profile *profile;
    bool limited;
    uint8_t price, layer; /* of the first cell */
    int16_t elevation;
} raycast;

static uint8_t raycast_price(const raycast *ray, cairn_cell c)
{
    return ray->profile->terrain_cost[cairn_grid_terrain(ray->grid, c.x, c.y)];
}

static void raycast_begin(raycast *ray, const cairn_space *space, cairn_cell a)
{
    ray->space = space;
    ray->grid = cairn_space_grid(space);
    ray->profile = cairn_space_profile(space);
    ray->limited = ray->profile->max_climb != CAIRN_ANY_STEP || ray->profile->max_drop != CAIRN_ANY_STEP;
    ray->price = raycast_price(ray, a);
    ray->layer = cairn_grid_layer(ray->grid, a.x, a.y);
    ray->elevation = cairn_grid_elevation(ray->grid, a.x, a.y);
}

/* Can c be stood on, and is it like the first cell in all that costs? */
static bool raycast_alike(const raycast *ray, cairn_cell c)
{
    const cairn_profile *profile = ray->profile;
    if (!cairn_space_usable(ray->space, cairn_grid_node(ray->grid, c.x, c.y))) return false;
    if (raycast_price(ray, c) != ray->price) return false;
    if (profile->layer_weight && cairn_grid_layer(ray->grid, c.x, c.y) != ray->layer) return false;
    return !profile->gradient || cairn_grid_elevation(ray->grid, c.x, c.y) == ray->elevation;
}

static bool raycast_can_step(const raycast *ray, cairn_cell a, cairn_cell b)
{
    cairn_node from = cairn_grid_node(ray->grid, a.x, a.y), to = cairn_grid_node(ray->grid, b.x, b.y);
    return cairn_space_step_cost(ray->space, from, to) != CAIRN_NO_COST;
}

/* From one side of a corner to the other. */
static bool raycast_can_pass_corner(const raycast *ray, cairn_cell a, cairn_cell b)
{
    if (ray->profile->neighbours != CAIRN_NEIGHBOURS_4) return raycast_can_step(ray, a, b);
    cairn_cell beside_x = {b.x, a.y}, beside_y = {a.x, b.y};
    return raycast_can_step(ray, a, beside_x) && raycast_can_step(ray, beside_x, b) &&
           raycast_can_step(ray, a, beside_y) && raycast_can_step(ray, beside_y, b);
}

static bool raycast_can_go(const raycast *ray, cairn_cell a, cairn_cell b)
{
    if (!raycast_alike(ray, b)) return false;
    if (a.x != b.x && a.y != b.y) return raycast_can_pass_corner(ray, a, b);
    return !ray->limited || raycast_can_step(ray, a, b);
}

/* Walks from a towards b; returns the last cell that can be reached. */
static cairn_cell raycast_walk(const raycast *ray, cairn_cell a, cairn_cell b)
{
    int64_t dx = crn_line_distance(a.x, b.x), dy = crn_line_distance(a.y, b.y);
    int32_t sx = a.x < b.x ? 1 : -1, sy = a.y < b.y ? 1 : -1;
    /* (2i + 1)·dy and (2k + 1)·dx of the next upright and the next level border. Along an axis one of
     * them stays 0 and the other above 0, so borders of the wrong kind never come. */
    int64_t upright = dy, level = dx;
    cairn_cell at = a;
    while (at.x != b.x || at.y != b.y) {
        cairn_cell next = at;
        bool step_x = upright <= level, step_y = level <= upright;
        if (step_x) {
            next.x += sx;
            upright += 2 * dy;
        }
        if (step_y) {
            next.y += sy;
            level += 2 * dx;
        }
        if (!raycast_can_go(ray, at, next)) break;
        at = next;
    }
    return at;
}

bool cairn_raycast(const cairn_space *space, cairn_node a, cairn_node b, cairn_node *last)
{
    cairn_node reached = CAIRN_NO_NODE;
    if (cairn_space_usable(space, a)) {
        const cairn_grid *grid = cairn_space_grid(space);
        reached = a;
        if (b >= cairn_space_node_count(space) || a == b) {
            /* there is no line to walk */
        } else if (grid) {
            cairn_cell from = cairn_grid_cell(grid, a);
            raycast ray;
            raycast_begin(&ray, space, from);
            cairn_cell end = raycast_walk(&ray, from, cairn_grid_cell(grid, b));
            reached = cairn_grid_node(grid, end.x, end.y);
        } else if (cairn_space_step_cost(space, a, b) != CAIRN_NO_COST) {
            reached = b;
        }
    }
    if (last) *last = reached;
    return reached == b && reached != CAIRN_NO_NODE;
}
