/* test_navigator_bytes.c: what an agent holds whose search is repaired, learns or improves (lpastar,
 * dstar-lite, dstar, the family of aastar, the anytime ones: every navigator that promises to be
 * optimal or anytime; and rtdstar). At most 16 bytes for each node that its search came to, 12 for each
 * one that was on its queue at once, and FIXED for the agent itself, for lists that have just grown and
 * for pages that are not full. An agent that looks ahead besides (rtdstar) needs all of FIXED for itself, so
 * the first pages that are not full are counted, and what it learns. Nodes are counted here, by what the search tells a sink; the bytes are those that
 * cairn_navigator_sums reports, and the allocator confirms them. test_lookahead has those that only
 * look ahead.
 *
 * CAIRN_BYTES_TELL=1 prints each case.
 */
#include "continuous/navigator.h"
#include "navigators.h"
#include <cairn/generate.h>

enum { FIXED = 4096, QUERIES = 3 };

/* What is learnt is kept in blocks of so many nodes, with 16 bytes for each of them, and in lists of
 * these blocks that have just grown; so are costs of the few RAISE states that are on D*'s queue. Records
 * are in pages of so many nodes, and each region of so many nodes has pages of its own. A queue grows by so
 * many. */
enum {
    BLOCK_NODES = 256,
    BLOCK_LISTS = 2 * 16 * (int)sizeof(void *),
    PAGE_NODES = 64,
    REGION_NODES = 32768,
    QUEUE_NODES = 64
};

/* ---- places --------------------------------------------------------------------------- */

typedef struct place {
    const char *name;
    kit k;
    watched memory;
    scene *scene; /* NULL = none */
    bool down;    /* paths lead from the first row to the last */
    bool hub;     /* a look at one node sees thousands */
    uint32_t count;
} place;

static void place_context(place *p)
{
    cairn_context_options options = cairn_context_defaults();
    options.allocate = watched_allocate;
    options.allocate_user = &p->memory;
    CHECK_OK(cairn_context_create(&options, &p->k.context));
}

static void place_space(place *p)
{
    CHECK_OK(p->k.graph ? cairn_space_of_graph(p->k.graph, &p->k.space, NULL)
                        : cairn_space_of_grid(p->k.grid, NULL, &p->k.space, NULL));
    p->count = cairn_space_node_count(p->k.space);
}

static void place_of_scene(place *p, scene *s)
{
    p->name = s->name;
    p->scene = s;
    place_context(p);
    CHECK_OK(scene_grid(s, p->k.context, &p->k.grid));
    place_space(p);
}

static void place_of_graph(place *p, const char *name, const cairn_graph_options *options)
{
    p->name = name;
    place_context(p);
    CHECK_OK(cairn_graph_create(p->k.context, options, &p->k.graph, NULL));
    place_space(p);
}

static void place_end(place *p)
{
    kit_close(&p->k);
    if (p->scene) scene_destroy(p->scene);
    CHECK(!p->memory.blocks && !p->memory.wrong_size, "%s: memory was not given back", p->name);
}

static void open_ground(place *p)
{
    place_of_scene(p, scene_blank("empty", 400, 300));
}

/* Searches cross it from one region of records to the next. */
static void wide_ground(place *p)
{
    place_of_scene(p, scene_blank("wide", 1500, 140));
}

/* The same, but its rows are long: what lies above one another has numbers that are far apart. */
static void deep_ground(place *p)
{
    place_of_scene(p, scene_blank("deep", 1200, 200));
    p->down = true;
}

static void corridor(place *p)
{
    place_of_scene(p, scene_blank("corridor", 3000, 1));
}

static void rooms(place *p)
{
    place_of_scene(p, scene_rooms("rooms", 300, 280, 9, 5));
}

static void caves(place *p)
{
    cairn_generator generator = cairn_generator_default(CAIRN_GENERATE_CAVES);
    p->name = "caves";
    generator.width = generator.height = 320;
    generator.seed = 4;
    place_context(p);
    CHECK_OK(cairn_generate(p->k.context, &generator, &p->k.grid, NULL));
    place_space(p);
}

