/* reproduce_l.c: table 1 of L, real-time search on maps of 18 to 30 million cells: maps,
 * algorithms, what was published, and the tables (see reproduce.h).
 *
 * L: R. Lawrence and V. Bulitko, "Taking Learning out of Real-time Heuristic Search for Video-game
 * Pathfinding", 2010. Its four maps of Counter-Strike: Source were never published. Here are four
 * generated ones of the same sizes on which A* has the same difficulty, four as the generator makes
 * them by default, which are harder, and four maps of games and cities, enlarged.
 */
#include "reproduce.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])
#define ANY HUGE_VAL

enum { L_SPARSE = 1, L_FACILITY, L_ENLARGED }; /* sets, as claims name them */

static const char *const l_files[] = {"bg512/AR0011SR", "dao/lak405d", "sc1/AcrosstheCape",
                                      "street/Boston_1_1024"};
#define L_MAPS .maps = 4, .problems = 250, .shrinks = true
#define L_GENERATED \
    .kind = CAIRN_GENERATE_FACILITY, .wide = {4096, 7261}, .high = {4604, 4096}, L_MAPS
static const reproduce_set l_sets[] = {
    {.name = "sparse", L_GENERATED, .percent = 10, .loops = 10},
    {.name = "facility", L_GENERATED},
    {.name = "enlarged", .files = l_files, .cells = 18000000, L_MAPS}};
static const char *const l_set_titles[] = {
    "`sparse`: `facility` with `percent=10,loops=10`, as difficult for A\\* as L's maps",
    "`facility` as it is by default", "`enlarged`: maps of games and of a city"};
static const char *const l_front_titles[] = {"facility, percent=10, loops=10",
                                             "facility, default numbers", "enlarged maps"};

/* ---- the algorithms ---- */

typedef enum l_family { F_ASTAR, F_HCDPS, F_TBA, F_KNN, F_D, F_DBA, F_OTHER, F_COUNT } l_family;
static const char *const l_families[F_COUNT] = {
    "A*", "HCDPS", "TBA*", "kNN LRTA*", "D LRTA*", "DBA*", "HCDPS, other forms"};
static const uint32_t l_colours[F_COUNT] = {0x222222, 0xd55e00, 0x0072b2, 0x009e73,
                                            0xcc79a7, 0xe69f00, 0x999999};

/* What L published; 0 = nothing, of suboptimality that it is none. */
typedef struct l_row {
    double hours, index_kb, online_kb, move_us, overall_ms, longer;
} l_row;

enum {
    L_ASTAR,
    L_HCDPS_1,
    L_HCDPS_2,
    L_HCDPS_3,
    L_HCDPS_4,
    L_HCDPS_5,
    L_TBA_5,
    L_TBA_10,
    L_TBA_50,
    L_TBA_100,
    L_TBA_500,
    L_TBA_1000,
    L_KNN_10,
    L_KNN_40,
    L_KNN_60,
    L_KNN_80,
    L_D_12,
    L_D_11,
    L_D_10,
    L_D_9,
    L_SERIES, /* of L's table */
    L_KNN_OURS = L_SERIES,
    L_DBA,
    L_DBA_1,
    L_PATHS,
    L_MOVES,
    L_ALL
};

/* The one list of names and parameters. An algorithm that the registry does not have is left out,
 * and the page says so. With --quick maps are 256 times smaller, and so are databases. */
typedef struct l_entry {
    const char *label; /* in the plot */
    l_family family;
    l_row published;
} l_entry;

#define L_NONE \
    { \
        0, 0, 0, 0, 0, 0 \
    }
