/* reproduce_tables.c: the list of published tables, and T's: maps, algorithms, and what was found
 * then (see reproduce.h).
 *
 * T: B. Anguelov, "Video Game Pathfinding and Improvements to Discrete Search on Grid-based Maps",
 * 2011. Its results are mostly plots; what the text says of them stands here. Maps that were never
 * published have stand-ins from our generators.
 */
#include "reproduce.h"

#include <math.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])
#define ANY HUGE_VAL

/* ---- T 8.3: SGA* ---- */

enum {
    V_ALL, /* in marks */
    V1,
    V2_DISTANCE,
    V2_DEVIATION,
    V3,
    V1_COMPONENTS,
    V2_DISTANCE_COMPONENTS,
    V2_DEVIATION_COMPONENTS,
    V3_COMPONENTS,
    SGA_QUEUE
};

#define TABLES_VARIANTS \
    {"A*", "astar"}, {"V1", "sga:variant=1,labels=off"}, \
        {"V2 MaxDist", "sga:variant=2,trim=distance,labels=off"}, \
        {"V2 MaxDev", "sga:variant=2,trim=deviation,labels=off"}, \
        {"V3", "sga:variant=3,trim=distance,labels=off"}, \
        {"V1 labels", "sga:variant=1,labels=on"}, \
        {"V2 MaxDist labels", "sga:variant=2,trim=distance,labels=on"}, \
        {"V2 MaxDev labels", "sga:variant=2,trim=deviation,labels=on"}, \
    { \
        "V3 labels", "sga:variant=3,trim=distance,labels=on" \
    }

static const reproduce_series tables_sga[] = {TABLES_VARIANTS};

/* A* as the thesis recommends to build it (T 5.3.3). */
static const reproduce_series tables_sga_queue[] = {TABLES_VARIANTS,
                                                    {"A* with a heap", "astar:open=heap"}};

#define TABLES_SGA_METRICS \
    (METRIC_BIT(METRIC_FAILED) | METRIC_BIT(METRIC_COST) | METRIC_BIT(METRIC_EXPANDED) | \
     METRIC_BIT(METRIC_EXPANDED_PERCENT) | METRIC_BIT(METRIC_LARGEST) | \
     METRIC_BIT(METRIC_LARGEST_PERCENT) | METRIC_BIT(METRIC_MEMORY) | \
     METRIC_BIT(METRIC_MEMORY_PERCENT) | METRIC_BIT(METRIC_LONGER) | \
     METRIC_BIT(METRIC_LONGER_SMOOTHED) | METRIC_BIT(METRIC_TIME) | \
     METRIC_BIT(METRIC_TIME_PERCENT))

#define TABLES_SGA(set, what, numbers, spots) \
    .series = tables_sga, .series_count = COUNT(tables_sga), .metrics = TABLES_SGA_METRICS, \
    TABLES_SGA_SETS(set, what, numbers, spots)

#define TABLES_SGA_SETS(set, what, numbers, spots) \
    .sets = set, .set_count = COUNT(set), .open_series = true, .smooth = true, \
    .run = reproduce_compare, .print = reproduce_print_variants, .draw = reproduce_draw_variants, \
    .published = numbers, .published_count = COUNT(numbers) / 4, .marks = spots, \
    .mark_count = COUNT(spots), .claims = what, .claim_count = COUNT(what)

/* What is said of every set. T compares means of per cents of A* (8.3.1), so the ratios here are
 * those of such means. */
#define TABLES_V3_LESS_LONG \
    { \
        "V3 against V2 MaxDist, how much longer unsmoothed", "less", CLAIM_RATIO, V3, V2_DISTANCE, \
            METRIC_LONGER, 0, 1, " ×", \
            "V3's unsmoothed paths are the best ones ({} V2's excess).", NULL, \
            "V3's unsmoothed paths are no better than V2's here ({} V2's excess).", GOOD_LESS \
    }
#define TABLES_V3_SLOWER \
    { \
        "V3 against V2 MaxDist, mean per cents of A\\*'s time", "more", CLAIM_RATIO, V3, \
            V2_DISTANCE, METRIC_TIME_PERCENT, 1, ANY, " ×", \
            "Problem by problem V3 takes longer ({} V2's per cent).", \
            "Problem by problem V3 does not take longer than V2 ({} its per cent).", NULL, \
            GOOD_LESS \
    }
#define TABLES_SPREAD \
    { \
        "standard deviation of V2 MaxDist's time", "extremely high", CLAIM_DEVIATION, V2_DISTANCE, \
            0, METRIC_TIME_PERCENT, 100, ANY, " % of A\\*", \
            "The spread is as bad as published: a standard deviation of {}.", \
            "The spread is milder than published: a standard deviation of {}.", NULL, GOOD_LESS \
    }
