/* sga.c: spatial grid A* (SGA*): straight lines, and searches only round the obstacles on them.
 *
 * A line is drawn from the start to the goal. As long as its cells can be walked it is the path.
 * Where it is blocked, the next open cell on it becomes a sub-goal, and a search joins both. On
 * open maps with scattered obstacles most of the path costs very little, and searches see only the
 * surroundings of an obstacle. There is no index: every edit is free.
 *
 * - variant=1: one line from start to goal; the path leads over every sub-goal.
 * - variant=2: two paths grow towards each other, by turns. After each search a new line is drawn,
 *   from the end of the one to the end of the other, and the path that was searched is trimmed: it
 *   ends where it is farthest from its beginning, for that is where it has come round the obstacle.
 *   Far is meant by Euclid's distance (trim=distance) or by the larger of both coordinates'
 *   differences (trim=deviation). Only cells in front are considered, that is, nearer to the other
 *   end along the line between both, else the paths get trapped in hollows. Nothing is trimmed if
 *   the sub-goal is the other path's end: then both have met.
 * - variant=3: as 2, but lines only choose sub-goals, and searches find the whole path to them:
 *   shorter paths, more work.
 *
 * Most obstacles are small. Round a corner that must not be cut no search is needed (sga_corner).
 * Where both ends are near, one in a window does (sga_nearby.h); if that is too narrow, the whole
 * map is searched. A subsearch with parameters of its own (subsearch=astar/open=heap/tie=small-g)
 * takes no such shortcuts: it searches every piece, as the thesis' A* does.
 *
 * Searches run from the sub-goal back to the end of the path. So a sub-goal that cannot be reached,
 * in a small closed place on the line, is found out after searching only that place. Then the next
 * open piece of the line gets the sub-goal. With labels=on the components of the space tell this
 * without any search, and for the goal before anything else. With labels=off the search has partial
 * paths of its own: of variant 1 the path as far as it came; of the others, if the path from the
 * goal cannot get out, the first sub-goal that it tried becomes the goal instead.
 *
 * It ends: if both ends are ever where they were before, nothing is trimmed any more, and then
 * every turn brings them at least one step of the line nearer. (Brent's method of finding cycles
 * remembers only one pair of ends.) It is complete: it fails only if a complete search finds no
 * path from one end to the other. Not optimal, no bound; smoothing by rays (smooth=rays) removes
 * most of the detours.
 *
 * Source: B. Anguelov's thesis, section 8.2. Its listings are corrected: the last piece of a line
 * counts; both halves of variants 2 and 3 are in the loop, which ends with the half that connects;
 * the piece that connects is not trimmed. The thesis does not define its distances and "in front";
 * the above is our reading of its pictures. Of four norms tried for the deviation, only the larger
 * difference has the clear effect on pseudo-RTS maps that the thesis reports (T 8.3.6).
 */
#include "path/line.h"
#include "spatial/sga/sga_search.h"

static const char *const sga_trim_choices[] = {"distance", "deviation", NULL};
static const char *const sga_label_choices[] = {"off", "on", NULL};
/* Names of algorithms: complete ones that need no index. */
static const char *const sga_subsearch_choices[] = {"astar",  "astar-fast", "dijkstra", "wastar",
                                                    "greedy", "bfs",        "jps",      NULL};

static const cairn_parameter sga_parameters[] = {
    {"variant", "one line; two paths with trimming; these without the lines",
     CAIRN_PARAMETER_INTEGER, 1, 3, 2, NULL},
    {"trim", "what is farthest: by distance, or by the larger of both differences",
     CAIRN_PARAMETER_CHOICE, SGA_TRIM_DISTANCE, SGA_TRIM_DEVIATION, SGA_TRIM_DISTANCE,
     sga_trim_choices},
    {"labels", "ask the connected components of the space what can be reached",
     CAIRN_PARAMETER_CHOICE, SGA_LABELS_OFF, SGA_LABELS_ON, SGA_LABELS_ON, sga_label_choices},
    {"subsearch", "the search around obstacles, as NAME or NAME/key=value/key=value",
     CAIRN_PARAMETER_CHOICE, SGA_SUBSEARCH_ASTAR, SGA_SUBSEARCH_COUNT - 1, SGA_SUBSEARCH_ASTAR,
     sga_subsearch_choices},
    {"smooth", "straighten paths by rays, of any length or inside a box", CAIRN_PARAMETER_CHOICE,
     CRN_SMOOTH_NONE, CRN_SMOOTH_BOX, CRN_SMOOTH_NONE, crn_smooth_choices},
};

