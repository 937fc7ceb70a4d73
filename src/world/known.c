/* known.c: what is known of a world before anybody has seen it.
 *
 * A partly known world is two worlds: the truth, and what is known of it. Planners work on the
 * second, which a sensor (continuous/sensor.c) corrects where it sees the first. Here the second is
 * made: some of the truth, and for the rest an assumption. */
#include "world/graph.h"

/* ---- grids ---- */

/* Copies a plane that exists; false = no memory. */
static bool known_plane(cairn_grid *known, const void *from, size_t size, void **to)
{
    if (!from) return true;
    *to = crn_alloc(known->context, size);
    if (*to) memcpy(*to, from, size);
    return *to != NULL;
}

static bool known_links(cairn_grid *known, const cairn_grid *truth)
{
    if (!truth->link_count) return true;
    known->links = crn_alloc(known->context, truth->link_count * sizeof *known->links);
    if (!known->links) return false;
    memcpy(known->links, truth->links, truth->link_count * sizeof *known->links);
    known->link_count = known->link_capacity = truth->link_count;
    return true;
}

/* All cells of one class. */
static bool known_ground(cairn_grid *known, uint8_t terrain)
{
    size_t cells = (size_t)known->width * known->height;
    if (!terrain) return true;
    known->terrain = crn_alloc(known->context, cells);
    if (!known->terrain) return false;
    memset(known->terrain, terrain, cells);
    known->class_count[terrain] = known->class_count[0];
    known->class_count[0] = 0;
    return true;
}

static bool known_terrain(cairn_grid *known, const cairn_grid *truth)
{
    void *plane = NULL;
    bool ok = known_plane(known, truth->terrain, (size_t)known->width * known->height, &plane);
    known->terrain = plane;
    if (ok) memcpy(known->class_count, truth->class_count, sizeof known->class_count);
    return ok;
}

static bool known_fill(cairn_grid *known, const cairn_grid *truth, uint32_t what, uint8_t terrain)
{
    void *layer = NULL, *elevation = NULL;
    size_t cells = (size_t)known->width * known->height;
    bool ok =
        what & CAIRN_KNOW_TERRAIN ? known_terrain(known, truth) : known_ground(known, terrain);
    if (ok && what & CAIRN_KNOW_LAYER) ok = known_plane(known, truth->layer, cells, &layer);
    known->layer = layer;
    if (ok && what & CAIRN_KNOW_ELEVATION)
        ok = known_plane(known, truth->elevation, cells * sizeof *known->elevation, &elevation);
    known->elevation = elevation;
    if (ok && what & CAIRN_KNOW_OPEN) memcpy(known->open.rows, truth->open.rows, truth->open.size);
    return ok && (!(what & CAIRN_KNOW_LINKS) || known_links(known, truth));
}

static cairn_status known_grid(cairn_context *context, const cairn_grid *truth, uint32_t what,
                               uint8_t terrain, cairn_grid **out, cairn_error *error)
{
    cairn_grid_options options = {.width = truth->width,
                                  .height = truth->height,
                                  .origin = truth->origin,
                                  .cell_size = truth->cell_size,
                                  .layout = truth->layout};
    cairn_grid *known;
    cairn_status status = cairn_grid_create(context, &options, &known, error);
    if (status != CAIRN_OK) return status;
    if (!known_fill(known, truth, what, terrain)) {
        cairn_grid_destroy(known);
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for what is known");
    }
    *out = known;
    return CAIRN_OK;
}

cairn_status cairn_grid_known(const cairn_grid *truth, uint32_t what, uint8_t terrain,
                              cairn_grid **out, cairn_error *error)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!truth || what & ~(uint32_t)CAIRN_KNOW_ALL)
        return crn_fail(error, CAIRN_INVALID, 0, "no grid, or nothing that can be known of one");
    return known_grid(truth->context, truth, what, terrain, out, error);
}

cairn_status crn_grid_copy(cairn_context *context, const cairn_grid *grid, cairn_grid **out)
{
    return known_grid(context, grid, CAIRN_KNOW_ALL, 0, out, NULL);
}

/* ---- graphs ---- */

/* All edges, open or closed, as a list; `closed` (a byte each) and the list are the caller's. */
static void known_list(const cairn_graph *truth, cairn_graph_edge *edges, uint8_t *closed)
{
    const crn_graph_stock *stock = &truth->stock;
    const uint32_t *offsets = stock->offsets ? stock->offsets : truth->offsets;
    for (cairn_node node = 0; node < truth->node_count; node++) {
        for (uint32_t i = offsets[node]; i < offsets[node + 1]; i++) {
            cairn_edge edge = stock->offsets ? stock->edges[i].edge : truth->edges[i];
            edges[i] = (cairn_graph_edge){node, edge.node, edge.cost};
            closed[i] = stock->offsets && stock->edges[i].closed;
        }
    }
}

static uint32_t known_edges(const cairn_graph *truth)
{
    return truth->stock.offsets ? truth->stock.edge_count : truth->edge_count;
}

static cairn_status known_graph(cairn_context *context, const cairn_graph *truth, uint32_t what,
                                cairn_graph_edge *edges, cairn_graph **out)
{
    uint8_t *closed = (uint8_t *)(edges + known_edges(truth)); /* behind them */
    known_list(truth, edges, closed);
    cairn_graph_options options = {.node_count = truth->node_count,
                                   .edge_count = known_edges(truth),
                                   .positions = truth->positions,
                                   .edges = edges};
    cairn_status status = cairn_graph_create(context, &options, out, NULL);
    if (status != CAIRN_OK) return status;
    (*out)->unit = truth->unit;
    (*out)->integer_weights = truth->integer_weights;
    if (what & CAIRN_KNOW_OPEN && truth->stock.offsets)
        status = crn_graph_hide(*out, closed, truth->disabled);
    if (status == CAIRN_OK) return CAIRN_OK;
    cairn_graph_destroy(*out);
    *out = NULL;
    return status;
}

/* With memory for the list of edges, from the context of the copy. */
static cairn_status known_make(cairn_context *context, const cairn_graph *truth, uint32_t what,
                               cairn_graph **out)
{
    size_t size = crn_mul_size((size_t)known_edges(truth) + 1, sizeof(cairn_graph_edge) + 1);
    cairn_graph_edge *edges = crn_alloc(context, size);
    if (!edges) return CAIRN_OUT_OF_MEMORY;
    cairn_status status = known_graph(context, truth, what, edges, out);
    crn_free(context, edges, size);
    return status;
}

cairn_status crn_graph_copy(cairn_context *context, const cairn_graph *graph, cairn_graph **out)
{
    cairn_status status = known_make(context, graph, CAIRN_KNOW_ALL, out);
    if (status == CAIRN_OK) (*out)->symmetric = graph->symmetric;
    return status;
}

cairn_status cairn_graph_known(const cairn_graph *truth, uint32_t what, cairn_graph **out,
                               cairn_error *error)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!truth || what & ~(uint32_t)CAIRN_KNOW_ALL)
        return crn_fail(error, CAIRN_INVALID, 0, "no graph, or nothing that can be known of one");
    cairn_status status = known_make(truth->context, truth, what, out);
    if (status == CAIRN_OK) return CAIRN_OK;
    return crn_fail(error, status, 0, "no memory for what is known");
}
