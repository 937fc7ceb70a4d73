/* heuristics.c: is what estimates promise true of a world? (See heuristics.h.)
 *
 * Three promises are checked (cairn_estimate_facts): that an estimate never exceeds the least cost,
 * by searches of dijkstra from some nodes to all others; and that along an edge it neither falls by
 * more than the edge costs nor rises by more than it says, for some goals at all edges. Where the
 * whole query decides an estimate (hierarchical-astar), the events of some queries show it: the
 * estimate of the start and of all nodes on the path is compared with what the rest of the path
 * costs, and edges between nodes that were seen are checked. In worlds of few nodes "some" is all
 * nodes and all queries. An estimate that leaves nodes out (dead-end) exceeds the least cost if all
 * cheapest paths lead through such nodes: then the path costs too much.
 */
#include "heuristics.h"

#include "interrupt.h"
#include "table.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum {
    CLAIMS_WHOLE = 1000, /* usable nodes up to which all pairs are checked */
    /* The same where the query decides: a traced search for each pair, of 25 to 60 µs. So all of
     * them take up to 15 s; those of 1000 nodes would take a minute or two. */
    CLAIMS_WHOLE_ASKED = 500,
    CLAIMS_SAMPLE = 24,  /* nodes that are chosen elsewhere */
    CLAIMS_QUERIES = 24, /* goals for each of them, where the query decides */
    CLAIMS_EACH = 2,     /* broken promises of a kind that are described */
    CLAIMS_TEXT = 200,
    CLAIMS_BATCH = 16
};

typedef enum claims_kind {
    CLAIMS_COST,
    CLAIMS_LEFT_OUT,
    CLAIMS_FALL,
    CLAIMS_RISE,
    CLAIMS_KINDS
} claims_kind;

enum { CLAIMS_SHOWN = CLAIMS_EACH * CLAIMS_KINDS };

/* The estimates of one algorithm on one map. */
typedef struct claims_row {
    char algorithm[ALGORITHM_SPEC];
    const char *map;
    cairn_estimate_facts facts;
    uint64_t pairs, edges, missed;
    bool whole; /* nothing is left out */
    uint32_t shown, shown_of[CLAIMS_KINDS];
    char misses[CLAIMS_SHOWN][CLAIMS_TEXT];
} claims_row;

typedef struct claims_run {
    const command *self;
    const batch_options *options;
    cairn_context *context;
    claims_row *rows;
    uint32_t count;
} claims_run;

/* What is being checked. */
typedef struct claims_job {
    const world *world;
    const cairn_planner *planner;
    cairn_planner *dijkstra;
    cairn_search *truth, *search; /* dijkstra's; the planner's own if the query decides */
    claims_row *row;
    cairn_node *nodes; /* usable ones */
    uint32_t node_count, chosen;
    cairn_cost *costs; /* by node, from the last start; CAIRN_NO_COST = not reached */
    cairn_cost *seen;  /* by node, the estimates of the last goal; CAIRN_NO_COST = none */
    uint64_t random;
} claims_job;

static int claims_complain(void)
{
    complain("no memory to check estimates");
    return END_DATA;
}

/* ---- what is found ---- */

static void claims_miss(const claims_job *job, claims_kind kind, const cairn_node ends[2],
                        uint64_t estimate, uint64_t limit)
{
    static const char *const texts[] = {"the estimate is %llu, the least cost %llu",
                                        "a path is left out: found %llu, the least cost %llu",
                                        "the estimate falls by %llu, the edge costs %llu",
                                        "the estimate rises by %llu, at most %llu is promised"};
    claims_row *row = job->row;
    char a[WORLD_PLACE], b[WORLD_PLACE], what[CLAIMS_TEXT / 2];
    row->missed++;
    if (row->shown_of[kind]++ >= CLAIMS_EACH) return;
    snprintf(what, sizeof what, texts[kind], (unsigned long long)estimate,
             (unsigned long long)limit);
    snprintf(row->misses[row->shown++], CLAIMS_TEXT, "%s to %s: %s",
             world_place(job->world, ends[0], a), world_place(job->world, ends[1], b), what);
}

