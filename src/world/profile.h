/* profile.h: chooses and checks the profile of a space. */
#ifndef CRN_PROFILE_H
#define CRN_PROFILE_H

#include "world/grid.h"
#include <cairn/space.h>

/* The profile given, or the default one of the grid if it is NULL or all its fields are zero. */
cairn_profile crn_profile_chosen(const cairn_grid *grid, const cairn_profile *given);

/* Checks whether the profile is valid on this grid. If not: CAIRN_INVALID and the reason. */
cairn_status crn_profile_check(const cairn_grid *grid, const cairn_profile *profile,
                               cairn_error *error);

#endif
