/* reference.c: what the library answers on this machine, for the tests of the JavaScript package,
 * which must get the same from WebAssembly: for some worlds and profiles and every algorithm that
 * serves them, 25 random problems, then an edit and 25 more; on some of them also a walk in fog;
 * and what a picture and a trace of a search are. A line says how the world is made and for whom;
 * the lines below it have, for each algorithm, how many paths were found, the sums of their costs
 * and of nodes expanded, and a hash of every turning point; then, in fog, the sums of the walk and
 * a hash of its moves.
 *
 *     build/dev/bin/js_reference >bindings/js/test/reference.txt
 */
#include <cairn/io.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 25, EDITS = 40, TRIES = 100, TURNS = 500 };

typedef struct reference_case {
    const char *generator;
    uint32_t width, height, seed;
    const char *neighbours, *corners;
    double radius;
    bool swamp;      /* every eighth cell, which costs three times as much */
    uint32_t sensor; /* how far agents see that walk in fog; 0 = nobody does */
} reference_case;

static const reference_case cases[] = {
    {"caves", 64, 64, 1, "8", "never", 0, false, 2},
    {"random", 48, 40, 2, "8", "one", 0, false, 0},
    {"random", 40, 48, 3, "8", "always", 0, false, 0},
    {"rooms", 65, 65, 4, "4", "never", 0, false, 0},
    {"caves", 64, 48, 5, "8", "never", 0, true, 3},
    {"facility", 96, 96, 6, "8", "never", 1.2, false, 4},
    {"random", 40, 40, 7, "hex", "never", 0, false, 2},
    {"maze", 41, 41, 8, "8", "never", 0, false, 0},
};

typedef struct reference_sum {
    uint64_t hash, cost, expanded;
    uint32_t found;
} reference_sum;

static void must(cairn_status status, const char *what)
{
    if (!status) return;
    fprintf(stderr, "js_reference: %s: %s\n", what, cairn_status_text(status));
    exit(1);
}

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

/* A node that can be stood on, if luck finds one. */
static cairn_node draw_node(const cairn_space *space, uint64_t *state)
{
    cairn_node node = 0;
    for (uint32_t i = 0; i < TRIES; i++) {
        node = draw(state, cairn_space_node_count(space));
        if (cairn_space_usable(space, node)) break;
    }
    return node;
}

/* FNV-1a over 32-bit words, low byte first. */
static void hash_word(uint64_t *hash, uint32_t word)
{
    for (uint32_t shift = 0; shift < 32; shift += 8)
        *hash = (*hash ^ (word >> shift & 255u)) * 0x100000001b3u;
}

static cairn_grid *make_world(cairn_context *context, const reference_case *c)
{
    cairn_generator generator = cairn_generator_default(cairn_generator_find(c->generator));
    generator.width = c->width;
    generator.height = c->height;
    generator.seed = c->seed;
    cairn_grid *grid = NULL;
    must(cairn_generate(context, &generator, &grid, NULL), "generate");
    if (c->neighbours[0] == 'h') must(cairn_grid_set_layout(grid, CAIRN_LAYOUT_HEX), "layout");
    uint64_t state = c->seed;
    for (uint32_t i = 0; c->swamp && i < c->width * c->height; i++) {
        cairn_cell cell = cairn_grid_cell(grid, i);
        if (!draw(&state, 8))
            must(cairn_grid_set_terrain(grid, cell.x, cell.y, CAIRN_TERRAIN_SWAMP), "terrain");
    }
    must(cairn_grid_commit(grid), "commit");
    return grid;
}

static cairn_space *make_space(cairn_grid *grid, const reference_case *c)
{
    cairn_profile profile = cairn_profile_for(grid);
    if (c->neighbours[0] != 'h')
        profile.neighbours = c->neighbours[0] == '4' ? CAIRN_NEIGHBOURS_4 : CAIRN_NEIGHBOURS_8;
    profile.corners = c->corners[0] == 'n'   ? CAIRN_CORNERS_NEVER
                      : c->corners[0] == 'o' ? CAIRN_CORNERS_ONE
                                             : CAIRN_CORNERS_ALWAYS;
    profile.radius = c->radius;
    profile.terrain_cost[CAIRN_TERRAIN_SWAMP] = c->swamp ? CAIRN_TIMES(3) : CAIRN_TIMES(1);
    cairn_space *space = NULL;
    must(cairn_space_of_grid(grid, &profile, &space, NULL), "space");
    return space;
}

