/* smastar.c: simplified memory-bounded A* (SMA*).
 *
 * A* that never holds more than `nodes` nodes. It grows a tree of paths from the start, one
 * successor at a time, always at the deepest of the nodes of least F. F is at first f = g + h, or
 * that of the parent if it is larger. When all successors of a node have been generated, its F
 * becomes the least of theirs, and so on up to the root: what was learned below a node is kept in
 * it. When there is no room for a successor, the shallowest of the leaves of largest F is dropped.
 * Its parent remembers the least F of those that it lost, and generates them again when nothing
 * better is left.
 *
 * Duplicates. A node of the world is in the tree at most once. Of two paths to it the cheaper one
 * stays; of equally cheap ones that of fewer steps; then that over the predecessor of the smaller
 * number. So there is one path to each node that nothing displaces, and the path to the goal that
 * is made of such nodes is always found: F of a node on it never exceeds its cost, whatever was
 * dropped. What is left out is not remembered: its F would only have been that of a worse path.
 *
 * A path fits if it has at most `nodes` nodes, both ends included. Longer ones are cut. Paths are
 * optimal if one of the cheapest fits. If not, another path that fits may be found, and its bound
 * says how much cheaper a longer one could be. (A path to a node that is shorter but more
 * expensive than another one is not kept, so this is not always the best that fits.) If none is
 * found because of that, the answer is CAIRN_OUT_OF_MEMORY. With at least as many nodes as the
 * world has every path fits.
 *
 * With enough memory it expands about what A* does, at a higher price for each node. With little,
 * it drops and generates again, in the worst case as IDA* does. So an `effort` ends the search.
 *
 * A unit of work generates one successor, or backs up F along a few nodes, or removes some of a
 * displaced part of the tree. The leaves to drop and the nodes to expand are two heaps that know
 * where each node is.
 *
 * Source: Russell, "Efficient Memory-Bounded Search Methods", 1992; thesis of B. Anguelov, section
 * 5.5. Russell's is for trees. The published steps do not say that a parent must remember the F of
 * what it lost; without that it would not know when to generate it again.
 */
#include "search/best_first.h"
#include "search/deepening.h"

#define SMASTAR_NONE UINT32_MAX
#define SMASTAR_NEVER UINT64_MAX

enum {
    SMASTAR_BLOCK = 256,
    SMASTAR_EDGES = 8,   /* for a unit of work */
    SMASTAR_LINKS = 128, /* the same of nodes that are backed up or removed */
    SMASTAR_CHAINS = 1024
};

/* The two heaps. */
enum { SMASTAR_OPEN, SMASTAR_LEAVES, SMASTAR_HEAPS };

typedef struct smastar_node {
    uint64_t f;               /* F, as above; SMASTAR_NEVER: nothing is to be found below */
    uint64_t forgotten, lost; /* least F of what was dropped: before this round, and in it */
    cairn_node node;
    cairn_cost g;
    uint32_t depth;
    uint32_t parent, child, before, after; /* in the tree; the last two are siblings */
    uint32_t edge;                         /* of the parent, that led here */
    uint32_t next_edge;                    /* the next one to be generated */
    uint32_t chained;                      /* the next in its chain */
    uint32_t at[SMASTAR_HEAPS];            /* its place in each heap, or SMASTAR_NONE */
    bool complete;                         /* all successors have been generated once */
    bool is_goal;
    bool inherits; /* F was that of its parent when it was generated */
} smastar_node;

typedef struct smastar_search {
    cairn_search *search;
    crn_estimate estimate;
    smastar_node **blocks;
    size_t block_count, block_capacity;
    uint32_t *heaps[SMASTAR_HEAPS];
    size_t heap_capacity[SMASTAR_HEAPS];
    uint32_t heap_count[SMASTAR_HEAPS];
    uint32_t *chains; /* of nodes by number */
    uint32_t limit;   /* of nodes in memory */
    uint32_t count, used, spare;
    uint32_t doomed_at;
    uint32_t doomed;               /* a part of the tree that is being removed, or SMASTAR_NONE */
    uint32_t backed, backed_child; /* the node that is being backed up, and how far */
    uint64_t backed_least;         /* least F of its children so far */
    uint32_t later;                /* is to be backed up next */
    cairn_cost most;               /* paths that cost more are ignored */
    bool admissible;               /* f never exceeds the cost of the path it promises ... */
    bool bounded;                  /* ... and there is a limit of cost */
    uint64_t effort, cut;          /* cut: least f of what did not fit */
    uint64_t work, expanded, generated, pushes;
    bool overflowed;
    uint32_t goal;
    uint32_t best;       /* the best end of a partial path, if it is in memory, ... */
    cairn_node best_end; /* ... which node that is, ... */
    cairn_cost best_cost;
    cairn_node *path; /* ... and a copy of the path to it if it is not */
    size_t path_capacity;
    uint32_t path_count;
} smastar_search;

