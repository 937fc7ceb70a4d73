/* cmd_path.c: `cairn path`: one query, printed, drawn, or as JSON. */
#include "algorithms.h"
#include "path.h"
#include "draw.h"
#include "files.h"
#include "json.h"
#include "progress.h"
#include "text.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

static const arg_flag path_flags[] = {
    FLAG_TEXT("from", "X,Y", "the start: a cell, or on a graph the number of a waypoint (from 0)",
              offsetof(path_options, from)),
    FLAG_TEXT("to", "X,Y", "the goal", offsetof(path_options, to)),
    FLAG_ALGORITHM(ARG_TEXT, "ALG", "NAME or NAME:key=value,…; see `cairn algorithms`",
                   offsetof(path_options, algorithm)),
    FLAG_INDEX(offsetof(path_options, index)),
    FLAG_TEXT("smooth", "none|sight|rays|box[=N]|spline",
              "straighten the path by line of sight (or string: the same), or on the grid by rays, "
              "or by rays of at most N "
              "cells; or bend it to a curve (none; 16)",
              offsetof(path_options, smooth)),
    FLAG_SWITCH("draw", "draw map, search and path in the terminal", offsetof(path_options, draw)),
    FLAG_OUTPUT("png", 0, "FILE", "write a picture as PNG (grids)", offsetof(path_options, png)),
    FLAG_OUTPUT("svg", 0, "FILE", "write a picture as SVG", offsetof(path_options, svg)),
    FLAG_TEXT("colour", "BY", "colour what was expanded by order, g, h, f or none (order)",
              offsetof(path_options, colour)),
    FLAG_TEXT("color", "BY", "the same", offsetof(path_options, colour)),
    FLAG_MAYBE("overlay", "[=LEVEL]",
               "draw the index in the picture: all of it, or one level, which must follow =, as in "
               "--overlay=2",
               offsetof(path_options, overlay)),
    FLAG_OUTPUT("trace", 0, "FILE",
                "write every step of the search for the Posthoc visualiser (YAML)",
                offsetof(path_options, trace)),
    FLAG_SWITCH("partial", "accept a path that leads only part of the way",
                offsetof(path_options, partial)),
    FLAG_OUTPUT("repro", 0, "FILE",
                "write world, agent, query and algorithm to a file that `cairn path FILE` replays",
                offsetof(path_options, repro)),
    FLAG_INPUT("script", "FILE",
               "walk: run a walk script (docs/files.md), in WORLD or on its own map",
               offsetof(path_options, script)),
    FLAG_TEXT("replan", "blocked|changed",
              "walk: plan again when the path is broken, or after every change (blocked)",
              offsetof(path_options, replan)),
    FLAG_COUNT("work", "N",
               "walk: plan at most N units of work per turn, then go on next turn (no limit)",
               offsetof(path_options, work), 1, UINT32_MAX - 1),
    FLAG_COUNT("piece", "N", "walk: plan about N steps at a time, if the algorithm can (all)",
               offsetof(path_options, piece), 1, UINT32_MAX - 1),
    FLAG_SWITCH("background", "walk: sync the index in the background, if the algorithm can",
                offsetof(path_options, background)),
    FLAG_SWITCH("moves", "walk: print every step, not only those where something happened",
                offsetof(path_options, moves)),
    PROFILE_FLAGS(path_options, profile),
    FLAG_MAX_CELLS,
    FLAG_JSON(path_options, json),
};

/* ---- places ---- */

static int path_parse_place(path_run *run, const char *flag, const char *text, path_place *out)
{
    const world_kind *kind = world_kind_of(&run->world);
    if (kind->parse(&run->world, text, &out->node, out->text)) return END_OK;
    return complain_usage(run->self, "%s must be %s, not \"%s\"", flag, kind->typed, text);
}

/* ---- why not ---- */

static void path_reason_outside(path_run *run, const path_place *place)
{
    world_kind_of(&run->world)
        ->outside(&run->world, place->role, place->text, run->reason, sizeof run->reason);
}

