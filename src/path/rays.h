/* rays.h: ray smoothing on the grid, in slices. */
#ifndef CRN_RAYS_H
#define CRN_RAYS_H

#include "world/grid_space.h"

typedef struct crn_rays {
    crn_scratch *memory;
    const crn_grid_space *space;
    uint32_t box; /* rays end so many cells away; 0 = no limit */

    const cairn_node *path; /* the cells to be smoothed, one step apart */
    size_t length;
    cairn_cost *costs; /* from the start, by place on the path */
    uint32_t *places;  /* a hash table: cell → its last place on the path, plus 1; 0 = empty */
    size_t cost_capacity, place_capacity;
    uint32_t mask;

    cairn_node
        *out; /* the result so far: cells one step apart; its last `ahead` cells have not sent rays yet */
    size_t count, capacity;
    uint32_t ahead;
    size_t next; /* where the path goes on behind the result */
} crn_rays;

void crn_rays_open(crn_rays *rays, crn_scratch *memory, const crn_grid_space *space);
void crn_rays_close(crn_rays *rays);

/* `path` must stay as it is until the result is read. False = no memory. */
bool crn_rays_begin(crn_rays *rays, const cairn_node *path, size_t length, uint32_t box);

/* Sends rays from at most *work cells, and takes those off it. CAIRN_RUNNING, CAIRN_OK when `out` is complete, or CAIRN_OUT_OF_MEMORY. */
cairn_status crn_rays_step(crn_rays *rays, uint64_t *work);

#endif
