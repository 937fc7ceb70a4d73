/* generate.c: the table of map generators, and what is the same for all of them: the numbers are
 * checked against the table, a board is made, the kind draws on it, and the board becomes a grid.
 */
#include "generate/generate.h"

#define PARAMETER(field, summary, minimum, maximum, default_value) \
    { \
#field, summary, minimum, maximum, default_value, offsetof(cairn_generator, field) \
    }
#define PARAMETERS(list) .parameters = list, .parameter_count = sizeof list / sizeof list[0]

static const cairn_generator_parameter random_parameters[] = {
    PARAMETER(percent, "of the cells are blocked", 0, 100, 30),
};
static const cairn_generator_parameter rooms_parameters[] = {
    PARAMETER(room, "cells is the side of a room", 1, CAIRN_GRID_MAX, 15),
    PARAMETER(closed, "percent of the doors are left out", 0, 100, 20),
};
static const cairn_generator_parameter maze_parameters[] = {
    PARAMETER(corridor, "cells is a corridor wide", 1, CAIRN_GRID_MAX, 1),
    PARAMETER(wall, "cells is a wall thick", 1, CAIRN_GRID_MAX, 1),
};
static const cairn_generator_parameter caves_parameters[] = {
    PARAMETER(percent, "of the cells are rock before smoothing", 0, 100, 50),
    PARAMETER(rounds, "of smoothing", 0, 100, 6),
};
static const cairn_generator_parameter pseudo_rts_parameters[] = {
    PARAMETER(percent, "of the cells are blocked, if that many obstacles fit", 0, 100, 30),
    PARAMETER(largest, "cells is the longest side of an obstacle", 1, 64, 6),
};
static const cairn_generator_parameter battlefield_parameters[] = {
    PARAMETER(region, "cells is about the side of an open region", 16, CAIRN_GRID_MAX, 128),
    PARAMETER(percent, "of the cells are blocked by scattered obstacles, if they fit", 0, 30, 8),
    PARAMETER(closed, "percent of the gaps in borders are left out", 0, 100, 0),
    PARAMETER(ease, "percent of the difficulty taken away: borders, large obstacles", 0, 100, 0),
};
static const cairn_generator_parameter facility_parameters[] = {
    PARAMETER(room, "cells is the side of the square that a room gets", 1, CAIRN_GRID_MAX, 72),
    PARAMETER(percent, "of the squares hold a room or a yard, the others only corridors", 0, 100,
              55),
    PARAMETER(loops, "percent of the doors that are not needed are there", 0, 100, 30),
    PARAMETER(ease, "percent of the difficulty taken away: dead ends, narrow corridors", 0, 100, 0),
};
static const cairn_generator_parameter scaled_parameters[] = {
    PARAMETER(factor, "cells is the side of the square that a cell becomes", 1, CAIRN_GRID_MAX, 2),
};

typedef cairn_status generate_function(crn_board *board, const cairn_generator *generator);

static const struct generate_kind {
    cairn_generator_info about;
    generate_function *draw; /* NULL = it starts from a grid */
} generate_kinds[CAIRN_GENERATE_COUNT] = {
    [CAIRN_GENERATE_RANDOM] = {{.name = "random",
                                .summary = "Single blocked cells at random",
                                .width = 512,
                                .height = 512,
                                PARAMETERS(random_parameters)},
                               crn_generate_random},
    [CAIRN_GENERATE_ROOMS] = {{.name = "rooms",
                               .summary = "Square rooms with thin walls and doors of one cell",
                               .width = 512,
                               .height = 512,
                               PARAMETERS(rooms_parameters)},
                              crn_generate_rooms},
    [CAIRN_GENERATE_MAZE] =
        {{.name = "maze",
          .summary = "A perfect maze: between any two places there is exactly one path",
          .width = 512,
          .height = 512,
          .connected = true,
          PARAMETERS(maze_parameters)},
         crn_generate_maze},
    [CAIRN_GENERATE_CAVES] = {{.name = "caves",
                               .summary = "Halls and passages of a cellular automaton",
                               .width = 512,
                               .height = 512,
                               .connected = true,
                               PARAMETERS(caves_parameters)},
                              crn_generate_caves},
    [CAIRN_GENERATE_PSEUDO_RTS] = {{.name = "pseudo-rts",
                                    .summary =
                                        "Very many small obstacles that can be passed on all sides",
                                    .width = 512,
                                    .height = 512,
                                    .connected = true,
                                    PARAMETERS(pseudo_rts_parameters)},
                                   crn_generate_pseudo_rts},
    [CAIRN_GENERATE_BATTLEFIELD] = {{.name = "battlefield",
                                     .summary =
                                         "Large open regions with several entrances and scattered "
                                         "obstacles",
                                     .width = 768,
                                     .height = 768,
                                     .connected = true,
                                     PARAMETERS(battlefield_parameters)},
                                    crn_generate_battlefield},
    [CAIRN_GENERATE_FACILITY] = {{.name = "facility",
                                  .summary = "Rooms, corridors and yards, as in shooters",
                                  .width = 1024,
                                  .height = 768,
                                  .connected = true,
                                  PARAMETERS(facility_parameters)},
                                 crn_generate_facility},
    [CAIRN_GENERATE_SCALED] = {{.name = "scaled",
                                .summary = "A given grid, every cell enlarged to a square of cells",
                                PARAMETERS(scaled_parameters)},
                               NULL},
};

