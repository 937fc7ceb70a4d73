/* lookahead_queue.c: the queue of a look ahead: a binary heap whose entries move. See
 * lookahead.h. */
#include "continuous/lookahead.h"

static crn_local_entry local_entry(const crn_lookahead *look, uint32_t number)
{
    const crn_local_node *n = crn_local(look, number);
    if (look->by_h) return (crn_local_entry){n->h, 0, number};
    return (crn_local_entry){n->g + n->h, ~n->g, number};
}

static uint64_t local_key(const crn_local_entry *entry)
{
    return (uint64_t)entry->first << 32 | entry->second;
}

/* Of equal keys, the smaller number comes first. */
static bool local_before(const crn_local_entry *a, const crn_local_entry *b)
{
    uint64_t x = local_key(a), y = local_key(b);
    return x != y ? x < y : a->number < b->number;
}

static void local_set(crn_lookahead *look, size_t place, crn_local_entry entry)
{
    look->queue[place] = entry;
    crn_local(look, entry.number)->place = (uint32_t)place + 1;
}

static void local_sift_up(crn_lookahead *look, size_t place, crn_local_entry entry)
{
    while (place) {
        size_t above = (place - 1) / 2;
        if (!local_before(&entry, &look->queue[above])) break;
        local_set(look, place, look->queue[above]);
        place = above;
    }
    local_set(look, place, entry);
}

bool crn_lookahead_put(crn_lookahead *look, uint32_t number)
{
    size_t place = crn_local(look, number)->place;
    if (!place) {
        void *queue = look->queue;
        if (!crn_lookahead_room(look, &queue, &look->queue_capacity, look->queue_count,
                                sizeof *look->queue))
            return false;
        look->queue = queue;
        place = ++look->queue_count;
    }
    local_sift_up(look, place - 1, local_entry(look, number));
    return true;
}

uint32_t crn_lookahead_take(crn_lookahead *look)
{
    if (!look->queue_count) return UINT32_MAX;
    size_t count = --look->queue_count, place = 0;
    uint32_t first = look->queue[0].number;
    crn_local_entry last = look->queue[count];
    crn_local(look, first)->place = 0;
    if (!count) return first;
    for (size_t below; (below = 2 * place + 1) < count; place = below) {
        const crn_local_entry *child = &look->queue[below];
        if (below + 1 < count && local_before(child + 1, child)) {
            child++;
            below++;
        }
        if (!local_before(child, &last)) break;
        local_set(look, place, *child);
    }
    local_set(look, place, last);
    return first;
}
