/* glue_path.c: what can be done with the points of a path: all its cells, whether it can still be
 * walked, smoothing, a picture, a trace. */
#include "glue.h"

/* ---- a path from its points ---- */

/* `links`: two words each, at and id. */
cairn_status glue_path_open(glue_path *out, const uint32_t *points, uint32_t count,
                            const uint32_t *links, uint32_t link_count, bool any_angle)
{
    *out = (glue_path){.path = {.end = count ? points[count - 1] : CAIRN_NO_NODE,
                                .nodes = points,
                                .count = count,
                                .any_angle = any_angle}};
    if (!link_count) return CAIRN_OK;
    out->links = glue_resize(NULL, 0, link_count * sizeof *out->links);
    if (!out->links) return CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < link_count; i++)
        out->links[i] = (cairn_path_link){links[2 * i], links[2 * i + 1]};
    out->path.links = out->links;
    out->path.link_count = link_count;
    return CAIRN_OK;
}

void glue_path_close(glue_path *path)
{
    if (path->links) glue_resize(path->links, path->path.link_count * sizeof *path->links, 0);
    *path = (glue_path){0};
}

/* Points that are none of the space's nodes, or links behind the end, lead nowhere. */
static cairn_status path_check(const cairn_space *space, const cairn_path *path)
{
    bool ok = path->count > 0;
    for (uint32_t i = 0; ok && i < path->count; i++)
        ok = path->nodes[i] < cairn_space_node_count(space);
    for (uint32_t i = 0; ok && i < path->link_count; i++)
        ok = path->links[i].at + 1 < path->count &&
             (!i || path->links[i].at > path->links[i - 1].at);
    return ok ? CAIRN_OK
              : glue_fail(CAIRN_INVALID,
                          "there is no path in this result, or it is one of another space");
}

typedef cairn_status path_work(const cairn_space *space, const cairn_path *path,
                               const double *numbers);

static cairn_status path_with(path_work *work, const cairn_space *space, const uint32_t *points,
                              uint32_t count, const uint32_t *links, uint32_t link_count,
                              uint32_t any_angle)
{
    glue_begin();
    glue_output_begin();
    glue_path path;
    cairn_status status = glue_path_open(&path, points, count, links, link_count, any_angle != 0);
    if (!status) status = path_check(space, &path.path);
    double options[4] = {glue.numbers[0], glue.numbers[1], glue.numbers[2], glue.numbers[3]};
    if (!status) status = work(space, &path.path, options);
    glue_path_close(&path);
    if (!status) status = glue_output_finish();
    return glue_check(status);
}

/* ---- cells ---- */

static cairn_status path_cells(const cairn_space *space, const cairn_path *path,
                               const double *numbers)
{
    (void)numbers;
    cairn_path_iterator iterator = cairn_path_begin(space, path);
    for (cairn_node node; (node = cairn_path_next(&iterator)) != CAIRN_NO_NODE;)
        glue_put(&glue.output, &node, sizeof node);
    return CAIRN_OK;
}

/* Output: the nodes. */
GLUE_EXPORT("glue_path_cells")
cairn_status glue_path_cells(const cairn_space *space, const uint32_t *points, uint32_t count,
                             const uint32_t *links, uint32_t link_count, uint32_t any_angle)
{
    return path_with(path_cells, space, points, count, links, link_count, any_angle);
}

/* ---- is it still a path? ---- */

static cairn_status path_valid(const cairn_space *space, const cairn_path *path,
                               const double *numbers)
{
    (void)numbers;
    cairn_cost cost = CAIRN_NO_COST;
    cairn_node from = CAIRN_NO_NODE, to = CAIRN_NO_NODE;
    bool valid = cairn_path_valid(space, path, &cost, &from, &to);
    glue.numbers[0] = valid;
    glue.numbers[1] = valid ? cost : CAIRN_NO_COST;
    glue.numbers[2] = valid ? CAIRN_NO_NODE : from;
    glue.numbers[3] = valid ? CAIRN_NO_NODE : to;
    return CAIRN_OK;
}

/* Numbers: valid, cost, and the first step that cannot be made. */
GLUE_EXPORT("glue_path_valid")
cairn_status glue_path_valid(const cairn_space *space, const uint32_t *points, uint32_t count,
                             const uint32_t *links, uint32_t link_count, uint32_t any_angle)
{
    return path_with(path_valid, space, points, count, links, link_count, any_angle);
}

/* ---- smoothing ---- */

enum { SMOOTH_SIGHT, SMOOTH_RAYS, SMOOTH_SPLINE };

