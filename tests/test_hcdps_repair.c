/* test_hcdps_repair.c: the index of `hcdps` after edits: after every commit all that must be true of
 * an index is, by a climb that is written down in slow_climb.h once more, and whoever walks arrives
 * exactly if an oracle says so; the same bytes whatever the number of workers, with as much work, and
 * from a file; doors that are those of a build; what repairs cost, and that the map does not splinter.
 */
#include "edits.h"
#include "files.h"
#include "slow_climb.h"

#include "realtime/hcdps/hcdps_job.h"

#include <cairn/io.h>

/* ---- small maps ----------------------------------------------------------------------- */

/* A map of any kind. */
static scene *any_scene(uint32_t seed)
{
    uint32_t width = 10 + seed % 31, height = 8 + seed % 23;
    scene *s = seed % 3 == 0   ? scene_noise("noise", width, height, 10 + seed * 7 % 40, seed)
               : seed % 3 == 1 ? scene_rooms("rooms", width, height, 5, seed)
                               : scene_blocks("blocks", width, height, width * height / 20, seed);
    if (seed % 5 == 4) scene_make_hex(s);
    if (seed % 5 == 0) s->profile.neighbours = CAIRN_NEIGHBOURS_4;
    s->profile.corners = (cairn_corners)(seed / 2 % 3);
    if (seed % 7 == 6) s->profile.radius = 0.6 + seed % 11 * 0.1;
    if (seed % 2) s->profile.cost_scale = CAIRN_COST_SCALES - 1;
    if (seed % 8 == 3) scene_add_terrain(s, seed);
    if (seed % 8 == 5 && !s->hex) scene_add_hills(s, seed);
    if (seed % 8 == 7) scene_add_links(s, 12, 100, 2000, false, seed);
    return s;
}

static const char *any_spec(uint32_t seed)
{
    static const char *const specs[] = {
        "hcdps:spacing=8",     "hcdps:depth=2,spacing=6,k=17", "hcdps:cutoff=7,spacing=5",
        "hcdps:spacing=4,k=3", "hcdps:depth=5,spacing=7",      "hcdps:records=pairs,spacing=8"};
    return specs[seed % LENGTH(specs)];
}

/* Move by move from one cell to another one. */
static void walk(const char *text, const cairn_planner *planner, oracle *o, cairn_node from,
                 cairn_node to)
{
    const cairn_space *space = cairn_planner_space(planner);
    cairn_node next;
    if (crn_grid_space_of(space)->priced) {
        cairn_status refused = from == to ? CAIRN_FOUND : CAIRN_UNSUPPORTED;
        CHECK_STATUS(cairn_planner_next(planner, from, to, &next), refused);
        return;
    }
    oracle_search(o, from);
    if (o->distance[to] == ORACLE_NONE) {
        CHECK_STATUS(cairn_planner_next(planner, from, to, &next), CAIRN_UNREACHABLE);
        return;
    }
    uint32_t moves = 0;
    for (; from != to; from = next) {
        CHECK_STATUS(cairn_planner_next(planner, from, to, &next), CAIRN_FOUND);
        CHECK(cairn_space_step_cost(space, from, next) != CAIRN_NO_COST, "%s: from %u to %u", text,
              from, next);
        CHECK(moves++ < o->count, "%s: never at %u", text, to);
    }
}

static void walk_some(const char *text, const cairn_planner *planner, const scene *s,
                      scene_rng *rng)
{
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(cairn_planner_space(planner)));
    for (uint32_t i = 0; i < 4; i++) {
        cairn_node from = scene_random(rng, o->count), to = scene_random(rng, o->count);
        if (o->usable[from] && o->usable[to]) walk(text, planner, o, from, to);
    }
    oracle_destroy(o);
}

