/* test_io_pictures.c: recordings of searches, and pictures of them as SVG and PNG. */
#include "pixels.h"
#include "smoothing.h"
#include "support.h"

#include <cairn/io.h>

#include <math.h>

/* A world with a search that was recorded. */
typedef struct scene_picture {
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    cairn_search *search;
    cairn_recording *recording;
    const cairn_path *path;
    cairn_picture picture;
} scene_picture;

static scene_picture scene_laid(const char *text, cairn_layout layout)
{
    scene_picture s = {0};
    CHECK_OK(cairn_context_create(NULL, &s.context));
    CHECK_OK(cairn_grid_from_text(s.context, text, strlen(text), &s.grid, NULL));
    CHECK_OK(cairn_grid_set_layout(s.grid, layout));
    CHECK_OK(cairn_space_of_grid(s.grid, NULL, &s.space, NULL));
    CHECK_OK(cairn_planner_create(s.space, "astar", &s.planner, NULL));
    CHECK_OK(cairn_search_create(s.planner, NULL, &s.search));
    CHECK_OK(cairn_recording_create(s.space, &s.recording));
    cairn_trace_sink sink = cairn_recording_sink(s.recording);
    cairn_search_trace(s.search, &sink);
    cairn_query query = {.from = 0, .to = cairn_space_node_count(s.space) - 1};
    cairn_search_find(s.search, &query, &s.path);
    s.picture = (cairn_picture){.space = s.space,
                                .recording = s.recording,
                                .path = s.path,
                                .from = query.from,
                                .to = query.to};
    return s;
}

static scene_picture scene_make(const char *text)
{
    return scene_laid(text, CAIRN_LAYOUT_SQUARE);
}

static void scene_unmake(scene_picture *s)
{
    cairn_recording_destroy(s->recording);
    cairn_search_destroy(s->search);
    cairn_planner_destroy(s->planner);
    cairn_space_destroy(s->space);
    cairn_grid_destroy(s->grid);
    cairn_context_destroy(s->context);
}

static const char picture_map[] = "..........\n"
                                  ".####.....\n"
                                  "....#.SSS.\n"
                                  "....#.WW..\n"
                                  "......TT..\n";

static void a_recording_counts_what_the_search_expanded(void **state)
{
    (void)state;
    scene_picture s = scene_make(picture_map);
    uint64_t expanded = cairn_search_metrics(s.search).expanded;
    assert_true(expanded > 5);
    assert_int_equal(cairn_recording_expanded(s.recording), expanded);

    /* Another search on the same recording begins again. */
    cairn_query query = {.from = 1, .to = 2};
    CHECK_STATUS(cairn_search_find(s.search, &query, NULL), CAIRN_FOUND);
    assert_int_equal(cairn_recording_expanded(s.recording),
                     cairn_search_metrics(s.search).expanded);
    assert_int_equal(cairn_recording_expanded(NULL), 0);
    cairn_recording *none = NULL;
    CHECK_STATUS(cairn_recording_create(NULL, &none), CAIRN_INVALID);
    scene_unmake(&s);
}

static void an_svg_holds_cells_path_and_marks(void **state)
{
    (void)state;
    scene_picture s = scene_make(picture_map);
    cairn_file file;
    CHECK_OK(cairn_picture_svg(&s.picture, &file, NULL));
    assert_int_equal(strlen(file.data), file.size);
    assert_true(!strncmp(file.data, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39));
    assert_non_null(strstr(file.data, "viewBox=\"0 0 10 5\""));
    assert_non_null(strstr(file.data, "M1 1h4")); /* the wall's run of four, merged */
    assert_non_null(strstr(file.data, "M4 2h1"));
    assert_int_equal(count_of(file.data, "<title>"), 2);
    assert_int_equal(count_of(file.data, "<path"),
                     count_of(file.data, "/>") - 1 + count_of(file.data, "</path>"));
    assert_true(!strcmp(file.data + file.size - 7, "</svg>\n"));

    cairn_file again;
    CHECK_OK(cairn_picture_svg(&s.picture, &again, NULL));
    assert_int_equal(file.size, again.size);
    assert_memory_equal(file.data, again.data, file.size);
    cairn_file_free(s.context, &file);
    cairn_file_free(s.context, &again);
    scene_unmake(&s);
}

static cairn_file svg_of(const scene_picture *s)
{
    return svg_of_picture(&s->picture);
}

