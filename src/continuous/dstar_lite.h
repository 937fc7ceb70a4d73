/* dstar_lite.h: the agent of D* Lite, which RTD* extends. See dstar_lite.c. */
#ifndef CRN_DSTAR_LITE_H
#define CRN_DSTAR_LITE_H

#include "continuous/incremental.h"

typedef struct crn_dstar_lite {
    crn_incremental search;
    bool settled;              /* the search is over for where the agent stands ... */
    crn_incremental_look step; /* ... and this is the next step; node: CAIRN_NO_NODE = none yet */
} crn_dstar_lite;

/* Events. It stands elsewhere, or the world has changed: what is known is to be repaired. It begins
 * again. A step along its path keeps the path. */
void crn_dstar_lite_unsettle(cairn_navigator *navigator);
void crn_dstar_lite_forget(cairn_navigator *navigator);
void crn_dstar_lite_stepped(cairn_navigator *navigator, cairn_node from);

/* The next step of an agent whose search is over; for at most *budget units of work. */
cairn_status crn_dstar_lite_go(cairn_navigator *navigator, cairn_move *move, uint64_t *budget);

uint32_t crn_dstar_lite_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity);
double crn_dstar_lite_bound(const cairn_navigator *navigator);

#endif