static void repair_and_check(uint32_t seed, uint32_t rounds)
{
    scene *s = any_scene(seed);
    world w = world_of(s);
    scene_rng rng = {seed + 1};
    cairn_planner *planner;
    char text[96];
    CHECK_OK(planner_ready(w.space, any_spec(seed / 2), &planner, NULL));
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t changes = scene_random(&rng, 4) ? 1 : 1 + scene_random(&rng, 6);
        for (; changes; changes--) edit_something(&w, seed % 8 == 7, &rng);
        CHECK_OK(cairn_grid_commit(w.grid));
        if (!scene_random(&rng, 5)) continue; /* several commits at once */
        CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
        snprintf(text, sizeof text, "%s, seed %u, round %u", any_spec(seed / 2), seed, round);
        const char *wrong = crn_hcdps_check(index_of(planner), cairn_planner_space(planner), true);
        CHECK(!wrong, "%s: %s", text, wrong);
        check_all(text, planner);
        walk_some(text, planner, s, &rng);
    }
    cairn_planner_destroy(planner);
    world_end(&w);
}

static void all_is_right_after_every_edit(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < test_times(120, 24); seed++) repair_and_check(seed, 40);
}

/* An edit and its undoing may leave another index than before, of the same world: cursors that were
 * in its links know by the stamp. */
static void stamps_tell_links_apart(void **state)
{
    (void)state;
    uint32_t others = 0;
    for (uint32_t seed = 0; seed < 12; seed++) {
        world w = world_of(scene_rooms("rooms", 96, 96, 9, 1 + 3 * seed));
        scene_rng rng = {2 + 3 * seed};
        cairn_planner *planner;
        CHECK_OK(planner_ready(w.space, "hcdps", &planner, NULL));
        for (uint32_t i = 0; i < 40; i++) {
            const crn_hcdps_array *links = &index_of(planner)->arrays[CRN_HCDPS_LINKS];
            uint32_t stamp = index_of(planner)->stamp, *before = malloc(links->count * 4);
            size_t count = links->count;
            if (!before) abort();
            memcpy(before, links->items, count * sizeof *before);
            cairn_node node = scene_random(&rng, 96 * 96);
            for (uint32_t k = 0; k < 2; k++) {
                bool open = w.scene->open[node] == (k == 1);
                CHECK_OK(
                    cairn_grid_set_open(w.grid, (int32_t)(node % 96), (int32_t)(node / 96), open));
                CHECK_OK(cairn_grid_commit(w.grid));
                CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
            }
            bool same =
                links->count == count && !memcmp(before, links->items, count * sizeof *before);
            others += !same;
            CHECK(same || index_of(planner)->stamp != stamp, "seed %u, round %u", seed, i);
            free(before);
        }
        cairn_planner_destroy(planner);
        world_end(&w);
    }
    CHECK(others, "all links are as before");
}

/* ---- larger maps ------------------------------------------------------------------------- */

static void check_cells(const char *text, const cairn_planner *planner)
{
    const crn_hcdps *index = index_of(planner);
    const cairn_space *space = cairn_planner_space(planner);
    for (cairn_node node = 0; node < cairn_space_node_count(space); node++) {
        if (!cairn_space_usable(space, node)) continue;
        cairn_node home = crn_hcdps_home(index, crn_hcdps_region(index, node));
        check_inside(text, planner, node, home);
        check_inside(text, planner, home, node);
    }
    check_records(text, planner);
}

/* From many regions to many others: if there is a path, following the rows gets there. */
static void check_some_chains(const char *text, const cairn_planner *planner, scene_rng *rng)
{
    const crn_hcdps *index = index_of(planner);
    uint32_t regions = crn_hcdps_regions(index);
    for (uint32_t i = 0; i < 2000; i++) {
        uint32_t from = scene_random(rng, regions), to = scene_random(rng, regions), at = from;
        for (uint32_t hops = 0, slot; at != to; hops++) {
            CHECK(hops < regions, "%s: from %u to %u in circles", text, from, to);
            slot = crn_hcdps_next(index, at, to, false);
            if (slot == UINT32_MAX) break;
            at = crn_hcdps_link_at(index, at, slot).region;
        }
        bool may = may_reach(cairn_planner_space(planner), crn_hcdps_home(index, from),
                             crn_hcdps_home(index, to));
        CHECK((at == to) == may, "%s: from region %u to %u", text, from, to);
    }
}

