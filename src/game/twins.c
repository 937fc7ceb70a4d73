/* twins.c: planners that are doubled. See twins.h. */
#include "game/twins.h"
#include "search/algorithm.h"
#include "world/grid_space.h"

enum { TWINS_READ = 1024 }; /* cells that are read in a unit of work */

typedef struct twins_cell {
    cairn_node node;
    cairn_cell_state state;
} twins_cell;

typedef struct twins_one {
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planner;
    uint64_t version; /* of the world */
} twins_one;

struct crn_twins {
    const cairn_planner *planner; /* the one that was given */
    cairn_context *context;       /* of its own */
    twins_one two[2];
    uint32_t serving;
    twins_cell *cells; /* to be taken in, up to this version */
    size_t count, capacity;
    uint64_t read;
    crn_thread *thread; /* that brings the other one up to date; NULL = there is none */
    bool begun;
    cairn_status outcome;
    size_t bytes;
};

static cairn_grid *twins_truth(const crn_twins *twins)
{
    return crn_grid_space_of(twins->planner->space)->grid;
}

bool crn_twins_are_possible(const cairn_planner *planner)
{
    const crn_grid_space *space = crn_grid_space_of(planner->space);
    return planner->algorithm->index && space && !space->grid->link_count;
}

/* ---- life ---- */

size_t crn_twins_bytes(const crn_twins *twins)
{
    return twins ? twins->bytes : 0;
}

void crn_twins_measure(crn_twins *twins)
{
    twins->bytes = sizeof *twins + cairn_context_memory(twins->context).bytes +
                   twins->capacity * sizeof *twins->cells;
}

static cairn_status twins_make(crn_twins *twins, twins_one *one)
{
    const cairn_grid *truth = twins_truth(twins);
    cairn_status status = crn_grid_copy(twins->context, truth, &one->grid);
    if (status == CAIRN_OK)
        status = cairn_space_of_grid(one->grid, cairn_space_profile(twins->planner->space),
                                     &one->space, NULL);
    if (status == CAIRN_OK)
        status = crn_planner_create_like(one->space, twins->planner, &one->planner, NULL);
    one->version = truth->version;
    return status;
}

crn_twins *crn_twins_create(const cairn_planner *planner)
{
    cairn_context *context = planner->space->context;
    crn_twins *twins = crn_alloc_zero(context, sizeof *twins);
    if (!twins) return NULL;
    twins->planner = planner;
    cairn_status status = crn_context_create_alone(context, &twins->context);
    for (uint32_t i = 0; i < 2 && status == CAIRN_OK; i++)
        status = twins_make(twins, &twins->two[i]);
    if (status == CAIRN_OK && cairn_planner_state(planner) == CAIRN_OK)
        status = cairn_planner_sync(twins->two[0].planner, NULL, NULL);
    if (status == CAIRN_OK) {
        crn_twins_measure(twins);
        return twins;
    }
    crn_twins_destroy(twins);
    return NULL;
}

static void twins_join(crn_twins *twins)
{
    if (twins->thread) crn_thread_join(twins->planner->space->context, twins->thread);
    twins->thread = NULL;
}

void crn_twins_destroy(crn_twins *twins)
{
    if (!twins) return;
    cairn_context *context = twins->planner->space->context;
    twins_join(twins);
    for (uint32_t i = 0; i < 2; i++) {
        cairn_planner_destroy(twins->two[i].planner);
        cairn_space_destroy(twins->two[i].space);
        cairn_grid_destroy(twins->two[i].grid);
    }
    cairn_context_destroy(twins->context);
    crn_free(context, twins->cells, twins->capacity * sizeof *twins->cells);
    crn_free(context, twins, sizeof *twins);
}

cairn_planner *crn_twins_planner(const crn_twins *twins)
{
    return twins->two[twins->serving].planner;
}

uint64_t crn_twins_version(const crn_twins *twins)
{
    return twins->two[twins->serving].version;
}

