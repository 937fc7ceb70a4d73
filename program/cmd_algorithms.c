/* cmd_algorithms.c: `cairn algorithms`: the registry, as a table, in detail, as JSON. */
#include "algorithms.h"
#include "command.h"
#include "json.h"
#include "profile.h"
#include "table.h"

#include <math.h>
#include <string.h>

typedef struct algorithms_options {
    bool json;
} algorithms_options;

static const arg_flag algorithms_flags[] = {FLAG_JSON(algorithms_options, json)};

typedef const char *algorithms_name(uint32_t i);

static const char *algorithms_kind(const cairn_algorithm *a)
{
    return a->kind == CAIRN_KIND_PLANNER ? "planner" : "navigator";
}

static const char *algorithms_quality(const cairn_algorithm *a)
{
    if (a->flags & CAIRN_ANY_ANGLE) return "any angle";
    return a->flags & CAIRN_OPTIMAL ? "optimal" : a->flags & CAIRN_BOUNDED ? "bounded" : "any path";
}

/* "4 8": the names of all bits that are set. */
static const char *algorithms_join(uint32_t bits, algorithms_name *name, char *out, size_t size)
{
    size_t at = 0;
    out[0] = 0;
    for (uint32_t i = 0; i < 32 && at < size; i++)
        if (bits >> i & 1 && name(i))
            at += (size_t)snprintf(out + at, size - at, "%s%s", at ? " " : "", name(i));
    return out;
}

/* ---- JSON ---- */

static void algorithms_json_names(json *j, const char *key, uint32_t bits, algorithms_name *name)
{
    json_array(j, key);
    for (uint32_t i = 0; i < 32; i++)
        if (bits >> i & 1 && name(i)) json_text(j, NULL, name(i));
    json_end(j);
}

static void algorithms_json_aliases(json *j, const char *aliases)
{
    json_array(j, "aliases");
    while (*aliases) {
        char name[64];
        size_t length = strcspn(aliases, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, aliases);
        if (length) json_text(j, NULL, name);
        aliases += length + (aliases[length] == ' ');
    }
    json_end(j);
}

static void algorithms_json_parameter(json *j, const cairn_parameter *p)
{
    static const char *const types[] = {[CAIRN_PARAMETER_INTEGER] = "integer",
                                        [CAIRN_PARAMETER_NUMBER] = "number",
                                        [CAIRN_PARAMETER_CHOICE] = "choice"};
    json_object(j, NULL);
    json_text(j, "name", p->name);
    json_text(j, "summary", p->summary);
    json_text(j, "type", types[p->type]);
    if (p->type == CAIRN_PARAMETER_CHOICE) {
        json_null(j, "minimum");
        json_null(j, "maximum");
        json_text(j, "default", p->choices[p->default_value]);
        json_array(j, "choices");
        for (uint32_t i = 0; p->choices[i]; i++) json_text(j, NULL, p->choices[i]);
        json_end(j);
    } else {
        double unit = p->type == CAIRN_PARAMETER_NUMBER ? 256 : 1;
        json_number(j, "minimum", (double)p->minimum / unit);
        json_number(j, "maximum", (double)p->maximum / unit);
        json_number(j, "default", (double)p->default_value / unit);
        json_null(j, "choices");
    }
    json_end(j);
}

static void algorithms_json_support(json *j, const cairn_algorithm *a)
{
    json_object(j, "support");
    for (uint32_t i = 0; i < CAIRN_FEATURE_COUNT; i++) {
        cairn_feature feature = (cairn_feature)i;
        json_text(j, cairn_feature_name(feature),
                  cairn_support_name(cairn_algorithm_support(a, feature)));
    }
    json_end(j);
}

