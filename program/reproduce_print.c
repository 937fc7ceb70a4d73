/* reproduce_print.c: the tables of index.md, published numbers beside the measured ones (see
 * reproduce.h). */
#include "reproduce.h"

#include "text.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

/* Three digits or so; "–" for what is not there. */
void reproduce_print_number(FILE *out, double value)
{
    double size = fabs(value);
    if (!isfinite(value))
        fputs(" – |", out);
    else
        fprintf(out, " %.*f |", size >= 100 ? 0 : size >= 10 ? 1 : 2, value);
}

/* A name; stars would be taken for emphasis. */
static void print_stars(FILE *out, const char *name)
{
    fputc(' ', out);
    for (; *name; name++) {
        if (*name == '*') fputc('\\', out);
        fputc(*name, out);
    }
}

static void print_cell(FILE *out, const char *name)
{
    print_stars(out, name);
    fputs(" |", out);
}

/* In the first cell of a row. */
void reproduce_print_name(FILE *out, const char *name)
{
    fputc('|', out);
    print_cell(out, name);
}

/* With its standard deviation. */
void reproduce_print_spread(FILE *out, const statistic *s)
{
    double mean = statistic_mean(s), deviation = statistic_deviation(s);
    if (!isfinite(mean))
        fputs(" – |", out);
    else
        fprintf(out, " %.*f ± %.*f |", mean >= 100 ? 0 : 1, mean, deviation >= 100 ? 0 : 1,
                deviation);
}

void reproduce_print_count(FILE *out, double value)
{
    char text[TEXT_SHORT];
    if (isfinite(value) && value > 0)
        fprintf(out, " %s |", text_count((uint64_t)(value + 0.5), text));
    else
        fputs(" – |", out);
}

/* A published number: 0 = there is none. */
static void print_published(FILE *out, double value)
{
    reproduce_print_number(out, value != 0 ? value : NAN);
}

static void print_show(FILE *out, const reproduce_table *table, const char *ending,
                       const char *what)
{
    fprintf(out, "\n![%s](%s-%s.svg)\n", what, table->name, ending);
}

/* ---- tables ---- */

static void print_claimed(FILE *out, const reproduce_table *table, uint32_t series, uint32_t column)
{
    /* Those with connected components were not measured then. */
    bool there = series && series <= table->published_count;
    fprintf(out, " %s |", there ? table->published[(series - 1) * 4 + column] : "–");
}

/* `own`: variants of ours, of which nothing was published. */
static void print_variants_text(bool own, FILE *out)
{
    fputs("\nPer cent of A\\* for time, memory and nodes; per cent above the best for paths; mean "
          "± standard deviation over the problems. *All* is the time of all problems together. "
          "*Memory* is the nodes that the largest refinement has seen, as T counts; *bytes* what "
          "they took. ",
          out);
    fputs(
        own ? "\n\n"
            : "The A\\* outside is always the A\\* inside: T's, a heap that prefers the smaller "
              "g, with the octile estimate or with Euclid's, of which T names none; and our "
              "fastest one. The rows of the second and the third A\\* are per cents of the first. "
              "V3 trims as V2 MaxDist does; the thesis does not say.\n\n",
        out);
}