bool crn_twins_are_old(const crn_twins *twins)
{
    return crn_twins_version(twins) != twins_truth(twins)->version;
}

/* ---- what was committed ---- */

static bool twins_reserve(crn_twins *twins, size_t more)
{
    void *cells = twins->cells;
    bool ok = crn_grow(twins->planner->space->context, &cells, &twins->capacity,
                       twins->count + more, sizeof *twins->cells);
    twins->cells = cells;
    return ok;
}

static void twins_add(crn_twins *twins, cairn_node node)
{
    twins->cells[twins->count++] = (twins_cell){node, crn_grid_state(twins_truth(twins), node)};
}

/* All cells: what was committed is forgotten. */
static bool twins_read_all(crn_twins *twins)
{
    twins->count = 0;
    if (!twins_reserve(twins, twins->planner->space->node_count)) return false;
    for (cairn_node node = 0; node < twins->planner->space->node_count; node++)
        twins_add(twins, node);
    return true;
}

/* The cells that were changed since, as they are. */
static bool twins_read(crn_twins *twins, uint64_t since, uint64_t *used)
{
    const cairn_grid *truth = twins_truth(twins);
    cairn_commit commit;
    bool ok = true, known = true;
    twins->count = 0;
    while (ok && known && since < truth->version) {
        known = cairn_grid_commit_info(truth, ++since, &commit) == CAIRN_OK;
        ok = !known || twins_reserve(twins, commit.change_count);
        for (uint32_t i = 0; ok && known && i < commit.change_count; i++)
            twins_add(twins, commit.changes[i].node);
    }
    if (!known) ok = twins_read_all(twins);
    twins->read = truth->version;
    *used += 1 + twins->count / TWINS_READ;
    return ok;
}

/* Setting a cell again is harmless: after a failure all of it is done again. */
static cairn_status twins_take(const crn_twins *twins, twins_one *one)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < twins->count && status == CAIRN_OK; i++) {
        cairn_cell at = crn_grid_cell(one->grid, twins->cells[i].node);
        const cairn_cell_state *state = &twins->cells[i].state;
        status = cairn_grid_set_open(one->grid, at.x, at.y, state->open);
        if (status == CAIRN_OK)
            status = cairn_grid_set_terrain(one->grid, at.x, at.y, state->terrain);
        if (status == CAIRN_OK) status = cairn_grid_set_layer(one->grid, at.x, at.y, state->layer);
        if (status == CAIRN_OK)
            status = cairn_grid_set_elevation(one->grid, at.x, at.y, state->elevation);
    }
    if (status == CAIRN_OK) status = cairn_grid_commit(one->grid);
    if (status == CAIRN_OK) one->version = twins->read;
    return status;
}

bool crn_twins_refresh(crn_twins *twins, uint64_t *used)
{
    twins_one *one = &twins->two[twins->serving];
    return twins_read(twins, one->version, used) && twins_take(twins, one) == CAIRN_OK;
}

/* ---- the other one ---- */

static void twins_run(void *user)
{
    crn_twins *twins = user;
    twins_one *other = &twins->two[!twins->serving];
    twins->outcome = twins_take(twins, other);
    if (twins->outcome == CAIRN_OK) twins->outcome = cairn_planner_sync(other->planner, NULL, NULL);
}

bool crn_twins_begin(crn_twins *twins, uint64_t *used)
{
    if (!twins_read(twins, twins->two[!twins->serving].version, used)) return false;
    twins->begun = true;
    twins->thread = crn_thread_start(twins->planner->space->context, twins_run, twins);
    return true;
}

bool crn_twins_end(crn_twins *twins)
{
    if (!twins->begun) return false;
    twins->begun = false;
    if (!twins->thread) twins_run(twins);
    twins_join(twins);
    if (twins->outcome == CAIRN_OK) twins->serving = !twins->serving;
    return twins->outcome == CAIRN_OK;
}
