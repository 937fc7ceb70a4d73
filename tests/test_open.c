/* test_open.c: the open lists on their own, against lists kept by the book.
 */
#include "scenes.h"
#include "support.h"

#include "open/buckets.h"
#include "open/chain.h"
#include "open/heap.h"
#include "open/indexed.h"
#include "open/open_check.h"

#include <math.h>

static crn_scratch scratch_open(void)
{
    crn_scratch scratch = {0};
    CHECK_OK(cairn_context_create(NULL, &scratch.context));
    return scratch;
}

static void scratch_close(crn_scratch *scratch)
{
    assert_false(scratch->failed);
    assert_int_equal(scratch->bytes, 0);
    cairn_context_destroy(scratch->context);
}

/* ---- heap --------------------------------------------------------------------------- */

typedef struct card {
    uint64_t key;
    uint32_t tie, order;
} card;

static bool card_before(card a, card b)
{
    if (a.key != b.key) return a.key < b.key;
    if (a.tie != b.tie) return a.tie < b.tie;
    return a.order > b.order;
}

static void the_heap_gives_cards_in_strict_order(void **state)
{
    (void)state;
    enum { CARDS = 3000 };
    static card cards[CARDS];
    static bool out[CARDS];
    crn_scratch scratch = scratch_open();
    crn_heap heap;
    crn_heap_open(&heap, &scratch);
    for (uint32_t round = 0; round < 6; round++) {
        crn_heap_reset(&heap);
        scene_rng rng = {round + 1};
        uint32_t pushed = 0, popped = 0;
        memset(out, 0, sizeof out);
        while (popped < CARDS) {
            bool push = pushed < CARDS && (pushed == popped || scene_random(&rng, 5) > 1);
            if (push) {
                /* Few different keys and ties, so that the later rules matter. */
                cards[pushed] = (card){scene_random(&rng, 1 + 40 * round) * UINT64_C(0x123456789),
                                       scene_random(&rng, 3), pushed};
                crn_heap_push(&heap, cards[pushed].key, cards[pushed].tie, pushed);
                pushed++;
                continue;
            }
            uint32_t got = 0, best = CARDS;
            assert_true(crn_heap_pop(&heap, &got));
            for (uint32_t i = 0; i < pushed; i++) {
                if (!out[i] && (best == CARDS || card_before(cards[i], cards[best]))) best = i;
            }
            assert_int_equal(got, best);
            out[got] = true;
            popped++;
        }
        uint32_t none;
        assert_false(crn_heap_pop(&heap, &none));
    }
    assert_true(crn_heap_bytes(&heap) > 0);
    crn_heap_close(&heap);
    scratch_close(&scratch);
}

/* ---- buckets --------------------------------------------------------------------------- */

typedef struct buckets_case {
    uint32_t shift;
    uint64_t span, start;
    uint32_t falls; /* one key in this many is lower than the one before; 0 = none */
    uint64_t jump;  /* largest rise of a key; at most span if the window is to be kept */
} buckets_case;

/* What the search relies on: unless the list says `displaced`, no key that waits is lower
 * than the floor. */
static void check_floor(const crn_buckets *buckets, const uint64_t *keys, const bool *out,
                        uint32_t pushed)
{
    if (buckets->displaced) return;
    for (uint32_t i = 0; i < pushed; i++)
        assert_true(out[i] || keys[i] >= crn_buckets_floor(buckets));
}

/* Far below the key, or within the length of a window. */
static uint64_t fallen(uint64_t key, uint64_t span, scene_rng *rng)
{
    if (scene_random(rng, 2)) return key / (1 + scene_random(rng, 3));
    uint64_t fall = scene_random(rng, 1u << 16) * span / (1u << 16);
    return key - (fall < key ? fall : key);
}

/* Pushes keys as a search does, rising and falling; checks the floor, and that nothing is
 * lost or comes twice. */
