/* dimacs.c: road networks and other graphs in the format of the Ninth DIMACS Implementation
 * Challenge on shortest paths (2006).
 *
 *     c a comment                 (any line that starts with c; empty lines too)
 *     p sp NODES ARCS             (.gr: once, before the first arc)
 *     a FROM TO WEIGHT            (.gr: ARCS times; nodes count from 1)
 *     p aux sp co NODES           (.co: once, before the first v)
 *     v NODE X Y                  (.co: once for every node; whole numbers)
 *
 * The parser is strict, because a graph that was cut off in the middle looks like a smaller graph:
 * counts must be true, every node must have its coordinates, nothing may follow on a line. Before
 * memory is allocated, counts are compared with the size of the text, so that a short file cannot
 * ask for much.
 */
#include "io/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* "a 1 2 3" with its line end, and "v 1 2 3": no arc and no coordinates are shorter. */
#define DIMACS_SHORTEST_LINE 8u
#define DIMACS_MAX_NODES 0x7fffffffu
/* Nodes without any arc that a file may have, beyond two nodes for every arc. */
#define DIMACS_LONELY_NODES (1u << 20)
/* Coordinates beyond this are not exact in a double. */
#define DIMACS_MAX_COORDINATE (UINT64_C(1) << 53)

/* ---- reading lines and fields ---- */

typedef struct dimacs_text {
    crn_io_lines lines;
    size_t size;
    const char *at, *end; /* what is left of the line */
    const char *what;     /* put before error texts: which of the two texts */
    cairn_error *error;
} dimacs_text;

/* The beginning of a piece of text that may hold anything, fit for an error text. */
typedef struct dimacs_quote {
    char text[44];
} dimacs_quote;

static dimacs_quote dimacs_quoted(const char *text, size_t length)
{
    dimacs_quote quote = {{0}};
    size_t most = sizeof quote.text - 4;
    for (size_t i = 0; i < length && i < most; i++) {
        quote.text[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
    }
    if (length > most) memcpy(quote.text + most, "...", 4);
    return quote;
}

/* The next line that is neither empty nor a comment; false at the end of the text. */
static bool dimacs_next_line(dimacs_text *text)
{
    while (crn_io_next_line(&text->lines)) {
        crn_io_field field;
        text->at = text->lines.line;
        text->end = text->at + text->lines.length;
        if (!crn_io_next_field(&text->at, text->end, &field)) continue;
        text->at = field.text;
        if (*field.text != 'c') return true;
    }
    return false;
}

static bool dimacs_word(dimacs_text *text, const char *word)
{
    crn_io_field field;
    return crn_io_next_field(&text->at, text->end, &field) && crn_io_field_is(field, word);
}

/* A whole number of at most 18 digits, which fits 64 bits with room to spare. */
static bool dimacs_digits(const char *c, size_t length, uint64_t *value)
{
    *value = 0;
    if (length < 1 || length > 18) return false;
    for (size_t i = 0; i < length; i++) {
        if (c[i] < '0' || c[i] > '9') return false;
        *value = *value * 10 + (uint64_t)(c[i] - '0');
    }
    return true;
}

static cairn_status dimacs_number(dimacs_text *text, const char *name, uint32_t least,
                                  uint32_t most, uint32_t *value)
{
    crn_io_field field;
    uint64_t number;
    crn_io_next_field(&text->at, text->end, &field);
    if (!dimacs_digits(field.text, field.length, &number)) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%sthe %s must be a whole number, not \"%s\"", text->what, name,
                           dimacs_quoted(field.text, field.length).text);
    }
    if (number < least || number > most) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%sthe %s must be %u to %u, not %llu", text->what, name, least, most,
                           (unsigned long long)number);
    }
    *value = (uint32_t)number;
    return CAIRN_OK;
}

