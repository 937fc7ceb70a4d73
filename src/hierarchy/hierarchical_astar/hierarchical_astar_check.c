/* hierarchical_astar_check.c: what must hold of the stars. See hierarchical_astar_check.h. */
#include "hierarchy/hierarchical_astar/hierarchical_astar_check.h"
#include "abstract/abstract_check.h"

#if defined(CAIRN_CHECKS)

static const char *stars_check_groups(const crn_stars_level *level, const cairn_space *ground)
{
    for (uint32_t i = 0; i < level->below; i++) {
        bool stands = !ground || ground->functions->usable(ground, i);
        if (stands ? level->groups[i] >= level->abstract.node_count
                   : level->groups[i] != CAIRN_NO_NODE)
            return "a node is in no group, or in one though nobody can stand there";
    }
    return NULL;
}

static const char *stars_check_lists(const crn_stars_level *level)
{
    cairn_cost least = CAIRN_NO_COST, most = 0;
    for (cairn_node node = 0; node < level->abstract.node_count; node++) {
        const cairn_edge *edges = crn_abstract_edges(&level->abstract, node);
        for (uint32_t i = 0; i < level->abstract.nodes[node].count; i++) {
            if (edges[i].node == node) return "an edge leads to its own group";
            if (i && edges[i].node <= edges[i - 1].node) return "edges of a group do not ascend";
            least = crn_min_u32(least, edges[i].cost);
            most = crn_max_u32(most, edges[i].cost);
        }
    }
    if (!most) return NULL;
    return least == level->min_edge && most == level->max_edge
               ? NULL
               : "an edge is cheaper or more expensive than all of them are";
}

/* Is there an edge between the groups of two nodes that costs no more than one between them? */
static const char *stars_check_edge(const crn_stars *stars, uint32_t level, cairn_node from,
                                    cairn_edge edge)
{
    const crn_stars_level *l = &stars->levels[level];
    uint32_t a = l->groups[from], b = l->groups[edge.node];
    if (a == b) return NULL;
    /* Lists of a level are turned round if it is searched from the goal. */
    cairn_node tail = crn_stars_backwards(level) ? b : a, head = crn_stars_backwards(level) ? a : b;
    const cairn_edge *edges = crn_abstract_edges(&l->abstract, tail);
    for (uint32_t i = 0; i < l->abstract.nodes[tail].count; i++) {
        if (edges[i].node == head)
            return edges[i].cost <= edge.cost ? NULL : "groups are farther apart than their nodes";
    }
    return "groups are not joined, but their nodes are";
}

static const char *stars_check_ground(const crn_stars *stars, const cairn_space *space)
{
    enum { ROOM = 16 };
    cairn_edge edges[ROOM];
    const char *wrong = NULL;
    for (cairn_node node = 0; node < space->node_count && !wrong; node++) {
        if (!space->functions->usable(space, node)) continue;
        for (uint32_t first = 0, count = ROOM; count == ROOM && !wrong; first += count) {
            count = space->functions->expand(space, node, first, edges, ROOM);
            for (uint32_t i = 0; i < count && !wrong; i++)
                wrong = stars_check_edge(stars, 0, node, edges[i]);
        }
    }
    return wrong;
}

/* The same for a level above, whose edges below may be turned round. */
static const char *stars_check_above(const crn_stars *stars, uint32_t level)
{
    const crn_abstract_graph *below = &stars->levels[level - 1].abstract;
    const char *wrong = NULL;
    for (cairn_node node = 0; node < below->node_count && !wrong; node++) {
        const cairn_edge *edges = crn_abstract_edges(below, node);
        for (uint32_t i = 0; i < below->nodes[node].count && !wrong; i++) {
            bool turned = crn_stars_backwards(level - 1);
            cairn_edge edge = {turned ? node : edges[i].node, edges[i].cost};
            wrong = stars_check_edge(stars, level, turned ? edges[i].node : node, edge);
        }
    }
    return wrong;
}

const char *crn_stars_check(const crn_stars *stars, const cairn_space *space, bool whole)
{
    size_t below = space->node_count;
    for (uint32_t i = 0; i < stars->count; i++) {
        const crn_stars_level *level = &stars->levels[i];
        if (level->below != below) return "a level stands on another one";
        below = level->abstract.node_count;
        const char *wrong = crn_abstract_check(&level->abstract);
        if (!wrong) wrong = stars_check_groups(level, i ? NULL : space);
        if (!wrong && whole) wrong = stars_check_lists(level);
        if (!wrong && whole)
            wrong = i ? stars_check_above(stars, i) : stars_check_ground(stars, space);
        if (wrong) return wrong;
    }
    return NULL;
}

#endif
