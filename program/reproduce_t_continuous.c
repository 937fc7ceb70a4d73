/* reproduce_t_continuous.c: T 6, agents in a world that changes: what happens, algorithms, and what
 * was published (see reproduce.h).
 *
 * T: as in reproduce_tables.c. Chapter 6 reports what others have found: Sun, Koenig and Yeoh of
 * GAA*, Koenig and Likhachev of D* Lite, Likhachev and others of AD*, Bond and others of RTD*.
 */
#include "reproduce_continuous.h"

#include <math.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])
#define ANY HUGE_VAL

/* ---- what happens ---- */

enum {
    CONTINUOUS_MAPS = 4,
    CONTINUOUS_PROBLEMS = 10,
    CONTINUOUS_WORK = 100,
    CONTINUOUS_SLOW = 5, /* every so many problems: what takes longer than all others together */
    CONTINUOUS_TURNS = 100000
};
static const char *const continuous_maps[CONTINUOUS_MAPS] = {"bg512/AR0011SR", "bg512/AR0072SR",
                                                             "bg512/AR0400SR", "bg512/AR0701SR"};

#define CONTINUOUS_GAMES(word) \
    { \
        .name = (word), .files = continuous_maps, .repeated = true, .maps = CONTINUOUS_MAPS, \
        .problems = CONTINUOUS_PROBLEMS \
    }
#define CROWD_SET(word, generator, runs) \
    { \
        .name = (word), .kind = (generator), .maps = 1, .shrinks = true, .wide = {1024, 1024}, \
        .high = {1024, 1024}, .problems = (runs) \
    }
#define CROWD_SETS(number, word, generator) \
    [C_CROWD(number, CROWD_1)] = CROWD_SET(word "-1", generator, 10), \
                     [C_CROWD(number, CROWD_10)] = CROWD_SET(word "-10", generator, 4), \
                     [C_CROWD(number, CROWD_50)] = CROWD_SET(word "-50", generator, 1), \
                     [C_CROWD(number, CROWD_200)] = CROWD_SET(word "-200", generator, 1)

static const reproduce_set continuous_sets[C_SETS] = {
    [C_NEAR] = CONTINUOUS_GAMES("near"),
    [C_FAR] = CONTINUOUS_GAMES("far"),
    [C_LARGE_NEAR] = CONTINUOUS_GAMES("large-near"),
    [C_LARGE_FAR] = CONTINUOUS_GAMES("large-far"),
    [C_AWAY] = CONTINUOUS_GAMES("anywhere"),
    [C_BARRIER_STAYS] = CONTINUOUS_GAMES("barrier-stays"),
    [C_BARRIER_OPENS] = CONTINUOUS_GAMES("barrier-opens"),
    [C_FOG] = CONTINUOUS_GAMES("fog"),
    [C_TARGET] = CONTINUOUS_GAMES("target"),
    [C_FOG_TURNS] = CONTINUOUS_GAMES("fog-turns"),
    [C_EDIT_TURNS] = CONTINUOUS_GAMES("edit-turns"),
    CROWD_SETS(CROWD_AWAY, "agents", CAIRN_GENERATE_PSEUDO_RTS),
    CROWD_SETS(CROWD_NEAR, "crowd-near", CAIRN_GENERATE_BATTLEFIELD),
    CROWD_SETS(CROWD_FAR, "crowd-far", CAIRN_GENERATE_BATTLEFIELD),
    CROWD_SETS(CROWD_LARGE_NEAR, "crowd-large-near", CAIRN_GENERATE_BATTLEFIELD),
    CROWD_SETS(CROWD_LARGE_FAR, "crowd-large-far", CAIRN_GENERATE_BATTLEFIELD),
    CROWD_SETS(CROWD_FOG, "crowd-fog", CAIRN_GENERATE_BATTLEFIELD),
    CROWD_SETS(CROWD_TARGET, "crowd-target", CAIRN_GENERATE_BATTLEFIELD)};