static void edit_generated(cairn_generator_kind kind, uint32_t side, uint32_t edits)
{
    cairn_generator generator = cairn_generator_default(kind);
    cairn_profile profile = cairn_profile_default();
    kit k = {0};
    scene_rng rng = {side};
    char text[64];
    generator.width = generator.height = side;
    profile.corners = (cairn_corners)(side % 3);
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(cairn_generate(k.context, &generator, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, &profile, &k.space, NULL));
    kit_plan(&k, "hcdps");
    for (uint32_t i = 1; i <= edits; i++) {
        int32_t x = (int32_t)scene_random(&rng, side), y = (int32_t)scene_random(&rng, side);
        CHECK_OK(cairn_grid_set_open(k.grid, x, y, !cairn_grid_is_open(k.grid, x, y)));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        if (i % 50 && i < edits) continue;
        snprintf(text, sizeof text, "kind %u, edit %u", (unsigned)kind, i);
        check_cells(text, k.planner);
        check_some_chains(text, k.planner, &rng);
    }
    kit_close(&k);
}

static void all_is_right_on_larger_maps(void **state)
{
    (void)state;
    uint32_t edits = test_times(200, 20);
    edit_generated(CAIRN_GENERATE_FACILITY, 200, edits);
    edit_generated(CAIRN_GENERATE_CAVES, 151, edits);
    edit_generated(CAIRN_GENERATE_MAZE, 99, edits);
}

/* ---- the same everywhere ----------------------------------------------------------------- */

/* The same scene in another context. */
typedef struct twin {
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
} twin;

static twin twin_of(const scene *s, uint32_t workers, const char *spec)
{
    twin t;
    cairn_context_options options = cairn_context_defaults();
    options.workers = workers;
    CHECK_OK(cairn_context_create(&options, &t.context));
    CHECK_OK(scene_grid(s, t.context, &t.grid));
    CHECK_OK(cairn_space_of_grid(t.grid, &s->profile, &t.space, NULL));
    CHECK_OK(planner_ready(t.space, spec, &t.planner, NULL));
    return t;
}

static void twin_end(twin *t)
{
    cairn_planner_destroy(t->planner);
    cairn_space_destroy(t->space);
    cairn_grid_destroy(t->grid);
    cairn_context_destroy(t->context);
}

static void twin_edit(twin *t, scene_rng *rng)
{
    int32_t x = (int32_t)scene_random(rng, cairn_grid_width(t->grid)),
            y = (int32_t)scene_random(rng, cairn_grid_height(t->grid));
    CHECK_OK(cairn_grid_set_open(t->grid, x, y, !cairn_grid_is_open(t->grid, x, y)));
    CHECK_OK(cairn_grid_commit(t->grid));
}

/* Puts its index into a file, and uses it from there. */
static cairn_archive *twin_map(twin *t, const bytes *file)
{
    cairn_archive *archive = opened(t->context, file);
    CHECK_OK(cairn_planner_load(t->planner, archive, true, NULL));
    return archive;
}

/* What links cost, as it was left to the next repair: the same that an index from a file finds again,
 * and nothing where records may cost less than their paths. */
static void check_costs_stay(const char *text, const twin *kept, const twin *mapped, bool whole)
{
    const crn_hcdps *a = index_of(kept->planner), *b = index_of(mapped->planner);
    size_t links = 0;
    for (uint32_t i = 0; i < crn_hcdps_regions(a); i++) links += crn_hcdps_links(a, i);
    CHECK((a->costs != NULL) == whole && (b->costs != NULL) == whole, "%s", text);
    CHECK(a->cost_capacity == (whole ? links : 0), "%s: room for %zu costs", text,
          a->cost_capacity);
    size_t words = 0;
    for (uint32_t i = 0; i < CRN_HCDPS_ARRAYS; i++) words += a->arrays[i].count;
    CHECK(cairn_planner_index_bytes(kept->planner) >= words * 4 + a->cost_capacity * 8, "%s", text);
    CHECK(!whole || !memcmp(a->costs, b->costs, links * sizeof *a->costs), "%s: other costs", text);
}

