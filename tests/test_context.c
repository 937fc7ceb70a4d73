/* test_context.c: the context: hooks, accounting, limits, parallel work; and the small
 * things of base.h.
 */
#include "core/core.h"
#include "support.h"

#include <stdatomic.h>

/* ---- statuses ---- */

static void every_status_has_a_phrase_of_its_own(void **state)
{
    (void)state;
    for (int a = 0; a < CAIRN_STATUS_COUNT; a++) {
        const char *text = cairn_status_text((cairn_status)a);
        assert_true(text && text[0]);
        for (const char *c = text; *c; c++) assert_true((*c >= 'a' && *c <= 'z') || *c == ' ');
        for (int b = 0; b < a; b++)
            assert_string_not_equal(text, cairn_status_text((cairn_status)b));
    }
    assert_string_equal(cairn_status_text(CAIRN_OK), "ok");
    assert_string_equal(cairn_result_text(CAIRN_FOUND), "found");
    for (int a = 1; a <= CAIRN_STATUS_COUNT; a++)
        assert_string_equal(cairn_result_text((cairn_status)a), cairn_status_text((cairn_status)a));
    assert_string_equal(cairn_status_text(CAIRN_BLOCKED_GOAL), "blocked goal");
    assert_non_null(cairn_status_text(CAIRN_STATUS_COUNT));
    assert_non_null(cairn_status_text((cairn_status)-1));
}

static void the_version_text_is_the_version_of_the_header(void **state)
{
    (void)state;
    char text[40];
    snprintf(text, sizeof text, "%d.%d.%d", CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR,
             CAIRN_VERSION_PATCH);
    assert_string_equal(cairn_version(), text);
}

/* ---- memory ---- */

static void all_memory_goes_through_the_hook_and_comes_back(void **state)
{
    (void)state;
    watched memory = {0};
    cairn_context *context;
    cairn_grid *grid;
    CHECK_OK(watched_context(&memory, &context));
    assert_true(memory.blocks >= 1);
    size_t empty = memory.bytes;
    assert_int_equal(cairn_context_memory(context).bytes, memory.bytes);
    CHECK_OK(random_grid(context, 100, 100, 20, 1, &grid));
    cairn_memory account = cairn_context_memory(context);
    assert_int_equal(account.bytes, memory.bytes);
    assert_int_equal(account.allocations, memory.calls);
    assert_true(account.peak_bytes >= account.bytes);
    assert_true(cairn_grid_bytes(grid) > 100 * 100 / 8 && cairn_grid_bytes(grid) <= memory.bytes);
    cairn_grid_destroy(grid);
    assert_int_equal(memory.bytes, empty);
    assert_int_equal(cairn_context_memory(context).bytes, empty);
    assert_int_equal(cairn_context_memory(context).peak_bytes, account.peak_bytes);
    cairn_context_destroy(context);
    assert_int_equal(memory.blocks, 0);
    assert_int_equal(memory.bytes, 0);
    assert_false(memory.wrong_size);
}

static void destroying_nothing_is_allowed(void **state)
{
    (void)state;
    cairn_context_destroy(NULL);
    cairn_grid_destroy(NULL);
    cairn_graph_destroy(NULL);
    cairn_space_destroy(NULL);
    cairn_planner_destroy(NULL);
    cairn_search_destroy(NULL);
}

static void a_context_without_memory_is_refused(void **state)
{
    (void)state;
    watched memory = {.fail_at = 1, .fail_on = true};
    cairn_context *context = (cairn_context *)&memory;
    CHECK_STATUS(watched_context(&memory, &context), CAIRN_OUT_OF_MEMORY);
    assert_null(context);
    assert_int_equal(memory.blocks, 0);
}

