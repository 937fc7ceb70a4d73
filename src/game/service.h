/* service.h: the path service, inside. <cairn/service.h> says what it does.
 *
 * A *ticket* is what one caller waits for. A *job* is one search and its answer; equal requests
 * share a job. Jobs wait in the queue of their planner (turns.h) until one of its *desks* is free.
 * A desk has a search that is used again and again. An update goes round all desks with a job and
 * gives each a slice of work, until the budget is used.
 *
 * How much each desk gets is decided before any of them works. So the slices of a round may run on
 * any threads, and what happens is always the same.
 */
#ifndef CRN_SERVICE_H
#define CRN_SERVICE_H

#include "game/follow.h"
#include "game/pin.h"
#include "game/turns.h"
#include "game/twins.h"
#include "search/search.h"

#define CRN_SERVICE_NONE UINT32_MAX
enum { CRN_SERVICE_CLASSES = 32, CRN_SERVICE_DESKS = 64 };

typedef enum crn_job_state {
    CRN_JOB_FREE,
    CRN_JOB_WAITS,
    CRN_JOB_AT_DESK,
    CRN_JOB_DONE
} crn_job_state;

typedef struct crn_job {
    crn_job_state state;
    uint32_t planner;
    cairn_node from, to;
    uint64_t max_work;
    uint32_t piece;
    bool partial;
    bool begun;       /* its search has */
    bool more;        /* the next piece is asked for */
    uint8_t restarts; /* after commits, up to CRN_PIN_RESTARTS ... */
    uint8_t lost;     /* ... and pins that were lost */
    uint64_t missed;  /* the last version of the world for which there was no memory to pin it */
    uint64_t wrong;   /* what was found in this version, less 1, is wrong by now; 0 = nothing */
    uint64_t due;     /* in which frame it should be served */
    uint64_t serial;  /* of its first ticket */
    uint32_t tickets; /* the first of its tickets */
    uint32_t desk;
    uint32_t next;        /* equal hash, or the next free one */
    uint32_t follow;      /* its path is walked (follow.h); CRN_SERVICE_NONE = it is not */
    bool took;            /* the last search that ended for it: its path became the answer */
    cairn_path *answer;   /* in a block of its own, with its arrays; NULL = none yet */
    uint32_t block_class; /* CRN_SERVICE_CLASSES = it has no block: it says only why */
} crn_job;

typedef struct crn_ticket {
    cairn_ticket number; /* 0 = free */
    uint32_t job;        /* CRN_SERVICE_NONE: it was too late */
    uint32_t next;       /* of the same job, or the next free one */
    uint32_t wait;       /* frames that it may wait before it is as urgent as any */
    uint64_t due;        /* in which frame it should be served */
    uint64_t deadline;   /* the last frame in which an answer is worth something */
    uint32_t frames;     /* that it may wait for an answer, or for the next piece; 0 = any */
    bool ready;          /* it is listed to be told */
    cairn_answer_function *answer;
    void *user;
} crn_ticket;

typedef struct crn_desk {
    cairn_search *search;
    crn_pin *pin; /* NULL = none yet */
    bool pinned;  /* that is used for this job instead of `search` */
    uint32_t planner, job;
    bool resting;     /* the job is done, but the search knows how its path goes on */
    bool syncs;       /* it brings an index up to date, which the job needs */
    bool holds;       /* the search is over, but there was no room for its answer */
    uint64_t paid;    /* for the next commit that the pin takes in */
    uint64_t granted; /* units in this round */
    uint64_t used, work;
    uint64_t turn;      /* the last one that it had, and ... */
    uint64_t turn_used; /* ... units of the present one */
    double pace;        /* units in a microsecond; 0 = not known */
    cairn_status status;
} crn_desk;

/* When an update ends by the clock; no clock = never. */
typedef struct crn_timer {
    cairn_clock_function *clock;
    void *user;
    double end;
    double left; /* when it was looked at last; without a clock it is always the same */
} crn_timer;

