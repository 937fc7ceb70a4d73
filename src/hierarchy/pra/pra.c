/* pra.c: PRA*, partial refinement A*.
 *
 * The map is abstracted in levels, each about a quarter of the one below: cliques of up to four
 * nodes become one node (cliques.h). A search begins in the middle of the levels in which start and
 * goal differ. A* there gives a route of few nodes. On each level below A* runs only inside a
 * corridor: the nodes that the route above stands for and those next to them, down to level 0. So
 * every search is short, and as each level corrects the one above, paths are nearly optimal.
 * Searching cells is so much faster than searching abstract nodes that the lowest abstract level is
 * left out (lowest=2): level 0 is searched below the route on level 2, which changes hardly any
 * path.
 *
 * PRA*(K) cuts the route off after K steps on every level, so that the first steps on level 0 cost
 * very little, however far the goal. The rest is planned from where they end. Pieces are made in
 * the same manner; where no K is given, they search no farther ahead on the levels than they need.
 * Nothing proves that this never goes round in a circle, so the ends of pieces are remembered (the
 * last ones, and by Brent's method those of longer cycles). When one recurs, the rest is planned
 * whole. PRA* is complete: a corridor that leads nowhere (one without neighbours, under rules that
 * forbid cutting corners) is widened, and then given up.
 *
 * Links and steps that cannot be walked back are directed edges of the levels, which cliques ignore
 * and searches take (cliques.h, pra_edges.c). On the ground a search takes the links in its
 * corridor (part.h). A whole level joins what the ground does: where the first search finds no path
 * on it, there is none.
 *
 * The levels take 20 to 30 bytes a cell. After commits they are repaired where something changed.
 * In the background, a thread rebuilds the upper ones.
 *
 * Sources: Sturtevant and Buro, "Partial Pathfinding Using Map Abstraction and Refinement", 2005;
 * thesis of B. Anguelov, section 7.3; thesis of J. Harvanová, sections 3.2 and 3.3, whose variant
 * is start=middle, lowest=1, corridor=inner, ground=cliques, orphans=single, positions=plain. Its
 * first version entered the next clique by the first cell that it reached: ground=greedy.
 */
#include "abstract/abstract_check.h"
#include "hierarchy/pra/pra.h"

static const char *const pra_starts[] = {"half", "middle", NULL};
static const char *const pra_corridors[] = {"inner", "wide", "wider", NULL};
static const char *const pra_grounds[] = {"corridor", "cliques", "greedy", NULL};
static const char *const pra_orphans[] = {"join", "single", NULL};
static const char *const pra_positions[] = {"weighted", "plain", NULL};

static const cairn_parameter pra_parameters[PRA_PARAMETERS] = {
    [PRA_K] = {"k", "cut paths off after this many steps on every level; 0 = never",
               CAIRN_PARAMETER_INTEGER, 0, 4096, 0, NULL},
    [PRA_START] =
        {"start",
         "begin at half the levels below the one that joins the ends, or in the middle of all",
         CAIRN_PARAMETER_CHOICE, 0, PRA_START_MIDDLE, PRA_START_HALF, pra_starts},
    [PRA_LOWEST] = {"lowest", "the lowest level that is searched; below it comes the ground",
                    CAIRN_PARAMETER_INTEGER, 1, 3, 2, NULL},
    [PRA_CORRIDOR] =
        {"corridor",
         "search below the path alone, its neighbours too, or more of them on high levels",
         CAIRN_PARAMETER_CHOICE, 0, PRA_CORRIDOR_WIDER, PRA_CORRIDOR_WIDER, pra_corridors},
    [PRA_GROUND] =
        {"ground",
         "one search in the corridor, or from clique to clique, entered by least f or at once",
         CAIRN_PARAMETER_CHOICE, 0, PRA_GROUND_GREEDY, PRA_GROUND_CORRIDOR, pra_grounds},
    [PRA_ORPHANS] = {"orphans", "nodes with one neighbour join its clique, or stay alone",
                     CAIRN_PARAMETER_CHOICE, 0, PRA_ORPHANS_SINGLE, PRA_ORPHANS_JOIN, pra_orphans},
    [PRA_POSITIONS] = {"positions",
                       "of cliques: the mean of all cells below, or of the nodes in them",
                       CAIRN_PARAMETER_CHOICE, 0, PRA_POSITIONS_PLAIN, PRA_POSITIONS_WEIGHTED,
                       pra_positions},
    [PRA_SMOOTH] = {"smooth", "straighten paths by rays, of any length or inside a box",
                    CAIRN_PARAMETER_CHOICE, 0, CRN_SMOOTH_BOX, CRN_SMOOTH_NONE, crn_smooth_choices},
};

