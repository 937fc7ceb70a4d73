/* test_lookahead.c: RTA*, LRTA*, LSS-LRTA* and RTAA*: every step and every estimate is compared with
 * the algorithms written down once more, plainly; walks converge over trials; what a move costs, and
 * what an agent holds. CAIRN_TEST_LIVES=N makes trials in N worlds.
 */
#include "conformance.h"
#include "navigators.h"
#include "one_way.h"
#include "slow_lookahead.h"

static bool looks_ahead(const cairn_algorithm *a)
{
    return has_parameter(a, "lookahead");
}

static void every_navigator_that_looks_ahead_is_written_down_plainly(void **state)
{
    (void)state;
    check_listed(looks_ahead, slow_names, SLOW_RULES);
}

/* ---- what the agent believes ---- */

/* Estimates, as the agent reports them: those of one look are all what they were when it began. */
typedef struct beliefs {
    const char *text;
    const cairn_space *space;
    const uint64_t *truth; /* distances to the goal; NULL = they may be exceeded */
    bool consistent;       /* estimates must be */
    cairn_cost *h;         /* by node, ... */
    uint32_t *look;        /* ... in the look of this number */
    uint32_t looks, edges; /* of them that were compared */
} beliefs;

static beliefs beliefs_begin(const cairn_space *space, const char *text)
{
    uint32_t count = cairn_space_node_count(space);
    return (beliefs){.text = text,
                     .space = space,
                     .h = slow_array(count, sizeof(cairn_cost)),
                     .look = slow_array(count, sizeof(uint32_t))};
}

static void beliefs_end(beliefs *b)
{
    free(b->h), free(b->look);
}

/* No estimate is larger than that of a neighbour and the step to it. */
static void check_consistent(beliefs *b, cairn_node node)
{
    cairn_edge edges[64];
    uint32_t count = cairn_space_expand(b->space, node, 0, edges, LENGTH(edges));
    for (uint32_t i = 0; i < count; i++) {
        cairn_node to = edges[i].node;
        if (b->look[to] != b->looks && b->truth[to] == ORACLE_NONE) continue; /* a dead end */
        CHECK(b->look[to] == b->looks, "%s: %u was not seen", b->text, to);
        CHECK(b->h[node] <= (uint64_t)edges[i].cost + b->h[to],
              "%s: %u from the goal at %u, and %u at %u, %u away", b->text, b->h[node], node,
              b->h[to], to, edges[i].cost);
        b->edges++;
    }
}

static void beliefs_event(void *user, const cairn_event *e)
{
    beliefs *b = user;
    b->looks += e->kind == CAIRN_EVENT_PIECE;
    if (e->kind == CAIRN_EVENT_CLOSE && b->consistent) check_consistent(b, e->node);
    if (e->kind != CAIRN_EVENT_PIECE && e->kind != CAIRN_EVENT_GENERATE) return;
    b->h[e->node] = e->h;
    b->look[e->node] = b->looks;
    CHECK(!b->truth || e->h <= b->truth[e->node], "%s: %u is believed to be too far", b->text,
          e->node);
}

/* The same as the plain algorithm's, before it learns from its look. */
static void beliefs_compare(const beliefs *b, const slow *s)
{
    for (uint32_t i = 0; i < s->seen_count; i++) {
        cairn_node n = s->seen[i];
        if (s->g[n] + slow_h(s, n) > CAIRN_COST_MAX) continue; /* left out */
        CHECK(b->look[n] == b->looks && b->h[n] == slow_h(s, n), "%s: %u at %u, not %u", b->text,
              b->h[n], n, (unsigned)slow_h(s, n));
    }
}

/* ---- walks ---- */

