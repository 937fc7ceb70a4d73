/* hcdps_columns.c: the index of `hcdps` after an edit: columns that are found again.
 *
 * The links that all regions take to one target are a column: one search from the target finds the
 * cheapest routes. It is done for new regions, and for a part of the others, another one with each
 * repair, so that costs follow in the course of time.
 *
 * Dead ends (hcdps_trees.c) need no search: what is left out hangs as a tree on a region that is
 * not, its *anchor*. Routes inside of the tree are the only ones there, so they are never too long,
 * and whoever comes from elsewhere goes to the anchor first. So its column is that of the whole
 * tree.
 */
#include "realtime/hcdps/hcdps_reroute.h"
#include "realtime/hcdps/hcdps_routes.h"

enum { COLUMNS_FRESH = 1024 /* of so many regions, one is searched from again */ };

/* Anchors: of all others, themselves. */
static void columns_find_anchors(crn_hcdps_rerouting *j)
{
    const crn_hcdps_web *web = crn_hcdps_routes_web(j->routes);
    for (uint32_t i = 0; i < j->regions; i++) j->anchor[i] = i;
    for (uint32_t i = 0; i < web->tree_count; i++) {
        uint32_t region = web->tree[i];
        j->anchor[region] = j->anchor[web->exit[region]];
    }
}

/* Which of some windows it is the turn of. What the index says decides, so that an index from a
 * file is repaired as the one that was saved. */
static uint32_t columns_turn(const crn_hcdps_rerouting *j, uint32_t windows)
{
    uint32_t place = j->r->old->stamp * UINT32_C(2654435769);
    return (uint32_t)((uint64_t)place * windows >> 32);
}

/* Lists the targets to search from: place[i] is the number of the column of i. */
static bool columns_list(crn_hcdps_rerouting *j)
{
    uint32_t anchors = 0, new_count = 0;
    for (uint32_t i = 0; i < j->regions; i++) anchors += j->anchor[i] == i;
    uint32_t fresh = anchors / COLUMNS_FRESH + 4;
    uint32_t first = columns_turn(j, (anchors + fresh - 1) / fresh) * fresh, passed = 0;
    memset(j->place, 0xff, j->regions * sizeof *j->place);
    for (uint32_t i = 0; i < j->regions; i++) {
        bool new = j->r->was.items[i] == UINT32_MAX, turn = false;
        if (j->anchor[i] == i) turn = passed++ - first < fresh;
        new_count += new;
        if (!new && !turn) continue;
        j->place[i] = (uint32_t)j->columns.count;
        if (!crn_hcdps_put(&j->columns, j->r->job.context, i)) return false;
    }
    j->gives_up |= new_count > 8 + j->regions / 16;
    return true;
}

static bool columns_add_range(const crn_hcdps_rerouting *j, crn_hcdps_ranges *ranges,
                              crn_hcdps_range range)
{
    crn_hcdps_range *last = ranges->count ? &ranges->items[ranges->count - 1] : NULL;
    if (last && last->end == range.first && last->column == range.column &&
        last->tree == range.tree) {
        last->end = range.end;
        return true;
    }
    void *items = ranges->items;
    bool ok = crn_grow(j->r->job.context, &items, &ranges->capacity, ranges->count + 1,
                       sizeof *ranges->items);
    ranges->items = items;
    if (ok) ranges->items[ranges->count++] = range;
    return ok;
}

/* Lists the targets that have columns. */
static bool columns_list_ranges(crn_hcdps_rerouting *j)
{
    bool ok = true;
    for (uint32_t i = 0; i < j->regions && ok; i++) {
        uint32_t anchor = j->anchor[i];
        if (j->place[i] != UINT32_MAX) {
            crn_hcdps_range own = {i, i + 1, j->place[i], UINT32_MAX};
            ok = columns_add_range(j, &j->ranges, own) &&
                 (j->r->was.items[i] != UINT32_MAX || columns_add_range(j, &j->new_ranges, own));
        } else if (j->place[anchor] != UINT32_MAX) {
            ok = columns_add_range(j, &j->ranges,
                                   (crn_hcdps_range){i, i + 1, j->place[anchor], anchor});
        }
    }
    return ok;
}

static bool columns_search(crn_hcdps_rerouting *j)
{
    cairn_context *context = j->r->job.context;
    size_t size = (j->columns.count * j->regions + 1) * sizeof *j->column_slots;
    j->column_slots = crn_alloc(context, size);
    j->column_costs = crn_alloc(context, 2 * size);
    if (!j->column_slots || !j->column_costs) return false;
    for (size_t i = 0; i < j->columns.count; i++) {
        uint32_t target = j->columns.items[i];
        bool new = j->r->was.items[target] == UINT32_MAX; /* from trees, too */
        const uint16_t *slots = new ? crn_hcdps_find_routes(j->routes, &target, 1, true, UINT32_MAX)
                                    : crn_hcdps_find_outside(j->routes, target);
        if (!slots) return false;
        memcpy(j->column_slots + i * j->regions, slots, j->regions * sizeof *slots);
        memcpy(j->column_costs + i * j->regions, crn_hcdps_route_costs(j->routes),
               j->regions * sizeof *j->column_costs);
    }
    return true;
}

bool crn_hcdps_find_columns(crn_hcdps_rerouting *j)
{
    columns_find_anchors(j);
    return columns_list(j) && (j->gives_up || (columns_list_ranges(j) && columns_search(j)));
}
