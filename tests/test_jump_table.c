/* test_jump_table.c: the table of jumps (jump/table.h) against walking cell by cell; repaired
 * against rebuilt, byte by byte; every wrong bit of a loaded one is noticed; nothing is lost
 * without memory.
 */
#include "files.h"
#include "kit.h"

#include "jump/table.h"

/* ---- walking ------------------------------------------------------------------------ */

static const int32_t step_x[4] = {0, 1, 0, -1}, step_y[4] = {-1, 0, 1, 0};

static bool stands(const kit *k, int32_t x, int32_t y)
{
    cairn_node node = cairn_grid_node(k->grid, x, y);
    return node != CAIRN_NO_NODE && cairn_space_usable(k->space, node);
}

/* Does something beside the path force a turn at (x, y), entered by a straight step? In the words
 * of the papers. */
static bool turns(const kit *k, int32_t x, int32_t y, uint32_t d)
{
    cairn_corners corners = cairn_space_profile(k->space)->corners;
    for (int32_t side = -1; side <= 1; side += 2) {
        int32_t sx = x + side * step_y[d], sy = y + side * step_x[d];
        bool beside = stands(k, sx, sy), behind = stands(k, sx - step_x[d], sy - step_y[d]);
        bool ahead = stands(k, sx + step_x[d], sy + step_y[d]);
        if (corners == CAIRN_CORNERS_NEVER && beside && !behind) return true;
        if (corners == CAIRN_CORNERS_ALWAYS && !beside && ahead) return true;
        if (corners == CAIRN_CORNERS_ONE && !beside && ahead &&
            stands(k, x + step_x[d], y + step_y[d]))
            return true;
    }
    return false;
}

static uint32_t walked(const kit *k, int32_t x, int32_t y, uint32_t d)
{
    for (uint32_t gone = 0;; gone++) {
        x += step_x[d], y += step_y[d];
        if (!stands(k, x, y)) return gone;
        if (turns(k, x, y, d)) return (gone + 1) | 0x8000;
    }
}

static bool steps(const kit *k, int32_t x, int32_t y, uint32_t d)
{
    cairn_corners corners = cairn_space_profile(k->space)->corners;
    if (!stands(k, x, y) || !stands(k, x + crn_dx[d], y + crn_dy[d])) return false;
    int sides = stands(k, x + crn_dx[d], y) + stands(k, x, y + crn_dy[d]);
    return sides >= (corners == CAIRN_CORNERS_NEVER ? 2 : corners == CAIRN_CORNERS_ONE ? 1 : 0);
}

/* Cells of a diagonal jump, whose first step is legal, up to where there is something to do. */
static uint32_t glided(const kit *k, uint32_t (*runs)[4], int32_t x, int32_t y, uint32_t d)
{
    const crn_grid_space *space = crn_grid_space_of(k->space);
    uint32_t level = crn_dx[d] > 0 ? CRN_E : CRN_W, upright = crn_dy[d] > 0 ? CRN_S : CRN_N;
    for (uint32_t gone = 1;; gone++) {
        x += crn_dx[d], y += crn_dy[d];
        uint32_t moves = crn_grid_canonical_moves(space, (uint32_t)x, (uint32_t)y, d);
        if (moves & ~(1u << d | 1u << level | 1u << upright)) return gone;
        const uint32_t *run = runs[cairn_grid_node(k->grid, x, y)];
        if (run[level] >> 15 || run[upright] >> 15) return gone;
        if (!steps(k, x, y, d)) return gone;
    }
}

/* The same as the table has it. */
static uint32_t glide(const crn_jump_table *table, uint32_t x, uint32_t y, uint32_t d)
{
    return crn_scan_passed(crn_jump_line_bits(table, d, x, y), x + 1, crn_dx[d] > 0) + 1;
}

