/* test_posthoc.c: traces for the Posthoc visualiser: read back by a strict reader of what the
 * format allows, for every algorithm; then writers that fail, memory that ends, and places of all
 * kinds of nodes.
 */
#include "conformance.h"
#include "kit.h"

#include <cairn/io.h>

/* ---- a writer that keeps everything --------------------------------------------------- */

typedef struct tape {
    char *text; /* ends with a zero byte */
    size_t size, capacity, limit;
    uint32_t calls, refused;
} tape;

static cairn_status tape_write(void *user, const void *data, size_t size)
{
    tape *t = user;
    t->calls++;
    if (t->limit && t->size + size > t->limit) {
        t->refused++;
        return CAIRN_FILE_ERROR;
    }
    if (t->size + size >= t->capacity) {
        t->capacity = (t->size + size) * 2 + 1;
        t->text = realloc(t->text, t->capacity);
        if (!t->text) abort();
    }
    memcpy(t->text + t->size, data, size);
    t->size += size;
    t->text[t->size] = 0;
    return CAIRN_OK;
}

/* ---- a reader ------------------------------------------------------------------------- */

static const char head[] = "version: 1.4.0\n"
                           "views:\n"
                           "  main:\n"
                           "    - $: rect\n"
                           "      x: ${{ $.x }}\n"
                           "      y: ${{ $.y }}\n"
                           "      width: 1\n"
                           "      height: 1\n"
                           "      fill: ${{ color[$.type] }}\n"
                           "pivot:\n"
                           "  x: ${{ $.x + 0.5 }}\n"
                           "  y: ${{ $.y + 0.5 }}\n"
                           "  scale: 1\n"
                           "events:";

typedef struct read_event {
    char type[16];
    bool has_parent, has_f, has_g, has_h;
    double id, parent, x, y, f, g, h;
} read_event;

static void expect(const char **at, const char *text)
{
    CHECK(!strncmp(*at, text, strlen(text)), "\"%.60s\" does not begin with \"%s\"", *at, text);
    *at += strlen(text);
}

/* Digits, perhaps with a sign and decimals; false for an empty value. */
static bool read_number(const char **at, const char *key, double *out)
{
    const char *begin;
    expect(at, key);
    begin = *at;
    if (*begin == ',' || *begin == ' ') return false;
    *at += strspn(begin, "-0123456789.");
    CHECK(*at > begin && (*at)[-1] != '.', "no number: \"%.20s\"", begin);
    *out = strtod(begin, NULL);
    return true;
}

static read_event read_one(const char **at)
{
    read_event e = {0};
    expect(at, "  - { type: ");
    size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyz");
    CHECK(length < sizeof e.type, "a long type");
    memcpy(e.type, *at, length);
    *at += length;
    CHECK(read_number(at, ", id: ", &e.id), "an event has no id");
    e.has_parent = read_number(at, ", pId: ", &e.parent);
    CHECK(read_number(at, ", x: ", &e.x) && read_number(at, ", y: ", &e.y),
          "an event lies nowhere");
    e.has_f = read_number(at, ", f: ", &e.f);
    e.has_g = read_number(at, ", g: ", &e.g);
    e.has_h = read_number(at, ", h: ", &e.h);
    expect(at, " }\n");
    return e;
}

/* All events of the document. */
static read_event *read_all(const tape *t, size_t *count)
{
    const char *at = t->text;
    *count = 0;
    expect(&at, head);
    if (!strcmp(at, " []\n")) return NULL;
    expect(&at, "\n");
    size_t lines = 0;
    for (const char *line = at; (line = strchr(line, '\n')); line++) lines++;
    read_event *events = malloc((lines + 1) * sizeof *events);
    if (!events) abort();
    for (; *at; ++*count) events[*count] = read_one(&at);
    CHECK((size_t)(at - t->text) == t->size, "a zero byte in the text");
    return events;
}

/* ---- every algorithm ------------------------------------------------------------------ */

/* Counts what passes by on the ground, and hands it on. */
typedef struct turnstile {
    cairn_trace_sink next;
    size_t kinds[CAIRN_EVENT_KIND_COUNT], count;
    bool pieces; /* there are searches inside the search, perhaps on other layers */
} turnstile;

