/* rays.c: ray smoothing of paths on a grid.
 *
 * From each cell of the path, rays are sent in all directions of steps, as far as steps are
 * possible. Where a ray meets the path again farther on, it replaces what lies between, if it is no
 * more expensive. Of several such cells the one farthest along the path counts. Then the method
 * continues two cells before the hit, so that a turn can be cut off as well. A path that comes back
 * to the cell itself is cut off there. The cells of the result are one legal step apart, and never
 * more than before.
 *
 * Source: Botea, Müller and Schaeffer, "Near Optimal Hierarchical Path-Finding", 2004; thesis of B.
 * Anguelov, section 7.2, which leaves open which of several cells is taken and what becomes of more
 * expensive rays; the box round each cell is Jansen and Buro's, "HPA* Enhancements", 2007.
 */
#include "path/rays.h"
#include "path/line.h"
#include "path/smooth.h"
#include <cairn/path.h>

#define RAYS_BACK 2u             /* cells before the one that was met */
#define RAYS_CLEAR 1024u         /* heads for a unit of work */
#define RAYS_LEARN 64u           /* cells for a unit of work */
#define RAYS_WHOLE 31u           /* the shift of lines that are not cut */
#define RAYS_STRETCH 2654435769u /* odd: spreads the stretches of a line over the slots */

/* ---- memory ---- */

void crn_rays_open(crn_rays *rays, crn_scratch *memory, const crn_grid_space *space)
{
    bool four = space->profile.neighbours == CAIRN_NEIGHBOURS_4;
    *rays = (crn_rays){.memory = memory,
                       .space = space,
                       .lines = space->hex ? CRN_RAYS_FALLING
                                : four     ? CRN_RAYS_RISING
                                           : CRN_RAYS_LINES};
}

void crn_rays_close(crn_rays *rays)
{
    crn_scratch *memory = rays->memory;
    crn_scratch_free(memory, rays->points, rays->point_capacity * sizeof *rays->points);
    crn_scratch_free(memory, rays->before, rays->before_capacity * sizeof *rays->before);
    crn_scratch_free(memory, rays->heads, rays->head_capacity * sizeof *rays->heads);
    crn_scratch_free(memory, rays->ray_costs, rays->ray_capacity * sizeof *rays->ray_costs);
    crn_scratch_free(memory, rays->out, rays->out_capacity * sizeof *rays->out);
    crn_scratch_free(memory, rays->out_costs, rays->out_cost_capacity * sizeof *rays->out_costs);
    crn_rays_open(rays, memory, rays->space);
}

static size_t rays_heads(const crn_rays *rays)
{
    return CRN_RAYS_LINES * ((size_t)rays->mask + 1);
}

size_t crn_rays_bytes(const crn_rays *rays)
{
    if (!rays->length) return 0;
    size_t each =
        sizeof *rays->points + sizeof *rays->before + sizeof *rays->out + sizeof *rays->out_costs;
    if (!rays->space->uniform) each += 2 * sizeof *rays->ray_costs;
    return rays->length * each + rays_heads(rays) * sizeof *rays->heads +
           rays->first * (sizeof *rays->out + sizeof *rays->out_costs);
}

/* Memory for a path of `length` cells, and for this many and `more` in the result. */
static bool rays_reserve(crn_rays *rays, size_t length, size_t more)
{
    crn_scratch *memory = rays->memory;
    void *points = rays->points, *before = rays->before, *heads = rays->heads,
         *ray_costs = rays->ray_costs;
    void *out = rays->out, *out_costs = rays->out_costs;
    size_t costs = rays->space->uniform ? 0 : 2 * length;
    bool ok =
        crn_scratch_grow(memory, &points, &rays->point_capacity, length, sizeof *rays->points) &&
        crn_scratch_grow(memory, &before, &rays->before_capacity, length, sizeof *rays->before) &&
        crn_scratch_grow(memory, &heads, &rays->head_capacity, rays_heads(rays),
                         sizeof *rays->heads) &&
        crn_scratch_grow(memory, &ray_costs, &rays->ray_capacity, costs, sizeof *rays->ray_costs) &&
        crn_scratch_grow(memory, &out, &rays->out_capacity, more + length, sizeof *rays->out) &&
        crn_scratch_grow(memory, &out_costs, &rays->out_cost_capacity, more + length,
                         sizeof *rays->out_costs);
    rays->points = points;
    rays->before = before;
    rays->heads = heads;
    rays->ray_costs = ray_costs;
    rays->out = out;
    rays->out_costs = out_costs;
    return ok;
}

