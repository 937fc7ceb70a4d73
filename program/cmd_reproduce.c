/* cmd_reproduce.c: `cairn reproduce`: the published tables, measured (reproduce.h describes the
 * parts). */
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include "json.h"
#include "reproduce.h"
#include "text.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPRODUCE_QUICK_EVERY = 20, REPRODUCE_QUICK_MAPS = 8 };

static const arg_flag reproduce_flags[] = {
    {"output", 'o', ARG_TEXT, "DIR", "the folder for all results",
     offsetof(reproduce_options, output), 0, 0},
    FLAG_SWITCH("list", "list the tables", offsetof(reproduce_options, list)),
    FLAG_SWITCH("quick", "a small sample, within a few minutes",
                offsetof(reproduce_options, quick)),
    FLAG_TEXT("data", "DIR", "the MovingAI benchmarks: DIR/dao/*.map and so on ($CAIRN_DATA)",
              offsetof(reproduce_options, data)),
    FLAG_COUNT("every", "K",
               "take the first problem of each map and then every K-th (1; quick: 20)",
               offsetof(reproduce_options, every), 1, 100000),
    FLAG_COUNT("maps", "N", "take at most N maps of a set (all; quick: 8)",
               offsetof(reproduce_options, maps), 1, 10000),
    FLAG_COUNT("repeat", "R",
               "measure each problem R times and take the median (once; in H's tables 3 times)",
               offsetof(reproduce_options, repeat), 1, 31),
    FLAG_COUNT("threads", "N", "measure N maps side by side (as many as there are processors)",
               offsetof(reproduce_options, threads), 1, 64),
    FLAG_ALGORITHM(ARG_TEXTS, "ALG,…",
                   "measure these instead of SGA*'s variants in the tables of T 8.3",
                   offsetof(reproduce_options, algorithms)),
    FLAG_SWITCH("problems", "write a line for each problem, too",
                offsetof(reproduce_options, problems)),
    FLAG_SWITCH("fresh", "remove what an earlier run left in the folder",
                offsetof(reproduce_options, fresh)),
    FLAG_JSON(reproduce_options, json),
};

/* ---- what is asked for ---- */

/* A title without what Markdown needs. */
static const char *reproduce_plain(const char *title, char out[REPRODUCE_NAME * 2])
{
    size_t length = 0;
    for (; *title && length + 1 < REPRODUCE_NAME * 2; title++)
        if (*title != '\\') out[length++] = *title;
    out[length] = 0;
    return out;
}

static void reproduce_json_list(void)
{
    json j = json_to(stdout);
    json_list(&j, NULL);
    for (uint32_t i = 0; i < reproduce_table_count; i++) {
        char title[REPRODUCE_NAME * 2];
        json_object(&j, NULL);
        json_text(&j, "table", reproduce_tables[i]->name);
        json_text(&j, "title", reproduce_plain(reproduce_tables[i]->title, title));
        json_end(&j);
    }
    json_end(&j);
}

static void reproduce_print_list(void)
{
    for (uint32_t i = 0; i < reproduce_table_count; i++) {
        char title[REPRODUCE_NAME * 2];
        printf("%-20s %s\n", reproduce_tables[i]->name,
               reproduce_plain(reproduce_tables[i]->title, title));
    }
}

static int reproduce_choose(const command *self, reproduce_run *run, int argc, char **argv)
{
    for (uint32_t i = 0; !argc && i < reproduce_table_count; i++) run->states[i] = TABLE_MEASURED;
    for (int a = 0; a < argc; a++) {
        const char *near = NULL;
        uint32_t i = 0;
        for (; i < reproduce_table_count && strcmp(reproduce_tables[i]->name, argv[a]) != 0; i++)
            near = text_nearer(argv[a], near, reproduce_tables[i]->name);
        if (i < reproduce_table_count)
            run->states[i] = TABLE_MEASURED;
        else if (near)
            return complain_usage(self, "there is no table \"%s\"; did you mean %s?", argv[a],
                                  near);
        else
            return complain_usage(
                self, "there is no table \"%s\" (`cairn reproduce --list` lists them)", argv[a]);
    }
    return END_OK;
}

static int reproduce_data(const command *self, reproduce_options *options)
{
    struct stat info;
    bool given = options->data != NULL;
    if (!given) options->data = getenv("CAIRN_DATA");
    if (options->data && !options->data[0]) options->data = NULL;
    if (!options->data || (!stat(options->data, &info) && S_ISDIR(info.st_mode))) return END_OK;
    return complain_usage(self, "%s %s is not a folder",
                          given ? "--data" : "CAIRN_DATA:", options->data);
}

