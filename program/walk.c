/* walk.c: `cairn path --script`: runs a walk script without a screen. Every turn is recorded, then
 * printed as a table or as JSON, or drawn. */
#include "walk.h"

#include "algorithms.h"
#include "draw.h"
#include "files.h"
#include "index.h"
#include "json.h"
#include "table.h"
#include "text.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

/* What one turn did. */
typedef struct walk_turn {
    uint64_t step; /* before it */
    uint32_t changes;
    cairn_move move;
    double time_us;
} walk_turn;

typedef struct walk_run {
    const command *self;
    const walk_options *options;
    cairn_navigator_options how;
    walk_source source;
    cairn_planner *planner;
    index_report index;
    cairn_navigator *navigator;
    walk_turn *turns;
    size_t turn_count, turn_capacity;
    cairn_script_walk walk;
    cairn_node *nodes; /* where the agent was, start included */
    cairn_path_link *links;
    cairn_path path; /* of these */
} walk_run;

static int walk_no_memory(void)
{
    complain("there is not enough memory for the walk");
    return END_DATA;
}

/* ---- the script and its world ---- */

static int walk_load_script(walk_source *source)
{
    cairn_error error = {0};
    error.status = cairn_script_load(source->context, source->name, &source->script, &error);
    return error.status ? world_complain(source->name, &error) : END_OK;
}

/* The file that the script names, relative to the script (to the working directory if that came
 * through a pipe). Whoever wrote the script has not seen this machine: nothing is opened that could
 * block or never end. */
static int walk_load_map(walk_source *source)
{
    const char *script = source->name, *file = source->script.file;
    size_t folder = files_is_special(script) ? 0 : (size_t)(text_base(script) - script);
    source->map_name = malloc(folder + strlen(file) + 1);
    if (!source->map_name) return walk_no_memory();
    memcpy(source->map_name, script, folder);
    strcpy(source->map_name + folder, file);
    if (!files_is_special(source->map_name))
        return world_load(&source->world, source->context, source->map_name);
    complain("%s: cannot be read: it is no regular file", source->map_name);
    return END_DATA;
}

static int walk_make_map(walk_source *source)
{
    cairn_error error = {0};
    source->world = (world){.context = source->context, .name = source->name};
    error.status =
        cairn_script_grid(source->context, &source->script, NULL, &source->world.grid, &error);
    return error.status ? world_complain(source->name, &error) : END_OK;
}

static int walk_load_world(const command *self, walk_source *source)
{
    if (source->given) return world_load(&source->world, source->context, source->given);
    if (source->script.map == CAIRN_SCRIPT_MAP_FILE) return walk_load_map(source);
    if (source->script.map != CAIRN_SCRIPT_MAP_NONE) return walk_make_map(source);
    return complain_usage(
        self, "%s has no map of its own: name one (try: cairn path --script FILE maps/village.txt)",
        source->name);
}

/* The agent of the script, changed by the flags. */
static int walk_enter(const command *self, walk_source *source)
{
    world *w = &source->world;
    cairn_error error = {0};
    if (!w->grid) return world_complain_no_grid(self, w, "--script");
    if (source->script.profile.neighbours == CAIRN_NEIGHBOURS_HEX)
        cairn_grid_set_layout(w->grid, CAIRN_LAYOUT_HEX);
    cairn_profile profile = cairn_script_profile(&source->script, w->grid);
    int end = profile_change(self, source->profile, &profile);
    if (end) return end;
    error.status = cairn_space_of_grid(w->grid, &profile, &w->space, &error);
    if (error.status) return world_complain(w->name, &error);
    return profile_walls(self, source->profile, w->space, w->grid);
}

int walk_open(const command *self, walk_source *source)
{
    int end = walk_load_script(source);
    if (!end) end = walk_load_world(self, source);
    if (!end) end = walk_enter(self, source);
    return end;
}

void walk_close(walk_source *source)
{
    world_close(&source->world);
    cairn_script_free(source->context, &source->script);
    free(source->map_name);
}

