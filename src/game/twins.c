/* twins.c: planners that are doubled. See twins.h. */
#include "game/twins.h"
#include "search/algorithm.h"
#include "world/graph.h"
#include "world/grid_space.h"

/* Cells, links, or nodes and edges that are read in a unit of work; or are read and committed. */
enum { TWINS_READ = 1024, TWINS_TAKEN = 128 };

/* Its world is a grid or a graph. */
typedef struct twins_one {
    cairn_grid *grid;
    cairn_graph *graph;
    cairn_space *space;
    cairn_planner *planner;
    uint64_t version; /* of the world that was given ... */
    uint64_t staged;  /* ... and up to which one its own has the changes staged */
} twins_one;

struct crn_twins {
    const cairn_planner *planner; /* the one that was given */
    cairn_context *context;       /* of its own */
    twins_one two[2];
    uint32_t serving;
    bool slices;        /* bring the other one up to date, or ... */
    crn_thread *thread; /* ... this does; NULL = there is none */
    cairn_status outcome;
    size_t bytes;
};

/* The world that was given, if it is a grid, or a graph. */
static const cairn_grid *twins_grid(const crn_twins *twins)
{
    const crn_grid_space *space = crn_grid_space_of(twins->planner->space);
    return space ? space->grid : NULL;
}

static const cairn_graph *twins_graph(const crn_twins *twins)
{
    return crn_graph_space_of(twins->planner->space)->graph;
}

bool crn_twins_are_possible(const cairn_planner *planner)
{
    const cairn_space *space = planner->space;
    return crn_grid_space_of(space) || crn_graph_space_of(space);
}

/* ---- life ---- */

size_t crn_twins_bytes(const crn_twins *twins)
{
    return twins ? twins->bytes : 0;
}

void crn_twins_measure(crn_twins *twins)
{
    twins->bytes = sizeof *twins + cairn_context_memory(twins->context).bytes;
}

static cairn_status twins_copy_world(const crn_twins *twins, twins_one *one)
{
    const cairn_grid *grid = twins_grid(twins);
    cairn_status status = grid ? crn_grid_copy(twins->context, grid, &one->grid)
                               : crn_graph_copy(twins->context, twins_graph(twins), &one->graph);
    if (status != CAIRN_OK) return status;
    if (!grid) return cairn_space_of_graph(one->graph, &one->space, NULL);
    const cairn_profile *profile = cairn_space_profile(twins->planner->space);
    return cairn_space_of_grid(one->grid, profile, &one->space, NULL);
}

static cairn_status twins_make(crn_twins *twins, twins_one *one)
{
    cairn_status status = twins_copy_world(twins, one);
    if (status == CAIRN_OK)
        status = crn_planner_create_like(one->space, twins->planner, &one->planner, NULL);
    one->version = cairn_space_version(twins->planner->space);
    return status;
}

crn_twins *crn_twins_create(const cairn_planner *planner, bool slices)
{
    cairn_context *context = planner->space->context;
    crn_twins *twins = crn_alloc_zero(context, sizeof *twins);
    if (!twins) return NULL;
    twins->planner = planner;
    twins->slices = slices;
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
        cairn_graph_destroy(twins->two[i].graph);
    }
    cairn_context_destroy(twins->context);
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
    return crn_twins_version(twins) != cairn_space_version(twins->planner->space);
}

/* ---- what was committed to a grid ---- */

/* How many cells and links were changed since a version; UINT64_MAX = that is forgotten. */
static uint64_t twins_changes(const cairn_grid *grid, uint64_t since)
{
    uint64_t count = 0;
    while (since < grid->version) {
        const crn_commit *commit = &grid->commits[++since % CRN_COMMITS_KEPT];
        if (!commit->changes || commit->version != since) return UINT64_MAX;
        count += commit->count + commit->link_change_count;
    }
    return count;
}

/* Stages what differs. */
static cairn_status twins_stage_cell(const cairn_grid *truth, cairn_grid *copy, cairn_node node)
{
    cairn_cell at = crn_grid_cell(truth, node);
    cairn_cell_state now = crn_grid_state(truth, node), then = crn_grid_state(copy, node);
    cairn_status status = CAIRN_OK;
    if (now.open != then.open) status = cairn_grid_set_open(copy, at.x, at.y, now.open);
    if (status == CAIRN_OK && now.terrain != then.terrain)
        status = cairn_grid_set_terrain(copy, at.x, at.y, now.terrain);
    if (status == CAIRN_OK && now.layer != then.layer)
        status = cairn_grid_set_layer(copy, at.x, at.y, now.layer);
    if (status == CAIRN_OK && now.elevation != then.elevation)
        status = cairn_grid_set_elevation(copy, at.x, at.y, now.elevation);
    return status;
}

/* Stages that the links that leave a cell are those that do now, in their order. */
static cairn_status twins_stage_leaving(const cairn_grid *truth, cairn_grid *copy, cairn_node from)
{
    size_t at = crn_lower_bound(truth->links, truth->link_count, from);
    cairn_status status = crn_grid_remove_leaving(copy, from);
    for (; at < truth->link_count && truth->links[at].from == from && status == CAIRN_OK; at++)
        status = cairn_grid_add_link(copy, &truth->links[at]);
    return status;
}

static cairn_status twins_stage_commit(const cairn_grid *truth, cairn_grid *copy,
                                       const crn_commit *commit)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < commit->count && status == CAIRN_OK; i++)
        status = twins_stage_cell(truth, copy, commit->changes[i].node);
    for (uint32_t i = 0; i < commit->link_change_count && status == CAIRN_OK; i++) {
        cairn_node from = commit->link_changes[i].link.from;
        if (!i || commit->link_changes[i - 1].link.from != from)
            status = twins_stage_leaving(truth, copy, from);
    }
    return status;
}