static const l_entry l_entries[L_ALL] = {
    [L_ASTAR] = {"A*", F_ASTAR, {0, 0, 1354, 335230, 335.23, 0}},
    [L_HCDPS_1] = {"1", F_HCDPS, {0.08, 2254, 0, 0.22, 0.74, 12.1}},
    [L_HCDPS_2] = {"2", F_HCDPS, {0.09, 2246, 0, 0.23, 0.78, 10.6}},
    [L_HCDPS_3] = {"3", F_HCDPS, {0.12, 2229, 0, 0.23, 0.72, 10.1}},
    [L_HCDPS_4] = {"4", F_HCDPS, {0.21, 2231, 0, 0.23, 0.74, 10.0}},
    [L_HCDPS_5] = {"5", F_HCDPS, {0.42, 2223, 0, 0.23, 0.73, 10.0}},
    [L_TBA_5] = {"5", F_TBA, {0, 0, 1354, 14.31, 579.77, 1504.5}},
    [L_TBA_10] = {"10", F_TBA, {0, 0, 1354, 26.34, 532.04, 666.5}},
    [L_TBA_50] = {"50", F_TBA, {0, 0, 1354, 83.31, 488.59, 131.1}},
    [L_TBA_100] = {"100", F_TBA, {0, 0, 1354, 117.52, 487.38, 64.7}},
    [L_TBA_500] = {"500", F_TBA, {0, 0, 1354, 205.92, 458.78, 11.4}},
    [L_TBA_1000] = {"1000", F_TBA, {0, 0, 1354, 229.21, 459.81, 5.3}},
    [L_KNN_10] = {"10K", F_KNN, {13.10, 256, 9, 7.56, 665, 6851.6}},
    [L_KNN_40] = {"40K", F_KNN, {51.89, 1029, 5, 6.88, 93.71, 620.6}},
    [L_KNN_60] = {"60K", F_KNN, {77.30, 1544, 4, 6.40, 11.10, 12.9}},
    [L_KNN_80] = {"80K", F_KNN, {103.09, 2058, 4, 6.55, 11.30, 12.0}},
    [L_D_12] = {"12", F_D, {0.25, 87000, 19, 3.73, 1449.37, 15999.2}},
    [L_D_11] = {"11", F_D, {1.57, 87008, 11, 3.93, 814.66, 8497.1}},
    [L_D_10] = {"10", F_D, {11.95, 87058, 8, 4.26, 662.40, 6831.7}},
    [L_D_9] = {"9", F_D, {89.88, 87453, 3, 3.94, 72.38, 819.7}},
    [L_KNN_OURS] = {"10K, by default", F_KNN, L_NONE},
    [L_DBA] = {"DBA*", F_DBA, L_NONE},
    [L_DBA_1] = {"DBA*, one level", F_DBA, L_NONE},
    [L_PATHS] = {"whole paths", F_OTHER, L_NONE},
    [L_MOVES] = {"single moves", F_OTHER, L_NONE}};

#define KNN_AS_PUBLISHED ",unfit=goal,ends=whole"
static const reproduce_series l_series[L_ALL] = {
    [L_ASTAR] = {"A*", "astar", 0, 0},
    [L_HCDPS_1] = {"HCDPS (1)", "hcdps:depth=1", 0, 0},
    [L_HCDPS_2] = {"HCDPS (2)", "hcdps:depth=2", 0, 0},
    [L_HCDPS_3] = {"HCDPS (3)", "hcdps:depth=3", 0, 0},
    [L_HCDPS_4] = {"HCDPS (4)", "hcdps:depth=4", 0, 0},
    [L_HCDPS_5] = {"HCDPS (5)", "hcdps:depth=5", 0, 0},
    [L_TBA_5] = {"TBA* (5)", "tbastar:slice=5", 0, 0},
    [L_TBA_10] = {"TBA* (10)", "tbastar:slice=10", 0, 0},
    [L_TBA_50] = {"TBA* (50)", "tbastar:slice=50", 0, 0},
    [L_TBA_100] = {"TBA* (100)", "tbastar:slice=100", 0, 0},
    [L_TBA_500] = {"TBA* (500)", "tbastar:slice=500", 0, 0},
    [L_TBA_1000] = {"TBA* (1000)", "tbastar:slice=1000", 0, 0},
    [L_KNN_10] = {"kNN LRTA* (10K)", "knn-lrtastar:records=10000" KNN_AS_PUBLISHED, 0, 0},
    [L_KNN_40] = {"kNN LRTA* (40K)", "knn-lrtastar:records=40000" KNN_AS_PUBLISHED, 0, 0},
    [L_KNN_60] = {"kNN LRTA* (60K)", "knn-lrtastar:records=60000" KNN_AS_PUBLISHED, 0, 0},
    [L_KNN_80] = {"kNN LRTA* (80K)", "knn-lrtastar:records=80000" KNN_AS_PUBLISHED, 0, 0},
    [L_D_12] = {"D LRTA* (12)", "dlrtastar:level=12", 0, 0},
    [L_D_11] = {"D LRTA* (11)", "dlrtastar:level=11", 0, 0},
    [L_D_10] = {"D LRTA* (10)", "dlrtastar:level=10", 0, 0},
    [L_D_9] = {"D LRTA* (9)", "dlrtastar:level=9", 0, 0},
    [L_KNN_OURS] = {"kNN LRTA* (10K), by default", "knn-lrtastar:records=10000", 0, 0},
    [L_DBA] = {"DBA*", "dbastar", 0, 0},
    [L_DBA_1] = {"DBA*, one level", "dbastar:levels=1", 0, 0},
    [L_PATHS] = {"HCDPS (1), whole paths", "hcdps:depth=1", 0, 0},
    [L_MOVES] = {"HCDPS (1), single moves", "hcdps:depth=1", 0, 0}};
