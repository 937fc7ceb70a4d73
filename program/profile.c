/* profile.c: reads --neighbours, --corners and --terrain (see profile.h). */
#include "profile.h"

#include "text.h"

#include <stdio.h>
#include <string.h>

static const char *const profile_neighbours[CAIRN_NEIGHBOURS_COUNT] = {
    [CAIRN_NEIGHBOURS_4] = "4", [CAIRN_NEIGHBOURS_8] = "8"};
static const char *const profile_corners[CAIRN_CORNERS_COUNT] = {
    [CAIRN_CORNERS_NEVER] = "never", [CAIRN_CORNERS_ONE] = "one", [CAIRN_CORNERS_ALWAYS] = "always"};
static const char *const profile_worlds[] = {[CAIRN_WORLD_GRID] = "grid", [CAIRN_WORLD_GRAPH] = "graph"};
static const char *const profile_terrains[] = {[CAIRN_TERRAIN_GROUND] = "ground",
                                               [CAIRN_TERRAIN_SWAMP] = "swamp",
                                               [CAIRN_TERRAIN_WATER] = "water",
                                               [CAIRN_TERRAIN_TREES] = "trees"};
enum { PROFILE_TERRAINS = 4, PROFILE_WORLDS = 2 };

const char *profile_neighbours_name(uint32_t neighbours)
{
    return neighbours < CAIRN_NEIGHBOURS_COUNT ? profile_neighbours[neighbours] : NULL;
}

const char *profile_corners_name(uint32_t corners)
{
    return corners < CAIRN_CORNERS_COUNT ? profile_corners[corners] : NULL;
}

const char *profile_world_name(uint32_t world)
{
    return world < PROFILE_WORLDS ? profile_worlds[world] : NULL;
}

const char *profile_terrain_name(uint32_t class)
{
    return class < PROFILE_TERRAINS ? profile_terrains[class] : NULL;
}

/* The position of a word in a list of names, -1 if it is none of them. */
static int profile_choice(const char *word, size_t length, const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], word, length)) return (int)i;
    return -1;
}

/* One CLASS=COST. */
static int profile_terrain_item(const command *self, const char *item, size_t length, cairn_profile *out)
{
    const char *equals = memchr(item, '=', length);
    size_t name = equals ? (size_t)(equals - item) : length;
    int64_t class = profile_choice(item, name, profile_terrains, PROFILE_TERRAINS), cost;
    if (!equals || (class < 0 && !text_integer(item, name, 0, 255, &class)))
        return complain_usage(
            self,
            "--terrain: \"%.*s\" is not CLASS=COST with a class ground, swamp, water, trees or a "
            "number 0 to 255",
            (int)length, item);
    if (!text_integer(equals + 1, length - name - 1, 0, 255, &cost))
        return complain_usage(self, "--terrain: the cost of %.*s must be 0 (forbidden) to 255", (int)name,
                              item);
    out->terrain_cost[class] = (uint8_t)cost;
    return END_OK;
}

static int profile_terrain(const command *self, const char *list, cairn_profile *out)
{
    for (;;) {
        size_t length = strcspn(list, ",");
        int end = profile_terrain_item(self, list, length, out);
        if (end || !list[length]) return end;
        list += length + 1;
    }
}

int profile_from(const command *self, const profile_options *options, cairn_profile *out)
{
    *out = cairn_profile_default();
    return profile_change(self, options, out);
}

int profile_change(const command *self, const profile_options *options, cairn_profile *out)
{
    if (options->neighbours) {
        const char *word = options->neighbours;
        int choice = profile_choice(word, strlen(word), profile_neighbours, CAIRN_NEIGHBOURS_COUNT);
        if (choice < 0 && !strcmp(word, "hex"))
            return complain_usage(self, "--neighbours hex is not supported yet: 4 and 8 are");
        if (choice < 0) return complain_usage(self, "--neighbours must be 4 or 8, not \"%s\"", word);
        out->neighbours = (cairn_neighbours)choice;
    }
    if (options->corners) {
        const char *word = options->corners;
        int choice = profile_choice(word, strlen(word), profile_corners, CAIRN_CORNERS_COUNT);
        if (choice < 0)
            return complain_usage(self, "--corners must be never, one or always, not \"%s\"", word);
        out->corners = (cairn_corners)choice;
    }
    return options->terrain ? profile_terrain(self, options->terrain, out) : END_OK;
}

bool profile_is_movingai(const cairn_profile *profile)
{
    cairn_profile standard = cairn_profile_default();
    return profile->neighbours == CAIRN_NEIGHBOURS_8 && profile->corners == CAIRN_CORNERS_NEVER &&
           !memcmp(profile->terrain_cost, standard.terrain_cost, sizeof standard.terrain_cost);
}
