/* patch.c: steps in a grid with a patch. See patch.h. */
#include "world/patch.h"

/* ---- cells ---- */

/* The first cell of the patch that is at or behind a node. */
static uint32_t patch_from(const crn_patch *patch, uint64_t node)
{
    return (uint32_t)crn_lower_bound(patch->cells, patch->count, node);
}

const crn_patch_cell *crn_patch_find(const crn_patch *patch, cairn_node node)
{
    uint32_t at = patch_from(patch, node);
    return at < patch->count && patch->cells[at].node == node ? &patch->cells[at] : NULL;
}

bool crn_patch_near(const crn_patch *patch, uint32_t x, uint32_t y)
{
    const cairn_grid *grid = patch->space->grid;
    uint64_t left = x - (x > 0), right = crn_min_u32(x + 1, grid->width - 1);
    for (uint64_t row = y - (y > 0); row <= (uint64_t)y + 1 && row < grid->height; row++) {
        uint32_t at = patch_from(patch, row * grid->width + left);
        if (at < patch->count && patch->cells[at].node <= row * grid->width + right) return true;
    }
    return false;
}

static bool patch_allows_class(const crn_patch *patch, uint8_t terrain)
{
    return patch->space->price[terrain][0] && (!patch->table || patch->table->price[terrain][0]);
}

static bool patch_allows(const crn_patch *patch, const cairn_cell_state *state)
{
    return state->open && patch_allows_class(patch, state->terrain);
}

/* Does the table forbid a cell that the space allows? */
static bool patch_forbids(const crn_patch *patch, cairn_node node)
{
    const uint8_t *terrain = patch->space->grid->terrain;
    return patch->table && patch->table->forbids &&
           !patch->table->price[terrain ? terrain[node] : 0][0];
}

void crn_patch_widen(crn_patch *patch, cairn_node node)
{
    const crn_grid_space *space = patch->space;
    uint32_t width = space->grid->width, height = space->grid->height;
    crn_size_box near = crn_size_reach(&space->size, width, height, node % width, node / width),
                 *box = &patch->box;
    box->left = crn_min_u32(box->left, near.left - (near.left > 0));
    box->top = crn_min_u32(box->top, near.top - (near.top > 0));
    box->right = crn_max_u32(box->right, near.right + 1);
    box->bottom = crn_max_u32(box->bottom, near.bottom + 1);
}

void crn_patch_bound(crn_patch *patch)
{
    uint32_t width = patch->space->grid->width, height = patch->space->grid->height;
    patch->box = (crn_size_box){width, height, 0, 0};
    if (patch->table) patch->box = (crn_size_box){0, 0, width, height};
    for (uint32_t i = 0; i < patch->count; i++) crn_patch_widen(patch, patch->cells[i].node);
}

void crn_patch_table_fill(crn_patch_table *table, const crn_grid_space *space,
                          const uint16_t *terrain_cost)
{
    cairn_scale scale = space->base.scale;
    uint32_t units[2] = {scale.straight, space->hex ? scale.straight : scale.diagonal};
    *table = (crn_patch_table){.least = {CAIRN_COST_MAX, CAIRN_COST_MAX}};
    for (uint32_t kind = 0; kind < 256; kind++) {
        bool present = space->grid->class_count[kind] && space->price[kind][0];
        for (uint32_t d = 0; d < 2; d++) {
            cairn_cost price = crn_price(units[d], terrain_cost[kind]);
            table->price[kind][d] = price;
            if (!present || !price) continue;
            table->least[d] = crn_min_u32(table->least[d], price);
            table->most = crn_max_u32(table->most, price);
        }
        table->forbids |= present && !terrain_cost[kind];
    }
}

/* ---- where one can stand ---- */

