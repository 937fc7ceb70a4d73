/* tasks.c: periodic tasks spread over frames. See <cairn/tasks.h>.
 *
 * Tasks with the same period are a *rota*. It has a slot for each frame of the period, with a list
 * of tasks and the sum of what they cost. A new task goes to the slot that costs least, of equal
 * ones to the one that comes next. So the slots of a rota differ by one task at most, whatever
 * other rotas do: a frame runs no more than the mean of all, plus one task for each period in use.
 */
#include "core/core.h"
#include <cairn/tasks.h>

#define TASKS_NONE UINT32_MAX

typedef struct tasks_slot {
    uint64_t cost;
    uint32_t first, last;
} tasks_slot;

typedef struct tasks_rota {
    uint32_t period;
    tasks_slot *slots;
} tasks_rota;

typedef struct tasks_item {
    cairn_periodic what; /* without a function: it is free */
    uint32_t rota_period, slot;
    uint32_t before, after; /* in the slot; or the next free one */
    uint64_t born;          /* it does not run in the frame that adds it */
} tasks_item;

struct cairn_tasks {
    cairn_context *context;
    tasks_rota *rotas; /* ascending by period */
    size_t rota_count, rota_capacity;
    tasks_item *items;
    size_t item_count, item_capacity;
    uint32_t free_item, count;
    uint64_t frame; /* the next one */
    bool running;
    uint32_t next; /* the task to run behind the one that is running */
};

cairn_status cairn_tasks_create(cairn_context *context, cairn_tasks **out)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!context) return CAIRN_INVALID;
    cairn_tasks *tasks = crn_alloc_zero(context, sizeof *tasks);
    if (!tasks) return CAIRN_OUT_OF_MEMORY;
    tasks->context = context;
    tasks->free_item = TASKS_NONE;
    *out = tasks;
    return CAIRN_OK;
}

void cairn_tasks_destroy(cairn_tasks *tasks)
{
    if (!tasks) return;
    cairn_context *context = tasks->context;
    for (size_t i = 0; i < tasks->rota_count; i++)
        crn_free(context, tasks->rotas[i].slots,
                 tasks->rotas[i].period * sizeof *tasks->rotas[i].slots);
    crn_free(context, tasks->rotas, tasks->rota_capacity * sizeof *tasks->rotas);
    crn_free(context, tasks->items, tasks->item_capacity * sizeof *tasks->items);
    crn_free(context, tasks, sizeof *tasks);
}

/* ---- rotas ---- */

static size_t tasks_place(const cairn_tasks *tasks, uint32_t period)
{
    return crn_lower_bound(tasks->rotas, tasks->rota_count, period);
}

static tasks_rota *tasks_find_rota(const cairn_tasks *tasks, uint32_t period)
{
    size_t at = tasks_place(tasks, period);
    bool there = at < tasks->rota_count && tasks->rotas[at].period == period;
    return there ? &tasks->rotas[at] : NULL;
}

static tasks_rota *tasks_make_rota(cairn_tasks *tasks, uint32_t period)
{
    tasks_rota *rota = tasks_find_rota(tasks, period);
    if (rota) return rota;
    void *rotas = tasks->rotas;
    bool ok = crn_grow(tasks->context, &rotas, &tasks->rota_capacity, tasks->rota_count + 1,
                       sizeof *tasks->rotas);
    tasks->rotas = rotas;
    tasks_slot *slots = ok ? crn_alloc(tasks->context, period * sizeof *slots) : NULL;
    if (!slots) return NULL;
    for (uint32_t i = 0; i < period; i++) slots[i] = (tasks_slot){0, TASKS_NONE, TASKS_NONE};
    size_t at = tasks_place(tasks, period);
    rota = &tasks->rotas[at];
    memmove(rota + 1, rota, (tasks->rota_count - at) * sizeof *rota);
    tasks->rota_count++;
    *rota = (tasks_rota){period, slots};
    return rota;
}

/* The slot that costs least; of equal ones the next. */
static uint32_t tasks_best_slot(const cairn_tasks *tasks, const tasks_rota *rota)
{
    uint32_t now = (uint32_t)(tasks->frame % rota->period), best = now;
    for (uint32_t i = 1; i < rota->period; i++) {
        uint32_t slot = now + i < rota->period ? now + i : now + i - rota->period;
        if (rota->slots[slot].cost < rota->slots[best].cost) best = slot;
    }
    return best;
}

/* ---- tasks ---- */

