/* test_io_store.c: containers as files: saved whole or not at all, mapped and read, grids saved by
 * the name of the file.
 */
#define _POSIX_C_SOURCE 200809L
#define FOLDER "test_io_store"
#include "folder.h"
#include "scenes.h"

#include <cairn/io.h>
#include <sys/stat.h>
#include <sys/wait.h>

static cairn_store *store_of(cairn_context *context, const char *text, size_t size)
{
    cairn_store *store = NULL;
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_OK(cairn_store_add(store, "text", (cairn_bytes){text, size}, 1, false));
    return store;
}

static void check_text(cairn_context *context, const char *text)
{
    cairn_archive *archive = NULL;
    cairn_error error = {0};
    CHECK(cairn_archive_load(context, in_folder("a.cairn"), 0, &archive, &error) == CAIRN_OK, "%s",
          error.text);
    size_t size;
    const void *found = cairn_archive_section(archive, "text", 1, &size);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(found, text, size);
    assert_int_equal((uintptr_t)found % 64, 0);
    cairn_archive_close(archive);
}

static void a_file_is_there_whole_or_not_at_all(void **state)
{
    cairn_context *context = *state;
    cairn_store *first = store_of(context, "first", 5), *second = store_of(context, "second", 6);
    CHECK_OK(cairn_store_save(first, in_folder("a.cairn"), NULL));
    check_text(context, "first");
    CHECK_OK(cairn_store_save(second, in_folder("a.cairn"), NULL));
    check_text(context, "second");

    cairn_error error = {0};
    CHECK_STATUS(cairn_store_save(first, in_folder("none/a.cairn"), &error), CAIRN_FILE_ERROR);
    assert_true(error.status == CAIRN_FILE_ERROR && strstr(error.text, "cannot be written"));
    CHECK_STATUS(cairn_store_save(first, NULL, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_store_save(NULL, in_folder("a.cairn"), NULL), CAIRN_INVALID);
    cairn_store_destroy(first), cairn_store_destroy(second);
}

static void a_full_disk_is_noticed_and_a_device_stays_one(void **state)
{
    struct stat about;
    if (stat("/dev/full", &about)) skip();
    char large[10000] = {0};
    cairn_store *store = store_of(*state, large, sizeof large);
    cairn_error error = {0};
    CHECK_STATUS(cairn_store_save(store, "/dev/full", &error), CAIRN_FILE_ERROR);
    assert_true(!stat("/dev/full", &about) && S_ISCHR(about.st_mode));
    CHECK_OK(cairn_store_save(store, "/dev/null", NULL));
    assert_true(!stat("/dev/null", &about) && S_ISCHR(about.st_mode));
    CHECK_STATUS(cairn_file_write("/dev/full", (cairn_bytes){large, sizeof large}, &error),
                 CAIRN_FILE_ERROR);
    cairn_store_destroy(store);
}

static void damaged_and_missing_files_are_refused(void **state)
{
    cairn_context *context = *state;
    cairn_archive *archive = (cairn_archive *)context;
    cairn_error error = {0};
    CHECK_STATUS(cairn_archive_load(context, in_folder("none"), 0, &archive, &error),
                 CAIRN_FILE_ERROR);
    assert_null(archive);
    CHECK_STATUS(cairn_archive_load(context, folder, 0, &archive, &error), CAIRN_FILE_ERROR);
    CHECK_OK(cairn_file_write(in_folder("empty"), (cairn_bytes){NULL, 0}, NULL));
    CHECK_STATUS(cairn_archive_load(context, in_folder("empty"), 0, &archive, &error),
                 CAIRN_BAD_DATA);
    CHECK_STATUS(cairn_archive_load(context, CAIRN_SOURCE_DIR "/LICENSE", 0, &archive, &error),
                 CAIRN_BAD_DATA);
    assert_non_null(strstr(error.text, "no .cairn file"));
    CHECK_STATUS(cairn_archive_load(context, NULL, 0, &archive, &error), CAIRN_INVALID);
    CHECK_STATUS(cairn_archive_load(context, in_folder("none"), 0, NULL, &error), CAIRN_INVALID);
}

static void mapped_is_what_is_read(void **state)
{
    cairn_context *context = *state;
    cairn_mapping mapping;
    cairn_file file;
    const char *name = CAIRN_SOURCE_DIR "/LICENSE";
    CHECK_OK(cairn_file_map(context, name, &mapping, NULL));
    CHECK_OK(cairn_file_read(context, name, 0, &file, NULL));
    assert_true(mapping.mapped && mapping.size == file.size);
    assert_memory_equal(mapping.data, file.data, file.size);
    cairn_file_unmap(context, &mapping);
    assert_null(mapping.data);
    cairn_file_unmap(context, &mapping);
    cairn_file_free(context, &file);
    /* What cannot be mapped is read. */
    CHECK_OK(cairn_file_write(in_folder("empty"), (cairn_bytes){NULL, 0}, NULL));
    CHECK_OK(cairn_file_map(context, in_folder("empty"), &mapping, NULL));
    assert_true(!mapping.mapped && mapping.size == 0);
    cairn_file_unmap(context, &mapping);
    CHECK_STATUS(cairn_file_map(context, in_folder("none"), &mapping, NULL), CAIRN_FILE_ERROR);
}

/* Saved and loaded again; what the kind of file holds must be the same. */
static void save_and_load(cairn_context *context, const cairn_grid *grid, const char *name,
                          bool all)
{
    cairn_grid *again = NULL;
    cairn_error error = {0};
    CHECK(cairn_grid_save(grid, in_folder(name), &error) == CAIRN_OK, "%s: %s", name, error.text);
    CHECK(cairn_grid_load(context, in_folder(name), &again, &error) == CAIRN_OK, "%s: %s", name,
          error.text);
    for (uint32_t i = 0; i < cairn_grid_width(grid) * cairn_grid_height(grid); i++) {
        cairn_cell c = cairn_grid_cell(grid, i);
        assert_int_equal(cairn_grid_is_open(grid, c.x, c.y), cairn_grid_is_open(again, c.x, c.y));
        if (all || cairn_grid_is_open(grid, c.x, c.y))
            assert_int_equal(cairn_grid_terrain(grid, c.x, c.y),
                             cairn_grid_terrain(again, c.x, c.y));
        if (all)
            assert_int_equal(cairn_grid_elevation(grid, c.x, c.y),
                             cairn_grid_elevation(again, c.x, c.y));
    }
    cairn_grid_destroy(again);
}

static void grids_are_saved_by_the_name_of_the_file(void **state)
{
    cairn_context *context = *state;
    scene *s = scene_noise("noise", 23, 17, 30, 5);
    scene_add_terrain(s, 6);
    scene_add_hills(s, 7);
    cairn_grid *grid = NULL;
    CHECK_OK(scene_grid(s, context, &grid));
    for (int32_t i = 0; i < 17; i++) {
        for (int32_t x = 0; x < 23; x++)
            CHECK_OK(cairn_grid_set_terrain(grid, x, i, (uint8_t)((x + i) % 4)));
    }
    CHECK_OK(cairn_grid_commit(grid));
    save_and_load(context, grid, "a.map", false);
    save_and_load(context, grid, "a.txt", false);
    save_and_load(context, grid, "a.cairn", true);
    cairn_error error = {0};
    static const char *const names[] = {"a", "a.tx", ".map.x", "a.map/b", "a.MAP"};
    for (uint32_t i = 0; i < LENGTH(names); i++) {
        CHECK_STATUS(cairn_grid_save(grid, in_folder(names[i]), &error), CAIRN_UNSUPPORTED);
        assert_non_null(strstr(error.text, ".cairn"));
    }
    CHECK_STATUS(cairn_grid_save(grid, in_folder("none/a.map"), &error), CAIRN_FILE_ERROR);
    CHECK_STATUS(cairn_grid_save(grid, in_folder("none/a.txt"), &error), CAIRN_FILE_ERROR);
    CHECK_STATUS(cairn_grid_save(grid, in_folder("none/a.cairn"), &error), CAIRN_FILE_ERROR);
    CHECK_STATUS(cairn_grid_save(NULL, in_folder("a.map"), &error), CAIRN_INVALID);
    cairn_grid_destroy(grid);
    scene_destroy(s);
}

static void a_file_that_begins_like_another_kind_is_called_so(void **state)
{
    static const struct {
        const char *name, *content;
        size_t size;
        const char *says; /* NULL = it is read */
        uint32_t line;
    } cases[] = {
        {"a.cairn",
         "\x88"
         "CRN\r\n\x1a\n\0\0",
         10, "its name ends in .cairn, but it does not begin like a .cairn", 0},
        {"a.png", "\x89QNG\r\n\x1a\n\0\0", 10,
         "its name ends in .png, but it does not begin like a PNG", 0},
        {"a.tmx", "?xml version='1.0'?>", 20,
         "its name ends in .tmx, but it does not begin with '<'", 0},
        {"a.tmx", "", 0, "its name ends in .tmx", 0},
        {"a.tmj", "[1]", 3, "its name ends in .tmj, but it does not begin with '{'", 0},
        {"a.map", "tipe octile\nheight 1\nwidth 1\nmap\n.\n", 36, "with \"type octile\"", 0},
        {"a.map", "..\n#.\n", 6, NULL, 0},
        {"a.tmx", "..\n#.\n", 6, NULL, 0},
        {"a.txt", "..\n#?\n", 6, "'?' in column 2 is not a cell", 2},
        {"a.txt", "....\n..\n\0.", 10, "malformed text: there is a zero byte in it", 3},
        {"a.map", "type octile\nheight 1\nwidth 1\nmap\n\0\n", 36, "malformed text", 5},
    };
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        const char *name = in_folder(cases[i].name);
        cairn_grid *grid = NULL;
        cairn_error error = {0};
        CHECK_OK(cairn_file_write(name, (cairn_bytes){cases[i].content, cases[i].size}, NULL));
        CHECK_STATUS(cairn_grid_load(*state, name, &grid, &error),
                     cases[i].says ? CAIRN_BAD_DATA : CAIRN_OK);
        CHECK(!cases[i].says || (strstr(error.text, cases[i].says) && error.line == cases[i].line),
              "line %u: %s", error.line, error.text);
        cairn_grid_destroy(grid);
    }
    CHECK_STATUS(cairn_grid_load(*state, in_folder("a.map"), &(cairn_grid *){NULL}, NULL),
                 CAIRN_BAD_DATA);
}