static const char *const l_quick_specs[L_ALL] = {
    [L_KNN_10] = "knn-lrtastar:records=40" KNN_AS_PUBLISHED,
    [L_KNN_40] = "knn-lrtastar:records=160" KNN_AS_PUBLISHED,
    [L_KNN_60] = "knn-lrtastar:records=240" KNN_AS_PUBLISHED,
    [L_KNN_80] = "knn-lrtastar:records=320" KNN_AS_PUBLISHED,
    [L_KNN_OURS] = "knn-lrtastar:records=40",
    [L_D_12] = "dlrtastar:level=6",
    [L_D_11] = "dlrtastar:level=5",
    [L_D_10] = "dlrtastar:level=4",
    [L_D_9] = "dlrtastar:level=3"};
static const uint8_t l_walks[L_ALL] = {
    [L_ASTAR] = ASK_WHOLE, [L_PATHS] = ASK_WHOLE, [L_MOVES] = ASK_MOVES};

/* Databases that take very long to build: only for the maps that claims are about, and most of them
 * only for the first one. */
enum { ALL = 7, SPARSE = 1 };
static const uint64_t l_series_sets[L_ALL] = {
    ALL,    ALL,    ALL,    ALL,    ALL,    ALL,    ALL,    ALL,    ALL, ALL, ALL, ALL, SPARSE,
    SPARSE, SPARSE, SPARSE, SPARSE, SPARSE, SPARSE, SPARSE, SPARSE, ALL, ALL, ALL, ALL};
static const uint8_t l_series_maps[L_ALL] = {
    [L_KNN_40] = 1, [L_KNN_60] = 1, [L_KNN_80] = 1, [L_D_11] = 1, [L_D_10] = 1, [L_D_9] = 1};

/* ---- claims: on the maps of L's difficulty ---- */

#define L_QUALITY(what, text, series, low, high, why) \
    { \
        what, text, CLAIM_MEAN, series, 0, METRIC_LONGER, low, high, " %", \
            "Walks are as much longer as published ({}).", "Walks are only {} longer" why, \
            "Walks are {} longer" why, GOOD_LESS \
    }
#define L_TBA_WHY \
    ": TBA\\* walks to and fro for as long as A\\* searches, so this follows from the difficulty " \
    "of single problems, of which L has many easy ones (median 36)."
#define L_HCDPS_WHY \
    ": paths between representatives up to this depth are the cheapest ones, and a walker leaves " \
    "a record for a later subgoal as soon as it can climb there."
#define L_D_WHY \
    ": it has to learn how to leave dead ends, and how long that takes depends on a few problems."
#define L_KNN_WHY \
    ": what matters is how many problems have no record that fits (*alone*). On these maps with " \
    "many rooms each of them costs a walk that must learn how to leave them."

