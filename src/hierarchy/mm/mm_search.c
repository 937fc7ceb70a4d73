/* mm_search.c: a search of `mm` or of `dbastar`: which regions the ends lie in, the path from
 * region to region, level by level, and from centre to centre. See mm.c, and dbastar.c for stored
 * paths. */
#include "hierarchy/mm/mm_search.h"
#include "hierarchy/mm/mm_view.h"
#include "search/nodes.h"
#include "search/path_builder.h"

enum { MM_READ = 256 };   /* nodes of a route for a unit of work */
enum { MM_DOORS = 2048 }; /* doors that are tested */
enum { MM_WALK = 256 };   /* steps of a stored path */

/* What a query goes through. Levels on which start and goal lie in the same region are left out,
 * and those above. */
typedef enum mm_phase {
    MM_FIND_START, /* flooding the start's sector */
    MM_FIND_GOAL,  /* ... and the goal's */
    MM_SEARCH,     /* a level: the whole path, or a piece of it */
    MM_REFINE,
    MM_SMOOTH
} mm_phase;

/* Regions of a level, from the start's on. */
typedef struct mm_route {
    crn_nodes nodes;
    size_t next;   /* the one to be aimed at */
    bool complete; /* it ends in the goal's region */
} mm_route;

typedef struct mm_search {
    crn_builder builder;
    cairn_search *search;
    const crn_mm *mm;
    uint32_t ahead, trim; /* the planner's parameters */
    uint32_t detour;
    /* Stored paths: the path so far ends on the one from the region before the next of the route to
     * that, behind this many of its steps. */
    bool follows;
    uint32_t followed;
    /* Where they meet: what is searched if it is a detour begins behind this many nodes of the path
     * (0 = there is no such place), and is being searched up to a cell. */
    size_t joint;
    bool joins;
    cairn_node joint_end;
    crn_mm_view views[CRN_MM_LEVELS];
    crn_subsearch levels[CRN_MM_LEVELS], ground;
    crn_metric_gates gates; /* of the level that is being searched */
    crn_grid_space *plain;  /* the ground without links, if there are some, ... */
    uint64_t version;       /* ... as it was then */
    crn_mm_scan scan;       /* finds the link that the piece being refined leads to */
    crn_flood flood;
    mm_phase phase;
    bool linked;       /* the copy is what is searched */
    bool begun;        /* the phase's own search has begun */
    bool reading;      /* it is over, and its path is being read: ... */
    cairn_node cursor; /* ... from here back ... */
    size_t known;      /* ... to what was known before */
    uint32_t level;    /* the one that is being searched */
    uint32_t top;      /* the highest one that is searched */
    mm_route routes[CRN_MM_LEVELS];
    bool last;                         /* the piece that is being refined leads to the goal */
    cairn_node ends[CRN_MM_LEVELS][2]; /* regions of start and goal */
    crn_mm_note notes[];               /* of the views, one after the other */
} mm_search;

static size_t mm_scratch_bytes(const crn_mm *mm)
{
    return sizeof(mm_search) + mm->level_count * CRN_MM_NOTES * sizeof(crn_mm_note);
}

static mm_search *mm_of(const cairn_search *search)
{
    return search->scratch;
}

void crn_mm_search_close(cairn_search *search)
{
    mm_search *s = search->scratch;
    if (!s) return;
    for (uint32_t i = 0; i < CRN_MM_LEVELS; i++) {
        crn_subsearch_close(&s->levels[i]);
        crn_nodes_close(&s->routes[i].nodes, &search->memory);
    }
    crn_subsearch_close(&s->ground);
    crn_scratch_free(&search->memory, s->plain, sizeof *s->plain);
    crn_builder_close(&s->builder);
    crn_scratch_free(&search->memory, s, mm_scratch_bytes(s->mm));
}

