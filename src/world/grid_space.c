/* grid_space.c: making a grid space and keeping it up to date. See grid_space.h. */
#include "world/grid_space.h"
#include "world/changes.h"
#include "world/profile.h"
#include "world/world_check.h"

const int8_t crn_dx[CRN_DIRECTIONS] = {0, 1, 0, -1, 1, 1, -1, -1};
const int8_t crn_dy[CRN_DIRECTIONS] = {-1, 0, 1, 0, -1, 1, 1, -1};
const uint8_t crn_opposite[CRN_DIRECTIONS] = {CRN_S,  CRN_W,  CRN_N,  CRN_E,
                                              CRN_SW, CRN_NW, CRN_NE, CRN_SE};

/* ---- the table of moves ---- */

static bool grid_space_pattern_free(uint32_t pattern, int dx, int dy)
{
    return pattern >> ((dy + 1) * 3 + dx + 1) & 1;
}

/* Is the step from one cell of the 3×3 block to another one beside it legal? */
static bool grid_space_pattern_step(uint32_t pattern, const cairn_profile *profile, int x, int y,
                                    int dx, int dy)
{
    if (!grid_space_pattern_free(pattern, x, y) ||
        !grid_space_pattern_free(pattern, x + dx, y + dy))
        return false;
    if (!dx || !dy || profile->neighbours == CAIRN_NEIGHBOURS_HEX) return true;
    if (profile->neighbours == CAIRN_NEIGHBOURS_4) return false;
    int sides =
        grid_space_pattern_free(pattern, x + dx, y) + grid_space_pattern_free(pattern, x, y + dy);
    return profile->corners == CAIRN_CORNERS_ALWAYS || sides == 2 ||
           (profile->corners == CAIRN_CORNERS_ONE && sides);
}

/* Where a neighbour in direction d lies, seen from the cell that a move in direction `arrival` came
 * from. */
static void grid_space_pattern_offset(uint32_t arrival, uint32_t d, int *dx, int *dy)
{
    *dx = crn_dx[d] + crn_dx[arrival];
    *dy = crn_dy[d] + crn_dy[arrival];
}

/* Does the cell that a move in direction `arrival` came from reach the neighbour in
 * direction d by itself, by one step or none? */
static bool grid_space_pattern_covered(uint32_t pattern, const cairn_profile *profile,
                                       uint32_t arrival, uint32_t d)
{
    int px = -crn_dx[arrival], py = -crn_dy[arrival], dx, dy;
    grid_space_pattern_offset(arrival, d, &dx, &dy);
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1) return false;
    return (dx == 0 && dy == 0) || grid_space_pattern_step(pattern, profile, px, py, dx, dy);
}

/* Of two paths that cost the same the one that begins with the lower rank counts. */
static int grid_space_rank(uint32_t direction)
{
    return direction >= CRN_NE ? 0 : crn_dy[direction] == 0 ? 1 : 2;
}

/* Does it reach that neighbour by two steps inside the block, not through its middle, for less, or
 * for the same and in the canonical order, diagonal steps first (then horizontal ones)?
 *
 * These moves may be left out of a search that improves what it knows until no estimate promises
 * more, even if it keeps only the first of several equally cheap paths to a cell. For let m be a
 * cell on a cheapest path, all cells on cheapest paths that cost less be known at their cost, and n
 * the one before m. If n leaves out m, whichever move led to n, then p before n has another path p,
 * q, m that is no more expensive, so it is cheapest as well. A path of two steps that goes as far
 * for the same cost is made of the same two steps, exchanged: the last step, from q to m, ranks
 * higher than that from n did. Ranks end, so there is a last cell on some cheapest path that does
 * not leave out m. (Sturtevant and Rabin, "Canonical Orderings on Grids", 2016; the rules of
 * Harabor and Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", 2011.) */
