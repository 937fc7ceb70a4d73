/* profile.c: reads --neighbours, --corners, --terrain, --radius and --footprint (see profile.h). */
#include "profile.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const profile_neighbours[CAIRN_NEIGHBOURS_COUNT] = {
    [CAIRN_NEIGHBOURS_4] = "4", [CAIRN_NEIGHBOURS_8] = "8", [CAIRN_NEIGHBOURS_HEX] = "hex"};
static const char *const profile_corners[CAIRN_CORNERS_COUNT] = {[CAIRN_CORNERS_NEVER] = "never",
                                                                 [CAIRN_CORNERS_ONE] = "one",
                                                                 [CAIRN_CORNERS_ALWAYS] = "always"};
static const char *const profile_worlds[] = {
    [CAIRN_WORLD_GRID] = "grid", [CAIRN_WORLD_GRAPH] = "graph"};
enum { PROFILE_WORLDS = 2 };

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

/* The position of a word in a list of names, -1 if it is none of them. */
static int profile_choice(const char *word, size_t length, const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], word, length)) return (int)i;
    return -1;
}

int64_t profile_terrain_class(const char *word, size_t length)
{
    int64_t class;
    for (class = 0; class < CAIRN_TERRAIN_FREE; class ++) {
        const char *name = cairn_terrain_name((uint32_t) class);
        if (strlen(name) == length && !memcmp(name, word, length)) return class;
    }
    return text_integer(word, length, 0, 255, &class) ? class : -1;
}

/* A plain decimal number: no signs, exponents or words. */
static bool profile_number(const char *text, double *out)
{
    if (!*text || text[strspn(text, "0123456789.")]) return false;
    char *end;
    *out = strtod(text, &end);
    return !*end && end != text;
}

/* A terrain cost as the nearest 256th, but never 0 for what is more. */
static bool profile_cost(const char *text, size_t length, uint16_t *out)
{
    char word[32];
    double times;
    if (length >= sizeof word) return false;
    memcpy(word, text, length);
    word[length] = '\0';
    if (!profile_number(word, &times) || times * 256 > UINT16_MAX) return false;
    *out = (uint16_t)(times * 256 + 0.5);
    if (times > 0 && !*out) *out = 1;
    return true;
}

