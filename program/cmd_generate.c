/* cmd_generate.c: `cairn generate`: maps from a seed, and problems for a map.
 *
 * What kinds of map there are, and which numbers they take, is asked of the library; an option is
 * refused if the kind has no use for it.
 */
#include "command.h"
#include "files.h"
#include "json.h"
#include "progress.h"
#include "text.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

typedef struct generate_options {
    cairn_generator given; /* numbers that were not given are GENERATE_NOT_GIVEN */
    const char *size, *buckets, *output, *format;
    uint32_t seed, count;
    bool json;
} generate_options;

#define GENERATE_NOT_GIVEN UINT32_MAX
#define GENERATE_NUMBER(field, help) \
    FLAG_COUNT(#field, "N", help, offsetof(generate_options, given.field), 0, \
               GENERATE_NOT_GIVEN - 1)

static const arg_flag generate_flags[] = {
    {"output", 'o', ARG_OUTPUT, "FILE", "the file for the map (.map, .txt) or the scenario",
     offsetof(generate_options, output), 0, 0},
    FLAG_FORMAT(offsetof(generate_options, format)),
    FLAG_TEXT("size", "WxH", "width and height of the map", offsetof(generate_options, size)),
    FLAG_COUNT("seed", "S", "the same seed makes the same map, another seed another one (1)",
               offsetof(generate_options, seed), 0, UINT32_MAX),
    GENERATE_NUMBER(
        percent,
        "random, caves, pseudo-rts, battlefield: how much is blocked; facility: how many rooms"),
    GENERATE_NUMBER(room, "rooms, facility: size of a room in cells"),
    GENERATE_NUMBER(closed, "rooms, battlefield: percent of the doors or gaps left out"),
    GENERATE_NUMBER(corridor, "maze: width of the corridors in cells"),
    GENERATE_NUMBER(wall, "maze: thickness of the walls in cells"),
    GENERATE_NUMBER(rounds, "caves: how often they are smoothed"),
    GENERATE_NUMBER(largest, "pseudo-rts: longest side of an obstacle in cells"),
    GENERATE_NUMBER(region, "battlefield: size of a region in cells"),
    GENERATE_NUMBER(loops, "facility: percent of possible detours"),
    GENERATE_NUMBER(ease, "battlefield, facility: percent of the difficulty taken away"),
    GENERATE_NUMBER(factor, "scaled: side of the square that a cell becomes"),
    FLAG_COUNT("count", "N", "scenario: how many problems (1000)",
               offsetof(generate_options, count), 1, 10000000),
    FLAG_TEXT("buckets", "LOW-HIGH", "scenario: only problems whose length / 4 is in this range",
              offsetof(generate_options, buckets)),
    FLAG_MAX_CELLS,
    FLAG_JSON(generate_options, json),
};

/* ---- the numbers of a kind ---- */

static uint32_t generate_number(const cairn_generator *generator,
                                const cairn_generator_parameter *parameter)
{
    uint32_t number;
    memcpy(&number, (const char *)generator + parameter->offset, sizeof number);
    return number;
}

static void generate_set(cairn_generator *generator, const cairn_generator_parameter *parameter,
                         uint32_t number)
{
    memcpy((char *)generator + parameter->offset, &number, sizeof number);
}

/* Every number of every kind, one by one; NULL at the end. */
static const cairn_generator_parameter *generate_each(uint32_t *kind, uint32_t *number)
{
    for (; *kind < CAIRN_GENERATE_COUNT; ++*kind, *number = 0) {
        const cairn_generator_info *about = cairn_generator_about((cairn_generator_kind)*kind);
        if (*number < about->parameter_count) return &about->parameters[(*number)++];
    }
    return NULL;
}

static void generate_nothing_given(generate_options *options)
{
    uint32_t kind = 0, number = 0;
    for (const cairn_generator_parameter *p; (p = generate_each(&kind, &number));)
        generate_set(&options->given, p, GENERATE_NOT_GIVEN);
}

static bool generate_takes(const cairn_generator_info *about, size_t offset)
{
    for (uint32_t i = 0; i < about->parameter_count; i++)
        if (about->parameters[i].offset == offset) return true;
    return false;
}

/* The first number that was given although `about` (NULL = a scenario) takes no such; NULL =
 * none. */
