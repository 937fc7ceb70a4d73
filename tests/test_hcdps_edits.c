/* test_hcdps_edits.c: the index of `hcdps` after each of many edits on one map, looked at as a whole:
 * cells, records, and the links to take from every region to every other one; and what repairs cost,
 * counted in what searches take up.
 *
 * After each edit:
 * - every cell of a region that has other cells than before, or one near the edit, climbs to its
 *   representative and back inside of its region. Climbs inside of other regions are those that were
 *   looked at before. After every 100th edit, and the last one, every cell of the map does.
 * - every record can be climbed.
 * - from every region there is a link to every other one of the same part of the map, which a flood of
 *   the cells tells, and to no other; no route leads round in circles (hcdps_circles.c). So every
 *   route arrives. To some targets routes are followed from everywhere, too.
 *
 * In the environment, for maps of any size: CAIRN_HCDPS_MAP=FILE, CAIRN_HCDPS_EDITS=N (of that map)
 * and CAIRN_HCDPS_SPEC=PLANNER. CAIRN_HCDPS_WHOLE=K: the links of all regions are looked at after every
 * K-th edit and the last one only (1 unless it is given), and after the others routes are followed from
 * everywhere to 16 targets. That is for mazes of 512×512 cells, whose 16,000 regions have 270 million
 * pairs. tools/check_hcdps_edits.sh runs it.
 */
#include "slow_climb.h"

#include <cairn/generate.h>
#include <cairn/io.h>

typedef struct edited {
    kit k;
    const char *text;
    scene_rng rng;
    uint32_t nodes, width, height;
    uint32_t *region;          /* of each cell */
    cairn_node *home;          /* of each cell, when it was looked at last */
    uint32_t *part, *queue;    /* of each cell */
    uint8_t *marked, *arrives; /* regions */
} edited;

/* ---- the map ------------------------------------------------------------------------------- */

static void *array_of(size_t count, size_t size)
{
    void *array = calloc(count, size);
    if (!array) abort();
    return array;
}

/* Takes a grid, of the kit's context. */
static edited edited_of(kit k, const char *text, const char *spec)
{
    cairn_profile profile = cairn_profile_default();
    profile.corners = CAIRN_CORNERS_ALWAYS;
    profile.cost_scale = CAIRN_COST_SCALES - 1;
    CHECK_OK(cairn_space_of_grid(k.grid, &profile, &k.space, NULL));
    kit_plan(&k, spec);
    edited e = {.k = k, .text = text, .rng = {5}, .nodes = cairn_space_node_count(k.space)};
    e.width = cairn_grid_width(k.grid), e.height = cairn_grid_height(k.grid);
    e.region = array_of(e.nodes, sizeof *e.region);
    e.home = array_of(e.nodes, sizeof *e.home);
    e.part = array_of(e.nodes, sizeof *e.part);
    e.queue = array_of(e.nodes, sizeof *e.queue);
    e.marked = array_of(e.nodes, 1);
    e.arrives = array_of(e.nodes, 1);
    for (cairn_node i = 0; i < e.nodes; i++) e.home[i] = CAIRN_NO_NODE;
    return e;
}

static edited edited_generated(cairn_generator_kind kind, uint32_t side, const char *text)
{
    kit k = {0};
    cairn_generator generator = cairn_generator_default(kind);
    generator.width = generator.height = side;
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_generate(k.context, &generator, &k.grid, NULL));
    return edited_of(k, text, "hcdps");
}

static void edited_end(edited *e)
{
    kit_close(&e->k);
    free(e->region), free(e->home), free(e->part), free(e->queue), free(e->marked);
    free(e->arrives);
}

static cairn_node edit_any(edited *e)
{
    uint32_t x = scene_random(&e->rng, e->width), y = scene_random(&e->rng, e->height);
    bool open = cairn_grid_is_open(e->k.grid, (int32_t)x, (int32_t)y);
    CHECK_OK(cairn_grid_set_open(e->k.grid, (int32_t)x, (int32_t)y, !open));
    CHECK_OK(cairn_grid_commit(e->k.grid));
    CHECK_OK(cairn_planner_sync(e->k.planner, NULL, NULL));
    return y * e->width + x;
}

