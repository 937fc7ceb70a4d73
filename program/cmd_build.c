/* cmd_build.c: `cairn build`: what an algorithm precomputes, into a file. */
#include "algorithms.h"
#include "files.h"
#include "index.h"
#include "json.h"
#include "profile.h"
#include "text.h"

#include <stdlib.h>

typedef struct build_options {
    const char *algorithm, *output, *clusters;
    profile_options profile;
    uint32_t threads;
    bool json;
} build_options;

static const arg_flag build_flags[] = {
    FLAG_ALGORITHM(ARG_TEXT, "ALG", "NAME or NAME:key=value,…, one that needs an index",
                   offsetof(build_options, algorithm)),
    FLAG_OUTPUT("output", 'o', "F.cairn", "the file to write", offsetof(build_options, output)),
    FLAG_INPUT("clusters", "MAP2", "cluster-table: cells alike in this map are a cluster",
               offsetof(build_options, clusters)),
    FLAG_COUNT("threads", "N", "build with N threads (1)", offsetof(build_options, threads), 1, 64),
    PROFILE_FLAGS(build_options, profile),
    FLAG_MAX_CELLS,
    FLAG_JSON(build_options, json),
};

typedef struct build_run {
    const command *self;
    const build_options *options;
    world world;
    cairn_planner *planner;
    index_report report;
} build_run;

static int build_check_usage(const command *self, const build_options *options, int argc,
                             char **argv)
{
    if (argc != 1)
        return complain_count(self, "one world", argc, "maps/rooms.map -a alt -o rooms.cairn");
    if (!options->algorithm || !options->output)
        return complain_usage(self, "build: -a and -o are missing (try: -a alt -o rooms.cairn)");
    const file_use files[] = {{"world", argv[0], false},
                              {"--clusters", options->clusters, false},
                              {"-o", options->output, true}};
    int end = files_check(self, files, 3);
    return end ? end : algorithms_check(self, options->algorithm);
}

static double build_bytes_per_node(const build_run *run)
{
    return (double)run->report.bytes / cairn_space_node_count(run->world.space);
}

static void build_print_json(const build_run *run)
{
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "algorithm", run->options->algorithm);
    json_text(&j, "world", run->world.name);
    json_text(&j, "file", run->options->output);
    json_integer(&j, "index_bytes", (int64_t)run->report.bytes);
    json_number(&j, "bytes_per_cell", build_bytes_per_node(run));
    json_number(&j, "index_build_ms", (double)(int64_t)(run->report.seconds * 1e6 + 0.5) / 1e3);
    json_end(&j);
}

static void build_print_text(const build_run *run)
{
    char text[TEXT_SHORT];
    say("%s: the index of %s on %s\n", run->options->output, run->options->algorithm,
        text_base(run->world.name));
    printf("  index      %s, %.2f bytes per %s\n", text_bytes(run->report.bytes, text),
           build_bytes_per_node(run), world_kind_of(&run->world)->node);
    printf("  time       %s\n", text_duration(run->report.seconds * 1e6, text));
}

/* ---- clusters of another map ---- */

/* Open cells of the same terrain class and the same extra cost are one. */
static void build_number(const cairn_grid *grid, uint16_t *clusters)
{
    uint32_t width = cairn_grid_width(grid), count = width * cairn_grid_height(grid);
    for (uint32_t i = 0; i < count; i++) {
        int32_t x = (int32_t)(i % width), y = (int32_t)(i / width);
        uint32_t number = cairn_grid_terrain(grid, x, y) * 256u + cairn_grid_layer(grid, x, y);
        clusters[i] = cairn_grid_is_open(grid, x, y) && number < CAIRN_NO_CLUSTER
                          ? (uint16_t)number
                          : CAIRN_NO_CLUSTER;
    }
}

static int build_give(const build_run *run, const world *other)
{
    const char *name = run->options->clusters;
    const cairn_grid *grid = run->world.grid;
    cairn_error error = {0};
    if (!grid || !other->grid) return world_complain_no_grid(run->self, &run->world, "--clusters");
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid);
    if (cairn_grid_width(other->grid) != width || cairn_grid_height(other->grid) != height) {
        complain("%s: expected a map of %u x %u, as the other one", name, width, height);
        return END_DATA;
    }
    uint16_t *clusters = malloc((size_t)width * height * sizeof *clusters);
    if (clusters) build_number(other->grid, clusters);
    cairn_status status =
        clusters ? cairn_planner_set_clusters(run->planner, clusters, &error) : CAIRN_OUT_OF_MEMORY;
    free(clusters);
    if (status == CAIRN_OK) return END_OK;
    return complain_usage(run->self, "--clusters: %s",
                          error.text[0] ? error.text : cairn_status_text(status));
}

static int build_clusters(const build_run *run, cairn_context *context)
{
    world other;
    if (!run->options->clusters) return END_OK;
    int end = world_load(&other, context, run->options->clusters);
    if (!end) end = build_give(run, &other);
    world_close(&other);
    return end;
}

static int build_world(build_run *run, cairn_context *context, const char *name)
{
    const build_options *options = run->options;
    int end = world_open(run->self, &run->world, context, name, &options->profile);
    if (!end) end = world_planner(run->self, &run->world, options->algorithm, false, &run->planner);
    if (end) return end;
    if (!(cairn_planner_algorithm(run->planner)->flags & CAIRN_NEEDS_INDEX))
        return complain_usage(run->self, "build: %s uses no index, so there is nothing to build",
                              options->algorithm);
    end = build_clusters(run, context);
    if (!end) end = index_prepare(&(index_file){0}, run->planner, text_base(name), &run->report);
    if (!end) end = index_save(run->planner, options->output);
    if (end) return end;
    if (options->json)
        build_print_json(run);
    else
        build_print_text(run);
    return END_OK;
}

static int build_main(const command *self, int argc, char **argv)
{
    build_options options = {.threads = 1};
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    int end = build_check_usage(self, &options, argc, argv);
    if (end) return end;
    cairn_context *context = world_context(options.threads);
    if (!context) return END_DATA;
    build_run run = {.self = self, .options = &options};
    end = build_world(&run, context, argv[0]);
    cairn_planner_destroy(run.planner);
    world_close(&run.world);
    cairn_context_destroy(context);
    return end;
}

const command command_build = {
    .name = "build",
    .summary = "Precompute the index of an algorithm once, to use it often",
    .synopsis = "WORLD -a ALG -o F.cairn [options]",
    .details = "WORLD is " WORLD_KINDS ". The\n"
               "file is for this world, this agent and this algorithm with these parameters. "
               "`path`, `bench` and\n"
               "`check` read it with --index and refuse it for any other. Without it they build "
               "what they need.\n"
               "\n"
               "Examples:\n"
               "  cairn build maps/rooms.map -a alt -o rooms.cairn\n"
               "  cairn path maps/rooms.map --from 114,33 --to 13,1 -a alt --index rooms.cairn\n"
               "  cairn build maps/bridge.txt -a alt:landmarks=8 --terrain swamp=3,water=9 -o "
               "bridge.cairn --json\n",
    .flags = build_flags,
    .flag_count = sizeof build_flags / sizeof build_flags[0],
    .run = build_main,
};
