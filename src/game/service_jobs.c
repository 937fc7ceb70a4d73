/* service_jobs.c: requests of the path service: tickets, the jobs that they share, and how both
 * end. See service.h. */
#include "core/hash.h"
#include "game/service.h"

/* ---- room ---- */

/* A share of the limit is kept for answers: requests alone cannot fill it. */
enum { JOBS_SHARE = 8 };

static bool jobs_grow(crn_scratch *memory, void *array, size_t *capacity, size_t need, size_t each)
{
    void *grown;
    memcpy(&grown, array, sizeof grown);
    bool ok = crn_scratch_grow(memory, &grown, capacity, need, each);
    memcpy(array, &grown, sizeof grown);
    return ok;
}

static uint32_t *jobs_bucket(const cairn_service *service, const crn_job *job)
{
    uint64_t hash = crn_hash_word(job->planner, (uint64_t)job->from << 32 | job->to);
    return &service->buckets[crn_hash_end(hash) & (service->bucket_count - 1)];
}

/* May others join it? Those that wait for pieces, or are walking, go on their own. */
static bool jobs_is_open(const crn_job *job)
{
    return (job->state == CRN_JOB_WAITS || job->state == CRN_JOB_AT_DESK) && !job->piece &&
           job->follow == CRN_SERVICE_NONE;
}

static void jobs_show(cairn_service *service, uint32_t index)
{
    crn_job *job = &service->jobs[index];
    uint32_t *bucket = jobs_bucket(service, job);
    job->next = *bucket;
    *bucket = index;
}

void crn_service_hide(cairn_service *service, uint32_t index)
{
    crn_job *job = &service->jobs[index];
    if (!jobs_is_open(job)) return;
    uint32_t *at = jobs_bucket(service, job);
    while (*at != index) at = &service->jobs[*at].next;
    *at = job->next;
}

/* As many buckets as jobs. */
static bool jobs_make_buckets(cairn_service *service)
{
    size_t count = service->job_capacity;
    uint32_t *buckets = crn_scratch_alloc(&service->memory, count * sizeof *buckets);
    if (!buckets) return false;
    crn_scratch_free(&service->memory, service->buckets,
                     service->bucket_count * sizeof *service->buckets);
    service->buckets = buckets;
    service->bucket_count = count;
    memset(buckets, 0xff, count * sizeof *buckets);
    for (uint32_t i = 0; i < service->job_count; i++)
        if (jobs_is_open(&service->jobs[i])) jobs_show(service, i);
    return true;
}

/* Room for one more job. A half-grown service is as good as before. */
static bool jobs_reserve_job(cairn_service *service, uint32_t planner)
{
    crn_scratch *memory = &service->memory;
    size_t need = (size_t)service->job_count + 1;
    if (service->free_job == CRN_SERVICE_NONE) {
        if (!jobs_grow(memory, &service->job_places, &service->job_place_capacity, need,
                       sizeof *service->job_places) ||
            !jobs_grow(memory, &service->jobs, &service->job_capacity, need, sizeof *service->jobs))
            return false;
    }
    if (service->bucket_count < service->job_capacity && !jobs_make_buckets(service)) return false;
    return crn_turns_reserve(&service->planners[planner].queue, memory, service->job_capacity);
}

static bool jobs_reserve_ticket(cairn_service *service)
{
    crn_scratch *memory = &service->memory;
    size_t need = (size_t)service->ticket_count + 1;
    if (service->free_ticket != CRN_SERVICE_NONE) return true;
    return jobs_grow(memory, &service->ticket_places, &service->ticket_place_capacity, need,
                     sizeof *service->ticket_places) &&
           jobs_grow(memory, &service->ready, &service->ready_capacity, need,
                     sizeof *service->ready) &&
           crn_turns_reserve(&service->deadlines, memory, need) &&
           jobs_grow(memory, &service->tickets, &service->ticket_capacity, need,
                     sizeof *service->tickets);
}

/* Room for one more ticket, if it is one, and for one more job of a planner, if it is one. */
static bool jobs_reserve(cairn_service *service, bool ticket, uint32_t planner)
{
    size_t share = service->memory.limit / JOBS_SHARE;
    service->memory.limit -= share;
    bool ok = (!ticket || jobs_reserve_ticket(service)) &&
              (planner == CRN_SERVICE_NONE || jobs_reserve_job(service, planner));
    service->memory.limit += share;
    return ok;
}

/* ---- tickets ---- */

/* The upper half of a number counts, the lower half says where the ticket is. */
crn_ticket *crn_service_find(const cairn_service *service, cairn_ticket number)
{
    uint32_t slot = (uint32_t)number;
    if (!number || slot >= service->ticket_count) return NULL;
    crn_ticket *ticket = &service->tickets[slot];
    return ticket->number == number ? ticket : NULL;
}