static void path_reason_blocked(path_run *run, const path_place *place)
{
    const cairn_grid *grid = run->world.grid;
    if (!grid) {
        snprintf(run->reason, sizeof run->reason, "the %s %s cannot be stood on", place->role,
                 place->text);
        return;
    }
    cairn_cell cell = cairn_grid_cell(grid, place->node);
    uint32_t class = cairn_grid_terrain(grid, cell.x, cell.y);
    const char *name = cairn_terrain_name(class);
    cairn_explanation why;
    if (!cairn_explain(run->world.space, cell.x, cell.y, &why) &&
        why.reason == CAIRN_REASON_TOO_NARROW)
        snprintf(run->reason, sizeof run->reason, "the %s cannot be used: %s", place->role,
                 why.text);
    else if (!cairn_grid_is_open(grid, cell.x, cell.y))
        snprintf(run->reason, sizeof run->reason, "the %s %s is a blocked cell", place->role,
                 place->text);
    else if (name)
        snprintf(run->reason, sizeof run->reason,
                 "the %s %s is %s, where this agent may not go (--terrain %s=1 would let it)",
                 place->role, place->text, name, name);
    else
        snprintf(run->reason, sizeof run->reason,
                 "the %s %s is of terrain class %u, where this agent may not go (--terrain %u=1 "
                 "would let it)",
                 place->role, place->text, class, class);
}

static void path_find_reason(path_run *run)
{
    bool outside = run->path.status == CAIRN_OUT_OF_BOUNDS && run->from.node != CAIRN_NO_NODE;
    if (run->query.goals && (outside || run->path.status == CAIRN_BLOCKED_GOAL)) {
        snprintf(run->reason, sizeof run->reason, "none of the %s can be stood on", run->to.text);
        return;
    }
    switch (run->path.status) {
    case CAIRN_OUT_OF_BOUNDS:
        path_reason_outside(run, run->from.node == CAIRN_NO_NODE ? &run->from : &run->to);
        return;
    case CAIRN_BLOCKED_START: path_reason_blocked(run, &run->from); return;
    case CAIRN_BLOCKED_GOAL: path_reason_blocked(run, &run->to); return;
    case CAIRN_UNREACHABLE:
        snprintf(run->reason, sizeof run->reason, "no path leads from %s to %s", run->from.text,
                 run->to.text);
        return;
    case CAIRN_TOO_LONG:
        snprintf(run->reason, sizeof run->reason,
                 "no path of at most %lld nodes leads from %s to %s",
                 (long long)algorithms_most_nodes(run->planner), run->from.text, run->to.text);
        return;
    default:
        snprintf(run->reason, sizeof run->reason, "the search ended: %s",
                 cairn_result_text(run->path.status));
    }
}

/* ---- the query ---- */

/* From flags, or from the file where there are none. */
static int path_make_query(path_run *run)
{
    const path_options *options = run->options;
    run->query = run->replay.query;
    run->query.partial = true; /* a partial path is printed too */
    if (options->to) run->query.goals = NULL, run->query.goal_count = 0;
    int end = path_parse_place(run, "--from", options->from, &run->from);
    run->query.from = run->from.node;
    if (options->to) {
        if (!end) end = path_parse_place(run, "--to", options->to, &run->to);
        run->query.to = run->to.node;
    } else { /* the file has a list of goals, or none */
        run->to.node = run->query.to;
        snprintf(run->to.text, sizeof run->to.text, "%u goals", run->query.goal_count);
    }
    return end;
}

/* Called before the search, so that a query that fails can be repeated. */
static int path_write_repro(const path_run *run, const char *algorithm)
{
    const path_options *options = run->options;
    if (!options->repro) return END_OK;
    repro said = {0};
    snprintf(said.from, sizeof said.from, "%s", options->from);
    snprintf(said.to, sizeof said.to, "%s", options->to ? options->to : "");
    snprintf(said.algorithm, sizeof said.algorithm, "%s", algorithm);
    snprintf(said.smooth, sizeof said.smooth, "%s", options->smooth ? options->smooth : "");
    return repro_save(&run->world, &run->query, &said, options->repro);
}