#define CONTINUOUS_HOW .turns = CONTINUOUS_TURNS, .how = {.replan = CAIRN_REPLAN_CHANGED}
#define CONTINUOUS_LONG .turns = CONTINUOUS_TURNS * 10, .how = {.replan = CAIRN_REPLAN_CHANGED}
#define CONTINUOUS_LIMITED \
    .turns = CONTINUOUS_TURNS, .how = {.replan = CAIRN_REPLAN_CHANGED, .work = CONTINUOUS_WORK}
#define CROWD_OF(number, words, count, ...) \
    [number] = {.title = (words), \
                .world = {.agents = (count), \
                          .goals = 1, \
                          .turns = CONTINUOUS_TURNS, \
                          .how = {.replan = CAIRN_REPLAN_CHANGED}, \
                          __VA_ARGS__}}
#define CROWDS_OF(number, words, ...) \
    CROWD_OF(C_CROWD(number, CROWD_1), words, 1, __VA_ARGS__), \
        CROWD_OF(C_CROWD(number, CROWD_10), words, 10, __VA_ARGS__), \
        CROWD_OF(C_CROWD(number, CROWD_50), words, 50, __VA_ARGS__), \
        CROWD_OF(C_CROWD(number, CROWD_200), words, 200, __VA_ARGS__)

/* Blocks on paths open again soon: else an agent in a corridor is cut off, or walks to and fro
 * between two of them for ever. */
static const continuous_setup continuous_setups[C_SETS] =
    {[C_NEAR] = {"A wall near: a block of 3×3 cells 5 steps ahead, every 20 turns, for 15 turns",
                 .world = {.every = 20, .ahead = 5, .life = 15, CONTINUOUS_HOW}},
     [C_FAR] = {"A wall farther away: a block of 3×3 cells 30 steps ahead, every 40 turns, for 15 "
                "turns",
                .world = {.every = 40, .ahead = 30, .life = 15, CONTINUOUS_HOW}},
     [C_LARGE_NEAR] = {"A large wall near: a block of 15×15 cells 12 steps ahead, every 40 turns, "
                       "for 10 turns",
                       .world = {.every = 40, .size = 15, .ahead = 12, .life = 10, CONTINUOUS_HOW}},
     [C_LARGE_FAR] = {"A large wall farther away: a block of 15×15 cells 40 steps ahead, every 40 "
                      "turns, for 10 turns",
                      .world = {.every = 40, .size = 15, .ahead = 40, .life = 10, CONTINUOUS_HOW}},
     [C_AWAY] = {"Anywhere: a block of 15×15 cells, every 20 turns, for ever",
                 .world = {.every = 20, .size = 15, CONTINUOUS_HOW}},
     [C_BARRIER_STAYS] =
         {"A barrier that stays shut: a block of at most 31×31 cells on the middle of the "
          "best path, from the beginning on",
          .world = {CONTINUOUS_LONG}, .barrier = 31},
     [C_BARRIER_OPENS] =
         {"A barrier that opens: the same, until a quarter of that path could be walked",
          .world = {CONTINUOUS_LONG}, .barrier = 31, .opens = true},
     [C_FOG] = {"Fog: the agent takes for free what it has not seen, and sees 5 cells far",
                .world = {.sensor = 5, .unknown = true, CONTINUOUS_HOW}, .restless = true},
     [C_TARGET] = {"A target that moves, every second turn", .world = {.roam = 2, CONTINUOUS_HOW},
                   .restless = true},
     [C_FOG_TURNS] = {"Fog, and 100 units of work a turn",
                      .world = {.sensor = 5, .unknown = true, CONTINUOUS_LIMITED},
                      .restless = true},
     [C_EDIT_TURNS] = {"A wall near, as above, and 100 units of work a turn",
                       .world = {.every = 20, .ahead = 5, .life = 15, CONTINUOUS_LIMITED}},
     CROWDS_OF(CROWD_AWAY, "a block of 3×3 cells anywhere, every 10 turns; `pseudo-rts`",
               .every = 10),
     CROWDS_OF(CROWD_NEAR,
               "a block of 3×3 cells 5 steps ahead of one of them, every 10 turns, for 40 turns",
               .every = 10, .ahead = 5, .life = 40),
     CROWDS_OF(CROWD_FAR,
               "a block of 3×3 cells 30 steps ahead of one of them, every 10 turns, for 40 turns",
               .every = 10, .ahead = 30, .life = 40),
     CROWDS_OF(CROWD_LARGE_NEAR,
               "a block of 15×15 cells 12 steps ahead of one of them, every 40 turns, for 10 "
               "turns",
               .every = 40, .size = 15, .ahead = 12, .life = 10),
     CROWDS_OF(CROWD_LARGE_FAR,
               "a block of 15×15 cells 40 steps ahead of one of them, every 40 turns, for 10 "
               "turns",
               .every = 40, .size = 15, .ahead = 40, .life = 10),
     CROWDS_OF(CROWD_FOG, "fog: they share what they know, and see 5 cells far", .sensor = 5,
               .unknown = true),
     CROWDS_OF(CROWD_TARGET, "targets that move, every 20 turns", .roam = 20)};

