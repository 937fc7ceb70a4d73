/* deepening.c: iterative deepening. See deepening.h. */
#include "search/deepening.h"
#include "world/grid_space.h"

enum {
    DEEPENING_EDGES = 8,
    DEEPENING_BLOCK = 64, /* frames of each of the first blocks, as many as they are, ... */
    DEEPENING_SMALL = DEEPENING_BLOCK * DEEPENING_BLOCK, /* ... and of each further one */
    DEEPENING_COPIES = 256,
    DEEPENING_LOOKS = 32,
    DEEPENING_LONGEST = 32 /* of a chain of one node on average: never seen */
};

/* A node of the present path. */
typedef struct deepening_frame {
    cairn_node node;
    cairn_cost g;
    uint32_t chained;   /* the frame before it in its chain, counted from 1; 0 = none */
    uint32_t chain;     /* the last frame of the chain with this frame's number */
    uint32_t fetched;   /* edges that were asked for so far */
    uint32_t at, count; /* in `edges`; full = there may be more */
    cairn_node best;    /* of the path to the best end of a partial path, at this depth */
    cairn_edge edges[DEEPENING_EDGES];
} deepening_frame;

/* What is kept for a node. 0 = nothing. */
typedef struct deepening_kept {
    uint32_t iteration; /* that the cost in the record is from */
    uint32_t estimate;  /* one more than it is */
} deepening_kept;

typedef struct crn_deepening {
    cairn_search *search;
    bool table, cache; /* what is kept for nodes */
    crn_records records;
    crn_estimate estimate;
    deepening_frame **blocks;
    size_t block_count, block_capacity;
    uint32_t depth, deepest;     /* frames in use, and the most of this query: as many are chains */
    uint32_t mask;               /* the least 2^k − 1 that is no less than that, and at least 1 */
    uint32_t best_count, common; /* nodes of the best path; this many are those of the stack */
    bool copying;                /* the best path is that of the stack, and not yet copied */
    cairn_node best_end;
    cairn_cost best_cost;
    cairn_cost limit; /* paths that cost more are ignored */
    bool bounded;     /* and so are those whose f is more */
    uint64_t effort;
    uint64_t threshold, next; /* next: the least f above it so far */
    uint32_t iteration;
    uint64_t work, expanded, generated, overflowed;
    bool goal_found;
    uint32_t lowered; /* nodes of the path that was found whose costs are those of cheapest edges */
    uint32_t looked;  /* edges of the last of them; `least` is the cheapest to the next node */
    cairn_cost least;
} crn_deepening;

const char *const crn_deepening_cache_choices[] = {"off", "on", NULL};

/* ---- the scratch ---- */

static crn_deepening *deepening_of(const cairn_search *search)
{
    return search->scratch;
}

cairn_status crn_deepening_open(cairn_search *search, bool table)
{
    crn_deepening *d = crn_scratch_alloc(&search->memory, sizeof *d);
    if (!d) return CAIRN_OUT_OF_MEMORY;
    memset(d, 0, sizeof *d);
    search->scratch = d;
    d->search = search;
    d->table = table;
    d->records.scratch = &search->memory;
    return CAIRN_OK;
}

/* Frames of a block, and of all up to it. */
static size_t deepening_block_frames(size_t block)
{
    return block < DEEPENING_BLOCK ? DEEPENING_BLOCK : DEEPENING_SMALL;
}

static size_t deepening_frames(size_t blocks)
{
    return blocks <= DEEPENING_BLOCK ? blocks * DEEPENING_BLOCK
                                     : (blocks - DEEPENING_BLOCK + 1) * DEEPENING_SMALL;
}

void crn_deepening_close(cairn_search *search)
{
    crn_deepening *d = deepening_of(search);
    crn_scratch *scratch = &search->memory;
    if (!d) return;
    for (size_t i = 0; i < d->block_count; i++)
        crn_scratch_free(scratch, d->blocks[i], deepening_block_frames(i) * sizeof **d->blocks);
    crn_scratch_free(scratch, d->blocks, d->block_capacity * sizeof *d->blocks);
    crn_records_close(&d->records);
    crn_scratch_free(scratch, d, sizeof *d);
}

/* ---- the stack ---- */

