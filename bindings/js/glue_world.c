/* glue_world.c: worlds: from cells, files, pixels, generators; edits, links, obstacles, and back
 * into files. */
#include "glue.h"

#include <string.h>

/* ---- making ---- */

static cairn_grid *world_answer(cairn_status status, cairn_grid *grid)
{
    return glue_check(status) ? NULL : grid;
}

/* Numbers: origin x, origin y, cell size, layout. */
GLUE_EXPORT("glue_grid_create")
cairn_grid *glue_grid_create(uint32_t width, uint32_t height, const uint8_t *open,
                             const uint8_t *terrain, const uint8_t *layer, const int16_t *elevation)
{
    glue_begin();
    cairn_grid_options options = {.width = width,
                                  .height = height,
                                  .open = open,
                                  .terrain = terrain,
                                  .layer = layer,
                                  .elevation = elevation,
                                  .origin = {glue.numbers[0], glue.numbers[1], 0},
                                  .cell_size = glue.numbers[2],
                                  .layout = (cairn_layout)glue.numbers[3]};
    cairn_grid *grid = NULL;
    return world_answer(cairn_grid_create(glue.context, &options, &grid, &glue.error), grid);
}

GLUE_EXPORT("glue_grid_parse")
cairn_grid *glue_grid_parse(const void *data, size_t size, const char *name)
{
    glue_begin();
    cairn_grid *grid = NULL;
    return world_answer(
        cairn_grid_parse(glue.context, (cairn_bytes){data, size}, name, &grid, &glue.error), grid);
}

cairn_generator glue_generator(uint32_t kind, uint32_t width, uint32_t height, uint64_t seed,
                               const uint32_t *values)
{
    const cairn_generator_info *info = cairn_generator_about((cairn_generator_kind)kind);
    cairn_generator generator = cairn_generator_default((cairn_generator_kind)kind);
    generator.width = width;
    generator.height = height;
    generator.seed = seed;
    for (uint32_t i = 0; i < info->parameter_count; i++)
        memcpy((char *)&generator + info->parameters[i].offset, &values[i], sizeof values[i]);
    return generator;
}

/* `values`: one for each parameter of the kind, in the order of its table. */
GLUE_EXPORT("glue_generate")
cairn_grid *glue_generate(uint32_t kind, uint32_t width, uint32_t height, uint64_t seed,
                          const uint32_t *values, const cairn_grid *source)
{
    glue_begin();
    if (!cairn_generator_about((cairn_generator_kind)kind))
        return world_answer(glue_fail(CAIRN_INVALID, "there is no such generator"), NULL);
    cairn_generator generator = glue_generator(kind, width, height, seed, values);
    generator.source = source;
    cairn_grid *grid = NULL;
    return world_answer(cairn_generate(glue.context, &generator, &grid, &glue.error), grid);
}

/* `what`: a set of CAIRN_KNOW_… */
GLUE_EXPORT("glue_grid_known")
cairn_grid *glue_grid_known(const cairn_grid *truth, uint32_t what, uint32_t terrain)
{
    glue_begin();
    cairn_grid *grid = NULL;
    return world_answer(cairn_grid_known(truth, what, (uint8_t)terrain, &grid, &glue.error), grid);
}

GLUE_EXPORT("glue_grid_destroy") void glue_grid_destroy(cairn_grid *grid)
{
    cairn_grid_destroy(grid);
}

/* ---- looking ---- */

/* Numbers: width, height, layout, origin x and y, cell size, version, bytes, links. */
GLUE_EXPORT("glue_grid_about") void glue_grid_about(const cairn_grid *grid)
{
    cairn_position origin = cairn_grid_origin(grid);
    double *out = glue.numbers;
    *out++ = cairn_grid_width(grid);
    *out++ = cairn_grid_height(grid);
    *out++ = cairn_grid_layout(grid);
    *out++ = origin.x;
    *out++ = origin.y;
    *out++ = cairn_grid_cell_size(grid);
    *out++ = (double)cairn_grid_version(grid);
    *out++ = (double)cairn_grid_bytes(grid);
    *out++ = cairn_grid_link_count(grid);
}

GLUE_EXPORT("glue_grid_cells")
void glue_grid_cells(const cairn_grid *grid, uint8_t *open, uint8_t *terrain, uint8_t *layer,
                     int16_t *elevation)
{
    int32_t width = (int32_t)cairn_grid_width(grid), height = (int32_t)cairn_grid_height(grid);
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            *open++ = cairn_grid_is_open(grid, x, y);
            *terrain++ = cairn_grid_terrain(grid, x, y);
            *layer++ = cairn_grid_layer(grid, x, y);
            *elevation++ = cairn_grid_elevation(grid, x, y);
        }
    }
}