/* ---- nodes ---- */

CRN_INLINE smastar_node *smastar_at(const smastar_search *s, uint32_t i)
{
    return &s->blocks[i / SMASTAR_BLOCK][i % SMASTAR_BLOCK];
}

CRN_INLINE uint32_t *smastar_chain(const smastar_search *s, cairn_node node)
{
    return &s->chains[node * 2654435761u >> 22];
}

/* Where a node of the world is in the tree, or SMASTAR_NONE. */
static uint32_t smastar_look_up(const smastar_search *s, cairn_node node)
{
    uint32_t i = *smastar_chain(s, node);
    while (i != SMASTAR_NONE && smastar_at(s, i)->node != node) i = smastar_at(s, i)->chained;
    return i;
}

static bool smastar_add_block(smastar_search *s)
{
    void *blocks = s->blocks;
    crn_scratch *scratch = &s->search->memory;
    if (!crn_scratch_grow(scratch, &blocks, &s->block_capacity, s->block_count + 1,
                          sizeof *s->blocks))
        return false;
    s->blocks = blocks;
    smastar_node *block = crn_scratch_alloc(scratch, SMASTAR_BLOCK * sizeof *block);
    if (!block) return false;
    s->blocks[s->block_count++] = block;
    return true;
}

/* Room for one node more in a heap. */
static bool smastar_grow_heap(smastar_search *s, uint32_t kind)
{
    void *heap = s->heaps[kind];
    if (!crn_scratch_grow(&s->search->memory, &heap, &s->heap_capacity[kind],
                          s->heap_count[kind] + 1, sizeof *s->heaps[kind]))
        return false;
    s->heaps[kind] = heap;
    return true;
}

/* ---- heaps ---- */

/* To be expanded: least F, then deepest. To be dropped: largest F, then shallowest. */
static bool smastar_precedes(const smastar_search *s, uint32_t kind, uint32_t a, uint32_t b)
{
    const smastar_node *x = smastar_at(s, a), *y = smastar_at(s, b);
    bool open = kind == SMASTAR_OPEN;
    if (x->f != y->f) return (x->f < y->f) == open;
    if (x->depth != y->depth) return (x->depth > y->depth) == open;
    return a < b;
}

static void smastar_put(smastar_search *s, uint32_t kind, uint32_t place, uint32_t node)
{
    s->heaps[kind][place] = node;
    smastar_at(s, node)->at[kind] = place;
}

static void smastar_rise(smastar_search *s, uint32_t kind, uint32_t place, uint32_t node)
{
    while (place) {
        uint32_t above = (place - 1) / 2;
        if (!smastar_precedes(s, kind, node, s->heaps[kind][above])) break;
        smastar_put(s, kind, place, s->heaps[kind][above]);
        place = above;
    }
    smastar_put(s, kind, place, node);
}

static void smastar_sink(smastar_search *s, uint32_t kind, uint32_t place, uint32_t node)
{
    const uint32_t *heap = s->heaps[kind];
    uint32_t count = s->heap_count[kind];
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count && smastar_precedes(s, kind, heap[child + 1], heap[child])) child++;
        if (!smastar_precedes(s, kind, heap[child], node)) break;
        smastar_put(s, kind, place, heap[child]);
    }
    smastar_rise(s, kind, place, node);
}

/* False = no memory. */
static bool smastar_insert(smastar_search *s, uint32_t kind, uint32_t node)
{
    if (smastar_at(s, node)->at[kind] != SMASTAR_NONE) return true;
    if (!smastar_grow_heap(s, kind)) return false;
    if (kind == SMASTAR_OPEN) s->pushes++;
    smastar_rise(s, kind, s->heap_count[kind]++, node);
    return true;
}

