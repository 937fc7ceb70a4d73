/* reproduce.h: what the parts of `cairn reproduce` share.
 *
 * A *table* is something that was published: a test set of a thesis, a table of another one. It is
 * measured in *parts*, one for each map, that are independent of each other, so any thread can
 * measure any part. Its result is a *record*: for each *series* (an algorithm with parameters) and
 * each *metric* a statistic over the problems of the map. Records are kept in a journal, so that an
 * interrupted run can continue; what is printed depends on records alone.
 *
 *     reproduce_tables.c   the list of tables; those of T 7: maps, series, what was published
 *     reproduce_sga.c      those of T 8.3
 *     reproduce_discrete.c that of T 5.3 to 5.6
 *     reproduce_t_continuous.c that of T 6
 *     reproduce_scheduling.c that of T 2.4.3 and 4.3.1, agents' updates in frames: all of it
 *     reproduce_t_labels.c that of T 8.2.1.2, connected components, and how it is printed
 *     reproduce_h.c        H's
 *     reproduce_l.c        L's
 *     reproduce_sets.c     which maps and problems a part has
 *     reproduce_compare.c  a part: several algorithms on the same problems
 *     reproduce_edits.c    a part: building, and rebuilding after an edit
 *     reproduce_continuous.c  a part: agents in a world that changes
 *     reproduce_continuous_page.c  how that is printed and drawn
 *     reproduce_labels.c   a part: connected components under edits, and queries between them
 *     reproduce_walks.c    a part: agents that walk, move by move
 *     reproduce_run.c      all parts, on threads, with progress
 *     reproduce_records.c  statistics and records
 *     reproduce_journal.c  records in files
 *     reproduce_claims.c   what was claimed beside what was measured
 *     reproduce_print.c    tables
 *     reproduce_costs.c    total costs and the Pareto front
 *     reproduce_charts.c   which plots there are
 *     reproduce_plot.c     bars; as SVG and PNG by pen_svg.c and pen_png.c
 *     reproduce_front.c    L's plot: time of a move against length
 *     reproduce_report.c   index.md and CSV
 */
#ifndef PROGRAM_REPRODUCE_H
#define PROGRAM_REPRODUCE_H

#include "algorithms.h"
#include "command.h"

#include <cairn/io.h>
#include <stdio.h>

/* ---- statistics ---- */

typedef struct statistic {
    uint32_t count;
    double sum, squares, least, most;
} statistic;

void statistic_add(statistic *s, double value);
void statistic_join(statistic *s, const statistic *other);
double statistic_mean(const statistic *s);      /* NAN if nothing was counted */
double statistic_deviation(const statistic *s); /* the standard deviation of what was counted */

/* Sorts the values. */
double statistic_median(double *values, uint32_t count);

/* "Percent" is of what the base of a series, an A*, took for the same problem. Those from
 * METRIC_TIME on depend on the machine. */
