/* script_walk.c: writing walk scripts, and walking by them: the map, the agent, the changes (see
 * script.c). */
#include "io/support.h"

#include <string.h>

/* ---- writing ---- */

static bool script_can_be_read(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ') return false;
    return true;
}

static bool script_one_line(const char *text, bool may_be_empty)
{
    size_t length = strlen(text);
    if (!script_can_be_read(text, length)) return false;
    return length ? text[0] != ' ' && text[length - 1] != ' ' : may_be_empty;
}

/* Lines of text, and none of them the one that ends the rows. */
static bool script_are_rows(const char *rows, size_t size)
{
    crn_io_lines lines = crn_io_lines_of(rows, size);
    while (crn_io_next_line(&lines)) {
        crn_io_field line = {lines.line, lines.length};
        if (crn_io_field_is(line, "end") || !script_can_be_read(line.text, line.length))
            return false;
    }
    return true;
}

static bool script_can_generate(const cairn_generator *generator)
{
    const cairn_generator_info *info = cairn_generator_about(generator->kind);
    if (!info || !info->width || generator->seed > UINT32_MAX) return false;
    if (!generator->width || generator->width > CAIRN_GRID_MAX) return false;
    if (!generator->height || generator->height > CAIRN_GRID_MAX) return false;
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        const cairn_generator_parameter *p = &info->parameters[i];
        uint32_t value;
        memcpy(&value, (const char *)generator + p->offset, sizeof value);
        if (value < p->minimum || value > p->maximum) return false;
    }
    return true;
}

static bool script_is_cell(cairn_cell cell)
{
    return cell.x >= 0 && cell.y >= 0 && cell.x < (int32_t)CAIRN_GRID_MAX &&
           cell.y < (int32_t)CAIRN_GRID_MAX;
}

static bool script_can_change(const cairn_script *script)
{
    for (uint32_t i = 0; i < script->change_count; i++) {
        const cairn_script_change *c = &script->changes[i];
        if (c->at > CAIRN_SCRIPT_STEP_MAX || (i && c->at < c[-1].at)) return false;
        if ((uint32_t)c->action >= CAIRN_SCRIPT_ACTION_COUNT || !script_is_cell(c->first))
            return false;
        if (c->action == CAIRN_SCRIPT_GOAL) continue;
        if (!script_is_cell(c->last) || c->last.x < c->first.x || c->last.y < c->first.y)
            return false;
    }
    return true;
}

/* Can every number of the profile be said? */
static bool script_can_say(const cairn_profile *profile)
{
    cairn_profile defaults = cairn_profile_default();
    double milli = profile->radius * 1000;
    bool short_radius = milli >= 0 && milli <= CAIRN_RADIUS_MAX * 1000 &&
                        (double)(int64_t)(milli + 0.5) / 1000.0 - profile->radius < 1e-12 &&
                        profile->radius - (double)(int64_t)(milli + 0.5) / 1000.0 < 1e-12;
    bool sized = profile->footprint > 1;
    bool one_size = profile->footprint <= CAIRN_FOOTPRINT_MAX && !(sized && profile->radius > 0) &&
                    !(sized && profile->neighbours == CAIRN_NEIGHBOURS_HEX);
    return short_radius && one_size && (uint32_t)profile->neighbours < CAIRN_NEIGHBOURS_COUNT &&
           (uint32_t)profile->corners < CAIRN_CORNERS_COUNT && !profile->layer_weight &&
           !profile->gradient && profile->max_climb == CAIRN_ANY_STEP &&
           profile->max_drop == CAIRN_ANY_STEP && profile->cost_scale == defaults.cost_scale &&
           profile->links == defaults.links;
}

