/* best_first.c: the instances of the best-first loop, and what surrounds them: settings,
 * the beginning and the end of a query, and reading the result off the records.
 *
 * Three kinds of instance. `uniform`: a grid on which only straight and diagonal differ, by far
 * the most frequent case; the eight relaxations are unrolled, and for a cell inside its
 * tile (three of four) they are constant offsets from one page. `grid`: any grid. `any`: any
 * space through its table of functions, with parents instead of directions; it is the
 * reference that the others are tested against.
 */
#include "search/best_first.h"

typedef void best_first_relax(crn_best_first *bf, crn_page *page, uint32_t slot, crn_place place,
                              uint32_t link, uint64_t g);

/* ---- places and pages ---- */

/* Number of the page and slot in it. */
CRN_INLINE uint32_t best_first_grid_locate(const crn_best_first *bf, crn_place place, uint32_t *slot)
{
    uint32_t x = place.value & 0xffff, y = place.value >> 16;
    *slot = (y & 15) << 4 | (x & 15);
    return (y >> 4) * bf->tile_columns + (x >> 4);
}

CRN_INLINE uint32_t best_first_any_locate(crn_place place, uint32_t *slot)
{
    *slot = place.value % CRN_PAGE;
    return place.value / CRN_PAGE;
}

CRN_INLINE crn_page *best_first_grid_page(crn_best_first *bf, crn_place place, uint32_t *slot)
{
    return crn_records_page(bf->records, best_first_grid_locate(bf, place, slot));
}

CRN_INLINE crn_page *best_first_any_page(crn_best_first *bf, crn_place place, uint32_t *slot)
{
    return crn_records_page(bf->records, best_first_any_locate(place, slot));
}

#define best_first_uniform_page best_first_grid_page

static crn_page *best_first_page(crn_best_first *bf, crn_place place, uint32_t *slot)
{
    return bf->map ? best_first_grid_page(bf, place, slot) : best_first_any_page(bf, place, slot);
}

static crn_place best_first_place(const crn_best_first *bf, cairn_node node)
{
    if (!bf->map) return (crn_place){node};
    uint32_t width = bf->map->grid->width;
    return (crn_place){node / width << 16 | node % width};
}

static cairn_node best_first_node(const crn_best_first *bf, crn_place place)
{
    if (!bf->map) return place.value;
    return (place.value >> 16) * bf->map->grid->width + (place.value & 0xffff);
}

/* The place one step in a direction away. Coordinates are never negative here, so adding
 * to both halves of the word at once is safe. */
CRN_INLINE crn_place best_first_beside(crn_place place, uint32_t direction)
{
    static const uint32_t offsets[CRN_DIRECTIONS] = {
        0u - 0x10000, 1, 0x10000, 0u - 1, 1u - 0x10000, 0x10000 + 1, 0x10000u - 1u, 0u - 0x10000 - 1};
    return (crn_place){place.value + offsets[direction]};
}

static cairn_node best_first_parent(const crn_best_first *bf, crn_place place, uint32_t link)
{
    if (!bf->map) return link;
    if ((link & CRN_MARK_LINK) == CRN_NO_ARRIVAL) return CAIRN_NO_NODE;
    /* Directions are numbered so that flipping bit 1 turns one round. */
    return best_first_node(bf, best_first_beside(place, (link & CRN_MARK_LINK) ^ 2));
}

/* ---- keys ---- */

CRN_INLINE uint64_t best_first_key(const crn_best_first *bf, cairn_cost g, uint64_t h)
{
    return bf->g_factor * g + bf->h_factor * h;
}

static uint32_t best_first_tie(const crn_best_first *bf, cairn_cost g)
{
    switch (bf->settings.tie) {
    case CRN_TIE_LARGE_G: return ~g;
    case CRN_TIE_SMALL_G: return g;
    case CRN_TIE_FIRST_IN: return bf->heap.pushed;
    default: return 0; /* the heap itself prefers the last in */
    }
}

