/* fringe.c: fringe search.
 *
 * IDA* that does not begin again. An iteration ends at the nodes whose f = g + h exceeds the
 * threshold: the fringe. It is kept, and the next iteration goes on from there. No list is sorted.
 *
 * "Now" and "later" are one linked list. A search goes through it once in each iteration: a node
 * whose f exceeds the threshold stays where it is, which is "later". Any other is taken out and
 * expanded, and its successors are put in its place, in their order, so that they come next. That
 * is the order in which IDA* meets them. A node that gets cheaper moves to its new place. When an
 * iteration has left nothing in the list, there is no path.
 *
 * An entry of the list has f beside it, so that going through the fringe reads nothing else.
 * Entries lie in blocks that never move, and those that were taken out are used again. An entry
 * whose node has moved is dead, and is dropped when it is passed. Estimates are computed once and
 * kept in the record of the node.
 *
 * Optimal as long as the estimate never exceeds the true rest. Where f has few different values,
 * on grids of uniform cost, it passes each node a few times, and that costs less than a sorted
 * list does. Where nearly every f is different there is an iteration for nearly every node, and
 * each goes through the whole fringe: terrain, heights and graphs are not its ground.
 *
 * A unit of work is the expansion of a node, or of 64 of its edges, or FRINGE_PASSED nodes that
 * are passed.
 *
 * Source: Björnsson, Enzenberger, Holte and Schaeffer, "Fringe Search: Beating A* at Pathfinding
 * on Game Maps", 2005; thesis of B. Anguelov, section 5.6. Its listing 5.5 defers nodes whose f
 * equals the threshold, so that the start itself is deferred for ever. Here they are expanded. It
 * does not say where the goal is tested: here, when it is taken from the list. It leaves a node
 * that gets cheaper in its old place too.
 */
#include "search/best_first.h"
#include "search/own_search.h"

enum { FRINGE_BLOCK = 1024, FRINGE_PASSED = 32 };

typedef struct fringe_entry {
    uint64_t f;
    cairn_node node; /* CAIRN_NO_NODE: it has moved */
    uint32_t next;   /* 0 = the end */
} fringe_entry;

typedef struct fringe_list {
    crn_scratch *scratch;
    fringe_entry **blocks;
    size_t block_count, block_capacity;
    uint32_t used, spare; /* entries used so far, and the first of those to be used again */
    uint32_t before;      /* the last entry that was passed; entry 0 is the head of the list */
    uint32_t place;       /* where the next successor is put: behind this entry */
} fringe_list;

/* Additional bytes of the record of a node. */
typedef struct fringe_extra {
    uint32_t entry;    /* in the list; 0 = none */
    uint32_t estimate; /* if it has been seen */
} fringe_extra;

typedef struct fringe_search {
    crn_own own;
    uint64_t threshold, next; /* next: the least f above it so far */
    bool bounded;             /* paths whose f exceeds the limit of cost are ignored */
} fringe_search;

/* ---- the list ---- */

CRN_INLINE fringe_entry *fringe_at(const fringe_list *l, uint32_t i)
{
    return &l->blocks[i / FRINGE_BLOCK][i % FRINGE_BLOCK];
}

static void fringe_list_open(void *list, crn_scratch *scratch)
{
    ((fringe_list *)list)->scratch = scratch;
}

static void fringe_list_close(void *list)
{
    fringe_list *l = list;
    for (size_t i = 0; i < l->block_count; i++)
        crn_scratch_free(l->scratch, l->blocks[i], FRINGE_BLOCK * sizeof **l->blocks);
    crn_scratch_free(l->scratch, l->blocks, l->block_capacity * sizeof *l->blocks);
}

static bool fringe_list_grow(fringe_list *l)
{
    void *blocks = l->blocks;
    if (!crn_scratch_grow(l->scratch, &blocks, &l->block_capacity, l->block_count + 1,
                          sizeof *l->blocks))
        return false;
    l->blocks = blocks;
    fringe_entry *block = crn_scratch_alloc(l->scratch, FRINGE_BLOCK * sizeof *block);
    if (!block) return false;
    l->blocks[l->block_count++] = block;
    return true;
}

/* The head alone. */
static cairn_status fringe_list_reset(void *list, const crn_open_range *range)
{
    fringe_list *l = list;
    (void)range;
    if (!l->block_count && !fringe_list_grow(l)) return CAIRN_OUT_OF_MEMORY;
    l->used = 1;
    l->spare = l->before = l->place = 0;
    *fringe_at(l, 0) = (fringe_entry){.node = CAIRN_NO_NODE};
    return CAIRN_OK;
}

