/* areas.c: dividing a space at its narrow passages. See areas.h. */
#include "search/areas.h"

enum { AREAS_BATCH = 16 };

/* ---- areas ---- */

crn_areas crn_areas_of(cairn_space *space)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    return (crn_areas){.space = space, .map = map, .columns = map ? map->grid->width : 0};
}

static bool areas_usable(const crn_areas *areas, cairn_node node)
{
    return areas->space->functions->usable(areas->space, node);
}

/* Marks the cells of runs of at most `width` cells along rows or columns with a bit. */
static void areas_mark_runs(crn_areas *areas, uint32_t width, bool down, uint32_t bit)
{
    uint32_t columns = areas->columns, rows = areas->space->node_count / columns;
    uint32_t lines = down ? columns : rows, length = down ? rows : columns;
    size_t step = down ? columns : 1, line_step = down ? 1 : columns;
    for (uint32_t line = 0; line < lines; line++) {
        for (uint32_t from = 0, to; from < length; from = to + 1) {
            for (to = from; to < length; to++)
                if (!areas_usable(areas, (cairn_node)(line * line_step + to * step))) break;
            for (uint32_t i = from; to - from <= width && i < to; i++)
                areas->kinds[line * line_step + i * step] |= bit;
        }
    }
}

/* Puts the nodes of the same kind that a node leads to into the next area. */
static void areas_flood(crn_areas *areas, cairn_node from)
{
    const cairn_space *space = areas->space;
    uint32_t *queue = areas->queue, head = 0, tail = 0;
    areas->of[from] = areas->count;
    queue[tail++] = from;
    while (head < tail) {
        cairn_node node = queue[head++];
        cairn_edge edges[AREAS_BATCH];
        for (uint32_t first = 0, count = AREAS_BATCH; count == AREAS_BATCH; first += count) {
            count = space->functions->expand(space, node, first, edges, AREAS_BATCH);
            for (uint32_t i = 0; i < count; i++) {
                cairn_node to = edges[i].node;
                if (areas->of[to] != CRN_NO_AREA || areas->kinds[to] != areas->kinds[from])
                    continue;
                areas->of[to] = areas->count;
                queue[tail++] = to;
            }
        }
    }
    areas->count++;
}

void crn_areas_divide(crn_areas *areas, uint32_t width)
{
    uint32_t count = areas->space->node_count;
    memset(areas->of, 0xff, count * sizeof *areas->of);
    memset(areas->kinds, 0, count * sizeof *areas->kinds);
    areas->count = 0;
    if (areas->map) {
        areas_mark_runs(areas, width, false, 1);
        areas_mark_runs(areas, width, true, 2);
    }
    for (cairn_node node = 0; node < count; node++) {
        if (areas->of[node] != CRN_NO_AREA || !areas_usable(areas, node)) continue;
        if (areas->map) {
            areas_flood(areas, node);
        } else {
            areas->of[node] = areas->count++;
        }
    }
}

/* ---- borders ---- */

crn_border *crn_areas_border(const crn_areas *areas, uint32_t a, uint32_t b)
{
    uint64_t hash = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
    size_t mask = areas->capacity - 1, at = (size_t)(hash >> 32) & mask;
    while (areas->borders[at].areas[1] &&
           (areas->borders[at].areas[0] != a || areas->borders[at].areas[1] != b))
        at = (at + 1) & mask;
    return &areas->borders[at];
}

/* A table twice as large. */
static bool areas_grow(crn_areas *areas)
{
    crn_areas larger = *areas;
    larger.capacity = areas->capacity ? 2 * areas->capacity : 1024;
    larger.borders = crn_alloc_zero(areas->space->context,
                                    crn_mul_size(larger.capacity, sizeof *larger.borders));
    if (!larger.borders) return false;
    for (size_t i = 0; i < areas->capacity; i++) {
        const crn_border *border = &areas->borders[i];
        if (border->areas[1])
            *crn_areas_border(&larger, border->areas[0], border->areas[1]) = *border;
    }
    crn_free(areas->space->context, areas->borders, areas->capacity * sizeof *areas->borders);
    areas->borders = larger.borders;
    areas->capacity = larger.capacity;
    return true;
}

static void areas_widen(const crn_areas *areas, crn_border_side *side, cairn_node node)
{
    uint32_t x = areas->columns ? node % areas->columns : node,
             y = areas->columns ? node / areas->columns : 0;
    if (!side->filled) *side = (crn_border_side){.filled = true, x, y, x, y, 0, 0};
    side->left = crn_min_u32(side->left, x);
    side->top = crn_min_u32(side->top, y);
    side->right = crn_max_u32(side->right, x);
    side->bottom = crn_max_u32(side->bottom, y);
}

/* An edge. Nodes are visited in order, so that each is counted once. */
static bool areas_note(crn_areas *areas, cairn_node from, cairn_node to)
{
    uint32_t a = areas->of[from], b = areas->of[to];
    bool turned = a > b;
    if (a == b) return true;
    areas->crossings++;
    if (2 * areas->border_count >= areas->capacity && !areas_grow(areas)) return false;
    crn_border *border = crn_areas_border(areas, turned ? b : a, turned ? a : b);
    if (!border->areas[1]) areas->border_count++;
    border->areas[turned] = a;
    border->areas[!turned] = b;
    crn_border_side *side = &border->sides[turned];
    areas_widen(areas, side, from);
    areas_widen(areas, &border->sides[!turned], to);
    if (!side->count || side->counted != from) side->count++;
    side->counted = from;
    return true;
}

bool crn_areas_find_borders(crn_areas *areas)
{
    const cairn_space *space = areas->space;
    areas->crossings = 0;
    for (cairn_node node = 0; node < space->node_count; node++) {
        cairn_edge edges[AREAS_BATCH];
        if (areas->of[node] == CRN_NO_AREA) continue;
        for (uint32_t first = 0, count = AREAS_BATCH; count == AREAS_BATCH; first += count) {
            count = space->functions->expand(space, node, first, edges, AREAS_BATCH);
            for (uint32_t i = 0; i < count; i++)
                if (!areas_note(areas, node, edges[i].node)) return false;
        }
    }
    return true;
}

void crn_areas_free_borders(crn_areas *areas)
{
    crn_free(areas->space->context, areas->borders, areas->capacity * sizeof *areas->borders);
    areas->borders = NULL;
    areas->capacity = areas->border_count = 0;
}
