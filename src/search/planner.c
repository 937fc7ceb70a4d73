/* planner.c: planners: an algorithm with parameters, given as text, on a space. */
#include "search/algorithm.h"

/* ---- parameters ---- */

typedef struct planner_word {
    const char *text;
    size_t length;
} planner_word;

static bool planner_is(planner_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

/* Reads a decimal number in 1/one units (one = 1 or 256), rounded down; 256ths have eight decimals,
 * and more do not count. False if it is malformed or too long. */
static bool planner_number(planner_word word, int64_t one, int64_t *out)
{
    int64_t value = 0, part = 0, scale = 1;
    size_t i = 0, digits = 0;
    for (; i < word.length && word.text[i] >= '0' && word.text[i] <= '9'; i++, digits++) {
        if (value > INT64_MAX / 4096) return false;
        value = value * 10 + (word.text[i] - '0');
    }
    if (i < word.length && word.text[i] == '.' && one > 1) {
        for (i++; i < word.length && word.text[i] >= '0' && word.text[i] <= '9'; i++, digits++) {
            if (scale >= 100000000) continue;
            part = part * 10 + (word.text[i] - '0');
            scale *= 10;
        }
    }
    if (i != word.length || digits == 0) return false;
    *out = value * one + part * one / scale;
    return true;
}

/* Builds "a, b, c" for a message. What does not fit is left out. */
typedef struct planner_list {
    char text[160];
} planner_list;

static void planner_list_add(planner_list *list, const char *word)
{
    size_t used = strlen(list->text);
    if (used + strlen(word) + 3 > sizeof list->text) return;
    strcat(list->text, used ? ", " : "");
    strcat(list->text, word);
}

static cairn_status planner_bad_choice(const cairn_parameter *parameter, planner_word value,
                                       cairn_error *error)
{
    planner_list list = {""};
    for (const char *const *choice = parameter->choices; *choice; choice++)
        planner_list_add(&list, *choice);
    return crn_fail(error, CAIRN_INVALID, 0, "%s=%.*s: one of %s", parameter->name,
                    (int)value.length, value.text, list.text);
}

static cairn_status planner_value(const cairn_parameter *parameter, planner_word value,
                                  int64_t *out, cairn_error *error)
{
    if (parameter->type == CAIRN_PARAMETER_CHOICE) {
        for (int64_t i = 0; parameter->choices[i]; i++) {
            if (planner_is(value, parameter->choices[i])) {
                *out = i;
                return CAIRN_OK;
            }
        }
        return planner_bad_choice(parameter, value, error);
    }
    int64_t one = parameter->type == CAIRN_PARAMETER_NUMBER ? 256 : 1;
    if (planner_number(value, one, out) && *out >= parameter->minimum && *out <= parameter->maximum)
        return CAIRN_OK;
    return crn_fail(error, CAIRN_INVALID, 0, "%s=%.*s: a number from %llu to %llu", parameter->name,
                    (int)value.length, value.text, (unsigned long long)(parameter->minimum / one),
                    (unsigned long long)(parameter->maximum / one));
}

/* Returns the number of a parameter, or CRN_MAX_PARAMETERS if there is none with that name. */
static uint32_t planner_parameter(const cairn_planner *planner, planner_word name)
{
    const cairn_algorithm *info = &planner->algorithm->info;
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        if (planner_is(name, info->parameters[i].name)) return i;
    }
    return CRN_MAX_PARAMETERS;
}

/* Keeps what is behind the first slash of a value, with commas for slashes, and takes it off. */
static cairn_status planner_nest(cairn_planner *planner, planner_word *value, cairn_error *error)
{
    const char *slash = memchr(value->text, '/', value->length);
    planner->nested[0] = 0;
    if (!slash) return CAIRN_OK;
    size_t name = (size_t)(slash - value->text), length = value->length - name - 1;
    if (length >= sizeof planner->nested)
        return crn_fail(error, CAIRN_INVALID, 0, "'%.*s' has too many parameters", (int)name,
                        value->text);
    for (size_t i = 0; i < length; i++) {
        planner->nested[i] = slash[i + 1];
        if (slash[i + 1] == '/') planner->nested[i] = ',';
    }
    planner->nested[length] = 0;
    value->length = name;
    if (length) return CAIRN_OK;
    return crn_fail(error, CAIRN_INVALID, 0, "a slash with nothing behind it");
}

