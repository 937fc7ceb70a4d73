/* world_kinds.c: the kinds of worlds, each a table (see world.h). */
#include "world.h"

#include "text.h"

#include <stdio.h>
#include <string.h>

const world_kind *const world_kinds[] = {&world_kind_graph, &world_kind_grid, NULL};

const world_kind *world_kind_of(const world *w)
{
    uint32_t i = 0;
    while (world_kinds[i] && !world_kinds[i]->holds(w)) i++;
    return world_kinds[i];
}

/* ---- grids ---- */

static bool grid_holds(const world *w)
{
    return w->grid != NULL;
}

static cairn_status grid_load(world *w, cairn_error *error)
{
    return cairn_grid_load(w->context, w->name, &w->grid, error);
}

static cairn_status grid_read(world *w, cairn_bytes bytes, cairn_error *error)
{
    return cairn_grid_parse(w->context, bytes, NULL, &w->grid, error);
}

static cairn_status grid_unpack(world *w, cairn_error *error)
{
    return cairn_archive_grid(w->archive, &w->grid, error);
}

/* Hexagons go with hexagonal neighbours: a map that does not say how it lies is taken as the flags
 * say. */
static int grid_layout(const command *self, const world *w, const profile_options *flags,
                       const cairn_profile *profile)
{
    if (!flags->neighbours) return END_OK;
    if (profile->neighbours == CAIRN_NEIGHBOURS_HEX)
        cairn_grid_set_layout(w->grid, CAIRN_LAYOUT_HEX);
    if (profile->neighbours == CAIRN_NEIGHBOURS_HEX ||
        cairn_grid_layout(w->grid) != CAIRN_LAYOUT_HEX)
        return END_OK;
    return complain_usage(
        self, "--neighbours %s is for squares, but %s is made of hexagons: use --neighbours hex",
        flags->neighbours, w->name);
}

static int grid_enter(const command *self, world *w, const profile_options *flags)
{
    cairn_error error = {0};
    cairn_profile profile = cairn_profile_for(w->grid);
    cairn_status status = CAIRN_OK;
    if (cairn_archive_has(w->archive, "profile"))
        status = cairn_archive_profile(w->archive, &profile, &error);
    if (!status) {
        int end = profile_change(self, flags, &profile);
        if (!end) end = grid_layout(self, w, flags, &profile);
        if (end) return end;
        status = cairn_space_of_grid(w->grid, &profile, &w->space, &error);
    }
    error.status = status;
    if (status) return world_complain(w->name, &error);
    return profile_walls(self, flags, w->space, w->grid);
}

static void grid_drop(world *w)
{
    cairn_grid_destroy(w->grid);
    w->grid = NULL;
}

static size_t grid_bytes(const world *w)
{
    return cairn_grid_bytes(w->grid);
}

static cairn_status grid_pack(const world *w, cairn_store *store)
{
    return cairn_store_grid(store, w->grid);
}

static bool grid_parse(const world *w, const char *text, cairn_node *node, char place[WORLD_PLACE])
{
    int32_t x, y;
    if (!text_pair(text, &x, &y)) return false;
    *node = cairn_grid_node(w->grid, x, y);
    snprintf(place, WORLD_PLACE, "(%d,%d)", (int)x, (int)y);
    return true;
}

static cairn_node grid_node_at(const world *w, cairn_position position)
{
    return cairn_grid_node_at(w->grid, position);
}

static void grid_type(const world *w, cairn_node node, char out[WORLD_PLACE])
{
    cairn_cell cell = cairn_grid_cell(w->grid, node);
    snprintf(out, WORLD_PLACE, "%d,%d", (int)cell.x, (int)cell.y);
}

static void grid_place(const world *w, cairn_node node, char out[WORLD_PLACE])
{
    cairn_cell cell = cairn_grid_cell(w->grid, node);
    snprintf(out, WORLD_PLACE, "(%d,%d)", (int)cell.x, (int)cell.y);
}

static void grid_json(const world *w, cairn_node node, json *j, const char *key)
{
    cairn_cell cell = cairn_grid_cell(w->grid, node);
    json_array(j, key);
    json_integer(j, NULL, cell.x);
    json_integer(j, NULL, cell.y);
    json_end(j);
}

static void grid_outside(const world *w, const char *role, const char *place, char *out,
                         size_t size)
{
    snprintf(out, size, "the %s %s lies outside the map of %u x %u cells", role, place,
             cairn_grid_width(w->grid), cairn_grid_height(w->grid));
}

