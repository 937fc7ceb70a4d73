/* lookahead.c: a small A* round an agent, and estimates that learn. See lookahead.h. */
#include "continuous/lookahead.h"

enum { LOOKAHEAD_EDGES = 16, LOOKAHEAD_BATCH = 16, LOOKAHEAD_HEADS = 64, LOOKAHEAD_TRACED = 16 };
#define LOOKAHEAD_NONE UINT32_MAX

const char *const crn_lookahead_steps[] = {"one", "all", NULL};

static crn_scratch *lookahead_memory(const crn_lookahead *look)
{
    return &look->navigator->memory;
}

/* ---- life ---- */

cairn_status crn_lookahead_create(cairn_planner *planner, cairn_error *error)
{
    (void)planner;
    (void)error;
    return CAIRN_OK;
}

void crn_lookahead_destroy(cairn_planner *planner)
{
    (void)planner;
}

void crn_lookahead_free(crn_lookahead *look)
{
    crn_scratch *memory = lookahead_memory(look);
    crn_members_close(&look->learnt);
    crn_lookahead_free_trap(look);
    for (size_t i = 0; i < look->page_count; i++)
        crn_scratch_free(memory, look->pages[i], CRN_LOCAL_PAGE * sizeof **look->pages);
    crn_scratch_free(memory, look->pages, look->page_capacity * sizeof *look->pages);
    crn_scratch_free(memory, look->heads, look->head_capacity * sizeof *look->heads);
    crn_scratch_free(memory, look->queue, look->queue_capacity * sizeof *look->queue);
    crn_scratch_free(memory, look->edges, look->edge_capacity * sizeof *look->edges);
    crn_scratch_free(memory, look->path, look->path_capacity * sizeof *look->path);
}

void crn_lookahead_close(cairn_navigator *navigator)
{
    crn_lookahead *look = navigator->own;
    if (!look) return;
    crn_lookahead_free(look);
    crn_scratch_free(&navigator->memory, look, sizeof *look);
    navigator->own = NULL;
}

/* An array of its first size: as much as a look ahead needs on squares. The first expansion has
 * eight new nodes, the others have at most five. All of them grow where that is too little. */
static void *lookahead_array(crn_lookahead *look, size_t *capacity, size_t count, size_t size)
{
    void *items = crn_scratch_alloc(lookahead_memory(look), count * size);
    if (items) *capacity = count;
    return items;
}