static bool grid_space_pattern_outdone(uint32_t pattern, const cairn_profile *profile,
                                       uint32_t arrival, uint32_t d)
{
    enum { STRAIGHT = 2, DIAGONAL = 3 }; /* sort paths of two steps as their true costs do */
    int px = -crn_dx[arrival], py = -crn_dy[arrival], dx, dy;
    grid_space_pattern_offset(arrival, d, &dx, &dy);
    int cost = (arrival < CRN_NE ? STRAIGHT : DIAGONAL) + (d < CRN_NE ? STRAIGHT : DIAGONAL);
    for (uint32_t first = 0; first < CRN_DIRECTIONS; first++) {
        int qx = px + crn_dx[first], qy = py + crn_dy[first];
        int rest_x = dx - crn_dx[first], rest_y = dy - crn_dy[first];
        if (qx < -1 || qx > 1 || qy < -1 || qy > 1 || (!qx && !qy)) continue;
        if (rest_x < -1 || rest_x > 1 || rest_y < -1 || rest_y > 1 || (!rest_x && !rest_y))
            continue;
        if (!grid_space_pattern_step(pattern, profile, px, py, crn_dx[first], crn_dy[first]) ||
            !grid_space_pattern_step(pattern, profile, qx, qy, rest_x, rest_y)) {
            continue;
        }
        int other =
            (first < CRN_NE ? STRAIGHT : DIAGONAL) + (!rest_x || !rest_y ? STRAIGHT : DIAGONAL);
        if (other < cost || (other == cost && grid_space_rank(first) < grid_space_rank(arrival)))
            return true;
    }
    return false;
}

static void grid_space_pattern_moves(crn_grid_space *space, uint32_t pattern, uint32_t arrival)
{
    const cairn_profile *profile = &space->profile;
    uint32_t useful = 0, canonical = 0;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        if (!grid_space_pattern_step(pattern, profile, 0, 0, crn_dx[d], crn_dy[d])) continue;
        bool moved = arrival < CRN_DIRECTIONS;
        if (moved && grid_space_pattern_covered(pattern, profile, arrival, d)) continue;
        useful |= 1u << d;
        if (moved && grid_space_pattern_outdone(pattern, profile, arrival, d)) continue;
        canonical |= 1u << d;
    }
    space->moves[arrival][pattern] = (uint8_t)useful;
    space->canonical[arrival][pattern] = (uint8_t)canonical;
}

/* ---- steps that must be tested one by one ---- */

static bool grid_space_side_ok(const crn_grid_space *space, uint32_t x, uint32_t y, int32_t sx,
                               int32_t sy, size_t a, size_t b)
{
    if (!crn_bit(&space->usable, (int32_t)x + sx, (int32_t)y + sy)) return false;
    size_t side = (size_t)((int64_t)a + (int64_t)sy * space->grid->width + sx);
    return crn_grid_height_ok(space, a, side) && crn_grid_height_ok(space, side, b);
}

/* Do elevation limits allow the step? */
static bool grid_space_limits_ok(const crn_grid_space *space, uint32_t x, uint32_t y, uint32_t d)
{
    size_t a = (size_t)y * space->grid->width + x;
    size_t b = (size_t)((int64_t)a + (int64_t)crn_dy[d] * space->grid->width + crn_dx[d]);
    if (!crn_grid_height_ok(space, a, b)) return false;
    if (d < CRN_NE || space->hex || space->profile.corners == CAIRN_CORNERS_ALWAYS) return true;
    int sides = grid_space_side_ok(space, x, y, crn_dx[d], 0, a, b) +
                grid_space_side_ok(space, x, y, 0, crn_dy[d], a, b);
    return sides >= (space->profile.corners == CAIRN_CORNERS_NEVER ? 2 : 1);
}

uint32_t crn_grid_limit_moves(const crn_grid_space *space, uint32_t x, uint32_t y, uint32_t moves)
{
    uint32_t allowed = 0;
    for (uint32_t left = moves; left; left &= left - 1) {
        uint32_t d = crn_lowest_bit(left);
        if (space->steep && !grid_space_limits_ok(space, x, y, d)) continue;
        if (crn_grid_has_room(space, x, y, crn_dx[d], crn_dy[d])) allowed |= 1u << d;
    }
    return allowed;
}

/* The direction of the step that leads from (ax, ay) to (bx, by); CRN_DIRECTIONS if there is
 * none. */
static uint32_t grid_space_step(const crn_grid_space *space, uint32_t ax, uint32_t ay, uint32_t bx,
                                uint32_t by)
{
    static const uint8_t directions[3][3] = {
        {CRN_NW, CRN_N, CRN_NE}, {CRN_W, CRN_DIRECTIONS, CRN_E}, {CRN_SW, CRN_S, CRN_SE}};
    uint32_t column = bx - ax + 1, row = by - ay + 1; /* wraps round to the left and above */
    if (column > 2 || row > 2) return CRN_DIRECTIONS;
    uint32_t d = directions[row][column];
    uint32_t move = crn_grid_moves(space, ax, ay) & 1u << d;
    if (space->limited) move = crn_grid_limit_moves(space, ax, ay, move);
    return move ? d : CRN_DIRECTIONS;
}

