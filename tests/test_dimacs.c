/* test_dimacs.c: graphs in DIMACS format: what is right is read, and everything that is wrong is
 * refused with its line and a reason.
 */
#define _POSIX_C_SOURCE 200809L
#include "scenes.h"
#include "support.h"

#include <cairn/io.h>
#include <sys/stat.h>

static const char good_gr[] = "c a small graph\n"
                              "p sp 4 5\n"
                              "c\n"
                              "a 1 2 17\n"
                              "\n"
                              "a 1 3 10\n"
                              "a 2 4 2\n"
                              "a 3 4 4294967294\n"
                              "a 4 1 1\n";

static const char good_co[] = "c where they are\n"
                              "p aux sp co 4\n"
                              "v 1 -100 100\n"
                              "v 3 10 -20\n"
                              "v 2 0 0\n"
                              "v 4 9007199254740992 -9007199254740992\n";

/* Into memory of exactly its size, so that reading behind the end shows. */
static char *exactly(const char *text, size_t size)
{
    char *copy = malloc(size ? size : 1);
    if (!copy) abort();
    memcpy(copy, text, size);
    return copy;
}

static cairn_status parse(cairn_context *context, const char *gr, const char *co, cairn_graph **out,
                          cairn_error *error)
{
    char *gr_copy = exactly(gr, strlen(gr)), *co_copy = co ? exactly(co, strlen(co)) : NULL;
    cairn_status status =
        cairn_dimacs_parse(context, (cairn_bytes){gr_copy, strlen(gr)},
                           (cairn_bytes){co_copy, co ? strlen(co) : 0}, out, error);
    free(gr_copy);
    free(co_copy);
    return status;
}

/* ---- right ----------------------------------------------------------------------------- */

static void check_good(cairn_graph *graph)
{
    static const cairn_graph_edge edges[] = {
        {0, 1, 17}, {0, 2, 10}, {1, 3, 2}, {2, 3, 4294967294u}, {3, 0, 1}};
    assert_int_equal(cairn_graph_node_count(graph), 4);
    assert_int_equal(cairn_graph_edge_count(graph), 5);
    for (uint32_t i = 0, at = 0; i < LENGTH(edges); i++) {
        at = i && edges[i - 1].from == edges[i].from ? at + 1 : 0;
        cairn_graph_edge edge = cairn_graph_edge_at(graph, edges[i].from, at);
        assert_int_equal(edge.to, edges[i].to);
        assert_int_equal(edge.weight, edges[i].weight);
    }
}

static void arcs_and_coordinates_are_read(void **state)
{
    cairn_graph *graph;
    cairn_error error = {0};
    CHECK_OK(parse(*state, good_gr, good_co, &graph, &error));
    check_good(graph);
    assert_true(cairn_graph_has_positions(graph));
    assert_true(cairn_graph_position(graph, 0).x == -100 &&
                cairn_graph_position(graph, 0).y == 100);
    assert_true(cairn_graph_position(graph, 1).x == 0 && cairn_graph_position(graph, 1).y == 0);
    assert_true(cairn_graph_position(graph, 2).x == 10 && cairn_graph_position(graph, 2).y == -20);
    assert_true(cairn_graph_position(graph, 3).x == 0x1p53 &&
                cairn_graph_position(graph, 3).y == -0x1p53);
    cairn_graph_destroy(graph);

    CHECK_OK(parse(*state, good_gr, NULL, &graph, &error));
    check_good(graph);
    assert_false(cairn_graph_has_positions(graph));
    cairn_graph_destroy(graph);
}

static void line_ends_and_blanks_may_be_of_any_kind(void **state)
{
    cairn_graph *graph;
    CHECK_OK(parse(*state, "p sp 2 1\r\na 1 2 3\r\n", "p aux sp co 2\r\nv 1 0 0\r\nv 2 3 4\r\n",
                   &graph, NULL));
    assert_int_equal(cairn_graph_edge_at(graph, 0, 0).weight, 3);
    assert_true(cairn_graph_position(graph, 1).y == 4);
    cairn_graph_destroy(graph);
    CHECK_OK(parse(*state, "  p\tsp  2 1\n\t a 1\t2 3  \t", "p aux sp co 2\nv 1 0 0\nv 2 3 4",
                   &graph, NULL));
    assert_int_equal(cairn_graph_edge_at(graph, 0, 0).weight, 3);
    cairn_graph_destroy(graph);
    CHECK_OK(parse(*state, "p sp 1 0", NULL, &graph, NULL));
    assert_int_equal(cairn_graph_node_count(graph), 1);
    cairn_graph_destroy(graph);
    CHECK_OK(parse(*state, "cost of this line: none\np sp 1 0\n\n\nc", NULL, &graph, NULL));
    cairn_graph_destroy(graph);
}

