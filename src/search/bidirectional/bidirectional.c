/* bidirectional.c: A* from both ends.
 *
 * One search goes forward from the start, the other backward from the goals, along edges that lead
 * to a node. Where they meet there is a path, but seldom the best one: `best` is what the cheapest
 * of these paths costs, and the search ends when neither side can lead to a cheaper one.
 *
 * The variant `nba` is New Bidirectional A*. A side leaves a node out if
 * - its cost and the estimate of the rest are no less than `best`, or if
 * - its cost, and what the other side at least has left, are no less than `best`. A path that is
 *   still to be found leads from the node u over a node v on the other side's list. That costs
 *   g(v) + back(v) >= floor altogether, where back(v) estimates the cost between v and the other
 *   side's aim. If estimates are consistent, back(v) is at most back(u) and the cost from u to v.
 *   So the path costs at least g(u) + floor - back(u).
 * The second rule makes both sides stop soon after they have met: a node that the other side has
 * closed never passes it. The search is over when one of the sides has nothing left.
 *
 * Why that is exact: let P be a cheapest path, and the best so far cost more. Then the first node
 * of P that the forward side has not expanded with its least cost is on the forward list with
 * that cost, and likewise, from the other end, on the backward list. Both rules let both nodes
 * pass. So neither list is empty, and sooner or later the two nodes are neighbours, which is when
 * the path is found. Nothing here depends on the order in which nodes are taken: so the lists may
 * be buckets, nodes closed too early are opened again, and either side may be next. On uniform
 * grids both sides generate moves in canonical order (grid_space.c): the argument then holds for
 * the canonical cheapest path of each side, since all nodes of cheapest paths pass the rules.
 *
 * Estimates of graphs, and Euclidean ones, are rounded down: between any two nodes they are
 * inconsistent by a unit at most. The second rule has that much slack.
 *
 * The side to work on is the one with the shorter list (Pohl's cardinality criterion). It changes
 * when a bucket is empty, or with every node of a heap.
 *
 * The variant `nbs` is in bidirectional_nbs.c.
 *
 * Sources: Pijls and Post, "Yet another bidirectional algorithm for finding the shortest path",
 * 2009; Pohl, "Bi-directional Search", 1971; Chen, Holte, Zilles and Sturtevant, "Front-to-End
 * Bidirectional Heuristic Search with Near-Optimal Node Expansions", 2017.
 */
#include "search/bidirectional/bidirectional.h"
#include "search/own_search.h"
#include "search/search_check.h"
#include "open/open_check.h"
#include "world/graph.h"
#include "world/view.h"

#include <stddef.h>

_Static_assert(offsetof(crn_page, g) == offsetof(crn_bidir_half, g) &&
                   offsetof(crn_page, mark) == offsetof(crn_bidir_half, mark),
               "a page begins with its forward half");

enum { BIDIR_NBA, BIDIR_NBS };

static const char *const bidir_variants[] = {"nba", "nbs", NULL};
static const char *const bidir_heuristics[] = {"auto", "null", NULL};

static const cairn_parameter bidir_parameters[] = {
    {"variant", "which nodes are expanded: New Bidirectional A*, or near-optimal pairs of nodes",
     CAIRN_PARAMETER_CHOICE, 0, 1, BIDIR_NBA, bidir_variants},
    {"heuristic", "estimates of both sides: those of the space, or none", CAIRN_PARAMETER_CHOICE, 0,
     1, CAIRN_HEURISTIC_AUTO, bidir_heuristics},
};

static cairn_status bidir_create(cairn_planner *planner, cairn_error *error)
{
    (void)error;
    planner->optimal = true;
    planner->bound = 1;
    return CAIRN_OK;
}

static void bidir_destroy(cairn_planner *planner)
{
    (void)planner;
}

/* It needs somewhere to begin from behind, the edges that lead to a node, and estimates that it can
 * turn round. */
static bool bidir_handles(const cairn_search *search)
{
    return search->query.goal_kind != CAIRN_GOAL_NONE && !search->query.estimate &&
           search->space->functions->expand_back;
}

/* ---- the scratch ---- */

static crn_bidir *bidir_of(const cairn_search *search)
{
    return search->scratch;
}

