/* gates.c: estimates that know the links which are shortcuts. See links.h for what is computed.
 *
 * For the entrance of each shortcut, D is the least that the rest costs from there. It follows for
 * all of them at once by Dijkstra's algorithm, with estimates between exits and entrances as edges.
 * The nearest entrances are settled first, so they are ascending by D, and the estimate of a node
 * need look only at those whose D is less than what it has found.
 *
 * - An entrance is left out if walking, or another entrance, is as good from everywhere: if it is
 *   as good from the entrance itself, the triangle inequality says the rest. Those from which
 *   walking is as good are not settled, as no path need lead to them.
 * - With more than CRN_GATES shortcuts, Dijkstra's algorithm goes back from the goals only until it
 *   has found this many entrances. The others share one: the box round all, where the rest costs
 *   at least what comes next in the queue. So near the goals the estimate is exact, and elsewhere
 *   it says how far away they are at least. A tree over the exits finds those near the goals. Those
 *   near each entrance are the same for all queries: they are listed when the links change. Where a
 *   list or the work for a query ends, the algorithm ends too.
 * - Parts of a map (abstract/part.h) have no tree. There, shortcuts that lie together share an
 *   entrance: the box round theirs. Their exit is the box round their exits, and estimates between
 *   boxes are those between their nearest cells. All of that only makes the estimate smaller, and
 *   along a link of the group it falls by no more than the link costs.
 * - What it costs to get from entrance to entrance is the same for all queries. For the space's own
 *   estimate it is in a table, made when the links change (Floyd and Warshall's algorithm), and so
 *   are estimates between entrances. Then D is the least sum of that and of what the rest costs
 *   from an exit on foot. All of it is done in loops over eight groups at a time (gates_arrays.h).
 */
#include "world/grid_space.h"
#include "world/view.h"

/* Without a table there are no more groups than this, so that beginning a query takes no longer;
 * unless the estimate is another one than that of the table, on squares, and each group is a single
 * link: searches with such estimates pay for every one that is too small. */
#define GATES_FOUND 32u

typedef struct gates_group {
    crn_gate entrance; /* rest: D, as far as it is known, or `walk` if that is less */
    crn_gate out;      /* round the exits; rest: the cost of the cheapest link */
    cairn_cost walk;   /* from its farthest entrance to the goals, without links */
    bool single;       /* there is one cell in each */
} gates_group;

typedef struct gates_aim {
    const crn_grid_space *map;
    cairn_heuristic heuristic;
    uint64_t straight, shortcut; /* of octile estimates */
    int64_t side;                /* the least that a step costs; 0 on hexagons */
    uint32_t count;              /* groups that are not settled */
    gates_group groups[CRN_GATES];
} gates_aim;

static crn_box gates_box(const crn_gate *entrance)
{
    return (crn_box){.left = entrance->left,
                     .top = entrance->top,
                     .right = entrance->right,
                     .bottom = entrance->bottom};
}

static uint64_t gates_walk(const gates_aim *aim, uint32_t dx, uint32_t dy)
{
    if (CRN_LIKELY(aim->heuristic == CAIRN_HEURISTIC_OCTILE))
        return aim->straight * ((uint64_t)dx + dy) - aim->shortcut * crn_min_u32(dx, dy);
    return (uint64_t)crn_grid_estimate(aim->heuristic, aim->map->cheapest, dx, dy) *
           aim->map->times;
}

static uint64_t gates_walk_hex(const gates_aim *aim, const crn_gate *from, const crn_gate *to)
{
    crn_box box = gates_box(to);
    return (uint64_t)crn_hex_estimate(aim->heuristic, aim->map->cheapest, from->left, from->top,
                                      &box) *
           aim->map->times;
}

/* By how much a is above b, or c above d: the larger of both, or 0. */
static uint32_t gates_apart(int32_t a, int32_t b, int32_t c, int32_t d)
{
    int64_t first = (int64_t)a - b, second = (int64_t)c - d, most = first > second ? first : second;
    return (uint32_t)(most > 0 ? most : 0);
}

/* The estimate from the nearest of some cells to a box. */
static CRN_NOINLINE uint64_t gates_least(const gates_aim *aim, const crn_gate *from,
                                         const crn_gate *to, bool single)
{
    if (aim->map->hex) return single ? gates_walk_hex(aim, from, to) : 0;
    return gates_walk(aim, gates_apart(to->left, from->right, from->left, to->right),
                      gates_apart(to->top, from->bottom, from->top, to->bottom));
}