static void claims_pair(const claims_job *job, cairn_node from, cairn_node to, cairn_cost estimate,
                        cairn_cost cost)
{
    job->row->pairs++;
    if (job->row->facts.admissible && estimate > cost)
        claims_miss(job, CLAIMS_COST, (const cairn_node[]){from, to}, estimate, cost);
}

/* Links lead anywhere: how far an estimate rises along them is not promised. */
static bool claims_is_step(const claims_job *job, cairn_node a, cairn_node b)
{
    if (!job->world->grid) return true;
    cairn_cell from = cairn_grid_cell(job->world->grid, a),
               to = cairn_grid_cell(job->world->grid, b);
    return abs(from.x - to.x) <= 1 && abs(from.y - to.y) <= 1;
}

/* An edge, with what is estimated at its ends. */
static void claims_edge(const claims_job *job, cairn_node from, const cairn_edge *edge)
{
    const cairn_estimate_facts *facts = &job->row->facts;
    cairn_cost a = job->seen[from], b = job->seen[edge->node];
    if (edge->cost == CAIRN_NO_COST || b == CAIRN_NO_COST) return;
    job->row->edges++;
    const cairn_node ends[] = {from, edge->node};
    if (facts->consistent && a > (uint64_t)b + edge->cost)
        claims_miss(job, CLAIMS_FALL, ends, a - b, edge->cost);
    if (b > a && b - a > facts->rise && claims_is_step(job, from, edge->node))
        claims_miss(job, CLAIMS_RISE, ends, b - a, facts->rise);
}

static void claims_edges(const claims_job *job)
{
    cairn_edge edges[CLAIMS_BATCH];
    for (uint32_t i = 0; i < job->node_count; i++) {
        cairn_node node = job->nodes[i];
        if (job->seen[node] == CAIRN_NO_COST) continue;
        for (uint32_t first = 0, count = CLAIMS_BATCH; count == CLAIMS_BATCH; first += count) {
            count = cairn_space_expand(job->world->space, node, first, edges, CLAIMS_BATCH);
            for (uint32_t k = 0; k < count; k++) claims_edge(job, node, &edges[k]);
        }
    }
}

/* ---- where two nodes decide an estimate ---- */

static void claims_note_cost(void *user, cairn_node node, cairn_cost cost)
{
    ((claims_job *)user)->costs[node] = cost;
}

/* Finds the least costs from a node. */
static void claims_reach(claims_job *job, cairn_node from)
{
    cairn_query query = {.from = from, .goal_kind = CAIRN_GOAL_NONE};
    memset(job->costs, 0xff, cairn_space_node_count(job->world->space) * sizeof *job->costs);
    cairn_search_find(job->truth, &query, NULL);
    cairn_search_reached(job->truth, claims_note_cost, job);
}

static void claims_from(claims_job *job, cairn_node from)
{
    claims_reach(job, from);
    for (uint32_t i = 0; i < job->node_count; i++) {
        cairn_cost estimate;
        if (job->costs[job->nodes[i]] == CAIRN_NO_COST) continue;
        if (cairn_planner_estimate(job->planner, from, job->nodes[i], &estimate) == CAIRN_OK)
            claims_pair(job, from, job->nodes[i], estimate, job->costs[job->nodes[i]]);
    }
}

static void claims_to(claims_job *job, cairn_node to)
{
    for (uint32_t i = 0; i < job->node_count; i++)
        cairn_planner_estimate(job->planner, job->nodes[i], to, &job->seen[job->nodes[i]]);
    claims_edges(job);
}

/* ---- where the query decides it ---- */

static void claims_note_event(void *user, const cairn_event *event)
{
    claims_job *job = user;
    bool estimates = event->kind == CAIRN_EVENT_GENERATE || event->kind == CAIRN_EVENT_EXPAND;
    /* The largest estimate: the search leaves the node out. */
    if (event->level == 0 && estimates && event->h < CAIRN_COST_MAX)
        job->seen[event->node] = event->h;
}

