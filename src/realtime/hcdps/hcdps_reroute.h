/* hcdps_reroute.h: rows of the index of `hcdps` after an edit. See hcdps_reroute.c. */
#ifndef CRN_HCDPS_REROUTE_H
#define CRN_HCDPS_REROUTE_H

#include "realtime/hcdps/hcdps_repair.h"

#define CRN_HCDPS_NO_LINK UINT16_MAX     /* a link */
#define CRN_HCDPS_MIXED (UINT32_MAX - 1) /* a part: several */

/* Targets whose link from a region is gone. */
typedef struct crn_hcdps_piece {
    uint32_t region, first, end;
} crn_hcdps_piece;

/* A region on the routes to targets, after so many others. */
typedef struct crn_hcdps_visit {
    uint32_t region, first, end, depth;
} crn_hcdps_visit;

/* Targets of the same parts of the map, before and after (UINT32_MAX, both: of parts that are
 * neither joined nor divided). */
typedef struct crn_hcdps_class {
    uint32_t first, before, now;
} crn_hcdps_class;

/* A detour: its regions lie in `trail`. */
typedef struct crn_hcdps_detour {
    uint32_t from, to, first, length;
} crn_hcdps_detour;

/* Targets in a row that share a column: that of a region, or of the anchor of a tree. */
typedef struct crn_hcdps_range {
    uint32_t first, end, column;
    uint32_t tree; /* its anchor; UINT32_MAX = it is the region's own */
} crn_hcdps_range;

typedef struct crn_hcdps_ranges {
    crn_hcdps_range *items;
    size_t count, capacity;
} crn_hcdps_ranges;

typedef struct crn_hcdps_rerouting {
    crn_hcdps_mend *r;
    bool near;
    bool gives_up; /* too much has changed */
    uint32_t regions;
    crn_hcdps_routes *routes;
    uint32_t *moved;        /* of each old link: which one it is now */
    uint32_t *before, *now; /* parts: of each old region, and of each region */
    bool mixed;             /* parts were joined or divided */
    uint32_t *only;         /* of each part: the old one that it was; CRN_HCDPS_MIXED */
    uint32_t *split;        /* of each old part: a new one; CRN_HCDPS_MIXED */
    uint32_t *set_of;       /* of each old part: its number in `sets` */
    uint32_t *queue;
    uint32_t *anchor;        /* of each region */
    crn_hcdps_array columns; /* targets, ascending */
    crn_hcdps_ranges ranges;
    crn_hcdps_ranges new_ranges; /* of new regions only: to others a dead end has one way out */
    uint32_t *column_costs;
    uint16_t *column_slots; /* of each of them, for all regions */
    uint16_t *set_slots;
    uint32_t sets;
    uint16_t **patched; /* of some regions: the link to take to each target, or CRN_HCDPS_NO_LINK */
    uint32_t patched_count;
    uint32_t *place; /* of each region: its column */
    bool *arrives;   /* of each target: does a route? */
    crn_hcdps_visit *visits;
    size_t visit_count, visit_capacity;
    bool progressed;
    crn_hcdps_piece *pieces;
    size_t piece_count, piece_capacity;
    crn_hcdps_class *classes;
    size_t class_count, class_capacity;
    crn_hcdps_detour *detours;
    size_t detour_count, detour_capacity;
    crn_hcdps_array trail, runs;
    /* the rows as they were, in the numbers of now: of each run the first target and the link (the
     * number of links: there is none; CRN_HCDPS_NO_LINK: it is gone); where the row of each region
     * begins */
    crn_hcdps_array rows;
    size_t *row_first;
} crn_hcdps_rerouting;

CRN_INLINE const uint32_t *crn_hcdps_links_of(const crn_hcdps_rerouting *j, uint32_t region)
{
    const uint32_t *to = j->r->job.link_to.items; /* NULL: there are none at all */
    return to ? to + j->r->job.link_first.items[region] : NULL;
}

CRN_INLINE uint32_t crn_hcdps_count_of(const crn_hcdps_rerouting *j, uint32_t region)
{
    const uint32_t *first = j->r->job.link_first.items + region;
    return first[1] - first[0];
}

/* Up to where a patched row has the link that it has for a target, at most. Four are compared at
 * once. */
CRN_INLINE uint32_t crn_hcdps_patch_end(const uint16_t *row, uint32_t target, uint32_t end)
{
    uint32_t at = target + 1;
    for (uint64_t here, before; at + 4 <= end; at += 4) {
        memcpy(&here, row + at, sizeof here);
        memcpy(&before, row + at - 1, sizeof before);
        if (here != before) break;
    }
    while (at < end && row[at] == row[target]) at++;
    return at;
}

/* Was the part of a region joined with another one, or divided? */
CRN_INLINE bool crn_hcdps_is_mixed(const crn_hcdps_rerouting *j, uint32_t region)
{
    uint32_t old = j->r->was.items[region];
    if (!j->mixed) return false;
    return j->only[j->now[region]] == CRN_HCDPS_MIXED ||
           (old != UINT32_MAX && j->split[j->before[old]] == CRN_HCDPS_MIXED);
}

/* The link for targets of a class if it is not that of the row as it was; UINT32_MAX: it is.
 * The number of links: there is none. */
uint32_t crn_hcdps_class_link(const crn_hcdps_rerouting *j, uint32_t region,
                              const crn_hcdps_class *class);

/* Finds columns again (hcdps_columns.c); false = no memory. */
bool crn_hcdps_find_columns(crn_hcdps_rerouting *j);

/* Finds patches round links that are gone (hcdps_detour.c); false = no memory. */
bool crn_hcdps_patch(crn_hcdps_rerouting *j);
/* The links that are patched in the row of a region: made if there are none (NULL = no memory). May
 * it be made? So many rows cannot be. */
uint16_t *crn_hcdps_patched_row(crn_hcdps_rerouting *j, uint32_t region);
bool crn_hcdps_may_patch(const crn_hcdps_rerouting *j, uint32_t region);
/* The link that a region takes to a target that is not new; *end: also to those up to there. */
uint32_t crn_hcdps_link_to(const crn_hcdps_rerouting *j, uint32_t region, uint32_t target,
                           uint32_t *end);

/* Patches routes that links make cheaper (hcdps_shortcut.c); false = no memory. */
bool crn_hcdps_take_shortcuts(crn_hcdps_rerouting *j);

#endif