#define TABLES_COMPONENTS \
    { \
        "connected components, V2 MaxDist: mean per cents of A\\*'s nodes (left for later)", NULL, \
            CLAIM_RATIO, V2_DISTANCE_COMPONENTS, V2_DISTANCE, METRIC_EXPANDED_PERCENT, 0.95, 1.05, \
            " ×", \
            "Connected components, which the thesis leaves for later, change next to nothing: {} " \
            "the nodes explored without them, problem by problem.", \
            "Connected components, which the thesis leaves for later, help: {} the nodes " \
            "explored " \
            "without them, problem by problem.", \
            "Connected components, which the thesis leaves for later, do harm: {} the nodes " \
            "without them, problem by problem.", \
            GOOD_NEITHER \
    }

static const reproduce_set tables_counter_strike_sets[] = {
    {.kind = CAIRN_GENERATE_FACILITY, .maps = 18, .problems = 2000}};
static const char *const tables_counter_strike_published[] = {
    "about 50", "about 50", "37",   "about 4", /* V1 */
    "about 50", "about 50", "21",   "about 4", /* V2 */
    "about 50", "about 50", "21",   "about 4", /* V2 */
    "about 50", "about 50", "best", "about 4",
};
static const reproduce_mark tables_counter_strike_marks[] = {
    {METRIC_TIME_PERCENT, V_ALL, 50, 50, false},    {METRIC_TIME_PERCENT, V1, 230, 230, true},
    {METRIC_LARGEST_PERCENT, V_ALL, 50, 50, false}, {METRIC_LONGER, V1, 37, 37, false},
    {METRIC_LONGER, V2_DISTANCE, 21, 21, false},    {METRIC_LONGER, V2_DEVIATION, 21, 21, false},
    {METRIC_LONGER_SMOOTHED, V_ALL, 4, 4, false}};
static const reproduce_claim tables_counter_strike_claims[] = {
    {"time, V2 MaxDist", "about 50 % of A\\*", CLAIM_MEAN, V2_DISTANCE, 0, METRIC_TIME_PERCENT, 40,
     60, " % of A\\*", "V2 saves as much time as published ({}).",
     "V2 saves more time than published ({}).",
     "V2 does not save half of the time here ({}): rooms behind a single door are frequent on "
     "these maps, and "
     "every sub-goal behind the wrong wall makes A\\* flood its room, as on the thesis' "
     "`cs_militia`.",
     GOOD_LESS},
    {"peak memory, V2 MaxDist", "about 50 % of A\\*", CLAIM_MEAN, V2_DISTANCE, 0,
     METRIC_LARGEST_PERCENT, 40, 60, " % of A\\*",
     "Memory is as published: {} in nodes, {bytes} in bytes.",
     "It needs less memory than published: {} in nodes, {bytes} in bytes.",
     "It needs more memory than published: {} in nodes, {bytes} in bytes.", GOOD_LESS},
    {"longer, unsmoothed, V1", "37 %", CLAIM_MEAN, V1, 0, METRIC_LONGER, 27, 47, " %",
     "V1's paths are as much longer as published ({}).", "V1's paths are only {} longer, not 37 %.",
     "V1's paths are {} longer, not 37 %.", GOOD_LESS},
    {"longer, unsmoothed, V2 MaxDist", "21 %", CLAIM_MEAN, V2_DISTANCE, 0, METRIC_LONGER, 14, 28,
     " %", "V2's paths are as much longer as published ({}).",
     "V2's paths are only {} longer, not 21 %.", "V2's paths are {} longer, not 21 %.", GOOD_LESS},
    {"longer, smoothed, V2 MaxDist", "about 4 %", CLAIM_MEAN, V2_DISTANCE, 0,
     METRIC_LONGER_SMOOTHED, 2, 6, " %", "Smoothing brings that down to {}, as published.",
     "Smoothing brings that down to {}, below the published 4 %.",
     "After smoothing {} are left, more than the published 4 %.", GOOD_LESS},
    {"time on the worst map, V1", "over 230 % of A\\*", CLAIM_WORST_MAP, V1, 0, METRIC_TIME_PERCENT,
     230, ANY, " % of A\\*", "There are maps that ruin V1 (the worst takes {}).",
     "No map is as bad for V1 as `cs_militia` was (the worst takes {}).", NULL, GOOD_LESS},
    TABLES_V3_LESS_LONG,
    TABLES_V3_SLOWER,
    TABLES_SPREAD,
    TABLES_COMPONENTS};

static const reproduce_set tables_heroes_sets[] = {
    {.kind = CAIRN_GENERATE_BATTLEFIELD, .maps = 17, .narrow = 658, .problems = 2500}};
static const char *const tables_heroes_published[] = {
    "–",       "65 at most", "much",     "–", "4 to 61", "6 at least", "about 16",       "–",
    "4 to 61", "6 at least", "about 16", "–", "–",       "–",          "better than V2", "as V2",
};
static const reproduce_mark tables_heroes_marks[] = {
    {METRIC_TIME_PERCENT, V2_DISTANCE, 4, 61, true},
    {METRIC_LARGEST_PERCENT, V1, 65, 65, true},
    {METRIC_LARGEST_PERCENT, V2_DISTANCE, 6, 6, true},
    {METRIC_LONGER, V2_DISTANCE, 16, 16, false},
    {METRIC_LONGER, V2_DEVIATION, 16, 16, false}};
