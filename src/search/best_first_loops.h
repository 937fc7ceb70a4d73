/* best_first_loops.h: what the instances of the best-first loop (best_first_loops.c) and the code
 * around them (best_first.c, best_first_answer.c) share: the scratch of a search, places and pages.
 */
#ifndef CRN_BEST_FIRST_LOOPS_H
#define CRN_BEST_FIRST_LOOPS_H

#include "open/buckets.h"
#include "open/chain.h"
#include "open/heap.h"
#include "open/open.h"
#include "search/best_first.h"
#include "search/records.h"
#include "world/grid_space.h"
#include "abstract/abstract_graph.h"

/* The address of a record: y << 16 | x in the grid loops, the node's number in the generic one. A
 * type of its own, so that it cannot be mixed up with a cairn_node. */
typedef struct crn_place {
    uint32_t value;
} crn_place;

#define CRN_TILE_SIDE 16u

/* The bound of keys as long as there is none: nothing but CRN_ESTIMATE_DEAD exceeds it. */
#define CRN_NO_BOUND CRN_ESTIMATE_DEAD

/* How many edges are relaxed in a unit of work: usually, and where estimates or pushes are
 * expensive. */
#define BEST_FIRST_BATCH 64u
#define BEST_FIRST_SMALL_BATCH 16u

/* A cell in one word: its place in the lower half; in the upper one the number of its page and, in
 * the highest byte, the slot. A step inside a tile is one addition. */
typedef struct crn_spot {
    uint64_t value;
} crn_spot;

typedef struct crn_hand {
    crn_page *page; /* NULL = the hand is empty */
    crn_spot spot;
} crn_hand;

typedef struct crn_best_first crn_best_first;
typedef cairn_status crn_loop(crn_best_first *bf, uint64_t work);

/* How a node is reached. */
typedef struct crn_arrival {
    cairn_node parent;
    uint64_t cost;
} crn_arrival;

/* What lines of sight do differently (best_first_sight.h). */
typedef struct crn_best_first_lines {
    crn_loop *loop;
    /* Relaxes all neighbours of a node, or those that are left. */
    void (*edges)(crn_best_first *bf, crn_place place, cairn_cost g);
    /* Called before a node is expanded. False if it must wait for a cheaper path. */
    bool (*settle)(crn_best_first *bf, crn_page *page, uint32_t slot, crn_place place,
                   cairn_cost *g);
    /* Tests how a node on the open list can really be reached. */
    crn_arrival (*arrival)(const crn_best_first *bf, cairn_node node);
    /* The link from its parent that a node was reached by, NULL if it is a line or a step. */
    const crn_space_link *(*link)(const crn_best_first *bf, cairn_node parent, cairn_node node);
} crn_best_first_lines;

struct crn_best_first {
    /* What the innermost loop reads. */
    crn_records *records; /* one of the two below */
    crn_page **table;     /* theirs */
    const crn_scratch *memory;
    const crn_grid_space *map;     /* NULL in the generic loop */
    const crn_abstract_view *view; /* of an abstract graph; NULL elsewhere */
    bool traced;                   /* there is a sink */
    bool attentive;                /* the same, or nodes may go past the open list */
    crn_metric metric;             /* how its estimates are made, ... */
    int32_t goal_x, goal_y;        /* ... and to where */
    const uint8_t (*moves)[512];   /* uniform grids: a table of the map's */
    /* uniform grids with buckets: from this cost on something rare must be done */
    cairn_cost watch;
    cairn_cost calm; /* with links: up to this cost, only where a link leaves a cell */
    crn_hand hand;   /* the next node to be expanded, if it is not on the list */
    /* uniform grids with buckets: nodes that were expanded from the hand */
    uint64_t from_hand;
    uint32_t tile_columns;
    bool reads_ahead; /* what the estimate needs of a tile */
    bool linked;      /* the map has links */
    /* uniform grids with buckets: this expansion relaxes as the loop without a sink does */
    bool near;
    cairn_cost limit; /* paths that cost more are ignored */
    uint64_t bound;   /* keys from here on cannot lead to anything better */
    /* a node that costs this or more may overflow with its next step */
    cairn_cost overflow;
    uint64_t g_factor, h_factor; /* key of a node: g_factor·g + h_factor·h */
    bool goal_found;
    crn_place goal; /* the best goal so far, with its cost */
    cairn_cost goal_cost;
    uint32_t straight;                  /* uniform grids: what a straight step costs, ... */
    uint32_t shortcut;                  /* ... and what a diagonal one saves over two of them */
    uint64_t left;                      /* uniform grids with buckets: work of this slice */
    crn_bits usable;                    /* the map's */
    uint64_t spot_step[CRN_DIRECTIONS]; /* what to add to a spot for a step, and what to pay */
    cairn_cost step[CRN_DIRECTIONS];
    crn_estimate estimate; /* the heuristic, bound to the goals */
    crn_buckets buckets;
    uint64_t work, expanded, generated, reopened, pushes;
    uint64_t lines;      /* visibility tests */
    uint64_t overflowed; /* nodes with no path so far that fits into 32 bits */

