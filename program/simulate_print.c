/* simulate_print.c: what a simulation was, as JSON and for people (see simulate.h). */
#include "simulate.h"

#include "text.h"

#include <math.h>

/* To thousandths. */
static double print_rounded(double value)
{
    return (double)(int64_t)(value * 1000 + 0.5) / 1000;
}

static double print_per(double sum, double count)
{
    return count > 0 ? sum / count : 0;
}

static uint64_t print_responses(const simulate_run *run)
{
    return run->opening.count + run->responses.count;
}

/* All goals, those at first as well. */
static double print_response_mean(const simulate_run *run)
{
    return print_per(simulate_mean(&run->opening) * (double)run->opening.count +
                         simulate_mean(&run->responses) * (double)run->responses.count,
                     (double)print_responses(run));
}

static double print_response_most(simulate_run *run)
{
    return fmax(simulate_quantile(&run->opening, 1), simulate_quantile(&run->responses, 1));
}

/* Paths that were planned again, beyond one for each goal. */
static uint64_t print_replans(const simulate_run *run)
{
    uint64_t first = print_responses(run);
    if (run->setup->service) return run->broken + run->better;
    return run->sums.plans > first ? run->sums.plans - first : 0;
}

static uint64_t print_paths(const simulate_run *run)
{
    return run->setup->service ? run->answers : run->sums.plans;
}

/* ---- JSON ---- */

static void print_json_times(json *j, simulate_run *run)
{
    double mean = simulate_mean(&run->frames), all = mean * run->turns;
    json_number(j, "frame_us_mean", print_rounded(mean));
    json_number(j, "frame_us_p50", print_rounded(simulate_quantile(&run->frames, 0.5)));
    json_number(j, "frame_us_p99", print_rounded(simulate_quantile(&run->frames, 0.99)));
    json_number(j, "frame_us_p999", print_rounded(simulate_quantile(&run->frames, 0.999)));
    json_number(j, "frame_us_max", print_rounded(simulate_quantile(&run->frames, 1)));
    json_number(j, "paths_per_second",
                print_rounded(print_per((double)print_paths(run) * 1e6, all)));
}

static void print_json_responses(json *j, simulate_run *run)
{
    json_number(j, "response_frames_mean", print_rounded(print_response_mean(run)));
    json_number(j, "response_frames_max", print_response_most(run));
    json_number(j, "opening_frames_mean", print_rounded(simulate_mean(&run->opening)));
    json_number(j, "opening_frames_max", simulate_quantile(&run->opening, 1));
    json_number(j, "later_frames_mean", print_rounded(simulate_mean(&run->responses)));
    json_number(j, "later_frames_p50", simulate_quantile(&run->responses, 0.5));
    json_number(j, "later_frames_p99", simulate_quantile(&run->responses, 0.99));
    json_number(j, "later_frames_p999", simulate_quantile(&run->responses, 0.999));
    json_number(j, "later_frames_max", simulate_quantile(&run->responses, 1));
}

static void print_json_walks(json *j, const simulate_run *run)
{
    json_integer(j, "peak_bytes", (int64_t)run->peak_bytes);
    json_integer(j, "arrived", run->arrived);
    json_integer(j, "stuck", run->stuck);
    json_integer(j, "collisions", (int64_t)run->collisions);
    json_integer(j, "illegal", (int64_t)run->illegal);
    json_integer(j, "goals_reached", (int64_t)run->reached);
    json_integer(j, "edits", (int64_t)run->changes);
    json_integer(j, "moves", (int64_t)run->sums.moves);
    json_integer(j, "cost_units", (int64_t)run->sums.cost);
    json_integer(j, "work", (int64_t)run->sums.work);
    json_integer(j, "work_max", (int64_t)run->sums.most_work);
}

static void print_json_navigators(json *j, const simulate_run *run)
{
    json_integer(j, "seen", (int64_t)run->seen);
    json_integer(j, "plans", run->sums.plans);
    json_integer(j, "breaks", run->sums.breaks);
    json_integer(j, "syncs", run->sums.syncs);
    json_integer(j, "expanded", (int64_t)run->sums.expanded);
    json_integer(j, "expanded_first", (int64_t)run->first_expanded);
    json_integer(j, "agent_bytes", (int64_t)run->agent_bytes);
    json_integer(j, "agent_bytes_max", (int64_t)run->agent_bytes_most);
}