static const reproduce_claim tables_heroes_claims[] = {
    {"time on the best map, V2 MaxDist", "4 % of A\\*", CLAIM_BEST_MAP, V2_DISTANCE, 0,
     METRIC_TIME_PERCENT, 0, 15, " % of A\\*", "The best map needs {}.", NULL,
     "Even the best map needs {}, not 4 %.", GOOD_LESS},
    {"time on the worst map, V2 MaxDist", "61 % of A\\*", CLAIM_WORST_MAP, V2_DISTANCE, 0,
     METRIC_TIME_PERCENT, 50, 70, " % of A\\*", "On the worst map V2 takes {}, as published.",
     "On the worst map V2 takes {}, less than the published 61 %.",
     "On the worst map V2 takes {}, where the thesis had 61 %.", GOOD_LESS},
    {"peak memory on the worst map, V1", "65 % of A\\*", CLAIM_WORST_MAP, V1, 0,
     METRIC_LARGEST_PERCENT, 55, 75, " % of A\\*",
     "V1's memory is as published: at worst {} in nodes, {bytes} in bytes.",
     "V1's memory is less than published: at worst {} in nodes, {bytes} in bytes.",
     "V1's memory is more than published: at worst {} in nodes, {bytes} in bytes.", GOOD_LESS},
    {"peak memory on the best map, V2 MaxDist", "6 % of A\\*", CLAIM_BEST_MAP, V2_DISTANCE, 0,
     METRIC_LARGEST_PERCENT, 0, 12, " % of A\\*",
     "On the best map V2's memory is {} in nodes, {bytes} in bytes: records come in pages of 256, "
     "which small searches do "
     "not fill.",
     NULL, "On the best map V2's memory is still {} in nodes, {bytes} in bytes.", GOOD_LESS},
    {"longer, unsmoothed, V2 MaxDist", "about 16 %", CLAIM_MEAN, V2_DISTANCE, 0, METRIC_LONGER, 10,
     22, " %", "V2's paths are as much longer as published ({}).",
     "V2's paths are only {} longer, not 16 %.", "V2's paths are {} longer, not 16 %.", GOOD_LESS},
    TABLES_V3_LESS_LONG,
    TABLES_V3_SLOWER,
    TABLES_SPREAD,
    TABLES_COMPONENTS};

static const reproduce_set tables_baldur_sets[] = {{.folder = "bg512"}};
static const char *const tables_baldur_published[] = {
    "about 45",       "about 45", "worst",    "worst", "about 45",      "about 45", "–",
    "often optimal",  "about 45", "about 45", "–",     "often optimal", "–",        "–",
    "better than V2", "as V2",
};
static const reproduce_mark tables_baldur_marks[] = {{METRIC_TIME_PERCENT, V_ALL, 45, 45, false},
                                                     {METRIC_LARGEST_PERCENT, V_ALL, 45, 45, false},
                                                     {METRIC_LONGER, V1, 100, 100, true}};
static const reproduce_claim tables_baldur_claims[] = {
    {"time, V2 MaxDist", "about 45 % of A\\*", CLAIM_MEAN, V2_DISTANCE, 0, METRIC_TIME_PERCENT, 35,
     55, " % of A\\*", "V2 saves as much time as published ({}).",
     "V2 saves more time than published ({}).", "V2 takes {} in time, not 45 %.", GOOD_LESS},
    {"peak memory, V2 MaxDist", "about 45 % of A\\*", CLAIM_MEAN, V2_DISTANCE, 0,
     METRIC_LARGEST_PERCENT, 35, 55, " % of A\\*",
     "Memory is as published: {} in nodes, {bytes} in bytes.",
     "It needs less memory than published: {} in nodes, {bytes} in bytes.",
     "It needs more memory than published: {} in nodes, not 45 %, and {bytes} in bytes.",
     GOOD_LESS},
    {"maps on which V2 MaxDist takes longer than A\\*", "3 of 75, 4 %", CLAIM_MAPS_ABOVE,
     V2_DISTANCE, 0, METRIC_TIME_PERCENT, 0, 10, " % of the maps",
     "Few maps are worse than with A\\*, as published ({}).", NULL,
     "More maps than published are worse than with A\\*: {}.", GOOD_LESS},
    {"longer, unsmoothed, on the worst map, V1", "over 100 %", CLAIM_WORST_MAP, V1, 0,
     METRIC_LONGER, 100, ANY, " %", "The worst map doubles V1's paths ({} longer).",
     "Even on the worst map V1's paths are only {} longer.", NULL, GOOD_LESS},
    {"longer, smoothed, V2 MaxDist", "optimal in many cases", CLAIM_MEAN, V2_DISTANCE, 0,
     METRIC_LONGER_SMOOTHED, 0, 5, " %", "Smoothed paths are close to the best ones ({} longer).",
     NULL, "Smoothed paths are still {} longer.", GOOD_LESS},
    TABLES_V3_LESS_LONG,
    TABLES_SPREAD,
    TABLES_COMPONENTS};

