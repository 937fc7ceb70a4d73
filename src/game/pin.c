/* pin.c: searches in the world as it was. See pin.h. */
#include "game/pin.h"
#include "search/astar.h"
#include "world/changes.h"
#include "world/view.h"

struct crn_pin {
    crn_view view; /* the first: the view is the pin */
    crn_space_functions functions;
    cairn_planner planner; /* on the view */
    cairn_search *search;
    crn_facts facts;
    uint64_t version; /* of the world when it was pinned, ... */
    uint64_t seen;    /* ... and up to which commits are taken in */
    crn_patch_cell *cells;
    size_t capacity;
};

static uint64_t pin_version(const cairn_space *space)
{
    return ((const crn_pin *)(const void *)space)->version;
}

bool crn_facts_learn(const cairn_space *base, crn_facts *facts)
{
    const crn_grid_space *space = crn_grid_space_of(base);
    memset(facts, 0, sizeof *facts); /* also what lies between its members */
    if (!space) return false;
    facts->cheapest = space->cheapest;
    facts->times = space->times;
    memcpy(facts->step, space->step, sizeof facts->step);
    facts->max_edge = base->max_edge;
    facts->max_step = base->max_step;
    facts->min_edge = base->min_edge;
    facts->heuristic = base->default_heuristic;
    facts->uniform = space->uniform;
    facts->steep = space->steep;
    facts->limited = space->limited;
    facts->places[0] = space->usable.rows;
    facts->places[1] = space->grid->terrain;
    facts->places[2] = space->grid->layer;
    facts->places[3] = space->grid->elevation;
    return true;
}

