/* reproduce_report.c: what a run leaves for people: index.md, pages of tables map by map, and CSV
 * files (see reproduce.h).
 *
 * Numbers that are the same on every machine and numbers that are not go to files of their own:
 * everything about time is called NAME-times.
 */
#include "reproduce.h"

#include "pen.h"
#include "text.h"

#include <string.h>

/* ---- CSV ---- */

static void report_csv_row(FILE *out, const reproduce_table *table, const char *map,
                           const reproduce_series *series, const statistic *cells, bool times)
{
    fprintf(out, "%s,\"%s\",\"%s\",%u", map, series->name, series->spec,
            reproduce_problem_count(cells));
    for (uint32_t m = times ? METRIC_TIME : 0; m < (times ? METRIC_COUNT : METRIC_TIME); m++) {
        if (!(table->metrics & METRIC_BIT(m))) continue;
        if (cells[m].count)
            fprintf(out, ",%.9g,%.9g,%.9g", statistic_mean(&cells[m]),
                    statistic_deviation(&cells[m]), cells[m].most);
        else
            fputs(",,,", out);
    }
    fputc('\n', out);
}

static bool report_csv(const reproduce_run *run, const reproduce_table *table, bool times)
{
    char name[REPRODUCE_NAME * 2];
    snprintf(name, sizeof name, "%s%s.csv", table->name, times ? "-times" : "");
    FILE *out = reproduce_create(run, name);
    if (!out) return false;
    fputs("map,series,algorithm,problems", out);
    for (uint32_t m = times ? METRIC_TIME : 0; m < (times ? METRIC_COUNT : METRIC_TIME); m++)
        if (table->metrics & METRIC_BIT(m))
            fprintf(out, ",%s,%s_deviation,%s_most", reproduce_metric_names[m],
                    reproduce_metric_names[m], reproduce_metric_names[m]);
    fputc('\n', out);
    const reproduce_series *series = reproduce_series_of(run, table);
    uint32_t count = reproduce_series_count(run, table), at = 0;
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));)
        for (uint32_t i = 0; i < count; i++)
            if (series[i].spec)
                report_csv_row(out, table, part->map, &series[i], part->record.cells[i], times);
    reproduce_record all;
    reproduce_sum(run, table, NULL, &all);
    for (uint32_t i = 0; i < count; i++)
        if (series[i].spec) report_csv_row(out, table, "all", &series[i], all.cells[i], times);
    return reproduce_finish(run, out, name);
}

/* ---- map by map ---- */

static bool report_maps(const reproduce_run *run, const reproduce_table *table, bool times)
{
    if (!reproduce_has_maps(table, times)) return true;
    char name[REPRODUCE_NAME * 2];
    snprintf(name, sizeof name, "%s-maps%s.md", table->name, times ? "-times" : "");
    FILE *out = reproduce_create(run, name);
    if (!out) return false;
    reproduce_print_maps(run, table, times, out);
    return reproduce_finish(run, out, name);
}

/* ---- the page ---- */

#if defined(__OPTIMIZE__)
#define REPORT_OPTIMISED "with optimisation"
#else
#define REPORT_OPTIMISED "without optimisation"
#endif
#if defined(CAIRN_CHECKS)
#define REPORT_CHECKS "with"
#else
#define REPORT_CHECKS "without"
#endif
#if defined(__OPTIMIZE__) && !defined(CAIRN_CHECKS)
#define REPORT_SLOW false
#else
#define REPORT_SLOW true
#endif

#define REPORT_DATA \
    "The maps are not Cairn's to give away: get the MovingAI benchmarks " \
    "(https://movingai.com/benchmarks), put each set into a " \
    "folder of its own (`dao`, `bg512`, `sc1`, `wc3`; NAME.map and NAME.map.scen), and name the " \
    "folder above them by " \
    "`--data DIR` or by the variable `CAIRN_DATA`.\n"

