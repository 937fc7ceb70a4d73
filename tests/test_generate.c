/* test_generate.c: maps from seeds, and problems for them. What a kind promises is looked at with
 * plain means: a flood fill of our own, counting, the oracle's Dijkstra; and the maps never change.
 */
#include "oracle.h"
#include "support.h"

#include <cairn/io.h>
#include <math.h>

static cairn_grid *make(cairn_context *context, const cairn_generator *generator)
{
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    cairn_status status = cairn_generate(context, generator, &grid, &error);
    CHECK(status == CAIRN_OK, "%s %u x %u: %s", cairn_generator_about(generator->kind)->name,
          generator->width, generator->height, error.text);
    return grid;
}

static cairn_generator sized(cairn_generator_kind kind, uint32_t width, uint32_t height,
                             uint64_t seed)
{
    cairn_generator generator = cairn_generator_default(kind);
    generator.width = width;
    generator.height = height;
    generator.seed = seed;
    return generator;
}

static bool is_open(const cairn_grid *grid, uint32_t x, uint32_t y)
{
    return cairn_grid_is_open(grid, (int32_t)x, (int32_t)y);
}

static uint64_t open_cells(const cairn_grid *grid)
{
    uint64_t open = 0;
    for (uint32_t y = 0; y < cairn_grid_height(grid); y++)
        for (uint32_t x = 0; x < cairn_grid_width(grid); x++) open += is_open(grid, x, y);
    return open;
}

/* FNV-1a over the cells, row by row. */
static uint64_t hash_of(const cairn_grid *grid)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t y = 0; y < cairn_grid_height(grid); y++)
        for (uint32_t x = 0; x < cairn_grid_width(grid); x++)
            hash = (hash ^ is_open(grid, x, y)) * UINT64_C(0x100000001b3);
    return hash;
}

/* ---- regions ---- */

/* Takes one cell after the other from a stack; cells outside are blocked. */
static void spread(const cairn_grid *grid, uint8_t *seen, int32_t *stack, int32_t x, int32_t y,
                   bool open, bool diagonal, int32_t box[4])
{
    int32_t width = (int32_t)cairn_grid_width(grid), count = 0;
    stack[count++] = y * width + x;
    seen[y * width + x] = 1;
    box[0] = box[2] = x;
    box[1] = box[3] = y;
    while (count) {
        int32_t at = stack[--count], cx = at % width, cy = at / width;
        if (cx < box[0]) box[0] = cx;
        if (cy < box[1]) box[1] = cy;
        if (cx > box[2]) box[2] = cx;
        if (cy > box[3]) box[3] = cy;
        for (int32_t i = 0; i < 9; i++) {
            int32_t dx = i % 3 - 1, dy = i / 3 - 1, next = at + dy * width + dx;
            if ((dx && dy && !diagonal) || !cairn_grid_inside(grid, cx + dx, cy + dy)) continue;
            if (seen[next] || cairn_grid_is_open(grid, cx + dx, cy + dy) != open) continue;
            seen[next] = 1;
            stack[count++] = next;
        }
    }
}

/* How many regions of open (4-connected) or groups of blocked cells (8-connected) there are; `box`,
 * if not NULL, gets the largest extent of one. */
static uint32_t count_parts(const cairn_grid *grid, bool open, int32_t extent[2])
{
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid), parts = 0;
    uint8_t *seen = calloc((size_t)width * height, 1);
    int32_t *stack = malloc((size_t)width * height * sizeof *stack);
    assert_non_null(seen);
    assert_non_null(stack);
    extent[0] = extent[1] = 0;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            if (seen[(size_t)y * width + x] || is_open(grid, x, y) != open) continue;
            int32_t box[4];
            spread(grid, seen, stack, (int32_t)x, (int32_t)y, open, !open, box);
            if (box[2] - box[0] + 1 > extent[0]) extent[0] = box[2] - box[0] + 1;
            if (box[3] - box[1] + 1 > extent[1]) extent[1] = box[3] - box[1] + 1;
            parts++;
        }
    }
    free(seen);
    free(stack);
    return parts;
}

static uint32_t count_components(const cairn_grid *grid)
{
    int32_t extent[2];
    return count_parts(grid, true, extent);
}

/* ---- the table ---- */

static void the_table_says_what_there_is(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < CAIRN_GENERATE_COUNT; k++) {
        const cairn_generator_info *about = cairn_generator_about((cairn_generator_kind)k);
        assert_non_null(about);
        assert_true(about->name[0] && about->summary[0] && about->parameter_count);
        assert_int_equal(cairn_generator_find(about->name), k);
        cairn_generator default_value = cairn_generator_default((cairn_generator_kind)k);
        assert_int_equal(default_value.kind, k);
        assert_int_equal(default_value.width, about->width);
        assert_int_equal(default_value.seed, 1);
        for (uint32_t i = 0; i < about->parameter_count; i++) {
            const cairn_generator_parameter *p = &about->parameters[i];
            uint32_t value;
            memcpy(&value, (char *)&default_value + p->offset, sizeof value);
            assert_int_equal(value, p->default_value);
            assert_true(p->minimum <= p->default_value && p->default_value <= p->maximum &&
                        p->name[0] && p->summary[0]);
        }
    }
    assert_null(cairn_generator_about(CAIRN_GENERATE_COUNT));
    assert_int_equal(cairn_generator_find("castle"), CAIRN_GENERATE_COUNT);
    assert_int_equal(cairn_generator_find(NULL), CAIRN_GENERATE_COUNT);
    assert_int_equal(cairn_generator_default(CAIRN_GENERATE_COUNT).width, 0);
}

static void check_refused(cairn_context *context, const cairn_generator *generator,
                          const char *word)
{
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    CHECK_STATUS(cairn_generate(context, generator, &grid, &error), CAIRN_INVALID);
    assert_null(grid);
    CHECK(strstr(error.text, word), "\"%s\" says nothing of %s", error.text, word);
}