/* The estimate from the farthest. */
static CRN_NOINLINE uint64_t gates_most(const gates_aim *aim, const crn_gate *from,
                                        const crn_gate *to, bool single)
{
    if (aim->map->hex) return single ? gates_walk_hex(aim, from, to) : UINT64_MAX;
    return gates_walk(aim, gates_apart(to->left, from->left, from->right, to->right),
                      gates_apart(to->top, from->top, from->bottom, to->bottom));
}

CRN_INLINE int32_t gates_more(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Is the longer side alone, which no estimate on squares is less than, at least this cost? It is
 * more than 0. */
CRN_INLINE bool gates_far(const gates_aim *aim, const crn_gate *from, const crn_gate *to,
                          int64_t cost)
{
    int32_t x = gates_more(to->left - from->right, from->left - to->right),
            y = gates_more(to->top - from->bottom, from->top - to->bottom), side = gates_more(x, y);
    return aim->side * side >= cost;
}

static void gates_include(crn_gate *entrance, cairn_cell cell, cairn_cost cost)
{
    entrance->left = cell.x < entrance->left ? cell.x : entrance->left;
    entrance->right = cell.x > entrance->right ? cell.x : entrance->right;
    entrance->top = cell.y < entrance->top ? cell.y : entrance->top;
    entrance->bottom = cell.y > entrance->bottom ? cell.y : entrance->bottom;
    entrance->rest = crn_min_u32(entrance->rest, cost);
}

/* The number of the first shortcut of a group. */
static uint32_t gates_first(const crn_links *links, uint32_t group)
{
    return (uint32_t)((uint64_t)group * links->shortcut_count /
                      crn_min_u32(links->shortcut_count, CRN_GATES));
}

/* A new group, round nothing. */
static void gates_open(const crn_links *links, crn_gate_groups *groups)
{
    uint32_t i = groups->count++;
    groups->single[i] = gates_first(links, i + 1) == gates_first(links, i) + 1;
    groups->entrance[i] = groups->out[i] =
        (crn_gate){INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN, CAIRN_COST_MAX};
    groups->entrance[i].rest = 0;
}

bool crn_gates_group(const crn_grid_space *map, crn_gate_groups *groups, uint32_t *at,
                     uint32_t most)
{
    const crn_links *links = &map->links;
    if (!*at) groups->count = 0;
    for (; most && *at < links->shortcut_count; most--, ++*at) {
        const crn_space_link *link = &links->links[(uint32_t)links->shortcuts[*at]];
        if (*at == gates_first(links, groups->count)) gates_open(links, groups);
        uint32_t i = groups->count - 1;
        gates_include(&groups->entrance[i], cairn_grid_cell(map->grid, link->from), CAIRN_COST_MAX);
        gates_include(&groups->out[i], cairn_grid_cell(map->grid, link->to), link->cost);
    }
    return *at == links->shortcut_count;
}

/* Makes a box include another one. */
static void gates_unite(crn_gate *box, const crn_gate *other)
{
    gates_include(box, (cairn_cell){other->left, other->top}, other->rest);
    gates_include(box, (cairn_cell){other->right, other->bottom}, other->rest);
}

/* Groups first…end as one. From its exits one walks to the goals. */
static gates_group gates_gather(const gates_aim *aim, uint32_t first, uint32_t end,
                                const crn_gate *goals)
{
    const crn_gate_groups *groups = aim->map->links.groups;
    gates_group group = {groups->entrance[first], groups->out[first], 0,
                         groups->single[first] && end == first + 1};
    for (uint32_t i = first + 1; i < end; i++) {
        gates_unite(&group.entrance, &groups->entrance[i]);
        gates_unite(&group.out, &groups->out[i]);
    }
    group.walk = crn_saturate(gates_most(aim, &group.entrance, goals, group.single));
    uint64_t rest = group.out.rest + gates_least(aim, &group.out, goals, group.single);
    group.entrance.rest = rest < group.walk ? (cairn_cost)rest : group.walk;
    return group;
}

/* Is the estimate from everywhere in a group no more than its D by one of these gates? */
static bool gates_useless(const gates_aim *aim, const crn_gate *entrance, bool single,
                          const crn_gate *gates, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t less = entrance->rest - gates[i].rest; /* gates ascend */
        if (gates_far(aim, entrance, &gates[i], (int64_t)less + 1)) continue;
        if (gates_most(aim, entrance, &gates[i], single) <= less) return true;
    }
    return false;
}

