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
 * Hexagons are drawn so that all that matters is a whole number: centres at (2x + (y odd), 3y), points at (0, ±2) and
 * (±1, ±1) from there. That squeezes the picture, but straight lines stay straight and what touches still touches. On
 * which side of the line a point lies is the sign of a cross product, so a hexagon is left by the side whose ends lie on
 * the right and on the left of the line. If the line leaves exactly through a point, two more
 * hexagons meet there; it goes on into one of them, or along the side between them to a fourth one behind. Both must be
 * free then: nothing is cut.
 *
 * Where the ground changes its price, the shortest way may bend, so the line ends there: every cell
 * must cost to enter what the first one costs. Every change of cell must also be a step that elevation limits
 * allow, and where climbing costs, the line stays level.
 */
#include "path/line.h"
#include "world/grid_space.h"
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
    return crn_grid_can_step(crn_grid_space_of(ray->space), (uint32_t)a.x, (uint32_t)a.y, (uint32_t)b.x,
                             (uint32_t)b.y);
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

/* ---- hexagons ---- */

enum { RAYCAST_SIDES = 6 };

/* The points of a hexagon; side i lies between points i and i + 1. */
static const int8_t raycast_points[RAYCAST_SIDES][2] = {{1, -1}, {1, 1}, {0, 2}, {-1, 1}, {-1, -1}, {0, -2}};

/* The hexagon beyond a side: east, south-east, south-west, west, north-west, north-east. */
static cairn_cell raycast_beyond(cairn_cell c, uint32_t side)
{
    static const int8_t dx[RAYCAST_SIDES] = {1, 0, -1, -1, -1, 0}, dy[RAYCAST_SIDES] = {0, 1, 1, 0, -1, -1};
    cairn_cell beyond = {c.x + dx[side], c.y + dy[side]};
    if (dy[side] && (c.y & 1)) beyond.x++;
    return beyond;
}

static bool raycast_can_go_beside(const raycast *ray, cairn_cell a, cairn_cell b)
{
    return raycast_alike(ray, b) && (!ray->limited || raycast_can_step(ray, a, b));
}

/* Through the point between sides `before` and `after`, towards the second one (turn > 0), the first (turn < 0) or
 * between them (0). */
static bool raycast_pass_point(const raycast *ray, cairn_cell *at, uint32_t before, uint32_t after,
                               int64_t turn)
{
    cairn_cell first = raycast_beyond(*at, before), second = raycast_beyond(*at, after);
    if (!raycast_can_go_beside(ray, *at, first) || !raycast_can_go_beside(ray, *at, second)) return false;
    if (turn) {
        cairn_cell to = turn > 0 ? second : first, other = turn > 0 ? first : second;
        if (!raycast_can_go_beside(ray, other, to)) return false;
        *at = to;
        return true;
    }
    cairn_cell behind = raycast_beyond(first, after);
    if (!raycast_can_go_beside(ray, first, behind) || !raycast_can_go_beside(ray, second, behind))
        return false;
    *at = behind;
    return true;
}

/* One hexagon on; false if it cannot be gone to. (dx, dy) is the line from its start at `from` in the picture. */
static bool raycast_leave_hexagon(const raycast *ray, cairn_cell *at, const int64_t from[2], int64_t dx,
                                  int64_t dy)
{
    int64_t cx = 2 * at->x + (at->y & 1) - from[0], cy = 3 * (int64_t)at->y - from[1];
    int64_t side_of[RAYCAST_SIDES];
    for (uint32_t i = 0; i < RAYCAST_SIDES; i++)
        side_of[i] = dx * (cy + raycast_points[i][1]) - dy * (cx + raycast_points[i][0]);
    for (uint32_t i = 0; i < RAYCAST_SIDES; i++) {
        uint32_t next = (i + 1) % RAYCAST_SIDES;
        if (side_of[i] >= 0 || side_of[next] < 0) continue;
        if (side_of[next] == 0) {
            int64_t turn = raycast_points[next][0] * dy - raycast_points[next][1] * dx;
            return raycast_pass_point(ray, at, i, next, turn);
        }
        cairn_cell beyond = raycast_beyond(*at, i);
        if (!raycast_can_go_beside(ray, *at, beyond)) return false;
        *at = beyond;
        return true;
    }
    return false;
}

static cairn_cell raycast_walk_hexagons(const raycast *ray, cairn_cell a, cairn_cell b)
{
    const int64_t from[2] = {2 * a.x + (a.y & 1), 3 * (int64_t)a.y};
    int64_t dx = 2 * b.x + (b.y & 1) - from[0], dy = 3 * (int64_t)b.y - from[1];
    cairn_cell at = a;
    while ((at.x != b.x || at.y != b.y) && raycast_leave_hexagon(ray, &at, from, dx, dy)) continue;
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
            cairn_cell from = cairn_grid_cell(grid, a), to = cairn_grid_cell(grid, b);
            bool hex = grid->layout == CAIRN_LAYOUT_HEX;
            raycast ray;
            raycast_begin(&ray, space, from);
            cairn_cell end = hex ? raycast_walk_hexagons(&ray, from, to) : raycast_walk(&ray, from, to);
            reached = cairn_grid_node(grid, end.x, end.y);
        } else if (cairn_space_step_cost(space, a, b) != CAIRN_NO_COST) {
            reached = b;
        }
    }
    if (last) *last = reached;
    return reached == b && reached != CAIRN_NO_NODE;
}
