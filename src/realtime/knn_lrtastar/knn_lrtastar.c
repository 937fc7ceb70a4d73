/* knn_lrtastar.c: kNN LRTA*.
 *
 * The index holds problems that were drawn at random and solved, each with the subgoals of its
 * path. An agent with a new problem looks up the most similar ones (knn_index.h: the larger of the
 * distances of starts and goals; a k-d tree), and takes the first of them that passes both checks:
 * a climb of at most `cutoff` steps leads from the agent to the start of the record, and one from
 * the goal of the record to the agent's goal. It walks to the start of the record, from subgoal to
 * subgoal, to the record's goal and to its own, by LRTA* with a look-ahead of one step (lrta.h).
 *
 * - Where a climb leads to the goal at once, no record is looked up.
 * - If no record passes, `unfit=goal` has the goal itself as the only subgoal, as published. Then
 *   the agent learns to get out of all dead ends between, as LRTA* does, and may walk very far.
 *   `unfit=similar` follows the most similar record all the same, if its ends are nearer to those
 *   of the problem than these are to each other: dead ends near both ends are all that is to be
 *   learnt.
 * - `ends=skip`: an agent that can climb to the first subgoal leaves out the record's start, and
 *   one that can climb to its goal from the last subgoal the record's goal.
 * - Complete in worlds whose steps lead both ways (lrta.h). No bound of the path's cost.
 * - A check, or looking at 256 records, is a unit of work.
 * - Queries where ground differs in cost, heights matter or links lead elsewhere are delegated to
 *   A*, and agents plan with it.
 *
 * Sources: Bulitko, Björnsson and Lawrence, "Case-Based Subgoaling in Real-Time Heuristic Search
 * for Video Game Pathfinding", 2010; cutoff, number of records and of checks as in Lawrence and
 * Bulitko, "Taking Learning out of Real-Time Heuristic Search for Video-Game Pathfinding", 2010.
 * Beyond them: the tree, one order of ties for building and walking, `ends=skip`, `unfit=similar`.
 */
#include "realtime/knn_lrtastar/knn_index.h"
#include "realtime/lrta.h"

enum { KNN_UNIT = 256, KNN_FEW = 10 }; /* records that are looked at in a unit, if k is small */
enum { KNN_WHOLE, KNN_SKIP };
enum { KNN_GOAL, KNN_SIMILAR };
static const char *const knn_ends[] = {"whole", "skip", NULL};
static const char *const knn_unfit[] = {"goal", "similar", NULL};

static const cairn_parameter knn_parameters[] = {
    {"records", "problems to solve, at most one for 8 cells; 0 = by the size of the map",
     CAIRN_PARAMETER_INTEGER, 0, CRN_KNN_RECORDS, 0, NULL},
    {"cutoff", "most steps of a climb", CAIRN_PARAMETER_INTEGER, 4, 500, 250, NULL},
    {"seed", "of the random problems", CAIRN_PARAMETER_INTEGER, 0, 1000000, 1, NULL},
    {"k", "most similar records that are tried", CAIRN_PARAMETER_INTEGER, 1, 100, 10, NULL},
    {"ends", "walk to both ends of a record, or skip them if possible", CAIRN_PARAMETER_CHOICE,
     KNN_WHOLE, KNN_SKIP, KNN_SKIP, knn_ends},
    {"unfit", "if no record fits: walk to the goal, or along the most similar one all the same",
     CAIRN_PARAMETER_CHOICE, KNN_GOAL, KNN_SIMILAR, KNN_SIMILAR, knn_unfit},
};

/* ---- the guide ---- */

typedef enum knn_stage {
    KNN_DIRECT, /* can it climb to the goal? */
    KNN_LOOK,   /* the look-up */
    KNN_TRY,    /* the records that were found, one by one */
    KNN_FIRST,  /* can it climb to the first subgoal? */
    KNN_ALONG,  /* the next subgoal, or the record's goal */
    KNN_LAST,   /* can it climb to the goal? */
    KNN_END     /* nothing but the goal is left */
} knn_stage;

