/* reproduce_claims.c: what was claimed, what was measured, and whether they agree (see
 * reproduce.h). */
#include "reproduce.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

static double claims_quotient(const statistic *above, const statistic *below)
{
    return statistic_mean(below) != 0 ? statistic_mean(above) / statistic_mean(below) : NAN;
}

static double claims_ratio(const reproduce_record *record, const reproduce_claim *claim)
{
    return claims_quotient(&record->cells[claim->series][claim->metric],
                           &record->cells[claim->other][claim->metric]);
}

static double claims_node(const reproduce_record *record, uint32_t series)
{
    return reproduce_mean(record, series, METRIC_TIME) /
           reproduce_mean(record, series, METRIC_EXPANDED);
}

/* Of no use if nothing is saved. */
static double claims_break_even(const reproduce_record *record, const reproduce_claim *claim)
{
    double edit = reproduce_mean(record, claim->other, METRIC_TIME) -
                  reproduce_mean(record, claim->other, METRIC_BASE_TIME);
    double saved = reproduce_mean(record, claim->series, METRIC_BASE_TIME) -
                   reproduce_mean(record, claim->series, METRIC_TIME);
    return saved > 0 ? 1000 * edit / saved : NAN;
}

/* Of no use if an agent saves nothing. */
static double claims_agents(const reproduce_record *record, const reproduce_claim *claim)
{
    double saved = reproduce_mean(record, claim->other, METRIC_MEMORY) -
                   reproduce_mean(record, claim->series, METRIC_MEMORY);
    return saved > 0 ? reproduce_mean(record, claim->series, METRIC_INDEX_BYTES) / saved : NAN;
}

static double claims_difference(const reproduce_record *record, const reproduce_claim *claim)
{
    return statistic_mean(&record->cells[claim->series][claim->metric]) -
           statistic_mean(&record->cells[claim->other][claim->metric]);
}

/* The mean of the same series in another set. */
static double claims_elsewhere(const reproduce_run *run, const reproduce_table *table,
                               const reproduce_claim *claim)
{
    reproduce_record record;
    reproduce_sum(run, table, &table->sets[claim->other], &record);
    return reproduce_mean(&record, claim->series, claim->metric);
}

/* What a single map adds to a claim about maps. */
static double claims_of_map(const reproduce_record *record, const reproduce_claim *claim)
{
    double mean = statistic_mean(&record->cells[claim->series][claim->metric]);
    if (claim->kind == CLAIM_MOST_RATIO || claim->kind == CLAIM_LEAST_RATIO)
        return claims_ratio(record, claim);
    if (claim->kind == CLAIM_MOST_GAP) return fabs(claims_difference(record, claim));
    return mean;
}

/* What a claim comes to; NAN if nothing was measured for it. */
typedef struct claims_answer {
    double value;
    const char *map; /* where, if it is one map's; else NULL */
    bool every;      /* one number for each set: these are the least and the most of them */
    double most;
} claims_answer;

/* The set that the i-th claim is about; NULL = all. */
static const reproduce_set *claims_set(const reproduce_table *table, uint32_t i)
{
    uint32_t number = table->claim_sets ? table->claim_sets[i] : table->claim_set;
    return number ? &table->sets[number - 1] : NULL;
}

/* Over all maps: the per cent of them above 100, the least, or the most. */
static claims_answer claims_over_maps(const reproduce_run *run, const reproduce_table *table,
                                      const reproduce_set *set, const reproduce_claim *claim)
{
    claims_answer result = {.value = NAN};
    bool least = claim->kind == CLAIM_BEST_MAP || claim->kind == CLAIM_LEAST_RATIO;
    uint32_t above = 0, count = 0, at = 0;
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));) {
        double value = claims_of_map(&part->record, claim);
        if (!isfinite(value) || (set && part->set != set)) continue;
        above += value > 100;
        bool beyond = least ? value < result.value : value > result.value;
        if (!count++ || beyond) result = (claims_answer){.value = value, .map = part->map};
    }
    if (claim->kind == CLAIM_MAPS_ABOVE && count)
        result = (claims_answer){.value = 100.0 * above / count};
    return result;
}

/* A claim about every set, in one of them; NAN if it is not about that, or nothing was measured. */
static double claims_in_set(const reproduce_run *run, const reproduce_table *table,
                            const reproduce_claim *claim, uint32_t set)
{
    statistic above = {0}, below = {0};
    uint32_t at = 0;
    if (!(table->claim_every[claim - table->claims] >> set & 1)) return NAN;
    for (const reproduce_part *part; (part = reproduce_next(run, table, &at));) {
        if (part->set != &table->sets[set]) continue;
        statistic_join(&above, &part->record.cells[claim->series][claim->metric]);
        statistic_join(&below, &part->record.cells[claim->other][claim->metric]);
    }
    return claims_quotient(&above, &below);
}

