/* registry.c: the list of algorithms, made from src/algorithms.def, and looking up algorithms by
 * name. */
#include "search/algorithm.h"

#define CRN_ALGORITHM(family, name) extern const crn_algorithm crn_algorithm_##name;
#include "algorithms.def"
#undef CRN_ALGORITHM

static const crn_algorithm *const registry_list[] = {
#define CRN_ALGORITHM(family, name) &crn_algorithm_##name,
#include "algorithms.def"
#undef CRN_ALGORITHM
};

#define REGISTRY_COUNT ((uint32_t)(sizeof registry_list / sizeof *registry_list))

uint32_t cairn_algorithm_count(void)
{
    return REGISTRY_COUNT;
}

const cairn_algorithm *cairn_algorithm_at(uint32_t i)
{
    return i < REGISTRY_COUNT ? &registry_list[i]->info : NULL;
}

/* Is `name` one of the words of a list separated by blanks? */
static bool registry_has_word(const char *list, const char *name, size_t length)
{
    while (*list) {
        size_t word = strcspn(list, " ");
        if (word == length && memcmp(list, name, length) == 0) return true;
        list += word + (list[word] == ' ');
    }
    return false;
}

const crn_algorithm *crn_algorithm_find(const char *name, size_t length)
{
    for (uint32_t i = 0; i < REGISTRY_COUNT; i++) {
        const cairn_algorithm *info = &registry_list[i]->info;
        if (registry_has_word(info->name, name, length) ||
            registry_has_word(info->aliases, name, length)) {
            return registry_list[i];
        }
    }
    return NULL;
}

const cairn_algorithm *cairn_algorithm_find(const char *name, size_t length)
{
    const crn_algorithm *found = name ? crn_algorithm_find(name, length) : NULL;
    return found ? &found->info : NULL;
}

/* ---- what they support ---- */

const char *cairn_feature_name(cairn_feature feature)
{
    static const char *const names[] = {"4",       "8",     "hex",   "graph", "terrain",
                                        "heights", "links", "sizes", "goals", "no goal"};
    return (unsigned)feature < CAIRN_FEATURE_COUNT ? names[feature] : "unknown";
}

const char *cairn_support_name(cairn_support support)
{
    static const char *const names[] = {"refused", "delegated", "native"};
    return (unsigned)support < CAIRN_SUPPORT_COUNT ? names[support] : "unknown";
}

static bool registry_accepts(const cairn_algorithm *info, cairn_feature feature)
{
    bool grids = info->worlds >> CAIRN_WORLD_GRID & 1;
    switch (feature) {
    case CAIRN_FEATURE_4: return grids && info->neighbourhoods >> CAIRN_NEIGHBOURS_4 & 1;
    case CAIRN_FEATURE_8: return grids && info->neighbourhoods >> CAIRN_NEIGHBOURS_8 & 1;
    case CAIRN_FEATURE_HEX: return grids && info->neighbourhoods >> CAIRN_NEIGHBOURS_HEX & 1;
    case CAIRN_FEATURE_GRAPH: return info->worlds >> CAIRN_WORLD_GRAPH & 1;
    case CAIRN_FEATURE_TERRAIN:
    case CAIRN_FEATURE_HEIGHTS: return grids && info->flags & CAIRN_TERRAIN;
    case CAIRN_FEATURE_MANY_GOALS: return info->flags & CAIRN_MANY_GOALS;
    case CAIRN_FEATURE_NO_GOAL: return info->flags & CAIRN_NO_GOAL;
    default: return grids;
    }
}

cairn_support cairn_algorithm_support(const cairn_algorithm *algorithm, cairn_feature feature)
{
    if (!algorithm || (unsigned)feature >= CAIRN_FEATURE_COUNT) return CAIRN_REFUSED;
    if (!registry_accepts(algorithm, feature)) return CAIRN_REFUSED;
    return algorithm->delegates >> feature & 1 ? CAIRN_DELEGATED : CAIRN_NATIVE;
}

/* ---- did you mean ---- */

/* Returns the edit distance (insert, delete, replace) of two short words; 99 if one is too long. */
static uint32_t registry_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    enum { LONGEST = 31 };
    uint32_t row[LONGEST + 1];
    if (a_length > LONGEST || b_length > LONGEST) return 99;
    for (uint32_t j = 0; j <= b_length; j++) row[j] = j;
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t corner = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            uint32_t change = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = crn_min_u32(change, crn_min_u32(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}

const char *cairn_algorithm_suggest(const char *name, size_t length)
{
    const char *best = NULL;
    uint32_t least = 4;
    for (uint32_t i = 0; name && i < REGISTRY_COUNT; i++) {
        const cairn_algorithm *info = &registry_list[i]->info;
        const char *words[2] = {info->name, info->aliases};
        for (int w = 0; w < 2; w++) {
            for (const char *word = words[w]; *word;) {
                size_t size = strcspn(word, " ");
                uint32_t distance = registry_distance(name, length, word, size);
                if (distance < least && distance < size) {
                    least = distance;
                    best = info->name;
                }
                word += size + (word[size] == ' ');
            }
        }
    }
    return best;
}

const char *cairn_event_name(cairn_event_kind kind)
{
    static const char *const names[CAIRN_EVENT_KIND_COUNT] = {
        "source", "destination", "generate", "update",  "reopen",  "expand", "close",
        "end",    "pass",        "piece",    "segment", "subgoal", "forget"};
    return (unsigned)kind < CAIRN_EVENT_KIND_COUNT ? names[kind] : "unknown";
}
