/* cmd_advise.c: `cairn advise`: which algorithm suits this game, measured on its own map. */
#define _POSIX_C_SOURCE 200809L
#include "advise.h"

#include "files.h"
#include "interrupt.h"
#include "pen.h"
#include "simulate.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct advise_options {
    const char *preset, *svg, *png, *save;
    uint32_t agents, requests, speed, edits, side, frames, budget, memory, longer, seconds, seed;
    arg_texts algorithms;
    profile_options profile;
    bool all, json;
} advise_options;

/* What games of a kind have to give. Memory for pathfinding: T 479 (consoles 2 to 3 MB, a console
 * shooter 1 MB, Brutal Legend 6 MB) and T 800 (a PC 24 MB). Frames: T 461. */
typedef struct advise_preset {
    const char *name;
    uint32_t agents, edits, frames, budget, memory;
} advise_preset;

static const advise_preset advise_presets[] = {
    {"pc", 200, 0, 60, 1000, 24 * 1024},
    {"console", 50, 0, 30, 2000, 2 * 1024},
    {"shooter", 20, 0, 60, 500, 1024},
    {"strategy", 1000, 10, 30, 2000, 6 * 1024},
};
enum { ADVISE_PRESETS = sizeof advise_presets / sizeof *advise_presets };

enum {
    ADVISE_SPEED = 8,
    ADVISE_SIDE = 16,
    ADVISE_SIDE_MAX = 256,
    ADVISE_PERCENT = 10,
    ADVISE_SECONDS = 20,
    ADVISE_WAIT = 4 /* seconds between two paths of an agent, if --requests does not say */
};
enum { ADVISE_LABEL = ALGORITHM_SPEC + 16 };
#define ADVISE_NOTHING 0.05 /* per cent: less would be printed as none */

#define ADVISE_COUNT(name, value, help, member, least, most) \
    FLAG_COUNT(name, value, help, offsetof(advise_options, member), least, most)

static const arg_flag advise_flags[] = {
    FLAG_TEXT("preset", "GAME", "pc, console, shooter or strategy: see below (pc)",
              offsetof(advise_options, preset)),
    ADVISE_COUNT("agents", "N", "agents that have a path at the same time (200)", agents, 1,
                 1000000),
    ADVISE_COUNT("requests", "N", "paths asked for in a second, by all of them (agents / 4)",
                 requests, 1, 10000000),
    ADVISE_COUNT("speed", "N", "cells that an agent walks in a second (8)", speed, 1, 1000),
    ADVISE_COUNT("edits", "N", "edits of the map in a second: squares that close or open (0)",
                 edits, 0, 1000000),
    ADVISE_COUNT("edit-size", "N", "cells that a side of the edited square has (16)", side, 1,
                 ADVISE_SIDE_MAX),
    ADVISE_COUNT("fps", "N", "frames in a second (60)", frames, 1, 1000),
    ADVISE_COUNT("budget", "US", "microseconds of a frame for paths and repairs (1000)", budget, 1,
                 1000000),
    ADVISE_COUNT("memory", "KB",
                 "for index, searches and paths; the world itself is not counted (24576)", memory,
                 1, 1u << 30),
    ADVISE_COUNT("longer", "PERCENT", "paths may be so much longer than the best, on average (10)",
                 longer, 0, 10000),
    ADVISE_COUNT("seconds", "S", "processor time that measuring may take, roughly (20)", seconds, 1,
                 100000),
    ADVISE_COUNT("seed", "S", "of the sampled problems and edits (1)", seed, 0, UINT32_MAX),
    FLAG_ALGORITHM(ARG_TEXTS, "ALG,…", "the candidates (all that may suit)",
                   offsetof(advise_options, algorithms)),
    FLAG_SWITCH("all", "measure every candidate to the end, however long that takes",
                offsetof(advise_options, all)),
    FLAG_OUTPUT("svg", 0, "FILE", "a chart: time against memory", offsetof(advise_options, svg)),
    FLAG_OUTPUT("png", 0, "FILE", "the same as PNG", offsetof(advise_options, png)),
    FLAG_OUTPUT("save", 0, "FILE", "the choice and its settings, for `cairn simulate --scenario`",
                offsetof(advise_options, save)),
    PROFILE_FLAGS(advise_options, profile),
    FLAG_MAX_CELLS,
    FLAG_JSON(advise_options, json),
};