static cairn_status planner_set(cairn_planner *planner, planner_word key, planner_word value,
                                cairn_error *error)
{
    const cairn_algorithm *info = &planner->algorithm->info;
    uint32_t found = planner_parameter(planner, key);
    if (found != CRN_MAX_PARAMETERS) {
        const char *nested = planner->algorithm->nested;
        cairn_status status =
            nested && planner_is(key, nested) ? planner_nest(planner, &value, error) : CAIRN_OK;
        if (status != CAIRN_OK) return status;
        return planner_value(&info->parameters[found], value, &planner->parameters[found], error);
    }
    planner_list list = {""};
    for (uint32_t i = 0; i < info->parameter_count; i++)
        planner_list_add(&list, info->parameters[i].name);
    return crn_fail(error, CAIRN_INVALID, 0, "%s has no parameter '%.*s'; its parameters: %s",
                    info->name, (int)key.length, key.text, list.text);
}

/* "key=value,key=value" */
static cairn_status planner_parse(cairn_planner *planner, const char *text, cairn_error *error)
{
    while (*text) {
        size_t length = strcspn(text, ","), equals = strcspn(text, "=");
        if (equals >= length) {
            return crn_fail(error, CAIRN_INVALID, 0, "'%.*s' should read key=value", (int)length,
                            text);
        }
        planner_word key = {text, equals}, value = {text + equals + 1, length - equals - 1};
        cairn_status status = planner_set(planner, key, value, error);
        if (status != CAIRN_OK) return status;
        text += length;
        if (*text == ',' && text[1] == '\0') {
            return crn_fail(error, CAIRN_INVALID, 0, "a comma with nothing behind it");
        }
        text += *text == ',';
    }
    return CAIRN_OK;
}

cairn_status crn_planner_read(cairn_planner *planner, const char *text, cairn_error *error)
{
    const cairn_algorithm *info = &planner->algorithm->info;
    for (uint32_t i = 0; i < info->parameter_count; i++)
        planner->parameters[i] = info->parameters[i].default_value;
    return planner_parse(planner, text, error);
}

bool crn_parameter(const cairn_planner *planner, const char *name, int64_t *value)
{
    uint32_t i = planner_parameter(planner, (planner_word){name, strlen(name)});
    if (i == CRN_MAX_PARAMETERS) return false;
    *value = planner->parameters[i];
    return true;
}

uint32_t crn_parameter_of(const cairn_planner *planner, const char *name)
{
    int64_t value = 0;
    crn_parameter(planner, name, &value);
    return (uint32_t)value;
}

void crn_set_parameter(cairn_planner *planner, const char *name, int64_t value)
{
    uint32_t i = planner_parameter(planner, (planner_word){name, strlen(name)});
    if (i != CRN_MAX_PARAMETERS) planner->parameters[i] = value;
}

/* ---- creation ---- */

static cairn_status planner_unknown(const char *name, size_t length, cairn_error *error)
{
    const char *near = cairn_algorithm_suggest(name, length);
    if (!near)
        return crn_fail(error, CAIRN_INVALID, 0, "there is no algorithm '%.*s'", (int)length, name);
    return crn_fail(error, CAIRN_INVALID, 0, "there is no algorithm '%.*s'; did you mean '%s'?",
                    (int)length, name, near);
}

/* Can the algorithm serve this world and profile at all? */
static cairn_status planner_fits(const cairn_algorithm *info, const cairn_space *space,
                                 cairn_error *error)
{
    if (space->world == CAIRN_WORLD_VIEW) {
        bool generic = info->worlds >> CAIRN_WORLD_VIEW & 1;
        if (generic && !(info->flags & CAIRN_NEEDS_INDEX)) return CAIRN_OK;
        return crn_fail(
            error, CAIRN_UNSUPPORTED, 0,
            generic ? "%s needs an index, which views have none of: make it for the space below"
                    : "%s needs a grid, and a view is none: make it for the space below",
            info->name);
    }
    if (!(info->worlds & 1u << space->world)) {
        const char *plural = space->functions->plural;
        return crn_fail(error, CAIRN_UNSUPPORTED, 0, "%s does not work on %s", info->name,
                        plural ? plural : "worlds of this kind");
    }
    const cairn_profile *profile = cairn_space_profile(space);
    if (!profile) return CAIRN_OK;
    if (!(info->neighbourhoods & 1u << profile->neighbours)) {
        return crn_fail(error, CAIRN_UNSUPPORTED, 0, "%s does not work with this neighbourhood",
                        info->name);
    }
    if (profile->neighbours == CAIRN_NEIGHBOURS_8 && !(info->corners & 1u << profile->corners)) {
        return crn_fail(error, CAIRN_UNSUPPORTED, 0, "%s does not work with this corner rule",
                        info->name);
    }
    if (!(info->flags & CAIRN_TERRAIN) && !crn_space_uniform(space)) {
        return crn_fail(error, CAIRN_UNSUPPORTED, 0,
                        "%s does not work where costs differ or height matters", info->name);
    }
    return CAIRN_OK;
}

