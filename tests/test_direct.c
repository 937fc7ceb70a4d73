/* test_direct.c: paths without a detour inside an area, against distances worked out cell by cell:
 * which cells have one, what it costs, and which cannot be reached at all.
 */
#include "kit.h"

#include "abstract/direct.h"

typedef struct place {
    const oracle *o;
    crn_area area;
    uint32_t width; /* of the map */
} place;

static bool inside(const place *p, cairn_node cell)
{
    uint32_t x = cell % p->width, y = cell / p->width;
    return x - p->area.left < p->area.width && y - p->area.top < p->area.height;
}

/* Distances inside the area: each is lowered by its neighbours until none can be. */
static uint64_t *distances(const place *p, cairn_node start)
{
    const oracle *o = p->o;
    uint64_t *distance = malloc(o->count * sizeof *distance);
    assert_non_null(distance);
    for (cairn_node i = 0; i < o->count; i++) distance[i] = i == start ? 0 : ORACLE_NONE;
    for (bool lowered = true; lowered;) {
        lowered = false;
        for (cairn_node a = 0; a < o->count; a++) {
            for (uint32_t e = o->first[a]; distance[a] != ORACLE_NONE && e < o->first[a + 1]; e++) {
                if (!inside(p, o->to[e]) || distance[a] + o->cost[e] >= distance[o->to[e]])
                    continue;
                distance[o->to[e]] = distance[a] + o->cost[e];
                lowered = true;
            }
        }
    }
    return distance;
}

static uint32_t direct, detours, nevers;

static void check_start(crn_direct *d, const place *p, cairn_scale scale, cairn_node start)
{
    uint64_t *distance = distances(p, start);
    crn_direct_begin(d, start);
    for (cairn_node cell = 0; cell < p->o->count; cell++) {
        if (!inside(p, cell)) continue;
        uint32_t dx = (uint32_t)abs((int)(cell % p->width) - (int)(start % p->width));
        uint32_t dy = (uint32_t)abs((int)(cell / p->width) - (int)(start / p->width));
        uint32_t both = dx < dy ? dx : dy;
        uint64_t least =
            (uint64_t)both * scale.diagonal + (uint64_t)(dx + dy - 2 * both) * scale.straight;
        cairn_cost cost = crn_direct_cost(d, cell);
        bool known = distance[cell] == least;
        CHECK(cost == (known ? least : CAIRN_NO_COST), "%u to %u: %u, but %u", start, cell, cost,
              (unsigned)distance[cell]);
        bool never = crn_direct_never(d, cell);
        CHECK(never == (distance[cell] == ORACLE_NONE), "%u to %u: never?", start, cell);
        direct += known;
        nevers += never;
        detours += !known && !never;
    }
    free(distance);
}

static void check_area(const scene *s, const cairn_profile *profile, uint64_t seed)
{
    kit k = kit_of_scene(s, profile);
    const crn_grid_space *space = crn_grid_space_of(k.space);
    assert_true(crn_direct_suits(space));
    cairn_scale scale = cairn_space_scale(k.space);
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, profile, scale);
    scene_rng rng = {seed};
    crn_direct *d = malloc(sizeof *d);
    assert_non_null(d);
    for (uint32_t i = 0; i < 4; i++) {
        cairn_node start = scene_pick(s, &rng);
        uint32_t x = start % s->width, y = start / s->width;
        uint32_t left = scene_random(&rng, x + 1), top = scene_random(&rng, y + 1);
        if (x - left >= CRN_FLOOD_SIDE_MAX) left = x - CRN_FLOOD_SIDE_MAX + 1;
        uint32_t width = x - left + 1 + scene_random(&rng, s->width - x);
        uint32_t height = y - top + 1 + scene_random(&rng, s->height - y);
        /* all of it, 64 cells in a row */
        if (i == 0) left = 0, top = 0, width = s->width, height = s->height;
        if (width > CRN_FLOOD_SIDE_MAX) width = CRN_FLOOD_SIDE_MAX;
        place p = {o, {left, top, width, height}, s->width};
        crn_direct_open(d, space, p.area);
        check_start(d, &p, scale, start);
        for (uint32_t more = 0; more < 3; more++) { /* what the area looks like is known by now */
            cairn_node other = scene_pick(s, &rng);
            if (inside(&p, other)) check_start(d, &p, scale, other);
        }
    }
    free(d);
    oracle_destroy(o);
    kit_close(&k);
}

