/* hcdps_trees.c: dead ends among the regions of `hcdps`.
 *
 * A region with one link is left out, then those that have one link without it, and so on; what is
 * left out hangs as trees on the rest. Routes inside of a tree are the only ones there are, and
 * whoever comes from elsewhere passes the region that the tree hangs on. So searches through links
 * leave trees out, and the link towards a region of a tree is that towards the region before it.
 * In mazes most regions lie in dead ends.
 *
 * The regions of trees are listed so that each comes behind the one that it leads to, and all that
 * hang on it follow it in a row.
 *
 * That is only so where every link leads back. Else there are no trees.
 */
#include "realtime/hcdps/hcdps_routes.h"

/* Does every link lead back? Then those to a region come, in the order of the regions that they
 * are of, as those of the region do: first the near ones, then the others. `next` is room for two
 * numbers of each region. */
static bool trees_all_lead_back(const crn_hcdps_web *web, uint32_t *next)
{
    const crn_hcdps_job *job = web->job;
    for (uint32_t i = 0; i < web->regions; i++) {
        next[2 * i] = web->first_edge[i];
        next[2 * i + 1] = web->first_edge[i] + job->link_near.items[i];
    }
    for (uint32_t i = 0; i < web->regions; i++) {
        uint32_t near = web->first_edge[i] + job->link_near.items[i];
        for (uint32_t k = web->first_edge[i]; k < web->end_edge[i]; k++) {
            uint32_t to = web->edges[k].to, back = next[2 * to + (k >= near)]++;
            if (back >= web->end_edge[to] || web->edges[back].to != i) return false;
        }
    }
    return true;
}

/* The edge out of a dead end: the only one to a region that is not left out. */
static uint32_t trees_find_exit(const crn_hcdps_web *web, uint32_t region)
{
    uint32_t i = web->first_edge[region];
    while (crn_hcdps_in_tree(web, web->edges[i].to)) i++;
    return i;
}

/* Leaves out regions, and lists them in this order. Returns how many there are. */
static uint32_t trees_leave_out(crn_hcdps_web *web, uint32_t *open, uint32_t *list)
{
    uint32_t tail = 0, count = 0;
    for (uint32_t i = 0; i < web->regions; i++) {
        open[i] = web->end_edge[i] - web->first_edge[i];
        if (open[i] == 1) list[tail++] = i;
    }
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t region = list[head];
        if (!open[region]) continue; /* the last one of a part that is a tree */
        web->exit_edge[region] = trees_find_exit(web, region);
        uint32_t exit = web->edges[web->exit_edge[region]].to;
        web->exit[region] = exit;
        list[count++] = region;
        if (--open[exit] == 1) list[tail++] = exit;
    }
    return count;
}

/* Lists the regions of trees as they are wanted. `next` gets, of each, where the next one that
 * hangs on it goes. */
static void trees_list(crn_hcdps_web *web, const uint32_t *out, uint32_t count, uint32_t *next)
{
    uint32_t *end = web->tree_end, place = 0;
    for (uint32_t i = 0; i < web->regions; i++) end[i] = 1; /* sizes */
    for (uint32_t i = 0; i < count; i++) end[web->exit[out[i]]] += end[out[i]];
    for (uint32_t i = count; i-- > 0;) {
        uint32_t region = out[i], exit = web->exit[region];
        uint32_t *at = crn_hcdps_in_tree(web, exit) ? &next[exit] : &place;
        web->tree_first[region] = *at;
        web->tree[*at] = region;
        next[region] = *at + 1;
        *at += end[region];
        end[region] = *at;
    }
    web->tree_count = count;
}

/* The edges from which trees are entered. */
static void trees_find_edges(crn_hcdps_web *web)
{
    for (uint32_t i = 0; i < web->regions; i++) {
        for (uint32_t k = web->first_edge[i]; k < web->end_edge[i]; k++) {
            uint32_t to = web->edges[k].to;
            if (web->exit[to] == i && to != i) web->tree_edge[to] = k;
        }
    }
}

/* Numbers the parts of the map that links connect. */
static void trees_find_parts(crn_hcdps_web *web, uint32_t *queue)
{
    memset(web->part, 0xff, web->regions * sizeof *web->part);
    for (uint32_t root = 0; root < web->regions; root++) {
        uint32_t tail = 0;
        if (web->part[root] != UINT32_MAX) continue;
        web->part[root] = root;
        queue[tail++] = root;
        for (uint32_t head = 0; head < tail; head++) {
            for (uint32_t k = web->first_edge[queue[head]]; k < web->end_edge[queue[head]]; k++) {
                uint32_t to = web->edges[k].to;
                if (web->part[to] != UINT32_MAX) continue;
                web->part[to] = root;
                queue[tail++] = to;
            }
        }
    }
}

