/* conformance.h: the harness of the conformance suite. It walks the registry: every
 * algorithm in every setting on every kind of place it says it can serve. The programs
 * test_conformance_*.c each hold one topic; none of them names an algorithm, so that a new one
 * is tested the moment it stands in the list.
 */
#ifndef TESTS_CONFORMANCE_H
#define TESTS_CONFORMANCE_H

#include "scenes.h"
#include "support.h"

/* A question and what the oracle says to it. */
typedef struct known_query {
    cairn_node from, to;
    uint64_t cost;  /* ORACLE_NONE = unreachable */
    uint32_t steps; /* fewest */
} known_query;

enum { PLACE_QUERIES = 8 };

/* A world with everything that belongs to it. */
typedef struct place {
    char name[64];
    scene *scene;                           /* grids */
    graph_scene *drawn;                     /* graphs, and worlds of polygons as their edges */
    const struct polygon_options *polygons; /* worlds of polygons */
    watched memory;
    cairn_context *context;
    cairn_grid *grid;
    cairn_graph *graph;
    cairn_space *space;
    cairn_profile profile;
    oracle *oracle;
    known_query queries[PLACE_QUERIES];
    uint32_t query_count;
    known_query near[PLACE_QUERIES]; /* short ones, for algorithms with CAIRN_EXPONENTIAL ... */
    bool has_near;                   /* ... once there are any */
} place;

enum { NEAR_NODES = 12 };

/* After oracle_search: the greatest cost of the few nodes that are the cheapest to reach. */
uint64_t near_cost(const oracle *o);

/* Takes the scene. */
place *place_of_scene(scene *s, cairn_neighbours neighbours, cairn_corners corners);
place *place_of_graph(graph_scene *s);
place *place_of_polygons(const struct polygon_options *options);
void place_destroy(place *p);

/* One algorithm in one setting on one place, ready to search. */
typedef struct subject {
    place *place;
    const cairn_algorithm *algorithm;
    char spec[160];
    cairn_planner *planner;
    cairn_search *search;
    bool optimal;
} subject;

/* Algorithms with CAIRN_EXPONENTIAL may give up: they end with CAIRN_OUT_OF_BUDGET where the others
 * have an answer. Their places have near queries, and most of all that is asked must be answered all
 * the same: conformance_each counts, and fails if more than two fifths of the answers are missing.
 * Asks for each answer once. */
bool subject_gave_up(const subject *s, cairn_status status);

/* Is it an algorithm that may? */
static inline bool subject_may_give_up(const subject *s)
{
    return s->algorithm->flags & CAIRN_EXPONENTIAL;
}

/* "astar:open=heap on rooms 8 never", for messages. */
const char *subject_text(const subject *s);

typedef void subject_test(subject *s);

enum {
    PLACES_ALL = 1u << 0,     /* every scene × neighbourhood × corner rule, and every graph */
    PLACES_FEW = 1u << 1,     /* one of each kind */
    SETTINGS_ONE = 1u << 2,   /* as the algorithm comes */
    SETTINGS_EACH = 1u << 3,  /* each choice and extreme of each parameter */
    SETTINGS_PAIRS = 1u << 4, /* every two of them together */
    /* without algorithms that give pieces: they hand such queries over to A*, whatever the
     * setting */
    NO_PIECES = 1u << 5,
};

/* Calls the test for everything that can be; checks on the path that what the algorithm
 * does not claim is refused when the planner is made. */
void conformance_each(uint32_t what, subject_test *test);

/* With CAIRN_TEST_SAMPLE=K in the environment the suite takes about every K-th place of each
 * algorithm and setting, always the same ones: for builds that are slow. Whole it runs where it is
 * fast (./test: with full optimisation). K should be odd: square grids come in four rules in a row.
 * With CAIRN_TEST_ALGORITHM=NAME in the environment the suite is about that one alone. */
bool conformance_is_about(const cairn_algorithm *algorithm);

/* The same for algorithms with all of these flags: for tests that have nothing to say to others. */
void conformance_each_with(uint32_t flags, uint32_t what, subject_test *test);

/* The same for one algorithm: for what only it promises. */
void conformance_each_of(const char *name, uint32_t what, subject_test *test);

/* The settings of an algorithm: the i-th specification, false past the end. */
bool conformance_setting(const cairn_algorithm *algorithm, uint32_t what, uint32_t i, char *out,
                         size_t size);

/* Appends one parameter to a specification, after `before`: ':' or ','. */
void parameter_append(char *out, size_t size, const cairn_parameter *q, int64_t value, char before);

/* Does the descriptor say that the algorithm can serve the place? */
bool conformance_claims(const cairn_algorithm *algorithm, const place *p);

/* Opens a planner and a search for a specification; false if it is refused as unsupported
 * with a reason. */
bool subject_open(subject *s, place *p, const cairn_algorithm *algorithm, const char *spec);
void subject_close(subject *s);

/* Does it do without the regions of the space? */
static inline bool subject_ignores_components(const subject *s)
{
    return strstr(s->spec, "labels=off");
}

/* Does the planner straighten its paths? Then they may have fewer steps than were asked for, and
 * lead past what was searched. */
static inline bool subject_smooths(const subject *s)
{
    for (uint32_t i = 0; i < s->algorithm->parameter_count; i++) {
        if (!strcmp(s->algorithm->parameters[i].name, "smooth"))
            return cairn_planner_parameter(s->planner, i) != 0;
    }
    return false;
}

/* No way costs less than this if the best one on the grid costs so much. A line of any angle is at
 * least half as long as the steps along the cells that it passes. (test_theta.c is less
 * generous.) */
static inline uint64_t subject_least(const subject *s, uint64_t best)
{
    return s->algorithm->flags & CAIRN_ANY_ANGLE ? best / 2 : best;
}

/* A whole, legal path from `from`, whose cost is the sum of its steps, as the oracle
 * counts them; `best` is the least cost there is to its end or to any goal. */
void check_legal_path(const subject *s, const cairn_path *path, cairn_node from, uint64_t best);

/* Every step of a path, whole or not, is legal, and its cost and length are their sums. */
void check_steps(const subject *s, const cairn_path *path);

/* A whole path costs no less than the best one, and no more than it says. */
void check_cost(const subject *s, const cairn_path *path, uint64_t best);

/* No path, and nothing in the result pretends there is one. */
void check_no_path(const subject *s, const cairn_path *path, cairn_status why);

/* Everything about the answer to a known query. */
void check_known_answer(const subject *s, const known_query *q, const cairn_path *path);

#endif
