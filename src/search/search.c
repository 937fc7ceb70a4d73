/* search.c: the life of a query: begin, step, result, and the path that comes out.
 *
 * What is the same for all algorithms happens here: checking the ends, budgets,
 * cancelling, noticing that the world changed, and keeping the answer.
 */
#include "search/search.h"
#include "path/line.h"
#include "path/sight.h"
#include "search/filter.h"

#define SEARCH_SLICE 4096u /* units of work between two tests of the cancel flag */

cairn_status cairn_search_create(cairn_planner *planner, const cairn_search_options *options,
                                 cairn_search **out)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!planner) return CAIRN_INVALID;
    cairn_context *context = planner->space->context;
    size_t limit = options ? options->byte_limit : 0;
    if (limit && limit < sizeof(cairn_search)) return CAIRN_OUT_OF_MEMORY;
    cairn_search *search = crn_alloc_zero(context, sizeof *search);
    if (!search) return CAIRN_OUT_OF_MEMORY;
    search->memory = (crn_scratch){.context = context, .limit = limit, .bytes = sizeof *search};
    search->status = CAIRN_INVALID;
    atomic_init(&search->cancelled, false);
    crn_hold(&planner->holders);
    cairn_status status = crn_search_open(search, planner);
    if (status != CAIRN_OK) {
        cairn_search_destroy(search);
        return status;
    }
    *out = search;
    return CAIRN_OK;
}

void cairn_search_destroy(cairn_search *search)
{
    if (!search) return;
    crn_search_close(search);
    crn_scratch_free(&search->memory, search->goals, search->goal_capacity * sizeof *search->goals);
    crn_scratch_free(&search->memory, search->nodes, search->node_capacity * sizeof *search->nodes);
    crn_scratch_free(&search->memory, search->links, search->link_capacity * sizeof *search->links);
    crn_goals_stop_moving(search);
    crn_ends_free(search);
    cairn_planner *planner = search->asked;
    crn_free(search->context, search, sizeof *search);
    cairn_planner_destroy(planner); /* lets go of it */
}

/* ---- which algorithm answers ---- */

cairn_status crn_search_open(cairn_search *search, cairn_planner *planner)
{
    search->planner = search->asked = planner;
    search->context = planner->space->context;
    search->space = planner->space;
    return planner->algorithm->open(search);
}

/* Swaps the asked planner and its delegate. */
static void search_swap(cairn_search *search, cairn_planner *planner)
{
    void *scratch = search->scratch;
    search->scratch = search->spare;
    search->spare = scratch;
    search->planner = planner;
}

void crn_search_recall(cairn_search *search)
{
    if (search->filtered) crn_filter_leave(search);
    if (search->planner != search->asked) search_swap(search, search->asked);
}

void crn_search_close(cairn_search *search)
{
    crn_search_recall(search);
    crn_filter_close(search);
    search->planner->algorithm->close(search);
    search->scratch = NULL;
    if (!search->spare) return;
    search_swap(search, search->asked->delegate);
    search->planner->algorithm->close(search);
    search->scratch = NULL;
}

/* The delegate's scratch is made when a query first needs it. */
static cairn_status search_open_delegate(cairn_search *search)
{
    const crn_algorithm *algorithm = search->planner->algorithm;
    cairn_status status = algorithm->open(search);
    if (status == CAIRN_OK) return status;
    algorithm->close(search);
    search->scratch = NULL;
    crn_search_recall(search);
    return status;
}

void crn_search_announce(const cairn_search *search, uint64_t estimate)
{
    if (!search->traced) return;
    bool known = search->subsearch || search->metrics.work;
    crn_trace(search, known ? CAIRN_EVENT_PIECE : CAIRN_EVENT_SOURCE, search->query.from,
              CAIRN_NO_NODE, 0, crn_saturate(estimate));
    for (size_t i = 0; !known && i < search->goal_count; i++) {
        crn_trace(search, CAIRN_EVENT_DESTINATION, search->goals[i], CAIRN_NO_NODE, CAIRN_NO_COST,
                  0);
    }
}

cairn_status crn_search_delegate(cairn_search *search)
{
    if (!search->asked->delegate) return CAIRN_UNSUPPORTED;
    search_swap(search, search->asked->delegate);
    if (search->continued) search->query.from = search->piece_from;
    cairn_status status = search->scratch ? CAIRN_OK : search_open_delegate(search);
    return status == CAIRN_OK ? search->planner->algorithm->begin(search) : status;
}