static void work_buckets(crn_buckets *buckets, const buckets_case *c, uint64_t seed)
{
    enum { KEYS = 4000 };
    static uint64_t keys[KEYS];
    static bool out[KEYS], above[KEYS];
    memset(out, 0, sizeof out);
    scene_rng rng = {seed};
    uint32_t pushed = 0, popped = 0, got;
    CHECK_OK(crn_buckets_reset(buckets, c->shift, c->span));
    above[pushed] = false;
    crn_buckets_begin_at(buckets, c->start);
    keys[pushed] = c->start;
    crn_buckets_push(buckets, c->start, pushed++);
    for (;;) {
        if (!crn_buckets_pop(buckets, &got)) {
            uint64_t before = crn_buckets_floor(buckets);
            if (!crn_buckets_advance(buckets)) break;
            assert_true(crn_buckets_floor(buckets) > before);
            check_floor(buckets, keys, out, pushed);
            continue;
        }
        assert_true(got < pushed && !out[got]);
        out[got] = true;
        popped++;
        bool in_order = !c->falls && c->jump <= c->span;
        uint64_t number = keys[got] >> buckets->shift;
        assert_true(!in_order || (!buckets->displaced && !above[got]));
        /* Only what was pushed above the window comes early, and nothing late unless the list says
         * so. */
        assert_true(number == buckets->current ||
                    (number > buckets->current ? above[got] : buckets->displaced));
        for (uint32_t more = 1 + scene_random(&rng, 4); more && pushed < KEYS; more--) {
            keys[pushed] = keys[got] + scene_random(&rng, 1u << 16) * c->jump / (1u << 16);
            if (c->falls && scene_random(&rng, c->falls) == 0)
                keys[pushed] = fallen(keys[got], c->span, &rng);
            above[pushed] = keys[pushed] >> buckets->shift > buckets->current + buckets->mask;
            crn_buckets_push(buckets, keys[pushed], pushed);
            pushed++;
        }
    }
    assert_int_equal(popped, KEYS);
}

static void buckets_come_in_order_and_lose_nothing(void **state)
{
    (void)state;
    crn_scratch scratch = scratch_open();
    crn_buckets buckets;
    crn_buckets_open(&buckets, &scratch);
    static const buckets_case cases[] = {
        {11, 30000, 0, 0, 30000},
        {11, 30000, 123456789, 0, 30000},
        {0, 50, 7, 0, 50},
        {0, 1, 0, 0, 1},
        {5, 100000, 31, 0, 100000},
        {11, UINT64_C(1) << 33, 5, 0, UINT64_C(1) << 33},
        {3, 511, 4095, 0, 511},
        {0, 62, 1, 0, 62},              /* the window is just as long as the ring */
        {0, 62, 1, 0, 500},             /* keys above the window */
        {11, 30000, 5000000, 9, 30000}, /* keys that fall */
        {4, 2000, 70000, 3, 2000},
        {0, 20, 100000, 5, 400},
    };
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        for (uint64_t seed = 1; seed <= 4; seed++) work_buckets(&buckets, &cases[i], seed);
    }
    crn_buckets_close(&buckets);
    scratch_close(&scratch);
}

static void within_a_bin_the_last_in_is_the_first_out(void **state)
{
    (void)state;
    crn_scratch scratch = scratch_open();
    crn_buckets buckets;
    crn_buckets_open(&buckets, &scratch);
    CHECK_OK(crn_buckets_reset(&buckets, 10, 5000));
    crn_buckets_begin_at(&buckets, 0);
    /* all in bucket 0 */
    for (uint32_t i = 0; i < 1000; i++) crn_buckets_push(&buckets, i % 1000, i);
    crn_buckets_push(&buckets, 1024, 5000);
    for (uint32_t i = 1000; i-- > 0;) {
        uint32_t got;
        assert_true(crn_buckets_pop(&buckets, &got));
        assert_int_equal(got, i);
    }
    uint32_t got;
    assert_false(crn_buckets_pop(&buckets, &got));
    assert_true(crn_buckets_advance(&buckets));
    assert_int_equal(crn_buckets_floor(&buckets), 1024);
    assert_true(crn_buckets_pop(&buckets, &got));
    assert_int_equal(got, 5000);
    assert_false(crn_buckets_pop(&buckets, &got) || crn_buckets_advance(&buckets));
    crn_buckets_close(&buckets);
    scratch_close(&scratch);
}

/* ---- chain -------------------------------------------------------------------------- */

