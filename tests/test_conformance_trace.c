/* test_conformance_trace.c: what a search reports while it thinks must be the whole story, in
 * order, and listening must change nothing.
 */
#include "conformance.h"

/* ---- a sink that keeps everything --------------------------------------------------- */

typedef struct tape {
    cairn_event *events;
    size_t count, capacity;
} tape;

static void tape_event(void *user, const cairn_event *event)
{
    tape *t = user;
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? t->capacity * 2 : 1024;
        t->events = realloc(t->events, t->capacity * sizeof *t->events);
        if (!t->events) abort();
    }
    t->events[t->count++] = *event;
}

static size_t tape_count(const tape *t, cairn_event_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++) count += t->events[i].kind == kind;
    return count;
}

static bool tape_equal(const tape *a, const tape *b)
{
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++) {
        const cairn_event *x = &a->events[i], *y = &b->events[i];
        if (x->kind != y->kind || x->level != y->level || x->node != y->node ||
            x->parent != y->parent || x->g != y->g || x->h != y->h) {
            return false;
        }
    }
    return true;
}

/* Is there a search from the goals beside the pieces? */
static bool tape_has_both(const tape *t)
{
    for (size_t i = 0; i < t->count; i++) {
        if (!(t->events[i].level & CAIRN_LEVEL_BACKWARD)) continue;
        return t->events[i].kind == CAIRN_EVENT_EXPAND;
    }
    return false;
}

/* ---- replaying a tape --------------------------------------------------------------- */

/* What is known of a node after the events so far. */
typedef struct trail {
    cairn_cost g;
    bool seen, closed, expanded;
    bool passed; /* a path to another node turns here */
} trail;

/* Nothing can be reached for less. A search for lines may believe for a while that one leads round
 * a corner. */
static uint64_t least(const subject *s, cairn_node node)
{
    uint64_t best = subject_least(s, s->place->oracle->distance[node]);
    if (!(s->algorithm->flags & CAIRN_ANY_ANGLE)) return best;
    uint64_t believed = 4 * (uint64_t)cairn_space_scale(s->place->space).straight;
    return best > believed ? best - believed : 0;
}

/* What a search from both ends is told of: how it reached nodes from the start, and goals from
 * nodes. */
typedef struct trails {
    trail *forward, *backward;
    uint64_t best; /* that a path costs from the start to a goal */
} trails;

/* No path costs less than the best one, whatever it leads over. */
static void replay_backward_cost(const subject *s, const trails *t, const cairn_event *e, size_t at)
{
    uint64_t before = s->place->oracle->distance[e->node];
    CHECK(before == ORACLE_NONE || before + e->g >= t->best,
          "%s: event %u: %u is nearer to a goal than it is", subject_text(s), (unsigned)at,
          e->node);
}

static void replay_improvement(const subject *s, trail *nodes, const cairn_event *e, size_t at)
{
    const char *text = subject_text(s), *kind = cairn_event_name(e->kind);
    trail *n = &nodes[e->node];
    CHECK(e->parent < s->place->oracle->count && nodes[e->parent].expanded,
          "%s: event %u: %s of %u by %u, which was not expanded", text, (unsigned)at, kind, e->node,
          e->parent);
    CHECK(e->g > nodes[e->parent].g, "%s: event %u: %s of %u is no farther than its parent", text,
          (unsigned)at, kind, e->node);
    CHECK(e->level || e->g >= least(s, e->node), "%s: event %u: %s of %u below the best", text,
          (unsigned)at, kind, e->node);
    if (e->kind == CAIRN_EVENT_GENERATE) {
        CHECK(!n->seen, "%s: event %u: %u seen for the first time twice", text, (unsigned)at,
              e->node);
    } else {
        /* Only searches that keep the cheapest path owe a cheaper one (depth-first does not). */
        CHECK(n->seen && (e->g < n->g || !s->optimal),
              "%s: event %u: %s of %u without a better way", text, (unsigned)at, kind, e->node);
        CHECK(n->closed == (e->kind == CAIRN_EVENT_REOPEN), "%s: event %u: %s of %u", text,
              (unsigned)at, kind, e->node);
    }
    *n = (trail){.g = e->g, .seen = true, .expanded = n->expanded, .passed = n->passed};
}

