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
 * The same choice is made at all borders between clusters of the level below, also at those inside
 * of a larger cluster: the edges of the larger one cost what paths through kept nodes do
 * (hpa_rows.h).
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
 * of a link, and on the lowest level the steps that lead from it and to it over borders, two bits
 * for each direction. There also stands what was chosen: whether the node is kept (CRN_HPA_KEPT),
 * and whether that makes its cell a node of the next level. A cluster of the lowest level has at
 * most 64×64 nodes. */
#define THIN_LINKED (UINT32_C(1) << 31)
#define THIN_UP (UINT32_C(1) << 29)
#define THIN_STEPS 12u
#define THIN_CHOICE (CRN_HPA_KEPT | THIN_UP)
#define THIN_FLAGS (THIN_LINKED | THIN_CHOICE)

static bool thin_on_ground(const crn_hpa *index, cairn_node node)
{
    return index->groups[node] < index->level[1].first;
}

static uint32_t thin_component(const crn_hpa *index, cairn_node node)
{
    uint32_t steps = thin_on_ground(index, node) ? ~UINT32_C(0) << THIN_STEPS : 0;
    return index->components[node] & ~(THIN_FLAGS | steps);
}

/* The node of the lowest level in the cell of a node. */
static cairn_node thin_ground(const crn_hpa *index, const crn_hpa_member *member)
{
    return thin_on_ground(index, member->node) ? member->node
                                               : crn_hpa_find(index, 0, member->cell);
}

/* The steps of a node of the lowest level in a direction, as the use of an exit. */
static uint32_t thin_step(const crn_hpa *index, cairn_node node, uint32_t direction)
{
    return index->components[node] >> (THIN_STEPS + 2 * direction) & 3;
}

static cairn_node thin_beside(const crn_hpa *index, cairn_node cell, uint32_t direction)
{
    const cairn_grid *grid = index->clusters.space->grid;
    cairn_cell at = cairn_grid_cell(grid, cell);
    return cairn_grid_node(grid, at.x + crn_dx[direction], at.y + crn_dy[direction]);
}

