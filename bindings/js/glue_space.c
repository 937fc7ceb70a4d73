/* glue_space.c: spaces: profiles, what can be stood on, connected components, sizes, explanations,
 * lines. */
#include "glue.h"

#include <string.h>

/* ---- profiles: numbers in the order below, and 256 prices in 256ths ---- */

void glue_profile_write(const cairn_profile *profile, uint16_t *terrain_cost)
{
    double *out = glue.numbers;
    *out++ = profile->neighbours;
    *out++ = profile->corners;
    *out++ = profile->layer_weight;
    *out++ = profile->gradient;
    *out++ = profile->max_climb;
    *out++ = profile->max_drop;
    *out++ = profile->cost_scale;
    *out++ = profile->radius;
    *out++ = profile->footprint;
    *out++ = profile->links;
    memcpy(terrain_cost, profile->terrain_cost, sizeof profile->terrain_cost);
}

cairn_profile glue_profile_read(const uint16_t *terrain_cost)
{
    const double *in = glue.numbers;
    cairn_profile profile = cairn_profile_default();
    profile.neighbours = (cairn_neighbours)in[0];
    profile.corners = (cairn_corners)in[1];
    profile.layer_weight = (uint16_t)in[2];
    profile.gradient = (uint16_t)in[3];
    profile.max_climb = (int32_t)in[4];
    profile.max_drop = (int32_t)in[5];
    profile.cost_scale = (uint32_t)in[6];
    profile.radius = in[7];
    profile.footprint = (uint32_t)in[8];
    profile.links = (uint32_t)in[9];
    memcpy(profile.terrain_cost, terrain_cost, sizeof profile.terrain_cost);
    return profile;
}

/* The default, for a grid or (NULL) without one. */
GLUE_EXPORT("glue_profile_for")
void glue_profile_for(const cairn_grid *grid, uint16_t *terrain_cost)
{
    cairn_profile profile = grid ? cairn_profile_for(grid) : cairn_profile_default();
    glue_profile_write(&profile, terrain_cost);
}

GLUE_EXPORT("glue_space_of_grid")
cairn_space *glue_space_of_grid(cairn_grid *grid, const uint16_t *terrain_cost)
{
    glue_begin();
    cairn_profile profile = glue_profile_read(terrain_cost);
    cairn_space *space = NULL;
    cairn_status status = cairn_space_of_grid(grid, &profile, &space, &glue.error);
    return glue_check(status) ? NULL : space;
}

GLUE_EXPORT("glue_space_profile")
void glue_space_profile(const cairn_space *space, uint16_t *terrain_cost)
{
    glue_profile_write(cairn_space_profile(space), terrain_cost);
}

GLUE_EXPORT("glue_space_destroy") void glue_space_destroy(cairn_space *space)
{
    cairn_space_destroy(space);
}

/* ---- looking ---- */

/* Numbers: straight, diagonal, nodes, bytes, version, directed. */
GLUE_EXPORT("glue_space_about") void glue_space_about(const cairn_space *space)
{
    cairn_scale scale = cairn_space_scale(space);
    double *out = glue.numbers;
    *out++ = scale.straight;
    *out++ = scale.diagonal;
    *out++ = cairn_space_node_count(space);
    *out++ = (double)cairn_space_bytes(space);
    *out++ = (double)cairn_space_version(space);
    *out++ = cairn_space_directed(space);
}

GLUE_EXPORT("glue_space_hash") uint64_t glue_space_hash(const cairn_space *space)
{
    return cairn_space_hash(space);
}

GLUE_EXPORT("glue_space_usable") void glue_space_usable(const cairn_space *space, uint8_t *out)
{
    for (uint32_t i = 0; i < cairn_space_node_count(space); i++)
        out[i] = cairn_space_usable(space, i);
}

/* Two words for each node, the low one first. */
GLUE_EXPORT("glue_space_components")
void glue_space_components(const cairn_space *space, uint32_t *out)
{
    for (uint32_t i = 0; i < cairn_space_node_count(space); i++) {
        uint64_t component = cairn_space_component(space, i);
        *out++ = (uint32_t)component;
        *out++ = (uint32_t)(component >> 32);
    }
}

