/* subsearch.c: a search inside a search. See subsearch.h. */
#include "search/subsearch.h"
#include "search/astar.h"

cairn_status crn_subsearch_open_planner(crn_subsearch *subsearch, crn_scratch *memory,
                                        cairn_search *outer, cairn_planner *planner, uint32_t level)
{
    cairn_search *search = &subsearch->search;
    subsearch->outer = outer;
    subsearch->goal = CAIRN_NO_NODE;
    search->memory = (crn_scratch){.context = planner->space->context, .outer = memory};
    search->subsearch = true;
    search->level = level;
    search->goals = &subsearch->goal;
    atomic_init(&search->cancelled, false);
    return crn_search_open(search, planner);
}

cairn_status crn_subsearch_open(crn_subsearch *subsearch, crn_scratch *memory, cairn_search *outer,
                                cairn_space *space, uint32_t level)
{
    *subsearch = (crn_subsearch){0};
    subsearch->settings = (crn_settings){
        .heuristic = space->default_heuristic, .cost_weight = 1, .estimate_weight = 256};
    subsearch->planner = (cairn_planner){
        .algorithm = &crn_algorithm_astar, .space = space, .optimal = true, .bound = 1};
    subsearch->planner.index = &subsearch->settings;
    return crn_subsearch_open_planner(subsearch, memory, outer, &subsearch->planner, level);
}

void crn_subsearch_close(crn_subsearch *subsearch)
{
    cairn_search *search = &subsearch->search;
    if (!search->planner) return;
    crn_search_close(search);
    crn_scratch_free(&search->memory, search->nodes, search->node_capacity * sizeof *search->nodes);
    search->planner = NULL;
}

void crn_subsearch_rest(crn_subsearch *subsearch)
{
    subsearch->peak = 0;
    subsearch->repeats = false;
}

/* Adds what was done since the last call to the outer search's metrics. */
static void subsearch_report(crn_subsearch *subsearch)
{
    const cairn_metrics *now = &subsearch->search.metrics, *before = &subsearch->before;
    if (now->peak_bytes > subsearch->peak) subsearch->peak = now->peak_bytes;
    if (subsearch->outer) {
        cairn_metrics *sum = &subsearch->outer->metrics;
        sum->work += now->work - before->work;
        sum->expanded += now->expanded - before->expanded;
        sum->generated += now->generated - before->generated;
        sum->reopened += now->reopened - before->reopened;
        sum->pushes += now->pushes - before->pushes;
    }
    subsearch->before = *now;
}

cairn_status crn_subsearch_begin(crn_subsearch *subsearch, cairn_node from, cairn_node to)
{
    cairn_search *search = &subsearch->search;
    bool all = to == CAIRN_NO_NODE;
    subsearch->goal = to;
    subsearch->before = (cairn_metrics){0};
    subsearch->settings.heuristic = all ? CAIRN_HEURISTIC_NULL : search->space->default_heuristic;
    /* the other fields of the query are zero */
    search->query.from = from;
    search->query.to = to;
    search->query.goal_kind = all ? CAIRN_GOAL_NONE : CAIRN_GOAL_AT;
    search->query.estimate = all ? NULL : subsearch->estimate;
    search->query.estimate_user = subsearch->estimate_user;
    search->goal_count = !all;
    search->box = crn_box_empty();
    if (!all) crn_box_add(&search->box, search->space, to);
    search->metrics = (cairn_metrics){0};
    search->memory.failed = false;
    search->traced = subsearch->outer && subsearch->outer->traced;
    if (search->traced) search->sink = subsearch->outer->sink;
    search->status = crn_search_start(search);
    subsearch_report(subsearch);
    return search->status;
}

cairn_status crn_subsearch_begin_again(crn_subsearch *subsearch, cairn_node from, cairn_node to)
{
    cairn_search *search = &subsearch->search;
    if (!subsearch->repeats || subsearch->outer->traced) {
        cairn_status status = crn_subsearch_begin(subsearch, from, to);
        bool delegated = search->planner != search->asked;
        subsearch->repeats = !subsearch->estimate && !delegated && crn_best_first_repeats(search);
        return status;
    }
    subsearch->goal = search->query.to = to;
    search->query.from = from;
    subsearch->before = search->metrics = (cairn_metrics){0};
    return search->status = crn_best_first_begin_again(search);
}

cairn_status crn_subsearch_step(crn_subsearch *subsearch, uint64_t *work)
{
    cairn_search *search = &subsearch->search;
    if (search->status != CAIRN_RUNNING) return search->status;
    uint64_t before = search->metrics.work;
    search->status = search->planner->algorithm->step(search, *work);
    uint64_t used = search->metrics.work - before;
    *work -= used < *work ? used : *work;
    subsearch_report(subsearch);
    return search->status;
}

cairn_status crn_subsearch_find(crn_subsearch *subsearch, cairn_node from, cairn_node to)
{
    cairn_status status = crn_subsearch_begin(subsearch, from, to);
    while (status == CAIRN_RUNNING) {
        uint64_t work = UINT32_MAX;
        status = crn_subsearch_step(subsearch, &work);
    }
    return status;
}

cairn_cost crn_subsearch_cost(const crn_subsearch *subsearch, cairn_node node)
{
    return crn_best_first_cost_to(&subsearch->search, node);
}

const cairn_node *crn_subsearch_points(crn_subsearch *subsearch, uint32_t *count)
{
    cairn_search *search = &subsearch->search;
    bool read = search->planner->algorithm->path_to(search, subsearch->goal) == CAIRN_OK;
    *count = read ? (uint32_t)search->node_count : 0;
    return read ? search->nodes : NULL;
}