/* Pieces between regions need no links: those are edges of the route. */
static cairn_status mm_open_ground(mm_search *s)
{
    cairn_space *space = s->search->planner->space;
    crn_scratch *memory = &s->search->memory;
    crn_subsearch_close(&s->ground);
    memset(&s->ground, 0, sizeof s->ground);
    s->linked = crn_grid_space_of(space)->links.count;
    if (s->linked && !s->plain) s->plain = crn_scratch_alloc(memory, sizeof *s->plain);
    if (s->linked && !s->plain) return CAIRN_OUT_OF_MEMORY;
    if (s->linked) {
        crn_grid_space_copy(s->plain, crn_grid_space_of(space));
        s->plain->links.count = s->plain->links.shortcut_count = 0;
        s->plain->base.max_edge = s->plain->base.max_step;
        space = &s->plain->base;
    }
    cairn_status status = crn_subsearch_open(&s->ground, memory, s->search, space, 0);
    if (status == CAIRN_OK) s->version = cairn_space_version(space);
    if (status != CAIRN_OK) crn_subsearch_close(&s->ground); /* what is half open is not open */
    return status;
}

/* After a commit. */
static cairn_status mm_renew_ground(mm_search *s)
{
    const cairn_space *space = s->search->planner->space;
    if (CRN_LIKELY(s->version == cairn_space_version(space))) return CAIRN_OK;
    if (s->linked || !s->ground.search.planner || crn_grid_space_of(space)->links.count)
        return mm_open_ground(s);
    s->version = cairn_space_version(space);
    return CAIRN_OK;
}

cairn_status crn_mm_search_open(cairn_search *search)
{
    size_t bytes = mm_scratch_bytes(search->planner->index);
    mm_search *s = crn_scratch_alloc(&search->memory, bytes);
    if (!s) return CAIRN_OUT_OF_MEMORY;
    memset(s, 0, bytes);
    search->scratch = s;
    s->search = search;
    s->mm = search->planner->index;
    int64_t ahead = 1, detour = 0; /* each is one of `mm` or of `dbastar` */
    crn_parameter(search->planner, "ahead", &ahead);
    crn_parameter(search->planner, "detour", &detour);
    s->ahead = (uint32_t)ahead;
    s->detour = (uint32_t)detour;
    s->trim = crn_parameter_of(search->planner, "trim");
    const crn_grid_space *map = crn_grid_space_of(search->space);
    crn_builder_open(&s->builder, search);
    cairn_status status = mm_open_ground(s);
    for (uint32_t i = 0; i < s->mm->level_count && status == CAIRN_OK; i++) {
        crn_mm_view_open(&s->views[i], s->mm, map, i, s->notes + i * CRN_MM_NOTES);
        status =
            crn_subsearch_open(&s->levels[i], &search->memory, search, &s->views[i].base, i + 1);
    }
    return status; /* the caller closes what is open */
}

static void mm_enter(mm_search *s, mm_phase phase)
{
    s->phase = phase;
    s->begun = s->reading = false;
    s->scan = (crn_mm_scan){.at = (uint32_t)s->routes[0].next};
}

/* Something is inconsistent, which only a wrong file can cause: A* finds the rest. */
static void mm_go_straight(mm_search *s)
{
    s->routes[0].nodes.count = s->routes[0].next = 0;
    s->routes[0].complete = true;
    s->joins = false;
    mm_enter(s, MM_REFINE);
}

cairn_status crn_mm_search_begin(cairn_search *search)
{
    mm_search *s = mm_of(search);
    crn_search_announce(search, 0);
    cairn_status status = mm_renew_ground(s);
    if (status != CAIRN_OK) return status;
    crn_subsearch_rest(&s->ground);
    for (uint32_t i = 0; i < s->mm->level_count; i++) {
        crn_mm_view_refresh(&s->views[i]);
        crn_subsearch_rest(&s->levels[i]);
        s->routes[i].nodes.count = s->routes[i].next = 0;
        s->routes[i].complete = false;
    }
    s->last = s->follows = s->joins = false;
    s->joint = 0;
    status = crn_builder_begin(&s->builder, search->query.from);
    if (status != CAIRN_OK) return status;
    if (search->query.from == search->goals[0]) {
        search->metrics.generated = 1;
        return crn_builder_found(search, true);
    }
    mm_enter(s, MM_FIND_START);
    return CAIRN_RUNNING;
}

/* ---- which region is it? ---- */

