/* hcdps_regions.c: the regions of `hcdps`.
 *
 * Seeds stand at regular distances: in each square of `spacing` cells the usable cell nearest to
 * its middle. All regions grow at the same time, ring by ring, so that a cell is proposed to the
 * nearest seed first, and changes to a closer one are never needed. A cell joins a region if
 *
 * - its climb to the representative leads into the region with the first step: then all of it lies
 *   inside, because the rest of a climb is a climb;
 * - the climb from the representative to it lies inside too;
 * - both take at most `cutoff` steps.
 *
 * A cell that is refused is proposed again when another neighbour has joined. Cells that no region
 * takes become seeds themselves, one after the other, and take what is left round them.
 *
 * The climb to a cell is mostly that to the cell before it and one step more: where it is straight
 * towards it all along ("plain"), which a bit for each cell tells. Only behind obstacles it is
 * climbed.
 *
 * At last regions are numbered as a walk through them meets them, so that regions in one direction
 * have numbers in a row.
 */
#include "realtime/hcdps/hcdps_job.h"

enum { REGIONS_RING = 4, REGIONS_REPORT = 65536 };

typedef struct regions_proposal {
    cairn_node node;
    uint32_t region;
} regions_proposal;

typedef struct regions_list {
    regions_proposal *items;
    size_t count, capacity, next;
} regions_list;

typedef struct regions_growth {
    crn_hcdps_job *job;
    regions_list ring[REGIONS_RING]; /* by distance from the seed, in straight steps */
    uint64_t distance;               /* of the current list */
    uint64_t joined;                 /* cells */
    uint64_t reported;
    uint32_t asked; /* a region, ... */
    bool regular;   /* ... and whether its representative is the seed of a square */
} regions_growth;

static uint32_t regions_width(const regions_growth *g)
{
    return g->job->map->grid->width;
}

static cairn_cell regions_home(const regions_growth *g, uint32_t region)
{
    return cairn_grid_cell(g->job->map->grid, crn_hcdps_home(g->job->index, region));
}

