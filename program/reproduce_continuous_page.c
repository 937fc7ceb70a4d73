/* reproduce_continuous_page.c: how the table of agents in a world that changes is printed and drawn
 * (see reproduce_continuous.h).
 *
 * Sets of one agent have a table each. Crowds have one for each kind of changes, with all numbers
 * of agents side by side.
 */
#include "reproduce_continuous.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

static const uint32_t page_agents[CROWD_COUNTS] = {1, 10, 50, 200};

/* ---- one agent ---- */

/* Of a metric: the mean of a walk, in sum as a per cent of A*'s, and the mean of the per cents. */
static void page_three(const reproduce_record *all, uint32_t i, reproduce_metric metric,
                       reproduce_metric percent, FILE *out)
{
    const statistic *cells = all->cells[i];
    if (metric == METRIC_TIME)
        reproduce_print_number(out, statistic_mean(&cells[metric]) / 1000);
    else
        reproduce_print_count(out, statistic_mean(&cells[metric]));
    reproduce_print_number(out, reproduce_pooled(all, i, metric));
    reproduce_print_number(out, statistic_mean(&cells[percent]));
}

static void page_row(const reproduce_record *all, const reproduce_series *series, uint32_t i,
                     FILE *out)
{
    const statistic *cells = all->cells[i];
    reproduce_print_name(out, series[i].name);
    page_three(all, i, METRIC_EXPANDED, METRIC_EXPANDED_PERCENT, out);
    page_three(all, i, METRIC_AFTER, METRIC_AFTER_PERCENT, out);
    page_three(all, i, METRIC_TIME, METRIC_TIME_PERCENT, out);
    reproduce_print_count(out, statistic_mean(&cells[METRIC_TURNS]));
    reproduce_print_number(out, statistic_mean(&cells[METRIC_LONGER]));
    reproduce_print_number(out, statistic_mean(&cells[METRIC_AGENT_BYTES]) / 1024);
    reproduce_print_number(out, statistic_mean(&cells[METRIC_MEMORY]) / 1024);
    fprintf(out, " %u | %.0f |\n", cells[METRIC_TIME].count, cells[METRIC_FAILED].sum);
}

/* False if it was not measured. */
static bool page_set(const reproduce_run *run, const reproduce_table *table, uint32_t set,
                     FILE *out)
{
    const reproduce_series *series = reproduce_series_of(run, table);
    reproduce_record all;
    reproduce_sum(run, table, &table->sets[set], &all);
    if (!all.cells[0][METRIC_FAILED].count) return false;
    fprintf(
        out,
        "\n### `%s`: %s\n\n"
        "| | expanded | %% in sum | %% by walk | after | %% in sum | %% by walk | time, ms | %% "
        "in sum | %% by walk | turns | longer, %% | an agent, KB | all, KB | walks | failed |\n"
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        table->sets[set].name, table->setups[set].title);
    for (uint32_t i = 0; i < reproduce_series_count(run, table); i++)
        if (series[i].spec && all.cells[i][METRIC_FAILED].count) page_row(&all, series, i, out);
    return true;
}

/* ---- crowds ---- */

/* The records of a kind of changes, by the number of agents. */
static bool page_crowd(const reproduce_run *run, const reproduce_table *table, uint32_t kind,
                       reproduce_record all[CROWD_COUNTS])
{
    bool any = false;
    for (uint32_t n = 0; n < CROWD_COUNTS; n++) {
        reproduce_sum(run, table, &table->sets[C_CROWD(kind, n)], &all[n]);
        any |= all[n].cells[0][METRIC_FAILED].count > 0;
    }
    return any;
}

/* Bytes at most, for each agent. */
static double page_share(const reproduce_record *record, uint32_t series, uint32_t count)
{
    return reproduce_mean(record, series, METRIC_MEMORY) / page_agents[count];
}

/* Three numbers of a crowd. If somebody did not arrive in any run: how many did, and crosses. If
 * only some runs were like that, the numbers are those of the others, behind how many these are. */
static void page_cells(const reproduce_record *record, uint32_t i, uint32_t count, FILE *out)
{
    const statistic *cells = record->cells[i];
    uint32_t runs = cells[METRIC_FAILED].count, whole = cells[METRIC_TIME].count;
    if (runs && !whole) {
        fprintf(out, " × %.0f of %u | × | × |", cells[METRIC_ARRIVED].sum,
                runs * page_agents[count]);
        return;
    }
    if (whole < runs) fprintf(out, " (%u of %u runs)", whole, runs);
    reproduce_print_number(out, reproduce_pooled(record, i, METRIC_EXPANDED));
    reproduce_print_number(out, reproduce_pooled(record, i, METRIC_TIME));
    reproduce_print_number(out, page_share(record, i, count) / 1024);
}

