/* conformance.c: see conformance.h. */
#include "conformance.h"
#include "polygon_world.h"
#include "slow_sight.h"

#include <math.h>

/* ---- places ------------------------------------------------------------------------- */

static void place_ask(place *p, cairn_node from, cairn_node to)
{
    if (from >= p->oracle->count || to >= p->oracle->count) return;
    oracle_search(p->oracle, from);
    p->queries[p->query_count++] =
        (known_query){from, to, p->oracle->distance[to], p->oracle->steps[to]};
}

/* Usable ends, drawn by lot; the first query is the longest way from its start. */
static void place_draw_queries(place *p)
{
    scene_rng rng = {p->oracle->count * UINT64_C(7919) + 3};
    cairn_node usable[4096];
    uint32_t count = 0;
    uint32_t step = p->oracle->count / 4096 + 1;
    for (cairn_node n = 0; n < p->oracle->count; n += step) {
        if (p->oracle->usable[n] && count < LENGTH(usable)) usable[count++] = n;
    }
    if (!count) return;
    cairn_node start = usable[scene_random(&rng, count)], farthest = start;
    oracle_search(p->oracle, start);
    for (cairn_node n = 0; n < p->oracle->count; n++) {
        if (p->oracle->distance[n] != ORACLE_NONE &&
            p->oracle->distance[n] > p->oracle->distance[farthest])
            farthest = n;
    }
    place_ask(p, start, farthest);
    place_ask(p, start, start);
    while (p->query_count < PLACE_QUERIES) {
        place_ask(p, usable[scene_random(&rng, count)], usable[scene_random(&rng, count)]);
    }
}

uint64_t near_cost(const oracle *o)
{
    uint64_t costs[NEAR_NODES + 1] = {0};
    uint32_t count = 0;
    for (cairn_node n = 0; n < o->count; n++) {
        uint64_t cost = o->distance[n];
        if (!cost || cost == ORACLE_NONE) continue;
        uint32_t at = count < NEAR_NODES ? count++ : NEAR_NODES;
        for (; at && costs[at - 1] > cost; at--) costs[at] = costs[at - 1];
        costs[at] = cost;
    }
    return count ? costs[count - 1] : 0;
}

/* One of the nodes that are the cheapest to reach; the start itself if there are none. */
static cairn_node place_pick_near(const place *p, scene_rng *rng, cairn_node from)
{
    cairn_node near = from;
    uint32_t count = 0;
    uint64_t most = near_cost(p->oracle);
    for (cairn_node n = 0; n < p->oracle->count; n++) {
        bool is_near = n != from && p->oracle->distance[n] <= most;
        if (is_near && scene_random(rng, ++count) == 0) near = n;
    }
    return near;
}

/* As many short queries as there are others, from the same starts. */
static void place_draw_near(place *p)
{
    scene_rng rng = {p->oracle->count * UINT64_C(6151) + 5};
    for (uint32_t i = 0; i < p->query_count; i++) {
        cairn_node from = p->queries[i].from;
        oracle_search(p->oracle, from);
        cairn_node to = i == 1 ? from : place_pick_near(p, &rng, from);
        p->near[i] = (known_query){from, to, p->oracle->distance[to], p->oracle->steps[to]};
    }
    p->has_near = true;
}

/* Short queries instead of the others, and back. */
static void place_swap_queries(place *p)
{
    known_query other[PLACE_QUERIES];
    if (!p->has_near) place_draw_near(p);
    memcpy(other, p->queries, sizeof other);
    memcpy(p->queries, p->near, sizeof other);
    memcpy(p->near, other, sizeof other);
}

static place *place_new(void)
{
    place *p = calloc(1, sizeof *p);
    if (!p) abort();
    CHECK_OK(watched_context(&p->memory, &p->context));
    return p;
}

