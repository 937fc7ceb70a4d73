/* explain.c: why an agent can or cannot stand on a cell, and why it can or cannot step away from
 * there.
 *
 * Everything is derived again from the grid and the profile, one question after the other, in the
 * order in which a reader of the map would ask them. Of the space's own tables only the
 * usable cells and the size of the agent are used. The sentence names the cell that is in the
 * way.
 */
#include "world/clearance.h"
#include "world/grid_space.h"

#include <math.h>

const char *cairn_reason_text(cairn_reason reason)
{
    static const char *const texts[CAIRN_REASON_COUNT] = {
        "free",          "outside the map", "blocked",        "forbidden terrain", "too narrow",
        "cuts a corner", "too steep up",    "too steep down", "no neighbour"};
    return (unsigned)reason < CAIRN_REASON_COUNT ? texts[reason] : "unknown reason";
}

/* By geometry: above and below a hexagon lie two neighbours, half a cell to the left and to the
 * right. */
const char *cairn_step_name(const cairn_space *base, int32_t y, uint32_t i)
{
    static const char *const names[CRN_DIRECTIONS] = {
        "north", "east", "south", "west", "north-east", "south-east", "south-west", "north-west"};
    static const char *const hex_names[2][CRN_DIRECTIONS] = {
        {"north-east", "east", "south-east", "west", NULL, NULL, "south-west", "north-west"},
        {"north-west", "east", "south-west", "west", "north-east", "south-east", NULL, NULL}};
    if (!base || base->world != CAIRN_WORLD_GRID || i >= CRN_DIRECTIONS) return NULL;
    return crn_grid_space_of(base)->hex ? hex_names[y & 1][i] : names[i];
}

/* ---- cells and steps ---- */

static cairn_reason explain_cell(const crn_grid_space *space, int32_t x, int32_t y)
{
    const cairn_grid *grid = space->grid;
    if (!cairn_grid_inside(grid, x, y)) return CAIRN_REASON_OUTSIDE;
    if (!cairn_grid_is_open(grid, x, y)) return CAIRN_REASON_BLOCKED;
    if (!space->profile.terrain_cost[cairn_grid_terrain(grid, x, y)]) return CAIRN_REASON_TERRAIN;
    bool usable = cairn_space_usable(&space->base, cairn_grid_node(grid, x, y));
    return usable ? CAIRN_REASON_NONE : CAIRN_REASON_TOO_NARROW;
}

/* Is the cell in this direction a neighbour at all? Hexagons have two of the three above and below,
 * by how their row is shifted. */
static bool explain_is_neighbour(const crn_grid_space *space, int32_t y, uint32_t direction)
{
    bool straight = !crn_dx[direction] || !crn_dy[direction];
    if (!space->hex) return straight || space->profile.neighbours == CAIRN_NEIGHBOURS_8;
    return straight || crn_dx[direction] == (y & 1 ? 1 : -1);
}

static cairn_reason explain_height(const crn_grid_space *space, int32_t x, int32_t y, int32_t u,
                                   int32_t v)
{
    int32_t rise =
        cairn_grid_elevation(space->grid, u, v) - cairn_grid_elevation(space->grid, x, y);
    if (rise > space->profile.max_climb) return CAIRN_REASON_CLIMB;
    if (-rise > space->profile.max_drop) return CAIRN_REASON_DROP;
    return CAIRN_REASON_NONE;
}

/* Could the agent walk over the side cell (u, v), instead of the diagonal step from (x, y) to (tx,
 * ty)? */
static bool explain_side_free(const crn_grid_space *space, int32_t x, int32_t y, int32_t u,
                              int32_t v, int32_t tx, int32_t ty)
{
    return explain_cell(space, u, v) == CAIRN_REASON_NONE &&
           explain_height(space, x, y, u, v) == CAIRN_REASON_NONE &&
           explain_height(space, u, v, tx, ty) == CAIRN_REASON_NONE;
}

/* Does a blocked cell dip into the step between two hexagons? Then *side is that cell. */
static bool explain_is_grazed(const crn_grid_space *space, int32_t x, int32_t y, uint32_t direction,
                              cairn_cell *side)
{
    const int8_t(*dip)[2] = space->size.dip[y & 1][crn_dy[direction] + 1][crn_dx[direction] + 1];
    for (uint32_t i = 0; i < CRN_SIZE_DIPS; i++) {
        *side = (cairn_cell){x + dip[i][0], y + dip[i][1]};
        cairn_reason reason = explain_cell(space, side->x, side->y);
        bool own = !dip[i][0] && !dip[i][1];
        if (!own && reason != CAIRN_REASON_NONE && reason != CAIRN_REASON_TOO_NARROW) return true;
    }
    return false;
}