/* One call; room 0 just counts. Options: kind, box, reach, spacing. */
static cairn_status smooth_once(const cairn_space *space, const cairn_path *path,
                                const double *options, glue_smooth *out)
{
    cairn_status status;
    if (options[0] == SMOOTH_SPLINE) {
        cairn_curve curve = {.points = out->positions, .capacity = out->room};
        cairn_curve_options how = {.reach = options[2], .spacing = options[3]};
        status = cairn_smooth_spline(space, path, &how, &curve);
        out->count = curve.count;
        out->length = curve.length;
        return status;
    }
    cairn_smoothed all = {.nodes = out->nodes, .capacity = out->room};
    status = options[0] == SMOOTH_RAYS ? cairn_smooth_rays(space, path, (uint32_t)options[1], &all)
                                       : cairn_smooth_sight(space, path, &all);
    out->count = all.count;
    out->cost = all.cost;
    out->length = all.length;
    return status;
}

cairn_status glue_smooth_path(const cairn_space *space, const cairn_path *path,
                              const double *options, glue_smooth *out)
{
    *out = (glue_smooth){.cost = CAIRN_NO_COST};
    cairn_status status = smooth_once(space, path, options, out);
    if (status) return status;
    bool curve = options[0] == SMOOTH_SPLINE;
    out->room = out->count + 1;
    void *room =
        glue_resize(NULL, 0, out->room * (curve ? sizeof *out->positions : sizeof *out->nodes));
    if (!room) return CAIRN_OUT_OF_MEMORY;
    out->positions = curve ? room : NULL;
    out->nodes = curve ? NULL : room;
    return smooth_once(space, path, options, out);
}

void glue_smooth_close(glue_smooth *smooth)
{
    if (smooth->nodes) glue_resize(smooth->nodes, smooth->room * sizeof *smooth->nodes, 0);
    if (smooth->positions)
        glue_resize(smooth->positions, smooth->room * sizeof *smooth->positions, 0);
    *smooth = (glue_smooth){0};
}

/* Positions as cells: the grid's corner is (0, 0), a cell is 1 wide. */
static cairn_position path_in_cells(const cairn_space *space, cairn_position position)
{
    const cairn_grid *grid = cairn_space_grid(space);
    if (!grid) return position;
    cairn_position origin = cairn_grid_origin(grid);
    double size = cairn_grid_cell_size(grid);
    return (cairn_position){(position.x - origin.x) / size, (position.y - origin.y) / size, 0};
}

static cairn_status path_smooth(const cairn_space *space, const cairn_path *path,
                                const double *options)
{
    glue_smooth smooth = {0};
    cairn_path priced = *path;
    if (!cairn_path_valid(space, path, &priced.cost, NULL, NULL))
        return glue_fail(CAIRN_STALE, "the path cannot be walked any more: the world has changed");
    cairn_status status = glue_smooth_path(space, &priced, options, &smooth);
    for (uint32_t i = 0; !status && i < smooth.count; i++) {
        cairn_position position =
            smooth.nodes ? cairn_space_position(space, smooth.nodes[i]) : smooth.positions[i];
        cairn_position in_cells = path_in_cells(space, position);
        double pair[2] = {in_cells.x, in_cells.y};
        glue_put(&glue.output, pair, sizeof pair);
    }
    if (!status && smooth.nodes)
        glue_put(&glue.output, smooth.nodes, smooth.count * sizeof *smooth.nodes);
    glue.numbers[0] = smooth.count;
    glue.numbers[1] = smooth.length;
    glue.numbers[2] = smooth.cost;
    glue.numbers[3] = smooth.nodes != NULL;
    glue_smooth_close(&smooth);
    return status;
}

/* The options are in the numbers: kind (0 sight, 1 rays, 2 spline), box, reach, spacing. Output:
 * two doubles a point, then the nodes if there are any. Numbers: points, length, cost, whether
 * there are nodes. */
GLUE_EXPORT("glue_path_smooth")
cairn_status glue_path_smooth(const cairn_space *space, const uint32_t *points, uint32_t count,
                              const uint32_t *links, uint32_t link_count, uint32_t any_angle)
{
    return path_with(path_smooth, space, points, count, links, link_count, any_angle);
}

/* ---- pictures ---- */

/* What JavaScript asks for, in the order of its numbers behind those of the query. */
typedef struct picture_wish {
    double colour, legend, level, smooth[4], path, scale;
} picture_wish;