/* ---- needs ---- */

static int advise_preset_of(const command *self, const char *name, const advise_preset **out)
{
    const char *near = NULL;
    *out = &advise_presets[0];
    if (!name) return END_OK;
    for (uint32_t i = 0; i < ADVISE_PRESETS; i++) {
        *out = &advise_presets[i];
        if (!strcmp(name, (*out)->name)) return END_OK;
        near = text_nearer(name, near, (*out)->name);
    }
    return near ? complain_usage(self, "--preset: there is no \"%s\"; did you mean %s?", name, near)
                : complain_usage(self,
                                 "--preset: expected pc, console, shooter or strategy, not "
                                 "\"%s\"",
                                 name);
}

static advise_needs advise_needs_of(const advise_options *o, const advise_preset *preset)
{
    advise_needs needs = {.agents = o->agents ? o->agents : preset->agents,
                          .edits = o->edits != UINT32_MAX ? o->edits : preset->edits,
                          .speed = o->speed,
                          .side = o->side,
                          .frames = o->frames ? o->frames : preset->frames,
                          .budget_us = o->budget ? o->budget : preset->budget,
                          .bytes = 1024.0 * (o->memory ? o->memory : preset->memory),
                          .longer = o->longer};
    needs.requests = o->requests ? o->requests : (double)needs.agents / ADVISE_WAIT;
    return needs;
}

/* ---- telling ---- */

static double advise_mean(const statistic *s)
{
    return s->count ? statistic_mean(s) : NAN;
}

/* The chosen one, then those that obey, then the others; the least time of a frame first. */
static int advise_rank(const advise_candidate *c)
{
    return c->fault ? 2 : c->dropped;
}

static int advise_before(const void *a, const void *b)
{
    const advise_candidate *x = *(const advise_candidate *const *)a,
                           *y = *(const advise_candidate *const *)b;
    int ranks = advise_rank(x) - advise_rank(y);
    if (ranks) return ranks;
    if (!x->solved != !y->solved) return !x->solved - !y->solved;
    if (x->frame_us != y->frame_us) return x->frame_us < y->frame_us ? -1 : 1;
    return (x > y) - (x < y); /* in the order of the registry */
}

static const char *advise_time(double us, char out[TEXT_SHORT])
{
    if (!isfinite(us)) return snprintf(out, TEXT_SHORT, "-"), out;
    return text_duration(us, out);
}

static const char *advise_bytes(double bytes, char out[TEXT_SHORT])
{
    if (!isfinite(bytes)) return snprintf(out, TEXT_SHORT, "-"), out;
    return text_bytes((uint64_t)bytes, out);
}

/* Behind its name. */
static const char *advise_form_name(const advise_candidate *c)
{
    return c->piece ? " in pieces" : "";
}

static void advise_print_row(const advise_run *run, const advise_candidate *c, table *t)
{
    char a[TEXT_SHORT], reason[ADVISE_TEXT];
    bool chosen = run->chosen < run->count && c == &run->all[run->chosen];
    table_add(t, "%s%s%s", c->spec, advise_form_name(c),
              chosen                    ? " <"
              : advise_on_front(run, c) ? " *"
                                        : "");
    table_add(t, "%s", advise_time(c->solved ? c->frame_us : NAN, a));
    table_add(t, "%s", advise_time(advise_mean(&c->time_us), a));
    table_add(t, "%s", advise_time(c->time_us.count ? c->time_us.most : NAN, a));
    table_add(t, "%s", advise_time(advise_mean(&c->first_us), a));
    table_add(t, "%s", advise_time(c->index ? advise_mean(&c->repair_us) : NAN, a));
    table_add(t, "%s", advise_bytes(c->solved ? c->memory : NAN, a));
    table_add(t, "%s", advise_bytes(c->index ? (double)c->index_bytes : NAN, a));
    if (c->solved)
        table_add(t, "%.1f %%", c->percent);
    else
        table_add(t, "-");
    table_add(t, "%u", c->solved);
    table_add(t, "%s", advise_reason(run, c, reason));
}

