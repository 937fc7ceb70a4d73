/* hierarchical_astar_index.c: grouping nodes into stars, level by level; files. See
 * hierarchical_astar_index.h. */
#include "hierarchy/hierarchical_astar/hierarchical_astar_index.h"

#define STARS_REPORT 65536u /* nodes between two reports */
#define STARS_BATCH 64u
#define STARS_SECTION "index.stars"

/* Work on one level. */
typedef struct stars_job {
    cairn_context *context;
    const cairn_space *below;
    uint32_t radius;
    uint32_t *groups; /* of the nodes below */
    uint32_t *order;  /* those nodes, group by group */
    uint32_t *first;  /* where each group begins in it, and where the last one ends */
    size_t first_capacity;
    uint32_t count; /* of groups */
    crn_abstract_graph abstract;
    cairn_edge *edges; /* of a group */
    size_t edge_capacity;
} stars_job;

/* ---- groups ---- */

/* Adds to a group all nodes in no group that edges of a node lead to. */
static uint32_t stars_take(stars_job *job, cairn_node node, uint32_t group, uint32_t end)
{
    cairn_edge edges[STARS_BATCH];
    for (uint32_t first = 0, count = STARS_BATCH; count == STARS_BATCH; first += count) {
        count = job->below->functions->expand(job->below, node, first, edges, STARS_BATCH);
        for (uint32_t i = 0; i < count; i++) {
            if (job->groups[edges[i].node] != CAIRN_NO_NODE) continue;
            job->groups[edges[i].node] = group;
            job->order[end++] = edges[i].node;
        }
    }
    return end;
}

/* The group of a node that is in none; it begins at `begin` in the order. Returns where it ends. */
static uint32_t stars_group(stars_job *job, cairn_node centre, uint32_t begin)
{
    uint32_t end = begin, next = begin;
    job->groups[centre] = job->count;
    job->order[end++] = centre;
    for (uint32_t away = 0; away < job->radius; away++) {
        for (uint32_t rim = end; next < rim; next++)
            end = stars_take(job, job->order[next], job->count, end);
    }
    return end;
}

static bool stars_note_begin(stars_job *job, uint32_t begin)
{
    void *first = job->first;
    bool ok = crn_grow(job->context, &first, &job->first_capacity, (size_t)job->count + 1,
                       sizeof *job->first);
    job->first = first;
    if (ok) job->first[job->count] = begin;
    return ok;
}

static cairn_status stars_group_all(stars_job *job, uint32_t nodes, const cairn_progress *progress)
{
    uint32_t end = 0;
    memset(job->groups, 0xff, nodes * sizeof *job->groups);
    for (cairn_node node = 0; node < nodes; node++) {
        if (node % STARS_REPORT == 0 && !crn_progress(progress, node, nodes))
            return CAIRN_CANCELLED;
        if (job->groups[node] != CAIRN_NO_NODE || !job->below->functions->usable(job->below, node))
            continue;
        if (!stars_note_begin(job, end)) return CAIRN_OUT_OF_MEMORY;
        end = stars_group(job, node, end);
        job->count++;
    }
    return stars_note_begin(job, end) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* ---- edges between groups ---- */

static bool stars_edge_before(const void *a, const void *b)
{
    const cairn_edge *x = a, *y = b;
    return x->node < y->node || (x->node == y->node && x->cost < y->cost);
}

/* The edges of a node that leave its group; false = no memory. */
static bool stars_leave(stars_job *job, cairn_node node, size_t *edge_count)
{
    cairn_edge edges[STARS_BATCH];
    for (uint32_t first = 0, count = STARS_BATCH; count == STARS_BATCH; first += count) {
        count = job->below->functions->expand(job->below, node, first, edges, STARS_BATCH);
        void *grown = job->edges;
        bool ok = crn_grow(job->context, &grown, &job->edge_capacity, *edge_count + count,
                           sizeof *job->edges);
        job->edges = grown;
        if (!ok) return false;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t group = job->groups[edges[i].node];
            if (group != job->groups[node])
                job->edges[(*edge_count)++] = (cairn_edge){group, crn_saturate(edges[i].cost)};
        }
    }
    return true;
}