/* Runs the query once untimed, to allocate memory, then once timed. */
static int path_search(path_run *run)
{
    const cairn_path *path = NULL;
    if (cairn_search_create(run->planner, NULL, &run->search)) {
        complain("there is not enough memory to search");
        return END_DATA;
    }
    cairn_search_find(run->search, &run->query, &path);
    double begin = text_clock();
    cairn_search_find(run->search, &run->query, &path);
    run->time_us = (text_clock() - begin) * 1e6;
    run->metrics = cairn_search_metrics(run->search);
    if (cairn_path_copy(run->world.context, path, &run->own)) {
        complain("there is not enough memory for the path");
        return END_DATA;
    }
    run->path = run->own.path;
    if (run->path.status != CAIRN_FOUND) path_find_reason(run);
    return END_OK;
}

/* The same path as a curve. */
static cairn_status path_bend(path_run *run)
{
    const cairn_space *space = run->world.space;
    cairn_status status = cairn_smooth_spline(space, &run->path, NULL, &run->curve);
    if (status) return status;
    run->curve.capacity = run->curve.count;
    run->curve.points = malloc((run->curve.count + 1u) * sizeof *run->curve.points);
    if (!run->curve.points) return CAIRN_OUT_OF_MEMORY;
    run->smooth.length = run->curve.length;
    return cairn_smooth_spline(space, &run->path, NULL, &run->curve);
}

static int path_smooth(path_run *run)
{
    const smoothing *how = &run->smoothing;
    if (how->kind == SMOOTH_NONE || !run->path.count) return END_OK;
    const cairn_space *space = run->world.space;
    cairn_smoothed *smooth = &run->smooth;
    cairn_status status = smooth_path(how, space, &run->path, smooth);
    smooth->capacity = smooth->count;
    smooth->nodes = status ? NULL : malloc((smooth->count + 1u) * sizeof *smooth->nodes);
    if (smooth->nodes) status = smooth_path(how, space, &run->path, smooth);
    if (!status && smooth->nodes && how->kind == SMOOTH_SPLINE) status = path_bend(run);
    if (status == CAIRN_UNSUPPORTED)
        return complain_usage(
            run->self, how->kind == SMOOTH_SPLINE
                           ? "a curve needs a path on a grid"
                           : "paths of any angle cannot be smoothed by rays: use sight or spline");
    if (!smooth->nodes || status) {
        complain("the path cannot be smoothed: %s",
                 cairn_status_text(status ? status : CAIRN_OUT_OF_MEMORY));
        return END_DATA;
    }
    return END_OK;
}

/* ---- pictures ---- */

/* The query once more, watched. */
static void path_watch(path_run *run, cairn_trace_sink sink)
{
    cairn_search_trace(run->search, &sink);
    cairn_search_find(run->search, &run->query, NULL);
    cairn_search_trace(run->search, NULL);
}

/* For whatever shows what the search looked at. */
static int path_record(path_run *run)
{
    if (!run->options->draw && !run->options->png && !run->options->svg) return END_OK;
    cairn_status status = cairn_recording_create(run->world.space, &run->recording);
    if (!status) path_watch(run, cairn_recording_sink(run->recording));
    if (!status) status = cairn_recording_status(run->recording);
    if (!status) return END_OK;
    complain("there is not enough memory to record the search");
    return END_DATA;
}

/* What the index looks like. */
static int path_overlay(path_run *run)
{
    if (!run->options->overlay) return END_OK;
    const char *name = cairn_planner_algorithm(run->planner)->name;
    cairn_status status = cairn_overlay_create(run->world.space, &run->overlay);
    cairn_overlay_sink sink = cairn_overlay_sink_of(run->overlay);
    if (!status) status = cairn_planner_overlay(run->planner, run->level, &sink);
    if (status == CAIRN_UNSUPPORTED)
        return complain_usage(run->self, "the index of %s cannot be shown", name);
    if (!status) status = cairn_overlay_status(run->overlay);
    if (status) {
        complain("the index cannot be shown: %s", cairn_status_text(status));
        return END_DATA;
    }
    if (!run->level) return END_OK; /* of a small map there may be nothing */
    for (int kind = 0; kind < CAIRN_OVERLAY_KIND_COUNT; kind++)
        if (cairn_overlay_count(run->overlay, (cairn_overlay_kind)kind)) return END_OK;
    return complain_usage(run->self, "--overlay: the index of %s has no level %u", name,
                          run->level);
}

