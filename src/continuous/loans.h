/* loans.h: the searches that the navigators of a planner share.
 *
 * A search is large and an agent plans rarely, so agents borrow one. The lender belongs to the
 * planner as long as that has navigators. It has a fixed number of desks, each with a search that
 * is made when it is first needed. An agent that finds no desk waits in a queue.
 *
 * - First come, first served: a desk that becomes free is for the first in the queue, whoever asks.
 * - After a piece of a path the search knows how it goes on, so the agent keeps its desk. But it
 *   rests: the desk is given to another agent that needs one, if no other is free. The agent then
 *   finds that it has lost its search.
 * - An agent that is not called any more must not stop the others. One that has not been seen while
 *   all who wait asked LOANS_PATIENCE times loses its place in the queue, or its desk.
 *
 * Everything depends on the order of calls only, so walks can be repeated.
 */
#ifndef CRN_LOANS_H
#define CRN_LOANS_H

#include "search/search.h"

/* What an agent has borrowed, or waits for. */
typedef struct crn_loan {
    cairn_search *search;            /* NULL = none */
    struct crn_loan *before, *after; /* in the queue */
    uint64_t seen;                   /* when it asked last, by the lender's clock */
    bool own;                        /* the search is the agent's own, and no lender is asked */
    bool waiting;
    bool resting;
} crn_loan;

/* Navigators join the lender of their planner, and leave it with their loan. The last one closes
 * it. CAIRN_OUT_OF_MEMORY. */
cairn_status crn_lender_join(cairn_planner *planner);
void crn_lender_leave(cairn_planner *planner, crn_loan *loan);

/* Borrows a search. CAIRN_OK: loan->search can be used. CAIRN_RUNNING: it must wait.
 * CAIRN_OUT_OF_MEMORY. */
cairn_status crn_loan_take(cairn_planner *planner, crn_loan *loan);

/* The search is not needed before the next piece. */
void crn_loan_rest(crn_loan *loan);

/* Gives the search back, and leaves the queue. */
void crn_loan_return(cairn_planner *planner, crn_loan *loan);

#endif