place *place_of_scene(scene *s, cairn_neighbours neighbours, cairn_corners corners)
{
    static const char *const corner_names[] = {"never", "one", "always"};
    place *p = place_new();
    p->scene = s;
    p->profile = s->profile;
    p->profile.neighbours = neighbours;
    p->profile.corners = corners;
    static const char *const neighbour_names[] = {"4", "8", "6"};
    snprintf(p->name, sizeof p->name, "%s %s %s", s->name, neighbour_names[neighbours],
             corner_names[corners]);
    CHECK_OK(scene_grid(s, p->context, &p->grid));
    CHECK_OK(cairn_space_of_grid(p->grid, &p->profile, &p->space, NULL));
    oracle_grid raw = scene_raw(s);
    p->oracle = oracle_of_grid(&raw, &p->profile, cairn_space_scale(p->space));
    place_draw_queries(p);
    return p;
}

place *place_of_graph(graph_scene *s)
{
    place *p = place_new();
    p->drawn = s;
    snprintf(p->name, sizeof p->name, "graph %s", s->name);
    CHECK_OK(graph_scene_graph(s, p->context, &p->graph));
    CHECK_OK(cairn_space_of_graph(p->graph, &p->space, NULL));
    p->oracle = oracle_of_edges(s->node_count, s->edges, s->edge_count, s->both_ways);
    place_draw_queries(p);
    return p;
}

place *place_of_polygons(const polygon_options *options)
{
    place *p = place_new();
    polygon_world *w = polygon_world_create(p->context, options);
    graph_scene *s = calloc(1, sizeof *s);
    if (!s) abort();
    *s = (graph_scene){
        .name = "polygons", .node_count = w->base.node_count, .edge_count = w->edge_count};
    s->positions = calloc(s->node_count, sizeof *s->positions);
    s->edges = calloc(s->edge_count, sizeof *s->edges);
    if (!s->positions || !s->edges) abort();
    for (uint32_t i = 0; i < s->node_count; i++) s->positions[i] = w->polygons[i].centre;
    memcpy(s->edges, w->edges, s->edge_count * sizeof *s->edges);
    snprintf(p->name, sizeof p->name, "polygons%s", options->ledges ? " with ledges" : "");
    p->drawn = s;
    p->polygons = options;
    p->space = &w->base;
    p->oracle = oracle_of_edges(s->node_count, s->edges, s->edge_count, false);
    place_draw_queries(p);
    return p;
}

void place_destroy(place *p)
{
    cairn_space_destroy(p->space);
    cairn_grid_destroy(p->grid);
    cairn_graph_destroy(p->graph);
    cairn_context_destroy(p->context);
    CHECK(p->memory.blocks == 0 && p->memory.bytes == 0, "%s: %u blocks were not freed", p->name,
          (unsigned)p->memory.blocks);
    CHECK(!p->memory.wrong_size, "%s: a block was freed with a wrong size", p->name);
    oracle_destroy(p->oracle);
    scene_destroy(p->scene);
    graph_scene_destroy(p->drawn);
    free(p);
}

/* ---- settings ----------------------------------------------------------------------- */

/* The values of a parameter that are worth trying, other than the default one. */
static uint32_t parameter_values(const cairn_parameter *q, int64_t values[64])
{
    uint32_t count = 0;
    if (q->type == CAIRN_PARAMETER_CHOICE) {
        for (int64_t v = q->minimum; v <= q->maximum && count < 64; v++) {
            if (v != q->default_value) values[count++] = v;
        }
        return count;
    }
    /* into two nodes only paths of one step fit */
    int64_t least = strcmp(q->name, "nodes") ? q->minimum : 8;
    const int64_t tries[] = {least, q->maximum, q->minimum + (q->maximum - q->minimum) / 5};
    /* With the least effort nothing is found, with the most some searches would never end. */
    if (!strcmp(q->name, "effort")) return values[0] = 20000, 1;
    for (uint32_t i = 0; i < LENGTH(tries); i++) {
        if (tries[i] != q->default_value) values[count++] = tries[i];
    }
    return count;
}