    /* what to add to the place of a page's first record for each of them */
    uint32_t spread[CRN_PAGE];

    uint64_t lift;     /* with bpmx: no path through the node that is expanded has a lesser key */
    uint64_t key;      /* fast expansion: of the node that is being expanded, ... */
    uint64_t hand_key; /* ... of the one in hand, ... */
    cairn_cost hand_g; /* ... and its cost (not on uniform grids with buckets) */
    cairn_search *search;
    cairn_metrics before; /* of the algorithm that delegated the query in the middle of it */
    const cairn_space *space;
    crn_settings settings;
    /* where keys fall: the width of bands of keys, a power of two, less one; 0 = no bands */
    uint64_t bands;
    uint64_t floor; /* the key of the heap that was taken last */
    crn_loop *loop;
    crn_heap heap;
    crn_chain chain;
    /* the list of this query, if it is called through its table: the chain as a queue or as a
     * stack, or `plugged` */
    const crn_open_functions *lists;
    void *list;
    void *plugged; /* a list of any kind, made when it is first needed, and its kind */
    const crn_open_functions *plugged_kind;
    /* Additional bytes of a record: where the list notes the place of a state, and how many there
     * are. The estimate, if it is stored, comes first. */
    size_t place_at, extra;
    crn_records tiles; /* of the grid loops */
    crn_records pages; /* of the generic loop, with parents */
    uint32_t *came;    /* by target of a link: the number of the link that led there (grid loops) */
    size_t came_capacity;
    size_t room_capacity;  /* of the estimate */
    crn_place pending;     /* the node that is being expanded ... */
    uint32_t pending_edge; /* ... from this edge on */
    bool is_pending;
    uint32_t batch;      /* edges of a node that are relaxed in a unit of work */
    size_t marked;       /* goals whose records are marked; the search begins after the last one */
    uint32_t closest_at; /* progress of the search for the end of a partial path */
};

/* No keys: a queue or a stack? */
static inline crn_best_first *best_first_of(const cairn_search *search)
{
    return search->scratch;
}

static inline bool best_first_is_chain(const crn_best_first *bf)
{
    return bf->settings.open == CRN_OPEN_QUEUE || bf->settings.open == CRN_OPEN_STACK;
}

/* One of the lists with keys that are called through their tables? */
static inline bool best_first_is_plugged(const crn_best_first *bf)
{
    return bf->settings.open > CRN_OPEN_HEAP && bf->settings.open < CRN_OPEN_QUEUE;
}

/* A grid on which only straight and diagonal differ? */
static inline bool best_first_is_uniform(const crn_best_first *bf)
{
    return bf->map && bf->map->uniform && !bf->map->hex;
}

/* Is the loop that of best_first_uniform.c, with entries of spots in the list, not places? */
static inline bool best_first_by_entry(const crn_best_first *bf)
{
    return best_first_is_uniform(bf) && bf->settings.open == CRN_OPEN_BUCKETS;
}

