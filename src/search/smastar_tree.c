/* smastar_tree.c: the tree of SMA*. See smastar_tree.h. */
#include "search/smastar_tree.h"

/* ---- nodes ---- */

CRN_INLINE uint32_t smastar_tree_power(uint32_t number)
{
    return 1u << crn_highest_bit(number);
}

/* The chain of a node of the world, of the first `chains`. They become more one by one: chain
 * 2^k + j takes those of chain j whose hash has bit k. */
CRN_INLINE uint32_t *smastar_tree_chain(const crn_sma_tree *t, cairn_node node, uint32_t chains)
{
    uint32_t hash = node * 2654435761u;
    hash ^= hash >> 15;
    uint32_t power = smastar_tree_power(chains), chain = hash & (2 * power - 1);
    return &crn_sma_at(t, chain < chains ? chain : chain - power)->chain;
}

uint32_t crn_sma_first(const crn_sma_tree *t, cairn_node node)
{
    uint32_t i = t->used ? *smastar_tree_chain(t, node, t->used) : CRN_SMA_NONE;
    while (i != CRN_SMA_NONE && crn_sma_at(t, i)->node != node) i = crn_sma_at(t, i)->chained;
    return i;
}

uint32_t crn_sma_look_up(const crn_sma_tree *t, cairn_node node)
{
    uint32_t best = crn_sma_first(t, node);
    for (uint32_t i = best; i != CRN_SMA_NONE; i = crn_sma_at(t, i)->twin)
        if (crn_sma_at(t, i)->g < crn_sma_at(t, best)->g) best = i;
    return best;
}

/* Enters a node into its chain, or behind the first of its twins. */
static void smastar_tree_enter(crn_sma_tree *t, uint32_t i)
{
    crn_sma_node *n = crn_sma_at(t, i);
    uint32_t first = crn_sma_first(t, n->node);
    n->elder = first;
    if (first == CRN_SMA_NONE) {
        uint32_t *chain = smastar_tree_chain(t, n->node, t->used);
        n->twin = CRN_SMA_NONE;
        n->chained = *chain;
        *chain = i;
        return;
    }
    n->twin = crn_sma_at(t, first)->twin;
    crn_sma_at(t, first)->twin = i;
    if (n->twin != CRN_SMA_NONE) crn_sma_at(t, n->twin)->elder = i;
}

static void smastar_tree_leave(crn_sma_tree *t, uint32_t i)
{
    const crn_sma_node *n = crn_sma_at(t, i);
    if (n->twin != CRN_SMA_NONE) crn_sma_at(t, n->twin)->elder = n->elder;
    if (n->elder != CRN_SMA_NONE) {
        crn_sma_at(t, n->elder)->twin = n->twin;
        return;
    }
    uint32_t *chain = smastar_tree_chain(t, n->node, t->used);
    while (*chain != i) chain = &crn_sma_at(t, *chain)->chained;
    *chain = n->chained;
    if (n->twin == CRN_SMA_NONE) return;
    *chain = n->twin;
    crn_sma_at(t, n->twin)->chained = n->chained;
}

/* One place more is used, and so there is one chain more. */
static uint32_t smastar_tree_use(crn_sma_tree *t)
{
    uint32_t place = t->used++;
    uint32_t *to = &crn_sma_at(t, place)->chain;
    *to = CRN_SMA_NONE;
    crn_sma_at(t, place)->copy = CAIRN_NO_NODE;
    if (!place) return place;
    uint32_t *from = &crn_sma_at(t, place - smastar_tree_power(place))->chain;
    while (*from != CRN_SMA_NONE) {
        uint32_t i = *from;
        crn_sma_node *n = crn_sma_at(t, i);
        if (smastar_tree_chain(t, n->node, t->used) == to) {
            *from = n->chained;
            n->chained = *to;
            *to = i;
        } else {
            from = &n->chained;
        }
    }
    return place;
}

