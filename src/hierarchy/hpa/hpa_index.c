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

const crn_hpa_member *crn_hpa_find_member(const crn_hpa *index, uint32_t level, cairn_node cell)
{
    uint32_t count;
    const crn_hpa_member *members =
        crn_hpa_members(index, crn_hpa_cluster(index, level, cell), &count);
    if (!count) return NULL;
    size_t at = crn_lower_bound_of(&members->cell, count, sizeof *members, false, cell);
    return at < count && members[at].cell == cell ? &members[at] : NULL;
}

cairn_node crn_hpa_find(const crn_hpa *index, uint32_t level, cairn_node cell)
{
    const crn_hpa_member *member = crn_hpa_find_member(index, level, cell);
    return member ? member->node : CAIRN_NO_NODE;
}

crn_hpa_children crn_hpa_children_of(const crn_hpa *index, uint32_t level, uint32_t cluster)
{
    const crn_hpa_level *above = &index->level[level], *below = above - 1;
    uint32_t x = (cluster - above->first) % above->columns * above->growth,
             y = (cluster - above->first) / above->columns * above->growth;
    return (crn_hpa_children){below->first + y * below->columns + x,
                              crn_min_u32(above->growth, below->columns - x),
                              crn_min_u32(above->growth, below->rows - y), below->columns};
}

cairn_cost crn_hpa_costliest(const crn_hpa *index)
{
    return crn_max_u32(index->cluster_count ? index->costliest[1] : 0, 1);
}

void crn_hpa_set_costliest(crn_hpa *index, uint32_t cluster, cairn_cost cost)
{
    cairn_cost *all = index->costliest;
    size_t at = (size_t)index->cluster_count + cluster;
    all[at] = cost;
    for (at /= 2; at > 0; at /= 2) all[at] = crn_max_u32(all[2 * at], all[2 * at + 1]);
}

/* Levels by the size of the map: a second one where it has this many clusters along the longer
 * side, and others as long as they have a few. */
#define HPA_AUTO_GROWTH 4u
#define HPA_AUTO_MANY 10u
#define HPA_AUTO_FEW 4u

/* By how much the clusters of a level are larger than those of the one below; 0: there is none. */
static uint32_t hpa_growth(const crn_grid_space *space, const crn_hpa_options *options,
                           uint32_t level, uint32_t below)
{
    if (options->levels) return level < options->levels ? options->growth : 0;
    uint32_t side = crn_max_u32(space->grid->width, space->grid->height),
             least = level == 1 ? HPA_AUTO_MANY : HPA_AUTO_FEW;
    return side > (least - 1) * HPA_AUTO_GROWTH * below ? HPA_AUTO_GROWTH : 0;
}

/* Levels, clusters, no nodes; false = no memory. */
static bool hpa_divide(crn_hpa *index, const crn_grid_space *space, const crn_hpa_options *options)
{
    cairn_context *context = space->base.context;
    *index = (crn_hpa){.lazy = options->lazy,
                       .edition = index->edition + 1,
                       .metric = crn_metric_of(&space->base)};
    crn_clusters_divide(&index->clusters, space, options->size, options->rule, options->threshold);
    crn_abstract_open(&index->abstract, context);
    uint32_t size = options->size, count = 0;
    for (uint32_t l = 0, growth = 1; l < CRN_HPA_LEVELS && growth; l++) {
        crn_hpa_level *level = &index->level[l];
        *level = (crn_hpa_level){.size = size, .growth = growth, .first = count};
        level->columns = (space->grid->width + size - 1) / size;
        level->rows = (space->grid->height + size - 1) / size;
        if (l && level->columns * level->rows == 1) break; /* it would have no borders */
        count += level->columns * level->rows;
        index->levels++;
        growth = hpa_growth(space, options, l + 1, size);
        size *= growth;
    }
    index->thin = !options->levels && index->levels > 1;
    index->costliest =
        crn_alloc_zero(context, crn_mul_size(2 * (size_t)count, sizeof *index->costliest));
    if (!index->costliest) return false;
    index->cluster_count = count;
    bool ok = crn_lists_open(&index->members, context, count, sizeof(crn_hpa_member));
    index->abstract.pool.fine = index->members.pool.fine = options->tight ? 2 : 0;
    return ok;
}

/* What a repair leaves behind, whatever came of it. */
static void hpa_end_repair(crn_hpa *index)
{
    crn_hpa_reuse(index);
    index->metric = crn_metric_of(&index->clusters.space->base);
    index->edition++;
}