void parameter_append(char *out, size_t size, const cairn_parameter *q, int64_t value, char before)
{
    size_t at = strlen(out);
    if (q->type == CAIRN_PARAMETER_CHOICE) {
        snprintf(out + at, size - at, "%c%s=%s", before, q->name, q->choices[value]);
    } else if (q->type == CAIRN_PARAMETER_INTEGER) {
        snprintf(out + at, size - at, "%c%s=%lld", before, q->name, (long long)value);
    } else { /* 256ths have at most eight decimals */
        long long decimals = (long long)(value % 256) * 390625;
        snprintf(out + at, size - at, "%c%s=%lld.%08lld", before, q->name, (long long)(value / 256),
                 decimals);
    }
}

static bool setting_single(const cairn_algorithm *a, uint32_t i, char *out, size_t size)
{
    for (uint32_t p = 0; p < a->parameter_count; p++) {
        int64_t values[64];
        uint32_t count = parameter_values(&a->parameters[p], values);
        if (i < count) {
            parameter_append(out, size, &a->parameters[p], values[i], ':');
            return true;
        }
        i -= count;
    }
    return false;
}

static bool setting_pair(const cairn_algorithm *a, uint32_t i, char *out, size_t size)
{
    for (uint32_t p = 0; p < a->parameter_count; p++) {
        for (uint32_t q = p + 1; q < a->parameter_count; q++) {
            int64_t first[64], second[64];
            uint32_t n = parameter_values(&a->parameters[p], first),
                     m = parameter_values(&a->parameters[q], second);
            if (i < n * m) {
                parameter_append(out, size, &a->parameters[p], first[i / m], ':');
                parameter_append(out, size, &a->parameters[q], second[i % m], ',');
                return true;
            }
            i -= n * m;
        }
    }
    return false;
}

bool conformance_setting(const cairn_algorithm *a, uint32_t what, uint32_t i, char *out,
                         size_t size)
{
    snprintf(out, size, "%s", a->name);
    if (what & SETTINGS_PAIRS) return setting_pair(a, i, out, size);
    if (i == 0) return true;
    return (what & SETTINGS_EACH) && setting_single(a, i - 1, out, size);
}

/* ---- subjects ----------------------------------------------------------------------- */

const char *subject_text(const subject *s)
{
    static char text[256];
    snprintf(text, sizeof text, "%s on %s", s->spec, s->place->name);
    return text;
}

bool conformance_claims(const cairn_algorithm *a, const place *p)
{
    if (!(a->worlds >> cairn_space_world(p->space) & 1)) return false;
    if (!p->grid) return true;
    if (!(a->neighbourhoods >> p->profile.neighbours & 1)) return false;
    if (p->profile.neighbours == CAIRN_NEIGHBOURS_8 && !(a->corners >> p->profile.corners & 1))
        return false;
    bool plain = !p->scene->terrain && !p->scene->layer && !p->scene->elevation;
    return plain || (a->flags & CAIRN_TERRAIN);
}

bool subject_open(subject *s, place *p, const cairn_algorithm *algorithm, const char *spec)
{
    *s = (subject){.place = p, .algorithm = algorithm};
    snprintf(s->spec, sizeof s->spec, "%s", spec);
    cairn_error error = {0};
    cairn_status status = planner_ready_with(p->space, spec, &s->planner, &error);
    if (status == CAIRN_UNSUPPORTED) {
        CHECK(!s->planner && error.status == status && error.text[0],
              "%s: refused without a reason", subject_text(s));
        return false;
    }
    CHECK(status == CAIRN_OK, "%s: %s: %s", subject_text(s), cairn_status_text(status), error.text);
    CHECK_OK(cairn_search_create(s->planner, NULL, &s->search));
    assert_ptr_equal(cairn_planner_algorithm(s->planner), algorithm);
    assert_ptr_equal(cairn_planner_space(s->planner), p->space);
    s->optimal = cairn_planner_optimal(s->planner);
    return true;
}

void subject_close(subject *s)
{
    cairn_search_destroy(s->search);
    cairn_planner_destroy(s->planner);
}

