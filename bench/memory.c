/* memory.c: what the indexes of planners take: `bench_memory [-t PERCENT] [-l LARGEST] [-s SEED]
 * [-k KIND]… [-a ALGORITHM]… MAP|SIDE…`.
 *
 * For each map (a file, or the side of a square one: then every kind is generated, and an open one,
 * or those given) it tells the bytes of the index of each algorithm, and how many times those of the
 * first one that is. At the end it tells the largest of these. With -t, PERCENT of the cells are
 * covered by patches of terrain that costs two to five times as much, with sides of 1 to LARGEST
 * cells (8).
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/generate.h>
#include <limits.h>
#include <cairn/io.h>
#include <ctype.h>
#include <string.h>
#include <unistd.h>

#define CHOSEN 24u
#define CLASSES 4u /* of more expensive terrain */

static const char *algorithms[CHOSEN], *kinds[CHOSEN];
static uint32_t algorithm_count, kind_count, percent, largest = 8, seed = 1;

typedef struct extreme {
    double times;
    char where[256];
} extreme;

static extreme extremes[CHOSEN]; /* by algorithm */

static void cover(cairn_grid *grid)
{
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid);
    uint64_t state = 777 + seed, left = (uint64_t)width * height * percent / 100;
    while (left) {
        uint32_t x = random_below(&state, width), y = random_below(&state, height),
                 right = x + 1 + random_below(&state, largest),
                 bottom = y + 1 + random_below(&state, largest);
        uint8_t class = (uint8_t)(1 + random_below(&state, CLASSES));
        for (uint32_t v = y; v < bottom && v < height; v++) {
            for (uint32_t u = x; u < right && u < width; u++) {
                bool covered = cairn_grid_terrain(grid, (int32_t)u, (int32_t)v) != 0;
                check(cairn_grid_set_terrain(grid, (int32_t)u, (int32_t)v, class), "terrain");
                if (!covered && left) left--;
            }
        }
    }
    check(cairn_grid_commit(grid), "terrain");
}

static size_t bytes_of(cairn_space *space, const char *algorithm)
{
    cairn_planner *planner;
    check(cairn_planner_create(space, algorithm, &planner, NULL), algorithm);
    check(cairn_planner_build(planner, NULL, NULL), algorithm);
    size_t bytes = cairn_planner_index_bytes(planner);
    cairn_planner_destroy(planner);
    return bytes;
}

static void tell(cairn_grid *grid, const char *name)
{
    cairn_profile profile = cairn_profile_default();
    cairn_space *space;
    double first = 0;
    if (percent) cover(grid);
    for (uint32_t i = 1; i <= CLASSES && percent; i++)
        profile.terrain_cost[i] = (uint16_t)CAIRN_TIMES(i + 1);
    check(cairn_space_of_grid(grid, &profile, &space, NULL), name);
    printf("%-36s", name);
    for (uint32_t i = 0; i < algorithm_count; i++) {
        double bytes = (double)bytes_of(space, algorithms[i]);
        if (!i) first = bytes;
        extreme *most = &extremes[i];
        double times = first > 0 ? bytes / first : 0;
        if (times > most->times) {
            most->times = times;
            snprintf(most->where, sizeof most->where, "%s", name);
        }
        printf(i ? "  %10.0f (%.2f)" : "  %10.0f", bytes, times);
    }
    printf("\n");
    fflush(stdout);
    cairn_space_destroy(space);
}

static bool is_chosen(const char *kind)
{
    for (uint32_t i = 0; i < kind_count; i++)
        if (!strcmp(kinds[i], kind)) return true;
    return !kind_count;
}

static void tell_generated(cairn_context *context, cairn_generator generator, const char *kind,
                           uint32_t side)
{
    cairn_grid *grid;
    char name[64];
    if (!is_chosen(kind)) return;
    generator.width = generator.height = side;
    generator.seed = seed;
    snprintf(name, sizeof name, "%s %u", kind, side);
    check(cairn_generate(context, &generator, &grid, NULL), name);
    tell(grid, name);
    cairn_grid_destroy(grid);
}

static void tell_kinds(cairn_context *context, uint32_t side)
{
    for (uint32_t i = 0; i < CAIRN_GENERATE_SCALED; i++) {
        cairn_generator_kind kind = (cairn_generator_kind)i;
        tell_generated(context, cairn_generator_default(kind), cairn_generator_about(kind)->name,
                       side);
    }
    cairn_generator open = cairn_generator_default(CAIRN_GENERATE_RANDOM);
    open.percent = 0;
    tell_generated(context, open, "open", side);
}

static void tell_file(cairn_context *context, const char *file)
{
    cairn_grid *grid;
    cairn_error error = {0};
    if (cairn_grid_load(context, file, &grid, &error) != CAIRN_OK) {
        fprintf(stderr, "%s: %s\n", file, error.text);
        exit(1);
    }
    const char *name = strrchr(file, '/');
    tell(grid, name ? name + 1 : file);
    cairn_grid_destroy(grid);
}

/* The number that a text is, or the end of the program. */
static uint32_t number(const char *text, long least, long most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end != text && !*end && value >= least && value <= most) return (uint32_t)value;
    fprintf(stderr, "bench_memory: %s is no number from %ld to %ld\n", text, least, most);
    exit(2);
}

int main(int argc, char **argv)
{
    cairn_context *context;
    for (int option; (option = getopt(argc, argv, "t:l:s:k:a:")) != -1;) {
        if (option == 't') percent = number(optarg, 0, 99);
        if (option == 'l') largest = number(optarg, 1, 1000);
        if (option == 's') seed = number(optarg, 0, INT_MAX);
        if (option == 'k' && kind_count < CHOSEN) kinds[kind_count++] = optarg;
        if (option == 'a' && algorithm_count < CHOSEN) algorithms[algorithm_count++] = optarg;
        if (option == '?') return 2;
    }
    if (!algorithm_count) {
        algorithms[algorithm_count++] = "hpa:levels=1,size=32";
        algorithms[algorithm_count++] = "dhpa";
    }
    check(cairn_context_create(NULL, &context), "a context");
    for (int i = optind; i < argc; i++) {
        if (isdigit((unsigned char)argv[i][0]) && !strchr(argv[i], '.')) {
            tell_kinds(context, (uint32_t)atoi(argv[i]));
        } else {
            tell_file(context, argv[i]);
        }
    }
    for (uint32_t i = 1; i < algorithm_count; i++)
        printf("%s: at most %.2f (%s)\n", algorithms[i], extremes[i].times, extremes[i].where);
    cairn_context_destroy(context);
    return 0;
}