static cairn_status bidir_open(cairn_search *search)
{
    crn_bidir *b = search->scratch = crn_scratch_alloc(&search->memory, sizeof *b);
    if (!b) return CAIRN_OUT_OF_MEMORY;
    memset(b, 0, sizeof *b);
    b->search = search;
    b->tiles.scratch = b->pages.scratch = &search->memory;
    for (uint32_t i = 0; i < 2; i++) {
        crn_buckets_open(&b->sides[i].buckets, &search->memory);
        crn_heap_open(&b->sides[i].heap, &search->memory);
        crn_heap_open(&b->sides[i].ready, &search->memory);
    }
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        int64_t place = crn_dy[d] * 0x10000 + crn_dx[d], slot = crn_dy[d] * 16 + crn_dx[d];
        b->spot_step[d] = (uint64_t)place + ((uint64_t)slot << 56);
    }
    return CAIRN_OK;
}

static void bidir_close(cairn_search *search)
{
    crn_bidir *b = bidir_of(search);
    if (!b) return;
    crn_records_close(&b->tiles);
    crn_records_close(&b->pages);
    for (uint32_t i = 0; i < 2; i++) {
        crn_heap_close(&b->sides[i].ready);
        crn_heap_close(&b->sides[i].heap);
        crn_buckets_close(&b->sides[i].buckets);
    }
    crn_scratch_free(&search->memory, b, sizeof *b);
}

/* ---- records ---- */

CRN_NOINLINE crn_page *crn_bidir_touch(crn_bidir *b, uint32_t number)
{
    crn_page *page = crn_records_touch(b->records, number);
    if (b->map) page->origin = (number / b->columns << 16 | number % b->columns) * 16;
    return page;
}

/* The node before this one as seen from a side's end; CAIRN_NO_NODE at the end itself. */
static cairn_node bidir_before(const crn_bidir *b, uint32_t side, crn_bidir_spot spot)
{
    const crn_bidir_side *s = &b->sides[side];
    crn_page *page = b->table[crn_bidir_number(b, spot)];
    uint32_t slot = crn_bidir_slot(b, spot);
    if (!b->map) return crn_bidir_parents(s, page)[slot];
    uint32_t move = crn_bidir_half_at(page, s->half)->mark[slot] & CRN_MARK_MOVE;
    if (move == CRN_NO_ARRIVAL) return CAIRN_NO_NODE;
    return crn_bidir_node(b, spot - b->spot_step[move]);
}

void crn_bidir_trace(crn_bidir *b, cairn_event_kind kind, uint32_t side, crn_bidir_spot spot)
{
    const crn_bidir_side *s = &b->sides[side];
    crn_page *page = b->table[crn_bidir_number(b, spot)];
    cairn_node node = crn_bidir_node(b, spot);
    cairn_event event = {
        kind,
        b->search->level | (side ? CAIRN_LEVEL_BACKWARD : 0),
        node,
        page ? bidir_before(b, side, spot) : CAIRN_NO_NODE,
        crn_bidir_half_at(page ? page : b->records->spare, s->half)->g[crn_bidir_slot(b, spot)],
        crn_saturate(crn_estimate_node(&s->estimate, node))};
    b->search->sink.event(b->search->sink.user, &event);
}

CRN_NOINLINE void crn_bidir_meet(crn_bidir *b, crn_bidir_spot spot, uint64_t cost)
{
    b->best = cost;
    b->meeting = spot;
    b->met = b->bounded = true;
    b->watch = 0;
}

/* ---- a query ---- */

/* Are costs and moves such that the loop for uniform grids can do it? */
static bool bidir_is_uniform(const crn_bidir *b)
{
    const crn_grid_space *map = b->map;
    cairn_heuristic metric = b->sides[0].estimate.metric;
    bool four = metric == CAIRN_HEURISTIC_MANHATTAN, none = metric == CAIRN_HEURISTIC_NULL;
    return map && map->uniform && !map->hex && b->search->goal_count == 1 &&
           (metric == CAIRN_HEURISTIC_OCTILE || four || none);
}

static void bidir_learn_uniform(crn_bidir *b)
{
    const crn_grid_space *map = b->map;
    cairn_heuristic metric = b->sides[0].estimate.metric;
    b->watch = b->bounded || b->traced ? 0 : b->best;
    memcpy(b->step, map->step, sizeof b->step);
    b->usable = map->usable;
    b->straight = metric == CAIRN_HEURISTIC_NULL ? 0 : map->step[CRN_N];
    b->shortcut = metric == CAIRN_HEURISTIC_OCTILE ? 2 * map->step[CRN_N] - map->step[CRN_NE] : 0;
    for (uint32_t i = 0; i < 2; i++) {
        const crn_box *box = &b->sides[i].estimate.box;
        b->sides[i].x = box->left;
        b->sides[i].y = box->top;
    }
}