static bool advise_print_table(const advise_run *run)
{
    static const char *const headings[] = {"algorithm",    ">per frame", ">per path", ">worst path",
                                           ">first piece", ">repair",    ">memory",   ">index",
                                           ">longer",      ">problems",  "verdict"};
    const advise_candidate *order[ADVISE_CANDIDATES];
    for (uint32_t i = 0; i < run->count; i++) order[i] = &run->all[i];
    qsort(order, run->count, sizeof *order, advise_before);
    table t = table_with(headings, sizeof headings / sizeof *headings);
    for (uint32_t i = 0; i < run->count; i++) advise_print_row(run, order[i], &t);
    return table_print(&t);
}

static void advise_say_needs(const advise_run *run)
{
    const advise_needs *n = run->needs;
    char a[TEXT_SHORT], b[TEXT_SHORT], c[TEXT_SHORT], d[TEXT_SHORT];
    say("%s: %s agents, %s paths", text_base(run->world->name), text_count(n->agents, a),
        text_number(n->requests, b));
    if (n->edits > 0)
        say(" and %s edits of %u x %u cells", text_number(n->edits, a), n->side, n->side);
    if (n->edits > 0) say(" a second; each agent walks %u cells", n->speed);
    say(" a second; %u frames a second, with %s in each for paths and repairs; %s of memory; paths "
        "at most %s %% longer than the best\n\n",
        n->frames, text_duration(n->budget_us, b), text_bytes((uint64_t)n->bytes, c),
        text_number(n->longer, d));
}

/* The cheapest of those that obey beside the chosen one. */
static const advise_candidate *advise_second(const advise_run *run)
{
    const advise_candidate *best = NULL;
    for (uint32_t i = 0; i < run->count; i++) {
        const advise_candidate *c = &run->all[i];
        if (i == run->chosen || c->fault) continue;
        if (!best || c->frame_us < best->frame_us) best = c;
    }
    return best;
}

/* The fastest candidate that is out, which a reader would ask about. */
static const advise_candidate *advise_missed(const advise_run *run)
{
    const advise_candidate *best = NULL;
    for (uint32_t i = 0; i < run->count; i++) {
        const advise_candidate *c = &run->all[i];
        if (!c->fault || !c->solved || c->fault == ADVISE_FAILED) continue;
        if (!best || c->frame_us < best->frame_us) best = c;
    }
    return best;
}

static void advise_say_choice(const advise_run *run)
{
    const advise_candidate *c = &run->all[run->chosen], *other = advise_second(run);
    char a[TEXT_SHORT], b[TEXT_SHORT], reason[ADVISE_TEXT];
    say("Use %s", c->spec);
    if (c->piece) printf(", and ask for pieces of %u steps", c->piece);
    say(". It takes %s of each frame on average and %s of memory, and its paths are ",
        text_duration(c->frame_us, a), text_bytes((uint64_t)c->memory, b));
    if (c->percent < ADVISE_NOTHING)
        say("the shortest.\n");
    else
        say("%.1f %% longer than the best.\n", c->percent);
    if (c->piece)
        say("Whole paths of it would take %s of each frame.\n",
            text_duration(c->whole.frame_us, a));
    if (c->index)
        say("Its index takes %s, and %s to build.\n", text_bytes(c->index_bytes, a),
            text_duration(c->build_us, b));
    if (other) {
        double ratio = other->frame_us / c->frame_us;
        say("%s%s would do, too, with %s times the time and %s times the memory.\n", other->spec,
            advise_form_name(other), text_number(ratio, a),
            text_number(other->memory / c->memory, b));
    }
    other = advise_missed(run);
    if (other && other->frame_us < c->frame_us)
        say("%s%s would be faster, but %s.\n", other->spec, advise_form_name(other),
            advise_reason(run, other, reason));
}