/* ---- who walks ---- */

static const reproduce_series continuous_series[C_SERIES] = {
    [C_ASTAR] = {"A*, planned again", "astar", 0, 0},
    [C_ASTAR_BLOCKED] = {"A*, when blocked", "astar", 0, 0},
    [C_ASTAR_TIES] = {"A*, large g first", "astar:open=heap,tie=large-g", 0, 0},
    [C_JPS] = {"JPS, planned again", "jps", 0, 0},
    [C_JPS_BLOCKED] = {"JPS, when blocked", "jps", 0, 0},
    [C_LPASTAR] = {"LPA*", "lpastar", 0, 0},
    [C_DSTAR_LITE] = {"D* Lite", "dstar-lite", 0, 0},
    [C_DSTAR] = {"D*", "dstar:focused=0", 0, 0},
    [C_FOCUSED] = {"focused D*", "dstar:focused=1", 0, 0},
    [C_AASTAR] = {"AA*", "aastar", 0, 0},
    [C_GAASTAR] = {"GAA*", "gaastar", 0, 0},
    [C_MTAASTAR] = {"MTAA*", "mtaastar", 0, 0},
    [C_MPAASTAR] = {"MPAA*", "mpaastar", 0, 0},
    [C_MPGAASTAR] = {"MPGAA*", "mpgaastar", 0, 0},
    [C_ANYTIME] = {"Anytime A*", "anytime-astar", 0, CONTINUOUS_SLOW},
    [C_ARASTAR] = {"ARA*", "arastar", 0, 0},
    [C_ADSTAR] = {"AD*", "adstar", 0, 0},
    [C_ADSTAR_KM] = {"AD* with K_m", "adstar:keys=bias", 0, 0},
    [C_RTASTAR] = {"RTA* (10)", "rtastar:lookahead=10", 0, 0},
    [C_LRTASTAR] = {"LRTA* (10)", "lrtastar:lookahead=10", 0, 0},
    [C_LSS] = {"LSS-LRTA* (10)", "lss-lrtastar:lookahead=10", 0, 0},
    [C_RTAASTAR] = {"RTAA* (10)", "rtaastar:lookahead=10", 0, 0},
    [C_RTDSTAR] = {"RTD*", "rtdstar", 0, 0},
    [C_RTDSTAR_EQUAL] = {"RTD* (100)", "rtdstar:expansions=100,local=20,steps=one", 0, 0},
    [C_TBASTAR] = {"TBA*", "tbastar", 0, 0}};

/* Not all in crowds: those that are like others, or walk to and fro for very long. In fog every
 * agent hears of what any other one sees; two hundred of most kinds would take many minutes. RTD*
 * with as many expansions a move as a turn has units is for the comparison at equal work. */
