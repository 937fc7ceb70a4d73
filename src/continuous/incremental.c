/* incremental.c: a search that is repaired. See incremental.h. */
#include "continuous/incremental_inside.h"

#define INCREMENTAL_EDGES 32u
/* Estimates that are rounded may break the triangle inequality by so much. */
#define INCREMENTAL_ROUNDING 2u

/* ---- life ---- */

cairn_status crn_incremental_create(cairn_planner *planner, cairn_error *error)
{
    (void)error;
    planner->optimal = true;
    planner->bound = 1;
    return CAIRN_OK;
}

void crn_incremental_destroy(cairn_planner *planner)
{
    (void)planner;
}

cairn_status crn_incremental_open(cairn_navigator *navigator, size_t size, bool backward)
{
    crn_incremental *search = navigator->own = crn_scratch_alloc(&navigator->memory, size);
    if (!search) return CAIRN_OUT_OF_MEMORY;
    memset(search, 0, size);
    search->navigator = navigator;
    search->size = size;
    search->backward = backward;
    search->weight = CRN_INCREMENTAL_ONE;
    crn_aimed_open(&search->aimed, &navigator->memory, navigator->space, backward);
    return crn_keyed_open(&search->queue, &navigator->memory, navigator->space, false);
}

void crn_incremental_close(cairn_navigator *navigator)
{
    crn_incremental *search = navigator->own;
    if (!search) return;
    crn_aimed_close(&search->aimed);
    crn_keyed_close(&search->queue);
    crn_scratch_free(&navigator->memory, search, search->size);
    navigator->own = NULL;
}

size_t crn_incremental_held(const cairn_navigator *navigator)
{
    return navigator->memory.bytes;
}

cairn_cost crn_incremental_cost(const crn_incremental *search, cairn_node node)
{
    return incremental_peek(search, node).g;
}

/* ---- notes ---- */

/* The nodes of the path are consistent, so one word of their records is free. */
static uint32_t *incremental_free_word(const crn_incremental *search, cairn_node node)
{
    crn_keyed_record record = crn_keyed_find(&search->queue.records, node);
    CRN_CHECK(search->navigator->context, record.page && !crn_keyed_is_queued(record));
    return crn_keyed_b(record);
}

cairn_node crn_incremental_noted(const crn_incremental *search, cairn_node node)
{
    return *incremental_free_word(search, node);
}

void crn_incremental_note(const crn_incremental *search, cairn_node node, cairn_node noted)
{
    *incremental_free_word(search, node) = noted;
}

void crn_incremental_erase(const crn_incremental *search, cairn_node node)
{
    *incremental_free_word(search, node) = crn_incremental_cost(search, node);
}

/* ---- events and counts ---- */

void crn_incremental_trace(cairn_navigator *navigator, const cairn_trace_sink *sink)
{
    crn_incremental *search = navigator->own;
    search->sink = sink ? *sink : (cairn_trace_sink){0};
}

void crn_incremental_tell(const crn_incremental *search, cairn_event_kind kind, cairn_node node,
                          cairn_node parent, cairn_cost g)
{
    const cairn_search *query = search->navigator->query;
    const cairn_trace_sink *sink = query ? &query->sink : &search->sink;
    cairn_event event = {kind, search->backward ? CAIRN_LEVEL_BACKWARD : 0,       node, parent,
                         g,    crn_saturate(crn_aimed_node(&search->aimed, node))};
    if (kind <= CAIRN_EVENT_DESTINATION) event.level = 0;
    sink->event(sink->user, &event);
}

/* An agent's sink is told where a search begins; of a query it knows that. */
static void incremental_announce(const crn_incremental *search)
{
    cairn_navigator *navigator = search->navigator;
    if (navigator->query) return;
    crn_incremental_event(search, CAIRN_EVENT_SOURCE, navigator->at, CAIRN_NO_NODE, 0);
    crn_incremental_event(search, CAIRN_EVENT_DESTINATION, navigator->goal, CAIRN_NO_NODE,
                          CAIRN_NO_COST);
}