/* Crossings with four or more streets, which have numbers without any order. */
static void streets(place *p)
{
    enum { SIDE = 260, NODES = SIDE * SIDE };
    scene_rng rng = {77};
    cairn_node *number = malloc(NODES * sizeof *number);
    cairn_position *positions = malloc(NODES * sizeof *positions);
    cairn_graph_edge *edges = malloc((size_t)NODES * 3 * sizeof *edges);
    uint32_t count = 0;
    if (!number || !positions || !edges) abort();
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t k = scene_random(&rng, i + 1);
        number[i] = number[k];
        number[k] = i;
    }
    for (uint32_t i = 0; i < NODES; i++) {
        uint32_t x = i % SIDE, y = i / SIDE;
        positions[number[i]] = (cairn_position){x * 100, y * 100, 0};
        if (x + 1 < SIDE)
            edges[count++] =
                (cairn_graph_edge){number[i], number[i + 1], 100 + scene_random(&rng, 60)};
        if (y + 1 < SIDE)
            edges[count++] =
                (cairn_graph_edge){number[i], number[i + SIDE], 100 + scene_random(&rng, 60)};
        if (x + 1 < SIDE && y + 1 < SIDE && !scene_random(&rng, 3))
            edges[count++] =
                (cairn_graph_edge){number[i], number[i + SIDE + 1], 142 + scene_random(&rng, 90)};
    }
    place_of_graph(p, "streets",
                   &(cairn_graph_options){.node_count = NODES,
                                          .edge_count = count,
                                          .edges = edges,
                                          .positions = positions,
                                          .both_ways = true});
    free(number), free(positions), free(edges);
}

/* Everybody is a neighbour of the hub: nearly all nodes are queued at once. */
static void star(place *p)
{
    enum { RAYS = 9000 };
    p->hub = true;
    cairn_graph_edge *edges = malloc(2 * RAYS * sizeof *edges);
    if (!edges) abort();
    for (uint32_t i = 0; i < RAYS; i++) {
        edges[2 * i] = (cairn_graph_edge){0, 2 * i + 1, 10 + i % 7};
        edges[2 * i + 1] = (cairn_graph_edge){2 * i + 1, 2 * i + 2, 5 + i % 11};
    }
    place_of_graph(
        p, "star",
        &(cairn_graph_options){
            .node_count = 2 * RAYS + 1, .edge_count = 2 * RAYS, .edges = edges, .both_ways = true});
    free(edges);
}

static void (*const places[])(place *) = {open_ground, wide_ground, deep_ground, corridor,
                                          rooms,       caves,       streets,     star};

static cairn_node any_node(const place *p, scene_rng *rng)
{
    cairn_node node;
    do {
        node = scene_random(rng, p->count);
    } while (!cairn_space_usable(p->k.space, node));
    return node;
}

/* Two that are connected. */
static void any_query(const place *p, scene_rng *rng, cairn_node *from, cairn_node *to)
{
    *from = any_node(p, rng);
    if (p->down) {
        uint32_t width = p->scene->width;
        *from %= width;
        *to = p->count - width + *from;
        return;
    }
    do {
        *to = any_node(p, rng);
    } while (*from == *to || cairn_reachable(p->k.space, *from, *to) != CAIRN_REACH_YES);
}

/* ---- agents --------------------------------------------------------------------------- */

/* Those that keep a search: with parameters that make them keep another one. */
static const char *const variants[] = {"dstar:focused=0", "adstar:keys=bias", "arastar:epsilon=8"};

/* Those that look ahead besides, for 4 and 10 nodes. */
static const char *const lookers[] = {"rtdstar", "rtdstar:expansions=11,local=91"};

typedef void about(place *p, const char *spec);

