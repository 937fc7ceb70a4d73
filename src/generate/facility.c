/* facility.c: rooms, corridors and yards, like the maps of Counter-Strike that Anguelov (2011,
 * 8.3.2) and Lawrence and Bulitko (2010) measured on: large open areas and narrow corridors between
 * them, solid rock or nothing outside, and few detours.
 *
 * The map is a lattice of squares. Some get a room, some a yard that nearly fills the square, the
 * others are places where corridors meet. A random spanning tree of the squares says which are
 * joined, and some more links make loops. A link is a corridor from inside one room to inside the
 * other with up to two bends; two yards are joined along their whole side. Crates and pillars touch
 * neither each other nor a wall, so that they can be passed on all sides. So the map is connected
 * by construction. `ease` makes more rooms, more of them yards, more loops and wider corridors. The
 * work is a few bytes written for each cell, whatever the size.
 */
#include "generate/generate.h"

enum {
    FACILITY_YARDS = 30,     /* percent of the rooms that are yards */
    FACILITY_CRATES = 6,     /* percent of the cells of a room, at most */
    FACILITY_FURNISHED = 60, /* percent of the rooms that have any */
    FACILITY_WIDER = 3       /* times as wide as usual are corridors of ease = 100 */
};

typedef struct facility_plan {
    crn_board *board;
    uint32_t columns, rows;
    crn_board_area *rooms;
    uint8_t *links; /* CRN_LINK_EAST, CRN_LINK_SOUTH */
    uint8_t *uses;
    uint32_t percent; /* of the squares that are rooms or yards */
    uint32_t yards;   /* percent of these that are yards */
    uint32_t widest;  /* of the corridors, in cells */
} facility_plan;

/* ---- rooms ---- */

typedef enum facility_use { FACILITY_JUNCTION, FACILITY_ROOM, FACILITY_YARD } facility_use;

/* A span within low…high - 1 that leaves a cell of wall on both sides where there is room for
 * it. */
static void facility_span(facility_plan *f, uint32_t low, uint32_t high, uint8_t use,
                          uint32_t *from, uint32_t *to)
{
    crn_board *board = f->board;
    if (high - low > 2) low++, high--;
    uint32_t size = high - low, length = crn_min_u32(f->widest, size);
    if (use == FACILITY_YARD) length = size - crn_rng_below(&board->rng, size / 8 + 1);
    if (use == FACILITY_ROOM)
        length = crn_board_between(board, (size * 2 + 4) / 5, size - size / 6);
    *from = low + crn_rng_below(&board->rng, size - length + 1);
    *to = *from + length;
}

static void facility_furnish(crn_board *board, crn_board_area room)
{
    uint32_t wide = room.right - room.left, high = room.bottom - room.top;
    uint32_t largest = crn_min_u32(crn_min_u32(wide, high) / 4, 16);
    if (largest < 2 || crn_rng_below(&board->rng, 100) >= FACILITY_FURNISHED) return;
    uint64_t wanted = (uint64_t)wide * high * crn_rng_below(&board->rng, FACILITY_CRATES + 1) / 100,
             blocked = 0;
    for (uint32_t tries = 0; tries < 200 && blocked < wanted; tries++) {
        uint32_t w = crn_board_between(board, largest / 4 + 1, largest),
                 h = crn_board_between(board, largest / 4 + 1, largest);
        uint32_t left = room.left + 1 + crn_rng_below(&board->rng, wide - w - 1);
        uint32_t top = room.top + 1 + crn_rng_below(&board->rng, high - h - 1);
        blocked +=
            crn_board_obstacle(board, (crn_board_area){left, top, left + w, top + h}, 1, false);
    }
}

/* Where the i-th of `count` squares begins on a side of `size` cells: moved by up to a third of a
 * square to both sides, but not at the ends. */
static uint32_t facility_line(crn_board *board, uint32_t i, uint32_t count, uint32_t size)
{
    uint32_t at = (uint32_t)((uint64_t)i * size / count), third = size / count / 3;
    if (i == 0 || i == count) return at;
    return at - third + crn_rng_below(&board->rng, 2 * third + 1);
}

/* The squares of a row have borders of their own, so that no line goes through the whole map. */
static void facility_draw_row(facility_plan *f, uint32_t row, uint32_t top, uint32_t bottom)
{
    crn_board *board = f->board;
    uint32_t right = 0;
    for (uint32_t column = 0; column < f->columns; column++) {
        size_t at = (size_t)row * f->columns + column;
        uint8_t use = FACILITY_JUNCTION;
        if (crn_rng_below(&board->rng, 100) < f->percent)
            use = crn_rng_below(&board->rng, 100) < f->yards ? FACILITY_YARD : FACILITY_ROOM;
        uint32_t left = right;
        right = facility_line(board, column + 1, f->columns, board->width);
        crn_board_area room;
        facility_span(f, left, right, use, &room.left, &room.right);
        facility_span(f, top, bottom, use, &room.top, &room.bottom);
        crn_board_fill(board, room, 1);
        if (use != FACILITY_JUNCTION) facility_furnish(board, room);
        f->rooms[at] = room;
        f->uses[at] = use;
    }
}

