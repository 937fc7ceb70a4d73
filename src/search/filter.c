/* filter.c: queries with obstacles and costs of their own. See filter.h. */
#include "search/filter.h"
#include "search/astar.h"
#include "world/view.h"

typedef struct crn_filter {
    crn_view view;
    crn_patch_table table;
    cairn_planner planner; /* on the view; without an algorithm it is not made yet */
    void *scratch;         /* of the planner that does not answer now: of this one, or of `asked` */
    crn_patch_cell *cells;
    size_t capacity;
} crn_filter;

/* ---- what the filter says ---- */

static bool filter_before(const void *a, const void *b)
{
    return ((const crn_patch_cell *)a)->node < ((const crn_patch_cell *)b)->node;
}

/* Ascending, each once. */
static uint32_t filter_merge(crn_patch_cell *cells, uint32_t count)
{
    uint32_t kept = 0;
    crn_sort(cells, count, sizeof *cells, filter_before);
    for (uint32_t i = 0; i < count; i++) {
        crn_patch_cell *last = kept ? &cells[kept - 1] : NULL;
        if (!last || last->node != cells[i].node) {
            cells[kept++] = cells[i];
            continue;
        }
        last->extra = crn_saturate((uint64_t)last->extra + cells[i].extra);
        if (cells[i].mode == CRN_VIEW_BLOCKED) last->mode = CRN_VIEW_BLOCKED;
    }
    return kept;
}

static cairn_status filter_take_cells(crn_filter *filter, cairn_search *search)
{
    const cairn_filter *asked = search->query.filter;
    const cairn_space *ground = search->asked->space;
    void *cells = filter->cells;
    if (asked->cell_count && !asked->cells) return CAIRN_INVALID;
    if (!crn_scratch_grow(&search->memory, &cells, &filter->capacity, asked->cell_count,
                          sizeof *filter->cells))
        return CAIRN_OUT_OF_MEMORY;
    filter->cells = cells;
    for (uint32_t i = 0; i < asked->cell_count; i++) {
        const cairn_filter_cell *cell = &asked->cells[i];
        if (cell->node >= ground->node_count) return CAIRN_OUT_OF_BOUNDS;
        uint64_t extra = (uint64_t)ground->scale.straight * cell->extra / 256;
        uint8_t mode = cell->blocked ? CRN_VIEW_BLOCKED : CRN_VIEW_AS_IS;
        filter->cells[i] =
            (crn_patch_cell){.node = cell->node, .extra = crn_saturate(extra), .mode = mode};
    }
    filter->view.cells = filter->cells;
    filter->view.patch.count = filter_merge(filter->cells, asked->cell_count);
    return CAIRN_OK;
}

static cairn_status filter_take(crn_filter *filter, cairn_search *search)
{
    const uint16_t *costs = search->query.filter->terrain_cost;
    cairn_status status = filter_take_cells(filter, search);
    if (status != CAIRN_OK) return status;
    if (costs) crn_patch_table_fill(&filter->table, filter->view.ground, costs);
    filter->view.patch.table = costs ? &filter->table : NULL;
    crn_view_learn(&filter->view);
    return CAIRN_OK;
}

/* ---- who answers ---- */

/* Makes the planner that answers, as cairn_planner_create would on the view. */
static cairn_status filter_make_planner(crn_filter *filter, const cairn_planner *asked)
{
    bool itself = asked->algorithm->info.flags & CAIRN_FILTERS;
    const crn_algorithm *algorithm = itself ? asked->algorithm : &crn_algorithm_astar;
    cairn_planner *planner = &filter->planner;
    if (planner->algorithm) return CAIRN_OK;
    planner->space = &filter->view.base;
    planner->algorithm = algorithm;
    for (uint32_t i = 0; i < algorithm->info.parameter_count; i++)
        planner->parameters[i] =
            itself ? asked->parameters[i] : algorithm->info.parameters[i].default_value;
    cairn_status status = algorithm->create(planner, NULL);
    if (status != CAIRN_OK) planner->algorithm = NULL;
    return status;
}

static cairn_status filter_make(cairn_search *search)
{
    if (search->filter) return CAIRN_OK;
    crn_filter *filter = crn_scratch_alloc(&search->memory, sizeof *filter);
    if (!filter) return CAIRN_OUT_OF_MEMORY;
    memset(filter, 0, sizeof *filter);
    crn_view_init(&filter->view, (crn_grid_space *)(void *)search->asked->space);
    search->filter = filter;
    return CAIRN_OK;
}

/* Exchanges the scratch of the planner that was asked with that of the filter's. */
static void filter_swap(cairn_search *search, cairn_planner *planner)
{
    void *scratch = search->scratch;
    search->scratch = search->filter->scratch;
    search->filter->scratch = scratch;
    search->planner = planner;
    search->space = planner->space;
    search->filtered = planner == &search->filter->planner;
}

cairn_status crn_filter_enter(cairn_search *search)
{
    if (!crn_grid_space_of(search->asked->space)) return CAIRN_UNSUPPORTED;
    crn_search_recall(search);
    cairn_status status = filter_make(search);
    if (status == CAIRN_OK) status = filter_take(search->filter, search);
    if (status == CAIRN_OK) status = filter_make_planner(search->filter, search->asked);
    if (status != CAIRN_OK) return status;
    filter_swap(search, &search->filter->planner);
    if (search->scratch) return CAIRN_OK;
    status = search->planner->algorithm->open(search);
    if (status == CAIRN_OK) return status;
    search->planner->algorithm->close(search);
    search->scratch = NULL;
    crn_filter_leave(search);
    return status;
}

void crn_filter_leave(cairn_search *search)
{
    if (search->filtered) filter_swap(search, search->asked);
}

void crn_filter_close(cairn_search *search)
{
    crn_filter *filter = search->filter;
    if (!filter) return;
    if (filter->scratch) {
        filter_swap(search, &filter->planner);
        search->planner->algorithm->close(search);
        search->scratch = NULL;
        crn_filter_leave(search);
    }
    if (filter->planner.algorithm) filter->planner.algorithm->destroy(&filter->planner);
    crn_scratch_free(&search->memory, filter->cells, filter->capacity * sizeof *filter->cells);
    crn_scratch_free(&search->memory, filter, sizeof *filter);
    search->filter = NULL;
}

const crn_space_link *crn_filter_link(const cairn_search *search, cairn_node a, cairn_node b)
{
    return crn_view_link_used(&search->filter->view, a, b);
}
