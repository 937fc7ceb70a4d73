/* search.h (internal): a search: the state of one query, and scratch memory that counts against its
 * limit. */
#ifndef CRN_SEARCH_H
#define CRN_SEARCH_H

#include "search/algorithm.h"
#include "world/links.h"
#include <stdatomic.h>

/* Where a query stands. */
typedef enum crn_phase {
    CRN_PHASE_SEARCH,  /* the algorithm has it, or it is over */
    CRN_PHASE_ENDS,    /* finding the nodes at positions */
    CRN_PHASE_START,   /* looking for a usable start */
    CRN_PHASE_RESOLVE, /* turning the goals into nodes */
    CRN_PHASE_GOALS    /* looking for a goal that can be reached */
} crn_phase;

typedef enum crn_resolve_stage {
    CRN_RESOLVE_CHECK,
    CRN_RESOLVE_COLLECT,
    CRN_RESOLVE_SORT,
    CRN_RESOLVE_CHOOSE,
    CRN_RESOLVE_DONE
} crn_resolve_stage;

/* How far goals are turned into nodes (goals.c). */
typedef struct crn_resolving {
    crn_resolve_stage stage;
    bool sorted;   /* what was collected is ascending */
    uint32_t goal; /* of those asked for */
    uint32_t at;   /* in what it stands for */
    size_t place;  /* in the list */
    crn_sorting sorting;
    size_t kept;        /* of the list */
    cairn_node last;    /* that was looked at there */
    uint64_t component; /* of the start */
} crn_resolving;

struct cairn_search {
    cairn_planner *planner; /* the one that answers: `asked`, or its delegate */
    cairn_context *context;
    const cairn_space *space;
    crn_scratch memory;
    void *scratch;             /* of the planner's algorithm */
    cairn_planner *asked;      /* the one that the search was created for */
    void *spare;               /* scratch of the other of the two; NULL = none yet */
    struct crn_filter *filter; /* for queries with a filter (filter.h); NULL = there was none yet */
    bool filtered;             /* the filter's planner answers, on its own space */

    cairn_query query;
    cairn_node *goals; /* resolved goals: usable nodes, each once, ascending */
    size_t goal_count, goal_capacity;
    cairn_node *longer; /* that the first ones have been moved to; NULL = none are being moved */
    size_t longer_capacity, moved;
    crn_box box;         /* round the goals */
    uint64_t version;    /* of the world when the query began ... */
    uint64_t generation; /* ... and of the planner's index */

    crn_phase phase;
    uint64_t prepared;          /* units of work before the algorithm began (prepare.c) ... */
    uint32_t unplaced;          /* ... finding the nodes at these ends, bits as by_position, ... */
    bool walking;               /* ... the walk for one of them has begun; ... */
    struct crn_tree_walk *walk; /* ... memory for that, NULL = none yet; ... */
    crn_closest_usable nearby;  /* ... looking for a start, ... */
    crn_resolving resolving;    /* ... resolving goals, ... */
    crn_nearest nearest;        /* ... round a goal, ... */
    uint32_t near_goal;         /* ... which is this one of those that were asked for; */
    bool near_found;            /* that is done; */
    cairn_node near_best;       /* the best node so far, ... */
    cairn_cost near_cost;       /* ... and the estimate from there to its goal */

    cairn_status status; /* RUNNING while a query is in flight, else how the last one ended */
    bool begun;          /* there has been a query ... */
    bool answered;       /* ... that the algorithm itself has begun */
    bool path_made;
    cairn_status reason; /* why the goals were replaced; CAIRN_OK = they were not */
    crn_box aim;         /* round the goals as they were asked for */
    /* the search is over, but the end of a partial path is still to be found: the final status;
     * CAIRN_RUNNING = it is not over */
    cairn_status ending;
    bool looking;                    /* that has begun; reached_goal is the best so far ... */
    cairn_cost closest_h, closest_g; /* ... with this estimate and cost */
    /* the query ended with a path that ends before the goal */
    bool partial;
    uint64_t straight, diagonal; /* steps of the path under construction ... */
    uint64_t linked;             /* ... what its links cost ... */
    double lines;                /* ... how long its lines of any angle are ... */
    cairn_cell direction;        /* ... and where the last steps went */
    cairn_node reached_goal;
    cairn_path path;
    cairn_node *nodes; /* of the path */
    size_t node_count, node_capacity;
    cairn_path_link *links; /* of the path */
    size_t link_count, link_capacity;

    cairn_position *points; /* of the path */
    size_t point_capacity;
    cairn_portal *portals; /* of the path */
    size_t portal_capacity;

