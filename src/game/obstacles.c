/* obstacles.c: obstacles with a time to live. See <cairn/obstacles.h>.
 *
 * Of each cell the cover (world/cover.h) counts how many obstacles close it, and what others cost.
 * An obstacle that comes, goes or moves changes these counts for its cells, and so marks them
 * dirty. A tick stages the dirty cells and commits. When an obstacle ends is kept in a heap.
 */
#include "game/turns.h"
#include "world/cover.h"
#include <cairn/obstacles.h>

/* Its cells in the grid: columns left…right - 1, rows top…bottom - 1. */
typedef struct obstacles_box {
    uint32_t left, top, right, bottom;
} obstacles_box;

typedef struct obstacles_item {
    cairn_obstacle_options options; /* width and height are set */
    obstacles_box box;
    uint32_t generation; /* of those that were in this place */
    uint32_t next;       /* the next free place */
    bool used;
} obstacles_item;

struct cairn_obstacles {
    crn_scratch memory;
    cairn_grid *grid;
    crn_cover cover;
    obstacles_item *items;
    uint32_t *places; /* in `ends` */
    size_t item_count, item_capacity, place_capacity;
    uint32_t free_item, count;
    crn_turns ends; /* by the tick that is the first without them */
    uint64_t now;   /* ticks so far */
};

#define OBSTACLES_NONE UINT32_MAX

/* ---- all of them ---- */

cairn_status cairn_obstacles_create(cairn_grid *grid, cairn_obstacles **out)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!grid || grid->cover) return CAIRN_INVALID;
    cairn_obstacles *obstacles = crn_alloc_zero(grid->context, sizeof *obstacles);
    if (!obstacles) return CAIRN_OUT_OF_MEMORY;
    obstacles->memory.context = grid->context;
    obstacles->cover.context = grid->context;
    obstacles->grid = grid;
    obstacles->free_item = OBSTACLES_NONE;
    grid->cover = &obstacles->cover;
    crn_hold(&grid->holders);
    *out = obstacles;
    return CAIRN_OK;
}

void cairn_obstacles_destroy(cairn_obstacles *obstacles)
{
    if (!obstacles) return;
    cairn_grid *grid = obstacles->grid;
    crn_scratch *memory = &obstacles->memory;
    grid->cover = NULL;
    crn_cover_free(&obstacles->cover);
    crn_turns_free(&obstacles->ends, memory);
    crn_scratch_free(memory, obstacles->places,
                     obstacles->place_capacity * sizeof *obstacles->places);
    crn_scratch_free(memory, obstacles->items, obstacles->item_capacity * sizeof *obstacles->items);
    crn_free(grid->context, obstacles, sizeof *obstacles);
    crn_grid_let_go(grid);
}

uint32_t cairn_obstacles_count(const cairn_obstacles *obstacles)
{
    return obstacles ? obstacles->count : 0;
}

size_t cairn_obstacles_bytes(const cairn_obstacles *obstacles)
{
    return obstacles
               ? sizeof *obstacles + obstacles->memory.bytes + crn_cover_bytes(&obstacles->cover)
               : 0;
}

cairn_cell_state cairn_obstacles_own_state(const cairn_obstacles *obstacles, int32_t x, int32_t y)
{
    if (!obstacles || !cairn_grid_inside(obstacles->grid, x, y)) return (cairn_cell_state){0};
    cairn_node node = cairn_grid_node(obstacles->grid, x, y);
    return crn_cover_own(crn_cover_find(&obstacles->cover, node),
                         crn_grid_state(obstacles->grid, node));
}

/* ---- cells ---- */

/* One side of it, cut off at both ends of the grid; false = nothing is left. */
static bool obstacles_cut(int32_t at, uint32_t size, uint32_t limit, uint32_t *first, uint32_t *end)
{
    int64_t begin = at > 0 ? at : 0, behind = (int64_t)at + size;
    if (behind > (int64_t)limit) behind = limit;
    if (begin >= behind) return false;
    *first = (uint32_t)begin;
    *end = (uint32_t)behind;
    return true;
}

