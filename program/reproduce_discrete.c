/* reproduce_discrete.c: T 5.3 to 5.6, discrete searches and open lists, with what S and M say of
 * lists and memory: maps, algorithms, what was published, and the tables (see reproduce.h).
 *
 * IDA* ends only on short problems, so there are two kinds of sets. On small generated maps, and in
 * short problems of Baldur's Gate, every search takes part, and a problem counts if all of them
 * solve it within their effort. On all problems of Baldur's Gate those take part that T compares
 * there, and A* with every open list. Whether that is so elsewhere is asked of some problems of
 * Dragon Age (narrower, and with smaller maps) and of mazes (few nodes are open at a time), with
 * fringe search, bidirectional search and the lists.
 *
 * T: as in reproduce_tables.c. S: the lecture slides on pathfinding lists. M: Mehta and others, a
 * review. T's figures are those of Reinefeld and Marsland (ME-IDA*), of Russell (SMA*), and of
 * Björnsson, Enzenberger, Holte and Schaeffer (fringe search, on 120 maps of Baldur's Gate).
 */
#include "reproduce.h"

#include <math.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])
#define ANY HUGE_VAL
#define DISCRETE_LISTED 5 /* every this many problems: lists whose work grows with their length */

/* The sets, as bits. */
enum {
    SMALL = 1,
    LARGE = 2,
    DAO = 4,
    MAZE = 8,
    SHORT = 16,
    EASY = SMALL | SHORT,
    LISTED = LARGE | DAO | MAZE,
    ALL = EASY | LISTED
};

#define DISCRETE_LONGEST 60 /* of the problems of SHORT */
#define DISCRETE_NODES "32"

/* The series, as in the enum. */
enum {
    D_ASTAR,
    D_BEST,
    D_IDA,
    D_IDA_CACHED,
    D_ME_IDA,
    D_FRINGE,
    D_SMA,
    D_SMA_SMALL,
    D_DIJKSTRA,
    D_WEIGHTED,
    D_HPA,
    D_BIDIRECTIONAL,
    D_UNSORTED_ARRAY,
    D_UNSORTED_LIST,
    D_SORTED_ARRAY,
    D_SORTED_LIST,
    D_SKIP_LIST,
    D_SKEW_HEAP,
    D_SPLAY_TREE,
    D_HOT_QUEUE,
    D_BUCKETS,
    D_HEAP,
    D_HEAP_OWN,
    D_HASH,
    D_SERIES
};

static const reproduce_series discrete_series[D_SERIES] = {
    {"A*, binary heap", "astar:open=binary-heap", 0, 0},
    {"A*, our best", "astar", 0, 0},
    {"IDA*", "idastar", 0, 0},
    {"IDA*, estimates kept", "idastar:cache=on", 0, 0},
    {"ME-IDA*", "me-idastar", 0, 0},
    {"fringe search", "fringe", 0, 0},
    {"SMA*", "smastar", 0, 0},
    {"SMA*, few nodes", "smastar:nodes=" DISCRETE_NODES, 0, 0},
    {"Dijkstra", "dijkstra:open=binary-heap", 0, 0},
    {"weighted A*", "wastar:weight=2,open=binary-heap", 0, 0},
    {"HPA*", "hpa:size=10,levels=1", 0, 0},
    {"bidirectional", "bidirectional", 0, 0},
    {"A*, unsorted array", "astar:open=unsorted-array", 0, DISCRETE_LISTED},
    {"A*, unsorted list", "astar:open=unsorted-list", 0, DISCRETE_LISTED},
    {"A*, sorted array", "astar:open=sorted-array", 0, DISCRETE_LISTED},
    {"A*, sorted list", "astar:open=sorted-list", 0, DISCRETE_LISTED},
    {"A*, skip list", "astar:open=skip-list", 0, DISCRETE_LISTED},
    {"A*, skew heap", "astar:open=skew-heap", 0, DISCRETE_LISTED},
    {"A*, splay tree", "astar:open=splay-tree", 0, DISCRETE_LISTED},
    {"A*, HOT queue", "astar:open=hot-queue", 0, DISCRETE_LISTED},
    {"A*, buckets", "astar:open=buckets,loop=generic", 0, 0},
    {"A*, 4-ary heap", "astar:open=heap,loop=generic", 0, 0},
    {"A*, 4-ary heap in its loops", "astar:open=heap", 0, 0},
    {"A*, binary heap, hash table", "astar:open=binary-heap,member=hash", 0, 0},
};
static const uint64_t discrete_series_sets[D_SERIES] = {
    ALL,    ALL,    EASY,   EASY,   EASY,   ALL,    EASY,   SMALL,  LARGE, LARGE, LARGE, ALL,
    LISTED, LISTED, LISTED, LISTED, LISTED, LISTED, LISTED, LISTED, ALL,   ALL,   ALL,   ALL};