bool crn_grid_can_step(const crn_grid_space *space, uint32_t ax, uint32_t ay, uint32_t bx,
                       uint32_t by)
{
    return grid_space_step(space, ax, ay, bx, by) != CRN_DIRECTIONS;
}

cairn_cost crn_grid_walk_cost(const crn_grid_space *space, cairn_node a, cairn_node b)
{
    uint32_t width = space->grid->width;
    uint32_t d = grid_space_step(space, a % width, a / width, b % width, b / width);
    return d == CRN_DIRECTIONS ? CAIRN_NO_COST : crn_grid_step_cost(space, a, b, d);
}

bool crn_grid_could_step(const crn_grid_space *space, uint32_t x, uint32_t y, uint32_t direction)
{
    uint32_t pattern = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            bool target = dx == crn_dx[direction] && dy == crn_dy[direction];
            bool free = target || crn_bit(&space->usable, (int32_t)x + dx, (int32_t)y + dy);
            pattern |= (uint32_t)free << ((dy + 1) * 3 + dx + 1);
        }
    }
    uint32_t move =
        space->moves[CRN_NO_ARRIVAL][pattern] & space->row_moves[y & 1] & 1u << direction;
    return space->limited && move ? crn_grid_limit_moves(space, x, y, move) != 0 : move != 0;
}

/* The largest step up or down between (x, y) and its neighbours. */
static void grid_space_note_rise(crn_grid_space *space, cairn_node node)
{
    const cairn_grid *grid = space->grid;
    cairn_cell cell = cairn_grid_cell(grid, node);
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        cairn_node other = cairn_grid_node(grid, cell.x + crn_dx[d], cell.y + crn_dy[d]);
        if (other == CAIRN_NO_NODE) continue;
        int32_t rise = grid->elevation[node] - grid->elevation[other];
        if (rise < 0) rise = -rise;
        if (rise > space->max_rise) space->max_rise = rise;
    }
}

void crn_grid_space_learn_rises(crn_grid_space *space, const cairn_change *changes, uint32_t count)
{
    if (!space->grid->elevation || !space->profile.gradient) return;
    if (space->rises_known) {
        for (uint32_t i = 0; i < count; i++) grid_space_note_rise(space, changes[i].node);
        return;
    }
    for (cairn_node node = 0; node < space->base.node_count; node++)
        grid_space_note_rise(space, node);
    space->rises_known = true;
}

/* ---- costs ---- */

/* What steps cost by the class of the ground; only of the profile and the scale. */
static void grid_space_make_prices(crn_grid_space *space)
{
    cairn_scale scale = space->base.scale;
    for (uint32_t kind = 0; kind < 256; kind++) {
        uint32_t cost = space->profile.terrain_cost[kind];
        space->price[kind][0] = crn_price(scale.straight, cost);
        space->price[kind][1] = crn_price(space->hex ? scale.straight : scale.diagonal, cost);
    }
}

/* What the ground of a whole grid is like, by the classes and planes that it has. */
static crn_surface grid_space_surface(const crn_grid_space *space)
{
    const cairn_grid *grid = space->grid;
    crn_surface surface = {.layer = grid->layer ? 255 : 0,
                           .heights = grid->elevation != NULL,
                           .rise = (uint32_t)space->max_rise};
    for (uint32_t kind = 0; kind < 256; kind++)
        if (grid->class_count[kind]) crn_surface_add(&surface, space->profile.terrain_cost[kind]);
    return surface;
}

static void grid_space_learn_cheapest(crn_grid_space *space, uint32_t least)
{
    cairn_scale scale = space->base.scale;
    space->least = least;
    space->times = least % 256 ? 1 : least / 256;
    if (least % 256) {
        scale.straight = crn_price(scale.straight, least);
        scale.diagonal = crn_price(scale.diagonal, least);
    }
    space->cheapest = scale;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        bool straight = d < CRN_NE || space->hex;
        space->step[d] = (straight ? scale.straight : scale.diagonal) * space->times;
    }
}