cairn_status crn_lookahead_init(crn_lookahead *look, cairn_navigator *navigator,
                                const crn_lookahead_plan *plan)
{
    const crn_lookahead_rule *rule = plan->rule;
    memset(look, 0, sizeof *look);
    look->navigator = navigator;
    look->rule = rule;
    look->aim = CAIRN_NO_NODE;
    crn_members_open(&look->learnt, &navigator->memory);
    look->most = plan->most;
    look->takes_all = plan->takes_all;
    look->watches = plan->watches;
    size_t most = look->most, nodes = 5 * most + 4, pages = nodes / CRN_LOCAL_PAGE + 1;
    look->pages = lookahead_array(look, &look->page_capacity, pages, sizeof *look->pages);
    look->queue = lookahead_array(look, &look->queue_capacity, nodes - most, sizeof *look->queue);
    look->heads = lookahead_array(look, &look->head_capacity, LOOKAHEAD_HEADS, sizeof *look->heads);
    look->path = lookahead_array(look, &look->path_capacity, most + 1, sizeof *look->path);
    if (rule->keeps_edges)
        look->edges = lookahead_array(look, &look->edge_capacity, 8 * most, sizeof *look->edges);
    bool ok = look->pages && look->queue && look->heads && look->path;
    return ok && (look->edges || !rule->keeps_edges) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

cairn_status crn_lookahead_open(cairn_navigator *navigator, const crn_lookahead_rule *rule)
{
    crn_lookahead *look = navigator->own = crn_scratch_alloc(&navigator->memory, sizeof *look);
    if (!look) return CAIRN_OUT_OF_MEMORY;
    int64_t all = 1;
    crn_parameter(navigator->planner, "steps", &all);
    uint32_t most = crn_parameter_of(navigator->planner, "lookahead");
    crn_lookahead_plan plan = {rule, most, all, true};
    return crn_lookahead_init(look, navigator, &plan);
}

size_t crn_lookahead_bytes(const cairn_navigator *navigator)
{
    return navigator->memory.bytes;
}

uint64_t crn_lookahead_used(const crn_lookahead *look)
{
    if (look->aim == CAIRN_NO_NODE) return sizeof *look; /* there was no look */
    return sizeof *look + crn_members_bytes(&look->learnt) + crn_lookahead_trap_bytes(look) +
           look->node_count * (sizeof **look->pages + sizeof *look->queue) +
           look->edge_count * sizeof *look->edges;
}

static void lookahead_count_bytes(const crn_lookahead *look)
{
    cairn_walk_sums *sums = &look->navigator->sums;
    uint64_t bytes = crn_lookahead_used(look);
    if (bytes > sums->peak_bytes) sums->peak_bytes = bytes;
}

/* ---- events ---- */

void crn_lookahead_drop(crn_lookahead *look)
{
    look->stage = CRN_LOOK_IDLE;
    look->path_count = 0;
}

void crn_lookahead_clear(crn_lookahead *look)
{
    crn_lookahead_drop(look);
    crn_lookahead_forget_trap(look);
    look->aim = CAIRN_NO_NODE;
}

void crn_lookahead_forget(cairn_navigator *navigator)
{
    crn_lookahead_clear(navigator->own);
}

void crn_lookahead_changed(cairn_navigator *navigator)
{
    crn_lookahead *look = navigator->own;
    crn_lookahead_drop(look);
    crn_lookahead_forget_trap(look);
    if (look->rule->relative) look->aim = CAIRN_NO_NODE;
}

void crn_lookahead_pushed(cairn_navigator *navigator)
{
    crn_lookahead_changed(navigator);
}

/* A step along its path keeps the path, if there is more of it to walk. */
void crn_lookahead_stepped(cairn_navigator *navigator, cairn_node from)
{
    crn_lookahead *look = navigator->own;
    bool along = look->stage == CRN_LOOK_DONE && look->path_count &&
                 crn_local(look, look->path[look->path_count - 1])->node == navigator->at;
    (void)from;
    if (!along) {
        crn_lookahead_changed(navigator);
    } else if (!--look->path_count || !look->takes_all) {
        crn_lookahead_drop(look);
    }
}

void crn_lookahead_trace(cairn_navigator *navigator, const cairn_trace_sink *sink)
{
    ((crn_lookahead *)navigator->own)->sink = sink ? *sink : (cairn_trace_sink){0};
}

static void lookahead_send(const crn_lookahead *look, cairn_event_kind kind, uint32_t number)
{
    const cairn_search *query = look->navigator->query;
    const cairn_trace_sink *sink = query ? &query->sink : &look->sink;
    const crn_local_node *n = crn_local(look, number);
    bool first = n->parent == number;
    cairn_event event = {
        kind, 0, n->node, first ? CAIRN_NO_NODE : crn_local(look, n->parent)->node, n->g, n->h};
    sink->event(sink->user, &event);
}

static inline void lookahead_tell(const crn_lookahead *look, cairn_event_kind kind, uint32_t number)
{
    const cairn_search *query = look->navigator->query;
    if (query ? query->traced : look->sink.event != NULL) lookahead_send(look, kind, number);
}

static cairn_metrics *lookahead_metrics(const crn_lookahead *look)
{
    cairn_search *query = look->navigator->query;
    return query ? &query->metrics : NULL;
}

/* ---- estimates ---- */

static void lookahead_bind(crn_lookahead *look, crn_estimate *estimate)
{
    const cairn_space *space = look->navigator->space;
    const cairn_node *goal = &look->navigator->goal;
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, *goal);
    crn_aim aim = {
        .space = space, .metric = space->default_heuristic, .nodes = goal, .count = 1, .box = &box};
    crn_estimate_bind(estimate, NULL, &aim);
    look->estimate = estimate;
}

static uint64_t lookahead_h(const crn_lookahead *look, cairn_node node)
{
    uint64_t h = crn_estimate_node(look->estimate, node);
    return look->learnt.count ? h + crn_members_place(&look->learnt, node) : h;
}

void crn_lookahead_raise(crn_lookahead *look, uint32_t number, cairn_cost was, uint64_t h)
{
    if (h == CAIRN_NO_COST) look->dead_since = look->navigator->version;
    if (h > CAIRN_NO_COST) h = CAIRN_COST_MAX;
    if (h > was)
        crn_members_add_to(&look->learnt, crn_local(look, number)->node, (uint32_t)h - was);
}

/* ---- which nodes are there ---- */

static uint32_t *lookahead_bucket(const crn_lookahead *look, cairn_node node)
{
    uint32_t hash = (node ^ node >> 15) * UINT32_C(0x9e3779b1);
    hash ^= hash >> 15;
    uint32_t bucket = hash & (look->whole - 1);
    if (bucket < look->split) bucket = hash & (2 * look->whole - 1);
    return &look->heads[bucket];
}