static void facility_draw_rooms(facility_plan *f)
{
    uint32_t bottom = 0;
    for (uint32_t row = 0; row < f->rows; row++) {
        uint32_t top = bottom;
        bottom = facility_line(f->board, row + 1, f->rows, f->board->height);
        facility_draw_row(f, row, top, bottom);
    }
}

/* ---- corridors ---- */

/* Between two cells, both included, in any order; `wide` cells to the right and down. */
static void facility_dig(crn_board *board, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                         uint32_t wide)
{
    crn_board_area area = {crn_min_u32(x0, x1), crn_min_u32(y0, y1), crn_max_u32(x0, x1) + wide,
                           crn_max_u32(y0, y1) + wide};
    crn_board_fill(board, area, 1);
}

/* A start for a corridor in the span, so that its whole width fits if it can. */
static uint32_t facility_gate(crn_board *board, uint32_t low, uint32_t high, uint32_t wide)
{
    return low + crn_rng_below(&board->rng, high - low > wide ? high - low - wide + 1 : 1);
}

static void facility_link_east(crn_board *board, crn_board_area a, crn_board_area b, uint32_t wide)
{
    uint32_t y0 = facility_gate(board, a.top, a.bottom, wide),
             y1 = facility_gate(board, b.top, b.bottom, wide);
    uint32_t bend = a.right + (b.left > a.right ? crn_rng_below(&board->rng, b.left - a.right) : 0);
    facility_dig(board, a.right - 1, y0, bend, y0, wide);
    facility_dig(board, bend, y0, bend, y1, wide);
    facility_dig(board, bend, y1, b.left, y1, wide);
}

static void facility_link_south(crn_board *board, crn_board_area a, crn_board_area b, uint32_t wide)
{
    uint32_t x0 = facility_gate(board, a.left, a.right, wide),
             x1 = facility_gate(board, b.left, b.right, wide);
    uint32_t bend =
        a.bottom + (b.top > a.bottom ? crn_rng_below(&board->rng, b.top - a.bottom) : 0);
    facility_dig(board, x0, a.bottom - 1, x0, bend, wide);
    facility_dig(board, x0, bend, x1, bend, wide);
    facility_dig(board, x1, bend, x1, b.top, wide);
}

/* Takes away the wall between two yards, as far as both stand at it. */
static void facility_merge(crn_board *board, crn_board_area a, crn_board_area b, bool east)
{
    crn_board_area wall = {crn_max_u32(a.left, b.left), crn_max_u32(a.top, b.top),
                           crn_min_u32(a.right, b.right), crn_min_u32(a.bottom, b.bottom)};
    if (east)
        wall.left = a.right, wall.right = b.left;
    else
        wall.top = a.bottom, wall.bottom = b.top;
    crn_board_fill(board, wall, 1);
}

static void facility_draw_link(facility_plan *f, size_t from, size_t to, bool east)
{
    crn_board_area a = f->rooms[from], b = f->rooms[to];
    uint32_t wide = crn_board_between(f->board, crn_max_u32(1, f->widest / 4), f->widest);
    if (east)
        facility_link_east(f->board, a, b, wide);
    else
        facility_link_south(f->board, a, b, wide);
    if (f->uses[from] == FACILITY_YARD && f->uses[to] == FACILITY_YARD)
        facility_merge(f->board, a, b, east);
}

static void facility_draw_links(facility_plan *f, uint32_t loops)
{
    for (uint32_t row = 0; row < f->rows; row++) {
        for (uint32_t column = 0; column < f->columns; column++) {
            size_t at = (size_t)row * f->columns + column;
            bool east = crn_rng_below(&f->board->rng, 100) < loops || f->links[at] & CRN_LINK_EAST;
            bool south =
                crn_rng_below(&f->board->rng, 100) < loops || f->links[at] & CRN_LINK_SOUTH;
            if (east && column + 1 < f->columns) facility_draw_link(f, at, at + 1, true);
            if (south && row + 1 < f->rows) facility_draw_link(f, at, at + f->columns, false);
        }
    }
}

/* ---- the whole ---- */

cairn_status crn_generate_facility(crn_board *board, const cairn_generator *generator)
{
    uint32_t ease = generator->ease, widest = crn_max_u32(2, generator->room / 8);
    facility_plan f = {.board = board,
                       .widest = crn_board_eased(widest, FACILITY_WIDER * widest, ease),
                       .yards = crn_board_eased(FACILITY_YARDS, 100, ease),
                       .percent = crn_board_eased(generator->percent, 100, ease)};
    f.columns = crn_max_u32(1, board->width / generator->room);
    f.rows = crn_max_u32(1, board->height / generator->room);
    size_t count = (size_t)f.columns * f.rows;
    f.rooms = crn_alloc(board->context, crn_mul_size(count, sizeof *f.rooms));
    f.uses = crn_alloc(board->context, crn_mul_size(count, sizeof *f.uses));
    cairn_status status =
        f.rooms && f.uses ? crn_tree_grow(board, f.columns, f.rows, &f.links) : CAIRN_OUT_OF_MEMORY;
    if (!status) {
        facility_draw_rooms(&f);
        facility_draw_links(&f, crn_board_eased(generator->loops, 100, ease));
    }
    crn_free(board->context, f.rooms, count * sizeof *f.rooms);
    crn_free(board->context, f.uses, count * sizeof *f.uses);
    crn_free(board->context, f.links, count);
    return status;
}
