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

static void aimed_bind(const crn_aimed *aimed, crn_estimate *estimate)
{
    crn_box box = crn_box_empty();
    crn_box_add(&box, aimed->space, aimed->target);
    crn_aim aim = {.space = aimed->space,
                   .metric = aimed_metric(aimed),
                   .nodes = &aimed->target,
                   .count = 1,
                   .box = &box,
                   .backward = aimed->backward};
    crn_estimate_bind(estimate, NULL, &aim);
}

void crn_aimed_bind(crn_aimed *aimed, const cairn_space *space, cairn_node target, bool backward)
{
    aimed->space = space;
    aimed->target = target;
    aimed->backward = backward;
    aimed->basis = aimed_basis(aimed);
    aimed_bind(aimed, &aimed->estimate);
}

/* Those that know of links depend on where these are. */
bool crn_aimed_holds(const crn_aimed *aimed)
{
    crn_aimed_basis basis = aimed_basis(aimed);
    if (!aimed_same_basis(&basis, &aimed->basis)) return false;
    if (aimed->backward || basis.metric == CAIRN_HEURISTIC_NULL) return true;
    crn_estimate now;
    aimed_bind(aimed, &now);
    const crn_box *a = &now.box, *b = &aimed->estimate.box;
    return a->gate_count == b->gate_count && a->blind == b->blind &&
           (!a->gate_count || !memcmp(a->gates, b->gates, a->gate_count * sizeof *a->gates));
}