static void check_table(const kit *k, const crn_jump_table *table)
{
    uint32_t count = cairn_space_node_count(k->space);
    uint32_t(*runs)[4] = calloc(count, sizeof *runs);
    if (!runs) abort();
    for (uint32_t i = 0; i < 4 * count; i++) {
        cairn_cell cell = cairn_grid_cell(k->grid, i / 4);
        if (stands(k, cell.x, cell.y)) runs[i / 4][i % 4] = walked(k, cell.x, cell.y, i % 4);
    }
    for (cairn_node node = 0; node < count; node++) {
        cairn_cell cell = cairn_grid_cell(k->grid, node);
        uint32_t x = (uint32_t)cell.x, y = (uint32_t)cell.y, word = crn_jump_cell(table, x, y);
        if (!stands(k, cell.x, cell.y)) {
            CHECK(word == CRN_JUMP_BLOCKED, "blocked %u,%u", x, y);
            continue;
        }
        for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
            if (d >= CRN_NE && !steps(k, cell.x, cell.y, d)) continue;
            uint32_t run = d < CRN_NE ? crn_jump_run(table, word, d, x, y) : glide(table, x, y, d);
            uint32_t known = d < CRN_NE ? runs[node][d] : glided(k, runs, cell.x, cell.y, d);
            CHECK(run == known, "%u,%u to %u: %x, not %x", x, y, d, run, known);
        }
    }
    free(runs);
}

/* The corner rules, and agents of several sizes. */
static bool profile_at(uint32_t i, cairn_profile *profile)
{
    *profile = cairn_profile_default();
    switch (i) {
    case 0:
    case 1:
    case 2: profile->corners = (cairn_corners)i; return true;
    case 3: profile->radius = 1.2; return true;
    case 4: profile->footprint = 3; return true;
    case 5: profile->radius = 0.6; return true;
    default: return false;
    }
}

static crn_jump_table built(const kit *k)
{
    crn_jump_table table = {0};
    CHECK_OK(crn_jump_table_build(&table, crn_grid_space_of(k->space), NULL, NULL));
    return table;
}

static void check_scene(scene *s)
{
    cairn_profile profile;
    for (uint32_t i = 0; profile_at(i, &profile); i++) {
        kit k = kit_of_scene(s, &profile);
        crn_jump_table table = built(&k);
        assert_true(crn_jump_table_bytes(&table) >= (size_t)4 * s->width * s->height);
        check_table(&k, &table);
        crn_jump_table_drop(&table, k.context);
        kit_close(&k);
    }
    scene_destroy(s);
}

static void runs_are_what_walking_gives(void **state)
{
    (void)state;
    static const uint32_t sides[] = {1, 2, 3, 5, 62, 63, 64, 65, 66, 127, 128, 129, 140};
    for (uint32_t i = 0; i < LENGTH(sides); i++) {
        uint32_t other = sides[(i * 5 + 3) % LENGTH(sides)];
        check_scene(scene_blank("blank", sides[i], other));
        check_scene(scene_noise("sparse", sides[i], other, 6, i + 1));
        check_scene(scene_noise("dense", sides[i], other, 40, i + 1));
        check_scene(scene_rooms("rooms", sides[i], other, 7, i + 1));
    }
    check_scene(scene_noise("long", 400, 3, 1, 7));
    check_scene(scene_noise("high", 3, 400, 1, 7));
}

/* Jump points are the cells where canonical order has more to say than "straight on". */
static void points_are_where_canonical_moves_turn(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 96, 96, 35, 5);
    for (uint32_t corners = 0; corners < CAIRN_CORNERS_COUNT; corners++) {
        cairn_profile profile = cairn_profile_default();
        profile.corners = (cairn_corners)corners;
        kit k = kit_of_scene(s, &profile);
        const crn_grid_space *space = crn_grid_space_of(k.space);
        crn_jump_table table = built(&k);
        uint32_t looked = 0;
        for (int32_t i = 0; i < 96 * 96 * 4; i++) {
            int32_t x = i / 4 % 96, y = i / 4 / 96, d = i % 4;
            if (!stands(&k, x, y) || !stands(&k, x - step_x[d], y - step_y[d])) continue;
            uint32_t moves = crn_grid_canonical_moves(space, (uint32_t)x, (uint32_t)y, (uint32_t)d);
            cairn_node behind = cairn_grid_node(k.grid, x - step_x[d], y - step_y[d]);
            bool point = crn_jump_field(table.cells[behind], (uint32_t)d) == 0x81;
            CHECK(point == ((moves & ~(1u << d)) != 0), "%d,%d to %d: moves %x", x, y, d, moves);
            looked++;
        }
        assert_true(looked > 5000);
        crn_jump_table_drop(&table, k.context);
        kit_close(&k);
    }
    scene_destroy(s);
}

