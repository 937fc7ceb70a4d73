/* pra_edges.c: edges that searches of PRA* take and that no list of a level has: links, steps that
 * cannot be walked back, and all edges of level 1 of a grid. See pra_search.h.
 */
#include "hierarchy/pra/pra_search.h"

static const crn_pra *pra_owner(const crn_abstract_view *view)
{
    return view->owner;
}

static bool pra_view_shows(const crn_abstract_view *view, cairn_node node)
{
    return !view->group || view->stamps[view->group[node]] == view->stamp;
}

/* ---- links and one-way steps ---- */

#define PRA_LOOK_EDGES 256u /* at this many of them, for a unit of work */

/* The edge of a door. */
static cairn_edge pra_door_edge(const crn_pra *p, const crn_clique_door *door)
{
    return (cairn_edge){door->to, crn_cliques_door_cost(p->cliques, p->level, door)};
}

/* The edge of a ledge that leads there. */
static cairn_edge pra_ledge_edge(const crn_pra *p, cairn_node node, cairn_node to)
{
    const crn_cliques *cliques = p->cliques;
    return (cairn_edge){to, crn_cliques_cost(cliques, crn_cliques_body(cliques, p->level, node),
                                             crn_cliques_body(cliques, p->level, to))};
}

/* What no list has of the edges of a node: doors come first, then ledges. */
typedef struct pra_extras {
    const crn_clique_door *doors;
    const cairn_edge *ledges;
    uint32_t door_count, count;
} pra_extras;

static pra_extras pra_extras_of(const crn_pra *p, cairn_node node)
{
    const crn_clique_doors *all = &p->cliques->levels[p->level].doors;
    size_t first = crn_cliques_first_door(all, node);
    uint32_t doors = (uint32_t)(crn_cliques_first_door(all, node + 1) - first), ledges;
    const cairn_edge *list = crn_cliques_ledges(p->cliques, p->level, node, NULL, &ledges);
    return (pra_extras){doors ? all->items + first : NULL, list, doors, doors + ledges};
}

/* One of them; false: it leads to a node that is not shown, or only from there. */
static bool pra_extra(const crn_abstract_view *view, cairn_node node, const pra_extras *extras,
                      uint32_t i, cairn_edge *out)
{
    const crn_pra *p = pra_owner(view);
    if (i < extras->door_count) {
        if (!pra_view_shows(view, extras->doors[i].to)) return false;
        *out = pra_door_edge(p, &extras->doors[i]);
        return true;
    }
    cairn_edge ledge = extras->ledges[i - extras->door_count];
    if (!(ledge.cost & CRN_LEDGE_THERE) || !pra_view_shows(view, ledge.node)) return false;
    *out = pra_ledge_edge(p, node, ledge.node);
    return true;
}

static uint32_t pra_more(const crn_abstract_view *view, cairn_node node, uint32_t *at,
                         cairn_edge *out, uint32_t capacity)
{
    pra_extras extras = pra_extras_of(pra_owner(view), node);
    uint32_t i = *at, written = 0;
    for (uint32_t end = i + PRA_LOOK_EDGES; i < extras.count && i < end && written < capacity; i++)
        written += pra_extra(view, node, &extras, i, &out[written]);
    *at = i < extras.count ? i : UINT32_MAX;
    return written;
}

/* Where the centre of a node lies, as a cell; it need not be one that can be stood on. */
static cairn_node pra_cell_at(const crn_pra *p, crn_clique_body body)
{
    const cairn_grid *grid = p->cliques->map->grid;
    return cairn_grid_node(grid, body.x / CRN_ABSTRACT_UNITS, body.y / CRN_ABSTRACT_UNITS);
}

/* Doors may be much longer than other edges, ledges somewhat. */
static cairn_cost pra_longest(const crn_pra *p, cairn_cost most)
{
    return crn_saturate(2 * (uint64_t)most + p->cliques->map->links.costliest);
}

void crn_pra_open_edges(crn_pra *p, cairn_cost most)
{
    const crn_cliques *cliques = p->cliques;
    const crn_clique_level *level = &cliques->levels[p->level];
    crn_abstract_view *view = &p->view;
    view->more = level->doors.count || level->ledges.pool.count ? pra_more : NULL;
    if (!view->more) return;
    view->base.max_edge = pra_longest(p, most);
    if (!level->edge_count) { /* nothing says how long edges are */
        view->base.min_edge = crn_saturate((uint64_t)cliques->metric.straight << p->level);
        view->base.max_step = crn_saturate(4 * (uint64_t)view->base.min_edge);
        view->base.max_edge = pra_longest(p, view->base.max_step);
    }
    if (level->doors.count)
        crn_abstract_view_open_gates(
            view, pra_cell_at(p, crn_cliques_body(cliques, p->level, p->target)), &p->gates);
}

