/* hpa.c: HPA*, hierarchical path-finding A*.
 *
 * The map is divided into clusters, and the paths through them from entrance to entrance are known
 * beforehand: a small graph (hpa_index.h), in which a path is found first. Then each of its edges
 * is turned into steps by a search inside one cluster, one after the other, so that the first piece
 * is there long before the rest. The ends are joined to the graph by one search of their cluster
 * each (Dijkstra's), which is left out where nothing is in the way (direct.h); the costs are the
 * same. insert=dijkstra and insert=astar are there to compare: without that test, and with one A*
 * for each node of the cluster. Paths are longer than the shortest ones by some per cent, because
 * they pass the entrances where the transitions are; rays straighten them, if asked for.
 *
 * With several levels, clusters are combined into larger ones. A query opens those that hold
 * its ends, down to the lowest level, and sees everything else as the highest one does; one search
 * goes over all of it. An edge of a higher level is first turned into edges of the level below. The
 * paths cost the same as with one level.
 *
 * intra=lazy leaves the costs of paths through clusters out of the index. Each search finds those
 * of a node when it first expands it, and keeps them until the world changes; nothing that searches
 * share is written. That makes building and syncing very quick, and the first queries after a sync
 * slow, slower than A*. There is one level then, and clusters are small, as finding the edges of a
 * node is no work of its own.
 *
 * Links and steps that cannot be walked back are transitions as well (clusters.h).
 *
 * Not optimal, no bound. Several goals and limits of cost are left to A*; so are paths whose costs
 * do not fit 32 bits.
 *
 * Sources: Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004; Jansen and
 * Buro, "HPA* Enhancements", 2007.
 */
#include "hierarchy/hpa/hpa_check.h"
#include "hierarchy/hpa/hpa_search.h"
#include "search/nodes.h"

/* With intra=lazy expanding a node may take a search of its cluster, which must stay small. */
#define HPA_LAZY_SIZE 24u

static const char *const hpa_entrance_choices[] = {"single", "tiers", NULL};
static const char *const hpa_intra_choices[] = {"eager", "lazy", NULL};
static const char *const hpa_insert_choices[] = {"direct", "dijkstra", "astar", NULL};

static const cairn_parameter hpa_parameters[] = {
    {"size", "side of a cluster, in cells", CAIRN_PARAMETER_INTEGER, CRN_CLUSTER_SIZE_MIN,
     CRN_CLUSTER_SIZE_MAX, 24, NULL},
    {"entrances", "transitions: one or two by the threshold, or in three tiers",
     CAIRN_PARAMETER_CHOICE, CRN_ENTRANCES_SINGLE, CRN_ENTRANCES_TIERS, CRN_ENTRANCES_SINGLE,
     hpa_entrance_choices},
    {"threshold", "entrances as long as this get two transitions", CAIRN_PARAMETER_INTEGER, 2,
     CRN_CLUSTER_SIZE_MAX + 1, 6, NULL},
    {"levels", "levels of clusters; 0: by the size of the map, with few nodes above the lowest",
     CAIRN_PARAMETER_INTEGER, 0, CRN_HPA_LEVELS - 1, 0, NULL},
    {"growth", "side of a cluster of the next level, in clusters (levels=0: 4)",
     CAIRN_PARAMETER_INTEGER, 2, CRN_HPA_GROWTH_MAX, 3, NULL},
    {"intra", "costs through clusters: in the index, or computed by searches",
     CAIRN_PARAMETER_CHOICE, 0, 1, 0, hpa_intra_choices},
    {"smooth", "straighten paths by rays, of any length or inside a box", CAIRN_PARAMETER_CHOICE,
     CRN_SMOOTH_NONE, CRN_SMOOTH_BOX, CRN_SMOOTH_NONE, crn_smooth_choices},
    {"box", "how far the rays of smooth=box go", CAIRN_PARAMETER_INTEGER, 1, 1024, CRN_BUILDER_BOX,
     NULL},
    {"insert", "joining the ends: Dijkstra where the direct test does not do, always, or many A*",
     CAIRN_PARAMETER_CHOICE, CRN_HPA_DIRECT, CRN_HPA_ASTAR, CRN_HPA_DIRECT, hpa_insert_choices},
};

static crn_hpa_options hpa_options(const cairn_planner *planner)
{
    bool lazy = crn_parameter_of(planner, "intra") == 1;
    return (crn_hpa_options){.size = crn_parameter_of(planner, "size"),
                             .threshold = crn_parameter_of(planner, "threshold"),
                             .levels = lazy ? 1 : crn_parameter_of(planner, "levels"),
                             .growth = crn_parameter_of(planner, "growth"),
                             .rule = (crn_entrances)crn_parameter_of(planner, "entrances"),
                             .lazy = lazy};
}

/* ---- the planner ---- */

