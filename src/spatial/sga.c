/* sga.c: spatial grid A* (SGA*): straight lines, and searches only round what stands in their way.
 *
 * A line is drawn from the start to the goal. As long as its cells can be walked it is the way; where it is blocked, the next open cell on it becomes a sub-goal, and
 * a search joins both. On open maps with scattered obstacles most of the way costs next to nothing, and searches see only the surroundings of
 * an obstacle. There is no index: every edit is free.
 *
 * variant=1: one line from start to goal, every sub-goal is gone to.
 * variant=2: two ways grow towards each other, by turns. After each search a new line is drawn, from the end of the one to the end of the other; and what
 *   was searched for is trimmed: it ends where it is farthest from its beginning, for that is where it has come round the obstacle. Far is meant by
 *   Euclid's distance (trim=distance) or by the sum of both coordinates' differences (trim=deviation); only cells that lie in front are
 *   considered, that is, nearer to the other end along the line between both, else the ways get trapped in hollows. Nothing is trimmed if the sub-goal is
 *   the other way's end: then both have met.
 * variant=3: as 2, but lines only choose sub-goals, and the searches lead all the way to them: shorter paths, more work.
 *
 * Searches run from the sub-goal back to the end of the way, so that a sub-goal that cannot be reached, in a small closed place on the line, is found out after
 * a look at that place only; then the next open piece of the line gets the sub-goal. With labels=on the regions of the space say so without any search, and for the
 * goal before anything else. With labels=off the search has partial paths of its own: of variant 1 the way as far as it came; of the others, if the way from the
 * goal cannot get out, the first sub-goal that it tried becomes the goal instead.
 *
 * It ends: if both ends are ever where they were before, nothing is trimmed any more, and then every turn brings them at least one step of the line nearer. (Brent's way
 * of finding cycles needs to remember one pair of ends only.) It is complete: it fails only if a complete search finds no way from one end to the other.
 * Not optimal, no bound; smoothing by rays (smooth=rays) takes most of the detours out.
 *
 * Source: B. Anguelov's thesis, section 8.2. Its listings are mended: the last piece of a line counts; both halves of variants 2 and 3 stand in the loop, which
 * ends with the half that connects; the piece that connects is not trimmed. The thesis does not define its distances and "in front"; the above is our reading of
 * its pictures.
 */
#include "search/way.h"
#include "spatial/sga_line.h"

#define SGA_STRIDE 16u /* steps along a line in a unit of work */

enum { SGA_TRIM_DISTANCE, SGA_TRIM_DEVIATION };
enum { SGA_LABELS_OFF, SGA_LABELS_ON };
enum { SGA_INNER_ASTAR, SGA_INNER_COUNT = 7 };

static const char *const sga_trim_choices[] = {"distance", "deviation", NULL};
static const char *const sga_label_choices[] = {"off", "on", NULL};
/* Names of algorithms: complete ones that need no index. */
static const char *const sga_inner_choices[] = {"astar",  "astar-fast", "dijkstra", "wastar",
                                                "greedy", "bfs",        "jps",      NULL};

static const cairn_parameter sga_parameters[] = {
    {"variant", "one line; two ways with trimming; these without the lines", CAIRN_PARAMETER_INTEGER, 1, 3, 2,
     NULL},
    {"trim", "what is farthest: by distance, or by both differences together", CAIRN_PARAMETER_CHOICE,
     SGA_TRIM_DISTANCE, SGA_TRIM_DEVIATION, SGA_TRIM_DISTANCE, sga_trim_choices},
    {"labels", "ask the regions of the space what can be reached", CAIRN_PARAMETER_CHOICE, SGA_LABELS_OFF,
     SGA_LABELS_ON, SGA_LABELS_ON, sga_label_choices},
    {"inner", "the search that leads round obstacles", CAIRN_PARAMETER_CHOICE, SGA_INNER_ASTAR,
     SGA_INNER_COUNT - 1, SGA_INNER_ASTAR, sga_inner_choices},
    {"smooth", "straighten paths by rays, of any length or inside a box", CAIRN_PARAMETER_CHOICE,
     CRN_SMOOTH_NONE, CRN_SMOOTH_BOX, CRN_SMOOTH_NONE, crn_smooth_choices},
};

/* ---- the planner ---- */

