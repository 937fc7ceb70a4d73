/* cliques_store.c: levels of cliques in files and in pictures.
 *
 * Everything follows from the parents of nodes, so only these are saved: in "index.cliques" the
 * number of levels above level 0 and how many numbers each has; in "index.parents" the parents of
 * all nodes of level 0 and of each level, one after the other. What is loaded must obey the rules
 * of cliques.h: every node has one parent, and every clique is one.
 */
#include "abstract/cliques.h"

#define CLIQUES_SECTION "index.cliques"
#define CLIQUES_PARENTS "index.parents"

cairn_status crn_cliques_save(const crn_cliques *cliques, cairn_store *store, cairn_error *error)
{
    uint32_t numbers[CRN_CLIQUE_LEVELS + 1] = {cliques->top};
    size_t total = 0, at = 0;
    for (uint32_t i = 0; i <= cliques->top; i++) {
        if (i) numbers[i] = crn_cliques_count(cliques, i);
        total += crn_cliques_count(cliques, i);
    }
    uint32_t *parents = crn_alloc(cliques->context, total * sizeof *parents);
    cairn_status status = parents ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; parents && i <= cliques->top; at += crn_cliques_count(cliques, i), i++) {
        size_t count = crn_cliques_count(cliques, i);
        if (count) memcpy(parents + at, cliques->levels[i].parents, count * sizeof *parents);
    }
    if (status == CAIRN_OK) {
        status =
            cairn_store_add(store, CLIQUES_SECTION,
                            (cairn_bytes){numbers, (cliques->top + 1) * sizeof *numbers}, 4, false);
    }
    if (status == CAIRN_OK) {
        status = cairn_store_add(store, CLIQUES_PARENTS,
                                 (cairn_bytes){parents, total * sizeof *parents}, 4, false);
    }
    crn_free(cliques->context, parents, total * sizeof *parents);
    return status == CAIRN_OK
               ? status
               : crn_fail(error, status, 0, "the cliques cannot be added to the file");
}

/* ---- loading ---- */

static cairn_status cliques_refuse(cairn_error *error)
{
    return crn_fail(error, CAIRN_BAD_DATA, 0, "the cliques do not fit the world");
}

static bool cliques_adjacent(const crn_cliques *cliques, uint32_t level, cairn_node a, cairn_node b)
{
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count;
    const cairn_edge *edges = crn_cliques_neighbours(cliques, level, a, room, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (edges[i].node == b) return true;
    }
    return false;
}

static bool cliques_orphan(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count;
    const uint32_t *parents = cliques->levels[level].parents;
    const cairn_edge *edges = crn_cliques_neighbours(cliques, level, node, room, &count);
    return cliques->join && count == 1 && parents[edges[0].node] == parents[node];
}

/* Are the children of a node next to each other, joined orphans excepted, and not too many? */
static bool cliques_legal(const crn_cliques *cliques, uint32_t level, cairn_node parent)
{
    cairn_node kept[CRN_CLIQUE_SIZE], node = crn_cliques_first(cliques, level + 1, parent);
    uint32_t count = 0;
    for (; node != CAIRN_NO_NODE; node = crn_cliques_next(cliques, level, node)) {
        if (cliques_orphan(cliques, level, node)) continue;
        if (count == CRN_CLIQUE_SIZE) return false;
        for (uint32_t i = 0; i < count; i++) {
            if (!cliques_adjacent(cliques, level, node, kept[i])) return false;
        }
        kept[count++] = node;
    }
    return true;
}

/* Positions and edges of a level whose nodes have children. */
static bool cliques_load_bodies(crn_cliques *cliques, uint32_t level)
{
    uint32_t count = crn_cliques_count(cliques, level);
    crn_clique_edges edges = {0};
    bool ok = true, changed, packed = crn_cliques_packed(cliques, level);
    for (cairn_node i = 0; !packed && i < count; i++) crn_cliques_update(cliques, level, i);
    crn_cliques_list_vacant(&cliques->levels[level]);
    for (cairn_node i = 0; ok && !packed && i < count; i++)
        ok = crn_cliques_relink(cliques, level, i, &edges, &changed);
    crn_clique_edges_close(&edges, cliques->context);
    if (level == 2) crn_packs_finish(cliques);
    return ok && (packed || crn_cliques_trim(cliques, level, false)) &&
           crn_cliques_raise_ledges(cliques, level);
}