static const reproduce_set tables_starcraft_sets[] = {{.folder = "sc1", .problems = 1280}};
static const char *const tables_starcraft_published[] = {
    "over 2100 in cases", "worse than A\\*", "–", "–",
    "over 2100 in cases", "worse than A\\*", "–", "–",
    "over 2100 in cases", "worse than A\\*", "–", "–",
    "over 2100 in cases", "worse than A\\*", "–", "–",
};
static const reproduce_mark tables_starcraft_marks[] = {
    {METRIC_TIME_PERCENT, V_ALL, 2100, 2100, true}};
static const reproduce_claim tables_starcraft_claims[] = {
    {"time on the worst map, V1", "over 2100 % of A\\* in certain cases", CLAIM_WORST_MAP, V1, 0,
     METRIC_TIME_PERCENT, 2100, ANY, " % of A\\*",
     "The worst map is as terrible as published ({}).",
     "The worst map takes {}, far less than published, if the thesis means maps by its cases.",
     NULL, GOOD_LESS},
    {"time of the worst problem, V1", "over 2100 % of A\\* in certain cases", CLAIM_MOST, V1, 0,
     METRIC_TIME_PERCENT, 2100, ANY, " % of A\\*",
     "Single problems are as terrible as published (the worst takes {}).",
     "No single problem is as terrible as published (the worst takes {}).", NULL, GOOD_LESS},
    {"time, V2 MaxDist", "worse than A\\*", CLAIM_MEAN, V2_DISTANCE, 0, METRIC_TIME_PERCENT, 100,
     ANY, " % of A\\*", "On average, too, V2 is slower than A\\* ({}).",
     "On average V2 is faster than A\\* all the same ({}).", NULL, GOOD_LESS},
    {"time on the best map, V2 MaxDist", "better than A\\*", CLAIM_BEST_MAP, V2_DISTANCE, 0,
     METRIC_TIME_PERCENT, 0, 100, " % of A\\*",
     "Some maps gain, as published (the best one needs {}).", NULL,
     "No map gains (the best one needs {}).", GOOD_LESS},
    {"peak memory, V2 MaxDist", "worse than A\\*, but less so than time", CLAIM_MEAN, V2_DISTANCE,
     0, METRIC_LARGEST_PERCENT, 100, 150, " % of A\\*",
     "Memory is somewhat more than A\\*'s, as published: {} in nodes, {bytes} in bytes.",
     "Memory is {} in nodes and {bytes} in bytes: no single refinement is as large as the whole "
     "problem, unless "
     "it floods a component.",
     "Memory is much more than A\\*'s: {} in nodes, {bytes} in bytes.", GOOD_LESS},
    TABLES_SPREAD,
    TABLES_COMPONENTS};

static const reproduce_set tables_rts_sets[] = {
    {.kind = CAIRN_GENERATE_PSEUDO_RTS, .maps = 50, .problems = 1280}};
static const char *const tables_rts_published[] = {
    "under 10", "under 10", "worse than V2", "–", "under 10", "under 10",     "worse than MaxDev",
    "about 7",  "under 10", "under 10",      "–", "about 7",  "more than V2", "under 10",
    "–",        "about 7",
};
static const reproduce_mark tables_rts_marks[] = {
    {METRIC_TIME_PERCENT, V_ALL, 10, 10, false},
    {METRIC_LARGEST_PERCENT, V_ALL, 10, 10, false},
    {METRIC_LONGER_SMOOTHED, V2_DISTANCE, 7, 7, false},
    {METRIC_LONGER_SMOOTHED, V2_DEVIATION, 7, 7, false},
    {METRIC_LONGER_SMOOTHED, V3, 7, 7, false}};
