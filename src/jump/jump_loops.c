/* jump_loops.c: expanding a jump point, for each corner rule and for both sources of straight runs.
 * See jump.h.
 *
 * The rule and the source are constants to the functions below, which are inlined into one loop for
 * each combination.
 */
#include "jump/boxes.h"
#include "jump/glide.h"
#include "jump/jump.h"
#include "jump/scan.h"
#include "jump/table.h"

/* Cells of a diagonal jump that are one unit of work. */
#define JUMP_CELLS 64u

/* ---- relaxing ---- */

static CRN_NOINLINE void jump_trace_relax(const crn_jump *jump, const crn_jump_record *record,
                                          bool known, bool closed)
{
    const cairn_search *search = jump->search;
    uint32_t place = crn_jump_place(record);
    crn_jump_leg leg = crn_jump_leg_to(record);
    cairn_node parent = crn_jump_node(jump, record->parent);
    if (leg.diagonal && leg.straight && !crn_jump_is_linked(record)) {
        crn_trace(search, CAIRN_EVENT_PASS, crn_jump_node(jump, leg.turn), parent,
                  crn_saturate(jump->from_g + leg.diagonal * jump->diagonal),
                  crn_saturate(crn_jump_estimate(jump, leg.turn & 0xffff, leg.turn >> 16)));
    }
    crn_trace(search,
              !known   ? CAIRN_EVENT_GENERATE
              : closed ? CAIRN_EVENT_REOPEN
                       : CAIRN_EVENT_UPDATE,
              crn_jump_node(jump, place), parent, record->g,
              crn_saturate(crn_jump_estimate(jump, place & 0xffff, place >> 16)));
}

/* Once for all directions: clones would take 4 KB. */
CRN_NOCLONE void crn_jump_relax(crn_jump *jump, uint32_t x, uint32_t y, uint32_t arrival,
                                uint64_t g)
{
    crn_jump_records *records = &jump->records;
    uint32_t place = y << 16 | x;
    uint64_t key = crn_jump_key(records, place);
    bool known;
    crn_jump_record *record = crn_jump_records_at(records, key, &known);
    if (known && g >= record->g) return;
    uint64_t f = g + crn_jump_estimate(jump, x, y);
    if (f >= jump->bound) {
        jump->overflowed |= f > CAIRN_COST_MAX;
        return;
    }
    bool closed = known && record->key & CRN_JUMP_CLOSED;
    if (!known) {
        if (CRN_UNLIKELY(crn_jump_records_due(records))) {
            if (!crn_jump_records_tend(records)) return;
            record = crn_jump_records_at(records, key, &known);
        }
        records->count++;
    }
    if (CRN_UNLIKELY(closed)) jump->reopened++;
    *record = (crn_jump_record){key | arrival, (cairn_cost)g, jump->from};
    if (CRN_UNLIKELY(jump->search->traced)) jump_trace_relax(jump, record, known, closed);
    if (place == jump->goal) {
        jump->goal_found = true;
        jump->bound = g; /* f = g: nothing that is no better is worth keeping */
        return;
    }
    jump->pushes++;
    crn_sparse_push(&jump->open, f, place, (uint32_t)g);
}

/* ---- straight on ---- */

/* The run from a cell in a straight direction. */
CRN_INLINE uint32_t jump_run(const crn_jump *jump, bool table, uint32_t direction, uint32_t x,
                             uint32_t y)
{
    if (!table) return crn_scan_run(jump->map, direction, x, y);
    return crn_jump_run(jump->table, crn_jump_cell(jump->table, x, y), direction, x, y);
}

/* The jump point at the end of a run of this length from (x, y), which costs g. */
CRN_INLINE void jump_relax_end(crn_jump *jump, uint32_t direction, uint32_t length, uint32_t x,
                               uint32_t y, uint64_t g)
{
    crn_jump_relax(jump,
                   direction == CRN_E   ? x + length
                   : direction == CRN_W ? x - length
                                        : x,
                   direction == CRN_S   ? y + length
                   : direction == CRN_N ? y - length
                                        : y,
                   direction, g + length * jump->straight);
}

