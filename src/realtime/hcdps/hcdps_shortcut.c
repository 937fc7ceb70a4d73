/* hcdps_shortcut.c: the index of `hcdps` after an edit: routes over links that are new or cheaper.
 *
 * All routes to one target, from all regions, are a column. If the route from a region costs more
 * than a link to another region and the route from there, the region may take the link instead:
 * what is behind the link does not lead back, since it costs less, so that all routes still end.
 * Then the same is true of the next region on the route that was left: going back and over the link
 * may be cheaper, and so on along the route. In a maze whose wall was opened, this is half of the
 * circle that came about.
 *
 * The costs of routes are found by following them, from both ends of a link to all targets, many
 * at once as long as they are the same. Links that shorten no route between the regions of the edit
 * shorten none at all if all routes are the cheapest; so it is only done for others. What is missed
 * when they are not, columns that are found again will have.
 */
#include "realtime/hcdps/hcdps_reroute.h"

enum {
    SHORTCUT_ENDS = 24, /* of links that were searched again: else none is looked at */
    SHORTCUT_LINKS = 16 /* that are taken */
};

/* A region on the routes to targets: what they cost from the first one to it, and back; the link
 * back. */
typedef struct shortcut_visit {
    uint32_t region, first, end, cost, back, slot, depth;
} shortcut_visit;

typedef struct shortcut_job {
    crn_hcdps_rerouting *j;
    uint32_t ends[SHORTCUT_ENDS], end_count;
    uint32_t between[SHORTCUT_ENDS * SHORTCUT_ENDS]; /* costs of routes */
    uint32_t
        *costs[2]; /* of the routes from both ends of a link to all targets; UINT32_MAX = none */
    shortcut_visit *visits;
    size_t visit_count, visit_capacity;
} shortcut_job;

/* ---- routes ---- */

static uint32_t shortcut_cost(const crn_hcdps_rerouting *j, uint32_t region, uint32_t slot)
{
    return crn_hcdps_route_cost(j->routes, region, slot);
}

/* The link from a region to another one; CRN_HCDPS_NO_LINK: there is none. */
static uint32_t shortcut_slot(const crn_hcdps_rerouting *j, uint32_t from, uint32_t to)
{
    uint32_t count = j->near ? j->r->job.link_near.items[from] : crn_hcdps_count_of(j, from);
    const uint32_t *links = crn_hcdps_links_of(j, from);
    for (uint32_t i = 0; i < count; i++) {
        if (links[i] == to) return i;
    }
    return CRN_HCDPS_NO_LINK;
}

static bool shortcut_push(shortcut_job *s, shortcut_visit visit)
{
    void *visits = s->visits;
    s->j->r->job.work++;
    bool ok = crn_grow(s->j->r->job.context, &visits, &s->visit_capacity, s->visit_count + 1,
                       sizeof *s->visits);
    s->visits = visits;
    if (ok) s->visits[s->visit_count++] = visit;
    return ok;
}

/* The link to take to a target, and to those up to *end; targets that have columns of their own do
 * not matter. */
static uint32_t shortcut_next(const crn_hcdps_rerouting *j, uint32_t region, uint32_t target,
                              uint32_t *end)
{
    if (target < region) *end = crn_min_u32(*end, region);
    if (target != region && j->r->was.items[target] != UINT32_MAX)
        return crn_hcdps_link_to(j, region, target, end);
    *end = target + 1;
    return CRN_HCDPS_NO_LINK;
}

/* Where the routes of a visit lead next. */
static shortcut_visit shortcut_step(const crn_hcdps_rerouting *j, const shortcut_visit *v,
                                    uint32_t slot)
{
    uint32_t next = crn_hcdps_links_of(j, v->region)[slot];
    return (shortcut_visit){
        .region = next, .cost = v->cost + shortcut_cost(j, v->region, slot), .depth = v->depth + 1};
}

/* What the route from a region to another one costs; UINT32_MAX: there is none. */
static uint32_t shortcut_between(const crn_hcdps_rerouting *j, uint32_t from, uint32_t to)
{
    shortcut_visit v = {.region = from};
    while (v.region != to) {
        uint32_t end = to + 1, slot = shortcut_next(j, v.region, to, &end);
        if (slot == CRN_HCDPS_NO_LINK || v.depth > j->regions) return UINT32_MAX;
        v = shortcut_step(j, &v, slot);
    }
    return v.cost;
}

/* The costs of the routes from a region to all targets. */
static bool shortcut_trace(shortcut_job *s, uint32_t from, uint32_t *costs)
{
    const crn_hcdps_rerouting *j = s->j;
    bool ok = shortcut_push(s, (shortcut_visit){.region = from, .end = j->regions});
    memset(costs, 0xff, j->regions * sizeof *costs);
    while (s->visit_count && ok) {
        shortcut_visit v = s->visits[--s->visit_count];
        for (uint32_t at = v.first, end; at < v.end && ok; at = end) {
            end = v.end;
            uint32_t slot = shortcut_next(j, v.region, at, &end);
            if (at == v.region) costs[at] = v.cost;
            if (slot == CRN_HCDPS_NO_LINK || v.depth > j->regions) continue;
            shortcut_visit next = shortcut_step(j, &v, slot);
            next.first = at;
            next.end = end;
            ok = shortcut_push(s, next);
        }
    }
    return ok;
}

/* ---- taking a link ---- */

/* Does going back over the link cost less than going on? */
static bool shortcut_pays(const shortcut_visit *v, uint32_t on, uint32_t over, uint32_t link)
{
    return on != UINT32_MAX && over != UINT32_MAX &&
           (uint64_t)on > (uint64_t)v->cost + v->back + link + over;
}