/* Is only the straight line as short as the straight line? Prices of very few units may be too
 * coarse for that. */
static bool grid_space_is_sharp(const crn_grid_space *space)
{
    cairn_scale scale = space->cheapest;
    return space->profile.neighbours != CAIRN_NEIGHBOURS_8 ||
           (scale.straight < scale.diagonal && scale.diagonal < 2 * scale.straight);
}

void crn_grid_space_learn_surface(crn_grid_space *space, const crn_surface *surface)
{
    const cairn_profile *profile = &space->profile;
    cairn_scale scale = space->base.scale;
    uint32_t least = surface->least ? surface->least : 256,
             most = surface->least ? surface->most : 256;
    grid_space_learn_cheapest(space, least);
    space->steep = surface->heights && crn_grid_minds_heights(space);
    space->limited = space->steep || space->size.dips;
    space->priced = least != most || (profile->layer_weight && surface->layer) ||
                    (profile->gradient && surface->heights);
    space->uniform = !space->priced && !space->limited && grid_space_is_sharp(space);
    uint64_t costliest = crn_price(space->hex ? scale.straight : scale.diagonal, most);
    costliest += space->layer_cost[surface->layer];
    costliest += (uint64_t)surface->rise * profile->gradient * scale.straight / 256;
    space->base.max_step = crn_edge_cost(costliest);
    space->base.max_edge = crn_max_u32(space->base.max_step, space->links.costliest);
    space->base.min_edge = space->step[CRN_N];
}

void crn_grid_space_learn_costs(crn_grid_space *space)
{
    crn_surface surface = grid_space_surface(space);
    crn_grid_space_learn_surface(space, &surface);
}

/* ---- the functions of a space ---- */

static void grid_space_release(crn_grid_space *space)
{
    cairn_context *context = space->base.context;
    crn_components_destroy(&space->components);
    crn_links_destroy(&space->links, context);
    crn_clearance_destroy(space->clearance);
    crn_runs_destroy(space->runs);
    crn_bits_destroy(context, &space->free);
    crn_bits_destroy(context, &space->usable);
}

static void grid_space_destroy(cairn_space *base)
{
    crn_grid_space *space = (crn_grid_space *)(void *)base;
    crn_grid_space **link = &space->grid->spaces;
    while (*link && *link != space) link = &(*link)->next;
    if (*link) *link = space->next;
    cairn_grid *grid = space->grid;
    grid_space_release(space);
    crn_free(base->context, space, sizeof *space);
    crn_grid_let_go(grid);
}

static uint32_t grid_space_expand(const cairn_space *base, cairn_node node, uint32_t first,
                                  cairn_edge *out, uint32_t capacity)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    uint32_t width = space->grid->width, x = node % width, y = node / width, count = 0;
    uint32_t moves = crn_grid_moves(space, x, y);
    if (space->limited) moves = crn_grid_limit_moves(space, x, y, moves);
    if (space->uniform && !first && capacity >= CRN_DIRECTIONS) {
        count = crn_grid_uniform_edges(space, node, moves, out);
        moves = 0;
    }
    for (; moves && count < capacity; moves &= moves - 1) {
        if (first) {
            first--;
            continue;
        }
        uint32_t d = crn_lowest_bit(moves);
        cairn_node to = (cairn_node)((int64_t)node + (int64_t)crn_dy[d] * width + crn_dx[d]);
        out[count++] = (cairn_edge){to, crn_grid_step_cost(space, node, to, d)};
    }
    if (CRN_LIKELY(!space->links.count) || !crn_bit(&space->links.from, (int32_t)x, (int32_t)y))
        return count;
    for (uint32_t i = crn_links_first(&space->links, node) + first; count < capacity; i++) {
        if (i >= space->links.count || space->links.links[i].from != node) break;
        out[count++] = (cairn_edge){space->links.links[i].to, space->links.links[i].cost};
    }
    return count;
}

static bool grid_space_usable(const cairn_space *base, cairn_node node)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    if (node >= base->node_count) return false;
    cairn_cell cell = crn_grid_cell(space->grid, node);
    return crn_bit(&space->usable, cell.x, cell.y);
}

static cairn_position grid_space_position(const cairn_space *base, cairn_node node)
{
    return cairn_grid_position(crn_grid_space_of(base)->grid, node);
}

