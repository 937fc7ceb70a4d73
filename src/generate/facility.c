/* facility.c: rooms, corridors and yards, like the maps of Counter-Strike that Anguelov (2011, 8.3.2) and
 * Lawrence and Bulitko (2010) measured on: large open areas and narrow corridors between them, solid
 * rock or nothing outside, and not many ways round.
 *
 * The map is a lattice of squares. Each gets a room or a yard that is smaller than the square. A random spanning
 * tree of the squares says which are joined, and some more links make loops. A link is a corridor
 * from inside one room to inside the other with up to two bends; two yards are joined along their whole side. Crates
 * and pillars touch neither each other nor a wall, so that there is a way round them. So the map is one region
 * by construction. The work is a few bytes written for each cell, whatever the size.
 */
#include "generate/generate.h"

enum {
    FACILITY_YARDS = 30,   /* percent of the squares */
    FACILITY_CRATES = 6,   /* percent of the cells of a room, at most */
    FACILITY_FURNISHED = 60 /* percent of the rooms that have any */
};

typedef struct facility_plan {
    crn_board *board;
    uint32_t columns, rows;
    crn_area *rooms;
    uint8_t *links; /* CRN_LINK_EAST, CRN_LINK_SOUTH */
    bool *yards;
} facility_plan;

/* ---- rooms ---- */

/* A span within low…high - 1 that leaves a cell of wall on both sides where there is room for it. */
static void facility_span(crn_board *board, uint32_t low, uint32_t high, bool yard, uint32_t *from, uint32_t *to)
{
    if (high - low > 2) low++, high--;
    uint32_t size = high - low;
    uint32_t length = yard ? size - crn_rng_below(&board->rng, size / 8 + 1)
                           : crn_board_between(board, (size * 2 + 4) / 5, size - size / 6);
    *from = low + crn_rng_below(&board->rng, size - length + 1);
    *to = *from + length;
}

static void facility_furnish(crn_board *board, crn_area room)
{
    uint32_t wide = room.right - room.left, high = room.bottom - room.top;
    uint32_t largest = crn_min_u32(crn_min_u32(wide, high) / 4, 16);
    if (largest < 2 || crn_rng_below(&board->rng, 100) >= FACILITY_FURNISHED) return;
    uint64_t wanted = (uint64_t)wide * high * crn_rng_below(&board->rng, FACILITY_CRATES + 1) / 100, blocked = 0;
    for (uint32_t tries = 0; tries < 200 && blocked < wanted; tries++) {
        uint32_t w = crn_board_between(board, largest / 4 + 1, largest), h = crn_board_between(board, largest / 4 + 1, largest);
        uint32_t left = room.left + 1 + crn_rng_below(&board->rng, wide - w - 1);
        uint32_t top = room.top + 1 + crn_rng_below(&board->rng, high - h - 1);
        blocked += crn_board_obstacle(board, (crn_area){left, top, left + w, top + h}, 1, false);
    }
}

static void facility_draw_rooms(facility_plan *f)
{
    crn_board *board = f->board;
    for (uint32_t row = 0; row < f->rows; row++) {
        for (uint32_t column = 0; column < f->columns; column++) {
            size_t at = (size_t)row * f->columns + column;
            bool yard = crn_rng_below(&board->rng, 100) < FACILITY_YARDS;
            uint32_t left = (uint32_t)((uint64_t)column * board->width / f->columns);
            uint32_t right = (uint32_t)((uint64_t)(column + 1) * board->width / f->columns);
            uint32_t top = (uint32_t)((uint64_t)row * board->height / f->rows);
            uint32_t bottom = (uint32_t)((uint64_t)(row + 1) * board->height / f->rows);
            crn_area room;
            facility_span(board, left, right, yard, &room.left, &room.right);
            facility_span(board, top, bottom, yard, &room.top, &room.bottom);
            crn_board_fill(board, room, 1);
            facility_furnish(board, room);
            f->rooms[at] = room;
            f->yards[at] = yard;
        }
    }
}

/* ---- corridors ---- */

