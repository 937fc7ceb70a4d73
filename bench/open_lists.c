/* open_lists.c: what the open lists take in real searches: `bench_open_lists [-i] [-r REPEATS]
 * [-q QUERIES] WORLD PLANNER…`.
 *
 * WORLD is a map (a file), or a generated one: KIND/SIDE. With +terrain at its end, half of its
 * cells are covered by patches of terrain that costs two to five times as much. The queries are
 * random, from one component, and the same for each planner. Each planner is a line of words:
 *
 *     PLANNER queries cost expanded generated reopened pushes compares bytes list-bytes us
 *
 * The planners plain/entry, plain/record+h, plain/record, plain/h and plain/none are not of the
 * library, but the plain loops of stored.h. Their bytes are those of the records of all nodes that
 * a query saw, and of the list.
 *
 * Comparisons of entries are counted by the lists, by the heap only in a build with CAIRN_CHECKS,
 * so that its own loops do not pay for it elsewhere; what is not counted is "-". Bytes are the most of a query. The time
 * is the processor time of all queries, the least of REPEATS rounds (3) in which the planners take
 * turns. With -i each planner is asked once, for callgrind to count: each is a dump of its own,
 * named by the planner (bench/open-lists reads them). The program looks inside of searches, so it
 * is linked with the static library.
 */
#define _POSIX_C_SOURCE 200809L
#include "search/best_first_loops.h"
#include "stored.h"

#include <cairn/generate.h>
#include <cairn/io.h>
#include <string.h>
#include <unistd.h>

enum { QUERIES = 1000, PLANNERS = 64, CLASSES = 4, LARGEST = 12 };

static uint32_t query_count = 20, repeats = 3;
static bool counting;
static cairn_query asked[QUERIES];

typedef struct sums {
    uint64_t cost, expanded, generated, reopened, pushes, compares, bytes, list_bytes;
    bool compared;
    double us;
} sums;

/* ---- worlds ---- */

static void cover(cairn_grid *grid)
{
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid);
    uint64_t state = 777, left = (uint64_t)width * height / 2;
    while (left) {
        uint32_t x = random_below(&state, width), y = random_below(&state, height),
                 right = x + 1 + random_below(&state, LARGEST),
                 bottom = y + 1 + random_below(&state, LARGEST);
        uint8_t class = (uint8_t)(1 + random_below(&state, CLASSES));
        for (uint32_t i = y * width; i < bottom * width && i < height * width; i += width) {
            for (uint32_t u = x; u < right && u < width; u++) {
                int32_t v = (int32_t)(i / width);
                if (cairn_grid_terrain(grid, (int32_t)u, v) == 0 && left) left--;
                check(cairn_grid_set_terrain(grid, (int32_t)u, v, class), "terrain");
            }
        }
    }
    check(cairn_grid_commit(grid), "terrain");
}

/* KIND/SIDE; NULL if there is no such kind. */
static cairn_grid *generated(cairn_context *context, const char *kind, uint32_t side)
{
    cairn_grid *grid = NULL;
    for (uint32_t i = 0; i < CAIRN_GENERATE_SCALED && side; i++) {
        if (strcmp(cairn_generator_about((cairn_generator_kind)i)->name, kind)) continue;
        cairn_generator generator = cairn_generator_default((cairn_generator_kind)i);
        generator.width = generator.height = side;
        generator.seed = 1;
        check(cairn_generate(context, &generator, &grid, NULL), kind);
    }
    return grid;
}

/* Takes +terrain off the name of a world. */
static bool has_terrain(char *world)
{
    char *terrain = strstr(world, "+terrain");
    if (terrain) *terrain = 0;
    return terrain;
}