static void advise_say_none(const advise_run *run)
{
    const advise_candidate *c = advise_missed(run);
    char reason[ADVISE_TEXT];
    printf("No candidate meets all limits.\n");
    if (c)
        say("The fastest is %s%s, but it %s.\n", c->spec, advise_form_name(c),
            advise_reason(run, c, reason));
}

/* What edits do, whatever the algorithm. */
static void advise_say_edits(const advise_run *run)
{
    const advise_edits *e = &run->edited;
    char a[TEXT_SHORT], b[TEXT_SHORT], c[TEXT_SHORT];
    if (!e->commit_us.count) return;
    if (e->piece)
        printf("in pieces: the next %u steps or more at a time, where that takes less of a frame "
               "than whole paths.\n",
               e->piece);
    printf(
        "Each edit takes %s to commit, whatever the algorithm. If agents have whole paths, edits "
        "break %s of them in\n"
        "a second, and these are searched again. To watch 100 steps of a path takes %s.\n",
        text_duration(statistic_mean(&e->commit_us), a), text_number(advise_broken(run, 0), b),
        text_duration(100 * e->follow_us, c));
}

static bool advise_print_text(const advise_run *run)
{
    char a[TEXT_SHORT], b[TEXT_SHORT];
    advise_say_needs(run);
    if (!advise_print_table(run)) return false;
    printf(
        "\n< marks the choice, * all that no other beats in time, memory and length at once.\n"
        "per frame: for paths and edits, on average. per path, worst path: one search for all of "
        "it. first piece: until\n"
        "an agent can set off. repair: of the index, after an edit. memory: index, a search, and "
        "a path for each agent.\n"
        "longer: than the best path, on average. problems: paths that were measured.\n");
    advise_say_edits(run);
    printf("The world itself takes another %s of memory. All this was measured in %s.\n\n",
           text_bytes(world_bytes(run->world), a), text_duration(run->spent_us, b));
    if (run->chosen < run->count)
        advise_say_choice(run);
    else
        advise_say_none(run);
    printf("Without measuring, %s would take %s.\n", run->asked, run->taken);
    return true;
}

/* ---- JSON ---- */

static void advise_json_needs(const advise_needs *n, json *j)
{
    json_object(j, "needs");
    json_integer(j, "agents", n->agents);
    json_number(j, "requests_per_second", n->requests);
    json_number(j, "edits_per_second", n->edits);
    json_integer(j, "edit_size", n->side);
    json_integer(j, "steps_per_second", n->speed);
    json_integer(j, "frames_per_second", n->frames);
    json_number(j, "budget_us", n->budget_us);
    json_number(j, "memory_bytes", n->bytes);
    json_number(j, "longer_percent", n->longer);
    json_end(j);
}

/* NAN where nobody asks for this form. */
static void advise_json_form(const char *name, const advise_form *form, bool asked, json *j)
{
    json_object(j, name);
    json_number(j, "frame_us", asked ? form->frame_us : NAN);
    json_number(j, "searches_per_second", asked ? form->searches : NAN);
    json_number(j, "broken_per_second", asked ? form->broken : NAN);
    json_number(j, "answer_us_mean", asked ? form->each_us : NAN);
    json_number(j, "suboptimality_mean", asked ? form->longer / 100 : NAN);
    json_end(j);
}

