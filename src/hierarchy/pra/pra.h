/* pra.h (internal): what PRA*'s planner and its searches share. */
#ifndef CRN_PRA_H
#define CRN_PRA_H

#include "abstract/cliques.h"
#include "search/path_builder.h"
#include "abstract/part.h"

/* Parameters, in the order of the descriptor. */
enum {
    PRA_K,
    PRA_START,
    PRA_LOWEST,
    PRA_CORRIDOR,
    PRA_GROUND,
    PRA_ORPHANS,
    PRA_POSITIONS,
    PRA_SMOOTH,
    PRA_PARAMETERS
};
enum { PRA_START_HALF, PRA_START_MIDDLE };
enum { PRA_CORRIDOR_INNER, PRA_CORRIDOR_WIDE, PRA_CORRIDOR_WIDER };
enum { PRA_GROUND_CORRIDOR, PRA_GROUND_CLIQUES, PRA_GROUND_GREEDY };
enum { PRA_ORPHANS_JOIN, PRA_ORPHANS_SINGLE };
enum { PRA_POSITIONS_WEIGHTED, PRA_POSITIONS_PLAIN };
/* steps of a piece on level 0 where no k is given, unless more are asked for */
#define PRA_PIECE_STEPS 16u

typedef struct crn_pra_index {
    crn_cliques *cliques; /* NULL = not built */
    /* In the background: */
    crn_cliques *coming;
    crn_thread *thread;
    cairn_status outcome;
} crn_pra_index;

/* The functions of its searches (pra_search.c). */
cairn_status crn_pra_open(cairn_search *search);
void crn_pra_close(cairn_search *search);
bool crn_pra_handles(const cairn_search *search);
cairn_status crn_pra_begin(cairn_search *search);
cairn_status crn_pra_step(cairn_search *search, uint64_t work);
cairn_status crn_pra_next(cairn_search *search);

#endif
