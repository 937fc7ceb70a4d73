/* lookahead.h: a small A* round an agent, and estimates that learn: what RTA*, LRTA*, LSS-LRTA* and
 * RTAA* share.
 *
 * An agent that must move at once cannot search as far as its goal. So each turn is
 *
 * - a look ahead: A* from where the agent stands, until `lookahead` nodes are expanded or the goal
 *   comes first on the open list. Its nodes are the local search space. The *best* one is the node
 *   that A* would expand next;
 * - learning: the estimates of nodes in that space are raised to what their surroundings say. Each
 *   algorithm has a rule of its own;
 * - steps: all of them to the best node, one each turn. With a look-ahead of one node that is one
 *   step. Algorithms that learn about every expanded node may look again after each (`steps`).
 *   Those that learn about one must not: they would walk to and fro between two nodes that they
 *   have learnt all about, and never raise those in view that mislead them.
 *
 * Estimates only grow, so that an agent in a hollow fills it up and gets out. What was learnt is
 * kept by node in a hash table, as the difference to the space's own estimate.
 *
 * - Complete where the goal can be reached from everywhere that the agent can get to (safely
 *   explorable worlds), whatever was learnt before. Where a step cannot be walked back the agent
 *   may make one after which there is no path: then it stops, a bounded number of looks later
 *   (lookahead_trap.c). No bound of the path's cost.
 * - What was learnt is about the distance to one goal. Another goal, or a new walk, forgets it. A
 *   push does not, so that an agent that is put back to its start walks a second trial.
 * - A commit leaves it, too: the agent gets out of what has become a hollow, and what has opened is
 *   used as soon as it is seen. But if some nodes are known to be dead ends, it forgets all.
 * - Ties: the larger g, then the node that was generated first.
 *
 * A unit of work is at most LOOKAHEAD_EDGES edges, half as many where links are shortcuts, of which
 * every estimate has to know, or as many steps of learning. LOOKAHEAD_TRACED nodes of the path
 * count as one.
 *
 * Sources: Korf, "Real-Time Heuristic Search", 1990; Koenig and Sun, "Comparing Real-Time and
 * Incremental Heuristic Search for Real-Time Situated Agents", 2009.
 */
#ifndef CRN_LOOKAHEAD_H
#define CRN_LOOKAHEAD_H

#include "continuous/walker.h"
#include "heuristic/heuristic.h"
#include "open/members.h"

#define CRN_LOCAL_NONE UINT32_MAX /* no node, no edge */

/* A node of the local search space. */
typedef struct crn_local_node {
    cairn_node node;
    cairn_cost g, h;
    uint32_t parent; /* its number in the space; that of the agent's node has itself */
    union {
        uint32_t next; /* of the same bucket; CRN_LOCAL_NONE: it is the last one */
        uint32_t into; /* for rules, when the look is over: an edge that leads to it */
    };
} crn_local_node;

/* An expansion. One of a node that was reopened does not count any more. */
typedef struct crn_local_expansion {
    uint32_t number;  /* of the node */
    cairn_cost least; /* for rules: what its surroundings say of its estimate */
} crn_local_expansion;

/* An edge between two nodes, from one that was expanded. Edges are in groups of CRN_LOCAL_GROUP,
 * each of one expansion only: so that is known of a group, not of an edge. A grid's expansion fills
 * no more than one. */
#define CRN_LOCAL_GROUP 8u
typedef struct crn_local_edge {
    cairn_cost cost;
    union {
        uint32_t to;   /* CRN_LOCAL_NONE: there are no more in this group */
        uint32_t next; /* for rules: another one that leads to the same node */
    };
} crn_local_edge;

/* Numbers from 0 on by their keys: a tournament tree with eight children at each node. A look has
 * few entries: comparing eight keys takes less than moving entries about. Numbers are never taken
 * out, only their keys. Of equal keys the smaller number comes first. */
