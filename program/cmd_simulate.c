/* cmd_simulate.c: `cairn simulate`: agents that walk in a world that changes. */
#define _POSIX_C_SOURCE 200809L
#include "algorithms.h"
#include "film.h"
#include "files.h"
#include "index.h"
#include "interrupt.h"
#include "progress.h"
#include "reproduce.h"
#include "simulate.h"
#include "text.h"
#include "pen.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

typedef struct simulate_options {
    const char *algorithm, *replan, *script, *png, *chart, *scenario, *record, *replay, *shortcuts;
    uint32_t agents, turns, goals, every, size, ahead, share, life, roam, sensor, work, each, piece,
        seed, drain, fps, speed, arrivals, budget, soft, searches, memory, search_memory, threads,
        obstacles, background;
    profile_options profile;
    bool unknown, service, processor, within, json;
} simulate_options;

#define SIMULATE_COUNT(name, value, help, member, least, most) \
    FLAG_COUNT(name, value, help, offsetof(simulate_options, member), least, most)

enum { SIMULATE_TURNS_MAX = 10000000, SIMULATE_SIDE_MAX = 1024 };

static const arg_flag simulate_flags[] = {
    FLAG_ALGORITHM(ARG_TEXT, "ALG", "NAME or NAME:key=value,…; see `cairn algorithms`",
                   offsetof(simulate_options, algorithm)),
    SIMULATE_COUNT("agents", "N", "how many agents walk (1)", agents, 1, SIMULATE_AGENTS_MAX),
    SIMULATE_COUNT("goals", "N", "goals that each walks to, one after the other (1)", goals, 1,
                   1000000),
    SIMULATE_COUNT("turns", "N", "end after so many turns (10000)", turns, 1, SIMULATE_TURNS_MAX),
    SIMULATE_COUNT("edits", "K", "close a square of cells every K turns (never)", every, 1,
                   SIMULATE_TURNS_MAX),
    SIMULATE_COUNT("edit-size", "N", "cells that a side of it has (3)", size, 1, SIMULATE_SIDE_MAX),
    SIMULATE_COUNT("edit-ahead", "N", "on the path of an agent, N steps ahead (anywhere)", ahead, 1,
                   1000000),
    SIMULATE_COUNT("edit-share", "P", "so many of a hundred edits are there, others anywhere (100)",
                   share, 1, 100),
    SIMULATE_COUNT("edit-life", "N", "open it again after N turns (never)", life, 1,
                   SIMULATE_TURNS_MAX),
    SIMULATE_COUNT("roam", "K", "goals move, too: a step every K turns (never)", roam, 1,
                   SIMULATE_TURNS_MAX),
    SIMULATE_COUNT("sensor", "R", "agents see changes only R cells round them (everywhere)", sensor,
                   1, CAIRN_SENSOR_MAX),
    FLAG_SWITCH("unknown", "agents take for free what they have not seen (they know the map)",
                offsetof(simulate_options, unknown)),
    FLAG_INPUT("script", "FILE",
               "make the changes of a walk script, whose steps count turns; all go to its goal",
               offsetof(simulate_options, script)),
    SIMULATE_COUNT("work", "W", "units of work that all agents have in a turn (no limit)", work, 1,
                   UINT32_MAX),
    SIMULATE_COUNT("agent-work", "W", "units of work that one agent has in a turn (no limit)", each,
                   1, UINT32_MAX),
    SIMULATE_COUNT("piece", "N", "plan N steps at a time, if the algorithm can (all)", piece, 1,
                   UINT32_MAX),
    FLAG_TEXT("replan", "WHEN", "blocked or changed: when a path is planned again (blocked)",
              offsetof(simulate_options, replan)),
    FLAG_SWITCH("service", "paths come from a path service, with a budget for each turn",
                offsetof(simulate_options, service)),
    SIMULATE_COUNT("budget", "US", "microseconds of a turn, commits included (no limit)", budget, 1,
                   10000000),
    SIMULATE_COUNT("soft", "W",
                   "units that a turn should take, if urgent ones take --work (the same)", soft, 1,
                   UINT32_MAX),
    SIMULATE_COUNT("fps", "N", "turns in a second (60)", fps, 1, 1000),
    SIMULATE_COUNT("speed", "N", "cells that an agent walks in a second (8)", speed, 1, 1000),
    SIMULATE_COUNT("arrivals", "N", "agents that come in a second (all are there at first)",
                   arrivals, 1, SIMULATE_AGENTS_MAX),
    SIMULATE_COUNT(
        "drain", "N",
        "then go on for N turns at most, until no goal is open: no new ones, no edits (0)", drain,
        1, SIMULATE_TURNS_MAX),
    SIMULATE_COUNT("searches", "N", "searches under way at a time (4)", searches, 1, 64),
    SIMULATE_COUNT("memory", "KB", "hard limit for the service (none)", memory, 1, 1u << 30),
    SIMULATE_COUNT("search-memory", "KB", "hard limit for each search (an eighth of it for all)",
                   search_memory, 1, 1u << 30),
    SIMULATE_COUNT(
        "background", "N",
        "an index is synced beside the turns, and serves N later (with --work: 15, if it "
        "cannot be divided)",
        background, 1, SIMULATE_TURNS_MAX),
    FLAG_SWITCH("no-background", "all indexes are synced within turns, which may take more than W",
                offsetof(simulate_options, within)),
    FLAG_TEXT("shortcuts", "WHEN", "never, possible or always: when one is looked for (possible)",
              offsetof(simulate_options, shortcuts)),
    SIMULATE_COUNT("obstacles", "N",
                   "who stands in the way makes others wait, and is an obstacle for N turns (no)",
                   obstacles, 1, SIMULATE_TURNS_MAX),
    SIMULATE_COUNT("threads", "N", "threads that search (1)", threads, 1, 64),
    FLAG_SWITCH("processor-time", "measure processor time, where other programs run as well",
                offsetof(simulate_options, processor)),
    FLAG_INPUT("scenario", "FILE", "options as lines \"NAME VALUE\"; those given here count more",
               offsetof(simulate_options, scenario)),
    SIMULATE_COUNT("seed", "S", "the same seed, the same walks (1)", seed, 0, UINT32_MAX - 1),
    FLAG_OUTPUT("png", 0, "FILE", "an animated picture of the walks (APNG)",
                offsetof(simulate_options, png)),
    FLAG_OUTPUT("chart", 0, "FILE", "how long turns took and goals waited, as SVG or .png",
                offsetof(simulate_options, chart)),
    FLAG_OUTPUT("record", 0, "F.cairn", "record everything, for --replay and `cairn view`",
                offsetof(simulate_options, record)),
    FLAG_INPUT("replay", "F.cairn", "do again what was recorded; it must come out the same",
               offsetof(simulate_options, replay)),
    PROFILE_FLAGS(simulate_options, profile),
    FLAG_MAX_CELLS,
    FLAG_JSON(simulate_options, json),
};

