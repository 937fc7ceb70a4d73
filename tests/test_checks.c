/* test_checks.c: the checks inside the library (crn_X_check) see damage, and nothing but damage.
 *
 * Each structure is made, found to be right, damaged in a way that a mistake in the code might, and
 * must be found out; then the damage is undone, and it must be right again. A library without
 * checks has none of this.
 */
#include "kit.h"
#include "support.h"

#include "abstract/abstract_check.h"
#include "continuous/track.h"
#include "heuristic/heuristic_check.h"
#include "hierarchy/dhpa/dhpa_check.h"
#include "hierarchy/hierarchical_astar/hierarchical_astar_check.h"
#include "hierarchy/hpa/hpa_check.h"
#include "hierarchy/mm/mm_check.h"
#include "jump/jump_check.h"
#include "open/open_check.h"
#include "hierarchy/pra/pra.h"
#include "search/search_check.h"
#include "world/world_check.h"

#if defined(CAIRN_CHECKS)

/* Damages something, sees that the check says so, and undoes it. */
#define DAMAGE(place, value, check) \
    do { \
        __typeof__(place) before_ = (place); \
        CHECK(!(check), "wrong before the damage: %s", (check)); \
        (place) = (__typeof__(place))(value); \
        CHECK((place) != before_, "this is no damage"); \
        CHECK((check) != NULL, "the damage is not seen"); \
        (place) = before_; \
        CHECK(!(check), "wrong after the damage: %s", (check)); \
    } while (0)

#define RIGHT(check) CHECK(!(check), "%s", (check))

/* ---- open lists ---- */

static crn_scratch checks_scratch(void)
{
    crn_scratch scratch = {0};
    CHECK_OK(cairn_context_create(NULL, &scratch.context));
    return scratch;
}

static void damaged_buckets_are_found_out(void **state)
{
    (void)state;
    crn_scratch scratch = checks_scratch();
    static crn_buckets list;
    crn_buckets_open(&list, &scratch);
    RIGHT(crn_buckets_check(&list));
    CHECK_OK(crn_buckets_reset(&list, 3, 1000));
    crn_buckets_begin_at(&list, 100);
    for (uint32_t i = 0; i < 500; i++) crn_buckets_push(&list, 100 + i * 7 % 900, i);
    crn_bucket *bucket = crn_buckets_find(&list, 100);
    DAMAGE(bucket->fill, 0, crn_buckets_check(&list));
    DAMAGE(bucket->block, NULL, crn_buckets_check(&list));
    DAMAGE(bucket->block->link, bucket->block, crn_buckets_check(&list));
    DAMAGE(list.bitmap[(100 >> 3 & list.mask) / 64], 0, crn_buckets_check(&list));
    DAMAGE(list.current, list.current + 1, crn_buckets_check(&list));
    DAMAGE(list.blocks.fresh, list.blocks.fresh + 1, crn_buckets_check(&list));
    uint32_t entry;
    while (crn_buckets_pop(&list, &entry) || crn_buckets_advance(&list)) {
        RIGHT(crn_buckets_check(&list));
    }
    crn_buckets_close(&list);
    cairn_context_destroy(scratch.context);
}

static void a_damaged_heap_is_found_out(void **state)
{
    (void)state;
    crn_scratch scratch = checks_scratch();
    crn_heap heap;
    crn_heap_open(&heap, &scratch);
    RIGHT(crn_heap_check(&heap));
    for (uint32_t i = 0; i < 2000; i++) crn_heap_push(&heap, i * 7919 % 1009, i % 3, i);
    DAMAGE(heap.chunks[2][5].key, 0, crn_heap_check(&heap));
    DAMAGE(heap.chunks[0][3].key, 5000, crn_heap_check(&heap));
    DAMAGE(heap.chunks[0][3].rank, UINT64_MAX, crn_heap_check(&heap));
    DAMAGE(heap.end, 3000, crn_heap_check(&heap));
    uint32_t node;
    while (crn_heap_pop(&heap, &node)) RIGHT(crn_heap_check(&heap));
    crn_heap_close(&heap);
    cairn_context_destroy(scratch.context);
}

static void damaged_chains_are_found_out(void **state)
{
    (void)state;
    crn_scratch scratch = checks_scratch();
    for (uint32_t queue = 0; queue < 2; queue++) {
        crn_chain chain;
        crn_chain_open(&chain, &scratch);
        RIGHT(crn_chain_check(&chain));
        for (uint32_t i = 0; i < 300; i++)
            (queue ? crn_chain_push_last : crn_chain_push_first)(&chain, i);
        DAMAGE(chain.fill, CRN_BLOCK_ENTRIES + 1, crn_chain_check(&chain));
        DAMAGE(chain.head->link, chain.head->link->link, crn_chain_check(&chain));
        if (queue) DAMAGE(chain.tail, chain.head, crn_chain_check(&chain));
        uint32_t entry;
        while ((queue ? crn_chain_pop_queue : crn_chain_pop_first)(&chain, &entry))
            RIGHT(crn_chain_check(&chain));
        crn_chain_close(&chain);
    }
    cairn_context_destroy(scratch.context);
}

static void a_damaged_sparse_list_is_found_out(void **state)
{
    (void)state;
    crn_scratch scratch = checks_scratch();
    static crn_sparse list;
    uint32_t value, g;
    crn_sparse_open(&list, &scratch);
    crn_sparse_reset(&list, 4, 0);
    RIGHT(crn_sparse_check(&list));
    for (uint32_t i = 0; i < 100; i++) crn_sparse_push(&list, 1000 + i % 10 * 50, i, i);
    crn_sparse_advance(&list);
    crn_sparse_pop(&list, &value, &g);
    uint32_t bucket = (uint32_t)list.current % CRN_SPARSE_BUCKETS;
    DAMAGE(list.bitmap[bucket / 64], 0, crn_sparse_check(&list));
    DAMAGE(list.heads[bucket], NULL, crn_sparse_check(&list));
    DAMAGE(list.heads[bucket]->next, list.heads[bucket], crn_sparse_check(&list));
    DAMAGE(list.free, NULL, crn_sparse_check(&list));
    while (crn_sparse_pop(&list, &value, &g) || crn_sparse_advance(&list))
        RIGHT(crn_sparse_check(&list));
    crn_sparse_close(&list);
    cairn_context_destroy(scratch.context);
}

