/* mm_job.h: building and repairing the index of `mm`, a piece at a time.
 *
 * A job goes through stages (mm_repair.c has their order). Each is a function that does a piece of
 * its work: CAIRN_RUNNING as long as there is more, CAIRN_OK at the end. A piece is a unit of work,
 * or more if it says so before it begins (crn_mm_spend), and bounded wherever sectors, regions and
 * edits are many.
 * What it has to know of the piece before is in the job. In one go there are as many units as it
 * takes.
 */
#ifndef CRN_MM_JOB_H
#define CRN_MM_JOB_H

#include "hierarchy/mm/mm_index.h"
#include "search/subsearch.h"
#include "world/changes.h"

#define CRN_MM_AROUND 9u
#define CRN_MM_OWN 4u /* of the 3×3 sectors the one in the middle */
#define CRN_MM_BELOW (CRN_MM_UPPER_SIDE * CRN_MM_UPPER_SIDE)

#define CRN_MM_FLOODS 5u /* in each direction, as many sectors are kept as an edit of one needs */

/* Of a region while its sector is built: where its middle is, and of how many places it is. */
typedef struct crn_mm_about {
    uint32_t middle, size;
} crn_mm_about;

/* The sums of the places of a region, their number, and how far the best is from the middle. */
typedef struct crn_mm_middle {
    int64_t x, y, size, least;
    uint32_t best;
} crn_mm_middle;

/* The regions of a sector of level 1, until another one takes its place. */
typedef struct crn_mm_flooding {
    uint32_t sector;
    uint32_t count, height;
    bool middles; /* they are known */
    uint64_t usable[CRN_FLOOD_SIDE_MAX];
    uint16_t *labels; /* of each of its side² places that can be used */
    crn_mm_about *about;
    size_t label_capacity, about_capacity;
} crn_mm_flooding;

/* Items that are brought into order a piece at a time. */
typedef struct crn_mm_sort {
    uint32_t step;
    size_t at, kept;
    crn_sorting sorting;
} crn_mm_sort;

/* Sectors; when sorted, ascending, and each once. */
typedef struct crn_mm_list {
    uint32_t *items;
    size_t count, capacity;
    crn_mm_sort sort;
} crn_mm_list;

/* The sectors of a level that a repair has changed: as they were before. */
typedef struct crn_mm_old {
    uint32_t sector;
    uint32_t at, count; /* its bytes and its regions */
} crn_mm_old;
typedef struct crn_mm_history {
    crn_mm_old *items;
    uint8_t *bytes;
    size_t count, capacity, size, byte_capacity;
    crn_mm_sort sort;
} crn_mm_history;

/* How far a sector is flooded, drafted, or its centre optimised. */
typedef struct crn_mm_flooding_progress {
    uint32_t step, row;
    uint64_t left[CRN_FLOOD_SIDE_MAX];
} crn_mm_flooding_progress;
typedef struct crn_mm_progress {
    uint32_t step;
    uint32_t slot, place, at; /* what comes next: of the 3×3 sectors, and inside */
    uint32_t regions;
    size_t edge;
} crn_mm_progress;
typedef struct crn_mm_optimum {
    bool shown, running; /* the 3×3 sectors; a search */
    uint32_t region, candidate, place;
    size_t edge;
    uint64_t sum, least; /* what is expanded from the candidate, and from the best */
} crn_mm_optimum;

/* What is written of the paths of a sector, before it is part of the index. */
typedef struct crn_mm_paths_draft {
    crn_mm_region_paths *regions;
    cairn_cost *costs;
    uint8_t *bytes;
    uint32_t region_count, cost_count, byte_count;
    size_t region_capacity, cost_capacity, byte_capacity;
} crn_mm_paths_draft;

/* How far a path has been followed. */
typedef struct crn_mm_walk {
    uint32_t run;  /* the next one */
    cairn_node at; /* CAIRN_NO_NODE: it cannot be walked */
    uint64_t cost; /* so far */
} crn_mm_walk;

/* How far the paths of a sector are found. */
typedef struct crn_mm_finding {
    uint32_t step, region, old; /* `old`: which region had its centre there */
    crn_mm_sector packed, before;
    crn_mm_paths_edges edges;
    cairn_node from, to; /* centres */
    crn_mm_walk walk;    /* along the path of the edge, which is known */
} crn_mm_finding;

