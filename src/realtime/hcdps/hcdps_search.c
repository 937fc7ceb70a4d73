/* hcdps_search.c: paths of `hcdps`: what an agent walks (hcdps_agent.c).
 *
 * A cell may be visited more than once, as climbs know nothing of each other. With loops=remove the
 * whole path, or the piece that is returned, is cut short at such cells.
 */
#include "realtime/hcdps/hcdps_search.h"
#include "realtime/hcdps/hcdps_agent.h"

/* Moves in a unit of work; nodes that are looked at for loops in one, and places that are cleared
 * for that; how often each node may be visited before the index must be wrong. */
enum { SEARCH_MOVES = 4, SEARCH_LOOPS = 256, SEARCH_CLEAR = 65536, SEARCH_VISITS = 4 };

/* Graphs: edges that are looked at in a unit of work, besides those of a try. */
enum { SEARCH_LOOKS = 512 };

typedef enum hcdps_phase {
    HCDPS_WALK,
    HCDPS_LOOPS /* removes them */
} hcdps_phase;

typedef struct hcdps_search {
    crn_builder builder; /* first */
    cairn_search *search;
    crn_hcdps_ground ground;
    crn_hcdps_agent agent;
    crn_hcdps_agent fresh; /* before it begins */
    bool keeps_loops;

    hcdps_phase phase;
    bool whole; /* the goal is reached: what is left is to return it */
    uint64_t moves;
    uint32_t hops;        /* records that were begun */
    cairn_node subgoal;   /* traced last */
    bool aimed;           /* graphs: a move is being made, ... */
    crn_graph_step found; /* ... and this is known of it */

    /* loops: cells of the path by hash, and how far they are removed */
    uint32_t *table;
    size_t table_capacity, table_size, cleared, checked, kept;
} hcdps_search;

static hcdps_search *hcdps_of(const cairn_search *search)
{
    return search->scratch;
}

bool crn_hcdps_search_handles(const cairn_search *search)
{
    const crn_hcdps *index = crn_index_owner(search->planner)->index;
    return crn_builder_handles(search) && index->exact;
}

void crn_hcdps_search_close(cairn_search *search)
{
    hcdps_search *s = hcdps_of(search);
    if (!s) return;
    crn_builder_close(&s->builder);
    crn_scratch_free(&search->memory, s->table, s->table_capacity * sizeof *s->table);
    crn_scratch_free(&search->memory, s, sizeof *s);
}

cairn_status crn_hcdps_search_open(cairn_search *search)
{
    const cairn_planner *planner = search->planner;
    hcdps_search *s = crn_scratch_alloc(&search->memory, sizeof *s);
    if (!s) return CAIRN_OUT_OF_MEMORY;
    memset(s, 0, sizeof *s);
    search->scratch = s;
    s->search = search;
    s->fresh = crn_hcdps_agent_of(planner);
    s->keeps_loops = !crn_parameter_of(planner, "loops");
    crn_builder_open(&s->builder, search);
    return CAIRN_OK;
}

/* ---- begin ---- */

cairn_status crn_hcdps_search_begin(cairn_search *search)
{
    hcdps_search *s = hcdps_of(search);
    cairn_node from = search->query.from, to = search->goals[0];
    s->ground = crn_hcdps_ground_of(crn_index_owner(search->planner)->index, search->space);
    crn_search_announce(search, 0);
    search->metrics.generated = 1;
    cairn_status status = crn_builder_begin(&s->builder, from);
    if (status != CAIRN_OK) return status;
    s->agent = s->fresh;
    s->agent.at = from;
    s->agent.goal = to;
    s->moves = s->hops = 0;
    s->whole = s->aimed = false;
    s->subgoal = CAIRN_NO_NODE;
    s->phase = HCDPS_WALK;
    if (from == to) return crn_builder_found(search, true);
    status = crn_hcdps_agent_begin(&s->ground, &s->agent);
    /* components say that there is a path */
    return status == CAIRN_FOUND ? CAIRN_RUNNING : crn_search_delegate(search);
}

