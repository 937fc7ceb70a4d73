/* sga_nearby.h: A* between two cells that lie near each other, in a few kilobytes.
 *
 * Most obstacles are small: a dozen expansions lead round them. Beginning a search of the whole
 * map, with its table of pages and lists of blocks, costs more than these expansions. So here
 * everything is kept in a window of 32×32 cells round the goal. A byte for each cell says which
 * entry is its own. There are at most 126 entries, of eight bytes, which are both records and items
 * of the open list. If the search comes to the border of the window, or to the last entry, it
 * fails, and the caller must search the whole map instead.
 *
 * The order is that of best_first_uniform.c, bucket by bucket and in a bucket the last in first,
 * with canonical moves and the same widths of buckets. So it finds the same path with the same
 * expansions. For uniform grids of squares with octile estimates.
 */
#ifndef CRN_SGA_NEARBY_H
#define CRN_SGA_NEARBY_H

#include "search/search.h"
#include "world/grid_space.h"

#define CRN_NEARBY_SIDE 32u /* cells of the window */
#define CRN_NEARBY_FAR 8u   /* columns and rows that the start may be from the goal */
#define CRN_NEARBY_ENTRIES 128u
#define CRN_NEARBY_DISTANCES 153u /* to the goal there can be */
#define CRN_NEARBY_BUCKETS 64u

typedef struct crn_nearby_entry {
    cairn_cost g;
    uint16_t cell; /* of the window */
    uint8_t next;  /* entry of its bucket */
    /* the direction that led here, CRN_NO_ARRIVAL at the start; and whether it has been expanded */
    uint8_t move;
} crn_nearby_entry;

typedef struct crn_nearby {
    crn_nearby_entry entries[CRN_NEARBY_ENTRIES];
    /* by cell: its last entry; 0 = none; the border has a mark */
    uint8_t own[CRN_NEARBY_SIDE * CRN_NEARBY_SIDE];
    /* by cell: which of these estimates is its own */
    uint8_t distance[CRN_NEARBY_SIDE * CRN_NEARBY_SIDE];
    cairn_cost estimates[CRN_NEARBY_DISTANCES];
    uint8_t buckets[CRN_NEARBY_BUCKETS]; /* a ring: the last entry put into each; 0 = none */
    uint64_t filled;                     /* buckets that may have something in them */
    uint64_t current;                    /* number of the bucket that is being emptied */
    cairn_search *search;
    const crn_grid_space *map;
    uint32_t shift;    /* buckets are 2^shift wide */
    uint32_t count;    /* entries in use, and the next one */
    cairn_cost bound;  /* keys from here on cannot lead to anything better */
    cairn_cell corner; /* of the map, where the window begins */
    uint32_t read;     /* as far as the path has been read */
} crn_nearby;

typedef enum crn_nearby_answer {
    CRN_NEARBY_RUNNING,
    CRN_NEARBY_FOUND,
    CRN_NEARBY_CLOSED, /* no path: a closed place inside the window */
    CRN_NEARBY_NARROW  /* the window is too small to tell */
} crn_nearby_answer;

void crn_nearby_open(crn_nearby *nearby, cairn_search *search);

/* Prepares for the map as it is now. Returns whether such searches are possible on it. */
bool crn_nearby_prepare(crn_nearby *nearby);

/* Begins a search if both cells are near enough; else returns false. */
bool crn_nearby_begin(crn_nearby *nearby, cairn_cell from, cairn_cell to);

/* Makes an expansion for each unit of work. What it did is added to the metrics of the search, and
 * its sink is told. */
crn_nearby_answer crn_nearby_step(crn_nearby *nearby, uint64_t *work);

/* Writes the directions of the next steps of the path, from its end back to its start, after
 * CRN_NEARBY_FOUND. Fewer than the capacity are the last ones. */
uint32_t crn_nearby_back(crn_nearby *nearby, uint8_t *directions, uint32_t capacity,
                         cairn_cell *end);

#endif