static void claims_query(claims_job *job, cairn_node from, cairn_node to)
{
    cairn_query query = {.from = from, .to = to};
    const cairn_path *path;
    size_t bytes = cairn_space_node_count(job->world->space) * sizeof *job->seen;
    memset(job->seen, 0xff, bytes);
    cairn_status status = cairn_search_find(job->search, &query, &path);
    if (status != CAIRN_FOUND) {
        if (status == CAIRN_UNREACHABLE && job->costs[to] != CAIRN_NO_COST)
            claims_pair(job, from, to, CAIRN_COST_MAX, job->costs[to]);
        return;
    }
    cairn_cost whole = path->cost;
    if (job->row->facts.admissible && whole > job->costs[to])
        claims_miss(job, CLAIMS_LEFT_OUT, (const cairn_node[]){from, to}, whole, job->costs[to]);
    for (uint32_t i = 0; i < path->count; i++) {
        cairn_node node = path->nodes[i];
        if (job->seen[node] == CAIRN_NO_COST || job->costs[node] > whole) continue;
        claims_pair(job, node, to, job->seen[node], whole - job->costs[node]);
    }
    claims_edges(job);
}

static cairn_node claims_random(claims_job *job)
{
    job->random = job->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return job->nodes[((job->random >> 32) * job->node_count) >> 32];
}

static void claims_queries(claims_job *job, cairn_node from)
{
    claims_reach(job, from);
    uint32_t count = job->row->whole ? job->node_count : CLAIMS_QUERIES;
    for (uint32_t i = 0; i < count && !interrupt_came(); i++)
        claims_query(job, from, job->row->whole ? job->nodes[i] : claims_random(job));
}

/* ---- a world ---- */

static void claims_list_nodes(claims_job *job, uint32_t count)
{
    for (cairn_node node = 0; node < count; node++)
        if (cairn_space_usable(job->world->space, node)) job->nodes[job->node_count++] = node;
    uint32_t most = job->row->facts.fixed ? CLAIMS_WHOLE : CLAIMS_WHOLE_ASKED;
    job->row->whole = job->node_count <= most;
    job->chosen = job->row->whole                   ? job->node_count
                  : job->node_count < CLAIMS_SAMPLE ? job->node_count
                                                    : CLAIMS_SAMPLE;
}

static bool claims_prepare(claims_job *job)
{
    uint32_t count = cairn_space_node_count(job->world->space);
    job->nodes = malloc((count + 1u) * sizeof *job->nodes);
    job->costs = malloc((count + 1u) * sizeof *job->costs);
    job->seen = malloc((count + 1u) * sizeof *job->seen);
    if (!job->nodes || !job->costs || !job->seen) return false;
    memset(job->seen, 0xff, count * sizeof *job->seen);
    claims_list_nodes(job, count);
    if (cairn_planner_create(job->world->space, "dijkstra", &job->dijkstra, NULL) != CAIRN_OK ||
        cairn_search_create(job->dijkstra, NULL, &job->truth) != CAIRN_OK)
        return false;
    if (job->row->facts.fixed) return true;
    cairn_trace_sink sink = {.event = claims_note_event, .user = job};
    cairn_planner *planner = (cairn_planner *)(uintptr_t)job->planner;
    if (cairn_search_create(planner, NULL, &job->search) != CAIRN_OK) return false;
    cairn_search_trace(job->search, &sink);
    return true;
}

static int claims_judge(claims_job *job)
{
    if (!claims_prepare(job)) return claims_complain();
    for (uint32_t i = 0; i < job->chosen && !interrupt_came(); i++) {
        cairn_node node = job->row->whole ? job->nodes[i] : claims_random(job);
        if (!job->row->facts.fixed) {
            claims_queries(job, node);
        } else {
            claims_from(job, node);
            claims_to(job, node);
        }
    }
    return END_OK;
}

static void claims_free(claims_job *job)
{
    cairn_search_destroy(job->search);
    cairn_search_destroy(job->truth);
    cairn_planner_destroy(job->dijkstra);
    free(job->nodes);
    free(job->costs);
    free(job->seen);
}