static void the_queue_is_first_in_first_out(void **state)
{
    (void)state;
    crn_scratch scratch = scratch_open();
    crn_chain chain;
    crn_chain_open(&chain, &scratch);
    for (uint32_t round = 0; round < 3; round++) {
        crn_chain_reset(&chain);
        scene_rng rng = {round + 5};
        uint32_t in = 0, out = 0, got;
        while (out < 20000) {
            if (in < 20000 && (in == out || scene_random(&rng, 3))) {
                crn_chain_push_last(&chain, in++);
            } else {
                assert_true(crn_chain_pop_queue(&chain, &got));
                assert_int_equal(got, out++);
            }
        }
        assert_false(crn_chain_pop_queue(&chain, &got));
    }
    crn_chain_close(&chain);
    scratch_close(&scratch);
}

static void the_stack_is_last_in_first_out(void **state)
{
    (void)state;
    static uint32_t mirror[20000];
    crn_scratch scratch = scratch_open();
    crn_chain chain;
    crn_chain_open(&chain, &scratch);
    for (uint32_t round = 0; round < 3; round++) {
        crn_chain_reset(&chain);
        scene_rng rng = {round + 6};
        uint32_t depth = 0, got;
        for (uint32_t i = 0; i < 20000; i++) {
            if (!depth || scene_random(&rng, 5) > 1) {
                mirror[depth++] = i;
                crn_chain_push_first(&chain, i);
            } else {
                assert_true(crn_chain_pop_first(&chain, &got));
                assert_int_equal(got, mirror[--depth]);
            }
        }
        while (depth) {
            assert_true(crn_chain_pop_first(&chain, &got));
            assert_int_equal(got, mirror[--depth]);
        }
        assert_false(crn_chain_pop_first(&chain, &got));
    }
    crn_chain_close(&chain);
    scratch_close(&scratch);
}

/* ---- lists as plugs ------------------------------------------------------------------- */

enum { STATES = 400 };

/* What a list of states with keys should hold: a row, looked through from end to end. */
typedef struct book {
    crn_open_entry entries[STATES];
    bool there[STATES];
    uint32_t count;
} book;

static bool book_before(const crn_open_entry *a, const crn_open_entry *b)
{
    return a->key != b->key ? a->key < b->key : a->second < b->second;
}

/* No entry comes before this one. */
static bool book_is_least(const book *b, const crn_open_entry *entry)
{
    for (uint32_t i = 0; i < STATES; i++) {
        if (b->there[i] && book_before(&b->entries[i], entry)) return false;
    }
    return true;
}

static void book_pop(book *b, const crn_open_functions *plug, void *list)
{
    crn_open_entry least;
    uint32_t state;
    assert_int_equal(plug->least(list, &least), b->count > 0);
    assert_int_equal(plug->pop(list, &state), b->count > 0);
    if (!b->count) return;
    assert_int_equal(least.state, state);
    assert_true(b->there[state]);
    assert_int_equal(least.key, b->entries[state].key);
    assert_int_equal(least.second, b->entries[state].second);
    assert_true(book_is_least(b, &least));
    b->there[state] = false;
    b->count--;
}

static void the_indexed_heap_changes_and_takes_out_entries(void **state)
{
    (void)state;
    static book b;
    const crn_open_functions *plug = &crn_open_indexed;
    crn_scratch scratch = scratch_open();
    crn_indexed heap = {0};
    plug->open(&heap, &scratch);
    for (uint32_t round = 0; round < 4; round++) {
        scene_rng rng = {round + 9};
        memset(&b, 0, sizeof b);
        assert_int_equal(plug->reset(&heap, NULL), CAIRN_OK);
        for (uint32_t i = 0; i < 6000; i++) {
            uint32_t what = scene_random(&rng, 8), s = scene_random(&rng, STATES);
            crn_open_entry entry = {scene_random(&rng, 30), scene_random(&rng, 4), s};
            if (what < 4) { /* a new one, or another key of an old one */
                (b.there[s] ? plug->update : plug->push)(&heap, entry);
                b.count += !b.there[s];
                b.there[s] = true;
                b.entries[s] = entry;
            } else if (what < 6) {
                assert_int_equal(plug->remove(&heap, s), b.there[s]);
                b.count -= b.there[s];
                b.there[s] = false;
            } else {
                book_pop(&b, plug, &heap);
            }
            assert_int_equal(heap.strict.used, b.count);
#if defined(CAIRN_CHECKS)
            assert_null(crn_indexed_check(&heap));
#endif
        }
        while (b.count) book_pop(&b, plug, &heap);
        book_pop(&b, plug, &heap);
        assert_true(plug->bytes(&heap) > 0);
    }
    plug->close(&heap);
    scratch_close(&scratch);
}