static void each_agent(place *p, about *what)
{
    const char *only = getenv("CAIRN_TEST_ALGORITHM");
    uint32_t count = 0;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        bool keeps = a->flags & (CAIRN_OPTIMAL | CAIRN_ANYTIME);
        if (a->kind != CAIRN_KIND_NAVIGATOR || !keeps) continue;
        count++;
        if (!only || !strcmp(only, a->name)) what(p, a->name);
    }
    for (uint32_t i = 0; i < LENGTH(variants) && !only; i++) what(p, variants[i]);
    for (uint32_t i = 0; i < LENGTH(lookers) && !only && !p->hub; i++) what(p, lookers[i]);
    CHECK(count >= 11, "%u algorithms", count);
}

static bool any_navigator(const cairn_algorithm *a)
{
    (void)a;
    return true;
}

/* What every navigator holds is tested: of those that are optimal or anytime, and of `lookers`, here;
 * of those that look ahead in test_lookahead.c. TBA* has the records of A*, and agents of an index have
 * a place in that. */
static void what_every_navigator_holds_is_tested(void **state)
{
    (void)state;
    enum { MOST = 64 };
    const char *names[MOST] = {"tbastar"};
    size_t count = 1;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        bool keeps = a->flags & (CAIRN_OPTIMAL | CAIRN_ANYTIME);
        bool here = keeps || is_listed(a->name, lookers, LENGTH(lookers));
        bool index = a->flags & CAIRN_NEEDS_INDEX;
        if (here || index || has_parameter(a, "lookahead")) names[count++] = a->name;
        assert_true(count < MOST);
    }
    check_listed(any_navigator, names, count);
}

/* All navigators. */
static void each_navigator(place *p, about *what)
{
    const char *only = getenv("CAIRN_TEST_ALGORITHM");
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (a->kind == CAIRN_KIND_NAVIGATOR && (!only || !strcmp(only, a->name))) what(p, a->name);
    }
    for (uint32_t i = 0; i < LENGTH(variants) && !only; i++) what(p, variants[i]);
    for (uint32_t i = 0; i < LENGTH(lookers) && !only; i++) what(p, lookers[i]);
}

static void each_place(about *what)
{
    for (uint32_t i = 0; i < LENGTH(places); i++) {
        place p = {0};
        places[i](&p);
        each_agent(&p, what);
        place_end(&p);
    }
}

/* What its search tells. */
typedef struct tally {
    bool rounds;   /* nodes that are opened again wait for the next round, on no queue */
    bool looks;    /* it looks ahead, until the end of this call */
    uint8_t *seen; /* by node: GENERATED, QUEUED, LEARNT */
    uint32_t count, touched, queued, peak, learnt;
} tally;

enum { GENERATED = 1, QUEUED = 2, LEARNT = 4 };

static void tally_queue(tally *t, cairn_node node)
{
    t->touched += !(t->seen[node] & GENERATED);
    t->queued += !(t->seen[node] & QUEUED);
    t->seen[node] |= GENERATED | QUEUED;
    if (t->queued > t->peak) t->peak = t->queued;
}

/* Nobody is on the queue of a search that begins. */
static void tally_begin(tally *t)
{
    for (uint32_t i = 0; i < t->count; i++) t->seen[i] &= GENERATED | LEARNT;
    t->queued = 0;
}

/* It may learn about every node that it expands round itself. */
static void tally_look(tally *t, const cairn_event *event)
{
    if (event->kind != CAIRN_EVENT_EXPAND) return;
    t->learnt += !(t->seen[event->node] & LEARNT);
    t->seen[event->node] |= LEARNT;
}

/* Nodes that come on the queue without an event, in repairs, are not counted. So this is at most
 * what is there. */
static void tally_event(void *user, const cairn_event *event)
{
    tally *t = user;
    bool again = event->kind == CAIRN_EVENT_REOPEN && !t->rounds;
    t->looks |= event->kind == CAIRN_EVENT_PIECE;
    if (t->looks) {
        tally_look(t, event);
        return;
    }
    if (event->kind == CAIRN_EVENT_SOURCE) tally_begin(t);
    if (event->kind == CAIRN_EVENT_GENERATE || again) tally_queue(t, event->node);
    if (event->kind != CAIRN_EVENT_EXPAND) return;
    if (!(t->seen[event->node] & GENERATED))
        tally_queue(t, event->node); /* where the search begins */
    t->queued -= !!(t->seen[event->node] & QUEUED);
    t->seen[event->node] &= (uint8_t)~QUEUED;
}