static cairn_status dimacs_coordinate(dimacs_text *text, const char *name, double *value)
{
    crn_io_field field;
    uint64_t number;
    bool negative = crn_io_next_field(&text->at, text->end, &field) && *field.text == '-';
    if (!dimacs_digits(field.text + negative, field.length - negative, &number) ||
        number > DIMACS_MAX_COORDINATE) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%s%s must be a whole number of at most 2^53, not \"%s\"", text->what,
                           name, dimacs_quoted(field.text, field.length).text);
    }
    *value = negative ? -(double)number : (double)number;
    return CAIRN_OK;
}

static cairn_status dimacs_line_ends(dimacs_text *text)
{
    crn_io_field field;
    if (!crn_io_next_field(&text->at, text->end, &field)) return CAIRN_OK;
    return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                       "%s\"%s\" is too much on this line", text->what,
                       dimacs_quoted(field.text, field.length).text);
}

/* The line begins with something that does not belong there. */
static cairn_status dimacs_unexpected(dimacs_text *text, const char *wanted)
{
    return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                       "%sexpected \"%s\", not \"%s\"", text->what, wanted,
                       dimacs_quoted(text->lines.line, text->lines.length).text);
}

/* ---- the graph ---- */

typedef struct dimacs_graph {
    cairn_context *context;
    uint32_t nodes, arcs;
    cairn_graph_edge *edges;
    cairn_position *positions;
    uint8_t *placed; /* 1 for nodes that have their coordinates */
} dimacs_graph;

static cairn_status dimacs_arc_header(dimacs_text *text, dimacs_graph *graph)
{
    if (!dimacs_word(text, "p") || !dimacs_word(text, "sp")) {
        return dimacs_unexpected(text, "p sp NODES ARCS");
    }
    cairn_status status =
        dimacs_number(text, "number of nodes", 1, DIMACS_MAX_NODES, &graph->nodes);
    if (!status) status = dimacs_number(text, "number of arcs", 0, UINT32_MAX, &graph->arcs);
    if (!status) status = dimacs_line_ends(text);
    if (status) return status;
    if (graph->arcs > (text->size + 1) / DIMACS_SHORTEST_LINE) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%sthe text is too short for %u arcs", text->what, graph->arcs);
    }
    if (graph->nodes > 2 * (uint64_t)graph->arcs + DIMACS_LONELY_NODES) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%s%u nodes are too many for %u arcs", text->what, graph->nodes,
                           graph->arcs);
    }
    return CAIRN_OK;
}

static cairn_status dimacs_arc(dimacs_text *text, const dimacs_graph *graph, cairn_graph_edge *edge)
{
    if (!dimacs_word(text, "a")) return dimacs_unexpected(text, "a FROM TO WEIGHT");
    cairn_status status = dimacs_number(text, "first node", 1, graph->nodes, &edge->from);
    if (!status) status = dimacs_number(text, "second node", 1, graph->nodes, &edge->to);
    if (!status) status = dimacs_number(text, "weight", 0, CAIRN_COST_MAX, &edge->weight);
    if (!status) status = dimacs_line_ends(text);
    if (status) return status;
    if (edge->weight == 0) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%sweights must be at least 1", text->what);
    }
    if (edge->from == edge->to) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%sthe arc leads from node %u to itself", text->what, edge->from);
    }
    edge->from--;
    edge->to--;
    return CAIRN_OK;
}

static cairn_status dimacs_arcs(dimacs_text *text, dimacs_graph *graph)
{
    if (!dimacs_next_line(text)) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%sthere is no line \"p sp NODES ARCS\"", text->what);
    }
    cairn_status status = dimacs_arc_header(text, graph);
    if (status) return status;
    size_t bytes = crn_io_multiply(graph->arcs, sizeof *graph->edges);
    if (bytes) graph->edges = crn_io_resize(graph->context, NULL, 0, bytes);
    if (bytes && !graph->edges) {
        return crn_io_fail(text->error, CAIRN_OUT_OF_MEMORY, 0, "not enough memory for %u arcs",
                           graph->arcs);
    }
    uint32_t count = 0;
    while (dimacs_next_line(text)) {
        if (count == graph->arcs) {
            return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                               "%sthere is more than the %u arcs promised", text->what,
                               graph->arcs);
        }
        status = dimacs_arc(text, graph, &graph->edges[count++]);
        if (status) return status;
    }
    if (count < graph->arcs) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%sthe text ends after %u of %u arcs", text->what, count, graph->arcs);
    }
    return CAIRN_OK;
}