/* ---- repair ------------------------------------------------------------------------- */

static void set_box(kit *k, uint32_t left, uint32_t top, uint32_t right, uint32_t bottom, int open)
{
    for (uint32_t y = top; y <= bottom && y < cairn_grid_height(k->grid); y++) {
        for (uint32_t x = left; x <= right && x < cairn_grid_width(k->grid); x++) {
            bool now = open < 0 ? !cairn_grid_is_open(k->grid, (int32_t)x, (int32_t)y) : open;
            CHECK_OK(cairn_grid_set_open(k->grid, (int32_t)x, (int32_t)y, now));
        }
    }
}

/* A change of some kind: a cell, a patch, a wall, a hole in a wall, cells here and there, ground
 * that is forbidden, nothing that matters, a link. */
static void change(kit *k, scene_rng *rng)
{
    uint32_t width = cairn_grid_width(k->grid), height = cairn_grid_height(k->grid);
    uint32_t x = scene_random(rng, width), y = scene_random(rng, height);
    int open = (int)scene_random(rng, 2);
    switch (scene_random(rng, 8)) {
    case 0: set_box(k, x, y, x, y, -1); break;
    case 1: set_box(k, x, y, x + scene_random(rng, 17), y + scene_random(rng, 17), open); break;
    case 2: set_box(k, x, y, x + scene_random(rng, 70), y, open); break;
    case 3: set_box(k, x, y, x, y + scene_random(rng, 70), open); break;
    case 4:
        for (uint32_t i = scene_random(rng, 12); i; i--) {
            x = scene_random(rng, width), y = scene_random(rng, height);
            set_box(k, x, y, x, y, -1);
        }
        break;
    case 5:
        CHECK_OK(cairn_grid_set_terrain(k->grid, (int32_t)x, (int32_t)y, (uint8_t)(open ? 9 : 0)));
        break;
    case 6:
        CHECK_OK(
            cairn_grid_set_layer(k->grid, (int32_t)x, (int32_t)y, (uint8_t)scene_random(rng, 9)));
        break;
    default:
        CHECK_OK(cairn_grid_add_link(
            k->grid,
            &(cairn_link){.from = y * width + x, .to = (y * width + x + 1) % (width * height)}));
        break;
    }
}

static bool same_table(const crn_jump_table *a, const crn_jump_table *b)
{
    bool same = memcmp(a->cells, b->cells, (size_t)a->width * a->height * sizeof *a->cells) == 0;
    for (uint32_t d = 0; d < 4; d++) {
        same = same && memcmp(a->passed[d].rows, b->passed[d].rows, a->passed[d].size) == 0;
    }
    return same;
}

/* One sync later: equal, byte by byte; `changed` says whether it was so before. */
static void check_repair(kit *k, crn_jump_table *table, uint64_t *since)
{
    crn_jump_table fresh = built(k);
    bool same = same_table(&fresh, table);
    CHECK_OK(crn_jump_table_repair(table, crn_grid_space_of(k->space), *since, NULL, NULL));
    CHECK(table->changed || same, "not said that it changed");
    for (uint32_t i = 0; i < table->width * table->height; i++) {
        CHECK(fresh.cells[i] == table->cells[i], "%u,%u: %x, not %x", i % table->width,
              i / table->width, table->cells[i], fresh.cells[i]);
    }
    assert_true(same_table(&fresh, table));
    crn_jump_table_drop(&fresh, k->context);
    *since = cairn_grid_version(k->grid);
}