static void advise_json_candidate(const advise_run *run, const advise_candidate *c, json *j)
{
    char reason[ADVISE_TEXT];
    json_object(j, NULL);
    json_text(j, "algorithm", c->spec);
    json_bool(j, "obeys", !c->fault);
    json_text(j, "verdict", advise_fault_name(c->fault));
    json_text(j, "reason", advise_reason(run, c, reason));
    json_bool(j, "front", advise_on_front(run, c));
    json_bool(j, "slices", c->slices);
    json_integer(j, "problems", c->solved + c->failed + c->delegated);
    json_integer(j, "solved", c->solved);
    json_integer(j, "delegated", c->delegated);
    json_integer(j, "piece", c->piece);
    json_number(j, "frame_us", c->solved ? c->frame_us : NAN);
    json_number(j, "memory_bytes", c->solved ? c->memory : NAN);
    json_number(j, "time_us_mean", advise_mean(&c->time_us));
    json_number(j, "time_us_deviation", c->time_us.count ? statistic_deviation(&c->time_us) : NAN);
    json_number(j, "time_us_max", c->time_us.count ? c->time_us.most : NAN);
    json_number(j, "first_move_us_mean", advise_mean(&c->first_us));
    json_number(j, "steps_mean", advise_mean(&c->steps));
    json_number(j, "rest_us_mean", advise_mean(&c->rest_us));
    json_number(j, "pieces_mean", advise_mean(&c->pieces_count));
    json_number(j, "pieces_us_mean", advise_mean(&c->pieces_us));
    json_number(j, "suboptimality_mean", advise_mean(&c->longer) / 100);
    json_number(j, "suboptimality_max", c->longer.count ? c->longer.most / 100 : NAN);
    json_number(j, "search_bytes_mean", advise_mean(&c->bytes));
    json_number(j, "search_bytes_deviation", c->bytes.count ? statistic_deviation(&c->bytes) : NAN);
    json_number(j, "search_bytes_max", c->bytes.count ? c->bytes.most : NAN);
    json_number(j, "path_bytes_mean", advise_mean(&c->path_bytes));
    json_number(j, "index_bytes", c->index ? (double)c->index_bytes : NAN);
    json_number(j, "index_build_ms", c->index ? c->build_us / 1e3 : NAN);
    json_number(j, "repair_us_mean", c->index ? advise_mean(&c->repair_us) : NAN);
    json_number(j, "repair_us_max", c->index && c->repair_us.count ? c->repair_us.most : NAN);
    advise_json_form("whole", &c->whole, c->solved, j);
    advise_json_form("in_pieces", &c->in_pieces, c->solved && c->pieces && c->pieces_us.count, j);
    json_end(j);
}

static void advise_print_json(const advise_run *run)
{
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "map", run->world->name);
    advise_json_needs(run->needs, &j);
    json_text(&j, "recommended", run->chosen < run->count ? run->all[run->chosen].spec : NULL);
    json_integer(&j, "piece", run->chosen < run->count ? run->all[run->chosen].piece : 0);
    json_text(&j, "auto", run->taken);
    json_integer(&j, "world_bytes", (int64_t)world_bytes(run->world));
    json_number(&j, "commit_us_mean", advise_mean(&run->edited.commit_us));
    json_number(&j, "follow_us_per_step", run->edited.follow_us);
    json_number(&j, "seconds", run->spent_us / 1e6);
    json_list(&j, "candidates");
    for (uint32_t i = 0; i < run->count; i++) advise_json_candidate(run, &run->all[i], &j);
    json_end(&j);
    json_end(&j);
}

/* ---- the chart ---- */

/* Which of the sizes of squares: how much longer than the best its paths are. */
static uint32_t advise_size(const advise_candidate *c)
{
    double longer = c->percent;
    return longer < ADVISE_NOTHING ? 1 : longer < 3 ? 2 : longer < 10 ? 3 : 4;
}