/* What a turn of all agents takes A*, as a scale for the per cents. */
static void page_scale(const reproduce_record all[CROWD_COUNTS], FILE *out)
{
    fputs("\nA\\*, planned again, takes ", out);
    for (uint32_t n = 0; n < CROWD_COUNTS; n++) {
        double turn = all[n].cells[0][METRIC_TIME].sum / all[n].cells[0][METRIC_TURNS].sum;
        fprintf(out, "%s%.*f",
                n == 0                 ? ""
                : n + 1 < CROWD_COUNTS ? ", "
                                       : " and ",
                turn < 10 ? 1 : 0, turn);
    }
    fputs(" µs a turn.\n", out);
}

static void page_kind(const reproduce_run *run, const reproduce_table *table, uint32_t kind,
                      FILE *out)
{
    const reproduce_series *series = reproduce_series_of(run, table);
    reproduce_record all[CROWD_COUNTS];
    if (!page_crowd(run, table, kind, all)) return;
    const char *name = table->sets[C_CROWD(kind, 0)].name;
    fprintf(out, "\n### `%.*sN`: %s\n\n|", (int)strlen(name) - 1, name,
            table->setups[C_CROWD(kind, 0)].title);
    for (uint32_t n = 0; n < CROWD_COUNTS; n++)
        fprintf(out, " | %u agent%s: nodes, %% | time, %% | KB each", page_agents[n], n ? "s" : "");
    fputs(" |\n|---", out);
    for (uint32_t n = 0; n < 3 * CROWD_COUNTS; n++) fputs("|--:", out);
    fputs("|\n", out);
    for (uint32_t i = 0; i < reproduce_series_count(run, table); i++) {
        if (!series[i].spec || !(table->series_sets[i] >> C_CROWD(kind, 0) & 1)) continue;
        reproduce_print_name(out, series[i].name);
        for (uint32_t n = 0; n < CROWD_COUNTS; n++) page_cells(&all[n], i, n, out);
        fputc('\n', out);
    }
    page_scale(all, out);
}

/* Plots, two words each: the ending of a name, and what it shows. */
static void page_pictures(const reproduce_table *table, const char *const (*plots)[2],
                          uint32_t count, FILE *out)
{
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "\n![%s](%s-%s.svg)\n", plots[i][1], table->name, plots[i][0]);
}

void reproduce_print_continuous(const reproduce_run *run, const reproduce_table *table, FILE *out)
{
    static const char *const ones[][2] = {{"nodes", "nodes of whole walks, kind by kind"},
                                          {"times", "time of whole walks, kind by kind"}};
    static const char *const crowds[][2] = {
        {"crowd-nodes", "nodes of crowds"},
        {"crowd-times", "time of crowds"},
        {"crowd-bytes", "memory of crowds"},
        {"front-nodes", "nodes against memory, by the number of agents"},
        {"front-times", "time against memory, by the number of agents"}};
    fputs(
        "\nOf each walk: nodes expanded in all, and after the agent's first step; the processor "
        "time of all turns, commits included; the turns until it arrived; how much longer it "
        "walked than the agent that plans again with A\\*; what an agent holds in the end, and "
        "what all agents and the searches that they share held at most.\n\n"
        "*% in sum*: of all walks together, as a per cent of what that A\\* took for the same "
        "ones. This is what a game pays. *% by walk*: the mean of the per cents of the single "
        "walks (T 8.3.1), in which a short walk counts as much as a long one. It says little where "
        "A\\* has next to nothing to do on some walks: a single one may take thousands of per "
        "cent. JPS counts jump points as nodes, so only its time can be compared. *Failed*: it did "
        "not arrive within 100,000 turns (barriers: a million); walks on which A\\* did not are "
        "left "
        "out. "
        "Anytime A\\* takes longer than all others together, and is measured on every fifth walk. "
        "Where something changes at nearly every step (`fog`, `target`, `fog-turns`), Anytime "
        "A\\*, "
        "ARA\\* and LPA\\*, which begin again at every change, are measured on the first walk of "
        "each "
        "map. *RTD\\* (100)* is for `fog-turns` and `edit-turns` only: it expands 100 nodes for "
        "each "
        "move, as many as a turn has units, a fifth of them round the agent, where *RTD\\** "
        "expands "
        "five.\n",
        out);
    bool any = false;
    for (uint32_t s = 0; s < C_CROWDS; s++) any |= page_set(run, table, s, out);
    if (any) page_pictures(table, ones, COUNT(ones), out);
    fputs(
        "\n**Crowds**: per cents are in sum, of A\\*, planned again. *KB each*: what all agents "
        "and the searches that they share held at most, divided by the number of agents. "
        "× *n of m*: in every run somebody did not arrive within 100,000 turns; so many agents of "
        "all did. (*n of m runs*): the numbers are of the runs in which all arrived. –: not "
        "measured.\n",
        out);
    for (uint32_t kind = 0; kind < CROWD_KINDS; kind++) page_kind(run, table, kind, out);
    page_pictures(table, crowds, COUNT(crowds), out);
}

