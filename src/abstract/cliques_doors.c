/* cliques_doors.c: links between nodes of levels of cliques. See cliques.h.
 *
 * A link that leads from one node of a level to another one is an edge of it: a door. Cliques are
 * made without links, so links need not lead both ways, and opening or closing one changes no
 * clique. Doors follow from the links in use and the parents of nodes. They are found again
 * whenever levels have been built, repaired or loaded, with as many steps as there are links and
 * levels, and are not saved.
 */
#include "abstract/cliques.h"

/* So many are sorted by insertion: from level to level hardly any change places. */
#define DOORS_FEW 64u

static bool clique_doors_before(const void *a, const void *b)
{
    const crn_clique_door *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from;
    return x->leave != y->leave ? x->leave < y->leave : x->arrive < y->arrive;
}

static void clique_doors_sort(crn_clique_doors *doors)
{
    if (doors->count > DOORS_FEW) {
        crn_sort(doors->items, doors->count, sizeof *doors->items, clique_doors_before);
        return;
    }
    for (size_t i = 1; i < doors->count; i++) {
        crn_clique_door door = doors->items[i];
        size_t at = i;
        for (; at > 0 && clique_doors_before(&door, &doors->items[at - 1]); at--)
            doors->items[at] = doors->items[at - 1];
        doors->items[at] = door;
    }
}

/* Room for this many, and none in it. */
static bool clique_doors_clear(crn_cliques *cliques, crn_clique_doors *doors, size_t count)
{
    void *items = doors->items;
    bool ok =
        crn_cliques_grow(cliques->context, &items, &doors->capacity, count, sizeof *doors->items);
    doors->items = items;
    doors->count = 0;
    return ok;
}

bool crn_cliques_take_links(crn_cliques *cliques)
{
    if (!cliques->map) return true;
    const crn_links *links = &cliques->map->links;
    crn_clique_doors *doors = &cliques->levels[0].doors;
    if (!clique_doors_clear(cliques, doors, links->count)) return false;
    for (uint32_t i = 0; i < links->count; i++) {
        const crn_space_link *link = &links->links[i];
        doors->items[doors->count++] =
            (crn_clique_door){link->from, link->to, link->from, link->to, link->cost};
    }
    return true;
}

/* (Above a level without doors there are none.) */
bool crn_cliques_lift_doors(crn_cliques *cliques)
{
    if (!cliques->levels[0].doors.count && !cliques->levels[1].doors.count) return true;
    for (uint32_t level = 1; level <= cliques->top; level++) {
        const crn_clique_doors *below = &cliques->levels[level - 1].doors;
        const uint32_t *parents = cliques->levels[level - 1].parents;
        crn_clique_doors *doors = &cliques->levels[level].doors;
        if (!clique_doors_clear(cliques, doors, below->count)) return false;
        for (size_t i = 0; i < below->count; i++) {
            crn_clique_door door = below->items[i];
            door.from = parents[door.from];
            door.to = parents[door.to];
            if (door.from != door.to) doors->items[doors->count++] = door;
        }
        clique_doors_sort(doors);
    }
    return true;
}

size_t crn_cliques_first_door(const crn_clique_doors *doors, cairn_node from)
{
    return crn_lower_bound(doors->items, doors->count, from);
}

cairn_cost crn_cliques_door_cost(const crn_cliques *cliques, uint32_t level,
                                 const crn_clique_door *door)
{
    uint64_t cost = door->cost;
    cost += crn_cliques_cost(cliques, crn_cliques_body(cliques, level, door->from),
                             crn_cliques_body(cliques, 0, door->leave));
    cost += crn_cliques_cost(cliques, crn_cliques_body(cliques, 0, door->arrive),
                             crn_cliques_body(cliques, level, door->to));
    return crn_saturate(cost);
}