static int advise_draw(const advise_run *run, const char *name, bool png)
{
    static const uint32_t colours[] = {0x2a9d4a, 0x3366aa, 0xaaaaaa};
    static const char *const families[] = {"meets all limits", "meets them, but is much slower",
                                           "does not"};
    reproduce_point points[ADVISE_CANDIDATES];
    char labels[ADVISE_CANDIDATES][ADVISE_LABEL];
    char title[160];
    cairn_file file = {0};
    if (!name) return END_OK;
    reproduce_scatter scatter = {
        .title = title,
        .across = "microseconds of a frame, on average",
        .up = "KB of index, searches and paths",
        .points = points,
        .least = 1,
        .sizes = {"the best paths", "less than 3 % longer", "less than 10 %", "more"}};
    snprintf(title, sizeof title, "Candidates on %.60s", text_base(run->world->name));
    for (uint32_t i = 0; i < 3 * run->count; i++) { /* in the order of the legend */
        const advise_candidate *c = &run->all[i % run->count];
        int rank = advise_rank(c);
        if (!c->solved || rank != (int)(i / run->count)) continue;
        char *label = labels[scatter.count];
        snprintf(label, ADVISE_LABEL, "%s%s", c->spec, advise_form_name(c));
        points[scatter.count++] = (reproduce_point){.family = families[rank],
                                                    .label = label,
                                                    .x = c->frame_us,
                                                    .y = c->memory / 1024,
                                                    .colour = colours[rank],
                                                    .size = advise_size(c)};
    }
    FILE *out = open_memstream(&file.data, &file.size);
    bool ok = out && reproduce_plot_front(&scatter, png, out);
    ok = out && !fclose(out) && ok;
    if (!ok) complain("%s: the chart could not be drawn", name);
    int end = ok ? files_put(name, file) : END_DATA;
    free(file.data);
    return end;
}

/* ---- settings ---- */

/* With the profile as it was given. */
static int advise_save(const command *self, const advise_options *o, const advise_run *run)
{
    const advise_options given = {.profile = o->profile};
    cairn_file file = {0};
    if (!o->save) return END_OK;
    FILE *out = open_memstream(&file.data, &file.size);
    if (out) advise_write_settings(run, out);
    if (out) args_write_lines(self, &given, out);
    bool ok = out && !fclose(out);
    if (!ok) complain("%s: there is not enough memory for the settings", o->save);
    int end = ok ? files_put(o->save, file) : END_DATA;
    free(file.data);
    return end;
}

/* ---- the command ---- */

static int advise_check(const command *self, const advise_options *o, const char *map)
{
    const file_use files[] = {{"world", map, false},
                              {"--svg", o->svg, true},
                              {"--png", o->png, true},
                              {"--save", o->save, true}};
    int end = files_check(self, files, sizeof files / sizeof *files);
    if (!end && o->png && !pen_has_png())
        end = complain_usage(self, "--png: this program was built without PNG (--svg needs none)");
    return end;
}

/* What `cairn simulate` would refuse. */
static int advise_check_save(const command *self, const advise_needs *needs)
{
    if (needs->speed > needs->frames)
        return complain_usage(self,
                              "--save: --speed %u needs more frames in a second than --fps %u",
                              needs->speed, needs->frames);
    if (needs->agents > SIMULATE_AGENTS_MAX)
        return complain_usage(self, "--save: a simulation has at most %d agents, not %u",
                              SIMULATE_AGENTS_MAX, needs->agents);
    return END_OK;
}