/* The node has another rhs, over `parent`. `known`: it had one before; `closed`: and was
 * consistent. */
static void incremental_report(const crn_incremental *search, const incremental_spot *spot,
                               cairn_node parent, bool known, bool closed)
{
    cairn_metrics *metrics = crn_incremental_metrics(search);
    if (metrics) metrics->generated += !known;
    if (metrics) metrics->reopened += known && closed;
    crn_incremental_event(search,
                          !known   ? CAIRN_EVENT_GENERATE
                          : closed ? CAIRN_EVENT_REOPEN
                                   : CAIRN_EVENT_UPDATE,
                          spot->node, parent, spot->rhs);
}

uint64_t crn_incremental_bytes(const crn_incremental *search)
{
    return crn_keyed_bytes(&search->queue);
}

void crn_incremental_count_bytes(const crn_incremental *search)
{
    cairn_walk_sums *sums = &search->navigator->sums;
    uint64_t bytes = crn_incremental_bytes(search);
    if (bytes > sums->peak_bytes) sums->peak_bytes = bytes;
}

/* ---- the queue ---- */

/* An estimate with the weight. */
static uint64_t incremental_weigh(const crn_incremental *search, uint64_t estimate)
{
    return estimate * search->weight / CRN_INCREMENTAL_ONE;
}

/* The key of a node with this estimate. */
static uint64_t incremental_key(crn_incremental *search, const incremental_spot *spot, uint64_t h)
{
    cairn_cost least = crn_min_u32(spot->g, spot->rhs);
    if (least == CAIRN_NO_COST) return UINT64_MAX;
    uint64_t weighed = spot->rhs < spot->g ? incremental_weigh(search, h) : h;
    uint64_t first = least + weighed + search->raised;
    if (h > search->farthest) search->farthest = h;
    search->exceeded |= least + h < CAIRN_NO_COST && first >= CAIRN_NO_COST;
    return crn_keyed_key(crn_saturate(first), least);
}

uint64_t crn_incremental_key(crn_incremental *search, const incremental_spot *spot)
{
    return incremental_key(search, spot, crn_aimed_node(&search->aimed, spot->node));
}

/* Where nodes are closed: is this one to be set aside? */
static bool incremental_waits(const crn_incremental *search, const incremental_spot *spot)
{
    if (!search->closes) return false;
    if (spot->rhs < spot->g) return crn_keyed_is_closed(&search->queue.records, spot->record);
    crn_keyed_close_one(&search->queue.records, spot->record, false);
    return false;
}

/* Takes a node off the queue, if it is there. */
static void incremental_unqueue(crn_incremental *search, const incremental_spot *spot)
{
    if (crn_keyed_is_queued(spot->record)) crn_keyed_remove(&search->queue, spot->record);
    *crn_keyed_a(spot->record) = spot->g;
    *crn_keyed_b(spot->record) = spot->rhs;
}

/* Sets a node aside until the next round. */
static void incremental_set_aside(crn_incremental *search, const incremental_spot *spot)
{
    incremental_unqueue(search, spot);
    crn_keyed_mark(&search->queue.records, spot->record);
}

/* Without memory it is not queued. Then the search is over, but what it knows may be used. */
static void incremental_queue(crn_incremental *search, const incremental_spot *spot)
{
    cairn_metrics *metrics = crn_incremental_metrics(search);
    if (metrics) metrics->pushes += !crn_keyed_is_queued(spot->record);
    if (crn_keyed_set(&search->queue, spot->record, crn_incremental_key(search, spot),
                      spot->g < spot->rhs))
        *crn_keyed_b(spot->record) = crn_max_u32(spot->g, spot->rhs);
    else
        incremental_unqueue(search, spot);
}

void crn_incremental_update(crn_incremental *search, const incremental_spot *spot)
{
    if (spot->g == spot->rhs)
        incremental_unqueue(search, spot);
    else if (incremental_waits(search, spot))
        incremental_set_aside(search, spot);
    else
        incremental_queue(search, spot);
}