static void ways_without_detour_are_those_of_least_cost(void **state)
{
    (void)state;
    direct = detours = nevers = 0;
    for (uint32_t i = 0; i < 6; i++) {
        scene *s = i < 2   ? scene_noise("noise", 64, 40, 10 + 20 * i, 5 + i)
                   : i < 4 ? scene_blocks("blocks", 64, 50, 40, 7 + i)
                           : scene_rooms("rooms", 64, 33, 8, 3 + i);
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            if (profile.neighbours == CAIRN_NEIGHBOURS_8) check_area(s, &profile, 100 + i);
        }
        scene_destroy(s);
    }
    CHECK(direct > 10000 && detours > 5000 && nevers > 1000, "%u direct, %u detours, %u never",
          direct, detours, nevers);
}

/* Steps that heights do not allow are tested one by one, a part of a wide row at a time. */
static void floods_take_steps_that_lead_there_and_back(void **state)
{
    (void)state;
    scene_rng rng = {31};
    uint32_t reached = 0, missed = 0;
    for (uint32_t i = 0; i < 6; i++) {
        scene *s = scene_noise("noise", 70, 40, 5, 60 + i);
        s->elevation = calloc(70 * 40, sizeof *s->elevation);
        assert_non_null(s->elevation);
        for (uint32_t c = 0; c < 70 * 40; c++)
            s->elevation[c] = (int16_t)(scene_random(&rng, 5) + (c % 70 == 40 ? 9 : 0));
        s->profile.max_climb = 2, s->profile.max_drop = 3;
        kit k = kit_of_scene(s, &s->profile);
        crn_area area = {i, 2, i < 3 ? 64 : 10 + 9 * i, 38};
        crn_flood flood;
        crn_flood_open(&flood, crn_grid_space_of(k.space), area);
        for (uint32_t y = 0; y < area.height; y++) {
            for (uint32_t x = 0; x < area.width; x++) {
                cairn_node a = (area.top + y) * 70 + area.left + x;
                const struct {
                    const uint64_t *steps;
                    int32_t x, y;
                } ways[] = {{flood.right, 1, 0},
                            {flood.down, 0, 1},
                            {flood.falling, 1, 1},
                            {flood.rising, -1, 1}};
                for (uint32_t d = 0; d < LENGTH(ways); d++) {
                    uint32_t bx = x + (uint32_t)ways[d].x, by = y + (uint32_t)ways[d].y;
                    cairn_node b = (area.top + by) * 70 + area.left + bx;
                    bool both = bx < area.width && by < area.height &&
                                cairn_space_step_cost(k.space, a, b) != CAIRN_NO_COST &&
                                cairn_space_step_cost(k.space, b, a) != CAIRN_NO_COST;
                    CHECK((ways[d].steps[y] >> x & 1) == both, "%u,%u: step %u", x, y, d);
                    reached += both;
                    missed += !both;
                }
            }
        }
        kit_end(&k, s);
    }
    CHECK(reached > 5000 && missed > 5000, "%u steps, %u are none", reached, missed);
}

/* Four directions, hexagons, ground of different costs: searches are needed there. */
static void other_spaces_do_not_suit(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        scene *s = scene_noise("noise", 20, 20, 20, 1);
        if (i == 0) s->profile.neighbours = CAIRN_NEIGHBOURS_4;
        if (i == 1) scene_make_hex(s);
        if (i == 2) scene_add_terrain(s, 2);
        kit k = kit_of_scene(s, &s->profile);
        assert_false(crn_direct_suits(crn_grid_space_of(k.space)));
        kit_end(&k, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_without_detour_are_those_of_least_cost),
        cmocka_unit_test(floods_take_steps_that_lead_there_and_back),
        cmocka_unit_test(other_spaces_do_not_suit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