static void reproduce_fill_in(reproduce_options *options)
{
    if (!options->every) options->every = options->quick ? REPRODUCE_QUICK_EVERY : 1;
    if (!options->maps && options->quick) options->maps = REPRODUCE_QUICK_MAPS;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (!options->threads)
        options->threads = processors < 1 ? 1 : processors > 64 ? 64 : (uint32_t)processors;
}

/* The algorithms of a table; those that this version does not have are left out. */
static void reproduce_choose_series(reproduce_run *run, const reproduce_table *table)
{
    uint32_t number = reproduce_table_number(table), known = 0;
    reproduce_series *series = run->series[number];
    bool own = table->open_series && run->own.count;
    uint32_t algorithms = table->series_count - table->edit_series;
    uint32_t count = own ? 1 + run->own.count : table->series_count;
    for (uint32_t i = 0; i < count; i++) {
        series[i] = !own ? table->series[i]
                    : i  ? (reproduce_series){run->own.specs[i - 1], run->own.specs[i - 1], 0, 0}
                         : (reproduce_series){"A*", "astar", 0, 0};
        if (!own && run->options->quick && table->quick_specs && table->quick_specs[i])
            series[i].spec = table->quick_specs[i];
        bool edit = !own && i >= algorithms;
        if (!edit && !cairn_algorithm_find(series[i].spec, strcspn(series[i].spec, ":")))
            series[i].spec = NULL;
        known += series[i].spec != NULL && !edit;
    }
    run->series_count[number] = count;
    if (run->states[number] == TABLE_MEASURED && known < count && known < 2)
        run->states[number] = TABLE_NO_ALGORITHM;
}

static int reproduce_own(const command *self, const reproduce_options *options, reproduce_run *run)
{
    if (!options->algorithms.count) return END_OK;
    int end = algorithms_from(self, &options->algorithms, &run->own);
    if (!end && run->own.count >= REPRODUCE_SERIES)
        return complain_usage(self, "-a takes at most %d algorithms here", REPRODUCE_SERIES - 1);
    return end;
}

static bool reproduce_settings(reproduce_run *run)
{
    const reproduce_options *options = run->options;
    int length =
        snprintf(run->settings, sizeof run->settings,
                 "version %s\nrules %d\nevery %u\nmaps %u\nrepeat %u\nquick %d\n", cairn_version(),
                 REPRODUCE_RULES, options->every, options->maps, options->repeat, options->quick);
    for (uint32_t i = 0; i < run->own.count && (size_t)length < sizeof run->settings; i++)
        length += snprintf(run->settings + length, sizeof run->settings - (size_t)length,
                           "algorithm %s\n", run->own.specs[i]);
    if ((size_t)length < sizeof run->settings) return true;
    complain("the algorithms of -a are too long");
    return false;
}

/* ---- doing it ---- */

/* Tables that are not asked for now but are complete from an earlier run stay on the page. */
static bool reproduce_recall(reproduce_run *run)
{
    for (uint32_t i = 0; i < reproduce_table_count; i++) {
        if (run->states[i] != TABLE_NOT_ASKED) continue;
        uint32_t first = run->part_count, done = 0;
        if (!reproduce_plan(run, reproduce_tables[i])) return false;
        for (uint32_t p = first; p < run->part_count; p++) {
            if (!journal_read(run, &run->parts[p])) return false;
            done += run->parts[p].done;
        }
        bool whole = run->part_count > first && done == run->part_count - first;
        run->states[i] = whole ? TABLE_MEASURED : TABLE_NOT_ASKED;
        if (!whole) run->part_count = first;
    }
    return true;
}

static bool reproduce_prepare(reproduce_run *run)
{
    for (uint32_t i = 0; i < reproduce_table_count; i++)
        if (run->states[i] == TABLE_MEASURED && !reproduce_plan(run, reproduce_tables[i]))
            return false;
    for (uint32_t p = 0; p < run->part_count; p++)
        if (!journal_read(run, &run->parts[p])) return false;
    return reproduce_recall(run);
}

static void reproduce_tell_json(const reproduce_run *run)
{
    static const char *const states[] = {"not asked for", "measured", "no maps", "no algorithm"};
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "folder", run->options->output);
    json_list(&j, "tables");
    for (uint32_t i = 0; i < reproduce_table_count; i++) {
        if (run->states[i] == TABLE_NOT_ASKED) continue;
        const reproduce_table *table = reproduce_tables[i];
        uint32_t maps = 0, problems = 0, counts[VERDICT_COUNT], at = 0;
        for (const reproduce_part *part; (part = reproduce_next(run, table, &at)); maps++)
            problems += reproduce_problem_count(part->record.cells[0]);
        reproduce_count_claims(run, table, counts);
        json_object(&j, NULL);
        json_text(&j, "table", table->name);
        json_text(&j, "state", states[run->states[i]]);
        json_integer(&j, "maps", maps);
        json_integer(&j, "problems", problems);
        json_integer(&j, "agrees", counts[VERDICT_AGREES]);
        json_integer(&j, "better", counts[VERDICT_BETTER]);
        json_integer(&j, "contradicts", counts[VERDICT_CONTRADICTS]);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
}

