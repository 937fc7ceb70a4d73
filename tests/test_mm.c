/* test_mm.c: the minimal-memory abstraction: its regions, centres and edges against floods cell by
 * cell; repaired against rebuilt, byte by byte; pieces begin where they should; it fits into
 * little memory; damaged files do no harm. That its paths are legal, and found whenever there is
 * one, is checked for every algorithm by the conformance suite.
 */
#include "conformance.h"
#include "hierarchies.h"

#include "hierarchy/mm/mm_index.h"

/* ---- an abstraction by hand ----------------------------------------------------------- */

#define NO_LABEL UINT32_MAX

/* Things (cells, or regions below) that lie in sectors and are joined: connected components inside
 * a sector gets a number of its own. */
typedef struct sketch {
    uint32_t count;
    uint32_t *sector, *label; /* of each thing; NO_LABEL = it does not count */
    uint32_t columns, sectors;
    uint32_t *regions;    /* of each sector */
    uint64_t (*edges)[2]; /* between sectors: sector << 32 | region, twice; in order, each once */
    size_t edge_count;
} sketch;

static void *must(void *block)
{
    if (!block) abort();
    return block;
}

static sketch sketch_new(uint32_t count, uint32_t columns, uint32_t rows)
{
    sketch s = {.count = count, .columns = columns, .sectors = columns * rows};
    s.sector = must(calloc(count + 1, sizeof *s.sector));
    s.label = must(calloc(count + 1, sizeof *s.label));
    s.regions = must(calloc(s.sectors, sizeof *s.regions));
    return s;
}

static void sketch_free(sketch *s)
{
    free(s->sector), free(s->label), free(s->regions), free(s->edges);
}

static int pair_order(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

static void sketch_order(sketch *s)
{
    size_t kept = 0;
    qsort(s->edges, s->edge_count, sizeof *s->edges, pair_order);
    for (size_t i = 0; i < s->edge_count; i++) {
        if (kept && !memcmp(s->edges[kept - 1], s->edges[i], sizeof *s->edges)) continue;
        memmove(s->edges[kept++], s->edges[i], sizeof *s->edges);
    }
    s->edge_count = kept;
}

/* How many things each region has; regions are numbered sector by sector. */
static uint32_t *sketch_sizes(const sketch *s, uint32_t *first)
{
    for (uint32_t i = 0; i < s->sectors; i++) first[i + 1] = first[i] + s->regions[i];
    uint32_t *sizes = must(calloc(first[s->sectors] + 1, sizeof *sizes));
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->label[i] != NO_LABEL) sizes[first[s->sector[i]] + s->label[i]]++;
    }
    return sizes;
}

/* The direction between two sectors as a sum: 1 beside each other, 2 at a corner. */
static uint32_t sketch_apart(const sketch *s, uint64_t a, uint64_t b)
{
    int32_t columns = (int32_t)s->columns, x = (int32_t)(a >> 32), y = (int32_t)(b >> 32);
    return (uint32_t)(abs(x % columns - y % columns) + abs(x / columns - y / columns));
}

/* Joins regions of this many things at a corner if one beside both is joined to both. */
static void sketch_corners(sketch *s, uint32_t least)
{
    uint32_t *first = must(calloc(s->sectors + 1, sizeof *first)), *sizes = sketch_sizes(s, first);
    size_t count = s->edge_count, capacity = count;
    for (size_t i = 0; i < count; i++) {
        uint64_t a = s->edges[i][0], b = s->edges[i][1];
        if (sketch_apart(s, a, b) != 1 || sizes[first[a >> 32] + (uint32_t)a] < least) continue;
        for (size_t k = 0; k < count; k++) {
            uint64_t c = s->edges[k][1];
            if (s->edges[k][0] != b || sketch_apart(s, b, c) != 1 || sketch_apart(s, a, c) != 2)
                continue;
            if (a >> 32 == c >> 32 || sizes[first[c >> 32] + (uint32_t)c] < least) continue;
            int32_t columns = (int32_t)s->columns;
            if ((int32_t)(a >> 32) % columns == (int32_t)(c >> 32) % columns) continue;
            if ((int32_t)(a >> 32) / columns == (int32_t)(c >> 32) / columns) continue;
            if (s->edge_count == capacity) {
                capacity = 2 * capacity + 8;
                s->edges = must(realloc(s->edges, (capacity + 1) * sizeof *s->edges));
            }
            s->edges[s->edge_count][0] = a;
            s->edges[s->edge_count++][1] = c;
        }
    }
    sketch_order(s);
    free(first), free(sizes);
}

/* Leaves out regions that no edge leads to. */
static void sketch_drop(sketch *s)
{
    uint32_t *first = must(calloc(s->sectors + 1, sizeof *first)), *sizes = sketch_sizes(s, first);
    uint32_t *number = must(calloc(first[s->sectors] + 1, sizeof *number));
    for (size_t i = 0; i < s->edge_count; i++)
        number[first[s->edges[i][0] >> 32] + (uint32_t)s->edges[i][0]] = 1;
    for (uint32_t at = 0; at < s->sectors; at++) {
        s->regions[at] = 0;
        for (uint32_t i = first[at]; i < first[at + 1]; i++)
            number[i] = number[i] ? s->regions[at]++ : NO_LABEL;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->label[i] != NO_LABEL) s->label[i] = number[first[s->sector[i]] + s->label[i]];
    }
    for (size_t i = 0; i < 2 * s->edge_count; i++) {
        uint64_t *end = &s->edges[i / 2][i % 2];
        *end = (*end >> 32 << 32) | number[first[*end >> 32] + (uint32_t)*end];
    }
    free(first), free(sizes), free(number);
}