typedef struct simulate_job {
    const command *self;
    simulate_options *options;
    const char *spec;
    walk_source source; /* the world, and the script if there is one */
    cairn_planner *planner;
    index_report index;
    simulate_setup setup;
    simulate_run run;
    cairn_store *store; /* of the recording */
    char *text;         /* of a scenario or recording, which options point into */
    progress bar;
    bool interrupted;
} simulate_job;

/* ---- the options ---- */

/* What was not given counts as none of its values. */
static const simulate_options simulate_unset = {.seed = UINT32_MAX};

/* Those of a scenario, where the command line says nothing. */
static int simulate_read_scenario(simulate_job *job)
{
    const char *name = job->options->scenario;
    simulate_options lines = simulate_unset;
    cairn_file file = {0};
    cairn_error error = {0};
    if (!name) return END_OK;
    error.status = cairn_file_read(job->source.context, name, 1u << 20, &file, &error);
    if (error.status) return world_complain(name, &error);
    job->text = calloc(1, file.size + 1);
    if (job->text) memcpy(job->text, file.data, file.size);
    cairn_file_free(job->source.context, &file);
    if (!job->text) return simulate_no_memory();
    if (!args_read_lines(job->self, job->text, name, &lines)) return END_DATA;
    args_fill(job->self, job->options, &simulate_unset, &lines);
    return END_OK;
}

