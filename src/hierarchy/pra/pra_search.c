/* pra_search.c: the searches of PRA*. See pra.c.
 *
 * A piece of the path is made in phases, from the level where it begins down to the ground:
 *
 *     search    A* on a level, inside the corridor if there is one
 *     read      its path is read off, and cut off
 *     mark      what it stands for, with its neighbours or without, is the corridor of the level
 *     below; on the ground its cells are shown
 *     link      the links inside are found
 *     walk      A* on the ground, inside the corridor; its path is turned round, cut off and taken;
 *     or
 *     leave,    from one clique to the next
 *     enter     by the cell of the least cost and estimate
 *     open      (where that has failed) all cells are shown
 *     hide      what was shown is hidden again
 *     smooth    rays, when the path is as long as it is to be
 */
#include "hierarchy/pra/pra_search.h"

cairn_status crn_pra_open(cairn_search *search)
{
    crn_pra *p = crn_scratch_alloc(&search->memory, sizeof *p);
    if (!p) return CAIRN_OUT_OF_MEMORY;
    memset(p, 0, sizeof *p);
    search->scratch = p;
    p->search = search;
    p->shown = crn_pra_nothing;
    crn_builder_open(&p->builder, search);
    crn_abstract_open(&p->none, search->context);
    crn_abstract_view_open(&p->view, &p->none, search->space);
    p->view.owner = p;
    cairn_status status = crn_subsearch_open(&p->upper, &search->memory, search, &p->view.base, 1);
    return status == CAIRN_OK ? crn_pra_open_ground(p) : status;
}

void crn_pra_close(cairn_search *search)
{
    crn_pra *p = search->scratch;
    crn_scratch *memory = &search->memory;
    if (!p) return;
    crn_subsearch_close(&p->upper);
    crn_subsearch_close(&p->lower);
    if (p->part.memory) crn_part_close(&p->part);
    for (uint32_t i = 0; i <= CRN_CLIQUE_LEVELS; i++) {
        crn_scratch_free(memory, p->stamps[i].of, p->stamps[i].capacity * sizeof *p->stamps[i].of);
    }
    crn_scratch_free(memory, p->path, p->path_capacity * sizeof *p->path);
    crn_scratch_free(memory, p->marked, p->marked_capacity * sizeof *p->marked);
    crn_builder_close(&p->builder);
    crn_scratch_free(memory, p, sizeof *p);
}

/* A level may have more numbers than the one below it: some are vacant. */
static uint32_t pra_most_nodes(const crn_pra *p)
{
    uint32_t most = 0;
    for (uint32_t i = 1; i <= p->cliques->top; i++)
        most = crn_max_u32(most, crn_cliques_count(p->cliques, i));
    return most;
}

/* Begins A* on p->level; inside the corridor that the level above has marked, if one was
 * searched. */
static cairn_status pra_search_level(crn_pra *p, bool corridor)
{
    const crn_clique_level *level = &p->cliques->levels[p->level];
    cairn_cost least, most;
    crn_clique_level_bounds(level, &least, &most);
    p->view.graph = &level->graph;
    p->view.group = corridor ? level->parents : NULL;
    p->view.stamps = p->stamps[p->level + 1].of;
    p->view.stamp = p->stamp;
    crn_abstract_view_refresh(&p->view, least, most);
    crn_pra_open_edges(p, most);
    p->view.base.functions = level->packs ? &crn_pra_packs_functions : &crn_abstract_functions;
    p->view.base.node_count = pra_most_nodes(p) + 2; /* records for all levels */
    p->upper.search.level = p->level;
    p->phase = PRA_SEARCHES;
    cairn_status status = crn_subsearch_begin(&p->upper, p->from[p->level], p->target);
    return status == CAIRN_OUT_OF_MEMORY ? status : CAIRN_RUNNING;
}

/* The ends on all levels, and the first on which they are the same; CAIRN_STALE: the index does not
 * know one of them. */