/* Walks beside the plain algorithm, until it arrives or no path is left. */
static void walk_beside(kit *k, slow *s, beliefs *b, cairn_node from, const uint64_t *truth)
{
    cairn_navigator *navigator;
    cairn_move m = {0};
    bool all = !strstr(b->text, "steps=one");
    kit_plan(k, b->text);
    CHECK_OK(cairn_navigator_create(k->planner, NULL, &navigator));
    cairn_navigator_trace(navigator, &(cairn_trace_sink){beliefs_event, b});
    CHECK_OK(cairn_navigator_start(navigator, from, s->goal));
    for (uint32_t turn = 0; !m.arrived; turn++) {
        cairn_node at = cairn_navigator_at(navigator);
        CHECK(turn < 200000, "%s: from %u to %u without end", b->text, from, s->goal);
        cairn_navigator_next(navigator, &m);
        CHECK(m.expanded <= s->lookahead, "%s: %u nodes expanded", b->text, (unsigned)m.expanded);
        if (m.kind == CAIRN_MOVE_STOP) {
            CHECK(m.status == CAIRN_UNREACHABLE && truth[at] == ORACLE_NONE,
                  "%s: stops at %u, %llu from the goal: %s", b->text, at,
                  (unsigned long long)truth[at], cairn_status_text(m.status));
            break;
        }
        if (!all || !s->path_count) {
            slow_look(s, at);
            beliefs_compare(b, s);
            CHECK(s->path_count, "%s: walks on from %u", b->text, at);
            slow_learn(s);
        }
        CHECK(m.to == s->path[s->path_count - 1], "%s: turn %u: from %u to %u, not to %u", b->text,
              turn, m.from, m.to, s->path[s->path_count - 1]);
        CHECK(m.cost == s->g[m.to] - s->g[m.from], "%s: a step costs %u", b->text, m.cost);
        s->path_count--;
    }
    cairn_navigator_destroy(navigator);
}

/* Are the space's own estimates consistent? */
static bool begins_consistent(const cairn_space *space, cairn_node goal)
{
    for (cairn_node n = 0; n < cairn_space_node_count(space); n++) {
        cairn_edge edges[64];
        uint64_t h = cairn_estimate(space, CAIRN_HEURISTIC_AUTO, n, goal);
        uint32_t count = cairn_space_usable(space, n)
                             ? cairn_space_expand(space, n, 0, edges, LENGTH(edges))
                             : 0;
        for (uint32_t i = 0; i < count; i++)
            if (h > (uint64_t)edges[i].cost +
                        cairn_estimate(space, CAIRN_HEURISTIC_AUTO, edges[i].node, goal))
                return false;
    }
    return true;
}

/* What was walked, so that no test is about nothing. */
typedef struct walks {
    uint32_t all, directed, consistent;
} walks;

/* Two nodes between which there may be a path; false: there are none. */
static bool pick_ends(const kit *k, scene_rng *rng, cairn_node *from, cairn_node *to)
{
    uint32_t count = cairn_space_node_count(k->space);
    for (uint32_t i = 0; i < 60; i++) {
        *from = scene_random(rng, count), *to = scene_random(rng, count);
        if (*from != *to && cairn_reachable(k->space, *from, *to) != CAIRN_REACH_NO) return true;
    }
    return false;
}

/* From a few nodes of a space to others, with every rule. LSS-LRTA* and RTAA* keep estimates
 * consistent, as their papers say; all but RTA* never overestimate. */
static void walk_everywhere(kit *k, const oracle *o, uint64_t seed, walks *sum)
{
    scene_rng rng = {seed};
    oracle *back = oracle_reversed(o);
    for (uint32_t i = 0; i < SLOW_RULES; i++) {
        cairn_node from, to;
        char spec[64];
        uint32_t lookahead = 1 + scene_random(&rng, 24);
        slow_rule rule = i;
        if (!pick_ends(k, &rng, &from, &to)) continue;
        snprintf(spec, sizeof spec, "%s:lookahead=%u%s", slow_names[rule], lookahead,
                 rule >= SLOW_LSS && scene_random(&rng, 2) ? ",steps=one" : "");
        slow s = slow_begin(k->space, to, rule, lookahead);
        beliefs b = beliefs_begin(k->space, spec);
        oracle_search(back, to);
        b.truth = rule == SLOW_RTA ? NULL : back->distance;
        b.consistent = rule >= SLOW_LSS && begins_consistent(k->space, to);
        walk_beside(k, &s, &b, from, back->distance);
        sum->all++;
        sum->directed += cairn_space_directed(k->space);
        sum->consistent += b.consistent && b.edges;
        beliefs_end(&b);
        slow_end(&s);
    }
    oracle_destroy(back);
}