static crn_ticket *jobs_take_ticket(cairn_service *service)
{
    uint32_t slot = service->free_ticket;
    if (slot == CRN_SERVICE_NONE) {
        slot = service->ticket_count++;
    } else {
        service->free_ticket = service->tickets[slot].next;
    }
    crn_ticket *ticket = &service->tickets[slot];
    if (!(uint32_t)++service->serial) service->serial++; /* no ticket has the number 0 */
    *ticket = (crn_ticket){.number = service->serial << 32 | slot, .job = CRN_SERVICE_NONE};
    service->ticket_places[slot] = CRN_NO_TURN;
    service->use.tickets++;
    service->use.requests++;
    return ticket;
}

static void jobs_free_ticket(cairn_service *service, crn_ticket *ticket)
{
    uint32_t slot = (uint32_t)ticket->number;
    ticket->number = CAIRN_NO_TICKET;
    ticket->next = service->free_ticket;
    service->free_ticket = slot;
    service->use.tickets--;
}

/* ---- jobs ---- */

static uint32_t jobs_take(cairn_service *service, const cairn_request *request)
{
    uint32_t index = service->free_job;
    if (index == CRN_SERVICE_NONE) {
        index = service->job_count++;
    } else {
        service->free_job = service->jobs[index].next;
    }
    service->jobs[index] = (crn_job){.planner = request->planner,
                                     .from = request->from,
                                     .to = request->to,
                                     .max_work = request->max_work,
                                     .piece = request->piece,
                                     .partial = request->partial,
                                     .due = UINT64_MAX,
                                     .tickets = CRN_SERVICE_NONE,
                                     .desk = CRN_SERVICE_NONE,
                                     .follow = CRN_SERVICE_NONE};
    service->job_places[index] = CRN_NO_TURN;
    return index;
}

static crn_desk *jobs_desk(const cairn_service *service, const crn_job *job)
{
    return job->desk == CRN_SERVICE_NONE ? NULL : &service->planners[job->planner].desks[job->desk];
}

void crn_service_leave_desk(const cairn_service *service, crn_desk *desk)
{
    service->jobs[desk->job].desk = CRN_SERVICE_NONE;
    desk->job = CRN_SERVICE_NONE;
    desk->resting = desk->holds = desk->pinned = false;
}

/* Whoever searches for it can do something else. */
static void jobs_leave_desk(const cairn_service *service, crn_job *job)
{
    crn_desk *desk = jobs_desk(service, job);
    if (desk) crn_service_leave_desk(service, desk);
}

/* Nobody waits for it any more. */
static void jobs_end(cairn_service *service, uint32_t index)
{
    crn_job *job = &service->jobs[index];
    crn_service_hide(service, index);
    crn_turns_remove(&service->planners[job->planner].queue, service->job_places, index);
    jobs_leave_desk(service, job);
    if (job->follow != CRN_SERVICE_NONE) crn_follow_end(service, job->follow);
    crn_answer_drop(service, job);
    job->state = CRN_JOB_FREE;
    job->next = service->free_job;
    service->free_job = index;
}

void crn_service_enqueue(cairn_service *service, uint32_t index)
{
    crn_job *job = &service->jobs[index];
    crn_turns *queue = &service->planners[job->planner].queue;
    crn_turns_remove(queue, service->job_places, index);
    crn_turns_add(queue, service->job_places, (crn_turn){job->due, job->serial, index});
}

/* The job of an equal request that is not answered yet. */
static uint32_t jobs_find_equal(const cairn_service *service, const cairn_request *request)
{
    crn_job wanted = {.planner = request->planner,
                      .from = request->from,
                      .to = request->to,
                      .max_work = request->max_work,
                      .partial = request->partial};
    if (request->piece || !service->bucket_count) return CRN_SERVICE_NONE;
    uint32_t at = *jobs_bucket(service, &wanted);
    for (; at != CRN_SERVICE_NONE; at = service->jobs[at].next) {
        const crn_job *job = &service->jobs[at];
        if (job->planner == wanted.planner && job->from == wanted.from && job->to == wanted.to &&
            job->max_work == wanted.max_work && job->partial == wanted.partial)
            break;
    }
    return at;
}

static void jobs_join(cairn_service *service, crn_ticket *ticket, uint32_t index)
{
    crn_job *job = &service->jobs[index];
    ticket->job = index;
    ticket->next = job->tickets;
    job->tickets = (uint32_t)ticket->number;
    if (ticket->due >= job->due) return;
    job->due = ticket->due;
    if (job->state == CRN_JOB_WAITS) crn_service_enqueue(service, index);
}