static cairn_status pra_find_ends(crn_pra *p, uint32_t *same)
{
    const crn_cliques *cliques = p->cliques;
    p->from[0] = crn_builder_end(&p->builder);
    p->to[0] = p->search->goals[0];
    *same = p->from[0] == p->to[0] ? 0 : UINT32_MAX;
    for (uint32_t i = 1; i <= cliques->top; i++) {
        p->from[i] = cliques->levels[i - 1].parents[p->from[i - 1]];
        p->to[i] = cliques->levels[i - 1].parents[p->to[i - 1]];
        if (p->from[i] == CAIRN_NO_NODE || p->to[i] == CAIRN_NO_NODE) return CAIRN_STALE;
        if (*same == UINT32_MAX && p->from[i] == p->to[i]) *same = i;
    }
    if (*same == UINT32_MAX) *same = cliques->top;
    return CAIRN_OK;
}

/* Gives up corridors: everything is searched. */
static cairn_status pra_open_all(crn_pra *p)
{
    if (p->stale) return CAIRN_STALE;
    p->phase = PRA_OPENS;
    p->target = p->to[0];
    p->at = 0;
    return CAIRN_RUNNING;
}

/* From the end of the path on. */
static cairn_status pra_begin_piece(crn_pra *p)
{
    uint32_t same;
    cairn_status status = pra_find_ends(p, &same);
    if (status != CAIRN_OK) return p->stale ? CAIRN_STALE : pra_open_all(p);
    uint32_t level =
        (crn_pra_parameter(p, PRA_START) == PRA_START_HALF ? same : p->cliques->top) / 2;
    p->level = level ? level : 1;
    bool cliques = crn_pra_parameter(p, PRA_GROUND) != PRA_GROUND_CORRIDOR;
    p->lowest = cliques ? 1 : crn_min_u32((uint32_t)crn_pra_parameter(p, PRA_LOWEST), p->level);
    p->fine = crn_max_u32(p->lowest, 2) - 1;
    p->wide = crn_pra_parameter(p, PRA_CORRIDOR) != PRA_CORRIDOR_INNER;
    p->squares =
        p->part.memory && !cliques && crn_pra_parameter(p, PRA_CORRIDOR) == PRA_CORRIDOR_WIDER;
    status = crn_pra_prepare_stamps(p, p->squares ? p->lowest + 1 : 1);
    if (status != CAIRN_OK) return status;
    crn_pra_new_stamp(p);
    p->target = p->to[p->level];
    return pra_search_level(p, false);
}

/* The path leads nowhere on this level. A whole level joins what the ground does: where it has no
 * path, there is none. */
static cairn_status pra_lost(crn_pra *p, cairn_status status)
{
    bool none = status == CAIRN_UNREACHABLE && !p->view.group && !p->stale;
    return none || status == CAIRN_OUT_OF_MEMORY ? status : pra_open_all(p);
}

static cairn_status pra_search_on(crn_pra *p, uint64_t *work)
{
    cairn_status status = crn_subsearch_step(&p->upper, work);
    if (status == CAIRN_RUNNING) return status;
    if (status != CAIRN_FOUND) return pra_lost(p, status);
    p->phase = PRA_READS;
    p->path_count = 0;
    p->read = p->target;
    return CAIRN_RUNNING;
}

static bool pra_grow_path(crn_pra *p, size_t more)
{
    void *path = p->path;
    bool ok = crn_scratch_grow(&p->search->memory, &path, &p->path_capacity, p->path_count + more,
                               sizeof *p->path);
    p->path = path;
    return ok;
}

/* After this many steps the path on the level is cut off. */
static uint32_t pra_level_steps(const crn_pra *p)
{
    return p->ahead && p->steps ? (p->steps >> p->level) + p->ahead : p->steps;
}