static bool smastar_tree_add_block(crn_sma_tree *t)
{
    void *blocks = t->blocks;
    crn_scratch *scratch = t->scratch;
    if (!crn_scratch_grow(scratch, &blocks, &t->block_capacity, t->block_count + 1,
                          sizeof *t->blocks))
        return false;
    t->blocks = blocks;
    crn_sma_node *block = crn_scratch_alloc(scratch, CRN_SMA_BLOCK * sizeof *block);
    if (!block) return false;
    t->blocks[t->block_count++] = block;
    return true;
}

/* Room for one node more in a heap. */
static bool smastar_tree_grow_heap(crn_sma_tree *t, uint32_t kind)
{
    void *heap = t->heaps[kind];
    if (!crn_scratch_grow(t->scratch, &heap, &t->heap_capacity[kind], t->heap_count[kind] + 1,
                          sizeof *t->heaps[kind]))
        return false;
    t->heaps[kind] = heap;
    return true;
}

/* ---- heaps ---- */

/* To be expanded: least F, then deepest. To be dropped: largest F, then shallowest. */
static bool smastar_tree_precedes(const crn_sma_tree *t, uint32_t kind, uint32_t a, uint32_t b)
{
    const crn_sma_node *x = crn_sma_at(t, a), *y = crn_sma_at(t, b);
    bool open = kind == CRN_SMA_OPEN;
    if (x->f != y->f) return (x->f < y->f) == open;
    if (x->depth != y->depth) return (x->depth > y->depth) == open;
    return a < b;
}

static void smastar_tree_put(crn_sma_tree *t, uint32_t kind, uint32_t place, uint32_t node)
{
    t->heaps[kind][place] = node;
    crn_sma_at(t, node)->at[kind] = place;
}

static void smastar_tree_rise(crn_sma_tree *t, uint32_t kind, uint32_t place, uint32_t node)
{
    while (place) {
        uint32_t above = (place - 1) / 2;
        if (!smastar_tree_precedes(t, kind, node, t->heaps[kind][above])) break;
        smastar_tree_put(t, kind, place, t->heaps[kind][above]);
        place = above;
    }
    smastar_tree_put(t, kind, place, node);
}

static void smastar_tree_sink(crn_sma_tree *t, uint32_t kind, uint32_t place, uint32_t node)
{
    const uint32_t *heap = t->heaps[kind];
    uint32_t count = t->heap_count[kind];
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count && smastar_tree_precedes(t, kind, heap[child + 1], heap[child]))
            child++;
        if (!smastar_tree_precedes(t, kind, heap[child], node)) break;
        smastar_tree_put(t, kind, place, heap[child]);
    }
    smastar_tree_rise(t, kind, place, node);
}

/* False = no memory. */
static bool smastar_tree_insert(crn_sma_tree *t, uint32_t kind, uint32_t node)
{
    if (crn_sma_at(t, node)->at[kind] != CRN_SMA_NONE) return true;
    if (!smastar_tree_grow_heap(t, kind)) return false;
    if (kind == CRN_SMA_OPEN) t->pushes++;
    smastar_tree_rise(t, kind, t->heap_count[kind]++, node);
    return true;
}

void crn_sma_remove(crn_sma_tree *t, uint32_t kind, uint32_t node)
{
    uint32_t place = crn_sma_at(t, node)->at[kind];
    if (place == CRN_SMA_NONE) return;
    crn_sma_at(t, node)->at[kind] = CRN_SMA_NONE;
    uint32_t last = t->heaps[kind][--t->heap_count[kind]];
    if (last != node) smastar_tree_sink(t, kind, place, last);
}

/* F has changed. */
static void smastar_tree_replace(crn_sma_tree *t, uint32_t node)
{
    for (uint32_t kind = 0; kind < CRN_SMA_HEAPS; kind++) {
        uint32_t place = crn_sma_at(t, node)->at[kind];
        if (place != CRN_SMA_NONE) smastar_tree_sink(t, kind, place, node);
    }
}

/* ---- the tree ---- */

/* Takes a node out of its parent's children. */
static void smastar_tree_detach(crn_sma_tree *t, uint32_t i)
{
    const crn_sma_node *n = crn_sma_at(t, i);
    crn_sma_node *p = crn_sma_at(t, n->parent);
    if (n->before != CRN_SMA_NONE)
        crn_sma_at(t, n->before)->after = n->after;
    else
        p->child = n->after;
    if (n->after != CRN_SMA_NONE) crn_sma_at(t, n->after)->before = n->before;
}

