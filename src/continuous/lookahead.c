/* lookahead.c: the life of an agent that looks ahead. See lookahead.h. */
#include "continuous/lookahead.h"

const char *const crn_lookahead_steps[] = {"one", "all", NULL};

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
    crn_scratch *memory = crn_lookahead_memory(look);
    crn_members_close(&look->learnt);
    crn_lookahead_free_trap(look);
    crn_local_queue_close(&look->queue, memory);
    crn_scratch_free(memory, look->nodes, crn_lookahead_node_bytes(look, look->node_capacity));
    if (look->larger)
        crn_scratch_free(memory, look->larger,
                         crn_lookahead_node_bytes(look, 2 * look->node_capacity));
    crn_scratch_free(memory, look->heads, look->head_capacity * sizeof *look->heads);
    if (look->expansions)
        crn_scratch_free(memory, look->expansions, look->most * sizeof *look->expansions);
    crn_scratch_free(memory, look->edges, look->edge_capacity * sizeof *look->edges);
    crn_scratch_free(memory, look->origins, look->origin_capacity * sizeof *look->origins);
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

/* An array of its first size. */
static void *lookahead_array(crn_lookahead *look, size_t *capacity, size_t count, size_t size)
{
    void *items = crn_scratch_alloc(crn_lookahead_memory(look), count * size);
    if (items) *capacity = count;
    return items;
}

/* As many nodes as a look ahead needs on squares: the first expansion has eight new ones, the
 * others have at most five. In whole groups of the queue. */
static size_t lookahead_nodes(const crn_lookahead *look)
{
    size_t nodes = 5 * (size_t)look->most + 4, all = look->navigator->space->node_count;
    if (nodes > all) nodes = all;
    return (nodes + CRN_LOCAL_FAN - 1) / CRN_LOCAL_FAN * CRN_LOCAL_FAN;
}

cairn_status crn_lookahead_init(crn_lookahead *look, cairn_navigator *navigator,
                                const crn_lookahead_plan *plan)
{
    bool keeps = plan->rule->keeps_edges;
    crn_scratch *memory = &navigator->memory;
    memset(look, 0, sizeof *look);
    look->navigator = navigator;
    look->rule = plan->rule;
    look->aim = CAIRN_NO_NODE;
    crn_members_open(&look->learnt, memory);
    look->most = plan->most;
    look->takes_all = plan->takes_all;
    look->watches = plan->watches;
    size_t most = look->most, nodes = lookahead_nodes(look), first = 256;
    if (first > nodes) first = nodes;
    look->first_room = (uint32_t)first;
    look->nodes =
        lookahead_array(look, &look->node_capacity, first, crn_lookahead_node_bytes(look, 1));
    if (look->nodes && plan->rule->keeps_branches)
        look->branches = (uint32_t *)(void *)(look->nodes + first);
    look->heads = lookahead_array(look, &look->head_capacity, CRN_LOCAL_HEADS, sizeof *look->heads);
    look->path = lookahead_array(look, &look->path_capacity, most + 1, sizeof *look->path);
    look->expansions = crn_scratch_alloc(memory, most * sizeof *look->expansions);
    if (keeps) {
        look->edges = lookahead_array(look, &look->edge_capacity, CRN_LOCAL_GROUP * most,
                                      sizeof *look->edges);
        look->origins = lookahead_array(look, &look->origin_capacity, most, sizeof *look->origins);
    }
    bool ok = crn_local_queue_open(&look->queue, memory, nodes) && look->nodes && look->heads;
    ok = ok && look->path && look->expansions && (!keeps || (look->edges && look->origins));
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
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
           crn_lookahead_node_bytes(look, look->node_count) +
           look->node_count * sizeof *look->queue.levels[0] +
           look->expansion_count * sizeof *look->expansions +
           look->edge_count * sizeof *look->edges +
           look->edge_count / CRN_LOCAL_GROUP * sizeof *look->origins;
}

/* ---- events ---- */

void crn_lookahead_drop(crn_lookahead *look)
{
    look->stage = CRN_LOOK_IDLE;
    look->path_count = 0;
}

void crn_lookahead_doubt(crn_lookahead *look)
{
    crn_lookahead_drop(look);
    crn_lookahead_forget_trap(look);
    look->hopes = false;
}

void crn_lookahead_clear(crn_lookahead *look)
{
    crn_lookahead_doubt(look);
    look->aim = CAIRN_NO_NODE;
}

void crn_lookahead_forget(cairn_navigator *navigator)
{
    crn_lookahead_clear(navigator->own);
}

void crn_lookahead_changed(cairn_navigator *navigator)
{
    crn_lookahead *look = navigator->own;
    crn_lookahead_doubt(look);
    if (look->rule->relative) look->aim = CAIRN_NO_NODE;
}

void crn_lookahead_pushed(cairn_navigator *navigator)
{
    crn_lookahead_changed(navigator);
}

bool crn_lookahead_advance(crn_lookahead *look)
{
    bool along = look->stage == CRN_LOOK_DONE && look->path_count &&
                 crn_local(look, look->path[look->path_count - 1])->node == look->navigator->at;
    if (!along || !--look->path_count || !look->takes_all) crn_lookahead_drop(look);
    return along;
}

void crn_lookahead_stepped(cairn_navigator *navigator, cairn_node from)
{
    (void)from;
    if (!crn_lookahead_advance(navigator->own)) crn_lookahead_changed(navigator);
}

void crn_lookahead_trace(cairn_navigator *navigator, const cairn_trace_sink *sink)
{
    ((crn_lookahead *)navigator->own)->sink = sink ? *sink : (cairn_trace_sink){0};
}

/* ---- what next ---- */

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
    uint32_t count = look->path_count;
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
