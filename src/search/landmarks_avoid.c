/* landmarks_avoid.c: where the next landmark helps most.
 *
 * A landmark gives exact estimates for paths that lie on its own shortest paths, behind the start
 * or the goal. So the next one should lie behind many nodes whose estimates are poor. A tree of
 * shortest paths from a root tells which nodes lie behind which: the weight of a node is what its
 * distance from the root exceeds the present estimate by, and the size of a node the sum of the
 * weights in its subtree, or 0 if a landmark lies in it. From the node of the largest size a path
 * leads down to a leaf, to the child of the largest size each time: that leaf is the landmark. The
 * choice depends much on the root, so several are tried, and the largest size decides.
 *
 * Source: Goldberg and Werneck, "Computing Point-to-Point Shortest Paths from External Memory",
 * 2005 (avoid).
 */
#include "heuristic/landmarks.h"
#include "search/best_first.h"

#define AVOID_COVERED UINT64_MAX /* the size of a node with a landmark behind it */

/* The tree of shortest paths. */
typedef struct avoid_tree {
    cairn_node *parents; /* CAIRN_NO_NODE: of the root, and of nodes that are not reached */
    cairn_node *best;    /* the child of the largest size; CAIRN_NO_NODE: there is none */
    uint32_t *open;      /* children whose sizes are not yet known */
    uint64_t *sizes;
} avoid_tree;

static void avoid_free(avoid_tree *tree, const cairn_space *space)
{
    size_t bytes = crn_mul_size(space->node_count, sizeof *tree->parents);
    crn_free(space->context, tree->parents, bytes);
    crn_free(space->context, tree->best, bytes);
    crn_free(space->context, tree->open, bytes);
    crn_free(space->context, tree->sizes, crn_mul_size(space->node_count, sizeof *tree->sizes));
}

static bool avoid_allocate(avoid_tree *tree, const cairn_space *space)
{
    size_t bytes = crn_mul_size(space->node_count, sizeof *tree->parents);
    tree->parents = crn_alloc(space->context, bytes);
    tree->best = crn_alloc(space->context, bytes);
    tree->open = crn_alloc_zero(space->context, bytes);
    tree->sizes =
        crn_alloc_zero(space->context, crn_mul_size(space->node_count, sizeof *tree->sizes));
    return tree->parents && tree->best && tree->open && tree->sizes;
}

/* What the estimate from the root to a node lacks. */
static uint64_t avoid_weight(const crn_landmarks_tree *from, cairn_node node)
{
    const crn_estimate *estimate = &from->estimate;
    uint64_t known = crn_estimate_node(estimate, node);
    return from->distances[node] > known ? from->distances[node] - known : 0;
}

static void avoid_grow(avoid_tree *tree, const crn_landmarks_tree *from)
{
    const crn_landmarks *landmarks = from->landmarks;
    for (cairn_node node = 0; node < landmarks->node_count; node++) {
        tree->parents[node] = tree->best[node] = CAIRN_NO_NODE;
        if (from->distances[node] == CAIRN_NO_COST) continue;
        tree->parents[node] = crn_best_first_before(from->search, node);
        if (tree->parents[node] != CAIRN_NO_NODE) tree->open[tree->parents[node]]++;
        tree->sizes[node] = avoid_weight(from, node);
    }
    for (uint32_t i = 0; i < landmarks->count; i++) {
        if (landmarks->nodes[i] != CAIRN_NO_NODE) tree->sizes[landmarks->nodes[i]] = AVOID_COVERED;
    }
}

/* The size of a node is known: adds it to its parent's. Returns the parent if that makes its size
 * known. */
static cairn_node avoid_settle(avoid_tree *tree, cairn_node node)
{
    cairn_node parent = tree->parents[node];
    if (parent == CAIRN_NO_NODE) return parent;
    uint64_t *size = &tree->sizes[parent];
    if (tree->sizes[node] == AVOID_COVERED) {
        *size = AVOID_COVERED;
    } else {
        cairn_node best = tree->best[parent];
        if (*size != AVOID_COVERED) *size += tree->sizes[node];
        if (best == CAIRN_NO_NODE || tree->sizes[best] < tree->sizes[node])
            tree->best[parent] = node;
    }
    if (--tree->open[parent]) return CAIRN_NO_NODE;
    tree->open[parent] = 1; /* not again */
    return parent;
}

/* From the leaves up: a node's size is known when those of its children are. */
static void avoid_measure(avoid_tree *tree, uint32_t node_count)
{
    for (cairn_node leaf = 0; leaf < node_count; leaf++) {
        if (tree->open[leaf]) continue;
        tree->open[leaf] = 1;
        for (cairn_node node = leaf; node != CAIRN_NO_NODE;) node = avoid_settle(tree, node);
    }
}

static void avoid_choose(const avoid_tree *tree, uint32_t node_count, crn_landmarks_choice *choice)
{
    cairn_node top = CAIRN_NO_NODE;
    for (cairn_node node = 0; node < node_count; node++) {
        if (tree->sizes[node] == AVOID_COVERED || tree->sizes[node] <= choice->size) continue;
        choice->size = tree->sizes[node];
        top = node;
    }
    if (top == CAIRN_NO_NODE) return;
    while (tree->best[top] != CAIRN_NO_NODE) top = tree->best[top];
    choice->node = top;
}

cairn_status crn_landmarks_avoid(const crn_landmarks_tree *from, crn_landmarks_choice *choice)
{
    avoid_tree tree = {0};
    bool enough = avoid_allocate(&tree, from->space);
    if (enough) {
        avoid_grow(&tree, from);
        avoid_measure(&tree, from->landmarks->node_count);
        avoid_choose(&tree, from->landmarks->node_count, choice);
    }
    avoid_free(&tree, from->space);
    return enough ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}
