/* grid.h: the grid world. Each cell is open or blocked, and has a terrain class, an extra cost (for
 * danger and other tactics) and an elevation.
 *
 * A grid is data. What an agent can do in it is a space (space.h). Cells are edited by staging
 * changes and committing them. A commit makes one new version, and every space of the grid is up to
 * date when it returns. Staging and committing need exclusive access: no search may run in the
 * grid's spaces meanwhile.
 */
#ifndef CAIRN_GRID_H
#define CAIRN_GRID_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_grid cairn_grid;

/* The largest width and height. */
#define CAIRN_GRID_MAX 32768u

/* Terrain classes are 0…255. These have names; the others are yours. */
enum {
    CAIRN_TERRAIN_GROUND = 0,
    CAIRN_TERRAIN_SWAMP = 1,
    CAIRN_TERRAIN_WATER = 2,
    CAIRN_TERRAIN_TREES = 3,
    CAIRN_TERRAIN_FREE = 4 /* the first class without a meaning of its own */
};

/* Returns "ground", "swamp", "water" or "trees"; NULL for classes without a name. */
CAIRN_API const char *cairn_terrain_name(uint32_t terrain);

/* How the cells are arranged.
 * - Square: in rows and columns.
 * - Hex: hexagons with a point on top, in rows. Every odd row (y = 1, 3, …) is shifted to the right
 *   by half a cell. */
typedef enum cairn_layout {
    CAIRN_LAYOUT_SQUARE,
    CAIRN_LAYOUT_HEX,
    CAIRN_LAYOUT_COUNT
} cairn_layout;

/* The arrays to create a grid from.
 * - Each array has `height` rows of `stride` elements (0 = width), of which the first `width`
 *   count.
 * - NULL arrays mean: all open, all ground, no extra cost, all flat.
 * - The arrays are copied. */
typedef struct cairn_grid_options {
    uint32_t width, height; /* 1…CAIRN_GRID_MAX */
    uint32_t stride;
    const uint8_t *open; /* not 0 = open */
    const uint8_t *terrain;
    const uint8_t *layer;
    const int16_t *elevation;
    cairn_position origin; /* position of the outer corner of cell (0, 0); z does not count */
    double cell_size;      /* side of a square, width of a hexagon, in positions; 0 = 1 */
    cairn_layout layout;
} cairn_grid_options;

CAIRN_API cairn_status cairn_grid_create(cairn_context *context, const cairn_grid_options *options,
                                         cairn_grid **out, cairn_error *error);

/* Creates a grid from a text, one character per cell.
 * - '.', 'G' or ' ' is ground, 'S' swamp, 'W' water, 'T' trees; '#', '@' or 'O' is blocked.
 * - Rows are separated by line ends ('\n' or "\r\n") and have the same length.
 * - Line ends after the last row are ignored.
 * - `text` need not end in a zero byte. */
CAIRN_API cairn_status cairn_grid_from_text(cairn_context *context, const char *text, size_t length,
                                            cairn_grid **out, cairn_error *error);

/* What is known of a grid before it is seen (cairn_grid_known). */
enum {
    CAIRN_KNOW_NOTHING = 0,    /* free space */
    CAIRN_KNOW_OPEN = 1u << 0, /* which cells are open */
    CAIRN_KNOW_TERRAIN = 1u << 1,
    CAIRN_KNOW_LAYER = 1u << 2,
    CAIRN_KNOW_ELEVATION = 1u << 3,
    CAIRN_KNOW_LINKS = 1u << 4,
    CAIRN_KNOW_ALL = (1u << 5) - 1
};

/* Creates a grid of the same size and layout, with the same origin and context, that holds what
 * agents know of `truth`, for partly known worlds (cairn_navigator_set_sensor). `what` is a set of
 * the bits above. All else is assumed: every cell is open, of the class `terrain`, without extra
 * cost and flat, and there is no link.
 * - What cannot be reached in such a grid cannot be reached in truth either, if the truth has no
 *   step that the grid does not have. So assume ground that is not forbidden; and if there are
 *   links, or limits for climbing and dropping, let links and elevation be known. */
CAIRN_API cairn_status cairn_grid_known(const cairn_grid *truth, uint32_t what, uint8_t terrain,
                                        cairn_grid **out, cairn_error *error);

/* Destroys a grid. Its spaces keep it alive and go on working; it cannot be edited any more. NULL
 * is allowed. */
CAIRN_API void cairn_grid_destroy(cairn_grid *grid);

CAIRN_API cairn_context *cairn_grid_context(const cairn_grid *grid);
CAIRN_API uint32_t cairn_grid_width(const cairn_grid *grid);
CAIRN_API uint32_t cairn_grid_height(const cairn_grid *grid);
CAIRN_API size_t cairn_grid_bytes(const cairn_grid *grid);
CAIRN_API cairn_layout cairn_grid_layout(const cairn_grid *grid);
CAIRN_API cairn_position cairn_grid_origin(const cairn_grid *grid);
CAIRN_API double cairn_grid_cell_size(const cairn_grid *grid);

/* Sets the layout, for grids from files that do not state it. CAIRN_INVALID if the grid has a
 * space. */
CAIRN_API cairn_status cairn_grid_set_layout(cairn_grid *grid, cairn_layout layout);

