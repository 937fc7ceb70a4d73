/* advise_settings.c: what a game does with the choice (see advise.h): the settings as a scenario of
 * `cairn simulate`, one option a line; and who `auto` would be for the same needs.
 */
#include "advise.h"

#include "files.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SETTINGS_GOALS = 1000, /* more than an agent reaches */
    SETTINGS_SECONDS = 60, /* that a simulation takes */
    SETTINGS_SEARCHES = 4, /* at a time */
    SETTINGS_LIFE = 2,     /* seconds after which a square opens again, about */
    SETTINGS_AHEAD = 16    /* steps before an agent where it closes ... */
};
#define SETTINGS_SHARE 50 /* ... in so many of a hundred edits */

/* ---- auto ---- */

/* Adds the parameters of a planner that are not the default ones. */
static void settings_add_parameters(const cairn_planner *planner, char out[ALGORITHM_SPEC])
{
    const cairn_algorithm *a = cairn_planner_algorithm(planner);
    for (uint32_t i = 0; i < a->parameter_count; i++) {
        const cairn_parameter *p = &a->parameters[i];
        int64_t value = cairn_planner_parameter(planner, i);
        size_t used = strlen(out);
        if (value == p->default_value) continue;
        int size = (int)(ALGORITHM_SPEC - used);
        char sign = strchr(out, ':') ? ',' : ':';
        if (p->type == CAIRN_PARAMETER_CHOICE)
            snprintf(out + used, (size_t)size, "%c%s=%s", sign, p->name, p->choices[value]);
        else
            snprintf(out + used, (size_t)size, "%c%s=%.10g", sign, p->name,
                     (double)value / (p->type == CAIRN_PARAMETER_NUMBER ? 256 : 1));
    }
}

int advise_auto(const command *self, advise_run *run)
{
    const advise_needs *needs = run->needs;
    double memory = needs->bytes / 1024;
    cairn_planner *planner;
    snprintf(run->asked, sizeof run->asked, "auto:memory=%.0f,changes=%d,optimal=%d",
             memory < INT32_MAX ? memory : INT32_MAX, needs->edits > 0,
             needs->longer < ADVISE_SOME_PERCENT);
    int end = world_planner(self, run->world, run->asked, false, &planner);
    if (end) return end;
    snprintf(run->taken, sizeof run->taken, "%s", cairn_planner_algorithm(planner)->name);
    settings_add_parameters(planner, run->taken);
    cairn_planner_destroy(planner);
    return END_OK;
}

/* ---- settings ---- */

/* What is left for the service: the index is not its own. */
static uint32_t settings_memory(const advise_run *run, const advise_candidate *c)
{
    double left = (run->needs->bytes - (double)c->index_bytes) / 1024;
    return left < 1 ? 1 : (uint32_t)left;
}

/* Half of the memory is for searches: as many at a time as have twice what the largest one took,
 * since they take more while the world changes. */
static void settings_write_memory(const advise_run *run, const advise_candidate *c, FILE *out)
{
    uint32_t memory = settings_memory(run, c), searches = SETTINGS_SEARCHES;
    while (searches > 1 && memory / 2.0 / searches < 2 * c->bytes.most / 1024) searches /= 2;
    uint32_t each = memory / 2 / searches;
    fprintf(out, "memory %u\nsearches %u\nsearch-memory %u\n", memory, searches, each ? each : 1);
}

/* Every second edit closes a square, the others open it again: half of the time between two that
 * close lies between an edit and the next. */
static void settings_write_edits(const advise_needs *n, FILE *out)
{
    double every = floor(2 * n->frames / n->edits + 0.5);
    if (every < 1) every = 1;
    fprintf(out, "edits %.0f\nedit-size %u\nedit-ahead %d\nedit-share %d\nedit-life %.0f\n", every,
            n->side, SETTINGS_AHEAD, SETTINGS_SHARE, SETTINGS_LIFE * n->frames + floor(every / 2));
}

void advise_write_settings(const advise_run *run, FILE *out)
{
    const advise_needs *n = run->needs;
    const advise_candidate *c = &run->all[run->chosen];
    fprintf(out,
            "# What `cairn advise` recommends for %s. Try it:\n"
            "#     cairn simulate MAP --scenario FILE\n"
            "algorithm %s\nservice\nagents %u\ngoals %d\nturns %u\nfps %u\nspeed %u\nbudget %.0f\n"
            "shortcuts never\nprocessor-time\n",
            text_base(run->world->name), c->spec, n->agents, SETTINGS_GOALS,
            n->frames * SETTINGS_SECONDS, n->frames, n->speed, n->budget_us);
    if (c->piece) fprintf(out, "piece %u\n", c->piece);
    settings_write_memory(run, c, out);
    if (n->edits > 0) settings_write_edits(n, out);
}