bool crn_facts_equal(const crn_facts *a, const crn_facts *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* The view asks the grid where things are each time. */
static crn_facts pin_learn(const crn_grid_space *ground)
{
    crn_facts facts;
    crn_facts_learn(&ground->base, &facts);
    memset(facts.places, 0, sizeof facts.places);
    return facts;
}

/* ---- life ---- */

/* Makes the planner that searches, as a query with a filter does. */
static bool pin_make_planner(crn_pin *pin, const cairn_planner *asked)
{
    bool itself = asked->algorithm->info.flags & CAIRN_FILTERS;
    const crn_algorithm *algorithm = itself ? asked->algorithm : &crn_algorithm_astar;
    cairn_planner *planner = &pin->planner;
    planner->space = &pin->view.base;
    planner->algorithm = algorithm;
    for (uint32_t i = 0; i < algorithm->info.parameter_count; i++)
        planner->parameters[i] =
            itself ? asked->parameters[i] : algorithm->info.parameters[i].default_value;
    bool ok = algorithm->create(planner, NULL) == CAIRN_OK;
    if (!ok) planner->algorithm = NULL;
    return ok;
}

crn_pin *crn_pin_create(crn_scratch *memory, const cairn_planner *planner, size_t byte_limit)
{
    crn_pin *pin = crn_scratch_alloc(memory, sizeof *pin);
    if (!pin) return NULL;
    memset(pin, 0, sizeof *pin);
    crn_view_init(&pin->view, (crn_grid_space *)(void *)planner->space);
    crn_view_learn(&pin->view);
    pin->functions = *pin->view.base.functions;
    pin->functions.version = pin_version;
    pin->view.base.functions = &pin->functions;
    cairn_search_options options = {.byte_limit = byte_limit};
    if (pin_make_planner(pin, planner) &&
        cairn_search_create(&pin->planner, &options, &pin->search) == CAIRN_OK)
        return pin;
    crn_pin_destroy(memory, pin);
    return NULL;
}

void crn_pin_destroy(crn_scratch *memory, crn_pin *pin)
{
    if (!pin) return;
    cairn_search_destroy(pin->search);
    if (pin->planner.algorithm) pin->planner.algorithm->destroy(&pin->planner);
    crn_scratch_free(memory, pin->cells, pin->capacity * sizeof *pin->cells);
    crn_scratch_free(memory, pin, sizeof *pin);
}

cairn_search *crn_pin_search(const crn_pin *pin)
{
    return pin->search;
}

size_t crn_pin_bytes(const crn_pin *pin)
{
    return pin ? pin->search->memory.bytes : 0;
}

const cairn_path *crn_pin_path(const crn_pin *pin)
{
    const cairn_path *path;
    cairn_search_result(pin->search, &path);
    if (path->count && !path->any_angle)
        pin->search->path.count =
            cairn_simplify(&pin->view.ground->base, pin->search->nodes, path->count);
    return path;
}

bool crn_pin_is_old(const crn_pin *pin)
{
    return pin->version != pin->view.ground->grid->version;
}

bool crn_pin_is_possible(const cairn_space *space)
{
    const crn_grid_space *grid = crn_grid_space_of(space);
    return grid && !grid->grid->link_count;
}

void crn_pin_begin(crn_pin *pin)
{
    const crn_grid_space *ground = pin->view.ground;
    pin->version = pin->seen = ground->grid->version;
    pin->view.patch.count = 0;
    crn_view_learn(&pin->view);
    pin->facts = pin_learn(ground);
}

/* ---- commits ---- */

uint64_t crn_pin_cost(const crn_pin *pin)
{
    if (pin->seen == pin->view.ground->grid->version) return 0;
    return 1 + pin->view.patch.count / CRN_PIN_MERGED;
}

/* Where the patch has a cell, or would have it, behind the first `from`. */
static uint32_t pin_place(const crn_pin *pin, uint32_t from, uint32_t count, cairn_node node)
{
    if (from == count) return count; /* perhaps there are no cells yet */
    return from + (uint32_t)crn_lower_bound(pin->cells + from, count - from, node);
}

/* How many of these cells the patch does not have. */
static uint32_t pin_count_new(const crn_pin *pin, const cairn_commit *commit)
{
    uint32_t fresh = 0, at = 0, count = pin->view.patch.count;
    for (uint32_t i = 0; i < commit->change_count; i++) {
        at = pin_place(pin, at, count, commit->changes[i].node);
        fresh += at == count || pin->cells[at].node != commit->changes[i].node;
    }
    return fresh;
}

/* Adds them as they were before, from the last one on; what the patch has is older. */
static void pin_merge(crn_pin *pin, const cairn_commit *commit, uint32_t fresh)
{
    crn_patch_cell *cells = pin->cells;
    uint32_t old = pin->view.patch.count, to = old + fresh;
    pin->view.patch.count = to;
    for (uint32_t i = commit->change_count; i-- && to > old;) {
        const cairn_change *change = &commit->changes[i];
        uint32_t at = pin_place(pin, 0, old, change->node), behind = old - at;
        bool there = behind && cells[at].node == change->node;
        memmove(&cells[to - behind], &cells[at], behind * sizeof *cells);
        to -= behind, old = at;
        if (there) continue;
        cells[--to] = (crn_patch_cell){.node = change->node, .state = change->before};
        crn_patch_widen(&pin->view.patch, change->node);
    }
}

bool crn_pin_refresh(crn_scratch *memory, crn_pin *pin)
{
    const crn_grid_space *ground = pin->view.ground;
    cairn_commit commit;
    crn_facts now = pin_learn(ground);
    if (cairn_grid_commit_info(ground->grid, pin->seen + 1, &commit) != CAIRN_OK ||
        commit.links_changed || commit.change_count > CRN_PIN_COMMIT ||
        !crn_facts_equal(&now, &pin->facts))
        return false;
    uint32_t fresh = pin_count_new(pin, &commit), need = pin->view.patch.count + fresh;
    void *cells = pin->cells;
    bool ok = need <= CRN_PIN_CELLS &&
              crn_scratch_grow(memory, &cells, &pin->capacity, need, sizeof *pin->cells);
    pin->cells = cells;
    if (!ok) return false;
    pin_merge(pin, &commit, fresh);
    pin->view.cells = pin->cells;
    pin->view.patch.cells = pin->cells;
    pin->seen++;
    return true;
}
