/* generate.h: seeded maps: the same numbers make the same map on every machine.
 *
 *     cairn_generator generator = cairn_generator_default(CAIRN_GENERATE_CAVES);
 *     generator.seed = 7;
 *     cairn_generate(context, &generator, &grid, &error);
 *
 * What kinds there are, and which numbers each of them takes, is a table that can be walked.
 * docs/generators.md shows and measures them. The maps of a kind never change.
 */
#ifndef CAIRN_GENERATE_H
#define CAIRN_GENERATE_H

#include "grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_generator_kind {
    CAIRN_GENERATE_RANDOM,
    CAIRN_GENERATE_ROOMS,
    CAIRN_GENERATE_MAZE,
    CAIRN_GENERATE_CAVES,
    CAIRN_GENERATE_PSEUDO_RTS,
    CAIRN_GENERATE_BATTLEFIELD,
    CAIRN_GENERATE_FACILITY,
    CAIRN_GENERATE_SCALED,
    CAIRN_GENERATE_COUNT
} cairn_generator_kind;

/* A kind reads the numbers that its table names, and no others. */
typedef struct cairn_generator {
    cairn_generator_kind kind;
    uint32_t width, height; /* 1…CAIRN_GRID_MAX; scaled: 0, as the source and the factor say it */
    uint64_t seed;
    uint32_t percent;
    uint32_t room;
    uint32_t closed;
    uint32_t corridor;
    uint32_t wall;
    uint32_t rounds;
    uint32_t largest;
    uint32_t region;
    uint32_t loops;
    uint32_t factor;
    const cairn_grid *source; /* scaled: the grid to enlarge, of squares and without links */
} cairn_generator;

typedef struct cairn_generator_parameter {
    const char *name;
    const char *summary; /* half a sentence */
    uint32_t minimum, maximum, default_value;
    size_t offset; /* of the number, a uint32_t, in cairn_generator */
} cairn_generator_parameter;

typedef struct cairn_generator_info {
    const char *name;
    const char *summary;    /* one line */
    uint32_t width, height; /* of the default map; 0 = it comes from a source */
    /* every open cell can be reached from every other one, whatever the numbers */
    bool connected;
    const cairn_generator_parameter *parameters;
    uint32_t parameter_count;
} cairn_generator_info;

/* NULL for a kind that is none. Kinds are numbered from 0 to CAIRN_GENERATE_COUNT - 1. */
CAIRN_API const cairn_generator_info *cairn_generator_about(cairn_generator_kind kind);

/* By name; CAIRN_GENERATE_COUNT if there is none. */
CAIRN_API cairn_generator_kind cairn_generator_find(const char *name);

/* The default map of a kind, seed 1. */
CAIRN_API cairn_generator cairn_generator_default(cairn_generator_kind kind);

/* CAIRN_INVALID for numbers out of range; the error says which. */
CAIRN_API cairn_status cairn_generate(cairn_context *context, const cairn_generator *generator,
                                      cairn_grid **out, cairn_error *error);

#ifdef __cplusplus
}
#endif
#endif
