/* pin.h: a search that commits cannot overtake: it sees the world as it was when it was pinned.
 *
 * The world as it was is the present one with the old state of all cells that were changed since: a
 * patch (world/patch.h) that grows with every commit, under a view of its own whose version stays.
 * A* searches it; planners that search views themselves do so with their parameters. What it finds
 * is checked in the world as it is.
 *
 * Only grids without links can be pinned: a path in a view does not name its links. The pin is lost
 * if a commit changes links, or what estimates and costs rest on (the cheapest ground, for
 * example), if it is too large, or if the world has forgotten it.
 */
#ifndef CRN_PIN_H
#define CRN_PIN_H

#include "search/search.h"
#include <cairn/service.h>

enum {
    CRN_PIN_RESTARTS = 2,     /* so often a search begins again before it is pinned */
    CRN_PIN_COMMIT = 4096,    /* cells of a commit, at most */
    CRN_PIN_CELLS = 1u << 18, /* that have changed, at most */
    CRN_PIN_MERGED = 1024     /* of them are moved in a unit of work */
};

/* What searches of a grid rest on, besides its cells: estimates, costs, and where things are. */
typedef struct crn_facts {
    cairn_scale cheapest;
    uint32_t times;
    cairn_cost step[8];
    cairn_cost max_edge, max_step, min_edge;
    cairn_heuristic heuristic;
    bool uniform, steep, limited;
    const void *places[4];
} crn_facts;

/* Of spaces of other worlds there are none: false. */
bool crn_facts_learn(const cairn_space *space, crn_facts *facts);
bool crn_facts_equal(const crn_facts *a, const crn_facts *b);

typedef struct crn_pin crn_pin;

/* Can the space be pinned? */
bool crn_pin_is_possible(const cairn_space *space);

/* Makes a pin for searches as those of a planner; `byte_limit` is that of its search. NULL: no
 * memory. */
crn_pin *crn_pin_create(crn_scratch *memory, const cairn_planner *planner, size_t byte_limit);
void crn_pin_destroy(crn_scratch *memory, crn_pin *pin);

/* Pins it to the world as it is. */
void crn_pin_begin(crn_pin *pin);

/* What must be done before it can go on: commits that it has not taken in. Units of work for the
 * next of them; 0 = it can go on. */
uint64_t crn_pin_cost(const crn_pin *pin);
/* Takes in one commit. False = the pin is lost. */
bool crn_pin_refresh(crn_scratch *memory, crn_pin *pin);

cairn_search *crn_pin_search(const crn_pin *pin);

/* What the search has found, with turning points as searches of the space itself give them. */
const cairn_path *crn_pin_path(const crn_pin *pin);

size_t crn_pin_bytes(const crn_pin *pin); /* of its search */

/* Has the world changed since it was pinned? */
bool crn_pin_is_old(const crn_pin *pin);

#endif