/* Of a uniform grid, in 64 bits that need no saturation. */
CRN_INLINE uint64_t best_first_octile(const crn_best_first *bf, crn_place place)
{
    int32_t x = (int32_t)(place.value & 0xffff), y = (int32_t)(place.value >> 16);
    uint64_t dx = crn_outside(x, bf->box.left, bf->box.right),
             dy = crn_outside(y, bf->box.top, bf->box.bottom);
    uint64_t low = dx < dy ? dx : dy;
    return bf->step.straight * (dx + dy) - bf->shortcut * low;
}

#define best_first_scaled_octile best_first_octile

CRN_INLINE uint64_t best_first_nothing(const crn_best_first *bf, crn_place place)
{
    (void)bf;
    (void)place;
    return 0;
}

static uint64_t best_first_estimate(const crn_best_first *bf, crn_place place)
{
    cairn_node node = best_first_node(bf, place);
    const cairn_query *query = &bf->search->query;
    if (query->estimate) return query->estimate(query->estimate_user, node);
    if (bf->settings.heuristic == CAIRN_HEURISTIC_NULL) return 0;
    return bf->space->functions->estimate(bf->space, bf->settings.heuristic, node, &bf->box);
}

/* ---- what the loop asks and tells ---- */

/* Does the rule of which way to keep want this one? Of several edges between the same two
 * nodes (graphs) the cheapest is kept in any case. */
static bool best_first_wants(const crn_best_first *bf, const crn_page *page, uint32_t slot, uint32_t link,
                             uint64_t g)
{
    if (g > CAIRN_COST_MAX) return false;
    bool seen = page->g[slot] != CAIRN_NO_COST, cheaper = g < page->g[slot];
    bool same = seen && !bf->map && page->parent[slot] == link;
    switch (bf->settings.keep) {
    case CRN_KEEP_CHEAPEST: return cheaper;
    case CRN_KEEP_CHEAPEST_OPEN: return cheaper && !(page->mark[slot] & CRN_MARK_CLOSED);
    case CRN_KEEP_FIRST: return same ? cheaper : !seen;
    default: return !(page->mark[slot] & CRN_MARK_CLOSED) && (!same || cheaper);
    }
}

/* A goal was reached: with bins its cost bounds the rest of the search. */
static void best_first_note_goal(crn_best_first *bf, crn_place place, cairn_cost g)
{
    if (bf->goal_found && g >= bf->goal_cost) return;
    bf->goal_found = true;
    bf->goal = place;
    bf->goal_cost = g;
    if (bf->settings.open == CRN_OPEN_BINS) bf->bound = best_first_key(bf, g, 0);
}

static cairn_status best_first_ended(crn_best_first *bf)
{
    if (bf->goal_found) {
        bf->search->reached_goal = best_first_node(bf, bf->goal);
        return CAIRN_FOUND;
    }
    return bf->spilled && !bf->search->query.max_cost ? CAIRN_COST_OVERFLOW : CAIRN_UNREACHABLE;
}

/* Near the largest cost: which of these edges lead out of 32 bits to a node not seen yet? */
static CRN_NOINLINE void best_first_note_overflow(crn_best_first *bf, cairn_cost g, const cairn_edge *edges,
                                                  uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot;
        crn_page *page = best_first_page(bf, best_first_place(bf, edges[i].node), &slot);
        bool fresh = page->g[slot] == CAIRN_NO_COST && !(page->mark[slot] & CRN_MARK_SPILLED);
        if (!fresh || (uint64_t)g + edges[i].cost <= CAIRN_COST_MAX) continue;
        page->mark[slot] |= CRN_MARK_SPILLED;
        bf->spilled++;
    }
}

/* A node that was closed, or that only too dear ways led to, got a cheaper one. */
static void best_first_note_return(crn_best_first *bf, uint32_t mark)
{
    if (mark & CRN_MARK_CLOSED) bf->reopened++;
    if (mark & CRN_MARK_SPILLED) bf->spilled--;
}

