/* reproduce_tables.c: the list of published tables, and those of T 7, hierarchies: maps,
 * algorithms, and what was found then (see reproduce.h).
 *
 * T: B. Anguelov, "Video Game Pathfinding and Improvements to Discrete Search on Grid-based Maps",
 * 2011. Its results are mostly plots; what the text says of them stands here.
 */
#include "reproduce.h"

#include <math.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])
#define ANY HUGE_VAL

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
     METRIC_BIT(METRIC_EXPANDED_PERCENT) | METRIC_BIT(METRIC_REVISITED) | \
     METRIC_BIT(METRIC_MEMORY) | METRIC_BIT(METRIC_LONGER) | METRIC_BIT(METRIC_WITHIN_1) | \
     METRIC_BIT(METRIC_WITHIN_5) | METRIC_BIT(METRIC_INDEX_BYTES) | METRIC_BIT(METRIC_TIME) | \
     METRIC_BIT(METRIC_TIME_PERCENT) | METRIC_BIT(METRIC_BUILD_MS))

static const reproduce_series tables_hpa[] = {
    {"A*", "astar", 0, 0},
    {"HPA*", "hpa:size=10,levels=1", 0, 0},
    {"HPA* smoothed", "hpa:size=10,levels=1,smooth=rays", 0, 0},
    {"HPA* clusters of 32", "hpa:size=32,levels=1", 0, 0},
    {"HPA*, Dijkstra inserts", "hpa:size=10,levels=1,insert=dijkstra", 0, 0},
    {"HPA*, A* inserts", "hpa:size=10,levels=1,insert=astar", 0, 0},
    {"HPA* 32, Dijkstra inserts", "hpa:size=32,levels=1,insert=dijkstra", 0, 0},
    {"HPA* 32, A* inserts", "hpa:size=32,levels=1,insert=astar", 0, 0}};
static const reproduce_mark tables_hpa_marks[] = {{METRIC_LONGER, 1, 6, 6, false},
                                                  {METRIC_LONGER, 2, 1, 1, false}};
/* T 7.2 after Jansen and Buro: which one is faster depends on the cluster. */
#define TABLES_HPA_INSERTS(what, dijkstra, astar) \
    {"Dijkstra's search over A\\* for inserting the ends, " what ", sums of the map where it is " \
     "least", \
     "below 1: many nodes, long paths", \
     CLAIM_LEAST_RATIO, \
     dijkstra, \
     astar, \
     METRIC_TIME, \
     0, \
     1, \
     " ×", \
     "There are maps on which inserting by Dijkstra's search is faster ({}).", \
     NULL, \
     "There is no map on which inserting by Dijkstra's search is faster ({}).", \
     GOOD_NEITHER}, \
        {"the same where it is most", \
         "above 1: open clusters, few entrances", \
         CLAIM_MOST_RATIO, \
         dijkstra, \
         astar, \
         METRIC_TIME, \
         1, \
         ANY, \
         " ×", \
         "There are maps on which inserting by A\\* is faster ({}).", \
         "There is no map on which inserting by A\\* is faster ({}).", \
         NULL, \
         GOOD_NEITHER}, \
    { \
        "the same, all problems together", NULL, CLAIM_RATIO, dijkstra, astar, METRIC_TIME, 0, 1, \
            " ×", "In sum Dijkstra's search is faster ({}).", NULL, "In sum A\\* is faster ({}).", \
            GOOD_NEITHER \
    }

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
    {"longer, unsmoothed", "about 6 %, less than 10 %", CLAIM_MEAN, 1, 0, METRIC_LONGER, 3, 10,
     " %", "Unsmoothed paths are as published.", "Unsmoothed paths are only {} longer.",
     "Unsmoothed paths are {} longer, more than published.", GOOD_LESS},
    {"longer, unsmoothed, worst map", "less than 10 %", CLAIM_WORST_MAP, 1, 0, METRIC_LONGER, 0, 10,
     " %", "On no map are they 10 % longer on average.", NULL,
     "On the worst map they are {} longer: a short path from one cluster to the next may have to "
     "go "
     "round by a transition.",
     GOOD_LESS},
    {"longer, smoothed", "less than 1 %", CLAIM_MEAN, 2, 0, METRIC_LONGER, 0, 1, " %",
     "Smoothed paths are within 1 % ({}).", NULL, "Smoothed paths are {} longer.", GOOD_LESS},
    TABLES_HPA_INSERTS("clusters of 10", 4, 5),
    TABLES_HPA_INSERTS("clusters of 32", 6, 7)};