/* Edges that do not fit into 32 bits are left to the delegate. */
cairn_status crn_search_start(cairn_search *search)
{
    if (!search->filtered) crn_search_recall(search);
    const crn_algorithm *algorithm = search->planner->algorithm;
    bool handled = search->filtered || !algorithm->handles ||
                   (algorithm->handles(search) && search->space->max_edge <= CAIRN_COST_MAX);
    return handled ? algorithm->begin(search) : crn_search_delegate(search);
}

/* Returns the algorithm that answered. NULL if the ends decided the answer, and for subsearches. */
static const cairn_algorithm *search_answered_by(const cairn_search *search)
{
    return search->answered ? crn_planner_info(search->planner) : NULL;
}

/* ---- begin ---- */

static void search_clear(cairn_search *search)
{
    search->begun = true;
    search->answered = search->path_made = search->partial = false;
    search->unfinished = search->continued = search->improvable = false;
    search->bound = 0;
    search->reason = CAIRN_OK;
    search->ending = CAIRN_RUNNING;
    search->phase = CRN_PHASE_SEARCH;
    search->prepared = 0;
    search->reached_goal = CAIRN_NO_NODE;
    search->metrics = (cairn_metrics){0};
    search->memory.failed = false;
    search->sink = search->next_sink;
    search->traced = search->sink.event != NULL;
    search->version = cairn_space_version(search->space);
    search->generation = crn_index_owner(search->asked)->generation;
    atomic_store(&search->cancelled, false);
}

/* Have the world or the index changed since the query began? */
static bool search_outdated(const cairn_search *search)
{
    return cairn_space_version(search->space) != search->version ||
           crn_index_owner(search->asked)->generation != search->generation;
}

/* Must the delegate find the end of a partial path? Where links or steps lead one way only a search
 * can tell that a goal is out of reach, and algorithms that have one pass most nodes unseen. */
static bool search_saw_too_little(const cairn_search *search, cairn_status status)
{
    return status == CAIRN_UNREACHABLE && search->query.partial && search->asked->delegate &&
           search->planner == search->asked && cairn_space_directed(search->space);
}

/* Records a status that may be final. */
static cairn_status search_end(cairn_search *search, cairn_status status)
{
    const cairn_query *query = &search->query;
    bool replaced = search->reason != CAIRN_OK;
    if (search_saw_too_little(search, status)) status = crn_search_delegate(search);
    if (status == CAIRN_FOUND && replaced && !search->unfinished) {
        search->partial = true;
        status = search->reason;
    } else if ((status == CAIRN_OUT_OF_BUDGET || status == CAIRN_UNREACHABLE) && query->partial &&
               query->goal_kind != CAIRN_GOAL_NONE) {
        search->ending = replaced && status == CAIRN_UNREACHABLE ? search->reason : status;
        search->looking = false;
        status = CAIRN_RUNNING;
    }
    return search->status = status;
}

/* Peak memory is the maximum so far, whatever the algorithm holds now. */
static cairn_status search_advance(cairn_search *search, uint64_t work)
{
    uint64_t peak = search->metrics.peak_bytes;
    cairn_status status = search->planner->algorithm->step(search, work);
    if (peak > search->metrics.peak_bytes) search->metrics.peak_bytes = peak;
    return search_end(search, status);
}

/* The search is over: continues to look for the end of a partial path. */
static cairn_status search_look(cairn_search *search, uint64_t work)
{
    bool first = !search->looking;
    search->looking = true;
    if (!search->planner->algorithm->closest(search, work, first)) return CAIRN_RUNNING;
    search->partial = true;
    return search->status = search->ending;
}

/* "Nearest" is by the space's default estimate, whatever the algorithm's own is. */
void crn_closest_consider(cairn_search *search, cairn_node node, cairn_cost g)
{
    const cairn_space *space = search->space;
    cairn_cost h = space->functions->estimate(space, space->default_heuristic, node, &search->aim);
    bool nearer = h < search->closest_h || (h == search->closest_h && g < search->closest_g);
    if (!nearer &&
        (h != search->closest_h || g != search->closest_g || node >= search->reached_goal))
        return;
    search->closest_h = h;
    search->closest_g = g;
    search->reached_goal = node;
}

void crn_closest_begin(cairn_search *search)
{
    search->closest_h = search->closest_g = CAIRN_NO_COST;
    crn_closest_consider(search, search->query.from, 0);
}