/* Begins with a path whose first cell is this one of the result. */
static bool rays_begin_at(crn_rays *rays, size_t place, const cairn_node *path,
                          const cairn_cost *costs, size_t length)
{
    /* A path of this many cells lies in no more rows or columns: these never share a slot. */
    rays->length = 0;
    rays->mask = 15;
    while (rays->mask < length) rays->mask = 2 * rays->mask + 1;
    if (!rays_reserve(rays, length, place)) return false;
    rays->path = path;
    rays->costs = costs;
    rays->length = length;
    rays->cleared = rays->known = 0;
    rays->out[place] = path[0];
    rays->first = (uint32_t)place;
    rays->count = place + 1;
    rays->ahead = 1;
    rays->next = 1;
    return true;
}

bool crn_rays_begin(crn_rays *rays, const cairn_node *path, const cairn_cost *costs, size_t length,
                    uint32_t box)
{
    rays->box = box ? box : UINT32_MAX;
    rays->shift = 0;
    while (rays->shift < RAYS_WHOLE && UINT64_C(1) << rays->shift < rays->box) rays->shift++;
    if (!rays_begin_at(rays, 0, path, costs, length)) return false;
    rays->out_costs[0] = costs[0];
    return true;
}

bool crn_rays_go_on(crn_rays *rays, const cairn_node *path, const cairn_cost *costs, size_t length)
{
    size_t place = rays->count;
    if (!rays_begin_at(rays, place, path, costs, length)) return false;
    rays->out_costs[place] = rays->out_costs[place - 1] + (costs[0] - costs[-1]);
    return true;
}

void crn_rays_end(crn_rays *rays)
{
    rays->length = 0;
}

/* ---- lines ---- */

CRN_INLINE cairn_cell rays_cell(const crn_rays *rays, cairn_node node)
{
    uint32_t width = rays->space->grid->width, y = node / width;
    return (cairn_cell){(int32_t)(node - y * width), (int32_t)y};
}

CRN_INLINE cairn_cell rays_point(const crn_rays *rays, cairn_cell cell)
{
    return rays->space->hex ? crn_line_to_axial(cell) : cell;
}

/* The same for all points of a line. */
CRN_INLINE uint32_t rays_line(cairn_cell point, uint32_t line)
{
    uint32_t x = (uint32_t)point.x, y = (uint32_t)point.y;
    return line == CRN_RAYS_ROW      ? y
           : line == CRN_RAYS_COLUMN ? x
           : line == CRN_RAYS_RISING ? x + y
                                     : x - y;
}

/* Where on it a point lies. */
CRN_INLINE int32_t rays_along(cairn_cell point, uint32_t line)
{
    return line == CRN_RAYS_ROW ? point.x : point.y;
}

/* The stretch of a line that a point lies on; in axial coordinates it may be left of 0. */
CRN_INLINE uint32_t rays_stretch(const crn_rays *rays, cairn_cell point, uint32_t line)
{
    return ((uint32_t)rays_along(point, line) + CAIRN_GRID_MAX) >> rays->shift;
}

CRN_INLINE uint32_t *rays_head(const crn_rays *rays, uint32_t name, uint32_t stretch, uint32_t line)
{
    uint32_t slot = (name + stretch * RAYS_STRETCH) & rays->mask;
    return rays->heads + line * ((size_t)rays->mask + 1) + slot;
}

static void rays_clear(crn_rays *rays)
{
    size_t count = rays_heads(rays) - rays->cleared;
    if (count > RAYS_CLEAR) count = RAYS_CLEAR;
    memset(rays->heads + rays->cleared, 0, count * sizeof *rays->heads);
    rays->cleared += count;
}

static void rays_learn(crn_rays *rays)
{
    for (uint32_t i = 0; i < RAYS_LEARN && rays->known < rays->length; i++) {
        size_t place = rays->known++;
        cairn_cell point = rays_point(rays, rays_cell(rays, rays->path[place]));
        rays->points[place] = point;
        for (uint32_t line = 0; line < CRN_RAYS_LINES; line++) {
            uint32_t *head =
                rays_head(rays, rays_line(point, line), rays_stretch(rays, point, line), line);
            rays->before[place][line] = *head;
            *head = (uint32_t)rays->known;
        }
    }
}

/* ---- rays ---- */