/* ---- cells --------------------------------------------------------------------------------- */

static void read_regions(edited *e)
{
    for (cairn_node node = 0; node < e->nodes;) {
        crn_hcdps_run run = crn_hcdps_run_at(index_of(e->k.planner), node);
        for (; node < run.end && node < e->nodes; node++) e->region[node] = run.region;
    }
}

static bool is_near(const edited *e, cairn_node a, cairn_node b)
{
    int64_t dx = (int64_t)(a % e->width) - b % e->width,
            dy = (int64_t)(a / e->width) - b / e->width;
    return llabs(dx) <= 2 && llabs(dy) <= 2;
}

/* Marks the regions that are to be looked at. */
static void mark_regions(edited *e, cairn_node edit, bool all)
{
    const crn_hcdps *index = index_of(e->k.planner);
    memset(e->marked, all, e->nodes);
    for (cairn_node node = 0; node < e->nodes; node++) {
        bool usable = cairn_space_usable(e->k.space, node);
        cairn_node home = usable ? crn_hcdps_home(index, e->region[node]) : CAIRN_NO_NODE,
                   before = e->home[node];
        if (usable && is_near(e, node, edit)) e->marked[e->region[node]] = 1;
        if (home == before) continue;
        if (usable) e->marked[e->region[node]] = 1;
        if (before != CAIRN_NO_NODE) e->marked[e->region[before]] = 1;
        e->home[node] = home;
    }
}

static void climb_inside(const edited *e, cairn_node from, cairn_node to)
{
    uint32_t region = e->region[from], left = index_of(e->k.planner)->cutoff;
    for (cairn_node at = from; at != to; left--) {
        at = slow_climb_step(map_of(e->k.planner), at, to);
        CHECK(left && at != CAIRN_NO_NODE && e->region[at] == region,
              "%s: no climb from %u to %u in its region", e->text, from, to);
    }
}

static void climb_marked(const edited *e)
{
    for (cairn_node node = 0; node < e->nodes; node++) {
        if (e->home[node] == CAIRN_NO_NODE || !e->marked[e->region[node]]) continue;
        climb_inside(e, node, e->home[node]);
        climb_inside(e, e->home[node], node);
    }
}

/* ---- routes -------------------------------------------------------------------------------- */

static void flood_from(edited *e, cairn_node root)
{
    const crn_grid_space *map = map_of(e->k.planner);
    uint32_t tail = 0;
    e->part[root] = root;
    e->queue[tail++] = root;
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t x = e->queue[head] % e->width, y = e->queue[head] / e->width;
        for (uint32_t ny = y - (y > 0); ny <= y + 1 && ny < e->height; ny++) {
            for (uint32_t nx = x - (x > 0); nx <= x + 1 && nx < e->width; nx++) {
                uint32_t *part = &e->part[ny * e->width + nx];
                if (*part != UINT32_MAX || !crn_grid_can_step(map, x, y, nx, ny)) continue;
                *part = root;
                e->queue[tail++] = ny * e->width + nx;
            }
        }
    }
}

static void flood(edited *e)
{
    memset(e->part, 0xff, e->nodes * sizeof *e->part);
    for (cairn_node node = 0; node < e->nodes; node++) {
        if (e->part[node] == UINT32_MAX && cairn_space_usable(e->k.space, node))
            flood_from(e, node);
    }
}

/* From a region there is a link to all of its part, and to no other. */
static void check_links_of(const edited *e, uint32_t region, const uint32_t *part)
{
    const crn_hcdps *index = index_of(e->k.planner);
    for (uint32_t at = 0, end; at < crn_hcdps_regions(index); at = end) {
        bool none = crn_hcdps_next_run(index, region, at, false, &end) == UINT32_MAX;
        for (uint32_t to = at; to < end; to++)
            CHECK(to == region || none == (part[to] != part[region]), "%s: from region %u to %u",
                  e->text, region, to);
    }
}