/* Goals that were given up, by the reason. */
static void print_json_reasons(json *j, const simulate_run *run)
{
    json_object(j, "given_up");
    for (uint32_t i = 0; i < CAIRN_STATUS_COUNT; i++)
        if (run->given_up[i])
            json_integer(j, cairn_status_text((cairn_status)i), (int64_t)run->given_up[i]);
    json_end(j);
}

static void print_json_service(json *j, const simulate_run *run)
{
    print_json_reasons(j, run);
    json_integer(j, "goals_given", (int64_t)run->given);
    json_integer(j, "goals_open", (int64_t)simulate_open_goals(run));
    json_number(j, "reached_share", floor(simulate_share(run) * 1e6) / 1e6);
    json_integer(j, "false_reasons", (int64_t)run->false_reasons);
    json_integer(j, "over_budget", (int64_t)run->over_budget);
    json_integer(j, "undivided", (int64_t)run->undivided);
    json_integer(j, "beside", (int64_t)run->beside);
    json_integer(j, "overspent", (int64_t)run->overspent);
    json_integer(j, "answers", (int64_t)run->answers);
    json_integer(j, "broken", (int64_t)run->broken);
    json_integer(j, "shortcuts", (int64_t)run->better);
    json_integer(j, "outdated", (int64_t)run->outdated);
    json_integer(j, "pinned", (int64_t)run->pinned);
    json_integer(j, "restarts", (int64_t)run->restarts);
    json_integer(j, "waits", (int64_t)run->waits);
    if (run->setup->obstacles) {
        json_integer(j, "held", (int64_t)run->held);
        json_integer(j, "obstacles", (int64_t)run->waiting_count);
    }
    json_integer(j, "requests", (int64_t)run->use.requests);
    json_integer(j, "refused", (int64_t)run->use.refused);
    json_integer(j, "shared", (int64_t)run->use.shared);
    json_integer(j, "copy_bytes", (int64_t)run->use.copy_bytes);
    json_integer(j, "failed_syncs", (int64_t)run->use.failed_syncs);
    json_number(j, "bytes_mean", print_rounded(run->use.mean_bytes));
    json_number(j, "bytes_deviation", print_rounded(sqrt(run->use.variance_bytes)));
}

void simulate_print_json(const simulate_report *report)
{
    simulate_run *run = report->run;
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "algorithm", run->spec);
    json_text(&j, "map", run->world->name);
    json_integer(&j, "seed", (int64_t)run->setup->seed);
    json_integer(&j, "agents", run->agents);
    json_integer(&j, "frames", run->turns);
    json_bool(&j, "interrupted", report->interrupted);
    print_json_times(&j, run);
    json_integer(&j, "replans", (int64_t)print_replans(run));
    print_json_responses(&j, run);
    print_json_walks(&j, run);
    if (run->setup->service)
        print_json_service(&j, run);
    else
        print_json_navigators(&j, run);
    json_integer(&j, "index_bytes", (int64_t)cairn_planner_index_bytes(run->planner));
    json_integer(&j, "world_bytes", (int64_t)world_bytes(run->world));
    json_end(&j);
}

/* ---- text ---- */

static void print_times(simulate_run *run)
{
    char mean[TEXT_SHORT], p99[TEXT_SHORT], p999[TEXT_SHORT], most[TEXT_SHORT];
    printf("  frames     %s each, 99 %% within %s, 99.9 %% within %s, at most %s\n",
           text_duration(simulate_mean(&run->frames), mean),
           text_duration(simulate_quantile(&run->frames, 0.99), p99),
           text_duration(simulate_quantile(&run->frames, 0.999), p999),
           text_duration(simulate_quantile(&run->frames, 1), most));
    printf("  answers    %s after %s turns, at most %.0f\n",
           run->setup->service ? "the path comes" : "the first step comes",
           text_number(print_response_mean(run), mean), print_response_most(run));
    if (!run->setup->service || !run->responses.count) return;
    printf("             first goals after %s, all others after %s, 99 %% within %.0f\n",
           text_number(simulate_mean(&run->opening), mean),
           text_number(simulate_mean(&run->responses), p99),
           simulate_quantile(&run->responses, 0.99));
}

