/* anytime_query.c: queries to anytime algorithms (anytime.h).
 *
 * A query ends with the first path. cairn_search_improve then goes on, a round at a time. After
 * each that has found a cheaper path, this is read off, step by step, beside the one before it: so
 * there is always a whole path, whenever the work ends.
 */
#include "continuous/anytime.h"
#include "continuous/walker.h"
#include "world/grid_space.h"

#define QUERY_EDGES 128u       /* looked at for a unit of work while a path is read off */
#define QUERY_NODES (1u << 17) /* of a path, at most: making room is a unit of work */

typedef struct anytime_query {
    crn_builder builder; /* the best path so far */
    cairn_navigator navigator;
    crn_builder next;          /* a cheaper one */
    crn_builder *into;         /* that of them which is being read off; NULL = none ... */
    crn_incremental_look look; /* ... and its next step */
    uint64_t work;             /* units */
} anytime_query;

static anytime_query *anytime_query_of(const cairn_search *search)
{
    return search->scratch;
}

/* ---- life ---- */

void crn_anytime_query_close(cairn_search *search)
{
    anytime_query *q = anytime_query_of(search);
    if (!q) return;
    crn_incremental_close(&q->navigator);
    crn_builder_close(&q->builder);
    crn_builder_close(&q->next);
    crn_scratch_free(&search->memory, q, sizeof *q);
    search->scratch = NULL;
}

cairn_status crn_anytime_query_open(cairn_search *search)
{
    anytime_query *q = search->scratch = crn_scratch_alloc(&search->memory, sizeof *q);
    if (!q) return CAIRN_OUT_OF_MEMORY;
    memset(q, 0, sizeof *q);
    crn_builder_open(&q->builder, search);
    crn_builder_open(&q->next, search);
    crn_walker_prepare(search, &q->navigator);
    return crn_anytime_open(&q->navigator);
}

cairn_status crn_anytime_query_begin(cairn_search *search)
{
    anytime_query *q = anytime_query_of(search);
    cairn_node from = search->query.from, to = search->goals[0];
    q->work = 0;
    q->into = NULL;
    q->next.count = q->next.most = 0;
    q->navigator.memory.failed = false;
    crn_search_announce(search, 0);
    cairn_status status = crn_builder_begin(&q->builder, from);
    if (status == CAIRN_OK) status = cairn_navigator_start(&q->navigator, from, to);
    if (status != CAIRN_OK) return status;
    search->metrics.generated = from == to;
    search->bound = from == to;
    if (from != to) return CAIRN_RUNNING;
    q->builder.stage = CRN_BUILDER_READY;
    return crn_builder_found(search, true);
}

/* ---- the path ---- */

static cairn_cost anytime_query_cost(const anytime_query *q)
{
    return q->builder.costs[q->builder.count - 1];
}

/* Begins to read the path off. */
static cairn_status anytime_query_read(anytime_query *q, crn_builder *into)
{
    q->into = into;
    into->follows = false;
    crn_incremental_look_at(&q->look, q->navigator.at);
    return crn_builder_begin(into, q->navigator.at);
}

/* The next step of it. */
static cairn_status anytime_query_put(anytime_query *q)
{
    const crn_grid_space *map = crn_grid_space_of(q->navigator.space);
    const crn_incremental_look *look = &q->look;
    q->into->follows |= map && crn_links_used(map, look->node, look->to);
    return crn_builder_put(q->into, look->to, look->cost);
}

/* It is complete, and replaces the one before. Both have room for as many nodes: so who improves
 * again what was improved before needs no memory. */
static cairn_status anytime_query_adopt(anytime_query *q)
{
    bool cheaper = q->into == &q->next;
    if (cheaper) {
        crn_builder before = q->builder;
        q->builder = q->next;
        q->next = before;
    }
    q->builder.stage = CRN_BUILDER_READY;
    q->builder.checked = (uint32_t)q->builder.count;
    q->into = NULL;
    return cheaper ? crn_builder_reserve(&q->next, q->builder.cost_capacity) : CAIRN_OK;
}

/* Reads on for at most *work units. CAIRN_OK: it is complete. */
static cairn_status anytime_query_read_on(anytime_query *q, uint64_t *work)
{
    const crn_anytime *agent = q->navigator.own;
    for (; *work && q->into; --*work) {
        uint32_t edges = QUERY_EDGES;
        while (edges && q->into) {
            if (!crn_incremental_look_on(&agent->search, &q->look, &edges)) break;
            cairn_status status = anytime_query_put(q);
            if (status == CAIRN_OK && q->into->count > QUERY_NODES) status = CAIRN_UNSUPPORTED;
            if (status == CAIRN_OK && q->look.to == q->navigator.goal)
                status = anytime_query_adopt(q);
            else
                crn_incremental_look_at(&q->look, q->look.to);
            if (status != CAIRN_OK) return status;
        }
    }
    return q->into ? CAIRN_RUNNING : CAIRN_OK;
}

/* ---- the search ---- */

static void anytime_query_count(cairn_search *search, uint64_t used)
{
    anytime_query *q = anytime_query_of(search);
    q->work += used;
    search->metrics.work = q->work;
    search->metrics.peak_bytes = sizeof *q + crn_builder_bytes(&q->builder) +
                                 crn_builder_bytes(&q->next) + q->navigator.sums.peak_bytes;
}

/* Says how good the path is. */
static void anytime_query_judge(cairn_search *search)
{
    const anytime_query *q = anytime_query_of(search);
    uint64_t cost = anytime_query_cost(q), low = crn_anytime_low(q->navigator.own);
    search->bound = crn_anytime_ratio(cost, low);
    search->improvable = low < cost;
}

/* Searches for the first path, and reads it off. One that is too long is left to A*. */
cairn_status crn_anytime_query_step(cairn_search *search, uint64_t work)
{
    anytime_query *q = anytime_query_of(search);
    uint64_t left = work;
    cairn_status status = CAIRN_OK;
    cairn_move move = {0};
    if (!q->into) {
        status = crn_anytime_seek(&q->navigator, &move, &left);
        if (status == CAIRN_OK) status = anytime_query_read(q, &q->builder);
    }
    if (status == CAIRN_OK) status = anytime_query_read_on(q, &left);
    anytime_query_count(search, work - left);
    if (status == CAIRN_UNSUPPORTED) return crn_search_delegate(search);
    if (status != CAIRN_OK) return status;
    anytime_query_judge(search);
    return crn_builder_found(search, true);
}

/* A round, or some steps of a cheaper path. */
static cairn_status anytime_query_go_on(anytime_query *q, uint64_t *left)
{
    const crn_anytime *agent = q->navigator.own;
    if (q->into) return anytime_query_read_on(q, left);
    cairn_status status = crn_anytime_improve(&q->navigator, left);
    if (status == CAIRN_OK && agent->settled && agent->upper < anytime_query_cost(q))
        status = anytime_query_read(q, &q->next);
    return status;
}

cairn_status crn_anytime_query_improve(cairn_search *search, uint64_t work)
{
    anytime_query *q = anytime_query_of(search);
    uint64_t left = work;
    cairn_status status = CAIRN_OK;
    anytime_query_judge(search);
    while (left && search->improvable && (status == CAIRN_OK || status == CAIRN_RUNNING)) {
        status = anytime_query_go_on(q, &left);
        anytime_query_judge(search);
    }
    anytime_query_count(search, work - left);
    if (status == CAIRN_UNSUPPORTED) search->improvable = false;
    bool kept = status == CAIRN_OK || status == CAIRN_RUNNING || status == CAIRN_UNSUPPORTED;
    return kept ? CAIRN_FOUND : status;
}
