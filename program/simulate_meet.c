/* simulate_meet.c: agents that do not walk through each other (see simulate.h).
 *
 * An agent that finds another one on its next cell waits, and puts an obstacle there that makes the
 * cell expensive for a while (obstacles.h). So the service looks for another path, for this agent
 * and for all others that come along. What is still in the way when the obstacle ends is passed:
 * two agents that meet where there is only one path do not stand there for ever.
 */
#include "simulate_parts.h"

#include <stdlib.h>

enum { MEET_COST = 5 }; /* units of the extra layer */

struct simulate_meetings {
    cairn_obstacles *obstacles;
    uint32_t *standing; /* on each cell: so many agents */
};

int simulate_meet_begin(simulate_run *run)
{
    if (!run->setup->obstacles) return END_OK;
    struct simulate_meetings *m = run->meetings = calloc(1, sizeof *m);
    if (!m) return simulate_no_memory();
    m->standing = calloc(cairn_space_node_count(run->world->space), sizeof *m->standing);
    bool ok = m->standing && !cairn_obstacles_create(run->world->grid, &m->obstacles);
    return ok ? END_OK : simulate_no_memory();
}

void simulate_meet_free(simulate_run *run)
{
    if (!run->meetings) return;
    cairn_obstacles_destroy(run->meetings->obstacles);
    free(run->meetings->standing);
    free(run->meetings);
    free(run->waiting);
    run->meetings = NULL;
}

void simulate_meet_come(const simulate_run *run, const simulate_agent *agent)
{
    if (run->meetings) run->meetings->standing[agent->at]++;
}

void simulate_meet_step(const simulate_run *run, simulate_agent *agent)
{
    if (!run->meetings) return;
    run->meetings->standing[agent->from]--;
    run->meetings->standing[agent->at]++;
    agent->patience = 0;
}

/* The obstacle, kept for the picture. */
static void meet_put(simulate_run *run, cairn_node node)
{
    cairn_cell cell = cairn_grid_cell(run->world->grid, node);
    cairn_obstacle obstacle;
    cairn_obstacle_options options = {
        .x = cell.x, .y = cell.y, .cost = MEET_COST, .ticks = run->setup->obstacles};
    run->failed |= cairn_obstacles_put(run->meetings->obstacles, &options, &obstacle) != CAIRN_OK;
    if (simulate_grow(run, (void **)&run->waiting, sizeof *run->waiting, run->waiting_count + 1,
                      &run->waiting_capacity))
        run->waiting[run->waiting_count++] = (simulate_edit){.turn = run->turns, .cell = node};
}

bool simulate_meet_waits(simulate_run *run, simulate_agent *agent, cairn_node next)
{
    if (!run->meetings || !run->meetings->standing[next]) return false;
    if (!agent->patience) {
        meet_put(run, next);
        agent->patience = run->turns + run->setup->obstacles;
    }
    if (run->turns >= agent->patience) return false;
    run->held++;
    return true;
}

bool simulate_meet_commit(const simulate_run *run)
{
    return !(run->meetings ? cairn_obstacles_tick(run->meetings->obstacles)
                           : cairn_grid_commit(run->world->grid));
}