static void numbers_out_of_range_are_refused_and_those_at_its_ends_work(void **state)
{
    cairn_context *context = *state;
    for (uint32_t k = 0; k < CAIRN_GENERATE_SCALED; k++) {
        cairn_generator default_value = sized((cairn_generator_kind)k, 40, 30, 5);
        const cairn_generator_info *about = cairn_generator_about((cairn_generator_kind)k);
        for (uint32_t i = 0; i < about->parameter_count; i++) {
            const cairn_generator_parameter *p = &about->parameters[i];
            cairn_generator generator = default_value;
            uint32_t *value = (uint32_t *)(void *)((char *)&generator + p->offset);
            *value = p->maximum;
            cairn_grid_destroy(make(context, &generator));
            *value = p->minimum;
            cairn_grid_destroy(make(context, &generator));
            *value = p->maximum + 1;
            check_refused(context, &generator, p->name);
            *value = p->minimum - 1; /* 0 - 1 is very large */
            check_refused(context, &generator, p->name);
        }
        const uint32_t sizes[] = {0, CAIRN_GRID_MAX + 1};
        for (uint32_t i = 0; i < 2; i++) {
            cairn_generator generator = default_value;
            generator.width = sizes[i];
            check_refused(context, &generator, "width");
            generator = default_value;
            generator.height = sizes[i];
            check_refused(context, &generator, "height");
        }
    }
    cairn_generator none = {.kind = CAIRN_GENERATE_COUNT, .width = 3, .height = 3};
    check_refused(context, &none, "kind");
    cairn_grid *grid = NULL;
    none.kind = CAIRN_GENERATE_RANDOM;
    CHECK_STATUS(cairn_generate(NULL, &none, &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_generate(context, NULL, &grid, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_generate(context, &none, NULL, NULL), CAIRN_INVALID);
}

/* ---- what the kinds promise ---- */

static void connected_kinds_are_one_region_whatever_the_numbers(void **state)
{
    cairn_context *context = *state;
    static const uint32_t sizes[][2] = {{1, 1},  {1, 9},   {14, 1},  {2, 2},    {3, 3},  {2, 50},
                                        {60, 4}, {17, 13}, {64, 48}, {131, 97}, {5, 200}};
    for (uint32_t k = 0; k < CAIRN_GENERATE_SCALED; k++) {
        const cairn_generator_info *about = cairn_generator_about((cairn_generator_kind)k);
        if (!about->connected) continue;
        for (size_t s = 0; s < LENGTH(sizes); s++) {
            for (uint64_t seed = 0; seed < 24; seed++) {
                cairn_generator generator =
                    sized((cairn_generator_kind)k, sizes[s][0], sizes[s][1], seed);
                uint32_t i = (uint32_t)seed % (about->parameter_count + 1);
                if (seed >= 8 && i < about->parameter_count) {
                    /* one number of its own, often a small one */
                    const cairn_generator_parameter *p = &about->parameters[i];
                    uint32_t value =
                        p->minimum + (uint32_t)(seed * seed) % (p->maximum - p->minimum + 1) % 67;
                    memcpy((char *)&generator + p->offset, &value, sizeof value);
                }
                cairn_grid *grid = make(context, &generator);
                uint32_t regions = count_components(grid);
                CHECK(regions == 1, "%s %u x %u, seed %u: %u regions", about->name, sizes[s][0],
                      sizes[s][1], (unsigned)seed, regions);
                cairn_grid_destroy(grid);
            }
        }
    }
}

static void the_smallest_rooms_and_regions_hang_together_too(void **state)
{
    cairn_context *context = *state;
    for (uint32_t i = 0; i < 120; i++) {
        cairn_generator facility = sized(CAIRN_GENERATE_FACILITY, 20 + i % 23, 15 + i % 17, i);
        cairn_generator field = sized(CAIRN_GENERATE_BATTLEFIELD, 20 + i, 15 + i % 37, i);
        facility.room = 1 + i % 9;
        facility.percent = i % 5 * 25;
        facility.loops = i % 3 * 50;
        facility.ease = i % 7 * 20 % 101;
        field.region = 16;
        field.percent = i % 31;
        field.ease = i % 11 * 10;
        cairn_grid *a = make(context, &facility), *b = make(context, &field);
        CHECK(count_components(a) == 1 && count_components(b) == 1, "%u: %u and %u regions", i,
              count_components(a), count_components(b));
        cairn_grid_destroy(a);
        cairn_grid_destroy(b);
    }
}

static void large_connected_maps_are_one_region_too(void **state)
{
    cairn_context *context = *state;
    for (uint32_t k = 0; k < CAIRN_GENERATE_SCALED; k++) {
        cairn_generator generator = cairn_generator_default((cairn_generator_kind)k);
        if (!cairn_generator_about(generator.kind)->connected) continue;
        for (generator.seed = 1; generator.seed <= 3; generator.seed++) {
            cairn_grid *grid = make(context, &generator);
            assert_int_equal(count_components(grid), 1);
            cairn_grid_destroy(grid);
        }
    }
}

static void standard_maps_are_as_open_as_they_should_be(void **state)
{
    cairn_context *context = *state;
    /* percent of the cells, at least and at most */
    static const double range[CAIRN_GENERATE_SCALED][2] = {
        [CAIRN_GENERATE_RANDOM] = {69.5, 70.5},     [CAIRN_GENERATE_ROOMS] = {88, 89.5},
        [CAIRN_GENERATE_MAZE] = {49.9, 50.1},       [CAIRN_GENERATE_CAVES] = {42, 56},
        [CAIRN_GENERATE_PSEUDO_RTS] = {69.9, 70.1}, [CAIRN_GENERATE_BATTLEFIELD] = {83, 91},
        [CAIRN_GENERATE_FACILITY] = {27, 43}};
    for (uint32_t k = 0; k < CAIRN_GENERATE_SCALED; k++) {
        cairn_generator generator = cairn_generator_default((cairn_generator_kind)k);
        for (generator.seed = 1; generator.seed <= 5; generator.seed++) {
            cairn_grid *grid = make(context, &generator);
            double open =
                100.0 * (double)open_cells(grid) / ((double)generator.width * generator.height);
            CHECK(open >= range[k][0] && open <= range[k][1], "%s, seed %u: %.2f %%",
                  cairn_generator_about(generator.kind)->name, (unsigned)generator.seed, open);
            cairn_grid_destroy(grid);
        }
    }
}

/* How many runs of blocked cells in rows are as long as this. */
static uint32_t long_runs(const cairn_grid *grid, uint32_t width, uint32_t height, uint32_t least)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < height; y++) {
        uint32_t run = 0;
        for (uint32_t x = 0; x < width; x++) {
            run = is_open(grid, x, y) ? 0 : run + 1;
            count += run == least;
        }
    }
    return count;
}

