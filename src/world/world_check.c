/* world_check.c: what must hold of a grid, a graph and their spaces after every commit. See
 * world_check.h. */
#include "world/world_check.h"
#include "world/cover.h"

#if defined(CAIRN_CHECKS)
#include <stdlib.h>

/* ---- the grid ---- */

/* What lies outside of the map must read as zero. */
static bool world_check_rim(const crn_bits *bits, uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < height + 2; y++) {
        bool inside = y && y <= height;
        for (uint32_t bit = 0; bit < bits->stride * 8; bit++) {
            if (inside && bit && bit <= width) {
                bit = width; /* go on behind the row */
                continue;
            }
            if (bits->rows[y * bits->stride + bit / 8] >> bit % 8 & 1) return false;
        }
    }
    return true;
}

static const char *world_check_classes(const cairn_grid *grid)
{
    uint32_t cells = grid->width * grid->height, count[256] = {0};
    if (!grid->terrain) return grid->class_count[0] == cells ? NULL : "not all is ground";
    for (uint32_t i = 0; i < cells; i++) count[grid->terrain[i]]++;
    return memcmp(count, grid->class_count, sizeof count) ? "terrain is counted wrong" : NULL;
}

static bool world_check_same(const cairn_cell_state *a, const cairn_cell_state *b)
{
    return a->open == b->open && a->terrain == b->terrain && a->layer == b->layer &&
           a->elevation == b->elevation;
}

static const char *world_check_history(const cairn_grid *grid, const crn_commit *commit)
{
    uint32_t columns = (grid->width + CAIRN_TILE - 1) / CAIRN_TILE;
    if (commit->version > grid->version) return "a commit of the future is remembered";
    for (uint32_t i = 0; i < commit->count; i++) {
        const cairn_change *change = &commit->changes[i];
        if (change->node >= grid->width * grid->height) return "a change lies outside of the grid";
        if (i && change->node <= change[-1].node) return "changes do not ascend";
        if (world_check_same(&change->before, &change->after)) return "a change changes nothing";
        cairn_cell cell = cairn_grid_cell(grid, change->node);
        uint32_t tile = (uint32_t)cell.y / CAIRN_TILE * columns + (uint32_t)cell.x / CAIRN_TILE;
        if (!(commit->tiles[tile / 64] >> tile % 64 & 1))
            return "the tile of a change is not marked";
        cairn_cell_state now = crn_grid_state(grid, change->node);
        if (commit->version == grid->version && !world_check_same(&now, &change->after))
            return "a cell is not what the last commit made it";
    }
    return NULL;
}

static const char *world_check_cover(const cairn_grid *grid)
{
    for (size_t i = 0; grid->cover && i < grid->cover->slot_count; i++) {
        const crn_cover_cell *cell = &grid->cover->slots[i];
        if (cell->node == CAIRN_NO_NODE) continue;
        cairn_cell_state now = crn_grid_state(grid, cell->node),
                         seen = crn_cover_seen(cell, crn_cover_own(cell, now), false);
        if (!world_check_same(&now, &seen)) return "a cell is not what lies on it";
    }
    return NULL;
}

const char *crn_grid_check(const cairn_grid *grid)
{
    const char *wrong = world_check_classes(grid);
    if (!wrong) wrong = world_check_cover(grid);
    if (!world_check_rim(&grid->open, grid->width, grid->height)) return "open outside of the map";
    for (uint32_t i = 1; i < grid->link_count; i++) {
        const cairn_link *a = &grid->links[i - 1], *b = &grid->links[i];
        if (a->from > b->from || (a->from == b->from && a->to > b->to))
            return "the links of the grid do not ascend";
    }
    for (uint32_t i = 0; i < CRN_COMMITS_KEPT && !wrong; i++) {
        const crn_commit *commit = &grid->commits[i];
        if (!commit->version) continue;
        if (commit->version % CRN_COMMITS_KEPT != i) return "a commit stands in a wrong place";
        wrong = world_check_history(grid, commit);
    }
    return wrong;
}

/* ---- components ---- */

/* Joins each cell with those that a step leads to. */
static void world_check_flood(const crn_grid_space *space, uint32_t *set)
{
    uint32_t width = space->grid->width, cells = width * space->grid->height;
    for (uint32_t i = 0; i < cells; i++) set[i] = i;
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t x = i % width, y = i / width;
        if (!crn_bit(&space->usable, (int32_t)x, (int32_t)y)) continue;
        uint32_t moves = crn_grid_moves(space, x, y);
        if (space->limited) moves = crn_grid_limit_moves(space, x, y, moves);
        for (; moves; moves &= moves - 1) {
            uint32_t d = crn_lowest_bit(moves);
            crn_set_unite(set, i, (uint32_t)((int32_t)i + crn_dx[d] + crn_dy[d] * (int32_t)width));
        }
    }
}

