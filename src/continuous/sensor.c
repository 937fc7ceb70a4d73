/* sensor.c: agents that know only a part of their world. See sensor.h.
 *
 * On grids a sensor sees a square (on hexagons: all cells at most so many steps away), because
 * that is what steps depend on: with a range of 1 the eight cells round the agent, diagonal ones
 * and corners included. Agents with a size need more, and are refused a sensor that sees less than
 * their next step takes up. A link may lead far away, so the agent also sees where those that
 * begin at its own cell end. Rows of 64 cells are compared at once; planes that neither grid has
 * cost nothing.
 */
#include "continuous/sensor.h"
#include "world/grid_space.h"
#include <math.h>

/* ---- cells ---- */

/* Does a plane differ? Bit i stands for element `first` + i. NULL = all zero. */
static uint64_t sensor_bytes_differ(const uint8_t *a, const uint8_t *b, size_t first,
                                    uint32_t count)
{
    uint64_t bits = 0;
    if (!a && !b) return 0;
    for (uint32_t i = 0; i < count; i++)
        bits |= (uint64_t)((a ? a[first + i] : 0) != (b ? b[first + i] : 0)) << i;
    return bits;
}

static uint64_t sensor_heights_differ(const int16_t *a, const int16_t *b, size_t first,
                                      uint32_t count)
{
    uint64_t bits = 0;
    if (!a && !b) return 0;
    for (uint32_t i = 0; i < count; i++)
        bits |= (uint64_t)((a ? a[first + i] : 0) != (b ? b[first + i] : 0)) << i;
    return bits;
}

/* Which of the 1 to 64 cells from (x, y) on differ in any way? */
static uint64_t sensor_cells_differ(const cairn_grid *a, const cairn_grid *b, int32_t x, int32_t y,
                                    uint32_t count)
{
    size_t first = (size_t)y * a->width + (size_t)x;
    uint64_t bits = crn_bits_word(&a->open, x, y) ^ crn_bits_word(&b->open, x, y);
    bits &= UINT64_MAX >> (64 - count);
    return bits | sensor_bytes_differ(a->terrain, b->terrain, first, count) |
           sensor_bytes_differ(a->layer, b->layer, first, count) |
           sensor_heights_differ(a->elevation, b->elevation, first, count);
}

static cairn_status sensor_stage_cell(cairn_grid *known, const cairn_grid *truth, int32_t x,
                                      int32_t y)
{
    cairn_node node = cairn_grid_node(known, x, y);
    cairn_cell_state is = crn_grid_state(truth, node), was = crn_grid_state(known, node);
    cairn_status status = CAIRN_OK;
    if (is.open != was.open) status = cairn_grid_set_open(known, x, y, is.open);
    if (status == CAIRN_OK && is.terrain != was.terrain)
        status = cairn_grid_set_terrain(known, x, y, is.terrain);
    if (status == CAIRN_OK && is.layer != was.layer)
        status = cairn_grid_set_layer(known, x, y, is.layer);
    if (status == CAIRN_OK && is.elevation != was.elevation)
        status = cairn_grid_set_elevation(known, x, y, is.elevation);
    return status;
}

/* ---- links ---- */

/* The first link that leaves this node or one behind it. */
static uint32_t sensor_first_link(const cairn_grid *grid, cairn_node node)
{
    return (uint32_t)crn_lower_bound(grid->links, grid->link_count, node);
}

/* Two grids that are compared, and how much differs so far. */
typedef struct sensor_pair {
    cairn_grid *known;
    const cairn_grid *truth;
    uint32_t seen;
} sensor_pair;

/* Are these links of the known grid, from the k-th on, those of the truth from the t-th on? */
static bool sensor_same_links(const sensor_pair *pair, uint32_t k, uint32_t t, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const cairn_link *a = &pair->known->links[k + i], *b = &pair->truth->links[t + i];
        if (a->to != b->to || a->id != b->id || a->cost != b->cost || a->kind != b->kind)
            return false;
    }
    return true;
}

