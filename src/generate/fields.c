/* fields.c: the open fields of real-time strategy: pseudo-rts and battlefield (Anguelov 2011, 8.3.3
 * and 8.3.6).
 *
 * pseudo-rts: a very high density of small obstacles on an open field. No two of them touch, not
 * even at a corner, and none stands at the border, so each can be passed on all sides and the map
 * is connected by construction.
 *
 * battlefield: large regions, parted by hedges, walls and rivers, with scattered obstacles in them.
 * A region is the set of cells nearest to its site; sites lie one in each square of a lattice, the
 * distances are bent a little by noise. Borders have gaps, and a road leads to the site of each
 * neighbour in the lattice, so that every region has two or more entrances. Pockets that are closed
 * by chance are filled or joined. `closed` leaves out gaps, until at 100 only roads lead through
 * borders. `ease` takes borders away, widens their gaps, and makes large obstacles rarer, until at
 * 100 only small ones are left on an open field.
 */
#include "generate/generate.h"

/* ---- pseudo-rts ---- */

cairn_status crn_generate_pseudo_rts(crn_board *board, const cairn_generator *generator)
{
    uint64_t cells = (uint64_t)board->width * board->height;
    uint64_t wanted = cells * generator->percent / 100, blocked = 0;
    crn_board_fill(board, (crn_board_area){0, 0, board->width, board->height}, 1);
    for (uint64_t tries = 0; tries < cells && blocked < wanted; tries++) {
        uint32_t wide = crn_board_between(board, 1, generator->largest);
        uint32_t high = crn_board_between(board, 1, generator->largest);
        uint32_t left = crn_rng_below(&board->rng, board->width);
        uint32_t top = crn_rng_below(&board->rng, board->height);
        bool round = crn_rng_below(&board->rng, 2);
        blocked += crn_board_obstacle(board, (crn_board_area){left, top, left + wide, top + high},
                                      1, round);
    }
    return CAIRN_OK;
}

/* ---- battlefield: noise ---- */

/* A number that belongs to a pair of numbers. */
static uint32_t field_hash(uint64_t seed, uint32_t a, uint32_t b)
{
    crn_rng rng = {seed + a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f)};
    crn_rng_next(&rng);
    return (uint32_t)(crn_rng_next(&rng) >> 32);
}

/* 0…255, smooth over squares of 32 cells: bilinear between random numbers at the corners. */
static int32_t field_noise(uint64_t seed, uint32_t x, uint32_t y)
{
    uint32_t column = x / 32, row = y / 32;
    int32_t dx = (int32_t)(x % 32), dy = (int32_t)(y % 32), corner[2][2];
    for (uint32_t i = 0; i < 4; i++)
        corner[i / 2][i % 2] = (int32_t)(field_hash(seed, column + i % 2, row + i / 2) & 255);
    int32_t upper = corner[0][0] * (32 - dx) + corner[0][1] * dx;
    int32_t lower = corner[1][0] * (32 - dx) + corner[1][1] * dx;
    return (upper * (32 - dy) + lower * dy) / 1024;
}

/* ---- battlefield: regions ---- */

enum {
    FIELD_BEND = 40,      /* cells that noise moves a border, at most, to both sides together */
    FIELD_GAP = 185,      /* noise above this opens a border; none is above 255 */
    FIELD_NO_BORDER = 10, /* percent of the neighbours without a border between them */
    FIELD_SMALLEST = 64   /* cells of a pocket that is joined instead of filled */
};

typedef struct field_plan {
    crn_board *board;
    uint32_t columns, rows;
    cairn_cell *sites;
    uint64_t seeds[3]; /* bends x, bends y, gaps and borders */
    uint32_t ease;
    int32_t gap; /* noise above this opens a border */
} field_plan;

static size_t field_sites_size(const field_plan *f)
{
    return crn_mul_size((size_t)f->columns * f->rows, sizeof(cairn_cell));
}

/* A site for each square, in its inner half. */
static void field_place_sites(field_plan *f)
{
    crn_board *board = f->board;
    for (uint32_t row = 0; row < f->rows; row++) {
        for (uint32_t column = 0; column < f->columns; column++) {
            uint32_t wide = board->width / f->columns, high = board->height / f->rows;
            uint32_t x = column * wide + wide / 4 + crn_rng_below(&board->rng, wide / 2 + 1);
            uint32_t y = row * high + high / 4 + crn_rng_below(&board->rng, high / 2 + 1);
            f->sites[row * f->columns + column] =
                (cairn_cell){(int32_t)crn_min_u32(x, board->width - 1),
                             (int32_t)crn_min_u32(y, board->height - 1)};
        }
    }
}

static int64_t field_distance(cairn_cell a, cairn_cell b)
{
    int64_t dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy;
}

