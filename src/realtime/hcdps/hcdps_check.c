/* hcdps_check.c: what must be true of an index of `hcdps`.
 *
 * What searches rely on so as not to read or step where they must not is checked when an index is
 * loaded. That climbs lead where they should is checked after builds, with internal checks. A
 * file that is wrong in this respect is noticed when a climb ends early: then A* answers, or an
 * agent goes on without its cursor. hcdps_circles.c has what makes walks end.
 */
#include "realtime/hcdps/hcdps_index.h"

typedef struct check_job {
    const crn_hcdps *index;
    const cairn_space *space;
    const crn_grid_space *map; /* the same; NULL = it is a graph */
    uint32_t regions, nodes;
} check_job;

static size_t check_count(const check_job *c, uint32_t array)
{
    return c->index->arrays[array].count;
}

static bool check_usable(const check_job *c, cairn_node node)
{
    return node < c->nodes && cairn_space_usable(c->space, node);
}

/* The runs of a block: the last one tells that it is. */
static const char *check_block(const check_job *c, uint32_t block)
{
    crn_hcdps_reader r = crn_hcdps_stream(c->index, CRN_HCDPS_RUNS, CRN_HCDPS_ENTRIES, block);
    uint32_t region = 0, length = 1;
    for (uint64_t begin = 0; length; begin += length) {
        if (r.at == r.end || begin >= c->index->every) return "a block has no end";
        region += crn_hcdps_signed(crn_hcdps_read(&r));
        length = crn_hcdps_read(&r);
        if (region >= crn_max_u32(c->regions, 1)) return "a run is in no region";
    }
    return NULL;
}

/* No region at all: only where there is nothing to stand on. */
static const char *check_some(const check_job *c)
{
    for (cairn_node node = 0; node < c->nodes && !c->regions; node++) {
        if (check_usable(c, node)) return "a cell has no region";
    }
    return NULL;
}

/* Sections that the parameters leave empty. */
static const char *check_unused(const check_job *c)
{
    bool near = c->index->depth > 1, pairs = c->index->pairs && c->index->exact;
    bool extra = (!near && check_count(c, CRN_HCDPS_NEAR_FIRST)) ||
                 (!pairs && check_count(c, CRN_HCDPS_PAIR_FIRST));
    return extra ? "a section does not belong there" : NULL;
}

static const char *check_homes(const check_job *c)
{
    for (uint32_t i = 0; i < c->regions; i++) {
        cairn_node home = crn_hcdps_home(c->index, i);
        if (!check_usable(c, home) || crn_hcdps_region(c->index, home) != i)
            return "a representative lies outside of its region";
    }
    return NULL;
}

/* Positions that ascend from 0 to the size of another array. */
static const char *check_firsts(const check_job *c, uint32_t array, size_t count, size_t end)
{
    const uint32_t *first = crn_hcdps_items(c->index, array);
    if (check_count(c, array) != count || first[0] || first[count - 1] != end)
        return "positions do not fit";
    for (size_t i = 1; i < count; i++) {
        if (first[i] < first[i - 1]) return "positions do not ascend";
    }
    return NULL;
}

static const char *check_runs(const check_job *c)
{
    size_t blocks = ((size_t)c->nodes + c->index->every - 1) / c->index->every;
    const char *wrong =
        check_firsts(c, CRN_HCDPS_ENTRIES, blocks + 1, check_count(c, CRN_HCDPS_RUNS));
    for (uint32_t i = 0; i < blocks && !wrong; i++) wrong = check_block(c, i);
    return wrong;
}

static const char *check_nodes(const check_job *c, uint32_t array)
{
    const uint32_t *items = crn_hcdps_items(c->index, array);
    for (size_t i = 0; i < check_count(c, array); i++) {
        if (!check_usable(c, items[i])) return "a subgoal is blocked";
    }
    return NULL;
}