/* Puts a node behind the last one. Returns its entry; 0 = no memory, which the scratch
 * remembers. */
CRN_INLINE uint32_t fringe_insert(fringe_list *l, cairn_node node, uint64_t f)
{
    uint32_t entry = l->spare;
    if (entry) {
        l->spare = fringe_at(l, entry)->next;
    } else {
        if (l->used == l->block_count * FRINGE_BLOCK && !fringe_list_grow(l)) return 0;
        entry = l->used++;
    }
    fringe_entry *before = fringe_at(l, l->place);
    *fringe_at(l, entry) = (fringe_entry){f, node, before->next};
    before->next = entry;
    return l->place = entry;
}

/* Takes the entry behind `before` out of the list. */
CRN_INLINE void fringe_remove(fringe_list *l, uint32_t entry)
{
    fringe_entry *e = fringe_at(l, entry);
    fringe_at(l, l->before)->next = e->next;
    e->next = l->spare;
    l->spare = entry;
}

static void fringe_list_push(void *list, crn_open_entry entry)
{
    fringe_insert(list, entry.state, entry.key);
}

static size_t fringe_list_bytes(const void *list)
{
    const fringe_list *l = list;
    return (l->used + FRINGE_BLOCK - 1) / FRINGE_BLOCK * FRINGE_BLOCK * sizeof(fringe_entry);
}

/* Nothing is taken from it by a function: fringe_unit walks along it. */
static const crn_open_functions fringe_open_list = {
    sizeof(fringe_list), fringe_list_open, fringe_list_close,
    fringe_list_reset,   fringe_list_push, .bytes = fringe_list_bytes};

/* ---- a planner ---- */

static const crn_own_plan fringe_plan = {
    .size = sizeof(fringe_search), .open = &fringe_open_list, .extra = sizeof(fringe_extra)};

static const cairn_parameter fringe_parameters[] = {CRN_PARAMETER_HEURISTIC};

static cairn_status fringe_open(cairn_search *search)
{
    return crn_own_open(search, &fringe_plan);
}

/* ---- a query ---- */

CRN_INLINE fringe_extra *fringe_extra_of(crn_own *own, crn_page *page, uint32_t slot)
{
    return crn_record_extra(&own->records, page, slot);
}

static cairn_status fringe_begin(cairn_search *search)
{
    fringe_search *s = search->scratch;
    const crn_heuristic *plug;
    cairn_heuristic metric = crn_own_metric(search->planner, &plug);
    if (search->query.goal_kind == CAIRN_GOAL_NONE) return CAIRN_UNSUPPORTED;
    cairn_status status = crn_own_begin(search, plug, metric);
    s->bounded = search->planner->optimal && !search->query.estimate && search->query.max_cost;
    s->threshold = crn_own_estimate(&s->own, search->query.from);
    s->next = UINT64_MAX;
    return status;
}

/* An edge leads to a node at a cost that 32 bits do not hold. */
static void fringe_note_overflow(crn_own *own, cairn_node node)
{
    uint32_t slot;
    crn_page *page = crn_own_page(own, node, &slot);
    if (page->mark[slot] & (CRN_MARK_SEEN | CRN_MARK_OVERFLOWED)) return;
    page->mark[slot] |= CRN_MARK_OVERFLOWED;
    own->overflowed++;
}

/* Relaxes a node: if the path is cheaper than the known one, the node moves to the present place in
 * the list. */
CRN_INLINE void fringe_relax(fringe_search *s, fringe_list *l, cairn_node from, cairn_edge edge,
                             uint64_t g)
{
    crn_own *own = &s->own;
    uint32_t slot;
    crn_page *page = crn_own_page(own, edge.node, &slot);
    if (CRN_UNLIKELY(g > own->limit)) {
        if (g > CAIRN_COST_MAX) fringe_note_overflow(own, edge.node);
        return;
    }
    if (g >= page->g[slot]) return;
    fringe_extra *extra = fringe_extra_of(own, page, slot);
    if (!(page->mark[slot] & CRN_MARK_SEEN))
        extra->estimate = crn_saturate(crn_estimate_node(&own->estimate, edge.node));
    crn_own_relax(own, from, edge.node, g);
    if (extra->entry) fringe_at(l, extra->entry)->node = CAIRN_NO_NODE;
    extra->entry = fringe_insert(l, edge.node, g + extra->estimate);
    own->pushes++;
}