static const reproduce_claim l_claims[] = {
    {"A\\*'s difficulty (nodes expanded / edges of the path), mean", "63", CLAIM_MEAN, L_ASTAR, 0,
     METRIC_DIFFICULTY, 45, 85, "", "The maps are as difficult as L's on average ({}).",
     "The maps are easier than L's ({}).", "The maps are harder than L's ({}).", GOOD_NEITHER},
    {"the same, standard deviation", "64", CLAIM_DEVIATION, L_ASTAR, 0, METRIC_DIFFICULTY, 45, 85,
     "", "So are single problems ({}).",
     "Problems differ less than L's ({}): there are fewer very easy and very hard ones.",
     "Problems differ more than L's ({}).", GOOD_NEITHER},
    /* HCDPS */
    L_QUALITY("HCDPS (1), longer", "12.1 %", L_HCDPS_1, 9, 15, L_HCDPS_WHY),
    L_QUALITY("HCDPS (3), longer", "10.1 %", L_HCDPS_3, 7.5, 13, L_HCDPS_WHY),
    L_QUALITY("HCDPS (5), longer", "10.0 %", L_HCDPS_5, 7.5, 13, L_HCDPS_WHY),
    {"HCDPS (3), longer, worst of all problems", "49 %", CLAIM_MOST, L_HCDPS_3, 0, METRIC_LONGER,
     35, 65, " %", "The worst walk is as published ({}).", "The worst walk is only {} longer.",
     "The worst walk is {} longer.", GOOD_LESS},
    {"HCDPS (1), building", "288 s (0.08 hours)", CLAIM_MEAN, L_HCDPS_1, 0, METRIC_BUILD_MS, 144000,
     576000, " ms", "Building takes as long as published ({}).",
     "Building takes {}: all regions grow at once, in another language and on a faster machine.",
     "Building takes {}.", GOOD_LESS},
    {"HCDPS (5), building, more than HCDPS (1)", "1,224 s (0.34 hours)", CLAIM_DIFFERENCE,
     L_HCDPS_5, L_HCDPS_1, METRIC_BUILD_MS, 612000, 2448000, " ms",
     "Exact searches for pairs farther apart take as long as published ({}).",
     "Exact searches for pairs farther apart take {}: they are the same searches, by an A\\* that "
     "takes a fraction of the time for a node.",
     "Exact searches for pairs farther apart take {}.", GOOD_LESS},
    {"HCDPS (1), database", "2,308,096 bytes (2,254 KB)", CLAIM_MEAN, L_HCDPS_1, 0,
     METRIC_INDEX_BYTES, 1700000, 2900000, " bytes", "The database is as large as L's ({}).",
     "The database is smaller than L's ({}): next hops, and streams of small numbers.",
     "The database is larger than L's ({}): there are more regions, for shorter walks.", GOOD_LESS},
    {"HCDPS (3)'s database over HCDPS (1)'s", "0.99", CLAIM_RATIO, L_HCDPS_3, L_HCDPS_1,
     METRIC_INDEX_BYTES, 0.8, 1.1, " ×", "Depth costs no memory ({}).", NULL,
     "Depth costs memory ({}): L keeps one record for each pair at any depth, and here each pair "
     "that was searched has a record of its own, and others are chains of them.",
     GOOD_LESS},
    {"share of the database for records, HCDPS (1)", "58 %", CLAIM_MEAN, L_HCDPS_1, 0,
     METRIC_RECORDS_SHARE, 48, 68, " %", "Records have about the published share ({}).",
     "Records have a smaller share ({}): next hops take less than a record for each pair.",
     "Records have a larger share ({}).", GOOD_NEITHER},
    {"the same for cells and their regions", "38 %", CLAIM_MEAN, L_HCDPS_1, 0, METRIC_CELLS_SHARE,
     28, 48, " %", "So has the table of cells ({}).",
     "The table of cells has a smaller share ({}).",
     "The table of cells has a larger share ({}): the fewer records, the more it weighs.",
     GOOD_NEITHER},
    {"the same for the hash table", "4 %", CLAIM_MEAN, L_HCDPS_1, 0, METRIC_TABLE_SHARE, 2, 7, " %",
     "The hash table is as small as published ({}).", "The hash table is smaller ({}).",
     "The hash table has a larger share ({}), as the rest is smaller.", GOOD_NEITHER},
    {"HCDPS (1), a move", "0.22 µs", CLAIM_MEAN, L_HCDPS_1, 0, METRIC_MOVE_TIME, 0.1, 0.4, " µs",
     "A move takes as long as published ({}).", "A move takes less than published ({}).",
     "A move takes {}: every few moves later subgoals are tried, for shorter walks.", GOOD_LESS},
    {"TBA\\* (5)'s time of a move over HCDPS (1)'s", "about 60", CLAIM_RATIO, L_TBA_5, L_HCDPS_1,
     METRIC_MOVE_TIME, 30, ANY, " ×", "HCDPS moves faster by the published factor or more ({}).",
     "HCDPS's moves are not so much faster ({}): L's A\\* takes about 3 µs for an expansion, ours "
     "a small part of that, and moves of HCDPS have gained less.",
     NULL, GOOD_MORE},
    {"TBA\\* (1000)'s time of a move over HCDPS (1)'s", "about 1000", CLAIM_RATIO, L_TBA_1000,
     L_HCDPS_1, METRIC_MOVE_TIME, 500, ANY, " ×",
     "HCDPS moves faster by the published factor or more ({}).",
     "HCDPS's moves are not so much faster ({}): as above; and most moves come after the search "
     "has ended.",
     NULL, GOOD_MORE},
    {"A\\*'s time over HCDPS (1)'s for whole paths", "about 450", CLAIM_RATIO, L_ASTAR, L_PATHS,
     METRIC_TIME, 225, ANY, " ×", "So it is for whole paths ({}).",
     "For whole paths the factor is {}: L's A\\* takes 3 µs for an expansion, ours a hundredth of "
     "that.",
     NULL, GOOD_MORE},
    {"A\\*'s time before the first move over a move of HCDPS (1)", "about 1,500,000", CLAIM_RATIO,
     L_ASTAR, L_HCDPS_1, METRIC_MOVE_TIME, 750000, ANY, " ×",
     "The first move of A\\* takes as much longer as published ({}).",
     "The first move of A\\* takes {} as long: our A\\* needs some milliseconds, L's a third of a "
     "second.",
     NULL, GOOD_MORE},
    {"agents that share HCDPS (1)'s database until it takes less than as many A\\*", "2",
     CLAIM_AGENTS, L_HCDPS_1, L_ASTAR, METRIC_MEMORY, 0, 2, " agents",
     "The database takes less memory than as many A\\* from {} on.", NULL,
     "It takes {} until the database takes less memory than as many A\\*.", GOOD_LESS},
    {"the same with TBA\\* (1000)", "2", CLAIM_AGENTS, L_HCDPS_1, L_TBA_1000, METRIC_MEMORY, 0, 2,
     " agents", "With TBA\\* it is {}.", NULL, "With TBA\\* it is {}.", GOOD_LESS},
    /* TBA* */
    L_QUALITY("TBA\\* (5), longer", "1504.5 %", L_TBA_5, 750, 2250, L_TBA_WHY),
    L_QUALITY("TBA\\* (100), longer", "64.7 %", L_TBA_100, 32, 97, L_TBA_WHY),
    L_QUALITY("TBA\\* (1000), longer", "5.3 %", L_TBA_1000, 2.6, 8, L_TBA_WHY),
    {"TBA\\* (1000)'s overall time over A\\*'s", "1.37", CLAIM_RATIO, L_TBA_1000, L_ASTAR,
     METRIC_TIME, 0.9, 1.9, " ×", "Slices cost A\\* as little as published ({}).",
     "Slices cost A\\* nothing ({}).",
     "TBA\\* takes {} A\\*'s time: its loop serves every space, and ours of A\\* is made for "
     "grids.",
     GOOD_LESS},
    /* kNN LRTA* */
    L_QUALITY("kNN LRTA\\* (10K), longer", "6851.6 %", L_KNN_10, 3400, 10300, L_KNN_WHY),
    L_QUALITY("kNN LRTA\\* (80K), longer", "12.0 %", L_KNN_80, 6, 18, L_KNN_WHY),
    {"kNN LRTA\\* (60K), longer, worst of all problems", "2,600 %", CLAIM_MOST, L_KNN_60, 0,
     METRIC_LONGER, 1300, 3900, " %", "The worst walk is as published ({}).",
     "The worst walk is only {} longer.", "The worst walk is {} longer.", GOOD_LESS},
    {"kNN LRTA\\* (80K)'s building time over HCDPS (1)'s", "1,289", CLAIM_RATIO, L_KNN_80,
     L_HCDPS_1, METRIC_BUILD_MS, 100, ANY, " ×",
     "Building takes orders of magnitude longer, as published ({}).",
     "Building does not take orders of magnitude longer ({}): its paths come from our fastest "
     "search.",
     NULL, GOOD_NEITHER},
    /* D LRTA* */
    L_QUALITY("D LRTA\\* (12), longer", "15999.2 %", L_D_12, 8000, 24000, L_D_WHY),
    L_QUALITY("D LRTA\\* (9), longer", "819.7 %", L_D_9, 400, 1230, L_D_WHY),
    {"D LRTA\\* (9), longer, worst of all problems", "277,000 %", CLAIM_MOST, L_D_9, 0,
     METRIC_LONGER, 100000, 500000, " %", "The worst walk is as published ({}).",
     "The worst walk is only {} longer.", "The worst walk is {} longer.", GOOD_LESS},
    {"D LRTA\\* (9)'s database over HCDPS (1)'s", "39", CLAIM_RATIO, L_D_9, L_HCDPS_1,
     METRIC_INDEX_BYTES, 20, ANY, " ×",
     "Its database is larger by the published factor or more "
     "({}).",
     "Its database is not so much larger ({}).", NULL, GOOD_NEITHER}};