/* `joined` lists pairs of things, both ways; things are numbered sector by sector by default. */
static void sketch_draw(sketch *s, const uint32_t (*joined)[2], size_t pairs)
{
    uint32_t *first = must(calloc(s->count + 2, sizeof *first)),
             *to = must(calloc(pairs + 1, sizeof *to));
    uint32_t *queue = must(calloc(s->count + 1, sizeof *queue));
    for (size_t i = 0; i < pairs; i++) first[joined[i][0] + 1]++;
    for (uint32_t i = 0; i < s->count; i++) first[i + 1] += first[i];
    uint32_t *at = must(calloc(s->count + 1, sizeof *at));
    for (size_t i = 0; i < pairs; i++) to[first[joined[i][0]] + at[joined[i][0]]++] = joined[i][1];
    uint8_t *seen = must(calloc(s->count + 1, 1));
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->label[i] == NO_LABEL || seen[i]) continue;
        uint32_t head = 0, tail = 0, number = s->regions[s->sector[i]]++;
        queue[tail++] = i;
        seen[i] = 1;
        while (head < tail) {
            uint32_t a = queue[head++];
            s->label[a] = number;
            for (uint32_t k = first[a]; k < first[a + 1]; k++) {
                if (seen[to[k]] || s->sector[to[k]] != s->sector[a]) continue;
                seen[to[k]] = 1;
                queue[tail++] = to[k];
            }
        }
    }
    s->edges = must(calloc(pairs + 1, sizeof *s->edges));
    for (size_t i = 0; i < pairs; i++) {
        uint32_t a = joined[i][0], b = joined[i][1];
        if (s->sector[a] == s->sector[b]) continue;
        s->edges[s->edge_count][0] = (uint64_t)s->sector[a] << 32 | s->label[a];
        s->edges[s->edge_count++][1] = (uint64_t)s->sector[b] << 32 | s->label[b];
    }
    sketch_order(s);
    free(first), free(to), free(queue), free(at), free(seen);
}

/* ---- the index as it is --------------------------------------------------------------- */

/* Regions and edges of a level are those of a sketch. */
static void check_level(const subject *who, const crn_mm_level *level, const sketch *s)
{
    assert_int_equal(crn_mm_sector_count(level), s->sectors);
    uint64_t(*edges)[2] = must(calloc(s->edge_count + 1, sizeof *edges));
    size_t count = 0;
    for (uint32_t at = 0; at < s->sectors; at++) {
        crn_mm_sector sector = crn_mm_sector_at(level, at);
        CHECK(sector.count == s->regions[at], "%s: sector %u has %u regions, not %u",
              subject_text(who), at, sector.count, s->regions[at]);
        for (uint32_t i = 0; i < sector.count; i++) {
            crn_mm_edges next = crn_mm_edges_of(&sector, i);
            uint32_t direction, region;
            assert_int_equal(crn_mm_sector_of(level, level->first[at] + i), at);
            while (crn_mm_edges_next(&next, &direction, &region)) {
                CHECK(count < s->edge_count, "%s: an edge too many in sector %u", subject_text(who),
                      at);
                edges[count][0] = (uint64_t)at << 32 | i;
                edges[count][1] = (uint64_t)crn_mm_lead(level, at, direction, &region) << 32;
                edges[count++][1] |= region;
            }
        }
    }
    qsort(edges, count, sizeof *edges, pair_order);
    CHECK(count == s->edge_count && !memcmp(edges, s->edges, count * sizeof *edges),
          "%s: %u edges, not the %u there are", subject_text(who), (unsigned)count,
          (unsigned)s->edge_count);
    free(edges);
}

/* Edges for steps that lead one way only, also inside of a sector. */
static void sketch_falls(sketch *s, const oracle *o)
{
    s->edges = must(realloc(s->edges, (s->edge_count + o->edges + 1) * sizeof *s->edges));
    for (uint32_t a = 0; a < o->count; a++) {
        for (uint32_t k = o->first[a]; k < o->first[a + 1]; k++) {
            uint32_t b = o->to[k];
            if (o->link[k] || (s->sector[a] == s->sector[b] && s->label[a] == s->label[b]))
                continue;
            s->edges[s->edge_count][0] = (uint64_t)s->sector[a] << 32 | s->label[a];
            s->edges[s->edge_count++][1] = (uint64_t)s->sector[b] << 32 | s->label[b];
        }
    }
    sketch_order(s);
}