static uint32_t lookahead_find(const crn_lookahead *look, cairn_node node)
{
    uint32_t next;
    for (uint32_t number = *lookahead_bucket(look, node); number; number = next) {
        const crn_local_node *n = crn_local(look, number - 1);
        if (n->node == node) return number - 1;
        next = n->next;
    }
    return LOOKAHEAD_NONE;
}

/* Splits a bucket into two. */
static bool lookahead_split(crn_lookahead *look)
{
    uint32_t buckets = look->whole + look->split, number = look->heads[look->split];
    void *heads = look->heads;
    if (!crn_scratch_grow(lookahead_memory(look), &heads, &look->head_capacity, buckets + 1,
                          sizeof *look->heads))
        return false;
    look->heads = heads;
    look->heads[buckets] = look->heads[look->split++] = 0;
    while (number) {
        crn_local_node *n = crn_local(look, number - 1);
        uint32_t next = n->next, *head = lookahead_bucket(look, n->node);
        n->next = *head;
        *head = number;
        number = next;
    }
    if (look->split < look->whole) return true;
    look->whole *= 2;
    look->split = 0;
    return true;
}

static bool lookahead_add_page(crn_lookahead *look)
{
    crn_scratch *memory = lookahead_memory(look);
    void *pages = look->pages;
    bool ok = crn_scratch_grow(memory, &pages, &look->page_capacity, look->page_count + 1,
                               sizeof *look->pages);
    look->pages = pages;
    if (!ok) return false;
    crn_local_node *page = crn_scratch_alloc(memory, CRN_LOCAL_PAGE * sizeof *page);
    if (page) look->pages[look->page_count++] = page;
    return page;
}

/* A node that is seen for the first time; returns its number, LOOKAHEAD_NONE = no memory. All but
 * the node itself is yet to be filled in. */
static uint32_t lookahead_add(crn_lookahead *look, cairn_node node)
{
    uint32_t number = (uint32_t)look->node_count;
    if (number == look->page_count * CRN_LOCAL_PAGE && !lookahead_add_page(look))
        return LOOKAHEAD_NONE;
    if (number >= look->whole + look->split && !lookahead_split(look)) return LOOKAHEAD_NONE;
    uint32_t *head = lookahead_bucket(look, node);
    crn_local_node *n = crn_local(look, number);
    n->node = node;
    n->next = *head;
    n->place = n->into = 0;
    look->node_count++;
    *head = number + 1;
    return number;
}

/* ---- looking ahead ---- */

static cairn_status lookahead_begin(crn_lookahead *look, cairn_move *move)
{
    cairn_navigator *navigator = look->navigator;
    cairn_metrics *metrics = lookahead_metrics(look);
    cairn_status status = crn_navigator_hope(navigator);
    navigator->unsure = cairn_space_directed(navigator->space);
    if (status == CAIRN_OK && navigator->unsure && look->watches)
        status = crn_lookahead_watch(look);
    if (status != CAIRN_OK) return status;
    bool revived = look->dead_since != UINT64_MAX && look->dead_since != navigator->version;
    if (look->aim != navigator->goal || revived) {
        if (crn_members_reset(&look->learnt, NULL) != CAIRN_OK) return CAIRN_OUT_OF_MEMORY;
        look->aim = navigator->goal;
        look->dead_since = UINT64_MAX;
    }
    look->node_count = look->queue_count = look->edge_count = look->path_count = 0;
    look->whole = LOOKAHEAD_HEADS;
    look->split = 0;
    memset(look->heads, 0, LOOKAHEAD_HEADS * sizeof *look->heads);
    look->by_h = look->overflowed = false;
    look->expanding = look->best = LOOKAHEAD_NONE;
    look->left = look->most;
    look->phase = look->at = look->spreading = 0;
    uint32_t first = lookahead_add(look, navigator->at);
    if (first == LOOKAHEAD_NONE) return CAIRN_OUT_OF_MEMORY;
    crn_local_node *here = crn_local(look, first);
    here->g = 0;
    here->h = crn_saturate(lookahead_h(look, navigator->at));
    here->parent = first;
    if (!crn_lookahead_put(look, first)) return CAIRN_OUT_OF_MEMORY;
    lookahead_tell(look, CAIRN_EVENT_PIECE, first);
    if (metrics) metrics->generated++;
    look->stage = CRN_LOOK_EXPAND;
    move->plans++;
    return CAIRN_OK;
}

static void lookahead_keep_edge(crn_lookahead *look, uint32_t to, cairn_cost cost)
{
    void *edges = look->edges;
    if (!crn_lookahead_room(look, &edges, &look->edge_capacity, look->edge_count,
                            sizeof *look->edges))
        return;
    look->edges = edges;
    look->edges[look->edge_count++] = (crn_local_edge){look->expanding, cost, {to}};
}

