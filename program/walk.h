/* walk.h: an agent that walks by a script (`cairn path --script`). */
#ifndef PROGRAM_WALK_H
#define PROGRAM_WALK_H

#include "profile.h"

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
