/* best_first_answer.c: reads the result of a best-first search off its records: costs, paths, the
 * closest node, everything that was reached. The search itself is in best_first.c. */
#include "search/best_first_loops.h"
#include "search/own_search.h"

static const crn_page *best_first_look(const crn_best_first *bf, cairn_node node, uint32_t *slot)
{
    crn_place place = best_first_place(bf, node);
    uint32_t page =
        bf->map ? best_first_grid_locate(bf, place, slot) : best_first_any_locate(place, slot);
    return bf->records->table[page];
}

/* Is what the record says of the node still to be tested (Lazy Theta*)? */
static bool best_first_unsettled(const crn_best_first *bf, const crn_page *page, uint32_t slot)
{
    return bf->settings.sight == CRN_SIGHT_LAZY && !(page->mark[slot] & CRN_MARK_CLOSED);
}

/* The node before this one on its path; CAIRN_NO_NODE for the start. */
static cairn_node best_first_before(const crn_best_first *bf, cairn_node node)
{
    uint32_t slot;
    const crn_page *page = best_first_look(bf, node, &slot);
    if (best_first_unsettled(bf, page, slot)) return bf->settings.lines->arrival(bf, node).parent;
    return best_first_parent(bf, best_first_place(bf, node),
                             bf->map ? page->mark[slot] : page->parent[slot]);
}

/* Is the cost in the record that of the path along the parents? Not if a node on that path became
 * cheaper later and was not expanded again. It is certain if no closed node ever became cheaper,
 * for the goal of an optimal search, after a search of everything, and where the first or last path
 * is kept. */
static bool best_first_exact(const crn_best_first *bf, cairn_node node)
{
    const cairn_search *search = bf->search;
    if (bf->settings.keep != CRN_KEEP_CHEAPEST || bf->reopened == 0) return true;
    bool all = search->query.goal_kind == CAIRN_GOAL_NONE;
    bool ended = search->status == CAIRN_FOUND || (all && search->status == CAIRN_COST_OVERFLOW);
    if (!ended || search->query.estimate || !search->planner->optimal) return false;
    return all || node == search->reached_goal;
}

bool crn_best_first_reads_near(const cairn_search *search)
{
    if (search->planner->algorithm->step != crn_best_first_step || search->asked->algorithm->index)
        return false;
    const crn_best_first *bf = best_first_of(search);
    return !search->filtered && !bf->linked && !bf->settings.plug && !bf->settings.sight &&
           !search->query.estimate;
}

cairn_cost crn_best_first_cost_to(const cairn_search *search, cairn_node node)
{
    const crn_best_first *bf = best_first_of(search);
    uint32_t slot;
    const crn_page *page = best_first_look(bf, node, &slot);
    if (!page || !(page->mark[slot] & CRN_MARK_SEEN)) return CAIRN_NO_COST;
    if (best_first_unsettled(bf, page, slot)) {
        uint64_t cost = bf->settings.lines->arrival(bf, node).cost;
        return cost <= bf->limit ? (cairn_cost)cost : CAIRN_NO_COST;
    }
    if (best_first_exact(bf, node)) return page->g[slot];
    uint64_t cost = 0;
    for (cairn_node before; (before = best_first_before(bf, node)) != CAIRN_NO_NODE;
         node = before) {
        cost += cairn_space_step_cost(bf->space, before, node);
    }
    return crn_saturate(cost);
}

/* A path made of lines, and of links. */
static cairn_status best_first_lines_to(cairn_search *search, const crn_best_first *bf,
                                        cairn_node node, cairn_cost cost)
{
    cairn_status status = crn_path_join(search, node, NULL);
    for (cairn_node before;
         status == CAIRN_OK && (before = best_first_before(bf, node)) != CAIRN_NO_NODE;
         node = before) {
        status = crn_path_join(search, before, bf->settings.lines->link(bf, before, node));
    }
    if (status == CAIRN_OK) crn_path_finish(search, cost);
    return status;
}

/* The same on squares without links, as many steps in a line at a time as there are. */
static cairn_status best_first_steps_to(cairn_search *search, cairn_node node, cairn_cost cost)
{
    enum { BATCH = 64 };
    uint8_t directions[BATCH];
    const int64_t width = cairn_space_grid(search->space)->width;
    cairn_status status = crn_path_add(search, node);
    for (uint32_t count = BATCH; count == BATCH && status == CAIRN_OK;) {
        cairn_node at = node;
        count = crn_best_first_back(search, &node, directions, BATCH);
        for (uint32_t i = 0, begun = 0; i < count && status == CAIRN_OK; begun = i) {
            cairn_cell step = {crn_dx[directions[begun]], crn_dy[directions[begun]]};
            while (i < count && directions[i] == directions[begun]) i++;
            at = (cairn_node)(at + (i - begun) * (step.y * width + step.x));
            status = crn_path_walk(search, at, step, i - begun);
        }
    }
    if (status == CAIRN_OK) crn_path_finish(search, cost);
    return status;
}

