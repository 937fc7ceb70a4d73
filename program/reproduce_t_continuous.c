/* reproduce_t_continuous.c: T 6, agents in a world that changes: what happens, algorithms, what was
 * published, and the tables (see reproduce.h).
 *
 * T: as in reproduce_tables.c. Chapter 6 reports what others have found: Sun, Koenig and Yeoh of
 * GAA*, Koenig and Likhachev of D* Lite, Likhachev and others of AD*, Bond and others of RTD*.
 */
#include "reproduce.h"

#include "simulate.h"

#include <math.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])
#define ANY HUGE_VAL

/* ---- what happens ---- */

enum {
    C_NEAR,
    C_FAR,
    C_AWAY,
    C_OPENS,
    C_FOG,
    C_TARGET,
    C_FOG_TURNS,
    C_EDIT_TURNS,
    C_AGENTS_1,
    C_AGENTS_10,
    C_AGENTS_50,
    C_AGENTS_200,
    C_SETS
};

enum {
    CONTINUOUS_MAPS = 4,
    CONTINUOUS_PROBLEMS = 10,
    CONTINUOUS_WORK = 100,
    CONTINUOUS_TURNS = 100000
};
static const char *const continuous_maps[CONTINUOUS_MAPS] = {"bg512/AR0011SR", "bg512/AR0072SR",
                                                             "bg512/AR0400SR", "bg512/AR0701SR"};

#define CONTINUOUS_GAMES(word) \
    { \
        .name = (word), .files = continuous_maps, .repeated = true, .maps = CONTINUOUS_MAPS, \
        .problems = CONTINUOUS_PROBLEMS \
    }
#define CONTINUOUS_AGENTS(word, runs) \
    { \
        .name = (word), .kind = CAIRN_GENERATE_PSEUDO_RTS, .maps = 1, .shrinks = true, \
        .wide = {1024, 1024}, .high = {1024, 1024}, .problems = (runs) \
    }

static const reproduce_set continuous_sets[C_SETS] = {
    [C_NEAR] = CONTINUOUS_GAMES("near"),
    [C_FAR] = CONTINUOUS_GAMES("far"),
    [C_AWAY] = CONTINUOUS_GAMES("anywhere"),
    [C_OPENS] = CONTINUOUS_GAMES("opens"),
    [C_FOG] = CONTINUOUS_GAMES("fog"),
    [C_TARGET] = CONTINUOUS_GAMES("target"),
    [C_FOG_TURNS] = CONTINUOUS_GAMES("fog-turns"),
    [C_EDIT_TURNS] = CONTINUOUS_GAMES("edit-turns"),
    [C_AGENTS_1] = CONTINUOUS_AGENTS("agents-1", 10),
    [C_AGENTS_10] = CONTINUOUS_AGENTS("agents-10", 2),
    [C_AGENTS_50] = CONTINUOUS_AGENTS("agents-50", 1),
    [C_AGENTS_200] = CONTINUOUS_AGENTS("agents-200", 1)};

#define CONTINUOUS_HOW .turns = CONTINUOUS_TURNS, .how = {.replan = CAIRN_REPLAN_CHANGED}
#define CONTINUOUS_LIMITED \
    .turns = CONTINUOUS_TURNS, .how = {.replan = CAIRN_REPLAN_CHANGED, .work = CONTINUOUS_WORK}
#define CONTINUOUS_MANY(count) \
    { \
        .agents = (count), .goals = 1, .every = 10, CONTINUOUS_HOW \
    }

static const simulate_setup continuous_setups[C_SETS] = {
    [C_NEAR] = {.every = 20, .ahead = 5, CONTINUOUS_HOW},
    [C_FAR] = {.every = 40, .ahead = 30, CONTINUOUS_HOW},
    [C_AWAY] = {.every = 20, .size = 15, CONTINUOUS_HOW},
    [C_OPENS] = {.every = 20, .ahead = 5, .life = 15, CONTINUOUS_HOW},
    [C_FOG] = {.sensor = 5, .unknown = true, CONTINUOUS_HOW},
    [C_TARGET] = {.roam = 2, CONTINUOUS_HOW},
    [C_FOG_TURNS] = {.sensor = 5, .unknown = true, CONTINUOUS_LIMITED},
    [C_EDIT_TURNS] = {.every = 20, .ahead = 5, .life = 15, CONTINUOUS_LIMITED},
    [C_AGENTS_1] = CONTINUOUS_MANY(1),
    [C_AGENTS_10] = CONTINUOUS_MANY(10),
    [C_AGENTS_50] = CONTINUOUS_MANY(50),
    [C_AGENTS_200] = CONTINUOUS_MANY(200)};