/* Both ends are known on the levels up to this one. */
static void mm_search_from(mm_search *s, uint32_t top)
{
    s->top = s->level = top;
    mm_enter(s, MM_SEARCH);
}

/* Finds the ends on the levels above: up to the one that has few regions. Ends earlier where both
 * ends lie in the same region, or one in none: nothing leads out of what is connected below, so the
 * goal lies in there as well. */
static void mm_lift(mm_search *s)
{
    const crn_mm *mm = s->mm;
    uint32_t top = 0;
    while (top + 1 < mm->level_count && mm->levels[top].passed > mm->few) {
        cairn_node start = crn_mm_above(mm, top, s->ends[top][0]),
                   goal = crn_mm_above(mm, top, s->ends[top][1]);
        if (start == CAIRN_NO_NODE || goal == CAIRN_NO_NODE || start == goal) break;
        top++;
        s->ends[top][0] = start;
        s->ends[top][1] = goal;
        crn_mm_view_place(&s->views[top], 0, start, s->search->query.from);
        crn_mm_view_place(&s->views[top], 1, goal, s->search->goals[0]);
    }
    mm_search_from(s, top);
}

static void mm_found_region(mm_search *s, uint32_t end, cairn_node cell, cairn_node region)
{
    s->ends[0][end] = region;
    if (region == CAIRN_NO_NODE || (end && region == s->ends[0][0])) {
        mm_go_straight(s);
        return;
    }
    crn_mm_view_place(&s->views[0], end, region, cell);
    if (end) {
        mm_lift(s);
    } else {
        mm_enter(s, MM_FIND_GOAL);
    }
}

static cairn_status mm_find(mm_search *s, uint64_t *work)
{
    uint32_t end = s->phase == MM_FIND_GOAL;
    const crn_grid_space *map = crn_grid_space_of(s->search->space);
    cairn_node cell = end ? s->search->goals[0] : s->search->query.from;
    uint32_t x = cell % map->grid->width, y = cell / map->grid->width, side = s->mm->side;
    uint32_t sector = crn_mm_sector_of_cell(s->mm, map, cell);
    if (!s->begun) {
        crn_flood_open_begin(&s->flood, map, crn_mm_area(s->mm, map, sector));
        s->begun = true;
    }
    bool done = false;
    for (; *work && !done; --*work) {
        bool read = s->flood.read == s->flood.area.height;
        s->search->metrics.work++;
        if (!read && !crn_flood_open_on(&s->flood, map)) continue;
        if (!read) crn_flood_begin(&s->flood, x % side, y % side);
        done = crn_flood_sweep(&s->flood);
    }
    if (done) mm_found_region(s, end, cell, crn_mm_flooded(s->mm, &s->flood, sector));
    return CAIRN_RUNNING;
}

/* ---- from region to region ---- */

/* Appends the path that a search of a level found: all nodes after the end of the route, or at the
 * beginning the first one too. They are read from the last one on, some with each unit of work, and
 * reversed at the end. */
static cairn_status mm_extend(mm_search *s, uint32_t level, uint64_t *work)
{
    crn_nodes *route = &s->routes[level].nodes;
    cairn_node end = s->known ? route->items[s->known - 1] : CAIRN_NO_NODE;
    for (; *work && s->cursor != end; --*work) {
        s->search->metrics.work++;
        for (uint32_t i = 0; i < MM_READ && s->cursor != end; i++) {
            if (!crn_nodes_push(route, &s->search->memory, s->cursor)) return CAIRN_OUT_OF_MEMORY;
            s->cursor = crn_subsearch_before(&s->levels[level], s->cursor);
        }
    }
    if (s->cursor != end) return CAIRN_RUNNING;
    for (size_t i = s->known, k = route->count; i + 1 < k; i++, k--) {
        cairn_node node = route->items[i];
        route->items[i] = route->items[k - 1];
        route->items[k - 1] = node;
    }
    return CAIRN_OK;
}

