/* dhpa_routes.h: the routes of a cluster, packed.
 *
 * Asked is for a cell of the cluster and one of its nodes: what is the next step towards the node?
 * Cells with the same answers for all nodes make a *zone*. A cluster keeps for each row of cells
 * their zones, and for each zone the answers by node. Both are *runs*: a bit for each place, set
 * where the number is another than that of the place before, and then the numbers, one for each
 * run. Nodes are in the order in which they lie along the border, so that those with the same
 * answer are neighbours. Cells where nobody can stand have no answer and belong to any run.
 * If there are not many nodes, the runs of zones may be *entries* instead: the last node of each
 * run and its answer. Where runs are long, these take fewer bytes.
 *
 * An answer is a step. Or it is a *target*: a cell to which the route leads first straight, until
 * it lies in a diagonal direction, and then diagonally. Most often that is the node itself, and one
 * number says so of all nodes. In open areas many cells have the same targets where the steps to
 * them differ. A cluster has the kind of answers that takes fewer bytes.
 *
 * Which nodes there is a route to is kept apart, if it is not all of them: cells from which the
 * same nodes can be reached make a *pocket*, which has a bit for each node. A zone lies in one
 * pocket, and pockets are ranges of zones. Where no route leads, the answer is that of the node
 * before, as it is in the cell of the node itself: nobody asks.
 *
 * Where costs differ from cell to cell, nearly every cell is a zone. If zones take many more bytes
 * than the graph of HPA* does, a cluster has *paths* instead: the routes from each of its nodes to
 * each other, as legs (dhpa_paths.c). These are all that is asked for between the first and the
 * last cluster of a path. From another cell a route is searched for (dhpa_approach.h). Pockets are
 * kept in the same way: each of them is a zone.
 */
#ifndef CRN_DHPA_ROUTES_H
#define CRN_DHPA_ROUTES_H

#include "hierarchy/hpa/hpa_index.h"

/* Instead of a direction: the node is here; or no route leads to it. */
enum { CRN_ROUTE_HERE = CRN_DIRECTIONS, CRN_ROUTE_NONE = 15 };

#define CRN_TARGET_BITS 12u /* six of x, six of y */
#define CRN_ENTRY_NODES 64u /* no more nodes have entries: these are read one after the other */
#define CRN_ROUTES_SLACK 3u /* bytes at the end that are read and do not matter */
#define CRN_PATH_NODES 256u /* no more nodes have paths: each has one to every other */
#define CRN_PATHS 255u      /* instead of the bits of an answer: there are paths */

typedef struct crn_routes {
    uint32_t size;    /* of all of it, in bytes */
    uint16_t nodes;   /* of the cluster */
    uint16_t pockets; /* 0 = routes lead from all cells to all nodes */
    uint16_t records; /* where runs begin, in bytes */
    uint8_t row_bits, zone_bits, answer_bits;
    uint8_t entry_bits; /* 0 = zones have no entries but runs; paths: of where one begins */
    uint8_t width;      /* of the cluster */
    /* of the cluster if answers are targets: their numbers in the list from 1 on, 0 is the node;
     * 0 = answers are steps; of the cluster if there are paths */
    uint8_t height;
    /* By row: where the runs of its zones begin. Targets. By node, up to the last bit before the
     * runs: its number along the border. Then runs, which are named by their first byte: a zone is
     * where the runs of its answers begin, or the number of the first of its entries, which stand
     * before the rows. At the end, from a whole byte on: of each pocket but the first its first
     * zone, and of each pocket by node whether a route leads there.
     * Paths: where the runs of zones begin by row, and these runs, if there are pockets. Then, at
     * `records`, where each path begins, in bits, and the paths. Pockets at the end. */
    uint8_t bytes[];
} crn_routes;

CRN_INLINE bool crn_routes_are_paths(const crn_routes *routes)
{
    return routes->answer_bits == CRN_PATHS;
}

/* How many bits numbers below this one have. */
CRN_INLINE uint32_t crn_bits_below(uint32_t count)
{
    return count > 1 ? crn_highest_bit(count - 1) + 1 : 0;
}

CRN_INLINE uint32_t crn_routes_bits(const uint8_t *list, uint32_t at, uint32_t width)
{
    return crn_four_bytes(list + at / 8) >> at % 8 & ((UINT32_C(1) << width) - 1);
}

