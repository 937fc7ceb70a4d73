/* advise.h: which algorithm suits a game: candidates, what they need, and the choice.
 *
 * A *candidate* is an algorithm with parameters. It is measured on the game's own map: its index is
 * built, sampled problems are solved, and after sampled edits the index is brought up to date. What
 * a game can give is a set of *needs*. Those who obey all of them compete, and the cheapest wins.
 * That is T's rule (T 4.5): the lowest search time among those that obey the memory, where the peak
 * counts with its variance (T 866).
 *
 *     advise_measure.c  candidates, and what they take
 *     advise_choose.c   who obeys, who wins, and why, in words
 *     advise_settings.c the choice as settings, and who `auto` would be
 *     cmd_advise.c      the command: flags, tables, JSON, the chart
 */
#ifndef PROGRAM_ADVISE_H
#define PROGRAM_ADVISE_H

#include "reproduce.h"
#include "problems.h"

/* What a game needs and gives. */
typedef struct advise_needs {
    uint32_t agents;
    double requests;  /* paths a second, of all agents together */
    double edits;     /* commits a second, each of ... */
    uint32_t side;    /* ... a square of so many cells a side */
    uint32_t frames;  /* a second */
    double budget_us; /* of a frame, for paths and repairs */
    double bytes;     /* for index, searches and paths; the world is apart */
    double longer;    /* per cent above the best, on average */
} advise_needs;

/* Why a candidate is out. They are looked at in this order. */
typedef enum advise_fault {
    ADVISE_OBEYS,
    ADVISE_REFUSED,    /* cannot serve this world */
    ADVISE_SLOW_BUILD, /* the index takes longer than all measuring may */
    ADVISE_FAILED,     /* problems without an answer, or left to another algorithm */
    ADVISE_MEMORY,
    ADVISE_LONGER,
    ADVISE_LOAD,  /* all frames together have not that much time */
    ADVISE_STALL, /* a repair that cannot be divided takes longer than the budget of a frame */
    ADVISE_FAULTS
} advise_fault;

typedef struct advise_candidate {
    char spec[ALGORITHM_SPEC];
    cairn_planner *planner;
    cairn_search *search;
    bool index, repairs, slices;
    double build_us;
    size_t index_bytes;
    uint32_t solved, failed, delegated;
    statistic time_us, first_us; /* of a path, and of its first piece */
    statistic bytes;             /* of searches: the peak of each */
    statistic path_bytes;        /* of answers */
    statistic longer;            /* per cent */
    statistic repair_us;         /* to bring the index up to date after a commit */
    bool dropped;                /* others were so much better that it was not measured on */
    advise_fault fault;
    /* what the game would pay: */
    double frame_us; /* of a frame, on average */
    double memory;   /* bytes */
} advise_candidate;

enum { ADVISE_CANDIDATES = 64 };

typedef struct advise_run {
    const world *world;
    const advise_needs *needs;
    uint64_t random;
    double seconds;  /* of processor time, to be spent at most (roughly) */
    double spent_us; /* so far */
    bool thorough;   /* nobody is dropped */
    bool own;        /* the candidates were named: measured even if they are no use */
    advise_candidate all[ADVISE_CANDIDATES];
    uint32_t count;
    problem_set problems;
    statistic commit_us; /* what the world itself takes for an edit */
    uint32_t edits;
    uint32_t chosen;                                   /* ADVISE_CANDIDATES = none */
    char asked[ALGORITHM_SPEC], taken[ALGORITHM_SPEC]; /* `auto` for the needs; who that is */
} advise_run;

/* ---- measuring (advise_measure.c) ---- */

/* Measures all candidates. The needs decide who is measured on. END_OK, or another end after a
 * complaint. The world is as before. Free the run in every case. */
int advise_measure(const command *self, advise_run *run, const algorithm_list *algorithms);
void advise_free(advise_run *run);

/* ---- choosing (advise_choose.c) ---- */

/* What a candidate would take of the game, and whether it obeys the needs. */
void advise_judge(const advise_run *run, advise_candidate *c);

/* Judges all, and chooses. */
void advise_choose(advise_run *run);

/* A candidate that nobody beats in time, memory and length together. */
bool advise_on_front(const advise_run *run, const advise_candidate *c);

/* The rest of a sentence about it: "needs 12.3 MB of memory, and there are 2 MB". */
enum { ADVISE_TEXT = 160 };
const char *advise_reason(const advise_run *run, const advise_candidate *c, char out[ADVISE_TEXT]);

/* A word for JSON. */
const char *advise_fault_name(advise_fault fault);

/* ---- settings (advise_settings.c) ---- */

/* Paths that may be so many per cent longer need not be the best for `auto`. */
enum { ADVISE_SOME_PERCENT = 10 };

/* Fills `asked` and `taken`. END_OK, or another end after a complaint. */
int advise_auto(const command *self, advise_run *run);

/* The chosen one and the needs as a scenario of `cairn simulate`, without the agents' profile. */
void advise_write_settings(const advise_run *run, FILE *out);

#endif