/* ---- lists that sort, strictly or by buckets -------------------------------------------- */

static const crn_open_functions *const sorting_plugs[] = {
    &crn_open_buckets,        &crn_open_heap,          &crn_open_indexed,
    &crn_open_unsorted_array, &crn_open_unsorted_list, &crn_open_sorted_array,
    &crn_open_sorted_list,    &crn_open_skip_list,     &crn_open_skew_heap,
    &crn_open_splay_tree,     &crn_open_hot_queue};
/* From here on they count comparisons in every build. */
enum { COUNTING_PLUGS = 2 };

enum { MODEL_ENTRIES = 4000, BUCKET_BITS = 4, KEYS_RISE_BY = 3000, KEYS_FALL_BY = 2000 };

/* What such a list should hold, in no order: the least one is looked for from end to end. */
typedef struct model {
    struct model_entry {
        crn_open_entry entry;
        uint32_t order;
    } entries[MODEL_ENTRIES];
    uint32_t count, pushed;
    bool update;             /* an entry of a state that is there is changed */
    bool buckets;            /* keys of the same bucket are equal, and nothing else counts */
    uint32_t places[STATES]; /* of the list: words of the user's */
} model;

static uint32_t *model_place(void *user, uint32_t state)
{
    return &((model *)user)->places[state];
}

static uint32_t model_find(const model *m, uint32_t state)
{
    uint32_t i = 0;
    while (i < m->count && m->entries[i].entry.state != state) i++;
    return i;
}

static void model_push(model *m, crn_open_entry entry)
{
    uint32_t i = m->update ? model_find(m, entry.state) : m->count;
    assert_true(i < MODEL_ENTRIES);
    m->entries[i] = (struct model_entry){entry, m->pushed++};
    m->count += i == m->count;
}

static bool model_before(const model *m, const crn_open_entry *a, const crn_open_entry *b)
{
    if (m->buckets) return a->key >> BUCKET_BITS < b->key >> BUCKET_BITS;
    return book_before(a, b);
}

/* Least key, then least second number, then last in. */
static uint32_t model_least(const model *m)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < m->count; i++) {
        const struct model_entry *a = &m->entries[i], *b = &m->entries[best];
        if (model_before(m, &a->entry, &b->entry) ||
            (!model_before(m, &b->entry, &a->entry) && a->order > b->order))
            best = i;
    }
    return best;
}

static void model_pop(model *m, const crn_open_functions *plug, void *list)
{
    uint32_t got = STATES, best = model_least(m);
    assert_int_equal(plug->pop(list, &got), m->count > 0);
    if (!m->count) return;
    assert_int_equal(got, m->entries[best].entry.state);
    m->entries[best] = m->entries[--m->count];
}

static void model_remove(model *m, const crn_open_functions *plug, void *list, uint32_t state)
{
    uint32_t i = model_find(m, state);
    assert_int_equal(plug->remove(list, state), i < m->count);
    if (i < m->count) m->entries[i] = m->entries[--m->count];
}

/* A key as a search has it: above the last one that was taken, or, now and then, below. Buckets are
 * in order within a window: it begins below the highest key that was taken. */
static uint64_t model_key(const model *m, scene_rng *rng, uint64_t floor, uint32_t falls)
{
    bool down = falls && !scene_random(rng, falls);
    if (m->buckets) {
        uint64_t fall = scene_random(rng, KEYS_FALL_BY), rise = scene_random(rng, KEYS_RISE_BY);
        return down ? floor - (fall < floor ? fall : floor) : floor + rise;
    }
    uint64_t rise = scene_random(rng, 40) * (scene_random(rng, 9) ? 17 : UINT64_C(0x123456789));
    return down ? floor / (1 + scene_random(rng, 4)) : floor + rise;
}