/* Gives a node another rhs. */
static void incremental_set(crn_incremental *search, incremental_spot *spot, cairn_cost rhs,
                            cairn_node parent)
{
    bool known = spot->rhs != CAIRN_NO_COST || spot->g != CAIRN_NO_COST;
    bool closed = spot->rhs == spot->g;
    if (!spot->record.page) spot->record = crn_keyed_add(&search->queue.records, spot->node);
    if (!spot->record.page) return;
    spot->rhs = rhs;
    if (rhs != CAIRN_NO_COST) incremental_report(search, spot, parent, known, closed);
    crn_incremental_update(search, spot);
}

/* ---- beginning ---- */

static void incremental_seed(crn_incremental *search)
{
    incremental_spot spot = incremental_peek(search, search->root);
    spot.record = crn_keyed_add(&search->queue.records, spot.node);
    if (!spot.record.page) return;
    spot.rhs = 0;
    crn_incremental_update(search, &spot);
}

cairn_status crn_incremental_begin(crn_incremental *search, cairn_node root, cairn_node target)
{
    cairn_metrics *metrics = crn_incremental_metrics(search);
    crn_keyed_reset(&search->queue);
    search->spreading = search->sum.node = CAIRN_NO_NODE;
    if (search->exceeded && !search->raised) search->weight = CRN_INCREMENTAL_ONE;
    search->incumbent = CAIRN_NO_COST;
    search->farthest = 0;
    search->swept = UINT32_MAX;
    search->sorted = UINT64_MAX;
    search->searches++;
    search->queue.records.round++;
    search->begun = search->fresh = true;
    search->exceeded = search->overflowed = false;
    search->root = root;
    search->target = target;
    search->raised = 0;
    search->version = cairn_space_version(incremental_space(search));
    crn_aimed_bind(&search->aimed, target);
    (search->rule ? search->rule->seed : incremental_seed)(search);
    if (metrics) metrics->generated++;
    incremental_announce(search);
    search->begun = !incremental_memory(search)->failed;
    return search->begun ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* Keys on the queue may be too large by so much. False: K_m does not fit. */
static bool incremental_raise(crn_incremental *search, uint64_t by)
{
    uint64_t raised = search->raised + by;
    if (raised >= CAIRN_NO_COST) return false;
    search->raised = (cairn_cost)raised;
    return true;
}

cairn_status crn_incremental_aim(crn_incremental *search, cairn_node target)
{
    if (target == search->target) return CAIRN_OK;
    uint64_t apart = crn_aimed_node(&search->aimed, target);
    bool rounded = incremental_space(search)->world != CAIRN_WORLD_GRID;
    bool weighs = search->weight != CRN_INCREMENTAL_ONE;
    if (rounded && search->aimed.basis.metric != CAIRN_HEURISTIC_NULL)
        apart += INCREMENTAL_ROUNDING;
    if (!search->sorts && !incremental_raise(search, incremental_weigh(search, apart) + weighs))
        return crn_incremental_begin(search, search->root, target);
    search->farthest += apart;
    search->target = target;
    search->fresh = false;
    crn_aimed_bind(&search->aimed, target);
    search->begun = !incremental_memory(search)->failed;
    return search->begun ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* With a weight that is less by so much, a key is less by that part of its estimate. */
cairn_status crn_incremental_renew(crn_incremental *search, uint32_t weight)
{
    uint64_t less = search->weight > weight ? search->weight - weight : 0;
    bool fits = search->sorts || !less ||
                incremental_raise(search, less * search->farthest / CRN_INCREMENTAL_ONE + 1);
    search->weight = weight;
    search->incumbent = CAIRN_NO_COST;
    if (!fits) return crn_incremental_begin(search, search->root, search->target);
    search->queue.records.round++;
    search->swept = search->queue.records.incons ? 0 : UINT32_MAX;
    search->sorted = search->sorts ? 0 : UINT64_MAX;
    return CAIRN_OK;
}

/* ---- edges ---- */

/* The edges between a node and those nearer to the root, or on the other side. */
uint32_t crn_incremental_edges(const crn_incremental *search, bool nearer, cairn_node node,
                               uint32_t first, cairn_edge *out)
{
    const cairn_space *space = incremental_space(search);
    return (nearer == search->backward ? cairn_space_expand : cairn_space_expand_back)(
        space, node, first, out, CRN_INCREMENTAL_BATCH);
}

void crn_incremental_look_at(crn_incremental_look *look, cairn_node node)
{
    *look = (crn_incremental_look){
        .node = node, .least = CAIRN_NO_COST, .to = CAIRN_NO_NODE, .cost = CAIRN_NO_COST};
}

bool crn_incremental_look_on(const crn_incremental *search, crn_incremental_look *look,
                             uint32_t *edges)
{
    while (*edges && !look->done) {
        cairn_edge batch[CRN_INCREMENTAL_BATCH];
        uint32_t count = crn_incremental_edges(search, true, look->node, look->at, batch);
        for (uint32_t i = 0; i < count; i++) {
            cairn_cost g = crn_incremental_cost(search, batch[i].node), cost = batch[i].cost;
            uint64_t sum = (uint64_t)g + cost;
            if (cost == CAIRN_NO_COST || g == CAIRN_NO_COST) continue;
            look->overflowed |= sum >= CAIRN_NO_COST;
            if (sum >= look->least) continue;
            look->least = (cairn_cost)sum;
            look->to = batch[i].node;
            look->cost = cost;
        }
        look->at += count;
        look->done = count < CRN_INCREMENTAL_BATCH;
        *edges -= crn_min_u32(*edges, count ? count : 1);
    }
    return look->done;
}

bool crn_incremental_look_for(const crn_incremental *search, crn_incremental_look *look,
                              uint64_t *work)
{
    uint32_t edges = look->at ? 0 : CRN_INCREMENTAL_FREE;
    while (!crn_incremental_look_on(search, look, &edges) && *work) {
        edges = CRN_INCREMENTAL_FREE;
        --*work;
    }
    return look->done;
}

uint32_t crn_incremental_ahead(const crn_incremental *search, cairn_node from, cairn_node *out,
                               uint32_t capacity)
{
    uint32_t count = 0, most = cairn_space_node_count(incremental_space(search));
    for (cairn_node node = from; node != CAIRN_NO_NODE && count < most;) {
        if (count < capacity) out[count] = node;
        count++;
        if (node == search->root) break;
        crn_incremental_look look;
        uint32_t edges = UINT32_MAX;
        crn_incremental_look_at(&look, node);
        crn_incremental_look_on(search, &look, &edges);
        node = look.to;
    }
    return count;
}

/* ---- one unit of work ---- */

/* Goes on computing an rhs. */
static void incremental_sum(crn_incremental *search, uint32_t *edges)
{
    crn_incremental_look *sum = &search->sum;
    if (!crn_incremental_look_on(search, sum, edges)) return;
    incremental_spot spot = incremental_peek(search, sum->node);
    sum->node = CAIRN_NO_NODE;
    search->overflowed |= sum->overflowed && sum->least == CAIRN_NO_COST;
    if (sum->least != spot.rhs) incremental_set(search, &spot, sum->least, sum->to);
}

/* Its neighbour has become cheaper. */
static inline void incremental_relax(crn_incremental *search, const cairn_edge *edge)
{
    uint64_t sum = (uint64_t)search->spread_g + edge->cost;
    incremental_spot spot = incremental_peek(search, edge->node);
    if (sum >= CAIRN_NO_COST)
        search->overflowed |= spot.rhs == CAIRN_NO_COST;
    else if (sum < spot.rhs)
        incremental_set(search, &spot, (cairn_cost)sum, search->spreading);
}

/* Its neighbour has become infinitely expensive: did its rhs lead over that? Then it is computed
 * again, as far as edges may be looked at. */
static void incremental_unlink(crn_incremental *search, const cairn_edge *edge, uint32_t *edges)
{
    incremental_spot spot = incremental_peek(search, edge->node);
    uint64_t sum = (uint64_t)search->spread_g + edge->cost;
    if (edge->node != search->root && sum < CAIRN_NO_COST && spot.rhs == sum)
        crn_incremental_look_at(&search->sum, edge->node);
    while (search->sum.node != CAIRN_NO_NODE && *edges) incremental_sum(search, edges);
}

/* Goes on with an expansion. */
static void incremental_spread(crn_incremental *search, uint32_t *edges)
{
    cairn_edge batch[CRN_INCREMENTAL_BATCH];
    const crn_scratch *memory = incremental_memory(search);
    cairn_node node = search->spreading;
    uint32_t count = crn_incremental_edges(search, false, node, search->spread_at, batch), i = 0;
    for (; i < count && *edges && !memory->failed; i++) {
        --*edges;
        if (search->raising)
            incremental_unlink(search, &batch[i], edges);
        else
            incremental_relax(search, &batch[i]);
    }
    search->spread_at += i;
    if (i < count || search->sum.node != CAIRN_NO_NODE || count == CRN_INCREMENTAL_BATCH) return;
    search->spreading = CAIRN_NO_NODE;
    if (!search->raising)
        crn_incremental_event(search, CAIRN_EVENT_CLOSE, node, CAIRN_NO_NODE, search->spread_g);
}

/* Begins to expand a node, which is not consistent: its g becomes its rhs if that is less, and else
 * infinite. */
static void incremental_expand(crn_incremental *search, incremental_spot *spot)
{
    cairn_metrics *metrics = crn_incremental_metrics(search);
    search->spreading = spot->node;
    search->spread_at = 0;
    search->raising = spot->g < spot->rhs;
    search->spread_g = search->raising ? spot->g : spot->rhs;
    spot->g = search->raising ? CAIRN_NO_COST : spot->rhs;
    if (search->closes && !search->raising)
        crn_keyed_close_one(&search->queue.records, spot->record, true);
    search->expanded++;
    if (metrics) metrics->expanded++;
    crn_incremental_event(search, CAIRN_EVENT_EXPAND, spot->node, CAIRN_NO_NODE, search->spread_g);
    if (search->raising)
        crn_incremental_event(search, CAIRN_EVENT_FORGET, spot->node, CAIRN_NO_NODE,
                              search->spread_g);
    crn_incremental_update(search, spot);
}

/* Is the search over? `key` is the least on the queue. */
static bool incremental_over(crn_incremental *search, uint64_t key)
{
    incremental_spot target = incremental_peek(search, search->target);
    bool consistent = target.g == target.rhs;
    if (search->incumbent != CAIRN_NO_COST) return consistent && target.g < search->incumbent;
    return consistent && key >= incremental_key(search, &target, 0);
}

bool crn_incremental_settles(crn_incremental *search, cairn_node node)
{
    uint64_t key = UINT64_MAX;
    crn_keyed_record record;
    incremental_spot spot = incremental_peek(search, node);
    if (spot.g == CAIRN_NO_COST || spot.g != spot.rhs) return false;
    crn_keyed_least(&search->queue, &key, &record);
    return crn_incremental_between(search) && key >= crn_incremental_key(search, &spot);
}

/* Can no path over this node be cheaper than the one that is known? */
static bool incremental_prunes(const crn_incremental *search, const incremental_spot *spot)
{
    if (search->incumbent == CAIRN_NO_COST || spot->node == search->target) return false;
    cairn_cost least = crn_min_u32(spot->g, spot->rhs);
    return least + crn_aimed_node(&search->aimed, spot->node) >= search->incumbent;
}

/* Takes the first node of the queue, if the search is not over. False: there is nothing left to
 * do. */
static bool incremental_pop(crn_incremental *search)
{
    uint64_t key;
    crn_keyed_record record;
    if (!crn_keyed_least(&search->queue, &key, &record)) return false;
    if (incremental_over(search, key)) return false;
    incremental_spot spot = incremental_at(search, record);
    /* while K_m is 0, no key is too small */
    uint64_t now = search->raised ? crn_incremental_key(search, &spot) : key;
    if (key < now)
        crn_keyed_set(&search->queue, record, now, spot.g < spot.rhs);
    else if (incremental_prunes(search, &spot))
        incremental_set_aside(search, &spot);
    else
        incremental_expand(search, &spot);
    return true;
}

/* The next thing to do. False: there is nothing. */
static bool incremental_turn(crn_incremental *search, uint32_t *edges)
{
    bool expanding = search->spreading != CAIRN_NO_NODE;
    if (search->sum.node != CAIRN_NO_NODE) {
        incremental_sum(search, edges);
    } else if (expanding) {
        incremental_spread(search, edges);
        if (search->spreading == CAIRN_NO_NODE) *edges = 0; /* one expansion is a unit */
    } else if (crn_incremental_sweep(search, edges)) {
        return true;
    } else if (search->queue.records.dirty) {
        cairn_node node = crn_incremental_dirty(search);
        if (node != CAIRN_NO_NODE && node != search->root)
            crn_incremental_look_at(&search->sum, node);
        else
            --*edges;
    } else if (!crn_incremental_sort(search, edges)) {
        --*edges;
        return incremental_pop(search);
    }
    return true;
}

/* True: there is more to do. */
static bool incremental_unit(crn_incremental *search)
{
    uint32_t edges = INCREMENTAL_EDGES;
    bool more = true;
    while (edges && more && !incremental_memory(search)->failed && !search->exceeded)
        more = (search->rule ? search->rule->turn : incremental_turn)(search, &edges);
    return more;
}

/* ---- the search ---- */

/* Nothing is left to do. A path may have been left out because of its cost in a world that was
 * another one, or because of the weight: then only a new search can tell why there is none. */
static cairn_status incremental_ended(crn_incremental *search)
{
    if (crn_incremental_cost(search, search->target) != CAIRN_NO_COST) return CAIRN_FOUND;
    if (!search->overflowed) return CAIRN_UNREACHABLE;
    if (search->fresh && search->weight == CRN_INCREMENTAL_ONE) return CAIRN_COST_OVERFLOW;
    search->weight = CRN_INCREMENTAL_ONE;
    cairn_status status = crn_incremental_begin(search, search->root, search->target);
    return status == CAIRN_OK ? CAIRN_RUNNING : status;
}

cairn_status crn_incremental_step(crn_incremental *search, uint64_t *work)
{
    cairn_status status = CAIRN_RUNNING;
    while (*work && status == CAIRN_RUNNING) {
        --*work;
        bool more = incremental_unit(search);
        if (incremental_memory(search)->failed)
            status = CAIRN_OUT_OF_MEMORY;
        else if (search->exceeded)
            crn_incremental_begin(search, search->root, search->target);
        else if (!more)
            status = incremental_ended(search);
    }
    if (incremental_memory(search)->failed) status = CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OUT_OF_MEMORY) search->begun = false;
    crn_incremental_count_bytes(search);
    return status;
}

cairn_status crn_incremental_serve(crn_incremental *search, cairn_move *move, uint64_t *work)
{
    const cairn_navigator *navigator = search->navigator;
    uint64_t expanded = search->expanded;
    bool knows = search->begun && search->version == cairn_space_version(navigator->space);
    cairn_status status = crn_navigator_hope(navigator);
    move->plans += status == CAIRN_OK && !knows;
    if (status == CAIRN_OK && !search->begun)
        status = crn_incremental_begin(search, navigator->goal, navigator->at);
    if (status == CAIRN_OK) status = crn_incremental_notice(search);
    if (status == CAIRN_OK) status = crn_incremental_aim(search, navigator->at);
    if (status == CAIRN_OK) status = crn_incremental_step(search, work);
    move->expanded += search->expanded - expanded;
    return status == CAIRN_FOUND ? CAIRN_OK : status;
}