static void a_damaged_indexed_heap_is_found_out(void **state)
{
    (void)state;
    crn_scratch scratch = checks_scratch();
    crn_indexed heap;
    crn_indexed_open(&heap, &scratch);
    CHECK_OK(crn_indexed_reset(&heap, NULL));
    RIGHT(crn_indexed_check(&heap));
    for (uint32_t i = 0; i < 100; i++) crn_indexed_push(&heap, (crn_open_entry){i, 0, i});
    DAMAGE(heap.strict.chunks[0][1].key, 3, crn_indexed_check(&heap));
    DAMAGE(heap.strict.used, 99, crn_indexed_check(&heap));
    DAMAGE(heap.members.chunks[0][7].place, 8, crn_indexed_check(&heap));
    crn_indexed_close(&heap);
    cairn_context_destroy(scratch.context);
}

/* A list with 100 entries, all in their places. */
static void *checks_list(const crn_open_functions *plug, crn_scratch *scratch)
{
    void *list = test_calloc(1, plug->size);
    crn_open_range range = {.step = 1, .first = 10};
    plug->open(list, scratch);
    CHECK_OK(plug->reset(list, &range));
    RIGHT(plug->check(list));
    for (uint32_t i = 0; i < 100; i++) plug->push(list, (crn_open_entry){10 + i * 37 % 100, 0, i});
    while (plug->work && !plug->work(list, 100)) {
    }
    RIGHT(plug->check(list));
    return list;
}

static void checks_list_end(const crn_open_functions *plug, void *list)
{
    for (uint32_t state; plug->pop(list, &state);) RIGHT(plug->check(list));
    plug->close(list);
    test_free(list);
}

static void damaged_arrays_and_lists_are_found_out(void **state)
{
    (void)state;
    crn_scratch scratch = checks_scratch();
    crn_unsorted_array *array = checks_list(&crn_open_unsorted_array, &scratch);
    DAMAGE(array->strict.chunks[0][7].state, 8, crn_unsorted_array_check(array));
    DAMAGE(array->best, array->best % 100 + 1, crn_unsorted_array_check(array));
    DAMAGE(array->members.count, 99, crn_unsorted_array_check(array));
    checks_list_end(&crn_open_unsorted_array, array);
    crn_unsorted_list *unsorted = checks_list(&crn_open_unsorted_list, &scratch);
    DAMAGE(unsorted->strict.chunks[0][7].state, 8, crn_unsorted_list_check(unsorted));
    DAMAGE(unsorted->strict.chunks[0][7].right, 7, crn_unsorted_list_check(unsorted));
    DAMAGE(unsorted->strict.chunks[0][7].left, 1, crn_unsorted_list_check(unsorted));
    DAMAGE(unsorted->chain.last, 7, crn_unsorted_list_check(unsorted));
    checks_list_end(&crn_open_unsorted_list, unsorted);
    crn_sorted_list *sorted = checks_list(&crn_open_sorted_list, &scratch);
    DAMAGE(sorted->strict.chunks[0][7].key, 0, crn_sorted_list_check(sorted));
    DAMAGE(sorted->chain.first, sorted->strict.chunks[0][sorted->chain.first].right,
           crn_sorted_list_check(sorted));
    checks_list_end(&crn_open_sorted_list, sorted);
    crn_sorted_array *row = checks_list(&crn_open_sorted_array, &scratch);
    DAMAGE(row->rows[0][50], row->rows[0][60], crn_sorted_array_check(row));
    DAMAGE(row->rows[0][50], 101, crn_sorted_array_check(row));
    DAMAGE(row->count, 99, crn_sorted_array_check(row));
    checks_list_end(&crn_open_sorted_array, row);
    cairn_context_destroy(scratch.context);
}

static void damaged_trees_and_queues_are_found_out(void **state)
{
    (void)state;
    crn_scratch scratch = checks_scratch();
    crn_skip_list *skip = checks_list(&crn_open_skip_list, &scratch);
    crn_strict_item *items = skip->strict.chunks[0];
    assert_true(skip->heads[2]);
    DAMAGE(items[skip->heads[0]].key, 1000, crn_skip_list_check(skip));
    DAMAGE(items[skip->heads[2]].left, skip->heads[0], crn_skip_list_check(skip));
    DAMAGE(skip->heads[1], items[skip->heads[1]].right, crn_skip_list_check(skip));
    checks_list_end(&crn_open_skip_list, skip);
    crn_skew_heap *heap = checks_list(&crn_open_skew_heap, &scratch);
    items = heap->strict.chunks[0];
    DAMAGE(items[heap->root].key, 1000, crn_skew_heap_check(heap));
    DAMAGE(items[heap->root].left, 0, crn_skew_heap_check(heap));
    checks_list_end(&crn_open_skew_heap, heap);
    crn_splay_tree *tree = checks_list(&crn_open_splay_tree, &scratch);
    items = tree->strict.chunks[0];
    DAMAGE(items[tree->root].key, 1000, crn_splay_tree_check(tree));
    DAMAGE(items[tree->root].right, 0, crn_splay_tree_check(tree));
    checks_list_end(&crn_open_splay_tree, tree);
    crn_hot_queue *queue = checks_list(&crn_open_hot_queue, &scratch);
    uint32_t digit = crn_lowest_bit(queue->used[1]);
    DAMAGE(queue->counts[1][digit], 3000, crn_hot_queue_check(queue));
    DAMAGE(queue->strict.chunks[0][queue->heads[1][digit]].key, 5, crn_hot_queue_check(queue));
    DAMAGE(queue->used[1], 0, crn_hot_queue_check(queue));
    DAMAGE(queue->top.strict.chunks[0][1].key, 5000, crn_hot_queue_check(queue));
    checks_list_end(&crn_open_hot_queue, queue);
    cairn_context_destroy(scratch.context);
}

/* ---- records ---- */

