/* sga.c: spatial grid A* (SGA*): straight lines, and searches only round what stands in their path.
 *
 * A line is drawn from the start to the goal. As long as its cells can be walked it is the path;
 * where it is blocked, the next open cell on it becomes a sub-goal, and a search joins both. On
 * open maps with scattered obstacles most of the path costs next to nothing, and searches see only
 * the surroundings of an obstacle. There is no index: every edit is free.
 *
 * variant=1: one line from start to goal, every sub-goal is gone to. variant=2: two ways grow
 * towards each other, by turns. After each search a new line is drawn, from the end of the one to
 * the end of the other; and what
 *   was searched for is trimmed: it ends where it is farthest from its beginning, for that is where
 *   it has come round the obstacle. Far is meant by
 *   Euclid's distance (trim=distance) or by the sum of both coordinates' differences
 *   (trim=deviation); only cells that lie in front are
 *   considered, that is, nearer to the other end along the line between both, else the paths get
 *   trapped in hollows. Nothing is trimmed if the sub-goal is
 *   the other way's end: then both have met.
 * variant=3: as 2, but lines only choose sub-goals, and the searches lead all the path to them:
 * shorter paths, more work.
 *
 * Most obstacles are small. Round a corner that must not be cut no search is needed (sga_corner),
 * and where both ends are near, one in a window does (sga_nearby.h); if that is too narrow, the
 * whole map is searched.
 *
 * Searches run from the sub-goal back to the end of the path, so that a sub-goal that cannot be
 * reached, in a small closed place on the line, is found out after a look at that place only; then
 * the next open piece of the line gets the sub-goal. With labels=on the regions of the space say so
 * without any search, and for the goal before anything else. With labels=off the search has partial
 * paths of its own: of variant 1 the path as far as it came; of the others, if the path from the
 * goal cannot get out, the first sub-goal that it tried becomes the goal instead.
 *
 * It ends: if both ends are ever where they were before, nothing is trimmed any more, and then
 * every turn brings them at least one step of the line nearer. (Brent's way of finding cycles needs
 * to remember one pair of ends only.) It is complete: it fails only if a complete search finds no
 * way from one end to the other. Not optimal, no bound; smoothing by rays (smooth=rays) takes most
 * of the detours out.
 *
 * Source: B. Anguelov's thesis, section 8.2. Its listings are mended: the last piece of a line
 * counts; both halves of variants 2 and 3 stand in the loop, which ends with the half that
 * connects; the piece that connects is not trimmed. The thesis does not define its distances and
 * "in front"; the above is our reading of its pictures.
 */
#include "path/line.h"
#include "search/path_builder.h"
#include "spatial/sga/sga_line.h"
#include "spatial/sga/sga_nearby.h"

#define SGA_STRIDE 16u  /* steps along a line in a unit of work */
#define SGA_JOINING 64u /* steps that become a part of the result */

enum { SGA_TRIM_DISTANCE, SGA_TRIM_DEVIATION };
enum { SGA_LABELS_OFF, SGA_LABELS_ON };
enum { SGA_SUBSEARCH_ASTAR, SGA_SUBSEARCH_COUNT = 7 };

static const char *const sga_trim_choices[] = {"distance", "deviation", NULL};
static const char *const sga_label_choices[] = {"off", "on", NULL};
/* Names of algorithms: complete ones that need no index. */
static const char *const sga_subsearch_choices[] = {"astar",  "astar-fast", "dijkstra", "wastar",
                                                    "greedy", "bfs",        "jps",      NULL};

static const cairn_parameter sga_parameters[] = {
    {"variant", "one line; two paths with trimming; these without the lines",
     CAIRN_PARAMETER_INTEGER, 1, 3, 2, NULL},
    {"trim", "what is farthest: by distance, or by the sum of both differences",
     CAIRN_PARAMETER_CHOICE, SGA_TRIM_DISTANCE, SGA_TRIM_DEVIATION, SGA_TRIM_DISTANCE,
     sga_trim_choices},
    {"labels", "ask the connected components of the space what can be reached",
     CAIRN_PARAMETER_CHOICE, SGA_LABELS_OFF, SGA_LABELS_ON, SGA_LABELS_ON, sga_label_choices},
    {"subsearch", "the search around obstacles", CAIRN_PARAMETER_CHOICE, SGA_SUBSEARCH_ASTAR,
     SGA_SUBSEARCH_COUNT - 1, SGA_SUBSEARCH_ASTAR, sga_subsearch_choices},
    {"smooth", "straighten paths by rays, of any length or inside a box", CAIRN_PARAMETER_CHOICE,
     CRN_SMOOTH_NONE, CRN_SMOOTH_BOX, CRN_SMOOTH_NONE, crn_smooth_choices},
};

