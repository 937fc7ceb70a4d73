/* hpa_job.c: finding the nodes and edges of dirty clusters, cluster by cluster. See hpa_job.h. */
#include "hierarchy/hpa/hpa_job.h"

#define HPA_REPORT 64u /* clusters between two reports */

/* ---- numbers of nodes ---- */

static cairn_node hpa_take(crn_hpa *index)
{
    if (index->vacant) {
        cairn_node node = index->vacant - 1;
        index->vacant = index->groups[node];
        return node;
    }
    cairn_context *context = index->abstract.context;
    void *groups = index->groups, *tops = index->tops;
    size_t need = index->abstract.node_count + 1;
    bool ok = crn_grow(context, &groups, &index->group_capacity, need, sizeof *index->groups);
    ok = ok && crn_grow(context, &tops, &index->top_capacity, need, sizeof *index->tops);
    index->groups = groups;
    index->tops = ok ? tops : index->tops;
    void *components = index->components;
    if (index->thin)
        ok = ok && crn_grow(context, &components, &index->component_capacity, need,
                            sizeof *index->components);
    index->components = components;
    if (ok && index->thin) index->components[need - 1] = 0;
    return ok ? crn_abstract_add(&index->abstract, 0, 0) : CAIRN_NO_NODE;
}

static void hpa_give(crn_hpa *index, cairn_node node)
{
    crn_abstract_connect(&index->abstract, node, NULL, 0); /* giving places back needs no memory */
    if (index->thin) index->components[node] = 0;
    index->groups[node] = index->retired;
    index->retired = node + 1;
}

/* From now on their numbers can be used again. */
void crn_hpa_reuse(crn_hpa *index)
{
    while (index->retired) {
        uint32_t next = index->groups[index->retired - 1];
        index->groups[index->retired - 1] = index->vacant;
        index->vacant = index->retired;
        index->retired = next;
    }
}

static bool hpa_job_grow(crn_hpa_job *job, void *array_address, size_t *capacity, size_t need,
                         size_t element)
{
    void *array;
    memcpy(&array, array_address, sizeof array);
    bool ok = crn_scratch_grow(&job->memory, &array, capacity, need, element);
    memcpy(array_address, &array, sizeof array);
    return ok;
}

void crn_hpa_job_close(crn_hpa_job *job)
{
    crn_scratch *memory = &job->memory;
    uint32_t clusters = job->index->cluster_count;
    crn_hpa_rows_close(&job->rows);
    crn_hpa_past_close(&job->past);
    crn_hpa_ground_close(&job->ground);
    for (uint32_t i = 0; i < CRN_HPA_STAGES; i++) {
        crn_scratch_free(memory, job->dirty[i], clusters);
        for (uint32_t l = 0; l < CRN_HPA_LEVELS; l++) crn_nodes_close(&job->lists[i][l], memory);
    }
    crn_scratch_free(memory, job->choices, clusters * sizeof *job->choices);
    crn_nodes_close(&job->bays, memory);
    crn_exits_close(&job->exits, memory);
    crn_scratch_free(memory, job->transitions, job->transition_capacity * sizeof *job->transitions);
    crn_scratch_free(memory, job->members, job->member_capacity * sizeof *job->members);
    crn_scratch_free(memory, job->edges, job->edge_capacity * sizeof *job->edges);
    crn_scratch_free(memory, job->detours, job->detour_capacity * sizeof *job->detours);
    crn_scratch_free(memory, job->pairs, job->pair_capacity * sizeof *job->pairs);
    crn_scratch_free(memory, job->roots, job->root_capacity * sizeof *job->roots);
}

