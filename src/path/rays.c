/* rays.c: ray smoothing of paths on a grid.
 *
 * From each cell of the path rays are sent in all directions that steps have, as far as steps lead. Where one meets the path again farther on,
 * it takes the place of what lies between, if it is no dearer; of several such cells the one farthest along the path counts. Then it goes on two
 * cells before the one that was met, so that a turn can be cut off as well. The cells of the result are one legal step apart.
 *
 * Source: Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004; thesis of B. Anguelov, section 7.2, which leaves
 * open which of several cells is taken and what becomes of dearer rays; the box round each cell is Jansen and Buro's, "HPA* Enhancements", 2007.
 */
#include "path/rays.h"
#include <cairn/path.h>

#define RAYS_BACK 2u /* cells before the one that was met */

void crn_rays_open(crn_rays *rays, crn_scratch *memory, const crn_grid_space *space)
{
    *rays = (crn_rays){.memory = memory, .space = space};
}

void crn_rays_close(crn_rays *rays)
{
    crn_scratch_free(rays->memory, rays->costs, rays->cost_capacity * sizeof *rays->costs);
    crn_scratch_free(rays->memory, rays->places, rays->place_capacity * sizeof *rays->places);
    crn_scratch_free(rays->memory, rays->out, rays->capacity * sizeof *rays->out);
    crn_rays_open(rays, rays->memory, rays->space);
}

static uint32_t rays_hash(const crn_rays *rays, cairn_node cell)
{
    return (uint32_t)((cell * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & rays->mask;
}

/* The last place of a cell on the path, plus 1; 0 if it is not on it. */
static uint32_t rays_place(const crn_rays *rays, cairn_node cell)
{
    for (uint32_t i = rays_hash(rays, cell);; i = (i + 1) & rays->mask) {
        uint32_t place = rays->places[i];
        if (!place || rays->path[place - 1] == cell) return place;
    }
}

static bool rays_reserve(crn_rays *rays, size_t length)
{
    void *costs = rays->costs, *places = rays->places, *out = rays->out;
    size_t slots = 16;
    while (slots < 2 * length) slots *= 2;
    bool ok = crn_scratch_grow(rays->memory, &costs, &rays->cost_capacity, length, sizeof *rays->costs) &&
              crn_scratch_grow(rays->memory, &places, &rays->place_capacity, slots, sizeof *rays->places) &&
              crn_scratch_grow(rays->memory, &out, &rays->capacity, length, sizeof *rays->out);
    rays->costs = costs;
    rays->places = places;
    rays->out = out;
    rays->mask = (uint32_t)slots - 1;
    return ok;
}

bool crn_rays_begin(crn_rays *rays, const cairn_node *path, size_t length, uint32_t box)
{
    if (!rays_reserve(rays, length)) return false;
    rays->path = path;
    rays->length = length;
    rays->box = box;
    memset(rays->places, 0, ((size_t)rays->mask + 1) * sizeof *rays->places);
    for (uint32_t i = 0; i < length; i++) {
        rays->costs[i] = i ? rays->costs[i - 1] + crn_grid_walk_cost(rays->space, path[i - 1], path[i]) : 0;
        uint32_t at = rays_hash(rays, path[i]);
        while (rays->places[at] && path[rays->places[at] - 1] != path[i]) at = (at + 1) & rays->mask;
        rays->places[at] = i + 1;
    }
    rays->out[0] = path[0];
    rays->count = rays->ahead = 1;
    rays->next = 1;
    return true;
}

/* What a ray has met. */
typedef struct rays_hit {
    uint32_t place; /* on the path, plus 1 */
    uint32_t direction, length;
} rays_hit;

/* The farthest place on the path that a ray from a cell meets at no higher cost, if it is farther than `best`. `left` is what the way costs from the
 * cell to where the path goes on. */
static void rays_trace(const crn_rays *rays, cairn_node from, uint32_t direction, uint64_t left,
                       rays_hit *best)
{
    const crn_grid_space *space = rays->space;
    uint32_t width = space->grid->width, x = from % width, y = from / width;
    uint64_t cost = 0;
    cairn_node at = from;
    for (uint32_t length = 1; !rays->box || length <= rays->box; length++) {
        uint32_t moves = crn_grid_moves(space, x, y);
        if (space->limited) moves = crn_grid_limit_moves(space, x, y, moves);
        if (!(moves >> direction & 1)) return;
        x = (uint32_t)((int32_t)x + crn_dx[direction]);
        y = (uint32_t)((int32_t)y + crn_dy[direction]);
        cairn_node to = y * width + x;
        cost += crn_grid_step_cost(space, at, to, direction);
        at = to;
        uint32_t place = rays_place(rays, to);
        if (place <= best->place || place <= rays->next) continue;
        if (cost > left + rays->costs[place - 1] - rays->costs[rays->next - 1]) continue;
        *best = (rays_hit){place, direction, length};
    }
}

/* The ray takes the place of the way behind the cell that sent it. */
static bool rays_take(crn_rays *rays, rays_hit hit)
{
    void *out = rays->out;
    size_t kept = rays->count - rays->ahead + 1;
    if (!crn_scratch_grow(rays->memory, &out, &rays->capacity, kept + hit.length, sizeof *rays->out))
        return false;
    rays->out = out;
    cairn_node at = rays->out[kept - 1];
    int64_t width = rays->space->grid->width;
    for (uint32_t i = 0; i < hit.length; i++) {
        at = (cairn_node)(at + crn_dy[hit.direction] * width + crn_dx[hit.direction]);
        rays->out[kept + i] = at;
    }
    rays->count = kept + hit.length;
    rays->next = hit.place;
    rays->ahead = crn_min_u32(hit.length, RAYS_BACK + 1);
    return true;
}

/* Sends rays from the first cell that has not sent any. */
static bool rays_send(crn_rays *rays)
{
    size_t first = rays->count - rays->ahead;
    cairn_node from = rays->out[first];
    uint64_t left = 0;
    for (size_t i = first; i + 1 < rays->count; i++) {
        left += crn_grid_walk_cost(rays->space, rays->out[i], rays->out[i + 1]);
    }
    rays_hit best = {0};
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) rays_trace(rays, from, d, left, &best);
    if (best.place) return rays_take(rays, best);
    if (--rays->ahead) return true;
    if (rays->next == rays->length) return true;
    void *out = rays->out;
    if (!crn_scratch_grow(rays->memory, &out, &rays->capacity, rays->count + 1, sizeof *rays->out))
        return false;
    rays->out = out;
    rays->out[rays->count++] = rays->path[rays->next++];
    rays->ahead = 1;
    return true;
}

cairn_status crn_rays_step(crn_rays *rays, uint64_t *work)
{
    while (rays->ahead && (rays->ahead > 1 || rays->next < rays->length)) {
        if (!*work) return CAIRN_RUNNING;
        --*work;
        if (!rays_send(rays)) return CAIRN_OUT_OF_MEMORY;
    }
    return CAIRN_OK;
}

/* ---- for users ---- */

cairn_status cairn_smooth_rays(const cairn_space *space, const cairn_path *path, uint32_t box,
                               cairn_node *out, uint32_t capacity, uint32_t *count, cairn_cost *cost,
                               double *length)
{
    (void)space, (void)path, (void)box, (void)out, (void)capacity, (void)count, (void)cost, (void)length;
    return CAIRN_UNSUPPORTED; /* TODO: being written */
}
