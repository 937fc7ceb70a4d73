/* hcdps_shortcut.c: the index of `hcdps` after an edit: routes over links that make them cheaper.
 *
 * All routes to one target, from all regions, are a column. If the route from a region costs more
 * than a link to another region and the route from there, the region may take the link instead:
 * what is behind the link does not lead back, since it costs less, so that all routes still end.
 *
 * Which routes does a link from a to b make cheaper? If the one from p to t, then also those from
 * every region between p and a to t, and the one from p to b. So a search tells which regions come
 * into question, those whose cheapest route to b leads over the link. They are visited from a on,
 * along the cheapest routes to a, each with the targets for which the region before it takes the
 * link (or could, at no higher cost: its route may be as cheap already, while that of the next one
 * is not). So not many more pairs of regions are looked at than there are routes that change.
 *
 * Links that are taken:
 *
 * - New ones and those that were searched again, if they shorten a route between the regions of the
 *   edit. Others shorten none at all if all routes are the cheapest.
 * - Where a link is gone, detours lead on (hcdps_detour.c), but some routes would better not come
 *   near. The regions whose routes led over the gap, P, are all that may be concerned, and behind
 *   the first link that leaves P the rest of a route is as it was. So each link that leaves P is
 *   taken.
 *
 * The costs of routes are found by following them, to many targets at once as long as they are the
 * same. In a dead end (hcdps_trees.c) there is only one route: they are followed up to where it
 * begins. Nor are routes followed from a region if they led there from the one that was visited
 * before: their costs are known from that.
 *
 * Most of this work tells that a link does not pay. So when much of it has been done round gaps,
 * only those routes are looked at that may have led over the gap: where no route over it could have
 * been as cheap as one over the link, the route that there is did not lead over it, and stays the
 * cheapest one, if it was. After still more work the rest is left to columns that are found
 * again in the course of time, and so is what changed without a link that is gone or new.
 */
#include "realtime/hcdps/hcdps_reroute.h"

enum {
    SHORTCUT_ENDS = 24, /* of links that were searched again: else none is looked at */
    SHORTCUT_WORK = 16  /* of the pairs of regions: most steps of routes */
};

/* A region on the routes to targets: what they cost from the first one to it. */
typedef struct shortcut_visit {
    uint32_t region, first, end, cost, depth;
} shortcut_visit;

/* A region that may take the link, by its link `slot`, for some targets: ranges. That leads to a
 * region that was visited before, as number `before`; its link `back` leads here. */
typedef struct shortcut_branch {
    uint32_t region, slot;
    size_t first, end;
    uint32_t before, back;
} shortcut_branch;

typedef struct shortcut_job {
    crn_hcdps_rerouting *j;
    uint64_t left, scarce; /* of the work; when it becomes scarce */
    uint32_t ends[SHORTCUT_ENDS], end_count;
    uint32_t between[SHORTCUT_ENDS * SHORTCUT_ENDS]; /* costs of routes */
    shortcut_visit *visits;
    size_t visit_count, visit_capacity;

    /* the link that is taken: what it costs and its end; what the cheapest routes of all regions to
     * both of its ends cost, and by which links these lead; what the routes from its end to targets
     * cost, and those from the region of a branch (UINT32_MAX = there is none) */
    uint32_t link, to;
    uint32_t *least[2];
    uint16_t *slots[2];
    uint32_t searched[2]; /* the ends that these are of */
    uint32_t *behind, *here;
    uint32_t take, *of_take; /* the take that `behind` is of */
    crn_hcdps_array ranges;  /* their first targets and ends */
    size_t kept;             /* where those of the branch begin */
    shortcut_branch *branches;
    size_t branch_count, branch_capacity;

    /* what is known of `here`: the visit that it is of, and by which link the routes led */
    uint32_t visit, *of_visit;
    uint16_t *via;

    uint8_t *seen, *over; /* old regions: see shortcut_mark */
    /* least costs to the region before a gap, and from those behind it to anchors */
    uint32_t *to_gap, *from_gap;
    bool choosy; /* they are known, and only routes that may have led over the gap are looked at */
    uint8_t *tried; /* links */
} shortcut_job;

