/* bidirectional.h: what the two variants of the bidirectional search share: the scratch of a
 * search, its records, and what is done when the two sides meet. bidirectional.c has the idea.
 *
 * Both sides of a node lie in one page: first the forward half (as in every page), behind it the
 * backward half. So the look at the other side, with every node that is generated, finds its cache
 * line mostly warm, and needs no table of its own. The records are those of grids (tiles of 16×16
 * cells, with the move that led to a cell) or those of any space (by number, with parents).
 */
#ifndef CRN_BIDIRECTIONAL_H
#define CRN_BIDIRECTIONAL_H

#include "heuristic/heuristic.h"
#include "open/buckets.h"
#include "open/heap.h"
#include "search/records.h"
#include "search/search.h"
#include "world/grid_space.h"

enum { CRN_FORWARD, CRN_BACKWARD };

/* One side of the nodes of a page: as the beginning of a crn_page. */
typedef struct crn_bidir_half {
    uint32_t g[CRN_PAGE];
    uint8_t mark[CRN_PAGE];
} crn_bidir_half;

/* A cell in one word: its place (y << 16 | x) in the lower half; in the upper one the number of its
 * page and, in the highest byte, the slot. A step inside a tile is one addition. Elsewhere the
 * number of the node. */
typedef uint64_t crn_bidir_spot;

typedef struct crn_bidir_side {
    size_t half, other_half; /* where they begin in a page */
    size_t parents;          /* any space: where the parents begin in a page */
    uint64_t floor;          /* no node on the open list promises less */
    uint64_t pushed, taken;  /* entries put on it, and those taken from it */
    int32_t x, y;            /* uniform grids: what it aims at */
    crn_estimate estimate;
    crn_buckets buckets;
    crn_heap heap;  /* NBS: those that wait, by f */
    crn_heap ready; /* NBS: those whose f is small enough, by g */
} crn_bidir_side;

typedef struct crn_bidir crn_bidir;
typedef cairn_status crn_bidir_loop(crn_bidir *b, uint64_t work);

struct crn_bidir {
    crn_page **table;
    crn_records *records;      /* one of the two below */
    const crn_grid_space *map; /* NULL: any space */
    crn_bidir_side sides[2];
    uint32_t turn; /* the side that is being worked on */
    uint32_t columns;
    uint64_t best;  /* only paths that cost less matter: what the best one costs, or one more than
                       the limit */
    uint64_t watch; /* uniform grids: from this cost on something rare must be done */
    bool bounded;   /* there is a limit, or a path was found */
    bool met;       /* a path was found ... */
    bool traced;    /* there is a sink */
    bool bucketed;  /* the open lists are buckets, else heaps */
    bool apart;     /* estimates of the two sides cannot be compared: the second rule is not used */
    bool too_large; /* a path was left out whose cost does not fit */
    uint64_t slack; /* by this much estimates may be inconsistent */
    crn_bidir_spot meeting; /* ... that leads over this node */
    /* uniform grids: the next cell of the side whose turn it is, if it is not on the list */
    crn_page *hand;
    crn_bidir_spot hand_spot;
    uint32_t straight, shortcut; /* what a straight step costs, and a diagonal one saves */
    crn_bits usable;             /* the map's */
    uint64_t spot_step[CRN_DIRECTIONS];
    cairn_cost step[CRN_DIRECTIONS];
    uint64_t work, expanded, reopened;
    /* what to add to the number of pushes for that of nodes seen for the first time */
    uint64_t generated;

    cairn_search *search;
    const cairn_space *space;
    crn_bidir_loop *loop;
    crn_records tiles, pages;
    crn_bidir_spot pending; /* the node that is being expanded ... */
    uint32_t pending_edge;  /* ... from this edge on */
    bool is_pending;
    bool joining;    /* the search is over, and the backward half of the path is being written */
    uint64_t least;  /* NBS: no path that was not found costs less */
    bool paired;     /* NBS: the other node of a pair is next */
    cairn_cost edge; /* NBS: no edge costs less */
    size_t seeded;   /* goals that the backward side has begun with */
    uint32_t closest_at;
};

/* A path to a node on the side whose turn it is. */
typedef struct crn_bidir_arrival {
    crn_page *page;
    crn_bidir_spot spot;
    uint32_t from; /* the move, or the parent */
    uint64_t g;
} crn_bidir_arrival;

/* The loops: cells of uniform grids, of any grid, nodes of any space; and the other variant. They
 * return CAIRN_UNREACHABLE when nothing better can be found. */
crn_bidir_loop crn_bidir_uniform, crn_bidir_cells, crn_bidir_nodes, crn_bidir_nbs;

/* Puts a node on the list of a side. */
void crn_bidir_put(crn_bidir *b, uint32_t side, crn_bidir_spot spot, uint64_t key, cairn_cost g);

/* Moves the side whose turn it is on to its next bucket that is not empty, and chooses the side
 * that is next. False if nothing is left that matters. */
bool crn_bidir_advance(crn_bidir *b);

/* Uniform grids. Relaxes a cell about which something is rare. Says whether a cell that was taken
 * from the list is to be expanded, and tells the sink. */
void crn_bidir_relax(crn_bidir *b, const crn_bidir_arrival *to);
bool crn_bidir_take(crn_bidir *b, crn_bidir_spot spot, cairn_cost g);