#define C_BIT(set) (UINT64_C(1) << (set))
#define C_ONE (C_BIT(C_CROWDS) - 1)
#define C_ALL (C_BIT(C_SETS) - 1)
#define C_TURNS (C_BIT(C_FOG_TURNS) | C_BIT(C_EDIT_TURNS))
static const uint64_t continuous_series_sets[C_SERIES] = {
    [C_ASTAR] = C_ALL,      [C_ASTAR_BLOCKED] = C_ALL, [C_ASTAR_TIES] = C_ONE,
    [C_JPS] = C_ALL,        [C_JPS_BLOCKED] = C_ALL,   [C_LPASTAR] = C_ONE,
    [C_DSTAR_LITE] = C_ALL, [C_DSTAR] = C_ONE,         [C_FOCUSED] = C_ALL,
    [C_AASTAR] = C_ONE,     [C_GAASTAR] = C_ALL,       [C_MTAASTAR] = C_ONE,
    [C_MPAASTAR] = C_ONE,   [C_MPGAASTAR] = C_ALL,     [C_ANYTIME] = C_ONE,
    [C_ARASTAR] = C_ONE,    [C_ADSTAR] = C_ALL,        [C_ADSTAR_KM] = C_ONE,
    [C_RTASTAR] = C_ONE,    [C_LRTASTAR] = C_ONE,      [C_LSS] = C_ALL,
    [C_RTAASTAR] = C_ALL,   [C_RTDSTAR] = C_ALL,       [C_RTDSTAR_EQUAL] = C_TURNS,
    [C_TBASTAR] = C_ONE};

/* ---- claims ---- */