/* Between two cells, both included, in any order; `wide` cells to the right and down. */
static void facility_dig(crn_board *board, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1, uint32_t wide)
{
    crn_area area = {crn_min_u32(x0, x1), crn_min_u32(y0, y1), crn_max_u32(x0, x1) + wide,
                     crn_max_u32(y0, y1) + wide};
    crn_board_fill(board, area, 1);
}

/* A start for a corridor in the span, so that its whole width fits if it can. */
static uint32_t facility_gate(crn_board *board, uint32_t low, uint32_t high, uint32_t wide)
{
    return low + crn_rng_below(&board->rng, high - low > wide ? high - low - wide + 1 : 1);
}

static void facility_link_east(crn_board *board, crn_area a, crn_area b, uint32_t wide)
{
    uint32_t y0 = facility_gate(board, a.top, a.bottom, wide), y1 = facility_gate(board, b.top, b.bottom, wide);
    uint32_t bend = a.right + (b.left > a.right ? crn_rng_below(&board->rng, b.left - a.right) : 0);
    facility_dig(board, a.right - 1, y0, bend, y0, wide);
    facility_dig(board, bend, y0, bend, y1, wide);
    facility_dig(board, bend, y1, b.left, y1, wide);
}

static void facility_link_south(crn_board *board, crn_area a, crn_area b, uint32_t wide)
{
    uint32_t x0 = facility_gate(board, a.left, a.right, wide), x1 = facility_gate(board, b.left, b.right, wide);
    uint32_t bend = a.bottom + (b.top > a.bottom ? crn_rng_below(&board->rng, b.top - a.bottom) : 0);
    facility_dig(board, x0, a.bottom - 1, x0, bend, wide);
    facility_dig(board, x0, bend, x1, bend, wide);
    facility_dig(board, x1, bend, x1, b.top, wide);
}

/* A link that the tree does not need. */
static bool facility_more(facility_plan *f, uint32_t loops)
{
    return crn_rng_below(&f->board->rng, 100) < loops;
}

static void facility_draw_links(facility_plan *f, uint32_t loops, uint32_t room)
{
    crn_board *board = f->board;
    for (uint32_t row = 0; row < f->rows; row++) {
        for (uint32_t column = 0; column < f->columns; column++) {
            size_t at = (size_t)row * f->columns + column;
            uint32_t widest = crn_max_u32(2, room / 8);
            if (column + 1 < f->columns && ((f->links[at] & CRN_LINK_EAST) || facility_more(f, loops))) {
                crn_area a = f->rooms[at], b = f->rooms[at + 1];
                facility_link_east(board, a, b, crn_board_between(board, crn_max_u32(1, widest / 4), widest));
            }
            if (row + 1 < f->rows && ((f->links[at] & CRN_LINK_SOUTH) || facility_more(f, loops))) {
                crn_area a = f->rooms[at], b = f->rooms[at + f->columns];
                facility_link_south(board, a, b, crn_board_between(board, crn_max_u32(1, widest / 4), widest));
            }
        }
    }
}

/* ---- the whole ---- */

cairn_status crn_generate_facility(crn_board *board, const cairn_generator *generator)
{
    facility_plan f = {.board = board};
    f.columns = crn_max_u32(1, board->width / generator->room);
    f.rows = crn_max_u32(1, board->height / generator->room);
    size_t count = (size_t)f.columns * f.rows;
    f.rooms = crn_alloc(board->context, crn_mul_size(count, sizeof *f.rooms));
    f.yards = crn_alloc(board->context, crn_mul_size(count, sizeof *f.yards));
    cairn_status status = f.rooms && f.yards ? crn_tree_grow(board, f.columns, f.rows, &f.links) : CAIRN_OUT_OF_MEMORY;
    if (!status) {
        facility_draw_rooms(&f);
        facility_draw_links(&f, generator->loops, generator->room);
    }
    crn_free(board->context, f.rooms, count * sizeof *f.rooms);
    crn_free(board->context, f.yards, count * sizeof *f.yards);
    crn_free(board->context, f.links, count);
    return status;
}