static void algorithms_json_one(json *j, const cairn_algorithm *a)
{
    json_object(j, NULL);
    json_text(j, "name", a->name);
    algorithms_json_aliases(j, a->aliases);
    json_text(j, "kind", algorithms_kind(a));
    json_text(j, "family", a->family);
    json_text(j, "summary", a->summary);
    json_text(j, "source", a->source);
    json_bool(j, "optimal", a->flags & CAIRN_OPTIMAL);
    json_bool(j, "bounded", a->flags & CAIRN_BOUNDED);
    json_bool(j, "any_angle", a->flags & CAIRN_ANY_ANGLE);
    json_bool(j, "needs_index", a->flags & CAIRN_NEEDS_INDEX);
    json_bool(j, "repairs", a->flags & CAIRN_REPAIRS);
    json_bool(j, "filters", a->flags & CAIRN_FILTERS);
    json_bool(j, "pieces", a->flags & CAIRN_PIECES);
    json_bool(j, "background", a->flags & CAIRN_BACKGROUND);
    json_bool(j, "slices", a->flags & CAIRN_SLICES);
    json_bool(j, "anytime", a->flags & CAIRN_ANYTIME);
    json_bool(j, "next_move", a->flags & CAIRN_NEXT_MOVE);
    json_bool(j, "exponential", a->flags & CAIRN_EXPONENTIAL);
    json_bool(j, "may_be_trapped", a->flags & CAIRN_MAY_BE_TRAPPED);
    algorithms_json_names(j, "worlds", a->worlds, profile_world_name);
    algorithms_json_names(j, "neighbourhoods", a->neighbourhoods, profile_neighbours_name);
    algorithms_json_names(j, "corners", a->corners, profile_corners_name);
    json_bool(j, "terrain", a->flags & CAIRN_TERRAIN);
    algorithms_json_support(j, a);
    json_array(j, "parameters");
    for (uint32_t i = 0; i < a->parameter_count; i++)
        algorithms_json_parameter(j, &a->parameters[i]);
    json_end(j);
    json_end(j);
}

static void algorithms_print_json(const cairn_algorithm *only)
{
    json j = json_to(stdout);
    json_array(&j, NULL);
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++)
        if (!only || only == cairn_algorithm_at(i)) algorithms_json_one(&j, cairn_algorithm_at(i));
    json_end(&j);
}

/* ---- for people ---- */

static void algorithms_print_table(void)
{
    static const char *const headings[] = {"name", "kind", "finds", "worlds", "what it is"};
    char worlds[64];
    table t = table_with(headings, 5);
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        table_add(&t, "%s", a->name);
        table_add(&t, "%s", algorithms_kind(a));
        table_add(&t, "%s", algorithms_quality(a));
        table_add(&t, "%s", algorithms_join(a->worlds, profile_world_name, worlds, sizeof worlds));
        table_add(&t, "%s", a->summary);
    }
    table_print(&t);
    printf("\n`cairn algorithms NAME` describes one, with its parameters; `auto` takes one that "
           "suits the "
           "world.\n");
}

static void algorithms_print_parameter(const cairn_parameter *p)
{
    printf("  %-14s %s; ", p->name, p->summary);
    if (p->type == CAIRN_PARAMETER_CHOICE) {
        for (uint32_t i = 0; p->choices[i]; i++) printf("%s%s", i ? " | " : "", p->choices[i]);
        printf(" (%s)\n", p->choices[p->default_value]);
        return;
    }
    double unit = p->type == CAIRN_PARAMETER_NUMBER ? 256 : 1;
    printf("%.10g to %.10g (%.10g)\n", (double)p->minimum / unit, (double)p->maximum / unit,
           (double)p->default_value / unit);
}

