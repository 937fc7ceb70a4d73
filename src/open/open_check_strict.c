/* open_check_strict.c: what must hold at any time of the open lists that sort strictly. See
 * open_check.h. A list that is in the middle of its work is checked as far as it is in order. */
#include "open/open_check.h"

#if defined(CAIRN_CHECKS)

/* Does an item come before another one? Without counting it. */
static bool strict_check_before(const crn_strict_item *a, const crn_strict_item *b)
{
    if (a->key != b->key) return a->key < b->key;
    return a->second != b->second ? a->second < b->second : a->order < b->order;
}

/* Adds the items of a chain to *count. Each leads back to the one before it. */
static const char *strict_check_chain(const crn_strict *list, crn_strict_chain chain,
                                      uint32_t *count)
{
    uint32_t before = 0;
    for (uint32_t at = chain.first; at; at = crn_strict_at(list, at)->right) {
        if (at > list->used || ++*count > list->used) return "a list leads astray";
        if (crn_strict_at(list, at)->left != before) return "a list does not lead back";
        before = at;
    }
    return before == chain.last ? NULL : "a list does not lead to its end";
}

/* All items are in use, wait, or were given back. */
static const char *strict_check_items(const crn_strict *list, uint32_t in_use)
{
    uint32_t count = in_use;
    if (list->used > list->peak || list->peak >= list->chunk_count * CRN_STRICT_CHUNK + !list->peak)
        return "more items than there is memory for";
    const char *wrong = strict_check_chain(list, list->waiting, &count);
    if (wrong) return wrong;
    for (uint32_t at = list->spare; at; at = crn_strict_at(list, at)->right) {
        if (at > list->used || ++count > list->used) return "the free items lead astray";
    }
    return count == list->used ? NULL : "items are lost, or used twice";
}

/* A state is noted at this place. */
static bool strict_check_place(const crn_members *members, const crn_strict *list, uint32_t place)
{
    return crn_members_place(members, crn_strict_at(list, place)->state) == place;
}

/* As many states as items, and each in a bucket of the table. */
static const char *strict_check_members(const crn_members *members, uint32_t count)
{
    if (members->places.of) return NULL;
    if (members->count != count) return "there are other states in the table than on the list";
    if (members->split >= members->whole && members->whole) return "the table is badly split";
    return NULL;
}

const char *crn_indexed_check(const void *list)
{
    const crn_indexed *heap = list;
    const crn_strict *strict = &heap->strict;
    for (uint32_t i = 1; i <= strict->used; i++) {
        if (i > 1 && strict_check_before(crn_strict_at(strict, i), crn_strict_at(strict, i / 2)))
            return "an entry of the heap comes before the one above it";
        if (!heap->plain && !strict_check_place(&heap->members, strict, i))
            return "the table has another place of a state";
    }
    return heap->plain ? NULL : strict_check_members(&heap->members, strict->used);
}

const char *crn_unsorted_array_check(const void *list)
{
    const crn_unsorted_array *array = list;
    const crn_strict *strict = &array->strict;
    if (array->at > strict->used || array->best > array->at) return "the least one is not known";
    for (uint32_t i = 1; i <= strict->used; i++) {
        if (!strict_check_place(&array->members, strict, i))
            return "the table has another place of a state";
        if (i <= array->at && i != array->best &&
            strict_check_before(crn_strict_at(strict, i), crn_strict_at(strict, array->best)))
            return "the least one is not the least";
    }
    return strict_check_members(&array->members, strict->used);
}

const char *crn_unsorted_list_check(const void *list)
{
    const crn_unsorted_list *unsorted = list;
    const crn_strict *strict = &unsorted->strict;
    uint32_t count = 0;
    const char *wrong = strict_check_chain(strict, unsorted->chain, &count);
    if (!wrong) wrong = strict_check_items(strict, count);
    if (wrong) return wrong;
    for (uint32_t at = unsorted->chain.first; at; at = crn_strict_at(strict, at)->right) {
        if (!strict_check_place(&unsorted->members, strict, at))
            return "the table has another place of a state";
    }
    return strict_check_members(&unsorted->members, count);
}