static void a_bare_map_makes_a_picture_too(void **state)
{
    (void)state;
    scene_picture s = scene_make("#");
    cairn_file file;
    s.picture = (cairn_picture){.space = s.space, .from = CAIRN_NO_NODE, .to = CAIRN_NO_NODE};
    CHECK_OK(cairn_picture_svg(&s.picture, &file, NULL));
    assert_int_equal(count_of(file.data, "<title>"), 0);
    cairn_file_free(s.context, &file);
    scene_unmake(&s);
}

static void a_smoothed_path_is_drawn_with_the_one_it_came_from(void **state)
{
    (void)state;
    scene_picture s = scene_make(picture_map);
    cairn_node smooth[50];
    cairn_file plain, both;
    CHECK_OK(smooth_sight(s.space, s.path, smooth, 50, &s.picture.smooth_count, NULL));
    CHECK_OK(cairn_picture_svg(&s.picture, &plain, NULL));
    s.picture.smooth = smooth;
    CHECK_OK(cairn_picture_svg(&s.picture, &both, NULL));
    assert_int_equal(count_of(both.data, "<path"), count_of(plain.data, "<path") + 1);
    cairn_file_free(s.context, &plain);
    cairn_file_free(s.context, &both);
    scene_unmake(&s);
}

/* (0,0) to (3,0), by link to (5,4), to (9,4). */
static const cairn_node linked_nodes[] = {0, 3, 45, 49};
static const cairn_path_link linked_links[] = {{1, 7}};
static const cairn_path linked_path = {
    .nodes = linked_nodes, .count = 4, .links = linked_links, .link_count = 1, .end = 49};

static void a_curve_is_drawn_through_its_places(void **state)
{
    (void)state;
    scene_picture s = scene_make(picture_map);
    const cairn_position curve[] = {
        {0.5, 0.5, 0}, {1.25, 0.75, 0}, {3.5, 0.5, 0}, {5.5, 4.5, 0}, {9.5, 4.5, 0}};
    s.picture.path = &linked_path;
    s.picture.curve = curve;
    s.picture.curve_count = LENGTH(curve);
    cairn_file file, straight;
    CHECK_OK(cairn_picture_svg(&s.picture, &file, NULL));
    assert_int_equal(count_of(file.data, "M0.5 0.5L1.25 0.75L3.5 0.5M5.5 4.5L9.5 4.5"),
                     2);                                            /* and its casing */
    assert_int_equal(count_of(file.data, "M0.5 0.5L3.5 0.5M"), 1);  /* the path, thin */
    assert_int_equal(count_of(file.data, "M3.5 0.5L5.5 4.5\""), 1); /* its link */
    cairn_file_free(s.context, &file);
    if (!cairn_picture_png(&s.picture, &file, NULL)) {
        s.picture.curve = NULL;
        CHECK_OK(cairn_picture_png(&s.picture, &straight, NULL));
        assert_true(file.size != straight.size || memcmp(file.data, straight.data, file.size) != 0);
        cairn_file_free(s.context, &straight);
        cairn_file_free(s.context, &file);
    }
    const cairn_position outside[] = {{0.5, 0.5, 0}, {10.5, 0.5, 0}}, nowhere[] = {{NAN, 0.5, 0}};
    s.picture.curve = outside;
    s.picture.curve_count = 2;
    CHECK_STATUS(cairn_picture_svg(&s.picture, &file, NULL), CAIRN_OUT_OF_BOUNDS);
    s.picture.curve = nowhere;
    s.picture.curve_count = 1;
    CHECK_STATUS(cairn_picture_svg(&s.picture, &file, NULL), CAIRN_OUT_OF_BOUNDS);
    scene_unmake(&s);
}

static void pictures_of_nonsense_are_refused_with_a_reason(void **state)
{
    (void)state;
    scene_picture s = scene_make(picture_map), other = scene_make("..\n..\n");
    cairn_error error = {0};
    cairn_file file;
    cairn_picture p = s.picture;
    p.recording = other.recording;
    CHECK_STATUS(cairn_picture_svg(&p, &file, &error), CAIRN_INVALID);
    assert_non_null(strstr(error.text, "another world"));
    p = s.picture;
    p.from = 50;
    CHECK_STATUS(cairn_picture_svg(&p, &file, &error), CAIRN_OUT_OF_BOUNDS);
    p = s.picture;
    p.scale = 100000;
    CHECK_STATUS(cairn_picture_svg(&p, &file, &error), CAIRN_INVALID);
    cairn_node wild[] = {0, 1000};
    p = s.picture;
    p.smooth = wild;
    p.smooth_count = 2;
    CHECK_STATUS(cairn_picture_svg(&p, &file, &error), CAIRN_OUT_OF_BOUNDS);
    p = (cairn_picture){0};
    CHECK_STATUS(cairn_picture_svg(&p, &file, &error), CAIRN_INVALID);
    CHECK_STATUS(cairn_picture_svg(NULL, &file, &error), CAIRN_INVALID);
    CHECK_STATUS(cairn_picture_svg(&s.picture, NULL, &error), CAIRN_INVALID);
    scene_unmake(&s);
    scene_unmake(&other);
}