static uint64_t world_check_component(const crn_grid_space *space, uint32_t node)
{
    uint32_t width = space->grid->width;
    return crn_components_find(&space->components, space, node % width, node / width);
}

static int world_check_order(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return first < second ? -1 : first > second;
}

/* Do all cells of a set have the component of its first one, and no two sets the same? `names` has
 * room for one of each cell. */
static const char *world_check_names(const crn_grid_space *space, uint32_t *set, uint64_t *names)
{
    uint32_t width = space->grid->width, cells = width * space->grid->height, count = 0;
    for (uint32_t i = 0; i < cells; i++) {
        if (!crn_bit(&space->usable, (int32_t)(i % width), (int32_t)(i / width))) continue;
        uint32_t first = crn_set_find(set, i);
        uint64_t name = world_check_component(space, i);
        if (!name) return "a cell has no component";
        if (first == i) names[count++] = name;
        if (name != world_check_component(space, first))
            return "two cells that a path joins are in different components";
    }
    qsort(names, count, sizeof *names, world_check_order);
    for (uint32_t i = 1; i < count; i++) {
        if (names[i] == names[i - 1]) return "two cells without a path are in one component";
    }
    return NULL;
}

const char *crn_components_check(const crn_components *components, const crn_grid_space *space)
{
    /* Not the context's memory: a check leaves no traces. */
    size_t cells = (size_t)space->grid->width * space->grid->height;
    if (components != &space->components) return "components of another space";
    uint32_t *set = malloc(cells * sizeof *set);
    uint64_t *names = malloc(cells * sizeof *names);
    const char *wrong = NULL;
    if (set && names) {
        world_check_flood(space, set);
        wrong = world_check_names(space, set, names);
    }
    free(set);
    free(names);
    return wrong;
}

/* ---- links ---- */

static const char *world_check_link(const crn_links *links, const crn_grid_space *space, uint32_t i)
{
    const crn_space_link *link = &links->links[i];
    if (!cairn_space_usable(&space->base, link->from) ||
        !cairn_space_usable(&space->base, link->to))
        return "the end of a link cannot be stood on";
    if (i &&
        (link->from < link[-1].from || (link->from == link[-1].from && link->to <= link[-1].to)))
        return "links do not ascend";
    if (!link->cost || link->cost > links->costliest) return "a link costs more than the costliest";
    if (link->target >= links->target_count || links->targets[link->target] != link->to)
        return "a link has another target";
    if (!crn_bit(&links->from, (int32_t)(link->from % space->grid->width),
                 (int32_t)(link->from / space->grid->width)))
        return "the cell that a link leaves is not marked";
    uint64_t from = world_check_component(space, link->from),
             to = world_check_component(space, link->to);
    return crn_links_root(links, from) == crn_links_root(links, to)
               ? NULL
               : "a link joins components that are said to be apart";
}

const char *crn_links_check(const crn_links *links, const crn_grid_space *space)
{
    if (links->count > links->usable || links->usable > space->grid->link_count)
        return "there are more links than the grid has";
    for (uint32_t i = 0; i < links->count; i++) {
        const char *wrong = world_check_link(links, space, i);
        if (wrong) return wrong;
    }
    for (uint32_t i = 1; i < links->target_count; i++)
        if (links->targets[i] <= links->targets[i - 1]) return "targets do not ascend";
    for (uint32_t i = 1; i < links->joint_count; i++)
        if (links->joints[i].component <= links->joints[i - 1].component)
            return "joints do not ascend";
    for (uint32_t i = 0; i < links->shortcut_count; i++)
        if ((uint32_t)links->shortcuts[i] >= links->count) return "a shortcut is no link";
    return NULL;
}

/* ---- runs ---- */

/* Does a run in direction d pass the cell? By the rule of runs.h, cell by cell. */
static bool world_check_passes(const crn_runs *runs, const crn_bits *usable, int32_t x, int32_t y,
                               uint32_t d)
{
    int32_t dx = crn_dx[d], dy = crn_dy[d];
    if (!crn_bit(usable, x, y)) return false;
    for (int32_t side = -1; side <= 1; side += 2) {
        int32_t bx = x + side * dy, by = y + side * dx; /* beside it */
        bool beside = crn_bit(usable, bx, by);
        if (runs->corners == CAIRN_CORNERS_NEVER) {
            if (beside && !crn_bit(usable, bx - dx, by - dy)) return false;
        } else if (!beside && crn_bit(usable, bx + dx, by + dy)) {
            if (runs->corners != CAIRN_CORNERS_ONE || crn_bit(usable, x + dx, y + dy)) return false;
        }
    }
    return true;
}

