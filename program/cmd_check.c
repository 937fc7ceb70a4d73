/* cmd_check.c: `cairn check`: is every answer right?
 *
 * An answer passes if it is legal in itself (its steps can be made, its cost is their sum) and if
 * it agrees with the truth: the published length where that applies, otherwise the cost of our own
 * dijkstra. Optimal algorithms must equal it. The others must not be better, nor worse than the
 * bound that they report with the path. Paths of any angle may be shorter than the best on the
 * grid, but not shorter than a straight line, nor cheaper than one on the cheapest ground. An
 * algorithm that may give up (CAIRN_EXPONENTIAL) is not wrong where it does; that is counted. So
 * is where one that holds few nodes says that no path fits: a breadth-first search must agree.
 */
#define _POSIX_C_SOURCE 200809L
#include "batch.h"
#include "command.h"
#include "heuristics.h"
#include "json.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct check_options {
    batch_options batch;
    bool json, heuristics;
} check_options;

static const arg_flag check_flags[] = {
    BATCH_FLAGS(check_options, batch, "as many as there are cores"),
    FLAG_SWITCH("heuristics", "check what estimates promise instead of answers",
                offsetof(check_options, heuristics)),
    FLAG_MAX_CELLS,
    FLAG_JSON(check_options, json),
};

enum { CHECK_SHOWN = 5, CHECK_TEXT = 200 };

/* One algorithm on one map. */
typedef struct check_row {
    char algorithm[ALGORITHM_SPEC];
    const char *map;
    uint32_t problems, passed, missed, unreachable, gave_up, unfit;
    double seconds;
    uint32_t shown; /* misses described below */
    char misses[CHECK_SHOWN][CHECK_TEXT];
} check_row;

typedef struct check_run {
    check_row *rows;
    uint32_t count;
} check_run;

/* ---- judging one answer ---- */

static const char *check_fault_text(answer_fault fault)
{
    switch (fault) {
    case FAULT_NONE: break;
    case FAULT_ILLEGAL: return "a step of the path cannot be made";
    case FAULT_ENDS: return "the path does not lead from the start to the goal";
    case FAULT_COST: return "the cost is not the sum of the steps";
    case FAULT_LENGTH: return "the length does not fit the steps";
    case FAULT_PIECES: return "asked for in pieces, the path does not lead to the goal";
    }
    return "";
}

/* The answer and the truth in the same measure: lengths or costs. */
typedef struct check_values {
    double answer, truth, tolerance;
} check_values;

static check_values check_compare(const problem_set *set, const problem *p, const answer *a)
{
    if (set->published) return (check_values){a->length, p->length, p->tolerance};
    return (check_values){a->cost, p->reference, 0};
}

/* Paths of any angle: links aside, nothing is shorter than a straight line, and no ground costs
 * less than 1. */
static check_values check_crow(const batch_item *item, const problem *p, const answer *a)
{
    const world *w = item->world;
    double crow = cairn_grid_link_count(w->grid) ? 0 : measure_crow(w, p->from, p->to);
    if (item->set->published) return (check_values){a->length, crow, 1e-9 * (1 + crow)};
    return (check_values){a->cost, floor(crow * cairn_space_scale(w->space).straight), 0};
}

/* True if all is well; else the reason is in `text`. */
static bool check_answer(const batch_item *item, const problem *p, const answer *a, char *text)
{
    const problem_set *set = item->set;
    bool optimal = cairn_planner_optimal(item->planner);
    /* An algorithm that is not optimal may find a path too expensive for 32 bits, and says so. */
    if (!optimal && a->status == CAIRN_COST_OVERFLOW && p->expected == CAIRN_FOUND) return true;
    if (a->status != p->expected) {
        snprintf(text, CHECK_TEXT, "answered \"%s\", expected \"%s\"", cairn_result_text(a->status),
                 cairn_result_text(p->expected));
        return false;
    }
    if (a->fault) {
        snprintf(text, CHECK_TEXT, "%s", check_fault_text(a->fault));
        return false;
    }
    if (a->status != CAIRN_FOUND) return true;
    bool any_angle = cairn_planner_algorithm(item->planner)->flags & CAIRN_ANY_ANGLE;
    check_values v = any_angle ? check_crow(item, p, a) : check_compare(set, p, a);
    const char *wrong = NULL;
    if (v.answer < v.truth - v.tolerance)
        wrong = "shorter than possible";
    else if (optimal && v.answer > v.truth + v.tolerance)
        wrong = "longer than optimal";
    else if (a->bound > 0 && v.answer > a->bound * (v.truth + v.tolerance) * (1 + 1e-12))
        wrong = "longer than its bound allows";
    if (wrong)
        snprintf(text, CHECK_TEXT, "%s: %s %.10g, %s %.10g", wrong,
                 set->published ? "length" : "cost", v.answer,
                 any_angle        ? "as the crow flies"
                 : set->published ? "published"
                                  : "dijkstra",
                 v.truth);
    return !wrong;
}