static cairn_node mm_target_cell(const mm_search *s, uint32_t level, cairn_node node)
{
    if (node == s->ends[level][1]) return s->search->goals[0];
    const crn_mm_level *l = &s->mm->levels[level];
    uint32_t sector = crn_mm_sector_of(l, node);
    return crn_mm_cell(s->mm, crn_grid_space_of(s->search->space), level, sector,
                       node - l->first[sector]);
}

/* Searches a level and extends its route: CAIRN_OK when that is done. */
static cairn_status mm_search_level(mm_search *s, uint32_t level, cairn_node from, cairn_node to,
                                    uint64_t *work)
{
    if (s->reading) return mm_extend(s, level, work);
    cairn_status status = CAIRN_RUNNING;
    if (!s->begun) {
        crn_mm_view_aim(&s->views[level], to, mm_target_cell(s, level, to), &s->gates);
        status = crn_subsearch_begin(&s->levels[level], from, to);
    }
    bool first = !s->begun && s->views[level].gates;
    s->begun = true;
    if (first && status == CAIRN_RUNNING) { /* finding the gates was enough for a unit */
        s->search->metrics.work++;
        --*work;
        return status;
    }
    if (status == CAIRN_RUNNING) status = crn_subsearch_step(&s->levels[level], work);
    if (status != CAIRN_FOUND) return status;
    s->reading = true;
    s->known = s->routes[level].nodes.count;
    s->cursor = to;
    return mm_extend(s, level, work);
}

/* So many centres of the level above ahead aims a level: far enough for good paths on level 1,
 * which is walked, and less on the others, for the first steps wait for all of them. */
static uint32_t mm_far(uint32_t level)
{
    return level ? 2 : 3;
}

/* Returns the target on a level: a centre of the level above, if there is one so far ahead.
 * CAIRN_NO_NODE: more of the path there must be known first. */
static cairn_node mm_search_aim(const mm_search *s, uint32_t level)
{
    if (level == s->top) return s->ends[level][1];
    const mm_route *above = &s->routes[level + 1];
    if (above->next + mm_far(level) >= above->nodes.count)
        return above->complete ? s->ends[level][1] : CAIRN_NO_NODE;
    cairn_node node = above->nodes.items[above->next + mm_far(level)];
    const crn_mm_level *upper = &s->mm->levels[level + 1];
    uint32_t sector = crn_mm_sector_of(upper, node);
    return crn_mm_lower(s->mm, level + 1, sector, node - upper->first[sector]);
}

/* A level's path is known up to its target. */
static void mm_searched(mm_search *s, bool complete)
{
    const uint32_t level = s->level;
    mm_route *route = &s->routes[level];
    route->complete = complete;
    if (!complete)
        route->nodes.count -= (route->nodes.count - s->known) * (mm_far(level) - 1) / mm_far(level);
    if (level < s->top) s->routes[level + 1].next++;
    if (!s->known && !level) route->next = 1;
    if (level) s->level--;
    mm_enter(s, level ? MM_SEARCH : MM_REFINE);
}

/* The highest level may lack a region that only links lead to; level 1 has all of them. Where there
 * are links, or steps lead one way, it is right when it says that there is no path. */
static cairn_status mm_search_failed(mm_search *s, cairn_status status)
{
    bool begun = s->builder.given || s->builder.count > 1;
    if (!s->mm->doors[0].count && !s->mm->levels[0].one_way) {
        mm_go_straight(s);
    } else if (begun || !s->top || status != CAIRN_UNREACHABLE) {
        return begun && status == CAIRN_UNREACHABLE ? CAIRN_STALE : status;
    } else {
        s->routes[0].nodes.count = 0;
        mm_search_from(s, 0);
    }
    return CAIRN_RUNNING;
}

static cairn_status mm_search_on(mm_search *s, uint64_t *work)
{
    const crn_nodes *route = &s->routes[s->level].nodes;
    size_t count = s->reading ? s->known : route->count;
    cairn_node from = count ? route->items[count - 1] : s->ends[s->level][0],
               to = mm_search_aim(s, s->level);
    if (to == CAIRN_NO_NODE) {
        s->level++;
        mm_enter(s, MM_SEARCH);
        return CAIRN_RUNNING;
    }
    cairn_status status = mm_search_level(s, s->level, from, to, work);
    if (status == CAIRN_RUNNING || status == CAIRN_OUT_OF_MEMORY) return status;
    if (status == CAIRN_OK) {
        mm_searched(s, to == s->ends[s->level][1]);
        return CAIRN_RUNNING;
    }
    return mm_search_failed(s, status);
}

