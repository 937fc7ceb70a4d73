/* heuristic.h: a heuristic is a plug.
 *
 * An estimate is made in two steps. First the space's own metric gives the distance of a node from
 * the box round the goals (octile, Euclidean, ...; heuristic.c). Then a plug may refine it: it gets
 * the node and the metric's value, and returns the value to use. Landmarks return the larger of the
 * metric's and their own bound; the table of clusters mostly returns its own. A plug that needs no
 * metric asks for CAIRN_HEURISTIC_NULL and gets 0.
 *
 * A heuristic is bound to a query before it is used: forward to the goals (the cost from a node to
 * the nearest of them), or backward to a start (the cost from the start to a node). What it notes
 * about them goes into the crn_estimate, which belongs to the search. The heuristic itself is
 * constant and shared. The facts that it states about itself decide what a search may rely on.
 * Wrong facts make wrong answers: tests compare them with true distances.
 *
 * A heuristic without an index is one file and one line: src/heuristic/NAME.c with `const
 * crn_heuristic crn_heuristic_NAME`, and CRN_HEURISTIC(NAME) in src/heuristics.def. Every algorithm
 * with a parameter `heuristic` then accepts its name. One with an index belongs to an algorithm,
 * which builds the index and puts the plug into its settings (alt.c, cluster_table.c).
 */
#ifndef CRN_HEURISTIC_H
#define CRN_HEURISTIC_H

#include "world/space.h"

/* What an estimate is bound to. */
typedef struct crn_aim {
    const cairn_space *space;
    cairn_heuristic metric;  /* CAIRN_HEURISTIC_NULL: none */
    const cairn_node *nodes; /* goals, or where the search starts */
    size_t count;
    const crn_box *box; /* round them */
    bool backward;      /* estimate the cost from them to a node, not that from a node to them */
    const cairn_node *start; /* of the query; NULL = nobody says */
} crn_aim;

/* The estimate of a node that no cheapest path of the query leads to. It is never put on an open
 * list (CRN_NO_BOUND). */
#define CRN_ESTIMATE_DEAD (UINT64_C(1) << 62)

typedef struct crn_estimate crn_estimate;

/* Returns the estimate to use for a node with this metric. */
typedef uint64_t crn_refine(const crn_estimate *estimate, cairn_node node, uint64_t metric);

/* A number for each node, and what its difference from `end` says: (number − end) ^ flip, which is
 * end − 1 − number if flip is −1. */
typedef struct crn_estimate_column {
    const uint32_t *numbers;
    int64_t end, flip;
} crn_estimate_column;

#define CRN_ESTIMATE_COLUMNS 16u

/* What a plug notes about the nodes it is bound to. */
typedef union crn_estimate_note {
    const void *pointers[4];
    uint32_t numbers[8];
    struct {
        uint32_t column_count;
        crn_estimate_column columns[CRN_ESTIMATE_COLUMNS];
    };
} crn_estimate_note;

/* A heuristic bound to a query. It must not be moved: its box points into it. */
struct crn_estimate {
    const cairn_space *space;
    cairn_heuristic metric;
    crn_refine *refine; /* NULL = the metric alone */
    const void *data;   /* the plug's own */
    uint32_t *room;     /* memory of the search, as much as the plug asked for */
    crn_estimate_note note;
    crn_box box;
    crn_gate gates[CRN_GATES];
    bool backward;
};

/* What is true of all estimates in a space. */
typedef struct crn_heuristic_facts {
    bool admissible; /* never more than the least cost */
    bool consistent; /* along an edge they fall by no more than it costs */
    /* They may fall by so much that nodes should wait for each other, in bands of keys that are
     * about so many eighths of the cheapest edge wide (best_first_push_heap); 0 = they need not.
     * Narrower bands reopen more nodes; in wider ones more nodes are expanded in vain. */
    uint32_t band;
    uint64_t rise; /* along an edge they rise by no more than this */
} crn_heuristic_facts;

typedef struct crn_heuristic {
    const char *name;
    /* the metric that it refines; CAIRN_HEURISTIC_AUTO = the space's default one */
    cairn_heuristic metric;
    crn_heuristic_facts (*facts)(const void *data, const cairn_space *space);
    void (*bind)(crn_estimate *estimate,
                 const crn_aim *aim); /* fills in the note, may choose `refine`; may be NULL */
    size_t (*room)(const void *data); /* how many numbers `room` must have; NULL = none */
    crn_refine *refine;
    const void *data;
} crn_heuristic;

/* Returns the facts of a plug, or of the metric alone if it is NULL. */
crn_heuristic_facts crn_heuristic_facts_of(const crn_heuristic *plug, const cairn_space *space,
                                           cairn_heuristic metric);

/* The estimate's `room` is there if the plug asks for it. */
void crn_estimate_bind(crn_estimate *estimate, const crn_heuristic *plug, const crn_aim *aim);

static inline uint64_t crn_estimate_node(const crn_estimate *estimate, cairn_node node)
{
    uint64_t metric = 0;
    if (estimate->metric != CAIRN_HEURISTIC_NULL) {
        const cairn_space *space = estimate->space;
        metric = space->functions->estimate(space, estimate->metric, node, &estimate->box);
    }
    return estimate->refine ? estimate->refine(estimate, node, metric) : metric;
}

/* The plugs of src/heuristics.def are numbered from CAIRN_HEURISTIC_COUNT on: values of the
 * parameter `heuristic`. */
enum {
    CRN_HEURISTIC_FIRST = CAIRN_HEURISTIC_COUNT - 1,
#define CRN_HEURISTIC(name) CRN_HEURISTIC_NUMBER_##name,
#include "heuristics.def"
#undef CRN_HEURISTIC
    CRN_HEURISTIC_END
};

/* Returns the plug with this number, or NULL if it is that of a metric. */
const crn_heuristic *crn_heuristic_plug(int64_t number);

#endif