/* For the page, in the same order. */
static const char *const continuous_titles[C_SETS] = {
    "A wall near: a block of 3×3 cells 5 steps ahead, every 20 turns",
    "A wall farther away: a block of 3×3 cells 30 steps ahead, every 40 turns",
    "Anywhere: a block of 15×15 cells, every 20 turns",
    "A wall that opens again: 3×3 cells 5 steps ahead, every 20 turns, for 15 turns",
    "Fog: the agent takes for free what it has not seen, and sees 5 cells far",
    "A target that moves, every second turn",
    "Fog, and 100 units of work a turn",
    "A wall that opens again, and 100 units of work a turn",
    "One agent on 1024×1024 cells, a block of 3×3 cells somewhere every 10 turns",
    "Ten agents there",
    "Fifty agents there",
    "Two hundred agents there"};

/* ---- who walks ---- */

enum {
    C_ASTAR,
    C_JPS,
    C_LPASTAR,
    C_DSTAR_LITE,
    C_DSTAR,
    C_FOCUSED,
    C_AASTAR,
    C_GAASTAR,
    C_MTAASTAR,
    C_MPAASTAR,
    C_MPGAASTAR,
    C_ANYTIME,
    C_ARASTAR,
    C_ADSTAR,
    C_ADSTAR_KM,
    C_RTASTAR,
    C_LRTASTAR,
    C_LSS,
    C_RTAASTAR,
    C_RTDSTAR,
    C_TBASTAR,
    C_SERIES
};

static const reproduce_series continuous_series[C_SERIES] = {
    [C_ASTAR] = {"A*, planned again", "astar", 0, 0},
    [C_JPS] = {"JPS, planned again", "jps", 0, 0},
    [C_LPASTAR] = {"LPA*", "lpastar", 0, 0},
    [C_DSTAR_LITE] = {"D* Lite", "dstar-lite", 0, 0},
    [C_DSTAR] = {"D*", "dstar:focused=0", 0, 0},
    [C_FOCUSED] = {"focused D*", "dstar:focused=1", 0, 0},
    [C_AASTAR] = {"AA*", "aastar", 0, 0},
    [C_GAASTAR] = {"GAA*", "gaastar", 0, 0},
    [C_MTAASTAR] = {"MTAA*", "mtaastar", 0, 0},
    [C_MPAASTAR] = {"MPAA*", "mpaastar", 0, 0},
    [C_MPGAASTAR] = {"MPGAA*", "mpgaastar", 0, 0},
    [C_ANYTIME] = {"Anytime A*", "anytime-astar", 0, 0},
    [C_ARASTAR] = {"ARA*", "arastar", 0, 0},
    [C_ADSTAR] = {"AD*", "adstar", 0, 0},
    [C_ADSTAR_KM] = {"AD* with K_m", "adstar:keys=bias", 0, 0},
    [C_RTASTAR] = {"RTA* (10)", "rtastar:lookahead=10", 0, 0},
    [C_LRTASTAR] = {"LRTA* (10)", "lrtastar:lookahead=10", 0, 0},
    [C_LSS] = {"LSS-LRTA* (10)", "lss-lrtastar:lookahead=10", 0, 0},
    [C_RTAASTAR] = {"RTAA* (10)", "rtaastar:lookahead=10", 0, 0},
    [C_RTDSTAR] = {"RTD*", "rtdstar:expansions=20,local=50", 0, 0},
    [C_TBASTAR] = {"TBA*", "tbastar", 0, 0}};

