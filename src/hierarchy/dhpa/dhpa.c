/* dhpa.c: DHPA*, HPA* whose clusters know the path to each of their nodes.
 *
 * The graph is that of HPA* with one level. Besides, every cluster keeps for each of its nodes the
 * next step towards it from each of its cells (dhpa_index.h). So the ends need not be inserted: the
 * search of the graph begins with the nodes of the start's cluster that a route leads to, and ends
 * with those of the goal's. And nothing is searched for on the ground: an edge is turned into steps
 * by going along a route. That is much faster than HPA*, and takes more memory with the same
 * clusters. Where routes would take too much, as they do where ground differs, a cluster keeps
 * those between its nodes only; the first and the last leg are searched for (dhpa_approach.h).
 *
 * What the first and the last leg cost is estimated (ends=estimate), as in the source, which makes
 * paths a little longer; or added up along the routes (ends=walk).
 *
 * Routes lead from cells to nodes, and are the cheapest paths from nodes to cells. All legs but the
 * first begin at a node: their routes are walked from the end back and put into the path turned
 * round. The first one is walked as it is.
 *
 * If both ends lie in one cluster, the path inside of it is searched for. If it is as short as the
 * estimate, that is all; else it competes with the paths through other clusters, and the legs of
 * these are always added up.
 *
 * Links and steps that cannot be walked back are transitions as well (clusters.h). Where there are
 * such steps, a route need not be walkable as it is: first legs are those of a search from the
 * start inside its cluster.
 *
 * Not optimal, no bound. Several goals and limits of cost are left to A*; so are paths whose costs
 * do not fit 32 bits.
 *
 * Source: Kring, Champandard and Samarin, "DHPA* and SHPA*: Efficient Hierarchical Pathfinding in
 * Dynamic and Static Game Worlds", 2010.
 */
#include "hierarchy/dhpa/dhpa_check.h"
#include "hierarchy/dhpa/dhpa_search.h"
#include "search/nodes.h"

static const char *const dhpa_entrance_choices[] = {"single", "tiers", NULL};
static const char *const dhpa_end_choices[] = {"estimate", "walk", NULL};

static const cairn_parameter dhpa_parameters[] = {
    {"size", "side of a cluster, in cells", CAIRN_PARAMETER_INTEGER, CRN_CLUSTER_SIZE_MIN,
     CRN_CLUSTER_SIZE_MAX, 32, NULL},
    {"entrances", "transitions: one or two by the threshold, or in three tiers",
     CAIRN_PARAMETER_CHOICE, CRN_ENTRANCES_SINGLE, CRN_ENTRANCES_TIERS, CRN_ENTRANCES_SINGLE,
     dhpa_entrance_choices},
    {"threshold", "entrances as long as this get two transitions", CAIRN_PARAMETER_INTEGER, 2,
     CRN_CLUSTER_SIZE_MAX + 1, 6, NULL},
    {"ends", "what the first and the last leg cost: estimated, or added up", CAIRN_PARAMETER_CHOICE,
     DHPA_ENDS_ESTIMATE, DHPA_ENDS_WALK, DHPA_ENDS_ESTIMATE, dhpa_end_choices},
    {"smooth", "straighten paths by rays, of any length or inside a box", CAIRN_PARAMETER_CHOICE,
     CRN_SMOOTH_NONE, CRN_SMOOTH_BOX, CRN_SMOOTH_NONE, crn_smooth_choices},
    {"box", "how far the rays of smooth=box go", CAIRN_PARAMETER_INTEGER, 1, 1024, CRN_BUILDER_BOX,
     NULL},
};

static crn_hpa_options dhpa_options(const cairn_planner *planner)
{
    return (crn_hpa_options){.size = crn_parameter_of(planner, "size"),
                             .threshold = crn_parameter_of(planner, "threshold"),
                             .levels = 1,
                             .growth = 2,
                             .tight = true,
                             .rule = (crn_entrances)crn_parameter_of(planner, "entrances")};
}