typedef struct agent {
    cairn_planner *planner;
    cairn_navigator *navigator;
    bool looks;  /* ahead, too */
    bool blocks; /* it has them */
    tally t;
} agent;

/* What may be held for all that. FIXED has room for the first part of a queue and for one page that is
 * not full; of one that looks ahead they count, and while it has touched few nodes those of more
 * regions. */
static uint64_t agent_limit(const agent *a)
{
    const tally *t = &a->t;
    uint64_t limit = 16 * (uint64_t)t->touched + 12 * (uint64_t)t->peak + FIXED;
    uint32_t regions = t->count / REGION_NODES;
    if (a->blocks)
        limit += (t->learnt / BLOCK_NODES + 1) * (uint64_t)(16 * BLOCK_NODES) + BLOCK_LISTS;
    if (a->looks)
        limit += 12 * QUEUE_NODES +
                 16 * PAGE_NODES * (uint64_t)(regions < t->touched ? regions : t->touched);
    return limit;
}

static agent agent_in(const place *p, cairn_space *space, const char *spec)
{
    agent a = {.t = {.seen = calloc(p->count, 1), .count = p->count}};
    if (!a.t.seen) abort();
    CHECK_OK(cairn_planner_create(space, spec, &a.planner, NULL));
    a.t.rounds = cairn_planner_algorithm(a.planner)->flags & CAIRN_ANYTIME;
    a.looks = !strcmp(cairn_planner_algorithm(a.planner)->name, "rtdstar");
    a.blocks = a.looks || !strcmp(cairn_planner_algorithm(a.planner)->name, "dstar");
    CHECK_OK(cairn_navigator_create(a.planner, NULL, &a.navigator));
    return a;
}

static agent agent_of(const place *p, const char *spec)
{
    return agent_in(p, p->k.space, spec);
}

static void agent_end(const place *p, agent *a)
{
    size_t said = cairn_navigator_sums(a->navigator).bytes, held = p->memory.bytes;
    cairn_navigator_destroy(a->navigator);
    CHECK(held - p->memory.bytes == said, "%s: gives %u bytes back, not %u", p->name,
          (unsigned)(held - p->memory.bytes), (unsigned)said);
    cairn_planner_destroy(a->planner);
    free(a->t.seen);
}

static void agent_start(agent *a, const place *p, scene_rng *rng)
{
    cairn_trace_sink sink = {tally_event, &a->t};
    cairn_node from, to;
    any_query(p, rng, &from, &to);
    cairn_navigator_trace(a->navigator, &sink);
    CHECK_OK(cairn_navigator_start(a->navigator, from, to));
}

/* The next call. */
static bool agent_next(const place *p, agent *a, const char *spec)
{
    cairn_move m;
    size_t others = p->memory.bytes - cairn_navigator_sums(a->navigator).bytes;
    a->t.looks = false;
    cairn_navigator_next(a->navigator, &m);
    CHECK(m.kind == CAIRN_MOVE_STEP || m.arrived, "%s, %s: %s", p->name, spec,
          cairn_status_text(m.status));
    uint64_t bytes = cairn_navigator_sums(a->navigator).bytes, limit = agent_limit(a);
    if (getenv("CAIRN_BYTES_TELL"))
        print_error("%-8s %-30s %6u touched %6u queued %5u learnt %8llu bytes, %6lld left\n",
                    p->name, spec, a->t.touched, a->t.peak, a->t.learnt, (unsigned long long)bytes,
                    (long long)(limit - bytes));
    CHECK(bytes <= limit, "%s, %s: %llu bytes for %u nodes, %u of them queued", p->name, spec,
          (unsigned long long)bytes, a->t.touched, a->t.peak);
    /* who sees something new edits what is known, which takes memory, too */
    CHECK(m.seen || p->memory.bytes - others == bytes, "%s, %s: %llu bytes, but %llu are said",
          p->name, spec, (unsigned long long)(p->memory.bytes - others), (unsigned long long)bytes);
    return !m.arrived;
}