/* Gives a group its edges, the cheapest to each other group. */
static bool stars_join(stars_job *job, uint32_t group)
{
    size_t count = 0;
    for (uint32_t i = job->first[group]; i < job->first[group + 1]; i++) {
        if (!stars_leave(job, job->order[i], &count)) return false;
    }
    crn_sort(job->edges, count, sizeof *job->edges, stars_edge_before);
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!kept || job->edges[kept - 1].node != job->edges[i].node)
            job->edges[kept++] = job->edges[i];
    }
    return crn_abstract_connect(&job->abstract, group, job->edges, kept);
}

static bool stars_join_all(stars_job *job)
{
    for (uint32_t i = 0; i < job->count; i++) {
        if (crn_abstract_add(&job->abstract, 0, 0) == CAIRN_NO_NODE) return false;
    }
    for (uint32_t i = 0; i < job->count; i++) {
        if (!stars_join(job, i)) return false;
    }
    return true;
}

/* ---- levels ---- */

/* Computes bounds of the costs of edges. */
static void stars_measure(crn_stars_level *level)
{
    level->min_edge = CAIRN_COST_MAX;
    level->max_edge = 1;
    for (cairn_node node = 0; node < level->abstract.node_count; node++) {
        for (uint32_t i = 0; i < level->abstract.nodes[node].count; i++) {
            cairn_cost cost = crn_abstract_edges(&level->abstract, node)[i].cost;
            if (cost < level->min_edge) level->min_edge = cost;
            if (cost > level->max_edge) level->max_edge = cost;
        }
    }
    if (level->min_edge > level->max_edge) level->min_edge = 1;
}

/* The groups of a level over a space, and a level of them with its edges as they lead. */
static cairn_status stars_make(crn_stars_level *level, const cairn_space *below, uint32_t nodes,
                               uint32_t radius, crn_abstract_graph *made,
                               const cairn_progress *progress)
{
    stars_job job = {.context = below->context, .below = below, .radius = radius};
    size_t bytes = crn_mul_size(nodes, sizeof *job.groups);
    crn_abstract_open(&job.abstract, below->context);
    job.groups = level->groups = crn_alloc(below->context, bytes);
    job.order = crn_alloc(below->context, bytes);
    level->below = nodes;
    cairn_status status = job.groups && job.order ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) status = stars_group_all(&job, nodes, progress);
    if (status == CAIRN_OK && !stars_join_all(&job)) status = CAIRN_OUT_OF_MEMORY;
    crn_free(job.context, job.order, bytes);
    crn_free(job.context, job.first, job.first_capacity * sizeof *job.first);
    crn_free(job.context, job.edges, job.edge_capacity * sizeof *job.edges);
    *made = job.abstract;
    return status;
}

static size_t stars_centres_size(const crn_stars_level *level)
{
    return level->abstract.node_count * sizeof *level->centres;
}

/* A group is grown from the first of its nodes; false = no memory. */
static bool stars_find_centres(crn_stars_level *level, const crn_stars_level *lower)
{
    size_t size = stars_centres_size(level);
    if (!size) return true;
    level->centres = crn_alloc(level->abstract.context, size);
    if (!level->centres) return false;
    memset(level->centres, 0xff, size);
    for (size_t i = 0; i < level->below; i++) {
        uint32_t group = level->groups[i];
        if (group == CAIRN_NO_NODE || level->centres[group] != CAIRN_NO_NODE) continue;
        level->centres[group] = lower ? lower->centres[i] : (cairn_node)i;
    }
    return true;
}

static cairn_status stars_no_memory(cairn_error *error)
{
    return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the groups");
}