bool crn_hcdps_find_trees(crn_hcdps_web *web)
{
    cairn_context *context = web->job->context;
    size_t size = (web->regions + 1) * sizeof(uint32_t);
    uint32_t *room = crn_alloc(context, 2 * size);
    if (!web->exit) web->exit = crn_alloc(context, size);
    if (!web->exit_edge) web->exit_edge = crn_alloc(context, size);
    if (!web->tree_edge) web->tree_edge = crn_alloc(context, size);
    if (!web->tree) web->tree = crn_alloc(context, size);
    if (!web->tree_first) web->tree_first = crn_alloc(context, size);
    if (!web->tree_end) web->tree_end = crn_alloc(context, size);
    if (!web->part) web->part = crn_alloc(context, size);
    bool ok = room && web->exit && web->exit_edge && web->tree_edge && web->tree &&
              web->tree_first && web->tree_end && web->part;
    if (ok) {
        uint32_t *other = room + web->regions, count = 0;
        for (uint32_t i = 0; i < web->regions; i++) web->exit[i] = i;
        if (trees_all_lead_back(web, room)) count = trees_leave_out(web, room, other);
        trees_list(web, other, count, room);
        trees_find_edges(web);
        trees_find_parts(web, room);
    }
    crn_free(context, room, 2 * size);
    return ok;
}

void crn_hcdps_drop_trees(crn_hcdps_web *web)
{
    cairn_context *context = web->job->context;
    size_t size = (web->regions + 1) * sizeof(uint32_t);
    crn_free(context, web->exit, size);
    crn_free(context, web->exit_edge, size);
    crn_free(context, web->tree_edge, size);
    crn_free(context, web->tree, size);
    crn_free(context, web->tree_first, size);
    crn_free(context, web->tree_end, size);
    crn_free(context, web->part, size);
}

/* The trees that hang on a region: the link to each. */
static void trees_branch(const crn_hcdps_web *web, uint32_t source, uint16_t *slots)
{
    uint32_t first = web->first_edge[source];
    for (uint32_t k = first; k < web->end_edge[source]; k++) {
        uint32_t to = web->edges[k].to;
        if (web->exit[to] != source || to == source) continue;
        for (uint32_t i = web->tree_first[to]; i < web->tree_end[to]; i++)
            slots[web->tree[i]] = (uint16_t)(k - first);
    }
}

void crn_hcdps_fill_trees(const crn_hcdps_web *web, uint32_t source, uint16_t *slots)
{
    for (uint32_t i = 0; i < web->tree_count; i++) {
        uint32_t region = web->tree[i];
        slots[region] = slots[web->exit[region]];
    }
    trees_branch(web, source, slots);
}

void crn_hcdps_leave_tree(const crn_hcdps_web *web, uint32_t source, uint16_t *slots)
{
    uint32_t slot = web->exit_edge[source] - web->first_edge[source], part = web->part[source];
    for (uint32_t i = 0; i < web->regions; i++)
        slots[i] = web->part[i] == part ? (uint16_t)slot : UINT16_MAX;
    trees_branch(web, source, slots);
    slots[source] = UINT16_MAX;
}

uint32_t crn_hcdps_climb_tree(const crn_hcdps_web *web, uint32_t source, crn_hcdps_seeker *s)
{
    uint32_t first = 0;
    if (crn_hcdps_in_tree(web, source)) first = web->exit_edge[source] - web->first_edge[source];
    while (crn_hcdps_in_tree(web, source)) {
        uint32_t exit = web->exit[source];
        s->distance[exit] = s->distance[source] + web->edges[web->exit_edge[source]].cost;
        s->slot[exit] =
            (uint16_t)(s->reverse ? web->tree_edge[source] - web->first_edge[exit] : first);
        source = exit;
        s->work++;
    }
    return source;
}

void crn_hcdps_enter_trees(const crn_hcdps_web *web, uint32_t source, crn_hcdps_seeker *s)
{
    for (uint32_t i = 0; i < web->tree_count; i++) {
        uint32_t region = web->tree[i], exit = web->exit[region], edge = web->tree_edge[region];
        if (s->distance[exit] == UINT32_MAX || s->distance[region] != UINT32_MAX) continue;
        s->distance[region] = s->distance[exit] + web->edges[edge].cost;
        s->slot[region] = s->reverse ? (uint16_t)(web->exit_edge[region] - web->first_edge[region])
                          : exit == source ? (uint16_t)(edge - web->first_edge[source])
                                           : s->slot[exit];
    }
}
