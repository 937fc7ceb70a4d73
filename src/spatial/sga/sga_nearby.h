/* sga_nearby.h: A* between two cells that lie near each other, in a few kilobytes.
 *
 * Most obstacles are small: a dozen expansions lead round them, and what a search of the whole map
 * takes to begin, a table of pages, lists of blocks, costs more than they do. So here all that is
 * known stands in a window of 32×32 cells round the goal: a byte for each cell says which entry is
 * its own, and there are at most 126 entries, of eight bytes, which are records and items of the
 * open list at once. If the search comes to the border of the window, or to the last entry, it is
 * of no use, and who asked must search the whole map instead.
 *
 * Order is that of best_first_uniform.c, bucket by bucket and in a bucket the last in first, with
 * canonical moves and the same widths of buckets: it finds the same way with the same expansions.
 * For uniform grids of squares whose estimate is octile.
 */
#ifndef CRN_SGA_NEARBY_H
#define CRN_SGA_NEARBY_H

#include "search/search.h"
#include "world/grid_space.h"

#define CRN_NEARBY_SIDE 32u /* cells of the window */
#define CRN_NEARBY_FAR 8u   /* cells that the start may be from the goal, each path */
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
    CRN_NEARBY_CLOSED, /* there is no path out of a place that lies inside the window */
    CRN_NEARBY_NARROW  /* the window does not tell */
} crn_nearby_answer;

void crn_nearby_open(crn_nearby *nearby, cairn_search *search);

/* Can searches from here on be such ones, as the map is now? */
bool crn_nearby_prepare(crn_nearby *nearby);

/* Are both cells near enough? Then a search begins. */
bool crn_nearby_begin(crn_nearby *nearby, cairn_cell from, cairn_cell to);

/* An expansion for each unit of work; what it did is added to the metrics of the search, whose sink
 * hears of it. */
crn_nearby_answer crn_nearby_step(crn_nearby *nearby, uint64_t *work);

/* After CRN_NEARBY_FOUND: the directions of the next steps of the path, from its end back to its
 * start; fewer than the capacity are the last ones. */
uint32_t crn_nearby_back(crn_nearby *nearby, uint8_t *directions, uint32_t capacity,
                         cairn_cell *end);

#endif