static cairn_node grid_space_node_at(const cairn_space *base, cairn_position position)
{
    return cairn_grid_node_at(crn_grid_space_of(base)->grid, position);
}

static uint64_t grid_space_version(const cairn_space *base)
{
    return crn_grid_space_of(base)->grid->version;
}

/* On foot. */
static cairn_cost grid_space_walk(const crn_grid_space *space, cairn_heuristic heuristic, int32_t x,
                                  int32_t y, const crn_box *box)
{
    cairn_scale scale = space->cheapest;
    uint64_t cost;
    if (space->hex) {
        cost = crn_hex_estimate(heuristic, scale, x, y, box);
    } else {
        uint32_t dx = crn_outside(x, box->left, box->right),
                 dy = crn_outside(y, box->top, box->bottom);
        cost = crn_grid_estimate(heuristic, scale, dx, dy);
    }
    return crn_saturate(cost * space->times);
}

static cairn_cost grid_space_estimate(const cairn_space *base, cairn_heuristic heuristic,
                                      cairn_node node, const crn_box *box)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    if (CRN_UNLIKELY(box->blind)) return 0;
    int32_t x = (int32_t)(node % space->grid->width), y = (int32_t)(node / space->grid->width);
    cairn_cost best = grid_space_walk(space, heuristic, x, y, box);
    for (uint32_t i = 0; i < box->gate_count && box->gates[i].rest < best; i++) {
        const crn_gate *entrance = &box->gates[i];
        /* The longer side alone may be enough to tell. */
        uint64_t step = space->hex ? 0 : (uint64_t)space->cheapest.straight * space->times;
        uint32_t side = crn_max_u32(crn_outside(x, entrance->left, entrance->right),
                                    crn_outside(y, entrance->top, entrance->bottom));
        if (step * side + entrance->rest >= best) continue;
        crn_box area = {.left = entrance->left,
                        .top = entrance->top,
                        .right = entrance->right,
                        .bottom = entrance->bottom};
        uint64_t cost = (uint64_t)grid_space_walk(space, heuristic, x, y, &area) + entrance->rest;
        if (cost < best) best = (cairn_cost)cost;
    }
    return best;
}

static size_t grid_space_bytes(const cairn_space *base)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    size_t bytes = sizeof *space + crn_bits_bytes(&space->usable) + space->components.bytes +
                   crn_links_bytes(&space->links);
    if (space->sized) bytes += crn_bits_bytes(&space->free);
    if (space->clearance) bytes += crn_clearance_bytes(space->clearance);
    if (space->runs) bytes += crn_runs_bytes(space->runs);
    return bytes;
}

static const crn_space_functions grid_space_functions = {
    .plural = "grids",
    .destroy = grid_space_destroy,
    .expand = grid_space_expand,
    .usable = grid_space_usable,
    .position = grid_space_position,
    .node_at = grid_space_node_at,
    .estimate = grid_space_estimate,
    .version = grid_space_version,
    .bytes = grid_space_bytes,
    .validate = crn_grid_validate,
    .component = crn_grid_component,
    .directed = crn_grid_directed,
    .nearest = crn_grid_nearest,
    .pick = crn_grid_pick,
    .components = crn_grid_components,
    .box_add = crn_grid_box_add,
    .admissible = crn_grid_admissible,
    .consistent = crn_grid_consistent,
    .uniform = crn_grid_uniform,
    .length = crn_grid_length,
    .next_to = crn_grid_next_to,
    .within = crn_grid_within,
    .hash = crn_grid_hash,
    .save = crn_grid_save,
    .expand_back = crn_grid_expand_back,
    .changes = crn_grid_changes,
};

/* ---- creation ---- */

/* The scale is chosen once and for the worst that the profile allows, so that costs keep
 * their meaning when the map is edited. */