typedef enum reproduce_metric {
    METRIC_FAILED, /* 1 = no path where there is one, or one where there is none */
    METRIC_COST,   /* in straight steps */
    METRIC_CELLS,  /* of the path */
    METRIC_EXPANDED,
    METRIC_EXPANDED_PERCENT,
    METRIC_REVISITED, /* nodes that were closed and opened again */
    METRIC_LARGEST,   /* nodes that the largest search inside the search has seen: T's memory */
    METRIC_LARGEST_PERCENT,
    METRIC_MEMORY, /* bytes at most */
    METRIC_MEMORY_PERCENT,
    METRIC_LONGER, /* per cent above the best */
    METRIC_LONGER_SMOOTHED,
    METRIC_WITHIN_1, /* 1 = at most 1 % above it */
    METRIC_WITHIN_5,
    METRIC_INDEX_BYTES,
    METRIC_OPEN,       /* per cent of the map */
    METRIC_CHANGED,    /* cells of an edit */
    METRIC_COST_AFTER, /* of the path after it, from where the agent was then */
    METRIC_SPLIT,      /* 1 = it changed the number of components */
    METRIC_TILES,      /* that a commit has updated, and ... */
    METRIC_BLOCKS,     /* ... rejoined, for the components */
    METRIC_SUBGOALS,   /* that SGA* searched for */
    METRIC_DISCARDED,  /* per cent of them in other components */
    METRIC_WASTED,     /* nodes expanded for those */
    METRIC_WASTED_PERCENT,
    METRIC_REST_PERCENT,  /* nodes, as a per cent of those of the base that were not wasted */
    METRIC_DIFFICULTY,    /* nodes that A* expands for each edge of its path (L 7) */
    METRIC_TURNS,         /* moves that an agent was asked for; 1 where a whole path is */
    METRIC_AGENT_BYTES,   /* what one agent holds, beside the index */
    METRIC_RECORDS_SHARE, /* per cent of the index: records, ... */
    METRIC_CELLS_SHARE,   /* ... which region a cell lies in, ... */
    METRIC_TABLE_SHARE,   /* ... and where to begin looking for that */
    METRIC_ALONE,         /* 100 = an agent with an index begins with its goal as only subgoal */
    METRIC_AFTER,         /* nodes expanded after an agent's first step */
    METRIC_AFTER_PERCENT,
    METRIC_BASE_EXPANDED, /* what the base of the series took for the same problems: nodes ... */
    METRIC_BASE_AFTER,    /* ... and those after the first step */
    METRIC_WORK,          /* units of work of agents: expansions, and entries of queues sorted */
    METRIC_ARRIVED,       /* agents of a crowd that were at their goals in the end */
    METRIC_FRAME_PERCENT, /* work of a frame, as a per cent of its budget */
    METRIC_FRAMES_OVER,   /* 100 = more than that, else 0 */
    METRIC_ANSWER_FRAMES, /* until a path is there */
    METRIC_STANDING,      /* 100 = an agent with a path was not moved, else 0 */
    METRIC_FRAME_1,       /* METRIC_FRAME_PERCENT of the first frame of a period ... */
    METRIC_FRAME_2,
    METRIC_FRAME_3,
    METRIC_FRAME_4,
    METRIC_FRAME_5,
    METRIC_FRAME_6,
    METRIC_FRAME_7,
    METRIC_FRAME_8,   /* ... and of the last */
    METRIC_TIME,      /* microseconds */
    METRIC_BASE_TIME, /* of the base, likewise */
    METRIC_TIME_PERCENT,
    METRIC_BUILD_MS,
    METRIC_REBUILD_MS, /* in the background */
    METRIC_REPAIR_MS,
    METRIC_REPLAN_MS,
    METRIC_STEPS,      /* that the agent made meanwhile */
    METRIC_RELABEL_MS, /* labels of all cells from scratch */
    /* what a space adds to a commit, as a per cent of that */
    METRIC_UPKEEP_PERCENT,
    METRIC_MOVE_TIME,  /* microseconds of a move: mean of a walk, ... */
    METRIC_WORST_MOVE, /* ... and the longest */
    METRIC_STAGE_1_MS, /* of a build, by its progress: the first third, ... */
    METRIC_STAGE_2_MS,
    METRIC_STAGE_3_MS,
    METRIC_COUNT
} reproduce_metric;

/* A bit for each; the frames of a period have one together. */
#define METRIC_PLACE(metric) \
    ((metric) <= METRIC_FRAME_1   ? (metric) \
     : (metric) <= METRIC_FRAME_8 ? METRIC_FRAME_1 \
                                  : (metric) - (METRIC_FRAME_8 - METRIC_FRAME_1))
#define METRIC_BIT(metric) (UINT64_C(1) << METRIC_PLACE(metric))
_Static_assert(METRIC_PLACE(METRIC_COUNT) <= 64, "all fit into a word");

/* As in the heads of CSV files and in journals. */
extern const char *const reproduce_metric_names[METRIC_COUNT];

enum {
    REPRODUCE_SERIES = 32,
    REPRODUCE_NAME = 64,
    REPRODUCE_PATH = 4096,
    REPRODUCE_TABLES_MAX = 32,
    /* One more whenever numbers of the same series are found in another way: results of different
     * rules must not stand in one folder. 2: T's own A* and its bases, ease, MaxDev as the larger
     * difference. 3: one measured run of a problem, some series on a sample of the problems. */
    REPRODUCE_RULES = 3
};

typedef struct reproduce_record {
    statistic cells[REPRODUCE_SERIES][METRIC_COUNT];
} reproduce_record;