cairn_status crn_best_first_path_to(cairn_search *search, cairn_node node)
{
    crn_best_first *bf = best_first_of(search);
    cairn_cost cost = crn_best_first_cost_to(search, node);
    cairn_status status = CAIRN_OK;
    crn_path_start(search);
    if (bf->settings.sight) return best_first_lines_to(search, bf, node, cost);
    if (bf->map && !bf->linked && !bf->map->hex) return best_first_steps_to(search, node, cost);
    while (status == CAIRN_OK && node != CAIRN_NO_NODE) {
        status = crn_path_add(search, node);
        node = best_first_before(bf, node);
    }
    if (status == CAIRN_OK) crn_path_finish(search, cost);
    return status;
}

cairn_node crn_best_first_before(const cairn_search *search, cairn_node node)
{
    return best_first_before(best_first_of(search), node);
}

/* On a grid without links. */
static uint32_t best_first_trail_of_steps(const crn_best_first *bf, cairn_node node,
                                          cairn_node *nodes, cairn_cost *costs, uint32_t capacity)
{
    crn_page *const *table = bf->records->table;
    const int64_t width = bf->map->grid->width;
    crn_place place = best_first_place(bf, node);
    uint32_t left = capacity;
    while (left) {
        uint32_t slot, page = best_first_grid_locate(bf, place, &slot);
        uint32_t move = table[page]->mark[slot] & CRN_MARK_MOVE;
        if (move == CRN_NO_ARRIVAL) break;
        left--;
        nodes[left] = node;
        costs[left] = table[page]->g[slot];
        place = best_first_beside(place, move ^ 2);
        node = (cairn_node)(node - crn_dy[move] * width - crn_dx[move]);
    }
    return capacity - left;
}

uint32_t crn_best_first_trail(const cairn_search *search, cairn_node node, cairn_node *nodes,
                              cairn_cost *costs, uint32_t capacity)
{
    const crn_best_first *bf = best_first_of(search);
    if (bf->map && !bf->linked) return best_first_trail_of_steps(bf, node, nodes, costs, capacity);
    uint32_t left = capacity;
    while (left) {
        uint32_t slot;
        const crn_page *page = best_first_look(bf, node, &slot);
        cairn_node before = best_first_before(bf, node);
        if (before == CAIRN_NO_NODE) break;
        left--;
        nodes[left] = node;
        costs[left] = page->g[slot];
        node = before;
    }
    return capacity - left;
}

/* The same where records have parents. */
static uint32_t best_first_back_by_parents(const crn_best_first *bf, cairn_node *node,
                                           uint8_t *directions, uint32_t capacity)
{
    const int64_t width = crn_grid_space_of(bf->space)->grid->width;
    uint32_t count = 0;
    for (cairn_node before;
         count < capacity && (before = best_first_before(bf, *node)) != CAIRN_NO_NODE;) {
        uint32_t d = 0;
        while (*node + crn_dy[d] * width + crn_dx[d] != before) d++;
        directions[count++] = (uint8_t)d;
        *node = before;
    }
    return count;
}

uint32_t crn_best_first_back(const cairn_search *search, cairn_node *node, uint8_t *directions,
                             uint32_t capacity)
{
    crn_best_first *bf = best_first_of(search);
    if (!bf->map) return best_first_back_by_parents(bf, node, directions, capacity);
    crn_spot spot;
    crn_page *page = best_first_spot_page(bf, best_first_place(bf, *node), &spot);
    uint32_t count = 0;
    for (; count < capacity; count++) {
        uint32_t move = page->mark[best_first_spot_slot(spot)] & CRN_MARK_MOVE;
        if (move == CRN_NO_ARRIVAL) break;
        directions[count] = (uint8_t)(move ^ 2);
        page = best_first_beside_page(bf, page, spot, move ^ 2, &spot);
    }
    *node = best_first_node(bf, best_first_spot_place(spot));
    return count;
}

static cairn_node best_first_node_of_record(const void *user, uint32_t page, uint32_t slot)
{
    const crn_best_first *bf = user;
    if (!bf->map) return page * CRN_PAGE + slot;
    uint32_t x = page % bf->tile_columns * CRN_TILE_SIDE + slot % CRN_TILE_SIDE;
    uint32_t y = page / bf->tile_columns * CRN_TILE_SIDE + slot / CRN_TILE_SIDE;
    return best_first_node(bf, (crn_place){y << 16 | x});
}

bool crn_best_first_closest(cairn_search *search, uint64_t work, bool first)
{
    crn_best_first *bf = best_first_of(search);
    crn_page_walk walk = {bf->records, best_first_node_of_record, bf, first ? 0 : bf->closest_at};
    bool done = crn_closest_walk(search, &walk, work);
    bf->closest_at = walk.at;
    return done;
}

cairn_status crn_best_first_reached(const cairn_search *search, cairn_visit *visit, void *user)
{
    const crn_best_first *bf = best_first_of(search);
    for (cairn_node node = 0; node < bf->space->node_count; node++) {
        uint32_t slot;
        const crn_page *page = best_first_look(bf, node, &slot);
        if (!page || !(page->mark[slot] & CRN_MARK_SEEN)) continue;
        cairn_cost cost = crn_best_first_cost_to(search, node);
        if (cost != CAIRN_NO_COST) visit(user, node, cost);
    }
    return CAIRN_OK;
}
