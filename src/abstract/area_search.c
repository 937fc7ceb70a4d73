/* area_search.c: the costs from a cell to all others of a small area. See area_search.h. */
#include "abstract/area_search.h"

/* The bits around a cell are 9; above them stands how it was entered. Both together are its place
 * in a table of moves. */
#define AREA_PATTERN 9u
#define AREA_EXPANDED (1u << 15)

bool crn_area_search_suits(const crn_grid_space *space)
{
    uint32_t most = CAIRN_COST_MAX / (CRN_AREA_SIDE_MAX * CRN_AREA_SIDE_MAX);
    return space->uniform && !space->hex && !space->limited && space->step[CRN_N] <= most &&
           space->step[CRN_NE] <= most;
}

static uint32_t area_place(const crn_area_search *search, uint32_t x, uint32_t y)
{
    return (y - search->area.top + 1) * search->stride + x - search->area.left + 1;
}

void crn_area_search_open(crn_area_search *search, const crn_grid_space *space, crn_area area)
{
    search->space = space;
    search->area = area;
    search->stride = area.width + 2;
    for (uint32_t y = area.top; y < area.top + area.height; y++) {
        uint16_t *cell = &search->cells[area_place(search, area.left, y)];
        for (uint32_t x = area.left; x < area.left + area.width; x++)
            *cell++ = (uint16_t)crn_grid_pattern(space, x, y);
    }
}

void crn_area_search_refresh(crn_area_search *search, uint32_t x, uint32_t y)
{
    const crn_area *area = &search->area;
    uint32_t right = crn_min_u32(x + 1, area->left + area->width - 1),
             bottom = crn_min_u32(y + 1, area->top + area->height - 1);
    for (uint32_t v = y > area->top ? y - 1 : y; v <= bottom; v++) {
        for (uint32_t u = x > area->left ? x - 1 : x; u <= right; u++)
            search->cells[area_place(search, u, v)] =
                (uint16_t)crn_grid_pattern(search->space, u, v);
    }
}

/* What is left of a search. */
typedef struct area_run {
    crn_area_search *search;
    uint16_t *next[2], *end[2]; /* of both queues */
    int32_t offsets[CRN_DIRECTIONS];
} area_run;

static void area_relax(area_run *run, uint32_t from, uint32_t direction, bool diagonal,
                       cairn_cost cost)
{
    uint32_t to = from + (uint32_t)run->offsets[direction];
    if (cost >= run->search->costs[to]) return;
    uint16_t *cell = &run->search->cells[to];
    run->search->costs[to] = cost;
    *cell = (uint16_t)((*cell & ((1u << AREA_PATTERN) - 1)) | direction << AREA_PATTERN);
    *run->end[diagonal]++ = (uint16_t)to;
}

static void area_expand(area_run *run, uint32_t cell)
{
    const crn_grid_space *space = run->search->space;
    uint32_t entry = run->search->cells[cell];
    uint32_t moves = space->canonical[entry >> AREA_PATTERN][entry & ((1u << AREA_PATTERN) - 1)];
    cairn_cost cost = run->search->costs[cell];
    run->search->cells[cell] = (uint16_t)(entry | AREA_EXPANDED);
    for (uint32_t diagonals = moves >> CRN_NE; diagonals; diagonals &= diagonals - 1)
        area_relax(run, cell, CRN_NE + crn_lowest_bit(diagonals), true, cost + space->step[CRN_NE]);
    for (uint32_t straight = moves & ((1u << CRN_NE) - 1); straight; straight &= straight - 1)
        area_relax(run, cell, crn_lowest_bit(straight), false, cost + space->step[CRN_N]);
}

/* Takes the cheapest cell from the queues; false if both are empty. */
static bool area_next(area_run *run, uint32_t *cell)
{
    const cairn_cost *costs = run->search->costs;
    bool straight = run->next[0] < run->end[0], diagonal = run->next[1] < run->end[1];
    if (!straight && !diagonal) return false;
    bool which = !straight || (diagonal && costs[*run->next[1]] < costs[*run->next[0]]);
    *cell = *run->next[which]++;
    return true;
}

uint32_t crn_area_search_find(crn_area_search *search, cairn_node from)
{
    area_run run = {.search = search};
    uint32_t expanded = 0, width = search->space->grid->width,
             cell = area_place(search, from % width, from / width);
    for (uint32_t i = 0; i < 2; i++) run.next[i] = run.end[i] = search->queues[i];
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++)
        run.offsets[d] = crn_dy[d] * (int32_t)search->stride + crn_dx[d];
    memset(search->costs, 0xff,
           (size_t)search->stride * (search->area.height + 2) * sizeof *search->costs);
    search->costs[cell] = 0;
    search->cells[cell] &= (1u << AREA_PATTERN) - 1;
    search->cells[cell] |= CRN_NO_ARRIVAL << AREA_PATTERN;
    do {
        if (search->cells[cell] & AREA_EXPANDED) continue; /* by a cheaper path */
        area_expand(&run, cell);
        expanded++;
    } while (area_next(&run, &cell));
    return expanded;
}
