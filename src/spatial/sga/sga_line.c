/* sga_line.c: straight lines from cell to cell. See sga_line.h. */
#include "spatial/sga/sga_line.h"
#include "path/line.h"

/* The direction of a step (x, y), each −1, 0 or 1, out of an even and out of an odd row; on
 * hexagons in axial coordinates. */
CRN_INLINE void sga_line_direction(bool hex, int32_t x, int32_t y, uint8_t out[2])
{
    static const uint8_t squares[3][3] = {
        {CRN_NW, CRN_N, CRN_NE}, {CRN_W, 0, CRN_E}, {CRN_SW, CRN_S, CRN_SE}};
    static const uint8_t even[3][3] = {{0, CRN_NW, CRN_N}, {CRN_W, 0, CRN_E}, {CRN_SW, CRN_S, 0}};
    static const uint8_t odd[3][3] = {{0, CRN_N, CRN_NE}, {CRN_W, 0, CRN_E}, {CRN_S, CRN_SE, 0}};
    out[0] = hex ? even[y + 1][x + 1] : squares[y + 1][x + 1];
    out[1] = hex ? odd[y + 1][x + 1] : out[0];
}

void crn_sga_line_begin(crn_sga_line *line, const crn_grid_space *map, cairn_cell from,
                        cairn_cell to)
{
    line->at = from;
    if (map->hex) {
        from = crn_line_to_axial(from);
        to = crn_line_to_axial(to);
    }
    int32_t x = (to.x > from.x) - (to.x < from.x), y = (to.y > from.y) - (to.y < from.y);
    int32_t wide = (to.x - from.x) * x, high = (to.y - from.y) * y;
    /* One step along both axes: not with four neighbours, and on hexagons only up to the right and
     * down to the left. */
    bool both = map->hex ? x * y < 0 : map->profile.neighbours == CAIRN_NEIGHBOURS_8;
    if (both && wide >= high) {
        sga_line_direction(map->hex, x, 0, line->direction[0]);
        sga_line_direction(map->hex, x, y, line->direction[1]);
        wide -= high;
    } else if (both) {
        sga_line_direction(map->hex, 0, y, line->direction[0]);
        sga_line_direction(map->hex, x, y, line->direction[1]);
        int32_t rest = high - wide;
        high = wide;
        wide = rest;
    } else {
        sga_line_direction(map->hex, x, 0, line->direction[0]);
        sga_line_direction(map->hex, 0, y, line->direction[1]);
    }
    line->second = high;
    line->steps = wide + high;
    line->error = line->steps / 2;
    line->left = (uint32_t)line->steps;
}