/* From the exits of groups that are not settled one may walk to this entrance; NULL: there is none.
 * Returns the group with the least D among those that are better than walking; NULL if there is
 * none. */
static gates_group *gates_relax(gates_aim *aim, const crn_gate *entrance)
{
    gates_group *best = NULL;
    cairn_cost least = CAIRN_COST_MAX;
    for (uint32_t i = 0; i < aim->count; i++) {
        gates_group *group = &aim->groups[i];
        uint64_t rest = entrance ? (uint64_t)group->out.rest + entrance->rest : UINT64_MAX,
                 known = group->entrance.rest;
        if (rest < known && !gates_far(aim, &group->out, entrance, (int64_t)(known - rest))) {
            rest += gates_least(aim, &group->out, entrance, group->single);
            if (rest < known) group->entrance.rest = (cairn_cost)rest;
        }
        if (group->entrance.rest >= crn_min_u32(group->walk, least)) continue;
        least = group->entrance.rest;
        best = group;
    }
    return best;
}

static CRN_NOINLINE void gates_aim_at(gates_aim *aim, const crn_grid_space *map,
                                      cairn_heuristic heuristic)
{
    aim->map = map;
    aim->heuristic = heuristic;
    aim->straight = (uint64_t)map->cheapest.straight * map->times;
    aim->shortcut = 2 * aim->straight - (uint64_t)map->cheapest.diagonal * map->times;
    aim->side = map->hex ? 0 : (int64_t)aim->straight;
    aim->count = map->links.groups->count;
}

static CRN_NOINLINE void gates_find(const crn_grid_space *map, cairn_heuristic heuristic,
                                    crn_box *box, crn_gate *gates)
{
    gates_aim aim; /* all these groups need not be cleared */
    const crn_gate goals = {box->left, box->top, box->right, box->bottom, 0};
    gates_aim_at(&aim, map, heuristic);
    bool all = heuristic != map->base.default_heuristic && !map->hex &&
               map->links.shortcut_count <= CRN_GATES;
    uint32_t groups = aim.count, count = crn_min_u32(groups, all ? CRN_GATES : GATES_FOUND);
    for (uint32_t i = 0; i < count; i++)
        aim.groups[i] = gates_gather(&aim, i * groups / count, (i + 1) * groups / count, &goals);
    aim.count = count;
    for (gates_group *group = gates_relax(&aim, NULL); group;) {
        bool useless = gates_useless(&aim, &group->entrance, group->single, gates, box->gate_count);
        gates[box->gate_count] = group->entrance;
        *group = aim.groups[--aim.count];
        group = gates_relax(&aim, useless ? NULL : &gates[box->gate_count++]);
    }
}

/* ---- more shortcuts than gates ---- */

/* For a query, the work: an item that is taken from the queue is 16, and one for each of the gates.
 * For a list, the items. */
enum { GATES_WORK = 1600, GATES_LIST_WORK = 64, GATES_QUEUE = 256 };

/* What an item of the queue means, besides the number of a link, which is below all of these: a
 * node of the tree; or the next link in the list of an entrance, and its place. */
#define GATES_LIST (UINT32_C(1) << 30)
#define GATES_NODE (UINT32_C(1) << 31)

/* A queue of costs (the upper half) and what is there. */
typedef struct gates_queue {
    uint64_t cut; /* what has no place, or is not known, begins here */
    uint32_t count;
    uint64_t items[GATES_QUEUE + 1]; /* a heap, from 1 on */
} gates_queue;

size_t crn_gates_nodes(size_t exits)
{
    return exits + exits / 7 + 12;
}

static void gates_cut(gates_queue *queue, uint64_t item)
{
    queue->cut = item < queue->cut ? item : queue->cut;
}

static void gates_push(gates_queue *queue, uint64_t cost, uint32_t what)
{
    const uint64_t item = (uint64_t)crn_saturate(cost) << 32 | what;
    if (queue->count == GATES_QUEUE) {
        gates_cut(queue, item);
        return;
    }
    uint32_t at = ++queue->count;
    for (; at > 1 && queue->items[at / 2] > item; at /= 2) queue->items[at] = queue->items[at / 2];
    queue->items[at] = item;
}

