/* open.h: an open list is a plug.
 *
 * A table of functions for lists of states, each with a key of two numbers: least first, then
 * least second. The best-first loop has the two lists that most searches use, buckets and the heap,
 * built into its instances; searches with a loop of their own (search/own_search.h) take any list
 * through this table, theirs included.
 *
 * A list that cannot take out or change an entry has NULL there: whoever uses it puts the state on
 * it again and skips the older entry when it comes up. A queue and a stack look at no keys, buckets
 * only at where the first one falls.
 */
#ifndef CRN_OPEN_H
#define CRN_OPEN_H

#include "core/core.h"

typedef struct crn_open_entry {
    uint64_t key, second;
    uint32_t state;
} crn_open_entry;

/* What is known of the keys of a query, for lists that must know: the least that two different
 * steps differ by, about; how far apart the keys on the list can be; the first one. */
typedef struct crn_open_range {
    uint64_t step, span, first;
} crn_open_range;

typedef struct crn_open_functions {
    size_t size; /* of the list, which begins zeroed */
    void (*open)(void *list, crn_scratch *scratch);
    void (*close)(void *list);
    /* Empties it for a query. CAIRN_OUT_OF_MEMORY or CAIRN_OK. */
    cairn_status (*reset)(void *list, const crn_open_range *range);
    /* without memory: nothing, and the scratch remembers */
    void (*push)(void *list, crn_open_entry entry);
    bool (*pop)(void *list, uint32_t *state);         /* false = the list is empty */
    bool (*remove)(void *list, uint32_t state);       /* false = it was not there; NULL = cannot */
    void (*update)(void *list, crn_open_entry entry); /* of a state that is there; NULL = cannot */
    bool (*least)(const void *list, crn_open_entry *entry); /* what comes next; NULL = no keys */
    size_t (*bytes)(const void *list);                      /* in use by this query, at most */
} crn_open_functions;

extern const crn_open_functions crn_open_buckets; /* within a bucket the last in is first out */
extern const crn_open_functions
    crn_open_heap; /* of equal keys the last in is first out; 32 bits of the second number */
extern const crn_open_functions crn_open_queue;
extern const crn_open_functions crn_open_stack;
/* a heap that knows the place of each state (indexed.h) */
extern const crn_open_functions crn_open_indexed;

#endif
