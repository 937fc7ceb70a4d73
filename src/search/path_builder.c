/* path_builder.c: ways that are put together piece by piece. See path_builder.h. */
#include "search/path_builder.h"
#include "world/grid_space.h"

#define WAY_LOOKS 256u /* nodes of a way that are read for a unit of work */

const char *const crn_smooth_choices[] = {"none", "rays", "box", NULL};

bool crn_edge_before(const void *a, const void *b)
{
    return ((const cairn_edge *)a)->node < ((const cairn_edge *)b)->node;
}

/* ---- the way ---- */

void crn_way_open(crn_way *way, cairn_search *search)
{
    *way = (crn_way){.search = search};
    if (search->space->world == CAIRN_WORLD_GRID) {
        const crn_grid_space *map = crn_grid_space_of(search->space);
        crn_rays_open(&way->rays, &search->memory, map);
        for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
            way->offset[d] = (int64_t)crn_dy[d] * map->grid->width + crn_dx[d];
        }
    }
}

void crn_way_close(crn_way *way)
{
    if (!way->search) return;
    crn_scratch *memory = &way->search->memory;
    crn_scratch_free(memory, way->nodes, way->node_capacity * sizeof *way->nodes);
    crn_scratch_free(memory, way->costs, way->cost_capacity * sizeof *way->costs);
    if (way->rays.memory) crn_rays_close(&way->rays);
    *way = (crn_way){0};
}

size_t crn_way_bytes(const crn_way *way)
{
    size_t bytes =
        way->count * (sizeof *way->nodes + sizeof *way->costs) + crn_rays_bytes(&way->rays);
    return bytes > way->most ? bytes : way->most;
}

