/* reach.c: questions that components answer without a search: what can be reached, the reachable
 * cell nearest to some place, any reachable cell, how many components there are. Components of
 * grids are kept by components.c and joined by links.c; those of graphs are found when their space
 * is made (graph_space.c).
 */
#include "world/grid_space.h"

/* ---- public functions ---- */

uint64_t cairn_space_component(const cairn_space *space, cairn_node node)
{
    return cairn_space_usable(space, node) ? space->functions->component(space, node) : 0;
}

bool cairn_space_directed(const cairn_space *space)
{
    return space->functions->directed(space);
}

cairn_reach cairn_reachable(const cairn_space *space, cairn_node from, cairn_node to)
{
    uint64_t component = cairn_space_component(space, from);
    if (!component || component != cairn_space_component(space, to)) return CAIRN_REACH_NO;
    return from != to && cairn_space_directed(space) ? CAIRN_REACH_MAYBE : CAIRN_REACH_YES;
}

bool crn_nearest_begin(const cairn_space *space, cairn_node from, cairn_node to,
                       crn_nearest *search)
{
    uint64_t component = cairn_space_component(space, from);
    *search =
        (crn_nearest){.component = component, .to = to, .best = CAIRN_NO_NODE, .least = UINT64_MAX};
    if (cairn_space_component(space, to) != component) return false;
    search->best = to;
    return true;
}

cairn_status cairn_nearest_reachable(const cairn_space *space, cairn_node from, cairn_node to,
                                     cairn_node *out)
{
    if (!space || !out) return CAIRN_INVALID;
    *out = CAIRN_NO_NODE;
    if (from >= space->node_count || to >= space->node_count) return CAIRN_OUT_OF_BOUNDS;
    uint64_t component = cairn_space_component(space, from);
    if (!component) return CAIRN_BLOCKED_START;
    crn_nearest search;
    bool over = crn_nearest_begin(space, from, to, &search);
    while (!over) over = space->functions->nearest(space, &search);
    *out = search.best;
    return CAIRN_OK;
}

cairn_status cairn_random_reachable(const cairn_space *space, cairn_node from, uint64_t *seed,
                                    cairn_node *out)
{
    enum { GUESSES = 32 };
    if (!space || !seed || !out) return CAIRN_INVALID;
    *out = CAIRN_NO_NODE;
    if (from >= space->node_count) return CAIRN_OUT_OF_BOUNDS;
    uint64_t component = cairn_space_component(space, from);
    if (!component) return CAIRN_BLOCKED_START;
    crn_rng rng = {*seed};
    /* Both give every node the same probability. Guessing is quick in large components; counting
     * always ends. */
    for (uint32_t i = 0; i < GUESSES && *out == CAIRN_NO_NODE; i++) {
        cairn_node guess = crn_rng_below(&rng, space->node_count);
        if (cairn_space_component(space, guess) == component) *out = guess;
    }
    if (*out == CAIRN_NO_NODE) *out = space->functions->pick(space, component, &rng);
    *seed = rng.state;
    return CAIRN_OK;
}

cairn_status cairn_space_components(const cairn_space *space, uint32_t *count, uint32_t *largest)
{
    if (!space || !count || !largest) return CAIRN_INVALID;
    *count = *largest = 0;
    return space->functions->components(space, count, largest) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

cairn_upkeep cairn_space_upkeep(const cairn_space *space)
{
    return space->world == CAIRN_WORLD_GRID ? crn_grid_space_of(space)->upkeep : (cairn_upkeep){0};
}

/* ---- grids ---- */

uint64_t crn_grid_component(const cairn_space *base, cairn_node node)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    uint32_t x = node % space->grid->width, y = node / space->grid->width;
    return crn_links_root(&space->links, crn_components_find(&space->components, space, x, y));
}

bool crn_grid_directed(const cairn_space *base)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    return space->links.count ||
           (space->steep && space->profile.max_climb != space->profile.max_drop);
}

/* A component, all that links join included. */
typedef struct reach_component {
    const crn_links *links;
    uint64_t root;
} reach_component;

static bool reach_wanted(const void *user, uint64_t component)
{
    const reach_component *wanted = user;
    return crn_links_root(wanted->links, component) == wanted->root;
}