/* Its urgency: the frame in which it should be served. */
static void jobs_set_due(const cairn_service *service, crn_ticket *ticket)
{
    ticket->due = service->frame + ticket->wait;
    if (ticket->deadline && ticket->deadline < ticket->due) ticket->due = ticket->deadline;
}

void crn_service_recall(cairn_service *service, uint32_t index)
{
    crn_job *job = &service->jobs[index];
    if (job->state == CRN_JOB_DONE) return;
    crn_turns_remove(&service->planners[job->planner].queue, service->job_places, index);
    jobs_leave_desk(service, job);
    job->state = CRN_JOB_DONE;
}

void crn_service_put_back(cairn_service *service, uint32_t index)
{
    crn_job *job = &service->jobs[index];
    jobs_leave_desk(service, job);
    job->begun = job->more = false;
    job->state = CRN_JOB_WAITS;
    crn_service_enqueue(service, index);
}

void crn_service_ask_again(cairn_service *service, uint32_t index, cairn_node from, uint32_t lead)
{
    crn_job *job = &service->jobs[index];
    crn_ticket *ticket = &service->tickets[job->tickets];
    crn_service_recall(service, index);
    jobs_leave_desk(service, job);
    jobs_set_due(service, ticket);
    ticket->due -= ticket->due < lead ? ticket->due : lead;
    job->due = ticket->due;
    job->from = from;
    job->begun = job->more = false;
    job->restarts = job->lost = 0;
    job->wrong = 0;
    job->state = CRN_JOB_WAITS;
    crn_service_enqueue(service, index);
}

bool crn_service_separate(cairn_service *service, crn_ticket *ticket)
{
    uint32_t from = ticket->job, slot = (uint32_t)ticket->number;
    if (service->jobs[from].tickets == slot && ticket->next == CRN_SERVICE_NONE) return true;
    if (!jobs_reserve(service, false, service->jobs[from].planner)) return false;
    crn_job *shared = &service->jobs[from];
    uint32_t index = jobs_take(service, &(cairn_request){.planner = shared->planner,
                                                         .from = shared->from,
                                                         .to = shared->to,
                                                         .max_work = shared->max_work,
                                                         .partial = shared->partial});
    crn_job *job = &service->jobs[index];
    job->state = CRN_JOB_DONE;
    if (!crn_answer_keep(service, job, shared->answer)) {
        jobs_end(service, index);
        return false;
    }
    crn_service_leave(service, ticket);
    job->serial = ticket->number;
    jobs_join(service, ticket, index);
    return true;
}

/* It begins to wait. There is room among the deadlines for every ticket. */
static void jobs_set_deadline(cairn_service *service, crn_ticket *ticket)
{
    ticket->deadline = ticket->frames ? service->frame + ticket->frames : 0;
    jobs_set_due(service, ticket);
    if (ticket->deadline)
        crn_turns_add(&service->deadlines, service->ticket_places,
                      (crn_turn){ticket->deadline, ticket->number, (uint32_t)ticket->number});
}

static void jobs_fill(cairn_service *service, crn_ticket *ticket, const cairn_request *request)
{
    ticket->wait = (CAIRN_PRIORITIES - 1 - request->priority) * service->options.ageing;
    ticket->frames = request->deadline;
    ticket->answer = request->answer;
    ticket->user = request->user;
    jobs_set_deadline(service, ticket);
}

cairn_status cairn_service_request(cairn_service *service, const cairn_request *request,
                                   cairn_ticket *out)
{
    if (!out) return CAIRN_INVALID;
    *out = CAIRN_NO_TICKET;
    if (!service || !request || request->planner >= service->planner_count ||
        request->priority >= CAIRN_PRIORITIES)
        return CAIRN_INVALID;
    uint32_t job = jobs_find_equal(service, request);
    bool joins = job != CRN_SERVICE_NONE;
    if (!jobs_reserve(service, true, joins ? CRN_SERVICE_NONE : request->planner)) {
        service->use.refused++;
        return CAIRN_OUT_OF_MEMORY;
    }
    crn_ticket *ticket = jobs_take_ticket(service);
    jobs_fill(service, ticket, request);
    service->use.shared += joins;
    if (!joins) {
        job = jobs_take(service, request);
        service->jobs[job].serial = ticket->number;
        service->jobs[job].state = CRN_JOB_WAITS;
        if (!request->piece) jobs_show(service, job);
    }
    jobs_join(service, ticket, job);
    *out = ticket->number;
    return CAIRN_OK;
}

/* ---- their ends ---- */

/* As urgent as the tickets that are left. */
static void jobs_calm(cairn_service *service, uint32_t index)
{
    crn_job *job = &service->jobs[index];
    job->due = UINT64_MAX;
    for (uint32_t slot = job->tickets; slot != CRN_SERVICE_NONE; slot = service->tickets[slot].next)
        if (service->tickets[slot].due < job->due) job->due = service->tickets[slot].due;
    if (job->state == CRN_JOB_WAITS) crn_service_enqueue(service, index);
}

