/* hpa_thin.c: few nodes above the lowest level, for maps so large that all of them would be too
 * many. See hpa_index.h.
 *
 * A higher level that has every transition over its borders is exact, but its searches still grow
 * with the map: a cluster of four times the side has four times the nodes, and each of them has
 * four times the edges. So levels that are chosen by the size of the map keep few of them. Where
 * two clusters of the level below meet at a border of this one, the transitions between them are
 * grouped: two belong together if paths inside of either cluster lead from the one to the other,
 * there and back, and if they can be walked in the same directions. Of each group the transition
 * nearest to the middle is kept. What is connected stays so; paths become a little longer.
 * Transitions into small bays, from which nothing else can be reached, are left out: searches that
 * begin or end in one look closer (hpa_search.c).
 *
 * Which nodes of a cluster are connected inside of it is found by a flood on the lowest level, and
 * from the level below on the others. A node's component is the first node of its cluster that it
 * is connected to, counted as they are listed. The choice is a function of the map, and the same
 * seen from both sides of a border.
 */
#include "hierarchy/hpa/hpa_job.h"

static bool thin_grow(crn_hpa_job *job, size_t need)
{
    void *roots = job->roots;
    bool ok = crn_scratch_grow(&job->memory, &roots, &job->root_capacity, need, sizeof *job->roots);
    job->roots = roots;
    return ok;
}

/* Beside a node's component stands what else its transitions depend on: whether the cell is an end
 * of a link, and on the lowest level the steps that lead from it and to it over borders. */
#define THIN_LINKED (UINT32_C(1) << 31)
#define THIN_STEPS 15u

static uint32_t thin_component(const crn_hpa *index, cairn_node node)
{
    bool ground = index->groups[node] < index->level[1].first;
    return index->components[node] & (ground ? (UINT32_C(1) << THIN_STEPS) - 1 : ~THIN_LINKED);
}

static bool thin_walks(const crn_grid_space *space, cairn_node a, cairn_node b)
{
    return crn_grid_walk_cost(space, a, b) != CAIRN_NO_COST;
}

static cairn_node thin_beside(const crn_hpa *index, cairn_node cell, uint32_t direction)
{
    const cairn_grid *grid = index->clusters.space->grid;
    cairn_cell at = cairn_grid_cell(grid, cell);
    return cairn_grid_node(grid, at.x + crn_dx[direction], at.y + crn_dy[direction]);
}

/* Two bits for each direction. */
static uint32_t thin_steps(const crn_hpa *index, cairn_node cell)
{
    const crn_grid_space *space = index->clusters.space;
    uint32_t steps = 0;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        cairn_node to = thin_beside(index, cell, d);
        if (to == CAIRN_NO_NODE || crn_hpa_cluster(index, 0, to) == crn_hpa_cluster(index, 0, cell))
            continue;
        steps |= (thin_walks(space, cell, to) + 2u * thin_walks(space, to, cell)) << 2 * d;
    }
    return steps;
}

/* Sets the component of a node; *changed: it had another one. */
static void thin_set(crn_hpa *index, cairn_node node, uint32_t component, bool *changed)
{
    cairn_node cell = crn_hpa_cell(index, node);
    if (crn_clusters_linked(&index->clusters, cell)) component |= THIN_LINKED;
    if (index->groups[node] < index->level[1].first)
        component |= thin_steps(index, cell) << THIN_STEPS;
    if (index->components[node] != component) *changed = true;
    index->components[node] = component;
}

/* ---- what is connected on the lowest level ---- */

/* Components the nodes from the i-th on that a flood from it reaches. */
static void thin_flood(crn_hpa_job *job, const crn_hpa_member *members, uint32_t i, uint32_t count)
{
    crn_flood *flood = &job->flood;
    uint32_t width = job->index->clusters.space->grid->width;
    crn_flood_begin(flood, members[i].cell % width - flood->area.left,
                    members[i].cell / width - flood->area.top);
    while (!crn_flood_sweep(flood)) {
    }
    for (uint32_t k = i; k < count; k++) {
        if (crn_flood_reached(flood, members[k].cell % width - flood->area.left,
                              members[k].cell / width - flood->area.top))
            job->roots[k] = i;
    }
}