/* Relaxes the next neighbours of the node that is being expanded: fewer if their records are the
 * first of their pages, which take time to clear. */
static void fringe_expand(fringe_search *s, fringe_list *l)
{
    enum { PAGES = 6 };
    crn_own *own = &s->own;
    const cairn_space *space = own->search->space;
    cairn_edge edges[CRN_OWN_BATCH];
    uint32_t slot,
        count = space->functions->expand(space, own->pending, own->pending_edge, edges, own->batch);
    cairn_cost g = crn_own_page(own, own->pending, &slot)->g[slot];
    uint32_t pages = own->records.touched_count, i = 0;
    for (; i < count && own->records.touched_count - pages < PAGES; i++)
        fringe_relax(s, l, own->pending, edges[i], (uint64_t)g + edges[i].cost);
    own->pending_edge += i;
    own->is_pending = i < count || count == own->batch;
    if (!own->is_pending && own->search->traced)
        crn_own_trace(own, CAIRN_EVENT_CLOSE, own->pending);
}

/* Takes a node from the list. FOUND if it is a goal. */
static cairn_status fringe_take(fringe_search *s, fringe_list *l, uint32_t entry)
{
    crn_own *own = &s->own;
    uint32_t slot;
    cairn_node node = fringe_at(l, entry)->node;
    crn_page *page = crn_own_page(own, node, &slot);
    fringe_remove(l, entry);
    fringe_extra_of(own, page, slot)->entry = 0;
    if (page->mark[slot] & CRN_MARK_GOAL) {
        own->goal_found = true;
        own->goal = node;
        own->goal_cost = page->g[slot];
        return CAIRN_FOUND;
    }
    page->mark[slot] |= CRN_MARK_CLOSED;
    own->expanded++;
    own->pending = node;
    own->pending_edge = 0;
    l->place = l->before;
    if (own->search->traced) crn_own_trace(own, CAIRN_EVENT_EXPAND, node);
    fringe_expand(s, l);
    return CAIRN_RUNNING;
}

/* The list is at its end: begins the next iteration, unless none can find a path. */
static cairn_status fringe_iterate(fringe_search *s, fringe_list *l)
{
    if (s->next == UINT64_MAX || (s->bounded && s->next > s->own.limit))
        return crn_own_ended(&s->own);
    s->threshold = s->next;
    s->next = UINT64_MAX;
    l->before = 0;
    return CAIRN_RUNNING;
}

/* One unit of work: passes nodes until one is expanded. */
static cairn_status fringe_unit(fringe_search *s)
{
    crn_own *own = &s->own;
    fringe_list *l = own->list;
    own->work++;
    if (CRN_UNLIKELY(!crn_own_is_marked(own))) return crn_own_mark(own);
    if (own->is_pending) return fringe_expand(s, l), CAIRN_RUNNING;
    for (uint32_t passed = 0; passed < FRINGE_PASSED; passed++) {
        uint32_t entry = fringe_at(l, l->before)->next;
        if (!entry) return fringe_iterate(s, l);
        const fringe_entry *e = fringe_at(l, entry);
        if (e->node == CAIRN_NO_NODE) {
            fringe_remove(l, entry);
        } else if (e->f > s->threshold) {
            if (e->f < s->next) s->next = e->f;
            l->before = entry;
        } else {
            return fringe_take(s, l, entry);
        }
    }
    return CAIRN_RUNNING;
}

static cairn_status fringe_step(cairn_search *search, uint64_t work)
{
    fringe_search *s = search->scratch;
    cairn_status status = CAIRN_RUNNING;
    for (; work && status == CAIRN_RUNNING; work--)
        status = search->memory.failed ? CAIRN_OUT_OF_MEMORY : fringe_unit(s);
    return crn_own_pause(&s->own, status);
}

const crn_algorithm crn_algorithm_fringe = {
    .info = {.name = "fringe",
             .aliases = "fringe-search",
             .summary = "IDA* that goes on from where an iteration ended: optimal, nothing sorted",
             .source = "Björnsson, Enzenberger, Holte and Schaeffer 2005",
             .family = "search",
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS,
             CRN_ALL_WORLDS,
             .parameters = fringe_parameters,
             .parameter_count = CRN_COUNT(fringe_parameters)},
    .create = crn_own_create_estimated,
    .open = fringe_open,
    .begin = fringe_begin,
    .step = fringe_step,
    CRN_OWN_SEARCH_FUNCTIONS,
};
