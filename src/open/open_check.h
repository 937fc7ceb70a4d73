/* open_check.h: do the open lists keep their promises? Only in builds with CAIRN_CHECKS.
 *
 * Every crn_X_check of the library walks all invariants of X and returns what is wrong, as a text
 * for people, or NULL. None of them changes anything or takes memory of a context. */
#ifndef CRN_OPEN_CHECK_H
#define CRN_OPEN_CHECK_H

#include "open/buckets.h"
#include "open/chain.h"
#include "open/heap.h"
#include "open/sparse.h"
#include "open/strict_lists.h"

#if defined(CAIRN_CHECKS)
const char *crn_buckets_check(const crn_buckets *buckets);
const char *crn_heap_check(const crn_heap *heap);
const char *crn_chain_check(const crn_chain *chain);
const char *crn_sparse_check(const crn_sparse *list);

/* Lists that sort strictly (open_check_strict.c); for their tables. */
const char *crn_indexed_check(const void *heap);
const char *crn_unsorted_array_check(const void *list);
const char *crn_unsorted_list_check(const void *list);
const char *crn_sorted_array_check(const void *list);
const char *crn_sorted_list_check(const void *list);
const char *crn_skip_list_check(const void *list);
const char *crn_skew_heap_check(const void *list);
const char *crn_splay_tree_check(const void *list);
const char *crn_hot_queue_check(const void *list);
#endif

#endif
