/* io.h: libcairn-io: worlds and problems from files and memory, and pictures of what a search did.
 * Parsers take (pointer, length), trust nothing, and report line and reason.
 */
#ifndef CAIRN_IO_H
#define CAIRN_IO_H

#include "cairn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- files ------------------------------------------------------------------------ */

/* Reads a whole file (at most `limit` bytes, 0 = 2 GiB) into memory of the context, with a zero
 * byte after it. Free with cairn_file_free. */
typedef struct cairn_file {
    char *data;
    size_t size;
} cairn_file;
CAIRN_API cairn_status cairn_file_read(cairn_context *context, const char *name, size_t limit,
                                       cairn_file *out, cairn_error *error);
CAIRN_API void cairn_file_free(cairn_context *context, cairn_file *file);

/* Writes a file. It appears whole or not at all, as every file that these functions write: until
 * all is on the disk, what had that name before stays. A link of that name stays one; devices and
 * pipes are written in place. */
CAIRN_API cairn_status cairn_file_write(const char *name, cairn_bytes bytes, cairn_error *error);

/* Maps a file into memory, where the system can do that, or reads it whole. The file must not
 * change meanwhile. Undo with cairn_file_unmap. */
typedef struct cairn_mapping {
    const void *data;
    size_t size;
    bool mapped; /* else `data` is memory of the context */
} cairn_mapping;
CAIRN_API cairn_status cairn_file_map(cairn_context *context, const char *name, cairn_mapping *out,
                                      cairn_error *error);
CAIRN_API void cairn_file_unmap(cairn_context *context, cairn_mapping *mapping);

/* ---- containers (store.h) ----------------------------------------------------------- */

/* Writes the container to a file. */
CAIRN_API cairn_status cairn_store_save(const cairn_store *store, const char *name,
                                        cairn_error *error);

/* Opens a `.cairn` file. The archive keeps the file mapped until it is closed. */
CAIRN_API cairn_status cairn_archive_load(cairn_context *context, const char *name, uint32_t flags,
                                          cairn_archive **out, cairn_error *error);

/* ---- grids ------------------------------------------------------------------------ */

/* Reads a MovingAI `.map`: four header lines, then rows. Lines end in LF or CR LF; the last line
 * end may be missing. Limit: CAIRN_GRID_MAX. */
CAIRN_API cairn_status cairn_map_parse(cairn_context *context, cairn_bytes bytes, cairn_grid **out,
                                       cairn_error *error);

/* Writes the grid as the text of a MovingAI `.map` (free with cairn_file_free): '.', 'S', 'W', 'T',
 * '@'. Other classes are written as ground. */
CAIRN_API cairn_status cairn_map_format(const cairn_grid *grid, cairn_file *out);

/* How a picture becomes a grid, one pixel a cell. All colour types, depths and interlacing are
 * read. 16 bits are rounded to 8. Colour profiles and gamma are ignored. */
typedef enum cairn_png_mode {
    CAIRN_PNG_AUTO,      /* DEFAULT if cairn_grid_png wrote the file, else THRESHOLD */
    CAIRN_PNG_THRESHOLD, /* bright cells are open: luminance × alpha at least the threshold */
    CAIRN_PNG_DEFAULT,   /* the colours that cairn_grid_png writes, exactly */
    CAIRN_PNG_PALETTE,   /* your own colours */
    CAIRN_PNG_MODE_COUNT
} cairn_png_mode;

/* What pixels of one colour stand for. */
typedef struct cairn_png_colour {
    uint8_t red, green, blue;
    bool open;
    uint8_t terrain;
    uint8_t layer; /* the extra cost */
} cairn_png_colour;

typedef struct cairn_png_options {
    cairn_png_mode mode;
    uint32_t threshold; /* 1…255; 0 = 128 */
    bool invert;        /* with a threshold: dark cells are open */
    /* Palette: the nearest colour counts, and of several the first, if no channel of the pixel
     * differs from it by more than `tolerance` (0 = exact). Transparent pixels (alpha 0) match
     * none. */
    const cairn_png_colour *colours;
    uint32_t colour_count;
    uint32_t tolerance;                /* 0…255 */
    const cairn_png_colour *otherwise; /* for pixels that match none; NULL = the file is refused */
} cairn_png_options;

