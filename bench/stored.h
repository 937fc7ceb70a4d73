/* stored.h: A* in one plain loop, five times: whether F and H are stored, and where.
 *
 * The thesis (5.3.3) counts 16 bytes for a node: G, H, the parent and the state of the list. It
 * says that F and H may be computed again whenever they are needed, that H then costs much, and
 * that the sums that make F "can easily add up". These searches are that A*, with a binary heap of
 * nodes that knows each one's place. They differ in nothing but what is stored:
 *
 *     entry         F in the entry of the list, where it is compared; H made for each push (as astar does)
 *     record+h      F and H in the node's record
 *     record        F in the record; H made for each push
 *     h             H in the record; F made for each comparison
 *     none          F and H made for each comparison
 *
 * An entry that moves in the heap makes its F once. Order: least F, then greatest G, then least
 * number, so that all expand the same nodes. Estimates are consistent, so no node is reopened.
 */
#ifndef BENCH_STORED_H
#define BENCH_STORED_H

#include "bench.h"
#include "world/cost.h"
#include "world/space.h"

#include <string.h>

enum { STORED_ENTRY = 1, STORED_F = 2, STORED_H = 4, STORED_COUNT = 5 };

static const struct stored_about {
    const char *name;
    uint32_t what;
} stored_abouts[STORED_COUNT] = {{"entry", STORED_ENTRY},
                                 {"record+h", STORED_F | STORED_H},
                                 {"record", STORED_F},
                                 {"h", STORED_H},
                                 {"none", 0}};

/* The words of a record; those of F and H follow. `seen` is the number of the query. */
enum { WORD_SEEN, WORD_G, WORD_PARENT, WORD_PLACE, WORD_EXTRA };
#define STORED_CLOSED UINT32_MAX /* a place */

typedef struct stored_search {
    const cairn_space *space;
    cairn_heuristic heuristic;
    crn_box goal;
    uint32_t *records, *heap; /* the heap's places begin at 1 */
    uint32_t query, used, peak;
    uint64_t cost, expanded, generated, pushes, compares;
} stored_search;

static inline void *stored_alloc(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    check(memory ? CAIRN_OK : CAIRN_OUT_OF_MEMORY, "records");
    return memory;
}

static inline void stored_open(stored_search *s, const cairn_space *space)
{
    size_t nodes = cairn_space_node_count(space);
    *s = (stored_search){.space = space, .heuristic = space->default_heuristic};
    s->records = stored_alloc(nodes, (WORD_EXTRA + 2) * sizeof *s->records);
    s->heap = stored_alloc(nodes + 1, 2 * sizeof *s->heap);
}

static inline void stored_close(stored_search *s)
{
    free(s->records);
    free(s->heap);
}

/* ---- what is stored, and what is made ---- */

CRN_INLINE uint32_t stored_words(uint32_t what)
{
    return WORD_EXTRA + (what & STORED_F ? 1u : 0u) + (what & STORED_H ? 1u : 0u);
}

CRN_INLINE uint32_t stored_entry_words(uint32_t what)
{
    return what & STORED_ENTRY ? 2 : 1;
}

CRN_INLINE uint32_t *stored_record(const stored_search *s, uint32_t what, cairn_node node)
{
    return s->records + (size_t)node * stored_words(what);
}

CRN_INLINE uint32_t stored_estimate(const stored_search *s, cairn_node node)
{
    return s->space->functions->estimate(s->space, s->heuristic, node, &s->goal);
}

/* F of a node whose G, and what else is stored in its record, is known. */
CRN_INLINE uint32_t stored_f(const stored_search *s, uint32_t what, cairn_node node)
{
    const uint32_t *record = stored_record(s, what, node);
    if (what & STORED_F) return record[WORD_EXTRA];
    if (what & STORED_H) return record[WORD_G] + record[WORD_EXTRA];
    return record[WORD_G] + stored_estimate(s, node);
}

/* ---- the heap ---- */

typedef struct stored_item {
    uint32_t f;
    cairn_node node;
} stored_item;

CRN_INLINE stored_item stored_at(const stored_search *s, uint32_t what, uint32_t place)
{
    const uint32_t *entry = s->heap + (size_t)place * stored_entry_words(what);
    return (stored_item){.f = what & STORED_ENTRY ? entry[1] : stored_f(s, what, *entry),
                         .node = *entry};
}

/* G is asked only where F decides nothing. */
CRN_INLINE bool stored_before(stored_search *s, uint32_t what, const stored_item *a,
                              const stored_item *b)
{
    s->compares++;
    if (a->f != b->f) return a->f < b->f;
    uint32_t one = stored_record(s, what, a->node)[WORD_G],
             other = stored_record(s, what, b->node)[WORD_G];
    return one != other ? one > other : a->node < b->node;
}

