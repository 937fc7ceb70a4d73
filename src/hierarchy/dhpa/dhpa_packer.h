/* dhpa_packer.h: the memory for packing routes (dhpa_routes.c, dhpa_pockets.c). */
#ifndef CRN_DHPA_PACKER_H
#define CRN_DHPA_PACKER_H

#include "hierarchy/dhpa/dhpa_routes.h"

enum {
    ZONES_CELLS = CRN_CLUSTER_SIZE_MAX * CRN_CLUSTER_SIZE_MAX,
    ZONES_BUCKETS = 2 * ZONES_CELLS,
    ZONES_NONE = UINT16_MAX,    /* an answer that nobody asks for; nobody can stand there */
    ZONES_NODE = UINT16_MAX - 1 /* an answer: the target is the node */
};

typedef struct zones_plan {
    uint16_t *answers; /* by cell and track: a step, or the place of a target in the cluster */
    uint32_t count, bits, zone_bits, row_bits, size;
    uint32_t entry_bits; /* 0 = zones have no entries but runs */
    uint32_t listed;     /* targets */
    bool targets;
    uint16_t zones[ZONES_CELLS];   /* by cell; ZONES_NONE = nobody can stand there */
    uint16_t cells[ZONES_CELLS];   /* by zone: the first of its cells */
    uint16_t order[ZONES_CELLS];   /* zones, those of the first pocket first ... */
    uint16_t ends[ZONES_CELLS];    /* ... and by pocket: where its zones end */
    uint32_t begin[ZONES_CELLS];   /* by zone: its runs, or the first entry */
    uint32_t entries[ZONES_CELLS]; /* by zone: the first one */
    uint16_t list[ZONES_CELLS];    /* targets ... */
    uint16_t numbers[ZONES_CELLS]; /* ... and by place: the number there; 0 = it is none */
    uint32_t rows[CRN_CLUSTER_SIZE_MAX];
} zones_plan;

struct crn_packer {
    crn_scratch *memory;
    const crn_open_routes *open;
    uint16_t *answers; /* of both plans */
    size_t capacity;   /* of all of them */
    uint32_t cells;    /* of the cluster */
    uint16_t *tracks;  /* by node: its number along the border ... */
    uint16_t *nodes;   /* ... and by this number: the node */
    size_t track_capacity, node_capacity;
    uint32_t pockets;                /* 0 = all cells are in one */
    uint16_t pocket[ZONES_CELLS];    /* by cell */
    uint8_t usable[ZONES_CELLS];     /* by cell: 0, or CRN_ROUTE_NONE where nobody can stand */
    uint16_t split[2][ZONES_CELLS];  /* by pocket: what becomes of it, plus 1 */
    uint16_t buckets[ZONES_BUCKETS]; /* zones by the hash of their answers, plus 1 */
    uint16_t trail[ZONES_CELLS];
    uint32_t numbers[ZONES_CELLS]; /* of runs */
    uint16_t reached[ZONES_CELLS]; /* by cell: the target of a route */
    zones_plan plans[2];
};

/* The steps to the i-th node. */
CRN_INLINE const uint8_t *crn_packer_steps(const crn_packer *packer, uint32_t i)
{
    return packer->open->steps + (size_t)i * packer->cells;
}

/* Finds the pockets of the cluster. */
void crn_packer_find_pockets(crn_packer *packer);

#endif