CAIRN_API cairn_png_options cairn_png_defaults(void);

/* Reads a PNG. `options` may be NULL. CAIRN_UNSUPPORTED if the library was built without PNG. */
CAIRN_API cairn_status cairn_png_parse(cairn_context *context, cairn_bytes bytes,
                                       const cairn_png_options *options, cairn_grid **out,
                                       cairn_error *error);

/* A decoded picture: red, green, blue, alpha, 8 bits each, row by row. */
typedef struct cairn_pixels {
    const uint8_t *rgba;
    uint32_t width, height;
} cairn_pixels;

/* Reads a picture that is decoded already. AUTO means THRESHOLD here. */
CAIRN_API cairn_status cairn_pixels_parse(cairn_context *context, cairn_pixels picture,
                                          const cairn_png_options *options, cairn_grid **out,
                                          cairn_error *error);

/* Writes the grid as a palette picture, one pixel a cell (free with cairn_file_free). Ground is
 * white, blocked cells are black, and each class has a colour of its own. Reading it gives the same
 * cells. Extra costs, elevations, links, the layout and the classes of blocked cells are not
 * kept. */
CAIRN_API cairn_status cairn_grid_png(const cairn_grid *grid, cairn_file *out, cairn_error *error);

/* Returns the colour of blocked cells, or of open cells of this class, in such a picture. */
CAIRN_API cairn_png_colour cairn_png_default(bool open, uint8_t terrain);

/* Maps of the editor Tiled: `.tmx` (XML) and `.tmj` (JSON), square (orthogonal, isometric) or
 * hexagonal, finite or infinite. docs/files.md says what counts as blocked, terrain and cost. */

/* What a cell is if no layer that counts has a tile on it. */
typedef enum cairn_tiled_void {
    CAIRN_TILED_VOID_AUTO, /* open if all layers that count are collision layers, else blocked */
    CAIRN_TILED_VOID_BLOCKED,
    CAIRN_TILED_VOID_OPEN,
    CAIRN_TILED_VOID_COUNT
} cairn_tiled_void;

/* Gets a tileset from a file of its own, into memory of the context. The parser frees it. `name` is
 * what the map says, usually a path relative to the map. */
typedef cairn_status cairn_tiled_read(void *user, cairn_context *context, const char *name,
                                      cairn_file *out, cairn_error *error);

/* Where the map's cells are in the grid. The cell (left, top) of the file is the grid's (0, 0);
 * `swapped`: columns of the file are rows of the grid (hexagons with a flat top). The grid's origin
 * is such that positions count from the file's cell (0, 0). */
typedef struct cairn_tiled_place {
    int32_t left, top;
    bool swapped;
    cairn_layout layout;
} cairn_tiled_place;

typedef struct cairn_tiled_options {
    /* only tile layers of this name, hidden or not; NULL = all that are visible */
    const char *layer;
    /* tiles as numbered in the layers, without the flags for flipping */
    const uint32_t *blocked_ids;
    uint32_t blocked_count;   /* both lists override all properties ... */
    const uint32_t *open_ids; /* ... and blocked overrides open */
    uint32_t open_count;
    cairn_tiled_void void_cells;
    /* side of the grid's cells; 0 = 1. With the width of the map's tiles, positions are pixels */
    double cell_size;
    /* NULL: cairn_tiled_load looks beside the map, cairn_tiled_parse refuses */
    cairn_tiled_read *read;
    void *read_user;
    /* do not read tilesets in files of their own: their tiles have no properties */
    bool skip_tilesets;
    /* gets to know where the cells are; NULL: nobody asks */
    cairn_tiled_place *place;
} cairn_tiled_options;

CAIRN_API cairn_tiled_options cairn_tiled_defaults(void);