/* A search inside the search begins: what was seen before it still counts as passed. */
static void replay_piece(const subject *s, trail *nodes, const cairn_event *e)
{
    CHECK(e->parent == CAIRN_NO_NODE && e->g == 0, "%s: a piece that begins with %u",
          subject_text(s), e->g);
    for (cairn_node n = 0; n < s->place->oracle->count; n++) {
        nodes[n] = (trail){.passed = nodes[n].passed || nodes[n].seen};
    }
    nodes[e->node] = (trail){.seen = true, .passed = nodes[e->node].passed};
    oracle_search(s->place->oracle, e->node);
}

/* ... and paths from where it begins cost something else. */
static void replay_again(const subject *s, const tape *t, trails *all)
{
    all->best = ORACLE_NONE;
    for (size_t i = 0; i < t->count && t->events[i].kind <= CAIRN_EVENT_DESTINATION; i++) {
        uint64_t cost = s->place->oracle->distance[t->events[i].node];
        bool goal = t->events[i].kind == CAIRN_EVENT_DESTINATION;
        if (goal && cost < all->best) all->best = cost;
    }
}

/* Jumps pass over what lies behind an expanded node; paths in pieces go on from what they
 * passed. */
static void replay_pass(const subject *s, trail *nodes, const cairn_event *e, size_t at)
{
    trail *n = &nodes[e->node];
    const trail *parent = e->parent < s->place->oracle->count ? &nodes[e->parent] : NULL;
    bool pieces = s->algorithm->flags & CAIRN_PIECES;
    CHECK(parent && (parent->expanded || (pieces && (parent->passed || parent->seen))) &&
              e->g > parent->g && e->g >= s->place->oracle->distance[e->node],
          "%s: event %u: %u passed from %u", subject_text(s), (unsigned)at, e->node, e->parent);
    n->passed = true;
    if (pieces && !n->seen) n->g = e->g;
}

static void replay_destination(const subject *s, trails *all, const cairn_event *e)
{
    uint64_t cost = s->place->oracle->distance[e->node];
    all->backward[e->node] = (trail){.seen = true};
    if (cost < all->best) all->best = cost;
}

static void replay(const subject *s, const tape *t, trails *all)
{
    for (size_t i = 0; i < t->count; i++) {
        const cairn_event *e = &t->events[i];
        if (e->level & ~CAIRN_LEVEL_BACKWARD) continue; /* abstractions have their own numbering */
        CHECK(e->node < s->place->oracle->count, "%s: event %u: no node", subject_text(s),
              (unsigned)i);
        trail *nodes = e->level ? all->backward : all->forward, *n = &nodes[e->node];
        if (e->level) replay_backward_cost(s, all, e, i);
        switch (e->kind) {
        case CAIRN_EVENT_SOURCE:
            CHECK(i == 0 && e->parent == CAIRN_NO_NODE && e->g == 0, "%s: the source is event %u",
                  subject_text(s), (unsigned)i);
            *n = (trail){.g = 0, .seen = true};
            break;
        case CAIRN_EVENT_DESTINATION:
            CHECK(i > 0 && t->events[i - 1].kind <= CAIRN_EVENT_DESTINATION,
                  "%s: a late destination", subject_text(s));
            replay_destination(s, all, e);
            break;
        case CAIRN_EVENT_GENERATE:
        case CAIRN_EVENT_UPDATE:
        case CAIRN_EVENT_REOPEN: replay_improvement(s, nodes, e, i); break;
        case CAIRN_EVENT_EXPAND:
            CHECK(n->seen && e->g == n->g, "%s: event %u: %u expanded with %u, known is %u",
                  subject_text(s), (unsigned)i, e->node, e->g, n->g);
            n->expanded = true;
            break;
        case CAIRN_EVENT_CLOSE:
            CHECK(n->expanded && !n->closed, "%s: event %u: %u closed unexpanded or twice",
                  subject_text(s), (unsigned)i, e->node);
            n->closed = true;
            break;
        case CAIRN_EVENT_PASS: replay_pass(s, nodes, e, i); break;
        case CAIRN_EVENT_PIECE:
            replay_piece(s, nodes, e);
            replay_again(s, t, all);
            break;
        case CAIRN_EVENT_SEGMENT:
            CHECK(e->g == CAIRN_NO_COST &&
                      cairn_space_step_cost(cairn_planner_space(s->planner), e->parent, e->node) !=
                          CAIRN_NO_COST,
                  "%s: event %u: no step leads from %u to %u", subject_text(s), (unsigned)i,
                  e->parent, e->node);
            n->passed = nodes[e->parent].passed = true;
            break;
        case CAIRN_EVENT_FORGET:
            CHECK(n->seen, "%s: event %u: %u forgotten before it was seen", subject_text(s),
                  (unsigned)i, e->node);
            *n = (trail){.passed = true};
            break;
        case CAIRN_EVENT_SUBGOAL:
            CHECK(e->g == CAIRN_NO_COST &&
                      cairn_space_usable(cairn_planner_space(s->planner), e->node),
                  "%s: event %u: %u cannot be a sub-goal", subject_text(s), (unsigned)i, e->node);
            break;
        case CAIRN_EVENT_END:
            CHECK(i + 1 == t->count, "%s: events after the end", subject_text(s));
            break;
        default: CHECK(false, "%s: an unknown event", subject_text(s));
        }
    }
}