/* Follows routes from everywhere to a target. */
static void follow_to(const edited *e, uint32_t to, const uint32_t *part)
{
    const crn_hcdps *index = index_of(e->k.planner);
    uint32_t regions = crn_hcdps_regions(index);
    memset(e->arrives, 0, regions);
    e->arrives[to] = 1;
    for (uint32_t from = 0; from < regions; from++) {
        uint32_t hops = 0, passed = 0;
        if (part[from] != part[to]) continue;
        for (uint32_t at = from; !e->arrives[at]; hops++) {
            CHECK(hops < regions, "%s: from %u to %u in circles", e->text, from, to);
            e->queue[passed++] = at;
            uint32_t link = crn_hcdps_next(index, at, to, false);
            CHECK(link != UINT32_MAX, "%s: no link from %u to %u", e->text, at, to);
            at = crn_hcdps_link_at(index, at, link).region;
        }
        while (passed) e->arrives[e->queue[--passed]] = 1;
    }
}

static void check_routes(edited *e, bool whole)
{
    const crn_hcdps *index = index_of(e->k.planner);
    uint32_t regions = crn_hcdps_regions(index), *part = array_of(regions, sizeof *part),
             targets = whole ? 4 : 16;
    flood(e);
    for (uint32_t i = 0; i < regions; i++) part[i] = e->part[crn_hcdps_home(index, i)];
    for (uint32_t i = 0; i < regions && whole; i++) check_links_of(e, i, part);
    if (whole) CHECK_OK(crn_hcdps_check_circles(index, e->k.context, false));
    if (whole && index->depth > 1) CHECK_OK(crn_hcdps_check_circles(index, e->k.context, true));
    for (uint32_t i = 0; i < targets; i++) follow_to(e, scene_random(&e->rng, regions), part);
    free(part);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void check_edits(edited *e, uint32_t edits)
{
    const char *text = getenv("CAIRN_HCDPS_WHOLE");
    uint32_t every = text ? (uint32_t)strtoul(text, NULL, 10) : 1;
    for (uint32_t i = 0; i <= edits; i++) {
        cairn_node edit = i ? edit_any(e) : 0;
        const char *wrong = crn_hcdps_check(index_of(e->k.planner), e->k.space, false);
        CHECK(!wrong, "%s, edit %u: %s", e->text, i, wrong);
        read_regions(e);
        mark_regions(e, edit, i % 100 == 0 || i == edits);
        climb_marked(e);
        check_records(e->text, e->k.planner);
        check_routes(e, i % (every ? every : 1) == 0 || i == edits);
    }
}

static void all_is_right_after_each_edit_of_a_map(void **state)
{
    (void)state;
    const char *file = getenv("CAIRN_HCDPS_MAP"), *edits = getenv("CAIRN_HCDPS_EDITS"),
               *spec = getenv("CAIRN_HCDPS_SPEC");
    kit k = {0};
    if (!file) skip();
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_grid_load(k.context, file, &k.grid, NULL));
    edited e = edited_of(k, file, spec ? spec : "hcdps");
    check_edits(&e, edits ? (uint32_t)strtoul(edits, NULL, 10) : 2000);
    edited_end(&e);
}

static void all_is_right_after_each_edit(void **state)
{
    (void)state;
    edited maze = edited_generated(CAIRN_GENERATE_MAZE, 65, "maze"),
           caves = edited_generated(CAIRN_GENERATE_CAVES, 80, "caves"),
           facility = edited_generated(CAIRN_GENERATE_FACILITY, 96, "facility");
    check_edits(&maze, test_times(60, 20));
    check_edits(&caves, test_times(20, 10));
    check_edits(&facility, test_times(20, 10));
    edited_end(&maze), edited_end(&caves), edited_end(&facility);
}

/* ---- what repairs cost --------------------------------------------------------------------- */

