/* test_conformance_overlay.c: what an index looks like, for every algorithm that has one: something
 * where there are walls; layer by layer, kind by kind; each layer alone as among all; nothing
 * outside the world; nodes in groups that are there, edges from node to node; loaded as built.
 */
#include "conformance.h"
#include "files.h"
#include "items.h"

/* ---- one item ------------------------------------------------------------------------- */

/* A box round all places of the world, and half a cell beyond. */
typedef struct bounds {
    double left, top, right, bottom;
} bounds;

static bounds bounds_of(const place *p)
{
    bounds b = {0};
    for (cairn_node node = 0; node < cairn_space_node_count(p->space); node++) {
        cairn_position at = cairn_space_position(p->space, node);
        if (!node) b = (bounds){at.x, at.y, at.x, at.y};
        if (at.x < b.left) b.left = at.x;
        if (at.x > b.right) b.right = at.x;
        if (at.y < b.top) b.top = at.y;
        if (at.y > b.bottom) b.bottom = at.y;
    }
    double rim = p->grid ? cairn_grid_cell_size(p->grid) / 2 : 0;
    return (bounds){b.left - rim, b.top - rim, b.right + rim, b.bottom + rim};
}

static bool inside(const bounds *b, cairn_position at)
{
    return at.x >= b->left && at.x <= b->right && at.y >= b->top && at.y <= b->bottom;
}

static void check_item(const subject *s, const bounds *b, const cairn_overlay_item *item)
{
    CHECK(item->level >= 1 && (unsigned)item->kind < CAIRN_OVERLAY_KIND_COUNT,
          "%s: layer %u, kind %d", subject_text(s), item->level, item->kind);
    if (item->kind == CAIRN_OVERLAY_AREA) {
        CHECK(item->node < s->place->oracle->count && s->place->oracle->usable[item->node],
              "%s: nobody stands at %u", subject_text(s), item->node);
        return;
    }
    CHECK(inside(b, item->from), "%s: %g,%g", subject_text(s), item->from.x, item->from.y);
    if (item->kind == CAIRN_OVERLAY_NODE) return;
    CHECK(inside(b, item->to), "%s: %g,%g", subject_text(s), item->to.x, item->to.y);
}

/* Layers rise, and in each of them kinds do. */
static void check_order(const subject *s, const items *all)
{
    for (size_t i = 1; i < all->count; i++) {
        const cairn_overlay_item *a = &all->at[i - 1], *b = &all->at[i];
        CHECK(a->level < b->level || (a->level == b->level && a->kind <= b->kind),
              "%s: kind %d of layer %u after kind %d of layer %u", subject_text(s), b->kind,
              b->level, a->kind, a->level);
    }
}

/* ---- one layer ------------------------------------------------------------------------ */

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int compare_places(const void *a, const void *b)
{
    const cairn_position *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Areas: no node of the world is in two groups. Nodes: where there are areas, each belongs to one.
 * Edges lead from node to node. */
static void check_layer(const subject *s, const items *one)
{
    uint32_t *cells = malloc((one->count + 1) * sizeof *cells),
             *groups = malloc((one->count + 1) * sizeof *groups),
             *numbers = malloc((one->count + 1) * sizeof *numbers);
    cairn_position *places = malloc((one->count + 1) * sizeof *places);
    if (!cells || !groups || !numbers || !places) abort();
    size_t areas = 0, nodes = 0;
    for (size_t i = 0; i < one->count; i++) {
        const cairn_overlay_item *item = &one->at[i];
        if (item->kind == CAIRN_OVERLAY_AREA)
            cells[areas] = item->node, groups[areas++] = item->group;
        if (item->kind == CAIRN_OVERLAY_NODE)
            numbers[nodes] = item->node, places[nodes++] = item->from;
    }
    qsort(cells, areas, sizeof *cells, compare_numbers);
    qsort(groups, areas, sizeof *groups, compare_numbers);
    qsort(numbers, nodes, sizeof *numbers, compare_numbers);
    qsort(places, nodes, sizeof *places, compare_places);
    for (size_t i = 1; i < areas; i++)
        CHECK(cells[i] != cells[i - 1], "%s: %u twice", subject_text(s), cells[i]);
    for (size_t i = 1; i < nodes; i++)
        CHECK(numbers[i] != numbers[i - 1], "%s: node %u twice", subject_text(s), numbers[i]);
    for (size_t i = 0; i < one->count; i++) {
        const cairn_overlay_item *item = &one->at[i];
        if (item->kind == CAIRN_OVERLAY_NODE && areas)
            CHECK(bsearch(&item->group, groups, areas, sizeof *groups, compare_numbers),
                  "%s: no area of group %u", subject_text(s), item->group);
        if (item->kind != CAIRN_OVERLAY_EDGE) continue;
        CHECK(bsearch(&item->from, places, nodes, sizeof *places, compare_places) &&
                  bsearch(&item->to, places, nodes, sizeof *places, compare_places),
              "%s: no nodes at the ends of an edge of layer %u", subject_text(s), item->level);
    }
    free(cells), free(groups), free(numbers), free(places);
}

static void check_same(const subject *s, const cairn_overlay_item *expected, size_t count,
                       const items *found)
{
    CHECK(found->count == count, "%s: %zu items, not %zu", subject_text(s), found->count, count);
    for (size_t i = 0; i < count; i++)
        CHECK(items_same(&expected[i], &found->at[i]), "%s: item %zu", subject_text(s), i);
}

/* ---- all of it ------------------------------------------------------------------------ */

static void look_at_layers(subject *s)
{
    bounds b = bounds_of(s->place);
    items all = items_of(s->planner, 0);
    uint32_t highest = 0;
    check_order(s, &all);
    for (size_t i = 0; i < all.count; i++) check_item(s, &b, &all.at[i]);
    for (size_t first = 0, end; first < all.count; first = end) {
        highest = all.at[first].level;
        for (end = first; end < all.count && all.at[end].level == highest;) end++;
        items one = items_of(s->planner, highest);
        check_same(s, all.at + first, end - first, &one);
        check_layer(s, &one);
        items_free(&one);
    }
    items none = items_of(s->planner, highest + 1), never = items_of(s->planner, UINT32_MAX);
    assert_int_equal(none.count + never.count, 0);
    items_free(&all);
}

static void layers_are_in_order_and_inside_the_world(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_ALL | SETTINGS_ONE, look_at_layers);
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_EACH, look_at_layers);
}

