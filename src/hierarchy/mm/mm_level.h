/* mm_level.h: the minimal-memory abstraction, packed: sectors, the regions in them, where these
 * have their centres and which regions of the eight sectors around they are joined to.
 *
 * Sectors of `side`×`side` places cover the level below it, row by row. Those of level 1 hold
 * cells, those of level 2 hold sectors of level 1, with the regions of level 1 for places. The
 * bytes of a sector, where a number takes one byte if the sector has no more than 256 places and
 * else two, the lower one first:
 *
 *     regions                           a number
 *     centre of each region             a number: level 1: the cell's place in the sector, row by
 *     row;
 *                                       level 2: which of the regions of level 1 in the sector,
 *                                       sector by sector
 *     end of each region's edges        a number, one byte longer: how many bytes of edges
 *                                       there are up to it, so that a region's are found at once
 *     the edges of all regions          one byte: 32 · direction of the sector + region of it;
 *                                       if the lower five bits are all set the region follows in
 *                                       two bytes
 *
 * Where heights or bodies may forbid to go back, a number takes two bytes, and an edge need not
 * lead back. It may lead to another region of the same sector: direction 0, and the region follows
 * in two bytes, with its highest bit set.
 *
 * With it go two numbers of four bytes for each sector: where its bytes begin and which number its
 * first region has among all. Sectors can be replaced one by one (mm_blocks.h). Nothing is kept for
 * a cell, and no costs: an edge costs what the centres are apart. Directions are numbered as steps
 * are; edges ascend by direction and region. All of it is a function of the map, so what is
 * repaired is what a new build would make it.
 */
#ifndef CRN_MM_LEVEL_H
#define CRN_MM_LEVEL_H

#include "hierarchy/mm/mm_blocks.h"
#include "world/grid_space.h"
#include <cairn/planner.h>

#define CRN_MM_REGION_LONG 31u /* the region follows in two bytes */
#define CRN_MM_NO_LABEL UINT16_MAX
#define CRN_MM_REGION_OWN 0x8000u /* ... and if steps may lead one way: it is of the same sector */

typedef struct crn_mm_level {
    uint32_t side;          /* of a sector, in places */
    uint32_t columns, rows; /* of sectors */
    uint32_t width;         /* bytes of a number */
    bool one_way;           /* there may be edges that do not lead back */
    crn_mm_blocks bytes;    /* of each sector */
    uint32_t *begin;        /* for each sector: where its bytes begin */
    uint32_t *first;        /* the same, and behind the last: number of its first region */
    uint32_t passed;        /* regions that paths may pass: those with more than one edge */
    /* if there is a level above: for each region which of the regions of the sector above it is
     * part of, CRN_MM_NO_LABEL = none, and where those of each sector begin; not in files */
    crn_mm_blocks labels;
    uint32_t *label_begin;
} crn_mm_level;

/* One sector, as far as it can be read at once. */
typedef struct crn_mm_sector {
    const uint8_t *centres, *ends, *edges;
    uint32_t count, width;
} crn_mm_sector;

/* Edges of a region, one after the other. */
typedef struct crn_mm_edges {
    const uint8_t *at, *end;
} crn_mm_edges;

CRN_INLINE uint32_t crn_mm_number(const uint8_t *at, uint32_t width)
{
    uint32_t low = width == 1 ? at[0] : (uint32_t)at[0] | (uint32_t)at[1] << 8;
    return width < 3 ? low : low | (uint32_t)at[2] << 16;
}

/* Returns the bytes of a sector's number of regions, which may be one more than other numbers can
 * be as every place may be a region, and of the ends of their edges. */
CRN_INLINE uint32_t crn_mm_head(const crn_mm_level *level)
{
    return level->width + 1;
}

CRN_INLINE uint32_t crn_mm_sector_count(const crn_mm_level *level)
{
    return level->columns * level->rows;
}

CRN_INLINE uint32_t crn_mm_node_count(const crn_mm_level *level)
{
    return level->first[crn_mm_sector_count(level)];
}

/* How many regions a sector has. */
CRN_INLINE uint32_t crn_mm_count(const crn_mm_level *level, uint32_t sector)
{
    return level->first[sector + 1] - level->first[sector];
}

CRN_INLINE crn_mm_sector crn_mm_sector_of_bytes(const crn_mm_level *level, const uint8_t *at,
                                                uint32_t count)
{
    uint32_t width = level->width;
    at += crn_mm_head(level);
    return (crn_mm_sector){at, at + width * count, at + (width * 2 + 1) * count, count, width};
}

CRN_INLINE crn_mm_sector crn_mm_sector_at(const crn_mm_level *level, uint32_t sector)
{
    return crn_mm_sector_of_bytes(level, level->bytes.data + level->begin[sector],
                                  crn_mm_count(level, sector));
}

/* The same as its bytes say: while a repair has not counted the regions of the level again. */
CRN_INLINE crn_mm_sector crn_mm_sector_now(const crn_mm_level *level, uint32_t sector)
{
    const uint8_t *at = crn_mm_block(&level->bytes, level->begin[sector]);
    return crn_mm_sector_of_bytes(level, at, crn_mm_number(at, crn_mm_head(level)));
}

CRN_INLINE uint32_t crn_mm_centre(const crn_mm_sector *sector, uint32_t region)
{
    return crn_mm_number(sector->centres + region * sector->width, sector->width);
}