static const char *generate_useless(const generate_options *options,
                                    const cairn_generator_info *about)
{
    uint32_t kind = 0, number = 0;
    for (const cairn_generator_parameter *p; (p = generate_each(&kind, &number));)
        if (generate_number(&options->given, p) != GENERATE_NOT_GIVEN &&
            !(about && generate_takes(about, p->offset)))
            return p->name;
    if (about && options->count) return "count";
    if (about && options->buckets) return "buckets";
    if (options->size && (!about || !about->width)) return "size";
    return NULL;
}

static bool generate_size(const char *text, uint32_t *width, uint32_t *height)
{
    const char *cross = strchr(text, 'x');
    int64_t w, h;
    if (!cross || !text_integer(text, (size_t)(cross - text), 1, CAIRN_GRID_MAX, &w) ||
        !text_integer(cross + 1, strlen(cross + 1), 1, CAIRN_GRID_MAX, &h))
        return false;
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    return true;
}

/* ---- the list of kinds ---- */

static void generate_json_kinds(void)
{
    json j = json_to(stdout);
    json_list(&j, NULL);
    for (uint32_t k = 0; k < CAIRN_GENERATE_COUNT; k++) {
        const cairn_generator_info *about = cairn_generator_about((cairn_generator_kind)k);
        json_object(&j, NULL);
        json_text(&j, "kind", about->name);
        json_text(&j, "summary", about->summary);
        json_integer(&j, "width", about->width);
        json_integer(&j, "height", about->height);
        json_bool(&j, "connected", about->connected);
        json_array(&j, "parameters");
        for (uint32_t i = 0; i < about->parameter_count; i++) {
            const cairn_generator_parameter *p = &about->parameters[i];
            json_object(&j, NULL);
            json_text(&j, "name", p->name);
            json_text(&j, "summary", p->summary);
            json_integer(&j, "minimum", p->minimum);
            json_integer(&j, "maximum", p->maximum);
            json_integer(&j, "default", p->default_value);
            json_end(&j);
        }
        json_end(&j);
        json_end(&j);
    }
    json_end(&j);
}

static void generate_print_kinds(void)
{
    for (uint32_t k = 0; k < CAIRN_GENERATE_COUNT; k++) {
        const cairn_generator_info *about = cairn_generator_about((cairn_generator_kind)k);
        printf("%s: %s\n", about->name, about->summary);
        if (about->width)
            printf("  %-10s WxH: %u x %u unless given\n", "--size", about->width, about->height);
        for (uint32_t i = 0; i < about->parameter_count; i++) {
            const cairn_generator_parameter *p = &about->parameters[i];
            printf("  --%-8s N %s: %u to %u, %u unless given\n", p->name, p->summary, p->minimum,
                   p->maximum, p->default_value);
        }
    }
    printf("scenario: Problems with optimal lengths for a map\n");
}

/* ---- maps ---- */

static uint64_t generate_open_cells(const cairn_grid *grid)
{
    uint64_t open = 0;
    int32_t width = (int32_t)cairn_grid_width(grid), height = (int32_t)cairn_grid_height(grid);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) open += cairn_grid_is_open(grid, x, y);
    return open;
}

static void generate_tell_map(const generate_options *options, const cairn_generator *generator,
                              const cairn_grid *grid)
{
    const cairn_generator_info *about = cairn_generator_about(generator->kind);
    uint64_t open = generate_open_cells(grid);
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid);
    double share = (double)open / ((double)width * height);
    if (!options->json) {
        say("%s: %s, %u x %u, seed %u, %.1f %% open\n", options->output, about->name, width, height,
            options->seed, 100 * share);
        return;
    }
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "kind", about->name);
    json_text(&j, "file", options->output);
    json_integer(&j, "width", width);
    json_integer(&j, "height", height);
    json_integer(&j, "seed", options->seed);
    json_object(&j, "parameters");
    for (uint32_t i = 0; i < about->parameter_count; i++)
        json_integer(&j, about->parameters[i].name,
                     generate_number(generator, &about->parameters[i]));
    json_end(&j);
    json_integer(&j, "open", (int64_t)open);
    json_end(&j);
}

/* Complains, and returns END_USAGE or END_DATA according to the status. */
static int generate_complain(const command *self, const char *name, cairn_status status,
                             cairn_error *error)
{
    if (status == CAIRN_INVALID || status == CAIRN_UNSUPPORTED)
        return complain_usage(self, "%s", error->text);
    error->status = status;
    return world_complain(name, error);
}

/* The map that something is made of. Close it in every case. */
static int generate_load(const command *self, world *w, cairn_context *context, const char *name)
{
    int end = world_load(w, context, name);
    if (end || w->grid) return end;
    return complain_usage(self, "expected a map, but %s is a %s", name, world_kind_of(w)->name);
}