    cairn_metrics metrics;
    cairn_trace_sink next_sink; /* from the next query on */
    cairn_trace_sink sink;
    bool traced;
    bool subsearch;        /* it belongs to another search (subsearch.h) ... */
    uint32_t level;        /* ... on this level */
    bool unfinished;       /* the piece of the path that was found is not the last one */
    bool continued;        /* the piece that is looked for is not the first: it begins ... */
    cairn_node piece_from; /* ... here */
    /* CAIRN_ANYTIME: the path that was found may not be the best; reset with each query */
    bool improvable;
    double bound; /* of the path that was found; 0 = the planner's */
    atomic_bool cancelled;
};

/* search.c: which algorithm answers. Subsearches use these functions too.
 * - open: makes the scratch of `planner`, with search->memory set. If that fails, close must
 *   follow.
 * - recall: returns to the asked planner, for the next query.
 * - start: begins a query whose ends are resolved, by the algorithm itself or by its delegate.
 * - delegate: passes the running query to the delegate, from its beginning, or from the end of the
 *   last piece that was returned; metrics count on.
 *   Afterwards an algorithm returns the status to its caller at once: search->scratch is no longer
 *   its own. */
cairn_status crn_search_open(cairn_search *search, cairn_planner *planner);
void crn_search_close(cairn_search *search);
void crn_search_recall(cairn_search *search);
cairn_status crn_search_start(cairn_search *search);
cairn_status crn_search_delegate(cairn_search *search);

/* prepare.c: before the algorithm begins. CAIRN_OK: it may begin. CAIRN_RUNNING: go_on does another
 * unit of work. Anything else is the answer.
 * - give_up: the budget is used up. */
cairn_status crn_prepare_begin(cairn_search *search);
cairn_status crn_prepare_go_on(cairn_search *search);
cairn_status crn_prepare_give_up(cairn_search *search);

/* goals.c: resolve fills goals and box with those goals of the query that can be reached, one unit
 * of work at a time, of which resolve_begin does the first. If there are none, replace makes the
 * goal of a partial path the reachable node nearest to one of them: one unit of work at a time,
 * after replace_begin. put: makes a node the only goal. stop_moving: frees what a long list was
 * being moved to. */
cairn_status crn_goals_resolve_begin(cairn_search *search);
cairn_status crn_goals_resolve(cairn_search *search);
void crn_goals_replace_begin(cairn_search *search);
cairn_status crn_goals_replace(cairn_search *search);
cairn_status crn_goals_put(cairn_search *search, cairn_node goal);
void crn_goals_stop_moving(cairn_search *search);

/* Is a node one of the resolved goals? */
bool crn_goals_has(const cairn_search *search, cairn_node node);

/* Search for the end of a partial path: from the start on, each expanded node is considered. */
void crn_closest_begin(cairn_search *search);
void crn_closest_consider(cairn_search *search, cairn_node node, cairn_cost g);

/* The path under construction, from its end to its start. Points in line are merged on grids. The
 * last function reverses it, and fills in cost and length. */
void crn_path_start(cairn_search *search);
cairn_status crn_path_add(cairn_search *search, cairn_node node);
/* The same for a node this many steps in a direction from the last one, on squares without
 * links. */
cairn_status crn_path_walk(cairn_search *search, cairn_node node, cairn_cell direction,
                           uint32_t steps);
/* The same for a node that a straight line of any angle joins with the last one, or a link (may be
 * NULL). */
cairn_status crn_path_join(cairn_search *search, cairn_node node, const crn_space_link *link);
/* The rest of the path at once: one step each from nodes[place], the last one, back to nodes[0]; on
 * squares without links, at least four wide. */
cairn_status crn_path_walk_back(cairn_search *search, const cairn_node *nodes, size_t place);
/* The whole path, for paths with many turns: from nodes[count] back to nodes[0], this many steps in
 * these directions (grid_space.h); on squares without links. */
cairn_status crn_path_follow_back(cairn_search *search, const cairn_node *nodes,
                                  const uint8_t *directions, size_t count);
void crn_path_finish(cairn_search *search, cairn_cost cost);

/* Ends that are positions (ends.c): replace them by nodes when a query begins, and give a finished
 * path its points and portals.
 * - resolve: one unit of work at a time, of which resolve_begin does the first.
 * - walk: memory for a walk through the tree of a graph; NULL = there is none. */
cairn_status crn_ends_resolve_begin(cairn_search *search);
cairn_status crn_ends_resolve(cairn_search *search);
struct crn_tree_walk *crn_ends_walk(cairn_search *search);
cairn_status crn_ends_decorate(cairn_search *search);
void crn_ends_free(cairn_search *search);

CRN_INLINE void crn_trace(const cairn_search *search, cairn_event_kind kind, cairn_node node,
                          cairn_node parent, cairn_cost g, cairn_cost h)
{
    cairn_event event = {kind, search->level, node, parent, g, h};
    search->sink.event(search->sink.user, &event);
}

/* Tells the sink, when a query begins, where from, with what estimate, and where it is to end. The
 * ends of a subsearch, and of a query that was delegated after some work, are known already. */
void crn_search_announce(const cairn_search *search, uint64_t estimate);

#endif