static bool world_check_stop(const crn_runs *runs, int32_t x, int32_t y)
{
    return runs->stop.rows && crn_bit(&runs->stop, x, y);
}

/* Is a stop the same by rows, columns and diagonals? */
static bool world_check_stop_planes(const crn_runs *runs, int32_t x, int32_t y)
{
    if (!runs->stop_slant[1].rows) return !runs->stops;
    bool stop = world_check_stop(runs, x, y), same = crn_bit(&runs->stop_across, y, x) == stop;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t line = crn_runs_slant(runs, i == 0, (uint32_t)x, (uint32_t)y);
        same = same && crn_bit(&runs->stop_slant[i], x, (int32_t)line) == stop;
    }
    return same;
}

const char *crn_runs_check(const crn_runs *runs, const crn_bits *usable)
{
    uint64_t stops = 0, all = 0;
    uint64_t cells = 0;
    for (uint32_t i = 0; i < runs->width * runs->height; i++) {
        int32_t x = (int32_t)(i % runs->width), y = (int32_t)(i / runs->width);
        bool open = crn_bit(usable, x, y);
        cells += open;
        stops += world_check_stop(runs, x, y);
        if (crn_bit(&runs->across, y, x) != open) return "rows and columns are exchanged wrong";
        if (!world_check_stop_planes(runs, x, y)) return "a stop is not one in every plane";
        for (uint32_t d = CRN_N; d <= CRN_W; d++) {
            bool upright = d == CRN_N || d == CRN_S;
            bool passed = crn_bit(&runs->pass[d], upright ? y : x, upright ? x : y);
            bool passes =
                world_check_passes(runs, usable, x, y, d) && !world_check_stop(runs, x, y);
            all += passed;
            if (passed != passes) return "a run passes a jump point, or ends where there is none";
        }
    }
    return cells == runs->cells && stops == runs->stops && all == runs->passed
               ? NULL
               : "cells are counted wrong";
}

/* ---- the space ---- */

static const char *world_check_usable(const crn_grid_space *space)
{
    const cairn_grid *grid = space->grid;
    for (uint32_t i = 0; i < grid->width * grid->height; i++) {
        int32_t x = (int32_t)(i % grid->width), y = (int32_t)(i / grid->width);
        bool allowed =
            crn_bit(&grid->open, x, y) && space->price[grid->terrain ? grid->terrain[i] : 0][0];
        if (crn_bit(crn_grid_free_bits(space), x, y) != allowed)
            return "a cell is free that must not be, or the other way round";
        if (crn_bit(&space->usable, x, y) && !allowed) return "a cell is usable that is not free";
    }
    return world_check_rim(&space->usable, grid->width, grid->height) ? NULL
                                                                      : "usable outside of the map";
}

const char *crn_grid_space_check(const crn_grid_space *space)
{
    const char *wrong = world_check_usable(space);
    if (!wrong) wrong = crn_components_check(&space->components, space);
    if (!wrong) wrong = crn_links_check(&space->links, space);
    if (!wrong && space->runs) wrong = crn_runs_check(space->runs, &space->usable);
    return wrong;
}

void crn_grid_space_check_new(const crn_grid_space *space)
{
    enum { SMALL = 4096 };
    if (space->base.node_count > SMALL) return;
    CRN_CHECK_RIGHT(space->base.context, crn_grid_check(space->grid));
    CRN_CHECK_RIGHT(space->base.context, crn_grid_space_check(space));
}

void crn_grid_check_commit(const cairn_grid *grid)
{
    enum { CELLS_A_COMMIT = 256 };
    uint64_t every = 1 + (uint64_t)grid->width * grid->height / CELLS_A_COMMIT;
    if (grid->version % every) return;
    CRN_CHECK_RIGHT(grid->context, crn_grid_check(grid));
    for (const crn_grid_space *space = grid->spaces; space; space = space->next)
        CRN_CHECK_RIGHT(grid->context, crn_grid_space_check(space));
}

/* ---- graphs ---- */