/* ---- routes ---- */

static uint32_t shortcut_cost(const crn_hcdps_rerouting *j, uint32_t region, uint32_t slot)
{
    return crn_hcdps_route_cost(j->routes, region, slot);
}

static uint32_t shortcut_links(const crn_hcdps_rerouting *j, uint32_t region)
{
    return j->near ? j->r->job.link_near.items[region] : crn_hcdps_count_of(j, region);
}

/* The link from a region to another one; CRN_HCDPS_NO_LINK: there is none. */
static uint32_t shortcut_slot(const crn_hcdps_rerouting *j, uint32_t from, uint32_t to)
{
    uint32_t count = shortcut_links(j, from);
    const uint32_t *links = crn_hcdps_links_of(j, from);
    for (uint32_t i = 0; i < count; i++) {
        if (links[i] == to) return i;
    }
    return CRN_HCDPS_NO_LINK;
}

static void shortcut_spend(shortcut_job *s, uint64_t work)
{
    s->left -= work < s->left ? work : s->left;
}

static bool shortcut_push(shortcut_job *s, shortcut_visit visit)
{
    void *visits = s->visits;
    s->j->r->job.work++;
    shortcut_spend(s, 1);
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

/* The costs of the routes from a region to targets in a row; of those into a dead end, up to where
 * it begins. */
static bool shortcut_trace(shortcut_job *s, uint32_t from, uint32_t first, uint32_t end,
                           uint32_t *costs)
{
    const crn_hcdps_rerouting *j = s->j;
    bool ok = shortcut_push(s, (shortcut_visit){.region = from, .first = first, .end = end});
    memset(costs + first, 0xff, (end - first) * sizeof *costs);
    while (s->visit_count && ok) {
        shortcut_visit v = s->visits[--s->visit_count];
        for (uint32_t at = v.first, stop; at < v.end && ok; at = stop) {
            stop = v.end;
            uint32_t slot = shortcut_next(j, v.region, at, &stop);
            if (at == v.region) costs[at] = v.cost;
            if (slot == CRN_HCDPS_NO_LINK || v.depth > j->regions) continue;
            shortcut_visit next = shortcut_step(j, &v, slot);
            next.first = at;
            next.end = stop;
            if (j->anchor[next.region] == next.region) {
                if (at == v.first && stop == v.end) {
                    shortcut_spend(s, 1);
                    s->j->r->job.work++;
                    v = next, stop = at; /* all of them: go on */
                } else {
                    ok = shortcut_push(s, next);
                }
            } else {
                for (uint32_t i = at; i < stop; i++) costs[i] = v.cost;
                shortcut_spend(s, stop - at);
            }
        }
    }
    return ok;
}

/* ---- taking a link ---- */

/* Notes targets for which the region of the branch takes the link. */
static bool shortcut_keep(shortcut_job *s, uint32_t first, uint32_t end)
{
    crn_hcdps_array *ranges = &s->ranges;
    cairn_context *context = s->j->r->job.context;
    if (ranges->count > s->kept && ranges->items[ranges->count - 1] == first) {
        ranges->owned[ranges->count - 1] = end;
        return true;
    }
    return crn_hcdps_put(ranges, context, first) && crn_hcdps_put(ranges, context, end);
}

/* Leads the routes of `here` to targets in a row over the link, where that pays. */
static bool shortcut_turn(shortcut_job *s, const shortcut_branch *v, uint32_t first, uint32_t end)
{
    const uint32_t *on = s->here, *behind = s->behind;
    uint64_t there = (uint64_t)s->least[0][v->region] + s->link;
    bool ok = true;
    for (uint32_t i = first; i < end && ok; i++) {
        if (on[i] == UINT32_MAX || behind[i] == UINT32_MAX || on[i] < there + behind[i]) continue;
        if (on[i] > there + behind[i]) {
            if (!crn_hcdps_may_patch(s->j, v->region)) return true;
            uint16_t *row = crn_hcdps_patched_row(s->j, v->region);
            if (!row) return false;
            row[i] = (uint16_t)v->slot;
        }
        ok = shortcut_keep(s, i, i + 1);
    }
    return ok;
}

/* The costs of routes from the region of a branch to targets in a row, by its link `on`. Those that
 * led here from the region of the visit before are known by those from there. */
static bool shortcut_find_costs(shortcut_job *s, const shortcut_branch *v, uint32_t first,
                                uint32_t end, uint32_t on)
{
    const crn_hcdps_rerouting *j = s->j;
    uint32_t back = 0;
    bool ok = true, follows = v->before && v->before + 1 == s->visit;
    if (follows) back = shortcut_cost(j, crn_hcdps_links_of(j, v->region)[v->slot], v->back);
    for (uint32_t at = first, stop; at < end && ok; at = stop) {
        bool known = false;
        for (stop = at; stop < end; stop++) {
            bool same = follows && s->of_visit[stop] == v->before && s->via[stop] == v->back;
            if (stop > at && same != known) break;
            known = same;
            if (same && s->here[stop] != UINT32_MAX) s->here[stop] -= back;
        }
        if (!known) ok = shortcut_trace(s, v->region, at, stop, s->here);
    }
    for (uint32_t i = first; i < end; i++) s->of_visit[i] = s->visit, s->via[i] = (uint16_t)on;
    shortcut_spend(s, (end - first) / 4);
    return ok;
}

/* Round a gap: may a route from a region to a target have led over it, though one over the link was
 * there? Else it still is the cheapest one. */
static bool shortcut_may_pay(const shortcut_job *s, const shortcut_branch *v, uint32_t target)
{
    uint64_t there = (uint64_t)s->least[0][v->region] + s->link;
    uint32_t anchor = s->j->anchor[target];
    return (uint64_t)s->to_gap[v->region] + s->from_gap[anchor] <= there + s->least[1][anchor];
}

/* Finds `behind` of targets in a row, unless it is known. */
static bool shortcut_look_behind(shortcut_job *s, uint32_t first, uint32_t end)
{
    bool ok = true;
    for (uint32_t at = first, stop; at < end && ok; at = stop) {
        for (stop = at; stop < end && s->of_take[stop] != s->take; stop++)
            s->of_take[stop] = s->take;
        if (stop > at) {
            ok = shortcut_trace(s, s->to, at, stop, s->behind);
        } else {
            stop++;
        }
    }
    return ok;
}

/* Targets in a row for which the region before takes the link. */
static bool shortcut_visit_range(shortcut_job *s, const shortcut_branch *v, uint32_t first,
                                 uint32_t end)
{
    bool ok = true;
    for (uint32_t at = first, stop; at < end && ok; at = stop) {
        stop = end;
        uint32_t on = shortcut_next(s->j, v->region, at, &stop), last = stop;
        if (on == CRN_HCDPS_NO_LINK) continue;
        if (on == v->slot && v->before) { /* that region is next on the route */
            ok = shortcut_keep(s, at, stop);
            continue;
        }
        while (s->choosy && at < last && !shortcut_may_pay(s, v, at)) at++;
        while (s->choosy && at < last && !shortcut_may_pay(s, v, last - 1)) last--;
        if (at < last)
            ok = shortcut_look_behind(s, at, last) && shortcut_find_costs(s, v, at, last, on) &&
                 shortcut_turn(s, v, at, last);
    }
    return ok;
}

static bool shortcut_branch_off(shortcut_job *s, shortcut_branch branch)
{
    void *branches = s->branches;
    bool ok = crn_grow(s->j->r->job.context, &branches, &s->branch_capacity, s->branch_count + 1,
                       sizeof *s->branches);
    s->branches = branches;
    if (ok) s->branches[s->branch_count++] = branch;
    return ok;
}

/* The regions whose cheapest routes to the link lead to this one first. */
static bool shortcut_go_on(shortcut_job *s, uint32_t region)
{
    const crn_hcdps_rerouting *j = s->j;
    const uint32_t *links = crn_hcdps_links_of(j, region);
    uint32_t count = shortcut_links(j, region);
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) {
        uint32_t p = links[i], slot = s->slots[0][p];
        if (j->anchor[p] != p || slot == UINT16_MAX || crn_hcdps_links_of(j, p)[slot] != region ||
            s->least[0][p] + s->link != s->least[1][p])
            continue;
        ok = shortcut_branch_off(s,
                                 (shortcut_branch){p, slot, s->kept, s->ranges.count, s->visit, i});
    }
    return ok;
}