/* Does the corner rule, or the agent's size, forbid the step? Then *side is a cell that is in the
 * way. */
static bool explain_cuts(const crn_grid_space *space, int32_t x, int32_t y, uint32_t direction,
                         cairn_cell *side)
{
    int32_t tx = x + crn_dx[direction], ty = y + crn_dy[direction];
    if (space->hex) return explain_is_grazed(space, x, y, direction, side);
    if (tx == x || ty == y || space->profile.corners == CAIRN_CORNERS_ALWAYS) return false;
    bool level = explain_side_free(space, x, y, tx, y, tx, ty);
    bool upright = explain_side_free(space, x, y, x, ty, tx, ty);
    *side = level ? (cairn_cell){x, ty} : (cairn_cell){tx, y};
    return space->profile.corners == CAIRN_CORNERS_NEVER ? !(level && upright)
                                                         : !(level || upright);
}

static cairn_reason explain_step(const crn_grid_space *space, int32_t x, int32_t y,
                                 uint32_t direction)
{
    int32_t tx = x + crn_dx[direction], ty = y + crn_dy[direction];
    cairn_cell side;
    if (!explain_is_neighbour(space, y, direction)) return CAIRN_REASON_NO_STEP;
    cairn_reason reason = explain_cell(space, tx, ty);
    if (reason == CAIRN_REASON_NONE) reason = explain_height(space, x, y, tx, ty);
    if (reason == CAIRN_REASON_NONE && explain_cuts(space, x, y, direction, &side))
        reason = CAIRN_REASON_CORNER;
    return reason;
}

/* ---- words ---- */

/* A number with at most two decimals, rounded up or down (but for the last bits of a double). */
static const char *explain_number(double number, bool up, char out[16])
{
    const double bits = 1e-6;
    uint32_t hundredths = (uint32_t)floor(number * 100 + (up ? 1 - bits : bits));
    uint32_t whole = hundredths / 100, part = hundredths % 100;
    if (!part)
        crn_format(out, 16, "%u", whole);
    else if (part % 10)
        crn_format(out, 16, "%u.%u%u", whole, part / 10, part % 10);
    else
        crn_format(out, 16, "%u.%u", whole, part / 10);
    return out;
}

/* What stands nearest, and how near. */
static void explain_say_nearest(const crn_grid_space *space, const cairn_explanation *e, char *out,
                                size_t size)
{
    char distance[16];
    explain_number(e->clearance, false, distance);
    if (e->obstacle == CAIRN_NO_NODE) {
        crn_format(out, size, "the edge of the map is %s cells away", distance);
        return;
    }
    cairn_cell cell = cairn_grid_cell(space->grid, e->obstacle);
    const char *kind = cairn_grid_is_open(space->grid, cell.x, cell.y) ? "forbidden" : "blocked";
    crn_format(out, size, "the nearest %s cell (%d,%d) is %s cells away", kind, (int)cell.x,
               (int)cell.y, distance);
}

/* Names the first cell of the footprint that the agent cannot be on. */
static void explain_say_footprint(const crn_grid_space *space, int32_t x, int32_t y, char *out,
                                  size_t size)
{
    int32_t side = (int32_t)space->profile.footprint;
    for (int32_t i = 0; i < side * side; i++) {
        int32_t u = x + i % side, v = y + i / side;
        cairn_reason reason = explain_cell(space, u, v);
        if (reason == CAIRN_REASON_NONE || reason == CAIRN_REASON_TOO_NARROW) continue;
        crn_format(
            out, size,
            "(%d,%d) is open, but this agent needs %u x %u cells from there on, and (%d,%d) %s.",
            (int)x, (int)y, (unsigned)side, (unsigned)side, (int)u, (int)v,
            reason == CAIRN_REASON_OUTSIDE   ? "lies outside the map"
            : reason == CAIRN_REASON_BLOCKED ? "is blocked"
                                             : "is forbidden to it");
        return;
    }
}

static void explain_say_narrow(const crn_grid_space *space, int32_t x, int32_t y,
                               const cairn_explanation *e, char *out, size_t size)
{
    if (space->profile.footprint > 1) {
        explain_say_footprint(space, x, y, out, size);
        return;
    }
    char nearest[100], needed[16];
    explain_say_nearest(space, e, nearest, sizeof nearest);
    crn_format(out, size, "(%d,%d) is open, but %s and this agent needs %s.", (int)x, (int)y,
               nearest, explain_number(space->profile.radius, true, needed));
}

static void explain_say_terrain(int32_t x, int32_t y, uint32_t terrain, char *out, size_t size)
{
    const char *name = cairn_terrain_name(terrain);
    if (name)
        crn_format(out, size, "(%d,%d) is open, but it is %s, which is forbidden to this agent.",
                   (int)x, (int)y, name);
    else
        crn_format(out, size,
                   "(%d,%d) is open, but of terrain class %u, which is forbidden to this agent.",
                   (int)x, (int)y, terrain);
}

