/* bench.c: from answers to rows, and rows as JSON and as a table (see bench.h). */
#include "bench.h"

#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- summing up ---- */

static int bench_compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void bench_times(double *times, uint32_t count, bench_row *row)
{
    qsort(times, count, sizeof *times, bench_compare_times);
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += times[i];
    row->time_us_mean = sum / count;
    row->time_us_median = 0.5 * (times[(count - 1) / 2] + times[count / 2]);
    /* The smallest time that 99 of 100 problems do not exceed. */
    row->time_us_p99 = times[((uint64_t)count * 99 + 99) / 100 - 1];
    row->time_us_max = times[count - 1];
}

static void bench_quality(const problem_set *set, const answer *answers, bench_row *row)
{
    double sum = 0, most = 0, pieces = 0;
    uint32_t paths = 0, followed = 0, within_1 = 0, within_5 = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const problem *p = &set->items[i];
        bool lost = row->pieces && answers[i].status == CAIRN_FOUND && !answers[i].followed;
        if (lost || !measure_solved(p, &answers[i])) {
            row->failed++;
            continue;
        }
        row->solved++;
        if (p->expected == CAIRN_UNREACHABLE) {
            row->optimal++;
            continue;
        }
        double excess = measure_excess(set, p, &answers[i]);
        row->optimal += excess == 0;
        if (!isfinite(excess)) continue;
        sum += excess;
        if (answers[i].followed) pieces += measure_pieces_excess(set, p, &answers[i]);
        followed += answers[i].followed;
        within_1 += excess <= 0.01;
        within_5 += excess <= 0.05;
        if (!paths++ || excess > most) most = excess;
    }
    row->paths = paths;
    row->followed = followed;
    row->suboptimality_mean = paths ? sum / paths : NAN;
    row->suboptimality_max = paths ? most : NAN;
    row->pieces_suboptimality_mean = followed ? pieces / followed : NAN;
    row->within_1_percent = paths ? (double)within_1 / paths : NAN;
    row->within_5_percent = paths ? (double)within_5 / paths : NAN;
}

/* Those whose ends decided the answer are counted by nobody. */
static void bench_count_answerers(const answer *answers, uint32_t count, bench_row *row)
{
    for (uint32_t i = 0; i < count; i++) {
        const cairn_algorithm *algorithm = answers[i].answered_by;
        uint32_t place = 0;
        while (place < BENCH_ANSWERERS && row->answered_by[place].count &&
               row->answered_by[place].algorithm != algorithm)
            place++;
        if (!algorithm || place == BENCH_ANSWERERS) continue;
        row->answered_by[place].algorithm = algorithm;
        row->answered_by[place].count++;
    }
}

bool bench_summarise(const problem_set *set, const answer *answers, bench_row *row)
{
    uint32_t count = set->count;
    row->problems = count;
    row->maps = 1;
    row->time_us_mean = row->time_us_median = row->time_us_p99 = row->time_us_max = NAN;
    row->expanded_mean = row->generated_mean = row->first_move_us_mean = NAN;
    row->time_ratio = row->expanded_ratio = NAN;
    bench_quality(set, answers, row);
    bench_count_answerers(answers, count, row);
    if (!count) return true;

    double *times = malloc(count * sizeof *times);
    if (!times) return complain("there is not enough memory to sort the times"), false;
    double expanded = 0, generated = 0, first = 0;
    for (uint32_t i = 0; i < count; i++) {
        times[i] = answers[i].time_us;
        first += answers[i].first_us;
        expanded += (double)answers[i].expanded;
        generated += (double)answers[i].generated;
        if (answers[i].peak_bytes > row->peak_bytes) row->peak_bytes = answers[i].peak_bytes;
    }
    bench_times(times, count, row);
    row->first_move_us_mean = first / count;
    row->expanded_mean = expanded / count;
    row->generated_mean = generated / count;
    free(times);
    return true;
}

/* ---- against an older document ---- */

static const json_value *bench_old_row(const json_value *rows, const bench_row *row,
                                       bool whole_name)
{
    for (const json_value *old = rows->first; old; old = old->next) {
        const json_value *algorithm = json_member(old, "algorithm"), *map = json_member(old, "map");
        if (!algorithm || !map || algorithm->kind != JSON_TEXT || map->kind != JSON_TEXT) continue;
        if (strcmp(algorithm->text, row->algorithm)) continue;
        if (whole_name ? !strcmp(map->text, row->map)
                       : !strcmp(text_base(map->text), text_base(row->map)))
            return old;
    }
    return NULL;
}

