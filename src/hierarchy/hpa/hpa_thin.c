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
 * What a cluster chooses depends on itself, on the clusters around it, and on whether parts of
 * those are bays, which depends on the clusters around them. So each part keeps whether it is one.
 * After a change of a cluster these notes are found again in it and around it, and choices are made
 * again there. That is enough: a part of another cluster becomes a bay, or stops being one, only if
 * all of its transitions lead to the one that changed, so no third one chooses between them.
 *
 * Which nodes of a cluster are connected inside of it is found by a flood on the lowest level, and
 * from the level below on the others. A node's component is the first node of its cluster that it
 * is connected to, counted as they are listed. The choice is a function of the map, and the same
 * seen from both sides of a border.
 */
#include "hierarchy/hpa/hpa_job.h"
#include "hierarchy/hpa/hpa_thin.h"

/* Room for this many in job->roots. There is an array even if none are needed: parts of it begin at
 * its end then. */
static bool thin_grow(crn_hpa_job *job, size_t need)
{
    void *roots = job->roots;
    bool ok = crn_scratch_grow(&job->memory, &roots, &job->root_capacity, need + !need,
                               sizeof *job->roots);
    job->roots = roots;
    return ok;
}

/* What a cluster is still to find, in job->choices: by direction, the nodes at its border with a
 * cluster that has changed; all of its nodes; its bays; which nodes of its children become its
 * own. */
#define THIN_SIDES ((1u << CRN_DIRECTIONS) - 1)
#define THIN_TO_CHOOSE (1u << CRN_DIRECTIONS)
#define THIN_TO_FIND_BAYS (THIN_TO_CHOOSE << 1)
#define THIN_TO_PLACE (THIN_TO_CHOOSE << 2)

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
    component |= steps << CRN_HPA_THIN_STEPS;
    if (crn_clusters_linked(&index->clusters, crn_hpa_cell(index, node)))
        component |= CRN_HPA_THIN_LINKED;
    component |= index->components[node] & (CRN_HPA_THIN_CHOICE | CRN_HPA_THIN_BAY);
    if (index->components[node] != component) *changed = true;
    index->components[node] = component;
}

/* ---- what is connected on the lowest level ---- */

static bool thin_reached(const crn_hpa_job *job, cairn_node cell)
{
    const crn_flood *flood = &job->flood;
    uint32_t width = job->index->clusters.space->grid->width;
    return crn_flood_reached(flood, cell % width - flood->area.left,
                             cell / width - flood->area.top);
}

/* Gives the nodes from the i-th on that a flood from a cell reaches the same component. */
static void thin_flood(crn_hpa_job *job, cairn_node from, const crn_hpa_member *members, uint32_t i,
                       uint32_t count)
{
    const crn_area *area = &job->flood.area;
    uint32_t width = job->index->clusters.space->grid->width, first = CAIRN_NO_NODE;
    crn_flood_begin(&job->flood, from % width - area->left, from / width - area->top);
    while (!crn_flood_sweep(&job->flood)) {
    }
    for (; i < count; i++) {
        if (!thin_reached(job, members[i].cell)) continue;
        if (first == CAIRN_NO_NODE) first = i;
        job->roots[i] = first;
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
        uint32_t before = crn_hpa_thin_steps_of(index, members[i].node);
        uint32_t steps = found ? thin_steps(job, members[i].cell, &at) : before;
        if (before && steps != before) job->stepped = true;
        thin_set(index, members[i].node, job->roots[i], steps, changed);
    }
}

/* One cell was opened or closed, and nothing changed at the borders: only nodes that are connected
 * to it or to cells around it may be connected to others than before. */
static void thin_flood_around(crn_hpa_job *job, const crn_hpa_member *members, uint32_t count)
{
    const crn_hpa *index = job->index;
    cairn_node cells[CRN_DIRECTIONS + 1] = {job->near.cell};
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++)
        cells[d + 1] = thin_beside(index, job->near.cell, d);
    for (uint32_t i = 0; i < count; i++)
        job->roots[i] = crn_hpa_thin_component(index, members[i].node);
    for (uint32_t c = 0; c <= CRN_DIRECTIONS; c++) {
        if (cells[c] == CAIRN_NO_NODE ||
            !cairn_space_usable(&index->clusters.space->base, cells[c]))
            continue;
        thin_flood(job, cells[c], members, 0, count);
        for (uint32_t other = c + 1; other <= CRN_DIRECTIONS; other++) {
            if (cells[other] != CAIRN_NO_NODE && thin_reached(job, cells[other]))
                cells[other] = CAIRN_NO_NODE;
        }
    }
}

