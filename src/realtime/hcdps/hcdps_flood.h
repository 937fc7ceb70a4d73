/* hcdps_flood.h: the cheapest paths from one representative of `hcdps` to several ones. See
 * hcdps_flood.c. */
#ifndef CRN_HCDPS_FLOOD_H
#define CRN_HCDPS_FLOOD_H

#include "realtime/hcdps/hcdps_job.h"

#define CRN_HCDPS_FLOOD_RING 8

typedef struct crn_hcdps_flood_cell {
    uint32_t distance;
    uint8_t move, paths; /* the last move of a cheapest path, and how many there are; 2 = more */
    bool final, target;
} crn_hcdps_flood_cell;

/* A cell that waits in a bucket. */
typedef struct crn_hcdps_flood_entry {
    uint32_t distance;
    uint16_t cell, next;
} crn_hcdps_flood_entry;

typedef struct crn_hcdps_flood {
    const crn_hcdps_job *job; /* NULL: it is not open */
    int32_t left, top;        /* of the window */
    uint32_t bits;            /* a bucket is of so many bits of distance */
    crn_hcdps_flood_cell *cells;
    crn_hcdps_flood_entry *entries;
    uint16_t ring[CRN_HCDPS_FLOOD_RING]; /* buckets: their last entries */
    uint32_t count, waiting;             /* entries */
    uint32_t expanded, moves;            /* cells, and moves from them */
} crn_hcdps_flood;

/* Is it worth while to flood? Not in repairs, nor where regions are large. */
bool crn_hcdps_floods(const crn_hcdps_job *job);
bool crn_hcdps_open_flood(crn_hcdps_flood *flood, const crn_hcdps_job *job);
void crn_hcdps_close_flood(crn_hcdps_flood *flood);

/* Floods from the region that all of these pairs are from. Returns how many cells it expanded. */
uint32_t crn_hcdps_flood_from(crn_hcdps_flood *flood, const crn_hcdps_pair *pairs, size_t count);
/* Does just one cheapest path lead to a cell? Else it is not known, or there are several. */
bool crn_hcdps_is_flooded(const crn_hcdps_flood *flood, cairn_node target);
/* Gets this path; false = no memory. */
bool crn_hcdps_flood_path(const crn_hcdps_flood *flood, cairn_node target, crn_hcdps_path *path);

#endif