/* ---- first searches ------------------------------------------------------------------- */

static void search_first(place *p, const char *spec)
{
    scene_rng rng = {12345};
    for (uint32_t i = 0; i < test_times(QUERIES, 1); i++) {
        agent a = agent_of(p, spec);
        agent_start(&a, p, &rng);
        agent_next(p, &a, spec);
        agent_end(p, &a);
    }
}

static void a_node_takes_16_bytes_and_a_queued_one_12_more(void **state)
{
    (void)state;
    each_place(search_first);
}

/* ---- worlds that change --------------------------------------------------------------- */

/* Closes or opens a block of 3 x 3 cells. */
static void build(place *p, cairn_node centre, bool open)
{
    uint32_t width = cairn_grid_width(p->k.grid);
    for (uint32_t i = 0; i < 9; i++) {
        int32_t x = (int32_t)(centre % width + i % 3) - 1,
                y = (int32_t)(centre / width + i / 3) - 1;
        if (cairn_grid_inside(p->k.grid, x, y))
            CHECK_OK(cairn_grid_set_open(p->k.grid, x, y, open));
    }
    CHECK_OK(cairn_grid_commit(p->k.grid));
}

/* A block is built on the path, and taken away some steps later, with the walls that were there
 * before. */
static void walk_on(place *p, const char *spec)
{
    enum { STEPS = 60, AHEAD = 9 };
    scene_rng rng = {9};
    agent a = agent_of(p, spec);
    agent_start(&a, p, &rng);
    bool built = false;
    cairn_node ahead[AHEAD], centre = 0;
    for (uint32_t i = 0; i < STEPS && agent_next(p, &a, spec); i++) {
        uint32_t count = cairn_navigator_ahead(a.navigator, ahead, AHEAD);
        if (i % 5 || (!built && count <= AHEAD + 2)) continue;
        if (!built) centre = ahead[AHEAD - 1];
        build(p, centre, built);
        built = !built;
        bool there = cairn_reachable(p->k.space, cairn_navigator_at(a.navigator),
                                     cairn_navigator_goal(a.navigator)) == CAIRN_REACH_YES;
        if (!there) break;
    }
    if (built) build(p, centre, true);
    agent_end(p, &a);
}

static void each_grid(about *what)
{
    void (*const grids[])(place *) = {open_ground, rooms};
    for (uint32_t i = 0; i < LENGTH(grids); i++) {
        place p = {0};
        grids[i](&p);
        each_agent(&p, what);
        place_end(&p);
    }
}

static void the_same_holds_in_worlds_that_change(void **state)
{
    (void)state;
    each_grid(walk_on);
}

/* ---- goals that move ------------------------------------------------------------------- */

/* The goal flees step by step, and is another one after some of them. */
static void chase(place *p, const char *spec)
{
    enum { STEPS = 24, FLEE = 2, ELSEWHERE = 12 };
    scene_rng rng = {21};
    agent a = agent_of(p, spec);
    agent_start(&a, p, &rng);
    for (uint32_t i = 1; i <= STEPS && agent_next(p, &a, spec); i++) {
        cairn_edge edges[8];
        cairn_node goal = cairn_navigator_goal(a.navigator);
        uint32_t count = cairn_space_expand(p->k.space, goal, 0, edges, LENGTH(edges));
        if (i % FLEE == 0) goal = edges[scene_random(&rng, count)].node;
        if (i % ELSEWHERE == 0) goal = any_node(p, &rng);
        bool there =
            cairn_reachable(p->k.space, cairn_navigator_at(a.navigator), goal) == CAIRN_REACH_YES;
        if (there) CHECK_OK(cairn_navigator_retarget(a.navigator, goal));
    }
    agent_end(p, &a);
}

static void the_same_holds_while_the_goal_moves(void **state)
{
    (void)state;
    each_grid(chase);
}

/* ---- fog -------------------------------------------------------------------------------- */

