/* grid.c: the grid world: storage, cells and positions. Edits are in commit.c.
 *
 * Open or blocked is one bit a cell. Terrain, extra cost and elevation are planes of
 * their own that exist only once a cell needs them, so that a plain map of 8192×8192
 * cells takes 8 MB.
 */
#include "world/grid.h"
#include <math.h>

bool crn_bits_reserve(cairn_context *context, uint32_t width, uint32_t height, crn_bits *out)
{
    /* One column of padding on the left, at least one on the right, whole words, and a
     * spare word at both ends so that a word that begins or ends with any cell stays inside. */
    out->stride = ((size_t)width + 2 + 63) / 64 * 8;
    out->size = out->stride * ((size_t)height + 2) + 8;
    uint8_t *memory = crn_alloc(context, out->size + 8);
    out->rows = memory ? memory + 8 : NULL;
    return memory != NULL;
}

bool crn_bits_create(cairn_context *context, uint32_t width, uint32_t height, crn_bits *out)
{
    if (!crn_bits_reserve(context, width, height, out)) return false;
    memset(out->rows - 8, 0, crn_bits_bytes(out));
    return true;
}

void crn_bits_destroy(cairn_context *context, crn_bits *bits)
{
    if (bits->rows) crn_free(context, bits->rows - 8, crn_bits_bytes(bits));
    bits->rows = NULL;
}

/* ---- creation ---- */

static bool grid_plane_used(const uint8_t *plane, size_t stride, uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; plane && y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            if (plane[y * stride + x]) return true;
        }
    }
    return false;
}

/* Copies a plane if it says anything; false = no memory. */
static bool grid_copy_plane(cairn_grid *grid, const uint8_t *from, size_t stride, size_t row,
                            uint8_t **to)
{
    size_t size = row * grid->height;
    if (!grid_plane_used(from, stride, (uint32_t)row, grid->height)) return true;
    *to = crn_alloc(grid->context, size);
    if (!*to) return false;
    for (uint32_t y = 0; y < grid->height; y++) memcpy(*to + y * row, from + y * stride, row);
    return true;
}

static bool grid_copy_planes(cairn_grid *grid, const cairn_grid_options *options, size_t stride)
{
    uint8_t *elevation = NULL;
    bool ok = grid_copy_plane(grid, options->terrain, stride, grid->width, &grid->terrain) &&
              grid_copy_plane(grid, options->layer, stride, grid->width, &grid->layer) &&
              grid_copy_plane(grid, (const uint8_t *)options->elevation, stride * 2,
                              (size_t)grid->width * 2, &elevation);
    grid->elevation = (int16_t *)(void *)elevation;
    return ok;
}

static void grid_fill_open(cairn_grid *grid, const uint8_t *open, size_t stride)
{
    for (uint32_t y = 0; y < grid->height; y++) {
        const uint8_t *row = open ? open + y * stride : NULL;
        uint8_t *out = grid->open.rows + (size_t)(y + 1) * grid->open.stride;
        /* Cell x is bit x + 1: byte by byte. */
        for (uint32_t bit = 1; bit <= grid->width;) {
            uint32_t byte = bit >> 3, value = 0;
            for (; bit <= grid->width && bit >> 3 == byte; bit++) {
                value |= (uint32_t)(!row || row[bit - 1]) << (bit & 7);
            }
            out[byte] = (uint8_t)value;
        }
    }
}

static void grid_count_classes(cairn_grid *grid)
{
    uint32_t cells = grid->width * grid->height;
    if (!grid->terrain) {
        grid->class_count[0] = cells;
        return;
    }
    for (uint32_t i = 0; i < cells; i++) grid->class_count[grid->terrain[i]]++;
}

static cairn_status grid_check_options(cairn_context *context, const cairn_grid_options *options,
                                       cairn_error *error)
{
    if (!context || !options) return crn_fail(error, CAIRN_INVALID, 0, "no context or no options");
    if (options->width < 1 || options->height < 1 || options->width > CAIRN_GRID_MAX ||
        options->height > CAIRN_GRID_MAX) {
        return crn_fail(error, CAIRN_INVALID, 0,
                        "a grid of %u x %u cells: each side must be 1 to %u", options->width,
                        options->height, CAIRN_GRID_MAX);
    }
    if (options->stride && options->stride < options->width) {
        return crn_fail(error, CAIRN_INVALID, 0, "a stride of %u is less than the width %u",
                        options->stride, options->width);
    }
    if (!isfinite(options->origin.x) || !isfinite(options->origin.y) ||
        !isfinite(options->cell_size) || options->cell_size < 0) {
        return crn_fail(error, CAIRN_INVALID, 0,
                        "origin and cell size must be finite, the size positive");
    }
    if ((unsigned)options->layout >= CAIRN_LAYOUT_COUNT) {
        return crn_fail(error, CAIRN_INVALID, 0, "unknown layout of cells");
    }
    return CAIRN_OK;
}