/* Level by level, each over the one below it, as its edges lead. */
static cairn_status stars_make_all(crn_stars *stars, const cairn_space *space, uint32_t levels,
                                   uint32_t radius, const cairn_progress *progress)
{
    crn_abstract_graph forward; /* of a level that keeps its edges reversed */
    crn_abstract_view view;
    const cairn_space *below = space;
    cairn_status status = CAIRN_OK;
    uint32_t nodes = space->node_count;
    crn_abstract_open(&forward, space->context);
    while (stars->count < levels && status == CAIRN_OK) {
        bool backwards = crn_stars_backwards(stars->count);
        crn_stars_level *level = &stars->levels[stars->count++];
        crn_abstract_graph made;
        crn_abstract_open(&level->abstract, space->context);
        status =
            stars_make(level, below, nodes, radius, &made, stars->count == 1 ? progress : NULL);
        crn_abstract_close(&forward);
        *(backwards ? &forward : &level->abstract) = made;
        if (status != CAIRN_OK) break;
        if (backwards && !crn_abstract_reverse(&forward, &level->abstract))
            status = CAIRN_OUT_OF_MEMORY;
        if (status == CAIRN_OK && !stars_find_centres(level, stars->count > 1 ? level - 1 : NULL))
            status = CAIRN_OUT_OF_MEMORY;
        stars_measure(level);
        uint32_t groups = (uint32_t)level->abstract.node_count;
        if (groups < 2 || groups > nodes / 4 * 3) break;
        crn_abstract_view_open(&view, backwards ? &forward : &level->abstract, space);
        below = &view.base;
        nodes = groups;
    }
    crn_abstract_close(&forward);
    return status;
}

cairn_status crn_stars_build(crn_stars *stars, const cairn_space *space, crn_stars_options options,
                             const cairn_progress *progress, cairn_error *error)
{
    cairn_status status = stars_make_all(stars, space, options.levels, options.radius, progress);
    if (status == CAIRN_OK && !crn_progress(progress, space->node_count, space->node_count))
        status = CAIRN_CANCELLED;
    if (status == CAIRN_OK) return status;
    crn_stars_drop(stars, space->context);
    return status == CAIRN_CANCELLED ? crn_fail(error, status, 0, "the build was cancelled")
                                     : stars_no_memory(error);
}

void crn_stars_drop(crn_stars *stars, cairn_context *context)
{
    for (uint32_t i = 0; i < stars->count; i++) {
        crn_stars_level *level = &stars->levels[i];
        crn_free(context, level->groups, level->below * sizeof *level->groups);
        crn_free(context, level->centres, stars_centres_size(level));
        crn_abstract_close(&level->abstract);
    }
    *stars = (crn_stars){0};
}

size_t crn_stars_bytes(const crn_stars *stars)
{
    size_t bytes = sizeof *stars;
    for (uint32_t i = 0; i < stars->count; i++) {
        const crn_stars_level *level = &stars->levels[i];
        bytes += level->below * sizeof *level->groups + stars_centres_size(level);
        bytes += crn_abstract_bytes(&level->abstract);
    }
    return bytes;
}

/* ---- files ----
 *
 * Numbers of 32 bits: how many levels; for each level: its groups, its edges; the group of each
 * node below; how many edges each group has; for each edge the group that it leads to and its
 * cost. */

static size_t stars_edge_count(const crn_abstract_graph *abstract)
{
    size_t count = 0;
    for (size_t i = 0; i < abstract->node_count; i++) count += abstract->nodes[i].count;
    return count;
}

static size_t stars_number_count(const crn_stars *stars)
{
    size_t count = 1;
    for (uint32_t i = 0; i < stars->count; i++) {
        const crn_stars_level *level = &stars->levels[i];
        count +=
            2 + level->below + level->abstract.node_count + 2 * stars_edge_count(&level->abstract);
    }
    return count;
}

static uint32_t *stars_write_level(const crn_stars_level *level, uint32_t *at)
{
    const crn_abstract_graph *abstract = &level->abstract;
    *at++ = (uint32_t)abstract->node_count;
    *at++ = (uint32_t)stars_edge_count(abstract);
    memcpy(at, level->groups, level->below * sizeof *at);
    at += level->below;
    for (size_t i = 0; i < abstract->node_count; i++) *at++ = abstract->nodes[i].count;
    for (cairn_node node = 0; node < abstract->node_count; node++) {
        for (uint32_t i = 0; i < abstract->nodes[node].count; i++) {
            cairn_edge edge = crn_abstract_edges(abstract, node)[i];
            *at++ = edge.node;
            *at++ = edge.cost;
        }
    }
    return at;
}

cairn_status crn_stars_save(const crn_stars *stars, cairn_context *context, cairn_store *store,
                            cairn_error *error)
{
    size_t bytes = crn_mul_size(stars_number_count(stars), sizeof(uint32_t));
    uint32_t *numbers = crn_alloc(context, bytes), *at = numbers;
    if (!numbers) return stars_no_memory(error);
    *at++ = stars->count;
    for (uint32_t i = 0; i < stars->count; i++) at = stars_write_level(&stars->levels[i], at);
    cairn_status status = cairn_store_add(store, STARS_SECTION, (cairn_bytes){numbers, bytes},
                                          sizeof *numbers, false);
    crn_free(context, numbers, bytes);
    return status == CAIRN_OK
               ? status
               : crn_fail(error, status, 0, "the groups cannot be added to the file");
}

