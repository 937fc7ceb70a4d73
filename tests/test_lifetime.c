/* test_lifetime.c: parents that are destroyed before their children (decision 13).
 *
 * A world with everything that hangs on it is destroyed in all orders. After each step, whatever
 * the caller still has must answer as before. The allocator overwrites what is freed, so that memory
 * which is gone cannot look alive, and in the end every block must be back.
 */
#include "support.h"

#include <pthread.h>

/* What there is to destroy, and nothing that is destroyed is used again. */
enum { CONTEXT, WORLD, SPACE, PLANNER, SEARCH, NAVIGATOR, OBJECTS };

typedef struct family {
    watched memory;
    cairn_context *context;
    cairn_grid *grid;
    cairn_graph *graph;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    cairn_navigator *navigator;
    cairn_node to;
    cairn_cost cost; /* of the path from 0 */
    bool gave_up;    /* it found no path in the beginning */
    bool gone[OBJECTS];
} family;

enum { SIDE = 14 };

static void family_graph(family *f)
{
    static const cairn_graph_edge edges[] = {{0, 1, 3}, {1, 2, 4}, {0, 2, 9}, {2, 3, 1}};
    cairn_graph_options options = {
        .node_count = 4, .edge_count = 4, .edges = edges, .both_ways = true};
    CHECK_OK(cairn_graph_create(f->context, &options, &f->graph, NULL));
    CHECK_OK(cairn_space_of_graph(f->graph, &f->space, NULL));
    f->to = 3;
}

static void family_grid(family *f)
{
    uint8_t open[SIDE * SIDE];
    memset(open, 1, sizeof open);
    for (uint32_t i = 0; i < SIDE - 1; i++) open[6 * SIDE + i] = 0;
    cairn_grid_options options = {.width = SIDE, .height = SIDE, .open = open};
    CHECK_OK(cairn_grid_create(f->context, &options, &f->grid, NULL));
    cairn_owned_path easy; /* what it leaves in the grid must go too */
    CHECK_OK(cairn_find_path(f->grid, (cairn_cell){0, 0}, (cairn_cell){0, 9}, &easy));
    cairn_path_free(&easy);
    CHECK_OK(cairn_space_of_grid(f->grid, NULL, &f->space, NULL));
    f->to = SIDE * SIDE - SIDE;
}

static cairn_cost family_ask(family *f)
{
    const cairn_path *path;
    cairn_status status =
        cairn_search_find(f->search, &(cairn_query){.from = 0, .to = f->to}, &path);
    f->gave_up =
        f->gave_up || (!f->gone[PLANNER] && gave_up(cairn_planner_algorithm(f->planner), status));
    if (!f->gave_up) CHECK_OK(status);
    return path->cost;
}

static void family_make(family *f, const char *spec, bool graph)
{
    *f = (family){0};
    CHECK_OK(watched_context(&f->memory, &f->context));
    if (graph)
        family_graph(f);
    else
        family_grid(f);
    CHECK_OK(planner_ready(f->space, spec, &f->planner, NULL));
    CHECK_OK(cairn_search_create(f->planner, NULL, &f->search));
    CHECK_OK(cairn_navigator_create(f->planner, NULL, &f->navigator));
    CHECK_OK(cairn_navigator_start(f->navigator, 0, f->to));
    f->cost = family_ask(f);
}

static void family_destroy(family *f, uint32_t which)
{
    f->gone[which] = true;
    switch (which) {
    case CONTEXT: cairn_context_destroy(f->context); break;
    case WORLD:
        cairn_grid_destroy(f->grid);
        cairn_graph_destroy(f->graph);
        break;
    case SPACE: cairn_space_destroy(f->space); break;
    case PLANNER: cairn_planner_destroy(f->planner); break;
    case SEARCH: cairn_search_destroy(f->search); break;
    default: cairn_navigator_destroy(f->navigator);
    }
}