/* Those that begin again at every change, with memory of their own, take minutes for many agents;
 * those that learn little from a look walk to and fro for very long. */
enum { C_ALL = (1 << C_SETS) - 1, C_FEW = (1 << C_AGENTS_50) - 1, C_ALONE = (1 << C_AGENTS_1) - 1 };
static const uint16_t continuous_series_sets[C_SERIES] = {
    [C_ASTAR] = C_ALL,      [C_JPS] = C_ALL,      [C_LPASTAR] = C_FEW,   [C_DSTAR_LITE] = C_ALL,
    [C_DSTAR] = C_ALL,      [C_FOCUSED] = C_ALL,  [C_AASTAR] = C_ALL,    [C_GAASTAR] = C_ALL,
    [C_MTAASTAR] = C_ALL,   [C_MPAASTAR] = C_ALL, [C_MPGAASTAR] = C_ALL, [C_ANYTIME] = C_FEW,
    [C_ARASTAR] = C_FEW,    [C_ADSTAR] = C_ALL,   [C_ADSTAR_KM] = C_ALL, [C_RTASTAR] = C_ALONE,
    [C_LRTASTAR] = C_ALONE, [C_LSS] = C_ALL,      [C_RTAASTAR] = C_ALL,  [C_RTDSTAR] = C_ALL,
    [C_TBASTAR] = C_ALONE};

/* ---- claims ---- */

