/* reproduce_charts.c: which plots a table has, and the bars in them (see reproduce.h).
 *
 * What depends on time is in files of its own, called NAME-times.
 */
#include "reproduce_labels.h"

#include "pen.h"

#include <stdlib.h>
#include <string.h>

enum { CHARTS_GROUPS = 160, CHARTS_SPOTS = 64 };

/* A plot: what it shows and how it is called. */
typedef struct charts_kind {
    reproduce_metric metric;
    const char *ending, *title, *unit;
    double reference;
} charts_kind;

static const charts_kind charts_overall = {METRIC_TIME_PERCENT, "overall-times", "all maps",
                                           "per cent of A*", 100};
static const charts_kind charts_times = {METRIC_TIME_PERCENT, "times", "search time",
                                         "per cent of A*", 100};
static const charts_kind charts_memory = {METRIC_LARGEST_PERCENT, "memory", "peak memory in nodes",
                                          "per cent of A*", 100};
static const charts_kind charts_bytes = {METRIC_MEMORY_PERCENT, "memory-bytes",
                                         "peak memory in bytes", "per cent of A*", 100};
static const charts_kind charts_longer = {METRIC_LONGER, "longer", "how much longer, unsmoothed",
                                          "per cent above the best", 0};
static const charts_kind charts_smoothed = {
    METRIC_LONGER_SMOOTHED, "smoothed", "how much longer, smoothed", "per cent above the best", 0};
static const charts_kind charts_worse = {METRIC_LONGER, "longer", "how much longer",
                                         "per cent above the best", 0};
static const charts_kind charts_building = {METRIC_BUILD_MS, "times", "building", "milliseconds",
                                            0};

static const charts_kind charts_labels_nodes = {METRIC_EXPANDED_PERCENT, "nodes",
                                                "nodes explored with labels, between edits",
                                                "per cent of those without", 100};
static const charts_kind charts_labels_elsewhere = {METRIC_DISCARDED, "elsewhere",
                                                    "sub-goals in other components",
                                                    "per cent of a problem's sub-goals", 0};
static const charts_kind charts_labels_edits = {METRIC_TIME, "edits-times",
                                                "what an edit adds, and what begins from scratch",
                                                "microseconds", 0};
static const charts_kind charts_labels_cut = {METRIC_TIME, "cut-times",
                                              "a goal that edits have cut off", "microseconds", 0};

/* A plot that is being drawn, bar by bar. */
typedef struct charts_chart {
    const reproduce_run *run;
    const reproduce_table *table;
    const charts_kind *kind;
    const char *groups[CHARTS_GROUPS], *series[REPRODUCE_SERIES];
    uint32_t group_count, series_count;
    double values[CHARTS_GROUPS * REPRODUCE_SERIES], deviations[CHARTS_GROUPS * REPRODUCE_SERIES];
    uint32_t used; /* of the values */
    reproduce_spot published[CHARTS_SPOTS];
    uint32_t published_count;
} charts_chart;

/* With the names of all series but the first, at most `most` of them. NULL after a complaint. */
static charts_chart *charts_begin(const reproduce_run *run, const reproduce_table *table,
                                  const charts_kind *kind, uint32_t most)
{
    charts_chart *chart = calloc(1, sizeof *chart);
    if (!chart) {
        complain("there is not enough memory for plots");
        return NULL;
    }
    chart->run = run;
    chart->table = table;
    chart->kind = kind;
    uint32_t count = reproduce_series_count(run, table);
    for (uint32_t i = 1; i < count && i <= most; i++)
        chart->series[chart->series_count++] = reproduce_series_of(run, table)[i].name;
    return chart;
}

static void charts_put(charts_chart *chart, double value, double deviation)
{
    chart->values[chart->used] = value;
    chart->deviations[chart->used++] = deviation;
}

/* A group of bars: this metric of all series. */
static void charts_put_group(charts_chart *chart, const char *name, const reproduce_record *record,
                             reproduce_metric metric)
{
    if (chart->group_count == CHARTS_GROUPS) return;
    chart->groups[chart->group_count++] = name;
    for (uint32_t i = 1; i <= chart->series_count; i++) {
        const statistic *s = &record->cells[i][metric];
        charts_put(chart, statistic_mean(s), statistic_deviation(s));
    }
}