/* Returns the grid's cell for a cell of the file. */
CAIRN_API cairn_cell cairn_tiled_cell(const cairn_tiled_place *place, int32_t x, int32_t y);

/* Read a Tiled map. `options` may be NULL. CAIRN_UNSUPPORTED for kinds of maps that are not read,
 * and for compression that the library was built without. */
CAIRN_API cairn_status cairn_tiled_parse(cairn_context *context, cairn_bytes bytes,
                                         const cairn_tiled_options *options, cairn_grid **out,
                                         cairn_error *error);
CAIRN_API cairn_status cairn_tiled_load(cairn_context *context, const char *name,
                                        const cairn_tiled_options *options, cairn_grid **out,
                                        cairn_error *error);

/* Loads a grid from a file. The format is recognized by its first bytes: .cairn, PNG, Tiled ('<' or
 * '{'), MovingAI ("type"), else plain text. A byte-order mark before a text is skipped, here and by
 * all parsers of texts in this header. */
CAIRN_API cairn_status cairn_grid_load(cairn_context *context, const char *name, cairn_grid **out,
                                       cairn_error *error);

/* Reads a grid from a file in memory. Tilesets in files of their own are refused. `name` (may be
 * NULL) is only used for the error if its ending says something else. */
CAIRN_API cairn_status cairn_grid_parse(cairn_context *context, cairn_bytes bytes, const char *name,
                                        cairn_grid **out, cairn_error *error);

/* Saves a grid as `.map`, `.txt` (the rows alone), `.png` or `.cairn`, by the ending of the name.
 * Only `.cairn` holds everything. CAIRN_UNSUPPORTED for other endings. */
CAIRN_API cairn_status cairn_grid_save(const cairn_grid *grid, const char *name,
                                       cairn_error *error);

/* The same into memory (free with cairn_file_free). Of `name` only the ending counts. */
CAIRN_API cairn_status cairn_grid_format(const cairn_grid *grid, const char *name, cairn_file *out,
                                         cairn_error *error);

/* ---- problems --------------------------------------------------------------------- */

typedef struct cairn_problem {
    uint32_t bucket;
    uint32_t width, height; /* of the map the problem was made for */
    cairn_cell from, to;
    double length;    /* optimal length as printed */
    double tolerance; /* half a unit of the last printed digit, and a little */
} cairn_problem;

typedef struct cairn_scenario {
    cairn_problem *problems;
    uint32_t count;
    char map[240]; /* the map's file name without folders, of the first problem */
} cairn_scenario;

/* Reads a MovingAI `.scen`, version 1 or 1.0. Free with cairn_scenario_free. */
CAIRN_API cairn_status cairn_scenario_parse(cairn_context *context, cairn_bytes bytes,
                                            cairn_scenario *out, cairn_error *error);
CAIRN_API cairn_status cairn_scenario_load(cairn_context *context, const char *name,
                                           cairn_scenario *out, cairn_error *error);
CAIRN_API void cairn_scenario_free(cairn_context *context, cairn_scenario *scenario);

/* Writes a `.scen` of version 1 (free with cairn_file_free). Lengths have eight decimals.
 * CAIRN_INVALID if the map's name is empty or has blanks, which the format cannot hold. */
CAIRN_API cairn_status cairn_scenario_format(cairn_context *context, const cairn_scenario *scenario,
                                             cairn_file *out, cairn_error *error);

/* What problems to generate: random ones that can be solved, with their optimal lengths for the
 * default profile, ascending by bucket (length / 4, rounded down). */
typedef struct cairn_scenario_options {
    const char *map; /* its name in the scenario; folders are left out */
    uint32_t count;
    uint64_t seed;
    uint32_t lowest_bucket, highest_bucket; /* 0 and 0 = all */
    const cairn_progress *progress;         /* may be NULL */
} cairn_scenario_options;

/* Generates problems whose start and goal differ. Free with cairn_scenario_free. CAIRN_UNREACHABLE
 * if there are no such problems, or so few that random choice does not find them. */