/* Makes the planner whose index that of the algorithm is built on. */
static cairn_status planner_make_base(cairn_planner *planner, cairn_error *error)
{
    const crn_algorithm *algorithm = planner->algorithm;
    const char *name = algorithm->index ? algorithm->index->base : NULL;
    if (!name) return CAIRN_OK;
    algorithm = crn_algorithm_find(name, strlen(name));
    if (!algorithm) return planner_unknown(name, strlen(name), error);
    return crn_planner_create_of(planner->space, algorithm, "", &planner->base, error);
}

/* Makes the planner for queries that the algorithm does not handle. A library may be built without
 * it. */
static cairn_status planner_make_delegate(cairn_planner *planner, cairn_error *error)
{
    const char *name = planner->algorithm->delegate;
    const crn_algorithm *algorithm = name ? crn_algorithm_find(name, strlen(name)) : NULL;
    if (!algorithm) return CAIRN_OK;
    return crn_planner_create_of(planner->space, algorithm, "", &planner->delegate, error);
}

static void planner_free(cairn_planner *planner)
{
    cairn_space *space = planner->space;
    cairn_planner_destroy(planner->delegate);
    cairn_planner_destroy(planner->base);
    crn_free(space->context, planner, sizeof *planner);
    cairn_space_destroy(space); /* lets go of it */
}

/* With these parameters, or those of another planner. */
static cairn_status planner_create(cairn_space *space, const crn_algorithm *algorithm,
                                   const char *parameters, const cairn_planner *like,
                                   cairn_planner **out, cairn_error *error)
{
    *out = NULL;
    cairn_status status = planner_fits(&algorithm->info, space, error);
    if (status != CAIRN_OK) return status;
    cairn_planner *planner = crn_alloc_zero(space->context, sizeof *planner);
    if (!planner) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a planner");
    CRN_CHECK(space->context, algorithm->info.parameter_count < CRN_MAX_PARAMETERS);
    planner->algorithm = algorithm;
    planner->space = cairn_space_keep(space);
    if (like) {
        memcpy(planner->parameters, like->parameters, sizeof planner->parameters);
        memcpy(planner->nested, like->nested, sizeof planner->nested);
    } else {
        status = crn_planner_read(planner, parameters, error);
    }
    if (status == CAIRN_OK) status = planner_make_delegate(planner, error);
    if (status == CAIRN_OK) status = planner_make_base(planner, error);
    if (status == CAIRN_OK) status = algorithm->create(planner, error);
    if (status != CAIRN_OK) {
        planner_free(planner);
        return status;
    }
    *out = planner;
    return CAIRN_OK;
}

cairn_status crn_planner_create_of(cairn_space *space, const crn_algorithm *algorithm,
                                   const char *parameters, cairn_planner **out, cairn_error *error)
{
    return planner_create(space, algorithm, parameters, NULL, out, error);
}

cairn_status crn_planner_create_like(cairn_space *space, const cairn_planner *like,
                                     cairn_planner **out, cairn_error *error)
{
    const crn_algorithm *algorithm = like->algorithm;
    if (algorithm->variant_of) algorithm = algorithm->variant_of;
    return planner_create(space, algorithm, NULL, like, out, error);
}

cairn_status cairn_planner_create(cairn_space *space, const char *spec, cairn_planner **out,
                                  cairn_error *error)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!space || !spec) return crn_fail(error, CAIRN_INVALID, 0, "no space or no algorithm");
    size_t length = strcspn(spec, ":");
    const char *parameters = spec + length + (spec[length] == ':');
    if (length == 4 && memcmp(spec, "auto", 4) == 0)
        return crn_auto_create(space, parameters, out, error);
    const crn_algorithm *algorithm = crn_algorithm_find(spec, length);
    if (!algorithm) return planner_unknown(spec, length, error);
    return crn_planner_create_of(space, algorithm, parameters, out, error);
}

void crn_planner_leave_index(cairn_planner *planner)
{
    if (planner->owner) {
        cairn_planner_destroy(planner->owner); /* lets go of it */
    } else {
        crn_index_abandon(planner);
        planner->algorithm->destroy(planner);
        cairn_archive_close(planner->archive); /* lets go of it */
        cairn_planner_destroy(planner->base);
    }
    planner->owner = planner->base = NULL;
    planner->index = NULL;
    planner->archive = NULL;
    planner->built = false;
}