/* The links that leave a node are to be those of the truth from the t-th on. */
static cairn_status sensor_stage_links(const sensor_pair *pair, cairn_node node, uint32_t t,
                                       uint32_t count)
{
    cairn_status status = crn_grid_remove_leaving(pair->known, node);
    for (uint32_t i = 0; status == CAIRN_OK && i < count; i++)
        status = cairn_grid_add_link(pair->known, &pair->truth->links[t + i]);
    return status;
}

/* All links that leave the nodes from `first` to `last`. */
static cairn_status sensor_links(sensor_pair *pair, cairn_node first, cairn_node last)
{
    const cairn_grid *known = pair->known, *truth = pair->truth;
    uint32_t k = sensor_first_link(known, first), t = sensor_first_link(truth, first);
    for (;;) {
        cairn_node a = k < known->link_count ? known->links[k].from : CAIRN_NO_NODE,
                   b = t < truth->link_count ? truth->links[t].from : CAIRN_NO_NODE,
                   node = a < b ? a : b;
        if (node > last) return CAIRN_OK;
        uint32_t k_end = sensor_first_link(known, node + 1),
                 t_end = sensor_first_link(truth, node + 1);
        if (k_end - k != t_end - t || !sensor_same_links(pair, k, t, t_end - t)) {
            cairn_status status = sensor_stage_links(pair, node, t, t_end - t);
            if (status != CAIRN_OK) return status;
            pair->seen++;
        }
        k = k_end;
        t = t_end;
    }
}

/* ---- what it sees on a grid ---- */

/* Some cells of a row, all of them in the grid. */
static cairn_status sensor_row(sensor_pair *pair, int32_t y, int32_t begin, int32_t end)
{
    for (int32_t x = begin; x < end; x += 64) {
        uint32_t count = crn_min_u32((uint32_t)(end - x), 64);
        uint64_t bits = sensor_cells_differ(pair->known, pair->truth, x, y, count);
        for (; bits; bits &= bits - 1, pair->seen++) {
            int32_t differs = x + (int32_t)crn_lowest_bit(bits);
            cairn_status status = sensor_stage_cell(pair->known, pair->truth, differs, y);
            if (status != CAIRN_OK) return status;
        }
    }
    if (begin >= end || (!pair->known->link_count && !pair->truth->link_count)) return CAIRN_OK;
    cairn_node row = (uint32_t)y * pair->known->width;
    return sensor_links(pair, row + (uint32_t)begin, row + (uint32_t)end - 1);
}

/* Everything at most so many cells away from a node. In a row of hexagons `dy` rows away there are
 * dy fewer of them than in its own, half a cell to the right for each. */
static cairn_status sensor_window(sensor_pair *pair, cairn_node node, int32_t range)
{
    const cairn_grid *known = pair->known;
    cairn_cell at = crn_grid_cell(known, node);
    bool hex = known->layout == CAIRN_LAYOUT_HEX;
    int32_t width = (int32_t)known->width;
    cairn_status status = CAIRN_OK;
    for (int32_t dy = -range; status == CAIRN_OK && dy <= range; dy++) {
        int32_t y = at.y + dy, away = dy < 0 ? -dy : dy;
        if ((uint32_t)y >= known->height) continue;
        int32_t begin = at.x - range + (hex ? (away + (at.y & 1) - (y & 1)) / 2 : 0),
                end = begin + 2 * range + 1 - (hex ? away : 0);
        status = sensor_row(pair, y, begin < 0 ? 0 : begin, end < width ? end : width);
    }
    return status;
}

static cairn_status sensor_stage_grid(const cairn_navigator *navigator, sensor_pair *pair)
{
    const crn_sensor *sensor = navigator->sensor;
    const cairn_grid *truth = pair->truth;
    cairn_node at = navigator->at;
    cairn_status status = sensor_window(pair, at, (int32_t)sensor->range);
    for (uint32_t i = sensor_first_link(truth, at);
         status == CAIRN_OK && i < truth->link_count && truth->links[i].from == at; i++)
        status = sensor_window(pair, truth->links[i].to, (int32_t)sensor->least - 1);
    return status;
}

/* The range that the next step depends on: cells beside the agent, and what its size takes up when
 * it stands on them. */
