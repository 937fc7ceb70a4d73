/* best_first.c: what surrounds the best-first loop: settings, and how a query begins, goes on and
 * pauses. The loop is in best_first_loops.c; best_first_answer.c reads the result. */
#include "heuristic/landmarks.h"
#include "search/best_first_loops.h"
#include "search/own_search.h"
#include "search/search_check.h"

/* ---- a planner ---- */

const char *const crn_tie_choices[] = {"large-g", "small-g", "last-in", "first-in", NULL};
const char *const crn_stop_choices[] = {"goal", "longer", NULL};
const char *const crn_loop_choices[] = {"fast", "generic", NULL};
const char *const crn_reopen_choices[] = {"auto", "yes", NULL};

/* A metric, or a plug with the metric that it wants. */
static void best_first_take_heuristic(crn_settings *settings, int64_t number)
{
    const crn_heuristic *plug = crn_heuristic_plug(number);
    settings->plug = plug;
    settings->heuristic = plug ? plug->metric : (cairn_heuristic)number;
}

static void best_first_take_list(crn_settings *settings, int64_t value)
{
    settings->automatic = value == CRN_OPEN_AUTO;
    settings->open =
        settings->automatic ? CRN_OPEN_HEAP : (crn_open_kind)(settings->first_open + value);
}

cairn_status crn_best_first_create(cairn_planner *planner, const crn_settings *preset,
                                   cairn_error *error)
{
    cairn_context *context = planner->space->context;
    crn_settings *settings = crn_alloc(context, sizeof *settings);
    if (!settings) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    *settings = *preset;
    int64_t value;
    if (crn_parameter(planner, "heuristic", &value)) best_first_take_heuristic(settings, value);
    if (crn_parameter(planner, "open", &value)) best_first_take_list(settings, value);
    if (crn_parameter(planner, "tie", &value)) settings->tie = (crn_tie)value;
    if (crn_parameter(planner, "stop", &value)) settings->longer = value != 0;
    if (crn_parameter(planner, "loop", &value)) settings->generic = value != 0;
    if (crn_parameter(planner, "bpmx", &value)) settings->bpmx = value != 0;
    if (crn_parameter(planner, "weight", &value)) settings->estimate_weight = (uint32_t)value;
    if (crn_parameter(planner, "member", &value)) settings->hashed = value != 0;
    if (crn_parameter(planner, "store", &value)) settings->stored = value != 0;
    if (settings->heuristic == CAIRN_HEURISTIC_AUTO)
        settings->heuristic = planner->space->default_heuristic;
    crn_heuristic_facts facts =
        crn_heuristic_facts_of(settings->plug, planner->space, settings->heuristic);
    bool cheapest =
        settings->keep == CRN_KEEP_CHEAPEST && settings->cost_weight && facts.admissible;
    if (crn_parameter(planner, "reopen", &value) && value == 0 &&
        settings->open != CRN_OPEN_BUCKETS && facts.consistent) {
        settings->keep = CRN_KEEP_CHEAPEST_OPEN;
    }
    /* The longer rule and the order of ties are promises that buckets cannot keep. */
    if (settings->open == CRN_OPEN_BUCKETS &&
        (settings->longer || settings->tie != CRN_TIE_LARGE_G)) {
        settings->open = CRN_OPEN_HEAP;
        crn_set_parameter(planner, "open", CRN_OPEN_HEAP);
    }
    planner->optimal = cheapest && settings->estimate_weight <= 256;
    planner->bound = planner->optimal ? 1.0 : cheapest ? settings->estimate_weight / 256.0 : 0;
    planner->index = settings;
    return CAIRN_OK;
}

void crn_best_first_destroy(cairn_planner *planner)
{
    crn_free(planner->space->context, planner->index, sizeof(crn_settings));
}

/* ---- a search ---- */

static crn_best_first *best_first_make(cairn_search *search)
{
    crn_best_first *bf = crn_scratch_alloc(&search->memory, sizeof *bf);
    if (!bf) return NULL;
    memset(bf, 0, sizeof *bf);
    bf->search = search;
    bf->memory = &search->memory;
    bf->space = search->space;
    crn_buckets_open(&bf->buckets, &search->memory);
    crn_heap_open(&bf->heap, &search->memory);
    crn_chain_open(&bf->chain, &search->memory);
    bf->tiles.scratch = bf->pages.scratch = &search->memory;
    for (uint32_t slot = 0; slot < CRN_PAGE; slot++) {
        bf->spread[slot] = slot / CRN_TILE_SIDE << 16 | slot % CRN_TILE_SIDE;
    }
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        int64_t place = crn_dy[d] * 0x10000 + crn_dx[d],
                slot = crn_dy[d] * (int)CRN_TILE_SIDE + crn_dx[d];
        bf->spot_step[d] = (uint64_t)place + ((uint64_t)slot << 56);
    }
    return bf;
}