static void reproduce_tell(const reproduce_run *run)
{
    uint32_t measured = 0, skipped = 0;
    for (uint32_t i = 0; i < reproduce_table_count; i++) {
        measured += run->states[i] == TABLE_MEASURED;
        skipped += run->states[i] == TABLE_NO_DATA || run->states[i] == TABLE_NO_ALGORITHM;
    }
    say("%s/index.md: %u table%s", run->options->output, measured, measured == 1 ? "" : "s");
    if (skipped) printf(", %u skipped (the page says why)", skipped);
    putchar('\n');
}

/* Ends as one who was interrupted does. */
static int reproduce_interrupted(const reproduce_run *run)
{
    uint32_t done = 0;
    for (uint32_t p = 0; p < run->part_count; p++) done += run->parts[p].done;
    complain("interrupted: %u of %u maps are done and kept; run the same command to continue", done,
             run->part_count);
    signal(reproduce_ending(), SIG_DFL);
    raise(reproduce_ending());
    return END_NO;
}

static int reproduce_all(reproduce_run *run)
{
    if (!reproduce_settings(run) || !journal_open(run) || !reproduce_prepare(run)) return END_DATA;
    int end = reproduce_measure(run);
    if (reproduce_ending()) return reproduce_interrupted(run);
    if (end) return end;
    if (!reproduce_report(run)) return END_DATA;
    if (run->options->json)
        reproduce_tell_json(run);
    else
        reproduce_tell(run);
    return END_OK;
}

static int reproduce_main(const command *self, int argc, char **argv)
{
    reproduce_options options = {0};
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    if (options.list) {
        if (options.json)
            reproduce_json_list();
        else
            reproduce_print_list();
        return END_OK;
    }
    reproduce_run *run = calloc(1, sizeof *run);
    if (!run) return complain("there is not enough memory to begin"), END_DATA;
    run->options = &options;
    int end = reproduce_choose(self, run, argc, argv);
    if (!end && !options.output)
        end = complain_usage(self, "reproduce: -o DIR is missing, the folder for all results");
    if (!end && !options.output[0])
        end = complain_usage(self, "-o: expected the name of a folder, got \"\"");
    if (!end) end = reproduce_data(self, &options);
    if (!end) end = reproduce_own(self, &options, run);
    if (!end) {
        reproduce_fill_in(&options);
        for (uint32_t i = 0; i < reproduce_table_count; i++)
            reproduce_choose_series(run, reproduce_tables[i]);
        end = reproduce_all(run);
    }
    journal_close(run);
    free(run->parts);
    free(run);
    return end;
}

const command command_reproduce = {
    .name = "reproduce",
    .summary = "Measure the published tables again",
    .synopsis = "[TABLE…] -o DIR [options]",
    .details =
        "TABLE is one of t-counter-strike, t-company-of-heroes, t-baldurs-gate, t-starcraft, "
        "t-pseudo-rts\n"
        "(SGA* against A*), t-labels (connected components under edits), t-discrete (open lists, "
        "IDA*, SMA*, fringe search), t-continuous (agents in a world that changes), t-scheduling "
        "(updates in frames), t-hpa, t-pra, "
        "t-mm, "
        "t-dhpa (hierarchies), h-paths, h-building, "
        "h-entrances,\n"
        "h-variants and h-edits (PRA* against HPA*), l-table1 (real-time search on maps of 20 "
        "million cells); without one, all of them. DIR/index.md gets\n"
        "the tables, with the published figure beside each measured one; DIR gets the numbers as "
        "CSV and\n"
        "the plots as SVG and PNG.\n"
        "Results are kept map by map in DIR/journal: after an interruption the same command "
        "continues\n"
        "there. Numbers do not depend on --threads; only those in *-times.* depend on the machine. "
        "All of\n"
        "it takes about four hours of processor time, --quick some minutes. Tables on maps of "
        "games "
        "need the MovingAI\n"
        "benchmarks, and are skipped without them.\n"
        "\n"
        "Examples:\n"
        "  cairn reproduce --list\n"
        "  cairn reproduce --quick -o out/reproduced\n"
        "  cairn reproduce h-paths h-building --data benchmarks -o out/harvanova\n"
        "  cairn reproduce t-pseudo-rts -a jps,hpa,pra --every 10 -o out/others\n",
    .flags = reproduce_flags,
    .flag_count = sizeof reproduce_flags / sizeof reproduce_flags[0],
    .run = reproduce_main,
};