/* Was only given what goes with --replay? */
static bool simulate_is_bare(const simulate_options *o)
{
    simulate_options rest = *o;
    rest.replay = rest.png = rest.chart = NULL;
    rest.json = false;
    return !memcmp(&rest, &simulate_unset, sizeof rest);
}

/* Those of the recording. */
static int simulate_read_recording(simulate_job *job)
{
    simulate_options lines = simulate_unset;
    int end = simulate_record_options(&job->source.world, &job->text);
    if (end) return end;
    if (!args_read_lines(job->self, job->text, job->options->replay, &lines)) return END_DATA;
    args_fill(job->self, job->options, &simulate_unset, &lines);
    return END_OK;
}

/* Lines that say all of it, but for the profile, which the recording has beside them. */
static char *simulate_write_options(const simulate_job *job)
{
    char *text = NULL;
    size_t size;
    simulate_options options = *job->options;
    options.profile = (profile_options){0};
    options.algorithm = job->spec;
    options.json = false;
    FILE *out = open_memstream(&text, &size);
    if (out) args_write_lines(job->self, &options, out);
    if (out && !fclose(out)) return text;
    free(text);
    return NULL;
}

/* The name of an option that needs another one, which was not given. */
static const char *simulate_alone(const simulate_options *o)
{
    if (o->service) return NULL;
    return o->budget          ? "--budget"
           : o->soft          ? "--soft"
           : o->fps           ? "--fps"
           : o->speed         ? "--speed"
           : o->arrivals      ? "--arrivals"
           : o->drain         ? "--drain"
           : o->searches      ? "--searches"
           : o->memory        ? "--memory"
           : o->search_memory ? "--search-memory"
           : o->background    ? "--background"
           : o->within        ? "--no-background"
           : o->shortcuts     ? "--shortcuts"
           : o->obstacles     ? "--obstacles"
                              : NULL;
}

static int simulate_check_service(const simulate_job *job)
{
    const simulate_options *o = job->options;
    const char *alone = simulate_alone(o), *navigators = o->sensor   ? "--sensor"
                                                         : o->each   ? "--agent-work"
                                                         : o->replan ? "--replan"
                                                                     : NULL;
    if (alone) return complain_usage(job->self, "%s needs --service", alone);
    if (!o->service) return END_OK;
    if (navigators)
        return complain_usage(job->self, "%s does not go with --service: it is for navigators",
                              navigators);
    uint32_t fps = o->fps ? o->fps : 60, speed = o->speed ? o->speed : 8;
    if (speed > fps)
        return complain_usage(job->self, "--speed %u needs more turns in a second than --fps %u",
                              speed, fps);
    if (o->background && o->within)
        return complain_usage(job->self, "--background does not go with --no-background");
    if (o->drain && !o->turns)
        return complain_usage(job->self, "--drain needs --turns N, after which it begins");
    if (o->soft && o->soft >= o->work)
        return complain_usage(job->self, "--soft must be less than --work");
    return END_OK;
}

/* ---- the whole ---- */

