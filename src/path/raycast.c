/* raycast.c: can an agent walk in a straight line from cell to cell?
 *
 * The line runs from centre to centre. It crosses the k-th upright cell border (k = 0, 1, …) after
 * (2k + 1) / (2·dx) of its length and the k-th level one after (2k + 1) / (2·dy), so which border
 * comes next is decided by comparing (2i + 1)·dy with (2k + 1)·dx: whole numbers, no rounding, no
 * cell missed and none too many (Amanatides and Woo 1987 do the same with floating point). If both
 * come at once, the line passes exactly through the corner of four cells and touches the inside of
 * only two of them; going from one to the other is then precisely a diagonal step, and the corner
 * rule decides. Agents with four neighbours have no diagonal steps: their line may pass a corner if
 * it can be passed on both sides, as nothing is then cut.
 *
 * Hexagons have coordinates in which all relevant numbers are whole (size.h). That squeezes the
 * picture, but straight lines stay straight and what touches still touches. On which side of the
 * line a point lies is the sign of a cross product, so a hexagon is left by the side whose ends lie
 * on the right and on the left of the line. If the line leaves exactly through a point, two more
 * hexagons meet there; it goes on into one of them, or along the side between them to a fourth one
 * behind. Both must be free then: nothing is cut.
 *
 * An agent with a size needs more than the cells that its centre passes: that it can stand in a
 * cell says something about the cell's middle only. A disc keeps its distance from a convex cell if
 * the ends of the line do and all of the cell's points that lie beside the line do; a square of n ×
 * n cells stays clear if its corner never comes nearer than one cell, in both directions, to a
 * place where it cannot stand. Both are tested for the cells around each cell that the line passes.
 *
 * Where the ground changes its price, the shortest path may bend, so the line ends there: every
 * cell must cost to enter what the first one costs. Every change of cell must also be a step that
 * elevation limits allow, and where climbing costs, the line stays level.
 */
#include "path/ground.h"
#include "path/line.h"
#include "path/sight.h"
#include <cairn/path.h>

typedef struct raycast {
    const cairn_space *space;
    const cairn_grid *grid;
    const cairn_profile *profile;
    const crn_grid_space *map;
    crn_ground ground; /* like the first cell */
    crn_size_line line;
} raycast;

static void raycast_begin(raycast *ray, const cairn_space *space, cairn_cell a, cairn_cell b)
{
    ray->space = space;
    ray->map = crn_grid_space_of(space);
    ray->line = crn_size_line_between(ray->map->hex, a, b);
    ray->grid = cairn_space_grid(space);
    ray->profile = cairn_space_profile(space);
    ray->ground = crn_ground_of(ray->map, a);
}

/* ---- sizes ---- */

/* Does a corner that moves along the line come nearer than a cell, in both directions, to where it
 * cannot be? */
static bool raycast_overlaps(const raycast *ray, int32_t x, int32_t y)
{
    int64_t centre[2];
    bool left = false, right = false;
    crn_size_picture(ray->map->hex, x, y, centre);
    for (uint32_t i = 0; i < 2; i++) {
        int64_t low = ray->line.from[i] + (ray->line.along[i] < 0 ? ray->line.along[i] : 0);
        int64_t high = ray->line.from[i] + (ray->line.along[i] > 0 ? ray->line.along[i] : 0);
        if (low >= centre[i] + 2 || high <= centre[i] - 2) return false;
    }
    for (uint32_t i = 0; i < 4; i++) {
        int64_t side = crn_size_line_side(&ray->line, centre[0] + 2 * crn_square_points[i][0],
                                          centre[1] + 2 * crn_square_points[i][1]);
        left |= side < 0;
        right |= side > 0;
    }
    return left && right;
}

/* May the agent, with its size, pass this cell along the line? */
static bool raycast_has_room(const raycast *ray, cairn_cell at)
{
    const crn_grid_space *map = ray->map;
    bool square = ray->profile->footprint > 1;
    if (!square && !(ray->profile->radius > 0)) return true;
    const crn_bits *bits = square ? &map->usable : crn_grid_free_bits(map);
    /* Half a cell to the border of this one, and for hexagons half a cell more for the shift of
     * rows. */
    int32_t more = square ? 1 : 2, left = square ? 0 : map->size.left,
            right = square ? 0 : map->size.right;
    int32_t top = square ? 0 : map->size.top, bottom = square ? 0 : map->size.bottom;
    for (int32_t y = at.y + top - more; y <= at.y + bottom + more; y++) {
        bool outside = y < 0 || y >= (int32_t)ray->grid->height;
        for (int32_t x = at.x + left - more, last = at.x + right + more; x <= last; x += 64) {
            uint64_t blocked = outside ? UINT64_MAX : ~crn_bits_word(bits, x, y);
            if (last - x < 63) blocked &= (UINT64_C(1) << (last - x + 1)) - 1;
            for (; blocked; blocked &= blocked - 1) {
                int32_t column = x + (int32_t)crn_lowest_bit(blocked);
                if (square ? raycast_overlaps(ray, column, y)
                           : crn_size_line_near(&ray->line, column, y, ray->profile->radius))
                    return false;
            }
        }
    }
    return true;
}

/* ---- squares ---- */

