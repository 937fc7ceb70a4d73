/* reproduce_records.c: what was measured, and finding it in a run (see reproduce.h). */
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- statistics ---- */

void statistic_add(statistic *s, double value)
{
    if (!s->count || value < s->least) s->least = value;
    if (!s->count || value > s->most) s->most = value;
    s->count++;
    s->sum += value;
    s->squares += value * value;
}

void statistic_join(statistic *s, const statistic *other)
{
    if (!other->count) return;
    if (!s->count || other->least < s->least) s->least = other->least;
    if (!s->count || other->most > s->most) s->most = other->most;
    s->count += other->count;
    s->sum += other->sum;
    s->squares += other->squares;
}

double statistic_mean(const statistic *s)
{
    return s->count ? s->sum / s->count : NAN;
}

double statistic_deviation(const statistic *s)
{
    if (!s->count) return NAN;
    double mean = s->sum / s->count, variance = s->squares / s->count - mean * mean;
    return variance > 0 ? sqrt(variance) : 0;
}

static int statistic_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double statistic_median(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, statistic_compare);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

const char *const reproduce_metric_names[METRIC_COUNT] = {
    [METRIC_FAILED] = "failed",
    [METRIC_COST] = "cost",
    [METRIC_CELLS] = "cells",
    [METRIC_EXPANDED] = "expanded",
    [METRIC_EXPANDED_PERCENT] = "expanded_percent",
    [METRIC_REVISITED] = "revisited",
    [METRIC_LARGEST] = "largest_nodes",
    [METRIC_LARGEST_PERCENT] = "largest_percent",
    [METRIC_MEMORY] = "memory_bytes",
    [METRIC_MEMORY_PERCENT] = "memory_percent",
    [METRIC_LONGER] = "longer_percent",
    [METRIC_LONGER_SMOOTHED] = "longer_smoothed_percent",
    [METRIC_WITHIN_1] = "within_1_percent",
    [METRIC_WITHIN_5] = "within_5_percent",
    [METRIC_INDEX_BYTES] = "index_bytes",
    [METRIC_OPEN] = "open_percent",
    [METRIC_CHANGED] = "changed_cells",
    [METRIC_COST_AFTER] = "cost_after",
    [METRIC_SPLIT] = "split",
    [METRIC_TILES] = "tiles",
    [METRIC_BLOCKS] = "blocks",
    [METRIC_SUBGOALS] = "subgoals",
    [METRIC_DISCARDED] = "discarded_percent",
    [METRIC_WASTED] = "wasted_nodes",
    [METRIC_WASTED_PERCENT] = "wasted_percent",
    [METRIC_REST_PERCENT] = "rest_percent",
    [METRIC_DIFFICULTY] = "difficulty",
    [METRIC_TURNS] = "turns",
    [METRIC_AGENT_BYTES] = "agent_bytes",
    [METRIC_RECORDS_SHARE] = "records_percent",
    [METRIC_CELLS_SHARE] = "cells_percent",
    [METRIC_TABLE_SHARE] = "table_percent",
    [METRIC_ALONE] = "alone_percent",
    [METRIC_AFTER] = "expanded_after",
    [METRIC_AFTER_PERCENT] = "expanded_after_percent",
    [METRIC_BASE_EXPANDED] = "base_expanded",
    [METRIC_BASE_AFTER] = "base_expanded_after",
    [METRIC_WORK] = "work",
    [METRIC_ARRIVED] = "arrived",
    [METRIC_FRAME_PERCENT] = "frame_percent",
    [METRIC_FRAMES_OVER] = "frames_over_percent",
    [METRIC_ANSWER_FRAMES] = "answer_frames",
    [METRIC_STANDING] = "standing_percent",
    [METRIC_FRAME_1] = "frame_1_percent",
    [METRIC_FRAME_2] = "frame_2_percent",
    [METRIC_FRAME_3] = "frame_3_percent",
    [METRIC_FRAME_4] = "frame_4_percent",
    [METRIC_FRAME_5] = "frame_5_percent",
    [METRIC_FRAME_6] = "frame_6_percent",
    [METRIC_FRAME_7] = "frame_7_percent",
    [METRIC_FRAME_8] = "frame_8_percent",
    [METRIC_TIME] = "time_us",
    [METRIC_BASE_TIME] = "base_time_us",
    [METRIC_TIME_PERCENT] = "time_percent",
    [METRIC_BUILD_MS] = "build_ms",
    [METRIC_REBUILD_MS] = "rebuild_ms",
    [METRIC_REPAIR_MS] = "repair_ms",
    [METRIC_REPLAN_MS] = "replan_ms",
    [METRIC_STEPS] = "steps",
    [METRIC_RELABEL_MS] = "relabel_ms",
    [METRIC_UPKEEP_PERCENT] = "upkeep_percent",
    [METRIC_MOVE_TIME] = "move_us",
    [METRIC_WORST_MOVE] = "worst_move_us",
    [METRIC_STAGE_1_MS] = "stage_1_ms",
    [METRIC_STAGE_2_MS] = "stage_2_ms",
    [METRIC_STAGE_3_MS] = "stage_3_ms",
};

/* ---- in a run ---- */

const reproduce_series *reproduce_series_of(const reproduce_run *run, const reproduce_table *table)
{
    return run->series[reproduce_table_number(table)];
}

uint32_t reproduce_series_count(const reproduce_run *run, const reproduce_table *table)
{
    return run->series_count[reproduce_table_number(table)];
}

bool reproduce_has_own(const reproduce_run *run, const reproduce_table *table)
{
    return table->open_series && run->own.count;
}

const reproduce_part *reproduce_next(const reproduce_run *run, const reproduce_table *table,
                                     uint32_t *at)
{
    while (*at < run->part_count) {
        const reproduce_part *part = &run->parts[(*at)++];
        if (part->table == table && part->done) return part;
    }
    return NULL;
}

double reproduce_mean(const reproduce_record *record, uint32_t series, reproduce_metric metric)
{
    return statistic_mean(&record->cells[series][metric]);
}

double reproduce_pooled(const reproduce_record *record, uint32_t series, reproduce_metric metric)
{
    const statistic *cells = record->cells[series];
    reproduce_metric base = metric == METRIC_TIME    ? METRIC_BASE_TIME
                            : metric == METRIC_AFTER ? METRIC_BASE_AFTER
                                                     : METRIC_BASE_EXPANDED;
    return cells[base].sum > 0 ? 100 * cells[metric].sum / cells[base].sum : NAN;
}

uint32_t reproduce_problem_count(const statistic *cells)
{
    static const reproduce_metric metrics[] = {METRIC_FAILED, METRIC_COST, METRIC_CHANGED};
    for (uint32_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        if (cells[metrics[i]].count) return cells[metrics[i]].count;
    return 0;
}

void reproduce_sum(const reproduce_run *run, const reproduce_table *table, const reproduce_set *set,
                   reproduce_record *out)
{
    memset(out, 0, sizeof *out);
    uint32_t at = 0;
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));) {
        if (set && part->set != set) continue;
        for (uint32_t i = 0; i < REPRODUCE_SERIES; i++)
            for (uint32_t m = 0; m < METRIC_COUNT; m++)
                statistic_join(&out->cells[i][m], &part->record.cells[i][m]);
    }
}