/* What reading them needs, for loops to keep at hand. Of paths: no part of it but the zones. */
typedef struct crn_reader {
    const uint8_t *lists, *runs;
    uint32_t targets, tracks; /* where these lists begin and end */
    uint32_t row_bits, zone_bits, answer_bits, entry_bits, width, nodes;
    bool to_targets; /* answers are targets */
} crn_reader;

CRN_INLINE crn_reader crn_routes_reader(const crn_routes *routes)
{
    return (crn_reader){.lists = routes->bytes,
                        .runs = routes->bytes + routes->records,
                        .targets = (uint32_t)routes->height * routes->row_bits,
                        .tracks = routes->records * 8u,
                        .row_bits = routes->row_bits,
                        .zone_bits = routes->zone_bits,
                        .answer_bits = routes->answer_bits,
                        .entry_bits = routes->entry_bits,
                        .width = routes->width,
                        .nodes = routes->nodes,
                        .to_targets = routes->height > 0};
}

CRN_INLINE uint64_t crn_eight_bytes(const uint8_t *at)
{
    return crn_four_bytes(at) | (uint64_t)crn_four_bytes(at + 4) << 32;
}

/* The number at a place, out of runs that cover `length` places. */
CRN_INLINE uint32_t crn_run_at(const uint8_t *run, uint32_t length, uint32_t place, uint32_t width)
{
    uint32_t before = 0;
    const uint8_t *at = run;
    for (; CRN_UNLIKELY(place >= 64); place -= 64, at += 8)
        before += crn_count_bits(crn_eight_bytes(at));
    before += crn_count_bits(crn_eight_bytes(at) << (~place & 63));
    return crn_routes_bits(run, length + before * width, width);
}

/* The number of the i-th node along the border. */
CRN_INLINE uint32_t crn_track_of(const crn_reader *reader, uint32_t i)
{
    uint32_t width = crn_bits_below(reader->nodes);
    return crn_routes_bits(reader->lists, reader->tracks - (reader->nodes - i) * width, width);
}

/* The zone of a cell: column and row inside the cluster. */
CRN_INLINE uint32_t crn_zone_at(const crn_reader *reader, uint32_t x, uint32_t y)
{
    uint32_t row = crn_routes_bits(reader->lists, y * reader->row_bits, reader->row_bits);
    return crn_run_at(reader->runs + row, reader->width, x % CRN_CLUSTER_SIZE_MAX,
                      reader->zone_bits);
}

/* The answer of the first entry from this one on that reaches as far as a node. */
CRN_INLINE uint32_t crn_entry_from(const crn_reader *reader, uint32_t entry, uint32_t track)
{
    uint32_t width = reader->entry_bits, at = entry * width, left = 64 - at % 8,
             mask = (UINT32_C(1) << width) - 1, least = track << reader->answer_bits;
    uint64_t bits = crn_eight_bytes(reader->runs + at / 8) >> at % 8;
    while (((uint32_t)bits & mask) < least) {
        at += width;
        left -= width;
        bits >>= width;
        if (CRN_LIKELY(left >= width)) continue;
        left = 64 - at % 8;
        bits = crn_eight_bytes(reader->runs + at / 8) >> at % 8;
    }
    return (uint32_t)bits & mask >> (width - reader->answer_bits);
}

/* The answer of a zone for a node that it has a route to. */
CRN_INLINE uint32_t crn_answer_of(const crn_reader *reader, uint32_t zone, uint32_t track)
{
    if (reader->entry_bits) return crn_entry_from(reader, zone, track);
    return crn_run_at(reader->runs + zone, reader->nodes, track, reader->answer_bits);
}

/* In bytes: what the list of this many pockets takes. */
CRN_INLINE uint32_t crn_pockets_size(uint32_t pockets, uint32_t nodes, uint32_t zone_bits)
{
    return pockets ? (pockets * nodes + (pockets - 1) * zone_bits + 7) / 8 : 0;
}

/* Where that of routes begins, in bytes from their own beginning. */
CRN_INLINE uint32_t crn_pockets_begin(const crn_routes *routes)
{
    return routes->size - CRN_ROUTES_SLACK -
           crn_pockets_size(routes->pockets, routes->nodes, routes->zone_bits);
}