static const reproduce_claim tables_rts_claims[] = {
    {"time, V2 MaxDist", "under 10 % of A\\*", CLAIM_MEAN, V2_DISTANCE, 0, METRIC_TIME_PERCENT, 0,
     10, " % of A\\*", "V2 needs less than a tenth of A\\*'s time ({}).", NULL,
     "V2 takes {} in time, more than a tenth: a node of our A\\* costs so little that lines and "
     "joining pieces matter.",
     GOOD_LESS},
    {"time, V2 MaxDist, against A\\* with a heap", "under 10 % of A\\*", CLAIM_MEAN, V2_DISTANCE, 0,
     METRIC_QUEUE_PERCENT, 0, 10, " % of it",
     "Against an A\\* with the open list that the thesis recommends, a priority queue (T 5.3.3), "
     "it takes {}: less than a tenth, as published.",
     NULL, "Against an A\\* with a priority queue (T 5.3.3) it takes {}, more than a tenth.",
     GOOD_LESS},
    {"peak memory, V2 MaxDist", "under 10 % of A\\*", CLAIM_MEAN, V2_DISTANCE, 0,
     METRIC_LARGEST_PERCENT, 0, 10, " % of A\\*",
     "It needs less than a tenth of the memory, counted in nodes ({}). In bytes it is {bytes}: "
     "records come in pages of 256, which the small "
     "searches round single obstacles do not fill.",
     NULL, "Its memory is {} in nodes, more than a tenth, and {bytes} in bytes.", GOOD_LESS},
    {"nodes explored, V2 MaxDist", "under 10 % of A\\*", CLAIM_MEAN, V2_DISTANCE, 0,
     METRIC_EXPANDED_PERCENT, 0, 10, " % of A\\*",
     "Less than a tenth of the nodes are explored ({}).", NULL, "It explores {}.", GOOD_LESS},
    {"V2 MaxDev against V2 MaxDist, how much longer unsmoothed", "less", CLAIM_RATIO, V2_DEVIATION,
     V2_DISTANCE, METRIC_LONGER, 0, 0.97, " ×",
     "Trimming by deviation gives better unsmoothed paths ({} the excess).", NULL,
     "Trimming by deviation does not give better unsmoothed paths here ({} the excess).",
     GOOD_LESS},
    {"longer, smoothed, V2 MaxDist", "about 7 %", CLAIM_MEAN, V2_DISTANCE, 0,
     METRIC_LONGER_SMOOTHED, 4, 10, " %", "Smoothed paths are as much longer as published ({}).",
     "Smoothed paths are only {} longer, not 7 %.", "Smoothed paths are {} longer, not 7 %.",
     GOOD_LESS},
    TABLES_V3_SLOWER,
    {"standard deviation of V2 MaxDist's time", "quite acceptable", CLAIM_DEVIATION, V2_DISTANCE, 0,
     METRIC_TIME_PERCENT, 0, 50, " % of A\\*",
     "The spread is acceptable here (a standard deviation of {}).", NULL,
     "The spread is larger than published (a standard deviation of {}).", GOOD_LESS},
    TABLES_COMPONENTS};

/* ---- T 7: hierarchies ---- */

static const reproduce_set tables_samples[] = {{.folder = "dao", .problems = 400},
                                               {.folder = "bg512", .problems = 400}};

#define TABLES_HIERARCHY(list, what) \
    .sets = tables_samples, .set_count = COUNT(tables_samples), .series = list, \
    .series_count = COUNT(list), .metrics = TABLES_HIERARCHY_METRICS, .run = reproduce_compare, \
    .print = reproduce_print_series, .draw = reproduce_draw_series, .claims = what, \
    .claim_count = COUNT(what)
#define TABLES_MARKS(spots) .marks = spots, .mark_count = COUNT(spots)
#define TABLES_HIERARCHY_METRICS \
    (METRIC_BIT(METRIC_FAILED) | METRIC_BIT(METRIC_COST) | METRIC_BIT(METRIC_EXPANDED) | \
     METRIC_BIT(METRIC_EXPANDED_PERCENT) | METRIC_BIT(METRIC_MEMORY) | METRIC_BIT(METRIC_LONGER) | \
     METRIC_BIT(METRIC_WITHIN_1) | METRIC_BIT(METRIC_WITHIN_5) | METRIC_BIT(METRIC_INDEX_BYTES) | \
     METRIC_BIT(METRIC_TIME) | METRIC_BIT(METRIC_TIME_PERCENT) | METRIC_BIT(METRIC_BUILD_MS))

static const reproduce_series tables_hpa[] = {{"A*", "astar"},
                                              {"HPA*", "hpa:size=10,levels=1"},
                                              {"HPA* smoothed", "hpa:size=10,levels=1,smooth=rays"},
                                              {"HPA* clusters of 32", "hpa:size=32,levels=1"}};
static const reproduce_mark tables_hpa_marks[] = {{METRIC_LONGER, 1, 6, 6, false},
                                                  {METRIC_LONGER, 2, 1, 1, false}};
