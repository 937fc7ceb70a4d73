/* test_conformance_pieces.c: a path in pieces (query.piece). Planners with CAIRN_PIECES give it one
 * after the other, and following them leads where the whole path does; all others take no notice.
 */
#include "conformance.h"

/* ---- a walk: all pieces of one query ------------------------------------------------ */

typedef struct walk {
    answer *pieces;
    uint32_t count, capacity;
} walk;

/* Most walks are short, and few may be very long. */
static void walk_add(walk *w, answer piece)
{
    if (w->count == w->capacity) {
        w->capacity = w->capacity ? 2 * w->capacity : 16;
        w->pieces = realloc(w->pieces, w->capacity * sizeof *w->pieces);
        if (!w->pieces) abort();
    }
    w->pieces[w->count++] = piece;
}

static bool gives_pieces(const subject *s)
{
    return s->algorithm->flags & CAIRN_PIECES;
}

/* Who gave a second piece since the test began: bits, in the order of the registry. */
static uint64_t given;

static void note_given(const subject *s)
{
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        if (cairn_algorithm_at(i) == s->algorithm) given |= UINT64_C(1) << i;
    }
}

/* A test that says something of pieces has seen some, of everyone who gives them. */
static void check_given(void)
{
    assert_true(cairn_algorithm_count() <= 64);
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        CHECK(!(a->flags & CAIRN_PIECES) || !conformance_is_about(a) || given >> i & 1,
              "%s: always the whole way at once", a->name);
    }
}

/* `slice` 0 = whole, else this many units of work at a time. */
static answer next_piece(cairn_search *search, uint64_t slice)
{
    const cairn_path *path = NULL;
    cairn_status status;
    if (!slice) {
        status = cairn_search_find_next(search, &path);
    } else {
        status = cairn_search_begin_next(search);
        while (status == CAIRN_RUNNING) status = cairn_search_step(search, slice);
        assert_int_equal(cairn_search_result(search, &path), status);
    }
    assert_non_null(path);
    assert_int_equal(status, path->status);
    return answer_of(search, path);
}

static bool goes_on(const answer *a)
{
    return a->path.status == CAIRN_FOUND && a->path.partial;
}

static walk walk_pieces(const subject *s, const cairn_query *query, uint64_t slice)
{
    uint32_t count = s->place->oracle->count, most = 8 * count + 16;
    /* agents that learn may come back very often */
    if (s->algorithm->kind == CAIRN_KIND_NAVIGATOR) most += count * (count / 4);
    walk w = {0};
    walk_add(&w, slice ? answer_sliced(s->search, query, slice) : answer_find(s->search, query));
    while (goes_on(&w.pieces[w.count - 1])) {
        CHECK(w.count < most, "%s: %u pieces from %u to %u and no end", subject_text(s), w.count,
              query->from, query->to);
        walk_add(&w, next_piece(s->search, slice));
    }
    return w;
}

static const answer *walk_last(const walk *w)
{
    return &w->pieces[w->count - 1];
}

static void walk_free(walk *w)
{
    for (uint32_t i = 0; i < w->count; i++) answer_free(&w->pieces[i]);
    free(w->pieces);
}

static bool walk_same(const walk *a, const walk *b)
{
    for (uint32_t i = 0; i < a->count && a->count == b->count; i++) {
        if (!answer_same_path(&a->pieces[i], &b->pieces[i])) return false;
        if (!answer_same_metrics(&a->pieces[i], &b->pieces[i])) return false;
    }
    return a->count == b->count;
}

/* ---- what every piece owes ---------------------------------------------------------- */

static void check_counts_on(const subject *s, const cairn_metrics *a, const cairn_metrics *b)
{
    CHECK(a->work <= b->work && a->expanded <= b->expanded && a->generated <= b->generated &&
              a->reopened <= b->reopened && a->pushes <= b->pushes &&
              a->peak_bytes <= b->peak_bytes,
          "%s: counts begin anew with the next piece", subject_text(s));
}

/* Each piece can be walked, begins where the one before it ended and is long enough; returns the
 * cost of all. */