/* What lies at the end of a run from (x, y), which costs g: the goal, a jump point, or nothing. */
CRN_INLINE void jump_along(crn_jump *jump, uint32_t direction, uint32_t run, uint32_t x, uint32_t y,
                           uint64_t g)
{
    bool upright = direction == CRN_N || direction == CRN_S,
         up = direction == CRN_E || direction == CRN_S;
    uint32_t length = run & CRN_RUN_LENGTH;
    if (CRN_UNLIKELY(upright ? x == jump->goal_x : y == jump->goal_y)) {
        /* Behind us the difference is larger than any run. */
        uint32_t here = upright ? y : x, goal = upright ? jump->goal_y : jump->goal_x;
        uint32_t ahead = up ? goal - here : here - goal;
        if (ahead <= length) {
            crn_jump_relax(jump, jump->goal_x, jump->goal_y, direction, g + ahead * jump->straight);
            return;
        }
    }
    if (!(run & CRN_RUN_POINT)) return;
    jump_relax_end(jump, direction, length, x, y, g);
}

/* ---- diagonally ---- */

/* A cell that a diagonal jump may come to, whatever it is like: true if the jump ends there. */
CRN_INLINE bool jump_visit(crn_jump *jump, cairn_corners corners, bool table, uint32_t direction,
                           uint32_t x, uint32_t y, uint64_t g)
{
    const uint32_t level = direction == CRN_NE || direction == CRN_SE ? CRN_E : CRN_W;
    const uint32_t upright = direction == CRN_SE || direction == CRN_SW ? CRN_S : CRN_N;
    uint32_t moves = crn_grid_canonical_moves(jump->map, x, y, direction);
    if ((x == jump->goal_x && y == jump->goal_y) ||
        (CRN_UNLIKELY(jump->stops) && crn_bit(&jump->map->runs->stop, (int32_t)x, (int32_t)y)) ||
        (corners != CAIRN_CORNERS_NEVER &&
         moves & ~(1u << level | 1u << upright | 1u << direction))) {
        crn_jump_relax(jump, x, y, direction, g);
        return true;
    }
    if (moves & 1u << level) jump_along(jump, level, jump_run(jump, table, level, x, y), x, y, g);
    if (moves & 1u << upright)
        jump_along(jump, upright, jump_run(jump, table, upright, x, y), x, y, g);
    return !(moves & 1u << direction);
}

/* The cells from a bit on in one direction: its own is the lowest (up) or highest bit. */
CRN_INLINE uint64_t jump_cells(const uint8_t *bits, uint64_t bit, bool up)
{
    const uint8_t *at = bits + (bit >> 3);
    uint32_t shift = bit & 7;
    return up ? crn_word_load(at) >> shift : crn_word_load(at - 7) << (7 - shift);
}

/* Does the run from a bit end at a jump point? `usable`: the cells from there on. */
CRN_INLINE bool jump_sees(const crn_glide_axis *axis, uint64_t bit, uint64_t usable, bool up)
{
    uint32_t shift = bit & 7;
    const uint8_t *pass = axis->pass + (bit >> 3);
    if (up) {
        uint64_t stops = ~crn_word_load(pass) >> shift & ~UINT64_C(1);
        if (CRN_LIKELY(stops != 0)) return (usable & stops & (0 - stops)) != 0;
        while (!(stops = ~crn_word_load(pass += 8))) {
        }
        return crn_word_load(axis->usable + (pass - axis->pass)) >> crn_lowest_bit(stops) & 1;
    }
    uint64_t stops = ~crn_word_load(pass -= 7) << (7 - shift) << 1;
    if (CRN_LIKELY(stops != 0)) return usable << 1 << (63 - crn_highest_bit(stops)) >> 63;
    while (!(stops = ~crn_word_load(pass -= 8))) {
    }
    return crn_word_load(axis->usable + (pass - axis->pass)) >> crn_highest_bit(stops) & 1;
}

/* What is found at the next cell. */
CRN_INLINE crn_glide_found jump_look_ahead(const crn_glide_axis axes[2], const uint64_t at[2],
                                           bool right, bool down)
{
    const uint64_t top = UINT64_C(1) << 63;
    uint64_t row_at = at[0] + axes[0].ahead[0], column_at = at[1] + axes[1].ahead[0];
    uint64_t row = jump_cells(axes[0].usable, row_at, right),
             column = jump_cells(axes[1].usable, column_at, down);
    if (!(row & (right ? 1 : top))) return (crn_glide_found){0};
    bool leads_on = row & (right ? 2 : top >> 1) && column & (down ? 2 : top >> 1);
    return (crn_glide_found){1, leads_on, jump_sees(&axes[0], row_at, row, right),
                             jump_sees(&axes[1], column_at, column, down)};
}

