/* heuristic_check.c: what must hold of landmarks and of the table of clusters. See
 * heuristic_check.h. */
#include "heuristic/heuristic_check.h"

#if defined(CAIRN_CHECKS)

/* Called for all edges of a space; returns what is wrong. */
typedef const char *heuristic_check_edge(const void *table, cairn_node from, cairn_edge edge);

static const char *heuristic_check_edges(const cairn_space *space, heuristic_check_edge *check,
                                         const void *table)
{
    enum { ROOM = 16 };
    cairn_edge edges[ROOM];
    const char *wrong = NULL;
    for (cairn_node node = 0; node < space->node_count && !wrong; node++) {
        if (!space->functions->usable(space, node)) continue;
        for (uint32_t first = 0, count = ROOM; count == ROOM && !wrong; first += count) {
            count = space->functions->expand(space, node, first, edges, ROOM);
            for (uint32_t i = 0; i < count && !wrong; i++) wrong = check(table, node, edges[i]);
        }
    }
    return wrong;
}

/* ---- landmarks ---- */

/* May a distance rise from `low` to `high` along an edge of this cost? */
static bool heuristic_check_rise(cairn_cost low, cairn_cost high, cairn_cost cost)
{
    return low == CRN_LANDMARK_FAR || high <= (uint64_t)low + cost;
}

static const char *heuristic_check_landmark_edge(const void *table, cairn_node from,
                                                 cairn_edge edge)
{
    const crn_landmarks *landmarks = table;
    for (uint32_t i = 0; i < landmarks->count; i++) {
        cairn_cost a = crn_landmarks_distance(landmarks, from, i),
                   b = crn_landmarks_distance(landmarks, edge.node, i);
        if (!heuristic_check_rise(a, b, edge.cost))
            return "a distance from a landmark rises by more than an edge costs";
        if (landmarks->both && !heuristic_check_rise(b, a, edge.cost))
            return "a distance from a landmark falls by more than an edge costs";
    }
    return NULL;
}

const char *crn_landmarks_check(const crn_landmarks *landmarks, const cairn_space *space,
                                bool whole)
{
    if (!landmarks->table) return "there is no table of landmarks";
    if (landmarks->node_count != space->node_count || landmarks->count > CRN_LANDMARKS_MAX)
        return "the table of landmarks is of another space";
    for (size_t i = 1; i < landmarks->changed_count; i++)
        if (landmarks->changed[i].node <= landmarks->changed[i - 1].node)
            return "changed cells do not ascend";
    for (uint32_t i = 0; i < landmarks->count; i++) {
        cairn_node node = landmarks->nodes[i];
        if (node == CAIRN_NO_NODE) continue;
        if (node >= space->node_count) return "a landmark lies outside of the world";
        if (whole && crn_landmarks_distance(landmarks, node, i))
            return "a landmark is far from itself";
    }
    return whole ? heuristic_check_edges(space, heuristic_check_landmark_edge, landmarks) : NULL;
}

/* ---- clusters ---- */

static const char *heuristic_check_cluster_edge(const void *table, cairn_node from, cairn_edge edge)
{
    const crn_cluster_table *t = table;
    uint32_t a = t->clusters[from], b = t->clusters[edge.node];
    if (a == b) return NULL;
    cairn_cost cost = t->costs[(size_t)b * t->count + a];
    return cost && cost <= edge.cost ? NULL : "two clusters are farther apart than an edge is long";
}

const char *crn_cluster_table_check(const crn_cluster_table *table, const cairn_space *space,
                                    bool whole)
{
    if (!table->clusters || table->node_count != space->node_count)
        return "the table of clusters is of another space";
    for (cairn_node node = 0; node < space->node_count; node++) {
        bool stands = space->functions->usable(space, node);
        if (stands ? table->clusters[node] >= table->count
                   : table->clusters[node] != CRN_NO_CLUSTER)
            return "a node has no cluster, or one though nobody can stand there";
    }
    for (uint32_t i = 0; whole && i < table->count; i++) {
        cairn_cost own = table->costs[(size_t)i * table->count + i];
        /* (A cluster may have no nodes.) */
        if (own && own != CAIRN_NO_COST) return "a cluster is far from itself";
    }
    return whole ? heuristic_check_edges(space, heuristic_check_cluster_edge, table) : NULL;
}

/* ---- chambers ---- */

/* An edge joins nodes of the same chamber, or of one and its parent. */
static const char *heuristic_check_chamber_edge(const void *table, cairn_node from, cairn_edge edge)
{
    const crn_dead_ends *d = table;
    uint32_t a = d->of[from], b = d->of[edge.node];
    if (a == b || d->chambers[a].parent == b || d->chambers[b].parent == a) return NULL;
    return "an edge leads past the borders of chambers";
}

const char *crn_dead_ends_check(const crn_dead_ends *dead_ends, const cairn_space *space,
                                bool whole)
{
    if (!dead_ends->of || dead_ends->node_count != space->node_count)
        return "the chambers are those of another space";
    for (uint32_t i = 0; whole && i < dead_ends->count; i++) {
        const crn_chamber *chamber = &dead_ends->chambers[i];
        if (chamber->parent != CRN_NO_CHAMBER &&
            (chamber->parent >= i || dead_ends->chambers[chamber->parent].last < chamber->last))
            return "a chamber does not lie below its parent";
    }
    return whole ? heuristic_check_edges(space, heuristic_check_chamber_edge, dead_ends) : NULL;
}

/* ---- gates ---- */

typedef struct heuristic_check_gates {
    const crn_gateway *gateway;
    const cairn_grid *grid;
} heuristic_check_gates;

/* Does an area have a door round this node? */
static bool heuristic_check_door(const heuristic_check_gates *gates, uint32_t area, cairn_node node)
{
    const crn_gateway *gateway = gates->gateway;
    cairn_cell cell = cairn_grid_cell(gates->grid, node);
    for (uint32_t i = gateway->first[area]; i < gateway->first[area + 1]; i++) {
        const crn_gateway_door *door = &gateway->doors[i];
        if (cell.x >= door->left && cell.x <= door->right && cell.y >= door->top &&
            cell.y <= door->bottom)
            return true;
    }
    return false;
}

/* Edges between areas begin or end at a door of each of them that has doors. */
static const char *heuristic_check_gate_edge(const void *table, cairn_node from, cairn_edge edge)
{
    const heuristic_check_gates *gates = table;
    const crn_gateway *gateway = gates->gateway;
    const uint32_t areas[] = {gateway->areas[from], gateway->areas[edge.node]};
    for (uint32_t i = 0; i < 2 && areas[0] != areas[1]; i++) {
        if (gateway->first[areas[i]] != gateway->first[areas[i] + 1] &&
            !heuristic_check_door(gates, areas[i], from) &&
            !heuristic_check_door(gates, areas[i], edge.node))
            return "an edge leads past the gates of an area";
    }
    return NULL;
}

const char *crn_gateway_check(const crn_gateway *gateway, const cairn_space *space, bool whole)
{
    if (!gateway->areas || gateway->node_count != space->node_count)
        return "the gates are those of another space";
    for (uint32_t i = 0; whole && i < gateway->gate_count; i++)
        if (gateway->costs[(size_t)i * gateway->gate_count + i]) return "a gate is far from itself";
    heuristic_check_gates gates = {gateway, cairn_space_grid(space)};
    return whole ? heuristic_check_edges(space, heuristic_check_gate_edge, &gates) : NULL;
}

#endif