static void smastar_remove(smastar_search *s, uint32_t kind, uint32_t node)
{
    uint32_t place = smastar_at(s, node)->at[kind];
    if (place == SMASTAR_NONE) return;
    smastar_at(s, node)->at[kind] = SMASTAR_NONE;
    uint32_t last = s->heaps[kind][--s->heap_count[kind]];
    if (last != node) smastar_sink(s, kind, place, last);
}

/* F has changed. */
static void smastar_replace(smastar_search *s, uint32_t node)
{
    for (uint32_t kind = 0; kind < SMASTAR_HEAPS; kind++) {
        uint32_t place = smastar_at(s, node)->at[kind];
        if (place != SMASTAR_NONE) smastar_sink(s, kind, place, node);
    }
}

/* ---- events ---- */

static void smastar_trace(const smastar_search *s, cairn_event_kind kind, uint32_t i)
{
    const smastar_node *n = smastar_at(s, i);
    cairn_node parent = n->parent == SMASTAR_NONE ? CAIRN_NO_NODE : smastar_at(s, n->parent)->node;
    crn_trace(s->search, kind, n->node, parent, n->g,
              crn_saturate(crn_estimate_node(&s->estimate, n->node)));
}

/* ---- partial paths ---- */

/* A node that was expanded: the best so far? */
static void smastar_consider(smastar_search *s, uint32_t i)
{
    cairn_search *search = s->search;
    const smastar_node *n = smastar_at(s, i);
    cairn_cost h = search->closest_h, g = search->closest_g;
    search->reached_goal = s->best_end;
    crn_closest_consider(search, n->node, n->g);
    bool better =
        search->closest_h != h || search->closest_g != g || search->reached_goal != s->best_end;
    search->reached_goal = CAIRN_NO_NODE;
    if (!better) return;
    s->best = i;
    s->best_end = n->node;
    s->best_cost = n->g;
}

/* The best end leaves the memory: copies the path to it, from its end to the start. */
static void smastar_copy_best(smastar_search *s)
{
    uint32_t i = s->best;
    void *path = s->path;
    s->best = SMASTAR_NONE;
    s->path_count = 0;
    if (!crn_scratch_grow(&s->search->memory, &path, &s->path_capacity,
                          smastar_at(s, i)->depth + 1u, sizeof *s->path))
        return;
    s->path = path;
    for (; i != SMASTAR_NONE; i = smastar_at(s, i)->parent)
        s->path[s->path_count++] = smastar_at(s, i)->node;
}

/* ---- the tree ---- */

/* Takes a node out of its parent's children. */
static void smastar_detach(smastar_search *s, uint32_t i)
{
    const smastar_node *n = smastar_at(s, i);
    smastar_node *p = smastar_at(s, n->parent);
    if (n->before != SMASTAR_NONE)
        smastar_at(s, n->before)->after = n->after;
    else
        p->child = n->after;
    if (n->after != SMASTAR_NONE) smastar_at(s, n->after)->before = n->before;
}

/* Makes a node a child of another, by the edge that is being generated there. */
static void smastar_attach(smastar_search *s, uint32_t parent, uint32_t i)
{
    smastar_node *n = smastar_at(s, i), *p = smastar_at(s, parent);
    n->parent = parent;
    n->edge = p->next_edge;
    n->before = SMASTAR_NONE;
    n->after = p->child;
    if (p->child != SMASTAR_NONE) smastar_at(s, p->child)->before = i;
    p->child = i;
    smastar_remove(s, SMASTAR_LEAVES, parent);
}

