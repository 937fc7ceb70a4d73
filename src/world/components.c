/* components.c: reachability by tiles and blocks of tiles. See components.h. */
#include "world/components.h"
#include "world/grid_space.h"

#define COMPONENTS_NONE UINT32_MAX

/* ---- which cells touch ---- */

/* A cell of one row touches cells of the row below from `left` columns to its left up to `right` to
 * its right. */
typedef struct components_below {
    int32_t left, right;
} components_below;

static components_below components_reach_below(const crn_grid_space *space, uint32_t y)
{
    if (space->hex) return y & 1 ? (components_below){0, 1} : (components_below){1, 0};
    bool pinched = space->profile.neighbours == CAIRN_NEIGHBOURS_8 &&
                   space->profile.corners == CAIRN_CORNERS_ALWAYS;
    return pinched ? (components_below){1, 1} : (components_below){0, 0};
}

/* In a limited space: is there a step between two cells that touch, in either direction? Sides of a
 * diagonal step need not be asked for: it only counts where corners may always be cut. */
static bool components_joined(const crn_grid_space *space, uint32_t ax, uint32_t ay, uint32_t bx,
                              uint32_t by)
{
    const cairn_grid *grid = space->grid;
    if (!crn_grid_has_room(space, ax, ay, (int32_t)bx - (int32_t)ax, (int32_t)by - (int32_t)ay))
        return false;
    if (!space->steep) return true;
    int32_t rise = grid->elevation[(size_t)ay * grid->width + ax] -
                   grid->elevation[(size_t)by * grid->width + bx];
    int32_t up = space->profile.max_climb, down = space->profile.max_drop;
    return (rise < 0 ? -rise : rise) <= (up > down ? up : down);
}

/* ---- union-find ---- */

/* The number of the set that i is in; the next free one if it has none. */
static uint32_t components_number(crn_components *components, uint32_t i, uint32_t *next)
{
    uint32_t root = crn_set_find(components->set, i);
    if (components->number[root] == COMPONENTS_NONE) components->number[root] = (*next)++;
    return components->number[root];
}

static void components_start_sets(crn_components *components, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        components->set[i] = i;
        components->number[i] = COMPONENTS_NONE;
    }
}

/* ---- the runs of a tile ---- */

typedef struct components_run {
    uint8_t from, to; /* columns of the tile */
} components_run;

typedef struct components_tile_work {
    uint32_t x, y; /* of its first cell */
    uint32_t rows;
    uint64_t cells[CAIRN_TILE];
    uint64_t starts[CAIRN_TILE];
    components_run runs[CAIRN_TILE * CAIRN_TILE];
} components_tile_work;

uint64_t crn_components_row_starts(const crn_grid_space *space, uint32_t x, uint32_t y,
                                   uint64_t cells)
{
    uint64_t starts = cells & ~(cells << 1);
    if (!space->limited) return starts;
    for (uint64_t left = cells & ~starts; left; left &= left - 1) {
        uint32_t at = x + crn_lowest_bit(left);
        if (!components_joined(space, at - 1, y, at, y)) starts |= left & (~left + 1);
    }
    return starts;
}

/* The index in its row, from 0, of the run that a cell is in. */
CRN_INLINE uint32_t components_run_in_row(uint64_t starts, uint32_t column)
{
    return crn_count_bits(starts << (63 - column)) - 1;
}

static uint32_t components_find_runs(crn_component_tile *tile, const crn_grid_space *space,
                                     components_tile_work *work)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < CAIRN_TILE; row++) {
        uint64_t cells = 0, starts = 0;
        tile->first[row] = (uint16_t)count;
        if (row < work->rows) {
            cells = crn_bits_word(&space->usable, (int32_t)work->x, (int32_t)(work->y + row));
            starts = crn_components_row_starts(space, work->x, work->y + row, cells);
        }
        work->cells[row] = cells;
        work->starts[row] = starts;
        for (uint64_t left = starts; left;) {
            uint32_t from = crn_lowest_bit(left);
            left &= left - 1;
            /* The run ends before the next hole or the next start. */
            uint64_t stop = (~cells | left) >> from >> 1;
            uint32_t length = stop ? crn_lowest_bit(stop) + 1 : CAIRN_TILE - from;
            work->runs[count++] = (components_run){(uint8_t)from, (uint8_t)(from + length - 1)};
        }
    }
    return count;
}

