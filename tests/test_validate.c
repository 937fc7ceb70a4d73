/* test_validate.c: the validity checkers. They must find nothing wrong with good spaces, of every
 * scene under every rule and after edits, and they must find every kind of fault: spaces are
 * broken here on purpose, through a table of functions that lies.
 */
#include "scenes.h"
#include "support.h"
#include "world/grid_space.h"
#include "world/space.h"

/* ---- faults -------------------------------------------------------------------------- */

typedef struct report {
    uint64_t count;
    cairn_node from, to; /* of the first */
    char text[120];
} report;

static void note_fault(void *user, cairn_node from, cairn_node to, const char *text)
{
    report *r = user;
    if (r->count++ == 0) {
        r->from = from, r->to = to;
        snprintf(r->text, sizeof r->text, "%s", text);
    }
}

typedef enum lie {
    LIE_MISSING,  /* leaves out the last edge */
    LIE_TWICE,    /* gives the first edge twice */
    LIE_PRICE,    /* one unit too much */
    LIE_NOWHERE,  /* an edge out of the world */
    LIE_FAR,      /* an edge to a node that is no neighbour */
    LIE_BLOCKED,  /* an edge to where no edge may be */
    LIE_STANDING, /* says the contrary about where one can stand */
    LIE_ORDER,    /* another order, which is no fault */
    LIE_COUNT
} lie;

/* The lies are told at one node only. */
static struct {
    const crn_space_functions *honest;
    lie lie;
    cairn_node at, other;
} liar;

static uint32_t lying_list(const cairn_space *space, cairn_node node, cairn_edge *edges)
{
    uint32_t count = liar.honest->expand(space, node, 0, edges, 64);
    if (node != liar.at) return count;
    switch (liar.lie) {
    case LIE_MISSING: return count - 1;
    case LIE_TWICE: edges[count] = edges[0]; return count + 1;
    case LIE_PRICE: edges[count / 2].cost++; return count;
    case LIE_NOWHERE: edges[count] = (cairn_edge){CAIRN_NO_NODE, 5}; return count + 1;
    case LIE_FAR:
    case LIE_BLOCKED: edges[count] = (cairn_edge){liar.other, 5741}; return count + 1;
    case LIE_ORDER: {
        cairn_edge first = edges[0];
        edges[0] = edges[count - 1], edges[count - 1] = first;
        return count;
    }
    default: return count;
    }
}

static uint32_t lying_expand(const cairn_space *space, cairn_node node, uint32_t first,
                             cairn_edge *out, uint32_t capacity)
{
    cairn_edge edges[65];
    uint32_t count = lying_list(space, node, edges), written = 0;
    for (uint32_t i = first; i < count && written < capacity; i++) out[written++] = edges[i];
    return written;
}

static bool lying_usable(const cairn_space *space, cairn_node node)
{
    bool usable = liar.honest->usable(space, node);
    return liar.lie == LIE_STANDING && node == liar.at ? !usable : usable;
}

/* Makes the space lie and returns what the checker says to it. */
static report checked_with_lie(cairn_space *space, lie kind, cairn_node at, cairn_node other)
{
    crn_space_functions functions = *space->functions;
    functions.expand = lying_expand;
    functions.usable = lying_usable;
    liar.honest = space->functions;
    liar.lie = kind, liar.at = at, liar.other = other;
    report r = {0};
    space->functions = &functions;
    uint64_t count = cairn_space_validate(space, note_fault, &r);
    assert_int_equal(count, r.count);
    assert_int_equal(cairn_space_validate(space, NULL, NULL), r.count);
    space->functions = liar.honest;
    return r;
}

static void check_honest(cairn_space *space, const char *name)
{
    report r = {0};
    cairn_space_validate(space, note_fault, &r);
    CHECK(r.count == 0, "%s: %llu faults; the first, from %u to %u: %s", name,
          (unsigned long long)r.count, r.from, r.to, r.text);
}

/* ---- grids --------------------------------------------------------------------------- */

static void every_grid_scene_is_valid_under_every_rule(void **state)
{
    (void)state;
    cairn_context *context;
    CHECK_OK(cairn_context_create(NULL, &context));
    for (uint32_t i = 0; i < scene_count(); i++) {
        scene *s = scene_at(i);
        cairn_grid *grid;
        CHECK_OK(scene_grid(s, context, &grid));
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            cairn_space *space;
            CHECK_OK(cairn_space_of_grid(grid, &profile, &space, NULL));
            check_honest(space, s->name);
            cairn_space_destroy(space);
        }
        cairn_grid_destroy(grid);
        scene_destroy(s);
    }
    cairn_context_destroy(context);
}

