/* grid_space.c: making a grid space and keeping it up to date. See grid_space.h. */
#include "world/grid_space.h"

const int8_t crn_dx[CRN_DIRECTIONS] = {0, 1, 0, -1, 1, 1, -1, -1};
const int8_t crn_dy[CRN_DIRECTIONS] = {-1, 0, 1, 0, -1, 1, 1, -1};

/* ---- the table of moves ---- */

static bool grid_space_pattern_free(uint32_t pattern, int dx, int dy)
{
    return pattern >> ((dy + 1) * 3 + dx + 1) & 1;
}

/* Is the step from one cell of the 3×3 block to another one beside it legal? */
static bool grid_space_pattern_step(uint32_t pattern, const cairn_profile *profile, int x, int y, int dx,
                                    int dy)
{
    if (!grid_space_pattern_free(pattern, x, y) || !grid_space_pattern_free(pattern, x + dx, y + dy))
        return false;
    if (!dx || !dy) return true;
    if (profile->neighbours == CAIRN_NEIGHBOURS_4) return false;
    int sides = grid_space_pattern_free(pattern, x + dx, y) + grid_space_pattern_free(pattern, x, y + dy);
    return profile->corners == CAIRN_CORNERS_ALWAYS || sides == 2 ||
           (profile->corners == CAIRN_CORNERS_ONE && sides);
}

/* Does the cell that a move in direction `arrival` came from reach the neighbour in
 * direction d by itself, by one step or none? */
static bool grid_space_pattern_covered(uint32_t pattern, const cairn_profile *profile, uint32_t arrival,
                                       uint32_t d)
{
    int px = -crn_dx[arrival], py = -crn_dy[arrival], dx = crn_dx[d] - px, dy = crn_dy[d] - py;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1) return false;
    return (dx == 0 && dy == 0) || grid_space_pattern_step(pattern, profile, px, py, dx, dy);
}

static uint8_t grid_space_pattern_moves(uint32_t pattern, const cairn_profile *profile, uint32_t arrival)
{
    uint32_t moves = 0;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        if (!grid_space_pattern_step(pattern, profile, 0, 0, crn_dx[d], crn_dy[d])) continue;
        if (arrival < CRN_DIRECTIONS && grid_space_pattern_covered(pattern, profile, arrival, d)) continue;
        moves |= 1u << d;
    }
    return (uint8_t)moves;
}

/* ---- elevation ---- */

/* May one step from a to b, side by side or corner to corner, be made as to height alone? */
static bool grid_space_height_ok(const crn_grid_space *space, size_t a, size_t b)
{
    int32_t rise = space->grid->elevation[b] - space->grid->elevation[a];
    return rise <= space->profile.max_climb && -(int64_t)rise <= space->profile.max_drop;
}

static bool grid_space_side_ok(const crn_grid_space *space, uint32_t x, uint32_t y, int32_t sx, int32_t sy,
                               size_t a, size_t b)
{
    if (!crn_bit(&space->usable, (int32_t)x + sx, (int32_t)y + sy)) return false;
    size_t side = (size_t)((int64_t)a + (int64_t)sy * space->grid->width + sx);
    return grid_space_height_ok(space, a, side) && grid_space_height_ok(space, side, b);
}

uint32_t crn_grid_limit_moves(const crn_grid_space *space, uint32_t x, uint32_t y, uint32_t moves)
{
    size_t a = (size_t)y * space->grid->width + x;
    uint32_t allowed = 0;
    for (uint32_t left = moves; left; left &= left - 1) {
        uint32_t d = crn_lowest_bit(left);
        size_t b = (size_t)((int64_t)a + (int64_t)crn_dy[d] * space->grid->width + crn_dx[d]);
        if (!grid_space_height_ok(space, a, b)) continue;
        if (d >= CRN_NE && space->profile.corners != CAIRN_CORNERS_ALWAYS) {
            int sides = grid_space_side_ok(space, x, y, crn_dx[d], 0, a, b) +
                        grid_space_side_ok(space, x, y, 0, crn_dy[d], a, b);
            if (sides < (space->profile.corners == CAIRN_CORNERS_NEVER ? 2 : 1)) continue;
        }
        allowed |= 1u << d;
    }
    return allowed;
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
    uint32_t move = space->moves[CRN_NO_ARRIVAL][pattern] & 1u << direction;
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

static void grid_space_learn_rises(crn_grid_space *space, const cairn_change *changes, uint32_t count)
{
    if (!space->grid->elevation || !space->profile.gradient) return;
    if (space->rises_known) {
        for (uint32_t i = 0; i < count; i++) grid_space_note_rise(space, changes[i].node);
        return;
    }
    for (cairn_node node = 0; node < space->base.node_count; node++) grid_space_note_rise(space, node);
    space->rises_known = true;
}

/* ---- costs ---- */

/* Everything that follows from the classes and planes present in the grid now. */
static void grid_space_learn_costs(crn_grid_space *space)
{
    const cairn_grid *grid = space->grid;
    const cairn_profile *profile = &space->profile;
    cairn_scale scale = space->base.scale;
    uint32_t least = 0, most = 0;
    for (uint32_t kind = 0; kind < 256; kind++) {
        uint32_t cost = profile->terrain_cost[kind];
        if (!cost || !grid->class_count[kind]) continue;
        if (!least || cost < least) least = cost;
        if (cost > most) most = cost;
    }
    if (!least) least = most = 1;
    bool heights = grid->elevation != NULL;
    space->least = least;
    space->limited = heights && (profile->max_climb != CAIRN_ANY_STEP || profile->max_drop != CAIRN_ANY_STEP);
    space->uniform = least == most && !(profile->layer_weight && grid->layer) && !space->limited &&
                     !(profile->gradient && heights);
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        space->step[d] = (d < CRN_NE ? scale.straight : scale.diagonal) * (space->uniform ? least : 1);
    }
    uint64_t dearest = (uint64_t)scale.diagonal * most;
    if (grid->layer) dearest += space->layer_cost[255];
    dearest += (uint64_t)space->max_rise * profile->gradient * scale.straight / 256;
    space->base.max_edge = crn_saturate(dearest);
    space->base.min_edge = scale.straight * least;
}