/* ---- from centre to centre ---- */

/* Looks for a link on the route up to where the next piece leads: then the piece ends at it. False:
 * the rest is another unit of work. */
static bool mm_refine_scan(mm_search *s)
{
    const crn_nodes *route = &s->routes[0].nodes;
    size_t end = s->routes[0].next + s->ahead;
    uint32_t left = MM_DOORS;
    if (CRN_LIKELY(!s->mm->doors[0].count)) return true;
    for (; s->scan.at < end && s->scan.at < route->count; s->scan.at++) {
        if (!crn_mm_view_link_on(&s->views[0], &route->items[s->scan.at - 1], &s->scan, &left))
            return false;
        if (s->scan.link) return true;
        s->scan.tested = 0;
    }
    return true;
}

/* Returns the stored path to a region of the route from the one before it. There is none to the
 * goal's, which the path enters elsewhere, and where a link is used. */
static crn_mm_path mm_stored_path(const mm_search *s, size_t at)
{
    const mm_route *route = &s->routes[0];
    if (s->scan.link || at + route->complete >= route->nodes.count) return (crn_mm_path){0};
    return crn_mm_path_between(s->mm, route->nodes.items[at - 1], route->nodes.items[at]);
}

/* Is the goal in the region after this one of the route, so that the path leaves out its centre?
 * Links begin at centres. */
static bool mm_stored_ends(const mm_search *s, size_t at)
{
    return s->routes[0].complete && at + 2 >= s->routes[0].nodes.count && !s->mm->doors[0].count;
}

/* A piece to the path behind a centre leads past it: to the cell where the path is joined. */
static cairn_node mm_stored_join(mm_search *s, size_t at, cairn_node cell)
{
    uint8_t steps[MM_WALK];
    s->followed = 0;
    if (s->mm->doors[0].count) return cell;
    crn_mm_path path = mm_stored_path(s, at + 1);
    uint32_t length = crn_mm_path_length(&path) * s->trim / 100;
    s->followed = crn_mm_path_steps(&path, 0, steps, crn_min_u32(length, MM_WALK));
    for (uint32_t i = 0; i < s->followed; i++)
        cell = (cairn_node)(cell + s->builder.offset[steps[i]]);
    return cell;
}

/* Returns the cell that the next piece leads to; CAIRN_NO_NODE if more of the route must be known
 * first. */
static cairn_node mm_refine_aim(mm_search *s)
{
    const crn_nodes *route = &s->routes[0].nodes;
    size_t target = s->routes[0].next + s->ahead - 1;
    s->last = false;
    if (s->scan.link) return s->scan.link->from;
    s->last = s->routes[0].complete && target + 1 >= route->count;
    if (s->mm->stored && mm_stored_ends(s, target)) s->last = true;
    if (s->last) return s->search->goals[0];
    if (target >= route->count) return CAIRN_NO_NODE;
    const crn_mm_level *level = &s->mm->levels[0];
    uint32_t sector = crn_mm_sector_of(level, route->items[target]);
    cairn_node cell = crn_mm_cell(s->mm, crn_grid_space_of(s->search->space), 0, sector,
                                  route->items[target] - level->first[sector]);
    return s->mm->stored ? mm_stored_join(s, target, cell) : cell;
}

/* The path is ready if the piece was the last one, or it is long enough. */
static cairn_status mm_refined_on(mm_search *s)
{
    mm_enter(s, MM_REFINE);
    if (!s->last && !crn_builder_suffices(&s->builder)) return CAIRN_RUNNING;
    cairn_status status = crn_builder_deliver(s->search, s->last, false);
    if (status == CAIRN_RUNNING) s->phase = MM_SMOOTH;
    return status;
}

