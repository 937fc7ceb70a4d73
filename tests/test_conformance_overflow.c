/* test_conformance_overflow.c: costs that do not fit into 32 bits, asked of every planner.
 *
 * Links and steps that cost more than 32 bits hold by themselves, and sums that do. The oracle
 * counts in 64 bits, so it knows what fits. A path that fits is found at its true cost; a goal that
 * only paths beyond 32 bits lead to is a cost overflow; what no path leads to is unreachable, and
 * is called an overflow only where something else that can be reached does not fit.
 */
#include "conformance.h"

enum { STARTS = 7, GOALS = 11 };

static bool something_overflows(const oracle *o)
{
    for (cairn_node n = 0; n < o->count; n++) {
        if (o->distance[n] != ORACLE_NONE && o->distance[n] > CAIRN_COST_MAX) return true;
    }
    return false;
}

static void judge(const subject *s, const known_query *q, const cairn_path *path, bool overflows)
{
    /* a planner that is content with any path may have dropped the cheap ones */
    bool careless = !s->optimal && !(s->algorithm->flags & CAIRN_PIECES);
    /* one that keeps little does not know that it has reached a node at a lower cost before */
    careless = careless || subject_may_give_up(s);
    if (q->cost == ORACLE_NONE) {
        bool excused = (overflows || careless) && path->status == CAIRN_COST_OVERFLOW;
        check_no_path(s, path, excused ? CAIRN_COST_OVERFLOW : CAIRN_UNREACHABLE);
    } else if (q->cost > CAIRN_COST_MAX) {
        check_no_path(s, path, CAIRN_COST_OVERFLOW);
    } else if (s->optimal || path->status != CAIRN_COST_OVERFLOW) {
        check_known_answer(s, q, path);
    }
}

/* Piece by piece: as far as the goal, if a path that fits leads there. */
static void judge_pieces(const subject *s, const known_query *q, bool overflows)
{
    const cairn_path *path;
    cairn_query query = {.from = q->from, .to = q->to, .piece = 1 + q->from % 9};
    cairn_status status = cairn_search_find(s->search, &query, &path);
    while (status == CAIRN_FOUND && path->end != q->to)
        status = cairn_search_find_next(s->search, &path);
    cairn_status right = q->cost == ORACLE_NONE      ? CAIRN_UNREACHABLE
                         : q->cost <= CAIRN_COST_MAX ? CAIRN_FOUND
                                                     : CAIRN_COST_OVERFLOW;
    bool excused = overflows && q->cost == ORACLE_NONE && status == CAIRN_COST_OVERFLOW;
    CHECK(status == right || excused, "%s: in pieces from %u to %u: %s", subject_text(s), q->from,
          q->to, cairn_status_text(status));
}

static void ask_everywhere(subject *s)
{
    const oracle *o = s->place->oracle;
    for (cairn_node from = 0; from < o->count; from += 1 + o->count / STARTS) {
        if (!o->usable[from]) continue;
        oracle_search(s->place->oracle, from);
        bool overflows = something_overflows(o);
        for (cairn_node to = from % 3; to < o->count; to += 1 + o->count / GOALS) {
            if (!o->usable[to]) continue;
            known_query q = {from, to, o->distance[to], o->steps[to]};
            answer a = answer_find(s->search, &(cairn_query){.from = from, .to = to});
            judge(s, &q, &a.path, overflows);
            answer_free(&a);
            if (s->algorithm->flags & CAIRN_PIECES) judge_pieces(s, &q, overflows);
        }
    }
}

static void each_planner_on(place *p)
{
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        subject s;
        if (a->kind != CAIRN_KIND_PLANNER || !conformance_claims(a, p)) continue;
        if (!conformance_is_about(a) || !subject_open(&s, p, a, a->name)) continue;
        ask_everywhere(&s);
        subject_close(&s);
    }
    place_destroy(p);
}

/* ---- links ---- */

