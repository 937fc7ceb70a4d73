/* smastar_tree.h: the tree of paths of SMA* (smastar.c): nodes that never become more than a
 * limit, two heaps over them, dropping leaves, and backing up F.
 *
 * Nodes lie in blocks that never move, and places that become free are used again. Paths to the
 * same node of the world, its twins, are a list. A hash table finds the first of them. It has as
 * many chains as places have been used: each place holds the first node of a chain, and a place
 * that is used for the first time takes its share of one other chain (linear hashing: Litwin 1980).
 * So chains stay short, the table needs no memory of its own, and nothing is cleared for a query.
 *
 * Whatever may go through many nodes is done in pieces: removing a part of the tree, backing up,
 * comparing a path with its twins, and copying the path to a node that is to be kept. While one of
 * them is under way nothing else is done.
 */
#ifndef CRN_SMASTAR_TREE_H
#define CRN_SMASTAR_TREE_H

#include "core/core.h"
#include "world/space.h"

#define CRN_SMA_NONE UINT32_MAX
#define CRN_SMA_NEVER UINT64_MAX

enum {
    CRN_SMA_BLOCK = 256,
    CRN_SMA_LINKS = 128 /* nodes that a unit of work backs up, removes, compares or copies */
};

/* The two heaps. */
enum { CRN_SMA_OPEN, CRN_SMA_LEAVES, CRN_SMA_HEAPS };

typedef struct crn_sma_node {
    uint64_t f;               /* F of smastar.c; CRN_SMA_NEVER: nothing is to be found below */
    uint64_t forgotten, lost; /* least F of what was dropped: before this round, and in it */
    cairn_node node;
    cairn_cost g;
    uint32_t depth;
    uint32_t parent, child, before, after; /* in the tree; the last two are siblings */
    uint32_t edge;                         /* of the parent, that led here */
    uint32_t next_edge;                    /* the next one to be generated */
    uint32_t chained;                      /* the next in its chain, of the first of twins */
    uint32_t twin, elder;                  /* the next and the last path to the same node */
    uint32_t chain;                        /* of the place: the first node of a chain, ... */
    cairn_node copy;                       /* ... and a node of the path that is kept */
    uint32_t at[CRN_SMA_HEAPS];            /* its place in each heap, or CRN_SMA_NONE */
    bool complete;                         /* all successors have been generated once */
    bool is_goal;
    bool begun;    /* its expansion, which waits for room if no successor has been generated yet */
    bool inherits; /* F was that of its parent when it was generated */
} crn_sma_node;

typedef struct crn_sma_tree {
    crn_scratch *scratch;
    /* called before a node leaves the tree; its parent is still known */
    void (*forget)(void *user, uint32_t i);
    void *user;
    crn_sma_node **blocks;
    size_t block_count, block_capacity;
    uint32_t *heaps[CRN_SMA_HEAPS];
    size_t heap_capacity[CRN_SMA_HEAPS];
    uint32_t heap_count[CRN_SMA_HEAPS];
    uint32_t limit;                /* of nodes in memory */
    bool all_fit;                  /* no path is too long: of two paths the cheaper one stays */
    uint32_t count, used, spare;   /* nodes; places used so far; the first that is free again */
    uint32_t doomed, doomed_at;    /* a part that is being removed, or CRN_SMA_NONE, and how far */
    uint32_t backed, backed_child; /* the node that is being backed up, and how far */
    uint64_t backed_least;         /* least F of its children so far */
    uint32_t later;                /* is to be backed up next */
    uint32_t compared;             /* the next twin to be compared, or CRN_SMA_NONE */
    uint32_t kept, copied;         /* a node whose path is copied before it leaves; how far */
    uint32_t copy_count;           /* nodes of the copy, from its end to the start */
    uint64_t pushes;
} crn_sma_tree;

/* What became of an edge. */
typedef enum crn_sma_outcome {
    CRN_SMA_PASSED,    /* nothing */
    CRN_SMA_GENERATED, /* a successor is in the tree */
    CRN_SMA_WAITS      /* for something that is done in pieces; then it is tried again */
} crn_sma_outcome;

/* A path beside another one to the same node. */
typedef enum crn_sma_relation {
    CRN_SMA_APART, /* neither can take the place of the other */
    CRN_SMA_WORSE,
    CRN_SMA_BETTER,
    CRN_SMA_UNKNOWN /* not all twins have been compared yet */
} crn_sma_relation;

CRN_INLINE crn_sma_node *crn_sma_at(const crn_sma_tree *t, uint32_t i)
{
    return &t->blocks[i / CRN_SMA_BLOCK][i % CRN_SMA_BLOCK];
}

void crn_sma_close(crn_sma_tree *t);
void crn_sma_reset(crn_sma_tree *t, uint32_t limit, bool all_fit); /* an empty tree */
size_t crn_sma_bytes(const crn_sma_tree *t);                       /* peak of this query */

/* The first of the paths to a node, and the cheapest; CRN_SMA_NONE: there is none. */
uint32_t crn_sma_first(const crn_sma_tree *t, cairn_node node);
uint32_t crn_sma_look_up(const crn_sma_tree *t, cairn_node node);
uint32_t crn_sma_add(crn_sma_tree *t, uint32_t parent, cairn_edge edge, uint64_t h);
void crn_sma_remove(crn_sma_tree *t, uint32_t kind, uint32_t node);
bool crn_sma_settle(crn_sma_tree *t, uint32_t i);
crn_sma_outcome crn_sma_drop(crn_sma_tree *t, uint32_t but);
crn_sma_relation crn_sma_compare(crn_sma_tree *t, uint32_t parent, cairn_edge edge,
                                 uint32_t *there);
crn_sma_outcome crn_sma_displace(crn_sma_tree *t, uint32_t i, uint64_t g, uint32_t there);
void crn_sma_back_up(crn_sma_tree *t, uint32_t i);
void crn_sma_keep(crn_sma_tree *t, uint32_t i); /* copies the path to it before it leaves */

/* Continues what goes through many nodes. False: there is nothing of that. */
bool crn_sma_go_on(crn_sma_tree *t);

#if defined(CAIRN_CHECKS)
/* What is wrong with the tree, or NULL. */
const char *crn_sma_check(const crn_sma_tree *t);
#endif

#endif