/* Joins runs of two rows, one below the other, that touch. */
static void components_join_rows(crn_components *components, const crn_component_tile *tile,
                                 const components_tile_work *work, uint32_t row, uint32_t end,
                                 components_below below)
{
    uint32_t a = tile->first[row], a_end = tile->first[row + 1], b = a_end;
    while (a < a_end && b < end) {
        components_run above = work->runs[a], under = work->runs[b];
        if (under.from <= above.to + below.right && under.to + below.left >= above.from) {
            crn_set_unite(components->set, a, b);
        }
        /* The one that ends first has met all it can meet; at a tie, only the lower one may meet
         * the next. */
        if (under.to < above.to + below.right) {
            b++;
        } else {
            a++;
        }
    }
}

/* The same cell by cell, asking for each step. */
static void components_join_rows_limited(crn_components *components, const crn_component_tile *tile,
                                         const crn_grid_space *space,
                                         const components_tile_work *work, uint32_t row)
{
    components_below below = components_reach_below(space, work->y + row);
    for (uint64_t left = work->cells[row]; left; left &= left - 1) {
        int32_t column = (int32_t)crn_lowest_bit(left);
        for (int32_t other = column - below.left; other <= column + below.right; other++) {
            if (other < 0 || other > 63 || !(work->cells[row + 1] >> other & 1)) continue;
            if (!components_joined(space, work->x + (uint32_t)column, work->y + row,
                                   work->x + (uint32_t)other, work->y + row + 1)) {
                continue;
            }
            crn_set_unite(components->set,
                          tile->first[row] +
                              components_run_in_row(work->starts[row], (uint32_t)column),
                          tile->first[row + 1] +
                              components_run_in_row(work->starts[row + 1], (uint32_t)other));
        }
    }
}

/* ---- rims ---- */

static uint16_t *components_rim(const crn_component_level *level, uint32_t block, uint32_t side)
{
    return level->rims + ((size_t)block * CRN_SIDES + side) * level->side;
}

static uint32_t *components_up(const crn_component_level *level, uint32_t block)
{
    return level->up + (size_t)block * level->widest;
}

/* Stores the rim in `components->rim`. Returns whether it changed. */
static bool components_store_rim(const crn_components *components, const crn_component_level *level,
                                 uint32_t block, uint32_t open)
{
    uint16_t *rim = components_rim(level, block, 0);
    size_t size = (size_t)level->side * CRN_SIDES * sizeof *rim;
    bool changed = level->open[block] != open || memcmp(rim, components->rim, size) != 0;
    memcpy(rim, components->rim, size);
    level->open[block] = open;
    return changed;
}

/* ---- one tile ---- */

/* Returns the run of a cell on the rim, or COMPONENTS_NONE if the cell is not usable. */
static uint32_t components_rim_run(const crn_component_tile *tile, const components_tile_work *work,
                                   uint32_t side, uint32_t i)
{
    uint32_t column = side == CRN_SIDE_E ? CAIRN_TILE - 1 : side == CRN_SIDE_W ? 0 : i;
    uint32_t row = side == CRN_SIDE_S ? CAIRN_TILE - 1 : side == CRN_SIDE_N ? 0 : i;
    if (!(work->cells[row] >> column & 1)) return COMPONENTS_NONE;
    return tile->first[row] + components_run_in_row(work->starts[row], column);
}