static void every_step_is_that_of_the_plain_algorithm_on_grids(void **state)
{
    (void)state;
    cairn_profile profile;
    walks sum = {0};
    for (uint32_t i = 0; i < scene_count(); i += test_sample()) {
        scene *s = scene_at(i);
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            kit k = kit_of_scene(s, &profile);
            oracle_grid raw = scene_raw(s);
            /* sized agents never cut corners: the profile of the space says so */
            oracle *o =
                oracle_of_grid(&raw, cairn_space_profile(k.space), cairn_space_scale(k.space));
            walk_everywhere(&k, o, i * 8 + rule + 1, &sum);
            oracle_destroy(o);
            kit_close(&k);
        }
        scene_destroy(s);
    }
    CHECK(sum.all >= 12 && sum.consistent >= 4 && (sum.directed > 8 || test_sample() > 1),
          "%u walks, %u of them where steps lead one way, %u consistent", sum.all, sum.directed,
          sum.consistent);
}

static void every_step_is_that_of_the_plain_algorithm_on_graphs(void **state)
{
    (void)state;
    walks sum = {0};
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        kit k = {0};
        CHECK_OK(cairn_context_create(NULL, &k.context));
        CHECK_OK(graph_scene_graph(s, k.context, &k.graph));
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        oracle *o = oracle_of_edges(s->node_count, s->edges, s->edge_count, s->both_ways);
        for (uint32_t round = 0; round < 3; round++)
            walk_everywhere(&k, o, 10 * i + round + 1, &sum);
        oracle_destroy(o);
        kit_close(&k);
        graph_scene_destroy(s);
    }
    CHECK(sum.directed > 8 && sum.consistent > 8, "%u and %u walks", sum.directed, sum.consistent);
}

/* ---- trials ---- */

/* One walk; what was learnt stays. */
static uint64_t trial(cairn_navigator *navigator, cairn_node from)
{
    cairn_move m = {0};
    uint64_t cost = 0;
    CHECK_OK(cairn_navigator_moved(navigator, from));
    while (!m.arrived) {
        CHECK_OK(cairn_navigator_next(navigator, &m));
        cost += m.cost;
    }
    return cost;
}

/* Walks again and again, with all that was learnt, until some walks in a row are the cheapest path.
 * True: the first one was not. */
static bool converge(one_way *w, const char *spec, cairn_node from, cairn_node to)
{
    enum { TRIALS = 4000, ROW = 6 };
    cairn_navigator *navigator;
    oracle_search(w->there, from);
    uint64_t best = w->there->distance[to], first = 0;
    kit_plan(&w->k, spec);
    CHECK_OK(cairn_navigator_create(w->k.planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, from, to));
    for (uint32_t i = 0, row = 0; row < ROW; i++) {
        uint64_t cost = trial(navigator, from);
        if (!i) first = cost;
        CHECK(cost >= best, "%s: a walk of %u, the best path costs %u", spec, (unsigned)cost,
              (unsigned)best);
        CHECK(i < TRIALS, "%s: after %u walks %u, not %u", spec, i, (unsigned)cost, (unsigned)best);
        row = cost == best ? row + 1 : 0;
    }
    cairn_navigator_destroy(navigator);
    return first > best;
}