/* ---- printing ---- */

static bool l_is_measured(const reproduce_run *run, const reproduce_record *sum, uint32_t i)
{
    return reproduce_series_of(run, &reproduce_l_table1)[i].spec &&
           sum->cells[i][METRIC_FAILED].count;
}

/* 0 = there is none. */
static void l_published(FILE *out, double value)
{
    reproduce_print_number(out, value > 0 ? value : NAN);
}

/* Of a move: some take less than a tenth of a microsecond. */
static void l_move(FILE *out, double value)
{
    if (value < 0.1)
        fprintf(out, " %.3f |", value);
    else
        reproduce_print_number(out, value);
}

static double l_index(const reproduce_record *sum, uint32_t i)
{
    double bytes = reproduce_mean(sum, i, METRIC_INDEX_BYTES);
    return isfinite(bytes) ? bytes : 0;
}

/* From how many agents on an index takes less memory than as many of another algorithm. */
static double l_agents(const reproduce_record *sum, uint32_t i, uint32_t other)
{
    double saved =
        reproduce_mean(sum, other, METRIC_MEMORY) - reproduce_mean(sum, i, METRIC_MEMORY);
    return saved > 0 && l_index(sum, i) > 0 ? ceil(l_index(sum, i) / saved) : NAN;
}

static void l_print_memory(const reproduce_run *run, const reproduce_record *sum, FILE *out)
{
    fputs("\n| algorithm | build, s | L | database, KB | L | online, KB | L | total, KB | L | an "
          "agent, bytes | agents, A\\* | agents, TBA\\* |\n"
          "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          out);
    for (uint32_t i = 0; i < L_ALL; i++) {
        const l_row *row = &l_entries[i].published;
        if (!l_is_measured(run, sum, i)) continue;
        double online = reproduce_mean(sum, i, METRIC_MEMORY);
        reproduce_print_name(out, l_series[i].name);
        reproduce_print_number(out, reproduce_mean(sum, i, METRIC_BUILD_MS) / 1e3);
        l_published(out, row->hours * 3600);
        reproduce_print_number(out, reproduce_mean(sum, i, METRIC_INDEX_BYTES) / 1024);
        l_published(out, row->index_kb);
        reproduce_print_number(out, online / 1024);
        reproduce_print_number(out, i < L_SERIES ? row->online_kb : NAN);
        reproduce_print_number(out, (l_index(sum, i) + online) / 1024);
        l_published(out, row->index_kb + row->online_kb);
        reproduce_print_count(out, reproduce_mean(sum, i, METRIC_AGENT_BYTES));
        reproduce_print_count(out, l_agents(sum, i, L_ASTAR));
        reproduce_print_count(out, l_agents(sum, i, L_TBA_1000));
        fputc('\n', out);
    }
}

static uint32_t l_scatter(const reproduce_run *run, const reproduce_record *sum,
                          reproduce_point *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < L_ALL; i++) {
        const l_entry *entry = &l_entries[i];
        reproduce_point point = {.family = l_families[entry->family],
                                 .label = entry->label,
                                 .colour = l_colours[entry->family],
                                 .x = NAN};
        if (l_is_measured(run, sum, i)) {
            point.x = reproduce_mean(sum, i, METRIC_MOVE_TIME);
            point.y = reproduce_mean(sum, i, METRIC_LONGER);
        }
        out[count++] = point;
    }
    for (uint32_t i = 0; i < L_SERIES; i++) {
        const l_entry *entry = &l_entries[i];
        out[count++] = (reproduce_point){.family = l_families[entry->family],
                                         .label = entry->label,
                                         .colour = l_colours[entry->family],
                                         .x = entry->published.move_us,
                                         .y = entry->published.longer,
                                         .published = true};
    }
    return count;
}