void crn_service_leave(cairn_service *service, crn_ticket *ticket)
{
    uint32_t slot = (uint32_t)ticket->number, index = ticket->job;
    crn_turns_remove(&service->deadlines, service->ticket_places, slot);
    if (index == CRN_SERVICE_NONE) return;
    crn_job *job = &service->jobs[index];
    uint32_t *at = &job->tickets;
    while (*at != slot) at = &service->tickets[*at].next;
    *at = ticket->next;
    ticket->job = CRN_SERVICE_NONE;
    if (job->tickets == CRN_SERVICE_NONE) {
        jobs_end(service, index);
    } else if (ticket->due <= job->due) {
        jobs_calm(service, index);
    }
}

bool crn_service_finish(cairn_service *service, uint32_t index, const cairn_path *path)
{
    crn_job *job = &service->jobs[index];
    if (job->follow != CRN_SERVICE_NONE) return crn_follow_take(service, index, path);
    if (!crn_answer_keep(service, job, path)) return false;
    job->took = true;
    crn_service_hide(service, index);
    crn_turns_remove(&service->planners[job->planner].queue, service->job_places, index);
    job->state = CRN_JOB_DONE;
    for (uint32_t slot = job->tickets; slot != CRN_SERVICE_NONE;
         slot = service->tickets[slot].next) {
        crn_turns_remove(&service->deadlines, service->ticket_places, slot);
        service->ready[service->ready_count++] = service->tickets[slot].number;
    }
    return true;
}

void crn_service_refuse(cairn_service *service, uint32_t index, cairn_status status)
{
    crn_service_finish(service, index, &service->none[status]);
}

cairn_status cairn_service_answer(const cairn_service *service, cairn_ticket number,
                                  const cairn_path **path)
{
    if (path) *path = NULL;
    const crn_ticket *ticket = service ? crn_service_find(service, number) : NULL;
    if (!ticket) return CAIRN_INVALID;
    const cairn_path *answer = &service->none[CAIRN_OUT_OF_BUDGET];
    if (ticket->job != CRN_SERVICE_NONE) answer = service->jobs[ticket->job].answer;
    if (number == service->delivering) { /* its function has given the path up */
        if (service->released) return CAIRN_INVALID;
        if (service->dropped) return CAIRN_RUNNING;
    }
    if (!answer) return CAIRN_RUNNING;
    if (path) *path = answer;
    return answer->status;
}

cairn_status cairn_service_release(cairn_service *service, cairn_ticket number)
{
    crn_ticket *ticket = service ? crn_service_find(service, number) : NULL;
    if (!ticket) return CAIRN_INVALID;
    if (number == service->delivering) {
        if (service->released) return CAIRN_INVALID;
        service->released = true; /* its path is still looked at */
        return CAIRN_OK;
    }
    crn_service_leave(service, ticket);
    jobs_free_ticket(service, ticket);
    return CAIRN_OK;
}

/* Does a piece follow? */
static bool jobs_has_more(const crn_job *job)
{
    const cairn_path *answer = job->answer;
    return answer && job->piece && answer->partial && answer->status == CAIRN_FOUND;
}

cairn_status cairn_service_continue(cairn_service *service, cairn_ticket number)
{
    crn_ticket *ticket = service ? crn_service_find(service, number) : NULL;
    if (!ticket || ticket->job == CRN_SERVICE_NONE) return CAIRN_INVALID;
    crn_job *job = &service->jobs[ticket->job];
    bool told = number == service->delivering;
    if (!jobs_has_more(job) || (told && (service->released || service->dropped)))
        return CAIRN_INVALID;
    if (job->follow != CRN_SERVICE_NONE) {
        crn_service_recall(service, ticket->job);
        crn_runs_drop(service, job->follow);
        service->follows[job->follow].at = job->answer->end;
    }
    crn_desk *desk = jobs_desk(service, job);
    job->from = job->answer->end;
    job->begun = false;
    job->more = desk != NULL;
    crn_answer_give_up(service, job);
    jobs_set_deadline(service, ticket);
    job->due = ticket->due;
    job->state = desk ? CRN_JOB_AT_DESK : CRN_JOB_WAITS;
    if (desk) {
        desk->resting = false;
    } else {
        /* The search that knew how it goes on serves another one: so that this one gets on, it asks
         * for more each time. */
        job->piece = job->piece > UINT32_MAX / 2 ? job->piece : 2 * job->piece;
        crn_service_enqueue(service, ticket->job);
    }
    return CAIRN_OK;
}
