/* graph_tree.c: which waypoint is nearest to a position.
 *
 * A k-d tree without pointers: an array of node numbers in which the middle one of a piece splits
 * the piece, by x, y, x, y, … from level to level, and if some z is not 0, by x, y, z, x, …. (Where
 * all z are 0 they split nothing, but the height of the position that is asked for still counts: it
 * adds the same to all distances.) It costs four bytes a waypoint, is built once with the graph and
 * never touched again, so any number of threads may ask.
 *
 * Answers are exact, not nearly so: a piece is left out only if the line that splits it off is
 * farther than the best so far *by the same rounded arithmetic* that measures the points. Rounding
 * never turns an order around (if |a| ≤ |b| then also after rounding, squaring and adding), so the
 * result is what a look at every single point with the same arithmetic gives, ties going to the
 * lowest number. So where many points are equally far, as those of a circle from its centre, it
 * looks at all of them: a walk can be interrupted after any number of looks.
 */
#include "world/graph.h"
#include <math.h>

/* ---- measuring ---- */

typedef crn_tree_distance tree_distance;
typedef crn_tree_piece tree_piece;

#define TREE_HUGE 0x1p1000
#define TREE_TINY 0x1p-900

static tree_distance tree_measure(cairn_position a, cairn_position b)
{
    double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    double plain = dx * dx + dy * dy + dz * dz;
    tree_distance distance = {1, plain};
    if (plain > TREE_HUGE) {
        /* Halved first, as the difference of two large numbers may not fit either. */
        dx = (a.x * 0.5 - b.x * 0.5) * 0x1p-599;
        dy = (a.y * 0.5 - b.y * 0.5) * 0x1p-599;
        dz = (a.z * 0.5 - b.z * 0.5) * 0x1p-599;
        distance.range = 2;
        distance.square = dx * dx + dy * dy + dz * dz;
    } else if (plain < TREE_TINY) {
        dx *= 0x1p600;
        dy *= 0x1p600;
        dz *= 0x1p600;
        distance.range = 0;
        distance.square = dx * dx + dy * dy + dz * dz;
    }
    return distance;
}

typedef crn_tree_axis tree_axis;

static tree_axis tree_next_axis(const cairn_graph *graph, tree_axis axis)
{
    tree_axis last = graph->tall ? CRN_TREE_Z : CRN_TREE_Y;
    return axis == last ? CRN_TREE_X : (tree_axis)(axis + 1);
}

static double tree_coordinate(cairn_position position, tree_axis axis)
{
    return axis == CRN_TREE_X ? position.x : axis == CRN_TREE_Y ? position.y : position.z;
}

/* How far a position is from the plane through a point that splits a piece. */
static tree_distance tree_measure_split(cairn_position point, cairn_position position,
                                        tree_axis axis)
{
    cairn_position a = {tree_coordinate(point, axis), 0, 0},
                   b = {tree_coordinate(position, axis), 0, 0};
    return tree_measure(a, b);
}

/* < 0, 0, > 0: a is shorter than, as long as, longer than b. */
static int tree_compare(tree_distance a, tree_distance b)
{
    if (a.range != b.range) return a.range < b.range ? -1 : 1;
    return a.square < b.square ? -1 : a.square > b.square;
}

/* ---- building ---- */

typedef struct tree_order {
    const cairn_position *positions;
    tree_axis axis;
} tree_order;

/* By coordinate, then by number: no two nodes are equal, so many at one place do no harm. */
static bool tree_less(const tree_order *order, uint32_t a, uint32_t b)
{
    double ka = tree_coordinate(order->positions[a], order->axis);
    double kb = tree_coordinate(order->positions[b], order->axis);
    return ka < kb || (ka == kb && a < b);
}

static void tree_swap(uint32_t *a, uint32_t *b)
{
    uint32_t t = *a;
    *a = *b;
    *b = t;
}

/* Puts the element that belongs at `middle` there, smaller ones before it, larger ones behind
 * (quickselect, Hoare 1961). The pivot is drawn with a fixed seed: no order of
 * points that a file is likely to have makes it slow, and the tree is the same everywhere. */