static void l_print_walks(const reproduce_run *run, const reproduce_record *sum, FILE *out)
{
    reproduce_point points[L_ALL + L_SERIES];
    reproduce_scatter scatter = {.points = points, .count = l_scatter(run, sum, points)};
    fputs("\n| algorithm | a move, µs | worst, µs | L, mean | overall, ms | L | longer, % | worst, "
          "% | L, mean | within 5 %, % | alone, % | problems | failed | front |\n"
          "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n",
          out);
    for (uint32_t i = 0; i < L_ALL; i++) {
        const l_row *row = &l_entries[i].published;
        const statistic *cells = sum->cells[i];
        if (!l_is_measured(run, sum, i)) continue;
        reproduce_print_name(out, l_series[i].name);
        l_move(out, statistic_mean(&cells[METRIC_MOVE_TIME]));
        reproduce_print_number(out, cells[METRIC_WORST_MOVE].most);
        l_published(out, row->move_us);
        reproduce_print_number(out, statistic_mean(&cells[METRIC_TIME]) / 1e3);
        l_published(out, row->overall_ms);
        reproduce_print_number(out, statistic_mean(&cells[METRIC_LONGER]));
        reproduce_print_number(out, cells[METRIC_LONGER].most);
        reproduce_print_number(out, i < L_SERIES ? row->longer : NAN);
        reproduce_print_number(out, 100 * statistic_mean(&cells[METRIC_WITHIN_5]));
        reproduce_print_number(out, statistic_mean(&cells[METRIC_ALONE]));
        fprintf(out, " %u | %.0f | %s |\n", cells[METRIC_FAILED].count, cells[METRIC_FAILED].sum,
                reproduce_on_front(&scatter, i) ? "yes" : "–");
    }
}

