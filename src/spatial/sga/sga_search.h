/* sga_search.h: what a search of SGA* keeps, for sga.c, which draws lines, and sga_piece.c, which
 * searches round the obstacles on them. */
#ifndef CRN_SGA_SEARCH_H
#define CRN_SGA_SEARCH_H

#include "search/path_builder.h"
#include "spatial/sga/sga_line.h"
#include "spatial/sga/sga_nearby.h"

#define SGA_STRIDE 16u  /* steps along a line in a unit of work */
#define SGA_JOINING 64u /* steps that become a part of the result */

enum { SGA_TRIM_DISTANCE, SGA_TRIM_DEVIATION };
enum { SGA_LABELS_OFF, SGA_LABELS_ON };
enum { SGA_SUBSEARCH_ASTAR, SGA_SUBSEARCH_COUNT = 7 };

/* ---- a search ---- */

typedef enum crn_sga_phase {
    SGA_DRAW,   /* along the line, as far as it can be walked */
    SGA_CROSS,  /* ... over blocked cells */
    SGA_PASS,   /* ... over a piece that cannot be reached */
    SGA_REFINE, /* from the sub-goal back to the end of the path */
    SGA_READ,   /* what that search found becomes a part of the path */
    SGA_JOIN,   /* a piece is long enough, or both paths have met: they become the result */
    SGA_SMOOTH
} crn_sga_phase;

/* The two paths: from the start on, and from the goal on. */
enum { SGA_FORE, SGA_TAIL };

typedef struct crn_sga_steps {
    uint8_t *directions; /* of each step */
    size_t count, capacity;
} crn_sga_steps;

typedef struct crn_sga_search {
    crn_builder builder; /* the result */
    cairn_search *search;
    const crn_grid_space *map;
    crn_subsearch *subsearch; /* searches of the whole map; NULL until there is one */
    crn_nearby near;          /* and those round small obstacles, ... */
    bool corners;             /* some need no search at all */
    bool small;               /* ... if there are such ones on this map ... */
    bool is_near;             /* ... and this is one of them */
    uint32_t variant, trim, smooth;
    bool uses_components;
    uint64_t component; /* of the start, if labelled */

    crn_sga_steps trails[2];
    cairn_cell ends[2]; /* of both paths */
    size_t joined;      /* steps of the first path that are a part of the result */

    crn_sga_phase phase;
    uint32_t side;     /* the path whose turn it is */
    bool begun;        /* the search inside */
    bool last;         /* the sub-goal, or the path, is where everything ends */
    bool given_up;     /* the goal cannot be reached, but a path towards it is wanted */
    crn_sga_line line; /* from end to end */
    cairn_cell subgoal, first_subgoal;
    bool tried; /* there has been a sub-goal in this turn */

    /* Reading a piece: step by step off the records, or along lines between the points where it
     * turns. */
    bool stepwise;
    cairn_node read;
    const cairn_node *points; /* those below `point` are to come */
    uint32_t point;
    crn_sga_line piece;
    cairn_cell piece_start, target; /* target: from there to the other end */
    /* steps that are left of the path when it is trimmed; 0 = it is not */
    size_t best_count;
    int64_t farthest;

    /* Where both ends were, after 1, 2, 4, … turns. */
    cairn_cell noted[2];
    uint32_t turns, patience;
    bool trimming;

    uint64_t peak; /* bytes of both paths together */
} crn_sga_search;

CRN_INLINE crn_sga_search *crn_sga_of(const cairn_search *search)
{
    return search->scratch;
}

CRN_INLINE cairn_node crn_sga_node(const crn_sga_search *s, cairn_cell cell)
{
    return (cairn_node)((uint32_t)cell.y * s->map->grid->width + (uint32_t)cell.x);
}

CRN_INLINE bool crn_sga_same(cairn_cell a, cairn_cell b)
{
    return a.x == b.x && a.y == b.y;
}

/* More room for a path, and for the first one also where it will be a part of the result. */
bool crn_sga_grow(crn_sga_search *s, uint32_t side);

/* Room for a stride more: where to write it; NULL = no memory. */
CRN_INLINE uint8_t *crn_sga_room(crn_sga_search *s, uint32_t side)
{
    const crn_sga_steps *builder = &s->trails[side];
    if (CRN_UNLIKELY(builder->count + SGA_STRIDE > builder->capacity) && !crn_sga_grow(s, side))
        return NULL;
    return builder->directions + builder->count;
}

/* Some steps more, which have been written there, and where they lead. */
CRN_INLINE void crn_sga_walk(crn_sga_search *s, uint32_t count, cairn_cell end)
{
    s->trails[s->side].count += count;
    s->ends[s->side] = end;
}

/* The path is complete, or a piece of it: it becomes the result. */
CRN_INLINE void crn_sga_deliver(crn_sga_search *s, bool last)
{
    s->last = last;
    s->phase = SGA_JOIN;
}

/* ---- both paths (sga.c) ---- */

void crn_sga_note_peak(crn_sga_search *s, size_t of_the_result);
/* Is the piece long enough? */
bool crn_sga_suffices(const crn_sga_search *s);
/* The other way's turn. */
cairn_status crn_sga_turn(crn_sga_search *s);
/* No sub-goal up to the other end can be reached. */
cairn_status crn_sga_fail(crn_sga_search *s);
void crn_sga_trace_subgoal(const crn_sga_search *s);

/* ---- pieces (sga_piece.c) ---- */

/* A piece begins at the end of the path; some steps of it; it is complete. */
void crn_sga_begin_piece(crn_sga_search *s);
void crn_sga_take(crn_sga_search *s, const uint8_t *directions, uint32_t count, cairn_cell end);
cairn_status crn_sga_read_all(crn_sga_search *s);

/* The phases in which it is searched for and read. */
cairn_status crn_sga_refine(crn_sga_search *s, uint64_t *work);
cairn_status crn_sga_read(crn_sga_search *s);

#endif