/* Reads on, from the end to the start; CAIRN_OK when it is done. */
static cairn_status pra_read(crn_pra *p, const crn_subsearch *subsearch, uint64_t *work)
{
    cairn_node nodes[PRA_READ_NODES];
    cairn_cost costs[PRA_READ_NODES];
    crn_pra_spend(p, work);
    uint32_t count =
        crn_best_first_trail(&subsearch->search, p->read, nodes, costs, PRA_READ_NODES);
    if (p->path_count + count >= p->path_capacity && !pra_grow_path(p, (size_t)count + 1))
        return CAIRN_OUT_OF_MEMORY;
    cairn_edge *path = p->path + p->path_count;
    for (uint32_t i = PRA_READ_NODES; i > PRA_READ_NODES - count; i--)
        *path++ = (cairn_edge){nodes[i - 1], costs[i - 1]};
    p->path_count += count;
    if (count == PRA_READ_NODES) {
        p->read = crn_subsearch_before(subsearch, nodes[0]);
        return CAIRN_RUNNING;
    }
    p->path[p->path_count++] = (cairn_edge){subsearch->search.query.from, 0};
    if (p->path_count > p->path_most) p->path_most = p->path_count;
    p->length = p->path_count;
    uint32_t steps = subsearch == &p->upper ? pra_level_steps(p) : p->steps;
    if (steps && p->length > (size_t)steps + 1) p->length = (size_t)steps + 1;
    p->at = 0;
    return CAIRN_OK;
}

static cairn_status pra_read_on(crn_pra *p, uint64_t *work)
{
    cairn_status status = pra_read(p, &p->upper, work);
    if (status != CAIRN_OK) return status;
    bool enters = p->level == p->lowest && crn_pra_parameter(p, PRA_GROUND) != PRA_GROUND_CORRIDOR;
    if (enters) {
        p->phase = PRA_LEAVES;
        p->wide = false;
    } else {
        crn_pra_begin_marking(p);
    }
    return CAIRN_RUNNING;
}

/* Of what a node stands for on the level below what is nearest to a place; CAIRN_NO_NODE: nothing
 * is left of it. */
static cairn_node pra_nearest_child(const crn_pra *p, uint32_t level, cairn_node node,
                                    crn_clique_body there)
{
    const crn_cliques *cliques = p->cliques;
    cairn_node best = CAIRN_NO_NODE, child = crn_cliques_first(cliques, level, node);
    uint64_t least = UINT64_MAX;
    for (; child != CAIRN_NO_NODE; child = crn_cliques_next(cliques, level - 1, child)) {
        if (p->stale && level == 1 && !cairn_space_usable(p->search->space, child)) continue;
        crn_clique_body body = crn_cliques_body(cliques, level - 1, child);
        uint64_t distance = crn_metric_distance(cliques->metric, body.x, body.y, there.x, there.y);
        if (distance >= least) continue;
        least = distance;
        best = child;
    }
    return best;
}

/* The end of the search on the level below: the goal, or of what the last node that counts stands
 * for what is nearest to the node after it, or to the link that leads there. */
static cairn_node pra_aim(const crn_pra *p)
{
    const crn_cliques *cliques = p->cliques;
    if (p->length == p->path_count && crn_pra_path(p, p->length - 1) == p->to[p->level])
        return p->to[p->level > p->lowest ? p->level - 1 : 0];
    cairn_node last = crn_pra_path(p, p->length - 1);
    cairn_node beyond = p->length < p->path_count ? crn_pra_path(p, p->length) : last;
    const crn_clique_door *door = crn_pra_door(p, p->length - 1);
    crn_clique_body there = door ? crn_cliques_body(cliques, 0, door->leave)
                                 : crn_cliques_body(cliques, p->level, beyond);
    for (uint32_t level = p->level; level > 0 && last != CAIRN_NO_NODE; level--) {
        last = pra_nearest_child(p, level, last, there);
        if (level > p->lowest) break;
    }
    return last;
}

/* ---- the ground ---- */

/* Begins A* on the ground: to a target or, from clique to clique, to all that is shown. */
static cairn_status pra_begin_ground(crn_pra *p)
{
    bool last = p->at + 1 == p->length;
    p->phase = p->entering ? PRA_ENTERS : PRA_WALKS;
    if (p->entering) p->target = last ? pra_aim(p) : CAIRN_NO_NODE;
    if (p->target == CAIRN_NO_NODE && (!p->entering || last)) return CAIRN_STALE;
    cairn_status status = crn_subsearch_begin(&p->lower, crn_builder_end(&p->builder), p->target);
    return status == CAIRN_OUT_OF_MEMORY ? status : CAIRN_RUNNING;
}

