/* sga_nearby.c: A* between two cells that lie near each other. See sga_nearby.h. */
#include "spatial/sga/sga_nearby.h"
#include "path/line.h"

enum {
    NEARBY_GOAL = 1, /* the entry of the goal, seen or not */
    NEARBY_START = 2,
    NEARBY_BORDER = 255,                 /* in place of an entry */
    NEARBY_CLOSED = 0x20,                /* a bit of `move` */
    NEARBY_MIDDLE = CRN_NEARBY_SIDE / 2, /* where the goal is */
    NEARBY_GOAL_CELL = NEARBY_MIDDLE * CRN_NEARBY_SIDE + NEARBY_MIDDLE
};

_Static_assert(CRN_NEARBY_DISTANCES == (NEARBY_MIDDLE + 1) * (NEARBY_MIDDLE + 2) / 2,
               "all distances");

/* the most expensive step: a path of as many steps as there are entries must fit 32 bits */
#define NEARBY_COSTLIEST (1u << 22)

static const int16_t nearby_offset[CRN_DIRECTIONS] = {
    -(int16_t)CRN_NEARBY_SIDE,    1,
    (int16_t)CRN_NEARBY_SIDE,     -1,
    1 - (int16_t)CRN_NEARBY_SIDE, 1 + (int16_t)CRN_NEARBY_SIDE,
    (int16_t)CRN_NEARBY_SIDE - 1, -1 - (int16_t)CRN_NEARBY_SIDE};

/* Numbers the distances to the goal, by the longer and the shorter one along the axes, in order. */
static uint32_t nearby_distance(uint32_t longer, uint32_t shorter)
{
    return longer * (longer + 1) / 2 + shorter;
}

void crn_nearby_open(crn_nearby *nearby, cairn_search *search)
{
    *nearby = (crn_nearby){.search = search, .map = crn_grid_space_of(search->space)};
    for (uint32_t cell = 0; cell < CRN_NEARBY_SIDE * CRN_NEARBY_SIDE; cell++) {
        uint32_t x = cell % CRN_NEARBY_SIDE, y = cell / CRN_NEARBY_SIDE, last = CRN_NEARBY_SIDE - 1;
        uint32_t right = crn_line_distance((int32_t)x, NEARBY_MIDDLE),
                 down = crn_line_distance((int32_t)y, NEARBY_MIDDLE);
        nearby->own[cell] = x == 0 || y == 0 || x == last || y == last ? NEARBY_BORDER : 0;
        nearby->distance[cell] =
            (uint8_t)nearby_distance(crn_max_u32(right, down), crn_min_u32(right, down));
    }
}

/* Buckets are as wide as best_first.c makes them. */
bool crn_nearby_prepare(crn_nearby *nearby)
{
    const crn_grid_space *map = nearby->map;
    const cairn_space *space = nearby->search->space;
    cairn_cost straight = map->step[CRN_N], diagonal = map->step[CRN_NE];
    uint64_t farthest = (uint64_t)straight * (map->grid->width + map->grid->height);
    if (!map->uniform || map->hex || space->default_heuristic != CAIRN_HEURISTIC_OCTILE ||
        diagonal >= NEARBY_COSTLIEST || farthest > CAIRN_COST_MAX)
        return false;
    bool known = nearby->estimates[nearby_distance(1, 0)] == straight &&
                 nearby->estimates[nearby_distance(1, 1)] == diagonal;
    for (uint32_t longer = 0; longer <= NEARBY_MIDDLE && !known; longer++) {
        for (uint32_t shorter = 0; shorter <= longer; shorter++) {
            cairn_cost estimate = (longer - shorter) * straight + shorter * diagonal;
            nearby->estimates[nearby_distance(longer, shorter)] = estimate;
        }
    }
    nearby->shift = crn_highest_bit((uint64_t)space->min_edge * 45 / 128 + 1);
    return true;
}

static cairn_cost nearby_estimate(const crn_nearby *n, uint32_t cell)
{
    return n->estimates[n->distance[cell]];
}

static cairn_node nearby_node(const crn_nearby *n, uint32_t cell)
{
    uint32_t x = (uint32_t)n->corner.x + cell % CRN_NEARBY_SIDE,
             y = (uint32_t)n->corner.y + cell / CRN_NEARBY_SIDE;
    return y * n->map->grid->width + x;
}

static void nearby_trace(const crn_nearby *n, cairn_event_kind kind, uint32_t number)
{
    const crn_nearby_entry *entry = &n->entries[number];
    uint32_t move = entry->move & ~(uint32_t)NEARBY_CLOSED;
    cairn_node before = CAIRN_NO_NODE;
    if (move != CRN_NO_ARRIVAL)
        before = nearby_node(n, (uint32_t)(entry->cell + nearby_offset[move ^ 2]));
    crn_trace(n->search, kind, nearby_node(n, entry->cell), before, entry->g,
              nearby_estimate(n, entry->cell));
}