CAIRN_API cairn_status cairn_scenario_generate(cairn_grid *grid,
                                               const cairn_scenario_options *options,
                                               cairn_scenario *out, cairn_error *error);

/* ---- walks --------------------------------------------------------------------------- */

/* A walk script: an agent, a start, a goal, and changes of the world while it walks, each at a step
 * of the walk. docs/files.md describes the format. The map may be named, generated, drawn in the
 * script, or left to the program that runs it. */
typedef enum cairn_script_map {
    CAIRN_SCRIPT_MAP_NONE, /* the program that runs the script brings one */
    CAIRN_SCRIPT_MAP_FILE, /* `file`: a path relative to the script */
    CAIRN_SCRIPT_MAP_GENERATED,
    CAIRN_SCRIPT_MAP_ROWS, /* `rows`: plain text, as cairn_grid_from_text reads it */
    CAIRN_SCRIPT_MAP_COUNT
} cairn_script_map;

typedef enum cairn_script_action {
    CAIRN_SCRIPT_BLOCK,   /* the cells become blocked ... */
    CAIRN_SCRIPT_OPEN,    /* ... or open ... */
    CAIRN_SCRIPT_TERRAIN, /* ... or get another terrain class */
    CAIRN_SCRIPT_GOAL,    /* the goal moves to `first` */
    CAIRN_SCRIPT_ACTION_COUNT
} cairn_script_action;

/* "block", "open", "terrain", "goal" */
CAIRN_API const char *cairn_script_action_name(cairn_script_action action);

typedef struct cairn_script_change {
    /* the step: how many the agent has made, those included at which it stood without a path */
    uint32_t at;
    cairn_script_action action;
    cairn_cell first,
        /* the cells of a rectangle, both corners included: first.x ≤ last.x, first.y ≤ last.y */
        last;
    uint8_t terrain;
} cairn_script_change;

typedef enum cairn_script_end {
    CAIRN_SCRIPT_END_ANY,     /* the script does not say how it ends ... */
    CAIRN_SCRIPT_END_ARRIVED, /* ... at the goal ... */
    CAIRN_SCRIPT_END_STOPPED, /* ... or without a path */
    CAIRN_SCRIPT_END_COUNT
} cairn_script_end;

typedef struct cairn_script {
    char title[120]; /* may be "" */
    cairn_script_map map;
    char file[240];
    cairn_generator generator;
    char *rows;
    size_t rows_size;
    uint32_t rows_line;    /* the line of the script before the first row */
    cairn_profile profile; /* of the agent; default where the script says nothing */
    cairn_cell from, to;
    cairn_script_change *changes; /* ascending by `at`, else in the order of the script */
    uint32_t change_count;
    cairn_script_end end; /* what is expected of an agent that replans when it must */
} cairn_script;

#define CAIRN_SCRIPT_CHANGES_MAX 100000u
#define CAIRN_SCRIPT_STEP_MAX 1000000000u

/* Read a walk script. Free with cairn_script_free. Whether cells lie on the map is checked later,
 * by cairn_script_turn. */
CAIRN_API cairn_status cairn_script_parse(cairn_context *context, cairn_bytes bytes,
                                          cairn_script *out, cairn_error *error);
CAIRN_API cairn_status cairn_script_load(cairn_context *context, const char *name,
                                         cairn_script *out, cairn_error *error);
CAIRN_API void cairn_script_free(cairn_context *context, cairn_script *script);

/* Writes the script as text (free with cairn_file_free). CAIRN_INVALID for what the format cannot
 * hold. */
CAIRN_API cairn_status cairn_script_format(cairn_context *context, const cairn_script *script,
                                           cairn_file *out, cairn_error *error);

/* Make the map of the script, of hexagons if its agent says so, and return its agent, with six
 * neighbours if the grid is made of hexagons.
 * - `folder` (may be NULL) is put before the name of a file, unchanged.
 * - CAIRN_INVALID if the script has no map. */