CRN_INLINE void stored_write(stored_search *s, uint32_t what, const stored_item *item,
                             uint32_t place)
{
    uint32_t *entry = s->heap + (size_t)place * stored_entry_words(what);
    entry[0] = item->node;
    if (what & STORED_ENTRY) entry[1] = item->f;
    stored_record(s, what, item->node)[WORD_PLACE] = place;
}

CRN_INLINE void stored_rise(stored_search *s, uint32_t what, const stored_item *item, uint32_t hole)
{
    for (; hole > 1; hole /= 2) {
        stored_item parent = stored_at(s, what, hole / 2);
        if (!stored_before(s, what, item, &parent)) break;
        stored_write(s, what, &parent, hole);
    }
    stored_write(s, what, item, hole);
}

CRN_INLINE cairn_node stored_pop(stored_search *s, uint32_t what)
{
    cairn_node least = stored_at(s, what, 1).node;
    stored_record(s, what, least)[WORD_PLACE] = STORED_CLOSED;
    stored_item last = stored_at(s, what, s->used--);
    if (!s->used) return least;
    uint32_t hole = 1;
    for (uint32_t child; (child = 2 * hole) <= s->used; hole = child) {
        stored_item next = stored_at(s, what, child);
        if (child < s->used) {
            stored_item other = stored_at(s, what, child + 1);
            if (stored_before(s, what, &other, &next)) next = other, child++;
        }
        if (!stored_before(s, what, &next, &last)) break;
        stored_write(s, what, &next, hole);
    }
    stored_write(s, what, &last, hole);
    return least;
}

/* ---- the search ---- */

/* A path to a node. */
CRN_INLINE void stored_relax(stored_search *s, uint32_t what, cairn_node node, cairn_node parent,
                             uint64_t g)
{
    uint32_t *record = stored_record(s, what, node);
    bool seen = record[WORD_SEEN] == s->query;
    if (g > CAIRN_COST_MAX / 2 || (seen && record[WORD_G] <= g)) return;
    record[WORD_G] = (uint32_t)g;
    record[WORD_PARENT] = parent;
    stored_item item = {.node = node};
    if (!seen) {
        s->generated++;
        record[WORD_SEEN] = s->query;
        record[WORD_PLACE] = ++s->used;
        if (s->used > s->peak) s->peak = s->used;
        if (what & STORED_H) record[stored_words(what) - 1] = stored_estimate(s, node);
    }
    check(record[WORD_PLACE] == STORED_CLOSED ? CAIRN_INVALID : CAIRN_OK, "a closed node");
    if (what & STORED_H)
        item.f = record[WORD_G] + record[stored_words(what) - 1];
    else
        item.f = record[WORD_G] + stored_estimate(s, node);
    if (what & STORED_F) record[WORD_EXTRA] = item.f;
    s->pushes++;
    stored_rise(s, what, &item, record[WORD_PLACE]);
}

CRN_INLINE void stored_find(stored_search *s, uint32_t what, const cairn_query *query)
{
    cairn_edge edges[16];
    const uint32_t batch = sizeof edges / sizeof *edges;
    s->query++;
    s->used = 0;
    s->goal = crn_box_empty();
    crn_box_add(&s->goal, s->space, query->to);
    stored_relax(s, what, query->from, query->from, 0);
    while (s->used) {
        cairn_node node = stored_pop(s, what);
        uint64_t g = stored_record(s, what, node)[WORD_G];
        if (node == query->to) {
            s->cost += g;
            return;
        }
        s->expanded++;
        for (uint32_t first = 0, count = batch; count == batch; first += count) {
            count = s->space->functions->expand(s->space, node, first, edges, batch);
            for (uint32_t i = 0; i < count; i++)
                stored_relax(s, what, edges[i].node, node, g + edges[i].cost);
        }
    }
    check(CAIRN_INVALID, "a query without a path");
}

/* One function for each, so that the compiler decides what is constant in it. */
static inline void stored_ask(stored_search *s, uint32_t what, const cairn_query *query)
{
    switch (what) {
    case STORED_ENTRY: stored_find(s, STORED_ENTRY, query); break;
    case STORED_F | STORED_H: stored_find(s, STORED_F | STORED_H, query); break;
    case STORED_F: stored_find(s, STORED_F, query); break;
    case STORED_H: stored_find(s, STORED_H, query); break;
    default: stored_find(s, 0, query);
    }
}

#endif
