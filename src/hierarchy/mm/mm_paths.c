/* mm_paths.c: paths between centres: reading, files. See mm_paths.h; mm_paths_find.c finds them. */
#include "hierarchy/mm/mm_paths_edges.h"

#define PATHS_BACK 2u /* directions that differ in this bit are opposite */

/* ---- reading ---- */

/* The path at some bytes, and the bytes behind it. */
const uint8_t *crn_mm_paths_read(const uint8_t *at, crn_mm_path *path)
{
    path->count = *at++;
    if (path->count == CRN_MM_PATHS_LONG) {
        path->count = crn_mm_number(at, 2);
        at += 2;
    }
    path->runs = at;
    return at + path->count;
}

crn_mm_paths_edges crn_mm_paths_edges_of(const crn_mm_level *level, uint32_t sector,
                                         const crn_mm_sector *packed, uint32_t region)
{
    return (crn_mm_paths_edges){.level = level,
                                .sector = sector,
                                .region = region,
                                .packed = crn_mm_edges_of(packed, region)};
}

bool crn_mm_paths_next(crn_mm_paths_edges *edges)
{
    uint32_t direction;
    if (!crn_mm_edges_next(&edges->packed, &direction, &edges->to)) return false;
    edges->to_sector = crn_mm_lead(edges->level, edges->sector, direction, &edges->to);
    edges->number++;
    return true;
}

/* Is the path of the edge stored with the region that it leaves? Without one-way steps none leads
 * to its own sector. */
bool crn_mm_paths_keep(const crn_mm_paths_edges *edges)
{
    return edges->level->one_way || edges->sector < edges->to_sector;
}

/* The path from a region to another one, which is stored with the first. */
static crn_mm_path paths_from(const crn_mm *mm, const uint32_t from[2], const uint32_t to[2])
{
    const crn_mm_level *level = &mm->levels[0];
    crn_mm_sector packed = crn_mm_sector_at(level, from[0]);
    crn_mm_paths_edges edges = crn_mm_paths_edges_of(level, from[0], &packed, from[1]);
    const uint8_t *at =
        crn_mm_block(&mm->paths.bytes, crn_mm_region_paths_of(&mm->paths, from[0])[from[1]].byte);
    crn_mm_path path = {0};
    while (crn_mm_paths_next(&edges)) {
        if (!crn_mm_paths_keep(&edges)) continue;
        at = crn_mm_paths_read(at, &path);
        if (edges.to_sector == to[0] && edges.to == to[1]) return path;
    }
    return (crn_mm_path){0};
}

/* The path of an edge. */
crn_mm_path crn_mm_path_of(const crn_mm *mm, const crn_mm_paths_edges *edges)
{
    const uint32_t from[2] = {edges->sector, edges->region}, to[2] = {edges->to_sector, edges->to};
    if (crn_mm_paths_keep(edges)) return paths_from(mm, from, to);
    crn_mm_path path = paths_from(mm, to, from);
    path.back = true;
    return path;
}

crn_mm_path crn_mm_path_between(const crn_mm *mm, cairn_node from, cairn_node to)
{
    const crn_mm_level *level = &mm->levels[0];
    crn_mm_paths_edges edge = {.level = level,
                               .sector = crn_mm_sector_of(level, from),
                               .to_sector = crn_mm_sector_of(level, to)};
    edge.region = from - level->first[edge.sector];
    edge.to = to - level->first[edge.to_sector];
    return crn_mm_path_of(mm, &edge);
}

static uint32_t paths_run(const crn_mm_path *path, uint32_t i, uint32_t *direction)
{
    uint32_t run = path->runs[path->back ? path->count - 1 - i : i];
    *direction = run / CRN_MM_PATHS_RUN ^ (path->back ? PATHS_BACK : 0);
    return run % CRN_MM_PATHS_RUN + 1;
}

uint32_t crn_mm_path_length(const crn_mm_path *path)
{
    uint32_t length = 0, direction;
    for (uint32_t i = 0; i < path->count; i++) length += paths_run(path, i, &direction);
    return length;
}

uint32_t crn_mm_path_steps(const crn_mm_path *path, uint32_t skipped, uint8_t *out,
                           uint32_t capacity)
{
    uint32_t written = 0, direction;
    for (uint32_t i = 0; i < path->count && written < capacity; i++) {
        uint32_t steps = paths_run(path, i, &direction), left_out = crn_min_u32(skipped, steps);
        uint32_t count = crn_min_u32(steps - left_out, capacity - written);
        skipped -= left_out;
        memset(out + written, (int)direction, count);
        written += count;
    }
    return written;
}