static void damaged_records_are_found_out(void **state)
{
    (void)state;
    crn_scratch scratch = checks_scratch();
    crn_records records;
    CHECK_OK(crn_records_open(&records, &scratch, 50, true, 0));
    for (uint32_t i = 3; i < 50; i += 7) {
        crn_page *page = crn_records_touch(&records, i);
        page->mark[i] = CRN_MARK_SEEN | CRN_MARK_CLOSED;
        page->g[i] = i;
    }
    crn_page *page = records.table[10];
    DAMAGE(page->mark[10], CRN_MARK_CLOSED, crn_records_check(&records));
    DAMAGE(page->mark[10], CRN_MARK_SEEN | CRN_MARK_OVERFLOWED, crn_records_check(&records));
    DAMAGE(page->g[10], CAIRN_NO_COST, crn_records_check(&records));
    DAMAGE(page->mark[0], CRN_MARK_MOVE, crn_records_check(&records));
    DAMAGE(records.table[11], page, crn_records_check(&records));
    DAMAGE(records.table[10], records.table[3], crn_records_check(&records));
    DAMAGE(records.touched[1], 50, crn_records_check(&records));
    crn_records_reset(&records);
    RIGHT(crn_records_check(&records));
    crn_records_close(&records);
    cairn_context_destroy(scratch.context);
}

static void damaged_jump_records_are_found_out(void **state)
{
    (void)state;
    crn_scratch scratch = checks_scratch();
    crn_jump_records records = {0};
    crn_jump_records_open(&records, &scratch);
    assert_true(crn_jump_records_reset(&records));
    RIGHT(crn_jump_records_check(&records));
    crn_jump_record *last = NULL;
    for (uint32_t i = 0; i < 20; i++) {
        bool known;
        last = crn_jump_records_at(&records, crn_jump_key(&records, i * 5), &known);
        assert_false(known);
        *last = (crn_jump_record){crn_jump_key(&records, i * 5) | (i ? CRN_E : CRN_NO_ARRIVAL), i,
                                  i ? (i - 1) * 5 : 0};
        records.count++;
    }
    DAMAGE(last->parent, 3, crn_jump_records_check(&records));
    DAMAGE(last->g, 2, crn_jump_records_check(&records));
    DAMAGE(last->key, last->key | CRN_JUMP_ARRIVAL, crn_jump_records_check(&records));
    DAMAGE(records.count, 19, crn_jump_records_check(&records));
    while (records.count < 2000) { /* the table grows, and half of it has moved */
        if (crn_jump_records_due(&records)) assert_true(crn_jump_records_tend(&records));
        if (records.moved) break;
        bool known;
        uint64_t key = crn_jump_key(&records, records.count * 5);
        last = crn_jump_records_at(&records, key, &known);
        *last = (crn_jump_record){key | CRN_E, records.count, (records.count - 1) * 5};
        records.count++;
    }
    assert_non_null(records.old);
    RIGHT(crn_jump_records_check(&records));
    DAMAGE(records.old, records.table, crn_jump_records_check(&records));
    DAMAGE(records.count, records.count + 1, crn_jump_records_check(&records));
    crn_jump_records_close(&records);
    cairn_context_destroy(scratch.context);
}

/* ---- grids and their spaces ---- */

static crn_grid_space *checks_map(const kit *k)
{
    return (crn_grid_space *)(void *)k->space;
}

static void checks_edit(kit *k, scene_rng *rng, uint32_t count)
{
    uint32_t width = cairn_grid_width(k->grid), height = cairn_grid_height(k->grid);
    for (uint32_t i = 0; i < count; i++) {
        int32_t x = (int32_t)scene_random(rng, width), y = (int32_t)scene_random(rng, height);
        CHECK_OK(cairn_grid_set_open(k->grid, x, y, !cairn_grid_is_open(k->grid, x, y)));
    }
    CHECK_OK(cairn_grid_commit(k->grid));
}