static void walks_become_the_cheapest_path_over_trials(void **state)
{
    (void)state;
    static const char *const specs[] = {"lrtastar",     "lrtastar:lookahead=5",
                                        "lss-lrtastar", "lss-lrtastar:lookahead=3,steps=one",
                                        "rtaastar",     "rtaastar:lookahead=4,steps=one"};
    uint32_t count = test_lives(3 * ONE_WAY_KINDS, ONE_WAY_KINDS), worse = 0, directed = 0;
    for (uint64_t i = 0, life = test_first_life(); i < count; i++, life++) {
        one_way w = one_way_safe((uint32_t)(life - 1), 18, 14, life);
        scene_rng rng = {life};
        cairn_node from = 0, to = 0; /* where there are hardly any, the last walk again */
        test_tell_life("one way", life);
        for (uint32_t k = 0; k < LENGTH(specs); k++) {
            CHECK(one_way_pick(&w, &rng, &from, &to) || k, "world %u: no walk", (uint32_t)life);
            worse += converge(&w, specs[k], from, to);
        }
        directed += cairn_space_directed(w.k.space);
        one_way_end(&w);
    }
    CHECK(count < ONE_WAY_KINDS || (worse > 2 * count && directed >= count / 6), "%u of %u, %u",
          worse, count * (uint32_t)LENGTH(specs), directed);
}

/* A hollow that opens towards the start. */
static scene *hollow(void)
{
    scene *s = scene_blank("hollow", 40, 31);
    for (uint32_t y = 5; y < 26; y++) s->open[y * 40 + 30] = 0;
    for (uint32_t x = 15; x < 30; x++) s->open[5 * 40 + x] = s->open[25 * 40 + x] = 0;
    return s;
}

/* Looks of more nodes than there is room for at first. */
static void every_step_is_that_of_the_plain_algorithm_in_large_looks(void **state)
{
    (void)state;
    scene *world = hollow();
    kit k = kit_of_scene(world, NULL);
    for (uint32_t rule = 0; rule < SLOW_RULES; rule++) {
        char spec[64];
        slow s = slow_begin(k.space, 15 * 40 + 36, rule, 300);
        snprintf(spec, sizeof spec, "%s:lookahead=300", slow_names[rule]);
        beliefs b = beliefs_begin(k.space, spec);
        walk_beside(&k, &s, &b, 15 * 40 + 25, NULL);
        beliefs_end(&b);
        slow_end(&s);
    }
    kit_end(&k, world);
}

static uint64_t walk_cost(kit *k, const char *spec, cairn_node from, cairn_node to)
{
    cairn_navigator *navigator;
    kit_plan(k, spec);
    CHECK_OK(cairn_navigator_create(k->planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, from, to));
    uint64_t cost = trial(navigator, from);
    cairn_navigator_destroy(navigator);
    return cost;
}

/* The second best step is worth more than the best: the agent comes back less often. */
static void rta_leaves_a_hollow_sooner_than_lrta(void **state)
{
    (void)state;
    scene *s = hollow();
    kit k = kit_of_scene(s, NULL);
    cairn_node from = 15 * 40 + 18, to = 15 * 40 + 36;
    uint64_t rta = walk_cost(&k, "rtastar", from, to), lrta = walk_cost(&k, "lrtastar", from, to),
             lss = walk_cost(&k, "lss-lrtastar:lookahead=20", from, to),
             rtaa = walk_cost(&k, "rtaastar:lookahead=20", from, to);
    CHECK(rta < lrta, "RTA* %u, LRTA* %u", (unsigned)rta, (unsigned)lrta);
    CHECK(lss < lrta && rtaa < lrta && lss <= rtaa, "LSS-LRTA* %u, RTAA* %u", (unsigned)lss,
          (unsigned)rtaa);
    kit_end(&k, s);
}

/* What RTA* stores holds only for an agent that walks on; what LRTA* learns holds for every walk to
 * the same goal. */