/* A fresh node below `parent`, in both heaps. SMASTAR_NONE = no memory. */
static uint32_t smastar_add(smastar_search *s, uint32_t parent, cairn_edge edge, uint64_t h)
{
    uint32_t i = s->spare;
    if (i == SMASTAR_NONE) {
        if (s->used == s->block_count * SMASTAR_BLOCK && !smastar_add_block(s)) return SMASTAR_NONE;
        i = s->used++;
    } else {
        s->spare = smastar_at(s, i)->chained;
    }
    smastar_node *n = smastar_at(s, i), *p = parent == SMASTAR_NONE ? NULL : smastar_at(s, parent);
    uint32_t *chain = smastar_chain(s, edge.node);
    *n = (smastar_node){.node = edge.node,
                        .g = p ? p->g + edge.cost : 0,
                        .depth = p ? p->depth + 1 : 0,
                        .forgotten = SMASTAR_NEVER,
                        .lost = SMASTAR_NEVER,
                        .parent = parent,
                        .child = SMASTAR_NONE,
                        .before = SMASTAR_NONE,
                        .after = SMASTAR_NONE,
                        .chained = *chain,
                        .at = {SMASTAR_NONE, SMASTAR_NONE}};
    *chain = i;
    n->f = n->g + h;
    n->inherits = p && p->f > n->f;
    if (n->inherits) n->f = p->f;
    if (p) smastar_attach(s, parent, i);
    s->count++;
    CRN_CHECK(s->search->context, s->count <= s->limit);
    bool leaf = !p || smastar_insert(s, SMASTAR_LEAVES, i);
    return leaf && smastar_insert(s, SMASTAR_OPEN, i) ? i : SMASTAR_NONE;
}

/* A node without children, which is no child any more, leaves the memory. */
static void smastar_free(smastar_search *s, uint32_t i)
{
    smastar_node *n = smastar_at(s, i);
    uint32_t *chain = smastar_chain(s, n->node);
    if (s->best == i) smastar_copy_best(s);
    if (s->search->traced) smastar_trace(s, CAIRN_EVENT_FORGET, i);
    while (*chain != i) chain = &smastar_at(s, *chain)->chained;
    *chain = n->chained;
    smastar_remove(s, SMASTAR_OPEN, i);
    smastar_remove(s, SMASTAR_LEAVES, i);
    n->chained = s->spare;
    s->spare = i;
    s->count--;
}

/* Has a node of the tree lost all its children? Then it is a leaf again; not the start. */
static bool smastar_settle(smastar_search *s, uint32_t i)
{
    const smastar_node *n = smastar_at(s, i);
    if (n->child != SMASTAR_NONE || n->parent == SMASTAR_NONE) return true;
    return smastar_insert(s, SMASTAR_LEAVES, i);
}

/* The leaf to be dropped, but not the one that is being expanded. */
static uint32_t smastar_worst(const smastar_search *s, uint32_t but)
{
    const uint32_t *heap = s->heaps[SMASTAR_LEAVES];
    uint32_t count = s->heap_count[SMASTAR_LEAVES];
    if (heap[0] != but) return heap[0];
    CRN_CHECK(s->search->context, count > 1);
    bool second = count > 2 && smastar_precedes(s, SMASTAR_LEAVES, heap[2], heap[1]);
    return heap[second ? 2 : 1];
}

/* Drops a leaf. Its parent remembers its F, and is open again. */
static bool smastar_drop(smastar_search *s, uint32_t but)
{
    uint32_t i = smastar_worst(s, but), parent = smastar_at(s, i)->parent;
    uint64_t f = smastar_at(s, i)->f;
    smastar_node *p = smastar_at(s, parent);
    uint64_t *kept = !p->complete || p->next_edge ? &p->lost : &p->forgotten;
    if (f < *kept) *kept = f;
    smastar_detach(s, i);
    smastar_free(s, i);
    if (!smastar_settle(s, parent)) return false;
    return f == SMASTAR_NEVER || smastar_insert(s, SMASTAR_OPEN, parent);
}

/* Continues to remove a part of the tree, leaf by leaf. */
static void smastar_go_on_removing(smastar_search *s)
{
    for (uint32_t links = 0; links < SMASTAR_LINKS && s->doomed != SMASTAR_NONE; links++) {
        uint32_t i = s->doomed_at;
        const smastar_node *n = smastar_at(s, i);
        if (n->child != SMASTAR_NONE) {
            s->doomed_at = n->child;
            continue;
        }
        bool last = i == s->doomed;
        s->doomed_at = n->parent;
        if (last)
            s->doomed = SMASTAR_NONE;
        else
            smastar_detach(s, i);
        smastar_free(s, i);
    }
}

/* ---- backing up ---- */

