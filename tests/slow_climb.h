/* slow_climb.h: the index of `hcdps`, looked at by a climb that is written down here once more:
 * every cell reaches its representative and back inside of its region, every record can be climbed,
 * and following the rows leads from each region to each other one that can be reached. And walks
 * move by move, each of which is looked at.
 */
#ifndef TESTS_SLOW_CLIMB_H
#define TESTS_SLOW_CLIMB_H

#include "kit.h"

#include "realtime/hcdps/hcdps_index.h"
#include "search/algorithm.h"

static inline const crn_hcdps *index_of(const cairn_planner *planner)
{
    return planner->index;
}

static inline const crn_grid_space *map_of(const cairn_planner *planner)
{
    return crn_grid_space_of(cairn_planner_space(planner));
}

static inline bool may_reach(const cairn_space *space, cairn_node from, cairn_node to)
{
    return cairn_reachable(space, from, to) != CAIRN_REACH_NO;
}

/* ---- a climb by hand -------------------------------------------------------------------- */

/* Hexagons: three axes of which any two tell a place. */
static inline int64_t hexagons_apart(int64_t ax, int64_t ay, int64_t bx, int64_t by)
{
    int64_t q = ax - (ay - (ay & 1)) / 2 - (bx - (by - (by & 1)) / 2), r = ay - by;
    int64_t a = llabs(q), b = llabs(r), c = llabs(q + r);
    return a > b ? (a > c ? a : c) : (b > c ? b : c);
}

static inline int64_t apart(const crn_grid_space *map, int64_t ax, int64_t ay, int64_t bx,
                            int64_t by)
{
    int64_t dx = llabs(ax - bx), dy = llabs(ay - by), low = dx < dy ? dx : dy;
    if (map->hex) return hexagons_apart(ax, ay, bx, by) * map->base.scale.straight;
    if (map->profile.neighbours == CAIRN_NEIGHBOURS_4) return (dx + dy) * map->base.scale.straight;
    return (dx + dy - 2 * low) * map->base.scale.straight + low * map->base.scale.diagonal;
}

/* The next node of a climb: the least g + h of what has a smaller h, then the largest g, then the
 * order of directions. CAIRN_NO_NODE = there is none. */
static inline cairn_node slow_climb_step(const crn_grid_space *map, cairn_node from, cairn_node to)
{
    static const int8_t dx[8] = {0, 1, 0, -1, 1, 1, -1, -1}, dy[8] = {-1, 0, 1, 0, -1, 1, 1, -1};
    int64_t width = map->grid->width, height = map->grid->height, x = from % width,
            y = from / width, tx = to % width, ty = to / width;
    int64_t best_f = INT64_MAX, best_g = 0, h = apart(map, x, y, tx, ty);
    cairn_node best = CAIRN_NO_NODE;
    for (uint32_t d = 0; d < 8; d++) {
        int64_t nx = x + dx[d], ny = y + dy[d];
        if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
        if (!crn_grid_can_step(map, (uint32_t)x, (uint32_t)y, (uint32_t)nx, (uint32_t)ny)) continue;
        int64_t rest = apart(map, nx, ny, tx, ty);
        int64_t g = d < 4 || map->hex ? map->base.scale.straight : map->base.scale.diagonal;
        if (rest >= h || g + rest > best_f || (g + rest == best_f && g <= best_g)) continue;
        best_f = g + rest, best_g = g;
        best = (cairn_node)(ny * width + nx);
    }
    return best;
}

/* A list of nodes. */
typedef struct trail {
    cairn_node *nodes;
    size_t count, capacity;
} trail;

static inline void trail_add(trail *t, cairn_node node)
{
    if (t->count == t->capacity) {
        t->capacity = 2 * t->capacity + 64;
        t->nodes = realloc(t->nodes, t->capacity * sizeof *t->nodes);
        if (!t->nodes) abort();
    }
    t->nodes[t->count++] = node;
}

/* Appends a climb without its first node; false if it does not arrive. */
static inline bool slow_climb(const crn_grid_space *map, cairn_node from, cairn_node to,
                              uint32_t most, trail *t)
{
    for (; from != to; most--) {
        from = slow_climb_step(map, from, to);
        if (from == CAIRN_NO_NODE || !most) return false;
        trail_add(t, from);
    }
    return true;
}

/* ---- the checker ------------------------------------------------------------------------- */

static inline void check_inside(const char *text, const cairn_planner *planner, cairn_node from,
                                cairn_node to)
{
    const crn_hcdps *index = index_of(planner);
    trail t = {0};
    CHECK(slow_climb(map_of(planner), from, to, index->cutoff, &t), "%s: no climb from %u to %u",
          text, from, to);
    for (size_t i = 0; i < t.count; i++) {
        CHECK(crn_hcdps_region(index, t.nodes[i]) == crn_hcdps_region(index, from),
              "%s: the climb from %u to %u leaves its region", text, from, to);
    }
    free(t.nodes);
}

static inline void check_record(const char *text, const cairn_planner *planner, cairn_node from,
                                const uint32_t *subgoals, const uint32_t ends[2])
{
    trail t = {0};
    for (uint32_t i = ends[0]; i < ends[1]; from = subgoals[i++]) {
        CHECK(slow_climb(map_of(planner), from, subgoals[i], index_of(planner)->cutoff, &t),
              "%s: subgoal %u cannot be climbed to from %u", text, subgoals[i], from);
    }
    free(t.nodes);
}