#define CRN_LOCAL_FAN 8u
#define CRN_LOCAL_LEVELS 11u /* for 2^32 numbers */
#define CRN_LOCAL_NO_KEY UINT64_MAX
typedef struct crn_local_queue {
    /* The keys of all numbers, and above them the least one of each eight. The highest level has
     * eight. */
    uint64_t *levels[CRN_LOCAL_LEVELS];
    uint32_t depth, top;    /* levels; keys of the highest one that are in use */
    size_t count, capacity; /* numbers, in whole groups of eight */
    size_t size;            /* keys in all levels */
} crn_local_queue;

#define CRN_LOCAL_HEADS 64u /* buckets at first */

typedef enum crn_look_stage {
    CRN_LOOK_IDLE,
    CRN_LOOK_EXPAND,
    CRN_LOOK_LEARN,
    CRN_LOOK_TRACE, /* the path to the best node is being read */
    CRN_LOOK_DONE   /* the best node is known, and what could be learnt is */
} crn_look_stage;

typedef struct crn_lookahead {
    cairn_navigator *navigator;
    const struct crn_lookahead_rule *rule;
    crn_members learnt; /* of nodes: by how much more than the space's estimate */
    /* The version of the world in which some nodes are known to be dead ends; UINT64_MAX: none. */
    uint64_t dead_since;
    cairn_node aim; /* to which they are estimates; CAIRN_NO_NODE: nothing is learnt */
    uint32_t most;  /* expansions of a look */
    const struct crn_lookahead_call *call; /* NULL between two of them */

    crn_local_node *nodes; /* by their numbers; behind them, in the same block, ... */
    uint32_t *branches;    /* ... the first step of the path to each, if the rule keeps them */
    size_t node_capacity;
    /* A look begins with room for a few of them. When that is full they are moved to an array that
     * is twice as large, some with each unit of work. */
    crn_local_node *larger; /* NULL = there is none yet */
    uint32_t node_count, room, first_room, moved;
    /* Which nodes they are: buckets of a hash table, which are split one after the other when there
     * are more nodes (linear hashing, as in open/members.h). */
    uint32_t *heads;
    size_t head_capacity;
    uint32_t buckets, mask; /* the least power of two that is not less than their number, less 1 */
    crn_local_queue queue;  /* of nodes, by f, then the larger g; then it is the rule's */
    crn_local_expansion *expansions;
    crn_local_edge *edges; /* if the rule keeps them; counts are of whole groups */
    size_t edge_capacity;
    uint32_t *origins; /* of each group: the number of its expansion */
    size_t origin_capacity;
    uint32_t expansion_count, edge_count;

    crn_look_stage stage;
    uint32_t left;      /* expansions */
    uint32_t expanding; /* a node that is being expanded, ... */
    uint32_t edge;      /* ... from this edge on; UINT32_MAX: none is */
    uint32_t best;
    uint32_t tracing; /* the node of its path that is read next */
    /* of the rule: what it has done so far */
    uint32_t phase, at, spreading;

    uint32_t path_count;
    uint32_t *path; /* numbers of nodes, from the best one back to the next step */
    size_t path_capacity;
    uint64_t second;       /* of the rule */
    struct crn_trap *trap; /* watches for traps; NULL: it never had to */
    cairn_trace_sink sink;
    bool full;       /* there is no room for more nodes */
    bool overflowed; /* a path was left out because its cost does not fit */
    bool takes_all;  /* steps to the best node */
    bool hopes;      /* the agent can reach the goal, and can do so wherever it walks */
    bool watches;    /* for traps, where steps cannot be walked back */
} crn_lookahead;

static inline crn_scratch *crn_lookahead_memory(const crn_lookahead *look)
{
    return &look->navigator->memory;
}

typedef struct crn_trap crn_trap;

CRN_INLINE crn_local_node *crn_local(const crn_lookahead *look, uint32_t number)
{
    return &look->nodes[number];
}

