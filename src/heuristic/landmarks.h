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
 * A query uses the few landmarks that say most about the cost from its start to its goal, each in
 * the direction in which it says it: D(t) − D(n), or D(n) − D(t). The others seldom say more
 * anywhere between the two. So the distances of each landmark are a column of the table. Searches
 * wait mostly for memory here. So on grids a cache line holds a column's block of 4×4 cells, and
 * blocks form the tiles of 16×16 cells that searches keep their records by. When a search enters a
 * tile, all of its lines are read ahead. Without that, queries of 512×512 cells took 1.35 times as
 * long; with all distances of a cell side by side, row by row, twice.
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

#define CRN_LANDMARKS_TILE 256u /* cells */

/* Columns of a query: the landmarks that it uses, or fewer. Where there are not as many, the best
 * one is repeated. Of eight landmarks five expand 0.262 of what A* does on ten maps of room (50
 * queries each, asked once), six 0.256 and eight 0.252; the times are 0.40, 0.42 and 0.47 of
 * A*'s. */
#define CRN_LANDMARKS_USED 6u
#define CRN_LANDMARKS_FEW 4u

/* A cell that changed, as it was when the table was computed, or no looser. */
typedef struct crn_landmarks_cell {
    cairn_node node;
    cairn_cell_state built;
} crn_landmarks_cell;

typedef struct crn_landmarks {
    const cairn_cost *table; /* a column for each landmark; NULL = not built */
    cairn_cost *owned;       /* the same, or NULL if it is borrowed */
    uint32_t slip;           /* bytes in front of it, as it begins a cache line */
    uint32_t node_count, count;
    uint32_t width;     /* of the grid whose tiles columns consist of; 0 = they are by node */
    size_t column_size; /* distances in a column: there are whole tiles */
    /* distances differ by no more than edges cost in either direction */
    bool both;
    cairn_cost steep; /* along no edge does a distance fall by more */
    cairn_node
        nodes[CRN_LANDMARKS_TRIED]; /* CAIRN_NO_NODE: there was no place for it, all are far */
    crn_landmarks_cell *changed;    /* ascending by node */
    size_t changed_count, changed_capacity;
    uint64_t work; /* of the last build */
} crn_landmarks;

/* The order of the cells of a tile of 16×16: blocks of 4×4, row by row, and so their cells. */
extern const uint8_t crn_landmarks_blocks[256];

/* Returns where a column has the distance of a node. */
static inline size_t crn_landmarks_at(const crn_landmarks *landmarks, cairn_node node)
{
    if (!landmarks->width) return node;
    uint32_t x = node % landmarks->width, y = node / landmarks->width;
    size_t tile = (size_t)(y / 16) * ((landmarks->width + 15) / 16) + x / 16;
    return tile << 8 | crn_landmarks_blocks[y % 16 * 16 + x % 16];
}

static inline const cairn_cost *crn_landmarks_column(const crn_landmarks *landmarks, uint32_t i)
{
    return landmarks->table + i * landmarks->column_size;
}

static inline cairn_cost crn_landmarks_distance(const crn_landmarks *landmarks, cairn_node node,
                                                uint32_t i)
{
    return crn_landmarks_column(landmarks, i)[crn_landmarks_at(landmarks, node)];
}

/* Returns what the distance at this place of a column says. */
CRN_INLINE int64_t crn_landmarks_bound(const crn_estimate_column *column, size_t at)
{
    return ((int64_t)column->numbers[at] - column->end) ^ column->flip;
}

/* Do the columns of a grid's landmarks refine an estimate, bound forward, and do they have
 * `both`? */
bool crn_landmarks_tiled(const crn_estimate *estimate);

/* The same estimate will soon be asked for cells of a tile: reads all that it needs for them from
 * memory, without waiting for it. */
void crn_landmarks_read_ahead(const crn_estimate *estimate, uint32_t tile);

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
