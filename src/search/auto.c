/* auto.c: `auto`: an algorithm for a space, chosen by rules instead of by measuring.
 *
 * What `cairn advise` measured on many kinds of worlds (docs/algorithms/auto.md), as a list: the
 * fastest first. The first one is taken that is built into this library, obeys what was asked,
 * serves the space, and suits its ground. So the planner is one of that algorithm, and nothing is
 * left that knows of `auto`: it says who it is, and files of its index are those of that algorithm.
 *
 * Jumps are the fastest on squares with eight neighbours, unless obstacles are strewn about, where
 * they would leave every query to A*. There, and on graphs of places, weighted A* expands a
 * fraction of what A* does. Elsewhere abstractions are the fastest, if paths may be longer, and
 * then landmarks.
 */
#include "search/algorithm.h"

typedef struct auto_rule {
    const char *spec;
    uint32_t bytes; /* of index for each node, the most that was measured; 0 = it needs none */
    bool longer;    /* its paths are not always the cheapest */
    bool still;     /* takes too long to repair after a commit, or may have to be built again */
    bool strewn;    /* only where obstacles are strewn, and on graphs */
} auto_rule;

static const auto_rule auto_rules[] = {
    {.spec = "jps-plus", .bytes = 6},
    {.spec = "jps"},
    {.spec = "wastar", .longer = true, .strewn = true},
    {.spec = "dhpa", .bytes = 16, .longer = true, .still = true},
    {.spec = "hpa:size=10", .bytes = 24, .longer = true},
    {.spec = "dbastar", .bytes = 1, .longer = true},
    {.spec = "alt:landmarks=8", .bytes = 36, .still = true},
    {.spec = "alt", .bytes = 18, .still = true},
    {.spec = "astar"},
};

enum { AUTO_MEMORY, AUTO_CHANGES, AUTO_OPTIMAL };

static const cairn_parameter auto_parameters[] = {
    {"memory", "KB for an index; 0 = none, the planner is ready at once", CAIRN_PARAMETER_INTEGER,
     0, INT32_MAX, 0, NULL},
    {"changes", "1 = the world changes all the time", CAIRN_PARAMETER_INTEGER, 0, 1, 1, NULL},
    {"optimal", "0 = paths may be some per cent longer than the best", CAIRN_PARAMETER_INTEGER, 0,
     1, 1, NULL},
};

/* Not in the registry: it has parameters and nothing else. */
static const crn_algorithm auto_asked = {
    .info = {.name = "auto",
             .parameters = auto_parameters,
             .parameter_count = CRN_COUNT(auto_parameters)},
};

static bool auto_obeys(const auto_rule *rule, const int64_t *asked, const cairn_space *space)
{
    uint64_t bytes = (uint64_t)rule->bytes * space->node_count;
    if (bytes > (uint64_t)asked[AUTO_MEMORY] * 1024) return false;
    return !(rule->longer && asked[AUTO_OPTIMAL]) && !(rule->still && asked[AUTO_CHANGES]);
}

cairn_status crn_auto_create(cairn_space *space, const char *parameters, cairn_planner **out,
                             cairn_error *error)
{
    cairn_planner asked = {.algorithm = &auto_asked};
    cairn_status status = crn_planner_read(&asked, parameters, error);
    if (status != CAIRN_OK) return status;
    bool strewn = space->world == CAIRN_WORLD_GRAPH;
    cairn_error refused; /* by those that are passed over */
    for (uint32_t i = 0; i < CRN_COUNT(auto_rules); i++) {
        const auto_rule *rule = &auto_rules[i];
        const crn_algorithm *algorithm = crn_algorithm_find(rule->spec, strcspn(rule->spec, ":"));
        if (!algorithm || !auto_obeys(rule, asked.parameters, space)) continue;
        if (rule->strewn && !strewn) continue;
        status = cairn_planner_create(space, rule->spec, out, &refused);
        if (status == CAIRN_UNSUPPORTED) continue;
        if (status != CAIRN_OK) return crn_fail(error, status, 0, "%s", refused.text);
        if (!algorithm->suits || algorithm->suits(*out)) return CAIRN_OK;
        strewn |= crn_space_uniform(space);
        cairn_planner_destroy(*out);
        *out = NULL;
    }
    return crn_fail(error, status, 0, "%s", refused.text); /* of astar, which all libraries have */
}