/* ---- tables ---- */

typedef struct reproduce_series {
    const char *name, *spec;
    uint32_t base; /* the series that this one is a per cent of */
    uint32_t
        every; /* measured for the first problem of a map and then every this many; 0 = for all */
} reproduce_series;

/* Many maps of one kind. */
typedef struct reproduce_set {
    const char *name;   /* of itself and its maps; NULL = that of the folder or kind */
    const char *folder; /* below the data folder; NULL = generated */
    /* instead: these, FOLDER/NAME, each enlarged to at least so many cells; `maps` of them */
    const char *const *files;
    uint32_t cells;
    bool repeated;             /* others have the same: its name goes before theirs */
    bool shrinks;              /* with --quick a sixteenth as wide and high */
    cairn_generator_kind kind; /* of a generated one; seeds 1, 2, 3, … */
    uint32_t maps;             /* generated: how many */
    uint32_t side;             /* generated: so wide and high; 0 = the default size */
    /* generated: every second one is only so wide; 0 = the default size */
    uint32_t narrow;
    uint32_t wide[2], high[2]; /* generated: of the first map and of the last; 0 = as above */
    uint32_t percent, loops;   /* generated, numbers of the generator; 0 = the default */
    /* generated, numbers of the generator: of the first map and of the last; evenly between them;
     * region 0 = the default */
    uint32_t closed[2], ease[2], region[2];
    uint32_t problems; /* a map; of a scenario with more of them, evenly; 0 = all */
    /* of a scenario: only problems whose published length is at most this; 0 = all */
    uint32_t longest;
} reproduce_set;

/* A map of H's, with what H published of it; 0 = nothing. Costs in H's units: a straight step is 1,
 * a diagonal one 1.4. */
typedef struct reproduce_h_row {
    double cost;
    uint32_t cells;
    double ms;
    uint32_t expanded;
    double worse; /* per cent */
} reproduce_h_row;

typedef struct reproduce_h_map {
    const char *name, *folder, *file;        /* folder NULL = generated */
    const char *kind;                        /* of the generator */
    uint32_t width, height, numbers[2];      /* percent, or corridor and wall */
    cairn_cell from, to;                     /* chosen by us */
    reproduce_h_row astar, hpa, pra;         /* H 4.1 */
    double open, pra_build_ms, hpa_build_ms; /* H 4.2 */
    cairn_cell edit[2];                      /* H 4.4: the corners of what changes, chosen by us */
    bool opens;                              /* else it is blocked */
    double rebuild_ms, replan_ms;
    uint32_t steps;
} reproduce_h_map;

struct reproduce_job;
struct reproduce_run;
struct reproduce_table;

typedef enum claim_kind {
    CLAIM_MEAN,       /* over all problems */
    CLAIM_DEVIATION,  /* of them */
    CLAIM_SPREAD,     /* that, over the mean */
    CLAIM_MOST,       /* the largest of a problem */
    CLAIM_WORST_MAP,  /* the largest mean of a map ... */
    CLAIM_BEST_MAP,   /* ... and the smallest */
    CLAIM_MAPS_ABOVE, /* the per cent of maps with a mean above 100 */
    /* the mean, over that of the other series: of per cents those of the problems, else sums */
    CLAIM_RATIO,
    CLAIM_MOST_RATIO,  /* on the map where it is largest ... */
    CLAIM_LEAST_RATIO, /* ... and smallest */
    CLAIM_MOST_GAP,    /* the largest difference of the means of a map, whatever its sign */
    CLAIM_DIFFERENCE,  /* the mean, less that of the other series */
    CLAIM_SHARE,       /* the mean, times 100 */
    CLAIM_NODE_RATIO,  /* the time of an expansion, over that of the other series */
    /* what the other series, of edits, adds to a commit, over what this one saves of the time of
     * its base: this many queries pay for 1000 edits */
    CLAIM_BREAK_EVEN,
    /* the sum over all problems, as a per cent of what the base took for the same ones */
    CLAIM_POOLED,
    /* the mean, over that of the same series in another set: `other` is its number, from 0 on */
    CLAIM_OTHER_SET,
    /* of the index, over what an agent saves of the memory of the other series: this many agents
     * pay for it */
    CLAIM_AGENTS,
    /* CLAIM_RATIO in each of several sets by itself: it agrees only if all of them do */
    CLAIM_EVERY_RATIO
} claim_kind;

