/* open.h: an open list is a plug.
 *
 * This is a table of functions for lists of states, each with a key of two numbers: least first,
 * then least second. The best-first loop has the two lists that most searches use, buckets and the
 * heap, built into its instances; one more instance uses any list through this table. So do
 * searches with a loop of their own (search/own_search.h), also with a list of their own. A list
 * that cannot remove or change an entry has NULL there: its user pushes the state again and skips
 * the older entry when it is taken. A queue and a stack ignore keys; buckets ignore the second
 * number.
 *
 * A pop from a long list, or finding the place of an entry, may be much work. Such lists put it
 * off: `work` does what must be done before the next pop, a number of steps at a time, so that a
 * search can do it in several units of work. A pop does whatever is left of it.
 */
#ifndef CRN_OPEN_H
#define CRN_OPEN_H

#include "core/core.h"

typedef struct crn_open_entry {
    uint64_t key, second;
    uint32_t state;
} crn_open_entry;

/* Where the user has a word for each state, 0 at first, in which a list notes where the state's
 * entry is (members.h). */
typedef struct crn_open_places {
    uint32_t *(*of)(void *user, uint32_t state);
    void *user;
} crn_open_places;

/* What is known of the keys of a query, for lists that need it: about the least difference of two
 * steps, how far apart the keys on the list can be, and the first key. */
typedef struct crn_open_range {
    uint64_t step, span, first;
    const crn_open_places *places; /* NULL = none: a list has a hash table of its own */
} crn_open_range;

#define CRN_OPEN_STEPS 400u /* of `work`, for a unit of work of a search */

typedef struct crn_open_functions {
    size_t size; /* of the list, which begins zeroed */
    void (*open)(void *list, crn_scratch *scratch);
    void (*close)(void *list);
    /* Empties it for a query. CAIRN_OUT_OF_MEMORY or CAIRN_OK. */
    cairn_status (*reset)(void *list, const crn_open_range *range);
    /* Without memory: nothing, and the scratch remembers. A list that can update changes the entry
     * of a state that is there. */
    void (*push)(void *list, crn_open_entry entry);
    bool (*pop)(void *list, uint32_t *state);         /* false = the list is empty */
    bool (*remove)(void *list, uint32_t state);       /* false = it was not there; NULL = cannot */
    void (*update)(void *list, crn_open_entry entry); /* of a state that is there; NULL = cannot */
    /* what comes next; NULL = no keys, or not known without work */
    bool (*least)(const void *list, crn_open_entry *entry);
    /* Does at most this many steps of the work that is due before the next pop. False = there is
     * more. NULL = a pop is bounded work. */
    bool (*work)(void *list, uint32_t steps);
    uint64_t (*compares)(const void *list); /* comparisons of this query; NULL = not counted */
    size_t (*bytes)(const void *list);      /* in use by this query, at most */
    /* CRN_CHECKED: what is wrong with it (open_check.h); may be NULL */
    const char *(*check)(const void *list);
} crn_open_functions;

extern const crn_open_functions crn_open_buckets; /* within a bucket the last in is first out */
extern const crn_open_functions
    crn_open_heap; /* of equal keys the last in is first out; 32 bits of the second number */
extern const crn_open_functions crn_open_queue;
extern const crn_open_functions crn_open_stack;
/* Lists that sort strictly (strict.h): of equal ones the last in is first out. */
extern const crn_open_functions crn_open_indexed; /* a binary heap that knows each state's place */
extern const crn_open_functions crn_open_unsorted_array;
extern const crn_open_functions crn_open_unsorted_list;
extern const crn_open_functions crn_open_sorted_array;
extern const crn_open_functions crn_open_sorted_list;
extern const crn_open_functions crn_open_skip_list;
extern const crn_open_functions crn_open_skew_heap;
extern const crn_open_functions crn_open_splay_tree;
extern const crn_open_functions crn_open_hot_queue;

#endif
