/* hcdps_routes.c: least costs through the links of `hcdps`.
 *
 * One search (Dijkstra's, with buckets of distances) finds the cheapest chains of links from a
 * region to all others, or from all to some.
 *
 * A walker seldom visits the representatives of its chain: it looks ahead (hcdps_agent.c). So with
 * depth=1 a link counts for less than the path between both representatives costs, by a third of
 * the detour that each of them is: of all pairs of doors of the region, the least by which the
 * distance from one to the other grows by a visit to the representative. Without this, rows avoid
 * short paths along which representatives stand in niches. (Longer links leave out most of them.)
 *
 * With depth=3 a region has some fifty links, and most of a search is links that lead nowhere new.
 * What is worth taking behind a link from a to b? Not the link from b to c if another one leads
 * from a to c at no higher cost, or if there is a better chain a, x, c: a cheaper one; of equal
 * ones, that with the nearest x, then the one with the least number. Of fifty links about five are
 * left. All costs are still the least ones. For let b be the last stop of a cheapest chain to c,
 * and a the stop before b that the search has found. If c is not taken behind b, then either a
 * itself or x, the better stop, is the last one of another chain that is as cheap; and that is
 * nearer to the source than b, or as near and has a smaller number. So this ends with one behind
 * which c is taken, at the source at the latest, where all links are. It does not matter in which
 * order regions get their turn: a region that is reached more cheaply later on has another turn. So
 * these searches go by rounds, each as far as links are long on the mean; that costs half of what
 * buckets do. Dead ends are left out (hcdps_trees.c).
 */
#include "realtime/hcdps/hcdps_routes.h"

/* Of regions with more doors only the first ones count for detours. */
enum { ROUTES_DOORS = 16 };

/* ---- links as edges ---- */

static uint64_t routes_distance(const crn_hcdps_job *job, cairn_node a, cairn_node b)
{
    return crn_space_climb_distance(job->space, a, b);
}

/* The least detour between two doors of a region by its representative; 0: it has fewer. */
static uint64_t routes_detour(const crn_hcdps_job *job, uint32_t region)
{
    const crn_hcdps_door *doors = job->doors + job->door_first[region];
    uint32_t count = crn_min_u32(job->link_near.items[region], ROUTES_DOORS);
    if (count < 2) return 0;
    cairn_node home = crn_hcdps_home(job->index, region);
    uint64_t least = UINT64_MAX, far[ROUTES_DOORS];
    for (uint32_t i = 0; i < count; i++) {
        far[i] = routes_distance(job, doors[i].leave, home);
        for (uint32_t j = 0; j < i; j++) {
            /* on graphs distances are rounded: their sum may be less */
            uint64_t sum = far[i] + far[j],
                     straight = routes_distance(job, doors[i].leave, doors[j].leave),
                     detour = sum > straight ? sum - straight : 0;
            if (detour < least) least = detour;
        }
    }
    return least;
}

/* What counts for a link from a region: a quarter of its cost at least. */
static uint64_t routes_link_cost(const crn_hcdps_web *web, uint32_t region, size_t link)
{
    const crn_hcdps_job *job = web->job;
    uint64_t cost = job->costs[link], most = cost / 4 * 3,
             spared = (web->detours[region] + web->detours[job->link_to.items[link]]) / 3;
    return cost - (spared < most ? spared : most);
}

/* Costs in units so coarse that no chain exceeds 32 bits: on usual maps a thousandth of a step. */
static void routes_make_edges(crn_hcdps_web *web)
{
    const crn_hcdps_job *job = web->job;
    uint64_t most = 1, shift = 0;
    for (size_t i = 0; i < job->cost_count; i++) most = job->costs[i] > most ? job->costs[i] : most;
    while ((most >> shift) + 1 > UINT32_MAX / ((uint64_t)web->regions + 1)) shift++;
    uint32_t least = UINT32_MAX, largest = 1;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < web->regions; i++)
        web->detours[i] = job->index->depth == 1 ? routes_detour(job, i) : 0;
    for (uint32_t region = 0, i = 0; i < job->cost_count; i++) {
        while (i == job->link_first.items[region + 1]) region++;
        uint32_t cost = crn_max_u32((uint32_t)(routes_link_cost(web, region, i) >> shift), 1);
        web->edges[i] = (crn_hcdps_edge){job->link_to.items[i], cost};
        least = crn_min_u32(least, cost);
        sum += cost;
        largest = crn_max_u32(largest, cost);
    }
    web->round = sum / (job->cost_count + 1) + 1;
    web->bits = least <= largest ? crn_highest_bit(least) : 0;
    while (largest >> web->bits > CRN_HCDPS_RING - 2) web->bits++;
}