/* Which numbers are better than others. Neither, where a claim is that something is large, or worse
 * than something else: what is not so contradicts it, however welcome that is. */
typedef enum claim_good { GOOD_NEITHER, GOOD_LESS, GOOD_MORE } claim_good;

/* What was said of a table. The measured number agrees if it lies between `low` and `high`; beyond
 * the good end it is better than was said; else it contradicts. There is a sentence for each of the
 * three cases, NULL for one that cannot be. {} stands for the number in it, and {bytes} for the
 * same claim's in bytes, where it is about nodes (METRIC_LARGEST_PERCENT). */
typedef struct reproduce_claim {
    const char *what, *published; /* published NULL: nobody did, but the number belongs here */
    claim_kind kind;
    uint32_t series, other;
    reproduce_metric metric;
    double low, high;
    const char *unit; /* behind the number */
    const char *agrees, *below, *above;
    claim_good good;
} reproduce_claim;

/* A published number for the plots: of a series, 0 = of all that were published; of the mean of all
 * problems, or of single maps. */
typedef struct reproduce_mark {
    reproduce_metric metric;
    uint32_t series;
    double low, high;
    bool map;
} reproduce_mark;

/* How an agent is asked for its moves. */
typedef enum reproduce_asked {
    ASK_BY_KIND, /* a navigator; an agent of the index; else the path in pieces of one step */
    ASK_WHOLE,   /* the whole path at once */
    ASK_MOVES    /* single moves, from the index alone */
} reproduce_asked;

typedef struct reproduce_table {
    const char *name, *title;
    const char *about; /* what is run, for the page */
    const reproduce_set *sets;
    uint32_t set_count;
    const reproduce_h_map *maps; /* instead of sets */
    uint32_t map_count;
    const reproduce_series *series; /* costs are compared with the first one's, which is optimal */
    uint32_t series_count;
    uint32_t
        edit_series;  /* this many of them, the last ones, are no algorithms but kinds of edits */
    bool open_series; /* -a may name others */
    /* with --quick: other parameters of the same algorithm; NULL = the same, of one or of all */
    const char *const *quick_specs;
    const uint8_t *walks; /* reproduce_walk: of each series a reproduce_asked */
    /* of each series the sets that it is measured on, as bits; NULL = all on all */
    const uint64_t *series_sets;
    /* reproduce_walk: of each series how many maps of a set it is measured on; 0 or NULL = all */
    const uint8_t *series_maps;
    /* reproduce_continue: of each set; and, as bits, the series whose agents plan again only when
     * their path is blocked */
    const struct continuous_setup *setups;
    uint64_t blocked_series;
    bool solved_by_all; /* what one of them gives up counts as failed, and for nobody else */
    bool harvanova;     /* H's costs and corners, which are L's, too */
    bool smooth;        /* smooth the paths, too */
    uint32_t problems;  /* with maps: random ones on each, beside H's; 0 = only H's */
    uint64_t metrics;   /* bits: the columns */
    bool (*run)(struct reproduce_job *job);
    void (*print)(const struct reproduce_run *run, const struct reproduce_table *table, FILE *out);
    /* NULL = no plots */
    bool (*draw)(const struct reproduce_run *run, const struct reproduce_table *table);
    /* reproduce_print_variants: four numbers for each series but the first */
    const char *const *published;
    uint32_t published_count; /* of series that have them */
    const reproduce_mark *marks;
    uint32_t mark_count;
    const reproduce_claim *claims;
    uint32_t claim_count;
    /* of each claim the number of its set, from 1 on; 0 = all sets; NULL = all of all */
    const uint8_t *claim_sets;
    uint32_t claim_set; /* without those, of all claims */
    /* of each CLAIM_EVERY_RATIO the bits of its sets; those that were not measured are left out */
    const uint64_t *claim_every;
    const char *close; /* a sentence or two at the end of the paragraph: why */
} reproduce_table;

extern const reproduce_table *const reproduce_tables[];
extern const uint32_t reproduce_table_count;

/* ---- a run ---- */