/* Are estimates inconsistent by a unit at most? Those of the worlds of others may be anything, and
 * those of graphs do not count distances that have no exact double: too short ones are worth less
 * than a unit, too long ones have no path whose cost fits, if the scale is not absurd. */
static bool bidir_nearly_consistent(const cairn_space *space, cairn_heuristic metric)
{
    const cairn_graph *graph = cairn_space_graph(space);
    if (!graph) return space->world == CAIRN_WORLD_GRID;
    double scale = graph->estimate_scale[metric];
    return scale > 1e-250 && scale < 1e250;
}

/* Each side's estimate is bound to the end of the other one. */
static void bidir_bind(crn_bidir *b)
{
    const cairn_search *search = b->search;
    const cairn_space *space = search->space;
    cairn_heuristic metric = crn_parameter_of(search->planner, "heuristic")
                                 ? CAIRN_HEURISTIC_NULL
                                 : space->default_heuristic;
    if (!cairn_heuristic_admissible(space, metric)) metric = CAIRN_HEURISTIC_NULL;
    bool consistent = crn_heuristic_consistent(space, metric);
    b->slack = consistent ? 0 : 2;
    b->apart = !consistent && !bidir_nearly_consistent(space, metric);
    crn_box start = crn_box_empty();
    crn_box_add(&start, space, search->query.from);
    crn_aim goals = {.space = space,
                     .metric = metric,
                     .nodes = search->goals,
                     .count = search->goal_count,
                     .box = &search->box};
    crn_aim back = {.space = space,
                    .metric = metric,
                    .nodes = &search->query.from,
                    .count = 1,
                    .box = &start,
                    .backward = true};
    crn_estimate_bind(&b->sides[CRN_FORWARD].estimate, NULL, &goals);
    crn_estimate_bind(&b->sides[CRN_BACKWARD].estimate, NULL, &back);
}

/* How far apart the keys of the goals can be. */
static uint64_t bidir_goal_span(const crn_bidir *b)
{
    const crn_box *box = &b->search->box;
    if (b->search->goal_count == 1) return 0;
    if (!b->map) return UINT64_MAX;
    return (uint64_t)b->space->max_step *
           (uint32_t)(box->right - box->left + box->bottom - box->top);
}

/* Buckets as in best_first.c: about a third as wide as the cheapest step. A heap where edges differ
 * too much, and where goals lie so far apart that the first keys would not fit a ring. Links have
 * no room in the records of cells, and cells are not put on heaps. */
static cairn_status bidir_prepare_lists(crn_bidir *b, bool nbs)
{
    const cairn_space *space = b->space;
    const crn_grid_space *map = crn_grid_space_of(space);
    uint32_t shift = crn_highest_bit((uint64_t)space->min_edge * 45 / 128 + 1);
    uint64_t span = 3 * (uint64_t)space->max_step, links = 2 * (uint64_t)space->max_edge,
             longest = (uint64_t)(CRN_BUCKETS_MAX - 2) << shift;
    b->map = map && !map->links.count ? map : NULL;
    uint64_t goals = bidir_goal_span(b);
    b->bucketed = !nbs && span <= longest && goals <= longest;
    if (!b->bucketed) b->map = NULL;
    if (links > span) span = links < longest ? links : longest;
    if (goals > span) span = goals;
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < 2 && status == CAIRN_OK; i++) {
        crn_bidir_side *side = &b->sides[i];
        side->floor = side->pushed = side->taken = 0;
        crn_heap_reset(&side->heap);
        crn_heap_reset(&side->ready);
        if (b->bucketed) status = crn_buckets_reset(&side->buckets, shift, span);
    }
    return status;
}