/* ---- the planner ---- */

/* The index is the planner of the searches inside. */
static cairn_status sga_create(cairn_planner *planner, cairn_error *error)
{
    cairn_planner *subsearch = NULL;
    const char *name = sga_subsearch_choices[crn_parameter_of(planner, "subsearch")];
    cairn_status status = cairn_planner_create(planner->space, name, &subsearch, NULL);
    if (status == CAIRN_UNSUPPORTED) { /* in this neighbourhood */
        status = cairn_planner_create(planner->space, sga_subsearch_choices[SGA_SUBSEARCH_ASTAR],
                                      &subsearch, error);
    }
    planner->index = subsearch;
    planner->ignores_components = crn_parameter_of(planner, "labels") == SGA_LABELS_OFF;
    return status;
}

static void sga_destroy(cairn_planner *planner)
{
    cairn_planner_destroy(planner->index);
}

/* ---- a search ---- */

typedef enum sga_phase {
    SGA_DRAW,   /* along the line, as far as it can be walked */
    SGA_CROSS,  /* ... over what cannot be stood on */
    SGA_PASS,   /* ... over a piece that cannot be reached */
    SGA_REFINE, /* from the sub-goal back to the end of the path */
    SGA_READ,   /* what that search found becomes a part of the distance */
    SGA_JOIN,   /* a piece is long enough, or both ways have met: they become the result */
    SGA_SMOOTH
} sga_phase;

/* The two ways: from the start on, and from the goal on. */
enum { SGA_FORE, SGA_TAIL };

typedef struct sga_steps {
    uint8_t *directions; /* of each step */
    size_t count, capacity;
} sga_steps;

typedef struct sga_search {
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

    sga_steps trails[2];
    cairn_cell ends[2]; /* of both ways */
    size_t joined;      /* steps of the first way that are a part of the result */

    sga_phase phase;
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

    uint64_t peak; /* bytes of both ways together */
} sga_search;

static sga_search *sga_of(const cairn_search *search)
{
    return search->scratch;
}

static cairn_node sga_node(const sga_search *s, cairn_cell cell)
{
    return (cairn_node)((uint32_t)cell.y * s->map->grid->width + (uint32_t)cell.x);
}

static bool sga_same(cairn_cell a, cairn_cell b)
{
    return a.x == b.x && a.y == b.y;
}

/* Of a cell that can be stood on; there are no links. */
static uint64_t sga_component(const sga_search *s, cairn_cell cell)
{
    return crn_components_find(&s->map->components, s->map, (uint32_t)cell.x, (uint32_t)cell.y);
}

/* Can a cell of the line be reached? Mostly it lies in the same tile as the end of the path, where
 * everything is connected. */
static bool sga_hangs_together(const sga_search *s, cairn_cell cell)
{
    const crn_component_level *tiles = &s->map->components.levels[0];
    cairn_cell end = s->ends[s->side];
    uint32_t x = (uint32_t)cell.x / CAIRN_TILE, y = (uint32_t)cell.y / CAIRN_TILE;
    bool same = x == (uint32_t)end.x / CAIRN_TILE && y == (uint32_t)end.y / CAIRN_TILE;
    return (same && tiles->parts[y * tiles->columns + x] == 1) ||
           sga_component(s, cell) == s->component;
}

static void sga_close(cairn_search *search)
{
    sga_search *s = search->scratch;
    if (!s) return;
    if (s->subsearch) crn_subsearch_close(s->subsearch);
    crn_scratch_free(&search->memory, s->subsearch, sizeof *s->subsearch);
    crn_builder_close(&s->builder);
    for (uint32_t i = 0; i < 2; i++) {
        crn_scratch_free(&search->memory, s->trails[i].directions, s->trails[i].capacity);
    }
    crn_scratch_free(&search->memory, s, sizeof *s);
}

static cairn_status sga_open(cairn_search *search)
{
    sga_search *s = crn_scratch_alloc(&search->memory, sizeof *s);
    if (!s) return CAIRN_OUT_OF_MEMORY;
    memset(s, 0, sizeof *s);
    search->scratch = s;
    s->search = search;
    s->map = crn_grid_space_of(search->space);
    s->variant = crn_parameter_of(search->planner, "variant");
    s->trim = crn_parameter_of(search->planner, "trim");
    s->smooth = crn_parameter_of(search->planner, "smooth");
    s->uses_components = crn_parameter_of(search->planner, "labels") == SGA_LABELS_ON;
    crn_builder_open(&s->builder, search);
    crn_nearby_open(&s->near, search);
    return CAIRN_OK;
}

