/* hcdps_flood.c: the cheapest paths from one representative of `hcdps` to several ones at once.
 *
 * In corridors A* has no better idea than any other search of where to go, and looks at the same
 * cells again for each pair. So there one flood (Dijkstra's, with buckets no wider than a straight
 * step, so that all of a bucket are final) finds the paths to all representatives that are to be
 * linked.
 *
 * It counts how many cheapest paths lead to each cell, up to two. Where there is only one, it is
 * the one that A* finds: so it does not matter who found it, and the index is the same. A climb
 * between two of its cells costs no more than it exactly if it makes the same moves
 * (crn_climb_matches). Paths that are not the only ones are left to A*.
 * (Floods reckon as if all ground cost 1. If it has one price that is no whole number, A* may find
 * another path: see hcdps_links.c.)
 *
 * A flood sees a window of cells round its start. It gives up at the edge, after so many cells, and
 * on open ground, where there are seldom single paths.
 */
#include "realtime/hcdps/hcdps_flood.h"

enum {
    FLOOD_SIDE = 128,
    FLOOD_CELLS = FLOOD_SIDE * FLOOD_SIDE,
    FLOOD_MOST = 2048,  /* cells that are expanded */
    FLOOD_SHARE = 128,  /* of them for each target: about what A* takes */
    FLOOD_MOVES = 4,    /* of a cell, on the mean: else it is open ground, ... */
    FLOOD_CORNERS = 64, /* ... with so many more */
    FLOOD_REGION = 64   /* cells of a region, on the mean: of larger ones ground is open */
};

static const crn_hcdps_flood_cell flood_unknown = {.distance = UINT32_MAX};

bool crn_hcdps_floods(const crn_hcdps_job *job)
{
    return job->map && !job->before &&
           job->space->node_count / FLOOD_REGION < crn_hcdps_regions(job->index);
}

bool crn_hcdps_open_flood(crn_hcdps_flood *f, const crn_hcdps_job *job)
{
    cairn_context *context = job->context;
    f->job = job;
    f->cells = crn_alloc(context, FLOOD_CELLS * sizeof *f->cells);
    f->entries = crn_alloc(context, (CRN_DIRECTIONS * FLOOD_MOST + 1) * sizeof *f->entries);
    if (!f->cells || !f->entries) return false;
    for (uint32_t i = 0; i < FLOOD_CELLS; i++) f->cells[i] = flood_unknown;
    f->bits = crn_highest_bit(job->map->base.scale.straight);
    return true;
}

void crn_hcdps_close_flood(crn_hcdps_flood *f)
{
    if (!f->job) return;
    cairn_context *context = f->job->context;
    crn_free(context, f->cells, FLOOD_CELLS * sizeof *f->cells);
    crn_free(context, f->entries, (CRN_DIRECTIONS * FLOOD_MOST + 1) * sizeof *f->entries);
}

static uint32_t flood_cell(int32_t x, int32_t y)
{
    return (uint32_t)y * FLOOD_SIDE + (uint32_t)x;
}

static bool flood_is_inside(int32_t x, int32_t y)
{
    return (uint32_t)x < FLOOD_SIDE && (uint32_t)y < FLOOD_SIDE;
}

/* There is room: not more than CRN_DIRECTIONS for each cell that is expanded. */
static void flood_push(crn_hcdps_flood *f, uint32_t cell, uint32_t distance)
{
    uint16_t *bucket = &f->ring[(distance >> f->bits) % CRN_HCDPS_FLOOD_RING];
    f->entries[f->count] = (crn_hcdps_flood_entry){distance, (uint16_t)cell, *bucket};
    *bucket = (uint16_t)f->count++;
    f->waiting++;
}

/* Of the flood before, nothing is left. */
static void flood_clear(crn_hcdps_flood *f)
{
    for (uint32_t i = 0; i < f->count; i++) f->cells[f->entries[i].cell] = flood_unknown;
    memset(f->ring, 0xff, sizeof f->ring);
    f->count = f->waiting = f->expanded = f->moves = 0;
}

static void flood_relax(crn_hcdps_flood *f, uint32_t cell, uint32_t direction, uint32_t distance,
                        uint8_t paths)
{
    crn_hcdps_flood_cell *to = &f->cells[cell];
    if (distance > to->distance) return;
    if (distance == to->distance) {
        to->paths = 2;
        return;
    }
    to->distance = distance;
    to->move = (uint8_t)direction;
    to->paths = paths;
    flood_push(f, cell, distance);
}

