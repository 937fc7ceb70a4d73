/* test_hpa_store.c: files of HPA*'s index whose checksums are right and whose edges are not. The
 * loader itself refuses what no build makes: edges that cost nothing or too much, that lead
 * nowhere, to the node's own cluster, or past the clusters beside it.
 */
#include "files.h"
#include "kit.h"

#define SECTION "index.clusters"

/* The section, as numbers: nodes, edges, how many edges each node has, then target and cost of each
 * edge. */
typedef struct edge_file {
    kit kit;
    scene *scene;
    bytes whole;
    uint32_t *words;
    size_t size;
} edge_file;

static edge_file edge_file_of(scene *s, const char *spec)
{
    edge_file f = {.scene = s, .kit = kit_of_scene(s, &s->profile)};
    kit_plan(&f.kit, spec);
    f.whole = saved(f.kit.planner);
    cairn_archive *archive = opened(f.kit.context, &f.whole);
    const void *words = cairn_archive_section(archive, SECTION, 4, &f.size);
    assert_non_null(words);
    f.words = malloc(f.size);
    if (!f.words) abort();
    memcpy(f.words, words, f.size);
    cairn_archive_close(archive);
    return f;
}

static void edge_file_end(edge_file *f)
{
    free(f->words);
    bytes_free(&f->whole);
    kit_end(&f->kit, f->scene);
}

static uint32_t *edges_of(const edge_file *f, uint32_t node)
{
    uint32_t *at = f->words + 2 + f->words[0];
    for (uint32_t i = 0; i < node; i++) at += 2 * f->words[2 + i];
    return at;
}

/* With the numbers as they are now, and right checksums. */
static cairn_status load(edge_file *f, cairn_error *error)
{
    cairn_archive *archive = opened(f->kit.context, &f->whole), *changed;
    cairn_store *store;
    size_t size;
    CHECK_OK(cairn_store_create(f->kit.context, &store));
    const void *head = cairn_archive_section(archive, "index", 8, &size);
    CHECK_OK(cairn_store_add(store, "index", (cairn_bytes){head, size}, 8, false));
    CHECK_OK(cairn_store_add(store, SECTION, (cairn_bytes){f->words, f->size}, 4, false));
    bytes b = bytes_of(store);
    cairn_store_destroy(store);
    cairn_archive_close(archive);
    changed = opened(f->kit.context, &b);
    cairn_status status = cairn_planner_load(f->kit.planner, changed, false, error);
    cairn_archive_close(changed);
    bytes_free(&b);
    return status;
}

/* By the loader, not by a check that only some builds have. */
static void check_refused(edge_file *f, const char *what)
{
    cairn_error error = {0};
    cairn_status status = load(f, &error);
    CHECK(status == CAIRN_BAD_DATA && strstr(error.text, "does not fit the map"), "%s: %s: %s",
          what, cairn_status_text(status), error.text);
}

static void edges_cost_something_and_not_too_much(void **state)
{
    (void)state;
    edge_file f = edge_file_of(scene_rooms("rooms", 40, 33, 6, 12), "hpa:size=10");
    uint32_t *pairs = edges_of(&f, 0);
    assert_true(f.words[1] > 100);
    for (uint32_t i = 0; i < f.words[1]; i += 7) {
        uint32_t kept = pairs[2 * i + 1];
        pairs[2 * i + 1] = 0;
        check_refused(&f, "an edge that costs nothing");
        pairs[2 * i + 1] = CAIRN_NO_COST;
        check_refused(&f, "an edge that costs too much");
        pairs[2 * i + 1] = kept;
    }
    CHECK_OK(load(&f, NULL));
    edge_file_end(&f);
}

/* The last edge of each node, so that their order stays right, leads to the last node. */
static void edges_lead_no_farther_than_to_the_next_cluster(void **state)
{
    (void)state;
    edge_file f = edge_file_of(scene_rooms("rooms", 50, 43, 6, 12), "hpa:size=10");
    uint32_t nodes = f.words[0], tried = 0;
    for (uint32_t node = 0; node < nodes / 2; node++) {
        uint32_t count = f.words[2 + node];
        if (!count) continue;
        uint32_t *last = edges_of(&f, node) + 2 * (count - 1), kept = *last;
        *last = nodes - 1;
        check_refused(&f, "an edge to the other end of the map");
        *last = nodes;
        check_refused(&f, "an edge to no node");
        *last = kept;
        tried++;
    }
    assert_true(tried > 20);
    CHECK_OK(load(&f, NULL));
    edge_file_end(&f);
}

static void edges_of_a_node_are_not_its_own_nor_twice(void **state)
{
    (void)state;
    edge_file f = edge_file_of(scene_rooms("rooms", 40, 33, 6, 12), "hpa:size=10");
    uint32_t tried = 0;
    for (uint32_t node = 0; node < f.words[0]; node++) {
        uint32_t count = f.words[2 + node], *edges = edges_of(&f, node), kept = *edges;
        if (count < 2) continue;
        *edges = edges[2];
        check_refused(&f, "the same edge twice");
        *edges = node;
        check_refused(&f, "an edge to the node itself");
        *edges = kept;
        tried++;
    }
    assert_true(tried > 20);
    edge_file_end(&f);
}

static void counts_that_do_not_add_up_are_refused(void **state)
{
    (void)state;
    edge_file f = edge_file_of(scene_rooms("rooms", 40, 33, 6, 12), "hpa:size=10,levels=2");
    for (uint32_t i = 0; i < 2 + f.words[0]; i += 3) {
        f.words[i]++;
        check_refused(&f, "one too many");
        f.words[i]--;
    }
    CHECK_OK(load(&f, NULL));
    edge_file_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_cost_something_and_not_too_much),
        cmocka_unit_test(edges_lead_no_farther_than_to_the_next_cluster),
        cmocka_unit_test(edges_of_a_node_are_not_its_own_nor_twice),
        cmocka_unit_test(counts_that_do_not_add_up_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
