/* aimed.c: estimates that last, or not. See aimed.h. */
#include "continuous/aimed.h"
#include "world/graph.h"
#include "world/view.h"

bool crn_aimed_has_shortcuts(const cairn_space *space)
{
    const cairn_space *ground = crn_view_ground(space);
    return ground->world == CAIRN_WORLD_GRID && crn_grid_space_of(ground)->links.shortcut_count;
}

/* Backward no estimate knows of links that are shortcuts, wherever the target is. */
static cairn_heuristic aimed_metric(const crn_aimed *aimed)
{
    bool blind = aimed->blind || (aimed->backward && crn_aimed_has_shortcuts(aimed->space));
    return blind ? CAIRN_HEURISTIC_NULL : aimed->space->default_heuristic;
}

static crn_aimed_basis aimed_basis(const crn_aimed *aimed)
{
    const cairn_space *space = aimed->space, *ground = crn_view_ground(space);
    const cairn_graph *graph = cairn_space_graph(space);
    crn_aimed_basis basis = {.metric = aimed_metric(aimed)};
    if (ground->world == CAIRN_WORLD_GRID) {
        basis.cheapest = crn_grid_space_of(ground)->cheapest;
        basis.times = crn_grid_space_of(ground)->times;
    }
    if (space->world == CAIRN_WORLD_VIEW) {
        const crn_view *view = crn_view_of(space);
        basis.blind = view->blind;
        memcpy(basis.share, view->share, sizeof basis.share);
    }
    if (graph && graph->positions) {
        basis.scale = graph->estimate_scale[basis.metric];
        basis.moved = graph->moved_version;
    }
    return basis;
}

static bool aimed_same_basis(const crn_aimed_basis *a, const crn_aimed_basis *b)
{
    return a->metric == b->metric && a->blind == b->blind &&
           a->cheapest.straight == b->cheapest.straight &&
           a->cheapest.diagonal == b->cheapest.diagonal && a->times == b->times &&
           a->share[0] == b->share[0] && a->share[1] == b->share[1] && a->scale == b->scale &&
           a->moved == b->moved;
}

/* The box round a target, and the gates that lead there. */
static crn_box aimed_box(const crn_aimed *aimed, cairn_heuristic metric, crn_gate *gates)
{
    crn_box box = crn_box_empty();
    crn_box_add(&box, aimed->space, aimed->target);
    crn_box_open_gates(&box, aimed->space, metric, gates);
    return box;
}

/* Room for gates, if there may be some. False = no memory. */
static bool aimed_make_room(crn_aimed *aimed)
{
    bool none =
        aimed->basis.metric == CAIRN_HEURISTIC_NULL || !crn_aimed_has_shortcuts(aimed->space);
    if (!none && !aimed->gates)
        aimed->gates = crn_scratch_alloc(aimed->memory, CRN_GATES * sizeof *aimed->gates);
    return none || aimed->gates;
}

void crn_aimed_open(crn_aimed *aimed, crn_scratch *memory, const cairn_space *space, bool backward)
{
    *aimed = (crn_aimed){
        .space = space, .memory = memory, .target = CAIRN_NO_NODE, .backward = backward};
}

void crn_aimed_close(crn_aimed *aimed)
{
    if (aimed->gates)
        crn_scratch_free(aimed->memory, aimed->gates, CRN_GATES * sizeof *aimed->gates);
}

void crn_aimed_bind(crn_aimed *aimed, cairn_node target)
{
    aimed->target = target;
    aimed->basis = aimed_basis(aimed);
    if (aimed_make_room(aimed)) {
        aimed->box = aimed_box(aimed, aimed->basis.metric, aimed->gates);
    } else {
        aimed->target = CAIRN_NO_NODE;
        aimed->basis.metric = CAIRN_HEURISTIC_NULL;
    }
}

/* Those that know of links depend on where these are. */
bool crn_aimed_holds(const crn_aimed *aimed)
{
    crn_gate gates[CRN_GATES];
    crn_aimed_basis basis = aimed_basis(aimed);
    if (!aimed_same_basis(&basis, &aimed->basis)) return false;
    if (aimed->backward || basis.metric == CAIRN_HEURISTIC_NULL) return true;
    crn_box now = aimed_box(aimed, basis.metric, gates);
    const crn_box *before = &aimed->box;
    return now.gate_count == before->gate_count && now.blind == before->blind &&
           (!now.gate_count || !memcmp(gates, aimed->gates, now.gate_count * sizeof *gates));
}
