/* test_io_overlay.c: what indexes look like: collected, coloured and drawn. The items come from
 * here, not from an index. */
#include "io/overlay.h"
#include "kit.h"
#include "pixels.h"

static void send(const cairn_overlay_sink *sink, cairn_overlay_item item)
{
    sink->item(sink->user, &item);
}

static void send_area(const cairn_overlay_sink *sink, uint32_t level, cairn_node node,
                      uint32_t group)
{
    send(sink, (cairn_overlay_item){
                   .kind = CAIRN_OVERLAY_AREA, .level = level, .node = node, .group = group});
}

static void send_line(const cairn_overlay_sink *sink, cairn_overlay_kind kind, uint32_t level,
                      cairn_position from, cairn_position to)
{
    send(sink, (cairn_overlay_item){.kind = kind, .level = level, .from = from, .to = to});
}

/* A map with an overlay of squares of cells. */
typedef struct tiled {
    kit k;
    cairn_overlay *overlay;
    cairn_overlay_sink sink;
    cairn_picture picture;
} tiled;

static tiled tiled_of(scene *s, uint32_t side)
{
    tiled t = {.k = kit_of_scene(s, &s->profile)};
    CHECK_OK(cairn_overlay_create(t.k.space, &t.overlay));
    t.sink = cairn_overlay_sink_of(t.overlay);
    for (cairn_node node = 0; side && node < s->width * s->height; node++) {
        uint32_t column = node % s->width / side, row = node / s->width / side;
        if (cairn_space_usable(t.k.space, node)) send_area(&t.sink, 1, node, row * 100 + column);
    }
    t.picture = (cairn_picture){.space = t.k.space,
                                .overlay = t.overlay,
                                .from = CAIRN_NO_NODE,
                                .to = CAIRN_NO_NODE,
                                .scale = 10};
    scene_destroy(s);
    return t;
}

static void tiled_end(tiled *t)
{
    cairn_overlay_destroy(t->overlay);
    kit_close(&t->k);
}

/* ---- colours of areas ---- */

static void areas_that_touch_differ_and_all_colours_are_used(void **state)
{
    (void)state;
    for (uint32_t side = 1; side <= 5; side++) {
        tiled t = tiled_of(scene_noise("areas", 40, 30, 20, side), side);
        crn_area_colours colours;
        assert_true(crn_overlay_colour(t.overlay, t.k.space, &colours));
        uint32_t used = 0;
        for (cairn_node node = 0; node < 40 * 30; node++) {
            uint32_t area = t.overlay->areas[node];
            assert_int_equal(area != 0, cairn_space_usable(t.k.space, node));
            if (!area) continue;
            assert_true(colours.of[area] < CRN_AREA_COLOURS);
            used |= 1u << colours.of[area];
            for (int32_t dy = -1; dy <= 1; dy++) {
                for (int32_t dx = -1; dx <= 1; dx++) {
                    cairn_node beside = cairn_grid_node(t.k.grid, (int32_t)(node % 40) + dx,
                                                        (int32_t)(node / 40) + dy);
                    uint32_t other = beside == CAIRN_NO_NODE ? 0 : t.overlay->areas[beside];
                    CHECK(!other || other == area || colours.of[other] != colours.of[area],
                          "%u: areas %u and %u touch and are alike", side, area, other);
                }
            }
        }
        assert_int_equal(used, (1u << CRN_AREA_COLOURS) - 1);
        crn_overlay_uncolour(t.overlay, &colours);
        tiled_end(&t);
    }
}

/* One area that all others touch, and they each other: more than there are colours. */
static void more_neighbours_than_colours_are_borne(void **state)
{
    (void)state;
    cairn_graph_edge edges[66];
    uint32_t count = 0;
    for (uint32_t a = 0; a < 12; a++)
        for (uint32_t b = 0; b < a; b++) edges[count++] = (cairn_graph_edge){a, b, 1};
    kit k = kit_of_edges(12, edges, count);
    cairn_overlay *overlay = NULL;
    CHECK_OK(cairn_overlay_create(k.space, &overlay));
    cairn_overlay_sink sink = cairn_overlay_sink_of(overlay);
    for (cairn_node node = 0; node < 12; node++)
        send_area(&sink, 1, node, 1000 + node); /* numbers of any size */
    crn_area_colours colours;
    assert_true(crn_overlay_colour(overlay, k.space, &colours));
    for (cairn_node node = 0; node < 12; node++)
        assert_true(colours.of[overlay->areas[node]] < CRN_AREA_COLOURS);
    crn_overlay_uncolour(overlay, &colours);
    cairn_overlay_destroy(overlay);
    kit_close(&k);
}