static void grid_space_choose_scale(crn_grid_space *space)
{
    const cairn_profile *profile = &space->profile;
    uint64_t most = 256;
    for (uint32_t kind = 0; kind < 256; kind++) {
        if (profile->terrain_cost[kind] > most) most = profile->terrain_cost[kind];
    }
    most = (most + 255) / 256;
    most += ((uint64_t)profile->layer_weight * 255 + 255) / 256;
    most += ((uint64_t)profile->gradient * (uint64_t)space->max_rise + 255) / 256;
    uint32_t cost_scale = profile->cost_scale;
    if (cost_scale == CAIRN_COST_SCALE_AUTO) {
        cost_scale = crn_cost_scale_for(space->base.node_count, most);
        if (cost_scale) {
            crn_log(
                space->base.context, CAIRN_LOG_INFO,
                "the grid is so large or costly that costs are kept in a coarser unit than usual");
        }
    }
    space->base.scale = crn_cost_scales[cost_scale];
    for (uint32_t v = 0; v < 256; v++) {
        space->layer_cost[v] =
            (cairn_cost)((uint64_t)space->base.scale.straight * v * profile->layer_weight / 256);
    }
}

/* What is open and allowed. */
static void grid_space_fill(const crn_grid_space *space, crn_bits *bits)
{
    const cairn_grid *grid = space->grid;
    memcpy(bits->rows, grid->open.rows, bits->size);
    bool forbids = false;
    for (uint32_t kind = 0; kind < 256; kind++)
        forbids |= grid->class_count[kind] && !space->profile.terrain_cost[kind];
    if (!forbids) return;
    for (uint32_t y = 0; y < grid->height; y++) {
        const uint8_t *row = grid->terrain ? grid->terrain + (size_t)y * grid->width : NULL;
        for (uint32_t x = 0; x < grid->width; x += 64) {
            uint64_t open = crn_bits_word(&grid->open, (int32_t)x, (int32_t)y), now = 0;
            for (uint64_t left = open; left; left &= left - 1) {
                uint32_t i = crn_lowest_bit(left);
                if (space->profile.terrain_cost[row ? row[x + i] : 0]) now |= UINT64_C(1) << i;
            }
            if (now != open) crn_bits_set_word(bits, x, y, now);
        }
    }
}

static void grid_space_erode_all(crn_grid_space *space)
{
    const crn_bitmap free = crn_grid_free(space);
    for (uint32_t y = 0; y < free.height; y++) {
        for (uint32_t x = 0; x < free.width; x += 64) {
            crn_bits_set_word(&space->usable, x, y, crn_size_erode(&space->size, &free, x, y));
        }
    }
}

/* (Nothing leads from a cell that cannot be stood on; the tables are zero.) */
static void grid_space_make_moves(crn_grid_space *space)
{
    for (uint32_t arrival = 0; arrival < CRN_ARRIVALS; arrival++) {
        for (uint32_t pattern = 0; pattern < 512; pattern++) {
            if (grid_space_pattern_free(pattern, 0, 0))
                grid_space_pattern_moves(space, pattern, arrival);
        }
    }
    space->row_moves[0] = space->row_moves[1] = UINT8_MAX;
    if (!space->hex) return;
    uint32_t both = 1u << CRN_N | 1u << CRN_E | 1u << CRN_S | 1u << CRN_W;
    space->row_moves[0] = (uint8_t)(both | 1u << CRN_NW | 1u << CRN_SW);
    space->row_moves[1] = (uint8_t)(both | 1u << CRN_NE | 1u << CRN_SE);
}

/* All that is large; false = no memory. */
static bool grid_space_build(crn_grid_space *space)
{
    const cairn_grid *grid = space->grid;
    cairn_context *context = space->base.context;
    if (!crn_bits_create(context, grid->width, grid->height, &space->usable)) return false;
    if (space->sized && !crn_bits_create(context, grid->width, grid->height, &space->free))
        return false;
    grid_space_fill(space, space->sized ? &space->free : &space->usable);
    if (space->sized) grid_space_erode_all(space);
    if (!crn_components_create(&space->components, space)) return false;
    if (!crn_links_reserve(&space->links, space, grid->link_count)) return false;
    crn_links_refresh(&space->links, space, true);
    crn_links_join(&space->links, space);
    crn_grid_space_learn_costs(space);
    return true;
}

