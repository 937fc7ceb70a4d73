/* grid.h (internal): how a grid is stored, and the coordinates its parts agree on. */
#ifndef CRN_GRID_H
#define CRN_GRID_H

#include "core/core.h"
#include <cairn/grid.h>

/* Bits of a plane of cells, padded by blocked cells on all sides so that looking at the neighbours
 * of any cell needs no bounds check. Cell (x, y) is bit (x + 1) of row (y + 1); a row is `stride`
 * bytes, a multiple of 8, least significant bit first. `size` bytes from `rows` on are in use, and
 * 8 more before them can be read. */
typedef struct crn_bits {
    uint8_t *rows;
    size_t stride;
    size_t size;
} crn_bits;

/* A plane of this many cells, and how they lie. */
typedef struct crn_bitmap {
    const crn_bits *bits;
    uint32_t width, height;
    cairn_layout layout;
} crn_bitmap;

/* False = no memory. reserve: the memory is not cleared. */
bool crn_bits_create(cairn_context *context, uint32_t width, uint32_t height, crn_bits *out);
bool crn_bits_reserve(cairn_context *context, uint32_t width, uint32_t height, crn_bits *out);
void crn_bits_destroy(cairn_context *context, crn_bits *bits);

/* Returns the bytes of memory they take. */
CRN_INLINE size_t crn_bits_bytes(const crn_bits *bits)
{
    return bits->rows ? bits->size + 8 : 0;
}

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

/* A word of 8 bytes, the least significant one first, as on every machine. */
CRN_INLINE uint64_t crn_word_load(const uint8_t *at)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
#else
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
           (uint64_t)at[7] << 56;
#endif
}

CRN_INLINE void crn_word_store(uint8_t *at, uint64_t word)
{
    for (uint32_t i = 0; i < 8; i++) at[i] = (uint8_t)(word >> 8 * i);
}

/* Returns the 64 cells of row y (-1…height) from x on, (x, y) in the least bit. What lies to the
 * left and to the right of the row reads as zero, however far. */
CRN_INLINE uint64_t crn_bits_word(const crn_bits *bits, int32_t x, int32_t y)
{
    const uint8_t *row = bits->rows + (size_t)(y + 1) * bits->stride;
    int64_t first = (int64_t)x + 1, words = (int64_t)(bits->stride / 8);
    int64_t at = first >= 0 ? first / 64 : -((63 - first) / 64);
    uint32_t shift = (uint32_t)(first - 64 * at);
    uint64_t low = at >= 0 && at < words ? crn_word_load(row + 8 * at) : 0;
    if (!shift) return low;
    uint64_t high = at + 1 >= 0 && at + 1 < words ? crn_word_load(row + 8 * (at + 1)) : 0;
    return low >> shift | high << (64 - shift);
}

/* Writes 64 cells, for x ≥ 0. Bits of `word` beyond the right end of the map must be zero. */
CRN_INLINE void crn_bits_set_word(crn_bits *bits, uint32_t x, uint32_t y, uint64_t word)
{
    size_t first = (size_t)x + 1, at = first / 64 * 8;
    uint8_t *row = bits->rows + ((size_t)y + 1) * bits->stride;
    uint32_t shift = first & 63;
    uint64_t below = (UINT64_C(1) << shift) - 1; /* what keeps its value in the first word */
    crn_word_store(row + at, (crn_word_load(row + at) & below) | word << shift);
    if (!shift || at + 8 >= bits->stride) return;
    crn_word_store(row + at + 8, (crn_word_load(row + at + 8) & ~below) | word >> (64 - shift));
}
/* On grids of hexagons odd rows lie half a cell to the right. The neighbours of a hexagon are the
 * cells beside it in its row and two in each of the rows above and below: x − 1 and x for even
 * rows, x and x + 1 for odd ones. */
#define CRN_HEX_ROW 0.86602540378443864676    /* distance of two rows, in cells */
#define CRN_HEX_CENTRE 0.57735026918962576451 /* of a centre from the upper point */