/* ---- the table ---- */

const cairn_generator_info *cairn_generator_about(cairn_generator_kind kind)
{
    return (uint32_t)kind < CAIRN_GENERATE_COUNT ? &generate_kinds[kind].about : NULL;
}

cairn_generator_kind cairn_generator_find(const char *name)
{
    uint32_t kind = 0;
    while (kind < CAIRN_GENERATE_COUNT && (!name || strcmp(generate_kinds[kind].about.name, name)))
        kind++;
    return (cairn_generator_kind)kind;
}

cairn_generator cairn_generator_default(cairn_generator_kind kind)
{
    cairn_generator generator = {.kind = kind, .seed = 1};
    const cairn_generator_info *about = cairn_generator_about(kind);
    if (!about) return generator;
    generator.width = about->width;
    generator.height = about->height;
    for (uint32_t i = 0; i < about->parameter_count; i++) {
        const cairn_generator_parameter *parameter = &about->parameters[i];
        memcpy((char *)&generator + parameter->offset, &parameter->default_value,
               sizeof parameter->default_value);
    }
    return generator;
}

/* ---- making a map ---- */

static cairn_status generate_check(const cairn_generator *generator, cairn_error *error)
{
    const cairn_generator_info *about = cairn_generator_about(generator->kind);
    if (!about) return crn_fail(error, CAIRN_INVALID, 0, "there is no such kind of generator");
    for (uint32_t i = 0; i < about->parameter_count; i++) {
        const cairn_generator_parameter *parameter = &about->parameters[i];
        uint32_t value;
        memcpy(&value, (const char *)generator + parameter->offset, sizeof value);
        if (value < parameter->minimum || value > parameter->maximum)
            return crn_fail(error, CAIRN_INVALID, 0, "%s must be %u to %u for %s, not %u",
                            parameter->name, parameter->minimum, parameter->maximum, about->name,
                            value);
    }
    if (!about->width) return CAIRN_OK;
    if (generator->width < 1 || generator->width > CAIRN_GRID_MAX || generator->height < 1 ||
        generator->height > CAIRN_GRID_MAX)
        return crn_fail(error, CAIRN_INVALID, 0, "width and height must be 1 to %u, not %u and %u",
                        CAIRN_GRID_MAX, generator->width, generator->height);
    return CAIRN_OK;
}

cairn_status cairn_generate(cairn_context *context, const cairn_generator *generator,
                            cairn_grid **out, cairn_error *error)
{
    if (!out) return crn_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    if (!context || !generator)
        return crn_fail(error, CAIRN_INVALID, 0, "context and generator must be given");
    cairn_status status = generate_check(generator, error);
    if (status) return status;
    generate_function *draw = generate_kinds[generator->kind].draw;
    if (!draw) return crn_generate_scaled(context, generator, out, error);

    uint32_t width = generator->width, height = generator->height;
    crn_board board = {context, width, height, NULL, {generator->seed}};
    size_t cells = crn_mul_size(width, height);
    board.open = crn_alloc_zero(context, cells);
    status = board.open ? draw(&board, generator) : CAIRN_OUT_OF_MEMORY;
    if (status) {
        crn_free(context, board.open, cells);
        return crn_fail(error, status, 0, "there is not enough memory for a map of %u x %u", width,
                        height);
    }
    cairn_grid_options options = {.width = width, .height = height, .open = board.open};
    status = cairn_grid_create(context, &options, out, error);
    crn_free(context, board.open, cells);
    return status;
}
