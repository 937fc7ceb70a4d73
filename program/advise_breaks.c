/* advise_breaks.c: what edits do to the paths of agents, whatever the algorithm (see advise.h).
 *
 * A path of `astar` is kept for each problem. Squares are laid over the map as edits would be: half
 * of them on the middle of one of these paths, whose agent it concerns more than the others. An
 * agent may be anywhere on its path; the square breaks its answer if it covers one of the steps
 * that are left of it. So the longer the answers, the more of them are broken, and all of these are
 * searched again.
 *
 * What is broken must have been watched: a path service is asked for some of the paths, and the
 * time is taken that it needs to follow them.
 *
 * An agent walks until it asks for another path, because it wants one or because its own is broken.
 * So many steps, rounded up to a power of two, are the first piece that is worth searching.
 */
#include "advise.h"

#include <math.h>
#include <stdlib.h>

enum { BREAKS_SQUARES = 64, BREAKS_WATCHED = 24, BREAKS_PIECE = 8 };

/* A number that no path reaches. */
#define BREAKS_NEVER UINT32_MAX

int advise_breaks_begin(advise_run *run, cairn_planner *planner)
{
    advise_paths *paths = &run->paths;
    uint32_t number;
    if (run->needs->edits <= 0) return END_OK;
    bool ok = cairn_service_create(run->world->context, NULL, &paths->service) == CAIRN_OK &&
              cairn_service_add(paths->service, planner, NULL, &number) == CAIRN_OK;
    if (!ok) complain("%s: there is not enough memory to follow paths", run->world->name);
    return ok ? END_OK : END_DATA;
}

/* Asks the service for the path, and takes the time that following it needs. */
static bool breaks_watch(advise_run *run, const problem *p)
{
    advise_paths *paths = &run->paths;
    cairn_ticket ticket;
    cairn_frame frame = {0};
    cairn_request request = {.from = p->from, .to = p->to};
    if (cairn_service_request(paths->service, &request, &ticket) != CAIRN_OK ||
        cairn_service_update(paths->service, &frame) != CAIRN_OK)
        return false;
    double begin = reproduce_clock();
    cairn_status status = cairn_service_follow(paths->service, ticket, CAIRN_SHORTCUTS_NEVER);
    paths->follow_us += reproduce_clock() - begin;
    cairn_service_release(paths->service, ticket);
    return status == CAIRN_OK;
}

bool advise_breaks_add(advise_run *run, const problem *p, const cairn_path *path)
{
    advise_paths *paths = &run->paths;
    if (!paths->service) return true;
    uint32_t steps = (uint32_t)cairn_path_step_count(run->world->space, path) - 1;
    cairn_node *grown = realloc(paths->nodes, (paths->total + steps) * sizeof *grown);
    if (!grown) return false;
    paths->nodes = grown;
    /* without the start, where the agent stands */
    steps = cairn_path_cells(run->world->space, path, 1, grown + paths->total, steps);
    paths->begins[paths->count++] = paths->total;
    paths->begins[paths->count] = paths->total += steps;
    if (paths->count > BREAKS_WATCHED) return true;
    paths->followed += steps;
    return breaks_watch(run, p);
}

void advise_breaks_free(advise_run *run)
{
    cairn_service_destroy(run->paths.service);
    free(run->paths.nodes);
    run->paths.service = NULL;
    run->paths.nodes = NULL;
}

/* ---- squares ---- */

typedef struct breaks_count {
    double places, whole, within[ADVISE_RESTS];
} breaks_count;

/* Does the square cover a cell that an agent at this node needs? Its node is the upper left cell of
 * a footprint, and the middle of a disc, round which a box is taken here. */
static bool breaks_covers(const advise_run *run, cairn_cell middle, cairn_node node)
{
    const cairn_profile *profile = cairn_space_profile(run->world->space);
    int32_t side = (int32_t)run->needs->side, more = (int32_t)fmax(ceil(profile->radius - 0.5), 0);
    int32_t least = -(profile->footprint ? (int32_t)profile->footprint - 1 : more);
    cairn_cell at = cairn_grid_cell(run->world->grid, node);
    int32_t x = at.x - middle.x + side / 2, y = at.y - middle.y + side / 2;
    return x >= least && x < side + more && y >= least && y < side + more;
}

/* Counts the places of a path, and from which of them so many steps lead into the square. */
static void breaks_look(const advise_run *run, uint32_t path, cairn_cell middle, breaks_count *sums)
{
    const cairn_node *steps = run->paths.nodes + run->paths.begins[path];
    size_t count = run->paths.begins[path + 1] - run->paths.begins[path];
    uint32_t ahead = BREAKS_NEVER;
    for (size_t i = count; i-- > 0;) {
        if (breaks_covers(run, middle, steps[i]))
            ahead = 1;
        else if (ahead != BREAKS_NEVER)
            ahead++;
        sums->whole += ahead != BREAKS_NEVER;
        for (uint32_t k = ADVISE_RESTS; k-- > 0 && ahead <= 1u << k;) sums->within[k]++;
    }
    sums->places += (double)count;
}

static advise_share breaks_share(const breaks_count *sums)
{
    advise_share share = {0};
    if (sums->places <= 0) return share;
    share.whole = sums->whole / sums->places;
    for (uint32_t k = 0; k < ADVISE_RESTS; k++) share.within[k] = sums->within[k] / sums->places;
    return share;
}

static void breaks_measure(advise_run *run)
{
    breaks_count others = {0}, own = {0};
    for (uint32_t i = 0; i < BREAKS_SQUARES; i++) {
        uint32_t on = i / 2 % run->problems.count;
        cairn_node middle = run->problems.items[on].number;
        if (i % 2) middle = problems_random_node(run->world, &run->random);
        for (uint32_t path = 0; path < run->paths.count; path++)
            breaks_look(run, path, cairn_grid_cell(run->world->grid, middle),
                        i % 2 || path != on ? &others : &own);
    }
    run->edited.others = breaks_share(&others);
    run->edited.own = breaks_share(&own);
}

/* The share with so many steps left; 0: with whole paths. */
static double breaks_within(const advise_share *share, double steps)
{
    for (uint32_t k = 0; steps > 0 && k + 1 < ADVISE_RESTS; k++) {
        double from = 1u << k, less = share->within[k], more = share->within[k + 1];
        if (steps <= 2 * from) return fmax(less + (more - less) * (steps - from) / from, 0);
    }
    return share->whole;
}

/* Every second square that closes is on the path of an agent. */
double advise_broken(const advise_run *run, double steps)
{
    const advise_edits *e = &run->edited;
    double closed = run->needs->edits / 2, others = run->needs->agents - 0.5;
    return closed * (others * breaks_within(&e->others, steps) + breaks_within(&e->own, steps) / 2);
}

void advise_breaks_end(advise_run *run)
{
    const advise_needs *n = run->needs;
    advise_paths *paths = &run->paths;
    if (!paths->service) return;
    breaks_measure(run);
    run->edited.follow_us = paths->followed ? paths->follow_us / (double)paths->followed : 0;
    double walked = (double)n->agents * n->speed / (n->requests + advise_broken(run, 0));
    double steps = (double)paths->total / paths->count;
    uint32_t piece = BREAKS_PIECE;
    while (piece < walked && piece < steps) piece *= 2;
    run->edited.piece = piece < steps ? piece : 0;
    advise_breaks_free(run);
}
