/* path_builder.c: paths that are built piece by piece. See path_builder.h. */
#include "search/path_builder.h"
#include "search/search_check.h"
#include "world/grid_space.h"

#define BUILDER_LOOKS 256u /* nodes of a path: read, or compared with links, for a unit of work */

const char *const crn_smooth_choices[] = {"none", "rays", "box", NULL};

bool crn_edge_before(const void *a, const void *b)
{
    return ((const cairn_edge *)a)->node < ((const cairn_edge *)b)->node;
}

/* ---- the path ---- */

void crn_builder_open(crn_builder *builder, cairn_search *search)
{
    *builder = (crn_builder){.search = search};
    const crn_grid_space *map = crn_grid_space_of(search->space);
    if (map) {
        crn_rays_open(&builder->rays, &search->memory, map);
        for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
            builder->offset[d] = (int64_t)crn_dy[d] * map->grid->width + crn_dx[d];
        }
    }
}

void crn_builder_close(crn_builder *builder)
{
    if (!builder->search) return;
    crn_scratch *memory = &builder->search->memory;
    crn_scratch_free(memory, builder->nodes, builder->node_capacity * sizeof *builder->nodes);
    crn_scratch_free(memory, builder->costs, builder->cost_capacity * sizeof *builder->costs);
    if (builder->rays.memory) crn_rays_close(&builder->rays);
    *builder = (crn_builder){0};
}

size_t crn_builder_bytes(const crn_builder *builder)
{
    size_t bytes = builder->count * (sizeof *builder->nodes + sizeof *builder->costs) +
                   crn_rays_bytes(&builder->rays);
    return bytes > builder->most ? bytes : builder->most;
}