/* ---- the coordinates ---- */

static cairn_status dimacs_place_header(dimacs_text *text, const dimacs_graph *graph)
{
    uint32_t nodes;
    if (!dimacs_word(text, "p") || !dimacs_word(text, "aux") || !dimacs_word(text, "sp") ||
        !dimacs_word(text, "co")) {
        return dimacs_unexpected(text, "p aux sp co NODES");
    }
    cairn_status status = dimacs_number(text, "number of nodes", 1, DIMACS_MAX_NODES, &nodes);
    if (!status) status = dimacs_line_ends(text);
    if (status) return status;
    if (nodes != graph->nodes) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%s%u nodes here, but %u in the graph", text->what, nodes, graph->nodes);
    }
    return CAIRN_OK;
}

static cairn_status dimacs_place(dimacs_text *text, dimacs_graph *graph)
{
    if (!dimacs_word(text, "v")) return dimacs_unexpected(text, "v NODE X Y");
    uint32_t node;
    cairn_position position = {0};
    cairn_status status = dimacs_number(text, "node", 1, graph->nodes, &node);
    if (!status) status = dimacs_coordinate(text, "x", &position.x);
    if (!status) status = dimacs_coordinate(text, "y", &position.y);
    if (!status) status = dimacs_line_ends(text);
    if (status) return status;
    if (graph->placed[node - 1]) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%snode %u has coordinates already", text->what, node);
    }
    graph->placed[node - 1] = 1;
    graph->positions[node - 1] = position;
    return CAIRN_OK;
}

static cairn_status dimacs_places(dimacs_text *text, dimacs_graph *graph)
{
    if (!dimacs_next_line(text)) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%sthere is no line \"p aux sp co NODES\"", text->what);
    }
    cairn_status status = dimacs_place_header(text, graph);
    if (status) return status;
    if (graph->nodes > (text->size + 1) / DIMACS_SHORTEST_LINE) {
        return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                           "%sthe text is too short for %u nodes", text->what, graph->nodes);
    }
    size_t bytes = crn_io_multiply(graph->nodes, sizeof *graph->positions);
    graph->positions = crn_io_resize(graph->context, NULL, 0, bytes);
    graph->placed = crn_io_resize(graph->context, NULL, 0, graph->nodes);
    if (!graph->positions || !graph->placed) {
        return crn_io_fail(text->error, CAIRN_OUT_OF_MEMORY, 0,
                           "not enough memory for %u positions", graph->nodes);
    }
    memset(graph->placed, 0, graph->nodes);
    while (dimacs_next_line(text)) {
        status = dimacs_place(text, graph);
        if (status) return status;
    }
    for (uint32_t node = 0; node < graph->nodes; node++) {
        if (!graph->placed[node]) {
            return crn_io_fail(text->error, CAIRN_BAD_DATA, text->lines.number,
                               "%snode %u has no coordinates", text->what, node + 1);
        }
    }
    return CAIRN_OK;
}

/* ---- the public functions ---- */

static dimacs_text dimacs_begin(const char *data, size_t size, const char *what, cairn_error *error)
{
    return (dimacs_text){crn_io_lines_of(data, size), size, NULL, NULL, what, error};
}

