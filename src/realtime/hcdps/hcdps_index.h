/* hcdps_index.h: the index of `hcdps`: regions, links between them, and which link to take.
 *
 * All of it is arrays of 32-bit numbers, which are saved, loaded and mapped as they are. Some hold
 * streams of bytes, each from a whole word on: numbers of seven bits a byte, the lowest first, all
 * but the last byte with the highest bit set (`crn_hcdps_read`). Numbers with a sign are 2 n, or
 * -2 n - 1 if negative.
 *
 * - `runs`: the region of each cell, run length encoded in the order of nodes. The nodes are cut
 *   into blocks of k, and a run ends with its block. A block is a stream, which begins where
 *   `entries` tells (one more than blocks): for each run the difference of its region to that of
 *   the run before, and how many nodes it has; 0 = up to the end of the block. Blocked cells belong
 *   to any run.
 * - `homes`: the representative of each region.
 * - `links`: for each region a stream, which begins where `links-at` tells (one more than regions):
 *   how many links it has, and how many of them lead to regions that touch, which come first. Then
 *   each link: the bytes that follow; how far the number of its region is from this one; if they
 *   touch, the cell of this region by which a walker leaves, as columns from the representative,
 *   and rows · 9 + direction of the step (8: it is a link of the map, and its end follows); then
 *   its record, the subgoals between both representatives: columns and rows from the one before.
 * - Rows: for each region, the link to take to each other one, as a stream of runs, which begins
 *   where `rows-at` tells. A run of regions with the same link, from a number on, is
 *   (number - that of the run before - 1) · (links + 1) + link; link = links: there is none. For
 *   every 64 runs but the first ones, there is an entry of six bytes in front: the number that the
 *   first of them begins with, and where in the stream it is behind the entries. The stream begins
 *   with the number of runs. With depth > 1 there are two rows: `rows` for paths, over all links,
 *   and `near` for single moves, over links between regions that touch.
 * - Pairs (records=pairs): one record for each ordered pair of regions; `pairs-at` has N² + 1
 *   numbers.
 *
 * On graphs a row is a node, and there are no columns; every door is a link of the map.
 *
 * A region is closed: the climb from each of its cells to its representative, and back, stays
 * inside of it and takes at most `cutoff` steps. So every cell can tell by its region alone that
 * it gets there, whatever happened before.
 */
#ifndef CRN_HCDPS_INDEX_H
#define CRN_HCDPS_INDEX_H

#include "realtime/climb_graph.h"
#include <cairn/planner.h>

enum {
    CRN_HCDPS_RUNS,
    CRN_HCDPS_ENTRIES,
    CRN_HCDPS_HOMES,
    CRN_HCDPS_LINK_FIRST,
    CRN_HCDPS_LINKS,
    CRN_HCDPS_ROW_FIRST,
    CRN_HCDPS_ROWS,
    CRN_HCDPS_NEAR_FIRST,
    CRN_HCDPS_NEAR,
    CRN_HCDPS_PAIR_FIRST,
    CRN_HCDPS_PAIRS,
    CRN_HCDPS_ARRAYS
};

#define CRN_HCDPS_REGIONS (1u << 20)       /* there are fewer */
#define CRN_HCDPS_GRAPH_REGIONS (1u << 15) /* of a graph: no more */
#define CRN_HCDPS_SLOTS 4095u              /* links of a region: fewer */
#define CRN_HCDPS_BLOCK 4096u              /* k is no larger */
#define CRN_HCDPS_GROUP 64u                /* runs of a row for each entry */
#define CRN_HCDPS_ENTRY 6u                 /* bytes of an entry */

/* An array that grows, or one that lies in a file. */
typedef struct crn_hcdps_array {
    const uint32_t *items;
    uint32_t *owned; /* NULL = it lies in a file, or is empty */
    size_t count, capacity;
} crn_hcdps_array;

typedef struct crn_hcdps_link {
    uint32_t region;
    cairn_node leave, enter; /* CAIRN_NO_NODE: the regions do not touch */
    uint32_t read, end;      /* its record, in bytes */
} crn_hcdps_link;

/* Nodes in a row that belong to a region. */
typedef struct crn_hcdps_run {
    uint32_t region;
    cairn_node begin, end;
} crn_hcdps_run;

typedef struct crn_hcdps {
    uint32_t depth, cutoff, every, spacing; /* parameters; `every` is k */
    uint32_t width;                         /* of the map; 1 = it is a graph */
    bool pairs;
    bool exact; /* there are records (crn_hcdps_has_records) */
    crn_climb_ease easy;
    /* of what it says: agents know by it whether their cursor is of this index. Odd; 2 = it is not
     * built */
    uint32_t stamp;
    crn_hcdps_array arrays[CRN_HCDPS_ARRAYS];
    /* what links cost, as a repair has left it to the next one; NULL: they are to be climbed */
    uint64_t *costs;
    size_t cost_capacity;
    /* of the last build or repair: cells and regions that searches took up; 0 = it was loaded */
    uint64_t work;
} crn_hcdps;

/* Makes room for so many more; appends. False = no memory. */
bool crn_hcdps_reserve(crn_hcdps_array *array, cairn_context *context, size_t more);
bool crn_hcdps_put(crn_hcdps_array *array, cairn_context *context, uint32_t item);
bool crn_hcdps_put_all(crn_hcdps_array *array, cairn_context *context, const uint32_t *items,
                       size_t count);
void crn_hcdps_free_array(crn_hcdps_array *array, cairn_context *context);

CRN_INLINE const uint32_t *crn_hcdps_items(const crn_hcdps *index, uint32_t array)
{
    return index->arrays[array].items;
}

