/* hcdps_job.h: building the index of `hcdps`, in three stages: regions (hcdps_regions.c, on graphs
 * hcdps_graph.c), links (hcdps_links.c), rows (hcdps_rows.c). */
#ifndef CRN_HCDPS_JOB_H
#define CRN_HCDPS_JOB_H

#include "realtime/hcdps/hcdps_index.h"

#define CRN_HCDPS_NONE (CRN_HCDPS_REGIONS - 1) /* the region of a cell that has none yet */
#define CRN_HCDPS_STAGE 1000u                  /* of each stage, for progress */
#define CRN_HCDPS_UNKNOWN UINT16_MAX           /* steps of a climb that were not counted */

/* Two regions, the record from each to the other, and what the path between them costs
 * (crn_hcdps_path). */
typedef struct crn_hcdps_pair {
    uint32_t from, to;
    uint64_t cost;
    uint32_t first, middle, end; /* of the records there and back, in the job's `records` */
    size_t path;                 /* records=pairs: its nodes, in `paths` */
    uint32_t length;
    bool known; /* it need not be searched */
} crn_hcdps_pair;

/* A path, and what it costs to each of its nodes: on grids as if all ground cost 1. */
typedef struct crn_hcdps_path {
    cairn_node *nodes;
    uint64_t *costs;
    size_t count, node_capacity, cost_capacity;
    bool only;      /* there is no other one as cheap */
    uint8_t *moves; /* if so: there, and then back */
    size_t move_capacity;
} crn_hcdps_path;

/* What a repair grows again: cells without a region, all in a box, and the regions that they were
 * of. */
typedef struct crn_hcdps_area {
    crn_size_box box;
    crn_hcdps_array freed;
} crn_hcdps_area;

/* Of a repair: which regions have the same links as before, and these, in old numbers. */
typedef struct crn_hcdps_kept {
    uint8_t *stays;        /* of each region: does it? */
    const uint32_t *was;   /* the old number of a region */
    const uint32_t *order; /* the number of an old one */
    const crn_hcdps_array *first, *near, *to;
} crn_hcdps_kept;

/* A step from a region to another one. */
typedef struct crn_hcdps_door {
    uint64_t key;  /* regions: from << 32 | to; UINT64_MAX = none */
    uint64_t cost; /* 0: it is as it was before a repair, and nobody asks */
    cairn_node leave, enter;
} crn_hcdps_door;

typedef struct crn_hcdps_job {
    crn_hcdps *index;
    const cairn_space *space;
    const crn_grid_space *map; /* the same; NULL = it is a graph */
    cairn_context *context;
    const cairn_progress *progress;
    uint32_t stage;
    bool exact;    /* there are records */
    uint64_t work; /* cells and regions that searches took up */

    /* of each cell from the node `first` on: the upper bits; the lowest one: the climb there is
     * plain. In builds blocked cells have none and this bit. */
    uint32_t *region;
    /* of the climb from each cell to its representative; CRN_HCDPS_UNKNOWN: they are to be counted
     */
    uint16_t *steps;
    cairn_node first, end;      /* a repair knows only these */
    const crn_hcdps *before;    /* of a repair: the index that it repairs */
    const uint32_t *order;      /* how regions are numbered in the end */
    const crn_hcdps_area *area; /* of a repair; NULL: it is a build */
    const crn_hcdps_kept *kept; /* of a repair; NULL: all links are made */

    crn_hcdps_door *doors; /* hash table; then ascending */
    size_t door_count, door_capacity;
    crn_hcdps_door *old_doors; /* of a repair: those that are none of these, in the end all */
    size_t old_door_count, old_door_capacity;
    uint32_t *door_first; /* by region, when they are ascending */

    crn_hcdps_pair *pairs; /* ascending */
    size_t pair_count, pair_capacity;
    crn_hcdps_array records;
    crn_hcdps_array paths; /* records=pairs */
    /* links, as the index has them: where those of a region begin, how many of them touch, and
     * where they lead */
    crn_hcdps_array link_first, link_near, link_to;
    uint64_t *costs; /* of links */
    size_t cost_count, cost_capacity;
} crn_hcdps_job;

CRN_INLINE uint32_t crn_hcdps_job_region(const crn_hcdps_job *job, cairn_node node)
{
    return job->region[node - job->first] >> 1;
}

/* Frees all but what it has made. */
void crn_hcdps_close_job(crn_hcdps_job *job);
/* Gives back what growing arrays took too much. */
cairn_status crn_hcdps_trim(crn_hcdps *index, cairn_context *context);
/* Says why there is no index. */
cairn_status crn_hcdps_failed(cairn_status status, cairn_error *error);