static void model_check(const crn_open_functions *plug, const void *list)
{
#if defined(CAIRN_CHECKS)
    assert_null(plug->check(list));
#else
    (void)plug;
    (void)list;
#endif
}

/* Random operations: pushes, changes, removals, pops, and pieces of work between them. */
static void model_run(model *m, const crn_open_functions *plug, void *list, uint32_t round)
{
    scene_rng rng = {round * 31 + 9};
    crn_open_places places = {model_place, m};
    crn_open_range range = {.step = 1u << BUCKET_BITS,
                            .span = KEYS_RISE_BY + KEYS_FALL_BY,
                            .first = 5,
                            .places = round % 2 ? &places : NULL};
    memset(m, 0, sizeof *m);
    m->update = plug->update;
    m->buckets = plug == &crn_open_buckets;
    assert_int_equal(plug->reset(list, &range), CAIRN_OK);
    uint64_t floor = 5;
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t what = scene_random(&rng, 10), s = scene_random(&rng, STATES);
        /* The list grows, and shrinks again. */
        if (what < (i / 1000 % 2 ? 3 : 6)) {
            crn_open_entry entry = {model_key(m, &rng, floor, round % 4 * 3), scene_random(&rng, 3),
                                    s};
            model_push(m, entry);
            plug->push(list, entry);
        } else if (what == 6 && plug->remove) {
            model_remove(m, plug, list, s);
        } else if (what == 7 && plug->work) {
            plug->work(list, 1 + scene_random(&rng, 20));
        } else {
            uint64_t least = m->count ? m->entries[model_least(m)].entry.key : 0;
            if (m->count && (!m->buckets || least > floor)) floor = least;
            model_pop(m, plug, list);
        }
        if (i % 16 == 0) model_check(plug, list);
    }
    while (m->count) model_pop(m, plug, list);
    model_pop(m, plug, list);
    model_check(plug, list);
    assert_true(plug->bytes(list) > 0);
}

static void lists_give_what_a_sorted_model_gives(void **state)
{
    (void)state;
    static model m;
    for (uint32_t p = 0; p < LENGTH(sorting_plugs); p++) {
        crn_scratch scratch = scratch_open();
        void *list = test_calloc(1, sorting_plugs[p]->size);
        sorting_plugs[p]->open(list, &scratch);
        for (uint32_t round = 0; round < 8; round++) model_run(&m, sorting_plugs[p], list, round);
        sorting_plugs[p]->close(list);
        test_free(list);
        scratch_close(&scratch);
    }
}

/* Memory ends at any point: what was pushed before is still there, and the list can be used
 * again. */
static void starve(const crn_open_functions *plug, crn_scratch *scratch, void *list, size_t limit)
{
    static model m;
    crn_open_range range = {.step = 1, .span = 3000, .first = 0};
    memset(&m, 0, sizeof m);
    m.update = plug->update;
    scratch->limit = limit;
    scratch->failed = false;
    if (plug->reset(list, &range) != CAIRN_OK) assert_true(scratch->failed);
    scene_rng rng = {limit};
    for (uint32_t i = 0; i < 3000 && !scratch->failed; i++) {
        crn_open_entry entry = {scene_random(&rng, 2000), 0, i};
        plug->push(list, entry);
        if (!scratch->failed) model_push(&m, entry);
        if (i % 4 == 3 && !scratch->failed && (!plug->work || plug->work(list, 5000)) &&
            !scratch->failed)
            model_pop(&m, plug, list);
    }
    scratch->limit = 0;
    if (scratch->failed) { /* the search ends; the list is reset for the next query */
        scratch->failed = false;
        assert_int_equal(plug->reset(list, &range), CAIRN_OK);
        m.count = 0;
        for (uint32_t i = 0; i < 20; i++) {
            model_push(&m, (crn_open_entry){100 - i, i, i});
            plug->push(list, (crn_open_entry){100 - i, i, i});
        }
    }
    while (m.count) model_pop(&m, plug, list);
    model_pop(&m, plug, list);
    model_check(plug, list);
}