void crn_hcdps_choose_edges(crn_hcdps_web *web, bool near)
{
    const crn_hcdps_job *job = web->job;
    web->near = near;
    for (uint32_t i = 0; i < web->regions; i++) {
        web->first_edge[i] = job->link_first.items[i];
        web->end_edge[i] = near ? job->link_first.items[i] + job->link_near.items[i]
                                : job->link_first.items[i + 1];
    }
}

bool crn_hcdps_open_web(crn_hcdps_web *web, const crn_hcdps_job *job)
{
    cairn_context *context = job->context;
    *web = (crn_hcdps_web){.job = job, .regions = crn_hcdps_regions(job->index)};
    size_t size = (web->regions + 1) * sizeof(uint32_t);
    web->detours = crn_alloc(context, 2 * size);
    web->edges = crn_alloc(context, (job->cost_count + 1) * sizeof *web->edges);
    web->first_edge = crn_alloc(context, size);
    web->end_edge = crn_alloc(context, size);
    if (!web->detours || !web->edges || !web->first_edge || !web->end_edge) return false;
    routes_make_edges(web);
    crn_hcdps_choose_edges(web, false);
    return true;
}

void crn_hcdps_close_web(crn_hcdps_web *web)
{
    cairn_context *context = web->job->context;
    size_t size = (web->regions + 1) * sizeof(uint32_t), edges = web->job->cost_count + 1;
    crn_free(context, web->detours, 2 * size);
    crn_free(context, web->edges, edges * sizeof *web->edges);
    crn_free(context, web->first_edge, size);
    crn_free(context, web->end_edge, size);
    crn_free(context, web->first_onward, edges * sizeof *web->first_onward);
    crn_free(context, web->onward, web->onward_capacity * sizeof *web->onward);
    crn_hcdps_drop_trees(web);
}

/* ---- what is worth taking ---- */

/* The best chain of two links to a region, or the link that leads there. */
typedef struct routes_chain {
    uint32_t from; /* where it begins: else it is an old one */
    uint32_t cost, near;
    uint32_t first, second; /* edges; second: UINT32_MAX = none */
} routes_chain;

typedef struct routes_onward {
    crn_hcdps_web *web;
    routes_chain *chains;  /* of all regions */
    crn_hcdps_array found; /* those of the region that has its turn */
} routes_onward;

/* A chain over an edge of `from`, and another one behind it. */
CRN_INLINE bool routes_weigh(routes_onward *o, uint32_t from, uint32_t first, uint32_t second,
                             bool trees)
{
    const crn_hcdps_edge *edges = o->web->edges;
    if (trees && crn_hcdps_in_tree(o->web, edges[second].to)) return true;
    routes_chain *best = &o->chains[edges[second].to];
    uint32_t near = edges[first].cost, cost = near + edges[second].cost;
    if (best->from == from) {
        if (cost > best->cost) return true;
        /* edges of a region lead to near ones first, and then ascend: the number is compared */
        if (cost == best->cost &&
            (best->second == UINT32_MAX || near > best->near ||
             (near == best->near && edges[first].to >= edges[best->first].to)))
            return true;
    } else if (!crn_hcdps_put(&o->found, o->web->job->context, edges[second].to)) {
        return false;
    }
    *best = (routes_chain){from, cost, near, first, second};
    return true;
}