static uint32_t sensor_least(const crn_grid_space *map)
{
    const cairn_profile *profile = &map->profile;
    if (map->hex && profile->radius > 0) /* hexagons reach 0.58 cells from their centres */
        return 1 + (uint32_t)floor((profile->radius + CRN_HEX_CENTRE) / CRN_HEX_ROW);
    double cells = -floor(-(profile->radius + 0.5));
    return crn_max_u32(crn_max_u32(profile->footprint, (uint32_t)cells), 1);
}

/* ---- looking round ---- */

static cairn_grid *sensor_grid(const cairn_space *space)
{
    const crn_grid_space *map = crn_grid_space_of(space);
    return map ? map->grid : NULL;
}

static cairn_graph *sensor_graph(const cairn_space *space)
{
    const crn_graph_space *graph = crn_graph_space_of(space);
    return graph ? graph->graph : NULL;
}

static cairn_status sensor_commit(cairn_navigator *navigator)
{
    crn_sensor *sensor = navigator->sensor;
    cairn_grid *grid = sensor_grid(navigator->space);
    cairn_status status =
        grid ? cairn_grid_commit(grid) : cairn_graph_commit(sensor_graph(navigator->space));
    sensor->owes = status != CAIRN_OK;
    if (sensor->owes) sensor->at = CAIRN_NO_NODE;
    return status;
}

static bool sensor_is_current(const cairn_navigator *navigator)
{
    const crn_sensor *sensor = navigator->sensor;
    return sensor->at == navigator->at &&
           sensor->truth_version == cairn_space_version(sensor->truth) &&
           sensor->known_version == cairn_space_version(navigator->space);
}

/* Stages what it sees. What it owes from an earlier look comes first: somebody may have discarded
 * it, so it is not relied on. */
static cairn_status sensor_stage(cairn_navigator *navigator)
{
    crn_sensor *sensor = navigator->sensor;
    const cairn_space *truth = sensor->truth, *known = navigator->space;
    cairn_status status = sensor->owes ? sensor_commit(navigator) : CAIRN_OK;
    if (status != CAIRN_OK || sensor_is_current(navigator)) return status;
    uint32_t seen = 0;
    if (sensor_grid(known)) {
        sensor_pair pair = {sensor_grid(known), sensor_grid(truth), 0};
        status = sensor_stage_grid(navigator, &pair);
        seen = pair.seen;
    } else {
        crn_sensor_graphs graphs = {navigator, sensor_graph(known), sensor_graph(truth), 0};
        status = crn_sensor_stage_graph(&graphs);
        seen = graphs.seen;
    }
    sensor->owes = seen || status != CAIRN_OK;
    sensor->seen += seen;
    sensor->at = status == CAIRN_OK ? navigator->at : CAIRN_NO_NODE;
    sensor->truth_version = cairn_space_version(truth);
    sensor->known_version = cairn_space_version(known);
    return status;
}

/* A commit also makes what somebody else has staged in the known world, wrong or right. So after
 * one it looks once more; what it stages then is committed alone. */
cairn_status crn_sensor_look(cairn_navigator *navigator, cairn_move *move)
{
    crn_sensor *sensor = navigator->sensor;
    if (!sensor) return CAIRN_OK;
    cairn_status status = CAIRN_OK;
    for (uint32_t look = 0; status == CAIRN_OK && look < 2; look++) {
        status = sensor_stage(navigator);
        if (status == CAIRN_OK && sensor->owes) status = sensor_commit(navigator);
    }
    if (status != CAIRN_OK) return status;
    sensor->known_version = cairn_space_version(navigator->space);
    move->seen = sensor->seen;
    sensor->seen = 0;
    return CAIRN_OK;
}

static bool sensor_looks(const cairn_navigator *navigator)
{
    return navigator && navigator->sensor && navigator->at != CAIRN_NO_NODE;
}

/* The first one that owes something commits for all others of the same world. Each looks once more
 * before it walks. */