/* Finds the parts of a tile; did its rim change? */
static bool components_redo_tile(crn_components *components, const crn_grid_space *space,
                                 uint32_t number)
{
    const crn_component_level *level = &components->levels[0];
    crn_component_tile *tile = &components->tiles[number];
    components_tile_work work;
    work.x = number % level->columns * CAIRN_TILE;
    work.y = number / level->columns * CAIRN_TILE;
    work.rows = crn_min_u32(CAIRN_TILE, space->grid->height - work.y);
    uint32_t runs = components_find_runs(tile, space, &work);
    CRN_CHECK(components->context, runs <= tile->capacity);
    tile->runs = (uint16_t)runs;
    if (components->starts)
        memcpy(components->starts + (size_t)number * CAIRN_TILE, work.starts, sizeof work.starts);

    components_start_sets(components, runs);
    for (uint32_t row = 0; row + 1 < work.rows; row++) {
        if (space->limited) {
            components_join_rows_limited(components, tile, space, &work, row);
        } else {
            uint32_t end = row + 2 < CAIRN_TILE ? tile->first[row + 2] : runs;
            components_join_rows(components, tile, &work, row, end,
                                 components_reach_below(space, work.y + row));
        }
    }
    uint32_t next = 0;
    for (uint32_t side = 0; side < CRN_SIDES; side++) {
        for (uint32_t i = 0; i < CAIRN_TILE; i++) {
            uint32_t run = components_rim_run(tile, &work, side, i);
            components->rim[side * CAIRN_TILE + i] =
                run == COMPONENTS_NONE ? CRN_NO_PART
                                       : (uint16_t)components_number(components, run, &next);
        }
    }
    uint32_t open = next;
    for (uint32_t run = 0; run < runs; run++)
        tile->components[run] = (uint16_t)components_number(components, run, &next);
    level->parts[number] = next;
    components->tiles_updated++;
    return components_store_rim(components, level, number, open);
}

/* ---- one block ---- */

typedef struct components_block_work {
    const crn_component_level *below;         /* the level of the children */
    uint32_t left, top;                       /* its first child */
    uint32_t columns, rows;                   /* children that exist */
    uint32_t base[CRN_BLOCK * CRN_BLOCK + 1]; /* number of a child's first part among all of them */
} components_block_work;

static uint32_t components_child(const components_block_work *work, uint32_t column, uint32_t row)
{
    return (work->top + row) * work->below->columns + work->left + column;
}

/* The common border of two children, a to the left of b or above it: their rims along it, and the
 * numbers of their first parts. */
typedef struct components_border {
    const uint16_t *a, *b;
    uint32_t a_base, b_base;
    uint32_t side;
    cairn_cell at; /* the first cell of a's rim, ... */
    bool down;     /* ... which runs down, or to the right */
} components_border;

static components_border components_border_of(const components_block_work *work, uint32_t column,
                                              uint32_t row, bool down)
{
    const crn_component_level *below = work->below;
    uint32_t other_column = column + down, other_row = row + !down;
    int32_t x = (int32_t)((work->left + other_column) * below->side);
    int32_t y = (int32_t)((work->top + other_row) * below->side);
    return (components_border){
        .a = components_rim(below, components_child(work, column, row),
                            down ? CRN_SIDE_E : CRN_SIDE_S),
        .b = components_rim(below, components_child(work, other_column, other_row),
                            down ? CRN_SIDE_W : CRN_SIDE_N),
        .a_base = work->base[row * CRN_BLOCK + column],
        .b_base = work->base[other_row * CRN_BLOCK + other_column],
        .side = below->side,
        .at = {down ? x - 1 : x, down ? y : y - 1},
        .down = down,
    };
}

/* The i-th cell along a's rim touches the k-th along b's. */
CRN_INLINE void components_join_cells(crn_components *components, const crn_grid_space *space,
                                      const components_border *border, uint32_t i, uint32_t k)
{
    if (border->a[i] == CRN_NO_PART || border->b[k] == CRN_NO_PART) return;
    if (space->limited) {
        uint32_t x = (uint32_t)border->at.x, y = (uint32_t)border->at.y;
        bool joined = border->down ? components_joined(space, x, y + i, x + 1, y + k)
                                   : components_joined(space, x + i, y, x + k, y + 1);
        if (!joined) return;
    }
    crn_set_unite(components->set, border->a_base + border->a[i], border->b_base + border->b[k]);
}

/* Every cell of a's rim touches the one of b's that lies `shift` cells further on. */
static void components_join_rims(crn_components *components, const crn_grid_space *space,
                                 const components_border *border, int32_t shift)
{
    const uint16_t *a = border->a, *b = border->b;
    uint16_t last_a = CRN_NO_PART, last_b = CRN_NO_PART;
    uint32_t from = shift < 0, to = border->side - (shift > 0);
    bool limited = space->limited;
    for (uint32_t i = from; i < to; i++) {
        uint32_t k = (uint32_t)((int32_t)i + shift);
        /* Most cells repeat what the ones before them said, unless each step is asked for. */
        if (a[i] == last_a && b[k] == last_b && !limited) continue;
        last_a = a[i];
        last_b = b[k];
        components_join_cells(components, space, border, i, k);
    }
}

