/* gates.c: estimates that know the links which are shortcuts. See links.h for what is computed.
 *
 * For the entrance of each shortcut, D is the least that the rest costs from there. It follows for
 * all of them at once by Dijkstra's algorithm, with estimates between exits and entrances as edges.
 * The nearest entrances are settled first, so they are ascending by D, and the estimate of a node
 * need look only at those whose D is less than what it has found.
 *
 * - An entrance is left out if walking, or another entrance, is as good from everywhere: if it is
 *   as good from the entrance itself, the triangle inequality says the rest.
 * - With more than CRN_GATES shortcuts, those that lie together share an entrance: the box round
 *   theirs. Their exit is the box round their exits, and estimates between boxes are those between
 *   their nearest cells. All of that only makes the estimate smaller, and along a link of the group
 *   it falls by no more than the link costs.
 */
#include "world/grid_space.h"
#include "world/view.h"

typedef struct gates_group {
    crn_gate entrance; /* rest: D, as far as it is known */
    crn_gate out;      /* round the exits; rest: the cost of the cheapest link */
    bool single;       /* there is one cell in each */
    bool settled;
} gates_group;

typedef struct gates_aim {
    const crn_grid_space *map;
    cairn_heuristic heuristic;
    uint32_t count; /* groups */
    gates_group groups[CRN_GATES];
} gates_aim;

static crn_box gates_box(const crn_gate *entrance)
{
    return (crn_box){.left = entrance->left,
                     .top = entrance->top,
                     .right = entrance->right,
                     .bottom = entrance->bottom};
}

static uint64_t gates_walk(const gates_aim *aim, uint32_t dx, uint32_t dy)
{
    return (uint64_t)crn_grid_estimate(aim->heuristic, aim->map->cheapest, dx, dy) *
           aim->map->times;
}

static uint64_t gates_walk_hex(const gates_aim *aim, const crn_gate *from, const crn_box *to)
{
    return (uint64_t)crn_hex_estimate(aim->heuristic, aim->map->cheapest, from->left, from->top,
                                      to) *
           aim->map->times;
}

/* The estimate from the nearest of some cells to a box. */
static uint64_t gates_least(const gates_aim *aim, const crn_gate *from, const crn_box *to,
                            bool single)
{
    if (aim->map->hex) return single ? gates_walk_hex(aim, from, to) : 0;
    uint32_t left = crn_outside(from->left, to->left, to->right),
             right = crn_outside(from->right, to->left, to->right),
             above = crn_outside(from->top, to->top, to->bottom),
             below = crn_outside(from->bottom, to->top, to->bottom);
    bool wide = from->left <= to->right && from->right >= to->left,
         high = from->top <= to->bottom && from->bottom >= to->top;
    return gates_walk(aim, wide ? 0 : crn_min_u32(left, right),
                      high ? 0 : crn_min_u32(above, below));
}

/* The estimate from the farthest. */
static uint64_t gates_most(const gates_aim *aim, const crn_gate *from, const crn_box *to,
                           bool single)
{
    if (aim->map->hex) return single ? gates_walk_hex(aim, from, to) : UINT64_MAX;
    uint32_t left = crn_outside(from->left, to->left, to->right),
             right = crn_outside(from->right, to->left, to->right),
             above = crn_outside(from->top, to->top, to->bottom),
             below = crn_outside(from->bottom, to->top, to->bottom);
    return gates_walk(aim, crn_max_u32(left, right), crn_max_u32(above, below));
}

static void gates_include(crn_gate *entrance, cairn_cell cell, cairn_cost cost)
{
    entrance->left = cell.x < entrance->left ? cell.x : entrance->left;
    entrance->right = cell.x > entrance->right ? cell.x : entrance->right;
    entrance->top = cell.y < entrance->top ? cell.y : entrance->top;
    entrance->bottom = cell.y > entrance->bottom ? cell.y : entrance->bottom;
    entrance->rest = crn_min_u32(entrance->rest, cost);
}

