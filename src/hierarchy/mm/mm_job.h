/* mm_job.h: what building a sector of `mm` needs: the regions of the 3×3 sectors round it. For
 * mm_build.c, which makes level 1, and mm_upper.c, which makes the levels above. */
#ifndef CRN_MM_JOB_H
#define CRN_MM_JOB_H

#include "hierarchy/mm/mm_index.h"
#include "search/subsearch.h"

#define CRN_MM_AROUND 9u
#define CRN_MM_OWN 4u /* of the 3×3 sectors the one in the middle */
#define CRN_MM_BELOW (CRN_MM_UPPER_SIDE * CRN_MM_UPPER_SIDE)

/* Of a region while its sector is built: where its middle is, and of how many places it is. */
typedef struct crn_mm_about {
    uint32_t middle, size;
} crn_mm_about;

typedef struct crn_mm_job {
    crn_mm *mm;
    const crn_grid_space *space;
    cairn_context *context;
    crn_flood flood;
    crn_mm_draft draft;
    crn_mm_draft beside; /* edges from the sectors beside it to those at its corners */

    /* Of the 3×3 sectors: their regions, and where those have their middles. */
    /* level 1: side² for each of them, by cell; above: by rank of the region below */
    uint16_t *labels;
    size_t label_capacity;
    crn_mm_about *about; /* the regions of all of them */
    size_t about_capacity;
    uint32_t about_first[CRN_MM_AROUND + 1];
    uint32_t bases[CRN_MM_AROUND][CRN_MM_BELOW + 1]; /* where labels of lower sectors begin */
    uint32_t *set;                                   /* union-find, by rank */
    size_t set_capacity;

    /* For optimised centres. */
    crn_scratch memory;
    crn_part part;
    crn_subsearch subsearch;
    bool searching; /* these are open */
} crn_mm_job;

/* Returns the sector in a place of the 3×3 round another one; UINT32_MAX = there is none. */
uint32_t crn_mm_around(const crn_mm_level *level, uint32_t sector, uint32_t slot);

/* The place in a direction from another one; CRN_MM_AROUND = not one of the 3×3. */
CRN_INLINE uint32_t crn_mm_slot(uint32_t slot, uint32_t direction)
{
    uint32_t x = (uint32_t)((int32_t)(slot % 3) + crn_dx[direction]),
             y = (uint32_t)((int32_t)(slot / 3) + crn_dy[direction]);
    return x < 3 && y < 3 ? y * 3 + x : CRN_MM_AROUND;
}

void crn_mm_begin_draft(crn_mm_job *job);

/* Do edges that leave the sector in a place count? Those of the own one do, and for corners those
 * of the sectors beside it. */
bool crn_mm_counts(const crn_mm_job *job, uint32_t slot);

/* Adds a region to the last of those places that have some; false = no memory. */
bool crn_mm_put_about(crn_mm_job *job, uint32_t slot, uint32_t middle, uint32_t size);

/* Notes that something leads from a region of the sector in a place to a region of the one in a
 * direction. False = no memory. */
bool crn_mm_join(crn_mm_job *job, uint32_t slot, uint32_t region, uint32_t direction,
                 uint32_t other);

/* When all that is noted: joins regions at a corner to which a region beside both leads, if both
 * are of this many places. */
bool crn_mm_join_corners(crn_mm_job *job, uint32_t least);

/* Finds links between regions, when all levels are there. */
cairn_status crn_mm_find_doors(crn_mm_job *job);
/* What is not in files: these, and which regions are part of which. */
cairn_status crn_mm_finish(crn_mm *mm, const crn_grid_space *space);
void crn_mm_drop_doors(crn_mm *mm, cairn_context *context);

/* A sector of a level above the first one; says of the regions below it which one they are part
 * of. The second one copies that from another level below it. */
cairn_status crn_mm_draft_upper(crn_mm_job *job, uint32_t level, uint32_t sector);
void crn_mm_copy_labels(crn_mm *mm, uint32_t level, uint32_t sector, const crn_mm_level *below);

/* Finds that for all sectors. */
cairn_status crn_mm_find_labels(crn_mm_job *job);

#endif