static uint64_t gates_pop(gates_queue *queue)
{
    const uint64_t first = queue->items[1], item = queue->items[queue->count--];
    uint32_t at = 1;
    for (uint32_t child; (child = 2 * at) <= queue->count; at = child) {
        child += child < queue->count && queue->items[child + 1] < queue->items[child];
        if (queue->items[child] >= item) break;
        queue->items[at] = queue->items[child];
    }
    queue->items[at] = item;
    return first;
}

static crn_gate gates_at(const crn_grid_space *map, cairn_node node, cairn_cost rest)
{
    cairn_cell cell = cairn_grid_cell(map->grid, node);
    return (crn_gate){cell.x, cell.y, cell.x, cell.y, rest};
}

/* What it costs to get from these exits, with a link, to a place. */
static uint64_t gates_leave(const gates_aim *aim, const crn_gate *exits, const crn_gate *to)
{
    bool single = to->left == to->right && to->top == to->bottom;
    return exits->rest + gates_least(aim, to, exits, single);
}

static uint64_t gates_leave_link(const gates_aim *aim, uint32_t link, const crn_gate *to)
{
    const crn_space_link *by = &aim->map->links.links[link];
    const crn_gate out = gates_at(aim->map, by->to, by->cost);
    return gates_leave(aim, &out, to);
}

static void gates_push_children(const gates_aim *aim, gates_queue *queue, uint32_t node,
                                const crn_gate *to)
{
    const crn_links *links = &aim->map->links;
    for (uint32_t i = links->nodes[node].first, end = links->nodes[node].end; i < end; i++) {
        const crn_gate_node *child = &links->nodes[i];
        uint32_t what = i < links->shortcut_count ? child->first : GATES_NODE | i;
        gates_push(queue, gates_leave(aim, &child->box, to), what);
    }
}

static void gates_begin(const gates_aim *aim, gates_queue *queue, const crn_gate *to)
{
    queue->count = 0;
    queue->cut = UINT64_MAX;
    gates_push_children(aim, queue, aim->map->links.root, to);
}

static bool gates_go_on(const gates_queue *queue)
{
    return queue->count && queue->items[1] < queue->cut;
}

/* A tree over the exits, in an order in which those that lie together follow each other: eight have
 * one parent, and so on. */
static void gates_plant(const crn_grid_space *map, crn_links *links)
{
    uint64_t *order = (void *)links->set; /* not in use while links are collected */
    uint32_t made = links->shortcut_count, first = 0;
    for (uint32_t i = 0; i < made; i++) {
        uint32_t number = (uint32_t)links->shortcuts[i];
        const crn_space_link back = {.from = links->links[number].to};
        order[i] = crn_links_shortcut(map->grid, number, &back);
    }
    crn_sort(order, made, sizeof *order, crn_links_shortcut_before);
    for (uint32_t i = 0; i < made; i++) {
        const crn_space_link *link = &links->links[(uint32_t)order[i]];
        links->nodes[i] =
            (crn_gate_node){gates_at(map, link->to, link->cost), (uint32_t)order[i], 0};
    }
    for (uint32_t end = made; end - first > 1; end = made) {
        for (uint32_t i = first; i < end; i++) {
            const crn_gate *box = &links->nodes[i].box;
            if ((i - first) % 8 == 0) links->nodes[made++] = (crn_gate_node){*box, i, i};
            gates_unite(&links->nodes[made - 1].box, box);
            links->nodes[made - 1].end++;
        }
        first = end;
    }
    links->root = made - 1;
}

/* The links whose exits are the nearest to the entrance of this one. Those that begin there too, or
 * where it ends, are as good as walking from where they begin. */
static void gates_list(const gates_aim *aim, const crn_space_link *link, crn_gate_near *near)
{
    gates_queue queue;
    const crn_gate to = gates_at(aim->map, link->from, 0);
    uint32_t found = 0;
    gates_begin(aim, &queue, &to);
    for (uint32_t work = GATES_LIST_WORK; work && found < CRN_GATES_NEAR && gates_go_on(&queue);
         work--) {
        uint32_t what = (uint32_t)gates_pop(&queue);
        if (what & GATES_NODE) {
            gates_push_children(aim, &queue, what - GATES_NODE, &to);
            continue;
        }
        cairn_node from = aim->map->links.links[what].from;
        if (from != link->from && from != link->to) (*near)[found++] = what;
    }
    bool more = queue.count || queue.cut != UINT64_MAX;
    while (found < CRN_GATES_NEAR) (*near)[found++] = more ? CRN_GATES_CUT : CRN_GATES_NONE;
}