static void report_size(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    uint32_t maps = 0, at = 0, problems = 0, recorded = 0;
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at)); maps++) {
        recorded += part->recorded;
        problems += reproduce_problem_count(part->record.cells[0]);
    }
    char text[TEXT_SHORT];
    fprintf(out, "Measured: %u map%s", maps, maps == 1 ? "" : "s");
    if (problems > maps) fprintf(out, ", %s problems", text_count(problems, text));
    fputs(".", out);
    if (maps < table->map_count)
        fprintf(out, " %u of the published maps were not found: see `--data`.",
                table->map_count - maps);
    uint32_t incomplete = run->incomplete[reproduce_table_number(table)];
    if (incomplete)
        fprintf(out, " Left out, without a scenario: %u map%s.", incomplete,
                incomplete == 1 ? "" : "s");
    if (recorded)
        fprintf(out, " Recorded earlier, and not there now: %u map%s.", recorded,
                recorded == 1 ? "" : "s");
    for (uint32_t i = 0; !recorded && i < table->set_count; i++) {
        const reproduce_set *set = &table->sets[i];
        /* That of all problems of the folder says it already. */
        bool named = set->folder && set->repeated;
        if (!named && !reproduce_has_set(run, set))
            fprintf(out, " The set `%s` was not found: see `--data`.", reproduce_set_name(set));
    }
    fputs("\n", out);
}

static void report_missing_series(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    const reproduce_series *series = reproduce_series_of(run, table);
    for (uint32_t i = 0; i < reproduce_series_count(run, table); i++)
        if (!series[i].spec)
            fprintf(out, "\nLeft out: %s, as this version has no `%.*s`.\n", series[i].name,
                    (int)strcspn(table->series[i].spec, ":"), table->series[i].spec);
}

static void report_link_maps(const reproduce_table *table, FILE *out)
{
    const char *before = " Map by map: ";
    for (int times = 0; times < 2; times++) {
        const char *ending = times ? "-times" : "";
        if (!reproduce_has_maps(table, times)) continue;
        fprintf(out, "%s[%s-maps%s.md](%s-maps%s.md)", before, table->name, ending, table->name,
                ending);
        before = ", ";
    }
    if (reproduce_has_maps(table, false) || reproduce_has_maps(table, true)) fputc('.', out);
}

static void report_table(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    fprintf(out, "\n## %s\n\n%s\n\n", table->title, table->about);
    switch (run->states[reproduce_table_number(table)]) {
    case TABLE_NO_DATA:
        fputs("**Skipped**: the maps, or their scenarios, were not found. " REPORT_DATA, out);
        return;
    case TABLE_NO_ALGORITHM:
        fprintf(out, "**Skipped**: this version has no algorithm `%.*s`.\n",
                (int)strcspn(table->series[1].spec, ":"), table->series[1].spec);
        return;
    case TABLE_NOT_ASKED:
    case TABLE_MEASURED: break;
    }
    report_size(run, table, out);
    report_missing_series(run, table, out);
    table->print(run, table, out);
    if (!reproduce_has_own(run, table)) reproduce_print_claims(run, table, out);
    fprintf(out, "\nNumbers: [%s.csv](%s.csv), [%s-times.csv](%s-times.csv).", table->name,
            table->name, table->name, table->name);
    report_link_maps(table, out);
    fputc('\n', out);
}

/* How often a problem is measured. */
static void report_turns(const reproduce_options *options, char out[200])
{
    if (options->repeat > 1)
        snprintf(out, 200, "%u times; times are medians of that", options->repeat);
    else
        snprintf(out, 200, "once%s; of less than 0.2 milliseconds the median of three runs counts",
                 options->repeat ? ""
                                 : " (in H's tables, of few problems, three times, of which the "
                                   "median counts)");
}