static kit checks_kit(uint32_t width, uint32_t height, uint32_t percent, uint64_t seed)
{
    kit k = {0};
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(random_grid(k.context, width, height, percent, seed, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    return k;
}

static void a_damaged_grid_is_found_out(void **state)
{
    (void)state;
    scene_rng rng = {5};
    kit k = checks_kit(70, 40, 30, 3);
    checks_edit(&k, &rng, 9);
    cairn_grid *grid = k.grid;
    crn_commit *commit = &grid->commits[grid->version % CRN_COMMITS_KEPT];
    DAMAGE(grid->class_count[0], 7, crn_grid_check(grid));
    DAMAGE(grid->open.rows[0], 1, crn_grid_check(grid));
    DAMAGE(commit->changes[0].after.open, !commit->changes[0].after.open, crn_grid_check(grid));
    DAMAGE(commit->changes[1].node, 0, crn_grid_check(grid));
    DAMAGE(commit->version, commit->version + 1, crn_grid_check(grid));
    DAMAGE(commit->tiles[0], 0, crn_grid_check(grid));
    kit_close(&k);
}

static void a_damaged_space_is_found_out(void **state)
{
    (void)state;
    scene_rng rng = {6};
    kit k = checks_kit(150, 70, 42, 4);
    crn_grid_space *map = checks_map(&k);
    CHECK_OK(crn_grid_space_keep_runs(map));
    for (uint32_t round = 0; round < 20; round++) {
        RIGHT(crn_grid_check(k.grid));
        RIGHT(crn_grid_space_check(map));
        checks_edit(&k, &rng, 1 + round * 3);
    }
    uint8_t *byte = &map->usable.rows[20 * map->usable.stride + 3];
    DAMAGE(*byte, *byte ^ 8, crn_grid_space_check(map));
    crn_component_tile *tile = &map->components.tiles[0];
    DAMAGE(tile->components[5], tile->components[5] ^ 1,
           crn_components_check(&map->components, map));
    crn_component_level *level = &map->components.levels[0];
    assert_true(level->open[0] > 2);
    DAMAGE(level->up[0], level->up[1] + 1, crn_components_check(&map->components, map));
    for (uint32_t d = 0; d < 4; d++) {
        uint8_t *run = &map->runs->pass[d].rows[20 * map->runs->pass[d].stride + 3];
        DAMAGE(*run, *run ^ 4, crn_runs_check(map->runs, &map->usable));
    }
    DAMAGE(map->runs->cells, 7, crn_runs_check(map->runs, &map->usable));
    kit_close(&k);
}

/* A graph with a closed edge and a disabled node. */
static kit checks_graph(void)
{
    kit k = {0};
    graph_scene *s = graph_scene_at(4);
    CHECK_OK(cairn_context_create(NULL, &k.context));
    CHECK_OK(graph_scene_graph(s, k.context, &k.graph));
    CHECK_OK(cairn_space_of_graph(k.graph, &k.space, NULL));
    const cairn_graph_edge *edge = &s->edges[0];
    CHECK_OK(cairn_graph_set_edge_open(k.graph, edge->from, edge->to, false));
    CHECK_OK(cairn_graph_set_node_open(k.graph, 7, false));
    CHECK_OK(cairn_graph_commit(k.graph));
    graph_scene_destroy(s);
    return k;
}

static void a_damaged_graph_is_found_out(void **state)
{
    (void)state;
    kit k = checks_graph();
    cairn_graph *graph = k.graph;
    crn_graph_space *space = graph->spaces;
    crn_graph_commit *commit = &graph->commits[graph->version % CRN_COMMITS_KEPT];
    cairn_node node = 0;
    while (graph->offsets[node + 1] < 2) node++;
    RIGHT(crn_graph_space_check(space));
    DAMAGE(graph->offsets[graph->node_count], 1, crn_graph_check(graph));
    DAMAGE(graph->offsets[node + 1], graph->edge_count + 1, crn_graph_check(graph));
    DAMAGE(graph->edges[0].node, graph->node_count, crn_graph_check(graph));
    DAMAGE(graph->edges[0].node, 7, crn_graph_check(graph));
    DAMAGE(graph->edges[0].cost, graph->max_weight + 1, crn_graph_check(graph));
    DAMAGE(graph->stock.edges[0].closed, !graph->stock.edges[0].closed, crn_graph_check(graph));
    DAMAGE(graph->disabled[7], 0, crn_graph_check(graph));
    DAMAGE(commit->version, commit->version + 1, crn_graph_check(graph));
    DAMAGE(commit->nodes[1], commit->nodes[0], crn_graph_check(graph));
    DAMAGE(space->component[graph->edges[0].node], 99, crn_graph_space_check(space));
    DAMAGE(space->component[7], 1, crn_graph_space_check(space));
    DAMAGE(space->back.edge_count, 1, crn_graph_space_check(space));
    kit_close(&k);
}

static void damaged_links_are_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(60, 60, 0, 1);
    for (int32_t i = 0; i < 60; i++) CHECK_OK(cairn_grid_set_open(k.grid, 30, i, false));
    for (uint32_t i = 0; i < 5; i++) {
        cairn_link link = {
            .from = i * 60 + 3, .to = i * 60 + 40 + i, .cost = 256 * (i + 1), .id = i};
        CHECK_OK(cairn_grid_add_link(k.grid, &link));
    }
    CHECK_OK(cairn_grid_commit(k.grid));
    crn_grid_space *map = checks_map(&k);
    crn_links *links = &map->links;
    assert_int_equal(links->count, 5);
    assert_int_equal(links->joint_count, 2);
    DAMAGE(links->links[2].to, 30, crn_links_check(links, map));
    DAMAGE(links->links[2].from, 2, crn_links_check(links, map));
    DAMAGE(links->links[2].cost, CAIRN_COST_MAX, crn_links_check(links, map));
    DAMAGE(links->links[2].target, 0, crn_links_check(links, map));
    DAMAGE(links->targets[2], 0, crn_links_check(links, map));
    DAMAGE(links->joints[0].root, 99, crn_links_check(links, map));
    DAMAGE(links->shortcuts[0], 5, crn_links_check(links, map));
    DAMAGE(k.grid->links[1].from, 0, crn_grid_check(k.grid));
    kit_close(&k);
}

/* ---- indexes ---- */

static void a_damaged_jump_table_is_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(90, 50, 20, 8);
    crn_grid_space *map = checks_map(&k);
    CHECK_OK(crn_grid_space_keep_runs(map));
    crn_jump_table table = {0};
    crn_jump_boxes boxes = {0};
    CHECK_OK(crn_jump_table_build(&table, map, NULL, NULL));
    CHECK_OK(crn_jump_boxes_build(&boxes, map, NULL, NULL));
    for (uint32_t i = 0, done = 0; done < 20; i++) {
        uint32_t *cell = &table.owned[i * 37];
        if (*cell == CRN_JUMP_BLOCKED) continue;
        DAMAGE(*cell, *cell + 1, crn_jump_table_check(&table, map)); /* north: one too far */
        DAMAGE(*cell, *cell ^ CRN_JUMP_POINT << 8, crn_jump_table_check(&table, map));
        done++;
    }
    for (uint32_t d = 0; d < 4; d++) {
        uint8_t *bits = &table.passed[d].rows[9 * table.passed[d].stride + 5];
        DAMAGE(*bits, *bits ^ 1, crn_jump_table_check(&table, map));
    }
    assert_true(boxes.count > 10);
    for (uint32_t d = 0, done = 0; done < 3; d++) {
        crn_jump_box *box = &boxes.owned[d];
        if (box->left > box->right) continue;
        DAMAGE(box->right, 89 + 1, crn_jump_boxes_check(&boxes, map));
        done++;
    }
    DAMAGE(boxes.points[3].before, boxes.points[3].before + 1, crn_jump_boxes_check(&boxes, map));
    DAMAGE(boxes.points[0].bits, boxes.points[0].bits ^ 2, crn_jump_boxes_check(&boxes, map));
    DAMAGE(boxes.steps.diagonal, 1, crn_jump_boxes_check(&boxes, map));
    crn_jump_table_drop(&table, k.context);
    crn_jump_boxes_drop(&boxes, k.context);
    kit_close(&k);
}