static void turnstile_event(void *user, const cairn_event *event)
{
    turnstile *t = user;
    if (event->level & ~CAIRN_LEVEL_BACKWARD || event->kind == CAIRN_EVENT_PIECE) {
        t->pieces = true;
    } else {
        t->kinds[event->kind]++;
        t->count++;
    }
    t->next.event(t->next.user, event);
}

static answer trace_query(subject *s, const cairn_query *query, tape *t, turnstile *counts)
{
    cairn_posthoc *posthoc = NULL;
    cairn_writer writer = {tape_write, t};
    CHECK_OK(cairn_posthoc_create(s->place->space, &writer, &posthoc));
    *counts = (turnstile){.next = cairn_posthoc_sink(posthoc)};
    cairn_trace_sink sink = {turnstile_event, counts};
    cairn_search_trace(s->search, &sink);
    answer a = answer_find(s->search, query);
    cairn_search_trace(s->search, NULL);
    CHECK_OK(cairn_posthoc_finish(posthoc, NULL));
    return a;
}

static bool near(double a, double b, double tolerance)
{
    return a - b < tolerance && b - a < tolerance;
}

static void check_event(const subject *s, const read_event *e, size_t at, bool *seen, bool pieces)
{
    const char *text = subject_text(s);
    cairn_node id = (cairn_node)e->id;
    CHECK(id < s->place->oracle->count, "%s: event %u: no node", text, (unsigned)at);
    bool smoothed = pieces && !strcmp(e->type, "end"); /* perhaps by cells that no search saw */
    CHECK(!e->has_parent || smoothed || seen[(cairn_node)e->parent],
          "%s: event %u: unheard parent %u", text, (unsigned)at, (unsigned)e->parent);
    CHECK(e->has_f == (e->has_g && e->has_h), "%s: event %u: f", text, (unsigned)at);
    CHECK(!e->has_f || near(e->f, e->g + e->h, 0.0016), "%s: event %u: %g is not %g + %g", text,
          (unsigned)at, e->f, e->g, e->h);
    if (s->place->grid && s->place->profile.neighbours != CAIRN_NEIGHBOURS_HEX)
        CHECK(id == (cairn_node)(e->y * s->place->scene->width + e->x),
              "%s: event %u: %u is not at %g,%g", text, (unsigned)at, id, e->x, e->y);
    seen[id] = true;
}

static size_t count_type(const read_event *events, size_t count, const char *type)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += !strcmp(events[i].type, type);
    return found;
}

static void check_document(const subject *s, const tape *t, const answer *a,
                           const turnstile *counts, cairn_node from)
{
    const char *text = subject_text(s);
    size_t count;
    read_event *events = read_all(t, &count);
    if (a->metrics.generated == 0) { /* answered without a search */
        CHECK(!count && a->path.status != CAIRN_FOUND, "%s: events of no search", text);
        return;
    }
    bool *seen = calloc(s->place->oracle->count, sizeof *seen);
    if (!seen) abort();
    if (a->metrics.generated == 0) { /* answered without a search */
        CHECK(count == 0, "%s: events of no search", text);
        free(seen);
        free(events);
        return;
    }
    CHECK(count && !strcmp(events[0].type, "source") && !events[0].has_parent &&
              events[0].id == from && events[0].g == 0,
          "%s: no source", text);
    for (size_t i = 0; i < count; i++) check_event(s, &events[i], i, seen, counts->pieces);
    const char *const types[] = {"source",    "destination", "generating", "updating",
                                 "expanding", "closing",     "end",        "passing",
                                 "segment",   "subgoal",     "forgetting"};
    size_t known = 0;
    for (size_t i = 0; i < LENGTH(types); i++) known += count_type(events, count, types[i]);
    CHECK(known == count, "%s: unknown types", text);
    CHECK(count == counts->count, "%s: not what happened on the ground", text);
    size_t expanded = count_type(events, count, "expanding"),
           generated = count_type(events, count, "generating") + 1;
    CHECK(expanded == counts->kinds[CAIRN_EVENT_EXPAND] &&
              (counts->pieces || expanded == a->metrics.expanded),
          "%s: not what was expanded", text);
    CHECK(generated == counts->kinds[CAIRN_EVENT_GENERATE] + 1 &&
              (counts->pieces || generated == a->metrics.generated),
          "%s: not what was generated", text);
    CHECK(counts->pieces || count_type(events, count, "updating") >= a->metrics.reopened,
          "%s: reopening is missing", text);
    bool found = a->path.status == CAIRN_FOUND;
    CHECK(count_type(events, count, "end") == found, "%s: ends", text);
    CHECK(!found || (!strcmp(events[count - 1].type, "end") && events[count - 1].id == a->path.end),
          "%s: the end is not the end", text);
    free(seen);
    free(events);
}