/* Begins to back up a node whose successors have all been generated. */
static void smastar_back_up(smastar_search *s, uint32_t i)
{
    s->backed = i;
    s->backed_child = smastar_at(s, i)->child;
    s->backed_least = SMASTAR_NEVER;
}

/* All children of the node that is backed up have been looked at: up to its parent, if it changes
 * and the parent is complete. */
static void smastar_backed_up(smastar_search *s)
{
    uint32_t i = s->backed;
    smastar_node *n = smastar_at(s, i);
    uint64_t f = s->backed_least;
    if (n->forgotten < f) f = n->forgotten;
    if (n->lost < f) f = n->lost;
    s->backed = SMASTAR_NONE;
    if (f <= n->f) return;
    n->f = f;
    smastar_replace(s, i);
    if (n->parent != SMASTAR_NONE && smastar_at(s, n->parent)->complete)
        smastar_back_up(s, n->parent);
}

static void smastar_go_on_backing(smastar_search *s)
{
    for (uint32_t links = 0; links < SMASTAR_LINKS && s->backed != SMASTAR_NONE; links++) {
        if (s->backed_child == SMASTAR_NONE) {
            smastar_backed_up(s);
            continue;
        }
        const smastar_node *child = smastar_at(s, s->backed_child);
        if (child->f < s->backed_least) s->backed_least = child->f;
        s->backed_child = child->after;
    }
}

/* ---- expanding ---- */

/* Is a path to a node, over `parent` by this edge, to be preferred to the one in the tree? */
static bool smastar_prefers(const smastar_search *s, uint32_t parent, uint64_t g, uint32_t there)
{
    const smastar_node *p = smastar_at(s, parent), *old = smastar_at(s, there);
    if (old->parent == SMASTAR_NONE) return false;
    const smastar_node *q = smastar_at(s, old->parent);
    if (g != old->g) return g < old->g;
    if (p->depth + 1 != old->depth) return p->depth + 1 < old->depth;
    if (p->node != q->node) return p->node < q->node;
    return p->next_edge < old->edge;
}