/* Gives back the memory of jobs. */
static void hpa_end_job(crn_hpa *index)
{
    crn_hpa_job *job = index->job;
    if (!job) return;
    crn_hpa_job_close(job);
    crn_free(index->clusters.space->base.context, job, sizeof *job);
    index->job = NULL;
}

void crn_hpa_drop(crn_hpa *index)
{
    cairn_context *context = index->abstract.context;
    if (!context) return;
    hpa_end_job(index);
    crn_abstract_close(&index->abstract);
    crn_lists_close(&index->members);
    crn_free(context, index->costliest,
             2 * (size_t)index->cluster_count * sizeof *index->costliest);
    crn_free(context, index->groups, index->group_capacity * sizeof *index->groups);
    crn_free(context, index->tops, index->top_capacity * sizeof *index->tops);
    crn_free(context, index->components, index->component_capacity * sizeof *index->components);
    *index = (crn_hpa){.edition = index->edition};
}

size_t crn_hpa_bytes(const crn_hpa *index)
{
    size_t job = index->job ? index->job->memory.bytes + sizeof *index->job : 0;
    return crn_abstract_bytes(&index->abstract) + crn_lists_bytes(&index->members) + job +
           2 * (size_t)index->cluster_count * sizeof *index->costliest +
           index->group_capacity * sizeof *index->groups +
           index->top_capacity * sizeof *index->tops +
           index->component_capacity * sizeof *index->components;
}

/* Leaves room for one item more in 32; false = no memory. */
static bool hpa_trim(cairn_context *context, void **array, size_t *capacity, size_t count,
                     size_t element)
{
    size_t less = count + count / 32;
    if (!count || less >= *capacity) return true;
    void *trimmed = crn_realloc(context, *array, *capacity * element, less * element);
    if (!trimmed) return false;
    *array = trimmed;
    *capacity = less;
    return true;
}

static bool hpa_trim_pool(crn_list_pool *pool)
{
    return hpa_trim(pool->context, &pool->items, &pool->capacity, pool->count, pool->element);
}

bool crn_hpa_trim(crn_hpa *index)
{
    crn_abstract_graph *abstract = &index->abstract;
    cairn_context *context = abstract->context;
    void *nodes = abstract->nodes, *groups = index->groups, *tops = index->tops;
    size_t count = abstract->node_count;
    bool ok = hpa_trim(context, &nodes, &abstract->node_capacity, count, sizeof *abstract->nodes) &&
              hpa_trim(context, &groups, &index->group_capacity, count, sizeof *index->groups) &&
              hpa_trim(context, &tops, &index->top_capacity, count, sizeof *index->tops) &&
              hpa_trim_pool(&abstract->pool) && hpa_trim_pool(&index->members.pool);
    abstract->nodes = nodes;
    abstract->edges = abstract->pool.items;
    index->groups = groups;
    index->tops = tops;
    return ok;
}

static cairn_status hpa_say(cairn_status status, cairn_error *error)
{
    if (status == CAIRN_CANCELLED)
        return crn_fail(error, status, 0, "making the graph of clusters was cancelled");
    if (status == CAIRN_OUT_OF_MEMORY)
        return crn_fail(error, status, 0, "no memory for the graph of clusters");
    return status;
}

cairn_status crn_hpa_build(crn_hpa *index, const crn_grid_space *space,
                           const crn_hpa_options *options, const cairn_progress *progress,
                           cairn_error *error)
{
    crn_hpa_job job;
    cairn_status status = hpa_divide(index, space, options) ? crn_hpa_job_open(&job, index, true)
                                                            : CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) {
        job.progress = progress;
        status = crn_hpa_job_step(&job, UINT64_MAX);
        index->work = job.work;
        crn_hpa_job_close(&job);
    }
    if (status != CAIRN_OK) crn_hpa_drop(index);
    return hpa_say(status, error);
}

/* ---- after edits ---- */

/* Marks a cluster of the lowest level, and counts it if it was clean. Where nodes are few, it is
 * noticed if other transitions lead out of it (hpa_thin.c): then it is marked again for its
 * edges. */