/* Passes events on and counts the expansions. */
typedef struct path_tracer {
    cairn_trace_sink sink;
    progress progress;
    uint64_t expanded;
} path_tracer;

static void path_trace_event(void *user, const cairn_event *event)
{
    path_tracer *tracer = user;
    tracer->sink.event(tracer->sink.user, event);
    if (event->kind == CAIRN_EVENT_EXPAND) progress_at(&tracer->progress, ++tracer->expanded);
}

static int path_trace(path_run *run)
{
    const char *name = run->options->trace;
    cairn_error error = {0};
    cairn_posthoc *posthoc = NULL;
    if (!name) return END_OK;
    cairn_writer writer = files_writer();
    error.status = strcmp(name, "-") ? cairn_posthoc_open(run->world.space, name, &posthoc, &error)
                                     : cairn_posthoc_create(run->world.space, &writer, &posthoc);
    if (error.status) return world_complain(name, &error);
    path_tracer tracer = {.sink = cairn_posthoc_sink(posthoc)};
    char label[96];
    snprintf(label, sizeof label, "writing %.80s", text_base(name));
    progress_begin(&tracer.progress, label, run->metrics.expanded);
    path_watch(run, (cairn_trace_sink){path_trace_event, &tracer});
    progress_end(&tracer.progress);
    return cairn_posthoc_finish(posthoc, &error) ? world_complain(name, &error) : END_OK;
}

static void path_picture_progress(void *user, uint64_t done, uint64_t total)
{
    progress *p = user;
    progress_at(p, total ? done * p->total / total : 0);
}

static int path_write_picture(path_run *run, cairn_picture *picture, const char *name, bool png)
{
    cairn_error error = {0};
    cairn_file file;
    progress p;
    char label[96];
    snprintf(label, sizeof label, "drawing %.80s", text_base(name));
    progress_begin(&p, label, run->world.grid ? cairn_grid_height(run->world.grid) : 1);
    picture->progress = path_picture_progress;
    picture->progress_user = &p;
    cairn_status status =
        png ? cairn_picture_png(picture, &file, &error) : cairn_picture_svg(picture, &file, &error);
    progress_end(&p);
    if (status == CAIRN_UNSUPPORTED) return complain_usage(run->self, "%s: %s", name, error.text);
    error.status = status;
    int end = status ? world_complain(name, &error) : files_put(name, file);
    cairn_file_free(run->world.context, &file);
    return end;
}

static int path_pictures(path_run *run)
{
    const path_options *options = run->options;
    cairn_picture picture = {.space = run->world.space,
                             .recording = run->recording,
                             .colour = run->colour,
                             .legend = true,
                             .overlay = run->overlay,
                             .path = run->path.count ? &run->path : NULL,
                             .smooth = run->smooth.nodes,
                             .smooth_count = run->smooth.count,
                             .curve = run->curve.points,
                             .curve_count = run->curve.count,
                             .from = run->from.node,
                             .to = run->to.node};
    int end = END_OK;
    if (options->png) end = path_write_picture(run, &picture, options->png, true);
    if (!end && options->svg) end = path_write_picture(run, &picture, options->svg, false);
    return end;
}

static int path_draw(path_run *run)
{
    if (!run->options->draw) return END_OK;
    if (!run->world.grid)
        return complain_usage(run->self,
                              "--draw: expected a grid, but this is a graph (try: --svg FILE)");
    drawing d = {.world = &run->world,
                 .recording = run->recording,
                 .colour = run->colour,
                 .path = &run->path,
                 .smooth = run->smooth.nodes,
                 .smooth_count = run->smooth.count,
                 .curve = run->curve.points,
                 .curve_count = run->curve.count,
                 .from = run->from.node,
                 .to = run->to.node};
    /* With --json standard output belongs to the document. */
    bool ok = draw_print(&d, run->options->json ? stderr : stdout);
    return ok ? END_OK : END_DATA;
}