/* Finds the cheapest routes to an end of the link, unless they are known. */
static bool shortcut_search(shortcut_job *s, uint32_t region, uint32_t end)
{
    const crn_hcdps_rerouting *j = s->j;
    size_t regions = j->regions;
    const uint32_t *costs;
    const uint16_t *slots;
    shortcut_spend(s, regions);
    if (s->searched[end] == region) return true;
    if (j->place[region] != UINT32_MAX) {
        slots = j->column_slots + j->place[region] * regions;
        costs = j->column_costs + j->place[region] * regions;
    } else {
        slots = crn_hcdps_find_outside(j->routes, region);
        costs = crn_hcdps_route_costs(j->routes);
    }
    if (!slots) return false;
    memcpy(s->slots[end], slots, regions * sizeof *slots);
    memcpy(s->least[end], costs, regions * sizeof *costs);
    s->searched[end] = region;
    return true;
}

/* Of two links that lead there and back, the ends are the same. */
static void shortcut_turn_round(shortcut_job *s)
{
    uint32_t *least = s->least[0], searched = s->searched[0];
    uint16_t *slots = s->slots[0];
    s->least[0] = s->least[1], s->slots[0] = s->slots[1], s->searched[0] = s->searched[1];
    s->least[1] = least, s->slots[1] = slots, s->searched[1] = searched;
}

