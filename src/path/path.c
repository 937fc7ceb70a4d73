/* path.c: operations on a finished path: copy it, walk it, check it.
 *
 * A path on a grid is its turning points, so most of the cells it visits are not stored. Between
 * two turning points that lie in one of the eight directions (of hexagons: six) the cells are
 * plain: step by step. (Points that do not are walked diagonally first and then straight, which
 * visits the right number of cells but says nothing about whether they are free; cairn_path_valid
 * refuses that.) Two points that a link joins are one step apart, wherever they lie.
 *
 * Lines of paths of any angle pass cells in the order in which raycast.c meets them, so the next
 * one follows from where the last one lies. Where a line passes the point of three hexagons, or
 * runs along the side of two, it is taken to lie a little to the left. The ray cast tests all of
 * these hexagons, so it has found every step from one to the next legal.
 */
#include "path/line.h"
#include "path/sight.h"
#include <cairn/path.h>

/* ---- ownership ---- */

/* A copy of an array; false = no memory. An empty one is NULL. */
static bool path_copy_array(cairn_context *context, const void *from, uint32_t count, size_t each,
                            void **to)
{
    size_t size = crn_mul_size(count, each);
    *to = NULL;
    if (!count) return true;
    *to = crn_alloc(context, size);
    if (*to) memcpy(*to, from, size);
    return *to != NULL;
}

/* The arrays of a path are ours to free, and const only for the path's users. */
static void path_free_array(cairn_context *context, const void *array, uint32_t count, size_t each)
{
    crn_free(context, (void *)(uintptr_t)array, count * each);
}

static void path_free_arrays(cairn_context *context, const cairn_path *path)
{
    path_free_array(context, path->nodes, path->count, sizeof *path->nodes);
    path_free_array(context, path->links, path->link_count, sizeof *path->links);
    path_free_array(context, path->points, path->point_count, sizeof *path->points);
    path_free_array(context, path->portals, path->portal_count, sizeof *path->portals);
}

