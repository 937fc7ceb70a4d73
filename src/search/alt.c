/* alt.c: A* with landmarks.
 *
 * A* is only as good as its estimate, and straight distances know nothing of walls. So a few
 * landmarks on the rim of the map are chosen, and the distances from each of them to all nodes are
 * computed once and kept, 4 bytes each. By the triangle inequality the distances of two nodes from
 * the same landmark give a lower bound of the cost between them. The search uses the largest of the
 * landmarks' bounds and the straight estimate. Answers are optimal in every space (landmarks.h has
 * the proof).
 *
 * Costs: 4 bytes a cell and landmark. Building takes two searches of everything and two passes over
 * all edges for each landmark. The index stays valid after commits that only close cells or make
 * them more expensive, and when these are undone; other commits need a new build. It is weaker
 * where a step costs less in one direction than back (terrain, slopes, directed graphs): then a
 * landmark helps only paths that lead away from it.
 *
 * Source: Goldberg and Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory",
 * 2005; Sturtevant and others, "Memory-Based Heuristics for Explicit State Spaces", 2009; thesis of
 * B. Anguelov, section 5.3.2.
 */
#include "heuristic/heuristic_check.h"
#include "heuristic/landmarks.h"
#include "search/best_first.h"

static const char *const alt_places[] = {"farthest", "avoid", "best", NULL};

static const char *const alt_picks[] = {"all", "random", NULL};

static const cairn_parameter alt_parameters[] = {
    {"landmarks", "how many, each takes 4 bytes per cell", CAIRN_PARAMETER_INTEGER, 1,
     CRN_LANDMARKS_MAX, 4, NULL},
    {"place", "landmarks far apart, where estimates lack most, or the best of twice as many",
     CAIRN_PARAMETER_CHOICE, CRN_LANDMARKS_FARTHEST, CRN_LANDMARKS_BEST, CRN_LANDMARKS_BEST,
     alt_places},
    {"pick", "all landmarks for each node, or one of them at random", CAIRN_PARAMETER_CHOICE, 0, 1,
     0, alt_picks},
    CRN_PARAMETER_BPMX,
    CRN_PARAMETER_OPEN,
    CRN_PARAMETER_TIE,
    CRN_PARAMETER_LOOP,
};

/* What the planner keeps: the index, and settings that point to its plug. */
typedef struct alt_data {
    crn_heuristic plug;
    crn_landmarks landmarks;
} alt_data;

static alt_data *alt_data_of(const cairn_planner *planner)
{
    return (alt_data *)(void *)((const crn_settings *)planner->index)->plug;
}

static crn_landmarks *alt_landmarks(const cairn_planner *planner)
{
    return &alt_data_of(planner)->landmarks;
}

static uint32_t alt_count(const cairn_planner *planner)
{
    int64_t count = 0;
    crn_parameter(planner, "landmarks", &count);
    return (uint32_t)count;
}

static cairn_status alt_create(cairn_planner *planner, cairn_error *error)
{
    cairn_context *context = planner->space->context;
    crn_settings preset = {
        .heuristic = CAIRN_HEURISTIC_AUTO, .cost_weight = 1, .estimate_weight = 256};
    alt_data *data = crn_alloc_zero(context, sizeof *data);
    if (!data) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    data->plug = crn_parameter_of(planner, "pick")
                     ? crn_landmarks_heuristic_of_one(&data->landmarks)
                     : crn_landmarks_heuristic(&data->landmarks);
    preset.plug = &data->plug;
    cairn_status status = crn_best_first_create(planner, &preset, error);
    if (status != CAIRN_OK) crn_free(context, data, sizeof *data);
    return status;
}

static void alt_drop(cairn_planner *planner)
{
    crn_landmarks_drop(alt_landmarks(planner), planner->space->context);
}

static void alt_destroy(cairn_planner *planner)
{
    alt_drop(planner);
    crn_free(planner->space->context, alt_data_of(planner), sizeof(alt_data));
    crn_best_first_destroy(planner);
}

static cairn_status alt_build(cairn_planner *planner, const cairn_progress *progress,
                              cairn_error *error)
{
    crn_landmarks_plan plan = {alt_count(planner),
                               (crn_landmarks_place)crn_parameter_of(planner, "place")};
    return crn_landmarks_build(alt_landmarks(planner), planner->space, plan, progress, error);
}

static cairn_status alt_repair(cairn_planner *planner, const cairn_progress *progress,
                               cairn_error *error)
{
    (void)progress;
    (void)error;
    alt_landmarks(planner)->work = 0;
    return crn_landmarks_refresh(alt_landmarks(planner), planner->space, planner->built_version)
               ? CAIRN_OK
               : CAIRN_STALE;
}

static size_t alt_bytes(const cairn_planner *planner)
{
    return crn_landmarks_bytes(alt_landmarks(planner));
}

static uint64_t alt_work(const cairn_planner *planner)
{
    return alt_landmarks(planner)->work;
}

static cairn_status alt_save(const cairn_planner *planner, cairn_store *store, cairn_error *error)
{
    return crn_landmarks_save(alt_landmarks(planner), store, error);
}

static cairn_status alt_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                             cairn_error *error)
{
    return crn_landmarks_load(alt_landmarks(planner), planner->space, alt_count(planner),
                              (crn_landmarks_source){archive, borrow}, error);
}

static void alt_overlay(const cairn_planner *planner, uint32_t level,
                        const cairn_overlay_sink *sink)
{
    crn_landmarks_overlay(alt_landmarks(planner), planner->space, level, sink);
}

#if defined(CAIRN_CHECKS)
static const char *alt_checked(const cairn_planner *planner, bool whole)
{
    return crn_landmarks_check(alt_landmarks(planner), planner->space, whole);
}
#endif

static const crn_index_functions alt_index = {
    .format = 3,
    .build = alt_build,
    .drop = alt_drop,
    .repair = alt_repair,
    .bytes = alt_bytes,
    .work = alt_work,
    .save = alt_save,
    .load = alt_load,
    .check = CRN_CHECKED(alt_checked),
    .overlay = alt_overlay,
};

const crn_algorithm crn_algorithm_alt = {
    .info = {.name = "alt",
             .aliases = "landmarks differential",
             .summary =
                 "A* with distances from a few landmarks: optimal, 4 bytes per cell and landmark",
             .source = "Goldberg and Harrelson 2005",
             .family = "search",
             .flags = CAIRN_OPTIMAL | CAIRN_TERRAIN | CAIRN_NEEDS_INDEX | CAIRN_REPAIRS,
             CRN_ALL_WORLDS,
             .parameters = alt_parameters,
             .parameter_count = CRN_COUNT(alt_parameters)},
    .create = alt_create,
    CRN_BEST_FIRST_SEARCH_FUNCTIONS,
    .destroy = alt_destroy,
    .index = &alt_index,
};
