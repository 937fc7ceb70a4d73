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

/* A file as memory that is read when it is looked at, where the system can do that; else it is read whole. The file
 * must not be changed meanwhile. Undo with cairn_file_unmap. */
typedef struct cairn_mapping {
    const void *data;
    size_t size;
    bool mapped; /* else `data` is memory of the context */
} cairn_mapping;
CAIRN_API cairn_status cairn_file_map(cairn_context *context, const char *name, cairn_mapping *out,
                                      cairn_error *error);
CAIRN_API void cairn_file_unmap(cairn_context *context, cairn_mapping *mapping);

/* ---- containers (store.h) ----------------------------------------------------------- */

/* Writes NAME.tmp and gives it its name when all is written: there is never half a file of that name. */
CAIRN_API cairn_status cairn_store_save(const cairn_store *store, const char *name, cairn_error *error);

/* Opens a `.cairn` file; the archive holds the mapped file and lets go of it when it is closed. */
CAIRN_API cairn_status cairn_archive_load(cairn_context *context, const char *name, uint32_t flags,
                                          cairn_archive **out, cairn_error *error);

/* ---- grids ------------------------------------------------------------------------ */

/* A MovingAI `.map`: four header lines, then rows. LF and CR LF, the last line end may be
 * missing. Limits: CAIRN_GRID_MAX. */
CAIRN_API cairn_status cairn_map_parse(cairn_context *context, const char *data, size_t size,
                                       cairn_grid **out, cairn_error *error);

/* The text of the grid as a MovingAI `.map` (free with cairn_file_free): '.', 'S', 'W',
 * 'T', '@'; other classes are written as ground. */
CAIRN_API cairn_status cairn_map_format(const cairn_grid *grid, cairn_file *out);

/* A grid from a file: `.cairn` and MovingAI (the first line starts with "type") by how they begin, else plain text. */
CAIRN_API cairn_status cairn_grid_load(cairn_context *context, const char *name, cairn_grid **out,
                                       cairn_error *error);

/* The other way round: `.map`, `.txt` (the rows alone) and `.cairn`, which alone holds everything, told apart by the
 * ending of the name; CAIRN_UNSUPPORTED for others. */
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

/* What one search did, collected by a trace sink: order of expansion, g and h per node. Memory follows the nodes
 * that were seen. */
typedef struct cairn_recording cairn_recording;
CAIRN_API cairn_status cairn_recording_create(const cairn_space *space, cairn_recording **out);
CAIRN_API void cairn_recording_destroy(cairn_recording *recording);
CAIRN_API cairn_trace_sink cairn_recording_sink(cairn_recording *recording);

/* CAIRN_OUT_OF_MEMORY if there was no room for all of the search; such a recording makes no picture. */
CAIRN_API cairn_status cairn_recording_status(const cairn_recording *recording);
CAIRN_API uint64_t cairn_recording_expanded(const cairn_recording *recording);

/* What the colour of an expanded node says. */
typedef enum cairn_colouring {
    CAIRN_COLOUR_ORDER, /* as which node, from 1, it was first expanded */
    CAIRN_COLOUR_G,     /* the cost of the way to it ... */
    CAIRN_COLOUR_H,     /* ... the estimate of the rest ... */
    CAIRN_COLOUR_F,     /* ... and their sum, in units */
    CAIRN_COLOUR_NONE,  /* nothing: expanded nodes look like others */
    CAIRN_COLOUR_COUNT
} cairn_colouring;

/* "order", "g", "h", "f", "none" */
CAIRN_API const char *cairn_colouring_name(cairn_colouring by);

/* False if the node was never expanded. And the least and the greatest value of all that were (0 and 0 if none). */
typedef struct cairn_range {
    uint64_t least, most;
} cairn_range;
CAIRN_API bool cairn_recording_value(const cairn_recording *recording, cairn_colouring by, cairn_node node,
                                     uint64_t *out);
CAIRN_API cairn_range cairn_recording_range(const cairn_recording *recording, cairn_colouring by);

typedef struct cairn_picture {
    const cairn_space *space;         /* of a grid, or of a graph with positions */
    const cairn_recording *recording; /* the fill pattern; NULL = none */
    cairn_colouring colour;           /* what its colours say */
    bool legend;              /* a strip below the map says it in numbers, where there is room for it */
    const cairn_path *path;   /* NULL = none */
    const cairn_node *smooth; /* points of a smoothed path; NULL = none */
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

/* ---- traces ------------------------------------------------------------------------ */

/* The trace of one search as a YAML document for the Posthoc visualiser (search-trace format 1.4.0), written while the
 * search runs. The id of an event is its node; x and y are the cell (hexagons: where they lie; graphs: the
 * positions, in units of the typical distance between waypoints, or rows of waypoints if there are none);
 * f, g and h count straight steps (graphs: weights). Events of abstract layers are left out. */
typedef struct cairn_posthoc cairn_posthoc;
CAIRN_API cairn_status cairn_posthoc_create(const cairn_space *space, const cairn_writer *writer,
                                            cairn_posthoc **out);
CAIRN_API cairn_status cairn_posthoc_open(const cairn_space *space, const char *name, cairn_posthoc **out,
                                          cairn_error *error);
CAIRN_API cairn_trace_sink cairn_posthoc_sink(cairn_posthoc *posthoc);

/* Writes what is left and destroys the object. Whatever went wrong since its creation is told here. */
CAIRN_API cairn_status cairn_posthoc_finish(cairn_posthoc *posthoc, cairn_error *error);

#ifdef __cplusplus
}
#endif
#endif