/* The steps of a run, as far as they can be made. */
static void paths_walk_run(const crn_grid_space *space, uint32_t steps, uint32_t direction,
                           crn_mm_walk *walk)
{
    const uint32_t width = space->grid->width, height = space->grid->height;
    for (; steps && walk->at != CAIRN_NO_NODE; steps--) {
        uint32_t x = (uint32_t)((int32_t)(walk->at % width) + crn_dx[direction]),
                 y = (uint32_t)((int32_t)(walk->at / width) + crn_dy[direction]);
        bool inside = x < width && y < height;
        cairn_cost step =
            inside ? crn_grid_walk_cost(space, walk->at, y * width + x) : CAIRN_NO_COST;
        walk->cost += step;
        walk->at = step == CAIRN_NO_COST ? CAIRN_NO_NODE : y * width + x;
    }
}

void crn_mm_path_begin(const crn_mm *mm, const crn_grid_space *space,
                       const crn_mm_paths_edges *edges, crn_mm_walk *walk)
{
    *walk = (crn_mm_walk){.at = crn_mm_cell(mm, space, 0, edges->sector, edges->region)};
}

uint32_t crn_mm_path_walk_on(const crn_grid_space *space, const crn_mm_path *path,
                             crn_mm_walk *walk, uint32_t steps)
{
    uint32_t made = 0, direction;
    while (made < steps && walk->run < path->count && walk->at != CAIRN_NO_NODE) {
        uint32_t run = paths_run(path, walk->run++, &direction);
        paths_walk_run(space, run, direction, walk);
        made += run;
    }
    return made;
}

/* Does a path lead from one cell to another, whatever it costs? A step may cost more than 32 bits
 * hold. */
static bool paths_lead(const crn_grid_space *space, const crn_mm_path *path, cairn_node from,
                       cairn_node to)
{
    const uint32_t width = space->grid->width, height = space->grid->height;
    uint32_t x = from % width, y = from / width, direction;
    for (uint32_t i = 0; i < path->count; i++) {
        for (uint32_t left = paths_run(path, i, &direction); left; left--) {
            uint32_t bx = (uint32_t)((int32_t)x + crn_dx[direction]),
                     by = (uint32_t)((int32_t)y + crn_dy[direction]);
            if (bx >= width || by >= height || !crn_grid_can_step(space, x, y, bx, by))
                return false;
            x = bx;
            y = by;
        }
    }
    return y * width + x == to;
}

cairn_cost crn_mm_path_cost(const crn_mm *mm, const crn_grid_space *space,
                            const crn_mm_paths_edges *edges, const crn_mm_path *path,
                            const crn_mm_walk *walk)
{
    if (!path->count) return CAIRN_COST_MAX;
    bool leads = walk->at == crn_mm_cell(mm, space, 0, edges->to_sector, edges->to);
    return leads ? crn_saturate(walk->cost) : CAIRN_NO_COST;
}

crn_mm_paths_extent crn_mm_paths_extent_of(const crn_mm *mm, uint32_t sector,
                                           const crn_mm_sector *packed)
{
    if (!packed->count) return (crn_mm_paths_extent){0};
    const crn_mm_region_paths *regions = crn_mm_region_paths_of(&mm->paths, sector),
                              *last = &regions[packed->count - 1];
    crn_mm_paths_edges edges =
        crn_mm_paths_edges_of(&mm->levels[0], sector, packed, packed->count - 1);
    const uint8_t *begin = crn_mm_block(&mm->paths.bytes, last->byte), *end = begin;
    crn_mm_path path;
    while (crn_mm_paths_next(&edges))
        if (crn_mm_paths_keep(&edges)) end = crn_mm_paths_read(end, &path);
    return (crn_mm_paths_extent){regions[0], last->edge + edges.number - regions[0].edge,
                                 last->byte + (uint32_t)(end - begin) - regions[0].byte};
}

/* ---- the most of all costs ---- */

static cairn_cost paths_most_of(const crn_mm *mm, uint32_t leaf)
{
    cairn_cost most = 0;
    uint32_t sector = leaf * CRN_MM_PATHS_LEAF,
             end = crn_min_u32(sector + CRN_MM_PATHS_LEAF, mm->paths.sectors);
    for (; sector < end; sector++) {
        crn_mm_sector packed = crn_mm_sector_at(&mm->levels[0], sector);
        crn_mm_paths_extent extent = crn_mm_paths_extent_of(mm, sector, &packed);
        const cairn_cost *costs = crn_mm_block(&mm->paths.costs, extent.first.edge);
        for (uint32_t i = 0; i < extent.costs; i++)
            if (costs[i] > most) most = costs[i];
    }
    return most;
}

