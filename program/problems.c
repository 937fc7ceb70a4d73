/* problems.c: problems from a MovingAI scenario or from a seed (see problems.h). */
#include "problems.h"

#include "files.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool problems_room(problem_set *set, uint32_t count)
{
    set->items = calloc(count ? count : 1, sizeof *set->items);
    if (!set->items) complain("there is not enough memory for %u problems", count);
    return set->items != NULL;
}

/* How many remain of `count` when every k-th is taken and at most `limit`. */
static uint32_t problems_kept(uint32_t count, const problem_options *options)
{
    uint32_t every = options->every ? options->every : 1;
    uint32_t kept = count / every + (count % every != 0);
    return options->limit && kept > options->limit ? options->limit : kept;
}

/* ---- scenarios ---- */

static int problems_wrong_size(const world *w, const char *name, uint32_t number,
                               const cairn_problem *p)
{
    complain("%s: problem %u was made for a map of %u x %u, but %s has %u x %u", name, number,
             p->width, p->height, w->name, cairn_grid_width(w->grid), cairn_grid_height(w->grid));
    return END_DATA;
}

static int problems_convert(const world *w, const char *name, const cairn_scenario *scenario,
                            const problem_options *options, problem_set *out)
{
    uint32_t count = problems_kept(scenario->count, options),
             every = options->every ? options->every : 1;
    if (!problems_room(out, count)) return END_DATA;
    for (uint32_t i = 0; i < count; i++) {
        const cairn_problem *p = &scenario->problems[(size_t)i * every];
        uint32_t number = i * every + 1;
        if (p->width != cairn_grid_width(w->grid) || p->height != cairn_grid_height(w->grid))
            return problems_wrong_size(w, name, number, p);
        cairn_node from = cairn_grid_node(w->grid, p->from.x, p->from.y);
        cairn_node to = cairn_grid_node(w->grid, p->to.x, p->to.y);
        /* By convention a length of 0 between two places means that there is no path. */
        bool none = out->published && p->length == 0 && from != to;
        out->items[i] = (problem){.number = number,
                                  .from = from,
                                  .to = to,
                                  .length = p->length,
                                  .tolerance = p->tolerance,
                                  .reference = CAIRN_NO_COST,
                                  .expected = none ? CAIRN_UNREACHABLE : CAIRN_FOUND};
    }
    out->count = count;
    return END_OK;
}

/* A pipe of that name would block whoever opens it. */
static bool problems_exists(const char *name)
{
    FILE *stream = files_is_special(name) ? NULL : fopen(name, "rb");
    if (stream) fclose(stream);
    return stream != NULL;
}

/* Are the lengths of a scenario those of this agent in this world? They know neither hexagons nor
 * links. */
static bool problems_lengths_hold(const world *w)
{
    const cairn_profile *profile = cairn_space_profile(w->space);
    return profile_is_movingai(profile) && !(profile->links && cairn_grid_link_count(w->grid));
}

static int problems_read(const world *w, const problem_options *options, problem_set *out)
{
    char beside[4096];
    const char *name = options->scenario;
    if (!w->grid) {
        complain("%s: scenarios are for grids; use --random N on a %s", w->name,
                 world_kind_of(w)->name);
        return END_DATA;
    }
    if (!name) {
        snprintf(beside, sizeof beside, "%s.scen", w->name);
        name = beside;
        if (!problems_exists(name)) {
            complain("%s: there is no scenario %s beside it; use --scen FILE or --random N",
                     w->name, text_base(beside));
            return END_DATA;
        }
    }
    cairn_scenario scenario;
    cairn_error error = {0};
    cairn_status status = cairn_scenario_load(w->context, name, &scenario, &error);
    if (status) {
        error.status = status;
        return world_complain(name, &error);
    }
    out->published = problems_lengths_hold(w);
    int end = problems_convert(w, name, &scenario, options, out);
    cairn_scenario_free(w->context, &scenario);
    return end;
}

/* ---- random problems ---- */

uint64_t problems_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

cairn_node problems_random_node(const world *w, uint64_t *state)
{
    uint64_t count = cairn_space_node_count(w->space);
    for (uint32_t i = 0; i < 100000; i++) {
        cairn_node node = (cairn_node)(((problems_random(state) >> 32) * count) >> 32);
        if (cairn_space_usable(w->space, node)) return node;
    }
    return CAIRN_NO_NODE;
}

static int problems_make(const world *w, const problem_options *options, problem_set *out)
{
    uint64_t state = options->seed;
    uint32_t count = problems_kept(options->random, options),
             every = options->every ? options->every : 1;
    if (!problems_room(out, count)) return END_DATA;
    for (uint32_t i = 0, at = 0; i < options->random && at < count; i++) {
        cairn_node from = problems_random_node(w, &state), to = problems_random_node(w, &state);
        if (from == CAIRN_NO_NODE || to == CAIRN_NO_NODE) {
            complain("%s: too few nodes can be stood on to make random problems", w->name);
            return END_DATA;
        }
        if (i % every == 0)
            out->items[at++] =
                (problem){.number = i + 1, .from = from, .to = to, .reference = CAIRN_NO_COST};
    }
    out->count = count;
    return END_OK;
}

int problems_load(const world *w, const problem_options *options, problem_set *out)
{
    *out = (problem_set){0};
    return options->random ? problems_make(w, options, out) : problems_read(w, options, out);
}

void problems_free(problem_set *set)
{
    free(set->items);
    *set = (problem_set){0};
}