static void print_variants_head(bool own, FILE *out)
{
    fputs(own ? "| algorithm | time | all | memory | bytes | explored | longer | smoothed | failed "
                "|\n"
                "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
              : "| variant | time | all | published | memory | published | bytes | explored | "
                "longer | published | "
                "smoothed | published | failed "
                "|\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          out);
}

/* Some series are measured for a sample of the problems. */
static void print_samples(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    const reproduce_series *series = reproduce_series_of(run, table);
    bool any = false;
    for (uint32_t i = 0; i < reproduce_series_count(run, table); i++) {
        if (series[i].every <= 1 || !series[i].spec) continue;
        if (any)
            fputc(';', out);
        else
            fprintf(out,
                    "Measured on a sample only, the first problem of each map and every %u-th:",
                    series[i].every);
        any = true;
        print_stars(out, series[i].name);
    }
    if (any) fputs(". Their per cents are of A\\* on the same problems.\n\n", out);
}

void reproduce_print_variants(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    static const reproduce_metric columns[4] = {METRIC_TIME_PERCENT, METRIC_LARGEST_PERCENT,
                                                METRIC_LONGER, METRIC_LONGER_SMOOTHED};
    reproduce_record all;
    reproduce_sum(run, table, NULL, &all);
    const reproduce_series *series = reproduce_series_of(run, table);
    bool own = reproduce_has_own(run, table);
    print_variants_text(own, out);
    print_samples(run, table, out);
    print_variants_head(own, out);
    for (uint32_t i = 1; i < reproduce_series_count(run, table); i++) {
        double astar = reproduce_mean(&all, i, METRIC_BASE_TIME);
        if (!series[i].spec) continue;
        reproduce_print_name(out, series[i].name);
        for (uint32_t c = 0; c < 4; c++) {
            reproduce_print_spread(out, &all.cells[i][columns[c]]);
            if (!c) reproduce_print_number(out, 100 * reproduce_mean(&all, i, METRIC_TIME) / astar);
            if (!own) print_claimed(out, table, i, c);
            if (c != 1) continue;
            reproduce_print_spread(out, &all.cells[i][METRIC_MEMORY_PERCENT]);
            reproduce_print_spread(out, &all.cells[i][METRIC_EXPANDED_PERCENT]);
        }
        fprintf(out, " %.0f |\n", all.cells[i][METRIC_FAILED].sum);
    }
    reproduce_print_costs(run, table, out);
    print_show(out, table, "overall-times", "all maps");
    print_show(out, table, "times", "search time, map by map");
    print_show(out, table, "memory", "peak memory in nodes, map by map");
    print_show(out, table, "memory-bytes", "peak memory in bytes, map by map");
    print_show(out, table, "longer", "path lengths, unsmoothed, map by map");
    print_show(out, table, "smoothed", "path lengths, smoothed, map by map");
}

void reproduce_print_series(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    reproduce_record all;
    reproduce_sum(run, table, NULL, &all);
    const reproduce_series *series = reproduce_series_of(run, table);
    fputs("\nMeans over the problems, with ± the standard deviation; *% of A\\** is the mean of "
          "the per cents of the problems.\n\n"
          "| algorithm | longer, % | within 1 %, % | within 5 %, % | expanded | % of A\\* | time, "
          "µs | % of A\\* | index, KB a map | failed |\n"
          "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          out);
    for (uint32_t i = 0; i < reproduce_series_count(run, table); i++) {
        if (!series[i].spec) continue;
        fprintf(out, "| `%s` |", series[i].spec);
        reproduce_print_spread(out, &all.cells[i][METRIC_LONGER]);
        reproduce_print_number(out, 100 * reproduce_mean(&all, i, METRIC_WITHIN_1));
        reproduce_print_number(out, 100 * reproduce_mean(&all, i, METRIC_WITHIN_5));
        reproduce_print_count(out, reproduce_mean(&all, i, METRIC_EXPANDED));
        reproduce_print_spread(out, &all.cells[i][METRIC_EXPANDED_PERCENT]);
        reproduce_print_number(out, reproduce_mean(&all, i, METRIC_TIME));
        reproduce_print_spread(out, &all.cells[i][METRIC_TIME_PERCENT]);
        reproduce_print_number(out, reproduce_mean(&all, i, METRIC_INDEX_BYTES) / 1024);
        fprintf(out, " %.0f |\n", all.cells[i][METRIC_FAILED].sum);
    }
    reproduce_print_costs(run, table, out);
    print_show(out, table, "longer", "path lengths");
    print_show(out, table, "times", "search time");
}

/* ---- map by map ---- */

/* What is told of each map. */
typedef struct print_per_map {
    reproduce_metric metric;
    const char *title;
} print_per_map;

static const print_per_map print_per_maps[] = {
    {METRIC_TIME_PERCENT, "Time, per cent of A\\*"},
    {METRIC_LARGEST_PERCENT, "Memory in nodes of the largest refinement, per cent of A\\*"},
    {METRIC_MEMORY_PERCENT, "Memory in bytes, per cent of A\\*"},
    {METRIC_EXPANDED_PERCENT, "Nodes explored, per cent of A\\*"},
    {METRIC_AFTER_PERCENT, "Nodes explored after the first step, per cent of A\\*"},
    {METRIC_LONGER, "How much longer than the best path, per cent"},
    {METRIC_LONGER_SMOOTHED, "How much longer, smoothed, per cent"},
    {METRIC_MOVE_TIME, "Time of a move, microseconds"},
};

static void print_map_row(const reproduce_run *run, const reproduce_table *table, const char *name,
                          const reproduce_record *record, reproduce_metric metric, FILE *out)
{
    const reproduce_series *series = reproduce_series_of(run, table);
    fprintf(out, "| %s | %u |", name, reproduce_problem_count(record->cells[0]));
    for (uint32_t i = 1; i < reproduce_series_count(run, table); i++)
        if (series[i].spec) reproduce_print_spread(out, &record->cells[i][metric]);
    fputc('\n', out);
}

static void print_map_table(const reproduce_run *run, const reproduce_table *table,
                            reproduce_metric metric, FILE *out)
{
    const reproduce_series *series = reproduce_series_of(run, table);
    uint32_t count = reproduce_series_count(run, table), at = 0;
    fputs("\n| map | problems |", out);
    for (uint32_t i = 1; i < count; i++)
        if (series[i].spec) print_cell(out, series[i].name);
    fputs("\n|---|--:|", out);
    for (uint32_t i = 1; i < count; i++)
        if (series[i].spec) fputs("--:|", out);
    fputc('\n', out);
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));)
        print_map_row(run, table, part->map, &part->record, metric, out);
    reproduce_record sum;
    for (uint32_t s = 0; table->set_count > 1 && s < table->set_count; s++) {
        char name[REPRODUCE_NAME];
        snprintf(name, sizeof name, "**all of `%s`**", reproduce_set_name(&table->sets[s]));
        reproduce_sum(run, table, &table->sets[s], &sum);
        print_map_row(run, table, name, &sum, metric, out);
    }
    reproduce_sum(run, table, NULL, &sum);
    print_map_row(run, table, "**all**", &sum, metric, out);
}

