/* sequence_obstacles.c: what lies on the cells of a program's grid for a while (see sequence.h).
 *
 * The drawing keeps the list of obstacles as it is wanted, and as the last tick has made it. What
 * everybody sees are the cells' own states with the latter on top.
 */
#include "sequence.h"

static sequence_thing *thing_pick(sequence *q, bool used)
{
    uint32_t first = choose(q, SEQUENCE_THINGS);
    for (uint32_t i = 0; i < SEQUENCE_THINGS; i++) {
        sequence_thing *thing = &q->world.things[(first + i) % SEQUENCE_THINGS];
        if (thing->used == used) return thing;
    }
    return NULL;
}

static bool thing_covers(const cairn_obstacle_options *o, uint32_t x, uint32_t y)
{
    int64_t column = (int64_t)x - o->x, row = (int64_t)y - o->y;
    return column >= 0 && row >= 0 && column < (o->width ? o->width : 1) &&
           row < (o->height ? o->height : 1);
}

static bool thing_is_inside(const scene *s, const cairn_obstacle_options *o)
{
    for (cairn_node i = 0; i < s->width * s->height; i++)
        if (thing_covers(o, i % s->width, i / s->width)) return true;
    return false;
}

static uint64_t thing_end(const sequence *q, uint32_t ticks)
{
    return ticks ? q->world.ticks + 1 + ticks : 0;
}

void world_cover(const sequence_world *w, scene *s)
{
    for (uint32_t t = 0; t < SEQUENCE_THINGS; t++) {
        const sequence_thing *thing = &w->visible[t];
        for (cairn_node i = 0; thing->used && i < w->node_count; i++) {
            uint32_t cost = s->layer[i] + (uint32_t)thing->options.cost;
            if (!thing_covers(&thing->options, i % s->width, i / s->width)) continue;
            if (!thing->options.cost) s->open[i] = false;
            s->layer[i] = (uint8_t)(cost < 255 ? cost : 255);
        }
    }
}

/* ---- calls ---- */

static void obstacle_put(sequence *q)
{
    sequence_world *w = &q->world;
    sequence_thing *thing = thing_pick(q, false);
    cairn_node near = q->haunts[choose(q, SEQUENCE_HAUNTS)] % w->node_count;
    cairn_obstacle_options o = {.x = (int32_t)(near % w->now->width + choose(q, 7)) - 3,
                                .y = (int32_t)(near / w->now->width + choose(q, 7)) - 3,
                                .width = choose(q, 5),
                                .height = choose(q, 4),
                                .cost = (uint8_t)(one_in(q, 2) ? 0 : choose(q, 90)),
                                .ticks = choose(q, 6)};
    cairn_obstacle handle;
    if (!thing) return;
    bool inside = thing_is_inside(w->now, &o);
    cairn_status status = SEQUENCE_CALL(q, cairn_obstacles_put(w->obstacles, &o, &handle),
                                        "put(%d, %d, %u x %u, cost %u, %u ticks)", o.x, o.y,
                                        o.width, o.height, o.cost, o.ticks);
    CHECK(status == (inside ? CAIRN_OK : CAIRN_OUT_OF_BOUNDS) || q->refused, "put: %s",
          cairn_status_text(status));
    if (status == CAIRN_OK) *thing = (sequence_thing){o, thing_end(q, o.ticks), handle, true};
}

static void obstacle_move(sequence *q, sequence_thing *thing)
{
    sequence_world *w = &q->world;
    cairn_obstacle_options o = thing->options;
    o.x += (int32_t)choose(q, 5) - 2;
    o.y += (int32_t)choose(q, 5) - 2;
    bool inside = thing_is_inside(w->now, &o);
    cairn_status status =
        SEQUENCE_CALL(q, cairn_obstacles_move(w->obstacles, thing->handle, o.x, o.y),
                      "move(obstacle %u, %d, %d)", (unsigned)(thing->handle & 0xff), o.x, o.y);
    CHECK(status == (inside ? CAIRN_OK : CAIRN_OUT_OF_BOUNDS) || q->refused, "move: %s",
          cairn_status_text(status));
    if (status == CAIRN_OK) thing->options = o;
}

static void obstacle_renew(sequence *q, sequence_thing *thing)
{
    uint32_t ticks = choose(q, 6);
    CHECK_OK(SEQUENCE_CALL(q, cairn_obstacles_renew(q->world.obstacles, thing->handle, ticks),
                           "renew(obstacle %u, %u)", (unsigned)(thing->handle & 0xff), ticks));
    thing->end = thing_end(q, ticks);
}

static void obstacle_remove(sequence *q, sequence_thing *thing)
{
    CHECK_OK(SEQUENCE_CALL(q, cairn_obstacles_remove(q->world.obstacles, thing->handle),
                           "remove(obstacle %u)", (unsigned)(thing->handle & 0xff)));
    thing->used = false;
}

/* Without memory the grid is as it was, and the next tick makes up for it. */
static void obstacles_tick(sequence *q)
{
    sequence_world *w = &q->world;
    uint64_t before = cairn_grid_version(w->grid);
    cairn_status status;
    do {
        status = SEQUENCE_CALL(q, cairn_obstacles_tick(w->obstacles), "tick()");
        CHECK(status == CAIRN_OK || q->refused, "a tick fails: %s", cairn_status_text(status));
        CHECK(status == CAIRN_OK || cairn_grid_version(w->grid) == before, "a tick fails halfway");
        w->ticks++;
        for (uint32_t i = 0; i < SEQUENCE_THINGS; i++) {
            sequence_thing *thing = &w->things[i];
            thing->used = thing->used && (!thing->end || thing->end > w->ticks);
        }
    } while (status != CAIRN_OK);
    memcpy(w->visible, w->things, sizeof w->visible);
    world_made(q, before);
}

void world_obstruct(sequence *q)
{
    sequence_world *w = &q->world;
    sequence_thing *thing = thing_pick(q, true);
    uint32_t what = choose(q, 8);
    if (!w->obstacles) {
        cairn_status status =
            SEQUENCE_CALL(q, cairn_obstacles_create(w->grid, &w->obstacles), "obstacles_create()");
        CHECK(status == CAIRN_OK || q->refused, "obstacles: %s", cairn_status_text(status));
        if (status != CAIRN_OK) return;
    }
    if (what < 3)
        obstacles_tick(q);
    else if (what < 5 || !thing)
        obstacle_put(q);
    else if (what == 5)
        obstacle_move(q, thing);
    else if (what == 6)
        obstacle_renew(q, thing);
    else
        obstacle_remove(q, thing);
}