/* Takes a link from a region on for all targets to which that pays. */
static bool shortcut_take(shortcut_job *s, uint32_t region, uint32_t slot)
{
    crn_hcdps_rerouting *j = s->j;
    cairn_context *context = j->r->job.context;
    uint32_t to = crn_hcdps_links_of(j, region)[slot];
    s->link = shortcut_cost(j, region, slot);
    s->to = to;
    s->take++;
    if (s->searched[0] == to || s->searched[1] == region) shortcut_turn_round(s);
    s->ranges.count = s->branch_count = 0;
    bool ok = shortcut_search(s, region, 0) && shortcut_search(s, to, 1) &&
              (s->choosy || shortcut_look_behind(s, 0, j->regions)) &&
              crn_hcdps_put(&s->ranges, context, 0) &&
              crn_hcdps_put(&s->ranges, context, j->regions) &&
              shortcut_branch_off(s, (shortcut_branch){.region = region, .slot = slot, .end = 2});
    while (s->branch_count && ok && s->left) {
        shortcut_branch v = s->branches[--s->branch_count];
        s->ranges.count = s->kept = v.end;
        s->visit++;
        for (size_t i = v.first; i < v.end && ok; i += 2)
            ok = shortcut_visit_range(s, &v, s->ranges.items[i], s->ranges.items[i + 1]);
        if (s->ranges.count > s->kept) ok = ok && shortcut_go_on(s, v.region);
    }
    return ok;
}

/* ---- links that were searched again ---- */

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
    for (uint32_t i = 0; i < s->end_count; i++) {
        uint64_t a = s->between[from * SHORTCUT_ENDS + i], b = s->between[to * SHORTCUT_ENDS + i];
        if (a != UINT32_MAX && b != UINT32_MAX && (a > b + link || b > a + link)) return true;
    }
    return false;
}