static void grid_describe(const world *w, char *out, size_t size)
{
    snprintf(out, size, "a grid of %u x %u", cairn_grid_width(w->grid), cairn_grid_height(w->grid));
}

const world_kind world_kind_grid = {
    .name = "grid",
    .node = "cell",
    .section = "grid",
    .typed = "a cell X,Y",
    .holds = grid_holds,
    .load = grid_load,
    .read = grid_read,
    .unpack = grid_unpack,
    .pack = grid_pack,
    .enter = grid_enter,
    .drop = grid_drop,
    .bytes = grid_bytes,
    .parse = grid_parse,
    .node_at = grid_node_at,
    .type = grid_type,
    .place = grid_place,
    .point = grid_place,
    .json = grid_json,
    .outside = grid_outside,
    .describe = grid_describe,
};

/* ---- graphs ---- */

static bool graph_holds(const world *w)
{
    return w->graph != NULL;
}

static cairn_status graph_load(world *w, cairn_error *error)
{
    return cairn_graph_load(w->context, w->name, &w->graph, error);
}

static cairn_status graph_read(world *w, cairn_bytes bytes, cairn_error *error)
{
    return cairn_dimacs_parse(w->context, bytes, (cairn_bytes){0}, &w->graph, error);
}

static cairn_status graph_unpack(world *w, cairn_error *error)
{
    return cairn_archive_graph(w->archive, &w->graph, error);
}

static int graph_enter(const command *self, world *w, const profile_options *flags)
{
    const char *given = profile_given(flags);
    if (given)
        return complain_usage(self, "%s is a graph, where --%s has no effect: leave it out",
                              w->name, given);
    cairn_error error = {0};
    error.status = cairn_space_of_graph(w->graph, &w->space, &error);
    return error.status ? world_complain(w->name, &error) : END_OK;
}

static void graph_drop(world *w)
{
    cairn_graph_destroy(w->graph);
    w->graph = NULL;
}

static size_t graph_bytes(const world *w)
{
    return cairn_graph_bytes(w->graph);
}

static cairn_status graph_pack(const world *w, cairn_store *store)
{
    return cairn_store_graph(store, w->graph);
}

static bool graph_parse(const world *w, const char *text, cairn_node *node, char place[WORLD_PLACE])
{
    int64_t number;
    if (!text_integer(text, strlen(text), INT32_MIN, UINT32_MAX, &number)) return false;
    bool inside = number >= 0 && number < cairn_graph_node_count(w->graph);
    *node = inside ? (cairn_node)number : CAIRN_NO_NODE;
    snprintf(place, WORLD_PLACE, "waypoint %lld", (long long)number);
    return true;
}

static cairn_node graph_node_at(const world *w, cairn_position position)
{
    return cairn_graph_node_at(w->graph, position);
}

static void graph_type(const world *w, cairn_node node, char out[WORLD_PLACE])
{
    (void)w;
    snprintf(out, WORLD_PLACE, "%lld", node == CAIRN_NO_NODE ? -1 : (long long)node);
}

static void graph_place(const world *w, cairn_node node, char out[WORLD_PLACE])
{
    (void)w;
    snprintf(out, WORLD_PLACE, "waypoint %u", node);
}

static void graph_json(const world *w, cairn_node node, json *j, const char *key)
{
    (void)w;
    json_integer(j, key, node);
}

static void graph_outside(const world *w, const char *role, const char *place, char *out,
                          size_t size)
{
    (void)role;
    snprintf(out, size, "there is no %s: the graph has waypoints 0 to %u", place,
             cairn_graph_node_count(w->graph) - 1);
}

static void graph_describe(const world *w, char *out, size_t size)
{
    char nodes[TEXT_SHORT], edges[TEXT_SHORT];
    snprintf(out, size, "a graph of %s waypoints and %s edges",
             text_count(cairn_graph_node_count(w->graph), nodes),
             text_count(cairn_graph_edge_count(w->graph), edges));
}

const world_kind world_kind_graph = {
    .name = "graph",
    .node = "waypoint",
    .section = "graph",
    .typed = "the number of a waypoint",
    .holds = graph_holds,
    .load = graph_load,
    .read = graph_read,
    .unpack = graph_unpack,
    .pack = graph_pack,
    .enter = graph_enter,
    .drop = graph_drop,
    .bytes = graph_bytes,
    .parse = graph_parse,
    .node_at = graph_node_at,
    .type = graph_type,
    .place = graph_place,
    .point = graph_type,
    .json = graph_json,
    .outside = graph_outside,
    .describe = graph_describe,
};