static bool routes_weigh_all(routes_onward *o, uint32_t from)
{
    const crn_hcdps_web *web = o->web;
    bool ok = true, trees = web->tree_count;
    o->found.count = 0;
    if (crn_hcdps_in_tree(web, from)) return true;
    o->chains[from] = (routes_chain){.from = from, .second = UINT32_MAX}; /* at no cost */
    for (uint32_t i = web->first_edge[from]; i < web->end_edge[from] && ok; i++) {
        if (crn_hcdps_in_tree(web, web->edges[i].to)) continue;
        o->chains[web->edges[i].to] = (routes_chain){from, web->edges[i].cost, 0, i, UINT32_MAX};
        ok = crn_hcdps_put(&o->found, web->job->context, web->edges[i].to);
    }
    for (uint32_t i = web->first_edge[from]; i < web->end_edge[from]; i++) {
        uint32_t to = web->edges[i].to;
        if (crn_hcdps_in_tree(web, to)) continue;
        for (uint32_t k = web->first_edge[to]; k < web->end_edge[to] && ok; k++)
            ok = routes_weigh(o, from, i, k, trees);
    }
    return ok;
}

/* Sorts what was found by the edge that it comes behind. */
static bool routes_list_onward(routes_onward *o, uint32_t from)
{
    crn_hcdps_web *web = o->web;
    uint32_t *next = web->first_onward + 1; /* while it is filled: where the next one goes */
    size_t first = web->onward_count;
    void *onward = web->onward;
    bool ok = crn_grow(web->job->context, &onward, &web->onward_capacity, first + o->found.count,
                       sizeof *web->onward);
    web->onward = onward;
    if (!ok || first + o->found.count >= UINT32_MAX) return false;
    for (uint32_t i = web->first_edge[from]; i < web->end_edge[from]; i++) next[i] = 0;
    for (size_t i = 0; i < o->found.count; i++) {
        const routes_chain *chain = &o->chains[o->found.items[i]];
        if (chain->second != UINT32_MAX) next[chain->first]++;
    }
    for (uint32_t i = web->first_edge[from]; i < web->end_edge[from]; i++) {
        uint32_t count = next[i];
        next[i] = (uint32_t)web->onward_count;
        web->onward_count += count;
    }
    for (size_t i = 0; i < o->found.count; i++) {
        const routes_chain *chain = &o->chains[o->found.items[i]];
        if (chain->second == UINT32_MAX) continue;
        web->onward[next[chain->first]++] =
            (crn_hcdps_onward){o->found.items[i], web->edges[chain->second].cost, chain->second};
    }
    return true;
}

/* With `near`, edges that do not count have nothing behind them. */
static void routes_end_onward(crn_hcdps_web *web, uint32_t region)
{
    uint32_t end = web->job->link_first.items[region + 1];
    for (uint32_t i = web->end_edge[region]; i < end; i++)
        web->first_onward[i + 1] = (uint32_t)web->onward_count;
}

bool crn_hcdps_find_onward(crn_hcdps_web *web)
{
    cairn_context *context = web->job->context;
    size_t size = (web->regions + 1) * sizeof(routes_chain),
           first_size = (web->job->cost_count + 1) * sizeof *web->first_onward;
    routes_onward o = {.web = web, .chains = crn_alloc(context, size)};
    if (!web->first_onward) web->first_onward = crn_alloc(context, first_size);
    bool ok = o.chains && web->first_onward;
    if (ok) {
        memset(o.chains, 0xff, size);
        web->first_onward[0] = 0;
        web->onward_count = 0;
    }
    for (uint32_t i = 0; i < web->regions && ok; i++) {
        ok = routes_weigh_all(&o, i) && routes_list_onward(&o, i);
        if (ok) routes_end_onward(web, i);
    }
    crn_free(context, o.chains, size);
    crn_hcdps_free_array(&o.found, context);
    return ok;
}

/* ---- searching ---- */

static const crn_hcdps_stop routes_unknown = {UINT32_MAX, 0, UINT16_MAX, 0};

bool crn_hcdps_open_seeker(crn_hcdps_seeker *seeker, const crn_hcdps_web *web)
{
    cairn_context *context = web->job->context;
    size_t regions = web->regions + 1;
    *seeker = (crn_hcdps_seeker){.web = web, .until = UINT32_MAX};
    seeker->distance = crn_alloc(context, regions * sizeof *seeker->distance);
    seeker->stops = crn_alloc(context, regions * sizeof *seeker->stops);
    seeker->slot = crn_alloc(context, regions * sizeof *seeker->slot);
    seeker->turn = crn_alloc(context, regions * sizeof *seeker->turn);
    seeker->later = crn_alloc(context, regions * sizeof *seeker->later);
    for (uint32_t i = 0; seeker->stops && i < web->regions; i++) seeker->stops[i] = routes_unknown;
    return seeker->distance && seeker->stops && seeker->slot && seeker->turn && seeker->later;
}