static bool obstacles_bound(const cairn_obstacles *obstacles, const cairn_obstacle_options *o,
                            obstacles_box *out)
{
    return obstacles_cut(o->x, o->width, obstacles->grid->width, &out->left, &out->right) &&
           obstacles_cut(o->y, o->height, obstacles->grid->height, &out->top, &out->bottom);
}

/* Is there room for all of its cells? */
static bool obstacles_reserve(cairn_obstacles *obstacles, obstacles_box box)
{
    return crn_cover_reserve(&obstacles->cover,
                             (size_t)(box.right - box.left) * (box.bottom - box.top));
}

/* It comes to its cells, or leaves them. */
static void obstacles_cover(cairn_obstacles *obstacles, const obstacles_item *item, bool more)
{
    crn_cover *cover = &obstacles->cover;
    uint32_t width = obstacles->grid->width;
    for (uint32_t y = item->box.top; y < item->box.bottom; y++) {
        for (uint32_t x = item->box.left; x < item->box.right; x++) {
            if (item->options.cost)
                crn_cover_charge(cover, y * width + x, item->options.cost, more);
            else
                crn_cover_close(cover, y * width + x, more);
        }
    }
}

/* ---- one of them ---- */

static obstacles_item *obstacles_find(const cairn_obstacles *obstacles, cairn_obstacle obstacle)
{
    uint64_t index = (obstacle & UINT32_MAX) - 1;
    if (!obstacles || index >= obstacles->item_count) return NULL;
    obstacles_item *item = &obstacles->items[index];
    return item->used && item->generation == obstacle >> 32 ? item : NULL;
}

static uint32_t obstacles_index(const cairn_obstacles *obstacles, const obstacles_item *item)
{
    return (uint32_t)(item - obstacles->items);
}

/* Room for one more in every list; false = no memory. */
static bool obstacles_make_room(cairn_obstacles *obstacles)
{
    if (obstacles->free_item != OBSTACLES_NONE) return true;
    void *items = obstacles->items, *places = obstacles->places;
    size_t need = obstacles->item_count + 1;
    if (need > CAIRN_OBSTACLES_MAX) return false;
    bool ok = crn_scratch_grow(&obstacles->memory, &items, &obstacles->item_capacity, need,
                               sizeof *obstacles->items);
    obstacles->items = items;
    ok = ok && crn_scratch_grow(&obstacles->memory, &places, &obstacles->place_capacity, need,
                                sizeof *obstacles->places);
    obstacles->places = places;
    return ok && crn_turns_reserve(&obstacles->ends, &obstacles->memory, need);
}

/* There is room. */
static obstacles_item *obstacles_take(cairn_obstacles *obstacles)
{
    uint32_t index = obstacles->free_item;
    if (index != OBSTACLES_NONE) {
        obstacles->free_item = obstacles->items[index].next;
    } else {
        index = (uint32_t)obstacles->item_count++;
        obstacles->items[index] = (obstacles_item){0};
        obstacles->places[index] = CRN_NO_TURN;
    }
    obstacles->count++;
    return &obstacles->items[index];
}

static void obstacles_last(cairn_obstacles *obstacles, obstacles_item *item, uint32_t ticks)
{
    uint32_t index = obstacles_index(obstacles, item);
    crn_turns_remove(&obstacles->ends, obstacles->places, index);
    item->options.ticks = ticks;
    if (!ticks) return;
    crn_turns_add(&obstacles->ends, obstacles->places,
                  (crn_turn){obstacles->now + 1 + ticks, index, index});
}

static void obstacles_end(cairn_obstacles *obstacles, obstacles_item *item)
{
    uint32_t index = obstacles_index(obstacles, item);
    crn_turns_remove(&obstacles->ends, obstacles->places, index);
    obstacles_cover(obstacles, item, false);
    item->used = false;
    item->generation++;
    item->next = obstacles->free_item;
    obstacles->free_item = index;
    obstacles->count--;
}