static void ease_opens_battlefields_and_facilities(void **state)
{
    cairn_context *context = *state;
    static const cairn_generator_kind kinds[] = {CAIRN_GENERATE_BATTLEFIELD,
                                                 CAIRN_GENERATE_FACILITY};
    for (size_t k = 0; k < LENGTH(kinds); k++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            uint32_t before = UINT32_MAX;
            for (uint32_t ease = 0; ease <= 100; ease += 50) {
                cairn_generator generator = sized(kinds[k], 512, 384, seed);
                generator.ease = ease;
                cairn_grid *grid = make(context, &generator);
                uint32_t runs = long_runs(grid, 512, 384, 10);
                CHECK(count_components(grid) == 1 && runs < before, "%u, seed %u, ease %u: %u runs",
                      (unsigned)k, (unsigned)seed, ease, runs);
                before = runs;
                cairn_grid_destroy(grid);
            }
        }
    }
}

static void closed_gaps_close_battlefields(void **state)
{
    cairn_context *context = *state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        uint32_t before = UINT32_MAX;
        for (uint32_t closed = 0; closed <= 100; closed += 50) {
            cairn_generator generator = sized(CAIRN_GENERATE_BATTLEFIELD, 512, 512, seed);
            generator.percent = 0;
            generator.closed = closed;
            cairn_grid *grid = make(context, &generator);
            uint32_t open = (uint32_t)open_cells(grid);
            CHECK(count_components(grid) == 1 && open < before, "seed %u, closed %u: %u open cells",
                  (unsigned)seed, closed, open);
            before = open;
            cairn_grid_destroy(grid);
        }
    }
}

static void percent_blocks_so_many_cells(void **state)
{
    cairn_context *context = *state;
    for (uint32_t percent = 0; percent <= 100; percent += 10) {
        cairn_grid *grid = NULL;
        CHECK_OK(random_grid(context, 200, 150, percent, percent, &grid));
        double blocked = 100.0 - 100.0 * (double)open_cells(grid) / (200 * 150);
        CHECK(fabs(blocked - percent) < 1.5 && (percent % 100 || blocked == percent), "%u: %.2f",
              percent, blocked);
        cairn_grid_destroy(grid);
    }
}

static void rooms_have_walls_and_doors(void **state)
{
    cairn_context *context = *state;
    for (uint32_t room = 1; room <= 12; room++) {
        for (uint32_t closed = 0; closed <= 100; closed += 50) {
            cairn_generator generator = sized(CAIRN_GENERATE_ROOMS, 61, 47, room);
            generator.room = room;
            generator.closed = closed;
            cairn_grid *grid = make(context, &generator);
            uint32_t doors = 0, wanted = 0, period = room + 1;
            for (uint32_t y = 0; y < 47; y++) {
                for (uint32_t x = 0; x < 61; x++) {
                    bool across = x % period == room, down = y % period == room;
                    if (across && down) assert_false(is_open(grid, x, y));
                    if (!across && !down) assert_true(is_open(grid, x, y));
                    if (across != down) doors += is_open(grid, x, y);
                    if (x % period == 0 && y % period == 0)
                        wanted += (uint32_t)(x + period < 61) + (uint32_t)(y + period < 47);
                }
            }
            if (closed == 0) assert_int_equal(doors, wanted);
            if (closed == 50) assert_true(doors < wanted);
            if (closed == 100) assert_int_equal(doors, 0);
            cairn_grid_destroy(grid);
        }
    }
}

/* Walls between places are open along a whole side of a place or not at all; one less than there
 * are places are open, and as all is connected, that is a tree. */
static void check_maze(cairn_context *context, const cairn_generator *generator)
{
    cairn_grid *grid = make(context, generator);
    uint32_t corridor = generator->corridor, wall = generator->wall, period = corridor + wall;
    uint32_t columns = (generator->width + wall) / period,
             rows = (generator->height + wall) / period;
    uint64_t passages = 0, open = 0;
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns; column++) {
            uint32_t left = column * period, top = row * period;
            for (uint32_t i = 0; i < corridor * corridor; i++)
                assert_true(is_open(grid, left + i % corridor, top + i / corridor));
            open += (uint64_t)corridor * corridor;
            bool east = column + 1 < columns && is_open(grid, left + corridor, top);
            bool south = row + 1 < rows && is_open(grid, left, top + corridor);
            for (uint32_t i = 0; i < corridor * wall; i++) {
                if (column + 1 < columns)
                    assert_int_equal(is_open(grid, left + corridor + i % wall, top + i / wall),
                                     east);
                if (row + 1 < rows)
                    assert_int_equal(is_open(grid, left + i / wall, top + corridor + i % wall),
                                     south);
            }
            passages += (uint64_t)east + south;
        }
    }
    CHECK(passages == (uint64_t)columns * rows - 1, "%u x %u places, %u passages", columns, rows,
          (unsigned)passages);
    /* and nothing else is open */
    assert_int_equal(open_cells(grid), open + passages * corridor * wall);
    assert_int_equal(count_components(grid), 1);
    cairn_grid_destroy(grid);
}

static void mazes_are_perfect_with_corridors_of_any_width(void **state)
{
    cairn_context *context = *state;
    for (uint32_t corridor = 1; corridor <= 7; corridor++) {
        for (uint32_t wall = 1; wall <= 3; wall++) {
            cairn_generator generator =
                sized(CAIRN_GENERATE_MAZE, 97, 64 + corridor, corridor * 10 + wall);
            generator.corridor = corridor;
            generator.wall = wall;
            check_maze(context, &generator);
        }
    }
    cairn_generator large = cairn_generator_default(CAIRN_GENERATE_MAZE);
    check_maze(context, &large);
    cairn_generator wide = cairn_generator_default(CAIRN_GENERATE_MAZE);
    wide.corridor = 32;
    check_maze(context, &wide);
}

