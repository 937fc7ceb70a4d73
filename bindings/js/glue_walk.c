/* glue_walk.c: agents that walk, and walks by a script. */
#include "glue.h"

#include <stdio.h>
#include <string.h>

/* ---- navigators ---- */

typedef struct glue_navigator {
    cairn_navigator *navigator;
    glue_trace trace;
} glue_navigator;

/* Numbers: when to replan, work, piece, byte limit. */
GLUE_EXPORT("glue_navigator_create") glue_navigator *glue_navigator_create(cairn_planner *planner)
{
    glue_begin();
    cairn_navigator_options options = cairn_navigator_defaults();
    options.replan = (cairn_replan)glue.numbers[0];
    options.work = (uint64_t)glue.numbers[1];
    options.piece = (uint32_t)glue.numbers[2];
    options.byte_limit = (size_t)glue.numbers[3];
    glue_navigator *navigator = glue_resize(NULL, 0, sizeof *navigator);
    if (!navigator) return glue_check(CAIRN_OUT_OF_MEMORY), NULL;
    *navigator = (glue_navigator){0};
    cairn_status status = cairn_navigator_create(planner, &options, &navigator->navigator);
    if (!status) return navigator;
    glue_resize(navigator, sizeof *navigator, 0);
    return glue_check(status), NULL;
}

GLUE_EXPORT("glue_navigator_destroy") void glue_navigator_destroy(glue_navigator *navigator)
{
    cairn_navigator_destroy(navigator->navigator);
    glue_trace_forget(&navigator->trace);
    glue_resize(navigator, sizeof *navigator, 0);
}

GLUE_EXPORT("glue_navigator_start")
cairn_status glue_navigator_start(glue_navigator *navigator, uint32_t from, uint32_t to)
{
    glue_begin();
    return glue_check(cairn_navigator_start(navigator->navigator, from, to));
}

GLUE_EXPORT("glue_navigator_moved")
cairn_status glue_navigator_moved(glue_navigator *navigator, uint32_t at)
{
    glue_begin();
    return glue_check(cairn_navigator_moved(navigator->navigator, at));
}

GLUE_EXPORT("glue_navigator_retarget")
cairn_status glue_navigator_retarget(glue_navigator *navigator, uint32_t to)
{
    glue_begin();
    return glue_check(cairn_navigator_retarget(navigator->navigator, to));
}

/* `truth`: NULL, with a range of 0, takes the sensor away. */
GLUE_EXPORT("glue_navigator_sensor")
cairn_status glue_navigator_sensor(glue_navigator *navigator, const cairn_space *truth,
                                   uint32_t range)
{
    glue_begin();
    return glue_check(cairn_navigator_set_sensor(navigator->navigator, truth, range, &glue.error));
}

/* Numbers: kind, status, from, to, arrived, linked, link, cost, work, expanded, plans, pieces,
 * syncs, broken, seen. */
static double *walk_write_move(const cairn_move *move)
{
    double *out = glue.numbers;
    *out++ = move->kind;
    *out++ = move->status;
    *out++ = move->from;
    *out++ = move->to;
    *out++ = move->arrived;
    *out++ = move->linked;
    *out++ = move->link;
    *out++ = move->cost;
    *out++ = (double)move->work;
    *out++ = (double)move->expanded;
    *out++ = move->plans;
    *out++ = move->pieces;
    *out++ = move->syncs;
    *out++ = move->broken;
    *out++ = move->seen;
    return out;
}

GLUE_EXPORT("glue_navigator_next") void glue_navigator_next(glue_navigator *navigator)
{
    cairn_move move = {0};
    cairn_navigator_next(navigator->navigator, &move);
    walk_write_move(&move);
}

