/* test_io_script.c: walk scripts (io.h): reading, writing, refusing, and walking by them; the
 * bundled ones with every algorithm.
 */
#define _POSIX_C_SOURCE 200809L
#define FOLDER "test_io_script"
#include "folder.h"

#include <cairn/io.h>
#include <sys/stat.h>

static cairn_status parse(cairn_context *context, const char *text, cairn_script *out,
                          cairn_error *error)
{
    return cairn_script_parse(context, (cairn_bytes){text, strlen(text)}, out, error);
}

/* ---- reading ------------------------------------------------------------------------ */

static const char full[] = "cairn-walk 1\r\n"
                           "# a comment\n"
                           "\n"
                           "title  A door, and more \n"
                           "generate rooms 64x48 seed=9 room=7\n"
                           "neighbours 4\n"
                           "corners one\n"
                           "radius 1.25\n"
                           "cost swamp 1.5\n"
                           "cost 7 0\n"
                           "from 3,4\n"
                           "to 50,40\n"
                           "expect stopped\n"
                           "at 12 block 20,14 18,10\n"
                           "at 12 terrain 1,2 swamp\n"
                           "  at 30 open 20,12\n"
                           "at 31 terrain 5,5 6,6 9\n"
                           "at 40 goal 10,11";

static void check_full(const cairn_script *s)
{
    assert_string_equal(s->title, "A door, and more");
    assert_int_equal(s->map, CAIRN_SCRIPT_MAP_GENERATED);
    CHECK(s->generator.kind == CAIRN_GENERATE_ROOMS && s->generator.width == 64 &&
              s->generator.height == 48 && s->generator.seed == 9 && s->generator.room == 7,
          "the map");
    CHECK(s->profile.neighbours == CAIRN_NEIGHBOURS_4 && s->profile.corners == CAIRN_CORNERS_ONE &&
              s->profile.radius == 1.25 &&
              s->profile.terrain_cost[CAIRN_TERRAIN_SWAMP] == CAIRN_TIMES(1.5) &&
              s->profile.terrain_cost[7] == 0 && s->profile.terrain_cost[8] == CAIRN_TIMES(1),
          "the agent");
    CHECK(s->from.x == 3 && s->from.y == 4 && s->to.x == 50 && s->to.y == 40, "the ends");
    assert_int_equal(s->end, CAIRN_SCRIPT_END_STOPPED);
    assert_int_equal(s->change_count, 5);
    const cairn_script_change *c = s->changes;
    CHECK(c[0].at == 12 && c[0].action == CAIRN_SCRIPT_BLOCK && c[0].first.x == 18 &&
              c[0].first.y == 10 && c[0].last.x == 20 && c[0].last.y == 14,
          "a rectangle, by any corners");
    CHECK(c[1].action == CAIRN_SCRIPT_TERRAIN && c[1].terrain == CAIRN_TERRAIN_SWAMP &&
              c[1].last.x == 1,
          "swamp");
    CHECK(c[2].at == 30 && c[2].action == CAIRN_SCRIPT_OPEN && c[2].last.y == 12, "open");
    CHECK(c[3].terrain == 9 && c[3].last.x == 6, "a class");
    CHECK(c[4].at == 40 && c[4].action == CAIRN_SCRIPT_GOAL && c[4].first.x == 10 &&
              c[4].first.y == 11,
          "goal");
}

static void every_line_is_read(void **state)
{
    cairn_context *context = *state;
    cairn_script s;
    cairn_error error = {0};
    CHECK(parse(context, full, &s, &error) == CAIRN_OK, "%u: %s", error.line, error.text);
    check_full(&s);
    cairn_script_free(context, &s);
    cairn_script_free(context, NULL);
}

static void what_is_written_reads_the_same(void **state)
{
    cairn_context *context = *state;
    cairn_script s, again;
    cairn_file text, twice;
    CHECK_OK(parse(context, full, &s, NULL));
    CHECK_OK(cairn_script_format(context, &s, &text, NULL));
    CHECK_OK(cairn_script_parse(context, (cairn_bytes){text.data, text.size}, &again, NULL));
    check_full(&again);
    CHECK_OK(cairn_script_format(context, &again, &twice, NULL));
    assert_string_equal(text.data, twice.data);
    cairn_file_free(context, &text), cairn_file_free(context, &twice);
    cairn_script_free(context, &s), cairn_script_free(context, &again);
}