static void charts_put_spot(charts_chart *chart, uint32_t group, uint32_t series, double value)
{
    if (chart->published_count < CHARTS_SPOTS)
        chart->published[chart->published_count++] =
            (reproduce_spot){.group = group, .series = series, .value = value};
}

/* What was published of a metric: on the bars of a group, or across all of them, where numbers of
 * single maps have a place, too. */
static void charts_put_published(charts_chart *chart, uint32_t group, reproduce_metric metric)
{
    const reproduce_table *table = chart->table;
    for (uint32_t m = 0; m < table->mark_count && !reproduce_has_own(chart->run, table); m++) {
        const reproduce_mark *mark = &table->marks[m];
        if (mark->metric != metric || (mark->map && group != PLOT_ALL)) continue;
        uint32_t first = mark->series ? mark->series - 1 : 0;
        uint32_t end = mark->series || group == PLOT_ALL ? first + 1 : table->published_count;
        for (uint32_t i = first; i < end; i++) {
            uint32_t series = mark->series || group != PLOT_ALL ? i : PLOT_ALL;
            charts_put_spot(chart, group, series, mark->low);
            if (mark->high > mark->low) charts_put_spot(chart, group, series, mark->high);
        }
    }
}

/* A plot of either kind as a file. */
typedef bool charts_plot(const void *what, bool png, FILE *out);

static bool charts_plot_bars(const void *what, bool png, FILE *out)
{
    return reproduce_plot(what, png, out);
}

static bool charts_plot_front(const void *what, bool png, FILE *out)
{
    return reproduce_plot_front(what, png, out);
}

static bool charts_write(const reproduce_run *run, const char *base, charts_plot *plot,
                         const void *what)
{
    for (int png = 0; png <= pen_has_png(); png++) {
        char name[REPRODUCE_NAME * 3];
        snprintf(name, sizeof name, "%s.%s", base, png ? "png" : "svg");
        FILE *out = reproduce_create(run, name);
        if (!out) return false;
        bool ok = plot(what, png, out);
        if (!ok) fclose(out);
        if (!ok || !reproduce_finish(run, out, name)) return false;
    }
    return true;
}

bool reproduce_draw_bars(const reproduce_run *run, const char *name, const reproduce_bars *bars)
{
    return charts_write(run, name, charts_plot_bars, bars);
}

bool reproduce_draw_front(const reproduce_run *run, const char *name,
                          const reproduce_scatter *scatter)
{
    return charts_write(run, name, charts_plot_front, scatter);
}

/* Writes it and gives it back. */
static bool charts_end(charts_chart *chart)
{
    const charts_kind *kind = chart->kind;
    char title[200], name[REPRODUCE_NAME * 2];
    snprintf(title, sizeof title, "%s: %s", chart->table->name, kind->title);
    snprintf(name, sizeof name, "%s-%s", chart->table->name, kind->ending);
    reproduce_bars bars = {.title = title,
                           .unit = kind->unit,
                           .groups = chart->groups,
                           .group_count = chart->group_count,
                           .series = chart->series,
                           .series_count = chart->series_count,
                           .values = chart->values,
                           .deviations = chart->deviations,
                           .reference = kind->reference,
                           .published = chart->published,
                           .published_count = chart->published_count};
    bool ok = reproduce_draw_bars(chart->run, name, &bars);
    free(chart);
    return ok;
}

/* ---- what tables have ---- */

/* Map by map. */
static bool charts_maps(const reproduce_run *run, const reproduce_table *table,
                        const charts_kind *kind, uint32_t most)
{
    charts_chart *chart = charts_begin(run, table, kind, most);
    if (!chart) return false;
    uint32_t at = 0;
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));)
        charts_put_group(chart, part->map, &part->record, kind->metric);
    charts_put_published(chart, PLOT_ALL, kind->metric);
    return charts_end(chart);
}