static void damaged_landmarks_are_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(60, 60, 20, 9);
    crn_landmarks landmarks = {0};
    crn_landmarks_plan plan = {3, CRN_LANDMARKS_FARTHEST};
    CHECK_OK(crn_landmarks_build(&landmarks, k.space, plan, NULL, NULL));
    for (cairn_node node = 0; node < 3600; node += 400) {
        cairn_cost *distance = &landmarks.owned[node * 3 + 1];
        if (*distance == CRN_LANDMARK_FAR || !cairn_space_usable(k.space, node)) continue;
        uint32_t more = 3 * k.space->max_edge;
        DAMAGE(*distance, *distance + more, crn_landmarks_check(&landmarks, k.space, true));
        RIGHT(crn_landmarks_check(&landmarks, k.space, false));
    }
    cairn_node first = landmarks.nodes[0];
    DAMAGE(landmarks.owned[first * 3], 1, crn_landmarks_check(&landmarks, k.space, true));
    DAMAGE(landmarks.nodes[0], 3600, crn_landmarks_check(&landmarks, k.space, false));
    DAMAGE(landmarks.node_count, 9, crn_landmarks_check(&landmarks, k.space, false));
    crn_landmarks_drop(&landmarks, k.context);
    kit_close(&k);
}

static void a_damaged_cluster_table_is_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(60, 60, 20, 10);
    crn_cluster_table table = {0};
    CHECK_OK(crn_cluster_table_build(&table, k.space, &(crn_cluster_plan){.size = 10}, NULL, NULL));
    cairn_node node = 0;
    while (!cairn_space_usable(k.space, node)) node++;
    DAMAGE(table.owned_clusters[node], CRN_NO_CLUSTER,
           crn_cluster_table_check(&table, k.space, false));
    DAMAGE(table.owned_costs[table.count + 1], 1, crn_cluster_table_check(&table, k.space, true));
    uint32_t seen = 0;
    for (uint32_t i = 0; i < table.count * table.count && seen < 20; i++) {
        cairn_cost *cost = &table.owned_costs[i]; /* from a cluster to one beside it */
        if (!*cost || *cost > k.space->max_edge) continue;
        DAMAGE(*cost, *cost + 2 * k.space->max_edge,
               crn_cluster_table_check(&table, k.space, true));
        seen++;
    }
    assert_true(seen > 0);
    crn_cluster_table_drop(&table, k.context);
    kit_close(&k);
}

static void damaged_gates_are_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(60, 60, 20, 10);
    crn_gateway gateway = {0};
    CHECK_OK(crn_gateway_build(&gateway, k.space, (crn_gateway_plan){2, 64}, NULL, NULL));
    cairn_cost *costs = (cairn_cost *)(uintptr_t)gateway.costs;
    crn_gateway_door *doors = (crn_gateway_door *)(uintptr_t)gateway.doors;
    assert_true(gateway.gate_count > 1);
    DAMAGE(gateway.node_count, 9, crn_gateway_check(&gateway, k.space, false));
    DAMAGE(costs[gateway.gate_count + 1], 1, crn_gateway_check(&gateway, k.space, true));
    DAMAGE(doors[0].right, 0, crn_gateway_check(&gateway, k.space, true));
    crn_gateway_drop(&gateway, k.context);
    kit_close(&k);
}

static void damaged_cliques_are_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(50, 40, 25, 11);
    crn_cliques *cliques = crn_cliques_create(k.space, true, false);
    CHECK_OK(crn_cliques_build(cliques, NULL));
    assert_true(cliques->top > 3);
    cairn_node node = 0;
    while (cliques->levels[0].parents[node] == CAIRN_NO_NODE) node++;
    crn_clique_level *ground = &cliques->levels[0], *first = &cliques->levels[1];
    DAMAGE(ground->parents[node], ground->parents[node] + 1, crn_cliques_check(cliques));
    DAMAGE(ground->parents[node], CAIRN_NO_NODE, crn_cliques_check(cliques));
    DAMAGE(first->packs[0].mask, 1u << CRN_PACK_LEFT, crn_cliques_check(cliques));
    DAMAGE(first->packs[0].child, first->packs[1].child, crn_cliques_check(cliques));
    DAMAGE(first->packs[3].beside, 0, crn_cliques_check(cliques));
    DAMAGE(first->packs[3].beside, first->packs[3].beside | CRN_PACK_NOTED,
           crn_cliques_check(cliques));
    DAMAGE(first->edge_count, 3, crn_cliques_check(cliques));
    DAMAGE(first->classes[1], first->classes[1] + 1, crn_cliques_check(cliques));
    crn_clique_level *second = &cliques->levels[2];
    cairn_edge *edge = &second->graph.edges[second->graph.nodes[3].first];
    DAMAGE(second->cliques[0].cells, 99, crn_cliques_check(cliques));
    DAMAGE(second->cliques[0].child, second->cliques[1].child, crn_cliques_check(cliques));
    DAMAGE(edge->cost, edge->cost + 1, crn_cliques_check(cliques));
    DAMAGE(edge->node, (cairn_node)second->graph.node_count - 1, crn_cliques_check(cliques));
    DAMAGE(second->graph.nodes[3].count, 0, crn_cliques_check(cliques));
    DAMAGE(second->edge_count, 3, crn_cliques_check(cliques));
    DAMAGE(cliques->levels[cliques->top].parents[0], 0, crn_cliques_check(cliques));
    crn_cliques_destroy(cliques);
    kit_close(&k);
}