/* Makes the level above from the loaded parents. */
static cairn_status cliques_load_level(crn_cliques *cliques, uint32_t level, uint32_t numbers,
                                       cairn_error *error)
{
    crn_clique_level *l = &cliques->levels[level];
    for (uint32_t i = 0; i < crn_cliques_count(cliques, level); i++) {
        bool exists = crn_cliques_has(cliques, level, i);
        if (exists ? l->parents[i] >= numbers : l->parents[i] != CAIRN_NO_NODE)
            return cliques_refuse(error);
    }
    bool legal = true, ok = crn_cliques_reserve(cliques, level + 1, numbers);
    for (uint32_t i = 0; ok && i < numbers; i++)
        ok = crn_cliques_add(cliques, level + 1) != CAIRN_NO_NODE;
    cliques->top = level + 1;
    if (ok && crn_cliques_packed(cliques, level + 1)) {
        ok = crn_packs_make(cliques, &legal);
    } else if (ok) {
        crn_cliques_adopt(cliques, level);
    }
    for (cairn_node i = 0; ok && legal && i < numbers; i++)
        legal = cliques_legal(cliques, level, i);
    if (ok && legal) ok = cliques_load_bodies(cliques, level + 1);
    if (!ok) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the cliques");
    return legal ? CAIRN_OK : cliques_refuse(error);
}

/* Returns the sum of all numbers in the file; 0 if it is malformed. */
static size_t cliques_total(const crn_cliques *cliques, const uint32_t *numbers, size_t count)
{
    if (count < 2 || count > CRN_CLIQUE_LEVELS + 1 || numbers[0] != count - 1) return 0;
    size_t total = cliques->ground->node_count;
    for (size_t i = 1; i < count; i++) total += numbers[i];
    return total;
}

cairn_status crn_cliques_load(crn_cliques *cliques, const cairn_archive *archive,
                              cairn_error *error)
{
    size_t head = 0, size = 0;
    const uint32_t *numbers = cairn_archive_section(archive, CLIQUES_SECTION, 4, &head);
    const uint32_t *parents = cairn_archive_section(archive, CLIQUES_PARENTS, 4, &size);
    size_t total = numbers ? cliques_total(cliques, numbers, head / sizeof *numbers) : 0;
    if (!parents || !total || size / sizeof *parents != total) {
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the cliques are missing or of a wrong size");
    }
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; status == CAIRN_OK && i <= numbers[0]; i++) {
        size_t count = crn_cliques_count(cliques, i);
        if (count) memcpy(cliques->levels[i].parents, parents, count * sizeof *parents);
        parents += count;
        if (i && i < numbers[0] && !cliques->levels[i].edge_count) return cliques_refuse(error);
        if (i < numbers[0]) status = cliques_load_level(cliques, i, numbers[i + 1], error);
    }
    if (status != CAIRN_OK) return status;
    crn_packs_finish(cliques);
    const crn_clique_level *top = &cliques->levels[cliques->top];
    for (size_t i = 0; i < top->count; i++) {
        if (top->parents[i] != CAIRN_NO_NODE) return cliques_refuse(error);
    }
    if (!crn_cliques_take_links(cliques) || !crn_cliques_lift_doors(cliques))
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the cliques");
    return CAIRN_OK;
}

/* ---- pictures ---- */

/* The sum of the positions of what lies below a node of a graph, and how many those are. */
static void cliques_sum(const crn_cliques *cliques, uint32_t level, cairn_node node,
                        cairn_position *sum, uint32_t *count)
{
    if (!level) {
        cairn_position at = cairn_space_position(cliques->ground, node);
        sum->x += at.x;
        sum->y += at.y;
        sum->z += at.z;
        ++*count;
        return;
    }
    for (cairn_node child = crn_cliques_first(cliques, level, node); child != CAIRN_NO_NODE;
         child = crn_cliques_next(cliques, level - 1, child)) {
        cliques_sum(cliques, level - 1, child, sum, count);
    }
}

/* Grids: where the position of the level lies in the world. */
static cairn_position cliques_place(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    if (!cliques->map) {
        cairn_position sum = {0, 0, 0};
        uint32_t count = 0;
        cliques_sum(cliques, level, node, &sum, &count);
        return (cairn_position){sum.x / count, sum.y / count, sum.z / count};
    }
    crn_clique_body n = crn_cliques_body(cliques, level, node);
    cairn_position first = cairn_space_position(cliques->ground, 0);
    double cell = cairn_grid_cell_size(cliques->map->grid) / CRN_ABSTRACT_UNITS;
    return (cairn_position){first.x + n.x * cell,
                            first.y + n.y * cell * (cliques->map->hex ? CRN_HEX_ROW : 1), 0};
}