static bool hpa_mark(crn_hpa_job *job, uint32_t cluster, uint8_t how, uint32_t *fresh)
{
    *fresh += !job->dirty[CRN_HPA_NODES][cluster];
    if (!job->index->thin) return crn_hpa_job_mark(job, CRN_HPA_NODES, 0, cluster, how);
    return crn_hpa_job_mark_stage(job, CRN_HPA_NODES, 0, cluster, how) &&
           crn_hpa_job_mark(job, CRN_HPA_EDGES, 0, cluster, CRN_HPA_DIRTY_INSIDE);
}

/* Marks the clusters that touch what needs a changed cell. If that is one only, with a margin of a
 * cell, what leads out of it is the same as before. */
static bool hpa_mark_cell(crn_hpa_job *job, cairn_node node, uint32_t *fresh)
{
    const crn_clusters *clusters = &job->index->clusters;
    crn_size_box box = crn_edits_box(clusters->space, node, 1);
    uint32_t left = box.left / clusters->size, right = box.right / clusters->size,
             top = box.top / clusters->size, bottom = box.bottom / clusters->size;
    uint8_t how = left == right && top == bottom ? CRN_HPA_DIRTY_INSIDE : CRN_HPA_DIRTY;
    crn_hpa_near_add(&job->near, job->index, node, box);
    for (uint32_t y = top; y <= bottom; y++) {
        for (uint32_t x = left; x <= right; x++) {
            if (!hpa_mark(job, y * clusters->columns + x, how, fresh)) return false;
        }
    }
    return true;
}

/* Did an edit of cells make a cluster dirty? */
static bool hpa_touches(const crn_hpa_job *job, uint32_t cluster)
{
    uint8_t dirty = job->dirty[CRN_HPA_NODES][cluster];
    return dirty == CRN_HPA_DIRTY || dirty == CRN_HPA_DIRTY_INSIDE;
}

/* Marks the clusters of both ends of a link. Where cells were edited, it may be these ends. */
static bool hpa_mark_link(crn_hpa_job *job, const cairn_link *link, uint32_t *fresh)
{
    cairn_node ends[2] = {link->from, link->to};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t cluster = crn_clusters_at(&job->index->clusters, ends[i]);
        uint8_t how = hpa_touches(job, cluster) ? CRN_HPA_DIRTY : CRN_HPA_DIRTY_BY_LINK;
        if (!hpa_mark(job, cluster, how, fresh) ||
            !crn_hpa_job_mark(job, CRN_HPA_EDGES, 0, cluster, how))
            return false;
    }
    return true;
}

/* What is read in a unit of work: edited cells, links or edited links. */
enum { READ_CELLS = 128, READ_LINKS = 1024, READ_EDITS = 64 };

/* Begins to read what was committed after a version; or goes on, as another commit has come. */
static cairn_status hpa_begin_reading(crn_hpa_job *job, uint64_t since)
{
    const cairn_grid *grid = job->index->clusters.space->grid;
    crn_hpa_reading *reading = &job->reading;
    crn_edits edits;
    if (reading->begun) since = reading->since;
    cairn_status status = crn_edits_begin(&edits, grid, since);
    if (status != CAIRN_OK) return status;
    if (!reading->begun)
        *reading = (crn_hpa_reading){.begun = true, .since = since, .edits = edits};
    reading->cells = false;
    reading->link = 0;
    reading->links = (crn_link_edits){.grid = grid, .version = since + 1};
    return CAIRN_OK;
}

static cairn_status hpa_read_cells(crn_hpa_job *job)
{
    uint32_t enough = crn_clusters_count(&job->index->clusters) / 2;
    crn_hpa_reading *reading = &job->reading;
    for (uint32_t left = READ_CELLS; left; left--) {
        const cairn_change *change = crn_edits_next(&reading->edits);
        reading->cells = !change;
        if (!change) break;
        if (!hpa_mark_cell(job, change->node, &reading->fresh)) return CAIRN_OUT_OF_MEMORY;
        if (reading->fresh > enough + 16) return CAIRN_STALE;
    }
    return CAIRN_RUNNING;
}

