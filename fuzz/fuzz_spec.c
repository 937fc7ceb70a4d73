/* fuzz_spec.c: any text as a planner's specification, "name:key=value,key=value", on a grid, on
 * hexagons and on a graph. What is refused must say why; what is accepted has parameters within
 * their bounds, and finds a path.
 */
#include <cairn/cairn.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 300, SPACES = 3 };

static void require(bool condition)
{
    if (!condition) abort();
}

typedef struct spaces {
    cairn_context *context;
    cairn_space *space[SPACES];
} spaces;

static void make_spaces(spaces *s)
{
    static const char map[] = "......\n.##.#.\n......\n.#.##.\n......\n";
    static const cairn_graph_edge edges[] = {{0, 1, 4}, {1, 2, 4}, {2, 0, 9}, {2, 3, 1}};
    cairn_grid *grid = NULL, *hexagons = NULL;
    cairn_graph *graph = NULL;
    cairn_graph_options options = {.node_count = 4, .edge_count = 4, .edges = edges};
    require(!cairn_context_create(NULL, &s->context));
    require(!cairn_grid_from_text(s->context, map, sizeof map - 1, &grid, NULL));
    require(!cairn_grid_from_text(s->context, map, sizeof map - 1, &hexagons, NULL));
    require(!cairn_grid_set_layout(hexagons, CAIRN_LAYOUT_HEX));
    require(!cairn_graph_create(s->context, &options, &graph, NULL));
    require(!cairn_space_of_grid(grid, NULL, &s->space[0], NULL));
    require(!cairn_space_of_grid(hexagons, NULL, &s->space[1], NULL));
    require(!cairn_space_of_graph(graph, &s->space[2], NULL));
    cairn_grid_destroy(grid);
    cairn_grid_destroy(hexagons);
    cairn_graph_destroy(graph);
}

static void check_parameters(const cairn_planner *planner)
{
    const cairn_algorithm *a = cairn_planner_algorithm(planner);
    for (uint32_t i = 0; i < a->parameter_count; i++) {
        int64_t value = cairn_planner_parameter(planner, i);
        require(value >= a->parameters[i].minimum && value <= a->parameters[i].maximum);
    }
}

static void search(cairn_planner *planner)
{
    cairn_search *search = NULL;
    const cairn_path *path = NULL;
    cairn_query query = {.from = 0, .to = 3};
    require(!cairn_planner_build(planner, NULL, NULL));
    require(!cairn_search_create(planner, NULL, &search));
    require(cairn_search_find(search, &query, &path) == CAIRN_FOUND && path->end == 3);
    cairn_search_destroy(search);
}

static void try(cairn_space *space, const char *spec)
{
    cairn_planner *planner = NULL;
    cairn_error error = {0};
    cairn_status status = cairn_planner_create(space, spec, &planner, &error);
    if (status == CAIRN_OK) {
        check_parameters(planner);
        search(planner);
    } else {
        require(!planner && error.status == status && error.text[0] &&
                memchr(error.text, 0, sizeof error.text));
        require(status == CAIRN_INVALID || status == CAIRN_UNSUPPORTED);
    }
    cairn_planner_destroy(planner);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static spaces s;
    char spec[LONGEST + 1];
    if (size > LONGEST) return 0;
    if (!s.context) make_spaces(&s);
    if (size) memcpy(spec, data, size);
    spec[size] = 0;
    size_t before = cairn_context_memory(s.context).bytes;
    for (uint32_t i = 0; i < SPACES; i++) try(s.space[i], spec);
    /* planners that jump make their space keep bitmaps */
    require(cairn_context_memory(s.context).bytes >= before);
    return 0;
}