static int simulate_check(const simulate_job *job)
{
    const simulate_options *o = job->options;
    const file_use files[] = {{"world", job->source.given, false},
                              {"script", o->script, false},
                              {"scenario", o->scenario, false},
                              {"recording", o->replay, false},
                              {"--png", o->png, true},
                              {"--chart", o->chart, true},
                              {"--record", o->record, true}};
    int end = files_check(job->self, files, sizeof files / sizeof files[0]);
    if (!end) end = algorithms_check(job->self, job->spec);
    if (!end && !o->every && (o->size || o->ahead || o->life))
        end = complain_usage(job->self, "%s needs --edits K",
                             o->size    ? "--edit-size"
                             : o->ahead ? "--edit-ahead"
                                        : "--edit-life");
    if (!end && o->script && (o->goals || o->roam))
        end = complain_usage(job->self, "%s does not go with --script, which has the goal",
                             o->goals ? "--goals" : "--roam");
    if (!end && o->share && !o->ahead)
        end = complain_usage(job->self, "--edit-share needs --edit-ahead N");
    if (!end && o->record && o->script)
        end = complain_usage(job->self, "--record does not go with --script");
    if (!end) end = simulate_check_service(job);
    if (!end && o->unknown && !o->sensor)
        end = complain_usage(job->self, "--unknown needs --sensor R");
    if (!end && o->png && !film_is_there())
        end = complain_usage(job->self, "--png: this program was built without PNG");
    if (!end && o->chart && simulate_chart_is_png(o->chart) && !pen_has_png())
        end = complain_usage(job->self,
                             "--chart: this program was built without PNG (.svg needs none)");
    return end;
}

/* With units of work no turn is to take more than it may. A budget of time needs threads for that,
 * and its turns say themselves how long they take. */
static uint32_t simulate_background(const simulate_options *o)
{
    bool chosen = o->background || o->within || !o->work || o->budget;
    if (!chosen) return CAIRN_SHARE_AUTO;
    return o->background ? o->background : CAIRN_SHARE_NEVER;
}

static int simulate_prepare(simulate_job *job)
{
    const simulate_options *o = job->options;
    simulate_setup *s = &job->setup;
    *s = (simulate_setup){.agents = o->agents,
                          .turns = o->turns,
                          .goals = o->goals,
                          .every = o->every,
                          .size = o->size,
                          .ahead = o->ahead,
                          .share = o->share,
                          .life = o->life,
                          .roam = o->roam,
                          .sensor = o->sensor,
                          .unknown = o->unknown,
                          .work = o->work,
                          .seed = o->seed,
                          .script = o->script ? &job->source.script : NULL,
                          .service = o->service,
                          .fps = o->fps,
                          .speed = o->speed,
                          .arrivals = o->arrivals,
                          .drain = o->drain,
                          .budget_us = o->budget,
                          .soft = o->soft,
                          .searches = o->searches,
                          .background = simulate_background(o),
                          .byte_limit = (size_t)o->memory * 1024,
                          .search_bytes = (size_t)o->search_memory * 1024,
                          .shortcuts = CAIRN_SHORTCUTS_POSSIBLE,
                          .obstacles = o->obstacles};
    s->how = (cairn_navigator_options){.work = o->each, .piece = o->piece};
    while (o->replan && strcmp(o->replan, cairn_replan_name(s->how.replan)))
        if (++s->how.replan == CAIRN_REPLAN_COUNT)
            return complain_usage(job->self, "--replan must be blocked or changed, not \"%s\"",
                                  o->replan);
    static const char *const shortcuts[] = {"never", "possible", "always"};
    for (uint32_t i = 0; o->shortcuts && i <= CAIRN_SHORTCUTS_COUNT; i++) {
        if (i == CAIRN_SHORTCUTS_COUNT)
            return complain_usage(job->self,
                                  "--shortcuts must be never, possible or always, not \"%s\"",
                                  o->shortcuts);
        s->shortcuts = (cairn_shortcuts)i;
        if (!strcmp(o->shortcuts, shortcuts[i])) break;
    }
    return END_OK;
}