static void print_navigators(const simulate_run *run)
{
    char a[TEXT_SHORT], b[TEXT_SHORT], c[TEXT_SHORT];
    printf("  edits      %s; %s paths found broken, %s planned again\n",
           text_count(run->changes, a), text_count(run->sums.breaks, b),
           text_count(print_replans(run), c));
    if (run->seen) printf("  sensors    %s cells found changed\n", text_count(run->seen, a));
    printf("  expanded   %s nodes, %s of them before the first steps\n",
           text_count(run->sums.expanded, a), text_count(run->first_expanded, b));
    printf("  work       %s units, at most %s of an agent in a turn\n",
           text_count(run->sums.work, a), text_count(run->sums.most_work, b));
}

static void print_service(const simulate_run *run)
{
    char a[TEXT_SHORT], b[TEXT_SHORT], c[TEXT_SHORT], d[TEXT_SHORT];
    printf("  edits      %s; %s paths broken, %s shortcuts looked for; %s searches began again\n",
           text_count(run->changes, a), text_count(run->broken, b), text_count(run->better, c),
           text_count(run->restarts, d));
    for (uint32_t i = 0; i < CAIRN_STATUS_COUNT; i++)
        if (run->given_up[i])
            printf("  given up   %s goals: %s\n", text_count(run->given_up[i], a),
                   cairn_status_text((cairn_status)i));
    printf("  in reach   %.4f %% of %s goals were reached, %s are open\n",
           floor(simulate_share(run) * 1e6) / 1e4,
           text_count(run->given - run->given_up[CAIRN_UNREACHABLE], a),
           text_count(simulate_open_goals(run), b));
    printf("  work       %s units, at most %s in a turn\n", text_count(run->sums.work, a),
           text_count(run->sums.most_work, b));
    if (run->over_budget)
        printf("             %s turns took more than they may: %s units of indexes that cannot be "
               "divided%s\n",
               text_count(run->over_budget, a), text_count(run->undivided, b),
               run->setup->background == CAIRN_SHARE_NEVER ? " (try: --background 15)" : "");
    if (run->beside)
        printf(
            "             %s units more of indexes, which turns made themselves (--threads 2 makes "
            "them beside)\n",
            text_count(run->beside, a));
}

static void print_memory(const simulate_run *run)
{
    char a[TEXT_SHORT], b[TEXT_SHORT], c[TEXT_SHORT];
    if (run->setup->service)
        printf("  memory     %s at most, %s on average, %s requests refused\n",
               text_bytes(run->peak_bytes, a), text_bytes((uint64_t)run->use.mean_bytes, b),
               text_count(run->use.refused, c));
    else
        printf("  memory     %s an agent, at most %s; %s in all\n", text_bytes(run->agent_bytes, a),
               text_bytes(run->agent_bytes_most, b), text_bytes(run->peak_bytes, c));
    if (run->use.copy_bytes)
        printf("             %s for copies of the world and their indexes, made beside the turns\n",
               text_bytes(run->use.copy_bytes, a));
    if (run->use.failed_syncs)
        printf("             %s times there was no memory for a new index: the old one served on\n",
               text_count(run->use.failed_syncs, a));
}

static void print_faults(const simulate_run *run)
{
    char text[TEXT_SHORT];
    if (run->illegal)
        printf("  WRONG      %s moves are no edges\n", text_count(run->illegal, text));
    if (run->false_reasons)
        printf("  WRONG      %s goals were called unreachable and are not\n",
               text_count(run->false_reasons, text));
    if (run->overspent)
        printf("  WRONG      %s turns took more work than they may\n",
               text_count(run->overspent, text));
}

void simulate_print_text(const simulate_report *report)
{
    simulate_run *run = report->run;
    char text[TEXT_SHORT], index[INDEX_TEXT], goals[TEXT_SHORT];
    say("%s on %s: %u of %u agents arrived in %s turns", run->spec, text_base(run->world->name),
        run->arrived, run->agents, text_count(run->turns, text));
    if (run->stuck) printf(", %u without a path", run->stuck);
    printf("%s\n", report->interrupted ? " (interrupted)" : "");
    print_times(run);
    printf("  goals      %s reached, in %s steps\n", text_count(run->reached, goals),
           text_count(run->sums.moves, text));
    if (run->setup->service)
        print_service(run);
    else
        print_navigators(run);
    printf("  meetings   %s times two agents on one cell\n", text_count(run->collisions, text));
    if (run->setup->obstacles)
        printf("  obstacles  %s, for agents that stood in the way\n",
               text_count(run->waiting_count, text));
    print_memory(run);
    if (report->index->needed) printf("  index      %s\n", index_text(report->index, index));
    print_faults(run);
}
