/* test_keyed_records.c: the records of searches that are kept (continuous/keyed_records.h), and
 * their queue: each node that was added is found again and no other one is, in regions that are
 * full and in such with a few nodes, whatever the allocator refuses; marks; and the order of the
 * queue, compared with a list.
 */
#include "continuous/keyed_queue.h"
#include "kit.h"

typedef struct bench {
    kit k;
    watched memory;
    crn_scratch scratch;
    crn_keyed_queue queue;
    uint32_t count; /* nodes */
} bench;

static void bench_open(bench *b, scene *s, bool noted)
{
    cairn_context_options options = cairn_context_defaults();
    options.allocate = watched_allocate;
    options.allocate_user = &b->memory;
    CHECK_OK(cairn_context_create(&options, &b->k.context));
    CHECK_OK(scene_grid(s, b->k.context, &b->k.grid));
    CHECK_OK(cairn_space_of_grid(b->k.grid, NULL, &b->k.space, NULL));
    b->count = cairn_space_node_count(b->k.space);
    b->scratch = (crn_scratch){.context = b->k.context};
    CHECK_OK(crn_keyed_open(&b->queue, &b->scratch, b->k.space, noted));
    scene_destroy(s);
}

static void bench_close(bench *b)
{
    crn_keyed_close(&b->queue);
    CHECK(!b->scratch.bytes, "%u bytes are still booked", (unsigned)b->scratch.bytes);
    kit_close(&b->k);
    CHECK(!b->memory.blocks && !b->memory.wrong_size, "memory was not given back");
}

/* The nodes in any order. */
static cairn_node *shuffled(uint32_t count, uint64_t seed)
{
    scene_rng rng = {seed};
    cairn_node *nodes = malloc(count * sizeof *nodes);
    if (!nodes) abort();
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = scene_random(&rng, i + 1);
        nodes[i] = nodes[k];
        nodes[k] = i;
    }
    return nodes;
}

/* The first `added` nodes have a record that says so, and no other one has any. */
static void check_all(const bench *b, const cairn_node *nodes, uint32_t added)
{
    const crn_keyed_records *records = &b->queue.records;
    CHECK(records->count == added, "%u records of %u", records->count, added);
    for (uint32_t i = 0; i < b->count; i++) {
        crn_keyed_record record = crn_keyed_find(records, nodes[i]);
        CHECK(!record.page == (i >= added), "node %u: %u records", nodes[i], added);
        if (!record.page) continue;
        CHECK(*crn_keyed_a(record) == nodes[i] && crn_keyed_node(records, record) == nodes[i],
              "node %u has the record of %u", nodes[i], crn_keyed_node(records, record));
        crn_keyed_record same = crn_keyed_at(records, crn_keyed_number(record));
        CHECK(same.page == record.page && same.slot == record.slot, "%u has another number",
              nodes[i]);
    }
}

static bool add(bench *b, cairn_node node)
{
    crn_keyed_record record = crn_keyed_add(&b->queue.records, node);
    if (record.page) *crn_keyed_a(record) = node;
    return record.page;
}

static void fill(scene *s)
{
    bench b = {0};
    bench_open(&b, s, false);
    cairn_node *nodes = shuffled(b.count, 3);
    for (uint32_t round = 0; round < 2; round++) { /* after a reset all is as before */
        uint64_t calls = b.memory.calls;
        for (uint32_t i = 0, next = 1; i < b.count; i++) {
            CHECK(add(&b, nodes[i]), "no memory");
            if (i + 1 != next && i + 1 != b.count) continue;
            check_all(&b, nodes, i + 1);
            next = 3 * next + 1;
        }
        CHECK(!round || b.memory.calls == calls, "it asks for memory again");
        crn_keyed_reset(&b.queue);
        check_all(&b, nodes, 0);
    }
    free(nodes);
    bench_close(&b);
}

static void every_node_has_its_record(void **state)
{
    (void)state;
    fill(scene_blank("one region", 256, 128));
    fill(scene_blank("corridor", 30000, 2));
    fill(scene_blank("many", 515, 260));
    fill(scene_blank("narrow", 3, 20000));
}

/* One request after the other is refused: what is there stays. */
static void what_is_there_stays_without_memory(void **state)
{
    (void)state;
    bench b = {0};
    bench_open(&b, scene_blank("many", 600, 260), false);
    cairn_node *nodes = shuffled(b.count, 8);
    uint32_t added = 0;
    for (uint32_t refused = 0; added < 3000; added += !refused) {
        b.memory.fail_at = b.memory.calls + 1;
        refused = !add(&b, nodes[added]);
        CHECK(!refused || b.scratch.failed, "it does not say why");
        if (!refused) continue;
        check_all(&b, nodes, added);
        b.memory.fail_at = b.memory.calls + 2; /* the second one, too */
        if (add(&b, nodes[added])) added++;
        b.memory.fail_at = 0;
        b.scratch.failed = false;
    }
    b.memory.fail_at = 0;
    check_all(&b, nodes, added);
    CHECK(b.memory.failures > 30, "hardly a request");
    free(nodes);
    bench_close(&b);
}