CRN_INLINE deepening_frame *deepening_frame_at(const crn_deepening *d, uint32_t i)
{
    if (CRN_LIKELY(i < DEEPENING_SMALL))
        return &d->blocks[i / DEEPENING_BLOCK][i % DEEPENING_BLOCK];
    return &d->blocks[i / DEEPENING_SMALL + DEEPENING_BLOCK - 1][i % DEEPENING_SMALL];
}

CRN_INLINE uint32_t deepening_hash(cairn_node node)
{
    return (uint32_t)(node * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

CRN_INLINE uint32_t *deepening_chain(const crn_deepening *d, cairn_node node)
{
    uint32_t hash = deepening_hash(node), number = hash & d->mask;
    if (number >= d->deepest) number = hash & d->mask >> 1;
    return &deepening_frame_at(d, number)->chain;
}

/* The path was never so long: there is one chain more. Its nodes were in that with the same lower
 * bits. The order of both stays. */
static void deepening_split(crn_deepening *d)
{
    uint32_t number = d->deepest++;
    if (!number) d->mask = 1;
    uint32_t *fresh = &deepening_frame_at(d, number)->chain;
    uint32_t *old = &deepening_frame_at(d, number & d->mask >> 1)->chain;
    for (uint32_t i = number ? *old : 0; i;) {
        deepening_frame *frame = deepening_frame_at(d, i - 1);
        uint32_t **end = (deepening_hash(frame->node) & d->mask) == number ? &fresh : &old;
        **end = i;
        *end = &frame->chained;
        i = frame->chained;
    }
    *old = *fresh = 0;
    if (d->deepest > d->mask) d->mask = 2 * d->mask + 1;
}

/* The place of a node on the present path, counted from 1; 0 = it is not on it. */
static uint32_t deepening_look_up(const crn_deepening *d, cairn_node node)
{
    uint32_t i = d->depth ? *deepening_chain(d, node) : 0, steps = 0;
    for (; i && deepening_frame_at(d, i - 1)->node != node; steps++)
        i = deepening_frame_at(d, i - 1)->chained;
    CRN_CHECK(d->search->memory.context, steps < DEEPENING_LONGEST);
    return (void)steps, i;
}

static bool deepening_add_block(crn_deepening *d)
{
    void *blocks = d->blocks;
    crn_scratch *scratch = &d->search->memory;
    if (!crn_scratch_grow(scratch, &blocks, &d->block_capacity, d->block_count + 1,
                          sizeof *d->blocks))
        return false;
    d->blocks = blocks;
    deepening_frame *block =
        crn_scratch_alloc(scratch, deepening_block_frames(d->block_count) * sizeof *block);
    if (!block) return false;
    d->blocks[d->block_count++] = block;
    return true;
}

/* One node more on the path. NULL = no memory, which the scratch remembers. */
static deepening_frame *deepening_push(crn_deepening *d, cairn_node node, cairn_cost g)
{
    if (d->depth == deepening_frames(d->block_count) && !deepening_add_block(d)) return NULL;
    deepening_frame *frame = deepening_frame_at(d, d->depth++);
    if (d->depth > d->deepest) deepening_split(d);
    uint32_t *chain = deepening_chain(d, node);
    frame->node = node;
    frame->g = g;
    frame->chained = *chain;
    *chain = d->depth;
    return frame;
}

/* The last of the path is the first of its chain. */
static void deepening_pop(crn_deepening *d)
{
    const deepening_frame *frame = deepening_frame_at(d, --d->depth);
    *deepening_chain(d, frame->node) = frame->chained;
    if (d->common > d->depth) d->common = d->depth;
}

/* ---- what is kept for nodes ---- */

CRN_INLINE crn_page *deepening_page(crn_deepening *d, cairn_node node)
{
    crn_page *page = d->records.table[node / CRN_PAGE];
    return CRN_LIKELY(page != NULL) ? page : crn_records_touch(&d->records, node / CRN_PAGE);
}

CRN_INLINE deepening_kept *deepening_keep(crn_deepening *d, crn_page *page, cairn_node node)
{
    return crn_record_extra(&d->records, page, node % CRN_PAGE);
}

/* Is a path to a node, at this cost, not worth following? If it is, the cost is written down. An
 * equal cost from an earlier iteration must pass: each iteration goes over the same paths again. */
static bool deepening_is_known(crn_deepening *d, cairn_node node, cairn_cost g)
{
    crn_page *page = deepening_page(d, node);
    uint32_t slot = node % CRN_PAGE;
    deepening_kept *kept = deepening_keep(d, page, node);
    if (kept->iteration && page->g[slot] < g) return true;
    if (kept->iteration == d->iteration && page->g[slot] == g) return true;
    kept->iteration = d->iteration;
    page->g[slot] = g;
    if (page->mark[slot] & CRN_MARK_OVERFLOWED) d->overflowed--;
    page->mark[slot] = 0;
    return false;
}

static uint64_t deepening_estimate(crn_deepening *d, cairn_node node)
{
    if (!d->cache) return crn_estimate_node(&d->estimate, node);
    deepening_kept *kept = deepening_keep(d, deepening_page(d, node), node);
    if (kept->estimate) return kept->estimate - 1;
    uint64_t h = crn_estimate_node(&d->estimate, node);
    if (h < UINT32_MAX) kept->estimate = (uint32_t)h + 1;
    return h;
}

/* A path to a node costs more than 32 bits hold. That only counts where no other path is known; who
 * keeps nothing for nodes cannot tell. */
static void deepening_note_overflow(crn_deepening *d, cairn_node node)
{
    if (d->table) {
        crn_page *page = deepening_page(d, node);
        uint32_t slot = node % CRN_PAGE;
        if (deepening_keep(d, page, node)->iteration || page->mark[slot]) return;
        page->mark[slot] = CRN_MARK_OVERFLOWED;
    }
    d->overflowed++;
}

/* ---- events ---- */

static void deepening_trace(const crn_deepening *d, cairn_event_kind kind, cairn_node node,
                            uint32_t above, cairn_cost g)
{
    cairn_node parent = above ? deepening_frame_at(d, above - 1)->node : CAIRN_NO_NODE;
    crn_trace(d->search, kind, node, parent, g,
              crn_saturate(crn_estimate_node(&d->estimate, node)));
}

/* ---- partial paths ---- */

/* Copies what differs from the stack, a piece of it. */
static void deepening_copy(crn_deepening *d)
{
    for (uint32_t i = 0; i < DEEPENING_COPIES && d->common < d->best_count; i++, d->common++) {
        deepening_frame *frame = deepening_frame_at(d, d->common);
        frame->best = frame->node;
    }
    d->copying = d->common < d->best_count;
}

/* Remembers the path to a node that was expanded if none led nearer to the goal. */
static void deepening_consider(crn_deepening *d, const deepening_frame *frame)
{
    cairn_search *search = d->search;
    cairn_cost h = search->closest_h, g = search->closest_g;
    search->reached_goal = d->best_end;
    crn_closest_consider(search, frame->node, frame->g);
    bool better =
        search->closest_h != h || search->closest_g != g || search->reached_goal != d->best_end;
    d->best_end = search->reached_goal;
    search->reached_goal = CAIRN_NO_NODE;
    if (!better) return;
    d->best_count = d->depth;
    d->best_cost = frame->g;
    deepening_copy(d);
}

static void deepening_begin_partial(crn_deepening *d)
{
    d->best_count = d->common = 0;
    d->copying = false;
    if (!d->search->query.partial) return;
    crn_closest_begin(d->search);
    d->best_end = d->search->query.from;
    d->best_cost = 0;
    d->search->reached_goal = CAIRN_NO_NODE;
}

/* ---- a query ---- */

/* Goes on with a node that was pushed: asks for its first edges. */
static void deepening_expand(crn_deepening *d, deepening_frame *frame)
{
    const cairn_space *space = d->search->space;
    d->expanded++;
    if (d->search->traced)
        deepening_trace(d, CAIRN_EVENT_EXPAND, frame->node, d->depth - 1, frame->g);
    if (d->search->query.partial) deepening_consider(d, frame);
    frame->at = 0;
    frame->count = frame->fetched =
        space->functions->expand(space, frame->node, 0, frame->edges, DEEPENING_EDGES);
}

/* Begins an iteration: the path is the start alone. */
static cairn_status deepening_iterate(crn_deepening *d)
{
    cairn_search *search = d->search;
    cairn_node from = search->query.from;
    d->iteration++;
    d->next = UINT64_MAX;
    d->generated++;
    d->overflowed = d->table ? d->overflowed : 0;
    if (d->table) deepening_is_known(d, from, 0);
    if (search->traced) deepening_trace(d, CAIRN_EVENT_PIECE, from, 0, 0);
    deepening_frame *frame = deepening_push(d, from, 0);
    if (!frame || search->memory.failed) return CAIRN_OUT_OF_MEMORY;
    deepening_expand(d, frame);
    return CAIRN_RUNNING;
}

/* A node whose f exceeds the threshold. */
static void deepening_cut(crn_deepening *d, cairn_node node, cairn_cost g, uint64_t f)
{
    if (f < d->next) d->next = f;
    d->generated++;
    if (!d->search->traced) return;
    deepening_trace(d, CAIRN_EVENT_GENERATE, node, d->depth, g);
    deepening_trace(d, CAIRN_EVENT_FORGET, node, d->depth, g);
}

/* Tries an edge of the last node of the path. True if the path is longer now. */
static bool deepening_try(crn_deepening *d, cairn_cost before, cairn_edge edge)
{
    cairn_search *search = d->search;
    uint64_t g = (uint64_t)before + edge.cost;
    if (CRN_UNLIKELY(g > d->limit)) {
        if (g > CAIRN_COST_MAX) deepening_note_overflow(d, edge.node);
        return false;
    }
    if (d->table ? deepening_is_known(d, edge.node, (cairn_cost)g)
                 : deepening_look_up(d, edge.node) != 0)
        return false;
    uint64_t f = g + deepening_estimate(d, edge.node);
    if (d->bounded && f > d->limit) return false;
    if (f > d->threshold) {
        deepening_cut(d, edge.node, (cairn_cost)g, f);
        return false;
    }
    d->generated++;
    if (search->traced)
        deepening_trace(d, CAIRN_EVENT_GENERATE, edge.node, d->depth, (cairn_cost)g);
    deepening_frame *frame = deepening_push(d, edge.node, (cairn_cost)g);
    if (!frame) return true;
    d->goal_found = crn_goals_has(search, edge.node);
    if (!d->goal_found) deepening_expand(d, frame);
    return true;
}

/* ---- the cheapest edges ---- */

/* Can several edges lead from a node to the same other one? On grids: a step and a link. */
static bool deepening_is_plural(const crn_deepening *d)
{
    const crn_grid_space *map = crn_grid_space_of(d->search->space);
    return !map || map->links.count;
}

/* A path is found: lowers the costs of its nodes to those of the cheapest edges between them. Some
 * edges in a unit of work. */
static cairn_status deepening_lower(crn_deepening *d)
{
    const cairn_space *space = d->search->space;
    cairn_edge edges[DEEPENING_EDGES];
    for (uint32_t i = 0; i < DEEPENING_LOOKS && d->lowered < d->depth; i++) {
        const deepening_frame *last = deepening_frame_at(d, d->lowered - 1);
        deepening_frame *next = deepening_frame_at(d, d->lowered);
        uint32_t count =
            space->functions->expand(space, last->node, d->looked, edges, DEEPENING_EDGES);
        for (uint32_t e = 0; e < count; e++) {
            if (edges[e].node == next->node) d->least = crn_min_u32(d->least, edges[e].cost);
        }
        d->looked += count;
        if (count == DEEPENING_EDGES) continue;
        next->g = last->g + d->least;
        d->lowered++;
        d->looked = 0;
        d->least = CAIRN_NO_COST;
    }
    return d->lowered < d->depth ? CAIRN_RUNNING : CAIRN_FOUND;
}

/* A goal ends the path. If that is the cheapest of all, so are its edges. */
static cairn_status deepening_arrive(crn_deepening *d)
{
    bool cheapest = d->search->planner->optimal && !d->search->query.estimate;
    d->lowered = deepening_is_plural(d) && !cheapest ? 1 : d->depth;
    d->looked = 0;
    d->least = CAIRN_NO_COST;
    return deepening_lower(d);
}

/* All edges of the last node are done. */
static cairn_status deepening_leave(crn_deepening *d)
{
    const deepening_frame *frame = deepening_frame_at(d, d->depth - 1);
    if (d->search->traced) {
        deepening_trace(d, CAIRN_EVENT_CLOSE, frame->node, d->depth - 1, frame->g);
        deepening_trace(d, CAIRN_EVENT_FORGET, frame->node, d->depth - 1, frame->g);
    }
    deepening_pop(d);
    if (d->depth) return CAIRN_RUNNING;
    if (d->next == UINT64_MAX)
        return d->overflowed && !d->search->query.max_cost ? CAIRN_COST_OVERFLOW
                                                           : CAIRN_UNREACHABLE;
    if (d->expanded >= d->effort) return CAIRN_OUT_OF_BUDGET;
    d->threshold = d->next;
    return deepening_iterate(d);
}

/* One unit of work: along the edges of the last node until the path gets longer, or shorter. */
static cairn_status deepening_unit(crn_deepening *d)
{
    cairn_search *search = d->search;
    const cairn_space *space = search->space;
    if (search->memory.failed) return CAIRN_OUT_OF_MEMORY;
    if (d->goal_found) return d->work++, deepening_lower(d);
    if (d->copying) return d->work++, deepening_copy(d), CAIRN_RUNNING;
    if (d->expanded >= d->effort) return CAIRN_OUT_OF_BUDGET;
    d->work++;
    deepening_frame *frame = deepening_frame_at(d, d->depth - 1);
    while (frame->at < frame->count) {
        if (!deepening_try(d, frame->g, frame->edges[frame->at++])) continue;
        if (search->memory.failed) return CAIRN_OUT_OF_MEMORY;
        return d->goal_found ? deepening_arrive(d) : CAIRN_RUNNING;
    }
    if (search->memory.failed) return CAIRN_OUT_OF_MEMORY; /* what was kept is of other nodes */
    if (frame->count < DEEPENING_EDGES) return deepening_leave(d);
    frame->at = 0;
    frame->count =
        space->functions->expand(space, frame->node, frame->fetched, frame->edges, DEEPENING_EDGES);
    frame->fetched += frame->count;
    return CAIRN_RUNNING;
}

static cairn_status deepening_prepare_records(crn_deepening *d)
{
    uint32_t pages = (d->search->space->node_count + CRN_PAGE - 1) / CRN_PAGE;
    crn_records *records = &d->records;
    if (!d->table && !d->cache) return CAIRN_OK;
    if (records->page_count < pages) crn_records_close(records);
    if (!records->table)
        return crn_records_open(records, &d->search->memory, pages, false, sizeof(deepening_kept));
    crn_records_reset(records);
    return CAIRN_OK;
}

/* Ends each step: fills in the metrics. */
static cairn_status deepening_pause(crn_deepening *d, cairn_status status)
{
    cairn_search *search = d->search;
    uint32_t block = d->deepest <= DEEPENING_SMALL ? DEEPENING_BLOCK : DEEPENING_SMALL;
    size_t frames = (size_t)((d->deepest + block - 1) / block) * block;
    bool kept = d->table || d->cache;
    search->metrics = (cairn_metrics){
        .work = d->work,
        .expanded = d->expanded,
        .generated = d->generated,
        .pushes = d->expanded,
        .peak_bytes = sizeof *d + frames * sizeof(deepening_frame) +
                      (kept ? crn_records_bytes(&d->records) : 0),
    };
    if (status != CAIRN_FOUND) return status;
    const deepening_frame *goal = deepening_frame_at(d, d->depth - 1);
    search->reached_goal = goal->node;
    if (search->traced && !search->subsearch)
        deepening_trace(d, CAIRN_EVENT_END, goal->node, d->depth - 1, goal->g);
    return status;
}

/* The start is the goal: nothing is searched. */
static cairn_status deepening_stay(crn_deepening *d)
{
    d->generated = 1;
    if (!deepening_push(d, d->search->query.from, 0)) return CAIRN_OUT_OF_MEMORY;
    return deepening_pause(d, CAIRN_FOUND);
}

cairn_status crn_deepening_begin(cairn_search *search)
{
    crn_deepening *d = deepening_of(search);
    const crn_heuristic *plug;
    cairn_heuristic metric = crn_own_metric(search->planner, &plug);
    int64_t cache = 0, effort = CRN_EFFORT_MOST;
    crn_parameter(search->planner, "cache", &cache);
    crn_parameter(search->planner, "effort", &effort);
    d->cache = cache != 0;
    d->effort = (uint64_t)effort;
    if (search->query.goal_kind == CAIRN_GOAL_NONE) return CAIRN_UNSUPPORTED;
    cairn_status status = deepening_prepare_records(d);
    if (status != CAIRN_OK) return status;
    crn_search_bind(&d->estimate, search, plug, metric);
    d->bounded = search->planner->optimal && !search->query.estimate && search->query.max_cost;
    d->limit = search->query.max_cost ? search->query.max_cost : CAIRN_COST_MAX;
    d->work = d->expanded = d->generated = d->overflowed = 0;
    d->depth = d->deepest = d->iteration = 0;
    d->goal_found = false;
    deepening_begin_partial(d);
    d->threshold = crn_estimate_node(&d->estimate, search->query.from);
    crn_search_announce(search, d->threshold);
    if (crn_goals_has(search, search->query.from)) return deepening_stay(d);
    if (d->bounded && d->threshold > d->limit)
        return d->generated = 1, deepening_pause(d, CAIRN_UNREACHABLE);
    return deepening_pause(d, deepening_iterate(d));
}

cairn_status crn_deepening_step(cairn_search *search, uint64_t work)
{
    crn_deepening *d = deepening_of(search);
    cairn_status status = CAIRN_RUNNING;
    for (; work && status == CAIRN_RUNNING; work--) status = deepening_unit(d);
    return deepening_pause(d, status);
}

/* ---- reading the answer ---- */

/* Known are the nodes of the path that was found, or of the one that the search stood on. */
cairn_cost crn_deepening_cost_to(const cairn_search *search, cairn_node node)
{
    const crn_deepening *d = deepening_of(search);
    uint32_t place = deepening_look_up(d, node);
    if (node == search->query.from) return 0;
    if (place) return deepening_frame_at(d, place - 1)->g;
    return d->best_count && node == d->best_end ? d->best_cost : CAIRN_NO_COST;
}

/* Is the best end of a partial path asked for, and the copy of its path needed? Not if the path
 * that was found leads there. */
static bool deepening_reads_best(const crn_deepening *d, cairn_node node)
{
    return d->best_count && node == d->best_end && !(d->goal_found && deepening_look_up(d, node));
}

/* The first `count` nodes of the present path, or of the best one, at this cost; or at that of the
 * cheapest edges, if the search has ended before it knew them. */
static cairn_status deepening_read(cairn_search *search, uint32_t count, bool best, cairn_cost cost)
{
    const crn_deepening *d = deepening_of(search);
    bool known = d->goal_found && d->lowered == d->depth && !best;
    bool lower = !known && deepening_is_plural(d);
    cairn_node after = CAIRN_NO_NODE;
    if (lower) cost = 0;
    for (uint32_t i = count; i; i--) {
        const deepening_frame *frame = deepening_frame_at(d, i - 1);
        cairn_node node = best ? frame->best : frame->node;
        if (lower && i < count) cost += cairn_space_step_cost(search->space, node, after);
        cairn_status status = crn_path_add(search, node);
        if (status != CAIRN_OK) return status;
        after = node;
    }
    return crn_path_finish(search, cost), CAIRN_OK;
}

cairn_status crn_deepening_path_to(cairn_search *search, cairn_node node)
{
    const crn_deepening *d = deepening_of(search);
    uint32_t place = deepening_look_up(d, node);
    crn_path_start(search);
    if (deepening_reads_best(d, node))
        return deepening_read(search, d->best_count, !d->copying, d->best_cost);
    if (place) return deepening_read(search, place, false, deepening_frame_at(d, place - 1)->g);
    cairn_status status = crn_path_add(search, node); /* the start */
    if (status == CAIRN_OK) crn_path_finish(search, 0);
    return status;
}

bool crn_deepening_closest(cairn_search *search, uint64_t work, bool first)
{
    search->reached_goal = deepening_of(search)->best_end;
    return (void)work, (void)first, true;
}

cairn_status crn_deepening_reached(const cairn_search *search, cairn_visit *visit, void *user)
{
    for (cairn_node node = 0; node < search->space->node_count; node++) {
        cairn_cost cost = crn_deepening_cost_to(search, node);
        if (cost != CAIRN_NO_COST) visit(user, node, cost);
    }
    return CAIRN_OK;
}