const char *crn_sorted_list_check(const void *list)
{
    const crn_sorted_list *sorted = list;
    const crn_strict *strict = &sorted->strict;
    uint32_t count = 0, waiting = 0;
    const char *wrong = strict_check_chain(strict, sorted->chain, &count);
    if (!wrong) wrong = strict_check_items(strict, count);
    if (wrong) return wrong;
    for (uint32_t at = sorted->chain.first, next; at; at = next) {
        next = crn_strict_at(strict, at)->right;
        if (!strict_check_place(&sorted->members, strict, at))
            return "the table has another place of a state";
        if (next && !strict_check_before(crn_strict_at(strict, at), crn_strict_at(strict, next)))
            return "the list is not sorted";
    }
    strict_check_chain(strict, strict->waiting, &waiting);
    return strict_check_members(&sorted->members, count + waiting);
}

const char *crn_sorted_array_check(const void *list)
{
    const crn_sorted_array *array = list;
    const crn_strict *strict = &array->strict;
    if (array->placed) return NULL; /* numbers are being moved */
    if (array->count > array->row_count * CRN_SORTED_CHUNK) return "the array is too long";
    const crn_strict_item *before = NULL;
    for (uint32_t i = 0; i < array->count; i++) {
        uint32_t number = array->rows[i / CRN_SORTED_CHUNK][i % CRN_SORTED_CHUNK];
        if (!number || number > strict->used) return "the array has a number of no item";
        const crn_strict_item *item = crn_strict_at(strict, number);
        if (before && !strict_check_before(item, before)) return "the array is not sorted";
        before = item;
    }
    return strict_check_items(strict, array->count);
}

/* One level, whose items are copies of some of those on the level below; adds them to *count. */
static const char *strict_check_level(const crn_skip_list *skip, uint32_t level, uint32_t *count)
{
    const crn_strict *strict = &skip->strict;
    uint32_t below = level ? skip->heads[level - 1] : 0;
    for (uint32_t at = skip->heads[level], next; at; at = next) {
        if (at > strict->used || ++*count > strict->used) return "a level leads astray";
        const crn_strict_item *item = crn_strict_at(strict, at);
        next = item->right;
        if (next && !strict_check_before(item, crn_strict_at(strict, next)))
            return "a level is not sorted";
        while (level && below && below != item->left) below = crn_strict_at(strict, below)->right;
        if (level && !below) return "an item is not on the level below";
        if (level && crn_strict_at(strict, below)->order != item->order)
            return "an item stands above another one";
    }
    return NULL;
}

const char *crn_skip_list_check(const void *list)
{
    const crn_skip_list *skip = list;
    uint32_t count = 0;
    if (skip->levels > CRN_SKIP_LEVELS) return "there are too many levels";
    for (uint32_t level = 0; level < skip->levels; level++) {
        const char *wrong = strict_check_level(skip, level, &count);
        if (wrong) return wrong;
    }
    return strict_check_items(&skip->strict, count);
}

/* Walks through a tree. It may be as deep as it has items, so only the first levels are looked at;
 * items are counted if that was all. */
enum { STRICT_CHECK_DEPTH = 64 };

typedef struct strict_check_walk {
    const crn_strict *list;
    bool search_tree; /* or a heap */
    uint32_t count;
    bool deep; /* there is more below */
} strict_check_walk;