static void repair_scene(scene *s, uint32_t rounds, uint64_t seed)
{
    cairn_profile profile;
    for (uint32_t i = 0; profile_at(i, &profile); i++) {
        profile.terrain_cost[9] = 0;
        scene_rng rng = {seed + i};
        kit k = kit_of_scene(s, &profile);
        crn_jump_table table = built(&k);
        uint64_t since = cairn_grid_version(k.grid);
        for (uint32_t round = 0; round < rounds; round++) {
            for (uint32_t changes = 1 + scene_random(&rng, 3); changes; changes--) change(&k, &rng);
            CHECK_OK(cairn_grid_commit(k.grid));
            if (scene_random(&rng, 4)) check_repair(&k, &table, &since);
        }
        check_repair(&k, &table, &since);
        crn_jump_table_drop(&table, k.context);
        kit_close(&k);
    }
    scene_destroy(s);
}

static void repaired_equals_built_byte_by_byte(void **state)
{
    (void)state;
    repair_scene(scene_noise("tiny", 7, 5, 30, 3), 200, 11);
    repair_scene(scene_noise("sparse", 90, 70, 4, 3), 150, 12);
    repair_scene(scene_noise("dense", 70, 90, 40, 3), 150, 13);
    repair_scene(scene_rooms("rooms", 130, 66, 9, 3), 120, 14);
    repair_scene(scene_blank("blank", 140, 140), 80, 15);
    repair_scene(scene_serpent("serpent", 65, 65), 120, 16);
    repair_scene(scene_blank("line", 200, 1), 150, 17);
    repair_scene(scene_blank("column", 1, 200), 150, 18);
}

/* ---- in slices ---------------------------------------------------------------------- */

static void change_some(kit *k, scene_rng *rng)
{
    for (uint32_t changes = 1 + scene_random(rng, 3); changes; changes--) change(k, rng);
    CHECK_OK(cairn_grid_commit(k->grid));
}

/* Steps of any size to the end, or to the middle; between them now and then a commit, or two that
 * undo each other. In the end it is what is built now. */
static void finish_in_slices(kit *k, crn_jump_table *table, uint64_t *since, scene_rng *rng)
{
    const crn_grid_space *space = crn_grid_space_of(k->space);
    cairn_status status = CAIRN_RUNNING;
    uint32_t commits = scene_random(rng, 6), most = scene_random(rng, 2) ? 40 : 6000;
    uint64_t cells = 0; /* what a step leaves belongs to the next one */
    while (status == CAIRN_RUNNING) {
        cells += 1 + scene_random(rng, most);
        uint64_t before = cells;
        status = crn_jump_table_step(table, space, &cells, NULL);
        CHECK(cells <= before, "it takes more than there is");
        CHECK(status == CAIRN_OK || (status == CAIRN_RUNNING && cells < 2048), "it stops early");
        if (!commits || scene_random(rng, 30)) continue;
        commits--;
        uint64_t seed = rng->state;
        change_some(k, rng);
        if (scene_random(rng, 3) == 0) { /* the cells that were turned are turned again */
            rng->state = seed;
            if (status == CAIRN_RUNNING) {
                crn_jump_table_repair_begin(table, space, *since);
                *since = cairn_grid_version(k->grid);
                cells += 1 + scene_random(rng, most);
                status = crn_jump_table_step(table, space, &cells, NULL);
            }
            change_some(k, rng);
        }
        crn_jump_table_repair_begin(table, space, *since);
        *since = cairn_grid_version(k->grid);
        status = CAIRN_RUNNING;
    }
    CHECK_OK(status);
    crn_jump_table fresh = built(k);
    assert_true(same_table(&fresh, table));
    assert_int_equal(table->linked_count, fresh.linked_count);
    crn_jump_table_drop(&fresh, k->context);
}

static void slice_scene(scene *s, uint32_t rounds, uint64_t seed)
{
    cairn_profile profile;
    for (uint32_t i = 0; profile_at(i, &profile); i++) {
        profile.terrain_cost[9] = 0;
        scene_rng rng = {seed + i};
        kit k = kit_of_scene(s, &profile);
        for (uint32_t round = 0; round < rounds; round++) {
            crn_jump_table table = {0};
            uint64_t since = cairn_grid_version(k.grid);
            CHECK_STATUS(crn_jump_table_build_begin(&table, crn_grid_space_of(k.space), NULL),
                         CAIRN_RUNNING);
            finish_in_slices(&k, &table, &since, &rng);
            for (uint32_t repairs = 0; repairs < 4; repairs++) {
                change_some(&k, &rng);
                crn_jump_table_repair_begin(&table, crn_grid_space_of(k.space), since);
                since = cairn_grid_version(k.grid);
                finish_in_slices(&k, &table, &since, &rng);
            }
            crn_jump_table_drop(&table, k.context);
        }
        kit_close(&k);
    }
    scene_destroy(s);
}