static int advise_go(const command *self, const advise_options *o, const world *w,
                     const advise_needs *needs, const algorithm_list *algorithms)
{
    advise_run *run = calloc(1, sizeof *run);
    if (!run) return complain("there is not enough memory to begin"), END_DATA;
    *run = (advise_run){.world = w,
                        .needs = needs,
                        .random = o->seed,
                        .seconds = o->seconds,
                        .thorough = o->all,
                        .chosen = ADVISE_CANDIDATES};
    interrupt_catch();
    int end = advise_measure(self, run, algorithms);
    if (!end) end = advise_draw(run, o->svg, false);
    if (!end) end = advise_draw(run, o->png, true);
    if (!end) end = advise_auto(self, run);
    if (!end && run->chosen < run->count) end = advise_save(self, o, run);
    if (!end && o->json) advise_print_json(run);
    if (!end && !o->json && !advise_print_text(run)) end = END_DATA;
    if (!end && run->chosen >= run->count) end = END_NO;
    advise_free(run);
    free(run);
    return end;
}

static int advise_main(const command *self, int argc, char **argv)
{
    advise_options o = {.speed = ADVISE_SPEED,
                        .side = ADVISE_SIDE,
                        .longer = ADVISE_PERCENT,
                        .seconds = ADVISE_SECONDS,
                        .edits = UINT32_MAX,
                        .seed = 1};
    args_result parsed = args_parse(self, &argc, argv, &o);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    if (argc != 1) return complain_count(self, "one world", argc, "maps/rooms.map");
    const advise_preset *preset;
    algorithm_list algorithms;
    int end = advise_preset_of(self, o.preset, &preset);
    if (!end) end = algorithms_from(self, &o.algorithms, &algorithms);
    if (!end) end = advise_check(self, &o, argv[0]);
    if (end) return end;
    cairn_context *context = world_context(1);
    if (!context) return END_DATA;
    world w;
    advise_needs needs = advise_needs_of(&o, preset);
    end = world_open(self, &w, context, argv[0], &o.profile);
    if (!end && o.save) end = advise_check_save(self, &needs);
    if (!end && o.save && !w.grid) end = world_complain_no_grid(self, &w, "--save");
    if (!end && needs.edits > 0 && !w.grid) {
        end = o.edits != UINT32_MAX ? world_complain_no_grid(self, &w, "--edits") : END_OK;
        needs.edits = 0;
    }
    if (!end) end = advise_go(self, &o, &w, &needs, &algorithms);
    world_close(&w);
    cairn_context_destroy(context);
    return end;
}

const command command_advise = {
    .name = "advise",
    .summary = "Recommend an algorithm for a map and a game",
    .synopsis = "WORLD [options]",
    .details =
        "WORLD is " WORLD_KINDS ".\n"
        "Every algorithm that may suit is measured on it, with sampled problems and edits. Of "
        "those\n"
        "that meet all limits the fastest is recommended. Memory is that of the index, of a search "
        "(the\n"
        "largest that was seen, and a standard deviation more) and of a path for each agent. Time "
        "is "
        "that\n"
        "of all paths, commits and repairs of a second, divided by the frames; paths that edits "
        "break are\n"
        "searched again. Planners that can may give them in pieces. Times are processor time.\n"
        "Candidates that clearly lose are not measured to the end, unless --all is given.\n"
        "Presets: pc, 200 agents, 60 frames a second with 1 ms each, 24 MB; console, 50, 30 with 2 "
        "ms,\n"
        "2 MB; shooter, 20, 60 with 0.5 ms, 1 MB; strategy, 1000 and 10 edits a second, 30 with 2 "
        "ms, 6 MB.\n"
        "Other flags change what the preset says. Ends with 0 if there is a recommendation, with 1 "
        "if no\n"
        "algorithm meets all limits, or with 130 after Ctrl-C.\n"
        "\nExamples:\n"
        "  cairn advise maps/rooms.map\n"
        "  cairn advise maps/rooms.map --preset strategy --svg chart.svg --save rooms.scenario\n"
        "  cairn simulate maps/rooms.map --scenario rooms.scenario\n"
        "  cairn advise maps/maze.map --agents 500 --budget 300 --memory 2048 --longer 0 --json\n",
    .flags = advise_flags,
    .flag_count = sizeof advise_flags / sizeof advise_flags[0],
    .run = advise_main,
};