/* What is left to be read. */
typedef struct stars_reader {
    const uint32_t *at;
    size_t left;
} stars_reader;

/* The next `count` numbers; NULL if there are fewer. */
static const uint32_t *stars_read(stars_reader *reader, size_t count)
{
    if (count > reader->left) return NULL;
    const uint32_t *numbers = reader->at;
    reader->at += count;
    reader->left -= count;
    return numbers;
}

/* Does every usable node belong to a group, and no other one? */
static bool stars_groups_right(const uint32_t *groups, uint32_t nodes, uint32_t count,
                               const cairn_space *ground)
{
    for (uint32_t i = 0; i < nodes; i++) {
        bool stands = !ground || ground->functions->usable(ground, i);
        if (stands ? groups[i] >= count : groups[i] != CAIRN_NO_NODE) return false;
    }
    return true;
}

static cairn_status stars_read_edges(crn_stars_level *level, const uint32_t *counts, uint32_t nodes,
                                     const uint32_t *numbers, uint32_t edge_count)
{
    cairn_status status = CAIRN_OK;
    cairn_context *context = level->abstract.context;
    cairn_edge *edges = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        if (crn_abstract_add(&level->abstract, 0, 0) == CAIRN_NO_NODE) return CAIRN_OUT_OF_MEMORY;
    }
    for (uint32_t node = 0; node < nodes && status == CAIRN_OK; node++) {
        void *grown = edges;
        bool fits = counts[node] <= edge_count;
        bool ok = fits && crn_grow(context, &grown, &capacity, counts[node], sizeof *edges);
        edges = grown;
        status = ok ? CAIRN_OK : fits ? CAIRN_OUT_OF_MEMORY : CAIRN_BAD_DATA;
        for (uint32_t i = 0; ok && i < counts[node]; i++, numbers += 2) {
            edges[i] = (cairn_edge){numbers[0], numbers[1]};
            if (numbers[0] >= nodes || !numbers[1] || numbers[1] > CAIRN_COST_MAX)
                status = CAIRN_BAD_DATA;
        }
        if (status == CAIRN_OK &&
            !crn_abstract_connect(&level->abstract, node, edges, counts[node]))
            status = CAIRN_OUT_OF_MEMORY;
        edge_count -= fits ? counts[node] : 0;
    }
    crn_free(context, edges, capacity * sizeof *edges);
    return status == CAIRN_OK && edge_count ? CAIRN_BAD_DATA : status;
}

static cairn_status stars_read_level(crn_stars_level *level, stars_reader *reader, uint32_t nodes,
                                     const cairn_space *space, bool lowest)
{
    crn_abstract_open(&level->abstract, space->context);
    const uint32_t *head = stars_read(reader, 2);
    if (!head || head[0] > nodes) return CAIRN_BAD_DATA;
    const uint32_t *groups = stars_read(reader, nodes), *counts = stars_read(reader, head[0]);
    const uint32_t *edges = stars_read(reader, 2 * (size_t)head[1]);
    if (!groups || !counts || !edges ||
        !stars_groups_right(groups, nodes, head[0], lowest ? space : NULL))
        return CAIRN_BAD_DATA;
    level->groups = crn_alloc(space->context, nodes * sizeof *groups);
    if (!level->groups) return CAIRN_OUT_OF_MEMORY;
    level->below = nodes;
    memcpy(level->groups, groups, nodes * sizeof *groups);
    cairn_status status = stars_read_edges(level, counts, head[0], edges, head[1]);
    stars_measure(level);
    return status;
}

