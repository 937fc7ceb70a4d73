/* generate.h: generated maps. The same seed and numbers make the same map on every machine.
 *
 *     cairn_generator generator = cairn_generator_default(CAIRN_GENERATE_CAVES);
 *     generator.seed = 7;
 *     cairn_generate(context, &generator, &grid, &error);
 *
 * A table lists the kinds and the numbers that each of them takes. docs/generators.md shows and
 * measures them. The maps of a kind stay the same in later versions.
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

/* The parameters of a map. A kind reads the numbers that its table lists, and no others. */
typedef struct cairn_generator {
    cairn_generator_kind kind;
    uint32_t width, height; /* 1…CAIRN_GRID_MAX; scaled: 0, as source and factor decide */
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
    uint32_t ease;
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
    /* every open cell can be reached from every other one, for all parameters */
    bool connected;
    const cairn_generator_parameter *parameters;
    uint32_t parameter_count;
} cairn_generator_info;

/* Returns the description of a kind, or NULL if there is none. Kinds are numbered from 0 to
 * CAIRN_GENERATE_COUNT - 1. */
CAIRN_API const cairn_generator_info *cairn_generator_about(cairn_generator_kind kind);

/* Returns the kind with this name, or CAIRN_GENERATE_COUNT if there is none. */
CAIRN_API cairn_generator_kind cairn_generator_find(const char *name);

/* Returns the parameters of the default map of a kind, with seed 1. */
CAIRN_API cairn_generator cairn_generator_default(cairn_generator_kind kind);

/* Generates a map. CAIRN_INVALID for numbers out of range; the error says which. */
CAIRN_API cairn_status cairn_generate(cairn_context *context, const cairn_generator *generator,
                                      cairn_grid **out, cairn_error *error);

#ifdef __cplusplus
}
#endif
#endif
