/* smooth.c: pulling a path straight where nothing is in the way.
 *
 * The greedy method of the lecture slides: start with the first cell as the last point of the result;
 * look from there along the path, cell by cell, until the ray cast fails, and take the cell before as
 * the next point. That one is known to be seen; a neighbour on the path needs no
 * ray, as it is one legal step away (so where the ground changes and no ray goes, the path's own cells
 * stay). Cells in line are merged on the way out. Not the shortest path of any angle: it never takes
 * another way round an obstacle, but never a longer one either, because every point of the result
 * is a point of the path. Links are not pulled: what lies before and behind one is smoothed by itself.
 */
#include "path/line.h"
#include "world/grid_space.h"
#include <cairn/path.h>
#include <math.h>

/* The result so far. Its last point may still move on along its line. */
typedef struct smooth_output {
    const cairn_grid *grid;
    cairn_node *nodes; /* NULL = count only */
    uint32_t capacity, count;
    uint32_t piece; /* points of this piece of the path so far */
    cairn_node before, last;
    double length; /* up to `before` */
} smooth_output;

/* Between centres. Rows of hexagons are √3 half cells apart. */
static double smooth_distance(const cairn_grid *grid, cairn_node from, cairn_node to)
{
    cairn_cell a = cairn_grid_cell(grid, from), b = cairn_grid_cell(grid, to);
    double dx = a.x - b.x, dy = a.y - b.y;
    if (grid->layout != CAIRN_LAYOUT_HEX) return sqrt(dx * dx + dy * dy);
    double halves = 2 * dx + (a.y & 1) - (b.y & 1);
    return sqrt(halves * halves + 3 * dy * dy) / 2;
}

static bool smooth_goes_on(const smooth_output *output, cairn_node node)
{
    const cairn_grid *grid = output->grid;
    return output->piece >= 2 &&
           crn_line_continues(crn_line_point(grid, output->before), crn_line_point(grid, output->last),
                              crn_line_point(grid, node));
}

static void smooth_add(smooth_output *output, cairn_node node)
{
    /* A path that comes back to where the eye stands has gone nowhere. */
    if (output->piece && node == output->last) return;
    if (!smooth_goes_on(output, node)) {
        if (output->piece >= 2) output->length += smooth_distance(output->grid, output->before, output->last);
        output->before = output->last;
        output->count++;
        output->piece++;
    }
    output->last = node;
    if (output->nodes && output->count <= output->capacity) output->nodes[output->count - 1] = node;
}

/* A path without links. */
static void smooth_piece(const cairn_space *space, const cairn_path *path, smooth_output *output)
{
    cairn_path_iterator iterator = cairn_path_begin(space, path);
    cairn_node eye = cairn_path_next(&iterator), seen = eye, node;
    bool neighbour = true; /* the next cell is one step away from the eye */
    output->piece = 0;
    smooth_add(output, eye);
    while ((node = cairn_path_next(&iterator)) != CAIRN_NO_NODE) {
        if (!neighbour && !cairn_raycast(space, eye, node, NULL)) {
            smooth_add(output, seen);
            eye = seen;
        }
        seen = node;
        neighbour = false;
    }
    smooth_add(output, seen);
    if (output->piece >= 2) output->length += smooth_distance(output->grid, output->before, output->last);
}

static void smooth_grid(const cairn_space *space, const cairn_path *path, smooth_output *output)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i <= path->link_count; i++) {
        uint32_t end = i < path->link_count ? path->links[i].at + 1 : path->count;
        cairn_path piece = {.nodes = path->nodes + first, .count = end - first};
        smooth_piece(space, &piece, output);
        if (i == path->link_count) break;
        cairn_cost cost = crn_links_cost(crn_grid_space_of(space), path->nodes[end - 1], path->nodes[end],
                                         path->links[i].id);
        output->length += (double)cost / cairn_space_scale(space).straight;
        first = end;
    }
}

static void smooth_graph(const cairn_path *path, smooth_output *output)
{
    output->count = path->count;
    output->length = path->length;
    uint32_t written = crn_min_u32(path->count, output->capacity);
    if (output->nodes && written) memcpy(output->nodes, path->nodes, written * sizeof *path->nodes);
}

cairn_status cairn_smooth_sight(const cairn_space *space, const cairn_path *path, cairn_node *out,
                                uint32_t capacity, uint32_t *count, double *length)
{
    smooth_output output = {.nodes = out, .capacity = capacity};
    cairn_status status = CAIRN_OK;
    if (!space || !path) {
        status = CAIRN_INVALID;
    } else if (!path->count) {
        status = path->status == CAIRN_FOUND ? CAIRN_INVALID : path->status;
    } else if (!cairn_path_valid(space, path, NULL, NULL, NULL)) {
        /* Smoothing keeps single steps unseen, so these must be good. */
        status = path->version == cairn_space_version(space) ? CAIRN_BAD_DATA : CAIRN_STALE;
    } else if (cairn_space_grid(space)) {
        output.grid = cairn_space_grid(space);
        smooth_grid(space, path, &output);
    } else {
        smooth_graph(path, &output); /* an edge is no line of sight: nothing to pull */
    }
    if (!status && out && output.count > capacity) status = CAIRN_INVALID;
    if (count) *count = output.count;
    if (length) *length = output.length;
    return status;
}