static bool smastar_is_goal(const cairn_search *search, cairn_node node)
{
    size_t low = 0, high = search->goal_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (search->goals[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < search->goal_count && search->goals[low] == node;
}

/* What became of an edge. */
typedef enum smastar_outcome {
    SMASTAR_PASSED,
    SMASTAR_GENERATED,
    SMASTAR_DISPLACES
} smastar_outcome;

/* The path in the tree gives way to a better one, over `i`. What hangs on a node that is as cheap
 * and as deep as before moves with it, unless the old parent has left its mark there: a part of its
 * F. Otherwise it begins to be removed. */
static smastar_outcome smastar_displace(smastar_search *s, uint32_t i, uint64_t g, uint32_t there)
{
    const smastar_node *n = smastar_at(s, i);
    smastar_node *old = smastar_at(s, there);
    uint32_t parent = old->parent;
    bool moves = g == old->g && n->depth + 1 == old->depth && !old->inherits;
    smastar_detach(s, there);
    smastar_settle(s, parent);
    if (moves)
        smastar_attach(s, i, there);
    else
        s->doomed = s->doomed_at = there;
    s->later = smastar_at(s, parent)->complete ? parent : SMASTAR_NONE;
    return moves ? SMASTAR_GENERATED : SMASTAR_DISPLACES;
}

/* Generates the successor at the end of an edge, if that is worth it. */
static smastar_outcome smastar_generate(smastar_search *s, uint32_t i, cairn_edge edge)
{
    smastar_node *n = smastar_at(s, i);
    uint64_t g = (uint64_t)n->g + edge.cost;
    uint32_t there = smastar_look_up(s, edge.node);
    if (g > s->most) { /* whether another path leads there only the present tree can tell */
        if (g > CAIRN_COST_MAX && there == SMASTAR_NONE) s->overflowed = true;
        return SMASTAR_PASSED;
    }
    if (there != SMASTAR_NONE) {
        if (!smastar_prefers(s, i, g, there)) return SMASTAR_PASSED;
        return smastar_displace(s, i, g, there);
    }
    uint64_t h = crn_estimate_node(&s->estimate, edge.node), f = g + h > n->f ? g + h : n->f;
    if (s->bounded && g + h > s->most) return SMASTAR_PASSED;
    if (n->depth + 2 > s->limit) { /* nodes of the path */
        if (f < s->cut) s->cut = f;
        return SMASTAR_PASSED;
    }
    if (s->count == s->limit && !smastar_drop(s, i)) return SMASTAR_GENERATED;
    uint32_t fresh = smastar_add(s, i, edge, h);
    if (fresh == SMASTAR_NONE) return SMASTAR_GENERATED;
    s->generated++;
    smastar_at(s, fresh)->is_goal = smastar_is_goal(s->search, edge.node);
    if (s->search->traced) smastar_trace(s, CAIRN_EVENT_GENERATE, fresh);
    return SMASTAR_GENERATED;
}

/* All edges of a node are done. If some successors were dropped meanwhile it stays open, and another
 * round follows. */
static bool smastar_complete(smastar_search *s, uint32_t i)
{
    smastar_node *n = smastar_at(s, i);
    if (!n->complete && s->search->traced) smastar_trace(s, CAIRN_EVENT_CLOSE, i);
    n->complete = true;
    n->next_edge = 0;
    n->forgotten = n->lost;
    n->lost = SMASTAR_NEVER;
    if (n->forgotten == SMASTAR_NEVER) smastar_remove(s, SMASTAR_OPEN, i);
    smastar_back_up(s, i);
    return smastar_settle(s, i);
}

/* Generates one successor, or passes some that are not worth it. */
static void smastar_expand(smastar_search *s, uint32_t i)
{
    const cairn_space *space = s->search->space;
    smastar_node *n = smastar_at(s, i);
    cairn_edge edges[SMASTAR_EDGES];
    if (!n->next_edge) {
        s->expanded++;
        if (s->search->traced) smastar_trace(s, CAIRN_EVENT_EXPAND, i);
        if (s->search->query.partial) smastar_consider(s, i);
    }
    uint32_t count = space->functions->expand(space, n->node, n->next_edge, edges, SMASTAR_EDGES);
    for (uint32_t k = 0; k < count; k++) {
        smastar_outcome outcome = smastar_generate(s, i, edges[k]);
        if (outcome == SMASTAR_DISPLACES) return; /* it is generated when there is room for it */
        n->next_edge++;
        if (outcome == SMASTAR_GENERATED) return;
    }
    if (count < SMASTAR_EDGES) smastar_complete(s, i);
}

/* Nothing is left that could lead to a goal. */
static cairn_status smastar_ended(const smastar_search *s)
{
    if (s->cut != SMASTAR_NEVER) return CAIRN_OUT_OF_MEMORY;
    return s->overflowed && !s->search->query.max_cost ? CAIRN_COST_OVERFLOW : CAIRN_UNREACHABLE;
}

static cairn_status smastar_unit(smastar_search *s)
{
    if (s->search->memory.failed) return CAIRN_OUT_OF_MEMORY;
    if (s->expanded >= s->effort) return CAIRN_OUT_OF_BUDGET;
    s->work++;
    if (s->doomed != SMASTAR_NONE) return smastar_go_on_removing(s), CAIRN_RUNNING;
    if (s->backed == SMASTAR_NONE && s->later != SMASTAR_NONE) {
        smastar_back_up(s, s->later);
        s->later = SMASTAR_NONE;
    }
    if (s->backed != SMASTAR_NONE) return smastar_go_on_backing(s), CAIRN_RUNNING;
    if (!s->heap_count[SMASTAR_OPEN]) return smastar_ended(s);
    uint32_t i = s->heaps[SMASTAR_OPEN][0];
    const smastar_node *n = smastar_at(s, i);
    if (n->f == SMASTAR_NEVER) return smastar_ended(s);
    if (n->is_goal) return s->goal = i, CAIRN_FOUND;
    smastar_expand(s, i);
    return CAIRN_RUNNING;
}

/* ---- a planner ---- */

static const cairn_parameter smastar_parameters[] = {
    CRN_PARAMETER_HEURISTIC,
    {"nodes", "the most nodes that it holds", CAIRN_PARAMETER_INTEGER, 8, 1 << 20, 16384, NULL},
    CRN_PARAMETER_EFFORT(100000)};

/* Every path fits into as many nodes as there are. */
static cairn_status smastar_create(cairn_planner *planner, cairn_error *error)
{
    cairn_status status = crn_own_create_estimated(planner, error);
    if (crn_parameter_of(planner, "nodes") < planner->space->node_count) {
        planner->optimal = false;
        planner->bound = 0;
    }
    return status;
}

static cairn_status smastar_open(cairn_search *search)
{
    smastar_search *s = crn_scratch_alloc(&search->memory, sizeof *s);
    if (!s) return CAIRN_OUT_OF_MEMORY;
    memset(s, 0, sizeof *s);
    search->scratch = s;
    s->search = search;
    s->chains = crn_scratch_alloc(&search->memory, SMASTAR_CHAINS * sizeof *s->chains);
    return s->chains ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static void smastar_close(cairn_search *search)
{
    smastar_search *s = search->scratch;
    crn_scratch *scratch = &search->memory;
    if (!s) return;
    for (size_t i = 0; i < s->block_count; i++)
        crn_scratch_free(scratch, s->blocks[i], SMASTAR_BLOCK * sizeof **s->blocks);
    crn_scratch_free(scratch, s->blocks, s->block_capacity * sizeof *s->blocks);
    for (uint32_t i = 0; i < SMASTAR_HEAPS; i++)
        crn_scratch_free(scratch, s->heaps[i], s->heap_capacity[i] * sizeof *s->heaps[i]);
    crn_scratch_free(scratch, s->path, s->path_capacity * sizeof *s->path);
    crn_scratch_free(scratch, s->chains, SMASTAR_CHAINS * sizeof *s->chains);
    crn_scratch_free(scratch, s, sizeof *s);
}

/* ---- a query ---- */

/* Returns the bound of the path that was found: a path that did not fit costs at least `cut`. */
static double smastar_bound(const smastar_search *s, cairn_cost cost)
{
    if (!s->admissible) return 0;
    return s->cut >= cost ? 1 : (double)cost / (double)(s->cut ? s->cut : 1);
}

static cairn_status smastar_pause(smastar_search *s, cairn_status status)
{
    cairn_search *search = s->search;
    size_t blocks = (s->used + SMASTAR_BLOCK - 1) / SMASTAR_BLOCK;
    search->metrics = (cairn_metrics){
        .work = s->work,
        .expanded = s->expanded,
        .generated = s->generated,
        .pushes = s->pushes,
        .peak_bytes = sizeof *s + SMASTAR_CHAINS * sizeof *s->chains +
                      blocks * SMASTAR_BLOCK * (sizeof(smastar_node) + sizeof(uint32_t)) +
                      s->path_count * sizeof *s->path,
    };
    if (status != CAIRN_FOUND) return status;
    const smastar_node *goal = smastar_at(s, s->goal);
    search->reached_goal = goal->node;
    search->bound = smastar_bound(s, goal->g);
    if (search->traced && !search->subsearch) smastar_trace(s, CAIRN_EVENT_END, s->goal);
    return status;
}

static void smastar_reset(smastar_search *s)
{
    const cairn_search *search = s->search;
    int64_t effort = CRN_EFFORT_MOST;
    crn_parameter(search->planner, "effort", &effort);
    s->effort = (uint64_t)effort;
    s->limit = crn_parameter_of(search->planner, "nodes");
    s->count = s->used = 0;
    s->spare = s->doomed = s->backed = s->later = s->goal = s->best = SMASTAR_NONE;
    s->work = s->expanded = s->pushes = 0;
    s->generated = 1;
    s->overflowed = false;
    s->cut = SMASTAR_NEVER;
    s->path_count = 0;
    s->most = search->query.max_cost ? search->query.max_cost : CAIRN_COST_MAX;
    memset(s->heap_count, 0, sizeof s->heap_count);
    memset(s->chains, 0xff, SMASTAR_CHAINS * sizeof *s->chains);
}

static cairn_status smastar_begin(cairn_search *search)
{
    smastar_search *s = search->scratch;
    const crn_heuristic *plug;
    cairn_heuristic metric = crn_own_metric(search->planner, &plug);
    cairn_node from = search->query.from;
    if (search->query.goal_kind == CAIRN_GOAL_NONE) return CAIRN_UNSUPPORTED;
    smastar_reset(s);
    crn_search_bind(&s->estimate, search, plug, metric);
    s->admissible =
        !search->query.estimate && crn_heuristic_facts_of(plug, search->space, metric).admissible;
    s->bounded = s->admissible && search->query.max_cost;
    uint64_t h = crn_estimate_node(&s->estimate, from);
    crn_search_announce(search, h);
    if (search->query.partial) crn_closest_begin(search);
    s->best_end = from;
    s->best_cost = 0;
    search->reached_goal = CAIRN_NO_NODE;
    uint32_t root = smastar_add(s, SMASTAR_NONE, (cairn_edge){from, 0}, h);
    if (root == SMASTAR_NONE) return CAIRN_OUT_OF_MEMORY;
    smastar_at(s, root)->is_goal = smastar_is_goal(search, from);
    s->goal = root;
    if (smastar_at(s, root)->is_goal) return smastar_pause(s, CAIRN_FOUND);
    return smastar_pause(s, s->bounded && h > s->most ? CAIRN_UNREACHABLE : CAIRN_RUNNING);
}

static cairn_status smastar_step(cairn_search *search, uint64_t work)
{
    smastar_search *s = search->scratch;
    cairn_status status = CAIRN_RUNNING;
    for (; work && status == CAIRN_RUNNING; work--) status = smastar_unit(s);
    return smastar_pause(s, status);
}

/* ---- reading the answer ---- */

/* Known are the nodes in memory. */
static cairn_cost smastar_cost_to(const cairn_search *search, cairn_node node)
{
    const smastar_search *s = search->scratch;
    uint32_t i = smastar_look_up(s, node);
    if (i != SMASTAR_NONE) return smastar_at(s, i)->g;
    return s->path_count && node == s->best_end ? s->best_cost : CAIRN_NO_COST;
}

static cairn_status smastar_path_to(cairn_search *search, cairn_node node)
{
    const smastar_search *s = search->scratch;
    cairn_status status = CAIRN_OK;
    uint32_t i = smastar_look_up(s, node);
    /* another path to the best end of a partial path may be in memory by now */
    bool copied = s->path_count && s->best == SMASTAR_NONE && node == s->best_end &&
                  (i == SMASTAR_NONE || smastar_at(s, i)->g > s->best_cost);
    cairn_cost cost = copied ? s->best_cost : smastar_cost_to(search, node);
    crn_path_start(search);
    for (uint32_t k = 0; copied && status == CAIRN_OK && k < s->path_count; k++)
        status = crn_path_add(search, s->path[k]);
    for (; !copied && status == CAIRN_OK && i != SMASTAR_NONE; i = smastar_at(s, i)->parent)
        status = crn_path_add(search, smastar_at(s, i)->node);
    if (status == CAIRN_OK) crn_path_finish(search, cost);
    return status;
}

static bool smastar_closest(cairn_search *search, uint64_t work, bool first)
{
    const smastar_search *s = search->scratch;
    search->reached_goal = s->best_end;
    return (void)work, (void)first, true;
}

static cairn_status smastar_reached(const cairn_search *search, cairn_visit *visit, void *user)
{
    for (cairn_node node = 0; node < search->space->node_count; node++) {
        cairn_cost cost = smastar_cost_to(search, node);
        if (cost != CAIRN_NO_COST) visit(user, node, cost);
    }
    return CAIRN_OK;
}

const crn_algorithm crn_algorithm_smastar = {
    .info = {.name = "smastar",
             .aliases = "sma* sma-star",
             .summary = "A* that holds a given number of nodes: drops leaves, generates them again",
             .source = "Russell 1992",
             .family = "search",
             .flags = CAIRN_BOUNDED | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_EXPONENTIAL,
             CRN_ALL_WORLDS,
             .parameters = smastar_parameters,
             .parameter_count = CRN_COUNT(smastar_parameters)},
    .create = smastar_create,
    .destroy = crn_own_destroy,
    .open = smastar_open,
    .close = smastar_close,
    .begin = smastar_begin,
    .step = smastar_step,
    .path_to = smastar_path_to,
    .cost_to = smastar_cost_to,
    .closest = smastar_closest,
    .reached = smastar_reached,
};
