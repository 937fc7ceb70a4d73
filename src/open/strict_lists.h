/* strict_lists.h: what the open lists that sort strictly are made of, each in a file of its own.
 * Their users call them through their tables (open.h); checks and tests look inside. */
#ifndef CRN_STRICT_LISTS_H
#define CRN_STRICT_LISTS_H

#include "open/indexed.h"

/* unsorted_array.c: items 1 to `used`. */
typedef struct crn_unsorted_array {
    crn_strict strict;
    crn_members members;
    uint32_t best, at; /* the least of items 1 to `at` */
} crn_unsorted_array;

/* unsorted_list.c */
typedef struct crn_unsorted_list {
    crn_strict strict;
    crn_members members;
    crn_strict_chain chain;
    uint32_t best, at; /* the least of those in front of `at`; 0 = of all */
} crn_unsorted_list;

/* sorted_array.c */
#define CRN_SORTED_CHUNK 512u
typedef struct crn_sorted_array {
    crn_strict strict;
    uint32_t **rows; /* numbers of items, the least item last, in chunks */
    size_t row_count, row_capacity;
    uint32_t count;
    uint32_t placed;      /* the item that is being put in its place; 0 = none, ... */
    uint32_t hole, chunk; /* ... its place, and how far the numbers behind it have moved */
} crn_sorted_array;

/* sorted_list.c */
typedef struct crn_sorted_list {
    crn_strict strict;
    crn_members members;
    crn_strict_chain chain;
    uint32_t at;  /* the first that waits comes after all in front of this one */
    bool walking; /* `at` is meant */
} crn_sorted_list;

/* skip_list.c: the item of an entry is on level 0. On the levels above it has copies, each of which
 * leads down to the next one by its left number. */
#define CRN_SKIP_LEVELS 12u
typedef struct crn_skip_list {
    crn_strict strict;
    uint32_t heads[CRN_SKIP_LEVELS];
    uint32_t levels; /* in use */
    uint32_t seed;
    uint32_t level; /* the search for the place of the first that waits is on this level, ... */
    uint32_t at;    /* ... after this item; 0 = at the head */
    uint32_t before[CRN_SKIP_LEVELS]; /* the last in front of that place, on the levels above */
    bool searching;
} crn_skip_list;

/* skew_heap.c */
typedef struct crn_skew_heap {
    crn_strict strict;
    uint32_t root;
    bool merging;        /* two heaps are being merged: ... */
    uint32_t one, other; /* ... what is left of them, ... */
    uint32_t above;      /* ... and the item whose left child the result is; 0 = the root */
} crn_skew_heap;

/* splay_tree.c */
typedef struct crn_splay_tree {
    crn_strict strict;
    uint32_t root;
    bool splaying;
    uint32_t target; /* the item that is to be the root; 0 = the least one of the tree */
    /* What is known to lie to the left and to the right of it: below the right and the left number
     * of `ends`. The next part is added to the right of `left`, and to the left of `right`. */
    crn_strict_item ends, *left, *right;
} crn_splay_tree;

/* hot_queue.c */
#define CRN_HOT_BITS 6u
#define CRN_HOT_LEVELS 11u
#define CRN_HOT_BUCKETS 64u
typedef struct crn_hot_queue {
    crn_strict strict; /* of the buckets */
    crn_indexed top;   /* the active bucket, as a heap */
    crn_indexed late;  /* keys below the base */
    uint64_t base;     /* keys in buckets are no less */
    uint64_t width;    /* of the active bucket, which begins at the base; 0 = none is active */
    uint32_t moving;   /* items of a bucket that has just been opened, ... */
    bool active;       /* ... which go on the heap, or into buckets of lower levels */
    uint64_t used[CRN_HOT_LEVELS]; /* a bit for each bucket that is not empty */
    uint32_t heads[CRN_HOT_LEVELS][CRN_HOT_BUCKETS], counts[CRN_HOT_LEVELS][CRN_HOT_BUCKETS];
} crn_hot_queue;

#endif