/* In the order of the sets below. Those about every set come first. */
static const reproduce_claim continuous_claims[] = {
    {"GAA\\*'s nodes over D\\* Lite's, still target, whole walks", "more (T 1348)",
     CLAIM_EVERY_RATIO, C_GAASTAR, C_DSTAR_LITE, METRIC_EXPANDED, 1, ANY, " ×",
     "With a target that stays, GAA\\* expands more ({}).",
     "With a target that stays, GAA\\* expands more, but not everywhere ({}): its first search is "
     "A\\*'s, and D\\* Lite's, backwards and with small g first, looks at far more.",
     NULL, GOOD_NEITHER},
    {"the same after the first step", "more (T 1348)", CLAIM_EVERY_RATIO, C_GAASTAR, C_DSTAR_LITE,
     METRIC_AFTER, 1, ANY, " ×", "After the first search D\\* Lite expands less ({}).",
     "After the first search D\\* Lite expands less, but not everywhere ({}).", NULL, GOOD_NEITHER},
    {"GAA\\*'s nodes over D\\* Lite's, moving target", "less (T 1348)", CLAIM_EVERY_RATIO,
     C_GAASTAR, C_DSTAR_LITE, METRIC_EXPANDED, 0, 1, " ×",
     "With a target that moves, GAA\\* expands less ({}).", NULL,
     "With a target that moves, GAA\\* does not expand less everywhere ({}).", GOOD_LESS},
    {"D\\* Lite's nodes over focused D\\*'s", "at most as many (T 1447)", CLAIM_EVERY_RATIO,
     C_DSTAR_LITE, C_FOCUSED, METRIC_EXPANDED, 0, 1.02, " ×",
     "D\\* Lite is at least as efficient as focused D\\* ({}).", NULL,
     "D\\* Lite expands about as many as focused D\\*, now more, now fewer ({}).", GOOD_LESS},
    {"AD\\*'s nodes over D\\* Lite's", "no fewer (T 1515)", CLAIM_EVERY_RATIO, C_ADSTAR,
     C_DSTAR_LITE, METRIC_EXPANDED, 0.95, ANY, " ×", "AD\\* saves no work ({}).",
     "AD\\* expands fewer nodes, but not everywhere ({}): an estimate that counts for more looks "
     "at less.",
     NULL, GOOD_LESS},
    {"AD\\*'s time over D\\* Lite's", "no less (T 1515)", CLAIM_EVERY_RATIO, C_ADSTAR, C_DSTAR_LITE,
     METRIC_TIME, 0.95, ANY, " ×", "AD\\* saves no time ({}).",
     "AD\\* takes less time, but not everywhere ({}).", NULL, GOOD_LESS},
    {"AD\\*'s memory over D\\* Lite's", "no less (T 1515)", CLAIM_EVERY_RATIO, C_ADSTAR,
     C_DSTAR_LITE, METRIC_AGENT_BYTES, 0.95, ANY, " ×", "AD\\* saves no memory ({}).",
     "AD\\* needs less memory, but not everywhere ({}).", NULL, GOOD_LESS},
    {"AD\\* with K_m, units of work over re-sorting", "less (T 1515)", CLAIM_EVERY_RATIO,
     C_ADSTAR_KM, C_ADSTAR, METRIC_WORK, 0, 0.99, " ×",
     "K_m saves work ({}): for as many nodes, 32 entries of the queue that are sorted are a unit.",
     NULL, "K_m saves work, but not everywhere ({}).", GOOD_LESS},
    {"the same in time", NULL, CLAIM_EVERY_RATIO, C_ADSTAR_KM, C_ADSTAR, METRIC_TIME, 0, ANY, " ×",
     "In time, {}: that of few changes is within what the machine varies by.", NULL, NULL,
     GOOD_NEITHER},
    {"A\\*'s nodes over D\\* Lite's after the first step", "several orders of magnitude (T 1569)",
     CLAIM_EVERY_RATIO, C_ASTAR, C_DSTAR_LITE, METRIC_AFTER, 100, ANY, " ×",
     "Repairing saves orders of magnitude ({}).",
     "What repairing saves depends on what changes ({}), and is not always orders of magnitude.",
     NULL, GOOD_MORE},
    {"A\\*'s time over D\\* Lite's, whole walks", "several orders of magnitude (T 1569)",
     CLAIM_EVERY_RATIO, C_ASTAR, C_DSTAR_LITE, METRIC_TIME, 100, ANY, " ×",
     "In time, too, it is orders of magnitude ({}).",
     "In time it is not ({}): the first search counts, and a node takes D\\* Lite far longer than "
     "A\\*.",
     NULL, GOOD_MORE},
    {"walks of LSS-LRTA\\* that do not arrive, barrier shut", "none (T 1527)", CLAIM_SHARE, C_LSS,
     0, METRIC_FAILED, 0, 0, " %", "Cells that are now blocked stop no agent that learns ({}).",
     NULL, "Some walks do not end ({}).", GOOD_LESS},
    {"LSS-LRTA\\*'s walks where the barrier opens over those where it stays shut",
     "no shorter (T 1527)", CLAIM_OTHER_SET, C_LSS, C_BARRIER_STAYS, METRIC_COST, 0.99, ANY, " ×",
     "It gains nothing from cells that open ({}): it has learnt that there is no path.",
     "It gains from cells that open ({}): nothing was learnt of the cells themselves, so an agent "
     "that sees them walks through.",
     NULL, GOOD_LESS},
    {"the same of RTAA\\*", "no shorter (T 1527)", CLAIM_OTHER_SET, C_RTAASTAR, C_BARRIER_STAYS,
     METRIC_COST, 0.99, ANY, " ×", "Nor does RTAA\\* ({}).", "So does RTAA\\* ({}).", NULL,
     GOOD_LESS},
    {"the same of RTD\\*", "shorter (T 1529)", CLAIM_OTHER_SET, C_RTDSTAR, C_BARRIER_STAYS,
     METRIC_COST, 0, 0.99, " ×", "RTD\\* gains from them ({}).", NULL,
     "RTD\\* does not gain from them ({}).", GOOD_LESS},
    {"the same of A\\*, planned again", NULL, CLAIM_OTHER_SET, C_ASTAR, C_BARRIER_STAYS,
     METRIC_COST, 0, ANY, " ×", "So much can be gained: {}.", NULL, NULL, GOOD_NEITHER},
    {"RTD\\*'s turns over D\\* Lite's in fog, 100 units a turn and 100 expansions a move",
     "less (T 1531)", CLAIM_RATIO, C_RTDSTAR_EQUAL, C_DSTAR_LITE, METRIC_TURNS, 0, 1, " ×",
     "In an unknown world RTD\\* is there earlier ({}): it walks while D\\* Lite thinks.", NULL,
     "At equal work RTD\\* is there later in an unknown world ({}): it walks at once, but detours.",
     GOOD_LESS},
    {"the same in a known world that changes", "more (T 1531)", CLAIM_RATIO, C_RTDSTAR_EQUAL,
     C_DSTAR_LITE, METRIC_TURNS, 1, ANY, " ×", "In a known one it is there later ({}).",
     "In a known one it is not there later, but about as early ({}).", NULL, GOOD_NEITHER},
    {"RTD\\* with 5 expansions a move, its turns over D\\* Lite's in fog, 100 units a turn", NULL,
     CLAIM_RATIO, C_RTDSTAR, C_DSTAR_LITE, METRIC_TURNS, 0, ANY, " ×",
     "With a twentieth of the work in each turn it takes {} as many, of the walks that it ends.",
     NULL, NULL, GOOD_NEITHER},
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
    {"A\\*'s nodes over D\\* Lite's, whole walks, walls near", NULL, CLAIM_RATIO, C_ASTAR,
     C_DSTAR_LITE, METRIC_EXPANDED, 0, ANY, " ×",
     "Walls near, with the first search, the factor is {}.", NULL, NULL, GOOD_NEITHER},
    {"JPS's time over D\\* Lite's, whole walks, walls near", NULL, CLAIM_RATIO, C_JPS, C_DSTAR_LITE,
     METRIC_TIME, 0, ANY, " ×", "Against JPS, planned again, it is {}.", NULL, NULL, GOOD_NEITHER},
    {"D\\* Lite's nodes after the first step in per cent of A\\*'s, all walks together, walls near",
     "at most 3 % (our limit)", CLAIM_POOLED, C_DSTAR_LITE, 0, METRIC_AFTER, 0, 3, " %",
     "A repair near the agent takes {} of a new search.", NULL,
     "A repair near the agent takes more than our limit allows ({}).", GOOD_LESS},
    {"the same, walls 30 steps ahead", "at most 8 % (our limit)", CLAIM_POOLED, C_DSTAR_LITE, 0,
     METRIC_AFTER, 0, 8, " %", "Farther away it takes {}.", NULL,
     "Farther away it takes more than our limit allows ({}).", GOOD_LESS},
    {"the same in fog, 5 cells far", "at most 20 % (our limit)", CLAIM_POOLED, C_DSTAR_LITE, 0,
     METRIC_AFTER, 0, 20, " %", "In fog it takes {}.", NULL,
     "In fog it takes more than our limit allows ({}).", GOOD_LESS},
    {"the same in fog, whole walks", "at most 20 % (our limit)", CLAIM_POOLED, C_DSTAR_LITE, 0,
     METRIC_EXPANDED, 0, 20, " %", "With the first search it is {}.", NULL,
     "With the first search it is more than our limit allows ({}).", GOOD_LESS},
    {"D\\* Lite's time in per cent of A\\*'s, all walks together, fog", NULL, CLAIM_POOLED,
     C_DSTAR_LITE, 0, METRIC_TIME, 0, 100, " %", "Fewer nodes take less time in fog ({}).", NULL,
     "Fewer nodes take more time in fog ({}): each of them costs far more than A\\*'s.",
     GOOD_NEITHER},
    {"the time of A\\*, when blocked, in per cent of A\\*'s, planned again, fog", NULL,
     CLAIM_POOLED, C_ASTAR_BLOCKED, 0, METRIC_TIME, 0, ANY, " %",
     "Where cells only close, planning again only when blocked takes {} of the time, for paths "
     "that are as good.",
     NULL, NULL, GOOD_NEITHER},
    {"D\\* Lite's time in per cent of A\\*'s, 200 agents, walls near", NULL, CLAIM_POOLED,
     C_DSTAR_LITE, 0, METRIC_TIME, 0, 100, " %", "Of 200 agents it takes {} of A\\*'s time.", NULL,
     "Of 200 agents it takes {} of A\\*'s time.", GOOD_NEITHER},
    {"JPS's time in per cent of A\\*'s, 200 agents, walls near", NULL, CLAIM_POOLED, C_JPS, 0,
     METRIC_TIME, 0, ANY, " %", "JPS, planned again, takes {} of it.", NULL, NULL, GOOD_NEITHER},
};
#define C_MOVING (C_BIT(C_TARGET) | ((C_BIT(CROWD_COUNTS) - 1) << C_CROWD(CROWD_TARGET, 0)))
static const uint64_t continuous_claim_every[COUNT(continuous_claims)] = {C_ALL & ~C_MOVING,
                                                                          C_ALL & ~C_MOVING,
                                                                          C_MOVING,
                                                                          C_ALL,
                                                                          C_ALL,
                                                                          C_ALL,
                                                                          C_ALL,
                                                                          C_ALL,
                                                                          C_ALL,
                                                                          C_ALL,
                                                                          C_ALL};
