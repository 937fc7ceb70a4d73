/* hierarchies.h: what the tests of single hierarchies share: scenes of all kinds, and a search that
 * lives through edits while the index is repaired.
 */
#ifndef TESTS_HIERARCHIES_H
#define TESTS_HIERARCHIES_H

#include "edits.h"
#include "files.h"
#include "kit.h"

#include "abstract/clusters.h"

static inline scene *any_scene(scene_rng *rng, uint64_t seed)
{
    static const double radii[] = {0, 0, 0, 0.6, 1, 1.3, 2};
    uint32_t width = 1 + scene_random(rng, 30), height = 1 + scene_random(rng, 30);
    scene *s = scene_noise("noise", width, height, scene_random(rng, 55), seed);
    if (scene_random(rng, 3) == 0) scene_make_hex(s);
    if (scene_random(rng, 3) == 0) scene_add_cliffs(s, seed);
    if (scene_random(rng, 3) == 0) scene_add_terrain(s, seed);
    for (uint32_t rule = scene_random(rng, 4); !scene_rule(s, rule, &s->profile); rule--) {
    }
    s->profile.radius = radii[scene_random(rng, LENGTH(radii))];
    if (s->elevation && scene_random(rng, 2)) s->profile.max_drop = s->profile.max_climb;
    return s;
}

/* The same bytes as of an index that is built now, and as of that one loaded. */
static inline void check_as_built(kit *k, const char *spec)
{
    cairn_planner *fresh;
    CHECK_OK(cairn_planner_create(k->space, spec, &fresh, NULL));
    CHECK_OK(cairn_planner_build(fresh, NULL, NULL));
    bytes repaired = saved(k->planner), built = saved(fresh);
    CHECK(bytes_same(&repaired, &built), "%s: repaired is not rebuilt", spec);
    cairn_archive *archive = opened(k->context, &built);
    CHECK_OK(cairn_planner_load(fresh, archive, false, NULL));
    bytes again = saved(fresh);
    CHECK(bytes_same(&again, &built), "%s: loaded is not built", spec);
    cairn_archive_close(archive);
    bytes_free(&repaired), bytes_free(&built), bytes_free(&again);
    cairn_planner_destroy(fresh);
}

static inline void edit_some(kit *k, scene *s, scene_rng *rng)
{
    uint32_t x0 = scene_random(rng, s->width), y0 = scene_random(rng, s->height),
             side = scene_random(rng, 4) ? 1 : 1 + scene_random(rng, 4);
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t x = x0 + i % side, y = y0 + i / side, what = scene_random(rng, 4);
        if (x >= s->width || y >= s->height) continue;
        uint32_t at = y * s->width + x;
        if (what == 1 && s->terrain) {
            s->terrain[at] = (uint8_t)scene_random(rng, 4);
            CHECK_OK(cairn_grid_set_terrain(k->grid, (int32_t)x, (int32_t)y, s->terrain[at]));
        } else if (what == 2 && s->elevation) {
            s->elevation[at] = (int16_t)scene_random(rng, 6);
            CHECK_OK(cairn_grid_set_elevation(k->grid, (int32_t)x, (int32_t)y, s->elevation[at]));
        } else {
            s->open[at] = !s->open[at];
            CHECK_OK(cairn_grid_set_open(k->grid, (int32_t)x, (int32_t)y, s->open[at]));
        }
    }
    CHECK_OK(cairn_grid_commit(k->grid));
}

/* A search that lives through all edits finds a legal way if and only if there is one, and pieces
 * lead to the goal. */
static inline void check_ways_by(kit *k, const scene *s, const char *spec, const char *name,
                                 scene_rng *rng)
{
    oracle_grid raw = scene_raw(s);
    oracle *o = oracle_of_grid(&raw, &s->profile, cairn_space_scale(k->space));
    for (uint32_t i = 0; i < 6; i++) {
        cairn_node from = scene_random(rng, o->count), to = scene_random(rng, o->count);
        if (!o->usable[from] || !o->usable[to]) continue;
        oracle_search(o, from);
        cairn_query query = {.from = from, .to = to, .piece = i % 2 ? 1 + scene_random(rng, 9) : 0};
        const cairn_path *path;
        cairn_status status = cairn_search_find(k->search, &query, &path);
        CHECK(status == (o->distance[to] == ORACLE_NONE ? CAIRN_UNREACHABLE : CAIRN_FOUND),
              "%s from %u to %u: %s", spec, from, to, cairn_status_text(status));
        const cairn_algorithm *answered = cairn_search_metrics(k->search).answered_by;
        CHECK(!name || !answered || !strcmp(answered->name, name), "%s: answered by %s", spec,
              answered->name);
        uint64_t sum = 0;
        for (bool more = status == CAIRN_FOUND; more;) {
            cairn_cost cost = 0;
            bool last = !path->partial;
            CHECK(path->nodes[0] == from && cairn_path_valid(k->space, path, &cost, NULL, NULL),
                  "%s", spec);
            sum += cost;
            from = path->end;
            more = !last;
            if (more) CHECK_STATUS(cairn_search_find_next(k->search, &path), CAIRN_FOUND);
        }
        if (status == CAIRN_FOUND) assert_true(from == to && sum >= o->distance[to]);
    }
    oracle_destroy(o);
}