/* Makes a node a child of another, by the edge that is being generated there. */
static void smastar_tree_attach(crn_sma_tree *t, uint32_t parent, uint32_t i)
{
    crn_sma_node *n = crn_sma_at(t, i), *p = crn_sma_at(t, parent);
    n->parent = parent;
    n->edge = p->next_edge;
    n->before = CRN_SMA_NONE;
    n->after = p->child;
    if (p->child != CRN_SMA_NONE) crn_sma_at(t, p->child)->before = i;
    p->child = i;
    crn_sma_remove(t, CRN_SMA_LEAVES, parent);
}

/* A fresh node below `parent`, in both heaps. CRN_SMA_NONE = no memory. */
uint32_t crn_sma_add(crn_sma_tree *t, uint32_t parent, cairn_edge edge, uint64_t h)
{
    uint32_t i = t->spare;
    if (i == CRN_SMA_NONE) {
        if (t->used == t->block_count * CRN_SMA_BLOCK && !smastar_tree_add_block(t))
            return CRN_SMA_NONE;
        i = smastar_tree_use(t);
    } else {
        t->spare = crn_sma_at(t, i)->chained;
    }
    crn_sma_node *n = crn_sma_at(t, i), *p = parent == CRN_SMA_NONE ? NULL : crn_sma_at(t, parent);
    *n = (crn_sma_node){.node = edge.node,
                        .g = p ? p->g + edge.cost : 0,
                        .depth = p ? p->depth + 1 : 0,
                        .forgotten = CRN_SMA_NEVER,
                        .lost = CRN_SMA_NEVER,
                        .parent = parent,
                        .child = CRN_SMA_NONE,
                        .before = CRN_SMA_NONE,
                        .after = CRN_SMA_NONE,
                        .chain = n->chain,
                        .copy = n->copy,
                        .at = {CRN_SMA_NONE, CRN_SMA_NONE}};
    smastar_tree_enter(t, i);
    n->f = n->g + h;
    n->inherits = p && p->f > n->f;
    if (n->inherits) n->f = p->f;
    if (p) smastar_tree_attach(t, parent, i);
    t->count++;
    CRN_CHECK(t->scratch->context, t->count <= t->limit);
    bool leaf = !p || smastar_tree_insert(t, CRN_SMA_LEAVES, i);
    return leaf && smastar_tree_insert(t, CRN_SMA_OPEN, i) ? i : CRN_SMA_NONE;
}

/* A node without children, which is no child any more, leaves the memory. */
static void smastar_tree_free(crn_sma_tree *t, uint32_t i)
{
    t->forget(t->user, i);
    smastar_tree_leave(t, i);
    crn_sma_remove(t, CRN_SMA_OPEN, i);
    crn_sma_remove(t, CRN_SMA_LEAVES, i);
    crn_sma_at(t, i)->chained = t->spare;
    t->spare = i;
    t->count--;
}

/* Has a node of the tree lost all its children? Then it is a leaf again; not the start. */
bool crn_sma_settle(crn_sma_tree *t, uint32_t i)
{
    const crn_sma_node *n = crn_sma_at(t, i);
    if (n->child != CRN_SMA_NONE || n->parent == CRN_SMA_NONE) return true;
    return smastar_tree_insert(t, CRN_SMA_LEAVES, i);
}

/* The leaf to be dropped, but not the one that is being expanded. */
static uint32_t smastar_tree_worst(const crn_sma_tree *t, uint32_t but)
{
    const uint32_t *heap = t->heaps[CRN_SMA_LEAVES];
    uint32_t count = t->heap_count[CRN_SMA_LEAVES];
    if (heap[0] != but) return heap[0];
    CRN_CHECK(t->scratch->context, count > 1);
    bool second = count > 2 && smastar_tree_precedes(t, CRN_SMA_LEAVES, heap[2], heap[1]);
    return heap[second ? 2 : 1];
}