void crn_grid_space_follow(crn_grid_space *space, const cairn_change *changes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cairn_cell cell = cairn_grid_cell(space->grid, changes[i].node);
        const cairn_cell_state *now = &changes[i].after;
        crn_bit_set(&space->usable, cell.x, cell.y, now->open && space->profile.terrain_cost[now->terrain]);
    }
    grid_space_learn_rises(space, changes, count);
    grid_space_learn_costs(space);
}

/* ---- the functions of a space ---- */

static void grid_space_destroy(cairn_space *base)
{
    crn_grid_space *space = (crn_grid_space *)(void *)base;
    crn_grid_space **link = &space->grid->spaces;
    while (*link && *link != space) link = &(*link)->next;
    if (*link) *link = space->next;
    crn_bits_destroy(base->context, &space->usable);
    crn_free(base->context, space, sizeof *space);
}

static uint32_t grid_space_expand(const cairn_space *base, cairn_node node, uint32_t first, cairn_edge *out,
                                  uint32_t capacity)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    uint32_t width = space->grid->width, x = node % width, y = node / width, count = 0;
    uint32_t moves = crn_grid_moves(space, x, y);
    if (space->limited) moves = crn_grid_limit_moves(space, x, y, moves);
    for (; moves && count < capacity; moves &= moves - 1) {
        if (first) {
            first--;
            continue;
        }
        uint32_t d = crn_lowest_bit(moves);
        cairn_node to = (cairn_node)((int64_t)node + (int64_t)crn_dy[d] * width + crn_dx[d]);
        out[count++] = (cairn_edge){to, crn_grid_step_cost(space, node, to, d)};
    }
    return count;
}

static bool grid_space_usable(const cairn_space *base, cairn_node node)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    cairn_cell cell = cairn_grid_cell(space->grid, node);
    return crn_bit(&space->usable, cell.x, cell.y);
}

static cairn_position grid_space_localize(const cairn_space *base, cairn_node node)
{
    return cairn_grid_localize(crn_grid_space_of(base)->grid, node);
}

static cairn_node grid_space_quantize(const cairn_space *base, cairn_position position)
{
    return cairn_grid_quantize(crn_grid_space_of(base)->grid, position);
}

static uint64_t grid_space_version(const cairn_space *base)
{
    return crn_grid_space_of(base)->grid->version;
}

static cairn_cost grid_space_estimate(const cairn_space *base, cairn_heuristic heuristic, cairn_node node,
                                      const crn_box *box)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    int32_t x = (int32_t)(node % space->grid->width), y = (int32_t)(node / space->grid->width);
    uint32_t dx = crn_outside(x, box->left, box->right), dy = crn_outside(y, box->top, box->bottom);
    return crn_saturate((uint64_t)crn_grid_estimate(heuristic, base->scale, dx, dy) * space->least);
}

static const crn_space_functions grid_space_functions = {
    .destroy = grid_space_destroy,
    .expand = grid_space_expand,
    .usable = grid_space_usable,
    .localize = grid_space_localize,
    .quantize = grid_space_quantize,
    .estimate = grid_space_estimate,
    .version = grid_space_version,
    .validate = crn_grid_validate,
};

/* ---- creation ---- */

