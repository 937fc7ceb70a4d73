/* test_conformance_navigators.c: what every algorithm promises to an agent, at every single step.
 * Agents live in random worlds and graphs that are edited, some of them only partly known. They are
 * pushed, go where they like, and get other goals, now and then a new one in every turn. After every
 * call a fresh oracle says what is true in the world as the agent knows it:
 * - every step is legal at the cost that is reported, in the known world and in truth; who stops has
 *   no path;
 * - navigators with CAIRN_OPTIMAL, and optimal planners that plan again after every change, make
 *   only steps of a cheapest path; a bound is kept by the path ahead, and is 1 if these navigators
 *   show one;
 * - a limit of work is never exceeded; slices change no step of those navigators;
 * - who is left alone arrives, or stops because there is no path from there, after a bounded number
 *   of moves.
 *
 * Half of the navigators have other parameters than the default.
 *
 * CAIRN_TEST_LIVES=N runs N lives of each navigator, of A* and of the algorithm that
 * CAIRN_TEST_ALGORITHM names, and a twentieth of that of other planners, on each kind of world
 * instead of a sample, from CAIRN_TEST_SEED on.
 */
#include "conformance.h"
#include "sensed_ground.h"

enum { CALLS = 40, MANY_COMMITS = 70, PATIENCE = 4000000, AGENTS = 3, SPEC = 160 };

typedef struct agent {
    cairn_navigator *navigator;
    cairn_navigator_options options;
    bool optimal;     /* at every step; after a commit only once it has planned again, ... */
    bool lazy;        /* ... if it does so only when it must */
    uint64_t planned; /* in this version of the known world */
    uint64_t traced;
} agent;

typedef struct life {
    ground *g;
    const cairn_algorithm *algorithm;
    cairn_planner *planner;
    agent agents[AGENTS]; /* the second one thinks in slices what the first one thinks at once */
    uint32_t count;
    bool sliced; /* the first two must walk alike */
    uint64_t steps, hash;
} life;

/* ---- one call ------------------------------------------------------------------------- */

static void check_stop(life *l, const cairn_move *m, cairn_node goal)
{
    uint64_t best = ground_cost(l->g->known, m->from, goal);
    const oracle *o = ground_oracle(l->g->known);
    cairn_status must = !o->usable[m->from]   ? CAIRN_BLOCKED_START
                        : !o->usable[goal]    ? CAIRN_BLOCKED_GOAL
                        : best == ORACLE_NONE ? CAIRN_UNREACHABLE
                                              : CAIRN_OK;
    CHECK(m->status == must, "%s: stops at %u, %lld from %u: \"%s\", not \"%s\"",
          l->algorithm->name, m->from, (long long)best, goal, cairn_status_text(m->status),
          cairn_status_text(must));
}

/* Beside a step on foot there may be a link between the same nodes. */
static uint64_t true_cost(ground_side *side, const cairn_move *m)
{
    const oracle *o = ground_oracle(side);
    return m->linked ? oracle_link(o, m->from, m->to, m->link) : oracle_walk(o, m->from, m->to);
}

/* What a navigator promises of its path now: at most so many times the least cost; INFINITY =
 * nothing. Those with CAIRN_OPTIMAL that show a path promise that it is the best one; without a
 * path there is no promise. */
static double agent_bound(const life *l, const agent *a, const cairn_move *m, uint32_t count)
{
    double bound = cairn_navigator_bound(a->navigator);
    bool own = l->algorithm->kind == CAIRN_KIND_NAVIGATOR, must = own && a->optimal && count;
    CHECK(bound >= 1 && (bound == 1 || !(must || m->arrived)), "%s: a bound of %g",
          l->algorithm->name, bound);
    CHECK(count || m->arrived || bound == (double)INFINITY, "%s: a bound of %g without a path",
          l->algorithm->name, bound);
    return bound;
}