/* `mapped` has its index from a file before each repair. */
static void repair_alike(const scene *s, const char *spec, uint32_t rounds, bool whole)
{
    twin one = twin_of(s, 1, spec), three = twin_of(s, 3, spec), mapped = twin_of(s, 1, spec);
    scene_rng a = {9}, b = {9}, c = {9};
    char text[64];
    snprintf(text, sizeof text, "%s, %s", s->name, spec);
    for (uint32_t round = 0; round < rounds; round++) {
        bytes before = saved(mapped.planner);
        cairn_archive *archive = twin_map(&mapped, &before);
        twin_edit(&one, &a), twin_edit(&three, &b), twin_edit(&mapped, &c);
        CHECK_OK(cairn_planner_sync(one.planner, NULL, NULL));
        CHECK_OK(cairn_planner_sync(three.planner, NULL, NULL));
        CHECK_OK(cairn_planner_sync(mapped.planner, NULL, NULL));
        bytes x = saved(one.planner), y = saved(three.planner), z = saved(mapped.planner);
        cairn_archive *copied = opened(mapped.context, &z);
        CHECK(bytes_same(&x, &y), "%s: other bytes with three workers", text);
        CHECK(crn_index_work(one.planner) == crn_index_work(three.planner),
              "%s: other work with three workers", text);
        CHECK(bytes_same(&x, &z), "%s: other bytes from a file", text);
        check_costs_stay(text, &one, &mapped, whole);
        CHECK_OK(cairn_planner_load(mapped.planner, copied, false, NULL));
        cairn_archive_close(copied);
        cairn_archive_close(archive);
        free(before.block), free(x.block), free(y.block), free(z.block);
    }
    twin_end(&one), twin_end(&three), twin_end(&mapped);
}

/* An index from a file makes all links again: so those that regions keep are what they would be. */
static void repairs_are_the_same_for_any_number_of_workers_and_from_a_file(void **state)
{
    (void)state;
    uint32_t rounds = test_times(40, 20);
    scene *rooms = scene_rooms("rooms", 70, 60, 7, 5), *noise = scene_noise("noise", 60, 50, 30, 2),
          *hexagons = scene_blocks("hexagons", 50, 50, 250, 3),
          *expensive = scene_noise("expensive", 50, 50, 25, 4);
    scene_make_hex(hexagons);
    for (uint32_t i = 0; i < LENGTH(expensive->profile.terrain_cost); i++)
        expensive->profile.terrain_cost[i] = 330;
    repair_alike(rooms, "hcdps:spacing=8", rounds, true);
    repair_alike(rooms, "hcdps:spacing=9,depth=3", rounds, true);
    repair_alike(noise, "hcdps:spacing=6,depth=2", rounds, true);
    repair_alike(hexagons, "hcdps:spacing=7", rounds, true);
    repair_alike(expensive, "hcdps:spacing=7", rounds / 2, false);
    scene_destroy(rooms), scene_destroy(noise), scene_destroy(hexagons), scene_destroy(expensive);
}

/* ---- doors ------------------------------------------------------------------------------ */

/* The door that a build finds from a region to another one. */
static const crn_hcdps_door *found_door(const crn_hcdps_job *job, uint32_t from, uint32_t to)
{
    for (uint32_t i = job->door_first[from]; i < job->door_first[from + 1]; i++) {
        if ((uint32_t)job->doors[i].key == to) return &job->doors[i];
    }
    return NULL;
}

static void check_doors_of(const char *text, const crn_hcdps_job *job, uint32_t region)
{
    crn_hcdps_link links[CRN_HCDPS_SLOTS];
    uint32_t near = 0, count = crn_hcdps_list_links(job->index, region, links);
    while (near < count && links[near].leave != CAIRN_NO_NODE) near++;
    CHECK(near == job->door_first[region + 1] - job->door_first[region], "%s: region %u", text,
          region);
    for (uint32_t i = 0; i < near; i++) {
        const crn_hcdps_door *door = found_door(job, region, links[i].region);
        CHECK(door && door->leave == links[i].leave && door->enter == links[i].enter,
              "%s: from region %u to %u, not by %u and %u", text, region, links[i].region,
              links[i].leave, links[i].enter);
    }
}