static void what_is_made_in_slices_equals_built_byte_by_byte(void **state)
{
    (void)state;
    slice_scene(scene_noise("tiny", 7, 5, 30, 3), test_times(30, 6), 21);
    slice_scene(scene_noise("sparse", 90, 70, 4, 3), test_times(10, 2), 22);
    slice_scene(scene_noise("dense", 70, 90, 40, 3), test_times(10, 2), 23);
    slice_scene(scene_rooms("rooms", 300, 66, 9, 3), test_times(6, 2), 24);
    slice_scene(scene_blank("blank", 140, 140), test_times(6, 2), 25);
    slice_scene(scene_blank("line", 600, 1), test_times(20, 4), 26);
    slice_scene(scene_blank("column", 1, 600), test_times(20, 4), 27);
}

/* Opened and closed again: nothing is touched, whatever the number of commits; and too many of
 * them. */
static void what_was_undone_or_forgotten_is_right_too(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 80, 80, 20, 9);
    kit k = kit_of_scene(s, NULL);
    crn_jump_table table = built(&k);
    uint64_t since = cairn_grid_version(k.grid);
    for (int i = 0; i < 2; i++) {
        set_box(&k, 20, 20, 30, 30, -1);
        CHECK_OK(cairn_grid_commit(k.grid));
    }
    CHECK_OK(crn_jump_table_repair(&table, crn_grid_space_of(k.space), since, NULL, NULL));
    assert_false(table.changed);
    check_repair(&k, &table, &since);
    for (uint32_t i = 0; i < 3 * CRN_COMMITS_KEPT; i++) {
        set_box(&k, i % 80, i % 7, i % 80, i % 7, -1);
        CHECK_OK(cairn_grid_commit(k.grid));
    }
    check_repair(&k, &table, &since);
    set_box(&k, 0, 0, 79, 79, -1);
    CHECK_OK(cairn_grid_commit(k.grid));
    check_repair(&k, &table, &since);
    crn_jump_table_drop(&table, k.context);
    kit_close(&k);
    scene_destroy(s);
}

/* ---- files -------------------------------------------------------------------------- */

static bytes file_of(const kit *k, const crn_jump_table *table)
{
    cairn_store *store;
    CHECK_OK(cairn_store_create(k->context, &store));
    CHECK_OK(crn_jump_table_save(table, store, NULL));
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    return file;
}

static cairn_status loaded(const kit *k, const bytes *file, cairn_error *error)
{
    cairn_archive *archive = opened(k->context, file);
    crn_jump_table table = {0};
    cairn_status status =
        crn_jump_table_load(&table, crn_grid_space_of(k->space), archive, true, error);
    crn_jump_table_drop(&table, k->context);
    cairn_archive_close(archive);
    return status;
}

/* Checksums are right, one value is not. */
static void a_table_with_any_wrong_bit_is_refused(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 19, 11, 25, 2);
    for (uint32_t corners = 0; corners < CAIRN_CORNERS_COUNT; corners++) {
        cairn_profile profile = cairn_profile_default();
        profile.corners = (cairn_corners)corners;
        kit k = kit_of_scene(s, &profile);
        crn_jump_table table = built(&k);
        bytes file = file_of(&k, &table);
        CHECK_OK(loaded(&k, &file, NULL));
        bytes_free(&file);
        for (uint32_t bit = 0; bit < 19 * 11 * 32; bit += 11) {
            table.owned[bit / 32] ^= UINT32_C(1) << bit % 32;
            file = file_of(&k, &table);
            cairn_error error = {0};
            CHECK(loaded(&k, &file, &error) == CAIRN_BAD_DATA && error.text[0], "bit %u", bit);
            bytes_free(&file);
            table.owned[bit / 32] ^= UINT32_C(1) << bit % 32;
        }
        crn_jump_table_drop(&table, k.context);
        kit_close(&k);
    }
    scene_destroy(s);
}