static const reproduce_claim tables_hpa_claims[] = {
    {"A\\*'s time over HPA\\*'s, sums of the best map", "up to 9 times", CLAIM_MOST_RATIO, 0, 1,
     METRIC_TIME, 5, 15, " ×",
     "The speed-up of the best map is as published ({}, all its problems together).",
     "The speed-up of the best map is {}, all its problems together: it is taken against our own "
     "A\\*, which is tuned for grids, while the "
     "abstract graph is searched by a loop for any graph.",
     "The speed-up of the best map is {}, all its problems together.", GOOD_MORE},
    {"the same, clusters of 32", NULL, CLAIM_MOST_RATIO, 0, 3, METRIC_TIME, 0, ANY, " ×",
     "With clusters of 32 cells it is {}.", NULL, NULL, GOOD_NEITHER},
    {"longer, unsmoothed", "about 6 %, less than 10 %", CLAIM_MEAN, 1, 0, METRIC_LONGER, 3, 8, " %",
     "Unsmoothed paths are as published ({} longer).", "Unsmoothed paths are only {} longer.",
     "Unsmoothed paths are {} longer, more than published.", GOOD_LESS},
    {"longer, unsmoothed, worst map", "less than 10 %", CLAIM_WORST_MAP, 1, 0, METRIC_LONGER, 0, 10,
     " %", "On no map are they 10 % longer in the mean (at most {}).", NULL,
     "On the worst map they are {} longer: a short path from one cluster to the next may have to "
     "go "
     "round by a transition.",
     GOOD_LESS},
    {"longer, smoothed", "less than 1 %", CLAIM_MEAN, 2, 0, METRIC_LONGER, 0, 1, " %",
     "Smoothed paths are within 1 % ({}).", NULL, "Smoothed paths are {} longer.", GOOD_LESS}};

static const reproduce_series tables_pra[] = {{"A*", "astar"},
                                              {"PRA*(inf)", "pra"},
                                              {"PRA*(16)", "pra:k=16"},
                                              {"PRA*(inf) inner", "pra:corridor=inner"},
                                              {"HPA*", "hpa:size=10,levels=1"}};
static const reproduce_claim tables_pra_claims[] = {
    {"PRA\\*(∞), paths within 1 %", "98 %", CLAIM_SHARE, 1, 0, METRIC_WITHIN_1, 97, 100, " %",
     "PRA\\*(∞) keeps the promise ({} of the paths).",
     "PRA\\*(∞) keeps the promise for {} of the paths only.", NULL, GOOD_MORE},
    {"PRA\\*(16), paths within 5 %", "98 %", CLAIM_SHARE, 2, 0, METRIC_WITHIN_5, 97, 100, " %",
     "PRA\\*(16), all pieces together, keeps it ({}).", "PRA\\*(16) comes to {} only.", NULL,
     GOOD_MORE},
    {"PRA\\*(∞) against HPA\\*, time of all problems together", "similar", CLAIM_RATIO, 1, 4,
     METRIC_TIME, 0.7, 1.5, " ×",
     "All problems together take about as long as with HPA\\* ({} its time).",
     "All problems together take less than with HPA\\* ({} its time).",
     "All problems together take longer than with HPA\\* ({} its time): there are more levels to "
     "search, each by a loop for any graph.",
     GOOD_LESS},
    {"the same, mean per cents of A\\*'s time", "similar", CLAIM_RATIO, 1, 4, METRIC_TIME_PERCENT,
     0.7, 1.5, " ×", "Problem by problem it is about the same ({}), too.",
     "Problem by problem it is faster ({}).",
     "Problem by problem it takes longer ({}): on short paths the levels cost more than they save.",
     GOOD_LESS},
    {"PRA\\*(∞) against A\\*, time of all problems together", NULL, CLAIM_RATIO, 1, 0, METRIC_TIME,
     0, 1, " ×", "In sum it is faster than our A\\* ({} its time).", NULL,
     "In sum it is not faster than our A\\* on these maps ({} its time), which are small for a "
     "hierarchy.",
     GOOD_LESS}};

static const reproduce_series tables_mm[] = {
    {"A*", "astar"},
    {"MM whole pieces", "mm:trim=0,smooth=none"},
    {"MM trim 10", "mm:trim=10,smooth=none"},
    {"MM trim 15, two ahead", "mm:trim=15,ahead=2,smooth=none"},
    {"MM optimised centres", "mm:centres=optimised,smooth=none"},
    {"MM smoothed", "mm"}};
static const reproduce_mark tables_mm_marks[] = {{METRIC_LONGER, 2, 5, 5, false}};
static const reproduce_claim tables_mm_claims[] = {
    {"longer, 10 % trimmed", "as little as 5 %", CLAIM_MEAN, 2, 0, METRIC_LONGER, 0, 7, " %",
     "With a tenth of each piece trimmed paths are {} longer.", NULL,
     "With a tenth of each piece trimmed paths are {} longer, not 5 %.", GOOD_LESS},
    {"trimming against none, how much longer", "less", CLAIM_RATIO, 2, 1, METRIC_LONGER, 0, 1, " ×",
     "Trimming helps ({} the excess of whole pieces).", NULL,
     "Trimming does not help ({} the excess of whole pieces).", GOOD_LESS},
    {"15 % and two at a time, longer", "better still", CLAIM_RATIO, 3, 2, METRIC_LONGER, 0, 1, " ×",
     "Two pieces at a time help ({} what is left).", NULL, "Two pieces at a time do not help ({}).",
     GOOD_LESS},
    {"optimised centres, nodes explored in sum", "half or less", CLAIM_RATIO, 4, 2, METRIC_EXPANDED,
     0, 0.6, " ×", "Optimised centres halve what is explored ({} the nodes of all problems).", NULL,
     "Optimised centres do not halve what is explored ({} the nodes of all problems): A\\* from "
     "centre to centre expands little more "
     "than the path itself here, so there is nothing to halve.",
     GOOD_LESS}};