/* Returns the version: 1 for a new grid, and one more after every commit that changed something. */
CAIRN_API uint64_t cairn_grid_version(const cairn_grid *grid);

/* ---- cells --------------------------------------------------------------------- */

CAIRN_API bool cairn_grid_inside(const cairn_grid *grid, int32_t x, int32_t y);

/* Returns the node of a cell, or CAIRN_NO_NODE outside the grid. */
CAIRN_API cairn_node cairn_grid_node(const cairn_grid *grid, int32_t x, int32_t y);

/* Returns the cell of a node, or (-1, -1) if there is no such node. */
CAIRN_API cairn_cell cairn_grid_cell(const cairn_grid *grid, cairn_node node);

/* Return the node of the cell that contains a position, and the position of a cell's centre.
 * CAIRN_NO_NODE for positions outside the grid and for those that are not finite. */
CAIRN_API cairn_node cairn_grid_node_at(const cairn_grid *grid, cairn_position position);
CAIRN_API cairn_position cairn_grid_position(const cairn_grid *grid, cairn_node node);

/* Return the committed value of a cell. Outside the grid: not open, and 0. */
CAIRN_API bool cairn_grid_is_open(const cairn_grid *grid, int32_t x, int32_t y);
CAIRN_API uint8_t cairn_grid_terrain(const cairn_grid *grid, int32_t x, int32_t y);
CAIRN_API uint8_t cairn_grid_layer(const cairn_grid *grid, int32_t x, int32_t y);
CAIRN_API int16_t cairn_grid_elevation(const cairn_grid *grid, int32_t x, int32_t y);

/* ---- edits --------------------------------------------------------------------- */

/* Stage a change of one cell. CAIRN_OUT_OF_BOUNDS outside the grid.
 * - The last change of a cell counts.
 * - Nothing is visible before the commit. */
CAIRN_API cairn_status cairn_grid_set_open(cairn_grid *grid, int32_t x, int32_t y, bool open);
CAIRN_API cairn_status cairn_grid_set_terrain(cairn_grid *grid, int32_t x, int32_t y,
                                              uint8_t terrain);
CAIRN_API cairn_status cairn_grid_set_layer(cairn_grid *grid, int32_t x, int32_t y, uint8_t value);
CAIRN_API cairn_status cairn_grid_set_elevation(cairn_grid *grid, int32_t x, int32_t y,
                                                int16_t value);

/* A link leads from one cell to any other one, near or far, in that direction only: a door, a
 * ladder, a teleport, a jump down. It can be used while the agent can stand on both cells. Paths
 * report its id. */
typedef struct cairn_link {
    cairn_node from, to;
    uint32_t id;   /* yours; several links may share one */
    uint32_t cost; /* in 256ths of a straight step on plain ground; at least one unit is charged */
    uint8_t kind;  /* 0…31: profiles say which kinds an agent may use */
} cairn_link;

/* Stage a new link, or the removal of all links with this id. They take effect in the order of
 * staging.
 * - CAIRN_OUT_OF_BOUNDS: a cell does not exist.
 * - CAIRN_INVALID: the kind is not 0…31, or `from` and `to` are the same. */
CAIRN_API cairn_status cairn_grid_add_link(cairn_grid *grid, const cairn_link *link);
CAIRN_API cairn_status cairn_grid_remove_links(cairn_grid *grid, uint32_t id);

/* Return the number of committed links, and the i-th of them: ascending by `from`, then by `to`,
 * then in the order of adding. */
CAIRN_API uint32_t cairn_grid_link_count(const cairn_grid *grid);
CAIRN_API cairn_link cairn_grid_link_at(const cairn_grid *grid, uint32_t i);

/* Makes all staged changes at once. On failure nothing has changed, and the changes stay staged. A
 * commit that changes no cell and no link keeps the version. */
CAIRN_API cairn_status cairn_grid_commit(cairn_grid *grid);

/* Forgets all staged changes. */
CAIRN_API void cairn_grid_discard(cairn_grid *grid);

/* All values of one cell. */
typedef struct cairn_cell_state {
    bool open;
    uint8_t terrain;
    uint8_t layer;
    int16_t elevation;
} cairn_cell_state;

typedef struct cairn_change {
    cairn_node node;
    cairn_cell_state before, after;
} cairn_change;

/* The side of the square tiles in which a commit is summarised. */
#define CAIRN_TILE 64u

/* What the commit that made `version` has changed. Valid until the next commit. */
typedef struct cairn_commit {
    uint64_t version;
    const cairn_change *changes; /* each cell once, ascending by node */
    uint32_t change_count;
    const uint64_t *tiles; /* one bit per 64×64 tile, row by row, set if a cell in it changed */
    uint32_t tile_columns, tile_rows;
    bool links_changed;
} cairn_commit;

/* Describes the commit that made `version`. The grid remembers its last commit and, up to a bounded
 * number of cells, those before it. CAIRN_STALE for a version that is forgotten or does not exist
 * yet. */
CAIRN_API cairn_status cairn_grid_commit_info(const cairn_grid *grid, uint64_t version,
                                              cairn_commit *out);

#ifdef __cplusplus
}
#endif
#endif
