/* world.c: grids and graphs as sections of a container, and back.
 *
 * A grid consists of its size and position ("grid"), one bit per cell in rows of whole bytes
 * ("grid.open"), those planes that are not all zero ("grid.terrain", "grid.layer",
 * "grid.elevation") and its links ("grid.links"). A graph consists of its edges by the node they
 * leave ("graph.offsets", "graph.edges"), x and y of the positions ("graph.points") and, if any is
 * not 0, z ("graph.heights"). Reading uses the same functions by which programs make worlds, so
 * that a file cannot contain what a program could not make.
 */
#include "store/sections.h"
#include "world/graph.h"
#include "world/grid.h"
#include <float.h>
#include <math.h>

enum { WORLD_GRID_WORDS = 6, WORLD_LINK_NUMBERS = 5, WORLD_GRAPH_WORDS = 2 };

/* ---- grids into sections ---- */

void crn_grid_pack_row(const cairn_grid *grid, uint32_t y, uint8_t *out)
{
    /* A stored row begins with one padding bit, and ends with at least one, which is zero. */
    const uint8_t *row = grid->open.rows + (size_t)(y + 1) * grid->open.stride;
    for (size_t i = 0; i < crn_grid_row_bytes(grid->width); i++) {
        uint32_t next = i + 1 < grid->open.stride ? row[i + 1] : 0;
        out[i] = (uint8_t)(row[i] >> 1 | next << 7);
    }
}

bool crn_plane_used(const void *plane, size_t size)
{
    const uint8_t *bytes = plane;
    for (size_t i = 0; plane && i < size; i++) {
        if (bytes[i]) return true;
    }
    return false;
}

static cairn_status world_add_measures(cairn_store *store, const cairn_grid *grid)
{
    const uint64_t words[WORLD_GRID_WORDS] = {
        grid->width,
        grid->height,
        (uint64_t)cairn_grid_layout(grid),
        crn_double_bits(grid->origin.x),
        crn_double_bits(grid->origin.y),
        crn_double_bits(grid->cell_size),
    };
    return cairn_store_add(store, "grid", (cairn_bytes){words, sizeof words}, 8, false);
}

static cairn_status world_add_open(cairn_store *store, const cairn_grid *grid)
{
    size_t row = crn_grid_row_bytes(grid->width), size = row * grid->height;
    uint8_t *bits = crn_alloc(store->context, size);
    if (!bits) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t y = 0; y < grid->height; y++) crn_grid_pack_row(grid, y, bits + y * row);
    cairn_status status = cairn_store_add(store, "grid.open", (cairn_bytes){bits, size}, 1, false);
    crn_free(store->context, bits, size);
    return status;
}

static cairn_status world_add_plane(cairn_store *store, const char *name, const void *plane,
                                    size_t cells, uint32_t element)
{
    if (!crn_plane_used(plane, cells * element)) return CAIRN_OK;
    return cairn_store_add(store, name, (cairn_bytes){plane, cells * element}, element, false);
}

static cairn_status world_add_links(cairn_store *store, const cairn_grid *grid)
{
    uint32_t count = cairn_grid_link_count(grid);
    if (!count) return CAIRN_OK;
    size_t size = crn_mul_size(count, WORLD_LINK_NUMBERS * sizeof(uint32_t));
    uint32_t *numbers = crn_alloc(store->context, size);
    if (!numbers) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        cairn_link link = cairn_grid_link_at(grid, i);
        const uint32_t one[WORLD_LINK_NUMBERS] = {link.from, link.to, link.id, link.cost,
                                                  link.kind};
        memcpy(numbers + (size_t)i * WORLD_LINK_NUMBERS, one, sizeof one);
    }
    cairn_status status =
        cairn_store_add(store, "grid.links", (cairn_bytes){numbers, size}, 4, false);
    crn_free(store->context, numbers, size);
    return status;
}

cairn_status cairn_store_grid(cairn_store *store, const cairn_grid *grid)
{
    if (!store || !grid) return CAIRN_INVALID;
    size_t before = store->count, cells = (size_t)grid->width * grid->height;
    cairn_status status = world_add_measures(store, grid);
    if (!status) status = world_add_open(store, grid);
    if (!status) status = world_add_plane(store, "grid.terrain", grid->terrain, cells, 1);
    if (!status) status = world_add_plane(store, "grid.layer", grid->layer, cells, 1);
    if (!status) status = world_add_plane(store, "grid.elevation", grid->elevation, cells, 2);
    if (!status) status = world_add_links(store, grid);
    if (status) crn_store_cut(store, before);
    return status;
}

