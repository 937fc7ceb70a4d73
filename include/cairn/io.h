/* io.h: libcairn-io: worlds and problems from files and memory, pictures of what a
 * search did. Parsers take (pointer, length), trust nothing, and say line and reason.
 */
#ifndef CAIRN_IO_H
#define CAIRN_IO_H

#include "cairn.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- files ------------------------------------------------------------------------ */

/* Reads a whole file (at most `limit` bytes, 0 = 2 GiB) into memory of the context, with
 * a zero byte behind it; free with cairn_file_free. */
typedef struct cairn_file {
    char *data;
    size_t size;
} cairn_file;
CAIRN_API cairn_status cairn_file_read(cairn_context *context, const char *name, size_t limit,
                                       cairn_file *out, cairn_error *error);
CAIRN_API void cairn_file_free(cairn_context *context, cairn_file *file);
CAIRN_API cairn_status cairn_file_write(const char *name, const void *data, size_t size, cairn_error *error);

/* ---- grids ------------------------------------------------------------------------ */

/* A MovingAI `.map`: four header lines, then rows. LF and CR LF, the last line end may be
 * missing. Limits: CAIRN_GRID_MAX. */
CAIRN_API cairn_status cairn_map_parse(cairn_context *context, const char *data, size_t size,
                                       cairn_grid **out, cairn_error *error);

/* The text of the grid as a MovingAI `.map` (free with cairn_file_free): '.', 'S', 'W',
 * 'T', '@'; other classes are written as ground. */
CAIRN_API cairn_status cairn_map_format(const cairn_grid *grid, cairn_file *out);

/* A grid from a file: MovingAI if the first line starts with "type", else plain text. */
CAIRN_API cairn_status cairn_grid_load(cairn_context *context, const char *name, cairn_grid **out,
                                       cairn_error *error);

/* The other way round: `.map` and `.txt` (the rows alone), told apart by the ending of the name;
 * CAIRN_UNSUPPORTED for others. */
CAIRN_API cairn_status cairn_grid_save(const cairn_grid *grid, const char *name, cairn_error *error);

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

/* A MovingAI `.scen`, version 1 or 1.0. Free with cairn_scenario_free. */
CAIRN_API cairn_status cairn_scenario_parse(cairn_context *context, const char *data, size_t size,
                                            cairn_scenario *out, cairn_error *error);
CAIRN_API cairn_status cairn_scenario_load(cairn_context *context, const char *name, cairn_scenario *out,
                                           cairn_error *error);
CAIRN_API void cairn_scenario_free(cairn_context *context, cairn_scenario *scenario);

/* As a `.scen` of version 1 (free with cairn_file_free). Lengths have eight decimals. CAIRN_INVALID if the
 * map's name is empty or has blanks, which the format cannot hold. */
CAIRN_API cairn_status cairn_scenario_format(cairn_context *context, const cairn_scenario *scenario,
                                             cairn_file *out, cairn_error *error);

/* Random problems that can be solved, with their optimal lengths for the default profile, ascending by bucket
 * (length / 4, rounded down). */
typedef struct cairn_scenario_options {
    const char *map; /* its name in the scenario; folders are left out */
    uint32_t count;
    uint64_t seed;
    uint32_t lowest_bucket, highest_bucket; /* 0 and 0 = all */
    const cairn_progress *progress;         /* NULL = nobody asks */
} cairn_scenario_options;

/* Start and goal differ. CAIRN_UNREACHABLE if there are no such problems, or so few that luck does not
 * find them. Free with cairn_scenario_free. */
CAIRN_API cairn_status cairn_scenario_generate(cairn_grid *grid, const cairn_scenario_options *options,
                                               cairn_scenario *out, cairn_error *error);

/* ---- graphs ------------------------------------------------------------------------ */

/* A DIMACS shortest-path graph: `.gr` text and, optionally (NULL, 0), `.co` coordinates.
 * Weights are kept as integers; node 1 becomes node 0. */
CAIRN_API cairn_status cairn_dimacs_parse(cairn_context *context, const char *gr, size_t gr_size,
                                          const char *co, size_t co_size, cairn_graph **out,
                                          cairn_error *error);

/* `name` is the `.gr`; a file of the same name ending in `.co` beside it is used if it is
 * there. */
CAIRN_API cairn_status cairn_graph_load(cairn_context *context, const char *name, cairn_graph **out,
                                        cairn_error *error);

/* ---- pictures ---------------------------------------------------------------------- */

/* What one search did, collected by a trace sink: order of expansion, g and h per node. */
typedef struct cairn_recording cairn_recording;
CAIRN_API cairn_status cairn_recording_create(const cairn_space *space, cairn_recording **out);
CAIRN_API void cairn_recording_destroy(cairn_recording *recording);
CAIRN_API cairn_trace_sink cairn_recording_sink(cairn_recording *recording);
CAIRN_API uint64_t cairn_recording_expanded(const cairn_recording *recording);

/* As which node, from 1, a node was first expanded; 0 = never. And the highest such number. */
CAIRN_API uint32_t cairn_recording_order(const cairn_recording *recording, cairn_node node);
CAIRN_API uint32_t cairn_recording_last(const cairn_recording *recording);

typedef struct cairn_picture {
    const cairn_space *space;         /* of a grid, or of a graph with positions */
    const cairn_recording *recording; /* the fill pattern, coloured by order; NULL = none */
    const cairn_path *path;           /* NULL = none */
    const cairn_node *smooth;         /* points of a smoothed path; NULL = none */
    uint32_t smooth_count;
    cairn_node from, to; /* marked; CAIRN_NO_NODE = not */
    uint32_t scale;      /* pixels a cell; 0 = what fits 1024 pixels, at least 1 */
    /* Called now and then while a grid is drawn, with rows done of all rows; NULL = not. */
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *progress_user;
} cairn_picture;

/* Into memory of the context (free with cairn_file_free). PNG: grids only, and
 * CAIRN_UNSUPPORTED if the library was built without it. */
CAIRN_API cairn_status cairn_picture_svg(const cairn_picture *picture, cairn_file *out, cairn_error *error);
CAIRN_API cairn_status cairn_picture_png(const cairn_picture *picture, cairn_file *out, cairn_error *error);

#ifdef __cplusplus
}
#endif
#endif
