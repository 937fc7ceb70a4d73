/* links.c: the links that a space's agent may use, and what they join. See links.h. */
#include "world/links.h"
#include "world/grid_space.h"

/* ---- memory ---- */

static void links_free_arrays(crn_links *links, cairn_context *context)
{
    size_t capacity = links->capacity;
    crn_free(context, links->links, capacity * sizeof *links->links);
    crn_free(context, links->targets, capacity * sizeof *links->targets);
    crn_free(context, links->arrivals, capacity * sizeof *links->arrivals);
    crn_free(context, links->joints, 2 * capacity * sizeof *links->joints);
    crn_free(context, links->shortcuts, capacity * sizeof *links->shortcuts);
    crn_free(context, links->nodes, crn_gates_nodes(capacity) * sizeof *links->nodes);
    crn_free(context, links->near, capacity * sizeof *links->near);
    crn_free(context, links->set, 2 * capacity * sizeof *links->set);
    crn_free(context, links->components, 2 * capacity * sizeof *links->components);
}

bool crn_links_reserve(crn_links *links, const crn_grid_space *space, uint32_t count)
{
    cairn_context *context = space->base.context;
    if (count <= links->capacity) return true;
    if (!links->from.rows &&
        !crn_bits_create(context, space->grid->width, space->grid->height, &links->from)) {
        return false;
    }
    if (!links->gates) links->gates = crn_alloc_zero(context, sizeof *links->gates);
    if (!links->gates) return false;
    links->groups = &links->gates->groups;
    uint32_t capacity = links->capacity * 2 > count ? links->capacity * 2 : count;
    crn_links grown = *links;
    grown.capacity = capacity;
    grown.links = crn_alloc(context, crn_mul_size(capacity, sizeof *grown.links));
    grown.targets = crn_alloc(context, crn_mul_size(capacity, sizeof *grown.targets));
    grown.arrivals = crn_alloc(context, crn_mul_size(capacity, sizeof *grown.arrivals));
    grown.joints = crn_alloc(context, crn_mul_size(capacity, 2 * sizeof *grown.joints));
    grown.shortcuts = crn_alloc(context, crn_mul_size(capacity, sizeof *grown.shortcuts));
    grown.nodes = crn_alloc(context, crn_mul_size(crn_gates_nodes(capacity), sizeof *grown.nodes));
    grown.near = crn_alloc(context, crn_mul_size(capacity, sizeof *grown.near));
    grown.set = crn_alloc(context, crn_mul_size(capacity, 2 * sizeof *grown.set));
    grown.components = crn_alloc(context, crn_mul_size(capacity, 2 * sizeof *grown.components));
    if (!grown.links || !grown.targets || !grown.arrivals || !grown.joints || !grown.shortcuts ||
        !grown.nodes || !grown.near || !grown.set || !grown.components) {
        links_free_arrays(&grown, context);
        return false;
    }
    /* The present links are still used until the commit. */
    if (links->count) {
        memcpy(grown.links, links->links, links->count * sizeof *links->links);
        memcpy(grown.arrivals, links->arrivals, links->count * sizeof *links->arrivals);
    }
    if (links->target_count)
        memcpy(grown.targets, links->targets, links->target_count * sizeof *links->targets);
    if (links->joint_count)
        memcpy(grown.joints, links->joints, links->joint_count * sizeof *links->joints);
    if (links->shortcut_count) {
        memcpy(grown.shortcuts, links->shortcuts, links->shortcut_count * sizeof *links->shortcuts);
    }
    if (links->shortcut_count > CRN_GATES) {
        memcpy(grown.nodes, links->nodes,
               crn_gates_nodes(links->shortcut_count) * sizeof *links->nodes);
        memcpy(grown.near, links->near, links->count * sizeof *links->near);
    }
    grown.component_count = UINT32_MAX; /* to be looked up again */
    links_free_arrays(links, context);
    *links = grown;
    return true;
}

void crn_links_destroy(crn_links *links, cairn_context *context)
{
    links_free_arrays(links, context);
    crn_bits_destroy(context, &links->from);
    crn_free(context, links->gates, sizeof *links->gates);
    *links = (crn_links){0};
}