/* The path behind the step keeps the bound. */
static void check_ahead(life *l, const agent *a, const cairn_move *m, uint64_t rest)
{
    cairn_node ahead[1024];
    uint32_t count = cairn_navigator_ahead(a->navigator, ahead, LENGTH(ahead));
    double bound = agent_bound(l, a, m, count);
    uint64_t sum = 0;
    if (!count || bound == (double)INFINITY || (m->arrived && !a->optimal)) return;
    CHECK(count <= LENGTH(ahead) && ahead[0] == m->to &&
              ahead[count - 1] == cairn_navigator_goal(a->navigator),
          "%s: the path ahead leads from %u to %u", l->algorithm->name, ahead[0], ahead[count - 1]);
    for (uint32_t i = 0; i + 1 < count; i++)
        sum += oracle_edge(ground_oracle(l->g->known), ahead[i], ahead[i + 1]);
    CHECK((double)sum <= bound * (double)rest, "%s: a path of %lld, the best is %lld",
          l->algorithm->name, (long long)sum, (long long)rest);
}

static void check_step(life *l, const agent *a, const cairn_move *m, cairn_node goal)
{
    const char *name = l->algorithm->name;
    ground_side *known = l->g->known, *truth = &l->g->truth;
    uint64_t cost = true_cost(known, m);
    CHECK(m->cost == cost, "%s: from %u to %u for %u, not %lld", name, m->from, m->to, m->cost,
          (long long)cost);
    if (known != truth) {
        cost = true_cost(truth, m);
        CHECK(m->cost == cost, "%s: from %u to %u for %u, in truth %lld", name, m->from, m->to,
              m->cost, (long long)cost);
    }
    uint64_t best = ground_cost(known, m->from, goal), rest = ground_cost(known, m->to, goal);
    check_ahead(l, a, m, rest);
    if (!a->optimal || (a->lazy && a->planned != known->version)) return;
    CHECK(m->cost + rest == best, "%s: from %u over %u to %u costs %lld, the best %lld", name,
          m->from, m->to, goal, (long long)(m->cost + rest), (long long)best);
}

/* Navigators of their own may have a slice for every turn, and think without a limit too. */
static void check_think(const life *l, const agent *a)
{
    bool may = a->options.work || (l->algorithm->kind == CAIRN_KIND_NAVIGATOR && !a->optimal);
    CHECK(may, "%s: thinks without a limit", l->algorithm->name);
}

static void check_move(life *l, agent *a, const cairn_move *m, cairn_node goal)
{
    const char *name = l->algorithm->name;
    CHECK(m->to == cairn_navigator_at(a->navigator) && m->arrived == (m->to == goal),
          "%s: a jump, or another goal", name);
    CHECK(!a->options.work || m->work <= a->options.work, "%s: %u units of work, of %u", name,
          (unsigned)m->work, (unsigned)a->options.work);
    CHECK((m->kind == CAIRN_MOVE_ARRIVED) == (m->from == goal), "%s: arrived?", name);
    CHECK(m->kind == CAIRN_MOVE_STEP || (m->to == m->from && !m->cost), "%s: stands, but moves",
          name);
    if (m->kind == CAIRN_MOVE_STEP) check_step(l, a, m, goal);
    if (m->kind == CAIRN_MOVE_STOP) check_stop(l, m, goal);
    if (m->kind == CAIRN_MOVE_THINK) check_think(l, a);
}

static void life_note(life *l, const cairn_move *m)
{
    uint64_t all[] = {m->to, m->kind, m->cost, m->work, m->expanded, m->plans, m->seen};
    for (uint32_t i = 0; i < LENGTH(all); i++)
        l->hash = (l->hash ^ all[i]) * UINT64_C(1099511628211);
    l->steps += m->kind == CAIRN_MOVE_STEP;
}

