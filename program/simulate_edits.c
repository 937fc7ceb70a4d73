/* simulate_edits.c: how the world of a simulation changes: squares that close and open again, the
 * changes of a script, and targets that move.
 *
 * What changes in a turn is chosen first and done then, so that only what a game would have to do
 * is timed.
 */
#include "simulate_parts.h"

#include <stdlib.h>

enum { EDITS_SIZE = 3, EDITS_EDGES = 64 };

/* A square that was closed: those of its cells that were open before. */
typedef struct simulate_square {
    uint32_t until;
    uint32_t count;
    cairn_node *cells;
} simulate_square;

void simulate_forget_squares(simulate_run *run)
{
    for (size_t i = 0; i < run->square_count; i++) free(run->squares[i].cells);
    free(run->squares);
}

/* Plans an edit. */
static void edits_set(simulate_run *run, cairn_node node, bool open)
{
    if (simulate_grow(run, (void **)&run->edits, sizeof *run->edits, run->edit_count + 1,
                      &run->edit_capacity))
        run->edits[run->edit_count++] = (simulate_edit){run->turns, node, open};
}

/* ---- squares ---- */

/* The cell so many steps ahead of a navigator. Its points are ends of straight lines. */
static bool edits_navigator_ahead(const simulate_run *run, uint32_t agent, uint32_t steps,
                                  cairn_cell *out)
{
    cairn_node ahead[SIMULATE_AHEAD];
    const cairn_grid *grid = run->world->grid;
    uint32_t known = cairn_navigator_ahead(run->navigators[agent], ahead, SIMULATE_AHEAD);
    if (known < 2) return false;
    if (known > SIMULATE_AHEAD) known = SIMULATE_AHEAD;
    cairn_cell at = cairn_grid_cell(grid, ahead[0]);
    for (uint32_t i = 1; i < known && steps; i++) {
        cairn_cell to = cairn_grid_cell(grid, ahead[i]);
        while (steps && (at.x != to.x || at.y != to.y)) {
            at.x += (to.x > at.x) - (to.x < at.x);
            at.y += (to.y > at.y) - (to.y < at.y);
            steps--;
        }
    }
    *out = at;
    return true;
}

static bool edits_ahead(const simulate_run *run, uint32_t agent, cairn_cell *out)
{
    uint32_t steps = run->setup->ahead;
    if (run->all[agent].done) return false;
    if (run->setup->service) return simulate_paths_ahead(run, &run->all[agent], steps, out);
    return edits_navigator_ahead(run, agent, steps, out);
}

/* The middle of the next square: ahead of an agent that has a path, or anywhere. */
static cairn_cell edits_middle(simulate_run *run)
{
    const simulate_setup *s = run->setup;
    cairn_cell middle;
    uint32_t agent = simulate_pick(run, run->agents);
    bool ahead = s->ahead && (!s->share || simulate_pick(run, 100) < s->share);
    for (uint32_t i = 0; ahead && i < run->agents; i++)
        if (edits_ahead(run, (agent + i) % run->agents, &middle)) return middle;
    cairn_node any = simulate_pick(run, cairn_space_node_count(run->world->space));
    return cairn_grid_cell(run->world->grid, any);
}

/* Marks the cell of a square with this upper left corner, if it lies in it. */
static void edits_mark(const simulate_run *run, cairn_node node, cairn_cell corner, int32_t side,
                       bool *taken)
{
    if (node == CAIRN_NO_NODE) return;
    cairn_cell cell = cairn_grid_cell(run->world->grid, node);
    int64_t x = (int64_t)cell.x - corner.x, y = (int64_t)cell.y - corner.y;
    if (x >= 0 && y >= 0 && x < side && y < side) taken[y * side + x] = true;
}

/* Closes what is open, but for where agents are, and their goals. */
static void edits_close(simulate_run *run, cairn_cell corner, int32_t side, const bool *taken,
                        simulate_square *square)
{
    for (int32_t i = 0; i < side * side; i++) {
        int32_t x = corner.x + i % side, y = corner.y + i / side;
        cairn_node node = cairn_grid_node(run->world->grid, x, y);
        if (node == CAIRN_NO_NODE || taken[i] || !cairn_grid_is_open(run->world->grid, x, y))
            continue;
        square->cells[square->count++] = node;
        edits_set(run, node, false);
    }
}

static void edits_close_square(simulate_run *run)
{
    int32_t side = (int32_t)(run->setup->size ? run->setup->size : EDITS_SIZE);
    size_t cells = (size_t)side * (size_t)side;
    cairn_cell middle = edits_middle(run), corner = {middle.x - side / 2, middle.y - side / 2};
    simulate_square square = {.until = run->turns + run->setup->life};
    bool *taken = calloc(cells, sizeof *taken);
    square.cells = malloc(cells * sizeof *square.cells);
    run->failed |= !square.cells || !taken;
    for (uint32_t i = 0; taken && i < run->agents; i++) {
        edits_mark(run, run->all[i].at, corner, side, taken);
        edits_mark(run, run->all[i].target, corner, side, taken);
    }
    if (square.cells && taken) edits_close(run, corner, side, taken, &square);
    free(taken);
    if (simulate_grow(run, (void **)&run->squares, sizeof *run->squares, run->square_count + 1,
                      &run->square_capacity))
        run->squares[run->square_count++] = square;
    else
        free(square.cells);
}

