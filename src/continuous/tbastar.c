/* tbastar.c: TBA*, time-bounded A*.
 *
 * An agent must move now, and A* has not reached the goal yet. So A* runs in slices, one each turn,
 * and keeps its lists from turn to turn. After a slice the agent walks towards the node that A*
 * would expand next, the most promising one. The path to it is traced back through the parents, in
 * slices too, until it meets the agent or the start. Then the agent follows it. If the agent is not
 * on it, it steps back along its trail until it is: the start is on every path. Once A* has reached
 * the goal and that path is traced, the agent follows it to the end.
 *
 * A turn takes at most `slice` units of work: an expansion is one, and so are `ratio` steps of
 * tracing. `share` per cent of them are for expanding while the goal is not found. What an agent
 * keeps are A*'s lists, as large as the part of the map that was searched, its trail, and two
 * paths.
 *
 * The agent is at the end of its path and the next one is not traced: `idle=back`, as published,
 * steps back; `idle=wait` waits. Not in the source: a commit, a push or another goal begins a new
 * search where the agent stands; and a step that cannot be walked back is made only when the whole
 * path is known, so that one-way steps and links cannot trap the agent.
 *
 * The agent arrives if there is a path. No bound of the path's cost.
 *
 * Source: Björnsson, Bulitko and Sturtevant, "TBA*: Time-Bounded A*", 2009; settings as in Lawrence
 * and Bulitko, "Taking Learning Out of Real-Time Heuristic Search for Video-game Pathfinding",
 * 2010.
 */
#include "continuous/walker.h"
#include "search/nodes.h"
#include "search/subsearch.h"

static const char *const tbastar_idle_choices[] = {"back", "wait", NULL};

static const cairn_parameter tbastar_parameters[] = {
    {"slice", "units of work for a turn: expansions, and steps traced back by the ratio",
     CAIRN_PARAMETER_INTEGER, 2, 1000000, 100, NULL},
    {"ratio", "steps traced back that cost as much as an expansion", CAIRN_PARAMETER_INTEGER, 1,
     250, 10, NULL},
    {"share", "per cent of a slice for expanding, while the goal is not found",
     CAIRN_PARAMETER_INTEGER, 1, 99, 90, NULL},
    {"idle", "at the end of a path, while the next is being traced: a step back, or none",
     CAIRN_PARAMETER_CHOICE, 0, 1, 0, tbastar_idle_choices},
};

/* A path, from its end back. The last node stands as deep in the tree as `base` says: as many steps
 * from the start as the trail of an agent that stands there has. */
typedef struct tbastar_path {
    crn_nodes nodes;
    size_t base;
} tbastar_path;

/* What is left to do in a turn. */
typedef enum tbastar_stage {
    TBASTAR_EXPAND,
    TBASTAR_TRACE,
    TBASTAR_LOOK,
    TBASTAR_STAGES
} tbastar_stage;

typedef struct tbastar_agent {
    cairn_search heard; /* what the search reports to where no query is answered */
    crn_subsearch astar;
    bool searching;    /* a search has begun, from ... */
    cairn_node start;  /* ... here; it is ... */
    cairn_status ends; /* ... running, or has ended so */
    crn_nodes trail;   /* the nodes from there to where the agent is */
    tbastar_path follow, traced;
    bool tracing, whole; /* a path is being traced; the one that is followed leads to the goal */
    bool turning;        /* a turn has begun: */
    tbastar_stage stage;
    uint64_t left;             /* units, or steps of tracing, of the stage */
    uint64_t searched;         /* units of the turn that went into expanding */
    crn_step_look there, back; /* the step that it is about to make, and the one back */
} tbastar_agent;

/* ---- life ---- */

static void tbastar_close(cairn_navigator *navigator)
{
    tbastar_agent *agent = navigator->own;
    if (!agent) return;
    crn_subsearch_close(&agent->astar);
    crn_nodes_close(&agent->trail, &navigator->memory);
    crn_nodes_close(&agent->follow.nodes, &navigator->memory);
    crn_nodes_close(&agent->traced.nodes, &navigator->memory);
    crn_scratch_free(&navigator->memory, agent, sizeof *agent);
    navigator->own = NULL;
}

static cairn_status tbastar_open(cairn_navigator *navigator)
{
    tbastar_agent *agent = navigator->own = crn_scratch_alloc(&navigator->memory, sizeof *agent);
    if (!agent) return CAIRN_OUT_OF_MEMORY;
    memset(agent, 0, sizeof *agent);
    cairn_search *outer = navigator->query ? navigator->query : &agent->heard;
    return crn_subsearch_open(&agent->astar, &navigator->memory, outer, navigator->planner->space,
                              0);
}