typedef struct reproduce_options {
    const char *output, *data;
    uint32_t every, maps, repeat, threads;
    bool quick, fresh, problems, list, json;
    arg_texts algorithms;
} reproduce_options;

typedef struct reproduce_part {
    const reproduce_table *table;
    const reproduce_set *set; /* one of the two */
    const reproduce_h_map *h_map;
    uint32_t number;          /* in its set; the seed of a generated one */
    char map[REPRODUCE_NAME]; /* its name, without folder and ending */
    bool done;
    bool recorded; /* only the journal knows it: the map is not there now */
    reproduce_record record;
} reproduce_part;

typedef enum reproduce_state {
    TABLE_NOT_ASKED,
    TABLE_MEASURED,
    TABLE_NO_DATA,
    TABLE_NO_ALGORITHM
} reproduce_state;

typedef struct reproduce_run {
    const reproduce_options *options;
    algorithm_list own; /* of -a */
    reproduce_state states[REPRODUCE_TABLES_MAX];
    reproduce_series series[REPRODUCE_TABLES_MAX][REPRODUCE_SERIES]; /* those that are measured */
    uint32_t series_count[REPRODUCE_TABLES_MAX];
    uint32_t incomplete[REPRODUCE_TABLES_MAX]; /* maps without a scenario */
    reproduce_part *parts;
    uint32_t part_count;
    char settings[1024]; /* what the journal must agree with */
    int lock;            /* keeps other runs out of the folder; 0 = not yet */
} reproduce_run;

/* One part at work. */
typedef struct reproduce_job {
    const reproduce_run *run;
    reproduce_part *part;
    const reproduce_series *series;
    uint32_t series_count;
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    uint64_t fingerprint;
    void *work;    /* reproduce_run.c: whom to tell ... */
    uint32_t told; /* ... how much of it is done, in thousandths */
} reproduce_job;

typedef struct reproduce_problem {
    uint32_t number;
    cairn_node from, to;
} reproduce_problem;

/* Those of T 8 and H. */
extern const reproduce_table reproduce_t_counter_strike, reproduce_t_company_of_heroes,
    reproduce_t_baldurs_gate, reproduce_t_starcraft, reproduce_t_pseudo_rts, reproduce_t_labels,
    reproduce_t_discrete, reproduce_t_continuous, reproduce_t_scheduling;
extern const reproduce_table reproduce_h_paths, reproduce_h_building, reproduce_h_entrances,
    reproduce_h_variants, reproduce_h_edits;
extern const reproduce_table reproduce_l_table1;

/* Its place in the list. */
uint32_t reproduce_table_number(const reproduce_table *table);

/* reproduce_sets.c: fills in the parts of a table that is asked for, as far as there are maps.
 * False after a complaint. */
bool reproduce_plan(reproduce_run *run, const reproduce_table *table);

/* Is the folder of a set there? And what is the set called? */
bool reproduce_has_set(const reproduce_run *run, const reproduce_set *set);
const char *reproduce_set_name(const reproduce_set *set);

/* splitmix64, as everywhere in Cairn. */
uint64_t reproduce_random(uint64_t *state);

/* A hash of what a part works on: the bytes of its map and scenario, or the map that is generated.
 * False after a complaint. */
bool reproduce_fingerprint(const reproduce_run *run, const reproduce_part *part, uint64_t *out);

/* The map of a part as its agent sees it; problems for it, to be freed. False after a complaint. */
bool reproduce_open(reproduce_job *job);
void reproduce_close(reproduce_job *job);
bool reproduce_problems(reproduce_job *job, reproduce_problem **out, uint32_t *count);

/* The runners of parts: false after a complaint, or if all is to end. */
bool reproduce_compare(reproduce_job *job);
bool reproduce_build(reproduce_job *job);
bool reproduce_edit(reproduce_job *job);
bool reproduce_label(reproduce_job *job);
bool reproduce_walk(reproduce_job *job);
bool reproduce_continue(reproduce_job *job);
bool reproduce_schedule(reproduce_job *job);

/* reproduce_compare.c: what asking for the time takes, and the time of a query, less that: of one
 * run, or, where it is the only turn and short, the median of three. Microseconds. */
double reproduce_asking(void);
double reproduce_time(double asking, cairn_search *search, const cairn_query *query, bool only,
                      const cairn_path **path);

