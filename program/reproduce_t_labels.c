/* reproduce_t_labels.c: the table of T 8.2.1.2, connected components under edits: maps,
 * algorithms, what was said, and how it is printed (see reproduce.h; reproduce_labels.c measures).
 *
 * T proposes labels, leaves them out, and leaves measuring them on maps that change for later
 * (T 8.2.1.2, 8.3.5, 9.2). So there are no numbers to compare with, only what was expected.
 */
#include "reproduce_labels.h"

#include <math.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])
#define ANY HUGE_VAL

/* ---- maps and algorithms ---- */

enum { SETS_ALL, SETS_STARCRAFT }; /* in claims */

static const reproduce_set t_labels_sets[] = {
    {.folder = "sc1", .problems = 40},
    {.kind = CAIRN_GENERATE_FACILITY, .maps = 6, .ease = {0, 80}, .problems = 40},
    {.kind = CAIRN_GENERATE_BATTLEFIELD,
     .maps = 6,
     .narrow = 658,
     .closed = {100, 0},
     .ease = {0, 60},
     .region = {192, 128},
     .problems = 40},
    {.kind = CAIRN_GENERATE_PSEUDO_RTS, .maps = 10, .problems = 40}};

/* Searches that fail look at whole maps, again and again. */
enum { FAILURES = 10 };

#define ASTAR "astar:open=heap,tie=small-g"
#define INSIDE "subsearch=astar/open=heap/tie=small-g"
#define V1(labels) "sga:variant=1,labels=" labels "," INSIDE
#define V2(labels) "sga:variant=2,trim=distance,labels=" labels "," INSIDE

static const reproduce_series t_labels_series[LABELS_SERIES] = {
    [LABELS_ASTAR] = {"A*", ASTAR, LABELS_ASTAR, 0},
    [LABELS_V1] = {"V1", V1("off"), LABELS_ASTAR, 0},
    [LABELS_V1_ON] = {"V1 labels", V1("on"), LABELS_V1, 0},
    [LABELS_V2] = {"V2 MaxDist", V2("off"), LABELS_ASTAR, 0},
    [LABELS_V2_ON] = {"V2 MaxDist labels", V2("on"), LABELS_V2, 0},
    [LABELS_GOAL] = {"goal cut off, A*", ASTAR, LABELS_GOAL, FAILURES},
    [LABELS_GOAL_ON] = {"goal cut off, A* labels", ASTAR, LABELS_GOAL, FAILURES},
    [LABELS_GOAL_V1] = {"goal cut off, V1", V1("off"), LABELS_GOAL, FAILURES},
    [LABELS_GOAL_V1_ON] = {"goal cut off, V1 labels", V1("on"), LABELS_GOAL_V1, FAILURES},
    [LABELS_GOAL_V2] = {"goal cut off, V2 MaxDist", V2("off"), LABELS_GOAL, FAILURES},
    [LABELS_GOAL_V2_ON] = {"goal cut off, V2 MaxDist labels", V2("on"), LABELS_GOAL_V2, FAILURES},
    [LABELS_START] = {"start enclosed, A*", ASTAR, LABELS_START, FAILURES},
    [LABELS_START_ON] = {"start enclosed, A* labels", ASTAR, LABELS_START, FAILURES},
    [LABELS_START_V1] = {"start enclosed, V1", V1("off"), LABELS_START, FAILURES},
    [LABELS_START_V1_ON] = {"start enclosed, V1 labels", V1("on"), LABELS_START_V1, FAILURES},
    [LABELS_START_V2] = {"start enclosed, V2 MaxDist", V2("off"), LABELS_START, FAILURES},
    [LABELS_START_V2_ON] = {"start enclosed, V2 MaxDist labels", V2("on"), LABELS_START_V2,
                            FAILURES},
    [LABELS_CELL] = {"edit, a cell", "cell", LABELS_CELL, 0},
    [LABELS_WALL] = {"edit, a wall", "wall", LABELS_WALL, 0},
    [LABELS_RING] = {"edit, a ring", "ring", LABELS_RING, 0}};