/* Sets the component of a node, and its steps on the lowest level; *changed: it had others. */
static void thin_set(crn_hpa *index, cairn_node node, uint32_t component, uint32_t steps,
                     bool *changed)
{
    component |= steps << THIN_STEPS;
    if (crn_clusters_linked(&index->clusters, crn_hpa_cell(index, node))) component |= THIN_LINKED;
    component |= index->components[node] & THIN_CHOICE;
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

/* The steps of a transition, two bits for its direction; 0: it is a link between other cells. */
static uint32_t thin_exit_steps(const crn_hpa *index, const crn_exit *exit)
{
    for (uint32_t direction = 0; direction < CRN_DIRECTIONS; direction++) {
        if (thin_beside(index, exit->from, direction) == exit->to)
            return exit->use << 2 * direction;
    }
    return 0;
}

/* The steps of a node: those of the transitions from its cell, the first of which stands at *at. */
static uint32_t thin_steps(const crn_hpa_job *job, cairn_node cell, uint32_t *at)
{
    uint32_t steps = 0;
    for (; *at < job->exits.count && job->exits.items[*at].from == cell; ++*at)
        steps |= thin_exit_steps(job->index, &job->exits.items[*at]);
    return steps;
}

/* Writes the components to the nodes. `found`: their transitions were found just now, and are the
 * same as before otherwise. */
static void thin_set_ground(crn_hpa_job *job, const crn_hpa_member *members, uint32_t count,
                            bool found, bool *changed)
{
    crn_hpa *index = job->index;
    job->stepped = false;
    for (uint32_t i = 0, at = 0; i < count; i++) {
        uint32_t before = (index->components[members[i].node] & ~THIN_FLAGS) >> THIN_STEPS;
        uint32_t steps = found ? thin_steps(job, members[i].cell, &at) : before;
        if (before && steps != before) job->stepped = true;
        thin_set(index, members[i].node, job->roots[i], steps, changed);
    }
}

bool crn_hpa_thin_component_ground(crn_hpa_job *job, uint32_t cluster, bool found, bool *changed)
{
    const crn_hpa *index = job->index;
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
    thin_set_ground(job, members, count, found, changed);
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

/* Joins a node to those in other children that are a step there and back from it. */
static void thin_join_steps(const thin_union *u, uint32_t i, const crn_hpa_member *member)
{
    const crn_hpa *index = u->job->index;
    cairn_node ground = thin_ground(index, member);
    for (uint32_t direction = 0; direction < CRN_DIRECTIONS; direction++) {
        if (thin_step(index, ground, direction) != CRN_EXIT_BOTH) continue;
        cairn_node beside = thin_beside(index, member->cell, direction);
        if (beside < member->cell || /* each pair once */
            crn_hpa_cluster(index, u->level, beside) == index->groups[member->node])
            continue;
        uint32_t place = thin_place(u, beside);
        if (place != CAIRN_NO_NODE) thin_join(u, i, place);
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
        for (uint32_t k = 0; k < count; k++) thin_join_steps(u, u->bases[i] + k, &members[k]);
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
        thin_set(index, members[i].node, *first, 0, changed);
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

/* Finds the transition of a node in a direction, the node of the same level in the other cluster;
 * NULL: there is none. */
static const crn_hpa_member *thin_beyond(const crn_hpa *index, uint32_t level,
                                         const crn_hpa_member *from, uint32_t direction)
{
    cairn_node to = thin_beside(index, from->cell, direction);
    if (crn_hpa_cluster(index, level, to) == index->groups[from->node]) return NULL;
    return crn_hpa_find_member(index, level, to);
}

/* Do all transitions of a node of the lowest level, and of those connected to it inside of its
 * cluster, lead to one place, namely to nodes connected to another one? */
static bool thin_ends(const crn_hpa *index, cairn_node node, cairn_node end)
{
    uint32_t count, cluster = index->groups[end];
    const crn_hpa_member *members = crn_hpa_members(index, index->groups[node], &count);
    for (uint32_t i = 0; i < count; i++) {
        if (thin_component(index, members[i].node) != thin_component(index, node)) continue;
        if (index->components[members[i].node] & THIN_LINKED) return false;
        for (uint32_t direction = 0; direction < CRN_DIRECTIONS; direction++) {
            if (!thin_step(index, members[i].node, direction)) continue;
            const crn_hpa_member *other = thin_beyond(index, 0, &members[i], direction);
            if (other && (index->groups[other->node] != cluster ||
                          thin_component(index, other->node) != thin_component(index, end)))
                return false;
        }
    }
    return true;
}

/* Is the component of the i-th node a bay, from which all transitions lead to where this one does?
 * Found once for each component: job->roots has 0, or 1 more than the answer. */
static bool thin_is_bay(crn_hpa_job *job, const crn_hpa_member *member, cairn_node end)
{
    uint32_t *known = &job->roots[thin_component(job->index, member->node)];
    if (!*known) *known = 1u + thin_ends(job->index, member->node, end);
    return *known > 1;
}

/* Gathers the transitions of the i-th node of a cluster over its borders. Left out are those into
 * small bays, parts of a cluster of the lowest level that lead nowhere else. */
static bool thin_gather(crn_hpa_job *job, uint32_t level, const crn_hpa_member *members, uint32_t i)
{
    const crn_hpa *index = job->index;
    const crn_hpa_member *member = &members[i];
    cairn_node ground = thin_ground(index, member);
    for (uint32_t direction = 0; direction < CRN_DIRECTIONS; direction++) {
        uint32_t steps = thin_step(index, ground, direction);
        const crn_hpa_member *other = steps ? thin_beyond(index, level, member, direction) : NULL;
        if (!other || (!level && (thin_is_bay(job, member, other->node) ||
                                  thin_ends(index, other->node, member->node))))
            continue;
        if (!crn_hpa_job_reserve_pair(job)) return false;
        uint32_t turned = (steps & 1) << 1 | steps >> 1;
        job->pairs[job->pair_count++] = (crn_hpa_pair){
            .group = {index->groups[other->node], thin_component(index, member->node),
                      thin_component(index, other->node),
                      member->cell < other->cell ? steps : turned},
            .far = thin_far(index, level, member->cell, other->cell),
            .low = crn_min_u32(member->cell, other->cell),
            .member = i,
            .crosses = crn_hpa_cluster(index, level + 1, other->cell) !=
                       crn_hpa_cluster(index, level + 1, member->cell)};
    }
    return true;
}

static bool thin_grouped(const crn_hpa_pair *a, const crn_hpa_pair *b)
{
    return !memcmp(a->group, b->group, sizeof a->group);
}

/* What is chosen, by node: of each group the first transition, on the lowest level the last one as
 * well, and all ends of links. The next level gets the first ones. */
static void thin_take(crn_hpa_job *job, uint32_t level, const crn_hpa_member *members,
                      uint32_t count)
{
    const crn_hpa *index = job->index;
    for (uint32_t i = 0; i < count; i++) {
        bool linked = index->components[members[i].node] & THIN_LINKED,
             up = index->tops[members[i].node] > level;
        job->roots[i] = !linked ? 0 : up ? THIN_CHOICE : CRN_HPA_KEPT;
    }
    crn_sort(job->pairs, job->pair_count, sizeof *job->pairs, thin_pair_before);
    for (uint32_t i = 0; i < job->pair_count; i++) {
        const crn_hpa_pair *pair = &job->pairs[i];
        bool first = !i || !thin_grouped(pair - 1, pair),
             last = !level && (i + 1 == job->pair_count || !thin_grouped(pair, pair + 1));
        if (first || last) job->roots[pair->member] |= CRN_HPA_KEPT;
        if (first && pair->crosses) job->roots[pair->member] |= THIN_UP;
    }
}

/* Chooses nodes of a cluster of a level; *changed: others are kept than before. */
static bool thin_choose(crn_hpa_job *job, uint32_t level, uint32_t cluster, bool *changed)
{
    crn_hpa *index = job->index;
    uint32_t count;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &count);
    job->pair_count = 0;
    if (!thin_grow(job, count)) return false;
    if (count) memset(job->roots, 0, count * sizeof *job->roots);
    for (uint32_t i = 0; i < count; i++) {
        if (!thin_gather(job, level, members, i)) return false;
    }
    thin_take(job, level, members, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *component = &index->components[members[i].node];
        if ((*component ^ job->roots[i]) & CRN_HPA_KEPT) *changed = true;
        *component = (*component & ~THIN_CHOICE) | job->roots[i];
    }
    return true;
}

/* Adds the nodes of a child that were chosen for the level above. */
static bool thin_raise(crn_hpa_job *job, uint32_t cluster, uint32_t *count)
{
    const crn_hpa *index = job->index;
    uint32_t members_count;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &members_count);
    if (!crn_hpa_job_reserve_transitions(job, *count + members_count)) return false;
    for (uint32_t i = 0; i < members_count; i++) {
        if (index->components[members[i].node] & THIN_UP)
            job->transitions[(*count)++] =
                (crn_hpa_transition){members[i].cell, index->tops[members[i].node]};
    }
    return true;
}

bool crn_hpa_thin_choose(crn_hpa_job *job, uint32_t level, uint32_t cluster, uint32_t *count)
{
    crn_hpa_children children = crn_hpa_children_of(job->index, level, cluster);
    bool changed = false;
    *count = 0;
    for (uint32_t i = 0; i < children.columns * children.rows; i++) {
        uint32_t child = crn_hpa_child(&children, i);
        if (job->choices[child] && !thin_choose(job, level - 1, child, &changed)) return false;
        job->choices[child] = false;
        if (!thin_raise(job, child, count)) return false;
    }
    return !changed || crn_hpa_job_mark(job, CRN_HPA_EDGES, level, cluster, CRN_HPA_DIRTY);
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

/* Marks the clusters around one, which choose their nodes again, and those that hold them: on the
 * lowest level, where bays matter, also the ones around these. What is connected in those that do
 * not hold the one itself stays the same, unless they get other nodes. */
bool crn_hpa_thin_mark_choices(crn_hpa_job *job, uint32_t level, uint32_t cluster)
{
    const crn_hpa *index = job->index;
    const crn_hpa_level *l = &index->level[level], *above = l + 1;
    uint32_t x = (cluster - l->first) % l->columns, y = (cluster - l->first) / l->columns;
    uint32_t near = level ? 1 : 2;
    for (uint32_t v = y < near ? 0 : y - near; v <= y + near && v < l->rows; v++) {
        for (uint32_t u = x < near ? 0 : x - near; u <= x + near && u < l->columns; u++) {
            uint32_t parent = above->first + v / above->growth * above->columns + u / above->growth;
            bool own =
                v / above->growth == y / above->growth && u / above->growth == x / above->growth;
            job->choices[l->first + v * l->columns + u] = true;
            if (!crn_hpa_job_mark_stage(job, CRN_HPA_NODES, level + 1, parent,
                                        own ? CRN_HPA_DIRTY : CRN_HPA_DIRTY_INSIDE))
                return false;
        }
    }
    return true;
}