/* Tiles of cells, or pages of nodes with parents. */
static cairn_status bidir_prepare_records(crn_bidir *b)
{
    uint32_t pages = (b->space->node_count + CRN_PAGE - 1) / CRN_PAGE;
    size_t extra = sizeof(crn_bidir_half) / CRN_PAGE + (b->map ? 0 : sizeof(uint32_t));
    if (b->map) {
        b->columns = (b->map->grid->width + 15) / 16;
        pages = b->columns * ((b->map->grid->height + 15) / 16);
    }
    crn_records *records = b->records = b->map ? &b->tiles : &b->pages;
    cairn_status status = CAIRN_OK;
    if (records->page_count < pages) crn_records_close(records);
    if (records->table) {
        crn_records_reset(records);
    } else {
        status = crn_records_open(records, &b->search->memory, pages, !b->map, extra);
    }
    b->table = records->table;
    crn_bidir_side *forward = &b->sides[CRN_FORWARD], *backward = &b->sides[CRN_BACKWARD];
    forward->half = backward->other_half = 0;
    backward->half = forward->other_half = records->extra_at;
    forward->parents = offsetof(crn_page, parent);
    backward->parents = records->extra_at + sizeof(crn_bidir_half);
    return status;
}

static void bidir_begin_counters(crn_bidir *b)
{
    const cairn_query *query = &b->search->query;
    b->work = b->expanded = b->reopened = b->generated = 0;
    b->hand = NULL;
    b->best = (uint64_t)(query->max_cost ? query->max_cost : CAIRN_COST_MAX) + 1;
    b->bounded = query->max_cost != 0;
    b->met = b->too_large = b->is_pending = b->joining = b->paired = false;
    b->turn = CRN_FORWARD;
    b->seeded = 0;
    b->least = 0;
    b->traced = b->search->traced;
    /* Links may cost less than the cheapest step. */
    const cairn_grid *grid = cairn_space_grid(crn_view_ground(b->space));
    bool links = grid && cairn_grid_link_count(grid);
    b->edge = links ? 0 : b->space->min_edge;
}

/* Writes the record of an end, and puts it on the list of its side. */
static void bidir_seed(crn_bidir *b, uint32_t side, cairn_node node)
{
    crn_bidir_side *s = &b->sides[side];
    crn_bidir_spot spot = crn_bidir_spot_at(b, node);
    crn_page *page = crn_bidir_page(b, crn_bidir_number(b, spot));
    uint32_t slot = crn_bidir_slot(b, spot);
    crn_bidir_half *half = crn_bidir_half_at(page, s->half);
    half->g[slot] = 0;
    half->mark[slot] = (uint8_t)(CRN_MARK_SEEN | (b->map ? CRN_NO_ARRIVAL : 0));
    if (!b->map) crn_bidir_parents(s, page)[slot] = CAIRN_NO_NODE;
    uint64_t key = crn_estimate_node(&s->estimate, node);
    if (b->bucketed && !s->pushed) crn_buckets_begin_at(&s->buckets, key);
    crn_bidir_put(b, side, spot, key, 0);
    b->generated -= side == CRN_BACKWARD; /* goals are not generated */
    if (crn_bidir_half_at(page, s->other_half)->mark[slot] & CRN_MARK_SEEN)
        crn_bidir_meet(b, spot, 0);
}

enum { BIDIR_GOALS = 128, BIDIR_GOAL_PAGES = 2 }; /* for a unit of work */

/* Begins the backward side with some of the goals. */
static void bidir_seed_goals(crn_bidir *b)
{
    const cairn_search *search = b->search;
    size_t end = b->seeded + BIDIR_GOALS;
    uint32_t most = b->records->touched_count + BIDIR_GOAL_PAGES;
    if (end > search->goal_count) end = search->goal_count;
    for (; b->seeded < end && b->records->touched_count < most; b->seeded++)
        bidir_seed(b, CRN_BACKWARD, search->goals[b->seeded]);
}

#if defined(CAIRN_CHECKS)
static void bidir_check(const crn_bidir *b)
{
    const crn_records *records = b->records;
    cairn_context *context = b->search->context;
    uint64_t pages = records->page_count + (uint64_t)CRN_PAGE * records->touched_count;
    if (b->search->memory.failed || !crn_check_pays(pages, b->work)) return;
    CRN_CHECK_RIGHT(context, crn_records_check(records));
    for (uint32_t i = 0; i < 2; i++) {
        if (b->bucketed) CRN_CHECK_RIGHT(context, crn_buckets_check(&b->sides[i].buckets));
        CRN_CHECK_RIGHT(context, crn_heap_check(&b->sides[i].heap));
        CRN_CHECK_RIGHT(context, crn_heap_check(&b->sides[i].ready));
    }
}
#endif