static void spaces_stay_valid_while_the_grid_is_edited(void **state)
{
    (void)state;
    cairn_context *context;
    CHECK_OK(cairn_context_create(NULL, &context));
    scene *s = scene_named("everything");
    cairn_grid *grid;
    CHECK_OK(scene_grid(s, context, &grid));
    cairn_space *spaces[CAIRN_CORNERS_COUNT];
    for (int i = 0; i < CAIRN_CORNERS_COUNT; i++) {
        cairn_profile profile = s->profile;
        profile.corners = (cairn_corners)i;
        CHECK_OK(cairn_space_of_grid(grid, &profile, &spaces[i], NULL));
    }
    scene_rng rng = {3};
    for (int round = 0; round < 40; round++) {
        for (int edit = 0; edit < 10; edit++) {
            int32_t x = (int32_t)scene_random(&rng, s->width),
                    y = (int32_t)scene_random(&rng, s->height);
            switch (scene_random(&rng, 4)) {
            case 0: CHECK_OK(cairn_grid_set_open(grid, x, y, scene_random(&rng, 2))); break;
            case 1:
                CHECK_OK(cairn_grid_set_terrain(grid, x, y, (uint8_t)scene_random(&rng, 6)));
                break;
            case 2:
                CHECK_OK(cairn_grid_set_layer(grid, x, y, (uint8_t)scene_random(&rng, 256)));
                break;
            default:
                CHECK_OK(cairn_grid_set_elevation(grid, x, y,
                                                  (int16_t)((int)scene_random(&rng, 30) - 15)));
                break;
            }
        }
        CHECK_OK(cairn_grid_commit(grid));
        for (int i = 0; i < CAIRN_CORNERS_COUNT; i++) check_honest(spaces[i], "after edits");
    }
    for (int i = 0; i < CAIRN_CORNERS_COUNT; i++) cairn_space_destroy(spaces[i]);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

static void the_checker_of_grids_sees_every_kind_of_fault(void **state)
{
    (void)state;
    cairn_context *context;
    CHECK_OK(cairn_context_create(NULL, &context));
    scene *s = scene_of_text("fault", "....\n"
                                      "..#.\n"
                                      "....\n");
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    check_honest(space, "honest");
    const struct {
        lie lie;
        cairn_node at, other;
        uint64_t count;
        const char *says;
    } cases[] = {
        {LIE_MISSING, 0, 0, 1, "missing"},
        {LIE_TWICE, 0, 0, 1, "twice"},
        {LIE_PRICE, 5, 0, 1, "cost"},
        {LIE_NOWHERE, 5, 0, 1, "no neighbour"},
        {LIE_FAR, 0, 2, 1, "no neighbour"},
        {LIE_FAR, 3, 4, 1, "no neighbour"}, /* 3 and 4 are not in one row */
        {LIE_BLOCKED, 5, 6, 1, "not allow"},
        {LIE_BLOCKED, 6, 5, 1, "not allow"},
        {LIE_BLOCKED, 5, 2, 1, "not allow"}, /* cuts the corner of 6 */
        {LIE_STANDING, 0, 0, 1, "stood"},
        {LIE_STANDING, 6, 0, 1, "stood"},
        {LIE_ORDER, 5, 0, 0, ""},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        report r = checked_with_lie(space, cases[i].lie, cases[i].at, cases[i].other);
        CHECK(r.count == cases[i].count, "case %zu: %llu faults: %s", i,
              (unsigned long long)r.count, r.text);
        CHECK(strstr(r.text, cases[i].says), "case %zu: %s", i, r.text);
        if (r.count) assert_int_equal(r.from, cases[i].at);
    }
    space->max_edge = 8118;
    /* every diagonal step costs more */
    assert_int_equal(cairn_space_validate(space, NULL, NULL), 8);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

/* Makes each lie in turn and compares. */
typedef struct expected_fault {
    lie lie;
    cairn_node at, other;
    uint64_t count;
    const char *says;
} expected_fault;

static void check_lies(scene *s, const expected_fault *cases, size_t count)
{
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_context_create(NULL, &context));
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, &s->profile, &space, NULL));
    check_honest(space, "honest");
    for (size_t i = 0; i < count; i++) {
        report r = checked_with_lie(space, cases[i].lie, cases[i].at, cases[i].other);
        CHECK(r.count == cases[i].count, "case %zu: %llu faults: %s", i,
              (unsigned long long)r.count, r.text);
        CHECK(strstr(r.text, cases[i].says), "case %zu: %s", i, r.text);
    }
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