typedef struct crn_service_planner {
    cairn_planner *planner;
    crn_turns queue;
    crn_desk *desks;
    uint32_t desk_count;
    size_t search_bytes;
    cairn_status state; /* of its index in this round */
    uint64_t version;   /* of the world when that was looked at last */
    uint64_t seen;   /* of the world when searches were looked at last (service_survive.c), ... */
    crn_facts facts; /* ... and what they rest on */
    bool needed;     /* somebody did when it was looked at last */
    uint32_t late;   /* commits since it was up to date, while somebody needed it */
    uint32_t background; /* its syncs take so many frames; 0 = they are done in slices */
    uint64_t failed;     /* of them, without memory */
    crn_twins *twins;    /* that serve for it; NULL = it does itself, ... */
    bool may_copy;       /* ... until commits come faster than slices follow, ... */
    uint64_t paid;       /* ... units for what they are going to read, ... */
    uint64_t tried;      /* ... and the frame in which they began to, or could not */
    crn_desk *sync;      /* behind the desks: in slices, for which it competes as they do */
    uint64_t sync_end;   /* the frame in which the one that is under way ends; 0 = none is */
    crn_watch watch;     /* over the paths that are walked, ... */
    double watch_pace;   /* ... and its units in a microsecond; 0 = not known */
} crn_service_planner;

struct cairn_service {
    cairn_context *context;
    crn_scratch memory; /* all but the searches */
    cairn_service_options options;
    crn_service_planner planners[CAIRN_SERVICE_PLANNERS];
    uint32_t planner_count;
    uint32_t desk_count; /* of all planners */

    crn_job *jobs;
    size_t job_capacity;
    uint32_t free_job, job_count; /* those above job_count were never used */
    uint32_t *job_places;
    size_t job_place_capacity;
    uint32_t *buckets; /* jobs that may be shared, by hash */
    size_t bucket_count;

    crn_ticket *tickets;
    size_t ticket_capacity;
    uint32_t free_ticket, ticket_count;
    uint32_t *ticket_places;
    size_t ticket_place_capacity;
    crn_turns deadlines;

    cairn_ticket *ready; /* tickets that get their answers in this update */
    size_t ready_count, ready_capacity;
    crn_desk **round; /* desks that work, the most urgent first */
    size_t round_capacity;
    uint64_t turns; /* that desks have had */

    crn_follow *follows;
    size_t follow_capacity;
    uint32_t free_follow, follow_count; /* those above were never used */
    crn_run *runs;
    size_t run_capacity;
    uint32_t free_run, run_count;

    void *free_blocks[CRN_SERVICE_CLASSES]; /* of answers that were given up, by size */
    uint32_t answers;                       /* that are kept */
    uint64_t frame;
    uint64_t serial;
    uint64_t debt;                       /* units that frames have used above their soft budgets */
    uint64_t overrun;                    /* units that indexes have taken above the budgets */
    double squares;                      /* of the differences of bytes from their mean, added up */
    cairn_path none[CAIRN_STATUS_COUNT]; /* answers that say only why there is no path */
    cairn_service_use use;
    cairn_ticket delivering; /* its function is running ... */
    bool released;           /* ... and has released it ... */
    bool dropped;            /* ... or its path, which is dropped behind that */
};

/* ---- jobs (service_jobs.c) ---- */

/* Finds the ticket; NULL = there is none of this number. */
crn_ticket *crn_service_find(const cairn_service *service, cairn_ticket number);

/* Lets a ticket leave its job, which ends if nobody else waits for it. */
void crn_service_leave(cairn_service *service, crn_ticket *ticket);

/* Puts a job into the queue of its planner, by the urgency of its tickets. There is room. */
void crn_service_enqueue(cairn_service *service, uint32_t job);

/* The job cannot be joined any more. */
void crn_service_hide(cairn_service *service, uint32_t job);

/* Keeps what a job answers, and lists its tickets for delivery. False = there is no room for the
 * path: nothing has changed. */
bool crn_service_finish(cairn_service *service, uint32_t job, const cairn_path *path);

/* Takes a job that is done, or waits, or is at a desk, away from there: it is done, with the answer
 * that it has. */
void crn_service_recall(cairn_service *service, uint32_t job);

/* The job of a desk is done with it. */
void crn_service_leave_desk(const cairn_service *service, crn_desk *desk);

/* A job at a desk waits again, as urgent as it was. */
void crn_service_put_back(cairn_service *service, uint32_t job);

/* Makes the job wait for a search from `from`; `lead` frames of waiting count as passed. It may be
 * anywhere; its answer stays. */
void crn_service_ask_again(cairn_service *service, uint32_t job, cairn_node from, uint32_t lead);

/* A job of its own for a ticket that shares an answered one, with a copy of the answer; false = no
 * memory. */
