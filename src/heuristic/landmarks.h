/* landmarks.h: distances from a few nodes to all others, and what they say about the path from one
 * node to another.
 *
 * Let D(n) be the least cost from a landmark to n. Going from n to a goal t cannot cost less than
 * D(t) − D(n): else the path over n would reach t for less than D(t). That is the estimate in
 * spaces of any kind. Where no edge a → b costs less than D(a) − D(b) either, D changes along a
 * path by no more than the path costs, in both directions, and the estimate is |D(t) − D(n)|. The
 * build looks at every edge to find out (`both`): so it is on plain grids and on graphs whose edges
 * lead in both directions.
 *
 * What is stored is q(n) = ⌊D(n) / 2^shift⌋ in 16 bits, or CRN_LANDMARK_FAR for nodes that the
 * landmark does not reach, or only for 65535 · 2^16 units and more. D(t) − D(n) > (q(t) − q(n) − 1)
 * · 2^shift, and both sides are whole numbers, so
 *
 *     (q(t) − q(n) − 1) · 2^shift + 1     if q(t) > q(n), else 0
 *
 * never exceeds it, and with shift = 0 it is exact. What is rounded away may make the estimate
 * inconsistent by less than 2^shift, a 32,767th of the largest distance at most; searches reopen,
 * so their answers stay exact.
 *
 * Far nodes need no care. With `both` no edge joins reached and far nodes: between them there is no
 * path, and any estimate is right. Without it: if only n is far the difference is negative, the
 * estimate 0; if only t is far, either n does not lead to it, or D(t) ≥ 65535 · 2^16 ≥
 * CRN_LANDMARK_FAR · 2^shift, and what is computed is still less than D(t) − D(n).
 *
 * When the world changes. All of this needs two things of D: that no edge raises it by more than it
 * costs (and with `both`, lowers it by more), and that no edge leads from a reached node to a far
 * one. Both stay true when edges vanish or become more expensive than they were when the table was
 * computed. So after such changes it goes on serving, as it is; and so it does when they are taken
 * back, which is why it is remembered what changed cells were (of as many as there is room for: of
 * the others only what they are now, which is no looser).
 *
 * Sources: Goldberg and Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory",
 * 2005 (ALT); Sturtevant, Felner, Barrer, Schaeffer and Burch, "Memory-Based Heuristics for
 * Explicit State Spaces", 2009 (differential heuristics), reference 112 of the thesis of B.
 * Anguelov, section 5.3.2.
 */
#ifndef CRN_LANDMARKS_H
#define CRN_LANDMARKS_H

#include "heuristic/heuristic.h"
#include <cairn/planner.h>

#define CRN_LANDMARKS_MAX 8u
#define CRN_LANDMARKS_SHIFT_MAX 16u
#define CRN_LANDMARK_FAR UINT16_MAX

/* A cell that changed, as it was when the table was computed, or no looser. */
typedef struct crn_landmarks_cell {
    cairn_node node;
    cairn_cell_state built;
} crn_landmarks_cell;

typedef struct crn_landmarks {
    const uint16_t *table; /* `count` for each node, side by side; NULL = not built */
    uint16_t *owned;       /* the same, or NULL if it is borrowed */
    uint32_t node_count, count, shift;
    /* distances differ by no more than edges cost in either direction */
    bool both;
    cairn_cost steep;                    /* along no edge does a distance fall by more */
    cairn_node nodes[CRN_LANDMARKS_MAX]; /* CAIRN_NO_NODE: there was no place for it, all are far */
    crn_landmarks_cell *changed;         /* ascending by node */
    size_t changed_count, changed_capacity;
} crn_landmarks;

/* Returns the plug: the larger of the landmarks' and the metric's estimate. */
crn_heuristic crn_landmarks_heuristic(const crn_landmarks *landmarks);

/* Chooses `count` landmarks and computes the table; on failure there is none. */
cairn_status crn_landmarks_build(crn_landmarks *landmarks, cairn_space *space, uint32_t count,
                                 const cairn_progress *progress, cairn_error *error);
void crn_landmarks_drop(crn_landmarks *landmarks, cairn_context *context);
size_t crn_landmarks_bytes(const crn_landmarks *landmarks);

/* Returns whether the table is still right after all commits since version `since`. False if a cell
 * was opened or made cheaper than it was when the table was computed, if links changed, or if the
 * grid has forgotten a commit. */
bool crn_landmarks_refresh(crn_landmarks *landmarks, const cairn_space *space, uint64_t since);

cairn_status crn_landmarks_save(const crn_landmarks *landmarks, cairn_store *store,
                                cairn_error *error);
typedef struct crn_landmarks_source {
    const cairn_archive *archive;
    bool borrow; /* the table stays where it is */
} crn_landmarks_source;
cairn_status crn_landmarks_load(crn_landmarks *landmarks, const cairn_space *space, uint32_t count,
                                crn_landmarks_source source, cairn_error *error);

/* Shows each landmark as a level: the nodes that it reaches, in rings of CRN_LANDMARKS_RINGS equal
 * parts of its largest distance, and the landmark itself. */
#define CRN_LANDMARKS_RINGS 16u
void crn_landmarks_overlay(const crn_landmarks *landmarks, const cairn_space *space, uint32_t level,
                           const cairn_overlay_sink *sink);

#endif