static void damaged_doors_and_ledges_are_found_out(void **state)
{
    (void)state;
    scene *s = scene_noise("noise", 40, 30, 15, 3);
    scene_add_cliffs(s, 4);
    scene_add_links(s, 12, 100, 3000, false, 5);
    kit k = kit_of_scene(s, &s->profile);
    crn_cliques *cliques = crn_cliques_create(k.space, true, false);
    CHECK_OK(crn_cliques_build(cliques, NULL));
    assert_null(crn_cliques_check(cliques));
    crn_clique_level *level = &cliques->levels[2];
    crn_clique_doors *doors = &level->doors;
    assert_true(doors->count > 3);
    DAMAGE(doors->count, doors->count - 1, crn_cliques_check(cliques));
    DAMAGE(doors->items[1].to, doors->items[1].to + 1, crn_cliques_check(cliques));
    DAMAGE(doors->items[1].cost, doors->items[1].cost + 1, crn_cliques_check(cliques));
    DAMAGE(doors->items[0].from, doors->items[doors->count - 1].from, crn_cliques_check(cliques));
    cairn_node node = 0;
    while (!level->ledges.lists[node].count) node++;
    cairn_edge *ledge = (cairn_edge *)level->ledges.pool.items + level->ledges.lists[node].first;
    DAMAGE(ledge->cost, ledge->cost ^ (CRN_LEDGE_THERE | CRN_LEDGE_BACK),
           crn_cliques_check(cliques));
    DAMAGE(ledge->node, node, crn_cliques_check(cliques));
    DAMAGE(level->ledges.lists[node].count, 0, crn_cliques_check(cliques));
    crn_cliques_destroy(cliques);
    kit_end(&k, s);
}

static const crn_hpa_options checks_options = {
    .size = 10, .threshold = 6, .levels = 1, .growth = 2, .rule = CRN_ENTRANCES_SINGLE};

static void a_damaged_graph_of_clusters_is_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(60, 60, 15, 12);
    crn_hpa_options options = checks_options;
    options.levels = 2;
    crn_hpa hpa = {0};
    CHECK_OK(crn_hpa_build(&hpa, checks_map(&k), &options, NULL, NULL));
    uint32_t count;
    cairn_node node = crn_hpa_members(&hpa, 8, &count)->node;
    crn_abstract_node *place = &hpa.abstract.nodes[node];
    assert_true(count > 1 && place->count > 1);
    cairn_edge *edge = &hpa.abstract.edges[place->first];
    crn_hpa_member *member = (crn_hpa_member *)(uintptr_t)crn_lists_items(&hpa.members, 8);
    DAMAGE(edge->cost, 1, crn_hpa_check(&hpa, true));
    DAMAGE(edge->cost, edge->cost * 20, crn_hpa_check(&hpa, true));
    DAMAGE(edge->node, node, crn_hpa_check(&hpa, true));
    DAMAGE(edge->node, 1u << 30, crn_hpa_check(&hpa, false));
    DAMAGE(member->cell, member->cell + 1, crn_hpa_check(&hpa, false));
    DAMAGE(member->node, member[1].node, crn_hpa_check(&hpa, false));
    DAMAGE(hpa.groups[node], 3, crn_hpa_check(&hpa, false));
    DAMAGE(hpa.costliest[8], 1, crn_hpa_check(&hpa, false));
    DAMAGE(hpa.costliest[hpa.cluster_count + 8], 1, crn_hpa_check(&hpa, false));
    DAMAGE(hpa.members.lists[8].count, count - 1, crn_hpa_check(&hpa, false));
    DAMAGE(place->x, place->x + CRN_ABSTRACT_UNITS, crn_hpa_check(&hpa, false));
    DAMAGE(place->count, 0, crn_hpa_check(&hpa, false));
    DAMAGE(hpa.abstract.pool.vacant[2], 1, crn_hpa_check(&hpa, false));
    crn_hpa_drop(&hpa);
    kit_close(&k);
}

static void damaged_routes_are_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(60, 60, 10, 13);
    crn_dhpa dhpa = {0};
    CHECK_OK(crn_dhpa_build(&dhpa, checks_map(&k), &checks_options, NULL, NULL));
    crn_routes *routes = dhpa.routes[7];
    DAMAGE(dhpa.costliest, 1, crn_dhpa_check(&dhpa, true));
    DAMAGE(dhpa.route_bytes, 1, crn_dhpa_check(&dhpa, true));
    DAMAGE(dhpa.routes[7], NULL, crn_dhpa_check(&dhpa, true));
    DAMAGE(routes->size, routes->size - 8, crn_dhpa_check(&dhpa, true));
    DAMAGE(routes->nodes, routes->nodes + 1, crn_dhpa_check(&dhpa, true));
    DAMAGE(routes->width, routes->width - 1, crn_dhpa_check(&dhpa, true));
    DAMAGE(routes->records, routes->records + 1, crn_dhpa_check(&dhpa, true));
    DAMAGE(routes->height, routes->height ? 0 : routes->width, crn_dhpa_check(&dhpa, true));
    DAMAGE(routes->pockets, UINT16_MAX, crn_dhpa_check(&dhpa, true));
    DAMAGE(routes->answer_bits, routes->answer_bits - 1, crn_dhpa_check(&dhpa, true));
    DAMAGE(routes->zone_bits, routes->zone_bits - 1, crn_dhpa_check(&dhpa, true));
    crn_dhpa_drop(&dhpa);
    kit_close(&k);
}

static void damaged_sectors_are_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(64, 64, 20, 14);
    crn_grid_space *map = checks_map(&k);
    crn_mm mm = {.side = 8, .level_count = 2};
    CHECK_OK(crn_mm_build(&mm, map, NULL, NULL));
    crn_mm_level *level = &mm.levels[0];
    uint8_t *sector = level->bytes.owned + level->begin[9], *centre = sector + crn_mm_head(level);
    crn_mm_sector packed = crn_mm_sector_at(level, 9);
    uint8_t *edge = (uint8_t *)(uintptr_t)packed.edges;
    DAMAGE(sector[0], sector[0] + 1, crn_mm_check(&mm, map, false));
    uint32_t blocked = 0;
    while (crn_bit(&map->usable, 8 + (int32_t)blocked % 8, 8 + (int32_t)blocked / 8)) blocked++;
    assert_true(blocked < 64);
    DAMAGE(*centre, blocked, crn_mm_check(&mm, map, false));
    DAMAGE(*edge, 7u << 5 | 30, crn_mm_check(&mm, map, false));
    DAMAGE(*edge, *edge ^ 1u << 5, crn_mm_check(&mm, map, true));
    DAMAGE(level->first[10], level->first[10] + 1, crn_mm_check(&mm, map, false));
    DAMAGE(level->begin[10], level->begin[10] - 1, crn_mm_check(&mm, map, false));
    crn_mm_drop(&mm, k.context);
    kit_close(&k);
}