typedef struct knn_agent {
    knn_stage stage;
    uint32_t record;  /* of those that were found: the one to try; then the one to follow */
    uint32_t subgoal; /* the next one; the end of the record: its goal */
    crn_knn_look look;
    crn_knn_near near[];
} knn_agent;

static size_t knn_agent_bytes(const cairn_planner *planner)
{
    return sizeof(knn_agent) + crn_parameter_of(planner, "k") * sizeof(crn_knn_near);
}

static void knn_begin(cairn_navigator *navigator)
{
    knn_agent *own = crn_lrta_own(navigator);
    const crn_grid_space *map = crn_grid_space_of(navigator->space);
    own->stage = KNN_DIRECT;
    own->look.k = crn_parameter_of(navigator->planner, "k");
    own->look.near = own->near;
    own->look.problem[0] = cairn_grid_cell(map->grid, navigator->at);
    own->look.problem[1] = cairn_grid_cell(map->grid, navigator->goal);
}

static bool knn_climbs(const cairn_navigator *navigator, cairn_node from, cairn_node to)
{
    const crn_knn *index = crn_lrta_index(navigator->planner);
    return crn_climb_reaches(crn_grid_space_of(navigator->space), from, to, index->cutoff, NULL);
}

/* Both checks of a record. */
static bool knn_suits(const cairn_navigator *navigator, const crn_knn_record *record)
{
    return knn_climbs(navigator, navigator->at, record->start) &&
           knn_climbs(navigator, record->goal, navigator->goal);
}

static knn_stage knn_take(const cairn_navigator *navigator, knn_agent *own, uint32_t number)
{
    own->record = number;
    own->subgoal = crn_knn_first(crn_lrta_index(navigator->planner), number);
    return KNN_FIRST;
}

/* No record fits. */
static knn_stage knn_make_do(const cairn_navigator *navigator, knn_agent *own)
{
    const crn_knn *index = crn_lrta_index(navigator->planner);
    const cairn_cell *ends = own->look.problem;
    uint64_t apart = crn_climb_distance(crn_grid_space_of(navigator->space), ends[0], ends[1]);
    if (crn_parameter_of(navigator->planner, "unfit") == KNN_GOAL) return KNN_END;
    for (uint32_t i = 0; i < own->look.count && own->near[i].distance < apart; i++) {
        uint32_t number = own->near[i].record;
        cairn_node start = crn_knn_at(index, number).start;
        if (cairn_reachable(navigator->space, navigator->at, start) == CAIRN_REACH_YES)
            return knn_take(navigator, own, number);
    }
    return KNN_END;
}

static knn_stage knn_try(const cairn_navigator *navigator, knn_agent *own)
{
    const crn_knn *index = crn_lrta_index(navigator->planner);
    if (own->record == own->look.count) return knn_make_do(navigator, own);
    uint32_t number = own->near[own->record].record;
    crn_knn_record record = crn_knn_at(index, number);
    if (!knn_suits(navigator, &record)) return own->record++, KNN_TRY;
    return knn_take(navigator, own, number);
}

static bool knn_skips(const cairn_navigator *navigator)
{
    return crn_parameter_of(navigator->planner, "ends") == KNN_SKIP;
}

/* The subgoal that a record names at a place; its goal at its end. */
static cairn_node knn_subgoal(const crn_knn *index, const crn_knn_record *record, uint32_t at)
{
    return at < record->end ? index->subgoals.items[at] : record->goal;
}

/* How many records are looked at for a unit of work: fewer where many are kept in order. */
static uint32_t knn_unit(const cairn_navigator *navigator)
{
    uint32_t k = crn_parameter_of(navigator->planner, "k");
    return k <= KNN_FEW ? KNN_UNIT : KNN_UNIT * KNN_FEW / k;
}

