/* keyed_queue.h: the records and the priority queue of searches that keep what they know.
 *
 * A record begins with its place on the queue; what follows is its owner's, and all bits of it are
 * set at first. Records lie in pages of 64, which are fetched when one of them is first needed. The
 * table says which page has the records of a number; an entry counts only if the page is in use and
 * says the same. So forgetting everything takes one assignment.
 *
 * A key is two numbers, compared one after the other. Of equal keys the smaller number of a record
 * comes first, so the order depends on nothing else. Each is on the queue at most once. Its key can
 * change, and it can be taken out, since its record knows its place. The queue is a binary heap of
 * 12 bytes an entry, in chunks that never move, so that a push is bounded work.
 *
 * Searches in rounds mark records (anytime.h): as closed, which counts for one round, and as
 * inconsistent though not on the queue, until the mark is taken. A page has a bit for each. */
#ifndef CRN_KEYED_QUEUE_H
#define CRN_KEYED_QUEUE_H

#include "core/core.h"

#define CRN_KEYED_PAGE 64u
#define CRN_KEYED_SLAB 16u /* pages fetched from the allocator at once */
#define CRN_KEYED_CHUNK 256u

/* A record of searches that are repaired. */
typedef struct crn_keyed_record {
    uint32_t place; /* on the queue, from 1 on; 0 = it is not there */
    cairn_cost g;   /* CAIRN_NO_COST at first */
    union {
        cairn_cost rhs;  /* CAIRN_NO_COST at first */
        cairn_node back; /* D*: where the path leads next; CAIRN_NO_NODE at first */
    };
} crn_keyed_record;

/* Followed by its records. */
typedef struct crn_keyed_page {
    uint32_t number;
    uint64_t round;  /* in which `closed` counts */
    uint64_t closed; /* bits by record */
    uint64_t incons;
} crn_keyed_page;

typedef struct crn_keyed_entry {
    uint32_t first, second;
    uint32_t state; /* the number of its record */
} crn_keyed_entry;

typedef struct crn_keyed_queue {
    crn_scratch *scratch;
    uint32_t *table; /* by number of a page: which of those in use it is, if it is */
    uint32_t page_count, pages_used;
    uint32_t record_size, page_size; /* bytes */
    unsigned char **slabs;
    size_t slab_count, slab_capacity;
    crn_keyed_entry **chunks;
    size_t chunk_count, chunk_capacity;
    uint32_t used, peak; /* entries now, and at most since the reset */
    uint64_t round;      /* from 1 on; a higher number opens all records again */
    uint32_t incons;     /* records with that mark */
} crn_keyed_queue;

/* For records 0 to 64 × page_count - 1 of so many bytes, a multiple of 4. `close` may follow a
 * failed `open`. */
cairn_status crn_keyed_open(crn_keyed_queue *queue, crn_scratch *scratch, uint32_t page_count,
                            size_t record_size);
void crn_keyed_close(crn_keyed_queue *queue);

/* Forgets all records and entries. */
void crn_keyed_reset(crn_keyed_queue *queue);

/* Forgets all entries. Records still have their places: whoever keeps them must know which of these
 * count no more, and set them to 0. */
void crn_keyed_empty(crn_keyed_queue *queue);

/* Bytes in use by the table, pages and entries since the reset. */
size_t crn_keyed_bytes(const crn_keyed_queue *queue);

/* Makes the page of a record, which there is none of. NULL = no memory, which the scratch
 * remembers. */
void *crn_keyed_add(crn_keyed_queue *queue, uint32_t state);

CRN_INLINE crn_keyed_page *crn_keyed_page_at(const crn_keyed_queue *queue, uint32_t index)
{
    size_t offset = (size_t)(index % CRN_KEYED_SLAB) * queue->page_size;
    return (crn_keyed_page *)(void *)(queue->slabs[index / CRN_KEYED_SLAB] + offset);
}

/* A record of a page, by its number modulo 64. */
CRN_INLINE void *crn_keyed_record_at(const crn_keyed_queue *queue, crn_keyed_page *page,
                                     uint32_t slot)
{
    return (unsigned char *)(page + 1) + (size_t)slot * queue->record_size;
}

/* Returns a record, or NULL if there is no page of it. */
CRN_INLINE void *crn_keyed_find(const crn_keyed_queue *queue, uint32_t state)
{
    uint32_t number = state / CRN_KEYED_PAGE, index = queue->table[number];
    if (index >= queue->pages_used) return NULL;
    crn_keyed_page *page = crn_keyed_page_at(queue, index);
    return page->number == number ? crn_keyed_record_at(queue, page, state % CRN_KEYED_PAGE) : NULL;
}

/* A key as one number that compares as the two do. */
CRN_INLINE uint64_t crn_keyed_key(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

/* The least key, and whose it is; false = the queue is empty. */
bool crn_keyed_least(const crn_keyed_queue *queue, uint64_t *key, uint32_t *state);

/* The key at a place of the queue. */
uint64_t crn_keyed_key_at(const crn_keyed_queue *queue, uint32_t place);

/* Puts a number that has a record on the queue, or gives it another key. False = no memory, which
 * the scratch remembers. */
bool crn_keyed_set(crn_keyed_queue *queue, uint32_t state, uint64_t key);

/* Takes one out; it need not be there. */
void crn_keyed_remove(crn_keyed_queue *queue, uint32_t state);

/* For another order of all entries, from place 1 to `used`: reads whose a place is, and writes its
 * key without moving it; then sinks those of the first half, the last of them first. */
uint32_t crn_keyed_at(const crn_keyed_queue *queue, uint32_t place);
void crn_keyed_rewrite(const crn_keyed_queue *queue, uint32_t place, uint64_t key);
void crn_keyed_sink(const crn_keyed_queue *queue, uint32_t place);

/* ---- marks, of numbers that have a record ---- */

bool crn_keyed_is_closed(const crn_keyed_queue *queue, uint32_t state);
void crn_keyed_close_one(const crn_keyed_queue *queue, uint32_t state, bool closed);
void crn_keyed_mark(crn_keyed_queue *queue, uint32_t state);
/* Takes the first mark of a page away, and returns whose it was; false = there is none. */
bool crn_keyed_unmark(crn_keyed_queue *queue, crn_keyed_page *page, uint32_t *state);

#endif