/* Is it at the edge of the space? Else it is closed: its expansion is the last of its number. */
CRN_INLINE bool crn_local_is_open(const crn_lookahead *look, uint32_t number)
{
    return look->queue.levels[0][number] != CRN_LOCAL_NO_KEY;
}

/* ---- the queue (lookahead_queue.c) ---- */

/* Room for so many numbers. `close` may follow a failed `open`. */
bool crn_local_queue_open(crn_local_queue *queue, crn_scratch *memory, size_t capacity);
void crn_local_queue_close(crn_local_queue *queue, crn_scratch *memory);

/* Adds the next eight numbers, from 0 on, without keys. False = no memory, which the scratch
 * remembers. */
bool crn_local_queue_extend(crn_local_queue *queue, crn_scratch *memory);

/* The number with the least key; UINT32_MAX = there is none. */
uint32_t crn_local_queue_first(const crn_local_queue *queue);

/* Takes the key of a number away. */
void crn_local_queue_drop(crn_local_queue *queue, uint32_t number);

/* Gives a number a key, which is less than the one that it has. */
CRN_INLINE void crn_local_queue_lower(crn_local_queue *queue, uint32_t number, uint64_t key)
{
    queue->levels[0][number] = key;
    for (uint32_t i = 1; i < queue->depth; i++) {
        number /= CRN_LOCAL_FAN;
        if (key >= queue->levels[i][number]) return;
        queue->levels[i][number] = key;
    }
}

/* How an algorithm learns. */
typedef struct crn_lookahead_rule {
    bool keeps_edges, keeps_branches;
    /* What is learnt holds only for an agent that walks on: a push or a commit forgets it. */
    bool relative;
    /* Learns for at most *work, which it subtracts: an estimate that is raised or a turn of the
     * queue is 1, and so are CRN_LOOKAHEAD_STEP nodes or edges that are looked at. True when all is
     * learnt. A failure is in the scratch. */
    bool (*learn)(crn_lookahead *look, uint32_t *work);
} crn_lookahead_rule;

/* ---- for rules ---- */

/* Bytes of so many nodes. */
CRN_INLINE size_t crn_lookahead_node_bytes(const crn_lookahead *look, size_t count)
{
    return count * (sizeof *look->nodes + (look->rule->keeps_branches ? sizeof(uint32_t) : 0));
}

/* The cost and estimate of a node by its number: f. */
CRN_INLINE uint64_t crn_lookahead_f(const crn_lookahead *look, uint32_t number)
{
    return (uint64_t)crn_local(look, number)->g + crn_local(look, number)->h;
}

#define CRN_LOOKAHEAD_STEP 16u

/* Raises what is believed of a node to h, if that is more. CAIRN_NO_COST: no path leads from it to
 * the goal, and none over it, as long as the world stays as it is. */
void crn_lookahead_raise(crn_lookahead *look, uint32_t number, uint64_t h);

/* ---- for descriptors ---- */

/* Parameters. */
#define CRN_LOOKAHEAD_PARAMETER(usual) \
    { \
        "lookahead", "nodes that are expanded for a look ahead", CAIRN_PARAMETER_INTEGER, 1, \
            100000, usual, NULL \
    }
#define CRN_LOOKAHEAD_STEPS(usual) \
    { \
        "steps", "towards the best node after a look ahead: one, or all", CAIRN_PARAMETER_CHOICE, \
            0, 1, usual, crn_lookahead_steps \
    }
extern const char *const crn_lookahead_steps[];

#define CRN_LOOKAHEAD_INFO \
    .family = "continuous", .kind = CAIRN_KIND_NAVIGATOR, \
    .flags = CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_PIECES | CAIRN_MAY_BE_TRAPPED, \
    CRN_ALL_WORLDS, .delegates = 1u << CAIRN_FEATURE_MANY_GOALS
#define CRN_LOOKAHEAD_FUNCTIONS \
    .create = crn_lookahead_create, .destroy = crn_lookahead_destroy, CRN_WALKER_FUNCTIONS