static cairn_status generate_save(const cairn_grid *grid, const generate_options *options,
                                  cairn_error *error)
{
    cairn_file file;
    if (files_named(options->output, options->format))
        return cairn_grid_save(grid, options->output, error);
    cairn_status status = files_format_grid(grid, options->output, options->format, &file, error);
    if (status) return status;
    status = files_try_put(options->output, file, error);
    cairn_file_free(cairn_grid_context(grid), &file);
    return status;
}

static int generate_map(const command *self, const generate_options *options,
                        cairn_generator_kind kind, cairn_context *context, const char *source_name)
{
    const cairn_generator_info *about = cairn_generator_about(kind);
    cairn_generator generator = cairn_generator_default(kind);
    generator.seed = options->seed;
    for (uint32_t i = 0; i < about->parameter_count; i++) {
        uint32_t number = generate_number(&options->given, &about->parameters[i]);
        if (number != GENERATE_NOT_GIVEN) generate_set(&generator, &about->parameters[i], number);
    }
    if (options->size && !generate_size(options->size, &generator.width, &generator.height))
        return complain_usage(self, "--size must be WxH, each 1 to %u, not \"%s\"", CAIRN_GRID_MAX,
                              options->size);
    cairn_error error = {0};
    cairn_grid *grid = NULL;
    world source = {0};
    int end = source_name ? generate_load(self, &source, context, source_name) : END_OK;
    if (!end) {
        generator.source = source.grid;
        cairn_status status = cairn_generate(context, &generator, &grid, &error);
        if (!status) status = generate_save(grid, options, &error);
        if (status) end = generate_complain(self, options->output, status, &error);
    }
    if (!end) generate_tell_map(options, &generator, grid);
    cairn_grid_destroy(grid);
    world_close(&source);
    return end;
}

/* ---- scenarios ---- */

static bool generate_report(void *user, uint64_t done, uint64_t total)
{
    (void)total;
    progress_at(user, done);
    return true;
}

static bool generate_buckets(const char *text, uint32_t *low, uint32_t *high)
{
    const char *dash = strchr(text, '-');
    int64_t a, b;
    if (!dash || !text_integer(text, (size_t)(dash - text), 0, UINT32_MAX, &a) ||
        !text_integer(dash + 1, strlen(dash + 1), 1, UINT32_MAX, &b) || a > b)
        return false;
    *low = (uint32_t)a;
    *high = (uint32_t)b;
    return true;
}

static void generate_tell_scenario(const generate_options *options, const cairn_scenario *scenario)
{
    double mean = 0;
    for (uint32_t i = 0; i < scenario->count; i++)
        mean += scenario->problems[i].length / scenario->count;
    uint32_t low = scenario->problems[0].bucket,
             high = scenario->problems[scenario->count - 1].bucket;
    char text[TEXT_SHORT];
    if (!options->json) {
        say("%s: %s problems for %s, seed %u, buckets %u to %u, mean length %.1f\n",
            options->output, text_count(scenario->count, text), scenario->map, options->seed, low,
            high, mean);
        return;
    }
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "kind", "scenario");
    json_text(&j, "file", options->output);
    json_text(&j, "map", scenario->map);
    json_integer(&j, "seed", options->seed);
    json_integer(&j, "problems", scenario->count);
    json_integer(&j, "lowest_bucket", low);
    json_integer(&j, "highest_bucket", high);
    json_number(&j, "length_mean", mean);
    json_end(&j);
}

static int generate_scenario(const command *self, const generate_options *options,
                             cairn_context *context, const char *map)
{
    progress bar;
    cairn_progress report = {generate_report, &bar};
    cairn_scenario_options wanted = {.map = map,
                                     .count = options->count ? options->count : 1000,
                                     .seed = options->seed,
                                     .progress = &report};
    if (options->buckets &&
        !generate_buckets(options->buckets, &wanted.lowest_bucket, &wanted.highest_bucket))
        return complain_usage(self, "--buckets must be LOW-HIGH, such as 250-749, not \"%s\"",
                              options->buckets);
    cairn_error error = {0};
    world w;
    cairn_scenario scenario = {0};
    cairn_file file = {0};
    int end = generate_load(self, &w, context, map);
    if (!end && cairn_grid_layout(w.grid) == CAIRN_LAYOUT_HEX)
        end =
            complain_usage(self, "%s is made of hexagons: scenarios hold lengths on squares", map);
    if (!end) {
        progress_begin(&bar, text_base(map), wanted.count);
        error.status = cairn_scenario_generate(w.grid, &wanted, &scenario, &error);
        progress_end(&bar);
        if (!error.status) error.status = cairn_scenario_format(context, &scenario, &file, &error);
        if (error.status) end = world_complain(map, &error);
    }
    if (!end) end = files_put(options->output, file);
    if (!end) generate_tell_scenario(options, &scenario);
    cairn_file_free(context, &file);
    cairn_scenario_free(context, &scenario);
    world_close(&w);
    return end;
}