size_t crn_links_bytes(const crn_links *links)
{
    size_t each = sizeof *links->links + sizeof *links->targets + sizeof *links->arrivals +
                  2 * sizeof *links->joints + sizeof *links->shortcuts + sizeof *links->near +
                  2 * sizeof *links->set + 2 * sizeof *links->components;
    size_t nodes = links->capacity ? crn_gates_nodes(links->capacity) : 0;
    return links->capacity * each + nodes * sizeof *links->nodes + crn_bits_bytes(&links->from) +
           (links->gates ? sizeof *links->gates : 0);
}

/* ---- the links in use ---- */

static bool links_node_before(const void *a, const void *b)
{
    return *(const cairn_node *)a < *(const cairn_node *)b;
}

static void links_mark(crn_links *links, const crn_grid_space *space, bool value)
{
    for (uint32_t i = 0; i < links->count; i++) {
        cairn_cell cell = cairn_grid_cell(space->grid, links->links[i].from);
        crn_bit_set(&links->from, cell.x, cell.y, value);
    }
}

/* The cells that the links leave have become stops of jumps, or are none any more. */
static void links_stop(const crn_links *links, const crn_grid_space *space)
{
    for (uint32_t i = 0; space->runs && i < links->count; i++) {
        uint32_t x = links->links[i].from % space->grid->width,
                 y = links->links[i].from / space->grid->width;
        crn_stops_update(space, &(crn_size_box){x, y, x, y});
    }
}

static void links_number_targets(crn_links *links)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < links->count; i++) links->targets[i] = links->links[i].to;
    crn_sort(links->targets, links->count, sizeof *links->targets, links_node_before);
    for (uint32_t i = 0; i < links->count; i++) {
        if (!kept || links->targets[i] != links->targets[kept - 1])
            links->targets[kept++] = links->targets[i];
    }
    links->target_count = kept;
    for (uint32_t i = 0; i < links->count; i++) {
        links->links[i].target = crn_links_target(links, links->links[i].to);
    }
}

static bool links_arrival_before(const void *a, const void *b)
{
    const crn_link_arrival *first = a, *second = b;
    return first->to != second->to ? first->to < second->to : first->link < second->link;
}

static void links_sort_arrivals(crn_links *links)
{
    for (uint32_t i = 0; i < links->count; i++) {
        links->arrivals[i] = (crn_link_arrival){links->links[i].to, i};
    }
    crn_sort(links->arrivals, links->count, sizeof *links->arrivals, links_arrival_before);
}

bool crn_links_allowed(const crn_grid_space *space, const cairn_link *link)
{
    return space->profile.links >> link->kind & 1;
}

cairn_cost crn_links_price(const crn_grid_space *space, const cairn_link *link)
{
    cairn_cost cost = crn_edge_cost((uint64_t)space->base.scale.straight * link->cost / 256);
    return crn_max_u32(cost, 1);
}

/* Of several links between the same two cells, which lie side by side from the `first` on, chooses
 * the cheapest that the agent may use, of equals the first. NULL if there is none; *next is the one
 * after them. */
static const cairn_link *links_choose(const crn_grid_space *space, uint32_t first, uint32_t *next)
{
    const cairn_grid *grid = space->grid;
    const cairn_link *link = &grid->links[first], *best = NULL;
    uint32_t i = first;
    for (;
         i < grid->link_count && grid->links[i].from == link->from && grid->links[i].to == link->to;
         i++) {
        if (!crn_links_allowed(space, &grid->links[i])) continue;
        if (!best || grid->links[i].cost < best->cost) best = &grid->links[i];
    }
    *next = i;
    if (!cairn_space_usable(&space->base, link->from) ||
        !cairn_space_usable(&space->base, link->to))
        return NULL;
    return best;
}

static bool links_usable(const crn_grid_space *space, const cairn_link *link)
{
    return crn_links_allowed(space, link) && cairn_space_usable(&space->base, link->from) &&
           cairn_space_usable(&space->base, link->to);
}