static int claims_planner(claims_run *run, const world *w, const char *spec,
                          const cairn_planner *planner)
{
    claims_row row = {.map = w->name};
    claims_row *rows = realloc(run->rows, (run->count + 1u) * sizeof *rows);
    if (!rows) return claims_complain();
    run->rows = rows;
    snprintf(row.algorithm, sizeof row.algorithm, "%s", spec);
    cairn_planner_estimate_facts(planner, &row.facts);
    claims_row *kept = &run->rows[run->count++];
    *kept = row;
    claims_job job = {
        .world = w, .planner = planner, .row = kept, .random = run->options->problems.seed};
    int end = claims_judge(&job);
    claims_free(&job);
    return end;
}

/* One algorithm. `named`: it was asked for, so it must have estimates. */
static int claims_spec(claims_run *run, const world *w, const index_file *index, const char *spec,
                       bool named)
{
    cairn_planner *planner = NULL;
    cairn_estimate_facts facts;
    index_report report;
    int end = world_planner(run->self, w, spec, !named, &planner);
    if (end || !planner) return end;
    cairn_status status = cairn_planner_estimate_facts(planner, &facts);
    if (status == CAIRN_UNSUPPORTED) {
        if (named) end = complain_usage(run->self, "%s: its estimates cannot be checked", spec);
    } else {
        end = index_prepare(index, planner, spec, &report);
        if (!end) end = claims_planner(run, w, spec, planner);
    }
    cairn_planner_destroy(planner);
    return end;
}

/* ---- all of them ---- */

/* Does a parameter decide what is estimated? */
static bool claims_is_of_estimates(const cairn_parameter *parameter)
{
    static const char *const names[] = {"heuristic", "place", "pick", "estimate"};
    bool found = false;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        found = found || !strcmp(parameter->name, names[i]);
    return found && parameter->type == CAIRN_PARAMETER_CHOICE;
}

/* An algorithm with each value of the parameters that decide what is estimated, one at a time. */
static int claims_settings(claims_run *run, const world *w, const index_file *index,
                           const cairn_algorithm *algorithm)
{
    char spec[ALGORITHM_SPEC];
    int end = claims_spec(run, w, index, algorithm->name, false);
    for (uint32_t i = 0; i < algorithm->parameter_count; i++) {
        const cairn_parameter *parameter = &algorithm->parameters[i];
        if (!claims_is_of_estimates(parameter)) continue;
        for (int64_t k = parameter->minimum; k <= parameter->maximum && !end; k++) {
            if (k == parameter->default_value || interrupt_came()) continue;
            snprintf(spec, sizeof spec, "%s:%s=%s", algorithm->name, parameter->name,
                     parameter->choices[k]);
            end = claims_spec(run, w, index, spec, false);
        }
    }
    return end;
}

/* astar's estimates, and those of every algorithm with an index. */
static int claims_all(claims_run *run, const world *w, const index_file *index)
{
    int end = claims_settings(run, w, index, cairn_algorithm_find("astar", 5));
    for (uint32_t i = 0; i < cairn_algorithm_count() && !end && !interrupt_came(); i++) {
        const cairn_algorithm *algorithm = cairn_algorithm_at(i);
        if (algorithm->flags & CAIRN_NEEDS_INDEX) end = claims_settings(run, w, index, algorithm);
    }
    return end;
}

static int claims_map(claims_run *run, const char *name, const index_file *index,
                      const algorithm_list *algorithms)
{
    world w;
    int end = world_open(run->self, &w, run->context, name, &run->options->profile);
    if (!end && algorithms->all) end = claims_all(run, &w, index);
    for (uint32_t i = 0; !algorithms->all && !end && i < algorithms->count; i++)
        end = claims_spec(run, &w, index, algorithms->specs[i], true);
    world_close(&w);
    return end;
}

/* ---- showing ---- */

static uint64_t claims_missed(const claims_run *run)
{
    uint64_t missed = 0;
    for (uint32_t i = 0; i < run->count; i++) missed += run->rows[i].missed;
    return missed;
}