/* ---- edits ---- */

/* What has been committed since the version `before`. Numbers: version, changed cells. */
static void world_committed(const cairn_grid *grid, uint64_t before)
{
    cairn_commit commit = {0};
    glue.numbers[0] = (double)cairn_grid_version(grid);
    bool changed =
        cairn_grid_version(grid) != before && !cairn_grid_commit_info(grid, before + 1, &commit);
    glue.numbers[1] = changed ? commit.change_count : 0;
}

/* All that is staged, or nothing of it. Numbers: version, changed cells. */
static cairn_status world_commit(cairn_grid *grid, cairn_status staged)
{
    uint64_t before = cairn_grid_version(grid);
    cairn_status status = staged ? staged : cairn_grid_commit(grid);
    if (status) {
        cairn_grid_discard(grid);
        return glue_check(status);
    }
    world_committed(grid, before);
    return CAIRN_OK;
}

/* Arrays that are NULL leave their plane as it is. */
GLUE_EXPORT("glue_grid_edit")
cairn_status glue_grid_edit(cairn_grid *grid, uint32_t count, const uint32_t *nodes,
                            const uint8_t *open, const uint8_t *terrain, const uint8_t *layer,
                            const int16_t *elevation)
{
    glue_begin();
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        cairn_cell cell = cairn_grid_cell(grid, nodes[i]);
        if (cell.x < 0) status = glue_fail(CAIRN_OUT_OF_BOUNDS, "a node lies outside the world");
        if (!status && open) status = cairn_grid_set_open(grid, cell.x, cell.y, open[i] != 0);
        if (!status && terrain) status = cairn_grid_set_terrain(grid, cell.x, cell.y, terrain[i]);
        if (!status && layer) status = cairn_grid_set_layer(grid, cell.x, cell.y, layer[i]);
        if (!status && elevation)
            status = cairn_grid_set_elevation(grid, cell.x, cell.y, elevation[i]);
    }
    return world_commit(grid, status);
}

/* Output: five numbers for each cell that the commit changed: node, open, terrain, layer,
 * elevation. Numbers: whether links changed. */
GLUE_EXPORT("glue_grid_changes")
cairn_status glue_grid_changes(const cairn_grid *grid, double version)
{
    glue_begin();
    glue_output_begin();
    cairn_commit commit = {0};
    cairn_status status = cairn_grid_commit_info(grid, (uint64_t)version, &commit);
    if (status) return glue_fail(status, "the world does not remember a commit of this version");
    for (uint32_t i = 0; i < commit.change_count; i++) {
        const cairn_cell_state *after = &commit.changes[i].after;
        const int32_t words[] = {(int32_t)commit.changes[i].node, after->open, after->terrain,
                                 after->layer, after->elevation};
        glue_put(&glue.output, words, sizeof words);
    }
    glue.numbers[0] = commit.links_changed;
    return glue_output_finish();
}

/* Five numbers a link: from, to, id, cost, kind. */
GLUE_EXPORT("glue_grid_add_links")
cairn_status glue_grid_add_links(cairn_grid *grid, uint32_t count, const uint32_t *links)
{
    glue_begin();
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < count && !status; i++, links += 5) {
        cairn_link link = {links[0], links[1], links[2], links[3],
                           (uint8_t)(links[4] < 255 ? links[4] : 255)};
        status = cairn_grid_add_link(grid, &link);
    }
    return world_commit(grid, status);
}

GLUE_EXPORT("glue_grid_remove_links")
cairn_status glue_grid_remove_links(cairn_grid *grid, uint32_t count, const uint32_t *ids)
{
    glue_begin();
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; i < count && !status; i++) status = cairn_grid_remove_links(grid, ids[i]);
    return world_commit(grid, status);
}

GLUE_EXPORT("glue_grid_links") void glue_grid_links(const cairn_grid *grid, uint32_t *out)
{
    for (uint32_t i = 0; i < cairn_grid_link_count(grid); i++) {
        cairn_link link = cairn_grid_link_at(grid, i);
        *out++ = link.from;
        *out++ = link.to;
        *out++ = link.id;
        *out++ = link.cost;
        *out++ = link.kind;
    }
}

GLUE_EXPORT("glue_grid_set_layout")
cairn_status glue_grid_set_layout(cairn_grid *grid, uint32_t layout)
{
    glue_begin();
    cairn_status status = cairn_grid_set_layout(grid, (cairn_layout)layout);
    if (status == CAIRN_INVALID)
        return glue_fail(status, "the layout can be changed only while the world has no space");
    return glue_check(status);
}

