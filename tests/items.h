/* items.h: what an index shows of itself (cairn_planner_overlay), as a list. */
#ifndef TESTS_ITEMS_H
#define TESTS_ITEMS_H

#include "support.h"

typedef struct items {
    cairn_overlay_item *at;
    size_t count, capacity;
} items;

static inline void items_add(void *user, const cairn_overlay_item *item)
{
    items *all = user;
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 256;
        all->at = realloc(all->at, all->capacity * sizeof *all->at);
        if (!all->at) abort();
    }
    all->at[all->count++] = *item;
}

/* Of one layer, or of all of them (0). */
static inline items items_of(const cairn_planner *planner, uint32_t level)
{
    items all = {0};
    CHECK_OK(cairn_planner_overlay(planner, level, &(cairn_overlay_sink){items_add, &all}));
    return all;
}

static inline void items_free(items *all)
{
    free(all->at);
    *all = (items){0};
}

static inline size_t items_count(const items *all, uint32_t level, cairn_overlay_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        count += all->at[i].level == level && all->at[i].kind == kind;
    return count;
}

/* Fields that a kind does not have may be anything. */
static inline bool items_same(const cairn_overlay_item *a, const cairn_overlay_item *b)
{
    bool has_number = a->kind == CAIRN_OVERLAY_AREA || a->kind == CAIRN_OVERLAY_NODE;
    bool has_end = a->kind == CAIRN_OVERLAY_BORDER || a->kind == CAIRN_OVERLAY_EDGE;
    if (a->kind != b->kind || a->level != b->level) return false;
    if (has_number && (a->node != b->node || a->group != b->group)) return false;
    if (a->kind != CAIRN_OVERLAY_AREA && (a->from.x != b->from.x || a->from.y != b->from.y))
        return false;
    if (has_end && (a->to.x != b->to.x || a->to.y != b->to.y)) return false;
    return a->kind != CAIRN_OVERLAY_EDGE || a->cost == b->cost;
}

#endif
