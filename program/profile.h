/* profile.h: the flags that say who walks: every command that searches has them. */
#ifndef PROGRAM_PROFILE_H
#define PROGRAM_PROFILE_H

#include "command.h"

#include <cairn/cairn.h>

typedef struct profile_options {
    const char *neighbours, *corners, *terrain, *radius, *layer_weight, *wall, *gradient, *climb,
        *drop;
    uint32_t footprint;
} profile_options;

#define PROFILE_FLAGS(type, member) \
    FLAG_TEXT("neighbours", "4|8|hex", "neighbours of a cell (8; 6 on hexagons)", \
              offsetof(type, member.neighbours)), \
        FLAG_TEXT("corners", "never|one|always", \
                  "diagonal steps past blocked cells: never, if one side is free, always (never)", \
                  offsetof(type, member.corners)), \
        FLAG_TEXT("terrain", "CLASS=COST,…", \
                  "cost of entering ground, swamp, water, trees or a class 0-255; 0 forbids it", \
                  offsetof(type, member.terrain)), \
        FLAG_TEXT("radius", "R", \
                  "the agent keeps R cells (up to 32) away from everything blocked (0)", \
                  offsetof(type, member.radius)), \
        FLAG_COUNT("footprint", "N", \
                   "the agent takes N x N cells, its position is the upper left one (1)", \
                   offsetof(type, member.footprint), 1, CAIRN_FOOTPRINT_MAX), \
        FLAG_TEXT("layer-weight", "W", "steps that a unit of a cell's extra cost counts for (0)", \
                  offsetof(type, member.layer_weight)), \
        FLAG_TEXT("wall", "W,R", \
                  "cells beside walls cost W steps more, up to R cells away less (0)", \
                  offsetof(type, member.wall)), \
        FLAG_TEXT("gradient", "W", "steps that a unit of height climbed counts for (0)", \
                  offsetof(type, member.gradient)), \
        FLAG_TEXT("max-climb", "N", "the highest step up (any)", offsetof(type, member.climb)), \
        FLAG_TEXT("max-drop", "N", "the highest step down (any)", offsetof(type, member.drop))

/* Changes in a profile what flags say; else has complained, and END_USAGE is returned. */
int profile_change(const command *self, const profile_options *options, cairn_profile *out);

/* With --wall: gives the grid of the space an extra layer of such costs. 0, or END_USAGE,
 * END_DATA after a complaint. */
int profile_walls(const command *self, const profile_options *options, cairn_space *space,
                  cairn_grid *grid);

/* The name of the first flag that was given, NULL if there is none. */
const char *profile_given(const profile_options *options);

/* Do the published lengths of the MovingAI benchmarks hold for this profile? */
bool profile_is_movingai(const cairn_profile *profile);

/* Has the agent a size, so that it must keep a distance? */
bool profile_is_sized(const cairn_profile *profile);

/* Names for people and JSON. */
const char *profile_neighbours_name(uint32_t neighbours);
const char *profile_corners_name(uint32_t corners);
const char *profile_world_name(uint32_t world);

/* A name or a number 0 to 255; -1 if it is neither. */
int64_t profile_terrain_class(const char *word, size_t length);

#endif