cairn_status cairn_path_copy(cairn_context *context, const cairn_path *path, cairn_owned_path *out)
{
    if (!context || !path || !out) return CAIRN_INVALID;
    void *nodes = NULL, *links = NULL, *points = NULL, *portals = NULL;
    bool ok =
        path_copy_array(context, path->nodes, path->count, sizeof *path->nodes, &nodes) &&
        path_copy_array(context, path->links, path->link_count, sizeof *path->links, &links) &&
        path_copy_array(context, path->points, path->point_count, sizeof *path->points, &points) &&
        path_copy_array(context, path->portals, path->portal_count, sizeof *path->portals,
                        &portals);
    cairn_owned_path copy = {*path, context};
    copy.path.nodes = nodes;
    copy.path.links = links;
    copy.path.points = points;
    copy.path.portals = portals;
    if (!ok) {
        path_free_arrays(context, &copy.path);
        copy = (cairn_owned_path){
            .path = {.status = CAIRN_OUT_OF_MEMORY, .end = CAIRN_NO_NODE, .cost = CAIRN_NO_COST}};
    }
    *out = copy;
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

void cairn_path_free(cairn_owned_path *owned)
{
    if (!owned || !owned->context) return;
    cairn_path *path = &owned->path;
    path_free_arrays(owned->context, path);
    path->nodes = NULL;
    path->links = NULL;
    path->points = NULL;
    path->portals = NULL;
    path->count = path->link_count = path->point_count = path->portal_count = 0;
    path->end = CAIRN_NO_NODE;
    path->cost = CAIRN_NO_COST;
    owned->context = NULL;
}

/* ---- walking ---- */

/* The number of points up to the first that is no node of the space. */
static uint32_t path_known_points(const cairn_space *space, const cairn_path *path)
{
    uint32_t known = 0;
    while (known < path->count && path->nodes[known] < cairn_space_node_count(space)) known++;
    return known;
}

/* Is the step from point `at` to the one behind it a link? `next` counts up with `at`. */
static const cairn_path_link *path_link(const cairn_path *path, uint32_t at, uint32_t *next)
{
    while (*next < path->link_count && path->links[*next].at < at) ++*next;
    return *next < path->link_count && path->links[*next].at == at ? &path->links[*next] : NULL;
}

/* v, `steps` nearer to `to`, but not beyond. */
static int32_t path_towards(int32_t v, int32_t to, uint32_t steps)
{
    int32_t by = (int32_t)crn_min_u32(steps, crn_line_distance(v, to));
    return v < to ? v + by : v - by;
}

/* On hexagons rows come first. This many rows up or down shift a cell to the right by half as many
 * columns at most, rounded down from an even row and up from an odd one; to the left the rounding
 * is reversed. */
static int32_t path_column(cairn_cell a, int32_t to, uint32_t rows)
{
    uint32_t odd = (uint32_t)a.y & 1;
    return path_towards(a.x, to, (rows + (a.x < to ? odd : !odd)) / 2);
}

/* Steps from one point to the next. */
static uint32_t path_segment_steps(const cairn_grid *grid, cairn_node from, cairn_node to)
{
    cairn_cell a = cairn_grid_cell(grid, from), b = cairn_grid_cell(grid, to);
    uint32_t dx = crn_line_distance(a.x, b.x), dy = crn_line_distance(a.y, b.y);
    if (grid->layout == CAIRN_LAYOUT_HEX)
        return dy + crn_line_distance(path_column(a, b.x, dy), b.x);
    return crn_max_u32(dx, dy);
}

static cairn_node path_node_between(const cairn_grid *grid, cairn_node from, cairn_node to,
                                    uint32_t steps)
{
    cairn_cell a = cairn_grid_cell(grid, from), b = cairn_grid_cell(grid, to);
    int32_t x = path_towards(a.x, b.x, steps), y = path_towards(a.y, b.y, steps);
    if (grid->layout == CAIRN_LAYOUT_HEX) {
        uint32_t rows = crn_line_distance(a.y, y);
        x = path_towards(path_column(a, b.x, rows), b.x, steps - rows);
    }
    return cairn_grid_node(grid, x, y);
}

/* ---- lines of any angle ---- */

/* The hexagon that a line enters when it leaves this one: by the side whose ends lie on both sides
 * of it. The line is taken to lie a little to the left of itself, so that it never leaves through a
 * point. */
static cairn_node path_hexagon_behind(const cairn_grid *grid, cairn_cell a, cairn_cell b,
                                      cairn_cell at)
{
    crn_size_line line = crn_size_line_between(true, a, b);
    int64_t centre[2];
    bool right[CRN_HEXAGON_SIDES];
    uint32_t side = 0;
    crn_size_picture(true, at.x, at.y, centre);
    for (uint32_t i = 0; i < CRN_HEXAGON_SIDES; i++)
        right[i] = crn_size_line_side(&line, centre[0] + crn_hexagon_points[i][0],
                                      centre[1] + crn_hexagon_points[i][1]) >= 0;
    while (side < CRN_HEXAGON_SIDES - 1 && (right[side] || !right[side + 1])) side++;
    cairn_cell beyond = crn_line_beyond(at, side);
    return cairn_grid_node(grid, beyond.x, beyond.y);
}

/* The cell behind `at` on the line between two points. */
static cairn_node path_line_next(const crn_grid_space *space, cairn_node from, cairn_node to,
                                 cairn_node at)
{
    const cairn_grid *grid = space->grid;
    cairn_cell a = cairn_grid_cell(grid, from), b = cairn_grid_cell(grid, to),
               c = cairn_grid_cell(grid, at);
    if (space->hex) return path_hexagon_behind(grid, a, b, c);
    uint64_t dx = crn_line_distance(a.x, b.x), dy = crn_line_distance(a.y, b.y);
    uint64_t upright = (2 * (uint64_t)crn_line_distance(a.x, c.x) + 1) * dy,
             level = (2 * (uint64_t)crn_line_distance(a.y, c.y) + 1) * dx;
    bool corner = upright == level && space->profile.neighbours != CAIRN_NEIGHBOURS_4;
    if (upright <= level) c.x = path_towards(c.x, b.x, 1);
    if (upright > level || corner) c.y = path_towards(c.y, b.y, 1);
    return cairn_grid_node(grid, c.x, c.y);
}

static uint32_t path_common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Squares: a line passes dx + dy borders; where both are odd multiples of something it meets as
 * many corners, and two borders at once. Hexagons are counted. */
static uint32_t path_line_steps(const crn_grid_space *space, cairn_node from, cairn_node to)
{
    const cairn_grid *grid = space->grid;
    if (space->hex) {
        uint32_t steps = 0;
        for (cairn_node at = from; at != to && at != CAIRN_NO_NODE; steps++)
            at = path_line_next(space, from, to, at);
        return steps;
    }
    cairn_cell a = cairn_grid_cell(grid, from), b = cairn_grid_cell(grid, to);
    uint32_t dx = crn_line_distance(a.x, b.x), dy = crn_line_distance(a.y, b.y);
    uint32_t common = path_common_divisor(dx, dy);
    bool corners = common && dx / common % 2 && dy / common % 2 &&
                   space->profile.neighbours != CAIRN_NEIGHBOURS_4;
    return dx + dy - (corners ? common : 0);
}

/* ---- whatever the path ---- */

/* Steps between point `at` and the one behind it, which no link joins. */
static uint32_t path_steps_behind(const cairn_space *space, const cairn_path *path, uint32_t at)
{
    cairn_node from = path->nodes[at], to = path->nodes[at + 1];
    return path->any_angle ? path_line_steps(crn_grid_space_of(space), from, to)
                           : path_segment_steps(cairn_space_grid(space), from, to);
}

/* The node one step from `node`, which lies between these two. */
static cairn_node path_next_between(const cairn_space *space, const cairn_path *path, uint32_t at,
                                    cairn_node node)
{
    cairn_node from = path->nodes[at], to = path->nodes[at + 1];
    return path->any_angle ? path_line_next(crn_grid_space_of(space), from, to, node)
                           : path_node_between(cairn_space_grid(space), node, to, 1);
}

/* The same, this many steps from the first of them. */
static cairn_node path_nth_between(const cairn_space *space, const cairn_path *path, uint32_t at,
                                   uint32_t steps)
{
    cairn_node node = path->nodes[at];
    if (!path->any_angle)
        return path_node_between(cairn_space_grid(space), node, path->nodes[at + 1], steps);
    for (uint32_t i = 0; i < steps; i++) node = path_next_between(space, path, at, node);
    return node;
}

uint64_t cairn_path_step_count(const cairn_space *space, const cairn_path *path)
{
    const cairn_grid *grid = cairn_space_grid(space);
    uint32_t points = path_known_points(space, path), link = 0;
    if (!grid || !points) return points;
    uint64_t count = 1;
    for (uint32_t i = 1; i < points; i++) {
        bool linked = path_link(path, i - 1, &link);
        count += linked ? 1 : path_steps_behind(space, path, i - 1);
    }
    return count;
}

uint32_t cairn_path_cells(const cairn_space *space, const cairn_path *path, uint64_t first,
                          cairn_node *out, uint32_t capacity)
{
    if (!path->count) return 0;
    cairn_path_iterator iterator = cairn_path_begin(space, path);
    const cairn_grid *grid = cairn_space_grid(space);
    uint32_t points = path_known_points(space, path);
    /* Leap over whole segments, then into one. */
    for (uint64_t left = first; left && iterator.next != CAIRN_NO_NODE;) {
        uint32_t at = iterator.segment;
        if (at + 1 >= points) return 0;
        bool linked = path_link(path, at, &iterator.link);
        uint32_t steps = grid && !linked ? path_steps_behind(space, path, at) : 1;
        if (left < steps) {
            iterator.next = path_nth_between(space, path, at, (uint32_t)left);
            break;
        }
        iterator.next = path->nodes[at + 1];
        iterator.segment++;
        left -= steps;
    }
    uint32_t count = 0;
    while (count < capacity) {
        cairn_node node = cairn_path_next(&iterator);
        if (node == CAIRN_NO_NODE) break;
        out[count++] = node;
    }
    return count;
}

cairn_path_iterator cairn_path_begin(const cairn_space *space, const cairn_path *path)
{
    cairn_path_iterator iterator = {space, path, 0, CAIRN_NO_NODE, 0};
    if (path->count && path->nodes[0] < cairn_space_node_count(space))
        iterator.next = path->nodes[0];
    return iterator;
}

/* `next` lies on the path from point `segment` to the one behind it. */
cairn_node cairn_path_next(cairn_path_iterator *iterator)
{
    cairn_node node = iterator->next;
    if (node == CAIRN_NO_NODE) return CAIRN_NO_NODE;
    const cairn_path *path = iterator->path;
    const cairn_grid *grid = cairn_space_grid(iterator->space);
    iterator->next = CAIRN_NO_NODE;
    if (!grid) {
        if (++iterator->segment < path->count) iterator->next = path->nodes[iterator->segment];
    } else {
        uint32_t target = iterator->segment + 1;
        while (target < path->count && path->nodes[target] == node) target++;
        iterator->segment = target - 1;
        if (target < path->count && path->nodes[target] < cairn_space_node_count(iterator->space)) {
            iterator->next = path_link(path, target - 1, &iterator->link)
                                 ? path->nodes[target]
                                 : path_next_between(iterator->space, path, target - 1, node);
        }
    }
    if (iterator->next >= cairn_space_node_count(iterator->space)) iterator->next = CAIRN_NO_NODE;
    return node;
}

/* ---- checking ---- */

typedef struct path_step {
    cairn_node from, to;
} path_step;

/* Do the points lie in one of the directions that steps have? */
static bool path_in_line(const cairn_grid *grid, cairn_node from, cairn_node to)
{
    cairn_cell a = crn_line_point(grid, from), b = crn_line_point(grid, to);
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    return !dx || !dy || dx == -dy || (dx == dy && grid->layout == CAIRN_LAYOUT_SQUARE);
}

/* Steps in one direction over changing ground: lines where it stays alike, and steps between
 * these. */
static bool path_run_valid(const crn_grid_space *space, cairn_node from, cairn_node to,
                           uint64_t *cost)
{
    crn_point begin = crn_point_of(space, from), at = begin; /* of the ground that we are on */
    if (!path_in_line(space->grid, from, to)) return false;
    while (at.node != to) {
        crn_point next = crn_point_of(space, path_node_between(space->grid, at.node, to, 1));
        if (!cairn_space_usable(&space->base, next.node) || !crn_sight_or_step(space, at, next))
            return false;
        if (!crn_ground_same(space, begin.node, next.node)) {
            if (begin.node != at.node) *cost += crn_sight_cost(space, begin, at);
            *cost += crn_sight_cost(space, at, next);
            begin = next;
        }
        at = next;
        if (*cost > CAIRN_COST_MAX) return false;
    }
    if (begin.node != to) *cost += crn_sight_cost(space, begin, at);
    return *cost <= CAIRN_COST_MAX;
}

/* A line of any angle, or one along steps where the ground changes. */
static bool path_line_valid(const crn_grid_space *space, cairn_node from, cairn_node to,
                            uint64_t *cost)
{
    crn_point a = crn_point_of(space, from), b = crn_point_of(space, to);
    if (from == to || !cairn_space_usable(&space->base, to)) return false;
    if (!crn_sight(space, a, b)) return path_run_valid(space, from, to, cost);
    *cost += crn_sight_cost(space, a, b);
    return *cost <= CAIRN_COST_MAX;
}

/* Adds up the steps from one point to the next; names the first that cannot be made. */
static bool path_segment_valid(const cairn_space *space, cairn_node from, cairn_node to,
                               const cairn_path_link *link, uint64_t *cost, path_step *fault)
{
    const cairn_grid *grid = cairn_space_grid(space);
    bool walked = grid && !link;
    if (walked && !path_in_line(grid, from, to)) return false;
    uint32_t steps = walked ? path_segment_steps(grid, from, to) : 1;
    cairn_node node = from;
    for (uint32_t i = 1; i <= steps; i++) {
        cairn_node next = walked ? path_node_between(grid, node, to, 1) : to;
        cairn_cost step = walked ? crn_grid_walk_cost(crn_grid_space_of(space), node, next)
                          : link ? crn_links_cost(crn_grid_space_of(space), node, next, link->id)
                                 : cairn_space_step_cost(space, node, next);
        *cost += step;
        if (step == CAIRN_NO_COST || *cost > CAIRN_COST_MAX) {
            *fault = (path_step){node, next};
            return false;
        }
        node = next;
    }
    return steps > 0; /* a point that stands twice in a row is no step */
}

/* Does every link join a point with the one behind it, each once and in order? */
static bool path_links_ordered(const cairn_path *path)
{
    for (uint32_t i = 0; i < path->link_count; i++) {
        if (path->links[i].at >= path->count - 1 ||
            (i && path->links[i].at <= path->links[i - 1].at))
            return false;
    }
    return true;
}

static bool path_check(const cairn_space *space, const cairn_path *path, uint64_t *cost,
                       path_step *fault)
{
    *fault = (path_step){CAIRN_NO_NODE, CAIRN_NO_NODE};
    if (!path->count || (path->status != CAIRN_FOUND && !path->partial)) return false;
    if (!path_links_ordered(path)) return false;
    *fault = (path_step){path->nodes[0], path->nodes[0]};
    const crn_grid_space *grid = crn_grid_space_of(space);
    uint32_t next_link = 0;
    if (!cairn_space_usable(space, path->nodes[0])) return false;
    for (uint32_t i = 1; i < path->count; i++) {
        cairn_node from = path->nodes[i - 1], to = path->nodes[i];
        *fault = (path_step){from, to};
        if (to >= cairn_space_node_count(space)) return false;
        const cairn_path_link *link = grid ? path_link(path, i - 1, &next_link) : NULL;
        if (grid && path->any_angle && !link) {
            if (!path_line_valid(grid, from, to, cost)) return false;
            continue;
        }
        if (!path_segment_valid(space, from, to, link, cost, fault)) return false;
    }
    return true;
}

bool cairn_path_valid(const cairn_space *space, const cairn_path *path, cairn_cost *cost,
                      cairn_node *from, cairn_node *to)
{
    uint64_t sum = 0;
    path_step fault = {CAIRN_NO_NODE, CAIRN_NO_NODE};
    bool valid = space && path && path_check(space, path, &sum, &fault);
    if (cost) *cost = valid ? (cairn_cost)sum : CAIRN_NO_COST;
    if (from) *from = valid ? CAIRN_NO_NODE : fault.from;
    if (to) *to = valid ? CAIRN_NO_NODE : fault.to;
    return valid;
}
