/* hcdps.c: hill climbing and dynamic programming search (HCDPS).
 *
 * The map, a grid or a graph, is cut into regions in which simple hill climbing leads from every
 * cell to the region's representative and back. Paths between representatives of regions that are
 * near each other are searched once, compressed to subgoals of which each can be climbed to from
 * the one before, and dynamic programming finds which of these paths to take from each region to
 * each other one. Then a walker needs no search and no memory: it climbs from subgoal to subgoal.
 * Agents share the index, which is read only and can be mapped from a file.
 *
 * - Complete: there is a record for every two regions that are connected, and every climb has been
 *   tried when the index was built. realtime/climb.h has the one order of ties for both.
 * - Not optimal. Depth (how many regions apart paths are searched exactly) and looking ahead
 *   (hcdps_search.c) decide how much longer paths are.
 * - After edits the index is repaired (hcdps_repair.c).
 * - cairn_planner_next needs neither a search nor a cursor (hcdps_move.c).
 * - Queries where ground differs in cost, heights matter or links lead elsewhere, and on graphs
 *   with edges that cannot be walked back for the same cost, are delegated to A*. Where ground
 *   differs in cost, agents and single moves are refused: climbs know of no costs, and a walk might
 *   lead through any swamp. Elsewhere they are legal and lead to the goal.
 *
 * Sources: Lawrence and Bulitko, "Taking Learning out of Real-Time Heuristic Search for
 * Video-Game Pathfinding", 2010. Beyond it: regions are closed (hcdps_index.h), next links instead
 * of N² records, looking ahead between subgoals, moves without a cursor.
 */
#include "realtime/hcdps/hcdps_agent.h"
#include "realtime/hcdps/hcdps_navigator.h"
#include "realtime/hcdps/hcdps_search.h"

enum { HCDPS_OFF, HCDPS_ON };
enum { HCDPS_PAIRS, HCDPS_NEXT };
/* Nodes of a graph are numbered in any order: runs are short, and blocks must be so too. */
enum { HCDPS_CUTOFF_MAX = 500, HCDPS_DEPTH_MAX = 5, HCDPS_GRAPH_BLOCK = 64 };
static const char *const hcdps_switch[] = {"off", "on", NULL};
static const char *const hcdps_records[] = {"pairs", "next", NULL};
static const char *const hcdps_loops[] = {"keep", "remove", NULL};

#define HCDPS_SWITCH(name, summary) \
    { \
        name, summary, CAIRN_PARAMETER_CHOICE, HCDPS_OFF, HCDPS_ON, HCDPS_ON, hcdps_switch \
    }

static const cairn_parameter hcdps_parameters[] = {
    {"depth", "paths between representatives up to so many regions apart are the cheapest",
     CAIRN_PARAMETER_INTEGER, 1, HCDPS_DEPTH_MAX, 1, NULL},
    {"records", "a record for every pair of regions, or the next link of each",
     CAIRN_PARAMETER_CHOICE, HCDPS_PAIRS, HCDPS_NEXT, HCDPS_NEXT, hcdps_records},
    {"cutoff", "most steps of a climb", CAIRN_PARAMETER_INTEGER, 4, HCDPS_CUTOFF_MAX, 250, NULL},
    {"spacing", "cells, or edges, between the seeds of regions; 0 = by the size of the map",
     CAIRN_PARAMETER_INTEGER, 0, HCDPS_CUTOFF_MAX, 0, NULL},
    {"k", "cells between two entries of the table of regions; of graphs 64 at most",
     CAIRN_PARAMETER_INTEGER, 1, CRN_HCDPS_BLOCK, 1000, NULL},
    HCDPS_SWITCH("direct", "climb to the goal from the start, if possible"),
    HCDPS_SWITCH("first", "climb to the first subgoal from the start, if possible"),
    HCDPS_SWITCH("last", "climb to the goal from the last subgoal, if possible"),
    {"ahead", "records=next: try so many of the next subgoals, again and again",
     CAIRN_PARAMETER_INTEGER, 0, 16, 4, NULL},
    {"loops", "of paths: kept as they were walked, or removed", CAIRN_PARAMETER_CHOICE, 0, 1, 1,
     hcdps_loops},
};

/* Small regions make shorter paths; large ones a smaller index. */
static uint32_t hcdps_spacing(const cairn_planner *planner)
{
    uint32_t spacing = crn_parameter_of(planner, "spacing"), nodes = planner->space->node_count;
    if (spacing) return spacing;
    if (planner->space->world == CAIRN_WORLD_GRAPH)
        return nodes <= 256 * 256 ? 4 : nodes <= 1024 * 512 ? 8 : 16;
    return nodes <= 128 * 128 ? 8 : nodes <= 256 * 256 ? 16 : nodes <= 1024 * 1024 ? 32 : 64;
}