/* The agent takes for free what it has not seen. */
static void walk_in_fog(place *p, const char *spec)
{
    enum { STEPS = 40, RANGE = 5 };
    scene_rng rng = {13};
    cairn_grid *known;
    cairn_space *space;
    CHECK_OK(cairn_grid_known(p->k.grid, CAIRN_KNOW_NOTHING, 0, &known, NULL));
    CHECK_OK(cairn_space_of_grid(known, NULL, &space, NULL));
    agent a = agent_in(p, space, spec);
    CHECK_OK(cairn_navigator_set_sensor(a.navigator, p->k.space, RANGE, NULL));
    agent_start(&a, p, &rng);
    for (uint32_t i = 0; i < STEPS && agent_next(p, &a, spec);) i++;
    CHECK(cairn_navigator_sums(a.navigator).seen, "%s: sees nothing", spec);
    agent_end(p, &a);
    cairn_space_destroy(space);
    cairn_grid_destroy(known);
}

static void the_same_holds_in_fog(void **state)
{
    (void)state;
    place p = {0};
    rooms(&p);
    each_agent(&p, walk_in_fog);
    place_end(&p);
}

/* ---- warm ------------------------------------------------------------------------------ */

static void ignore(void *user, cairn_node node)
{
    (void)user, (void)node;
}

/* How many requests the space makes to tell what has changed. It gives all of that back. */
static uint64_t requests_for_changes(const place *p, uint64_t since)
{
    uint64_t calls = p->memory.calls;
    CHECK_OK(cairn_space_changes(p->k.space, since, ignore, NULL));
    return p->memory.calls - calls;
}

/* The same block comes and goes, and the agent is put back each time. After some times it asks for
 * no memory any more. */
static void keep_warm(place *p, const char *spec)
{
    enum { TIMES = 24, COLD = 8, AHEAD = 12 };
    scene_rng rng = {5};
    agent a = agent_of(p, spec);
    if (a.looks) {
        agent_end(p, &a); /* test_rtdstar.c: its path ahead is a short one */
        return;
    }
    cairn_node ahead[AHEAD];
    agent_start(&a, p, &rng);
    cairn_node home = cairn_navigator_at(a.navigator);
    CHECK_OK(cairn_navigator_next(a.navigator, NULL));
    CHECK(cairn_navigator_ahead(a.navigator, ahead, AHEAD) > AHEAD, "%s: a short path", spec);
    for (uint32_t i = 0; i < TIMES; i++) {
        uint64_t since = cairn_space_version(p->k.space);
        build(p, ahead[AHEAD - 1], i % 2);
        uint64_t calls = requests_for_changes(p, since);
        calls += p->memory.calls;
        CHECK_OK(cairn_navigator_moved(a.navigator, home));
        CHECK_OK(cairn_navigator_next(a.navigator, NULL));
        CHECK(i < COLD || p->memory.calls <= calls, "%s: it asks for more, the %uth time", spec, i);
    }
    agent_end(p, &a);
}

static void nothing_is_allocated_once_warm(void **state)
{
    (void)state;
    place p = {0};
    open_ground(&p);
    each_agent(&p, keep_warm);
    place_end(&p);
}

/* ---- warm: all navigators ---------------------------------------------------------------- */

/* The same walk again and again. Returns how many requests for memory the agent made, but for those
 * of the space when it tells what has changed, and in fog of the commit of what was seen: that asks
 * for as much. Both give all of it back. */
typedef uint64_t again(place *p, agent *a, uint32_t round);

static uint64_t next_asks(const place *p, agent *a, cairn_space *space, uint64_t *known,
                          cairn_move *m)
{
    uint64_t calls = p->memory.calls, since = *known;
    cairn_navigator_next(a->navigator, m);
    calls = p->memory.calls - calls;
    *known = cairn_space_version(space);
    if (*known == since) return calls;
    uint64_t before = p->memory.calls;
    CHECK_OK(cairn_space_changes(space, since, ignore, NULL));
    uint64_t told = (p->memory.calls - before) * (m->seen ? 2 : 1);
    return calls > told ? calls - told : 0;
}

enum { WARM_WIDTH = 60, WARM_HEIGHT = 40 };