static bool charts_all_maps(const reproduce_run *run, const reproduce_table *table)
{
    charts_chart *chart = charts_begin(run, table, &charts_overall, REPRODUCE_SERIES);
    if (!chart) return false;
    reproduce_record all;
    reproduce_sum(run, table, NULL, &all);
    charts_put_published(chart, chart->group_count, METRIC_TIME_PERCENT);
    charts_put_group(chart, "time", &all, METRIC_TIME_PERCENT);
    charts_put_published(chart, chart->group_count, METRIC_LARGEST_PERCENT);
    charts_put_group(chart, "memory, nodes", &all, METRIC_LARGEST_PERCENT);
    charts_put_group(chart, "memory, bytes", &all, METRIC_MEMORY_PERCENT);
    charts_put_group(chart, "nodes explored", &all, METRIC_EXPANDED_PERCENT);
    return charts_end(chart);
}

/* The sets of a table side by side. */
static bool charts_sets(const reproduce_run *run, const reproduce_table *table,
                        const charts_kind *kind)
{
    charts_chart *chart = charts_begin(run, table, kind, REPRODUCE_SERIES);
    if (!chart) return false;
    for (uint32_t s = 0; s < table->set_count; s++) {
        reproduce_record sum;
        reproduce_sum(run, table, &table->sets[s], &sum);
        charts_put_group(chart, reproduce_set_name(&table->sets[s]), &sum, kind->metric);
    }
    charts_put_published(chart, PLOT_ALL, kind->metric);
    return charts_end(chart);
}

bool reproduce_draw_variants(const reproduce_run *run, const reproduce_table *table)
{
    /* Those with labels would double the bars, and are in the plot of all maps. */
    uint32_t most = reproduce_has_own(run, table) ? REPRODUCE_SERIES : table->published_count;
    return charts_all_maps(run, table) && charts_maps(run, table, &charts_times, most) &&
           charts_maps(run, table, &charts_memory, most) &&
           charts_maps(run, table, &charts_bytes, most) &&
           charts_maps(run, table, &charts_longer, most) &&
           charts_maps(run, table, &charts_smoothed, most);
}

bool reproduce_draw_series(const reproduce_run *run, const reproduce_table *table)
{
    return charts_sets(run, table, &charts_worse) && charts_sets(run, table, &charts_times);
}

bool reproduce_draw_h_entrances(const reproduce_run *run, const reproduce_table *table)
{
    return charts_maps(run, table, &charts_worse, REPRODUCE_SERIES);
}

bool reproduce_draw_h_variants(const reproduce_run *run, const reproduce_table *table)
{
    return charts_maps(run, table, &charts_worse, REPRODUCE_SERIES) &&
           charts_maps(run, table, &charts_times, REPRODUCE_SERIES);
}

/* ---- labels ---- */

/* A plot of some series under names of their own. */
static charts_chart *charts_begin_chosen(const reproduce_run *run, const reproduce_table *table,
                                         const charts_kind *kind, const char *const *names)
{
    charts_chart *chart = charts_begin(run, table, kind, 0);
    for (; chart && *names; names++) chart->series[chart->series_count++] = *names;
    return chart;
}

static bool charts_labels_maps(const reproduce_run *run, const reproduce_table *table,
                               const charts_kind *kind, const uint32_t series[2])
{
    static const char *const names[] = {"V1", "V2 MaxDist", NULL};
    charts_chart *chart = charts_begin_chosen(run, table, kind, names);
    if (!chart) return false;
    uint32_t at = 0;
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));) {
        if (chart->group_count == CHARTS_GROUPS) break;
        chart->groups[chart->group_count++] = part->map;
        for (uint32_t i = 0; i < 2; i++) {
            const statistic *s = &part->record.cells[series[i]][kind->metric];
            charts_put(chart, statistic_mean(s), statistic_deviation(s));
        }
    }
    return charts_end(chart);
}