bool crn_nearby_begin(crn_nearby *nearby, cairn_cell from, cairn_cell to)
{
    cairn_cell d = {from.x - to.x, from.y - to.y};
    uint32_t reach = 2 * CRN_NEARBY_FAR;
    if ((uint32_t)d.x + CRN_NEARBY_FAR > reach || (uint32_t)d.y + CRN_NEARBY_FAR > reach)
        return false;
    for (uint32_t i = NEARBY_GOAL; i < nearby->count; i++) nearby->own[nearby->entries[i].cell] = 0;
    memset(nearby->buckets, 0, sizeof nearby->buckets);
    nearby->corner = (cairn_cell){to.x - NEARBY_MIDDLE, to.y - NEARBY_MIDDLE};
    uint32_t start = (uint32_t)(NEARBY_GOAL_CELL + d.y * (int32_t)CRN_NEARBY_SIDE + d.x);
    nearby->read = NEARBY_GOAL_CELL;
    nearby->bound = CAIRN_NO_COST;
    nearby->entries[NEARBY_GOAL] = (crn_nearby_entry){CAIRN_NO_COST, NEARBY_GOAL_CELL, 0, 0};
    nearby->entries[NEARBY_START] = (crn_nearby_entry){0, (uint16_t)start, 0, CRN_NO_ARRIVAL};
    nearby->own[NEARBY_GOAL_CELL] = NEARBY_GOAL;
    nearby->own[start] = NEARBY_START;
    nearby->count = NEARBY_START + 1;
    nearby->current = nearby_estimate(nearby, start) >> nearby->shift;
    nearby->buckets[nearby->current % CRN_NEARBY_BUCKETS] = NEARBY_START;
    nearby->filled = UINT64_C(1) << nearby->current % CRN_NEARBY_BUCKETS;
    nearby->search->metrics.generated++;
    nearby->search->metrics.pushes++;
    if (nearby->search->traced) nearby_trace(nearby, CAIRN_EVENT_PIECE, NEARBY_START);
    return true;
}

/* ---- the loop ---- */

/* What stays in registers while the loop runs: what never changes, and what always does. */
typedef struct nearby_run {
    uint32_t shift;
    uint64_t filled, current;
    cairn_cost bound;
    uint32_t count;
    /* entries of cells that had one before; those that are in no bucket */
    uint32_t renewed, unpushed, reopened;
} nearby_run;

/* Notes a path to the goal, whose cost bounds all others. */
CRN_INLINE void nearby_arrive(crn_nearby *n, nearby_run *r, uint32_t move, cairn_cost g,
                              bool traced)
{
    cairn_event_kind kind = r->bound == CAIRN_NO_COST ? CAIRN_EVENT_GENERATE : CAIRN_EVENT_UPDATE;
    n->entries[NEARBY_GOAL].g = r->bound = g;
    n->entries[NEARBY_GOAL].move = (uint8_t)move;
    if (traced) nearby_trace(n, kind, NEARBY_GOAL);
}

/* Relaxes a cell. False: it lies at the border. */
CRN_INLINE bool nearby_relax(crn_nearby *n, nearby_run *r, uint32_t cell, uint32_t move,
                             cairn_cost g, bool traced)
{
    uint32_t before = n->own[cell], number = r->count;
    cairn_event_kind kind = CAIRN_EVENT_GENERATE;
    if (before) {
        if (CRN_UNLIKELY(before == NEARBY_BORDER)) return false;
        if (g >= n->entries[before].g) return true;
        if (before == NEARBY_GOAL) {
            nearby_arrive(n, r, move, g, traced);
            return true;
        }
        bool closed = n->entries[before].move & NEARBY_CLOSED;
        kind = closed ? CAIRN_EVENT_REOPEN : CAIRN_EVENT_UPDATE;
        r->reopened += closed;
        r->renewed++;
    }
    r->count++;
    n->own[cell] = (uint8_t)number;
    cairn_cost key = g + nearby_estimate(n, cell);
    bool push = key < r->bound;
    uint32_t bucket = key >> r->shift & (CRN_NEARBY_BUCKETS - 1);
    n->entries[number] = (crn_nearby_entry){g, (uint16_t)cell, n->buckets[bucket], (uint8_t)move};
    if (traced) nearby_trace(n, kind, number);
    if (CRN_UNLIKELY(!push)) {
        r->unpushed++;
        return true;
    }
    n->buckets[bucket] = (uint8_t)number;
    r->filled |= UINT64_C(1) << bucket;
    return true;
}

