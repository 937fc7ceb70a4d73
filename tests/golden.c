/* golden.c: prints `name hash` for many seeded queries of every algorithm. The same lines
 * must come out of every compiler, every optimisation, every machine and any number of
 * threads; tests/golden.txt holds them. The other golden_*.c files add what answers do not show:
 * traces, saved indexes, overlays, repairs, every kind of query, walks.
 *
 *     golden                 prints the lines
 *     golden --threads N     the same with N workers
 *     golden --defaults      without the lines of print_choices, which take half the time
 */
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUERIES = 16, PIECES = 8 };

/* ---- FNV-1a, 64 bits ---------------------------------------------------------------- */

uint64_t golden_bytes(uint64_t hash, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        hash = (hash ^ (value >> (8 * i) & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t golden_start(void)
{
    return UINT64_C(0xcbf29ce484222325);
}

uint64_t golden_number(uint64_t hash, double value)
{
    return golden_bytes(hash, (uint64_t)(int64_t)(value * 1000), 8);
}

uint64_t golden_path(const cairn_path *path, cairn_metrics metrics)
{
    uint64_t hash = golden_bytes(golden_start(), (uint32_t)path->status, 4);
    hash = golden_bytes(hash, path->partial, 1);
    hash = golden_bytes(hash, path->cost, 4);
    hash = golden_bytes(hash, path->end, 4);
    hash = golden_bytes(hash, path->count, 4);
    for (uint32_t i = 0; i < path->count; i++) hash = golden_bytes(hash, path->nodes[i], 4);
    for (uint32_t i = 0; i < path->link_count; i++) {
        hash = golden_bytes(hash, path->links[i].at, 4);
        hash = golden_bytes(hash, path->links[i].id, 4);
    }
    hash = golden_bytes(hash, metrics.expanded, 8);
    hash = golden_bytes(hash, metrics.generated, 8);
    return golden_number(hash, path->length);
}

/* ---- queries, shared out among the workers ------------------------------------------ */

typedef struct batch {
    cairn_planner *planner;
    cairn_query queries[QUERIES];
    uint64_t hashes[QUERIES];
    bool failed[PIECES];
} batch;

static void batch_piece(void *user, uint32_t piece)
{
    batch *b = user;
    cairn_search *search = NULL;
    if (cairn_search_create(b->planner, NULL, &search) != CAIRN_OK) {
        b->failed[piece] = true;
        return;
    }
    for (uint32_t q = piece; q < QUERIES; q += PIECES) {
        const cairn_path *path = NULL;
        cairn_search_find(search, &b->queries[q], &path);
        if (path) b->hashes[q] = golden_path(path, cairn_search_metrics(search));
    }
    cairn_search_destroy(search);
}

/* The hash of all queries in order, or 0 if something could not be made. */
static uint64_t batch_run(cairn_context *context, batch *b)
{
    memset(b->failed, 0, sizeof b->failed);
    cairn_parallel_for(context, PIECES, batch_piece, b);
    uint64_t hash = golden_start();
    for (uint32_t i = 0; i < PIECES; i++) {
        if (b->failed[i]) return 0;
    }
    for (uint32_t q = 0; q < QUERIES; q++) hash = golden_bytes(hash, b->hashes[q], 8);
    return hash;
}

/* One of the query kinds in turn; every fourth has a limit or an area for a goal. */
static void batch_ask(batch *b, uint32_t q, uint32_t flags, cairn_node from, cairn_node to)
{
    b->queries[q] = (cairn_query){.from = from, .to = to};
    if (q % 4 == 1) b->queries[q].max_work = 20 + 7 * q;
    if (q % 4 == 2) b->queries[q].max_cost = 100000 * (q + 1);
    if (q % 4 == 3 && (flags & CAIRN_MANY_GOALS)) {
        b->queries[q].goal_kind = q % 8 == 3 ? CAIRN_GOAL_NEXT_TO : CAIRN_GOAL_WITHIN;
        b->queries[q].radius = 2.5;
    }
}

static uint64_t spec_on_space(cairn_space *space, const char *spec, const scene *s, uint64_t seed)
{
    batch b = {0};
    /* refused: golden too */
    if (golden_planner(space, spec, &b.planner) != CAIRN_OK) return 1;
    if (cairn_planner_build(b.planner, NULL, NULL) != CAIRN_OK) {
        cairn_planner_destroy(b.planner);
        return 2;
    }
    scene_rng rng = {seed};
    uint32_t flags = cairn_planner_algorithm(b.planner)->flags,
             nodes = cairn_space_node_count(space);
    for (uint32_t q = 0; q < QUERIES; q++) {
        cairn_node from = s ? scene_pick(s, &rng) : scene_random(&rng, nodes);
        cairn_node to = s && q % 5 ? scene_pick(s, &rng) : scene_random(&rng, nodes);
        batch_ask(&b, q, flags, from, to);
    }
    uint64_t hash = batch_run(cairn_space_context(space), &b);
    cairn_planner_destroy(b.planner);
    return hash;
}

static uint64_t spec_on_scene(cairn_context *context, const char *spec, const scene *s)
{
    uint64_t hash = golden_start();
    cairn_grid *grid;
    if (scene_grid(s, context, &grid) != CAIRN_OK) return 0;
    cairn_profile profile;
    for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
        cairn_space *space;
        if (cairn_space_of_grid(grid, &profile, &space, NULL) != CAIRN_OK) return 0;
        hash = golden_bytes(hash, spec_on_space(space, spec, s, 100 + rule), 8);
        cairn_space_destroy(space);
    }
    cairn_grid_destroy(grid);
    return hash;
}

void golden_print(const char *what, const char *where, uint64_t hash)
{
    printf("%s/%s %016llx\n", what, where, (unsigned long long)hash);
}

/* ---- what is printed ---------------------------------------------------------------- */

static void print_grids(cairn_context *context)
{
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene *s = scene_at(i);
        for (uint32_t a = 0; a < golden_spec_count(); a++) {
            const char *name = golden_spec_at(a);
            golden_print(name, s->name, spec_on_scene(context, name, s));
        }
        scene_destroy(s);
    }
}

static void print_graphs(cairn_context *context)
{
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        cairn_graph *graph = NULL;
        cairn_space *space = NULL;
        bool made = graph_scene_graph(s, context, &graph) == CAIRN_OK &&
                    cairn_space_of_graph(graph, &space, NULL) == CAIRN_OK;
        for (uint32_t a = 0; made && a < golden_spec_count(); a++) {
            const char *name = golden_spec_at(a);
            golden_print(name, s->name, spec_on_space(space, name, NULL, 200 + i));
        }
        cairn_space_destroy(space);
        cairn_graph_destroy(graph);
        graph_scene_destroy(s);
    }
}