static void charts_put_labels_edits(charts_chart *chart, const reproduce_record *record)
{
    for (uint32_t i = LABELS_CELL; i < LABELS_SERIES; i++)
        charts_put(chart,
                   reproduce_mean(record, i, METRIC_TIME) -
                       reproduce_mean(record, i, METRIC_BASE_TIME),
                   0);
    charts_put(chart, 1e3 * reproduce_mean(record, LABELS_CELL, METRIC_BUILD_MS), 0);
    charts_put(chart, 1e3 * reproduce_mean(record, LABELS_CELL, METRIC_RELABEL_MS), 0);
}

static void charts_put_labels_cut(charts_chart *chart, const reproduce_record *record)
{
    for (uint32_t i = LABELS_GOAL; i < LABELS_START; i++) {
        const statistic *s = &record->cells[i][METRIC_TIME];
        charts_put(chart, statistic_mean(s), statistic_deviation(s));
    }
}

static bool charts_labels_sets(const reproduce_run *run, const reproduce_table *table,
                               const charts_kind *kind, const char *const *names,
                               void put(charts_chart *chart, const reproduce_record *record))
{
    charts_chart *chart = charts_begin_chosen(run, table, kind, names);
    if (!chart) return false;
    for (uint32_t s = 0; s < table->set_count; s++) {
        reproduce_record sum;
        reproduce_sum(run, table, &table->sets[s], &sum);
        if (!sum.cells[LABELS_CELL][METRIC_CHANGED].count) continue;
        chart->groups[chart->group_count++] = reproduce_set_name(&table->sets[s]);
        put(chart, &sum);
    }
    return charts_end(chart);
}

bool reproduce_draw_labels(const reproduce_run *run, const reproduce_table *table)
{
    static const uint32_t with[2] = {LABELS_V1_ON, LABELS_V2_ON};
    static const uint32_t without[2] = {LABELS_V1, LABELS_V2};
    static const char *const edits[] = {
        "a cell", "a wall", "a ring", "space from scratch", "labels from scratch", NULL};
    static const char *const cut[] = {"A*",         "A* labels",         "V1", "V1 labels",
                                      "V2 MaxDist", "V2 MaxDist labels", NULL};
    return charts_labels_maps(run, table, &charts_labels_nodes, with) &&
           charts_labels_maps(run, table, &charts_labels_elsewhere, without) &&
           charts_labels_sets(run, table, &charts_labels_edits, edits, charts_put_labels_edits) &&
           charts_labels_sets(run, table, &charts_labels_cut, cut, charts_put_labels_cut);
}

/* ---- H: published beside measured ---- */

static charts_chart *charts_begin_h(const reproduce_run *run, const reproduce_table *table,
                                    const charts_kind *kind)
{
    static const char *const names[] = {"HPA*", "HPA* published", "PRA*", "PRA* published"};
    charts_chart *chart = charts_begin(run, table, kind, 0);
    for (uint32_t i = 0; chart && i < 4; i++) chart->series[chart->series_count++] = names[i];
    return chart;
}

bool reproduce_draw_h_paths(const reproduce_run *run, const reproduce_table *table)
{
    charts_chart *chart = charts_begin_h(run, table, &charts_worse);
    if (!chart) return false;
    uint32_t at = 0;
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));) {
        chart->groups[chart->group_count++] = part->map;
        charts_put(chart, reproduce_mean(&part->record, 1, METRIC_LONGER), 0);
        charts_put(chart, part->h_map->hpa.worse, 0);
        charts_put(chart, reproduce_mean(&part->record, 2, METRIC_LONGER), 0);
        charts_put(chart, part->h_map->pra.worse, 0);
    }
    return charts_end(chart);
}

bool reproduce_draw_h_building(const reproduce_run *run, const reproduce_table *table)
{
    charts_chart *chart = charts_begin_h(run, table, &charts_building);
    if (!chart) return false;
    uint32_t at = 0;
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));) {
        chart->groups[chart->group_count++] = part->map;
        charts_put(chart, reproduce_mean(&part->record, 1, METRIC_BUILD_MS), 0);
        charts_put(chart, part->h_map->hpa_build_ms, 0);
        charts_put(chart, reproduce_mean(&part->record, 0, METRIC_BUILD_MS), 0);
        charts_put(chart, part->h_map->pra_build_ms, 0);
    }
    return charts_end(chart);
}