/* ---- drawing: bars ---- */

/* Who is drawn; JPS has no nodes that can be compared. */
static const uint32_t page_drawn[] = {C_ASTAR_BLOCKED, C_JPS,      C_JPS_BLOCKED,
                                      C_DSTAR_LITE,    C_GAASTAR,  C_MPGAASTAR,
                                      C_LSS,           C_RTAASTAR, C_RTDSTAR};
enum { PAGE_SERIES = COUNT(page_drawn), PAGE_GROUPS = CROWD_KINDS * CROWD_COUNTS };

/* Bars of a plot that is being drawn. */
typedef struct page_bars {
    const char *series[PAGE_SERIES], *groups[PAGE_GROUPS];
    char names[PAGE_GROUPS][REPRODUCE_NAME];
    double values[PAGE_GROUPS * PAGE_SERIES];
    uint32_t series_count, group_count, used;
} page_bars;

static bool page_is_drawn(const reproduce_run *run, const reproduce_table *table, uint32_t i,
                          reproduce_metric metric)
{
    bool jumps = page_drawn[i] == C_JPS || page_drawn[i] == C_JPS_BLOCKED;
    return reproduce_series_of(run, table)[page_drawn[i]].spec &&
           (!jumps || metric != METRIC_EXPANDED);
}

/* One group: of a set, a metric in sum, or the bytes for each agent. */
static void page_put(const reproduce_run *run, const reproduce_table *table, page_bars *bars,
                     uint32_t set, reproduce_metric metric)
{
    reproduce_record all;
    reproduce_sum(run, table, &table->sets[set], &all);
    if (!all.cells[0][METRIC_FAILED].count) return;
    uint32_t group = bars->group_count++;
    snprintf(bars->names[group], sizeof bars->names[group], "%s", table->sets[set].name);
    bars->groups[group] = bars->names[group];
    bars->series_count = 0;
    for (uint32_t i = 0; i < PAGE_SERIES; i++) {
        if (!page_is_drawn(run, table, i, metric)) continue;
        uint32_t series = page_drawn[i];
        bars->series[bars->series_count++] = reproduce_series_of(run, table)[series].name;
        bars->values[bars->used++] =
            metric == METRIC_MEMORY
                ? page_share(&all, series, (set - C_CROWDS) % CROWD_COUNTS) / 1024
                : reproduce_pooled(&all, series, metric);
    }
}

/* The sets from `first` on, before `end`. */
static bool page_draw_bars(const reproduce_run *run, const reproduce_table *table,
                           reproduce_metric metric, const uint32_t sets[2],
                           const char *const words[3])
{
    page_bars bars = {0};
    char name[REPRODUCE_NAME], title[200];
    for (uint32_t s = sets[0]; s < sets[1]; s++) {
        bool timed = s == C_FOG_TURNS || s == C_EDIT_TURNS;
        if (!timed) page_put(run, table, &bars, s, metric);
    }
    snprintf(name, sizeof name, "%s-%s", table->name, words[0]);
    snprintf(title, sizeof title, "%s: %s", table->name, words[1]);
    reproduce_bars plot = {.title = title,
                           .unit = words[2],
                           .groups = bars.groups,
                           .group_count = bars.group_count,
                           .series = bars.series,
                           .series_count = bars.series_count,
                           .values = bars.values,
                           .reference = metric == METRIC_MEMORY ? 0 : 100};
    return !bars.group_count || reproduce_draw_bars(run, name, &plot);
}

/* ---- drawing: work against memory ---- */