typedef struct reach_nearest {
    const crn_grid_space *space;
    reach_component component;
    cairn_cell to;
    cairn_node best;
    uint64_t least; /* distance of the best, UINT64_MAX = there is none */
} reach_nearest;

/* Returns the space's default estimate from (x, y) to a box, in 64 bits, so that no distance
 * saturates, and without the price of the ground, which is the same for all. */
static uint64_t reach_distance(const crn_grid_space *space, int32_t x, int32_t y,
                               const crn_box *box)
{
    uint64_t straight = space->base.scale.straight, diagonal = space->base.scale.diagonal;
    if (space->hex) return straight * crn_hex_steps(x, y, box);
    uint64_t dx = crn_outside(x, box->left, box->right), dy = crn_outside(y, box->top, box->bottom);
    if (space->profile.neighbours == CAIRN_NEIGHBOURS_4) return straight * (dx + dy);
    return dx < dy ? straight * (dy - dx) + diagonal * dx : straight * (dx - dy) + diagonal * dy;
}

static void reach_consider(reach_nearest *search, uint32_t x, uint32_t y)
{
    cairn_node node = y * search->space->grid->width + x;
    crn_box goal = {
        .left = search->to.x, .top = search->to.y, .right = search->to.x, .bottom = search->to.y};
    uint64_t distance = reach_distance(search->space, (int32_t)x, (int32_t)y, &goal);
    if (distance > search->least || (distance == search->least && node >= search->best)) return;
    search->least = distance;
    search->best = node;
}

/* Considers those cells of a row, given as bits from x on, that may be nearest: on squares the next
 * ones to the left and to the right. On hexagons several columns of another row may be equally
 * near, so all. */
static void reach_consider_row(reach_nearest *search, uint64_t cells, uint32_t x, uint32_t y)
{
    if (!search->space->hex) {
        int64_t column = (int64_t)search->to.x - x;
        uint64_t left = column < 0    ? 0
                        : column > 62 ? cells
                                      : cells & ((UINT64_C(2) << column) - 1);
        uint64_t right = cells & ~left;
        cells = 0;
        if (left) cells |= UINT64_C(1) << crn_highest_bit(left);
        if (right) cells |= UINT64_C(1) << crn_lowest_bit(right);
    }
    for (; cells; cells &= cells - 1) reach_consider(search, x + crn_lowest_bit(cells), y);
}

/* Returns whether the tile might have a nearer cell, so that it was searched. */
static bool reach_search_tile(reach_nearest *search, uint32_t column, uint32_t row)
{
    const crn_grid_space *space = search->space;
    uint32_t x = column * CAIRN_TILE, y = row * CAIRN_TILE;
    crn_box box = {.left = (int32_t)x,
                   .top = (int32_t)y,
                   .right = (int32_t)(x + CAIRN_TILE - 1),
                   .bottom = (int32_t)(y + CAIRN_TILE - 1)};
    if (reach_distance(space, search->to.x, search->to.y, &box) > search->least) return false;
    uint64_t parts[CRN_PART_WORDS];
    uint32_t tile = row * space->components.levels[0].columns + column;
    if (!crn_components_wanted_parts(&space->components, tile, reach_wanted, &search->component,
                                     parts))
        return true;
    for (uint32_t i = 0; i < CAIRN_TILE; i++) {
        uint64_t cells = crn_components_row(&space->components, space, tile, i, parts);
        if (cells) reach_consider_row(search, cells, x, y + i);
    }
    return true;
}

/* Can no tile of a ring, nor of one outside it, have a cell nearer than the best? On hexagons a row
 * is a step, and so is a column. */
static bool reach_is_over(const crn_grid_space *space, uint32_t ring, uint64_t least)
{
    const crn_component_level *tiles = &space->components.levels[0];
    uint64_t steps = ring ? (uint64_t)(ring - 1) * CAIRN_TILE + 1 : 0;
    if (ring >= tiles->columns && ring >= tiles->rows) return true;
    return steps * space->base.scale.straight > least;
}

/* Visits tiles in rings round the goal, until a ring lies farther away than the best cell found. A
 * piece is one tile, or some that need not be searched or lie outside. */
