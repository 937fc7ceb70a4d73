/* pra_search.h: what a search of PRA* keeps, for pra_search.c, which searches and walks, and
 * pra_corridor.c, which says where. */
#ifndef CRN_PRA_SEARCH_H
#define CRN_PRA_SEARCH_H

#include "hierarchy/pra/pra.h"

typedef enum crn_pra_phase {
    PRA_SEARCHES,
    PRA_READS,
    PRA_MARKS,
    PRA_LINKS,
    PRA_WALKS,
    PRA_TURNS,
    PRA_TAKES,
    PRA_LEAVES,
    PRA_ENTERS,
    PRA_OPENS,
    PRA_HIDES,
    PRA_SMOOTHS
} crn_pra_phase;

/* How far the squares of a corridor reach from the centre of a node of level 0, in units of a
 * level. */
enum { PRA_REACH = CRN_ABSTRACT_UNITS * 14 / 16 };

/* Rings of neighbours with corridor=wider, by level; above the last one as there. On coarse levels
 * a path may lead past a lake on the wrong side; they have few nodes, so leaving it the choice
 * costs little. */
static const uint8_t pra_rings[] = {1, 1, 1, 1, 3, 5};

/* For a piece, the path on a level is cut off this many nodes after what the piece itself is there:
 * they tell where it should lead. Followed in pieces of 16 steps, paths of dao and bg512 are within
 * 5 % of the best in 96.7 % of all cases with 2 of them, in 99.6 % with 7, and then in 91 % within
 * 1 %. */
enum { PRA_AHEAD = 7 };

/* This many ends of pieces are kept in mind. */
enum { PRA_ENDS = 8 };

/* How much of a phase is one unit of work. */
enum {
    PRA_READ_NODES = 64,
    PRA_TAKE_NODES = 32,
    PRA_MARK_NODES = 6,
    PRA_MARK_EDGES = 512, /* of one of them */
    PRA_HIDE_ROWS = 32
};

/* A graph of which only some nodes are shown. */
typedef struct crn_pra_filter {
    cairn_space base;
    const cairn_space *whole;
    const uint32_t *group, *stamps; /* as of a view of a level; NULL = all */
    uint32_t stamp;
} crn_pra_filter;

/* When a query begins: takes over what a commit may have changed. */
void crn_pra_filter_refresh(crn_pra_filter *filter);

typedef struct crn_pra_stamps {
    uint32_t *of; /* nodes of a level */
    size_t count, capacity;
} crn_pra_stamps;

/* Around all cells that are shown; first > last: there are none. */
typedef struct crn_pra_span {
    cairn_node first, last;
    uint32_t left, right; /* columns */
} crn_pra_span;

static const crn_pra_span crn_pra_nothing = {UINT32_MAX, 0, UINT32_MAX, 0};

typedef struct crn_pra {
    crn_builder builder;
    cairn_search *search;
    const crn_cliques *cliques;
    bool stale; /* the index is of an earlier world; a new one is being made */

    crn_abstract_graph none; /* what the view shows before the first query */
    crn_abstract_view view;
    crn_metric_gates gates; /* that lead to the end of the search on a level */
    crn_subsearch upper;    /* on all levels */
    crn_part part;          /* grids */
    crn_pra_filter filter;  /* graphs */
    crn_subsearch lower;    /* on the ground */

    /* which nodes of a level are the corridor of the level below */
    crn_pra_stamps stamps[CRN_CLIQUE_LEVELS + 1];
    uint32_t stamp;

    crn_pra_phase phase;
    uint32_t level, lowest; /* that is searched now, and last before the ground */
    uint32_t fine;          /* whose nodes make up the corridor of the ground */
    uint32_t steps;         /* paths are cut off after this many; 0 = never */
    /* on levels, after what these are there and this many more; 0 = after as many */
    uint32_t ahead;
    cairn_node from[CRN_CLIQUE_LEVELS + 1], to[CRN_CLIQUE_LEVELS + 1]; /* the ends on each level */
    cairn_node target;                                                 /* of the search under way */
    cairn_node read; /* the next node of the path that is read off */
    /* the path on a level, from its end to its start, with what it costs from the start on */
    cairn_edge *path;
    size_t path_count, path_capacity, path_most;
    size_t length;      /* nodes of it that count, from the start on */
    size_t at;          /* how far a phase has come */
    bool wide, opened;  /* the corridor; everything is shown */
    bool entering;      /* the search on the ground is one from clique to clique */
    bool squares;       /* a wide corridor of the ground is made of squares */
    cairn_node *marked; /* nodes of the level that belong to the corridor, ring by ring */
    size_t marked_count, marked_capacity, marked_most, ring_end;
    uint32_t rings;     /* still to come */
    uint32_t edge;      /* of a node with many neighbours, the next to be marked ... */
    bool crowded;       /* ... with the next unit of work */
    crn_pra_span shown; /* grids */
    bool arrived;       /* the path ends at the goal */

    cairn_node ends[PRA_ENDS]; /* of the last pieces */
    cairn_node milestone;      /* Brent: an end of a piece, ... */
    uint32_t since, power;     /* ... this many pieces ago, and when to set the next one */
} crn_pra;

CRN_INLINE crn_pra *crn_pra_of(const cairn_search *search)
{
    return search->scratch;
}

CRN_INLINE int64_t crn_pra_parameter(const crn_pra *p, uint32_t i)
{
    return p->search->planner->parameters[i];
}

CRN_INLINE void crn_pra_spend(crn_pra *p, uint64_t *work)
{
    --*work;
    p->search->metrics.work++;
}

/* The i-th node of the path on the level, from its start. */
CRN_INLINE cairn_node crn_pra_path(const crn_pra *p, size_t i)
{
    return p->path[p->path_count - 1 - i].node;
}

/* ---- edges that no list has (pra_edges.c) ---- */

/* Of a view of level 1 of a grid, whose owner is the search. */
extern const crn_space_functions crn_pra_packs_functions;

/* For a search on p->level, whose other edges cost at most so much: links and one-way steps. */
void crn_pra_open_edges(crn_pra *p, cairn_cost most);

/* The link that the path on the level takes from its i-th node to the next; NULL: none. */
const crn_clique_door *crn_pra_door(const crn_pra *p, size_t i);

/* ---- the corridor (pra_corridor.c) ---- */

/* The search on the ground, and the part of a grid or the filter of a graph that it sees. */
cairn_status crn_pra_open_ground(crn_pra *p);

/* Until now nothing is marked; room for marks on the levels from `first` on. */
void crn_pra_new_stamp(crn_pra *p);
cairn_status crn_pra_prepare_stamps(crn_pra *p, uint32_t first);

/* The path on the level, with this many rings round it: some nodes of it, until CAIRN_OK. */
void crn_pra_begin_marking(crn_pra *p);
cairn_status crn_pra_mark_some(crn_pra *p);

/* The clique that the path has come to and the next one; if need be all that are next to it. */
cairn_status crn_pra_mark_cliques(crn_pra *p);

/* Is the corridor of the ground made of squares? Its ends must be inside. */
bool crn_pra_in_squares(const crn_pra *p);
void crn_pra_show_ends(crn_pra *p);

/* Hides what is shown in this many rows; true = nothing is shown any more. */
bool crn_pra_hide(crn_pra *p, size_t count);

#endif
