/* hcdps_navigator.c: agents of `hcdps` in a world that changes.
 *
 * Such an agent walks as one of cairn_planner_move does (hcdps_agent.c): it keeps a cursor in the
 * records and no path, and borrows no search of the pool. Beginning a walk is a unit of work, a
 * move takes none.
 *
 * After a commit the index is stale. The agent need not wait for another one: every step is looked
 * at in the world as it is, so it goes on by the old records as far as they lead
 * (CAIRN_REPLAN_BLOCKED). That ends, as h falls along each climb and the chain of records is
 * finite: at the goal, or where a climb is blocked. Then, or at once with CAIRN_REPLAN_CHANGED, the
 * index is synced, and the walk begins again where the agent is.
 *
 * Where ground differs in cost, heights or links matter, agents plan with A*, as searches do. On
 * graphs they plan a path by the index and follow it: steps at nodes with thousands of edges must
 * be found in pieces, as searches do that.
 */
#include "realtime/hcdps/hcdps_navigator.h"
#include "realtime/hcdps/hcdps_agent.h"

/* How often each node may be visited. */
enum { WALKER_VISITS = 4 };

typedef struct hcdps_walker {
    crn_hcdps_agent agent;
    bool begun;          /* the cursor is one ... */
    uint64_t generation; /* ... of this generation of the index */
    uint64_t left;       /* moves that it may take; more: the index is wrong */
    cairn_node subgoal;  /* traced last */
    cairn_trace_sink sink;
} hcdps_walker;

static crn_hcdps_ground walker_ground(const cairn_navigator *navigator)
{
    return crn_hcdps_ground_of(crn_index_owner(navigator->planner)->index, navigator->space);
}

/* ---- life ---- */

static bool walker_serves(const cairn_planner *planner)
{
    return crn_grid_space_of(planner->space) &&
           crn_hcdps_has_records(crn_index_owner(planner)->index, planner->space);
}

static cairn_status walker_open(cairn_navigator *navigator)
{
    hcdps_walker *own = navigator->own = crn_scratch_alloc(&navigator->memory, sizeof *own);
    if (!own) return CAIRN_OUT_OF_MEMORY;
    memset(own, 0, sizeof *own);
    return CAIRN_OK;
}

static void walker_close(cairn_navigator *navigator)
{
    crn_scratch_free(&navigator->memory, navigator->own, sizeof(hcdps_walker));
    navigator->own = NULL;
}

static void walker_forget(cairn_navigator *navigator)
{
    ((hcdps_walker *)navigator->own)->begun = false;
}

static void walker_changed(cairn_navigator *navigator)
{
    bool again = navigator->options.replan == CAIRN_REPLAN_CHANGED;
    if (again || crn_navigator_hope(navigator) != CAIRN_OK) walker_forget(navigator);
}

static void walker_stepped(cairn_navigator *navigator, cairn_node from)
{
    const hcdps_walker *own = navigator->own;
    (void)from;
    if (own->agent.at != navigator->at) walker_forget(navigator);
}

static size_t walker_bytes(const cairn_navigator *navigator)
{
    return navigator->memory.bytes;
}

static void walker_trace(cairn_navigator *navigator, const cairn_trace_sink *sink)
{
    ((hcdps_walker *)navigator->own)->sink = sink ? *sink : (cairn_trace_sink){0};
}

static void walker_tell(const cairn_navigator *navigator, cairn_event_kind kind, cairn_node node)
{
    const cairn_trace_sink *sink = &((hcdps_walker *)navigator->own)->sink;
    cairn_event event = {kind, 0, node, navigator->at, CAIRN_NO_COST, 0};
    if (sink->event) sink->event(sink->user, &event);
}

/* ---- the walk ---- */

/* Is its cursor one of the index as it is? Where the index is stale it still leads on. */
static bool walker_fits(const cairn_navigator *navigator)
{
    const hcdps_walker *own = navigator->own;
    const cairn_planner *owner = crn_index_owner(navigator->planner);
    return own->begun && owner->built && !owner->slicing && own->generation == owner->generation;
}

/* The records lead no further: they are old. Those of a file that do not keep their promise are
 * made again. */
static cairn_status walker_renew(cairn_navigator *navigator, cairn_move *move)
{
    cairn_planner *planner = navigator->planner;
    walker_forget(navigator);
    if (cairn_planner_state(planner) != CAIRN_OK) return CAIRN_OK;
    move->syncs++;
    return cairn_planner_build(planner, NULL, NULL);
}