/* What a job does, in this order, level by level; from DOORS on when all levels are there. */
typedef enum crn_mm_stage {
    CRN_MM_EDITS, /* level 1: reads the edits */
    CRN_MM_LOWER, /* levels above: what has changed below, */
    CRN_MM_UPPER, /* and above what that is */
    CRN_MM_LISTS, /* brings that into order */
    CRN_MM_LABELS,
    CRN_MM_CHANGED, /* sectors in which something has changed, or all */
    CRN_MM_MARKED,  /* those round them that depend on it */
    CRN_MM_MOVED,   /* those in which nothing but centres may be others */
    CRN_MM_COUNTS,
    CRN_MM_PATHS, /* level 1 */
    CRN_MM_MOST,
    CRN_MM_DOORS,
    CRN_MM_DONE
} crn_mm_stage;

typedef struct crn_mm_job {
    crn_mm *mm;
    const crn_grid_space *space;
    cairn_context *context;
    const cairn_progress *progress;
    uint64_t done, total; /* sectors of a build, for it */

    crn_mm_stage stage;
    uint32_t level;
    size_t at;        /* how far the stage is */
    uint64_t left;    /* units of work, ... */
    bool waits;       /* ... which the next piece needs more of: ... */
    uint64_t saved;   /* ... those that the last slice has left for it */
    bool whole;       /* a build */
    bool built;       /* begun as one */
    bool busy;        /* begun, and not done */
    bool amending;    /* what was committed while level 1 was made */
    uint64_t version; /* edits up to it are marked */
    crn_edits edits;
    bool around_changed; /* those round the last changed sector are marked, too */
    crn_mm_progress drafting;
    crn_mm_flooding_progress flooding;
    crn_mm_optimum optimum;
    crn_mm_finding finding;
    cairn_node ends[2]; /* of a link: their regions */
    crn_mm_sort sort;   /* of links */

    crn_flood flood;
    crn_mm_draft draft;
    crn_mm_draft beside; /* edges from the sectors beside it to those at its corners */

    /* Of the 3×3 sectors: their regions. */
    const crn_mm_about *around[CRN_MM_AROUND];
    uint32_t counts[CRN_MM_AROUND];
    const uint16_t *places[CRN_MM_AROUND]; /* level 1: of which region each place is */
    crn_mm_flooding floods[CRN_MM_FLOODS * CRN_MM_FLOODS];

    crn_mm_middle *middles; /* while those of a sector are found */
    size_t middle_capacity;
    cairn_cell *cells; /* levels above: where what lies below a sector has its centres */
    size_t cell_capacity;
    uint8_t *wanted; /* the same: regions whose centres are looked for */
    size_t wanted_capacity;
    bool optimising; /* centres */

    /* Levels above: the same by rank of the region below. */
    uint16_t *labels;
    size_t label_capacity;
    crn_mm_about *about; /* the regions of all of them */
    size_t about_capacity;
    uint32_t about_first[CRN_MM_AROUND + 1];
    uint32_t bases[CRN_MM_AROUND][CRN_MM_BELOW + 1]; /* where labels of lower sectors begin */
    uint32_t *set;                                   /* union-find, by rank */
    size_t set_capacity;

    /* Repairs. */
    crn_mm_list changed;       /* sectors of a level in which something has changed */
    crn_mm_list marks;         /* of a level: these, and those round them that depend on that */
    crn_mm_list moved;         /* of a level: whose centres may lie elsewhere now */
    crn_mm_list moved_below;   /* the same of the level below it */
    crn_mm_list near;          /* those of level 1 round the changed ones */
    crn_mm_history history[2]; /* of a level, and of the one below it */
    uint8_t *packed;           /* a sector as it is now */
    size_t packed_capacity;
    uint32_t more;           /* regions, up to the sector that is counted */
    bool loading;            /* the levels above are known */
    uint64_t drafted, found; /* sectors, paths: how much was made again */

    /* For optimised centres and paths. */
    crn_scratch memory;
    crn_part part;
    crn_subsearch subsearch;
    bool searching; /* these are open */
    crn_area shown; /* of the part; without height: nothing is */
    bool surveyed;  /* it is known what the ground is like there */
    crn_mm_paths_draft paths;
} crn_mm_job;

/* ---- mm_job.c ---- */

crn_mm_job *crn_mm_job_open(crn_mm *mm, const crn_grid_space *space); /* NULL = no memory */
void crn_mm_job_close(crn_mm_job *job);
size_t crn_mm_job_bytes(const crn_mm_job *job);
void crn_mm_job_end_searches(crn_mm_job *job);
cairn_status crn_mm_search_on(crn_mm_job *job); /* goes on with the search as long as may be */

/* Takes so many units of work for a piece, instead of one. False = there are not so many: it is
 * done when there are. */