static bool shortcut_try(shortcut_job *s, const crn_hcdps_pair *pair)
{
    crn_hcdps_rerouting *j = s->j;
    uint32_t from = pair->from, to = pair->to, slot = shortcut_slot(j, from, to),
             back = shortcut_slot(j, to, from);
    if (slot == CRN_HCDPS_NO_LINK || back == CRN_HCDPS_NO_LINK) return true;
    if (j->anchor[from] != from || j->anchor[to] != to) return true;
    if (!shortcut_is_shorter(s, shortcut_end(s, from), shortcut_end(s, to),
                             shortcut_cost(j, from, slot)))
        return true;
    return shortcut_take(s, from, slot) && shortcut_take(s, to, back);
}

static bool shortcut_take_new(shortcut_job *s)
{
    const crn_hcdps_job *job = &s->j->r->job;
    bool ok = true;
    if (!shortcut_list_ends(s)) return true;
    for (size_t i = 0; i < job->pair_count && ok && s->left; i++)
        ok = job->pairs[i].known || shortcut_try(s, &job->pairs[i]);
    return ok;
}

/* ---- round links that are gone ---- */

/* Marks the old regions whose routes to where a detour ends led `over` the gap that it begins at.
 * seen: 0 = it is not known, 1 = no, 2 = yes. Dead ends do not matter. */
static void shortcut_mark(shortcut_job *s, const crn_hcdps_detour *detour)
{
    const crn_hcdps_rerouting *j = s->j;
    const crn_hcdps_mend *r = j->r;
    uint32_t to = r->was.items[detour->to];
    memset(s->seen, 0, r->regions);
    s->seen[to] = 1;
    s->seen[r->was.items[detour->from]] = 2;
    for (uint32_t i = 0; i < j->regions; i++) {
        uint32_t at = r->was.items[i], passed = 0;
        if (at == UINT32_MAX || j->anchor[i] != i || j->before[at] != j->before[to]) continue;
        while (!s->seen[at]) {
            uint32_t slot = crn_hcdps_next(r->old, at, to, j->near);
            if (slot == UINT32_MAX || passed == r->regions) break; /* a wrong file */
            j->queue[passed++] = at;
            at = r->link_to.items[r->link_first.items[at] + slot];
        }
        uint8_t seen = s->seen[at];
        s->over[at] |= seen == 2;
        while (passed) {
            at = j->queue[--passed];
            s->seen[at] = seen;
            s->over[at] |= seen == 2;
        }
    }
}

static bool shortcut_is_over(const shortcut_job *s, uint32_t region)
{
    uint32_t old = s->j->r->was.items[region];
    return old != UINT32_MAX && s->over[old];
}

/* Takes the links of a region that leave what is marked. */
static bool shortcut_leave(shortcut_job *s, uint32_t region)
{
    crn_hcdps_rerouting *j = s->j;
    const uint32_t *links = crn_hcdps_links_of(j, region);
    uint32_t count = shortcut_links(j, region);
    bool ok = true;
    for (uint32_t i = 0; i < count && ok && s->left; i++) {
        uint8_t *tried = &s->tried[j->r->job.link_first.items[region] + i];
        if (j->anchor[links[i]] != links[i] || shortcut_is_over(s, links[i]) || *tried) continue;
        *tried = 1;
        ok = shortcut_take(s, region, i);
    }
    return ok;
}

/* Finds what the cheapest routes to a region, and from those behind its gaps, cost: routes over the
 * gaps cost no less. */
static bool shortcut_measure_gap(shortcut_job *s, size_t first)
{
    const crn_hcdps_rerouting *j = s->j;
    uint32_t count = 0, from = j->detours[first].from, regions = j->regions;
    for (size_t i = first; i < j->detour_count; i++) {
        if (j->detours[i].from == from) j->queue[count++] = j->detours[i].to;
    }
    if (!crn_hcdps_find_routes(j->routes, j->queue, count, true, UINT32_MAX)) return false;
    memcpy(s->from_gap, crn_hcdps_route_costs(j->routes), regions * sizeof *s->from_gap);
    if (!crn_hcdps_find_outside(j->routes, from)) return false;
    memcpy(s->to_gap, crn_hcdps_route_costs(j->routes), regions * sizeof *s->to_gap);
    return s->choosy = true;
}