/* The jump point at the end of the run from (x, y), which is known to be there. */
static CRN_NOINLINE void jump_to_point(crn_jump *jump, uint32_t direction, uint32_t x, uint32_t y,
                                       uint64_t g)
{
    uint32_t run;
    switch (direction) {
    case CRN_N: run = crn_scan_run(jump->map, CRN_N, x, y); break;
    case CRN_E: run = crn_scan_run(jump->map, CRN_E, x, y); break;
    case CRN_S: run = crn_scan_run(jump->map, CRN_S, x, y); break;
    default: run = crn_scan_run(jump->map, CRN_W, x, y); break;
    }
    jump_relax_end(jump, direction, run & CRN_RUN_LENGTH, x, y, g);
}

/* Under corners=never a diagonal is left only where a step is blocked, by a cell at its end or
 * beside it. Goes on for this many cells, none of them in the goal's row or column; true if it is
 * over. */
CRN_INLINE bool jump_glide(crn_jump *jump, uint32_t direction, uint32_t x, uint32_t y, uint64_t g,
                           uint32_t cells)
{
    const crn_grid_space *map = jump->map;
    const crn_runs *runs = map->runs;
    const bool right = direction == CRN_NE || direction == CRN_SE,
               down = direction == CRN_SE || direction == CRN_SW;
    const uint32_t along_row = right ? CRN_E : CRN_W, along_column = down ? CRN_S : CRN_N;
    const crn_glide_axis *axes = jump->axes[direction - CRN_NE];
    uint64_t at[2] = {(uint64_t)(y + 1) * map->usable.stride * 8 + x + 1,
                      (uint64_t)(x + 1) * runs->across.stride * 8 + y + 1};
    /* Groups look ahead, so they must be told where the map ends. */
    crn_glide *groups = jump->glide[direction - CRN_NE];
    uint32_t inside =
        crn_min_u32(right ? map->grid->width - 1 - x : x, down ? map->grid->height - 1 - y : y);
    inside = groups ? crn_min_u32(inside, cells) : 0;
    for (uint32_t gone = 0; gone < cells;) {
        crn_glide_found found;
        uint32_t count = 1;
        if (inside >= gone + CRN_GLIDE_LANES) {
            uint32_t quickly = groups(axes, at, inside - gone, &found);
            gone += quickly;
            at[0] += quickly * axes[0].ahead[0];
            at[1] += quickly * axes[1].ahead[0];
            if (inside < gone + CRN_GLIDE_LANES) continue;
            count = CRN_GLIDE_LANES;
        } else {
            found = jump_look_ahead(axes, at, right, down);
        }
        for (uint32_t k = 0; k < count; k++) {
            if (!(found.free >> k & 1)) return true;
            gone++;
            if ((found.row | found.column) >> k & 1) {
                uint32_t at_x = right ? x + gone : x - gone, at_y = down ? y + gone : y - gone;
                uint64_t at_g = g + gone * jump->diagonal;
                if (found.row >> k & 1) jump_to_point(jump, along_row, at_x, at_y, at_g);
                if (found.column >> k & 1) jump_to_point(jump, along_column, at_x, at_y, at_g);
            }
            if (!(found.leads_on >> k & 1)) return true;
        }
        at[0] += axes[0].ahead[count - 1];
        at[1] += axes[1].ahead[count - 1];
    }
    return false;
}

/* Cells of a diagonal before the next stop, or as many as a word shows. */
static CRN_NOINLINE uint32_t jump_before_stop(const crn_runs *runs, uint32_t direction, uint32_t x,
                                              uint32_t y)
{
    bool rising = direction == CRN_NE || direction == CRN_SW,
         right = direction == CRN_NE || direction == CRN_SE;
    const crn_bits *slant = &runs->stop_slant[rising ? 0 : 1];
    const uint8_t *row =
        slant->rows + ((size_t)crn_runs_slant(runs, rising, x, y) + 1) * slant->stride;
    uint32_t first = right ? x + 2 : x; /* the bit of the next cell */
    uint64_t stops = right ? crn_word_load(row + (first >> 3)) >> (first & 7)
                           : crn_word_load(row + (first >> 3) - 7) << (7 - (first & 7));
    if (!stops) return 57;
    return crn_min_u32(57, right ? crn_lowest_bit(stops) : 63 - crn_highest_bit(stops));
}