static void lists_bear_that_memory_ends(void **state)
{
    (void)state;
    for (uint32_t p = 0; p < LENGTH(sorting_plugs); p++) {
        for (size_t limit = 1; limit < 200000; limit += limit / 3 + 61) {
            crn_scratch scratch = scratch_open();
            void *list = test_calloc(1, sorting_plugs[p]->size);
            sorting_plugs[p]->open(list, &scratch);
            starve(sorting_plugs[p], &scratch, list, limit);
            sorting_plugs[p]->close(list);
            test_free(list);
            scratch_close(&scratch);
        }
    }
}

typedef enum keys_kind { KEYS_RANDOM, KEYS_RISE, KEYS_FALL, KEYS_KINDS } keys_kind;

typedef struct effort {
    double compares, steps; /* for a push and its pop */
} effort;

/* Does the work that is due, step by step. */
static uint32_t count_steps(const crn_open_functions *plug, void *list)
{
    uint32_t steps = 0;
    while (plug->work && !plug->work(list, 1)) steps++;
    return steps;
}

/* For n pushes, then n times a pop and a push of a larger key, then n pops. */
static effort measure_effort(const crn_open_functions *plug, uint32_t n, keys_kind kind)
{
    crn_scratch scratch = scratch_open();
    void *list = test_calloc(1, plug->size);
    scene_rng rng = {n + 1};
    crn_open_range range = {.step = 1, .span = 3000, .first = 0};
    plug->open(list, &scratch);
    assert_int_equal(plug->reset(list, &range), CAIRN_OK);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t key = kind == KEYS_RISE ? i : kind == KEYS_FALL ? n - i : scene_random(&rng, n);
        plug->push(list, (crn_open_entry){key * 1000, 0, i});
    }
    uint32_t got;
    uint64_t steps = 0;
    for (uint32_t i = 0; i < 2 * n; i++) {
        steps += count_steps(plug, list);
        assert_true(plug->pop(list, &got));
        if (i >= n) continue;
        plug->push(list, (crn_open_entry){(n + scene_random(&rng, n)) * UINT64_C(1000), 0, got});
    }
    effort result = {(double)plug->compares(list) / (2.0 * n), (double)steps / (2.0 * n)};
    plug->close(list);
    test_free(list);
    scratch_close(&scratch);
    return result;
}

/* As many comparisons, and steps, as the list is known for: a factor times log2 n for each of the
 * 2n pushes and pops, or times n; of a list that is another one in disguise it is another number. */
static void strict_lists_compare_as_often_as_they_are_known_to(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const crn_open_functions *plug;
        double least, most, steps; /* comparisons, and at most steps, times log2 n; ... */
        bool squared;              /* ... or times n */
    } cases[] = {{"4-ary heap", &crn_open_heap, 1.5, 2.4, 0, false},
                 {"binary heap", &crn_open_indexed, 1.5, 2.5, 0, false},
                 {"unsorted array", &crn_open_unsorted_array, 0.7, 0.8, 0.8, true},
                 {"unsorted list", &crn_open_unsorted_list, 0.7, 0.8, 0.8, true},
                 {"sorted array", &crn_open_sorted_array, 0.8, 1, 1, false},
                 {"sorted list", &crn_open_sorted_list, 0.4, 0.7, 0.7, true},
                 {"skip list", &crn_open_skip_list, 1.2, 2, 3, false},
                 {"skew heap", &crn_open_skew_heap, 1.2, 2, 3, false},
                 {"splay tree", &crn_open_splay_tree, 1.2, 2.2, 3, false},
                 {"HOT queue", &crn_open_hot_queue, 0.1, 0.4, 1, false}};
    for (uint32_t i = 0; i < LENGTH(cases); i++) {
        if (!cases[i].plug->compares) continue; /* the 4-ary heap counts with CAIRN_CHECKS alone */
        for (uint32_t n = 512; n <= 4096; n *= 8) {
            for (keys_kind kind = KEYS_RANDOM; kind < KEYS_KINDS; kind++) {
                effort each = measure_effort(cases[i].plug, n, kind);
                double unit = cases[i].squared ? n : log2(n), compares = each.compares / unit;
                CHECK(compares <= cases[i].most &&
                          (kind != KEYS_RANDOM || compares >= cases[i].least),
                      "%s: %.2f comparisons for a push and a pop of %u, keys %d", cases[i].name,
                      each.compares, n, (int)kind);
                CHECK(each.steps <= cases[i].steps * unit,
                      "%s: %.2f steps for a push and a pop of %u, keys %d", cases[i].name,
                      each.steps, n, (int)kind);
            }
        }
    }
}