static bool twins_same_link(const cairn_link *a, const cairn_link *b)
{
    return a->from == b->from && a->to == b->to && a->id == b->id && a->cost == b->cost &&
           a->kind == b->kind;
}

/* How many links, from the i-th on, leave a cell. */
static uint32_t twins_leaving(const cairn_grid *grid, uint32_t i, cairn_node from)
{
    uint32_t first = i;
    while (i < grid->link_count && grid->links[i].from == from) i++;
    return i - first;
}

/* Stages all links of cells that other links leave, or the same ones in another order. */
static cairn_status twins_stage_links(const cairn_grid *truth, cairn_grid *copy)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0, k = 0;
         (i < truth->link_count || k < copy->link_count) && status == CAIRN_OK;) {
        cairn_node now = i < truth->link_count ? truth->links[i].from : CAIRN_NO_NODE,
                   then = k < copy->link_count ? copy->links[k].from : CAIRN_NO_NODE,
                   from = now < then ? now : then;
        uint32_t count = twins_leaving(truth, i, from), before = twins_leaving(copy, k, from);
        bool same = count == before;
        for (uint32_t n = 0; n < count && same; n++)
            same = twins_same_link(&truth->links[i + n], &copy->links[k + n]);
        if (!same) status = twins_stage_leaving(truth, copy, from);
        i += count;
        k += before;
    }
    return status;
}

/* What was committed is forgotten: all cells and links. */
static cairn_status twins_stage_all(const cairn_grid *truth, cairn_grid *copy)
{
    cairn_status status = CAIRN_OK;
    for (cairn_node node = 0; node < truth->width * truth->height && status == CAIRN_OK; node++)
        status = twins_stage_cell(truth, copy, node);
    return status == CAIRN_OK ? twins_stage_links(truth, copy) : status;
}

static cairn_status twins_stage_grid(const cairn_grid *truth, twins_one *one)
{
    cairn_status status = CAIRN_OK;
    cairn_grid_discard(one->grid);
    if (twins_changes(truth, one->version) == UINT64_MAX) return twins_stage_all(truth, one->grid);
    for (uint64_t version = one->version; version < truth->version && status == CAIRN_OK;) {
        const crn_commit *commit = &truth->commits[++version % CRN_COMMITS_KEPT];
        status = twins_stage_commit(truth, one->grid, commit);
    }
    return status;
}

/* ---- the other one ---- */

static uint64_t twins_size(const cairn_space *space)
{
    const crn_grid_space *grid = crn_grid_space_of(space);
    if (!grid) return crn_graph_size(crn_graph_space_of(space)->graph);
    return (uint64_t)space->node_count + grid->grid->link_count;
}

uint64_t crn_twins_copy_price(const cairn_planner *planner)
{
    return 1 + 2 * twins_size(planner->space) / TWINS_READ;
}

uint64_t crn_twins_price(const crn_twins *twins)
{
    const twins_one *other = &twins->two[!twins->serving];
    const cairn_grid *grid = twins_grid(twins);
    uint64_t count = grid ? twins_changes(grid, other->version) : UINT64_MAX;
    if (count == UINT64_MAX) count = twins_size(twins->planner->space);
    return 1 + count / (twins->slices ? TWINS_TAKEN : TWINS_READ);
}

/* Later edits of the world are not seen. False = no memory. */
static bool twins_stage(const crn_twins *twins, twins_one *one)
{
    const cairn_grid *grid = twins_grid(twins);
    one->staged = cairn_space_version(twins->planner->space);
    cairn_status status = grid ? twins_stage_grid(grid, one)
                               : crn_graph_stage_changes(one->graph, twins_graph(twins));
    return status == CAIRN_OK;
}

static cairn_status twins_take(twins_one *one)
{
    cairn_status status = one->grid ? cairn_grid_commit(one->grid) : cairn_graph_commit(one->graph);
    if (status == CAIRN_OK) one->version = one->staged;
    return status;
}

static void twins_run(void *user)
{
    crn_twins *twins = user;
    twins_one *other = &twins->two[!twins->serving];
    twins->outcome = twins_take(other);
    if (twins->outcome == CAIRN_OK) twins->outcome = cairn_planner_sync(other->planner, NULL, NULL);
}

bool crn_twins_begin(crn_twins *twins)
{
    twins_one *other = &twins->two[!twins->serving];
    if (!twins_stage(twins, other)) return false;
    twins->outcome = CAIRN_RUNNING;
    if (twins->slices) return twins_take(other) == CAIRN_OK;
    twins->thread = crn_thread_start(twins->planner->space->context, twins_run, twins);
    return true;
}

bool crn_twins_step(crn_twins *twins, uint64_t work, uint64_t *used)
{
    cairn_planner *other = twins->two[!twins->serving].planner;
    uint64_t before = crn_index_work(other);
    twins->outcome = cairn_planner_sync_step(other, work, NULL);
    *used += crn_index_work(other) - before;
    return twins->outcome != CAIRN_RUNNING;
}

cairn_status crn_twins_end(crn_twins *twins, uint64_t *work)
{
    *work = 0;
    if (twins->thread) {
        twins_join(twins);
    } else if (!twins->slices) {
        const cairn_planner *other = twins->two[!twins->serving].planner;
        uint64_t before = crn_index_work(other);
        twins_run(twins);
        *work = crn_index_work(other) - before;
    }
    if (twins->outcome == CAIRN_OK) twins->serving = !twins->serving;
    return twins->outcome;
}