static void script_put_profile(crn_io_buffer *buffer, const cairn_profile *profile)
{
    static const char *const neighbours[] = {"4", "8", "hex"}, *const corners[] = {"never", "one",
                                                                                   "always"};
    cairn_profile defaults = cairn_profile_default();
    if (profile->neighbours != defaults.neighbours)
        crn_io_print(buffer, "neighbours %s\n", neighbours[profile->neighbours]);
    if (profile->corners != defaults.corners)
        crn_io_print(buffer, "corners %s\n", corners[profile->corners]);
    if (profile->radius > 0) {
        crn_io_print(buffer, "radius ");
        crn_io_put_double(buffer, profile->radius);
        crn_io_print(buffer, "\n");
    }
    if (profile->footprint) crn_io_print(buffer, "footprint %u\n", profile->footprint);
    for (uint32_t class = 0; class < 256; class ++) {
        if (profile->terrain_cost[class] == defaults.terrain_cost[class]) continue;
        crn_io_print(buffer, "cost %u ", class);
        crn_io_put_double(buffer, profile->terrain_cost[class] / 256.0); /* 3 decimals are enough */
        crn_io_print(buffer, "\n");
    }
}

static void script_put_generator(crn_io_buffer *buffer, const cairn_generator *generator)
{
    const cairn_generator_info *info = cairn_generator_about(generator->kind);
    crn_io_print(buffer, "generate %s %ux%u seed=%u", info->name, generator->width,
                 generator->height, (uint32_t)generator->seed);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        uint32_t value;
        memcpy(&value, (const char *)generator + info->parameters[i].offset, sizeof value);
        if (value != info->parameters[i].default_value)
            crn_io_print(buffer, " %s=%u", info->parameters[i].name, value);
    }
    crn_io_print(buffer, "\n");
}

static void script_put_map(crn_io_buffer *buffer, const cairn_script *script)
{
    if (script->map == CAIRN_SCRIPT_MAP_FILE) crn_io_print(buffer, "map %s\n", script->file);
    if (script->map == CAIRN_SCRIPT_MAP_GENERATED) script_put_generator(buffer, &script->generator);
    if (script->map != CAIRN_SCRIPT_MAP_ROWS) return;
    crn_io_print(buffer, "rows\n");
    crn_io_put(buffer, script->rows, script->rows_size);
    if (script->rows_size && script->rows[script->rows_size - 1] != '\n')
        crn_io_print(buffer, "\n");
    crn_io_print(buffer, "end\n");
}

static void script_put_change(crn_io_buffer *buffer, const cairn_script_change *change)
{
    crn_io_print(buffer, "at %u %s %d,%d", change->at, cairn_script_action_name(change->action),
                 (int)change->first.x, (int)change->first.y);
    bool several = change->first.x != change->last.x || change->first.y != change->last.y;
    if (several && change->action != CAIRN_SCRIPT_GOAL)
        crn_io_print(buffer, " %d,%d", (int)change->last.x, (int)change->last.y);
    if (change->action == CAIRN_SCRIPT_TERRAIN) crn_io_print(buffer, " %u", change->terrain);
    crn_io_print(buffer, "\n");
}

static const char *script_fault(const cairn_script *script)
{
    if ((uint32_t)script->map >= CAIRN_SCRIPT_MAP_COUNT ||
        (uint32_t)script->end >= CAIRN_SCRIPT_END_COUNT)
        return "there is no such map or end";
    if (!script_one_line(script->title, true)) return "a title is one line without blanks round it";
    if (script->map == CAIRN_SCRIPT_MAP_FILE &&
        (!script_one_line(script->file, false) || !crn_script_name_fits(script->file)))
        return "the name of a map is one line without blanks round it";
    if (script->map == CAIRN_SCRIPT_MAP_GENERATED && !script_can_generate(&script->generator))
        return "a script cannot say how this map is generated";
    if (script->map == CAIRN_SCRIPT_MAP_ROWS && !script->rows) return "there are no rows";
    if (script->map == CAIRN_SCRIPT_MAP_ROWS && !script_are_rows(script->rows, script->rows_size))
        return "rows are plain text, and none of them is the word end";
    if (!script_can_say(&script->profile)) return "a script cannot describe this agent";
    if (!script_is_cell(script->from) || !script_is_cell(script->to))
        return "start and goal must be cells that a map may have";
    if (script->change_count && !script->changes) return "there are no changes";
    if (script->change_count > CAIRN_SCRIPT_CHANGES_MAX) return "there are too many changes";
    if (!script_can_change(script))
        return "changes stand in the order of their steps, and are of cells that a map may have";
    return NULL;
}