CRN_INLINE bool crn_mm_spend(crn_mm_job *job, uint64_t units)
{
    job->waits = job->left < units;
    if (!job->waits) job->left -= units;
    return !job->waits;
}

/* Sorts items of `size` bytes, a piece at a time: true when it is done, and at once if they are in
 * order. unique leaves out those whose first number is that of the item before. */
typedef struct crn_mm_order {
    crn_before *before;
    size_t size;
    bool unique;
} crn_mm_order;
bool crn_mm_sort_on(crn_mm_sort *sort, void *items, size_t *count, const crn_mm_order *order);

/* Lists: put appends, and false = no memory; sort brings them into order. */
void crn_mm_list_clear(crn_mm_list *list);
bool crn_mm_list_put(crn_mm_list *list, cairn_context *context, uint32_t sector);
bool crn_mm_list_sort_on(crn_mm_list *list);
bool crn_mm_listed(const crn_mm_list *list, uint32_t sector);

/* Notes the 3×3 sectors round one in a list. */
bool crn_mm_list_put_around(crn_mm_list *list, crn_mm_job *job, uint32_t level, uint32_t sector);

/* History: keep notes a sector of a level as it is, false = no memory; old finds what was noted of
 * one first, NULL = it is as it was. */
void crn_mm_history_clear(crn_mm_history *history);
bool crn_mm_keep_old(crn_mm_job *job, uint32_t level, uint32_t sector);
bool crn_mm_sort_old_on(crn_mm_history *history); /* when all are noted */
const crn_mm_old *crn_mm_old_sector(const crn_mm_job *job, uint32_t level, uint32_t sector);

/* Returns the sector in a place of the 3×3 round another one; UINT32_MAX = there is none. */
uint32_t crn_mm_around(const crn_mm_level *level, uint32_t sector, uint32_t slot);

/* The place in a direction from another one; CRN_MM_AROUND = not one of the 3×3. */
CRN_INLINE uint32_t crn_mm_slot(uint32_t slot, uint32_t direction)
{
    uint32_t x = (uint32_t)((int32_t)(slot % 3) + crn_dx[direction]),
             y = (uint32_t)((int32_t)(slot / 3) + crn_dy[direction]);
    return x < 3 && y < 3 ? y * 3 + x : CRN_MM_AROUND;
}

/* The direction that leads to a sector beside another one: −1, 0 or 1 columns and rows away. */
CRN_INLINE uint32_t crn_mm_towards(int32_t columns, int32_t rows)
{
    static const uint8_t directions[] = {CRN_NW, CRN_N,  CRN_NE, CRN_W, CRN_DIRECTIONS,
                                         CRN_E,  CRN_SW, CRN_S,  CRN_SE};
    return directions[rows * 3 + columns + 4];
}

void crn_mm_begin_draft(crn_mm_job *job);

/* Do edges that leave the sector in a place count? Those of the own one do, and for corners those
 * of the sectors beside it. */
bool crn_mm_counts(const crn_mm_job *job, uint32_t slot);

/* Notes that something leads from a region of the sector in a place to a region of the one in a
 * direction. False = no memory. */
bool crn_mm_join(crn_mm_job *job, uint32_t slot, uint32_t region, uint32_t direction,
                 uint32_t other);

/* When all that is noted: joins regions at a corner to which a region beside both leads, if both
 * are of this many places. Then the edges are in order. */
cairn_status crn_mm_join_corners_on(crn_mm_job *job, uint32_t least);

/* mm_build.c: a sector of any level, until its draft is there. */
cairn_status crn_mm_draft_on(crn_mm_job *job, uint32_t level, uint32_t sector);
/* Forgets what was flooded and drafted of level 1: the world has changed. */
void crn_mm_draft_again(crn_mm_job *job);

/* Finds links between regions, when all levels are there. */
cairn_status crn_mm_find_doors_on(crn_mm_job *job);
void crn_mm_drop_doors(crn_mm *mm, cairn_context *context);
/* What is not in files: these, and which regions are part of which. */
cairn_status crn_mm_finish(crn_mm *mm, const crn_grid_space *space);

/* A sector of a level above the first one, when regions are labelled. */
cairn_status crn_mm_draft_upper_on(crn_mm_job *job, uint32_t level, uint32_t sector);

/* Finds of which regions of a level those below it are part, in a sector. */
cairn_status crn_mm_label_on(crn_mm_job *job, uint32_t level, uint32_t sector);

/* Writes the centres of the regions of a sector, of which nothing else has changed, into bytes of
 * job->packed, which are those of the sector. */
cairn_status crn_mm_find_centres_on(crn_mm_job *job, uint32_t level, uint32_t sector);

#endif