const crn_clique_door *crn_pra_door(const crn_pra *p, size_t i)
{
    const crn_clique_doors *doors = &p->cliques->levels[p->level].doors;
    if (!doors->count || i + 1 >= p->path_count) return NULL;
    const cairn_edge *to = &p->path[p->path_count - 2 - i], *from = to + 1;
    for (size_t d = crn_cliques_first_door(doors, from->node);
         d < doors->count && doors->items[d].from == from->node; d++) {
        const crn_clique_door *door = &doors->items[d];
        if (door->to == to->node &&
            crn_cliques_door_cost(p->cliques, p->level, door) == to->cost - from->cost)
            return door;
    }
    return NULL;
}

/* ---- level 1 of a grid ---- */

/* What views of lists are asked for, of packs. */
static const crn_cliques *pra_packs_of(const cairn_space *space)
{
    return pra_owner((const crn_abstract_view *)(const void *)space)->cliques;
}

/* So that any of thousands can be begun with, doors and ledges to nodes that are not shown count.
 * In their place is an edge to the node itself, which changes nothing. */
static uint32_t pra_packs_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                 cairn_edge *out, uint32_t capacity)
{
    const crn_abstract_view *view = (const crn_abstract_view *)(const void *)space;
    const crn_cliques *cliques = pra_packs_of(space);
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count, written = 0, seen = 0;
    const cairn_edge *edges = crn_cliques_neighbours(cliques, 1, node, room, &count);
    crn_clique_body body = crn_cliques_body(cliques, 1, node);
    for (uint32_t i = 0; i < count && written < capacity; i++) {
        cairn_node to = edges[i].node;
        if (!pra_view_shows(view, to) || seen++ < first) continue;
        cairn_cost cost = crn_cliques_cost(cliques, body, crn_cliques_body(cliques, 1, to));
        out[written++] = (cairn_edge){to, cost};
    }
    if (!view->more || written == capacity) return written;
    pra_extras extras = pra_extras_of(pra_owner(view), node);
    uint32_t at = first > seen ? first - seen : 0;
    for (; at < extras.count && written < capacity; at++, written++) {
        bool leads = pra_extra(view, node, &extras, at, &out[written]);
        if (!leads) out[written] = (cairn_edge){node, 0};
    }
    return written;
}

static bool pra_packs_usable(const cairn_space *space, cairn_node node)
{
    const crn_abstract_view *view = (const crn_abstract_view *)(const void *)space;
    return node < crn_cliques_count(pra_packs_of(space), 1) && pra_view_shows(view, node);
}

static cairn_position pra_packs_position(const cairn_space *space, cairn_node node)
{
    crn_clique_body body = crn_cliques_body(pra_packs_of(space), 1, node);
    return (cairn_position){body.x, body.y, 0};
}

static cairn_cost pra_packs_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                     cairn_node node, const crn_box *box)
{
    const crn_abstract_view *view = (const crn_abstract_view *)(const void *)space;
    if (heuristic == CAIRN_HEURISTIC_NULL) return 0;
    crn_clique_body body = crn_cliques_body(pra_packs_of(space), 1, node);
    int32_t x = (int32_t)box->x0, y = (int32_t)box->y0;
    if (CRN_UNLIKELY(view->gates))
        return crn_saturate(crn_metric_bound(
            view->metric, view->gates, (const int32_t[]){body.x, body.y}, (const int32_t[]){x, y}));
    return crn_saturate(crn_metric_distance(view->metric, body.x, body.y, x, y));
}

static uint64_t pra_packs_version(const cairn_space *space)
{
    return cairn_space_version(pra_packs_of(space)->ground);
}

/* (Searches on levels are not walked backwards.) */
const crn_space_functions crn_pra_packs_functions = {
    .expand = pra_packs_expand,
    .usable = pra_packs_usable,
    .position = pra_packs_position,
    .estimate = pra_packs_estimate,
    .version = pra_packs_version,
};