static double bench_ratio(const json_value *old, const char *key, double now)
{
    const json_value *before = json_member(old, key);
    return before && before->kind == JSON_NUMBER && now > 0 ? before->number / now : NAN;
}

int bench_read_old(cairn_context *context, const char *name, json_value **out)
{
    cairn_file file;
    cairn_error error = {0};
    cairn_status status = cairn_file_read(context, name, 0, &file, &error);
    if (status) return world_complain(name, &error);
    const char *reason;
    json_value *document = json_parse(file.data, file.size, &error.line, &reason);
    cairn_file_free(context, &file);
    const json_value *old_rows = json_member(document, "rows");
    if (!old_rows || old_rows->kind != JSON_ARRAY) {
        if (document) error.line = 0;
        snprintf(error.text, sizeof error.text, "%s",
                 document ? "not a document of `cairn bench --json`" : reason);
        json_free(document);
        return world_complain(name, &error);
    }
    *out = document;
    return END_OK;
}

void bench_compare(const json_value *document, bench_rows *rows)
{
    const json_value *old_rows = json_member(document, "rows");
    for (uint32_t i = 0; old_rows && i < rows->count; i++) {
        bench_row *row = &rows->items[i];
        /* The maps may lie in another folder now. */
        const json_value *old = bench_old_row(old_rows, row, true);
        if (!old) old = bench_old_row(old_rows, row, false);
        if (!old) continue;
        row->time_ratio = bench_ratio(old, "time_us_mean", row->time_us_mean);
        row->expanded_ratio = bench_ratio(old, "expanded_mean", row->expanded_mean);
    }
}

/* ---- all maps together ---- */

/* The mean of two means of this many each. */
static double bench_join_means(double a, double a_count, double b, double b_count)
{
    if (!isfinite(a) || a_count == 0) return b;
    if (!isfinite(b) || b_count == 0) return a;
    return (a * a_count + b * b_count) / (a_count + b_count);
}

static double bench_join_sums(double a, double b)
{
    return isfinite(a) && isfinite(b) ? a + b : isfinite(a) ? a : b;
}

static void bench_join_answerers(bench_row *sum, const bench_row *row)
{
    for (uint32_t i = 0; i < BENCH_ANSWERERS && row->answered_by[i].count; i++) {
        bench_answerer *place = sum->answered_by;
        while (place < sum->answered_by + BENCH_ANSWERERS && place->count &&
               place->algorithm != row->answered_by[i].algorithm)
            place++;
        if (place == sum->answered_by + BENCH_ANSWERERS) continue;
        place->algorithm = row->answered_by[i].algorithm;
        place->count += row->answered_by[i].count;
    }
}

static void bench_join_quality(bench_row *sum, const bench_row *row)
{
    double a = sum->paths, b = row->paths;
    sum->suboptimality_mean =
        bench_join_means(sum->suboptimality_mean, a, row->suboptimality_mean, b);
    sum->within_1_percent = bench_join_means(sum->within_1_percent, a, row->within_1_percent, b);
    sum->within_5_percent = bench_join_means(sum->within_5_percent, a, row->within_5_percent, b);
    sum->pieces_suboptimality_mean =
        bench_join_means(sum->pieces_suboptimality_mean, sum->followed,
                         row->pieces_suboptimality_mean, row->followed);
    sum->suboptimality_max = fmax(sum->suboptimality_max, row->suboptimality_max);
    sum->paths += row->paths;
    sum->followed += row->followed;
}

static void bench_join(bench_row *sum, const bench_row *row)
{
    double a = sum->problems, b = row->problems;
    sum->time_us_mean = bench_join_means(sum->time_us_mean, a, row->time_us_mean, b);
    sum->first_move_us_mean =
        bench_join_means(sum->first_move_us_mean, a, row->first_move_us_mean, b);
    sum->expanded_mean = bench_join_means(sum->expanded_mean, a, row->expanded_mean, b);
    sum->generated_mean = bench_join_means(sum->generated_mean, a, row->generated_mean, b);
    sum->time_us_max = fmax(sum->time_us_max, row->time_us_max);
    bench_join_quality(sum, row);
    bench_join_answerers(sum, row);
    sum->delegated += row->delegated;
    sum->maps += row->maps;
    sum->problems += row->problems;
    sum->solved += row->solved;
    sum->failed += row->failed;
    sum->optimal += row->optimal;
    sum->world_bytes += row->world_bytes;
    if (row->peak_bytes > sum->peak_bytes) sum->peak_bytes = row->peak_bytes;
    sum->index_bytes = bench_join_sums(sum->index_bytes, row->index_bytes);
    sum->index_build_ms = bench_join_sums(sum->index_build_ms, row->index_build_ms);
}