bool crn_hpa_thin_component_ground(crn_hpa_job *job, uint32_t cluster, bool *changed)
{
    crn_hpa *index = job->index;
    uint32_t count;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &count);
    if (!count) return true;
    if (!thin_grow(job, count)) return false;
    for (uint32_t i = 0; i < count; i++) job->roots[i] = CAIRN_NO_NODE;
    crn_flood_open(&job->flood, index->clusters.space,
                   crn_clusters_area(&index->clusters, cluster));
    for (uint32_t i = 0; i < count; i++) {
        if (job->roots[i] == CAIRN_NO_NODE) thin_flood(job, members, i, count);
    }
    for (uint32_t i = 0; i < count; i++) thin_set(index, members[i].node, job->roots[i], changed);
    return true;
}

/* ---- what is connected on the others ---- */

/* The nodes of the children of a cluster in a row, joined where they are connected. */
typedef struct thin_union {
    crn_hpa_job *job;
    crn_hpa_children children;
    uint32_t level; /* of the children */
    uint32_t bases[CRN_HPA_GROWTH_MAX * CRN_HPA_GROWTH_MAX], count;
} thin_union;

static uint32_t thin_root(const thin_union *u, uint32_t i)
{
    const uint32_t *roots = u->job->roots;
    while (roots[i] != i) i = roots[i];
    return i;
}

static void thin_join(const thin_union *u, uint32_t a, uint32_t b)
{
    a = thin_root(u, a);
    b = thin_root(u, b);
    u->job->roots[crn_max_u32(a, b)] = crn_min_u32(a, b);
}

/* Where the node of a cell stands in the row; CAIRN_NO_NODE if it has none, or is in another
 * cluster. */
static uint32_t thin_place(const thin_union *u, cairn_node cell)
{
    const crn_hpa *index = u->job->index;
    const crn_hpa_children *children = &u->children;
    uint32_t cluster = crn_hpa_cluster(index, u->level, cell);
    if (cluster < children->first) return CAIRN_NO_NODE;
    uint32_t y = (cluster - children->first) / children->stride,
             x = (cluster - children->first) % children->stride, count;
    if (x >= children->columns || y >= children->rows) return CAIRN_NO_NODE;
    const crn_hpa_member *member = crn_hpa_find_member(index, u->level, cell);
    if (!member) return CAIRN_NO_NODE;
    return u->bases[y * children->columns + x] +
           (uint32_t)(member - crn_hpa_members(index, cluster, &count));
}

/* Joins a node to those in other children that are a step from it. */
static void thin_join_steps(const thin_union *u, uint32_t i, cairn_node cell)
{
    const crn_hpa *index = u->job->index;
    const crn_grid_space *space = index->clusters.space;
    uint32_t cluster = crn_hpa_cluster(index, u->level, cell);
    for (uint32_t direction = 0; direction < CRN_DIRECTIONS; direction++) {
        cairn_node beside = thin_beside(index, cell, direction);
        /* each pair once */
        if (beside == CAIRN_NO_NODE || beside < cell ||
            crn_hpa_cluster(index, u->level, beside) == cluster)
            continue;
        uint32_t place = thin_place(u, beside);
        if (place != CAIRN_NO_NODE && thin_walks(space, cell, beside) &&
            thin_walks(space, beside, cell))
            thin_join(u, i, place);
    }
}