static void claims_print_json(const claims_run *run)
{
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_list(&j, "rows");
    for (uint32_t i = 0; i < run->count; i++) {
        const claims_row *row = &run->rows[i];
        json_object(&j, NULL);
        json_text(&j, "algorithm", row->algorithm);
        json_text(&j, "map", row->map);
        json_bool(&j, "admissible", row->facts.admissible);
        json_bool(&j, "consistent", row->facts.consistent);
        if (row->facts.rise == UINT64_MAX) {
            json_null(&j, "rise");
        } else {
            json_integer(&j, "rise", (int64_t)row->facts.rise);
        }
        json_integer(&j, "pairs", (int64_t)row->pairs);
        json_integer(&j, "edges", (int64_t)row->edges);
        json_bool(&j, "whole", row->whole);
        json_integer(&j, "missed", (int64_t)row->missed);
        json_array(&j, "misses");
        for (uint32_t k = 0; k < row->shown; k++) json_text(&j, NULL, row->misses[k]);
        json_end(&j);
        json_end(&j);
    }
    json_end(&j);
    json_integer(&j, "missed", (int64_t)claims_missed(run));
    json_bool(&j, "ok", claims_missed(run) == 0);
    json_end(&j);
}

static void claims_print_table(const claims_run *run)
{
    static const char *const headings[] = {"estimate",   "map",     "admissible",
                                           "consistent", ">rise",   ">pairs",
                                           ">edges",     "checked", ">missed"};
    table t = table_with(headings, 9);
    char text[TEXT_SHORT];
    for (uint32_t i = 0; i < run->count; i++) {
        const claims_row *row = &run->rows[i];
        table_add(&t, "%s", row->algorithm);
        table_add(&t, "%s", text_base(row->map));
        table_add(&t, "%s", row->facts.admissible ? "yes" : "-");
        table_add(&t, "%s", row->facts.consistent ? "yes" : "-");
        if (row->facts.rise == UINT64_MAX) {
            table_add(&t, "any");
        } else {
            table_add(&t, "%llu", (unsigned long long)row->facts.rise);
        }
        table_add(&t, "%s", text_count(row->pairs, text));
        table_add(&t, "%s", text_count(row->edges, text));
        table_add(&t, "%s", row->whole ? "all" : "a sample");
        table_add(&t, "%s", text_count(row->missed, text));
    }
    table_print(&t);
    for (uint32_t i = 0; i < run->count; i++) {
        const claims_row *row = &run->rows[i];
        if (row->missed) say("\n%s on %s breaks its promise:\n", row->algorithm, row->map);
        for (uint32_t k = 0; k < row->shown; k++) say("  %s\n", row->misses[k]);
        if (row->missed > row->shown)
            printf("  … and %s more\n", text_count(row->missed - row->shown, text));
    }
    printf("\n%s\n", claims_missed(run) ? "promises are broken" : "all that is promised holds");
}

int heuristics_check(const command *self, const batch_options *options, bool as_json, int argc,
                     char **argv)
{
    claims_run run = {.self = self, .options = options};
    algorithm_list *algorithms = calloc(1, sizeof *algorithms);
    world_list maps = {0};
    index_file index = {0};
    int end = END_DATA;
    if (!algorithms) return claims_complain();
    if (!argc)
        end = complain_count(self, "at least one map", argc, "--heuristics maps/rooms-small.txt");
    else
        end = algorithms_from(self, &options->algorithms, algorithms);
    if (!end && !world_list_of(argv, argc, &maps)) end = END_DATA;
    if (!end && options->index && maps.count > 1)
        end = complain_usage(self, "--index: expected one map, got %u", maps.count);
    if (!end) {
        run.context = world_context(1);
        end = run.context ? index_open(&index, run.context, options->index) : END_DATA;
    }
    interrupt_catch();
    for (uint32_t i = 0; !end && i < maps.count && !interrupt_came(); i++)
        end = claims_map(&run, maps.names[i], &index, algorithms);
    if (!end && interrupt_came()) end = END_INTERRUPTED;
    if (!end || end == END_INTERRUPTED) (as_json ? claims_print_json : claims_print_table)(&run);
    if (!end && claims_missed(&run)) end = END_NO;
    free(run.rows);
    free(algorithms);
    index_close(&index);
    cairn_context_destroy(run.context);
    world_list_free(&maps);
    return end;
}