/* All doors are those that a build finds between these regions. */
static void check_doors(const char *text, const cairn_planner *planner)
{
    const cairn_space *space = cairn_planner_space(planner);
    uint32_t nodes = cairn_space_node_count(space);
    crn_hcdps index = *index_of(planner);
    crn_hcdps_job job = {.index = &index,
                         .space = space,
                         .map = map_of(planner),
                         .context = space->context,
                         .exact = index.exact,
                         .end = nodes};
    job.region = crn_alloc(space->context, nodes * sizeof *job.region);
    if (!job.region) abort();
    for (cairn_node i = 0; i < nodes; i++) job.region[i] = crn_hcdps_region(&index, i) << 1;
    CHECK_OK(crn_hcdps_find_doors(&job));
    for (uint32_t i = 0; i < crn_hcdps_regions(&index); i++) check_doors_of(text, &job, i);
    crn_free(space->context, job.region, nodes * sizeof *job.region);
    job.region = NULL;
    crn_hcdps_close_job(&job);
}

static void edit_and_check_doors(scene *s, const char *spec, uint32_t edits)
{
    world w = world_of(s);
    scene_rng rng = {7};
    cairn_planner *planner;
    char text[64];
    CHECK_OK(planner_ready(w.space, spec, &planner, NULL));
    for (uint32_t i = 0; i < edits; i++) {
        edit_something(&w, false, &rng);
        CHECK_OK(cairn_grid_commit(w.grid));
        CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
        snprintf(text, sizeof text, "%s, %s, edit %u", s->name, spec, i);
        check_doors(text, planner);
    }
    cairn_planner_destroy(planner);
    world_end(&w);
}

/* A cell is blocked in the open: steps between regions that were not freed are looked at again, as
 * they lie beside freed ones. Better doors of these are farther away, and stay. */
static void doors_are_those_of_a_build(void **state)
{
    (void)state;
    world w = world_of(scene_blank("open", 40, 40));
    cairn_planner *planner;
    CHECK_OK(planner_ready(w.space, "hcdps:spacing=8", &planner, NULL));
    CHECK_OK(cairn_grid_set_open(w.grid, 4, 12, false));
    CHECK_OK(cairn_grid_commit(w.grid));
    CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
    check_doors("open", planner);
    cairn_planner_destroy(planner);
    world_end(&w);
    uint32_t edits = test_times(40, 12);
    edit_and_check_doors(scene_noise("noise", 44, 40, 20, 2), "hcdps:spacing=8", edits);
    edit_and_check_doors(scene_rooms("rooms", 50, 40, 7, 3), "hcdps:spacing=8,depth=3", edits);
    scene *links = scene_blocks("links", 40, 40, 80, 4);
    scene_add_links(links, 400, 100, 2000, true, 5);
    edit_and_check_doors(links, "hcdps:spacing=8", edits);
}

/* ---- no memory ------------------------------------------------------------------------- */

