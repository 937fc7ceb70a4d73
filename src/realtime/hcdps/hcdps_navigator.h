/* hcdps_navigator.h: agents of `hcdps` in a world that changes; see hcdps_navigator.c. */
#ifndef CRN_HCDPS_NAVIGATOR_H
#define CRN_HCDPS_NAVIGATOR_H

#include "continuous/navigator.h"

extern const crn_navigator_functions crn_hcdps_navigator;

#endif