/* ---- the planner ---- */

static cairn_status dhpa_create(cairn_planner *planner, cairn_error *error)
{
    planner->index = crn_alloc_zero(planner->space->context, sizeof(crn_dhpa));
    return planner->index ? CAIRN_OK
                          : crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
}

static void dhpa_drop(cairn_planner *planner)
{
    crn_dhpa_drop(planner->index);
}

static void dhpa_destroy(cairn_planner *planner)
{
    dhpa_drop(planner);
    crn_free(planner->space->context, planner->index, sizeof(crn_dhpa));
}

static cairn_status dhpa_build(cairn_planner *planner, const cairn_progress *progress,
                               cairn_error *error)
{
    crn_hpa_options options = dhpa_options(planner);
    return crn_dhpa_build(planner->index, crn_grid_space_of(planner->space), &options, progress,
                          error);
}

static cairn_status dhpa_repair(cairn_planner *planner, const cairn_progress *progress,
                                cairn_error *error)
{
    return crn_dhpa_repair(planner->index, planner->built_version, progress, error);
}

static size_t dhpa_bytes(const cairn_planner *planner)
{
    return crn_dhpa_bytes(planner->index);
}

static cairn_status dhpa_save(const cairn_planner *planner, cairn_store *store, cairn_error *error)
{
    return crn_dhpa_save(planner->index, store, error);
}

/* Numbers of nodes are of this index only: what is loaded is always copied. */
static cairn_status dhpa_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                              cairn_error *error)
{
    (void)borrow;
    crn_hpa_options options = dhpa_options(planner);
    return crn_dhpa_load(planner->index, crn_grid_space_of(planner->space), &options, archive,
                         error);
}

static void dhpa_overlay(const cairn_planner *planner, uint32_t level,
                         const cairn_overlay_sink *sink)
{
    const crn_dhpa *index = planner->index;
    crn_hpa_overlay(&index->graph, level, sink);
}

#if defined(CAIRN_CHECKS)
static const char *dhpa_checked(const cairn_planner *planner, bool whole)
{
    return crn_dhpa_check(planner->index, whole);
}
#endif

static const crn_index_functions dhpa_functions = {
    .format = 1,
    .of_searches = 7u << 3, /* ends, smooth, box */
    .build = dhpa_build,
    .drop = dhpa_drop,
    .repair = dhpa_repair,
    .bytes = dhpa_bytes,
    .save = dhpa_save,
    .load = dhpa_load,
    .check = CRN_CHECKED(dhpa_checked),
    .overlay = dhpa_overlay,
};

const crn_algorithm crn_algorithm_dhpa = {
    .info =
        {.name = "dhpa",
         .aliases = "dhpa* dhpastar",
         .summary =
             "DHPA*: HPA* whose clusters know the paths to their nodes: next to no search on the "
             "ground, more memory",
         .source = "Kring, Champandard and Samarin 2010",
         .family = "hierarchy",
         .flags =
             CAIRN_TERRAIN | CAIRN_NEEDS_INDEX | CAIRN_REPAIRS | CAIRN_MANY_GOALS | CAIRN_PIECES,
         .worlds = 1u << CAIRN_WORLD_GRID,
         .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1,
         .corners = (1u << CAIRN_CORNERS_COUNT) - 1,
         .delegates = 1u << CAIRN_FEATURE_MANY_GOALS,
         .parameters = dhpa_parameters,
         .parameter_count = CRN_COUNT(dhpa_parameters)},
    .create = dhpa_create,
    .destroy = dhpa_destroy,
    .index = &dhpa_functions,
    .open = crn_dhpa_search_open,
    .close = crn_dhpa_search_close,
    .handles = crn_builder_handles,
    .delegate = "astar",
    .begin = crn_dhpa_search_begin,
    .step = crn_dhpa_search_step,
    .next = crn_dhpa_search_next,
    CRN_BUILDER_FUNCTIONS,
};
