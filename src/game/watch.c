/* watch.c: what commits do to the paths that are walked. See follow.h.
 *
 * Commits are taken one by one. First the tiles that a commit touches are listed, then the runs in
 * them are looked at, and then, if something has opened, the paths that may become shorter. All of
 * it can be interrupted between two runs or paths, and goes on with the next update. Lists may
 * change meanwhile: whoever takes something out of a list moves the cursor on, and what is put in
 * is known to be whole.
 *
 * Very large commits, and those that the world has forgotten, touch everything.
 */
#include "game/service.h"
#include "world/changes.h"
#include "world/view.h"

enum { WATCH_CELLS = 1024, WATCH_NEAR = 16 };

/* ---- tiles ---- */

static const cairn_grid *watch_grid(const cairn_space *space)
{
    return cairn_space_grid(crn_view_ground(space));
}

bool crn_watch_open(crn_scratch *memory, const cairn_space *space, crn_watch *watch)
{
    const cairn_grid *grid = watch_grid(space);
    if (watch->follows == CRN_SERVICE_NONE) {
        watch->version = cairn_space_version(space);
        watch->stage = CRN_WATCH_IDLE;
    }
    if (watch->tiles) return true;
    uint32_t columns = grid ? (cairn_grid_width(grid) - 1) / CRN_WATCH_TILE + 1 : 0,
             rows = grid ? (cairn_grid_height(grid) - 1) / CRN_WATCH_TILE + 1 : 0,
             count = grid ? columns * rows : cairn_space_node_count(space) / CRN_WATCH_NODES + 1;
    watch->tiles = crn_scratch_alloc(memory, count * sizeof *watch->tiles);
    watch->touches = crn_scratch_alloc(memory, CRN_WATCH_TOUCHES * sizeof *watch->touches);
    watch->gains = crn_scratch_alloc(memory, CRN_WATCH_GAINS * sizeof *watch->gains);
    watch->tile_count = count;
    watch->columns = columns;
    if (!watch->tiles || !watch->touches || !watch->gains) {
        crn_watch_close(memory, watch);
        return false;
    }
    memset(watch->tiles, 0xff, count * sizeof *watch->tiles);
    return true;
}

void crn_watch_close(crn_scratch *memory, crn_watch *watch)
{
    crn_scratch_free(memory, watch->touches, CRN_WATCH_TOUCHES * sizeof *watch->touches);
    crn_scratch_free(memory, watch->gains, CRN_WATCH_GAINS * sizeof *watch->gains);
    crn_scratch_free(memory, watch->tiles, watch->tile_count * sizeof *watch->tiles);
    watch->tiles = NULL;
    watch->touches = NULL;
    watch->gains = NULL;
}

/* A node as a cell; in worlds without cells all are in one row. */
static crn_size_box watch_place(const crn_watch *watch, const cairn_space *space, cairn_node node)
{
    if (!watch->columns) return (crn_size_box){node, 0, node, 0};
    uint32_t width = cairn_grid_width(watch_grid(space)), x = node % width, y = node / width;
    return (crn_size_box){x, y, x, y};
}

uint32_t crn_watch_tile(const crn_watch *watch, const cairn_space *space, cairn_node node)
{
    crn_size_box at = watch_place(watch, space, node);
    if (!watch->columns) return at.left / CRN_WATCH_NODES;
    return at.top / CRN_WATCH_TILE * watch->columns + at.left / CRN_WATCH_TILE;
}

/* ---- what a commit touches ---- */

static void watch_unite(crn_size_box *box, const crn_size_box *more)
{
    box->left = crn_min_u32(box->left, more->left);
    box->top = crn_min_u32(box->top, more->top);
    box->right = crn_max_u32(box->right, more->right);
    box->bottom = crn_max_u32(box->bottom, more->bottom);
}

static void watch_touch(crn_watch *watch, uint32_t tile, const crn_size_box *box, bool priced)
{
    for (uint32_t i = watch->touch_count; i--;) {
        crn_touch *touch = &watch->touches[i];
        if (touch->tile != tile) continue;
        watch_unite(&touch->box, box);
        touch->priced |= priced;
        return;
    }
    if (watch->touch_count == CRN_WATCH_TOUCHES) {
        watch->whole = true;
    } else {
        watch->touches[watch->touch_count++] = (crn_touch){tile, *box, priced};
    }
}