/* Fetches a page that was not yet touched. */
crn_page *crn_bidir_touch(crn_bidir *b, uint32_t number);

void crn_bidir_trace(crn_bidir *b, cairn_event_kind kind, uint32_t side, crn_bidir_spot spot);

/* A path over this node costs so much, which is less than the best one. */
void crn_bidir_meet(crn_bidir *b, crn_bidir_spot spot, uint64_t cost);

/* ---- records ---- */

CRN_INLINE crn_bidir_half *crn_bidir_half_at(crn_page *page, size_t offset)
{
    return (crn_bidir_half *)(void *)((uint8_t *)page + offset);
}

/* The parents of a page: any space only. */
CRN_INLINE uint32_t *crn_bidir_parents(const crn_bidir_side *side, crn_page *page)
{
    return (uint32_t *)(void *)((uint8_t *)page + side->parents);
}

CRN_INLINE crn_page *crn_bidir_page(crn_bidir *b, uint32_t number)
{
    crn_page *page = b->table[number];
    return CRN_LIKELY(page != NULL) ? page : crn_bidir_touch(b, number);
}

CRN_INLINE uint32_t crn_bidir_slot(const crn_bidir *b, crn_bidir_spot spot)
{
    return b->map ? (uint32_t)(spot >> 56) : (uint32_t)spot % CRN_PAGE;
}

CRN_INLINE uint32_t crn_bidir_number(const crn_bidir *b, crn_bidir_spot spot)
{
    return b->map ? (uint32_t)(spot >> 32) & 0xffffff : (uint32_t)spot / CRN_PAGE;
}

/* The spot of a place. */
CRN_INLINE crn_bidir_spot crn_bidir_spot_of(const crn_bidir *b, uint32_t place)
{
    uint64_t x = place & 0xffff, y = place >> 16;
    return ((y & 15) << 4 | (x & 15)) << 56 | ((y >> 4) * b->columns + (x >> 4)) << 32 | place;
}

static inline crn_bidir_spot crn_bidir_spot_at(const crn_bidir *b, cairn_node node)
{
    if (!b->map) return node;
    uint32_t width = b->map->grid->width;
    return crn_bidir_spot_of(b, node / width << 16 | node % width);
}

static inline cairn_node crn_bidir_node(const crn_bidir *b, crn_bidir_spot spot)
{
    uint32_t place = (uint32_t)spot;
    return b->map ? (place >> 16) * b->map->grid->width + (place & 0xffff) : place;
}

/* Cells: the page of an entry of a list, and its spot. */
CRN_INLINE crn_page *crn_bidir_entry_page(const crn_bidir *b, uint32_t entry, crn_bidir_spot *spot)
{
    crn_page *page = b->table[entry & 0xffffff];
    uint32_t slot = entry >> 24;
    *spot = (uint64_t)entry << 32 | (page->origin + (slot >> 4 << 16 | (slot & 15)));
    return page;
}

/* Cells: the spot one step in a direction away, and its page. */
CRN_INLINE crn_page *crn_bidir_beside(crn_bidir *b, crn_page *page, crn_bidir_spot from,
                                      uint32_t direction, crn_bidir_spot *to)
{
    *to = from + b->spot_step[direction];
    if (CRN_LIKELY(((from ^ *to) & 0xfff0fff0) == 0)) return page;
    *to = crn_bidir_spot_of(b, (uint32_t)*to);
    return crn_bidir_page(b, (uint32_t)(*to >> 32) & 0xffffff);
}

/* Uniform grids: the estimate of a side. */
CRN_INLINE uint64_t crn_bidir_octile(const crn_bidir *b, const crn_bidir_side *side, uint32_t place)
{
    int32_t x = (int32_t)(place & 0xffff) - side->x, y = (int32_t)(place >> 16) - side->y;
    uint64_t dx = (uint32_t)(x < 0 ? -x : x), dy = (uint32_t)(y < 0 ? -y : y);
    return b->straight * (dx + dy) - b->shortcut * (dx < dy ? dx : dy);
}

/* Uniform grids: puts a cell on the list of the side whose turn it is, or into the hand if it is to
 * be the next one. Keys lie in the window of the buckets. */
CRN_INLINE void crn_bidir_push_cell(crn_bidir *b, crn_bidir_side *side, crn_page *page,
                                    crn_bidir_spot spot, uint64_t key)
{
    crn_bucket *bucket = crn_buckets_find(&side->buckets, key);
    side->pushed++;
    if (bucket == side->buckets.top) {
        crn_page *before = b->hand;
        crn_bidir_spot held = b->hand_spot;
        b->hand = page;
        b->hand_spot = spot;
        if (!before) return;
        spot = held;
    }
    crn_buckets_push_near(&side->buckets, bucket, (uint32_t)(spot >> 32));
}

/* ---- what is worth it ---- */

/* Does a node that costs g on one side, with this estimate of the rest, promise a path that costs
 * less than the best one? The second rule: whatever is left of the path is still open on the other
 * side, which has nothing that promises less than its floor. `back` is the estimate of what is
 * behind the node. */
CRN_INLINE bool crn_bidir_promises(const crn_bidir *b, const crn_bidir_side *other, uint64_t g,
                                   uint64_t rest, uint64_t back)
{
    return g + rest < b->best && (b->apart || g + other->floor < b->best + b->slack + back);
}

#endif