#define T_LABELS_METRICS \
    (METRIC_BIT(METRIC_FAILED) | METRIC_BIT(METRIC_COST) | METRIC_BIT(METRIC_EXPANDED) | \
     METRIC_BIT(METRIC_EXPANDED_PERCENT) | METRIC_BIT(METRIC_LONGER) | \
     METRIC_BIT(METRIC_INDEX_BYTES) | METRIC_BIT(METRIC_CHANGED) | METRIC_BIT(METRIC_SPLIT) | \
     METRIC_BIT(METRIC_TILES) | METRIC_BIT(METRIC_BLOCKS) | METRIC_BIT(METRIC_SUBGOALS) | \
     METRIC_BIT(METRIC_DISCARDED) | METRIC_BIT(METRIC_WASTED) | \
     METRIC_BIT(METRIC_WASTED_PERCENT) | METRIC_BIT(METRIC_REST_PERCENT) | \
     METRIC_BIT(METRIC_TIME) | METRIC_BIT(METRIC_BASE_TIME) | METRIC_BIT(METRIC_TIME_PERCENT) | \
     METRIC_BIT(METRIC_BUILD_MS) | METRIC_BIT(METRIC_RELABEL_MS) | \
     METRIC_BIT(METRIC_UPKEEP_PERCENT))

/* ---- claims ---- */

#define INSTANT_NODES(what, series) \
    { \
        what ", labels: most nodes explored", "instant failure (T 8.2.1.2)", CLAIM_MOST, series, \
            0, METRIC_EXPANDED, 0, 0, " nodes", "No node is looked at: the components answer.", \
            NULL, "Up to {} are looked at although the components know.", GOOD_LESS \
    }
#define INSTANT_TIME(what, series) \
    { \
        what ", labels: time", "instant failure (T 8.2.1.2)", CLAIM_MEAN, series, 0, METRIC_TIME, \
            0, 10, " µs", "The answer takes {}.", NULL, \
            "The answer takes {}, which is not instant.", GOOD_LESS \
    }
#define REMOVED(what, series) \
    { \
        what " labels: most nodes for sub-goals that cannot be reached", \
            "none: the problem is removed (T 8.2.1.2)", CLAIM_MOST, series, 0, METRIC_WASTED, 0, \
            0, " nodes", "No search is made for them.", NULL, \
            "Up to {} are explored for sub-goals that cannot be reached.", GOOD_LESS \
    }
/* T names no number; a tenth is what we call significant. */
#define HOPED(what, series, metric, unit) \
    { \
        what, "clearly less, it is hoped (T 9.2)", CLAIM_MEAN, series, 0, metric, 0, 90, unit, \
            "Labels help: {} of what it takes without them is left.", NULL, \
            "Labels help little: {} of what it takes without them is left. Connected " \
            "backwards, a sub-goal in another component costs a search of that component only, " \
            "and those are small.", \
            GOOD_NEITHER \
    }
#define NOTHING_ELSE(what, series) \
    { \
        what " labels: nodes, of those without labels that were not for sub-goals in other " \
             "components", \
            "no effect where connectivity is low (T 9.2)", CLAIM_MEAN, series, 0, \
            METRIC_REST_PERCENT, 99.99, 100.01, " %", \
            "Searches for sub-goals that can be reached stay as they are, node for node.", \
            "These searches get smaller, too ({}).", "These searches get larger ({}).", \
            GOOD_NEITHER \
    }
/* T calls labelling the map again potentially expensive, and labels useful mainly where maps do not
 * change. It did not think of labels that are kept up to date, so there is no verdict on those. */
#define UPKEEP(what, series) \
    { \
        what ": what is added to the commit, per cent of labelling all cells", NULL, CLAIM_MEAN, \
            series, 0, METRIC_UPKEEP_PERCENT, 20, ANY, " %", \
            "An edit costs {} of labelling the map from scratch.", \
            "An edit costs {} of labelling the map from scratch: the tiles of 64×64 " \
            "cells that it touches and the blocks above them are done again.", \
            NULL, GOOD_NEITHER \
    }
#define PAYS(what, series) \
    { \
        what ": queries that pay for 1000 edits (rings)", NULL, CLAIM_BREAK_EVEN, series, \
            LABELS_RING, METRIC_TIME, 1000, ANY, "", \
            "Labels pay only with one such query to an edit, or more: {} to 1000.", \
            "Labels pay even if there are more edits than such queries: {} pay for 1000.", NULL, \
            GOOD_NEITHER \
    }