/* Words of the bitmap of buckets for each push and its pop: as in measure_effort, with keys that
 * rise by up to 3000 or, every `falls` times, fall by up to 200. Without checks nobody counts: 0. */
static double measure_looks(uint32_t n, uint32_t falls)
{
    crn_scratch scratch = scratch_open();
    crn_buckets buckets;
    scene_rng rng = {n + 1};
    const crn_open_functions *plug = &crn_open_buckets;
    /* the ring has 4,096 buckets, 64 words */
    crn_open_range range = {.step = 1, .span = 4000, .first = 0};
    plug->open(&buckets, &scratch);
    assert_int_equal(plug->reset(&buckets, &range), CAIRN_OK);
    for (uint32_t i = 0; i < n; i++)
        plug->push(&buckets, (crn_open_entry){scene_random(&rng, 3000), 0, i});
    uint32_t got;
    for (uint32_t i = 0; i < 2 * n; i++) {
        assert_true(plug->pop(&buckets, &got));
        uint64_t floor = crn_buckets_floor(&buckets), fall = scene_random(&rng, 200);
        bool down = falls && i % falls == 0 && fall < floor;
        if (i >= n) continue;
        plug->push(&buckets, (crn_open_entry){
                                 down ? floor - fall : floor + scene_random(&rng, 3000), 0, got});
    }
#if defined(CAIRN_CHECKS)
    double looks = (double)buckets.looks / (2.0 * n);
#else
    double looks = 0;
#endif
    plug->close(&buckets);
    scratch_close(&scratch);
    return looks;
}

/* Buckets compare nothing, and look at a few words of their bitmap, however many entries there
 * are, also where keys fall by little. */
static void buckets_compare_nothing_and_look_at_few_words(void **state)
{
    (void)state;
    assert_null(crn_open_buckets.compares);
    for (uint32_t n = 512; n <= 32768; n *= 8) {
        double rising = measure_looks(n, 0), falling = measure_looks(n, 3);
        CHECK(rising <= 2, "%.2f looks for a push and a pop of %u", rising, n);
        CHECK(falling <= 4, "%.2f looks for a push and a pop of %u, with falls", falling, n);
    }
}

/* A bucket is being moved to the heap, and meanwhile gets more entries than a heap should have. */
static void a_hot_queue_spreads_what_it_still_moves(void **state)
{
    (void)state;
    enum { BASE = 64 * 5, FIRST = 30, ALL = 80 };
    const crn_open_functions *plug = &crn_open_hot_queue;
    crn_scratch scratch = scratch_open();
    void *list = test_calloc(1, plug->size);
    crn_open_range range = {.first = 0};
    plug->open(list, &scratch);
    assert_int_equal(plug->reset(list, &range), CAIRN_OK);
    bool out[ALL] = {false};
    for (uint32_t i = 0; i < ALL; i++) {
        if (i == FIRST) assert_false(plug->work(list, 100));
        plug->push(list, (crn_open_entry){BASE + i * 7 % 64, i, i});
    }
    for (uint32_t i = 0, got, last = 0; i < ALL; i++) {
        assert_true(plug->pop(list, &got));
        assert_true(got < ALL && !out[got] && got * 7 % 64 >= last);
        out[got] = true;
        last = got * 7 % 64;
    }
    plug->close(list);
    test_free(list);
    scratch_close(&scratch);
}

