/* hcdps_build.c: the index of `hcdps` as a whole: arrays, building, files. See hcdps_index.h. */
#include "realtime/hcdps/hcdps_job.h"

static const char *const build_sections[CRN_HCDPS_ARRAYS] = {
    "index.runs", "index.entries", "index.homes", "index.links-at", "index.links", "index.rows-at",
    "index.rows", "index.near-at", "index.near",  "index.pairs-at", "index.pairs"};

/* ---- arrays ---- */

bool crn_hcdps_reserve(crn_hcdps_array *array, cairn_context *context, size_t more)
{
    if (CRN_LIKELY(array->count + more <= array->capacity)) return true;
    void *owned = array->owned;
    bool ok =
        crn_grow(context, &owned, &array->capacity, array->count + more, sizeof *array->owned);
    array->items = array->owned = owned;
    return ok;
}

bool crn_hcdps_put_all(crn_hcdps_array *array, cairn_context *context, const uint32_t *items,
                       size_t count)
{
    if (!crn_hcdps_reserve(array, context, count)) return false;
    if (count) memcpy(array->owned + array->count, items, count * sizeof *items);
    array->count += count;
    return true;
}

bool crn_hcdps_put(crn_hcdps_array *array, cairn_context *context, uint32_t item)
{
    if (CRN_UNLIKELY(array->count == array->capacity) && !crn_hcdps_reserve(array, context, 1))
        return false;
    array->owned[array->count++] = item;
    return true;
}

void crn_hcdps_free_array(crn_hcdps_array *array, cairn_context *context)
{
    crn_free(context, array->owned, array->capacity * sizeof *array->owned);
    *array = (crn_hcdps_array){0};
}

/* Gives back what doubling took too much. */
static bool build_trim(crn_hcdps_array *array, cairn_context *context)
{
    if (array->count == array->capacity) return true;
    size_t size = array->count * sizeof *array->owned;
    uint32_t *less = crn_alloc(context, size);
    if (!less && size) return false;
    if (size) memcpy(less, array->owned, size);
    crn_free(context, array->owned, array->capacity * sizeof *array->owned);
    *array = (crn_hcdps_array){less, less, array->count, array->count};
    return true;
}

void crn_hcdps_drop(crn_hcdps *index, cairn_context *context)
{
    for (uint32_t i = 0; i < CRN_HCDPS_ARRAYS; i++)
        crn_hcdps_free_array(&index->arrays[i], context);
    crn_free(context, index->costs, index->cost_capacity * sizeof *index->costs);
    index->costs = NULL;
    index->cost_capacity = 0;
    index->stamp = 2;
}

size_t crn_hcdps_bytes(const crn_hcdps *index)
{
    size_t bytes = offsetof(crn_hcdps, costs) + index->cost_capacity * sizeof *index->costs;
    for (uint32_t i = 0; i < CRN_HCDPS_ARRAYS; i++)
        bytes += index->arrays[i].count * sizeof(uint32_t);
    return bytes;
}

static uint32_t build_hash(uint32_t hash, const crn_hcdps_array *array)
{
    for (size_t i = 0; i < array->count; i++) hash = (hash ^ array->items[i]) * 16777619u;
    return hash;
}

/* A hash (FNV-1a) of the world, all representatives, the sizes of all arrays and the links, in
 * which cursors are: an edit that leaves the index as it was makes cursors begin again, too. The
 * world alone does not tell: after an edit and its undoing the index may be another than before. */
void crn_hcdps_seal(crn_hcdps *index, const cairn_space *space)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    uint64_t world = cairn_space_hash(space);
    uint32_t hash = 2166136261u;
    hash = (hash ^ (uint32_t)world) * 16777619u;
    hash = (hash ^ (uint32_t)(world >> 32)) * 16777619u;
    for (uint32_t i = 0; i < CRN_HCDPS_ARRAYS; i++)
        hash = (hash ^ (uint32_t)index->arrays[i].count) * 16777619u;
    hash = build_hash(hash, &index->arrays[CRN_HCDPS_HOMES]);
    hash = build_hash(hash, &index->arrays[CRN_HCDPS_LINK_FIRST]);
    hash = build_hash(hash, &index->arrays[CRN_HCDPS_LINKS]);
    index->stamp = hash | 1;
    index->easy = map ? crn_climb_easy(map) : CRN_CLIMB_HARD;
}

/* ---- building ---- */

bool crn_hcdps_has_records(const crn_hcdps *index, const cairn_space *space)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    if (!map) return crn_hcdps_graph_has_records(index, crn_graph_space_of(space));
    /* agents on hexagons that have no room for some steps */
    bool dips = map->hex && map->limited && !map->steep && space->max_step == space->min_edge;
    return (map->uniform || dips) && !map->links.count && !cairn_space_directed(space);
}

cairn_status crn_hcdps_report(const crn_hcdps_job *job, uint64_t done, uint64_t total)
{
    uint64_t part = total ? done * CRN_HCDPS_STAGE / total : 0;
    bool go_on = crn_progress(job->progress, (uint64_t)job->stage * CRN_HCDPS_STAGE + part,
                              3 * CRN_HCDPS_STAGE);
    return go_on ? CAIRN_OK : CAIRN_CANCELLED;
}