static cairn_move agent_next(life *l, agent *a)
{
    cairn_move m;
    cairn_node at = cairn_navigator_at(a->navigator), goal = cairn_navigator_goal(a->navigator);
    uint64_t traced = a->traced, seen = cairn_navigator_sums(a->navigator).seen;
    ground_see(l->g, at);
    cairn_status status = cairn_navigator_next(a->navigator, &m);
    CHECK(m.status == status && m.from == at, "%s: a jump", l->algorithm->name);
    CHECK(cairn_navigator_sums(a->navigator).seen == seen + m.seen, "%s: seen", l->algorithm->name);
    CHECK(!a->traced || a->traced - traced == m.expanded, "%s: %u expansions, %u reported",
          l->algorithm->name, (unsigned)m.expanded, (unsigned)(a->traced - traced));
    ground_check_known(l->g);
    if (m.plans) a->planned = cairn_space_version(l->g->known->w.space);
    check_move(l, a, &m, goal);
    life_note(l, &m);
    return m;
}

/* To the end of what it has to think. */
static cairn_move agent_think(life *l, agent *a, uint64_t *expanded)
{
    cairn_move m = {.status = CAIRN_RUNNING};
    for (uint32_t i = 0; m.status == CAIRN_RUNNING; i++) {
        CHECK(i < PATIENCE, "%s: thinks without end", l->algorithm->name);
        m = agent_next(l, a);
        *expanded += m.expanded;
    }
    return m;
}

static void life_turn(life *l)
{
    uint64_t expanded = 0;
    cairn_move whole = agent_next(l, &l->agents[0]);
    if (l->sliced) {
        cairn_move sliced = agent_think(l, &l->agents[1], &expanded);
        CHECK(whole.status == sliced.status && whole.to == sliced.to && whole.expanded == expanded,
              "%s: slices make another walk: to %u and %u", l->algorithm->name, whole.to,
              sliced.to);
    }
    agent_next(l, &l->agents[2]);
}

/* ---- what happens to agents -------------------------------------------------------------- */

static void life_each(life *l, cairn_status (*what)(cairn_navigator *, cairn_node), cairn_node node)
{
    for (uint32_t i = 0; i < AGENTS; i++)
        if (l->agents[i].navigator) CHECK_OK(what(l->agents[i].navigator, node));
}

static cairn_node any_node(ground *g)
{
    cairn_node node = scene_random(&g->rng, g->count);
    for (uint32_t i = 0; i < 30 && !cairn_space_usable(g->truth.w.space, node); i++)
        node = scene_random(&g->rng, g->count);
    return node;
}

/* A node beside another one, in truth. */
static cairn_node node_beside(ground *g, cairn_node node)
{
    cairn_edge edges[16];
    uint32_t count = cairn_space_expand(g->truth.w.space, node, 0, edges, LENGTH(edges));
    return count ? edges[scene_random(&g->rng, count)].node : node;
}

static void life_edit(life *l)
{
    ground *g = l->g;
    ground_side *side = g->range && !scene_random(&g->rng, 5) ? &g->belief : &g->truth;
    uint32_t commits = scene_random(&g->rng, 80) ? 1 : MANY_COMMITS; /* the history forgets */
    for (uint32_t i = 0; i < commits; i++) {
        if (scene_random(&g->rng, 2) && side == &g->truth)
            ground_edit_ahead(g, l->agents[0].navigator);
        for (uint32_t k = scene_random(&g->rng, 4); k; k--) ground_edit(g, side);
        ground_commit(side);
    }
}

static void life_event(life *l, bool chases)
{
    ground *g = l->g;
    const cairn_navigator *first = l->agents[0].navigator;
    uint32_t what = scene_random(&g->rng, 20);
    if (what < 4) life_edit(l);
    if (what == 5) life_each(l, cairn_navigator_moved, any_node(g));
    if (what == 6) life_each(l, cairn_navigator_moved, node_beside(g, cairn_navigator_at(first)));
    if (what == 7 && !scene_random(&g->rng, 3)) life_each(l, cairn_navigator_retarget, any_node(g));
    if (chases) life_each(l, cairn_navigator_retarget, node_beside(g, cairn_navigator_goal(first)));
}

