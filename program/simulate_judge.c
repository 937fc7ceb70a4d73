/* simulate_judge.c: whether the moves of a simulation are right, without asking the library.
 *
 * The judge has a copy of the map, a byte for each cell, which is edited as the world is. For a
 * point without size on squares, where all ground can be walked on, it knows by itself which steps
 * are legal: those to a free cell beside, if the corner rule allows it. Of all other agents the
 * library is asked.
 */
#include "simulate_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct simulate_judge {
    uint8_t *open;   /* each cell; NULL = the library is asked */
    uint8_t *passed; /* by a flood */
    cairn_node *queue;
    uint32_t width, height;
    cairn_corners corners;
    bool eight;
} simulate_judge;

/* Does the script change the ground? */
static bool judge_ground_changes(const cairn_script *script)
{
    for (uint32_t i = 0; script && i < script->change_count; i++)
        if (script->changes[i].action == CAIRN_SCRIPT_TERRAIN) return true;
    return false;
}

/* Does the judge know all the rules of this agent and map? */
static bool judge_knows(const simulate_run *run)
{
    const cairn_profile *p = cairn_space_profile(run->world->space);
    const cairn_grid *grid = run->world->grid;
    uint32_t links = cairn_grid_link_count(grid);
    return !profile_is_sized(p) && !p->gradient && p->max_climb == CAIRN_ANY_STEP &&
           p->max_drop == CAIRN_ANY_STEP && !links && !judge_ground_changes(run->setup->script) &&
           (p->neighbours == CAIRN_NEIGHBOURS_4 || p->neighbours == CAIRN_NEIGHBOURS_8);
}

static bool judge_sees_open(const simulate_run *run, uint32_t x, uint32_t y)
{
    const cairn_profile *p = cairn_space_profile(run->world->space);
    const cairn_grid *grid = run->world->grid;
    return cairn_grid_is_open(grid, (int32_t)x, (int32_t)y) &&
           p->terrain_cost[cairn_grid_terrain(grid, (int32_t)x, (int32_t)y)];
}

bool simulate_judge_begin(simulate_run *run)
{
    simulate_judge *judge = run->judge = calloc(1, sizeof *judge);
    if (!judge) return false;
    if (!judge_knows(run)) return true;
    const cairn_profile *p = cairn_space_profile(run->world->space);
    judge->width = cairn_grid_width(run->world->grid);
    judge->height = cairn_grid_height(run->world->grid);
    judge->corners = p->corners;
    judge->eight = p->neighbours == CAIRN_NEIGHBOURS_8;
    size_t cells = (size_t)judge->width * judge->height;
    judge->open = malloc(cells);
    judge->passed = malloc(cells);
    judge->queue = malloc(cells * sizeof *judge->queue);
    if (!judge->open || !judge->passed || !judge->queue) return false;
    for (uint32_t y = 0; y < judge->height; y++)
        for (uint32_t x = 0; x < judge->width; x++)
            judge->open[(size_t)y * judge->width + x] = judge_sees_open(run, x, y);
    return true;
}

void simulate_judge_free(simulate_run *run)
{
    if (!run->judge) return;
    free(run->judge->open);
    free(run->judge->passed);
    free(run->judge->queue);
    free(run->judge);
    run->judge = NULL;
}

void simulate_judge_edit(simulate_run *run, cairn_node cell, bool open)
{
    simulate_judge *judge = run->judge;
    const cairn_profile *p = cairn_space_profile(run->world->space);
    if (!judge || !judge->open) return;
    cairn_cell at = cairn_grid_cell(run->world->grid, cell);
    judge->open[cell] = open && p->terrain_cost[cairn_grid_terrain(run->world->grid, at.x, at.y)];
}

static bool judge_is_open(const simulate_judge *judge, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < judge->width && y < judge->height &&
           judge->open[(size_t)y * judge->width + (size_t)x];
}

/* From an open cell to the one at this distance. */
static bool judge_may_step(const simulate_judge *judge, cairn_node from, int64_t dx, int64_t dy)
{
    int64_t x = from % judge->width, y = from / judge->width;
    if (!judge_is_open(judge, x + dx, y + dy)) return false;
    if (!dx || !dy) return true;
    bool a = judge_is_open(judge, x + dx, y), b = judge_is_open(judge, x, y + dy);
    return judge->eight && (judge->corners == CAIRN_CORNERS_ALWAYS || (a && b) ||
                            (judge->corners == CAIRN_CORNERS_ONE && (a || b)));
}

bool simulate_judge_step(const simulate_run *run, cairn_node from, cairn_node to)
{
    const simulate_judge *judge = run->judge;
    const cairn_space *space = run->world->space;
    if (!judge || !judge->open) {
        bool lines = cairn_planner_algorithm(run->planner)->flags & CAIRN_ANY_ANGLE &&
                     profile_is_sized(cairn_space_profile(space));
        return cairn_space_step_cost(space, from, to) != CAIRN_NO_COST ||
               (lines && cairn_raycast(space, from, to, NULL));
    }
    int64_t dx = (int64_t)(to % judge->width) - from % judge->width;
    int64_t dy = (int64_t)(to / judge->width) - from / judge->width;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (!dx && !dy)) return false;
    return judge_may_step(judge, from, dx, dy);
}

bool simulate_judge_apart(simulate_run *run, cairn_node from, cairn_node to)
{
    simulate_judge *judge = run->judge;
    if (!judge || !judge->open)
        return cairn_reachable(run->world->space, from, to) == CAIRN_REACH_NO;
    size_t first = 0, count = 1;
    memset(judge->passed, 0, (size_t)judge->width * judge->height);
    judge->queue[0] = from;
    judge->passed[from] = 1;
    for (; first < count && !judge->passed[to]; first++)
        for (int64_t i = 0; i < 9; i++) {
            int64_t dx = i % 3 - 1, dy = i / 3 - 1;
            cairn_node node = judge->queue[first];
            if (!judge_may_step(judge, node, dx, dy)) continue;
            cairn_node next = (cairn_node)(node + dy * judge->width + dx);
            if (judge->passed[next]) continue;
            judge->passed[next] = 1;
            judge->queue[count++] = next;
        }
    return !judge->passed[to];
}