/* ---- the planner ---- */

/* The index is the planner of the searches inside. */
static cairn_status sga_create(cairn_planner *planner, cairn_error *error)
{
    cairn_planner *subsearch = NULL;
    const char *name = sga_subsearch_choices[crn_parameter_of(planner, "subsearch")];
    char spec[CRN_MAX_NESTED + 32];
    crn_format(spec, sizeof spec, "%s:%s", name, planner->nested);
    bool own = planner->nested[0];
    cairn_status status =
        cairn_planner_create(planner->space, spec, &subsearch, own ? error : NULL);
    if (status == CAIRN_UNSUPPORTED && !own) { /* in this neighbourhood */
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

/* Of a cell that can be stood on; there are no links. */
static uint64_t sga_component(const crn_sga_search *s, cairn_cell cell)
{
    return crn_components_find(&s->map->components, s->map, (uint32_t)cell.x, (uint32_t)cell.y);
}

/* Can a cell of the line be reached? Mostly it lies in the same tile as the end of the path, where
 * everything is connected. */
static bool sga_is_connected(const crn_sga_search *s, cairn_cell cell)
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
    crn_sga_search *s = search->scratch;
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
    crn_sga_search *s = crn_scratch_alloc(&search->memory, sizeof *s);
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

void crn_sga_note_peak(crn_sga_search *s, size_t of_the_result)
{
    uint64_t bytes = of_the_result + s->trails[SGA_FORE].count + s->trails[SGA_TAIL].count;
    if (bytes > s->peak) s->peak = bytes;
}

/* Draws the line of the next turn. If both ends are where they were before, on any turn, nothing is
 * trimmed from now on. */
static void sga_begin_turn(crn_sga_search *s)
{
    if (crn_sga_same(s->ends[SGA_FORE], s->noted[SGA_FORE]) &&
        crn_sga_same(s->ends[SGA_TAIL], s->noted[SGA_TAIL])) {
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

/* Is a path of straight steps the cheapest where no diagonal one fits? One of three diagonal steps
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
    crn_sga_search *s = crn_sga_of(search);
    cairn_node from = search->query.from, to = search->goals[0];
    crn_search_announce(search, 0);
    if (s->subsearch) crn_subsearch_rest(s->subsearch);
    /* Parameters of its own: every piece is searched, exactly as asked. */
    bool own = search->planner->nested[0];
    s->corners = !own && sga_has_corners(s->map);
    s->small = !own && crn_nearby_prepare(&s->near) &&
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

/* ---- both paths ---- */

/* More room for a path, and for the first one also where it will be a part of the result. */
bool crn_sga_grow(crn_sga_search *s, uint32_t side)
{
    crn_sga_steps *builder = &s->trails[side];
    void *directions = builder->directions;
    size_t need = builder->count + SGA_STRIDE;
    bool ok = crn_scratch_grow(&s->search->memory, &directions, &builder->capacity, need, 1);
    builder->directions = directions;
    return ok && (side == SGA_TAIL || crn_builder_reserve(&s->builder, need + 1) == CAIRN_OK);
}

/* The result is ready but for smoothing. */
static cairn_status sga_finish(crn_sga_search *s)
{
    crn_sga_note_peak(s, crn_builder_bytes(&s->builder));
    s->phase = SGA_DRAW; /* of the next piece */
    if (!s->search->metrics.generated) s->search->metrics.generated = 1;
    if (s->last && s->given_up) return CAIRN_UNREACHABLE;
    if (s->smooth == CRN_SMOOTH_NONE) return crn_builder_found(s->search, s->last);
    s->phase = SGA_SMOOTH;
    return crn_builder_smooth_begin(&s->builder, s->smooth == CRN_SMOOTH_BOX ? CRN_BUILDER_BOX : 0);
}

/* Appends some more steps of the first path to the result; false: there are none left, or (*status)
 * there is no memory. */
static bool sga_join_fore(crn_sga_search *s, cairn_status *status)
{
    const crn_sga_steps *fore = &s->trails[SGA_FORE];
    size_t left = fore->count - s->joined;
    uint32_t count = left < SGA_JOINING ? (uint32_t)left : SGA_JOINING;
    if (!left) return false;
    *status = crn_builder_walk(&s->builder, fore->directions + s->joined, count);
    s->joined += count;
    return *status == CAIRN_OK;
}

/* Both ends are the same cell: the second path reversed is the rest of the first. Appends some
 * steps of it. */
static cairn_status sga_join_tail(crn_sga_search *s)
{
    crn_sga_steps *fore = &s->trails[SGA_FORE], *tail = &s->trails[SGA_TAIL];
    uint8_t *directions = crn_sga_room(s, SGA_FORE);
    if (!directions) return CAIRN_OUT_OF_MEMORY;
    size_t count = tail->count < SGA_STRIDE ? tail->count : SGA_STRIDE;
    const uint8_t *last = tail->directions + tail->count;
    for (size_t i = 0; i < count; i++) directions[i] = *--last ^ 2u;
    tail->count -= count;
    fore->count += count;
    return CAIRN_RUNNING;
}

static cairn_status sga_join(crn_sga_search *s)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < SGA_JOINING && s->last && s->trails[SGA_TAIL].count; i += SGA_STRIDE) {
        if (sga_join_tail(s) != CAIRN_RUNNING) return CAIRN_OUT_OF_MEMORY;
    }
    if (sga_join_fore(s, &status)) return CAIRN_RUNNING;
    return status == CAIRN_OK ? sga_finish(s) : status;
}

/* Is the piece long enough? Without labels it is not known yet whether there is a path at all, so
 * there is only one piece. */
bool crn_sga_suffices(const crn_sga_search *s)
{
    uint32_t piece = s->search->query.piece;
    return piece && s->uses_components && s->trails[SGA_FORE].count >= piece;
}

/* The other path's turn. */
cairn_status crn_sga_turn(crn_sga_search *s)
{
    bool enough = s->side == SGA_FORE && crn_sga_suffices(s);
    s->side = !s->side;
    sga_begin_turn(s);
    if (enough) crn_sga_deliver(s, false);
    return CAIRN_RUNNING;
}

/* No sub-goal up to the other end can be reached. */
cairn_status crn_sga_fail(crn_sga_search *s)
{
    bool start_is_all = crn_sga_same(s->first_subgoal, s->ends[SGA_FORE]);
    if (s->side == SGA_FORE || !s->search->query.partial || start_is_all) return CAIRN_UNREACHABLE;
    s->given_up = true;
    s->trails[SGA_TAIL].count = 0;
    s->ends[SGA_TAIL] = s->first_subgoal;
    return crn_sga_turn(s);
}

/* ---- lines ---- */

CRN_INLINE bool sga_legal(const crn_grid_space *map, cairn_cell from, uint32_t direction)
{
    uint32_t x = (uint32_t)from.x, y = (uint32_t)from.y, moves = crn_grid_moves(map, x, y);
    if (CRN_UNLIKELY(map->limited)) moves = crn_grid_limit_moves(map, x, y, moves);
    return moves >> direction & 1;
}

static void sga_aim(crn_sga_search *s, cairn_cell subgoal)
{
    s->subgoal = subgoal;
    if (!s->tried) s->first_subgoal = subgoal;
    s->tried = true;
    s->last = !s->line.left;
    s->begun = false;
    s->phase = SGA_REFINE;
}

/* The line is free to its end. */
static void sga_drawn(crn_sga_search *s)
{
    if (s->variant < 3 || crn_sga_same(s->ends[SGA_FORE], s->ends[SGA_TAIL])) {
        crn_sga_deliver(s, true);
    } else {
        sga_aim(s, s->line.at);
    }
}

/* Tells the sink of steps along the line. */
static void sga_trace_segment(const crn_sga_search *s, const uint8_t *directions, uint32_t count)
{
    cairn_cell cell = s->ends[s->side];
    for (uint32_t i = 0; i < count; i++) {
        cairn_cell next = crn_sga_beside(cell, directions[i]);
        crn_trace(s->search, CAIRN_EVENT_SEGMENT, crn_sga_node(s, next), crn_sga_node(s, cell),
                  CAIRN_NO_COST, 0);
        cell = next;
    }
}

void crn_sga_trace_subgoal(const crn_sga_search *s)
{
    crn_trace(s->search, CAIRN_EVENT_SUBGOAL, crn_sga_node(s, s->subgoal),
              crn_sga_node(s, s->ends[s->side]), CAIRN_NO_COST, 0);
}

/* ---- over what is blocked ---- */

/* Returns how many of this many cells beside a cell, in a direction, are usable, up to the first
 * that is not. */
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
 * column. Along that of the path's end this many cells are free, and this many along its own, back
 * from it. If both pieces have a single column in common, one step over leads from the one to the
 * other there, and nowhere else; a diagonal step would need two columns. So this is the only path
 * as cheap, and there is no need to search. Returns how many steps it has; 0 = it is none. */
static uint32_t sga_corner(const crn_sga_search *s, uint8_t *directions)
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

static cairn_status sga_go_round(crn_sga_search *s, const uint8_t *directions, uint32_t count)
{
    sga_aim(s, s->line.at);
    if (s->search->traced) {
        crn_sga_trace_subgoal(s);
        sga_trace_segment(s, directions, count);
    }
    crn_sga_begin_piece(s);
    crn_sga_take(s, directions, count, s->line.at);
    return crn_sga_read_all(s);
}

/* At the first usable cell of the line. With labels, the other end can always be reached. */
static cairn_status sga_arrive(crn_sga_search *s)
{
    uint8_t *directions = crn_sga_room(s, s->side);
    if (!directions) return CAIRN_OUT_OF_MEMORY;
    uint32_t corner = sga_corner(s, directions);
    if (corner) return sga_go_round(s, directions, corner);
    if (s->uses_components && !sga_is_connected(s, s->line.at)) {
        s->phase = SGA_PASS;
    } else {
        sga_aim(s, s->line.at);
    }
    return CAIRN_RUNNING;
}

static cairn_status sga_cross(crn_sga_search *s)
{
    for (uint32_t i = 0; i < SGA_STRIDE; i++) {
        if (crn_bit(&s->map->usable, s->line.at.x, s->line.at.y)) return sga_arrive(s);
        crn_sga_line_step(&s->line);
    }
    return CAIRN_RUNNING;
}

/* Follows the line as far as it can be walked, and then over blocked cells. */
static cairn_status sga_draw(crn_sga_search *s)
{
    uint8_t *directions = crn_sga_room(s, s->side);
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
        crn_sga_walk(s, count, end);
    }
    if (legal && !line->left) sga_drawn(s);
    if (legal) return CAIRN_RUNNING;
    s->phase = SGA_CROSS;
    return sga_cross(s);
}

/* What is connected with a sub-goal that cannot be reached cannot be reached either. */
static cairn_status sga_pass(crn_sga_search *s)
{
    for (uint32_t i = 0; i < SGA_STRIDE; i++) {
        if (!s->line.left) return crn_sga_fail(s);
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

static cairn_status sga_smooth(crn_sga_search *s, uint64_t *work)
{
    cairn_status status = crn_builder_smooth_step(&s->builder, work);
    crn_sga_note_peak(s, crn_builder_bytes(&s->builder));
    if (status != CAIRN_OK) return status;
    s->phase = SGA_DRAW;
    return crn_builder_found(s->search, s->last);
}

/* Something small, for one unit of work. */
static cairn_status sga_unit(crn_sga_search *s, uint64_t *work)
{
    --*work;
    s->search->metrics.work++;
    switch (s->phase) {
    case SGA_DRAW: return sga_draw(s);
    case SGA_CROSS: return sga_cross(s);
    case SGA_PASS: return sga_pass(s);
    case SGA_READ: return crn_sga_read(s);
    default: return sga_join(s);
    }
}

static cairn_status sga_step(cairn_search *search, uint64_t work)
{
    crn_sga_search *s = crn_sga_of(search);
    cairn_status status = CAIRN_RUNNING;
    while (work && status == CAIRN_RUNNING) {
        status = s->phase == SGA_REFINE   ? crn_sga_refine(s, &work)
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
    crn_sga_search *s = crn_sga_of(search);
    s->trails[SGA_FORE].count = s->joined = 0;
    crn_builder_next(&s->builder);
    return CAIRN_RUNNING;
}

static cairn_status sga_path_to(cairn_search *search, cairn_node node)
{
    const crn_sga_search *s = crn_sga_of(search);
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
    crn_sga_search *s = crn_sga_of(search);
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
             .delegates = 1u << CAIRN_FEATURE_HEIGHTS | 1u << CAIRN_FEATURE_LINKS |
                          1u << CAIRN_FEATURE_MANY_GOALS,
             .parameters = sga_parameters,
             .parameter_count = CRN_COUNT(sga_parameters)},
    .create = sga_create,
    .destroy = sga_destroy,
    .open = sga_open,
    .close = sga_close,
    .handles = crn_builder_handles_undirected,
    .delegate = "astar",
    .nested = "subsearch",
    .begin = sga_begin,
    .step = sga_step,
    .next = sga_next,
    .path_to = sga_path_to,
    .cost_to = crn_builder_cost_to,
    .closest = sga_closest,
    .reached = crn_builder_reached,
};