/* Cells of a diagonal before the one in the goal's row or column, if it gets there, or before a
 * stop. */
CRN_INLINE uint32_t jump_before_goal(const crn_jump *jump, uint32_t direction, uint32_t x,
                                     uint32_t y)
{
    bool right = direction == CRN_NE || direction == CRN_SE,
         down = direction == CRN_SE || direction == CRN_SW;
    /* Behind us the difference is huge; so it is, less one, beside us. */
    uint32_t wide = (right ? jump->goal_x - x : x - jump->goal_x) - 1;
    uint32_t high = (down ? jump->goal_y - y : y - jump->goal_y) - 1;
    uint32_t before = crn_min_u32(wide, high);
    return CRN_LIKELY(!jump->stops)
               ? before
               : crn_min_u32(before, jump_before_stop(jump->map->runs, direction, x, y));
}

/* The jump point that the table says lies at the end of the run from (x, y), if it does. */
CRN_INLINE void jump_table_point(crn_jump *jump, uint32_t cell, uint32_t direction, uint32_t x,
                                 uint32_t y, uint64_t g)
{
    if (!(cell & CRN_JUMP_POINT << 8 * direction)) return;
    uint32_t length = crn_jump_field(cell, direction) & CRN_JUMP_LENGTH;
    if (CRN_UNLIKELY(length == CRN_JUMP_LENGTH)) {
        length = crn_jump_long_run(jump->table, direction, x, y) & CRN_RUN_LENGTH;
    }
    jump_relax_end(jump, direction, length, x, y, g);
}

/* The diagonal jump with a table: visits only cells where it must stop, or that lie in the goal's
 * row or column. Goes on for this many of them; true if it is over. */
CRN_INLINE bool jump_diagonal_by_table(crn_jump *jump, cairn_corners corners, uint32_t direction,
                                       uint32_t x, uint32_t y, uint64_t g)
{
    const crn_jump_table *table = jump->table;
    const bool right = direction == CRN_NE || direction == CRN_SE,
               down = direction == CRN_SE || direction == CRN_SW;
    const uint32_t level = right ? CRN_E : CRN_W, upright = down ? CRN_S : CRN_N;
    const uint32_t level_length = CRN_JUMP_LENGTH << 8 * level,
                   upright_length = CRN_JUMP_LENGTH << 8 * upright;
    const ptrdiff_t row = (ptrdiff_t)table->width, step = (down ? row : -row) + (right ? 1 : -1);
    uint32_t before = jump_before_goal(jump, direction, x, y);
    const uint8_t *line = crn_jump_line_bits(table, direction, x, y);
    for (uint32_t left = JUMP_CELLS; left; left--) {
        uint32_t gone = crn_scan_passed(line, x + 1, right) + 1;
        bool crosses = gone > before;
        if (CRN_UNLIKELY(crosses)) gone = before + 1;
        before -= gone;
        x = right ? x + gone : x - gone;
        y = down ? y + gone : y - gone;
        g += gone * jump->diagonal;
        if (CRN_UNLIKELY(crosses) || corners != CAIRN_CORNERS_NEVER) {
            if (jump_visit(jump, corners, true, direction, x, y, g)) return true;
            before = jump_before_goal(jump, direction, x, y);
            continue;
        }
        const uint32_t *at = table->cells + ((size_t)y * table->width + x);
        uint32_t cell = *at;
        jump_table_point(jump, cell, level, x, y, g);
        jump_table_point(jump, cell, upright, x, y, g);
        /* Both cells beside the next step must be free, and where it leads. */
        if (!(cell & level_length) || !(cell & upright_length) || at[step] == CRN_JUMP_BLOCKED)
            return true;
    }
    jump->at_x = x;
    jump->at_y = y;
    jump->at_g = g;
    return false;
}