/* Cells whose representative is another one than after a build, in per cent. */
static double moved_cells(const edited *e, const crn_hcdps *built)
{
    const crn_hcdps *index = index_of(e->k.planner);
    uint32_t moved = 0, cells = 0;
    for (cairn_node node = 0; node < e->nodes; node++) {
        if (!cairn_space_usable(e->k.space, node)) continue;
        cells++;
        moved += crn_hcdps_home(index, crn_hcdps_region(index, node)) !=
                 crn_hcdps_home(built, crn_hcdps_region(built, node));
    }
    return 100.0 * moved / cells;
}

/* Regions are nearly those of a build, so that the map does not splinter; paths are as long; and
 * there are not many more bytes. */
static void check_state(edited *e, kit *fresh, double most_moved)
{
    const crn_hcdps *index = index_of(e->k.planner), *anew = index_of(fresh->planner);
    uint32_t regions = crn_hcdps_regions(index), built_regions = crn_hcdps_regions(anew);
    CHECK(25 * regions <= 26 * built_regions, "%s: %u regions, not %u", e->text, regions,
          built_regions);
    double moved = moved_cells(e, anew);
    CHECK(moved < most_moved, "%s: %.1f %% of the cells have another representative", e->text,
          moved);
    size_t bytes = crn_hcdps_bytes(index) - index->cost_capacity * sizeof *index->costs,
           built_bytes = crn_hcdps_bytes(anew);
    CHECK(10 * bytes <= 11 * built_bytes, "%s: %zu bytes, not %zu", e->text, bytes, built_bytes);
    double repaired = kit_costlier_now(&e->k, 1200), built = kit_costlier_now(fresh, 1200);
    CHECK(repaired <= built + 0.2, "%s: %.2f %% longer, not %.2f", e->text, repaired, built);
    if (getenv("CAIRN_HCDPS_TELL"))
        printf("%u and %u regions, %.1f %% of cells, %zu and %zu bytes, %.2f and %.2f %%\n",
               regions, built_regions, moved, bytes, built_bytes, repaired, built);
}

/* After so many edits an index is as good as one that is built, and a repair took little of what a
 * build takes: such a part of it on the mean, and at most. */
static void check_costs(edited *e, uint32_t edits, double most_moved, uint64_t mean, uint64_t most)
{
    uint64_t sum = 0, largest = 0;
    for (uint32_t i = 0; i < edits; i++) {
        edit_any(e);
        uint64_t work = index_of(e->k.planner)->work;
        sum += work;
        largest = work > largest ? work : largest;
    }
    kit fresh = e->k;
    fresh.planner = NULL, fresh.search = NULL;
    kit_plan(&fresh, "hcdps");
    uint64_t build = index_of(fresh.planner)->work;
    CHECK(sum * mean <= edits * build, "%s: %u for a repair, %u for a build", e->text,
          (unsigned)(sum / edits), (unsigned)build);
    CHECK(largest * most <= build, "%s: %u for a repair, %u for a build", e->text,
          (unsigned)largest, (unsigned)build);
    if (getenv("CAIRN_HCDPS_TELL"))
        printf("%s: %.1f and %.1f times, ", e->text, (double)build * edits / (double)sum,
               (double)build / (double)largest);
    check_state(e, &fresh, most_moved);
    cairn_search_destroy(fresh.search);
    cairn_planner_destroy(fresh.planner);
}

static void repairs_cost_little(void **state)
{
    (void)state;
    edited maze = edited_generated(CAIRN_GENERATE_MAZE, 129, "maze"),
           caves = edited_generated(CAIRN_GENERATE_CAVES, 128, "caves"),
           facility = edited_generated(CAIRN_GENERATE_FACILITY, 160, "facility");
    /* of fewer edits the lengths differ by chance */
    check_costs(&maze, 400, 1, 20, 2);
    check_costs(&caves, 200, 4, 20, 2);
    check_costs(&facility, 200, 1, 20, 2);
    edited_end(&maze), edited_end(&caves), edited_end(&facility);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_right_after_each_edit),
        cmocka_unit_test(all_is_right_after_each_edit_of_a_map),
        cmocka_unit_test(repairs_cost_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
