/* runs.h: bitmaps of straight runs, 64 cells in a word, which jump point search scans.
 *
 * A run goes from a cell straight on and ends before the first unusable cell, or at
 * the first *jump point*: a cell where something beside the path makes a turn necessary that no
 * other equally short path makes. With u and d the cells in the lines beside it, cell i is a jump
 * point of runs to higher i
 *
 *     corners=never    if i is free in u and i - 1 is not, or the same in d
 *     corners=always   if i is blocked in u and i + 1 is not, or the same in d
 *     corners=one      the same, and i + 1 of the line itself is free: one side of the step round
 *     the corner must be
 *
 * and for runs to lower i with + and - exchanged: those after which canonical order (grid_space.c)
 * knows another move than straight on. So for each of the four directions there is a plane of the
 * cells that a run *passes*: free and no jump point. North and south are rows of planes in which
 * rows and columns are exchanged. (Harabor and Grastien, "Improving Jump Point Search", 2014, find
 * the same bits while they scan; kept, a look takes one word instead of three.)
 *
 * A space makes them when the first planner asks for them, 5 bits a cell, and keeps them through
 * all edits: a cell that changes touches the 3×3 cells round it and nothing else.
 *
 * Some cells are *stops* (stops.c): every run that comes there ends, as at a jump point, and so
 * does every diagonal. Links leave them, or ground of another cost or a ledge lies beside them.
 * Where there are any, they take 4 bits a cell: by rows, by columns, and by diagonals, where cell
 * (x, y) is bit x of line y + x (those that rise to the right) or y - x, modulo the height. So the
 * next stop of a diagonal is found by a word, as that of a row.
 */
#ifndef CRN_RUNS_H
#define CRN_RUNS_H

#include "world/size.h"
#include <cairn/space.h>

typedef struct crn_runs {
    cairn_context *context;
    cairn_corners corners;
    uint32_t width, height;
    uint64_t cells;   /* usable ones */
    uint64_t passed;  /* bits in `pass` */
    uint64_t walls;   /* sides of usable cells with an unusable one beyond */
    crn_bits across;  /* usable cells, rows and columns exchanged */
    crn_bits pass[4]; /* by straight direction; of north and south rows and columns exchanged */
    uint64_t stops;   /* how many there are */
    crn_bits stop, stop_across, stop_slant[2]; /* no memory as long as there have been none */
    uint32_t turn; /* a multiple of the height, no less than the width */
} crn_runs;

/* The line that holds the diagonal through a cell. */
CRN_INLINE uint32_t crn_runs_slant(const crn_runs *runs, bool rising, uint32_t x, uint32_t y)
{
    return (rising ? y + x : y + runs->turn - x) % runs->height;
}

/* CAIRN_OUT_OF_MEMORY leaves nothing behind. */
cairn_status crn_runs_create(cairn_context *context, const crn_bitmap *usable,
                             cairn_corners corners, crn_runs **out);
void crn_runs_destroy(crn_runs *runs); /* NULL is allowed */
size_t crn_runs_bytes(const crn_runs *runs);

/* Cells of `usable` in this box may have changed. */
void crn_runs_update(crn_runs *runs, const crn_bits *usable, const crn_size_box *box);

/* Stops in this box have changed. */
void crn_runs_fill(crn_runs *runs, const crn_bits *usable, const crn_size_box *box);

/* Stops (stops.c). reserve: gets the memory for them, if they are kept and need be; false = there
 * is none. update: in this box links or ground, or what can be stood on, have changed. ground: the
 * same, but for links. */
struct crn_grid_space;
bool crn_stops_reserve(struct crn_grid_space *space);
void crn_stops_update(const struct crn_grid_space *space, const crn_size_box *box);
void crn_stops_update_ground(const struct crn_grid_space *space, const crn_size_box *box);

#endif
