/* lpastar.c: LPA*, Lifelong Planning A*.
 *
 * A search from the start to the goal that is kept, and repaired when edges change
 * (incremental.h). Both ends are fixed. The first search expands what A* does that prefers small g
 * among equal keys; later ones only what the changes make different. The path is read off from the
 * goal back: each time to the node with the least sum of g and edge, of equals that of the first
 * edge in the order of the space. It takes no memory: the record of each node notes the next one
 * until the search goes on.
 *
 * As a navigator it begins where the agent stands. The agent then follows its path. All costs count
 * from where the search began: once the agent has moved they do not say what is best from where it
 * is. So after a change LPA* repairs its search if the agent has not moved since the search began,
 * and otherwise begins a new one. That is right for agents that wait, or for keeping a path between
 * two places up to date; for agents that walk while the world changes there is D* Lite
 * (dstar_lite.c). Another goal, a push, or a step of its own begins a new search too.
 *
 * Paths are optimal at every step, in the world as it is. The estimate is the space's own, with
 * links that are shortcuts.
 *
 * Source: Koenig, Likhachev and Furcy, "Lifelong Planning A*", 2004.
 */
#include "continuous/incremental.h"
#include "continuous/walker.h"

#define LPASTAR_EDGES 128u /* looked at for a unit of work while the path is read off */
#define LPASTAR_NOTES 64u  /* erased for one */

typedef struct lpastar_agent {
    crn_incremental search;
    bool settled;     /* the search is over, and fits the world */
    bool traced;      /* the path has been read off */
    cairn_node noted; /* the first node of it with a note; that of the goal: none has one */
    crn_incremental_look back; /* from the last node of the path to the one before it */
    crn_step_look step;        /* the next one */
} lpastar_agent;

static cairn_status lpastar_open(cairn_navigator *navigator)
{
    return crn_incremental_open(navigator, sizeof(lpastar_agent), false);
}

/* ---- events ---- */

/* It stands elsewhere, or the world has changed. */
static void lpastar_unsettle(cairn_navigator *navigator)
{
    lpastar_agent *agent = navigator->own;
    agent->settled = agent->traced = false;
}

static void lpastar_forget(cairn_navigator *navigator)
{
    lpastar_agent *agent = navigator->own;
    lpastar_unsettle(navigator);
    agent->search.begun = false;
}

/* A step along its path keeps the path. */
static void lpastar_stepped(cairn_navigator *navigator, cairn_node from)
{
    lpastar_agent *agent = navigator->own;
    bool along = agent->traced && from != navigator->goal &&
                 crn_incremental_noted(&agent->search, from) == navigator->at;
    if (!along) lpastar_unsettle(navigator);
    agent->step.from = CAIRN_NO_NODE;
}

/* ---- what next ---- */

/* Erases the notes for at most *budget units. True: there are none. */
static bool lpastar_erase(lpastar_agent *agent, uint64_t *budget)
{
    cairn_node goal = agent->search.target;
    for (; *budget && agent->noted != goal; --*budget) {
        for (uint32_t i = 0; i < LPASTAR_NOTES && agent->noted != goal; i++) {
            cairn_node next = crn_incremental_noted(&agent->search, agent->noted);
            crn_incremental_erase(&agent->search, agent->noted);
            agent->noted = next;
        }
    }
    return agent->noted == goal;
}

/* Begins the search, or makes it fit the world. */
static cairn_status lpastar_prepare(cairn_navigator *navigator, cairn_move *move)
{
    lpastar_agent *agent = navigator->own;
    crn_incremental *search = &agent->search;
    cairn_status status = crn_navigator_hope(navigator);
    if (status != CAIRN_OK) return status;
    uint32_t searches = search->searches;
    bool begins = !search->begun || search->root != navigator->at;
    move->plans += begins || search->version != cairn_space_version(navigator->space);
    status = begins ? crn_incremental_begin(search, navigator->at, navigator->goal)
                    : crn_incremental_notice(search);
    if (searches != search->searches) agent->noted = navigator->goal;
    return status;
}