/* The index is the planner of the searches inside. */
static cairn_status sga_create(cairn_planner *planner, cairn_error *error)
{
    cairn_planner *inner = NULL;
    const char *name = sga_inner_choices[crn_parameter_of(planner, "inner")];
    cairn_status status = cairn_planner_create(planner->space, name, &inner, NULL);
    if (status == CAIRN_UNSUPPORTED) { /* in this neighbourhood */
        status = cairn_planner_create(planner->space, sga_inner_choices[SGA_INNER_ASTAR], &inner, error);
    }
    planner->index = inner;
    planner->unlabelled = crn_parameter_of(planner, "labels") == SGA_LABELS_OFF;
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
    SGA_REFINE, /* from the sub-goal back to the end of the way */
    SGA_READ,   /* what that search found becomes a part of the way */
    SGA_JOIN,   /* both ways have met */
    SGA_SMOOTH
} sga_phase;

/* The two ways. */
enum { SGA_FORE, SGA_TAIL };

typedef struct sga_search {
    crn_way way; /* from the start on */
    cairn_search *search;
    const crn_grid_space *map;
    crn_inner inner;
    uint32_t variant, trim, smooth;
    bool labelled;
    uint64_t region; /* of the start, if labelled */

    uint8_t *tail; /* the directions of the steps from the goal on */
    size_t tail_count, tail_capacity;
    cairn_cell ends[2]; /* of both ways */

    sga_phase phase;
    uint32_t side;     /* the way whose turn it is */
    bool begun;        /* the search inside */
    bool last;         /* the sub-goal, or the way, is where everything ends */
    bool given;        /* a piece of the way has been */
    bool given_up;     /* the goal cannot be reached, but a way towards it is wanted */
    crn_sga_line line; /* from end to end */
    cairn_cell subgoal, first_subgoal;
    bool tried; /* there has been a sub-goal in this turn */

    /* Reading a piece: step by step off the records, or along lines between the points where it turns. */
    bool stepwise;
    cairn_node read;
    const cairn_node *points; /* those below `point` are to come */
    uint32_t point;
    crn_sga_line piece;
    cairn_cell piece_start, target; /* target: from there to the other end */
    cairn_cell best;                /* where it is to be trimmed ... */
    size_t best_count;              /* ... so many nodes or steps are left then; 0 = nowhere */
    uint64_t farthest;

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
static uint64_t sga_region(const sga_search *s, cairn_cell cell)
{
    return crn_labels_region(&s->map->labels, s->map, (uint32_t)cell.x, (uint32_t)cell.y);
}

static void sga_close(cairn_search *search)
{
    crn_best_first_close_plain(search);
    sga_search *s = search->scratch;
    if (!s) return;
    crn_inner_close(&s->inner);
    crn_way_close(&s->way);
    crn_scratch_free(&search->memory, s->tail, s->tail_capacity * sizeof *s->tail);
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
    s->labelled = crn_parameter_of(search->planner, "labels") == SGA_LABELS_ON;
    crn_way_open(&s->way, search);
    return crn_inner_open_planner(&s->inner, &search->memory, search, search->planner->index, 0);
}

static void sga_note_peak(sga_search *s)
{
    uint64_t bytes = crn_way_bytes(&s->way) + s->tail_count;
    if (bytes > s->peak) s->peak = bytes;
}

/* The line of the next turn. Both ends where they were before, whoever's turn it was: from now on nothing is trimmed. */
static void sga_begin_turn(sga_search *s)
{
    if (sga_same(s->ends[SGA_FORE], s->noted[SGA_FORE]) && sga_same(s->ends[SGA_TAIL], s->noted[SGA_TAIL])) {
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

static cairn_status sga_begin(cairn_search *search)
{
    cairn_status status;
    if (crn_way_hands_over(search, &status)) return status;
    sga_search *s = sga_of(search);
    cairn_node from = search->query.from, to = search->goals[0];
    crn_way_announce(search);
    crn_inner_rest(&s->inner);
    status = crn_way_begin(&s->way, from);
    if (status != CAIRN_OK) return status;
    s->region = s->labelled ? sga_region(s, cairn_grid_cell(s->map->grid, from)) : 0;
    s->tail_count = 0;
    s->peak = 0;
    s->side = SGA_FORE;
    s->begun = s->last = s->given = s->given_up = false;
    s->trimming = s->variant > 1;
    s->turns = 0;
    s->patience = 1;
    s->noted[SGA_FORE] = s->noted[SGA_TAIL] = (cairn_cell){-1, -1};
    s->ends[SGA_FORE] = cairn_grid_cell(s->map->grid, from);
    s->ends[SGA_TAIL] = cairn_grid_cell(s->map->grid, to);
    sga_begin_turn(s);
    if (from != to) return CAIRN_RUNNING;
    search->metrics.generated = 1;
    return crn_way_found(search, true);
}

/* ---- both ways ---- */

/* Some steps more of the way whose turn it is, and where they lead. */
static cairn_status sga_walk(sga_search *s, const uint8_t *directions, uint32_t count, cairn_cell end)
{
    if (!count) return CAIRN_OK;
    s->ends[s->side] = end;
    if (s->side == SGA_FORE) return crn_way_walk(&s->way, directions, count);
    if (CRN_UNLIKELY(s->tail_count + count > s->tail_capacity)) {
        void *tail = s->tail;
        if (!crn_scratch_grow(&s->search->memory, &tail, &s->tail_capacity, s->tail_count + count,
                              sizeof *s->tail))
            return CAIRN_OUT_OF_MEMORY;
        s->tail = tail;
    }
    memcpy(s->tail + s->tail_count, directions, count);
    s->tail_count += count;
    return CAIRN_OK;
}

static size_t sga_count(const sga_search *s)
{
    return s->side == SGA_FORE ? s->way.count : s->tail_count;
}

/* The way, or a piece of it, is ready but for smoothing. */
static cairn_status sga_finish(sga_search *s, bool last)
{
    s->last = last;
    sga_note_peak(s);
    if (!s->search->metrics.generated) s->search->metrics.generated = 1;
    if (last && s->given_up) return CAIRN_UNREACHABLE;
    if (s->smooth == CRN_SMOOTH_NONE) return crn_way_found(s->search, last);
    s->phase = SGA_SMOOTH;
    return crn_way_smooth_begin(&s->way, s->smooth == CRN_SMOOTH_BOX ? CRN_WAY_BOX : 0);
}

/* Is the piece long enough? Without labels nobody knows yet whether there is a way at all, so there is only one. */
static bool sga_suffices(const sga_search *s)
{
    return s->labelled && crn_way_suffices(&s->way);
}

/* The other way's turn. */
static cairn_status sga_turn(sga_search *s)
{
    bool enough = s->side == SGA_FORE && sga_suffices(s);
    s->side = !s->side;
    sga_begin_turn(s);
    return enough ? sga_finish(s, false) : CAIRN_RUNNING;
}

/* Both ends are the same cell: the tail turned round is the rest of the way. */
static void sga_meet(sga_search *s)
{
    s->side = SGA_FORE;
    s->phase = SGA_JOIN;
}

static cairn_status sga_join(sga_search *s)
{
    uint8_t directions[SGA_STRIDE];
    uint32_t count = 0;
    while (count < SGA_STRIDE && s->tail_count) directions[count++] = s->tail[--s->tail_count] ^ 2u;
    cairn_status status = crn_way_walk(&s->way, directions, count);
    return status == CAIRN_OK ? s->tail_count ? CAIRN_RUNNING : sga_finish(s, true) : status;
}

/* No sub-goal up to the other end can be reached. */
static cairn_status sga_fail(sga_search *s)
{
    bool start_is_all = sga_same(s->first_subgoal, s->ends[SGA_FORE]);
    if (s->side == SGA_FORE || !s->search->query.partial || start_is_all) return CAIRN_UNREACHABLE;
    s->given_up = true;
    s->tail_count = 0;
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
        sga_meet(s);
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
        crn_trace(s->search, CAIRN_EVENT_SEGMENT, sga_node(s, next), sga_node(s, cell), CAIRN_NO_COST, 0);
        cell = next;
    }
}

static void sga_trace_subgoal(const sga_search *s)
{
    crn_trace(s->search, CAIRN_EVENT_SUBGOAL, sga_node(s, s->subgoal), sga_node(s, s->ends[s->side]),
              CAIRN_NO_COST, 0);
}

static cairn_status sga_draw(sga_search *s)
{
    uint8_t directions[SGA_STRIDE];
    uint32_t count = 0;
    const crn_grid_space *map = s->map;
    crn_sga_line line = s->line;
    cairn_cell end = line.at; /* of what can be walked */
    bool legal = true;
    while (count < SGA_STRIDE && line.left) {
        uint32_t direction = crn_sga_line_turn(&line);
        legal = sga_legal(map, end, direction);
        line.at = crn_sga_beside(end, direction);
        if (!legal) break;
        end = line.at;
        directions[count++] = (uint8_t)direction;
    }
    s->line = line;
    if (s->variant < 3) {
        if (s->search->traced) sga_trace_segment(s, directions, count);
        cairn_status status = sga_walk(s, directions, count, end);
        if (status != CAIRN_OK) return status;
    }
    if (!legal) {
        s->phase = SGA_CROSS;
    } else if (!line.left) {
        sga_drawn(s);
    }
    return CAIRN_RUNNING;
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
    const cairn_search *inner = &s->inner.search;
    uint32_t count = 1;
    s->stepwise = inner->handed || inner->planner->algorithm->begin == crn_best_first_begin;
    s->points = s->stepwise ? NULL : crn_inner_points(&s->inner, &count);
    if (!s->points && !s->stepwise) return CAIRN_OUT_OF_MEMORY;
    s->point = count - 1; /* the last one is where the way ends so far */
    s->read = sga_node(s, s->ends[s->side]);
    s->piece.left = 0;
    sga_begin_piece(s);
    s->phase = SGA_READ;
    return CAIRN_RUNNING;
}

/* The next steps of the piece: off the records, or from point to point; fewer than a stride are the last ones. */
static uint32_t sga_read_steps(sga_search *s, uint8_t *directions)
{
    if (s->stepwise) return crn_best_first_back(&s->inner.search, &s->read, directions, SGA_STRIDE);
    for (uint32_t count = 0;; directions[count++] = (uint8_t)crn_sga_line_step(&s->piece)) {
        if (count == SGA_STRIDE) return count;
        if (s->piece.left) continue;
        if (!s->point) return count;
        cairn_cell from = cairn_grid_cell(s->map->grid, s->points[s->point]);
        s->point--;
        crn_sga_line_begin(&s->piece, s->map, from, cairn_grid_cell(s->map->grid, s->points[s->point]));
    }
}

static cairn_status sga_refine(sga_search *s, uint64_t *work)
{
    cairn_status status = CAIRN_RUNNING;
    if (!s->begun) {
        cairn_node from = sga_node(s, s->subgoal), to = sga_node(s, s->ends[s->side]);
        if (s->search->traced) sga_trace_subgoal(s);
        status = crn_inner_begin_again(&s->inner, from, to);
    }
    s->begun = true;
    if (status == CAIRN_RUNNING) status = crn_inner_step(&s->inner, work);
    if (status == CAIRN_FOUND) return sga_begin_reading(s);
    if (status != CAIRN_UNREACHABLE) return status;
    if (s->last) return sga_fail(s);
    s->phase = SGA_PASS;
    return CAIRN_RUNNING;
}

/* Of the cells that the steps lead to: is it better to trim the piece at one of them than anywhere before? */
static void sga_consider(sga_search *s, const uint8_t *directions, uint32_t count)
{
    cairn_cell cell = s->ends[s->side], target = s->target;
    int64_t square = s->map->hex ? 3 : 1;
    uint64_t farthest = s->farthest;
    uint32_t best = count; /* none of them */
    cairn_cell best_cell = s->best;
    for (uint32_t i = 0; i < count; i++) {
        cell = crn_sga_beside(cell, directions[i]);
        cairn_cell here = sga_between(s, s->piece_start, cell);
        int64_t x = here.x, y = here.y;
        if (x * target.x + square * y * target.y <= 0) continue;
        int64_t far = x * x + square * y * y;
        if (s->trim == SGA_TRIM_DEVIATION) far = (x < 0 ? -x : x) + (s->map->hex ? 2 : 1) * (y < 0 ? -y : y);
        if ((uint64_t)far <= farthest) continue;
        farthest = (uint64_t)far;
        best_cell = cell;
        best = i;
    }
    if (best == count) return;
    s->farthest = farthest;
    s->best = best_cell;
    s->best_count = sga_count(s) + best + 1;
}

/* Some steps of a piece become a part of the way. */
static cairn_status sga_take(sga_search *s, const uint8_t *directions, uint32_t count, cairn_cell end)
{
    if (s->trimming && !s->last) sga_consider(s, directions, count);
    return sga_walk(s, directions, count, end);
}

/* The piece is a part of the way now. */
static cairn_status sga_read_all(sga_search *s)
{
    sga_note_peak(s);
    if (s->last) {
        sga_meet(s);
        return CAIRN_RUNNING;
    }
    if (s->variant == 1) {
        s->tried = false;
        s->phase = SGA_DRAW; /* on with the same line */
        return sga_suffices(s) ? sga_finish(s, false) : CAIRN_RUNNING;
    }
    if (s->trimming && s->best_count) {
        s->ends[s->side] = s->best;
        if (s->side == SGA_FORE) {
            s->way.count = s->best_count;
        } else {
            s->tail_count = s->best_count;
        }
    }
    return sga_turn(s);
}

static cairn_status sga_read(sga_search *s)
{
    uint8_t directions[SGA_STRIDE];
    uint32_t count = sga_read_steps(s, directions);
    cairn_cell end = s->stepwise ? cairn_grid_cell(s->map->grid, s->read) : s->piece.at;
    cairn_status status = sga_take(s, directions, count, end);
    if (status != CAIRN_OK) return status;
    return count < SGA_STRIDE ? sga_read_all(s) : CAIRN_RUNNING;
}

/* ---- over what is blocked ---- */

/* The commonest obstacle is a corner that must not be cut: the sub-goal is one step away, across it, and where all steps cost the same the cheapest
 * way is that over the free cell beside. No need to search. */
static bool sga_is_corner(const sga_search *s, uint8_t *directions)
{
    const crn_grid_space *map = s->map;
    cairn_cell end = s->ends[s->side], d = {s->line.at.x - end.x, s->line.at.y - end.y};
    if (d.x * d.x != 1 || d.y * d.y != 1 || !map->uniform || map->limited || map->hex) return false;
    if (map->profile.neighbours != CAIRN_NEIGHBOURS_8) return false;
    bool level = crn_bit(&map->usable, end.x + d.x, end.y);
    if (!level && !crn_bit(&map->usable, end.x, end.y + d.y)) return false;
    directions[!level] = d.x > 0 ? CRN_E : CRN_W;
    directions[level] = d.y > 0 ? CRN_S : CRN_N;
    return true;
}

static cairn_status sga_go_round(sga_search *s, const uint8_t *directions)
{
    sga_aim(s, s->line.at);
    if (s->search->traced) {
        sga_trace_subgoal(s);
        sga_trace_segment(s, directions, 2);
    }
    sga_begin_piece(s);
    cairn_status status = sga_take(s, directions, 2, s->line.at);
    return status == CAIRN_OK ? sga_read_all(s) : status;
}

/* At the first cell of the line that can be stood on. The other end always can be reached, if labels are asked. */
static cairn_status sga_arrive(sga_search *s)
{
    uint8_t directions[2];
    if (sga_is_corner(s, directions)) return sga_go_round(s, directions);
    if (s->labelled && sga_region(s, s->line.at) != s->region) {
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

/* What hangs together with a sub-goal that cannot be reached cannot be reached either. */
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
    cairn_status status = crn_way_smooth_step(&s->way, work);
    sga_note_peak(s);
    if (status != CAIRN_OK) return status;
    s->phase = SGA_DRAW;
    return crn_way_found(s->search, s->last);
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
    if (search->handed) return crn_best_first_step(search, work);
    sga_search *s = sga_of(search);
    cairn_status status = CAIRN_RUNNING;
    while (work && status == CAIRN_RUNNING) {
        status = s->phase == SGA_REFINE   ? sga_refine(s, &work)
                 : s->phase == SGA_SMOOTH ? sga_smooth(s, &work)
                                          : sga_unit(s, &work);
    }
    search->metrics.peak_bytes = sizeof *s + s->peak + s->inner.peak;
    if (status == CAIRN_COST_OVERFLOW && !s->given) return crn_best_first_begin_plain(search);
    return status;
}

static cairn_status sga_next(cairn_search *search)
{
    sga_of(search)->given = true;
    crn_way_next(&sga_of(search)->way);
    return CAIRN_RUNNING;
}

const crn_algorithm crn_algorithm_sga = {
    .info = {.name = "sga",
             .aliases = "sga* spatial-grid-astar",
             .summary =
                 "straight lines, and searches only round what stands in their way: no index, little work",
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
    .begin = sga_begin,
    .step = sga_step,
    .next = sga_next,
    CRN_WAY_FUNCTIONS,
};
