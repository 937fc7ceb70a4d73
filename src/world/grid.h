/* grid.h (internal): how a grid is stored, and the coordinates its parts agree on. */
#ifndef CRN_GRID_H
#define CRN_GRID_H

#include "core/core.h"
#include <cairn/grid.h>

/* Bits of a plane of cells, padded by blocked cells on all sides so that looking at
 * the neighbours of any cell needs no bounds check. Cell (x, y) is bit (x + 1) of row (y + 1);
 * a row is `stride` bytes, a multiple of 8, least significant bit first. */
typedef struct crn_bits {
    uint8_t *rows;
    size_t stride;
    size_t size;
} crn_bits;

bool crn_bits_create(cairn_context *context, uint32_t width, uint32_t height, crn_bits *out);
void crn_bits_destroy(cairn_context *context, crn_bits *bits);

CRN_INLINE bool crn_bit(const crn_bits *bits, int32_t x, int32_t y)
{
    return bits->rows[(size_t)(y + 1) * bits->stride + ((size_t)(x + 1) >> 3)] >> ((x + 1) & 7) & 1;
}

CRN_INLINE void crn_bit_set(crn_bits *bits, int32_t x, int32_t y, bool value)
{
    uint8_t *byte = &bits->rows[(size_t)(y + 1) * bits->stride + ((size_t)(x + 1) >> 3)];
    uint8_t mask = (uint8_t)(1u << ((x + 1) & 7));
    *byte = (uint8_t)(value ? *byte | mask : *byte & ~mask);
}

struct crn_grid_space;

/* One remembered commit. */
typedef struct crn_commit {
    uint64_t version;
    cairn_change *changes;
    uint32_t count;
    uint64_t *tiles;
} crn_commit;

#define CRN_COMMITS_KEPT 64u

typedef struct crn_edit {
    cairn_node node;
    uint32_t order; /* of staging: the last one of a cell and field wins */
    uint8_t field;
    int16_t value;
} crn_edit;

struct cairn_grid {
    cairn_layout layout;
    cairn_context *context;
    uint32_t width, height;
    cairn_position origin;
    double cell_size;
    uint64_t version;
    crn_bits open;
    uint8_t *terrain;          /* NULL until a cell has another class than ground */
    uint8_t *layer;            /* NULL until a cell has a value */
    int16_t *elevation;        /* NULL until a cell has a height */
    uint32_t class_count[256]; /* cells of each terrain class, open or not */

    crn_edit *edits; /* staged */
    size_t edit_count, edit_capacity;

    crn_commit commits[CRN_COMMITS_KEPT]; /* ring, by version */

    struct crn_grid_space *spaces; /* linked: they follow every commit */

    void *easy; /* kept by cairn_find_path */
    void (*easy_destroy)(void *easy);
};

cairn_cell_state crn_grid_state(const cairn_grid *grid, cairn_node node);
size_t crn_grid_commit_bytes(const cairn_grid *grid); /* held for the commits remembered */
void crn_grid_forget_commits(cairn_grid *grid);

#endif