/* ---- the command ---- */

static int path_check_usage(const command *self, const path_options *options, int argc, char **argv)
{
    smoothing how;
    if (argc != 1)
        return complain_count(self, "one world", argc, "maps/village.txt --from 57,14 --to 2,21");
    if (!smooth_parse(options->smooth, &how))
        return complain_usage(self, "--smooth must be " SMOOTH_KINDS ", not \"%s\"",
                              options->smooth);
    const file_use files[] = {{"world", argv[0], false},         {"index", options->index, false},
                              {"--repro", options->repro, true}, {"--trace", options->trace, true},
                              {"--png", options->png, true},     {"--svg", options->svg, true}};
    int end = files_check(self, files, sizeof files / sizeof files[0]);
    return end || !options->algorithm ? end : algorithms_check(self, options->algorithm);
}

static int path_read_overlay(path_run *run)
{
    const path_options *options = run->options;
    const char *text = options->overlay;
    int64_t level = 0;
    if (!text) return END_OK;
    if (!options->png && !options->svg)
        return complain_usage(
            run->self, "--overlay: --png FILE or --svg FILE is missing, the picture to draw on");
    if (text[0] && strcmp(text, "all") && !text_integer(text, strlen(text), 1, 255, &level))
        return complain_usage(run->self, "--overlay must be a level from 1 on or all, not \"%s\"",
                              text);
    run->level = (uint32_t)level;
    return END_OK;
}

static int path_read_colour(path_run *run)
{
    const char *name = run->options->colour;
    while (name && strcmp(name, cairn_colouring_name(run->colour)))
        if (++run->colour == CAIRN_COLOUR_COUNT)
            return complain_usage(run->self, "--colour must be order, g, h, f or none, not \"%s\"",
                                  name);
    return END_OK;
}

static int path_query(path_run *run, cairn_context *context)
{
    const path_options *options = run->options;
    const char *algorithm = options->algorithm ? options->algorithm : ALGORITHM_DEFAULT;
    const command *author = algorithm == run->replay.algorithm ? NULL : run->self;
    int end = path_read_colour(run);
    smooth_parse(options->smooth, &run->smoothing);
    if (!end) end = path_read_overlay(run);
    if (!end) end = world_enter(run->self, &run->world, &options->profile);
    if (!end) end = path_make_query(run);
    if (!end) end = path_write_repro(run, algorithm);
    if (!end) end = world_planner(author, &run->world, algorithm, false, &run->planner);
    if (!end) end = index_open(&run->index_file, context, options->index);
    if (!end)
        end =
            index_prepare(&run->index_file, run->planner, text_base(run->world.name), &run->index);
    if (!end && options->index && !run->index.needed)
        end = complain_usage(run->self, "%s uses no index; leave out --index", algorithm);
    if (!end) end = path_search(run);
    if (!end) end = path_smooth(run);
    if (!end) end = path_overlay(run);
    if (!end) end = path_record(run);
    if (!end) end = path_trace(run);
    if (!end) end = path_draw(run);
    if (!end) end = path_pictures(run);
    if (end) return end;
    if (options->json)
        path_print_json(run);
    else
        path_print_text(run);
    return run->path.status == CAIRN_FOUND || (options->partial && run->path.partial) ? END_OK
                                                                                      : END_NO;
}

/* What no flag says is taken from the file, if it is one that can be replayed. */
static int path_replay(path_run *run, path_options *options)
{
    int end = repro_read(&run->replay, &run->world);
    const repro *r = &run->replay;
    if (end) return end;
    if (!options->from && r->from[0]) options->from = r->from;
    if (!options->to && r->to[0]) options->to = r->to;
    if (!options->algorithm && r->algorithm[0]) options->algorithm = r->algorithm;
    if (!options->smooth && r->smooth[0]) options->smooth = r->smooth;
    if (!options->from || (!options->to && !r->has_query))
        return complain_usage(run->self,
                              "path: --from and --to are missing (try: --from 57,14 --to 2,21)");
    return END_OK;
}

