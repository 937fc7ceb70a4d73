/* hpa_check.c: what must hold of the abstract graph of HPA*. See hpa_check.h. */
#include "hierarchy/hpa/hpa_check.h"
#include "abstract/abstract_check.h"

#if defined(CAIRN_CHECKS)

/* Edges lead out of the cluster, or along a link, and cost at least the distance unless links are
 * shortcuts; the last one of a node above the lowest level leads down for nothing. */
static const char *hpa_check_edges(const crn_hpa *index, cairn_node node, uint32_t level,
                                   bool whole, cairn_cost *costliest)
{
    const crn_abstract_node *from = &index->abstract.nodes[node];
    const cairn_edge *edges = crn_abstract_edges(&index->abstract, node);
    crn_metric metric = crn_metric_of(&index->clusters.space->base);
    const crn_links *links = &index->clusters.space->links;
    uint32_t down = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        const crn_abstract_node *to = &index->abstract.nodes[edges[i].node];
        if (crn_hpa_cell(index, edges[i].node) == crn_hpa_cell(index, node)) {
            if (edges[i].cost || crn_hpa_level_of(index, edges[i].node) + 1 != level)
                return "an edge of a cell to itself does not lead down";
            down++;
            continue;
        }
        *costliest = crn_max_u32(*costliest, edges[i].cost);
        if (!edges[i].cost || !crn_hpa_may_lead(index, node, level, edges[i].node))
            return "an edge costs nothing, or leads where no transition does";
        if (whole && !links->shortcut_count &&
            edges[i].cost < crn_metric_distance(metric, from->x, from->y, to->x, to->y))
            return "an edge costs less than its ends are apart";
    }
    return down == (level && from->count) ? NULL : "a node does not lead down";
}

/* The nodes of a cluster: ascending by cell, each of this cluster. */
static const char *hpa_check_cluster(const crn_hpa *index, uint32_t level, uint32_t cluster,
                                     bool whole)
{
    uint32_t count;
    cairn_cost costliest = 0;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &count);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node node = members[i].node, cell = members[i].cell;
        if (node >= index->abstract.node_count) return "a cluster has a node that there is not";
        if (i && cell <= members[i - 1].cell) return "the nodes of a cluster do not ascend";
        if (crn_hpa_cell(index, node) != cell) return "a node lies in another cell";
        if (index->groups[node] != cluster || crn_hpa_cluster(index, level, cell) != cluster)
            return "a node lies in another cluster";
        if (!cairn_space_usable(&index->clusters.space->base, cell))
            return "nobody can stand on a node";
        if (index->tops[node] < level) return "a node is of a higher level than its cell is";
        const char *wrong = hpa_check_edges(index, node, level, whole, &costliest);
        if (wrong) return wrong;
    }
    return costliest == crn_hpa_costliest_of(index, cluster)
               ? NULL
               : "the costliest edge of a cluster is another";
}

/* Are the nodes of a cluster of the lowest level the cells by which it is left? */
static const char *hpa_check_exits(const crn_hpa *index, uint32_t cluster)
{
    crn_exit exits[CRN_EXITS_MAX];
    uint32_t count, found = crn_clusters_exits(&index->clusters, cluster, exits), at = 0;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &count);
    for (uint32_t i = 0; i < count; i++) {
        bool left = at < found && exits[at].from == members[i].cell;
        if (!left && !crn_clusters_linked(&index->clusters, members[i].cell))
            return "a node is no cell by which a cluster is left or entered";
        while (at < found && exits[at].from == members[i].cell) at++;
    }
    return at == found ? NULL : "a cell by which a cluster is left is no node";
}

/* Are both ends of each link nodes? */
static const char *hpa_check_links(const crn_hpa *index)
{
    const crn_links *links = &index->clusters.space->links;
    for (uint32_t i = 0; i < links->count; i++) {
        if (crn_hpa_find(index, 0, links->links[i].from) == CAIRN_NO_NODE ||
            crn_hpa_find(index, 0, links->links[i].to) == CAIRN_NO_NODE)
            return "an end of a link is no node";
    }
    return NULL;
}

/* Numbers that no node has; more than there are if the list leads astray. */
static size_t hpa_check_vacant(const crn_hpa *index)
{
    size_t count = 0;
    for (uint32_t at = index->vacant; at && count <= index->abstract.node_count;
         at = index->groups[at - 1]) {
        if (at > index->abstract.node_count) return SIZE_MAX;
        count++;
    }
    return count;
}

const char *crn_hpa_check(const crn_hpa *index, bool whole)
{
    const char *wrong = crn_abstract_check(&index->abstract);
    if (!wrong) wrong = crn_lists_check(&index->members);
    if (!wrong && index->members.count != index->cluster_count)
        return "there are lists of nodes of other clusters";
    size_t nodes = hpa_check_vacant(index);
    for (uint32_t level = 0; level < index->levels && !wrong; level++) {
        const crn_hpa_level *l = &index->level[level];
        for (uint32_t i = 0; i < l->columns * l->rows && !wrong; i++) {
            wrong = hpa_check_cluster(index, level, l->first + i, whole);
            if (!wrong && !level) wrong = hpa_check_exits(index, i);
            nodes += crn_lists_count(&index->members, l->first + i);
        }
    }
    for (uint32_t i = 1; i < index->cluster_count && !wrong; i++) {
        if (index->costliest[i] !=
            crn_max_u32(index->costliest[2 * i], index->costliest[2 * i + 1]))
            wrong = "the costliest edge of some clusters is another";
    }
    if (!wrong) wrong = hpa_check_links(index);
    return wrong || nodes == index->abstract.node_count ? wrong : "a node is in no cluster";
}

#endif