static void cliques_show_areas(const crn_cliques *cliques, uint32_t level,
                               const cairn_overlay_sink *sink)
{
    for (cairn_node i = 0; i < cliques->ground->node_count; i++) {
        uint32_t group = i;
        for (uint32_t k = 0; k < level && group != CAIRN_NO_NODE; k++)
            group = cliques->levels[k].parents[group];
        if (group == CAIRN_NO_NODE) continue;
        cairn_overlay_item item = {
            .kind = CAIRN_OVERLAY_AREA, .level = level, .node = i, .group = group};
        sink->item(sink->user, &item);
    }
}

static void cliques_show_nodes(const crn_cliques *cliques, uint32_t level,
                               const cairn_overlay_sink *sink)
{
    for (cairn_node i = 0; i < crn_cliques_count(cliques, level); i++) {
        if (!crn_cliques_has(cliques, level, i)) continue;
        cairn_overlay_item item = {
            .kind = CAIRN_OVERLAY_NODE, .level = level, .node = i, .group = i};
        item.from = cliques_place(cliques, level, i);
        sink->item(sink->user, &item);
    }
}

static void cliques_show_edge(const crn_cliques *cliques, uint32_t level, cairn_node from,
                              cairn_edge edge, const cairn_overlay_sink *sink)
{
    cairn_overlay_item item = {
        .kind = CAIRN_OVERLAY_EDGE, .level = level, .node = from, .group = from, .cost = edge.cost};
    item.from = cliques_place(cliques, level, from);
    item.to = cliques_place(cliques, level, edge.node);
    sink->item(sink->user, &item);
}

/* By the positions of the nodes that it joins. */
static cairn_edge cliques_priced_edge(const crn_cliques *cliques, uint32_t level, cairn_node from,
                                      cairn_node to)
{
    return (cairn_edge){to, crn_cliques_cost(cliques, crn_cliques_body(cliques, level, from),
                                             crn_cliques_body(cliques, level, to))};
}

/* Those that lead both ways once, ledges as they lead. */
static void cliques_show_edges(const crn_cliques *cliques, uint32_t level, cairn_node node,
                               const cairn_overlay_sink *sink)
{
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count;
    bool packed = crn_cliques_packed(cliques, level);
    const cairn_edge *all = crn_cliques_neighbours(cliques, level, node, room, &count);
    for (uint32_t e = 0; e < count; e++) {
        cairn_edge edge = packed ? cliques_priced_edge(cliques, level, node, all[e].node) : all[e];
        if (edge.node >= node) cliques_show_edge(cliques, level, node, edge, sink);
    }
    all = crn_cliques_ledges(cliques, level, node, room, &count);
    for (uint32_t e = 0; e < count; e++) {
        cairn_edge edge = cliques_priced_edge(cliques, level, node, all[e].node);
        if (all[e].cost & CRN_LEDGE_THERE) cliques_show_edge(cliques, level, node, edge, sink);
    }
}

static void cliques_show_doors(const crn_cliques *cliques, uint32_t level,
                               const cairn_overlay_sink *sink)
{
    const crn_clique_doors *doors = &cliques->levels[level].doors;
    for (size_t i = 0; i < doors->count; i++) {
        const crn_clique_door *door = &doors->items[i];
        cairn_edge edge = {door->to, crn_cliques_door_cost(cliques, level, door)};
        cliques_show_edge(cliques, level, door->from, edge, sink);
    }
}

void crn_cliques_overlay(const crn_cliques *cliques, uint32_t level, const cairn_overlay_sink *sink)
{
    for (uint32_t i = 1; i <= cliques->top; i++) {
        if (level && level != i) continue;
        cliques_show_areas(cliques, i, sink);
        cliques_show_nodes(cliques, i, sink);
        for (cairn_node node = 0; node < crn_cliques_count(cliques, i); node++)
            if (crn_cliques_has(cliques, i, node)) cliques_show_edges(cliques, i, node, sink);
        cliques_show_doors(cliques, i, sink);
    }
}
