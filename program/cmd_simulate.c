/* cmd_simulate.c: `cairn simulate`: agents that walk in a world that changes. */
#include "algorithms.h"
#include "film.h"
#include "files.h"
#include "index.h"
#include "interrupt.h"
#include "progress.h"
#include "simulate.h"
#include "text.h"
#include "walk.h"

#include <string.h>

typedef struct simulate_options {
    const char *algorithm, *replan, *script, *png;
    uint32_t agents, turns, goals, every, size, ahead, life, roam, sensor, work, each, piece, seed;
    profile_options profile;
    bool unknown, json;
} simulate_options;

#define SIMULATE_COUNT(name, value, help, member, least, most) \
    FLAG_COUNT(name, value, help, offsetof(simulate_options, member), least, most)

enum { SIMULATE_AGENTS_MAX = 100000, SIMULATE_TURNS_MAX = 10000000, SIMULATE_SIDE_MAX = 1024 };

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
    SIMULATE_COUNT("seed", "S", "the same seed, the same walks (1)", seed, 0, UINT32_MAX),
    FLAG_OUTPUT("png", 0, "FILE", "an animated picture of the walks (APNG)",
                offsetof(simulate_options, png)),
    PROFILE_FLAGS(simulate_options, profile),
    FLAG_MAX_CELLS,
    FLAG_JSON(simulate_options, json),
};

typedef struct simulate_job {
    const command *self;
    const simulate_options *options;
    const char *spec;
    walk_source source; /* the world, and the script if there is one */
    cairn_planner *planner;
    index_report index;
    simulate_setup setup;
    simulate_run run;
    progress bar;
    bool interrupted;
} simulate_job;

/* ---- telling ---- */

static double simulate_mean(double sum, double count)
{
    return count > 0 ? sum / count : 0;
}

static double simulate_frame_mean(const simulate_run *run)
{
    double sum = 0;
    for (uint32_t i = 0; i < run->turns; i++) sum += run->frame_us[i];
    return simulate_mean(sum, run->turns);
}

/* To thousandths. */
static double simulate_rounded(double value)
{
    return (double)(int64_t)(value * 1000 + 0.5) / 1000;
}

/* Paths that were planned again, beyond one for each goal. */
static uint64_t simulate_replans(const simulate_run *run)
{
    uint64_t first = run->responses < run->sums.plans ? run->responses : run->sums.plans;
    return run->sums.plans - first;
}

static void simulate_json_times(json *j, simulate_run *run)
{
    double mean = simulate_frame_mean(run), all = mean * run->turns;
    json_number(j, "frame_us_mean", simulate_rounded(mean));
    json_number(j, "frame_us_p99", simulate_rounded(simulate_frame(run, 0.99)));
    json_number(j, "frame_us_p999", simulate_rounded(simulate_frame(run, 0.999)));
    json_number(j, "frame_us_max", simulate_rounded(simulate_frame(run, 1)));
    json_number(j, "paths_per_second", simulate_rounded(simulate_mean(run->sums.plans * 1e6, all)));
}

static void simulate_json_walks(json *j, const simulate_run *run)
{
    json_integer(j, "replans", (int64_t)simulate_replans(run));
    json_number(
        j, "response_frames_mean",
        simulate_rounded(simulate_mean((double)run->response_turns, (double)run->responses)));
    json_integer(j, "response_frames_max", run->response_most);
    json_integer(j, "peak_bytes", (int64_t)run->peak_bytes);
    json_integer(j, "arrived", run->arrived);
    json_integer(j, "stuck", run->stuck);
    json_integer(j, "collisions", (int64_t)run->collisions);
    json_integer(j, "illegal", (int64_t)run->illegal);
    json_integer(j, "goals_reached", (int64_t)run->reached);
    json_integer(j, "edits", (int64_t)run->changes);
    json_integer(j, "seen", (int64_t)run->seen);
    json_integer(j, "moves", (int64_t)run->sums.moves);
    json_integer(j, "cost_units", (int64_t)run->sums.cost);
    json_integer(j, "plans", run->sums.plans);
    json_integer(j, "breaks", run->sums.breaks);
    json_integer(j, "syncs", run->sums.syncs);
    json_integer(j, "work", (int64_t)run->sums.work);
    json_integer(j, "work_max", (int64_t)run->sums.most_work);
    json_integer(j, "expanded", (int64_t)run->sums.expanded);
    json_integer(j, "expanded_first", (int64_t)run->first_expanded);
    json_integer(j, "agent_bytes", (int64_t)run->agent_bytes);
    json_integer(j, "agent_bytes_max", (int64_t)run->agent_bytes_most);
}