static void obstacles_of_pseudo_rts_are_small_and_apart(void **state)
{
    cairn_context *context = *state;
    for (uint32_t largest = 1; largest <= 9; largest += 2) {
        cairn_generator generator = sized(CAIRN_GENERATE_PSEUDO_RTS, 150, 130, largest);
        generator.largest = largest;
        cairn_grid *grid = make(context, &generator);
        int32_t extent[2];
        uint32_t obstacles = count_parts(grid, false, extent);
        CHECK(extent[0] <= (int32_t)largest && extent[1] <= (int32_t)largest, "%d x %d",
              (int)extent[0], (int)extent[1]);
        assert_true(obstacles * largest * largest >= 150 * 130 / 10);
        for (uint32_t x = 0; x < 150; x++)
            assert_true(is_open(grid, x, 0) && is_open(grid, x, 129));
        for (uint32_t y = 0; y < 130; y++)
            assert_true(is_open(grid, 0, y) && is_open(grid, 149, y));
        cairn_grid_destroy(grid);
    }
}

static void scaled_cells_are_squares_of_cells(void **state)
{
    cairn_context *context = *state;
    static const uint8_t open[] = {1, 0, 1, 1, 1, 0}, terrain[] = {0, 1, 2, 3, 77, 0},
                         layer[] = {0, 5, 0, 6, 0, 7};
    static const int16_t elevation[] = {0, -3, 400, 0, 12, 1};
    for (int planes = 0; planes < 2; planes++) {
        cairn_grid_options options = {
            .width = 3, .height = 2, .open = open, .origin = {10, -4, 0}, .cell_size = 6};
        if (planes) options.terrain = terrain, options.layer = layer, options.elevation = elevation;
        cairn_grid *source = NULL;
        CHECK_OK(cairn_grid_create(context, &options, &source, NULL));
        for (uint32_t factor = 1; factor <= 5; factor++) {
            cairn_generator generator = {
                .kind = CAIRN_GENERATE_SCALED, .source = source, .factor = factor};
            cairn_grid *grid = make(context, &generator);
            assert_int_equal(cairn_grid_width(grid), 3 * factor);
            assert_int_equal(cairn_grid_height(grid), 2 * factor);
            for (int32_t y = -1; y <= (int32_t)(2 * factor); y++) {
                for (int32_t x = -1; x <= (int32_t)(3 * factor); x++) {
                    int32_t sx = x < 0 ? -1 : x / (int32_t)factor,
                            sy = y < 0 ? -1 : y / (int32_t)factor;
                    assert_int_equal(cairn_grid_is_open(grid, x, y),
                                     cairn_grid_is_open(source, sx, sy));
                    assert_int_equal(cairn_grid_terrain(grid, x, y),
                                     cairn_grid_terrain(source, sx, sy));
                    assert_int_equal(cairn_grid_layer(grid, x, y),
                                     cairn_grid_layer(source, sx, sy));
                    assert_int_equal(cairn_grid_elevation(grid, x, y),
                                     cairn_grid_elevation(source, sx, sy));
                    if (!cairn_grid_inside(grid, x, y)) continue;
                    cairn_position middle = cairn_grid_position(grid, cairn_grid_node(grid, x, y));
                    assert_int_equal(cairn_grid_node_at(source, middle),
                                     cairn_grid_node(source, sx, sy));
                }
            }
            cairn_grid_destroy(grid);
        }
        cairn_generator wrong = {.kind = CAIRN_GENERATE_SCALED, .source = source, .factor = 10923};
        check_refused(context, &wrong, "larger");
        wrong.factor = 0;
        check_refused(context, &wrong, "factor");
        wrong.factor = 2;
        wrong.width = 7;
        check_refused(context, &wrong, "6 x 4");
        wrong.source = NULL;
        check_refused(context, &wrong, "grid");
        wrong = (cairn_generator){.kind = CAIRN_GENERATE_SCALED, .source = source, .factor = 2};
        CHECK_OK(cairn_grid_add_link(source, &(cairn_link){.from = 0, .to = 2}));
        CHECK_OK(cairn_grid_commit(source));
        cairn_grid *none = NULL;
        CHECK_STATUS(cairn_generate(context, &wrong, &none, NULL), CAIRN_UNSUPPORTED);
        CHECK_OK(cairn_grid_remove_links(source, 0));
        CHECK_OK(cairn_grid_commit(source));
        CHECK_OK(cairn_grid_set_layout(source, CAIRN_LAYOUT_HEX));
        CHECK_STATUS(cairn_generate(context, &wrong, &none, NULL), CAIRN_UNSUPPORTED);
        cairn_grid_destroy(source);
    }
}

/* ---- they never change ---- */