/* The ends are resolved as far as this status says: if they are known, the algorithm begins. */
static cairn_status search_enter(cairn_search *search, cairn_status status)
{
    if (status != CAIRN_OK) return search->status = status;
    search->answered = true;
    status = crn_search_start(search);
    search->answered = status != CAIRN_UNSUPPORTED; /* where there is no delegate */
    return search_end(search, status);
}

cairn_status cairn_search_begin(cairn_search *search, const cairn_query *query)
{
    if (!search || !query) return CAIRN_INVALID;
    search->query = *query;
    if (query->goal_kind == CAIRN_GOAL_NONE) search->query.estimate = NULL;
    crn_filter_leave(search);
    cairn_status status = query->filter ? crn_filter_enter(search) : CAIRN_OK;
    search_clear(search);
    return search_enter(search, status == CAIRN_OK ? crn_prepare_begin(search) : status);
}

/* ---- step ---- */

/* Units that are left of the query's budget. */
static uint64_t search_left(const cairn_search *search)
{
    uint64_t limit = search->query.max_work, used = search->metrics.work + search->prepared;
    return !limit ? UINT64_MAX : limit > used ? limit - used : 0;
}

/* Goes on before the algorithm begins. Returns the units of work that are left of these. */
static uint64_t search_prepare(cairn_search *search, uint64_t work)
{
    cairn_status status = CAIRN_RUNNING;
    for (; work && status == CAIRN_RUNNING; work--) {
        if (search_left(search) == 0) {
            search_enter(search, crn_prepare_give_up(search));
            return work;
        }
        status = crn_prepare_go_on(search);
    }
    if (status != CAIRN_RUNNING) search_enter(search, status);
    return work;
}

cairn_status cairn_search_step(cairn_search *search, uint64_t work)
{
    if (!search) return CAIRN_INVALID;
    if (search->status != CAIRN_RUNNING) return search->status;
    if (atomic_load(&search->cancelled)) return search->status = CAIRN_CANCELLED;
    if (search_outdated(search)) return search->status = CAIRN_STALE;
    if (search->phase != CRN_PHASE_SEARCH) {
        work = search_prepare(search, work);
        if (!work || search->status != CAIRN_RUNNING) return search->status;
    }
    if (search->ending != CAIRN_RUNNING) return search_look(search, work);
    uint64_t left = search_left(search);
    if (left == 0) return search_end(search, CAIRN_OUT_OF_BUDGET);
    return search_advance(search, work < left ? work : left);
}

void cairn_search_cancel(cairn_search *search)
{
    if (search) atomic_store(&search->cancelled, true);
}

/* ---- result ---- */

static void search_empty_path(cairn_search *search, cairn_status status)
{
    search->path = (cairn_path){.status = status,
                                .end = CAIRN_NO_NODE,
                                .cost = CAIRN_NO_COST,
                                .version = search->version,
                                .answered_by = search_answered_by(search)};
}

/* A path is one of the space that was asked for, whatever space was searched. */
static cairn_status search_reconstruct(cairn_search *search, cairn_node node)
{
    const cairn_space *searched = search->space;
    search->space = search->asked->space;
    cairn_status status = search->planner->algorithm->path_to(search, node);
    if (status == CAIRN_OK) status = crn_ends_decorate(search);
    search->space = searched;
    return status;
}

static void search_make_path(cairn_search *search)
{
    cairn_status status = search_reconstruct(search, search->reached_goal);
    if (status != CAIRN_OK) {
        search_empty_path(search, status);
        search->status = status;
        return;
    }
    search->path.status = search->status;
    search->path.partial = search->partial || search->unfinished;
    search->path.improvable = search->improvable && search->status == CAIRN_FOUND;
}

cairn_status cairn_search_result(cairn_search *search, const cairn_path **path)
{
    if (path) *path = NULL;
    if (!search) return CAIRN_INVALID;
    if (!search->path_made) {
        /* The records belong to a world that has changed. */
        bool stale = cairn_space_version(search->space) != search->version;
        bool led = search->status == CAIRN_FOUND || search->partial;
        if (led && stale) search->status = CAIRN_STALE;
        search_empty_path(search, search->status);
        if (led && !stale && search->reached_goal != CAIRN_NO_NODE) search_make_path(search);
        search->path_made = search->status != CAIRN_RUNNING;
    }
    if (path) *path = &search->path;
    return search->path.status;
}