/* Where a line leads, to lower and to higher y (rows: x), from cells in even and in odd rows. */
static const uint8_t rays_directions[2][CRN_RAYS_LINES][2][2] = {
    {{{CRN_W, CRN_W}, {CRN_E, CRN_E}},
     {{CRN_N, CRN_N}, {CRN_S, CRN_S}},
     {{CRN_NE, CRN_NE}, {CRN_SW, CRN_SW}},
     {{CRN_NW, CRN_NW}, {CRN_SE, CRN_SE}}},
    {{{CRN_W, CRN_W}, {CRN_E, CRN_E}},
     {{CRN_NW, CRN_N}, {CRN_S, CRN_SE}},
     {{CRN_N, CRN_NE}, {CRN_SW, CRN_S}}},
};

/* A ray as far as it was followed. */
typedef struct rays_ray {
    const uint8_t *directions; /* by the parity of the row */
    cairn_cell at;
    uint32_t length;
    bool ended;        /* it leads no farther */
    cairn_cost *costs; /* after each step; NULL if all cost the same */
} rays_ray;

/* Follows a ray up to a length, as far as steps lead. */
static void rays_glide(const crn_grid_space *space, rays_ray *ray, uint32_t length)
{
    cairn_cell at = ray->at;
    uint32_t done = ray->length;
    for (; done < length; done++) {
        uint32_t direction = ray->directions[at.y & 1];
        if (!(crn_grid_moves(space, (uint32_t)at.x, (uint32_t)at.y) >> direction & 1)) break;
        at.x += crn_dx[direction];
        at.y += crn_dy[direction];
    }
    ray->at = at;
    ray->ended = done < length;
    ray->length = done;
}

/* The same where steps differ: one of them. */
static bool rays_advance(const crn_grid_space *space, rays_ray *ray)
{
    uint32_t x = (uint32_t)ray->at.x, y = (uint32_t)ray->at.y, direction = ray->directions[y & 1];
    uint32_t move = crn_grid_moves(space, x, y) & 1u << direction;
    if (space->limited && move) move = crn_grid_limit_moves(space, x, y, move);
    if (!move) return false;
    cairn_cell to = {ray->at.x + crn_dx[direction], ray->at.y + crn_dy[direction]};
    if (ray->costs) {
        int64_t width = space->grid->width;
        uint64_t cost = ray->length ? ray->costs[ray->length - 1] : 0;
        cost += crn_grid_step_cost(space, (cairn_node)(ray->at.y * width + ray->at.x),
                                   (cairn_node)(to.y * width + to.x), direction);
        if (cost > CAIRN_COST_MAX) return false;
        ray->costs[ray->length] = (cairn_cost)cost;
    }
    ray->at = to;
    ray->length++;
    return true;
}

/* Does the ray lead so far? */
CRN_INLINE bool rays_reaches(const crn_grid_space *space, rays_ray *ray, uint32_t distance)
{
    if (ray->length >= distance) return true;
    if (ray->ended) return false;
    if (!ray->costs && !space->limited) {
        rays_glide(space, ray, distance);
    } else {
        while (ray->length < distance && !ray->ended) ray->ended = !rays_advance(space, ray);
    }
    return !ray->ended;
}

/* ... and does it cost no more than the path to there? Where all steps cost the same, nothing is as
 * cheap as a straight line but the line itself: then the path is the ray. */
static bool rays_replaces(const crn_rays *rays, rays_ray *ray, uint32_t distance, uint64_t paid)
{
    const crn_grid_space *space = rays->space;
    if (!distance) return true;
    if (ray->costs) return rays_reaches(space, ray, distance) && ray->costs[distance - 1] <= paid;
    uint64_t cost = (uint64_t)distance * space->step[ray->directions[0]];
    return cost == paid || (cost < paid && rays_reaches(space, ray, distance));
}

/* What a ray has met. */
typedef struct rays_hit {
    uint32_t place;
    uint32_t length;
    const uint8_t *directions;
} rays_hit;

/* Two rays along one line, the one to lower and the one to higher places. */
typedef struct rays_pair {
    uint32_t line;
    cairn_cell point;
    uint64_t paid; /* what the path to a place costs, less what the path says of it */
    rays_ray both[2];
} rays_pair;

/* Searches the places of a stretch, from its last one on, for the one farthest along the path that
 * can be reached at no higher cost, if it is farther than the best hit so far. */
