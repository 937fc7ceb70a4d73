/* smastar_steps.h: does any path of at most so many steps lead to a goal?
 *
 * SMA* (smastar.c) forgets paths that it dropped, and may generate them very often before it knows
 * that none fits. Whether any fits is a question of steps alone. A breadth-first search answers it
 * and looks at each node once: it goes on front by front, a front being the nodes that take the
 * same number of steps. It holds no nodes, but three bits for each of the world: whether it has
 * been seen, is in this front, is in the next one. Nothing else is kept, no path and no cost.
 *
 * A unit of work clears some of the bits, or looks for nodes of the front and expands a few.
 */
#ifndef CRN_SMASTAR_STEPS_H
#define CRN_SMASTAR_STEPS_H

#include "core/core.h"
#include "search/search.h"

/* Words of bits that have members, from the first to before the last. */
typedef struct crn_sma_span {
    uint32_t begin, end;
} crn_sma_span;

typedef struct crn_sma_steps {
    uint64_t *seen, *front, *next; /* one block of memory, which begins at `block` */
    uint64_t *block;
    size_t capacity, count, cleared; /* words of it: there are, are in use, are cleared */
    crn_sma_span here, there;        /* of this front, what is left of it, and of the next one */
    uint32_t steps, most;            /* of this front; of a path that fits */
    cairn_node node;                 /* is being expanded, from this edge on */
    uint32_t edge;
} crn_sma_steps;

/* Bytes for a world of so many nodes. */
size_t crn_sma_steps_bytes(uint32_t node_count);

/* Begins at the start of the query. False = no memory. */
bool crn_sma_steps_begin(crn_sma_steps *s, cairn_search *search, uint32_t most);

/* A unit of work. CAIRN_FOUND: such a path exists. CAIRN_TOO_LONG: all have more steps, if
 * there is one. CAIRN_UNREACHABLE: there is none of any length. CAIRN_RUNNING: not known yet. */
cairn_status crn_sma_steps_unit(crn_sma_steps *s, const cairn_search *search);

void crn_sma_steps_close(crn_sma_steps *s, crn_scratch *scratch);

#endif