/* Everything from the beginning, where the agent is. */
static void tbastar_forget(cairn_navigator *navigator)
{
    tbastar_agent *agent = navigator->own;
    agent->searching = agent->turning = false;
}

static size_t tbastar_bytes(const cairn_navigator *navigator)
{
    return navigator->memory.bytes;
}

static void tbastar_trace_to(cairn_navigator *navigator, const cairn_trace_sink *sink)
{
    tbastar_agent *agent = navigator->own;
    agent->heard.sink = sink ? *sink : (cairn_trace_sink){0};
    agent->heard.traced = agent->heard.sink.event != NULL;
}

static uint64_t tbastar_value(const cairn_navigator *navigator, const char *name)
{
    return crn_parameter_of(navigator->planner, name);
}

/* ---- searching ---- */

static cairn_status tbastar_begin(cairn_navigator *navigator, cairn_move *move)
{
    tbastar_agent *agent = navigator->own;
    cairn_status status = crn_navigator_hope(navigator);
    if (status != CAIRN_OK) return status;
    crn_nodes_clear(&agent->trail);
    crn_nodes_clear(&agent->follow.nodes);
    crn_nodes_clear(&agent->traced.nodes);
    agent->tracing = agent->whole = agent->turning = false;
    agent->start = navigator->at;
    if (!crn_nodes_push(&agent->trail, &navigator->memory, agent->start))
        return CAIRN_OUT_OF_MEMORY;
    crn_subsearch_rest(&agent->astar);
    agent->ends = crn_subsearch_begin(&agent->astar, navigator->at, navigator->goal);
    agent->searching = true;
    move->plans++;
    return CAIRN_OK;
}

/* How many units of a turn are for searching. */
static uint64_t tbastar_expansions(const cairn_navigator *navigator)
{
    const tbastar_agent *agent = navigator->own;
    uint64_t units = tbastar_value(navigator, "slice") * tbastar_value(navigator, "share") / 100;
    return agent->ends == CAIRN_RUNNING ? (units ? units : 1) : 0;
}

static void tbastar_begin_turn(cairn_navigator *navigator)
{
    tbastar_agent *agent = navigator->own;
    agent->turning = true;
    agent->stage = TBASTAR_EXPAND;
    agent->left = tbastar_expansions(navigator);
    agent->searched = 0;
}

/* The most memory that a plan has used: lists, and paths. */
static void tbastar_count_bytes(cairn_navigator *navigator)
{
    const tbastar_agent *agent = navigator->own;
    size_t nodes = agent->trail.count + agent->follow.nodes.count + agent->traced.nodes.count;
    uint64_t bytes = agent->astar.peak + nodes * sizeof *agent->trail.items;
    if (bytes > navigator->sums.peak_bytes) navigator->sums.peak_bytes = bytes;
}

/* Expands for at most *budget units. True when that stage is done. */
static bool tbastar_expand(cairn_navigator *navigator, cairn_move *move, uint64_t *budget)
{
    tbastar_agent *agent = navigator->own;
    while (*budget && agent->left && agent->ends == CAIRN_RUNNING) {
        uint64_t work = agent->left < *budget ? agent->left : *budget, before = work;
        uint64_t expanded = agent->astar.search.metrics.expanded;
        agent->ends = crn_subsearch_step(&agent->astar, &work);
        uint64_t used = before - work;
        agent->left -= used;
        agent->searched += used;
        *budget -= used;
        move->work += used;
        move->expanded += agent->astar.search.metrics.expanded - expanded;
    }
    tbastar_count_bytes(navigator);
    return !agent->left || agent->ends != CAIRN_RUNNING;
}

/* ---- tracing ---- */

/* Adds a node to the path that is being traced. The two paths change places, so both have room for
 * as many nodes. False = no memory. */
static bool tbastar_add(cairn_navigator *navigator, cairn_node node)
{
    tbastar_agent *agent = navigator->own;
    crn_nodes *other = &agent->follow.nodes;
    if (!crn_nodes_push(&agent->traced.nodes, &navigator->memory, node)) return false;
    void *items = other->items;
    bool ok = agent->traced.nodes.capacity <= other->capacity ||
              crn_scratch_grow(&navigator->memory, &items, &other->capacity,
                               agent->traced.nodes.capacity, sizeof *other->items);
    other->items = items;
    return ok;
}

/* Begins with the most promising node, or with the goal. */
static bool tbastar_begin_trace(cairn_navigator *navigator)
{
    tbastar_agent *agent = navigator->own;
    cairn_node end = agent->ends == CAIRN_FOUND ? navigator->goal
                                                : crn_best_first_promising(&agent->astar.search);
    crn_nodes_clear(&agent->traced.nodes);
    agent->tracing = end != CAIRN_NO_NODE;
    return !agent->tracing || tbastar_add(navigator, end);
}