cairn_status cairn_script_format(cairn_context *context, const cairn_script *script,
                                 cairn_file *out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_file){0};
    if (!context || !script)
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and script must be given");
    const char *fault = script_fault(script);
    if (fault) return crn_io_fail(error, CAIRN_INVALID, 0, "%s", fault);
    crn_io_buffer buffer = {.context = context};
    crn_io_print(&buffer, "cairn-walk 1\n");
    if (script->title[0]) crn_io_print(&buffer, "title %s\n", script->title);
    script_put_map(&buffer, script);
    script_put_profile(&buffer, &script->profile);
    crn_io_print(&buffer, "from %d,%d\nto %d,%d\n", (int)script->from.x, (int)script->from.y,
                 (int)script->to.x, (int)script->to.y);
    if (script->end != CAIRN_SCRIPT_END_ANY)
        crn_io_print(&buffer, "expect %s\n",
                     script->end == CAIRN_SCRIPT_END_ARRIVED ? "arrived" : "stopped");
    for (uint32_t i = 0; i < script->change_count; i++)
        script_put_change(&buffer, &script->changes[i]);
    return crn_io_finish(&buffer, out, error);
}

/* ---- the map and the agent ---- */

static cairn_status script_load_grid(cairn_context *context, const cairn_script *script,
                                     const char *folder, cairn_grid **out, cairn_error *error)
{
    crn_io_buffer name = {.context = context};
    if (!crn_script_name_fits(script->file))
        return crn_io_fail(error, CAIRN_INVALID, 0, "the name of the map leads out of its folder");
    if (folder) crn_io_put(&name, folder, strlen(folder));
    crn_io_put(&name, script->file, strlen(script->file));
    cairn_file text;
    cairn_status status = crn_io_finish(&name, &text, error);
    if (!status) status = crn_io_need_regular(text.data, error);
    if (!status) status = cairn_grid_load(context, text.data, out, error);
    cairn_file_free(context, &text);
    return status;
}

/* A script of few bytes may ask for much: only so much. */
static cairn_status script_generate_grid(cairn_context *context, const cairn_script *script,
                                         cairn_grid **out, cairn_error *error)
{
    const cairn_generator *generator = &script->generator;
    crn_io_claim claim = {.cells = (uint64_t)generator->width * generator->height};
    cairn_status status = crn_io_check_claim(context, claim, error);
    return status ? status : cairn_generate(context, generator, out, error);
}

static cairn_status script_draw_grid(cairn_context *context, const cairn_script *script,
                                     cairn_grid **out, cairn_error *error)
{
    cairn_status status =
        cairn_grid_from_text(context, script->rows, script->rows_size, out, error);
    if (status && error && error->line) error->line += script->rows_line;
    return status;
}

cairn_status cairn_script_grid(cairn_context *context, const cairn_script *script,
                               const char *folder, cairn_grid **out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    if (!context || !script)
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and script must be given");
    cairn_status status = CAIRN_INVALID;
    switch (script->map) {
    case CAIRN_SCRIPT_MAP_FILE:
        status = script_load_grid(context, script, folder, out, error);
        break;
    case CAIRN_SCRIPT_MAP_GENERATED:
        status = script_generate_grid(context, script, out, error);
        break;
    case CAIRN_SCRIPT_MAP_ROWS: status = script_draw_grid(context, script, out, error); break;
    default: return crn_io_fail(error, CAIRN_INVALID, 0, "the script brings no map");
    }
    if (!status && script->profile.neighbours == CAIRN_NEIGHBOURS_HEX)
        status = cairn_grid_set_layout(*out, CAIRN_LAYOUT_HEX);
    return status;
}

cairn_profile cairn_script_profile(const cairn_script *script, const cairn_grid *grid)
{
    cairn_profile profile = script->profile;
    if (cairn_grid_layout(grid) == CAIRN_LAYOUT_HEX) profile.neighbours = CAIRN_NEIGHBOURS_HEX;
    return profile;
}

/* ---- walking ---- */

static cairn_status script_outside(cairn_cell cell, cairn_error *error)
{
    return crn_io_fail(error, CAIRN_OUT_OF_BOUNDS, 0,
                       "the cell %d,%d of a change lies outside the map", (int)cell.x, (int)cell.y);
}

