/* hpa_store.c: the abstract graph of HPA* in files and in pictures. See hpa_index.h.
 *
 * Nodes follow from the map; a file holds the edges. Its only section is made of numbers of 32
 * bits:
 *
 *     nodes, edges, for each node how many edges it has, for each edge its target and its cost
 *
 * Nodes are numbered by level, then by cluster, then by cell; edges are in the order of their
 * targets' cells, then of their levels. Those that lead to the level below are left out. So the
 * section is the same whatever happened to the index since it was built.
 */
#include "hierarchy/hpa/hpa_index.h"

#define STORE_SECTION "index.clusters"

enum { STORE_HEAD = 2 };

static bool store_is_down(const crn_hpa *index, cairn_node node, const cairn_edge *edge)
{
    return crn_hpa_cell(index, node) == crn_hpa_cell(index, edge->node);
}

/* Visits nodes in the order of files: returns the one after (cluster, i), i counting from 0;
 * CAIRN_NO_NODE at the end. */
static cairn_node store_next(const crn_hpa *index, uint32_t *cluster, uint32_t *i)
{
    for (; *cluster < index->cluster_count; ++*cluster, *i = 0) {
        uint32_t count;
        const crn_hpa_member *members = crn_hpa_members(index, *cluster, &count);
        if (*i < count) return members[(*i)++].node;
    }
    return CAIRN_NO_NODE;
}

/* The numbers of nodes in files; how many nodes and edges there are. */
static void store_number(const crn_hpa *index, uint32_t *numbers, uint32_t head[STORE_HEAD])
{
    uint32_t cluster = 0, i = 0;
    head[0] = head[1] = 0;
    for (cairn_node node; (node = store_next(index, &cluster, &i)) != CAIRN_NO_NODE;) {
        const crn_abstract_node *place = &index->abstract.nodes[node];
        bool down = place->count && crn_hpa_level_of(index, node);
        numbers[node] = head[0]++;
        head[1] += place->count - down;
    }
}

static void store_fill(const crn_hpa *index, const uint32_t *numbers, uint32_t *counts,
                       uint32_t *pairs)
{
    uint32_t cluster = 0, i = 0;
    for (cairn_node node; (node = store_next(index, &cluster, &i)) != CAIRN_NO_NODE; counts++) {
        const crn_abstract_node *place = &index->abstract.nodes[node];
        *counts = 0;
        for (uint32_t e = 0; e < place->count; e++) {
            const cairn_edge *edge = &index->abstract.edges[place->first + e];
            if (store_is_down(index, node, edge)) continue;
            ++*counts;
            *pairs++ = numbers[edge->node];
            *pairs++ = edge->cost;
        }
    }
}

cairn_status crn_hpa_save(const crn_hpa *index, cairn_store *store, cairn_error *error)
{
    cairn_context *context = index->abstract.context;
    uint32_t head[STORE_HEAD], *words = NULL;
    size_t numbers_size = (index->abstract.node_count + 1) * sizeof *words, size = 0;
    uint32_t *numbers = crn_alloc(context, numbers_size);
    cairn_status status = CAIRN_OUT_OF_MEMORY;
    if (numbers) {
        store_number(index, numbers, head);
        size = ((size_t)STORE_HEAD + head[0] + 2 * (size_t)head[1]) * sizeof *words;
        words = crn_alloc(context, size);
    }
    if (words) {
        memcpy(words, head, sizeof head);
        store_fill(index, numbers, words + STORE_HEAD, words + STORE_HEAD + head[0]);
        status =
            cairn_store_add(store, STORE_SECTION, (cairn_bytes){words, size}, sizeof *words, false);
    }
    if (words) crn_free(context, words, size);
    if (numbers) crn_free(context, numbers, numbers_size);
    if (status == CAIRN_OK) return status;
    return crn_fail(error, status, 0, "the graph of clusters cannot be added to the file");
}

/* ---- loading ---- */

static cairn_status store_wrong(cairn_error *error)
{
    return crn_fail(error, CAIRN_BAD_DATA, 0, "the graph of clusters does not fit the map");
}

/* Does a link lead from a cluster of a level to a cell that is not in it, or on the lowest level to
 * any cell? */
static bool store_is_linked(const crn_hpa *index, uint32_t cluster, uint32_t level, cairn_node cell)
{
    const crn_links *links = &index->clusters.space->links;
    if (!links->count || (level && crn_hpa_cluster(index, level, cell) == cluster)) return false;
    for (uint32_t i = crn_links_first_arrival(links, cell);
         i < links->count && links->arrivals[i].to == cell; i++) {
        cairn_node from = links->links[links->arrivals[i].link].from;
        if (crn_hpa_cluster(index, level, from) == cluster) return true;
    }
    return false;
}