/* The path is traced: the agent follows it from now on. */
static void tbastar_adopt(const cairn_navigator *navigator, size_t base)
{
    tbastar_agent *agent = navigator->own;
    tbastar_path before = agent->follow;
    agent->follow = agent->traced;
    agent->follow.base = base;
    agent->traced = before;
    agent->tracing = false;
    agent->whole = agent->follow.nodes.items[0] == navigator->goal && agent->ends == CAIRN_FOUND;
}

/* One step of it. False = no memory. */
static bool tbastar_trace_step(cairn_navigator *navigator)
{
    tbastar_agent *agent = navigator->own;
    const crn_nodes *nodes = &agent->traced.nodes;
    cairn_node last = nodes->items[nodes->count - 1];
    if (last == navigator->at) {
        tbastar_adopt(navigator, agent->trail.count - 1);
        return true;
    }
    if (last == agent->start) {
        tbastar_adopt(navigator, 0);
        return true;
    }
    return tbastar_add(navigator, crn_subsearch_before(&agent->astar, last));
}

/* Traces for at most *budget units. True when that stage is done. */
static bool tbastar_trace(cairn_navigator *navigator, cairn_move *move, uint64_t *budget)
{
    tbastar_agent *agent = navigator->own;
    uint64_t ratio = tbastar_value(navigator, "ratio");
    while (*budget && agent->left && agent->tracing && !navigator->memory.failed) {
        uint64_t steps = agent->left < ratio ? agent->left : ratio;
        for (uint64_t i = 0; i < steps && agent->tracing && tbastar_trace_step(navigator); i++) {
        }
        agent->left -= steps;
        --*budget;
        move->work++;
    }
    return !agent->left || !agent->tracing;
}

/* How many steps of a turn are for tracing. */
static void tbastar_begin_tracing(cairn_navigator *navigator)
{
    tbastar_agent *agent = navigator->own;
    agent->stage = TBASTAR_TRACE;
    agent->left =
        (tbastar_value(navigator, "slice") - agent->searched) * tbastar_value(navigator, "ratio");
    if (!agent->tracing && !agent->whole && !tbastar_begin_trace(navigator)) agent->left = 0;
}

/* ---- walking ---- */

/* Where the agent stands on the path that it follows; SIZE_MAX: it does not. */
static size_t tbastar_place(const cairn_navigator *navigator)
{
    const tbastar_agent *agent = navigator->own;
    const crn_nodes *nodes = &agent->follow.nodes;
    size_t depth = agent->trail.count - 1, base = agent->follow.base;
    if (depth < base || depth - base >= nodes->count) return SIZE_MAX;
    size_t place = nodes->count - 1 - (depth - base);
    return nodes->items[place] == navigator->at ? place : SIZE_MAX;
}

/* Chooses the next step; CAIRN_NO_NODE: none. */
static cairn_node tbastar_choose(const cairn_navigator *navigator)
{
    tbastar_agent *agent = navigator->own;
    size_t place = tbastar_place(navigator), depth = agent->trail.count - 1;
    if (place != SIZE_MAX && place > 0) return agent->follow.nodes.items[place - 1];
    bool ended = place == 0;
    if (ended && tbastar_value(navigator, "idle") == 1) return CAIRN_NO_NODE;
    if (ended) crn_nodes_clear(&agent->follow.nodes); /* it has been walked */
    return depth ? agent->trail.items[depth - 1] : CAIRN_NO_NODE;
}

static void tbastar_begin_look(cairn_navigator *navigator)
{
    tbastar_agent *agent = navigator->own;
    cairn_node at = navigator->at, to = tbastar_choose(navigator);
    agent->stage = TBASTAR_LOOK;
    agent->there = (crn_step_look){.from = at, .to = to, .cost = CAIRN_NO_COST};
    agent->back = (crn_step_look){.from = to, .to = at, .cost = CAIRN_NO_COST};
    agent->there.done = to == CAIRN_NO_NODE;
    agent->back.done = to == CAIRN_NO_NODE || agent->whole;
}

/* Looks at the step for at most *budget units. True when it is known. */
static bool tbastar_look(cairn_navigator *navigator, cairn_move *move, uint64_t *budget)
{
    tbastar_agent *agent = navigator->own;
    uint64_t before = *budget;
    bool done = crn_navigator_look(navigator, &agent->there, budget) &&
                crn_navigator_look(navigator, &agent->back, budget);
    move->work += before - *budget;
    return done;
}