static uint64_t check_walk(const subject *s, const cairn_query *query, const walk *w)
{
    cairn_node at = query->from;
    uint64_t cost = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        cairn_path path = w->pieces[i].path;
        bool last = i + 1 == w->count;
        CHECK(last || path.partial, "%s: piece %u of %u is not partial", subject_text(s), i,
              w->count);
        /* what ends early promises nothing, but must be legal */
        if (path.status != CAIRN_FOUND && s->optimal) path.suboptimality_bound = 1;
        path.partial = false;
        path.status = CAIRN_FOUND;
        check_legal_path(s, &path, at, path.cost);
        if (!last && !subject_smooths(s)) {
            CHECK(cairn_path_step_count(s->place->space, &path) > query->piece,
                  "%s: piece %u has less than %u steps", subject_text(s), i, query->piece);
        }
        if (i) check_counts_on(s, &w->pieces[i - 1].metrics, &w->pieces[i].metrics);
        cost += path.cost;
        at = path.end;
    }
    return cost;
}

/* When the last piece is there, there is no other, and the last one stays. */
static void check_over(const subject *s, const walk *w)
{
    const cairn_path *path = &w->pieces[0].path;
    CHECK(cairn_search_find_next(s->search, &path) == CAIRN_INVALID && !path,
          "%s: a piece behind the last", subject_text(s));
    CHECK(cairn_search_begin_next(s->search) == CAIRN_INVALID, "%s: another piece behind the last",
          subject_text(s));
    CHECK(cairn_search_result(s->search, &path) == walk_last(w)->path.status,
          "%s: the last piece is lost", subject_text(s));
    answer again = answer_of(s->search, path);
    CHECK(answer_same_path(&again, walk_last(w)), "%s: the last piece changed", subject_text(s));
    answer_free(&again);
}

static const uint32_t lengths[] = {1, 5, 16, 1000};

static void follow(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        const known_query *q = &s->place->queries[i];
        answer whole = answer_find(s->search, &(cairn_query){.from = q->from, .to = q->to});
        for (uint32_t k = 0; k < LENGTH(lengths); k++) {
            cairn_query query = {.from = q->from, .to = q->to, .piece = lengths[k]};
            walk w = walk_pieces(s, &query, 0);
            check_over(s, &w);
            if (lengths[k] == 1 && w.count > 1) note_given(s);
            if (q->cost == ORACLE_NONE) {
                check_no_path(s, &walk_last(&w)->path, CAIRN_UNREACHABLE);
                walk_free(&w);
                continue;
            }
            CHECK(walk_last(&w)->path.status == CAIRN_FOUND && walk_last(&w)->path.end == q->to,
                  "%s: pieces from %u to %u end at %u: %s", subject_text(s), q->from, q->to,
                  walk_last(&w)->path.end, cairn_status_text(walk_last(&w)->path.status));
            uint64_t cost = check_walk(s, &query, &w);
            CHECK(s->optimal ? cost == q->cost : cost >= subject_least(s, q->cost),
                  "%s: pieces cost %llu, the best way %llu", subject_text(s),
                  (unsigned long long)cost, (unsigned long long)q->cost);
            if (!gives_pieces(s)) {
                CHECK(w.count == 1 && answer_same_path(&w.pieces[0], &whole) &&
                          answer_same_metrics(&w.pieces[0], &whole),
                      "%s: gives no pieces, but took notice", subject_text(s));
            }
            walk_free(&w);
        }
        answer_free(&whole);
    }
}

static void following_the_pieces_leads_to_the_goal(void **state)
{
    (void)state;
    given = 0;
    conformance_each(PLACES_ALL | SETTINGS_ONE, follow);
    check_given();
    conformance_each_with(CAIRN_PIECES, PLACES_FEW | SETTINGS_EACH, follow);
}

/* ---- in slices, watched, warm --------------------------------------------------------- */

static void count_expansions(void *user, const cairn_event *event)
{
    uint64_t *expanded = user;
    *expanded += event->kind == CAIRN_EVENT_EXPAND;
}

static void slice(subject *s)
{
    static const uint64_t slices[] = {1, 7, 100};
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        cairn_query query = {
            .from = s->place->queries[i].from, .to = s->place->queries[i].to, .piece = 5};
        walk whole = walk_pieces(s, &query, 0);
        walk sliced = walk_pieces(s, &query, slices[i % LENGTH(slices)]);
        CHECK(walk_same(&whole, &sliced), "%s: pieces differ in slices of %u", subject_text(s),
              (unsigned)slices[i % LENGTH(slices)]);
        uint64_t expanded = 0;
        cairn_search_trace(s->search, &(cairn_trace_sink){count_expansions, &expanded});
        walk observed = walk_pieces(s, &query, 0);
        cairn_search_trace(s->search, NULL);
        CHECK(walk_same(&whole, &observed), "%s: pieces differ when watched", subject_text(s));
        CHECK(expanded == walk_last(&whole)->metrics.expanded, "%s: %u expansions seen of %u",
              subject_text(s), (unsigned)expanded, (unsigned)walk_last(&whole)->metrics.expanded);
        walk_free(&whole), walk_free(&sliced), walk_free(&observed);
    }
}

