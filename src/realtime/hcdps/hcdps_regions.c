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
 * climbed. A build knows of each cell whether it is blocked, so that such a climb goes on by lines:
 * straight towards the cell, or along a wall, as far as they lie in the region.
 */
#include "realtime/hcdps/hcdps_job.h"

enum { REGIONS_RING = 4, REGIONS_REPORT = 65536 };

/* A cell without a region; and one that will never have one, in builds. */
#define REGIONS_FREE (CRN_HCDPS_NONE << 1)
#define REGIONS_BLOCKED (CRN_HCDPS_NONE << 1 | 1)

typedef struct regions_proposal {
    cairn_node node;
    uint32_t region;
} regions_proposal;

typedef struct regions_list {
    regions_proposal *items;
    size_t count, capacity;
} regions_list;

typedef struct regions_growth {
    crn_hcdps_job *job;
    uint32_t width;
    ptrdiff_t beside[CRN_DIRECTIONS]; /* from a node to those around it */
    bool octile;                      /* squares with eight neighbours */
    bool glides; /* a build where steps also follow from the cells around alone */
    regions_list ring[REGIONS_RING]; /* by distance from the seed, in straight steps */
    uint64_t distance;               /* of the current list */
    uint64_t joined;                 /* cells */
    uint64_t reported;
    uint32_t region; /* the one that cells are proposed to, ... */
    cairn_cell home; /* ... and its representative */
    uint32_t asked;  /* a region, ... */
    bool regular;    /* ... and whether its representative is the seed of a square */
} regions_growth;

/* A cell that is proposed: the climb from it to the representative, and all legal moves there. */
typedef struct regions_cell {
    cairn_node node;
    crn_climb climb;
    uint32_t moves;
} regions_cell;

static regions_growth regions_open(crn_hcdps_job *job)
{
    const crn_grid_space *map = job->map;
    regions_growth g = {
        .job = job, .width = map->grid->width, .region = CRN_HCDPS_NONE, .asked = CRN_HCDPS_NONE};
    g.octile = map->profile.neighbours == CAIRN_NEIGHBOURS_8 && !map->hex;
    g.glides = g.octile && !map->limited && !job->before;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++)
        g.beside[d] = crn_dy[d] * (ptrdiff_t)g.width + crn_dx[d];
    return g;
}

static cairn_cell regions_home(const regions_growth *g, uint32_t region)
{
    cairn_node home = crn_hcdps_home(g->job->index, region);
    return (cairn_cell){(int32_t)(home % g->width), (int32_t)(home / g->width)};
}

static regions_cell regions_cell_of(regions_growth *g, regions_proposal proposal)
{
    const crn_grid_space *map = g->job->map;
    uint32_t x = proposal.node % g->width, y = proposal.node / g->width;
    if (proposal.region != g->region) {
        g->region = proposal.region;
        g->home = regions_home(g, proposal.region);
    }
    regions_cell cell = {proposal.node, {map, (int32_t)x, (int32_t)y, g->home.x, g->home.y}, 0};
    cell.moves = crn_grid_moves(map, x, y);
    if (CRN_UNLIKELY(map->limited)) cell.moves = crn_grid_limit_moves(map, x, y, cell.moves);
    return cell;
}

/* How far a cell is from the representative, in straight steps. */
CRN_INLINE uint64_t regions_distance(const regions_growth *g, int32_t x, int32_t y)
{
    const crn_grid_space *map = g->job->map;
    const cairn_scale *scale = &map->base.scale;
    if (!g->octile) return crn_climb_distance(map, (cairn_cell){x, y}, g->home) / scale->straight;
    int32_t dx = x - g->home.x, dy = y - g->home.y;
    uint32_t across = (uint32_t)(dx < 0 ? -dx : dx), down = (uint32_t)(dy < 0 ? -dy : dy),
             low = crn_min_u32(across, down), high = crn_max_u32(across, down);
    return high - low + (uint64_t)scale->diagonal * low / scale->straight;
}

