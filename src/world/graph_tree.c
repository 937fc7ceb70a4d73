/* graph_tree.c: which waypoint is nearest to a position.
 *
 * A k-d tree without pointers: an array of node numbers in which the middle one of a piece splits
 * the piece, by x on even levels and by y on odd ones. It costs four bytes a waypoint, is built
 * once with the graph and never touched again, so any number of threads may ask.
 *
 * Answers are exact, not nearly so: a piece is left out only if the line that splits it off is
 * farther than the best so far *by the same rounded arithmetic* that measures the points. Rounding
 * never turns an order around (if |a| ≤ |b| then also after rounding, squaring and adding), so the
 * result is what a look at every single point with the same arithmetic gives, ties going to the
 * lowest number.
 */
#include "world/graph.h"
#include <math.h>

/* ---- measuring ---- */

/* A squared distance. Squares of very long or very short distances do not fit a double, so these
 * are scaled by a power of two, and `range` tells the three kinds apart. */
typedef struct tree_distance {
    int range;
    double square;
} tree_distance;

#define TREE_HUGE 0x1p1000
#define TREE_TINY 0x1p-900

static tree_distance tree_measure(double ax, double ay, double bx, double by)
{
    double dx = ax - bx, dy = ay - by;
    double plain = dx * dx + dy * dy;
    tree_distance distance = {1, plain};
    if (plain > TREE_HUGE) {
        /* Halved first, as the difference of two large numbers may not fit either. */
        dx = (ax * 0.5 - bx * 0.5) * 0x1p-599;
        dy = (ay * 0.5 - by * 0.5) * 0x1p-599;
        distance.range = 2;
        distance.square = dx * dx + dy * dy;
    } else if (plain < TREE_TINY) {
        dx *= 0x1p600;
        dy *= 0x1p600;
        distance.range = 0;
        distance.square = dx * dx + dy * dy;
    }
    return distance;
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
    bool by_y;
} tree_order;

/* By coordinate, then by number: no two nodes are equal, so many at one place do no harm. */
static bool tree_less(const tree_order *order, uint32_t a, uint32_t b)
{
    double ka = order->by_y ? order->positions[a].y : order->positions[a].x;
    double kb = order->by_y ? order->positions[b].y : order->positions[b].x;
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

/* A piece of the tree still to be done, and for queries how far away it is at least. */
typedef struct tree_piece {
    uint32_t begin, end;
    bool by_y;
    tree_distance distance;
} tree_piece;

/* Pieces halve with every level, and one waits at each. */
#define TREE_LEVELS 34

void crn_graph_tree_build(cairn_graph *graph)
{
    uint32_t count = graph->node_count, *tree = graph->tree;
    for (uint32_t i = 0; i < count; i++) tree[i] = i;
    crn_rng rng = {1};
    tree_piece stack[TREE_LEVELS];
    uint32_t height = 0;
    stack[height++] = (tree_piece){0, count, false, {0, 0}};
    while (height) {
        tree_piece piece = stack[--height];
        if (piece.end - piece.begin < 2) continue;
        uint32_t middle = piece.begin + (piece.end - piece.begin) / 2;
        tree_order order = {graph->positions, piece.by_y};
        tree_select(&order, tree + piece.begin, piece.end - piece.begin, middle - piece.begin,
                    &rng);
        stack[height++] = (tree_piece){middle + 1, piece.end, !piece.by_y, {0, 0}};
        stack[height++] = (tree_piece){piece.begin, middle, !piece.by_y, {0, 0}};
        CRN_CHECK(graph->context, height <= TREE_LEVELS);
    }
}

/* ---- asking ---- */

cairn_node crn_graph_tree_nearest(const cairn_graph *graph, cairn_position position)
{
    cairn_node best = CAIRN_NO_NODE;
    tree_distance best_distance = {3, 0}; /* longer than any */
    tree_piece stack[TREE_LEVELS];
    uint32_t height = 0;
    stack[height++] = (tree_piece){0, graph->node_count, false, {0, 0}};
    while (height) {
        tree_piece piece = stack[--height];
        /* Equally far is worth a look: a lower number may be there. */
        if (piece.begin == piece.end || tree_compare(piece.distance, best_distance) > 0) continue;
        uint32_t middle = piece.begin + (piece.end - piece.begin) / 2;
        cairn_node node = graph->tree[middle];
        cairn_position point = graph->positions[node];
        tree_distance distance = tree_measure(point.x, point.y, position.x, position.y);
        int compared = tree_compare(distance, best_distance);
        if (compared < 0 || (compared == 0 && node < best)) {
            best = node;
            best_distance = distance;
        }
        tree_distance line = piece.by_y ? tree_measure(0, point.y, 0, position.y)
                                        : tree_measure(point.x, 0, position.x, 0);
        bool before = piece.by_y ? position.y < point.y : position.x < point.x;
        tree_piece left = {piece.begin, middle, !piece.by_y, before ? piece.distance : line};
        tree_piece right = {middle + 1, piece.end, !piece.by_y, before ? line : piece.distance};
        stack[height++] = before ? right : left; /* the side we are not on waits */
        stack[height++] = before ? left : right;
        CRN_CHECK(graph->context, height <= TREE_LEVELS);
    }
    return best;
}