/* To a cell outside the cluster, but beside it. */
bool crn_hpa_may_lead(const crn_hpa *index, cairn_node node, uint32_t level, cairn_node target)
{
    const crn_hpa_level *l = &index->level[level];
    uint32_t width = index->clusters.space->grid->width, i = index->groups[node] - l->first;
    cairn_node cell = crn_hpa_cell(index, target);
    uint32_t x = cell % width + 1,
             y = cell / width + 1; /* one more, as is the cluster, one wider on each side */
    uint32_t left = i % l->columns * l->size, top = i / l->columns * l->size;
    bool near = x >= left && x < left + l->size + 2 && y >= top && y < top + l->size + 2;
    return (near && crn_hpa_cluster(index, level, cell) != index->groups[node]) ||
           store_is_linked(index, index->groups[node], level, cell);
}

/* Reads the edges of one node; false if they cannot be right. */
static bool store_read(const crn_hpa *index, cairn_node node, const uint32_t *pairs, uint32_t count,
                       cairn_edge *out)
{
    uint32_t level = crn_hpa_level_of(index, node);
    uint64_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        out[i] = (cairn_edge){pairs[2 * i], pairs[2 * i + 1]};
        if (out[i].node >= index->abstract.node_count || !out[i].cost ||
            out[i].cost > CAIRN_COST_MAX)
            return false;
        uint32_t above = crn_hpa_level_of(index, out[i].node);
        uint64_t order = (uint64_t)crn_hpa_cell(index, out[i].node) * CRN_HPA_LEVELS + above + 1;
        if (above < level || order <= before ||
            crn_hpa_cell(index, out[i].node) == crn_hpa_cell(index, node) ||
            !crn_hpa_may_lead(index, node, level, out[i].node))
            return false;
        before = order;
    }
    return true;
}

/* The nodes of a fresh index are numbered as in files. */
static cairn_status store_connect(crn_hpa *index, const uint32_t *counts, const uint32_t *pairs,
                                  uint32_t edge_count, cairn_edge *scratch)
{
    uint64_t done = 0;
    for (cairn_node node = 0; node < index->abstract.node_count; node++) {
        uint32_t count = counts[node], level = crn_hpa_level_of(index, node),
                 cluster = index->groups[node];
        if (count > edge_count - done || !store_read(index, node, pairs + 2 * done, count, scratch))
            return CAIRN_BAD_DATA;
        cairn_cost costliest = crn_hpa_costliest_of(index, cluster);
        for (uint32_t i = 0; i < count; i++) costliest = crn_max_u32(costliest, scratch[i].cost);
        crn_hpa_set_costliest(index, cluster, costliest);
        done += count;
        if (level)
            scratch[count++] =
                (cairn_edge){crn_hpa_find(index, level - 1, crn_hpa_cell(index, node)), 0};
        if (!crn_abstract_connect(&index->abstract, node, scratch, count))
            return CAIRN_OUT_OF_MEMORY;
    }
    return done == edge_count && (!index->lazy || !done) ? CAIRN_OK : CAIRN_BAD_DATA;
}

/* Does a node have an edge to another one that costs no more than this? */
static bool store_has_edge(const crn_hpa *index, cairn_node from, cairn_node to, cairn_cost most)
{
    const crn_abstract_node *place = &index->abstract.nodes[from];
    for (uint32_t e = 0; e < place->count; e++) {
        const cairn_edge *edge = &index->abstract.edges[place->first + e];
        if (edge->node == to) return edge->cost <= most;
    }
    return false;
}

/* Is every link from one cluster to another an edge? Files of builds that knew no links have
 * none. */
static bool store_has_links(const crn_hpa *index)
{
    const crn_links *links = &index->clusters.space->links;
    for (uint32_t i = 0; i < links->count && !index->lazy; i++) {
        const crn_space_link *link = &links->links[i];
        if (crn_hpa_cluster(index, 0, link->from) == crn_hpa_cluster(index, 0, link->to)) continue;
        cairn_node from = crn_hpa_find(index, 0, link->from), to = crn_hpa_find(index, 0, link->to);
        if (!store_has_edge(index, from, to, link->cost)) return false;
    }
    return true;
}