/* Nothing happens any more. */
static void life_settle(life *l, agent *a)
{
    const ground *g = l->g;
    uint64_t moves = 0, most = (uint64_t)g->count * (g->count + 10);
    cairn_move m = {0};
    for (uint32_t calls = 0; !m.arrived && m.kind != CAIRN_MOVE_STOP; calls++) {
        m = agent_next(l, a);
        moves += m.kind == CAIRN_MOVE_STEP;
        CHECK(moves <= most && calls < PATIENCE, "%s: walks and walks, from %u to %u",
              l->algorithm->name, m.from, cairn_navigator_goal(a->navigator));
    }
}

/* ---- kinds of worlds --------------------------------------------------------------------- */

typedef enum kind {
    SQUARES_4,
    SQUARES_8,
    HEXAGONS,
    CORNERS, /* may be cut, all of them or some */
    TERRAIN,
    HEIGHTS,
    SIZES,
    LINKS,
    FOG,
    ON_GRIDS,
    BOTH_WAYS = ON_GRIDS, /* graphs */
    DIRECTED,
    FOG_IN_GRAPHS,
    KINDS
} kind;

static const char *const kind_names[KINDS] = {
    "squares, 4", "squares, 8", "hexagons", "cut corners", "terrain",  "heights",
    "sizes",      "links",      "fog",      "both ways",   "directed", "fog in graphs"};

/* What happened in many lives. */
typedef struct tally {
    uint64_t steps, lives; /* walked */
    uint64_t of[KINDS];    /* lives */
} tally;

static void tally_grid(tally *t, const ground *g)
{
    const scene *s = g->truth.w.scene;
    const cairn_profile *p = cairn_space_profile(g->truth.w.space);
    t->of[SQUARES_4] += p->neighbours == CAIRN_NEIGHBOURS_4;
    t->of[SQUARES_8] += p->neighbours == CAIRN_NEIGHBOURS_8;
    t->of[HEXAGONS] += p->neighbours == CAIRN_NEIGHBOURS_HEX;
    t->of[CORNERS] += p->neighbours == CAIRN_NEIGHBOURS_8 && p->corners != CAIRN_CORNERS_NEVER;
    t->of[TERRAIN] += s->terrain != NULL;
    t->of[HEIGHTS] += s->elevation != NULL;
    t->of[SIZES] += p->radius > 0 || p->footprint > 1;
    t->of[LINKS] += s->link_count > 0;
    t->of[FOG] += g->range > 0;
}

static void tally_add(tally *t, const ground *g)
{
    t->lives++;
    if (!g->truth.graph) {
        tally_grid(t, g);
        return;
    }
    bool directed = cairn_space_directed(g->truth.w.space);
    t->of[directed ? DIRECTED : BOTH_WAYS]++;
    t->of[FOG_IN_GRAPHS] += g->range > 0;
}

/* At least one life of 40 is in each kind of world. */
static void tally_check(const tally *t, const char *name, bool graphs)
{
    for (uint32_t k = graphs ? ON_GRIDS : 0; k < (graphs ? KINDS : ON_GRIDS); k++)
        CHECK(t->of[k] * 40 >= t->lives, "%s: %llu lives in %s, of %llu", name,
              (unsigned long long)t->of[k], kind_names[k], (unsigned long long)t->lives);
    if (!getenv("CAIRN_TEST_TELL")) return;
    print_error("%s: %llu lives, %llu steps", name, (unsigned long long)t->lives,
                (unsigned long long)t->steps);
    for (uint32_t k = graphs ? ON_GRIDS : 0; k < (graphs ? KINDS : ON_GRIDS); k++)
        print_error("; %s %llu", kind_names[k], (unsigned long long)t->of[k]);
    print_error("\n");
}

/* ---- a life ------------------------------------------------------------------------------ */

static void count_expansion(void *user, const cairn_event *event)
{
    agent *a = user;
    a->traced += event->kind == CAIRN_EVENT_EXPAND;
}

