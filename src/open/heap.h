/* heap.h: the 4-ary heap with strict ties.
 *
 * Order: least key; then least `tie`; then the entry pushed last. A node whose cost falls is pushed
 * again, and its older entries are skipped when they are taken (the loop sees that the node is
 * closed). Entries live in chunks that never move, so a push is bounded work. The root has place 3,
 * so that the four children of an entry always lie side by side in one chunk.
 */
#ifndef CRN_HEAP_H
#define CRN_HEAP_H

#include "core/core.h"

#define CRN_HEAP_CHUNK 512u /* entries; a multiple of four */

typedef struct crn_heap_entry {
    uint64_t key;
    uint64_t rank; /* tie << 32, and below it a number that falls with every push */
    uint32_t node;
} crn_heap_entry;

typedef struct crn_heap {
    crn_scratch *scratch;
    crn_heap_entry **chunks;
    size_t chunk_count, chunk_capacity;
    uint32_t end, peak; /* places up to here are in use; the most ever */
    uint32_t pushed;
#if defined(CAIRN_CHECKS)
    uint64_t compares; /* counted there alone: loops made for the heap do not pay for it */
#endif
} crn_heap;

void crn_heap_open(crn_heap *heap, crn_scratch *scratch);
void crn_heap_close(crn_heap *heap);
void crn_heap_reset(crn_heap *heap);
size_t crn_heap_bytes(const crn_heap *heap);
void crn_heap_push(crn_heap *heap, uint64_t key, uint32_t tie, uint32_t node);
bool crn_heap_pop(crn_heap *heap, uint32_t *node);
uint64_t crn_heap_least(const crn_heap *heap); /* the key of what comes next; 0 if nothing does */
/* all of it */
bool crn_heap_first(const crn_heap *heap, uint64_t *key, uint64_t *tie, uint32_t *node);

#endif
