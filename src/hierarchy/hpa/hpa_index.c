/* hpa_index.c: making the abstract graph of HPA*, and repairing it after edits. See hpa_index.h. */
#include "hierarchy/hpa/hpa_job.h"
#include "world/changes.h"

/* ---- looking things up ---- */

uint32_t crn_hpa_level_of(const crn_hpa *index, cairn_node node)
{
    uint32_t level = index->levels - 1;
    while (index->groups[node] < index->level[level].first) level--;
    return level;
}

cairn_node crn_hpa_find(const crn_hpa *index, uint32_t level, cairn_node cell)
{
    uint32_t count, low = 0;
    const crn_hpa_member *members =
        crn_hpa_members(index, crn_hpa_cluster(index, level, cell), &count);
    for (uint32_t high = count; low < high;) {
        uint32_t middle = (low + high) / 2;
        if (members[middle].cell < cell) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && members[low].cell == cell ? members[low].node : CAIRN_NO_NODE;
}

crn_hpa_children crn_hpa_children_of(const crn_hpa *index, uint32_t level, uint32_t cluster)
{
    const crn_hpa_level *above = &index->level[level], *below = above - 1;
    uint32_t x = (cluster - above->first) % above->columns * index->growth,
             y = (cluster - above->first) / above->columns * index->growth;
    return (crn_hpa_children){below->first + y * below->columns + x,
                              crn_min_u32(index->growth, below->columns - x),
                              crn_min_u32(index->growth, below->rows - y), below->columns};
}

cairn_cost crn_hpa_costliest(const crn_hpa *index)
{
    cairn_cost costliest = 1;
    for (uint32_t i = 0; i < index->cluster_count; i++)
        costliest = crn_max_u32(costliest, index->costliest[i]);
    return costliest;
}

/* Levels, clusters, no nodes; false = no memory. */
static bool hpa_divide(crn_hpa *index, const crn_grid_space *space, const crn_hpa_options *options)
{
    cairn_context *context = space->base.context;
    *index =
        (crn_hpa){.growth = options->growth, .lazy = options->lazy, .edition = index->edition + 1};
    crn_clusters_divide(&index->clusters, space, options->size, options->rule, options->threshold);
    crn_abstract_open(&index->abstract, context);
    uint32_t size = options->size, count = 0;
    for (uint32_t l = 0; l < options->levels; l++, size *= options->growth) {
        crn_hpa_level *level = &index->level[l];
        *level = (crn_hpa_level){.size = size, .first = count};
        level->columns = (space->grid->width + size - 1) / size;
        level->rows = (space->grid->height + size - 1) / size;
        if (l && level->columns * level->rows == 1) break; /* it would have no borders */
        count += level->columns * level->rows;
        index->levels++;
    }
    index->costliest = crn_alloc_zero(context, crn_mul_size(count, sizeof *index->costliest));
    if (!index->costliest) return false;
    index->cluster_count = count;
    return crn_lists_open(&index->members, context, count, sizeof(crn_hpa_member));
}

void crn_hpa_drop(crn_hpa *index)
{
    cairn_context *context = index->abstract.context;
    if (!context) return;
    crn_hpa_abandon(index);
    crn_abstract_close(&index->abstract);
    crn_lists_close(&index->members);
    crn_free(context, index->costliest, index->cluster_count * sizeof *index->costliest);
    crn_free(context, index->groups, index->group_capacity * sizeof *index->groups);
    crn_free(context, index->tops, index->top_capacity * sizeof *index->tops);
    *index = (crn_hpa){.edition = index->edition};
}

size_t crn_hpa_bytes(const crn_hpa *index)
{
    return crn_abstract_bytes(&index->abstract) + crn_lists_bytes(&index->members) +
           index->cluster_count * sizeof *index->costliest +
           index->group_capacity * sizeof *index->groups +
           index->top_capacity * sizeof *index->tops;
}

static cairn_status hpa_say(cairn_status status, cairn_error *error)
{
    if (status == CAIRN_CANCELLED)
        return crn_fail(error, status, 0, "making the graph of clusters was cancelled");
    if (status == CAIRN_OUT_OF_MEMORY)
        return crn_fail(error, status, 0, "no memory for the graph of clusters");
    return status;
}

static void hpa_mark_all(crn_hpa_job *job)
{
    for (uint32_t i = 0; i < CRN_HPA_STAGES; i++)
        memset(job->dirty[i], true, job->index->cluster_count);
}

cairn_status crn_hpa_build(crn_hpa *index, const crn_grid_space *space,
                           const crn_hpa_options *options, const cairn_progress *progress,
                           cairn_error *error)
{
    crn_hpa_job job;
    cairn_status status = hpa_divide(index, space, options)
                              ? crn_hpa_job_open(&job, index, progress)
                              : CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) {
        hpa_mark_all(&job);
        status = crn_hpa_job_step(&job, UINT64_MAX);
        crn_hpa_job_close(&job);
    }
    if (status != CAIRN_OK) crn_hpa_drop(index);
    return hpa_say(status, error);
}

/* ---- after edits ---- */

/* Marks the clusters that touch what needs a changed cell; how many were not yet marked. */
static uint32_t hpa_mark_dirty(const crn_hpa *index, cairn_node node, bool *touched)
{
    const uint32_t size = index->clusters.size;
    crn_size_box box = crn_edits_box(index->clusters.space, node, 1);
    uint32_t fresh = 0;
    for (uint32_t y = box.top / size; y <= box.bottom / size; y++) {
        for (uint32_t x = box.left / size; x <= box.right / size; x++) {
            bool *mark = &touched[y * index->clusters.columns + x];
            fresh += !*mark;
            *mark = true;
        }
    }
    return fresh;
}

