/* glue_files.c: worlds that somebody else has decoded (pixels, Tiled maps), graphs, and
 * scenarios. */
#include "glue.h"

#include <string.h>

/* ---- pixels ---- */

/* Six bytes a colour: red, green, blue, open, terrain, layer. */
static cairn_png_colour pixels_colour(const uint8_t *bytes)
{
    return (cairn_png_colour){bytes[0], bytes[1], bytes[2], bytes[3] != 0, bytes[4], bytes[5]};
}

/* Numbers: mode, threshold, invert, tolerance. `otherwise`: one colour or NULL. */
GLUE_EXPORT("glue_grid_pixels")
cairn_grid *glue_grid_pixels(const uint8_t *rgba, uint32_t width, uint32_t height,
                             const uint8_t *colours, uint32_t colour_count,
                             const uint8_t *otherwise)
{
    glue_begin();
    cairn_png_colour rest = otherwise ? pixels_colour(otherwise) : (cairn_png_colour){0};
    cairn_png_colour *list = glue_resize(NULL, 0, (colour_count + 1) * sizeof *list);
    if (!list) return glue_check(CAIRN_OUT_OF_MEMORY), NULL;
    for (uint32_t i = 0; i < colour_count; i++) list[i] = pixels_colour(colours + (size_t)6 * i);
    cairn_png_options options = {.mode = (cairn_png_mode)glue.numbers[0],
                                 .threshold = (uint32_t)glue.numbers[1],
                                 .invert = glue.numbers[2] != 0,
                                 .tolerance = (uint32_t)glue.numbers[3],
                                 .colours = list,
                                 .colour_count = colour_count,
                                 .otherwise = otherwise ? &rest : NULL};
    cairn_grid *grid = NULL;
    cairn_status status = cairn_pixels_parse(glue.context, (cairn_pixels){rgba, width, height},
                                             &options, &grid, &glue.error);
    glue_resize(list, (colour_count + 1) * sizeof *list, 0);
    return glue_check(status) ? NULL : grid;
}

/* ---- Tiled ---- */

/* Tilesets with files of their own, as they were delegated: name, zero byte, size as four bytes,
 * low byte first, the bytes. */
typedef struct tiled_sets {
    const uint8_t *data;
    size_t size;
} tiled_sets;

static cairn_status tiled_set(void *user, cairn_context *context, const char *name, cairn_file *out,
                              cairn_error *error)
{
    const tiled_sets *sets = user;
    const uint8_t *at = sets->data, *end = at + sets->size;
    while (at < end) {
        const char *this_name = (const char *)at;
        at += strlen(this_name) + 1;
        size_t size = at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
        at += 4;
        if (!strcmp(this_name, name)) {
            char *copy = cairn_context_resize(context, NULL, 0, size + 1);
            if (!copy) return CAIRN_OUT_OF_MEMORY;
            memcpy(copy, at, size);
            copy[size] = 0;
            *out = (cairn_file){copy, size};
            return CAIRN_OK;
        }
        at += size;
    }
    *error = (cairn_error){.status = CAIRN_FILE_ERROR,
                           .text = "it was not handed over: give readTileset or skipTilesets"};
    return CAIRN_FILE_ERROR;
}

/* `data`: the map as elements; `sets`: see above; `layer`: a name or NULL; `ids`: blocked, then
 * open ones. Numbers: how many are blocked and open, rule for empty cells, cell size, skip
 * tilesets; afterwards left, top, swapped. */
GLUE_EXPORT("glue_grid_tiled")
cairn_grid *glue_grid_tiled(const char *data, size_t size, const uint8_t *sets, size_t sets_size,
                            const char *layer, const uint32_t *ids)
{
    glue_begin();
    const double *in = glue.numbers;
    tiled_sets all = {sets, sets_size};
    uint32_t blocked = (uint32_t)in[0], open = (uint32_t)in[1];
    cairn_tiled_place place = {0};
    cairn_tiled_options options = {.layer = layer,
                                   .blocked_ids = ids,
                                   .blocked_count = blocked,
                                   .open_ids = ids + blocked,
                                   .open_count = open,
                                   .void_cells = (cairn_tiled_void)in[2],
                                   .cell_size = in[3],
                                   .skip_tilesets = in[4] != 0,
                                   .read = tiled_set,
                                   .read_user = &all,
                                   .place = &place};
    cairn_grid *grid = NULL;
    cairn_status status =
        cairn_tiled_parse(glue.context, (cairn_bytes){data, size}, &options, &grid, &glue.error);
    glue.error.line = 0; /* elements have none */
    if (glue_check(status)) return NULL;
    glue.numbers[0] = place.left;
    glue.numbers[1] = place.top;
    glue.numbers[2] = place.swapped;
    return grid;
}

/* ---- graphs ---- */