static void every_terrain_cost_is_written_and_read(void **state)
{
    cairn_context *context = *state;
    cairn_script s, again;
    cairn_file text;
    CHECK_OK(parse(context, full, &s, NULL));
    for (uint32_t first = 0; first <= UINT16_MAX; first += 256) {
        for (uint32_t i = 0; i < 256; i++) s.profile.terrain_cost[i] = (uint16_t)(first + i);
        CHECK_OK(cairn_script_format(context, &s, &text, NULL));
        CHECK_OK(cairn_script_parse(context, (cairn_bytes){text.data, text.size}, &again, NULL));
        assert_memory_equal(again.profile.terrain_cost, s.profile.terrain_cost,
                            sizeof s.profile.terrain_cost);
        cairn_file_free(context, &text);
        cairn_script_free(context, &again);
    }
    cairn_script_free(context, &s);
}

static void rows_and_files_are_maps_too(void **state)
{
    cairn_context *context = *state;
    cairn_script s;
    cairn_file text;
    cairn_grid *grid;
    static const char rows[] =
        "cairn-walk 1\nneighbours hex\nrows\n..#.\n....\nend\nfrom 0,0\nto 3,1\n";
    CHECK_OK(parse(context, rows, &s, NULL));
    assert_int_equal(s.map, CAIRN_SCRIPT_MAP_ROWS);
    CHECK_OK(cairn_script_grid(context, &s, NULL, &grid, NULL));
    CHECK(cairn_grid_width(grid) == 4 && cairn_grid_height(grid) == 2 &&
              !cairn_grid_is_open(grid, 2, 0) && cairn_grid_layout(grid) == CAIRN_LAYOUT_HEX,
          "the rows");
    assert_int_equal(cairn_script_profile(&s, grid).neighbours, CAIRN_NEIGHBOURS_HEX);
    cairn_grid_destroy(grid);
    CHECK_OK(cairn_script_format(context, &s, &text, NULL));
    assert_string_equal(text.data,
                        "cairn-walk 1\nrows\n..#.\n....\nend\nneighbours hex\nfrom 0,0\nto 3,1\n");
    cairn_file_free(context, &text);
    cairn_script_free(context, &s);

    CHECK_OK(parse(context, "cairn-walk 1\nmap village.txt\nfrom 0,0\nto 3,1\n", &s, NULL));
    assert_string_equal(s.file, "village.txt");
    CHECK_OK(cairn_script_grid(context, &s, CAIRN_SOURCE_DIR "/maps/", &grid, NULL));
    assert_int_equal(cairn_grid_width(grid), 60);
    cairn_grid_destroy(grid);
    CHECK_STATUS(cairn_script_grid(context, &s, "nowhere/", &grid, NULL), CAIRN_FILE_ERROR);
    assert_null(grid);
    cairn_script_free(context, &s);

    CHECK_OK(parse(context, "cairn-walk 1\nfrom 0,0\nto 3,1", &s, NULL));
    CHECK_STATUS(cairn_script_grid(context, &s, NULL, &grid, NULL), CAIRN_INVALID);
    cairn_script_free(context, &s);
}

/* Whoever wrote the script chose the name: it leads nowhere that could block or never end. */
static void maps_of_scripts_are_regular_files(void **state)
{
    cairn_context *context = *state;
    cairn_script s;
    cairn_grid *grid;
    static const char *const specials[] = {"pipe", "zero", "folder"};
    static const char *const names[] = {"a", "...", "..a", "a..", "sub/a", "sub/.a/b"};
    CHECK(mkdtemp(folder) && !mkfifo(in_folder("pipe"), 0600) &&
              !mkdir(in_folder("folder"), 0700) && !symlink("/dev/zero", in_folder("zero")),
          "no special files");
    for (size_t i = 0; i < LENGTH(specials); i++) {
        char text[100], place[1024];
        cairn_error error = {0};
        snprintf(text, sizeof text, "cairn-walk 1\nmap %s\nfrom 0,0\nto 3,1\n", specials[i]);
        snprintf(place, sizeof place, "%s/", folder);
        CHECK_OK(parse(context, text, &s, NULL));
        CHECK_STATUS(cairn_script_grid(context, &s, place, &grid, &error), CAIRN_FILE_ERROR);
        CHECK(!grid && strstr(error.text, "no regular file"), "%s: %s", specials[i], error.text);
        cairn_script_free(context, &s);
    }
    for (size_t i = 0; i < LENGTH(names); i++) {
        char text[100];
        snprintf(text, sizeof text, "cairn-walk 1\nmap %s\nfrom 0,0\nto 3,1\n", names[i]);
        CHECK_OK(parse(context, text, &s, NULL));
        assert_string_equal(s.file, names[i]);
        strcpy(s.file, "../a");
        CHECK_STATUS(cairn_script_grid(context, &s, NULL, &grid, NULL), CAIRN_INVALID);
        cairn_file none;
        CHECK_STATUS(cairn_script_format(context, &s, &none, NULL), CAIRN_INVALID);
        cairn_script_free(context, &s);
    }
    assert_int_equal(folder_tear_down(NULL), 0);
}

