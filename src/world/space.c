/* space.c: the public face of spaces: each function asks the space's own table. */
#include "world/space.h"

cairn_profile cairn_profile_default(void)
{
    cairn_profile profile = {
        .neighbours = CAIRN_NEIGHBOURS_8,
        .corners = CAIRN_CORNERS_NEVER,
        .max_climb = CAIRN_ANY_STEP,
        .max_drop = CAIRN_ANY_STEP,
        .cost_scale = CAIRN_COST_SCALE_AUTO,
        .links = UINT32_MAX,
    };
    memset(profile.terrain_cost, 1, sizeof profile.terrain_cost);
    profile.terrain_cost[CAIRN_TERRAIN_WATER] = 0;
    profile.terrain_cost[CAIRN_TERRAIN_TREES] = 0;
    return profile;
}

void cairn_space_destroy(cairn_space *space)
{
    if (space) space->functions->destroy(space);
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

uint64_t cairn_space_validate(const cairn_space *space, cairn_fault_report *report, void *user)
{
    return space->functions->validate(space, report, user);
}
