/* office.h: a path service with one planner for each of some specs, for tests of the service. */
#ifndef TESTS_OFFICE_H
#define TESTS_OFFICE_H

#include "kit.h"
#include <cairn/service.h>

typedef struct office {
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    cairn_planner *planners[6];
    cairn_service *service;
    scene *scene;
    uint32_t planner_count;
} office;

/* One more planner; by default its index is divided, or made beside the frames. */
static inline void office_add(office *o, const char *spec, const cairn_service_share *share)
{
    uint32_t number;
    cairn_planner **planner = &o->planners[o->planner_count];
    cairn_error error;
    CHECK(cairn_planner_create(o->space, spec, planner, &error) == CAIRN_OK, "%s: %s", spec,
          error.text);
    CHECK_OK(cairn_service_add(o->service, *planner, share, &number));
    assert_int_equal(number, o->planner_count++);
}

/* With its index made within the frames. */
static inline void office_add_within(office *o, const char *spec)
{
    office_add(o, spec, &(cairn_service_share){.background = CAIRN_SHARE_NEVER});
}

static inline office office_open(scene *s, cairn_context *context, const char *const *specs,
                                 uint32_t count, const cairn_service_options *options)
{
    office o = {.context = context, .scene = s};
    CHECK_OK(scene_grid(s, o.context, &o.grid));
    CHECK_OK(cairn_space_of_grid(o.grid, &s->profile, &o.space, NULL));
    CHECK_OK(cairn_service_create(o.context, options, &o.service));
    for (uint32_t i = 0; i < count; i++) office_add(&o, specs[i], NULL);
    return o;
}

static inline void office_close(office *o)
{
    cairn_service_destroy(o->service);
    for (uint32_t i = 0; i < o->planner_count; i++) cairn_planner_destroy(o->planners[i]);
    cairn_space_destroy(o->space);
    cairn_grid_destroy(o->grid);
    cairn_context_destroy(o->context);
    scene_destroy(o->scene);
}

static inline cairn_context *plain_context(uint32_t workers)
{
    cairn_context *context;
    cairn_context_options options = cairn_context_defaults();
    options.workers = workers;
    CHECK_OK(cairn_context_create(&options, &context));
    return context;
}

static inline cairn_ticket ask(office *o, const cairn_request *request)
{
    cairn_ticket ticket;
    CHECK_OK(cairn_service_request(o->service, request, &ticket));
    assert_true(ticket != CAIRN_NO_TICKET);
    return ticket;
}

static inline cairn_request request_any(office *o, scene_rng *rng)
{
    return (cairn_request){.planner = scene_random(rng, o->planner_count),
                           .from = scene_pick(o->scene, rng),
                           .to = scene_pick(o->scene, rng),
                           .priority = scene_random(rng, CAIRN_PRIORITIES)};
}

static inline cairn_frame update(office *o, uint64_t work)
{
    cairn_frame frame = {.work = work};
    CHECK_OK(cairn_service_update(o->service, &frame));
    CHECK(!work || frame.used - frame.undivided <= work, "%u units of %u",
          (unsigned)(frame.used - frame.undivided), (unsigned)work);
    return frame;
}

static inline uint64_t hash_path(uint64_t hash, const cairn_path *path)
{
    hash = hash * 31 + path->cost + path->status;
    for (uint32_t i = 0; i < path->count; i++) hash = hash * 31 + path->nodes[i];
    return hash;
}

/* Everything that is asked for is answered. */
static inline cairn_frame update_all(office *o)
{
    cairn_frame frame = {.waiting = 1}, sum = {0};
    for (uint32_t i = 0; frame.waiting || frame.running; i++) {
        assert_true(i < 100000);
        frame = update(o, 5000);
        sum.used += frame.used, sum.answered += frame.answered, sum.broken += frame.broken;
        sum.shortcuts += frame.shortcuts, sum.restarts += frame.restarts;
    }
    return sum;
}

#endif