static int walk_start(walk_run *run)
{
    const cairn_script *s = &run->source.script;
    const cairn_grid *grid = run->source.world.grid;
    if (cairn_navigator_create(run->planner, &run->how, &run->navigator)) return walk_no_memory();
    cairn_node from = cairn_grid_node(grid, s->from.x, s->from.y),
               to = cairn_grid_node(grid, s->to.x, s->to.y);
    if (!cairn_navigator_start(run->navigator, from, to)) return END_OK;
    complain("%s: %s lies outside the map of %u x %u cells", run->options->script,
             from == CAIRN_NO_NODE ? "the start" : "the goal", cairn_grid_width(grid),
             cairn_grid_height(grid));
    return END_DATA;
}

/* ---- walking ---- */

static bool walk_note(walk_run *run, const walk_turn *turn)
{
    if (run->turn_count == run->turn_capacity) {
        size_t capacity = run->turn_capacity ? run->turn_capacity * 2 : 256;
        walk_turn *turns = realloc(run->turns, capacity * sizeof *turns);
        if (!turns) return false;
        run->turns = turns;
        run->turn_capacity = capacity;
    }
    run->turns[run->turn_count++] = *turn;
    return true;
}

/* Did the agent only wait for the index that a thread builds? There may be very many such turns. */
static bool walk_is_idle(const walk_turn *turn)
{
    const cairn_move *m = &turn->move;
    return m->kind == CAIRN_MOVE_THINK && !m->work && !m->plans && !m->syncs && !m->broken &&
           !turn->changes;
}

static int walk_go(walk_run *run)
{
    cairn_error error = {0};
    run->walk.script = &run->source.script;
    run->walk.grid = run->source.world.grid;
    run->walk.navigator = run->navigator;
    while (!run->walk.over) {
        walk_turn turn = {.step = run->walk.step};
        double begin = text_clock();
        error.status = cairn_script_turn(&run->walk, &turn.move, &error);
        turn.time_us = (text_clock() - begin) * 1e6;
        turn.changes = run->walk.made;
        if (error.status) return world_complain(run->options->script, &error);
        if (!walk_is_idle(&turn) && !walk_note(run, &turn)) return walk_no_memory();
    }
    return END_OK;
}

/* The path that was walked, as a path. */
static int walk_collect(walk_run *run)
{
    run->nodes = malloc((run->turn_count + 1) * sizeof *run->nodes);
    run->links = malloc((run->turn_count + 1) * sizeof *run->links);
    if (!run->nodes || !run->links) return walk_no_memory();
    cairn_path *path = &run->path;
    *path = (cairn_path){.nodes = run->nodes, .links = run->links};
    path->any_angle = cairn_planner_algorithm(run->planner)->flags & CAIRN_ANY_ANGLE &&
                      profile_is_sized(cairn_space_profile(run->source.world.space));
    run->nodes[path->count++] = run->turns[0].move.from;
    for (size_t i = 0; i < run->turn_count; i++) {
        const cairn_move *move = &run->turns[i].move;
        if (move->kind != CAIRN_MOVE_STEP) continue;
        if (move->linked)
            run->links[path->link_count++] = (cairn_path_link){path->count - 1, move->link};
        run->nodes[path->count++] = move->to;
    }
    path->end = run->nodes[path->count - 1];
    return END_OK;
}

/* ---- telling ---- */

static const cairn_move *walk_last(const walk_run *run)
{
    return &run->turns[run->turn_count - 1].move;
}

/* Did anything happen in the turn besides a step, or planning? */
static bool walk_is_event(const walk_turn *turn)
{
    const cairn_move *m = &turn->move;
    return turn->changes || m->plans || m->pieces || m->syncs || m->broken ||
           m->kind == CAIRN_MOVE_STOP || m->arrived;
}

enum { WALK_EVENT = 160 };

static void walk_say(char *text, bool is, const char *words)
{
    size_t used = strlen(text);
    if (is) snprintf(text + used, WALK_EVENT - used, "%s%s", used ? ", " : "", words);
}