cairn_status cairn_grid_create(cairn_context *context, const cairn_grid_options *options,
                               cairn_grid **out, cairn_error *error)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    cairn_status status = grid_check_options(context, options, error);
    if (status != CAIRN_OK) return status;

    cairn_grid *grid = crn_alloc_zero(context, sizeof *grid);
    if (!grid) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a grid");
    grid->context = context;
    grid->width = options->width;
    grid->height = options->height;
    grid->layout = options->layout;
    grid->origin = options->origin;
    grid->cell_size = options->cell_size > 0 ? options->cell_size : 1.0;
    grid->version = 1;
    size_t stride = options->stride ? options->stride : options->width;
    if (!crn_bits_create(context, grid->width, grid->height, &grid->open) ||
        !grid_copy_planes(grid, options, stride)) {
        cairn_grid_destroy(grid);
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a grid of %u x %u cells",
                        options->width, options->height);
    }
    grid_fill_open(grid, options->open, stride);
    grid_count_classes(grid);
    *out = grid;
    return CAIRN_OK;
}

void crn_grid_let_go(cairn_grid *grid)
{
    if (!crn_let_go(&grid->holders)) return;
    cairn_context *context = grid->context;
    CRN_CHECK(context, !grid->spaces);
    size_t cells = (size_t)grid->width * grid->height;
    crn_grid_forget_commits(grid);
    crn_free(context, grid->edits, grid->edit_capacity * sizeof *grid->edits);
    crn_free(context, grid->link_edits, grid->link_edit_capacity * sizeof *grid->link_edits);
    crn_free(context, grid->links, grid->link_capacity * sizeof *grid->links);
    crn_free(context, grid->terrain, cells);
    crn_free(context, grid->layer, cells);
    crn_free(context, grid->elevation, cells * sizeof *grid->elevation);
    crn_bits_destroy(context, &grid->open);
    crn_free(context, grid, sizeof *grid);
}

void cairn_grid_destroy(cairn_grid *grid)
{
    if (!grid) return;
    void *easy = grid->easy;
    grid->easy = NULL;
    if (easy) grid->easy_destroy(easy);
    crn_grid_let_go(grid);
}

/* ---- facts ---- */

cairn_context *cairn_grid_context(const cairn_grid *grid)
{
    return grid->context;
}

uint32_t cairn_grid_width(const cairn_grid *grid)
{
    return grid->width;
}

uint32_t cairn_grid_height(const cairn_grid *grid)
{
    return grid->height;
}

cairn_layout cairn_grid_layout(const cairn_grid *grid)
{
    return grid->layout;
}

cairn_status cairn_grid_set_layout(cairn_grid *grid, cairn_layout layout)
{
    if (!grid || grid->spaces || (unsigned)layout >= CAIRN_LAYOUT_COUNT) return CAIRN_INVALID;
    grid->layout = layout;
    return CAIRN_OK;
}

cairn_position cairn_grid_origin(const cairn_grid *grid)
{
    return grid->origin;
}

double cairn_grid_cell_size(const cairn_grid *grid)
{
    return grid->cell_size;
}

uint64_t cairn_grid_version(const cairn_grid *grid)
{
    return grid->version;
}

size_t cairn_grid_bytes(const cairn_grid *grid)
{
    size_t cells = (size_t)grid->width * grid->height,
           bytes = sizeof *grid + crn_bits_bytes(&grid->open);
    bytes += grid->edit_capacity * sizeof *grid->edits + crn_grid_commit_bytes(grid);
    bytes += grid->link_edit_capacity * sizeof *grid->link_edits +
             grid->link_capacity * sizeof *grid->links;
    if (grid->terrain) bytes += cells;
    if (grid->layer) bytes += cells;
    if (grid->elevation) bytes += cells * sizeof *grid->elevation;
    return bytes;
}

/* ---- cells and positions ---- */

bool cairn_grid_inside(const cairn_grid *grid, int32_t x, int32_t y)
{
    return (uint32_t)x < grid->width && (uint32_t)y < grid->height;
}

cairn_node cairn_grid_node(const cairn_grid *grid, int32_t x, int32_t y)
{
    return cairn_grid_inside(grid, x, y) ? (uint32_t)y * grid->width + (uint32_t)x : CAIRN_NO_NODE;
}