static void of_several_layers_the_lowest_has_the_areas(void **state)
{
    (void)state;
    tiled t = tiled_of(scene_blank("layers", 6, 6), 0);
    for (cairn_node node = 0; node < 36; node++) send_area(&t.sink, 2, node, 5);
    for (cairn_node node = 0; node < 18; node++) send_area(&t.sink, 1, node, node);
    for (cairn_node node = 0; node < 36; node++) send_area(&t.sink, 3, node, 6);
    assert_int_equal(t.overlay->areas[0], 1);
    assert_int_equal(t.overlay->areas[17], 18);
    assert_int_equal(t.overlay->areas[18], 0);
    assert_int_equal(cairn_overlay_count(t.overlay, CAIRN_OVERLAY_AREA), 90);
    assert_int_equal(cairn_overlay_count(t.overlay, CAIRN_OVERLAY_EDGE), 0);
    assert_int_equal(cairn_overlay_count(t.overlay, CAIRN_OVERLAY_KIND_COUNT), 0);
    tiled_end(&t);
}

/* ---- drawn ---- */

static void lines_are_drawn_where_they_lie(void **state)
{
    cairn_grid_options options = {
        .width = 20, .height = 10, .origin = {-100, 50, 0}, .cell_size = 4};
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    cairn_overlay *overlay = NULL;
    CHECK_OK(cairn_grid_create(*state, &options, &grid, NULL));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    CHECK_OK(cairn_overlay_create(space, &overlay));
    cairn_overlay_sink sink = cairn_overlay_sink_of(overlay);
    cairn_position a = cairn_space_position(space, 21), b = cairn_space_position(space, 105);
    send_line(&sink, CAIRN_OVERLAY_NODE, 1, a, b);
    send_line(&sink, CAIRN_OVERLAY_EDGE, 1, a, b);
    send_line(&sink, CAIRN_OVERLAY_BORDER, 1, (cairn_position){-100 + 40, 50, 0},
              (cairn_position){-100 + 40, 90, 0});
    send_line(&sink, CAIRN_OVERLAY_NODE, 2, b, a);
    /* Nonsense is passed over. */
    send_line(&sink, CAIRN_OVERLAY_EDGE, 1, (cairn_position){strtod("nan", NULL), 0, 0}, b);
    send_line(&sink, CAIRN_OVERLAY_KIND_COUNT, 1, a, b);
    send_area(&sink, 1, 200, 0);
    CHECK_OK(cairn_overlay_status(overlay));
    cairn_picture picture = {.space = space,
                             .overlay = overlay,
                             .from = CAIRN_NO_NODE,
                             .to = CAIRN_NO_NODE,
                             .scale = 10};
    cairn_file file = svg_of_picture(&picture);
    /* The border, then the edge, then both nodes, the one of the higher layer larger. */
    const char *border = strstr(file.data, "d=\"M10 0L10 10\""),
               *edge = strstr(file.data, "d=\"M1.5 1.5L5.5 5.5\""),
               *node = strstr(file.data, "stroke-width=\"0.4\" d=\"M1.5 1.5h0\""),
               *above = strstr(file.data, "stroke-width=\"0.6\" d=\"M5.5 5.5h0\"");
    assert_true(border && edge && node && above && border < edge && edge < node && node < above);
    assert_int_equal(count_of(file.data, "<g"), count_of(file.data, "</g"));
    cairn_file_free(*state, &file);
#if defined(CAIRN_WITH_PNG)
    pixels p = pixels_of_picture(&picture);
    CHECK_PIXEL(&p, 15, 15, 0x2b3a8c); /* a node, ... */
    CHECK_PIXEL(&p, 55, 55, 0x8a3d0e); /* ... one of the next layer, ... */
    /* ... the border ... */
    assert_true(pixel(&p, 100, 50) < 0xc0c0c0 || pixel(&p, 99, 50) < 0xc0c0c0);
    /* ... and nothing */
    CHECK_PIXEL(&p, 150, 50, 0xf6f4ee);
    free(p.data);
#endif
    cairn_overlay_destroy(overlay);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

static void on_hexagons_lines_meet_the_centres(void **state)
{
    (void)state;
    scene *s = scene_blank("hex", 7, 6);
    scene_make_hex(s);
    tiled t = tiled_of(s, 0);
    cairn_node ends[] = {0, 40};
    cairn_path path = {.status = CAIRN_FOUND, .nodes = ends, .count = 2};
    t.picture.path = &path;
    cairn_file plain = svg_of_picture(&t.picture);
    send_line(&t.sink, CAIRN_OVERLAY_EDGE, 1, cairn_space_position(t.k.space, 0),
              cairn_space_position(t.k.space, 40));
    cairn_file file = svg_of_picture(&t.picture);
    /* As the line of the path, one time more. */
    const char *line = strstr(plain.data, "d=\"M0.5 ");
    assert_non_null(line);
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line + 3, "\"") + 4, line);
    assert_int_equal(count_of(file.data, text), count_of(plain.data, text) + 1);
    cairn_file_free(t.k.context, &plain);
    cairn_file_free(t.k.context, &file);
    tiled_end(&t);
}