/* Updates the metrics after each slice, and reports the end after the last one. */
static cairn_status bidir_pause(crn_bidir *b, cairn_status status)
{
    cairn_search *search = b->search;
#if defined(CAIRN_CHECKS)
    if (status != CAIRN_RUNNING) bidir_check(b);
#endif
    size_t bytes = sizeof *b + crn_records_bytes(b->records);
    uint64_t pushes = b->sides[0].pushed + b->sides[1].pushed;
    for (uint32_t i = 0; i < 2; i++) {
        const crn_bidir_side *side = &b->sides[i];
        bytes += b->bucketed ? crn_buckets_bytes(&side->buckets)
                             : crn_heap_bytes(&side->heap) + crn_heap_bytes(&side->ready);
    }
    search->metrics = (cairn_metrics){.work = b->work,
                                      .expanded = b->expanded,
                                      .generated = pushes + b->generated,
                                      .reopened = b->reopened,
                                      .pushes = pushes,
                                      .peak_bytes = bytes};
    if (status == CAIRN_FOUND && search->traced && !search->subsearch)
        crn_bidir_trace(b, CAIRN_EVENT_END, CRN_FORWARD,
                        crn_bidir_spot_at(b, search->reached_goal));
    return status;
}

/* Writes the rest of the path into the forward records: what the backward side knows of some of its
 * nodes, turned round. So costs and the path are read as after any search. */
static cairn_status bidir_join(crn_bidir *b)
{
    enum { NODES = 64 };
    const crn_bidir_side *forward = &b->sides[CRN_FORWARD], *backward = &b->sides[CRN_BACKWARD];
    for (uint32_t i = 0; i < NODES; i++) {
        cairn_node node = crn_bidir_node(b, b->meeting),
                   next = bidir_before(b, CRN_BACKWARD, b->meeting);
        if (next == CAIRN_NO_NODE) {
            b->search->reached_goal = node;
            return CAIRN_FOUND;
        }
        crn_bidir_spot to = crn_bidir_spot_at(b, next);
        crn_page *from_page = b->table[crn_bidir_number(b, b->meeting)],
                 *page = b->table[crn_bidir_number(b, to)];
        uint32_t slot = crn_bidir_slot(b, to), move = 0;
        if (b->map) /* the move that led back, turned round */
            move =
                (crn_bidir_half_at(from_page, backward->half)->mark[crn_bidir_slot(b, b->meeting)] &
                 CRN_MARK_MOVE) ^
                2;
        crn_bidir_half *half = crn_bidir_half_at(page, forward->half);
        half->mark[slot] = (uint8_t)(CRN_MARK_SEEN | move);
        half->g[slot] = (cairn_cost)(b->best - crn_bidir_half_at(page, backward->half)->g[slot]);
        if (!b->map) crn_bidir_parents(forward, page)[slot] = node;
        b->meeting = to;
    }
    return CAIRN_RUNNING;
}

static cairn_status bidir_begin(cairn_search *search)
{
    crn_bidir *b = bidir_of(search);
    b->space = search->space;
    bool nbs = crn_parameter_of(search->planner, "variant") == BIDIR_NBS;
    bidir_bind(b);
    cairn_status status = bidir_prepare_lists(b, nbs);
    if (status == CAIRN_OK) status = bidir_prepare_records(b);
    if (status != CAIRN_OK) return status;
    bidir_begin_counters(b);
    bool uniform = bidir_is_uniform(b);
    b->loop = nbs       ? crn_bidir_nbs
              : uniform ? crn_bidir_uniform
              : b->map  ? crn_bidir_cells
                        : crn_bidir_nodes;
    if (uniform) bidir_learn_uniform(b);
    crn_search_announce(search,
                        crn_estimate_node(&b->sides[CRN_FORWARD].estimate, search->query.from));
    bidir_seed(b, CRN_FORWARD, search->query.from);
    bidir_seed_goals(b);
    return bidir_pause(b, search->memory.failed ? CAIRN_OUT_OF_MEMORY : CAIRN_RUNNING);
}

/* One of the sides has nothing left that could be cheaper. */
static cairn_status bidir_ended(crn_bidir *b)
{
    if (b->met) {
        b->joining = true;
        return CAIRN_RUNNING;
    }
    if (!b->too_large || b->search->query.max_cost) return CAIRN_UNREACHABLE;
    bidir_pause(b, CAIRN_RUNNING);
    return crn_search_delegate(b->search); /* it can tell why there is none */
}