static void pieces_in_slices_and_watched_are_the_same(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_PIECES, PLACES_FEW | SETTINGS_EACH, slice);
    conformance_each_with(CAIRN_PIECES, PLACES_ALL | SETTINGS_ONE, slice);
}

static void walk_everything(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        for (uint32_t k = 0; k < LENGTH(lengths); k++) {
            cairn_query query = {.from = s->place->queries[i].from,
                                 .to = s->place->queries[i].to,
                                 .piece = lengths[k]};
            walk w = walk_pieces(s, &query, 0);
            walk_free(&w);
        }
    }
}

static void walk_warm(subject *s)
{
    walk_everything(s);
    uint64_t calls = s->place->memory.calls;
    walk_everything(s);
    CHECK(s->place->memory.calls == calls, "%s: %u allocations while warm", subject_text(s),
          (unsigned)(s->place->memory.calls - calls));
}

static void warm_pieces_ask_for_no_memory(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_PIECES, PLACES_FEW | SETTINGS_EACH, walk_warm);
}

/* Each allocation of a walk fails once; a piece that is lost for that is the last one, until the
 * query is asked again. */
static void fail_between(subject *s)
{
    if (!s->place->query_count) return;
    cairn_search *kept = s->search;
    watched *memory = &s->place->memory;
    cairn_query query = {
        .from = s->place->queries[0].from, .to = s->place->queries[0].to, .piece = 5};
    walk right = walk_pieces(s, &query, 0);
    for (uint64_t k = 1, failures = 1; failures; k++) {
        CHECK_OK(cairn_search_create(s->planner, NULL, &s->search));
        memory->failures = 0;
        memory->fail_at = memory->calls + k;
        walk w = walk_pieces(s, &query, 0);
        memory->fail_at = 0;
        failures = memory->failures;
        if (failures) {
            CHECK(walk_last(&w)->path.status == CAIRN_OUT_OF_MEMORY &&
                      walk_last(&w)->path.count == 0,
                  "%s: piece %u without memory: %s", subject_text(s), w.count - 1,
                  cairn_status_text(walk_last(&w)->path.status));
            CHECK(cairn_search_find_next(s->search, NULL) == CAIRN_INVALID, "%s: on without memory",
                  subject_text(s));
            walk_free(&w);
            w = walk_pieces(s, &query, 0);
        }
        CHECK(walk_same(&right, &w), "%s: other pieces after allocation %u failed", subject_text(s),
              (unsigned)k);
        walk_free(&w);
        cairn_search_destroy(s->search);
        s->search = kept;
    }
    walk_free(&right);
}

static void pieces_do_without_memory(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_PIECES, PLACES_FEW | SETTINGS_EACH, fail_between);
}

/* ---- a world that changes between two pieces ------------------------------------------ */

/* Any cell will do; it is flipped back afterwards. */
static void flip_corner(subject *s)
{
    cairn_cell cell = cairn_grid_cell(s->place->grid, s->place->oracle->count - 1);
    bool open = cairn_grid_is_open(s->place->grid, cell.x, cell.y);
    CHECK_OK(cairn_grid_set_open(s->place->grid, cell.x, cell.y, !open));
    CHECK_OK(cairn_grid_commit(s->place->grid));
}

/* Asks for the first piece of the longest way from its start; false if there is no second one. */
static bool first_of_many(subject *s, cairn_query *query)
{
    if (!s->place->query_count) return false;
    *query =
        (cairn_query){.from = s->place->queries[0].from, .to = s->place->queries[0].to, .piece = 3};
    answer a = answer_find(s->search, query);
    bool more = goes_on(&a);
    if (more) note_given(s);
    answer_free(&a);
    return more;
}

static void check_stale(subject *s, const char *what)
{
    const cairn_path *path = NULL;
    CHECK(cairn_search_find_next(s->search, &path) == CAIRN_STALE && path, "%s: not stale after %s",
          subject_text(s), what);
    check_no_path(s, path, CAIRN_STALE);
    CHECK(cairn_search_find_next(s->search, &path) == CAIRN_INVALID, "%s: alive again",
          subject_text(s));
}