static const reproduce_set discrete_sets[] = {
    {.kind = CAIRN_GENERATE_RANDOM, .side = 20, .maps = 30, .problems = 40},
    {.folder = "bg512", .problems = 100},
    {.folder = "dao", .problems = 21},
    {.folder = "maze", .problems = 11},
    {.name = "bg512-short",
     .folder = "bg512",
     .repeated = true,
     .problems = 40,
     .longest = DISCRETE_LONGEST}};

/* ---- claims ---- */

static const reproduce_claim discrete_claims[] = {
    /* 20×20 cells */
    {"ME-IDA\\*'s expansions over IDA\\*'s, in sum", "less than half", CLAIM_RATIO, D_ME_IDA, D_IDA,
     METRIC_EXPANDED, 0, 0.5, " ×",
     "Remembering costs saves more than half of the expansions ({}).", NULL,
     "Remembering costs does not save half of the expansions ({}).", GOOD_LESS},
    {"ME-IDA\\*'s time over IDA\\*'s, in sum", "over 30 % less", CLAIM_RATIO, D_ME_IDA, D_IDA,
     METRIC_TIME, 0, 0.7, " ×", "It saves time as well ({}).", NULL,
     "It does not save as much time ({}).", GOOD_LESS},
    {"ME-IDA\\*'s time over A\\*'s, in sum", "more than 19 times", CLAIM_RATIO, D_ME_IDA, D_ASTAR,
     METRIC_TIME, 19, ANY, " ×", "It is slower than A\\* by the published factor or more ({}).",
     "On those of these short problems that IDA\\* solves as well it takes only {} the time of "
     "A\\*.",
     NULL, GOOD_LESS},
    {"the same over our best A\\*'s, in sum", NULL, CLAIM_RATIO, D_ME_IDA, D_BEST, METRIC_TIME, 0,
     ANY, " ×", "It takes {} the time of our best A\\*.", NULL, NULL, GOOD_NEITHER},
    {"IDA\\*'s memory over A\\*'s, in sum", "trivial", CLAIM_RATIO, D_IDA, D_ASTAR, METRIC_MEMORY,
     0, 0.7, " ×", "IDA\\* needs little memory ({}).", NULL,
     "On maps as small as these the memory that every search begins with is most of it ({}).",
     GOOD_LESS},
    {"IDA\\* with estimates kept, time over that without, in sum", "less", CLAIM_RATIO,
     D_IDA_CACHED, D_IDA, METRIC_TIME, 0, 0.97, " ×", "Keeping estimates saves time ({}).", NULL,
     "Keeping estimates saves no time ({}): the octile distance is cheaper than looking it up.",
     GOOD_LESS},
    {"SMA\\*'s expansions over IDA\\*'s, in sum", "significantly fewer", CLAIM_RATIO, D_SMA, D_IDA,
     METRIC_EXPANDED, 0, 0.5, " ×", "SMA\\* expands far less than IDA\\* ({}).", NULL,
     "SMA\\* does not expand far less than IDA\\* ({}).", GOOD_LESS},
    {"time of an expansion of SMA\\*'s over A\\*'s, in sum; room for every node",
     "up to 17.5 times", CLAIM_NODE_RATIO, D_SMA, D_ASTAR, METRIC_TIME, 3.5, 17.5, " ×",
     "An expansion costs {} what it costs A\\*.", "An expansion costs only {} what it costs A\\*.",
     "An expansion costs {} what it costs A\\*.", GOOD_LESS},
    {"the same with " DISCRETE_NODES " nodes, where memory is short", "up to 17.5 times",
     CLAIM_NODE_RATIO, D_SMA_SMALL, D_ASTAR, METRIC_TIME, 3.5, 17.5, " ×",
     "Where it drops nodes, an expansion costs {} what it costs A\\*.",
     "Even where it drops nodes, an expansion costs only {} what it costs A\\*.",
     "Where it drops nodes, an expansion costs {} what it costs A\\*.", GOOD_LESS},
    {"SMA\\*'s expansions with " DISCRETE_NODES " nodes over those with its default, in sum",
     "more", CLAIM_RATIO, D_SMA_SMALL, D_SMA, METRIC_EXPANDED, 1, ANY, " ×",
     "With less memory more is expanded again ({}).", NULL, NULL, GOOD_NEITHER},
    /* short problems of bg512 */
    {"IDA\\*'s expansions over A\\*'s, in sum, short problems of `bg512`", NULL, CLAIM_RATIO, D_IDA,
     D_ASTAR, METRIC_EXPANDED, 0, ANY, " ×", "IDA\\* expands {} what A\\* does.", NULL, NULL,
     GOOD_NEITHER},
    {"ME-IDA\\*'s expansions over IDA\\*'s, in sum, short problems of `bg512`", "less than half",
     CLAIM_RATIO, D_ME_IDA, D_IDA, METRIC_EXPANDED, 0, 0.5, " ×",
     "Remembering costs saves more than half of the expansions ({}).", NULL,
     "Remembering costs does not save half of the expansions ({}).", GOOD_LESS},
    {"ME-IDA\\*'s time over IDA\\*'s, in sum, short problems of `bg512`", "over 30 % less",
     CLAIM_RATIO, D_ME_IDA, D_IDA, METRIC_TIME, 0, 0.7, " ×", "It saves time as well ({}).", NULL,
     "It does not save as much time ({}).", GOOD_LESS},
    {"ME-IDA\\*'s time over A\\*'s, in sum, short problems of `bg512`", "more than 19 times",
     CLAIM_RATIO, D_ME_IDA, D_ASTAR, METRIC_TIME, 19, ANY, " ×",
     "It is slower than A\\* by the published factor or more ({}).",
     "On problems that IDA\\* solves as well it takes only {} the time of A\\*.", NULL, GOOD_LESS},
    {"SMA\\*'s expansions over IDA\\*'s, in sum, short problems of `bg512`", "significantly fewer",
     CLAIM_RATIO, D_SMA, D_IDA, METRIC_EXPANDED, 0, 0.5, " ×",
     "SMA\\* expands far less than IDA\\* ({}).", NULL,
     "SMA\\* does not expand far less than IDA\\* ({}).", GOOD_LESS},
    {"time of an expansion of SMA\\*'s over A\\*'s, in sum, short problems of `bg512`",
     "up to 17.5 times", CLAIM_NODE_RATIO, D_SMA, D_ASTAR, METRIC_TIME, 3.5, 17.5, " ×",
     "An expansion costs {} what it costs A\\*.", "An expansion costs only {} what it costs A\\*.",
     "An expansion costs {} what it costs A\\*.", GOOD_LESS},
    /* bg512 */
    {"fringe search's time over A\\*'s with a binary heap, in sum", "about 25 % less", CLAIM_RATIO,
     D_FRINGE, D_ASTAR, METRIC_TIME, 0.65, 0.85, " ×",
     "Fringe search saves what was published ({}).",
     "Fringe search saves more than was published ({}).",
     "Fringe search does not save what was published: it takes {} the time.", GOOD_LESS},
    {"the same, by problem", "about 25 % less", CLAIM_RATIO, D_FRINGE, D_ASTAR, METRIC_TIME_PERCENT,
     0.65, 0.85, " ×",
     "By problems, of which most are short, fringe search saves what was published ({}).",
     "By problems, of which most are short, fringe search saves more ({}).",
     "By problems it does not save what was published either: it takes {} the time.", GOOD_LESS},
    {"fringe search's time over that of our best A\\*, in sum", NULL, CLAIM_RATIO, D_FRINGE, D_BEST,
     METRIC_TIME, 0, 1, " ×", "It is faster than our best A\\*, too ({}).", NULL,
     "It is slower than our best A\\* ({}), whose buckets need no sorting either.", GOOD_LESS},
    {"fringe search's expansions over A\\*'s, in sum", "more", CLAIM_RATIO, D_FRINGE, D_ASTAR,
     METRIC_EXPANDED, 1, ANY, " ×", "It expands more nodes ({}).", "It expands fewer nodes ({}).",
     NULL, GOOD_NEITHER},
    {"fringe search's memory over A\\*'s, in sum", "more", CLAIM_RATIO, D_FRINGE, D_ASTAR,
     METRIC_MEMORY, 1, ANY, " ×", "It needs more memory ({}).", "It needs less memory ({}).", NULL,
     GOOD_LESS},
    {"a skew heap's time over a binary heap's, by problem", "less: the most efficient", CLAIM_RATIO,
     D_SKEW_HEAP, D_ASTAR, METRIC_TIME_PERCENT, 0, 1, " ×", "The skew heap is faster ({}).", NULL,
     "The skew heap is slower ({}): its nodes lie all over the memory.", GOOD_LESS},
    {"a sorted list's time over an unsorted list's, in sum", "more", CLAIM_RATIO, D_SORTED_LIST,
     D_UNSORTED_LIST, METRIC_TIME, 1, ANY, " ×", "Keeping a list sorted does not pay ({}).",
     "Keeping a list sorted pays ({}): insertions are near the front.", NULL, GOOD_NEITHER},
    {"an unsorted list's time over a binary heap's, by problem (S)", "more", CLAIM_RATIO,
     D_UNSORTED_LIST, D_ASTAR, METRIC_TIME_PERCENT, 1, ANY, " ×",
     "Lists are slower than heaps ({}).", "Lists are not slower than heaps ({}).", NULL,
     GOOD_NEITHER},
    {"a 4-ary heap's time over that of a binary heap with places, by problem (S)", "more",
     CLAIM_RATIO, D_HEAP, D_ASTAR, METRIC_TIME_PERCENT, 1, ANY, " ×", "Noting places pays ({}).",
     "Noting places does not pay ({}): to skip old entries costs less.", NULL, GOOD_NEITHER},
    {"buckets' time over a binary heap's, in the same loop, by problem", NULL, CLAIM_RATIO,
     D_BUCKETS, D_ASTAR, METRIC_TIME_PERCENT, 0, 1, " ×", "Buckets are faster ({}).", NULL,
     "Buckets are not faster ({}).", GOOD_NEITHER},
    {"places in a hash table, time over that with places in records, by problem", NULL, CLAIM_RATIO,
     D_HASH, D_ASTAR, METRIC_TIME_PERCENT, 1, ANY, " ×", "A hash table is slower ({}).",
     "A hash table is not slower ({}).", NULL, GOOD_NEITHER},
    {"places in a hash table, memory over that with places in records, in sum", NULL, CLAIM_RATIO,
     D_HASH, D_ASTAR, METRIC_MEMORY, 0, 1, " ×", "It takes less memory ({}).", NULL,
     "It takes more memory ({}).", GOOD_NEITHER},
    {"Dijkstra's memory over A\\*'s, in sum (M)", "more", CLAIM_RATIO, D_DIJKSTRA, D_ASTAR,
     METRIC_MEMORY, 1, ANY, " ×", "An estimate saves memory ({}).",
     "An estimate saves no memory ({}).", NULL, GOOD_NEITHER},
    {"weighted A\\*'s memory over A\\*'s, in sum (M)", "less", CLAIM_RATIO, D_WEIGHTED, D_ASTAR,
     METRIC_MEMORY, 0, 1, " ×", "An estimate that is too high saves more ({}).", NULL,
     "An estimate that is too high saves nothing ({}).", GOOD_LESS},
    {"HPA\\*'s memory for a search over A\\*'s, in sum (M)", "less", CLAIM_RATIO, D_HPA, D_ASTAR,
     METRIC_MEMORY, 0, 1, " ×",
     "A search of the abstract graph needs less memory ({}), beside its "
     "index.",
     NULL, "A search of the abstract graph needs no less memory ({}).", GOOD_LESS},
    /* dao and maze */
    {"fringe search's time over A\\*'s with a binary heap, in sum, on `dao`", "about 25 % less",
     CLAIM_RATIO, D_FRINGE, D_ASTAR, METRIC_TIME, 0.65, 0.85, " ×",
     "Fringe search saves what was published ({}).",
     "Fringe search saves more than was published ({}).",
     "Fringe search does not save what was published: it takes {} the time.", GOOD_LESS},
    {"the same, by problem, on `dao`", "about 25 % less", CLAIM_RATIO, D_FRINGE, D_ASTAR,
     METRIC_TIME_PERCENT, 0.65, 0.85, " ×",
     "By problems, of which most are short, fringe search saves what was published ({}).",
     "By problems, of which most are short, fringe search saves more ({}).",
     "By problems it does not save what was published either: it takes {} the time.", GOOD_LESS},
    {"a skew heap's time over a binary heap's, by problem, on `dao`", "less: the most efficient",
     CLAIM_RATIO, D_SKEW_HEAP, D_ASTAR, METRIC_TIME_PERCENT, 0, 1, " ×",
     "The skew heap is faster ({}).", NULL, "The skew heap is slower ({}).", GOOD_LESS},
    {"an unsorted list's time over a binary heap's, by problem, on `dao` (S)", "more", CLAIM_RATIO,
     D_UNSORTED_LIST, D_ASTAR, METRIC_TIME_PERCENT, 1, ANY, " ×",
     "Lists are slower than heaps ({}).", "Lists are not slower than heaps ({}).", NULL,
     GOOD_NEITHER},
    {"a 4-ary heap's time over that of a binary heap with places, by problem, on `dao` (S)", "more",
     CLAIM_RATIO, D_HEAP, D_ASTAR, METRIC_TIME_PERCENT, 1, ANY, " ×", "Noting places pays ({}).",
     "Noting places does not pay ({}): to skip old entries costs less.", NULL, GOOD_NEITHER},
    {"buckets' time over a binary heap's, in the same loop, by problem, on `dao`", NULL,
     CLAIM_RATIO, D_BUCKETS, D_ASTAR, METRIC_TIME_PERCENT, 0, 1, " ×", "Buckets are faster ({}).",
     NULL, "Buckets are not faster ({}).", GOOD_NEITHER},
    {"places in a hash table, time over that with places in records, by problem, on `dao`", NULL,
     CLAIM_RATIO, D_HASH, D_ASTAR, METRIC_TIME_PERCENT, 1, ANY, " ×",
     "A hash table is slower ({}).", "A hash table is not slower ({}).", NULL, GOOD_NEITHER},
    {"places in a hash table, memory over that with places in records, in sum, on `dao`", NULL,
     CLAIM_RATIO, D_HASH, D_ASTAR, METRIC_MEMORY, 0, 1, " ×", "It takes less memory ({}).", NULL,
     "It takes more memory ({}).", GOOD_NEITHER},
    {"bidirectional search's expansions over our best A\\*'s, in sum, on `dao`", NULL, CLAIM_RATIO,
     D_BIDIRECTIONAL, D_BEST, METRIC_EXPANDED, 0, ANY, " ×",
     "From both ends it expands {} what A\\* does.", NULL, NULL, GOOD_NEITHER},
    {"fringe search's time over A\\*'s with a binary heap, in sum, on `maze`", "about 25 % less",
     CLAIM_RATIO, D_FRINGE, D_ASTAR, METRIC_TIME, 0.65, 0.85, " ×",
     "Fringe search saves what was published ({}).",
     "Fringe search saves more than was published ({}).",
     "Fringe search does not save what was published: it takes {} the time.", GOOD_LESS},
    {"the same, by problem, on `maze`", "about 25 % less", CLAIM_RATIO, D_FRINGE, D_ASTAR,
     METRIC_TIME_PERCENT, 0.65, 0.85, " ×",
     "By problems, of which most are short, fringe search saves what was published ({}).",
     "By problems, of which most are short, fringe search saves more ({}).",
     "By problems it does not save what was published either: it takes {} the time.", GOOD_LESS},
    {"a skew heap's time over a binary heap's, by problem, on `maze`", "less: the most efficient",
     CLAIM_RATIO, D_SKEW_HEAP, D_ASTAR, METRIC_TIME_PERCENT, 0, 1, " ×",
     "The skew heap is faster ({}).", NULL, "The skew heap is slower ({}).", GOOD_LESS},
    {"an unsorted list's time over a binary heap's, by problem, on `maze` (S)", "more", CLAIM_RATIO,
     D_UNSORTED_LIST, D_ASTAR, METRIC_TIME_PERCENT, 1, ANY, " ×",
     "Lists are slower than heaps ({}).",
     "Lists are not slower than heaps ({}): few nodes are open at a time.", NULL, GOOD_NEITHER},
    {"a 4-ary heap's time over that of a binary heap with places, by problem, on `maze` (S)",
     "more", CLAIM_RATIO, D_HEAP, D_ASTAR, METRIC_TIME_PERCENT, 1, ANY, " ×",
     "Noting places pays ({}).", "Noting places does not pay ({}): to skip old entries costs less.",
     NULL, GOOD_NEITHER},
    {"buckets' time over a binary heap's, in the same loop, by problem, on `maze`", NULL,
     CLAIM_RATIO, D_BUCKETS, D_ASTAR, METRIC_TIME_PERCENT, 0, 1, " ×", "Buckets are faster ({}).",
     NULL, "Buckets are not faster ({}).", GOOD_NEITHER},
    {"places in a hash table, time over that with places in records, by problem, on `maze`", NULL,
     CLAIM_RATIO, D_HASH, D_ASTAR, METRIC_TIME_PERCENT, 1, ANY, " ×",
     "A hash table is slower ({}).", "A hash table is not slower ({}).", NULL, GOOD_NEITHER},
    {"places in a hash table, memory over that with places in records, in sum, on `maze`", NULL,
     CLAIM_RATIO, D_HASH, D_ASTAR, METRIC_MEMORY, 0, 1, " ×", "It takes less memory ({}).", NULL,
     "It takes more memory ({}).", GOOD_NEITHER},
    {"bidirectional search's expansions over our best A\\*'s, in sum, on `maze`", NULL, CLAIM_RATIO,
     D_BIDIRECTIONAL, D_BEST, METRIC_EXPANDED, 0, ANY, " ×",
     "From both ends it expands {} what A\\* does.", NULL, NULL, GOOD_NEITHER},
};
static const uint8_t discrete_claim_sets[COUNT(discrete_claims)] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4};