static void algorithms_print_flags(const cairn_algorithm *a)
{
    static const struct {
        uint32_t flag;
        const char *text;
    } flags[] = {{CAIRN_NEEDS_INDEX, "precomputes an index"},
                 {CAIRN_REPAIRS, "repairs it after edits"},
                 {CAIRN_FILTERS, "obstacles and costs for one query"},
                 {CAIRN_TERRAIN, "terrain, cost layer, elevation"},
                 {CAIRN_MANY_GOALS, "several goals at once"},
                 {CAIRN_NO_GOAL, "searches without a goal"},
                 {CAIRN_PIECES, "returns paths in pieces"},
                 {CAIRN_BACKGROUND, "syncs in the background"},
                 {CAIRN_SLICES, "builds and repairs in slices"},
                 {CAIRN_ANYTIME, "improves paths that it has found"},
                 {CAIRN_NEXT_MOVE, "tells the next move without a search"},
                 {CAIRN_EXPONENTIAL, "gives up long paths (effort)"},
                 {CAIRN_MAY_BE_TRAPPED, "agents stop where a one-way step has trapped them"}};
    printf("finds      %s", a->flags & CAIRN_OPTIMAL     ? "paths of least cost"
                            : a->flags & CAIRN_BOUNDED   ? "paths within a bound of the least cost"
                            : a->flags & CAIRN_ANY_ANGLE ? "paths of any angle"
                                                         : "some path");
    printf("\ncan        ");
    bool any = false;
    for (uint32_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (a->flags & flags[i].flag) {
            printf("%s%s", any ? "; " : "", flags[i].text);
            any = true;
        }
    printf("%s\n", any ? "" : "nothing special");
}

/* A line of the features that are supported so; none if there are none. */
static void algorithms_print_support(const cairn_algorithm *a, cairn_support support)
{
    bool any = false;
    for (uint32_t i = 0; i < CAIRN_FEATURE_COUNT; i++) {
        cairn_feature feature = (cairn_feature)i;
        if (cairn_algorithm_support(a, feature) != support) continue;
        if (any)
            printf(", %s", cairn_feature_name(feature));
        else
            printf("%-10s %s", cairn_support_name(support), cairn_feature_name(feature));
        any = true;
    }
    if (any) printf("\n");
}

static void algorithms_print_one(const cairn_algorithm *a)
{
    char text[64];
    printf("%s%s%s%s: %s\n\n", a->name, a->aliases[0] ? " (also " : "", a->aliases,
           a->aliases[0] ? ")" : "", a->summary);
    printf("source     %s\nkind       %s, family %s\n", a->source, algorithms_kind(a), a->family);
    algorithms_print_flags(a);
    printf("worlds     %s\n", algorithms_join(a->worlds, profile_world_name, text, sizeof text));
    printf("neighbours %s\n",
           algorithms_join(a->neighbourhoods, profile_neighbours_name, text, sizeof text));
    printf("corners    %s\n", algorithms_join(a->corners, profile_corners_name, text, sizeof text));
    algorithms_print_support(a, CAIRN_NATIVE);
    algorithms_print_support(a, CAIRN_DELEGATED);
    algorithms_print_support(a, CAIRN_REFUSED);
    if (!a->parameter_count) return;
    printf("\nParameters, as in %s:%s=VALUE:\n", a->name, a->parameters[0].name);
    for (uint32_t i = 0; i < a->parameter_count; i++) algorithms_print_parameter(&a->parameters[i]);
}

/* It is in no list: what is made with it is a planner of another one. */
static int algorithms_print_auto(const command *self, const algorithms_options *options)
{
    if (options->json)
        return complain_usage(self, "auto is a choice among the algorithms: leave out --json");
    printf("auto: the algorithm that suits the world, by rules; `cairn advise` measures instead\n\n"
           "Parameters, as in auto:memory=VALUE:\n"
           "  memory         KB that an index may take; 0 = it needs none (0)\n"
           "  changes        1 = the world changes all the time; 0 or 1 (1)\n"
           "  optimal        1 = paths of least cost; 0 = some per cent longer will do (1)\n");
    return END_OK;
}

static int algorithms_main(const command *self, int argc, char **argv)
{
    algorithms_options options = {0};
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    if (argc > 1) return complain_usage(self, "algorithms: expected at most one name");
    const cairn_algorithm *only = NULL;
    if (argc) {
        int end = algorithms_check(self, argv[0]);
        if (end) return end;
        only = cairn_algorithm_find(argv[0], strcspn(argv[0], ":"));
        if (!only) return algorithms_print_auto(self, &options);
    }
    if (options.json)
        algorithms_print_json(only);
    else if (only)
        algorithms_print_one(only);
    else
        algorithms_print_table();
    return END_OK;
}

const command command_algorithms = {
    .name = "algorithms",
    .summary = "List the algorithms, or describe one",
    .synopsis = "[NAME] [--json]",
    .details = "Where a command takes an algorithm, write NAME or NAME:key=value,key=value.\n\n"
               "Examples:\n"
               "  cairn algorithms\n"
               "  cairn algorithms wastar\n"
               "  cairn algorithms --json\n",
    .flags = algorithms_flags,
    .flag_count = sizeof algorithms_flags / sizeof algorithms_flags[0],
    .run = algorithms_main,
};