static void maps_are_the_same_for_ever(void **state)
{
    cairn_context *context = *state;
    static const struct golden {
        cairn_generator_kind kind;
        uint32_t width, height;
        uint64_t seed, hash;
    } maps[] = {
        {CAIRN_GENERATE_RANDOM, 512, 512, 1, UINT64_C(0xb180d192abc6a0e2)},
        {CAIRN_GENERATE_RANDOM, 512, 512, 2, UINT64_C(0x3a7e7bb094f94d8d)},
        {CAIRN_GENERATE_RANDOM, 101, 67, 3, UINT64_C(0x85179106c265f543)},
        {CAIRN_GENERATE_RANDOM, 37, 200, 4, UINT64_C(0xaccf9bc780c25668)},
        {CAIRN_GENERATE_RANDOM, 5, 3, 4294967295, UINT64_C(0x0ed4c180c0ac7501)},
        {CAIRN_GENERATE_ROOMS, 512, 512, 1, UINT64_C(0x20fed16b93aa2922)},
        {CAIRN_GENERATE_ROOMS, 512, 512, 2, UINT64_C(0xcc1fc61ba4d30bc3)},
        {CAIRN_GENERATE_ROOMS, 101, 67, 3, UINT64_C(0x438f00e85d63e20b)},
        {CAIRN_GENERATE_ROOMS, 37, 200, 4, UINT64_C(0x778fb7fc46bea450)},
        {CAIRN_GENERATE_ROOMS, 5, 3, 4294967295, UINT64_C(0x88f4d8eac426d136)},
        {CAIRN_GENERATE_MAZE, 512, 512, 1, UINT64_C(0x0b52f18ffa0723e0)},
        {CAIRN_GENERATE_MAZE, 512, 512, 2, UINT64_C(0x9953bf69bf4fb670)},
        {CAIRN_GENERATE_MAZE, 101, 67, 3, UINT64_C(0x5d060562676fbdca)},
        {CAIRN_GENERATE_MAZE, 37, 200, 4, UINT64_C(0xcf13d8ef538ca202)},
        {CAIRN_GENERATE_MAZE, 5, 3, 4294967295, UINT64_C(0xf44218a81bc33962)},
        {CAIRN_GENERATE_CAVES, 512, 512, 1, UINT64_C(0xa17fa70217042fb4)},
        {CAIRN_GENERATE_CAVES, 512, 512, 2, UINT64_C(0x829be60e8b51c9d6)},
        {CAIRN_GENERATE_CAVES, 101, 67, 3, UINT64_C(0xddff2867ceef5174)},
        {CAIRN_GENERATE_CAVES, 37, 200, 4, UINT64_C(0xfcbc229ce366949b)},
        {CAIRN_GENERATE_CAVES, 5, 3, 4294967295, UINT64_C(0x0fb5d5dbb942bb66)},
        {CAIRN_GENERATE_PSEUDO_RTS, 512, 512, 1, UINT64_C(0x1f34440c83c3c516)},
        {CAIRN_GENERATE_PSEUDO_RTS, 512, 512, 2, UINT64_C(0xce464f666a7f1c8c)},
        {CAIRN_GENERATE_PSEUDO_RTS, 101, 67, 3, UINT64_C(0x6e08c38ac11b2777)},
        {CAIRN_GENERATE_PSEUDO_RTS, 37, 200, 4, UINT64_C(0xe96ae0ba2d4d6eda)},
        {CAIRN_GENERATE_PSEUDO_RTS, 5, 3, 4294967295, UINT64_C(0x88f4d8eac426d136)},
        {CAIRN_GENERATE_BATTLEFIELD, 768, 768, 1, UINT64_C(0x3162525834893d19)},
        {CAIRN_GENERATE_BATTLEFIELD, 768, 768, 2, UINT64_C(0xf9806a27ee291876)},
        {CAIRN_GENERATE_BATTLEFIELD, 658, 768, 3, UINT64_C(0x06a0f54333cc1e08)},
        {CAIRN_GENERATE_BATTLEFIELD, 37, 200, 4, UINT64_C(0x8f9303c2a426b3fe)},
        {CAIRN_GENERATE_BATTLEFIELD, 5, 3, 4294967295, UINT64_C(0x88f4d8eac426d136)},
        {CAIRN_GENERATE_FACILITY, 1024, 768, 1, UINT64_C(0x04a28139c64f44bb)},
        {CAIRN_GENERATE_FACILITY, 1024, 768, 2, UINT64_C(0xee92987d9bdc3f20)},
        {CAIRN_GENERATE_FACILITY, 101, 67, 3, UINT64_C(0x185b5224af1e269c)},
        {CAIRN_GENERATE_FACILITY, 37, 200, 4, UINT64_C(0x677ef9b8054e9270)},
        {CAIRN_GENERATE_FACILITY, 5, 3, 4294967295, UINT64_C(0xf4ee9305e8b286ba)},
    };
    for (size_t i = 0; i < LENGTH(maps); i++) {
        cairn_generator generator =
            sized(maps[i].kind, maps[i].width, maps[i].height, maps[i].seed);
        cairn_grid *grid = make(context, &generator);
        uint64_t hash = hash_of(grid);
        CHECK(hash == maps[i].hash, "%s %u x %u, seed %llu: %016llx",
              cairn_generator_about(maps[i].kind)->name, maps[i].width, maps[i].height,
              (unsigned long long)maps[i].seed, (unsigned long long)hash);
        cairn_grid_destroy(grid);
    }
}

static void eased_maps_are_the_same_for_ever(void **state)
{
    cairn_context *context = *state;
    static const struct eased {
        cairn_generator_kind kind;
        uint32_t closed, ease;
        uint64_t hash;
    } maps[] = {{CAIRN_GENERATE_BATTLEFIELD, 100, 0, UINT64_C(0xc1ed8ee84a18453e)},
                {CAIRN_GENERATE_BATTLEFIELD, 50, 50, UINT64_C(0xb4d21cf44beaa431)},
                {CAIRN_GENERATE_BATTLEFIELD, 0, 100, UINT64_C(0xf3a318040c9acfef)},
                {CAIRN_GENERATE_FACILITY, 0, 40, UINT64_C(0xad9f2d5e4da4649e)},
                {CAIRN_GENERATE_FACILITY, 0, 100, UINT64_C(0x28986cd9aa27a872)}};
    for (size_t i = 0; i < LENGTH(maps); i++) {
        cairn_generator generator = sized(maps[i].kind, 300, 200, 7);
        generator.closed = maps[i].closed;
        generator.ease = maps[i].ease;
        cairn_grid *grid = make(context, &generator);
        uint64_t hash = hash_of(grid);
        CHECK(hash == maps[i].hash, "%u: %016llx", (unsigned)i, (unsigned long long)hash);
        cairn_grid_destroy(grid);
    }
}