/* ---- giving up ---------------------------------------------------------------------- */

/* Answers of this call of conformance_each. */
static struct given_up {
    const cairn_algorithm *algorithm;
    uint64_t asked, answered;
} given_up[64];

bool subject_gave_up(const subject *s, cairn_status status)
{
    if (!subject_may_give_up(s)) return false;
    uint32_t i = 0;
    while (given_up[i].algorithm && given_up[i].algorithm != s->algorithm) i++;
    given_up[i].algorithm = s->algorithm;
    given_up[i].asked++;
    /* with few nodes a path may not fit */
    bool too_few = strstr(s->spec, "nodes=") && status == CAIRN_TOO_LONG;
    bool answered = status != CAIRN_OUT_OF_BUDGET && !too_few;
    given_up[i].answered += answered;
    return !answered;
}

/* A test in which they give up always proves nothing. */
static void check_given_up(void)
{
    for (uint32_t i = 0; i < LENGTH(given_up) && given_up[i].algorithm; i++) {
        const struct given_up *g = &given_up[i];
        /* of few questions more may be long ones */
        uint64_t least = g->asked < 100 ? g->asked / 3 : g->asked * 3 / 5;
        CHECK(g->answered >= least, "%s: %llu answers to %llu questions", g->algorithm->name,
              (unsigned long long)g->answered, (unsigned long long)g->asked);
    }
}

/* Which algorithms, where and how. */
typedef struct selection {
    const char *name; /* NULL = any */
    uint32_t flags, what;
    subject_test *test;
    uint32_t *served; /* by algorithm: places that it claims, so far */
} selection;

/* With CAIRN_TEST_SAMPLE=K every K-th place, another one for each algorithm and setting; the
 * first place of an algorithm by default is always one of them. */
static bool is_sampled(uint32_t turn, uint32_t algorithm, uint32_t setting)
{
    return (turn == 0 && setting == 0) || (turn + algorithm + setting) % test_sample() == 0;
}

static void each_setting(place *p, uint32_t index, const selection *chosen)
{
    char spec[160];
    const cairn_algorithm *a = cairn_algorithm_at(index);
    bool claimed = conformance_claims(a, p);
    uint32_t turn = claimed ? chosen->served[index]++ : 0;
    for (uint32_t i = 0; conformance_setting(a, chosen->what, i, spec, sizeof spec); i++) {
        subject s;
        bool default_value = !strchr(spec, ':');
        if (claimed && !is_sampled(turn, index, i)) continue;
        bool opened = subject_open(&s, p, a, spec);
        CHECK(claimed || !opened, "%s: not claimed, but a planner was made", subject_text(&s));
        CHECK(!claimed || !default_value || opened, "%s: claimed, but refused", subject_text(&s));
        if (!opened) continue;
        if (default_value && (a->flags & CAIRN_OPTIMAL))
            CHECK(s.optimal, "%s: not optimal after all", subject_text(&s));
        if (subject_may_give_up(&s)) place_swap_queries(p);
        chosen->test(&s);
        if (subject_may_give_up(&s)) place_swap_queries(p);
        subject_close(&s);
    }
}

bool conformance_is_about(const cairn_algorithm *algorithm)
{
    const char *only = getenv("CAIRN_TEST_ALGORITHM");
    return !only || !strcmp(only, algorithm->name);
}

static bool is_selected(const selection *chosen, const cairn_algorithm *a)
{
    if ((a->flags & chosen->flags) != chosen->flags) return false;
    if ((chosen->what & NO_PIECES) && (a->flags & CAIRN_PIECES)) return false;
    return chosen->name ? !strcmp(chosen->name, a->name) : conformance_is_about(a);
}

static void each_algorithm(place *p, const selection *chosen)
{
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        if (is_selected(chosen, cairn_algorithm_at(i))) each_setting(p, i, chosen);
    }
    place_destroy(p);
}