static int simulate_load(simulate_job *job)
{
    walk_source *source = &job->source;
    index_file none = {0};
    if (source->world.space || source->world.grid) world_close(&source->world);
    int end = source->name ? walk_open(job->self, source)
                           : world_open(job->self, &source->world, source->context, source->given,
                                        source->profile);
    if (!end && !source->world.grid)
        end = world_complain_no_grid(job->self, &source->world, "simulate");
    if (!end) end = world_planner(job->self, &source->world, job->spec, false, &job->planner);
    if (!end && job->options->service &&
        cairn_planner_algorithm(job->planner)->kind == CAIRN_KIND_NAVIGATOR)
        end = complain_usage(job->self, "%s is a navigator: it has no paths for a --service",
                             job->spec);
    if (!end && job->options->obstacles && !cairn_space_profile(source->world.space)->layer_weight)
        end = complain_usage(job->self, "--obstacles needs --layer-weight W, say 1: what a unit of "
                                        "their cost is worth");
    if (!end) end = index_prepare(&none, job->planner, text_base(source->world.name), &job->index);
    return end;
}

/* Agents that have arrived are shown as progress, or turns if their number is given. */
static bool simulate_on_turn(void *user, uint32_t turn, uint32_t walking)
{
    simulate_job *job = user;
    progress_at(&job->bar, job->options->turns ? turn : job->run.agents - walking);
    job->interrupted = interrupt_came();
    return !job->interrupted;
}

static int simulate_tell(simulate_job *job)
{
    const simulate_options *o = job->options;
    simulate_report report = {&job->run, &job->index, job->interrupted};
    int end = o->png ? simulate_film(&job->run, o->png) : END_OK;
    if (!end && o->chart) end = simulate_chart(&job->run, o->chart);
    if (end) return end;
    if (o->json)
        simulate_print_json(&report);
    else
        simulate_print_text(&report);
    return END_OK;
}

static int simulate_keep_recording(simulate_job *job)
{
    char *text = simulate_write_options(job);
    int end = text ? simulate_record_end(job->store, &job->run, text, job->options->record)
                   : simulate_no_memory();
    free(text);
    return end;
}

static int simulate_verdict(const simulate_job *job)
{
    const simulate_run *run = &job->run;
    if (job->interrupted) return END_INTERRUPTED;
    if (job->options->replay) return simulate_record_compare(run);
    bool right = !run->illegal && !run->false_reasons && !run->overspent;
    bool all = run->drains ? !simulate_open_goals(run) : run->arrived == run->agents;
    return right && all ? END_OK : END_NO;
}

/* As many turns again, and those of a drain. */
static int simulate_load_recording(simulate_job *job)
{
    simulate_setup *s = &job->setup;
    uint32_t turns, drains = 0;
    int end = simulate_record_load(&job->run, &turns);
    if (s->drain && turns > s->turns) drains = turns - s->turns;
    s->turns = turns - drains;
    s->drain = drains;
    return end;
}

static double simulate_processor_clock(void)
{
    return reproduce_clock() * 1e-6;
}

static int simulate_go(simulate_job *job)
{
    const simulate_options *o = job->options;
    int end = END_OK;
    job->run = (simulate_run){.world = &job->source.world, .setup = &job->setup, .spec = job->spec};
    job->run.planner = job->planner;
    if (o->processor) job->run.clock = simulate_processor_clock;
    if (o->replay) end = simulate_load_recording(job);
    if (!end && o->record) end = simulate_record_begin(&job->source.world, &job->store);
    if (end) return end;
    interrupt_catch();
    progress_begin(&job->bar, job->spec, o->turns ? o->turns : o->agents ? o->agents : 1);
    end = simulate_all(&job->run, simulate_on_turn, job);
    progress_end(&job->bar);
    if (!end && o->record) end = simulate_keep_recording(job);
    if (!end) end = simulate_tell(job);
    return end ? end : simulate_verdict(job);
}