static void a_push_forgets_what_rta_stored_and_no_more(void **state)
{
    (void)state;
    scene *s = hollow();
    kit k = kit_of_scene(s, NULL);
    cairn_node from = 15 * 40 + 18, to = 15 * 40 + 36;
    for (uint32_t r = SLOW_RTA; r <= SLOW_LRTA; r++) {
        cairn_navigator *navigator;
        kit_plan(&k, slow_names[r]);
        CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
        CHECK_OK(cairn_navigator_start(navigator, from, to));
        uint64_t first = trial(navigator, from), second = trial(navigator, from);
        CHECK(r == SLOW_RTA ? first == second : first > second, "%s: %u, then %u", slow_names[r],
              (unsigned)first, (unsigned)second);
        cairn_navigator_destroy(navigator);
    }
    kit_end(&k, s);
}

/* ---- worlds that change ---- */

/* A wall is built across, on the path that the agent has chosen and has not walked to its end, with a
 * way round at one end. Later a door opens in it. No step leads through the wall; the agent arrives. */
static void agents_arrive_in_a_world_that_changes(void **state)
{
    (void)state;
    for (uint32_t r = 0; r < SLOW_RULES; r++) {
        scene *s = scene_blank("field", 40, 31);
        kit k = kit_of_scene(s, NULL);
        cairn_navigator *navigator;
        cairn_move m = {0};
        uint32_t wall = 0; /* its column */
        kit_plan(&k, slow_names[r]);
        CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
        CHECK_OK(cairn_navigator_start(navigator, 15 * 40 + 2, 15 * 40 + 38));
        for (uint32_t turn = 0; !m.arrived; turn++) {
            CHECK(turn < 100000, "%s: no end", slow_names[r]);
            if (turn == 15) wall = m.to % 40 + 1;
            for (int32_t y = 0; y < 30 && (turn == 15 || turn == 300); y++)
                CHECK_OK(
                    cairn_grid_set_open(k.grid, (int32_t)wall, y, turn == 300 && y > 12 && y < 18));
            if (turn == 15 || turn == 300) CHECK_OK(cairn_grid_commit(k.grid));
            CHECK_OK(cairn_navigator_next(navigator, &m));
            CHECK(m.cost == cairn_space_step_cost(k.space, m.from, m.to),
                  "%s: turn %u: from %u to %u, which is blocked", slow_names[r], turn, m.from,
                  m.to);
        }
        cairn_navigator_destroy(navigator);
        kit_end(&k, s);
    }
}

/* Changes the world, but neither where the agent is nor its goal. Returns whether anything has
 * changed. */
typedef bool change(kit *k, scene_rng *rng, cairn_node at, cairn_node goal);

/* Some cells near the agent open and close. */
static bool change_cells(kit *k, scene_rng *rng, cairn_node at, cairn_node goal)
{
    uint64_t version = cairn_space_version(k->space);
    for (uint32_t i = 0; i < 20; i++) {
        cairn_cell c = cairn_grid_cell(k->grid, at);
        c.x += (int32_t)scene_random(rng, 17) - 8;
        c.y += (int32_t)scene_random(rng, 17) - 8;
        cairn_node n = cairn_grid_node(k->grid, c.x, c.y);
        if (n == CAIRN_NO_NODE || n == at || n == goal) continue;
        CHECK_OK(cairn_grid_set_open(k->grid, c.x, c.y, scene_random(rng, 3) > 0));
    }
    CHECK_OK(cairn_grid_commit(k->grid));
    return cairn_space_version(k->space) != version;
}

/* Walks beside the plain algorithm while the world changes, again and again from the start. What was
 * learnt is kept, but not what RTA* stored. */