static bool raycast_can_step(const raycast *ray, cairn_cell a, cairn_cell b)
{
    return crn_grid_can_step(crn_grid_space_of(ray->space), (uint32_t)a.x, (uint32_t)a.y,
                             (uint32_t)b.x, (uint32_t)b.y);
}

/* From a cell to the one beside it: that there is room is asked of the line, not of the centres. */
static bool raycast_height_ok(const raycast *ray, cairn_cell a, cairn_cell b)
{
    return !ray->map->steep || crn_grid_height_ok(ray->map, cairn_grid_node(ray->grid, a.x, a.y),
                                                  cairn_grid_node(ray->grid, b.x, b.y));
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
    if (!crn_ground_alike(&ray->ground, b)) return false;
    if (a.x != b.x && a.y != b.y) return raycast_can_pass_corner(ray, a, b);
    return raycast_height_ok(ray, a, b);
}

/* Walks from a towards b; returns the last cell that can be reached. */
static cairn_cell raycast_walk(const raycast *ray, cairn_cell a, cairn_cell b)
{
    int64_t dx = crn_line_distance(a.x, b.x), dy = crn_line_distance(a.y, b.y);
    int32_t sx = a.x < b.x ? 1 : -1, sy = a.y < b.y ? 1 : -1;
    /* (2i + 1)·dy and (2k + 1)·dx of the next upright and the next level border. Along an axis one
     * of them stays 0 and the other above 0, so borders of the wrong kind never come. */
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
        if (!raycast_can_go(ray, at, next) || !raycast_has_room(ray, next)) break;
        at = next;
    }
    return at;
}

/* ---- hexagons ---- */

static bool raycast_can_go_beside(const raycast *ray, cairn_cell a, cairn_cell b)
{
    return crn_ground_alike(&ray->ground, b) && raycast_height_ok(ray, a, b);
}

/* Through the point between sides `before` and `after`, towards the second one (turn > 0), the
 * first (turn < 0) or between them (0). */
static bool raycast_pass_point(const raycast *ray, cairn_cell *at, uint32_t before, uint32_t after,
                               int64_t turn)
{
    cairn_cell first = crn_line_beyond(*at, before), second = crn_line_beyond(*at, after);
    if (!raycast_can_go_beside(ray, *at, first) || !raycast_can_go_beside(ray, *at, second))
        return false;
    if (turn) {
        cairn_cell to = turn > 0 ? second : first, other = turn > 0 ? first : second;
        if (!raycast_can_go_beside(ray, other, to)) return false;
        *at = to;
        return true;
    }
    cairn_cell behind = crn_line_beyond(first, after);
    if (!raycast_can_go_beside(ray, first, behind) || !raycast_can_go_beside(ray, second, behind))
        return false;
    *at = behind;
    return true;
}

/* Goes one hexagon on; false if it cannot be entered. */
static bool raycast_leave_hexagon(const raycast *ray, cairn_cell *at)
{
    int64_t centre[2], side_of[CRN_HEXAGON_SIDES];
    crn_size_picture(ray->map->hex, at->x, at->y, centre);
    for (uint32_t i = 0; i < CRN_HEXAGON_SIDES; i++)
        side_of[i] = crn_size_line_side(&ray->line, centre[0] + crn_hexagon_points[i][0],
                                        centre[1] + crn_hexagon_points[i][1]);
    for (uint32_t i = 0; i < CRN_HEXAGON_SIDES; i++) {
        uint32_t next = (i + 1) % CRN_HEXAGON_SIDES;
        if (side_of[i] >= 0 || side_of[next] < 0) continue;
        if (side_of[next] == 0) {
            int64_t turn = crn_hexagon_points[next][0] * ray->line.along[1] -
                           crn_hexagon_points[next][1] * ray->line.along[0];
            return raycast_pass_point(ray, at, i, next, turn);
        }
        cairn_cell beyond = crn_line_beyond(*at, i);
        if (!raycast_can_go_beside(ray, *at, beyond)) return false;
        *at = beyond;
        return true;
    }
    return false;
}

static cairn_cell raycast_walk_hexagons(const raycast *ray, cairn_cell a, cairn_cell b)
{
    cairn_cell at = a;
    while (at.x != b.x || at.y != b.y) {
        cairn_cell next = at;
        if (!raycast_leave_hexagon(ray, &next) || !raycast_has_room(ray, next)) break;
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
            cairn_cell from = cairn_grid_cell(grid, a), to = cairn_grid_cell(grid, b);
            const crn_grid_space *map = crn_grid_space_of(space);
            if (!last && crn_sight_plain(map)) return crn_sight_clear(map, from, to);
            bool hex = grid->layout == CAIRN_LAYOUT_HEX;
            raycast ray;
            raycast_begin(&ray, space, from, to);
            cairn_cell end = from;
            if (raycast_has_room(&ray, from)) {
                end = hex ? raycast_walk_hexagons(&ray, from, to) : raycast_walk(&ray, from, to);
            }
            reached = cairn_grid_node(grid, end.x, end.y);
        } else if (cairn_space_step_cost(space, a, b) != CAIRN_NO_COST) {
            reached = b;
        }
    }
    if (last) *last = reached;
    return reached == b && reached != CAIRN_NO_NODE;
}
