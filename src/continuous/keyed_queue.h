/* keyed_queue.h: the priority queue of searches that keep what they know, and their records
 * (keyed_records.h).
 *
 * A key is two numbers, compared one after the other. Of equal keys the record with the larger
 * number comes first: that of the page that was made last, and in it the one that was made last. So
 * the order depends on nothing but the order in which records were made. Each is on the queue at
 * most once. Its key can change, and it can be taken out, since its record knows its place. The
 * queue is a binary heap of 12 bytes an entry, in chunks that never move, so that a push is bounded
 * work and takes no more memory than for one chunk. */
#ifndef CRN_KEYED_QUEUE_H
#define CRN_KEYED_QUEUE_H

#include "continuous/keyed_records.h"

#define CRN_KEYED_CHUNK 64u

typedef struct crn_keyed_entry {
    uint32_t first, second;
    uint32_t record; /* its number */
} crn_keyed_entry;

typedef struct crn_keyed_queue {
    crn_keyed_records records;
    crn_keyed_entry **chunks;
    size_t chunk_count, chunk_capacity;
    uint32_t used, peak; /* entries now, and at most since the reset */
} crn_keyed_queue;

/* As crn_keyed_records_open. `close` may follow a failed `open`. */
cairn_status crn_keyed_open(crn_keyed_queue *queue, crn_scratch *scratch, const cairn_space *space,
                            bool noted);
void crn_keyed_close(crn_keyed_queue *queue);

/* Forgets all records and entries. */
void crn_keyed_reset(crn_keyed_queue *queue);

/* Bytes in use by records and entries since the reset. */
size_t crn_keyed_bytes(const crn_keyed_queue *queue);

/* A key as one number that compares as the two do. */
CRN_INLINE uint64_t crn_keyed_key(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

CRN_INLINE crn_keyed_entry *crn_keyed_entry_at(const crn_keyed_queue *queue, uint32_t place)
{
    return &queue->chunks[place / CRN_KEYED_CHUNK][place % CRN_KEYED_CHUNK];
}

/* The entry of a record that is on the queue. */
CRN_INLINE const crn_keyed_entry *crn_keyed_entry_of(const crn_keyed_queue *queue,
                                                     crn_keyed_record record)
{
    return crn_keyed_entry_at(queue, *crn_keyed_a(record) >> 1);
}

/* The least key, and whose it is; false = the queue is empty. */
bool crn_keyed_least(const crn_keyed_queue *queue, uint64_t *key, crn_keyed_record *record);

/* Puts a record on the queue, or gives it another key, and another bit of its owner's. False = no
 * memory, which the scratch remembers. */
bool crn_keyed_set(crn_keyed_queue *queue, crn_keyed_record record, uint64_t key, bool bit);

/* Takes one out, which is there. Its first word is its owner's again. */
void crn_keyed_remove(crn_keyed_queue *queue, crn_keyed_record record);

/* For another order of all entries, from place 1 to `used`: writes the key of a place without
 * moving it; then sinks those of the first half, the last of them first. */
void crn_keyed_rewrite(const crn_keyed_queue *queue, uint32_t place, uint64_t key);
void crn_keyed_sink(const crn_keyed_queue *queue, uint32_t place);

#endif