/* Expands an entry's cell; false as above. */
CRN_INLINE bool nearby_expand(crn_nearby *n, nearby_run *r, uint32_t number, bool traced)
{
    crn_nearby_entry *entry = &n->entries[number];
    const crn_grid_space *map = n->map;
    uint32_t cell = entry->cell, move = entry->move;
    cairn_cost g = entry->g;
    entry->move = (uint8_t)(move | NEARBY_CLOSED);
    if (traced) nearby_trace(n, CAIRN_EVENT_EXPAND, number);
    uint32_t x = (uint32_t)n->corner.x + cell % CRN_NEARBY_SIDE,
             y = (uint32_t)n->corner.y + cell / CRN_NEARBY_SIDE;
    for (uint32_t moves = crn_grid_canonical_moves(map, x, y, move); moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves), beside = (uint32_t)((int32_t)cell + nearby_offset[d]);
        if (CRN_UNLIKELY(!nearby_relax(n, r, beside, d, g + map->step[d], traced))) return false;
    }
    if (traced) nearby_trace(n, CAIRN_EVENT_CLOSE, number);
    return true;
}

/* Moves on to the next bucket that is not empty; false if none is left that matters. */
CRN_INLINE bool nearby_advance(nearby_run *r)
{
    uint32_t at = r->current % CRN_NEARBY_BUCKETS;
    r->filled &= ~(UINT64_C(1) << at);
    if (!r->filled) return false;
    uint64_t above = r->filled >> at | r->filled << (CRN_NEARBY_BUCKETS - at) % CRN_NEARBY_BUCKETS;
    r->current += crn_lowest_bit(above);
    return r->current << r->shift < r->bound;
}

CRN_INLINE crn_nearby_answer nearby_loop(crn_nearby *n, nearby_run *r, uint64_t *work, bool traced)
{
    uint64_t left = *work, skipped = 0;
    crn_nearby_answer answer = CRN_NEARBY_RUNNING;
    while (left) {
        left--;
        uint32_t number = n->buckets[r->current % CRN_NEARBY_BUCKETS];
        if (!number) {
            if (!nearby_advance(r)) {
                answer = r->bound == CAIRN_NO_COST ? CRN_NEARBY_CLOSED : CRN_NEARBY_FOUND;
                skipped++;
                break;
            }
            number = n->buckets[r->current % CRN_NEARBY_BUCKETS];
        }
        const crn_nearby_entry *entry = &n->entries[number];
        n->buckets[r->current % CRN_NEARBY_BUCKETS] = entry->next;
        if (CRN_UNLIKELY(n->own[entry->cell] != number) || /* there is a cheaper path */
            (r->bound != CAIRN_NO_COST && entry->g + nearby_estimate(n, entry->cell) >= r->bound)) {
            skipped++;
        } else if (CRN_UNLIKELY(r->count > CRN_NEARBY_ENTRIES - CRN_DIRECTIONS)) {
            /* too few are left */
            skipped++;
            answer = CRN_NEARBY_NARROW;
            break;
        } else if (CRN_UNLIKELY(!nearby_expand(n, r, number, traced))) {
            answer = CRN_NEARBY_NARROW;
            break;
        }
    }
    cairn_metrics *metrics = &n->search->metrics;
    metrics->work += *work - left;
    metrics->expanded += *work - left - skipped;
    *work = left;
    return answer;
}

crn_nearby_answer crn_nearby_step(crn_nearby *nearby, uint64_t *work)
{
    nearby_run run = {.shift = nearby->shift,
                      .filled = nearby->filled,
                      .current = nearby->current,
                      .bound = nearby->bound,
                      .count = nearby->count};
    crn_nearby_answer answer = nearby->search->traced ? nearby_loop(nearby, &run, work, true)
                                                      : nearby_loop(nearby, &run, work, false);
    cairn_metrics *metrics = &nearby->search->metrics;
    uint32_t entries = run.count - nearby->count;
    metrics->generated +=
        entries - run.renewed + (run.bound != nearby->bound && nearby->bound == CAIRN_NO_COST);
    metrics->pushes += entries - run.unpushed;
    metrics->reopened += run.reopened;
    nearby->filled = run.filled;
    nearby->current = run.current;
    nearby->bound = run.bound;
    nearby->count = run.count;
    return answer;
}

uint32_t crn_nearby_back(crn_nearby *nearby, uint8_t *directions, uint32_t capacity,
                         cairn_cell *end)
{
    uint32_t count = 0, cell = nearby->read;
    for (; count < capacity; count++) {
        uint32_t move = nearby->entries[nearby->own[cell]].move & ~(uint32_t)NEARBY_CLOSED;
        if (move == CRN_NO_ARRIVAL) break;
        directions[count] = (uint8_t)(move ^ 2);
        cell = (uint32_t)((int32_t)cell + nearby_offset[move ^ 2]);
    }
    nearby->read = cell;
    end->x = nearby->corner.x + (int32_t)(cell % CRN_NEARBY_SIDE);
    end->y = nearby->corner.y + (int32_t)(cell / CRN_NEARBY_SIDE);
    return count;
}
