/* cmd_bench.c: `cairn bench`: many queries, each algorithm on each map. */
#define _POSIX_C_SOURCE 200809L
#include "batch.h"
#include "bench.h"
#include "command.h"
#include "files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_options {
    batch_options batch;
    uint32_t repeat;
    const char *against, *rows;
    bool summary, json;
} bench_options;

static const arg_flag bench_flags[] = {
    BATCH_FLAGS(bench_options, batch, "1"),
    FLAG_COUNT("repeat", "R", "run each problem R times and take the median time (1)",
               offsetof(bench_options, repeat), 1, 1000),
    FLAG_INPUT("against", "OLD.json", "compare with the output of an earlier bench --json",
               offsetof(bench_options, against)),
    FLAG_SWITCH("summary", "one row for each algorithm, over all maps, and what the columns are",
                offsetof(bench_options, summary)),
    FLAG_OUTPUT("rows", 0, "FILE", "write the table of all rows to a file as well",
                offsetof(bench_options, rows)),
    FLAG_LATER("script", "worlds do not change in this version"),
    FLAG_MAX_CELLS,
    FLAG_JSON(bench_options, json),
};

typedef struct bench_run {
    const bench_options *options;
    bench_rows rows;
} bench_run;

/* How many problems another algorithm answered. */
static uint32_t bench_delegated(const bench_row *row, const cairn_planner *planner)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < BENCH_ANSWERERS && row->answered_by[i].count; i++)
        if (row->answered_by[i].algorithm != cairn_planner_algorithm(planner))
            count += row->answered_by[i].count;
    return count;
}

static int bench_visit(void *user, const batch_item *item)
{
    bench_run *run = user;
    bool built = item->index.needed && !item->index.loaded;
    bench_row row = {.map = item->world->name,
                     .world_bytes = world_bytes(item->world),
                     .index_build_ms = built ? item->index.seconds * 1e3 : NAN,
                     .index_bytes = item->index.needed ? (double)item->index.bytes : NAN};
    row.any_angle = cairn_planner_algorithm(item->planner)->flags & CAIRN_ANY_ANGLE;
    row.pieces = cairn_planner_algorithm(item->planner)->flags & CAIRN_PIECES;
    snprintf(row.algorithm, sizeof row.algorithm, "%s", item->spec);
    measure_options options = {.threads = run->options->batch.threads,
                               .repeat = run->options->repeat,
                               .warm = true,
                               .pieces = true,
                               .label = item->label};
    answer *answers = measure_run(item->world, item->planner, item->set, &options);
    bool ok = answers && bench_summarise(item->set, answers, &row);
    free(answers);
    row.delegated = bench_delegated(&row, item->planner);
    bench_row *items = ok ? realloc(run->rows.items, (run->rows.count + 1u) * sizeof *items) : NULL;
    if (!items) return END_DATA;
    run->rows.items = items;
    items[run->rows.count++] = row;
    return END_OK;
}

/* The table of all rows, into a file. */
static int bench_write_rows(const bench_options *options, const bench_rows *rows)
{
    cairn_file file = {0};
    if (!options->rows) return END_OK;
    FILE *out = open_memstream(&file.data, &file.size);
    if (out) bench_print_table(rows, options->against != NULL, out);
    if (out) bench_print_legend(rows, options->against != NULL, out);
    bool ok = out && !fclose(out);
    int end = ok ? files_put(options->rows, file) : END_DATA;
    if (!ok) complain("%s: there is not enough memory for the table", options->rows);
    free(file.data);
    return end;
}

static int bench_show(const bench_options *options, const bench_rows *rows)
{
    bench_results results = {.rows = *rows, .against = options->against != NULL};
    int end = bench_write_rows(options, rows);
    if (!end && options->summary && !bench_sum_up(rows, &results.sums)) end = END_DATA;
    if (!end && options->json) {
        bench_print_json(&results);
    } else if (!end && options->summary) {
        bench_print_table(&results.sums, false, stdout);
        fputc('\n', stdout);
        bench_print_legend(&results.sums, false, stdout);
    } else if (!end) {
        bench_print_table(rows, results.against, stdout);
    }
    free(results.sums.items);
    return end;
}

static int bench_main(const command *self, int argc, char **argv)
{
    bench_options options = {.batch = BATCH_DEFAULTS, .repeat = 1};
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    bench_run run = {.options = &options};
    batch b;
    int end = batch_open(&b, self, &options.batch, argc, argv);
    json_value *old = NULL;
    if (!end && options.against) end = bench_read_old(b.context, options.against, &old);
    if (!end) end = batch_each(&b, bench_visit, &run);
    if (old) bench_compare(old, &run.rows);
    if (!end || end == END_INTERRUPTED) {
        int shown = bench_show(&options, &run.rows);
        if (shown) end = shown;
    }
    json_free(old);
    free(run.rows.items);
    batch_close(&b);
    return end;
}

const command command_bench = {
    .name = "bench",
    .summary = "Run many queries and compare algorithms",
    .synopsis = "[options] MAP…",
    .details = "MAP is " WORLD_KINDS ",\n"
               "or a folder: then all of its *.map. The problems are those of the scenario beside "
               "it (MAP.scen),\n"
               "unless --scen or --random is given; graphs need --random. Times are microseconds "
               "from the call\n"
               "until the path is complete, after a few untimed queries. `worse` is how much "
               "longer than optimal\n"
               "the paths are: compared with the published lengths where they apply (squares, 8 "
               "neighbours,\n"
               "corners never, default terrain, no links), otherwise with our own dijkstra. `in 1 "
               "%` and `in 5 %`\n"
               "are the shares of paths that are no more than that above it. `first` is the time "
               "until the first\n"
               "16 steps are known, for planners that return paths in pieces (others: the whole "
               "path). `delegated` counts\n"
               "the problems that another algorithm answered, such as A*, because this one does "
               "not handle them. Answers do\n"
               "not depend on --threads, times do. An index that an algorithm needs is built "
               "first, unless --index\n"
               "names a file. After Ctrl-C the finished rows are printed.\n"
               "\n"
               "Examples:\n"
               "  cairn bench maps/rooms-small.txt\n"
               "  cairn bench -a astar,wastar:weight=1.5,greedy --every 10 --repeat 5 maps/*.map\n"
               "  cairn bench -a astar --json maps/rooms.map > old.json\n"
               "  cairn bench -a astar --against old.json maps/rooms.map\n"
               "  cairn bench --random 200 --corners one maps/village.txt\n"
               "  cairn bench --summary --rows rows.txt --every 20 maps/*.txt\n",
    .flags = bench_flags,
    .flag_count = sizeof bench_flags / sizeof bench_flags[0],
    .run = bench_main,
};
