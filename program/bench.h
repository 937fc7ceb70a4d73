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

/* One algorithm on one map. NAN = does not apply or is not known. */
typedef struct bench_row {
    char algorithm[ALGORITHM_SPEC];
    const char *map;
    uint32_t problems, solved, optimal;
    uint32_t failed; /* no answer, or one whose pieces do not lead to the goal */
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

/* Fills the ratios from an older `bench --json`. END_OK, or END_DATA after a complaint. */
int bench_compare(cairn_context *context, const char *name, bench_rows *rows);

void bench_print_json(const bench_rows *rows, bool against);
void bench_print_table(const bench_rows *rows, bool against);

#endif