static void walk_in_changes(kit *k, change *changes, slow *s, cairn_node from, scene_rng *rng,
                            const cairn_trace_sink *sink)
{
    cairn_navigator *navigator;
    cairn_move m = {0};
    char spec[64];
    snprintf(spec, sizeof spec, "%s:lookahead=%u", slow_names[s->rule], s->lookahead);
    kit_plan(k, spec);
    CHECK_OK(cairn_navigator_create(k->planner, NULL, &navigator));
    cairn_navigator_trace(navigator, sink);
    CHECK_OK(cairn_navigator_start(navigator, from, s->goal));
    for (uint32_t turn = 0; turn < 300; turn++) {
        if (m.arrived) CHECK_OK(cairn_navigator_moved(navigator, from));
        cairn_node at = cairn_navigator_at(navigator);
        if (m.arrived || (turn % 7 == 6 && changes(k, rng, at, s->goal))) {
            uint32_t count = cairn_space_node_count(k->space);
            s->path_count = 0;
            if (s->rule == SLOW_RTA) memset(s->learnt, 0, count * sizeof *s->learnt);
        }
        bool hope = cairn_reachable(k->space, at, s->goal) == CAIRN_REACH_YES;
        if (hope && !s->path_count) slow_look(s, at), slow_learn(s);
        cairn_status status = cairn_navigator_next(navigator, &m);
        CHECK(hope == (status == CAIRN_OK), "%s: %s", spec, cairn_status_text(status));
        if (!hope) continue;
        CHECK(m.to == s->path[s->path_count - 1], "%s: turn %u: from %u to %u, not to %u", spec,
              turn, m.from, m.to, s->path[s->path_count - 1]);
        s->path_count--;
    }
    cairn_navigator_destroy(navigator);
}

static void every_step_is_that_of_the_plain_algorithm_in_changes(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < test_times(120, 24); i++) {
        scene *world = i / SLOW_RULES % 2 ? scene_rooms("rooms", 40, 31, 9, i + 1) : hollow();
        kit k = kit_of_scene(world, NULL);
        scene_rng rng = {i + 1};
        cairn_node from = scene_pick(world, &rng), to = scene_pick(world, &rng);
        slow s = slow_begin(k.space, to, i % SLOW_RULES, 2 + scene_random(&rng, 30));
        if (from != to) walk_in_changes(&k, change_cells, &s, from, &rng, NULL);
        slow_end(&s);
        kit_end(&k, world);
    }
}

/* A ring with chords. */
enum { RING = 120, RING_EDGES = 3 * RING };

static cairn_graph_edge ring_edge(uint32_t i, scene_rng *rng)
{
    static const uint32_t chords[RING_EDGES / RING] = {1, 7, 31};
    return (cairn_graph_edge){i % RING, (i + chords[i / RING]) % RING, 1 + scene_random(rng, 60)};
}

/* Every edge has another cost. */
static bool change_costs(kit *k, scene_rng *rng, cairn_node at, cairn_node goal)
{
    (void)at, (void)goal;
    for (uint32_t i = 0; i < RING_EDGES; i++) {
        cairn_graph_edge e = ring_edge(i, rng);
        CHECK_OK(cairn_graph_set_weight(k->graph, e.from, e.to, e.weight));
        CHECK_OK(cairn_graph_set_weight(k->graph, e.to, e.from, e.weight));
    }
    CHECK_OK(cairn_graph_commit(k->graph));
    return true;
}

/* Nodes that were reopened, and not expanded again in the same look. */
typedef struct waiting {
    bool waits[RING];
    uint32_t sum;
} waiting;

static void waiting_event(void *user, const cairn_event *e)
{
    waiting *w = user;
    if (e->kind == CAIRN_EVENT_REOPEN) w->waits[e->node] = true;
    if (e->kind == CAIRN_EVENT_EXPAND) w->waits[e->node] = false;
    for (uint32_t i = 0; i < RING && e->kind == CAIRN_EVENT_PIECE; i++) {
        w->sum += w->waits[i];
        w->waits[i] = false;
    }
}

/* What was learnt of other costs is not consistent. So a cheaper path may lead to a closed node,
 * which is at the edge again: unless it is expanded once more, a look says nothing of it. */