/* False: the window ends here. */
static bool flood_expand(crn_hcdps_flood *f, const crn_hcdps_flood_entry *entry)
{
    const crn_grid_space *map = f->job->map;
    const uint32_t straight = map->base.scale.straight,
                   diagonal = map->hex ? straight : map->base.scale.diagonal;
    crn_hcdps_flood_cell *from = &f->cells[entry->cell];
    int32_t x = entry->cell % FLOOD_SIDE, y = entry->cell / FLOOD_SIDE;
    crn_climb at = {.map = map, .x = x + f->left, .y = y + f->top};
    uint32_t moves = crn_climb_moves(&at);
    from->final = true;
    if (f->expanded++) moves &= ~(1u << crn_opposite[from->move]); /* it comes from there */
    for (; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        int32_t right = x + crn_dx[d], down = y + crn_dy[d];
        if (!flood_is_inside(right, down)) return false;
        flood_relax(f, flood_cell(right, down), d,
                    entry->distance + (d < CRN_NE ? straight : diagonal), from->paths);
        f->moves++;
    }
    return true;
}

/* The cell of a node; UINT32_MAX: it is outside of the window. */
static uint32_t flood_cell_of(const crn_hcdps_flood *f, cairn_node node)
{
    cairn_cell cell = cairn_grid_cell(f->job->map->grid, node);
    int32_t x = cell.x - f->left, y = cell.y - f->top;
    return flood_is_inside(x, y) ? flood_cell(x, y) : UINT32_MAX;
}

/* Marks the targets, or takes the marks away. Returns how many there are. */
static uint32_t flood_mark(crn_hcdps_flood *f, const crn_hcdps_pair *pairs, size_t count, bool mark)
{
    uint32_t targets = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t cell = flood_cell_of(f, crn_hcdps_home(f->job->index, pairs[i].to));
        if (pairs[i].known || cell == UINT32_MAX) continue;
        f->cells[cell].target = mark;
        targets++;
    }
    return targets;
}

static void flood_go_on(crn_hcdps_flood *f, uint32_t targets)
{
    uint32_t most = crn_min_u32(targets, FLOOD_MOST / FLOOD_SHARE) * FLOOD_SHARE;
    for (uint32_t at = 0; f->waiting && targets; at = (at + 1) % CRN_HCDPS_FLOOD_RING) {
        while (f->ring[at] != UINT16_MAX) {
            crn_hcdps_flood_entry entry = f->entries[f->ring[at]];
            f->ring[at] = entry.next;
            f->waiting--;
            if (entry.distance != f->cells[entry.cell].distance) continue;
            if (f->expanded == most || f->moves > FLOOD_MOVES * f->expanded + FLOOD_CORNERS ||
                !flood_expand(f, &entry))
                return;
            targets -= f->cells[entry.cell].target;
        }
    }
}

uint32_t crn_hcdps_flood_from(crn_hcdps_flood *f, const crn_hcdps_pair *pairs, size_t count)
{
    cairn_cell cell =
        cairn_grid_cell(f->job->map->grid, crn_hcdps_home(f->job->index, pairs->from));
    flood_clear(f);
    f->left = cell.x - FLOOD_SIDE / 2;
    f->top = cell.y - FLOOD_SIDE / 2;
    uint32_t targets = flood_mark(f, pairs, count, true);
    flood_relax(f, flood_cell(FLOOD_SIDE / 2, FLOOD_SIDE / 2), 0, 0, 1);
    flood_go_on(f, targets);
    flood_mark(f, pairs, count, false);
    return f->expanded;
}

bool crn_hcdps_is_flooded(const crn_hcdps_flood *f, cairn_node target)
{
    uint32_t cell = flood_cell_of(f, target);
    return cell != UINT32_MAX && f->cells[cell].final && f->cells[cell].paths == 1;
}

bool crn_hcdps_flood_path(const crn_hcdps_flood *f, cairn_node target, crn_hcdps_path *path)
{
    const uint32_t width = f->job->map->grid->width;
    uint32_t cell = flood_cell_of(f, target), length = 0;
    int32_t x = (int32_t)(cell % FLOOD_SIDE), y = (int32_t)(cell / FLOOD_SIDE);
    for (const crn_hcdps_flood_cell *at = &f->cells[cell]; at->distance; length++) {
        cell -= (uint32_t)(crn_dy[at->move] * FLOOD_SIDE + crn_dx[at->move]);
        at = &f->cells[cell];
    }
    if (!crn_hcdps_reserve_path(f->job, path, length + 1)) return false;
    path->count = length + 1;
    path->only = true;
    for (uint32_t i = length;; i--) {
        const crn_hcdps_flood_cell *at = &f->cells[flood_cell(x, y)];
        path->nodes[i] = (cairn_node)(y + f->top) * width + (cairn_node)(x + f->left);
        path->costs[i] = at->distance;
        if (!i) return true;
        path->moves[i - 1] = at->move;
        path->moves[2 * length - i] = crn_opposite[at->move];
        x -= crn_dx[at->move];
        y -= crn_dy[at->move];
    }
}
