/* stops.c: the cells at which every jump ends, although no obstacle forces a turn. See runs.h.
 *
 * A cell is a stop if a link leaves it, so that a search that jumps sees the link; if a cell beside
 * or across from it that can be stood on has ground of another cost; or if two of these cells, or
 * one of them and itself, touch each other and differ in height by more than one may climb or drop.
 * Round all other cells all steps are allowed and cost the same, so everything that jumps rely on
 * holds there; and a jump from cell to cell never leaves the ground that it began on. Ground on
 * which a diagonal step costs no more than a straight one, or as much as two, consists of stops.
 *
 * Most maps have no links, different ground or limits of height. Then there are no stops, and no
 * memory is taken for them.
 */
#include "world/grid_space.h"

static bool stops_have_ground(const crn_grid_space *space)
{
    return space->grid->terrain || space->grid->layer || space->steep;
}

bool crn_stops_reserve(crn_grid_space *space)
{
    crn_runs *runs = space->runs;
    if (!runs || runs->stop_slant[1].rows) return true;
    bool ok = true;
    if (!runs->stop.rows)
        ok = crn_bits_create(runs->context, runs->width, runs->height, &runs->stop);
    if (ok && !runs->stop_across.rows)
        ok = crn_bits_create(runs->context, runs->height, runs->width, &runs->stop_across);
    for (uint32_t i = 0; ok && i < 2; i++) {
        if (!runs->stop_slant[i].rows)
            ok = crn_bits_create(runs->context, runs->width, runs->height, &runs->stop_slant[i]);
    }
    return ok;
}

/* ---- ground ---- */

/* Do a row of a plane and those beside it hold only one value in columns x - 1 … x + 64? */
static bool stops_plain(const crn_runs *runs, const void *plane, size_t value, uint32_t x,
                        uint32_t y)
{
    if (!plane) return true;
    uint32_t left = x ? x - 1 : 0, right = crn_min_u32(x + 64, runs->width - 1);
    uint32_t top = y ? y - 1 : 0, bottom = crn_min_u32(y + 1, runs->height - 1);
    const uint8_t *bytes = plane, *first = bytes + ((size_t)y * runs->width + x) * value;
    for (uint32_t row = top; row <= bottom; row++) {
        const uint8_t *at = bytes + ((size_t)row * runs->width + left) * value;
        /* all the same: the first is the one asked for, and each is the next one */
        if (memcmp(at, first, value) || memcmp(at, at + value, (right - left) * value))
            return false;
    }
    return true;
}

typedef struct stops_ground {
    cairn_cost straight, diagonal;
} stops_ground;

static stops_ground stops_ground_at(const crn_grid_space *space, size_t node)
{
    const cairn_grid *grid = space->grid;
    const cairn_cost *price = space->price[grid->terrain ? grid->terrain[node] : 0];
    cairn_cost layer = grid->layer ? space->layer_cost[grid->layer[node]] : 0;
    return (stops_ground){crn_edge_cost((uint64_t)price[0] + layer),
                          crn_edge_cost((uint64_t)price[1] + layer)};
}

/* Is the ground round a cell that can be stood on not the same everywhere, or not fit for jumps? */
static bool stops_mixed(const crn_grid_space *space, int32_t x, int32_t y)
{
    const uint32_t width = space->grid->width;
    stops_ground here = stops_ground_at(space, (size_t)y * width + (uint32_t)x);
    if (here.straight >= here.diagonal || here.diagonal >= 2 * (uint64_t)here.straight) return true;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        int32_t bx = x + crn_dx[d], by = y + crn_dy[d];
        if (!crn_bit(&space->usable, bx, by)) continue;
        stops_ground beside = stops_ground_at(space, (size_t)by * width + (uint32_t)bx);
        if (beside.straight != here.straight || beside.diagonal != here.diagonal) return true;
    }
    return false;
}

/* Do limits of height forbid the step between two cells that touch, in one direction or both? */
static bool stops_parted(const crn_grid_space *space, int32_t ax, int32_t ay, int32_t bx,
                         int32_t by)
{
    if (!crn_bit(&space->usable, ax, ay) || !crn_bit(&space->usable, bx, by)) return false;
    const size_t width = space->grid->width;
    size_t a = (size_t)ay * width + (size_t)ax, b = (size_t)by * width + (size_t)bx;
    return !crn_grid_height_ok(space, a, b) || !crn_grid_height_ok(space, b, a);
}

