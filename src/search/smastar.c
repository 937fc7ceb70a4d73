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
 * What fits. A path fits if it has at most `nodes` nodes, both ends included: the tree can hold
 * it, and nothing else. (Russell gives F = infinity to a node at depth `nodes` - 1 that is no
 * goal; here its successors are cut, so that a node without any is known to be a dead end.) A node
 * whose estimate says that it takes more steps to the goal than are left, even if each costs as
 * much as the most expensive edge, is cut as well. The path that is found is the cheapest of those
 * that fit.
 *
 * Duplicates. Of two paths to a node the one may go that costs as much or more and has as many
 * steps or more: whatever follows on it follows on the other, for less, and fits. A path that is
 * cheaper but has more steps takes the place of none: what follows might not fit any more. So a
 * node is in the tree once for each combination of cost and steps that no other one dominates.
 * Equal ones are ordered by the number of their predecessor, then by its edge. If there is room
 * for every node of the world, all paths without a loop fit, and the cost alone decides.
 *
 * Why it is the best. Of the cheapest paths that fit, take those with the fewest steps, and of
 * them the one that this order prefers, from the goal back. No path to one of its nodes dominates
 * the part of it that leads there: with that one instead, the whole would be cheaper or shorter,
 * and fit. So nothing displaces its parts, whatever else is in the tree or was dropped from it.
 * Its deepest part in the tree is open, and its F is at most the cost C of the path: when it was
 * generated it was f or that of its parent, which is at most C as well; when it was backed up, the
 * next part counted with at most C, as a child or as the least F of those that were dropped. What
 * another path displaced, or what is cut, counts no more, and need not: it is no part of that
 * path. So a goal that is the first of the open nodes costs at most its F, and that at most C.
 *
 * What is moved to an equal path with all that follows keeps its F. That is right unless its F was
 * that of the parent that it leaves: this knows only its own successors, of which some may have
 * been displaced. Then it is generated again.
 *
 * What is known. `cut` is the least F of what did not fit. Take the cheapest path of all, again
 * with the fewest steps. Until its first node that does not fit is cut, one of its parts is open,
 * with F at most its cost; then `cut` is at most its cost. So a path that costs no more than `cut`
 * is optimal, and its bound is 1. Of another one the bound says how much cheaper a longer path
 * could be. If no path fits, the answer is CAIRN_TOO_LONG; it is CAIRN_UNREACHABLE if nothing
 * was cut, so always if there is room for all nodes that can be reached.
 *
 * It ends: of the nodes of least F the deepest is expanded, and what follows on it before anything
 * else, until the F of each successor is larger. What is dropped meanwhile has the largest F. So F
 * of the start rises, along the costs of paths that fit.
 *
 * That may take long where none fits, since what was dropped is generated again. So after as many
 * expansions as the world has nodes, or half of the effort, it asks once whether any path fits
 * (smastar_steps.h). That takes time in proportion to the world, and three bits for each of its
 * nodes. They are no nodes of the tree, so `nodes` does not limit them: the limit of bytes that the
 * search was given does. Without one it always asks.
 *
 * With enough memory it expands about what A* does, at a higher price for each node. With little,
 * it drops and generates again, in the worst case as IDA* does. So an `effort` ends the search.
 *
 * A unit of work generates one successor, or backs up F along a few nodes, compares a path with
 * some others, copies a part of a path, or removes some of a displaced part of the tree. The
 * leaves to drop and the nodes to expand are two heaps that know where each node is.
 *
 * Source: Russell, "Efficient Memory-Bounded Search Methods", 1992; thesis of B. Anguelov, section
 * 5.5. Russell's is for trees. The published steps do not say that a parent must remember the F of
 * what it lost; without that it would not know when to generate it again.
 */
#include "search/best_first.h"
#include "search/deepening.h"
#include "search/search_check.h"
#include "search/smastar_steps.h"
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
    uint64_t doubt; /* the expansions after which it asks whether any path fits ... */
    bool asking;    /* ... and it does */
    crn_sma_steps steps;
    bool overflowed;
    uint32_t goal;
    cairn_node best_end; /* the best end of a partial path; the tree keeps the path to it */
    cairn_cost best_cost;
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
    crn_sma_keep(&s->tree, i);
    s->best_end = n->node;
    s->best_cost = n->g;
}

