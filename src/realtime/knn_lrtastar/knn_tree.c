/* knn_tree.c: the most similar records: the tree, and the look-up in it. See knn_index.h. */
#include "realtime/knn_lrtastar/knn_index.h"

enum { KNN_TREE_COORDINATES = 4 };

static uint32_t knn_tree_coordinate(const crn_grid_space *map, const crn_knn_record *record,
                                    uint32_t depth)
{
    cairn_node node = depth & 2 ? record->goal : record->start;
    uint32_t width = map->grid->width;
    return depth & 1 ? node / width : node % width;
}

uint64_t crn_knn_distance(const crn_knn *index, const crn_grid_space *map, uint32_t record,
                          const cairn_cell problem[2])
{
    crn_knn_record r = crn_knn_at(index, record);
    uint64_t starts = crn_climb_distance(map, problem[0], cairn_grid_cell(map->grid, r.start));
    uint64_t goals = crn_climb_distance(map, cairn_grid_cell(map->grid, r.goal), problem[1]);
    return starts > goals ? starts : goals;
}

/* ---- look-up ---- */

void crn_knn_look_begin(const crn_knn *index, crn_knn_look *look)
{
    look->count = 0;
    look->part_count = 1;
    look->parts[0] = (crn_knn_part){0, crn_knn_count(index), 0, 0};
}

static void knn_tree_keep(crn_knn_look *look, uint64_t distance, uint32_t record)
{
    uint32_t at = look->count;
    for (; at; at--) {
        const crn_knn_near *before = &look->near[at - 1];
        if (before->distance < distance ||
            (before->distance == distance && before->record < record))
            break;
        if (at < look->k) look->near[at] = *before;
    }
    if (at == look->k) return;
    look->near[at] = (crn_knn_near){distance, record};
    if (look->count < look->k) look->count++;
}

/* Pushes the two parts beside a root, the one with the problem in it last. */
static void knn_tree_divide(const crn_grid_space *map, crn_knn_look *look, const crn_knn_part *part,
                            const crn_knn_record *root)
{
    const cairn_cell *end = &look->problem[part->depth >> 1 & 1];
    uint32_t middle = part->first + (part->end - part->first) / 2;
    uint32_t wanted = (uint32_t)(part->depth & 1 ? end->y : end->x),
             split = knn_tree_coordinate(map, root, part->depth);
    uint32_t depth = (part->depth + 1) % KNN_TREE_COORDINATES;
    bool before = wanted <= split;
    uint32_t gap = before ? split - wanted : wanted - split;
    crn_knn_part low = {part->first, middle, part->beyond, depth},
                 high = {middle + 1, part->end, part->beyond, depth};
    crn_knn_part *far = before ? &high : &low, *near = before ? &low : &high;
    far->beyond = crn_max_u32(far->beyond, gap);
    if (far->first < far->end) look->parts[look->part_count++] = *far;
    if (near->first < near->end) look->parts[look->part_count++] = *near;
}

bool crn_knn_look_on(const crn_knn *index, const crn_grid_space *map, crn_knn_look *look,
                     uint32_t records)
{
    uint64_t cell = map->base.scale.straight;
    while (look->part_count && records) {
        crn_knn_part part = look->parts[--look->part_count];
        if (part.first == part.end) continue;
        if (look->count == look->k && part.beyond * cell > look->near[look->k - 1].distance)
            continue;
        uint32_t middle = part.first + (part.end - part.first) / 2;
        crn_knn_record root = crn_knn_at(index, middle);
        knn_tree_keep(look, crn_knn_distance(index, map, middle, look->problem), middle);
        knn_tree_divide(map, look, &part, &root);
        records--;
    }
    return !look->part_count;
}

/* ---- order ---- */

typedef struct knn_tree_item {
    uint32_t key, number; /* a coordinate; which record it was */
} knn_tree_item;

typedef struct knn_tree_job {
    const crn_knn *index;
    const crn_grid_space *map;
    knn_tree_item *items;
} knn_tree_job;