cairn_status crn_hpa_job_open(crn_hpa_job *job, crn_hpa *index, bool whole)
{
    const crn_grid_space *space = index->clusters.space;
    *job =
        (crn_hpa_job){.index = index, .memory = {.context = space->base.context}, .whole = whole};
    job->ground.shown = CAIRN_NO_NODE;
    crn_hpa_rows_open(&job->rows, &job->memory);
    job->past.memory = &job->memory;
    bool ok = crn_hpa_ground_open(&job->ground, &job->memory, NULL, space) == CAIRN_OK;
    if (ok && index->thin) {
        size_t size = index->cluster_count * sizeof *job->choices;
        job->choices = crn_scratch_alloc(&job->memory, size);
        ok = job->choices;
        if (ok) memset(job->choices, whole ? UINT8_MAX : 0, size);
    }
    if (!whole && index->levels > 1)
        ok = ok && crn_hpa_rows_reserve(&job->rows, index->abstract.node_count);
    for (uint32_t i = 0; i < CRN_HPA_STAGES && ok; i++) {
        job->dirty[i] = crn_scratch_alloc(&job->memory, index->cluster_count);
        ok = job->dirty[i];
        if (ok) memset(job->dirty[i], whole ? CRN_HPA_DIRTY : CRN_HPA_CLEAN, index->cluster_count);
    }
    if (ok) return CAIRN_OK;
    crn_hpa_job_close(job);
    return CAIRN_OUT_OF_MEMORY;
}

/* Drops what was done of a list. */
static void hpa_job_drop(crn_hpa_job *job, crn_hpa_stage stage, uint32_t level)
{
    crn_nodes *list = &job->lists[stage][level];
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (job->dirty[stage][list->items[i]]) list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

void crn_hpa_job_begin(crn_hpa_job *job)
{
    for (crn_hpa_stage stage = CRN_HPA_NODES; stage < CRN_HPA_STAGES; stage++) {
        for (uint32_t level = 0; level < job->index->levels; level++)
            hpa_job_drop(job, stage, level);
    }
    crn_hpa_ground_show(&job->ground, job->index, CAIRN_NO_NODE);
    crn_part_refresh(&job->ground.part);
    crn_subsearch_rest(&job->ground.subsearch);
    if (job->busy) {
        crn_hpa_near_continue(&job->near, job->index);
    } else {
        crn_hpa_near_begin(&job->near, job->index);
        crn_hpa_past_clear(&job->past);
        job->parted = false;
    }
    job->memory.failed = false;
    job->busy = true;
    job->finding = (crn_hpa_finding){0};
    job->sorts = false;
    job->stage = CRN_HPA_NODES;
    job->level = job->at = 0;
    job->done = 0;
}

bool crn_hpa_job_mark_stage(crn_hpa_job *job, crn_hpa_stage stage, uint32_t level, uint32_t cluster,
                            uint8_t how)
{
    uint8_t *dirty = &job->dirty[stage][cluster];
    bool clean = !*dirty;
    *dirty = job->whole || (!clean && *dirty != how) ? CRN_HPA_DIRTY : how;
    if (!clean || job->whole) return true;
    return crn_nodes_push(&job->lists[stage][level], &job->memory, cluster);
}

bool crn_hpa_job_mark(crn_hpa_job *job, crn_hpa_stage stage, uint32_t level, uint32_t cluster,
                      uint8_t how)
{
    crn_hpa_stage end = job->index->lazy ? CRN_HPA_EDGES : CRN_HPA_STAGES;
    for (; stage < end; stage++) {
        if (!crn_hpa_job_mark_stage(job, stage, level, cluster, how)) return false;
    }
    return true;
}

bool crn_hpa_job_reserve_pair(crn_hpa_job *job)
{
    return hpa_job_grow(job, &job->pairs, &job->pair_capacity, (size_t)job->pair_count + 2,
                        sizeof *job->pairs);
}

bool crn_hpa_job_reserve_transitions(crn_hpa_job *job, uint32_t count)
{
    return hpa_job_grow(job, &job->transitions, &job->transition_capacity, count,
                        sizeof *job->transitions);
}

bool crn_hpa_job_reserve_edges(crn_hpa_job *job, size_t count)
{
    return hpa_job_grow(job, &job->edges, &job->edge_capacity, count, sizeof *job->edges);
}

/* ---- which cells are nodes ---- */

/* A cell is a node of a cluster now, or is none any more. */
static bool hpa_note(crn_hpa_job *job, uint32_t cluster, cairn_node cell, bool *changed)
{
    *changed = true;
    bool above = job->index->thin && cluster >= job->index->level[1].first;
    return !above || crn_hpa_thin_mark_around(job, job->level, cell);
}

/* A node is none any more. */
static bool hpa_give_up(crn_hpa_job *job, uint32_t cluster, const crn_hpa_member *member,
                        bool *changed)
{
    bool below = job->level + 1 < job->index->levels && !job->whole &&
                 crn_hpa_kept(job->index, member->node);
    if (!hpa_note(job, cluster, member->cell, changed) ||
        (below && !crn_hpa_past_add(&job->past, job->index, job->level, member->node, true)))
        return false;
    hpa_give(job->index, member->node);
    return true;
}

/* Makes these cells the nodes of a cluster; those that were stay what they were. *changed: it is
 * not the same as before. */
static cairn_status hpa_place_transitions(crn_hpa_job *job, uint32_t cluster, uint32_t count,
                                          bool *changed)
{
    crn_hpa *index = job->index;
    const cairn_space *ground = &index->clusters.space->base;
    uint32_t old_count, kept = 0;
    if (!hpa_job_grow(job, &job->members, &job->member_capacity, (size_t)count + 1,
                      sizeof *job->members))
        return CAIRN_OUT_OF_MEMORY;
    const crn_hpa_member *old = crn_hpa_members(index, cluster, &old_count);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node cell = job->transitions[i].cell;
        for (; kept < old_count && old[kept].cell < cell; kept++) {
            if (!hpa_give_up(job, cluster, &old[kept], changed)) return CAIRN_OUT_OF_MEMORY;
        }
        bool same = kept < old_count && old[kept].cell == cell;
        cairn_node node = same ? old[kept++].node : hpa_take(index);
        if (node == CAIRN_NO_NODE) return CAIRN_OUT_OF_MEMORY;
        if (!same && !hpa_note(job, cluster, cell, changed)) return CAIRN_OUT_OF_MEMORY;
        if (same && index->tops[node] != job->transitions[i].top) *changed = true;
        index->groups[node] = cluster;
        index->tops[node] = (uint8_t)job->transitions[i].top;
        crn_abstract_node *place = &index->abstract.nodes[node];
        crn_abstract_position(ground, cell, &place->x, &place->y);
        job->members[i] = (crn_hpa_member){node, cell};
    }
    for (; kept < old_count; kept++) {
        if (!hpa_give_up(job, cluster, &old[kept], changed)) return CAIRN_OUT_OF_MEMORY;
    }
    return crn_lists_set(&index->members, cluster, job->members, count) ? CAIRN_OK
                                                                        : CAIRN_OUT_OF_MEMORY;
}