/* ---- and back ---- */

static bool world_finite(double value)
{
    return fabs(value) <= DBL_MAX;
}

static cairn_status world_take_measures(const cairn_archive *archive, cairn_grid_options *out,
                                        cairn_error *error)
{
    const crn_section *section;
    uint64_t words[WORLD_GRID_WORDS];
    cairn_status status =
        crn_archive_need(archive, "grid", (crn_section_shape){8, sizeof words}, &section, error);
    if (status) return status;
    memcpy(words, section->data, sizeof words);
    if (words[0] < 1 || words[0] > CAIRN_GRID_MAX || words[1] < 1 || words[1] > CAIRN_GRID_MAX)
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "a grid of %llu x %llu cells: each side must be 1 to %u",
                        (unsigned long long)words[0], (unsigned long long)words[1], CAIRN_GRID_MAX);
    if (words[2] >= CAIRN_LAYOUT_COUNT)
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the grid has the layout %llu, which is none",
                        (unsigned long long)words[2]);
    *out = (cairn_grid_options){.width = (uint32_t)words[0],
                                .height = (uint32_t)words[1],
                                .layout = (cairn_layout)words[2],
                                .origin = {crn_bits_double(words[3]), crn_bits_double(words[4]), 0},
                                .cell_size = crn_bits_double(words[5])};
    if (!world_finite(out->origin.x) || !world_finite(out->origin.y) ||
        !world_finite(out->cell_size) || !(out->cell_size > 0))
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the grid's origin or cell size is no place or size");
    return CAIRN_OK;
}

/* One row of bits as bytes; false if a bit behind the last cell is set. */
static bool world_unpack_row(const uint8_t *bits, uint32_t width, uint8_t *out)
{
    for (uint32_t x = 0; x < width; x++) out[x] = bits[x / 8] >> (x % 8) & 1;
    return width % 8 == 0 || bits[width / 8] >> (width % 8) == 0;
}

/* Fills `cells`, one byte a cell. */
static cairn_status world_unpack(const uint8_t *bits, const cairn_grid_options *grid,
                                 uint8_t *cells, cairn_error *error)
{
    size_t row = crn_grid_row_bytes(grid->width);
    for (uint32_t y = 0; y < grid->height; y++) {
        if (!world_unpack_row(bits + y * row, grid->width, cells + (size_t)y * grid->width))
            return crn_fail(error, CAIRN_BAD_DATA, 0, "a bit behind the last cell of row %u is set",
                            y);
    }
    return CAIRN_OK;
}

/* The plane where it lies, NULL if there is none. */
static cairn_status world_take_plane(const cairn_archive *archive, const cairn_grid_options *grid,
                                     const char *name, uint32_t element, const void **out,
                                     cairn_error *error)
{
    *out = NULL;
    if (!cairn_archive_has(archive, name)) return CAIRN_OK;
    const crn_section *section;
    uint64_t size = (uint64_t)grid->width * grid->height * element;
    cairn_status status =
        crn_archive_need(archive, name, (crn_section_shape){element, size}, &section, error);
    if (!status) *out = section->data;
    return status;
}

static cairn_status world_take_planes(const cairn_archive *archive, cairn_grid_options *grid,
                                      cairn_error *error)
{
    const void *terrain = NULL, *layer = NULL, *elevation = NULL;
    cairn_status status = world_take_plane(archive, grid, "grid.terrain", 1, &terrain, error);
    if (!status) status = world_take_plane(archive, grid, "grid.layer", 1, &layer, error);
    if (!status) status = world_take_plane(archive, grid, "grid.elevation", 2, &elevation, error);
    grid->terrain = terrain;
    grid->layer = layer;
    grid->elevation = elevation;
    return status;
}

static cairn_status world_stage_link(cairn_grid *grid, const uint32_t *numbers, uint32_t i,
                                     cairn_error *error)
{
    cairn_link link = {numbers[0], numbers[1], numbers[2], numbers[3], (uint8_t)numbers[4]};
    cairn_status status = numbers[4] > UINT8_MAX ? CAIRN_INVALID : cairn_grid_add_link(grid, &link);
    if (status == CAIRN_OUT_OF_MEMORY)
        return crn_fail(error, status, 0, "no memory for the grid's links");
    if (status)
        return crn_fail(error, CAIRN_BAD_DATA, 0, "link %u from %u to %u of kind %u makes no sense",
                        i + 1, link.from, link.to, numbers[4]);
    return CAIRN_OK;
}