CRN_INLINE uint32_t crn_hcdps_regions(const crn_hcdps *index)
{
    return (uint32_t)index->arrays[CRN_HCDPS_HOMES].count;
}

CRN_INLINE cairn_node crn_hcdps_home(const crn_hcdps *index, uint32_t region)
{
    return crn_hcdps_items(index, CRN_HCDPS_HOMES)[region];
}

/* ---- streams ---- */

typedef struct crn_hcdps_reader {
    const uint8_t *at, *end;
} crn_hcdps_reader;

/* The stream of a region or block; `first` is the array that tells where they begin. */
crn_hcdps_reader crn_hcdps_stream(const crn_hcdps *index, uint32_t array, uint32_t first,
                                  uint32_t number);

/* Reads a number. Behind the end there are only zeros. */
CRN_INLINE uint32_t crn_hcdps_read(crn_hcdps_reader *reader)
{
    uint32_t value = 0, shift = 0;
    while (reader->at < reader->end) {
        uint32_t byte = *reader->at++;
        value |= (byte & 127) << shift;
        if (byte < 128) break;
        shift = shift < 28 ? shift + 7 : shift;
    }
    return value;
}

CRN_INLINE uint32_t crn_hcdps_signed(uint32_t value)
{
    return value & 1 ? ~(value >> 1) : value >> 1;
}

/* Writes one, into an array that others read meanwhile at its whole words only. */
typedef struct crn_hcdps_writer {
    crn_hcdps_array *out;
    cairn_context *context;
    uint32_t word, shift;
    bool failed; /* no memory */
} crn_hcdps_writer;

void crn_hcdps_write_byte(crn_hcdps_writer *writer, uint32_t byte);
void crn_hcdps_write(crn_hcdps_writer *writer, uint32_t value);
/* Ends the stream at a whole word; false: there was no memory. */
bool crn_hcdps_write_end(crn_hcdps_writer *writer);

CRN_INLINE uint32_t crn_hcdps_unsigned(uint32_t difference)
{
    return difference >> 31 ? ~(difference << 1) : difference << 1;
}

/* How many bytes a number takes. */
CRN_INLINE uint32_t crn_hcdps_size(uint32_t value)
{
    uint32_t size = 1;
    while (value >>= 7) size++;
    return size;
}

/* ---- looking up ---- */

/* The run that a node lies in, and its region. */
crn_hcdps_run crn_hcdps_run_at(const crn_hcdps *index, cairn_node node);
uint32_t crn_hcdps_region(const crn_hcdps *index, cairn_node node);

/* How many links a region has, and a link of it by its number among them. */
uint32_t crn_hcdps_links(const crn_hcdps *index, uint32_t region);
crn_hcdps_link crn_hcdps_link_at(const crn_hcdps *index, uint32_t region, uint32_t slot);

/* Lists all links of a region, of an index that is right; returns how many. */
uint32_t crn_hcdps_list_links(const crn_hcdps *index, uint32_t region,
                              crn_hcdps_link links[CRN_HCDPS_SLOTS]);

/* Reads the next subgoal of a record: *node is the one before; false: there is none. */
bool crn_hcdps_subgoal(const crn_hcdps *index, uint32_t *read, uint32_t end, cairn_node *node);

/* Returns the link to take from one region to another one, for paths or for single moves;
 * UINT32_MAX = none leads there. */
uint32_t crn_hcdps_next(const crn_hcdps *index, uint32_t from, uint32_t to, bool near);
/* The same; *end: it is the same up to this region. */
uint32_t crn_hcdps_next_run(const crn_hcdps *index, uint32_t from, uint32_t to, bool near,
                            uint32_t *end);

/* Are there records for whole paths? Not where ground differs in cost, there are links, or some
 * steps cannot be walked back: only single moves are known there. On graphs: not where an edge
 * cannot be walked back for the same cost, or a path may cost more than 32 bits hold. */
bool crn_hcdps_has_records(const crn_hcdps *index, const cairn_space *space);
bool crn_hcdps_graph_has_records(const crn_hcdps *index, const crn_graph_space *map);

cairn_status crn_hcdps_build(crn_hcdps *index, const cairn_space *space,
                             const cairn_progress *progress, cairn_error *error);
/* Makes an index fit that fitted version `since` of the world. CAIRN_STALE: it must be rebuilt. */
cairn_status crn_hcdps_repair(crn_hcdps *index, const crn_grid_space *map, uint64_t since,
                              const cairn_progress *progress, cairn_error *error);
void crn_hcdps_drop(crn_hcdps *index, cairn_context *context);
size_t crn_hcdps_bytes(const crn_hcdps *index);
cairn_status crn_hcdps_save(const crn_hcdps *index, cairn_store *store, cairn_error *error);
cairn_status crn_hcdps_load(crn_hcdps *index, const cairn_space *space,
                            const cairn_archive *archive, bool borrow, cairn_error *error);

/* What is wrong with it, NULL = nothing. `whole`: climbs are tried too (only in builds with
 * checks). */
const char *crn_hcdps_check(const crn_hcdps *index, const cairn_space *space, bool whole);

/* Do the rows for paths, or for single moves, lead to their targets or end? BAD_DATA: some lead
 * round in circles. The index has passed crn_hcdps_check. */
cairn_status crn_hcdps_check_circles(const crn_hcdps *index, cairn_context *context, bool near);

/* When it is built or loaded: sets `easy` and the stamp. */
void crn_hcdps_seal(crn_hcdps *index, const cairn_space *space);

/* The next node of a walk that remembers nothing; false: none leads there. */
bool crn_hcdps_move(const crn_hcdps *index, const cairn_space *space, cairn_node from,
                    cairn_node to, cairn_node *next);

#endif