/* These walk whole lines. */
static bool walks_lines(const life *l)
{
    const cairn_profile *profile = cairn_space_profile(l->g->truth.w.space);
    return l->algorithm->flags & CAIRN_ANY_ANGLE && profile &&
           (profile->radius > 0 || profile->footprint > 1);
}

/* False: it gets no sensor here, and says why. */
static bool agent_open(life *l, agent *a, cairn_navigator_options options, bool traced)
{
    a->options = options;
    CHECK_OK(cairn_navigator_create(l->planner, &options, &a->navigator));
    if (traced) {
        a->traced = 1;
        cairn_navigator_trace(a->navigator, &(cairn_trace_sink){count_expansion, a});
    }
    if (!l->g->range) return true;
    cairn_error error = {0};
    cairn_status status =
        cairn_navigator_set_sensor(a->navigator, l->g->truth.w.space, l->g->range, &error);
    if (status == CAIRN_OK) return true;
    CHECK(status == CAIRN_UNSUPPORTED && walks_lines(l) && error.text[0], "%s: %s",
          l->algorithm->name, error.text);
    return false;
}

/* The agents of a navigator, or of a planner that plans again and again. */
static bool life_agents(life *l, bool traced)
{
    scene_rng *rng = &l->g->rng;
    bool own = l->algorithm->kind == CAIRN_KIND_NAVIGATOR,
         optimal = own ? l->algorithm->flags & CAIRN_OPTIMAL : cairn_planner_optimal(l->planner);
    uint32_t slice = own && optimal ? 3 : 30;
    cairn_navigator_options whole = {.replan = CAIRN_REPLAN_CHANGED},
                            late = {.work = 1 + scene_random(rng, slice)};
    if (!own && scene_random(rng, 2)) whole.replan = CAIRN_REPLAN_BLOCKED;
    l->agents[0].lazy = !own && whole.replan == CAIRN_REPLAN_BLOCKED;
    if (!own && scene_random(rng, 2)) late.replan = CAIRN_REPLAN_CHANGED;
    if (!own && scene_random(rng, 2)) late.piece = 1 + scene_random(rng, 9);
    l->sliced = own && optimal;
    l->agents[0].optimal = optimal;
    l->agents[1].optimal = l->agents[2].optimal = own && optimal;
    bool ok =
        agent_open(l, &l->agents[0], whole, traced) && agent_open(l, &l->agents[2], late, traced);
    cairn_navigator_options sliced = {.work = 1 + scene_random(rng, 3)};
    if (walks_lines(l)) return false; /* test_conformance_walk.c looks at lines */
    return ok && (!l->sliced || agent_open(l, &l->agents[1], sliced, traced));
}

static void life_run(life *l)
{
    ground *g = l->g;
    bool chases = !scene_random(&g->rng, 4);
    cairn_node from = any_node(g), to = any_node(g);
    for (uint32_t i = 0; i < AGENTS; i++)
        if (l->agents[i].navigator)
            CHECK_OK(cairn_navigator_start(l->agents[i].navigator, from, to));
    for (uint32_t call = 0; call < CALLS; call++) {
        life_event(l, chases);
        life_turn(l);
    }
    for (uint32_t i = 0; i < AGENTS; i++)
        if (l->agents[i].navigator) life_settle(l, &l->agents[i]);
}

/* Half of the agents know only a part of their world. */
static void life_fog(ground *g)
{
    scene_rng *rng = &g->rng;
    if (scene_random(rng, 2)) return;
    uint32_t what = scene_random(rng, 3) == 0 ? CAIRN_KNOW_NOTHING : CAIRN_KNOW_ALL;
    if (!scene_random(rng, 3)) what = scene_random(rng, CAIRN_KNOW_ALL + 1);
    uint8_t ground_class = scene_random(rng, 4) ? 0 : (uint8_t)scene_random(rng, 5);
    ground_forget(g, what, ground_class, ground_least_range(g) + scene_random(rng, 4));
    /* the world has changed since the map was drawn */
    for (uint32_t i = scene_random(rng, 12); i; i--) ground_edit(g, &g->truth);
    ground_commit(&g->truth);
}