/* Puts the nodes of the children in a row; false = no memory. */
static bool thin_row(thin_union *u)
{
    const crn_hpa *index = u->job->index;
    uint32_t children = u->children.columns * u->children.rows, count;
    for (uint32_t i = 0; i < children; i++) {
        u->bases[i] = u->count;
        u->count += crn_lists_count(&index->members, crn_hpa_child(&u->children, i));
    }
    if (!thin_grow(u->job, 2 * (size_t)u->count)) return false;
    for (uint32_t i = 0; i < children; i++) {
        const crn_hpa_member *members =
            crn_hpa_members(index, crn_hpa_child(&u->children, i), &count);
        for (uint32_t k = 0; k < count; k++)
            u->job->roots[u->bases[i] + k] = u->bases[i] + thin_component(index, members[k].node);
    }
    for (uint32_t i = 0; i < children; i++) {
        const crn_hpa_member *members =
            crn_hpa_members(index, crn_hpa_child(&u->children, i), &count);
        for (uint32_t k = 0; k < count; k++) thin_join_steps(u, u->bases[i] + k, members[k].cell);
    }
    return true;
}

bool crn_hpa_thin_component_above(crn_hpa_job *job, uint32_t level, uint32_t cluster, bool *changed)
{
    crn_hpa *index = job->index;
    thin_union u = {
        .job = job, .children = crn_hpa_children_of(index, level, cluster), .level = level - 1};
    uint32_t count;
    if (!thin_row(&u)) return false;
    uint32_t *firsts = job->roots + u.count;
    for (uint32_t i = 0; i < u.count; i++) firsts[i] = CAIRN_NO_NODE;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *first = &firsts[thin_root(&u, thin_place(&u, members[i].cell))];
        if (*first == CAIRN_NO_NODE) *first = i;
        thin_set(index, members[i].node, *first, changed);
    }
    return true;
}

/* ---- which transitions are kept ---- */

static bool thin_pair_before(const void *a, const void *b)
{
    const crn_hpa_pair *p = a, *q = b;
    for (uint32_t i = 0; i < CRN_COUNT(p->group); i++) {
        if (p->group[i] != q->group[i]) return p->group[i] < q->group[i];
    }
    return p->far != q->far ? p->far < q->far : p->low < q->low;
}

/* Twice the sum of the middles of two clusters of a level, along one axis. */
static uint32_t thin_middle(uint32_t a, uint32_t b, uint32_t size)
{
    return (2 * (a + b) + 2) * size;
}

/* How far a transition is from the middle between its two clusters, four times. Diagonal steps come
 * last. */
static uint32_t thin_far(const crn_hpa *index, uint32_t level, cairn_node from, cairn_node to)
{
    const crn_hpa_level *l = &index->level[level];
    uint32_t width = index->clusters.space->grid->width;
    uint32_t a = crn_hpa_cluster(index, level, from) - l->first,
             b = crn_hpa_cluster(index, level, to) - l->first;
    uint32_t x = 2 * (from % width + to % width) + 2, y = 2 * (from / width + to / width) + 2;
    uint32_t u = thin_middle(a % l->columns, b % l->columns, l->size),
             v = thin_middle(a / l->columns, b / l->columns, l->size);
    bool diagonal = from % width != to % width && from / width != to / width;
    return (x < u ? u - x : x - u) + (y < v ? v - y : y - v) + (diagonal ? UINT32_C(1) << 30 : 0);
}

/* Does a transition lead from one cluster of a level to another one? Returns the node there. */
static const crn_hpa_member *thin_crosses(const crn_hpa *index, uint32_t level, cairn_node from,
                                          cairn_node to)
{
    const crn_grid_space *space = index->clusters.space;
    if (to == CAIRN_NO_NODE ||
        crn_hpa_cluster(index, level, to) == crn_hpa_cluster(index, level, from))
        return NULL;
    const crn_hpa_member *other = crn_hpa_find_member(index, level, to);
    return other && (thin_walks(space, from, to) || thin_walks(space, to, from)) ? other : NULL;
}

/* Do all transitions of a node and of those connected to it inside of its cluster lead to one
 * place, namely to nodes connected to another one? */
