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
 * Distances are stored exactly, in 32 bits. Rounded ones would take less memory, but a bound that
 * is a little too small does much harm: where many paths cost the same, as they do on grids, all
 * nodes of all these paths then promise less than the goal costs, and each must be expanded. Four
 * exact distances save as much as eight that are rounded to 16 bits.
 *
 * Far nodes, CRN_LANDMARK_FAR, are those that the landmark does not reach, or only for more than 32
 * bits hold. They need no care. With `both` no edge joins reached and far nodes: between them there
 * is no path, and any estimate is right. Without it: if only n is far the difference is negative,
 * the estimate 0; if only t is far, either n does not lead to it, or D(t) ≥ CRN_LANDMARK_FAR, and
 * what is computed is no more than D(t) − D(n). D changes along an edge by no more than it costs
 * (in its direction, or with `both` in either), so the estimate is consistent.
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
#define CRN_LANDMARKS_TRIED (2 * CRN_LANDMARKS_MAX) /* of which the best are kept */
#define CRN_LANDMARK_FAR CAIRN_NO_COST

/* A cell that changed, as it was when the table was computed, or no looser. */
typedef struct crn_landmarks_cell {
    cairn_node node;
    cairn_cell_state built;
} crn_landmarks_cell;

typedef struct crn_landmarks {
    const cairn_cost *table; /* `count` for each node, side by side; NULL = not built */
    cairn_cost *owned;       /* the same, or NULL if it is borrowed */
    uint32_t node_count, count;
    /* distances differ by no more than edges cost in either direction */
    bool both;
    cairn_cost steep; /* along no edge does a distance fall by more */
    cairn_node
        nodes[CRN_LANDMARKS_TRIED]; /* CAIRN_NO_NODE: there was no place for it, all are far */
    crn_landmarks_cell *changed;    /* ascending by node */
    size_t changed_count, changed_capacity;
} crn_landmarks;

/* Returns the largest difference between two rows of distances. The lengths that matter most go
 * four at a time where the compiler has vectors. */
CRN_INLINE cairn_cost crn_landmarks_apart(const cairn_cost *a, const cairn_cost *b, uint32_t count)
{
    cairn_cost most = 0;
    for (uint32_t i = 0; i < count; i++) {
        cairn_cost apart = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        most = apart > most ? apart : most;
    }
    return most;
}

#if defined(__GNUC__)
typedef int32_t crn_landmarks_four __attribute__((vector_size(16)));

/* Four distances. Comparisons are signed, so the highest bit is flipped. */
CRN_INLINE crn_landmarks_four crn_landmarks_row(const cairn_cost *row)
{
    crn_landmarks_four four;
    memcpy(&four, row, sizeof four);
    return four ^ INT32_MIN;
}

CRN_INLINE crn_landmarks_four crn_landmarks_differ(const cairn_cost *a, const cairn_cost *b)
{
    typedef uint32_t words __attribute__((vector_size(16)));
    crn_landmarks_four first = crn_landmarks_row(a), second = crn_landmarks_row(b);
    words less = (words)(first < second), difference = (words)first - (words)second;
    return (crn_landmarks_four)(((difference ^ less) - less) ^ 0x80000000u);
}

CRN_INLINE cairn_cost crn_landmarks_highest(crn_landmarks_four four)
{
    int32_t low = four[0] > four[1] ? four[0] : four[1],
            high = four[2] > four[3] ? four[2] : four[3];
    return (cairn_cost)(low > high ? low : high) ^ 0x80000000u;
}

CRN_INLINE cairn_cost crn_landmarks_apart_4(const cairn_cost *a, const cairn_cost *b)
{
    return crn_landmarks_highest(crn_landmarks_differ(a, b));
}

CRN_INLINE cairn_cost crn_landmarks_apart_8(const cairn_cost *a, const cairn_cost *b)
{
    crn_landmarks_four first = crn_landmarks_differ(a, b),
                       second = crn_landmarks_differ(a + 4, b + 4), more = first > second;
    return crn_landmarks_highest((first & more) | (second & ~more));
}
#else
#define crn_landmarks_apart_4(a, b) crn_landmarks_apart(a, b, 4)
#define crn_landmarks_apart_8(a, b) crn_landmarks_apart(a, b, 8)
#endif

/* Returns the landmarks that refine an estimate, or NULL if none do, it is bound backward, or they
 * lack `both`. */
const crn_landmarks *crn_landmarks_of(const crn_estimate *estimate);

/* Returns the plug: the larger of the landmarks' and the metric's estimate. */
crn_heuristic crn_landmarks_heuristic(const crn_landmarks *landmarks);

/* The same with one landmark for each node, as a hash of the node chooses: as cheap as a single
 * one for all, and together they tell more. But neighbours ask different ones, so it is not
 * consistent; with bidirectional pathmax what one of them knows helps the others. (Felner,
 * Zahavi, Holte, Schaeffer, Sturtevant and Zhang, "Inconsistent Heuristics in Theory and
 * Practice", 2011.) */
crn_heuristic crn_landmarks_heuristic_of_one(const crn_landmarks *landmarks);

/* How landmarks are chosen. */
typedef enum crn_landmarks_place {
    CRN_LANDMARKS_FARTHEST, /* far from each other */
    CRN_LANDMARKS_AVOID,    /* where estimates lack most (landmarks_avoid.c) */
    CRN_LANDMARKS_BEST      /* of twice as many far from each other, those that tell most */
} crn_landmarks_place;

/* The shortest paths from a node, and what estimates say of them. */
typedef struct crn_landmarks_tree {
    const crn_landmarks *landmarks; /* those that are chosen already */
    const cairn_space *space;
    const cairn_search *search;  /* Dijkstra's from that node to all others */
    const cairn_cost *distances; /* by node; CAIRN_NO_COST = not reached */
    crn_estimate estimate;       /* of the cost from that node */
} crn_landmarks_tree;

/* The best next landmark so far, and how much it helps; CAIRN_NO_NODE and 0: none does. */
typedef struct crn_landmarks_choice {
    cairn_node node;
    uint64_t size;
} crn_landmarks_choice;

/* Replaces the choice if the tree has a better one. */
cairn_status crn_landmarks_avoid(const crn_landmarks_tree *from, crn_landmarks_choice *choice);

/* Chooses `count` landmarks and computes the table; on failure there is none. */
typedef struct crn_landmarks_plan {
    uint32_t count;
    crn_landmarks_place place;
} crn_landmarks_plan;
cairn_status crn_landmarks_build(crn_landmarks *landmarks, cairn_space *space,
                                 crn_landmarks_plan plan, const cairn_progress *progress,
                                 cairn_error *error);
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