/* One unit of work, or a target; CAIRN_NO_NODE: not yet. */
static cairn_node knn_go_on(cairn_navigator *navigator, knn_agent *own, uint64_t *budget)
{
    const crn_knn *index = crn_lrta_index(navigator->planner);
    if (own->stage == KNN_END) return navigator->goal;
    if (own->stage < KNN_FIRST) {
        --*budget;
        if (own->stage == KNN_TRY) {
            own->stage = knn_try(navigator, own);
        } else if (own->stage == KNN_DIRECT) {
            bool direct = knn_climbs(navigator, navigator->at, navigator->goal);
            own->stage = direct ? KNN_END : KNN_LOOK;
            own->record = 0;
            crn_knn_look_begin(index, &own->look);
        } else if (crn_knn_look_on(index, crn_grid_space_of(navigator->space), &own->look,
                                   knn_unit(navigator))) {
            own->stage = KNN_TRY;
        }
        return CAIRN_NO_NODE;
    }
    crn_knn_record record = crn_knn_at(index, own->record);
    cairn_node next = knn_subgoal(index, &record, own->subgoal);
    if (own->stage == KNN_FIRST) {
        own->stage = own->subgoal == record.end ? KNN_LAST : KNN_ALONG;
        if (!knn_skips(navigator)) return record.start;
        --*budget;
        return knn_climbs(navigator, navigator->at, next) ? CAIRN_NO_NODE : record.start;
    }
    if (own->stage == KNN_LAST) {
        own->stage = KNN_END;
        if (!knn_skips(navigator)) return record.goal;
        --*budget;
        return knn_climbs(navigator, navigator->at, navigator->goal) ? CAIRN_NO_NODE : record.goal;
    }
    if (++own->subgoal == record.end) own->stage = KNN_LAST;
    return next;
}

/* Does what comes next take no unit of work? */
static bool knn_is_free(const cairn_navigator *navigator, const knn_agent *own)
{
    if (own->stage == KNN_FIRST || own->stage == KNN_LAST) return !knn_skips(navigator);
    return own->stage == KNN_ALONG || own->stage == KNN_END;
}

static cairn_node knn_next(cairn_navigator *navigator, uint64_t *budget)
{
    knn_agent *own = crn_lrta_own(navigator);
    while (*budget || knn_is_free(navigator, own)) {
        cairn_node target = knn_go_on(navigator, own, budget);
        if (target != CAIRN_NO_NODE && target != navigator->at) return target;
    }
    return CAIRN_NO_NODE;
}

/* What is left of the record, its goal, and the agent's own. */
static cairn_node knn_after(const cairn_navigator *navigator, uint32_t i, cairn_node node)
{
    const crn_knn *index = crn_lrta_index(navigator->planner);
    const knn_agent *own = crn_lrta_own(navigator);
    (void)node;
    if (own->stage == KNN_END) return navigator->goal;
    crn_knn_record record = crn_knn_at(index, own->record);
    uint32_t left = record.end - own->subgoal;
    return i <= left ? knn_subgoal(index, &record, own->subgoal + i) : navigator->goal;
}

static const crn_lrta_guide knn_guide = {knn_agent_bytes, knn_begin, knn_next, knn_after};

static cairn_status knn_open(cairn_navigator *navigator)
{
    return crn_lrta_open(navigator, &knn_guide);
}

static const crn_navigator_functions knn_navigator = {.open = knn_open, CRN_LRTA_NAVIGATOR};

/* ---- planner and index ---- */

static const crn_grid_space *knn_map(const cairn_planner *planner)
{
    return crn_grid_space_of(planner->space);
}

/* L has 80,000 for maps of 18 to 30 million cells. Small maps take more for each cell. */
static uint32_t knn_wanted(const cairn_planner *planner)
{
    uint32_t records = crn_parameter_of(planner, "records"), nodes = planner->space->node_count;
    if (!records) return crn_min_u32(crn_max_u32(nodes / 32, 32), 80000);
    return crn_min_u32(records, crn_max_u32(nodes / 8, 32));
}