static void check_note_miss(const world *w, const problem *p, const char *reason, check_row *row)
{
    char from[WORLD_PLACE], to[WORLD_PLACE];
    if (row->missed++ < CHECK_SHOWN)
        snprintf(row->misses[row->shown++], CHECK_TEXT, "problem %u, %s to %s: %.120s", p->number,
                 world_place(w, p->from, from), world_place(w, p->to, to), reason);
}

static bool check_gave_up(const batch_item *item, const answer *a)
{
    bool may = cairn_planner_algorithm(item->planner)->flags & CAIRN_EXPONENTIAL;
    return may && a->status == CAIRN_OUT_OF_BUDGET;
}

/* The fewest nodes of any path, both ends included; 0 if there is none, or it cannot be told. */
static uint64_t check_fewest_nodes(cairn_space *space, const problem *p)
{
    uint64_t nodes = 0;
    cairn_planner *planner = NULL;
    cairn_search *search = NULL;
    cairn_query query = {.from = p->from, .to = p->to};
    const cairn_path *path;
    if (cairn_planner_create(space, "bfs", &planner, NULL) == CAIRN_OK &&
        cairn_search_create(planner, NULL, &search) == CAIRN_OK &&
        cairn_search_find(search, &query, &path) == CAIRN_FOUND)
        nodes = cairn_path_step_count(space, path);
    cairn_search_destroy(search);
    cairn_planner_destroy(planner);
    return nodes;
}

/* Does the answer say that no path fits into the nodes that the search may hold? */
static bool check_says_unfit(const problem *p, const answer *a)
{
    return a->status == CAIRN_TOO_LONG && p->expected == CAIRN_FOUND;
}

/* Is that so? */
static bool check_unfit(const batch_item *item, const problem *p, char *text)
{
    int64_t most = algorithms_most_nodes(item->planner);
    uint64_t fewest = check_fewest_nodes(item->world->space, p);
    snprintf(text, CHECK_TEXT, "says that no path has at most %lld nodes, but one has %llu",
             (long long)most, (unsigned long long)fewest);
    return fewest > (uint64_t)most;
}

/* ---- running ---- */

static void check_judge(const batch_item *item, const answer *answers, check_row *row)
{
    char reason[CHECK_TEXT];
    for (uint32_t i = 0; i < item->set->count; i++) {
        const problem *p = &item->set->items[i];
        row->unreachable += p->expected != CAIRN_FOUND;
        if (check_gave_up(item, &answers[i]))
            row->gave_up++;
        else if (check_says_unfit(p, &answers[i]) && check_unfit(item, p, reason))
            row->unfit++;
        else if (check_says_unfit(p, &answers[i]))
            check_note_miss(item->world, p, reason, row);
        else if (check_answer(item, p, &answers[i], reason))
            row->passed++;
        else
            check_note_miss(item->world, p, reason, row);
    }
}

static int check_visit(void *user, const batch_item *item)
{
    check_run *run = user;
    check_row row = {.map = item->world->name, .problems = item->set->count};
    snprintf(row.algorithm, sizeof row.algorithm, "%s", item->spec);
    measure_options options = {
        .threads = item->batch->options->threads, .inspect = true, .label = item->label};
    double begin = text_clock();
    answer *answers = measure_run(item->world, item->planner, item->set, &options);
    row.seconds = text_clock() - begin;
    check_row *rows = answers ? realloc(run->rows, (run->count + 1u) * sizeof *rows) : NULL;
    if (rows) {
        check_judge(item, answers, &row);
        run->rows = rows;
        run->rows[run->count++] = row;
    }
    free(answers);
    return rows ? END_OK : END_DATA;
}

/* ---- showing ---- */

static uint64_t check_misses(const check_run *run, uint64_t *problems, double *seconds)
{
    uint64_t missed = 0;
    *problems = 0;
    *seconds = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        missed += run->rows[i].missed;
        *problems += run->rows[i].problems;
        *seconds += run->rows[i].seconds;
    }
    return missed;
}

static void check_print_json(const check_run *run)
{
    uint64_t problems;
    double seconds;
    uint64_t missed = check_misses(run, &problems, &seconds);
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_list(&j, "rows");
    for (uint32_t i = 0; i < run->count; i++) {
        const check_row *row = &run->rows[i];
        json_object(&j, NULL);
        json_text(&j, "algorithm", row->algorithm);
        json_text(&j, "map", row->map);
        json_integer(&j, "problems", row->problems);
        json_integer(&j, "passed", row->passed);
        json_integer(&j, "missed", row->missed);
        json_integer(&j, "unreachable", row->unreachable);
        json_integer(&j, "gave_up", row->gave_up);
        json_integer(&j, "none_fits", row->unfit);
        json_array(&j, "misses");
        for (uint32_t k = 0; k < row->shown; k++) json_text(&j, NULL, row->misses[k]);
        json_end(&j);
        json_end(&j);
    }
    json_end(&j);
    json_integer(&j, "problems", (int64_t)problems);
    json_integer(&j, "missed", (int64_t)missed);
    json_bool(&j, "ok", missed == 0);
    json_end(&j);
}

