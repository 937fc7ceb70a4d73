/* glue_service.c: a path service. What it calls while it updates, JavaScript imports: the function
 * of an answered ticket, and the clock. */
#include "glue.h"

/* A ticket has its answer, which can be asked for until this returns. */
__attribute__((import_module("cairn"), import_name("answered"))) void glue_answered(
    const cairn_service *service, uint64_t ticket);

/* Microseconds. */
__attribute__((import_module("cairn"), import_name("clock"))) double glue_clock(void);

static void service_answered(void *user, cairn_ticket ticket, const cairn_path *path)
{
    (void)path;
    glue_answered(user, ticket);
}

static double service_clock(void *user)
{
    (void)user;
    return glue_clock();
}

/* Numbers: slice, ageing, byte limit. */
GLUE_EXPORT("glue_service_create") cairn_service *glue_service_create(void)
{
    glue_begin();
    cairn_service_options options = {.slice = (uint32_t)glue.numbers[0],
                                     .ageing = (uint32_t)glue.numbers[1],
                                     .byte_limit = (size_t)glue.numbers[2]};
    cairn_service *service = NULL;
    return glue_check(cairn_service_create(glue.context, &options, &service)) ? NULL : service;
}

GLUE_EXPORT("glue_service_destroy") void glue_service_destroy(cairn_service *service)
{
    cairn_service_destroy(service);
}

/* Numbers: searches, bytes of each, background. Afterwards the number of the planner. */
GLUE_EXPORT("glue_service_add")
cairn_status glue_service_add(cairn_service *service, cairn_planner *planner)
{
    glue_begin();
    cairn_service_share share = {.searches = (uint32_t)glue.numbers[0],
                                 .search_bytes = (size_t)glue.numbers[1],
                                 .background = (uint32_t)glue.numbers[2]};
    uint32_t number = 0;
    cairn_status status = cairn_service_add(service, planner, &share, &number);
    glue.numbers[0] = number;
    return glue_check(status);
}

/* Numbers: planner, from, to, priority, deadline, most work, partial, piece, is there a function.
 * Returns the ticket. */
GLUE_EXPORT("glue_service_request") uint64_t glue_service_request(cairn_service *service)
{
    glue_begin();
    const double *in = glue.numbers;
    cairn_request request = {.planner = (uint32_t)in[0],
                             .from = (cairn_node)in[1],
                             .to = (cairn_node)in[2],
                             .priority = (uint32_t)in[3],
                             .deadline = (uint32_t)in[4],
                             .max_work = (uint64_t)in[5],
                             .partial = in[6] != 0,
                             .piece = (uint32_t)in[7],
                             .answer = in[8] != 0 ? service_answered : NULL,
                             .user = service};
    cairn_ticket ticket = CAIRN_NO_TICKET;
    glue_check(cairn_service_request(service, &request, &ticket));
    return ticket;
}

GLUE_EXPORT("glue_service_status")
uint32_t glue_service_status(const cairn_service *service, uint64_t ticket)
{
    return cairn_service_answer(service, ticket, NULL);
}

/* As glue_search_result, without metrics; only if there is an answer. */
GLUE_EXPORT("glue_service_answer")
uint64_t glue_service_answer(const cairn_service *service, uint64_t ticket)
{
    const cairn_path *path = NULL;
    cairn_service_answer(service, ticket, &path);
    return glue_write_path(path, glue.numbers);
}

GLUE_EXPORT("glue_service_continue")
cairn_status glue_service_continue(cairn_service *service, uint64_t ticket)
{
    glue_begin();
    return glue_check(cairn_service_continue(service, ticket));
}

GLUE_EXPORT("glue_service_release")
cairn_status glue_service_release(cairn_service *service, uint64_t ticket)
{
    glue_begin();
    return glue_check(cairn_service_release(service, ticket));
}

GLUE_EXPORT("glue_service_follow")
cairn_status glue_service_follow(cairn_service *service, uint64_t ticket, uint32_t shortcuts)
{
    glue_begin();
    return glue_check(cairn_service_follow(service, ticket, (cairn_shortcuts)shortcuts));
}

GLUE_EXPORT("glue_service_walked")
cairn_status glue_service_walked(cairn_service *service, uint64_t ticket, uint32_t at)
{
    glue_begin();
    return glue_check(cairn_service_walked(service, ticket, at));
}

/* Numbers: at, segment, left, version, searching. */
GLUE_EXPORT("glue_service_followed")
cairn_status glue_service_followed(const cairn_service *service, uint64_t ticket)
{
    glue_begin();
    cairn_followed followed = {0};
    cairn_status status = cairn_service_followed(service, ticket, &followed);
    if (status) return glue_check(status);
    double *out = glue.numbers;
    *out++ = followed.at;
    *out++ = followed.segment;
    *out++ = followed.left;
    *out++ = (double)followed.version;
    *out++ = followed.searching;
    return CAIRN_OK;
}

/* The nodes that follow on a followed path, one step apart: writes at most so many, and returns how
 * many. There are none while there is no path. */
GLUE_EXPORT("glue_service_ahead")
uint32_t glue_service_ahead(const cairn_service *service, const cairn_space *space, uint64_t ticket,
                            uint32_t *out, uint32_t most)
{
    const cairn_path *path = NULL;
    cairn_followed followed;
    if (cairn_service_answer(service, ticket, &path) != CAIRN_FOUND ||
        cairn_service_followed(service, ticket, &followed) != CAIRN_OK)
        return 0;
    cairn_path_iterator it = {space, path, followed.segment, followed.at, 0};
    cairn_path_next(&it); /* where the agent is */
    uint32_t count = 0;
    for (cairn_node node; count < most && (node = cairn_path_next(&it)) != CAIRN_NO_NODE;)
        out[count++] = node;
    return count;
}

/* Numbers: work, soft, microseconds. Afterwards: units used, undivided, debt, answered, expired,
 * waiting, running, restarts, pinned, outdated, broken, shortcuts, beside. */
GLUE_EXPORT("glue_service_update") cairn_status glue_service_update(cairn_service *service)
{
    glue_begin();
    cairn_frame frame = {.work = (uint64_t)glue.numbers[0],
                         .soft = (uint64_t)glue.numbers[1],
                         .microseconds = glue.numbers[2],
                         .clock = service_clock};
    cairn_status status = cairn_service_update(service, &frame);
    double *out = glue.numbers;
    *out++ = (double)frame.used;
    *out++ = (double)frame.undivided;
    *out++ = (double)frame.debt;
    *out++ = frame.answered;
    *out++ = frame.expired;
    *out++ = frame.waiting;
    *out++ = frame.running;
    *out++ = frame.restarts;
    *out++ = frame.pinned;
    *out++ = frame.outdated;
    *out++ = frame.broken;
    *out++ = frame.shortcuts;
    *out++ = (double)frame.beside;
    return glue_check(status);
}

/* Numbers: those of cairn_service_use in the order of the header. */
GLUE_EXPORT("glue_service_usage") void glue_service_usage(const cairn_service *service)
{
    cairn_service_use use = cairn_service_usage(service);
    double *out = glue.numbers;
    *out++ = (double)use.frames;
    *out++ = (double)use.requests;
    *out++ = (double)use.refused;
    *out++ = (double)use.shared;
    *out++ = use.tickets;
    *out++ = use.followed;
    *out++ = use.searches;
    *out++ = (double)use.bytes;
    *out++ = (double)use.peak_bytes;
    *out++ = use.mean_bytes;
    *out++ = use.variance_bytes;
    *out++ = (double)use.copy_bytes;
    *out++ = (double)use.failed_syncs;
}