static cairn_status world_take_links(const cairn_archive *archive, cairn_grid *grid,
                                     cairn_error *error)
{
    const crn_section *section;
    cairn_status status = crn_archive_take(archive, "grid.links", 4, &section, error);
    if (status || !section) return status;
    size_t each = WORLD_LINK_NUMBERS * sizeof(uint32_t), count = section->size / each;
    if (section->size % each || count > UINT32_MAX)
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the grid's links are not five numbers each");
    for (size_t i = 0; i < count && !status; i++) {
        uint32_t numbers[WORLD_LINK_NUMBERS];
        memcpy(numbers, section->data + i * each, each);
        status = world_stage_link(grid, numbers, (uint32_t)i, error);
    }
    if (status) return status;
    if (cairn_grid_commit(grid))
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the grid's links");
    crn_grid_forget_commits(grid); /* the links were there from the beginning */
    grid->version = 1;
    return CAIRN_OK;
}

cairn_status cairn_archive_grid(const cairn_archive *archive, cairn_grid **out, cairn_error *error)
{
    if (!archive || !out)
        return crn_fail(error, CAIRN_INVALID, 0, "no archive or no place for the result");
    *out = NULL;
    if (!cairn_archive_has(archive, "grid"))
        return crn_fail(error, CAIRN_BAD_DATA, 0, "there is no grid in this .cairn file");
    cairn_grid_options options = {0};
    cairn_status status = world_take_measures(archive, &options, error);
    if (!status) status = world_take_planes(archive, &options, error);
    /* Before memory is asked for: the file must be as large as it claims. */
    const crn_section *bits = NULL;
    uint64_t packed = (uint64_t)crn_grid_row_bytes(options.width) * options.height;
    if (!status)
        status =
            crn_archive_need(archive, "grid.open", (crn_section_shape){1, packed}, &bits, error);
    if (status) return status;

    size_t cells = crn_mul_size(options.width, options.height);
    uint8_t *open = crn_alloc(archive->context, cells);
    if (!open) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a grid");
    options.open = open;
    status = world_unpack(bits->data, &options, open, error);
    if (!status) status = cairn_grid_create(archive->context, &options, out, error);
    crn_free(archive->context, open, cells);
    if (!status) status = world_take_links(archive, *out, error);
    if (status) {
        cairn_grid_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* ---- graphs ---- */

/* All edges, those that cannot be used included, and which of them are closed and which nodes
 * disabled. */
static cairn_status world_store_stock(cairn_store *store, const cairn_graph *graph)
{
    const crn_graph_stock *stock = &graph->stock;
    size_t nodes = (size_t)graph->node_count + 1;
    size_t count = stock->edge_count, edge_bytes = count * sizeof(cairn_edge);
    cairn_edge *edges = crn_alloc(graph->context, edge_bytes + 1);
    uint8_t *closed = crn_alloc(graph->context, count + 1);
    cairn_status status = edges && closed ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    for (size_t i = 0; !status && i < count; i++) {
        edges[i] = stock->edges[i].edge;
        closed[i] = stock->edges[i].closed;
    }
    if (!status)
        status = cairn_store_add(store, "graph.offsets",
                                 (cairn_bytes){stock->offsets, nodes * sizeof *stock->offsets}, 4,
                                 false);
    if (!status)
        status = cairn_store_add(store, "graph.edges", (cairn_bytes){edges, edge_bytes}, 4, false);
    if (!status)
        status = cairn_store_add(store, "graph.closed", (cairn_bytes){closed, count}, 1, false);
    if (!status)
        status = cairn_store_add(store, "graph.disabled",
                                 (cairn_bytes){graph->disabled, graph->node_count}, 1, false);
    crn_free(graph->context, closed, count + 1);
    crn_free(graph->context, edges, edge_bytes + 1);
    return status;
}

static cairn_status world_store_edges(cairn_store *store, const cairn_graph *graph)
{
    size_t nodes = (size_t)graph->node_count + 1;
    if (graph->stock.offsets) return world_store_stock(store, graph);
    cairn_status status =
        cairn_store_add(store, "graph.offsets",
                        (cairn_bytes){graph->offsets, nodes * sizeof *graph->offsets}, 4, false);
    if (status) return status;
    return cairn_store_add(store, "graph.edges",
                           (cairn_bytes){graph->edges, graph->edge_count * sizeof *graph->edges}, 4,
                           false);
}

/* One coordinate after the other, as many of each position as `each` says: x and y, or z alone. */
static cairn_status world_add_coordinates(cairn_store *store, const cairn_graph *graph,
                                          const char *name, uint32_t each)
{
    size_t size = crn_mul_size(graph->node_count, each * sizeof(double));
    double *numbers = crn_alloc(store->context, size), *to = numbers;
    if (!numbers) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t n = 0; n < graph->node_count; n++, to += each) {
        to[0] = each == 1 ? graph->positions[n].z : graph->positions[n].x;
        if (each == 2) to[1] = graph->positions[n].y;
    }
    cairn_status status = cairn_store_add(store, name, (cairn_bytes){numbers, size}, 8, false);
    crn_free(store->context, numbers, size);
    return status;
}

cairn_status cairn_store_graph(cairn_store *store, const cairn_graph *graph)
{
    if (!store || !graph) return CAIRN_INVALID;
    const uint64_t words[WORLD_GRAPH_WORDS] = {crn_double_bits(graph->unit),
                                               graph->integer_weights};
    size_t before = store->count;
    cairn_status status =
        cairn_store_add(store, "graph", (cairn_bytes){words, sizeof words}, 8, false);
    if (!status) status = world_store_edges(store, graph);
    if (!status && graph->positions)
        status = world_add_coordinates(store, graph, "graph.points", 2);
    if (!status && graph->tall) status = world_add_coordinates(store, graph, "graph.heights", 1);
    if (status)
        crn_store_cut(store, before);
    else if (graph->tall || graph->stock.offsets)
        store->version = 2; /* who does not know these must not read the rest without them */
    return status;
}

/* ---- spaces ---- */

cairn_status crn_grid_save(const cairn_space *space, cairn_store *store)
{
    cairn_status status = cairn_store_grid(store, cairn_space_grid(space));
    return status ? status : cairn_store_profile(store, cairn_space_profile(space));
}

cairn_status crn_graph_save(const cairn_space *space, cairn_store *store)
{
    return cairn_store_graph(store, cairn_space_graph(space));
}

cairn_status cairn_store_space(cairn_store *store, const cairn_space *space)
{
    if (!store || !space) return CAIRN_INVALID;
    size_t before = store->count;
    cairn_status status =
        space->functions->save ? space->functions->save(space, store) : CAIRN_UNSUPPORTED;
    if (status) crn_store_cut(store, before);
    return status;
}

/* ---- and graphs back ---- */

typedef struct world_graph {
    double unit;
    bool integer_weights;
    uint32_t node_count, edge_count;
    const uint32_t *offsets;
    const cairn_edge *edges;
    const double *points;             /* x and y of each node; NULL = no positions */
    const double *heights;            /* z of each; NULL = all are 0 */
    const uint8_t *closed, *disabled; /* by edge and by node; NULL = none */
} world_graph;

static cairn_status world_take_graph_measures(const cairn_archive *archive, world_graph *graph,
                                              cairn_error *error)
{
    const crn_section *section;
    uint64_t words[WORLD_GRAPH_WORDS];
    cairn_status status =
        crn_archive_need(archive, "graph", (crn_section_shape){8, sizeof words}, &section, error);
    if (status) return status;
    memcpy(words, section->data, sizeof words);
    graph->unit = crn_bits_double(words[0]);
    graph->integer_weights = words[1] != 0;
    if (words[1] > 1 || !world_finite(graph->unit) || !(graph->unit > 0) ||
        (words[1] && graph->unit != 1))
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the graph's unit makes no sense");
    return CAIRN_OK;
}

static cairn_status world_take_graph_arrays(const cairn_archive *archive, world_graph *graph,
                                            cairn_error *error)
{
    const crn_section *offsets, *edges, *points = NULL, *heights = NULL;
    cairn_status status = crn_archive_take(archive, "graph.offsets", 4, &offsets, error);
    if (!status) status = crn_archive_take(archive, "graph.edges", 4, &edges, error);
    if (!status) status = crn_archive_take(archive, "graph.points", 8, &points, error);
    if (!status) status = crn_archive_take(archive, "graph.heights", 8, &heights, error);
    if (status) return status;
    if (!offsets || !edges || offsets->size < 8 || offsets->size / 4 > INT32_MAX ||
        edges->size % sizeof(cairn_edge) || edges->size / sizeof(cairn_edge) > UINT32_MAX)
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the graph's nodes and edges are missing or not whole");
    graph->node_count = (uint32_t)(offsets->size / 4 - 1);
    graph->edge_count = (uint32_t)(edges->size / sizeof(cairn_edge));
    uint64_t column = (uint64_t)graph->node_count * sizeof(double);
    if ((points && points->size != 2 * column) || (heights && (!points || heights->size != column)))
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the graph has %u nodes, but not as many positions", graph->node_count);
    graph->offsets = (const uint32_t *)(const void *)offsets->data;
    graph->edges = (const cairn_edge *)(const void *)edges->data;
    graph->points = points ? (const double *)(const void *)points->data : NULL;
    graph->heights = heights ? (const double *)(const void *)heights->data : NULL;
    return CAIRN_OK;
}

/* What cannot be used at present; both sections may be missing. */
static cairn_status world_take_graph_states(const cairn_archive *archive, world_graph *graph,
                                            cairn_error *error)
{
    const crn_section *closed = NULL, *disabled = NULL;
    cairn_status status = crn_archive_take(archive, "graph.closed", 1, &closed, error);
    if (!status) status = crn_archive_take(archive, "graph.disabled", 1, &disabled, error);
    if (status) return status;
    if ((closed && closed->size != graph->edge_count) ||
        (disabled && disabled->size != graph->node_count))
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the graph does not say of each edge and node whether it can be used");
    graph->closed = closed ? closed->data : NULL;
    graph->disabled = disabled ? disabled->data : NULL;
    return CAIRN_OK;
}

/* The edges as a list; the offsets must ascend from 0 to their number. */
static cairn_status world_list_edges(const world_graph *graph, cairn_graph_edge *out,
                                     cairn_error *error)
{
    bool ascending =
        graph->offsets[0] == 0 && graph->offsets[graph->node_count] == graph->edge_count;
    for (uint32_t n = 0; n < graph->node_count && ascending; n++) {
        uint32_t begin = graph->offsets[n], end = graph->offsets[n + 1];
        ascending = begin <= end && end <= graph->edge_count;
        for (uint32_t i = begin; i < end && ascending; i++)
            out[i] = (cairn_graph_edge){n, graph->edges[i].node, graph->edges[i].cost};
    }
    if (ascending) return CAIRN_OK;
    return crn_fail(error, CAIRN_BAD_DATA, 0,
                    "the places of the graph's edges do not ascend to their number");
}

static void world_list_positions(const world_graph *graph, cairn_position *out)
{
    for (uint32_t n = 0; out && n < graph->node_count; n++) {
        const double *point = graph->points + (size_t)n * 2;
        out[n] = (cairn_position){point[0], point[1], graph->heights ? graph->heights[n] : 0};
    }
}

static cairn_status world_make_graph(cairn_context *context, const world_graph *from,
                                     cairn_graph **out, cairn_error *error)
{
    size_t size = crn_mul_size((size_t)from->edge_count + 1, sizeof(cairn_graph_edge));
    size_t room = crn_mul_size(from->node_count, sizeof(cairn_position));
    cairn_graph_edge *edges = crn_alloc(context, size);
    cairn_position *positions = from->points ? crn_alloc(context, room) : NULL;
    cairn_graph_options options = {.node_count = from->node_count,
                                   .edge_count = from->edge_count,
                                   .edges = edges,
                                   .positions = positions};
    cairn_status status = CAIRN_OUT_OF_MEMORY;
    if (edges && (positions || !from->points)) {
        world_list_positions(from, positions);
        status = world_list_edges(from, edges, error);
        if (!status) status = cairn_graph_create(context, &options, out, error);
    } else {
        crn_fail(error, status, 0, "no memory for a graph");
    }
    crn_free(context, edges, size);
    crn_free(context, positions, room);
    if (status) return status;
    /* weights that were doubles once are stored as what became of them */
    (*out)->unit = from->unit;
    (*out)->integer_weights = from->integer_weights;
    if (!from->closed && !from->disabled) return CAIRN_OK;
    if (crn_graph_hide(*out, from->closed, from->disabled) == CAIRN_OK) return CAIRN_OK;
    cairn_graph_destroy(*out);
    *out = NULL;
    return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a graph");
}

cairn_status cairn_archive_graph(const cairn_archive *archive, cairn_graph **out,
                                 cairn_error *error)
{
    if (!archive || !out)
        return crn_fail(error, CAIRN_INVALID, 0, "no archive or no place for the result");
    *out = NULL;
    if (!cairn_archive_has(archive, "graph"))
        return crn_fail(error, CAIRN_BAD_DATA, 0, "there is no graph in this .cairn file");
    world_graph graph = {0};
    cairn_status status = world_take_graph_measures(archive, &graph, error);
    if (!status) status = world_take_graph_arrays(archive, &graph, error);
    if (!status) status = world_take_graph_states(archive, &graph, error);
    return status ? status : world_make_graph(archive->context, &graph, out, error);
}