static void sga_note_peak(sga_search *s, size_t of_the_result)
{
    uint64_t bytes = of_the_result + s->trails[SGA_FORE].count + s->trails[SGA_TAIL].count;
    if (bytes > s->peak) s->peak = bytes;
}

/* The line of the next turn. Both ends where they were before, whoever's turn it was: from now on
 * nothing is trimmed. */
static void sga_begin_turn(sga_search *s)
{
    if (sga_same(s->ends[SGA_FORE], s->noted[SGA_FORE]) &&
        sga_same(s->ends[SGA_TAIL], s->noted[SGA_TAIL])) {
        s->trimming = false;
    } else if (s->turns++ == s->patience) {
        s->patience *= 2;
        s->turns = 0;
        s->noted[SGA_FORE] = s->ends[SGA_FORE];
        s->noted[SGA_TAIL] = s->ends[SGA_TAIL];
    }
    crn_sga_line_begin(&s->line, s->map, s->ends[s->side], s->ends[!s->side]);
    s->tried = false;
    s->phase = SGA_DRAW;
}

/* Is a way of straight steps the cheapest where no diagonal one fits? One of three diagonal steps
 * must not be. */
static bool sga_has_corners(const crn_grid_space *map)
{
    uint64_t straight = map->step[CRN_N], diagonal = map->step[CRN_NE];
    return map->uniform && !map->hex && map->profile.neighbours == CAIRN_NEIGHBOURS_8 &&
           map->profile.corners == CAIRN_CORNERS_NEVER && 3 * diagonal > 4 * straight &&
           diagonal < 2 * straight;
}

static cairn_status sga_begin(cairn_search *search)
{
    sga_search *s = sga_of(search);
    cairn_node from = search->query.from, to = search->goals[0];
    crn_builder_announce(search);
    if (s->subsearch) crn_subsearch_rest(s->subsearch);
    s->corners = sga_has_corners(s->map);
    s->small = crn_nearby_prepare(&s->near) &&
               crn_parameter_of(search->planner, "subsearch") == SGA_SUBSEARCH_ASTAR;
    cairn_status status = crn_builder_begin(&s->builder, from);
    if (status != CAIRN_OK) return status;
    s->component = s->uses_components ? sga_component(s, cairn_grid_cell(s->map->grid, from)) : 0;
    s->trails[SGA_FORE].count = s->trails[SGA_TAIL].count = s->joined = 0;
    s->peak = 0;
    s->side = SGA_FORE;
    s->begun = s->last = s->given_up = false;
    s->trimming = s->variant > 1;
    s->turns = 0;
    s->patience = 1;
    s->noted[SGA_FORE] = s->noted[SGA_TAIL] = (cairn_cell){-1, -1};
    s->ends[SGA_FORE] = cairn_grid_cell(s->map->grid, from);
    s->ends[SGA_TAIL] = cairn_grid_cell(s->map->grid, to);
    sga_begin_turn(s);
    if (from != to) return CAIRN_RUNNING;
    search->metrics.generated = 1;
    return crn_builder_found(search, true);
}

/* ---- both ways ---- */

/* More room for a path, and for the first one also where it will be a part of the result. */
static CRN_NOINLINE bool sga_grow(sga_search *s, uint32_t side)
{
    sga_steps *builder = &s->trails[side];
    void *directions = builder->directions;
    size_t need = builder->count + SGA_STRIDE;
    bool ok = crn_scratch_grow(&s->search->memory, &directions, &builder->capacity, need, 1);
    builder->directions = directions;
    return ok && (side == SGA_TAIL || crn_builder_reserve(&s->builder, need + 1) == CAIRN_OK);
}

/* Room for a stride more: where to write it; NULL = no memory. */
CRN_INLINE uint8_t *sga_room(sga_search *s, uint32_t side)
{
    const sga_steps *builder = &s->trails[side];
    if (CRN_UNLIKELY(builder->count + SGA_STRIDE > builder->capacity) && !sga_grow(s, side))
        return NULL;
    return builder->directions + builder->count;
}

/* Some steps more, which have been written there, and where they lead. */
CRN_INLINE void sga_walk(sga_search *s, uint32_t count, cairn_cell end)
{
    s->trails[s->side].count += count;
    s->ends[s->side] = end;
}