static const char *walk_event_text(const walk_turn *turn, char out[WALK_EVENT])
{
    const cairn_move *m = &turn->move;
    char words[64];
    out[0] = 0;
    snprintf(words, sizeof words, "%u change%s", turn->changes, turn->changes == 1 ? "" : "s");
    walk_say(out, turn->changes, words);
    walk_say(out, m->broken, "the path is broken");
    walk_say(out, m->syncs, "sync");
    walk_say(out, m->plans, "plan");
    walk_say(out, m->pieces, "next piece");
    walk_say(out, m->kind == CAIRN_MOVE_THINK, "thinks");
    snprintf(words, sizeof words, "stops: %s", cairn_result_text(m->status));
    walk_say(out, m->kind == CAIRN_MOVE_STOP, words);
    walk_say(out, m->kind == CAIRN_MOVE_ARRIVED, "waits at the goal");
    walk_say(out, m->kind == CAIRN_MOVE_STEP && m->arrived, "arrives");
    return out;
}

static bool walk_print_turns(const walk_run *run)
{
    static const char *const headings[] = {">step", "from",      "to",
                                           ">work", ">expanded", "what happened"};
    table t = table_with(headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < run->turn_count; i++) {
        const walk_turn *turn = &run->turns[i];
        char from[WORLD_PLACE], to[WORLD_PLACE], event[WALK_EVENT], count[TEXT_SHORT];
        if (!run->options->moves && !walk_is_event(turn)) continue;
        table_add(&t, "%llu", (unsigned long long)turn->step);
        table_add(&t, "%s", world_place(&run->source.world, turn->move.from, from));
        table_add(&t, "%s", world_place(&run->source.world, turn->move.to, to));
        table_add(&t, "%s", text_count(turn->move.work, count));
        table_add(&t, "%s", text_count(turn->move.expanded, count));
        table_add(&t, "%s", walk_event_text(turn, event));
    }
    return table_print(&t);
}

/* Mean and most time of a turn in which something was planned or not. */
static void walk_times(const walk_run *run, double *mean, double *most)
{
    *mean = *most = 0;
    for (size_t i = 0; i < run->turn_count; i++) {
        *mean += run->turns[i].time_us / (double)run->turn_count;
        if (run->turns[i].time_us > *most) *most = run->turns[i].time_us;
    }
}

static void walk_print_sums(const walk_run *run)
{
    cairn_walk_sums sums = cairn_navigator_sums(run->navigator);
    char text[TEXT_SHORT];
    double mean, most;
    walk_times(run, &mean, &most);
    printf("  steps      %s", text_count(sums.moves, text));
    printf(", cost %s units", text_count(sums.cost, text));
    printf(" (a straight step is %u)\n", cairn_space_scale(run->source.world.space).straight);
    printf("  changes    %u made", run->walk.next);
    if (run->walk.next < run->source.script.change_count)
        printf(", %u not reached", run->source.script.change_count - run->walk.next);
    printf("\n  plans      %u", sums.plans);
    if (sums.pieces) printf(" and %u pieces", sums.pieces);
    printf("; paths found broken: %u", sums.breaks);
    if (run->index.needed) printf("; syncs of the index: %u", sums.syncs);
    printf("\n  work       %s units", text_count(sums.work, text));
    printf(", %s per turn",
           text_number(sums.calls ? (double)sums.work / (double)sums.calls : 0, text));
    printf(", at most %s", text_count(sums.most_work, text));
    printf("; %s expanded\n", text_count(sums.expanded, text));
    printf("  time       %s per turn", text_duration(mean, text));
    printf(", at most %s\n", text_duration(most, text));
    printf("  memory     %s the agent", text_bytes(sums.bytes, text));
    if (run->index.needed)
        printf(", %s the index", text_bytes(cairn_planner_index_bytes(run->planner), text));
    printf(", %s the world\n", text_bytes(world_bytes(&run->source.world), text));
}

