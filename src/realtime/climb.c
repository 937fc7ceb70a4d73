/* climb.c: hill climbing. See climb.h. */
#include "realtime/climb.h"

CRN_INLINE uint64_t climb_octile(const crn_grid_space *map, int32_t dx, int32_t dy)
{
    uint32_t across = (uint32_t)(dx < 0 ? -dx : dx), down = (uint32_t)(dy < 0 ? -dy : dy);
    uint32_t low = crn_min_u32(across, down), high = crn_max_u32(across, down);
    return (uint64_t)map->base.scale.straight * (high - low) +
           (uint64_t)map->base.scale.diagonal * low;
}

static uint32_t climb_hexagons(int32_t x, int32_t y, int32_t tx, int32_t ty)
{
    crn_box box = {.left = tx, .top = ty, .right = tx, .bottom = ty};
    return crn_hex_steps(x, y, &box);
}

uint64_t crn_climb_distance(const crn_grid_space *map, cairn_cell a, cairn_cell b)
{
    int32_t dx = a.x - b.x, dy = a.y - b.y;
    if (map->hex) return (uint64_t)map->base.scale.straight * climb_hexagons(a.x, a.y, b.x, b.y);
    if (map->profile.neighbours == CAIRN_NEIGHBOURS_8) return climb_octile(map, dx, dy);
    return (uint64_t)map->base.scale.straight *
           ((uint32_t)(dx < 0 ? -dx : dx) + (uint32_t)(dy < 0 ? -dy : dy));
}

crn_climb_ease crn_climb_easy(const crn_grid_space *map)
{
    if (map->hex || map->limited) return CRN_CLIMB_HARD;
    bool cuts = map->profile.neighbours == CAIRN_NEIGHBOURS_8 && !map->sized &&
                map->profile.corners == CAIRN_CORNERS_ALWAYS;
    return cuts ? CRN_CLIMB_EASY : CRN_CLIMB_STRAIGHT;
}

/* Four neighbours: both moves that come nearer are equally good. */
static uint32_t climb_around_four(const crn_climb *climb, uint32_t moves)
{
    uint32_t nearer =
        (climb->ty < climb->y ? 1u << CRN_N : 0) | (climb->tx > climb->x ? 1u << CRN_E : 0) |
        (climb->ty > climb->y ? 1u << CRN_S : 0) | (climb->tx < climb->x ? 1u << CRN_W : 0);
    moves &= nearer;
    return moves ? crn_lowest_bit(moves) : CRN_CLIMB_STUCK;
}

/* All steps cost the same, and h falls by one step or not at all. */
static CRN_NOINLINE uint32_t climb_around_hexagons(const crn_climb *climb, uint32_t moves)
{
    uint32_t h = climb_hexagons(climb->x, climb->y, climb->tx, climb->ty);
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        if (climb_hexagons(climb->x + crn_dx[d], climb->y + crn_dy[d], climb->tx, climb->ty) < h)
            return d;
    }
    return CRN_CLIMB_STUCK;
}

/* Eight neighbours, if the move straight towards the target is not legal. With s and d for the
 * costs of steps, 4 s < 3 d and d < 2 s, the others that come nearer are, the best first:
 * - in line with the target: both diagonal ones beside the line, if it is two steps away at least;
 * - on a diagonal with it: both straight moves;
 * - else: the straight move along the longer difference, the one along the shorter one, and the
 *   diagonal one along the longer one and away by the shorter one, if they differ by two at least.
 * Equally good ones in the order of directions. */