static cairn_node warm_cell(uint32_t x, uint32_t y)
{
    return y * WARM_WIDTH + x;
}

/* A wall across, with a way round at its upper end. */
static void warm_ground(place *p)
{
    scene *s = scene_blank("wall", WARM_WIDTH, WARM_HEIGHT);
    for (uint32_t y = 6; y < WARM_HEIGHT; y++) s->open[warm_cell(35, y)] = 0;
    place_of_scene(p, s);
}

static void warm_start(agent *a, cairn_node *home, cairn_node *goal)
{
    *home = warm_cell(20, 20), *goal = warm_cell(45, 12);
    CHECK_OK(cairn_navigator_start(a->navigator, *home, *goal));
}

/* The goal flees, the same way each time. */
static uint64_t chase_again(place *p, agent *a, uint32_t round)
{
    enum { STEPS = 30 };
    scene_rng rng = {21};
    cairn_node home, goal;
    uint64_t asked = 0, known = cairn_space_version(p->k.space);
    cairn_move m = {0};
    (void)round;
    warm_start(a, &home, &goal);
    for (uint32_t i = 1; i <= STEPS && !m.arrived; i++) {
        cairn_edge edges[8];
        asked += next_asks(p, a, p->k.space, &known, &m);
        uint32_t count = cairn_space_expand(p->k.space, goal, 0, edges, LENGTH(edges));
        if (i % 2 == 0) goal = edges[scene_random(&rng, count)].node;
        uint64_t calls = p->memory.calls;
        CHECK_OK(cairn_navigator_retarget(a->navigator, goal));
        asked += p->memory.calls - calls;
    }
    return asked;
}

/* Walls rise and fall between the agent and its goal, the same each time. */
static uint64_t walk_again(place *p, agent *a, uint32_t round)
{
    enum { STEPS = 40, EVERY = 5 };
    cairn_node home, goal;
    uint64_t asked = 0, known = cairn_space_version(p->k.space);
    cairn_move m = {0};
    bool built = false;
    (void)round;
    warm_start(a, &home, &goal);
    for (uint32_t i = 0; i < STEPS && !m.arrived; i++) {
        if (i % EVERY == EVERY - 1) {
            build(p, warm_cell(24 + i / (2 * EVERY) * 2, 17), built);
            built = !built;
        }
        asked += next_asks(p, a, p->k.space, &known, &m);
    }
    if (built) build(p, warm_cell(24 + (STEPS - 1) / (2 * EVERY) * 2, 17), true);
    return asked;
}

/* In every second walk a block stands beside the start, which the agent does not know of. */
static uint64_t explore_again(place *p, agent *a, uint32_t round)
{
    enum { STEPS = 60 };
    cairn_space *space = (cairn_space *)cairn_planner_space(a->planner);
    cairn_node home, goal;
    build(p, warm_cell(23, 18), round % 2);
    uint64_t asked = 0, known = cairn_space_version(space);
    uint64_t seen = 0;
    cairn_move m = {0};
    warm_start(a, &home, &goal);
    for (uint32_t i = 0; i < STEPS && !m.arrived; i++) {
        asked += next_asks(p, a, space, &known, &m);
        seen += m.seen;
    }
    CHECK(seen, "%s, round %u: nothing was seen", cairn_planner_algorithm(a->planner)->name, round);
    return asked;
}

/* The first rounds may ask. */
static void stay_warm(place *p, agent *a, const char *spec, again *walk)
{
    enum { ROUNDS = 8, COLD = 4 };
    uint64_t first = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint64_t asked = walk(p, a, round);
        first += round ? 0 : asked;
        CHECK(round < COLD || !asked, "%s: %llu requests, the %uth time", spec,
              (unsigned long long)asked, round);
    }
    CHECK(first, "%s: it never asks: this tells nothing", spec);
}

static void chase_warm(place *p, const char *spec)
{
    agent a = agent_of(p, spec);
    stay_warm(p, &a, spec, chase_again);
    agent_end(p, &a);
}

/* Where the world changes an index is built again, which takes memory. */
static bool has_index(const char *spec)
{
    const cairn_algorithm *a = cairn_algorithm_find(spec, strcspn(spec, ":"));
    return a && a->flags & CAIRN_NEEDS_INDEX;
}