static int walk_print_text(const walk_run *run)
{
    char from[WORLD_PLACE], to[WORLD_PLACE], end[WORLD_PLACE];
    const cairn_move *last = walk_last(run);
    printf("%s: %s from %s to %s\n", last->arrived ? "arrived" : "stopped",
           cairn_planner_algorithm(run->planner)->name,
           world_place(&run->source.world, run->nodes[0], from),
           world_place(&run->source.world, cairn_navigator_goal(run->navigator), to));
    if (run->source.script.title[0]) say("  script     %s\n", run->source.script.title);
    if (!last->arrived)
        printf("  reason     %s, at %s\n", cairn_result_text(last->status),
               world_place(&run->source.world, last->to, end));
    walk_print_sums(run);
    if (!walk_print_turns(run)) return walk_no_memory();
    return END_OK;
}

static void walk_json_cell(json *j, const char *key, const walk_run *run, cairn_node node)
{
    cairn_cell cell = cairn_grid_cell(run->source.world.grid, node);
    json_array(j, key);
    json_integer(j, NULL, cell.x);
    json_integer(j, NULL, cell.y);
    json_end(j);
}

/* To thousandths. */
static double walk_rounded(double value)
{
    return (double)(int64_t)(value * 1000 + 0.5) / 1000;
}

static void walk_json_turn(json *j, const walk_run *run, const walk_turn *turn)
{
    const cairn_move *m = &turn->move;
    json_object(j, NULL);
    json_integer(j, "step", (int64_t)turn->step);
    json_text(j, "kind", cairn_move_name(m->kind));
    json_text(j, "status", cairn_result_text(m->status));
    walk_json_cell(j, "from", run, m->from);
    walk_json_cell(j, "to", run, m->to);
    json_integer(j, "changes", turn->changes);
    json_bool(j, "broken", m->broken);
    json_integer(j, "plans", m->plans);
    json_integer(j, "pieces", m->pieces);
    json_integer(j, "syncs", m->syncs);
    json_integer(j, "work", (int64_t)m->work);
    json_integer(j, "expanded", (int64_t)m->expanded);
    json_number(j, "time_us", walk_rounded(turn->time_us));
    json_end(j);
}

static void walk_json_sums(json *j, const walk_run *run)
{
    cairn_walk_sums sums = cairn_navigator_sums(run->navigator);
    double mean, most;
    walk_times(run, &mean, &most);
    json_integer(j, "moves", (int64_t)sums.moves);
    json_integer(j, "cost_units", (int64_t)sums.cost);
    json_integer(j, "turns", (int64_t)run->turn_count);
    json_integer(j, "changes_made", run->walk.next);
    json_integer(j, "changes_left", run->source.script.change_count - run->walk.next);
    json_integer(j, "plans", sums.plans);
    json_integer(j, "pieces", sums.pieces);
    json_integer(j, "syncs", sums.syncs);
    json_integer(j, "breaks", sums.breaks);
    json_integer(j, "work", (int64_t)sums.work);
    json_number(j, "work_mean",
                walk_rounded(sums.calls ? (double)sums.work / (double)sums.calls : 0));
    json_integer(j, "work_max", (int64_t)sums.most_work);
    json_integer(j, "expanded", (int64_t)sums.expanded);
    json_number(j, "move_us_mean", walk_rounded(mean));
    json_number(j, "move_us_max", walk_rounded(most));
    json_integer(j, "peak_bytes", (int64_t)sums.peak_bytes);
    json_integer(j, "agent_bytes", (int64_t)sums.bytes);
    json_integer(j, "index_bytes", (int64_t)cairn_planner_index_bytes(run->planner));
}

static void walk_print_json(const walk_run *run)
{
    const cairn_move *last = walk_last(run);
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "status", cairn_result_text(last->status));
    json_bool(&j, "arrived", last->arrived);
    json_text(&j, "algorithm", cairn_planner_algorithm(run->planner)->name);
    walk_json_cell(&j, "end", run, run->path.end);
    walk_json_cell(&j, "goal", run, cairn_navigator_goal(run->navigator));
    walk_json_sums(&j, run);
    json_array(&j, "walked");
    for (uint32_t i = 0; i < run->path.count; i++) walk_json_cell(&j, NULL, run, run->nodes[i]);
    json_end(&j);
    json_list(&j, "events");
    for (size_t i = 0; i < run->turn_count; i++)
        if (run->options->moves || walk_is_event(&run->turns[i]))
            walk_json_turn(&j, run, &run->turns[i]);
    json_end(&j);
    json_end(&j);
}