static void check_tape(const subject *s, const tape *t, const answer *a, cairn_node from)
{
    const char *text = subject_text(s);
    uint32_t count = s->place->oracle->count;
    trail *nodes = calloc(2 * (size_t)count, sizeof *nodes);
    if (!nodes) abort();
    trails all = {nodes, nodes + count, ORACLE_NONE};
    oracle_search(s->place->oracle, from);
    if (a->metrics.generated == 0) { /* answered without a search */
        CHECK(!t->count && a->path.status != CAIRN_FOUND, "%s: events of no search", text);
        free(nodes);
        return;
    }
    CHECK(t->count && t->events[0].kind == CAIRN_EVENT_SOURCE && t->events[0].node == from,
          "%s: no source", text);
    replay(s, t, &all);
    CHECK(tape_count(t, CAIRN_EVENT_EXPAND) == a->metrics.expanded,
          "%s: %u expand events, %u expanded", text, (unsigned)tape_count(t, CAIRN_EVENT_EXPAND),
          (unsigned)a->metrics.expanded);
    CHECK(tape_count(t, CAIRN_EVENT_REOPEN) == a->metrics.reopened,
          "%s: %u reopen events, %u reopened", text, (unsigned)tape_count(t, CAIRN_EVENT_REOPEN),
          (unsigned)a->metrics.reopened);
    size_t pieces = tape_count(t, CAIRN_EVENT_PIECE), begun = pieces ? pieces : 1;
    if (pieces && tape_has_both(t)) begun++;
    CHECK(tape_count(t, CAIRN_EVENT_GENERATE) + begun == a->metrics.generated,
          "%s: %u generate events, %u generated", text,
          (unsigned)tape_count(t, CAIRN_EVENT_GENERATE), (unsigned)a->metrics.generated);
    bool found = a->path.status == CAIRN_FOUND;
    bool smoothed = subject_smooths(s); /* rays may lead past what was searched */
    for (uint32_t i = 0; i < a->path.count && !smoothed; i++) {
        const trail *n = &nodes[a->path.nodes[i]], *back = n + count;
        CHECK(n->seen || n->passed || back->seen, "%s: %u is on the path but was never seen", text,
              a->path.nodes[i]);
    }
    CHECK(tape_count(t, CAIRN_EVENT_END) == found, "%s: %u ends", text,
          (unsigned)tape_count(t, CAIRN_EVENT_END));
    if (found) {
        const cairn_event *end = &t->events[t->count - 1];
        CHECK(end->kind == CAIRN_EVENT_END && end->node == a->path.end, "%s: ends with %s of %u",
              text, cairn_event_name(end->kind), end->node);
        /* A search that is not optimal may learn of a cheaper path to a node on the path and
         * not tell the goal any more; the path is then cheaper than the goal knows. */
        CHECK(end->g == a->path.cost || (!s->optimal && end->g > a->path.cost),
              "%s: ends with %u, costs %u", text, end->g, a->path.cost);
    }
    free(nodes);
}