/* Everything that is still ours works. */
static void family_check(family *f)
{
    cairn_edge edges[8];
    if (!f->gone[SEARCH]) CHECK(family_ask(f) == f->cost, "another path");
    if (!f->gone[NAVIGATOR]) {
        cairn_status status = cairn_navigator_next(f->navigator, NULL);
        CHECK(f->gave_up || status == CAIRN_OK, "%s", cairn_status_text(status));
    }
    if (!f->gone[PLANNER]) CHECK_OK(cairn_planner_sync(f->planner, NULL, NULL));
    if (!f->gone[SPACE]) CHECK(cairn_space_expand(f->space, 0, 0, edges, 8) > 0, "no edges");
    if (!f->gone[WORLD] && f->grid) CHECK(cairn_grid_is_open(f->grid, 0, 0), "not open");
    if (!f->gone[CONTEXT])
        CHECK(cairn_context_memory(f->context).bytes == f->memory.bytes, "the count is wrong");
}

static void family_end(const family *f)
{
    CHECK(!f->memory.blocks, "%zu blocks of %zu bytes are left", f->memory.blocks, f->memory.bytes);
    CHECK(!f->memory.wrong_size, "a block came back with another size");
}

/* The order of this number among all: of what is left, the number modulo their count comes next. */
static void lifetime_in_order(family *f, uint32_t number)
{
    uint32_t left[OBJECTS] = {CONTEXT, WORLD, SPACE, PLANNER, SEARCH, NAVIGATOR};
    for (uint32_t count = OBJECTS; count; count--) {
        uint32_t chosen = number % count;
        number /= count;
        family_destroy(f, left[chosen]);
        memmove(left + chosen, left + chosen + 1, (count - chosen - 1) * sizeof *left);
        family_check(f);
    }
    family_end(f);
}

static void lifetime_orders(const char *spec, bool graph, uint32_t every)
{
    for (uint32_t number = 0; number < 720; number += every) {
        family f;
        family_make(&f, spec, graph);
        lifetime_in_order(&f, number);
    }
}

static void test_lifetime_of_a_grid_in_all_orders(void **state)
{
    (void)state;
    lifetime_orders("astar", false, 1);
}

static void test_lifetime_of_a_graph_in_all_orders(void **state)
{
    (void)state;
    lifetime_orders("dijkstra", true, 1);
}

/* Every algorithm holds what it needs: with its index, its delegate and planners inside. */
static void test_lifetime_of_every_algorithm(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *info = cairn_algorithm_at(i);
        family f;
        family_make(&f, info->name, false);
        lifetime_in_order(&f, 0); /* parents first */
        if (!(info->flags & CAIRN_NEEDS_INDEX)) continue;
        family_make(&f, info->name, false);
        lifetime_in_order(&f, 719);
    }
}

/* ---- files ---- */

typedef struct written {
    uint8_t *data;
    size_t size;
} written;

static cairn_status written_more(void *user, const void *data, size_t size)
{
    written *w = user;
    w->data = realloc(w->data, w->size + size);
    if (!w->data) abort();
    memcpy(w->data + w->size, data, size);
    w->size += size;
    return CAIRN_OK;
}

/* Saves the index to a store, destroys all else but the context, and writes it then. */
static written lifetime_write(const char *spec)
{
    family f;
    written file = {0};
    cairn_store *store;
    family_make(&f, spec, false);
    CHECK_OK(cairn_store_create(f.context, &store));
    CHECK_OK(cairn_planner_save(f.planner, store, NULL));
    for (uint32_t i = CONTEXT; i < OBJECTS; i++) family_destroy(&f, i);
    CHECK_OK(cairn_store_write(store, &(cairn_writer){written_more, &file}));
    cairn_store_destroy(store);
    family_end(&f);
    return file;
}

static void lifetime_release(void *user)
{
    written *w = user;
    memset(w->data, 0xdd, w->size);
    w->size = 0;
}