enum { CONTINUOUS_EVERY = 11 };
static const uint8_t continuous_claim_sets[COUNT(continuous_claims)] = {
    [CONTINUOUS_EVERY] = C_BARRIER_STAYS + 1,
    C_BARRIER_OPENS + 1,
    C_BARRIER_OPENS + 1,
    C_BARRIER_OPENS + 1,
    C_BARRIER_OPENS + 1,
    C_FOG_TURNS + 1,
    C_EDIT_TURNS + 1,
    C_FOG_TURNS + 1,
    C_CROWD(CROWD_AWAY, CROWD_1) + 1,
    C_CROWD(CROWD_AWAY, CROWD_50) + 1,
    C_CROWD(CROWD_AWAY, CROWD_50) + 1,
    C_NEAR + 1,
    C_NEAR + 1,
    C_NEAR + 1,
    C_FAR + 1,
    C_FOG + 1,
    C_FOG + 1,
    C_FOG + 1,
    C_FOG + 1,
    C_CROWD(CROWD_NEAR, CROWD_200) + 1,
    C_CROWD(CROWD_NEAR, CROWD_200) + 1};

const reproduce_table reproduce_t_continuous = {
    .name = "t-continuous",
    .title = "T 6: incremental, anytime and real-time search",
    .about = "Agents that walk while the world changes, by `cairn simulate`: one on four maps of "
             "`bg512`, ten random problems each, under eleven kinds of changes; and 1, 10, 50 and "
             "200 agents on generated maps of 1024×1024 cells (`pseudo-rts` and `battlefield`), "
             "under seven. Every agent looks for a better path after every change, so that all but "
             "the anytime and the real-time ones walk paths that are optimal in what is known. "
             "*When blocked*: only when the rest of its path cannot be walked any more, as agents "
             "of `astar` and `jps` do by default. Where cells only close, their paths are optimal "
             "all the same.",
    .sets = continuous_sets,
    .set_count = C_SETS,
    .series = continuous_series,
    .series_count = C_SERIES,
    .series_sets = continuous_series_sets,
    .setups = continuous_setups,
    .blocked_series = UINT64_C(1) << C_ASTAR_BLOCKED | UINT64_C(1) << C_JPS_BLOCKED,
    .metrics = METRIC_BIT(METRIC_FAILED) | METRIC_BIT(METRIC_COST) | METRIC_BIT(METRIC_EXPANDED) |
               METRIC_BIT(METRIC_EXPANDED_PERCENT) | METRIC_BIT(METRIC_AFTER) |
               METRIC_BIT(METRIC_AFTER_PERCENT) | METRIC_BIT(METRIC_BASE_EXPANDED) |
               METRIC_BIT(METRIC_BASE_AFTER) | METRIC_BIT(METRIC_TURNS) |
               METRIC_BIT(METRIC_MEMORY) | METRIC_BIT(METRIC_AGENT_BYTES) |
               METRIC_BIT(METRIC_LONGER) | METRIC_BIT(METRIC_TIME) | METRIC_BIT(METRIC_BASE_TIME) |
               METRIC_BIT(METRIC_TIME_PERCENT),
    .run = reproduce_continue,
    .print = reproduce_print_continuous,
    .draw = reproduce_draw_continuous,
    .claims = continuous_claims,
    .claim_count = COUNT(continuous_claims),
    .claim_sets = continuous_claim_sets,
    .claim_every = continuous_claim_every,
    .close = "An agent that repairs pays with a first search that looks at far more of the map, "
             "and with memory of its own."};
