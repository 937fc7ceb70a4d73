/* world.h: a world from a file, as the agent of a profile sees it. */
#ifndef PROGRAM_WORLD_H
#define PROGRAM_WORLD_H

#include "json.h"
#include "profile.h"

#include <cairn/io.h>

typedef struct world {
    cairn_context *context;
    cairn_archive *archive; /* of a `.cairn` file, which may say more than the world; else NULL */
    cairn_grid *grid;       /* one of the two */
    cairn_graph *graph;
    cairn_space *space;
    const char *name; /* of the file */
    cairn_file piped; /* what came from a pipe, as long as the archive needs it */
} world;

enum { WORLD_PLACE = 48 };

/* What commands need to know of a kind of world. A new kind is one more of these tables
 * (world_kinds.c) and one more row in cmd_info.c. */
typedef struct world_kind {
    const char *name;    /* "grid" */
    const char *node;    /* what its nodes are called: "cell" */
    const char *section; /* of a `.cairn` file that holds one */
    const char *typed;   /* how a node is typed: "a cell X,Y" */

    bool (*holds)(const world *w); /* is the world of this kind? */
    cairn_status (*load)(world *w, cairn_error *error);
    cairn_status (*read)(world *w, cairn_bytes bytes, cairn_error *error); /* from memory */
    cairn_status (*unpack)(world *w, cairn_error *error);                  /* from the archive */
    cairn_status (*pack)(const world *w, cairn_store *store);              /* without the agent */
    int (*enter)(const command *self, world *w, const profile_options *flags);
    void (*drop)(world *w);
    size_t (*bytes)(const world *w); /* without the space */

    /* A node from what was typed: false if that is no node's name. *node is CAIRN_NO_NODE if it
     * lies outside; `place` gets its name for people. */
    bool (*parse)(const world *w, const char *text, cairn_node *node, char place[WORLD_PLACE]);
    cairn_node (*node_at)(const world *w, cairn_position position);
    void (*type)(const world *w, cairn_node node, char out[WORLD_PLACE]);  /* as it is typed */
    void (*place)(const world *w, cairn_node node, char out[WORLD_PLACE]); /* in a sentence */
    void (*point)(const world *w, cairn_node node, char out[WORLD_PLACE]); /* in a list */
    void (*json)(const world *w, cairn_node node, json *j, const char *key);
    /* Why there is no such node: `role` is "start" or "goal". */
    void (*outside)(const world *w, const char *role, const char *place, char *out, size_t size);
    void (*describe)(const world *w, char *out, size_t size); /* "a grid of 3 x 4" */
} world_kind;

/* All kinds, ended by NULL; the kind of a world, NULL if it holds none. */
extern const world_kind *const world_kinds[];
extern const world_kind world_kind_grid, world_kind_graph;
const world_kind *world_kind_of(const world *w);

/* What a command takes, for its help. */
#define WORLD_KINDS "a map (MovingAI, text, PNG, Tiled, .cairn) or a graph (DIMACS, .cairn)"

/* A context with this many threads (0 and 1: none); NULL after a complaint. */
cairn_context *world_context(uint32_t threads);

/* Reads a file of any kind, recognised by its content and its name. world_read accepts a `.cairn`
 * file that holds no world. END_OK, or END_DATA after a complaint. Close it in every case. */
int world_read(world *w, cairn_context *context, const char *name);
int world_load(world *w, cairn_context *context, const char *name);

/* Makes the space of a world that was loaded, for the agent in the file or the default one, changed
 * by the flags. END_OK, or another end after a complaint. */
int world_enter(const command *self, world *w, const profile_options *flags);

/* Both at once. Close it in every case. */
int world_open(const command *self, world *w, cairn_context *context, const char *name,
               const profile_options *flags);
void world_close(world *w);

size_t world_bytes(const world *w);

/* Complains about a file: its name, the line and the reason. Returns END_DATA. */
int world_complain(const char *name, const cairn_error *error);

/* Complains that the world is not a grid, which `need` (a flag) expects. */
int world_complain_no_grid(const command *self, const world *w, const char *need);

/* "(3,4)" or "waypoint 7" */
const char *world_place(const world *w, cairn_node node, char out[WORLD_PLACE]);

/* Makes a planner. END_OK, or END_USAGE after a complaint that knows what would be right (END_DATA
 * if `self` is NULL: the world's file says it); with `quietly`, nothing is said of what the
 * algorithm cannot do here (*out is NULL). */
int world_planner(const command *self, const world *w, const char *spec, bool quietly,
                  cairn_planner **out);

/* A list of worlds: the files themselves, and for a folder all its *.map, by name. Free
 * with world_list_free. False after a complaint. */
typedef struct world_list {
    char **names;
    uint32_t count;
} world_list;
bool world_list_of(char **arguments, int count, world_list *out);
void world_list_free(world_list *list);

#endif