/* The path is complete, or a piece of it: it becomes the result. */
static void sga_deliver(sga_search *s, bool last)
{
    s->last = last;
    s->phase = SGA_JOIN;
}

/* The result is ready but for smoothing. */
static cairn_status sga_finish(sga_search *s)
{
    sga_note_peak(s, crn_builder_bytes(&s->builder));
    s->phase = SGA_DRAW; /* of the next piece */
    if (!s->search->metrics.generated) s->search->metrics.generated = 1;
    if (s->last && s->given_up) return CAIRN_UNREACHABLE;
    if (s->smooth == CRN_SMOOTH_NONE) return crn_builder_found(s->search, s->last);
    s->phase = SGA_SMOOTH;
    return crn_builder_smooth_begin(&s->builder, s->smooth == CRN_SMOOTH_BOX ? CRN_BUILDER_BOX : 0);
}

/* Some more steps of the first way become a part of the result; false: there are none left, or
 * (*status) there is no memory. */
static bool sga_join_fore(sga_search *s, cairn_status *status)
{
    const sga_steps *fore = &s->trails[SGA_FORE];
    size_t left = fore->count - s->joined;
    uint32_t count = left < SGA_JOINING ? (uint32_t)left : SGA_JOINING;
    if (!left) return false;
    *status = crn_builder_walk(&s->builder, fore->directions + s->joined, count);
    s->joined += count;
    return *status == CAIRN_OK;
}

/* Both ends are the same cell: the second way turned round is the rest of the first. Some steps of
 * it. */
static cairn_status sga_join_tail(sga_search *s)
{
    sga_steps *fore = &s->trails[SGA_FORE], *tail = &s->trails[SGA_TAIL];
    uint8_t *directions = sga_room(s, SGA_FORE);
    if (!directions) return CAIRN_OUT_OF_MEMORY;
    size_t count = tail->count < SGA_STRIDE ? tail->count : SGA_STRIDE;
    const uint8_t *last = tail->directions + tail->count;
    for (size_t i = 0; i < count; i++) directions[i] = *--last ^ 2u;
    tail->count -= count;
    fore->count += count;
    return CAIRN_RUNNING;
}

static cairn_status sga_join(sga_search *s)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < SGA_JOINING && s->last && s->trails[SGA_TAIL].count; i += SGA_STRIDE) {
        if (sga_join_tail(s) != CAIRN_RUNNING) return CAIRN_OUT_OF_MEMORY;
    }
    if (sga_join_fore(s, &status)) return CAIRN_RUNNING;
    return status == CAIRN_OK ? sga_finish(s) : status;
}

/* Is the piece long enough? Without labels nobody knows yet whether there is a path at all, so
 * there is only one. */
static bool sga_suffices(const sga_search *s)
{
    uint32_t piece = s->search->query.piece;
    return piece && s->uses_components && s->trails[SGA_FORE].count >= piece;
}

/* The other way's turn. */
static cairn_status sga_turn(sga_search *s)
{
    bool enough = s->side == SGA_FORE && sga_suffices(s);
    s->side = !s->side;
    sga_begin_turn(s);
    if (enough) sga_deliver(s, false);
    return CAIRN_RUNNING;
}

/* No sub-goal up to the other end can be reached. */
static cairn_status sga_fail(sga_search *s)
{
    bool start_is_all = sga_same(s->first_subgoal, s->ends[SGA_FORE]);
    if (s->side == SGA_FORE || !s->search->query.partial || start_is_all) return CAIRN_UNREACHABLE;
    s->given_up = true;
    s->trails[SGA_TAIL].count = 0;
    s->ends[SGA_TAIL] = s->first_subgoal;
    return sga_turn(s);
}

/* ---- lines ---- */

CRN_INLINE bool sga_legal(const crn_grid_space *map, cairn_cell from, uint32_t direction)
{
    uint32_t x = (uint32_t)from.x, y = (uint32_t)from.y, moves = crn_grid_moves(map, x, y);
    if (CRN_UNLIKELY(map->limited)) moves = crn_grid_limit_moves(map, x, y, moves);
    return moves >> direction & 1;
}

static void sga_aim(sga_search *s, cairn_cell subgoal)
{
    s->subgoal = subgoal;
    if (!s->tried) s->first_subgoal = subgoal;
    s->tried = true;
    s->last = !s->line.left;
    s->begun = false;
    s->phase = SGA_REFINE;
}

/* The line is free to its end. */
static void sga_drawn(sga_search *s)
{
    if (s->variant < 3 || sga_same(s->ends[SGA_FORE], s->ends[SGA_TAIL])) {
        sga_deliver(s, true);
    } else {
        sga_aim(s, s->line.at);
    }
}