/* An agent that walks, by the script. */
static int path_walk(const command *self, const path_options *o, int argc, char **argv)
{
    const struct {
        const char *name;
        bool given;
    } others[] = {{"from", o->from},       {"to", o->to},       {"index", o->index},
                  {"smooth", o->smooth},   {"trace", o->trace}, {"colour", o->colour},
                  {"overlay", o->overlay}, {"repro", o->repro}, {"partial", o->partial}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].given)
            return complain_usage(self, "--%s is for single paths: leave it out with --script",
                                  others[i].name);
    if (argc > 1)
        return complain_usage(self, "path --script: expected at most one world, got %d", argc);
    walk_options how = {.script = o->script,
                        .world = argc ? argv[0] : NULL,
                        .algorithm = o->algorithm,
                        .replan = o->replan,
                        .png = o->png,
                        .svg = o->svg,
                        .profile = &o->profile,
                        .work = o->work,
                        .piece = o->piece,
                        .background = o->background,
                        .moves = o->moves,
                        .draw = o->draw,
                        .json = o->json};
    return walk_by_script(self, &how);
}

static int path_main(const command *self, int argc, char **argv)
{
    path_options options = {0};
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    if (options.script) return path_walk(self, &options, argc, argv);
    if (options.replan || options.work || options.piece || options.background || options.moves)
        return complain_usage(self, "--replan, --work, --piece, --background and --moves are for "
                                    "walks: --script FILE is missing");
    int end = path_check_usage(self, &options, argc, argv);
    if (end) return end;
    cairn_context *context = world_context(1);
    if (!context) return END_DATA;
    path_run run = {
        .self = self, .options = &options, .from = {.role = "start"}, .to = {.role = "goal"}};
    end = world_load(&run.world, context, argv[0]);
    if (!end) end = path_replay(&run, &options);
    if (!end) end = path_query(&run, context);
    free(run.smooth.nodes);
    free(run.curve.points);
    cairn_path_free(&run.own);
    cairn_recording_destroy(run.recording);
    cairn_overlay_destroy(run.overlay);
    cairn_search_destroy(run.search);
    cairn_planner_destroy(run.planner);
    index_close(&run.index_file);
    world_close(&run.world);
    cairn_context_destroy(context);
    return end;
}

const command command_path = {
    .name = "path",
    .summary = "Find one path",
    .synopsis = "WORLD --from X,Y --to X,Y [options]\ncairn path --script FILE [WORLD] [options]",
    .details = "WORLD is " WORLD_KINDS ". Exits\n"
               "with 1 if there is no path. The status and the reason are printed all the same, "
               "and so is the path\n"
               "to the reachable node nearest to the goal (with --partial it then exits with 0). "
               "With --smooth the\n"
               "points and the length are those of the smoothed path (for a curve: the points that "
               "it follows); so\n"
               "is the cost, unless the path leaves the grid (sight, spline). The time is that of "
               "a second run,\n"
               "when memory is warm. A file that --repro wrote has its own agent and query: flags "
               "change them.\n"
               "\n"
               "With --script an agent walks while the world changes. The command exits with 0 if "
               "the agent\n"
               "arrives, or if the walk ends as the script expects. Pictures show the path walked "
               "and the final\n"
               "world.\n"
               "\n"
               "Examples:\n"
               "  cairn path maps/u-trap.txt --from 26,10 --to 46,10 --draw\n"
               "  cairn path maps/bridge.txt --from 3,3 --to 50,22 --terrain swamp=3,water=9 --svg "
               "path.svg\n"
               "  cairn path maps/cave.txt --from 4,5 --to 54,20 -a wastar:weight=2 --smooth sight "
               "--png path.png\n"
               "  cairn path maps/cave.txt --from 4,5 --to 54,20 --repro why.cairn && cairn path "
               "why.cairn\n"
               "  cairn path maps/cave.txt --from 4,5 --to 54,20 --trace steps.yaml --svg f.svg "
               "--colour f\n"
               "  cairn path roads.gr --from 0 --to 17 --json\n"
               "  cairn path --script maps/blocked-ahead.walk -a pra --draw\n",
    .flags = path_flags,
    .flag_count = sizeof path_flags / sizeof path_flags[0],
    .run = path_main,
};