/* reproduce_run.c: measures all parts that are not done yet. An end code. */
int reproduce_measure(reproduce_run *run);

/* The signal that asked for the end; 0 = none. */
int reproduce_ending(void);

/* Tells how much of a part is done. */
void reproduce_advance(reproduce_job *job, double part);

/* How often what a part measures is measured, for the median of it. */
uint32_t reproduce_repeats(const reproduce_job *job);

/* Microseconds of processor time of this thread: others may use the machine meanwhile. */
double reproduce_clock(void);

/* reproduce_journal.c: FNV-1a, beginning with REPRODUCE_HASH; and the names of the maps of a table
 * that are in the journal, each given to `each`, which returns false to end it all. */
#define REPRODUCE_HASH UINT64_C(0xcbf29ce484222325)
uint64_t reproduce_hash(uint64_t hash, const void *bytes, size_t length);
bool journal_list(reproduce_run *run, const reproduce_table *table,
                  bool each(reproduce_run *run, const reproduce_table *table, const char *map));
bool journal_open(reproduce_run *run); /* false after a complaint */
void journal_close(reproduce_run *run);
bool journal_read(const reproduce_run *run,
                  reproduce_part *part); /* false after a complaint; part->done if it was there */
bool journal_write(const reproduce_run *run, const reproduce_part *part, uint64_t fingerprint);

/* A long part may keep what it has so far. `recall` brings it back, if it was kept by the same run
 * on the same map; false after a complaint. journal_write ends it. */
bool journal_keep(const reproduce_run *run, const reproduce_part *part, uint64_t fingerprint);
bool journal_recall(const reproduce_run *run, reproduce_part *part, uint64_t fingerprint);

/* A file of the output folder, which is there whole or not at all: written elsewhere first.
 * NULL and false after a complaint. */
bool reproduce_is_there(const reproduce_run *run, const char *name);
FILE *reproduce_create(const reproduce_run *run, const char *name);
bool reproduce_finish(const reproduce_run *run, FILE *file, const char *name);

/* The file with the lines of the problems of a part. */
void reproduce_lines_name(const reproduce_part *part, char out[REPRODUCE_NAME * 3]);

/* reproduce_records.c: the algorithms of a table in this run, whether -a named them, the next part
 * of it that is done, from the *at-th part of the run on (NULL at the end), and its parts together:
 * those of a set, NULL = all. */
const reproduce_series *reproduce_series_of(const reproduce_run *run, const reproduce_table *table);
uint32_t reproduce_series_count(const reproduce_run *run, const reproduce_table *table);
bool reproduce_has_own(const reproduce_run *run, const reproduce_table *table);
const reproduce_part *reproduce_next(const reproduce_run *run, const reproduce_table *table,
                                     uint32_t *at);
double reproduce_mean(const reproduce_record *record, uint32_t series, reproduce_metric metric);
/* METRIC_EXPANDED, METRIC_AFTER or METRIC_TIME of all problems together, as a per cent of what the
 * base took for the same ones. */
double reproduce_pooled(const reproduce_record *record, uint32_t series, reproduce_metric metric);
uint32_t reproduce_problem_count(const statistic *cells);
void reproduce_sum(const reproduce_run *run, const reproduce_table *table, const reproduce_set *set,
                   reproduce_record *out);

/* reproduce_claims.c: how many claims could be looked into, by verdict; the table of them. */
typedef enum claim_verdict {
    VERDICT_AGREES,
    VERDICT_BETTER,
    VERDICT_CONTRADICTS,
    VERDICT_COUNT
} claim_verdict;
void reproduce_count_claims(const reproduce_run *run, const reproduce_table *table,
                            uint32_t counts[VERDICT_COUNT]);
void reproduce_print_claims(const reproduce_run *run, const reproduce_table *table, FILE *out);

/* reproduce_report.c: everything that is left in the folder for people; false after a complaint.
 * And is this the name of such a file? */
bool reproduce_report(const reproduce_run *run);
bool reproduce_is_ours(const char *name);