static void change_between(subject *s)
{
    cairn_query query;
    if (s->place->grid && first_of_many(s, &query)) {
        flip_corner(s);
        check_stale(s, "a commit");
        flip_corner(s);
        CHECK_OK(cairn_planner_sync(s->planner, NULL, NULL));
        /* Nobody has looked at the first piece yet. */
        cairn_status status = cairn_search_begin(s->search, &query);
        while (status == CAIRN_RUNNING) status = cairn_search_step(s->search, 100);
        flip_corner(s);
        const cairn_path *path;
        CHECK(cairn_search_result(s->search, &path) == CAIRN_STALE, "%s: a piece of yesterday",
              subject_text(s));
        check_stale(s, "a result that was");
        flip_corner(s);
        CHECK_OK(cairn_planner_sync(s->planner, NULL, NULL));
        status = cairn_search_find(s->search, &query, &path);
        CHECK(status == CAIRN_FOUND && path->partial, "%s: never well again", subject_text(s));
    }
    if (first_of_many(s, &query) && (s->algorithm->flags & CAIRN_NEEDS_INDEX)) {
        CHECK_OK(cairn_planner_build(s->planner, NULL, NULL));
        check_stale(s, "another index");
    }
}

static void pieces_are_stale_after_a_change(void **state)
{
    (void)state;
    given = 0;
    conformance_each_with(CAIRN_PIECES, PLACES_FEW | SETTINGS_EACH, change_between);
    check_given();
}

static void cancel_between(subject *s)
{
    cairn_query query;
    if (!first_of_many(s, &query)) return;
    if (cairn_search_begin_next(s->search) != CAIRN_RUNNING) return;
    const cairn_path *path;
    CHECK(cairn_search_begin_next(s->search) == CAIRN_INVALID, "%s: two pieces at once",
          subject_text(s));
    CHECK(cairn_search_result(s->search, &path) == CAIRN_RUNNING && path->count == 0,
          "%s: the piece before in place of the one to come", subject_text(s));
    cairn_search_cancel(s->search);
    CHECK(cairn_search_step(s->search, 1) == CAIRN_CANCELLED, "%s: not cancelled", subject_text(s));
    cairn_search_result(s->search, &path);
    check_no_path(s, path, CAIRN_CANCELLED);
    CHECK(cairn_search_find_next(s->search, NULL) == CAIRN_INVALID, "%s: on after the end",
          subject_text(s));
}

static void a_piece_can_be_cancelled(void **state)
{
    (void)state;
    given = 0;
    conformance_each_with(CAIRN_PIECES, PLACES_FEW | SETTINGS_EACH, cancel_between);
    check_given();
}

static void ask_too_early(subject *s)
{
    cairn_search *fresh;
    const cairn_path *path = NULL;
    CHECK_OK(cairn_search_create(s->planner, NULL, &fresh));
    CHECK(cairn_search_find_next(fresh, &path) == CAIRN_INVALID && !path, "%s: a piece of nothing",
          subject_text(s));
    CHECK(cairn_search_begin_next(fresh) == CAIRN_INVALID, "%s: a piece of nothing",
          subject_text(s));
    cairn_search_find(fresh, &(cairn_query){.from = CAIRN_NO_NODE, .piece = 1}, NULL);
    CHECK(cairn_search_begin_next(fresh) == CAIRN_INVALID, "%s: a piece of a refused query",
          subject_text(s));
    cairn_search_destroy(fresh);
}

static void there_is_no_next_piece_without_a_first(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_PIECES, PLACES_FEW | SETTINGS_ONE, ask_too_early);
    assert_int_equal(cairn_search_find_next(NULL, NULL), CAIRN_INVALID);
    assert_int_equal(cairn_search_begin_next(NULL), CAIRN_INVALID);
}

/* ---- budgets and goals that cannot be reached ----------------------------------------- */

