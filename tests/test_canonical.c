/* test_canonical.c: the moves that are left in canonical order (world/grid_space.h). A search that
 * uses no others, and keeps any one of several equally cheap paths to a cell, must find the least
 * cost of every cell.
 */
#include "kit.h"

#include "world/grid_space.h"

/* ---- how many are left -------------------------------------------------------------- */

static uint32_t count_bits(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

static void among_free_cells_few_moves_are_left(void **state)
{
    (void)state;
    /* By rule, after a step north, east, south, west, and after a diagonal one. */
    static const uint32_t expected[4][5] = {
        {1, 1, 1, 1, 3}, {1, 1, 1, 1, 3}, {1, 1, 1, 1, 3}, {1, 3, 1, 3, 0}};
    scene *s = scene_blank("blank", 5, 5);
    cairn_profile profile;
    for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
        kit k = kit_of_scene(s, &profile);
        const crn_grid_space *space = crn_grid_space_of(k.space);
        for (uint32_t arrival = 0; arrival < CRN_DIRECTIONS; arrival++) {
            uint32_t wanted = expected[rule][arrival < CRN_NE ? arrival : 4];
            uint32_t moves = crn_grid_canonical_moves(space, 2, 2, arrival);
            if (wanted)
                CHECK(count_bits(moves) == wanted, "rule %u, after %u: %x", rule, arrival, moves);
            if (wanted)
                CHECK(moves >> arrival & 1, "rule %u, after %u: not straight on", rule, arrival);
        }
        CHECK(crn_grid_canonical_moves(space, 2, 2, CRN_NO_ARRIVAL) == crn_grid_moves(space, 2, 2),
              "start");
        CHECK(crn_grid_canonical_moves(space, 2, 2, CRN_BY_LINK) == crn_grid_moves(space, 2, 2),
              "link");
        kit_close(&k);
    }
    scene_destroy(s);
}

/* ---- they are enough ---------------------------------------------------------------- */

enum { SIDE = 9, CELLS = SIDE * SIDE };

typedef struct cell_state {
    cairn_cost g;
    uint32_t arrival;
    bool closed;
} cell_state;

/* Dijkstra's algorithm as plain as can be. Which of equally cheap paths is kept, and which of
 * equally cheap cells comes first, is drawn by lot. */
static void search_all(const crn_grid_space *space, cairn_node from, cell_state cells[CELLS],
                       scene_rng *rng)
{
    for (uint32_t i = 0; i < CELLS; i++) cells[i] = (cell_state){.g = CAIRN_NO_COST};
    cells[from] = (cell_state){.g = 0, .arrival = CRN_NO_ARRIVAL};
    for (;;) {
        uint32_t best = CELLS;
        for (uint32_t i = 0; i < CELLS; i++) {
            if (cells[i].closed || cells[i].g == CAIRN_NO_COST) continue;
            if (best == CELLS || cells[i].g < cells[best].g) best = i;
            if (cells[i].g == cells[best].g && scene_random(rng, 2)) best = i;
        }
        if (best == CELLS) return;
        cells[best].closed = true;
        uint32_t x = best % SIDE, y = best / SIDE;
        uint32_t moves = crn_grid_canonical_moves(space, x, y, cells[best].arrival);
        for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
            if (!(moves >> d & 1)) continue;
            cell_state *to = &cells[(int32_t)best + crn_dy[d] * SIDE + crn_dx[d]];
            cairn_cost g = cells[best].g + space->step[d];
            if (g < to->g || (g == to->g && !to->closed && scene_random(rng, 2))) {
                to->g = g;
                to->arrival = d;
            }
        }
    }
}

static void canonical_moves_reach_every_cell_at_its_least_cost(void **state)
{
    (void)state;
    scene_rng rng = {77};
    for (uint32_t round = 0; round < 150; round++) {
        scene *s = scene_noise("noise", SIDE, SIDE, 10 + round % 5 * 10, round + 1);
        cairn_profile profile;
        for (uint32_t rule = 0; scene_rule(s, rule, &profile); rule++) {
            kit k = kit_of_scene(s, &profile);
            const crn_grid_space *space = crn_grid_space_of(k.space);
            oracle_grid raw = scene_raw(s);
            oracle *o = oracle_of_grid(&raw, &profile, cairn_space_scale(k.space));
            cairn_node from = scene_pick(s, &rng);
            oracle_search(o, from);
            cell_state cells[CELLS];
            search_all(space, from, cells, &rng);
            for (uint32_t i = 0; i < CELLS; i++) {
                uint64_t g = cells[i].g == CAIRN_NO_COST ? ORACLE_NONE : cells[i].g;
                CHECK(g == o->distance[i], "round %u, rule %u: from %u to %u: %u, not %u", round,
                      rule, from, i, (unsigned)g, (unsigned)o->distance[i]);
            }
            oracle_destroy(o);
            kit_close(&k);
        }
        scene_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(among_free_cells_few_moves_are_left),
        cmocka_unit_test(canonical_moves_reach_every_cell_at_its_least_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
