/* measure.h: runs one algorithm over a set of problems, on as many threads as wanted. */
#ifndef PROGRAM_MEASURE_H
#define PROGRAM_MEASURE_H

#include "problems.h"

/* What is wrong with an answer in itself, whatever the right one may be. */
typedef enum answer_fault {
    FAULT_NONE,
    FAULT_ILLEGAL, /* a step that cannot be made */
    FAULT_ENDS,    /* does not lead from start to goal */
    FAULT_COST,    /* cost is not the sum of the steps */
    FAULT_LENGTH,  /* length does not fit the steps */
    /* asked for in pieces, the path does not lead there, or costs something else than its steps */
    FAULT_PIECES
} answer_fault;

typedef struct answer {
    cairn_status status;
    cairn_cost cost;
    double length, bound;
    double time_us; /* median of the repeats */
    /* until the first piece of the path is there: all of it, if the planner gives no pieces */
    double first_us;
    uint64_t expanded, generated, peak_bytes;
    const cairn_algorithm *answered_by; /* NULL = the ends decided it */
    /* asked for in pieces as well; all of them together cost this: */
    bool followed;
    double pieces_length;
    cairn_cost pieces_cost;
    answer_fault fault; /* only looked for if asked */
} answer;

typedef struct measure_options {
    uint32_t threads; /* the context has this many */
    uint32_t repeat;  /* runs a problem; 0 and 1: one */
    bool warm;        /* some untimed queries first */
    bool pieces;      /* ask for pieces too, and time the first of them */
    bool inspect;     /* look for faults */
    const char *label;
} measure_options;

/* One answer a problem; NULL after a complaint or Ctrl-C. Free with free(). Apart from the times
 * the answers do not depend on the number of threads. */
answer *measure_run(const world *w, cairn_planner *planner, const problem_set *set,
                    const measure_options *options);

/* Fills `reference` and `expected` of all problems by running dijkstra, if there are no
 * published lengths to go by. */
int measure_references(const command *self, const world *w, problem_set *set, uint32_t threads);

/* Is this the answer: a path, or "unreachable" where there is none? (A problem that starts or
 * ends in a wall has no answer.) */
bool measure_solved(const problem *p, const answer *a);

/* Between the centres of two cells, in cells. */
double measure_crow(const world *w, cairn_node from, cairn_node to);

/* How much longer or more expensive the answer is than the best one: 0 = equal within what the
 * published number can tell. Only for solved problems with a path. */
double measure_excess(const problem_set *set, const problem *p, const answer *a);

/* The same of all pieces together. */
double measure_pieces_excess(const problem_set *set, const problem *p, const answer *a);

#endif