static void gates_learn_many(const gates_aim *aim, crn_links *links)
{
    gates_plant(aim->map, links);
    for (uint32_t i = 0; i < links->shortcut_count; i++) {
        uint32_t number = (uint32_t)links->shortcuts[i];
        gates_list(aim, &links->links[number], &links->near[number]);
    }
}

typedef struct gates_search {
    gates_aim aim;
    cairn_heuristic listed; /* the estimate of the lists ... */
    uint32_t eighths;       /* ... of which the one that is asked for is at least this many */
    crn_gate goals;
    crn_gate *gates;
    uint32_t count;
    uint32_t links[CRN_GATES]; /* the number of each one */
    gates_queue queue;
} gates_search;

/* The next place in the list of an entrance. It and those behind cost no less than `known`. */
static void gates_push_listed(gates_search *s, uint32_t entrance, uint32_t place, uint64_t known)
{
    const uint32_t *near = s->aim.map->links.near[s->links[entrance]],
                   link = place < CRN_GATES_NEAR ? near[place] : CRN_GATES_CUT;
    if (link == CRN_GATES_CUT) gates_cut(&s->queue, known << 32);
    if (link >= CRN_GATES_CUT) return;
    const cairn_heuristic heuristic = s->aim.heuristic;
    s->aim.heuristic = s->listed;
    uint64_t cost = gates_leave_link(&s->aim, link, &s->gates[entrance]) * s->eighths / 8;
    s->aim.heuristic = heuristic;
    gates_push(&s->queue, s->gates[entrance].rest + cost, GATES_LIST | entrance * 16 | place);
}

/* A link with which the rest costs so much is one of the gates, if nothing else is as good. */
static void gates_take(gates_search *s, uint32_t link, cairn_cost rest)
{
    const crn_gate entrance = gates_at(s->aim.map, s->aim.map->links.links[link].from, rest);
    if (rest >= gates_most(&s->aim, &entrance, &s->goals, true) ||
        gates_useless(&s->aim, &entrance, true, s->gates, s->count))
        return;
    s->gates[s->count] = entrance;
    s->links[s->count] = link;
    gates_push_listed(s, s->count++, 0, rest);
}

static void gates_step(gates_search *s)
{
    const uint64_t item = gates_pop(&s->queue), cost = item >> 32;
    uint32_t what = (uint32_t)item;
    if (what & GATES_NODE) {
        gates_push_children(&s->aim, &s->queue, what - GATES_NODE, &s->goals);
    } else if (what & GATES_LIST) {
        uint32_t entrance = (what - GATES_LIST) / 16, place = what % 16;
        uint32_t link = s->aim.map->links.near[s->links[entrance]][place];
        gates_push_listed(s, entrance, place + 1, cost);
        if (s->eighths == 8)
            gates_take(s, link, (cairn_cost)cost);
        else
            gates_push(&s->queue,
                       s->gates[entrance].rest +
                           gates_leave_link(&s->aim, link, &s->gates[entrance]),
                       link);
    } else {
        gates_take(s, what, (cairn_cost)cost);
    }
}

/* The last of the gates stands for all that are not found. */
static CRN_NOINLINE void gates_search_many(const crn_grid_space *map, cairn_heuristic heuristic,
                                           crn_box *box, crn_gate *gates)
{
    gates_search s;
    const crn_gate_groups *groups = map->links.groups;
    /* A straight line is seven eighths of the octile distance or more, unless costs are so coarse
     * that a diagonal step costs more than 1.55 straight ones. */
    bool straight = heuristic == CAIRN_HEURISTIC_EUCLIDEAN &&
                    map->base.default_heuristic == CAIRN_HEURISTIC_OCTILE &&
                    20 * (uint64_t)(map->cheapest.diagonal - map->cheapest.straight) <=
                        11 * (uint64_t)map->cheapest.straight;
    gates_aim_at(&s.aim, map, heuristic);
    s.listed = map->base.default_heuristic;
    s.eighths = heuristic == s.listed ? 8 : straight ? 7 : 4;
    s.goals = (crn_gate){box->left, box->top, box->right, box->bottom, 0};
    s.gates = gates;
    s.count = 0;
    gates_begin(&s.aim, &s.queue, &s.goals);
    for (uint32_t work = 0; work < GATES_WORK && s.count < CRN_GATES - 1 && gates_go_on(&s.queue);
         work += 16 + s.count)
        gates_step(&s);
    if (s.queue.count) gates_cut(&s.queue, s.queue.items[1]);
    box->gate_count = s.count;
    if (s.queue.cut == UINT64_MAX) return;
    crn_gate *rest = &gates[box->gate_count++];
    *rest = groups->entrance[0];
    for (uint32_t i = 1; i < groups->count; i++) gates_unite(rest, &groups->entrance[i]);
    rest->rest = (cairn_cost)(s.queue.cut >> 32);
}