bool crn_service_separate(cairn_service *service, crn_ticket *ticket);

/* Ends a job without a path; this needs no memory. */
void crn_service_refuse(cairn_service *service, uint32_t job, cairn_status status);

/* ---- time (service_update.c) ---- */

/* Is there time left? */
bool crn_timer_look(crn_timer *timer);

/* ---- indexes (service_indexes.c) ---- */

/* Sees whether the index of a planner is up to date. If it is not, and somebody needs it, `sync`
 * has the most urgent job that does. Returns units that were used, of so many that are left: for
 * reading what twins need, or, above them, for a sync that was to be done in the background and
 * cannot be. */
uint64_t crn_indexes_look(cairn_service *service, crn_service_planner *planner, uint64_t left,
                          cairn_frame *frame);

/* What a twin has found for the job of a desk is wrong by now, and the world cannot be pinned: it
 * waits until another index serves. If that happens too often, it is told so. */
void crn_indexes_await(cairn_service *service, const crn_service_planner *planner, crn_desk *desk);
bool crn_indexes_awaits(const cairn_service *service, const crn_service_planner *planner,
                        const crn_desk *desk);

/* The planner whose index serves. */
cairn_planner *crn_indexes_planner(const crn_service_planner *planner);

/* Does `sync` get a slice? Not as long as what cannot be divided is to be paid back, but for
 * requests whose time has come. */
bool crn_indexes_may_sync(const cairn_service *service, const crn_service_planner *planner);

/* A slice of bringing it up to date, of the units that `sync` was granted. Returns those it took.
 */
uint64_t crn_indexes_sync(cairn_service *service, crn_service_planner *planner);

/* Do commits come faster than it can follow, so that requests must do without it? */
bool crn_indexes_is_late(const crn_service_planner *planner);

/* Ends a sync in the background now. */
void crn_indexes_wait(crn_service_planner *planner);

/* What an index has found, as it is worth now. True = it is about an older world. */
bool crn_indexes_result(const cairn_service *service, const crn_service_planner *planner,
                        const crn_job *job, const cairn_path *path, cairn_path *out);

/* All that wait for a planner, or have begun and need its index, are told why they get no answer.
 */
void crn_indexes_refuse(cairn_service *service, const crn_service_planner *planner,
                        cairn_status status);

/* ---- searches that commits miss (service_survive.c) ---- */

/* Lets those go on that have read nothing that was changed, with at most so many units, until time
 * is over. Returns those used. */
uint64_t crn_survive(cairn_service *service, uint64_t units, crn_timer *timer);

/* ---- searches in the world as it was (service_pins.c) ---- */

/* The search that a desk uses. */
cairn_search *crn_pins_search(const crn_desk *desk);

/* Pins the desk; false = that cannot be. Without memory its job may wait again, or be told so. */
bool crn_pins_take(cairn_service *service, crn_service_planner *planner, crn_desk *desk);

/* Units that a frame has left for pins, and those that it would have without debts. */
typedef struct crn_pins_budget {
    uint64_t units, most;
} crn_pins_budget;

/* Lets all pins take in what was committed, until time is over. Returns the units used. */
uint64_t crn_pins_refresh(cairn_service *service, const crn_pins_budget *budget, crn_timer *timer);

/* Can the desk go on? */
bool crn_pins_is_ready(const crn_desk *desk);

/* What the search of a pinned desk has found, as it is worth in the world as it is. True = it is
 * about an older one. */
bool crn_pins_result(const cairn_service *service, const crn_desk *desk, cairn_path *out);

/* ---- answers (service_answers.c) ---- */

/* Keeps a path as the answer of a job: a copy, or itself if it is one of those that say only why
 * there is none. False = no memory. */
bool crn_answer_keep(cairn_service *service, crn_job *job, const cairn_path *path);
void crn_answer_drop(cairn_service *service, crn_job *job);

/* The same, but while its ticket is being told it stays until that is over. */
void crn_answer_give_up(cairn_service *service, crn_job *job);

/* What was found in an older world, of which this is a space, as it is worth in the present one: a
 * path costs what it costs now, and where there is no path the status says why there is none now.
 * What does not hold any more becomes CAIRN_STALE. */
void crn_answer_check(const cairn_service *service, const crn_job *job, const cairn_space *then,
                      cairn_path *out);

/* Frees all blocks that are not in use. */
void crn_answers_trim(cairn_service *service);

#endif
