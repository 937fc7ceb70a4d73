/* path.h: one run of `cairn path`, for the command and what prints it. */
#ifndef PROGRAM_PATH_H
#define PROGRAM_PATH_H

#include "command.h"
#include "index.h"
#include "profile.h"
#include "repro.h"
#include "smooth.h"
#include "world.h"

typedef struct path_options {
    const char *from, *to, *algorithm, *index, *smooth, *png, *svg, *trace, *colour, *overlay,
        *repro;
    const char *script, *replan;
    profile_options profile;
    uint32_t work, piece;
    bool draw, partial, json, moves, background;
} path_options;

/* A start or goal as it was given; `node` is CAIRN_NO_NODE if there is no such place. */
typedef struct path_place {
    const char *role;
    cairn_node node;
    char text[WORLD_PLACE];
} path_place;

typedef struct path_run {
    const command *self;
    const path_options *options;
    world world;
    repro replay; /* what the world's file says of the query */
    path_place from, to;
    cairn_query query;
    cairn_planner *planner;
    index_file index_file;
    index_report index;
    cairn_search *search;
    cairn_owned_path own;
    cairn_path path; /* a view of it */
    cairn_metrics metrics;
    cairn_recording *recording; /* NULL = nothing is to be shown */
    uint32_t level;             /* of the index that is shown; 0 = all */
    cairn_overlay *overlay;     /* NULL = it is not */
    cairn_colouring colour;
    double time_us;
    smoothing smoothing;
    cairn_smoothed smooth; /* no nodes = not smoothed */
    cairn_curve curve;     /* no points = it was not made one */
    char reason[280];      /* why there is no path */
} path_run;

void path_print_json(const path_run *run);
void path_print_text(const path_run *run);

#endif
