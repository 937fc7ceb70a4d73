/* reproduce_claims.c: what was claimed, what was measured, and whether they agree (see
 * reproduce.h). */
#include "reproduce.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

static double claims_ratio(const reproduce_record *record, const reproduce_claim *claim)
{
    double above = statistic_mean(&record->cells[claim->series][claim->metric]);
    double below = statistic_mean(&record->cells[claim->other][claim->metric]);
    return below != 0 ? above / below : NAN;
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
        if (!count++ || beyond) result = (claims_answer){value, part->map};
    }
    if (claim->kind == CLAIM_MAPS_ABOVE && count)
        result = (claims_answer){100.0 * above / count, NULL};
    return result;
}

static claims_answer claims_measured(const reproduce_run *run, const reproduce_table *table,
                                     const reproduce_set *set, const reproduce_claim *claim)
{
    reproduce_record record, *all = &record;
    reproduce_sum(run, table, set, all);
    const statistic *s = &all->cells[claim->series][claim->metric];
    switch (claim->kind) {
    case CLAIM_MEAN: return (claims_answer){statistic_mean(s), NULL};
    case CLAIM_SHARE: return (claims_answer){100 * statistic_mean(s), NULL};
    case CLAIM_DEVIATION: return (claims_answer){statistic_deviation(s), NULL};
    case CLAIM_SPREAD: return (claims_answer){statistic_deviation(s) / statistic_mean(s), NULL};
    case CLAIM_MOST: return (claims_answer){s->count ? s->most : NAN, NULL};
    case CLAIM_RATIO: return (claims_answer){claims_ratio(all, claim), NULL};
    case CLAIM_NODE_RATIO:
        return (claims_answer){claims_node(all, claim->series) / claims_node(all, claim->other),
                               NULL};
    case CLAIM_DIFFERENCE: return (claims_answer){claims_difference(all, claim), NULL};
    case CLAIM_BREAK_EVEN: return (claims_answer){claims_break_even(all, claim), NULL};
    case CLAIM_AGENTS: return (claims_answer){claims_agents(all, claim), NULL};
    case CLAIM_POOLED:
        return (claims_answer){reproduce_pooled(all, claim->series, claim->metric), NULL};
    case CLAIM_OTHER_SET:
        return (claims_answer){statistic_mean(s) / claims_elsewhere(run, table, claim), NULL};
    case CLAIM_WORST_MAP:
    case CLAIM_BEST_MAP:
    case CLAIM_MAPS_ABOVE:
    case CLAIM_MOST_RATIO:
    case CLAIM_LEAST_RATIO:
    case CLAIM_MOST_GAP: break;
    }
    return claims_over_maps(run, table, set, claim);
}

static claim_verdict claims_judge(const reproduce_claim *claim, double value)
{
    if (value >= claim->low && value <= claim->high) return VERDICT_AGREES;
    bool better = value < claim->low ? claim->good == GOOD_LESS : claim->good == GOOD_MORE;
    return better ? VERDICT_BETTER : VERDICT_CONTRADICTS;
}

void reproduce_count_claims(const reproduce_run *run, const reproduce_table *table,
                            uint32_t counts[VERDICT_COUNT])
{
    memset(counts, 0, VERDICT_COUNT * sizeof counts[0]);
    for (uint32_t i = 0; i < table->claim_count && !reproduce_has_own(run, table); i++) {
        const reproduce_claim *claim = &table->claims[i];
        double value = claims_measured(run, table, claims_set(table, i), claim).value;
        if (claim->published && isfinite(value)) counts[claims_judge(claim, value)]++;
    }
}

/* ---- words ---- */

/* A claim with what it comes to. */
typedef struct claims_result {
    const reproduce_claim *claim;
    claims_answer answer;
    double bytes; /* of a claim about nodes; else NAN */
} claims_result;

/* Three digits or so, two of what is small. */
static int claims_decimals(const reproduce_claim *claim, double size)
{
    if (claim->metric == METRIC_STEPS || size >= 100) return 0;
    if (size >= 10) return 1;
    return size > 0 && size < 0.1 ? (int)fmin(6, 1 - floor(log10(size))) : 2;
}

static void claims_number(const reproduce_claim *claim, double value, char out[64])
{
    snprintf(out, 64, "%.*f%s", claims_decimals(claim, fabs(value)), value, claim->unit);
}

static void claims_print_sentence(const claims_result *result, FILE *out)
{
    const reproduce_claim *claim = result->claim;
    double value = result->answer.value;
    const char *sentence = value < claim->low    ? claim->below
                           : value > claim->high ? claim->above
                                                 : claim->agrees;
    for (const char *place; (place = strchr(sentence, '{')); sentence = strchr(place, '}') + 1) {
        char number[64];
        claims_number(claim, place[1] == '}' ? value : result->bytes, number);
        fprintf(out, "%.*s%s", (int)(place - sentence), sentence, number);
    }
    fputs(sentence, out);
}

static void claims_print_row(const claims_result *result, FILE *out)
{
    static const char *const words[VERDICT_COUNT] = {"agrees", "better", "contradicts"};
    const reproduce_claim *claim = result->claim;
    char number[64];
    claims_number(claim, result->answer.value, number);
    fprintf(out, "| %s | %s | %s", claim->what, claim->published ? claim->published : "–", number);
    if (result->answer.map) fprintf(out, " (`%s`)", result->answer.map);
    if (isfinite(result->bytes)) {
        claims_number(claim, result->bytes, number);
        fprintf(out, "; in bytes %s", number);
    }
    fprintf(out, " | %s | ",
            claim->published ? words[claims_judge(claim, result->answer.value)] : "–");
    claims_print_sentence(result, out);
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
        if (isfinite(result.answer.value)) claims_print_row(&result, out);
    }
    fprintf(out, "\n%s\n", table->close);
}