/* In each tile that a box of cells meets, its part there. */
static void watch_touch_box(crn_watch *watch, const crn_size_box *box, bool priced)
{
    enum { SIDE = CRN_WATCH_TILE };
    for (uint32_t row = box->top / SIDE; row <= box->bottom / SIDE; row++) {
        for (uint32_t column = box->left / SIDE; column <= box->right / SIDE; column++) {
            crn_size_box part = {crn_max_u32(box->left, column * SIDE),
                                 crn_max_u32(box->top, row * SIDE),
                                 crn_min_u32(box->right, column * SIDE + SIDE - 1),
                                 crn_min_u32(box->bottom, row * SIDE + SIDE - 1)};
            watch_touch(watch, row * watch->columns + column, &part, priced);
        }
    }
}

static bool watch_are_near(const crn_size_box *a, const crn_size_box *b)
{
    return a->left <= b->right + WATCH_NEAR && b->left <= a->right + WATCH_NEAR &&
           a->top <= b->bottom + WATCH_NEAR && b->top <= a->bottom + WATCH_NEAR;
}

static void watch_gain(crn_watch *watch, const crn_size_box *box)
{
    for (uint32_t i = watch->gain_count; i--;) {
        bool last = watch->gain_count == CRN_WATCH_GAINS && i == 0;
        if (!last && !watch_are_near(&watch->gains[i], box)) continue;
        watch_unite(&watch->gains[i], box);
        return;
    }
    watch->gains[watch->gain_count++] = *box;
}

static bool watch_allows(const crn_grid_space *space, const cairn_cell_state *state)
{
    return state->open && space->profile.terrain_cost[state->terrain];
}

static void watch_notice_cell(crn_watch *watch, const crn_grid_space *space,
                              const cairn_change *change)
{
    bool before = watch_allows(space, &change->before), after = watch_allows(space, &change->after);
    if (!before && !after) return;
    /* lines of agents with a size have room beside the cells that they pass */
    crn_size_box box = crn_edits_box(space, change->node, space->sized ? 2 : 1);
    watch_touch_box(watch, &box, before && after);
    if (after) watch_gain(watch, &box);
}

/* By tiles instead of cells. */
static void watch_notice_tiles(crn_watch *watch, const crn_grid_space *space,
                               const cairn_commit *commit)
{
    enum { SIDE = CRN_WATCH_TILE };
    const uint32_t width = space->grid->width, height = space->grid->height;
    for (uint32_t tile = 0; tile < watch->tile_count && !watch->whole; tile++) {
        if (!(commit->tiles[tile / 64] >> tile % 64 & 1)) continue;
        uint32_t x = tile % watch->columns * SIDE, y = tile / watch->columns * SIDE,
                 right = crn_min_u32(x + SIDE, width) - 1,
                 bottom = crn_min_u32(y + SIDE, height) - 1;
        crn_size_box box = crn_edits_box(space, y * width + x, 2),
                     end = crn_edits_box(space, bottom * width + right, 2);
        watch_unite(&box, &end);
        watch_touch_box(watch, &box, true);
        watch_gain(watch, &box);
    }
}

static void watch_notice_commit(crn_watch *watch, const crn_grid_space *space)
{
    cairn_commit commit;
    watch->target = watch->version + 1;
    if (cairn_grid_commit_info(space->grid, watch->target, &commit) != CAIRN_OK) {
        watch->whole = watch->blind = true;
        watch->target = space->grid->version;
        return;
    }
    watch->whole = watch->blind = commit.links_changed;
    if (commit.change_count > WATCH_CELLS) {
        watch_notice_tiles(watch, space, &commit);
    } else {
        for (uint32_t i = 0; i < commit.change_count; i++)
            watch_notice_cell(watch, space, &commit.changes[i]);
    }
    watch->blind |= watch->gain_count && space->grid->link_count;
}

typedef struct watch_report {
    crn_watch *watch;
    const cairn_space *space;
} watch_report;

static void watch_notice_node(void *user, cairn_node node)
{
    const watch_report *report = user;
    crn_size_box at = watch_place(report->watch, report->space, node);
    watch_touch(report->watch, crn_watch_tile(report->watch, report->space, node), &at, true);
    report->watch->blind = true;
}