static void bundled_maps_are_what_the_generators_make(void **state)
{
    cairn_context *context = *state;
    static const struct bundled {
        const char *name;
        cairn_generator generator;
    } maps[] = {
        {"random.map",
         {.kind = CAIRN_GENERATE_RANDOM, .width = 128, .height = 96, .seed = 7, .percent = 30}},
        {"rooms.map",
         {.kind = CAIRN_GENERATE_ROOMS,
          .width = 127,
          .height = 95,
          .seed = 7,
          .room = 15,
          .closed = 20}},
        {"maze.map",
         {.kind = CAIRN_GENERATE_MAZE,
          .width = 127,
          .height = 95,
          .seed = 7,
          .corridor = 3,
          .wall = 1}},
        {"caves.map",
         {.kind = CAIRN_GENERATE_CAVES,
          .width = 128,
          .height = 96,
          .seed = 7,
          .percent = 50,
          .rounds = 6}},
        {"pseudo-rts.map",
         {.kind = CAIRN_GENERATE_PSEUDO_RTS,
          .width = 128,
          .height = 96,
          .seed = 7,
          .percent = 30,
          .largest = 6}},
        {"battlefield.map",
         {.kind = CAIRN_GENERATE_BATTLEFIELD,
          .width = 192,
          .height = 144,
          .seed = 7,
          .region = 48,
          .percent = 8}},
        {"facility.map",
         {.kind = CAIRN_GENERATE_FACILITY,
          .width = 192,
          .height = 144,
          .seed = 7,
          .room = 24,
          .percent = 55,
          .loops = 30}},
    };
    for (size_t i = 0; i < LENGTH(maps); i++) {
        char name[1000];
        snprintf(name, sizeof name, "%s/maps/%s", CAIRN_SOURCE_DIR, maps[i].name);
        cairn_grid *grid = make(context, &maps[i].generator);
        cairn_file made, stored;
        CHECK_OK(cairn_map_format(grid, &made));
        CHECK_OK(cairn_file_read(context, name, 0, &stored, NULL));
        CHECK(made.size == stored.size && !memcmp(made.data, stored.data, made.size),
              "%s is not what the generator makes", name);
        cairn_file_free(context, &made);
        cairn_file_free(context, &stored);
        cairn_grid_destroy(grid);
    }
}

/* ---- memory ---- */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const uint8_t terrain[] = {0, 1, 2, 3};
    for (uint32_t k = 0; k < CAIRN_GENERATE_COUNT; k++) {
        cairn_status status = CAIRN_OUT_OF_MEMORY;
        for (uint64_t at = 1; status != CAIRN_OK && at < 100; at++) {
            watched w = {0};
            cairn_context *context;
            cairn_grid *source = NULL, *grid = NULL;
            CHECK_OK(watched_context(&w, &context));
            cairn_grid_options options = {.width = 2, .height = 2, .terrain = terrain};
            CHECK_OK(cairn_grid_create(context, &options, &source, NULL));
            cairn_generator generator = sized((cairn_generator_kind)k, 70, 50, 3);
            if (k == CAIRN_GENERATE_SCALED)
                generator.width = generator.height = 0, generator.source = source;
            w.fail_at = w.calls + at;
            cairn_error error = {0};
            status = cairn_generate(context, &generator, &grid, &error);
            CHECK(status == CAIRN_OK || status == CAIRN_OUT_OF_MEMORY, "%s",
                  cairn_status_text(status));
            CHECK((status == CAIRN_OK) == (w.failures == 0), "request %u", (unsigned)at);
            CHECK(status == CAIRN_OK ? grid != NULL : !grid && error.text[0], "request %u",
                  (unsigned)at);
            cairn_grid_destroy(grid);
            cairn_grid_destroy(source);
            cairn_context_destroy(context);
            CHECK(w.blocks == 0 && !w.wrong_size, "%u: request %u leaks", k, (unsigned)at);
        }
        CHECK_OK(status);
    }
}

/* ---- problems ---- */

static cairn_scenario problems_for(cairn_grid *grid, const cairn_scenario_options *options)
{
    cairn_scenario scenario;
    cairn_error error = {0};
    cairn_status status = cairn_scenario_generate(grid, options, &scenario, &error);
    CHECK(status == CAIRN_OK, "%s", error.text);
    return scenario;
}

static void problems_can_be_solved_and_have_the_optimal_length(void **state)
{
    cairn_context *context = *state;
    static const cairn_generator_kind kinds[] = {CAIRN_GENERATE_RANDOM, CAIRN_GENERATE_FACILITY};
    for (size_t k = 0; k < LENGTH(kinds); k++) {
        cairn_generator generator = sized(kinds[k], 60, 50, 4);
        if (kinds[k] == CAIRN_GENERATE_RANDOM) generator.percent = 45; /* many regions */
        cairn_grid *grid = make(context, &generator);
        cairn_scenario_options options = {.map = "folder/some.map", .count = 80, .seed = 9};
        cairn_scenario scenario = problems_for(grid, &options);
        assert_int_equal(scenario.count, 80);
        assert_string_equal(scenario.map, "some.map");
        uint8_t open[60 * 50];
        for (uint32_t i = 0; i < 60 * 50; i++) open[i] = is_open(grid, i % 60, i / 60);
        cairn_profile profile = cairn_profile_default();
        oracle_grid raw = {.width = 60, .height = 50, .open = open};
        /* The scale of the finest cost scale: costs are lengths but for that factor. */
        oracle *truth = oracle_of_grid(&raw, &profile, (cairn_scale){5741, 8119});
        for (uint32_t i = 0; i < scenario.count; i++) {
            const cairn_problem *p = &scenario.problems[i];
            cairn_node from = cairn_grid_node(grid, p->from.x, p->from.y);
            cairn_node to = cairn_grid_node(grid, p->to.x, p->to.y);
            assert_true(from != to && truth->usable[from] && truth->usable[to]);
            oracle_search(truth, from);
            CHECK(truth->distance[to] != ORACLE_NONE, "problem %u has no solution", i);
            CHECK(fabs((double)truth->distance[to] / 5741 - p->length) < 1e-4, "problem %u", i);
            assert_int_equal(p->bucket, (uint32_t)(p->length / 4));
            assert_true(i == 0 || scenario.problems[i - 1].bucket <= p->bucket);
            assert_true(p->width == 60 && p->height == 50);
        }
        oracle_destroy(truth);
        cairn_scenario_free(context, &scenario);
        cairn_grid_destroy(grid);
    }
}