static bool knn_tree_before(const void *a, const void *b)
{
    const knn_tree_item *x = a, *y = b;
    return x->key != y->key ? x->key < y->key : x->number < y->number;
}

static void knn_tree_sort(const knn_tree_job *job, uint32_t first, uint32_t end, uint32_t depth)
{
    while (end - first > 1) {
        for (uint32_t i = first; i < end; i++) {
            crn_knn_record record = crn_knn_at(job->index, job->items[i].number);
            job->items[i].key = knn_tree_coordinate(job->map, &record, depth);
        }
        crn_sort(job->items + first, end - first, sizeof *job->items, knn_tree_before);
        uint32_t middle = first + (end - first) / 2;
        depth = (depth + 1) % KNN_TREE_COORDINATES;
        knn_tree_sort(job, first, middle, depth);
        first = middle + 1;
    }
}

bool crn_knn_order(crn_knn *index, const crn_grid_space *map)
{
    cairn_context *context = map->base.context;
    uint32_t count = crn_knn_count(index);
    size_t size = crn_mul_size(count, sizeof(knn_tree_item));
    knn_tree_job job = {index, map, crn_alloc(context, size)};
    crn_knn ordered = {.wanted = index->wanted, .cutoff = index->cutoff, .seed = index->seed};
    bool ok = job.items || !size;
    for (uint32_t i = 0; i < count && ok; i++) job.items[i] = (knn_tree_item){0, i};
    if (ok) knn_tree_sort(&job, 0, count, 0);
    for (uint32_t i = 0; i < count && ok; i++) {
        uint32_t number = job.items[i].number, first = crn_knn_first(index, number);
        crn_knn_record record = crn_knn_at(index, number);
        ok = crn_knn_copy(&ordered.subgoals, context, &index->subgoals, first, record.end - first);
        uint32_t words[CRN_KNN_WORDS] = {record.start, record.goal,
                                         (uint32_t)ordered.subgoals.count};
        ok = ok && crn_knn_put(&ordered.problems, context, words, CRN_KNN_WORDS);
    }
    crn_free(context, job.items, size);
    if (!ok) {
        crn_knn_drop(&ordered, context);
        return false;
    }
    crn_knn_drop(index, context);
    *index = ordered;
    return true;
}

/* ---- is it a tree? ---- */

/* Are the records of a part where the roots above say? `box` has the least and the largest of each
 * coordinate. */
static bool knn_tree_is_right(const knn_tree_job *job, const crn_knn_part *part,
                              const uint32_t box[2][KNN_TREE_COORDINATES])
{
    if (part->first >= part->end) return true;
    uint32_t middle = part->first + (part->end - part->first) / 2, at = part->depth;
    crn_knn_record root = crn_knn_at(job->index, middle);
    for (uint32_t i = 0; i < KNN_TREE_COORDINATES; i++) {
        uint32_t value = knn_tree_coordinate(job->map, &root, i);
        if (value < box[0][i] || value > box[1][i]) return false;
    }
    uint32_t low[2][KNN_TREE_COORDINATES], high[2][KNN_TREE_COORDINATES];
    memcpy(low, box, sizeof low);
    memcpy(high, box, sizeof high);
    low[1][at] = high[0][at] = knn_tree_coordinate(job->map, &root, at);
    uint32_t depth = (at + 1) % KNN_TREE_COORDINATES;
    crn_knn_part before = {part->first, middle, 0, depth},
                 after = {middle + 1, part->end, 0, depth};
    return knn_tree_is_right(job, &before, (const uint32_t(*)[KNN_TREE_COORDINATES])low) &&
           knn_tree_is_right(job, &after, (const uint32_t(*)[KNN_TREE_COORDINATES])high);
}

bool crn_knn_is_tree(const crn_knn *index, const crn_grid_space *map)
{
    const uint32_t all[2][KNN_TREE_COORDINATES] = {
        {0, 0, 0, 0}, {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    const knn_tree_job job = {index, map, NULL};
    const crn_knn_part whole = {0, crn_knn_count(index), 0, 0};
    return knn_tree_is_right(&job, &whole, all);
}