/* One CLASS=COST. */
static int profile_terrain_item(const command *self, const char *item, size_t length,
                                cairn_profile *out)
{
    const char *equals = memchr(item, '=', length);
    size_t name = equals ? (size_t)(equals - item) : length;
    int64_t class = profile_terrain_class(item, name);
    if (!equals || class < 0)
        return complain_usage(
            self,
            "--terrain: \"%.*s\" is not CLASS=COST with a class ground, swamp, water, trees or a "
            "number 0 to 255",
            (int)length, item);
    if (!profile_cost(equals + 1, length - name - 1, &out->terrain_cost[class]))
        return complain_usage(
            self, "--terrain: the cost of %.*s must be 0 (forbidden) to 255, such as 1.5",
            (int)name, item);
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

static int profile_size(const command *self, const profile_options *options, cairn_profile *out)
{
    /* One of the two takes the place of the other, which a file may have brought. */
    if (options->footprint && !options->radius) out->radius = 0;
    if (options->radius && !options->footprint) out->footprint = 0;
    if (options->footprint) out->footprint = options->footprint;
    if (options->radius &&
        (!profile_number(options->radius, &out->radius) || out->radius > CAIRN_RADIUS_MAX))
        return complain_usage(self, "--radius must be a number of cells from 0 to %g, not \"%s\"",
                              CAIRN_RADIUS_MAX, options->radius);
    if (out->footprint > 1 && out->radius > 0)
        return complain_usage(self,
                              "--radius and --footprint exclude each other: give one of them");
    if (out->footprint > 1 && out->neighbours == CAIRN_NEIGHBOURS_HEX)
        return complain_usage(self, "--footprint is for squares: use --radius on hexagons");
    return END_OK;
}

/* A weight in straight steps, kept in 256ths. */
static int profile_weight(const command *self, const char *flag, const char *text, uint16_t *out)
{
    double steps;
    if (!text) return END_OK;
    if (!profile_number(text, &steps) || steps * 256 > UINT16_MAX)
        return complain_usage(self, "%s must be a number of steps from 0 to 255, not \"%s\"", flag,
                              text);
    *out = (uint16_t)(steps * 256 + 0.5);
    return END_OK;
}

static int profile_height(const command *self, const char *flag, const char *text, int32_t *out)
{
    int64_t height;
    if (!text) return END_OK;
    if (!text_integer(text, strlen(text), 0, UINT16_MAX, &height))
        return complain_usage(self, "%s must be a height from 0 to %d, not \"%s\"", flag,
                              UINT16_MAX, text);
    *out = (int32_t)height;
    return END_OK;
}

/* Of --wall W,R: units of the extra layer are 16ths of a step. */
enum { PROFILE_WALL_UNIT = 16 };

static bool profile_wall(const char *text, cairn_walls *out)
{
    char word[32];
    double steps;
    size_t length = strcspn(text, ",");
    if (!text[length] || length >= sizeof word) return false;
    memcpy(word, text, length);
    word[length] = '\0';
    if (!profile_number(word, &steps) || steps * PROFILE_WALL_UNIT > UINT8_MAX) return false;
    if (!profile_number(text + length + 1, &out->range)) return false;
    out->cost = (uint8_t)(steps * PROFILE_WALL_UNIT + 0.5);
    return out->range > 0 && out->range < 64;
}

static int profile_wall_weight(const command *self, const profile_options *options,
                               cairn_profile *out)
{
    cairn_walls walls = {0};
    if (!options->wall) return END_OK;
    if (options->layer_weight)
        return complain_usage(self, "--wall takes the place of the extra costs: leave out "
                                    "--layer-weight");
    if (!profile_wall(options->wall, &walls))
        return complain_usage(
            self, "--wall must be W,R: 0 to 15.9 steps and less than 64 cells, such as 2,3");
    out->layer_weight = 256 / PROFILE_WALL_UNIT;
    return END_OK;
}

int profile_walls(const command *self, const profile_options *options, cairn_space *space,
                  cairn_grid *grid)
{
    cairn_walls walls = {0};
    if (!options->wall || !profile_wall(options->wall, &walls)) return END_OK;
    if (!cairn_space_stage_walls(space, &walls) && !cairn_grid_commit(grid)) return END_OK;
    complain("%s: not enough memory for costs near walls", self->name);
    return END_DATA;
}

static int profile_ground(const command *self, const profile_options *options, cairn_profile *out)
{
    int end = options->terrain ? profile_terrain(self, options->terrain, out) : END_OK;
    if (!end)
        end = profile_weight(self, "--layer-weight", options->layer_weight, &out->layer_weight);
    if (!end) end = profile_wall_weight(self, options, out);
    if (!end) end = profile_weight(self, "--gradient", options->gradient, &out->gradient);
    if (!end) end = profile_height(self, "--max-climb", options->climb, &out->max_climb);
    if (!end) end = profile_height(self, "--max-drop", options->drop, &out->max_drop);
    return end;
}

const char *profile_given(const profile_options *options)
{
    const struct {
        const char *name;
        bool given;
    } flags[] = {{"neighbours", options->neighbours},
                 {"corners", options->corners},
                 {"terrain", options->terrain},
                 {"radius", options->radius},
                 {"footprint", options->footprint},
                 {"layer-weight", options->layer_weight},
                 {"wall", options->wall},
                 {"gradient", options->gradient},
                 {"max-climb", options->climb},
                 {"max-drop", options->drop}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (flags[i].given) return flags[i].name;
    return NULL;
}

int profile_change(const command *self, const profile_options *options, cairn_profile *out)
{
    if (options->neighbours) {
        const char *word = options->neighbours;
        int choice = profile_choice(word, strlen(word), profile_neighbours, CAIRN_NEIGHBOURS_COUNT);
        if (choice < 0)
            return complain_usage(self, "--neighbours must be 4, 8 or hex, not \"%s\"", word);
        out->neighbours = (cairn_neighbours)choice;
    }
    if (options->corners) {
        const char *word = options->corners;
        int choice = profile_choice(word, strlen(word), profile_corners, CAIRN_CORNERS_COUNT);
        if (choice < 0)
            return complain_usage(self, "--corners must be never, one or always, not \"%s\"", word);
        out->corners = (cairn_corners)choice;
    }
    int end = profile_ground(self, options, out);
    return end ? end : profile_size(self, options, out);
}

bool profile_is_sized(const cairn_profile *profile)
{
    return profile->radius > 0 || profile->footprint > 1;
}

bool profile_is_movingai(const cairn_profile *profile)
{
    cairn_profile defaults = cairn_profile_default();
    bool small = profile->radius <= 0.5 && profile->footprint <= 1; /* it goes where a point goes */
    return profile->neighbours == CAIRN_NEIGHBOURS_8 && profile->corners == CAIRN_CORNERS_NEVER &&
           small && !profile->layer_weight && !profile->gradient &&
           profile->max_climb == CAIRN_ANY_STEP && profile->max_drop == CAIRN_ANY_STEP &&
           !memcmp(profile->terrain_cost, defaults.terrain_cost, sizeof defaults.terrain_cost);
}