static cairn_grid *grid_of(cairn_context *context, const char *world, bool terrain)
{
    char kind[64] = "";
    const char *side = strrchr(world, '/');
    cairn_error error = {0};
    if (side) snprintf(kind, sizeof kind, "%.*s", (int)(side - world), world);
    cairn_grid *grid = generated(context, kind, side ? (uint32_t)atoi(side + 1) : 0);
    if (!grid && cairn_grid_load(context, world, &grid, &error) != CAIRN_OK) {
        fprintf(stderr, "%s: %s\n", world, error.text);
        exit(1);
    }
    if (terrain) cover(grid);
    return grid;
}

static void draw_queries(cairn_space *space)
{
    uint64_t state = 99;
    for (uint32_t i = 0; i < query_count; i++) {
        do
            asked[i] =
                (cairn_query){.from = random_cell(space, &state), .to = random_cell(space, &state)};
        while (cairn_reachable(space, asked[i].from, asked[i].to) != CAIRN_REACH_YES);
    }
}

/* ---- measuring ---- */

/* What a list has compared in a query; false = it does not count. Buckets have no order inside, and
 * between them it is the key's own: no entry is ever compared with another one. */
static bool compared(const crn_best_first *bf, uint64_t *compares)
{
    *compares = 0;
    if (best_first_is_plugged(bf) && bf->lists->compares) {
        *compares = bf->lists->compares(bf->list);
        return true;
    }
#if defined(CAIRN_CHECKS)
    if (bf->settings.open == CRN_OPEN_HEAP) return *compares = bf->heap.compares, true;
#endif
    return bf->settings.open == CRN_OPEN_BUCKETS;
}

static void look_inside(const cairn_search *search, sums *all)
{
    const crn_best_first *bf = search->scratch;
    size_t bytes = crn_best_first_list_bytes(bf);
    if (bytes > all->list_bytes) all->list_bytes = bytes;
    uint64_t compares;
    all->compared = compared(bf, &compares);
    all->compares += compares;
}

static void ask_search(cairn_search *search, const cairn_query *query, sums *all)
{
    const cairn_path *path;
    if (counting) CALLGRIND_START_INSTRUMENTATION;
    cairn_status status = cairn_search_find(search, query, &path);
    if (counting) CALLGRIND_STOP_INSTRUMENTATION;
    if (status != CAIRN_FOUND) check(status, "a query");
    cairn_metrics metrics = cairn_search_metrics(search);
    all->cost += path->cost;
    all->expanded += metrics.expanded;
    all->generated += metrics.generated;
    all->reopened += metrics.reopened;
    all->pushes += metrics.pushes;
    if (metrics.peak_bytes > all->bytes) all->bytes = metrics.peak_bytes;
    look_inside(search, all);
}

static void ask_plain(stored_search *plain, uint32_t what, const cairn_query *query, sums *all)
{
    uint64_t seen = plain->generated;
    plain->peak = 0;
    if (counting) CALLGRIND_START_INSTRUMENTATION;
    stored_ask(plain, what, query);
    if (counting) CALLGRIND_STOP_INSTRUMENTATION;
    size_t list = plain->peak * stored_entry_words(what) * sizeof *plain->heap,
           bytes = (plain->generated - seen) * stored_words(what) * sizeof *plain->records + list;
    if (list > all->list_bytes) all->list_bytes = list;
    if (bytes > all->bytes) all->bytes = bytes;
}

/* What is asked: a search of the library, or a plain loop. */
typedef struct asker {
    cairn_planner *planner;
    cairn_search *search; /* NULL: a plain loop, which stores ... */
    uint32_t what;
    stored_search plain;
} asker;

static asker asker_of(cairn_space *space, const char *spec)
{
    static const char plain[] = "plain/";
    asker one = {.search = NULL};
    if (strncmp(spec, plain, sizeof plain - 1)) {
        one.search = search_of(space, spec, &one.planner);
        return one;
    }
    uint32_t at = 0;
    while (at < STORED_COUNT && strcmp(spec + sizeof plain - 1, stored_abouts[at].name)) at++;
    check(at < STORED_COUNT ? CAIRN_OK : CAIRN_INVALID, spec);
    one.what = stored_abouts[at].what;
    stored_open(&one.plain, space);
    return one;
}