bool bench_sum_up(const bench_rows *rows, bench_rows *out)
{
    *out = (bench_rows){.items = calloc(rows->count + 1u, sizeof *out->items)};
    for (uint32_t i = 0; out->items && i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        uint32_t at = 0;
        while (at < out->count && strcmp(out->items[at].algorithm, row->algorithm) != 0) at++;
        if (at < out->count) {
            bench_join(&out->items[at], row);
            continue;
        }
        bench_row *sum = &out->items[out->count++];
        *sum = *row;
        sum->map = NULL;
        sum->time_us_median = sum->time_us_p99 = sum->time_ratio = sum->expanded_ratio = NAN;
    }
    return out->items || (complain("there is not enough memory to sum up the rows"), false);
}

/* ---- JSON ---- */

static double bench_round(double value, double unit)
{
    return floor(value * unit + 0.5) / unit;
}

/* {"jps": 90, "astar": 10} */
static void bench_json_answerers(json *j, const bench_row *row)
{
    json_object(j, "answered_by");
    for (uint32_t i = 0; i < BENCH_ANSWERERS && row->answered_by[i].count; i++)
        json_integer(j, row->answered_by[i].algorithm->name, row->answered_by[i].count);
    json_end(j);
}

static void bench_json_row(json *j, const bench_row *row)
{
    json_object(j, NULL);
    json_text(j, "algorithm", row->algorithm);
    json_text(j, "map", row->map);
    json_integer(j, "problems", row->problems);
    json_integer(j, "solved", row->solved);
    json_integer(j, "failed", row->failed);
    json_number(j, "optimal", row->any_angle ? (double)NAN : row->optimal);
    json_number(j, "suboptimality_mean", row->suboptimality_mean);
    json_number(j, "suboptimality_max", row->suboptimality_max);
    json_number(j, "pieces_suboptimality_mean", row->pieces_suboptimality_mean);
    json_number(j, "within_1_percent", row->within_1_percent);
    json_number(j, "within_5_percent", row->within_5_percent);
    json_number(j, "time_us_mean", bench_round(row->time_us_mean, 1000));
    json_number(j, "time_us_median", bench_round(row->time_us_median, 1000));
    json_number(j, "time_us_p99", bench_round(row->time_us_p99, 1000));
    json_number(j, "time_us_max", bench_round(row->time_us_max, 1000));
    json_number(j, "first_move_us_mean", bench_round(row->first_move_us_mean, 1000));
    bench_json_answerers(j, row);
    json_number(j, "expanded_mean", row->expanded_mean);
    json_number(j, "generated_mean", row->generated_mean);
    json_integer(j, "peak_bytes", (int64_t)row->peak_bytes);
    json_number(j, "index_bytes", row->index_bytes);
    json_number(j, "index_build_ms", bench_round(row->index_build_ms, 1000));
    json_integer(j, "world_bytes", (int64_t)row->world_bytes);
    json_null(j, "moves_mean");
    json_null(j, "move_us_mean");
    json_null(j, "move_us_max");
    json_null(j, "agent_bytes");
    json_end(j);
}

static void bench_json_rows(json *j, const char *key, const bench_rows *rows)
{
    json_list(j, key);
    for (uint32_t i = 0; i < rows->count; i++) bench_json_row(j, &rows->items[i]);
    json_end(j);
}

void bench_print_json(const bench_results *results)
{
    const bench_rows *rows = &results->rows;
    json j = json_to(stdout);
    json_object(&j, NULL);
    bench_json_rows(&j, "rows", rows);
    if (results->sums.items) bench_json_rows(&j, "summary", &results->sums);
    if (results->against) {
        json_list(&j, "against");
        for (uint32_t i = 0; i < rows->count; i++) {
            const bench_row *row = &rows->items[i];
            json_object(&j, NULL);
            json_text(&j, "algorithm", row->algorithm);
            json_text(&j, "map", row->map);
            json_number(&j, "time_ratio", row->time_ratio);
            json_number(&j, "expanded_ratio", row->expanded_ratio);
            json_end(&j);
        }
        json_end(&j);
    }
    json_end(&j);
}