static void rays_look_from(const crn_rays *rays, rays_pair *pair, uint32_t place, rays_hit *best)
{
    uint32_t line = pair->line, name = rays_line(pair->point, line);
    uint32_t farther = crn_max_u32((uint32_t)rays->next, best->place);
    for (; place > farther; place = rays->before[place - 1][line]) {
        cairn_cell hit = rays->points[place - 1];
        if (rays_line(hit, line) != name) continue;
        int32_t along = rays_along(hit, line) - rays_along(pair->point, line);
        uint32_t distance = (uint32_t)(along < 0 ? -along : along);
        rays_ray *ray = &pair->both[along > 0];
        if (distance > rays->box ||
            !rays_replaces(rays, ray, distance, pair->paid + rays->costs[place - 1]))
            continue;
        *best = (rays_hit){place, distance, ray->directions};
        return;
    }
}

/* Follows a line in both directions. `sent` is the cost of the path to the cell that sends the
 * rays. */
static void rays_look(const crn_rays *rays, uint32_t line, cairn_cell point, cairn_cell cell,
                      uint64_t sent, rays_hit *best)
{
    const crn_grid_space *space = rays->space;
    uint32_t name = rays_line(point, line), stretch = rays_stretch(rays, point, line);
    uint32_t stretches = rays->shift == RAYS_WHOLE ? 1 : 3, places[3], last = 0;
    for (uint32_t i = 0; i < stretches; i++) {
        places[i] = *rays_head(rays, name, stretch + i - stretches / 2, line);
        last = crn_max_u32(last, places[i]);
    }
    if (last <= crn_max_u32((uint32_t)rays->next, best->place)) return;
    rays_pair pair = {.line = line,
                      .point = point,
                      .paid =
                          rays->out_costs[rays->count - 1] - sent - rays->costs[rays->next - 1]};
    for (uint32_t side = 0; side < 2; side++) {
        cairn_cost *costs = space->uniform ? NULL : rays->ray_costs + side * rays->length;
        pair.both[side] = (rays_ray){
            .directions = rays_directions[space->hex][line][side], .at = cell, .costs = costs};
    }
    for (uint32_t i = 0; i < stretches; i++) rays_look_from(rays, &pair, places[i], best);
}

/* The ray takes the place of the path behind the cell that sent it. */
static void rays_take(crn_rays *rays, rays_hit hit)
{
    const cairn_grid *grid = rays->space->grid;
    size_t kept = rays->count - rays->ahead + 1;
    cairn_node at = rays->out[kept - 1];
    uint32_t y = at / grid->width;
    for (uint32_t i = 0; i < hit.length; i++, kept++) {
        uint32_t direction = hit.directions[y & 1];
        cairn_node to =
            (cairn_node)(at + crn_dy[direction] * (int64_t)grid->width + crn_dx[direction]);
        rays->out[kept] = to;
        rays->out_costs[kept] =
            rays->out_costs[kept - 1] + crn_grid_step_cost(rays->space, at, to, direction);
        y = (uint32_t)((int32_t)y + crn_dy[direction]);
        at = to;
    }
    rays->count = kept;
    rays->next = hit.place;
    rays->ahead = hit.length ? crn_min_u32(hit.length, RAYS_BACK + 1) : 1;
}

/* Sends rays from the first cell that has not sent any. The last one always hits the next cell of
 * the path at least. */
static void rays_send(crn_rays *rays)
{
    size_t first = rays->count - rays->ahead;
    cairn_cell cell = rays_cell(rays, rays->out[first]), point = rays_point(rays, cell);
    rays_hit best = {0};
    for (uint32_t line = 0; line < rays->lines; line++) {
        rays_look(rays, line, point, cell, rays->out_costs[first], &best);
    }
    if (best.place) {
        rays_take(rays, best);
    } else {
        rays->ahead--;
    }
}

cairn_status crn_rays_step(crn_rays *rays, uint64_t *work)
{
    while (rays->next < rays->length) {
        if (!*work) return CAIRN_RUNNING;
        --*work;
        if (rays->cleared < rays_heads(rays)) {
            rays_clear(rays);
        } else if (rays->known < rays->length) {
            rays_learn(rays);
        } else {
            rays_send(rays);
        }
    }
    return CAIRN_OK;
}

/* ---- for users ---- */

#define RAYS_SQRT2 1.41421356237309504880

/* A path being smoothed piece by piece, between its links. */
typedef struct rays_run {
    const crn_grid_space *space;
    crn_scratch memory;
    crn_rays rays;
    uint32_t box;
    cairn_node *cells; /* of a piece */
    cairn_cost *costs;
    size_t cell_capacity, cost_capacity;
    crn_smooth_output output;
    uint64_t straight, diagonal; /* steps of the result */
    uint64_t cost, linked;       /* of all of it, and of links alone */
} rays_run;