static void the_byte_limit_is_hard(void **state)
{
    (void)state;
    watched memory = {0};
    cairn_context_options options = cairn_context_defaults();
    options.allocate = watched_allocate;
    options.allocate_user = &memory;
    options.byte_limit = 20000;
    cairn_context *context;
    cairn_grid *grid = NULL;
    CHECK_OK(cairn_context_create(&options, &context));
    CHECK_STATUS(random_grid(context, 1000, 1000, 20, 1, &grid), CAIRN_OUT_OF_MEMORY);
    assert_null(grid);
    assert_true(cairn_context_memory(context).peak_bytes <= 20000);
    CHECK_OK(random_grid(context, 20, 20, 20, 1, &grid)); /* small things still fit */
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    assert_int_equal(memory.blocks, 0);
    options.byte_limit = 1;
    CHECK_STATUS(cairn_context_create(&options, &context), CAIRN_OUT_OF_MEMORY);
    assert_int_equal(memory.blocks, 0);
}

static void files_ask_for_so_many_cells(void **state)
{
    (void)state;
    cairn_context_options options = cairn_context_defaults();
    cairn_context *context;
    CHECK_OK(cairn_context_create(&options, &context));
    assert_int_equal(cairn_context_file_cells(context, 0), CAIRN_FILE_CELLS);
    assert_int_equal(cairn_context_file_cells(context, 1000), CAIRN_FILE_CELLS);
    assert_int_equal(cairn_context_file_cells(context, (size_t)1 << 28), (uint64_t)1 << 31);
    cairn_context_destroy(context);
    options.file_cells = 100;
    CHECK_OK(cairn_context_create(&options, &context));
    assert_int_equal(cairn_context_file_cells(context, 0), 100);
    assert_int_equal(cairn_context_file_cells(context, 12), 100);
    assert_int_equal(cairn_context_file_cells(context, 13), 104);
    assert_true(cairn_context_file_cells(context, SIZE_MAX) >= SIZE_MAX);
    cairn_context_destroy(context);
}

static void senseless_options_are_refused(void **state)
{
    (void)state;
    cairn_context *context = NULL;
    cairn_context_options options = cairn_context_defaults();
    options.workers = 65;
    CHECK_STATUS(cairn_context_create(&options, &context), CAIRN_INVALID);
    assert_null(context);
    CHECK_STATUS(cairn_context_create(NULL, NULL), CAIRN_INVALID);
}

/* ---- parallel work ---- */

enum { TASKS = 1000 };

typedef struct tally_sheet {
    atomic_uint done[TASKS];
    atomic_uint total;
} tally_sheet;

static void tally_task(void *user, uint32_t index)
{
    tally_sheet *sheet = user;
    atomic_fetch_add(&sheet->done[index], 1);
    atomic_fetch_add(&sheet->total, 1);
}

static void check_tasks(cairn_context *context, uint32_t count)
{
    static tally_sheet sheet;
    memset(&sheet, 0, sizeof sheet);
    cairn_parallel_for(context, count, tally_task, &sheet);
    assert_int_equal(sheet.total, count);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(sheet.done[i], 1);
}

static void every_task_runs_exactly_once_with_any_number_of_workers(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers <= 8; workers++) {
        cairn_context_options options = cairn_context_defaults();
        options.workers = workers;
        cairn_context *context;
        CHECK_OK(cairn_context_create(&options, &context));
        static const uint32_t counts[] = {0, 1, 2, 3, 7, 8, 9, 64, TASKS};
        for (uint32_t i = 0; i < LENGTH(counts); i++) check_tasks(context, counts[i]);
        for (uint32_t i = 0; i < 200; i++) check_tasks(context, 5); /* many small batches */
        cairn_context_destroy(context);
    }
}

typedef struct own_pool {
    uint32_t calls, count;
} own_pool;

/* A pool of the game's own: backwards, to see that order does not matter. */
static void own_parallel_for(void *user, uint32_t count, cairn_task *task, void *task_user)
{
    own_pool *pool = user;
    pool->calls++;
    pool->count += count;
    for (uint32_t i = count; i-- > 0;) task(task_user, i);
}

static void the_games_own_workers_are_used_if_given(void **state)
{
    (void)state;
    own_pool pool = {0, 0};
    cairn_context_options options = cairn_context_defaults();
    options.parallel_for = own_parallel_for;
    options.parallel_for_user = &pool;
    options.workers = 4; /* the hook wins: no thread of ours is started */
    cairn_context *context;
    CHECK_OK(cairn_context_create(&options, &context));
    check_tasks(context, 100);
    assert_int_equal(pool.calls, 1);
    assert_int_equal(pool.count, 100);
    cairn_context_destroy(context);
}