/* All pieces have one budget; what is found before it ends is what is found without it. */
static void check_budget(subject *s, const cairn_query *query, const walk *full)
{
    walk w = walk_pieces(s, query, 0);
    const answer *last = walk_last(&w);
    CHECK(last->path.status == CAIRN_OUT_OF_BUDGET && last->metrics.work <= query->max_work,
          "%s: %s after %u of %u units", subject_text(s), cairn_status_text(last->path.status),
          (unsigned)last->metrics.work, (unsigned)query->max_work);
    CHECK(w.count <= full->count, "%s: more pieces with less work", subject_text(s));
    for (uint32_t i = 0; i + 1 < w.count; i++) {
        CHECK(answer_same_path(&w.pieces[i], &full->pieces[i]),
              "%s: piece %u differs with a budget", subject_text(s), i);
    }
    if (query->partial) {
        CHECK(last->path.partial && last->path.suboptimality_bound == 0, "%s: no part of the piece",
              subject_text(s));
        check_walk(s, &(cairn_query){.from = query->from, .to = query->to, .piece = query->piece},
                   &w);
    } else {
        check_no_path(s, &last->path, CAIRN_OUT_OF_BUDGET);
    }
    check_over(s, &w);
    walk_free(&w);
}

/* Less work than all pieces need, and just enough. */
static void spend_on(subject *s, cairn_query query, bool led)
{
    walk full = walk_pieces(s, &query, 0);
    uint64_t needed = walk_last(&full)->metrics.work, first = full.pieces[0].metrics.work;
    uint64_t budgets[] = {1, first / 2, first + (needed - first) / 3, first + (needed - first) / 2,
                          needed ? needed - 1 : 0};
    for (uint32_t b = 0; b < LENGTH(budgets) && led; b++) {
        query.max_work = budgets[b];
        if (query.max_work && query.max_work < needed) check_budget(s, &query, &full);
    }
    query.max_work = needed;
    walk enough = walk_pieces(s, &query, 0);
    CHECK(query.partial || walk_same(&full, &enough), "%s: %u units are enough", subject_text(s),
          (unsigned)needed);
    walk_free(&enough), walk_free(&full);
}

static void spend(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        const known_query *asked = &s->place->queries[i];
        cairn_query query = {.from = asked->from, .to = asked->to, .piece = 5};
        spend_on(s, query, asked->cost != ORACLE_NONE);
        query.partial = true;
        if (asked->cost != ORACLE_NONE) spend_on(s, query, true);
    }
}

static void all_pieces_have_one_budget(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_PIECES, PLACES_FEW | SETTINGS_EACH, spend);
}

static void approach(subject *s, cairn_node from, cairn_node to)
{
    answer whole = answer_find(s->search, &(cairn_query){.from = from, .to = to, .partial = true});
    cairn_query query = {.from = from, .to = to, .partial = true, .piece = 4};
    walk w = walk_pieces(s, &query, 0);
    const cairn_path *last = &walk_last(&w)->path;
    CHECK(last->status == whole.path.status && last->partial && last->end == whole.path.end,
          "%s: pieces towards %u end at %u: %s; the whole at %u: %s", subject_text(s), to,
          last->end, cairn_status_text(last->status), whole.path.end,
          cairn_status_text(whole.path.status));
    CHECK(last->suboptimality_bound == 0, "%s: a promise about half a way", subject_text(s));
    check_walk(s, &query, &w);
    check_over(s, &w);
    walk_free(&w), answer_free(&whole);
}

static void approach_some(subject *s)
{
    const oracle *o = s->place->oracle;
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        cairn_node from = s->place->queries[i].from, to = s->place->queries[i].to;
        if (s->place->queries[i].cost == ORACLE_NONE) approach(s, from, to);
        cairn_node blocked = (cairn_node)(((uint64_t)i * 7919 + 1) % o->count);
        for (uint32_t tries = 0; tries < 50 && o->usable[blocked]; tries++)
            blocked = (blocked + 1) % o->count;
        if (!o->usable[blocked]) approach(s, from, blocked);
    }
}

static void pieces_approach_goals_that_cannot_be_reached(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_PIECES, PLACES_ALL | SETTINGS_ONE, approach_some);
    conformance_each_with(CAIRN_PIECES, PLACES_FEW | SETTINGS_EACH, approach_some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(following_the_pieces_leads_to_the_goal),
        cmocka_unit_test(pieces_in_slices_and_watched_are_the_same),
        cmocka_unit_test(warm_pieces_ask_for_no_memory),
        cmocka_unit_test(pieces_do_without_memory),
        cmocka_unit_test(pieces_are_stale_after_a_change),
        cmocka_unit_test(a_piece_can_be_cancelled),
        cmocka_unit_test(there_is_no_next_piece_without_a_first),
        cmocka_unit_test(all_pieces_have_one_budget),
        cmocka_unit_test(pieces_approach_goals_that_cannot_be_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