/* Numbers: where it is, its goal, and the sums in the order of the header. */
GLUE_EXPORT("glue_navigator_about") void glue_navigator_about(const glue_navigator *navigator)
{
    cairn_walk_sums sums = cairn_navigator_sums(navigator->navigator);
    double *out = glue.numbers;
    *out++ = cairn_navigator_at(navigator->navigator);
    *out++ = cairn_navigator_goal(navigator->navigator);
    *out++ = (double)sums.calls;
    *out++ = (double)sums.moves;
    *out++ = (double)sums.cost;
    *out++ = (double)sums.work;
    *out++ = (double)sums.most_work;
    *out++ = (double)sums.expanded;
    *out++ = sums.plans;
    *out++ = sums.pieces;
    *out++ = sums.syncs;
    *out++ = sums.breaks;
    *out++ = (double)sums.seen;
    *out++ = (double)sums.peak_bytes;
    *out++ = (double)sums.bytes;
}

/* How many points there are; writes at most as many as there is room for. */
GLUE_EXPORT("glue_navigator_ahead")
uint32_t glue_navigator_ahead(const glue_navigator *navigator, uint32_t *out, uint32_t room)
{
    return cairn_navigator_ahead(navigator->navigator, out, room);
}

/* The same of its subgoals. */
GLUE_EXPORT("glue_navigator_subgoals")
uint32_t glue_navigator_subgoals(const glue_navigator *navigator, uint32_t *out, uint32_t room)
{
    return cairn_navigator_subgoals(navigator->navigator, out, room);
}

GLUE_EXPORT("glue_navigator_trace") glue_trace *glue_navigator_trace(glue_navigator *navigator)
{
    return &navigator->trace;
}

GLUE_EXPORT("glue_navigator_watch")
void glue_navigator_watch(glue_navigator *navigator, double limit)
{
    cairn_trace_sink sink = glue_trace_sink(&navigator->trace, limit);
    cairn_navigator_trace(navigator->navigator, limit > 0 ? &sink : NULL);
}

/* ---- scripts that are read ---- */

static void script_print_generator(const cairn_generator *generator)
{
    const cairn_generator_info *info = cairn_generator_about(generator->kind);
    glue_print(",\"generator\":{\"kind\":\"%s\",\"width\":%u,\"height\":%u,\"seed\":%u", info->name,
               generator->width, generator->height, (uint32_t)generator->seed);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        uint32_t value;
        memcpy(&value, (const char *)generator + info->parameters[i].offset, sizeof value);
        glue_print(",\"%s\":%u", info->parameters[i].name, value);
    }
    glue_print("}");
}

static void script_print(const cairn_script *script)
{
    glue_print("{\"title\":");
    glue_print_text(script->title);
    glue_print(",\"map\":%u,\"end\":%u,\"from\":[%d,%d],\"to\":[%d,%d]", script->map, script->end,
               (int)script->from.x, (int)script->from.y, (int)script->to.x, (int)script->to.y);
    if (script->map == CAIRN_SCRIPT_MAP_FILE) {
        glue_print(",\"file\":");
        glue_print_text(script->file);
    }
    if (script->map == CAIRN_SCRIPT_MAP_GENERATED) script_print_generator(&script->generator);
    for (uint32_t i = 0; i < script->change_count; i++) {
        const cairn_script_change *change = &script->changes[i];
        glue_print("%s[%u,%u,%d,%d,%d,%d,%u]", i ? "," : ",\"changes\":[", change->at,
                   change->action, (int)change->first.x, (int)change->first.y, (int)change->last.x,
                   (int)change->last.y, change->terrain);
    }
    glue_print(script->change_count ? "]}\n" : "}\n");
    if (script->map == CAIRN_SCRIPT_MAP_ROWS)
        glue_put(&glue.output, script->rows, script->rows_size);
}

/* Output: the script as JSON in one line, and behind it the rows of a map that is drawn in it.
 * Numbers and prices: its agent. */
GLUE_EXPORT("glue_script_parse")
cairn_status glue_script_parse(const char *data, size_t size, uint16_t *terrain_cost)
{
    glue_begin();
    glue_output_begin();
    cairn_script script = {0};
    cairn_status status =
        cairn_script_parse(glue.context, (cairn_bytes){data, size}, &script, &glue.error);
    if (status) return glue_check(status);
    script_print(&script);
    glue_profile_write(&script.profile, terrain_cost);
    cairn_script_free(glue.context, &script);
    return glue_output_finish();
}