/* ---- the command ---- */

static int generate_unknown(const command *self, const char *name)
{
    const char *near = text_nearer(name, text_nearer(name, NULL, "scenario"), "kinds");
    for (uint32_t k = 0; k < CAIRN_GENERATE_COUNT; k++)
        near = text_nearer(name, near, cairn_generator_about((cairn_generator_kind)k)->name);
    if (near) return complain_usage(self, "there is no kind \"%s\"; did you mean %s?", name, near);
    return complain_usage(self, "there is no kind \"%s\" (`cairn generate kinds` lists them)",
                          name);
}

static int generate_run(const command *self, const generate_options *options, int argc, char **argv)
{
    bool scenario = !strcmp(argv[0], "scenario");
    cairn_generator_kind kind = cairn_generator_find(argv[0]);
    if (kind == CAIRN_GENERATE_COUNT && !scenario) return generate_unknown(self, argv[0]);
    const char *useless = generate_useless(options, scenario ? NULL : cairn_generator_about(kind));
    if (useless) return complain_usage(self, "%s does not use --%s", argv[0], useless);
    bool needs_map = scenario || kind == CAIRN_GENERATE_SCALED;
    if (needs_map && argc != 2)
        return complain_usage(self,
                              "generate %s: expected one map, got %d (try: cairn generate %s "
                              "maps/village.txt -o OUT)",
                              argv[0], argc - 1, argv[0]);
    if (!needs_map && argc != 1)
        return complain_usage(
            self, "generate %s: expected no map, got %d (try: cairn generate %s -o OUT)", argv[0],
            argc - 1, argv[0]);
    if (!options->output)
        return complain_usage(self, "generate: -o FILE is missing, the file to write");
    const file_use files[] = {{"map", needs_map ? argv[1] : NULL, false},
                              {"-o", options->output, true}};
    int end = files_check(self, files, 2);
    if (end) return end;
    cairn_context *context = world_context(1);
    if (!context) return END_DATA;
    end = scenario ? generate_scenario(self, options, context, argv[1])
                   : generate_map(self, options, kind, context, needs_map ? argv[1] : NULL);
    cairn_context_destroy(context);
    return end;
}

static int generate_main(const command *self, int argc, char **argv)
{
    generate_options options = {.seed = 1};
    generate_nothing_given(&options);
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    if (argc < 1)
        return complain_usage(
            self, "generate: expected a kind, got none (`cairn generate kinds` lists them)");
    if (strcmp(argv[0], "kinds")) return generate_run(self, &options, argc, argv);
    if (options.json)
        generate_json_kinds();
    else
        generate_print_kinds();
    return END_OK;
}

const command command_generate = {
    .name = "generate",
    .summary = "Make a map from a seed, or problems for a map",
    .synopsis = "KIND [MAP] -o FILE [options]",
    .details =
        "KIND is one of these:\n"
        "  random, rooms, maze, caves, pseudo-rts, battlefield, facility   a new map\n"
        "  scaled     MAP enlarged\n"
        "  scenario   problems for MAP with their optimal lengths (8 neighbours, corners "
        "never), as a\n"
        "             MovingAI .scen\n"
        "  kinds      lists all kinds of maps with their numbers and ranges\n"
        "The same numbers make the same file on every machine.\n"
        "\n"
        "Examples:\n"
        "  cairn generate kinds\n"
        "  cairn generate caves --size 200x120 --seed 7 -o caves.map\n"
        "  cairn generate maze --size 129x129 --corridor 3 --wall 1 -o maze.txt\n"
        "  cairn generate scaled maps/village.txt --factor 4 -o village.map\n"
        "  cairn generate scenario maps/village.txt --count 200 -o village.scen\n"
        "  cairn generate maze --size 41x21 -o - | cairn path - --from 0,0 --to 40,20 --draw\n",
    .flags = generate_flags,
    .flag_count = sizeof generate_flags / sizeof generate_flags[0],
    .run = generate_main,
};