/* One scene of each kind is enough for properties that do not depend on the map. */
static bool scene_is_chosen(const char *name, uint32_t what)
{
    static const char *const few[] = {"trap",       "gaps", "rooms",   "band",       "tower",
                                      "everything", "wide", "ladders", "hex-portals"};
    if (what & PLACES_ALL) return true;
    for (uint32_t i = 0; i < LENGTH(few); i++) {
        if (!strcmp(few[i], name)) return true;
    }
    return false;
}

static void each_place(selection *chosen)
{
    uint32_t what = chosen->what;
    memset(given_up, 0, sizeof given_up);
    chosen->served = calloc(cairn_algorithm_count(), sizeof *chosen->served);
    if (!chosen->served) abort();
    for (uint32_t i = 0; i < scene_count(); i++) {
        cairn_profile profile;
        for (uint32_t rule = 0;; rule++) {
            scene *s = scene_at(i);
            bool more = scene_rule(s, rule, &profile);
            /* With few places, and in many settings on a large one, each rule once in turn. */
            bool large = s->width * s->height > 4096 && !(what & SETTINGS_ONE);
            bool skip = ((what & PLACES_FEW) || large) && !s->hex && i % 4 != rule;
            if (!more || skip || !scene_is_chosen(s->name, what)) {
                scene_destroy(s);
                if (!more) break;
                continue;
            }
            each_algorithm(place_of_scene(s, profile.neighbours, profile.corners), chosen);
        }
    }
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        if ((what & PLACES_FEW) && i < 3) continue;
        each_algorithm(place_of_graph(graph_scene_at(i)), chosen);
    }
    /* A kind of world that the library does not know. */
    static const polygon_options polygons[] = {
        {.width = 12, .height = 9, .seed = 4},
        {.width = 9, .height = 8, .seed = 6, .ledges = true}};
    for (uint32_t i = 0; i < LENGTH(polygons); i++) {
        if (!i || (what & PLACES_ALL)) each_algorithm(place_of_polygons(&polygons[i]), chosen);
    }
    free(chosen->served);
    check_given_up();
}

void conformance_each(uint32_t what, subject_test *test)
{
    each_place(&(selection){.what = what, .test = test});
}

void conformance_each_with(uint32_t flags, uint32_t what, subject_test *test)
{
    each_place(&(selection){.flags = flags, .what = what, .test = test});
}

void conformance_each_of(const char *name, uint32_t what, subject_test *test)
{
    each_place(&(selection){.name = name, .what = what, .test = test});
}

/* ---- judging an answer -------------------------------------------------------------- */

typedef struct tally {
    uint64_t cost, straight, diagonal;
    double linked; /* in straight steps */
    double lines;  /* of any angle */
} tally;

static void tally_step(const subject *s, tally *t, cairn_node a, cairn_node b)
{
    uint64_t cost = oracle_walk(s->place->oracle, a, b);
    CHECK(cost != ORACLE_NONE, "%s: there is no step from %u to %u", subject_text(s), a, b);
    t->cost += cost;
    const scene *drawn = s->place->scene;
    bool diagonal = drawn && !drawn->hex && a % drawn->width != b % drawn->width &&
                    a / drawn->width != b / drawn->width;
    if (diagonal)
        t->diagonal++;
    else
        t->straight++;
}

/* A straight line, judged by geometry. */
static void tally_line(const subject *s, tally *t, cairn_node a, cairn_node b)
{
    scene as_asked = *s->place->scene;
    as_asked.profile = s->place->profile;
    world w = {.scene = &as_asked, .raw = scene_raw(&as_asked)};
    CHECK(a != b && slow_sees(&w, a, b), "%s: no line leads from %u to %u", subject_text(s), a, b);
    t->cost += slow_line_cost(&w, cairn_space_scale(s->place->space), a, b);
    t->lines += slow_length(&w, a, b);
}

/* A link is worth taking only where no step, and no other link, is as cheap: in the world in which
 * the path was found. */