static claims_answer claims_over_sets(const reproduce_run *run, const reproduce_table *table,
                                      const reproduce_claim *claim)
{
    claims_answer result = {.value = NAN, .every = true, .most = NAN};
    for (uint32_t i = 0; i < table->set_count; i++) {
        double value = claims_in_set(run, table, claim, i);
        if (!isfinite(value)) continue;
        result.value = fmin(result.value, value);
        result.most = fmax(result.most, value);
    }
    return result;
}

static claims_answer claims_measured(const reproduce_run *run, const reproduce_table *table,
                                     const reproduce_set *set, const reproduce_claim *claim)
{
    if (claim->kind == CLAIM_EVERY_RATIO) return claims_over_sets(run, table, claim);
    reproduce_record record, *all = &record;
    reproduce_sum(run, table, set, all);
    const statistic *s = &all->cells[claim->series][claim->metric];
    switch (claim->kind) {
    case CLAIM_MEAN: return (claims_answer){.value = statistic_mean(s)};
    case CLAIM_SHARE: return (claims_answer){.value = 100 * statistic_mean(s)};
    case CLAIM_DEVIATION: return (claims_answer){.value = statistic_deviation(s)};
    case CLAIM_SPREAD: return (claims_answer){.value = statistic_deviation(s) / statistic_mean(s)};
    case CLAIM_MOST: return (claims_answer){.value = s->count ? s->most : NAN};
    case CLAIM_RATIO: return (claims_answer){.value = claims_ratio(all, claim)};
    case CLAIM_NODE_RATIO:
        return (claims_answer){.value = claims_node(all, claim->series) /
                                        claims_node(all, claim->other)};
    case CLAIM_DIFFERENCE: return (claims_answer){.value = claims_difference(all, claim)};
    case CLAIM_BREAK_EVEN: return (claims_answer){.value = claims_break_even(all, claim)};
    case CLAIM_AGENTS: return (claims_answer){.value = claims_agents(all, claim)};
    case CLAIM_POOLED:
        return (claims_answer){.value = reproduce_pooled(all, claim->series, claim->metric)};
    case CLAIM_OTHER_SET:
        return (claims_answer){.value = statistic_mean(s) / claims_elsewhere(run, table, claim)};
    case CLAIM_WORST_MAP:
    case CLAIM_BEST_MAP:
    case CLAIM_MAPS_ABOVE:
    case CLAIM_MOST_RATIO:
    case CLAIM_LEAST_RATIO:
    case CLAIM_MOST_GAP:
    case CLAIM_EVERY_RATIO: break;
    }
    return claims_over_maps(run, table, set, claim);
}

static claim_verdict claims_judge_one(const reproduce_claim *claim, double value)
{
    if (value >= claim->low && value <= claim->high) return VERDICT_AGREES;
    bool better = value < claim->low ? claim->good == GOOD_LESS : claim->good == GOOD_MORE;
    return better ? VERDICT_BETTER : VERDICT_CONTRADICTS;
}

/* Of several numbers the worst verdict, which the least or the most of them has. */
static claim_verdict claims_judge(const reproduce_claim *claim, const claims_answer *answer)
{
    claim_verdict verdict = claims_judge_one(claim, answer->value);
    claim_verdict most = answer->every ? claims_judge_one(claim, answer->most) : verdict;
    return most > verdict ? most : verdict;
}

void reproduce_count_claims(const reproduce_run *run, const reproduce_table *table,
                            uint32_t counts[VERDICT_COUNT])
{
    memset(counts, 0, VERDICT_COUNT * sizeof counts[0]);
    for (uint32_t i = 0; i < table->claim_count && !reproduce_has_own(run, table); i++) {
        const reproduce_claim *claim = &table->claims[i];
        claims_answer answer = claims_measured(run, table, claims_set(table, i), claim);
        if (claim->published && isfinite(answer.value)) counts[claims_judge(claim, &answer)]++;
    }
}

/* ---- words ---- */

/* A claim with what it comes to. */
typedef struct claims_result {
    const reproduce_claim *claim;
    claims_answer answer;
    double bytes; /* of a claim about nodes; else NAN */
} claims_result;

enum { CLAIMS_NUMBER = 64, CLAIMS_NUMBERS = 2 * CLAIMS_NUMBER + 4 };

/* Three digits or so, two of what is small. */
static int claims_decimals(const reproduce_claim *claim, double size)
{
    if (claim->metric == METRIC_STEPS || size >= 100) return 0;
    if (size >= 10) return 1;
    return size > 0 && size < 0.1 ? (int)fmin(6, 1 - floor(log10(size))) : 2;
}