/* Whatever the setting: nothing may be left to guess. */
static void where_there_are_walls_every_index_shows_something(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < cairn_algorithm_count(); a++) {
        const cairn_algorithm *algorithm = cairn_algorithm_at(a);
        if (!(algorithm->flags & CAIRN_NEEDS_INDEX) || !conformance_is_about(algorithm)) continue;
        if (!(algorithm->worlds >> CAIRN_WORLD_GRID & 1)) continue;
        place *p = place_of_scene(scene_rooms("rooms", 65, 41, 8, 1), CAIRN_NEIGHBOURS_8,
                                  CAIRN_CORNERS_NEVER);
        char spec[160];
        for (uint32_t i = 0; conformance_setting(algorithm, SETTINGS_EACH, i, spec, sizeof spec);
             i++) {
            subject s;
            if (!subject_open(&s, p, algorithm, spec)) continue;
            items all = items_of(s.planner, 0);
            CHECK(all.count > 0, "%s shows nothing", subject_text(&s));
            items_free(&all);
            subject_close(&s);
        }
        place_destroy(p);
    }
}

static void load_and_look(subject *s)
{
    bytes file = saved(s->planner);
    cairn_archive *archive = opened(s->place->context, &file);
    cairn_planner *planner;
    CHECK_OK(cairn_planner_create(s->place->space, s->spec, &planner, NULL));
    CHECK_OK(cairn_planner_load(planner, archive, true, NULL));
    items built = items_of(s->planner, 0), loaded = items_of(planner, 0);
    check_same(s, built.at, built.count, &loaded);
    items_free(&built), items_free(&loaded);
    cairn_planner_destroy(planner);
    cairn_archive_close(archive);
    bytes_free(&file);
}

static void what_was_loaded_looks_as_what_was_built(void **state)
{
    (void)state;
    conformance_each_with(CAIRN_NEEDS_INDEX, PLACES_FEW | SETTINGS_ONE, load_and_look);
}

/* ---- nothing to show ------------------------------------------------------------------ */

static void ask_in_vain(subject *s)
{
    bool has_index = s->algorithm->flags & CAIRN_NEEDS_INDEX;
    items all = {0};
    cairn_overlay_sink sink = {items_add, &all};
    cairn_planner *planner;
    CHECK_STATUS(cairn_planner_overlay(s->planner, 0, NULL), CAIRN_INVALID);
    CHECK_STATUS(cairn_planner_overlay(s->planner, 0, &(cairn_overlay_sink){0}), CAIRN_INVALID);
    CHECK_STATUS(cairn_planner_overlay(NULL, 0, &sink), CAIRN_INVALID);
    CHECK_OK(cairn_planner_create(s->place->space, s->spec, &planner, NULL));
    CHECK_STATUS(cairn_planner_overlay(planner, 0, &sink),
                 has_index ? CAIRN_NOT_BUILT : CAIRN_UNSUPPORTED);
    if (has_index && s->place->grid) {
        bool open = cairn_grid_is_open(s->place->grid, 0, 0);
        CHECK_OK(cairn_grid_set_open(s->place->grid, 0, 0, !open));
        CHECK_OK(cairn_grid_commit(s->place->grid));
        CHECK_STATUS(cairn_planner_overlay(s->planner, 0, &sink), CAIRN_STALE);
        CHECK_OK(cairn_grid_set_open(s->place->grid, 0, 0, open));
        CHECK_OK(cairn_grid_commit(s->place->grid));
    }
    assert_int_equal(all.count, 0);
    cairn_planner_destroy(planner);
}

static void without_an_index_that_serves_it_is_said(void **state)
{
    (void)state;
    conformance_each(PLACES_FEW | SETTINGS_ONE, ask_in_vain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_in_order_and_inside_the_world),
        cmocka_unit_test(where_there_are_walls_every_index_shows_something),
        cmocka_unit_test(what_was_loaded_looks_as_what_was_built),
        cmocka_unit_test(without_an_index_that_serves_it_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