static void simulate_print_json(simulate_job *job)
{
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "algorithm", job->spec);
    json_text(&j, "map", job->source.world.name);
    json_integer(&j, "seed", job->options->seed);
    json_integer(&j, "agents", job->run.agents);
    json_integer(&j, "frames", job->run.turns);
    json_bool(&j, "interrupted", job->interrupted);
    simulate_json_times(&j, &job->run);
    simulate_json_walks(&j, &job->run);
    json_integer(&j, "index_bytes", (int64_t)cairn_planner_index_bytes(job->planner));
    json_integer(&j, "world_bytes", (int64_t)world_bytes(&job->source.world));
    json_end(&j);
}

static void simulate_print_times(simulate_run *run)
{
    char mean[TEXT_SHORT], p99[TEXT_SHORT], p999[TEXT_SHORT], most[TEXT_SHORT];
    printf("  frames     %s each, 99 %% within %s, 99.9 %% within %s, at most %s\n",
           text_duration(simulate_frame_mean(run), mean),
           text_duration(simulate_frame(run, 0.99), p99),
           text_duration(simulate_frame(run, 0.999), p999),
           text_duration(simulate_frame(run, 1), most));
    printf("  answers    the first step comes after %s turns, at most %u\n",
           text_number(simulate_mean((double)run->response_turns, (double)run->responses), mean),
           run->response_most);
}

static void simulate_print_walks(const simulate_run *run)
{
    char a[TEXT_SHORT], b[TEXT_SHORT], c[TEXT_SHORT];
    printf("  goals      %s reached, in %s steps\n", text_count(run->reached, a),
           text_count(run->sums.moves, b));
    printf("  edits      %s; %s paths found broken, %s planned again\n",
           text_count(run->changes, a), text_count(run->sums.breaks, b),
           text_count(simulate_replans(run), c));
    if (run->seen) printf("  sensors    %s cells found changed\n", text_count(run->seen, a));
    printf("  expanded   %s nodes, %s of them before the first steps\n",
           text_count(run->sums.expanded, a), text_count(run->first_expanded, b));
    printf("  work       %s units, at most %s of an agent in a turn\n",
           text_count(run->sums.work, a), text_count(run->sums.most_work, b));
    printf("  meetings   %s times two agents on one cell\n", text_count(run->collisions, a));
    printf("  memory     %s an agent, at most %s; %s in all\n", text_bytes(run->agent_bytes, a),
           text_bytes(run->agent_bytes_most, b), text_bytes(run->peak_bytes, c));
}

static void simulate_print_text(simulate_job *job)
{
    simulate_run *run = &job->run;
    char text[TEXT_SHORT], index[INDEX_TEXT];
    say("%s on %s: %u of %u agents arrived in %s turns", job->spec,
        text_base(job->source.world.name), run->arrived, run->agents, text_count(run->turns, text));
    if (run->stuck) printf(", %u without a path", run->stuck);
    printf("%s\n", job->interrupted ? " (interrupted)" : "");
    simulate_print_times(run);
    simulate_print_walks(run);
    if (job->index.needed) printf("  index      %s\n", index_text(&job->index, index));
    if (run->illegal)
        printf("  WRONG      %s moves are no edges\n", text_count(run->illegal, text));
}

/* ---- the whole ---- */

