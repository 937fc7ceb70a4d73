/* knn_index.h: the index of `knn-lrtastar`: solved problems, and which of them are most like a new
 * one.
 *
 * A record is a start, a goal, and the subgoals of a cheapest path between them: each can be
 * climbed to from the one before, and the goal from the last. Two arrays of 32-bit numbers hold
 * them, which are saved, loaded and mapped as they are: `problems`, three numbers for each record
 * (start, goal, where its subgoals end), and `subgoals`, in the same order.
 *
 * Similarity. Two problems are as far apart as their starts are, or their goals if these are
 * farther apart: the larger of both distances on a map without walls (climb.h). Of equally similar
 * records the one that comes first is taken.
 *
 * Look-up. The records are a k-d tree over (start x, start y, goal x, goal y), without pointers:
 * the record in the middle of a range is its root, the records before it have no larger coordinate,
 * those after it no smaller one, and the coordinate changes with the depth. A part of the tree is
 * left out if it lies farther beyond a root than the worst of the best records so far: no distance
 * is less than that of one coordinate. So the look-up finds exactly the k most similar records, and
 * looks at few others.
 */
#ifndef CRN_KNN_INDEX_H
#define CRN_KNN_INDEX_H

#include "realtime/climb.h"
#include <cairn/planner.h>

#define CRN_KNN_RECORDS 1000000u /* at most */
#define CRN_KNN_DEPTH 22u        /* of the tree of so many, and one more */

typedef struct crn_knn_record {
    cairn_node start, goal;
    uint32_t end; /* of its subgoals; they begin where those of the record before end */
} crn_knn_record;
#define CRN_KNN_WORDS 3u

/* An array that grows, or one that lies in a file. */
typedef struct crn_knn_array {
    const uint32_t *items;
    uint32_t *owned; /* NULL = it lies in a file, or is empty */
    size_t count, capacity;
} crn_knn_array;

typedef struct crn_knn {
    uint32_t wanted, cutoff, seed; /* parameters; `wanted` records */
    crn_knn_array problems, subgoals;
    uint64_t work; /* of the last build */
} crn_knn;

bool crn_knn_put(crn_knn_array *array, cairn_context *context, const uint32_t *items, size_t count);
/* Appends some items of another one. */
CRN_INLINE bool crn_knn_copy(crn_knn_array *array, cairn_context *context,
                             const crn_knn_array *from, size_t first, size_t count)
{
    return !count || crn_knn_put(array, context, from->items + first, count);
}
void crn_knn_free(crn_knn_array *array, cairn_context *context);

CRN_INLINE uint32_t crn_knn_count(const crn_knn *index)
{
    return (uint32_t)(index->problems.count / CRN_KNN_WORDS);
}

CRN_INLINE crn_knn_record crn_knn_at(const crn_knn *index, uint32_t record)
{
    const uint32_t *words = index->problems.items + (size_t)record * CRN_KNN_WORDS;
    return (crn_knn_record){words[0], words[1], words[2]};
}

/* Where the subgoals of a record begin. */
CRN_INLINE uint32_t crn_knn_first(const crn_knn *index, uint32_t record)
{
    return record ? crn_knn_at(index, record - 1).end : 0;
}

/* How far apart a record and a problem are. */
uint64_t crn_knn_distance(const crn_knn *index, const crn_grid_space *map, uint32_t record,
                          const cairn_cell problem[2]);

/* ---- look-up ---- */

typedef struct crn_knn_near {
    uint64_t distance;
    uint32_t record;
} crn_knn_near;

/* A part of the tree that is still to be looked at. */
typedef struct crn_knn_part {
    uint32_t first, end;
    uint32_t beyond; /* it is at least so many cells away */
    uint32_t depth;
} crn_knn_part;

typedef struct crn_knn_look {
    cairn_cell problem[2];
    uint32_t k, count;  /* wanted, and found so far: */
    crn_knn_near *near; /* ascending */
    uint32_t part_count;
    crn_knn_part parts[CRN_KNN_DEPTH];
} crn_knn_look;

/* `near` has room for k. */
void crn_knn_look_begin(const crn_knn *index, crn_knn_look *look);
/* Looks at no more than `records`. True = it is done. */
bool crn_knn_look_on(const crn_knn *index, const crn_grid_space *map, crn_knn_look *look,
                     uint32_t records);

/* ---- life ---- */

/* Finds the records (knn_build.c); there are none where `plain` does not hold. */
cairn_status crn_knn_build(crn_knn *index, const crn_grid_space *map, bool plain,
                           const cairn_progress *progress, cairn_error *error);
/* Puts records, in any order, into the order of the tree. False = no memory. */
bool crn_knn_order(crn_knn *index, const crn_grid_space *map);
/* Are they in this order? */
bool crn_knn_is_tree(const crn_knn *index, const crn_grid_space *map);
void crn_knn_drop(crn_knn *index, cairn_context *context);
size_t crn_knn_bytes(const crn_knn *index);
cairn_status crn_knn_save(const crn_knn *index, cairn_store *store, cairn_error *error);
cairn_status crn_knn_load(crn_knn *index, const crn_grid_space *map, const cairn_archive *archive,
                          bool borrow, cairn_error *error);

/* What is wrong with it, NULL = nothing. `whole`: climbs are tried too (builds with checks). */
const char *crn_knn_check(const crn_knn *index, const crn_grid_space *map, bool whole);

#endif