static cairn_status save_and_load_all(cairn_context *context)
{
    static const char *const names[] = {"a.map", "a.txt", "a.cairn"};
    cairn_error error = {0};
    cairn_grid *grid = NULL, *again = NULL;
    cairn_archive *archive = NULL;
    cairn_status status = cairn_grid_from_text(context, "..S#\nW..T\n", 10, &grid, &error);
    for (uint32_t i = 0; i < LENGTH(names) && !status; i++) {
        status = cairn_grid_save(grid, in_folder(names[i]), &error);
        if (!status) status = cairn_grid_load(context, in_folder(names[i]), &again, &error);
        cairn_grid_destroy(again);
        again = NULL;
    }
    if (!status) status = cairn_archive_load(context, in_folder("a.cairn"), 0, &archive, &error);
    cairn_archive_close(archive);
    cairn_grid_destroy(grid);
    assert_true(!status || error.text[0]);
    return status;
}

static void memory_may_fail_at_every_point(void **state)
{
    (void)state;
    watched w = {0};
    cairn_context *context = NULL;
    CHECK_OK(watched_context(&w, &context));
    size_t empty = w.bytes;
    uint64_t before = w.calls;
    CHECK_OK(save_and_load_all(context));
    uint64_t calls = w.calls - before;
    for (uint64_t at = 1; at <= calls; at++) {
        w.fail_at = w.calls + at;
        CHECK_STATUS(save_and_load_all(context), CAIRN_OUT_OF_MEMORY);
        assert_int_equal(w.bytes, empty);
    }
    assert_false(w.wrong_size);
    cairn_context_destroy(context);
}