/* The open list of a query (best_first_list.c): before the records are prepared, which additional
 * bytes it needs; when they are, an empty list; a push that is not worth being inlined; its bytes,
 * and, with CAIRN_CHECKS, what is wrong with it; and the end of all of them. */
void crn_best_first_choose_extra(crn_best_first *bf);
cairn_status crn_best_first_prepare_list(crn_best_first *bf, uint64_t start_key);
void crn_best_first_push_list(crn_best_first *bf, uint64_t key, cairn_cost g, crn_place place);
size_t crn_best_first_list_bytes(const crn_best_first *bf);
const char *crn_best_first_check_list(const crn_best_first *bf);
void crn_best_first_close_list(crn_best_first *bf);

/* Return the instance for the query, the space and the settings; the second one for uniform grids
 * with buckets. */
crn_loop *crn_best_first_choose(crn_best_first *bf);
crn_loop *crn_best_first_choose_uniform(crn_best_first *bf);

/* Is it the instance for a single cell on a uniform grid, with f = g + h, buckets, no limit of
 * cost, and no sink? */
bool crn_best_first_is_octile(const crn_best_first *bf);

/* Which of equal keys the heap prefers: the smallest of these. */
uint32_t crn_best_first_tie(const crn_best_first *bf, cairn_cost g);
/* The same of lists that are called through their tables. */
uint32_t crn_best_first_plug_tie(const crn_best_first *bf, cairn_cost g);

uint64_t crn_best_first_estimate(const crn_best_first *bf, crn_place place);

/* Returns the key of a node that is about to be expanded, with the estimate that its neighbours
 * leave to it: bidirectional pathmax, of depth one. An edge back from a neighbour costs c; so what
 * is left from the node on costs at least the neighbour's estimate less c. All neighbours get at
 * least that key: the paths to them lead through the node. So the estimate may be inconsistent, and
 * few nodes are expanded before their best path is known. Any neighbours will do: of many only the
 * first are asked.
 * Source: Felner and others, "Inconsistent Heuristics in Theory and Practice", 2011. */
uint64_t crn_best_first_lift(const crn_best_first *bf, crn_place place, cairn_cost g);

/* Note nodes not seen yet to which an edge would cost more than 32 bits hold. Called near the
 * largest cost. The first takes some of a node's edges, the second all of them. */
void crn_best_first_note_overflow(crn_best_first *bf, cairn_cost g, const cairn_edge *edges,
                                  uint32_t count);
void crn_best_first_note_cell_overflow(crn_best_first *bf, cairn_cost g, crn_place place);

/* Tells the sink that a path was found to a node that had this mark before. */
void crn_best_first_report(const crn_best_first *bf, crn_place place, uint32_t move, uint32_t mark,
                           cairn_cost g);

/* Notes that a goal was reached. With buckets its cost bounds the rest of the search. */
void crn_best_first_note_goal(crn_best_first *bf, crn_place place, cairn_cost g);

/* The final status when nothing is left to do. */
cairn_status crn_best_first_ended(crn_best_first *bf);

void crn_best_first_trace(crn_best_first *bf, cairn_event_kind kind, crn_place place);

/* Puts a node on the heap. Where estimates fall by more than a step costs, keys fall too. Such
 * nodes wait until the band of keys that is being worked on is done; then the one of least cost
 * comes first. So the nodes of a cluster with several entrances wait until the nearest entrance is
 * known, and few must be reopened. Taken by their keys, most would be. (Least cost first is from
 * Martelli's algorithm B, "On the Complexity of Admissible Search Algorithms", 1977.) A goal does
 * not end the search when it is taken from a heap with bands: its cost is the bound, as with
 * buckets. */
static inline void best_first_push_heap(crn_best_first *bf, uint64_t key, cairn_cost g,
                                        crn_place place)
{
    if (bf->bands && key < bf->floor) {
        crn_heap_push(&bf->heap, bf->floor | bf->bands, g, place.value);
    } else {
        crn_heap_push(&bf->heap, key, crn_best_first_tie(bf, g), place.value);
    }
}