/* A node leaves the tree. */
static void smastar_forget(void *user, uint32_t i)
{
    const smastar_search *s = user;
    if (s->search->traced) smastar_trace(s, CAIRN_EVENT_FORGET, i);
}

/* ---- what fits ---- */

/* The least number of steps of a path that costs `h` or more; 0 if `h` promises nothing. */
static uint64_t smastar_least_steps(const smastar_search *s, uint64_t h)
{
    cairn_cost most = s->search->space->max_edge;
    return s->admissible && most ? (h + most - 1) / most : 0;
}

/* Is there no room for a path of so many nodes, the rest of which costs `h` or more? */
static bool smastar_is_too_long(const smastar_search *s, uint32_t nodes, uint64_t h)
{
    return !s->tree.all_fit && nodes + smastar_least_steps(s, h) > s->tree.limit;
}

/* Would the bits take more memory than a limit of the search allows? What an earlier query has left
 * for them counts already. */
static bool smastar_cannot_ask(const smastar_search *s)
{
    size_t bytes = crn_sma_steps_bytes(s->search->space->node_count);
    size_t held = s->steps.capacity * sizeof *s->steps.block,
           more = bytes > held ? bytes - held : 0;
    for (const crn_scratch *m = &s->search->memory; m; m = m->outer)
        if (m->limit && more > m->limit - m->bytes) return true;
    return false;
}

/* Asks whether any path fits. */
static cairn_status smastar_ask(smastar_search *s)
{
    if (!s->asking) {
        s->doubt = CRN_SMA_NEVER;
        if (s->tree.all_fit || smastar_cannot_ask(s)) return CAIRN_RUNNING;
        s->asking = crn_sma_steps_begin(&s->steps, s->search, s->tree.limit - 1);
        return s->asking ? CAIRN_RUNNING : CAIRN_OUT_OF_MEMORY;
    }
    cairn_status status = crn_sma_steps_unit(&s->steps, s->search);
    if (status != CAIRN_FOUND) return status;
    s->asking = false;
    return CAIRN_RUNNING;
}

/* ---- expanding ---- */

/* Generates the successor at the end of an edge, if that is worth it. */
static crn_sma_outcome smastar_generate(smastar_search *s, uint32_t i, cairn_edge edge)
{
    crn_sma_tree *t = &s->tree;
    const crn_sma_node *n = crn_sma_at(t, i);
    uint64_t g = (uint64_t)n->g + edge.cost;
    if (g > s->most) { /* whether another path leads there only the present tree can tell */
        s->overflowed |= g > CAIRN_COST_MAX && crn_sma_first(t, edge.node) == CRN_SMA_NONE;
        return CRN_SMA_PASSED;
    }
    uint32_t there;
    crn_sma_relation relation = crn_sma_compare(t, i, edge, &there);
    if (relation == CRN_SMA_UNKNOWN) return CRN_SMA_WAITS;
    if (relation == CRN_SMA_WORSE) return CRN_SMA_PASSED;
    uint64_t h = crn_estimate_node(&s->estimate, edge.node), f = g + h > n->f ? g + h : n->f;
    if (s->bounded && g + h > s->most) return CRN_SMA_PASSED;
    if (smastar_is_too_long(s, n->depth + 2, h)) {
        if (f < s->cut) s->cut = f;
        return CRN_SMA_PASSED;
    }
    if (relation == CRN_SMA_BETTER) return crn_sma_displace(t, i, g, there);
    if (t->count == t->limit && crn_sma_drop(t, i) == CRN_SMA_WAITS) return CRN_SMA_WAITS;
    uint32_t fresh = crn_sma_add(t, i, edge, h);
    if (fresh == CRN_SMA_NONE) return CRN_SMA_GENERATED;
    s->generated++;
    crn_sma_at(t, fresh)->is_goal = crn_goals_has(s->search, edge.node);
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
        if (outcome == CRN_SMA_WAITS) return;
        n->next_edge++;
        if (outcome == CRN_SMA_GENERATED) return;
    }
    if (count < SMASTAR_EDGES) smastar_complete(s, i);
}

/* Nothing is left that could lead to a goal. */
static cairn_status smastar_ended(const smastar_search *s)
{
    if (s->cut != CRN_SMA_NEVER) return CAIRN_TOO_LONG;
    return s->overflowed && !s->search->query.max_cost ? CAIRN_COST_OVERFLOW : CAIRN_UNREACHABLE;
}