static inline void check_ways(kit *k, const scene *s, const char *spec, scene_rng *rng)
{
    check_ways_by(k, s, spec, NULL, rng);
}

/* Adds a link, takes some away, asks another price, or blocks an end. */
static inline void edit_some_links(kit *k, scene *s, scene_rng *rng)
{
    uint32_t cells = s->width * s->height, what = scene_random(rng, 4);
    cairn_link link = {.from = scene_random(rng, cells),
                       .to = scene_random(rng, cells),
                       .id = scene_random(rng, 9),
                       .cost = 1 + scene_random(rng, 3000)};
    if (what && s->link_count) {
        cairn_link old = s->links[scene_random(rng, s->link_count)];
        cairn_node end = scene_random(rng, 2) ? old.from : old.to;
        if (what == 1) {
            s->open[end] = !s->open[end];
            CHECK_OK(cairn_grid_set_open(k->grid, (int32_t)(end % s->width),
                                         (int32_t)(end / s->width), s->open[end]));
        } else {
            edit_remove_links(&(world){.scene = s, .grid = k->grid}, old.id);
        }
        if (what == 3) link.from = old.from, link.to = old.to;
    }
    if (what != 1 && link.from != link.to)
        edit_add_link(&(world){.scene = s, .grid = k->grid}, &link);
    CHECK_OK(cairn_grid_commit(k->grid));
}

/* Writes a specification of the algorithm in question, any one. */
typedef void any_specification(scene_rng *rng, char *out, size_t size);

/* Many worlds, many edits: a repaired index is a rebuilt one, and its paths are right. */
static inline void check_repairs(any_specification *specify, uint64_t seeds, uint32_t rounds)
{
    scene_rng rng = {5};
    for (uint64_t seed = 0; seed < seeds; seed++) {
        char spec[160];
        scene *s = any_scene(&rng, seed);
        specify(&rng, spec, sizeof spec);
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, spec);
        for (uint32_t round = 0; round < rounds; round++) {
            for (uint32_t i = scene_random(&rng, 3); i < 3; i++) edit_some(&k, s, &rng);
            CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
            check_as_built(&k, spec);
            check_ways(&k, s, spec, &rng);
        }
        kit_end(&k, s);
    }
}

/* The same with links, near and far, cheap and expensive; the algorithm itself answers. */
static inline void check_linked_repairs(const char *name, any_specification *specify,
                                        uint64_t seeds, uint32_t rounds)
{
    scene_rng rng = {7};
    for (uint64_t seed = 0; seed < seeds; seed++) {
        char spec[160];
        scene *s = any_scene(&rng, seed);
        scene_add_links(s, scene_random(&rng, 12), 1, seed % 2 ? 300 : 4000, seed % 5 == 0, seed);
        specify(&rng, spec, sizeof spec);
        kit k = kit_of_scene(s, &s->profile);
        kit_plan(&k, spec);
        for (uint32_t round = 0; round < rounds; round++) {
            check_ways_by(&k, s, spec, name, &rng);
            if (scene_random(&rng, 2)) edit_some(&k, s, &rng);
            if (scene_random(&rng, 4)) edit_some_links(&k, s, &rng);
            CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
            check_as_built(&k, spec);
        }
        kit_end(&k, s);
    }
}

static inline oracle *oracle_of(const scene *s, const kit *k)
{
    oracle_grid raw = scene_raw(s);
    return oracle_of_grid(&raw, &s->profile, cairn_space_scale(k->space));
}

/* An oracle that knows one cluster only: all other cells are closed while it is made. */
static inline oracle *oracle_of_cluster(scene *s, const kit *k, crn_area area)
{
    size_t cells = (size_t)s->width * s->height;
    uint8_t *open = malloc(cells);
    if (!open) abort();
    memcpy(open, s->open, cells);
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t x = i % s->width, y = i / s->width;
        bool inside = x >= area.left && x < area.left + area.width && y >= area.top &&
                      y < area.top + area.height;
        if (!inside) s->open[i] = 0;
    }
    oracle *o = oracle_of(s, k);
    memcpy(s->open, open, cells);
    free(open);
    return o;
}

#endif