/* Hexagons touch over a corner of the upright border in odd rows. */
static void components_join_hex_rims(crn_components *components, const crn_grid_space *space,
                                     const components_border *border)
{
    for (uint32_t i = 1; i < border->side; i += 2) {
        components_join_cells(components, space, border, i, i - 1);
        if (i + 1 < border->side) components_join_cells(components, space, border, i, i + 1);
    }
}

/* Children that touch at one corner only: the lower one is to the right, or to the left. */
static void components_join_corner(crn_components *components, const crn_grid_space *space,
                                   const components_block_work *work, uint32_t column, uint32_t row,
                                   bool right)
{
    const crn_component_level *below = work->below;
    uint32_t last = below->side - 1, other = right ? column + 1 : column - 1;
    uint16_t first =
        components_rim(below, components_child(work, column, row), CRN_SIDE_S)[right ? last : 0];
    uint16_t second =
        components_rim(below, components_child(work, other, row + 1), CRN_SIDE_N)[right ? 0 : last];
    if (first == CRN_NO_PART || second == CRN_NO_PART) return;
    uint32_t x = (work->left + column) * below->side + (right ? last : 0);
    uint32_t y = (work->top + row) * below->side + last;
    if (space->limited && !components_joined(space, x, y, right ? x + 1 : x - 1, y + 1)) return;
    crn_set_unite(components->set, work->base[row * CRN_BLOCK + column] + first,
                  work->base[(row + 1) * CRN_BLOCK + other] + second);
}

static void components_join_right(crn_components *components, const crn_grid_space *space,
                                  const components_block_work *work, uint32_t column, uint32_t row)
{
    components_border border = components_border_of(work, column, row, true);
    components_join_rims(components, space, &border, 0);
    if (space->hex) {
        components_join_hex_rims(components, space, &border);
    } else if (components_reach_below(space, 0).right) {
        components_join_rims(components, space, &border, -1);
        components_join_rims(components, space, &border, 1);
    }
}

static void components_join_below(crn_components *components, const crn_grid_space *space,
                                  const components_block_work *work, uint32_t column, uint32_t row)
{
    components_border border = components_border_of(work, column, row, false);
    components_below reach = components_reach_below(space, (uint32_t)border.at.y);
    for (int32_t shift = -reach.left; shift <= reach.right; shift++) {
        components_join_rims(components, space, &border, shift);
    }
    if (reach.left && column > 0)
        components_join_corner(components, space, work, column, row, false);
    if (reach.right && column + 1 < work->columns)
        components_join_corner(components, space, work, column, row, true);
}

/* The part of the block that a cell on its rim belongs to, found by its child. */
static uint32_t components_number_rim(crn_components *components, const crn_component_level *level,
                                      const components_block_work *work)
{
    uint32_t next = 0;
    for (uint32_t side = 0; side < CRN_SIDES; side++) {
        uint16_t *out = components->rim + (size_t)side * level->side;
        for (uint32_t i = 0; i < CRN_BLOCK; i++, out += work->below->side) {
            uint32_t column = side == CRN_SIDE_E ? CRN_BLOCK - 1 : side == CRN_SIDE_W ? 0 : i;
            uint32_t row = side == CRN_SIDE_S ? CRN_BLOCK - 1 : side == CRN_SIDE_N ? 0 : i;
            if (column >= work->columns || row >= work->rows) {
                memset(out, 0xff, work->below->side * sizeof *out);
                continue;
            }
            const uint16_t *rim =
                components_rim(work->below, components_child(work, column, row), side);
            uint32_t base = work->base[row * CRN_BLOCK + column];
            uint16_t last = CRN_NO_PART, last_number = CRN_NO_PART;
            for (uint32_t k = 0; k < work->below->side; k++) {
                if (rim[k] != last) {
                    last = rim[k];
                    last_number = last == CRN_NO_PART
                                      ? CRN_NO_PART
                                      : (uint16_t)components_number(components, base + last, &next);
                }
                out[k] = last_number;
            }
        }
    }
    return next;
}