static bool thin_ends(const crn_hpa *index, uint32_t level, cairn_node node, cairn_node end)
{
    uint32_t count, cluster = index->groups[end];
    const crn_hpa_member *members = crn_hpa_members(index, index->groups[node], &count);
    for (uint32_t i = 0; i < count; i++) {
        cairn_node cell = members[i].cell;
        if (thin_component(index, members[i].node) != thin_component(index, node)) continue;
        if (crn_clusters_linked(&index->clusters, cell)) return false;
        for (uint32_t direction = 0; direction < CRN_DIRECTIONS; direction++) {
            const crn_hpa_member *other =
                thin_crosses(index, level, cell, thin_beside(index, cell, direction));
            if (other && (index->groups[other->node] != cluster ||
                          thin_component(index, other->node) != thin_component(index, end)))
                return false;
        }
    }
    return true;
}

/* Gathers the transitions of a node over the border of its cluster of the level. Left out are those
 * into small bays, parts of a cluster of the lowest level that lead nowhere else. */
static bool thin_gather(crn_hpa_job *job, uint32_t level, const crn_hpa_member *member)
{
    const crn_hpa *index = job->index;
    const crn_grid_space *space = index->clusters.space;
    cairn_node cell = member->cell;
    uint32_t below = level - 1, cluster = crn_hpa_cluster(index, level, cell);
    for (uint32_t direction = 0; direction < CRN_DIRECTIONS; direction++) {
        cairn_node to = thin_beside(index, cell, direction);
        if (to == CAIRN_NO_NODE || crn_hpa_cluster(index, level, to) == cluster) continue;
        const crn_hpa_member *other = crn_hpa_find_member(index, below, to);
        bool out = other && thin_walks(space, cell, to), in = other && thin_walks(space, to, cell);
        if (!out && !in) continue;
        if (!below && (thin_ends(index, below, member->node, other->node) ||
                       thin_ends(index, below, other->node, member->node)))
            continue;
        if (!crn_hpa_job_reserve_pair(job)) return false;
        job->pairs[job->pair_count++] = (crn_hpa_pair){
            .group = {crn_hpa_cluster(index, below, cell), crn_hpa_cluster(index, below, to),
                      thin_component(index, member->node), thin_component(index, other->node),
                      cell < to ? out + 2u * in : in + 2u * out},
            .far = thin_far(index, below, cell, to),
            .low = crn_min_u32(cell, to),
            .cell = cell,
            .top = index->tops[member->node]};
    }
    return true;
}

bool crn_hpa_thin_choose(crn_hpa_job *job, uint32_t level, uint32_t cluster, uint32_t *count)
{
    const crn_hpa *index = job->index;
    crn_hpa_children children = crn_hpa_children_of(index, level, cluster);
    job->pair_count = 0;
    for (uint32_t i = 0; i < children.columns * children.rows; i++) {
        uint32_t members_count;
        const crn_hpa_member *members =
            crn_hpa_members(index, crn_hpa_child(&children, i), &members_count);
        for (uint32_t k = 0; k < members_count; k++) {
            if (index->tops[members[k].node] < level) continue;
            if (!thin_gather(job, level, &members[k])) return false;
            if (!crn_clusters_linked(&index->clusters, members[k].cell)) continue;
            if (!crn_hpa_job_reserve_pair(job)) return false;
            /* a group of its own */
            job->pairs[job->pair_count++] =
                (crn_hpa_pair){.group = {CAIRN_NO_NODE, members[k].cell},
                               .cell = members[k].cell,
                               .top = index->tops[members[k].node]};
        }
    }
    if (!crn_hpa_job_reserve_transitions(job, job->pair_count)) return false;
    crn_sort(job->pairs, job->pair_count, sizeof *job->pairs, thin_pair_before);
    *count = 0;
    for (uint32_t i = 0; i < job->pair_count; i++) {
        const crn_hpa_pair *pair = &job->pairs[i];
        if (i && !memcmp(pair[-1].group, pair->group, sizeof pair->group)) continue;
        job->transitions[(*count)++] = (crn_hpa_transition){pair->cell, pair->top};
    }
    return true;
}