/* How HCDPS's build time and database divide, beside L's. */
static void l_print_shares(const reproduce_run *run, const reproduce_record *sum, FILE *out)
{
    static const double searches[5] = {4, 0, 0, 0, 1250}; /* of L; 0 = not published */
    fputs("\n| | regions, s | searches and compression, s | next hops or dynamic programming, s | "
          "records, % | cells, % | hash table, % |\n|---|--:|--:|--:|--:|--:|--:|\n",
          out);
    for (uint32_t i = 0; i < L_ALL; i++) {
        l_family family = l_entries[i].family;
        if (!l_is_measured(run, sum, i) || family != F_HCDPS) continue;
        reproduce_print_name(out, l_series[i].name);
        for (uint32_t m = METRIC_STAGE_1_MS; m <= METRIC_STAGE_3_MS; m++)
            reproduce_print_number(out, reproduce_mean(sum, i, m) / 1e3);
        for (uint32_t m = METRIC_RECORDS_SHARE; m <= METRIC_TABLE_SHARE; m++)
            reproduce_print_number(out, reproduce_mean(sum, i, m));
        fputc('\n', out);
    }
    for (uint32_t d = 0; d < 5; d++)
        if (searches[d] > 0)
            fprintf(out, "| L, HCDPS (%u) | 140 | %.0f + 130 | 0.5 | 58 | 38 | 4 |\n", d + 1,
                    searches[d]);
}

static void l_print_problems(const reproduce_record *sum, FILE *out)
{
    const statistic *difficulty = &sum->cells[L_ASTAR][METRIC_DIFFICULTY],
                    *cost = &sum->cells[L_ASTAR][METRIC_COST];
    fprintf(out,
            "\nA\\*'s difficulty: mean %.1f ± %.1f, from %.1f to %.1f (L: 63 ± 64, from 1 to "
            "200). Least costs: mean %.0f ± %.0f, from %.1f to %.1f (L: 1882 ± 550, from 1003.8 to "
            "2999.8).\n",
            statistic_mean(difficulty), statistic_deviation(difficulty), difficulty->least,
            difficulty->most, statistic_mean(cost), statistic_deviation(cost), cost->least,
            cost->most);
}

static void l_print(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    fputs(
        "\nOf each set the memory and the building first, then the walks, then the shares of "
        "HCDPS. *Online*: open and closed lists and what was learnt, the mean of the problems "
        "(L: the most of a problem). *Total*: with the database. *An agent*: all that it holds, "
        "its cursor or its path included. *Agents*: from so many on the database takes less "
        "memory than as many A\\*, or TBA\\* (1000). *Worst* is the longest move of the problems "
        "whose moves were timed one by one (every fifth), and the longest walk of all; of A\\*, "
        "and of whole paths, the first move waits for everything. *Within 5 %*: walks that are at "
        "most 5 % longer than the best path. *Alone*: walks to the goal itself from the start on, "
        "as the index has no subgoal for them. *Front*: no other one is at "
        "least as good in the time of a move and in length, and better in one. *Failed*: a walk of "
        "more "
        "than ten million moves is given up; the means are those of the others.\n",
        out);
    for (uint32_t s = 0; s < table->set_count; s++) {
        reproduce_record sum;
        reproduce_sum(run, table, &table->sets[s], &sum);
        if (!sum.cells[L_ASTAR][METRIC_FAILED].count) continue;
        fprintf(out, "\n### %s\n", l_set_titles[s]);
        l_print_problems(&sum, out);
        l_print_memory(run, &sum, out);
        l_print_walks(run, &sum, out);
        l_print_shares(run, &sum, out);
        fprintf(out, "\n![time of a move against length](%s-%s-times.svg)\n", table->name,
                table->sets[s].name);
    }
    fputs(run->options->quick
              ? "\nWith `--quick` maps are 16 times less wide and high, so verdicts "
                "say nothing about L.\n"
              : "\nClaims are judged on the maps `sparse`.\n",
          out);
}