uint64_t crn_hcdps_close_seeker(crn_hcdps_seeker *seeker)
{
    if (!seeker->web) return 0;
    cairn_context *context = seeker->web->job->context;
    size_t regions = seeker->web->regions + 1;
    crn_free(context, seeker->distance, regions * sizeof *seeker->distance);
    crn_free(context, seeker->stops, regions * sizeof *seeker->stops);
    crn_free(context, seeker->slot, regions * sizeof *seeker->slot);
    crn_free(context, seeker->turn, regions * sizeof *seeker->turn);
    crn_free(context, seeker->later, regions * sizeof *seeker->later);
    crn_free(context, seeker->entries, seeker->entry_capacity * sizeof *seeker->entries);
    return seeker->work + seeker->entry_count;
}

/* Room for so many more entries; false = no memory. */
static CRN_NOINLINE bool routes_reserve(crn_hcdps_seeker *s, size_t more)
{
    void *entries = s->entries;
    bool ok = crn_grow(s->web->job->context, &entries, &s->entry_capacity, s->entry_count + more,
                       sizeof *s->entries);
    s->entries = entries;
    return ok;
}

CRN_INLINE bool routes_has_room(crn_hcdps_seeker *s, size_t more)
{
    return CRN_LIKELY(s->entry_capacity - s->entry_count >= more) || routes_reserve(s, more);
}

/* There is room for it. */
CRN_INLINE void routes_push(crn_hcdps_seeker *s, uint32_t region, uint32_t distance)
{
    uint32_t *bucket = &s->ring[(distance >> s->web->bits) % CRN_HCDPS_RING];
    s->entries[s->entry_count] = (crn_hcdps_entry){region, distance, *bucket};
    *bucket = (uint32_t)s->entry_count++;
    s->waiting++;
}

/* With `trees`, not into dead ends. */
CRN_INLINE bool routes_relax(crn_hcdps_seeker *s, const crn_hcdps_entry *entry, uint32_t source,
                             bool trees)
{
    const crn_hcdps_web *web = s->web;
    const uint32_t first = web->first_edge[entry->region], end = web->end_edge[entry->region];
    uint32_t slot = s->slot[entry->region];
    if (!routes_has_room(s, end - first)) return false;
    for (uint32_t i = first; i < end; i++) {
        crn_hcdps_edge edge = web->edges[i];
        uint32_t sum = entry->distance + edge.cost;
        if (sum >= s->distance[edge.to] || (trees && crn_hcdps_in_tree(web, edge.to))) continue;
        s->distance[edge.to] = sum;
        s->slot[edge.to] = s->reverse                ? s->reverse[i]
                           : entry->region == source ? (uint16_t)(i - first)
                                                     : (uint16_t)slot;
        routes_push(s, edge.to, sum);
    }
    return true;
}

/* Buckets of distances, in a ring. One that was reached more cheaply since is left out, and one
 * that is reached more cheaply by another of its bucket comes again. */
CRN_INLINE bool routes_go_on(crn_hcdps_seeker *s, uint32_t source, uint32_t first, bool trees)
{
    for (uint32_t at = first % CRN_HCDPS_RING; s->waiting; at = (at + 1) % CRN_HCDPS_RING) {
        while (s->ring[at] != UINT32_MAX) {
            crn_hcdps_entry entry = s->entries[s->ring[at]];
            s->ring[at] = entry.next;
            s->waiting--;
            if (entry.distance != s->distance[entry.region]) continue;
            if (entry.region == s->until) return true;
            if (!routes_relax(s, &entry, source, trees)) return false;
        }
    }
    return true;
}

static void routes_begin(crn_hcdps_seeker *s)
{
    uint32_t regions = s->web->regions;
    s->work += s->entry_count; /* of the search before */
    memset(s->distance, 0xff, regions * sizeof *s->distance);
    memset(s->slot, 0xff, regions * sizeof *s->slot);
    s->entry_count = s->waiting = 0;
}