enum { PRA_NARROW = 1, PRA_WIDE, PRA_WIDER, PRA_16, PRA_HPA };
static const reproduce_series tables_pra[] = {
    {"A*", "astar", 0, 0},
    {"PRA*(inf), corridor=inner", "pra:corridor=inner", 0, 0},
    {"PRA*(inf), corridor=wide", "pra:corridor=wide", 0, 0},
    {"PRA*(inf), corridor=wider", "pra:corridor=wider", 0, 0},
    {"PRA*(16), corridor=wider", "pra:k=16,corridor=wider", 0, 0},
    {"HPA*", "hpa:size=10,levels=1", 0, 0}};

/* T says "the path and its neighbours" of no corridor in particular: all three are judged. */
#define TABLES_PRA_SHARE(what, series) \
    { \
        "PRA\\*(∞), `corridor=" what "`, paths within 1 %", "98 %", CLAIM_SHARE, series, 0, \
            METRIC_WITHIN_1, 97, 100, " %", "This corridor keeps the promise.", \
            "This corridor does not keep the promise.", NULL, GOOD_MORE \
    }
#define TABLES_PRA_TIMES(what, series) \
    {"PRA\\*(∞), `corridor=" what "`, against HPA\\*, time of all problems together", \
     "similar", \
     CLAIM_RATIO, \
     series, \
     PRA_HPA, \
     METRIC_TIME, \
     0.7, \
     1.5, \
     " ×", \
     "All problems together take about as long as with HPA\\*.", \
     "All problems together take less than with HPA\\*.", \
     "All problems together take longer than with HPA\\*: there are more levels to search.", \
     GOOD_LESS}, \
    { \
        "the same, mean per cents of A\\*'s time", "similar", CLAIM_RATIO, series, PRA_HPA, \
            METRIC_TIME_PERCENT, 0.7, 1.5, " ×", "Problem by problem it is about the same.", \
            "Problem by problem it is faster.", \
            "Problem by problem it takes longer: on short paths the levels cost more than they " \
            "save.", \
            GOOD_LESS \
    }

static const reproduce_claim tables_pra_claims[] = {
    TABLES_PRA_SHARE("inner", PRA_NARROW),
    TABLES_PRA_SHARE("wide", PRA_WIDE),
    TABLES_PRA_SHARE("wider", PRA_WIDER),
    {"PRA\\*(16), `corridor=wider`, paths within 5 %", "98 %", CLAIM_SHARE, PRA_16, 0,
     METRIC_WITHIN_5, 97, 100, " %", "All pieces together keep the promise.",
     "All pieces together do not keep the promise.", NULL, GOOD_MORE},
    TABLES_PRA_TIMES("inner", PRA_NARROW),
    TABLES_PRA_TIMES("wide", PRA_WIDE),
    TABLES_PRA_TIMES("wider", PRA_WIDER),
    {"PRA\\*(∞), `corridor=wider`, against A\\*, time of all problems together", NULL, CLAIM_RATIO,
     PRA_WIDER, 0, METRIC_TIME, 0, 1, " ×", "In sum it is faster than our A\\*.", NULL,
     "In sum it is not faster than our A\\* on these maps, which are small for a hierarchy.",
     GOOD_LESS}};