static bool print_is_per_map(const reproduce_table *table, const print_per_map *each, bool times)
{
    return (table->metrics & METRIC_BIT(each->metric)) && (each->metric >= METRIC_TIME) == times;
}

bool reproduce_has_maps(const reproduce_table *table, bool times)
{
    bool any = false;
    for (uint32_t i = 0; i < sizeof print_per_maps / sizeof print_per_maps[0]; i++)
        any |= print_is_per_map(table, &print_per_maps[i], times);
    return any && table->set_count; /* H's tables are map by map on the page */
}

void reproduce_print_maps(const reproduce_run *run, const reproduce_table *table, bool times,
                          FILE *out)
{
    fprintf(out,
            "# %s, map by map\n\nOf each map the mean ± the standard deviation over its problems; "
            "[the page of all tables](index.md) says what is what.\n",
            table->title);
    for (uint32_t i = 0; i < sizeof print_per_maps / sizeof print_per_maps[0]; i++) {
        const print_per_map *each = &print_per_maps[i];
        if (!print_is_per_map(table, each, times)) continue;
        fprintf(out, "\n## %s\n", each->title);
        print_map_table(run, table, each->metric, out);
    }
}

/* ---- H's tables ---- */

/* "dao/brc101d", or "random 20×15, 31 % blocked, seed 1" */
static void print_h_place(FILE *out, const reproduce_h_map *map)
{
    if (map->folder)
        fprintf(out, "%s/%s", map->folder, map->file);
    else if (!strcmp(map->kind, "maze"))
        fprintf(out, "maze %u×%u, corridor %u, wall %u, seed 1", map->width, map->height,
                map->numbers[0], map->numbers[1]);
    else if (map->numbers[0])
        fprintf(out, "%s %u×%u, %u %% blocked, seed 1", map->kind, map->width, map->height,
                map->numbers[0]);
    else
        fprintf(out, "%s %u×%u, seed 1", map->kind, map->width, map->height);
}

void reproduce_print_h_paths(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    uint32_t at = 0;
    fputs("\nMeasured, and behind it what H published.\n\n"
          "| map | search | cost | H | cells | H | time, ms | H | expanded | H | worse, % | H |\n"
          "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          out);
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));) {
        const reproduce_h_row *rows[3] = {&part->h_map->astar, &part->h_map->hpa,
                                          &part->h_map->pra};
        for (uint32_t i = 0; i < 3; i++) {
            fprintf(out, "| %s ", part->map);
            reproduce_print_name(out, table->series[i].name);
            fprintf(out, " %.1f | %.1f | %.0f | %u |",
                    reproduce_mean(&part->record, i, METRIC_COST), rows[i]->cost,
                    reproduce_mean(&part->record, i, METRIC_CELLS), rows[i]->cells);
            reproduce_print_number(out, reproduce_mean(&part->record, i, METRIC_TIME) / 1000);
            reproduce_print_number(out, rows[i]->ms);
            reproduce_print_count(out, reproduce_mean(&part->record, i, METRIC_EXPANDED));
            reproduce_print_count(out, rows[i]->expanded);
            fprintf(out, " %.1f | %.1f |\n", reproduce_mean(&part->record, i, METRIC_LONGER),
                    rows[i]->worse);
        }
    }
    print_show(out, table, "longer", "path quality");
    fputs("\n| map | here | from | to |\n|---|---|--:|--:|\n", out);
    at = 0;
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));) {
        fprintf(out, "| %s | ", part->map);
        print_h_place(out, part->h_map);
        fprintf(out, " | %d,%d | %d,%d |\n", (int)part->h_map->from.x, (int)part->h_map->from.y,
                (int)part->h_map->to.x, (int)part->h_map->to.y);
    }
}