/* Every choice of every parameter, on a large map with everything and on a large plain one. No
 * other lines name these maps. */
static void print_choices(cairn_context *context)
{
    scene *plain = scene_noise("large", 130, 70, 25, 301),
          *rich = scene_noise("rich", 70, 66, 10, 302);
    scene_add_terrain(rich, 303);
    scene_add_danger(rich, 304);
    scene_add_cliffs(rich, 305);
    scene *hex = scene_noise("hex-large", 90, 80, 4, 306);
    scene_add_terrain(hex, 307);
    scene_make_hex(hex);
    hex->profile.radius = 0.8;
    scene_add_links(hex, 14, 100, 9000, false, 308);
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        for (uint32_t p = 0; p < a->parameter_count; p++) {
            const cairn_parameter *parameter = &a->parameters[p];
            if (parameter->type != CAIRN_PARAMETER_CHOICE) continue;
            for (int64_t v = 0; v <= parameter->maximum; v++) {
                char spec[GOLDEN_SPEC];
                golden_spec_write(a, parameter, v, spec);
                /* Boxes take a search from every cell: the smaller map will do. */
                if (!strstr(spec, "boxes=on"))
                    golden_print(spec, plain->name, spec_on_scene(context, spec, plain));
                golden_print(spec, rich->name, spec_on_scene(context, spec, rich));
                golden_print(spec, hex->name, spec_on_scene(context, spec, hex));
            }
        }
    }
    scene_destroy(plain);
    scene_destroy(rich);
    scene_destroy(hex);
}

static uint64_t hash_grid(cairn_grid *grid)
{
    uint64_t hash = golden_start();
    for (uint32_t y = 0; y < cairn_grid_height(grid); y++) {
        for (uint32_t x = 0; x < cairn_grid_width(grid); x++) {
            hash = golden_bytes(hash, cairn_grid_is_open(grid, (int32_t)x, (int32_t)y), 1);
        }
    }
    cairn_grid_destroy(grid);
    return hash;
}