static void a_table_of_another_size_is_refused(void **state)
{
    (void)state;
    scene *s = scene_blank("blank", 6, 6), *other = scene_blank("blank", 6, 7);
    kit k = kit_of_scene(s, NULL), more = kit_of_scene(other, NULL);
    crn_jump_table table = built(&more);
    bytes file = file_of(&more, &table);
    CHECK_STATUS(loaded(&k, &file, NULL), CAIRN_BAD_DATA);
    bytes_free(&file);
    crn_jump_table_drop(&table, more.context);
    kit_close(&k), kit_close(&more);
    scene_destroy(s), scene_destroy(other);
}

/* A mapped table is not written to: repair works on a copy. */
static void a_borrowed_table_is_copied_before_it_is_repaired(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 40, 40, 20, 2);
    kit k = kit_of_scene(s, NULL);
    crn_jump_table table = built(&k), borrowed = {0};
    bytes file = file_of(&k, &table), before = file_of(&k, &table);
    cairn_archive *archive = opened(k.context, &file);
    CHECK_OK(crn_jump_table_load(&borrowed, crn_grid_space_of(k.space), archive, true, NULL));
    assert_null(borrowed.owned);
    uint64_t since = cairn_grid_version(k.grid);
    set_box(&k, 10, 10, 20, 20, -1);
    CHECK_OK(cairn_grid_commit(k.grid));
    check_repair(&k, &borrowed, &since);
    assert_true(bytes_same(&file, &before));
    crn_jump_table_drop(&borrowed, k.context);
    cairn_archive_close(archive);
    bytes_free(&file), bytes_free(&before);
    crn_jump_table_drop(&table, k.context);
    kit_close(&k);
    scene_destroy(s);
}

/* ---- memory ------------------------------------------------------------------------- */

static void without_memory_a_repair_fails_and_nothing_is_lost(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 40, 40, 20, 2);
    watched memory = {0};
    kit k = {0};
    CHECK_OK(watched_context(&memory, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    set_box(&k, 10, 10, 20, 20, -1);
    CHECK_OK(cairn_grid_commit(k.grid));
    crn_jump_table table = built(&k);
    bytes file = file_of(&k, &table);
    crn_jump_table_drop(&table, k.context);
    cairn_archive *archive = opened(k.context, &file);
    size_t held = memory.bytes;
    for (uint64_t at = 1; at <= 2; at++) { /* the list of boxes, the copy */
        cairn_error error = {0};
        CHECK_OK(crn_jump_table_load(&table, crn_grid_space_of(k.space), archive, true, NULL));
        uint64_t since = cairn_grid_version(k.grid);
        memory.fail_at = memory.calls + at;
        CHECK_STATUS(
            crn_jump_table_repair(&table, crn_grid_space_of(k.space), since - 1, NULL, &error),
            CAIRN_OUT_OF_MEMORY);
        memory.fail_at = 0;
        assert_true(error.text[0]);
        crn_jump_table_drop(&table, k.context);
        assert_int_equal(memory.bytes, held);
    }
    cairn_archive_close(archive);
    bytes_free(&file);
    kit_close(&k);
    assert_int_equal(memory.blocks, 0);
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_what_walking_gives),
        cmocka_unit_test(points_are_where_canonical_moves_turn),
        cmocka_unit_test(repaired_equals_built_byte_by_byte),
        cmocka_unit_test(what_is_made_in_slices_equals_built_byte_by_byte),
        cmocka_unit_test(what_was_undone_or_forgotten_is_right_too),
        cmocka_unit_test(a_table_with_any_wrong_bit_is_refused),
        cmocka_unit_test(a_table_of_another_size_is_refused),
        cmocka_unit_test(a_borrowed_table_is_copied_before_it_is_repaired),
        cmocka_unit_test(without_memory_a_repair_fails_and_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