/* A search, watched by a sink, or by none. */
static cairn_status picture_search(cairn_planner *planner, const cairn_query *query,
                                   const cairn_trace_sink *sink, cairn_search **out,
                                   const cairn_path **path)
{
    cairn_status status = cairn_search_create(planner, NULL, out);
    if (status) return status;
    cairn_search_trace(*out, sink);
    cairn_search_find(*out, query, path);
    return (*path)->status == CAIRN_OUT_OF_MEMORY ? CAIRN_OUT_OF_MEMORY : CAIRN_OK;
}

static cairn_status picture_overlay(cairn_planner *planner, const cairn_space *space, double level,
                                    cairn_overlay **out)
{
    if (!planner || level < 0) return CAIRN_OK;
    cairn_status status = cairn_overlay_create(space, out);
    if (status) return status;
    cairn_overlay_sink sink = cairn_overlay_sink_of(*out);
    status = cairn_planner_overlay(planner, (uint32_t)level, &sink);
    return status ? status : cairn_overlay_status(*out);
}

static cairn_status picture_draw(cairn_picture *picture, const picture_wish *wish,
                                 const cairn_path *path, glue_smooth *smooth)
{
    if (path && path->count && wish->path != 0) picture->path = path;
    cairn_status status = CAIRN_OK;
    if (picture->path && wish->smooth[0] >= 0) {
        status = glue_smooth_path(picture->space, path, wish->smooth, smooth);
        picture->smooth = smooth->nodes;
        picture->curve = smooth->positions;
        picture->smooth_count = smooth->nodes ? smooth->count : 0;
        picture->curve_count = smooth->positions ? smooth->count : 0;
    }
    cairn_file file = {0};
    if (!status) status = cairn_picture_svg(picture, &file, &glue.error);
    if (!status) glue_output_take(&file);
    return status;
}

/* Output: an SVG. Without a planner the world alone is drawn. The numbers: the query (glue_query),
 * colouring, legend, layer of the overlay or -1, smoothing (-1 = none, else as glue_path_smooth)
 * and its three numbers, whether the path is drawn, pixels a cell, whether a search is run. */
GLUE_EXPORT("glue_svg")
cairn_status glue_svg(cairn_space *space, cairn_planner *planner, const uint32_t *goals,
                      uint32_t goal_count)
{
    glue_begin();
    glue_output_begin();
    const double *in = glue.numbers + 8;
    cairn_query query = glue_query(glue.numbers, goals, goal_count);
    picture_wish wish = {in[0], in[1], in[2], {in[3], in[4], in[5], in[6]}, in[7], in[8]};
    bool search_wanted = planner && in[9] != 0;
    cairn_picture picture = {.space = space,
                             .colour = (cairn_colouring)wish.colour,
                             .legend = wish.legend != 0,
                             .from = search_wanted ? query.from : CAIRN_NO_NODE,
                             .to = search_wanted ? query.to : CAIRN_NO_NODE,
                             .scale = (uint32_t)wish.scale};
    cairn_recording *recording = NULL;
    cairn_overlay *overlay = NULL;
    cairn_search *search = NULL;
    const cairn_path *path = NULL;
    glue_smooth smooth = {0};
    cairn_status status = picture_overlay(planner, space, wish.level, &overlay);
    if (!status && search_wanted) status = cairn_recording_create(space, &recording);
    if (!status && search_wanted) {
        cairn_trace_sink sink = cairn_recording_sink(recording);
        status = picture_search(planner, &query, &sink, &search, &path);
        if (!status) status = cairn_recording_status(recording);
    }
    picture.recording = recording;
    picture.overlay = overlay;
    if (!status) status = picture_draw(&picture, &wish, path, &smooth);
    glue_smooth_close(&smooth);
    cairn_search_destroy(search);
    cairn_recording_destroy(recording);
    cairn_overlay_destroy(overlay);
    return glue_check(status);
}

/* ---- traces for Posthoc ---- */

/* Output: the YAML of one search; the query is in the numbers. */
GLUE_EXPORT("glue_posthoc")
cairn_status glue_posthoc(const cairn_space *space, cairn_planner *planner, const uint32_t *goals,
                          uint32_t goal_count)
{
    glue_begin();
    glue_output_begin();
    cairn_query query = glue_query(glue.numbers, goals, goal_count);
    cairn_writer writer = glue_output_writer();
    cairn_posthoc *posthoc = NULL;
    cairn_search *search = NULL;
    const cairn_path *path = NULL;
    cairn_status status = cairn_posthoc_create(space, &writer, &posthoc);
    if (status) return glue_check(status);
    cairn_trace_sink sink = cairn_posthoc_sink(posthoc);
    status = picture_search(planner, &query, &sink, &search, &path);
    cairn_status finished = cairn_posthoc_finish(posthoc, &glue.error);
    cairn_search_destroy(search);
    return glue_check(status ? status : finished);
}