/* The shortcuts first…end as one. From its exits one walks to the goals. */
static gates_group gates_gather(const gates_aim *aim, uint32_t first, uint32_t end,
                                const crn_box *goals)
{
    const crn_links *links = &aim->map->links;
    const crn_gate none = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN, CAIRN_COST_MAX};
    gates_group group = {.entrance = none, .out = none, .single = end == first + 1};
    for (uint32_t i = first; i < end; i++) {
        const crn_space_link *link = &links->links[(uint32_t)links->shortcuts[i]];
        gates_include(&group.entrance, cairn_grid_cell(aim->map->grid, link->from), CAIRN_COST_MAX);
        gates_include(&group.out, cairn_grid_cell(aim->map->grid, link->to), link->cost);
    }
    group.entrance.rest =
        crn_saturate(group.out.rest + gates_least(aim, &group.out, goals, group.single));
    return group;
}

static gates_group *gates_nearest(gates_aim *aim)
{
    gates_group *best = NULL;
    for (uint32_t i = 0; i < aim->count; i++) {
        gates_group *group = &aim->groups[i];
        if (!group->settled && (!best || group->entrance.rest < best->entrance.rest)) best = group;
    }
    return best;
}

/* Is the estimate from everywhere in the group no more than its D without it? */
static bool gates_useless(const gates_aim *aim, const gates_group *group, const crn_box *goals)
{
    uint64_t rest = group->entrance.rest;
    if (gates_most(aim, &group->entrance, goals, group->single) <= rest) return true;
    for (uint32_t i = 0; i < goals->gate_count; i++) {
        crn_box area = gates_box(&goals->gates[i]);
        uint64_t other = gates_most(aim, &group->entrance, &area, group->single);
        if (other <= rest && other + goals->gates[i].rest <= rest) return true;
    }
    return false;
}

/* From the exits of groups that are not settled one may walk to this one. */
static void gates_relax(gates_aim *aim, const crn_gate *entrance)
{
    crn_box area = gates_box(entrance);
    for (uint32_t i = 0; i < aim->count; i++) {
        gates_group *group = &aim->groups[i];
        uint64_t rest = (uint64_t)group->out.rest + entrance->rest;
        if (group->settled || rest >= group->entrance.rest) continue;
        rest += gates_least(aim, &group->out, &area, group->single);
        if (rest < group->entrance.rest) group->entrance.rest = (cairn_cost)rest;
    }
}

static CRN_NOINLINE void gates_find(const crn_grid_space *map, cairn_heuristic heuristic,
                                    crn_box *box, crn_gate *gates)
{
    gates_aim aim = {.map = map, .heuristic = heuristic};
    uint64_t shortcuts = map->links.shortcut_count;
    aim.count = crn_min_u32(map->links.shortcut_count, CRN_GATES);
    box->gates = gates;
    for (uint32_t i = 0; i < aim.count; i++) {
        uint32_t first = (uint32_t)(i * shortcuts / aim.count),
                 end = (uint32_t)((i + 1) * shortcuts / aim.count);
        aim.groups[i] = gates_gather(&aim, first, end, box);
    }
    for (gates_group *group; (group = gates_nearest(&aim));) {
        group->settled = true;
        if (gates_useless(&aim, group, box)) continue;
        gates[box->gate_count++] = group->entrance;
        gates_relax(&aim, &group->entrance);
    }
}

void crn_box_open_gates(crn_box *box, const cairn_space *space, cairn_heuristic heuristic,
                        crn_gate *gates)
{
    space = crn_view_ground(space);
    if (space->world != CAIRN_WORLD_GRID) return;
    const crn_grid_space *map = crn_grid_space_of(space);
    box->gate_count = 0;
    box->blind = false;
    if (map->links.shortcut_count && heuristic != CAIRN_HEURISTIC_NULL)
        gates_find(map, heuristic, box, gates);
}