/* 0 cells: drops the field, and writes nothing. */
GLUE_EXPORT("glue_space_clearance")
cairn_status glue_space_clearance(cairn_space *space, uint32_t cells, float *out)
{
    glue_begin();
    cairn_status status = cairn_space_keep_clearance(space, cells);
    for (uint32_t i = 0; !status && cells && i < cairn_space_node_count(space); i++)
        out[i] = (float)cairn_space_clearance(space, i);
    return glue_check(status);
}

/* Numbers: reason, terrain, clearance, obstacle, 8 reasons of steps. Output: the text, then a line
 * feed and the names of the steps, one a line, empty for those that are none; the region is
 * returned. */
GLUE_EXPORT("glue_space_explain")
uint64_t glue_space_explain(const cairn_space *space, int32_t x, int32_t y)
{
    glue_begin();
    glue_output_begin();
    cairn_explanation explanation = {0};
    if (glue_check(cairn_explain(space, x, y, &explanation))) return 0;
    double *out = glue.numbers;
    *out++ = explanation.reason;
    *out++ = explanation.terrain;
    *out++ = explanation.clearance;
    *out++ = explanation.obstacle;
    glue_print("%s", explanation.text);
    for (uint32_t i = 0; i < 8; i++) {
        *out++ = explanation.steps[i];
        const char *name = cairn_step_name(space, y, i);
        glue_print("\n%s", name ? name : "");
    }
    glue_check(glue_output_finish());
    return explanation.component;
}

/* Numbers: rows eroded, cells cleared, tiles labelled, blocks joined. */
GLUE_EXPORT("glue_space_upkeep") void glue_space_upkeep(const cairn_space *space)
{
    cairn_upkeep upkeep = cairn_space_upkeep(space);
    glue.numbers[0] = (double)upkeep.rows_eroded;
    glue.numbers[1] = (double)upkeep.cells_cleared;
    glue.numbers[2] = upkeep.tiles_updated;
    glue.numbers[3] = upkeep.blocks_joined;
}

/* ---- questions about two nodes ---- */

GLUE_EXPORT("glue_reachable")
uint32_t glue_reachable(const cairn_space *space, uint32_t from, uint32_t to)
{
    return cairn_reachable(space, from, to);
}

/* Numbers: the last node of the line that can be reached. */
GLUE_EXPORT("glue_raycast")
uint32_t glue_raycast(const cairn_space *space, uint32_t from, uint32_t to)
{
    cairn_node last = CAIRN_NO_NODE;
    bool clear = cairn_raycast(space, from, to, &last);
    glue.numbers[0] = last;
    return clear;
}

GLUE_EXPORT("glue_estimate")
uint32_t glue_estimate(const cairn_space *space, uint32_t heuristic, uint32_t from, uint32_t to)
{
    return cairn_estimate(space, (cairn_heuristic)heuristic, from, to);
}

GLUE_EXPORT("glue_admissible")
uint32_t glue_admissible(const cairn_space *space, uint32_t heuristic)
{
    return cairn_heuristic_admissible(space, (cairn_heuristic)heuristic);
}

GLUE_EXPORT("glue_step_cost")
uint32_t glue_step_cost(const cairn_space *space, uint32_t from, uint32_t to)
{
    return cairn_space_step_cost(space, from, to);
}

/* Numbers: the node. */
GLUE_EXPORT("glue_nearest_reachable")
cairn_status glue_nearest_reachable(const cairn_space *space, uint32_t from, uint32_t to)
{
    glue_begin();
    cairn_node node = CAIRN_NO_NODE;
    cairn_status status = cairn_nearest_reachable(space, from, to, &node);
    glue.numbers[0] = node;
    return glue_check(status);
}

/* Numbers: the node. */
GLUE_EXPORT("glue_random_reachable")
cairn_status glue_random_reachable(const cairn_space *space, uint32_t from, uint64_t seed)
{
    glue_begin();
    cairn_node node = CAIRN_NO_NODE;
    cairn_status status = cairn_random_reachable(space, from, &seed, &node);
    glue.numbers[0] = node;
    return glue_check(status);
}

/* Numbers: x, y, z. */
GLUE_EXPORT("glue_position") void glue_position(const cairn_space *space, uint32_t node)
{
    cairn_position position = cairn_space_position(space, node);
    glue.numbers[0] = position.x;
    glue.numbers[1] = position.y;
    glue.numbers[2] = position.z;
}

GLUE_EXPORT("glue_node_at")
uint32_t glue_node_at(const cairn_space *space, double x, double y, double z)
{
    return cairn_space_node_at(space, (cairn_position){x, y, z});
}
