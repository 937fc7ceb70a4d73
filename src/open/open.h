/* open.h: an open list is a plug.
 *
 * This is a table of functions for lists of states, each with a key of two numbers: least first,
 * then least second. The best-first loop has the two lists that most searches use, buckets and the
 * heap, built into its instances. Searches with a loop of their own (search/own_search.h) use any
 * list through this table, also one of their own. A list that cannot remove or change an entry has
 * NULL there: its user pushes the state again and skips the older entry when it is taken. A queue
 * and a stack ignore keys; buckets ignore the second number.
 */
#ifndef CRN_OPEN_H
#define CRN_OPEN_H

#include "core/core.h"

typedef struct crn_open_entry {
    uint64_t key, second;
    uint32_t state;
} crn_open_entry;

/* What is known of the keys of a query, for lists that need it: about the least difference of two
 * steps, how far apart the keys on the list can be, and the first key. */
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
    /* CRN_CHECKED: what is wrong with it (open_check.h); may be NULL */
    const char *(*check)(const void *list);
} crn_open_functions;

extern const crn_open_functions crn_open_buckets; /* within a bucket the last in is first out */
extern const crn_open_functions
    crn_open_heap; /* of equal keys the last in is first out; 32 bits of the second number */
extern const crn_open_functions crn_open_queue;
extern const crn_open_functions crn_open_stack;
/* a heap that knows the place of each state (indexed.h) */
extern const crn_open_functions crn_open_indexed;

#endif