static cairn_status hcdps_create(cairn_planner *planner, cairn_error *error)
{
    const crn_grid_space *map = crn_grid_space_of(planner->space);
    crn_hcdps *index = crn_alloc_zero(planner->space->context, sizeof *index);
    if (!index) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    index->depth = crn_parameter_of(planner, "depth");
    index->cutoff = crn_parameter_of(planner, "cutoff");
    index->every = crn_parameter_of(planner, "k");
    if (!map) index->every = crn_min_u32(index->every, HCDPS_GRAPH_BLOCK);
    index->spacing = hcdps_spacing(planner);
    index->pairs = crn_parameter_of(planner, "records") == HCDPS_PAIRS;
    index->stamp = 2;
    index->width = map ? map->grid->width : 1;
    planner->index = index;
    return CAIRN_OK;
}

static void hcdps_drop(cairn_planner *planner)
{
    crn_hcdps_drop(planner->index, planner->space->context);
}

static void hcdps_destroy(cairn_planner *planner)
{
    hcdps_drop(planner);
    crn_free(planner->space->context, planner->index, sizeof(crn_hcdps));
}

static cairn_status hcdps_build(cairn_planner *planner, const cairn_progress *progress,
                                cairn_error *error)
{
    return crn_hcdps_build(planner->index, planner->space, progress, error);
}

static cairn_status hcdps_repair(cairn_planner *planner, const cairn_progress *progress,
                                 cairn_error *error)
{
    const crn_grid_space *map = crn_grid_space_of(planner->space);
    if (!map) return CAIRN_STALE; /* graphs are built again */
    return crn_hcdps_repair(planner->index, map, planner->built_version, progress, error);
}

static size_t hcdps_bytes(const cairn_planner *planner)
{
    return crn_hcdps_bytes(planner->index);
}

static uint64_t hcdps_work(const cairn_planner *planner)
{
    const crn_hcdps *index = planner->index;
    return index->work;
}

static cairn_status hcdps_save(const cairn_planner *planner, cairn_store *store, cairn_error *error)
{
    return crn_hcdps_save(planner->index, store, error);
}

static cairn_status hcdps_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                               cairn_error *error)
{
    return crn_hcdps_load(planner->index, planner->space, archive, borrow, error);
}

static cairn_status hcdps_next_move(const cairn_planner *planner, cairn_node from, cairn_node to,
                                    cairn_node *next)
{
    const crn_hcdps *index = crn_index_owner(planner)->index;
    const crn_grid_space *map = crn_grid_space_of(planner->space);
    *next = CAIRN_NO_NODE;
    if (map && map->priced) return CAIRN_UNSUPPORTED;
    if (crn_hcdps_move(index, planner->space, from, to, next)) return CAIRN_FOUND;
    *next = CAIRN_NO_NODE;
    return CAIRN_UNREACHABLE;
}

/* ---- agents ---- */

crn_hcdps_agent crn_hcdps_agent_of(const cairn_planner *planner)
{
    crn_hcdps_agent agent = {.ahead = (uint8_t)crn_parameter_of(planner, "ahead")};
    agent.flags = (uint8_t)((crn_parameter_of(planner, "direct") ? CRN_HCDPS_DIRECT : 0) |
                            (crn_parameter_of(planner, "first") ? CRN_HCDPS_FIRST : 0) |
                            (crn_parameter_of(planner, "last") ? CRN_HCDPS_LAST : 0));
    return agent;
}

/* ---- what the index looks like: regions, representatives, records ---- */

static void hcdps_show_areas(const crn_hcdps *index, const cairn_space *space,
                             const cairn_overlay_sink *sink)
{
    for (cairn_node node = 0; node < space->node_count; node++) {
        if (!cairn_space_usable(space, node)) continue;
        cairn_overlay_item item = {.kind = CAIRN_OVERLAY_AREA,
                                   .level = 1,
                                   .node = node,
                                   .group = crn_hcdps_region(index, node)};
        sink->item(sink->user, &item);
    }
    for (uint32_t i = 0; i < crn_hcdps_regions(index); i++) {
        cairn_overlay_item item = {.kind = CAIRN_OVERLAY_NODE, .level = 1, .node = i, .group = i};
        item.from = cairn_space_position(space, crn_hcdps_home(index, i));
        sink->item(sink->user, &item);
    }
}

