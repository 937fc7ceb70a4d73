/* smastar_tree.c: the tree of SMA*. See smastar_tree.h. */
#include "search/smastar_tree.h"

/* ---- nodes ---- */

CRN_INLINE uint32_t *smastar_tree_chain(const crn_sma_tree *t, cairn_node node)
{
    return &t->chains[node * 2654435761u >> 22];
}

/* Where a node of the world is in the tree, or CRN_SMA_NONE. */
uint32_t crn_sma_look_up(const crn_sma_tree *t, cairn_node node)
{
    uint32_t i = *smastar_tree_chain(t, node);
    while (i != CRN_SMA_NONE && crn_sma_at(t, i)->node != node) i = crn_sma_at(t, i)->chained;
    return i;
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
        i = t->used++;
    } else {
        t->spare = crn_sma_at(t, i)->chained;
    }
    crn_sma_node *n = crn_sma_at(t, i), *p = parent == CRN_SMA_NONE ? NULL : crn_sma_at(t, parent);
    uint32_t *chain = smastar_tree_chain(t, edge.node);
    *n = (crn_sma_node){.node = edge.node,
                        .g = p ? p->g + edge.cost : 0,
                        .depth = p ? p->depth + 1 : 0,
                        .forgotten = CRN_SMA_NEVER,
                        .lost = CRN_SMA_NEVER,
                        .parent = parent,
                        .child = CRN_SMA_NONE,
                        .before = CRN_SMA_NONE,
                        .after = CRN_SMA_NONE,
                        .chained = *chain,
                        .at = {CRN_SMA_NONE, CRN_SMA_NONE}};
    *chain = i;
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
    crn_sma_node *n = crn_sma_at(t, i);
    uint32_t *chain = smastar_tree_chain(t, n->node);
    t->forget(t->user, i);
    while (*chain != i) chain = &crn_sma_at(t, *chain)->chained;
    *chain = n->chained;
    crn_sma_remove(t, CRN_SMA_OPEN, i);
    crn_sma_remove(t, CRN_SMA_LEAVES, i);
    n->chained = t->spare;
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

/* Drops a leaf. Its parent remembers its F, and is open again. */
bool crn_sma_drop(crn_sma_tree *t, uint32_t but)
{
    uint32_t i = smastar_tree_worst(t, but), parent = crn_sma_at(t, i)->parent;
    uint64_t f = crn_sma_at(t, i)->f;
    crn_sma_node *p = crn_sma_at(t, parent);
    uint64_t *kept = !p->complete || p->next_edge ? &p->lost : &p->forgotten;
    if (f < *kept) *kept = f;
    smastar_tree_detach(t, i);
    smastar_tree_free(t, i);
    if (!crn_sma_settle(t, parent)) return false;
    return f == CRN_SMA_NEVER || smastar_tree_insert(t, CRN_SMA_OPEN, parent);
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

/* Is a path to a node, over `parent` by this edge, to be preferred to the one in the tree? */
bool crn_sma_prefers(const crn_sma_tree *t, uint32_t parent, uint64_t g, uint32_t there)
{
    const crn_sma_node *p = crn_sma_at(t, parent), *old = crn_sma_at(t, there);
    if (old->parent == CRN_SMA_NONE) return false;
    const crn_sma_node *q = crn_sma_at(t, old->parent);
    if (g != old->g) return g < old->g;
    if (p->depth + 1 != old->depth) return p->depth + 1 < old->depth;
    if (p->node != q->node) return p->node < q->node;
    return p->next_edge < old->edge;
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
    return moves ? CRN_SMA_GENERATED : CRN_SMA_DISPLACES;
}

/* ---- in pieces ---- */

bool crn_sma_go_on(crn_sma_tree *t)
{
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

cairn_status crn_sma_open(crn_sma_tree *t, crn_scratch *scratch)
{
    t->scratch = scratch;
    t->chains = crn_scratch_alloc(scratch, CRN_SMA_CHAINS * sizeof *t->chains);
    return t->chains ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

void crn_sma_close(crn_sma_tree *t)
{
    crn_scratch *scratch = t->scratch;
    for (size_t i = 0; i < t->block_count; i++)
        crn_scratch_free(scratch, t->blocks[i], CRN_SMA_BLOCK * sizeof **t->blocks);
    crn_scratch_free(scratch, t->blocks, t->block_capacity * sizeof *t->blocks);
    for (uint32_t i = 0; i < CRN_SMA_HEAPS; i++)
        crn_scratch_free(scratch, t->heaps[i], t->heap_capacity[i] * sizeof *t->heaps[i]);
    crn_scratch_free(scratch, t->chains, CRN_SMA_CHAINS * sizeof *t->chains);
}

void crn_sma_reset(crn_sma_tree *t, uint32_t limit)
{
    t->limit = limit;
    t->count = t->used = 0;
    t->spare = t->doomed = t->backed = t->later = CRN_SMA_NONE;
    t->pushes = 0;
    memset(t->heap_count, 0, sizeof t->heap_count);
    memset(t->chains, 0xff, CRN_SMA_CHAINS * sizeof *t->chains);
}

size_t crn_sma_bytes(const crn_sma_tree *t)
{
    size_t blocks = (t->used + CRN_SMA_BLOCK - 1) / CRN_SMA_BLOCK;
    return CRN_SMA_CHAINS * sizeof *t->chains +
           blocks * CRN_SMA_BLOCK * (sizeof(crn_sma_node) + sizeof(uint32_t));
}

#if defined(CAIRN_CHECKS)

static const char *smastar_tree_check_node(const crn_sma_tree *t, uint32_t i)
{
    const crn_sma_node *n = crn_sma_at(t, i);
    if (crn_sma_look_up(t, n->node) != i) return "a node is in the tree twice";
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
    for (uint32_t chain = 0; chain < CRN_SMA_CHAINS; chain++) {
        for (uint32_t i = t->chains[chain]; i != CRN_SMA_NONE; i = crn_sma_at(t, i)->chained) {
            const char *wrong = smastar_tree_check_node(t, i);
            if (wrong) return wrong;
            count++;
        }
    }
    return count == t->count ? NULL : "nodes were miscounted";
}

#endif