static const reproduce_series tables_mm[] = {
    {"A*", "astar", 0, 0},
    {"MM whole pieces", "mm:trim=0,smooth=none", 0, 0},
    {"MM trim 10", "mm:trim=10,smooth=none", 0, 0},
    {"MM trim 15, two ahead", "mm:trim=15,ahead=2,smooth=none", 0, 0},
    {"MM optimised centres", "mm:trim=10,centres=optimised,smooth=none", 0, 0},
    {"MM whole pieces, smoothed", "mm:trim=0", 0, 0},
    {"MM trim 10, smoothed", "mm:trim=10", 0, 0},
    {"MM trim 30, smoothed", "mm:trim=30", 0, 0}};
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
     "Optimised centres do not halve what is explored ({} the nodes of all problems): no "
     "centre saves the nodes of the path itself.",
     GOOD_LESS},
    {"trimming against none after smoothing, how much longer (T 7.4: not compared yet)", NULL,
     CLAIM_RATIO, 6, 5, METRIC_LONGER, 0.9, 1.1, " ×",
     "Smoothing makes trimming a tenth needless ({} the excess of whole pieces).",
     "Trimming a tenth helps after smoothing, too ({} the excess of whole pieces).",
     "Trimming a tenth does harm after smoothing ({} the excess of whole pieces).", GOOD_NEITHER},
    {"the same, 30 % trimmed", NULL, CLAIM_RATIO, 7, 5, METRIC_LONGER, 0.9, 1.1, " ×",
     "So does trimming 30 % ({} the excess).", "Trimming 30 % helps ({} the excess).",
     "Trimming 30 % does harm ({} the excess).", GOOD_NEITHER}};

static const reproduce_series tables_dhpa[] = {{"A*", "astar", 0, 0},
                                               {"HPA*", "hpa:size=10,levels=1", 0, 0},
                                               {"DHPA*", "dhpa:size=10", 0, 0},
                                               {"HPA* 32", "hpa:size=32,levels=1", 0, 0},
                                               {"DHPA* 32", "dhpa:size=32", 0, 0}};
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
     "Its paths are not less optimal than HPA\\*'s ({} the excess).", NULL, GOOD_NEITHER},
    {"DHPA\\* against HPA\\*, index", "B times (B abstract nodes)", CLAIM_RATIO, 2, 1,
     METRIC_INDEX_BYTES, 10, ANY, " ×", "The index is {} as large.",
     "The index is {} as large, not B times: cells from which the steps are the same share them.",
     NULL, GOOD_LESS}};

/* ---- the tables ---- */

static const reproduce_table tables_t_hpa = {
    .name = "t-hpa",
    .title = "T 7.1 and 7.2: HPA\\*",
    .about =
        "Problems of `dao` and `bg512`, at most 400 a map, evenly spread. The first three find "
        "the paths from the ends to the nodes of their clusters without a search where "
        "nothing is in the way; the last four always search: once for all nodes (Dijkstra), "
        "or once for each (A\\*).",
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
             "but for the last three lines.",
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

const reproduce_table *const reproduce_tables[] = {&reproduce_t_counter_strike,
                                                   &reproduce_t_company_of_heroes,
                                                   &reproduce_t_baldurs_gate,
                                                   &reproduce_t_starcraft,
                                                   &reproduce_t_pseudo_rts,
                                                   &reproduce_t_labels,
                                                   &reproduce_t_discrete,
                                                   &reproduce_t_continuous,
                                                   &reproduce_t_scheduling,
                                                   &tables_t_hpa,
                                                   &tables_t_pra,
                                                   &tables_t_mm,
                                                   &tables_t_dhpa,
                                                   &reproduce_h_paths,
                                                   &reproduce_h_building,
                                                   &reproduce_h_entrances,
                                                   &reproduce_h_variants,
                                                   &reproduce_h_edits,
                                                   &reproduce_l_table1};
_Static_assert(COUNT(reproduce_tables) <= REPRODUCE_TABLES_MAX, "a run has room for all tables");
const uint32_t reproduce_table_count = COUNT(reproduce_tables);

uint32_t reproduce_table_number(const reproduce_table *table)
{
    uint32_t i = 0;
    while (reproduce_tables[i] != table) i++;
    return i;
}
