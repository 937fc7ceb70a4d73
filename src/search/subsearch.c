/* subsearch.c: a search inside a search. See subsearch.h. */
#include "search/subsearch.h"

extern const crn_algorithm crn_algorithm_astar;

cairn_status crn_inner_open_planner(crn_inner *inner, crn_scratch *memory, cairn_search *outer,
                                    cairn_planner *planner, uint32_t layer)
{
    cairn_space *space = planner->space;
    cairn_search *search = &inner->search;
    inner->outer = outer;
    inner->goal = CAIRN_NO_NODE;
    search->planner = planner;
    search->context = space->context;
    search->space = space;
    search->memory = (crn_scratch){.context = space->context, .outer = memory};
    search->inner = true;
    search->layer = layer;
    search->goals = &inner->goal;
    atomic_init(&search->cancelled, false);
    return planner->algorithm->open(search);
}

cairn_status crn_inner_open(crn_inner *inner, crn_scratch *memory, cairn_search *outer,
                            cairn_space *space, uint32_t layer)
{
    *inner = (crn_inner){0};
    inner->settings =
        (crn_settings){.heuristic = space->standard, .cost_weight = 1, .estimate_weight = 256};
    inner->planner = (cairn_planner){
        .algorithm = &crn_algorithm_astar, .space = space, .optimal = true, .bound = 1};
    inner->planner.index = &inner->settings;
    return crn_inner_open_planner(inner, memory, outer, &inner->planner, layer);
}

void crn_inner_close(crn_inner *inner)
{
    cairn_search *search = &inner->search;
    if (!search->planner) return;
    search->planner->algorithm->close(search);
    crn_scratch_free(&search->memory, search->nodes, search->node_capacity * sizeof *search->nodes);
    search->planner = NULL;
}

void crn_inner_rest(crn_inner *inner)
{
    inner->peak = 0;
    inner->repeats = false;
}

/* Tells the outer search what was done since the last time. */
static void inner_report(crn_inner *inner)
{
    const cairn_metrics *now = &inner->search.metrics, *before = &inner->before;
    if (now->peak_bytes > inner->peak) inner->peak = now->peak_bytes;
    if (inner->outer) {
        cairn_metrics *sum = &inner->outer->metrics;
        sum->work += now->work - before->work;
        sum->expanded += now->expanded - before->expanded;
        sum->generated += now->generated - before->generated;
        sum->reopened += now->reopened - before->reopened;
        sum->pushes += now->pushes - before->pushes;
    }
    inner->before = *now;
}

cairn_status crn_inner_begin(crn_inner *inner, cairn_node from, cairn_node to)
{
    cairn_search *search = &inner->search;
    bool all = to == CAIRN_NO_NODE;
    inner->goal = to;
    inner->before = (cairn_metrics){0};
    inner->settings.heuristic = all ? CAIRN_HEURISTIC_NULL : search->space->standard;
    search->query =
        (cairn_query){.from = from, .to = to, .goal_kind = all ? CAIRN_GOAL_NONE : CAIRN_GOAL_AT};
    if (!all && inner->estimate) {
        search->query.estimate = inner->estimate;
        search->query.estimate_user = inner->estimate_user;
    }
    search->goal_count = !all;
    search->box = crn_box_empty();
    if (!all) crn_box_add(&search->box, search->space, to);
    search->metrics = (cairn_metrics){0};
    search->memory.failed = false;
    search->traced = inner->outer && inner->outer->traced;
    if (search->traced) search->sink = inner->outer->sink;
    search->status = search->planner->algorithm->begin(search);
    inner_report(inner);
    return search->status;
}

cairn_status crn_inner_begin_again(crn_inner *inner, cairn_node from, cairn_node to)
{
    cairn_search *search = &inner->search;
    if (!inner->repeats || inner->outer->traced) {
        cairn_status status = crn_inner_begin(inner, from, to);
        inner->repeats = !inner->estimate && crn_best_first_repeats(search);
        return status;
    }
    inner->goal = search->query.to = to;
    search->query.from = from;
    inner->before = search->metrics = (cairn_metrics){0};
    return search->status = crn_best_first_begin_again(search);
}

cairn_status crn_inner_step(crn_inner *inner, uint64_t *work)
{
    cairn_search *search = &inner->search;
    if (search->status != CAIRN_RUNNING) return search->status;
    uint64_t before = search->metrics.work;
    search->status = search->planner->algorithm->step(search, *work);
    uint64_t used = search->metrics.work - before;
    *work -= used < *work ? used : *work;
    inner_report(inner);
    return search->status;
}

cairn_status crn_inner_find(crn_inner *inner, cairn_node from, cairn_node to)
{
    cairn_status status = crn_inner_begin(inner, from, to);
    while (status == CAIRN_RUNNING) {
        uint64_t work = UINT32_MAX;
        status = crn_inner_step(inner, &work);
    }
    return status;
}

cairn_cost crn_inner_cost(const crn_inner *inner, cairn_node node)
{
    return crn_best_first_cost_to(&inner->search, node);
}

const cairn_node *crn_inner_points(crn_inner *inner, uint32_t *count)
{
    cairn_search *search = &inner->search;
    bool read = search->planner->algorithm->path_to(search, inner->goal) == CAIRN_OK;
    *count = read ? (uint32_t)search->node_count : 0;
    return read ? search->nodes : NULL;
}
