/* reproduce_costs.c: what the algorithms of a table cost in absolute numbers, and which of them no
 * other one beats (see reproduce.h).
 *
 * An algorithm is on the Pareto front if no other one is at least as good in everything and better
 * in something: the mean time of a problem, the mean memory of a query together with the index, and
 * how much longer its paths are.
 */
#include "reproduce.h"

#include <math.h>

enum { COSTS_TIME, COSTS_BYTES, COSTS_LONGER, COSTS_COUNT };

static void costs_of(const reproduce_record *all, uint32_t series, double out[COSTS_COUNT])
{
    double index = reproduce_mean(all, series, METRIC_INDEX_BYTES);
    out[COSTS_TIME] = reproduce_mean(all, series, METRIC_TIME);
    out[COSTS_BYTES] = reproduce_mean(all, series, METRIC_MEMORY) + (isfinite(index) ? index : 0);
    out[COSTS_LONGER] = reproduce_mean(all, series, METRIC_LONGER);
}

/* At least as good in everything, and better in something. */
static bool costs_beat(const double a[COSTS_COUNT], const double b[COSTS_COUNT])
{
    bool better = false;
    for (uint32_t i = 0; i < COSTS_COUNT; i++) {
        if (!(a[i] <= b[i])) return false;
        better = better || a[i] < b[i];
    }
    return better;
}

static bool costs_on_front(const reproduce_run *run, const reproduce_table *table,
                           const reproduce_record *all, uint32_t series)
{
    double own[COSTS_COUNT], other[COSTS_COUNT];
    costs_of(all, series, own);
    for (uint32_t i = 0; i < reproduce_series_count(run, table); i++) {
        costs_of(all, i, other);
        if (reproduce_series_of(run, table)[i].spec && i != series && costs_beat(other, own))
            return false;
    }
    return true;
}

static void costs_scaled(FILE *out, const statistic *s, double scale)
{
    statistic scaled = *s;
    scaled.sum /= scale;
    scaled.squares /= scale * scale;
    reproduce_print_spread(out, &scaled);
}

void reproduce_print_costs(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    const reproduce_series *series = reproduce_series_of(run, table);
    reproduce_record all;
    reproduce_sum(run, table, NULL, &all);
    fputs("\nIn absolute numbers, of a problem: mean ± standard deviation. *Revisited* are nodes "
          "that were closed and opened again. *Front*: no other algorithm of the table is at least "
          "as good in time, memory (with its index) and length, and better in one.\n\n"
          "| algorithm | problems | time of all, s | time, µs | explored | revisited | memory, KB "
          "| most, KB "
          "| index, KB | front |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
          out);
    for (uint32_t i = 0; i < reproduce_series_count(run, table); i++) {
        const statistic *cells = all.cells[i];
        if (!series[i].spec) continue;
        reproduce_print_name(out, series[i].name);
        reproduce_print_count(out, reproduce_problem_count(cells));
        reproduce_print_number(out, cells[METRIC_TIME].sum / 1e6);
        reproduce_print_spread(out, &cells[METRIC_TIME]);
        reproduce_print_spread(out, &cells[METRIC_EXPANDED]);
        reproduce_print_spread(out, &cells[METRIC_REVISITED]);
        costs_scaled(out, &cells[METRIC_MEMORY], 1024);
        reproduce_print_number(out, cells[METRIC_MEMORY].most / 1024);
        costs_scaled(out, &cells[METRIC_INDEX_BYTES], 1024);
        fputs(costs_on_front(run, table, &all, i) ? " yes |\n" : " – |\n", out);
    }
}