static void damaged_paths_between_centres_are_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(64, 64, 20, 14);
    crn_grid_space *map = checks_map(&k);
    crn_mm mm = {.side = 8, .level_count = 1, .stored = true};
    CHECK_OK(crn_mm_build(&mm, map, NULL, NULL));
    cairn_cost *costs = (cairn_cost *)(void *)mm.paths.costs.owned, *most = mm.paths.most;
    uint8_t *bytes = mm.paths.bytes.owned;
    crn_mm_region_paths *regions = (crn_mm_region_paths *)(void *)mm.paths.regions.owned;
    DAMAGE(costs[7], costs[7] + 1, crn_mm_check(&mm, map, true));
    DAMAGE(bytes[1], bytes[1] ^ 1u << 5, crn_mm_check(&mm, map, true));
    DAMAGE(bytes[1], bytes[1] ^ 1u, crn_mm_check(&mm, map, true));
    DAMAGE(most[1], most[1] - 1, crn_mm_check(&mm, map, true));
    uint32_t region = 0; /* one with edges of different costs */
    while (regions[region + 1].edge < regions[region].edge + 2 ||
           costs[regions[region].edge] == costs[regions[region].edge + 1])
        region++;
    DAMAGE(regions[region].edge, regions[region].edge + 1, crn_mm_check(&mm, map, true));
    crn_mm_drop(&mm, k.context);
    kit_close(&k);
}

static void damaged_stars_are_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(50, 50, 20, 15);
    crn_stars stars = {0};
    CHECK_OK(crn_stars_build(&stars, k.space, (crn_stars_options){3, 2}, NULL, NULL));
    assert_true(stars.count > 1);
    for (uint32_t i = 0; i < 2; i++) {
        crn_stars_level *level = &stars.levels[i];
        cairn_node node = 0;
        while (level->groups[node] == CAIRN_NO_NODE) node++;
        cairn_edge *edge = &level->abstract.edges[level->abstract.nodes[4].first];
        DAMAGE(level->groups[node], 1u << 30, crn_stars_check(&stars, k.space, false));
        DAMAGE(level->groups[node], (uint32_t)level->abstract.node_count - 1,
               crn_stars_check(&stars, k.space, true));
        DAMAGE(edge->cost, 1, crn_stars_check(&stars, k.space, true));
        DAMAGE(edge->cost, edge->cost + 1, crn_stars_check(&stars, k.space, true));
        DAMAGE(edge->node, 4, crn_stars_check(&stars, k.space, true));
        DAMAGE(level->below, 3, crn_stars_check(&stars, k.space, false));
    }
    crn_stars_drop(&stars, k.context);
    kit_close(&k);
}

/* ---- the path under construction ---- */

static void a_damaged_path_is_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(20, 20, 0, 1);
    kit_plan(&k, "astar");
    crn_builder builder = {0};
    crn_builder_open(&builder, k.search);
    CHECK_OK(crn_builder_begin(&builder, 21));
    for (uint32_t i = 0; i < 10; i++)
        CHECK_OK(crn_builder_step(&builder, crn_builder_end(&builder) + (i % 3 ? 1 : 21)));
    DAMAGE(builder.nodes[5], builder.nodes[5] + 3, crn_builder_check(&builder, k.space, 99));
    DAMAGE(builder.costs[5], builder.costs[5] + 1, crn_builder_check(&builder, k.space, 99));
    DAMAGE(builder.costs[10], 0, crn_builder_check(&builder, k.space, 1));
    DAMAGE(builder.count, 0, crn_builder_check(&builder, k.space, 99));
    crn_builder_close(&builder);
    kit_close(&k);
}

static void a_damaged_path_of_an_agent_is_found_out(void **state)
{
    (void)state;
    kit k = checks_kit(20, 20, 0, 1);
    cairn_node nodes[] = {21, 22, 300, 301};
    cairn_path_link links[] = {{0, 1}, {1, 7}};
    cairn_path path = {.nodes = nodes, .count = 4, .links = links, .link_count = 2};
    crn_track track = {0};
    CHECK_OK(crn_track_copy(&track, k.context, &path));
    assert_null(crn_track_check(&track, k.space));
    DAMAGE(track.size, track.size - 1, crn_track_check(&track, k.space));
    DAMAGE(track.size, track.capacity + 1, crn_track_check(&track, k.space));
    DAMAGE(track.count, 3, crn_track_check(&track, k.space));
    DAMAGE(track.bytes[track.size - 1], 128, crn_track_check(&track, k.space));
    DAMAGE(track.bytes[0], 43, crn_track_check(&track, k.space));
    DAMAGE(track.links[1].at, 0, crn_track_check(&track, k.space));
    DAMAGE(track.links[1].at, 3, crn_track_check(&track, k.space));
    DAMAGE(track.link_count, track.link_capacity + 1, crn_track_check(&track, k.space));
    crn_track_free(&track, k.context);
    kit_close(&k);
}

/* ---- no false alarm ---- */

/* Every index on worlds of several kinds is right after its build, after edits and their repairs,
 * and after loading: also whole, since what was saved was right. */
static void checks_of_planner(kit *k, const char *spec, scene_rng *rng)
{
    cairn_planner *planner;
    cairn_status status = cairn_planner_create(k->space, spec, &planner, NULL);
    if (status == CAIRN_UNSUPPORTED) return;
    CHECK_OK(status);
    const crn_index_functions *index = planner->algorithm->index;
    CHECK(index->check, "%s has no check of its index", spec);
    CHECK_OK(cairn_planner_build(planner, NULL, NULL));
    for (uint32_t round = 0; round < 4; round++) {
        CHECK(!index->check(planner, true), "%s: %s", spec, index->check(planner, true));
        checks_edit(k, rng, 1 + 4 * round);
        CHECK_OK(cairn_planner_sync(planner, NULL, NULL));
    }
    cairn_planner_destroy(planner);
}