static void tree_select(const tree_order *order, uint32_t *tree, uint32_t count, uint32_t middle,
                        crn_rng *rng)
{
    uint32_t low = 0, high = count; /* [low, high) holds `middle` */
    while (high - low > 1) {
        tree_swap(&tree[low], &tree[low + crn_rng_below(rng, high - low)]);
        uint32_t pivot = tree[low], place = low;
        for (uint32_t i = low + 1; i < high; i++) {
            if (tree_less(order, tree[i], pivot)) tree_swap(&tree[++place], &tree[i]);
        }
        tree_swap(&tree[low], &tree[place]);
        if (place == middle) return;
        if (place < middle) {
            low = place + 1;
        } else {
            high = place;
        }
    }
}

void crn_graph_tree_build(cairn_graph *graph)
{
    uint32_t count = graph->node_count, *tree = graph->tree;
    for (uint32_t i = 0; i < count; i++) tree[i] = i;
    crn_rng rng = {1};
    tree_piece stack[CRN_TREE_LEVELS];
    uint32_t height = 0;
    stack[height++] = (tree_piece){0, count, CRN_TREE_X, {0, 0}};
    while (height) {
        tree_piece piece = stack[--height];
        if (piece.end - piece.begin < 2) continue;
        uint32_t middle = piece.begin + (piece.end - piece.begin) / 2;
        tree_axis next = tree_next_axis(graph, piece.axis);
        tree_order order = {graph->positions, piece.axis};
        tree_select(&order, tree + piece.begin, piece.end - piece.begin, middle - piece.begin,
                    &rng);
        stack[height++] = (tree_piece){middle + 1, piece.end, next, {0, 0}};
        stack[height++] = (tree_piece){piece.begin, middle, next, {0, 0}};
        CRN_CHECK(graph->context, height <= CRN_TREE_LEVELS);
    }
}

/* ---- asking ---- */

void crn_graph_tree_begin(const cairn_graph *graph, cairn_position position, bool open,
                          crn_tree_walk *walk)
{
    walk->position = position;
    walk->open = open;
    walk->best = CAIRN_NO_NODE;
    walk->distance = (tree_distance){3, 0}; /* longer than any */
    walk->height = graph->positions && crn_graph_finite(position);
    walk->stack[0] = (tree_piece){0, graph->node_count, CRN_TREE_X, {0, 0}};
}

/* The node in the middle of a piece. */
static void tree_consider(const cairn_graph *graph, cairn_node node, crn_tree_walk *walk)
{
    tree_distance distance = tree_measure(graph->positions[node], walk->position);
    int compared = tree_compare(distance, walk->distance);
    bool nearer = compared < 0 || (compared == 0 && node < walk->best);
    if (!nearer || (walk->open && !cairn_graph_node_open(graph, node))) return;
    walk->best = node;
    walk->distance = distance;
}

bool crn_graph_tree_go_on(const cairn_graph *graph, crn_tree_walk *walk, uint32_t *looks)
{
    const cairn_position position = walk->position;
    for (; walk->height && *looks; --*looks) {
        tree_piece piece = walk->stack[--walk->height];
        /* Equally far pieces count: a lower number may be there. */
        if (piece.begin == piece.end || tree_compare(piece.distance, walk->distance) > 0) continue;
        uint32_t middle = piece.begin + (piece.end - piece.begin) / 2;
        tree_consider(graph, graph->tree[middle], walk);
        cairn_position point = graph->positions[graph->tree[middle]];
        tree_distance split = tree_measure_split(point, position, piece.axis);
        tree_axis next = tree_next_axis(graph, piece.axis);
        bool before = tree_coordinate(position, piece.axis) < tree_coordinate(point, piece.axis);
        tree_piece left = {piece.begin, middle, next, before ? piece.distance : split};
        tree_piece right = {middle + 1, piece.end, next, before ? split : piece.distance};
        walk->stack[walk->height++] = before ? right : left; /* the side we are not on waits */
        walk->stack[walk->height++] = before ? left : right;
        CRN_CHECK(graph->context, walk->height <= CRN_TREE_LEVELS);
    }
    return walk->height == 0;
}