cairn_status crn_hcdps_trim(crn_hcdps *index, cairn_context *context)
{
    bool ok = true;
    for (uint32_t i = 0; i < CRN_HCDPS_ARRAYS && ok; i++)
        ok = build_trim(&index->arrays[i], context);
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static cairn_status build_stages(crn_hcdps_job *job)
{
    static cairn_status (*const stages[])(crn_hcdps_job *) = {
        crn_hcdps_find_regions, crn_hcdps_find_links, crn_hcdps_find_rows};
    cairn_status status = CAIRN_OK;
    for (; job->stage < 3 && status == CAIRN_OK; job->stage++) {
        status = crn_hcdps_report(job, 0, 1);
        if (status == CAIRN_OK) status = stages[job->stage](job);
    }
    if (status == CAIRN_OK) status = crn_hcdps_trim(job->index, job->context);
    return status == CAIRN_OK ? crn_hcdps_report(job, 0, 1) : status;
}

cairn_status crn_hcdps_failed(cairn_status status, cairn_error *error)
{
    const char *text = status == CAIRN_CANCELLED     ? "the build was cancelled"
                       : status == CAIRN_UNSUPPORTED ? "the map has too many regions"
                                                     : "no memory for regions and links";
    return crn_fail(error, status, 0, "%s", text);
}

void crn_hcdps_close_job(crn_hcdps_job *job)
{
    cairn_context *context = job->context;
    crn_free(context, job->doors, job->door_capacity * sizeof *job->doors);
    crn_free(context, job->old_doors, job->old_door_capacity * sizeof *job->old_doors);
    if (job->door_first) {
        crn_free(context, job->door_first,
                 (crn_hcdps_regions(job->index) + 1) * sizeof *job->door_first);
    }
    crn_free(context, job->pairs, job->pair_capacity * sizeof *job->pairs);
    crn_free(context, job->costs, job->cost_capacity * sizeof *job->costs);
    crn_hcdps_free_array(&job->records, context);
    crn_hcdps_free_array(&job->paths, context);
    crn_hcdps_free_array(&job->link_first, context);
    crn_hcdps_free_array(&job->link_near, context);
    crn_hcdps_free_array(&job->link_to, context);
}

cairn_status crn_hcdps_build(crn_hcdps *index, const cairn_space *space,
                             const cairn_progress *progress, cairn_error *error)
{
    cairn_context *context = space->context;
    crn_hcdps_job job = {.index = index,
                         .space = space,
                         .map = crn_grid_space_of(space),
                         .context = context,
                         .progress = progress,
                         .end = space->node_count};
    size_t region_size = crn_mul_size(space->node_count, sizeof *job.region),
           steps_size = crn_mul_size(space->node_count, sizeof *job.steps);
    job.exact = index->exact = crn_hcdps_has_records(index, space);
    job.region = crn_alloc(context, region_size);
    job.steps = crn_alloc(context, steps_size);
    cairn_status status = job.region && job.steps ? build_stages(&job) : CAIRN_OUT_OF_MEMORY;
    crn_free(context, job.region, region_size);
    crn_free(context, job.steps, steps_size);
    crn_hcdps_close_job(&job);
    if (status == CAIRN_OK) {
        index->work = job.work;
        crn_hcdps_seal(index, space);
        return status;
    }
    crn_hcdps_drop(index, context);
    return crn_hcdps_failed(status, error);
}

/* ---- files ---- */

cairn_status crn_hcdps_save(const crn_hcdps *index, cairn_store *store, cairn_error *error)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < CRN_HCDPS_ARRAYS && status == CAIRN_OK; i++) {
        const crn_hcdps_array *array = &index->arrays[i];
        status =
            cairn_store_add(store, build_sections[i],
                            (cairn_bytes){array->items, array->count * sizeof(uint32_t)}, 4, true);
    }
    return status == CAIRN_OK
               ? status
               : crn_fail(error, status, 0, "regions and links cannot be added to the file");
}

static cairn_status build_load(crn_hcdps *index, cairn_context *context,
                               const cairn_archive *archive, bool borrow)
{
    for (uint32_t i = 0; i < CRN_HCDPS_ARRAYS; i++) {
        size_t size = 0;
        const uint32_t *items = cairn_archive_section(archive, build_sections[i], 4, &size);
        if (!items) return CAIRN_BAD_DATA;
        if (borrow) {
            index->arrays[i] = (crn_hcdps_array){items, NULL, size / sizeof *items, 0};
        } else if (size &&
                   (!crn_hcdps_put_all(&index->arrays[i], context, items, size / sizeof *items) ||
                    !build_trim(&index->arrays[i], context))) {
            return CAIRN_OUT_OF_MEMORY;
        }
    }
    return CAIRN_OK;
}

cairn_status crn_hcdps_load(crn_hcdps *index, const cairn_space *space,
                            const cairn_archive *archive, bool borrow, cairn_error *error)
{
    cairn_context *context = space->context;
    index->exact = crn_hcdps_has_records(index, space);
    cairn_status status = build_load(index, context, archive, borrow);
    const char *wrong = status == CAIRN_OK ? crn_hcdps_check(index, space, false) : NULL;
    if (wrong) status = CAIRN_BAD_DATA;
    for (uint32_t near = 0; near < (index->depth > 1 ? 2 : 1) && status == CAIRN_OK; near++) {
        status = crn_hcdps_check_circles(index, context, near);
        if (status == CAIRN_BAD_DATA) wrong = "a row leads round in circles";
    }
    if (status == CAIRN_OK) {
        crn_hcdps_seal(index, space);
        return status;
    }
    crn_hcdps_drop(index, context);
    if (status == CAIRN_OUT_OF_MEMORY)
        return crn_fail(error, status, 0, "no memory for regions and links");
    return crn_fail(error, status, 0, "the index makes no sense: %s",
                    wrong ? wrong : "a section is missing");
}