/* Returns the hash of all that happened. */
static uint64_t life_of(const cairn_algorithm *algorithm, const char *spec, ground *g, bool traced,
                        tally *sum)
{
    life l = {.g = g, .algorithm = algorithm};
    cairn_error error = {0};
    life_fog(g);
    cairn_status status = planner_ready(g->known->w.space, spec, &l.planner, &error);
    if (status == CAIRN_OK && life_agents(&l, traced)) {
        if (!traced) tally_add(sum, g);
        life_run(&l);
    }
    CHECK(status == CAIRN_OK || (status == CAIRN_UNSUPPORTED && error.text[0]), "%s: %s", spec,
          error.text);
    for (uint32_t i = 0; i < AGENTS; i++) cairn_navigator_destroy(l.agents[i].navigator);
    cairn_planner_destroy(l.planner);
    ground_end(g);
    sum->steps += l.steps;
    return l.hash;
}

/* ---- parameters ---------------------------------------------------------------------------- */

/* A value of a parameter: often a small one, and never so large that the agent sees all at once. */
static int64_t mind_value(const cairn_parameter *p, scene_rng *rng)
{
    enum { NEAR = 12, FAR = 1500 };
    int64_t far = p->type == CAIRN_PARAMETER_NUMBER ? FAR : scene_random(rng, 2) ? NEAR : 100;
    int64_t most = p->maximum - p->minimum < far ? p->maximum - p->minimum : far;
    return p->minimum + scene_random(rng, (uint32_t)most + 1);
}

static int mind_write(const cairn_parameter *p, int64_t value, char *out, size_t size)
{
    if (p->type == CAIRN_PARAMETER_CHOICE)
        return snprintf(out, size, "%s=%s", p->name, p->choices[value]);
    if (p->type == CAIRN_PARAMETER_NUMBER)
        return snprintf(out, size, "%s=%.8f", p->name, (double)value / 256);
    return snprintf(out, size, "%s=%lld", p->name, (long long)value);
}

