/* polygon_world.h: a third kind of world, which the library does not know: convex polygons on hilly
 * ground, joined where they share a side, with a bridge above the ground.
 *
 * It shows that a world is a table of functions (world/space.h): algorithms that assume nothing
 * about the world must run here as they are. Nodes are polygons; positions have heights; the portal
 * between two polygons is the side that they share; the ends of the bridge are reached by ladders,
 * which pass no opening.
 */
#ifndef TESTS_POLYGON_WORLD_H
#define TESTS_POLYGON_WORLD_H

#include "world/space.h"

enum { POLYGON_CORNERS = 4 };

typedef struct polygon {
    uint32_t count; /* of corners */
    uint32_t corners[POLYGON_CORNERS];
    cairn_position centre;
    bool blocked;
} polygon;

typedef struct polygon_options {
    uint32_t width, height; /* squares that become polygons, triangles or holes */
    uint64_t seed;
    uint32_t blocked; /* this many of a hundred polygons cannot be stood on */
    bool ledges;      /* some steps only lead down */
} polygon_options;

typedef struct polygon_world {
    cairn_space base;
    cairn_position *corners;
    polygon *polygons;
    cairn_graph_edge *sides; /* all, ascending by `from`, those of blocked polygons too */
    uint32_t side_count;
    cairn_graph_edge *edges; /* those that can be walked, ascending by `from` */
    uint32_t edge_count;
    uint32_t *first; /* node_count + 1: of each polygon's edges */
    uint32_t *region;
    double least; /* cost per distance, over all sides */
    uint64_t version;
    polygon_options options;
} polygon_world;

/* Destroy it by cairn_space_destroy(&world->base). */
polygon_world *polygon_world_create(cairn_context *context, const polygon_options *options);
polygon_world *polygon_world_of(cairn_space *space);

/* Opens or blocks a polygon: a new version of the world. */
void polygon_world_block(polygon_world *world, cairn_node node, bool blocked);

/* Is the corner one of the polygon's? */
bool polygon_has_corner(const polygon_world *world, cairn_node node, cairn_position corner);

#endif
