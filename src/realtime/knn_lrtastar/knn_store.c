/* knn_store.c: the arrays of the index of `knn-lrtastar`, files, and what must be true of them. See
 * knn_index.h.
 *
 * What agents rely on is checked when an index is loaded: that every node of a record can be stood
 * on and lies in the component of its start, and that the records are a tree. That climbs lead from
 * subgoal to subgoal is checked after builds, with internal checks. A file that is wrong in this
 * respect makes agents learn, and they arrive all the same.
 */
#include "realtime/knn_lrtastar/knn_index.h"

#define KNN_STORE_PROBLEMS "index.problems"
#define KNN_STORE_SUBGOALS "index.subgoals"

/* ---- arrays ---- */

bool crn_knn_put(crn_knn_array *array, cairn_context *context, const uint32_t *items, size_t count)
{
    void *owned = array->owned;
    bool ok =
        crn_grow(context, &owned, &array->capacity, array->count + count, sizeof *array->owned);
    array->items = array->owned = owned;
    if (!ok) return false;
    if (count) memcpy(array->owned + array->count, items, count * sizeof *items);
    array->count += count;
    return true;
}

void crn_knn_free(crn_knn_array *array, cairn_context *context)
{
    crn_free(context, array->owned, array->capacity * sizeof *array->owned);
    *array = (crn_knn_array){0};
}

void crn_knn_drop(crn_knn *index, cairn_context *context)
{
    crn_knn_free(&index->problems, context);
    crn_knn_free(&index->subgoals, context);
}

size_t crn_knn_bytes(const crn_knn *index)
{
    return offsetof(crn_knn, work) +
           (index->problems.count + index->subgoals.count) * sizeof(uint32_t);
}

/* ---- what must be true ---- */

/* Does a record lead over nodes that can be reached from its start? */
static const char *knn_store_check_record(const crn_knn *index, const cairn_space *space,
                                          uint32_t number)
{
    crn_knn_record record = crn_knn_at(index, number);
    uint32_t first = crn_knn_first(index, number);
    if (record.end < first || record.end > index->subgoals.count)
        return "a record ends before it begins";
    if (record.start >= space->node_count || record.goal >= space->node_count)
        return "a record has no ends";
    uint64_t component = cairn_space_component(space, record.start);
    if (!component || cairn_space_component(space, record.goal) != component)
        return "no path leads from the start of a record to its goal";
    for (uint32_t i = first; i < record.end; i++) {
        cairn_node node = index->subgoals.items[i];
        if (node >= space->node_count || cairn_space_component(space, node) != component)
            return "a subgoal cannot be reached";
    }
    return NULL;
}

#if defined(CAIRN_CHECKS)
static const char *knn_store_check_climbs(const crn_knn *index, const crn_grid_space *map,
                                          uint32_t number)
{
    crn_knn_record record = crn_knn_at(index, number);
    cairn_node at = record.start;
    for (uint32_t i = crn_knn_first(index, number); i <= record.end; i++) {
        cairn_node to = i < record.end ? index->subgoals.items[i] : record.goal;
        if (!crn_climb_reaches(map, at, to, index->cutoff, NULL))
            return "no climb leads to a subgoal";
        at = to;
    }
    return NULL;
}
#endif

const char *crn_knn_check(const crn_knn *index, const crn_grid_space *map, bool whole)
{
    uint32_t count = crn_knn_count(index);
    const char *wrong = NULL;
    if (index->problems.count % CRN_KNN_WORDS || count > CRN_KNN_RECORDS)
        return "too many records, or half a one";
    for (uint32_t i = 0; i < count && !wrong; i++) {
        wrong = knn_store_check_record(index, &map->base, i);
#if defined(CAIRN_CHECKS)
        if (!wrong && whole) wrong = knn_store_check_climbs(index, map, i);
#endif
    }
    (void)whole;
    if (!wrong && index->subgoals.count != (count ? crn_knn_at(index, count - 1).end : 0))
        wrong = "subgoals without a record";
    if (!wrong && !crn_knn_is_tree(index, map)) wrong = "the records are not in order";
    return wrong;
}

/* ---- files ---- */

cairn_status crn_knn_save(const crn_knn *index, cairn_store *store, cairn_error *error)
{
    const crn_knn_array *arrays[2] = {&index->problems, &index->subgoals};
    static const char *const names[2] = {KNN_STORE_PROBLEMS, KNN_STORE_SUBGOALS};
    for (uint32_t i = 0; i < 2; i++) {
        cairn_bytes bytes = {arrays[i]->items, arrays[i]->count * sizeof(uint32_t)};
        cairn_status status = cairn_store_add(store, names[i], bytes, sizeof(uint32_t), true);
        if (status != CAIRN_OK)
            return crn_fail(error, status, 0, "the records cannot be added to the file");
    }
    return CAIRN_OK;
}

static cairn_status knn_store_load(crn_knn_array *array, cairn_context *context,
                                   const cairn_archive *archive, const char *name, bool borrow)
{
    size_t size = 0;
    const uint32_t *items = cairn_archive_section(archive, name, sizeof *items, &size);
    size_t count = size / sizeof *items;
    if (!items) return CAIRN_BAD_DATA;
    if (borrow) {
        *array = (crn_knn_array){items, NULL, count, 0};
        return CAIRN_OK;
    }
    return crn_knn_put(array, context, items, count) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

cairn_status crn_knn_load(crn_knn *index, const crn_grid_space *map, const cairn_archive *archive,
                          bool borrow, cairn_error *error)
{
    cairn_context *context = map->base.context;
    cairn_status status =
        knn_store_load(&index->problems, context, archive, KNN_STORE_PROBLEMS, borrow);
    if (status == CAIRN_OK)
        status = knn_store_load(&index->subgoals, context, archive, KNN_STORE_SUBGOALS, borrow);
    const char *wrong = status == CAIRN_OK ? crn_knn_check(index, map, false) : NULL;
    if (status == CAIRN_OK && !wrong) return status;
    crn_knn_drop(index, context);
    if (status == CAIRN_OUT_OF_MEMORY) return crn_fail(error, status, 0, "no memory for records");
    return crn_fail(error, CAIRN_BAD_DATA, 0, "the index makes no sense: %s",
                    wrong ? wrong : "a section is missing");
}