/* Finds the links inside what is shown. Few of them need no unit of work of their own. */
static cairn_status pra_link(crn_pra *p)
{
    cairn_status status = p->part.memory ? crn_part_take_links(&p->part) : CAIRN_OK;
    if (status != CAIRN_RUNNING) return status == CAIRN_OK ? pra_begin_ground(p) : status;
    p->phase = PRA_LINKS;
    return status;
}

static cairn_status pra_link_on(crn_pra *p, uint64_t *work)
{
    crn_pra_spend(p, work);
    return pra_link(p);
}

/* What is to be seen is shown. */
static cairn_status pra_search_ground(crn_pra *p, bool entering)
{
    p->filter.group = p->cliques->levels[0].parents;
    p->filter.stamps = p->opened ? NULL : p->stamps[1].of;
    p->filter.stamp = p->stamp;
    p->entering = entering;
    if (!p->part.memory) return pra_link(p);
    const uint32_t width = p->part.whole->grid->width;
    cairn_node row = p->shown.last / width * width;
    cairn_status status = crn_part_begin_links(&p->part, p->shown.first, row + width - 1);
    return status == CAIRN_OK ? pra_link(p) : status;
}

static cairn_status pra_mark_on(crn_pra *p, uint64_t *work)
{
    crn_pra_spend(p, work);
    cairn_status status = crn_pra_mark_some(p);
    if (status != CAIRN_OK) return status;
    p->target = pra_aim(p);
    if (crn_pra_in_squares(p)) crn_pra_show_ends(p);
    if (p->level == p->lowest) return pra_search_ground(p, false);
    p->level--;
    return pra_search_level(p, true);
}

static cairn_status pra_open_on(crn_pra *p, uint64_t *work)
{
    crn_pra_spend(p, work);
    p->opened = true;
    if (p->part.memory) {
        const cairn_grid *grid = p->part.whole->grid;
        p->shown = (crn_pra_span){0, p->search->space->node_count - 1, 0, grid->width - 1};
        crn_part_show(&p->part, (crn_area){0, (uint32_t)p->at, grid->width, 1});
        if (++p->at < grid->height) return CAIRN_RUNNING;
    }
    return pra_search_ground(p, false);
}

/* The corridor leads nowhere: a wider one, then everything. */
static cairn_status pra_widen(crn_pra *p)
{
    if (p->wide) return pra_open_all(p);
    p->wide = true;
    crn_pra_new_stamp(p);
    crn_pra_begin_marking(p);
    return CAIRN_RUNNING;
}

static cairn_status pra_walk_on(crn_pra *p, uint64_t *work)
{
    cairn_status status = crn_subsearch_step(&p->lower, work);
    if (status == CAIRN_UNREACHABLE && !p->opened) return pra_widen(p);
    if (status != CAIRN_FOUND) return status;
    p->phase = PRA_TURNS;
    p->path_count = 0;
    p->read = p->target;
    return CAIRN_RUNNING;
}

static cairn_status pra_turn_on(crn_pra *p, uint64_t *work)
{
    cairn_status status = pra_read(p, &p->lower, work);
    if (status != CAIRN_OK) return status;
    p->phase = PRA_TAKES;
    p->arrived = p->length == p->path_count && p->target == p->to[0];
    p->at = 1; /* the first is the end of the path so far */
    return CAIRN_RUNNING;
}

static cairn_status pra_take_on(crn_pra *p, uint64_t *work)
{
    crn_pra_spend(p, work);
    size_t left = p->length - p->at;
    uint32_t count = (uint32_t)(left < PRA_TAKE_NODES ? left : PRA_TAKE_NODES);
    p->at += count;
    cairn_status status = crn_builder_put_back(&p->builder, &p->path[p->path_count - p->at], count);
    if (status != CAIRN_OK) return status;
    if (p->at == p->length) p->phase = PRA_HIDES;
    return CAIRN_RUNNING;
}

