/* test_io_movingai.c: maps and problems of the MovingAI format, with every quirk that the
 * published files have, and the bundled maps.
 */
#include "support.h"

#include <cairn/io.h>
#include <math.h>

static cairn_context *make_context(void)
{
    cairn_context *context = NULL;
    CHECK_OK(cairn_context_create(NULL, &context));
    return context;
}

static cairn_grid *parse_map(cairn_context *context, const char *text)
{
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_status status =
        cairn_map_parse(context, (cairn_bytes){text, strlen(text)}, &grid, &error);
    CHECK(status == CAIRN_OK, "line %u: %s", error.line, error.text);
    return grid;
}

static void check_row(const cairn_grid *grid, int32_t y, const char *letters)
{
    for (int32_t x = 0; letters[x]; x++) {
        bool open = letters[x] != '@';
        uint8_t class = letters[x] == 'S'   ? CAIRN_TERRAIN_SWAMP
                        : letters[x] == 'W' ? CAIRN_TERRAIN_WATER
                        : letters[x] == 'T' ? CAIRN_TERRAIN_TREES
                                            : CAIRN_TERRAIN_GROUND;
        CHECK(cairn_grid_is_open(grid, x, y) == open, "cell (%d,%d) should be %c", x, y,
              letters[x]);
        CHECK(cairn_grid_terrain(grid, x, y) == class, "cell (%d,%d) should be %c", x, y,
              letters[x]);
    }
}

/* ---- maps ---- */

static void every_letter_of_a_map_is_understood(void **state)
{
    (void)state;
    cairn_context *context = make_context();
    cairn_grid *grid = parse_map(context, "type octile\nheight 2\nwidth 4\nmap\n.GS@\nWTO.\n");
    assert_int_equal(cairn_grid_width(grid), 4);
    assert_int_equal(cairn_grid_height(grid), 2);
    check_row(grid, 0, "..S@");
    check_row(grid, 1, "WT@.");
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

static void line_ends_of_all_kinds_are_accepted(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n",
        "type octile\nheight 2\nwidth 3\nmap\n.@.\n...",
        "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@.\r\n...\r\n",
        "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@.\r\n...",
        "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n\n",
        "type\toctile\nwidth  3 \nheight\t2\nmap\n.@.\n...\n",
    };
    cairn_context *context = make_context();
    for (size_t i = 0; i < LENGTH(texts); i++) {
        cairn_grid *grid = parse_map(context, texts[i]);
        assert_int_equal(cairn_grid_width(grid), 3);
        assert_int_equal(cairn_grid_height(grid), 2);
        check_row(grid, 0, ".@.");
        check_row(grid, 1, "...");
        cairn_grid_destroy(grid);
    }
    cairn_context_destroy(context);
}

typedef struct fault {
    const char *text;
    uint32_t line;
    const char *says; /* part of the reason */
} fault;