/* Returns how many regions of a sector paths may pass. */
uint32_t crn_mm_passed(const crn_mm_sector *sector);

/* The sector that a node, a region by its number among all, lies in. */
uint32_t crn_mm_sector_of(const crn_mm_level *level, cairn_node node);

/* Where the edges of a region end, given where the ends begin; and how many bytes they take. */
CRN_INLINE uint32_t crn_mm_end(const uint8_t *ends, uint32_t head, uint32_t region)
{
    return crn_mm_number(ends + region * head, head);
}

CRN_INLINE uint32_t crn_mm_length(const uint8_t *ends, uint32_t head, uint32_t region)
{
    return crn_mm_end(ends, head, region) - (region ? crn_mm_end(ends, head, region - 1) : 0);
}

CRN_INLINE crn_mm_edges crn_mm_edges_of(const crn_mm_sector *sector, uint32_t region)
{
    const uint32_t head = sector->width + 1;
    const uint8_t *end = sector->edges + crn_mm_end(sector->ends, head, region);
    return (crn_mm_edges){end - crn_mm_length(sector->ends, head, region), end};
}

CRN_INLINE bool crn_mm_edges_next(crn_mm_edges *edges, uint32_t *direction, uint32_t *region)
{
    if (edges->at == edges->end) return false;
    uint32_t byte = *edges->at++;
    *direction = byte >> 5;
    *region = byte & CRN_MM_REGION_LONG;
    if (*region == CRN_MM_REGION_LONG) {
        *region = crn_mm_number(edges->at, 2);
        edges->at += 2;
    }
    return true;
}

/* The sector beside another one, UINT32_MAX if there is none. */
uint32_t crn_mm_beside(const crn_mm_level *level, uint32_t sector, uint32_t direction);

/* The sector that an edge leads to; the region is that of the edge, and becomes that of the sector.
 * UINT32_MAX: there is none. */
CRN_INLINE uint32_t crn_mm_lead(const crn_mm_level *level, uint32_t sector, uint32_t direction,
                                uint32_t *region)
{
    if (CRN_LIKELY(!level->one_way || !(*region & CRN_MM_REGION_OWN)))
        return crn_mm_beside(level, sector, direction);
    *region &= ~CRN_MM_REGION_OWN;
    return sector;
}

/* Does an edge lead from a region of a sector to one of another? */
bool crn_mm_leads(const crn_mm_level *level, uint32_t sector, uint32_t region, uint32_t to_sector,
                  uint32_t to_region);

/* ---- making ---- */

/* What is known of a sector before it is packed. */
typedef struct crn_mm_draft {
    uint32_t *centres; /* of each region */
    size_t count, centre_capacity;
    /* region << 32 | direction << 16 | region of the other sector, in any order, also several
     * times */
    uint64_t *edges;
    size_t edge_count, edge_capacity;
    uint32_t gap; /* how far they are brought into order */
    size_t sorted;
} crn_mm_draft;

void crn_mm_draft_close(crn_mm_draft *draft, cairn_context *context);
bool crn_mm_draft_region(crn_mm_draft *draft, cairn_context *context, uint32_t centre);
bool crn_mm_draft_edge(crn_mm_draft *draft, cairn_context *context, uint32_t region,
                       uint32_t direction, uint32_t other);

/* Brings edges into order, each once, a piece at a time: true when it is done. */
bool crn_mm_draft_sort_on(crn_mm_draft *draft);

/* A level without regions over this many places. False = no memory. */
typedef struct crn_mm_extent {
    uint32_t side, places;  /* of a sector */
    uint32_t width, height; /* of what lies below it */
    bool one_way;
} crn_mm_extent;
bool crn_mm_level_open(crn_mm_level *level, cairn_context *context, crn_mm_extent extent);
bool crn_mm_level_open_labels(crn_mm_level *level, cairn_context *context);
void crn_mm_level_close(crn_mm_level *level, cairn_context *context);
size_t crn_mm_level_bytes(const crn_mm_level *level);

/* Appends the bytes of a sector, in their order, when its edges are in order. False = no memory. */
bool crn_mm_write(crn_mm_level *level, cairn_context *context, uint32_t sector,
                  const crn_mm_draft *draft);
/* Packs a sector somewhere else, where there is room for as many bytes as the first function says.
 * Returns how many they are. */
size_t crn_mm_pack_room(const crn_mm_level *level, const crn_mm_draft *draft);
uint32_t crn_mm_pack(const crn_mm_level *level, const crn_mm_draft *draft, uint8_t *out);
/* How many bytes a sector of so many regions has. */
uint32_t crn_mm_sector_bytes(const crn_mm_level *level, const uint8_t *bytes, uint32_t regions);

/* ---- files ---- */

/* Saves the level as a section. Loads a section into an open level if its bytes are valid: this
 * many sectors, edges in order that lead to regions, and centres that `check` accepts. On failure
 * the level is still to be closed. */
typedef bool crn_mm_centre_check(const void *user, uint32_t sector, uint32_t centre);
typedef struct crn_mm_section {
    const cairn_archive *archive;
    const char *name;
    bool borrow; /* its bytes stay where they are */
    crn_mm_centre_check *check;
    const void *user;
} crn_mm_section;
cairn_status crn_mm_level_save(const crn_mm_level *level, cairn_context *context,
                               cairn_store *store, const char *name);
cairn_status crn_mm_level_load(crn_mm_level *level, cairn_context *context,
                               const crn_mm_section *section, cairn_error *error);

#endif