bool crn_hpa_thin_component_ground(crn_hpa_job *job, uint32_t cluster, bool found, bool *changed)
{
    const crn_hpa *index = job->index;
    uint32_t count;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &count);
    if (!count) return true;
    if (!thin_grow(job, count)) return false;
    crn_flood_open(&job->flood, index->clusters.space,
                   crn_clusters_area(&index->clusters, cluster));
    if (!found && job->near.cell != CAIRN_NO_NODE) {
        thin_flood_around(job, members, count);
    } else {
        for (uint32_t i = 0; i < count; i++) job->roots[i] = CAIRN_NO_NODE;
        for (uint32_t i = 0; i < count; i++) {
            if (job->roots[i] == CAIRN_NO_NODE) thin_flood(job, members[i].cell, members, i, count);
        }
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
    uint32_t steps = crn_hpa_thin_steps_of(index, crn_hpa_thin_ground(index, member)), direction,
             use;
    while (crn_hpa_thin_next_step(&steps, &direction, &use)) {
        if (use != CRN_EXIT_BOTH) continue;
        cairn_node beside = crn_hpa_thin_over(index, member->cell, direction);
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
            u->job->roots[u->bases[i] + k] =
                u->bases[i] + crn_hpa_thin_component(index, members[k].node);
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

static bool thin_pair_before(const crn_hpa_pair *a, const crn_hpa_pair *b)
{
    return a->far != b->far ? a->far < b->far : a->low < b->low;
}

/* Adds a transition to its group. Of each the first and the last one are kept, side by side; there
 * is room for another group. *head: where the last one of the latest group of its component stands,
 * plus 1; 0: there is none. */
static void thin_add_pair(crn_hpa_job *job, crn_hpa_pair pair, uint32_t *head)
{
    crn_hpa_pair *pairs = job->pairs;
    for (uint32_t i = *head; i > 0; i = pairs[i - 2].next) {
        crn_hpa_pair *first = &pairs[i - 2], *last = &pairs[i - 1];
        if (memcmp(first->group, pair.group, sizeof pair.group) != 0) continue;
        pair.next = first->next;
        pair.size = ++first->size;
        if (thin_pair_before(&pair, first)) *first = pair;
        if (thin_pair_before(last, &pair)) *last = pair;
        return;
    }
    pair.next = *head;
    pair.size = 1;
    pairs[job->pair_count++] = pair;
    pairs[job->pair_count++] = pair;
    *head = job->pair_count;
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
    cairn_node to = crn_hpa_thin_over(index, from->cell, direction);
    if (crn_hpa_cluster(index, level, to) == index->groups[from->node]) return NULL;
    return crn_hpa_find_member(index, level, to);
}

/* Where all transitions of a component lead, as far as is known: a node there, or one of these. */
#define THIN_NOWHERE CAIRN_NO_NODE
#define THIN_SEVERAL (CAIRN_NO_NODE - 1)

/* A transition of a component leads to this node. */
static void thin_note_end(const crn_hpa *index, uint32_t *end, cairn_node node)
{
    if (*end == THIN_NOWHERE) *end = node;
    if (*end != THIN_SEVERAL &&
        (index->groups[*end] != index->groups[node] ||
         crn_hpa_thin_component(index, *end) != crn_hpa_thin_component(index, node)))
        *end = THIN_SEVERAL;
}

/* Finds where the components of a cluster of the lowest level lead, in job->roots. */
static void thin_find_ends(crn_hpa_job *job, const crn_hpa_member *members, uint32_t count)
{
    const crn_hpa *index = job->index;
    for (uint32_t i = 0; i < count; i++) job->roots[i] = THIN_NOWHERE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *end = &job->roots[crn_hpa_thin_component(index, members[i].node)], direction, use;
        if (index->components[members[i].node] & CRN_HPA_THIN_LINKED) *end = THIN_SEVERAL;
        uint32_t steps = *end == THIN_SEVERAL ? 0 : crn_hpa_thin_steps_of(index, members[i].node);
        while (crn_hpa_thin_next_step(&steps, &direction, &use)) {
            const crn_hpa_member *other = thin_beyond(index, 0, &members[i], direction);
            if (other) thin_note_end(index, end, other->node);
        }
    }
}

/* Finds which components of a cluster of the lowest level are bays: all of their transitions lead
 * to nodes that are connected in one other cluster. */
static bool thin_find_bays(crn_hpa_job *job, uint32_t cluster)
{
    crn_hpa *index = job->index;
    uint32_t count;
    const crn_hpa_member *members = crn_hpa_members(index, cluster, &count);
    job->choices[cluster] &= (uint16_t)~THIN_TO_FIND_BAYS;
    if (!thin_grow(job, count)) return false;
    thin_find_ends(job, members, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t end = job->roots[crn_hpa_thin_component(index, members[i].node)],
                 bay = end < THIN_SEVERAL ? CRN_HPA_THIN_BAY : 0,
                 *component = &index->components[members[i].node];
        *component = (*component & ~CRN_HPA_THIN_BAY) | bay;
    }
    return true;
}

/* The cluster of a level beside one, by direction, or that one (CRN_DIRECTIONS); CAIRN_NO_NODE:
 * there is none. */
static uint32_t thin_next_to(const crn_hpa_level *l, uint32_t cluster, uint32_t direction)
{
    if (direction == CRN_DIRECTIONS) return cluster;
    int64_t x = (int64_t)((cluster - l->first) % l->columns) + crn_dx[direction],
            y = (int64_t)((cluster - l->first) / l->columns) + crn_dy[direction];
    if (x < 0 || x >= l->columns || y < 0 || y >= l->rows) return CAIRN_NO_NODE;
    return l->first + (uint32_t)y * l->columns + (uint32_t)x;
}

/* Finds the bays of a cluster and of those around it, unless they are known. */
static bool thin_know_bays(crn_hpa_job *job, uint32_t cluster)
{
    for (uint32_t direction = 0; direction <= CRN_DIRECTIONS; direction++) {
        uint32_t other = thin_next_to(&job->index->level[0], cluster, direction);
        if (other != CAIRN_NO_NODE && job->choices[other] & THIN_TO_FIND_BAYS &&
            !thin_find_bays(job, other))
            return false;
    }
    return true;
}

/* Gathers the transitions of the i-th node of a cluster over its borders. Left out are those into
 * small bays, parts of a cluster of the lowest level that lead nowhere else. */
static bool thin_gather(crn_hpa_job *job, uint32_t level, const crn_hpa_member *members, uint32_t i,
                        uint32_t *heads)
{
    const crn_hpa *index = job->index;
    const crn_hpa_member *member = &members[i];
    uint32_t steps = crn_hpa_thin_steps_of(index, crn_hpa_thin_ground(index, member)), direction,
             use;
    if (!level && index->components[member->node] & CRN_HPA_THIN_BAY) return true;
    while (crn_hpa_thin_next_step(&steps, &direction, &use)) {
        const crn_hpa_member *other = thin_beyond(index, level, member, direction);
        if (!other || (!level && index->components[other->node] & CRN_HPA_THIN_BAY)) continue;
        if (!crn_hpa_job_reserve_pair(job)) return false;
        uint32_t turned = (use & 1) << 1 | use >> 1;
        crn_hpa_pair pair = {.group = {index->groups[other->node],
                                       crn_hpa_thin_component(index, member->node),
                                       crn_hpa_thin_component(index, other->node),
                                       member->cell < other->cell ? use : turned},
                             .far = thin_far(index, level, member->cell, other->cell),
                             .low = crn_min_u32(member->cell, other->cell),
                             .member = i,
                             .crosses = crn_hpa_cluster(index, level + 1, other->cell) !=
                                        crn_hpa_cluster(index, level + 1, member->cell)};
        thin_add_pair(job, pair, &heads[pair.group[1]]);
    }
    return true;
}

/* What is chosen, by node: of each group the first transition, and all ends of links. The next
 * level gets these. On the lowest level the last transition of a small group is kept as well, where
 * that serves to pass from one cluster to the next inside of a larger one. Of many transitions side
 * by side the middle one will do. */
#define THIN_FEW 4u
static void thin_take(crn_hpa_job *job, uint32_t level, const crn_hpa_member *members,
                      uint32_t count)
{
    const crn_hpa *index = job->index;
    for (uint32_t i = 0; i < count; i++) {
        bool linked = index->components[members[i].node] & CRN_HPA_THIN_LINKED,
             up = index->tops[members[i].node] > level;
        job->roots[i] = !linked ? 0 : up ? CRN_HPA_THIN_CHOICE : CRN_HPA_KEPT;
    }
    for (uint32_t i = 0; i < job->pair_count; i += 2) {
        const crn_hpa_pair *first = &job->pairs[i], *last = first + 1;
        job->roots[first->member] |= first->crosses ? CRN_HPA_THIN_CHOICE : CRN_HPA_KEPT;
        if (!level && !last->crosses && first->size <= THIN_FEW)
            job->roots[last->member] |= CRN_HPA_KEPT;
    }
}

/* Others are kept than before; others become nodes of the level above. */
typedef struct thin_chosen {
    bool changed, raised;
} thin_chosen;

/* The borders of its cluster that a cell lies at, by the directions in which steps over them may
 * lead. */
static uint32_t thin_sides(const crn_hpa *index, uint32_t level, cairn_node cell)
{
    uint32_t width = index->clusters.space->grid->width, size = index->level[level].size;
    uint32_t x = cell % width % size, y = cell / width % size;
    uint32_t n = y == 0, e = x == size - 1, s = y == size - 1, w = x == 0;
    return n << CRN_N | e << CRN_E | s << CRN_S | w << CRN_W | (n & e) << CRN_NE |
           (s & e) << CRN_SE | (s & w) << CRN_SW | (n & w) << CRN_NW;
}

/* Notes what was chosen for the i-th node. */
static bool thin_apply(crn_hpa_job *job, uint32_t level, const crn_hpa_member *members, uint32_t i,
                       thin_chosen *chosen)
{
    crn_hpa *index = job->index;
    uint32_t *component = &index->components[members[i].node], other = *component ^ job->roots[i];
    if (other & CRN_HPA_KEPT) {
        chosen->changed = true;
        if (!job->whole && !crn_hpa_past_add(&job->past, index, level, members[i].node, true))
            return false;
    }
    if (other & CRN_HPA_THIN_UP) chosen->raised = true;
    *component = (*component & ~CRN_HPA_THIN_CHOICE) | job->roots[i];
    return true;
}

/* Chooses nodes of a cluster of a level: all of them, or those at its borders with clusters that
 * have changed. The choice of a node depends on all nodes at its borders. */
static bool thin_choose(crn_hpa_job *job, uint32_t level, uint32_t cluster, thin_chosen *chosen)
{
    uint32_t count, needed = 0, what = job->choices[cluster],
                    marked = what & THIN_TO_CHOOSE ? THIN_SIDES : what & THIN_SIDES;
    const crn_hpa_member *members = crn_hpa_members(job->index, cluster, &count);
    job->choices[cluster] &= (uint16_t) ~(THIN_TO_CHOOSE | THIN_SIDES);
    job->pair_count = 0;
    if ((!level && !thin_know_bays(job, cluster)) || !thin_grow(job, 3 * (size_t)count))
        return false;
    uint32_t *sides = job->roots + count, *heads = sides + count;
    for (uint32_t i = 0; i < count; i++) {
        heads[i] = 0;
        sides[i] =
            what & THIN_TO_CHOOSE ? THIN_SIDES : thin_sides(job->index, level, members[i].cell);
        if (sides[i] & marked) needed |= sides[i];
    }
    if (!needed) return true;
    for (uint32_t i = 0; i < count; i++) {
        if (sides[i] & needed && !thin_gather(job, level, members, i, heads)) return false;
    }
    thin_take(job, level, members, count);
    for (uint32_t i = 0; i < count; i++) {
        if (sides[i] & marked && !thin_apply(job, level, members, i, chosen)) return false;
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
        if (index->components[members[i].node] & CRN_HPA_THIN_UP)
            job->transitions[(*count)++] =
                (crn_hpa_transition){members[i].cell, index->tops[members[i].node]};
    }
    return true;
}

bool crn_hpa_thin_choose(crn_hpa_job *job, uint32_t level, uint32_t cluster, uint32_t *count,
                         bool *same)
{
    crn_hpa_children children = crn_hpa_children_of(job->index, level, cluster);
    uint32_t child_count = children.columns * children.rows;
    thin_chosen chosen = {false, job->choices[cluster] & THIN_TO_PLACE};
    *count = 0;
    for (uint32_t i = 0; i < child_count; i++) {
        uint32_t child = crn_hpa_child(&children, i);
        if (job->choices[child] & (THIN_TO_CHOOSE | THIN_SIDES) &&
            !thin_choose(job, level - 1, child, &chosen))
            return false;
    }
    for (uint32_t i = 0; i < child_count && chosen.raised; i++) {
        if (!thin_raise(job, crn_hpa_child(&children, i), count)) return false;
    }
    job->choices[cluster] &= (uint16_t)~THIN_TO_PLACE;
    *same = !chosen.raised;
    return !chosen.changed || crn_hpa_job_mark(job, CRN_HPA_EDGES, level, cluster, CRN_HPA_DIRTY);
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

/* Marks a cluster that is to choose nodes again, and the one that holds it. */
static bool thin_mark_choice(crn_hpa_job *job, uint32_t level, uint32_t cluster, uint32_t what,
                             uint8_t how)
{
    const crn_hpa_level *l = &job->index->level[level], *above = l + 1;
    uint32_t x = (cluster - l->first) % l->columns, y = (cluster - l->first) / l->columns,
             parent = above->first + y / above->growth * above->columns + x / above->growth;
    job->choices[cluster] |= (uint16_t)(what & ~THIN_TO_PLACE);
    job->choices[parent] |= (uint16_t)(what & THIN_TO_PLACE);
    return crn_hpa_job_mark_stage(job, CRN_HPA_NODES, level + 1, parent, how);
}

/* Marks the clusters around one, which choose their nodes at the border with it again, and those
 * that hold them. What is connected in the latter stays the same, unless they get other nodes. */
static bool thin_mark_around(crn_hpa_job *job, uint32_t level, uint32_t cluster)
{
    for (uint32_t direction = 0; direction < CRN_DIRECTIONS; direction++) {
        uint32_t other = thin_next_to(&job->index->level[level], cluster, direction);
        if (other != CAIRN_NO_NODE &&
            !thin_mark_choice(job, level, other, 1u << crn_opposite[direction],
                              CRN_HPA_DIRTY_INSIDE))
            return false;
    }
    return true;
}

/* Marks the clusters of the lowest level around one that are to find their bays again. */
static bool thin_mark_bays(crn_hpa_job *job, uint32_t cluster)
{
    for (uint32_t direction = 0; direction <= CRN_DIRECTIONS; direction++) {
        uint32_t other = thin_next_to(&job->index->level[0], cluster, direction);
        if (other == CAIRN_NO_NODE) continue;
        bool marked = job->choices[other] & THIN_TO_FIND_BAYS;
        job->choices[other] |= THIN_TO_FIND_BAYS;
        if (!marked && !job->whole && !crn_nodes_push(&job->bays, &job->memory, other))
            return false;
    }
    return true;
}

bool crn_hpa_thin_mark_choices(crn_hpa_job *job, uint32_t level, uint32_t cluster)
{
    return (level || thin_mark_bays(job, cluster)) && thin_mark_around(job, level, cluster) &&
           thin_mark_choice(job, level, cluster, THIN_TO_CHOOSE | (job->placed ? THIN_TO_PLACE : 0),
                            CRN_HPA_DIRTY);
}

bool crn_hpa_thin_next_bays(crn_hpa_job *job)
{
    return thin_find_bays(job, job->bays.items[--job->bays.count]);
}