/* "north (blocked)" */
static void explain_say_step(const crn_grid_space *space, int32_t x, int32_t y, uint32_t direction,
                             cairn_reason reason, char *out, size_t size)
{
    const char *name = cairn_step_name(&space->base, y, direction);
    cairn_cell side;
    bool cuts = reason == CAIRN_REASON_CORNER && explain_cuts(space, x, y, direction, &side);
    if (cuts && !cairn_grid_inside(space->grid, side.x, side.y))
        crn_format(out, size, "%s (past the edge of the map)", name);
    else if (cuts)
        crn_format(out, size, "%s (past the corner of (%d,%d))", name, (int)side.x, (int)side.y);
    else
        crn_format(out, size, "%s (%s)", name, cairn_reason_text(reason));
}

/* Which steps cannot be made: as many of them as there is room for. */
static void explain_say_steps(const crn_grid_space *space, int32_t x, int32_t y,
                              const cairn_explanation *e, char *out, size_t size)
{
    enum { MORE = 16 }; /* room for ", and 7 more." */
    uint32_t neighbours = 0, missing = 0;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        neighbours += e->steps[d] != CAIRN_REASON_NO_STEP;
        missing += e->steps[d] != CAIRN_REASON_NO_STEP && e->steps[d] != CAIRN_REASON_NONE;
    }
    if (!missing) {
        crn_format(out, size, " Steps lead to all %u neighbours.", neighbours);
        return;
    }
    size_t used = crn_format(out, size, " Steps lead to %u of %u neighbours: not ",
                             neighbours - missing, neighbours);
    bool first = true;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        char step[64];
        if (e->steps[d] == CAIRN_REASON_NO_STEP || e->steps[d] == CAIRN_REASON_NONE) continue;
        explain_say_step(space, x, y, d, e->steps[d], step, sizeof step);
        if (used + strlen(step) + MORE >= size) break;
        used += crn_format(out + used, size - used, "%s%s", first ? "" : ", ", step);
        first = false;
        missing--;
    }
    if (missing)
        crn_format(out + used, size - used, ", and %u more.", missing);
    else
        crn_format(out + used, size - used, ".");
}

static void explain_say(const crn_grid_space *space, int32_t x, int32_t y, cairn_explanation *e)
{
    char nearest[100], *text = e->text;
    const size_t size = sizeof e->text;
    size_t used;
    switch (e->reason) {
    case CAIRN_REASON_OUTSIDE:
        crn_format(text, size, "(%d,%d) lies outside the map of %u x %u cells.", (int)x, (int)y,
                   cairn_grid_width(space->grid), cairn_grid_height(space->grid));
        return;
    case CAIRN_REASON_BLOCKED:
        crn_format(text, size, "(%d,%d) is blocked.", (int)x, (int)y);
        return;
    case CAIRN_REASON_TERRAIN: explain_say_terrain(x, y, e->terrain, text, size); return;
    case CAIRN_REASON_TOO_NARROW: explain_say_narrow(space, x, y, e, text, size); return;
    default: break;
    }
    explain_say_nearest(space, e, nearest, sizeof nearest);
    used = crn_format(text, size, "(%d,%d) can be stood on; %s.", (int)x, (int)y, nearest);
    explain_say_steps(space, x, y, e, text + used, size - used);
}

/* ---- the question ---- */

cairn_status cairn_explain(const cairn_space *base, int32_t x, int32_t y, cairn_explanation *out)
{
    if (!base || !out) return CAIRN_INVALID;
    if (base->world != CAIRN_WORLD_GRID) return CAIRN_UNSUPPORTED;
    const crn_grid_space *space = crn_grid_space_of(base);
    const cairn_grid *grid = space->grid;
    *out = (cairn_explanation){.reason = explain_cell(space, x, y), .obstacle = CAIRN_NO_NODE};
    bool inside = out->reason != CAIRN_REASON_OUTSIDE;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        out->steps[d] = inside ? explain_step(space, x, y, d) : CAIRN_REASON_OUTSIDE;
    }
    if (inside) {
        const crn_bitmap free = crn_grid_free(space);
        uint32_t gap =
            crn_clearance_look(&free, (uint32_t)x, (uint32_t)y, UINT32_MAX, &out->obstacle);
        out->clearance = crn_clearance_distance(gap);
        out->terrain = cairn_grid_terrain(grid, x, y);
        out->component = cairn_space_component(base, cairn_grid_node(grid, x, y));
    }
    explain_say(space, x, y, out);
    return CAIRN_OK;
}