static void print_generators(cairn_context *context)
{
    for (uint32_t k = 0; k < CAIRN_GENERATE_SCALED; k++) {
        for (uint32_t seed = 1; seed <= 3; seed++) {
            cairn_generator generator = cairn_generator_default((cairn_generator_kind)k);
            cairn_grid *grid;
            char name[40];
            snprintf(name, sizeof name, "seed-%u", seed);
            generator.width = 150;
            generator.height = 140;
            generator.seed = seed;
            if (k == CAIRN_GENERATE_ROOMS) generator.room = 7, generator.closed = 25;
            if (cairn_generate(context, &generator, &grid, NULL) == CAIRN_OK)
                golden_print(cairn_generator_about(generator.kind)->name, name, hash_grid(grid));
        }
    }
}

/* Estimates between many cells on every cost scale: where floating point could creep in. */
static void print_estimates(cairn_context *context, cairn_layout layout, const char *prefix)
{
    cairn_grid *grid;
    cairn_grid_options options = {.width = 3000, .height = 2500, .layout = layout};
    if (cairn_grid_create(context, &options, &grid, NULL) != CAIRN_OK) return;
    for (uint32_t cost_scale = 0; cost_scale < CAIRN_COST_SCALES; cost_scale++) {
        cairn_profile profile = cairn_profile_for(grid);
        cairn_space *space;
        profile.cost_scale = cost_scale;
        if (cairn_space_of_grid(grid, &profile, &space, NULL) != CAIRN_OK) return;
        for (int h = 0; h < CAIRN_HEURISTIC_COUNT; h++) {
            uint64_t hash = golden_start();
            scene_rng rng = {cost_scale * 10 + 1};
            for (uint32_t i = 0; i < 5000; i++) {
                cairn_node a = scene_random(&rng, 3000 * 2500), b = scene_random(&rng, 3000 * 2500);
                hash = golden_bytes(hash, cairn_estimate(space, (cairn_heuristic)h, a, b), 4);
            }
            char name[40];
            snprintf(name, sizeof name, "%srung-%u", prefix, cost_scale);
            golden_print(cairn_heuristic_name((cairn_heuristic)h), name, hash);
        }
        cairn_space_destroy(space);
    }
    cairn_grid_destroy(grid);
}

static cairn_status hash_piece(void *user, const void *data, size_t size)
{
    uint64_t *hash = user;
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) *hash = golden_bytes(*hash, bytes[i], 1);
    return CAIRN_OK;
}

/* Every byte of the files that worlds are stored in, and the hashes of spaces. */
static void print_containers(cairn_context *context)
{
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene *s = scene_at(i);
        cairn_grid *grid = NULL;
        cairn_space *space = NULL;
        cairn_store *store = NULL;
        uint64_t hash = golden_start();
        cairn_writer writer = {hash_piece, &hash};
        if (!scene_grid(s, context, &grid) &&
            !cairn_space_of_grid(grid, &s->profile, &space, NULL) &&
            !cairn_store_create(context, &store) && !cairn_store_grid(store, grid) &&
            !cairn_store_profile(store, &s->profile) && !cairn_store_write(store, &writer)) {
            golden_print("container", s->name, hash);
            golden_print("identity", s->name, cairn_space_hash(space));
        }
        cairn_store_destroy(store);
        cairn_space_destroy(space);
        cairn_grid_destroy(grid);
        scene_destroy(s);
    }
}

int main(int count, char **arguments)
{
    cairn_context_options options = cairn_context_defaults();
    bool defaults = count == 2 && !strcmp(arguments[1], "--defaults");
    if (count == 3 && !strcmp(arguments[1], "--threads")) {
        options.workers = (uint32_t)strtoul(arguments[2], NULL, 10);
    } else if (count != 1 && !defaults) {
        fprintf(stderr, "golden [--threads N | --defaults]\n");
        return 2;
    }
    cairn_context *context;
    if (cairn_context_create(&options, &context) != CAIRN_OK) {
        fprintf(stderr, "golden: no context with %u workers\n", options.workers);
        return 2;
    }
    print_grids(context);
    print_graphs(context);
    if (!defaults) print_choices(context);
    print_generators(context);
    print_estimates(context, CAIRN_LAYOUT_SQUARE, "");
    print_estimates(context, CAIRN_LAYOUT_HEX, "hex-");
    print_containers(context);
    golden_traces(context);
    golden_asked(context);
    golden_indexes(context);
    golden_repairs(context);
    golden_walks(context);
    cairn_context_destroy(context);
    return 0;
}
