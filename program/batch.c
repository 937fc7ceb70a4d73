/* batch.c: maps × algorithms (see batch.h). Worlds are loaded one at a time. */
#include "batch.h"

#include "interrupt.h"
#include "text.h"

int batch_open(batch *b, const command *self, const batch_options *options, int argc, char **argv)
{
    *b = (batch){.self = self, .options = options};
    if (!argc) return complain_count(self, "at least one map", argc, "maps/village.txt");
    int end = algorithms_from(self, &options->algorithms, &b->algorithms);
    if (end) return end;
    if (options->problems.scenario && options->problems.random)
        return complain_usage(self, "--scen and --random exclude each other");
    if (!world_list_of(argv, argc, &b->maps)) return END_DATA;
    if (options->problems.scenario && b->maps.count > 1)
        return complain_usage(self, "--scen: expected one map, got %u", b->maps.count);
    if (options->index && b->maps.count > 1)
        return complain_usage(self, "--index: expected one map, got %u", b->maps.count);
    b->context = world_context(options->threads);
    return b->context ? index_open(&b->index, b->context, options->index) : END_DATA;
}

/* "[3/73] arena2.map: astar" */
static void batch_label(const batch *b, const world *w, const char *spec, char *out, size_t size)
{
    char which[32] = "";
    if (b->maps.count > 1) snprintf(which, sizeof which, "[%u/%u] ", b->map + 1, b->maps.count);
    snprintf(out, size, "%s%.36s: %.24s", which, text_base(w->name), spec);
}

static int batch_algorithm(const batch *b, const world *w, const problem_set *set, const char *spec,
                           batch_visit *visit, void *user)
{
    batch_item item = {.batch = b, .world = w, .set = set, .spec = spec};
    batch_label(b, w, spec, item.label, sizeof item.label);
    int end = world_planner(b->self, w, spec, b->algorithms.all, &item.planner);
    if (end || !item.planner) return end;
    end = index_prepare(&b->index, item.planner, item.label, &item.index);
    if (!end) end = visit(user, &item);
    cairn_planner_destroy(item.planner);
    return end;
}

static int batch_map(const batch *b, const char *name, batch_visit *visit, void *user)
{
    world w;
    problem_set set = {0};
    int end = world_open(b->self, &w, b->context, name, &b->options->profile);
    if (!end) end = problems_load(&w, &b->options->problems, &set);
    if (!end) end = measure_references(b->self, &w, &set, b->options->threads);
    for (uint32_t i = 0; !end && i < b->algorithms.count; i++)
        end = batch_algorithm(b, &w, &set, b->algorithms.specs[i], visit, user);
    problems_free(&set);
    world_close(&w);
    return end;
}

int batch_each(batch *b, batch_visit *visit, void *user)
{
    int end = END_OK;
    interrupt_catch();
    for (b->map = 0; !end && b->map < b->maps.count; b->map++)
        end = batch_map(b, b->maps.names[b->map], visit, user);
    if (!interrupt_came()) return end;
    complain("note: interrupted: only what was finished is shown");
    return END_INTERRUPTED;
}

void batch_close(batch *b)
{
    index_close(&b->index);
    cairn_context_destroy(b->context);
    world_list_free(&b->maps);
    b->context = NULL;
}