/* To which nodes do routes lead from a cell? A list of bits, and where it begins. */
typedef struct crn_reach {
    const uint8_t *list; /* NULL = to all */
    uint32_t first;
} crn_reach;

crn_reach crn_reach_of_pocket(const crn_routes *routes, uint32_t x, uint32_t y);

CRN_INLINE crn_reach crn_reach_at(const crn_routes *routes, uint32_t x, uint32_t y)
{
    return routes->pockets ? crn_reach_of_pocket(routes, x, y) : (crn_reach){0};
}

/* Is the i-th node, in the order of the cluster, among them? */
CRN_INLINE bool crn_reaches(crn_reach reach, uint32_t i)
{
    return !reach.list || crn_routes_bits(reach.list, reach.first + i, 1);
}

/* Steps in one direction. */
typedef struct crn_leg {
    uint32_t direction, steps;
} crn_leg;

/* The first ones towards a cell so far away. */
CRN_INLINE crn_leg crn_leg_to(int32_t dx, int32_t dy)
{
    static const uint8_t diagonal[2][2] = {{CRN_NW, CRN_NE}, {CRN_SW, CRN_SE}};
    uint32_t wide = (uint32_t)(dx < 0 ? -dx : dx), high = (uint32_t)(dy < 0 ? -dy : dy);
    if (wide > high) return (crn_leg){dx < 0 ? CRN_W : CRN_E, wide - high};
    if (wide < high) return (crn_leg){dy < 0 ? CRN_N : CRN_S, high - wide};
    return (crn_leg){diagonal[dy > 0][dx > 0], wide};
}

/* A node that a route leads to. */
typedef struct crn_route_end {
    uint32_t track; /* its number along the border */
    uint32_t place; /* in the cluster, as targets have it */
} crn_route_end;

CRN_INLINE uint32_t crn_target_place(uint32_t x, uint32_t y)
{
    return y << CRN_TARGET_BITS / 2 | x;
}

/* The same if the answer of a cell, which is not the node itself, is a target. */
CRN_INLINE crn_leg crn_leg_to_target(const crn_reader *reader, uint32_t number, crn_route_end end,
                                     uint32_t x, uint32_t y)
{
    uint32_t target = end.place;
    if (number)
        target = crn_routes_bits(reader->lists, reader->targets + (number - 1) * CRN_TARGET_BITS,
                                 CRN_TARGET_BITS);
    return crn_leg_to((int32_t)(target % 64) - (int32_t)x, (int32_t)(target / 64) - (int32_t)y);
}

/* The first step of a route, of either kind of answers. */
CRN_INLINE uint32_t crn_step_at(const crn_reader *reader, uint32_t x, uint32_t y, crn_route_end end)
{
    uint32_t number = crn_answer_of(reader, crn_zone_at(reader, x, y), end.track);
    return reader->to_targets ? crn_leg_to_target(reader, number, end, x, y).direction : number;
}

/* ---- packing ---- */

/* Routes of a cluster as they are found: a direction for each node and each cell. */
typedef struct crn_open_routes {
    const crn_grid_space *space;
    crn_area area;
    const crn_hpa_member *members;
    uint32_t count;
    uint8_t *steps; /* those of the first node first */
} crn_open_routes;

/* Adds a number to bits that are zero. */
CRN_INLINE void crn_routes_put(uint8_t *list, uint32_t at, uint32_t number)
{
    uint64_t bits = (uint64_t)number << at % 8;
    for (list += at / 8; bits; bits >>= 8) *list++ |= (uint8_t)bits;
}

/* Memory for packing; to be freed with crn_scratch_free. */
typedef struct crn_packer crn_packer;
crn_packer *crn_packer_open(crn_scratch *memory);
void crn_packer_close(crn_packer *packer);

/* Returns them packed, NULL if there is no memory; to be freed with crn_free. */
crn_routes *crn_routes_pack(crn_packer *packer, const crn_open_routes *open);

/* Writes the steps. The space must be the one that they were found in. Not for paths. */
void crn_routes_unpack(const crn_routes *routes, const crn_open_routes *open);

#endif