/* Crowds among blocks, small and large, near and far, all kinds together. */
static void page_blocks(const reproduce_run *run, const reproduce_table *table, uint32_t count,
                        reproduce_record *out)
{
    memset(out, 0, sizeof *out);
    for (uint32_t kind = CROWD_NEAR; kind <= CROWD_LARGE_FAR; kind++) {
        reproduce_record one;
        reproduce_sum(run, table, &table->sets[C_CROWD(kind, count)], &one);
        for (uint32_t i = 0; i < REPRODUCE_SERIES; i++)
            for (uint32_t m = 0; m < METRIC_COUNT; m++)
                statistic_join(&out->cells[i][m], &one.cells[i][m]);
    }
}

static bool page_draw_front(const reproduce_run *run, const reproduce_table *table,
                            reproduce_metric metric, const char *const words[3])
{
    static const uint32_t colours[] = {0x444444, 0x999999, 0x0072b2, 0x56b4e9, 0xd55e00,
                                       0xe69f00, 0x009e73, 0xcc79a7, 0x882255, 0x661100};
    static const char *const labels[CROWD_COUNTS] = {"1", "10", "50", "200"};
    const reproduce_series *series = reproduce_series_of(run, table);
    reproduce_point points[(PAGE_SERIES + 1) * CROWD_COUNTS];
    char name[REPRODUCE_NAME], title[200];
    uint32_t count = 0;
    for (uint32_t n = 0; n < CROWD_COUNTS; n++) {
        reproduce_record all;
        page_blocks(run, table, n, &all);
        for (uint32_t i = 0; i <= PAGE_SERIES; i++) {
            uint32_t s = i ? page_drawn[i - 1] : C_ASTAR;
            if (i && !page_is_drawn(run, table, i - 1, metric)) continue;
            points[count++] = (reproduce_point){.family = series[s].name,
                                                .label = labels[n],
                                                .x = page_share(&all, s, n) / 1024,
                                                .y = reproduce_pooled(&all, s, metric),
                                                .colour = colours[i]};
        }
    }
    snprintf(name, sizeof name, "%s-%s", table->name, words[0]);
    snprintf(title, sizeof title, "%s: %s", table->name, words[1]);
    reproduce_scatter scatter = {.title = title,
                                 .across = "memory at most, KB for each agent",
                                 .up = words[2],
                                 .points = points,
                                 .count = count,
                                 .least = 0.1,
                                 .unrelated = true};
    return reproduce_draw_front(run, name, &scatter);
}

bool reproduce_draw_continuous(const reproduce_run *run, const reproduce_table *table)
{
    static const uint32_t ones[2] = {0, C_CROWDS}, crowds[2] = {C_CROWDS, C_SETS};
    static const char *const nodes[] = {"nodes",
                                        "nodes of whole walks, one agent on 512 x 512 cells",
                                        "per cent of A*, planned again, in sum"};
    static const char *const times[] = {"times",
                                        "time of whole walks, one agent on 512 x 512 cells",
                                        "per cent of A*, planned again, in sum"};
    static const char *const crowd_nodes[] = {
        "crowd-nodes", "nodes of whole walks, 1 to 200 agents on 1024 x 1024 cells",
        "per cent of A*, planned again, in sum"};
    static const char *const crowd_times[] = {
        "crowd-times", "time of whole walks, 1 to 200 agents on 1024 x 1024 cells",
        "per cent of A*, planned again, in sum"};
    static const char *const crowd_bytes[] = {
        "crowd-bytes", "memory at most, 1 to 200 agents on 1024 x 1024 cells", "KB for each agent"};
    static const char *const front_nodes[] = {"front-nodes",
                                              "1 to 200 agents among blocks that rise and fall",
                                              "nodes, per cent of A*, planned again"};
    static const char *const front_times[] = {"front-times",
                                              "1 to 200 agents among blocks that rise and fall",
                                              "time, per cent of A*, planned again"};
    return page_draw_bars(run, table, METRIC_EXPANDED, ones, nodes) &&
           page_draw_bars(run, table, METRIC_TIME, ones, times) &&
           page_draw_bars(run, table, METRIC_EXPANDED, crowds, crowd_nodes) &&
           page_draw_bars(run, table, METRIC_TIME, crowds, crowd_times) &&
           page_draw_bars(run, table, METRIC_MEMORY, crowds, crowd_bytes) &&
           page_draw_front(run, table, METRIC_EXPANDED, front_nodes) &&
           page_draw_front(run, table, METRIC_TIME, front_times);
}