/* ---- wrong ----------------------------------------------------------------------------- */

typedef struct wrong {
    const char *gr, *co;
    uint32_t line;
    const char *says;
} wrong;

static void what_is_wrong_is_refused_with_its_line_and_reason(void **state)
{
    static const char gr[] = "p sp 2 1\na 1 2 3\n";
    static const wrong cases[] = {
        {"", NULL, 0, "no line \"p sp NODES ARCS\""},
        {"c only a comment\n", NULL, 1, "no line \"p sp NODES ARCS\""},
        {"a 1 2 3\np sp 2 1\n", NULL, 1, "expected \"p sp NODES ARCS\", not \"a 1 2 3\""},
        {"p\n", NULL, 1, "expected \"p sp"},
        {"p max 2 1\n", NULL, 1, "expected \"p sp"},
        {"p sp\n", NULL, 1, "number of nodes"},
        {"p sp x 1\n", NULL, 1, "not \"x\""},
        {"p sp -2 1\n", NULL, 1, "whole number, not \"-2\""},
        {"p sp 2.0 1\n", NULL, 1, "whole number"},
        {"p sp 0 0\n", NULL, 1, "must be 1 to 2147483647, not 0"},
        {"p sp 2147483648 0\n", NULL, 1, "must be 1 to 2147483647"},
        {"p sp 99999999999999999999999 0\n", NULL, 1, "whole number"},
        {"p sp 2\n", NULL, 1, "number of arcs"},
        {"p sp 2 4294967296\n", NULL, 1, "number of arcs"},
        {"p sp 2 4294967295\na 1 2 3\n", NULL, 1, "too short for 4294967295 arcs"},
        {"p sp 2000000 1\na 1 2 3\n", NULL, 1, "too many"},
        {"p sp 2 1 1\na 1 2 3\n", NULL, 1, "\"1\" is too much"},
        {"p sp 2 1\np sp 2 1\na 1 2 3\n", NULL, 2,
         "expected \"a FROM TO WEIGHT\", not \"p sp 2 1\""},
        {"p sp 2 1\nb 1 2 3\n", NULL, 2, "expected \"a FROM"},
        {"p sp 2 1\nab 1 2 3\n", NULL, 2, "expected \"a FROM"},
        {"p sp 2 1\n\nc\na 0 2 3\n", NULL, 4, "first node must be 1 to 2, not 0"},
        {"p sp 2 1\na 3 2 3\n", NULL, 2, "first node must be 1 to 2, not 3"},
        {"p sp 2 1\na 1 3 3\n", NULL, 2, "second node must be 1 to 2, not 3"},
        {"p sp 2 1\na 1 1 3\n", NULL, 2, "from node 1 to itself"},
        {"p sp 2 1\na 1 2 0\n", NULL, 2, "weights must be at least 1"},
        {"p sp 2 1\na 1 2 -1\n", NULL, 2, "the weight must be a whole number"},
        {"p sp 2 1\na 1 2 1.5\n", NULL, 2, "the weight must be a whole number"},
        {"p sp 2 1\na 1 2 4294967295\n", NULL, 2, "weight must be"},
        {"p sp 2 1\na 1 2\n", NULL, 2, "the weight must be a whole number, not \"\""},
        {"p sp 2 1\na 1 2 3 4\n", NULL, 2, "\"4\" is too much"},
        {"p sp 2 1\na 1 2 3\na 2 1 3\n", NULL, 3, "more than the 1 arcs"},
        {"p sp 2 2\na 1 2 3\nc gone\n", NULL, 3, "ends after 1 of 2 arcs"},
        {"p sp 2 1\na 1 2 \x01\xff\n", NULL, 2, "not \"??\""},
        {gr, "", 0, "coordinates: there is no line"},
        {gr, "p sp 2 1\n", 1, "coordinates: expected \"p aux sp co NODES\""},
        {gr, "p aux sp co\n", 1, "coordinates: the number of nodes"},
        {gr, "p aux sp co 3\nv 1 0 0\nv 2 0 0\nv 3 0 0\n", 1,
         "coordinates: 3 nodes here, but 2 in the graph"},
        {gr, "p aux sp co 2 2\n", 1, "too much"},
        {gr, "p aux sp co 2", 1, "coordinates: the text is too short for 2 nodes"},
        {gr, "p aux sp co 2\nv 2 0 0\n", 2, "coordinates: node 1 has no coordinates"},
        {gr, "p aux sp co 2\nv 2 0 0\nv 2 1 0\n", 3, "node 2 has coordinates already"},
        {gr, "p aux sp co 2\nv 0 0 0\n", 2, "node must be 1 to 2"},
        {gr, "p aux sp co 2\nv 3 0 0\n", 2, "node must be 1 to 2"},
        {gr, "p aux sp co 2\nw 1 0 0\n", 2, "expected \"v NODE X Y\""},
        {gr, "p aux sp co 2\nv 1 0\n", 2, "y must be a whole number"},
        {gr, "p aux sp co 2\nv 1 0.5 0\n", 2,
         "x must be a whole number of at most 2^53, not \"0.5\""},
        {gr, "p aux sp co 2\nv 1 - 0\n", 2, "not \"-\""},
        {gr, "p aux sp co 2\nv 1 --1 0\n", 2, "not \"--1\""},
        {gr, "p aux sp co 2\nv 1 9007199254740993 0\n", 2, "2^53"},
        {gr, "p aux sp co 2\nv 1 0 0 0\n", 2, "too much"},
        {"p sp 100 1\na 1 2 3\n", "p aux sp co 100\nv 1 0 0\n", 1, "too short for 100 nodes"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        cairn_graph *graph = (cairn_graph *)state;
        cairn_error error = {0};
        cairn_status status = parse(*state, cases[i].gr, cases[i].co, &graph, &error);
        CHECK(status == CAIRN_BAD_DATA, "case %zu: %s", i, error.text);
        CHECK(error.status == CAIRN_BAD_DATA && error.line == cases[i].line,
              "case %zu: line %u: %s", i, error.line, error.text);
        CHECK(strstr(error.text, cases[i].says), "case %zu: %s", i, error.text);
        assert_null(graph);
        CHECK_STATUS(parse(*state, cases[i].gr, cases[i].co, &graph, NULL), CAIRN_BAD_DATA);
    }
    cairn_graph *graph;
    CHECK_STATUS(
        cairn_dimacs_parse(NULL, (cairn_bytes){gr, 5}, (cairn_bytes){NULL, 0}, &graph, NULL),
        CAIRN_INVALID);
    CHECK_STATUS(
        cairn_dimacs_parse(*state, (cairn_bytes){NULL, 5}, (cairn_bytes){NULL, 0}, &graph, NULL),
        CAIRN_INVALID);
    CHECK_STATUS(
        cairn_dimacs_parse(*state, (cairn_bytes){gr, 5}, (cairn_bytes){NULL, 0}, NULL, NULL),
        CAIRN_INVALID);
}

static void a_text_with_a_zero_byte_is_none(void **state)
{
    cairn_graph *graph;
    cairn_error error = {0};
    CHECK_STATUS(cairn_dimacs_parse(*state, (cairn_bytes){"c\n\0", 3}, (cairn_bytes){NULL, 0},
                                    &graph, &error),
                 CAIRN_BAD_DATA);
    CHECK(error.line == 2 && strstr(error.text, "malformed text"), "line %u: %s", error.line,
          error.text);
    CHECK_STATUS(cairn_dimacs_parse(*state, (cairn_bytes){good_gr, sizeof good_gr - 1},
                                    (cairn_bytes){good_co, sizeof good_co}, &graph, &error),
                 CAIRN_BAD_DATA);
    CHECK(strstr(error.text, "coordinates: malformed text"), "%s", error.text);
}

/* A file that was cut off anywhere must not pass for a smaller one. */
static void a_text_cut_off_anywhere_but_in_its_last_number_is_refused(void **state)
{
    size_t gr_size = sizeof good_gr - 1, co_size = sizeof good_co - 1;
    for (size_t size = 0; size + 2 < gr_size; size++) {
        char *gr = exactly(good_gr, size);
        cairn_graph *graph;
        CHECK_STATUS(cairn_dimacs_parse(*state, (cairn_bytes){gr, size}, (cairn_bytes){NULL, 0},
                                        &graph, NULL),
                     CAIRN_BAD_DATA);
        free(gr);
    }
    const char *last_number = strrchr(good_co, '-');
    for (size_t size = 0; size < co_size; size++) {
        char *co = exactly(good_co, size);
        cairn_graph *graph;
        bool whole = good_co + size >= last_number + 2;
        CHECK_STATUS(cairn_dimacs_parse(*state, (cairn_bytes){good_gr, gr_size},
                                        (cairn_bytes){co, size}, &graph, NULL),
                     whole ? CAIRN_OK : CAIRN_BAD_DATA);
        cairn_graph_destroy(graph);
        free(co);
    }
}

static void parsing_survives_every_failing_allocation(void **state)
{
    (void)state;
    bool whole = false;
    for (uint64_t fail_at = 2; !whole; fail_at++) {
        watched watch = {.fail_at = fail_at};
        cairn_context *context;
        CHECK_OK(watched_context(&watch, &context));
        size_t blocks = watch.blocks;
        cairn_graph *graph;
        cairn_error error = {0};
        cairn_status status = parse(context, good_gr, good_co, &graph, &error);
        whole = watch.failures == 0;
        CHECK_STATUS(status, whole ? CAIRN_OK : CAIRN_OUT_OF_MEMORY);
        if (!whole) assert_int_equal(error.status, CAIRN_OUT_OF_MEMORY);
        cairn_graph_destroy(graph);
        assert_int_equal(watch.blocks, blocks);
        assert_false(watch.wrong_size);
        cairn_context_destroy(context);
        assert_true(fail_at < 30);
    }
}

/* ---- files ------------------------------------------------------------------------------ */

static void write_file(const char *name, const char *text)
{
    cairn_error error = {0};
    CHECK(cairn_file_write(name, (cairn_bytes){text, strlen(text)}, &error) == CAIRN_OK, "%s: %s",
          name, error.text);
}

static void a_graph_is_loaded_with_the_coordinates_beside_it(void **state)
{
    static const char base[] = CAIRN_BINARY_DIR "/test_dimacs_small";
    char gr[sizeof base + 3], co[sizeof base + 3];
    snprintf(gr, sizeof gr, "%s.gr", base);
    snprintf(co, sizeof co, "%s.co", base);
    cairn_graph *graph;
    cairn_error error = {0};

    remove(co);
    write_file(gr, good_gr);
    CHECK_OK(cairn_graph_load(*state, gr, &graph, &error));
    check_good(graph);
    assert_false(cairn_graph_has_positions(graph));
    cairn_graph_destroy(graph);

    write_file(co, good_co);
    CHECK_OK(cairn_graph_load(*state, gr, &graph, &error));
    check_good(graph);
    assert_true(cairn_graph_has_positions(graph));
    cairn_graph_destroy(graph);

    write_file(co, ""); /* an empty file is not the same as none */
    CHECK_STATUS(cairn_graph_load(*state, gr, &graph, &error), CAIRN_BAD_DATA);
    CHECK(strstr(error.text, "coordinates"), "%s", error.text);
    assert_null(graph);

    remove(co); /* nobody asked for a pipe, and nobody writes into it */
    CHECK(!mkfifo(co, 0600), "no pipe");
    CHECK_STATUS(cairn_graph_load(*state, gr, &graph, &error), CAIRN_FILE_ERROR);
    CHECK(strstr(error.text, "coordinates: cannot be read: it is no regular file"), "%s",
          error.text);
    assert_null(graph);
    remove(co);

    write_file(base, good_gr); /* a name that does not end in .gr */
    write_file(co, good_co);
    CHECK_OK(cairn_graph_load(*state, base, &graph, &error));
    assert_true(cairn_graph_has_positions(graph));
    cairn_graph_destroy(graph);

    remove(gr);
    remove(co);
    remove(base);
    CHECK_STATUS(cairn_graph_load(*state, gr, &graph, &error), CAIRN_FILE_ERROR);
    assert_int_equal(error.status, CAIRN_FILE_ERROR);
    assert_null(graph);
    CHECK_STATUS(cairn_graph_load(*state, NULL, &graph, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_graph_load(NULL, gr, &graph, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_graph_load(*state, gr, NULL, NULL), CAIRN_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arcs_and_coordinates_are_read, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(line_ends_and_blanks_may_be_of_any_kind, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_refused_with_its_line_and_reason,
                                        context_set_up, context_tear_down),
        cmocka_unit_test_setup_teardown(a_text_with_a_zero_byte_is_none, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(a_text_cut_off_anywhere_but_in_its_last_number_is_refused,
                                        context_set_up, context_tear_down),
        cmocka_unit_test(parsing_survives_every_failing_allocation),
        cmocka_unit_test_setup_teardown(a_graph_is_loaded_with_the_coordinates_beside_it,
                                        context_set_up, context_tear_down),
    };
    return cmocka_run_group_tests_name("dimacs", tests, NULL, NULL);
}
