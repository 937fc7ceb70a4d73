/* golden.h: what the files of the golden program share: how values are hashed, and worlds opened by
 * name. Only sized integers are hashed, byte by byte, low byte first: no size_t, no pointer, no
 * padding.
 */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include "scenes.h"

/* ---- hashes: FNV-1a, 64 bits ---- */

uint64_t golden_start(void);
uint64_t golden_bytes(uint64_t hash, uint64_t value, uint32_t bytes);
uint64_t golden_path(const cairn_path *path, cairn_metrics metrics);

/* Coordinates and lengths are hashed as whole thousandths: exact arithmetic decides them. */
uint64_t golden_number(uint64_t hash, double value);

void golden_print(const char *what, const char *where, uint64_t hash);

/* ---- worlds ---- */

/* A scene or a graph scene, its grid or graph, and a space of it. */
typedef struct golden_world {
    scene *scene;
    graph_scene *graph_scene;
    cairn_grid *grid;
    cairn_graph *graph;
    cairn_space *space;
} golden_world;

/* False if the world has no such rule (scene_rule; graphs have one). Close it in any case. */
bool golden_world_open(golden_world *w, cairn_context *context, const char *name, uint32_t rule);
void golden_world_close(golden_world *w);

/* A node by lot; on grids a usable one. */
cairn_node golden_world_pick(const golden_world *w, scene_rng *rng);

/* Creates a planner. Algorithms that may give up do so soon. */
cairn_status golden_planner(cairn_space *space, const char *spec, cairn_planner **out);

/* A planner with its index; NULL if the world is refused. */
cairn_planner *golden_world_plan(golden_world *w, const char *spec);

/* What lines are printed for: every algorithm with its defaults, but HPA* with clusters of 10 cells,
 * as published, and then once more with its defaults. */
uint32_t golden_spec_count(void);
const char *golden_spec_at(uint32_t i);
const cairn_algorithm *golden_spec_algorithm(uint32_t i);

/* The i-th spec of an algorithm with one parameter that is not the default: of choices all values,
 * of numbers the next two (clusters of HPA* have 10 cells). False past the end. `spec` has room for GOLDEN_SPEC characters. */
enum { GOLDEN_SPEC = 100 };
void golden_spec_write(const cairn_algorithm *a, const cairn_parameter *parameter, int64_t v,
                       char *spec);
bool golden_other_spec(const cairn_algorithm *a, uint32_t i, char *spec);

/* ---- what is printed, a file each ---- */

void golden_traces(cairn_context *context);  /* golden_watch.c */
void golden_asked(cairn_context *context);   /* golden_asked.c */
void golden_indexes(cairn_context *context); /* golden_index.c */
void golden_repairs(cairn_context *context); /* golden_repair.c */
void golden_walks(cairn_context *context);   /* golden_walk.c */

/* The sections of the saved index of a planner, but for the one that says what it is the index of
 * (and with it the numbers of formats); and everything that its overlay shows. */
uint64_t golden_index(cairn_planner *planner);
uint64_t golden_overlay(cairn_planner *planner);

/* Stages and commits a few edits, of the kind that `round` stands for: cells opened, blocked and
 * made more expensive, one by one and in patches, links added and removed. */
cairn_status golden_edit(golden_world *w, uint32_t round, scene_rng *rng);

#endif
