/* support.h: what most tests need: cmocka, checks that say where and why, an allocator
 * that watches every block and fails on command, and owned copies of results.
 */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cairn/cairn.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Fails the test with a sentence of our own if the condition does not hold. */
#define CHECK(condition, ...) \
    do { \
        if (!(condition)) { \
            print_error("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            print_error(__VA_ARGS__); \
            print_error("\n"); \
            fail(); \
        } \
    } while (0)

#define CHECK_OK(call) CHECK_STATUS(call, CAIRN_OK)

#define CHECK_STATUS(call, expected) \
    do { \
        cairn_status status_ = (call); \
        CHECK(status_ == (expected), "the answer is \"%s\", not \"%s\"", \
              cairn_status_text(status_), cairn_status_text(expected)); \
    } while (0)

/* What a check inside the library found to be wrong, in builds that keep them; the core itself is
 * silent. */
static inline void test_check_failed(void *user, const char *file, int line, const char *text)
{
    (void)user;
    fflush(stdout);
    fprintf(stderr, "%s:%d: a check inside the library failed: %s\n", file, line, text);
    abort();
}

/* Every context of a test says so, unless the test brings a hook of its own. */
static inline cairn_status test_context_create(const cairn_context_options *options,
                                               cairn_context **out)
{
    cairn_context_options chosen = options ? *options : cairn_context_defaults();
    if (!chosen.fail) chosen.fail = test_check_failed;
    return cairn_context_create(&chosen, out);
}
#define cairn_context_create(options, out) test_context_create(options, out)

/* With CAIRN_TEST_SAMPLE=K in the environment, for builds that are slow, tests that repeat the
 * same with other numbers do so a K-th as often. Where nothing is set, and with full
 * optimisation in ./test, they do all of it. */
static inline uint32_t test_sample(void)
{
    const char *text = getenv("CAIRN_TEST_SAMPLE");
    uint32_t every = text ? (uint32_t)strtoul(text, NULL, 10) : 1;
    return every ? every : 1;
}

/* How often instead of `count` times; never less than what the test needs to prove something. */
static inline uint32_t test_times(uint32_t count, uint32_t least)
{
    uint32_t times = count / test_sample();
    return times < least ? least : times;
}

/* Random lives, of an agent or a world. CAIRN_TEST_LIVES=N in the environment runs N of each instead
 * of `count`, CAIRN_TEST_SEED=S begins with the S-th, and CAIRN_TEST_TELL=1 tells which one is
 * running. */
static inline uint64_t test_asked_for(const char *name, uint64_t usual)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : usual;
}

static inline uint32_t test_lives(uint32_t count, uint32_t least)
{
    return (uint32_t)test_asked_for("CAIRN_TEST_LIVES", test_times(count, least));
}

static inline uint64_t test_first_life(void)
{
    return test_asked_for("CAIRN_TEST_SEED", 1);
}

static inline void test_tell_life(const char *text, uint64_t seed)
{
    if (getenv("CAIRN_TEST_TELL")) print_error("%s: life %llu\n", text, (unsigned long long)seed);
}

/* Of things that come in a row, like the bits of a file, how far it is from one that is tried to the
 * next: an odd number, so that each bit of a byte has its turn. */
static inline uint32_t test_stride(void)
{
    return test_sample() | 1;
}

/* Fixtures: a test with a context as its state ... */
static inline int context_set_up(void **state)
{
    cairn_context *context = NULL;
    if (cairn_context_create(NULL, &context)) return -1;
    *state = context;
    return 0;
}

/* ... that fails if anything was not given back; what a failed test holds stays for the sanitizer
 * to name. */
static inline int context_tear_down(void **state)
{
    cairn_context *fresh = NULL;
    if (cairn_context_create(NULL, &fresh)) return -1;
    size_t empty = cairn_context_memory(fresh).bytes, left = cairn_context_memory(*state).bytes;
    cairn_context_destroy(fresh);
    if (left != empty) return -1;
    cairn_context_destroy(*state);
    return 0;
}

/* A map of single blocked cells. */
static inline cairn_status random_grid(cairn_context *context, uint32_t width, uint32_t height,
                                       uint32_t percent, uint64_t seed, cairn_grid **out)
{
    cairn_generator generator = {.kind = CAIRN_GENERATE_RANDOM,
                                 .width = width,
                                 .height = height,
                                 .percent = percent,
                                 .seed = seed};
    return cairn_generate(context, &generator, out, NULL);
}

/* ---- an allocator that watches ------------------------------------------------------ */

/* Every block carries its size in front; the library must give the same size back. */
typedef struct watched {
    size_t blocks, bytes; /* held now */
    uint64_t calls;       /* requests for memory so far */
    uint64_t fail_at;     /* this request fails (counted from 1); 0 = none */
    bool fail_on;         /* ... and all later ones too */
    uint64_t failures;    /* requests refused */
    bool wrong_size;      /* a block came back with another size than it had */
} watched;

enum { WATCHED_HEAD = 32 };

static inline void *watched_allocate(void *user, void *old, size_t old_size, size_t new_size)
{
    watched *w = user;
    size_t true_size = 0;
    char *start = old ? (char *)old - WATCHED_HEAD : NULL;
    if (start) memcpy(&true_size, start, sizeof true_size);
    if (true_size != old_size) w->wrong_size = true;
    if (new_size == 0) {
        if (!start) return NULL;
        memset(old, 0xdd, true_size); /* nobody may read it any more */
        w->blocks--, w->bytes -= true_size;
        free(start);
        return NULL;
    }
    w->calls++;
    if (w->fail_at && (w->calls == w->fail_at || (w->fail_on && w->calls > w->fail_at))) {
        w->failures++;
        return NULL;
    }
    char *block = malloc(new_size + WATCHED_HEAD);
    if (!block) return NULL;
    memcpy(block, &new_size, sizeof new_size);
    memset(block + WATCHED_HEAD, 0xa5, new_size); /* nobody may count on zeros */
    if (start) {
        memcpy(block + WATCHED_HEAD, old, true_size < new_size ? true_size : new_size);
        free(start);
        w->blocks--, w->bytes -= true_size;
    }
    w->blocks++, w->bytes += new_size;
    return block + WATCHED_HEAD;
}

static inline cairn_status watched_context(watched *w, cairn_context **out)
{
    cairn_context_options options = cairn_context_defaults();
    options.allocate = watched_allocate;
    options.allocate_user = w;
    return cairn_context_create(&options, out);
}

/* ---- planners ----------------------------------------------------------------------- */

/* A planner ready to be searched with: if it needs an index, that is built. */
static inline cairn_status planner_ready_with(cairn_space *space, const char *spec,
                                              cairn_planner **out, cairn_error *error)
{
    cairn_status status = cairn_planner_create(space, spec, out, error);
    if (status != CAIRN_OK) return status;
    status = cairn_planner_build(*out, NULL, error);
    if (status == CAIRN_OK) return status;
    cairn_planner_destroy(*out);
    *out = NULL;
    return status;
}

/* Has an algorithm with CAIRN_EXPONENTIAL given up? Tests that ask all algorithms for long paths let
 * it pass. What these algorithms answer is tested by the conformance suite, with short queries, and
 * there it is checked that they do answer. */
static inline bool gave_up(const cairn_algorithm *algorithm, cairn_status status)
{
    return algorithm->flags & CAIRN_EXPONENTIAL && status == CAIRN_OUT_OF_BUDGET;
}

/* The same by name; those that may give up do so soon. */
static inline const char *soon_given_up(const cairn_algorithm *algorithm, char text[64])
{
    bool may = algorithm->flags & CAIRN_EXPONENTIAL;
    snprintf(text, 64, "%s%s", algorithm->name, may ? ":effort=3000" : "");
    return text;
}

static inline cairn_status planner_ready(cairn_space *space, const char *spec, cairn_planner **out,
                                         cairn_error *error)
{
    char text[64];
    const cairn_algorithm *algorithm = cairn_algorithm_find(spec, strlen(spec));
    return planner_ready_with(space, algorithm ? soon_given_up(algorithm, text) : spec, out, error);
}

/* ---- results as plain values -------------------------------------------------------- */

/* An owned copy of a result with what the search counted, for comparing. */
typedef struct answer {
    cairn_path path;
    cairn_node *nodes;
    cairn_path_link *links;
    cairn_metrics metrics;
} answer;

static inline answer answer_of(const cairn_search *search, const cairn_path *path)
{
    answer a = {.path = *path, .metrics = cairn_search_metrics(search)};
    a.nodes = malloc((path->count ? path->count : 1) * sizeof *a.nodes);
    if (!a.nodes) abort();
    if (path->count) memcpy(a.nodes, path->nodes, path->count * sizeof *a.nodes);
    a.path.nodes = a.nodes;
    a.links = malloc((path->link_count + 1) * sizeof *a.links);
    if (!a.links) abort();
    if (path->link_count) memcpy(a.links, path->links, path->link_count * sizeof *a.links);
    a.path.links = a.links;
    return a;
}

static inline void answer_free(answer *a)
{
    free(a->nodes);
    free(a->links);
    a->nodes = NULL;
    a->links = NULL;
}

static inline bool answer_same_path(const answer *a, const answer *b)
{
    return a->path.status == b->path.status && a->path.partial == b->path.partial &&
           a->path.end == b->path.end && a->path.count == b->path.count &&
           a->path.cost == b->path.cost && a->path.length == b->path.length &&
           a->path.suboptimality_bound == b->path.suboptimality_bound &&
           a->path.version == b->path.version && a->path.link_count == b->path.link_count &&
           memcmp(a->links, b->links, a->path.link_count * sizeof *a->links) == 0 &&
           memcmp(a->nodes, b->nodes, a->path.count * sizeof *a->nodes) == 0;
}

/* What was counted; how much memory that took may differ between loops. */
static inline bool answer_same_metrics(const answer *a, const answer *b)
{
    return a->metrics.work == b->metrics.work && a->metrics.expanded == b->metrics.expanded &&
           a->metrics.generated == b->metrics.generated &&
           a->metrics.reopened == b->metrics.reopened && a->metrics.pushes == b->metrics.pushes &&
           a->metrics.lines == b->metrics.lines;
}

static inline answer answer_find(cairn_search *search, const cairn_query *query)
{
    const cairn_path *path = NULL;
    cairn_status status = cairn_search_find(search, query, &path);
    assert_non_null(path);
    assert_int_equal(status, path->status);
    return answer_of(search, path);
}

/* The same in slices of `work` units. */
static inline answer answer_sliced(cairn_search *search, const cairn_query *query, uint64_t work)
{
    const cairn_path *path = NULL;
    cairn_status status = cairn_search_begin(search, query);
    while (status == CAIRN_RUNNING) status = cairn_search_step(search, work);
    cairn_status again = cairn_search_result(search, &path);
    assert_non_null(path);
    assert_int_equal(status, again);
    assert_int_equal(status, path->status);
    return answer_of(search, path);
}

#endif