static void watch_notice(crn_watch *watch, const cairn_space *space)
{
    watch->touch_count = watch->gain_count = 0;
    watch->whole = watch->blind = false;
    if (crn_grid_space_of(space)) {
        watch_notice_commit(watch, crn_grid_space_of(space));
        return;
    }
    watch_report report = {watch, space};
    watch->target = cairn_space_version(space);
    if (cairn_space_changes(space, watch->version, watch_notice_node, &report) != CAIRN_OK)
        watch->whole = watch->blind = true;
}

/* ---- runs ---- */

static uint32_t watch_touches(const crn_watch *watch)
{
    return watch->whole ? watch->tile_count : watch->touch_count;
}

static crn_touch watch_touched(const crn_watch *watch)
{
    if (!watch->whole) return watch->touches[watch->touch];
    return (crn_touch){watch->touch, {0, 0, UINT32_MAX, UINT32_MAX}, true};
}

static void watch_enter_touch(crn_watch *watch)
{
    watch->cursor = CRN_SERVICE_NONE;
    if (watch->touch < watch_touches(watch))
        watch->cursor = watch->tiles[watch_touched(watch).tile];
}

static bool watch_inside(const crn_watch *watch, const cairn_space *space, cairn_node node,
                         const crn_size_box *box)
{
    crn_size_box at = watch_place(watch, space, node);
    return at.left >= box->left && at.left <= box->right && at.top >= box->top &&
           at.top <= box->bottom;
}

/* Tests what a commit may have changed of a run and is still ahead of the agent. */
static void watch_look(cairn_service *service, const crn_service_planner *p, const crn_run *run,
                       cairn_frame *frame)
{
    crn_follow *follow = &service->follows[run->follow];
    const cairn_path *path = service->jobs[follow->job].answer;
    const cairn_space *space = p->planner->space;
    crn_touch touch = watch_touched(&p->watch);
    cairn_path_iterator iterator = {space, path, run->segment, run->node, 0};
    uint32_t seen = CRN_SERVICE_NONE; /* the last line that was tested */
    crn_step step;
    for (uint32_t i = run->first; i < run->first + run->steps; i++) {
        if (!crn_follow_step(&iterator, &step)) return;
        if (i < follow->steps || (path->any_angle && step.segment == seen)) continue;
        if (!watch_inside(&p->watch, space, step.from, &touch.box) &&
            !watch_inside(&p->watch, space, step.to, &touch.box))
            continue;
        seen = step.segment;
        if (touch.priced) follow->left = CAIRN_NO_COST;
        if (crn_follow_legal(space, path, &step, NULL)) continue;
        frame->broken++;
        crn_follow_replan(service, run->follow, true);
        return;
    }
}

/* A piece of the work: the next run, or the next tile. False = all have been looked at. */
static bool watch_runs(cairn_service *service, crn_service_planner *p, uint64_t *effort,
                       cairn_frame *frame)
{
    crn_watch *watch = &p->watch;
    if (watch->touch == watch_touches(watch)) return false;
    *effort = 1;
    if (watch->cursor == CRN_SERVICE_NONE) {
        watch->touch++;
        watch_enter_touch(watch);
        return true;
    }
    crn_run run = service->runs[watch->cursor];
    watch->cursor = run.after;
    if (run.first + run.steps <= service->follows[run.follow].steps) return true; /* behind it */
    bool lines = service->jobs[service->follows[run.follow].job].answer->any_angle;
    *effort = lines ? CRN_WATCH_EFFORT : run.steps + CRN_WATCH_EFFORT / 8;
    watch_look(service, p, &run, frame);
    return true;
}

/* ---- shortcuts ---- */

/* By the estimates, the least cost of a path over any node of a box. */
static uint64_t watch_cost_over(const crn_grid_space *space, const crn_size_box *gain,
                                cairn_node from, cairn_node to)
{
    const uint32_t width = space->grid->width, last = crn_min_u32(gain->top + 1, gain->bottom);
    const cairn_space *base = &space->base;
    crn_box box = crn_box_empty();
    crn_box_add(&box, base, gain->top * width + gain->left);
    crn_box_add(&box, base, gain->top * width + gain->right);
    crn_box_add(&box, base, gain->bottom * width + gain->left);
    crn_box_add(&box, base, gain->bottom * width + gain->right);
    crn_box_add(&box, base, last * width + gain->left);
    crn_box_add(&box, base, last * width + gain->right);
    cairn_heuristic heuristic = base->default_heuristic;
    return (uint64_t)base->functions->estimate(base, heuristic, from, &box) +
           base->functions->estimate(base, heuristic, to, &box);
}