/* ---- marks ----------------------------------------------------------------------------- */

static void marks_are_taken_once(void **state)
{
    (void)state;
    enum { NODES = 2000, DIRTY = 7, ASIDE = 11, CLOSED = 5 };
    bench b = {0};
    bench_open(&b, scene_blank("many", 300, 200), false);
    crn_keyed_records *records = &b.queue.records;
    cairn_node *nodes = shuffled(b.count, 5);
    for (uint32_t i = 0; i < NODES; i++) {
        crn_keyed_record record = crn_keyed_add(records, nodes[i]);
        for (uint32_t twice = 0; twice < 2; twice++) {
            if (i % DIRTY == 0) crn_keyed_make_dirty(records, record);
            if (i % ASIDE == 0) crn_keyed_mark(records, record);
        }
        crn_keyed_close_one(records, record, i % CLOSED == 0);
        *crn_keyed_a(record) = i;
    }
    CHECK(records->dirty == (NODES - 1) / DIRTY + 1 && records->incons == (NODES - 1) / ASIDE + 1,
          "%u dirty, %u set aside", records->dirty, records->incons);
    uint32_t left = records->dirty;
    for (uint32_t page = 0; records->dirty;) {
        crn_keyed_record record = crn_keyed_clean(records, &page);
        CHECK(record.page && *crn_keyed_a(record) % DIRTY == 0 && records->dirty == --left,
              "%u is not dirty", *crn_keyed_a(record));
    }
    left = records->incons;
    for (uint32_t page = 0; page < records->pages_used; page++) {
        crn_keyed_record record;
        while ((record = crn_keyed_unmark(records, records->pages[page])).page)
            CHECK(*crn_keyed_a(record) % ASIDE == 0 && records->incons == --left, "not marked");
    }
    CHECK(!records->incons && !left, "%u are left", records->incons);
    for (uint32_t round = 0; round < 2; round++, records->round++) {
        for (uint32_t i = 0; i < NODES; i++)
            CHECK(crn_keyed_is_closed(records, crn_keyed_find(records, nodes[i])) ==
                      (!round && i % CLOSED == 0),
                  "round %u: node %u", round, i);
    }
    free(nodes);
    bench_close(&b);
}

/* ---- the queue -------------------------------------------------------------------------- */

/* What the queue must hold: the key of each record by its number; UINT64_MAX = it is not there. */
enum { LISTED = 900 };

static void check_least(bench *b, uint64_t *keys)
{
    uint64_t key;
    crn_keyed_record record;
    uint32_t best = LISTED;
    for (uint32_t i = 0; i < LISTED; i++) {
        if (keys[i] != UINT64_MAX && (best == LISTED || keys[i] <= keys[best])) best = i;
    }
    bool any = crn_keyed_least(&b->queue, &key, &record);
    CHECK(any == (best != LISTED), "%u entries", b->queue.used);
    if (!any) return;
    /* of equal keys, the record that was made last */
    CHECK(crn_keyed_number(record) == best && key == keys[best], "%u before %u",
          crn_keyed_number(record), best);
    const crn_keyed_entry *entry = crn_keyed_entry_of(&b->queue, record);
    CHECK(entry->record == best && crn_keyed_is_queued(record), "%u has another place", best);
    CHECK((*crn_keyed_a(record) & 1) == (best % 3 == 0), "%u has lost its bit", best);
    if (best % 2) return;
    crn_keyed_remove(&b->queue, record);
    keys[best] = UINT64_MAX;
    CHECK(!crn_keyed_is_queued(record), "%u is still there", best);
}

static void the_queue_is_in_order(void **state)
{
    (void)state;
    static uint64_t keys[LISTED];
    bench b = {0};
    scene_rng rng = {2};
    bench_open(&b, scene_blank("small", 60, 60), true);
    for (uint32_t i = 0; i < LISTED; i++) {
        CHECK(crn_keyed_number(crn_keyed_add(&b.queue.records, 4 * i)) == i, "another number");
        keys[i] = UINT64_MAX;
    }
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t number = scene_random(&rng, LISTED);
        crn_keyed_record record = crn_keyed_at(&b.queue.records, number);
        if (scene_random(&rng, 4)) {
            keys[number] = crn_keyed_key(scene_random(&rng, 40), scene_random(&rng, 3));
            CHECK(crn_keyed_set(&b.queue, record, keys[number], number % 3 == 0), "no memory");
        } else if (keys[number] != UINT64_MAX) {
            crn_keyed_remove(&b.queue, record);
            keys[number] = UINT64_MAX;
        }
        check_least(&b, keys);
    }
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_has_its_record),
        cmocka_unit_test(what_is_there_stays_without_memory),
        cmocka_unit_test(marks_are_taken_once),
        cmocka_unit_test(the_queue_is_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