/* Goes on with the diagonal jump for this many cells; true if it is over. */
CRN_INLINE bool jump_diagonal(crn_jump *jump, cairn_corners corners, bool table, uint32_t direction,
                              uint32_t x, uint32_t y, uint64_t g)
{
    if (table) return jump_diagonal_by_table(jump, corners, direction, x, y, g);
    bool right = direction == CRN_NE || direction == CRN_SE,
         down = direction == CRN_SE || direction == CRN_SW;
    for (uint32_t left = JUMP_CELLS; left;) {
        uint32_t gone = 1;
        if (corners == CAIRN_CORNERS_NEVER) {
            uint32_t cells = crn_min_u32(left - 1, jump_before_goal(jump, direction, x, y));
            if (jump_glide(jump, direction, x, y, g, cells)) return true;
            gone += cells;
        }
        left -= gone;
        x = right ? x + gone : x - gone;
        y = down ? y + gone : y - gone;
        g += gone * jump->diagonal;
        if (jump_visit(jump, corners, false, direction, x, y, g)) return true;
    }
    jump->at_x = x;
    jump->at_y = y;
    jump->at_g = g;
    return false;
}

/* ---- the loop ---- */

/* The moves that are left where there are stops or boxes. */
static CRN_NOINLINE uint32_t jump_narrow(crn_jump *jump, uint32_t x, uint32_t y, uint32_t moves)
{
    if (jump->stops) moves = crn_jump_leave(jump, moves);
    if (!jump->boxes) return moves;
    return crn_jump_boxes_allow(jump->boxes, x, y, moves, jump->goal_x, jump->goal_y);
}

/* Follows the straight directions. Returns the diagonal ones, which come afterwards. */
CRN_INLINE uint32_t jump_expand(crn_jump *jump, bool table, uint32_t arrival)
{
    uint32_t x = jump->from & 0xffff, y = jump->from >> 16;
    uint64_t g = jump->from_g;
    uint32_t moves = crn_grid_canonical_moves(jump->map, x, y, arrival);
    if (CRN_UNLIKELY(jump->narrows)) moves = jump_narrow(jump, x, y, moves);
    if (table && x != jump->goal_x && y != jump->goal_y) {
        uint32_t cell = crn_jump_cell(jump->table, x, y);
        if (moves & 1u << CRN_N) jump_table_point(jump, cell, CRN_N, x, y, g);
        if (moves & 1u << CRN_E) jump_table_point(jump, cell, CRN_E, x, y, g);
        if (moves & 1u << CRN_S) jump_table_point(jump, cell, CRN_S, x, y, g);
        if (moves & 1u << CRN_W) jump_table_point(jump, cell, CRN_W, x, y, g);
    } else {
        if (moves & 1u << CRN_N)
            jump_along(jump, CRN_N, jump_run(jump, table, CRN_N, x, y), x, y, g);
        if (moves & 1u << CRN_E)
            jump_along(jump, CRN_E, jump_run(jump, table, CRN_E, x, y), x, y, g);
        if (moves & 1u << CRN_S)
            jump_along(jump, CRN_S, jump_run(jump, table, CRN_S, x, y), x, y, g);
        if (moves & 1u << CRN_W)
            jump_along(jump, CRN_W, jump_run(jump, table, CRN_W, x, y), x, y, g);
    }
    return moves >> CRN_NE << CRN_NE;
}

/* One unit of work on these diagonal jumps of the place being expanded, or what the last unit left
 * of them; true when all are done. */
CRN_INLINE bool jump_go_on(crn_jump *jump, cairn_corners corners, bool table, uint32_t moves)
{
    bool goes_on = jump->is_pending;
    for (; moves; moves &= moves - 1, goes_on = false) {
        uint32_t x = goes_on ? jump->at_x : jump->from & 0xffff,
                 y = goes_on ? jump->at_y : jump->from >> 16;
        uint64_t g = goes_on ? jump->at_g : jump->from_g;
        bool over = true;
        switch (crn_lowest_bit(moves)) {
        case CRN_NE: over = jump_diagonal(jump, corners, table, CRN_NE, x, y, g); break;
        case CRN_SE: over = jump_diagonal(jump, corners, table, CRN_SE, x, y, g); break;
        case CRN_SW: over = jump_diagonal(jump, corners, table, CRN_SW, x, y, g); break;
        default: over = jump_diagonal(jump, corners, table, CRN_NW, x, y, g); break;
        }
        if (CRN_UNLIKELY(!over)) {
            jump->moves = moves;
            return false;
        }
    }
    return true;
}