void crn_sensors_look(cairn_navigator *const *navigators, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (sensor_looks(navigators[i])) (void)sensor_stage(navigators[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (sensor_looks(navigators[i]) && navigators[i]->sensor->owes)
            (void)sensor_commit(navigators[i]);
    }
}

/* ---- life ---- */

void crn_sensor_destroy(cairn_navigator *navigator)
{
    crn_sensor *sensor = navigator->sensor;
    if (!sensor) return;
    cairn_space_destroy(sensor->truth);
    crn_sensor_free_graph(navigator);
    crn_free(navigator->context, sensor, sizeof *sensor);
    navigator->sensor = NULL;
}

size_t crn_sensor_bytes(const cairn_navigator *navigator)
{
    const crn_sensor *sensor = navigator->sensor;
    if (!sensor) return 0;
    const crn_sensor_lists *lists = &sensor->lists;
    size_t marks = lists->marks ? CRN_SENSOR_MARK_BYTES(navigator) : 0;
    return sizeof *sensor + lists->node_capacity * sizeof *lists->nodes +
           lists->edge_capacity * sizeof *lists->edges + marks;
}

/* Can these two be compared? */
static cairn_status sensor_check(const cairn_space *known, const cairn_space *truth,
                                 cairn_error *error)
{
    const cairn_grid *a = cairn_space_grid(known), *b = cairn_space_grid(truth);
    if (!a && !cairn_space_graph(known))
        return crn_fail(error, CAIRN_UNSUPPORTED, 0, "sensors serve grids and graphs only");
    if (known->world != truth->world)
        return crn_fail(error, CAIRN_INVALID, 0, "truth and known world are of different kinds");
    if (a ? a == b : cairn_space_graph(known) == cairn_space_graph(truth))
        return crn_fail(error, CAIRN_INVALID, 0, "the truth is the known world itself");
    if (a && (a->width != b->width || a->height != b->height))
        return crn_fail(error, CAIRN_INVALID, 0, "the truth has %u x %u cells, not %u x %u",
                        b->width, b->height, a->width, a->height);
    if (a && a->layout != b->layout)
        return crn_fail(error, CAIRN_INVALID, 0, "the truth has cells of another layout");
    uint32_t nodes = cairn_space_node_count(known), true_nodes = cairn_space_node_count(truth);
    if (nodes != true_nodes)
        return crn_fail(error, CAIRN_INVALID, 0, "the truth has %u nodes, not %u", true_nodes,
                        nodes);
    return CAIRN_OK;
}

/* Does it see enough for every step to be legal? */
static cairn_status sensor_check_range(const cairn_navigator *navigator, uint32_t range,
                                       uint32_t least, cairn_error *error)
{
    const crn_grid_space *map = crn_grid_space_of(navigator->space);
    if (range > CAIRN_SENSOR_MAX)
        return crn_fail(error, CAIRN_INVALID, 0, "a range of %u: at most %u is possible", range,
                        CAIRN_SENSOR_MAX);
    if (range < least)
        return crn_fail(error, CAIRN_INVALID, 0,
                        "a range of %u: an agent of this size needs at least %u", range, least);
    bool sized = map && (map->profile.radius > 0 || map->profile.footprint > 1);
    if (sized && navigator->planner->algorithm->info.flags & CAIRN_ANY_ANGLE)
        return crn_fail(error, CAIRN_UNSUPPORTED, 0,
                        "agents with a size walk lines of any angle whole, however far a sensor "
                        "sees");
    return CAIRN_OK;
}

cairn_status cairn_navigator_set_sensor(cairn_navigator *navigator, const cairn_space *truth,
                                        uint32_t range, cairn_error *error)
{
    if (!navigator) return crn_fail(error, CAIRN_INVALID, 0, "no navigator");
    if (!range) {
        crn_sensor_destroy(navigator);
        return CAIRN_OK;
    }
    if (!truth) return crn_fail(error, CAIRN_INVALID, 0, "a sensor needs a world to look at");
    const crn_grid_space *map = crn_grid_space_of(navigator->space);
    uint32_t least = map ? sensor_least(map) : 1;
    cairn_status status = sensor_check(navigator->space, truth, error);
    if (status == CAIRN_OK) status = sensor_check_range(navigator, range, least, error);
    if (status != CAIRN_OK) return status;
    crn_sensor *sensor = crn_alloc_zero(navigator->context, sizeof *sensor);
    if (!sensor) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a sensor");
    crn_sensor_destroy(navigator);
    sensor->truth = cairn_space_keep(truth);
    sensor->range = range;
    sensor->least = least;
    sensor->at = CAIRN_NO_NODE;
    navigator->sensor = sensor;
    return CAIRN_OK;
}