/* ---- drawing: the world as it is in the end, and the path that led there ---- */

static int walk_write_picture(walk_run *run, const cairn_picture *picture, const char *name,
                              bool png)
{
    cairn_error error = {0};
    cairn_file file;
    if (!name) return END_OK;
    cairn_status status =
        png ? cairn_picture_png(picture, &file, &error) : cairn_picture_svg(picture, &file, &error);
    if (status == CAIRN_UNSUPPORTED) return complain_usage(run->self, "%s: %s", name, error.text);
    error.status = status;
    int end = status ? world_complain(name, &error) : files_put(name, file);
    cairn_file_free(run->source.context, &file);
    return end;
}

static int walk_draw(walk_run *run)
{
    const walk_options *options = run->options;
    cairn_node from = run->nodes[0], to = cairn_navigator_goal(run->navigator);
    drawing d = {.world = &run->source.world, .path = &run->path, .from = from, .to = to};
    if (options->draw && !draw_print(&d, options->json ? stderr : stdout)) return walk_no_memory();
    cairn_picture picture = {
        .space = run->source.world.space, .path = &run->path, .from = from, .to = to};
    int end = walk_write_picture(run, &picture, options->png, true);
    return end ? end : walk_write_picture(run, &picture, options->svg, false);
}

/* ---- the whole ---- */

static int walk_read_options(walk_run *run)
{
    const walk_options *options = run->options;
    run->how = (cairn_navigator_options){
        .work = options->work, .piece = options->piece, .background = options->background};
    const file_use files[] = {{"script", options->script, false},
                              {"world", options->world, false},
                              {"--png", options->png, true},
                              {"--svg", options->svg, true}};
    int end = files_check(run->self, files, sizeof files / sizeof files[0]);
    if (!end && options->algorithm) end = algorithms_check(run->self, options->algorithm);
    while (!end && options->replan && strcmp(options->replan, cairn_replan_name(run->how.replan)))
        if (++run->how.replan == CAIRN_REPLAN_COUNT)
            end = complain_usage(run->self, "--replan must be blocked or changed, not \"%s\"",
                                 options->replan);
    return end;
}

static int walk_run_all(walk_run *run)
{
    const char *algorithm = run->options->algorithm ? run->options->algorithm : ALGORITHM_DEFAULT;
    index_file none = {0};
    int end = walk_read_options(run);
    if (!end) end = walk_open(run->self, &run->source);
    if (!end) end = world_planner(run->self, &run->source.world, algorithm, false, &run->planner);
    if (!end)
        end = index_prepare(&none, run->planner, text_base(run->source.world.name), &run->index);
    if (!end) end = walk_start(run);
    if (!end) end = walk_go(run);
    if (!end) end = walk_collect(run);
    if (!end) end = walk_draw(run);
    if (!end && run->options->json)
        walk_print_json(run);
    else if (!end)
        end = walk_print_text(run);
    if (end) return end;
    bool wanted = run->source.script.end != CAIRN_SCRIPT_END_STOPPED;
    return walk_last(run)->arrived == wanted ? END_OK : END_NO;
}

int walk_by_script(const command *self, const walk_options *options)
{
    walk_run run = {.self = self, .options = options};
    run.source = (walk_source){.name = options->script,
                               .given = options->world,
                               .profile = options->profile,
                               .context = world_context(options->background ? 2 : 1)};
    if (!run.source.context) return END_DATA;
    int end = walk_run_all(&run);
    cairn_navigator_destroy(run.navigator);
    cairn_planner_destroy(run.planner);
    walk_close(&run.source);
    cairn_context_destroy(run.source.context);
    free(run.turns);
    free(run.nodes);
    free(run.links);
    return end;
}