cairn_status crn_hpa_load(crn_hpa *index, const crn_grid_space *space,
                          const crn_hpa_options *options, const cairn_archive *archive,
                          cairn_error *error)
{
    cairn_context *context = space->base.context;
    size_t size = 0, words_size = sizeof(uint32_t);
    const uint32_t *words = cairn_archive_section(archive, STORE_SECTION, 4, &size);
    if (!words || size < STORE_HEAD * words_size) return store_wrong(error);
    uint32_t nodes = words[0], edges = words[1];
    if (size / words_size != STORE_HEAD + nodes + 2 * (uint64_t)edges) return store_wrong(error);
    crn_hpa_options bare = *options;
    bare.lazy = true;
    cairn_status status = crn_hpa_build(index, space, &bare, NULL, error);
    if (status != CAIRN_OK) return status;
    index->lazy = options->lazy;
    size_t scratch_size = ((size_t)edges + 1) * sizeof(cairn_edge);
    cairn_edge *scratch = crn_alloc(context, scratch_size);
    status =
        !scratch ? CAIRN_OUT_OF_MEMORY
        : nodes != index->abstract.node_count
            ? CAIRN_BAD_DATA
            : store_connect(index, words + STORE_HEAD, words + STORE_HEAD + nodes, edges, scratch);
    if (scratch) crn_free(context, scratch, scratch_size);
    if (status == CAIRN_OK && !store_has_links(index)) status = CAIRN_BAD_DATA;
    if (status == CAIRN_OK) return status;
    crn_hpa_drop(index);
    if (status == CAIRN_BAD_DATA) return store_wrong(error);
    return crn_fail(error, status, 0, "no memory for the graph of clusters");
}

/* ---- pictures ---- */

static cairn_position store_place(const crn_hpa *index, cairn_node node)
{
    return cairn_space_position(&index->clusters.space->base, crn_hpa_cell(index, node));
}

/* The left and the upper border of a cluster, from corner to corner of cells. */
static void store_borders(const crn_hpa *index, uint32_t level, uint32_t i,
                          const cairn_overlay_sink *sink)
{
    const cairn_grid *grid = index->clusters.space->grid;
    const crn_hpa_level *l = &index->level[level];
    uint32_t left = i % l->columns * l->size, top = i / l->columns * l->size;
    uint32_t right = crn_min_u32(left + l->size, grid->width),
             bottom = crn_min_u32(top + l->size, grid->height);
    cairn_position first = cairn_space_position(&index->clusters.space->base, 0);
    double cell = grid->cell_size, row = cell * (index->clusters.space->hex ? CRN_HEX_ROW : 1);
    cairn_position corner = {first.x + (left - 0.5) * cell, first.y + (top - 0.5) * row, 0};
    cairn_overlay_item item = {.kind = CAIRN_OVERLAY_BORDER,
                               .level = level + 1,
                               .node = CAIRN_NO_NODE,
                               .group = l->first + i,
                               .from = corner,
                               .to = corner};
    item.to.x = first.x + (right - 0.5) * cell;
    if (top) sink->item(sink->user, &item);
    item.to = (cairn_position){corner.x, first.y + (bottom - 0.5) * row, 0};
    if (left) sink->item(sink->user, &item);
}

static void store_nodes(const crn_hpa *index, uint32_t level, uint32_t cluster, bool edges,
                        const cairn_overlay_sink *sink)
{
    uint32_t count;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &count);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node node = members[i].node;
        const crn_abstract_node *place = &index->abstract.nodes[node];
        cairn_overlay_item item = {.kind = CAIRN_OVERLAY_NODE,
                                   .level = level + 1,
                                   .node = node,
                                   .group = cluster,
                                   .from = store_place(index, node)};
        if (!edges) sink->item(sink->user, &item);
        for (uint32_t e = 0; edges && e < place->count; e++) {
            const cairn_edge *edge = &index->abstract.edges[place->first + e];
            if (crn_hpa_level_of(index, edge->node) != level) continue;
            item.kind = CAIRN_OVERLAY_EDGE;
            item.to = store_place(index, edge->node);
            item.cost = edge->cost;
            sink->item(sink->user, &item);
        }
    }
}

void crn_hpa_overlay(const crn_hpa *index, uint32_t only, const cairn_overlay_sink *sink)
{
    for (uint32_t l = 0; l < index->levels; l++) {
        const crn_hpa_level *level = &index->level[l];
        if (only && only != l + 1) continue;
        uint32_t count = level->columns * level->rows;
        for (uint32_t i = 0; i < count; i++) store_borders(index, l, i, sink);
        for (uint32_t i = 0; i < count; i++) store_nodes(index, l, level->first + i, false, sink);
        for (uint32_t i = 0; i < count; i++) store_nodes(index, l, level->first + i, true, sink);
    }
}
