/* grid_measure.c: functions of the table of a grid's space: boxes, estimates, lengths, and the
 * cells next to another one or within a radius.
 *
 * With four or six neighbours all estimates are admissible; with eight, all but Manhattan are.
 * Every estimate is multiplied by the cheapest terrain present; extra costs only add.
 */
#include "world/grid_space.h"

#define GRID_MEASURE_SQRT2 1.41421356237309504880

void crn_grid_box_add(const cairn_space *space, cairn_node node, crn_box *box)
{
    cairn_cell cell = cairn_grid_cell(cairn_space_grid(space), node);
    bool empty = box->left > box->right;
    if (empty || cell.x < box->left) box->left = cell.x;
    if (empty || cell.x > box->right) box->right = cell.x;
    if (empty || cell.y < box->top) box->top = cell.y;
    if (empty || cell.y > box->bottom) box->bottom = cell.y;
}

bool crn_grid_admissible(const cairn_space *space, cairn_heuristic heuristic)
{
    return heuristic != CAIRN_HEURISTIC_MANHATTAN ||
           crn_grid_space_of(space)->profile.neighbours != CAIRN_NEIGHBOURS_8;
}

/* The Euclidean estimate is rounded down, so along a step it may change by one unit more than the
 * true distance does. */
bool crn_grid_consistent(const cairn_space *space, cairn_heuristic heuristic)
{
    return heuristic != CAIRN_HEURISTIC_EUCLIDEAN && crn_grid_admissible(space, heuristic);
}

bool crn_grid_uniform(const cairn_space *space)
{
    return crn_grid_space_of(space)->uniform;
}

double crn_grid_length(const cairn_space *space, const crn_path_sums *sums)
{
    double walked =
        (double)sums->straight + (double)sums->diagonal * GRID_MEASURE_SQRT2 + sums->lines;
    return sums->linked ? walked + (double)sums->linked / space->scale.straight : walked;
}

/* ---- next to ---- */

uint32_t crn_grid_next_to(const cairn_space *base, cairn_node goal, uint32_t *at, cairn_node *out)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    cairn_cell cell = cairn_grid_cell(space->grid, goal);
    uint32_t count = 0;
    *at = UINT32_MAX;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        int32_t x = cell.x - crn_dx[d], y = cell.y - crn_dy[d];
        if (!cairn_grid_inside(space->grid, x, y)) continue;
        if (crn_grid_could_step(space, (uint32_t)x, (uint32_t)y, d))
            out[count++] = cairn_grid_node(space->grid, x, y);
    }
    return count;
}

/* ---- within ---- */

static int32_t grid_measure_clamp(double v, uint32_t size)
{
    return v < 0 ? 0 : v > size - 1.0 ? (int32_t)(size - 1) : (int32_t)v;
}

/* Is the centre of b at most so far from the centre of a? In half cells, of which rows of hexagons
 * are √3 apart. */
static bool grid_measure_near(const cairn_grid *grid, cairn_cell a, cairn_cell b, double radius)
{
    bool hex = grid->layout == CAIRN_LAYOUT_HEX;
    double dx = 2.0 * (b.x - a.x) + (hex ? (b.y & 1) - (a.y & 1) : 0), dy = b.y - a.y;
    return dx * dx + (hex ? 3 : 4) * dy * dy <= 4 * radius * radius;
}

/* Row by row, from the *at-th cell of the rectangle round them on. */
uint32_t crn_grid_within(const cairn_space *space, cairn_node goal, double radius, uint32_t *at,
                         cairn_node *out)
{
    const cairn_grid *grid = cairn_space_grid(space);
    cairn_cell cell = cairn_grid_cell(grid, goal);
    bool hex = grid->layout == CAIRN_LAYOUT_HEX;
    double wide = hex ? radius + 1 : radius, high = hex ? radius / CRN_HEX_ROW + 1 : radius;
    int32_t left = grid_measure_clamp(cell.x - wide, grid->width);
    int32_t right = grid_measure_clamp(cell.x + wide, grid->width);
    int32_t top = grid_measure_clamp(cell.y - high, grid->height);
    int32_t bottom = grid_measure_clamp(cell.y + high, grid->height);
    uint32_t width = (uint32_t)(right - left) + 1, cells = width * ((uint32_t)(bottom - top) + 1);
    uint32_t i = *at, end = crn_min_u32(i + CRN_SPACE_PIECE, cells), count = 0;
    for (; i < end; i++) {
        int32_t x = left + (int32_t)(i % width), y = top + (int32_t)(i / width);
        if (grid_measure_near(grid, cell, (cairn_cell){x, y}, radius))
            out[count++] = cairn_grid_node(grid, x, y);
    }
    *at = end < cells ? end : UINT32_MAX;
    return count;
}