/* The 64 cells from (x, y) on: which are open and allowed? */
static uint64_t patch_free_word(const crn_patch *patch, int32_t x, int32_t y)
{
    const cairn_grid *grid = patch->space->grid;
    if (y < 0 || (uint32_t)y >= grid->height) return 0;
    uint64_t word = crn_bits_word(crn_grid_free_bits(patch->space), x, y);
    int64_t row = (int64_t)y * grid->width, first = row + (x > 0 ? x : 0);
    int64_t end = row + ((int64_t)x + 64 < grid->width ? (int64_t)x + 64 : grid->width);
    if (first >= end) return word;
    for (int64_t node = first; node < end; node++) {
        if (!patch->table || !patch->table->forbids) break;
        if (patch_forbids(patch, (cairn_node)node)) word &= ~(UINT64_C(1) << (node - row - x));
    }
    for (uint32_t i = patch_from(patch, (uint64_t)first); i < patch->count; i++) {
        if (patch->cells[i].node >= end) break;
        uint64_t bit = UINT64_C(1) << (patch->cells[i].node - row - x);
        word = patch_allows(patch, &patch->cells[i].state) ? word | bit : word & ~bit;
    }
    return word;
}

/* Is all that a body needs round (x, y) free? */
static bool patch_has_room(const crn_patch *patch, int32_t x, int32_t y)
{
    const crn_size *size = &patch->space->size;
    for (int32_t dy = size->top; dy <= size->bottom; dy++) {
        const int8_t *span = size->span[y & 1][dy - size->top];
        for (int32_t left = span[0]; left <= span[1]; left += 64) {
            uint32_t count = crn_min_u32((uint32_t)(span[1] - left) + 1, 64);
            uint64_t needed = UINT64_MAX >> (64 - count);
            if (needed & ~patch_free_word(patch, x + left, y + dy)) return false;
        }
    }
    return true;
}

bool crn_patch_usable(const crn_patch *patch, int32_t x, int32_t y)
{
    const crn_grid_space *space = patch->space;
    if (x < 0 || y < 0 || (uint32_t)x >= space->grid->width || (uint32_t)y >= space->grid->height)
        return false;
    if (!crn_patch_touches(patch, (uint32_t)x, (uint32_t)y)) return crn_bit(&space->usable, x, y);
    if (space->sized) return patch_has_room(patch, x, y);
    cairn_node node = (uint32_t)y * space->grid->width + (uint32_t)x;
    const crn_patch_cell *cell = crn_patch_find(patch, node);
    if (cell) return patch_allows(patch, &cell->state);
    return crn_bit(&space->usable, x, y) && !patch_forbids(patch, node);
}

uint32_t crn_patch_pattern(const crn_patch *patch, uint32_t x, uint32_t y)
{
    uint32_t pattern = 0;
    if (!crn_patch_touches(patch, x, y)) return crn_grid_pattern(patch->space, x, y);
    for (uint32_t i = 0; i < 9; i++) {
        bool usable = crn_patch_usable(patch, (int32_t)(x + i % 3) - 1, (int32_t)(y + i / 3) - 1);
        pattern |= (uint32_t)usable << i;
    }
    return pattern;
}

/* ---- steps ---- */

static int32_t patch_elevation(const crn_patch *patch, cairn_node node)
{
    const crn_patch_cell *cell = crn_patch_find(patch, node);
    if (cell) return cell->state.elevation;
    return patch->space->grid->elevation ? patch->space->grid->elevation[node] : 0;
}

static bool patch_height_ok(const crn_patch *patch, cairn_node a, cairn_node b)
{
    const cairn_profile *profile = &patch->space->profile;
    int32_t rise = patch_elevation(patch, b) - patch_elevation(patch, a);
    return rise <= profile->max_climb && -(int64_t)rise <= profile->max_drop;
}

/* Can the corner at (sx, sy), beside the step from a to b, be passed? */
static bool patch_side_ok(const crn_patch *patch, int32_t sx, int32_t sy, cairn_node a,
                          cairn_node b)
{
    if (!crn_patch_usable(patch, sx, sy)) return false;
    cairn_node side = (uint32_t)sy * patch->space->grid->width + (uint32_t)sx;
    return patch_height_ok(patch, a, side) && patch_height_ok(patch, side, b);
}