/* All subgoals of a link, and the representative that it leads to. */
static inline trail record_of(const crn_hcdps *index, uint32_t region, uint32_t slot)
{
    crn_hcdps_link link = crn_hcdps_link_at(index, region, slot);
    cairn_node node = crn_hcdps_home(index, region);
    trail t = {0};
    while (crn_hcdps_subgoal(index, &link.read, link.end, &node)) trail_add(&t, node);
    trail_add(&t, crn_hcdps_home(index, link.region));
    return t;
}

/* All records that begin in a region. */
static inline void check_records_of(const char *text, const cairn_planner *planner, uint32_t region)
{
    const crn_hcdps *index = index_of(planner);
    for (uint32_t k = 0; k < crn_hcdps_links(index, region); k++) {
        trail t = record_of(index, region, k);
        const uint32_t ends[2] = {0, (uint32_t)t.count};
        check_record(text, planner, crn_hcdps_home(index, region), t.nodes, ends);
        free(t.nodes);
    }
}

static inline void check_records(const char *text, const cairn_planner *planner)
{
    const crn_hcdps *index = index_of(planner);
    uint32_t regions = crn_hcdps_regions(index);
    for (uint32_t i = 0; i < regions && index->exact; i++) check_records_of(text, planner, i);
    if (!index->arrays[CRN_HCDPS_PAIRS].count) return;
    const uint32_t *at = crn_hcdps_items(index, CRN_HCDPS_PAIR_FIRST);
    for (size_t i = 0; i < (size_t)regions * regions; i++) {
        check_record(text, planner, crn_hcdps_home(index, (uint32_t)(i / regions)),
                     crn_hcdps_items(index, CRN_HCDPS_PAIRS), at + i);
    }
}

/* From each region to each other one: if there is a path, following the rows gets there. */
static inline void check_chains(const char *text, const cairn_planner *planner, bool near)
{
    const crn_hcdps *index = index_of(planner);
    const cairn_space *space = cairn_planner_space(planner);
    uint32_t regions = crn_hcdps_regions(index);
    for (uint32_t to = 0; to < regions; to++) {
        for (uint32_t from = 0; from < regions; from++) {
            uint32_t at = from, hops = 0, link = 0;
            while (at != to && hops++ <= regions) {
                link = crn_hcdps_next(index, at, to, near);
                if (link == UINT32_MAX) break;
                at = crn_hcdps_link_at(index, at, link).region;
            }
            CHECK(hops <= regions, "%s: from %u to %u in circles", text, from, to);
            bool may = may_reach(space, crn_hcdps_home(index, from), crn_hcdps_home(index, to));
            CHECK(at == to ? may : !may || cairn_space_directed(space), "%s: from region %u to %u",
                  text, from, to);
        }
    }
}

static inline void check_all(const char *text, const cairn_planner *planner)
{
    const crn_hcdps *index = index_of(planner);
    const cairn_space *space = cairn_planner_space(planner);
    for (cairn_node node = 0; node < cairn_space_node_count(space); node++) {
        if (!cairn_space_usable(space, node)) continue;
        cairn_node home = crn_hcdps_home(index, crn_hcdps_region(index, node));
        check_inside(text, planner, node, home);
        check_inside(text, planner, home, node);
    }
    check_records(text, planner);
    check_chains(text, planner, false);
    check_chains(text, planner, true);
}

/* ---- walks ------------------------------------------------------------------------------- */

/* Follows cairn_planner_next. It never comes back to a cell. */
static inline uint64_t walk_without_memory(const char *text, const cairn_planner *planner,
                                           cairn_node from, cairn_node to)
{
    const cairn_space *space = cairn_planner_space(planner);
    bool *seen = calloc(cairn_space_node_count(space), sizeof *seen);
    uint64_t cost = 0;
    if (!seen) abort();
    while (from != to) {
        cairn_node next;
        CHECK(!seen[from], "%s: twice at %u on the way to %u", text, from, to);
        seen[from] = true;
        CHECK_STATUS(cairn_planner_next(planner, from, to, &next), CAIRN_FOUND);
        cairn_cost step = cairn_space_step_cost(space, from, next);
        CHECK(step != CAIRN_NO_COST, "%s: no step from %u to %u", text, from, next);
        cost += step;
        from = next;
    }
    free(seen);
    return cost;
}

/* Each move is made by a copy of the agent, as if it had been stored and read again. */
static inline uint64_t walk_with_cursor(const char *text, const cairn_planner *planner,
                                        cairn_node from, cairn_node to, trail *t)
{
    const cairn_space *space = cairn_planner_space(planner);
    cairn_agent agent;
    uint64_t cost = 0, left = 4 * (uint64_t)cairn_space_node_count(space);
    CHECK_STATUS(cairn_planner_walk(planner, from, to, &agent), CAIRN_FOUND);
    t->count = 0;
    trail_add(t, from);
    while (agent.at != to) {
        uint8_t stored[sizeof agent];
        cairn_node before = agent.at;
        memcpy(stored, &agent, sizeof agent);
        memset(&agent, 0xa5, sizeof agent);
        memcpy(&agent, stored, sizeof agent);
        CHECK(left--, "%s: from %u to %u it never arrives", text, from, to);
        CHECK_STATUS(cairn_planner_move(planner, &agent), CAIRN_FOUND);
        cairn_cost step = cairn_space_step_cost(space, before, agent.at);
        CHECK(step != CAIRN_NO_COST, "%s: no step from %u to %u", text, before, agent.at);
        cost += step;
        trail_add(t, agent.at);
    }
    CHECK_STATUS(cairn_planner_move(planner, &agent), CAIRN_FOUND);
    assert_int_equal(agent.at, to);
    return cost;
}

#endif