/* ---- printing ---- */

static void discrete_row(const reproduce_record *all, const reproduce_series *series, uint32_t i,
                         FILE *out)
{
    const statistic *cells = all->cells[i];
    fprintf(out, "| %s | `%s` |", series[i].name, series[i].spec);
    reproduce_print_count(out, statistic_mean(&cells[METRIC_EXPANDED]));
    reproduce_print_spread(out, &cells[METRIC_EXPANDED_PERCENT]);
    reproduce_print_number(out, statistic_mean(&cells[METRIC_TIME]));
    reproduce_print_spread(out, &cells[METRIC_TIME_PERCENT]);
    reproduce_print_number(out, 1e3 * statistic_mean(&cells[METRIC_TIME]) /
                                    statistic_mean(&cells[METRIC_EXPANDED]));
    reproduce_print_number(out, statistic_mean(&cells[METRIC_MEMORY]) / 1024);
    reproduce_print_spread(out, &cells[METRIC_MEMORY_PERCENT]);
    fprintf(out, " %u | %.0f |\n", cells[METRIC_TIME].count, cells[METRIC_FAILED].sum);
}

static void discrete_print(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    static const char *const names[] = {"Generated maps of 20×20 cells", "`bg512`", "`dao`",
                                        "`maze`", "`bg512`, short problems"};
    const reproduce_series *series = reproduce_series_of(run, table);
    for (uint32_t s = 0; s < table->set_count; s++) {
        reproduce_record all;
        reproduce_sum(run, table, &table->sets[s], &all);
        if (!all.cells[0][METRIC_TIME].count) continue;
        fprintf(out,
                "\n%s. Means over the problems; *%% of A\\** is the mean of the per cents of the "
                "problems, with ± the standard deviation. *Failed*: given up, which then count for "
                "nobody.\n\n"
                "| | algorithm | expanded | %% of A\\* | time, µs | %% of A\\* | ns an expansion | "
                "memory, KB | %% of A\\* | problems | failed |\n"
                "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
                names[s]);
        for (uint32_t i = 0; i < reproduce_series_count(run, table); i++) {
            bool asked = all.cells[i][METRIC_TIME].count || all.cells[i][METRIC_FAILED].count;
            if (series[i].spec && asked) discrete_row(&all, series, i, out);
        }
    }
}