/* Reports that a part of the stage is done; CAIRN_CANCELLED if that is to be the end. */
cairn_status crn_hcdps_report(const crn_hcdps_job *job, uint64_t done, uint64_t total);

cairn_status crn_hcdps_find_regions(crn_hcdps_job *job);
cairn_status crn_hcdps_grow_on_graph(crn_hcdps_job *job);
cairn_status crn_hcdps_number_regions(crn_hcdps_job *job); /* and writes the runs of cells */
cairn_status crn_hcdps_find_links(crn_hcdps_job *job);
cairn_status crn_hcdps_find_rows(crn_hcdps_job *job);

/* Regions that touch (hcdps_doors.c): finds all doors, the best one from each region to each other;
 * makes them ascending again (false = no memory). */
cairn_status crn_hcdps_find_doors(crn_hcdps_job *job);
bool crn_hcdps_sort_doors(crn_hcdps_job *job);

/* ---- for repairs ---- */

/* Gives all cells of the job's area a region. New regions get the next numbers. */
cairn_status crn_hcdps_grow_again(crn_hcdps_job *job);
/* Writes the runs of a block. */
bool crn_hcdps_write_block(crn_hcdps_job *job, cairn_node first, cairn_node end);

/* Notes a door; all steps and links from a cell; all links of the map. False = no memory. */
bool crn_hcdps_note_door(crn_hcdps_job *job, const crn_hcdps_door *door);
/* Is there a door between the regions of this one? */
bool crn_hcdps_is_noted(const crn_hcdps_job *job, const crn_hcdps_door *door);
bool crn_hcdps_note_steps(crn_hcdps_job *job, cairn_node node);
bool crn_hcdps_note_links(crn_hcdps_job *job);
/* What a door costs, from one representative to the other. */
uint64_t crn_hcdps_door_cost(const crn_hcdps_job *job, const crn_hcdps_door *door, cairn_cost step);
/* All doors are noted: makes them ascending. */
cairn_status crn_hcdps_keep_doors(crn_hcdps_job *job);

/* Lists all pairs, but not those of regions that keep their links; adds one; puts those from one on
 * in order again. Searches those that are not known, and writes all links. */
cairn_status crn_hcdps_list_pairs(crn_hcdps_job *job);
bool crn_hcdps_add_pair(crn_hcdps_job *job, uint32_t from, uint32_t to);
void crn_hcdps_sort_pairs(crn_hcdps_job *job, size_t first);
cairn_status crn_hcdps_search_pairs(crn_hcdps_job *job);
cairn_status crn_hcdps_write_links(crn_hcdps_job *job);

/* Least costs through the links, when these are written. */
typedef struct crn_hcdps_routes crn_hcdps_routes;
crn_hcdps_routes *crn_hcdps_open_routes(crn_hcdps_job *job, bool near);
void crn_hcdps_close_routes(crn_hcdps_routes *routes);
/* Returns for each region the link to take: to the nearest of these ends (`back`; every link leads
 * back too), or from the only one to it. UINT16_MAX: none; NULL: no memory. With `until`, only for
 * regions that are not farther than that one (UINT32_MAX: for all). */
const uint16_t *crn_hcdps_find_routes(crn_hcdps_routes *routes, const uint32_t *ends,
                                      uint32_t count, bool back, uint32_t until);
/* The same, from all regions that are in no dead end back to one end. */
const uint16_t *crn_hcdps_find_outside(crn_hcdps_routes *routes, uint32_t end);
/* What these routes cost; and what a link does. */
const uint32_t *crn_hcdps_route_costs(const crn_hcdps_routes *routes);
uint32_t crn_hcdps_route_cost(const crn_hcdps_routes *routes, uint32_t region, uint32_t slot);
/* Writes a row of runs, pairs of numbers: the first region and the link, of so many and `none`. */
bool crn_hcdps_write_row(crn_hcdps_array *out, cairn_context *context, const crn_hcdps_array *runs,
                         uint32_t kinds);

/* Room for so many nodes; false = no memory. */
bool crn_hcdps_reserve_path(const crn_hcdps_job *job, crn_hcdps_path *path, size_t count);
void crn_hcdps_free_path(const crn_hcdps_job *job, crn_hcdps_path *path);
/* Its nodes are known: adds up its costs. */
void crn_hcdps_measure_path(const crn_hcdps_job *job, crn_hcdps_path *path);
/* Appends the record of a path to `out`, from the node after the first on, or from the last but one
 * back; false = no memory. */
bool crn_hcdps_compress(const crn_hcdps_job *job, const crn_hcdps_path *path, bool back,
                        crn_hcdps_array *out);

#endif