/* A cheaper path to a node, or the first one. */
static void lookahead_improve(crn_lookahead *look, uint32_t number, cairn_event_kind kind)
{
    cairn_metrics *metrics = lookahead_metrics(look);
    bool queued = crn_local(look, number)->place;
    if (metrics) {
        metrics->generated += kind == CAIRN_EVENT_GENERATE;
        metrics->reopened += kind == CAIRN_EVENT_REOPEN;
        metrics->pushes += !queued;
    }
    crn_lookahead_put(look, number);
    lookahead_tell(look, kind, number);
}

/* The path to it leads over the node that is being expanded, whose branch is given. */
static void lookahead_set_path(crn_lookahead *look, uint32_t number, uint64_t g, uint32_t branch)
{
    crn_local_node *n = crn_local(look, number);
    n->g = (cairn_cost)g;
    n->parent = look->expanding;
    if (!look->rule->keeps_edges) n->branch = look->expanding ? branch : number;
}

/* Returns its number; LOOKAHEAD_NONE: it is left out. */
static uint32_t lookahead_generate(crn_lookahead *look, cairn_node node, uint64_t g,
                                   uint32_t branch)
{
    uint64_t h = lookahead_h(look, node);
    if (g + h > CAIRN_COST_MAX) {
        look->overflowed |= h < CAIRN_NO_COST;
        return LOOKAHEAD_NONE;
    }
    uint32_t number = lookahead_add(look, node);
    if (number == LOOKAHEAD_NONE) return number;
    crn_local(look, number)->h = (cairn_cost)h;
    lookahead_set_path(look, number, g, branch);
    lookahead_improve(look, number, CAIRN_EVENT_GENERATE);
    return number;
}

static void lookahead_relax(crn_lookahead *look, const crn_local_node *from, const cairn_edge *edge)
{
    uint64_t g = (uint64_t)from->g + edge->cost;
    if (edge->cost == CAIRN_NO_COST) return;
    uint32_t number = lookahead_find(look, edge->node);
    if (number == LOOKAHEAD_NONE) {
        number = lookahead_generate(look, edge->node, g, from->branch);
        if (number == LOOKAHEAD_NONE) return;
    } else if (g < crn_local(look, number)->g) {
        bool queued = crn_local(look, number)->place;
        lookahead_set_path(look, number, g, from->branch);
        lookahead_improve(look, number, queued ? CAIRN_EVENT_UPDATE : CAIRN_EVENT_REOPEN);
    }
    if (look->rule->keeps_edges) lookahead_keep_edge(look, number, edge->cost);
}

/* Some more edges of the node that is being expanded. */
static void lookahead_expand(crn_lookahead *look, uint32_t *edges)
{
    cairn_edge batch[LOOKAHEAD_BATCH];
    uint32_t number = look->expanding;
    const crn_local_node *n = crn_local(look, number);
    uint32_t count =
        cairn_space_expand(look->navigator->space, n->node, look->edge, batch, LOOKAHEAD_BATCH);
    for (uint32_t i = 0; i < count && !lookahead_memory(look)->failed; i++)
        lookahead_relax(look, n, &batch[i]);
    look->edge += count;
    *edges -= crn_min_u32(*edges, count + 1);
    if (count == LOOKAHEAD_BATCH) return;
    lookahead_tell(look, CAIRN_EVENT_CLOSE, number);
    look->expanding = LOOKAHEAD_NONE;
}

/* Expands the next node, or ends the look. */
static void lookahead_pop(crn_lookahead *look, cairn_move *move)
{
    cairn_metrics *metrics = lookahead_metrics(look);
    uint32_t first = look->queue_count ? look->queue[0].number : LOOKAHEAD_NONE;
    if (first == LOOKAHEAD_NONE || !look->left ||
        crn_local(look, first)->node == look->navigator->goal) {
        look->best = first;
        look->stage = first == LOOKAHEAD_NONE ? CRN_LOOK_DONE : CRN_LOOK_LEARN;
        return;
    }
    look->expanding = crn_lookahead_take(look);
    look->edge = 0;
    look->left--;
    move->expanded++;
    if (metrics) metrics->expanded++;
    lookahead_tell(look, CAIRN_EVENT_EXPAND, first);
}

