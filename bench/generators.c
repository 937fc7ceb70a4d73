/* generators.c: measures maps: how much of them is open, how many connected components they have,
 * and how hard they are for A*.
 *
 *     generators [--problems N] [--buckets LOW-HIGH] [--seed S] MAP…
 *
 * prints a row of a table for each map. Components are 4-connected, which is the same
 * as connected under the MovingAI rule (eight neighbours, no corner cut). The A* difficulty of a problem (Lawrence and
 * Bulitko 2010, section 7) is the number of cells that A* expands divided by the number of steps of
 * the path; it is measured on N (1000) random problems, all of them or those whose length / 4 is in
 * LOW…HIGH.
 */
#include <cairn/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct components {
    uint64_t open, count, largest;
} components;

static bool is_new(const cairn_space *space, const uint8_t *seen, int64_t x, int64_t y,
                   uint32_t width, uint32_t height)
{
    if (x < 0 || y < 0 || x >= width || y >= height) return false;
    uint32_t node = (uint32_t)y * width + (uint32_t)x;
    return !seen[node] && cairn_space_usable(space, node);
}

static uint64_t flood(const cairn_space *space, uint32_t start, uint8_t *seen, uint32_t *queue,
                      uint32_t width, uint32_t height)
{
    uint64_t head = 0, tail = 0;
    queue[tail++] = start;
    seen[start] = 1;
    while (head < tail) {
        int64_t x = queue[head] % width, y = queue[head] / width;
        const int64_t next[4][2] = {{x + 1, y}, {x, y + 1}, {x - 1, y}, {x, y - 1}};
        head++;
        for (int i = 0; i < 4; i++) {
            if (!is_new(space, seen, next[i][0], next[i][1], width, height)) continue;
            uint32_t node = (uint32_t)(next[i][1] * width + next[i][0]);
            seen[node] = 1;
            queue[tail++] = node;
        }
    }
    return tail;
}

static bool count_components(const cairn_grid *grid, const cairn_space *space, components *out)
{
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid),
             cells = width * height;
    uint8_t *seen = calloc(cells, 1);
    uint32_t *queue = malloc((size_t)cells * sizeof *queue);
    bool ok = seen && queue;
    *out = (components){0};
    for (uint32_t i = 0; ok && i < cells; i++) {
        if (seen[i] || !cairn_space_usable(space, i)) continue;
        uint64_t size = flood(space, i, seen, queue, width, height);
        out->open += size;
        out->count++;
        if (size > out->largest) out->largest = size;
    }
    free(seen);
    free(queue);
    return ok;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Steps from turning point to turning point, added up. */
static uint64_t steps(const cairn_grid *grid, const cairn_path *path)
{
    uint64_t sum = 0;
    for (uint32_t i = 1; i < path->count; i++) {
        cairn_cell a = cairn_grid_cell(grid, path->nodes[i - 1]),
                   b = cairn_grid_cell(grid, path->nodes[i]);
        int dx = abs(a.x - b.x), dy = abs(a.y - b.y);
        sum += (uint64_t)(dx > dy ? dx : dy);
    }
    return sum;
}

/* Fills difficulty[] and the mean length of the paths. */
static bool measure(cairn_grid *grid, cairn_space *space, const cairn_scenario *scenario,
                    double *difficulty, double *length)
{
    cairn_planner *planner = NULL;
    cairn_search *search = NULL;
    bool ok = !cairn_planner_create(space, "astar", &planner, NULL) &&
              !cairn_search_create(planner, NULL, &search);
    *length = 0;
    for (uint32_t i = 0; ok && i < scenario->count; i++) {
        const cairn_problem *p = &scenario->problems[i];
        cairn_query query = {.from = cairn_grid_node(grid, p->from.x, p->from.y),
                             .to = cairn_grid_node(grid, p->to.x, p->to.y)};
        const cairn_path *path = NULL;
        ok = !cairn_search_find(search, &query, &path);
        if (!ok) break;
        difficulty[i] = (double)cairn_search_metrics(search).expanded / (double)steps(grid, path);
        *length += path->length / scenario->count;
    }
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    return ok;
}

static void print_row(const char *name, const cairn_grid *grid, const components *r,
                      const cairn_scenario *scenario, double *difficulty, double length)
{
    uint32_t count = scenario->count;
    double mean = 0, square = 0, cells = (double)cairn_grid_width(grid) * cairn_grid_height(grid);
    for (uint32_t i = 0; i < count; i++) mean += difficulty[i] / count;
    for (uint32_t i = 0; i < count; i++)
        square += (difficulty[i] - mean) * (difficulty[i] - mean) / count;
    qsort(difficulty, count, sizeof *difficulty, compare);
    const char *slash = strrchr(name, '/');
    printf("| %s | %u × %u | %.1f %% | %llu | %.1f %% | %.0f | %.1f | %.1f | %.1f | %.0f |\n",
           slash ? slash + 1 : name, cairn_grid_width(grid), cairn_grid_height(grid),
           100 * (double)r->open / cells, (unsigned long long)r->count,
           100 * (double)r->largest / (double)r->open, length, mean, difficulty[count / 2],
           sqrt(square), difficulty[count - 1]);
}

static int row(cairn_context *context, const char *name, const cairn_scenario_options *options)
{
    cairn_error error = {0};
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    cairn_scenario scenario = {0};
    components r;
    double length, *difficulty = calloc(options->count, sizeof *difficulty);
    bool ok = difficulty && !cairn_grid_load(context, name, &grid, &error) &&
              !cairn_space_of_grid(grid, NULL, &space, &error) &&
              count_components(grid, space, &r) &&
              !cairn_scenario_generate(grid, options, &scenario, &error) &&
              measure(grid, space, &scenario, difficulty, &length);
    if (ok)
        print_row(name, grid, &r, &scenario, difficulty, length);
    else
        fprintf(stderr, "generators: %s: %s\n", name,
                error.text[0] ? error.text : "not enough memory");
    fflush(stdout);
    cairn_scenario_free(context, &scenario);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    free(difficulty);
    return ok ? 0 : 3;
}

int main(int argc, char **argv)
{
    cairn_scenario_options options = {.map = "map", .count = 1000, .seed = 1};
    int at = 1;
    for (; at + 1 < argc && !strncmp(argv[at], "--", 2); at += 2) {
        char *end = argv[at + 1];
        unsigned long number = strtoul(argv[at + 1], &end, 10);
        if (!strcmp(argv[at], "--problems")) options.count = (uint32_t)number;
        if (!strcmp(argv[at], "--seed")) options.seed = number;
        if (!strcmp(argv[at], "--buckets")) {
            options.lowest_bucket = (uint32_t)number;
            options.highest_bucket = *end == '-' ? (uint32_t)strtoul(end + 1, NULL, 10) : 0;
        }
    }
    cairn_context *context;
    if (at == argc || !options.count || cairn_context_create(NULL, &context)) {
        fprintf(stderr, "usage: generators [--problems N] [--buckets LOW-HIGH] [--seed S] MAP…\n");
        return 2;
    }
    printf("| map | size | open | components | largest | mean length | difficulty: mean | median | "
           "deviation | most |\n"
           "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    int end = 0;
    for (; at < argc; at++) {
        int one = row(context, argv[at], &options);
        if (one) end = one;
    }
    cairn_context_destroy(context);
    return end;
}
