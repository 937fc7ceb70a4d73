/* world.h: a world from a file, as the agent of a profile sees it. */
#ifndef PROGRAM_WORLD_H
#define PROGRAM_WORLD_H

#include "command.h"

#include <cairn/io.h>

typedef struct world {
    cairn_context *context;
    cairn_grid *grid; /* one of the two */
    cairn_graph *graph;
    cairn_space *space;
    const char *name; /* of the file */
} world;

/* A context with so many threads (0 and 1: none); NULL after a complaint. */
cairn_context *world_context(uint32_t threads);

/* Loads a MovingAI map, a text map, a DIMACS graph or a `.cairn` file, told apart by what is in the file; world_load
 * without a space. END_OK, or END_DATA after a complaint. Close it in every case. */
int world_load(world *w, cairn_context *context, const char *name);
int world_open(world *w, cairn_context *context, const char *name, const cairn_profile *profile);
void world_close(world *w);

/* Is it a `.cairn` file by how it begins? Are both names of one file that exists? */
bool world_is_archive(const char *name);
bool world_same_file(const char *a, const char *b);

size_t world_bytes(const world *w);

/* Complains about a file: its name, the line and the reason. Returns END_DATA. */
int world_complain(const char *name, const cairn_error *error);

/* "(3,4)" or "waypoint 7" */
enum { WORLD_PLACE = 48 };
const char *world_place(const world *w, cairn_node node, char out[WORLD_PLACE]);

/* Makes a planner. END_OK, or END_USAGE after a complaint that knows what would be right;
 * with `quietly`, nothing is said of what the algorithm cannot do here (*out is NULL). */
int world_planner(const command *self, const world *w, const char *spec, bool quietly, cairn_planner **out);

/* A list of worlds: the files themselves, and for a folder all its *.map, by name. Free
 * with world_list_free. False after a complaint. */
typedef struct world_list {
    char **names;
    uint32_t count;
} world_list;
bool world_list_of(char **arguments, int count, world_list *out);
void world_list_free(world_list *list);

#endif
