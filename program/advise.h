/* advise.h: which algorithm suits a game: candidates, what they need, and the choice.
 *
 * A *candidate* is an algorithm with parameters. It is measured on the game's own map: its index is
 * built, sampled problems are solved, and after sampled edits the index is brought up to date. What
 * a game can give is a set of *needs*. Those who obey all of them compete, and the cheapest wins.
 * That is T's rule (T 4.5): the lowest search time among those that obey the memory, where the peak
 * counts with its variance (T 866).
 *
 * Where edits break paths, much of a long path is searched for nothing. So planners that give
 * pieces are measured with both there, whole paths and pieces, as a path service would ask for
 * them. The form of answers that takes less of a frame is theirs.
 *
 *     advise_measure.c  candidates, and what they take
 *     advise_breaks.c   what edits do to paths, and how long a piece should be
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
    uint32_t speed;   /* cells that an agent walks in a second */
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

enum { ADVISE_RESTS = 16 };

/* The share of agents whose next 1, 2, 4, 8 and so on steps a closing square breaks; and whose
 * whole paths. */
typedef struct advise_share {
    double within[ADVISE_RESTS], whole;
} advise_share;

/* What edits do, whatever the algorithm; nothing if there are none. */
typedef struct advise_edits {
    statistic commit_us;      /* what the world itself takes for one */
    double follow_us;         /* for each step of a path: what a service takes to watch it */
    advise_share others, own; /* own: of those on whose paths a square closes */
    uint32_t piece;           /* first steps that are asked for; 0 = pieces would be whole paths */
} advise_edits;

enum { ADVISE_PROBLEMS = 168 }; /* 8 + 32 + 128 */

/* While problems are made: their paths, which edits may break. */
typedef struct advise_paths {
    cairn_service *service; /* that follows some of them; NULL if there are no edits */
    cairn_node *nodes;      /* of all paths, without their starts */
    size_t begins[ADVISE_PROBLEMS + 1], total;
    uint32_t count;
    double follow_us;
    size_t followed; /* steps */
} advise_paths;

/* One form of answers, whole paths or pieces, and what it takes. */
typedef struct advise_form {
    double broken;   /* answers that edits break in a second */
    double searches; /* in a second, those for broken answers too ... */
    double each_us;  /* ... of which each takes so long */
    double frame_us; /* of a frame, on average, with commits and repairs */
    double longer;   /* per cent */
} advise_form;

typedef struct advise_candidate {
    char spec[ALGORITHM_SPEC];
    cairn_planner *planner;
    cairn_search *search;
    bool index, repairs, slices, pieces;
    double build_us;
    size_t index_bytes;
    uint32_t solved, failed, delegated;
    statistic time_us, first_us; /* of a path, and of its first piece */
    statistic rest_us;           /* of the second half of a path, where there are edits */
    statistic bytes;             /* of searches: the peak of each */
    statistic path_bytes;        /* of answers */
    statistic longer;            /* per cent */
    statistic steps;             /* of paths */
    /* of each path in pieces: how long they take together, how many there are, per cent */
    statistic pieces_us, pieces_count, pieces_longer;
    statistic repair_us; /* to bring the index up to date after a commit */
    bool dropped;        /* others were so much better that it was not measured on */
    advise_fault fault;
    /* what the game would pay: */
    advise_form whole, in_pieces;
    uint32_t
        piece; /* first steps that it is asked for; 0 = whole paths: the form that takes less */
    double frame_us; /* of a frame, on average, in that form */
    double percent;  /* longer than the best, on average, in that form */
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
    advise_paths paths;
    advise_edits edited;
    uint32_t edits;
    uint32_t chosen;                                   /* ADVISE_CANDIDATES = none */
    char asked[ALGORITHM_SPEC], taken[ALGORITHM_SPEC]; /* `auto` for the needs; who that is */
} advise_run;

/* ---- measuring (advise_measure.c) ---- */

/* Measures all candidates. The needs decide who is measured on. END_OK, or another end after a
 * complaint. The world is as before. Free the run in every case. */
int advise_measure(const command *self, advise_run *run, const algorithm_list *algorithms);
void advise_free(advise_run *run);

/* ---- what edits break (advise_breaks.c) ---- */

/* Begins to look at paths of this planner: END_OK, or another end after a complaint. */
int advise_breaks_begin(advise_run *run, cairn_planner *planner);

/* The path of the next problem; false if there is not enough memory. */
bool advise_breaks_add(advise_run *run, const problem *p, const cairn_path *path);

/* Fills `edited`, but for commits. Does nothing if it has not begun. */
void advise_breaks_end(advise_run *run);
void advise_breaks_free(advise_run *run);

/* Answers that edits break in a second, if so many steps are left of each; 0: of whole paths. */
double advise_broken(const advise_run *run, double steps);

/* ---- choosing (advise_choose.c) ---- */

/* What a candidate would take of the game, and whether it obeys the needs. */
void advise_judge(const advise_run *run, advise_candidate *c);

/* Judges all, and chooses. */
void advise_choose(advise_run *run);

/* The form of answers that it is asked for. */
const advise_form *advise_form_of(const advise_candidate *c);

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