void cairn_planner_destroy(cairn_planner *planner)
{
    if (!planner || !crn_let_go(&planner->holders)) return;
    crn_planner_leave_index(planner);
    planner_free(planner);
}

const cairn_algorithm *cairn_planner_algorithm(const cairn_planner *planner)
{
    return crn_planner_info(planner);
}

const cairn_space *cairn_planner_space(const cairn_planner *planner)
{
    return planner->space;
}

int64_t cairn_planner_parameter(const cairn_planner *planner, uint32_t i)
{
    return i < planner->algorithm->info.parameter_count ? planner->parameters[i] : 0;
}

/* ---- the next move ---- */

static cairn_status planner_check_ends(const cairn_planner *planner, cairn_node from, cairn_node to)
{
    const cairn_space *space = planner->space;
    cairn_status state = cairn_planner_state(planner);
    if (state != CAIRN_OK) return state;
    if (from >= space->node_count || to >= space->node_count) return CAIRN_OUT_OF_BOUNDS;
    if (!cairn_space_usable(space, from)) return CAIRN_BLOCKED_START;
    return cairn_space_usable(space, to) ? CAIRN_OK : CAIRN_BLOCKED_GOAL;
}

cairn_status cairn_planner_next(const cairn_planner *planner, cairn_node from, cairn_node to,
                                cairn_node *next)
{
    if (next) *next = CAIRN_NO_NODE;
    if (!planner || !next) return CAIRN_INVALID;
    if (!planner->algorithm->next_move) return CAIRN_UNSUPPORTED;
    cairn_status status = planner_check_ends(planner, from, to);
    if (status != CAIRN_OK) return status;
    if (from != to) return planner->algorithm->next_move(planner, from, to, next);
    *next = from;
    return CAIRN_FOUND;
}

/* Two usable nodes. */
static cairn_status planner_begin_walk(const cairn_planner *planner, cairn_agent *agent)
{
    const crn_algorithm *algorithm = planner->algorithm;
    cairn_node next;
    cairn_status status = CAIRN_UNSUPPORTED;
    if (agent->at == agent->goal) return CAIRN_FOUND;
    if (algorithm->walk) status = algorithm->walk(planner, agent, true);
    return status == CAIRN_UNSUPPORTED
               ? algorithm->next_move(planner, agent->at, agent->goal, &next)
               : status;
}

cairn_status cairn_planner_walk(const cairn_planner *planner, cairn_node from, cairn_node to,
                                cairn_agent *agent)
{
    if (agent) *agent = (cairn_agent){.at = CAIRN_NO_NODE, .goal = to};
    if (!planner || !agent) return CAIRN_INVALID;
    if (!planner->algorithm->next_move) return CAIRN_UNSUPPORTED;
    cairn_status status = planner_check_ends(planner, from, to);
    if (status != CAIRN_OK) return status;
    agent->at = from;
    status = planner_begin_walk(planner, agent);
    if (status != CAIRN_FOUND) *agent = (cairn_agent){.at = CAIRN_NO_NODE, .goal = to};
    return status;
}

cairn_status crn_planner_move_plainly(const cairn_planner *planner, cairn_agent *agent)
{
    const crn_algorithm *algorithm = planner->algorithm;
    if (!algorithm->next_move) return CAIRN_UNSUPPORTED;
    cairn_status status = planner_check_ends(planner, agent->at, agent->goal);
    if (status != CAIRN_OK) return status;
    if (agent->at == agent->goal) return CAIRN_FOUND;
    /* the next move is that of a cursor again */
    cairn_agent fresh = {.goal = agent->goal};
    status = algorithm->next_move(planner, agent->at, agent->goal, &fresh.at);
    if (status != CAIRN_FOUND) return status;
    if (algorithm->walk && fresh.at != fresh.goal &&
        algorithm->walk(planner, &fresh, true) != CAIRN_FOUND)
        memset(fresh.cursor, 0, sizeof fresh.cursor);
    *agent = fresh;
    return CAIRN_FOUND;
}

cairn_status cairn_planner_move(const cairn_planner *planner, cairn_agent *agent)
{
    if (!planner || !agent) return CAIRN_INVALID;
    return planner->algorithm->walk ? planner->algorithm->walk(planner, agent, false)
                                    : crn_planner_move_plainly(planner, agent);
}

bool cairn_planner_optimal(const cairn_planner *planner)
{
    return planner->optimal;
}
