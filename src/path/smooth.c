/* smooth.c: pulling a path straight where nothing is in the way.
 *
 * The greedy method of the lecture slides: start with the first cell as the last point of the
 * result; look from there along the path, cell by cell, until the ray cast fails, and take the cell
 * before as the next point. That one is known to be seen; a neighbour on the path needs no ray, as
 * it is one legal step away (so where the ground changes and no ray goes, the path's own cells
 * stay). Cells in line are merged in the output. The result is not the shortest path of any angle:
 * it never passes an obstacle on another side. But it is never longer than the path, because every
 * point of the result is a point of the path. Of a path that consists of lines already, only the
 * points are tested. Links are kept: what lies before and after one is smoothed by itself.
 */
#include "path/smooth.h"
#include "path/line.h"
#include "path/sight.h"

static bool smooth_goes_on(const crn_smooth_output *output, cairn_node node)
{
    const cairn_grid *grid = output->grid;
    return output->piece >= 2 &&
           crn_line_continues(crn_line_point(grid, output->before),
                              crn_line_point(grid, output->last), crn_line_point(grid, node));
}

void crn_smooth_add(crn_smooth_output *output, cairn_node node)
{
    /* A path that comes back to where the eye stands has gone nowhere. */
    if (output->piece && node == output->last) return;
    if (!smooth_goes_on(output, node)) {
        if (output->piece >= 2)
            output->length += crn_sight_length(output->grid, output->before, output->last);
        output->before = output->last;
        output->count++;
        output->piece++;
    }
    output->last = node;
    if (output->nodes && output->count <= output->capacity) output->nodes[output->count - 1] = node;
}

/* The next cell of a path or, if it has lines already, the next point. */
static cairn_node smooth_next(cairn_path_iterator *iterator)
{
    const cairn_path *path = iterator->path;
    if (!path->any_angle) return cairn_path_next(iterator);
    return iterator->segment < path->count ? path->nodes[iterator->segment++] : CAIRN_NO_NODE;
}

/* A path without links. */
static void smooth_piece(const cairn_space *space, const cairn_path *path,
                         crn_smooth_output *output)
{
    cairn_path_iterator iterator = cairn_path_begin(space, path);
    cairn_node eye = smooth_next(&iterator), seen = eye, node;
    bool neighbour = true; /* the next cell is one step, or line, away from the eye */
    output->piece = 0;
    crn_smooth_add(output, eye);
    while ((node = smooth_next(&iterator)) != CAIRN_NO_NODE) {
        if (!neighbour && !cairn_raycast(space, eye, node, NULL)) {
            crn_smooth_add(output, seen);
            eye = seen;
        }
        seen = node;
        neighbour = false;
    }
    crn_smooth_add(output, seen);
    if (output->piece >= 2)
        output->length += crn_sight_length(output->grid, output->before, output->last);
}

static void smooth_grid(const cairn_space *space, const cairn_path *path, crn_smooth_output *output)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i <= path->link_count; i++) {
        uint32_t end = i < path->link_count ? path->links[i].at + 1 : path->count;
        cairn_path piece = {
            .nodes = path->nodes + first, .count = end - first, .any_angle = path->any_angle};
        smooth_piece(space, &piece, output);
        if (i == path->link_count) break;
        cairn_cost cost = crn_links_cost(crn_grid_space_of(space), path->nodes[end - 1],
                                         path->nodes[end], path->links[i].id);
        output->length += (double)cost / cairn_space_scale(space).straight;
        first = end;
    }
}

void crn_smooth_keep(crn_smooth_output *output, const cairn_path *path)
{
    output->count = path->count;
    output->length = path->length;
    uint32_t written = crn_min_u32(path->count, output->capacity);
    if (output->nodes && written) memcpy(output->nodes, path->nodes, written * sizeof *path->nodes);
}

cairn_status crn_smooth_check(const cairn_space *space, const cairn_path *path)
{
    if (!space || !path) return CAIRN_INVALID;
    if (!path->count) return path->status == CAIRN_FOUND ? CAIRN_INVALID : path->status;
    /* Smoothing keeps single steps unseen, so these must be good. */
    if (cairn_path_valid(space, path, NULL, NULL, NULL)) return CAIRN_OK;
    return path->version == cairn_space_version(space) ? CAIRN_BAD_DATA : CAIRN_STALE;
}

void crn_smooth_give(const crn_smooth_output *output, cairn_status *status, cairn_smoothed *out)
{
    if (!*status && out->nodes && output->count > out->capacity) *status = CAIRN_INVALID;
    out->count = output->count;
    out->length = output->length;
    out->cost = CAIRN_NO_COST;
}

cairn_status cairn_smooth_sight(const cairn_space *space, const cairn_path *path,
                                cairn_smoothed *out)
{
    if (!out) return CAIRN_INVALID;
    crn_smooth_output output = {.nodes = out->nodes, .capacity = out->capacity};
    cairn_status status = crn_smooth_check(space, path);
    if (!status && cairn_space_grid(space)) {
        output.grid = cairn_space_grid(space);
        smooth_grid(space, path, &output);
    } else if (!status) {
        crn_smooth_keep(&output, path);
    }
    crn_smooth_give(&output, &status, out);
    return status;
}