cairn_status cairn_space_of_grid(cairn_grid *grid, const cairn_profile *profile, cairn_space **out,
                                 cairn_error *error)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!grid) return crn_fail(error, CAIRN_INVALID, 0, "no grid");
    cairn_profile chosen = crn_profile_chosen(grid, profile);
    cairn_status status = crn_profile_check(grid, &chosen, error);
    if (status != CAIRN_OK) return status;
    /* An agent with a size touches the corner that it cuts. */
    if (chosen.radius > 0 || chosen.footprint > 1) chosen.corners = CAIRN_CORNERS_NEVER;

    crn_grid_space *space = crn_alloc_zero(grid->context, sizeof *space);
    if (!space) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a space");
    space->base.functions = &grid_space_functions;
    space->base.context = space->components.context = grid->context;
    space->base.world = CAIRN_WORLD_GRID;
    space->base.placed = true;
    space->base.node_count = grid->width * grid->height;
    space->base.default_heuristic =
        chosen.neighbours == CAIRN_NEIGHBOURS_4     ? CAIRN_HEURISTIC_MANHATTAN
        : chosen.neighbours == CAIRN_NEIGHBOURS_HEX ? CAIRN_HEURISTIC_HEX
                                                    : CAIRN_HEURISTIC_OCTILE;
    space->grid = grid;
    space->profile = chosen;
    space->hex = chosen.neighbours == CAIRN_NEIGHBOURS_HEX;
    crn_size_make(&space->size, grid->layout, chosen.radius, chosen.footprint);
    space->sized = !crn_size_is_point(&space->size);
    grid_space_make_moves(space);
    crn_grid_space_learn_rises(space, NULL, 0);
    grid_space_choose_scale(space);
    grid_space_make_prices(space);
    crn_grid_space_learn_costs(space);
    if (!grid_space_build(space)) {
        grid_space_release(space);
        crn_free(grid->context, space, sizeof *space);
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a space");
    }
    space->next = grid->spaces;
    grid->spaces = space;
    crn_hold(&grid->holders);
#if defined(CAIRN_CHECKS)
    crn_grid_space_check_new(space);
#endif
    *out = &space->base;
    return CAIRN_OK;
}

const cairn_grid *cairn_space_grid(const cairn_space *space)
{
    return space->world == CAIRN_WORLD_GRID ? crn_grid_space_of(space)->grid : NULL;
}

const cairn_profile *cairn_space_profile(const cairn_space *space)
{
    return space->world == CAIRN_WORLD_GRID ? &crn_grid_space_of(space)->profile : NULL;
}

/* ---- clearance ---- */

double cairn_space_clearance(const cairn_space *base, cairn_node node)
{
    if (base->world != CAIRN_WORLD_GRID || node >= base->node_count) return 0;
    const crn_grid_space *space = crn_grid_space_of(base);
    const cairn_grid *grid = space->grid;
    if (space->clearance) return crn_clearance_distance(space->clearance->values[node]);
    const crn_bitmap free = crn_grid_free(space);
    uint32_t gap =
        crn_clearance_look(&free, node % grid->width, node / grid->width, UINT32_MAX, NULL);
    return crn_clearance_distance(gap);
}

cairn_status cairn_space_keep_clearance(cairn_space *base, uint32_t cells)
{
    if (!base || cells > CRN_CLEARANCE_MAX) return CAIRN_INVALID;
    if (base->world != CAIRN_WORLD_GRID) return CAIRN_UNSUPPORTED;
    crn_grid_space *space = (crn_grid_space *)(void *)base;
    const crn_bitmap free = crn_grid_free(space);
    crn_clearance *field = NULL;
    if (cells) {
        cairn_status status = crn_clearance_create(base->context, &free, cells, &field);
        if (status != CAIRN_OK) return status;
    }
    crn_clearance_destroy(space->clearance);
    space->clearance = field;
    return CAIRN_OK;
}

cairn_status crn_grid_space_keep_runs(crn_grid_space *space)
{
    if (space->runs) return CAIRN_OK;
    const crn_bitmap usable = {&space->usable, space->grid->width, space->grid->height,
                               space->grid->layout};
    cairn_status status =
        crn_runs_create(space->base.context, &usable, space->profile.corners, &space->runs);
    if (status == CAIRN_OK && (space->links.count || !space->uniform)) {
        if (!crn_stops_reserve(space)) {
            crn_runs_destroy(space->runs);
            space->runs = NULL;
            return CAIRN_OUT_OF_MEMORY;
        }
        crn_stops_update(space,
                         &(crn_size_box){0, 0, space->grid->width - 1, space->grid->height - 1});
    }
#if defined(CAIRN_CHECKS)
    if (status == CAIRN_OK) crn_grid_space_check_new(space);
#endif
    return status;
}
