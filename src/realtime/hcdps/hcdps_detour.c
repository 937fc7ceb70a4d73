/* hcdps_detour.c: the index of `hcdps` after an edit: routes round links that are gone.
 *
 * The targets to which a region took a link that is gone are ranges of its row, *pieces*. The
 * first region behind the gap on the old route that is still there can be reached over other links:
 * that is the detour. Routes follow it up to its first region from which there is a route to the
 * target. That one passes no region from which there was none, so all routes end at the target.
 *
 * Routes from a region of a detour to all targets of a piece are followed at once, as long as they
 * are the same: each region is asked once for a range of targets. A target whose route meets
 * another gap has to wait until that is mended: the gap that is nearest to the target on its old
 * route always can be.
 */
#include "realtime/hcdps/hcdps_reroute.h"

enum { DETOUR_MOST = 512, DETOUR_SHARE = 48 /* regions that are patched: some, and of all */ };

/* The link that a region takes to a target, after patches; *end: also to those up to there. */
static uint32_t detour_next(const crn_hcdps_rerouting *j, uint32_t region, uint32_t target,
                            uint32_t *end)
{
    const crn_hcdps_mend *r = j->r;
    const uint16_t *patched = j->patched[region];
    if (patched) {
        *end = crn_hcdps_patch_end(patched, target, *end);
        if (patched[target] != CRN_HCDPS_NO_LINK) return patched[target];
    }
    if (r->was.items[target] == UINT32_MAX) return CRN_HCDPS_NO_LINK;
    const uint32_t *run = j->rows.items + j->row_first[region],
                   *stop = j->rows.items + j->row_first[region + 1];
    for (size_t count = (size_t)(stop - run) / 2, half; count > 1; count -= half) {
        half = count / 2;
        run += run[2 * half] <= target ? 2 * half : 0;
    }
    if (run + 2 < stop) *end = crn_min_u32(*end, run[2]);
    return run[1] < crn_hcdps_count_of(j, region) ? run[1] : CRN_HCDPS_NO_LINK;
}

/* The class of a target. */
static const crn_hcdps_class *detour_class(const crn_hcdps_rerouting *j, uint32_t target,
                                           uint32_t *end)
{
    size_t low = 0, high = j->class_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (j->classes[middle].first <= target) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (low + 1 < j->class_count) *end = crn_min_u32(*end, j->classes[low + 1].first);
    return &j->classes[low];
}

uint32_t crn_hcdps_link_to(const crn_hcdps_rerouting *j, uint32_t region, uint32_t target,
                           uint32_t *end)
{
    const uint16_t *patched = j->patched[region];
    uint32_t slot = detour_next(j, region, target, end);
    if ((patched && patched[target] != CRN_HCDPS_NO_LINK) || !crn_hcdps_is_mixed(j, region))
        return slot;
    uint32_t other = crn_hcdps_class_link(j, region, detour_class(j, target, end));
    if (other == UINT32_MAX) return slot;
    return other < crn_hcdps_count_of(j, region) ? other : CRN_HCDPS_NO_LINK;
}

/* The region behind a link that is gone, on the old route to a target, that is still connected;
 * UINT32_MAX: the old rows are wrong. */
static uint32_t detour_behind(crn_hcdps_rerouting *j, uint32_t region, uint32_t target,
                              uint32_t *end)
{
    const crn_hcdps_mend *r = j->r;
    uint32_t at = r->was.items[region];
    for (uint32_t hops = 0; hops <= r->regions; hops++) {
        uint32_t stop, slot = crn_hcdps_next_run(r->old, at, r->was.items[target], j->near, &stop);
        if (slot == UINT32_MAX) break;
        *end = crn_min_u32(*end, crn_hcdps_range_end(r, target, stop));
        at = r->link_to.items[r->link_first.items[at] + slot];
        if (at > r->was.items[target]) *end = crn_min_u32(*end, crn_hcdps_range_end(r, target, at));
        if (at == r->was.items[target]) *end = target + 1;
        if (crn_hcdps_remains(r, at) && j->now[r->order.items[at]] == j->now[region])
            return r->order.items[at];
        if (at == r->was.items[target]) break;
    }
    return UINT32_MAX;
}

/* The detour from one region to another; NULL: no memory. */
static const crn_hcdps_detour *detour_of(crn_hcdps_rerouting *j, uint32_t from, uint32_t to)
{
    cairn_context *context = j->r->job.context;
    for (size_t i = 0; i < j->detour_count; i++) {
        if (j->detours[i].from == from && j->detours[i].to == to) return &j->detours[i];
    }
    const uint16_t *slots = crn_hcdps_find_routes(j->routes, &to, 1, true, from);
    void *detours = j->detours;
    bool ok = slots && crn_grow(context, &detours, &j->detour_capacity, j->detour_count + 1,
                                sizeof *j->detours);
    j->detours = detours;
    if (!ok) return NULL;
    crn_hcdps_detour detour = {from, to, (uint32_t)j->trail.count, 0};
    for (; from != to && ok; from = crn_hcdps_links_of(j, from)[slots[from]])
        ok = crn_hcdps_put(&j->trail, context, from) &&
             crn_hcdps_put(&j->trail, context, slots[from]);
    ok = ok && crn_hcdps_put(&j->trail, context, to);
    detour.length = ((uint32_t)j->trail.count - detour.first) / 2;
    j->detours[j->detour_count] = detour;
    return ok ? &j->detours[j->detour_count++] : NULL;
}

