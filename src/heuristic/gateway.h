/* gateway.h: areas of a grid, the gates between them, and the least cost from each gate to each
 * other one.
 *
 * Areas are parts of the map (search/areas.h), and any partition is right. The cells of one side of
 * the border of two areas are its gates: cells side by side are one gate. Every step across the
 * border begins or ends on a cell of a gate. D(g, h) is the least cost of a path from a cell of g
 * to a cell of h, exactly.
 *
 * Let a path lead from a node n to a goal t in another area. Where it first leaves the area of n it
 * passes a gate g of that area; where it last enters that of t it passes a gate h of this one, not
 * before g. So it costs no less than
 *
 *     metric(n, g) + D(g, h) + metric(h, t)
 *
 * for these two, with the metric's distance of the box round the cells of a gate. The least sum
 * over all pairs of gates never overestimates; used is the larger of that and of the metric's
 * estimate. In the goal's area the metric alone is used: a path need not pass a gate. With links
 * that are shortcuts the metric to a gate is not known, and 0 is used instead.
 *
 * It is not consistent. Between gates it knows the walls, from a node to a gate it does not: where
 * a path enters another area the estimate may fall by more than a step costs. So searches reopen
 * closed nodes.
 *
 * What follows from the goal, the least D(g, h) + metric(h, t) over h, is computed once for each
 * gate, when a node of its area is first estimated. It goes into memory of the search (`room`), one
 * number for each gate of each area. After that an estimate takes one distance for each gate of the
 * node's area. An area has at most CRN_GATEWAY_DOORS gates; where there are more, the metric alone
 * is used.
 *
 * Source: Björnsson and Halldórsson, "Improved Heuristics for Optimal Path-finding on Game Maps",
 * 2006 (the gateway heuristic), reference 98 of the thesis of B. Anguelov. Their gates are straight
 * lines between areas that are drawn row by row.
 */
#ifndef CRN_GATEWAY_H
#define CRN_GATEWAY_H

#include "heuristic/heuristic.h"
#include <cairn/planner.h>

#define CRN_GATEWAY_MOST 4096u  /* gates at most */
#define CRN_GATEWAY_USUAL 1024u /* the same by default */
#define CRN_GATEWAY_DOORS 48u   /* of an area at most */
#define CRN_GATEWAY_NONE UINT16_MAX

/* A gate as one of its two areas sees it. */
typedef struct crn_gateway_door {
    uint16_t left, top, right, bottom; /* round its cells */
    uint16_t gate;
} crn_gateway_door;

typedef struct crn_gateway {
    const uint16_t *areas; /* of each node; CRN_GATEWAY_NONE = not usable; NULL = not built */
    const uint32_t *first; /* the doors of area i are first[i] to first[i + 1] */
    const crn_gateway_door *doors;
    const cairn_cost *costs; /* from gate a to gate b: costs[b·gate_count + a] */
    uint32_t node_count, area_count, door_count, gate_count;
    void *owned;   /* all of them, or NULL if they are borrowed */
    uint64_t work; /* of the last build */
} crn_gateway;

/* How the map is divided. */
typedef struct crn_gateway_plan {
    uint32_t width; /* of the passages; 0: that which serves best */
    uint32_t gates; /* at most; 0: so many that their table takes 16 bytes a node */
} crn_gateway_plan;

/* Returns the plug. */
crn_heuristic crn_gateway_heuristic(const crn_gateway *gateway);

/* Builds areas, gates and table; on failure there are none. */
cairn_status crn_gateway_build(crn_gateway *gateway, cairn_space *space, crn_gateway_plan plan,
                               const cairn_progress *progress, cairn_error *error);
void crn_gateway_drop(crn_gateway *gateway, cairn_context *context);
size_t crn_gateway_bytes(const crn_gateway *gateway);

cairn_status crn_gateway_save(const crn_gateway *gateway, cairn_store *store, cairn_error *error);
cairn_status crn_gateway_load(crn_gateway *gateway, const cairn_space *space,
                              const cairn_archive *archive, bool borrow, cairn_error *error);

#endif