static void a_link_beyond_32_bits_leads_nowhere(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        scene *s = scene_of_text("gap", i < 2 ? ".#.\n" : ".#.\n.#.\n...\n");
        s->links = calloc(2, sizeof *s->links);
        if (!s->links) abort();
        /* of two links the cheaper one is not always the one that fits */
        s->links[0] = (cairn_link){.from = 0, .to = 2, .cost = UINT32_MAX, .id = 1};
        s->links[1] = (cairn_link){.from = 0, .to = 2, .cost = UINT32_MAX - 7, .id = 2};
        s->link_count = 1 + i % 2;
        each_planner_on(place_of_scene(s, CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER));
    }
}

/* A cell that links reach at too high a cost can be walked to; from the goal a link leads back,
 * so that components do not tell that nothing leads there. */
static void what_steps_reach_cheaply_does_not_overflow(void **state)
{
    (void)state;
    scene *s = scene_blank("detour", 40, 12);
    for (uint32_t i = 0; i < 40 * 12; i++) s->open[i] = i % 40 != 31 && i % 40 != 36;
    s->links = calloc(3, sizeof *s->links);
    if (!s->links) abort();
    s->links[0] = (cairn_link){.from = 0, .to = 39, .cost = 150000000, .id = 1};
    s->links[1] = (cairn_link){.from = 39, .to = 250, .cost = 150000000, .id = 2};
    s->links[2] = (cairn_link){.from = 33, .to = 0, .cost = 256, .id = 3};
    s->link_count = 3;
    each_planner_on(place_of_scene(s, CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER));
}

static void sums_of_links_beyond_32_bits_are_an_overflow(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= test_times(24, 8); i++) {
        uint32_t seed = i ? i : 70; /* where groups of cells overflow that nothing leads to */
        scene *s = seed % 4 ? scene_noise("islands", 26, 17, 45, seed)
                            : scene_noise("many islands", 75, 60, 40, seed);
        /* in every second scene each link fits by itself */
        scene_add_links(s, seed % 4 ? 40 : 160, seed % 3 ? 90000000 : 1000,
                        seed % 2 ? UINT32_MAX - 2 : 191000000, false, seed);
        each_planner_on(place_of_scene(s, seed % 3 ? CAIRN_NEIGHBOURS_8 : CAIRN_NEIGHBOURS_4,
                                       (cairn_corners)(seed % CAIRN_CORNERS_COUNT)));
    }
}

/* ---- steps ---- */

static void a_step_beyond_32_bits_leads_nowhere(void **state)
{
    (void)state;
    scene *s = scene_of_text("peak", "...\n");
    s->elevation = calloc(3, sizeof *s->elevation);
    if (!s->elevation) abort();
    s->elevation[1] = 30000;
    s->profile.cost_scale = 0;
    s->profile.gradient = UINT16_MAX;
    each_planner_on(place_of_scene(s, CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER));
}

static void steps_beyond_32_bits_are_an_overflow(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= test_times(8, 4); seed++) {
        scene *s = scene_noise("peaks", 22, 15, 20, seed);
        scene_rng rng = {seed};
        s->elevation = calloc((size_t)s->width * s->height, sizeof *s->elevation);
        if (!s->elevation) abort();
        for (uint32_t i = 0; i < s->width * s->height; i++) {
            int32_t kind = (int32_t)scene_random(&rng, 8);
            s->elevation[i] = (int16_t)(kind == 0 ? 30000 : kind == 1 ? -20000 : kind * 40);
        }
        s->profile.cost_scale = 0;
        s->profile.gradient = UINT16_MAX;
        if (seed % 2) scene_add_links(s, 20, 1000, UINT32_MAX - 2, false, seed);
        each_planner_on(place_of_scene(s, CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_NEVER));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_beyond_32_bits_leads_nowhere),
        cmocka_unit_test(what_steps_reach_cheaply_does_not_overflow),
        cmocka_unit_test(sums_of_links_beyond_32_bits_are_an_overflow),
        cmocka_unit_test(a_step_beyond_32_bits_leads_nowhere),
        cmocka_unit_test(steps_beyond_32_bits_are_an_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