bool crn_hcdps_may_patch(const crn_hcdps_rerouting *j, uint32_t region)
{
    return j->patched[region] || j->patched_count < DETOUR_MOST + j->regions / DETOUR_SHARE;
}

uint16_t *crn_hcdps_patched_row(crn_hcdps_rerouting *j, uint32_t region)
{
    uint16_t **patched = &j->patched[region];
    if (!*patched) {
        *patched = crn_alloc(j->r->job.context, j->regions * sizeof **patched);
        if (!*patched) return NULL;
        memset(*patched, 0xff, j->regions * sizeof **patched);
        j->patched_count++;
    }
    return *patched;
}

/* From now on a region takes a link to some targets. */
static bool detour_patch(crn_hcdps_rerouting *j, const crn_hcdps_piece *piece, uint32_t region,
                         uint32_t slot)
{
    j->gives_up |= !crn_hcdps_may_patch(j, region);
    uint16_t *row = crn_hcdps_patched_row(j, region);
    for (uint32_t i = piece->first; row && i < piece->end; i++) row[i] = (uint16_t)slot;
    return row;
}

static bool detour_add_piece(crn_hcdps_rerouting *j, crn_hcdps_piece piece)
{
    if (piece.first >= piece.end) return true;
    void *pieces = j->pieces;
    bool ok = crn_grow(j->r->job.context, &pieces, &j->piece_capacity, j->piece_count + 1,
                       sizeof *j->pieces);
    j->pieces = pieces;
    if (ok) j->pieces[j->piece_count++] = piece;
    return ok;
}

/* Leaves out targets that have a column of their own or cannot be reached, and the region
 * itself. */
static void detour_skip(const crn_hcdps_rerouting *j, crn_hcdps_piece *piece)
{
    uint32_t part = j->now[piece->region];
    while (piece->first < piece->end &&
           (j->r->was.items[piece->first] == UINT32_MAX || j->now[piece->first] != part ||
            piece->first == piece->region))
        piece->first++;
    if (piece->first < piece->region) piece->end = crn_min_u32(piece->end, piece->region);
    if (!crn_hcdps_is_mixed(j, piece->region)) return;
    uint32_t end = piece->first;
    while (end < piece->end && j->now[end] == part) end++;
    piece->end = end;
}

static bool detour_visit_add(crn_hcdps_rerouting *j, crn_hcdps_visit visit)
{
    void *visits = j->visits;
    j->r->job.work++;
    bool ok = crn_grow(j->r->job.context, &visits, &j->visit_capacity, j->visit_count + 1,
                       sizeof *j->visits);
    j->visits = visits;
    if (ok) j->visits[j->visit_count++] = visit;
    return ok;
}

/* One more step of the routes to some targets. */
static bool detour_visit_one(crn_hcdps_rerouting *j, crn_hcdps_visit v)
{
    bool ok = true;
    for (uint32_t at = v.first, end; at < v.end && ok; at = end) {
        if (at == v.region) {
            j->arrives[at] = true;
            end = at + 1;
            continue;
        }
        end = at < v.region ? crn_min_u32(v.end, v.region) : v.end;
        uint32_t slot = detour_next(j, v.region, at, &end);
        if (slot == CRN_HCDPS_NO_LINK || v.depth > j->regions) {
            memset(j->arrives + at, false, end - at);
        } else {
            uint32_t next = crn_hcdps_links_of(j, v.region)[slot];
            ok = detour_visit_add(j, (crn_hcdps_visit){next, at, end, v.depth + 1});
        }
    }
    return ok;
}

/* Follows the routes from a region to targets in a row, those to many of them at once as long as
 * they are the same. */
static bool detour_trace(crn_hcdps_rerouting *j, uint32_t from, uint32_t first, uint32_t end)
{
    bool ok = detour_visit_add(j, (crn_hcdps_visit){from, first, end, 0});
    while (j->visit_count && ok) ok = detour_visit_one(j, j->visits[--j->visit_count]);
    return ok;
}

/* Does the route from a region of a detour lead to the first target of a piece? The piece gets as
 * many targets as that is true of, or false. A route that leads back does not. */
static bool detour_ask(crn_hcdps_rerouting *j, crn_hcdps_piece *piece, uint32_t region,
                       uint32_t back)
{
    uint32_t target = piece->first, end = piece->end;
    j->arrives[target] = region == target;
    if (target <= region) end = crn_min_u32(end, target < region ? region : target + 1);
    uint32_t slot = CRN_HCDPS_NO_LINK;
    if (target != region) slot = detour_next(j, region, target, &end);
    piece->end = end;
    if (slot == CRN_HCDPS_NO_LINK || crn_hcdps_links_of(j, region)[slot] == back) return true;
    if (!detour_trace(j, region, target, end)) return false;
    piece->end = target + 1;
    while (piece->end < end && j->arrives[piece->end] == j->arrives[target]) piece->end++;
    return true;
}