static void check_print_table(const check_run *run)
{
    static const char *const headings[] = {"algorithm", "map",      ">problems", ">passed",
                                           ">missed",   ">no path", ">s"};
    table t = table_with(headings, 7);
    char text[TEXT_SHORT];
    for (uint32_t i = 0; i < run->count; i++) {
        const check_row *row = &run->rows[i];
        table_add(&t, "%s", row->algorithm);
        table_add(&t, "%s", text_base(row->map));
        table_add(&t, "%u", row->problems);
        table_add(&t, "%u", row->passed);
        table_add(&t, "%u", row->missed);
        table_add(&t, "%u", row->unreachable);
        table_add(&t, "%.2f", row->seconds);
    }
    table_print(&t);
    for (uint32_t i = 0; i < run->count; i++) {
        const check_row *row = &run->rows[i];
        if (row->gave_up)
            say("\n%s on %s gave up %u of %u problems (its parameter effort raises that)\n",
                row->algorithm, row->map, row->gave_up, row->problems);
        if (row->unfit)
            say("\n%s on %s: no path fits in %u of %u problems, and breadth-first search agrees\n",
                row->algorithm, row->map, row->unfit, row->problems);
        if (row->missed) say("\n%s on %s missed:\n", row->algorithm, row->map);
        for (uint32_t k = 0; k < row->shown; k++) say("  %s\n", row->misses[k]);
        if (row->missed > row->shown) printf("  … and %u more\n", row->missed - row->shown);
    }
    uint64_t problems;
    double seconds;
    uint64_t missed = check_misses(run, &problems, &seconds);
    printf("\n%s answers checked in %.1f s: ", text_count(problems, text), seconds);
    if (missed)
        printf("%s missed\n", text_count(missed, text));
    else
        printf("all are correct\n");
}

/* ---- the command ---- */

static uint32_t check_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 64 ? 64 : (uint32_t)cores;
}

static int check_main(const command *self, int argc, char **argv)
{
    check_options options = {.batch = BATCH_DEFAULTS};
    options.batch.threads = check_cores();
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    if (options.heuristics) return heuristics_check(self, &options.batch, options.json, argc, argv);
    check_run run = {0};
    batch b;
    int end = batch_open(&b, self, &options.batch, argc, argv);
    if (!end) end = batch_each(&b, check_visit, &run);
    bool show = !end || end == END_INTERRUPTED;
    if (show && options.json) check_print_json(&run);
    if (show && !options.json) check_print_table(&run);
    uint64_t problems;
    double seconds;
    if (!end && check_misses(&run, &problems, &seconds)) end = END_NO;
    free(run.rows);
    batch_close(&b);
    return end;
}

const command command_check = {
    .name = "check",
    .summary = "Check every answer against the published lengths or against dijkstra",
    .synopsis = "[options] MAP…",
    .details =
        "MAP is " WORLD_KINDS ",\n"
        "or a folder: then all of its *.map. Every path must be legal. Optimal algorithms must "
        "equal the\n"
        "published length within its rounding; the others must not be shorter, nor longer than the "
        "bound\n"
        "that they guarantee. Paths of any angle may be shorter, but not shorter than a straight "
        "line. Our\n"
        "own dijkstra replaces the published lengths on hexagons, with links, for random problems, "
        "and for\n"
        "agents other than 8 neighbours, corners never, default terrain. Exits with 1 if any "
        "answer is\n"
        "wrong.\n"
        "\n"
        "With --heuristics every estimate is checked for what it promises of this map and agent: "
        "never more\n"
        "than the least cost (admissible), falling along an edge by no more than it costs "
        "(consistent), rising\n"
        "by no more than it says. With up to 1000 nodes that can be stood on all pairs and edges "
        "are "
        "checked,\n"
        "with more those of 24 random nodes (--seed). Where the whole query decides an estimate, "
        "searches are\n"
        "traced: with up to 500 nodes those of all pairs, with more 24 starts with 24 goals each.\n"
        "\n"
        "Examples:\n"
        "  cairn check maps/rooms-small.txt\n"
        "  cairn check -a astar --every 10 benchmarks/dao\n"
        "  cairn check --heuristics maps/village.txt\n"
        "  cairn check --random 200 --corners always --terrain swamp=3,water=9 maps/village.txt\n",
    .flags = check_flags,
    .flag_count = sizeof check_flags / sizeof check_flags[0],
    .run = check_main,
};