/* ---- the table ---- */

/* Paths to i from all others over k. */
static void gates_extend(crn_gate_table *table, uint32_t i, uint32_t k)
{
    int32_t last = table->reach[i][k];
    for (uint32_t j = 0; j < CRN_GATES; j++) {
        int32_t cost = last + table->reach[k][j];
        table->reach[i][j] = cost < table->reach[i][j] ? cost : table->reach[i][j];
    }
}

/* Paths to i without another link between, and estimates from i. */
static void gates_join(const gates_aim *aim, crn_gate_table *table, uint32_t i)
{
    const crn_gate *here = &table->groups.entrance[i];
    for (uint32_t j = 0; j < CRN_GATES; j++) table->reach[i][j] = table->most[i][j] = CRN_GATE_FAR;
    for (uint32_t j = 0; j < table->groups.count; j++) {
        if (j == i) continue;
        uint64_t walk = gates_least(aim, &table->groups.out[j], here, table->groups.single[j]);
        table->reach[i][j] = crn_gate_cost(table->groups.out[j].rest + walk);
        uint64_t most = gates_most(aim, here, &table->groups.entrance[j], table->groups.single[i]);
        table->most[i][j] = crn_gate_cost(most) + (j > i);
    }
    table->reach[i][i] = 0;
}

/* To arrays, where their loops compute the estimate of this space. */
static void gates_copy(const gates_aim *aim, const crn_gate *gates, crn_gate_arrays *arrays)
{
    const crn_grid_space *map = aim->map;
    crn_gate_arrays_measure(arrays, map->grid, aim->straight, 2 * aim->straight - aim->shortcut);
    if (map->hex || aim->heuristic != CAIRN_HEURISTIC_OCTILE) arrays->fits = false;
    crn_gate_arrays_copy(arrays, gates, aim->count);
}

void crn_gates_learn(const crn_grid_space *map, crn_links *links)
{
    gates_aim aim;
    crn_gate_table *table = links->gates;
    uint32_t at = 0;
    crn_gates_group(map, &table->groups, &at, UINT32_MAX);
    gates_aim_at(&aim, map, map->base.default_heuristic);
    table->eights = (table->groups.count + 7) / 8;
    table->cheapest = map->cheapest;
    table->times = map->times;
    if (links->shortcut_count > CRN_GATES) {
        gates_learn_many(&aim, links);
        return;
    }
    gates_copy(&aim, table->groups.entrance, &table->entrances);
    gates_copy(&aim, table->groups.out, &table->exits);
    for (uint32_t i = 0; i < table->groups.count; i++) gates_join(&aim, table, i);
    for (uint32_t k = 0; k < table->groups.count; k++) {
        for (uint32_t i = 0; i < table->groups.count; i++) gates_extend(table, i, k);
    }
}

/* What it costs to get to the goals on foot from each entrance, INT32_MAX if it does not fit; and
 * with each link. */
static void gates_measure(const gates_aim *aim, const crn_gate *goals, int32_t *walks,
                          int32_t *exits)
{
    const crn_gate_table *table = aim->map->links.gates;
    if (table->exits.fits) {
        crn_gate_arrays_reach(&table->entrances, goals, true, walks);
        crn_gate_arrays_reach(&table->exits, goals, false, exits);
        return;
    }
    for (uint32_t i = 0; i < table->groups.count; i++) {
        uint64_t walk = gates_most(aim, &table->groups.entrance[i], goals, table->groups.single[i]),
                 rest = gates_least(aim, &table->groups.out[i], goals, table->groups.single[i]);
        walks[i] = walk < (uint64_t)CRN_GATE_FAR ? (int32_t)walk : INT32_MAX;
        exits[i] = crn_gate_cost(table->groups.out[i].rest + rest);
    }
}