/* A planner whose tables lie in an archive that is closed before it. */
static void lifetime_borrow(const char *spec)
{
    written file = lifetime_write(spec);
    family f;
    cairn_archive *archive;
    family_make(&f, spec, false);
    CHECK_OK(cairn_archive_open(f.context, (cairn_bytes){file.data, file.size}, 0, &archive, NULL));
    cairn_archive_on_close(archive, lifetime_release, &file);
    CHECK_OK(cairn_planner_load(f.planner, archive, true, NULL));
    cairn_archive_close(archive);
    CHECK(file.size, "released while it was borrowed");
    CHECK(family_ask(&f) == f.cost, "another path");
    CHECK_OK(cairn_planner_build(f.planner, NULL, NULL));
    CHECK(!file.size, "the archive is held though nothing lies in it");
    lifetime_in_order(&f, 0);
    free(file.data);
}

static void test_lifetime_of_stores_and_archives(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *info = cairn_algorithm_at(i);
        if (info->flags & CAIRN_NEEDS_INDEX) lifetime_borrow(info->name);
    }
}

/* ---- a keeper of one's own ---- */

static void test_lifetime_of_a_kept_space(void **state)
{
    (void)state;
    family f;
    family_make(&f, "astar", false);
    cairn_space *kept = cairn_space_keep(f.space);
    assert_ptr_equal(kept, f.space);
    assert_null(cairn_space_keep(NULL));
    for (uint32_t i = CONTEXT; i < OBJECTS; i++) family_destroy(&f, i);
    assert_true(cairn_space_usable(kept, 0));
    cairn_space_destroy(kept);
    family_end(&f);
}

/* ---- paths ---- */

static void test_lifetime_of_an_owned_path(void **state)
{
    (void)state;
    family f;
    cairn_owned_path copy;
    const cairn_path *path;
    family_make(&f, "astar", false);
    CHECK_OK(cairn_search_find(f.search, &(cairn_query){.from = 0, .to = f.to}, &path));
    CHECK_OK(cairn_path_copy(f.context, path, &copy));
    for (uint32_t i = CONTEXT; i < OBJECTS; i++) family_destroy(&f, i);
    assert_int_equal(copy.path.cost, f.cost);
    cairn_path_free(&copy);
    family_end(&f);
}

/* ---- threads ---- */

enum { THREADS = 4 };

static void *lifetime_thread(void *argument)
{
    const cairn_path *path;
    cairn_search *search = argument;
    cairn_search_find(search, &(cairn_query){.from = 0, .to = 20}, &path);
    cairn_status status = path->status;
    cairn_search_destroy(search);
    return status == CAIRN_FOUND ? argument : NULL;
}

/* Everything is destroyed; then the last of several searches on threads frees it all. */
static void test_lifetime_ends_with_the_last_thread(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 20; round++) {
        cairn_context *context;
        cairn_grid *grid;
        cairn_space *space;
        cairn_planner *planner;
        cairn_search *searches[THREADS];
        pthread_t threads[THREADS];
        cairn_context_options options = cairn_context_defaults();
        options.workers = round % 2 * 2;
        CHECK_OK(cairn_context_create(&options, &context));
        CHECK_OK(random_grid(context, 30, 30, 0, 1, &grid));
        CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
        CHECK_OK(cairn_planner_create(space, "jps", &planner, NULL));
        for (uint32_t i = 0; i < THREADS; i++)
            CHECK_OK(cairn_search_create(planner, NULL, &searches[i]));
        cairn_context_destroy(context);
        cairn_grid_destroy(grid);
        cairn_space_destroy(space);
        cairn_planner_destroy(planner);
        for (uint32_t i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, lifetime_thread, searches[i]), 0);
        for (uint32_t i = 0; i < THREADS; i++) {
            void *found = NULL;
            pthread_join(threads[i], &found);
            assert_non_null(found);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lifetime_of_a_grid_in_all_orders),
        cmocka_unit_test(test_lifetime_of_a_graph_in_all_orders),
        cmocka_unit_test(test_lifetime_of_every_algorithm),
        cmocka_unit_test(test_lifetime_of_stores_and_archives),
        cmocka_unit_test(test_lifetime_of_a_kept_space),
        cmocka_unit_test(test_lifetime_of_an_owned_path),
        cmocka_unit_test(test_lifetime_ends_with_the_last_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
