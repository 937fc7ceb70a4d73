/* navigators.h: lists of navigators in tests, and what the registry says of them: a list that has to
 * be written down must name every registered one that it is about.
 */
#ifndef TESTS_NAVIGATORS_H
#define TESTS_NAVIGATORS_H

#include "kit.h"

static inline bool has_parameter(const cairn_algorithm *a, const char *name)
{
    for (uint32_t i = 0; i < a->parameter_count; i++)
        if (!strcmp(a->parameters[i].name, name)) return true;
    return false;
}

/* Does one of these specs begin with this name? */
static inline bool is_listed(const char *name, const char *const *specs, size_t count)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < count; i++)
        if (!strncmp(specs[i], name, length) && (!specs[i][length] || specs[i][length] == ':'))
            return true;
    return false;
}

/* Every navigator that `belongs` to the list is in it; there are some. */
static inline void check_listed(bool (*belongs)(const cairn_algorithm *a), const char *const *specs,
                                size_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (a->kind != CAIRN_KIND_NAVIGATOR || !belongs(a)) continue;
        found++;
        CHECK(is_listed(a->name, specs, count), "%s is registered, but in no list", a->name);
    }
    CHECK(found, "no navigator belongs to the list: this tells nothing");
}

#endif
