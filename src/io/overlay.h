/* overlay.h (internal): what an overlay holds, for the pictures. */
#ifndef CRN_IO_OVERLAY_H
#define CRN_IO_OVERLAY_H

#include "io/support.h"

/* A border, a node (its `to` is its place too) or an edge. */
typedef struct crn_overlay_mark {
    cairn_overlay_kind kind;
    uint32_t level;
    cairn_position from, to;
} crn_overlay_mark;

struct cairn_overlay {
    cairn_context *context;
    uint32_t node_count;
    uint32_t lowest; /* level; UINT32_MAX = nothing yet */
    uint32_t *areas; /* by node: the group plus 1, 0 = none; NULL until there is one */
    uint32_t area_level;
    crn_overlay_mark *marks;
    size_t mark_count, mark_capacity;
    uint64_t counts[CAIRN_OVERLAY_KIND_COUNT];
    bool failed; /* there was no memory */
};

#define CRN_AREA_COLOURS 8u
#define CRN_NO_AREA UINT8_MAX

/* A colour for each area, 0…CRN_AREA_COLOURS-1, by its number in `areas`. Areas that touch have
 * different colours, as long as no area touches more than CRN_AREA_COLOURS - 1 others. NULL: no
 * areas, or no memory (then *failed). */
typedef struct crn_area_colours {
    uint8_t *of; /* [count] */
    size_t count;
} crn_area_colours;

bool crn_overlay_colour(const cairn_overlay *overlay, const cairn_space *space,
                        crn_area_colours *out);
void crn_overlay_uncolour(const cairn_overlay *overlay, crn_area_colours *colours);

#endif