/* ---- tests -------------------------------------------------------------------------- */

static void listen(subject *s)
{
    for (uint32_t i = 0; i < s->place->query_count; i++) {
        cairn_query query = {.from = s->place->queries[i].from, .to = s->place->queries[i].to};
        tape whole = {0}, sliced = {0};
        cairn_trace_sink sink = {tape_event, &whole};
        answer quiet = answer_find(s->search, &query);
        cairn_search_trace(s->search, &sink);
        answer traced = answer_find(s->search, &query);
        sink.user = &sliced;
        cairn_search_trace(s->search, &sink);
        answer slices = answer_sliced(s->search, &query, 2);
        cairn_search_trace(s->search, NULL);
        size_t heard = sliced.count;
        answer after = answer_find(s->search, &query);
        CHECK(sliced.count == heard, "%s: events after the sink was taken away", subject_text(s));
        CHECK(answer_same_path(&quiet, &traced) && answer_same_path(&quiet, &after),
              "%s: listening changes the path", subject_text(s));
        CHECK(answer_same_metrics(&quiet, &traced) && answer_same_metrics(&quiet, &after),
              "%s: listening changes the metrics (expanded %u and %u, generated %u and %u, pushes "
              "%u and %u)",
              subject_text(s), (unsigned)quiet.metrics.expanded, (unsigned)traced.metrics.expanded,
              (unsigned)quiet.metrics.generated, (unsigned)traced.metrics.generated,
              (unsigned)quiet.metrics.pushes, (unsigned)traced.metrics.pushes);
        CHECK(tape_equal(&whole, &sliced), "%s: slices tell another story", subject_text(s));
        check_tape(s, &whole, &traced, query.from);
        answer_free(&quiet), answer_free(&traced), answer_free(&slices), answer_free(&after);
        free(whole.events), free(sliced.events);
    }
}

static void every_trace_is_complete_and_changes_nothing(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_EACH, listen);
    conformance_each(PLACES_ALL | SETTINGS_ONE, listen);
}

static void listen_to_many_goals(subject *s)
{
    if (s->place->query_count < 4) return;
    cairn_node goals[3] = {s->place->queries[1].to, s->place->queries[2].to,
                           s->place->queries[3].to};
    cairn_query query = {.from = s->place->queries[0].from, .goals = goals, .goal_count = 3};
    tape t = {0};
    cairn_trace_sink sink = {tape_event, &t};
    cairn_search_trace(s->search, &sink);
    answer a = answer_find(s->search, &query);
    cairn_search_trace(s->search, NULL);
    check_tape(s, &t, &a, query.from);
    size_t destinations = tape_count(&t, CAIRN_EVENT_DESTINATION);
    CHECK(destinations >= 1 && destinations <= 3, "%s: %u destinations", subject_text(s),
          (unsigned)destinations);
    answer_free(&a);
    free(t.events);
}

static void every_goal_is_announced(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_MANY_GOALS, PLACES_FEW | SETTINGS_ONE, listen_to_many_goals);
}

static void events_have_names(void **state)
{
    (void)state;
    for (int k = 0; k < CAIRN_EVENT_KIND_COUNT; k++) {
        assert_true(cairn_event_name((cairn_event_kind)k)[0] != 0);
        for (int j = 0; j < k; j++) {
            assert_string_not_equal(cairn_event_name((cairn_event_kind)k),
                                    cairn_event_name((cairn_event_kind)j));
        }
    }
    assert_non_null(cairn_event_name(CAIRN_EVENT_KIND_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_trace_is_complete_and_changes_nothing),
        cmocka_unit_test(every_goal_is_announced),
        cmocka_unit_test(events_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