static void report_head(const reproduce_run *run, FILE *out)
{
    const reproduce_options *options = run->options;
    char turns[200];
    report_turns(options, turns);
    fprintf(out,
            "<!-- cairn reproduce -->\n# Published tables, measured again\n\n"
            "Made by `cairn reproduce`, Cairn %s, rules %d%s. ",
            cairn_version(), REPRODUCE_RULES,
            options->quick ? ", with `--quick`: a small sample, good for a first look only" : "");
    fprintf(out, "Problems: %s", options->every == 1 ? "all" : "the first and then every ");
    if (options->every > 1) fprintf(out, "%u-th", options->every);
    if (options->maps) fprintf(out, "; at most %u maps of each set, evenly spread", options->maps);
    fprintf(out,
            ". Every problem was given to all algorithms in turn, %s, each time after a run that "
            "is not measured.\n\n"
            "**T** is B. Anguelov, *Video Game Pathfinding and Improvements to Discrete Search on "
            "Grid-based Maps*, 2011; **H** is J. "
            "Harvanová's thesis on HPA\\* and PRA\\*; **L** is R. Lawrence and V. Bulitko, *Taking "
            "Learning out of Real-time Heuristic Search for Video-game Pathfinding*, 2010. *Per "
            "cent of A\\** is the mean over problems "
            "of what an algorithm needed, as a "
            "per cent of what A\\* needed for the same problem (T 8.3.1), so short problems count "
            "as much as long ones. *Longer* is how "
            "much longer than the best path a path is; T's optimality (eq. 4.1) is 100 %% less "
            "that. Smoothing is by rays on the grid. In "
            "the tables of T a diagonal step costs √2 and no corner is cut. Everything but times "
            "is the same on every machine and with "
            "any number of threads; what depends on time is in files called `*-times.*`.%s\n\n"
            "A verdict is one of three words: **agrees** if the measured number is near the "
            "published one, or on the side that was named; **better** if it is beyond a published "
            "number for the good (faster, smaller, shorter); **contradicts** otherwise, also where "
            "something was said to be worse than something else and is not; – if nothing was "
            "published. *Memory* of SGA\\* is that of its largest refinement: in nodes "
            "that it has seen, as T counts, and beside it in bytes of records and open lists, "
            "which come in pages, so that small searches weigh more.\n\n"
            "This program was built %s and %s internal checks (`CAIRN_CHECKS`)%s.\n\n",
            turns, pen_has_png() ? " Each plot is there as PNG, too." : "", REPORT_OPTIMISED,
            REPORT_CHECKS, REPORT_SLOW ? ": its times are not those of a release" : "");
}

static bool report_index(const reproduce_run *run)
{
    FILE *out = reproduce_create(run, "index.md");
    if (!out) return false;
    report_head(run, out);
    for (uint32_t i = 0; i < reproduce_table_count; i++) {
        if (run->states[i] == TABLE_NOT_ASKED) continue;
        fprintf(out, "- `%s`: %s%s\n", reproduce_tables[i]->name, reproduce_tables[i]->title,
                run->states[i] == TABLE_MEASURED ? "" : " (skipped)");
    }
    for (uint32_t i = 0; i < reproduce_table_count; i++)
        if (run->states[i] != TABLE_NOT_ASKED) report_table(run, reproduce_tables[i], out);
    return reproduce_finish(run, out, "index.md");
}

/* Is it the ending of a plot, in one of its two formats? */
static bool report_is_plot(const char *ending)
{
    static const char *const plots[] = {
        "-times",        "-overall-times",  "-memory",         "-memory-bytes", "-longer",
        "-smoothed",     "-nodes",          "-elsewhere",      "-edits-times",  "-cut-times",
        "-sparse-times", "-facility-times", "-enlarged-times", "-crowd-nodes",  "-crowd-times",
        "-crowd-bytes",  "-front-nodes",    "-front-times",    "-atomic",       "-naive",
        "-distributed",  "-sliced"};
    for (uint32_t i = 0; i < sizeof plots / sizeof plots[0]; i++) {
        size_t length = strlen(plots[i]);
        if (!strncmp(ending, plots[i], length) &&
            (!strcmp(ending + length, ".svg") || !strcmp(ending + length, ".png")))
            return true;
    }
    return false;
}

bool reproduce_is_ours(const char *name)
{
    static const char *const endings[] = {".csv", "-times.csv", "-maps.md", "-maps-times.md"};
    if (!strcmp(name, "index.md")) return true;
    for (uint32_t i = 0; i < reproduce_table_count; i++) {
        size_t head = strlen(reproduce_tables[i]->name);
        if (strncmp(name, reproduce_tables[i]->name, head) != 0) continue;
        if (report_is_plot(name + head)) return true;
        for (uint32_t e = 0; e < sizeof endings / sizeof endings[0]; e++)
            if (!strcmp(name + head, endings[e])) return true;
    }
    return false;
}

bool reproduce_report(const reproduce_run *run)
{
    for (uint32_t i = 0; i < reproduce_table_count; i++) {
        const reproduce_table *table = reproduce_tables[i];
        if (run->states[i] != TABLE_MEASURED) continue;
        if (!report_csv(run, table, false) || !report_csv(run, table, true) ||
            !report_maps(run, table, false) || !report_maps(run, table, true) ||
            (table->draw && !table->draw(run, table)))
            return false;
    }
    return report_index(run);
}
