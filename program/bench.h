/* bench.h: the rows of `cairn bench` and how they are shown. */
#ifndef PROGRAM_BENCH_H
#define PROGRAM_BENCH_H

#include "algorithms.h"
#include "json.h"
#include "measure.h"

/* An algorithm, and how many of the problems it answered. */
typedef struct bench_answerer {
    const cairn_algorithm *algorithm;
    uint32_t count;
} bench_answerer;

enum { BENCH_ANSWERERS = 4 }; /* an algorithm has one delegate at most */

/* One algorithm on one map, or on all of them. NAN = does not apply or is not known. */
typedef struct bench_row {
    char algorithm[ALGORITHM_SPEC];
    const char *map; /* NULL = on all */
    uint32_t maps;
    uint32_t problems, solved, optimal;
    uint32_t failed;          /* no answer, or one whose pieces do not lead to the goal */
    uint32_t paths, followed; /* paths that the means below are of, whole and in pieces */
    double suboptimality_mean, suboptimality_max;
    double pieces_suboptimality_mean; /* of paths that are asked for in pieces */
    /* fractions of the paths whose best length is known */
    double within_1_percent, within_5_percent;
    double time_us_mean, time_us_median, time_us_p99, time_us_max;
    double first_move_us_mean;
    /* its paths are shorter than the best on the grid: how many are as good means nothing */
    bool any_angle;
    /* the planner gives paths in pieces, so that the first move is known before the path */
    bool pieces;
    double expanded_mean, generated_mean;
    uint64_t peak_bytes, world_bytes;
    bench_answerer answered_by[BENCH_ANSWERERS]; /* by first answer; count 0 = no more */
    uint32_t delegated;                          /* by others than the planner's algorithm */
    double index_bytes, index_build_ms;
    /* old / new, of an older document */
    double time_ratio, expanded_ratio;
} bench_row;

typedef struct bench_rows {
    bench_row *items;
    uint32_t count;
} bench_rows;

/* Sums up the answers of one algorithm on one map. */
bool bench_summarise(const problem_set *set, const answer *answers, bench_row *row);

/* One row for each algorithm, of all its rows, by first row. `out->items` is to be freed; false if
 * there is no memory. The median and the 99th percentile of a sum are not known. */
bool bench_sum_up(const bench_rows *rows, bench_rows *out);

/* Reads an older `bench --json`, to be freed with json_free. END_OK, or END_DATA after a complaint.
 */
int bench_read_old(cairn_context *context, const char *name, json_value **out);

/* Fills the ratios from it. */
void bench_compare(const json_value *old, bench_rows *rows);

/* What is shown: all rows, and their sums if there are any. */
typedef struct bench_results {
    bench_rows rows, sums;
    bool against;
} bench_results;
void bench_print_json(const bench_results *results);
void bench_print_table(const bench_rows *rows, bool against, FILE *out);

/* A line on each column of that table. */
void bench_print_legend(const bench_rows *rows, bool against, FILE *out);

#endif