/* Tells the sink of steps along the line. */
static void sga_trace_segment(const sga_search *s, const uint8_t *directions, uint32_t count)
{
    cairn_cell cell = s->ends[s->side];
    for (uint32_t i = 0; i < count; i++) {
        cairn_cell next = crn_sga_beside(cell, directions[i]);
        crn_trace(s->search, CAIRN_EVENT_SEGMENT, sga_node(s, next), sga_node(s, cell),
                  CAIRN_NO_COST, 0);
        cell = next;
    }
}

static void sga_trace_subgoal(const sga_search *s)
{
    crn_trace(s->search, CAIRN_EVENT_SUBGOAL, sga_node(s, s->subgoal),
              sga_node(s, s->ends[s->side]), CAIRN_NO_COST, 0);
}

/* ---- pieces ---- */

/* As points of a plane: rows of hexagons are √3 half cells apart, and their cells two. */
static cairn_cell sga_between(const sga_search *s, cairn_cell a, cairn_cell b)
{
    cairn_cell d = {b.x - a.x, b.y - a.y};
    if (s->map->hex) d.x = 2 * d.x + (b.y & 1) - (a.y & 1);
    return d;
}

static void sga_begin_piece(sga_search *s)
{
    s->piece_start = s->ends[s->side];
    s->target = sga_between(s, s->piece_start, s->ends[!s->side]);
    s->best_count = 0;
    s->farthest = 0;
}

static cairn_status sga_begin_reading(sga_search *s)
{
    sga_begin_piece(s);
    s->phase = SGA_READ;
    if (s->is_near) return CAIRN_RUNNING;
    const cairn_search *subsearch = &s->subsearch->search;
    uint32_t count = 1;
    s->stepwise = subsearch->planner->algorithm->begin == crn_best_first_begin;
    s->points = s->stepwise ? NULL : crn_subsearch_points(s->subsearch, &count);
    if (!s->points && !s->stepwise) return CAIRN_OUT_OF_MEMORY;
    s->point = count - 1; /* the last one is where the path ends so far */
    s->read = sga_node(s, s->ends[s->side]);
    s->piece.left = 0;
    return CAIRN_RUNNING;
}

/* The next steps of the piece: off the records, or from point to point; fewer than a stride are the
 * last ones. */
static uint32_t sga_read_steps(sga_search *s, uint8_t *directions, cairn_cell *end)
{
    if (s->is_near) return crn_nearby_back(&s->near, directions, SGA_STRIDE, end);
    if (s->stepwise) {
        uint32_t count =
            crn_best_first_back(&s->subsearch->search, &s->read, directions, SGA_STRIDE);
        *end = cairn_grid_cell(s->map->grid, s->read);
        return count;
    }
    for (uint32_t count = 0;; directions[count++] = (uint8_t)crn_sga_line_step(&s->piece)) {
        *end = s->piece.at;
        if (count == SGA_STRIDE) return count;
        if (s->piece.left) continue;
        if (!s->point) return count;
        cairn_cell from = cairn_grid_cell(s->map->grid, s->points[s->point]);
        s->point--;
        crn_sga_line_begin(&s->piece, s->map, from,
                           cairn_grid_cell(s->map->grid, s->points[s->point]));
    }
}

/* The search of the whole map, all of it or nothing. */
static cairn_status sga_open_far(sga_search *s)
{
    crn_scratch *memory = &s->search->memory;
    crn_subsearch *subsearch = crn_scratch_alloc(memory, sizeof *subsearch);
    if (!subsearch) return CAIRN_OUT_OF_MEMORY;
    memset(subsearch, 0, sizeof *subsearch);
    cairn_status status =
        crn_subsearch_open_planner(subsearch, memory, s->search, s->search->planner->index, 0);
    if (status == CAIRN_OK) {
        s->subsearch = subsearch;
        return CAIRN_OK;
    }
    crn_subsearch_close(subsearch);
    crn_scratch_free(memory, subsearch, sizeof *subsearch);
    return status;
}

static cairn_status sga_begin_far(sga_search *s)
{
    cairn_status status = s->subsearch ? CAIRN_OK : sga_open_far(s);
    if (status != CAIRN_OK) return status;
    s->is_near = false;
    return crn_subsearch_begin_again(s->subsearch, sga_node(s, s->subgoal),
                                     sga_node(s, s->ends[s->side]));
}