static uint32_t big_endian(const char *data)
{
    const unsigned char *p = (const unsigned char *)data;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void a_png_has_the_size_that_was_asked_for(void **state)
{
    (void)state;
    scene_picture s = scene_make(picture_map);
    cairn_error error = {0};
    cairn_file file;
    s.picture.scale = 7;
    cairn_status status = cairn_picture_png(&s.picture, &file, &error);
    if (status == CAIRN_UNSUPPORTED) {
        assert_non_null(strstr(error.text, "no PNG"));
        scene_unmake(&s);
        skip();
    }
    CHECK_OK(status);
    assert_memory_equal(file.data, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(big_endian(file.data + 16), 70);
    assert_int_equal(big_endian(file.data + 20), 35);
    cairn_file_free(s.context, &file);

    s.picture.scale = 0;
    CHECK_OK(cairn_picture_png(&s.picture, &file, &error));
    assert_int_equal(big_endian(file.data + 16), 1020);
    cairn_file_free(s.context, &file);
    scene_unmake(&s);
}

static void graphs_with_positions_can_be_drawn_as_svg_only(void **state)
{
    (void)state;
    const cairn_position positions[] = {{0, 0, 0}, {10, 0, 0}, {10, 5, 0}};
    const cairn_graph_edge edges[] = {{0, 1, 10}, {1, 2, 5}};
    cairn_graph_options options = {
        .node_count = 3, .edge_count = 2, .positions = positions, .edges = edges};
    cairn_context *context = NULL;
    CHECK_OK(cairn_context_create(NULL, &context));
    for (int with = 0; with < 2; with++) {
        cairn_graph *graph = NULL;
        cairn_space *space = NULL;
        cairn_file file;
        options.positions = with ? positions : NULL;
        CHECK_OK(cairn_graph_create(context, &options, &graph, NULL));
        CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
        cairn_picture picture = {.space = space, .from = 0, .to = 2};
        CHECK_STATUS(cairn_picture_svg(&picture, &file, NULL), with ? CAIRN_OK : CAIRN_UNSUPPORTED);
        /* two edges, the goal's diamond */
        if (with) assert_int_equal(count_of(file.data, "L"), 2 + 3);
        cairn_file_free(context, &file);
        CHECK_STATUS(cairn_picture_png(&picture, &file, NULL), CAIRN_UNSUPPORTED);
        cairn_space_destroy(space);
        cairn_graph_destroy(graph);
    }
    cairn_context_destroy(context);
}

/* ---- what recordings know ---- */

static void a_recording_knows_order_cost_and_estimate(void **state)
{
    (void)state;
    scene_picture s = scene_make("....\n");
    uint64_t value = 0;
    for (cairn_node node = 0; node < 3; node++) { /* the goal is reached, not expanded */
        assert_true(cairn_recording_value(s.recording, CAIRN_COLOUR_ORDER, node, &value));
        assert_int_equal(value, node + 1);
        assert_true(cairn_recording_value(s.recording, CAIRN_COLOUR_G, node, &value));
        assert_int_equal(value, node * 5741);
        assert_true(cairn_recording_value(s.recording, CAIRN_COLOUR_H, node, &value));
        assert_int_equal(value, (3 - node) * 5741);
        assert_true(cairn_recording_value(s.recording, CAIRN_COLOUR_F, node, &value));
        assert_int_equal(value, 3 * 5741);
        assert_false(cairn_recording_value(s.recording, CAIRN_COLOUR_NONE, node, &value));
    }
    assert_false(cairn_recording_value(s.recording, CAIRN_COLOUR_ORDER, 3, &value));
    assert_false(cairn_recording_value(s.recording, CAIRN_COLOUR_ORDER, 4, &value));
    cairn_range range = cairn_recording_range(s.recording, CAIRN_COLOUR_H);
    assert_int_equal(range.least, 5741);
    assert_int_equal(range.most, 3 * 5741);
    range = cairn_recording_range(s.recording, CAIRN_COLOUR_NONE);
    assert_true(range.least == 0 && range.most == 0);

    /* A search that ends where it begins leaves nothing of itself behind. */
    cairn_query query = {.from = 1, .to = 1};
    CHECK_STATUS(cairn_search_find(s.search, &query, NULL), CAIRN_FOUND);
    query = (cairn_query){.from = 2, .to = 3};
    CHECK_STATUS(cairn_search_find(s.search, &query, NULL), CAIRN_FOUND);
    assert_false(cairn_recording_value(s.recording, CAIRN_COLOUR_ORDER, 1, &value));
    assert_true(cairn_recording_value(s.recording, CAIRN_COLOUR_ORDER, 2, &value));
    assert_int_equal(value, 1);
    scene_unmake(&s);
}

static void a_recording_is_as_large_as_the_search(void **state)
{
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    cairn_recording *recording = NULL;
    CHECK_OK(random_grid(*state, 1000, 1000, 0, 1, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    size_t before = cairn_context_memory(*state).bytes;
    CHECK_OK(cairn_recording_create(space, &recording));
    cairn_trace_sink sink = cairn_recording_sink(recording);
    for (cairn_node node = 500000; node < 500100; node++) {
        cairn_event event = {CAIRN_EVENT_EXPAND, 0, node, node, 1, 1};
        sink.event(sink.user, &event);
    }
    assert_true(cairn_context_memory(*state).bytes - before < 45000); /* not 12 MB */
    assert_int_equal(cairn_recording_expanded(recording), 100);
    cairn_recording_destroy(recording);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* Makes a recording and both pictures; what is refused is refused cleanly. */
static cairn_status draw_all(cairn_space *space, const cairn_path *path)
{
    cairn_recording *recording = NULL;
    cairn_file svg = {0}, png = {0};
    cairn_status status = cairn_recording_create(space, &recording);
    if (status) return status;
    cairn_trace_sink sink = cairn_recording_sink(recording);
    for (cairn_node node = 0; node < 900; node += 3) {
        cairn_event event = {CAIRN_EVENT_EXPAND, 0, node, node, node, 900 - node};
        sink.event(sink.user, &event);
    }
    cairn_picture picture = {
        .space = space, .recording = recording, .path = path, .legend = true, .to = 899};
    cairn_context *context = cairn_space_context(space);
    status = cairn_picture_svg(&picture, &svg, NULL);
    if (!status) status = cairn_picture_png(&picture, &png, NULL);
    if (status == CAIRN_UNSUPPORTED) status = CAIRN_OK; /* without libpng */
    cairn_file_free(context, &svg);
    cairn_file_free(context, &png);
    cairn_recording_destroy(recording);
    return status;
}

static void memory_that_ends_leaves_no_half_a_picture(void **state)
{
    (void)state;
    watched memory = {0};
    cairn_context *context = NULL;
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    CHECK_OK(watched_context(&memory, &context));
    CHECK_OK(random_grid(context, 30, 30, 0, 1, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    size_t blocks = memory.blocks;
    for (uint64_t fail = 1;; fail++) {
        memory.calls = 0, memory.fail_at = fail, memory.failures = 0;
        cairn_status status = draw_all(space, NULL);
        assert_int_equal(memory.blocks, blocks);
        CHECK_STATUS(status, memory.failures ? CAIRN_OUT_OF_MEMORY : CAIRN_OK);
        if (!memory.failures) break;
    }
    assert_false(memory.wrong_size);
    memory.fail_at = 0;
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
}

/* ---- legends and links ---- */

static void a_legend_names_the_ends_of_the_scale(void **state)
{
    (void)state;
    scene_picture s = scene_make(picture_map);
    const char *const expected[] = {">order 1<", ">g 0.0<", ">h ", ">f ", NULL};
    s.picture.legend = true;
    for (int by = 0; by < CAIRN_COLOUR_COUNT; by++) {
        s.picture.colour = (cairn_colouring)by;
        cairn_file file = svg_of(&s);
        assert_int_equal(count_of(file.data, "<linearGradient"), expected[by] ? 1 : 0);
        if (expected[by]) assert_non_null(strstr(file.data, expected[by]));
        cairn_file_free(s.context, &file);
    }
    /* None where there is no room, and none for nothing. */
    s.picture.colour = CAIRN_COLOUR_ORDER;
    s.picture.scale = 4;
    cairn_file file = svg_of(&s);
    assert_int_equal(count_of(file.data, "<text"), 0);
    cairn_file_free(s.context, &file);
    s.picture.scale = 0;
    s.picture.recording = NULL;
    file = svg_of(&s);
    assert_int_equal(count_of(file.data, "<text"), 0);
    cairn_file_free(s.context, &file);
    assert_string_equal(cairn_colouring_name(CAIRN_COLOUR_COUNT), "?");
    s.picture.colour = CAIRN_COLOUR_COUNT;
    CHECK_STATUS(cairn_picture_svg(&s.picture, &file, NULL), CAIRN_INVALID);
    scene_unmake(&s);
}

static void steps_by_links_are_dashed(void **state)
{
    (void)state;
    scene_picture s = scene_make(picture_map);
    s.picture.path = &linked_path;
    cairn_file file = svg_of(&s);
    assert_int_equal(count_of(file.data, "stroke-dasharray"), 1);
    assert_int_equal(count_of(file.data, "M.5 .5L3.5 .5M5.5 4.5L9.5 4.5") +
                         count_of(file.data, "M0.5 0.5L3.5 0.5M5.5 4.5L9.5 4.5"),
                     2);
    assert_int_equal(count_of(file.data, "M3.5 0.5L5.5 4.5\""), 1);
    cairn_file_free(s.context, &file);
    /* The smoothed path takes the same link. */
    const cairn_node smooth[] = {0, 3, 45, 49};
    s.picture.smooth = smooth;
    s.picture.smooth_count = 4;
    file = svg_of(&s);
    assert_int_equal(count_of(file.data, "M3.5 0.5L5.5 4.5\""), 1);
    cairn_file_free(s.context, &file);
    const cairn_path_link wild = {3, 7};
    cairn_path path = linked_path;
    path.links = &wild;
    s.picture.path = &path;
    CHECK_STATUS(cairn_picture_svg(&s.picture, &file, NULL), CAIRN_INVALID);
    scene_unmake(&s);
}

static void a_search_that_takes_a_link_is_drawn_with_it(void **state)
{
    (void)state;
    scene_picture s = scene_make("...#...\n...#...\n");
    CHECK_OK(cairn_grid_add_link(s.grid, &(cairn_link){.from = 2, .to = 4, .id = 9, .cost = 256}));
    CHECK_OK(cairn_grid_commit(s.grid));
    cairn_query query = {.from = 0, .to = 13};
    CHECK_STATUS(cairn_search_find(s.search, &query, &s.picture.path), CAIRN_FOUND);
    assert_int_equal(s.picture.path->link_count, 1);
    cairn_file file = svg_of(&s);
    assert_int_equal(count_of(file.data, "stroke-dasharray"), 1);
    assert_int_equal(count_of(file.data, "M2.5 0.5L4.5 0.5\""), 1);
    cairn_file_free(s.context, &file);
    scene_unmake(&s);
}

static void hexagons_are_drawn_as_hexagons(void **state)
{
    (void)state;
    scene_picture s = scene_laid("...\n.#.\n...\n", CAIRN_LAYOUT_HEX);
    cairn_file file = svg_of(&s);
    assert_int_equal(count_of(file.data, "l1 1v2l-1 1-1-1v-2z"), 9);
    assert_int_equal(count_of(file.data, "fill=\"#2c2f38\" d=\"M4 3l1"),
                     1); /* the wall, in the shifted row */
    assert_non_null(strstr(file.data, "viewBox=\"0 0 3.5 2.887\""));
    cairn_file_free(s.context, &file);
    scene_unmake(&s);
}

/* ---- pixels ---- */

#if defined(CAIRN_WITH_PNG)

static pixels pixels_of(const scene_picture *s)
{
    return pixels_of_picture(&s->picture);
}

enum {
    GROUND = 0xf6f4ee,
    SWAMP = 0xd2ce9c,
    WATER = 0xa4c8e6,
    WALL = 0x2c2f38,
    NARROW = 0xa2a19f,
    SEEN = 0xdcdaf0,
    PAPER = 0xffffff,
    RAMP_FIRST = 0x52469c,
    PATH = 0xd81b60,
    GOAL = 0xffc107
};

static uint32_t lightness(uint32_t colour)
{
    return (colour >> 16) * 3 + (colour >> 8 & 255) * 6 + (colour & 255);
}

static void cells_have_their_colours(void **state)
{
    (void)state;
    scene_picture s = scene_make(picture_map);
    s.picture = (cairn_picture){.space = s.space, .from = CAIRN_NO_NODE, .to = 49, .scale = 10};
    pixels p = pixels_of(&s);
    CHECK_PIXEL(&p, 5, 5, GROUND);
    CHECK_PIXEL(&p, 15, 15, WALL);
    CHECK_PIXEL(&p, 49, 39, WALL);
    CHECK_PIXEL(&p, 50, 39, GROUND);
    CHECK_PIXEL(&p, 65, 25, SWAMP);
    CHECK_PIXEL(&p, 65, 35, WATER);
    CHECK_PIXEL(&p, 95, 45, GOAL);
    free(p.data);
    scene_unmake(&s);
}

static void expanded_cells_climb_the_ramp(void **state)
{
    (void)state;
    scene_picture s = scene_make("............\n............\n............\n............\n");
    s.picture.path = NULL;
    s.picture.from = s.picture.to = CAIRN_NO_NODE;
    s.picture.scale = 11;
    for (int by = CAIRN_COLOUR_ORDER; by <= CAIRN_COLOUR_NONE; by++) {
        s.picture.colour = (cairn_colouring)by;
        cairn_range range = cairn_recording_range(s.recording, s.picture.colour);
        pixels p = pixels_of(&s);
        for (cairn_node a = 0; a < 48; a++) {
            uint64_t va = 0, vb = 0;
            uint32_t ca = pixel(&p, a % 12 * 11 + 5, a / 12 * 11 + 5);
            bool expanded = cairn_recording_value(s.recording, s.picture.colour, a, &va);
            if (by == CAIRN_COLOUR_NONE)
                assert_int_equal(ca, GROUND);
            else if (!expanded)
                assert_true(ca == GROUND || ca == SEEN);
            if (!expanded) continue;
            if (va == range.least) assert_int_equal(ca, RAMP_FIRST);
            for (cairn_node b = 0; b < 48; b++) {
                if (!cairn_recording_value(s.recording, s.picture.colour, b, &vb)) continue;
                uint32_t cb = pixel(&p, b % 12 * 11 + 5, b / 12 * 11 + 5);
                CHECK(va != vb || ca == cb, "%d: the same value, another colour", by);
                CHECK(va <= vb || lightness(ca) >= lightness(cb), "%d: a greater value is darker",
                      by);
            }
        }
        free(p.data);
    }
    scene_unmake(&s);
}

static void a_strip_below_the_map_holds_the_legend(void **state)
{
    (void)state;
    scene_picture s = scene_make(picture_map);
    s.picture.scale = 30;
    pixels bare = pixels_of(&s);
    s.picture.legend = true;
    pixels p = pixels_of(&s);
    assert_int_equal(p.image.width, 300);
    assert_int_equal(bare.image.height, 150);
    assert_true(p.image.height > 150 && p.image.height < 190);
    assert_memory_equal(p.data, bare.data, PNG_IMAGE_SIZE(bare.image));
    CHECK_PIXEL(&p, 0, 150, PAPER);
    CHECK_PIXEL(&p, 299, p.image.height - 1, PAPER);
    /* The bar begins behind "order 1" with the first colour and ends with a lighter one; no colour
     * of it lacks. */
    uint32_t y = p.image.height - (p.image.height - 150) / 2, colours = 0, last = 0;
    uint32_t x = 0;
    while (pixel(&p, x, y) != RAMP_FIRST) x++;
    assert_int_equal(x, 6 + 7 * 6 + 6);
    for (; pixel(&p, x, y) != PAPER; x++) {
        uint32_t colour = pixel(&p, x, y);
        assert_true(lightness(colour) >= lightness(last));
        colours += colour != last;
        last = colour;
    }
    assert_int_equal(colours, 40);
    free(p.data);
    free(bare.data);
    scene_unmake(&s);
}

static void a_path_by_link_leaves_the_cells_between_alone(void **state)
{
    (void)state;
    scene_picture s = scene_make(picture_map);
    s.picture = (cairn_picture){.space = s.space,
                                .path = &linked_path,
                                .from = CAIRN_NO_NODE,
                                .to = CAIRN_NO_NODE,
                                .scale = 11};
    pixels p = pixels_of(&s);
    CHECK_PIXEL(&p, 16, 5, PATH);
    CHECK_PIXEL(&p, 3 * 11 + 5, 5, PATH);
    CHECK_PIXEL(&p, 5 * 11 + 5, 4 * 11 + 5, PATH);
    CHECK_PIXEL(&p, 4 * 11 + 5, 2 * 11 + 5, WALL); /* half way */
    free(p.data);
    scene_unmake(&s);
}

static void cells_too_narrow_for_the_agent_are_grey(void **state)
{
    (void)state;
    const char map[] = "########\n#......#\n#......#\n#......#\n####.###\n#WW....#\n########\n";
    scene_picture s = scene_make(map);
    cairn_profile profile = cairn_profile_default();
    cairn_space *space = NULL;
    profile.radius = 1.0;
    CHECK_OK(cairn_space_of_grid(s.grid, &profile, &space, NULL));
    s.picture =
        (cairn_picture){.space = space, .from = CAIRN_NO_NODE, .to = CAIRN_NO_NODE, .scale = 9};
    pixels p = pixels_of(&s);
    CHECK_PIXEL(&p, 3 * 9 + 4, 2 * 9 + 4, GROUND); /* in the middle of the hall */
    CHECK_PIXEL(&p, 1 * 9 + 4, 1 * 9 + 4, NARROW); /* in its corner */
    CHECK_PIXEL(&p, 4 * 9 + 4, 4 * 9 + 4, NARROW); /* in the door */
    CHECK_PIXEL(&p, 1 * 9 + 4, 5 * 9 + 4, WATER);  /* forbidden, which is another matter */
    CHECK_PIXEL(&p, 4, 4, WALL);
    free(p.data);
    cairn_file file = svg_of(&s);
    assert_int_equal(count_of(file.data, "#a2a19f"), 1);
    cairn_file_free(s.context, &file);
    cairn_space_destroy(space);
    scene_unmake(&s);
}

static void lines_and_sub_goals_have_colours_of_their_own(void **state)
{
    (void)state;
    const char map[] =
        ".........\n.........\n....#....\n....#....\n....#....\n.........\n.........\n";
    scene_picture s = scene_make(map);
    cairn_planner *planner = NULL;
    cairn_search *search = NULL;
    CHECK_OK(cairn_planner_create(s.space, "sga:variant=1", &planner, NULL));
    CHECK_OK(cairn_search_create(planner, NULL, &search));
    cairn_trace_sink sink = cairn_recording_sink(s.recording);
    cairn_search_trace(search, &sink);
    cairn_query query = {.from = 3 * 9, .to = 3 * 9 + 8};
    CHECK_STATUS(cairn_search_find(search, &query, NULL), CAIRN_FOUND);
    s.picture = (cairn_picture){.space = s.space,
                                .recording = s.recording,
                                .from = CAIRN_NO_NODE,
                                .to = CAIRN_NO_NODE,
                                .scale = 9};
    pixels p = pixels_of(&s);
    CHECK_PIXEL(&p, 1 * 9 + 4, 3 * 9 + 4, 0x8ed9b2);
    CHECK_PIXEL(&p, 3 * 9 + 4, 3 * 9 + 4, 0x8ed9b2);
    CHECK_PIXEL(&p, 5 * 9 + 4, 3 * 9 + 4, 0xf03cb4);
    CHECK_PIXEL(&p, 6 * 9 + 4, 3 * 9 + 4, 0x8ed9b2);
    free(p.data);
    s.picture.colour = CAIRN_COLOUR_NONE;
    p = pixels_of(&s);
    CHECK_PIXEL(&p, 5 * 9 + 4, 3 * 9 + 4, GROUND);
    free(p.data);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    scene_unmake(&s);
}

/* Every cell of a map of hexagons, at the centre and just inside its corners. */
static void check_hexagons(uint32_t scale)
{
    const double row = 0.86602540378, centre = 0.57735026919;
    const char map[] = ".#S..#.\n#.W.#..\n..#S.W#\nW.#..#.\n";
    scene_picture s = scene_laid(map, CAIRN_LAYOUT_HEX);
    s.picture = (cairn_picture){
        .space = s.space, .from = CAIRN_NO_NODE, .to = CAIRN_NO_NODE, .scale = scale};
    pixels p = pixels_of(&s);
    assert_int_equal(p.image.width, (uint32_t)ceil(7.5 * scale));
    assert_int_equal(p.image.height, (uint32_t)ceil((3 * row + 2 * centre) * scale));
    for (uint32_t y = 0; y < 4; y++) {
        for (uint32_t x = 0; x < 7; x++) {
            char c = map[y * 8 + x];
            uint32_t colour = c == '#' ? WALL : c == 'S' ? SWAMP : c == 'W' ? WATER : GROUND;
            cairn_position at = cairn_grid_position(s.grid, y * 7 + x);
            double cx = at.x, cy = at.y;
            CHECK_PIXEL(&p, floor(cx * scale), floor(cy * scale), colour);
            for (int corner = 0; corner < 6 && scale >= 9 && scale < 12; corner++) {
                double part = 1 - 1.6 / scale / centre;
                double px = cx + part * (corner % 3 == 0 ? 0 : corner < 3 ? 0.5 : -0.5);
                double py =
                    cy + part * centre * (corner % 3 == 0 ? 1 : 0.5) * (corner % 2 ? 1 : -1);
                CHECK_PIXEL(&p, floor(px * scale), floor(py * scale), colour);
            }
        }
    }
    CHECK_PIXEL(&p, 0, 0, PAPER); /* beside the point of the first one */
    CHECK_PIXEL(&p, 0, floor((centre + row) * scale), PAPER);
    free(p.data);
    scene_unmake(&s);
}

static void hexagons_fill_their_pixels(void **state)
{
    (void)state;
    check_hexagons(3);
    check_hexagons(10);
    check_hexagons(11);
    check_hexagons(40);
}

static void small_hexagons_are_shifted_squares(void **state)
{
    (void)state;
    scene_picture s = scene_laid("#.\n#.\n#.\n", CAIRN_LAYOUT_HEX);
    s.picture =
        (cairn_picture){.space = s.space, .from = CAIRN_NO_NODE, .to = CAIRN_NO_NODE, .scale = 2};
    pixels p = pixels_of(&s);
    assert_int_equal(p.image.width, 5);
    assert_int_equal(p.image.height, 6);
    const uint32_t even[] = {WALL, WALL, GROUND, GROUND, PAPER},
                   odd[] = {PAPER, WALL, WALL, GROUND, GROUND};
    for (uint32_t y = 0; y < 6; y++)
        for (uint32_t x = 0; x < 5; x++) CHECK_PIXEL(&p, x, y, y / 2 == 1 ? odd[x] : even[x]);
    free(p.data);
    scene_unmake(&s);
}

#define PIXEL_TESTS \
    cmocka_unit_test(cells_have_their_colours), cmocka_unit_test(expanded_cells_climb_the_ramp), \
        cmocka_unit_test(a_strip_below_the_map_holds_the_legend), \
        cmocka_unit_test(a_path_by_link_leaves_the_cells_between_alone), \
        cmocka_unit_test(cells_too_narrow_for_the_agent_are_grey), \
        cmocka_unit_test(lines_and_sub_goals_have_colours_of_their_own), \
        cmocka_unit_test(hexagons_fill_their_pixels), \
        cmocka_unit_test(small_hexagons_are_shifted_squares),
#else
#define PIXEL_TESTS
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_counts_what_the_search_expanded),
        cmocka_unit_test(an_svg_holds_cells_path_and_marks),
        cmocka_unit_test(a_bare_map_makes_a_picture_too),
        cmocka_unit_test(a_smoothed_path_is_drawn_with_the_one_it_came_from),
        cmocka_unit_test(a_curve_is_drawn_through_its_places),
        cmocka_unit_test(pictures_of_nonsense_are_refused_with_a_reason),
        cmocka_unit_test(a_png_has_the_size_that_was_asked_for),
        cmocka_unit_test(graphs_with_positions_can_be_drawn_as_svg_only),
        cmocka_unit_test(a_recording_knows_order_cost_and_estimate),
        cmocka_unit_test_setup_teardown(a_recording_is_as_large_as_the_search, context_set_up,
                                        context_tear_down),
        cmocka_unit_test(memory_that_ends_leaves_no_half_a_picture),
        cmocka_unit_test(a_legend_names_the_ends_of_the_scale),
        cmocka_unit_test(steps_by_links_are_dashed),
        cmocka_unit_test(a_search_that_takes_a_link_is_drawn_with_it),
        cmocka_unit_test(hexagons_are_drawn_as_hexagons),
        PIXEL_TESTS};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