static void trace_subject(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        cairn_query query = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
        tape first = {0}, second = {0};
        answer quiet = answer_find(s->search, &query);
        turnstile counts, again;
        answer a = trace_query(s, &query, &first, &counts),
               b = trace_query(s, &query, &second, &again);
        CHECK(answer_same_path(&quiet, &a) && answer_same_metrics(&quiet, &a), "%s: another answer",
              subject_text(s));
        CHECK(first.size == second.size && !memcmp(first.text, second.text, first.size),
              "%s: other bytes", subject_text(s));
        check_document(s, &first, &a, &counts, query.from);
        answer_free(&quiet), answer_free(&a), answer_free(&b);
        free(first.text), free(second.text);
    }
}

static void every_algorithm_leaves_a_whole_trace(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, trace_subject);
}

static void turns_that_are_not_kept_are_written_too(void **state)
{
    (void)state;
    scene *s = scene_named("blocks");
    kit k = kit_of_scene(s, NULL);
    kit_plan(&k, "jps");
    cairn_posthoc *posthoc = NULL;
    tape t = {0};
    cairn_writer writer = {tape_write, &t};
    CHECK_OK(cairn_posthoc_create(k.space, &writer, &posthoc));
    turnstile counts = {.next = cairn_posthoc_sink(posthoc)};
    cairn_trace_sink sink = {turnstile_event, &counts};
    cairn_search_trace(k.search, &sink);
    cairn_query query = {.from = 0, .to = s->width * s->height - 1};
    CHECK_STATUS(cairn_search_find(k.search, &query, NULL), CAIRN_FOUND);
    CHECK_OK(cairn_posthoc_finish(posthoc, NULL));
    size_t count;
    read_event *events = read_all(&t, &count);
    assert_true(counts.kinds[CAIRN_EVENT_PASS] > 0);
    assert_int_equal(count_type(events, count, "passing"), counts.kinds[CAIRN_EVENT_PASS]);
    assert_int_equal(count, counts.count);
    free(events), free(t.text);
    kit_close(&k);
    scene_destroy(s);
}

/* ---- places --------------------------------------------------------------------------- */

/* One event of each node. */
static read_event *trace_nodes(const cairn_space *space, tape *t, size_t *count)
{
    cairn_posthoc *posthoc = NULL;
    cairn_writer writer = {tape_write, t};
    CHECK_OK(cairn_posthoc_create(space, &writer, &posthoc));
    cairn_trace_sink sink = cairn_posthoc_sink(posthoc);
    for (cairn_node node = 0; node < cairn_space_node_count(space); node++) {
        cairn_event event = {.kind = CAIRN_EVENT_GENERATE, .node = node, .parent = CAIRN_NO_NODE};
        sink.event(sink.user, &event);
        event.level = 1; /* of an abstraction: left out */
        sink.event(sink.user, &event);
    }
    CHECK_OK(cairn_posthoc_finish(posthoc, NULL));
    return read_all(t, count);
}