static void a_pool_without_memory_is_refused(void **state)
{
    (void)state;
    for (uint64_t k = 1; k <= 3; k++) {
        watched memory = {.fail_at = k};
        cairn_context_options options = cairn_context_defaults();
        options.allocate = watched_allocate;
        options.allocate_user = &memory;
        options.workers = 2;
        cairn_context *context = NULL;
        cairn_status status = cairn_context_create(&options, &context);
        assert_int_equal(status, memory.failures ? CAIRN_OUT_OF_MEMORY : CAIRN_OK);
        cairn_context_destroy(context);
        assert_int_equal(memory.blocks, 0);
    }
}

/* ---- hooks that are called when something is wrong ---- */

/* Memory that is never given back one by one: what is left behind on purpose does no harm. */
typedef struct arena {
    _Alignas(64) char bytes[1 << 16];
    size_t used;
    uint32_t fails;
} arena;

static void *arena_allocate(void *user, void *old, size_t old_size, size_t new_size)
{
    arena *a = user;
    if (!new_size) return NULL;
    size_t start = (a->used + 63) / 64 * 64;
    if (new_size > sizeof a->bytes - start) return NULL;
    a->used = start + new_size;
    if (old) memcpy(a->bytes + start, old, old_size < new_size ? old_size : new_size);
    return a->bytes + start;
}

static void arena_fail(void *user, const char *file, int line, const char *text)
{
    arena *a = user;
    assert_true(file && file[0] && line > 0 && text && text[0]);
    a->fails++;
}

static void a_failed_check_goes_to_the_hook(void **state)
{
    (void)state;
    static arena memory;
    cairn_context_options options = cairn_context_defaults();
    options.allocate = arena_allocate, options.allocate_user = &memory;
    options.fail = arena_fail, options.fail_user = &memory;
    cairn_context *context;
    CHECK_OK(cairn_context_create(&options, &context));
    CRN_CHECK(context, context != NULL);
    assert_int_equal(memory.fails, 0);
    CRN_CHECK(context, context == NULL);
    cairn_context_destroy(context);
#if defined(CAIRN_CHECKS)
    assert_int_equal(memory.fails, 1);
#else
    assert_int_equal(memory.fails, 0);
#endif
}

static void count_log(void *user, cairn_log_level level, const char *text)
{
    assert_true(level <= CAIRN_LOG_INFO && text && text[0]);
    ++*(uint32_t *)user;
}

static void ordinary_work_is_silent(void **state)
{
    (void)state;
    uint32_t lines = 0;
    cairn_context_options options = cairn_context_defaults();
    options.log = count_log;
    options.log_user = &lines;
    cairn_context *context;
    cairn_grid *grid;
    CHECK_OK(cairn_context_create(&options, &context));
    CHECK_OK(random_grid(context, 40, 40, 10, 1, &grid));
    cairn_owned_path found;
    cairn_status status = cairn_find_path(grid, (cairn_cell){0, 0}, (cairn_cell){39, 39}, &found);
    if (status == CAIRN_FOUND) cairn_path_free(&found);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    assert_int_equal(lines, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_phrase_of_its_own),
        cmocka_unit_test(the_version_text_is_the_version_of_the_header),
        cmocka_unit_test(all_memory_goes_through_the_hook_and_comes_back),
        cmocka_unit_test(destroying_nothing_is_allowed),
        cmocka_unit_test(a_context_without_memory_is_refused),
        cmocka_unit_test(the_byte_limit_is_hard),
        cmocka_unit_test(files_ask_for_so_many_cells),
        cmocka_unit_test(senseless_options_are_refused),
        cmocka_unit_test(every_task_runs_exactly_once_with_any_number_of_workers),
        cmocka_unit_test(the_games_own_workers_are_used_if_given),
        cmocka_unit_test(a_pool_without_memory_is_refused),
        cmocka_unit_test(a_failed_check_goes_to_the_hook),
        cmocka_unit_test(ordinary_work_is_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