static cairn_status grid_space_check(const cairn_profile *profile, cairn_error *error)
{
    if ((unsigned)profile->neighbours >= CAIRN_NEIGHBOURS_COUNT ||
        (unsigned)profile->corners >= CAIRN_CORNERS_COUNT) {
        return crn_fail(error, CAIRN_INVALID, 0, "unknown neighbourhood or corner rule in the profile");
    }
    if (profile->max_climb < 0 || profile->max_drop < 0) {
        return crn_fail(error, CAIRN_INVALID, 0, "elevation limits must not be negative");
    }
    if (profile->rung != CAIRN_RUNG_AUTO && profile->rung >= CAIRN_RUNGS) {
        return crn_fail(error, CAIRN_INVALID, 0, "cost scale %u: there are %u", profile->rung, CAIRN_RUNGS);
    }
    return CAIRN_OK;
}

/* The scale is chosen once and for the worst that the profile allows, so that costs keep
 * their meaning when the map is edited. */
static void grid_space_choose_scale(crn_grid_space *space)
{
    const cairn_profile *profile = &space->profile;
    uint64_t most = 1;
    for (uint32_t kind = 0; kind < 256; kind++) {
        if (profile->terrain_cost[kind] > most) most = profile->terrain_cost[kind];
    }
    most += ((uint64_t)profile->layer_weight * 255 + 255) / 256;
    most += ((uint64_t)profile->gradient * (uint64_t)space->max_rise + 255) / 256;
    uint32_t rung = profile->rung;
    if (rung == CAIRN_RUNG_AUTO) {
        rung = crn_rung_for(space->base.node_count, most);
        if (rung) {
            crn_log(space->base.context, CAIRN_LOG_INFO,
                    "the grid is so large or costly that costs are kept in a coarser unit than usual");
        }
    }
    space->base.scale = crn_rungs[rung];
    for (uint32_t v = 0; v < 256; v++) {
        space->layer_cost[v] =
            (cairn_cost)((uint64_t)space->base.scale.straight * v * profile->layer_weight / 256);
    }
}

static void grid_space_fill(crn_grid_space *space)
{
    const cairn_grid *grid = space->grid;
    for (uint32_t y = 0; y < grid->height; y++) {
        const uint8_t *row = grid->terrain ? grid->terrain + (size_t)y * grid->width : NULL;
        for (uint32_t x = 0; x < grid->width; x++) {
            bool usable =
                crn_bit(&grid->open, (int32_t)x, (int32_t)y) && space->profile.terrain_cost[row ? row[x] : 0];
            crn_bit_set(&space->usable, (int32_t)x, (int32_t)y, usable);
        }
    }
}

cairn_status cairn_space_of_grid(cairn_grid *grid, const cairn_profile *profile, cairn_space **out,
                                 cairn_error *error)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!grid) return crn_fail(error, CAIRN_INVALID, 0, "no grid");
    cairn_profile chosen = profile ? *profile : cairn_profile_default();
    cairn_status status = grid_space_check(&chosen, error);
    if (status != CAIRN_OK) return status;

    crn_grid_space *space = crn_alloc_zero(grid->context, sizeof *space);
    if (!space || !crn_bits_create(grid->context, grid->width, grid->height, &space->usable)) {
        crn_free(grid->context, space, sizeof *space);
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a space");
    }
    space->base.functions = &grid_space_functions;
    space->base.context = grid->context;
    space->base.world = CAIRN_WORLD_GRID;
    space->base.node_count = grid->width * grid->height;
    space->base.standard =
        chosen.neighbours == CAIRN_NEIGHBOURS_4 ? CAIRN_HEURISTIC_MANHATTAN : CAIRN_HEURISTIC_OCTILE;
    space->base.bytes = sizeof *space + space->usable.size;
    space->grid = grid;
    space->profile = chosen;
    for (uint32_t arrival = 0; arrival < CRN_ARRIVALS; arrival++) {
        for (uint32_t pattern = 0; pattern < 512; pattern++) {
            space->moves[arrival][pattern] = grid_space_pattern_moves(pattern, &chosen, arrival);
        }
    }
    grid_space_learn_rises(space, NULL, 0);
    grid_space_choose_scale(space);
    grid_space_learn_costs(space);
    grid_space_fill(space);
    space->next = grid->spaces;
    grid->spaces = space;
    *out = &space->base;
    return CAIRN_OK;
}

const cairn_grid *cairn_space_grid(const cairn_space *space)
{
    return space->world == CAIRN_WORLD_GRID ? crn_grid_space_of(space)->grid : NULL;
}

bool crn_space_uniform(const cairn_space *space)
{
    return space->world != CAIRN_WORLD_GRID || crn_grid_space_of(space)->uniform;
}

const cairn_profile *cairn_space_profile(const cairn_space *space)
{
    return space->world == CAIRN_WORLD_GRID ? &crn_grid_space_of(space)->profile : NULL;
}