/* The piece is found. */
static cairn_status mm_refined(mm_search *s, cairn_node to)
{
    crn_builder *builder = &s->builder;
    size_t before = builder->count;
    cairn_status status = crn_builder_append(builder, &s->ground, to);
    if (status != CAIRN_OK) return status;
    crn_builder_use_links(builder, before);
    if (s->scan.link) {
        status = crn_builder_step(builder, s->scan.link->to); /* a step there may be cheaper */
        if (status != CAIRN_OK) return status;
    } else if (!s->last && !s->mm->stored) {
        crn_builder_trim(builder, before,
                         builder->count - (builder->count - before) * s->trim / 100);
    }
    s->follows = s->mm->stored && !s->scan.link;
    s->joint = 0;
    s->routes[0].next = s->scan.link ? s->scan.at + 1 : s->routes[0].next + s->ahead;
    return mm_refined_on(s);
}

/* A search that ends at once must count as a search. */
static cairn_status mm_refine_begin(mm_search *s, cairn_node to)
{
    cairn_node from = crn_builder_end(&s->builder);
    return from == to ? crn_subsearch_begin(&s->ground, from, to)
                      : crn_subsearch_begin_again(&s->ground, from, to);
}

/* Is the path from the joint on longer than it may be? */
static bool mm_is_detour(const mm_search *s)
{
    const crn_builder *builder = &s->builder;
    const cairn_space *space = s->search->space;
    int32_t ax, ay, bx, by;
    crn_abstract_position(space, builder->nodes[s->joint - 1], &ax, &ay);
    crn_abstract_position(space, crn_builder_end(builder), &bx, &by);
    uint64_t apart = crn_metric_distance(s->views[0].metric, ax, ay, bx, by),
             cost = builder->costs[builder->count - 1] - builder->costs[s->joint - 1];
    return cost * 100 > apart * (100 + s->detour);
}

/* The path has passed a joint: if that is a detour, it is cut off and searched. */
static void mm_pass_joint(mm_search *s)
{
    if (mm_is_detour(s)) {
        s->joint_end = crn_builder_end(&s->builder);
        crn_builder_trim(&s->builder, s->joint - 1, s->joint);
        s->joins = crn_builder_end(&s->builder) != s->joint_end;
    }
    s->joint = 0;
}

/* A stored path is walked up to its end, or to where the last piece begins. Else the joint with the
 * next one begins before that, unless links are in the way, and so does the next piece of a path
 * that is long enough. */
static cairn_status mm_walked(mm_search *s, uint32_t end, uint32_t back)
{
    size_t count = s->builder.count;
    bool joins = !s->mm->doors[0].count && !mm_stored_ends(s, s->routes[0].next);
    s->joint = !joins ? 0 : count > back ? count - back : 1;
    if (s->search->query.piece && s->joint > s->search->query.piece) {
        s->followed = end - (uint32_t)(count - s->joint);
        crn_builder_trim(&s->builder, s->joint - 1, s->joint);
        s->joint = 0;
        return mm_refined_on(s);
    }
    s->followed = 0;
    s->routes[0].next++;
    if (!s->joint) return mm_refined_on(s);
    mm_enter(s, MM_REFINE);
    return CAIRN_RUNNING;
}

/* Appends some steps of a stored path, up to its end or to where the last piece begins. */
static cairn_status mm_walk_stored(mm_search *s, const crn_mm_path *path, uint64_t *work)
{
    uint8_t steps[MM_WALK];
    uint32_t length = crn_mm_path_length(path), off = length * s->trim / 100, end = length;
    size_t before = s->builder.count;
    if (mm_stored_ends(s, s->routes[0].next)) end = crn_max_u32(length - off, s->followed);
    uint32_t stop = s->joint ? crn_min_u32(off, end) : end,
             count = crn_mm_path_steps(path, s->followed, steps,
                                       crn_min_u32(stop - s->followed, MM_WALK));
    cairn_status status = crn_builder_walk(&s->builder, steps, count);
    if (status != CAIRN_OK) return status;
    crn_builder_use_links(&s->builder, before);
    crn_builder_tell(&s->builder, before - 1);
    --*work, s->search->metrics.work++;
    s->followed += count;
    if (s->followed < stop) return CAIRN_RUNNING;
    if (s->joint) mm_pass_joint(s);
    return s->joins || s->followed < end ? CAIRN_RUNNING : mm_walked(s, end, off);
}