static const reproduce_claim continuous_claims[] = {
    {"GAA\\*'s nodes over D\\* Lite's, still target, whole walks", "more (T 1348)", CLAIM_RATIO,
     C_GAASTAR, C_DSTAR_LITE, METRIC_EXPANDED, 1, ANY, " ×",
     "With a target that stays, GAA\\* expands more ({}).",
     "With a target that stays, GAA\\* expands fewer nodes ({}): its first search is A\\*'s, and "
     "D\\* Lite's, backwards and with small g first, looks at far more.",
     NULL, GOOD_NEITHER},
    {"the same after the first step", "more (T 1348)", CLAIM_RATIO, C_GAASTAR, C_DSTAR_LITE,
     METRIC_AFTER, 1, ANY, " ×", "After the first search D\\* Lite expands less ({}).",
     "After the first search GAA\\* expands less, too ({}).", NULL, GOOD_NEITHER},
    {"GAA\\*'s nodes over D\\* Lite's, moving target", "less (T 1348)", CLAIM_RATIO, C_GAASTAR,
     C_DSTAR_LITE, METRIC_EXPANDED, 0, 1, " ×",
     "With a target that moves, GAA\\* expands less ({}).", NULL,
     "With a target that moves, GAA\\* does not expand less ({}).", GOOD_LESS},
    {"D\\* Lite's nodes over focused D\\*'s, walls near", "at most as many (T 1447)", CLAIM_RATIO,
     C_DSTAR_LITE, C_FOCUSED, METRIC_EXPANDED, 0, 1.02, " ×",
     "D\\* Lite is at least as efficient as focused D\\* ({}).", NULL,
     "D\\* Lite expands more than focused D\\* ({}).", GOOD_LESS},
    {"the same in fog", "at most as many (T 1447)", CLAIM_RATIO, C_DSTAR_LITE, C_FOCUSED,
     METRIC_EXPANDED, 0, 1.02, " ×", "In fog, too ({}).", NULL, "Not so in fog ({}).", GOOD_LESS},
    {"AD\\*'s memory over D\\* Lite's, walls near", "no less (T 1515)", CLAIM_RATIO, C_ADSTAR,
     C_DSTAR_LITE, METRIC_AGENT_BYTES, 0.95, ANY, " ×", "AD\\* saves no memory ({}).",
     "AD\\* needs less memory ({}): an estimate that counts for more looks at less.", NULL,
     GOOD_LESS},
    {"AD\\* with K_m, time over re-sorting, walls near", "less (T 1515)", CLAIM_RATIO, C_ADSTAR_KM,
     C_ADSTAR, METRIC_TIME, 0, 1, " ×", "K_m saves time ({}).", NULL, "K_m saves no time ({}).",
     GOOD_LESS},
    {"RTD\\*'s turns over D\\* Lite's in fog, 100 units a turn", "less (T 1531)", CLAIM_RATIO,
     C_RTDSTAR, C_DSTAR_LITE, METRIC_TURNS, 0, 1, " ×",
     "In an unknown world RTD\\* is there earlier ({}): it walks while D\\* Lite thinks.", NULL,
     "In an unknown world RTD\\* is there later ({}).", GOOD_LESS},
    {"the same in a known world that changes", "more (T 1531)", CLAIM_RATIO, C_RTDSTAR,
     C_DSTAR_LITE, METRIC_TURNS, 1, ANY, " ×", "In a known one it is there later ({}).",
     "In a known one it is there earlier, too ({}).", NULL, GOOD_LESS},
    {"memory of an agent of D\\* Lite on 1024×1024 cells", "1.6 MB (T 1555)", CLAIM_MEAN,
     C_DSTAR_LITE, 0, METRIC_AGENT_BYTES, 800000, 3200000, " bytes",
     "An agent takes as much memory as T reckons ({}).",
     "An agent takes less memory than T reckons ({}).",
     "An agent takes more memory than T reckons ({}): D\\* Lite looks at more than a fifth of the "
     "cells, with 16 bytes each.",
     GOOD_LESS},
    {"memory of fifty agents", "80 MB (T 1561)", CLAIM_MEAN, C_DSTAR_LITE, 0, METRIC_MEMORY,
     40000000, 160000000, " bytes", "Fifty take as much as T reckons ({}).",
     "Fifty take less than T reckons ({}).", "Fifty take more than T reckons ({}).", GOOD_LESS},
    {"the same, A\\* from a pool", NULL, CLAIM_MEAN, C_ASTAR, 0, METRIC_MEMORY, 0, ANY, " bytes",
     "Fifty agents that plan again share a few searches: {}.", NULL, NULL, GOOD_NEITHER},
    {"A\\*'s nodes over D\\* Lite's after the first step, walls near",
     "several orders of magnitude (T 1569)", CLAIM_RATIO, C_ASTAR, C_DSTAR_LITE, METRIC_AFTER, 100,
     ANY, " ×", "Repairing saves orders of magnitude ({}).",
     "Repairing saves a factor of {}, not several orders of magnitude.", NULL, GOOD_MORE},
    {"A\\*'s nodes over D\\* Lite's, whole walks, walls near", NULL, CLAIM_RATIO, C_ASTAR,
     C_DSTAR_LITE, METRIC_EXPANDED, 0, ANY, " ×", "With the first search the factor is {}.", NULL,
     NULL, GOOD_NEITHER},
    {"A\\*'s time over D\\* Lite's, whole walks, walls near", NULL, CLAIM_RATIO, C_ASTAR,
     C_DSTAR_LITE, METRIC_TIME, 0, ANY, " ×", "In time it is {}.", NULL, NULL, GOOD_NEITHER},
    {"JPS's time over D\\* Lite's, whole walks, walls near", NULL, CLAIM_RATIO, C_JPS, C_DSTAR_LITE,
     METRIC_TIME, 0, ANY, " ×", "Against JPS, planned again, it is {}.", NULL, NULL, GOOD_NEITHER},
};
static const uint8_t continuous_claim_sets[COUNT(continuous_claims)] = {
    C_NEAR + 1, C_NEAR + 1,      C_TARGET + 1,     C_NEAR + 1,     C_FOG + 1,       C_NEAR + 1,
    C_NEAR + 1, C_FOG_TURNS + 1, C_EDIT_TURNS + 1, C_AGENTS_1 + 1, C_AGENTS_50 + 1, C_AGENTS_50 + 1,
    C_NEAR + 1, C_NEAR + 1,      C_NEAR + 1,       C_NEAR + 1};

/* ---- printing ---- */