/* Makes the cells by which a cluster is left or entered its nodes. */
static cairn_status hpa_place_exits(crn_hpa_job *job, uint32_t cluster, bool *changed)
{
    uint32_t count = 0;
    if (!crn_clusters_transitions(&job->index->clusters, cluster, &job->memory, &job->exits) ||
        !crn_hpa_job_reserve_transitions(job, job->exits.count))
        return CAIRN_OUT_OF_MEMORY;
    const crn_exit *exits = job->exits.items;
    for (uint32_t i = 0; i < job->exits.count; i++) {
        uint32_t top = crn_hpa_crossed(job->index, exits[i].from, exits[i].to);
        if (!i || exits[i].from != exits[i - 1].from) {
            job->transitions[count++] = (crn_hpa_transition){exits[i].from, top};
        } else {
            job->transitions[count - 1].top = crn_max_u32(job->transitions[count - 1].top, top);
        }
    }
    return hpa_place_transitions(job, cluster, count, changed);
}

static cairn_status hpa_transitions_of_ground(crn_hpa_job *job, uint32_t cluster, uint8_t how,
                                              bool *changed)
{
    bool inside = how == CRN_HPA_DIRTY_INSIDE;
    cairn_status status = inside ? CAIRN_OK : hpa_place_exits(job, cluster, changed);
    job->placed = *changed;
    if (status != CAIRN_OK || !job->index->thin) return status;
    job->stepped = false;
    if (inside && !crn_hpa_near_parts(&job->near, job->index)) return CAIRN_OK;
    bool ok = crn_hpa_thin_component_ground(job, cluster, !inside, changed);
    job->placed = job->placed || job->stepped;
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static bool hpa_transition_before(const void *a, const void *b)
{
    return ((const crn_hpa_transition *)a)->cell < ((const crn_hpa_transition *)b)->cell;
}

/* The nodes of its children that lie at its own border; false = no memory. */
static bool hpa_gather_transitions(crn_hpa_job *job, uint32_t level, uint32_t cluster,
                                   uint32_t *found)
{
    const crn_hpa *index = job->index;
    crn_hpa_children children = crn_hpa_children_of(index, level, cluster);
    uint32_t count = 0;
    for (uint32_t i = 0; i < children.columns * children.rows; i++) {
        uint32_t member_count;
        const crn_hpa_member *members =
            crn_hpa_members(index, crn_hpa_child(&children, i), &member_count);
        if (!crn_hpa_job_reserve_transitions(job, count + member_count)) return false;
        for (uint32_t k = 0; k < member_count; k++) {
            uint32_t top = index->tops[members[k].node];
            if (top >= level)
                job->transitions[count++] = (crn_hpa_transition){members[k].cell, top};
        }
    }
    *found = count;
    return true;
}

/* Makes the cells of job->transitions the nodes of a larger cluster. */
static cairn_status hpa_place_found(crn_hpa_job *job, uint32_t cluster, uint32_t found,
                                    bool *changed)
{
    uint32_t count = 0;
    crn_sort(job->transitions, found, sizeof *job->transitions, hpa_transition_before);
    for (uint32_t i = 0; i < found; i++) {
        if (!count || job->transitions[count - 1].cell != job->transitions[i].cell)
            job->transitions[count++] = job->transitions[i];
    }
    return hpa_place_transitions(job, cluster, count, changed);
}

/* All of them, or a few. */
static cairn_status hpa_transitions_above(crn_hpa_job *job, uint32_t cluster, uint8_t how,
                                          bool *changed)
{
    const crn_hpa *index = job->index;
    uint32_t found = 0, level = job->level;
    bool same = false, ok = index->thin ? crn_hpa_thin_choose(job, level, cluster, &found, &same)
                                        : hpa_gather_transitions(job, level, cluster, &found);
    if (!ok) return CAIRN_OUT_OF_MEMORY;
    cairn_status status = same ? CAIRN_OK : hpa_place_found(job, cluster, found, changed);
    job->placed = *changed;
    if (status != CAIRN_OK || !index->thin || level + 1 == index->levels) return status;
    if (how == CRN_HPA_DIRTY_INSIDE && !*changed) return status;
    return crn_hpa_thin_component_above(job, level, cluster, changed) ? CAIRN_OK
                                                                      : CAIRN_OUT_OF_MEMORY;
}

/* ---- all of it ---- */

/* Each cluster is visited twice: for its nodes and for its edges. */
static bool hpa_report(crn_hpa_job *job, uint32_t clusters)
{
    uint64_t total = (uint64_t)job->index->cluster_count * (job->index->lazy ? 1 : 2),
             before = job->done;
    job->done += clusters;
    if (before == 0 && !crn_progress(job->progress, 0, total)) return false;
    return (before / HPA_REPORT == job->done / HPA_REPORT && job->done != total) ||
           crn_progress(job->progress, job->done, total);
}

static uint32_t hpa_level_clusters(const crn_hpa *index, uint32_t level)
{
    return index->level[level].columns * index->level[level].rows;
}

/* The cluster of the next level that holds this one. */
static uint32_t hpa_parent(const crn_hpa *index, uint32_t level, uint32_t cluster)
{
    const crn_hpa_level *l = &index->level[level], *above = l + 1;
    uint32_t i = cluster - l->first;
    return above->first + i / l->columns / above->growth * above->columns +
           i % l->columns / above->growth;
}

/* The nodes of a cluster, or its edges. *changed: they are not the same as before. */
static cairn_status hpa_find(crn_hpa_job *job, uint32_t cluster, uint8_t how, bool *changed)
{
    if (how == CRN_HPA_DIRTY_ABOVE) return crn_hpa_lead_above(job, cluster, changed);
    if (job->stage == CRN_HPA_NODES)
        return job->level ? hpa_transitions_above(job, cluster, how, changed)
                          : hpa_transitions_of_ground(job, cluster, how, changed);
    return job->level ? crn_hpa_connect_above(job, cluster, how, changed)
                      : crn_hpa_connect_ground(job, cluster, how, changed);
}

/* Other nodes than before are connected in a cluster. Which of its edges are others is seen later,
 * unless many cells have changed. */
static bool hpa_mark_parted(crn_hpa_job *job, uint32_t cluster)
{
    job->parted = true;
    return job->near.cell != CAIRN_NO_NODE || job->level ||
           crn_hpa_job_mark(job, CRN_HPA_EDGES, 0, cluster, CRN_HPA_DIRTY);
}

/* The nodes of a cluster are others now: so are its edges, and where few are chosen, perhaps the
 * nodes of larger clusters around it. What the choices of still larger ones depend on may have
 * changed only if the same nodes have other steps. */
static bool hpa_mark_choices(crn_hpa_job *job, uint32_t cluster)
{
    const crn_hpa *index = job->index;
    if (job->placed ? !crn_hpa_job_mark(job, CRN_HPA_EDGES, job->level, cluster, CRN_HPA_DIRTY)
                    : !hpa_mark_parted(job, cluster))
        return false;
    uint32_t end = !index->thin ? 0 : job->level || !job->stepped ? job->level + 1 : index->levels;
    for (uint32_t l = job->level, at = cluster; l < end && l + 1 < index->levels; l++) {
        if (!crn_hpa_thin_mark_choices(job, l, at)) return false;
        at = hpa_parent(index, l, at);
    }
    return true;
}

/* A cluster whose child has other nodes has others itself, and other edges. Where few are chosen,
 * that is seen when they are. Edges that only lead to other nodes of higher levels cost the same:
 * those of larger clusters that do so are marked. */
static bool hpa_mark_changed_cluster(crn_hpa_job *job, uint32_t cluster, uint8_t how)
{
    const crn_hpa *index = job->index;
    if (job->stage == CRN_HPA_NODES && !hpa_mark_choices(job, cluster)) return false;
    if (how == CRN_HPA_DIRTY_ABOVE || job->level + 1 == index->levels ||
        (index->thin && job->stage == CRN_HPA_NODES))
        return true;
    bool inside = how == CRN_HPA_DIRTY_INSIDE && job->stage == CRN_HPA_EDGES;
    return crn_hpa_job_mark(job, job->stage, job->level + 1, hpa_parent(index, job->level, cluster),
                            inside ? CRN_HPA_DIRTY_INSIDE : CRN_HPA_DIRTY);
}

/* Passing up to 64 clean clusters is a unit of work. So is a dirty one, beside its searches. */
#define HPA_CLEAN_CLUSTERS 64u

/* Builds: passes the clean clusters up to the next dirty one; `dirty` begins with the first of
 * them. */
static cairn_status hpa_pass_clean(crn_hpa_job *job, const uint8_t *dirty)
{
    uint32_t left = hpa_level_clusters(job->index, job->level) - job->at;
    uint32_t most = crn_min_u32(left, HPA_CLEAN_CLUSTERS);
    const uint8_t *next = memchr(dirty, CRN_HPA_DIRTY, most);
    uint32_t clean = next ? (uint32_t)(next - dirty) : most;
    job->at += clean - 1; /* the last one is added as any cluster is */
    return hpa_report(job, clean) ? CAIRN_OK : CAIRN_CANCELLED;
}

static const crn_nodes *hpa_list(const crn_hpa_job *job)
{
    return &job->lists[job->stage][job->level];
}

/* Works on the cluster whose turn it is if it is dirty: CAIRN_RUNNING = there is more to do. Passes
 * clean ones otherwise. */
static cairn_status hpa_work_cluster(crn_hpa_job *job)
{
    uint32_t cluster =
        job->whole ? job->index->level[job->level].first + job->at : hpa_list(job)->items[job->at];
    uint8_t *dirty = &job->dirty[job->stage][cluster];
    bool changed = false;
    job->work += !job->finding.begun;
    if (!*dirty) return hpa_pass_clean(job, dirty);
    if (!job->finding.begun && !hpa_report(job, 1)) return CAIRN_CANCELLED;
    uint8_t how = *dirty;
    *dirty = CRN_HPA_CLEAN;
    cairn_status status = hpa_find(job, cluster, how, &changed);
    if (status == CAIRN_RUNNING) *dirty = how; /* a commit may come before the rest */
    if (changed && !hpa_mark_changed_cluster(job, cluster, how)) return CAIRN_OUT_OF_MEMORY;
    return status;
}

static bool hpa_cluster_before(const void *a, const void *b)
{
    return *(const uint32_t *)a < *(const uint32_t *)b;
}

/* Before the first cluster of a level: brings its list into order. A short one takes no work.
 * False: that is not done yet. */
static bool hpa_enter_level(crn_hpa_job *job)
{
    enum { SIFTS = 128 };
    crn_nodes *list = &job->lists[job->stage][job->level];
    if (!job->sorts) job->sorting = crn_sorting_of(list->count);
    job->sorts = true;
    if (list->count > SIFTS) job->work++;
    return crn_sort_go_on(&job->sorting, list->items, sizeof *list->items, hpa_cluster_before,
                          SIFTS);
}

/* How many clusters the level has, or its list. */
static size_t hpa_turns(const crn_hpa_job *job)
{
    return job->whole ? hpa_level_clusters(job->index, job->level) : hpa_list(job)->count;
}

/* The next level or stage. */
static cairn_status hpa_leave_level(crn_hpa_job *job)
{
    uint32_t passed = hpa_level_clusters(job->index, job->level) - job->at;
    if (passed && !hpa_report(job, passed)) return CAIRN_CANCELLED;
    job->at = 0;
    if (++job->level < job->index->levels) return CAIRN_OK;
    job->level = 0;
    job->stage = job->index->lazy ? CRN_HPA_STAGES : job->stage + 1;
    return CAIRN_OK;
}

/* Are there bays to be found, once all nodes of the lowest level are known? */
static bool hpa_has_bays(const crn_hpa_job *job)
{
    return job->bays.count && job->stage == CRN_HPA_NODES && !job->level;
}

/* The next cluster of the level, or its next bays. */
static cairn_status hpa_work(crn_hpa_job *job)
{
    if (job->at == hpa_turns(job)) {
        job->work++;
        return crn_hpa_thin_next_bays(job) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    }
    if (!job->at && !job->finding.begun && !hpa_enter_level(job)) return CAIRN_OK;
    job->sorts = false;
    cairn_status status = hpa_work_cluster(job);
    if (status == CAIRN_RUNNING) return CAIRN_OK;
    job->finding = (crn_hpa_finding){0};
    job->at++;
    return status;
}

/* The slice is used up; and what was done above it is still owed. */
static cairn_status hpa_pause(crn_hpa_job *job, uint64_t work)
{
    job->owed = job->work - work;
    job->work = work;
    return CAIRN_RUNNING;
}

/* Some more of what was committed. A few cells and links take no work: so commits that come all the
 * time do not take all of it. */
static cairn_status hpa_read(crn_hpa_job *job)
{
    enum { FEW_CELLS = 16, FEW_LINKS = 512 };
    const cairn_grid *grid = job->index->clusters.space->grid;
    bool few = crn_edits_left(&job->reading.edits) <= FEW_CELLS && grid->link_count <= FEW_LINKS;
    cairn_status status = crn_hpa_read_on(job);
    bool many = status == CAIRN_RUNNING && job->reading.links.next; /* links were edited */
    job->work += many || !few;
    return status == CAIRN_RUNNING ? CAIRN_OK : status;
}

cairn_status crn_hpa_job_step(crn_hpa_job *job, uint64_t work)
{
    cairn_status status = CAIRN_OK;
    for (job->work = job->owed; status == CAIRN_OK && job->stage < CRN_HPA_STAGES;) {
        if (job->reading.begun) {
            if (job->work >= work) return hpa_pause(job, work);
            status = hpa_read(job);
            continue;
        }
        if (job->at == hpa_turns(job) && !hpa_has_bays(job)) {
            status = hpa_leave_level(job);
            continue;
        }
        if (job->work >= work) return hpa_pause(job, work);
        status = hpa_work(job);
    }
    if (status == CAIRN_OK && job->work > work) return hpa_pause(job, work);
    job->owed = 0;
    crn_hpa_ground_show(&job->ground, job->index, CAIRN_NO_NODE);
    job->busy = status != CAIRN_OK;
    return status;
}