/* Of the record of a link: its subgoals, numbered after the regions, or the lines between them and
 * the representatives. */
static void hcdps_show_link(const cairn_planner *planner, uint32_t region, crn_hcdps_link link,
                            bool edges, const cairn_overlay_sink *sink)
{
    const crn_hcdps *index = planner->index;
    cairn_overlay_item item = {.kind = edges ? CAIRN_OVERLAY_EDGE : CAIRN_OVERLAY_NODE, .level = 1};
    cairn_node node = crn_hcdps_home(index, region);
    item.to = cairn_space_position(planner->space, node);
    for (bool more = true; more;) {
        uint32_t number = crn_hcdps_regions(index) + link.read;
        more = crn_hcdps_subgoal(index, &link.read, link.end, &node);
        if (!more) node = crn_hcdps_home(index, link.region);
        if (!more && !edges) break;
        item.from = item.to;
        item.to = cairn_space_position(planner->space, node);
        cairn_overlay_item shown = item;
        if (!edges) {
            shown.from = item.to;
            shown.to = (cairn_position){0};
            shown.node = number;
            shown.group = crn_hcdps_region(index, node);
        }
        sink->item(sink->user, &shown);
    }
}

/* Each record in one direction, between regions that touch. */
static void hcdps_show_links(const cairn_planner *planner, bool edges,
                             const cairn_overlay_sink *sink)
{
    const crn_hcdps *index = planner->index;
    for (uint32_t i = 0; i < crn_hcdps_regions(index); i++) {
        uint32_t links = crn_hcdps_links(index, i);
        for (uint32_t k = 0; k < links; k++) {
            crn_hcdps_link link = crn_hcdps_link_at(index, i, k);
            if (link.leave != CAIRN_NO_NODE && link.region > i)
                hcdps_show_link(planner, i, link, edges, sink);
        }
    }
}

static void hcdps_overlay(const cairn_planner *planner, uint32_t level,
                          const cairn_overlay_sink *sink)
{
    if (level > 1) return;
    hcdps_show_areas(planner->index, planner->space, sink);
    hcdps_show_links(planner, false, sink);
    hcdps_show_links(planner, true, sink);
}

#if defined(CAIRN_CHECKS)
static const char *hcdps_checked(const cairn_planner *planner, bool whole)
{
    return crn_hcdps_check(planner->index, planner->space, whole);
}
#endif

static const crn_index_functions hcdps_functions = {
    .format = 2,
    .of_searches = 31u << 5, /* direct, first, last, ahead, loops */
    .build = hcdps_build,
    .drop = hcdps_drop,
    .repair = hcdps_repair,
    .bytes = hcdps_bytes,
    .work = hcdps_work,
    .save = hcdps_save,
    .load = hcdps_load,
    .check = CRN_CHECKED(hcdps_checked),
    .overlay = hcdps_overlay,
};

const crn_algorithm crn_algorithm_hcdps = {
    .info = {.name = "hcdps",
             .aliases = "hill-climbing",
             .summary = "subgoals that hill climbing reaches, from a shared index: no search, the "
                        "next move at once",
             .source = "Lawrence and Bulitko 2010",
             .family = "realtime",
             .flags = CAIRN_TERRAIN | CAIRN_NEEDS_INDEX | CAIRN_REPAIRS | CAIRN_MANY_GOALS |
                      CAIRN_PIECES | CAIRN_NEXT_MOVE,
             .worlds = 1u << CAIRN_WORLD_GRID | 1u << CAIRN_WORLD_GRAPH,
             .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1,
             .corners = (1u << CAIRN_CORNERS_COUNT) - 1,
             .delegates = 1u << CAIRN_FEATURE_TERRAIN | 1u << CAIRN_FEATURE_HEIGHTS |
                          1u << CAIRN_FEATURE_LINKS | 1u << CAIRN_FEATURE_MANY_GOALS,
             .parameters = hcdps_parameters,
             .parameter_count = CRN_COUNT(hcdps_parameters)},
    .create = hcdps_create,
    .destroy = hcdps_destroy,
    .index = &hcdps_functions,
    .open = crn_hcdps_search_open,
    .close = crn_hcdps_search_close,
    .handles = crn_hcdps_search_handles,
    .delegate = "astar",
    .begin = crn_hcdps_search_begin,
    .step = crn_hcdps_search_step,
    .next = crn_hcdps_search_next,
    .next_move = hcdps_next_move,
    .walk = crn_hcdps_walk,
    .navigator = &crn_hcdps_navigator,
    CRN_BUILDER_FUNCTIONS,
};