CRN_INLINE uint32_t climb_around_eight(const crn_climb *climb, uint32_t moves)
{
    static const uint8_t diagonal[2][2] = {{CRN_NW, CRN_NE}, {CRN_SW, CRN_SE}};
    int32_t dx = climb->tx - climb->x, dy = climb->ty - climb->y;
    uint32_t across = (uint32_t)(dx < 0 ? -dx : dx), down = (uint32_t)(dy < 0 ? -dy : dy);
    uint32_t x_move = dx > 0 ? CRN_E : CRN_W, y_move = dy > 0 ? CRN_S : CRN_N;
    if (across == down || !across || !down) {
        uint32_t both = !across ? 1u << diagonal[dy > 0][0] | 1u << diagonal[dy > 0][1]
                        : !down ? 1u << diagonal[0][dx > 0] | 1u << diagonal[1][dx > 0]
                                : 1u << x_move | 1u << y_move;
        moves &= across + down > 1 ? both : 0;
        return moves ? crn_lowest_bit(moves) : CRN_CLIMB_STUCK;
    }
    bool wide = across > down;
    uint32_t longer = wide ? x_move : y_move, shorter = wide ? y_move : x_move;
    if (moves >> longer & 1) return longer;
    if (moves >> shorter & 1) return shorter;
    uint32_t away = wide ? diagonal[dy < 0][dx > 0] : diagonal[dy > 0][dx < 0];
    bool nearer = wide ? across > down + 1 : down > across + 1;
    return nearer && moves >> away & 1 ? away : CRN_CLIMB_STUCK;
}

/* The best of these moves if the one straight towards the target is not among them; hexagons: of
 * any. */
CRN_INLINE uint32_t climb_around(const crn_climb *climb, uint32_t moves)
{
    const crn_grid_space *map = climb->map;
    if (CRN_UNLIKELY(map->hex)) return climb_around_hexagons(climb, moves);
    if (map->profile.neighbours == CAIRN_NEIGHBOURS_4) return climb_around_four(climb, moves);
    return climb_around_eight(climb, moves);
}

/* ---- moves ---- */

CRN_INLINE uint32_t climb_moves(const crn_climb *climb)
{
    const crn_grid_space *map = climb->map;
    uint32_t x = (uint32_t)climb->x, y = (uint32_t)climb->y, moves = crn_grid_moves(map, x, y);
    return CRN_UNLIKELY(map->limited) ? crn_grid_limit_moves(map, x, y, moves) : moves;
}

uint32_t crn_climb_moves(const crn_climb *climb)
{
    return climb_moves(climb);
}

const uint8_t crn_climb_towards[9] = {CRN_NW, CRN_N,  CRN_NE, CRN_W, CRN_CLIMB_STUCK,
                                      CRN_E,  CRN_SW, CRN_S,  CRN_SE};

/* The move straight towards the target, on squares; by the signs of both differences. */
CRN_INLINE uint32_t climb_towards(const crn_climb *climb)
{
    int32_t right = (climb->tx > climb->x) - (climb->tx < climb->x),
            down = (climb->ty > climb->y) - (climb->ty < climb->y);
    return crn_climb_towards[3 * down + right + 4];
}

CRN_INLINE uint32_t climb_direction(const crn_climb *climb)
{
    uint32_t moves = climb_moves(climb), d = climb_towards(climb);
    if (moves >> d & 1 && !climb->map->hex) return d;
    return climb_around(climb, moves);
}

uint32_t crn_climb_direction(const crn_climb *climb)
{
    return climb_direction(climb);
}

bool crn_climb_step(const crn_grid_space *map, cairn_node *at, cairn_node to)
{
    crn_climb climb = crn_climb_between(map, *at, to);
    uint32_t d = climb_direction(&climb);
    if (d == CRN_CLIMB_STUCK) return false;
    crn_climb_move(&climb, d);
    *at = crn_climb_node(&climb);
    return true;
}

bool crn_climb_reaches(const crn_grid_space *map, cairn_node from, cairn_node to, uint32_t most,
                       uint64_t *cost)
{
    crn_climb climb = crn_climb_between(map, from, to);
    uint64_t sum = 0;
    while (!crn_climb_arrived(&climb)) {
        uint32_t d = climb_direction(&climb);
        if (d == CRN_CLIMB_STUCK || !most--) return false;
        sum += d < CRN_NE || map->hex ? map->base.scale.straight : map->base.scale.diagonal;
        crn_climb_move(&climb, d);
    }
    if (cost) *cost = sum;
    return true;
}

/* Is this legal move the one that the climb makes? On squares, a straight one towards it is. */
CRN_INLINE bool climb_makes(const crn_climb *climb, uint32_t move)
{
    uint32_t towards = climb_towards(climb), moves;
    if (towards == move && !climb->map->hex) return true;
    moves = climb_moves(climb);
    if (CRN_UNLIKELY(climb->map->hex)) return climb_around_hexagons(climb, moves) == move;
    return !(moves >> towards & 1) && climb_around(climb, moves) == move;
}