/* Whatever it costs: that may not fit into 32 bits. */
static bool check_step(const check_job *c, cairn_node from, cairn_node to)
{
    if (!c->map) return cairn_space_step_cost(c->space, from, to) != CAIRN_NO_COST;
    cairn_cell a = cairn_grid_cell(c->map->grid, from), b = cairn_grid_cell(c->map->grid, to);
    return crn_links_used(c->map, from, to) ||
           (crn_outside(a.x, b.x, b.x) <= 1 && crn_outside(a.y, b.y, b.y) <= 1 &&
            crn_grid_can_step(c->map, (uint32_t)a.x, (uint32_t)a.y, (uint32_t)b.x, (uint32_t)b.y));
}

static const char *check_door(const check_job *c, uint32_t region, const crn_hcdps_link *link)
{
    bool right = check_usable(c, link->leave) && check_usable(c, link->enter) &&
                 crn_hcdps_region(c->index, link->leave) == region &&
                 crn_hcdps_region(c->index, link->enter) == link->region &&
                 check_step(c, link->leave, link->enter);
    return right ? NULL : "a door leads elsewhere";
}

static const char *check_link(const check_job *c, uint32_t region, uint32_t slot, bool near)
{
    crn_hcdps_link link = crn_hcdps_link_at(c->index, region, slot);
    if (link.region >= c->regions || link.region == region) return "a link leads nowhere";
    bool records = c->index->exact;
    cairn_node node = crn_hcdps_home(c->index, region);
    if (!records && link.read < link.end) return "a record is not to be there";
    while (crn_hcdps_subgoal(c->index, &link.read, link.end, &node)) {
        if (!check_usable(c, node)) return "a subgoal is blocked";
    }
    return near ? check_door(c, region, &link) : NULL;
}

/* The sizes of links must not lead out of their stream. */
static const char *check_region_links(const check_job *c, uint32_t region)
{
    crn_hcdps_reader r = crn_hcdps_stream(c->index, CRN_HCDPS_LINKS, CRN_HCDPS_LINK_FIRST, region);
    uint32_t count = crn_hcdps_read(&r), near = crn_hcdps_read(&r);
    const char *wrong = NULL;
    if (count >= CRN_HCDPS_SLOTS || near > count || (c->index->depth == 1 && near < count))
        return "a number of links is wrong";
    for (uint32_t i = 0; i < count && !wrong; i++) {
        uint32_t size = crn_hcdps_read(&r);
        if (!size || size > (size_t)(r.end - r.at)) return "a link has no end";
        r.at += size;
        wrong = check_link(c, region, i, i < near);
    }
    return wrong;
}

static const char *check_links(const check_job *c)
{
    const char *wrong = check_firsts(c, CRN_HCDPS_LINK_FIRST, (size_t)c->regions + 1,
                                     check_count(c, CRN_HCDPS_LINKS));
    for (uint32_t i = 0; i < c->regions && !wrong; i++) wrong = check_region_links(c, i);
    return wrong;
}

/* An entry of a row: its numbers. */
static bool check_entry(const uint8_t *entry, uint32_t start, size_t place)
{
    return (entry[0] | (uint32_t)entry[1] << 8 | (uint32_t)entry[2] << 16) == start &&
           (entry[3] | (uint32_t)entry[4] << 8 | (uint32_t)entry[5] << 16) == place;
}