/* From begin to the end. */
static cairn_status search_run(cairn_search *search, const cairn_query *query)
{
    cairn_status status = cairn_search_begin(search, query);
    while (status == CAIRN_RUNNING) status = cairn_search_step(search, SEARCH_SLICE);
    return status;
}

cairn_status cairn_search_find(cairn_search *search, const cairn_query *query,
                               const cairn_path **path)
{
    if (path) *path = NULL;
    if (!search || !query) return CAIRN_INVALID;
    search_run(search, query);
    return cairn_search_result(search, path);
}

/* ---- in pieces ---- */

cairn_status cairn_search_begin_next(cairn_search *search)
{
    /* A caller who asked too late for the last piece is told of the commit again. */
    bool led = search && (search->status == CAIRN_FOUND || search->status == CAIRN_STALE);
    if (!led || !search->unfinished) return CAIRN_INVALID;
    search->path_made = search->unfinished = false;
    search->continued = true;
    search->piece_from = search->reached_goal;
    search->reached_goal = CAIRN_NO_NODE;
    search->query.by_position &= ~(uint32_t)CAIRN_FROM_POSITION; /* the piece begins elsewhere */
    if (search_outdated(search)) return search->status = CAIRN_STALE;
    return search_end(search, search->planner->algorithm->next(search));
}

cairn_status cairn_search_find_next(cairn_search *search, const cairn_path **path)
{
    if (path) *path = NULL;
    cairn_status status = cairn_search_begin_next(search);
    if (status == CAIRN_INVALID) return status;
    while (status == CAIRN_RUNNING) status = cairn_search_step(search, SEARCH_SLICE);
    return cairn_search_result(search, path);
}

/* ---- improving ---- */

cairn_status cairn_search_improve(cairn_search *search, uint64_t work, const cairn_path **path)
{
    if (path) *path = NULL;
    if (!search || search->status != CAIRN_FOUND || !search->improvable) return CAIRN_INVALID;
    uint64_t left = search_left(search);
    if (search_outdated(search))
        search->status = CAIRN_STALE;
    else if (atomic_load(&search->cancelled))
        search->status = CAIRN_CANCELLED;
    else if (left)
        search->status = search->planner->algorithm->improve(search, work < left ? work : left);
    else
        search->improvable = false;
    search->path_made = false;
    return cairn_search_result(search, path);
}

cairn_status cairn_distance(cairn_search *search, cairn_node from, cairn_node to, cairn_cost *cost)
{
    if (cost) *cost = CAIRN_NO_COST;
    if (!search || !cost) return CAIRN_INVALID;
    cairn_query query = {.from = from, .to = to};
    cairn_status status = search_run(search, &query);
    if (status == CAIRN_FOUND) *cost = cairn_search_cost_to(search, to);
    return status;
}

/* ---- the path ---- */

void crn_path_start(cairn_search *search)
{
    search->node_count = search->link_count = 0;
    search->straight = search->diagonal = search->linked = 0;
    search->lines = 0;
}

static int32_t search_sign(int32_t v)
{
    return (v > 0) - (v < 0);
}