static CRN_NOINLINE void best_first_note_cell_overflow(crn_best_first *bf, cairn_cost g, crn_place place)
{
    cairn_edge edges[CRN_DIRECTIONS];
    uint32_t count =
        bf->space->functions->expand(bf->space, best_first_node(bf, place), 0, edges, CRN_DIRECTIONS);
    best_first_note_overflow(bf, g, edges, count);
}

static void best_first_trace_node(crn_best_first *bf, cairn_event_kind kind, crn_place place)
{
    uint32_t slot;
    crn_page *page = best_first_page(bf, place, &slot);
    uint32_t link = bf->map ? page->mark[slot] : page->parent[slot];
    crn_trace(bf->search, kind, best_first_node(bf, place), best_first_parent(bf, place, link), page->g[slot],
              crn_saturate(best_first_estimate(bf, place)));
}

/* ---- edges ---- */

/* Uniform grid: two costs, and the moves of the 3×3 bits. */
CRN_INLINE void best_first_uniform_edges(crn_best_first *bf, crn_page *page, uint32_t slot, crn_place place,
                                         cairn_cost g, best_first_relax *relax)
{
    uint32_t x = place.value & 0xffff, y = place.value >> 16;
    uint32_t moves = crn_grid_useful_moves(bf->map, x, y, page->mark[slot] & CRN_MARK_LINK);
    uint64_t straight = (uint64_t)g + bf->step.straight, diagonal = (uint64_t)g + bf->step.diagonal;
    if (CRN_LIKELY((x & 15) - 1 < 14 && (y & 15) - 1 < 14)) {
        if (moves & 1u << CRN_N) relax(bf, page, slot - 16, best_first_beside(place, CRN_N), CRN_N, straight);
        if (moves & 1u << CRN_E) relax(bf, page, slot + 1, best_first_beside(place, CRN_E), CRN_E, straight);
        if (moves & 1u << CRN_S) relax(bf, page, slot + 16, best_first_beside(place, CRN_S), CRN_S, straight);
        if (moves & 1u << CRN_W) relax(bf, page, slot - 1, best_first_beside(place, CRN_W), CRN_W, straight);
        if (moves & 1u << CRN_NE)
            relax(bf, page, slot - 15, best_first_beside(place, CRN_NE), CRN_NE, diagonal);
        if (moves & 1u << CRN_SE)
            relax(bf, page, slot + 17, best_first_beside(place, CRN_SE), CRN_SE, diagonal);
        if (moves & 1u << CRN_SW)
            relax(bf, page, slot + 15, best_first_beside(place, CRN_SW), CRN_SW, diagonal);
        if (moves & 1u << CRN_NW)
            relax(bf, page, slot - 17, best_first_beside(place, CRN_NW), CRN_NW, diagonal);
        return;
    }
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), beside_slot;
        crn_place beside = best_first_beside(place, d);
        crn_page *beside_page = best_first_grid_page(bf, beside, &beside_slot);
        relax(bf, beside_page, beside_slot, beside, d, d < CRN_NE ? straight : diagonal);
    }
}

/* Any grid. */
CRN_INLINE void best_first_grid_edges(crn_best_first *bf, crn_page *page, uint32_t slot, crn_place place,
                                      cairn_cost g, best_first_relax *relax)
{
    (void)page;
    (void)slot;
    const crn_grid_space *map = bf->map;
    uint32_t x = place.value & 0xffff, y = place.value >> 16;
    uint32_t moves = crn_grid_moves(map, x, y);
    if (map->limited) moves = crn_grid_limit_moves(map, x, y, moves);
    cairn_node node = best_first_node(bf, place);
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), beside_slot;
        crn_place beside = best_first_beside(place, d);
        crn_page *beside_page = best_first_grid_page(bf, beside, &beside_slot);
        cairn_cost cost = crn_grid_step_cost(map, node, best_first_node(bf, beside), d);
        relax(bf, beside_page, beside_slot, beside, d, (uint64_t)g + cost);
    }
}

