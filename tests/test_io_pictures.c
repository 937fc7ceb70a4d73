/* test_io_pictures.c: recordings of searches, and pictures of them as SVG and PNG. */
#include "support.h"

#include <cairn/io.h>

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

static scene_picture scene_make(const char *text)
{
    scene_picture s = {0};
    CHECK_OK(cairn_context_create(NULL, &s.context));
    CHECK_OK(cairn_grid_from_text(s.context, text, strlen(text), &s.grid, NULL));
    CHECK_OK(cairn_space_of_grid(s.grid, NULL, &s.space, NULL));
    CHECK_OK(cairn_planner_create(s.space, "astar", &s.planner, NULL));
    CHECK_OK(cairn_search_create(s.planner, NULL, &s.search));
    CHECK_OK(cairn_recording_create(s.space, &s.recording));
    cairn_trace_sink sink = cairn_recording_sink(s.recording);
    cairn_search_trace(s.search, &sink);
    cairn_query query = {.from = 0, .to = cairn_space_node_count(s.space) - 1};
    cairn_search_find(s.search, &query, &s.path);
    s.picture = (cairn_picture){
        .space = s.space, .recording = s.recording, .path = s.path, .from = query.from, .to = query.to};
    return s;
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

    /* Another search on the same recording begins anew. */
    cairn_query query = {.from = 1, .to = 2};
    CHECK_STATUS(cairn_search_find(s.search, &query, NULL), CAIRN_FOUND);
    assert_int_equal(cairn_recording_expanded(s.recording), cairn_search_metrics(s.search).expanded);
    assert_int_equal(cairn_recording_expanded(NULL), 0);
    cairn_recording *none = NULL;
    CHECK_STATUS(cairn_recording_create(NULL, &none), CAIRN_INVALID);
    scene_unmake(&s);
}

static uint32_t count_of(const char *text, const char *part)
{
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++) count++;
    return count;
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
    CHECK_OK(cairn_smooth_sight(s.space, s.path, smooth, 50, &s.picture.smooth_count, NULL));
    CHECK_OK(cairn_picture_svg(&s.picture, &plain, NULL));
    s.picture.smooth = smooth;
    CHECK_OK(cairn_picture_svg(&s.picture, &both, NULL));
    assert_int_equal(count_of(both.data, "<path"), count_of(plain.data, "<path") + 1);
    cairn_file_free(s.context, &plain);
    cairn_file_free(s.context, &both);
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
    const cairn_position positions[] = {{0, 0}, {10, 0}, {10, 5}};
    const cairn_graph_edge edges[] = {{0, 1, 10}, {1, 2, 5}};
    cairn_graph_options options = {.node_count = 3, .edge_count = 2, .positions = positions, .edges = edges};
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
        if (with) assert_int_equal(count_of(file.data, "L"), 2 + 3); /* two edges, the goal's diamond */
        cairn_file_free(context, &file);
        CHECK_STATUS(cairn_picture_png(&picture, &file, NULL), CAIRN_UNSUPPORTED);
        cairn_space_destroy(space);
        cairn_graph_destroy(graph);
    }
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_counts_what_the_search_expanded),
        cmocka_unit_test(an_svg_holds_cells_path_and_marks),
        cmocka_unit_test(a_bare_map_makes_a_picture_too),
        cmocka_unit_test(a_smoothed_path_is_drawn_with_the_one_it_came_from),
        cmocka_unit_test(pictures_of_nonsense_are_refused_with_a_reason),
        cmocka_unit_test(a_png_has_the_size_that_was_asked_for),
        cmocka_unit_test(graphs_with_positions_can_be_drawn_as_svg_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