struct crn_grid_space;

/* A link that a commit added or took away. */
typedef struct crn_link_change {
    cairn_link link;
    bool added;
} crn_link_change;

/* One remembered commit. */
typedef struct crn_commit {
    uint64_t version;
    cairn_change *changes;
    uint32_t count;
    uint64_t *tiles;
    bool links_changed;
    crn_link_change *link_changes; /* in the order they were made */
    uint32_t link_change_count;
} crn_commit;

#define CRN_COMMITS_KEPT 64u

typedef struct crn_edit {
    cairn_node node;
    uint32_t order; /* of staging: the last one of a cell and field counts */
    uint8_t field;
    int16_t value;
} crn_edit;

/* A staged change of links: one is added, or all with an id are removed, or all that leave a
 * cell. */
typedef struct crn_link_edit {
    cairn_link link;
    bool remove;
    bool leaving; /* those that leave link.from, whatever their id */
} crn_link_edit;

struct cairn_grid {
    cairn_context *context;
    crn_holders holders; /* spaces */
    uint32_t width, height;
    cairn_layout layout;
    cairn_position origin;
    double cell_size;
    uint64_t version;
    crn_bits open;
    uint8_t *terrain;          /* NULL until a cell has another class than ground */
    uint8_t *layer;            /* NULL until a cell has a value */
    int16_t *elevation;        /* NULL until a cell has a height */
    uint32_t class_count[256]; /* cells of each terrain class, open or not */

    cairn_link *links; /* ascending by from, then to, then in the order of adding */
    uint32_t link_count, link_capacity;

    crn_edit *edits; /* staged */
    size_t edit_count, edit_capacity;
    crn_link_edit *link_edits;
    size_t link_edit_count, link_edit_capacity;

    crn_commit commits[CRN_COMMITS_KEPT]; /* ring, by version */

    struct crn_cover *cover; /* what lies on cells for a while; NULL = nothing */

    struct crn_grid_space *spaces; /* a list: they are refreshed with every commit */

    void *easy; /* kept by cairn_find_path */
    void (*easy_destroy)(void *easy);
};

/* Returns the cell of a node that exists. */
CRN_INLINE cairn_cell crn_grid_cell(const cairn_grid *grid, cairn_node node)
{
    return (cairn_cell){(int32_t)(node % grid->width), (int32_t)(node / grid->width)};
}

/* Stages the removal of all links that leave a cell. */
cairn_status crn_grid_remove_leaving(cairn_grid *grid, cairn_node from);

/* Copies a grid as it was committed last, into another context (known.c). CAIRN_OUT_OF_MEMORY. */
cairn_status crn_grid_copy(cairn_context *context, const cairn_grid *grid, cairn_grid **out);

cairn_cell_state crn_grid_state(const cairn_grid *grid, cairn_node node);
size_t crn_grid_commit_bytes(const cairn_grid *grid); /* held for the commits remembered */
void crn_grid_forget_commits(cairn_grid *grid);

/* Stages that a cell gets what its cover wants (cover.h); takes that back for all cells. */
cairn_status crn_grid_stage_cover(cairn_grid *grid, cairn_node node);
void crn_grid_unstage_covers(cairn_grid *grid);

/* The owner or a space lets go of the grid; the last one frees it. */
void crn_grid_let_go(cairn_grid *grid);

/* The cells of a square ring round a cell, as offsets from it: the i-th of crn_ring_length. */
static inline uint32_t crn_ring_length(uint32_t ring)
{
    return ring ? 8 * ring : 1;
}

static inline cairn_cell crn_ring_cell(uint32_t ring, uint32_t i)
{
    uint32_t side = ring ? 2 * ring : 1;
    int32_t r = (int32_t)ring, along = (int32_t)(i % side) - r;
    switch (i / side) {
    case 0: return (cairn_cell){along, -r};
    case 1: return (cairn_cell){r, along};
    case 2: return (cairn_cell){-along, r};
    default: return (cairn_cell){-r, -along};
    }
}

#endif