static const reproduce_series tables_dhpa[] = {{"A*", "astar"},
                                               {"HPA*", "hpa:size=10,levels=1"},
                                               {"DHPA*", "dhpa:size=10"},
                                               {"HPA* 32", "hpa:size=32,levels=1"},
                                               {"DHPA* 32", "dhpa:size=32"}};
static const reproduce_claim tables_dhpa_claims[] = {
    {"HPA\\*'s mean per cent of A\\*'s time over DHPA\\*'s, clusters of 10", "1.9 times on average",
     CLAIM_RATIO, 1, 2, METRIC_TIME_PERCENT, 1.5, 2.3, " ×",
     "Problem by problem DHPA\\* is as much faster as published with clusters of 10 ({}).",
     "Problem by problem DHPA\\* is {} as fast with clusters of 10, less than published: the "
     "search of the graph is most of the work for both.",
     "Problem by problem DHPA\\* is {} as fast with clusters of 10.", GOOD_MORE},
    {"the same, time of all problems together", "1.9 times on average", CLAIM_RATIO, 1, 2,
     METRIC_TIME, 1.5, 2.3, " ×", "All problems together it is {}.",
     "All problems together it is only {}.", "All problems together it is {}.", GOOD_MORE},
    {"mean per cents, clusters of 32", "1.9 times on average", CLAIM_RATIO, 3, 4,
     METRIC_TIME_PERCENT, 1.5, 2.3, " ×",
     "With clusters of 32 it is {} as fast, problem by problem.",
     "With clusters of 32 it is only {} as fast, problem by problem.",
     "With clusters of 32 it is {} as fast, problem by problem: there the cells that HPA\\* must "
     "search are many.",
     GOOD_MORE},
    {"DHPA\\* against HPA\\*, how much longer", "more", CLAIM_RATIO, 2, 1, METRIC_LONGER, 1.02, ANY,
     " ×", "Its paths are worse ({} the excess).",
     "Its paths are hardly worse than HPA\\*'s, if at all ({} the excess).", NULL, GOOD_LESS},
    {"DHPA\\* against HPA\\*, index", "B times (B abstract nodes)", CLAIM_RATIO, 2, 1,
     METRIC_INDEX_BYTES, 10, ANY, " ×", "The index is {} as large.",
     "The index is {} as large, not B times: four bits for each cell and node of its cluster.",
     NULL, GOOD_LESS}};

/* ---- the tables ---- */

static const reproduce_table tables_t_counter_strike = {
    .name = "t-counter-strike",
    .title = "T 8.3.2: SGA\\* on maps like Counter-Strike's",
    .about = "The thesis has 18 maps of 1024×768 cells, drawn by its author and never published, "
             "with 2000 problems each. Here "
             "they are `facility` maps of that size, named by their seeds, with random problems.",
    TABLES_SGA(tables_counter_strike_sets, tables_counter_strike_claims,
               tables_counter_strike_published, tables_counter_strike_marks),
    .close = "The maps are not the thesis' own, so numbers can agree only in kind."};

static const reproduce_table tables_t_company_of_heroes = {
    .name = "t-company-of-heroes",
    .title = "T 8.3.3: SGA\\* on maps like Company of Heroes'",
    .about = "The thesis has 17 maps, mostly of 658×768 and 768×768 cells, never published, with "
             "2500 problems each. Here they "
             "are `battlefield` maps of these two sizes in turn, named by their seeds, with random "
             "problems.",
    TABLES_SGA(tables_heroes_sets, tables_heroes_claims, tables_heroes_published,
               tables_heroes_marks),
    .close = "The maps are not the thesis' own, so numbers can agree only in kind."};

static const reproduce_table tables_t_baldurs_gate = {
    .name = "t-baldurs-gate",
    .title = "T 8.3.4: SGA\\* on maps of Baldur's Gate",
    .about = "The thesis has 75 maps of 512×512 cells and 93,162 problems, those of the MovingAI "
             "benchmarks. Here they are the maps "
             "of `bg512` in the data folder, with the problems of their scenarios.",
    TABLES_SGA(tables_baldur_sets, tables_baldur_claims, tables_baldur_published,
               tables_baldur_marks),
    .close = "These are maps of the same source; which problems the thesis used, and under which "
             "corner rule, it does "
             "not say."};