/* The leaf that a sector belongs to is counted again, and what stands above it. */
void crn_mm_paths_update_most(crn_mm *mm, uint32_t sector)
{
    cairn_cost *most = mm->paths.most;
    uint32_t at = mm->paths.leaves + sector / CRN_MM_PATHS_LEAF;
    most[at] = paths_most_of(mm, sector / CRN_MM_PATHS_LEAF);
    for (at /= 2; at; at /= 2) {
        cairn_cost a = most[2 * at], b = most[2 * at + 1];
        most[at] = a > b ? a : b;
    }
}

void crn_mm_paths_count_most(crn_mm *mm)
{
    for (uint32_t i = 0; i < mm->paths.sectors; i += CRN_MM_PATHS_LEAF)
        crn_mm_paths_update_most(mm, i);
}

cairn_cost crn_mm_most_cost(const crn_mm_paths *paths)
{
    return paths->most[1];
}

/* ---- life ---- */

bool crn_mm_paths_open(crn_mm *mm, cairn_context *context)
{
    crn_mm_paths *paths = &mm->paths;
    paths->sectors = crn_mm_sector_count(&mm->levels[0]);
    paths->leaves = (paths->sectors + CRN_MM_PATHS_LEAF - 1) / CRN_MM_PATHS_LEAF;
    crn_mm_blocks_open(&paths->costs, sizeof(cairn_cost));
    crn_mm_blocks_open(&paths->bytes, 1);
    crn_mm_blocks_open(&paths->regions, sizeof(crn_mm_region_paths));
    paths->begin = crn_alloc_zero(context, paths->sectors * sizeof *paths->begin);
    paths->most = crn_alloc_zero(context, 2 * (size_t)paths->leaves * sizeof *paths->most);
    return paths->begin && paths->most;
}

void crn_mm_drop_paths(crn_mm *mm, cairn_context *context)
{
    crn_mm_paths *paths = &mm->paths;
    crn_mm_blocks_close(&paths->costs, context);
    crn_mm_blocks_close(&paths->bytes, context);
    crn_mm_blocks_close(&paths->regions, context);
    crn_free(context, paths->begin, paths->sectors * sizeof *paths->begin);
    crn_free(context, paths->most, 2 * (size_t)paths->leaves * sizeof *paths->most);
    *paths = (crn_mm_paths){0};
}

/* ---- files ---- */

size_t crn_mm_paths_bytes(const crn_mm_paths *paths)
{
    if (!paths->begin) return 0;
    return crn_mm_blocks_bytes(&paths->costs) + crn_mm_blocks_bytes(&paths->bytes) +
           crn_mm_blocks_bytes(&paths->regions) + paths->sectors * sizeof *paths->begin +
           2 * (size_t)paths->leaves * sizeof *paths->most;
}

static crn_mm_paths_extent paths_extent_now(const crn_mm *mm, uint32_t sector)
{
    crn_mm_sector packed = crn_mm_sector_at(&mm->levels[0], sector);
    return crn_mm_paths_extent_of(mm, sector, &packed);
}

static uint32_t paths_cost_block(const void *user, uint32_t sector, uint32_t *items)
{
    crn_mm_paths_extent extent = paths_extent_now(user, sector);
    *items = extent.costs;
    return extent.first.edge;
}

static uint32_t paths_byte_block(const void *user, uint32_t sector, uint32_t *items)
{
    crn_mm_paths_extent extent = paths_extent_now(user, sector);
    *items = extent.bytes;
    return extent.first.byte;
}

cairn_status crn_mm_save_paths(const crn_mm *mm, cairn_context *context, cairn_store *store)
{
    crn_mm_saving costs = {context,          store, "index.pathcosts",
                           paths_cost_block, mm,    mm->paths.sectors},
                  bytes = {context, store, "index.paths", paths_byte_block, mm, mm->paths.sectors};
    cairn_status status = crn_mm_blocks_save(&mm->paths.costs, &costs);
    return status == CAIRN_OK ? crn_mm_blocks_save(&mm->paths.bytes, &bytes) : status;
}

static bool paths_check_region(const crn_mm *mm, const crn_grid_space *space, uint32_t sector,
                               uint32_t region)
{
    crn_mm_sector packed = crn_mm_sector_at(&mm->levels[0], sector);
    const cairn_cost *costs = crn_mm_costs_of(&mm->paths, sector, region);
    crn_mm_paths_edges edges = crn_mm_paths_edges_of(&mm->levels[0], sector, &packed, region);
    while (crn_mm_paths_next(&edges)) {
        cairn_cost cost = costs[edges.number - 1];
        crn_mm_path path = crn_mm_path_of(mm, &edges);
        crn_mm_walk walk;
        crn_mm_path_begin(mm, space, &edges, &walk);
        crn_mm_path_walk_on(space, &path, &walk, UINT32_MAX);
        if (crn_mm_path_cost(mm, space, &edges, &path, &walk) != cost ||
            cost > crn_mm_most_cost(&mm->paths))
            return false;
        if (cost == CAIRN_NO_COST &&
            !paths_lead(space, &path, crn_mm_cell(mm, space, 0, sector, region),
                        crn_mm_cell(mm, space, 0, edges.to_sector, edges.to)))
            return false;
    }
    return true;
}