static const char *check_row(const check_job *c, uint32_t region, bool near)
{
    crn_hcdps_reader r =
        crn_hcdps_stream(c->index, near ? CRN_HCDPS_NEAR : CRN_HCDPS_ROWS,
                         near ? CRN_HCDPS_NEAR_FIRST : CRN_HCDPS_ROW_FIRST, region);
    uint32_t links = crn_hcdps_links(c->index, region), runs = crn_hcdps_read(&r);
    size_t entries = runs ? (runs - 1) / CRN_HCDPS_GROUP : 0;
    const uint8_t *entry = r.at, *body;
    uint64_t start = 0;
    if (!runs || runs > c->regions || entries * CRN_HCDPS_ENTRY > (size_t)(r.end - r.at))
        return "a row has too many runs";
    body = r.at += entries * CRN_HCDPS_ENTRY;
    for (uint32_t i = 0; i < runs; i++) {
        const uint8_t *at = r.at;
        if (at == r.end) return "a row has no end";
        uint32_t value = crn_hcdps_read(&r), slot = value % (links + 1);
        bool begins = i && i % CRN_HCDPS_GROUP == 0;
        uint64_t before = start;
        start += value / (links + 1) + (i && !begins);
        if (begins) { /* begins where its entry says */
            start = (uint64_t)(entry[0] | (uint32_t)entry[1] << 8 | (uint32_t)entry[2] << 16);
            if (value / (links + 1) || start <= before ||
                !check_entry(entry, (uint32_t)start, (size_t)(at - body)))
                return "a row has a wrong entry";
            entry += CRN_HCDPS_ENTRY;
        }
        if (start >= c->regions || (!i && start)) return "a row does not ascend";
        if (near && slot < links &&
            crn_hcdps_link_at(c->index, region, slot).leave == CAIRN_NO_NODE)
            return "a row has a link without a door";
    }
    return NULL;
}

static const char *check_rows(const check_job *c, bool near)
{
    uint32_t at = near ? CRN_HCDPS_NEAR_FIRST : CRN_HCDPS_ROW_FIRST,
             rows = near ? CRN_HCDPS_NEAR : CRN_HCDPS_ROWS;
    const char *wrong = check_firsts(c, at, (size_t)c->regions + 1, check_count(c, rows));
    for (uint32_t i = 0; i < c->regions && !wrong; i++) wrong = check_row(c, i, near);
    return wrong;
}

static const char *check_pairs(const check_job *c)
{
    const char *wrong = check_firsts(c, CRN_HCDPS_PAIR_FIRST, (size_t)c->regions * c->regions + 1,
                                     check_count(c, CRN_HCDPS_PAIRS));
    return wrong ? wrong : check_nodes(c, CRN_HCDPS_PAIRS);
}

/* ---- climbs ---- */

#if defined(CAIRN_CHECKS)

/* Does a climb stay in a region? */
static bool check_climb(const check_job *c, cairn_node from, cairn_node to, uint32_t region)
{
    for (uint32_t left = c->index->cutoff; from != to; left--) {
        if (!left || !crn_space_climb_step(c->space, &from, to)) return false;
        if (crn_hcdps_region(c->index, from) != region) return false;
    }
    return true;
}

static const char *check_cells(const check_job *c)
{
    for (cairn_node node = 0; node < c->nodes; node++) {
        if (!cairn_space_usable(c->space, node)) continue;
        uint32_t region = crn_hcdps_region(c->index, node);
        cairn_node home = crn_hcdps_home(c->index, region);
        if (!check_climb(c, node, home, region)) return "a cell does not reach its representative";
        if (!check_climb(c, home, node, region)) return "a representative does not reach a cell";
    }
    return NULL;
}

static bool check_reaches(const check_job *c, cairn_node from, cairn_node to)
{
    return crn_space_climb_reaches(c->space, from, to, c->index->cutoff, NULL);
}

/* The record of a link, and then the representative. */
static bool check_record(const check_job *c, uint32_t region, uint32_t slot)
{
    crn_hcdps_link link = crn_hcdps_link_at(c->index, region, slot);
    cairn_node node = crn_hcdps_home(c->index, region), before = node;
    for (; crn_hcdps_subgoal(c->index, &link.read, link.end, &node); before = node) {
        if (!check_reaches(c, before, node)) return false;
    }
    return check_reaches(c, before, crn_hcdps_home(c->index, link.region));
}

static bool check_pair(const check_job *c, cairn_node from, size_t pair)
{
    const uint32_t *first = crn_hcdps_items(c->index, CRN_HCDPS_PAIR_FIRST) + pair,
                   *items = crn_hcdps_items(c->index, CRN_HCDPS_PAIRS);
    bool right = true;
    for (uint32_t i = first[0]; i < first[1] && right; from = items[i++])
        right = check_reaches(c, from, items[i]);
    return right;
}