cairn_status crn_lookahead_create(cairn_planner *planner, cairn_error *error);
void crn_lookahead_destroy(cairn_planner *planner);

/* ---- for algorithms that do more than look ahead ---- */

/* Looks of so many expansions. `close` may follow a failed `init`. */
typedef struct crn_lookahead_plan {
    const crn_lookahead_rule *rule;
    uint32_t most;
    bool takes_all;
    bool watches; /* for traps; else something else finds out that there is no path */
} crn_lookahead_plan;
cairn_status crn_lookahead_init(crn_lookahead *look, cairn_navigator *navigator,
                                const crn_lookahead_plan *plan);
void crn_lookahead_free(crn_lookahead *look);

/* What was seen counts no more; the next call looks again. `doubt`: the world has changed, or the
 * agent did not walk to where it is. `clear`: what was learnt does not count either. */
void crn_lookahead_drop(crn_lookahead *look);
void crn_lookahead_doubt(crn_lookahead *look);
void crn_lookahead_clear(crn_lookahead *look);

/* The agent has made a step. One along the path to the best node keeps that, if there is more of it
 * to walk. Returns whether it was one. */
bool crn_lookahead_advance(crn_lookahead *look);

/* Can the goal be reached, as far as that is known without a search? */
cairn_status crn_lookahead_hope(crn_lookahead *look);

/* Looks ahead for at most *budget units, which it subtracts. CAIRN_OK: there is a next step;
 * CAIRN_RUNNING, or why there is none. */
cairn_status crn_lookahead_look(crn_lookahead *look, cairn_move *move, uint64_t *budget);
crn_step_look crn_lookahead_step(const crn_lookahead *look);
uint32_t crn_lookahead_seen(const crn_lookahead *look, cairn_node *out, uint32_t capacity);

/* Bytes in use. */
uint64_t crn_lookahead_used(const crn_lookahead *look);

/* Traps (lookahead_trap.c). `watch`: a look begins, in a world where steps cannot be walked back.
 * CAIRN_UNREACHABLE: the goal cannot be reached from anywhere that the agent can get to. */
cairn_status crn_lookahead_watch(crn_lookahead *look);
void crn_lookahead_forget_trap(crn_lookahead *look);
void crn_lookahead_free_trap(crn_lookahead *look);
size_t crn_lookahead_trap_bytes(const crn_lookahead *look);

/* How LSS-LRTA* learns. */
extern const crn_lookahead_rule crn_lss_rule;

/* ---- for those that do not ---- */

/* Functions of a navigator; `open` of an algorithm calls crn_lookahead_open with its rule. */
cairn_status crn_lookahead_open(cairn_navigator *navigator, const crn_lookahead_rule *rule);
#define CRN_LOOKAHEAD_NAVIGATOR \
    .close = crn_lookahead_close, .start = crn_lookahead_forget, .changed = crn_lookahead_changed, \
    .stepped = crn_lookahead_stepped, .pushed = crn_lookahead_pushed, \
    .retargeted = crn_lookahead_forget, .next = crn_lookahead_next, .ahead = crn_lookahead_ahead, \
    .bytes = crn_lookahead_bytes, .trace = crn_lookahead_trace
void crn_lookahead_close(cairn_navigator *navigator);
void crn_lookahead_forget(cairn_navigator *navigator);
void crn_lookahead_changed(cairn_navigator *navigator);
void crn_lookahead_stepped(cairn_navigator *navigator, cairn_node from);
void crn_lookahead_pushed(cairn_navigator *navigator);
cairn_status crn_lookahead_next(cairn_navigator *navigator, cairn_move *move);
uint32_t crn_lookahead_ahead(const cairn_navigator *navigator, cairn_node *out, uint32_t capacity);
size_t crn_lookahead_bytes(const cairn_navigator *navigator);
void crn_lookahead_trace(cairn_navigator *navigator, const cairn_trace_sink *sink);

#endif