/* Cells and the steps that can be made both ways. */
static sketch sketch_cells(const subject *who, uint32_t side)
{
    const oracle *o = who->place->oracle;
    uint32_t width = who->place->scene->width, height = who->place->scene->height;
    sketch s = sketch_new(o->count, (width + side - 1) / side, (height + side - 1) / side);
    uint32_t(*joined)[2] = must(calloc(o->edges + 1, sizeof *joined));
    size_t pairs = 0;
    for (uint32_t a = 0; a < o->count; a++) {
        s.sector[a] = a / width / side * s.columns + a % width / side;
        s.label[a] = o->usable[a] ? 0 : NO_LABEL;
        for (uint32_t k = o->first[a]; k < o->first[a + 1]; k++) {
            if (o->link[k] || oracle_walk(o, o->to[k], a) == ORACLE_NONE) continue;
            joined[pairs][0] = a, joined[pairs++][1] = o->to[k];
        }
    }
    sketch_draw(&s, (const uint32_t(*)[2])joined, pairs);
    sketch_falls(&s, o);
    if (crn_grid_space_of(who->place->space)->profile.neighbours != CAIRN_NEIGHBOURS_4)
        sketch_corners(&s, side * side / 2);
    free(joined);
    return s;
}

/* The cell of a region nearest to the middle of its cells, the first of equal ones. */
static uint32_t middle_of(const sketch *s, uint32_t width, uint32_t sector, uint32_t region)
{
    int64_t x = 0, y = 0, n = 0, best = INT64_MAX;
    uint32_t cell = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->sector[i] == sector && s->label[i] == region) x += i % width, y += i / width, n++;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->sector[i] != sector || s->label[i] != region) continue;
        int64_t dx = (i % width) * n - x, dy = (i / width) * n - y;
        if (dx * dx + dy * dy < best) best = dx * dx + dy * dy, cell = i;
    }
    return cell;
}

static void check_centres(const subject *who, const crn_mm *mm, const sketch *s)
{
    const crn_grid_space *space = crn_grid_space_of(who->place->space);
    for (uint32_t at = 0; at < s->sectors; at++) {
        for (uint32_t i = 0; i < s->regions[at]; i++) {
            cairn_node cell = crn_mm_cell(mm, space, 0, at, i);
            CHECK(s->sector[cell] == at && s->label[cell] == i,
                  "%s: region %u of sector %u has its centre elsewhere", subject_text(who), i, at);
            if (mm->optimised) continue;
            CHECK(cell == middle_of(s, space->grid->width, at, i),
                  "%s: %u is not the middle of region %u of %u", subject_text(who), cell, i, at);
        }
    }
}

/* A level by hand: of the regions below it and their edges. */
static sketch check_upper(const subject *who, const crn_mm *mm, uint32_t level, const sketch *below)
{
    const crn_mm_level *lower = &mm->levels[level - 1], *upper = &mm->levels[level];
    const uint32_t side = CRN_MM_UPPER_SIDE;
    sketch s = sketch_new(crn_mm_node_count(lower), (lower->columns + side - 1) / side,
                          (lower->rows + side - 1) / side);
    uint32_t(*joined)[2] = must(calloc(below->edge_count + 1, sizeof *joined));
    /* regions as upper sectors number them */
    uint32_t *order = must(calloc(s.count + 1, sizeof *order));
    uint32_t count = 0;
    for (uint32_t at = 0; at < s.sectors; at++) {
        for (uint32_t y = at / s.columns * side; y < (at / s.columns + 1) * side && y < lower->rows;
             y++) {
            for (uint32_t x = at % s.columns * side;
                 x < (at % s.columns + 1) * side && x < lower->columns; x++) {
                uint32_t sector = y * lower->columns + x;
                for (uint32_t i = 0; i < below->regions[sector]; i++) {
                    s.sector[count] = at;
                    order[lower->first[sector] + i] = count++;
                }
            }
        }
    }
    for (size_t i = 0; i < below->edge_count; i++) {
        for (uint32_t end = 0; end < 2; end++) {
            uint64_t region = below->edges[i][end];
            joined[i][end] = order[lower->first[region >> 32] + (uint32_t)region];
        }
    }
    sketch_draw(&s, (const uint32_t(*)[2])joined, below->edge_count);
    sketch_drop(&s);
    if (crn_grid_space_of(who->place->space)->profile.neighbours != CAIRN_NEIGHBOURS_4)
        sketch_corners(&s, side);
    check_level(who, upper, &s);
    for (uint32_t at = 0; at < s.sectors; at++) {
        for (uint32_t i = 0; i < s.regions[at]; i++) {
            uint32_t thing = order[crn_mm_lower(mm, level, at, i)];
            CHECK(s.sector[thing] == at && s.label[thing] == i, "%s: an upper centre elsewhere",
                  subject_text(who));
        }
    }
    for (cairn_node node = 0; node < s.count; node++) {
        uint32_t thing = order[node], at = s.sector[thing], label = s.label[thing];
        cairn_node above = label < s.regions[at] ? upper->first[at] + label : CAIRN_NO_NODE;
        CHECK(crn_mm_above(mm, level - 1, node) == above, "%s: %u is part of another region",
              subject_text(who), node);
    }
    free(joined), free(order);
    return s;
}