static void the_checker_knows_which_hexagons_touch(void **state)
{
    (void)state;
    /* 0 1 2 3 / 4 5 # 7, half a cell to the right / 8 9 10 11 */
    scene *s = scene_of_text("fault", "....\n"
                                      "..#.\n"
                                      "....\n");
    scene_make_hex(s);
    const expected_fault cases[] = {
        {LIE_MISSING, 5, 0, 1, "missing"},
        {LIE_MISSING, 9, 0, 1, "missing"},
        {LIE_TWICE, 5, 0, 1, "twice"},
        {LIE_PRICE, 5, 0, 1, "cost"},
        {LIE_FAR, 5, 0, 1, "no neighbour"}, /* the row above begins half a cell to the left */
        {LIE_FAR, 5, 8, 1, "no neighbour"},
        {LIE_FAR, 9, 6, 1, "no neighbour"},
        {LIE_FAR, 1, 6, 1, "no neighbour"},
        {LIE_BLOCKED, 5, 6, 1, "not allow"},
        {LIE_BLOCKED, 3, 6, 1, "not allow"},
        {LIE_STANDING, 6, 0, 1, "stood"},
        {LIE_ORDER, 5, 0, 0, ""},
    };
    check_lies(s, cases, LENGTH(cases));
}

static void the_checker_knows_links(void **state)
{
    (void)state;
    scene *s = scene_of_text("fault", "....\n"
                                      "####\n"
                                      "....\n");
    scene_add_links(s, 0, 0, 0, false, 1); /* kind 3 is not allowed */
    static const cairn_link links[] = {
        {0, 8, 1, 700, 0}, {0, 8, 2, 600, 1}, {0, 9, 3, 500, 3},
        {0, 6, 4, 500, 0}, {2, 3, 5, 900, 0},
    };
    free(s->links);
    s->links = malloc(sizeof links);
    if (!s->links) abort();
    memcpy(s->links, links, sizeof links);
    s->link_count = LENGTH(links);
    const expected_fault cases[] = {
        {LIE_MISSING, 0, 0, 1, "missing"}, /* 0 has a step to 1 and a link to 8 */
        {LIE_MISSING, 2, 0, 1, "missing"}, /* of a step and a link to 3 */
        {LIE_TWICE, 0, 0, 1, "twice"},
        {LIE_TWICE, 2, 0, 1, "twice"},
        /* of a kind that is not allowed */
        {LIE_PRICE, 0, 0, 1, "cost"},
        {LIE_FAR, 0, 9, 1, "no link"},
        {LIE_FAR, 0, 6, 1, "no link"}, /* into a wall */
        {LIE_FAR, 8, 0, 1, "no link"}, /* links lead one way */
        {LIE_ORDER, 2, 0, 0, ""},
    };
    check_lies(s, cases, LENGTH(cases));
}

static void the_checker_knows_sizes(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        scene *s = scene_noise("sized", 30, 20, 3, 5);
        if (kind == 2) scene_make_hex(s);
        s->profile.radius = kind == 1 ? 0 : 1.5; /* exactly what the next cell but one is away */
        s->profile.footprint = kind == 1 ? 3 : 0;
        oracle_grid raw = scene_raw(s);
        cairn_node free = CAIRN_NO_NODE, narrow = CAIRN_NO_NODE;
        for (cairn_node n = 0; n < 600; n++) {
            bool stands = oracle_may_stand(&raw, &s->profile, n % 30, n / 30);
            if (stands) free = n;
            if (s->open[n] && !stands) narrow = n;
        }
        const expected_fault cases[] = {{LIE_STANDING, free, 0, 1, "stood"},
                                        {LIE_STANDING, narrow, 0, 1, "stood"}};
        check_lies(s, cases, LENGTH(cases));
    }
}