static CRN_NOINLINE bool regions_enlarge(regions_growth *g, regions_list *list)
{
    void *items = list->items;
    bool ok =
        crn_grow(g->job->context, &items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items = items;
    return ok;
}

/* Proposes a cell to the region of g->home. */
CRN_INLINE bool regions_push(regions_growth *g, cairn_node node, int32_t x, int32_t y)
{
    uint64_t distance = regions_distance(g, x, y);
    if (distance < g->distance) distance = g->distance;
    if (distance >= g->distance + REGIONS_RING) distance = g->distance + REGIONS_RING - 1;
    regions_list *list = &g->ring[distance % REGIONS_RING];
    if (CRN_UNLIKELY(list->count == list->capacity) && !regions_enlarge(g, list)) return false;
    list->items[list->count++] = (regions_proposal){node, g->region};
    return true;
}

/* The last move of a climb from the seed that nothing is in the way of; CRN_CLIMB_STUCK on
 * hexagons, where that is not so simple. */
static uint32_t regions_last_move(const crn_climb *climb)
{
    static const uint8_t diagonal[2][2] = {{CRN_NW, CRN_NE}, {CRN_SW, CRN_SE}};
    int32_t dx = climb->x - climb->tx, dy = climb->y - climb->ty;
    uint32_t across = (uint32_t)(dx < 0 ? -dx : dx), down = (uint32_t)(dy < 0 ? -dy : dy);
    uint32_t x_move = dx > 0 ? CRN_E : CRN_W, y_move = dy > 0 ? CRN_S : CRN_N;
    if (climb->map->hex) return CRN_CLIMB_STUCK;
    if (climb->map->profile.neighbours == CAIRN_NEIGHBOURS_4) {
        if (!across || !down) return across ? x_move : y_move;
        return x_move > y_move ? x_move : y_move; /* the later one in their order */
    }
    if (across == down) return diagonal[dy > 0][dx > 0];
    return across > down ? x_move : y_move;
}

/* Does the climb from the seed consist of moves straight towards the cell, inside the region? */
static bool regions_is_plain(const regions_growth *g, const regions_cell *cell)
{
    const crn_hcdps_job *job = g->job;
    uint32_t d = regions_last_move(&cell->climb), back = crn_opposite[d % CRN_DIRECTIONS];
    if (d == CRN_CLIMB_STUCK) return false;
    /* what the bitmap says of a step holds both ways, what limits say does not */
    if (!job->map->limited && !(cell->moves >> back & 1)) return false;
    crn_climb before = cell->climb;
    crn_climb_move(&before, back);
    if (job->map->limited && (!cairn_grid_inside(job->map->grid, before.x, before.y) ||
                              !(crn_climb_moves(&before) >> d & 1)))
        return false;
    return job->region[crn_climb_node(&before) - job->first] == (g->region << 1 | 1);
}

/* Goes straight on inside the region, by these differences of nodes (one of them may be 0); returns
 * how many steps that were. Diagonal ones are legal where both cells beside them are usable. */
static uint32_t regions_glide(const regions_growth *g, const uint32_t *at, ptrdiff_t across,
                              ptrdiff_t down, uint32_t most)
{
    uint32_t region = g->region, steps = 0;
    for (; steps < most; steps++, at += across + down) {
        if (at[across] >> 1 != region || at[down] >> 1 != region ||
            at[across + down] >> 1 != region)
            break;
    }
    return steps;
}

/* The same along a wall, as long as it is in the way of diagonal steps. */
static uint32_t regions_slide(const regions_growth *g, const uint32_t *at, ptrdiff_t along,
                              ptrdiff_t wall, uint32_t most)
{
    uint32_t region = g->region, steps = 0;
    if (at[wall] != REGIONS_BLOCKED) return 0;
    for (; steps < most; steps++, at += along) {
        if (at[along] >> 1 != region || at[along + wall] != REGIONS_BLOCKED) break;
    }
    return steps;
}

/* A climb goes on inside the region as long as that is simple: along a wall after a step in the
 * direction `last`, or straight towards the cell that it leads to, but not into it. Returns how
 * many steps that were. */
static uint32_t regions_go_on(const regions_growth *g, crn_climb *climb, uint32_t last)
{
    const uint32_t *at = &g->job->region[crn_climb_node(climb)];
    int32_t dx = climb->tx - climb->x, dy = climb->ty - climb->y, x = (dx > 0) - (dx < 0),
            y = (dy > 0) - (dy < 0);
    ptrdiff_t column = x, row = y * (ptrdiff_t)g->width;
    uint32_t across = (uint32_t)(dx * x), down = (uint32_t)(dy * y), steps;
    if (last < CRN_NE && x && y) {
        bool level = crn_dx[last] != 0;
        steps = level ? regions_slide(g, at, column, row, across)
                      : regions_slide(g, at, row, column, down);
        climb->x += level ? x * (int32_t)steps : 0;
        climb->y += level ? 0 : y * (int32_t)steps;
        if (steps) return steps;
    }
    steps = x && y ? crn_min_u32(across, down) : across + down;
    if (steps == crn_max_u32(across, down)) steps--;
    steps = regions_glide(g, at, column, row, steps);
    climb->x += x * (int32_t)steps;
    climb->y += y * (int32_t)steps;
    return steps;
}

/* Does the climb from the seed to a cell stay in the region? */
static bool regions_leads_back(const regions_growth *g, const regions_cell *cell)
{
    const crn_hcdps_job *job = g->job;
    crn_climb climb = {job->map, g->home.x, g->home.y, cell->climb.x, cell->climb.y};
    for (uint32_t left = job->index->cutoff, d = CRN_CLIMB_STUCK; left;) {
        cairn_node at = crn_climb_node(&climb);
        if (at < job->first || at >= job->end) return false;
        if (crn_hcdps_job_region(job, at) != g->region) return false;
        uint32_t steps = g->glides ? regions_go_on(g, &climb, d) : 0;
        d = CRN_CLIMB_STUCK;
        if (!steps) {
            d = crn_climb_direction(&climb);
            if (d == CRN_CLIMB_STUCK) return false;
            crn_climb_move(&climb, d);
            if (crn_climb_arrived(&climb)) return true;
            steps = 1;
        }
        left -= crn_min_u32(left, steps);
    }
    return false;
}

/* A cell joins; proposes those around it. */
static bool regions_join(regions_growth *g, const regions_cell *cell, bool plain, uint32_t steps)
{
    crn_hcdps_job *job = g->job;
    uint32_t *at = &job->region[cell->node - job->first];
    *at = g->region << 1 | plain;
    job->steps[cell->node - job->first] = (uint16_t)steps;
    g->joined++;
    for (uint32_t moves = cell->moves; moves; moves &= moves - 1) {
        uint32_t d = crn_lowest_bit(moves);
        if (at[g->beside[d]] < REGIONS_FREE) continue;
        if (!regions_push(g, (cairn_node)((ptrdiff_t)cell->node + g->beside[d]),
                          cell->climb.x + crn_dx[d], cell->climb.y + crn_dy[d]))
            return false;
    }
    return true;
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

/* A cell without a region is proposed to one; false = no memory. */
static bool regions_try(regions_growth *g, regions_proposal proposal)
{
    crn_hcdps_job *job = g->job;
    regions_cell cell = regions_cell_of(g, proposal);
    uint32_t d = crn_climb_direction(&cell.climb);
    if (d == CRN_CLIMB_STUCK) return true;
    cairn_node next = (cairn_node)((ptrdiff_t)proposal.node + g->beside[d]);
    if (crn_hcdps_job_region(job, next) != proposal.region) return true;
    uint32_t steps = regions_steps(g, next) + 1u;
    if (steps > job->index->cutoff) return true;
    bool plain = regions_is_plain(g, &cell); /* then it is as short as the climb there */
    if (!plain && !regions_leads_back(g, &cell)) return true;
    return regions_join(g, &cell, plain, steps);
}

/* All proposals of a distance. */
static cairn_status regions_try_all(regions_growth *g, regions_list *list)
{
    const crn_hcdps_job *job = g->job;
    for (size_t i = 0; i < list->count; i++) { /* more of them may come */
        regions_proposal proposal = list->items[i];
        if (job->region[proposal.node - job->first] < REGIONS_FREE) continue;
        if (!regions_try(g, proposal)) return CAIRN_OUT_OF_MEMORY;
        if (g->joined - g->reported < REGIONS_REPORT) continue;
        g->reported = g->joined;
        cairn_status status = crn_hcdps_report(job, g->joined, job->map->base.node_count);
        if (status != CAIRN_OK) return status;
    }
    list->count = 0;
    return CAIRN_OK;
}

static cairn_status regions_grow(regions_growth *g)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t empty = 0; empty < REGIONS_RING && status == CAIRN_OK; g->distance++) {
        regions_list *list = &g->ring[g->distance % REGIONS_RING];
        empty = list->count ? 0 : empty + 1;
        status = regions_try_all(g, list);
    }
    return status;
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
    regions_cell cell = regions_cell_of(g, (regions_proposal){node, region});
    g->distance = 0;
    return regions_join(g, &cell, true, 0) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* Which cells of a row are usable, 64 of them from x on? */
static CRN_NOINLINE uint64_t regions_word(const regions_growth *g, uint32_t x, uint32_t y)
{
    return crn_bits_word(&g->job->map->usable, (int32_t)x, (int32_t)y);
}

/* What is the nearest to the middle of a square? */
typedef struct regions_nearest {
    cairn_cell middle;
    cairn_node best;
    uint64_t least; /* its distance */
} regions_nearest;

/* Looks at the cells of a row, from `left` up to `right`. The first of equally near ones counts. */
static void regions_look(const regions_growth *g, regions_nearest *nearest, uint32_t y,
                         uint32_t left, uint32_t right)
{
    const crn_grid_space *map = g->job->map;
    for (uint32_t x = left; x < right; x += 64) {
        uint64_t word = regions_word(g, x, y);
        if (right - x < 64) word &= (UINT64_C(1) << (right - x)) - 1;
        for (; word; word &= word - 1) {
            cairn_cell cell = {(int32_t)(x + crn_lowest_bit(word)), (int32_t)y};
            cairn_node node = y * g->width + (uint32_t)cell.x;
            uint64_t distance = crn_climb_distance(map, cell, nearest->middle);
            if (distance > nearest->least || (distance == nearest->least && node > nearest->best))
                continue;
            nearest->least = distance;
            nearest->best = node;
        }
    }
}

/* The usable cell of a square nearest to its middle: looks at rows from there on, as long as they
 * may have a nearer one. */
static cairn_node regions_find_seed(const regions_growth *g, uint32_t left, uint32_t top)
{
    const crn_grid_space *map = g->job->map;
    uint32_t side = g->job->index->spacing, right = crn_min_u32(left + side, g->width),
             bottom = crn_min_u32(top + side, map->grid->height), row = top + (bottom - top) / 2;
    regions_nearest nearest = {
        {(int32_t)(left + (right - left) / 2), (int32_t)row}, CAIRN_NO_NODE, UINT64_MAX};
    for (uint32_t away = 0; away <= row - top; away++) { /* there are no more rows below */
        if ((uint64_t)away * map->base.scale.straight > nearest.least) break;
        regions_look(g, &nearest, row - away, left, right);
        if (away && row + away < bottom) regions_look(g, &nearest, row + away, left, right);
    }
    return nearest.best;
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

/* No cell of a row has a region yet. */
static void regions_free_row(const regions_growth *g, uint32_t y)
{
    for (uint32_t left = 0; left < g->width; left += 64) {
        uint64_t word = regions_word(g, left, y);
        for (; word; word &= word - 1)
            g->job->region[y * g->width + left + crn_lowest_bit(word)] = REGIONS_FREE;
    }
}

static cairn_status regions_seed_rest(regions_growth *g)
{
    cairn_status status = CAIRN_OK;
    const uint32_t *region = g->job->region, end = g->job->end;
    for (cairn_node node = 0; node < end && status == CAIRN_OK; node++) {
        if (region[node] != REGIONS_FREE) continue;
        status = regions_seed(g, node);
        if (status == CAIRN_OK) status = regions_grow(g);
    }
    return status;
}

/* ---- growing again ---- */

static bool regions_is_free(const regions_growth *g, uint32_t x, uint32_t y)
{
    return crn_bit(&g->job->map->usable, (int32_t)x, (int32_t)y) &&
           crn_hcdps_job_region(g->job, y * g->width + x) == CRN_HCDPS_NONE;
}

/* Seeds of squares that are free. */
static cairn_status regions_seed_squares(regions_growth *g)
{
    const crn_size_box *box = &g->job->area->box;
    uint32_t side = g->job->index->spacing, width = g->width;
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
        if (region == CRN_HCDPS_NONE || !regions_is_regular(g, region)) continue;
        g->region = region;
        g->home = regions_home(g, region);
        ok = regions_push(g, crn_climb_node(&at), at.x, at.y);
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
            status = regions_seed(g, y * g->width + x);
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
    regions_growth growth = regions_open(job);
    cairn_status status = regions_seed_squares(&growth);
    if (status == CAIRN_OK) status = regions_propose_free(&growth);
    if (status == CAIRN_OK) status = regions_seed_area(&growth);
    regions_close(&growth);
    return status;
}

/* ---- all of it ---- */

static cairn_status regions_grow_on_grid(crn_hcdps_job *job)
{
    regions_growth growth = regions_open(job);
    for (uint32_t y = 0; y < job->map->grid->height; y++) regions_free_row(&growth, y);
    cairn_status status = regions_seed_all(&growth);
    if (status == CAIRN_OK) status = regions_seed_rest(&growth);
    regions_close(&growth);
    return status;
}

cairn_status crn_hcdps_find_regions(crn_hcdps_job *job)
{
    uint32_t *region = job->region, nodes = job->space->node_count,
             none = job->map ? REGIONS_BLOCKED : REGIONS_FREE;
    for (cairn_node node = 0; node < nodes; node++) region[node] = none;
    cairn_status status = job->map ? regions_grow_on_grid(job) : crn_hcdps_grow_on_graph(job);
    if (status == CAIRN_OK) status = crn_hcdps_find_doors(job);
    return status == CAIRN_OK ? crn_hcdps_number_regions(job) : status;
}