cairn_status crn_builder_reserve(crn_builder *builder, size_t count)
{
    if (CRN_LIKELY(count <= builder->cost_capacity)) return CAIRN_OK;
    void *nodes = builder->nodes, *costs = builder->costs;
    crn_scratch *memory = &builder->search->memory;
    bool ok =
        crn_scratch_grow(memory, &nodes, &builder->node_capacity, count, sizeof *builder->nodes) &&
        crn_scratch_grow(memory, &costs, &builder->cost_capacity, count, sizeof *builder->costs);
    builder->nodes = nodes;
    builder->costs = costs;
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* It is another path, of which nothing is known. */
static void builder_change(crn_builder *builder)
{
    builder->linked = true;
    builder->saved = 0;
    builder->stage = CRN_BUILDER_GROWS;
    crn_rays_end(&builder->rays);
}

cairn_status crn_builder_begin(crn_builder *builder, cairn_node from)
{
    builder->count = 0;
    builder->most = 0;
    builder->given = false;
    builder_change(builder);
    if (crn_builder_reserve(builder, 1) != CAIRN_OK) return CAIRN_OUT_OF_MEMORY;
    builder->nodes[0] = from;
    builder->costs[0] = 0;
    builder->count = 1;
    return CAIRN_OK;
}

void crn_builder_next(crn_builder *builder)
{
    builder->nodes[0] = crn_builder_end(builder);
    builder->count = 1;
    builder->given = true;
    builder_change(builder);
}

cairn_status crn_builder_put(crn_builder *builder, cairn_node to, cairn_cost step)
{
    uint64_t cost = (uint64_t)builder->costs[builder->count - 1] + step;
    if (cost > CAIRN_COST_MAX) return CAIRN_COST_OVERFLOW;
    cairn_status status = crn_builder_reserve(builder, builder->count + 1);
    if (status != CAIRN_OK) return status;
    builder->nodes[builder->count] = to;
    builder->costs[builder->count++] = (cairn_cost)cost;
    return CAIRN_OK;
}

cairn_status crn_builder_put_back(crn_builder *builder, const cairn_edge *steps, uint32_t count)
{
    cairn_status status = crn_builder_reserve(builder, builder->count + count);
    if (status != CAIRN_OK) return status;
    cairn_node *nodes = builder->nodes + builder->count;
    cairn_cost *costs = builder->costs + builder->count;
    uint64_t before = (uint64_t)costs[-1] - steps[count].cost, cost = before;
    for (uint32_t i = 0; i < count; i++) {
        const cairn_edge *step = &steps[count - 1 - i];
        cost = before + step->cost;
        nodes[i] = step->node;
        costs[i] = (cairn_cost)cost;
    }
    if (cost > CAIRN_COST_MAX) return CAIRN_COST_OVERFLOW;
    builder->count += count;
    return CAIRN_OK;
}

/* (A cell may have thousands of links: they are not listed.) */
cairn_status crn_builder_step(crn_builder *builder, cairn_node to)
{
    const crn_grid_space *map = crn_grid_space_of(builder->search->space);
    cairn_node end = crn_builder_end(builder);
    const crn_space_link *link = map ? crn_links_used(map, end, to) : NULL;
    cairn_cost step = link  ? link->cost
                      : map ? crn_grid_walk_cost(map, end, to)
                            : cairn_space_step_cost(builder->search->space, end, to);
    return crn_builder_put(builder, to, step);
}

cairn_status crn_builder_walk(crn_builder *builder, const uint8_t *directions, uint32_t count)
{
    const crn_grid_space *map = crn_grid_space_of(builder->search->space);
    cairn_status status = crn_builder_reserve(builder, builder->count + count);
    if (status != CAIRN_OK) return status;
    cairn_node *nodes = builder->nodes + builder->count, node = nodes[-1];
    cairn_cost *costs = builder->costs + builder->count;
    uint64_t cost = costs[-1];
    for (uint32_t i = 0; i < count && map->uniform; i++) {
        cost += map->step[directions[i]];
        costs[i] = (cairn_cost)cost;
        nodes[i] = node = (cairn_node)(node + builder->offset[directions[i]]);
    }
    for (uint32_t i = 0; i < count && !map->uniform; i++) {
        cairn_node next = (cairn_node)(node + builder->offset[directions[i]]);
        cost += crn_grid_step_cost(map, node, next, directions[i]);
        costs[i] = (cairn_cost)cost;
        nodes[i] = node = next;
    }
    if (cost > CAIRN_COST_MAX) return CAIRN_COST_OVERFLOW;
    builder->count += count;
    return CAIRN_OK;
}

/* Along the path to the goal of a search that ended, or to any node when everything was searched,
 * records are exact. */
cairn_status crn_builder_append(crn_builder *builder, const crn_subsearch *subsearch, cairn_node to)
{
    uint64_t cost = builder->costs[builder->count - 1], more = crn_subsearch_cost(subsearch, to);
    if (cost + more > CAIRN_COST_MAX) return CAIRN_COST_OVERFLOW;
    uint32_t most = (uint32_t)more / crn_max_u32(builder->search->space->min_edge, 1);
    const crn_grid_space *map = crn_grid_space_of(subsearch->search.space);
    if (map) most += map->links.count; /* they may cost less, each but once */
    most = crn_min_u32(most, subsearch->search.space->node_count);
    cairn_status status = crn_builder_reserve(builder, builder->count + most);
    if (status != CAIRN_OK) return status;
    cairn_node *nodes = builder->nodes + builder->count;
    cairn_cost *costs = builder->costs + builder->count;
    uint32_t length = crn_best_first_trail(&subsearch->search, to, nodes, costs, most),
             skipped = most - length;
    for (uint32_t i = 0; i < length; i++) {
        nodes[i] = nodes[i + skipped];
        costs[i] = (cairn_cost)cost + costs[i + skipped];
    }
    builder->count += length;
    return CAIRN_OK;
}

void crn_builder_tell(crn_builder *builder, size_t first)
{
    cairn_search *search = builder->search;
    const crn_grid_space *map = crn_grid_space_of(search->space);
    if (first + 1 == builder->count) return;
    search->metrics.generated++;
    if (!search->traced) return;
    crn_trace(search, CAIRN_EVENT_PIECE, builder->nodes[first], CAIRN_NO_NODE, 0, 0);
    size_t before = first;
    /* rows of hexagons are shifted, and a link may look like a step */
    bool every = map->hex || map->links.count;
    for (size_t i = first + 1; i < builder->count; i++) {
        bool last = i + 1 == builder->count;
        if (!last && !every &&
            builder->nodes[i + 1] - builder->nodes[i] == builder->nodes[i] - builder->nodes[i - 1])
            continue;
        crn_trace(search, CAIRN_EVENT_PASS, builder->nodes[i], builder->nodes[before],
                  builder->costs[i] - builder->costs[first], 0);
        before = i;
    }
}

void crn_builder_trim(crn_builder *builder, size_t from, size_t count)
{
    if (count < from + 1) count = from + 1;
    if (count < builder->count) builder->count = count;
}

/* ---- links ---- */

/* The cell of a node, one step from another one if the difference of their numbers says so. */
static cairn_cell builder_step_cell(const cairn_grid *grid, cairn_cell at, int64_t difference,
                                    cairn_node node)
{
    int64_t width = grid->width,
            row = difference > 1    ? 1
                  : difference < -1 ? -1
                                    : 0,
            column = difference - row * width;
    if (width < 4 || column < -1 || column > 1) return cairn_grid_cell(grid, node);
    return (cairn_cell){at.x + (int32_t)column, at.y + (int32_t)row};
}

static bool builder_has_links(const crn_builder *builder)
{
    const crn_grid_space *map = crn_grid_space_of(builder->search->space);
    return map && map->links.count;
}

/* Compares steps to some nodes with links. The costs of all nodes before them are right, those of
 * the others by *saved too large. */
static void builder_compare(crn_builder *builder, size_t first, size_t end, cairn_cost *saved)
{
    const crn_grid_space *map = crn_grid_space_of(builder->search->space);
    cairn_cell at = cairn_grid_cell(map->grid, builder->nodes[first - 1]);
    for (size_t i = first; i < end; i++) {
        cairn_node from = builder->nodes[i - 1], to = builder->nodes[i];
        cairn_cost step = builder->costs[i] - *saved - builder->costs[i - 1];
        const crn_space_link *link = NULL;
        bool linked = crn_bit(&map->links.from, at.x, at.y);
        if (linked) link = crn_links_used(map, from, to);
        if (link) *saved += step - link->cost;
        builder->follows |= link != NULL;
        builder->costs[i] -= *saved;
        at = linked ? cairn_grid_cell(map->grid, to)
                    : builder_step_cell(map->grid, at, (int64_t)to - from, to);
    }
}

void crn_builder_use_links(crn_builder *builder, size_t first)
{
    cairn_cost saved = 0;
    if (builder_has_links(builder)) builder_compare(builder, first, builder->count, &saved);
}

/* Every this many nodes of a path take a unit of work; false: there is none left. */
static bool builder_pays(crn_builder *builder, size_t place, uint64_t *work)
{
    if (place % BUILDER_LOOKS) return true;
    if (!*work) return false;
    --*work;
    builder->search->metrics.work++;
    return true;
}

static void builder_check_begin(crn_builder *builder)
{
    builder->stage = CRN_BUILDER_LINKS;
    builder->checked = 1;
    builder->saved = 0;
    builder->follows = false;
}

/* Compares the path with links; CAIRN_RUNNING: the rest takes more work. */
static cairn_status builder_check_on(crn_builder *builder, uint64_t *work)
{
    size_t count = builder->count;
    if (!builder_has_links(builder)) builder->checked = (uint32_t)count;
    while (builder->checked < count) {
        if (!builder_pays(builder, builder->checked, work)) return CAIRN_RUNNING;
        size_t rest = count - builder->checked,
               most = BUILDER_LOOKS - builder->checked % BUILDER_LOOKS,
               end = builder->checked + (rest < most ? rest : most);
        builder_compare(builder, builder->checked, end, &builder->saved);
        builder->checked = (uint32_t)end;
    }
    builder->saved = 0;
    builder->stage = CRN_BUILDER_READY;
    return CAIRN_OK;
}

/* ---- smoothing ---- */

/* Looks for the next link on the path, where the part ends; false: the rest takes more work. */
static bool builder_find_part(crn_builder *builder, uint64_t *work)
{
    const crn_grid_space *map = crn_grid_space_of(builder->search->space);
    if (!map->links.count) builder->part_end = (uint32_t)builder->count;
    for (; builder->part_end < builder->count; builder->part_end++) {
        const cairn_node *ends = builder->nodes + builder->part_end - 1;
        if (!builder_pays(builder, builder->part_end, work)) return false;
        if (crn_links_used(map, ends[0], ends[1])) break;
    }
    return true;
}

/* Begins to smooth the part that was found; false = no memory. */
static bool builder_smooth_part(crn_builder *builder)
{
    crn_rays *rays = &builder->rays;
    const cairn_node *nodes = builder->nodes + builder->part;
    const cairn_cost *costs = builder->costs + builder->part;
    size_t length = builder->part_end - builder->part;
    bool ok = builder->part ? crn_rays_go_on(rays, nodes, costs, length)
                            : crn_rays_begin(rays, nodes, costs, length, builder->box);
    builder->stage = CRN_BUILDER_RAYS;
    builder->most = crn_builder_bytes(builder);
    return ok;
}

cairn_status crn_builder_smooth_begin(crn_builder *builder, uint32_t box)
{
    /* The two paths will swap memory. Each is made as large as the other, so that it is large
     * enough for the next path. */
    void *out = builder->rays.out, *costs = builder->rays.out_costs;
    crn_scratch *memory = &builder->search->memory;
    bool ok = crn_scratch_grow(memory, &out, &builder->rays.out_capacity, builder->node_capacity,
                               sizeof *builder->nodes) &&
              crn_scratch_grow(memory, &costs, &builder->rays.out_cost_capacity,
                               builder->cost_capacity, sizeof *builder->costs);
    builder->rays.out = out;
    builder->rays.out_costs = costs;
    builder->stage = CRN_BUILDER_PARTS;
    builder->box = box;
    builder->part = 0;
    builder->part_end = 1;
    return ok ? CAIRN_RUNNING : CAIRN_OUT_OF_MEMORY;
}

/* Replaces the path by the smoothed one: they swap memory. */
static void builder_take_smoothed(crn_builder *builder)
{
    crn_rays *rays = &builder->rays;
    crn_builder old = *builder;
    builder->nodes = rays->out;
    builder->costs = rays->out_costs;
    builder->count = rays->count;
    builder->node_capacity = rays->out_capacity;
    builder->cost_capacity = rays->out_cost_capacity;
    rays->out = old.nodes;
    rays->out_costs = old.costs;
    rays->out_capacity = old.node_capacity;
    rays->out_cost_capacity = old.cost_capacity;
}

/* A part is smoothed: the next one follows, or the whole path is. */
static void builder_smoothed(crn_builder *builder)
{
    if (builder->part_end < builder->count) {
        builder->part = builder->part_end++;
        builder->stage = CRN_BUILDER_PARTS;
    } else {
        builder_take_smoothed(builder);
        builder_check_begin(builder);
    }
}

/* Parts that need no work, such as the goal alone behind a link, are done even if there is none
 * left. */
cairn_status crn_builder_smooth_step(crn_builder *builder, uint64_t *work)
{
    while (builder->stage != CRN_BUILDER_LINKS) {
        if (builder->stage != CRN_BUILDER_RAYS) {
            if (!builder_find_part(builder, work)) return CAIRN_RUNNING;
            if (!builder_smooth_part(builder)) return CAIRN_OUT_OF_MEMORY;
        }
        uint64_t before = *work;
        cairn_status status = crn_rays_step(&builder->rays, work);
        builder->search->metrics.work += before - *work;
        if (status != CAIRN_OK) return status;
        builder_smoothed(builder);
    }
    return builder_check_on(builder, work);
}

/* ---- queries ---- */

bool crn_builder_handles(const cairn_search *search)
{
    const cairn_query *query = &search->query;
    return search->goal_count == 1 && !query->estimate && !query->max_cost;
}

bool crn_builder_handles_undirected(const cairn_search *search)
{
    return crn_builder_handles(search) && !cairn_space_directed(search->space);
}

static crn_builder *builder_of(const cairn_search *search)
{
    return search->scratch;
}

cairn_status crn_builder_found(cairn_search *search, bool last)
{
    crn_builder *builder = builder_of(search);
    if (builder->stage != CRN_BUILDER_READY) {
        uint64_t all = UINT64_MAX;
        builder_check_begin(builder);
        builder_check_on(builder, &all);
    }
    builder->linked = search->filtered || builder->follows;
    search->reached_goal = crn_builder_end(builder);
    search->unfinished = !last;
#if defined(CAIRN_CHECKS)
    enum { STEPS = 16 };
    CRN_CHECK_RIGHT(search->context, crn_builder_check(builder, search->space, STEPS));
#endif
    if (search->traced) {
        cairn_node before = builder->count > 1 ? builder->nodes[builder->count - 2] : CAIRN_NO_NODE;
        crn_trace(search, CAIRN_EVENT_END, crn_builder_end(builder), before,
                  builder->costs[builder->count - 1], 0);
    }
    return CAIRN_FOUND;
}

cairn_status crn_builder_deliver(cairn_search *search, bool last, bool smoothed)
{
    crn_builder *builder = builder_of(search);
    uint32_t smooth = crn_parameter_of(search->planner, "smooth");
    int64_t box = CRN_BUILDER_BOX;
    if (smoothed) return crn_builder_found(search, last);
    builder->stage = CRN_BUILDER_GROWS; /* since it was smoothed, it may have got longer */
    if (smooth == CRN_SMOOTH_NONE || builder->count < 3) {
        if (builder->count <= BUILDER_LOOKS || !builder_has_links(builder))
            return crn_builder_found(search, last);
        builder_check_begin(builder);
        return CAIRN_RUNNING;
    }
    crn_parameter(search->planner, "box", &box);
    return crn_builder_smooth_begin(builder, smooth == CRN_SMOOTH_BOX ? (uint32_t)box : 0);
}

/* Returns the place of a node on the path, or the count if it is not there. */
static size_t builder_place(const crn_builder *builder, cairn_node node)
{
    size_t place = builder->count, first = 0;
    if (builder->roams && crn_builder_end(builder) != node) {
        while (first < place && builder->nodes[first] != node) first++;
        return first;
    }
    while (place > 0 && builder->nodes[place - 1] != node) place--;
    return place > 0 ? place - 1 : builder->count;
}

static cairn_cost builder_cost(const crn_builder *builder, size_t place)
{
    return builder->costs[place] - (place < builder->checked ? 0 : builder->saved);
}

/* Does the same difference of nodes always mean the same direction? On squares, unless the grid is
 * narrow or the path follows a link. */
static bool builder_is_plain(const crn_builder *builder)
{
    const crn_grid_space *map = crn_grid_space_of(builder->search->space);
    return map && !map->hex && map->grid->width >= 4 && !(map->links.count && builder->linked);
}

cairn_status crn_builder_path_to(cairn_search *search, cairn_node node)
{
    const crn_builder *builder = builder_of(search);
    size_t place = builder_place(builder, node);
    crn_path_start(search);
    cairn_status status = crn_path_add(search, builder->nodes[place]);
    if (builder_is_plain(builder)) {
        if (status == CAIRN_OK) status = crn_path_walk_back(search, builder->nodes, place);
    } else {
        for (size_t i = place; i-- > 0 && status == CAIRN_OK;)
            status = crn_path_add(search, builder->nodes[i]);
    }
    if (status == CAIRN_OK) crn_path_finish(search, builder_cost(builder, place));
    return status;
}

cairn_cost crn_builder_cost_to(const cairn_search *search, cairn_node node)
{
    const crn_builder *builder = builder_of(search);
    size_t place = builder_place(builder, node);
    return place < builder->count ? builder_cost(builder, place) : CAIRN_NO_COST;
}

/* Searches the path so far, from where the piece begins. */
bool crn_builder_closest(cairn_search *search, uint64_t work, bool first)
{
    crn_builder *builder = builder_of(search);
    if (first) {
        search->closest_h = search->closest_g = CAIRN_NO_COST;
        builder->looked = 0;
    }
    for (; work && builder->looked < builder->count; work--) {
        for (uint32_t i = 0; i < BUILDER_LOOKS && builder->looked < builder->count;
             i++, builder->looked++) {
            crn_closest_consider(search, builder->nodes[builder->looked],
                                 builder_cost(builder, builder->looked));
        }
    }
    return builder->looked == builder->count;
}

typedef struct builder_visit {
    cairn_node node;
    cairn_cost cost;
} builder_visit;

/* The last place of a node first. */
static bool builder_visits_before(const void *a, const void *b)
{
    const builder_visit *x = a, *y = b;
    return x->node != y->node ? x->node < y->node : x->cost > y->cost;
}

cairn_status crn_builder_reached(const cairn_search *search, cairn_visit *visit, void *user)
{
    const crn_builder *builder = builder_of(search);
    if (!builder->count) return CAIRN_OK;
    builder_visit *visits = crn_alloc(search->context, builder->count * sizeof *visits);
    if (!visits) return CAIRN_OUT_OF_MEMORY;
    for (size_t i = 0; i < builder->count; i++)
        visits[i] = (builder_visit){builder->nodes[i], builder_cost(builder, i)};
    crn_sort(visits, builder->count, sizeof *visits, builder_visits_before);
    for (size_t i = 0; i < builder->count; i++) {
        if (!i || visits[i].node != visits[i - 1].node) visit(user, visits[i].node, visits[i].cost);
    }
    crn_free(search->context, visits, builder->count * sizeof *visits);
    return CAIRN_OK;
}