static const char *world_check_edge(const cairn_graph *graph, cairn_node from,
                                    const cairn_edge *edge)
{
    if (edge->node >= graph->node_count) return "an edge leads to no node";
    if (crn_graph_disabled(graph, from) || crn_graph_disabled(graph, edge->node))
        return "a disabled node has an edge";
    return edge->cost && edge->cost >= graph->min_weight && edge->cost <= graph->max_weight
               ? NULL
               : "the weight of an edge is out of bounds";
}

/* How many edges the stock has that can be used. */
static uint32_t world_check_stock(const cairn_graph *graph, cairn_node node)
{
    const crn_graph_stock *stock = &graph->stock;
    uint32_t count = 0;
    for (uint32_t i = stock->offsets[node]; i < stock->offsets[node + 1]; i++) {
        count += !stock->edges[i].closed && !crn_graph_disabled(graph, node) &&
                 !crn_graph_disabled(graph, stock->edges[i].edge.node);
    }
    return count;
}

static const char *world_check_node(const cairn_graph *graph, cairn_node node)
{
    uint32_t first = graph->offsets[node], end = graph->offsets[node + 1];
    if (first > end || end > graph->edge_count) return "the edges of nodes overlap";
    if (graph->stock.offsets && world_check_stock(graph, node) != end - first)
        return "an edge is open that is closed, or the other way round";
    const char *wrong = NULL;
    for (uint32_t i = first; i < end && !wrong; i++)
        wrong = world_check_edge(graph, node, &graph->edges[i]);
    return wrong;
}

static const char *world_check_graph_history(const cairn_graph *graph,
                                             const crn_graph_commit *commit)
{
    if (commit->version > graph->version) return "a commit of the future is remembered";
    for (uint32_t i = 0; i < commit->count; i++) {
        if (commit->nodes[i] >= graph->node_count) return "a node changed that there is not";
        if (i && commit->nodes[i] <= commit->nodes[i - 1]) return "changed nodes do not ascend";
    }
    return NULL;
}

const char *crn_graph_check(const cairn_graph *graph)
{
    const char *wrong = NULL;
    if (graph->offsets[0] || graph->offsets[graph->node_count] != graph->edge_count)
        return "edges are counted wrong";
    for (cairn_node node = 0; node < graph->node_count && !wrong; node++)
        wrong = world_check_node(graph, node);
    for (uint32_t i = 0; i < CRN_COMMITS_KEPT && !wrong; i++)
        wrong = world_check_graph_history(graph, &graph->commits[i]);
    return wrong;
}

/* Do all nodes of a set have the component of its first one, and no two sets the same? `owners` has
 * room for one of each node, and is zero. */
static const char *world_check_owners(const crn_graph_space *space, uint32_t *set, uint32_t *owners)
{
    uint32_t nodes = space->graph->node_count;
    for (cairn_node node = 0; node < nodes; node++) {
        uint32_t first = crn_set_find(set, node), component = space->component[node];
        if (!component != crn_graph_disabled(space->graph, node) || component > nodes)
            return "a node has no component";
        if (!component) continue;
        if (!owners[component - 1]) owners[component - 1] = first + 1;
        if (component != space->component[first])
            return "two nodes that an edge joins are in different components";
        if (owners[component - 1] != first + 1)
            return "two nodes without a path are in one component";
    }
    return NULL;
}

const char *crn_graph_space_check(const crn_graph_space *space)
{
    const cairn_graph *graph = space->graph;
    if (space->back.offsets && space->back.edge_count != graph->edge_count)
        return "not all edges are known backwards";
    uint32_t *set = malloc(graph->node_count * sizeof *set),
             *owners = calloc(graph->node_count, sizeof *owners);
    const char *wrong = NULL;
    for (cairn_node node = 0; node < graph->node_count && set; node++) set[node] = node;
    for (cairn_node node = 0; node < graph->node_count && set; node++) {
        for (uint32_t i = graph->offsets[node]; i < graph->offsets[node + 1]; i++)
            crn_set_unite(set, node, graph->edges[i].node);
    }
    if (set && owners) wrong = world_check_owners(space, set, owners);
    free(owners);
    free(set);
    return wrong;
}

void crn_graph_check_commit(const cairn_graph *graph)
{
    enum { NODES_A_COMMIT = 256 };
    if (graph->version % (1 + graph->node_count / NODES_A_COMMIT)) return;
    CRN_CHECK_RIGHT(graph->context, crn_graph_check(graph));
    for (const crn_graph_space *space = graph->spaces; space; space = space->next)
        CRN_CHECK_RIGHT(graph->context, crn_graph_space_check(space));
}

#endif