static void continuous_row(const reproduce_record *all, const reproduce_series *series, uint32_t i,
                           FILE *out)
{
    const statistic *cells = all->cells[i];
    reproduce_print_name(out, series[i].name);
    reproduce_print_count(out, statistic_mean(&cells[METRIC_EXPANDED]));
    reproduce_print_number(out, statistic_mean(&cells[METRIC_EXPANDED_PERCENT]));
    reproduce_print_count(out, statistic_mean(&cells[METRIC_AFTER]));
    reproduce_print_number(out, statistic_mean(&cells[METRIC_AFTER_PERCENT]));
    reproduce_print_number(out, statistic_mean(&cells[METRIC_TIME]) / 1000);
    reproduce_print_number(out, statistic_mean(&cells[METRIC_TIME_PERCENT]));
    reproduce_print_count(out, statistic_mean(&cells[METRIC_TURNS]));
    reproduce_print_number(out, statistic_mean(&cells[METRIC_LONGER]));
    reproduce_print_number(out, statistic_mean(&cells[METRIC_AGENT_BYTES]) / 1024);
    reproduce_print_number(out, statistic_mean(&cells[METRIC_MEMORY]) / 1024);
    fprintf(out, " %u | %.0f |\n", cells[METRIC_TIME].count, cells[METRIC_FAILED].sum);
}

static void continuous_print(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    const reproduce_series *series = reproduce_series_of(run, table);
    fputs("\nOf each walk: nodes expanded in all, and after the agent's first step; the time of "
          "all turns, commits included; the turns until it arrived; how much longer it walked than "
          "the agent that plans again with A\\*; what an agent holds in the end, and what all "
          "agents and the searches that they share held at most. *Per cent* are of that A\\*, "
          "means of the problems. *Failed*: it did not arrive within 100,000 turns.\n",
          out);
    for (uint32_t s = 0; s < table->set_count; s++) {
        reproduce_record all;
        reproduce_sum(run, table, &table->sets[s], &all);
        if (!all.cells[0][METRIC_FAILED].count) continue;
        fprintf(out,
                "\n### `%s`: %s\n\n"
                "| | expanded | %% | after | %% | time, ms | %% | turns | longer, %% | an agent, "
                "KB | all, KB | walks | failed |\n"
                "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
                table->sets[s].name, continuous_titles[s]);
        for (uint32_t i = 0; i < reproduce_series_count(run, table); i++)
            if (series[i].spec && all.cells[i][METRIC_FAILED].count)
                continuous_row(&all, series, i, out);
    }
}

const reproduce_table reproduce_t_continuous = {
    .name = "t-continuous",
    .title = "T 6: incremental, anytime and real-time search",
    .about = "Agents that walk while the world changes, by `cairn simulate`: on four maps of "
             "`bg512`, ten random problems each, under eight kinds of changes; and 1, 10, 50 and "
             "200 agents on a "
             "generated map (`pseudo-rts`, 1024×1024 cells). Every agent looks for a better path "
             "after every change, so that all but the anytime and the real-time ones walk paths "
             "that are optimal in what is known.",
    .sets = continuous_sets,
    .set_count = C_SETS,
    .series = continuous_series,
    .series_count = C_SERIES,
    .series_sets = continuous_series_sets,
    .setups = continuous_setups,
    .metrics = METRIC_BIT(METRIC_FAILED) | METRIC_BIT(METRIC_COST) | METRIC_BIT(METRIC_EXPANDED) |
               METRIC_BIT(METRIC_EXPANDED_PERCENT) | METRIC_BIT(METRIC_AFTER) |
               METRIC_BIT(METRIC_AFTER_PERCENT) | METRIC_BIT(METRIC_TURNS) |
               METRIC_BIT(METRIC_MEMORY) | METRIC_BIT(METRIC_AGENT_BYTES) |
               METRIC_BIT(METRIC_LONGER) | METRIC_BIT(METRIC_TIME) |
               METRIC_BIT(METRIC_TIME_PERCENT),
    .run = reproduce_continue,
    .print = continuous_print,
    .claims = continuous_claims,
    .claim_count = COUNT(continuous_claims),
    .claim_sets = continuous_claim_sets,
    .close = "An agent that repairs pays with a first search that looks at far more of the map, "
             "and with memory of its own."};