static cairn_status hpa_create(cairn_planner *planner, cairn_error *error)
{
    crn_hpa_options options = hpa_options(planner);
    if (options.lazy && options.size > HPA_LAZY_SIZE) {
        return crn_fail(error, CAIRN_UNSUPPORTED, 0,
                        "intra=lazy needs clusters of at most %u cells in a row", HPA_LAZY_SIZE);
    }
    planner->index = crn_alloc_zero(planner->space->context, sizeof(crn_hpa));
    if (!planner->index) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    return CAIRN_OK;
}

static void hpa_drop(cairn_planner *planner)
{
    crn_hpa_drop(planner->index);
}

static void hpa_destroy(cairn_planner *planner)
{
    hpa_drop(planner);
    crn_free(planner->space->context, planner->index, sizeof(crn_hpa));
}

static cairn_status hpa_build(cairn_planner *planner, const cairn_progress *progress,
                              cairn_error *error)
{
    crn_hpa_options options = hpa_options(planner);
    return crn_hpa_build(planner->index, crn_grid_space_of(planner->space), &options, progress,
                         error);
}

static cairn_status hpa_repair(cairn_planner *planner, const cairn_progress *progress,
                               cairn_error *error)
{
    return crn_hpa_repair(planner->index, planner->built_version, progress, error);
}

static cairn_status hpa_build_begin(cairn_planner *planner, cairn_error *error)
{
    crn_hpa_options options = hpa_options(planner);
    return crn_hpa_build_begin(planner->index, crn_grid_space_of(planner->space), &options, error);
}

static cairn_status hpa_repair_begin(cairn_planner *planner, uint64_t since, cairn_error *error)
{
    return crn_hpa_repair_begin(planner->index, since, error);
}

static cairn_status hpa_sync_step(cairn_planner *planner, uint64_t *work, cairn_error *error)
{
    cairn_status status = crn_hpa_step(planner->index, work, error);
    if (status != CAIRN_STALE) return status;
    crn_hpa_drop(planner->index);
    return hpa_build_begin(planner, error);
}

static const crn_slice_functions hpa_slices = {
    .build_begin = hpa_build_begin, .repair_begin = hpa_repair_begin, .step = hpa_sync_step};

static size_t hpa_bytes(const cairn_planner *planner)
{
    return crn_hpa_bytes(planner->index);
}

static uint64_t hpa_sync_work(const cairn_planner *planner)
{
    const crn_hpa *index = planner->index;
    return index->work;
}

static cairn_status hpa_save(const cairn_planner *planner, cairn_store *store, cairn_error *error)
{
    return crn_hpa_save(planner->index, store, error);
}

/* Numbers of nodes are of this index only: what is loaded is always copied. */
static cairn_status hpa_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                             cairn_error *error)
{
    (void)borrow;
    crn_hpa_options options = hpa_options(planner);
    return crn_hpa_load(planner->index, crn_grid_space_of(planner->space), &options, archive,
                        error);
}

static void hpa_overlay(const cairn_planner *planner, uint32_t level,
                        const cairn_overlay_sink *sink)
{
    crn_hpa_overlay(planner->index, level, sink);
}

#if defined(CAIRN_CHECKS)
static const char *hpa_checked(const cairn_planner *planner, bool whole)
{
    return crn_hpa_check(planner->index, whole);
}
#endif

static const crn_index_functions hpa_functions = {
    .format = 2,
    .unsaved = 1,
    .of_searches = 7u << 6, /* smooth, box, insert */
    .build = hpa_build,
    .drop = hpa_drop,
    .repair = hpa_repair,
    .slices = &hpa_slices,
    .bytes = hpa_bytes,
    .work = hpa_sync_work,
    .save = hpa_save,
    .load = hpa_load,
    .check = CRN_CHECKED(hpa_checked),
    .overlay = hpa_overlay,
};

const crn_algorithm crn_algorithm_hpa = {
    .info =
        {.name = "hpa",
         .aliases = "hpa* hpastar",
         .summary =
             "HPA*: through entrances of clusters first, then steps, piece by piece; some per cent "
             "longer than the best",
         .source = "Botea, Müller and Schaeffer 2004",
         .family = "hierarchy",
         .flags = CAIRN_TERRAIN | CAIRN_NEEDS_INDEX | CAIRN_REPAIRS | CAIRN_MANY_GOALS |
                  CAIRN_PIECES | CAIRN_SLICES,
         .worlds = 1u << CAIRN_WORLD_GRID,
         .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1,
         .corners = (1u << CAIRN_CORNERS_COUNT) - 1,
         .delegates = 1u << CAIRN_FEATURE_MANY_GOALS,
         .parameters = hpa_parameters,
         .parameter_count = CRN_COUNT(hpa_parameters)},
    .create = hpa_create,
    .destroy = hpa_destroy,
    .index = &hpa_functions,
    .open = crn_hpa_search_open,
    .close = crn_hpa_search_close,
    .handles = crn_builder_handles,
    .delegate = "astar",
    .begin = crn_hpa_search_begin,
    .step = crn_hpa_search_step,
    .next = crn_hpa_search_next,
    CRN_BUILDER_FUNCTIONS,
};