/* RUNNING: there is no work left for it, or a file was wrong. */
static cairn_status walker_begin(cairn_navigator *navigator, cairn_move *move)
{
    hcdps_walker *own = navigator->own;
    cairn_status status = crn_navigator_hope(navigator);
    if (status != CAIRN_OK) return status;
    if (move->work >= navigator->budget) return CAIRN_RUNNING;
    status = crn_navigator_sync(navigator, move);
    if (status != CAIRN_OK) return status;
    move->work++;
    move->plans++;
    crn_hcdps_ground ground = walker_ground(navigator);
    own->agent = crn_hcdps_agent_of(navigator->planner);
    own->agent.at = navigator->at;
    own->agent.goal = navigator->goal;
    own->subgoal = CAIRN_NO_NODE;
    own->left = (uint64_t)WALKER_VISITS * navigator->space->node_count;
    own->generation = crn_index_owner(navigator->planner)->generation;
    own->begun = crn_hcdps_agent_begin(&ground, &own->agent) == CAIRN_FOUND;
    if (own->begun) return CAIRN_OK;
    status = walker_renew(navigator, move);
    return status == CAIRN_OK ? CAIRN_RUNNING : status;
}

/* Makes the next step; false: no climb leads on. */
static bool walker_step(cairn_navigator *navigator, cairn_move *move)
{
    hcdps_walker *own = navigator->own;
    crn_hcdps_ground ground = walker_ground(navigator);
    crn_hcdps_agent agent = own->agent;
    if (!own->left-- || !crn_hcdps_agent_move(&ground, &agent)) return false;
    crn_step_look look = {.from = navigator->at, .to = agent.at, .cost = CAIRN_NO_COST};
    uint64_t none = 0;
    crn_navigator_look(navigator, &look, &none);
    if (look.cost == CAIRN_NO_COST) return false;
    own->agent = agent;
    if (agent.subgoals[0] != own->subgoal) {
        own->subgoal = agent.subgoals[0];
        walker_tell(navigator, CAIRN_EVENT_SUBGOAL, own->subgoal);
    }
    walker_tell(navigator, CAIRN_EVENT_SEGMENT, agent.at);
    crn_navigator_go(navigator, &look, move);
    return true;
}

static cairn_status walker_next(cairn_navigator *navigator, cairn_move *move)
{
    cairn_status status = CAIRN_OK;
    if (walker_fits(navigator)) {
        if (walker_step(navigator, move)) return CAIRN_OK;
        move->broken = true;
        status = walker_renew(navigator, move);
    }
    if (status == CAIRN_OK) status = walker_begin(navigator, move);
    if (status != CAIRN_OK) return status;
    return walker_step(navigator, move) ? CAIRN_OK : CAIRN_RUNNING;
}

/* ---- what it knows ---- */

static uint32_t walker_subgoals(const cairn_navigator *navigator, cairn_node *out,
                                uint32_t capacity)
{
    if (!walker_fits(navigator)) return 0;
    crn_hcdps_ground ground = walker_ground(navigator);
    crn_hcdps_agent agent = ((const hcdps_walker *)navigator->own)->agent;
    uint32_t count = 0, most = navigator->space->node_count;
    for (bool more = agent.count > 0; more && count < most;) {
        cairn_node node = agent.subgoals[0];
        bool reached = !count && node == navigator->at;
        if (!reached && count < capacity) out[count] = node;
        count += !reached;
        more = crn_hcdps_agent_pass(&ground, &agent);
    }
    return count;
}

/* The climb to the next subgoal. */
static uint32_t walker_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    cairn_node next;
    if (!walker_subgoals(navigator, &next, 1) || next >= navigator->space->node_count) return 0;
    return crn_climb_cells(crn_grid_space_of(navigator->space), navigator->at, next, out, capacity);
}

const crn_navigator_functions crn_hcdps_navigator = {
    .serves = walker_serves,
    .open = walker_open,
    .close = walker_close,
    .start = walker_forget,
    .changed = walker_changed,
    .stepped = walker_stepped,
    .pushed = walker_forget,
    .retargeted = walker_forget,
    .next = walker_next,
    .ahead = walker_ahead,
    .subgoals = walker_subgoals,
    .bytes = walker_bytes,
    .trace = walker_trace,
};