/* reproduce_charts.c: the plots of tables; false after a complaint. */
bool reproduce_draw_variants(const reproduce_run *run, const reproduce_table *table);
bool reproduce_draw_series(const reproduce_run *run, const reproduce_table *table);
bool reproduce_draw_labels(const reproduce_run *run, const reproduce_table *table);
bool reproduce_draw_h_paths(const reproduce_run *run, const reproduce_table *table);
bool reproduce_draw_h_building(const reproduce_run *run, const reproduce_table *table);
bool reproduce_draw_h_entrances(const reproduce_run *run, const reproduce_table *table);
bool reproduce_draw_h_variants(const reproduce_run *run, const reproduce_table *table);

/* reproduce_print.c */
void reproduce_print_variants(const reproduce_run *run, const reproduce_table *table, FILE *out);
void reproduce_print_series(const reproduce_run *run, const reproduce_table *table, FILE *out);
void reproduce_print_h_paths(const reproduce_run *run, const reproduce_table *table, FILE *out);
void reproduce_print_h_building(const reproduce_run *run, const reproduce_table *table, FILE *out);
void reproduce_print_h_entrances(const reproduce_run *run, const reproduce_table *table, FILE *out);
void reproduce_print_h_edits(const reproduce_run *run, const reproduce_table *table, FILE *out);

/* reproduce_costs.c: time in total, means and deviations of what a problem costs, and which
 * algorithms no other one beats in everything. */
void reproduce_print_costs(const reproduce_run *run, const reproduce_table *table, FILE *out);

/* Numbers of a table's cells (reproduce_print.c): three digits or so, "–" for what is not there; a
 * name, in which stars would be taken for emphasis; a whole number; a mean with its standard
 * deviation. */
void reproduce_print_number(FILE *out, double value);
void reproduce_print_name(FILE *out, const char *name);
void reproduce_print_count(FILE *out, double value);
void reproduce_print_spread(FILE *out, const statistic *s);

/* Map by map, what depends on the machine or what does not. Is there anything to tell? */
bool reproduce_has_maps(const reproduce_table *table, bool times);
void reproduce_print_maps(const reproduce_run *run, const reproduce_table *table, bool times,
                          FILE *out);

/* reproduce_plot.c: groups of bars with whiskers. Values by group, then by series; NAN = no bar, no
 * whisker. A published number is a diamond on a bar, or a line across all groups in the colour of
 * its series. */
enum { PLOT_ALL = 255 };
typedef struct reproduce_spot {
    uint32_t group, series; /* PLOT_ALL = all of them */
    double value;
} reproduce_spot;
typedef struct reproduce_bars {
    const char *title, *unit;
    const char *const *groups;
    uint32_t group_count;
    const char *const *series;
    uint32_t series_count;
    const double *values, *deviations; /* deviations may be NULL */
    double reference;                  /* a line across; 0 = none */
    const reproduce_spot *published;
    uint32_t published_count;
} reproduce_bars;
/* As SVG or PNG; false after a complaint. `draw` writes both,
 * NAME.svg and NAME.png. */
bool reproduce_plot(const reproduce_bars *bars, bool png, FILE *out);
bool reproduce_draw_bars(const reproduce_run *run, const char *name, const reproduce_bars *bars);

/* reproduce_front.c: points on two logarithmic axes, and the front: those that no other measured
 * one beats in both. */
typedef struct reproduce_point {
    const char *family, *label; /* in the legend, once; beside the point, where there is room */
    double x, y;
    uint32_t colour;
    bool published; /* a cross, which is not on the front */
    uint32_t size;  /* 0 = the usual one, else one of the scatter's, from 1 on */
} reproduce_point;
enum { SCATTER_SIZES = 4 };
typedef struct reproduce_scatter {
    const char *title, *across, *up;
    const reproduce_point *points;
    uint32_t count;
    double least;   /* of y: what is smaller is drawn there */
    bool unrelated; /* no front: the points do not compete */
    /* what the sizes of squares mean, from the smallest on, up to NULL */
    const char *sizes[SCATTER_SIZES];
} reproduce_scatter;
bool reproduce_on_front(const reproduce_scatter *scatter, uint32_t point);
bool reproduce_plot_front(const reproduce_scatter *scatter, bool png, FILE *out);
bool reproduce_draw_front(const reproduce_run *run, const char *name,
                          const reproduce_scatter *scatter);

#endif