/* ---- obstacles ---- */

GLUE_EXPORT("glue_obstacles_create") cairn_obstacles *glue_obstacles_create(cairn_grid *grid)
{
    glue_begin();
    cairn_obstacles *obstacles = NULL;
    cairn_status status = cairn_obstacles_create(grid, &obstacles);
    if (status == CAIRN_INVALID) glue_fail(status, "the world has obstacles already");
    return glue_check(status) ? NULL : obstacles;
}

GLUE_EXPORT("glue_obstacles_destroy") void glue_obstacles_destroy(cairn_obstacles *obstacles)
{
    cairn_obstacles_destroy(obstacles);
}

/* Says why. */
static cairn_status obstacle_check(cairn_status status, const char *invalid)
{
    if (status == CAIRN_INVALID) return glue_fail(status, invalid);
    if (status == CAIRN_OUT_OF_BOUNDS)
        return glue_fail(status, "no cell of the obstacle would lie in the world");
    return glue_check(status);
}

static const char no_obstacle[] = "the obstacle has ended, was removed, or never put";

/* Numbers: x, y, width, height, cost, ticks. Returns the obstacle; 0: failed. */
GLUE_EXPORT("glue_obstacles_put") uint64_t glue_obstacles_put(cairn_obstacles *obstacles)
{
    glue_begin();
    const double *in = glue.numbers;
    cairn_obstacle_options options = {.x = (int32_t)in[0],
                                      .y = (int32_t)in[1],
                                      .width = (uint32_t)in[2],
                                      .height = (uint32_t)in[3],
                                      .cost = (uint8_t)in[4],
                                      .ticks = (uint32_t)in[5]};
    cairn_obstacle obstacle = CAIRN_NO_OBSTACLE;
    obstacle_check(cairn_obstacles_put(obstacles, &options, &obstacle),
                   "the obstacle is larger than a world can be");
    return obstacle;
}

GLUE_EXPORT("glue_obstacles_move")
cairn_status glue_obstacles_move(cairn_obstacles *obstacles, uint64_t obstacle, int32_t x,
                                 int32_t y)
{
    glue_begin();
    return obstacle_check(cairn_obstacles_move(obstacles, obstacle, x, y), no_obstacle);
}

GLUE_EXPORT("glue_obstacles_renew")
cairn_status glue_obstacles_renew(cairn_obstacles *obstacles, uint64_t obstacle, uint32_t ticks)
{
    glue_begin();
    return obstacle_check(cairn_obstacles_renew(obstacles, obstacle, ticks), no_obstacle);
}

GLUE_EXPORT("glue_obstacles_remove")
cairn_status glue_obstacles_remove(cairn_obstacles *obstacles, uint64_t obstacle)
{
    glue_begin();
    return obstacle_check(cairn_obstacles_remove(obstacles, obstacle), no_obstacle);
}

GLUE_EXPORT("glue_obstacles_clear") void glue_obstacles_clear(cairn_obstacles *obstacles)
{
    cairn_obstacles_clear(obstacles);
}

/* Numbers: version, changed cells. */
GLUE_EXPORT("glue_obstacles_tick")
cairn_status glue_obstacles_tick(cairn_obstacles *obstacles, const cairn_grid *grid)
{
    glue_begin();
    uint64_t before = cairn_grid_version(grid);
    cairn_status status = cairn_obstacles_tick(obstacles);
    if (status) return glue_check(status);
    world_committed(grid, before);
    return CAIRN_OK;
}

/* Numbers: how many there are, bytes. */
GLUE_EXPORT("glue_obstacles_about")
void glue_obstacles_about(const cairn_obstacles *obstacles)
{
    glue.numbers[0] = cairn_obstacles_count(obstacles);
    glue.numbers[1] = (double)cairn_obstacles_bytes(obstacles);
}

/* Numbers: open, terrain, layer, elevation. */
GLUE_EXPORT("glue_obstacles_own_state")
void glue_obstacles_own_state(const cairn_obstacles *obstacles, int32_t x, int32_t y)
{
    cairn_cell_state state = cairn_obstacles_own_state(obstacles, x, y);
    double *out = glue.numbers;
    *out++ = state.open;
    *out++ = state.terrain;
    *out++ = state.layer;
    *out++ = state.elevation;
}

/* ---- files ---- */

/* Output: a `.map`. */
GLUE_EXPORT("glue_grid_map") cairn_status glue_grid_map(const cairn_grid *grid)
{
    glue_begin();
    cairn_file file = {0};
    cairn_status status = cairn_map_format(grid, &file);
    if (!status) glue_output_take(&file);
    return glue_check(status);
}