/* Leads routes to the targets of a visit back; *any: some. */
static bool shortcut_turn(shortcut_job *s, const shortcut_visit *v, uint32_t link, uint32_t from,
                          bool *any)
{
    const uint32_t *on = s->costs[from], *over = s->costs[!from];
    uint16_t *row = NULL;
    *any = false;
    for (uint32_t i = v->first; i < v->end; i++) {
        if (!shortcut_pays(v, on[i], over[i], link)) continue;
        if (!row && !crn_hcdps_may_patch(s->j, v->region)) return true;
        if (!row) row = crn_hcdps_patched_row(s->j, v->region);
        if (!row) return false;
        row[i] = (uint16_t)v->slot;
        *any = true;
    }
    return true;
}

/* Takes a link from one of its ends on for all targets to which that pays. */
static bool shortcut_take(shortcut_job *s, uint32_t region, uint32_t slot, uint32_t from)
{
    crn_hcdps_rerouting *j = s->j;
    uint32_t link = shortcut_cost(j, region, slot);
    bool ok = shortcut_push(s, (shortcut_visit){.region = region, .end = j->regions, .slot = slot});
    while (s->visit_count && ok) {
        shortcut_visit v = s->visits[--s->visit_count], part = v;
        for (; part.first < v.end && ok; part.first = part.end) {
            part.end = v.end;
            bool any = false;
            uint32_t on = shortcut_next(j, v.region, part.first, &part.end);
            if (on != CRN_HCDPS_NO_LINK) ok = shortcut_turn(s, &part, link, from, &any);
            if (!any || !ok) continue;
            shortcut_visit next = shortcut_step(j, &v, on);
            next.first = part.first;
            next.end = part.end;
            next.slot = shortcut_slot(j, next.region, v.region);
            if (next.slot == CRN_HCDPS_NO_LINK) continue;
            next.back = v.back + shortcut_cost(j, next.region, next.slot);
            ok = shortcut_push(s, next);
        }
    }
    return ok;
}

/* ---- which links ---- */

static uint32_t shortcut_end(shortcut_job *s, uint32_t region)
{
    uint32_t i = 0;
    while (i < s->end_count && s->ends[i] != region) i++;
    if (i == s->end_count && i < SHORTCUT_ENDS) s->ends[s->end_count++] = region;
    return i;
}

/* Lists the ends of the links that were searched again; false: there are too many. */
static bool shortcut_list_ends(shortcut_job *s)
{
    const crn_hcdps_job *job = &s->j->r->job;
    bool ok = true;
    for (size_t i = 0; i < job->pair_count && ok; i++) {
        const crn_hcdps_pair *pair = &job->pairs[i];
        ok = pair->known || (shortcut_end(s, pair->from) < SHORTCUT_ENDS &&
                             shortcut_end(s, pair->to) < SHORTCUT_ENDS);
    }
    for (uint32_t i = 0; i < s->end_count && ok; i++) {
        for (uint32_t k = 0; k < s->end_count; k++)
            s->between[i * SHORTCUT_ENDS + k] = shortcut_between(s->j, s->ends[i], s->ends[k]);
    }
    return ok;
}

/* Does a link shorten a route to another end? */
static bool shortcut_is_shorter(const shortcut_job *s, uint32_t from, uint32_t to, uint32_t link)
{
    shortcut_visit none = {0};
    for (uint32_t i = 0; i < s->end_count; i++) {
        uint32_t a = s->between[from * SHORTCUT_ENDS + i], b = s->between[to * SHORTCUT_ENDS + i];
        if (shortcut_pays(&none, a, b, link) || shortcut_pays(&none, b, a, link)) return true;
    }
    return false;
}

static bool shortcut_try(shortcut_job *s, const crn_hcdps_pair *pair, uint32_t *taken)
{
    crn_hcdps_rerouting *j = s->j;
    uint32_t from = pair->from, to = pair->to, slot = shortcut_slot(j, from, to),
             back = shortcut_slot(j, to, from);
    if (slot == CRN_HCDPS_NO_LINK || back == CRN_HCDPS_NO_LINK) return true;
    if (!shortcut_is_shorter(s, shortcut_end(s, from), shortcut_end(s, to),
                             shortcut_cost(j, from, slot)))
        return true;
    ++*taken;
    return shortcut_trace(s, from, s->costs[0]) && shortcut_trace(s, to, s->costs[1]) &&
           shortcut_take(s, from, slot, 0) && shortcut_take(s, to, back, 1);
}

bool crn_hcdps_take_shortcuts(crn_hcdps_rerouting *j)
{
    cairn_context *context = j->r->job.context;
    size_t size = (j->regions + 1) * sizeof(uint32_t);
    uint32_t taken = 0;
    shortcut_job s = {.j = j};
    s.costs[0] = crn_alloc(context, size);
    s.costs[1] = crn_alloc(context, size);
    bool ok = s.costs[0] && s.costs[1];
    if (ok && shortcut_list_ends(&s)) {
        for (size_t i = 0; i < j->r->job.pair_count && ok && taken < SHORTCUT_LINKS; i++)
            ok = j->r->job.pairs[i].known || shortcut_try(&s, &j->r->job.pairs[i], &taken);
    }
    crn_free(context, s.costs[0], size);
    crn_free(context, s.costs[1], size);
    crn_free(context, s.visits, s.visit_capacity * sizeof *s.visits);
    return ok;
}