/* Each request for memory fails once: there is no index then, and nothing is lost. */
static void without_memory_there_is_no_index(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 40, 40, 25, 3);
    watched memory = {0};
    kit k = {0};
    scene_rng rng = {4};
    uint32_t refused = 0;
    CHECK_OK(watched_context(&memory, &k.context));
    CHECK_OK(scene_grid(s, k.context, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, &s->profile, &k.space, NULL));
    CHECK_OK(planner_ready(k.space, "hcdps:spacing=8,depth=2", &k.planner, NULL));
    for (uint64_t fail = 1; fail < 400; fail++) {
        uint32_t node = scene_random(&rng, 1600);
        int32_t x = (int32_t)node % 40, y = (int32_t)node / 40;
        CHECK_OK(cairn_grid_set_open(k.grid, x, y, !cairn_grid_is_open(k.grid, x, y)));
        CHECK_OK(cairn_grid_commit(k.grid));
        memory.fail_at = memory.calls + fail;
        cairn_status status = cairn_planner_sync(k.planner, NULL, NULL);
        memory.fail_at = 0;
        if (status != CAIRN_OK) {
            refused++;
            CHECK_STATUS(status, CAIRN_OUT_OF_MEMORY);
            CHECK_STATUS(cairn_planner_state(k.planner), CAIRN_NOT_BUILT);
            CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        }
        const char *wrong = crn_hcdps_check(index_of(k.planner), k.space, true);
        CHECK(!wrong, "%s", wrong);
    }
    CHECK(refused > 50, "only %u requests were refused", refused);
    kit_end(&k, s);
    CHECK(!memory.wrong_size, "a block came back with another size");
    assert_int_equal(memory.blocks, 0);
}

/* ---- what is near an edit ------------------------------------------------------------------ */

/* Cells that have another representative than before. */
static uint32_t moved_cells(const cairn_planner *planner, cairn_node *homes)
{
    const crn_hcdps *index = index_of(planner);
    uint32_t moved = 0;
    for (cairn_node node = 0; node < cairn_space_node_count(cairn_planner_space(planner)); node++) {
        if (!cairn_space_usable(cairn_planner_space(planner), node)) continue;
        cairn_node home = crn_hcdps_home(index, crn_hcdps_region(index, node));
        moved += home != homes[node];
        homes[node] = home;
    }
    return moved;
}

/* Repairs change little, and what they leave is as good as what a build makes: as many regions, and
 * paths that are as long. */
static void repairs_are_local_and_do_not_splinter_the_map(void **state)
{
    (void)state;
    scene *s = scene_rooms("rooms", 160, 160, 9, 5);
    kit k = kit_of_scene(s, &s->profile);
    kit fresh = k;
    scene_rng rng = {4};
    cairn_node *homes = calloc((size_t)160 * 160, sizeof *homes);
    if (!homes) abort();
    kit_plan(&k, "hcdps:spacing=16");
    moved_cells(k.planner, homes);
    uint32_t edits = test_times(400, 100), most = 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < edits; i++) {
        int32_t x = (int32_t)scene_random(&rng, 160), y = (int32_t)scene_random(&rng, 160);
        CHECK_OK(cairn_grid_set_open(k.grid, x, y, !cairn_grid_is_open(k.grid, x, y)));
        CHECK_OK(cairn_grid_commit(k.grid));
        CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
        uint32_t moved = moved_cells(k.planner, homes);
        most = moved > most ? moved : most;
        sum += moved;
    }
    CHECK(most < 16 * 16 * 9 && sum < (uint64_t)edits * 16 * 8, "%u cells moved at most, %u in all",
          most, (unsigned)sum);
    fresh.planner = NULL, fresh.search = NULL;
    kit_plan(&fresh, "hcdps:spacing=16");
    uint32_t regions = crn_hcdps_regions(index_of(k.planner)),
             anew = crn_hcdps_regions(index_of(fresh.planner));
    CHECK(4 * regions <= 5 * anew, "%u regions, not %u", regions, anew);
    double repaired = kit_costlier_now(&k, 200), built = kit_costlier_now(&fresh, 200);
    CHECK(repaired <= built + 1, "%.2f %% longer, not %.2f", repaired, built);
    cairn_search_destroy(fresh.search);
    cairn_planner_destroy(fresh.planner);
    free(homes);
    kit_end(&k, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_right_after_every_edit),
        cmocka_unit_test(stamps_tell_links_apart),
        cmocka_unit_test(all_is_right_on_larger_maps),
        cmocka_unit_test(repairs_are_the_same_for_any_number_of_workers_and_from_a_file),
        cmocka_unit_test(doors_are_those_of_a_build),
        cmocka_unit_test(without_memory_there_is_no_index),
        cmocka_unit_test(repairs_are_local_and_do_not_splinter_the_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