static void a_wrong_map_is_refused_with_line_and_reason(void **state)
{
    (void)state;
    static const fault faults[] = {
        {"", 1, "ends within the header"},
        {"type octile\nheight 1\n", 2, "ends within the header"},
        {"type hex\nheight 1\nwidth 1\nmap\n.\n", 1, "type octile"},
        {"type octile\nheigth 1\nwidth 1\nmap\n.\n", 2, "height N"},
        {"type octile\nheight 1\nheight 1\nmap\n.\n", 3, "each once"},
        {"type octile\nheight 1 2\nwidth 1\nmap\n.\n", 2, "height N"},
        {"type octile\nheight 0\nwidth 1\nmap\n.\n", 2, "1 to 32768"},
        {"type octile\nheight 1\nwidth 32769\nmap\n.\n", 3, "1 to 32768"},
        {"type octile\nheight 1\nwidth 4294967297\nmap\n.\n", 3, "1 to 32768"},
        {"type octile\nheight -1\nwidth 1\nmap\n.\n", 2, "1 to 32768"},
        {"type octile\nheight 1\nwidth 1\nmaps\n.\n", 4, "\"map\""},
        {"type octile\nheight 2\nwidth 3\nmap\n...\n..\n", 6, "row 1 has 2 cells, but width is 3"},
        {"type octile\nheight 2\nwidth 3\nmap\n....\n...\n", 5, "row 0 has 4 cells"},
        {"type octile\nheight 2\nwidth 3\nmap\n...\n", 5, "after 1 of 2 rows"},
        {"type octile\nheight 1\nwidth 3\nmap\n...\n...\n", 6, "more rows than height 1"},
        {"type octile\nheight 2\nwidth 3\nmap\n...\n.?.\n", 6, "'?' in column 2"},
    };
    cairn_context *context = make_context();
    for (size_t i = 0; i < LENGTH(faults); i++) {
        cairn_grid *grid = NULL;
        cairn_error error = {0};
        CHECK_STATUS(cairn_map_parse(context, (cairn_bytes){faults[i].text, strlen(faults[i].text)},
                                     &grid, &error),
                     CAIRN_BAD_DATA);
        assert_null(grid);
        CHECK(error.status == CAIRN_BAD_DATA && error.line == faults[i].line &&
                  strstr(error.text, faults[i].says),
              "fault %zu: line %u: %s", i, error.line, error.text);
    }
    cairn_context_destroy(context);
}