/* The context with the threads that the options name, in place of the one that read them. */
static int simulate_open(simulate_job *job)
{
    walk_source *source = &job->source;
    simulate_options *o = job->options;
    source->context = world_context(1);
    if (!source->context) return END_DATA;
    int end = simulate_read_scenario(job);
    if (!end && o->replay) end = world_load(&source->world, source->context, o->replay);
    if (!end && o->replay) end = simulate_read_recording(job);
    if (o->seed == UINT32_MAX) o->seed = 1;
    if (end || o->threads < 2) return end;
    world_close(&source->world);
    source->world = (world){0};
    cairn_context_destroy(source->context);
    source->context = world_context(o->threads);
    return source->context ? END_OK : END_DATA;
}

static int simulate_whole(simulate_job *job)
{
    const simulate_options *o = job->options;
    int end = simulate_open(job);
    job->spec = o->algorithm ? o->algorithm : ALGORITHM_DEFAULT;
    job->source.name = o->script;
    job->source.profile = &o->profile;
    if (o->replay) job->source.given = o->replay;
    if (!end) end = simulate_check(job);
    if (!end) end = simulate_prepare(job);
    if (!end) end = simulate_load(job);
    if (!end) end = simulate_go(job);
    return end;
}

static int simulate_command(const command *self, int argc, char **argv)
{
    simulate_options options = simulate_unset;
    switch (args_parse(self, &argc, argv, &options)) {
    case ARGS_HELPED: return END_OK;
    case ARGS_WRONG: return END_USAGE;
    case ARGS_GO: break;
    }
    if (argc > 1 || (argc == 0 && !options.script && !options.replay))
        return complain_count(self, "one map", argc, "maps/village.txt --agents 20");
    if (options.replay && (argc || !simulate_is_bare(&options)))
        return complain_usage(self, "--replay goes with --png, --chart and --json only: all else "
                                    "is in the recording");
    simulate_job job = {.self = self, .options = &options};
    job.source.given = argc ? argv[0] : NULL;
    int end = simulate_whole(&job);
    simulate_free(&job.run);
    cairn_store_destroy(job.store);
    cairn_planner_destroy(job.planner);
    walk_close(&job.source);
    cairn_context_destroy(job.source.context);
    free(job.text);
    return end;
}

const command command_simulate = {
    .name = "simulate",
    .summary = "Let agents walk in a world that changes",
    .synopsis = "[MAP] [options]",
    .details =
        "Agents start at random cells and walk to random goals that they can reach, each as a\n"
        "navigator of the algorithm. With --edits the world changes meanwhile; with --roam the\n"
        "goals move. A turn is a frame: edits are committed, then every agent is asked for its\n"
        "next move. Each move is checked against the world. All but times depends on the seed\n"
        "alone. MAP may be left out if the script brings one. Ends with 0 if all agents have "
        "reached their last goal (with --drain: if no goal is open), with 1 if not.\n"
        "\nWith --service the paths come from a path service, which works within a budget for "
        "each turn (--work, or --budget with a clock), follows the paths and mends those that "
        "edits break. A recording holds all of a run, and does it again anywhere.\n"
        "\nExamples:\n"
        "  cairn simulate maps/village.txt --agents 20\n"
        "  cairn simulate maps/rooms.map -a dstar-lite --edits 5 --edit-life 20 --png walk.png\n"
        "  cairn simulate maps/cave.txt -a lss-lrtastar --roam 2 --seed 7 --json\n"
        "  cairn simulate maps/rooms.map --service --agents 200 --budget 500 --edits 6 "
        "--edit-life 120\n"
        "  cairn simulate maps/rooms.map --service --record bug.cairn && cairn simulate --replay "
        "bug.cairn\n",
    .flags = simulate_flags,
    .flag_count = sizeof simulate_flags / sizeof simulate_flags[0],
    .run = simulate_command,
};