/* Joins the children of a block. Returns whether its rim changed. */
static bool components_redo_block(crn_components *components, const crn_grid_space *space,
                                  uint32_t depth, uint32_t block)
{
    const crn_component_level *level = &components->levels[depth];
    components_block_work work = {.below = &components->levels[depth - 1]};
    work.left = block % level->columns * CRN_BLOCK;
    work.top = block / level->columns * CRN_BLOCK;
    work.columns = crn_min_u32(CRN_BLOCK, work.below->columns - work.left);
    work.rows = crn_min_u32(CRN_BLOCK, work.below->rows - work.top);
    uint32_t parts = 0;
    for (uint32_t row = 0; row < work.rows; row++) {
        for (uint32_t column = 0; column < work.columns; column++) {
            work.base[row * CRN_BLOCK + column] = parts;
            parts += work.below->open[components_child(&work, column, row)];
        }
    }
    CRN_CHECK(components->context, parts <= components->set_size);
    components_start_sets(components, parts);
    for (uint32_t row = 0; row < work.rows; row++) {
        for (uint32_t column = 0; column < work.columns; column++) {
            if (column + 1 < work.columns)
                components_join_right(components, space, &work, column, row);
            if (row + 1 < work.rows) components_join_below(components, space, &work, column, row);
        }
    }
    bool top = depth + 1 == components->level_count;
    uint32_t next = top ? 0 : components_number_rim(components, level, &work), open = next;
    for (uint32_t row = 0; row < work.rows; row++) {
        for (uint32_t column = 0; column < work.columns; column++) {
            uint32_t child = components_child(&work, column, row),
                     base = work.base[row * CRN_BLOCK + column];
            uint32_t *up = components_up(work.below, child);
            for (uint32_t part = 0; part < work.below->open[child]; part++) {
                up[part] = components_number(components, base + part, &next);
            }
        }
    }
    level->parts[block] = next;
    components->blocks_joined++;
    return !top && components_store_rim(components, level, block, open);
}

/* ---- the whole map ---- */

void crn_components_touch(crn_components *components, uint32_t tile)
{
    crn_components_mark(&components->levels[0], tile);
}

void crn_components_repair(crn_components *components, const crn_grid_space *space)
{
    components->tiles_updated = components->blocks_joined = 0;
    for (uint32_t depth = 0; depth < components->level_count; depth++) {
        const crn_component_level *level = &components->levels[depth];
        uint32_t words = (level->columns * level->rows + 63) / 64;
        for (uint32_t word = 0; word < words; word++) {
            for (; level->dirty[word]; level->dirty[word] &= level->dirty[word] - 1) {
                uint32_t block = word * 64 + crn_lowest_bit(level->dirty[word]);
                bool changed = depth ? components_redo_block(components, space, depth, block)
                                     : components_redo_tile(components, space, block);
                /* In a limited space two rims may look the same and yet touch differently. */
                if ((!changed && !space->limited) || depth + 1 == components->level_count) continue;
                const crn_component_level *above = level + 1;
                crn_components_mark(above, block / level->columns / CRN_BLOCK * above->columns +
                                               block % level->columns / CRN_BLOCK);
            }
        }
    }
}

void crn_components_begin(crn_components *components)
{
    components->round++;
}

bool crn_components_reserve(crn_components *components, uint32_t number, uint32_t more_runs)
{
    crn_component_tile *tile = &components->tiles[number];
    if (tile->round != components->round) tile->promised = 0;
    tile->round = components->round;
    uint32_t need = crn_min_u32(tile->runs + tile->promised + more_runs, components->most_runs);
    tile->promised = (uint16_t)(need - tile->runs);
    if (need <= tile->capacity) return true;
    uint32_t capacity = tile->capacity ? tile->capacity : 64;
    while (capacity < need) capacity *= 2;
    uint16_t *grown = crn_realloc(components->context, tile->components,
                                  tile->capacity * sizeof *grown, capacity * sizeof *grown);
    if (!grown) return false;
    components->bytes += (capacity - tile->capacity) * sizeof *grown;
    tile->components = grown;
    tile->capacity = (uint16_t)capacity;
    return true;
}