/* Those of one set come first. */
static const reproduce_claim t_labels_claims[] = {
    {"`sc1`, V1: sub-goals in other components", NULL, CLAIM_MEAN, LABELS_V1, 0, METRIC_DISCARDED,
     0, 10, " %", "Of a problem's sub-goals {} are discarded.", NULL,
     "Of a problem's sub-goals {} are discarded.", GOOD_NEITHER},
    HOPED("`sc1`, V1 labels: mean per cents of the nodes without", LABELS_V1_ON,
          METRIC_EXPANDED_PERCENT, " %"),
    HOPED("`sc1`, V2 MaxDist labels: mean per cents of the nodes without", LABELS_V2_ON,
          METRIC_EXPANDED_PERCENT, " %"),
    HOPED("`sc1`, V1 labels: mean per cents of the time without", LABELS_V1_ON, METRIC_TIME_PERCENT,
          " %"),
    HOPED("`sc1`, V2 MaxDist labels: mean per cents of the time without", LABELS_V2_ON,
          METRIC_TIME_PERCENT, " %"),
    INSTANT_NODES("goal cut off, A\\*", LABELS_GOAL_ON),
    INSTANT_NODES("goal cut off, V2 MaxDist", LABELS_GOAL_V2_ON),
    INSTANT_NODES("start enclosed, V1", LABELS_START_V1_ON),
    INSTANT_TIME("goal cut off, A\\*", LABELS_GOAL_ON),
    INSTANT_TIME("goal cut off, V1", LABELS_GOAL_V1_ON),
    INSTANT_TIME("goal cut off, V2 MaxDist", LABELS_GOAL_V2_ON),
    INSTANT_TIME("start enclosed, V1", LABELS_START_V1_ON),
    {"start enclosed, V1 without labels against A\\*, time in sum",
     "significantly more (T 8.2.1.2)", CLAIM_RATIO, LABELS_START_V1, LABELS_START, METRIC_TIME, 2,
     ANY, " ×", "SGA\\* looks at everything outside before it fails ({} A\\*'s time).",
     "SGA\\* does not take much longer than A\\* ({}).", NULL, GOOD_NEITHER},
    REMOVED("V1", LABELS_V1_ON),
    REMOVED("V2 MaxDist", LABELS_V2_ON),
    NOTHING_ELSE("V1", LABELS_V1_ON),
    NOTHING_ELSE("V2 MaxDist", LABELS_V2_ON),
    UPKEEP("a cell", LABELS_CELL),
    UPKEEP("a ring", LABELS_RING),
    PAYS("goal cut off, A\\*", LABELS_GOAL_ON),
    PAYS("goal cut off, V1", LABELS_GOAL_V1_ON),
    PAYS("goal cut off, V2 MaxDist", LABELS_GOAL_V2_ON),
    PAYS("start enclosed, A\\*", LABELS_START_ON),
    PAYS("start enclosed, V1", LABELS_START_V1_ON),
    PAYS("start and goal connected, V1", LABELS_V1_ON),
    PAYS("start and goal connected, V2 MaxDist", LABELS_V2_ON)};
static const uint8_t t_labels_claim_sets[COUNT(t_labels_claims)] = {
    SETS_STARCRAFT, SETS_STARCRAFT, SETS_STARCRAFT, SETS_STARCRAFT, SETS_STARCRAFT};

/* ---- printing ---- */

/* Of a set, or of all of them, if there is anything. */
typedef struct t_labels_row {
    const char *name;
    reproduce_record record;
} t_labels_row;

static bool t_labels_row_of(const reproduce_run *run, const reproduce_table *table, uint32_t set,
                            t_labels_row *out)
{
    bool all = set == table->set_count;
    reproduce_sum(run, table, all ? NULL : &table->sets[set], &out->record);
    out->name = all ? "**all**" : reproduce_set_name(&table->sets[set]);
    return out->record.cells[LABELS_CELL][METRIC_CHANGED].count > 0;
}

static double t_labels_added(const statistic *cells)
{
    return statistic_mean(&cells[METRIC_TIME]) - statistic_mean(&cells[METRIC_BASE_TIME]);
}

/* An edit of any kind; microseconds. */
static double t_labels_upkeep(const reproduce_record *record)
{
    double sum = 0;
    for (uint32_t i = LABELS_CELL; i < LABELS_SERIES; i++) sum += t_labels_added(record->cells[i]);
    return sum / (LABELS_SERIES - LABELS_CELL);
}