/* Do limits of height forbid a step between two of the 3×3 cells round one? */
static bool stops_steep(const crn_grid_space *space, int32_t x, int32_t y)
{
    for (int32_t v = y - 1; v <= y + 1; v++) {
        for (int32_t u = x - 1; u <= x + 1; u++) {
            bool right = u <= x, down = v <= y;
            if ((right && stops_parted(space, u, v, u + 1, v)) ||
                (down && stops_parted(space, u, v, u, v + 1)) ||
                (right && down &&
                 (stops_parted(space, u, v, u + 1, v + 1) ||
                  stops_parted(space, u + 1, v, u, v + 1))))
                return true;
        }
    }
    return false;
}

/* Which of the 64 cells from (x, y) on are stops? */
static uint64_t stops_word(const crn_grid_space *space, uint32_t x, uint32_t y)
{
    const cairn_grid *grid = space->grid;
    uint64_t stops =
        space->links.count ? crn_bits_word(&space->links.from, (int32_t)x, (int32_t)y) : 0;
    if (!stops_have_ground(space)) return stops;
    uint64_t usable = crn_bits_word(&space->usable, (int32_t)x, (int32_t)y);
    stops_ground first = stops_ground_at(space, (size_t)y * grid->width + x);
    bool fit = first.straight < first.diagonal && first.diagonal < 2 * (uint64_t)first.straight;
    bool level = !space->steep || stops_plain(space->runs, grid->elevation, sizeof(int16_t), x, y);
    if (fit && level && stops_plain(space->runs, grid->terrain, 1, x, y) &&
        stops_plain(space->runs, grid->layer, 1, x, y))
        return stops;
    for (uint64_t left = usable & ~stops; left; left &= left - 1) {
        uint32_t i = crn_lowest_bit(left);
        int32_t at = (int32_t)(x + i);
        bool stop =
            stops_mixed(space, at, (int32_t)y) || (!level && stops_steep(space, at, (int32_t)y));
        stops |= (uint64_t)stop << i;
    }
    return stops;
}

/* ---- keeping them ---- */

static void stops_flip(crn_runs *runs, uint32_t x, uint32_t y, bool stop)
{
    crn_bit_set(&runs->stop, (int32_t)x, (int32_t)y, stop);
    crn_bit_set(&runs->stop_across, (int32_t)y, (int32_t)x, stop);
    for (uint32_t i = 0; i < 2; i++)
        crn_bit_set(&runs->stop_slant[i], (int32_t)x, (int32_t)crn_runs_slant(runs, i == 0, x, y),
                    stop);
    runs->stops += stop ? 1 : UINT64_MAX;
}

void crn_stops_update(const crn_grid_space *space, const crn_size_box *box)
{
    crn_runs *runs = space->runs;
    if (!runs || !runs->stop_slant[1].rows) return;
    crn_size_box all = {UINT32_MAX, UINT32_MAX, 0, 0};
    for (uint32_t y = box->top; y <= box->bottom; y++) {
        for (uint32_t x = box->left & ~63u; x <= box->right; x += 64) {
            uint64_t now = stops_word(space, x, y),
                     before = crn_bits_word(&runs->stop, (int32_t)x, (int32_t)y);
            for (uint64_t left = now ^ before; left; left &= left - 1) {
                uint32_t at = x + crn_lowest_bit(left);
                if (at >= runs->width) break;
                stops_flip(runs, at, y, now >> (at - x) & 1);
                all.left = crn_min_u32(all.left, at);
                all.right = crn_max_u32(all.right, at);
                all.top = crn_min_u32(all.top, y);
                all.bottom = y;
            }
        }
    }
    if (all.left <= all.right) crn_runs_fill(runs, &space->usable, &all);
}

void crn_stops_update_ground(const crn_grid_space *space, const crn_size_box *box)
{
    const crn_runs *runs = space->runs;
    if (!runs || !stops_have_ground(space)) return;
    crn_size_box wider = {box->left - (box->left > 0), box->top - (box->top > 0),
                          crn_min_u32(box->right + 1, runs->width - 1),
                          crn_min_u32(box->bottom + 1, runs->height - 1)};
    crn_stops_update(space, &wider);
}