/* Some more of the path to the best node, from it back to the next step. */
static void lookahead_trace_back(crn_lookahead *look)
{
    crn_scratch *memory = lookahead_memory(look);
    for (uint32_t i = 0; i < LOOKAHEAD_TRACED; i++) {
        uint32_t at = look->tracing;
        void *path = look->path;
        if (crn_local(look, at)->parent == at) {
            look->stage = CRN_LOOK_DONE;
            return;
        }
        bool ok = crn_scratch_grow(memory, &path, &look->path_capacity, look->path_count + 1,
                                   sizeof *look->path);
        look->path = path;
        if (!ok) return;
        look->path[look->path_count++] = at;
        look->tracing = crn_local(look, at)->parent;
    }
}

static void lookahead_unit(crn_lookahead *look, cairn_move *move)
{
    uint32_t edges = LOOKAHEAD_EDGES;
    while (edges && look->stage != CRN_LOOK_DONE && !lookahead_memory(look)->failed) {
        if (look->stage == CRN_LOOK_LEARN) {
            if (!look->rule->learn(look, &edges)) continue;
            look->tracing = look->best;
            look->stage = CRN_LOOK_TRACE;
            lookahead_trace_back(look);
        } else if (look->stage == CRN_LOOK_TRACE) {
            edges--;
            lookahead_trace_back(look);
        } else if (look->expanding != LOOKAHEAD_NONE) {
            lookahead_expand(look, &edges);
        } else {
            lookahead_pop(look, move);
        }
    }
}

/* ---- what next ---- */

/* There is no step. If only what was learnt is in the way, it is forgotten for another look:
 * CAIRN_RUNNING. */
static cairn_status lookahead_stuck(crn_lookahead *look)
{
    if (!look->overflowed) return CAIRN_UNREACHABLE;
    if (!look->rule->relative || !look->learnt.count) return CAIRN_COST_OVERFLOW;
    look->aim = CAIRN_NO_NODE;
    return CAIRN_RUNNING;
}

/* Looks ahead for at most *budget units. CAIRN_OK: there is a next step. CAIRN_RUNNING: all units
 * are used, or what was in the way is forgotten, and it is to look again. */
static cairn_status lookahead_look(crn_lookahead *look, cairn_move *move, uint64_t *budget)
{
    cairn_status status = CAIRN_OK;
    crn_estimate estimate;
    lookahead_bind(look, &estimate);
    if (look->stage == CRN_LOOK_IDLE) status = lookahead_begin(look, move);
    while (status == CAIRN_OK && look->stage != CRN_LOOK_DONE && *budget) {
        --*budget;
        lookahead_unit(look, move);
        if (lookahead_memory(look)->failed) status = CAIRN_OUT_OF_MEMORY;
    }
    look->estimate = NULL;
    if (status == CAIRN_OK && look->stage != CRN_LOOK_DONE) return CAIRN_RUNNING;
    lookahead_count_bytes(look);
    if (status == CAIRN_OK && !look->path_count) status = lookahead_stuck(look);
    if (status != CAIRN_OK) crn_lookahead_drop(look);
    return status;
}

cairn_status crn_lookahead_look(crn_lookahead *look, cairn_move *move, uint64_t *budget)
{
    cairn_status status = look->stage == CRN_LOOK_DONE ? CAIRN_OK : CAIRN_RUNNING;
    while (status == CAIRN_RUNNING && *budget) status = lookahead_look(look, move, budget);
    return status;
}

crn_step_look crn_lookahead_step(const crn_lookahead *look)
{
    const crn_local_node *to = crn_local(look, look->path[look->path_count - 1]);
    return (crn_step_look){.from = look->navigator->at,
                           .to = to->node,
                           .cost = to->g - crn_local(look, to->parent)->g,
                           .done = true};
}

cairn_status crn_lookahead_next(cairn_navigator *navigator, cairn_move *move)
{
    crn_lookahead *look = navigator->own;
    uint64_t budget = navigator->budget;
    navigator->memory.failed = false;
    cairn_status status = crn_lookahead_look(look, move, &budget);
    move->work += navigator->budget - budget;
    if (status != CAIRN_OK) return status;
    crn_step_look step = crn_lookahead_step(look);
    crn_navigator_go(navigator, &step, move);
    return CAIRN_OK;
}

uint32_t crn_lookahead_seen(const crn_lookahead *look, cairn_node *out, uint32_t capacity)
{
    uint32_t count = (uint32_t)look->path_count;
    if (look->stage != CRN_LOOK_DONE || !count) return 0;
    if (capacity) out[0] = look->navigator->at;
    for (uint32_t i = 1; i <= count && i < capacity; i++)
        out[i] = crn_local(look, look->path[count - i])->node;
    return count + 1;
}

uint32_t crn_lookahead_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    return crn_lookahead_seen(navigator->own, out, capacity);
}