static cairn_status bidir_step(cairn_search *search, uint64_t work)
{
    crn_bidir *b = bidir_of(search);
    cairn_status status = CAIRN_RUNNING;
    for (; work && b->seeded < search->goal_count && !search->memory.failed; work--) {
        b->work++;
        bidir_seed_goals(b);
    }
    if (search->memory.failed) return bidir_pause(b, CAIRN_OUT_OF_MEMORY);
    if (!b->joining && work) {
        uint64_t before = b->work;
        status = b->loop(b, work);
        work -= b->work - before;
        if (status == CAIRN_UNREACHABLE) {
            status = bidir_ended(b);
            if (search->scratch != b) return status; /* delegated */
        }
    }
    for (; b->joining && work && status == CAIRN_RUNNING; work--) {
        b->work++;
        status = bidir_join(b);
    }
    return bidir_pause(b, status);
}

/* ---- reading the answer ---- */

/* A node on the path may have become cheaper after this one was reached over it; and of several
 * edges between two nodes the cheapest may have been left out, since it could not lead to a better
 * path. Then the cost in the record is not that of the path: steps are summed. */
static cairn_cost bidir_cost_to(const cairn_search *search, cairn_node node)
{
    const crn_bidir *b = bidir_of(search);
    crn_bidir_spot spot = crn_bidir_spot_at(b, node);
    crn_page *page = b->table[crn_bidir_number(b, spot)];
    uint32_t slot = crn_bidir_slot(b, spot);
    if (!page || !(page->mark[slot] & CRN_MARK_SEEN)) return CAIRN_NO_COST;
    if ((b->map && !b->reopened) || node == search->reached_goal) return page->g[slot];
    uint64_t cost = 0;
    for (cairn_node before;
         (before = bidir_before(b, CRN_FORWARD, crn_bidir_spot_at(b, node))) != CAIRN_NO_NODE;
         node = before) {
        cost += cairn_space_step_cost(search->space, before, node);
    }
    return crn_saturate(cost);
}

static cairn_status bidir_path_to(cairn_search *search, cairn_node node)
{
    const crn_bidir *b = bidir_of(search);
    cairn_cost cost = bidir_cost_to(search, node);
    cairn_status status = CAIRN_OK;
    crn_path_start(search);
    for (; status == CAIRN_OK && node != CAIRN_NO_NODE;
         node = bidir_before(b, CRN_FORWARD, crn_bidir_spot_at(b, node)))
        status = crn_path_add(search, node);
    if (status == CAIRN_OK) crn_path_finish(search, cost);
    return status;
}

static cairn_node bidir_node_of_record(const void *user, uint32_t page, uint32_t slot)
{
    const crn_bidir *b = user;
    if (!b->map) return page * CRN_PAGE + slot;
    uint32_t x = page % b->columns * 16 + slot % 16, y = page / b->columns * 16 + slot / 16;
    return y * b->map->grid->width + x;
}

static bool bidir_closest(cairn_search *search, uint64_t work, bool first)
{
    crn_bidir *b = bidir_of(search);
    crn_page_walk walk = {b->records, bidir_node_of_record, b, first ? 0 : b->closest_at};
    bool done = crn_closest_walk(search, &walk, work);
    b->closest_at = walk.at;
    return done;
}

static cairn_status bidir_reached(const cairn_search *search, cairn_visit *visit, void *user)
{
    for (cairn_node node = 0; node < search->space->node_count; node++) {
        cairn_cost cost = bidir_cost_to(search, node);
        if (cost != CAIRN_NO_COST) visit(user, node, cost);
    }
    return CAIRN_OK;
}

const crn_algorithm crn_algorithm_bidirectional = {
    .info = {.name = "bidirectional",
             .aliases = "nba nba*",
             .summary = "A* from both ends at once, along edges backward too: optimal",
             .source = "Pijls and Post 2009; Chen, Holte, Zilles and Sturtevant 2017",
             .family = "search",
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_NO_GOAL,
             CRN_ALL_WORLDS,
             .delegates = 1u << CAIRN_FEATURE_NO_GOAL,
             .parameters = bidir_parameters,
             .parameter_count = CRN_COUNT(bidir_parameters)},
    .create = bidir_create,
    .destroy = bidir_destroy,
    .handles = bidir_handles,
    .delegate = "astar",
    .open = bidir_open,
    .close = bidir_close,
    .begin = bidir_begin,
    .step = bidir_step,
    .path_to = bidir_path_to,
    .cost_to = bidir_cost_to,
    .closest = bidir_closest,
    .reached = bidir_reached,
};
