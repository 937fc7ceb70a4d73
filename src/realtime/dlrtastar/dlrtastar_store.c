/* dlrtastar_store.c: the arrays of the index of `dlrtastar`, files, and what must be true of them.
 * See dlrtastar_index.h.
 *
 * What agents rely on is checked when an index is loaded: that every cell has an area or none, that
 * every subgoal can be stood on, and that from every area subgoals lead to the area of the goal,
 * and not in a circle. Whether a subgoal can be reached agents ask themselves.
 */
#include "realtime/dlrtastar/dlrtastar_index.h"

#define DLRTA_STORE_AREAS "index.areas"
#define DLRTA_STORE_HOMES "index.homes"
#define DLRTA_STORE_ENTRIES "index.entries"

/* ---- arrays ---- */

static size_t dlrta_store_area_bytes(const crn_dlrta *index)
{
    return index->nodes * sizeof *index->areas;
}

static size_t dlrta_store_home_bytes(const crn_dlrta *index)
{
    return index->count * sizeof *index->homes;
}

static size_t dlrta_store_entry_bytes(const crn_dlrta *index)
{
    return (size_t)index->count * index->count * sizeof *index->entries;
}

void crn_dlrta_drop(crn_dlrta *index, cairn_context *context)
{
    if (index->owned) {
        crn_free(context, (void *)(uintptr_t)index->areas, dlrta_store_area_bytes(index));
        crn_free(context, (void *)(uintptr_t)index->homes, dlrta_store_home_bytes(index));
        crn_free(context, (void *)(uintptr_t)index->entries, dlrta_store_entry_bytes(index));
    }
    *index = (crn_dlrta){.level = index->level};
}

bool crn_dlrta_allocate(crn_dlrta *index, const crn_grid_space *map, uint32_t count)
{
    cairn_context *context = map->base.context;
    index->count = count;
    index->nodes = count ? map->base.node_count : 0;
    index->owned = true;
    if (!count) return true;
    index->areas = crn_alloc(context, dlrta_store_area_bytes(index));
    index->homes = crn_alloc(context, dlrta_store_home_bytes(index));
    index->entries = crn_alloc(context, dlrta_store_entry_bytes(index));
    return index->areas && index->homes && index->entries;
}

size_t crn_dlrta_bytes(const crn_dlrta *index)
{
    return offsetof(crn_dlrta, work) + dlrta_store_area_bytes(index) +
           dlrta_store_home_bytes(index) + dlrta_store_entry_bytes(index);
}

/* ---- what must be true ---- */

static const char *dlrta_store_check_areas(const crn_dlrta *index, const cairn_space *space)
{
    for (uint32_t i = 0; i < index->nodes; i++) {
        if (index->areas[i] >= index->count && index->areas[i] != CRN_DLRTA_NONE)
            return "a cell belongs to no area";
    }
    for (uint32_t i = 0; i < index->count; i++) {
        cairn_node home = index->homes[i];
        if (home >= index->nodes || !cairn_space_usable(space, home) || index->areas[home] != i)
            return "a representative lies outside of its area";
    }
    return NULL;
}

/* Do all subgoals for one area lead to it, or nowhere? `mark` has a number for each area: the last
 * goal for which that is known of it. */
static const char *dlrta_store_check_goal(const crn_dlrta *index, const cairn_space *space,
                                          uint32_t goal, uint16_t *mark)
{
    for (uint32_t from = 0; from < index->count; from++) {
        uint32_t at = from, steps = 0;
        for (; at != goal && mark[at] != goal; steps++) {
            cairn_node entry = index->entries[(size_t)at * index->count + goal];
            if (entry == CAIRN_NO_NODE) break;
            if (entry >= index->nodes || !cairn_space_usable(space, entry))
                return "a subgoal is blocked";
            at = index->areas[entry];
            if (at == CRN_DLRTA_NONE || steps > index->count) return "subgoals lead in a circle";
        }
        for (at = from; steps; steps--) {
            mark[at] = (uint16_t)goal;
            at = index->areas[index->entries[(size_t)at * index->count + goal]];
        }
    }
    return NULL;
}

const char *crn_dlrta_check(const crn_dlrta *index, const crn_grid_space *map)
{
    if (!index->count) return NULL;
    uint16_t mark[CRN_DLRTA_AREAS]; /* memory may fail, and a check must not */
    const char *wrong = dlrta_store_check_areas(index, &map->base);
    memset(mark, 0xff, sizeof mark);
    for (uint32_t i = 0; i < index->count && !wrong; i++)
        wrong = dlrta_store_check_goal(index, &map->base, i, mark);
    return wrong;
}

/* ---- files ---- */

cairn_status crn_dlrta_save(const crn_dlrta *index, cairn_store *store, cairn_error *error)
{
    cairn_status status =
        cairn_store_add(store, DLRTA_STORE_AREAS,
                        (cairn_bytes){index->areas, dlrta_store_area_bytes(index)}, 2, true);
    if (status == CAIRN_OK)
        status =
            cairn_store_add(store, DLRTA_STORE_HOMES,
                            (cairn_bytes){index->homes, dlrta_store_home_bytes(index)}, 4, true);
    if (status == CAIRN_OK)
        status =
            cairn_store_add(store, DLRTA_STORE_ENTRIES,
                            (cairn_bytes){index->entries, dlrta_store_entry_bytes(index)}, 4, true);
    return status == CAIRN_OK ? status
                              : crn_fail(error, status, 0, "the areas cannot be added to the file");
}

/* Finds the sections in a file. */
static const char *dlrta_store_find(crn_dlrta *index, const crn_grid_space *map,
                                    const cairn_archive *archive)
{
    size_t areas, homes, entries;
    index->areas = cairn_archive_section(archive, DLRTA_STORE_AREAS, 2, &areas);
    index->homes = cairn_archive_section(archive, DLRTA_STORE_HOMES, 4, &homes);
    index->entries = cairn_archive_section(archive, DLRTA_STORE_ENTRIES, 4, &entries);
    if (!index->areas || !index->homes || !index->entries) return "a section is missing";
    if (homes / sizeof *index->homes > CRN_DLRTA_AREAS) return "there are too many areas";
    index->count = (uint32_t)(homes / sizeof *index->homes);
    index->nodes = index->count ? map->base.node_count : 0;
    if (areas != dlrta_store_area_bytes(index) || entries != dlrta_store_entry_bytes(index))
        return "a section has a wrong size";
    return crn_dlrta_check(index, map);
}

/* Copies what lies in the file. */
static bool dlrta_store_copy(crn_dlrta *index, const crn_grid_space *map)
{
    crn_dlrta copy = {.level = index->level};
    bool ok = crn_dlrta_allocate(&copy, map, index->count);
    if (ok && copy.count) {
        memcpy((void *)(uintptr_t)copy.areas, index->areas, dlrta_store_area_bytes(index));
        memcpy((void *)(uintptr_t)copy.homes, index->homes, dlrta_store_home_bytes(index));
        memcpy((void *)(uintptr_t)copy.entries, index->entries, dlrta_store_entry_bytes(index));
    }
    if (!ok) crn_dlrta_drop(&copy, map->base.context);
    *index = copy;
    return ok;
}

cairn_status crn_dlrta_load(crn_dlrta *index, const crn_grid_space *map,
                            const cairn_archive *archive, bool borrow, cairn_error *error)
{
    const char *wrong = dlrta_store_find(index, map, archive);
    if (wrong) {
        crn_dlrta_drop(index, map->base.context);
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the index makes no sense: %s", wrong);
    }
    if (borrow || dlrta_store_copy(index, map)) return CAIRN_OK;
    return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for areas");
}