/* Uniform grids: the estimate to a single cell, if the largest fits 32 bits. */
CRN_INLINE uint32_t best_first_octile(const crn_best_first *bf, crn_place place)
{
    int32_t x = (int32_t)(place.value & 0xffff) - bf->estimate.box.left,
            y = (int32_t)(place.value >> 16) - bf->estimate.box.top;
    uint32_t dx = (uint32_t)(x < 0 ? -x : x), dy = (uint32_t)(y < 0 ? -y : y),
             low = dx < dy ? dx : dy;
    return bf->straight * (dx + dy) - bf->shortcut * low;
}

/* Uniform grids, in 64 bits that need no saturation: the estimate to a box, ... */
CRN_INLINE uint64_t best_first_scaled_octile(const crn_best_first *bf, crn_place place)
{
    const crn_box *box = &bf->estimate.box;
    int32_t x = (int32_t)(place.value & 0xffff), y = (int32_t)(place.value >> 16);
    uint64_t dx = crn_outside(x, box->left, box->right), dy = crn_outside(y, box->top, box->bottom);
    uint64_t low = dx < dy ? dx : dy;
    return (uint64_t)bf->straight * (dx + dy) - (uint64_t)bf->shortcut * low;
}

/* ... what is left of it if there are gates (world/links.h), of which those of the cell's page are
 * enough, ... */
CRN_INLINE uint64_t best_first_gated_octile(const crn_best_first *bf, const crn_page *page,
                                            crn_place place)
{
    uint64_t best = best_first_scaled_octile(bf, place);
    int32_t x = (int32_t)(place.value & 0xffff), y = (int32_t)(place.value >> 16);
    for (uint64_t left = page->gates; left; left &= left - 1) {
        const crn_gate *entrance = &bf->estimate.gates[crn_lowest_bit(left)];
        if (entrance->rest >= best) break;
        uint64_t dx = crn_outside(x, entrance->left, entrance->right),
                 dy = crn_outside(y, entrance->top, entrance->bottom), low = dx < dy ? dx : dy;
        uint64_t cost = entrance->rest + bf->straight * (dx + dy) - bf->shortcut * low;
        best = cost < best ? cost : best;
    }
    return best;
}

/* ... and what the plug, if there is one, makes of it. */
CRN_INLINE uint64_t best_first_refined(const crn_best_first *bf, crn_place place, uint64_t metric)
{
    if (!bf->estimate.refine) return metric;
    cairn_node node = (place.value >> 16) * bf->map->grid->width + (place.value & 0xffff);
    return bf->estimate.refine(&bf->estimate, node, metric);
}

/* Counts that a cheaper path was found to a node that was closed, or that only too expensive paths
 * led to. */
static inline void best_first_note_return(crn_best_first *bf, uint32_t mark)
{
    if (mark & CRN_MARK_CLOSED) bf->reopened++;
    if (mark & CRN_MARK_OVERFLOWED) bf->overflowed--;
}

/* ---- places and pages ---- */

/* Number of the page and slot in it. */
CRN_INLINE uint32_t best_first_grid_locate(const crn_best_first *bf, crn_place place,
                                           uint32_t *slot)
{
    uint32_t x = place.value & 0xffff, y = place.value >> 16;
    *slot = (y & 15) << 4 | (x & 15);
    return (y >> 4) * bf->tile_columns + (x >> 4);
}

CRN_INLINE uint32_t best_first_any_locate(crn_place place, uint32_t *slot)
{
    *slot = place.value % CRN_PAGE;
    return place.value / CRN_PAGE;
}

/* Fetches a page of a grid that was not yet touched. */
crn_page *crn_best_first_touch(crn_best_first *bf, uint32_t page);

CRN_INLINE crn_page *best_first_grid_page(crn_best_first *bf, crn_place place, uint32_t *slot)
{
    uint32_t number = best_first_grid_locate(bf, place, slot);
    crn_page *page = bf->table[number];
    return CRN_LIKELY(page != NULL) ? page : crn_best_first_touch(bf, number);
}