/* So much work is done in a piece, and no more. */
static void pieces_of_work_are_bounded(void **state)
{
    (void)state;
    enum { ENTRIES = 12000, STEPS = 50, MORE = 20 };
    for (uint32_t p = COUNTING_PLUGS; p < LENGTH(sorting_plugs); p++) {
        const crn_open_functions *plug = sorting_plugs[p];
        crn_scratch scratch = scratch_open();
        void *list = test_calloc(1, plug->size);
        crn_open_range range = {.step = 1, .span = 3000, .first = 0};
        plug->open(list, &scratch);
        assert_int_equal(plug->reset(list, &range), CAIRN_OK);
        uint64_t before = 0, most = 0;
        for (uint32_t i = 0; i < ENTRIES + MORE; i++) {
            uint32_t got;
            /* Rising keys make a splay tree that is one long branch; they are pushed last in
             * front of all. */
            uint64_t key = i < ENTRIES ? 1000 + 3 * i : 1000 - i % 7;
            plug->push(list, (crn_open_entry){key, 0, i});
            for (bool done = false; !done && (i % 997 == 0 || i >= ENTRIES);) {
                done = !plug->work || plug->work(list, STEPS);
                uint64_t compares = plug->compares(list);
                most = compares - before > most ? compares - before : most;
                before = compares;
            }
            if (i >= ENTRIES) assert_true(plug->pop(list, &got));
            before = plug->compares(list);
        }
        CHECK(most <= 4 * STEPS + 997 * 40 * !plug->work, "list %u: %llu comparisons in a piece", p,
              (unsigned long long)most);
        plug->close(list);
        test_free(list);
        scratch_close(&scratch);
    }
}

/* Each list as a plug gives what it is known to give: all that was put on it, once, in its
 * order. */
static void lists_keep_their_order_as_plugs(void **state)
{
    (void)state;
    static const crn_open_functions *const plugs[] = {
        &crn_open_heap,          &crn_open_buckets,      &crn_open_queue,
        &crn_open_stack,         &crn_open_indexed,      &crn_open_unsorted_array,
        &crn_open_unsorted_list, &crn_open_sorted_array, &crn_open_sorted_list,
        &crn_open_skip_list,     &crn_open_skew_heap,    &crn_open_splay_tree,
        &crn_open_hot_queue};
    static const crn_open_range range = {.step = 1, .span = 3000, .first = 0};
    enum { ENTRIES = 300 };
    for (uint32_t p = 0; p < sizeof plugs / sizeof *plugs; p++) {
        crn_scratch scratch = scratch_open();
        void *list = test_calloc(1, plugs[p]->size);
        plugs[p]->open(list, &scratch);
        for (uint32_t round = 0; round < 2; round++) {
            assert_int_equal(plugs[p]->reset(list, &range), CAIRN_OK);
            for (uint32_t i = 0; i < ENTRIES; i++)
                plugs[p]->push(list, (crn_open_entry){i * 7 % ENTRIES * 8, 0, i});
            for (uint32_t i = 0; i < ENTRIES; i++) {
                uint32_t got = ENTRIES;
                assert_true(plugs[p]->pop(list, &got));
                bool keys = plugs[p] != &crn_open_queue && plugs[p] != &crn_open_stack;
                uint32_t expected = plugs[p] == &crn_open_queue ? i : ENTRIES - 1 - i;
                assert_int_equal(keys ? got * 7 % ENTRIES : got, keys ? i : expected);
            }
            uint32_t none;
            assert_false(plugs[p]->pop(list, &none));
            assert_true(plugs[p]->bytes(list) > 0);
        }
        plugs[p]->close(list);
        test_free(list);
        scratch_close(&scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heap_gives_cards_in_strict_order),
        cmocka_unit_test(buckets_come_in_order_and_lose_nothing),
        cmocka_unit_test(within_a_bin_the_last_in_is_the_first_out),
        cmocka_unit_test(the_queue_is_first_in_first_out),
        cmocka_unit_test(the_stack_is_last_in_first_out),
        cmocka_unit_test(the_indexed_heap_changes_and_takes_out_entries),
        cmocka_unit_test(lists_give_what_a_sorted_model_gives),
        cmocka_unit_test(lists_bear_that_memory_ends),
        cmocka_unit_test(strict_lists_compare_as_often_as_they_are_known_to),
        cmocka_unit_test(buckets_compare_nothing_and_look_at_few_words),
        cmocka_unit_test(a_hot_queue_spreads_what_it_still_moves),
        cmocka_unit_test(pieces_of_work_are_bounded),
        cmocka_unit_test(lists_keep_their_order_as_plugs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