static const char *strict_check_tree(strict_check_walk *walk, uint32_t number, uint32_t depth)
{
    const crn_strict *list = walk->list;
    const crn_strict_item *item = crn_strict_at(list, number);
    const uint32_t children[2] = {item->left, item->right};
    if (++walk->count > list->used) return "a tree leads astray";
    for (uint32_t i = 0; i < 2; i++) {
        if (!children[i]) continue;
        if (children[i] > list->used) return "a tree has a number of no item";
        bool before = strict_check_before(crn_strict_at(list, children[i]), item);
        if (before != (walk->search_tree && i == 0)) return "an item of a tree is on a wrong side";
        if (depth == STRICT_CHECK_DEPTH) {
            walk->deep = true;
            continue;
        }
        const char *wrong = strict_check_tree(walk, children[i], depth + 1);
        if (wrong) return wrong;
    }
    return NULL;
}

static const char *strict_check_root(const crn_strict *list, uint32_t root, bool search_tree)
{
    strict_check_walk walk = {.list = list, .search_tree = search_tree};
    const char *wrong = root ? strict_check_tree(&walk, root, 0) : NULL;
    if (wrong || walk.deep) return wrong;
    return strict_check_items(list, walk.count);
}

const char *crn_skew_heap_check(const void *list)
{
    const crn_skew_heap *heap = list;
    return heap->merging ? NULL : strict_check_root(&heap->strict, heap->root, false);
}

const char *crn_splay_tree_check(const void *list)
{
    const crn_splay_tree *tree = list;
    return tree->splaying ? NULL : strict_check_root(&tree->strict, tree->root, true);
}

/* Adds the items of a bucket to *count: the highest digit in which they differ from the base is
 * that of the level. */
static const char *strict_check_bucket(const crn_hot_queue *queue, uint32_t level, uint32_t digit,
                                       uint32_t *count)
{
    uint32_t items = 0;
    for (uint32_t at = queue->heads[level][digit]; at;
         at = crn_strict_at(&queue->strict, at)->right) {
        if (at > queue->strict.used || ++*count > queue->strict.used)
            return "a bucket leads astray";
        uint64_t key = crn_strict_at(&queue->strict, at)->key,
                 differs = (key ^ queue->base) >> level * CRN_HOT_BITS;
        if (differs >= CRN_HOT_BUCKETS || (level && !differs) || key < queue->base)
            return "an item is on a wrong level";
        if ((key >> level * CRN_HOT_BITS & (CRN_HOT_BUCKETS - 1)) != digit)
            return "an item is in a wrong bucket";
        items++;
    }
    return items && items == queue->counts[level][digit] ? NULL : "a bucket is badly counted";
}

/* Both heaps have only keys of their ranges. */
static const char *strict_check_heaps(const crn_hot_queue *queue)
{
    for (uint32_t i = 1; i <= queue->top.strict.used; i++) {
        uint64_t key = crn_strict_at(&queue->top.strict, i)->key;
        if (key < queue->base || key - queue->base >= queue->width)
            return "a key is not in the active bucket";
    }
    for (uint32_t i = 1; i <= queue->late.strict.used; i++) {
        if (crn_strict_at(&queue->late.strict, i)->key >= queue->base) return "a key is not late";
    }
    const char *wrong = crn_indexed_check(&queue->top);
    return wrong ? wrong : crn_indexed_check(&queue->late);
}

const char *crn_hot_queue_check(const void *list)
{
    const crn_hot_queue *queue = list;
    const char *wrong = strict_check_heaps(queue);
    uint32_t count = 0;
    for (uint32_t i = 0; !wrong && i < CRN_HOT_LEVELS * CRN_HOT_BUCKETS; i++) {
        uint32_t level = i / CRN_HOT_BUCKETS, digit = i % CRN_HOT_BUCKETS;
        if (queue->used[level] >> digit & 1)
            wrong = strict_check_bucket(queue, level, digit, &count);
    }
    if (wrong) return wrong;
    for (uint32_t at = queue->moving; at; at = crn_strict_at(&queue->strict, at)->right) {
        if (++count > queue->strict.used) return "an open bucket leads astray";
    }
    return strict_check_items(&queue->strict, count);
}

#endif