static void tally_link(const subject *s, tally *t, cairn_node a, cairn_node b, uint32_t id,
                       bool old)
{
    uint64_t cost = oracle_link(s->place->oracle, a, b, id);
    CHECK(cost != ORACLE_NONE, "%s: no link %u from %u to %u", subject_text(s), id, a, b);
    CHECK(old || (cost < oracle_walk(s->place->oracle, a, b) &&
                  cost == oracle_edge(s->place->oracle, a, b)),
          "%s: link %u from %u to %u is too expensive", subject_text(s), id, a, b);
    t->cost += cost;
    t->linked += (double)cost / cairn_space_scale(s->place->space).straight;
}

/* The cell one step from a in a direction: of squares, or of hexagons 0 west, 1 east, 2 to 5 the
 * others. */
static cairn_node beside_hexagon(const scene *s, cairn_node a, int64_t direction)
{
    int64_t x = a % s->width, y = a / s->width, odd = y % 2;
    switch (direction) {
    case 0: x--; break;
    case 1: x++; break;
    case 2: x += odd - 1, y--; break;
    case 3: x += odd, y--; break;
    case 4: x += odd - 1, y++; break;
    default: x += odd, y++; break;
    }
    return x < 0 || y < 0 || x >= s->width || y >= s->height ? CAIRN_NO_NODE
                                                             : (cairn_node)(y * s->width + x);
}

static int64_t tally_hex_piece(const subject *s, tally *t, cairn_node a, cairn_node b)
{
    const scene *drawn = s->place->scene;
    for (int64_t direction = 0; direction < 6 && a != b; direction++) {
        cairn_node at = a;
        while (at != b && at != CAIRN_NO_NODE) at = beside_hexagon(drawn, at, direction);
        if (at != b) continue;
        for (cairn_node next; a != b; a = next) {
            next = beside_hexagon(drawn, a, direction);
            tally_step(s, t, a, next);
        }
        return direction + 1;
    }
    CHECK(false, "%s: %u and %u are not in line", subject_text(s), a, b);
    return 0;
}

/* Walks a straight piece between two turning points cell by cell; returns its direction. */
static int64_t tally_piece(const subject *s, tally *t, cairn_node a, cairn_node b)
{
    int64_t width = s->place->scene->width;
    if (s->place->scene->hex) return tally_hex_piece(s, t, a, b);
    int64_t dx = (int64_t)(b % width) - (int64_t)(a % width),
            dy = (int64_t)(b / width) - (int64_t)(a / width);
    CHECK(a != b && (!dx || !dy || llabs(dx) == llabs(dy)), "%s: %u and %u are not in line",
          subject_text(s), a, b);
    int64_t right = (dx > 0) - (dx < 0), down = (dy > 0) - (dy < 0);
    for (cairn_node at = a; at != b;) {
        cairn_node next = (cairn_node)(at + down * width + right);
        tally_step(s, t, at, next);
        at = next;
    }
    return down * 3 + right; /* never 0 */
}

static tally tally_path(const subject *s, const cairn_path *path)
{
    tally t = {0};
    int64_t before = 0;
    uint32_t link = 0;
    for (uint32_t i = 0; i + 1 < path->count; i++) {
        cairn_node a = path->nodes[i], b = path->nodes[i + 1];
        if (s->place->drawn) {
            tally_step(s, &t, a, b);
            continue;
        }
        if (link < path->link_count && path->links[link].at == i) {
            bool old = path->version < cairn_space_version(s->place->space);
            tally_link(s, &t, a, b, path->links[link++].id, old);
            before = 0;
            continue;
        }
        if (path->any_angle) {
            tally_line(s, &t, a, b);
            continue;
        }
        int64_t direction = tally_piece(s, &t, a, b);
        CHECK(direction != before, "%s: %u is no turning point", subject_text(s), a);
        before = direction;
    }
    CHECK(link == path->link_count, "%s: %u links are in no order", subject_text(s),
          path->link_count);
    return t;
}

