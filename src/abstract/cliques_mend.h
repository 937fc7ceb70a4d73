/* cliques_mend.h: what a repair of levels of cliques keeps, for cliques_repair.c and, where the
 * level is the lowest one of a grid, cliques_repair_pack.c. */
#ifndef CRN_CLIQUES_MEND_H
#define CRN_CLIQUES_MEND_H

#include "abstract/cliques.h"

/* What a node of level 1 of a grid was before it changed. */
typedef struct crn_mend_was {
    cairn_node node;
    uint32_t child, mask;
} crn_mend_was;

/* How many nodes of a clique are not joined orphans: what was counted last, by number. */
#define CRN_MEND_CORES 64u
typedef struct crn_mend_core {
    cairn_node parent;
    uint16_t level; /* of the parent */
    uint16_t size;
} crn_mend_core;

typedef struct crn_mend {
    crn_cliques *cliques;
    uint32_t level;          /* whose nodes have changed */
    crn_clique_list changed; /* these */
    crn_clique_list linked;  /* and of these the neighbours */
    crn_clique_list next;    /* the same of the level above */
    crn_clique_list next_linked;
    crn_clique_list free;    /* nodes without a clique */
    crn_clique_list dirty;   /* cliques that changed */
    crn_clique_list touched; /* those of them that need new edges */
    crn_clique_list shifted; /* those of them whose edges cost something else */
    crn_clique_list around;  /* level 0: cliques next to them */
    /* Where there are ledges: */
    crn_clique_pairs ledged;   /* pairs of nodes that they join otherwise than before */
    crn_clique_pairs hooked;   /* nodes that joined or left cliques, and these */
    crn_clique_pairs doubted;  /* pairs of cliques that they may join otherwise */
    crn_clique_pairs gathered; /* ledges of one */
    cairn_edge *lone;          /* nodes that were alone, and the numbers that are kept for them */
    size_t lone_count, lone_capacity;
    crn_mend_was *was; /* level 0: of each dirty one */
    size_t was_count, was_capacity;
    cairn_edge *moved; /* level 0: cells that left their cliques, and these */
    size_t moved_count, moved_capacity;
    crn_clique_edges edges;
    crn_clique_list before, after; /* neighbours of one */
    crn_mend_core cores[CRN_MEND_CORES];
    const cairn_progress *progress;
    uint32_t done, total; /* phases of levels */
    bool failed;          /* no memory, or cancelled */
    bool cancelled;
} crn_mend;

void crn_mend_add(crn_mend *r, crn_clique_list *list, uint32_t item);
bool crn_mend_holds(const crn_clique_list *list, uint32_t item); /* a sorted one */

/* Adds a node and a number to a list of such. */
void crn_mend_add_pair(crn_mend *r, cairn_edge **list, size_t *count, size_t *capacity,
                       cairn_edge pair);
bool crn_mend_pair_less(const void *a, const void *b);

/* Ascending, each once. */
CRN_INLINE void crn_mend_sort(crn_clique_list *list)
{
    if (list->count > 1) list->count = crn_cliques_sort(list->items, list->count);
}

CRN_INLINE crn_clique_level *crn_mend_below(const crn_mend *r)
{
    return &r->cliques->levels[r->level];
}

CRN_INLINE crn_clique_level *crn_mend_above(const crn_mend *r)
{
    return &r->cliques->levels[r->level + 1];
}

/* ---- ledges (cliques_ledges.c) ---- */

/* When it is known which nodes are in which cliques: finds the ledges of these again. */
void crn_mend_ledges(crn_mend *r);

/* ---- packs (cliques_repair_pack.c) ---- */

/* A pack may change: its edges are no longer counted, and what it was is kept. */
void crn_mend_note(crn_mend *r, cairn_node node);

/* Positions and edges of the packs that changed, and of those next to them. */
void crn_mend_link_packs(crn_mend *r);

#endif