static void check_index(const subject *who)
{
    const crn_mm *mm = who->planner->index;
    sketch s = sketch_cells(who, mm->side);
    check_level(who, &mm->levels[0], &s);
    check_centres(who, mm, &s);
    for (uint32_t level = 1; level < mm->level_count; level++) {
        sketch above = check_upper(who, mm, level, &s);
        sketch_free(&s);
        s = above;
    }
    sketch_free(&s);
}

static const char *const specs[] = {"mm:sector=4,levels=3", "mm:sector=7", "mm:sector=16",
                                    "mm:sector=64", "mm:sector=5,levels=2,centres=optimised"};

/* Every scene under every rule, each with one of the specifications. */
static void each_place(subject_test *test)
{
    const cairn_algorithm *mm = cairn_algorithm_find("mm", 2);
    uint32_t turn = 0;
    for (uint32_t i = 0; i < scene_count(); i++) {
        for (uint32_t rule = 0;; rule++) {
            cairn_profile profile;
            scene *drawn = scene_at(i);
            if (!scene_rule(drawn, rule, &profile)) {
                scene_destroy(drawn);
                break;
            }
            place *p = place_of_scene(drawn, profile.neighbours, profile.corners);
            subject s;
            assert_true(subject_open(&s, p, mm, specs[turn++ % LENGTH(specs)]));
            test(&s);
            subject_close(&s);
            place_destroy(p);
        }
    }
}

static void test_index(subject *s)
{
    check_index(s);
}

static void regions_centres_and_edges_are_those_of_a_plain_flood(void **state)
{
    (void)state;
    each_place(test_index);
}

/* ---- repairing ------------------------------------------------------------------------ */

static void scribble(cairn_grid *grid, scene_rng *rng)
{
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid),
             count = 1 + scene_random(rng, 4);
    for (uint32_t i = 0; i < count; i++) {
        int32_t x = (int32_t)scene_random(rng, width), y = (int32_t)scene_random(rng, height);
        if (scene_random(rng, 4)) {
            CHECK_OK(cairn_grid_set_open(grid, x, y, scene_random(rng, 2)));
        } else {
            CHECK_OK(cairn_grid_set_terrain(grid, x, y, (uint8_t)scene_random(rng, 3)));
        }
    }
    CHECK_OK(cairn_grid_commit(grid));
}

/* What each region is part of is not in files. */
static void check_same_labels(const crn_mm *a, const crn_mm *b)
{
    for (uint32_t level = 0; level < a->level_count; level++)
        assert_int_equal(a->levels[level].passed, b->levels[level].passed);
    for (uint32_t level = 0; level + 1 < a->level_count; level++)
        for (cairn_node i = 0; i < crn_mm_node_count(&a->levels[level]); i++)
            assert_int_equal(crn_mm_above(a, level, i), crn_mm_above(b, level, i));
}

static void repair_and_rebuild(kit *k, const char *spec, uint64_t seed)
{
    scene_rng rng = {seed};
    kit_plan(k, spec);
    for (uint32_t round = 0; round < test_times(25, 8); round++) {
        scribble(k->grid, &rng);
        if (round % 5 == 3) continue; /* several commits, one sync */
        CHECK_OK(cairn_planner_sync(k->planner, NULL, NULL));
        cairn_planner *fresh;
        CHECK_OK(planner_ready(k->space, spec, &fresh, NULL));
        bytes repaired = saved(k->planner), built = saved(fresh);
        CHECK(bytes_same(&repaired, &built), "%s: round %u: repaired is not what is built", spec,
              round);
        /* with some room to spare */
        size_t held = cairn_planner_index_bytes(k->planner),
               needed = cairn_planner_index_bytes(fresh);
        CHECK(held >= needed && held < 2 * needed, "%s: %zu bytes instead of %zu", spec, held,
              needed);
        check_same_labels(k->planner->index, fresh->index);
        cairn_archive *archive = opened(k->context, &built);
        CHECK_OK(cairn_planner_load(fresh, archive, false, NULL));
        check_same_labels(k->planner->index, fresh->index);
        cairn_archive_close(archive);
        bytes_free(&repaired), bytes_free(&built);
        cairn_planner_destroy(fresh);
    }
}

static void repaired_is_what_is_built_byte_for_byte(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 14; i++) {
        scene *drawn = i % 2 ? scene_noise("noise", 70, 45, 25, i + 1)
                             : scene_rooms("rooms", 61, 50, 7, i + 1);
        if (i == 9 || i == 10) scene_make_hex(drawn);
        if (i == 11) scene_add_cliffs(drawn, 5);
        if (i == 12) scene_add_terrain(drawn, 5);
        cairn_profile profile = drawn->profile;
        if (i < 3) profile.corners = (cairn_corners)i;
        if (i == 3) profile.neighbours = CAIRN_NEIGHBOURS_4;
        if (i == 4) profile.radius = 1.2;
        if (i == 5) profile.footprint = 2;
        if (i == 10) profile.radius = 0.8;
        kit k = kit_of_scene(drawn, &profile);
        repair_and_rebuild(&k, specs[i % LENGTH(specs)], i + 1);
        repair_and_rebuild(&k, "mm:sector=4,levels=4,centres=optimised", i + 1);
        kit_end(&k, drawn);
    }
}