bool crn_mm_check_paths(const crn_mm *mm, const crn_grid_space *space)
{
    const crn_mm_level *level = &mm->levels[0];
    for (uint32_t sector = 0; sector < crn_mm_sector_count(level); sector++)
        for (uint32_t i = 0; i < crn_mm_count(level, sector); i++)
            if (!paths_check_region(mm, space, sector, i)) return false;
    return true;
}

/* The bytes behind the paths of a region; SIZE_MAX: there are not that many. */
static size_t paths_skip(const crn_mm *mm, crn_mm_paths_edges *edges, size_t at)
{
    const uint8_t *bytes = mm->paths.bytes.data;
    size_t size = mm->paths.bytes.used;
    while (crn_mm_paths_next(edges)) {
        if (!crn_mm_paths_keep(edges)) continue;
        size_t head = at < size && bytes[at] == CRN_MM_PATHS_LONG ? 3 : 1;
        crn_mm_path path;
        if (size - at < head) return SIZE_MAX;
        at = (size_t)(crn_mm_paths_read(bytes + at, &path) - bytes);
        if (at > size) return SIZE_MAX;
    }
    return at;
}

/* Finds where the paths of each region begin. CAIRN_BAD_DATA: there are not that many edges or
 * bytes. */
static cairn_status paths_measure(crn_mm *mm, cairn_context *context)
{
    const crn_mm_level *level = &mm->levels[0];
    crn_mm_paths *paths = &mm->paths;
    size_t byte = 0, edge = 0;
    for (uint32_t sector = 0; sector < paths->sectors; sector++) {
        crn_mm_sector packed = crn_mm_sector_at(level, sector);
        crn_mm_region_paths *out = crn_mm_blocks_room(&paths->regions, context, packed.count);
        if (!out) return CAIRN_OUT_OF_MEMORY;
        for (uint32_t i = 0; i < packed.count; i++) {
            out[i] = (crn_mm_region_paths){(uint32_t)edge, (uint32_t)byte};
            crn_mm_paths_edges edges = crn_mm_paths_edges_of(level, sector, &packed, i);
            byte = paths_skip(mm, &edges, byte);
            edge += edges.number;
            if (byte == SIZE_MAX || edge > paths->costs.used) return CAIRN_BAD_DATA;
        }
        paths->begin[sector] = crn_mm_blocks_append(&paths->regions, packed.count);
    }
    if (byte != paths->bytes.used || edge != paths->costs.used) return CAIRN_BAD_DATA;
    return crn_mm_blocks_end(&paths->regions, context) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

static cairn_status paths_load(crn_mm *mm, const crn_grid_space *space,
                               const cairn_archive *archive, bool borrow)
{
    cairn_context *context = space->base.context;
    crn_mm_paths *paths = &mm->paths;
    cairn_bytes costs = {0}, bytes = {0};
    costs.data = cairn_archive_section(archive, "index.pathcosts", sizeof(cairn_cost), &costs.size);
    bytes.data = cairn_archive_section(archive, "index.paths", 1, &bytes.size);
    if (!crn_mm_paths_open(mm, context)) return CAIRN_OUT_OF_MEMORY;
    if (!costs.data || !bytes.data || costs.size / sizeof(cairn_cost) >= UINT32_MAX ||
        bytes.size >= UINT32_MAX)
        return CAIRN_BAD_DATA;
    crn_mm_blocks_load(&paths->costs, context, costs, true);
    crn_mm_blocks_load(&paths->bytes, context, bytes, true);
    cairn_status status = paths_measure(mm, context);
    if (status != CAIRN_OK) return status;
    crn_mm_paths_count_most(mm);
    if (!crn_mm_check_paths(mm, space)) return CAIRN_BAD_DATA;
    return crn_mm_blocks_load(&paths->costs, context, costs, borrow) &&
                   crn_mm_blocks_load(&paths->bytes, context, bytes, borrow)
               ? CAIRN_OK
               : CAIRN_OUT_OF_MEMORY;
}

cairn_status crn_mm_load_paths(crn_mm *mm, const crn_grid_space *space,
                               const cairn_archive *archive, bool borrow, cairn_error *error)
{
    cairn_status status = paths_load(mm, space, archive, borrow);
    if (status == CAIRN_OK) return status;
    return crn_fail(error, status, 0, "%s",
                    status == CAIRN_BAD_DATA ? "the stored paths are missing or make no sense"
                                             : "no memory for the abstraction");
}