/* Notes that the step from `node` to the last point is a link. */
static cairn_status search_add_link(cairn_search *search, const crn_space_link *link)
{
    void *links = search->links;
    if (!crn_scratch_grow(&search->memory, &links, &search->link_capacity, search->link_count + 1,
                          sizeof *search->links)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    search->links = links;
    search->links[search->link_count++] = (cairn_path_link){(uint32_t)search->node_count, link->id};
    search->linked += link->cost;
    search->direction = (cairn_cell){0, 0};
    return CAIRN_OK;
}

/* Notes the direction of the step to the last point. Returns whether the next one is in line. */
static bool search_in_line(cairn_search *search, cairn_cell direction)
{
    cairn_cell before = search->direction;
    search->direction = direction;
    return search->node_count > 1 && before.x == direction.x && before.y == direction.y;
}

/* Grids: counts the steps from the last point to this one. Returns whether that point is in
 * line. */
static bool search_walks_in_line(cairn_search *search, cairn_node node)
{
    const cairn_grid *grid = cairn_space_grid(search->space);
    cairn_cell a = cairn_grid_cell(grid, search->nodes[search->node_count - 1]),
               b = cairn_grid_cell(grid, node);
    bool hex = grid->layout == CAIRN_LAYOUT_HEX;
    if (hex) {
        a = crn_line_to_axial(a);
        b = crn_line_to_axial(b);
    }
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    uint64_t steps = (uint64_t)(dx ? dx * search_sign(dx) : dy * search_sign(dy));
    if (dx && dy && !hex) {
        search->diagonal += steps;
    } else {
        search->straight += steps;
    }
    return search_in_line(search, (cairn_cell){search_sign(dx), search_sign(dy)});
}

/* The next point, or in place of the last one. */
CRN_INLINE cairn_status search_put(cairn_search *search, cairn_node node, bool in_place)
{
    if (in_place) {
        search->nodes[search->node_count - 1] = node;
        return CAIRN_OK;
    }
    if (CRN_UNLIKELY(search->node_count == search->node_capacity)) {
        void *nodes = search->nodes;
        if (!crn_scratch_grow(&search->memory, &nodes, &search->node_capacity,
                              search->node_count + 1, sizeof *search->nodes)) {
            return CAIRN_OUT_OF_MEMORY;
        }
        search->nodes = nodes;
    }
    search->nodes[search->node_count++] = node;
    return CAIRN_OK;
}

/* The link by which the path goes from a to b, NULL if it walks. */
static const crn_space_link *search_link(const cairn_search *search, cairn_node a, cairn_node b)
{
    return search->filtered ? crn_filter_link(search, a, b)
                            : crn_links_used(crn_grid_space_of(search->space), a, b);
}

cairn_status crn_path_add(cairn_search *search, cairn_node node)
{
    bool in_line = false;
    const crn_grid_space *map = crn_grid_space_of(search->space);
    if (map && search->node_count) {
        cairn_node last = search->nodes[search->node_count - 1];
        const crn_space_link *link = map->links.count ? search_link(search, node, last) : NULL;
        if (link) {
            cairn_status status = search_add_link(search, link);
            if (status != CAIRN_OK) return status;
        } else {
            in_line = search_walks_in_line(search, node);
        }
    }
    return search_put(search, node, in_line);
}

cairn_status crn_path_walk(cairn_search *search, cairn_node node, cairn_cell direction,
                           uint32_t steps)
{
    if (direction.x && direction.y) {
        search->diagonal += steps;
    } else {
        search->straight += steps;
    }
    return search_put(search, node, search_in_line(search, direction));
}

cairn_status crn_path_join(cairn_search *search, cairn_node node, const crn_space_link *link)
{
    if (search->node_count && !link) {
        search->lines += crn_sight_length(cairn_space_grid(search->space), node,
                                          search->nodes[search->node_count - 1]);
    }
    cairn_status status = link ? search_add_link(search, link) : CAIRN_OK;
    return status == CAIRN_OK ? search_put(search, node, false) : status;
}

cairn_status crn_path_walk_back(cairn_search *search, const cairn_node *nodes, size_t place)
{
    cairn_node width = crn_grid_space_of(search->space)->grid->width;
    uint64_t diagonal = 0, steps = place;
    cairn_status status = CAIRN_OK;
    for (size_t next = place; place > 0 && status == CAIRN_OK; place = next) {
        /* wraps round if it goes up or to the left */
        cairn_node step = nodes[place - 1] - nodes[place];
        for (next = place - 1; next > 0 && nodes[next - 1] - nodes[next] == step;) next--;
        bool level = step + 1 <= 2, upright = step == width || step == 0 - width;
        if (!level && !upright) diagonal += place - next;
        status = search_put(search, nodes[next], false);
    }
    search->diagonal += diagonal;
    search->straight += steps - diagonal;
    return status;
}

static double search_length(const cairn_search *search, cairn_cost cost)
{
    crn_path_sums sums = {.straight = search->straight,
                          .diagonal = search->diagonal,
                          .linked = search->linked,
                          .lines = search->lines,
                          .cost = cost,
                          .nodes = search->nodes,
                          .node_count = search->node_count};
    return crn_space_length(search->space, &sums);
}

/* Returns the bound of the cost. There is none for paths that the search only happened to see, nor
 * with a user's estimate. */
static double search_bound(const cairn_search *search, cairn_node end)
{
    bool sought = end == search->reached_goal || search->query.goal_kind == CAIRN_GOAL_NONE;
    if (!sought || search->status != CAIRN_FOUND || search->query.estimate) return 0;
    return search->bound != 0 ? search->bound : search->planner->bound;
}

/* No branch here depends on where the path turns. */
cairn_status crn_path_follow_back(cairn_search *search, const cairn_node *nodes,
                                  const uint8_t *directions, size_t count)
{
    enum { BLOCK = 64 };
    uint64_t diagonal = count && directions[0] >= CRN_NE;
    cairn_status status = search_put(search, nodes[count], false);
    size_t at = count;
    while (at > 1 && status == CAIRN_OK) {
        void *room = search->nodes;
        size_t end = at > BLOCK ? at - BLOCK : 1, points = search->node_count;
        if (!crn_scratch_grow(&search->memory, &room, &search->node_capacity, points + BLOCK,
                              sizeof *nodes))
            return CAIRN_OUT_OF_MEMORY;
        cairn_node *out = search->nodes = room;
        for (; at > end; at--) {
            out[points] = nodes[at - 1];
            points += directions[at - 1] != directions[at - 2];
            diagonal += directions[at - 1] >= CRN_NE;
        }
        search->node_count = points;
    }
    if (status == CAIRN_OK && count) status = search_put(search, nodes[0], false);
    search->diagonal += diagonal;
    search->straight += count - diagonal;
    return status;
}

void crn_path_finish(cairn_search *search, cairn_cost cost)
{
    cairn_node *nodes = search->nodes;
    for (size_t i = 0, j = search->node_count - 1; i < j; i++, j--) {
        cairn_node swapped = nodes[i];
        nodes[i] = nodes[j];
        nodes[j] = swapped;
    }
    for (size_t i = 0; i < search->link_count; i++) {
        search->links[i].at = (uint32_t)(search->node_count - 1 - search->links[i].at);
    }
    for (size_t i = 0, j = search->link_count; i + 1 < j; i++, j--) {
        cairn_path_link swapped = search->links[i];
        search->links[i] = search->links[j - 1];
        search->links[j - 1] = swapped;
    }
    search->path = (cairn_path){
        .status = CAIRN_FOUND,
        .end = nodes[search->node_count - 1],
        .nodes = nodes,
        .count = (uint32_t)search->node_count,
        .cost = cost,
        .length = search_length(search, cost),
        .suboptimality_bound = search_bound(search, nodes[search->node_count - 1]),
        .version = search->version,
        .links = search->link_count ? search->links : NULL,
        .link_count = (uint32_t)search->link_count,
        .any_angle = search->planner->algorithm->info.flags & CAIRN_ANY_ANGLE,
        .answered_by = search_answered_by(search),
    };
}

/* ---- after a search ---- */

cairn_metrics cairn_search_metrics(const cairn_search *search)
{
    cairn_metrics metrics = search->metrics;
    metrics.work += search->prepared;
    metrics.answered_by = search_answered_by(search);
    return metrics;
}

void cairn_search_trace(cairn_search *search, const cairn_trace_sink *sink)
{
    search->next_sink = sink ? *sink : (cairn_trace_sink){0};
}

/* Does the scratch hold the records of a query, on the world as it is now? */
static cairn_status search_answers(const cairn_search *search)
{
    if (!search || !search->begun || !search->answered) return CAIRN_INVALID;
    if (search->memory.failed) return CAIRN_OUT_OF_MEMORY;
    return cairn_space_version(search->space) == search->version ? CAIRN_OK : CAIRN_STALE;
}

cairn_cost cairn_search_cost_to(const cairn_search *search, cairn_node node)
{
    if (search_answers(search) != CAIRN_OK || node >= search->space->node_count)
        return CAIRN_NO_COST;
    return search->planner->algorithm->cost_to(search, node);
}

cairn_status cairn_search_path_to(cairn_search *search, cairn_node node, const cairn_path **path)
{
    if (path) *path = NULL;
    cairn_status status = search_answers(search);
    if (status == CAIRN_INVALID) return status;
    if (status == CAIRN_OK && node >= search->space->node_count) status = CAIRN_OUT_OF_BOUNDS;
    if (status == CAIRN_OK && cairn_search_cost_to(search, node) == CAIRN_NO_COST)
        status = CAIRN_UNREACHABLE;
    search_empty_path(search, status);
    if (status == CAIRN_OK) {
        status = search_reconstruct(search, node);
        if (status != CAIRN_OK) search_empty_path(search, status);
    }
    search->path_made = false;
    if (path) *path = &search->path;
    return status;
}

cairn_status cairn_search_reached(const cairn_search *search, cairn_visit *visit, void *user)
{
    cairn_status status = search_answers(search);
    if (status != CAIRN_OK || !visit) return status == CAIRN_OK ? CAIRN_INVALID : status;
    return search->planner->algorithm->reached(search, visit, user);
}