static void any_spec(scene_rng *rng, char *out, size_t size)
{
    static const char *const smooth[] = {"none", "rays", "box"};
    snprintf(out, size, "mm:sector=%u,levels=%u,trim=%u,ahead=%u,smooth=%s",
             4 + scene_random(rng, 6), 1 + scene_random(rng, 4), scene_random(rng, 51),
             1 + scene_random(rng, 2), smooth[scene_random(rng, 3)]);
}

static void links_and_one_way_steps_are_served(void **state)
{
    (void)state;
    check_linked_repairs("mm", any_spec, test_times(150, 20), 12);
}

/* Two halves, and an island in one sector of level 2: links lead from the left half to the island,
 * and from there to the right half. A loaded index knows them too. */
static void islands_between_links_are_passed(void **state)
{
    (void)state;
    enum { WIDTH = 40, HEIGHT = 20, LEFT = 10 * WIDTH + 1, RIGHT = 10 * WIDTH + 38 };
    scene *s = scene_blank("island", WIDTH, HEIGHT);
    for (uint32_t y = 0; y < HEIGHT; y++) s->open[y * WIDTH + 20] = 0;
    for (uint32_t i = 0; i < 25; i++) {
        uint32_t x = i % 5, y = i / 5;
        if (x % 4 == 0 || y % 4 == 0) s->open[(5 + y) * WIDTH + 5 + x] = 0;
    }
    kit k = kit_of_scene(s, NULL);
    cairn_link there = {.from = 2 * WIDTH + 2, .to = 6 * WIDTH + 6, .id = 1, .cost = 256},
               on = {.from = 8 * WIDTH + 8, .to = 15 * WIDTH + 30, .id = 2, .cost = 256};
    CHECK_OK(cairn_grid_add_link(k.grid, &there));
    CHECK_OK(cairn_grid_add_link(k.grid, &on));
    CHECK_OK(cairn_grid_commit(k.grid));
    static const char *const settings[] = {"mm:sector=4,levels=1", "mm:sector=4,levels=2",
                                           "mm:sector=4,levels=3"};
    for (uint32_t i = 0; i < 2 * LENGTH(settings); i++) {
        kit_plan(&k, settings[i / 2]);
        bytes file = saved(k.planner);
        cairn_archive *archive = opened(k.context, &file);
        if (i % 2) CHECK_OK(cairn_planner_load(k.planner, archive, false, NULL));
        const cairn_path *path;
        CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.from = LEFT, .to = RIGHT}, &path),
                     CAIRN_FOUND);
        assert_int_equal(path->link_count, 2);
        assert_string_equal(cairn_search_metrics(k.search).answered_by->name, "mm");
        CHECK_STATUS(cairn_search_find(k.search, &(cairn_query){.from = RIGHT, .to = LEFT}, &path),
                     CAIRN_UNREACHABLE);
        cairn_archive_close(archive);
        bytes_free(&file);
    }
    kit_end(&k, s);
}

/* A change touches the sectors near it and no others: what lies far away keeps its bytes even if
 * they are wrong. */
static void a_repair_looks_at_nothing_far_away(void **state)
{
    (void)state;
    scene *drawn = scene_rooms("rooms", 96, 96, 7, 4);
    kit k = kit_of_scene(drawn, &drawn->profile);
    kit_plan(&k, "mm:sector=8");
    crn_mm *mm = k.planner->index;
    crn_mm_level *level = &mm->levels[0];
    uint32_t near = 2 * level->columns + 2, far = 9 * level->columns + 9;
    uint8_t *centre = level->bytes.owned + level->begin[far] + level->width;
    uint8_t before = *centre;
    *centre = (uint8_t)(before ^ 1);
#if defined(CAIRN_CHECKS)
    k.planner->repairs = 1; /* the next repair is not one of those that are checked */
#endif
    CHECK_OK(cairn_grid_set_open(k.grid, 20, 20, !cairn_grid_is_open(k.grid, 20, 20)));
    CHECK_OK(cairn_grid_commit(k.grid));
    CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    level = &mm->levels[0];
    assert_int_equal(level->bytes.data[level->begin[far] + level->width], before ^ 1);
    assert_true(crn_mm_sector_at(level, near).count > 0);
    kit_end(&k, drawn);
}

/* ---- searching ------------------------------------------------------------------------ */

typedef struct tape {
    const crn_mm *mm;
    const crn_grid_space *space;
    /* that begin on the ground, and of these those that begin at no centre */
    uint32_t pieces, elsewhere;
    bool ended;
} tape;

static bool is_centre(const tape *t, cairn_node cell)
{
    uint32_t width = t->space->grid->width, side = t->mm->side;
    uint32_t sector = cell / width / side * t->mm->levels[0].columns + cell % width / side;
    crn_mm_sector packed = crn_mm_sector_at(&t->mm->levels[0], sector);
    for (uint32_t i = 0; i < packed.count; i++) {
        if (crn_mm_cell(t->mm, t->space, 0, sector, i) == cell) return true;
    }
    return false;
}

static void listen(void *user, const cairn_event *event)
{
    tape *t = user;
    if (event->kind == CAIRN_EVENT_END) t->ended = true;
    if (event->kind != CAIRN_EVENT_PIECE || event->level) return;
    if (t->pieces++ && !is_centre(t, event->node)) t->elsewhere++;
}