/* ---- from clique to clique ---- */

/* Begins at the clique where the path ends now. Shows it and the next one and, if necessary, all
 * that are next to it. */
static cairn_status pra_enter(crn_pra *p, uint64_t *work)
{
    crn_pra_spend(p, work);
    cairn_status status = crn_pra_mark_cliques(p);
    return status == CAIRN_OK ? pra_search_ground(p, true) : status;
}

/* The node of the next clique that the search inside reached with the least cost and estimate, or,
 * greedily, with the least cost; CAIRN_NO_NODE: none. */
static cairn_node pra_entrance(const crn_pra *p)
{
    const cairn_space *space = p->search->space;
    bool greedy = crn_pra_parameter(p, PRA_GROUND) == PRA_GROUND_GREEDY;
    cairn_node best = CAIRN_NO_NODE;
    uint64_t least = UINT64_MAX;
    cairn_node node = crn_cliques_first(p->cliques, 1, crn_pra_path(p, p->at + 1));
    for (; node != CAIRN_NO_NODE; node = crn_cliques_next(p->cliques, 0, node)) {
        cairn_cost cost = crn_subsearch_cost(&p->lower, node);
        if (cost == CAIRN_NO_COST) continue;
        uint64_t sum = cost;
        if (!greedy)
            sum +=
                space->functions->estimate(space, space->default_heuristic, node, &p->search->box);
        if (sum >= least) continue;
        least = sum;
        best = node;
    }
    return best;
}

static cairn_status pra_enter_on(crn_pra *p, uint64_t *work)
{
    cairn_status status = crn_subsearch_step(&p->lower, work);
    if (status == CAIRN_RUNNING || status == CAIRN_OUT_OF_MEMORY || status == CAIRN_COST_OVERFLOW)
        return status;
    bool last = p->at + 1 == p->length;
    cairn_node to = status != CAIRN_FOUND ? CAIRN_NO_NODE : last ? p->target : pra_entrance(p);
    crn_pra_hide(p, SIZE_MAX);
    p->phase = PRA_LEAVES;
    if (to == CAIRN_NO_NODE && p->wide) return pra_open_all(p);
    p->wide = to == CAIRN_NO_NODE;
    if (p->wide) return CAIRN_RUNNING;
    status = crn_builder_append(&p->builder, &p->lower, to);
    if (status != CAIRN_OK) return status;
    p->at++;
    if (!last) return CAIRN_RUNNING;
    p->arrived = to == p->to[0];
    p->phase = PRA_HIDES;
    return CAIRN_RUNNING;
}

/* ---- the end of a piece ---- */

/* Has the end of a piece been the end of one before? Small circles are noticed at once, larger ones
 * some time later. */
static void pra_watch(crn_pra *p)
{
    cairn_node end = crn_builder_end(&p->builder);
    bool again = end == p->milestone;
    for (uint32_t i = 0; i < PRA_ENDS; i++) again |= end == p->ends[i];
    if (again) p->steps = 0;
    memmove(p->ends + 1, p->ends, (PRA_ENDS - 1) * sizeof *p->ends);
    p->ends[0] = end;
    if (++p->since < p->power) return;
    p->since = 0;
    p->power *= 2;
    p->milestone = end;
}

static cairn_status pra_end_piece(crn_pra *p)
{
    if (!p->arrived) {
        pra_watch(p);
        if (!crn_builder_suffices(&p->builder)) return pra_begin_piece(p);
    }
    p->phase = PRA_SMOOTHS;
    return crn_builder_deliver(p->search, p->arrived, !p->part.memory);
}

static cairn_status pra_hide_on(crn_pra *p, uint64_t *work)
{
    crn_pra_spend(p, work);
    return crn_pra_hide(p, PRA_HIDE_ROWS) ? pra_end_piece(p) : CAIRN_RUNNING;
}

static cairn_status pra_smooth_on(crn_pra *p, uint64_t *work)
{
    cairn_status status = crn_builder_smooth_step(&p->builder, work);
    return status == CAIRN_OK ? crn_builder_deliver(p->search, p->arrived, true) : status;
}