void check_steps(const subject *s, const cairn_path *path)
{
    const char *text = subject_text(s);
    tally t = tally_path(s, path);
    CHECK(t.cost == path->cost, "%s: costs %u, its steps %llu", text, path->cost,
          (unsigned long long)t.cost);
    double length = (double)t.straight + (double)t.diagonal * sqrt(2.0) + t.linked + t.lines;
    if (s->place->graph)
        length = (double)path->cost / cairn_graph_unit(s->place->graph);
    else if (!s->place->scene)
        length = (double)path->cost / cairn_space_scale(s->place->space).straight;
    CHECK(fabs(length - path->length) <= 1e-9 * (1 + length), "%s: length %f, not %f", text,
          path->length, length);
}

void check_cost(const subject *s, const cairn_path *path, uint64_t best)
{
    const char *text = subject_text(s);
    bool any_angle = s->algorithm->flags & CAIRN_ANY_ANGLE;
    CHECK(path->any_angle == any_angle, "%s: a path of %s angle", text,
          path->any_angle ? "any" : "no");
    CHECK(path->cost >= subject_least(s, best), "%s: better than the best", text);
    CHECK(!s->optimal || path->cost == best, "%s: from %u to %u costs %u, the best %llu", text,
          path->nodes[0], path->end, path->cost, (unsigned long long)best);
    CHECK(!s->optimal || path->suboptimality_bound == 1, "%s: optimal, but bound %f", text,
          path->suboptimality_bound);
    double bound = path->suboptimality_bound;
    CHECK(bound == 0 || bound >= 1, "%s: bound %f", text, bound);
    CHECK(bound == 0 || (double)path->cost <= bound * (double)best,
          "%s: cost %u, best %llu, bound %f", text, path->cost, (unsigned long long)best, bound);
}

void check_legal_path(const subject *s, const cairn_path *path, cairn_node from, uint64_t best)
{
    const char *text = subject_text(s);
    CHECK(path->status == CAIRN_FOUND && !path->partial, "%s: %s", text,
          cairn_status_text(path->status));
    CHECK(path->count >= 1 && path->nodes[0] == from, "%s: does not begin at %u", text, from);
    CHECK(path->nodes[path->count - 1] == path->end, "%s: does not end at its end", text);
    CHECK(path->version == cairn_space_version(s->place->space), "%s: wrong version", text);
    check_steps(s, path);
    check_cost(s, path, best);
    cairn_cost sum = 0;
    cairn_node a = CAIRN_NO_NODE, b = CAIRN_NO_NODE;
    CHECK(cairn_path_valid(s->place->space, path, &sum, &a, &b), "%s: called invalid at %u to %u",
          text, a, b);
    CHECK(sum == path->cost, "%s: cairn_path_valid sums up %u", text, sum);
}

void check_no_path(const subject *s, const cairn_path *path, cairn_status why)
{
    const char *text = subject_text(s);
    bool decided = why == CAIRN_UNREACHABLE || why == CAIRN_COST_OVERFLOW;
    if (decided && subject_gave_up(s, path->status)) return;
    CHECK(path->status == why, "%s: \"%s\", not \"%s\"", text, cairn_status_text(path->status),
          cairn_status_text(why));
    if (path->partial) return;
    CHECK(path->count == 0 && path->end == CAIRN_NO_NODE && path->cost == CAIRN_NO_COST,
          "%s: no path, but count %u, end %u, cost %u", text, path->count, path->end, path->cost);
}

void check_known_answer(const subject *s, const known_query *q, const cairn_path *path)
{
    if (q->cost == ORACLE_NONE) {
        check_no_path(s, path, CAIRN_UNREACHABLE);
        return;
    }
    if (subject_gave_up(s, path->status)) return;
    CHECK(path->status == CAIRN_FOUND, "%s: %u to %u: %s", subject_text(s), q->from, q->to,
          cairn_status_text(path->status));
    CHECK(path->end == q->to, "%s: ends at %u, not at %u", subject_text(s), path->end, q->to);
    check_legal_path(s, path, q->from, q->cost);
}