/* Searches for at most *budget units. CAIRN_OK: it is over, and there is a path. */
static cairn_status lpastar_search(cairn_navigator *navigator, cairn_move *move, uint64_t *budget)
{
    lpastar_agent *agent = navigator->own;
    uint64_t expanded = agent->search.expanded;
    cairn_status status = lpastar_prepare(navigator, move);
    if (status == CAIRN_OK && !lpastar_erase(agent, budget)) status = CAIRN_RUNNING;
    if (status == CAIRN_OK) status = crn_incremental_step(&agent->search, budget);
    move->expanded += agent->search.expanded - expanded;
    agent->settled = status == CAIRN_FOUND;
    crn_incremental_look_at(&agent->back, navigator->goal);
    return agent->settled ? CAIRN_OK : status;
}

/* Reads the path off for at most *budget units. */
static cairn_status lpastar_read(cairn_navigator *navigator, uint64_t *budget)
{
    lpastar_agent *agent = navigator->own;
    crn_incremental_look *back = &agent->back;
    for (; *budget && !agent->traced; --*budget) {
        uint32_t edges = LPASTAR_EDGES;
        while (edges && !agent->traced) {
            if (!crn_incremental_look_on(&agent->search, back, &edges)) break;
            crn_incremental_note(&agent->search, back->to, back->node);
            agent->noted = back->to;
            agent->traced = back->to == navigator->at;
            agent->step.from = CAIRN_NO_NODE;
            crn_incremental_look_at(back, back->to);
        }
    }
    return agent->traced ? CAIRN_OK : CAIRN_RUNNING;
}

/* The next step of the path. */
static cairn_status lpastar_step(cairn_navigator *navigator, uint64_t *budget)
{
    lpastar_agent *agent = navigator->own;
    if (agent->step.from != navigator->at)
        agent->step = (crn_step_look){.from = navigator->at,
                                      .to = crn_incremental_noted(&agent->search, navigator->at),
                                      .cost = CAIRN_NO_COST};
    return crn_navigator_look(navigator, &agent->step, budget) ? CAIRN_OK : CAIRN_RUNNING;
}

static cairn_status lpastar_next(cairn_navigator *navigator, cairn_move *move)
{
    lpastar_agent *agent = navigator->own;
    uint64_t budget = navigator->budget;
    cairn_status status = CAIRN_OK;
    navigator->memory.failed = false;
    if (!agent->settled) status = lpastar_search(navigator, move, &budget);
    if (status == CAIRN_OK && !agent->traced) status = lpastar_read(navigator, &budget);
    if (status == CAIRN_OK) status = lpastar_step(navigator, &budget);
    if (status == CAIRN_OUT_OF_MEMORY) lpastar_forget(navigator);
    move->work += navigator->budget - budget;
    if (status == CAIRN_OK) crn_navigator_go(navigator, &agent->step, move);
    return status;
}

static uint32_t lpastar_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity)
{
    const lpastar_agent *agent = navigator->own;
    cairn_node node = navigator->at;
    uint32_t count = 0;
    if (!agent->traced || agent->search.version != cairn_space_version(navigator->space)) return 0;
    for (; node != navigator->goal; count++) {
        if (count < capacity) out[count] = node;
        node = crn_incremental_noted(&agent->search, node);
    }
    if (count < capacity) out[count] = node;
    return count + 1;
}

/* The path is the best one, and so is the rest of it. */
static double lpastar_bound(const cairn_navigator *navigator)
{
    const lpastar_agent *agent = navigator->own;
    return crn_navigator_best(navigator, agent->traced);
}

static const crn_navigator_functions lpastar_functions = {
    .open = lpastar_open,
    .close = crn_incremental_close,
    .start = lpastar_forget,
    .changed = lpastar_unsettle,
    .stepped = lpastar_stepped,
    .pushed = lpastar_unsettle,
    .retargeted = lpastar_forget,
    .next = lpastar_next,
    .ahead = lpastar_ahead,
    .bound = lpastar_bound,
    .bytes = crn_incremental_held,
    .trace = crn_incremental_trace,
};

const crn_algorithm crn_algorithm_lpastar = {
    .info = {.name = "lpastar",
             .aliases = "lpa* lpa lifelong-planning-astar",
             .summary = "LPA*: A* between two fixed places that is repaired when the world "
                        "changes",
             .source = "Koenig, Likhachev and Furcy 2004",
             .family = "continuous",
             .kind = CAIRN_KIND_NAVIGATOR,
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_PIECES,
             CRN_INCREMENTAL_WORLDS,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS},
    .create = crn_incremental_create,
    .destroy = crn_incremental_destroy,
    .navigator = &lpastar_functions,
    CRN_WALKER_FUNCTIONS,
};