static void tasks_enter(const cairn_tasks *tasks, tasks_rota *rota, uint32_t index)
{
    tasks_item *item = &tasks->items[index];
    tasks_slot *slot = &rota->slots[item->slot];
    item->before = slot->last;
    item->after = TASKS_NONE;
    if (slot->last == TASKS_NONE) {
        slot->first = index;
    } else {
        tasks->items[slot->last].after = index;
    }
    slot->last = index;
    slot->cost += item->what.cost;
}

static void tasks_leave(const cairn_tasks *tasks, const tasks_rota *rota, uint32_t index)
{
    const tasks_item *item = &tasks->items[index];
    tasks_slot *slot = &rota->slots[item->slot];
    if (item->before == TASKS_NONE) {
        slot->first = item->after;
    } else {
        tasks->items[item->before].after = item->after;
    }
    if (item->after == TASKS_NONE) {
        slot->last = item->before;
    } else {
        tasks->items[item->after].before = item->before;
    }
    slot->cost -= item->what.cost;
}

static uint32_t tasks_take(cairn_tasks *tasks)
{
    uint32_t index = tasks->free_item;
    if (index != TASKS_NONE) {
        tasks->free_item = tasks->items[index].after;
        return index;
    }
    void *items = tasks->items;
    bool ok =
        tasks->item_count < TASKS_NONE && crn_grow(tasks->context, &items, &tasks->item_capacity,
                                                   tasks->item_count + 1, sizeof *tasks->items);
    tasks->items = items;
    return ok ? (uint32_t)tasks->item_count++ : TASKS_NONE;
}

cairn_status cairn_tasks_add(cairn_tasks *tasks, const cairn_periodic *periodic, uint32_t *out)
{
    if (!out) return CAIRN_INVALID;
    *out = CAIRN_NO_PERIODIC;
    if (!tasks || !periodic || !periodic->run || periodic->period > CAIRN_PERIOD_MAX)
        return CAIRN_INVALID;
    uint32_t period = periodic->period ? periodic->period : 1;
    tasks_rota *rota = tasks_make_rota(tasks, period);
    uint32_t index = rota ? tasks_take(tasks) : TASKS_NONE;
    if (index == TASKS_NONE) return CAIRN_OUT_OF_MEMORY;
    tasks->items[index] = (tasks_item){.what = *periodic,
                                       .rota_period = period,
                                       .slot = tasks_best_slot(tasks, rota),
                                       .born = tasks->frame};
    if (!periodic->cost) tasks->items[index].what.cost = 1;
    tasks_enter(tasks, rota, index);
    tasks->count++;
    *out = index;
    return CAIRN_OK;
}

cairn_status cairn_tasks_remove(cairn_tasks *tasks, uint32_t index)
{
    if (!tasks || index >= tasks->item_count || !tasks->items[index].what.run) return CAIRN_INVALID;
    tasks_item *item = &tasks->items[index];
    if (tasks->running && tasks->next == index) tasks->next = item->after;
    tasks_leave(tasks, tasks_find_rota(tasks, item->rota_period), index);
    item->what.run = NULL;
    item->after = tasks->free_item;
    tasks->free_item = index;
    tasks->count--;
    return CAIRN_OK;
}

/* ---- frames ---- */

/* While a task runs, others may be added and removed: items and rotas may move. */
static void tasks_run_slot(cairn_tasks *tasks, uint32_t first, cairn_tasks_frame *frame)
{
    for (uint32_t index = first; index != TASKS_NONE; index = tasks->next) {
        const tasks_item *item = &tasks->items[index];
        tasks->next = item->after;
        if (tasks->running && item->born == tasks->frame) continue;
        frame->count++;
        frame->cost += item->what.cost;
        item->what.run(item->what.user, index);
    }
}

cairn_status cairn_tasks_run(cairn_tasks *tasks, cairn_tasks_frame *frame)
{
    cairn_tasks_frame done = {0};
    if (!tasks || tasks->running) return CAIRN_INVALID;
    uint64_t now = tasks->frame;
    tasks->running = true;
    tasks->frame = now + 1; /* new tasks are placed behind this frame */
    for (uint32_t period = 0;;) {
        size_t at = tasks_place(tasks, period + 1);
        if (at == tasks->rota_count) break;
        period = tasks->rotas[at].period;
        tasks_run_slot(tasks, tasks->rotas[at].slots[now % period].first, &done);
    }
    tasks->running = false;
    if (frame) *frame = done;
    return CAIRN_OK;
}

uint32_t cairn_tasks_count(const cairn_tasks *tasks)
{
    return tasks ? tasks->count : 0;
}
