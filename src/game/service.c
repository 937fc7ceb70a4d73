/* service.c: the life of a path service and its planners. See service.h. */
#include "game/service.h"
#include "world/grid_space.h"

enum { SERVICE_SLICE = 256, SERVICE_AGEING = 30, SERVICE_SEARCHES = 4, SERVICE_BACKGROUND = 15 };

cairn_status cairn_service_create(cairn_context *context, const cairn_service_options *options,
                                  cairn_service **out)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!context) return CAIRN_INVALID;
    cairn_service_options chosen = options ? *options : (cairn_service_options){0};
    if (!chosen.slice) chosen.slice = SERVICE_SLICE;
    if (!chosen.ageing) chosen.ageing = SERVICE_AGEING;
    if (chosen.ageing > UINT32_MAX / CAIRN_PRIORITIES) return CAIRN_INVALID;
    if (chosen.byte_limit && chosen.byte_limit < sizeof(cairn_service)) return CAIRN_OUT_OF_MEMORY;
    cairn_service *service = crn_alloc_zero(context, sizeof *service);
    if (!service) return CAIRN_OUT_OF_MEMORY;
    service->context = context;
    service->options = chosen;
    service->memory =
        (crn_scratch){.context = context, .limit = chosen.byte_limit, .bytes = sizeof *service};
    service->free_job = service->free_ticket = CRN_SERVICE_NONE;
    service->free_follow = service->free_run = CRN_SERVICE_NONE;
    for (uint32_t i = 0; i < CAIRN_STATUS_COUNT; i++)
        service->none[i] =
            (cairn_path){.status = (cairn_status)i, .end = CAIRN_NO_NODE, .cost = CAIRN_NO_COST};
    *out = service;
    return CAIRN_OK;
}

static void service_free_planner(cairn_service *service, crn_service_planner *p)
{
    for (uint32_t i = 0; i < p->desk_count; i++) {
        cairn_search_destroy(p->desks[i].search);
        crn_pin_destroy(&service->memory, p->desks[i].pin);
    }
    crn_twins_destroy(p->twins);
    crn_scratch_free(&service->memory, p->desks, (p->desk_count + 1u) * sizeof *p->desks);
    crn_turns_free(&p->queue, &service->memory);
    crn_watch_close(&service->memory, &p->watch);
    cairn_planner_destroy(p->planner); /* lets go of it */
}

void cairn_service_destroy(cairn_service *service)
{
    if (!service) return;
    crn_scratch *memory = &service->memory;
    for (uint32_t i = 0; i < service->job_count; i++) crn_answer_drop(service, &service->jobs[i]);
    crn_answers_trim(service);
    crn_scratch_free(memory, service->jobs, service->job_capacity * sizeof *service->jobs);
    crn_scratch_free(memory, service->job_places,
                     service->job_place_capacity * sizeof *service->job_places);
    crn_scratch_free(memory, service->buckets, service->bucket_count * sizeof *service->buckets);
    crn_scratch_free(memory, service->tickets, service->ticket_capacity * sizeof *service->tickets);
    crn_scratch_free(memory, service->ticket_places,
                     service->ticket_place_capacity * sizeof *service->ticket_places);
    crn_scratch_free(memory, service->ready, service->ready_capacity * sizeof *service->ready);
    crn_scratch_free(memory, service->round, service->round_capacity * sizeof *service->round);
    crn_scratch_free(memory, service->follows, service->follow_capacity * sizeof *service->follows);
    crn_scratch_free(memory, service->runs, service->run_capacity * sizeof *service->runs);
    crn_turns_free(&service->deadlines, memory);
    for (uint32_t i = 0; i < service->planner_count; i++)
        service_free_planner(service, &service->planners[i]);
    crn_free(service->context, service, sizeof *service);
}

/* Room for its desks. What its searches may take is set aside. */
static bool service_make_desks(cairn_service *service, crn_service_planner *p)
{
    crn_scratch *memory = &service->memory;
    size_t reserved = memory->limit ? crn_mul_size(p->desk_count, p->search_bytes) : 0;
    size_t all = service->desk_count + p->desk_count + service->planner_count + 1;
    if (memory->limit && reserved > memory->limit - memory->bytes) return false;
    void *round = service->round;
    bool ok =
        crn_scratch_grow(memory, &round, &service->round_capacity, all, sizeof *service->round);
    service->round = round;
    p->desks = ok ? crn_scratch_alloc(memory, (p->desk_count + 1u) * sizeof *p->desks) : NULL;
    if (!p->desks) return false;
    if (reserved > memory->limit - memory->bytes && memory->limit) {
        crn_scratch_free(memory, p->desks, (p->desk_count + 1u) * sizeof *p->desks);
        return false;
    }
    memory->limit -= reserved;
    return true;
}

