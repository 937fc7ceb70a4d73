/* glue.h: what the files of the WebAssembly module share. JavaScript sees functions that take and
 * return numbers and addresses; no struct of the library is known on that side. What a function has
 * to say beyond its return value it leaves in one of three places, which JavaScript reads before
 * its next call:
 *
 *     numbers   an array of doubles; each function says in which order it fills them
 *     output    a text or bytes in memory of the context
 *     error     of the last function that failed
 *
 * One instance of the module is one library with one context, so these are kept in one variable.
 */
#ifndef CAIRN_GLUE_H
#define CAIRN_GLUE_H

#include <cairn/io.h>

#define GLUE_EXPORT(name) __attribute__((export_name(name)))
#define GLUE_NUMBERS 64u

typedef struct glue_bytes {
    uint8_t *data;
    size_t size, capacity;
    bool failed;
} glue_bytes;

typedef struct glue_state {
    cairn_context *context;
    cairn_error error;
    double numbers[GLUE_NUMBERS];
    glue_bytes output;
} glue_state;

extern glue_state glue;

/* Memory of the context, as cairn_context_resize. */
void *glue_resize(void *old, size_t old_size, size_t new_size);

/* Fills the error if the library has not; returns the status. */
cairn_status glue_fail(cairn_status status, const char *text);
cairn_status glue_check(cairn_status status);

/* Forgets the error of the call before. */
void glue_begin(void);

void glue_put(glue_bytes *bytes, const void *data, size_t size);
void glue_clear(glue_bytes *bytes);

/* Text into the output. */
void glue_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void glue_print_text(const char *text); /* as JSON; NULL = null */

/* The output begins again. finish: CAIRN_OK, or no memory. */
void glue_output_begin(void);
cairn_status glue_output_finish(void);
void glue_output_take(cairn_file *file);
cairn_writer glue_output_writer(void);

/* Where long work reports. */
const cairn_progress *glue_progress(bool wanted);

/* Events of a search. */
typedef struct glue_trace {
    glue_bytes blocks;           /* addresses of blocks */
    uint64_t total, kept, limit; /* events there were, and of these the first ones */
} glue_trace;
cairn_trace_sink glue_trace_sink(glue_trace *trace, double limit);
void glue_trace_forget(glue_trace *trace);

/* Profiles: ten numbers and 256 prices (glue_space.c). */
void glue_profile_write(const cairn_profile *profile, uint16_t *terrain_cost);
cairn_profile glue_profile_read(const uint16_t *terrain_cost);

/* A generator; `values`: one for each parameter of the kind. Its kind must be one. */
cairn_generator glue_generator(uint32_t kind, uint32_t width, uint32_t height, uint64_t seed,
                               const uint32_t *values);

/* A query from the numbers that JavaScript wrote: from, to, goal kind, radius, most cost, most
 * work, partial, piece. */
cairn_query glue_query(const double *numbers, const uint32_t *goals, uint32_t goal_count);

/* Numbers: status, partial, end, points, cost, length, bound, version, any angle, links, address of
 * the points. Output: two words a link, at and id. Returns the hash. */
uint64_t glue_write_path(const cairn_path *path, double *out);

/* A path from its points: what the functions on paths look at. */
typedef struct glue_path {
    cairn_path path;
    cairn_path_link *links;
} glue_path;
cairn_status glue_path_open(glue_path *path, const uint32_t *points, uint32_t count,
                            const uint32_t *links, uint32_t link_count, bool any_angle);
void glue_path_close(glue_path *path);

/* Smooths. Options: kind (0 sight, 1 rays, 2 spline), box, reach, spacing. Nodes or positions are
 * memory of the context. */
typedef struct glue_smooth {
    cairn_node *nodes;
    cairn_position *positions;
    uint32_t count, room;
    double length;
    cairn_cost cost;
} glue_smooth;
cairn_status glue_smooth_path(const cairn_space *space, const cairn_path *path,
                              const double *options, glue_smooth *out);
void glue_smooth_close(glue_smooth *smooth);

#endif