void crn_sma_keep(crn_sma_tree *t, uint32_t i)
{
    t->kept = i;
    t->copy_count = 0;
}

/* Continues to copy the path to the node that is kept. */
static void smastar_tree_go_on_copying(crn_sma_tree *t)
{
    for (uint32_t links = 0; links < CRN_SMA_LINKS && t->copied != CRN_SMA_NONE; links++) {
        const crn_sma_node *n = crn_sma_at(t, t->copied);
        crn_sma_at(t, t->copy_count++)->copy = n->node;
        t->copied = n->parent;
    }
    if (t->copied == CRN_SMA_NONE) t->kept = CRN_SMA_NONE;
}

/* Is the path to a node to be copied before it leaves, and is there more of it than a piece? */
static bool smastar_tree_is_kept(crn_sma_tree *t, uint32_t i)
{
    if (i != t->kept) return false;
    t->copied = i;
    smastar_tree_go_on_copying(t);
    return t->kept == i;
}

/* Drops a leaf. Its parent remembers its F, and is open again. */
crn_sma_outcome crn_sma_drop(crn_sma_tree *t, uint32_t but)
{
    uint32_t i = smastar_tree_worst(t, but), parent = crn_sma_at(t, i)->parent;
    if (smastar_tree_is_kept(t, i)) return CRN_SMA_WAITS;
    uint64_t f = crn_sma_at(t, i)->f;
    crn_sma_node *p = crn_sma_at(t, parent);
    uint64_t *kept = !p->complete || p->next_edge ? &p->lost : &p->forgotten;
    if (f < *kept) *kept = f;
    smastar_tree_detach(t, i);
    smastar_tree_free(t, i);
    if (crn_sma_settle(t, parent) && f != CRN_SMA_NEVER)
        smastar_tree_insert(t, CRN_SMA_OPEN, parent);
    return CRN_SMA_PASSED;
}

/* Continues to remove a part of the tree, leaf by leaf. */
static void smastar_tree_go_on_removing(crn_sma_tree *t)
{
    for (uint32_t links = 0; links < CRN_SMA_LINKS && t->doomed != CRN_SMA_NONE; links++) {
        uint32_t i = t->doomed_at;
        const crn_sma_node *n = crn_sma_at(t, i);
        if (n->child != CRN_SMA_NONE) {
            t->doomed_at = n->child;
            continue;
        }
        if (smastar_tree_is_kept(t, i)) return;
        bool last = i == t->doomed;
        t->doomed_at = n->parent;
        if (last)
            t->doomed = CRN_SMA_NONE;
        else
            smastar_tree_detach(t, i);
        smastar_tree_free(t, i);
    }
}

/* ---- backing up ---- */

/* Begins to back up a node whose successors have all been generated. */
void crn_sma_back_up(crn_sma_tree *t, uint32_t i)
{
    t->backed = i;
    t->backed_child = crn_sma_at(t, i)->child;
    t->backed_least = CRN_SMA_NEVER;
}

/* All children of the node that is backed up have been looked at: up to its parent, if it changes
 * and the parent is complete. */
static void smastar_tree_backed_up(crn_sma_tree *t)
{
    uint32_t i = t->backed;
    crn_sma_node *n = crn_sma_at(t, i);
    uint64_t f = t->backed_least;
    if (n->forgotten < f) f = n->forgotten;
    if (n->lost < f) f = n->lost;
    t->backed = CRN_SMA_NONE;
    if (f <= n->f) return;
    n->f = f;
    smastar_tree_replace(t, i);
    if (n->parent != CRN_SMA_NONE && crn_sma_at(t, n->parent)->complete)
        crn_sma_back_up(t, n->parent);
}

static void smastar_tree_go_on_backing(crn_sma_tree *t)
{
    for (uint32_t links = 0; links < CRN_SMA_LINKS && t->backed != CRN_SMA_NONE; links++) {
        if (t->backed_child == CRN_SMA_NONE) {
            smastar_tree_backed_up(t);
            continue;
        }
        const crn_sma_node *child = crn_sma_at(t, t->backed_child);
        if (child->f < t->backed_least) t->backed_least = child->f;
        t->backed_child = child->after;
    }
}