/* Leads the routes to targets of a piece along a detour, up to its first region from which there is
 * one. If there is none, they are kept for later: other links are gone on their routes. */
static bool detour_lead(crn_hcdps_rerouting *j, crn_hcdps_piece piece,
                        const crn_hcdps_detour *detour)
{
    const uint32_t *trail = j->trail.items + detour->first;
    uint32_t end = piece.end;
    bool ok = true;
    for (; piece.first < end && ok; piece.first = piece.end) {
        uint32_t place = 0;
        piece.end = end;
        do {
            place++;
            ok = detour_ask(j, &piece, trail[2 * place], trail[2 * place - 2]);
        } while (ok && !j->arrives[piece.first] && place < detour->length);
        if (!ok) break;
        if (!j->arrives[piece.first]) {
            ok = detour_add_piece(j, piece);
            continue;
        }
        j->progressed = true;
        for (uint32_t i = 0; i < place && ok; i++)
            ok = detour_patch(j, &piece, trail[2 * i], trail[2 * i + 1]);
    }
    return ok;
}

/* Mends the first targets of a piece, up to *end. False: no memory. */
static bool detour_mend(crn_hcdps_rerouting *j, crn_hcdps_piece piece, uint32_t *end)
{
    uint32_t slot = detour_next(j, piece.region, piece.first, &piece.end);
    *end = piece.end;
    if (slot != CRN_HCDPS_NO_LINK) return true; /* it lies on a detour */
    uint32_t behind = detour_behind(j, piece.region, piece.first, &piece.end);
    *end = piece.end;
    j->gives_up |= behind == UINT32_MAX;
    if (j->gives_up) return true;
    const crn_hcdps_detour *detour = detour_of(j, piece.region, behind);
    return detour && detour_lead(j, piece, detour);
}

/* Mends all of a piece that can be. */
static bool detour_mend_piece(crn_hcdps_rerouting *j, crn_hcdps_piece piece)
{
    uint32_t end = piece.end;
    bool ok = true;
    while (piece.first < end && ok && !j->gives_up) {
        piece.end = end;
        detour_skip(j, &piece);
        if (piece.first < piece.end) ok = detour_mend(j, piece, &piece.end);
        piece.first = piece.end;
    }
    return ok;
}

/* Patches what can be patched, again and again. */
static bool detour_mend_all(crn_hcdps_rerouting *j)
{
    bool ok = true;
    j->progressed = true;
    while (j->piece_count && j->progressed && ok && !j->gives_up) {
        crn_hcdps_piece *pieces = j->pieces;
        size_t count = j->piece_count, capacity = j->piece_capacity;
        j->pieces = NULL;
        j->piece_count = j->piece_capacity = 0;
        j->progressed = false;
        for (size_t i = 0; i < count && ok && !j->gives_up; i++)
            ok = detour_mend_piece(j, pieces[i]);
        crn_free(j->r->job.context, pieces, capacity * sizeof *pieces);
    }
    j->gives_up |= j->piece_count > 0;
    return ok;
}

/* Lists targets by their old numbers. */
static bool detour_list_piece(crn_hcdps_rerouting *j, uint32_t region, uint32_t first, uint32_t end)
{
    const crn_hcdps_mend *r = j->r;
    bool ok = true;
    for (size_t i = 0; i < r->segment_count && ok; i++) {
        const crn_hcdps_segment *segment = &r->segments[i];
        if (first >= segment->old_end || end <= segment->old_first) continue;
        crn_hcdps_piece piece = {region, segment->first, segment->end};
        if (first > segment->old_first) piece.first = r->up.items[first];
        if (end < segment->old_end) piece.end = r->up.items[end];
        ok = detour_add_piece(j, piece);
    }
    return ok;
}

/* Lists the targets to which a region took links that are gone. */
static bool detour_list_pieces(crn_hcdps_rerouting *j, uint32_t region)
{
    const crn_hcdps_mend *r = j->r;
    uint32_t old = r->was.items[region];
    const uint32_t *moved = j->moved + r->link_first.items[old];
    uint32_t count = r->link_first.items[old + 1] - r->link_first.items[old], gone = 0;
    bool ok = true;
    while (gone < count && moved[gone] != CRN_HCDPS_NO_LINK) gone++;
    for (uint32_t at = 0, end; gone < count && at < r->regions && ok; at = end) {
        uint32_t slot = crn_hcdps_next_run(r->old, old, at, j->near, &end);
        if (slot == UINT32_MAX || moved[slot] != CRN_HCDPS_NO_LINK) continue;
        ok = detour_list_piece(j, region, at, end);
    }
    return ok;
}

bool crn_hcdps_patch(crn_hcdps_rerouting *j)
{
    bool ok = true;
    for (uint32_t i = 0; i < j->regions && ok; i++)
        ok = j->r->was.items[i] == UINT32_MAX || detour_list_pieces(j, i);
    return ok && detour_mend_all(j);
}