/* Every second life of a navigator has some other parameters than the default. */
static void mind_of(const cairn_algorithm *a, uint64_t seed, char spec[SPEC])
{
    scene_rng rng = {seed * 31};
    size_t used = (size_t)snprintf(spec, SPEC, "%s", a->name);
    char mark = ':';
    if (a->kind != CAIRN_KIND_NAVIGATOR || seed % 2 == 0) return;
    for (uint32_t i = 0; i < a->parameter_count; i++) {
        const cairn_parameter *p = &a->parameters[i];
        if (!scene_random(&rng, 3)) continue;
        spec[used++] = mark;
        mark = ',';
        used += (size_t)mind_write(p, mind_value(p, &rng), spec + used, SPEC - used);
        assert_true(used < SPEC - 1);
    }
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* Planners are tested elsewhere too; they have fewer lives. */
static uint32_t lives(const cairn_algorithm *a)
{
    bool led = a->kind == CAIRN_KIND_NAVIGATOR || !strcmp(a->name, "astar");
    bool named = getenv("CAIRN_TEST_ALGORITHM"), asked = getenv("CAIRN_TEST_LIVES");
    uint32_t count = test_lives(led ? 20 : 4, 3);
    return asked && !led && !named ? 1 + count / 20 : count;
}

/* Has the world of this life that kind? */
static bool is_of_kind(ground *(*make)(uint64_t seed), uint64_t seed, uint32_t which)
{
    tally t = {0};
    ground *g = make(seed * 7919);
    life_fog(g);
    tally_add(&t, g);
    ground_end(g);
    return t.of[which];
}

/* One life more in a world of this kind, the first one from `seed` on in which the agent lives. */
static void live_in(const cairn_algorithm *a, ground *(*make)(uint64_t seed), uint32_t which,
                    uint64_t seed, tally *all)
{
    enum { TRIES = 2000 };
    uint64_t lives = all->of[which], end = seed + TRIES;
    for (; all->of[which] == lives && seed < end; seed++) {
        char spec[SPEC];
        if (!is_of_kind(make, seed, which)) continue;
        mind_of(a, seed, spec);
        test_tell_life(spec, seed);
        life_of(a, spec, make(seed * 7919), false, all);
    }
    CHECK(all->of[which] > lives, "%s: no life in %s", a->name, kind_names[which]);
}

static void live(const cairn_algorithm *a, ground *(*make)(uint64_t seed), tally *all)
{
    enum { MANY = 200 };
    tally sum = {0};
    uint64_t first = test_first_life();
    bool graphs = make == ground_of_graph;
    for (uint64_t seed = first; seed < first + lives(a); seed++) {
        char spec[SPEC];
        mind_of(a, seed, spec);
        test_tell_life(spec, seed);
        uint64_t once = life_of(a, spec, make(seed * 7919), false, &sum);
        if (seed % 3) continue;
        CHECK(once == life_of(a, spec, make(seed * 7919), true, &sum),
              "%s: another life when it is traced", spec);
    }
    if (a->kind == CAIRN_KIND_NAVIGATOR && lives(a) >= MANY) tally_check(&sum, a->name, graphs);
    CHECK(sum.steps >= lives(a) || !(a->worlds & 1u << CAIRN_WORLD_GRAPH), "%s: hardly a step",
          a->name);
    for (uint32_t k = 0; k < KINDS; k++) all->of[k] += sum.of[k];
    all->lives += sum.lives;
    all->steps += sum.steps;
}

/* Those that give up are no good at leading agents. A sample has few seeds, and so few worlds. So
 * every navigator has a life in a world of the next kind besides, and a run has them all. */
static void each_algorithm(ground *(*make)(uint64_t seed))
{
    enum { FORCED = 100000 };
    tally all = {0};
    bool graphs = make == ground_of_graph;
    uint32_t first = graphs ? ON_GRIDS : 0, kinds = (graphs ? KINDS : ON_GRIDS) - first, forced = 0;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (!conformance_is_about(a) || a->flags & CAIRN_EXPONENTIAL) continue;
        live(a, make, &all);
        bool serves = !graphs || a->worlds & 1u << CAIRN_WORLD_GRAPH;
        if (a->kind != CAIRN_KIND_NAVIGATOR || !serves) continue;
        live_in(a, make, first + forced++ % kinds, FORCED, &all);
    }
    for (uint32_t k = first; k < first + kinds && forced >= kinds; k++)
        CHECK(all.of[k], "no life in %s", kind_names[k]);
    if (!getenv("CAIRN_TEST_TELL")) return;
    print_error("all: %llu lives", (unsigned long long)all.lives);
    for (uint32_t k = first; k < first + kinds; k++)
        print_error("; %s %llu", kind_names[k], (unsigned long long)all.of[k]);
    print_error("\n");
}

static void agents_keep_every_promise_on_grids(void **state)
{
    (void)state;
    each_algorithm(ground_of_grid);
}

static void agents_keep_every_promise_on_graphs(void **state)
{
    (void)state;
    each_algorithm(ground_of_graph);
}

/* The worlds of the lives above are those of the first seeds. */
static void every_kind_of_world_has_its_share(void **state)
{
    (void)state;
    enum { WORLDS = 400 };
    for (uint32_t graphs = 0; graphs < 2; graphs++) {
        tally sum = {0};
        for (uint64_t seed = 1; seed <= WORLDS; seed++) {
            ground *g = (graphs ? ground_of_graph : ground_of_grid)(seed * 7919);
            life_fog(g);
            tally_add(&sum, g);
            ground_end(g);
        }
        tally_check(&sum, "worlds", graphs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_world_has_its_share),
        cmocka_unit_test(agents_keep_every_promise_on_grids),
        cmocka_unit_test(agents_keep_every_promise_on_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