static cairn_status sga_begin_refining(sga_search *s)
{
    if (s->search->traced) sga_trace_subgoal(s);
    s->begun = true;
    s->is_near = s->small && crn_nearby_begin(&s->near, s->subgoal, s->ends[s->side]);
    return s->is_near ? CAIRN_RUNNING : sga_begin_far(s);
}

/* Some work of the search, near or far. */
static cairn_status sga_search_on(sga_search *s, uint64_t *work)
{
    if (!s->is_near) return crn_subsearch_step(s->subsearch, work);
    switch (crn_nearby_step(&s->near, work)) {
    case CRN_NEARBY_RUNNING: return CAIRN_RUNNING;
    case CRN_NEARBY_FOUND: return CAIRN_FOUND;
    case CRN_NEARBY_CLOSED: return CAIRN_UNREACHABLE;
    default: return sga_begin_far(s);
    }
}

static cairn_status sga_refine(sga_search *s, uint64_t *work)
{
    cairn_status status = s->begun ? CAIRN_RUNNING : sga_begin_refining(s);
    if (status == CAIRN_RUNNING) status = sga_search_on(s, work);
    if (status == CAIRN_FOUND) status = sga_begin_reading(s);
    if (status != CAIRN_UNREACHABLE) return status;
    if (s->last) return sga_fail(s);
    s->phase = SGA_PASS;
    return CAIRN_RUNNING;
}

/* Of the cells that the steps lead to: is it better to trim the piece at one of them than anywhere
 * before? */
CRN_INLINE void sga_consider_on(sga_search *s, const uint8_t *directions, uint32_t count, bool hex,
                                bool deviation)
{
    const cairn_cell from = s->piece_start, end = s->ends[s->side];
    const int64_t target_x = s->target.x, target_y = s->target.y * (hex ? 3 : 1);
    int64_t x = end.x - from.x, y = end.y - from.y, farthest = s->farthest;
    uint32_t best = 0; /* none of them */
    for (uint32_t i = 0; i < count; i++) {
        x += crn_dx[directions[i]];
        y += crn_dy[directions[i]];
        int64_t right = hex ? 2 * x + ((y + from.y) & 1) - (from.y & 1) : x;
        int64_t far = right * right + (hex ? 3 : 1) * y * y;
        if (deviation) far = (right < 0 ? -right : right) + (hex ? 2 : 1) * (y < 0 ? -y : y);
        bool better = (right * target_x + y * target_y > 0) & (far > farthest);
        farthest = better ? far : farthest;
        best = better ? i + 1 : best;
    }
    if (!best) return;
    s->farthest = farthest;
    s->best_count = s->trails[s->side].count + best;
}

static void sga_consider(sga_search *s, const uint8_t *directions, uint32_t count)
{
    bool hex = s->map->hex, deviation = s->trim == SGA_TRIM_DEVIATION;
    if (!hex && !deviation) {
        sga_consider_on(s, directions, count, false, false);
    } else {
        sga_consider_on(s, directions, count, hex, deviation);
    }
}

/* Some steps of a piece become a part of the distance. */
static void sga_take(sga_search *s, const uint8_t *directions, uint32_t count, cairn_cell end)
{
    if (s->trimming && !s->last) sga_consider(s, directions, count);
    sga_walk(s, count, end);
}

/* Goes back to where the piece is farthest. */
static void sga_trim(sga_search *s)
{
    sga_steps *builder = &s->trails[s->side];
    cairn_cell end = s->ends[s->side];
    while (builder->count > s->best_count) {
        uint32_t back = builder->directions[--builder->count] ^ 2u;
        end.x += crn_dx[back];
        end.y += crn_dy[back];
    }
    s->ends[s->side] = end;
}

/* The piece is a part of the distance now. */
static cairn_status sga_read_all(sga_search *s)
{
    sga_note_peak(s, 0);
    if (s->last) {
        sga_deliver(s, true);
        return CAIRN_RUNNING;
    }
    if (s->variant == 1) {
        s->tried = false;
        s->phase = SGA_DRAW; /* on with the same line */
        if (sga_suffices(s)) sga_deliver(s, false);
        return CAIRN_RUNNING;
    }
    if (s->trimming && s->best_count) sga_trim(s);
    return sga_turn(s);
}

static cairn_status sga_read(sga_search *s)
{
    uint8_t *directions = sga_room(s, s->side);
    if (!directions) return CAIRN_OUT_OF_MEMORY;
    cairn_cell end;
    uint32_t count = sga_read_steps(s, directions, &end);
    sga_take(s, directions, count, end);
    return count < SGA_STRIDE ? sga_read_all(s) : CAIRN_RUNNING;
}