static void best_first_unmake(cairn_search *search, crn_best_first *bf)
{
    if (!bf) return;
    crn_scratch_free(&search->memory, bf->came, bf->came_capacity * sizeof *bf->came);
    crn_scratch_free(&search->memory, bf->estimate.room,
                     bf->room_capacity * sizeof *bf->estimate.room);
    crn_records_close(&bf->tiles);
    crn_records_close(&bf->pages);
    crn_best_first_close_list(bf);
    crn_scratch_free(&search->memory, bf, sizeof *bf);
}

cairn_status crn_best_first_open(cairn_search *search)
{
    search->scratch = best_first_make(search);
    return search->scratch ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

void crn_best_first_close(cairn_search *search)
{
    best_first_unmake(search, search->scratch);
}

/* Can one of the grid loops do it? */
static bool best_first_on_grid(const crn_best_first *bf)
{
    bool generic = bf->settings.generic || bf->settings.sight || best_first_is_chain(bf) ||
                   best_first_is_plugged(bf);
    return bf->space->world == CAIRN_WORLD_GRID && !generic && !bf->search->query.estimate;
}

/* Weighted A* on a uniform grid: buckets reopen nodes, the heap need not. With canonical moves
 * nearly every cell is found on one path, so that few are reopened for a small weight. Up to 1.5
 * buckets took 0.09 to 0.71 times the time of the heap on such maps (docs/open-lists.md), for 2 up
 * to 1.3 times, for 3 up to 3.3 times. */
static void best_first_choose_list(crn_best_first *bf)
{
    crn_settings *settings = &bf->settings;
    if (!settings->automatic || settings->estimate_weight > 384 || !best_first_on_grid(bf) ||
        settings->tie != CRN_TIE_LARGE_G || !(bf->search->planner->bound > 0))
        return;
    const crn_grid_space *map = crn_grid_space_of(bf->space);
    if (!map->uniform || map->hex) return;
    settings->open = CRN_OPEN_BUCKETS;
    settings->keep = CRN_KEEP_CHEAPEST;
}

/* Memory that the plug needs for a query. */
static cairn_status best_first_make_room(crn_best_first *bf)
{
    const crn_heuristic *plug = bf->settings.plug;
    void *room = bf->estimate.room;
    if (!plug || !plug->room) return CAIRN_OK;
    bool enough = crn_scratch_grow(&bf->search->memory, &room, &bf->room_capacity,
                                   plug->room(plug->data), sizeof *bf->estimate.room);
    bf->estimate.room = room;
    return enough ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* Grid records or generic ones, made when they are first needed. */
static cairn_status best_first_prepare_records(crn_best_first *bf)
{
    bool grid = best_first_on_grid(bf);
    bf->map = grid ? crn_grid_space_of(bf->space) : NULL;
    bf->linked = grid && bf->map->links.count;
    bf->view =
        bf->settings.generic || bf->search->query.estimate ? NULL : crn_abstract_view_of(bf->space);
    void *came = bf->came;
    if (grid && bf->map->links.count &&
        !crn_scratch_grow(&bf->search->memory, &came, &bf->came_capacity,
                          bf->map->links.target_count, sizeof *bf->came)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    bf->came = came;
    bf->records = grid ? &bf->tiles : &bf->pages;
    uint32_t pages = (bf->space->node_count + CRN_PAGE - 1) / CRN_PAGE;
    if (grid) {
        bf->tile_columns = (bf->map->grid->width + CRN_TILE_SIDE - 1) / CRN_TILE_SIDE;
        pages = bf->tile_columns * ((bf->map->grid->height + CRN_TILE_SIDE - 1) / CRN_TILE_SIDE);
    }
    cairn_status status = CAIRN_OK;
    crn_best_first_choose_extra(bf);
    if (bf->records->page_count < pages || bf->records->extra != bf->extra)
        crn_records_close(bf->records); /* abstract graphs may grow */
    if (bf->records->table) {
        crn_records_reset(bf->records);
    } else {
        status = crn_records_open(bf->records, &bf->search->memory, pages, !grid, bf->extra);
    }
    bf->table = bf->records->table;
    return status;
}

/* g + h·w/256 without a fraction: the smallest whole numbers in that proportion. Rounding instead
 * would make a consistent estimate inconsistent by a unit. */
static void best_first_choose_factors(crn_best_first *bf)
{
    uint32_t one = 256, weight = bf->settings.estimate_weight,
             common = crn_lowest_bit(weight | one);
    one >>= common;
    weight >>= common;
    bf->g_factor = bf->settings.cost_weight ? one : 0;
    bf->h_factor = bf->settings.cost_weight ? weight : 1;
}

static void best_first_set_watch(crn_best_first *bf)
{
    cairn_cost usual = bf->traced ? 0 : bf->overflow;
    bf->watch = bf->linked ? 0 : usual;
    bf->calm = bf->linked ? usual : 0;
}

/* All moves are needed, not only those in canonical order, where closed nodes are not reopened, and
 * with estimates that promise nothing. */
static void best_first_begin_map(crn_best_first *bf)
{
    const crn_grid_space *map = bf->map;
    bool canonical = bf->settings.keep == CRN_KEEP_CHEAPEST && bf->search->planner->bound > 0;
    bf->moves = canonical ? map->canonical : map->moves;
    best_first_set_watch(bf);
    memcpy(bf->step, map->step, sizeof bf->step);
    bf->usable = map->usable;
    bf->straight = map->step[CRN_N];
    bf->shortcut = bf->straight - (map->step[CRN_NE] - bf->straight);
}

/* Abstract graphs, with A* or Dijkstra and the graph's own estimate. */
static void best_first_begin_view(crn_best_first *bf)
{
    bool blind = bf->settings.heuristic == CAIRN_HEURISTIC_NULL || bf->view->metric.blind;
    bf->metric = blind ? (crn_metric){0} : bf->view->metric;
    bf->goal_x = (int32_t)bf->estimate.box.x0;
    bf->goal_y = (int32_t)bf->estimate.box.y0;
}

static void best_first_clear(crn_best_first *bf)
{
    bf->goal_found = bf->is_pending = false;
    bf->work = bf->expanded = bf->generated = bf->reopened = bf->pushes = bf->from_hand =
        bf->overflowed = 0;
    bf->left = bf->lines = bf->floor = bf->lift = 0;
    bf->marked = 0;
    bf->hand.page = NULL;
}

/* Uses the heap where one step may raise the estimate by more than the ring of buckets is made for,
 * and bands where keys fall. */
static void best_first_heed_facts(crn_best_first *bf)
{
    crn_settings *settings = &bf->settings;
    bf->bands = settings->bpmx && settings->open == CRN_OPEN_HEAP; /* the narrowest */
    if (!settings->plug) return;
    crn_heuristic_facts facts =
        crn_heuristic_facts_of(settings->plug, bf->space, settings->heuristic);
    bool smooth = facts.rise <= 2 * (uint64_t)bf->space->max_edge;
    if (settings->open == CRN_OPEN_BUCKETS && (!smooth || facts.band))
        settings->open = CRN_OPEN_HEAP;
    if (facts.band && settings->open == CRN_OPEN_HEAP) {
        uint32_t bit = crn_highest_bit(bf->space->min_edge | 1) + crn_highest_bit(facts.band);
        bf->bands = (UINT64_C(1) << (bit < 4 ? 1 : bit - 3)) - 1;
    }
}

static void best_first_begin_counters(crn_best_first *bf)
{
    best_first_choose_factors(bf);
    const cairn_query *query = &bf->search->query;
    bf->limit = query->max_cost ? query->max_cost : CAIRN_COST_MAX;
    /* A key is a lower bound of the cost through a node only if estimates never exceed it. */
    bool exact = bf->search->planner->optimal && !query->estimate && query->max_cost;
    bf->bound = exact ? bf->g_factor * ((uint64_t)query->max_cost + 1) : CRN_NO_BOUND;
    bf->overflow = CAIRN_NO_COST - bf->space->max_edge;
    best_first_clear(bf);
    crn_search_bind(&bf->estimate, bf->search, bf->settings.plug, bf->settings.heuristic);
    bool costly = query->estimate || bf->estimate.box.gate_count || best_first_is_plugged(bf) ||
                  (bf->view && crn_abstract_view_sees_gates(bf->view));
    bf->batch = costly ? BEST_FIRST_SMALL_BATCH : BEST_FIRST_BATCH;
    if (bf->map) best_first_begin_map(bf);
    if (bf->view) best_first_begin_view(bf);
}

/* Writes the record of a start: cost 0, no parent. Returns its mark. */
static uint32_t best_first_write_start(crn_best_first *bf, crn_place start)
{
    uint32_t slot;
    crn_page *page = best_first_page(bf, start, &slot);
    page->g[slot] = 0;
    page->mark[slot] |= CRN_MARK_SEEN;
    if (bf->map) {
        page->mark[slot] |= CRN_NO_ARRIVAL;
    } else {
        page->parent[slot] = CAIRN_NO_NODE;
    }
    return page->mark[slot];
}

/* Puts the start on the open list. A start that is a goal ends the search. */
static void best_first_push_start(crn_best_first *bf, crn_place start, uint64_t key)
{
    uint32_t mark = best_first_write_start(bf, start);
    bf->generated = bf->pushes = 1;
    if (bf->settings.open == CRN_OPEN_BUCKETS) {
        crn_buckets_begin_at(&bf->buckets, key);
        if (best_first_by_entry(bf)) {
            bf->generated = 0;
            bf->hand.page = best_first_spot_page(bf, start, &bf->hand.spot);
        } else {
            crn_buckets_push(&bf->buckets, key, start.value);
        }
    } else {
        crn_best_first_push_list(bf, key, 0, start);
    }
    if (mark & CRN_MARK_GOAL) crn_best_first_note_goal(bf, start, 0);
}

/* Counts pushes. With fast expansion, nodes expanded from the hand were never on the list. The
 * start, which is first in hand, counts as pushed, as in every other loop. */
static uint64_t best_first_pushes(const crn_best_first *bf)
{
    return bf->settings.fast && bf->from_hand ? bf->pushes - (bf->from_hand - 1) : bf->pushes;
}

#if defined(CAIRN_CHECKS)
/* The end of a query: records and open list, as far as that is little beside the work. */
static void best_first_check(const crn_best_first *bf)
{
    const crn_records *records = bf->records;
    if (bf->search->memory.failed) return;
    CRN_CHECK_RIGHT(bf->search->context, crn_best_first_check_list(bf));
    if (crn_check_pays(records->page_count + (uint64_t)CRN_PAGE * records->touched_count, bf->work))
        CRN_CHECK_RIGHT(bf->search->context, crn_records_check(records));
}
#endif

/* Updates the metrics after each slice, and reports the end after the last one. */
static cairn_status best_first_pause(crn_best_first *bf, cairn_status status)
{
    cairn_search *search = bf->search;
#if defined(CAIRN_CHECKS)
    if (status != CAIRN_RUNNING) best_first_check(bf);
#endif
    if (status == CAIRN_UNREACHABLE && search->query.goal_kind == CAIRN_GOAL_NONE)
        status = CAIRN_FOUND;
    uint64_t bytes = sizeof *bf + crn_records_bytes(bf->records) + crn_best_first_list_bytes(bf) +
                     bf->room_capacity * sizeof *bf->estimate.room;
    const cairn_metrics *before = &bf->before;
    search->metrics = (cairn_metrics){
        .work = before->work + bf->work,
        .expanded = before->expanded + bf->expanded,
        .generated = before->generated + bf->generated + (best_first_by_entry(bf) ? bf->pushes : 0),
        .reopened = before->reopened + bf->reopened,
        .pushes = before->pushes + best_first_pushes(bf),
        .peak_bytes = bytes > before->peak_bytes ? bytes : before->peak_bytes,
        .lines = bf->lines,
    };
    if (status == CAIRN_FOUND && bf->goal_found && search->traced && !search->subsearch) {
        crn_best_first_trace(bf, CAIRN_EVENT_END, bf->goal);
    }
    return status;
}

enum { BEST_FIRST_GOALS = 256, BEST_FIRST_GOAL_PAGES = 2 }; /* for a unit of work */

/* Marks some of the goals. Returns whether it was the last of them. */
static bool best_first_mark(crn_best_first *bf)
{
    const cairn_search *search = bf->search;
    size_t end = bf->marked + BEST_FIRST_GOALS;
    uint32_t most = bf->records->touched_count + BEST_FIRST_GOAL_PAGES, slot;
    if (end > search->goal_count) end = search->goal_count;
    for (; bf->marked < end && bf->records->touched_count < most; bf->marked++) {
        crn_page *page =
            best_first_page(bf, best_first_place(bf, search->goals[bf->marked]), &slot);
        page->mark[slot] |= CRN_MARK_GOAL;
    }
    return bf->marked == search->goal_count || search->memory.failed;
}

/* Marks the goals, in several units of work if they are many, and pushes the start. */
static cairn_status best_first_enter(crn_best_first *bf, crn_place start, uint64_t start_key)
{
    cairn_search *search = bf->search;
    if (!bf->marked) best_first_write_start(bf, start); /* a budget may end before the last goal */
    if (!bf->marked && search->traced)
        crn_search_announce(search, crn_best_first_estimate(bf, start));
    if (CRN_UNLIKELY(!best_first_mark(bf))) return CAIRN_RUNNING;
    best_first_push_start(bf, start, start_key);
    if (search->memory.failed) return CAIRN_OUT_OF_MEMORY;
    return bf->goal_found ? crn_best_first_ended(bf) : CAIRN_RUNNING;
}

cairn_status crn_best_first_begin(cairn_search *search)
{
    crn_best_first *bf = best_first_of(search);
    bf->before = search->metrics;
    bf->settings = *(const crn_settings *)search->planner->index;
    /* A user's estimate may jump farther than the buckets reach, and need not be consistent. */
    if (search->query.estimate && bf->settings.open == CRN_OPEN_BUCKETS)
        bf->settings.open = CRN_OPEN_HEAP;
    if (search->query.estimate && bf->settings.keep == CRN_KEEP_CHEAPEST_OPEN &&
        !bf->settings.sight) {
        bf->settings.keep = CRN_KEEP_CHEAPEST;
    }
    if (search->query.estimate) bf->settings.plug = NULL;
    if (search->query.goal_kind == CAIRN_GOAL_NONE) {
        bf->settings.plug = NULL;
        bf->settings.heuristic = CAIRN_HEURISTIC_NULL;
    }
    best_first_choose_list(bf);
    best_first_heed_facts(bf);
    bf->traced = search->traced;
    bf->attentive = bf->traced || bf->settings.fast || bf->settings.bpmx;
    cairn_status status = best_first_make_room(bf);
    if (status == CAIRN_OK) status = best_first_prepare_records(bf);
    if (status != CAIRN_OK) return status;
    best_first_begin_counters(bf);
    crn_place start = best_first_place(bf, search->query.from);
    uint64_t start_key = best_first_key(bf, 0, crn_best_first_estimate(bf, start));
    status = crn_best_first_prepare_list(bf, start_key);
    if (status != CAIRN_OK) return status;
    bf->loop = crn_best_first_choose(bf);
    bf->reads_ahead = bf->map && crn_landmarks_tiled(&bf->estimate);
    return best_first_pause(bf, best_first_enter(bf, start, start_key));
}

void crn_best_first_begin_too(cairn_search *search, const cairn_node *nodes, uint32_t count)
{
    crn_best_first *bf = best_first_of(search);
    for (uint32_t i = 0; i < count; i++) {
        crn_place start = best_first_place(bf, nodes[i]);
        best_first_write_start(bf, start);
        bf->pushes++;
        if (best_first_by_entry(bf)) {
            crn_spot spot;
            best_first_spot_page(bf, start, &spot);
            crn_buckets_push(&bf->buckets, 0, best_first_spot_entry(spot));
            continue;
        }
        bf->generated++;
        crn_best_first_push_list(bf, 0, 0, start);
    }
}

bool crn_best_first_repeats(const cairn_search *search)
{
    return search->planner->algorithm->begin == crn_best_first_begin &&
           crn_best_first_is_octile(best_first_of(search));
}

cairn_status crn_best_first_begin_again(cairn_search *search)
{
    crn_best_first *bf = best_first_of(search);
    crn_place start = best_first_place(bf, search->query.from),
              goal = best_first_place(bf, search->goals[0]);
    crn_records_reset(bf->records);
    crn_buckets_clear(&bf->buckets);
    best_first_clear(bf);
    bf->bound = CRN_NO_BOUND;
    best_first_set_watch(bf);
    bf->estimate.box.left = bf->estimate.box.right = (int32_t)(goal.value & 0xffff);
    bf->estimate.box.top = bf->estimate.box.bottom = (int32_t)(goal.value >> 16);
    return best_first_enter(bf, start, best_first_octile(bf, start));
}

/* Goes on marking goals. Returns the units of work that are left of these. */
static CRN_NOINLINE uint64_t best_first_enter_on(crn_best_first *bf, uint64_t work,
                                                 cairn_status *status)
{
    crn_place start = best_first_place(bf, bf->search->query.from);
    uint64_t key = best_first_key(bf, 0, crn_best_first_estimate(bf, start));
    for (; work && bf->marked < bf->search->goal_count && *status == CAIRN_RUNNING; work--) {
        bf->work++;
        *status = best_first_enter(bf, start, key);
    }
    return work;
}

cairn_status crn_best_first_step(cairn_search *search, uint64_t work)
{
    crn_best_first *bf = best_first_of(search);
    cairn_status status = CAIRN_RUNNING;
    if (CRN_UNLIKELY(bf->marked < search->goal_count))
        work = best_first_enter_on(bf, work, &status);
    if (work && status == CAIRN_RUNNING) status = bf->loop(bf, work);
    return best_first_pause(bf, status);
}