/* 55 bytes that asked for a maze of a gigabyte. */
static void a_script_generates_no_more_cells_than_it_may(void **state)
{
    static const char text[] = "cairn-walk 1\ngenerate maze 32768x32768\nfrom 1,1\nto 3,3\n";
    cairn_script s;
    cairn_grid *grid;
    cairn_error error = {0};
    CHECK_OK(parse(*state, text, &s, NULL));
    size_t before = cairn_context_memory(*state).peak_bytes;
    CHECK_STATUS(cairn_script_grid(*state, &s, NULL, &grid, &error), CAIRN_OUT_OF_BUDGET);
    CHECK(!grid && strstr(error.text, "it asks for 1073741824 cells"), "%s", error.text);
    assert_int_equal(cairn_context_memory(*state).peak_bytes, before);
    s.generator.width = s.generator.height = 33;
    for (uint64_t limit = 33 * 33 - 1; limit <= 33 * 33; limit++) {
        cairn_context_options options = cairn_context_defaults();
        options.file_cells = limit;
        cairn_context *context;
        CHECK_OK(cairn_context_create(&options, &context));
        CHECK_STATUS(cairn_script_grid(context, &s, NULL, &grid, NULL),
                     limit < 33 * 33 ? CAIRN_OUT_OF_BUDGET : CAIRN_OK);
        cairn_grid_destroy(grid);
        cairn_context_destroy(context);
    }
    cairn_script_free(*state, &s);
}

static void bad_rows_are_named_by_their_line(void **state)
{
    cairn_context *context = *state;
    cairn_script s;
    cairn_grid *grid;
    cairn_error error = {0};
    CHECK_OK(parse(context, "cairn-walk 1\nfrom 0,0\nto 1,1\nrows\n...\n.x.\nend\n", &s, NULL));
    CHECK_STATUS(cairn_script_grid(context, &s, NULL, &grid, &error), CAIRN_BAD_DATA);
    assert_int_equal(error.line, 6);
    cairn_script_free(context, &s);
}

/* ---- refusing ----------------------------------------------------------------------- */