CAIRN_API cairn_status cairn_script_grid(cairn_context *context, const cairn_script *script,
                                         const char *folder, cairn_grid **out, cairn_error *error);
CAIRN_API cairn_profile cairn_script_profile(const cairn_script *script, const cairn_grid *grid);

/* A walk by a script, turn by turn. It begins with a walk of zeros and a navigator that was started
 * at script->from and script->to, and lasts until `over`. A turn makes the changes that are due,
 * all in one commit, and asks the navigator for the next move.
 * - CAIRN_OK, whatever the move says.
 * - CAIRN_OUT_OF_BOUNDS (no such cell) and CAIRN_OUT_OF_MEMORY: the changes could not be made.
 * - `step` counts the steps of the agent; thinking does not count. If the agent stands at its goal
 *   or without a path, and more changes are to come, the turn moves `step` to the next one. */
typedef struct cairn_script_walk {
    const cairn_script *script;
    cairn_grid *grid;
    cairn_navigator *navigator; /* under way in it */
    /* 0 before the first turn: */
    uint64_t step;
    uint32_t next; /* the first change that is still to come */
    uint32_t made; /* changes made in the last turn */
    /* the agent stands, and no change to come can set it in motion: at its goal only another goal
     * can, without a path any change */
    bool over;
} cairn_script_walk;
CAIRN_API cairn_status cairn_script_turn(cairn_script_walk *walk, cairn_move *move,
                                         cairn_error *error);

/* ---- graphs ------------------------------------------------------------------------ */

/* Reads a DIMACS shortest-path graph: `.gr` text and, optionally ({NULL, 0}), `.co` coordinates.
 * Weights are kept as integers; node 1 becomes node 0. */
CAIRN_API cairn_status cairn_dimacs_parse(cairn_context *context, cairn_bytes gr, cairn_bytes co,
                                          cairn_graph **out, cairn_error *error);

/* Loads a `.gr` file, and the `.co` file of the same name beside it if there is one. */
CAIRN_API cairn_status cairn_graph_load(cairn_context *context, const char *name, cairn_graph **out,
                                        cairn_error *error);

/* ---- pictures ---------------------------------------------------------------------- */

/* What one search did, collected by a trace sink: order of expansion, g and h per node. Its memory
 * grows with the number of nodes seen. Of subsearches (hierarchies) those on level 0 are recorded:
 * the order counts on through all of them; g and h are those of the last one that saw the node. */
typedef struct cairn_recording cairn_recording;
CAIRN_API cairn_status cairn_recording_create(const cairn_space *space, cairn_recording **out);
CAIRN_API void cairn_recording_destroy(cairn_recording *recording);
CAIRN_API cairn_trace_sink cairn_recording_sink(cairn_recording *recording);

/* Returns CAIRN_OUT_OF_MEMORY if memory ran out during the search; such a recording makes no
 * picture. */
CAIRN_API cairn_status cairn_recording_status(const cairn_recording *recording);
CAIRN_API uint64_t cairn_recording_expanded(const cairn_recording *recording);

/* What the colour of an expanded node shows. */
typedef enum cairn_colouring {
    CAIRN_COLOUR_ORDER, /* its place in the order of first expansion, from 1 */
    CAIRN_COLOUR_G,     /* the cost of the path to it ... */
    CAIRN_COLOUR_H,     /* ... the estimate of the rest ... */
    CAIRN_COLOUR_F,     /* ... and their sum, in units */
    CAIRN_COLOUR_NONE,  /* nothing: expanded nodes look like others */
    CAIRN_COLOUR_COUNT
} cairn_colouring;

/* Returns "order", "g", "h", "f" or "none". */
CAIRN_API const char *cairn_colouring_name(cairn_colouring by);

/* Return the value of a node, or false if it was never expanded, and the least and the greatest
 * value of all nodes that were (0 and 0 if none). */
typedef struct cairn_range {
    uint64_t least, most;
} cairn_range;
CAIRN_API bool cairn_recording_value(const cairn_recording *recording, cairn_colouring by,
                                     cairn_node node, uint64_t *out);