static void t_labels_print_edits(const t_labels_row *row, FILE *out)
{
    static const char *const kinds[] = {"cell", "wall", "ring"};
    for (uint32_t i = LABELS_CELL; i < LABELS_SERIES; i++) {
        const statistic *cells = row->record.cells[i];
        fprintf(out, "| %s | %s |", row->name, kinds[i - LABELS_CELL]);
        reproduce_print_count(out, reproduce_problem_count(cells));
        reproduce_print_number(out, statistic_mean(&cells[METRIC_CHANGED]));
        reproduce_print_number(out, 100 * statistic_mean(&cells[METRIC_SPLIT]));
        reproduce_print_number(out, statistic_mean(&cells[METRIC_TILES]));
        reproduce_print_number(out, statistic_mean(&cells[METRIC_BLOCKS]));
        reproduce_print_number(out, statistic_mean(&cells[METRIC_BASE_TIME]));
        reproduce_print_spread(out, &cells[METRIC_TIME]);
        reproduce_print_number(out, t_labels_added(cells));
        reproduce_print_number(out, 1e3 * statistic_mean(&cells[METRIC_RELABEL_MS]));
        reproduce_print_number(out, 1e3 * statistic_mean(&cells[METRIC_BUILD_MS]));
        reproduce_print_number(out, statistic_mean(&cells[METRIC_INDEX_BYTES]) / 1024);
        fputc('\n', out);
    }
}