/* Is the cell part of the border between its nearest two sites? */
static bool field_border(const field_plan *f, uint32_t x, uint32_t y)
{
    const crn_board *board = f->board;
    uint32_t column = crn_min_u32(x / (board->width / f->columns), f->columns - 1);
    uint32_t row = crn_min_u32(y / (board->height / f->rows), f->rows - 1);
    cairn_cell bent = {(int32_t)x + (field_noise(f->seeds[0], x, y) - 128) * FIELD_BEND / 256,
                       (int32_t)y + (field_noise(f->seeds[1], x, y) - 128) * FIELD_BEND / 256};
    uint32_t first = 0, second = 0;
    int64_t first_distance = INT64_MAX, second_distance = INT64_MAX;
    for (uint32_t r = row ? row - 1 : 0; r <= row + 1 && r < f->rows; r++) {
        for (uint32_t c = column ? column - 1 : 0; c <= column + 1 && c < f->columns; c++) {
            uint32_t site = r * f->columns + c;
            int64_t distance = field_distance(bent, f->sites[site]);
            if (distance < first_distance) {
                second = first, second_distance = first_distance;
                first = site, first_distance = distance;
            } else if (distance < second_distance) {
                second = site, second_distance = distance;
            }
        }
    }
    if (second_distance == INT64_MAX) return false;
    uint32_t hash = field_hash(f->seeds[2], crn_min_u32(first, second), crn_max_u32(first, second));
    if (hash % 100 < crn_board_eased(FIELD_NO_BORDER, 100, f->ease)) return false;
    int64_t half = 1 + hash / 100 % 6; /* cells from the middle of the border to its side */
    int64_t nearer = second_distance - first_distance;
    /* The cell lies nearer / (2 · distance of the sites) cells from the middle. */
    return nearer * nearer < 4 * half * half * field_distance(f->sites[first], f->sites[second]) &&
           field_noise(f->seeds[2], x, y) <= f->gap;
}

static void field_draw_regions(const field_plan *f)
{
    for (uint32_t y = 0; y < f->board->height; y++)
        for (uint32_t x = 0; x < f->board->width; x++)
            f->board->open[crn_board_at(f->board, x, y)] = !field_border(f, x, y);
}

/* ---- battlefield: what stands in the regions ---- */

/* Houses, lines of wire and hedges, wrecks and trees. */
static crn_board_area field_obstacle(crn_board *board, uint32_t ease, bool *round)
{
    uint32_t wide, high, kind = 100 * crn_rng_below(&board->rng, 10);
    *round = false;
    if (kind < crn_board_eased(300, 0, ease)) {
        wide = crn_board_between(board, 8, 24);
        high = crn_board_between(board, 8, 24);
    } else if (kind < crn_board_eased(500, 0, ease)) {
        wide = crn_board_between(board, 12, 40);
        high = crn_board_between(board, 1, 2);
        if (crn_rng_below(&board->rng, 2)) {
            uint32_t swap = wide;
            wide = high, high = swap;
        }
    } else {
        wide = high = crn_board_between(board, 2, 7);
        *round = true;
    }
    uint32_t left = crn_rng_below(&board->rng, board->width),
             top = crn_rng_below(&board->rng, board->height);
    return (crn_board_area){left, top, left + wide, top + high};
}

static void field_scatter(crn_board *board, uint32_t percent, uint32_t ease)
{
    uint64_t cells = (uint64_t)board->width * board->height, wanted = cells * percent / 100,
             blocked = 0;
    for (uint64_t tries = 0; tries < cells / 16 && blocked < wanted; tries++) {
        bool round;
        crn_board_area area = field_obstacle(board, ease, &round);
        blocked += crn_board_obstacle(board, area, 3, round);
    }
}

static void field_road(crn_board *board, cairn_cell a, cairn_cell b)
{
    int32_t dx = b.x - a.x, dy = b.y - a.y, half = (int32_t)crn_board_between(board, 2, 5);
    int32_t steps = dx * dx > dy * dy ? (dx < 0 ? -dx : dx) : (dy < 0 ? -dy : dy);
    for (int32_t i = 0; i <= steps; i++) {
        int32_t x = a.x + (steps ? (int32_t)((int64_t)dx * i / steps) : 0);
        int32_t y = a.y + (steps ? (int32_t)((int64_t)dy * i / steps) : 0);
        crn_board_area area = {(uint32_t)(x > half ? x - half : 0),
                               (uint32_t)(y > half ? y - half : 0), (uint32_t)(x + half + 1),
                               (uint32_t)(y + half + 1)};
        crn_board_fill(board, area, 1);
    }
}

static void field_draw_roads(const field_plan *f)
{
    for (uint32_t row = 0; row < f->rows; row++) {
        for (uint32_t column = 0; column < f->columns; column++) {
            const cairn_cell *site = &f->sites[row * f->columns + column];
            if (column + 1 < f->columns) field_road(f->board, site[0], site[1]);
            if (row + 1 < f->rows) field_road(f->board, site[0], site[f->columns]);
        }
    }
}

cairn_status crn_generate_battlefield(crn_board *board, const cairn_generator *generator)
{
    uint32_t gap = crn_board_eased(FIELD_GAP, 255, generator->closed);
    field_plan f = {.board = board, .ease = generator->ease};
    f.gap = (int32_t)crn_board_eased(gap, 0, f.ease);
    f.columns = crn_max_u32(1, board->width / generator->region);
    f.rows = crn_max_u32(1, board->height / generator->region);
    f.sites = crn_alloc(board->context, field_sites_size(&f));
    if (!f.sites) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < 3; i++) f.seeds[i] = crn_rng_next(&board->rng);
    field_place_sites(&f);
    field_draw_regions(&f);
    field_scatter(board, generator->percent, generator->ease);
    field_draw_roads(&f);
    crn_free(board->context, f.sites, field_sites_size(&f));
    return crn_board_connect(board, FIELD_SMALLEST);
}
