/* scenes.h: the worlds that tests, benchmarks and examples share: some drawn by hand,
 * some made from a seed. A scene is raw arrays plus a profile whose costs suit it; the
 * oracle reads the arrays, the library gets them through its public functions. Scenes use
 * the C library's memory only, so that they never disturb a counting allocator.
 */
#ifndef TESTS_SCENES_H
#define TESTS_SCENES_H

#include "oracle.h"

/* ---- random numbers, the same everywhere ---- */

typedef struct scene_rng {
    uint64_t state;
} scene_rng;

uint32_t scene_random(scene_rng *rng, uint32_t below);

/* ---- grids ---- */

typedef struct scene {
    const char *name;
    uint32_t width, height;
    uint8_t *open, *terrain, *layer; /* all but `open` may be NULL */
    uint16_t *added; /* by a view or a filter, on top of the extra layer; may be NULL */
    int16_t *elevation;
    bool hex;
    cairn_link *links;
    uint32_t link_count;
    cairn_profile profile;
} scene;

/* The profile of a scene under each of the rules that it can have: on squares eight neighbours with
 * each corner rule, and four; on hexagons the only one. False past the end. */
bool scene_rule(const scene *s, uint32_t rule, cairn_profile *profile);

/* The fixed list. */
uint32_t scene_count(void);
scene *scene_at(uint32_t i);
scene *scene_named(const char *name);
void scene_destroy(scene *s);

/* Made to measure. `percent` of the cells are blocked. Rooms have walls one cell thick
 * with a door in most of them. */
scene *scene_of_text(const char *name, const char *text);
scene *scene_blank(const char *name, uint32_t width, uint32_t height);
scene *scene_noise(const char *name, uint32_t width, uint32_t height, uint32_t percent,
                   uint64_t seed);
scene *scene_rooms(const char *name, uint32_t width, uint32_t height, uint32_t side, uint64_t seed);
/* `count` blocks of 2×2 to 4×4 cells, which may overlap; none stands out over the edge, so that
 * no blocked cell is alone. */
scene *scene_blocks(const char *name, uint32_t width, uint32_t height, uint32_t count,
                    uint64_t seed);
/* One winding corridor through all rows: the longest path there can be. */
scene *scene_serpent(const char *name, uint32_t width, uint32_t height);

/* Ornaments; they also set the costs of the scene's profile. */
void scene_add_terrain(scene *s, uint64_t seed);
void scene_add_danger(scene *s, uint64_t seed);
void scene_add_hills(scene *s, uint64_t seed);
void scene_add_cliffs(scene *s, uint64_t seed);

/* From now on its cells are hexagons. */
void scene_make_hex(scene *s);

/* So many links between any cells, blocked ones too, or to cells beside (near); costs in 256ths
 * from `least` up to `most`. Some lead both ways, some share an id, some lie beside another one;
 * kind 3 is not allowed. */
void scene_add_links(scene *s, uint32_t count, uint32_t least, uint32_t most, bool near,
                     uint64_t seed);

/* Does some ground cost more than other ground, for an agent with this profile? */
bool scene_differs_in_cost(const scene *s, const cairn_profile *profile);

oracle_grid scene_raw(const scene *s);
cairn_status scene_grid(const scene *s, cairn_context *context, cairn_grid **out);

/* A usable cell, drawn by lot; CAIRN_NO_NODE if there is none. */
cairn_node scene_pick(const scene *s, scene_rng *rng);

/* ---- graphs ---- */

typedef struct graph_scene {
    const char *name;
    uint32_t node_count, edge_count;
    bool both_ways;
    cairn_position *positions; /* may be NULL */
    cairn_graph_edge *edges;
} graph_scene;

uint32_t graph_scene_count(void);
graph_scene *graph_scene_at(uint32_t i);
void graph_scene_destroy(graph_scene *s);
cairn_status graph_scene_graph(const graph_scene *s, cairn_context *context, cairn_graph **out);

#endif
