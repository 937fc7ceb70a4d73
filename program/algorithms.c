/* algorithms.c: the value of -a as a list (see algorithms.h). */
#include "algorithms.h"

#include "command.h"

#include <stdio.h>
#include <string.h>

static bool algorithms_add(algorithm_list *list, const char *spec, size_t length)
{
    if (list->count == ALGORITHM_SPECS || length >= ALGORITHM_SPEC) return false;
    memcpy(list->specs[list->count], spec, length);
    list->specs[list->count++][length] = 0;
    return true;
}

/* Does this piece between commas belong to the algorithm before it? */
static bool algorithms_is_parameter(const char *piece, size_t length)
{
    const char *equals = memchr(piece, '=', length), *colon = memchr(piece, ':', length);
    return equals && (!colon || colon > equals);
}

static bool algorithms_extend(algorithm_list *list, const char *piece, size_t length)
{
    char *last = list->specs[list->count - 1];
    size_t old = strlen(last);
    if (old + 1 + length >= ALGORITHM_SPEC) return false;
    last[old] = strchr(last, ':') ? ',' : ':';
    memcpy(last + old + 1, piece, length);
    last[old + 1 + length] = 0;
    return true;
}

static bool algorithms_split(algorithm_list *list, const char *text)
{
    for (uint32_t begun = list->count;;) {
        size_t length = strcspn(text, ",");
        bool joins = list->count > begun && algorithms_is_parameter(text, length);
        if (!(joins ? algorithms_extend(list, text, length) : algorithms_add(list, text, length)))
            return false;
        if (!text[length]) return true;
        text += length + 1;
    }
}

bool algorithms_is_auto(const char *spec)
{
    return strcspn(spec, ":") == 4 && !strncmp(spec, "auto", 4);
}

int algorithms_check(const command *self, const char *spec)
{
    size_t length = strcspn(spec, ":");
    if (algorithms_is_auto(spec) || cairn_algorithm_find(spec, length)) return END_OK;
    const char *near = cairn_algorithm_suggest(spec, length);
    if (near)
        return complain_usage(self, "there is no algorithm \"%.*s\"; did you mean %s?", (int)length,
                              spec, near);
    return complain_usage(self, "there is no algorithm \"%.*s\" (`cairn algorithms` lists them)",
                          (int)length, spec);
}

int algorithms_from(const command *self, const arg_texts *texts, algorithm_list *out)
{
    out->count = 0;
    out->all = !texts->count;
    for (uint32_t i = 0; i < texts->count; i++)
        if (!algorithms_split(out, texts->items[i]))
            return complain_usage(self,
                                  "-a: expected at most %d algorithms of at most %d letters each",
                                  ALGORITHM_SPECS, ALGORITHM_SPEC - 1);
    for (uint32_t i = 0; out->all && i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *algorithm = cairn_algorithm_at(i);
        if (algorithm->kind == CAIRN_KIND_PLANNER &&
            !algorithms_add(out, algorithm->name, strlen(algorithm->name)))
            break;
    }
    for (uint32_t i = 0; i < out->count; i++) {
        int end = algorithms_check(self, out->specs[i]);
        if (end) return end;
    }
    return END_OK;
}

int64_t algorithms_most_nodes(const cairn_planner *planner)
{
    const cairn_algorithm *algorithm = cairn_planner_algorithm(planner);
    for (uint32_t i = 0; i < algorithm->parameter_count; i++)
        if (!strcmp(algorithm->parameters[i].name, "nodes"))
            return cairn_planner_parameter(planner, i);
    return 0;
}
