/* fuzz_dimacs.c: any bytes as a DIMACS graph, and behind the first '%' as its coordinates.
 *
 * What is refused must say where and why; what is accepted must be a graph that can be used: valid,
 * with every node at a place that leads back to it or to a node with a lower number there, and
 * with estimates that no edge undercuts.
 */
#include <cairn/io.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

static void use_graph(cairn_graph *graph)
{
    cairn_space *space = NULL;
    require(cairn_space_of_graph(graph, &space, NULL) == CAIRN_OK);
    require(cairn_space_validate(space, NULL, NULL) == 0);
    uint32_t count = cairn_graph_node_count(graph);
    for (cairn_node node = 0; node < count && node < 1000; node++) {
        if (cairn_graph_has_positions(graph)) {
            cairn_position at = cairn_graph_position(graph, node);
            cairn_node nearest = cairn_graph_node_at(graph, at);
            cairn_position there = cairn_graph_position(graph, nearest);
            require(nearest <= node && there.x == at.x && there.y == at.y);
        }
        for (uint32_t i = 0; i < cairn_graph_degree(graph, node); i++) {
            cairn_graph_edge edge = cairn_graph_edge_at(graph, node, i);
            for (int h = 0; h < CAIRN_HEURISTIC_COUNT; h++) {
                require(cairn_estimate(space, (cairn_heuristic)h, node, edge.to) <= edge.weight);
            }
        }
    }
    cairn_space_destroy(space);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context_options options = cairn_context_defaults();
    options.byte_limit = (size_t)64 << 20;
    cairn_context *context = NULL;
    require(cairn_context_create(&options, &context) == CAIRN_OK);
    size_t empty = cairn_context_memory(context).bytes;

    const uint8_t *split = size ? memchr(data, '%', size) : NULL;
    size_t gr_size = split ? (size_t)(split - data) : size;
    const char *co = split ? (const char *)split + 1 : NULL;
    cairn_graph *graph = NULL;
    cairn_error error = {0};
    cairn_status status =
        cairn_dimacs_parse(context, (cairn_bytes){(const char *)data, gr_size},
                           (cairn_bytes){co, split ? size - gr_size - 1 : 0}, &graph, &error);
    if (status == CAIRN_OK) {
        use_graph(graph);
    } else {
        require(!graph && error.status == status && error.text[0]);
        require(memchr(error.text, 0, sizeof error.text) != NULL);
    }
    cairn_graph_destroy(graph);
    require(cairn_context_memory(context).bytes == empty);
    cairn_context_destroy(context);
    return 0;
}