/* Not only lists that lie: also the tables a space really keeps. */
static void the_checker_of_grids_does_not_trust_the_spaces_tables(void **state)
{
    (void)state;
    cairn_context *context;
    CHECK_OK(cairn_context_create(NULL, &context));
    scene *s = scene_named("everything");
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(scene_grid(s, context, &grid));
    CHECK_OK(cairn_space_of_grid(grid, &s->profile, &space, NULL));
    crn_grid_space *inside = (crn_grid_space *)(void *)space;
    cairn_cell cell = cairn_grid_cell(grid, s->width * 5 + 5);
    bool usable = crn_bit(&inside->usable, cell.x, cell.y);
    crn_bit_set(&inside->usable, cell.x, cell.y, !usable);
    assert_true(cairn_space_validate(space, NULL, NULL) > 0);
    crn_bit_set(&inside->usable, cell.x, cell.y, usable);
    check_honest(space, "mended");

    for (uint32_t v = 1; v < 256; v++) inside->layer_cost[v]++;
    assert_true(cairn_space_validate(space, NULL, NULL) > 0);
    for (uint32_t v = 1; v < 256; v++) inside->layer_cost[v]--;
    inside->limited = false;
    assert_true(cairn_space_validate(space, NULL, NULL) > 0);
    inside->limited = true;
    check_honest(space, "mended");
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    scene_destroy(s);
}

/* ---- graphs --------------------------------------------------------------------------- */

static void every_graph_scene_is_valid(void **state)
{
    (void)state;
    cairn_context *context;
    CHECK_OK(cairn_context_create(NULL, &context));
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        cairn_graph *graph;
        cairn_space *space;
        CHECK_OK(graph_scene_graph(s, context, &graph));
        CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
        check_honest(space, s->name);
        cairn_space_destroy(space);
        cairn_graph_destroy(graph);
        graph_scene_destroy(s);
    }
    cairn_context_destroy(context);
}

static void the_checker_of_graphs_sees_every_kind_of_fault(void **state)
{
    (void)state;
    cairn_context *context;
    CHECK_OK(cairn_context_create(NULL, &context));
    const cairn_graph_edge edges[] = {{0, 1, 9}, {0, 1, 7}, {0, 1, 7},
                                      {0, 2, 4}, {2, 3, 5}, {3, 0, 6}};
    cairn_graph_options options = {.node_count = 5, .edge_count = LENGTH(edges), .edges = edges};
    cairn_graph *graph;
    cairn_space *space;
    CHECK_OK(cairn_graph_create(context, &options, &graph, NULL));
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    check_honest(space, "honest");
    const struct {
        lie lie;
        cairn_node at, other, to;
        uint64_t count;
        const char *says;
    } cases[] = {
        {LIE_MISSING, 0, 0, 2, 1, "missing"},
        {LIE_MISSING, 2, 0, 3, 1, "missing"},
        {LIE_TWICE, 0, 0, 1, 1, "not in the graph"},
        {LIE_PRICE, 0, 0, 1, 1, "cost"},
        {LIE_PRICE, 3, 0, 0, 1, "cost"},
        {LIE_NOWHERE, 0, 0, CAIRN_NO_NODE, 1, "not in the graph"},
        {LIE_FAR, 4, 2, 2, 1, "not in the graph"},
        {LIE_STANDING, 4, 0, 4, 1, "stood"},
        {LIE_ORDER, 0, 0, 0, 0, ""},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        report r = checked_with_lie(space, cases[i].lie, cases[i].at, cases[i].other);
        CHECK(r.count == cases[i].count, "case %zu: %llu faults: %s", i,
              (unsigned long long)r.count, r.text);
        CHECK(strstr(r.text, cases[i].says), "case %zu: %s", i, r.text);
        if (r.count) {
            assert_int_equal(r.from, cases[i].at);
            assert_int_equal(r.to, cases[i].to);
        }
    }
    space->max_edge = 8;
    assert_int_equal(cairn_space_validate(space, NULL, NULL), 1);
    space->max_edge = 9;
    space->node_count = 4;
    assert_true(cairn_space_validate(space, NULL, NULL) > 0);
    space->node_count = 5;
    cairn_space_destroy(space);
    cairn_graph_destroy(graph);
    cairn_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_grid_scene_is_valid_under_every_rule),
        cmocka_unit_test(spaces_stay_valid_while_the_grid_is_edited),
        cmocka_unit_test(the_checker_of_grids_sees_every_kind_of_fault),
        cmocka_unit_test(the_checker_knows_which_hexagons_touch),
        cmocka_unit_test(the_checker_knows_links),
        cmocka_unit_test(the_checker_knows_sizes),
        cmocka_unit_test(the_checker_of_grids_does_not_trust_the_spaces_tables),
        cmocka_unit_test(every_graph_scene_is_valid),
        cmocka_unit_test(the_checker_of_graphs_sees_every_kind_of_fault),
    };
    return cmocka_run_group_tests_name("validate", tests, NULL, NULL);
}
