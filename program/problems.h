/* problems.h: the queries of `bench` and `check`: from a scenario, or random ones. */
#ifndef PROGRAM_PROBLEMS_H
#define PROGRAM_PROBLEMS_H

#include "world.h"

typedef struct problem {
    uint32_t number; /* 1-based, in the scenario */
    cairn_node from, to;
    double length, tolerance; /* as published */
    cairn_cost reference;     /* cost of our own dijkstra; CAIRN_NO_COST = no path or not asked */
    cairn_status expected;    /* found, or why there is no path */
} problem;

typedef struct problem_set {
    problem *items;
    uint32_t count;
    bool published; /* `length` counts; else `reference` does */
} problem_set;

typedef struct problem_options {
    const char *scenario;
    uint32_t every, limit, random, seed;
} problem_options;

#define PROBLEM_FLAGS(type, member) \
    FLAG_INPUT("scen", "FILE", "the problems (the scenario beside the map: MAP.scen)", \
               offsetof(type, member.scenario)), \
        FLAG_COUNT("every", "K", "take the first problem and then every K-th", \
                   offsetof(type, member.every), 1, UINT32_MAX), \
        FLAG_COUNT("limit", "N", "take at most N problems a map", offsetof(type, member.limit), 1, \
                   UINT32_MAX), \
        FLAG_COUNT("random", "N", "make N random problems instead of reading a scenario", \
                   offsetof(type, member.random), 1, 10000000), \
        FLAG_COUNT("seed", "S", "of the random problems (1)", offsetof(type, member.seed), 0, \
                   UINT32_MAX)

/* END_OK, or END_DATA after a complaint. Free with problems_free in every case. */
int problems_load(const world *w, const problem_options *options, problem_set *out);
void problems_free(problem_set *set);

/* splitmix64, as everywhere in Cairn: the same problems on every machine. */
uint64_t problems_random(uint64_t *state);

/* A random place where the agent can stand; CAIRN_NO_NODE if none was found. */
cairn_node problems_random_node(const world *w, uint64_t *state);

#endif