/* Those of which an end may have become usable or blocked. */
static cairn_status hpa_read_links(crn_hpa_job *job)
{
    const crn_clusters *clusters = &job->index->clusters;
    const cairn_grid *grid = clusters->space->grid;
    crn_hpa_reading *reading = &job->reading;
    for (uint32_t left = READ_LINKS; left && reading->link < grid->link_count; left--) {
        const cairn_link *link = &grid->links[reading->link++];
        if (!hpa_touches(job, crn_clusters_at(clusters, link->from)) &&
            !hpa_touches(job, crn_clusters_at(clusters, link->to)))
            continue;
        left -= crn_min_u32(left - 1, READ_LINKS / READ_EDITS);
        if (!hpa_mark_link(job, link, &reading->fresh)) return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_RUNNING;
}

static cairn_status hpa_read_link_edits(crn_hpa_job *job)
{
    for (uint32_t left = READ_EDITS; left; left--) {
        const cairn_link *link = crn_link_edits_next(&job->reading.links);
        if (!link) return CAIRN_OK;
        job->near.known = false; /* what paths cost elsewhere may have changed as well */
        if (!hpa_mark_link(job, link, &job->reading.fresh)) return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_RUNNING;
}

cairn_status crn_hpa_read_on(crn_hpa_job *job)
{
    if (!job->reading.cells) return hpa_read_cells(job);
    if (job->reading.link < job->index->clusters.space->grid->link_count)
        return hpa_read_links(job);
    cairn_status status = hpa_read_link_edits(job);
    job->reading.begun = status == CAIRN_RUNNING;
    return status;
}

/* The job of a build or repair in slices, or of a repair: the one that was kept, or a new one. */
static cairn_status hpa_begin_job(crn_hpa *index, bool whole)
{
    cairn_context *context = index->clusters.space->base.context;
    if (!index->job) {
        crn_hpa_job *job = crn_alloc(context, sizeof *job);
        cairn_status status = job ? crn_hpa_job_open(job, index, whole) : CAIRN_OUT_OF_MEMORY;
        if (status != CAIRN_OK) {
            crn_free(context, job, sizeof *job);
            return status;
        }
        index->job = job;
    }
    crn_hpa_job_begin(index->job);
    return CAIRN_OK;
}

cairn_status crn_hpa_repair(crn_hpa *index, uint64_t since, const cairn_progress *progress,
                            cairn_error *error)
{
    cairn_status status = hpa_begin_job(index, false);
    if (status != CAIRN_OK) return hpa_say(status, error);
    crn_hpa_job *job = index->job;
    job->progress = progress;
    job->reading.begun = false; /* what was read before was given up */
    status = hpa_begin_reading(job, since);
    if (status == CAIRN_OK) status = crn_hpa_job_step(job, UINT64_MAX);
    index->work = job->work;
    job->progress = NULL;
    hpa_end_repair(index);
    return hpa_say(status, error);
}

const uint32_t *crn_hpa_repaired(const crn_hpa *index, uint32_t *count)
{
    const crn_nodes *list = &index->job->lists[CRN_HPA_NODES][0];
    *count = (uint32_t)list->count;
    return list->items;
}

crn_hpa_ground *crn_hpa_repair_ground(const crn_hpa *index)
{
    return &index->job->ground;
}

/* ---- in slices ---- */

void crn_hpa_abandon(crn_hpa *index)
{
    if (!index->job) return;
    hpa_end_job(index);
    hpa_end_repair(index);
}

cairn_status crn_hpa_build_begin(crn_hpa *index, const crn_grid_space *space,
                                 const crn_hpa_options *options, cairn_error *error)
{
    cairn_status status = CAIRN_OUT_OF_MEMORY;
    if (hpa_divide(index, space, options)) status = hpa_begin_job(index, true);
    if (status != CAIRN_OK) crn_hpa_drop(index);
    return status == CAIRN_OK ? CAIRN_RUNNING : hpa_say(status, error);
}

/* What a running job found before the commit holds, except near the changes. */
cairn_status crn_hpa_repair_begin(crn_hpa *index, uint64_t since, cairn_error *error)
{
    cairn_status status = hpa_begin_job(index, false);
    if (status == CAIRN_OK) status = hpa_begin_reading(index->job, since);
    if (status != CAIRN_OK) crn_hpa_abandon(index);
    return status == CAIRN_OK ? CAIRN_RUNNING : hpa_say(status, error);
}

/* The memory of a repair is kept for the next one. */
cairn_status crn_hpa_step(crn_hpa *index, uint64_t *work, cairn_error *error)
{
    cairn_status status = crn_hpa_job_step(index->job, *work);
    *work -= index->job->work < *work ? index->job->work : *work; /* more if that has failed */
    if (status == CAIRN_RUNNING) return status;
    if (status == CAIRN_OK && !index->job->whole) {
        hpa_end_repair(index);
    } else {
        crn_hpa_abandon(index);
    }
    return hpa_say(status, error);
}