/* ---- drawing ---- */

static bool l_draw(const reproduce_run *run, const reproduce_table *table)
{
    for (uint32_t s = 0; s < table->set_count; s++) {
        reproduce_record sum;
        reproduce_point points[L_ALL + L_SERIES];
        char title[128], name[REPRODUCE_NAME * 2];
        reproduce_sum(run, table, &table->sets[s], &sum);
        if (!sum.cells[L_ASTAR][METRIC_FAILED].count) continue;
        snprintf(title, sizeof title, "%s: %s", table->name, l_front_titles[s]);
        reproduce_scatter scatter = {.title = title,
                                     .across = "time of a move, microseconds",
                                     .up = "per cent above the best (0.1 and less: at the bottom)",
                                     .points = points,
                                     .count = l_scatter(run, &sum, points),
                                     .least = 0.1};
        snprintf(name, sizeof name, "%s-%s-times", table->name, table->sets[s].name);
        if (!reproduce_draw_front(run, name, &scatter)) return false;
    }
    return true;
}

const reproduce_table reproduce_l_table1 = {
    .name = "l-table1",
    .title = "L, table 1: real-time search with a database",
    .about =
        "Maps of 18.9 to 29.7 million cells, 250 random problems each, least costs from 1000 "
        "to 3000; corners may be cut, and a diagonal step costs 1.4. L's maps were not "
        "published: `sparse` are generated ones of the same sizes and difficulty, `facility` "
        "the same by default, and `enlarged` real ones, every cell of which is a square of "
        "cells. Parameters are L's: HCDPS by depth, TBA\\* by the expansions of a slice, kNN "
        "LRTA\\* by records (as published: `unfit=goal,ends=whole`), D LRTA\\* by level. HCDPS has "
        "next hops instead of a record for "
        "each pair of regions. An agent of HCDPS has a "
        "cursor in the records; *whole paths* are asked for at once, and have no "
        "loops; *single moves* are found from the index alone, by an agent that knows "
        "nothing but where it is and where it goes. Databases that take very long to build are "
        "made for the maps `sparse` alone, or for the first of them: *problems* tells. One "
        "thread builds and walks.",
    .sets = l_sets,
    .set_count = COUNT(l_sets),
    .series = l_series,
    .series_count = L_ALL,
    .series_sets = l_series_sets,
    .series_maps = l_series_maps,
    .quick_specs = l_quick_specs,
    .walks = l_walks,
    .harvanova = true,
    .metrics = METRIC_BIT(METRIC_FAILED) | METRIC_BIT(METRIC_COST) | METRIC_BIT(METRIC_CELLS) |
               METRIC_BIT(METRIC_EXPANDED) | METRIC_BIT(METRIC_MEMORY) | METRIC_BIT(METRIC_LONGER) |
               METRIC_BIT(METRIC_INDEX_BYTES) | METRIC_BIT(METRIC_DIFFICULTY) |
               METRIC_BIT(METRIC_TURNS) | METRIC_BIT(METRIC_AGENT_BYTES) |
               METRIC_BIT(METRIC_WITHIN_5) | METRIC_BIT(METRIC_ALONE) |
               METRIC_BIT(METRIC_RECORDS_SHARE) | METRIC_BIT(METRIC_CELLS_SHARE) |
               METRIC_BIT(METRIC_TABLE_SHARE) | METRIC_BIT(METRIC_TIME) |
               METRIC_BIT(METRIC_BUILD_MS) | METRIC_BIT(METRIC_MOVE_TIME) |
               METRIC_BIT(METRIC_WORST_MOVE) | METRIC_BIT(METRIC_STAGE_1_MS) |
               METRIC_BIT(METRIC_STAGE_2_MS) | METRIC_BIT(METRIC_STAGE_3_MS),
    .run = reproduce_walk,
    .print = l_print,
    .draw = l_draw,
    .claims = l_claims,
    .claim_count = COUNT(l_claims),
    .claim_set = L_SPARSE,
    .close = "L's times are those of Java 6 on an Opteron of 2.1 GHz; only ratios can be compared, "
             "and these depend on how good each side is."};