static void asker_end(asker *one)
{
    if (!one->search) stored_close(&one->plain);
    cairn_search_destroy(one->search);
    cairn_planner_destroy(one->planner);
}

static void ask(asker *one, sums *all)
{
    stored_search *plain = &one->plain;
    *all = (sums){.us = all->us};
    plain->cost = plain->expanded = plain->generated = plain->pushes = plain->compares = 0;
    double begun = now_us();
    for (uint32_t i = 0; i < query_count; i++) {
        if (one->search)
            ask_search(one->search, &asked[i], all);
        else
            ask_plain(plain, one->what, &asked[i], all);
    }
    double us = now_us() - begun;
    if (!one->search) {
        all->cost = plain->cost;
        all->expanded = plain->expanded;
        all->generated = plain->generated;
        all->pushes = plain->pushes;
        all->compares = plain->compares;
        all->compared = true;
    }
    if (all->us <= 0 || us < all->us) all->us = us;
}

static void tell(const char *planner, const sums *all)
{
    printf("%s %u %llu %llu %llu %llu %llu ", planner, query_count, (unsigned long long)all->cost,
           (unsigned long long)all->expanded, (unsigned long long)all->generated,
           (unsigned long long)all->reopened, (unsigned long long)all->pushes);
    if (all->compared)
        printf("%llu ", (unsigned long long)all->compares);
    else
        printf("- ");
    printf("%llu %llu %.0f\n", (unsigned long long)all->bytes, (unsigned long long)all->list_bytes,
           all->us);
}

static void measure(cairn_space *space, char **specs, uint32_t count)
{
    static sums all[PLANNERS];
    static asker askers[PLANNERS];
    for (uint32_t i = 0; i < count; i++) askers[i] = asker_of(space, specs[i]);
    for (uint32_t round = 0; round < repeats; round++) {
        for (uint32_t i = 0; i < count; i++) ask(&askers[i], &all[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        tell(specs[i], &all[i]);
        asker_end(&askers[i]);
    }
}

/* Memory is taken before it counts. */
static void count_instructions(cairn_space *space, char **specs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        sums all = {0};
        asker one = asker_of(space, specs[i]);
        const cairn_path *path;
        if (one.search) cairn_search_find(one.search, &asked[0], &path);
        ask(&one, &all);
        CALLGRIND_DUMP_STATS_AT(specs[i]);
        asker_end(&one);
    }
}

int main(int argc, char **argv)
{
    for (int option; (option = getopt(argc, argv, "iq:r:")) != -1;) {
        if (option == 'i')
            counting = true;
        else if (option == 'q')
            query_count = (uint32_t)atoi(optarg);
        else if (option == 'r')
            repeats = (uint32_t)atoi(optarg);
        else
            return 2;
    }
    uint32_t count = (uint32_t)(argc - optind - 1);
    if (argc - optind < 2 || count > PLANNERS || !query_count || query_count > QUERIES) {
        fprintf(stderr, "usage: bench_open_lists [-i] [-r REPEATS] [-q QUERIES] WORLD PLANNER…\n");
        return 2;
    }
    cairn_context *context;
    cairn_space *space;
    cairn_profile profile = cairn_profile_default();
    bool terrain = has_terrain(argv[optind]);
    for (uint32_t i = 1; i <= CLASSES && terrain; i++)
        profile.terrain_cost[i] = (uint16_t)CAIRN_TIMES(i + 1);
    check(cairn_context_create(NULL, &context), "a context");
    cairn_grid *grid = grid_of(context, argv[optind], terrain);
    check(cairn_space_of_grid(grid, &profile, &space, NULL), argv[optind]);
    draw_queries(space);
    (counting ? count_instructions : measure)(space, argv + optind + 1, count);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    return 0;
}