CRN_INLINE crn_page *best_first_any_page(crn_best_first *bf, crn_place place, uint32_t *slot)
{
    uint32_t number = best_first_any_locate(place, slot);
    crn_page *page = bf->table[number];
    return CRN_LIKELY(page != NULL) ? page : crn_records_touch(bf->records, number);
}

static inline crn_page *best_first_page(crn_best_first *bf, crn_place place, uint32_t *slot)
{
    return bf->map ? best_first_grid_page(bf, place, slot) : best_first_any_page(bf, place, slot);
}

static inline crn_place best_first_place(const crn_best_first *bf, cairn_node node)
{
    if (!bf->map) return (crn_place){node};
    uint32_t width = bf->map->grid->width;
    return (crn_place){node / width << 16 | node % width};
}

static inline cairn_node best_first_node(const crn_best_first *bf, crn_place place)
{
    if (!bf->map) return place.value;
    return (place.value >> 16) * bf->map->grid->width + (place.value & 0xffff);
}

/* The place one step in a direction away. Coordinates are never negative here, so adding
 * to both halves of the word at once is safe. */
CRN_INLINE crn_place best_first_beside(crn_place place, uint32_t direction)
{
    static const uint32_t offsets[CRN_DIRECTIONS] = {
        0u - 0x10000, 1,           0x10000,       0u - 1,
        1u - 0x10000, 0x10000 + 1, 0x10000u - 1u, 0u - 0x10000 - 1};
    return (crn_place){place.value + offsets[direction]};
}

/* ---- spots ---- */

CRN_INLINE crn_place best_first_spot_place(crn_spot spot)
{
    return (crn_place){(uint32_t)spot.value};
}

CRN_INLINE uint64_t best_first_spot_slot(crn_spot spot)
{
    return spot.value >> 56;
}

/* The upper half: what lists hold. */
CRN_INLINE uint32_t best_first_spot_entry(crn_spot spot)
{
    return (uint32_t)(spot.value >> 32);
}

/* The page of an entry, and its spot. */
CRN_INLINE crn_page *best_first_entry_page(const crn_best_first *bf, uint32_t entry, crn_spot *spot)
{
    crn_page *page = bf->table[entry & 0xffffff];
    spot->value = (uint64_t)entry << 32 | (page->origin + bf->spread[entry >> 24]);
    return page;
}

/* The page of a place, and its spot. */
CRN_INLINE crn_page *best_first_spot_page(crn_best_first *bf, crn_place place, crn_spot *spot)
{
    uint32_t slot, number = best_first_grid_locate(bf, place, &slot);
    *spot = (crn_spot){(uint64_t)slot << 56 | (uint64_t)number << 32 | place.value};
    return best_first_grid_page(bf, place, &slot);
}

/* The spot one step in a direction away, and its page. */
CRN_INLINE crn_page *best_first_beside_page(crn_best_first *bf, crn_page *page, crn_spot from,
                                            uint64_t direction, crn_spot *to)
{
    to->value = from.value + bf->spot_step[direction];
    if (CRN_LIKELY(((from.value ^ to->value) & 0xfff0fff0) == 0)) return page;
    return best_first_spot_page(bf, best_first_spot_place(*to), to);
}

static inline cairn_node best_first_parent(const crn_best_first *bf, crn_place place, uint32_t move)
{
    if (!bf->map) return move;
    if ((move & CRN_MARK_MOVE) == CRN_NO_ARRIVAL) return CAIRN_NO_NODE;
    if ((move & CRN_MARK_MOVE) == CRN_BY_LINK) {
        const crn_links *links = &bf->map->links;
        return links->links[bf->came[crn_links_target(links, best_first_node(bf, place))]].from;
    }
    /* Directions are numbered so that flipping bit 1 turns one round. */
    return best_first_node(bf, best_first_beside(place, (move & CRN_MARK_MOVE) ^ 2));
}

CRN_INLINE uint64_t best_first_key(const crn_best_first *bf, cairn_cost g, uint64_t h)
{
    return bf->g_factor * g + bf->h_factor * h;
}

#endif