/* ---- better paths ---- */

/* A path over `p` by the edge that is being generated there, beside one in the tree. Whatever
 * follows on a path must fit into what is left: so a path takes the place of another one only if it
 * is neither more expensive nor has more steps. If all paths fit, the cost decides. Equal ones are
 * ordered by the predecessor and its edge, so that of equal paths always the same one stays. */
static crn_sma_relation smastar_tree_relation(const crn_sma_tree *t, const crn_sma_node *p,
                                              uint64_t g, const crn_sma_node *old)
{
    uint32_t depth = p->depth + 1;
    bool better = g < old->g;
    if (g != old->g && !t->all_fit && depth != old->depth && better != (depth < old->depth))
        return CRN_SMA_APART;
    if (g == old->g && depth != old->depth) better = depth < old->depth;
    if (g == old->g && depth == old->depth) {
        const crn_sma_node *q = crn_sma_at(t, old->parent);
        better = p->node != q->node ? p->node < q->node : p->next_edge < old->edge;
    }
    return better ? CRN_SMA_BETTER : CRN_SMA_WORSE;
}

/* Compares a path with those in the tree to the same node, until one is better or worse: the
 * others are then apart from it, or better or worse as well. */
crn_sma_relation crn_sma_compare(crn_sma_tree *t, uint32_t parent, cairn_edge edge, uint32_t *there)
{
    const crn_sma_node *p = crn_sma_at(t, parent);
    uint32_t i = t->compared == CRN_SMA_NONE ? crn_sma_first(t, edge.node) : t->compared;
    t->compared = CRN_SMA_NONE;
    for (uint32_t links = 0; i != CRN_SMA_NONE; i = crn_sma_at(t, i)->twin) {
        if (links++ == CRN_SMA_LINKS) return t->compared = i, CRN_SMA_UNKNOWN;
        uint64_t g = (uint64_t)p->g + edge.cost;
        crn_sma_relation relation = smastar_tree_relation(t, p, g, crn_sma_at(t, i));
        *there = i;
        if (relation != CRN_SMA_APART) return relation;
    }
    return CRN_SMA_APART;
}

/* The path in the tree yields to a better one, over `i`. What hangs on a node that is as cheap
 * and as deep as before moves with it, unless the old parent has left its mark there: a part of its
 * F. Otherwise it begins to be removed. */
crn_sma_outcome crn_sma_displace(crn_sma_tree *t, uint32_t i, uint64_t g, uint32_t there)
{
    const crn_sma_node *n = crn_sma_at(t, i);
    crn_sma_node *old = crn_sma_at(t, there);
    uint32_t parent = old->parent;
    bool moves = g == old->g && n->depth + 1 == old->depth && !old->inherits;
    smastar_tree_detach(t, there);
    crn_sma_settle(t, parent);
    if (moves)
        smastar_tree_attach(t, i, there);
    else
        t->doomed = t->doomed_at = there;
    t->later = crn_sma_at(t, parent)->complete ? parent : CRN_SMA_NONE;
    return moves ? CRN_SMA_GENERATED : CRN_SMA_WAITS;
}

/* ---- in pieces ---- */

bool crn_sma_go_on(crn_sma_tree *t)
{
    if (t->copied != CRN_SMA_NONE) return smastar_tree_go_on_copying(t), true;
    if (t->doomed != CRN_SMA_NONE) return smastar_tree_go_on_removing(t), true;
    if (t->backed == CRN_SMA_NONE && t->later != CRN_SMA_NONE) {
        crn_sma_back_up(t, t->later);
        t->later = CRN_SMA_NONE;
    }
    if (t->backed == CRN_SMA_NONE) return false;
    smastar_tree_go_on_backing(t);
    return true;
}

/* ---- the whole ---- */

void crn_sma_close(crn_sma_tree *t)
{
    crn_scratch *scratch = t->scratch;
    for (size_t i = 0; i < t->block_count; i++)
        crn_scratch_free(scratch, t->blocks[i], CRN_SMA_BLOCK * sizeof **t->blocks);
    crn_scratch_free(scratch, t->blocks, t->block_capacity * sizeof *t->blocks);
    for (uint32_t i = 0; i < CRN_SMA_HEAPS; i++)
        crn_scratch_free(scratch, t->heaps[i], t->heap_capacity[i] * sizeof *t->heaps[i]);
}

