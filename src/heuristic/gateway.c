/* gateway.c: the costs between gates as a heuristic. See gateway.h. */
#include "heuristic/gateway.h"
#include "world/grid_space.h"

#define GATEWAY_UNKNOWN UINT32_MAX

/* What the estimate is bound to. */
typedef struct gateway_aim {
    cairn_node goal;
    uint32_t area;               /* of the goal */
    uint32_t columns;            /* of the grid */
    uint32_t straight, diagonal; /* steps; both 0: distances are not known */
    bool asked;                  /* distances are others: the space is asked for them */
} gateway_aim;

_Static_assert(sizeof(gateway_aim) <= sizeof(crn_estimate_note), "it is kept in the note");

static gateway_aim gateway_aim_of(const crn_estimate *estimate)
{
    gateway_aim aim;
    memcpy(&aim, &estimate->note, sizeof aim);
    return aim;
}

/* From a node to a door. */
CRN_INLINE uint64_t gateway_walk(const crn_estimate *estimate, const gateway_aim *aim,
                                 cairn_node node, const crn_gateway_door *door)
{
    if (CRN_UNLIKELY(aim->asked)) {
        crn_box box = {
            .left = door->left, .top = door->top, .right = door->right, .bottom = door->bottom};
        return estimate->space->functions->estimate(estimate->space, estimate->metric, node, &box);
    }
    uint32_t dx = crn_outside((int32_t)(node % aim->columns), door->left, door->right),
             dy = crn_outside((int32_t)(node / aim->columns), door->top, door->bottom);
    uint32_t low = crn_min_u32(dx, dy), high = crn_max_u32(dx, dy);
    return (uint64_t)aim->straight * (high - low) + (uint64_t)aim->diagonal * low;
}

/* What is left to the goal from the doors of an area. */
static CRN_NOINLINE void gateway_enter(const crn_estimate *estimate, const gateway_aim *aim,
                                       uint32_t area)
{
    const crn_gateway *gateway = estimate->data;
    const uint32_t first = gateway->first[aim->area], last = gateway->first[aim->area + 1];
    uint64_t walks[CRN_GATEWAY_DOORS];
    for (uint32_t k = first; k < last; k++)
        walks[k - first] = gateway_walk(estimate, aim, aim->goal, &gateway->doors[k]);
    for (uint32_t i = gateway->first[area]; i < gateway->first[area + 1]; i++) {
        const cairn_cost *from = gateway->costs + gateway->doors[i].gate;
        uint64_t least = CAIRN_COST_MAX;
        for (uint32_t k = first; k < last; k++) {
            cairn_cost cost = from[(size_t)gateway->doors[k].gate * gateway->gate_count];
            if (cost + walks[k - first] < least) least = cost + walks[k - first];
        }
        estimate->room[i] = (uint32_t)least;
    }
}

static uint64_t gateway_refine(const crn_estimate *estimate, cairn_node node, uint64_t metric)
{
    const crn_gateway *gateway = estimate->data;
    const gateway_aim aim = gateway_aim_of(estimate);
    uint32_t area = gateway->areas[node], i = gateway->first[area], end = gateway->first[area + 1];
    if (area == aim.area || i == end) return metric;
    if (CRN_UNLIKELY(estimate->room[i] == GATEWAY_UNKNOWN)) gateway_enter(estimate, &aim, area);
    uint64_t least = UINT64_MAX;
    for (; i < end; i++) {
        uint64_t cost = gateway_walk(estimate, &aim, node, &gateway->doors[i]) + estimate->room[i];
        if (cost < least) least = cost;
    }
    return least > metric ? least : metric;
}

/* Octile and Manhattan distances are made of two numbers. With shortcuts no distance is known. A
 * goal in an area without doors leaves the metric alone. */
static void gateway_bind(crn_estimate *estimate, const crn_aim *aim)
{
    const crn_gateway *gateway = estimate->data;
    const crn_grid_space *map = crn_grid_space_of(aim->space);
    uint32_t area = gateway->areas[aim->nodes[0]];
    if (aim->backward || gateway->first[area] == gateway->first[area + 1]) {
        estimate->refine = NULL;
        return;
    }
    gateway_aim own = {.goal = aim->nodes[0], .area = area, .columns = map->grid->width};
    if (!map->links.shortcut_count) {
        bool manhattan = estimate->metric == CAIRN_HEURISTIC_MANHATTAN;
        uint64_t straight = (uint64_t)map->cheapest.straight * map->times,
                 diagonal =
                     manhattan ? 2 * straight : (uint64_t)map->cheapest.diagonal * map->times;
        own.asked = map->hex || diagonal > UINT32_MAX ||
                    !(manhattan || estimate->metric == CAIRN_HEURISTIC_OCTILE);
        own.straight = (uint32_t)straight;
        own.diagonal = (uint32_t)diagonal;
    }
    memcpy(&estimate->note, &own, sizeof own);
    memset(estimate->room, 0xff, gateway->door_count * sizeof *estimate->room);
}

static size_t gateway_room(const void *data)
{
    const crn_gateway *gateway = data;
    return gateway->door_count;
}

/* Most estimates are close to the truth, so that few fall. */
static crn_heuristic_facts gateway_facts(const void *data, const cairn_space *space)
{
    (void)data;
    (void)space;
    return (crn_heuristic_facts){.admissible = true, .band = 1, .rise = UINT64_MAX};
}

crn_heuristic crn_gateway_heuristic(const crn_gateway *gateway)
{
    return (crn_heuristic){.name = "gateway",
                           .metric = CAIRN_HEURISTIC_AUTO,
                           .facts = gateway_facts,
                           .bind = gateway_bind,
                           .room = gateway_room,
                           .refine = gateway_refine,
                           .data = gateway};
}