static void every_step_is_that_of_the_plain_algorithm_where_nodes_are_reopened(void **state)
{
    (void)state;
    waiting w = {0};
    for (uint32_t i = 0; i < test_times(400, 100); i++) {
        kit k = {0};
        scene_rng rng = {i + 1};
        cairn_graph_edge edges[RING_EDGES];
        for (uint32_t e = 0; e < RING_EDGES; e++) edges[e] = ring_edge(e, &rng);
        cairn_graph_options options = {
            .node_count = RING, .edge_count = RING_EDGES, .edges = edges, .both_ways = true};
        CHECK_OK(cairn_context_create(NULL, &k.context));
        CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
        CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
        slow s = slow_begin(k.space, RING / 2, i % SLOW_RULES, 2 + scene_random(&rng, 20));
        walk_in_changes(&k, change_costs, &s, 0, &rng,
                        &(cairn_trace_sink){s.rule == SLOW_LSS ? waiting_event : NULL, &w});
        slow_end(&s);
        kit_close(&k);
    }
    CHECK(w.sum > 10, "%u nodes were at the edge again: this tells nothing", w.sum);
}

/* A small graph whose costs change again and again, so that nodes are reopened, and a look has more
 * expansions than there are nodes. After three moves there is no more memory. Returns how many moves
 * were refused for that. */
enum { CROWDED = 24 };

static cairn_graph_edge crowded_edge(uint32_t i, scene_rng *rng)
{
    cairn_graph_edge e = {i % CROWDED, (i + 1) % CROWDED, 1 + scene_random(rng, 1000)};
    if (i >= CROWDED) e.from = scene_random(rng, CROWDED);
    if (i >= CROWDED) e.to = (e.from + 1 + scene_random(rng, CROWDED - 1)) % CROWDED;
    return e;
}

static void crowded_change(kit *k, const cairn_graph_edge *edges, cairn_node goal, scene_rng *rng)
{
    for (uint32_t i = 0; i < 6; i++) {
        const cairn_graph_edge *e = &edges[scene_random(rng, 3 * CROWDED)];
        CHECK_OK(cairn_graph_set_weight(k->graph, e->from, e->to, 1 + scene_random(rng, 1000)));
    }
    for (uint32_t i = 0; i < 3 * CROWDED; i++)
        if (edges[i].from == goal || edges[i].to == goal)
            CHECK_OK(cairn_graph_set_edge_open(k->graph, edges[i].from, edges[i].to,
                                               scene_random(rng, 4) == 0));
    CHECK_OK(cairn_graph_commit(k->graph));
}

static uint32_t crowded_walk(const char *spec, uint64_t seed)
{
    kit k = {0};
    watched memory = {0};
    scene_rng rng = {seed};
    cairn_navigator *navigator;
    uint32_t refused = 0;
    cairn_graph_edge edges[3 * CROWDED];
    for (uint32_t i = 0; i < LENGTH(edges); i++) edges[i] = crowded_edge(i, &rng);
    cairn_graph_options options = {
        .node_count = CROWDED, .edge_count = LENGTH(edges), .edges = edges, .both_ways = true};
    CHECK_OK(watched_context(&memory, &k.context));
    CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    kit_plan(&k, spec);
    cairn_node goal = scene_random(&rng, CROWDED);
    CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, scene_random(&rng, CROWDED), goal));
    for (uint32_t i = 0; i < 60; i++) {
        cairn_move m;
        memory.fail_at = i < 3 ? 0 : memory.calls + 1;
        memory.fail_on = true;
        refused += cairn_navigator_next(navigator, &m) == CAIRN_OUT_OF_MEMORY;
        memory.fail_at = 0;
        crowded_change(&k, edges, goal, &rng);
        cairn_navigator_moved(navigator, scene_random(&rng, CROWDED));
    }
    cairn_navigator_destroy(navigator);
    kit_close(&k);
    return refused;
}

/* Whatever of a look there is no room for, it ends, and says so. */
static void a_look_without_room_ends(void **state)
{
    (void)state;
    uint32_t refused = 0;
    for (uint64_t seed = 1; seed <= 100; seed++)
        refused += crowded_walk("lss-lrtastar:lookahead=200", seed);
    CHECK(refused, "there was always room: this tells nothing");
}

/* What RTA* stored makes the way back too expensive for 32 bits: it forgets that and looks again,
 * in the same call. */