cairn_status crn_way_reserve(crn_way *way, size_t count)
{
    if (CRN_LIKELY(count <= way->cost_capacity)) return CAIRN_OK;
    void *nodes = way->nodes, *costs = way->costs;
    crn_scratch *memory = &way->search->memory;
    bool ok = crn_scratch_grow(memory, &nodes, &way->node_capacity, count, sizeof *way->nodes) &&
              crn_scratch_grow(memory, &costs, &way->cost_capacity, count, sizeof *way->costs);
    way->nodes = nodes;
    way->costs = costs;
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

cairn_status crn_way_begin(crn_way *way, cairn_node from)
{
    way->count = 0;
    way->most = 0;
    way->given = false;
    crn_rays_end(&way->rays);
    if (crn_way_reserve(way, 1) != CAIRN_OK) return CAIRN_OUT_OF_MEMORY;
    way->nodes[0] = from;
    way->costs[0] = 0;
    way->count = 1;
    return CAIRN_OK;
}

void crn_way_next(crn_way *way)
{
    way->nodes[0] = crn_way_end(way);
    way->count = 1;
    way->given = true;
    crn_rays_end(&way->rays);
}

cairn_status crn_way_put(crn_way *way, cairn_node to, cairn_cost step)
{
    uint64_t cost = (uint64_t)way->costs[way->count - 1] + step;
    if (cost > CAIRN_COST_MAX) return CAIRN_COST_OVERFLOW;
    cairn_status status = crn_way_reserve(way, way->count + 1);
    if (status != CAIRN_OK) return status;
    way->nodes[way->count] = to;
    way->costs[way->count++] = (cairn_cost)cost;
    return CAIRN_OK;
}

cairn_status crn_way_put_back(crn_way *way, const cairn_edge *steps, uint32_t count)
{
    cairn_status status = crn_way_reserve(way, way->count + count);
    if (status != CAIRN_OK) return status;
    cairn_node *nodes = way->nodes + way->count;
    cairn_cost *costs = way->costs + way->count;
    uint64_t before = (uint64_t)costs[-1] - steps[count].cost, cost = before;
    for (uint32_t i = 0; i < count; i++) {
        const cairn_edge *step = &steps[count - 1 - i];
        cost = before + step->cost;
        nodes[i] = step->node;
        costs[i] = (cairn_cost)cost;
    }
    if (cost > CAIRN_COST_MAX) return CAIRN_COST_OVERFLOW;
    way->count += count;
    return CAIRN_OK;
}

cairn_status crn_way_step(crn_way *way, cairn_node to)
{
    cairn_cost step = cairn_space_step_cost(way->search->space, crn_way_end(way), to);
    return crn_way_put(way, to, step);
}

cairn_status crn_way_walk(crn_way *way, const uint8_t *directions, uint32_t count)
{
    const crn_grid_space *map = crn_grid_space_of(way->search->space);
    cairn_status status = crn_way_reserve(way, way->count + count);
    if (status != CAIRN_OK) return status;
    cairn_node *nodes = way->nodes + way->count, node = nodes[-1];
    cairn_cost *costs = way->costs + way->count;
    uint64_t cost = costs[-1];
    for (uint32_t i = 0; i < count && map->uniform; i++) {
        cost += map->step[directions[i]];
        costs[i] = (cairn_cost)cost;
        nodes[i] = node = (cairn_node)(node + way->offset[directions[i]]);
    }
    for (uint32_t i = 0; i < count && !map->uniform; i++) {
        cairn_node next = (cairn_node)(node + way->offset[directions[i]]);
        cost += crn_grid_step_cost(map, node, next, directions[i]);
        costs[i] = (cairn_cost)cost;
        nodes[i] = node = next;
    }
    if (cost > CAIRN_COST_MAX) return CAIRN_COST_OVERFLOW;
    way->count += count;
    return CAIRN_OK;
}

/* Along the way to the goal of a search that ended, or to any node when everything was searched,
 * records are exact. */
cairn_status crn_way_append(crn_way *way, const crn_inner *inner, cairn_node to)
{
    uint64_t cost = way->costs[way->count - 1], more = crn_inner_cost(inner, to);
    if (cost + more > CAIRN_COST_MAX) return CAIRN_COST_OVERFLOW;
    uint32_t most = (uint32_t)more / crn_max_u32(way->search->space->min_edge, 1);
    most = crn_min_u32(most, inner->search.space->node_count);
    cairn_status status = crn_way_reserve(way, way->count + most);
    if (status != CAIRN_OK) return status;
    cairn_node *nodes = way->nodes + way->count;
    cairn_cost *costs = way->costs + way->count;
    uint32_t length = crn_best_first_trail(&inner->search, to, nodes, costs, most),
             skipped = most - length;
    for (uint32_t i = 0; i < length; i++) {
        nodes[i] = nodes[i + skipped];
        costs[i] = (cairn_cost)cost + costs[i + skipped];
    }
    way->count += length;
    return CAIRN_OK;
}

void crn_way_trim(crn_way *way, size_t from, size_t count)
{
    if (count < from + 1) count = from + 1;
    if (count < way->count) way->count = count;
}

/* ---- smoothing ---- */

cairn_status crn_way_smooth_begin(crn_way *way, uint32_t box)
{
    /* They will change memory: so that each is large enough for the next way, it is as large as the
     * other. */
    void *out = way->rays.out, *costs = way->rays.out_costs;
    crn_scratch *memory = &way->search->memory;
    bool ok = crn_scratch_grow(memory, &out, &way->rays.out_capacity, way->node_capacity,
                               sizeof *way->nodes) &&
              crn_scratch_grow(memory, &costs, &way->rays.out_cost_capacity, way->cost_capacity,
                               sizeof *way->costs);
    way->rays.out = out;
    way->rays.out_costs = costs;
    bool begun = ok && crn_rays_begin(&way->rays, way->nodes, way->costs, way->count, box);
    way->most = crn_way_bytes(way);
    return begun ? CAIRN_RUNNING : CAIRN_OUT_OF_MEMORY;
}

/* The smoothed way takes the place of the other one: they change memory. */
static void way_take_smoothed(crn_way *way)
{
    crn_rays *rays = &way->rays;
    crn_way old = *way;
    way->nodes = rays->out;
    way->costs = rays->out_costs;
    way->count = rays->count;
    way->node_capacity = rays->out_capacity;
    way->cost_capacity = rays->out_cost_capacity;
    rays->out = old.nodes;
    rays->out_costs = old.costs;
    rays->out_capacity = old.node_capacity;
    rays->out_cost_capacity = old.cost_capacity;
}

cairn_status crn_way_smooth_step(crn_way *way, uint64_t *work)
{
    uint64_t before = *work;
    cairn_status status = crn_rays_step(&way->rays, work);
    way->search->metrics.work += before - *work;
    if (status == CAIRN_OK) way_take_smoothed(way);
    return status;
}

/* ---- queries ---- */

bool crn_way_hands_over(cairn_search *search, cairn_status *status)
{
    const cairn_query *query = &search->query;
    bool linked =
        search->space->world == CAIRN_WORLD_GRID && crn_grid_space_of(search->space)->links.count;
    search->handed = search->goal_count != 1 || query->estimate || query->max_cost || linked ||
                     cairn_space_directed(search->space);
    if (search->handed) *status = crn_best_first_begin_plain(search);
    return search->handed;
}

void crn_way_announce(cairn_search *search)
{
    if (!search->traced) return;
    crn_trace(search, CAIRN_EVENT_SOURCE, search->query.from, CAIRN_NO_NODE, 0, 0);
    crn_trace(search, CAIRN_EVENT_DESTINATION, search->goals[0], CAIRN_NO_NODE, CAIRN_NO_COST, 0);
}

static crn_way *way_of(const cairn_search *search)
{
    return search->scratch;
}

cairn_status crn_way_found(cairn_search *search, bool last)
{
    crn_way *way = way_of(search);
    search->reached_goal = crn_way_end(way);
    search->unfinished = !last;
    if (search->traced) {
        cairn_node before = way->count > 1 ? way->nodes[way->count - 2] : CAIRN_NO_NODE;
        crn_trace(search, CAIRN_EVENT_END, crn_way_end(way), before, way->costs[way->count - 1], 0);
    }
    return CAIRN_FOUND;
}

cairn_status crn_way_deliver(cairn_search *search, bool last, bool smoothed)
{
    crn_way *way = way_of(search);
    uint32_t smooth = crn_parameter_of(search->planner, "smooth");
    int64_t box = CRN_WAY_BOX;
    if (smooth == CRN_SMOOTH_NONE || smoothed || way->count < 3) return crn_way_found(search, last);
    crn_parameter(search->planner, "box", &box);
    return crn_way_smooth_begin(way, smooth == CRN_SMOOTH_BOX ? (uint32_t)box : 0);
}

/* The last place of a node on the way; the count if it is not there. */
static size_t way_place(const crn_way *way, cairn_node node)
{
    size_t place = way->count;
    while (place > 0 && way->nodes[place - 1] != node) place--;
    return place > 0 ? place - 1 : way->count;
}

/* Where the same difference of nodes is always the same direction: squares, unless the grid is
 * narrow. */
static bool way_is_plain(const cairn_space *space)
{
    return space->world == CAIRN_WORLD_GRID && !crn_grid_space_of(space)->hex &&
           crn_grid_space_of(space)->grid->width >= 4;
}

cairn_status crn_way_path_to(cairn_search *search, cairn_node node)
{
    if (search->handed) return crn_best_first_path_to(search, node);
    const crn_way *way = way_of(search);
    size_t place = way_place(way, node);
    crn_path_start(search);
    cairn_status status = crn_path_add(search, way->nodes[place]);
    if (way_is_plain(search->space)) {
        if (status == CAIRN_OK) status = crn_path_walk_back(search, way->nodes, place);
    } else {
        for (size_t i = place; i-- > 0 && status == CAIRN_OK;)
            status = crn_path_add(search, way->nodes[i]);
    }
    if (status == CAIRN_OK) crn_path_finish(search, way->costs[place]);
    return status;
}

cairn_cost crn_way_cost_to(const cairn_search *search, cairn_node node)
{
    if (search->handed) return crn_best_first_cost_to(search, node);
    const crn_way *way = way_of(search);
    size_t place = way_place(way, node);
    return place < way->count ? way->costs[place] : CAIRN_NO_COST;
}

/* Of the way so far, from where the piece begins. */
bool crn_way_closest(cairn_search *search, uint64_t work, bool first)
{
    if (search->handed) return crn_best_first_closest(search, work, first);
    crn_way *way = way_of(search);
    if (first) {
        search->closest_h = search->closest_g = CAIRN_NO_COST;
        way->looked = 0;
    }
    for (; work && way->looked < way->count; work--) {
        for (uint32_t i = 0; i < WAY_LOOKS && way->looked < way->count; i++, way->looked++) {
            crn_closest_offer(search, way->nodes[way->looked], way->costs[way->looked]);
        }
    }
    return way->looked == way->count;
}

typedef struct way_visit {
    cairn_node node;
    cairn_cost cost;
} way_visit;

/* The last place of a node first. */
static bool way_visits_before(const void *a, const void *b)
{
    const way_visit *x = a, *y = b;
    return x->node != y->node ? x->node < y->node : x->cost > y->cost;
}

cairn_status crn_way_reached(const cairn_search *search, cairn_visit *visit, void *user)
{
    if (search->handed) return crn_best_first_reached(search, visit, user);
    const crn_way *way = way_of(search);
    if (!way->count) return CAIRN_OK;
    way_visit *visits = crn_alloc(search->context, way->count * sizeof *visits);
    if (!visits) return CAIRN_OUT_OF_MEMORY;
    for (size_t i = 0; i < way->count; i++) visits[i] = (way_visit){way->nodes[i], way->costs[i]};
    crn_sort(visits, way->count, sizeof *visits, way_visits_before);
    for (size_t i = 0; i < way->count; i++) {
        if (!i || visits[i].node != visits[i - 1].node) visit(user, visits[i].node, visits[i].cost);
    }
    crn_free(search->context, visits, way->count * sizeof *visits);
    return CAIRN_OK;
}