/* Any space: a batch of edges is one unit of work; a node with more of them goes on later. */
CRN_INLINE void best_first_any_edges(crn_best_first *bf, crn_place place, best_first_relax *relax)
{
    enum { BATCH = 64 };
    cairn_edge edges[BATCH];
    uint32_t slot;
    cairn_cost g = best_first_any_page(bf, place, &slot)->g[slot];
    uint32_t count = bf->space->functions->expand(bf->space, place.value, bf->pending_edge, edges, BATCH);
    if (CRN_UNLIKELY(g > bf->spill)) best_first_note_overflow(bf, g, edges, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t beside_slot;
        crn_place beside = {edges[i].node};
        crn_page *page = best_first_any_page(bf, beside, &beside_slot);
        relax(bf, page, beside_slot, beside, place.value, (uint64_t)g + edges[i].cost);
    }
    if (count == BATCH) {
        bf->is_pending = true;
        bf->pending = place;
        bf->pending_edge += BATCH;
    }
}

/* ---- the instances ---- */

#define BF_SPACE uniform
#define BF_LIST bins
#define BF_ESTIMATE octile /* and f = g + h */
#include "search/best_first_instance.inc"

#define BF_SPACE uniform
#define BF_LIST bins
#define BF_ESTIMATE scaled_octile /* f = g + w·h */
#include "search/best_first_instance.inc"

#define BF_SPACE uniform
#define BF_LIST bins
#define BF_ESTIMATE nothing
#include "search/best_first_instance.inc"

#define BF_SPACE uniform
#define BF_LIST bins
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE uniform
#define BF_LIST heap
#define BF_ESTIMATE scaled_octile
#include "search/best_first_instance.inc"

#define BF_SPACE grid
#define BF_LIST bins
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE grid
#define BF_LIST heap
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE grid
#define BF_LIST queue
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE grid
#define BF_LIST stack
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE any
#define BF_LIST bins
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE any
#define BF_LIST heap
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE any
#define BF_LIST queue
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

#define BF_SPACE any
#define BF_LIST stack
#define BF_ESTIMATE estimate
#include "search/best_first_instance.inc"

/* The instance for what the query, the space and the settings come to. */
static crn_loop *best_first_choose(const crn_best_first *bf)
{
    static crn_loop *const grid[CRN_OPEN_KINDS][2] = {
        {bf_grid_bins_estimate_0_run, bf_grid_bins_estimate_1_run},
        {bf_grid_heap_estimate_0_run, bf_grid_heap_estimate_1_run},
        {bf_grid_queue_estimate_0_run, bf_grid_queue_estimate_1_run},
        {bf_grid_stack_estimate_0_run, bf_grid_stack_estimate_1_run},
    };
    static crn_loop *const any[CRN_OPEN_KINDS][2] = {
        {bf_any_bins_estimate_0_run, bf_any_bins_estimate_1_run},
        {bf_any_heap_estimate_0_run, bf_any_heap_estimate_1_run},
        {bf_any_queue_estimate_0_run, bf_any_queue_estimate_1_run},
        {bf_any_stack_estimate_0_run, bf_any_stack_estimate_1_run},
    };
    bool traced = bf->search->traced;
    if (!bf->map) return any[bf->settings.open][traced];
    if (bf->map->uniform && bf->settings.heuristic == CAIRN_HEURISTIC_OCTILE) {
        if (bf->settings.open == CRN_OPEN_HEAP) {
            return traced ? bf_uniform_heap_scaled_octile_1_run : bf_uniform_heap_scaled_octile_0_run;
        }
    }
    if (!bf->map->uniform || bf->settings.open != CRN_OPEN_BINS) return grid[bf->settings.open][traced];
    if (bf->settings.heuristic == CAIRN_HEURISTIC_OCTILE) {
        if (bf->settings.estimate_weight == 256 && bf->settings.cost_weight == 1) {
            return traced ? bf_uniform_bins_octile_1_run : bf_uniform_bins_octile_0_run;
        }
        return traced ? bf_uniform_bins_scaled_octile_1_run : bf_uniform_bins_scaled_octile_0_run;
    }
    if (bf->settings.heuristic == CAIRN_HEURISTIC_NULL) {
        return traced ? bf_uniform_bins_nothing_1_run : bf_uniform_bins_nothing_0_run;
    }
    return traced ? bf_uniform_bins_estimate_1_run : bf_uniform_bins_estimate_0_run;
}

