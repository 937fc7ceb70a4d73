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
#include "search/search_check.h"
#include "search/smastar_tree.h"

/* Edges for a unit of work. */
enum { SMASTAR_EDGES = 8 };

typedef struct smastar_search {
    cairn_search *search;
    crn_sma_tree tree;
    crn_estimate estimate;
    cairn_cost most;      /* paths that cost more are ignored */
    bool admissible;      /* f never exceeds the cost of the path it promises ... */
    bool bounded;         /* ... and there is a limit of cost */
    uint64_t effort, cut; /* cut: least f of what did not fit */
    uint64_t work, expanded, generated;
    bool overflowed;
    uint32_t goal;
    uint32_t best;       /* the best end of a partial path, if it is in memory, ... */
    cairn_node best_end; /* ... which node that is, ... */
    cairn_cost best_cost;
    cairn_node *path; /* ... and a copy of the path to it if it is not */
    size_t path_capacity;
    uint32_t path_count;
} smastar_search;

/* ---- events ---- */

static void smastar_trace(const smastar_search *s, cairn_event_kind kind, uint32_t i)
{
    const crn_sma_node *n = crn_sma_at(&s->tree, i);
    cairn_node parent =
        n->parent == CRN_SMA_NONE ? CAIRN_NO_NODE : crn_sma_at(&s->tree, n->parent)->node;
    crn_trace(s->search, kind, n->node, parent, n->g,
              crn_saturate(crn_estimate_node(&s->estimate, n->node)));
}

/* ---- partial paths ---- */

/* A node that was expanded: the best so far? */
static void smastar_consider(smastar_search *s, uint32_t i)
{
    cairn_search *search = s->search;
    const crn_sma_node *n = crn_sma_at(&s->tree, i);
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
    s->best = CRN_SMA_NONE;
    s->path_count = 0;
    if (!crn_scratch_grow(&s->search->memory, &path, &s->path_capacity,
                          crn_sma_at(&s->tree, i)->depth + 1u, sizeof *s->path))
        return;
    s->path = path;
    for (; i != CRN_SMA_NONE; i = crn_sma_at(&s->tree, i)->parent)
        s->path[s->path_count++] = crn_sma_at(&s->tree, i)->node;
}

/* A node leaves the tree. */
static void smastar_forget(void *user, uint32_t i)
{
    smastar_search *s = user;
    if (s->best == i) smastar_copy_best(s);
    if (s->search->traced) smastar_trace(s, CAIRN_EVENT_FORGET, i);
}

/* ---- expanding ---- */

/* Generates the successor at the end of an edge, if that is worth it. */
static crn_sma_outcome smastar_generate(smastar_search *s, uint32_t i, cairn_edge edge)
{
    crn_sma_node *n = crn_sma_at(&s->tree, i);
    uint64_t g = (uint64_t)n->g + edge.cost;
    uint32_t there = crn_sma_look_up(&s->tree, edge.node);
    if (g > s->most) { /* whether another path leads there only the present tree can tell */
        if (g > CAIRN_COST_MAX && there == CRN_SMA_NONE) s->overflowed = true;
        return CRN_SMA_PASSED;
    }
    if (there != CRN_SMA_NONE) {
        if (!crn_sma_prefers(&s->tree, i, g, there)) return CRN_SMA_PASSED;
        return crn_sma_displace(&s->tree, i, g, there);
    }
    uint64_t h = crn_estimate_node(&s->estimate, edge.node), f = g + h > n->f ? g + h : n->f;
    if (s->bounded && g + h > s->most) return CRN_SMA_PASSED;
    if (n->depth + 2 > s->tree.limit) { /* nodes of the path */
        if (f < s->cut) s->cut = f;
        return CRN_SMA_PASSED;
    }
    if (s->tree.count == s->tree.limit && !crn_sma_drop(&s->tree, i)) return CRN_SMA_GENERATED;
    uint32_t fresh = crn_sma_add(&s->tree, i, edge, h);
    if (fresh == CRN_SMA_NONE) return CRN_SMA_GENERATED;
    s->generated++;
    crn_sma_at(&s->tree, fresh)->is_goal = crn_goals_has(s->search, edge.node);
    if (s->search->traced) smastar_trace(s, CAIRN_EVENT_GENERATE, fresh);
    return CRN_SMA_GENERATED;
}

/* All edges of a node are done. If successors were dropped meanwhile it stays open, and another
 * round follows. */
static bool smastar_complete(smastar_search *s, uint32_t i)
{
    crn_sma_node *n = crn_sma_at(&s->tree, i);
    if (!n->complete && s->search->traced) smastar_trace(s, CAIRN_EVENT_CLOSE, i);
    n->complete = true;
    n->next_edge = 0;
    n->begun = false;
    n->forgotten = n->lost;
    n->lost = CRN_SMA_NEVER;
    if (n->forgotten == CRN_SMA_NEVER) crn_sma_remove(&s->tree, CRN_SMA_OPEN, i);
    crn_sma_back_up(&s->tree, i);
    return crn_sma_settle(&s->tree, i);
}

