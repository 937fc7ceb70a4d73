/* jump_stops.c: what a jumping search does on maps with links, with ground of different costs, or
 * with steps that are not allowed. See jump.h for the idea, world/stops.c for the cells where jumps
 * end.
 */
#include "jump/jump.h"

uint64_t crn_jump_gated(const crn_jump *jump, uint32_t x, uint32_t y, uint64_t walk)
{
    const crn_box *box = &jump->box;
    if (CRN_LIKELY(jump->arrays.fits)) return crn_gate_arrays_least(&jump->arrays, x, y, walk);
    for (uint32_t i = 0; i < box->gate_count && jump->gates[i].rest < walk; i++) {
        const crn_gate *entrance = &jump->gates[i];
        uint64_t dx = crn_outside((int32_t)x, entrance->left, entrance->right),
                 dy = crn_outside((int32_t)y, entrance->top, entrance->bottom),
                 low = dx < dy ? dx : dy;
        uint64_t cost = entrance->rest + jump->least * (dx + dy) - jump->shortcut * low;
        walk = cost < walk ? cost : walk;
    }
    return walk;
}

void crn_jump_open_gates(crn_jump *jump)
{
    const cairn_search *search = jump->search;
    jump->box = crn_box_empty();
    crn_box_add(&jump->box, search->space, search->goals[0]);
    crn_box_open_gates(&jump->box, search->space, CAIRN_HEURISTIC_OCTILE, jump->gates);
    crn_gate_arrays_measure(&jump->arrays, jump->map->grid, jump->least,
                            2 * jump->least - jump->shortcut);
    crn_gate_arrays_copy(&jump->arrays, jump->gates, jump->box.gate_count);
}

static bool stops_at(const crn_jump *jump, uint32_t x, uint32_t y)
{
    return crn_bit(&jump->map->runs->stop, (int32_t)x, (int32_t)y);
}

#define STOPS_LINKS 16u /* that are followed in a unit of work */

/* The links that leave the place, unless a step is as cheap. */
void crn_jump_relax_links(crn_jump *jump)
{
    const crn_links *links = &jump->map->links;
    cairn_node node = crn_jump_node(jump, jump->from);
    uint32_t end = crn_min_u32(jump->link + STOPS_LINKS, links->count);
    for (; jump->link < end && links->links[jump->link].from == node; jump->link++) {
        const crn_space_link *link = &links->links[jump->link];
        if (link->cost >= crn_grid_walk_cost(jump->map, node, link->to)) continue;
        uint32_t to = crn_jump_place_of(jump, link->to);
        crn_jump_relax(jump, to & 0xffff, to >> 16, CRN_BY_LINK,
                       (uint64_t)jump->from_g + link->cost);
    }
    jump->linking = jump->link < links->count && links->links[jump->link].from == node;
}

/* Steps to the stops beside the place, which is one too. Returns the moves to other cells. */
static uint32_t stops_step(crn_jump *jump, uint32_t moves)
{
    uint32_t x = jump->from & 0xffff, y = jump->from >> 16;
    cairn_node node = crn_jump_node(jump, jump->from);
    uint32_t others = moves;
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), to_x = (uint32_t)((int32_t)x + crn_dx[d]),
                 to_y = (uint32_t)((int32_t)y + crn_dy[d]);
        if (!stops_at(jump, to_x, to_y)) continue;
        cairn_node to = crn_jump_node(jump, to_y << 16 | to_x);
        crn_jump_relax(jump, to_x, to_y, d,
                       (uint64_t)jump->from_g + crn_grid_step_cost(jump->map, node, to, d));
        others ^= 1u << d;
    }
    return others;
}

void crn_jump_learn_ground(crn_jump *jump, cairn_node node)
{
    jump->straight = crn_grid_step_cost(jump->map, node, node, CRN_N);
    jump->diagonal = crn_grid_step_cost(jump->map, node, node, CRN_NE);
}

uint32_t crn_jump_leave(crn_jump *jump, uint32_t moves)
{
    uint32_t x = jump->from & 0xffff, y = jump->from >> 16;
    if (jump->varied) crn_jump_learn_ground(jump, crn_jump_node(jump, jump->from));
    if (!stops_at(jump, x, y)) return moves;
    if (jump->map->links.count && crn_bit(&jump->map->links.from, (int32_t)x, (int32_t)y)) {
        jump->link = crn_links_first(&jump->map->links, crn_jump_node(jump, jump->from));
        crn_jump_relax_links(jump);
    }
    if (!jump->varied) return moves;
    moves = crn_grid_moves(jump->map, x, y);
    if (jump->map->steep) moves = crn_grid_limit_moves(jump->map, x, y, moves);
    return stops_step(jump, moves);
}

/* A leg of several steps does not leave its ground. */
uint64_t crn_jump_leg_cost(const crn_jump *jump, const crn_jump_record *record)
{
    const crn_grid_space *map = jump->map;
    cairn_node from = crn_jump_node(jump, record->parent),
               to = crn_jump_node(jump, crn_jump_place(record));
    if (crn_jump_is_linked(record)) return crn_links_between(&map->links, from, to)->cost;
    crn_jump_leg leg = crn_jump_leg_to(record);
    return (uint64_t)leg.diagonal * crn_grid_step_cost(map, to, to, CRN_NE) +
           (uint64_t)leg.straight * crn_grid_step_cost(map, to, to, CRN_N);
}