static cairn_status knn_create(cairn_planner *planner, cairn_error *error)
{
    crn_knn *index = crn_alloc_zero(planner->space->context, sizeof *index);
    if (!index) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    index->wanted = knn_wanted(planner);
    index->cutoff = crn_parameter_of(planner, "cutoff");
    index->seed = crn_parameter_of(planner, "seed");
    planner->index = index;
    return CAIRN_OK;
}

static void knn_drop(cairn_planner *planner)
{
    crn_knn_drop(planner->index, planner->space->context);
}

static void knn_destroy(cairn_planner *planner)
{
    knn_drop(planner);
    crn_free(planner->space->context, planner->index, sizeof(crn_knn));
}

static cairn_status knn_build(cairn_planner *planner, const cairn_progress *progress,
                              cairn_error *error)
{
    return crn_knn_build(planner->index, knn_map(planner), crn_lrta_serves(planner), progress,
                         error);
}

static size_t knn_bytes(const cairn_planner *planner)
{
    return crn_knn_bytes(planner->index);
}

static uint64_t knn_work(const cairn_planner *planner)
{
    const crn_knn *index = planner->index;
    return index->work;
}

static cairn_status knn_save(const cairn_planner *planner, cairn_store *store, cairn_error *error)
{
    return crn_knn_save(planner->index, store, error);
}

static cairn_status knn_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                             cairn_error *error)
{
    return crn_knn_load(planner->index, knn_map(planner), archive, borrow, error);
}

/* Start, subgoals and goal of each record: points, or the lines between them. */
static void knn_show(const cairn_planner *planner, bool lines, const cairn_overlay_sink *sink)
{
    const crn_knn *index = planner->index;
    uint32_t number = 0;
    for (uint32_t i = 0; i < crn_knn_count(index); i++) {
        crn_knn_record record = crn_knn_at(index, i);
        uint32_t first = crn_knn_first(index, i), count = record.end - first + 2;
        cairn_overlay_item item = {.kind = CAIRN_OVERLAY_NODE, .level = 1, .group = i};
        item.from = cairn_space_position(planner->space, record.start);
        for (uint32_t k = 0; k < count; k++) {
            cairn_position at = item.from;
            if (k)
                at = cairn_space_position(planner->space,
                                          knn_subgoal(index, &record, first + k - 1));
            if (lines && k) {
                cairn_overlay_item line = {.kind = CAIRN_OVERLAY_EDGE, .level = 1};
                line.from = item.from;
                line.to = at;
                sink->item(sink->user, &line);
            }
            item.from = at;
            item.node = number++;
            if (!lines) sink->item(sink->user, &item);
        }
    }
}

static void knn_overlay(const cairn_planner *planner, uint32_t level,
                        const cairn_overlay_sink *sink)
{
    if (level > 1) return;
    knn_show(planner, false, sink);
    knn_show(planner, true, sink);
}

#if defined(CAIRN_CHECKS)
static const char *knn_checked(const cairn_planner *planner, bool whole)
{
    return crn_knn_check(planner->index, knn_map(planner), whole);
}
#endif

static const crn_index_functions knn_functions = {
    .format = 1,
    .unsaved = 3,           /* k, ends, unfit */
    .of_searches = 7u << 3, /* the same */
    .build = knn_build,
    .drop = knn_drop,
    .bytes = knn_bytes,
    .work = knn_work,
    .save = knn_save,
    .load = knn_load,
    .check = CRN_CHECKED(knn_checked),
    .overlay = knn_overlay,
};

const crn_algorithm crn_algorithm_knn_lrtastar = {
    .info = {.name = "knn-lrtastar",
             .aliases = "knn-lrta* knn-lrta",
             .summary = "kNN LRTA*: walks along the subgoals of the most similar problem that was "
                        "solved before, and learns where none is",
             .source = "Bulitko, Björnsson and Lawrence 2010",
             CRN_LRTA_INFO,
             .parameters = knn_parameters,
             .parameter_count = CRN_COUNT(knn_parameters)},
    .create = knn_create,
    .destroy = knn_destroy,
    .index = &knn_functions,
    .navigator = &knn_navigator,
    CRN_WALKER_FUNCTIONS_FOR(crn_lrta_handles),
};