/* ---- what an edit touches besides ---- */

/* Edges that lead to a cell's node over the border of its cluster are other ones now. */
bool crn_hpa_thin_mark_around(crn_hpa_job *job, uint32_t level, cairn_node cell)
{
    const crn_hpa *index = job->index;
    uint32_t cluster = crn_hpa_cluster(index, level, cell);
    for (uint32_t direction = 0; direction < CRN_DIRECTIONS; direction++) {
        cairn_node beside = thin_beside(index, cell, direction);
        if (beside == CAIRN_NO_NODE || crn_hpa_cluster(index, level, beside) == cluster) continue;
        for (uint32_t l = 0; l <= level; l++) {
            if (!crn_hpa_job_mark(job, CRN_HPA_EDGES, l, crn_hpa_cluster(index, l, beside),
                                  l < level ? CRN_HPA_DIRTY_ABOVE : CRN_HPA_DIRTY))
                return false;
        }
    }
    return true;
}

/* Writes the edges to the nodes of an edge's target, from its level on. */
static uint32_t thin_lead(const crn_hpa *index, uint32_t level, cairn_node from, cairn_edge edge,
                          cairn_edge *out)
{
    cairn_node to = crn_hpa_cell(index, edge.node);
    uint32_t count = 0, top = level;
    while (top + 1 < index->levels &&
           crn_hpa_cluster(index, top + 1, from) != crn_hpa_cluster(index, top + 1, to))
        top++;
    for (uint32_t l = level; l <= top; l++) {
        cairn_node node = crn_hpa_find(index, l, to);
        if (node == CAIRN_NO_NODE) break;
        out[count++] = (cairn_edge){node, edge.cost};
    }
    return count;
}

bool crn_hpa_thin_lead(crn_hpa_job *job, uint32_t level, cairn_node node, uint32_t *count)
{
    const crn_hpa *index = job->index;
    const crn_abstract_node *place = &index->abstract.nodes[node];
    *count = 0;
    if (!crn_hpa_job_reserve_edges(job, place->count * CRN_HPA_LEVELS)) return false;
    cairn_node cell = crn_hpa_cell(index, node), before = CAIRN_NO_NODE;
    for (uint32_t e = 0; e < place->count; e++) {
        /* nodes that were given up still say where they were */
        cairn_edge edge = crn_abstract_edges(&index->abstract, node)[e];
        cairn_node to = crn_hpa_cell(index, edge.node);
        if (to == cell) {
            job->edges[(*count)++] = edge; /* to the level below */
        } else if (to != before) {
            *count += thin_lead(index, level, cell, edge, job->edges + *count);
        }
        before = to;
    }
    return true;
}

/* Marks the cluster that holds another one and those that hold the ones around it, and around
 * these: which of their transitions are kept may be another choice. */
bool crn_hpa_thin_mark_parents(crn_hpa_job *job, uint32_t level, uint32_t cluster)
{
    const crn_hpa *index = job->index;
    const crn_hpa_level *l = &index->level[level], *above = l + 1;
    uint32_t x = (cluster - l->first) % l->columns, y = (cluster - l->first) / l->columns;
    for (uint32_t v = y < 2 ? 0 : y - 2; v <= y + 2 && v < l->rows; v++) {
        for (uint32_t u = x < 2 ? 0 : x - 2; u <= x + 2 && u < l->columns; u++) {
            uint32_t parent = above->first + v / above->growth * above->columns + u / above->growth;
            if (!crn_hpa_job_mark_stage(job, CRN_HPA_NODES, level + 1, parent, CRN_HPA_DIRTY))
                return false;
        }
    }
    return true;
}