/* ---- files from elsewhere, replayed by the program ----------------------------------------- */

/* Runs the program; what it prints, both streams, is in `out`. */
static int program(const char *command, const char *file, const char *other, char *out, size_t size)
{
    char line[4096];
    snprintf(line, sizeof line, "%s %s %s %s 2>&1", CAIRN_PROGRAM, command, file, other);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t got = fread(out, 1, size - 1, pipe);
    out[got] = 0;
    int end = pclose(pipe);
    return WIFEXITED(end) ? WEXITSTATUS(end) : -1;
}

/* As a game would write one: other goals than one cell, no words, another version. */
static void files_of_games_are_replayed(void **state)
{
    cairn_context *context = *state;
    static const char rows[] = "......\n..##..\n......\n";
    static const cairn_node goals[] = {8, 17};
    cairn_grid *grid = NULL;
    cairn_store *store = NULL;
    cairn_query query = {.from = 6, .to = CAIRN_NO_NODE, .goals = goals, .goal_count = 2};
    char out[4096];
    CHECK_OK(cairn_grid_from_text(context, rows, sizeof rows - 1, &grid, NULL));
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_OK(cairn_store_grid(store, grid));
    CHECK_OK(cairn_store_query(store, &query));
    CHECK_OK(cairn_store_add(store, "repro.version", (cairn_bytes){"9.8.7", 5}, 1, true));
    CHECK_OK(cairn_store_save(store, in_folder("a.cairn"), NULL));
    assert_int_equal(program("path", in_folder("a.cairn"), "", out, sizeof out), 0);
    CHECK(strstr(out, "was written by Cairn 9.8.7"), "%s", out);
    CHECK(strstr(out, "from (0,1) to 2 goals") && strstr(out, "(5,2)"), "%s", out);
    cairn_store_destroy(store);

    query = (cairn_query){.from = CAIRN_NO_NODE, .to = 3};
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_OK(cairn_store_grid(store, grid));
    CHECK_OK(cairn_store_query(store, &query));
    CHECK_OK(cairn_store_save(store, in_folder("a.cairn"), NULL));
    assert_int_equal(program("path", in_folder("a.cairn"), "", out, sizeof out), 1);
    CHECK(strstr(out, "(-1,-1) lies outside"), "%s", out);
    cairn_store_destroy(store);
    cairn_grid_destroy(grid);
}