static void arguments_that_make_no_sense_are_invalid(void **state)
{
    (void)state;
    cairn_context *context = make_context();
    cairn_grid *grid = NULL;
    cairn_scenario scenario;
    cairn_file file;
    CHECK_STATUS(cairn_map_parse(NULL, (cairn_bytes){"", 0}, &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_map_parse(context, (cairn_bytes){NULL, 5}, &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_map_parse(context, (cairn_bytes){"", 0}, NULL, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_map_parse(context, (cairn_bytes){NULL, 0}, &grid, NULL), CAIRN_BAD_DATA);
    CHECK_STATUS(cairn_map_format(NULL, &file), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_load(context, NULL, &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_scenario_parse(NULL, (cairn_bytes){"", 0}, &scenario, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_scenario_parse(context, (cairn_bytes){NULL, 0}, &scenario, NULL),
                 CAIRN_BAD_DATA);
    cairn_error error = {0};
    CHECK_STATUS(
        cairn_scenario_parse(context, (cairn_bytes){"version 1\n\0", 11}, &scenario, &error),
        CAIRN_BAD_DATA);
    CHECK(error.line == 2 && strstr(error.text, "malformed text"), "line %u: %s", error.line,
          error.text);
    CHECK_STATUS(cairn_scenario_parse(context, (cairn_bytes){"", 0}, NULL, NULL), CAIRN_INVALID);
    cairn_file_free(context, NULL);
    cairn_scenario_free(context, NULL);
    cairn_context_destroy(context);
}

static void a_map_that_was_written_reads_back_the_same(void **state)
{
    (void)state;
    cairn_context *context = make_context();
    const char *text = "type octile\nheight 3\nwidth 5\nmap\n.S@W.\n@TT@.\n.....\n";
    cairn_grid *grid = parse_map(context, text);
    cairn_file file;
    CHECK_OK(cairn_map_format(grid, &file));
    assert_string_equal(file.data, text);
    assert_int_equal(file.size, strlen(text));
    cairn_file_free(context, &file);
    assert_null(file.data);

    CHECK_OK(cairn_grid_set_terrain(grid, 0, 0, 77)); /* a class of one's own is ground in a map */
    CHECK_OK(cairn_grid_commit(grid));
    CHECK_OK(cairn_map_format(grid, &file));
    assert_string_equal(file.data, text);
    cairn_file_free(context, &file);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

/* ---- problems ---- */

static cairn_scenario parse_scenario(cairn_context *context, const char *text)
{
    cairn_scenario scenario;
    cairn_error error = {0};
    cairn_status status =
        cairn_scenario_parse(context, (cairn_bytes){text, strlen(text)}, &scenario, &error);
    CHECK(status == CAIRN_OK, "line %u: %s", error.line, error.text);
    return scenario;
}

static void a_problem_has_nine_fields(void **state)
{
    (void)state;
    cairn_context *context = make_context();
    cairn_scenario scenario =
        parse_scenario(context, "version 1\n"
                                "7\tmaps/dao/arena2.map\t281\t209\t100\t41\t98\t44\t3.82843\n"
                                "8 elsewhere\\b.map 281  209\t1 2 3 4 32\r\n"
                                "\n"
                                "9\tc.map\t10\t10\t0\t0\t9\t9\t36.5");
    assert_int_equal(scenario.count, 3);
    assert_string_equal(scenario.map, "arena2.map");
    const cairn_problem *p = scenario.problems;
    assert_int_equal(p->bucket, 7);
    assert_int_equal(p->width, 281);
    assert_int_equal(p->height, 209);
    assert_int_equal(p->from.x, 100);
    assert_int_equal(p->from.y, 41);
    assert_int_equal(p->to.x, 98);
    assert_int_equal(p->to.y, 44);
    assert_true(p->length == 3.82843);
    assert_true(p[1].length == 32 && p[1].to.y == 4);
    assert_true(p[2].length == 36.5 && p[2].to.x == 9);
    cairn_scenario_free(context, &scenario);
    assert_null(scenario.problems);
    cairn_context_destroy(context);
}

static void both_ways_to_write_the_version_mean_the_same(void **state)
{
    (void)state;
    cairn_context *context = make_context();
    static const char *const texts[] = {"version 1\n", "version 1.0\n", "version 1",
                                        "version 1.0\r\n\r\n"};
    for (size_t i = 0; i < LENGTH(texts); i++) {
        cairn_scenario scenario = parse_scenario(context, texts[i]);
        assert_int_equal(scenario.count, 0);
        assert_string_equal(scenario.map, "");
        cairn_scenario_free(context, &scenario);
    }
    cairn_context_destroy(context);
}

/* The tolerances of problems with these lengths in one file. */
static void check_tolerances(const char *const *lengths, const double *expected, size_t count)
{
    cairn_context *context = make_context();
    char text[2000] = "version 1\n";
    for (size_t i = 0; i < count; i++) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "0\ta.map\t9\t9\t0\t0\t8\t8\t%s\n", lengths[i]);
    }
    cairn_scenario scenario = parse_scenario(context, text);
    assert_int_equal(scenario.count, count);
    for (size_t i = 0; i < count; i++) {
        CHECK(scenario.problems[i].length == strtod(lengths[i], NULL), "%s was read as %.17g",
              lengths[i], scenario.problems[i].length);
        CHECK(fabs(scenario.problems[i].tolerance - expected[i]) < 1e-9,
              "%s has tolerance %g, not %g", lengths[i], scenario.problems[i].tolerance,
              expected[i]);
    }
    cairn_scenario_free(context, &scenario);
    cairn_context_destroy(context);
}

static void six_significant_digits_give_their_tolerance(void **state)
{
    (void)state;
    static const char *const lengths[] = {"3.82843", "0",    "5",       "12.35", "999.999",
                                          "1000.5",  "7635", "12345.6", "1e+06"};
    static const double expected[] = {0.001, 0.001, 0.001, 0.001, 0.001, 0.006, 0.006, 0.06, 6};
    check_tolerances(lengths, expected, LENGTH(lengths));
}

static void two_decimals_give_their_tolerance(void **state)
{
    (void)state;
    static const char *const lengths[] = {"2.83", "4.00", "512.00", "0.00"};
    static const double expected[] = {0.006, 0.006, 0.006, 0.006};
    check_tolerances(lengths, expected, LENGTH(lengths));
}

static void eight_decimals_give_their_tolerance(void **state)
{
    (void)state;
    static const char *const lengths[] = {"2.00000000", "3.41421356", "1691.36254211"};
    static const double expected[] = {0.001, 0.001, 0.001};
    check_tolerances(lengths, expected, LENGTH(lengths));
}

static void whole_numbers_alone_give_the_usual_tolerance(void **state)
{
    (void)state;
    static const char *const lengths[] = {"2", "34", "1200"};
    static const double expected[] = {0.001, 0.001, 0.006};
    check_tolerances(lengths, expected, LENGTH(lengths));
}

static void a_wrong_scenario_is_refused_with_line_and_reason(void **state)
{
    (void)state;
#define GOOD "version 1\n0\ta\t9\t9\t0\t0\t8\t8\t1\n"
    static const fault faults[] = {
        {"", 1, "version 1"},
        {"version 2\n", 1, "version 1"},
        {"version\n", 1, "version 1"},
        {"version 1 0\n", 1, "version 1"},
        {"0\ta\t9\t9\t0\t0\t8\t8\t1\n", 1, "version 1"},
        {GOOD "0\ta\t9\t9\t0\t0\t8\t8\n", 3, "9 fields, but here are 8"},
        {GOOD "0\ta\t9\t9\t0\t0\t8\t8\t1\t1\n", 3, "here are 10"},
        {GOOD "x\ta\t9\t9\t0\t0\t8\t8\t1\n", 3, "bucket"},
        {GOOD "0\ta\t0\t9\t0\t0\t8\t8\t1\n", 3, "width and height"},
        {GOOD "0\ta\t9\t32769\t0\t0\t8\t8\t1\n", 3, "width and height"},
        {GOOD "0\ta\t9\t9\t9\t0\t8\t8\t1\n", 3, "start-x must be 0 to 8"},
        {GOOD "0\ta\t9\t9\t0\t-1\t8\t8\t1\n", 3, "start-y"},
        {GOOD "0\ta\t9\t9\t0\t0\t99999999999\t8\t1\n", 3, "goal-x"},
        {GOOD "0\ta\t9\t5\t0\t0\t8\t8\t1\n", 3, "goal-y must be 0 to 4"},
        {GOOD "0\ta\t9\t9\t0\t0\t8\t8\t-1\n", 3, "length"},
        {GOOD "0\ta\t9\t9\t0\t0\t8\t8\tnan\n", 3, "length"},
        {GOOD "0\ta\t9\t9\t0\t0\t8\t8\tinf\n", 3, "length"},
        {GOOD "0\ta\t9\t9\t0\t0\t8\t8\t0x10\n", 3, "length"},
        {GOOD "0\ta\t9\t9\t0\t0\t8\t8\t1.2.3\n", 3, "length"},
        {GOOD "0\ta\t9\t9\t0\t0\t8\t8\t.\n", 3, "length"},
        {GOOD "0\ta\t9\t9\t0\t0\t8\t8\t1e\n", 3, "length"},
        {GOOD "0\ta\t9\t9\t0\t0\t8\t8\t1e999\n", 3, "length"},
    };
    cairn_context *context = make_context();
    for (size_t i = 0; i < LENGTH(faults); i++) {
        cairn_scenario scenario;
        cairn_error error = {0};
        CHECK_STATUS(cairn_scenario_parse(context,
                                          (cairn_bytes){faults[i].text, strlen(faults[i].text)},
                                          &scenario, &error),
                     CAIRN_BAD_DATA);
        assert_null(scenario.problems);
        CHECK(error.status == CAIRN_BAD_DATA && error.line == faults[i].line &&
                  strstr(error.text, faults[i].says),
              "fault %zu: line %u: %s", i, error.line, error.text);
    }
    cairn_context_destroy(context);
}

static void many_problems_are_all_kept(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    cairn_context *context = make_context();
    char *text = malloc(MANY * 40 + 20);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "version 1\n");
    for (int i = 0; i < MANY; i++)
        at += (size_t)sprintf(text + at, "%d\ta.map\t64\t64\t%d\t0\t1\t1\t1.5\n", i, i % 64);
    cairn_scenario scenario = parse_scenario(context, text);
    assert_int_equal(scenario.count, MANY);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(scenario.problems[i].bucket, i);
        assert_int_equal(scenario.problems[i].from.x, i % 64);
    }
    cairn_scenario_free(context, &scenario);
    free(text);
    cairn_context_destroy(context);
}

/* ---- files ---- */

static void files_come_back_as_they_were_written(void **state)
{
    (void)state;
    cairn_context *context = make_context();
    const char *name = CAIRN_BINARY_DIR "/test_io_movingai.tmp";
    const char data[] = "a\0b\r\n";
    cairn_file file;
    cairn_error error = {0};
    CHECK_OK(cairn_file_write(name, (cairn_bytes){data, sizeof data - 1}, &error));
    CHECK_OK(cairn_file_read(context, name, 0, &file, &error));
    assert_int_equal(file.size, sizeof data - 1);
    assert_memory_equal(file.data, data, sizeof data); /* with a zero byte behind it */
    cairn_file_free(context, &file);
    CHECK_OK(cairn_file_read(context, name, sizeof data - 1, &file, &error));
    cairn_file_free(context, &file);
    CHECK_STATUS(cairn_file_read(context, name, sizeof data - 2, &file, &error), CAIRN_FILE_ERROR);
    assert_null(file.data);
    assert_non_null(strstr(error.text, "limit"));
    CHECK_OK(cairn_file_write(name, (cairn_bytes){NULL, 0}, &error));
    CHECK_OK(cairn_file_read(context, name, 0, &file, &error));
    assert_int_equal(file.size, 0);
    cairn_file_free(context, &file);
    remove(name);
    cairn_context_destroy(context);
}

static void files_that_are_not_there_are_an_error_of_their_own(void **state)
{
    (void)state;
    cairn_context *context = make_context();
    cairn_file file;
    cairn_grid *grid = NULL;
    cairn_scenario scenario;
    cairn_error error = {0};
    CHECK_STATUS(cairn_file_read(context, CAIRN_BINARY_DIR "/no such file", 0, &file, &error),
                 CAIRN_FILE_ERROR);
    assert_non_null(strstr(error.text, "cannot be opened"));
    CHECK_STATUS(cairn_file_read(context, CAIRN_BINARY_DIR, 0, &file, &error), CAIRN_FILE_ERROR);
    CHECK_STATUS(cairn_grid_load(context, CAIRN_BINARY_DIR "/no such file", &grid, NULL),
                 CAIRN_FILE_ERROR);
    CHECK_STATUS(cairn_scenario_load(context, CAIRN_BINARY_DIR "/no such file", &scenario, NULL),
                 CAIRN_FILE_ERROR);
    CHECK_STATUS(
        cairn_file_write(CAIRN_BINARY_DIR "/no such folder/x", (cairn_bytes){"x", 1}, &error),
        CAIRN_FILE_ERROR);
    assert_int_equal(error.status, CAIRN_FILE_ERROR);
    cairn_context_destroy(context);
}

static void plain_text_and_movingai_files_are_told_apart(void **state)
{
    (void)state;
    cairn_context *context = make_context();
    cairn_grid *text = NULL, *map = NULL;
    CHECK_OK(cairn_grid_load(context, CAIRN_SOURCE_DIR "/maps/village.txt", &text, NULL));
    CHECK_OK(cairn_grid_load(context, CAIRN_SOURCE_DIR "/maps/rooms.map", &map, NULL));
    assert_int_equal(cairn_grid_width(text), 60);
    assert_int_equal(cairn_grid_width(map), 127);
    cairn_grid_destroy(text);
    cairn_grid_destroy(map);
    cairn_context_destroy(context);
}

/* ---- the bundled maps ---- */

static void check_bundled(cairn_context *context, const char *base)
{
    char name[1000];
    cairn_grid *grid = NULL;
    cairn_scenario scenario;
    snprintf(name, sizeof name, "%s/maps/%s", CAIRN_SOURCE_DIR, base);
    CHECK_OK(cairn_grid_load(context, name, &grid, NULL));
    snprintf(name, sizeof name, "%s/maps/%s.scen", CAIRN_SOURCE_DIR, base);
    CHECK_OK(cairn_scenario_load(context, name, &scenario, NULL));
    assert_string_equal(scenario.map, base);
    assert_true(scenario.count >= 60);
    for (uint32_t i = 0; i < scenario.count; i++) {
        const cairn_problem *p = &scenario.problems[i];
        assert_int_equal(p->width, cairn_grid_width(grid));
        assert_int_equal(p->height, cairn_grid_height(grid));
        assert_int_equal(p->bucket, (uint32_t)(p->length / 4));
        cairn_owned_path found;
        cairn_status status = cairn_find_path(grid, p->from, p->to, &found);
        bool none = p->length == 0; /* start and goal differ in every problem */
        CHECK(status == (none ? CAIRN_UNREACHABLE : CAIRN_FOUND), "%s, problem %u: %s", base, i,
              cairn_status_text(status));
        CHECK(none || fabs(found.path.length - p->length) <= p->tolerance,
              "%s, problem %u: %g, not %g", base, i, found.path.length, p->length);
        cairn_path_free(&found);
    }
    cairn_scenario_free(context, &scenario);
    cairn_grid_destroy(grid);
}

static void every_bundled_problem_has_the_length_it_says(void **state)
{
    (void)state;
    static const char *const names[] = {
        "battlefield.map", "bridge.txt",     "caves.map",  "cave.txt",        "facility.map",
        "maze.map",        "pseudo-rts.map", "random.map", "rooms-small.txt", "rooms.map",
        "spiral.txt",      "u-trap.txt",     "village.txt"};
    cairn_context *context = make_context();
    for (size_t i = 0; i < LENGTH(names); i++) check_bundled(context, names[i]);
    cairn_context_destroy(context);
}

/* Files of every kind in memory are what they are on disk; tilesets beside them are not looked
 * for. */
static void grids_are_read_from_memory_too(void **state)
{
    (void)state;
    static const char *const names[] = {"rooms.map", "village.txt"};
    cairn_context *context = make_context();
    for (size_t i = 0; i < LENGTH(names); i++) {
        char name[1000];
        cairn_file file;
        cairn_grid *disk = NULL, *memory = NULL;
        snprintf(name, sizeof name, "%s/maps/%s", CAIRN_SOURCE_DIR, names[i]);
        CHECK_OK(cairn_grid_load(context, name, &disk, NULL));
        CHECK_OK(cairn_file_read(context, name, 0, &file, NULL));
        CHECK_OK(cairn_grid_parse(context, (cairn_bytes){file.data, file.size}, i ? names[i] : NULL,
                                  &memory, NULL));
        cairn_file a, b;
        CHECK_OK(cairn_map_format(disk, &a));
        CHECK_OK(cairn_map_format(memory, &b));
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        cairn_file_free(context, &a);
        cairn_file_free(context, &b);
        cairn_file_free(context, &file);
        cairn_grid_destroy(disk);
        cairn_grid_destroy(memory);
    }
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    static const char apart[] =
        "<map width='1' height='1'><tileset firstgid='1' source='a.tsx'/><layer><data "
        "encoding='csv'>1</data></layer></map>";
    CHECK_STATUS(
        cairn_grid_parse(context, (cairn_bytes){apart, strlen(apart)}, NULL, &grid, &error),
        CAIRN_UNSUPPORTED);
    assert_non_null(strstr(error.text, "a.tsx"));
    CHECK_STATUS(cairn_grid_parse(context, (cairn_bytes){"?", 1}, "a.cairn", &grid, &error),
                 CAIRN_BAD_DATA);
    assert_non_null(strstr(error.text, ".cairn"));
    CHECK_STATUS(cairn_grid_parse(context, (cairn_bytes){"ty", 2}, NULL, &grid, &error),
                 CAIRN_BAD_DATA);
    CHECK_STATUS(cairn_grid_parse(context, (cairn_bytes){NULL, 0}, NULL, &grid, &error),
                 CAIRN_BAD_DATA);
    CHECK_STATUS(cairn_grid_parse(context, (cairn_bytes){NULL, 1}, NULL, &grid, NULL),
                 CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_parse(NULL, (cairn_bytes){"", 0}, NULL, &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_parse(context, (cairn_bytes){"", 0}, NULL, NULL, NULL), CAIRN_INVALID);
    assert_null(grid);
    cairn_context_destroy(context);
}

static void a_byte_order_mark_is_no_part_of_a_text(void **state)
{
    (void)state;
    static const char mark[] = "\xef\xbb\xbf";
    static const char *const maps[] = {"type octile\nheight 1\nwidth 2\nmap\n.@\n", ".@\n"};
    cairn_context *context = make_context();
    char text[200];
    for (size_t i = 0; i < LENGTH(maps); i++) {
        cairn_grid *grid = NULL;
        snprintf(text, sizeof text, "%s%s", mark, maps[i]);
        CHECK_OK(cairn_grid_parse(context, (cairn_bytes){text, strlen(text)}, NULL, &grid, NULL));
        check_row(grid, 0, ".@");
        assert_int_equal(cairn_grid_width(grid), 2);
        cairn_grid_destroy(grid);
    }
    snprintf(text, sizeof text, "%s%s", mark, maps[0]);
    cairn_grid_destroy(parse_map(context, text));
    cairn_scenario scenario;
    snprintf(text, sizeof text, "%sversion 1\n0\tx.map\t3\t2\t0\t0\t2\t0\t2\n", mark);
    CHECK_OK(cairn_scenario_parse(context, (cairn_bytes){text, strlen(text)}, &scenario, NULL));
    assert_int_equal(scenario.count, 1);
    cairn_scenario_free(context, &scenario);
    /* Two marks are one too many. */
    cairn_grid *grid = NULL;
    snprintf(text, sizeof text, "%s%s.@\n", mark, mark);
    CHECK_STATUS(cairn_grid_parse(context, (cairn_bytes){text, strlen(text)}, NULL, &grid, NULL),
                 CAIRN_BAD_DATA);
    cairn_context_destroy(context);
}

static void a_grid_becomes_in_memory_what_its_file_would_be(void **state)
{
    (void)state;
    static const char *const endings[] = {".map", ".txt", ".png", ".cairn"};
    cairn_context *context = make_context();
    cairn_grid *grid = parse_map(context, "type octile\nheight 2\nwidth 3\nmap\n..S\n.@.\n");
    for (size_t i = 0; i < LENGTH(endings); i++) {
        char name[1000];
        cairn_file memory = {0}, disk = {0};
        snprintf(name, sizeof name, "%s/format%s", CAIRN_BINARY_DIR, endings[i]);
        cairn_status status = cairn_grid_format(grid, endings[i], &memory, NULL);
        CHECK_STATUS(status, CAIRN_UNSUPPORTED); /* an ending alone is no name */
        status = cairn_grid_format(grid, name, &memory, NULL);
        if (status == CAIRN_UNSUPPORTED) continue; /* built without PNG */
        CHECK_OK(status);
        CHECK_OK(cairn_grid_save(grid, name, NULL));
        CHECK_OK(cairn_file_read(context, name, 0, &disk, NULL));
        assert_int_equal(memory.size, disk.size);
        assert_memory_equal(memory.data, disk.data, disk.size);
        cairn_file_free(context, &memory);
        cairn_file_free(context, &disk);
    }
    cairn_file none;
    CHECK_STATUS(cairn_grid_format(grid, "a.gif", &none, NULL), CAIRN_UNSUPPORTED);
    CHECK_STATUS(cairn_grid_format(grid, NULL, &none, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_format(NULL, "a.map", &none, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_format(grid, "a.map", NULL, NULL), CAIRN_INVALID);
    assert_null(none.data);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

/* Everything that io does with a small map, a scenario and a picture. */
static cairn_status use_io(cairn_context *context)
{
    static const char map[] = "type octile\nheight 2\nwidth 3\nmap\n..S\n.@.\n";
    static const char problems[] = "version 1\n0\tx.map\t3\t2\t0\t0\t2\t0\t2\n";
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    cairn_recording *recording = NULL;
    cairn_scenario scenario = {0};
    cairn_file text = {0}, svg = {0}, png = {0}, archive = {0};
    cairn_status status = cairn_map_parse(context, (cairn_bytes){map, strlen(map)}, &grid, NULL);
    if (!status) status = cairn_map_format(grid, &text);
    if (!status) status = cairn_grid_format(grid, "x.cairn", &archive, NULL);
    if (!status)
        status = cairn_scenario_parse(context, (cairn_bytes){problems, strlen(problems)}, &scenario,
                                      NULL);
    if (!status) status = cairn_space_of_grid(grid, NULL, &space, NULL);
    if (!status) status = cairn_recording_create(space, &recording);
    cairn_picture picture = {.space = space, .recording = recording, .from = 0, .to = 2};
    if (!status) status = cairn_picture_svg(&picture, &svg, NULL);
    if (!status) status = cairn_picture_png(&picture, &png, NULL);
    if (status == CAIRN_UNSUPPORTED) status = CAIRN_OK; /* built without PNG */
    cairn_file_free(context, &text), cairn_file_free(context, &svg), cairn_file_free(context, &png);
    cairn_file_free(context, &archive);
    cairn_recording_destroy(recording);
    cairn_scenario_free(context, &scenario);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    return status;
}

static void all_memory_is_the_contexts_and_may_fail(void **state)
{
    (void)state;
    cairn_status status = CAIRN_OUT_OF_MEMORY;
    for (uint64_t at = 2; status != CAIRN_OK && at < 1000; at++) {
        watched w = {0};
        cairn_context *context;
        CHECK_OK(watched_context(&w, &context));
        w.fail_at = at;
        status = use_io(context);
        CHECK(status == CAIRN_OK || status == CAIRN_OUT_OF_MEMORY, "request %u: %s", (unsigned)at,
              cairn_status_text(status));
        CHECK((status == CAIRN_OK) == (w.failures == 0), "request %u", (unsigned)at);
        cairn_context_destroy(context);
        CHECK(w.blocks == 0 && !w.wrong_size, "request %u leaks", (unsigned)at);
    }
    CHECK_OK(status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_letter_of_a_map_is_understood),
        cmocka_unit_test(all_memory_is_the_contexts_and_may_fail),
        cmocka_unit_test(line_ends_of_all_kinds_are_accepted),
        cmocka_unit_test(a_wrong_map_is_refused_with_line_and_reason),
        cmocka_unit_test(arguments_that_make_no_sense_are_invalid),
        cmocka_unit_test(a_map_that_was_written_reads_back_the_same),
        cmocka_unit_test(a_problem_has_nine_fields),
        cmocka_unit_test(both_ways_to_write_the_version_mean_the_same),
        cmocka_unit_test(six_significant_digits_give_their_tolerance),
        cmocka_unit_test(two_decimals_give_their_tolerance),
        cmocka_unit_test(eight_decimals_give_their_tolerance),
        cmocka_unit_test(whole_numbers_alone_give_the_usual_tolerance),
        cmocka_unit_test(a_wrong_scenario_is_refused_with_line_and_reason),
        cmocka_unit_test(many_problems_are_all_kept),
        cmocka_unit_test(files_come_back_as_they_were_written),
        cmocka_unit_test(files_that_are_not_there_are_an_error_of_their_own),
        cmocka_unit_test(plain_text_and_movingai_files_are_told_apart),
        cmocka_unit_test(every_bundled_problem_has_the_length_it_says),
        cmocka_unit_test(grids_are_read_from_memory_too),
        cmocka_unit_test(a_byte_order_mark_is_no_part_of_a_text),
        cmocka_unit_test(a_grid_becomes_in_memory_what_its_file_would_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