/* Are the links in use still those that can be used? The grid's links have not changed. */
static bool links_still_right(const crn_links *links, const crn_grid_space *space)
{
    uint32_t usable = 0;
    for (uint32_t i = 0; i < space->grid->link_count; i++)
        usable += links_usable(space, &space->grid->links[i]);
    if (usable != links->usable) return false;
    for (uint32_t i = 0; i < links->count; i++) {
        if (!cairn_space_usable(&space->base, links->links[i].from) ||
            !cairn_space_usable(&space->base, links->links[i].to)) {
            return false;
        }
    }
    return true;
}

bool crn_links_shortcut_before(const void *a, const void *b)
{
    return *(const uint64_t *)a < *(const uint64_t *)b;
}

/* Puts zeros between the bits of a number. */
static uint64_t links_spread(uint64_t bits)
{
    bits = (bits | bits << 8) & 0x00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f;
    bits = (bits | bits << 2) & 0x33333333;
    return (bits | bits << 1) & 0x55555555;
}

/* The bits of both coordinates of its entrance in turn (Morton's order), and its number. */
uint64_t crn_links_shortcut(const cairn_grid *grid, uint32_t number, const crn_space_link *link)
{
    uint64_t x = link->from % grid->width, y = link->from / grid->width;
    return (links_spread(x) | links_spread(y) << 1) << 32 | number;
}

bool crn_links_shortens(const crn_grid_space *space, const crn_space_link *link)
{
    const cairn_space *base = &space->base;
    crn_box box = crn_box_empty();
    crn_box_add(&box, base, link->to);
    return link->cost < base->functions->estimate(base, base->default_heuristic, link->from, &box);
}

static void links_collect(crn_links *links, const crn_grid_space *space)
{
    const cairn_grid *grid = space->grid;
    links_mark(links, space, false);
    links_stop(links, space);
    links->count = links->usable = links->target_count = links->shortcut_count = 0;
    links->costliest = 0;
    links->least = space->least;
    for (uint32_t i = 0; i < grid->link_count; i++)
        links->usable += links_usable(space, &grid->links[i]);
    for (uint32_t i = 0, next; i < grid->link_count; i = next) {
        const cairn_link *given = links_choose(space, i, &next);
        if (!given) continue;
        crn_space_link link = {given->from, given->to, crn_links_price(space, given), given->id, 0};
        if (crn_links_shortens(space, &link))
            links->shortcuts[links->shortcut_count++] =
                crn_links_shortcut(grid, links->count, &link);
        links->costliest = crn_max_u32(links->costliest, link.cost);
        links->links[links->count++] = link;
    }
    crn_sort(links->shortcuts, links->shortcut_count, sizeof *links->shortcuts,
             crn_links_shortcut_before);
    crn_gates_learn(space, links);
    links_mark(links, space, true);
    links_stop(links, space);
    links_number_targets(links);
    links_sort_arrivals(links);
}

bool crn_links_refresh(crn_links *links, const crn_grid_space *space, bool links_changed)
{
    if (!links->count && !space->grid->link_count) return false;
    /* Which links are shortcuts depends on the cheapest ground that there is. */
    bool same = !links_changed && links->least == space->least;
    if (same && links_still_right(links, space)) return false;
    links_collect(links, space);
    return true;
}

/* ---- finding ---- */

uint32_t crn_links_first(const crn_links *links, cairn_node from)
{
    return (uint32_t)crn_lower_bound(links->links, links->count, from);
}

uint32_t crn_links_first_arrival(const crn_links *links, cairn_node to)
{
    return (uint32_t)crn_lower_bound(links->arrivals, links->count, to);
}