cairn_status crn_stars_load(crn_stars *stars, const cairn_space *space, uint32_t levels,
                            const cairn_archive *archive, cairn_error *error)
{
    size_t size = 0;
    const uint32_t *section = cairn_archive_section(archive, STARS_SECTION, 4, &size);
    stars_reader reader = {section, size / 4};
    const uint32_t *count = section ? stars_read(&reader, 1) : NULL;
    cairn_status status = count && *count <= levels ? CAIRN_OK : CAIRN_BAD_DATA;
    uint32_t nodes = space->node_count;
    while (status == CAIRN_OK && stars->count < *count) {
        crn_stars_level *level = &stars->levels[stars->count++];
        status = stars_read_level(level, &reader, nodes, space, stars->count == 1);
        if (status == CAIRN_OK && !stars_find_centres(level, stars->count > 1 ? level - 1 : NULL))
            status = CAIRN_OUT_OF_MEMORY;
        nodes = (uint32_t)level->abstract.node_count;
    }
    if (status == CAIRN_OK && reader.left) status = CAIRN_BAD_DATA;
    if (status == CAIRN_OK) return status;
    crn_stars_drop(stars, space->context);
    return status == CAIRN_OUT_OF_MEMORY
               ? stars_no_memory(error)
               : crn_fail(error, status, 0, "the groups are missing or make no sense");
}

/* ---- what it looks like ---- */

static void stars_show_areas(const crn_stars *stars, uint32_t level, const cairn_overlay_sink *sink)
{
    for (cairn_node node = 0; node < stars->levels[0].below; node++) {
        uint32_t group = node;
        for (uint32_t i = 0; i <= level && group != CAIRN_NO_NODE; i++)
            group = stars->levels[i].groups[group];
        if (group == CAIRN_NO_NODE) continue;
        cairn_overlay_item item = {
            .kind = CAIRN_OVERLAY_AREA, .level = level + 1, .node = node, .group = group};
        sink->item(sink->user, &item);
    }
}

/* Lists of edges ascend by node. */
static bool stars_joined(const crn_abstract_graph *abstract, cairn_node from, cairn_node to)
{
    const cairn_edge *edges = crn_abstract_edges(abstract, from);
    uint32_t count = abstract->nodes[from].count;
    size_t at = crn_lower_bound(edges, count, to);
    return at < count && edges[at].node == to;
}

/* Shows the edges of a group; those in both directions once. */
static void stars_show_edges(const crn_stars *stars, const cairn_space *space, uint32_t level,
                             cairn_node group, const cairn_overlay_sink *sink)
{
    const crn_abstract_graph *abstract = &stars->levels[level].abstract;
    const cairn_node *centres = stars->levels[level].centres;
    for (uint32_t i = 0; i < abstract->nodes[group].count; i++) {
        cairn_edge edge = crn_abstract_edges(abstract, group)[i];
        if (edge.node < group && stars_joined(abstract, edge.node, group)) continue;
        if (centres[edge.node] == CAIRN_NO_NODE) continue;
        cairn_overlay_item item = {.kind = CAIRN_OVERLAY_EDGE,
                                   .level = level + 1,
                                   .node = CAIRN_NO_NODE,
                                   .cost = edge.cost};
        bool turned = crn_stars_backwards(level);
        item.from = cairn_space_position(space, centres[turned ? edge.node : group]);
        item.to = cairn_space_position(space, centres[turned ? group : edge.node]);
        sink->item(sink->user, &item);
    }
}

/* (A file may have groups without nodes.) */
static void stars_show_groups(const crn_stars *stars, const cairn_space *space, uint32_t level,
                              bool edges, const cairn_overlay_sink *sink)
{
    const crn_stars_level *shown = &stars->levels[level];
    for (cairn_node group = 0; group < shown->abstract.node_count; group++) {
        if (shown->centres[group] == CAIRN_NO_NODE) continue;
        if (edges) {
            stars_show_edges(stars, space, level, group, sink);
            continue;
        }
        cairn_overlay_item item = {
            .kind = CAIRN_OVERLAY_NODE, .level = level + 1, .node = group, .group = group};
        item.from = cairn_space_position(space, shown->centres[group]);
        sink->item(sink->user, &item);
    }
}

void crn_stars_overlay(const crn_stars *stars, const cairn_space *space, uint32_t only,
                       const cairn_overlay_sink *sink)
{
    for (uint32_t i = 0; i < stars->count; i++) {
        if (only && only != i + 1) continue;
        stars_show_areas(stars, i, sink);
        stars_show_groups(stars, space, i, false, sink);
        stars_show_groups(stars, space, i, true, sink);
    }
}