/* Takes the next record worth expanding; false if there is none. */
CRN_INLINE bool jump_take(crn_jump *jump, crn_jump_record **record)
{
    uint32_t place, g;
    for (;;) {
        while (CRN_UNLIKELY(!crn_sparse_pop(&jump->open, &place, &g))) {
            if (!crn_sparse_advance(&jump->open)) return false;
            if (crn_sparse_floor(&jump->open) >= jump->bound) return false;
        }
        bool known;
        *record = crn_jump_records_at(&jump->records, crn_jump_key(&jump->records, place), &known);
        if ((*record)->g != g) continue; /* improved meanwhile */
        if (CRN_UNLIKELY(jump->goal_found) &&
            g + crn_jump_estimate(jump, place & 0xffff, place >> 16) >= jump->bound) {
            continue;
        }
        jump->from = place;
        jump->from_g = g;
        return true;
    }
}

static CRN_NOINLINE void jump_trace(const crn_jump *jump, cairn_event_kind kind)
{
    bool known;
    const crn_jump_record *record =
        crn_jump_records_at(&jump->records, crn_jump_key(&jump->records, jump->from), &known);
    crn_trace(jump->search, kind, crn_jump_node(jump, jump->from),
              crn_jump_is_first(record) ? CAIRN_NO_NODE : crn_jump_node(jump, record->parent),
              record->g,
              crn_saturate(crn_jump_estimate(jump, jump->from & 0xffff, jump->from >> 16)));
}

CRN_INLINE cairn_status jump_loop(crn_jump *jump, uint64_t work, cairn_corners corners, bool table)
{
    jump->work += work; /* less what is left at the end */
    for (; work; work--) {
        uint32_t moves = jump->moves;
        if (CRN_LIKELY(!jump->is_pending)) {
            crn_jump_record *record;
            if (!jump_take(jump, &record)) {
                jump->work -= work - 1; /* seeing that nothing is left is work too */
                return jump->goal_found                                    ? CAIRN_FOUND
                       : jump->overflowed && !jump->search->query.max_cost ? CAIRN_COST_OVERFLOW
                                                                           : CAIRN_UNREACHABLE;
            }
            record->key |= CRN_JUMP_CLOSED;
            jump->expanded++;
            if (CRN_UNLIKELY(jump->search->traced)) jump_trace(jump, CAIRN_EVENT_EXPAND);
            moves = jump_expand(jump, table, record->key & CRN_JUMP_ARRIVAL);
            if (CRN_UNLIKELY(jump->linking)) jump->moves = moves;
        } else if (CRN_UNLIKELY(jump->linking)) {
            crn_jump_relax_links(jump);
            jump->is_pending = false;
        }
        jump->is_pending = jump->linking || !jump_go_on(jump, corners, table, moves);
        if (CRN_UNLIKELY(jump->search->traced) && !jump->is_pending)
            jump_trace(jump, CAIRN_EVENT_CLOSE);
        if (CRN_UNLIKELY(jump->search->memory.failed)) {
            jump->work -= work - 1;
            return CAIRN_OUT_OF_MEMORY;
        }
    }
    return CAIRN_RUNNING;
}

#define JUMP_LOOP(name, corners, table) \
    static cairn_status name(crn_jump *jump, uint64_t work) \
    { \
        return jump_loop(jump, work, corners, table); \
    }

JUMP_LOOP(jump_scan_never, CAIRN_CORNERS_NEVER, false)
JUMP_LOOP(jump_scan_one, CAIRN_CORNERS_ONE, false)
JUMP_LOOP(jump_scan_always, CAIRN_CORNERS_ALWAYS, false)
JUMP_LOOP(jump_table_never, CAIRN_CORNERS_NEVER, true)
JUMP_LOOP(jump_table_one, CAIRN_CORNERS_ONE, true)
JUMP_LOOP(jump_table_always, CAIRN_CORNERS_ALWAYS, true)

crn_jump_loop *crn_jump_choose(const crn_jump *jump)
{
    switch (jump->map->profile.corners) {
    case CAIRN_CORNERS_NEVER: return jump->table ? jump_table_never : jump_scan_never;
    case CAIRN_CORNERS_ONE: return jump->table ? jump_table_one : jump_scan_one;
    default: return jump->table ? jump_table_always : jump_scan_always;
    }
}