/* The joint is searched. */
static cairn_status mm_joined(mm_search *s)
{
    size_t before = s->builder.count;
    cairn_status status = crn_builder_append(&s->builder, &s->ground, s->joint_end);
    if (status != CAIRN_OK) return status;
    crn_builder_use_links(&s->builder, before);
    s->joins = false;
    mm_enter(s, MM_REFINE);
    return CAIRN_RUNNING;
}

static cairn_status mm_refine(mm_search *s, uint64_t *work)
{
    if (!s->begun && !mm_refine_scan(s)) {
        --*work, s->search->metrics.work++;
        return CAIRN_RUNNING;
    }
    if (!s->begun && s->follows && !s->joins) {
        crn_mm_path path = mm_stored_path(s, s->routes[0].next);
        if (path.count) return mm_walk_stored(s, &path, work);
    }
    cairn_node to = s->begun ? s->ground.goal : s->joins ? s->joint_end : mm_refine_aim(s);
    if (to == CAIRN_NO_NODE) {
        s->level = 0;
        mm_enter(s, MM_SEARCH);
        return CAIRN_RUNNING;
    }
    cairn_status status = s->begun ? CAIRN_RUNNING : mm_refine_begin(s, to);
    if (status == CAIRN_FOUND) --*work, s->search->metrics.work++; /* ends where it begins */
    s->begun = true;
    if (status == CAIRN_RUNNING) status = crn_subsearch_step(&s->ground, work);
    if (status == CAIRN_FOUND) return s->joins ? mm_joined(s) : mm_refined(s, to);
    if (status != CAIRN_UNREACHABLE || s->last) return status;
    mm_go_straight(s);
    return CAIRN_RUNNING;
}

static cairn_status mm_straighten(mm_search *s, uint64_t *work)
{
    cairn_status status = crn_builder_smooth_step(&s->builder, work);
    if (status != CAIRN_OK) return status;
    mm_enter(s, MM_REFINE);
    return crn_builder_found(s->search, s->last);
}

/* ---- steps ---- */

static cairn_status mm_phase_step(mm_search *s, uint64_t *work)
{
    switch (s->phase) {
    case MM_FIND_START:
    case MM_FIND_GOAL: return mm_find(s, work);
    case MM_SEARCH: return mm_search_on(s, work);
    case MM_REFINE: return mm_refine(s, work);
    default: return mm_straighten(s, work);
    }
}

/* Called after every phase, so that the peak does not depend on how the work is sliced. */
static void mm_note_bytes(mm_search *s)
{
    uint64_t bytes = mm_scratch_bytes(s->mm) + crn_builder_bytes(&s->builder) + s->ground.peak;
    for (uint32_t i = 0; i < s->mm->level_count; i++) {
        bytes += s->levels[i].peak + s->routes[i].nodes.count * sizeof(cairn_node);
    }
    if (bytes > s->search->metrics.peak_bytes) s->search->metrics.peak_bytes = bytes;
}

cairn_status crn_mm_search_step(cairn_search *search, uint64_t work)
{
    mm_search *s = mm_of(search);
    cairn_status status = CAIRN_RUNNING;
    while (work && status == CAIRN_RUNNING) {
        status = mm_phase_step(s, &work);
        mm_note_bytes(s);
    }
    /* A path that is not the cheapest may cost more than 32 bits hold; and only a wrong file can be
     * the cause of there being none on the ground. */
    bool failed =
        status == CAIRN_COST_OVERFLOW || (status == CAIRN_UNREACHABLE && s->phase == MM_REFINE);
    if (failed && !s->builder.given) return crn_search_delegate(search);
    return failed && status == CAIRN_UNREACHABLE ? CAIRN_STALE : status;
}

cairn_status crn_mm_search_next(cairn_search *search)
{
    mm_search *s = mm_of(search);
    crn_builder_next(&s->builder);
    return CAIRN_RUNNING;
}