static const reproduce_table tables_t_starcraft = {
    .name = "t-starcraft",
    .title = "T 8.3.5: SGA\\* on maps of StarCraft",
    .about = "The thesis has 125 maps and 1280 problems each. Here they are the maps of `sc1` in "
             "the data folder, with at most "
             "1280 problems of each scenario, evenly spread.",
    TABLES_SGA(tables_starcraft_sets, tables_starcraft_claims, tables_starcraft_published,
               tables_starcraft_marks),
    .close =
        "These maps have many components that are cut off, and bases with a single entrance: the "
        "thesis calls them the "
        "anti-domain of SGA\\*. What the factor of 20 may come from: on 34 maps of `sc1`, every "
        "40th problem, the line of V1 leads through a cut-off component "
        "in up to a third of a map's problems. Connected backwards, from the sub-goal, as the "
        "thesis' text says and as is done here, such a search only "
        "searches the small component it begins in, and fails at once. Connected forwards, as the "
        "thesis' listing 8.1 is printed, each of them would look at "
        "the whole map: counting the start's component once for each, V1 comes to 1070 % of A\\*'s "
        "nodes in the mean, and to more than 2100 % on five maps (10,500 % on `Cauldron`); "
        "this was worked out once, and not by this command. So it is for problems without a "
        "solution "
        "whose start is cut off, which are left out here: every sub-goal then makes V1 flood the "
        "map, where A\\* searches the start's component only. "
        "Connected components cure these two cases and nothing else. What costs time here is low "
        "connectivity: a sub-goal behind a wall with a far-away entrance, for which a "
        "refinement explores thousands of nodes where A\\* needs a few hundred. Components know "
        "nothing of that, and a few such problems make the mean of a map."};

static const reproduce_table tables_t_pseudo_rts = {
    .name = "t-pseudo-rts",
    .title = "T 8.3.6: SGA\\* on pseudo real-time-strategy maps",
    .about = "The thesis has 50 generated maps of 512×512 cells, highly connected with many small "
             "obstacles, and 1280 problems "
             "each. Here they are `pseudo-rts` maps, named by their seeds, with random problems.",
    .series = tables_sga_queue,
    .series_count = COUNT(tables_sga_queue),
    .queue = SGA_QUEUE,
    .metrics = TABLES_SGA_METRICS | METRIC_BIT(METRIC_QUEUE_PERCENT),
    TABLES_SGA_SETS(tables_rts_sets, tables_rts_claims, tables_rts_published, tables_rts_marks),
    .close = "The generator follows the thesis' description, not its program."};

static const reproduce_table tables_t_hpa = {
    .name = "t-hpa",
    .title = "T 7.1 and 7.2: HPA\\*",
    .about = "Problems of `dao` and `bg512`, at most 400 a map, evenly spread.",
    TABLES_HIERARCHY(tables_hpa, tables_hpa_claims),
    TABLES_MARKS(tables_hpa_marks),
    .close = "T's figures are those of Botea, Müller and Schaeffer, on 120 maps of Baldur's Gate."};

static const reproduce_table tables_t_pra = {
    .name = "t-pra",
    .title = "T 7.3: PRA\\*",
    .about = "Problems of `dao` and `bg512`, at most 400 a map, evenly spread. PRA\\*(16) is asked "
             "for the whole path, "
             "which it builds from pieces of 16 steps.",
    TABLES_HIERARCHY(tables_pra, tables_pra_claims),
    .close = "T's figures are those of Sturtevant and Buro."};

static const reproduce_table tables_t_mm = {
    .name = "t-mm",
    .title = "T 7.4: the minimal-memory abstraction",
    .about = "Problems of `dao` and `bg512`, at most 400 a map, evenly spread; without smoothing "
             "but for the last line.",
    TABLES_HIERARCHY(tables_mm, tables_mm_claims),
    TABLES_MARKS(tables_mm_marks),
    .close = "T's figures are those of Sturtevant, and of Sturtevant and Geisberger."};

static const reproduce_table tables_t_dhpa = {
    .name = "t-dhpa",
    .title = "T 7.2: DHPA\\* against HPA\\*",
    .about = "Problems of `dao` and `bg512`, at most 400 a map, evenly spread; clusters of 10 and "
             "of 32 cells.",
    TABLES_HIERARCHY(tables_dhpa, tables_dhpa_claims),
    .close = "T's figures are those of Kring, Champandard and Samarin."};

const reproduce_table *const reproduce_tables[] = {&tables_t_counter_strike,
                                                   &tables_t_company_of_heroes,
                                                   &tables_t_baldurs_gate,
                                                   &tables_t_starcraft,
                                                   &tables_t_pseudo_rts,
                                                   &tables_t_hpa,
                                                   &tables_t_pra,
                                                   &tables_t_mm,
                                                   &tables_t_dhpa,
                                                   &reproduce_h_paths,
                                                   &reproduce_h_building,
                                                   &reproduce_h_entrances,
                                                   &reproduce_h_edits};
_Static_assert(COUNT(reproduce_tables) <= REPRODUCE_TABLES_MAX, "a run has room for all tables");
const uint32_t reproduce_table_count = COUNT(reproduce_tables);

uint32_t reproduce_table_number(const reproduce_table *table)
{
    uint32_t i = 0;
    while (reproduce_tables[i] != table) i++;
    return i;
}