static void what_is_lost_is_said(void **state)
{
    cairn_context *context = *state;
    const uint8_t terrain[6] = {0, 1, 9, 7, 3, 200}, open[6] = {1, 1, 1, 0, 1, 1},
                  layer[6] = {0, 0, 0, 0, 0, 8};
    const int16_t elevation[6] = {-1, 0, 1, 2, 0, 0};
    cairn_grid_options options = {
        .width = 3, .height = 2, .open = open, .terrain = terrain, .layer = layer};
    options.elevation = elevation, options.layout = CAIRN_LAYOUT_HEX, options.cell_size = 2;
    const cairn_link link = {0, 5, 1, 1, 1};
    cairn_grid *grid = NULL;
    char out[4096];
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    CHECK_OK(cairn_grid_add_link(grid, &link));
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_OK(cairn_grid_save(grid, in_folder("a.cairn"), NULL));
    assert_int_equal(program("convert", in_folder("a.cairn"), in_folder("a.map"), out, sizeof out),
                     0);
    static const char *const notes[] = {
        "class of 2 open cells is lost", "extra cost of 1 cells is lost",
        "elevation of 3 cells is lost",  "1 links are lost",
        "hexagonal layout is lost",      "cell size are lost"};
    for (uint32_t i = 0; i < LENGTH(notes); i++)
        CHECK(strstr(out, notes[i]), "no \"%s\" in %s", notes[i], out);
    assert_null(strstr(out, "blocked in the other"));
    cairn_grid_destroy(grid);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, context_set_up, context_tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_file_is_there_whole_or_not_at_all),
        CASE(a_full_disk_is_noticed_and_a_device_stays_one),
        CASE(damaged_and_missing_files_are_refused),
        CASE(mapped_is_what_is_read),
        CASE(grids_are_saved_by_the_name_of_the_file),
        CASE(a_file_that_begins_like_another_kind_is_called_so),
        CASE(memory_may_fail_at_every_point),
        CASE(files_of_games_are_replayed),
        CASE(what_is_lost_is_said),
    };
    return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