static bool rays_read_piece(rays_run *run, const cairn_path *piece, size_t length)
{
    void *cells = run->cells, *costs = run->costs;
    bool ok =
        crn_scratch_grow(&run->memory, &cells, &run->cell_capacity, length, sizeof *run->cells) &&
        crn_scratch_grow(&run->memory, &costs, &run->cost_capacity, length, sizeof *run->costs);
    run->cells = cells;
    run->costs = costs;
    if (!ok) return false;
    cairn_path_iterator iterator = cairn_path_begin(&run->space->base, piece);
    for (size_t i = 0; i < length; i++) {
        run->cells[i] = cairn_path_next(&iterator);
        run->costs[i] =
            i ? run->costs[i - 1] + crn_grid_walk_cost(run->space, run->cells[i - 1], run->cells[i])
              : 0;
    }
    return true;
}

/* Does the step change row and column? Steps between hexagons are all alike. */
static bool rays_is_diagonal(const crn_grid_space *space, cairn_node from, cairn_node to)
{
    uint32_t width = space->grid->width;
    return !space->hex && from % width != to % width && from / width != to / width;
}

/* A path without links. */
static bool rays_smooth_piece(rays_run *run, const cairn_path *piece)
{
    size_t length = (size_t)cairn_path_step_count(&run->space->base, piece);
    uint64_t work = UINT64_MAX;
    crn_rays *rays = &run->rays;
    if (!rays_read_piece(run, piece, length)) return false;
    if (!crn_rays_begin(rays, run->cells, run->costs, length, run->box)) return false;
    crn_rays_step(rays, &work);
    run->output.piece = 0;
    for (size_t i = 0; i < rays->count; i++) {
        crn_smooth_add(&run->output, rays->out[i]);
        if (!i) continue;
        bool diagonal = rays_is_diagonal(run->space, rays->out[i - 1], rays->out[i]);
        run->diagonal += diagonal;
        run->straight += !diagonal;
    }
    run->cost += rays->out_costs[rays->count - 1];
    return true;
}

static bool rays_smooth(rays_run *run, const cairn_path *path)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i <= path->link_count; i++) {
        uint32_t end = i < path->link_count ? path->links[i].at + 1 : path->count;
        cairn_path piece = {.nodes = path->nodes + first, .count = end - first};
        if (!rays_smooth_piece(run, &piece)) return false;
        if (i == path->link_count) break;
        cairn_cost cost =
            crn_links_cost(run->space, path->nodes[end - 1], path->nodes[end], path->links[i].id);
        run->linked += cost;
        run->cost += cost;
        first = end;
    }
    return true;
}

static cairn_status rays_smooth_grid(rays_run *run, const cairn_space *space,
                                     const cairn_path *path)
{
    run->space = crn_grid_space_of(space);
    run->output.grid = run->space->grid;
    run->memory.context = run->space->grid->context;
    crn_rays_open(&run->rays, &run->memory, run->space);
    bool ok = rays_smooth(run, path);
    crn_rays_close(&run->rays);
    crn_scratch_free(&run->memory, run->cells, run->cell_capacity * sizeof *run->cells);
    crn_scratch_free(&run->memory, run->costs, run->cost_capacity * sizeof *run->costs);
    if (!ok) {
        run->output = (crn_smooth_output){0};
        return CAIRN_OUT_OF_MEMORY;
    }
    run->output.length = (double)run->straight + (double)run->diagonal * RAYS_SQRT2;
    if (run->linked) run->output.length += (double)run->linked / cairn_space_scale(space).straight;
    return CAIRN_OK;
}

cairn_status cairn_smooth_rays(const cairn_space *space, const cairn_path *path, uint32_t box,
                               cairn_smoothed *out)
{
    if (!out) return CAIRN_INVALID;
    rays_run run = {.box = box, .output = {.nodes = out->nodes, .capacity = out->capacity}};
    cairn_status status = crn_smooth_check(space, path);
    if (!status && path->any_angle) status = CAIRN_UNSUPPORTED;
    if (!status && cairn_space_grid(space)) {
        status = rays_smooth_grid(&run, space, path);
    } else if (!status) {
        crn_smooth_keep(&run.output, path);
        run.cost = path->cost;
    }
    crn_smooth_give(&run.output, &status, out);
    if (!status) out->cost = (cairn_cost)run.cost;
    return status;
}