static void a_scenario_reads_back_as_it_was_written(void **state)
{
    cairn_context *context = *state;
    cairn_generator generator = sized(CAIRN_GENERATE_CAVES, 90, 70, 4);
    cairn_grid *grid = make(context, &generator);
    cairn_scenario_options options = {.map = "caves.map", .count = 300, .seed = 3};
    cairn_scenario made = problems_for(grid, &options), read, again = problems_for(grid, &options);
    cairn_file text, other;
    CHECK_OK(cairn_scenario_format(context, &made, &text, NULL));
    CHECK_OK(cairn_scenario_format(context, &again, &other, NULL));
    assert_int_equal(text.size, other.size);
    assert_memory_equal(text.data, other.data, text.size);
    CHECK_OK(cairn_scenario_parse(context, (cairn_bytes){text.data, text.size}, &read, NULL));
    assert_int_equal(read.count, made.count);
    assert_string_equal(read.map, made.map);
    for (uint32_t i = 0; i < read.count; i++) {
        const cairn_problem *p = &made.problems[i], *q = &read.problems[i];
        assert_true(p->bucket == q->bucket && p->width == q->width && p->height == q->height);
        assert_true(p->from.x == q->from.x && p->from.y == q->from.y && p->to.x == q->to.x &&
                    p->to.y == q->to.y);
        assert_true(fabs(p->length - q->length) <= 5.1e-9 && p->tolerance == q->tolerance);
    }
    cairn_file_free(context, &text), cairn_file_free(context, &other);
    cairn_scenario_free(context, &made), cairn_scenario_free(context, &again),
        cairn_scenario_free(context, &read);
    cairn_grid_destroy(grid);
}

static void lengths_are_written_rounded(void **state)
{
    cairn_context *context = *state;
    static const double lengths[] = {0, 3, 2.8284271247461903, 7.999999999, 1234567.000000004};
    static const char *const texts[] = {"0.00000000", "3.00000000", "2.82842712", "8.00000000",
                                        "1234567.00000000"};
    for (size_t i = 0; i < LENGTH(lengths); i++) {
        cairn_problem problem = {
            .bucket = 5, .width = 9, .height = 8, .to = {3, 4}, .length = lengths[i]};
        cairn_scenario scenario = {.problems = &problem, .count = 1, .map = "a.map"};
        cairn_file text;
        char expected[100];
        snprintf(expected, sizeof expected, "version 1\n5\ta.map\t9\t8\t0\t0\t3\t4\t%s\n",
                 texts[i]);
        CHECK_OK(cairn_scenario_format(context, &scenario, &text, NULL));
        assert_string_equal(text.data, expected);
        cairn_file_free(context, &text);
    }
    cairn_problem problem = {.length = -1};
    cairn_scenario scenario = {.problems = &problem, .count = 1, .map = "a.map"};
    cairn_file text;
    cairn_error error = {0};
    CHECK_STATUS(cairn_scenario_format(context, &scenario, &text, &error), CAIRN_INVALID);
    problem.length = (double)NAN;
    CHECK_STATUS(cairn_scenario_format(context, &scenario, &text, &error), CAIRN_INVALID);
    problem.length = 1;
    snprintf(scenario.map, sizeof scenario.map, "two words.map");
    CHECK_STATUS(cairn_scenario_format(context, &scenario, &text, &error), CAIRN_INVALID);
    assert_non_null(strstr(error.text, "blanks"));
    scenario.map[0] = 0;
    CHECK_STATUS(cairn_scenario_format(context, &scenario, &text, &error), CAIRN_INVALID);
    CHECK_STATUS(cairn_scenario_format(NULL, &scenario, &text, &error), CAIRN_INVALID);
    CHECK_STATUS(cairn_scenario_format(context, NULL, &text, &error), CAIRN_INVALID);
    CHECK_STATUS(cairn_scenario_format(context, &scenario, NULL, &error), CAIRN_INVALID);
}

static bool stop_at_three(void *user, uint64_t done, uint64_t total)
{
    uint64_t *most = user;
    assert_true(done <= total && done >= *most);
    *most = done;
    return done < 3;
}

static void buckets_can_be_chosen_and_the_work_cancelled(void **state)
{
    cairn_context *context = *state;
    cairn_grid_options field = {.width = 60, .height = 60};
    cairn_grid *grid = NULL;
    CHECK_OK(cairn_grid_create(context, &field, &grid, NULL));
    cairn_scenario_options options = {
        .map = "m", .count = 50, .seed = 3, .lowest_bucket = 5, .highest_bucket = 7};
    cairn_scenario scenario = problems_for(grid, &options);
    bool all[3] = {false};
    for (uint32_t i = 0; i < scenario.count; i++) {
        assert_in_range(scenario.problems[i].bucket, 5, 7);
        all[scenario.problems[i].bucket - 5] = true;
    }
    assert_true(all[0] && all[1] && all[2]);
    cairn_scenario_free(context, &scenario);
    options.highest_bucket = 0; /* no upper end */
    scenario = problems_for(grid, &options);
    assert_true(scenario.problems[0].bucket >= 5 && scenario.problems[49].bucket > 7);
    cairn_scenario_free(context, &scenario);

    uint64_t most = 0;
    cairn_progress progress = {stop_at_three, &most};
    cairn_error error = {0};
    options.progress = &progress;
    CHECK_STATUS(cairn_scenario_generate(grid, &options, &scenario, &error), CAIRN_CANCELLED);
    assert_int_equal(most, 3);
    assert_null(scenario.problems);
    options.progress = NULL;
    options.lowest_bucket = 100; /* no two cells are so far apart */
    CHECK_STATUS(cairn_scenario_generate(grid, &options, &scenario, &error), CAIRN_UNREACHABLE);
    options.highest_bucket = 99;
    CHECK_STATUS(cairn_scenario_generate(grid, &options, &scenario, &error), CAIRN_INVALID);
    options.highest_bucket = 0;
    options.count = 0;
    CHECK_STATUS(cairn_scenario_generate(grid, &options, &scenario, &error), CAIRN_INVALID);
    CHECK_STATUS(cairn_scenario_generate(NULL, &options, &scenario, &error), CAIRN_INVALID);
    CHECK_STATUS(cairn_scenario_generate(grid, NULL, &scenario, &error), CAIRN_INVALID);
    CHECK_STATUS(cairn_scenario_generate(grid, &options, NULL, &error), CAIRN_INVALID);
    cairn_grid_destroy(grid);
    CHECK_OK(cairn_grid_from_text(context, ".#.", 3, &grid, NULL)); /* two cells, but no path */
    options = (cairn_scenario_options){.map = "m", .count = 1};
    CHECK_STATUS(cairn_scenario_generate(grid, &options, &scenario, &error), CAIRN_UNREACHABLE);
    cairn_grid_destroy(grid);
    CHECK_OK(cairn_grid_from_text(context, "#.#", 3, &grid, NULL));
    CHECK_STATUS(cairn_scenario_generate(grid, &options, &scenario, &error), CAIRN_UNREACHABLE);
    cairn_grid_destroy(grid);
}