static const char *check_records(const check_job *c)
{
    bool pairs = check_count(c, CRN_HCDPS_PAIR_FIRST), right = true;
    for (uint32_t i = 0; i < c->regions && right; i++) {
        uint32_t links = crn_hcdps_links(c->index, i);
        for (uint32_t k = 0; k < links && right && c->index->exact; k++)
            right = check_record(c, i, k);
        for (size_t k = 0; pairs && k < c->regions && right; k++)
            right = check_pair(c, crn_hcdps_home(c->index, i), (size_t)i * c->regions + k);
    }
    return right ? NULL : "no climb leads to a subgoal";
}

/* Follows the rows from a region to a target, up to one of which it is known; then it is known of
 * all regions on it. */
enum { CHECK_UNKNOWN, CHECK_ARRIVES, CHECK_ENDS };
static bool check_route(const check_job *c, uint32_t from, uint32_t to, bool near, uint8_t *known)
{
    uint32_t at = from, hops = 0;
    while (!known[at]) {
        uint32_t slot = crn_hcdps_next(c->index, at, to, near);
        if (slot == UINT32_MAX) known[at] = CHECK_ENDS;
        if (slot == UINT32_MAX || hops++ > c->regions) break;
        at = crn_hcdps_link_at(c->index, at, slot).region;
    }
    uint8_t what = known[at];
    for (at = from; !known[at];) {
        known[at] = what;
        at = crn_hcdps_link_at(c->index, at, crn_hcdps_next(c->index, at, to, near)).region;
    }
    return what;
}

/* Routes to a target: they end there exactly if it can be reached. */
static const char *check_routes_to(const check_job *c, uint32_t to, bool near, uint8_t *known)
{
    memset(known, CHECK_UNKNOWN, c->regions);
    known[to] = CHECK_ARRIVES;
    for (uint32_t i = 0; i < c->regions; i++) {
        if (!check_route(c, i, to, near, known)) return "a route leads in circles";
        cairn_reach reach =
            cairn_reachable(c->space, crn_hcdps_home(c->index, i), crn_hcdps_home(c->index, to));
        if (reach == CAIRN_REACH_YES && known[i] != CHECK_ARRIVES)
            return "a route ends before its region";
        if (reach == CAIRN_REACH_NO && known[i] == CHECK_ARRIVES)
            return "a route leads where nobody gets";
    }
    return NULL;
}

/* To all regions; where there are many, to some. A check takes no memory of the context. */
static const char *check_routes(const check_job *c)
{
    enum { TARGETS = 500, MOST = 1 << 16 };
    uint8_t known[MOST];
    const char *wrong = NULL;
    if (c->regions > MOST) return NULL;
    for (uint32_t to = 0; to < c->regions && !wrong; to += c->regions / TARGETS + 1) {
        wrong = check_routes_to(c, to, false, known);
        if (!wrong && c->index->depth > 1) wrong = check_routes_to(c, to, true, known);
    }
    return wrong;
}

static const char *check_climbs(const check_job *c)
{
    const char *wrong = check_cells(c);
    if (!wrong) wrong = check_records(c);
    return wrong ? wrong : check_routes(c);
}
#endif

const char *crn_hcdps_check(const crn_hcdps *index, const cairn_space *space, bool whole)
{
    check_job c = {index, space, crn_grid_space_of(space),
                   (uint32_t)index->arrays[CRN_HCDPS_HOMES].count, space->node_count};
    if (index->arrays[CRN_HCDPS_HOMES].count >= CRN_HCDPS_REGIONS) return "too many regions";
    const char *wrong = check_runs(&c);
    if (!wrong) wrong = check_some(&c);
    if (!wrong) wrong = check_unused(&c);
    if (!wrong) wrong = check_homes(&c);
    if (!wrong) wrong = check_links(&c);
    if (!wrong) wrong = check_rows(&c, false);
    if (!wrong && index->depth > 1) wrong = check_rows(&c, true);
    if (!wrong && index->pairs && index->exact) wrong = check_pairs(&c);
    (void)whole;
#if defined(CAIRN_CHECKS)
    if (!wrong && whole) wrong = check_climbs(&c);
#endif
    return wrong;
}