/* From one region: dead ends are left out. */
static bool routes_seek_from(crn_hcdps_seeker *s, uint32_t source)
{
    const crn_hcdps_web *web = s->web;
    s->distance[source] = 0;
    uint32_t outside = crn_hcdps_climb_tree(web, source, s), distance = s->distance[outside];
    routes_push(s, outside, distance);
    if (!routes_go_on(s, source, distance >> web->bits, true)) return false;
    if (!s->outside) crn_hcdps_enter_trees(web, source, s);
    return true;
}

bool crn_hcdps_seek(crn_hcdps_seeker *s, const uint32_t *sources, uint32_t count)
{
    routes_begin(s);
    memset(s->ring, 0xff, sizeof s->ring);
    if (!routes_has_room(s, count)) return false;
    if (count == 1) return routes_seek_from(s, sources[0]);
    for (uint32_t i = 0; i < count; i++) {
        s->distance[sources[i]] = 0;
        routes_push(s, sources[i], 0);
    }
    return routes_go_on(s, sources[0], 0, false);
}

/* Takes what is worth taking behind the link by which a region was reached. Regions that are
 * reached more cheaply get their turn in the next round, unless they wait already. Returns how many
 * wait. */
CRN_INLINE uint32_t routes_relax_onward(const crn_hcdps_onward *at, const crn_hcdps_onward *end,
                                        crn_hcdps_stop *stops, crn_hcdps_stop *from,
                                        uint32_t *later, uint32_t count)
{
    uint32_t distance = from->distance, slot = from->slot;
    from->waits = 0;
    for (; at < end; at++) {
        uint32_t sum = distance + at->cost;
        crn_hcdps_stop *to = &stops[at->to];
        if (sum >= to->distance) continue;
        later[count] = at->to;
        count += !to->waits;
        *to = (crn_hcdps_stop){sum, at->edge, slot, 1};
    }
    return count;
}

/* The links of the source. Returns how many regions wait. */
static uint32_t routes_begin_onward(crn_hcdps_seeker *s, uint32_t source, uint32_t *turn)
{
    const crn_hcdps_web *web = s->web;
    uint32_t first = web->first_edge[source], count = 0;
    s->stops[source].distance = 0;
    for (uint32_t i = first; i < web->end_edge[source]; i++) {
        crn_hcdps_edge edge = web->edges[i];
        if (crn_hcdps_in_tree(web, edge.to)) continue;
        s->stops[edge.to] = (crn_hcdps_stop){edge.cost, i, i - first, 1};
        turn[count++] = edge.to;
    }
    return count;
}

/* Keeps the links, and forgets all else for the next search. */
static void routes_end_search(crn_hcdps_seeker *s)
{
    const uint32_t regions = s->web->regions;
    crn_hcdps_stop *stops = s->stops;
    uint16_t *slots = s->slot;
    for (uint32_t i = 0; i < regions; i++) {
        slots[i] = (uint16_t)stops[i].slot;
        stops[i] = routes_unknown;
    }
}

/* Rounds: in each of them all regions get their turn that are near enough, and others wait. So few
 * of them come again, and none has to be sorted. */
void crn_hcdps_seek_onward(crn_hcdps_seeker *s, uint32_t source)
{
    const crn_hcdps_web *web = s->web;
    uint32_t *turn = s->turn, *later = s->later;
    crn_hcdps_stop *stops = s->stops;
    if (crn_hcdps_in_tree(web, source)) {
        crn_hcdps_leave_tree(web, source, s->slot);
        return;
    }
    const uint32_t *first = web->first_onward;
    const crn_hcdps_onward *onward = web->onward;
    uint32_t count = routes_begin_onward(s, source, turn), limit = 0;
    while (count) {
        uint32_t waiting = 0, *other = turn;
        limit = web->round < UINT32_MAX - limit ? limit + (uint32_t)web->round : UINT32_MAX;
        s->work += count;
        for (uint32_t i = 0; i < count; i++) {
            crn_hcdps_stop *stop = &stops[turn[i]];
            if (stop->distance > limit) {
                later[waiting++] = turn[i];
                continue;
            }
            const uint32_t *ends = first + stop->via;
            waiting = routes_relax_onward(onward + ends[0], onward + ends[1], stops, stop, later,
                                          waiting);
        }
        count = waiting;
        turn = later;
        later = other;
    }
    routes_end_search(s);
    crn_hcdps_fill_trees(web, source, s->slot);
}