const reproduce_table reproduce_t_discrete = {
    .name = "t-discrete",
    .title = "T 5.3 to 5.6: open lists, IDA\\*, SMA\\*, fringe search",
    .about =
        "Random problems on 30 generated maps (`random`, 20×20 cells), and problems of `bg512` "
        "whose best path is at most 60 long, at most 40 a map: so short that IDA\\* solves most "
        "of them. What one of the algorithms there gives up counts as failed for it, and not at "
        "all for the others. And problems of `bg512` of any length, at most 100 a map, of `dao`, "
        "at most 21, and of `maze`, at most 11, evenly spread, lists that get slow with their "
        "length on every fifth of them. A\\* has a binary heap that knows the places of its "
        "entries, one loop for every space, and no other privilege; *our best* is what `astar` "
        "does by default. The other lists are in that same loop, but for the 4-ary heap *in its "
        "loops*. SMA\\* by default may hold 16,384 nodes, which is more than these short "
        "problems need; with *few nodes* it may hold 32.\n\nBelow, *in sum* compares the sums over "
        "all "
        "problems, so that long ones decide; *by problem* is the mean of the problems' ratios, "
        "of which each counts the same.",
    .sets = discrete_sets,
    .set_count = COUNT(discrete_sets),
    .series = discrete_series,
    .series_count = D_SERIES,
    .series_sets = discrete_series_sets,
    .solved_by_all = true,
    .metrics = METRIC_BIT(METRIC_FAILED) | METRIC_BIT(METRIC_COST) | METRIC_BIT(METRIC_EXPANDED) |
               METRIC_BIT(METRIC_EXPANDED_PERCENT) | METRIC_BIT(METRIC_REVISITED) |
               METRIC_BIT(METRIC_MEMORY) | METRIC_BIT(METRIC_MEMORY_PERCENT) |
               METRIC_BIT(METRIC_LONGER) | METRIC_BIT(METRIC_TIME) |
               METRIC_BIT(METRIC_TIME_PERCENT),
    .run = reproduce_compare,
    .print = discrete_print,
    .claims = discrete_claims,
    .claim_count = COUNT(discrete_claims),
    .claim_sets = discrete_claim_sets,
    .close = "Ratios of times are ratios of implementations: A\\* with a binary heap and fringe "
             "search run in loops for any space here, IDA\\* and SMA\\* in theirs."};