/* All gaps behind the same region. */
static bool shortcut_round(shortcut_job *s, size_t first)
{
    const crn_hcdps_rerouting *j = s->j;
    bool ok = true;
    for (size_t i = 0; i < first; i++) {
        if (j->detours[i].from == j->detours[first].from) return true;
    }
    memset(s->over, 0, j->r->regions);
    for (size_t i = first; i < j->detour_count; i++) {
        if (j->detours[i].from == j->detours[first].from) shortcut_mark(s, &j->detours[i]);
    }
    s->choosy = false;
    for (uint32_t i = 0; i < j->regions && ok && s->left; i++) {
        if (j->anchor[i] != i || !shortcut_is_over(s, i)) continue;
        if (s->left < s->scarce && !s->choosy) ok = shortcut_measure_gap(s, first);
        ok = ok && shortcut_leave(s, i);
    }
    return ok;
}

static bool shortcut_take_round(shortcut_job *s)
{
    bool ok = true;
    for (size_t i = 0; i < s->j->detour_count && ok && s->left; i++) ok = shortcut_round(s, i);
    return ok;
}

/* ---- all of it ---- */

static bool shortcut_open(shortcut_job *s)
{
    cairn_context *context = s->j->r->job.context;
    size_t now = (s->j->regions + 1) * sizeof(uint32_t);
    bool ok = true;
    for (uint32_t i = 0; i < 2; i++) {
        s->least[i] = crn_alloc(context, now);
        s->slots[i] = crn_alloc(context, now);
        ok = ok && s->least[i] && s->slots[i];
    }
    s->behind = crn_alloc(context, now);
    s->here = crn_alloc(context, now);
    s->of_visit = crn_alloc_zero(context, now);
    s->of_take = crn_alloc_zero(context, now);
    s->via = crn_alloc(context, now);
    s->to_gap = crn_alloc(context, now);
    s->from_gap = crn_alloc(context, now);
    s->seen = crn_alloc(context, s->j->r->regions);
    s->over = crn_alloc(context, s->j->r->regions);
    s->tried = crn_alloc_zero(context, s->j->r->job.cost_count + 1);
    return ok && s->behind && s->here && s->of_visit && s->of_take && s->via && s->to_gap &&
           s->from_gap && s->seen && s->over && s->tried;
}

static void shortcut_close(shortcut_job *s)
{
    cairn_context *context = s->j->r->job.context;
    size_t now = (s->j->regions + 1) * sizeof(uint32_t);
    for (uint32_t i = 0; i < 2; i++) {
        crn_free(context, s->least[i], now);
        crn_free(context, s->slots[i], now);
    }
    crn_free(context, s->behind, now);
    crn_free(context, s->here, now);
    crn_free(context, s->of_visit, now);
    crn_free(context, s->of_take, now);
    crn_free(context, s->via, now);
    crn_free(context, s->to_gap, now);
    crn_free(context, s->from_gap, now);
    crn_free(context, s->seen, s->j->r->regions);
    crn_free(context, s->over, s->j->r->regions);
    crn_free(context, s->tried, s->j->r->job.cost_count + 1);
    crn_free(context, s->visits, s->visit_capacity * sizeof *s->visits);
    crn_free(context, s->branches, s->branch_capacity * sizeof *s->branches);
    crn_hcdps_free_array(&s->ranges, context);
}

bool crn_hcdps_take_shortcuts(crn_hcdps_rerouting *j)
{
    uint64_t regions = j->regions;
    shortcut_job s = {
        .j = j, .scarce = regions * regions / SHORTCUT_WORK, .searched = {UINT32_MAX, UINT32_MAX}};
    s.left = s.scarce + SHORTCUT_WORK * regions;
    bool ok = shortcut_open(&s) && shortcut_take_new(&s) && shortcut_take_round(&s);
    shortcut_close(&s);
    return ok;
}
