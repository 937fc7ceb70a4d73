/* recording.h (internal): what a recording holds, for the pictures. */
#ifndef CRN_IO_RECORDING_H
#define CRN_IO_RECORDING_H

#include "io/support.h"

/* All zero for a node that was never seen. */
typedef struct crn_recorded {
    uint32_t order; /* of its first expansion, from 1; CRN_SEEN = seen, never expanded */
    cairn_cost g, h;
    uint32_t mark; /* what a search that draws lines made of it */
} crn_recorded;

enum { CRN_RECORDED_NOTHING, CRN_RECORDED_SEGMENT, CRN_RECORDED_SUBGOAL };

#define CRN_SEEN UINT32_MAX
#define CRN_RECORDED_PAGE 256u /* nodes */

struct cairn_recording {
    cairn_context *context;
    uint32_t node_count, page_count;
    uint32_t last_order;  /* how many nodes were expanded at least once */
    uint64_t expanded;    /* expansions, repeated ones included */
    bool begun;           /* a search has done more than name its ends */
    bool failed;          /* a page could not be had */
    crn_recorded **pages; /* NULL = no node of the page was seen */
};

/* NULL for a node on a page that was never touched. */
static inline const crn_recorded *crn_recorded_at(const cairn_recording *recording, cairn_node node)
{
    const crn_recorded *page = recording->pages[node / CRN_RECORDED_PAGE];
    return page ? &page[node % CRN_RECORDED_PAGE] : NULL;
}

/* Was the node seen, whether expanded or not? */
static inline bool crn_was_seen(const cairn_recording *recording, cairn_node node)
{
    const crn_recorded *recorded = crn_recorded_at(recording, node);
    return recorded && recorded->order;
}

#endif