static void add_problem(cairn_search *search, const cairn_space *space, uint64_t *state,
                        reference_sum *sum)
{
    cairn_query query = {.from = draw_node(space, state)};
    query.to = draw_node(space, state);
    const cairn_path *path = NULL;
    cairn_search_find(search, &query, &path);
    uint64_t expanded = cairn_search_metrics(search).expanded;
    sum->found += path->status == CAIRN_FOUND;
    sum->cost += path->status == CAIRN_FOUND ? path->cost : 0;
    sum->expanded += expanded;
    hash_word(&sum->hash, (uint32_t)path->status);
    hash_word(&sum->hash, path->cost);
    hash_word(&sum->hash, (uint32_t)expanded);
    for (uint32_t i = 0; i < path->count; i++) hash_word(&sum->hash, path->nodes[i]);
}

/* Some cells become open, or blocked. */
static void edit(cairn_grid *grid, uint64_t *state)
{
    uint32_t count = cairn_grid_width(grid) * cairn_grid_height(grid);
    for (uint32_t i = 0; i < EDITS; i++) {
        cairn_cell cell = cairn_grid_cell(grid, draw(state, count));
        must(cairn_grid_set_open(grid, cell.x, cell.y, draw(state, 2) != 0), "edit");
    }
    must(cairn_grid_commit(grid), "commit");
}

static void run_algorithm(cairn_context *context, const reference_case *c,
                          const cairn_algorithm *algorithm)
{
    cairn_grid *grid = make_world(context, c);
    cairn_space *space = make_space(grid, c);
    cairn_planner *planner = NULL;
    if (cairn_planner_create(space, algorithm->name, &planner, NULL) == CAIRN_OK) {
        must(cairn_planner_build(planner, NULL, NULL), "build");
        cairn_search *search = NULL;
        must(cairn_search_create(planner, NULL, &search), "search");
        reference_sum sum = {.hash = 0xcbf29ce484222325u};
        uint64_t state = c->seed;
        for (uint32_t i = 0; i < PROBLEMS; i++) add_problem(search, space, &state, &sum);
        edit(grid, &state);
        must(cairn_planner_sync(planner, NULL, NULL), "sync");
        for (uint32_t i = 0; i < PROBLEMS; i++) add_problem(search, space, &state, &sum);
        printf("%s %u %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", algorithm->name, sum.found,
               sum.cost, sum.expanded, sum.hash);
        cairn_search_destroy(search);
    }
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* ---- a walk in fog ---- */

static void walk_in_fog(cairn_navigator *navigator, const char *name)
{
    reference_sum sum = {.hash = 0xcbf29ce484222325u};
    cairn_move move = {0};
    for (uint32_t i = 0; i < TURNS && !move.arrived && move.kind != CAIRN_MOVE_STOP; i++) {
        cairn_navigator_next(navigator, &move);
        hash_word(&sum.hash, (uint32_t)move.kind);
        hash_word(&sum.hash, move.to);
        hash_word(&sum.hash, move.seen);
    }
    cairn_walk_sums sums = cairn_navigator_sums(navigator);
    printf("fog %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", name,
           sums.moves, sums.cost, sums.expanded, sums.seen, sum.hash);
}

/* Nothing is printed for those that do not serve this world, or get no sensor in it. */
static void run_fog(cairn_context *context, const reference_case *c,
                    const cairn_algorithm *algorithm)
{
    cairn_grid *truth = make_world(context, c), *known = NULL;
    must(cairn_grid_known(truth, CAIRN_KNOW_NOTHING, 0, &known, NULL), "known");
    cairn_space *true_space = make_space(truth, c), *space = make_space(known, c);
    cairn_planner *planner = NULL;
    cairn_navigator *navigator = NULL;
    uint64_t state = c->seed;
    cairn_node from = draw_node(true_space, &state), to = draw_node(true_space, &state);
    if (cairn_planner_create(space, algorithm->name, &planner, NULL) == CAIRN_OK) {
        must(cairn_navigator_create(planner, NULL, &navigator), "navigator");
        if (!cairn_navigator_set_sensor(navigator, true_space, c->sensor, NULL)) {
            must(cairn_navigator_start(navigator, from, to), "start");
            walk_in_fog(navigator, algorithm->name);
        }
    }
    cairn_navigator_destroy(navigator);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_space_destroy(true_space);
    cairn_grid_destroy(known);
    cairn_grid_destroy(truth);
}

/* ---- a picture and a trace of one search ---- */

static uint64_t hash_bytes(const void *data, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const uint8_t *)data)[i]) * 0x100000001b3u;
    return hash;
}

