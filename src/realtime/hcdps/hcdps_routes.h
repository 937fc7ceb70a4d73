/* hcdps_routes.h: least costs through the links of `hcdps`: links as edges, and one search through
 * them. See hcdps_routes.c. */
#ifndef CRN_HCDPS_ROUTES_H
#define CRN_HCDPS_ROUTES_H

#include "realtime/hcdps/hcdps_job.h"

enum { CRN_HCDPS_RING = 1024 };

typedef struct crn_hcdps_edge {
    uint32_t to, cost;
} crn_hcdps_edge;

/* An edge that is worth taking behind another one. */
typedef struct crn_hcdps_onward {
    uint32_t to, cost;
    uint32_t edge; /* its number */
} crn_hcdps_onward;

/* Links as edges. */
typedef struct crn_hcdps_web {
    const crn_hcdps_job *job;
    uint32_t regions;
    bool near;                       /* only links between regions that touch */
    uint64_t *detours;               /* of each region, by its representative */
    crn_hcdps_edge *edges;           /* of all links */
    uint32_t *first_edge, *end_edge; /* of each region, those that count */
    uint64_t round;                  /* how much farther each round goes */
    uint32_t bits;                   /* a bucket is of so many bits of distance */
    uint32_t *first_onward;          /* of each edge, and one more; NULL: they are not known */
    crn_hcdps_onward *onward;
    size_t onward_count, onward_capacity;
    /* dead ends (hcdps_trees.c); NULL: they are not known */
    uint32_t *exit; /* of each region: where its dead end leads; itself: it is in none */
    uint32_t *exit_edge, *tree_edge; /* of each region of a dead end: there, and from there */
    uint32_t *tree;                  /* these regions */
    uint32_t *tree_first, *tree_end; /* of each of them: those that hang on it, and itself */
    uint32_t tree_count;
    uint32_t *part; /* of each region: the first one that is connected with it */
} crn_hcdps_web;

CRN_INLINE bool crn_hcdps_in_tree(const crn_hcdps_web *web, uint32_t region)
{
    return web->exit[region] != region;
}

/* A region that waits in a bucket. */
typedef struct crn_hcdps_entry {
    uint32_t region, distance, next;
} crn_hcdps_entry;

/* A region in a search by what is worth taking. In one place: each is looked at here and there. */
typedef struct crn_hcdps_stop {
    uint32_t distance;
    uint32_t via;   /* the edge by which it was reached */
    uint32_t slot;  /* the first link, of those of the source */
    uint32_t waits; /* is it among the regions of a round, or of the next one? */
} crn_hcdps_stop;

/* A search, from some regions to all others. */
typedef struct crn_hcdps_seeker {
    const crn_hcdps_web *web;
    const uint16_t *reverse; /* of each link, which one of its end leads back; NULL: see `slot` */
    uint32_t until;          /* where it may end */
    bool outside;            /* of dead ends, only those are found that it begins in */
    uint32_t *distance;
    uint16_t *slot;         /* the first link, of those of the source; the last one's reverse */
    crn_hcdps_stop *stops;  /* of all regions */
    uint32_t *turn, *later; /* regions of a round, and of the next one */
    uint32_t ring[CRN_HCDPS_RING]; /* buckets: their last entries */
    crn_hcdps_entry *entries;
    size_t entry_count, entry_capacity, waiting;
    uint64_t work;
} crn_hcdps_seeker;

/* For `distance` and `slot` of a search from one region: those of the regions between it and the
 * one that its tree hangs on, which is returned; and of all other regions of trees, when those
 * outside are known. */
uint32_t crn_hcdps_climb_tree(const crn_hcdps_web *web, uint32_t source, crn_hcdps_seeker *seeker);
void crn_hcdps_enter_trees(const crn_hcdps_web *web, uint32_t source, crn_hcdps_seeker *seeker);

/* Makes edges of the links of a job; false = no memory. */
bool crn_hcdps_open_web(crn_hcdps_web *web, const crn_hcdps_job *job);
void crn_hcdps_close_web(crn_hcdps_web *web);
/* Which links count. */
void crn_hcdps_choose_edges(crn_hcdps_web *web, bool near);
/* Finds dead ends (hcdps_trees.c); false = no memory. */
bool crn_hcdps_find_trees(crn_hcdps_web *web);
void crn_hcdps_drop_trees(crn_hcdps_web *web);
/* The links from a region that is in no tree to those of trees, when the others are known. */
void crn_hcdps_fill_trees(const crn_hcdps_web *web, uint32_t source, uint16_t *slots);
/* The links from a region of a tree to all others. */
void crn_hcdps_leave_tree(const crn_hcdps_web *web, uint32_t source, uint16_t *slots);
/* Finds which of them are worth taking behind which one, without dead ends, which are known;
 * false = no memory. */
bool crn_hcdps_find_onward(crn_hcdps_web *web);

bool crn_hcdps_open_seeker(crn_hcdps_seeker *seeker, const crn_hcdps_web *web);
/* Returns the work of all its searches. */
uint64_t crn_hcdps_close_seeker(crn_hcdps_seeker *seeker);
/* Finds `distance` and `slot` of all regions (UINT32_MAX and UINT16_MAX: it is not reached). Dead
 * ends must be known. False = no memory. */
bool crn_hcdps_seek(crn_hcdps_seeker *seeker, const uint32_t *sources, uint32_t count);
/* Finds `slot` from one region, by what is worth taking. */
void crn_hcdps_seek_onward(crn_hcdps_seeker *seeker, uint32_t source);

/* The edges of single searches, and their dead ends. */
const crn_hcdps_web *crn_hcdps_routes_web(const crn_hcdps_routes *routes);

#endif