/* ---- single rows and columns ---- */

struct crn_hcdps_routes {
    crn_hcdps_job *job;
    crn_hcdps_web web;
    crn_hcdps_seeker seeker;
    uint16_t *reverse;
};

void crn_hcdps_close_routes(crn_hcdps_routes *routes)
{
    if (!routes) return;
    crn_hcdps_job *job = routes->job;
    crn_free(job->context, routes->reverse, (job->cost_count + 1) * sizeof *routes->reverse);
    job->work += crn_hcdps_close_seeker(&routes->seeker);
    crn_hcdps_close_web(&routes->web);
    crn_free(job->context, routes, sizeof *routes);
}

/* Links lead there and back. So those to a region come, in the order of the regions that they are
 * of, as those of the region do: first the near ones, then the others. */
static bool routes_reverse(crn_hcdps_routes *routes)
{
    const crn_hcdps_job *job = routes->job;
    uint32_t regions = routes->web.regions;
    size_t size = (2 * (size_t)regions + 1) * sizeof(uint16_t);
    uint16_t *next = crn_alloc_zero(job->context, size);
    for (uint32_t i = 0; next && i < regions; i++)
        next[2 * i + 1] = (uint16_t)job->link_near.items[i];
    for (uint32_t i = 0; next && i < regions; i++) {
        uint32_t first = job->link_first.items[i], near = first + job->link_near.items[i];
        for (uint32_t k = first; k < job->link_first.items[i + 1]; k++)
            routes->reverse[k] = next[2 * job->link_to.items[k] + (k >= near)]++;
    }
    crn_free(job->context, next, size);
    return next;
}

crn_hcdps_routes *crn_hcdps_open_routes(crn_hcdps_job *job, bool near)
{
    crn_hcdps_routes *routes = crn_alloc_zero(job->context, sizeof *routes);
    if (!routes) return NULL;
    routes->job = job;
    routes->reverse = crn_alloc(job->context, (job->cost_count + 1) * sizeof *routes->reverse);
    bool ok = crn_hcdps_open_web(&routes->web, job) &&
              crn_hcdps_open_seeker(&routes->seeker, &routes->web) && routes->reverse &&
              routes_reverse(routes);
    if (ok) {
        crn_hcdps_choose_edges(&routes->web, near);
        ok = crn_hcdps_find_trees(&routes->web);
    }
    if (ok) return routes;
    crn_hcdps_close_routes(routes);
    return NULL;
}

const uint16_t *crn_hcdps_find_routes(crn_hcdps_routes *routes, const uint32_t *ends,
                                      uint32_t count, bool back, uint32_t until)
{
    crn_hcdps_seeker *seeker = &routes->seeker;
    seeker->reverse = back ? routes->reverse : NULL;
    seeker->until = until;
    seeker->outside = false;
    return crn_hcdps_seek(seeker, ends, count) ? seeker->slot : NULL;
}

const uint16_t *crn_hcdps_find_outside(crn_hcdps_routes *routes, uint32_t end)
{
    crn_hcdps_seeker *seeker = &routes->seeker;
    seeker->reverse = routes->reverse;
    seeker->until = UINT32_MAX;
    seeker->outside = true;
    return crn_hcdps_seek(seeker, &end, 1) ? seeker->slot : NULL;
}

const crn_hcdps_web *crn_hcdps_routes_web(const crn_hcdps_routes *routes)
{
    return &routes->web;
}

const uint32_t *crn_hcdps_route_costs(const crn_hcdps_routes *routes)
{
    return routes->seeker.distance;
}

uint32_t crn_hcdps_route_cost(const crn_hcdps_routes *routes, uint32_t region, uint32_t slot)
{
    return routes->web.edges[routes->web.first_edge[region] + slot].cost;
}