void crn_sma_reset(crn_sma_tree *t, uint32_t limit, bool all_fit)
{
    t->limit = limit;
    t->all_fit = all_fit;
    t->count = t->used = t->copy_count = 0;
    t->spare = t->doomed = t->backed = t->later = CRN_SMA_NONE;
    t->compared = t->kept = t->copied = CRN_SMA_NONE;
    t->pushes = 0;
    memset(t->heap_count, 0, sizeof t->heap_count);
}

size_t crn_sma_bytes(const crn_sma_tree *t)
{
    size_t blocks = (t->used + CRN_SMA_BLOCK - 1) / CRN_SMA_BLOCK;
    return blocks * CRN_SMA_BLOCK * (sizeof(crn_sma_node) + sizeof(uint32_t));
}

#if defined(CAIRN_CHECKS)

static const char *smastar_tree_check_twins(const crn_sma_tree *t, uint32_t i)
{
    const crn_sma_node *n = crn_sma_at(t, i);
    if (n->elder == CRN_SMA_NONE) return crn_sma_first(t, n->node) == i ? NULL : "lost a node";
    const crn_sma_node *elder = crn_sma_at(t, n->elder);
    if (elder->twin != i || elder->node != n->node) return "a path is no twin";
    bool apart = !t->all_fit && elder->g != n->g && elder->depth != n->depth &&
                 (elder->g < n->g) != (elder->depth < n->depth);
    return apart ? NULL : "of two paths to a node one is worse";
}

static const char *smastar_tree_check_node(const crn_sma_tree *t, uint32_t i)
{
    const crn_sma_node *n = crn_sma_at(t, i);
    const char *wrong = smastar_tree_check_twins(t, i);
    if (wrong) return wrong;
    for (uint32_t kind = 0; kind < CRN_SMA_HEAPS; kind++) {
        uint32_t place = n->at[kind];
        if (place == CRN_SMA_NONE) continue;
        if (place >= t->heap_count[kind] || t->heaps[kind][place] != i)
            return "a node is elsewhere in its heap";
        if (place && smastar_tree_precedes(t, kind, i, t->heaps[kind][(place - 1) / 2]))
            return "a heap has lost its order";
    }
    bool leaf = n->child == CRN_SMA_NONE && n->parent != CRN_SMA_NONE;
    if (leaf != (n->at[CRN_SMA_LEAVES] != CRN_SMA_NONE)) return "a leaf cannot be dropped";
    uint64_t left = n->forgotten < n->lost ? n->forgotten : n->lost;
    bool open = !n->complete || n->next_edge || left != CRN_SMA_NEVER;
    if (open != (n->at[CRN_SMA_OPEN] != CRN_SMA_NONE))
        return "a node is not open, or should not be";
    if (n->parent == CRN_SMA_NONE) return n->depth ? "a node has no parent" : NULL;
    const crn_sma_node *p = crn_sma_at(t, n->parent);
    if (p->depth + 1 != n->depth || p->g >= n->g) return "a node is no child of its parent";
    return NULL;
}

const char *crn_sma_check(const crn_sma_tree *t)
{
    uint32_t count = 0;
    if (t->count > t->limit) return "more nodes than the limit";
    if (t->doomed != CRN_SMA_NONE) return NULL;
    for (uint32_t chain = 0; chain < t->used; chain++) {
        uint32_t first = crn_sma_at(t, chain)->chain, length = 0;
        for (; first != CRN_SMA_NONE; first = crn_sma_at(t, first)->chained) {
            if (++length > CRN_SMA_LINKS) return "a chain is too long";
            for (uint32_t i = first; i != CRN_SMA_NONE; i = crn_sma_at(t, i)->twin, count++) {
                const char *wrong = smastar_tree_check_node(t, i);
                if (wrong) return wrong;
            }
        }
    }
    return count == t->count ? NULL : "nodes were miscounted";
}

#endif