static void right_indexes_raise_no_alarm(void **state)
{
    (void)state;
    static const cairn_generator_kind worlds[] = {CAIRN_GENERATE_RANDOM, CAIRN_GENERATE_MAZE,
                                                  CAIRN_GENERATE_CAVES};
    scene_rng rng = {77};
    for (uint32_t w = 0; w < LENGTH(worlds); w++) {
        for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
            const cairn_algorithm *info = cairn_algorithm_at(i);
            if (!(info->flags & CAIRN_NEEDS_INDEX)) continue;
            kit k = {0};
            CHECK_OK(cairn_context_create(NULL, &k.context));
            cairn_generator world = cairn_generator_default(worlds[w]);
            world.width = 70, world.height = 60;
            CHECK_OK(cairn_generate(k.context, &world, &k.grid, NULL));
            CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
            checks_of_planner(&k, info->name, &rng);
            kit_close(&k);
        }
    }
}

typedef struct checks_file {
    uint8_t *data;
    size_t size;
} checks_file;

static cairn_status checks_write(void *user, const void *data, size_t size)
{
    checks_file *file = user;
    file->data = realloc(file->data, file->size + size);
    if (!file->data) abort();
    memcpy(file->data + file->size, data, size);
    file->size += size;
    return CAIRN_OK;
}

static void loaded_indexes_raise_no_alarm(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *info = cairn_algorithm_at(i);
        if (!(info->flags & CAIRN_NEEDS_INDEX)) continue;
        kit k = checks_kit(60, 50, 25, 21);
        CHECK_OK(planner_ready(k.space, info->name, &k.planner, NULL));
        checks_file file = {0};
        cairn_store *store;
        cairn_archive *archive;
        CHECK_OK(cairn_store_create(k.context, &store));
        CHECK_OK(cairn_planner_save(k.planner, store, NULL));
        CHECK_OK(cairn_store_write(store, &(cairn_writer){checks_write, &file}));
        cairn_store_destroy(store);
        CHECK_OK(
            cairn_archive_open(k.context, (cairn_bytes){file.data, file.size}, 0, &archive, NULL));
        CHECK_OK(cairn_planner_load(k.planner, archive, false, NULL));
        const char *wrong = k.planner->algorithm->index->check(k.planner, true);
        CHECK(!wrong, "%s: %s", info->name, wrong);
        cairn_archive_close(archive);
        free(file.data);
        kit_close(&k);
    }
}

/* ---- the alarm ---- */

typedef struct checks_alarm {
    uint32_t count;
    char text[200];
} checks_alarm;

static void checks_ring(void *user, const char *file, int line, const char *text)
{
    checks_alarm *alarm = user;
    alarm->count++;
    snprintf(alarm->text, sizeof alarm->text, "%s:%d: %s", file, line, text);
}

/* A mistake of the library becomes an alarm with the next commit, and at the end of a repair. */
static void damage_rings_the_alarm(void **state)
{
    (void)state;
    checks_alarm alarm = {0};
    cairn_context_options options = cairn_context_defaults();
    options.fail = checks_ring;
    options.fail_user = &alarm;
    kit k = {0};
    CHECK_OK(cairn_context_create(&options, &k.context));
    CHECK_OK(random_grid(k.context, 15, 15, 0, 1, &k.grid));
    CHECK_OK(cairn_space_of_grid(k.grid, NULL, &k.space, NULL));
    CHECK_OK(planner_ready(k.space, "pra", &k.planner, NULL));
    crn_cliques *cliques = ((crn_pra_index *)k.planner->index)->cliques;
    cliques->levels[2].cliques[10].cells += 1;
    CHECK_OK(cairn_grid_set_open(k.grid, 1, 1, false));
    CHECK_OK(cairn_grid_commit(k.grid));
    assert_int_equal(alarm.count, 0);
    CHECK_OK(cairn_planner_sync(k.planner, NULL, NULL));
    assert_int_equal(alarm.count, 1);
    CHECK(strstr(alarm.text, "index.c:"), "%s", alarm.text);
    k.grid->class_count[0]++;
    CHECK_OK(cairn_grid_set_open(k.grid, 2, 2, false));
    CHECK_OK(cairn_grid_commit(k.grid));
    assert_int_equal(alarm.count, 2);
    CHECK(strstr(alarm.text, "world_check.c:"), "%s", alarm.text);
    kit_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_buckets_are_found_out),
        cmocka_unit_test(a_damaged_heap_is_found_out),
        cmocka_unit_test(damaged_chains_are_found_out),
        cmocka_unit_test(a_damaged_sparse_list_is_found_out),
        cmocka_unit_test(a_damaged_indexed_heap_is_found_out),
        cmocka_unit_test(damaged_arrays_and_lists_are_found_out),
        cmocka_unit_test(damaged_trees_and_queues_are_found_out),
        cmocka_unit_test(damaged_records_are_found_out),
        cmocka_unit_test(damaged_jump_records_are_found_out),
        cmocka_unit_test(a_damaged_grid_is_found_out),
        cmocka_unit_test(a_damaged_space_is_found_out),
        cmocka_unit_test(a_damaged_graph_is_found_out),
        cmocka_unit_test(damaged_links_are_found_out),
        cmocka_unit_test(a_damaged_jump_table_is_found_out),
        cmocka_unit_test(damaged_landmarks_are_found_out),
        cmocka_unit_test(a_damaged_cluster_table_is_found_out),
        cmocka_unit_test(damaged_gates_are_found_out),
        cmocka_unit_test(damaged_cliques_are_found_out),
        cmocka_unit_test(damaged_doors_and_ledges_are_found_out),
        cmocka_unit_test(a_damaged_graph_of_clusters_is_found_out),
        cmocka_unit_test(damaged_routes_are_found_out),
        cmocka_unit_test(damaged_sectors_are_found_out),
        cmocka_unit_test(damaged_paths_between_centres_are_found_out),
        cmocka_unit_test(damaged_stars_are_found_out),
        cmocka_unit_test(a_damaged_path_of_an_agent_is_found_out),
        cmocka_unit_test(a_damaged_path_is_found_out),
        cmocka_unit_test(right_indexes_raise_no_alarm),
        cmocka_unit_test(loaded_indexes_raise_no_alarm),
        cmocka_unit_test(damage_rings_the_alarm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void a_library_without_checks_has_none(void **state)
{
    (void)state;
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_library_without_checks_has_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