static void what_makes_no_sense_is_refused_with_its_line(void **state)
{
    cairn_context *context = *state;
    static const struct {
        const char *text;
        uint32_t line;
        const char *says;
    } cases[] = {
        {"", 1, "cairn-walk 1"},
        {"cairn-walk 2\nfrom 0,0\nto 1,1\n", 1, "cairn-walk 1"},
        {"cairn-walk 1 x\nfrom 0,0\nto 1,1\n", 1, "cairn-walk 1"},
        {"cairn-walk 1\nfrom 0,0\n", 2, "start and a goal"},
        {"cairn-walk 1\nfrom 0,0\nfrom 0,0\nto 1,1\n", 3, "twice"},
        {"cairn-walk 1\nfrom 0;0\nto 1,1\n", 2, "cell"},
        {"cairn-walk 1\nfrom 0,-1\nto 1,1\n", 2, "cell"},
        {"cairn-walk 1\nfrom 0,32768\nto 1,1\n", 2, "cell"},
        {"cairn-walk 1\nfrom 0,0 1,1\nto 1,1\n", 2, "more on this line"},
        {"cairn-walk 1\nfrom 0,0\nto 1,1\njump 3\n", 4, "jump"},
        {"cairn-walk 1\nfrom 0,0\nto 1,1\nat x block 1,1\n", 4, "step"},
        {"cairn-walk 1\nfrom 0,0\nto 1,1\nat 5 burn 1,1\n", 4, "one of"},
        {"cairn-walk 1\nfrom 0,0\nto 1,1\nat 5 block\n", 4, "cell"},
        {"cairn-walk 1\nfrom 0,0\nto 1,1\nat 5 block 1,1 2,2 3,3\n", 4, "more on this line"},
        {"cairn-walk 1\nfrom 0,0\nto 1,1\nat 5 goal 1,1 2,2\n", 4, "more on this line"},
        {"cairn-walk 1\nfrom 0,0\nto 1,1\nat 5 terrain 1,1\n", 4, "class"},
        {"cairn-walk 1\nfrom 0,0\nto 1,1\nat 5 terrain 1,1 lava\n", 4, "class"},
        {"cairn-walk 1\nfrom 0,0\nto 1,1\nat 5 open 1,1\nat 4 open 1,1\n", 5, "order"},
        {"cairn-walk 1\nmap a\nrows\nend\nfrom 0,0\nto 1,1\n", 3, "already"},
        {"cairn-walk 1\nmap\nfrom 0,0\nto 1,1\n", 2, "name of the map"},
        {"cairn-walk 1\nmap /dev/zero\nfrom 0,0\nto 1,1\n", 2, "in the folder of the script"},
        {"cairn-walk 1\nmap ..\nfrom 0,0\nto 1,1\n", 2, "in the folder of the script"},
        {"cairn-walk 1\nmap ../a\nfrom 0,0\nto 1,1\n", 2, "in the folder of the script"},
        {"cairn-walk 1\nmap a/../../b\nfrom 0,0\nto 1,1\n", 2, "in the folder of the script"},
        {"cairn-walk 1\nmap a/..\nfrom 0,0\nto 1,1\n", 2, "in the folder of the script"},
        {"cairn-walk 1\nmap a\\..\\b\nfrom 0,0\nto 1,1\n", 2, "in the folder of the script"},
        {"cairn-walk 1\nmap \\a\nfrom 0,0\nto 1,1\n", 2, "in the folder of the script"},
        {"cairn-walk 1\nmap C:a\nfrom 0,0\nto 1,1\n", 2, "in the folder of the script"},
        {"cairn-walk 1\nrows\n...\nfrom 0,0\n", 4, "end"},
        {"cairn-walk 1\nrows here\n...\nend\n", 2, "line ends"},
        {"cairn-walk 1\ngenerate lakes 3x3\n", 2, "kind"},
        {"cairn-walk 1\ngenerate scaled 3x3\n", 2, "kind"},
        {"cairn-walk 1\ngenerate rooms 0x3\n", 2, "size"},
        {"cairn-walk 1\ngenerate rooms 30\n", 2, "size"},
        {"cairn-walk 1\ngenerate rooms 30x30 seed\n", 2, "numbers"},
        {"cairn-walk 1\ngenerate rooms 30x30 rounds=2\n", 2, "no number"},
        {"cairn-walk 1\ngenerate random 30x30 percent=101\n", 2, "percent must be"},
        {"cairn-walk 1\nneighbours 6\n", 2, "hex"},
        {"cairn-walk 1\ncorners\n", 2, "always"},
        {"cairn-walk 1\nradius 33\n", 2, "radius"},
        {"cairn-walk 1\nradius 32.5\n", 2, "radius"},
        {"cairn-walk 1\nradius 1.2345\n", 2, "radius"},
        {"cairn-walk 1\nradius 1.\n", 2, "radius"},
        {"cairn-walk 1\nradius\n", 2, "radius"},
        {"cairn-walk 1\nfootprint 65\n", 2, "footprint"},
        {"cairn-walk 1\ncost swamp 256\n", 2, "cost"},
        {"cairn-walk 1\ncost swamp 1.2345\n", 2, "cost"},
        {"cairn-walk 1\ncost swamp -1.5\n", 2, "cost"},
        {"cairn-walk 1\nexpect luck\n", 2, "expect"},
        {"cairn-walk 1\ntitle\n", 2, "title"},
        {"cairn-walk 1\ntitle a\rb\n", 2, "plain text"},
        {"cairn-walk 1\nmap a\tb\n", 2, "plain text"},
        {"cairn-walk 1\nrows\n..\r\r\nend\n", 3, "malformed"},
        {"cairn-walk 1\nradius 1\nfootprint 2\nfrom 0,0\nto 1,1\n", 5, "not both"},
        {"cairn-walk 1\nneighbours hex\nfootprint 2\nfrom 0,0\nto 1,1\n", 5, "squares"},
    };
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        cairn_script s;
        cairn_error error = {0};
        cairn_status status = parse(context, cases[i].text, &s, &error);
        CHECK(status == CAIRN_BAD_DATA && error.line == cases[i].line &&
                  strstr(error.text, cases[i].says),
              "%u: %s: line %u: %s", i, cairn_status_text(status), error.line, error.text);
        CHECK(!s.changes && !s.rows, "%u: something is left", i);
    }
    cairn_script s;
    CHECK_STATUS(cairn_script_parse(context, (cairn_bytes){"cairn-walk 1\0", 13}, &s, NULL),
                 CAIRN_BAD_DATA);
    CHECK_STATUS(cairn_script_parse(context, (cairn_bytes){NULL, 3}, &s, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_script_parse(NULL, (cairn_bytes){full, 3}, &s, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_script_parse(context, (cairn_bytes){full, 3}, NULL, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_script_load(context, "no-such.walk", &s, NULL), CAIRN_FILE_ERROR);
}

static void what_the_format_cannot_hold_is_refused(void **state)
{
    cairn_context *context = *state;
    cairn_script good = {.profile = cairn_profile_default(), .to = {3, 3}}, s;
    cairn_file text;
    CHECK_OK(cairn_script_format(context, &good, &text, NULL));
    cairn_file_free(context, &text);
#define REFUSED(what) \
    do { \
        s = good; \
        what; \
        CHECK(cairn_script_format(context, &s, &text, NULL) == CAIRN_INVALID && !text.data, \
              #what); \
    } while (0)
    REFUSED(strcpy(s.title, "two\nlines"));
    REFUSED(strcpy(s.title, " blank"));
    REFUSED(s.map = CAIRN_SCRIPT_MAP_FILE);
    REFUSED(s.map = CAIRN_SCRIPT_MAP_ROWS);
    REFUSED(s.map = CAIRN_SCRIPT_MAP_GENERATED; s.generator.kind = CAIRN_GENERATE_SCALED);
    REFUSED(s.map = CAIRN_SCRIPT_MAP_GENERATED; s.generator.seed = UINT64_MAX);
    REFUSED(s.profile.radius = 0.3333);
    REFUSED(s.profile.gradient = 3);
    REFUSED(s.change_count = 1);
    REFUSED(s.profile.radius = 1; s.profile.footprint = 2);
    REFUSED(s.profile.footprint = CAIRN_FOOTPRINT_MAX + 1);
    REFUSED(s.from.x = -1);
    REFUSED(s.to.y = (int32_t)CAIRN_GRID_MAX);
    REFUSED(s.end = CAIRN_SCRIPT_END_COUNT);
    REFUSED(s.map = CAIRN_SCRIPT_MAP_GENERATED;
            s.generator = cairn_generator_default(CAIRN_GENERATE_ROOMS); s.generator.width = 0);
    char broken[] = "...\nend\n...\n", control[] = "..\a\n", whole[] = "...\nend.\n.end";
    REFUSED(s.map = CAIRN_SCRIPT_MAP_ROWS; s.rows = broken; s.rows_size = strlen(broken));
    REFUSED(s.map = CAIRN_SCRIPT_MAP_ROWS; s.rows = control; s.rows_size = strlen(control));
    cairn_script_change changes[2] = {{.at = 2, .first = {1, 1}, .last = {1, 2}}, {.at = 2}};
    REFUSED(s.changes = changes; s.change_count = 2; changes[1].at = 1);
    REFUSED(s.changes = changes; s.change_count = 2; changes[1].at = CAIRN_SCRIPT_STEP_MAX + 1);
    REFUSED(s.changes = changes; s.change_count = 2; changes[1].at = 2; changes[1].first.y = -1);
    REFUSED(s.changes = changes; s.change_count = 2; changes[1].first.x = 3;
            changes[1].first.y = 0);
    REFUSED(s.changes = changes; s.change_count = 2; changes[1].action = CAIRN_SCRIPT_ACTION_COUNT);
    changes[1] = (cairn_script_change){
        .at = CAIRN_SCRIPT_STEP_MAX, .action = CAIRN_SCRIPT_GOAL, .first = {3, 0}};
    good.changes = changes;
    good.change_count = 2;
    good.map = CAIRN_SCRIPT_MAP_ROWS;
    good.rows = whole;
    good.rows_size = strlen(whole);
    CHECK_OK(cairn_script_format(context, &good, &text, NULL));
    CHECK_OK(cairn_script_parse(context, (cairn_bytes){text.data, text.size}, &s, NULL));
    cairn_file_free(context, &text);
    cairn_script_free(context, &s);
    CHECK_STATUS(cairn_script_format(context, NULL, &text, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_script_format(context, &good, NULL, NULL), CAIRN_INVALID);
}

static void reading_does_without_memory(void **state)
{
    (void)state;
    watched memory = {0};
    cairn_context *context;
    CHECK_OK(watched_context(&memory, &context));
    static const char rows[] =
        "cairn-walk 1\nrows\n..#.\n....\nend\nfrom 0,0\nto 3,1\nat 3 block 1,1\n";
    const char *const texts[] = {full, rows};
    size_t blocks = memory.blocks;
    for (uint32_t t = 0; t < LENGTH(texts); t++) {
        for (uint64_t k = 1;; k++) {
            cairn_script s;
            cairn_file text = {0};
            memory.failures = 0;
            memory.fail_at = memory.calls + k;
            cairn_status status = parse(context, texts[t], &s, NULL);
            if (!status) status = cairn_script_format(context, &s, &text, NULL);
            memory.fail_at = 0;
            CHECK(status == (memory.failures ? CAIRN_OUT_OF_MEMORY : CAIRN_OK), "%s",
                  cairn_status_text(status));
            cairn_file_free(context, &text);
            cairn_script_free(context, &s);
            assert_int_equal(memory.blocks, blocks);
            if (!status) break;
        }
    }
    cairn_context_destroy(context);
    assert_int_equal(memory.blocks, 0);
}

/* ---- walking ------------------------------------------------------------------------- */

typedef struct hike {
    cairn_context *context;
    cairn_script script;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_navigator *navigator;
    cairn_script_walk walk;
} hike;

/* NULL if the algorithm cannot serve this agent. */
static bool hike_begin(hike *h, const char *spec, const cairn_navigator_options *options)
{
    if (planner_ready(h->space, spec, &h->planner, NULL) != CAIRN_OK) return false;
    CHECK_OK(cairn_navigator_create(h->planner, options, &h->navigator));
    CHECK_OK(cairn_navigator_start(h->navigator,
                                   cairn_grid_node(h->grid, h->script.from.x, h->script.from.y),
                                   cairn_grid_node(h->grid, h->script.to.x, h->script.to.y)));
    h->walk = (cairn_script_walk){.script = &h->script, .grid = h->grid, .navigator = h->navigator};
    return true;
}

static void hike_open(hike *h, cairn_context *context)
{
    h->context = context;
    CHECK_OK(cairn_script_grid(context, &h->script, CAIRN_SOURCE_DIR "/maps/", &h->grid, NULL));
    cairn_profile profile = cairn_script_profile(&h->script, h->grid);
    CHECK_OK(cairn_space_of_grid(h->grid, &profile, &h->space, NULL));
}

static void hike_end(hike *h)
{
    cairn_navigator_destroy(h->navigator);
    cairn_planner_destroy(h->planner);
    h->navigator = NULL, h->planner = NULL;
}

static void hike_close(hike *h)
{
    hike_end(h);
    cairn_space_destroy(h->space);
    cairn_grid_destroy(h->grid);
    cairn_script_free(h->context, &h->script);
}

/* The step of every turn, and what was changed in it. */
static void changes_come_at_their_steps(void **state)
{
    hike h = {0};
    CHECK_OK(parse(*state,
                   "cairn-walk 1\nrows\n........\n........\nend\nfrom 0,0\nto 3,0\n"
                   "at 0 block 1,0\nat 0 block 5,0 5,1\nat 2 open 1,0\nat 9 goal 7,0\nat 12 open "
                   "5,0 5,1\nat 12 "
                   "terrain 6,0 swamp\nat 99 block 0,0\n",
                   &h.script, NULL));
    hike_open(&h, *state);
    assert_true(hike_begin(&h, "astar", NULL));
    static const struct {
        uint64_t step;
        uint32_t made;
        cairn_move_kind kind;
    } turns[] = {
        {0, 2, CAIRN_MOVE_STEP},
        {1, 0, CAIRN_MOVE_STEP},
        {2, 1, CAIRN_MOVE_STEP},
        {3, 0, CAIRN_MOVE_STEP}, /* round the blocked cell: the third step does not arrive */
    };
    cairn_move m = {0};
    uint32_t i = 0;
    for (; !m.arrived; i++) {
        uint64_t step = h.walk.step;
        CHECK_OK(cairn_script_turn(&h.walk, &m, NULL));
        CHECK(i < LENGTH(turns), "too many turns");
        CHECK(step == turns[i].step && h.walk.made == turns[i].made && m.kind == turns[i].kind,
              "turn %u", i);
    }
    /* It waits for the goal to move, which takes no turns; the new one cannot be reached, then it
     * can. */
    CHECK(!h.walk.over && h.walk.step == 9, "at %u", (unsigned)h.walk.step);
    CHECK_OK(cairn_script_turn(&h.walk, &m, NULL));
    CHECK(m.kind == CAIRN_MOVE_STOP && m.status == CAIRN_UNREACHABLE && h.walk.step == 12 &&
              !h.walk.over,
          "stop");
    CHECK_OK(cairn_script_turn(&h.walk, &m, NULL));
    CHECK(m.kind == CAIRN_MOVE_STEP && h.walk.made == 2 && cairn_grid_terrain(h.grid, 6, 0) == 1,
          "on");
    while (!h.walk.over) CHECK_OK(cairn_script_turn(&h.walk, &m, NULL));
    CHECK(m.arrived && h.walk.next == 6, "the last change never comes");
    CHECK_OK(cairn_script_turn(&h.walk, &m, NULL));
    CHECK(m.from == m.to && h.walk.over, "it is over");
    hike_close(&h);
}

static void thinking_is_no_step(void **state)
{
    hike h = {0};
    CHECK_OK(
        cairn_script_load(*state, CAIRN_SOURCE_DIR "/maps/blocked-ahead.walk", &h.script, NULL));
    hike_open(&h, *state);
    assert_true(hike_begin(&h, "astar", &(cairn_navigator_options){.work = 10}));
    cairn_move m = {0};
    uint32_t thought = 0;
    while (!h.walk.over) {
        uint64_t step = h.walk.step;
        CHECK_OK(cairn_script_turn(&h.walk, &m, NULL));
        thought += m.kind == CAIRN_MOVE_THINK;
        CHECK(h.walk.step == step + (m.kind != CAIRN_MOVE_THINK), "a step of thought");
    }
    CHECK(m.arrived && thought > 10 && h.walk.step == cairn_navigator_sums(h.navigator).moves, "%u",
          thought);
    hike_close(&h);
}

static void changes_outside_the_map_end_the_walk(void **state)
{
    static const char *const lines[] = {"block 1,1 9,1", "goal 0,5", "open 8,8"};
    for (uint32_t i = 0; i < LENGTH(lines); i++) {
        char text[160];
        snprintf(text, sizeof text,
                 "cairn-walk 1\nrows\n....\n....\nend\nfrom 0,0\nto 3,0\nat 1 block 2,0\nat 1 goal "
                 "0,1\nat 1 %s\n",
                 lines[i]);
        hike h = {0};
        cairn_error error = {0};
        CHECK_OK(parse(*state, text, &h.script, NULL));
        hike_open(&h, *state);
        assert_true(hike_begin(&h, "astar", NULL));
        cairn_move m;
        CHECK_OK(cairn_script_turn(&h.walk, &m, NULL));
        CHECK_STATUS(cairn_script_turn(&h.walk, &m, &error), CAIRN_OUT_OF_BOUNDS);
        CHECK(h.walk.over && strstr(error.text, "outside") && m.from == m.to, "%s", error.text);
        CHECK(cairn_grid_is_open(h.grid, 2, 0) && cairn_grid_version(h.grid) == 1,
              "half of the changes");
        CHECK(cairn_navigator_goal(h.navigator) == 3, "the goal moved all the same");
        hike_close(&h);
    }
    cairn_move m;
    CHECK_STATUS(cairn_script_turn(NULL, &m, NULL), CAIRN_INVALID);
    cairn_script_walk nothing = {0};
    CHECK_STATUS(cairn_script_turn(&nothing, &m, NULL), CAIRN_INVALID);
}

/* ---- the bundled walks ------------------------------------------------------------------ */

static void walk_bundled(cairn_context *context, const char *name, const char *spec,
                         const cairn_navigator_options *options, uint32_t *walked)
{
    hike h = {0};
    cairn_error error = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/maps/%s", CAIRN_SOURCE_DIR, name);
    CHECK(cairn_script_load(context, path, &h.script, &error) == CAIRN_OK, "%s:%u: %s", name,
          error.line, error.text);
    CHECK(h.script.end != CAIRN_SCRIPT_END_ANY && h.script.title[0], "%s: says not how it ends",
          name);
    hike_open(&h, context);
    if (hike_begin(&h, spec, options)) {
        cairn_move m = {0};
        for (uint32_t turns = 0; !h.walk.over; turns++) {
            CHECK_OK(cairn_script_turn(&h.walk, &m, NULL));
            CHECK(turns < 100000, "%s: %s walks and walks", name, spec);
        }
        bool gave = gave_up(cairn_algorithm_find(spec, strcspn(spec, ":")), m.status);
        CHECK(gave || m.arrived == (h.script.end == CAIRN_SCRIPT_END_ARRIVED), "%s: %s: %s", name,
              spec, cairn_status_text(m.status));
        ++*walked;
    }
    hike_close(&h);
}

static void walk_all_bundled(cairn_context *context, const cairn_navigator_options *options)
{
    DIR *maps = opendir(CAIRN_SOURCE_DIR "/maps");
    assert_non_null(maps);
    uint32_t walks = 0, walked = 0, asked = 0;
    const uint32_t step = test_sample() < 3 ? test_sample() : 3;
    for (struct dirent *entry; (entry = readdir(maps));) {
        if (!strstr(entry->d_name, ".walk")) continue;
        walks++;
        for (uint32_t i = walks % step; i < cairn_algorithm_count(); i += step, asked++)
            walk_bundled(context, entry->d_name, cairn_algorithm_at(i)->name, options, &walked);
    }
    closedir(maps);
    CHECK(walks >= 12 && walked > asked * 2 / 3, "%u of %u", walked, asked);
}

static void every_algorithm_walks_the_bundled_walks(void **state)
{
    walk_all_bundled(*state, NULL);
}

static void so_do_agents_that_think_slowly_and_look_at_everything(void **state)
{
    walk_all_bundled(*state, &(cairn_navigator_options){
                                 .replan = CAIRN_REPLAN_CHANGED, .work = 500, .piece = 12});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define WITH_CONTEXT(test) cmocka_unit_test_setup_teardown(test, context_set_up, context_tear_down)
        WITH_CONTEXT(every_line_is_read),
        WITH_CONTEXT(what_is_written_reads_the_same),
        WITH_CONTEXT(every_terrain_cost_is_written_and_read),
        WITH_CONTEXT(rows_and_files_are_maps_too),
        WITH_CONTEXT(maps_of_scripts_are_regular_files),
        WITH_CONTEXT(a_script_generates_no_more_cells_than_it_may),
        WITH_CONTEXT(bad_rows_are_named_by_their_line),
        WITH_CONTEXT(what_makes_no_sense_is_refused_with_its_line),
        WITH_CONTEXT(what_the_format_cannot_hold_is_refused),
        cmocka_unit_test(reading_does_without_memory),
        WITH_CONTEXT(changes_come_at_their_steps),
        WITH_CONTEXT(thinking_is_no_step),
        WITH_CONTEXT(changes_outside_the_map_end_the_walk),
        WITH_CONTEXT(every_algorithm_walks_the_bundled_walks),
        WITH_CONTEXT(so_do_agents_that_think_slowly_and_look_at_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