static int simulate_check(const simulate_job *job)
{
    const simulate_options *o = job->options;
    const file_use files[] = {
        {"world", job->source.given, false}, {"script", o->script, false}, {"--png", o->png, true}};
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
    if (!end && o->unknown && !o->sensor)
        end = complain_usage(job->self, "--unknown needs --sensor R");
    if (!end && o->png && !film_is_there())
        end = complain_usage(job->self, "--png: this program was built without PNG");
    return end;
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
                          .life = o->life,
                          .roam = o->roam,
                          .sensor = o->sensor,
                          .unknown = o->unknown,
                          .work = o->work,
                          .seed = o->seed,
                          .script = o->script ? &job->source.script : NULL};
    s->how = (cairn_navigator_options){.work = o->each, .piece = o->piece};
    while (o->replan && strcmp(o->replan, cairn_replan_name(s->how.replan)))
        if (++s->how.replan == CAIRN_REPLAN_COUNT)
            return complain_usage(job->self, "--replan must be blocked or changed, not \"%s\"",
                                  o->replan);
    return END_OK;
}

static int simulate_load(simulate_job *job)
{
    walk_source *source = &job->source;
    index_file none = {0};
    int end = source->name ? walk_open(job->self, source)
                           : world_open(job->self, &source->world, source->context, source->given,
                                        source->profile);
    if (!end && !source->world.grid)
        end = world_complain_no_grid(job->self, &source->world, "simulate");
    if (!end) end = world_planner(job->self, &source->world, job->spec, false, &job->planner);
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

static int simulate_go(simulate_job *job)
{
    const simulate_options *o = job->options;
    interrupt_catch();
    progress_begin(&job->bar, job->spec, o->turns ? o->turns : o->agents ? o->agents : 1);
    job->run = (simulate_run){.world = &job->source.world, .setup = &job->setup, .spec = job->spec};
    job->run.planner = job->planner;
    int end = simulate_all(&job->run, simulate_on_turn, job);
    progress_end(&job->bar);
    if (!end && o->png) end = simulate_film(&job->run, o->png);
    if (end) return end;
    if (o->json)
        simulate_print_json(job);
    else
        simulate_print_text(job);
    if (job->interrupted) return END_INTERRUPTED;
    return job->run.illegal || job->run.arrived < job->run.agents ? END_NO : END_OK;
}

static int simulate_command(const command *self, int argc, char **argv)
{
    simulate_options options = {.seed = 1};
    switch (args_parse(self, &argc, argv, &options)) {
    case ARGS_HELPED: return END_OK;
    case ARGS_WRONG: return END_USAGE;
    case ARGS_GO: break;
    }
    if (argc > 1 || (argc == 0 && !options.script))
        return complain_count(self, "one map", argc, "maps/village.txt --agents 20");
    simulate_job job = {.self = self, .options = &options};
    job.spec = options.algorithm ? options.algorithm : algorithms_default();
    job.source = (walk_source){.name = options.script,
                               .given = argc ? argv[0] : NULL,
                               .profile = &options.profile,
                               .context = world_context(1)};
    if (!job.source.context) return END_DATA;
    int end = simulate_check(&job);
    if (!end) end = simulate_prepare(&job);
    if (!end) end = simulate_load(&job);
    if (!end) end = simulate_go(&job);
    simulate_free(&job.run);
    cairn_planner_destroy(job.planner);
    walk_close(&job.source);
    cairn_context_destroy(job.source.context);
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
        "reached their last goal, with 1 if not.\n"
        "\nExamples:\n"
        "  cairn simulate maps/village.txt --agents 20\n"
        "  cairn simulate maps/rooms.map -a dstar-lite --edits 5 --edit-life 20 --png walk.png\n"
        "  cairn simulate maps/cave.txt -a lss-lrtastar --roam 2 --seed 7 --json\n",
    .flags = simulate_flags,
    .flag_count = sizeof simulate_flags / sizeof simulate_flags[0],
    .run = simulate_command,
};