static void claims_number(const reproduce_claim *claim, double value, char out[CLAIMS_NUMBER])
{
    snprintf(out, CLAIMS_NUMBER, "%.*f%s", claims_decimals(claim, fabs(value)), value, claim->unit);
}

/* What a claim comes to: a number, or the least and the most of several. */
static void claims_numbers(const claims_result *result, char out[CLAIMS_NUMBERS])
{
    char number[CLAIMS_NUMBER];
    claims_number(result->claim, result->answer.value, number);
    int length = snprintf(out, CLAIMS_NUMBERS, "%s", number);
    if (!result->answer.every) return;
    claims_number(result->claim, result->answer.most, number);
    snprintf(out + length, CLAIMS_NUMBERS - (size_t)length, " to %s", number);
}

static const char *claims_sentence(const claims_result *result)
{
    const reproduce_claim *claim = result->claim;
    double most = result->answer.every ? result->answer.most : result->answer.value;
    return result->answer.value < claim->low ? claim->below
           : most > claim->high              ? claim->above
                                             : claim->agrees;
}

static void claims_print_sentence(const claims_result *result, FILE *out)
{
    const char *sentence = claims_sentence(result);
    for (const char *place; (place = strchr(sentence, '{')); sentence = strchr(place, '}') + 1) {
        char number[CLAIMS_NUMBERS];
        claims_numbers(result, number);
        if (place[1] != '}') claims_number(result->claim, result->bytes, number);
        fprintf(out, "%.*s%s", (int)(place - sentence), sentence, number);
    }
    fputs(sentence, out);
}

/* In how many sets it holds, and where it does not. */
static void claims_print_sets(const reproduce_run *run, const reproduce_table *table,
                              const reproduce_claim *claim, FILE *out)
{
    uint32_t count = 0, held = 0;
    for (uint32_t i = 0; i < table->set_count; i++) {
        double value = claims_in_set(run, table, claim, i);
        if (!isfinite(value)) continue;
        count++;
        held += claims_judge_one(claim, value) == VERDICT_AGREES;
    }
    fprintf(out, " It holds in %u of %u sets%s", held, count,
            held == count || !held ? "."
            : held < count / 2     ? ", these:"
                                   : ", all but these:");
    bool mixed = held && held < count;
    for (uint32_t i = 0, listed = 0; i < table->set_count && mixed; i++) {
        char number[CLAIMS_NUMBER];
        double value = claims_in_set(run, table, claim, i);
        bool holds = isfinite(value) && claims_judge_one(claim, value) == VERDICT_AGREES;
        if (!isfinite(value) || holds != (held < count / 2)) continue;
        claims_number(claim, value, number);
        fprintf(out, "%s `%s` (%s)", listed++ ? "," : "", table->sets[i].name, number);
    }
    if (mixed) fputs(".", out);
}

static void claims_print_row(const reproduce_run *run, const reproduce_table *table,
                             const claims_result *result, FILE *out)
{
    static const char *const words[VERDICT_COUNT] = {"agrees", "better", "contradicts"};
    const reproduce_claim *claim = result->claim;
    char number[CLAIMS_NUMBERS];
    claims_numbers(result, number);
    fprintf(out, "| %s | %s | %s", claim->what, claim->published ? claim->published : "–", number);
    if (result->answer.map) fprintf(out, " (`%s`)", result->answer.map);
    if (isfinite(result->bytes)) {
        claims_number(claim, result->bytes, number);
        fprintf(out, "; in bytes %s", number);
    }
    fprintf(out, " | %s | ", claim->published ? words[claims_judge(claim, &result->answer)] : "–");
    claims_print_sentence(result, out);
    if (result->answer.every && claim->published) claims_print_sets(run, table, claim, out);
    fputs(" |\n", out);
}

static double claims_bytes(const reproduce_run *run, const reproduce_table *table,
                           const reproduce_set *set, const reproduce_claim *claim)
{
    if (claim->metric != METRIC_LARGEST_PERCENT) return NAN;
    reproduce_claim same = *claim;
    same.metric = METRIC_MEMORY_PERCENT;
    return claims_measured(run, table, set, &same).value;
}

void reproduce_print_claims(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    fputs("\n| claim | published | measured | verdict | why |\n|---|---|---|---|---|\n", out);
    for (uint32_t i = 0; i < table->claim_count; i++) {
        const reproduce_claim *claim = &table->claims[i];
        const reproduce_set *set = claims_set(table, i);
        claims_result result = {.claim = claim, .answer = claims_measured(run, table, set, claim)};
        result.bytes = claims_bytes(run, table, set, claim);
        if (isfinite(result.answer.value)) claims_print_row(run, table, &result, out);
    }
    fprintf(out, "\n%s\n", table->close);
}