/* ---- over what is blocked ---- */

/* How many of so many cells beside a cell, in a direction, can be stood on, up to the first that
 * cannot? */
CRN_INLINE uint32_t sga_free_cells(const crn_grid_space *map, cairn_cell cell, uint32_t direction,
                                   uint32_t most)
{
    uint32_t count = 0;
    for (; count < most; count++) {
        cell.x += crn_dx[direction];
        cell.y += crn_dy[direction];
        if (!crn_bit(&map->usable, cell.x, cell.y)) break;
    }
    return count;
}

/* The commonest obstacle is a corner that must not be cut: the sub-goal lies in the next row or
 * column. Along that of the path's end so many cells are free, and so many along its own, back from
 * it. If both pieces have a single column in common, one step over leads from the one to the other
 * there, and nowhere else; a diagonal step would need two columns. So this is the only way as
 * cheap, and there is no need to search. Returns how many steps it has; 0 = it is none. */
static uint32_t sga_corner(const sga_search *s, uint8_t *directions)
{
    cairn_cell end = s->ends[s->side], at = s->line.at;
    uint32_t along = at.x > end.x ? CRN_E : CRN_W, over = at.y > end.y ? CRN_S : CRN_N;
    uint32_t length = crn_line_distance(at.x, end.x), height = crn_line_distance(at.y, end.y);
    if (height > length) {
        uint32_t turned = along, long_way = height;
        along = over;
        over = turned;
        height = length;
        length = long_way;
    }
    if (!s->corners || height != 1 || length >= SGA_STRIDE) return 0;
    uint32_t first = sga_free_cells(s->map, end, along, length);
    if (first + sga_free_cells(s->map, at, along ^ 2, length) != length) return 0;
    memset(directions, (int)along, SGA_STRIDE);
    directions[first] = (uint8_t)over;
    return length + 1;
}

static cairn_status sga_go_round(sga_search *s, const uint8_t *directions, uint32_t count)
{
    sga_aim(s, s->line.at);
    if (s->search->traced) {
        sga_trace_subgoal(s);
        sga_trace_segment(s, directions, count);
    }
    sga_begin_piece(s);
    sga_take(s, directions, count, s->line.at);
    return sga_read_all(s);
}

/* At the first cell of the line that can be stood on. The other end always can be reached, if
 * labels are asked. */
static cairn_status sga_arrive(sga_search *s)
{
    uint8_t *directions = sga_room(s, s->side);
    if (!directions) return CAIRN_OUT_OF_MEMORY;
    uint32_t corner = sga_corner(s, directions);
    if (corner) return sga_go_round(s, directions, corner);
    if (s->uses_components && !sga_hangs_together(s, s->line.at)) {
        s->phase = SGA_PASS;
    } else {
        sga_aim(s, s->line.at);
    }
    return CAIRN_RUNNING;
}

static cairn_status sga_cross(sga_search *s)
{
    for (uint32_t i = 0; i < SGA_STRIDE; i++) {
        if (crn_bit(&s->map->usable, s->line.at.x, s->line.at.y)) return sga_arrive(s);
        crn_sga_line_step(&s->line);
    }
    return CAIRN_RUNNING;
}

/* As far as the line can be walked, and then over what cannot be stood on. */
static cairn_status sga_draw(sga_search *s)
{
    uint8_t *directions = sga_room(s, s->side);
    if (!directions) return CAIRN_OUT_OF_MEMORY;
    crn_sga_line *line = &s->line;
    const crn_grid_space *map = s->map;
    uint32_t count = 0, most = crn_min_u32(line->left, SGA_STRIDE), direction = 0;
    cairn_cell end = line->at; /* of what can be walked */
    int32_t error = line->error;
    bool legal = true;
    while (count < most) {
        direction = crn_sga_line_choose(line, &error, end.y);
        legal = sga_legal(map, end, direction);
        if (!legal) break;
        end.x += crn_dx[direction];
        end.y += crn_dy[direction];
        directions[count++] = (uint8_t)direction;
    }
    line->error = error;
    line->left -= count + !legal;
    line->at = legal ? end : crn_sga_beside(end, direction);
    if (s->variant < 3) {
        if (s->search->traced) sga_trace_segment(s, directions, count);
        sga_walk(s, count, end);
    }
    if (legal && !line->left) sga_drawn(s);
    if (legal) return CAIRN_RUNNING;
    s->phase = SGA_CROSS;
    return sga_cross(s);
}