/* The turn is over: a step, or none. */
static cairn_status tbastar_end_turn(cairn_navigator *navigator, cairn_move *move)
{
    tbastar_agent *agent = navigator->own;
    agent->turning = false;
    if (agent->there.to == CAIRN_NO_NODE || agent->there.cost == CAIRN_NO_COST ||
        (!agent->whole && agent->back.cost == CAIRN_NO_COST)) {
        navigator->waits = true;
        return CAIRN_RUNNING;
    }
    if (!crn_nodes_reserve(&agent->trail, &navigator->memory, 1)) return CAIRN_OUT_OF_MEMORY;
    navigator->unsure = agent->ends != CAIRN_FOUND && cairn_space_directed(navigator->space);
    crn_navigator_go(navigator, &agent->there, move);
    return CAIRN_OK;
}

/* A step that it has chosen itself, or one that the agent was made to take. */
static void tbastar_stepped(cairn_navigator *navigator, cairn_node from)
{
    tbastar_agent *agent = navigator->own;
    size_t depth = agent->trail.count - 1;
    bool chosen = agent->searching && !agent->turning && agent->there.from == from &&
                  agent->there.to == navigator->at;
    if (!chosen) {
        tbastar_forget(navigator);
    } else if (depth && agent->trail.items[depth - 1] == navigator->at) {
        agent->trail.count--;
    } else {
        agent->trail.items[agent->trail.count++] = navigator->at;
    }
    agent->there.from = agent->there.to = CAIRN_NO_NODE;
}

/* ---- what next ---- */

/* Is there no memory, or no path? */
static bool tbastar_failed(const cairn_navigator *navigator)
{
    const tbastar_agent *agent = navigator->own;
    return navigator->memory.failed || (agent->ends != CAIRN_RUNNING && agent->ends != CAIRN_FOUND);
}

/* Goes on with the turn. True when it is over. */
static bool tbastar_turn(cairn_navigator *navigator, cairn_move *move, uint64_t *budget)
{
    tbastar_agent *agent = navigator->own;
    if (agent->stage == TBASTAR_EXPAND) {
        if (!tbastar_expand(navigator, move, budget)) return false;
        if (tbastar_failed(navigator)) return true;
        tbastar_begin_tracing(navigator);
    }
    if (agent->stage == TBASTAR_TRACE) {
        if (!tbastar_trace(navigator, move, budget)) return false;
        tbastar_count_bytes(navigator);
        tbastar_begin_look(navigator);
    }
    return tbastar_look(navigator, move, budget);
}

static cairn_status tbastar_next(cairn_navigator *navigator, cairn_move *move)
{
    tbastar_agent *agent = navigator->own;
    navigator->memory.failed = false;
    cairn_status status = agent->searching ? CAIRN_OK : tbastar_begin(navigator, move);
    if (status != CAIRN_OK) return status;
    if (!agent->turning) tbastar_begin_turn(navigator);
    uint64_t budget = navigator->budget;
    bool over = tbastar_turn(navigator, move, &budget);
    if (tbastar_failed(navigator)) {
        agent->searching = agent->turning = false;
        return navigator->memory.failed ? CAIRN_OUT_OF_MEMORY : agent->ends;
    }
    return over ? tbastar_end_turn(navigator, move) : CAIRN_RUNNING;
}

static uint32_t tbastar_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    const tbastar_agent *agent = navigator->own;
    size_t place = agent->searching ? tbastar_place(navigator) : SIZE_MAX;
    if (place == SIZE_MAX) return 0;
    for (size_t i = 0; i <= place && i < capacity; i++)
        out[i] = agent->follow.nodes.items[place - i];
    return (uint32_t)place + 1;
}

static const crn_navigator_functions tbastar_functions = {
    .open = tbastar_open,
    .close = tbastar_close,
    .start = tbastar_forget,
    .changed = tbastar_forget,
    .stepped = tbastar_stepped,
    .pushed = tbastar_forget,
    .retargeted = tbastar_forget,
    .next = tbastar_next,
    .ahead = tbastar_ahead,
    .bytes = tbastar_bytes,
    .trace = tbastar_trace_to,
};

static cairn_status tbastar_create(cairn_planner *planner, cairn_error *error)
{
    (void)planner;
    (void)error;
    return CAIRN_OK;
}

static void tbastar_destroy(cairn_planner *planner)
{
    (void)planner;
}

const crn_algorithm crn_algorithm_tbastar = {
    .info = {.name = "tbastar",
             .aliases = "tba* tba time-bounded-astar",
             .summary = "TBA*: A* in slices; the agent walks towards its most promising node "
                        "meanwhile, and turns back if need be",
             .source = "Björnsson, Bulitko and Sturtevant 2009",
             .family = "continuous",
             .kind = CAIRN_KIND_NAVIGATOR,
             .flags = CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_PIECES,
             CRN_ALL_WORLDS,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS,
             .parameters = tbastar_parameters,
             .parameter_count = CRN_COUNT(tbastar_parameters)},
    .create = tbastar_create,
    .destroy = tbastar_destroy,
    .navigator = &tbastar_functions,
    CRN_WALKER_FUNCTIONS,
};