static cairn_status pra_create(cairn_planner *planner, cairn_error *error)
{
    planner->index = crn_alloc_zero(planner->space->context, sizeof(crn_pra_index));
    if (!planner->index) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    return CAIRN_OK;
}

static void pra_drop(cairn_planner *planner)
{
    crn_pra_index *index = planner->index;
    crn_cliques_destroy(index->cliques);
    index->cliques = NULL;
}

/* Makes new levels; NULL = no memory. */
static crn_cliques *pra_new(const cairn_planner *planner)
{
    return crn_cliques_create(planner->space, planner->parameters[PRA_ORPHANS] == PRA_ORPHANS_JOIN,
                              planner->parameters[PRA_POSITIONS] == PRA_POSITIONS_PLAIN);
}

static cairn_status pra_fail(cairn_status status, cairn_error *error)
{
    return crn_fail(error, status, 0, "%s",
                    status == CAIRN_CANCELLED ? "making cliques was cancelled"
                                              : "no memory for the cliques");
}

static cairn_status pra_build(cairn_planner *planner, const cairn_progress *progress,
                              cairn_error *error)
{
    crn_pra_index *index = planner->index;
    index->cliques = pra_new(planner);
    cairn_status status =
        index->cliques ? crn_cliques_build(index->cliques, progress) : CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) return status;
    pra_drop(planner);
    return pra_fail(status, error);
}

static cairn_status pra_repair(cairn_planner *planner, const cairn_progress *progress,
                               cairn_error *error)
{
    crn_pra_index *index = planner->index;
    cairn_status status =
        crn_cliques_repair(index->cliques, planner->built_version, false, progress);
    return status == CAIRN_OK || status == CAIRN_STALE ? status : pra_fail(status, error);
}

static size_t pra_bytes(const cairn_planner *planner)
{
    const crn_pra_index *index = planner->index;
    return crn_cliques_bytes(index->cliques);
}

static uint64_t pra_work(const cairn_planner *planner)
{
    const crn_pra_index *index = planner->index;
    return index->cliques ? index->cliques->looked : 0;
}

/* ---- files and pictures ---- */

static cairn_status pra_save(const cairn_planner *planner, cairn_store *store, cairn_error *error)
{
    const crn_pra_index *index = planner->index;
    return crn_cliques_save(index->cliques, store, error);
}

static cairn_status pra_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                             cairn_error *error)
{
    (void)borrow;
    crn_pra_index *index = planner->index;
    index->cliques = pra_new(planner);
    if (!index->cliques) return pra_fail(CAIRN_OUT_OF_MEMORY, error);
    cairn_status status = crn_cliques_load(index->cliques, archive, error);
    if (status != CAIRN_OK) pra_drop(planner);
    return status;
}

static void pra_overlay(const cairn_planner *planner, uint32_t level,
                        const cairn_overlay_sink *sink)
{
    const crn_pra_index *index = planner->index;
    crn_cliques_overlay(index->cliques, level, sink);
}

/* ---- in the background ---- */