/* Lowers what the rest costs from each entrance to what it costs if the last link is one of this
 * group, with which it costs `out` to get to the goals. A group from which another link is as good
 * as walking need not be the last one: whoever gets there may go on. */
static void gates_end_with(const crn_gate_table *table, uint32_t group, int32_t out,
                           int32_t *restrict rest)
{
    const int32_t *reach = table->reach[group];
    if (out >= rest[group]) return;
    for (uint32_t i = 0, end = 8 * table->eights; i != end; i++) {
        int32_t cost = reach[i] + out;
        rest[i] = cost < rest[i] ? cost : rest[i];
    }
}

/* The least that the rest costs from each entrance, or CRN_GATE_FAR less one if that is less. The
 * first that is tried is the cheapest, which leaves few others. */
static void gates_rest(const crn_gate_table *table, const int32_t *exits, int32_t *rest)
{
    uint32_t cheapest = 0;
    for (uint32_t i = 0; i < CRN_GATES; i++) rest[i] = CRN_GATE_FAR - 1;
    for (uint32_t i = 1; i < table->groups.count; i++) {
        if (exits[i] < exits[cheapest]) cheapest = i;
    }
    gates_end_with(table, cheapest, exits[cheapest], rest);
    for (uint32_t i = 0; i < table->groups.count; i++) gates_end_with(table, i, exits[i], rest);
}

/* Is the estimate from everywhere in a group no more than its D by another one? Of two that are as
 * good as each other, the first stays. If the other one is no better than walking, neither is this
 * one, so that it need not be left out here. */
static bool gates_beaten(const crn_gate_table *table, const int32_t *rests, uint32_t group)
{
    const int32_t *most = table->most[group], limit = rests[group] + 1;
    int32_t signs = 0;
    for (uint32_t i = 0, end = 8 * table->eights; i != end; i++)
        signs |= most[i] + rests[i] - limit;
    return signs < 0;
}

static CRN_NOINLINE void gates_look_up(const crn_grid_space *map, crn_box *box, crn_gate *gates)
{
    gates_aim aim;
    const crn_gate goals = {box->left, box->top, box->right, box->bottom, 0};
    const crn_gate_table *table = map->links.gates;
    int32_t walks[CRN_GATES], exits[CRN_GATES], rests[CRN_GATES];
    gates_aim_at(&aim, map, map->base.default_heuristic);
    gates_measure(&aim, &goals, walks, exits);
    gates_rest(table, exits, rests);
    uint32_t found = 0;
    for (uint32_t i = 0; i < table->groups.count; i++) {
        if (rests[i] >= walks[i] || gates_beaten(table, rests, i)) continue;
        const cairn_cost rest = (cairn_cost)rests[i];
        uint32_t at = found++;
        for (; at && gates[at - 1].rest > rest; at--) gates[at] = gates[at - 1];
        gates[at] = table->groups.entrance[i];
        gates[at].rest = rest;
    }
    box->gate_count = found;
}

/* Is the table, or are the lists, for these costs of steps? */
static bool gates_are_known(const crn_grid_space *map)
{
    const crn_gate_table *table = map->links.gates;
    return table && table->times == map->times &&
           table->cheapest.straight == map->cheapest.straight &&
           table->cheapest.diagonal == map->cheapest.diagonal;
}

void crn_box_open_gates(crn_box *box, const cairn_space *space, cairn_heuristic heuristic,
                        crn_gate *gates)
{
    space = crn_view_ground(space);
    if (space->world != CAIRN_WORLD_GRID) return;
    const crn_grid_space *map = crn_grid_space_of(space);
    box->gate_count = 0;
    box->blind = false;
    if (!map->links.shortcut_count || heuristic == CAIRN_HEURISTIC_NULL) return;
    box->gates = gates;
    bool known = gates_are_known(map);
    if (known && map->links.shortcut_count > CRN_GATES) {
        gates_search_many(map, heuristic, box, gates);
    } else if (known && heuristic == map->base.default_heuristic) {
        gates_look_up(map, box, gates);
    } else {
        gates_find(map, heuristic, box, gates);
    }
}