static bool regions_push(regions_growth *g, cairn_node node, uint32_t region)
{
    const crn_grid_space *map = g->job->map;
    uint64_t distance =
        crn_climb_distance(map, cairn_grid_cell(map->grid, node), regions_home(g, region)) /
        map->base.scale.straight;
    if (distance < g->distance) distance = g->distance;
    if (distance >= g->distance + REGIONS_RING) distance = g->distance + REGIONS_RING - 1;
    regions_list *list = &g->ring[distance % REGIONS_RING];
    void *items = list->items;
    bool ok =
        crn_grow(g->job->context, &items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items = items;
    if (ok) list->items[list->count++] = (regions_proposal){node, region};
    return ok;
}

/* The last move of a climb from the seed that nothing is in the way of; CRN_CLIMB_STUCK on
 * hexagons, where that is not so simple. */
static uint32_t regions_last_move(const crn_grid_space *map, cairn_cell home, cairn_cell cell)
{
    static const uint8_t diagonal[2][2] = {{CRN_NW, CRN_NE}, {CRN_SW, CRN_SE}};
    int32_t dx = cell.x - home.x, dy = cell.y - home.y;
    uint32_t across = (uint32_t)(dx < 0 ? -dx : dx), down = (uint32_t)(dy < 0 ? -dy : dy);
    uint32_t x_move = dx > 0 ? CRN_E : CRN_W, y_move = dy > 0 ? CRN_S : CRN_N;
    if (map->hex) return CRN_CLIMB_STUCK;
    if (map->profile.neighbours == CAIRN_NEIGHBOURS_4) {
        if (!across || !down) return across ? x_move : y_move;
        return x_move > y_move ? x_move : y_move; /* the later one in their order */
    }
    if (across == down) return diagonal[dy > 0][dx > 0];
    return across > down ? x_move : y_move;
}

/* Does the climb from the seed consist of moves straight towards the cell, inside the region? */
static bool regions_is_plain(const regions_growth *g, uint32_t region, cairn_cell cell)
{
    const crn_hcdps_job *job = g->job;
    uint32_t d = regions_last_move(job->map, regions_home(g, region), cell);
    if (d == CRN_CLIMB_STUCK) return false;
    crn_climb before = {.map = job->map, .x = cell.x - crn_dx[d], .y = cell.y - crn_dy[d]};
    if (!cairn_grid_inside(job->map->grid, before.x, before.y)) return false;
    return job->region[crn_climb_node(&before) - job->first] == (region << 1 | 1) &&
           crn_climb_moves(&before) >> d & 1;
}

/* Does the climb from the seed to a cell stay in the region? */
static bool regions_leads_back(const regions_growth *g, uint32_t region, cairn_node node)
{
    const crn_hcdps_job *job = g->job;
    crn_climb climb = crn_climb_between(job->map, crn_hcdps_home(job->index, region), node);
    for (uint32_t left = job->index->cutoff; !crn_climb_arrived(&climb); left--) {
        cairn_node at = crn_climb_node(&climb);
        if (at < job->first || at >= job->end || !left) return false;
        if (crn_hcdps_job_region(job, at) != region) return false;
        uint32_t d = crn_climb_direction(&climb);
        if (d == CRN_CLIMB_STUCK) return false;
        crn_climb_move(&climb, d);
    }
    return true;
}

/* Proposes the neighbours of a cell that has joined. */
static bool regions_propose_round(regions_growth *g, cairn_node node, uint32_t region)
{
    cairn_cell cell = cairn_grid_cell(g->job->map->grid, node);
    crn_climb at = {.map = g->job->map, .x = cell.x, .y = cell.y};
    for (uint32_t moves = crn_climb_moves(&at); moves; moves &= moves - 1) {
        crn_climb beside = at;
        crn_climb_move(&beside, crn_lowest_bit(moves));
        cairn_node next = crn_climb_node(&beside);
        if (crn_hcdps_job_region(g->job, next) != CRN_HCDPS_NONE) continue;
        if (!regions_push(g, next, region)) return false;
    }
    return true;
}

static bool regions_join(regions_growth *g, cairn_node node, uint32_t region, bool plain,
                         uint32_t steps)
{
    g->job->region[node - g->job->first] = region << 1 | plain;
    g->job->steps[node - g->job->first] = (uint16_t)steps;
    g->joined++;
    return regions_propose_round(g, node, region);
}

/* The steps of the climb from a cell to its representative. */
static uint32_t regions_steps(const regions_growth *g, cairn_node node)
{
    uint16_t *steps = &g->job->steps[node - g->job->first];
    if (*steps == CRN_HCDPS_UNKNOWN) {
        cairn_node home = crn_hcdps_home(g->job->index, crn_hcdps_job_region(g->job, node));
        crn_climb climb = crn_climb_between(g->job->map, node, home);
        for (*steps = 0; !crn_climb_arrived(&climb); ++*steps) {
            uint32_t d = crn_climb_direction(&climb);
            if (*steps == g->job->index->cutoff || d == CRN_CLIMB_STUCK) { /* a wrong file */
                *steps = (uint16_t)g->job->index->cutoff;
                break;
            }
            crn_climb_move(&climb, d);
        }
    }
    return *steps;
}

/* A cell is proposed to a region; false = no memory. */
static bool regions_try(regions_growth *g, regions_proposal proposal)
{
    crn_hcdps_job *job = g->job;
    if (crn_hcdps_job_region(job, proposal.node) != CRN_HCDPS_NONE) return true;
    crn_climb climb =
        crn_climb_between(job->map, proposal.node, crn_hcdps_home(job->index, proposal.region));
    cairn_cell cell = {climb.x, climb.y};
    uint32_t d = crn_climb_direction(&climb);
    if (d == CRN_CLIMB_STUCK) return true;
    crn_climb_move(&climb, d);
    cairn_node next = crn_climb_node(&climb);
    if (crn_hcdps_job_region(job, next) != proposal.region) return true;
    uint32_t steps = regions_steps(g, next) + 1u;
    if (steps > job->index->cutoff) return true;
    bool plain = regions_is_plain(g, proposal.region, cell);
    if (plain) { /* as many steps as there, or fewer: no way is shorter */
        return regions_join(g, proposal.node, proposal.region, true, steps);
    }
    if (!regions_leads_back(g, proposal.region, proposal.node)) return true;
    return regions_join(g, proposal.node, proposal.region, false, steps);
}

static cairn_status regions_grow(regions_growth *g)
{
    uint32_t empty = 0;
    for (; empty < REGIONS_RING; g->distance++) {
        regions_list *list = &g->ring[g->distance % REGIONS_RING];
        empty = list->count ? 0 : empty + 1;
        while (list->next < list->count) {
            if (!regions_try(g, list->items[list->next++])) return CAIRN_OUT_OF_MEMORY;
            if (g->joined - g->reported < REGIONS_REPORT) continue;
            g->reported = g->joined;
            cairn_status status = crn_hcdps_report(g->job, g->joined, g->job->map->base.node_count);
            if (status != CAIRN_OK) return status;
        }
        list->count = list->next = 0;
    }
    return CAIRN_OK;
}

/* ---- seeds ---- */

/* The region that had this representative before a repair; or a new one. */
static uint32_t regions_of_seed(const regions_growth *g, cairn_node node)
{
    const crn_hcdps_area *area = g->job->area;
    for (size_t i = 0; area && i < area->freed.count; i++) {
        if (crn_hcdps_home(g->job->index, area->freed.items[i]) == node)
            return area->freed.items[i];
    }
    return crn_hcdps_regions(g->job->index);
}

static cairn_status regions_seed(regions_growth *g, cairn_node node)
{
    crn_hcdps_array *homes = &g->job->index->arrays[CRN_HCDPS_HOMES];
    uint32_t region = regions_of_seed(g, node);
    if (region >= CRN_HCDPS_NONE) return CAIRN_UNSUPPORTED;
    if (region == homes->count && !crn_hcdps_put(homes, g->job->context, node))
        return CAIRN_OUT_OF_MEMORY;
    g->distance = 0;
    return regions_join(g, node, region, true, 0) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* The usable cell of a square nearest to its middle. */
static cairn_node regions_find_seed(const regions_growth *g, uint32_t left, uint32_t top)
{
    const crn_grid_space *map = g->job->map;
    uint32_t side = g->job->index->spacing, right = crn_min_u32(left + side, map->grid->width),
             bottom = crn_min_u32(top + side, map->grid->height);
    cairn_cell middle = {(int32_t)(left + (right - left) / 2), (int32_t)(top + (bottom - top) / 2)};
    cairn_node best = CAIRN_NO_NODE;
    uint64_t least = UINT64_MAX;
    for (uint32_t y = top; y < bottom; y++) {
        for (uint32_t x = left; x < right; x++) {
            if (!crn_bit(&map->usable, (int32_t)x, (int32_t)y)) continue;
            uint64_t distance =
                crn_climb_distance(map, (cairn_cell){(int32_t)x, (int32_t)y}, middle);
            if (distance < least) least = distance, best = y * map->grid->width + x;
        }
    }
    return best;
}

static cairn_status regions_seed_all(regions_growth *g)
{
    const cairn_grid *grid = g->job->map->grid;
    uint32_t side = g->job->index->spacing;
    cairn_status status = CAIRN_OK;
    for (uint32_t top = 0; top < grid->height; top += side) {
        for (uint32_t left = 0; left < grid->width && status == CAIRN_OK; left += side) {
            cairn_node seed = regions_find_seed(g, left, top);
            if (seed != CAIRN_NO_NODE) status = regions_seed(g, seed);
        }
    }
    return status == CAIRN_OK ? regions_grow(g) : status;
}

static cairn_status regions_seed_rest(regions_growth *g)
{
    const crn_grid_space *map = g->job->map;
    uint32_t width = regions_width(g);
    cairn_status status = CAIRN_OK;
    for (cairn_node node = 0; node < map->base.node_count && status == CAIRN_OK; node++) {
        if (crn_hcdps_job_region(g->job, node) != CRN_HCDPS_NONE ||
            !crn_bit(&map->usable, (int32_t)(node % width), (int32_t)(node / width)))
            continue;
        status = regions_seed(g, node);
        if (status == CAIRN_OK) status = regions_grow(g);
    }
    return status;
}

/* ---- growing again ---- */

static bool regions_is_free(const regions_growth *g, uint32_t x, uint32_t y)
{
    return crn_bit(&g->job->map->usable, (int32_t)x, (int32_t)y) &&
           crn_hcdps_job_region(g->job, y * regions_width(g) + x) == CRN_HCDPS_NONE;
}

/* Seeds of squares that are free. */
static cairn_status regions_seed_squares(regions_growth *g)
{
    const crn_size_box *box = &g->job->area->box;
    uint32_t side = g->job->index->spacing, width = regions_width(g);
    cairn_status status = CAIRN_OK;
    for (uint32_t top = box->top / side * side; top <= box->bottom; top += side) {
        for (uint32_t left = box->left / side * side; left <= box->right; left += side) {
            cairn_node seed = regions_find_seed(g, left, top);
            if (seed == CAIRN_NO_NODE || seed % width < box->left || seed % width > box->right ||
                seed / width < box->top || seed / width > box->bottom ||
                !regions_is_free(g, seed % width, seed / width))
                continue;
            status = regions_seed(g, seed);
            if (status != CAIRN_OK) return status;
        }
    }
    return regions_grow(g);
}

/* Is the representative of a region the seed of its square? */
static bool regions_is_regular(regions_growth *g, uint32_t region)
{
    if (region != g->asked) {
        uint32_t side = g->job->index->spacing;
        cairn_cell home = regions_home(g, region);
        cairn_node seed =
            regions_find_seed(g, (uint32_t)home.x / side * side, (uint32_t)home.y / side * side);
        g->asked = region;
        g->regular = seed == crn_hcdps_home(g->job->index, region);
    }
    return g->regular;
}

/* Proposes a free cell to the regions beside it that have the seeds of squares. Others took what
 * these had left: cells that they add lie far from their representatives. */
static bool regions_propose(regions_growth *g, uint32_t x, uint32_t y)
{
    crn_climb at = {.map = g->job->map, .x = (int32_t)x, .y = (int32_t)y};
    bool ok = true;
    for (uint32_t moves = crn_climb_moves(&at); moves && ok; moves &= moves - 1) {
        crn_climb beside = at;
        crn_climb_move(&beside, crn_lowest_bit(moves));
        uint32_t region = crn_hcdps_job_region(g->job, crn_climb_node(&beside));
        if (region != CRN_HCDPS_NONE && regions_is_regular(g, region))
            ok = regions_push(g, crn_climb_node(&at), region);
    }
    return ok;
}

static cairn_status regions_propose_free(regions_growth *g)
{
    const crn_size_box *box = &g->job->area->box;
    bool ok = true;
    g->distance = 0;
    for (uint32_t y = box->top; y <= box->bottom; y++) {
        for (uint32_t x = box->left; x <= box->right && ok; x++)
            ok = !regions_is_free(g, x, y) || regions_propose(g, x, y);
    }
    return ok ? regions_grow(g) : CAIRN_OUT_OF_MEMORY;
}

static cairn_status regions_seed_area(regions_growth *g)
{
    const crn_size_box *box = &g->job->area->box;
    cairn_status status = CAIRN_OK;
    for (uint32_t y = box->top; y <= box->bottom; y++) {
        for (uint32_t x = box->left; x <= box->right && status == CAIRN_OK; x++) {
            if (!regions_is_free(g, x, y)) continue;
            status = regions_seed(g, y * regions_width(g) + x);
            if (status == CAIRN_OK) status = regions_grow(g);
        }
    }
    return status;
}

static void regions_close(regions_growth *g)
{
    for (uint32_t i = 0; i < REGIONS_RING; i++) {
        crn_free(g->job->context, g->ring[i].items, g->ring[i].capacity * sizeof *g->ring[i].items);
    }
}

cairn_status crn_hcdps_grow_again(crn_hcdps_job *job)
{
    regions_growth growth = {.job = job, .asked = CRN_HCDPS_NONE};
    cairn_status status = regions_seed_squares(&growth);
    if (status == CAIRN_OK) status = regions_propose_free(&growth);
    if (status == CAIRN_OK) status = regions_seed_area(&growth);
    regions_close(&growth);
    return status;
}

/* ---- runs ---- */

/* The region of a cell for its run; CRN_HCDPS_NONE: any, as nobody can be there. In repairs,
 * blocked cells are of the run that they were in. */
static uint32_t regions_of_run(const crn_hcdps_job *job, cairn_node node)
{
    uint32_t region = crn_hcdps_job_region(job, node);
    if (region == CRN_HCDPS_NONE || !job->order) return region;
    uint32_t width = job->map->grid->width;
    bool usable = crn_bit(&job->map->usable, (int32_t)(node % width), (int32_t)(node / width));
    return usable ? job->order[region] : CRN_HCDPS_NONE;
}

/* A block, from its first node on. Blocked cells count to the run before, or to the first one. */
bool crn_hcdps_write_block(crn_hcdps_job *job, cairn_node first, cairn_node end)
{
    crn_hcdps_array *runs = &job->index->arrays[CRN_HCDPS_RUNS];
    crn_hcdps_writer writer = {.out = runs, .context = job->context};
    uint32_t before = 0;
    for (cairn_node node = first; node < end;) {
        uint32_t region = CRN_HCDPS_NONE;
        cairn_node next = node;
        for (; next < end; next++) {
            uint32_t here = regions_of_run(job, next);
            if (here == CRN_HCDPS_NONE) continue;
            if (region == CRN_HCDPS_NONE) region = here;
            if (here != region) break;
        }
        if (region == CRN_HCDPS_NONE) region = before;
        crn_hcdps_write(&writer, crn_hcdps_unsigned(region - before));
        crn_hcdps_write(&writer, next < end ? next - node : 0);
        before = region;
        node = next;
    }
    return crn_hcdps_write_end(&writer);
}

static cairn_status regions_write_runs(crn_hcdps_job *job)
{
    crn_hcdps *index = job->index;
    crn_hcdps_array *runs = &index->arrays[CRN_HCDPS_RUNS],
                    *entries = &index->arrays[CRN_HCDPS_ENTRIES];
    uint32_t nodes = job->space->node_count;
    bool ok = crn_hcdps_put(entries, job->context, 0);
    for (cairn_node node = 0; node < nodes && ok;) {
        cairn_node end = nodes - node > index->every ? node + index->every : nodes;
        ok = crn_hcdps_write_block(job, node, end) &&
             crn_hcdps_put(entries, job->context, (uint32_t)runs->count);
        node = end;
    }
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* Numbers regions again: depth first through the doors. `order` gets the new number of each. */
static void regions_walk(const crn_hcdps_job *job, uint32_t *order, uint32_t *stack)
{
    uint32_t regions = crn_hcdps_regions(job->index), count = 0;
    memset(order, 0xff, regions * sizeof *order);
    for (uint32_t root = 0; root < regions; root++) {
        uint32_t height = 0;
        if (order[root] == UINT32_MAX) stack[height++] = root;
        while (height) {
            uint32_t region = stack[--height];
            if (order[region] != UINT32_MAX) continue;
            order[region] = count++;
            for (uint32_t i = job->door_first[region + 1]; i-- > job->door_first[region];) {
                uint32_t next = (uint32_t)job->doors[i].key;
                if (order[next] == UINT32_MAX) stack[height++] = next;
            }
        }
    }
}

static cairn_status regions_number(crn_hcdps_job *job)
{
    crn_hcdps_array *homes = &job->index->arrays[CRN_HCDPS_HOMES];
    uint32_t regions = (uint32_t)homes->count;
    size_t size = (regions + 1) * sizeof(uint32_t),
           stack_size = (job->door_count + regions + 1) * sizeof(uint32_t);
    uint32_t *order = crn_alloc(job->context, size), *stack = crn_alloc(job->context, stack_size),
             *moved = crn_alloc(job->context, size);
    bool ok = order && stack && moved;
    if (ok) {
        regions_walk(job, order, stack);
        for (uint32_t i = 0; i < regions; i++) moved[order[i]] = homes->items[i];
        if (regions) memcpy(homes->owned, moved, regions * sizeof *moved);
        for (cairn_node node = 0; node < job->space->node_count; node++) {
            uint32_t region = crn_hcdps_job_region(job, node);
            if (region != CRN_HCDPS_NONE) job->region[node] = order[region] << 1;
        }
        for (size_t i = 0; i < job->door_count; i++) {
            uint64_t key = job->doors[i].key;
            job->doors[i].key = (uint64_t)order[key >> 32] << 32 | order[(uint32_t)key];
        }
        ok = crn_hcdps_sort_doors(job);
    }
    crn_free(job->context, order, size);
    crn_free(job->context, stack, stack_size);
    crn_free(job->context, moved, size);
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static cairn_status regions_grow_on_grid(crn_hcdps_job *job)
{
    regions_growth growth = {.job = job};
    cairn_status status = regions_seed_all(&growth);
    if (status == CAIRN_OK) status = regions_seed_rest(&growth);
    regions_close(&growth);
    return status;
}

cairn_status crn_hcdps_find_regions(crn_hcdps_job *job)
{
    uint32_t nodes = job->space->node_count;
    for (cairn_node node = 0; node < nodes; node++) job->region[node] = CRN_HCDPS_NONE << 1;
    cairn_status status = job->map ? regions_grow_on_grid(job) : crn_hcdps_grow_on_graph(job);
    if (status == CAIRN_OK) status = crn_hcdps_find_doors(job);
    if (status == CAIRN_OK) status = regions_number(job);
    return status == CAIRN_OK ? regions_write_runs(job) : status;
}