static void graphs_show_areas_and_lines_too(void **state)
{
    (void)state;
    const cairn_position positions[] = {{0, 0, 0}, {10, 0, 0}, {10, 5, 0}};
    const cairn_graph_edge edges[] = {{0, 1, 10}, {1, 2, 5}};
    cairn_graph_options options = {
        .node_count = 3, .edge_count = 2, .positions = positions, .edges = edges};
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    cairn_overlay *overlay = NULL;
    CHECK_OK(cairn_overlay_create(k.space, &overlay));
    cairn_overlay_sink sink = cairn_overlay_sink_of(overlay);
    cairn_picture picture = {
        .space = k.space, .overlay = overlay, .from = CAIRN_NO_NODE, .to = CAIRN_NO_NODE};
    cairn_file plain = svg_of_picture(&picture);
    for (cairn_node node = 0; node < 3; node++) send_area(&sink, 1, node, node / 2);
    send_line(&sink, CAIRN_OVERLAY_EDGE, 1, positions[0], positions[2]);
    cairn_file file = svg_of_picture(&picture);
    assert_int_equal(count_of(file.data, "h0"), count_of(plain.data, "h0") + 3);
    assert_int_equal(count_of(file.data, "M12 12L1012 512\""), 1);
    cairn_file_free(k.context, &plain);
    cairn_file_free(k.context, &file);
    cairn_overlay_destroy(overlay);
    kit_close(&k);
}

static void what_was_expanded_hides_areas_and_walls_stay(void **state)
{
    (void)state;
    tiled t = tiled_of(scene_of_text("show", "....\n"
                                             ".#..\n"
                                             "....\n"),
                       2);
    cairn_recording *recording = NULL;
    CHECK_OK(cairn_recording_create(t.k.space, &recording));
    cairn_trace_sink sink = cairn_recording_sink(recording);
    /* Of searches inside a search the ones on the ground are shown. */
    const cairn_event events[] = {
        {CAIRN_EVENT_SOURCE, 0, 0, CAIRN_NO_NODE, 0, 0},
        {CAIRN_EVENT_PIECE, 1, 3, CAIRN_NO_NODE, 0, 0},
        {CAIRN_EVENT_EXPAND, 1, 3, CAIRN_NO_NODE, 0, 0},
        {CAIRN_EVENT_GENERATE, 1, 7, 3, 5, 5},
        {CAIRN_EVENT_PIECE, 0, 0, CAIRN_NO_NODE, 0, 0},
        {CAIRN_EVENT_EXPAND, 0, 0, CAIRN_NO_NODE, 0, 9},
        {CAIRN_EVENT_PIECE, 0, 4, CAIRN_NO_NODE, 0, 0},
        {CAIRN_EVENT_EXPAND, 0, 4, CAIRN_NO_NODE, 1, 8},
    };
    for (size_t i = 0; i < LENGTH(events); i++) sink.event(sink.user, &events[i]);
    uint64_t value = 0;
    assert_int_equal(cairn_recording_expanded(recording), 2);
    assert_false(cairn_recording_value(recording, CAIRN_COLOUR_ORDER, 3, &value));
    assert_true(cairn_recording_value(recording, CAIRN_COLOUR_ORDER, 0, &value) && value == 1);
    assert_true(cairn_recording_value(recording, CAIRN_COLOUR_ORDER, 4, &value) && value == 2);
#if defined(CAIRN_WITH_PNG)
    t.picture.recording = recording;
    pixels p = pixels_of_picture(&t.picture);
    CHECK_PIXEL(&p, 5, 5, 0x52469c);   /* expanded first */
    CHECK_PIXEL(&p, 15, 15, 0x2c2f38); /* a wall */
    assert_int_equal(pixel(&p, 25, 5), pixel(&p, 35, 15));
    assert_int_equal(pixel(&p, 15, 5), 0xbcccf9); /* the first colour of areas */
    assert_true(pixel(&p, 15, 5) != pixel(&p, 25, 5) && pixel(&p, 25, 5) != pixel(&p, 25, 25));
    free(p.data);
#endif
    cairn_recording_destroy(recording);
    tiled_end(&t);
}