static void dimacs_free(dimacs_graph *graph)
{
    cairn_context *context = graph->context;
    if (graph->edges) crn_io_resize(context, graph->edges, graph->arcs * sizeof *graph->edges, 0);
    if (graph->positions)
        crn_io_resize(context, graph->positions, graph->nodes * sizeof *graph->positions, 0);
    if (graph->placed) crn_io_resize(context, graph->placed, graph->nodes, 0);
}

cairn_status cairn_dimacs_parse(cairn_context *context, cairn_bytes gr, cairn_bytes co,
                                cairn_graph **out, cairn_error *error)
{
    if (out) *out = NULL;
    if (!context || !gr.data || !out) {
        return crn_io_fail(error, CAIRN_INVALID, 0,
                           "parsing needs a context, a text and a place for the result");
    }
    dimacs_graph graph = {.context = context};
    gr = crn_io_skip_mark(gr);
    co = crn_io_skip_mark(co);
    dimacs_text arcs = dimacs_begin(gr.data, gr.size, "", error);
    dimacs_text places = dimacs_begin(co.data, co.size, "coordinates: ", error);
    cairn_status status = crn_io_check_text(gr.data, gr.size, arcs.what, error);
    if (!status && co.data) status = crn_io_check_text(co.data, co.size, places.what, error);
    if (!status) status = dimacs_arcs(&arcs, &graph);
    if (!status && co.data) status = dimacs_places(&places, &graph);
    if (!status) {
        cairn_graph_options options = {0};
        options.node_count = graph.nodes;
        options.edge_count = graph.arcs;
        options.edges = graph.edges;
        options.positions = graph.positions;
        status = cairn_graph_create(context, &options, out, error);
    }
    dimacs_free(&graph);
    return status;
}

/* The name of the file of coordinates for a graph: ".co" in place of ".gr", or after any other
 * name. Four bytes longer than the name at most. */
static void dimacs_coordinates_name(const char *name, char *other)
{
    size_t length = strlen(name);
    memcpy(other, name, length);
    if (length >= 3 && strcmp(name + length - 3, ".gr") == 0) length -= 3;
    memcpy(other + length, ".co", 4);
}

/* False only if there is certainly no such file: the reader reports one that cannot be read. */
static bool dimacs_file_exists(const char *name)
{
    if (crn_io_need_regular(name, NULL)) return true; /* opening a pipe might block */
    errno = 0;
    FILE *file = fopen(name, "rb");
    if (!file) return errno != ENOENT;
    (void)fclose(file);
    return true;
}

static cairn_status dimacs_load(cairn_context *context, const char *name, const char *co_name,
                                cairn_graph **out, cairn_error *error)
{
    cairn_file gr = {0}, co = {0};
    cairn_status status = cairn_file_read(context, name, 0, &gr, error);
    if (!status && dimacs_file_exists(co_name)) {
        status = crn_io_read_regular(context, co_name, 0, &co, error);
        if (status && error) {
            char text[sizeof error->text];
            memcpy(text, error->text, sizeof text);
            crn_io_fail(error, status, 0, "coordinates: %.200s", text);
        }
    }
    if (!status)
        status = cairn_dimacs_parse(context, (cairn_bytes){gr.data, gr.size},
                                    (cairn_bytes){co.data, co.size}, out, error);
    cairn_file_free(context, &co);
    cairn_file_free(context, &gr);
    return status;
}

cairn_status cairn_graph_load(cairn_context *context, const char *name, cairn_graph **out,
                              cairn_error *error)
{
    if (out) *out = NULL;
    if (!context || !name || !out) {
        return crn_io_fail(error, CAIRN_INVALID, 0,
                           "loading needs a context, a name and a place for the result");
    }
    size_t size = strlen(name) + 4;
    char *co_name = crn_io_resize(context, NULL, 0, size);
    if (!co_name) return crn_io_no_memory(error);
    dimacs_coordinates_name(name, co_name);
    cairn_status status = dimacs_load(context, name, co_name, out, error);
    crn_io_resize(context, co_name, size, 0);
    return status;
}