bool crn_climb_matches(const crn_grid_space *map, cairn_node from, cairn_node to,
                       const uint8_t *moves, uint32_t count)
{
    crn_climb climb = crn_climb_between(map, from, to);
    for (uint32_t i = 0; i < count; i++) {
        if (!climb_makes(&climb, moves[i])) return false;
        crn_climb_move(&climb, moves[i]);
    }
    return true;
}

/* ---- trying ---- */

/* Moves straight towards the target as long as that is one direction, and nothing is in the way;
 * returns how many steps that were. On squares with eight neighbours, where steps need not be
 * tested one by one. */
CRN_INLINE uint32_t climb_glide(crn_climb *climb, bool cuts)
{
    const crn_grid_space *map = climb->map;
    const crn_bits *bits = &map->usable;
    int32_t dx = climb->tx - climb->x, dy = climb->ty - climb->y, sx = (dx > 0) - (dx < 0),
            sy = (dy > 0) - (dy < 0);
    uint32_t across = (uint32_t)(dx < 0 ? -dx : dx), down = (uint32_t)(dy < 0 ? -dy : dy),
             most = !across || !down ? across + down : crn_min_u32(across, down), steps = 0;
    if (cuts || !sx || !sy) { /* only the cell that a step leads to matters */
        ptrdiff_t stride = sy * (ptrdiff_t)bits->stride;
        const uint8_t *row = bits->rows + ((size_t)climb->y + 1) * bits->stride + stride;
        uint32_t bit = (uint32_t)(climb->x + 1 + sx);
        for (; steps < most && row[bit >> 3] >> (bit & 7) & 1; steps++) {
            row += stride;
            bit += (uint32_t)sx;
        }
    } else {
        uint32_t d = climb_towards(climb), x = (uint32_t)climb->x, y = (uint32_t)climb->y;
        for (; steps < most && crn_grid_moves(map, x, y) >> d & 1; steps++) {
            x += (uint32_t)sx;
            y += (uint32_t)sy;
        }
    }
    climb->x += sx * (int32_t)steps;
    climb->y += sy * (int32_t)steps;
    return steps;
}

/* How many steps lead along a row, or a column, as long as cells are usable and those beside them
 * are not: the first cell is a bit of row `at`; `wall` is the row beside it, `beside` a column. */
CRN_INLINE uint32_t climb_slide_across(const uint8_t *at, const uint8_t *wall, uint32_t bit,
                                       uint32_t step, uint32_t most)
{
    uint32_t steps = 0;
    for (; steps < most && (at[bit >> 3] & ~wall[bit >> 3]) >> (bit & 7) & 1; steps++) bit += step;
    return steps;
}

CRN_INLINE uint32_t climb_slide_down(const uint8_t *at, uint32_t bit, uint32_t beside,
                                     ptrdiff_t stride, uint32_t most)
{
    const uint8_t *wall = at + (beside >> 3);
    uint32_t steps = 0, open = 1u << (bit & 7), blocked = 1u << (beside & 7);
    for (at += bit >> 3; steps < most && *at & open && !(*wall & blocked); steps++) {
        at += stride;
        wall += stride;
    }
    return steps;
}

/* After a straight step along a wall: goes on in its direction as long as the wall is on the side
 * of the target and nothing else is in the way; returns how many steps that were. The climb would
 * do the same, one by one: straight steps need only the cell that they lead to. */
CRN_INLINE uint32_t climb_slide(crn_climb *climb, uint32_t direction)
{
    const crn_bits *bits = &climb->map->usable;
    int32_t dx = climb->tx - climb->x, dy = climb->ty - climb->y, sx = (dx > 0) - (dx < 0),
            sy = (dy > 0) - (dy < 0);
    bool across = crn_dx[direction] != 0;
    if (!sx || !sy || crn_bit(bits, climb->x + (across ? 0 : sx), climb->y + (across ? sy : 0)))
        return 0;
    ptrdiff_t stride = sy * (ptrdiff_t)bits->stride;
    const uint8_t *at = bits->rows + ((size_t)climb->y + 1) * bits->stride;
    uint32_t bit = (uint32_t)climb->x + 1, beside = bit + (uint32_t)sx, steps;
    if (across) {
        steps = climb_slide_across(at, at + stride, beside, (uint32_t)sx, (uint32_t)(dx * sx));
        climb->x += sx * (int32_t)steps;
    } else {
        steps = climb_slide_down(at + stride, bit, beside, stride, (uint32_t)(dy * sy));
        climb->y += sy * (int32_t)steps;
    }
    return steps;
}