/* ---- loops ---- */

/* Room for twice as many places as there are nodes, a power of two. */
static bool hcdps_loops_begin(hcdps_search *s)
{
    size_t need = SEARCH_LOOPS;
    while (need < 2 * s->builder.count) need *= 2;
    if (need > s->table_capacity) {
        crn_scratch *memory = &s->search->memory;
        uint32_t *table = crn_scratch_alloc(memory, need * sizeof *table);
        if (!table) return false;
        crn_scratch_free(memory, s->table, s->table_capacity * sizeof *table);
        s->table = table;
        s->table_capacity = need;
    }
    s->table_size = need;
    s->cleared = s->checked = s->kept = 0;
    s->phase = HCDPS_LOOPS;
    return true;
}

/* Returns where the place of a node is noted, or is to be. Places of loops that were removed may
 * still be noted: they are behind the end, or other nodes are there now. */
static uint32_t *hcdps_loops_find(const hcdps_search *s, cairn_node node)
{
    size_t mask = s->table_size - 1,
           slot = (size_t)(node * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    for (; s->table[slot] != UINT32_MAX; slot = (slot + 1) & mask) {
        uint32_t place = s->table[slot];
        if (place < s->kept && s->builder.nodes[place] == node) break;
    }
    return &s->table[slot];
}

/* The next node of the path: one that was there before ends a loop. */
static void hcdps_loops_take(hcdps_search *s)
{
    crn_builder *b = &s->builder;
    size_t i = s->checked++;
    cairn_node node = b->nodes[i];
    cairn_cost step = i ? b->costs[i] - b->costs[i - 1] : 0;
    uint32_t *place = hcdps_loops_find(s, node);
    if (*place != UINT32_MAX) {
        s->kept = *place + 1;
        return;
    }
    b->nodes[s->kept] = node;
    if (s->kept) b->costs[s->kept] = b->costs[s->kept - 1] + step;
    *place = (uint32_t)s->kept++;
}

/* A unit of work: clears a part of the table, or takes some nodes. */
static cairn_status hcdps_loops_on(hcdps_search *s)
{
    crn_builder *b = &s->builder;
    if (s->cleared < s->table_size) {
        size_t rest = s->table_size - s->cleared, part = rest < SEARCH_CLEAR ? rest : SEARCH_CLEAR;
        memset(s->table + s->cleared, 0xff, part * sizeof *s->table);
        s->cleared += part;
        return CAIRN_RUNNING;
    }
    for (uint32_t i = 0; i < SEARCH_LOOPS && s->checked < b->count; i++) hcdps_loops_take(s);
    if (s->checked < b->count) return CAIRN_RUNNING;
    b->count = s->kept;
    s->phase = HCDPS_WALK;
    /* What is left of a piece may be too short. */
    return s->whole || crn_builder_suffices(b) ? crn_builder_found(s->search, s->whole)
                                               : CAIRN_RUNNING;
}

/* ---- walking ---- */

static cairn_status hcdps_deliver(hcdps_search *s)
{
    cairn_metrics *metrics = &s->search->metrics;
    uint64_t bytes = sizeof *s + crn_builder_bytes(&s->builder);
    if (s->keeps_loops) {
        if (bytes > metrics->peak_bytes) metrics->peak_bytes = bytes;
        return crn_builder_found(s->search, s->whole);
    }
    if (!hcdps_loops_begin(s)) return CAIRN_OUT_OF_MEMORY;
    bytes += s->table_size * sizeof *s->table;
    if (bytes > metrics->peak_bytes) metrics->peak_bytes = bytes;
    return CAIRN_RUNNING;
}

/* A part of a move on a graph. CAIRN_RUNNING: it goes on with the next unit; CAIRN_STALE: the index
 * is wrong. */
static cairn_status hcdps_step_on_graph(hcdps_search *s, cairn_cost *cost)
{
    const crn_graph_space *graph = s->ground.graph;
    crn_hcdps_agent *agent = &s->agent;
    uint32_t looks = SEARCH_LOOKS;
    if (!s->aimed) {
        if (!crn_hcdps_agent_aim(&s->ground, agent) || agent->subgoals[0] >= graph->base.node_count)
            return CAIRN_STALE;
        s->found = crn_graph_step_begin(graph, agent->at, agent->subgoals[0]);
    }
    s->aimed = !crn_graph_step_go_on(graph, &s->found, &looks);
    if (s->aimed) return CAIRN_RUNNING;
    if (s->found.to == CAIRN_NO_NODE) return CAIRN_STALE;
    agent->at = s->found.to;
    *cost = s->found.cost;
    return CAIRN_OK;
}

/* A move on a grid; likewise. */
static cairn_status hcdps_step_on_grid(hcdps_search *s, cairn_cost *cost)
{
    const crn_grid_space *map = s->ground.map;
    cairn_node from = s->agent.at;
    if (!crn_hcdps_agent_move(&s->ground, &s->agent)) return CAIRN_STALE;
    crn_climb step = crn_climb_between(map, from, s->agent.at);
    uint32_t d = crn_climb_towards[3 * (step.ty - step.y) + step.tx - step.x + 4];
    *cost = crn_grid_step_cost(map, from, s->agent.at, d);
    return CAIRN_OK;
}

/* CAIRN_STALE: the index is wrong. */
static cairn_status hcdps_move(hcdps_search *s)
{
    crn_hcdps_agent *agent = &s->agent;
    cairn_node from = agent->at;
    uint32_t region = agent->region;
    cairn_cost cost = 0;
    cairn_status status =
        s->ground.map ? hcdps_step_on_grid(s, &cost) : hcdps_step_on_graph(s, &cost);
    s->hops += agent->region != region;
    if (status != CAIRN_OK) return status;
    if (s->hops > crn_hcdps_regions(s->ground.index) ||
        s->moves++ > (uint64_t)SEARCH_VISITS * s->search->space->node_count)
        return CAIRN_STALE;
    if (s->search->traced) {
        if (agent->subgoals[0] != s->subgoal) {
            s->subgoal = agent->subgoals[0];
            crn_trace(s->search, CAIRN_EVENT_SUBGOAL, s->subgoal, from, CAIRN_NO_COST, 0);
        }
        crn_trace(s->search, CAIRN_EVENT_SEGMENT, agent->at, from, CAIRN_NO_COST, 0);
    }
    return crn_builder_put(&s->builder, agent->at, cost);
}

/* A unit of work: some moves; on graphs one or a part of it. */
static cairn_status hcdps_walk_on(hcdps_search *s)
{
    uint32_t moves = s->ground.map ? SEARCH_MOVES : 1;
    for (uint32_t i = 0; i < moves; i++) {
        cairn_status status = hcdps_move(s);
        if (status != CAIRN_OK) return status;
        s->whole = s->agent.at == s->agent.goal;
        if (s->whole || crn_builder_suffices(&s->builder)) return hcdps_deliver(s);
    }
    return CAIRN_RUNNING;
}

cairn_status crn_hcdps_search_step(cairn_search *search, uint64_t work)
{
    hcdps_search *s = hcdps_of(search);
    cairn_status status = CAIRN_RUNNING;
    for (; work && status == CAIRN_RUNNING; work--) {
        status = s->phase == HCDPS_WALK ? hcdps_walk_on(s) : hcdps_loops_on(s);
        search->metrics.work++;
    }
    /* A path that is not the cheapest may cost more than 32 bits hold; and only a wrong file can be
     * the cause of a climb that ends early. */
    if ((status == CAIRN_STALE || status == CAIRN_COST_OVERFLOW) && !s->builder.given)
        return crn_search_delegate(search);
    return status;
}

cairn_status crn_hcdps_search_next(cairn_search *search)
{
    crn_builder_next(&hcdps_of(search)->builder);
    return CAIRN_RUNNING;
}