bool crn_grid_nearest(const cairn_space *base, crn_nearest *search)
{
    enum { PIECE = 64 };
    const crn_grid_space *space = crn_grid_space_of(base);
    const crn_component_level *tiles = &space->components.levels[0];
    reach_nearest tile = {.space = space,
                          .component = {&space->links, search->component},
                          .to = cairn_grid_cell(space->grid, search->to),
                          .best = search->best,
                          .least = search->least};
    bool searched = false;
    for (uint32_t i = 0; i < PIECE && !searched; i++) {
        if (!search->at && reach_is_over(space, search->ring, tile.least)) return true;
        cairn_cell at = crn_ring_cell(search->ring, search->at++);
        if (search->at == crn_ring_length(search->ring)) {
            search->ring++;
            search->at = 0;
        }
        /* above or left of the map they wrap round */
        uint32_t x = (uint32_t)(at.x + tile.to.x / (int32_t)CAIRN_TILE),
                 y = (uint32_t)(at.y + tile.to.y / (int32_t)CAIRN_TILE);
        if (x < tiles->columns && y < tiles->rows) searched = reach_search_tile(&tile, x, y);
    }
    search->best = tile.best;
    search->least = tile.least;
    return false;
}

/* The n-th cell of a component, row by row in tile after tile; n is counted down, CAIRN_NO_NODE if
 * there are fewer. */
static cairn_node reach_cell(const crn_grid_space *space, const reach_component *component,
                             uint64_t *n)
{
    const crn_component_level *tiles = &space->components.levels[0];
    uint64_t parts[CRN_PART_WORDS];
    for (uint32_t tile = 0; tile < tiles->columns * tiles->rows; tile++) {
        if (!crn_components_wanted_parts(&space->components, tile, reach_wanted, component, parts))
            continue;
        uint32_t x = tile % tiles->columns * CAIRN_TILE, y = tile / tiles->columns * CAIRN_TILE;
        for (uint32_t row = 0; row < CAIRN_TILE; row++) {
            uint64_t cells = crn_components_row(&space->components, space, tile, row, parts);
            uint32_t count = crn_count_bits(cells);
            if (*n >= count) {
                *n -= count;
                continue;
            }
            for (; *n; --*n) cells &= cells - 1;
            return (y + row) * space->grid->width + x + crn_lowest_bit(cells);
        }
    }
    return CAIRN_NO_NODE;
}

cairn_node crn_grid_pick(const cairn_space *base, uint64_t root, crn_rng *rng)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    reach_component component = {&space->links, root};
    uint64_t left = UINT64_MAX;
    reach_cell(space, &component, &left);
    uint64_t n = crn_rng_below(rng, (uint32_t)(UINT64_MAX - left));
    return reach_cell(space, &component, &n);
}

/* ---- all components ---- */

static bool reach_part_before(const void *a, const void *b)
{
    return ((const crn_component_part *)a)->component < ((const crn_component_part *)b)->component;
}

/* The parts of all tiles, sorted by what they belong to. */
bool crn_grid_components(const cairn_space *base, uint32_t *count, uint32_t *largest)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    const crn_component_level *tiles = &space->components.levels[0];
    size_t total = 0, at = 0;
    for (uint32_t tile = 0; tile < tiles->columns * tiles->rows; tile++)
        total += tiles->parts[tile];
    size_t size = crn_mul_size(total, sizeof(crn_component_part));
    crn_component_part *parts = total ? crn_alloc(base->context, size) : NULL;
    if (!parts) return !total;
    for (uint32_t tile = 0; tile < tiles->columns * tiles->rows; at += tiles->parts[tile++]) {
        crn_components_parts(&space->components, space, tile, &parts[at]);
    }
    for (size_t i = 0; i < total; i++)
        parts[i].component = crn_links_root(&space->links, parts[i].component);
    crn_sort(parts, total, sizeof *parts, reach_part_before);
    uint32_t cells = 0;
    for (size_t i = 0; i < total; i++) {
        bool first = !i || parts[i].component != parts[i - 1].component;
        *count += first;
        cells = parts[i].cells + (first ? 0 : cells);
        *largest = crn_max_u32(*largest, cells);
    }
    crn_free(base->context, parts, size);
    return true;
}
