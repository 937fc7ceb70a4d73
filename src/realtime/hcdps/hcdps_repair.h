/* hcdps_repair.h: repairing the index of `hcdps` after an edit. A new index is made beside the old
 * one, of which most is copied: regions (hcdps_repair.c), their numbers (hcdps_renumber.c), links
 * (hcdps_relink.c), rows (hcdps_reroute.c).
 *
 * While regions grow, they have their old numbers, and new ones those that follow; `order` leads
 * from these to the numbers of the new index.
 */
#ifndef CRN_HCDPS_REPAIR_H
#define CRN_HCDPS_REPAIR_H

#include "realtime/hcdps/hcdps_job.h"

/* Regions of the new index in a row, up to the next segment, whose old numbers ascend; what is
 * missing there is gone. The last ones may be new. */
typedef struct crn_hcdps_segment {
    uint32_t first, end;
    uint32_t old_first, old_end; /* of those that remain */
} crn_hcdps_segment;

typedef struct crn_hcdps_mend {
    crn_hcdps_job job; /* makes the new index */
    const crn_hcdps *old;
    uint32_t regions; /* of the old index */

    crn_hcdps_array touched; /* cells with other steps, ascending, and some beside them */
    crn_size_box touched_box;
    crn_size_box changed_box; /* that, and all of `opened` */
    crn_size_box *opened;     /* where something may have been opened */
    size_t opened_count, opened_capacity;

    crn_hcdps_area area;
    uint32_t *cells; /* of each old region, with blocked ones beside them */
    uint8_t *freed;  /* is its region freed? */
    bool narrow;     /* one reaches farther than the rows that are known */

    crn_hcdps_array order; /* see above; of a region that is gone: the one that took its place */
    crn_hcdps_array up;    /* of an old number: the new one of the first that remains from it on */
    crn_hcdps_array was;   /* the old number of a new one; UINT32_MAX = it is new */
    bool numbered;         /* numbers have changed */
    crn_hcdps_segment *segments;
    size_t segment_count, segment_capacity;
    crn_hcdps_array part; /* of each old region, by the old links: union-find */

    crn_hcdps_link *links;                          /* of a region */
    crn_hcdps_array link_first, link_near, link_to; /* of the old index, in its numbers */
    crn_hcdps_kept kept;
    bool relinked; /* links or their costs have changed */
} crn_hcdps_mend;

CRN_INLINE bool crn_hcdps_remains(const crn_hcdps_mend *r, uint32_t old)
{
    uint32_t now = r->order.items[old];
    return now < r->was.count && r->was.items[now] == old;
}

/* The segment of a region that remains. */
CRN_INLINE const crn_hcdps_segment *crn_hcdps_segment_of(const crn_hcdps_mend *r, uint32_t region)
{
    size_t low = 0, high = r->segment_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (r->segments[middle].first <= region) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &r->segments[low];
}

/* Where the range of old numbers from a region that remains up to `stop` ends in new ones. */
CRN_INLINE uint32_t crn_hcdps_range_end(const crn_hcdps_mend *r, uint32_t region, uint32_t stop)
{
    const crn_hcdps_segment *segment = crn_hcdps_segment_of(r, region);
    return stop < segment->old_end ? r->up.items[stop] : segment->end;
}

/* Numbers regions, representatives and doors. */
cairn_status crn_hcdps_renumber(crn_hcdps_mend *r);
/* Links of the new index. */
cairn_status crn_hcdps_relink(crn_hcdps_mend *r);
/* Doors, before regions are numbered. */
cairn_status crn_hcdps_reopen_doors(crn_hcdps_mend *r);
/* Rows of the new index. */
cairn_status crn_hcdps_reroute(crn_hcdps_mend *r);

#endif