static cairn_status make_and_format(cairn_context *context, cairn_grid *grid)
{
    cairn_scenario_options options = {.map = "m.map", .count = 20, .seed = 1};
    cairn_scenario scenario;
    cairn_file text;
    cairn_status status = cairn_scenario_generate(grid, &options, &scenario, NULL);
    if (status) return status;
    status = cairn_scenario_format(context, &scenario, &text, NULL);
    cairn_file_free(context, &text);
    cairn_scenario_free(context, &scenario);
    return status;
}

static void every_allocation_for_problems_may_fail(void **state)
{
    (void)state;
    cairn_status status = CAIRN_OUT_OF_MEMORY;
    for (uint64_t at = 1; status != CAIRN_OK && at < 1000; at++) {
        watched w = {0};
        cairn_context *context;
        cairn_grid *grid = NULL;
        CHECK_OK(watched_context(&w, &context));
        CHECK_OK(random_grid(context, 30, 30, 10, 1, &grid));
        w.fail_at = w.calls + at;
        status = make_and_format(context, grid);
        CHECK(status == CAIRN_OK || status == CAIRN_OUT_OF_MEMORY, "%s", cairn_status_text(status));
        CHECK((status == CAIRN_OK) == (w.failures == 0), "request %u", (unsigned)at);
        cairn_grid_destroy(grid);
        cairn_context_destroy(context);
        CHECK(w.blocks == 0 && !w.wrong_size, "request %u leaks", (unsigned)at);
    }
    CHECK_OK(status);
}

/* ---- files ---- */

static void a_grid_is_saved_by_the_ending_of_its_name(void **state)
{
    cairn_context *context = *state;
    static const char *const names[] = {CAIRN_BINARY_DIR "/test_generate.map",
                                        CAIRN_BINARY_DIR "/test_generate.txt"};
    static const char *const heads[] = {"type octile\nheight 7\nwidth 9\nmap\n", ""};
    cairn_generator generator = sized(CAIRN_GENERATE_RANDOM, 9, 7, 2);
    cairn_grid *grid = make(context, &generator), *read = NULL;
    cairn_error error = {0};
    CHECK_OK(cairn_grid_set_terrain(grid, 2, 3, CAIRN_TERRAIN_SWAMP));
    CHECK_OK(cairn_grid_set_open(grid, 2, 3, true));
    CHECK_OK(cairn_grid_commit(grid));
    for (size_t i = 0; i < 2; i++) {
        cairn_file file;
        CHECK_OK(cairn_grid_save(grid, names[i], &error));
        CHECK_OK(cairn_file_read(context, names[i], 0, &file, NULL));
        assert_int_equal(file.size, strlen(heads[i]) + 7 * 10);
        assert_memory_equal(file.data, heads[i], strlen(heads[i]));
        cairn_file_free(context, &file);
        CHECK_OK(cairn_grid_load(context, names[i], &read, NULL));
        assert_int_equal(hash_of(read), hash_of(grid));
        assert_int_equal(cairn_grid_terrain(read, 2, 3), CAIRN_TERRAIN_SWAMP);
        cairn_grid_destroy(read);
        remove(names[i]);
    }
    CHECK_STATUS(cairn_grid_save(grid, CAIRN_BINARY_DIR "/test_generate.doc", &error),
                 CAIRN_UNSUPPORTED);
    assert_non_null(strstr(error.text, ".map"));
    CHECK_STATUS(cairn_grid_save(grid, CAIRN_BINARY_DIR "/no such folder/x.map", &error),
                 CAIRN_FILE_ERROR);
    CHECK_STATUS(cairn_grid_save(NULL, "x.map", &error), CAIRN_INVALID);
    CHECK_STATUS(cairn_grid_save(grid, NULL, &error), CAIRN_INVALID);
    cairn_grid_destroy(grid);
}

#define WITH_CONTEXT(test) cmocka_unit_test_setup_teardown(test, context_set_up, context_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_says_what_there_is),
        WITH_CONTEXT(numbers_out_of_range_are_refused_and_those_at_its_ends_work),
        WITH_CONTEXT(connected_kinds_are_one_region_whatever_the_numbers),
        WITH_CONTEXT(the_smallest_rooms_and_regions_hang_together_too),
        WITH_CONTEXT(large_connected_maps_are_one_region_too),
        WITH_CONTEXT(standard_maps_are_as_open_as_they_should_be),
        WITH_CONTEXT(ease_opens_battlefields_and_facilities),
        WITH_CONTEXT(closed_gaps_close_battlefields),
        WITH_CONTEXT(percent_blocks_so_many_cells),
        WITH_CONTEXT(rooms_have_walls_and_doors),
        WITH_CONTEXT(mazes_are_perfect_with_corridors_of_any_width),
        WITH_CONTEXT(obstacles_of_pseudo_rts_are_small_and_apart),
        WITH_CONTEXT(scaled_cells_are_squares_of_cells),
        WITH_CONTEXT(maps_are_the_same_for_ever),
        WITH_CONTEXT(eased_maps_are_the_same_for_ever),
        WITH_CONTEXT(bundled_maps_are_what_the_generators_make),
        cmocka_unit_test(every_allocation_may_fail),
        WITH_CONTEXT(problems_can_be_solved_and_have_the_optimal_length),
        WITH_CONTEXT(a_scenario_reads_back_as_it_was_written),
        WITH_CONTEXT(lengths_are_written_rounded),
        WITH_CONTEXT(buckets_can_be_chosen_and_the_work_cancelled),
        cmocka_unit_test(every_allocation_for_problems_may_fail),
        WITH_CONTEXT(a_grid_is_saved_by_the_ending_of_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