GLUE_EXPORT("glue_graph_parse")
cairn_graph *glue_graph_parse(const char *gr, size_t gr_size, const char *co, size_t co_size)
{
    glue_begin();
    cairn_graph *graph = NULL;
    cairn_status status = cairn_dimacs_parse(glue.context, (cairn_bytes){gr, gr_size},
                                             (cairn_bytes){co, co_size}, &graph, &glue.error);
    return glue_check(status) ? NULL : graph;
}

GLUE_EXPORT("glue_graph_destroy") void glue_graph_destroy(cairn_graph *graph)
{
    cairn_graph_destroy(graph);
}

/* Numbers: nodes, edges, bytes. */
GLUE_EXPORT("glue_graph_about") void glue_graph_about(const cairn_graph *graph)
{
    glue.numbers[0] = cairn_graph_node_count(graph);
    glue.numbers[1] = cairn_graph_edge_count(graph);
    glue.numbers[2] = (double)cairn_graph_bytes(graph);
}

GLUE_EXPORT("glue_graph_positions") void glue_graph_positions(const cairn_graph *graph, double *out)
{
    for (uint32_t i = 0; i < cairn_graph_node_count(graph); i++) {
        cairn_position position = cairn_graph_position(graph, i);
        *out++ = position.x;
        *out++ = position.y;
    }
}

GLUE_EXPORT("glue_space_of_graph") cairn_space *glue_space_of_graph(cairn_graph *graph)
{
    glue_begin();
    cairn_space *space = NULL;
    return glue_check(cairn_space_of_graph(graph, &space, &glue.error)) ? NULL : space;
}

/* ---- scenarios: nine doubles a problem, then the map's name ---- */

static cairn_status scenario_answer(cairn_status status, cairn_scenario *scenario)
{
    if (glue_check(status)) return status;
    glue_output_begin();
    for (uint32_t i = 0; i < scenario->count; i++) {
        const cairn_problem *problem = &scenario->problems[i];
        double row[9] = {problem->bucket, problem->width,  problem->height,
                         problem->from.x, problem->from.y, problem->to.x,
                         problem->to.y,   problem->length, problem->tolerance};
        glue_put(&glue.output, row, sizeof row);
    }
    glue_put(&glue.output, scenario->map, strlen(scenario->map));
    glue.numbers[0] = scenario->count;
    cairn_scenario_free(glue.context, scenario);
    return glue_output_finish();
}

/* Numbers: problems. Output: see above. */
GLUE_EXPORT("glue_scenario_parse") cairn_status glue_scenario_parse(const char *data, size_t size)
{
    glue_begin();
    cairn_scenario scenario = {0};
    return scenario_answer(
        cairn_scenario_parse(glue.context, (cairn_bytes){data, size}, &scenario, &glue.error),
        &scenario);
}

GLUE_EXPORT("glue_scenario_generate")
cairn_status glue_scenario_generate(cairn_grid *grid, const char *map, uint32_t count,
                                    uint64_t seed, uint32_t lowest, uint32_t highest,
                                    uint32_t progress)
{
    glue_begin();
    cairn_scenario scenario = {0};
    cairn_scenario_options options = {.map = map,
                                      .count = count,
                                      .seed = seed,
                                      .lowest_bucket = lowest,
                                      .highest_bucket = highest,
                                      .progress = glue_progress(progress)};
    return scenario_answer(cairn_scenario_generate(grid, &options, &scenario, &glue.error),
                           &scenario);
}

/* Output: a `.scen`. `rows`: as above. */
GLUE_EXPORT("glue_scenario_format")
cairn_status glue_scenario_format(const double *rows, uint32_t count, const char *map)
{
    glue_begin();
    cairn_scenario scenario = {.count = count};
    if (strlen(map) >= sizeof scenario.map)
        return glue_fail(CAIRN_INVALID, "the map's name is too long");
    memcpy(scenario.map, map, strlen(map) + 1);
    size_t size = (count ? count : 1) * sizeof *scenario.problems;
    scenario.problems = glue_resize(NULL, 0, size);
    if (!scenario.problems) return glue_check(CAIRN_OUT_OF_MEMORY);
    for (uint32_t i = 0; i < count; i++, rows += 9)
        scenario.problems[i] = (cairn_problem){.bucket = (uint32_t)rows[0],
                                               .width = (uint32_t)rows[1],
                                               .height = (uint32_t)rows[2],
                                               .from = {(int32_t)rows[3], (int32_t)rows[4]},
                                               .to = {(int32_t)rows[5], (int32_t)rows[6]},
                                               .length = rows[7],
                                               .tolerance = rows[8]};
    cairn_file file = {0};
    cairn_status status = cairn_scenario_format(glue.context, &scenario, &file, &glue.error);
    glue_resize(scenario.problems, size, 0);
    if (!status) glue_output_take(&file);
    return glue_check(status);
}