static void walk_warm(place *p, const char *spec)
{
    if (has_index(spec)) return;
    agent a = agent_of(p, spec);
    stay_warm(p, &a, spec, walk_again);
    agent_end(p, &a);
}

static void explore_warm(place *p, const char *spec)
{
    cairn_grid *known;
    cairn_space *space;
    if (has_index(spec)) return;
    CHECK_OK(cairn_grid_known(p->k.grid, CAIRN_KNOW_NOTHING, 0, &known, NULL));
    CHECK_OK(cairn_space_of_grid(known, NULL, &space, NULL));
    agent a = agent_in(p, space, spec);
    CHECK_OK(cairn_navigator_set_sensor(a.navigator, p->k.space, 5, NULL));
    stay_warm(p, &a, spec, explore_again);
    agent_end(p, &a);
    cairn_space_destroy(space);
    cairn_grid_destroy(known);
}

static void warm_everywhere(about *what)
{
    place p = {0};
    warm_ground(&p);
    each_navigator(&p, what);
    place_end(&p);
}

static void nothing_is_allocated_once_warm_while_goals_move(void **state)
{
    (void)state;
    warm_everywhere(chase_warm);
}

static void nothing_is_allocated_once_warm_in_a_world_that_changes(void **state)
{
    (void)state;
    warm_everywhere(walk_warm);
}

static void nothing_is_allocated_once_warm_in_fog(void **state)
{
    (void)state;
    warm_everywhere(explore_warm);
}

/* ---- the limit -------------------------------------------------------------------------- */

/* With less memory than the search needs, the agent stops or does without; it never has more. */
static void obey(place *p, const char *spec)
{
    bool small = false, large = false;
    for (size_t limit = 100; limit < 1500000; limit += limit / 2) {
        scene_rng rng = {31};
        cairn_planner *planner;
        cairn_navigator *navigator = NULL;
        cairn_navigator_options options = {.byte_limit = limit};
        cairn_node from, to;
        cairn_move m = {.kind = CAIRN_MOVE_STOP};
        CHECK_OK(planner_ready(p->k.space, spec, &planner, NULL));
        size_t before = p->memory.bytes;
        cairn_status status = cairn_navigator_create(planner, &options, &navigator);
        CHECK(status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && !navigator), "%s: %s", spec,
              cairn_status_text(status));
        any_query(p, &rng, &from, &to);
        if (navigator) CHECK_OK(cairn_navigator_start(navigator, from, to));
        if (navigator) cairn_navigator_next(navigator, &m);
        CHECK(p->memory.bytes - before <= limit + sizeof(cairn_navigator), "%s: %u bytes of %u",
              spec, (unsigned)(p->memory.bytes - before), (unsigned)limit);
        bool steps = m.kind == CAIRN_MOVE_STEP;
        CHECK(!large || steps, "%s: more memory is less", spec);
        small |= !steps, large |= steps;
        cairn_navigator_destroy(navigator);
        cairn_planner_destroy(planner);
    }
    CHECK(small && large, "%s: the limit does not matter", spec);
}

static void no_agent_has_more_than_its_limit(void **state)
{
    (void)state;
    place p = {0};
    rooms(&p);
    each_navigator(&p, obey);
    place_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_takes_16_bytes_and_a_queued_one_12_more),
        cmocka_unit_test(the_same_holds_in_worlds_that_change),
        cmocka_unit_test(the_same_holds_while_the_goal_moves),
        cmocka_unit_test(the_same_holds_in_fog),
        cmocka_unit_test(what_every_navigator_holds_is_tested),
        cmocka_unit_test(nothing_is_allocated_once_warm),
        cmocka_unit_test(nothing_is_allocated_once_warm_while_goals_move),
        cmocka_unit_test(nothing_is_allocated_once_warm_in_a_world_that_changes),
        cmocka_unit_test(nothing_is_allocated_once_warm_in_fog),
        cmocka_unit_test(no_agent_has_more_than_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