/* Generates one successor, or passes some that are not worth it. */
static void smastar_expand(smastar_search *s, uint32_t i)
{
    const cairn_space *space = s->search->space;
    crn_sma_node *n = crn_sma_at(&s->tree, i);
    cairn_edge edges[SMASTAR_EDGES];
    if (!n->begun) {
        n->begun = true;
        s->expanded++;
        if (s->search->traced) smastar_trace(s, CAIRN_EVENT_EXPAND, i);
        if (s->search->query.partial) smastar_consider(s, i);
    }
    uint32_t count = space->functions->expand(space, n->node, n->next_edge, edges, SMASTAR_EDGES);
    for (uint32_t k = 0; k < count; k++) {
        crn_sma_outcome outcome = smastar_generate(s, i, edges[k]);
        if (outcome == CRN_SMA_DISPLACES) return; /* it is generated when there is room for it */
        n->next_edge++;
        if (outcome == CRN_SMA_GENERATED) return;
    }
    if (count < SMASTAR_EDGES) smastar_complete(s, i);
}

/* Nothing is left that could lead to a goal. */
static cairn_status smastar_ended(const smastar_search *s)
{
    if (s->cut != CRN_SMA_NEVER) return CAIRN_OUT_OF_MEMORY;
    return s->overflowed && !s->search->query.max_cost ? CAIRN_COST_OVERFLOW : CAIRN_UNREACHABLE;
}

static cairn_status smastar_unit(smastar_search *s)
{
    if (s->search->memory.failed) return CAIRN_OUT_OF_MEMORY;
    if (s->expanded >= s->effort) return CAIRN_OUT_OF_BUDGET;
    s->work++;
    CRN_CHECK(s->search->context, s->tree.count <= s->tree.limit);
    if (crn_sma_go_on(&s->tree)) return CAIRN_RUNNING;
    if (!s->tree.heap_count[CRN_SMA_OPEN]) return smastar_ended(s);
    uint32_t i = s->tree.heaps[CRN_SMA_OPEN][0];
    const crn_sma_node *n = crn_sma_at(&s->tree, i);
    if (n->f == CRN_SMA_NEVER) return smastar_ended(s);
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
    s->tree.forget = smastar_forget;
    s->tree.user = s;
    return crn_sma_open(&s->tree, &search->memory);
}

static void smastar_close(cairn_search *search)
{
    smastar_search *s = search->scratch;
    crn_scratch *scratch = &search->memory;
    if (!s) return;
    crn_sma_close(&s->tree);
    crn_scratch_free(scratch, s->path, s->path_capacity * sizeof *s->path);
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
#if defined(CAIRN_CHECKS)
    bool due = status != CAIRN_RUNNING || s->work % CRN_SMA_CHAINS == 0;
    if (due && !search->memory.failed && crn_check_pays(s->tree.count + CRN_SMA_CHAINS, s->work))
        CRN_CHECK_RIGHT(search->context, crn_sma_check(&s->tree));
#endif
    search->metrics = (cairn_metrics){
        .work = s->work,
        .expanded = s->expanded,
        .generated = s->generated,
        .pushes = s->tree.pushes,
        .peak_bytes = sizeof *s + crn_sma_bytes(&s->tree) + s->path_count * sizeof *s->path,
    };
    if (status != CAIRN_FOUND) return status;
    const crn_sma_node *goal = crn_sma_at(&s->tree, s->goal);
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
    crn_sma_reset(&s->tree, crn_parameter_of(search->planner, "nodes"));
    s->goal = s->best = CRN_SMA_NONE;
    s->work = s->expanded = 0;
    s->generated = 1;
    s->overflowed = false;
    s->cut = CRN_SMA_NEVER;
    s->path_count = 0;
    s->most = search->query.max_cost ? search->query.max_cost : CAIRN_COST_MAX;
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
    uint32_t root = crn_sma_add(&s->tree, CRN_SMA_NONE, (cairn_edge){from, 0}, h);
    if (root == CRN_SMA_NONE) return CAIRN_OUT_OF_MEMORY;
    crn_sma_at(&s->tree, root)->is_goal = crn_goals_has(search, from);
    s->goal = root;
    if (crn_sma_at(&s->tree, root)->is_goal) return smastar_pause(s, CAIRN_FOUND);
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
    uint32_t i = crn_sma_look_up(&s->tree, node);
    if (i != CRN_SMA_NONE) return crn_sma_at(&s->tree, i)->g;
    return s->path_count && node == s->best_end ? s->best_cost : CAIRN_NO_COST;
}

static cairn_status smastar_path_to(cairn_search *search, cairn_node node)
{
    const smastar_search *s = search->scratch;
    cairn_status status = CAIRN_OK;
    uint32_t i = crn_sma_look_up(&s->tree, node);
    /* another path to the best end of a partial path may be in memory by now */
    bool copied = s->path_count && s->best == CRN_SMA_NONE && node == s->best_end &&
                  (i == CRN_SMA_NONE || crn_sma_at(&s->tree, i)->g > s->best_cost);
    cairn_cost cost = copied ? s->best_cost : smastar_cost_to(search, node);
    crn_path_start(search);
    for (uint32_t k = 0; copied && status == CAIRN_OK && k < s->path_count; k++)
        status = crn_path_add(search, s->path[k]);
    for (; !copied && status == CAIRN_OK && i != CRN_SMA_NONE; i = crn_sma_at(&s->tree, i)->parent)
        status = crn_path_add(search, crn_sma_at(&s->tree, i)->node);
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