static void hexagons_lie_in_shifted_rows(void **state)
{
    const char text[] = "...\n...\n...\n";
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    tape t = {0};
    size_t count;
    CHECK_OK(cairn_grid_from_text(*state, text, strlen(text), &grid, NULL));
    CHECK_OK(cairn_grid_set_layout(grid, CAIRN_LAYOUT_HEX));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    read_event *events = trace_nodes(space, &t, &count);
    assert_int_equal(count, 9);
    for (size_t i = 0; i < count; i++) {
        size_t x = i % 3, y = i / 3;
        assert_true(near(events[i].x, (double)x + (y == 1 ? 0.5 : 0), 1e-9));
        assert_true(near(events[i].y, (double)y * 0.866, 1e-9));
    }
    free(events), free(t.text);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

static void waypoints_lie_where_they_are_or_in_rows(void **state)
{
    const cairn_position positions[] = {{-1e8, 5e7, 0}, {1e8, 5e7, 0}, {1e8, 0, 0}, {0, 0, 0}};
    const cairn_graph_edge edges[] = {{0, 1, 10}, {1, 2, 5}, {2, 3, 5}};
    for (int with = 0; with < 2; with++) {
        cairn_graph_options options = {
            .node_count = 4, .edge_count = 3, .edges = edges, .positions = with ? positions : NULL};
        cairn_graph *graph = NULL;
        cairn_space *space = NULL;
        tape t = {0};
        size_t count;
        CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
        CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
        read_event *events = trace_nodes(space, &t, &count);
        assert_int_equal(count, 4);
        /* With positions: the longer side is 3 = floor(sqrt(4)) + 1 squares. */
        const double x[2][4] = {{0, 1, 2, 0}, {0, 3, 3, 1.5}},
                     y[2][4] = {{0, 0, 0, 1}, {0.75, 0.75, 0, 0}};
        for (size_t i = 0; i < count; i++)
            assert_true(near(events[i].x, x[with][i], 1e-9) && near(events[i].y, y[with][i], 1e-9));
        free(events), free(t.text);
        cairn_space_destroy(space);
        cairn_graph_destroy(graph);
    }
}

static void costs_count_straight_steps(void **state)
{
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    cairn_posthoc *posthoc = NULL;
    tape t = {0};
    cairn_writer writer = {tape_write, &t};
    size_t count;
    CHECK_OK(cairn_grid_from_text(*state, "..", 2, &grid, NULL));
    CHECK_OK(cairn_space_of_grid(grid, NULL, &space, NULL));
    CHECK_OK(cairn_posthoc_create(space, &writer, &posthoc));
    cairn_trace_sink sink = cairn_posthoc_sink(posthoc);
    cairn_event event = {CAIRN_EVENT_UPDATE, 0, 1, 0, 5741 * 3 / 2, 8119};
    sink.event(sink.user, &event);
    event = (cairn_event){CAIRN_EVENT_DESTINATION, 0, 1, CAIRN_NO_NODE, CAIRN_NO_COST, 0};
    sink.event(sink.user, &event);
    CHECK_OK(cairn_posthoc_finish(posthoc, NULL));
    read_event *events = read_all(&t, &count);
    assert_int_equal(count, 2);
    assert_true(near(events[0].g, 1.5, 1e-9) && near(events[0].h, 1.414, 1e-9) &&
                near(events[0].f, 2.914, 1e-9));
    assert_true(events[1].has_h && !events[1].has_g && !events[1].has_f);
    free(events), free(t.text);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

/* ---- what goes wrong ------------------------------------------------------------------ */

static cairn_space *open_square(cairn_context *context, cairn_grid **grid)
{
    cairn_space *space = NULL;
    CHECK_OK(random_grid(context, 40, 40, 0, 1, grid));
    CHECK_OK(cairn_space_of_grid(*grid, NULL, &space, NULL));
    return space;
}

static void send_many(cairn_posthoc *posthoc, uint32_t count)
{
    cairn_trace_sink sink = cairn_posthoc_sink(posthoc);
    for (uint32_t i = 0; i < count; i++) {
        cairn_event event = {CAIRN_EVENT_EXPAND, 0, i % 1600, i % 1599, i, i};
        sink.event(sink.user, &event);
    }
}

static void a_long_trace_needs_little_memory(void **state)
{
    cairn_grid *grid = NULL;
    cairn_space *space = open_square(*state, &grid);
    cairn_posthoc *posthoc = NULL;
    tape t = {0};
    cairn_writer writer = {tape_write, &t};
    CHECK_OK(cairn_posthoc_create(space, &writer, &posthoc));
    send_many(posthoc, 20000);
    assert_true(t.calls > 10);
    assert_true(cairn_context_memory(*state).peak_bytes < 400000);
    CHECK_OK(cairn_posthoc_finish(posthoc, NULL));
    size_t count;
    free(read_all(&t, &count));
    assert_int_equal(count, 20000);
    free(t.text);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

static void a_writer_that_fails_is_told_at_the_end(void **state)
{
    cairn_grid *grid = NULL;
    cairn_space *space = open_square(*state, &grid);
    cairn_posthoc *posthoc = NULL;
    cairn_error error = {0};
    tape t = {.limit = 100000};
    cairn_writer writer = {tape_write, &t};
    CHECK_OK(cairn_posthoc_create(space, &writer, &posthoc));
    send_many(posthoc, 20000);
    CHECK_STATUS(cairn_posthoc_finish(posthoc, &error), CAIRN_FILE_ERROR);
    assert_non_null(strstr(error.text, "cannot be written"));
    assert_int_equal(t.refused, 1); /* and not asked again */
    free(t.text);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

static void files_that_cannot_be_written_are_told(void **state)
{
    cairn_grid *grid = NULL;
    cairn_space *space = open_square(*state, &grid);
    cairn_posthoc *posthoc = NULL;
    cairn_error error = {0};
    CHECK_STATUS(
        cairn_posthoc_open(space, CAIRN_BINARY_DIR "/no/such/folder/t.yaml", &posthoc, &error),
        CAIRN_FILE_ERROR);
    assert_null(posthoc);
    FILE *full = fopen("/dev/full", "wb");
    if (full) {
        fclose(full);
        for (uint32_t events = 0; events < 2000; events += 1999) {
            /* within the buffers, and beyond */
            error = (cairn_error){0};
            CHECK_OK(cairn_posthoc_open(space, "/dev/full", &posthoc, &error));
            send_many(posthoc, events);
            CHECK_STATUS(cairn_posthoc_finish(posthoc, &error), CAIRN_FILE_ERROR);
            assert_non_null(strstr(error.text, "cannot be written: "));
        }
    }
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

static void a_trace_of_nothing_is_a_document_too(void **state)
{
    cairn_grid *grid = NULL;
    cairn_space *space = open_square(*state, &grid);
    cairn_posthoc *posthoc = NULL;
    tape t = {0};
    cairn_writer writer = {tape_write, &t}, none = {0};
    size_t count;
    CHECK_STATUS(cairn_posthoc_create(NULL, &writer, &posthoc), CAIRN_INVALID);
    CHECK_STATUS(cairn_posthoc_create(space, &none, &posthoc), CAIRN_INVALID);
    CHECK_STATUS(cairn_posthoc_create(space, &writer, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_posthoc_open(space, NULL, &posthoc, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_posthoc_finish(NULL, NULL), CAIRN_INVALID);
    CHECK_OK(cairn_posthoc_create(space, &writer, &posthoc));
    CHECK_OK(cairn_posthoc_finish(posthoc, NULL));
    assert_null(read_all(&t, &count));
    free(t.text);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
}

static void memory_that_ends_leaves_no_half_a_trace(void **state)
{
    (void)state;
    watched memory = {0};
    cairn_context *context = NULL;
    CHECK_OK(watched_context(&memory, &context));
    cairn_grid *grid = NULL;
    cairn_space *space = open_square(context, &grid);
    size_t blocks = memory.blocks;
    for (uint64_t fail = 1;; fail++) {
        cairn_posthoc *posthoc = NULL;
        tape t = {0};
        cairn_writer writer = {tape_write, &t};
        memory.calls = 0, memory.fail_at = fail, memory.failures = 0;
        cairn_status status = cairn_posthoc_create(space, &writer, &posthoc);
        if (!status) {
            send_many(posthoc, 2000);
            status = cairn_posthoc_finish(posthoc, NULL);
        } else {
            assert_null(posthoc);
        }
        free(t.text);
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

#define WITH_CONTEXT(test) cmocka_unit_test_setup_teardown(test, context_set_up, context_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_leaves_a_whole_trace),
        cmocka_unit_test(turns_that_are_not_kept_are_written_too),
        WITH_CONTEXT(hexagons_lie_in_shifted_rows),
        WITH_CONTEXT(waypoints_lie_where_they_are_or_in_rows),
        WITH_CONTEXT(costs_count_straight_steps),
        WITH_CONTEXT(a_long_trace_needs_little_memory),
        WITH_CONTEXT(a_writer_that_fails_is_told_at_the_end),
        WITH_CONTEXT(files_that_cannot_be_written_are_told),
        WITH_CONTEXT(a_trace_of_nothing_is_a_document_too),
        cmocka_unit_test(memory_that_ends_leaves_no_half_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