CAIRN_API cairn_range cairn_recording_range(const cairn_recording *recording, cairn_colouring by);

/* What an index looks like, collected by an overlay sink, from cairn_planner_overlay or from you.
 * - Connected areas have one colour, different from their neighbours' as far as eight colours
 *   allow.
 * - Borders, nodes and edges are drawn on the map, those of higher levels larger.
 * - Of several levels the areas of the lowest are shown. */
typedef struct cairn_overlay cairn_overlay;
CAIRN_API cairn_status cairn_overlay_create(const cairn_space *space, cairn_overlay **out);
CAIRN_API void cairn_overlay_destroy(cairn_overlay *overlay);
CAIRN_API cairn_overlay_sink cairn_overlay_sink_of(cairn_overlay *overlay);

/* Returns CAIRN_OUT_OF_MEMORY if memory ran out; such an overlay makes no picture. */
CAIRN_API cairn_status cairn_overlay_status(const cairn_overlay *overlay);

/* Returns how many items of a kind were collected. */
CAIRN_API uint64_t cairn_overlay_count(const cairn_overlay *overlay, cairn_overlay_kind kind);

typedef struct cairn_picture {
    const cairn_space *space;         /* of a grid, or of a graph with positions */
    const cairn_recording *recording; /* the fill pattern; NULL = none */
    cairn_colouring colour;           /* what its colours show */
    /* a strip below the map explains the colours, where there is room for it */
    bool legend;
    const cairn_overlay *overlay; /* below the path; expanded nodes hide its areas; NULL = none */
    const cairn_path *path;       /* NULL = none */
    const cairn_node *smooth;     /* points of a smoothed path; NULL = none */
    uint32_t smooth_count;
    /* instead of `smooth`: points as cairn_smooth_spline gives them (grids) */
    const cairn_position *curve;
    uint32_t curve_count;
    cairn_node from, to; /* marked; CAIRN_NO_NODE = not */
    uint32_t scale;      /* pixels a cell; 0 = the most that fit 1024 pixels, at least 1 */
    /* Called now and then while a grid is drawn, with the rows done of all rows; may be NULL. */
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *progress_user;
} cairn_picture;

/* Draw a picture into memory of the context (free with cairn_file_free). PNG: grids only, and
 * CAIRN_UNSUPPORTED if the library was built without it. */
CAIRN_API cairn_status cairn_picture_svg(const cairn_picture *picture, cairn_file *out,
                                         cairn_error *error);
CAIRN_API cairn_status cairn_picture_png(const cairn_picture *picture, cairn_file *out,
                                         cairn_error *error);

/* ---- traces ------------------------------------------------------------------------ */

/* The trace of one search as a YAML document for the Posthoc visualiser (search-trace format
 * 1.4.0), written while the search runs.
 * - The id of an event is its node.
 * - x and y are the cell. Hexagons: the position of their centre. Graphs: the positions, in units
 *   of the typical distance between waypoints; rows of waypoints if there are no positions.
 * - f, g and h count straight steps (graphs: weights).
 * - Events of abstract levels are left out, as their nodes have no positions. Subsearches follow
 *   one another, each with costs from 0. */
typedef struct cairn_posthoc cairn_posthoc;
CAIRN_API cairn_status cairn_posthoc_create(const cairn_space *space, const cairn_writer *writer,
                                            cairn_posthoc **out);
CAIRN_API cairn_status cairn_posthoc_open(const cairn_space *space, const char *name,
                                          cairn_posthoc **out, cairn_error *error);
CAIRN_API cairn_trace_sink cairn_posthoc_sink(cairn_posthoc *posthoc);

/* Writes the rest and destroys the object. Returns whatever went wrong since its creation. */
CAIRN_API cairn_status cairn_posthoc_finish(cairn_posthoc *posthoc, cairn_error *error);

#ifdef __cplusplus
}
#endif
#endif
