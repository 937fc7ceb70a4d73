/* sga_piece.c: searching for a piece of the path of SGA*, from a sub-goal back to the end of the
 * path; reading it and trimming it. See sga.c. */
#include "spatial/sga/sga_search.h"

/* ---- pieces ---- */

/* As points of a plane: rows of hexagons are √3 half cells apart, and their cells two. */
static cairn_cell sga_between(const crn_sga_search *s, cairn_cell a, cairn_cell b)
{
    cairn_cell d = {b.x - a.x, b.y - a.y};
    if (s->map->hex) d.x = 2 * d.x + (b.y & 1) - (a.y & 1);
    return d;
}

void crn_sga_begin_piece(crn_sga_search *s)
{
    s->piece_start = s->ends[s->side];
    s->target = sga_between(s, s->piece_start, s->ends[!s->side]);
    s->best_count = 0;
    s->farthest = 0;
}

static cairn_status sga_begin_reading(crn_sga_search *s)
{
    crn_sga_begin_piece(s);
    s->phase = SGA_READ;
    if (s->is_near) return CAIRN_RUNNING;
    const cairn_search *subsearch = &s->subsearch->search;
    uint32_t count = 1;
    s->stepwise = subsearch->planner->algorithm->begin == crn_best_first_begin;
    s->points = s->stepwise ? NULL : crn_subsearch_points(s->subsearch, &count);
    if (!s->points && !s->stepwise) return CAIRN_OUT_OF_MEMORY;
    s->point = count - 1; /* the last one is where the path ends so far */
    s->read = crn_sga_node(s, s->ends[s->side]);
    s->piece.left = 0;
    return CAIRN_RUNNING;
}

/* The next steps of the piece: off the records, or from point to point; fewer than a stride are the
 * last ones. */
static uint32_t sga_read_steps(crn_sga_search *s, uint8_t *directions, cairn_cell *end)
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
static cairn_status sga_open_far(crn_sga_search *s)
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

static cairn_status sga_begin_far(crn_sga_search *s)
{
    cairn_status status = s->subsearch ? CAIRN_OK : sga_open_far(s);
    if (status != CAIRN_OK) return status;
    s->is_near = false;
    return crn_subsearch_begin_again(s->subsearch, crn_sga_node(s, s->subgoal),
                                     crn_sga_node(s, s->ends[s->side]));
}

static cairn_status sga_begin_refining(crn_sga_search *s)
{
    if (s->search->traced) crn_sga_trace_subgoal(s);
    s->begun = true;
    s->is_near = s->small && crn_nearby_begin(&s->near, s->subgoal, s->ends[s->side]);
    return s->is_near ? CAIRN_RUNNING : sga_begin_far(s);
}

/* Some work of the search, near or far. */
static cairn_status sga_search_on(crn_sga_search *s, uint64_t *work)
{
    if (!s->is_near) return crn_subsearch_step(s->subsearch, work);
    switch (crn_nearby_step(&s->near, work)) {
    case CRN_NEARBY_RUNNING: return CAIRN_RUNNING;
    case CRN_NEARBY_FOUND: return CAIRN_FOUND;
    case CRN_NEARBY_CLOSED: return CAIRN_UNREACHABLE;
    default: return sga_begin_far(s);
    }
}

cairn_status crn_sga_refine(crn_sga_search *s, uint64_t *work)
{
    cairn_status status = s->begun ? CAIRN_RUNNING : sga_begin_refining(s);
    if (status == CAIRN_RUNNING) status = sga_search_on(s, work);
    if (status == CAIRN_FOUND) status = sga_begin_reading(s);
    if (status != CAIRN_UNREACHABLE) return status;
    if (s->last) return crn_sga_fail(s);
    s->phase = SGA_PASS;
    return CAIRN_RUNNING;
}

/* Of the cells that the steps lead to: is it better to trim the piece at one of them than anywhere
 * before? */
CRN_INLINE void sga_consider_on(crn_sga_search *s, const uint8_t *directions, uint32_t count,
                                bool hex, bool deviation)
{
    const cairn_cell from = s->piece_start, end = s->ends[s->side];
    const int64_t target_x = s->target.x, target_y = s->target.y * (hex ? 3 : 1);
    int64_t x = end.x - from.x, y = end.y - from.y, farthest = s->farthest;
    uint32_t best = 0; /* none of them */
    for (uint32_t i = 0; i < count; i++) {
        x += crn_dx[directions[i]];
        y += crn_dy[directions[i]];
        int64_t right = hex ? 2 * x + ((y + from.y) & 1) - (from.y & 1) : x;
        int64_t across = right * right, down = (hex ? 3 : 1) * y * y;
        int64_t far = across + down;
        if (deviation) far = across > down ? across : down;
        bool better = (right * target_x + y * target_y > 0) & (far > farthest);
        farthest = better ? far : farthest;
        best = better ? i + 1 : best;
    }
    if (!best) return;
    s->farthest = farthest;
    s->best_count = s->trails[s->side].count + best;
}

static void sga_consider(crn_sga_search *s, const uint8_t *directions, uint32_t count)
{
    bool hex = s->map->hex, deviation = s->trim == SGA_TRIM_DEVIATION;
    if (!hex && !deviation) {
        sga_consider_on(s, directions, count, false, false);
    } else {
        sga_consider_on(s, directions, count, hex, deviation);
    }
}

/* Appends some steps of a piece to the path. */
void crn_sga_take(crn_sga_search *s, const uint8_t *directions, uint32_t count, cairn_cell end)
{
    if (s->trimming && !s->last) sga_consider(s, directions, count);
    crn_sga_walk(s, count, end);
}

/* Goes back to where the piece is farthest. */
static void sga_trim(crn_sga_search *s)
{
    crn_sga_steps *builder = &s->trails[s->side];
    cairn_cell end = s->ends[s->side];
    while (builder->count > s->best_count) {
        uint32_t back = builder->directions[--builder->count] ^ 2u;
        end.x += crn_dx[back];
        end.y += crn_dy[back];
    }
    s->ends[s->side] = end;
}

/* The piece is a part of the path now. */
cairn_status crn_sga_read_all(crn_sga_search *s)
{
    crn_sga_note_peak(s, 0);
    if (s->last) {
        crn_sga_deliver(s, true);
        return CAIRN_RUNNING;
    }
    if (s->variant == 1) {
        s->tried = false;
        s->phase = SGA_DRAW; /* on with the same line */
        if (crn_sga_suffices(s)) crn_sga_deliver(s, false);
        return CAIRN_RUNNING;
    }
    if (s->trimming && s->best_count) sga_trim(s);
    return crn_sga_turn(s);
}

cairn_status crn_sga_read(crn_sga_search *s)
{
    uint8_t *directions = crn_sga_room(s, s->side);
    if (!directions) return CAIRN_OUT_OF_MEMORY;
    cairn_cell end;
    uint32_t count = sga_read_steps(s, directions, &end);
    crn_sga_take(s, directions, count, end);
    return count < SGA_STRIDE ? crn_sga_read_all(s) : CAIRN_RUNNING;
}