/* ---- what is wrong ---- */

static void overlays_of_nonsense_are_refused(void **state)
{
    (void)state;
    tiled t = tiled_of(scene_blank("one", 6, 6), 2),
          other = tiled_of(scene_blank("other", 5, 5), 2);
    cairn_error error = {0};
    cairn_file file;
    t.picture.overlay = other.overlay;
    CHECK_STATUS(cairn_picture_svg(&t.picture, &file, &error), CAIRN_INVALID);
    assert_non_null(strstr(error.text, "another world"));
    cairn_overlay *none = t.overlay;
    CHECK_STATUS(cairn_overlay_create(NULL, &none), CAIRN_INVALID);
    assert_null(none);
    CHECK_STATUS(cairn_overlay_create(t.k.space, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_overlay_status(NULL), CAIRN_INVALID);
    cairn_overlay_destroy(NULL);
    tiled_end(&t);
    tiled_end(&other);
}

static cairn_status draw_all(cairn_space *space)
{
    cairn_overlay *overlay = NULL;
    cairn_file svg = {0}, png = {0};
    cairn_status status = cairn_overlay_create(space, &overlay);
    if (status) return status;
    cairn_overlay_sink sink = cairn_overlay_sink_of(overlay);
    for (cairn_node node = 0; node < 400; node++) {
        cairn_position place = cairn_space_position(space, node);
        send_area(&sink, 1, node, node / 3);
        send_line(&sink, CAIRN_OVERLAY_NODE, 1, place, place);
    }
    cairn_picture picture = {.space = space, .overlay = overlay, .to = 399};
    status = cairn_picture_svg(&picture, &svg, NULL);
    if (!status) status = cairn_picture_png(&picture, &png, NULL);
    if (status == CAIRN_UNSUPPORTED) status = CAIRN_OK; /* without libpng */
    cairn_file_free(cairn_space_context(space), &svg);
    cairn_file_free(cairn_space_context(space), &png);
    cairn_overlay_destroy(overlay);
    return status;
}

static void memory_that_ends_leaves_no_half_an_overlay(void **state)
{
    (void)state;
    watched memory = {0};
    cairn_context *context = NULL;
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    CHECK_OK(watched_context(&memory, &context));
    CHECK_OK(random_grid(context, 20, 20, 0, 1, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    size_t blocks = memory.blocks;
    for (uint64_t fail = 1;; fail++) {
        memory.calls = 0, memory.fail_at = fail, memory.failures = 0;
        cairn_status status = draw_all(space);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_that_touch_differ_and_all_colours_are_used),
        cmocka_unit_test(more_neighbours_than_colours_are_borne),
        cmocka_unit_test(of_several_layers_the_lowest_has_the_areas),
        cmocka_unit_test_setup_teardown(lines_are_drawn_where_they_lie, context_set_up,
                                        context_tear_down),
        cmocka_unit_test(on_hexagons_lines_meet_the_centres),
        cmocka_unit_test(graphs_show_areas_and_lines_too),
        cmocka_unit_test(what_was_expanded_hides_areas_and_walls_stay),
        cmocka_unit_test(overlays_of_nonsense_are_refused),
        cmocka_unit_test(memory_that_ends_leaves_no_half_an_overlay),
    };
    return cmocka_run_group_tests_name("overlay", tests, NULL, NULL);
}