/* Climbs from a part of a tile to where its component stops growing. */
static uint64_t components_climb(const crn_components *components, uint32_t tile, uint32_t part)
{
    uint32_t depth = 0, block = tile;
    while (depth + 1 < components->level_count && part < components->levels[depth].open[block]) {
        const crn_component_level *level = &components->levels[depth];
        part = components_up(level, block)[part];
        block = block / level->columns / CRN_BLOCK * level[1].columns +
                block % level->columns / CRN_BLOCK;
        depth++;
    }
    return (uint64_t)(depth + 1) << 60 | (uint64_t)block << 32 | part;
}

static uint64_t components_starts_of(const crn_components *components, const crn_grid_space *space,
                                     uint32_t tile, uint32_t x, uint32_t y)
{
    if (components->starts) return components->starts[(size_t)tile * CAIRN_TILE + y % CAIRN_TILE];
    uint64_t cells = crn_bits_word(&space->usable, (int32_t)(x & ~(CAIRN_TILE - 1)), (int32_t)y);
    return cells & ~(cells << 1);
}

uint64_t crn_components_find(const crn_components *components, const crn_grid_space *space,
                             uint32_t x, uint32_t y)
{
    uint32_t number = y / CAIRN_TILE * components->levels[0].columns + x / CAIRN_TILE;
    const crn_component_tile *tile = &components->tiles[number];
    uint64_t starts = components_starts_of(components, space, number, x, y);
    uint32_t run = tile->first[y % CAIRN_TILE] + components_run_in_row(starts, x % CAIRN_TILE);
    return components_climb(components, number, tile->components[run]);
}

uint32_t crn_components_wanted_parts(const crn_components *components, uint32_t tile,
                                     crn_wanted *wanted, const void *user, uint64_t *parts)
{
    uint32_t found = 0;
    memset(parts, 0, CRN_PART_WORDS * sizeof *parts);
    for (uint32_t part = 0; part < components->levels[0].parts[tile]; part++) {
        if (!wanted(user, components_climb(components, tile, part))) continue;
        parts[part / 64] |= UINT64_C(1) << (part % 64);
        found++;
    }
    return found;
}

/* The cells of the first run that is left in a row: from its start up to the next one. */
static uint64_t components_take_run(uint64_t *left, uint64_t cells)
{
    uint64_t from = *left & (~*left + 1);
    *left ^= from;
    uint64_t next = *left & (~*left + 1);
    return cells & (next ? next - from : ~(from - 1));
}

uint64_t crn_components_row(const crn_components *components, const crn_grid_space *space,
                            uint32_t number, uint32_t row, const uint64_t *parts)
{
    const crn_component_level *level = &components->levels[0];
    const crn_component_tile *tile = &components->tiles[number];
    uint32_t x = number % level->columns * CAIRN_TILE,
             y = number / level->columns * CAIRN_TILE + row;
    if (y >= space->grid->height) return 0;
    uint64_t cells = crn_bits_word(&space->usable, (int32_t)x, (int32_t)y), wanted = 0;
    uint64_t left = components_starts_of(components, space, number, x, y);
    for (uint32_t run = tile->first[row]; left; run++) {
        uint64_t taken = components_take_run(&left, cells);
        uint16_t part = tile->components[run];
        if (parts[part / 64] >> (part % 64) & 1) wanted |= taken;
    }
    return wanted;
}

void crn_components_parts(const crn_components *components, const crn_grid_space *space,
                          uint32_t number, crn_component_part *out)
{
    const crn_component_level *level = &components->levels[0];
    const crn_component_tile *tile = &components->tiles[number];
    uint32_t x = number % level->columns * CAIRN_TILE, y = number / level->columns * CAIRN_TILE;
    for (uint32_t part = 0; part < level->parts[number]; part++) {
        out[part] = (crn_component_part){.component = components_climb(components, number, part)};
    }
    for (uint32_t row = 0; row < CAIRN_TILE && y + row < space->grid->height; row++) {
        uint64_t cells = crn_bits_word(&space->usable, (int32_t)x, (int32_t)(y + row));
        uint64_t left = components_starts_of(components, space, number, x, y + row);
        for (uint32_t run = tile->first[row]; left; run++) {
            uint64_t taken = components_take_run(&left, cells);
            out[tile->components[run]].cells += crn_count_bits(taken);
        }
    }
}