void reproduce_print_h_building(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    uint32_t at = 0;
    fputs("\n| map | here | open, % | H | PRA\\*, ms | H | HPA\\*, ms | H | HPA\\* / PRA\\* | H | "
          "PRA\\*, KB | HPA\\*, KB |\n"
          "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          out);
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));) {
        const reproduce_h_map *map = part->h_map;
        double pra = reproduce_mean(&part->record, 0, METRIC_BUILD_MS);
        double hpa = reproduce_mean(&part->record, 1, METRIC_BUILD_MS);
        fprintf(out, "| %s | ", part->map);
        print_h_place(out, map);
        fputs(" |", out);
        reproduce_print_number(out, reproduce_mean(&part->record, 0, METRIC_OPEN));
        print_published(out, map->open);
        reproduce_print_number(out, pra);
        print_published(out, map->pra_build_ms);
        reproduce_print_number(out, hpa);
        print_published(out, map->hpa_build_ms);
        reproduce_print_number(out, hpa / pra);
        reproduce_print_number(out, map->hpa_build_ms / map->pra_build_ms);
        reproduce_print_number(out, reproduce_mean(&part->record, 0, METRIC_INDEX_BYTES) / 1024);
        reproduce_print_number(out, reproduce_mean(&part->record, 1, METRIC_INDEX_BYTES) / 1024);
        fputc('\n', out);
    }
    print_show(out, table, "times", "building");
}

void reproduce_print_h_entrances(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    uint32_t at = 0;
    fputs("\n| map | two ends from 6: longer, % | tiers: longer, % | difference, points | index, "
          "KB | tiers: index, KB |\n"
          "|---|--:|--:|--:|--:|--:|\n",
          out);
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));) {
        double ends = reproduce_mean(&part->record, 1, METRIC_LONGER);
        double tiers = reproduce_mean(&part->record, 2, METRIC_LONGER);
        fprintf(out, "| %s |", part->map);
        reproduce_print_number(out, ends);
        reproduce_print_number(out, tiers);
        reproduce_print_number(out, ends - tiers);
        reproduce_print_number(out, reproduce_mean(&part->record, 1, METRIC_INDEX_BYTES) / 1024);
        reproduce_print_number(out, reproduce_mean(&part->record, 2, METRIC_INDEX_BYTES) / 1024);
        fputc('\n', out);
    }
    print_show(out, table, "longer", "path quality");
}

void reproduce_print_h_edits(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    uint32_t at = 0;
    fputs("\n| map | edit | cells changed | cost of the path | of the new one, from the 20th step "
          "| built in, ms | rebuilt, ms | H | new path, ms | "
          "H | steps meanwhile | H | repaired in place, ms "
          "|\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          out);
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));) {
        const reproduce_h_map *map = part->h_map;
        const reproduce_record *record = &part->record;
        fprintf(out, "| %s: %d,%d to %d,%d | %d,%d to %d,%d %s | %.0f | %.1f | %.1f |", part->map,
                (int)map->from.x, (int)map->from.y, (int)map->to.x, (int)map->to.y,
                (int)map->edit[0].x, (int)map->edit[0].y, (int)map->edit[1].x, (int)map->edit[1].y,
                map->opens ? "opened" : "blocked", reproduce_mean(record, 0, METRIC_CHANGED),
                reproduce_mean(record, 0, METRIC_COST),
                reproduce_mean(record, 0, METRIC_COST_AFTER));
        reproduce_print_number(out, reproduce_mean(record, 0, METRIC_BUILD_MS));
        reproduce_print_number(out, reproduce_mean(record, 0, METRIC_REBUILD_MS));
        print_published(out, map->rebuild_ms);
        reproduce_print_number(out, reproduce_mean(record, 0, METRIC_REPLAN_MS));
        print_published(out, map->replan_ms);
        fprintf(out, " %.0f |", reproduce_mean(record, 0, METRIC_STEPS));
        print_published(out, map->steps);
        reproduce_print_number(out, reproduce_mean(record, 0, METRIC_REPAIR_MS));
        fputc('\n', out);
    }
}