static tape listened(kit *k, const char *spec, const cairn_query *query)
{
    kit_plan(k, spec);
    tape t = {.mm = k->planner->index, .space = crn_grid_space_of(k->space)};
    cairn_trace_sink sink = {listen, &t};
    cairn_search_trace(k->search, &sink);
    const cairn_path *path;
    CHECK_STATUS(cairn_search_find(k->search, query, &path), CAIRN_FOUND);
    assert_true(path->end == query->to && t.ended);
    return t;
}

static void pieces_begin_at_centres_or_where_they_were_trimmed(void **state)
{
    (void)state;
    scene *drawn = scene_blank("blank", 160, 160);
    for (uint32_t i = 0; i < 120; i++) drawn->open[80 * 160 + i] = 0;
    kit k = kit_of_scene(drawn, &drawn->profile);
    cairn_query query = {.from = 5 * 160 + 3, .to = 150 * 160 + 9};
    tape plain = listened(&k, "mm:sector=16,trim=0,smooth=none", &query);
    assert_true(plain.pieces >= 14 && plain.elsewhere == 0);
    tape trimmed = listened(&k, "mm:sector=16,trim=20,smooth=none", &query);
    assert_int_equal(trimmed.pieces, plain.pieces);
    assert_true(trimmed.elsewhere >= plain.pieces - 3);
    tape ahead = listened(&k, "mm:sector=16,trim=0,ahead=2,smooth=none", &query);
    assert_true(ahead.pieces <= plain.pieces / 2 + 1 && ahead.elsewhere == 0);
    kit_end(&k, drawn);
}

static void trimming_and_smoothing_make_ways_shorter(void **state)
{
    cairn_context *context = *state;
    cairn_generator generator = cairn_generator_default(CAIRN_GENERATE_CAVES);
    kit k = {.context = context};
    generator.width = generator.height = 256;
    cairn_profile profile = cairn_profile_default();
    CHECK_OK(cairn_generate(context, &generator, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, &profile, &k.space, NULL));
    double raw = kit_costlier(&k, "mm:trim=0,smooth=none", 40),
           trimmed = kit_costlier(&k, "mm:smooth=none", 40);
    double smooth = kit_costlier(&k, "mm", 40), two = kit_costlier(&k, "mm:trim=15,ahead=2", 40);
    CHECK(trimmed < raw && smooth < trimmed && smooth <= 6 && two <= 6,
          "%f, %f, %f, %f per cent costlier", raw, trimmed, smooth, two);
    cairn_search_destroy(k.search), cairn_planner_destroy(k.planner);
    cairn_space_destroy(k.space), cairn_grid_destroy(k.grid);
}

/* ---- memory --------------------------------------------------------------------------- */

/* All that the planner and its search hold after long searches on a map of 1024×1024. */
static size_t bytes_for(cairn_context *context, cairn_generator_kind kind, const char *spec)
{
    cairn_generator generator = cairn_generator_default(kind);
    generator.width = generator.height = 1024;
    kit k = {.context = context};
    cairn_profile profile = cairn_profile_default();
    CHECK_OK(cairn_generate(context, &generator, &k.grid, NULL));
    CHECK_OK(cairn_space_of_grid(k.grid, &profile, &k.space, NULL));
    size_t before = cairn_context_memory(context).bytes;
    kit_plan(&k, spec);
    scene_rng rng = {3};
    size_t most = 0;
    for (uint32_t found = 0; found < 20;) {
        cairn_query query = {.from = scene_random(&rng, 1024 * 1024),
                             .to = scene_random(&rng, 1024 * 1024)};
        if (cairn_search_find(k.search, &query, NULL) != CAIRN_FOUND) continue;
        size_t told =
            cairn_search_metrics(k.search).peak_bytes + cairn_planner_index_bytes(k.planner);
        if (told > most) most = told;
        found++;
    }
    size_t held = cairn_context_memory(context).bytes - before;
    print_message("%s on %s: index %u bytes, with the search's peak %u, all that is held %u\n",
                  spec, cairn_generator_about(kind)->name,
                  (unsigned)cairn_planner_index_bytes(k.planner), (unsigned)most, (unsigned)held);
    cairn_search_destroy(k.search), cairn_planner_destroy(k.planner);
    cairn_space_destroy(k.space), cairn_grid_destroy(k.grid);
    return held > most ? held : most;
}

static void a_large_map_is_served_within_two_megabytes(void **state)
{
    static const cairn_generator_kind kinds[] = {CAIRN_GENERATE_RANDOM, CAIRN_GENERATE_ROOMS,
                                                 CAIRN_GENERATE_CAVES, CAIRN_GENERATE_FACILITY};
    for (uint32_t i = 0; i < LENGTH(kinds); i++) {
        assert_true(bytes_for(*state, kinds[i], "mm") <= 2000000);
        assert_true(bytes_for(*state, kinds[i], "mm:levels=2") <= 2000000);
    }
}

/* ---- damage --------------------------------------------------------------------------- */