static bool watch_may_gain(const crn_service_planner *p, const crn_follow *follow,
                           const crn_job *job)
{
    const crn_watch *watch = &p->watch;
    const crn_grid_space *space = crn_grid_space_of(p->planner->space);
    if (follow->shortcuts == CAIRN_SHORTCUTS_NEVER || follow->at == job->answer->end) return false;
    if (follow->shortcuts == CAIRN_SHORTCUTS_ALWAYS || watch->blind) return true;
    if (job->answer->partial || follow->left == CAIRN_NO_COST) return true;
    for (uint32_t i = 0; i < watch->gain_count; i++)
        if (watch_cost_over(space, &watch->gains[i], follow->at, job->to) < follow->left)
            return true;
    return false;
}

/* A path may have become shorter, or there may be one at last. */
static void watch_gains(cairn_service *service, const crn_service_planner *p, uint32_t index,
                        cairn_frame *frame)
{
    crn_follow *follow = &service->follows[index];
    const crn_job *job = &service->jobs[follow->job];
    const cairn_path *path = job->answer;
    if (!path || job->state != CRN_JOB_DONE) return;
    bool lost = path->status != CAIRN_FOUND;
    if (lost ? cairn_reachable(p->planner->space, follow->at, job->to) == CAIRN_REACH_NO
             : !watch_may_gain(p, follow, job))
        return;
    frame->shortcuts += !lost;
    follow->tries = 0;
    crn_follow_replan(service, index, lost && !path->count);
}

static bool watch_paths(cairn_service *service, const crn_service_planner *p, crn_watch *watch,
                        uint64_t *effort, cairn_frame *frame)
{
    uint32_t index = watch->cursor;
    if (index == CRN_SERVICE_NONE) return false;
    *effort = 4 + 4 * (uint64_t)watch->gain_count;
    watch->cursor = service->follows[index].after;
    watch_gains(service, p, index, frame);
    return true;
}

/* ---- all of it ---- */

bool crn_watch_is_done(const crn_service_planner *p)
{
    return p->watch.follows == CRN_SERVICE_NONE ||
           p->watch.version == cairn_space_version(p->planner->space);
}

/* One piece. Each takes less than a unit. */
static uint64_t watch_piece(cairn_service *service, crn_service_planner *p, cairn_frame *frame)
{
    crn_watch *watch = &p->watch;
    uint64_t effort = 0;
    switch (watch->stage) {
    case CRN_WATCH_IDLE:
        watch_notice(watch, p->planner->space);
        watch->touch = 0;
        watch->stage = CRN_WATCH_RUNS;
        watch_enter_touch(watch);
        return CRN_WATCH_EFFORT;
    case CRN_WATCH_RUNS:
        if (watch_runs(service, p, &effort, frame)) return effort;
        watch->stage = CRN_WATCH_PATHS;
        watch->cursor = watch->gain_count || watch->blind ? watch->follows : CRN_SERVICE_NONE;
        return 0;
    default:
        if (watch_paths(service, p, watch, &effort, frame)) return effort;
        watch->stage = CRN_WATCH_IDLE;
        watch->version = watch->target;
        return 0;
    }
}

uint64_t crn_watch_work(cairn_service *service, crn_service_planner *p, uint64_t units,
                        cairn_frame *frame)
{
    crn_watch *watch = &p->watch;
    uint64_t effort = 0, limit = units * CRN_WATCH_EFFORT;
    while (!crn_watch_is_done(p) && effort + CRN_WATCH_EFFORT <= limit)
        effort += watch_piece(service, p, frame);
    if (watch->follows == CRN_SERVICE_NONE) {
        watch->stage = CRN_WATCH_IDLE;
        watch->version = cairn_space_version(p->planner->space);
    }
    return (effort + CRN_WATCH_EFFORT - 1) / CRN_WATCH_EFFORT;
}