static void rta_forgets_what_is_too_expensive_at_once(void **state)
{
    (void)state;
    enum { START, DEAD_END, DOOR, GOAL };
    const uint32_t far = 3000000000u;
    cairn_graph_edge edges[] = {{START, DEAD_END, far}, {START, DOOR, far + 1}, {DOOR, GOAL, 1}};
    cairn_graph_options options = {
        .node_count = 4, .edge_count = LENGTH(edges), .edges = edges, .both_ways = true};
    static const cairn_node walk[] = {DEAD_END, START, DOOR, GOAL};
    kit k = {0};
    cairn_navigator *navigator;
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_graph_create(k.context, &options, &k.graph, NULL));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    kit_plan(&k, "rtastar");
    CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
    CHECK_OK(cairn_navigator_start(navigator, START, GOAL));
    for (uint32_t i = 0; i < LENGTH(walk); i++) {
        cairn_move m;
        CHECK_OK(cairn_navigator_next(navigator, &m));
        CHECK(m.to == walk[i], "step %u leads to %u", i, m.to);
    }
    cairn_navigator_destroy(navigator);
    kit_close(&k);
}

/* ---- memory ---- */

/* The first looks are on open ground. Then it comes to the wall, and has learnt about some nodes,
 * but no more than one block of the table has room for. */
static void an_agent_takes_little_memory_and_none_once_warm(void **state)
{
    (void)state;
    enum { BLOCK = 256 * 16 + 2 * 16 * (int)sizeof(void *), STEPS = 30 };
    for (uint32_t r = 0; r < SLOW_RULES; r++) {
        scene *s = hollow();
        watched w = {0};
        kit k = {0};
        char spec[64];
        cairn_navigator *navigator;
        snprintf(spec, sizeof spec, "%s:lookahead=10", slow_names[r]);
        CHECK_OK(watched_context(&w, &k.context));
        CHECK_OK(scene_grid(s, k.context, &k.grid));
        CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
        kit_plan(&k, spec);
        size_t before = w.bytes;
        CHECK_OK(cairn_navigator_create(k.planner, NULL, &navigator));
        CHECK_OK(cairn_navigator_start(navigator, 15 * 40 + 18, 15 * 40 + 36));
        for (uint32_t i = 0; i < STEPS; i++) CHECK_OK(cairn_navigator_next(navigator, NULL));
        size_t held = w.bytes - before;
        CHECK(held > BLOCK && held - BLOCK <= 4096, "%s: an agent takes %u bytes", spec,
              (unsigned)held);
        trial(navigator, 15 * 40 + 18);
        CHECK_OK(cairn_navigator_start(navigator, 15 * 40 + 18, 15 * 40 + 36));
        uint64_t calls = w.calls;
        trial(navigator, 15 * 40 + 18);
        CHECK(w.calls == calls, "%s: asks for memory again", spec);
        cairn_navigator_destroy(navigator);
        kit_end(&k, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_navigator_that_looks_ahead_is_written_down_plainly),
        cmocka_unit_test(every_step_is_that_of_the_plain_algorithm_on_grids),
        cmocka_unit_test(every_step_is_that_of_the_plain_algorithm_on_graphs),
        cmocka_unit_test(every_step_is_that_of_the_plain_algorithm_in_large_looks),
        cmocka_unit_test(walks_become_the_cheapest_path_over_trials),
        cmocka_unit_test(rta_leaves_a_hollow_sooner_than_lrta),
        cmocka_unit_test(a_push_forgets_what_rta_stored_and_no_more),
        cmocka_unit_test(agents_arrive_in_a_world_that_changes),
        cmocka_unit_test(every_step_is_that_of_the_plain_algorithm_in_changes),
        cmocka_unit_test(every_step_is_that_of_the_plain_algorithm_where_nodes_are_reopened),
        cmocka_unit_test(a_look_without_room_ends),
        cmocka_unit_test(rta_forgets_what_is_too_expensive_at_once),
        cmocka_unit_test(an_agent_takes_little_memory_and_none_once_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