static cairn_status smastar_unit(smastar_search *s)
{
    if (s->search->memory.failed) return CAIRN_OUT_OF_MEMORY;
    if (s->expanded >= s->effort) return CAIRN_OUT_OF_BUDGET;
    s->work++;
    CRN_CHECK(s->search->context, s->tree.count <= s->tree.limit);
    if (s->asking || s->expanded >= s->doubt) return smastar_ask(s);
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
    {"nodes", "the most nodes that it holds", CAIRN_PARAMETER_INTEGER, 2, 1 << 20, 16384, NULL},
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
    s->tree.scratch = &search->memory;
    return CAIRN_OK;
}

static void smastar_close(cairn_search *search)
{
    smastar_search *s = search->scratch;
    crn_scratch *scratch = &search->memory;
    if (!s) return;
    crn_sma_close(&s->tree);
    crn_sma_steps_close(&s->steps, scratch);
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
    bool due = status != CAIRN_RUNNING || s->work % 1024 == 0;
    if (due && !search->memory.failed && crn_check_pays(s->tree.used, s->work))
        CRN_CHECK_RIGHT(search->context, crn_sma_check(&s->tree));
#endif
    search->metrics = (cairn_metrics){
        .work = s->work,
        .expanded = s->expanded,
        .generated = s->generated,
        .pushes = s->tree.pushes,
        .peak_bytes = sizeof *s + crn_sma_bytes(&s->tree) + s->steps.count * sizeof(uint64_t),
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
    uint32_t nodes = (uint32_t)crn_parameter_of(search->planner, "nodes");
    crn_sma_reset(&s->tree, nodes, nodes >= search->space->node_count);
    s->goal = CRN_SMA_NONE;
    s->doubt = crn_min_u32(search->space->node_count, (uint32_t)crn_saturate(s->effort / 2));
    s->asking = false;
    s->steps.count = 0;
    s->work = s->expanded = 0;
    s->generated = 1;
    s->overflowed = false;
    s->cut = CRN_SMA_NEVER;
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
    if (s->bounded && h > s->most) return smastar_pause(s, CAIRN_UNREACHABLE);
    if (smastar_is_too_long(s, 1, h)) return smastar_pause(s, CAIRN_TOO_LONG);
    return smastar_pause(s, CAIRN_RUNNING);
}

static cairn_status smastar_step(cairn_search *search, uint64_t work)
{
    smastar_search *s = search->scratch;
    cairn_status status = CAIRN_RUNNING;
    for (; work && status == CAIRN_RUNNING; work--) status = smastar_unit(s);
    return smastar_pause(s, status);
}

/* ---- reading the answer ---- */

/* Known are the nodes in memory. Returns the path to one that is read, or CRN_SMA_NONE: if the
 * best end of a partial path has left the memory, there is a copy of the path to it. */
static uint32_t smastar_known(const cairn_search *search, cairn_node node, cairn_cost *cost)
{
    const smastar_search *s = search->scratch;
    bool found = s->goal != CRN_SMA_NONE && node == crn_sma_at(&s->tree, s->goal)->node;
    uint32_t i = found ? s->goal : crn_sma_look_up(&s->tree, node);
    *cost = i == CRN_SMA_NONE ? CAIRN_NO_COST : crn_sma_at(&s->tree, i)->g;
    if (!s->tree.copy_count || node != s->best_end || *cost <= s->best_cost) return i;
    *cost = s->best_cost;
    return CRN_SMA_NONE;
}

static cairn_cost smastar_cost_to(const cairn_search *search, cairn_node node)
{
    cairn_cost cost;
    return smastar_known(search, node, &cost), cost;
}

static cairn_status smastar_path_to(cairn_search *search, cairn_node node)
{
    const crn_sma_tree *t = &((const smastar_search *)search->scratch)->tree;
    cairn_status status = CAIRN_OK;
    cairn_cost cost;
    uint32_t i = smastar_known(search, node, &cost), copied = i == CRN_SMA_NONE ? t->copy_count : 0;
    crn_path_start(search);
    for (uint32_t k = 0; status == CAIRN_OK && k < copied; k++)
        status = crn_path_add(search, crn_sma_at(t, k)->copy);
    for (; status == CAIRN_OK && i != CRN_SMA_NONE; i = crn_sma_at(t, i)->parent)
        status = crn_path_add(search, crn_sma_at(t, i)->node);
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