uint32_t crn_links_arrival_from(const crn_links *links, cairn_node to, cairn_node from)
{
    uint32_t low = crn_links_first_arrival(links, to), high = links->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const crn_link_arrival *arrival = &links->arrivals[middle];
        if (arrival->to == to && links->links[arrival->link].from < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const crn_space_link *crn_links_between(const crn_links *links, cairn_node a, cairn_node b)
{
    size_t first = crn_links_first(links, a);
    if (first == links->count || links->links[first].from != a) return NULL;
    const crn_space_link *from = links->links + first;
    size_t count = crn_lower_bound(from, links->count - first, (uint64_t)a + 1);
    size_t i = crn_lower_bound_of(&from->to, count, sizeof *from, false, b);
    return i < count && from[i].to == b ? from + i : NULL;
}

const crn_space_link *crn_links_used(const crn_grid_space *space, cairn_node a, cairn_node b)
{
    const crn_links *links = &space->links;
    cairn_cell from = cairn_grid_cell(space->grid, a);
    if (!links->count || !crn_bit(&links->from, from.x, from.y)) return NULL;
    const crn_space_link *link = crn_links_between(links, a, b);
    return link && link->cost < crn_grid_walk_cost(space, a, b) ? link : NULL;
}

cairn_cost crn_links_cost(const crn_grid_space *space, cairn_node a, cairn_node b, uint32_t id)
{
    const cairn_grid *grid = space->grid;
    cairn_cost best = CAIRN_NO_COST;
    if (!cairn_space_usable(&space->base, a) || !cairn_space_usable(&space->base, b)) return best;
    size_t low = crn_lower_bound(grid->links, grid->link_count, a);
    for (size_t i = low; i < grid->link_count && grid->links[i].from == a; i++) {
        const cairn_link *link = &grid->links[i];
        if (link->to != b || link->id != id || !crn_links_allowed(space, link)) continue;
        best = crn_min_u32(best, crn_links_price(space, link));
    }
    return best;
}

uint32_t crn_links_target(const crn_links *links, cairn_node node)
{
    return (uint32_t)crn_lower_bound(links->targets, links->target_count, node);
}

/* ---- components ---- */

static bool links_joint_before(const void *a, const void *b)
{
    const crn_joint *first = a, *second = b;
    return first->component < second->component;
}

/* Returns the place of a component among the joints, or where it would be. */
static uint32_t links_joint(const crn_links *links, uint64_t component)
{
    return (uint32_t)crn_lower_bound_wide(links->joints, links->joint_count, component);
}

static uint64_t links_component(const crn_grid_space *space, cairn_node node)
{
    cairn_cell cell = cairn_grid_cell(space->grid, node);
    return crn_components_find(&space->components, space, (uint32_t)cell.x, (uint32_t)cell.y);
}

/* Fills in the components of the ends of all links. Returns whether they are the same as before. */
static bool links_learn_components(crn_links *links, const crn_grid_space *space)
{
    bool same = links->component_count == 2 * links->count;
    for (uint32_t i = 0; i < links->count; i++) {
        uint64_t from = links_component(space, links->links[i].from),
                 to = links_component(space, links->links[i].to);
        same = same && links->components[2 * i] == from && links->components[2 * i + 1] == to;
        links->components[2 * i] = from;
        links->components[2 * i + 1] = to;
    }
    links->component_count = 2 * links->count;
    return same;
}

void crn_links_join(crn_links *links, const crn_grid_space *space)
{
    if (links_learn_components(links, space)) return;
    uint32_t count = links->component_count, kept = 0;
    for (uint32_t i = 0; i < count; i++) links->joints[i].component = links->components[i];
    crn_sort(links->joints, count, sizeof *links->joints, links_joint_before);
    for (uint32_t i = 0; i < count; i++) {
        if (!kept || links->joints[i].component != links->joints[kept - 1].component) {
            links->joints[kept++] = links->joints[i];
        }
    }
    links->joint_count = kept;
    for (uint32_t i = 0; i < kept; i++) links->set[i] = i;
    for (uint32_t i = 0; i < count; i += 2) {
        crn_set_unite(links->set, links_joint(links, links->components[i]),
                      links_joint(links, links->components[i + 1]));
    }
    for (uint32_t i = 0; i < kept; i++) {
        links->joints[i].root = links->joints[crn_set_find(links->set, i)].component;
    }
}

uint64_t crn_links_root(const crn_links *links, uint64_t component)
{
    if (!links->joint_count) return component;
    uint32_t at = links_joint(links, component);
    return at < links->joint_count && links->joints[at].component == component
               ? links->joints[at].root
               : component;
}