static const char *const sections[] = {"index", "index.sectors", "index.upper"};
static const uint32_t elements[] = {8, 1, 1};

/* A file with right checksums in which a section lacks bytes at its end, or has a byte turned
 * round. */
static bytes damaged(const cairn_archive *good, cairn_context *context, uint32_t which, size_t cut,
                     size_t at, uint8_t turned)
{
    cairn_store *store;
    CHECK_OK(cairn_store_create(context, &store));
    for (uint32_t i = 0; i < LENGTH(sections); i++) {
        size_t size;
        const uint8_t *data = cairn_archive_section(good, sections[i], elements[i], &size);
        uint8_t *copy = must(malloc(size));
        memcpy(copy, data, size);
        if (i == which && at < size) copy[at] ^= turned;
        if (i == which) size -= cut;
        CHECK_OK(
            cairn_store_add(store, sections[i], (cairn_bytes){copy, size}, elements[i], false));
        free(copy);
    }
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    return file;
}

/* It is refused, or paths are still found wherever there are some. */
static bool refused_or_harmless(subject *s, const bytes *file)
{
    cairn_archive *archive = opened(s->place->context, file);
    cairn_planner *planner;
    cairn_error error = {0};
    CHECK_OK(cairn_planner_create(s->place->space, s->spec, &planner, NULL));
    cairn_status status = cairn_planner_load(planner, archive, true, &error);
    CHECK(status == CAIRN_OK || (status == CAIRN_BAD_DATA && error.text[0]), "%s",
          cairn_status_text(status));
    if (status == CAIRN_OK) {
        cairn_search *search;
        CHECK_OK(cairn_search_create(planner, NULL, &search));
        for (uint32_t i = 0; i < s->place->query_count; i++) {
            const known_query *q = &s->place->queries[i];
            answer a = answer_find(search, &(cairn_query){.from = q->from, .to = q->to});
            check_known_answer(s, q, &a.path);
            answer_free(&a);
        }
        cairn_search_destroy(search);
    }
    cairn_planner_destroy(planner);
    cairn_archive_close(archive);
    return status != CAIRN_OK;
}

static void damaged_sections_are_refused_or_harmless(void **state)
{
    (void)state;
    place *p = place_of_scene(scene_noise("small", 30, 22, 20, 3), CAIRN_NEIGHBOURS_8,
                              CAIRN_CORNERS_NEVER);
    subject s;
    assert_true(subject_open(&s, p, cairn_algorithm_find("mm", 2), "mm:sector=4,levels=2"));
    bytes file = saved(s.planner);
    cairn_archive *good = opened(p->context, &file);
    uint32_t refused = 0;
    for (uint32_t which = 1; which < LENGTH(sections); which++) {
        size_t size;
        assert_non_null(cairn_archive_section(good, sections[which], 1, &size));
        for (size_t cut = 1; cut <= size; cut += test_stride()) {
            bytes bad = damaged(good, p->context, which, cut, SIZE_MAX, 0);
            CHECK(refused_or_harmless(&s, &bad), "%s: %u bytes are missing", sections[which],
                  (unsigned)cut);
            bytes_free(&bad);
        }
        for (size_t flip = 0; flip < 8 * size; flip += test_stride()) {
            bytes bad = damaged(good, p->context, which, 0, flip / 8, (uint8_t)(1u << flip % 8));
            refused += refused_or_harmless(&s, &bad);
            bytes_free(&bad);
        }
    }
    assert_true(refused > 100);
    cairn_archive_close(good);
    bytes_free(&file);
    subject_close(&s);
    place_destroy(p);
}

static void sides_that_are_none_are_refused(void **state)
{
    (void)state;
    scene *drawn = scene_blank("blank", 9, 9);
    kit k = kit_of_scene(drawn, &drawn->profile);
    static const char *const wrong[] = {"mm:sector=1", "mm:sector=3", "mm:sector=65"};
    for (uint32_t i = 0; i < LENGTH(wrong); i++) {
        cairn_error error = {0};
        CHECK_STATUS(cairn_planner_create(k.space, wrong[i], &k.planner, &error), CAIRN_INVALID);
        assert_true(error.text[0]);
    }
    kit_end(&k, drawn);
}

/* ---- what it looks like --------------------------------------------------------------- */

typedef struct show {
    const sketch *drawn;
    const crn_mm_level *level;
    uint32_t areas, nodes, edges, last;
    bool wrong;
} show;

static void look(void *user, const cairn_overlay_item *item)
{
    show *s = user;
    if (item->kind < s->last || item->level != 1) s->wrong = true;
    s->last = item->kind;
    if (item->kind == CAIRN_OVERLAY_AREA) {
        s->areas++;
        if (item->group !=
            s->level->first[s->drawn->sector[item->node]] + s->drawn->label[item->node])
            s->wrong = true;
    }
    s->nodes += item->kind == CAIRN_OVERLAY_NODE;
    s->edges += item->kind == CAIRN_OVERLAY_EDGE;
}