/* Planners that cannot sync in the background themselves get twins for it. Those that can do so
 * only on grids, and not always: then within a frame. */
static cairn_status service_make_background(crn_service_planner *p, uint32_t frames)
{
    const crn_algorithm *algorithm = p->planner->algorithm;
    bool automatic = frames == CAIRN_SHARE_AUTO, divided = algorithm->index->slices,
         itself = !automatic && algorithm->info.flags & CAIRN_BACKGROUND &&
                  crn_grid_space_of(p->planner->space);
    p->may_copy = automatic && divided && crn_twins_are_possible(p->planner);
    if (frames == CAIRN_SHARE_NEVER || (automatic && divided)) return CAIRN_OK;
    p->background = automatic ? SERVICE_BACKGROUND : frames;
    if (itself) return CAIRN_OK;
    if (!crn_twins_are_possible(p->planner)) return CAIRN_UNSUPPORTED;
    p->twins = crn_twins_create(p->planner, false);
    return p->twins ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

cairn_status cairn_service_add(cairn_service *service, cairn_planner *planner,
                               const cairn_service_share *share, uint32_t *out)
{
    if (!out) return CAIRN_INVALID;
    *out = CRN_SERVICE_NONE;
    if (!service || !planner || service->planner_count == CAIRN_SERVICE_PLANNERS ||
        planner->space->context != service->context)
        return CAIRN_INVALID;
    cairn_service_share chosen = share ? *share : (cairn_service_share){0};
    if (chosen.searches > CRN_SERVICE_DESKS) return CAIRN_INVALID;
    if (!chosen.searches) chosen.searches = SERVICE_SEARCHES;
    if (!chosen.search_bytes)
        chosen.search_bytes = service->options.byte_limit / 8 / chosen.searches;
    crn_service_planner *p = &service->planners[service->planner_count];
    *p = (crn_service_planner){
        .planner = planner, .desk_count = chosen.searches, .search_bytes = chosen.search_bytes};
    p->watch.follows = CRN_SERVICE_NONE;
    p->version = p->seen = cairn_space_version(planner->space);
    crn_facts_learn(planner->space, &p->facts);
    cairn_status status =
        planner->algorithm->index ? service_make_background(p, chosen.background) : CAIRN_OK;
    if (status != CAIRN_OK) return status;
    if (!service_make_desks(service, p)) {
        crn_twins_destroy(p->twins);
        return CAIRN_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i <= p->desk_count; i++)
        p->desks[i] = (crn_desk){.planner = service->planner_count, .job = CRN_SERVICE_NONE};
    p->sync = &p->desks[p->desk_count];
    p->sync->syncs = true;
    crn_hold(&planner->holders);
    service->desk_count += p->desk_count;
    *out = service->planner_count++;
    return CAIRN_OK;
}

static size_t service_bytes(const cairn_service *service, uint32_t *searches)
{
    size_t bytes = service->memory.bytes;
    *searches = 0;
    for (uint32_t i = 0; i < service->planner_count; i++) {
        const crn_service_planner *p = &service->planners[i];
        for (uint32_t k = 0; k < p->desk_count; k++) {
            const crn_desk *desk = &p->desks[k];
            bytes += (desk->search ? desk->search->memory.bytes : 0) + crn_pin_bytes(desk->pin);
            *searches += (uint32_t)(desk->search != NULL) + (uint32_t)(desk->pin != NULL);
        }
    }
    return bytes;
}

cairn_service_use cairn_service_usage(const cairn_service *service)
{
    cairn_service_use use = {0};
    if (!service) return use;
    use = service->use;
    use.frames = service->frame;
    use.bytes = service_bytes(service, &use.searches);
    if (use.bytes > use.peak_bytes) use.peak_bytes = use.bytes;
    for (uint32_t i = 0; i < service->planner_count; i++) {
        use.copy_bytes += crn_twins_bytes(service->planners[i].twins);
        use.failed_syncs += service->planners[i].failed;
    }
    return use;
}