static bool patch_heights_ok(const crn_patch *patch, int32_t x, int32_t y, uint32_t d)
{
    const crn_grid_space *space = patch->space;
    int32_t to_x = x + crn_dx[d], to_y = y + crn_dy[d];
    cairn_node a = (uint32_t)y * space->grid->width + (uint32_t)x,
               b = (uint32_t)to_y * space->grid->width + (uint32_t)to_x;
    if (!patch_height_ok(patch, a, b)) return false;
    if (d < CRN_NE || space->hex || space->profile.corners == CAIRN_CORNERS_ALWAYS) return true;
    int sides = patch_side_ok(patch, to_x, y, a, b) + patch_side_ok(patch, x, to_y, a, b);
    return sides >= (space->profile.corners == CAIRN_CORNERS_NEVER ? 2 : 1);
}

/* Does nothing blocked dip into the step? */
static bool patch_can_pass(const crn_patch *patch, int32_t x, int32_t y, uint32_t d)
{
    const crn_size *size = &patch->space->size;
    const int8_t(*dip)[2] = size->dip[y & 1][crn_dy[d] + 1][crn_dx[d] + 1];
    for (uint32_t i = 0; i < CRN_SIZE_DIPS; i++) {
        if (!(patch_free_word(patch, x + dip[i][0], y + dip[i][1]) & 1)) return false;
    }
    return true;
}

/* Do heights and room allow a step that the pattern allows? */
static bool patch_step_ok(const crn_patch *patch, int32_t x, int32_t y, uint32_t d)
{
    const crn_grid_space *space = patch->space;
    if (space->steep && !patch_heights_ok(patch, x, y, d)) return false;
    return !space->size.dips || patch_can_pass(patch, x, y, d);
}

static cairn_cost patch_cost(const crn_patch *patch, cairn_node a, cairn_node b, uint32_t d)
{
    const crn_grid_space *space = patch->space;
    const crn_patch_cell *cell = crn_patch_find(patch, b);
    cairn_cell_state state = cell ? cell->state : crn_grid_state(space->grid, b);
    uint64_t straight = space->base.scale.straight;
    const cairn_cost(*price)[2] = patch->table ? patch->table->price : space->price;
    uint64_t cost = price[state.terrain][d / CRN_NE] + (uint64_t)space->layer_cost[state.layer];
    int32_t climb = space->profile.gradient ? state.elevation - patch_elevation(patch, a) : 0;
    if (climb > 0) cost += (uint64_t)climb * space->profile.gradient * straight / 256;
    return crn_edge_cost(cost + (cell ? cell->extra : 0));
}

void crn_patch_look(const crn_patch *patch, uint32_t x, uint32_t y, crn_patch_steps *steps)
{
    const crn_grid_space *space = patch->space;
    cairn_node node = y * space->grid->width + x;
    steps->pattern = crn_patch_pattern(patch, x, y);
    uint32_t moves = space->moves[CRN_NO_ARRIVAL][steps->pattern] & space->row_moves[y & 1];
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        steps->out[d] = steps->in[d] = 0;
        if (!(moves >> d & 1)) continue;
        int32_t to_x = (int32_t)x + crn_dx[d], to_y = (int32_t)y + crn_dy[d];
        cairn_node to = (uint32_t)to_y * space->grid->width + (uint32_t)to_x;
        uint32_t back = crn_opposite[d];
        if (patch_step_ok(patch, (int32_t)x, (int32_t)y, d))
            steps->out[d] = patch_cost(patch, node, to, d);
        if (patch_step_ok(patch, to_x, to_y, back))
            steps->in[d] = patch_cost(patch, to, node, back);
    }
}

bool crn_patch_could_step(const crn_patch *patch, uint32_t x, uint32_t y, uint32_t direction)
{
    const crn_grid_space *space = patch->space;
    uint32_t target = (uint32_t)((crn_dy[direction] + 1) * 3 + crn_dx[direction] + 1);
    uint32_t pattern = crn_patch_pattern(patch, x, y) | 1u << target;
    uint32_t moves = space->moves[CRN_NO_ARRIVAL][pattern] & space->row_moves[y & 1];
    return moves >> direction & 1 && patch_step_ok(patch, (int32_t)x, (int32_t)y, direction);
}
