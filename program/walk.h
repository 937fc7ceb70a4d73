/* walk.h: an agent that walks by a script (`cairn path --script`). */
#ifndef PROGRAM_WALK_H
#define PROGRAM_WALK_H

#include "world.h"

/* A script, its world and its agent, changed by the flags. */
typedef struct walk_source {
    const char *name;  /* of the script */
    const char *given; /* the world; NULL = the script brings one */
    const profile_options *profile;
    cairn_context *context;
    /* and then: */
    cairn_script script;
    char *map_name;
    world world;
} walk_source;

/* END_OK, or another end after a complaint. Close it in every case. */
int walk_open(const command *self, walk_source *source);
void walk_close(walk_source *source);

typedef struct walk_options {
    const char *script;
    const char *world; /* NULL = the script brings one */
    const char *algorithm, *replan, *png, *svg;
    const profile_options *profile;
    uint32_t work, piece; /* 0 = no limit; the whole path */
    bool background, moves, draw, json;
} walk_options;

/* The whole of it: END_OK if the agent has arrived, or as the script expects; END_NO if not; or
 * another end after a complaint. */
int walk_by_script(const command *self, const walk_options *options);

#endif
