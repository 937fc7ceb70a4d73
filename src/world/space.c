/* space.c: the public functions of spaces: each calls the space's own table. */
#include "world/space.h"

void cairn_space_destroy(cairn_space *space)
{
    if (space && crn_let_go(&space->holders)) space->functions->destroy(space);
}

cairn_space *cairn_space_keep(const cairn_space *space)
{
    cairn_space *kept = (cairn_space *)(uintptr_t)space;
    if (kept) crn_hold(&kept->holders);
    return kept;
}

cairn_world_kind cairn_space_world(const cairn_space *space)
{
    return space->world;
}

cairn_context *cairn_space_context(const cairn_space *space)
{
    return space->context;
}

uint64_t cairn_space_version(const cairn_space *space)
{
    return space->functions->version(space);
}

size_t cairn_space_bytes(const cairn_space *space)
{
    return space->functions->bytes(space);
}

uint32_t cairn_space_node_count(const cairn_space *space)
{
    return space->node_count;
}

cairn_scale cairn_space_scale(const cairn_space *space)
{
    return space->scale;
}

bool cairn_space_usable(const cairn_space *space, cairn_node node)
{
    return node < space->node_count && space->functions->usable(space, node);
}

bool cairn_space_has_positions(const cairn_space *space)
{
    return space->placed;
}

cairn_position cairn_space_position(const cairn_space *space, cairn_node node)
{
    return space->functions->position(space, node);
}

cairn_node cairn_space_node_at(const cairn_space *space, cairn_position position)
{
    return space->functions->node_at(space, position);
}

uint32_t cairn_space_expand(const cairn_space *space, cairn_node node, uint32_t first,
                            cairn_edge *out, uint32_t capacity)
{
    return node < space->node_count ? space->functions->expand(space, node, first, out, capacity)
                                    : 0;
}

/* Predecessors, by asking every node. */
static uint32_t space_scan_back(const cairn_space *space, cairn_node node, uint32_t first,
                                cairn_edge *out, uint32_t capacity)
{
    enum { BATCH = 16 };
    cairn_edge edges[BATCH];
    uint32_t written = 0, seen = 0;
    for (cairn_node from = 0; from < space->node_count; from++) {
        for (uint32_t at = 0, count = BATCH; count == BATCH; at += count) {
            count = cairn_space_expand(space, from, at, edges, BATCH);
            for (uint32_t i = 0; i < count; i++) {
                if (edges[i].node != node || seen++ < first) continue;
                if (written == capacity) return written;
                out[written++] = (cairn_edge){from, edges[i].cost};
            }
        }
    }
    return written;
}

uint32_t cairn_space_expand_back(const cairn_space *space, cairn_node node, uint32_t first,
                                 cairn_edge *out, uint32_t capacity)
{
    if (node >= space->node_count) return 0;
    return (space->functions->expand_back ? space->functions->expand_back
                                          : space_scan_back)(space, node, first, out, capacity);
}

cairn_cost cairn_space_step_cost(const cairn_space *space, cairn_node a, cairn_node b)
{
    cairn_edge edges[16];
    cairn_cost best = CAIRN_NO_COST;
    for (uint32_t first = 0, count = 16; count == 16; first += count) {
        count = cairn_space_expand(space, a, first, edges, 16);
        for (uint32_t i = 0; i < count; i++) {
            if (edges[i].node == b && edges[i].cost < best) best = edges[i].cost;
        }
    }
    return best;
}

/* ---- what holds for any space ---- */

bool crn_space_uniform(const cairn_space *space)
{
    return !space->functions->uniform || space->functions->uniform(space);
}

double crn_space_length(const cairn_space *space, const crn_path_sums *sums)
{
    if (space->functions->length) return space->functions->length(space, sums);
    return (double)sums->cost / crn_max_u32(space->scale.straight, 1);
}

/* The end of the piece that begins with a node; afterwards *at is where the next one begins. */
static cairn_node space_piece(const cairn_space *space, uint32_t *at)
{
    cairn_node end = *at + crn_min_u32(space->node_count - *at, CRN_SPACE_PIECE);
    *at = end < space->node_count ? end : UINT32_MAX;
    return end;
}

uint32_t crn_space_next_to(const cairn_space *space, cairn_node goal, uint32_t *at, cairn_node *out)
{
    if (space->functions->next_to) return space->functions->next_to(space, goal, at, out);
    cairn_node node = *at, end = space_piece(space, at);
    uint32_t count = 0;
    for (; node < end; node++) {
        if (cairn_space_step_cost(space, node, goal) != CAIRN_NO_COST) out[count++] = node;
    }
    return count;
}

uint32_t crn_space_within(const cairn_space *space, cairn_node goal, double radius, uint32_t *at,
                          cairn_node *out)
{
    if (space->functions->within) return space->functions->within(space, goal, radius, at, out);
    cairn_position centre = cairn_space_position(space, goal);
    cairn_node node = *at, end = space_piece(space, at);
    uint32_t count = 0;
    for (; node < end; node++) {
        cairn_position there = cairn_space_position(space, node);
        double dx = there.x - centre.x, dy = there.y - centre.y, dz = there.z - centre.z;
        if (dx * dx + dy * dy + dz * dz <= radius * radius) out[count++] = node;
    }
    return count;
}

void crn_box_add(crn_box *box, const cairn_space *space, cairn_node node)
{
    if (space->functions->box_add) {
        space->functions->box_add(space, node, box);
        return;
    }
    cairn_position at = cairn_space_position(space, node);
    bool empty = box->x0 > box->x1;
    if (empty || at.x < box->x0) box->x0 = at.x;
    if (empty || at.x > box->x1) box->x1 = at.x;
    if (empty || at.y < box->y0) box->y0 = at.y;
    if (empty || at.y > box->y1) box->y1 = at.y;
    if (empty || at.z < box->z0) box->z0 = at.z;
    if (empty || at.z > box->z1) box->z1 = at.z;
}

uint64_t cairn_space_validate(const cairn_space *space, cairn_fault_report *report, void *user)
{
    return space->functions->validate(space, report, user);
}

/* ---- looking at every node ---- */

bool crn_space_scan_nearest(const cairn_space *space, crn_nearest *search)
{
    enum { PIECE = 256 };
    crn_box box = crn_box_empty();
    crn_box_add(&box, space, search->to);
    cairn_node end = crn_min_u32(search->at, UINT32_MAX - PIECE) + PIECE;
    for (; search->at < space->node_count && search->at < end; search->at++) {
        if (cairn_space_component(space, search->at) != search->component) continue;
        cairn_cost cost =
            space->functions->estimate(space, space->default_heuristic, search->at, &box);
        if (cost >= search->least) continue;
        search->least = cost;
        search->best = search->at;
    }
    return search->at == space->node_count;
}

cairn_node crn_space_scan_pick(const cairn_space *space, uint64_t component, crn_rng *rng)
{
    uint32_t count = 0;
    for (cairn_node node = 0; node < space->node_count; node++) {
        count += cairn_space_component(space, node) == component;
    }
    uint32_t left = crn_rng_below(rng, count);
    cairn_node node = 0;
    while (cairn_space_component(space, node) != component || left-- > 0) node++;
    return node;
}