/* Squares with eight neighbours, and steps that follow from the cells around alone. */
CRN_INLINE bool climb_can_glide(const crn_grid_space *map)
{
    return map->profile.neighbours == CAIRN_NEIGHBOURS_8 && !map->hex && !map->limited;
}

CRN_INLINE uint32_t climb_steps_left(const crn_climb *climb)
{
    int32_t dx = climb->tx - climb->x, dy = climb->ty - climb->y;
    uint32_t across = (uint32_t)(dx < 0 ? -dx : dx), down = (uint32_t)(dy < 0 ? -dy : dy);
    return crn_max_u32(across, down);
}

CRN_INLINE uint64_t climb_left(const crn_climb *climb)
{
    return climb_octile(climb->map, climb->tx - climb->x, climb->ty - climb->y);
}

/* Steps straight towards the target cost what they come nearer; only others cost more. */
bool crn_climb_within(const crn_grid_space *map, cairn_node from, cairn_node to, uint32_t most,
                      uint64_t limit)
{
    uint64_t cost = 0, left;
    if (!climb_can_glide(map))
        return crn_climb_reaches(map, from, to, most, &cost) && cost <= limit;
    bool cuts = crn_climb_easy(map) == CRN_CLIMB_EASY;
    crn_climb climb = crn_climb_between(map, from, to);
    uint32_t steps = 0;
    if (climb_steps_left(&climb) > most) return false;
    left = climb_left(&climb);
    while (!crn_climb_arrived(&climb) && cost + left <= limit && steps <= most) {
        uint32_t moves = climb_moves(&climb);
        if (moves >> climb_towards(&climb) & 1) {
            steps += climb_glide(&climb, cuts);
            cost += left;
            left = climb_left(&climb);
            cost -= left;
            continue;
        }
        uint32_t d = climb_around_eight(&climb, moves);
        if (d == CRN_CLIMB_STUCK) return false;
        crn_climb_move(&climb, d);
        steps++;
        cost += d < CRN_NE ? map->base.scale.straight : map->base.scale.diagonal;
        if (d < CRN_NE) {
            uint32_t more = climb_slide(&climb, d);
            steps += more;
            cost += (uint64_t)more * map->base.scale.straight;
        }
        left = climb_left(&climb);
    }
    return crn_climb_arrived(&climb) && cost <= limit && steps <= most;
}

bool crn_climb_glides(const crn_grid_space *map, cairn_node from, cairn_node to, uint32_t most,
                      uint32_t turns)
{
    bool cuts = crn_climb_easy(map) == CRN_CLIMB_EASY;
    uint32_t steps = 0;
    if (!climb_can_glide(map)) return crn_climb_reaches(map, from, to, most, NULL);
    crn_climb climb = crn_climb_between(map, from, to);
    if (climb_steps_left(&climb) > most) return false;
    while (!crn_climb_arrived(&climb) && steps <= most) {
        uint32_t moves = climb_moves(&climb);
        if (moves >> climb_towards(&climb) & 1) {
            steps += climb_glide(&climb, cuts);
            continue;
        }
        uint32_t d = climb_around_eight(&climb, moves);
        if (d == CRN_CLIMB_STUCK || !turns--) return false;
        crn_climb_move(&climb, d);
        steps++;
        if (d < CRN_NE) steps += climb_slide(&climb, d);
    }
    return steps <= most;
}

uint32_t crn_climb_cells(const crn_grid_space *map, cairn_node from, cairn_node to, cairn_node *out,
                         uint32_t capacity)
{
    crn_climb climb = crn_climb_between(map, from, to);
    for (uint32_t count = 0;; count++) {
        if (count < capacity) out[count] = crn_climb_node(&climb);
        uint32_t d = crn_climb_arrived(&climb) ? CRN_CLIMB_STUCK : crn_climb_direction(&climb);
        if (d == CRN_CLIMB_STUCK) return count + 1;
        crn_climb_move(&climb, d);
    }
}