/* ---- queries ---- */

static cairn_status pra_go_on(crn_pra *p, uint64_t *work)
{
    switch (p->phase) {
    case PRA_SEARCHES: return pra_search_on(p, work);
    case PRA_READS: return pra_read_on(p, work);
    case PRA_MARKS: return pra_mark_on(p, work);
    case PRA_LINKS: return pra_link_on(p, work);
    case PRA_WALKS: return pra_walk_on(p, work);
    case PRA_TURNS: return pra_turn_on(p, work);
    case PRA_TAKES: return pra_take_on(p, work);
    case PRA_LEAVES: return pra_enter(p, work);
    case PRA_ENTERS: return pra_enter_on(p, work);
    case PRA_OPENS: return pra_open_on(p, work);
    case PRA_HIDES: return pra_hide_on(p, work);
    default: return pra_smooth_on(p, work);
    }
}

static cairn_status pra_pause(crn_pra *p, cairn_status status)
{
    size_t bytes = sizeof *p + crn_builder_bytes(&p->builder) + p->path_most * sizeof *p->path +
                   p->marked_most * sizeof *p->marked;
    uint64_t peak = bytes + p->upper.peak + p->lower.peak;
    if (peak > p->search->metrics.peak_bytes) p->search->metrics.peak_bytes = peak;
    return status;
}

cairn_status crn_pra_step(cairn_search *search, uint64_t work)
{
    crn_pra *p = crn_pra_of(search);
    cairn_status status = CAIRN_RUNNING;
    while (work && status == CAIRN_RUNNING) status = pra_go_on(p, &work);
    pra_pause(p, status);
    /* A path that is not the cheapest may cost more than 32 bits hold. And where links or steps
     * lead one way, only a search of the ground knows what can be reached. */
    bool delegated =
        status == CAIRN_COST_OVERFLOW || (status == CAIRN_UNREACHABLE && search->query.partial);
    return delegated && !p->builder.given ? crn_search_delegate(search) : status;
}

static uint32_t pra_steps(const crn_pra *p)
{
    uint32_t k = (uint32_t)crn_pra_parameter(p, PRA_K), piece = p->search->query.piece;
    if (k || !piece) return k;
    return piece > PRA_PIECE_STEPS ? piece : PRA_PIECE_STEPS;
}

bool crn_pra_handles(const cairn_search *search)
{
    const crn_pra_index *index = search->planner->index;
    return crn_builder_handles(search) && !index->cliques->one_way;
}

cairn_status crn_pra_begin(cairn_search *search)
{
    crn_pra *p = crn_pra_of(search);
    const crn_pra_index *index = search->planner->index;
    p->cliques = index->cliques;
    p->stale = crn_index_owner(search->planner)->built_version != search->version;
    crn_pra_hide(p, SIZE_MAX); /* what a query that was given up has left */
    if (p->part.memory) {
        crn_part_refresh(&p->part);
    } else {
        crn_pra_filter_refresh(&p->filter);
    }
    crn_subsearch_rest(&p->upper);
    crn_subsearch_rest(&p->lower);
    p->path_most = p->marked_most = 0;
    p->steps = pra_steps(p);
    p->ahead = crn_pra_parameter(p, PRA_K) ? 0 : PRA_AHEAD;
    memset(p->ends, 0xff, sizeof p->ends); /* CAIRN_NO_NODE */
    p->milestone = CAIRN_NO_NODE;
    p->since = 0;
    p->power = 1;
    crn_search_announce(search, 0);
    cairn_status status = crn_builder_begin(&p->builder, search->query.from);
    return pra_pause(p, status == CAIRN_OK ? pra_begin_piece(p) : status);
}

cairn_status crn_pra_next(cairn_search *search)
{
    crn_pra *p = crn_pra_of(search);
    const crn_pra_index *index = search->planner->index;
    p->cliques = index->cliques;
    p->stale = crn_index_owner(search->planner)->built_version != search->version;
    crn_builder_next(&p->builder);
    return pra_pause(p, pra_begin_piece(p));
}