/* Marks the clusters of both ends of a link. */
static void hpa_mark_link(const crn_hpa *index, const cairn_link *link, bool *touched)
{
    touched[crn_clusters_at(&index->clusters, link->from)] = true;
    touched[crn_clusters_at(&index->clusters, link->to)] = true;
}

/* Links that were edited, and those of which an end may have become usable or blocked. */
static void hpa_mark_links(const crn_hpa *index, uint64_t since, bool *touched)
{
    const cairn_grid *grid = index->clusters.space->grid;
    crn_link_edits edits = {.grid = grid, .version = since + 1};
    for (uint32_t i = 0; i < grid->link_count; i++) {
        const cairn_link *link = &grid->links[i];
        if (touched[crn_clusters_at(&index->clusters, link->from)] ||
            touched[crn_clusters_at(&index->clusters, link->to)])
            hpa_mark_link(index, link, touched);
    }
    for (const cairn_link *link; (link = crn_link_edits_next(&edits));)
        hpa_mark_link(index, link, touched);
}

/* Marks the clusters of the lowest level that must be updated. */
static cairn_status hpa_mark_all_dirty(const crn_hpa *index, uint64_t since, bool *touched)
{
    uint32_t count = 0, enough = crn_clusters_count(&index->clusters) / 2;
    crn_edits edits;
    cairn_status status = crn_edits_begin(&edits, index->clusters.space->grid, since);
    if (status != CAIRN_OK) return status;
    for (const cairn_change *change; (change = crn_edits_next(&edits));) {
        count += hpa_mark_dirty(index, change->node, touched);
        if (count > enough + 16) return CAIRN_STALE;
    }
    hpa_mark_links(index, since, touched);
    return CAIRN_OK;
}

/* For both stages; those that are marked already stay so. */
static cairn_status hpa_mark_changed(crn_hpa_job *job, uint64_t since)
{
    const crn_hpa *index = job->index;
    cairn_status status = hpa_mark_all_dirty(index, since, job->dirty[CRN_HPA_NODES]);
    const uint32_t count = crn_clusters_count(&index->clusters);
    const bool *dirty = job->dirty[CRN_HPA_NODES], *next = dirty;
    while (next < dirty + count && (next = memchr(next, true, (size_t)(dirty + count - next)))) {
        job->dirty[CRN_HPA_EDGES][next - dirty] = true;
        next++;
    }
    return status;
}

/* What a repair leaves behind, whatever came of it. */
static void hpa_end_repair(crn_hpa *index)
{
    crn_hpa_reuse(index);
    index->edition++;
}

cairn_status crn_hpa_repair(crn_hpa *index, uint64_t since, bool *touched,
                            const cairn_progress *progress, cairn_error *error)
{
    crn_hpa_job job;
    cairn_status status = crn_hpa_job_open(&job, index, progress);
    if (status != CAIRN_OK) return hpa_say(status, error);
    status = hpa_mark_changed(&job, since);
    if (touched)
        memcpy(touched, job.dirty[CRN_HPA_NODES],
               crn_clusters_count(&index->clusters) * sizeof *touched);
    if (status == CAIRN_OK) status = crn_hpa_job_step(&job, UINT64_MAX);
    crn_hpa_job_close(&job);
    hpa_end_repair(index);
    return hpa_say(status, error);
}

/* ---- in slices ---- */

static cairn_status hpa_begin_job(crn_hpa *index, cairn_error *error)
{
    cairn_context *context = index->clusters.space->base.context;
    crn_hpa_job *job = crn_alloc(context, sizeof *job);
    cairn_status status = job ? crn_hpa_job_open(job, index, NULL) : CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) index->job = job;
    if (status != CAIRN_OK) crn_free(context, job, sizeof *job);
    return hpa_say(status, error);
}

void crn_hpa_abandon(crn_hpa *index)
{
    crn_hpa_job *job = index->job;
    if (!job) return;
    crn_hpa_job_close(job);
    crn_free(index->clusters.space->base.context, job, sizeof *job);
    index->job = NULL;
    hpa_end_repair(index);
}

cairn_status crn_hpa_build_begin(crn_hpa *index, const crn_grid_space *space,
                                 const crn_hpa_options *options, cairn_error *error)
{
    cairn_status status = CAIRN_OUT_OF_MEMORY;
    if (hpa_divide(index, space, options)) status = hpa_begin_job(index, error);
    if (status == CAIRN_OK) hpa_mark_all(index->job);
    if (status != CAIRN_OK) crn_hpa_drop(index);
    return status == CAIRN_OK ? CAIRN_RUNNING : hpa_say(status, error);
}

/* What was found before the commit holds, except near the changes. */
static cairn_status hpa_extend_job(crn_hpa_job *job)
{
    crn_subsearch_close(&job->above);
    crn_hpa_ground_close(&job->ground);
    memset(&job->ground, 0, sizeof job->ground);
    job->stage = CRN_HPA_NODES;
    job->level = job->at = 0;
    return crn_hpa_job_open_searches(job) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

cairn_status crn_hpa_repair_begin(crn_hpa *index, uint64_t since, cairn_error *error)
{
    cairn_status status =
        index->job ? hpa_say(hpa_extend_job(index->job), error) : hpa_begin_job(index, error);
    if (status == CAIRN_OK) status = hpa_mark_changed(index->job, since);
    if (status != CAIRN_OK) crn_hpa_abandon(index);
    return status == CAIRN_OK ? CAIRN_RUNNING : status;
}

cairn_status crn_hpa_step(crn_hpa *index, uint64_t work, cairn_error *error)
{
    cairn_status status = crn_hpa_job_step(index->job, work);
    if (status != CAIRN_RUNNING) crn_hpa_abandon(index);
    return hpa_say(status, error);
}