static void pra_raise(void *user)
{
    crn_pra_index *index = user;
    index->outcome = crn_cliques_build_up(index->coming) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* Waits for the thread. */
static void pra_join(cairn_planner *planner)
{
    crn_pra_index *index = planner->index;
    if (index->thread) crn_thread_join(planner->space->context, index->thread);
    index->thread = NULL;
}

static void pra_abandon(cairn_planner *planner)
{
    crn_pra_index *index = planner->index;
    pra_join(planner);
    crn_cliques_destroy(index->coming);
    index->coming = NULL;
}

/* The lowest level is repaired here, where the world can be read; the thread reads only its copy.
 * Without memory, or a thread if it needs one: a sync without the background. */
static cairn_status pra_sync_begin(cairn_planner *planner, cairn_error *error)
{
    (void)error;
    crn_pra_index *index = planner->index;
    if (!planner->defers && !crn_context_has_workers(planner->space->context)) return CAIRN_STALE;
    index->coming = crn_cliques_copy_lowest(index->cliques);
    cairn_status status =
        index->coming ? crn_cliques_repair(index->coming, planner->built_version, true, NULL)
                      : CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK)
        index->thread = crn_thread_start(planner->space->context, pra_raise, index);
    if (index->thread || (status == CAIRN_OK && planner->defers)) return CAIRN_RUNNING;
    pra_abandon(planner);
    return CAIRN_STALE;
}

static cairn_status pra_sync_end(cairn_planner *planner, bool wait, cairn_error *error)
{
    crn_pra_index *index = planner->index;
    if (!wait && !(index->thread && crn_thread_ended(index->thread))) return CAIRN_RUNNING;
    if (!index->thread) pra_raise(index);
    pra_join(planner);
    if (index->outcome != CAIRN_OK) {
        pra_abandon(planner);
        return pra_fail(index->outcome, error);
    }
    pra_drop(planner);
    index->cliques = index->coming;
    index->coming = NULL;
    return CAIRN_OK;
}

static void pra_destroy(cairn_planner *planner)
{
    pra_abandon(planner);
    pra_drop(planner);
    crn_free(planner->space->context, planner->index, sizeof(crn_pra_index));
}

#if defined(CAIRN_CHECKS)
static const char *pra_checked(const cairn_planner *planner, bool whole)
{
    (void)whole;
    return crn_cliques_check(((const crn_pra_index *)planner->index)->cliques);
}
#endif

static const crn_index_functions pra_index = {
    .format = 1,
    .of_searches = ~(1u << PRA_ORPHANS | 1u << PRA_POSITIONS),
    .build = pra_build,
    .drop = pra_drop,
    .repair = pra_repair,
    .bytes = pra_bytes,
    .work = pra_work,
    .save = pra_save,
    .load = pra_load,
    .sync_begin = pra_sync_begin,
    .sync_end = pra_sync_end,
    .abandon = pra_abandon,
    .check = CRN_CHECKED(pra_checked),
    .overlay = pra_overlay,
};

const crn_algorithm crn_algorithm_pra = {
    .info = {.name = "pra",
             .aliases = "pra* prastar partial-refinement",
             .summary = "partial refinement A*: levels of cliques, a corridor on each; nearly "
                        "optimal, in pieces if need be",
             .source = "Sturtevant and Buro 2005",
             .family = "hierarchy",
             .flags = CAIRN_TERRAIN | CAIRN_NEEDS_INDEX | CAIRN_REPAIRS | CAIRN_MANY_GOALS |
                      CAIRN_PIECES | CAIRN_BACKGROUND,
             CRN_ALL_WORLDS,
             .delegates = 1u << CAIRN_FEATURE_MANY_GOALS,
             .parameters = pra_parameters,
             .parameter_count = PRA_PARAMETERS},
    .create = pra_create,
    .destroy = pra_destroy,
    .index = &pra_index,
    .open = crn_pra_open,
    .close = crn_pra_close,
    .handles = crn_pra_handles,
    .delegate = "astar",
    .begin = crn_pra_begin,
    .step = crn_pra_step,
    .next = crn_pra_next,
    CRN_BUILDER_FUNCTIONS,
};