/* ---- a planner ---- */

const char *const crn_open_choices[] = {"bins", "heap", NULL};
const char *const crn_tie_choices[] = {"large-g", "small-g", "last-in", "first-in", NULL};
const char *const crn_stop_choices[] = {"goal", "longer", NULL};
const char *const crn_loop_choices[] = {"fast", "generic", NULL};
const char *const crn_reopen_choices[] = {"auto", "yes", NULL};

cairn_status crn_best_first_create(cairn_planner *planner, const crn_settings *preset, cairn_error *error)
{
    cairn_context *context = planner->space->context;
    crn_settings *settings = crn_alloc(context, sizeof *settings);
    if (!settings) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    *settings = *preset;
    int64_t value;
    if (crn_parameter(planner, "heuristic", &value)) settings->heuristic = (cairn_heuristic)value;
    if (crn_parameter(planner, "open", &value)) settings->open = (crn_open_kind)value;
    if (crn_parameter(planner, "tie", &value)) settings->tie = (crn_tie)value;
    if (crn_parameter(planner, "stop", &value)) settings->longer = value != 0;
    if (crn_parameter(planner, "loop", &value)) settings->generic = value != 0;
    if (crn_parameter(planner, "weight", &value)) settings->estimate_weight = (uint32_t)value;
    if (settings->heuristic == CAIRN_HEURISTIC_AUTO) settings->heuristic = planner->space->standard;
    bool cheapest = settings->keep == CRN_KEEP_CHEAPEST && settings->cost_weight &&
                    cairn_heuristic_admissible(planner->space, settings->heuristic);
    if (crn_parameter(planner, "reopen", &value) && value == 0 && settings->open != CRN_OPEN_BINS &&
        crn_heuristic_consistent(planner->space, settings->heuristic)) {
        settings->keep = CRN_KEEP_CHEAPEST_OPEN;
    }
    /* The longer rule and the order of ties are promises that only the heap can keep. */
    if (settings->open == CRN_OPEN_BINS && (settings->longer || settings->tie != CRN_TIE_LARGE_G)) {
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

cairn_status crn_best_first_open(cairn_search *search)
{
    crn_best_first *bf = crn_scratch_alloc(&search->memory, sizeof *bf);
    if (!bf) return CAIRN_OUT_OF_MEMORY;
    memset(bf, 0, sizeof *bf);
    search->scratch = bf;
    bf->search = search;
    bf->memory = &search->memory;
    bf->space = search->space;
    crn_bins_open(&bf->bins, &search->memory);
    crn_heap_open(&bf->heap, &search->memory);
    crn_chain_open(&bf->chain, &search->memory);
    bf->tiles.scratch = bf->pages.scratch = &search->memory;
    return CAIRN_OK;
}

void crn_best_first_close(cairn_search *search)
{
    crn_best_first *bf = search->scratch;
    if (!bf) return;
    crn_records_close(&bf->tiles);
    crn_records_close(&bf->pages);
    crn_chain_close(&bf->chain);
    crn_heap_close(&bf->heap);
    crn_bins_close(&bf->bins);
    crn_scratch_free(&search->memory, bf, sizeof *bf);
}

/* Grid records or generic ones, made when they are first needed. */
static cairn_status best_first_prepare_records(crn_best_first *bf)
{
    bool grid = bf->space->world == CAIRN_WORLD_GRID && !bf->settings.generic && !bf->search->query.estimate;
    bf->map = grid ? crn_grid_space_of(bf->space) : NULL;
    bf->records = grid ? &bf->tiles : &bf->pages;
    uint32_t pages = (bf->space->node_count + CRN_PAGE - 1) / CRN_PAGE;
    if (grid) {
        bf->tile_columns = (bf->map->grid->width + CRN_TILE_SIDE - 1) / CRN_TILE_SIDE;
        pages = bf->tile_columns * ((bf->map->grid->height + CRN_TILE_SIDE - 1) / CRN_TILE_SIDE);
    }
    if (!bf->records->table) return crn_records_open(bf->records, &bf->search->memory, pages, !grid);
    crn_records_reset(bf->records);
    return CAIRN_OK;
}

/* Bins about a third as wide as the cheapest step, a power of two: 2048 units where a step is 5741.
 * Keys rise by at most an edge and the change of the estimate along it, which on grids
 * (Manhattan on a diagonal) may be two steps. Where they may also fall, they do so from
 * about the start's key to the cost of the path. */
static cairn_status best_first_prepare_list(crn_best_first *bf, uint64_t start_key)
{
    if (bf->settings.open == CRN_OPEN_HEAP) crn_heap_reset(&bf->heap);
    if (bf->settings.open == CRN_OPEN_QUEUE || bf->settings.open == CRN_OPEN_STACK)
        crn_chain_reset(&bf->chain);
    if (bf->settings.open != CRN_OPEN_BINS) return CAIRN_OK;
    uint64_t edge = bf->space->max_edge, span = bf->g_factor * edge + bf->h_factor * 2 * edge;
    uint32_t shift = crn_highest_bit(bf->space->min_edge * bf->g_factor * 45 / 128 + 1);
    /* Wider bins would hold ways of many edges, and a node could be expanded again and again
     * before its bin is empty: where the dearest edge costs thousands of the cheapest, sort. */
    if (span >> shift > CRN_BINS_MAX) {
        bf->settings.open = CRN_OPEN_HEAP;
        return best_first_prepare_list(bf, start_key);
    }
    return crn_bins_reset(&bf->bins, shift, bf->search->planner->optimal ? span : span + 2 * start_key);
}

/* g + h·w/256 without a fraction: the smallest whole numbers in that proportion. Rounding instead
 * would make a consistent estimate inconsistent by a unit. */
static void best_first_choose_factors(crn_best_first *bf)
{
    uint32_t one = 256, weight = bf->settings.estimate_weight;
    while (one > 1 && weight % 2 == 0) {
        one /= 2;
        weight /= 2;
    }
    bf->g_factor = bf->settings.cost_weight ? one : 0;
    bf->h_factor = bf->settings.cost_weight ? weight : 1;
}

static void best_first_begin_counters(crn_best_first *bf)
{
    best_first_choose_factors(bf);
    const cairn_query *query = &bf->search->query;
    bf->limit = query->max_cost ? query->max_cost : CAIRN_COST_MAX;
    /* A key is a lower bound of the cost through a node only if estimates never exceed it. */
    bool exact = bf->search->planner->optimal && !query->estimate;
    bf->bound = exact && query->max_cost ? bf->g_factor * ((uint64_t)query->max_cost + 1) : UINT64_MAX;
    bf->spill = bf->space->max_edge >= CAIRN_COST_MAX ? 0 : CAIRN_COST_MAX - bf->space->max_edge;
    bf->goal_found = bf->is_pending = false;
    bf->work = bf->expanded = bf->generated = bf->reopened = bf->pushes = bf->spilled = 0;
    bf->box = bf->search->box;
    if (bf->search->query.goal_kind == CAIRN_GOAL_NONE) bf->settings.heuristic = CAIRN_HEURISTIC_NULL;
    if (bf->map) bf->step = (cairn_scale){bf->map->step[CRN_N], bf->map->step[CRN_NE]};
    bf->shortcut = 2 * (uint64_t)bf->step.straight - bf->step.diagonal;
}

/* The start: cost 0, no parent, first on the open list; a start that is a goal ends it all. */
static void best_first_push_start(crn_best_first *bf, crn_place start, uint64_t key)
{
    uint32_t slot;
    crn_page *page = best_first_page(bf, start, &slot);
    page->g[slot] = 0;
    if (bf->map) {
        page->mark[slot] |= CRN_NO_ARRIVAL;
    } else {
        page->parent[slot] = CAIRN_NO_NODE;
    }
    bf->generated = bf->pushes = 1;
    if (bf->settings.open == CRN_OPEN_BINS) {
        crn_bins_begin_at(&bf->bins, key);
        crn_bins_push(&bf->bins, key, start.value);
    } else if (bf->settings.open == CRN_OPEN_HEAP) {
        crn_heap_push(&bf->heap, key, best_first_tie(bf, 0), start.value);
    } else if (bf->settings.open == CRN_OPEN_QUEUE) {
        crn_chain_push_last(&bf->chain, start.value);
    } else {
        crn_chain_push_first(&bf->chain, start.value);
    }
    if (page->mark[slot] & CRN_MARK_GOAL) best_first_note_goal(bf, start, 0);
}

/* Keeps the books after each slice, and on the last one reports the end. */
static cairn_status best_first_pause(crn_best_first *bf, cairn_status status)
{
    cairn_search *search = bf->search;
    if (status == CAIRN_UNREACHABLE && search->query.goal_kind == CAIRN_GOAL_NONE) status = CAIRN_FOUND;
    size_t list = bf->settings.open == CRN_OPEN_BINS   ? crn_bins_bytes(&bf->bins)
                  : bf->settings.open == CRN_OPEN_HEAP ? crn_heap_bytes(&bf->heap)
                                                       : crn_chain_bytes(&bf->chain);
    search->metrics = (cairn_metrics){
        .work = bf->work,
        .expanded = bf->expanded,
        .generated = bf->generated,
        .reopened = bf->reopened,
        .pushes = bf->pushes,
        .peak_bytes = sizeof *bf + crn_records_bytes(bf->records) + list,
    };
    if (status == CAIRN_FOUND && bf->goal_found && search->traced) {
        best_first_trace_node(bf, CAIRN_EVENT_END, bf->goal);
    }
    return status;
}

cairn_status crn_best_first_begin(cairn_search *search)
{
    crn_best_first *bf = search->scratch;
    bf->settings = *(const crn_settings *)search->planner->index;
    /* An estimate of the user's may jump farther than the ring of bins is long, and need not be
     * consistent. */
    if (search->query.estimate && bf->settings.open == CRN_OPEN_BINS) bf->settings.open = CRN_OPEN_HEAP;
    if (search->query.estimate && bf->settings.keep == CRN_KEEP_CHEAPEST_OPEN) {
        bf->settings.keep = CRN_KEEP_CHEAPEST;
    }
    cairn_status status = best_first_prepare_records(bf);
    if (status != CAIRN_OK) return status;
    best_first_begin_counters(bf);
    crn_place start = best_first_place(bf, search->query.from);
    uint64_t start_key = best_first_key(bf, 0, best_first_estimate(bf, start));
    status = best_first_prepare_list(bf, start_key);
    if (status != CAIRN_OK) return status;
    bf->loop = best_first_choose(bf);
    for (size_t i = 0; i < search->goal_count; i++) {
        uint32_t slot;
        crn_page *page = best_first_page(bf, best_first_place(bf, search->goals[i]), &slot);
        page->mark[slot] |= CRN_MARK_GOAL;
    }
    best_first_push_start(bf, start, start_key);
    if (search->traced) {
        best_first_trace_node(bf, CAIRN_EVENT_SOURCE, start);
        for (size_t i = 0; i < search->goal_count; i++) {
            crn_trace(search, CAIRN_EVENT_DESTINATION, search->goals[i], CAIRN_NO_NODE, CAIRN_NO_COST, 0);
        }
    }
    cairn_status begun = CAIRN_RUNNING;
    if (search->memory.failed) {
        begun = CAIRN_OUT_OF_MEMORY;
    } else if (bf->goal_found) {
        begun = best_first_ended(bf);
    }
    return best_first_pause(bf, begun);
}

cairn_status crn_best_first_step(cairn_search *search, uint64_t work)
{
    crn_best_first *bf = search->scratch;
    return best_first_pause(bf, bf->loop(bf, work));
}

/* ---- reading the records ---- */

static const crn_page *best_first_look(const crn_best_first *bf, cairn_node node, uint32_t *slot)
{
    crn_place place = best_first_place(bf, node);
    uint32_t page = bf->map ? best_first_grid_locate(bf, place, slot) : best_first_any_locate(place, slot);
    return bf->records->table[page];
}

/* The node before this one on its way; CAIRN_NO_NODE for the start. */
static cairn_node best_first_before(const crn_best_first *bf, cairn_node node)
{
    uint32_t slot;
    const crn_page *page = best_first_look(bf, node, &slot);
    return best_first_parent(bf, best_first_place(bf, node), bf->map ? page->mark[slot] : page->parent[slot]);
}

/* Is what the record says the cost of the way that the parents make? Not if a node on that way
 * became cheaper later and was not expanded again: certain only if no closed node ever did, for the
 * goal of an optimal search, after a search of everything, and where the first or last way is kept. */
static bool best_first_exact(const crn_best_first *bf, cairn_node node)
{
    const cairn_search *search = bf->search;
    if (bf->settings.keep != CRN_KEEP_CHEAPEST || bf->reopened == 0) return true;
    if (search->status != CAIRN_FOUND || search->query.estimate || !search->planner->optimal) return false;
    return search->query.goal_kind == CAIRN_GOAL_NONE || node == search->reached_goal;
}

cairn_cost crn_best_first_cost_to(const cairn_search *search, cairn_node node)
{
    const crn_best_first *bf = search->scratch;
    uint32_t slot;
    const crn_page *page = best_first_look(bf, node, &slot);
    if (!page || page->g[slot] == CAIRN_NO_COST) return CAIRN_NO_COST;
    if (best_first_exact(bf, node)) return page->g[slot];
    uint64_t cost = 0;
    for (cairn_node before; (before = best_first_before(bf, node)) != CAIRN_NO_NODE; node = before) {
        cost += cairn_space_step_cost(bf->space, before, node);
    }
    return crn_saturate(cost);
}

cairn_status crn_best_first_path_to(cairn_search *search, cairn_node node)
{
    crn_best_first *bf = search->scratch;
    cairn_cost cost = crn_best_first_cost_to(search, node);
    cairn_status status = CAIRN_OK;
    crn_path_start(search);
    while (status == CAIRN_OK && node != CAIRN_NO_NODE) {
        status = crn_path_add(search, node);
        node = best_first_before(bf, node);
    }
    if (status == CAIRN_OK) crn_path_finish(search, cost);
    return status;
}

cairn_status crn_best_first_reached(const cairn_search *search, cairn_visit *visit, void *user)
{
    const crn_best_first *bf = search->scratch;
    for (cairn_node node = 0; node < bf->space->node_count; node++) {
        uint32_t slot;
        const crn_page *page = best_first_look(bf, node, &slot);
        if (page && page->g[slot] != CAIRN_NO_COST) visit(user, node, crn_best_first_cost_to(search, node));
    }
    return CAIRN_OK;
}