static cairn_status script_stage_cell(const cairn_script_change *change, cairn_grid *grid,
                                      int32_t x, int32_t y)
{
    return change->action == CAIRN_SCRIPT_TERRAIN
               ? cairn_grid_set_terrain(grid, x, y, change->terrain)
               : cairn_grid_set_open(grid, x, y, change->action == CAIRN_SCRIPT_OPEN);
}

/* Stages the cells of a change; of a new goal it only checks whether it can be one. */
static cairn_status script_stage(const cairn_script_change *change, cairn_grid *grid,
                                 cairn_error *error)
{
    cairn_cell a = change->first, b = change->last;
    if (!cairn_grid_inside(grid, a.x, a.y)) return script_outside(a, error);
    if (change->action == CAIRN_SCRIPT_GOAL) return CAIRN_OK;
    if (!cairn_grid_inside(grid, b.x, b.y)) return script_outside(b, error);
    cairn_status status = CAIRN_OK;
    for (int32_t y = a.y; y <= b.y; y++)
        for (int32_t x = a.x; x <= b.x && !status; x++)
            status = script_stage_cell(change, grid, x, y);
    return status == CAIRN_OUT_OF_MEMORY ? crn_io_no_memory(error) : status;
}

/* All that is due, or nothing. */
static cairn_status script_apply(cairn_script_walk *walk, cairn_error *error)
{
    const cairn_script *script = walk->script;
    cairn_grid *grid = walk->grid;
    uint32_t next = walk->next;
    cairn_status status = CAIRN_OK;
    for (; next < script->change_count && script->changes[next].at <= walk->step && !status; next++)
        status = script_stage(&script->changes[next], grid, error);
    if (!status && next > walk->next) {
        status = cairn_grid_commit(grid);
        if (status)
            crn_io_fail(error, status, 0, "the changes could not be made: %s",
                        cairn_status_text(status));
    }
    if (status) {
        cairn_grid_discard(grid);
        return status;
    }
    walk->made = next - walk->next;
    for (; walk->next < next; walk->next++) {
        const cairn_script_change *change = &script->changes[walk->next];
        if (change->action == CAIRN_SCRIPT_GOAL)
            cairn_navigator_retarget(walk->navigator,
                                     cairn_grid_node(grid, change->first.x, change->first.y));
    }
    return CAIRN_OK;
}

/* Can a later change set an agent in motion that stands at its goal, or has no path? */
static bool script_goes_on(const cairn_script *script, uint32_t next, bool arrived)
{
    for (; next < script->change_count; next++)
        if (!arrived || script->changes[next].action == CAIRN_SCRIPT_GOAL) return true;
    return false;
}

cairn_status cairn_script_turn(cairn_script_walk *walk, cairn_move *move, cairn_error *error)
{
    cairn_move here;
    if (!move) move = &here;
    *move = (cairn_move){.kind = CAIRN_MOVE_STOP, .status = CAIRN_INVALID};
    if (!walk || !walk->script || !walk->grid ||
        cairn_navigator_at(walk->navigator) == CAIRN_NO_NODE)
        return crn_io_fail(error, CAIRN_INVALID, 0,
                           "script, walk, grid and a navigator under way must be given");
    const cairn_script *script = walk->script;
    move->from = move->to = cairn_navigator_at(walk->navigator);
    walk->made = 0;
    if (walk->over) return CAIRN_OK;
    cairn_status status = script_apply(walk, error);
    if (status) {
        walk->over = true;
        move->status = status;
        return status;
    }
    cairn_navigator_next(walk->navigator, move);
    if (move->kind == CAIRN_MOVE_THINK) return CAIRN_OK;
    walk->step++;
    bool stands = move->kind != CAIRN_MOVE_STEP || move->arrived;
    walk->over = stands && !script_goes_on(script, walk->next, move->arrived);
    /* Who stands does not wait for long. */
    if (stands && !walk->over && script->changes[walk->next].at > walk->step)
        walk->step = script->changes[walk->next].at;
    return CAIRN_OK;
}