static void the_overlay_shows_every_cell_node_and_edge_once(void **state)
{
    (void)state;
    place *p =
        place_of_scene(scene_noise("noise", 40, 33, 30, 9), CAIRN_NEIGHBOURS_8, CAIRN_CORNERS_ONE);
    subject s;
    assert_true(subject_open(&s, p, cairn_algorithm_find("mm", 2), "mm:sector=6"));
    const crn_mm *mm = s.planner->index;
    sketch drawn = sketch_cells(&s, mm->side);
    show seen = {.drawn = &drawn, .level = &mm->levels[0]};
    CHECK_OK(cairn_planner_overlay(s.planner, 0, &(cairn_overlay_sink){look, &seen}));
    uint32_t usable = 0;
    for (uint32_t i = 0; i < p->oracle->count; i++) usable += p->oracle->usable[i];
    assert_false(seen.wrong);
    assert_int_equal(seen.areas, usable);
    assert_int_equal(seen.nodes, crn_mm_node_count(&mm->levels[0]));
    assert_int_equal(2 * seen.edges, drawn.edge_count);
    sketch_free(&drawn);
    subject_close(&s);
    place_destroy(p);
}

static void count_sources(void *user, const cairn_event *event)
{
    *(uint32_t *)user += event->kind == CAIRN_EVENT_SOURCE;
}

/* A band of ground so expensive that only the way round it has a cost of 32 bits; the abstraction
 * leads through. Who asks for pieces gets all of the cheapest path; and the work that was for
 * nothing counts, however it is sliced. */
static void a_way_that_is_too_dear_is_given_up_for_the_cheapest(void **state)
{
    enum { SIDE = 400, FROM = 10 * SIDE + 200, TO = 390 * SIDE + 200 };
    uint8_t *layer = must(calloc(SIDE * SIDE, 1));
    for (uint32_t y = 150; y < 250; y++) memset(layer + y * SIDE + 40, 255, 359);
    cairn_profile profile = cairn_profile_default();
    profile.layer_weight = UINT16_MAX;
    profile.cost_scale = 0;
    cairn_grid *grid;
    cairn_space *space;
    CHECK_OK(cairn_grid_create(
        *state, &(cairn_grid_options){.width = SIDE, .height = SIDE, .layer = layer}, &grid, NULL));
    CHECK_OK(cairn_space_of_grid(grid, &profile, &space, NULL));
    const char *const all[] = {"astar", "mm", "sga"};
    answer cheapest = {0};
    for (uint32_t i = 0; i < LENGTH(all); i++) {
        cairn_planner *planner;
        cairn_search *search;
        CHECK_OK(cairn_planner_create(space, all[i], &planner, NULL));
        CHECK_OK(cairn_planner_build(planner, NULL, NULL));
        CHECK_OK(cairn_search_create(planner, NULL, &search));
        answer whole = answer_find(search, &(cairn_query){.from = FROM, .to = TO}),
               piece =
                   answer_sliced(search, &(cairn_query){.from = FROM, .to = TO, .piece = 600}, 100);
        if (!i) cheapest = whole;
        CHECK(answer_same_path(&whole, &cheapest) && answer_same_path(&piece, &cheapest),
              "%s: %s, pieces %s", all[i], cairn_status_text(whole.path.status),
              cairn_status_text(piece.path.status));
        CHECK(!i || whole.metrics.work > cheapest.metrics.work, "%s: work is forgotten", all[i]);
        CHECK(answer_same_metrics(&whole, &piece) &&
                  whole.metrics.peak_bytes == piece.metrics.peak_bytes,
              "%s: %llu units and %llu bytes, in slices %llu and %llu", all[i],
              (unsigned long long)whole.metrics.work, (unsigned long long)whole.metrics.peak_bytes,
              (unsigned long long)piece.metrics.work, (unsigned long long)piece.metrics.peak_bytes);
        if (i) answer_free(&whole);
        answer_free(&piece);
        uint32_t sources = 0;
        cairn_search_trace(search, &(cairn_trace_sink){count_sources, &sources});
        assert_int_equal(cairn_search_find(search, &(cairn_query){.from = FROM, .to = TO}, NULL),
                         CAIRN_FOUND);
        CHECK(sources == 1, "%s: the start is told %u times", all[i], sources);
        cairn_search_destroy(search);
        cairn_planner_destroy(planner);
    }
    answer_free(&cheapest);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    free(layer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_centres_and_edges_are_those_of_a_plain_flood),
        cmocka_unit_test(repaired_is_what_is_built_byte_for_byte),
        cmocka_unit_test(links_and_one_way_steps_are_served),
        cmocka_unit_test(islands_between_links_are_passed),
        cmocka_unit_test(a_repair_looks_at_nothing_far_away),
        cmocka_unit_test(pieces_begin_at_centres_or_where_they_were_trimmed),
        cmocka_unit_test_setup_teardown(trimming_and_smoothing_make_ways_shorter, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(a_large_map_is_served_within_two_megabytes, context_set_up,
                                        context_tear_down),
        cmocka_unit_test_setup_teardown(a_way_that_is_too_dear_is_given_up_for_the_cheapest,
                                        context_set_up, context_tear_down),
        cmocka_unit_test(damaged_sections_are_refused_or_harmless),
        cmocka_unit_test(sides_that_are_none_are_refused),
        cmocka_unit_test(the_overlay_shows_every_cell_node_and_edge_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