static void t_labels_edits(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    fputs("\n**Edits**, each closed and opened again; times in µs. *Split*: the number of "
          "components changed, %. *Tiles* and *blocks*: what `cairn_space_upkeep` counts for a "
          "commit. *Commit*: of the grid alone, and with the space that keeps components; *added* "
          "is the difference. *Labels*: T's preprocessing step, a label for each cell of the map "
          "by flooding. *Space*: Cairn's from scratch, components included.\n\n"
          "| set | edit | commits | cells | split, % | tiles | blocks | commit, grid alone | with "
          "the space | added | labels | space | space, KB |\n"
          "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          out);
    for (uint32_t s = 0; s <= table->set_count; s++) {
        t_labels_row row;
        if (t_labels_row_of(run, table, s, &row)) t_labels_print_edits(&row, out);
    }
}

/* How many queries pay for something; none if they save nothing. */
static void t_labels_print_pays(double cost, double saved, FILE *out)
{
    if (isfinite(cost) && isfinite(saved) && saved <= 0)
        fputs(" never |", out);
    else if (isfinite(cost / saved))
        fprintf(out, " %.3g |", cost / saved);
    else
        fputs(" – |", out);
}

static void t_labels_print_between(const t_labels_row *row, const reproduce_series *series,
                                   FILE *out)
{
    for (uint32_t i = LABELS_ASTAR; i < LABELS_GOAL; i++) {
        const statistic *cells = row->record.cells[i];
        if (!series[i].spec) continue;
        bool labels = i == LABELS_V1_ON || i == LABELS_V2_ON;
        fprintf(out, "| %s ", row->name);
        reproduce_print_name(out, series[i].name);
        reproduce_print_count(out, reproduce_problem_count(cells));
        reproduce_print_number(out, statistic_mean(&cells[METRIC_EXPANDED]));
        reproduce_print_spread(out, &cells[METRIC_EXPANDED_PERCENT]);
        reproduce_print_number(out, statistic_mean(&cells[METRIC_TIME]));
        reproduce_print_spread(out, &cells[METRIC_TIME_PERCENT]);
        reproduce_print_number(out, statistic_mean(&cells[METRIC_SUBGOALS]));
        reproduce_print_number(out, statistic_mean(&cells[METRIC_DISCARDED]));
        reproduce_print_number(out, statistic_mean(&cells[METRIC_WASTED_PERCENT]));
        t_labels_print_pays(
            labels ? t_labels_upkeep(&row->record) : NAN,
            statistic_mean(&cells[METRIC_BASE_TIME]) - statistic_mean(&cells[METRIC_TIME]), out);
        fprintf(out, " %.0f |\n", cells[METRIC_FAILED].sum);
    }
}

static void t_labels_between(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    fputs("\n**Between edits**, problems whose ends are connected; times in µs. Per cents, means "
          "over problems: SGA\\* of A\\*, and with labels of the same without. *Elsewhere*: of a "
          "problem's sub-goals, those in other components, which labels discard, %; *wasted*: of "
          "its nodes, those explored for them, %. *Break-even*: queries that pay for an edit, all "
          "kinds taken together; never, if labels save no time.\n\n"
          "| set | algorithm | problems | explored | % | time | % | sub-goals | elsewhere | wasted "
          "| break-even | failed |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          out);
    for (uint32_t s = 0; s <= table->set_count; s++) {
        t_labels_row row;
        if (t_labels_row_of(run, table, s, &row))
            t_labels_print_between(&row, reproduce_series_of(run, table), out);
    }
}

static void t_labels_print_cut(const t_labels_row *row, const reproduce_series *series, FILE *out)
{
    for (uint32_t i = LABELS_GOAL; i < LABELS_CELL; i += 2) {
        const statistic *without = row->record.cells[i], *with = row->record.cells[i + 1];
        if (!series[i].spec) continue;
        double saved = statistic_mean(&without[METRIC_TIME]) - statistic_mean(&with[METRIC_TIME]);
        fprintf(out, "| %s ", row->name);
        reproduce_print_name(out, series[i].name);
        reproduce_print_count(out, reproduce_problem_count(without));
        reproduce_print_number(out, statistic_mean(&without[METRIC_EXPANDED]));
        reproduce_print_number(out, statistic_mean(&with[METRIC_EXPANDED]));
        reproduce_print_number(out, statistic_mean(&without[METRIC_TIME]));
        reproduce_print_number(out, without[METRIC_TIME].count ? without[METRIC_TIME].most : NAN);
        reproduce_print_number(out, statistic_mean(&with[METRIC_TIME]));
        t_labels_print_pays(t_labels_upkeep(&row->record), saved, out);
        t_labels_print_pays(
            1e3 * statistic_mean(&row->record.cells[LABELS_CELL][METRIC_RELABEL_MS]), saved, out);
        fprintf(out, " %.0f |\n", without[METRIC_FAILED].sum + with[METRIC_FAILED].sum);
    }
}

static void t_labels_cut(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    fprintf(out,
            "\n**Cut off by edits**, for the first problem of a map and every %u-th: a goal that "
            "cannot be reached any more, and a start in a ring; times in µs. *Without* labels A\\* "
            "is a search for no goal, which expands the same nodes, all that can be reached. "
            "*Break-even*: such queries that pay for an edit; *relabelling*: for labelling all "
            "cells after each edit.\n\n"
            "| set | problem, algorithm | problems | explored without | with | time without | most "
            "| with | break-even | relabelling | failed "
            "|\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
            FAILURES);
    for (uint32_t s = 0; s <= table->set_count; s++) {
        t_labels_row row;
        if (t_labels_row_of(run, table, s, &row))
            t_labels_print_cut(&row, reproduce_series_of(run, table), out);
    }
}

static void t_labels_print(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    t_labels_edits(run, table, out);
    t_labels_between(run, table, out);
    t_labels_cut(run, table, out);
    fputs("\n![nodes, map by map](t-labels-nodes.svg)\n"
          "\n![sub-goals elsewhere, map by map](t-labels-elsewhere.svg)\n"
          "\n![edits](t-labels-edits-times.svg)\n"
          "\n![goals cut off](t-labels-cut-times.svg)\n",
          out);
}

const reproduce_table reproduce_t_labels = {
    .name = "t-labels",
    .title = "T 8.2.1.2: connected components under edits",
    .about =
        "The thesis proposes to label connected components before SGA\\* searches, and leaves "
        "measuring it on maps that change for later. Here the labels are the connected "
        "components that a space keeps up to date. The maps are those of `sc1`, 40 problems of "
        "each scenario, evenly spread, and `facility`, `battlefield` and `pseudo-rts` maps as in "
        "the tables of T 8.3, 6, 6 and 10 of them, with 40 random problems each. For each problem "
        "six places are closed, one commit each, and opened again afterwards: a cell, the "
        "narrowest of eight walls of at most 33 cells across the passages that they stand in, and "
        "a ring of 7×7 to 17×17 cells, "
        "anywhere in the component of the start, and the same three within 8 cells of the line "
        "from start to goal. The components are compared with labels from scratch after the "
        "edits of every problem.",
    .sets = t_labels_sets,
    .set_count = COUNT(t_labels_sets),
    .series = t_labels_series,
    .series_count = LABELS_SERIES,
    .edit_series = LABELS_SERIES - LABELS_CELL,
    .metrics = T_LABELS_METRICS,
    .run = reproduce_label,
    .print = t_labels_print,
    .draw = reproduce_draw_labels,
    .claims = t_labels_claims,
    .claim_count = COUNT(t_labels_claims),
    .claim_sets = t_labels_claim_sets,
    .close =
        "Labels that are kept by tiles cost microseconds an edit, far less than labelling "
        "the map again, which is the thesis' objection (T 8.2.1.2, 8.3.5). They pay where a search "
        "would fail: without them SGA\\* floods the map once for each sub-goal on the wrong "
        "side of a ring. Where there is a path they save what is explored for sub-goals in "
        "other components, and no other node: connected backwards, as the thesis recommends, "
        "such a search sees that component only. Low connectivity, which is what costs SGA\\* "
        "time on maps of StarCraft, stays. How many queries pay where there is a path is "
        "uncertain: what labels save there is little beside what a disturbance of a long "
        "search changes."};