/* ---- scripts that are written and walked by ---- */

typedef struct glue_script {
    cairn_script script;
    cairn_script_walk walk;
} glue_script;

enum { SCRIPT_CHANGE = 7 }; /* numbers of a change, as glue_script_parse prints them */

GLUE_EXPORT("glue_script_destroy") void glue_script_destroy(glue_script *script)
{
    cairn_script *s = &script->script;
    if (s->changes) glue_resize(s->changes, s->change_count * sizeof *s->changes, 0);
    glue_resize(script, sizeof *script, 0);
}

/* The agent is in the numbers and prices. Then come the map's kind, the end, start, goal. */
GLUE_EXPORT("glue_script_create")
glue_script *glue_script_create(const uint16_t *terrain_cost, const char *title,
                                const int32_t *changes, uint32_t change_count)
{
    glue_begin();
    const double *in = glue.numbers + 10;
    glue_script *script = glue_resize(NULL, 0, sizeof *script);
    if (!script) return glue_check(CAIRN_OUT_OF_MEMORY), NULL;
    *script = (glue_script){0};
    cairn_script *s = &script->script;
    s->profile = glue_profile_read(terrain_cost);
    snprintf(s->title, sizeof s->title, "%s", title);
    s->map = (cairn_script_map)in[0];
    s->end = (cairn_script_end)in[1];
    s->from = (cairn_cell){(int32_t)in[2], (int32_t)in[3]};
    s->to = (cairn_cell){(int32_t)in[4], (int32_t)in[5]};
    if (change_count) s->changes = glue_resize(NULL, 0, change_count * sizeof *s->changes);
    if (change_count && !s->changes)
        return glue_script_destroy(script), glue_check(CAIRN_OUT_OF_MEMORY), NULL;
    s->change_count = change_count;
    for (uint32_t i = 0; i < change_count; i++, changes += SCRIPT_CHANGE)
        s->changes[i] = (cairn_script_change){.at = (uint32_t)changes[0],
                                              .action = (cairn_script_action)changes[1],
                                              .first = {changes[2], changes[3]},
                                              .last = {changes[4], changes[5]},
                                              .terrain = (uint8_t)changes[6]};
    return script;
}

/* Output: the script as text. `file`: the map's name; `rows`: of a map that is drawn; `kind` and so
 * on: of one that is generated. */
GLUE_EXPORT("glue_script_format")
cairn_status glue_script_format(glue_script *script, const char *file, char *rows, size_t rows_size,
                                uint32_t kind, uint32_t width, uint32_t height, uint64_t seed,
                                const uint32_t *values)
{
    glue_begin();
    cairn_script with_map = script->script;
    if (file && strlen(file) >= sizeof with_map.file)
        return glue_fail(CAIRN_INVALID, "the name of the map is too long");
    if (file) memcpy(with_map.file, file, strlen(file) + 1);
    if (values) with_map.generator = glue_generator(kind, width, height, seed, values);
    with_map.rows = rows;
    with_map.rows_size = rows_size;
    cairn_file text = {0};
    cairn_status status = cairn_script_format(glue.context, &with_map, &text, &glue.error);
    if (!status) glue_output_take(&text);
    return glue_check(status);
}

/* Numbers: the move, then step, next change, changes made, over. */
GLUE_EXPORT("glue_script_turn")
cairn_status glue_script_turn(glue_script *script, cairn_grid *grid, glue_navigator *navigator)
{
    glue_begin();
    cairn_move move = {0};
    cairn_script_walk *walk = &script->walk;
    walk->script = &script->script;
    walk->grid = grid;
    walk->navigator = navigator->navigator;
    cairn_status status = cairn_script_turn(walk, &move, &glue.error);
    double *out = walk_write_move(&move);
    *out++ = (double)walk->step;
    *out++ = walk->next;
    *out++ = walk->made;
    *out++ = walk->over;
    return glue_check(status);
}