/* What is connected with a sub-goal that cannot be reached cannot be reached either. */
static cairn_status sga_pass(sga_search *s)
{
    for (uint32_t i = 0; i < SGA_STRIDE; i++) {
        if (!s->line.left) return sga_fail(s);
        uint32_t direction = crn_sga_line_turn(&s->line);
        bool legal = sga_legal(s->map, s->line.at, direction);
        s->line.at = crn_sga_beside(s->line.at, direction);
        if (legal) continue;
        s->phase = SGA_CROSS;
        break;
    }
    return CAIRN_RUNNING;
}

/* ---- steps ---- */

static cairn_status sga_smooth(sga_search *s, uint64_t *work)
{
    cairn_status status = crn_builder_smooth_step(&s->builder, work);
    sga_note_peak(s, crn_builder_bytes(&s->builder));
    if (status != CAIRN_OK) return status;
    s->phase = SGA_DRAW;
    return crn_builder_found(s->search, s->last);
}

/* Something small, for one unit of work. */
static cairn_status sga_unit(sga_search *s, uint64_t *work)
{
    --*work;
    s->search->metrics.work++;
    switch (s->phase) {
    case SGA_DRAW: return sga_draw(s);
    case SGA_CROSS: return sga_cross(s);
    case SGA_PASS: return sga_pass(s);
    case SGA_READ: return sga_read(s);
    default: return sga_join(s);
    }
}

static cairn_status sga_step(cairn_search *search, uint64_t work)
{
    sga_search *s = sga_of(search);
    cairn_status status = CAIRN_RUNNING;
    while (work && status == CAIRN_RUNNING) {
        status = s->phase == SGA_REFINE   ? sga_refine(s, &work)
                 : s->phase == SGA_SMOOTH ? sga_smooth(s, &work)
                                          : sga_unit(s, &work);
    }
    uint64_t far =
        s->subsearch && s->subsearch->peak ? sizeof *s->subsearch + s->subsearch->peak : 0;
    search->metrics.peak_bytes = sizeof *s + s->peak + far;
    if (status == CAIRN_COST_OVERFLOW && !s->builder.given) return crn_search_delegate(search);
    return status;
}

static cairn_status sga_next(cairn_search *search)
{
    sga_search *s = sga_of(search);
    s->trails[SGA_FORE].count = s->joined = 0;
    crn_builder_next(&s->builder);
    return CAIRN_RUNNING;
}

static cairn_status sga_path_to(cairn_search *search, cairn_node node)
{
    const sga_search *s = sga_of(search);
    const crn_builder *builder = &s->builder;
    bool whole = s->smooth == CRN_SMOOTH_NONE && s->joined + 1 == builder->count;
    if (!whole || node != crn_builder_end(builder) || s->map->hex)
        return crn_builder_path_to(search, node);
    crn_path_start(search);
    cairn_status status =
        crn_path_follow_back(search, builder->nodes, s->trails[SGA_FORE].directions, s->joined);
    if (status == CAIRN_OK) crn_path_finish(search, builder->costs[s->joined]);
    return status;
}

/* Of a path that came to an end too soon: of what there is of the first one, for which there is
 * memory. */
static bool sga_closest(cairn_search *search, uint64_t work, bool first)
{
    sga_search *s = sga_of(search);
    cairn_status status = CAIRN_OK;
    if (first) s->begun = false;
    while (work && sga_join_fore(s, &status)) work--;
    if (!work) return false;
    first = !s->begun;
    s->begun = true;
    return crn_builder_closest(search, work, first);
}

const crn_algorithm crn_algorithm_sga = {
    .info = {.name = "sga",
             .aliases = "sga* spatial-grid-astar",
             .summary = "straight lines, and searches only around what stands in their way: no "
                        "index, little work",
             .source = "Anguelov 2011",
             .family = "spatial",
             .flags = CAIRN_TERRAIN | CAIRN_MANY_GOALS | CAIRN_PIECES,
             .worlds = 1u << CAIRN_WORLD_GRID,
             .neighbourhoods = (1u << CAIRN_NEIGHBOURS_COUNT) - 1,
             .corners = (1u << CAIRN_CORNERS_COUNT) - 1,
             .parameters = sga_parameters,
             .parameter_count = CRN_COUNT(sga_parameters)},
    .create = sga_create,
    .destroy = sga_destroy,
    .open = sga_open,
    .close = sga_close,
    .handles = crn_builder_handles,
    .delegate = "astar",
    .begin = sga_begin,
    .step = sga_step,
    .next = sga_next,
    .path_to = sga_path_to,
    .cost_to = crn_builder_cost_to,
    .closest = sga_closest,
    .reached = crn_builder_reached,
};