static void edits_open_squares(simulate_run *run)
{
    if (!run->setup->life) return;
    for (; run->first_square < run->square_count; run->first_square++) {
        simulate_square *square = &run->squares[run->first_square];
        if (square->until > run->turns) break;
        for (uint32_t i = 0; i < square->count; i++) edits_set(run, square->cells[i], true);
    }
}

/* ---- targets ---- */

static void edits_retarget(simulate_run *run, uint32_t i, cairn_node target)
{
    run->all[i].target = target;
    if (run->setup->service)
        simulate_paths_retarget(run, &run->all[i]);
    else
        run->failed |= cairn_navigator_retarget(run->navigators[i], target) != CAIRN_OK;
}

/* One goes on in its direction as long as it can, and now and then in another one. */
static void edits_roam(simulate_run *run, uint32_t i)
{
    cairn_edge edges[EDITS_EDGES];
    simulate_agent *agent = &run->all[i];
    uint32_t count = cairn_space_expand(run->world->space, agent->target, 0, edges, EDITS_EDGES);
    if (!count) return;
    cairn_node ahead = agent->target + agent->heading;
    bool turns = simulate_pick(run, 8) == 0;
    uint32_t chosen = count;
    for (uint32_t e = 0; e < count && !turns; e++)
        if (edges[e].node == ahead) chosen = e;
    if (chosen == count) chosen = simulate_pick(run, count);
    agent->heading = edges[chosen].node - agent->target;
    edits_retarget(run, i, edges[chosen].node);
}

void simulate_move_targets(simulate_run *run)
{
    if (!run->setup->roam || !run->turns || run->turns % run->setup->roam) return;
    for (uint32_t i = 0; i < run->agents; i++)
        if (!run->all[i].done) edits_roam(run, i);
}

/* ---- scripts ---- */

static bool edits_change(simulate_run *run, const cairn_script_change *change)
{
    cairn_grid *grid = run->world->grid;
    cairn_node first = cairn_grid_node(grid, change->first.x, change->first.y);
    bool goal = change->action == CAIRN_SCRIPT_GOAL;
    if (first == CAIRN_NO_NODE ||
        (!goal && cairn_grid_node(grid, change->last.x, change->last.y) == CAIRN_NO_NODE))
        return false;
    for (uint32_t i = 0; goal && i < run->agents; i++) {
        run->all[i].done = false;
        edits_retarget(run, i, first);
    }
    for (int32_t y = change->first.y; !goal && y <= change->last.y; y++)
        for (int32_t x = change->first.x; x <= change->last.x; x++) {
            if (change->action == CAIRN_SCRIPT_TERRAIN)
                run->failed |= cairn_grid_set_terrain(grid, x, y, change->terrain) != CAIRN_OK;
            else
                edits_set(run, cairn_grid_node(grid, x, y), change->action == CAIRN_SCRIPT_OPEN);
        }
    return true;
}

/* The changes of the script that are due. */
static int edits_run_script(simulate_run *run)
{
    const cairn_script *script = run->setup->script;
    for (; script && run->next_change < script->change_count; run->next_change++) {
        const cairn_script_change *change = &script->changes[run->next_change];
        if (change->at > run->turns) break;
        if (edits_change(run, change)) continue;
        complain("%s: a change of the script, at step %u, lies outside", run->world->name,
                 change->at);
        return END_DATA;
    }
    return END_OK;
}

uint32_t simulate_to_come(const simulate_run *run, bool goals)
{
    const cairn_script *script = run->setup->script;
    uint32_t count = 0;
    for (uint32_t i = run->next_change; script && i < script->change_count; i++)
        count += !goals || script->changes[i].action == CAIRN_SCRIPT_GOAL;
    return count;
}

/* ---- a turn ---- */

int simulate_plan_edits(simulate_run *run)
{
    run->first_edit = run->edit_count;
    edits_open_squares(run);
    if (run->setup->every && run->turns && run->turns % run->setup->every == 0 && !run->drains)
        edits_close_square(run);
    return edits_run_script(run);
}

/* The list gets what each cell was before, for those that look at it afterwards. */
void simulate_make_edits(simulate_run *run)
{
    cairn_grid *grid = run->world->grid;
    uint64_t version = cairn_grid_version(grid);
    for (size_t i = run->first_edit; i < run->edit_count; i++) {
        simulate_edit *edit = &run->edits[i];
        cairn_cell cell = cairn_grid_cell(grid, edit->cell);
        bool wanted = edit->open;
        edit->open = cairn_grid_is_open(grid, cell.x, cell.y);
        run->failed |= cairn_grid_set_open(grid, cell.x, cell.y, wanted) != CAIRN_OK;
    }
    run->failed |= !simulate_meet_commit(run);
    run->changes += cairn_grid_version(grid) != version;
}

void simulate_note_edits(simulate_run *run)
{
    size_t kept = run->first_edit;
    for (size_t i = run->first_edit; i < run->edit_count; i++) {
        simulate_edit edit = run->edits[i];
        cairn_cell cell = cairn_grid_cell(run->world->grid, edit.cell);
        bool open = cairn_grid_is_open(run->world->grid, cell.x, cell.y),
             changed = open != edit.open;
        edit.open = open;
        if (!changed) continue;
        simulate_judge_edit(run, edit.cell, open);
        run->edits[kept++] = edit;
    }
    run->edit_count = kept;
}