typedef struct reference_text {
    char *data;
    size_t size;
} reference_text;

static cairn_status collect(void *user, const void *data, size_t size)
{
    reference_text *text = user;
    text->data = realloc(text->data, text->size + size + 1);
    if (!text->data) return CAIRN_OUT_OF_MEMORY;
    memcpy(text->data + text->size, data, size);
    text->size += size;
    return CAIRN_OK;
}

static void print_picture(cairn_context *context, cairn_picture *picture)
{
    cairn_curve curve = {0};
    if (picture->path && !cairn_smooth_spline(picture->space, picture->path, NULL, &curve)) {
        curve.points = malloc((curve.count + 1) * sizeof *curve.points);
        curve.capacity = curve.count;
        must(cairn_smooth_spline(picture->space, picture->path, NULL, &curve), "spline");
    }
    picture->curve = curve.points;
    picture->curve_count = curve.count;
    cairn_file file;
    must(cairn_picture_svg(picture, &file, NULL), "picture");
    printf("svg %zu %016" PRIx64 "\n", file.size, hash_bytes(file.data, file.size));
    cairn_file_free(context, &file);
    free(curve.points);
}

static void run_exports(cairn_context *context, const reference_case *c)
{
    cairn_grid *grid = make_world(context, c);
    cairn_space *space = make_space(grid, c);
    cairn_planner *planner = NULL;
    cairn_search *search = NULL;
    cairn_recording *recording = NULL;
    cairn_posthoc *posthoc = NULL;
    const cairn_path *path = NULL;
    uint64_t state = c->seed;
    cairn_query query = {.from = draw_node(space, &state)};
    query.to = draw_node(space, &state);
    must(cairn_planner_create(space, "astar", &planner, NULL), "planner");
    must(cairn_search_create(planner, NULL, &search), "search");

    reference_text text = {0};
    cairn_writer writer = {.write = collect, .user = &text};
    must(cairn_posthoc_create(space, &writer, &posthoc), "trace");
    cairn_trace_sink sink = cairn_posthoc_sink(posthoc);
    cairn_search_trace(search, &sink);
    cairn_search_find(search, &query, &path);
    must(cairn_posthoc_finish(posthoc, NULL), "trace");
    printf("posthoc %zu %016" PRIx64 "\n", text.size, hash_bytes(text.data, text.size));
    free(text.data);

    must(cairn_recording_create(space, &recording), "recording");
    sink = cairn_recording_sink(recording);
    cairn_search_trace(search, &sink);
    cairn_search_find(search, &query, &path);
    cairn_picture picture = {
        .space = space, .recording = recording, .colour = CAIRN_COLOUR_F, .legend = true};
    picture.path = path->count ? path : NULL;
    picture.from = query.from;
    picture.to = query.to;
    print_picture(context, &picture);
    cairn_search_destroy(search);
    cairn_recording_destroy(recording);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

int main(void)
{
    cairn_context *context = NULL;
    must(cairn_context_create(NULL, &context), "context");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const reference_case *c = &cases[i];
        printf("world %s %u %u %u %s %s %g %s %u\n", c->generator, c->width, c->height, c->seed,
               c->neighbours, c->corners, c->radius, c->swamp ? "swamp" : "plain", c->sensor);
        for (uint32_t k = 0; k < cairn_algorithm_count(); k++)
            run_algorithm(context, c, cairn_algorithm_at(k));
        for (uint32_t k = 0; c->sensor && k < cairn_algorithm_count(); k++)
            run_fog(context, c, cairn_algorithm_at(k));
        run_exports(context, c);
    }
    cairn_context_destroy(context);
    return 0;
}