cairn_cell cairn_grid_cell(const cairn_grid *grid, cairn_node node)
{
    if (node >= grid->width * grid->height) return (cairn_cell){-1, -1};
    return crn_grid_cell(grid, node);
}

/* The hexagon a point lies in is the one with the nearest centre, here of the two rows that the
 * point lies between; x and y count in cells from the origin. Points on a border belong to the
 * upper, then the left one. */
static cairn_node grid_node_at_hex(const cairn_grid *grid, double x, double y)
{
    double first_row = floor((y - CRN_HEX_CENTRE) / CRN_HEX_ROW), nearest = INFINITY;
    /* Written so that NaN fails too. */
    if (!(first_row >= -1 && first_row < grid->height && x >= 0 && x < grid->width + 0.5))
        return CAIRN_NO_NODE;
    cairn_cell best = {-1, -1};
    for (int32_t row = (int32_t)first_row; row <= (int32_t)first_row + 1; row++) {
        double shift = row & 1 ? 0.5 : 0, column = floor(x - shift);
        double dx = x - shift - column - 0.5, dy = y - CRN_HEX_CENTRE - row * CRN_HEX_ROW;
        double distance = dx * dx + dy * dy;
        if (distance >= nearest) continue;
        nearest = distance;
        best = (cairn_cell){(int32_t)column, row};
    }
    return cairn_grid_node(grid, best.x, best.y);
}

cairn_node cairn_grid_node_at(const cairn_grid *grid, cairn_position position)
{
    double x = (position.x - grid->origin.x) / grid->cell_size;
    double y = (position.y - grid->origin.y) / grid->cell_size;
    if (grid->layout == CAIRN_LAYOUT_HEX) return grid_node_at_hex(grid, x, y);
    x = floor(x);
    y = floor(y);
    if (!(x >= 0 && x < grid->width && y >= 0 && y < grid->height)) return CAIRN_NO_NODE;
    return cairn_grid_node(grid, (int32_t)x, (int32_t)y);
}

cairn_position cairn_grid_position(const cairn_grid *grid, cairn_node node)
{
    cairn_cell cell = cairn_grid_cell(grid, node);
    double x = cell.x + 0.5, y = cell.y + 0.5;
    if (grid->layout == CAIRN_LAYOUT_HEX) {
        if (cell.y & 1) x += 0.5;
        y = cell.y * CRN_HEX_ROW + CRN_HEX_CENTRE;
    }
    return (cairn_position){grid->origin.x + x * grid->cell_size,
                            grid->origin.y + y * grid->cell_size, 0};
}

cairn_cell_state crn_grid_state(const cairn_grid *grid, cairn_node node)
{
    cairn_cell cell = crn_grid_cell(grid, node);
    cairn_cell_state state = {
        crn_bit(&grid->open, cell.x, cell.y), grid->terrain ? grid->terrain[node] : 0,
        grid->layer ? grid->layer[node] : 0, grid->elevation ? grid->elevation[node] : 0};
    return state;
}

bool cairn_grid_is_open(const cairn_grid *grid, int32_t x, int32_t y)
{
    return cairn_grid_inside(grid, x, y) && crn_bit(&grid->open, x, y);
}

const char *cairn_terrain_name(uint32_t terrain)
{
    static const char *const names[CAIRN_TERRAIN_FREE] = {[CAIRN_TERRAIN_GROUND] = "ground",
                                                          [CAIRN_TERRAIN_SWAMP] = "swamp",
                                                          [CAIRN_TERRAIN_WATER] = "water",
                                                          [CAIRN_TERRAIN_TREES] = "trees"};
    return terrain < CAIRN_TERRAIN_FREE ? names[terrain] : NULL;
}

uint8_t cairn_grid_terrain(const cairn_grid *grid, int32_t x, int32_t y)
{
    return grid->terrain && cairn_grid_inside(grid, x, y)
               ? grid->terrain[cairn_grid_node(grid, x, y)]
               : 0;
}

uint8_t cairn_grid_layer(const cairn_grid *grid, int32_t x, int32_t y)
{
    return grid->layer && cairn_grid_inside(grid, x, y) ? grid->layer[cairn_grid_node(grid, x, y)]
                                                        : 0;
}

int16_t cairn_grid_elevation(const cairn_grid *grid, int32_t x, int32_t y)
{
    return grid->elevation && cairn_grid_inside(grid, x, y)
               ? grid->elevation[cairn_grid_node(grid, x, y)]
               : (int16_t)0;
}
