/* bench_table.c: the rows of `cairn bench` as a table, a sentence on each column (see bench.h). */
#include "bench.h"

#include "table.h"
#include "text.h"

#include <math.h>
#include <string.h>

static void bench_add_ratio(table *t, double ratio)
{
    if (isfinite(ratio))
        table_add(t, "%.2f", ratio);
    else
        table_add(t, "-");
}

static void bench_add_percent(table *t, double fraction)
{
    if (isfinite(fraction))
        table_add(t, "%.2f", fraction * 100);
    else
        table_add(t, "-");
}

static void bench_add_number(table *t, double number)
{
    char text[TEXT_SHORT];
    table_add(t, "%s", isfinite(number) ? text_number(number, text) : "-");
}

/* Columns that not every table needs. */
typedef struct bench_columns {
    bool maps, shares, spread, first, delegated, indexes, against;
} bench_columns;

static bench_columns bench_choose_columns(const bench_rows *rows, bool against)
{
    bench_columns columns = {.maps = rows->count && !rows->items[0].map, .against = against};
    columns.spread = !columns.maps;
    for (uint32_t i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        columns.shares |= row->suboptimality_max > 0;
        columns.first |= row->pieces;
        columns.delegated |= row->delegated > 0;
        columns.indexes |= isfinite(row->index_bytes);
    }
    return columns;
}

/* A column: its heading ('>': numbers), a sentence on it, and whether this table has it. */
typedef struct bench_column {
    const char *heading, *sentence;
    bool wanted;
} bench_column;

enum { BENCH_COLUMNS = 20 };

static void bench_list_columns(bench_columns c, bench_column out[BENCH_COLUMNS])
{
    const bench_column columns[BENCH_COLUMNS] = {
        {"algorithm", "its name, with parameters if any were given", true},
        {"map", "the file", !c.maps},
        {">maps", "how many maps it can search", c.maps},
        {">problems", "queries asked: pairs of start and goal", true},
        {">solved", "how many of them were answered: by a path, or that there is none", true},
        {">optimal", "how many paths are as short as possible (-: its paths leave the grid)", true},
        {">worse %", "how much longer the paths are than the shortest, on average", true},
        {">most %", "the same for the worst path", true},
        {">in 1 %", "percentage of paths at most 1 % longer than the shortest", c.shares},
        {">in 5 %", "percentage of paths at most 5 % longer", c.shares},
        {">mean us", "time of a query in microseconds, until the path is complete", true},
        {">median", "the time that half of the queries do not exceed", c.spread},
        {">p99", "the time that 99 of 100 queries do not exceed", c.spread},
        {">max", "the slowest query, in microseconds", true},
        {">first", "time until the first 16 steps are known, if the planner returns pieces",
         c.first},
        {">delegated", "queries that another algorithm answered, such as A*", c.delegated},
        {">expanded", "nodes whose neighbours were looked at, on average per query", true},
        {">memory", "the most memory that a query needed", true},
        {">index", "what was computed before the first query; on all maps together", c.indexes},
        {">build ms", "how long that took, in milliseconds", c.indexes}};
    memcpy(out, columns, sizeof columns);
}

static void bench_table_row(table *t, const bench_row *row, bench_columns columns)
{
    char text[TEXT_SHORT];
    table_add(t, "%s", row->algorithm);
    if (columns.maps)
        table_add(t, "%u", row->maps);
    else
        table_add(t, "%s", text_base(row->map));
    table_add(t, "%u", row->problems);
    table_add(t, "%u", row->solved);
    if (row->any_angle)
        table_add(t, "-");
    else
        table_add(t, "%u", row->optimal);
    bench_add_percent(t, row->suboptimality_mean);
    bench_add_percent(t, row->suboptimality_max);
    if (columns.shares) {
        bench_add_percent(t, row->within_1_percent);
        bench_add_percent(t, row->within_5_percent);
    }
    bench_add_number(t, row->time_us_mean);
    if (columns.spread) {
        bench_add_number(t, row->time_us_median);
        bench_add_number(t, row->time_us_p99);
    }
    bench_add_number(t, row->time_us_max);
    if (columns.first) bench_add_number(t, row->first_move_us_mean);
    if (columns.delegated) table_add(t, "%u", row->delegated);
    table_add(t, "%s",
              isfinite(row->expanded_mean) ? text_count((uint64_t)(row->expanded_mean + 0.5), text)
                                           : "-");
    table_add(t, "%s", text_bytes(row->peak_bytes, text));
    if (columns.indexes) {
        table_add(t, "%s",
                  isfinite(row->index_bytes) ? text_bytes((uint64_t)row->index_bytes, text) : "-");
        bench_add_number(t, row->index_build_ms);
    }
    if (!columns.against) return;
    bench_add_ratio(t, row->time_ratio);
    bench_add_ratio(t, row->expanded_ratio);
}

void bench_print_table(const bench_rows *rows, bool against, FILE *out)
{
    bench_columns columns = bench_choose_columns(rows, against);
    bench_column list[BENCH_COLUMNS];
    const char *headings[TABLE_COLUMNS];
    uint32_t count = 0;
    bench_list_columns(columns, list);
    for (uint32_t i = 0; i < BENCH_COLUMNS; i++)
        if (list[i].wanted) headings[count++] = list[i].heading;
    if (against) headings[count++] = ">old/time", headings[count++] = ">old/expanded";
    table t = table_with(headings, count);
    for (uint32_t i = 0; i < rows->count; i++) bench_table_row(&t, &rows->items[i], columns);
    table_print_to(&t, out);
    if (against)
        fprintf(out, "\nold/time and old/expanded: how many times as much the older run needed.\n");
}

void bench_print_legend(const bench_rows *rows, bool against, FILE *out)
{
    bench_column list[BENCH_COLUMNS];
    bench_list_columns(bench_choose_columns(rows, against), list);
    for (uint32_t i = 0; i < BENCH_COLUMNS; i++)
        if (list[i].wanted)
            fprintf(out, "  %-10s %s\n", list[i].heading + (list[i].heading[0] == '>'),
                    list[i].sentence);
}
