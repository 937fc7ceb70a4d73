/* profile.c: profiles of agents: the default ones, and which ones are valid. See profile.h. */
#include "world/profile.h"

cairn_profile cairn_profile_default(void)
{
    cairn_profile profile = {
        .neighbours = CAIRN_NEIGHBOURS_8,
        .corners = CAIRN_CORNERS_NEVER,
        .max_climb = CAIRN_ANY_STEP,
        .max_drop = CAIRN_ANY_STEP,
        .cost_scale = CAIRN_COST_SCALE_AUTO,
        .links = UINT32_MAX,
    };
    for (uint32_t kind = 0; kind < 256; kind++) profile.terrain_cost[kind] = CAIRN_TIMES(1);
    profile.terrain_cost[CAIRN_TERRAIN_WATER] = 0;
    profile.terrain_cost[CAIRN_TERRAIN_TREES] = 0;
    return profile;
}

cairn_profile cairn_profile_for(const cairn_grid *grid)
{
    cairn_profile profile = cairn_profile_default();
    if (grid && grid->layout == CAIRN_LAYOUT_HEX) profile.neighbours = CAIRN_NEIGHBOURS_HEX;
    return profile;
}

static bool profile_forbids_all(const cairn_profile *profile)
{
    for (uint32_t kind = 0; kind < 256; kind++)
        if (profile->terrain_cost[kind]) return false;
    return true;
}

/* Is every field zero? (Field by field, since the bytes between them may be anything.) */
static bool profile_empty(const cairn_profile *profile)
{
    return !profile->neighbours && !profile->corners && !profile->layer_weight &&
           !profile->gradient && !profile->max_climb && !profile->max_drop &&
           !profile->cost_scale && profile->radius == 0 && !profile->footprint && !profile->links &&
           profile_forbids_all(profile);
}

cairn_profile crn_profile_chosen(const cairn_grid *grid, const cairn_profile *given)
{
    return given && !profile_empty(given) ? *given : cairn_profile_for(grid);
}

static cairn_status profile_check_size(const cairn_profile *profile, bool hex, cairn_error *error)
{
    if (!(profile->radius >= 0 && profile->radius <= CAIRN_RADIUS_MAX)) {
        return crn_fail(error, CAIRN_INVALID, 0, "the radius must be 0 to %d cells",
                        (int)CAIRN_RADIUS_MAX);
    }
    if (profile->footprint > CAIRN_FOOTPRINT_MAX) {
        return crn_fail(error, CAIRN_INVALID, 0, "a footprint of %u cells: at most %u",
                        profile->footprint, CAIRN_FOOTPRINT_MAX);
    }
    if (profile->footprint > 1 && (hex || profile->radius > 0)) {
        return crn_fail(error, CAIRN_INVALID, 0,
                        hex ? "a footprint is made of squares: give a radius on hexagons"
                            : "an agent has a radius or a footprint, not both");
    }
    return CAIRN_OK;
}

cairn_status crn_profile_check(const cairn_grid *grid, const cairn_profile *profile,
                               cairn_error *error)
{
    if ((unsigned)profile->neighbours >= CAIRN_NEIGHBOURS_COUNT ||
        (unsigned)profile->corners >= CAIRN_CORNERS_COUNT) {
        return crn_fail(error, CAIRN_INVALID, 0,
                        "unknown neighbourhood or corner rule in the profile");
    }
    bool hex = profile->neighbours == CAIRN_NEIGHBOURS_HEX;
    if (hex != (grid->layout == CAIRN_LAYOUT_HEX)) {
        return crn_fail(error, CAIRN_INVALID, 0,
                        hex ? "the hexagonal neighbourhood needs a grid of hexagons"
                            : "a grid of hexagons needs the hexagonal neighbourhood");
    }
    cairn_status status = profile_check_size(profile, hex, error);
    if (status) return status;
    if (profile->max_climb < 0 || profile->max_drop < 0) {
        return crn_fail(error, CAIRN_INVALID, 0, "elevation limits must not be negative");
    }
    if (profile->cost_scale != CAIRN_COST_SCALE_AUTO && profile->cost_scale >= CAIRN_COST_SCALES) {
        return crn_fail(error, CAIRN_INVALID, 0, "cost scale %u: there are %u", profile->cost_scale,
                        CAIRN_COST_SCALES);
    }
    if (profile_forbids_all(profile)) {
        return crn_fail(
            error, CAIRN_INVALID, 0,
            "the profile forbids every terrain class: give at least one of them a cost");
    }
    return CAIRN_OK;
}