cairn_status cairn_obstacles_put(cairn_obstacles *obstacles, const cairn_obstacle_options *options,
                                 cairn_obstacle *out)
{
    if (!out) return CAIRN_INVALID;
    *out = CAIRN_NO_OBSTACLE;
    if (!obstacles || !options || options->width > CAIRN_GRID_MAX ||
        options->height > CAIRN_GRID_MAX)
        return CAIRN_INVALID;
    cairn_obstacle_options o = *options;
    obstacles_box box;
    if (!o.width) o.width = 1;
    if (!o.height) o.height = 1;
    if (!obstacles_bound(obstacles, &o, &box)) return CAIRN_OUT_OF_BOUNDS;
    if (!obstacles_make_room(obstacles) || !obstacles_reserve(obstacles, box))
        return CAIRN_OUT_OF_MEMORY;
    obstacles_item *item = obstacles_take(obstacles);
    item->options = o;
    item->box = box;
    item->used = true;
    obstacles_cover(obstacles, item, true);
    obstacles_last(obstacles, item, o.ticks);
    *out = (uint64_t)item->generation << 32 | (obstacles_index(obstacles, item) + 1);
    return CAIRN_OK;
}

cairn_status cairn_obstacles_move(cairn_obstacles *obstacles, cairn_obstacle obstacle, int32_t x,
                                  int32_t y)
{
    obstacles_item *item = obstacles_find(obstacles, obstacle);
    if (!item) return CAIRN_INVALID;
    cairn_obstacle_options o = item->options;
    obstacles_box box;
    o.x = x;
    o.y = y;
    if (x == item->options.x && y == item->options.y) return CAIRN_OK;
    if (!obstacles_bound(obstacles, &o, &box)) return CAIRN_OUT_OF_BOUNDS;
    if (!obstacles_reserve(obstacles, box)) return CAIRN_OUT_OF_MEMORY;
    obstacles_cover(obstacles, item, false);
    item->options = o;
    item->box = box;
    obstacles_cover(obstacles, item, true);
    return CAIRN_OK;
}

cairn_status cairn_obstacles_renew(cairn_obstacles *obstacles, cairn_obstacle obstacle,
                                   uint32_t ticks)
{
    obstacles_item *item = obstacles_find(obstacles, obstacle);
    if (!item) return CAIRN_INVALID;
    obstacles_last(obstacles, item, ticks);
    return CAIRN_OK;
}

cairn_status cairn_obstacles_remove(cairn_obstacles *obstacles, cairn_obstacle obstacle)
{
    obstacles_item *item = obstacles_find(obstacles, obstacle);
    if (!item) return CAIRN_INVALID;
    obstacles_end(obstacles, item);
    return CAIRN_OK;
}

void cairn_obstacles_clear(cairn_obstacles *obstacles)
{
    for (size_t i = 0; obstacles && i < obstacles->item_count; i++)
        if (obstacles->items[i].used) obstacles_end(obstacles, &obstacles->items[i]);
}

/* ---- ticks ---- */

cairn_status cairn_obstacles_tick(cairn_obstacles *obstacles)
{
    if (!obstacles) return CAIRN_INVALID;
    obstacles->now++;
    while (obstacles->ends.count && obstacles->ends.entries[0].key <= obstacles->now)
        obstacles_end(obstacles, &obstacles->items[obstacles->ends.entries[0].item]);
    cairn_status status = crn_cover_stage(obstacles->grid);
    if (status == CAIRN_OK) status = cairn_grid_commit(obstacles->grid);
    if (status == CAIRN_OK)
        crn_cover_settle(&obstacles->cover);
    else
        crn_grid_unstage_covers(obstacles->grid); /* they are not the next commit's, but ours */
    return status;
}
