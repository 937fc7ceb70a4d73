/* spline.c: a path as a curve.
 *
 * The path is pulled straight first (smooth.c). Then every corner P of the string is rounded by
 * itself: on the two lines that meet there points A and B are taken, equally far from P, and a
 * cubic Bézier curve with the control points A, P, P, B takes the place of the corner. It touches
 * the lines at A and B, and as its second and third control points are the same, its curvature is 0
 * there: the direction of the whole path and its curvature change without a jump, and an agent need
 * not stop to turn. It stays inside the triangle A P B, so it is shorter than the corner, never
 * leaves a convex room, and what happens at one corner moves nothing elsewhere. (A Catmull–Rom
 * spline, which passes through the points themselves, swings out on the other side of each: into
 * the walls of a corridor, and the more the longer its neighbours are. A quadratic curve A, P, B is
 * as good as this one but for the jump of curvature at its ends.)
 *
 * A string bends around what is in the way, so obstacles lie on the inside of a corner. A and B
 * begin as far from P as the lines allow, each corner having half of a line, and come nearer by
 * quarters until the curve is clear; where not even the least curve is, the corner stays. What is
 * tested is the result itself: its points are rounded to a fine lattice on which the centres of
 * cells and A and B lie exactly, and each chord from one point to the next is checked: in whole
 * numbers, but for the room that a radius needs. Every cell that it touches, be it at a corner,
 * must be one that can be stood on and cost what P's costs; heights may not forbid to go from one
 * of them to another; and an agent with a size keeps its distance. What is left of the lines lies
 * on the string, which is known to be walkable.
 *
 * Source: Bézier's curves and their hulls, as in every textbook of curves, for example G. Farin,
 * "Curves and Surfaces for CAGD".
 */
#include "path/ground.h"
#include "path/smooth.h"
#include <math.h>

#define SPLINE_FINE 65536   /* steps of the lattice in a unit of the picture (size.h) */
#define SPLINE_LEAST 0.125  /* cells from P to A: less does not count as a curve */
#define SPLINE_TIGHTER 0.75 /* from try to try */
#define SPLINE_CHORDS 4.0   /* of a curve, at least */
#define SPLINE_DEFAULT 0.25 /* cells from point to point */
#define SPLINE_FINEST 0.0625
#define SPLINE_COARSEST 16.0

/* The curve so far, and what it is made for. */
typedef struct spline {
    const crn_grid_space *map;
    double weight; /* of widths against heights in the picture, squared */
    double reach, spacing;
    cairn_position *out; /* NULL = count only */
    uint32_t capacity, count;
    double length;
    int64_t last[2]; /* the last point */
    bool fresh;      /* of a piece of the path there is none yet */
} spline;

/* A corner P of the string: where it lies, and from there to A and B, all on the lattice. */
typedef struct spline_corner {
    int64_t at[2], to_a[2], to_b[2];
    uint32_t chords;
    crn_ground ground;
} spline_corner;

/* The outline of a cell on the lattice. */
typedef struct spline_outline {
    uint32_t count;
    int64_t points[6][2];
} spline_outline;

/* ---- places ---- */

/* Of a distance on the lattice, in cells. */
static double spline_length(const spline *s, double dx, double dy)
{
    return sqrt(dx * dx + dy * dy / s->weight) / (2.0 * SPLINE_FINE);
}

static cairn_position spline_position(const spline *s, const int64_t at[2])
{
    const cairn_grid *grid = s->map->grid;
    double x = (double)at[0] / (2.0 * SPLINE_FINE) + 0.5,
           y = (double)at[1] / (2.0 * SPLINE_FINE) + 0.5;
    if (s->map->hex) y = (double)at[1] / (3.0 * SPLINE_FINE) * CRN_HEX_ROW + CRN_HEX_CENTRE;
    return (cairn_position){grid->origin.x + x * grid->cell_size,
                            grid->origin.y + y * grid->cell_size, 0};
}

/* One point more, unless it is the last one again. */
static void spline_add(spline *s, const int64_t at[2])
{
    if (!s->fresh && at[0] == s->last[0] && at[1] == s->last[1]) return;
    if (!s->fresh)
        s->length += spline_length(s, (double)(at[0] - s->last[0]), (double)(at[1] - s->last[1]));
    if (s->out && s->count < s->capacity) s->out[s->count] = spline_position(s, at);
    if (s->count < UINT32_MAX) s->count++;
    memcpy(s->last, at, sizeof s->last);
    s->fresh = false;
}

static void spline_centre(const spline *s, cairn_node node, int64_t out[2])
{
    cairn_cell cell = cairn_grid_cell(s->map->grid, node);
    crn_size_picture(s->map->hex, cell.x, cell.y, out);
    for (uint32_t i = 0; i < 2; i++) out[i] *= SPLINE_FINE;
}

/* Point `i` of the curve: with u = 1 − t, u³ A + 3 u² t P + 3 u t² P + t³ B = P + u³ (A − P) + t³
 * (B − P). */
static void spline_point(const spline_corner *corner, uint32_t i, int64_t out[2])
{
    double t = (double)i / corner->chords, u = (double)(corner->chords - i) / corner->chords;
    for (uint32_t k = 0; k < 2; k++) {
        double from_corner =
            u * u * u * (double)corner->to_a[k] + t * t * t * (double)corner->to_b[k];
        out[k] = corner->at[k] + (int64_t)floor(from_corner + 0.5);
    }
}

/* ---- chords and cells ---- */

/* A cell, or the square this many times as large round its centre. */
static spline_outline spline_outline_of(const spline *s, int32_t x, int32_t y, int64_t times)
{
    const int8_t(*points)[2] = s->map->hex ? crn_hexagon_points : crn_square_points;
    spline_outline outline = {.count = s->map->hex ? 6 : 4};
    int64_t centre[2];
    crn_size_picture(s->map->hex, x, y, centre);
    for (uint32_t i = 0; i < outline.count; i++)
        for (uint32_t k = 0; k < 2; k++)
            outline.points[i][k] = SPLINE_FINE * (centre[k] + times * points[i][k]);
    return outline;
}

static crn_size_line spline_line(const int64_t from[2], const int64_t to[2])
{
    return (crn_size_line){.from = {from[0], from[1]}, .along = {to[0] - from[0], to[1] - from[1]}};
}

/* From a point of the outline to the one behind it: what lies inside has positive sides. */
static crn_size_line spline_side(const spline_outline *outline, uint32_t i)
{
    return spline_line(outline->points[i], outline->points[(i + 1) % outline->count]);
}

/* Do they have a point in common; without the rim: one inside the outline? Else a line parallel to
 * the chord, or a side of the outline, lies between them. */
static bool spline_meets(const crn_size_line *chord, const spline_outline *outline, bool rim)
{
    const int64_t *from = chord->from;
    const int64_t to[2] = {from[0] + chord->along[0], from[1] + chord->along[1]};
    bool left = false, right = false;
    for (uint32_t i = 0; i < outline->count; i++) {
        int64_t side = crn_size_line_side(chord, outline->points[i][0], outline->points[i][1]);
        left |= side < 0 || (rim && !side);
        right |= side > 0 || (rim && !side);
    }
    if (!left || !right) return false;
    for (uint32_t i = 0; i < outline->count; i++) {
        crn_size_line side = spline_side(outline, i);
        int64_t least = rim ? 0 : 1; /* of a point that is not outside */
        if (crn_size_line_side(&side, from[0], from[1]) < least &&
            crn_size_line_side(&side, to[0], to[1]) < least)
            return false;
    }
    return true;
}

/* Is a place nearer to a line than a distance, which is given in units of the lattice? */
static bool spline_near_line(const spline *s, const crn_size_line *line, const int64_t at[2],
                             double distance)
{
    double ax = (double)line->along[0], ay = (double)line->along[1];
    double px = (double)(at[0] - line->from[0]), py = (double)(at[1] - line->from[1]);
    double along = s->weight * ax * px + ay * py, square = s->weight * ax * ax + ay * ay;
    double limit = distance * distance;
    if (along > 0 && along < square) {
        double side = (double)crn_size_line_side(line, at[0], at[1]);
        return side * side < limit * square;
    }
    if (along > 0) {
        px -= ax;
        py -= ay;
    }
    return s->weight * px * px + py * py < s->weight * limit;
}

/* Does the chord pass nearer than a distance to a cell that it does not touch? Only the cell's
 * corners are asked, not the ends of the chord: the lines of the string keep the distance, so what
 * does not lies on the inside of the bend. Where two chords meet there is less than half a turn on
 * that side, and one of them goes on nearer to whatever faces the point where they meet. */
static bool spline_near(const spline *s, const crn_size_line *chord, const spline_outline *outline,
                        double distance)
{
    for (uint32_t i = 0; i < outline->count; i++)
        if (spline_near_line(s, chord, outline->points[i], distance)) return true;
    return false;
}

/* ---- where a chord may go ---- */

/* The cells that a chord may touch, both ends inclusive. */
typedef struct spline_box {
    int32_t left, top, right, bottom;
} spline_box;

/* Squares reach a unit of the picture to all sides, hexagons two up and down; these have odd rows
 * that lie a unit to the right of the others, so that the cell to the left counts too. Nothing of a
 * chord is left of or above the first centre, (0, 0). */
static spline_box spline_box_of(const spline *s, const crn_size_line *chord)
{
    const int64_t unit = SPLINE_FINE, width = 2 * unit, row = s->map->hex ? 3 * unit : 2 * unit;
    int64_t low[2], high[2];
    for (uint32_t k = 0; k < 2; k++) {
        int64_t from = chord->from[k], to = from + chord->along[k];
        low[k] = from < to ? from : to;
        high[k] = from < to ? to : from;
    }
    return (spline_box){.left = (int32_t)((low[0] + unit - 1) / width) - (s->map->hex ? 1 : 0),
                        .top = (int32_t)((low[1] + unit - 1) / row),
                        .right = (int32_t)((high[0] + unit) / width),
                        .bottom = (int32_t)((high[1] + row - unit) / row)};
}

static bool spline_touches(const spline *s, const crn_size_line *chord, int32_t x, int32_t y)
{
    spline_outline outline = spline_outline_of(s, x, y, 1);
    return spline_meets(chord, &outline, true);
}

/* May one go from a touched cell to all of the touched ones round it, as far as heights matter? */
static bool spline_heights_ok(const spline *s, const crn_size_line *chord, int32_t x, int32_t y)
{
    const cairn_grid *grid = s->map->grid;
    if (!s->map->steep) return true;
    for (int32_t v = y - 1; v <= y + 1; v++) {
        for (int32_t u = x - 1; u <= x + 1; u++) {
            if (!cairn_grid_inside(grid, u, v) || !spline_touches(s, chord, u, v)) continue;
            if (!crn_grid_height_ok(s->map, cairn_grid_node(grid, x, y),
                                    cairn_grid_node(grid, u, v)))
                return false;
        }
    }
    return true;
}

/* Are all cells that the chord touches good ground? */
static bool spline_on_ground(const spline *s, const crn_ground *ground, const crn_size_line *chord)
{
    spline_box box = spline_box_of(s, chord);
    for (int32_t y = box.top; y <= box.bottom; y++) {
        for (int32_t x = box.left; x <= box.right; x++) {
            if (!spline_touches(s, chord, x, y)) continue;
            if (!crn_ground_alike(ground, (cairn_cell){x, y}) || !spline_heights_ok(s, chord, x, y))
                return false;
        }
    }
    return true;
}

/* Is a blocked cell, or for a footprint one that cannot be stood on, too near to the chord? */
static bool spline_collides(const spline *s, const crn_size_line *chord, int32_t x, int32_t y)
{
    bool square = s->map->profile.footprint > 1;
    spline_outline outline = spline_outline_of(s, x, y, square ? 2 : 1);
    if (square) return spline_meets(chord, &outline, false);
    return spline_near(s, chord, &outline, 2 * s->map->profile.radius * SPLINE_FINE);
}

/* The same for the cells of a row: 64 at a time, as most of them are free. */
static bool spline_row_has_room(const spline *s, const crn_size_line *chord, int32_t left,
                                int32_t right, int32_t y)
{
    const crn_bits *bits =
        s->map->profile.footprint > 1 ? &s->map->usable : crn_grid_free_bits(s->map);
    bool inside = y >= 0 && (uint32_t)y < s->map->grid->height;
    for (int32_t x = left; x <= right; x += 64) {
        uint64_t blocked = inside ? ~crn_bits_word(bits, x, y) : UINT64_MAX;
        if (right - x < 63) blocked &= (UINT64_C(2) << (right - x)) - 1;
        for (; blocked; blocked &= blocked - 1)
            if (spline_collides(s, chord, x + (int32_t)crn_lowest_bit(blocked), y)) return false;
    }
    return true;
}

/* Has an agent with a size room all along the chord? */
static bool spline_has_room(const spline *s, const crn_size_line *chord)
{
    const crn_size *size = &s->map->size;
    spline_box box = spline_box_of(s, chord);
    bool square = s->map->profile.footprint > 1;
    if (!square && !(s->map->profile.radius > 0)) return true;
    /* Half a cell to the border of a touched one, and for hexagons half a cell more for the shift
     * of rows. */
    int32_t more = square ? 1 : 2, left = box.left - more, right = box.right + more;
    if (!square) left += size->left, right += size->right;
    for (int32_t y = box.top + (square ? 0 : size->top) - more;
         y <= box.bottom + (square ? 0 : size->bottom) + more; y++)
        if (!spline_row_has_room(s, chord, left, right, y)) return false;
    return true;
}

static bool spline_chord_clear(const spline *s, const spline_corner *corner, uint32_t i)
{
    int64_t from[2], to[2];
    spline_point(corner, i, from);
    spline_point(corner, i + 1, to);
    crn_size_line chord = spline_line(from, to);
    if (!chord.along[0] && !chord.along[1]) return true;
    return spline_on_ground(s, &corner->ground, &chord) && spline_has_room(s, &chord);
}

/* From the middle outwards: that is where a curve cuts off most. */
static bool spline_clear(const spline *s, const spline_corner *corner)
{
    uint32_t middle = corner->chords / 2;
    for (uint32_t i = middle; i < corner->chords; i++)
        if (!spline_chord_clear(s, corner, i) ||
            !spline_chord_clear(s, corner, corner->chords - 1 - i))
            return false;
    return true;
}

/* ---- corners ---- */

/* The string before and behind a corner: on the lattice, and how much of it the corner may use, in
 * cells. */
typedef struct spline_legs {
    int64_t in[2], out[2];
    double in_length, out_length, room;
} spline_legs;

static spline_legs spline_legs_of(const spline *s, const cairn_node *nodes, uint32_t count,
                                  uint32_t at)
{
    int64_t before[2], here[2], behind[2];
    spline_legs legs;
    spline_centre(s, nodes[at - 1], before);
    spline_centre(s, nodes[at], here);
    spline_centre(s, nodes[at + 1], behind);
    for (uint32_t k = 0; k < 2; k++) {
        legs.in[k] = here[k] - before[k];
        legs.out[k] = behind[k] - here[k];
    }
    legs.in_length = spline_length(s, (double)legs.in[0], (double)legs.in[1]);
    legs.out_length = spline_length(s, (double)legs.out[0], (double)legs.out[1]);
    /* Lines between two corners are shared; at the ends of a piece there is nobody to share
     * with. */
    double in = at > 1 ? legs.in_length / 2 : legs.in_length;
    double out = at + 2 < count ? legs.out_length / 2 : legs.out_length;
    legs.room = in < out ? in : out;
    if (s->reach > 0 && s->reach < legs.room) legs.room = s->reach;
    return legs;
}

/* A and B so far from P. They lie at a whole number of parts of the lines, which are on the
 * lattice. False if that is P itself. */
static bool spline_open(const spline *s, spline_corner *corner, const spline_legs *legs,
                        double distance)
{
    int64_t in = (int64_t)floor(SPLINE_FINE * (distance / legs->in_length));
    int64_t out = (int64_t)floor(SPLINE_FINE * (distance / legs->out_length));
    for (uint32_t k = 0; k < 2; k++) {
        corner->to_a[k] = -in * (legs->in[k] / SPLINE_FINE);
        corner->to_b[k] = out * (legs->out[k] / SPLINE_FINE);
    }
    /* No chord is longer than three times the distance, divided by their number. */
    double chords = floor(3 * distance / s->spacing) + 1;
    corner->chords = (uint32_t)(chords < SPLINE_CHORDS ? SPLINE_CHORDS : chords);
    return in > 0 && out > 0;
}

/* The widest curve that is clear; false if the corner must stay. */
static bool spline_round(const spline *s, spline_corner *corner, const spline_legs *legs)
{
    /* A path that turns back on itself has no side to cut off. */
    crn_size_line in = {.along = {legs->in[0] / SPLINE_FINE, legs->in[1] / SPLINE_FINE}};
    if (!crn_size_line_side(&in, legs->out[0] / SPLINE_FINE, legs->out[1] / SPLINE_FINE))
        return false;
    for (double distance = legs->room; distance >= SPLINE_LEAST; distance *= SPLINE_TIGHTER)
        if (spline_open(s, corner, legs, distance) && spline_clear(s, corner)) return true;
    return false;
}

/* A string without links. */
static void spline_piece(spline *s, const cairn_node *nodes, uint32_t count)
{
    int64_t at[2];
    s->fresh = true;
    for (uint32_t i = 0; i < count; i++) {
        spline_centre(s, nodes[i], at);
        if (i > 0 && i + 1 < count) {
            spline_corner corner = {.at = {at[0], at[1]}};
            spline_legs legs = spline_legs_of(s, nodes, count, i);
            corner.ground = crn_ground_of(s->map, cairn_grid_cell(s->map->grid, nodes[i]));
            if (spline_round(s, &corner, &legs)) {
                for (uint32_t k = 0; k <= corner.chords; k++) {
                    spline_point(&corner, k, at);
                    spline_add(s, at);
                }
                continue;
            }
        }
        spline_add(s, at);
    }
}

/* ---- for users ---- */

/* Pulls a piece of the path straight and rounds it. */
static cairn_status spline_smooth_piece(spline *s, const cairn_space *space,
                                        const cairn_path *piece)
{
    uint64_t cells = cairn_path_step_count(space, piece);
    cairn_context *context = cairn_space_context(space);
    uint32_t capacity = cells < UINT32_MAX ? (uint32_t)cells : UINT32_MAX;
    size_t size = crn_mul_size(capacity, sizeof(cairn_node));
    cairn_node *string = crn_alloc(context, size);
    if (!string) return CAIRN_OUT_OF_MEMORY;
    cairn_smoothed pulled = {.nodes = string, .capacity = capacity};
    cairn_status status = cairn_smooth_sight(space, piece, &pulled);
    if (!status) spline_piece(s, string, pulled.count);
    crn_free(context, string, size);
    return status;
}

static cairn_status spline_smooth(spline *s, const cairn_space *space, const cairn_path *path)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i <= path->link_count; i++) {
        uint32_t end = i < path->link_count ? path->links[i].at + 1 : path->count;
        cairn_path piece = *path;
        piece.nodes = path->nodes + first;
        piece.count = end - first;
        piece.links = NULL;
        piece.link_count = 0;
        cairn_status status = spline_smooth_piece(s, space, &piece);
        if (status || i == path->link_count) return status;
        cairn_cost cost =
            crn_links_cost(s->map, path->nodes[end - 1], path->nodes[end], path->links[i].id);
        s->length += (double)cost / cairn_space_scale(space).straight;
        first = end;
    }
    return CAIRN_OK;
}

/* Written so that what is no number fails too. */
static bool spline_takes(double reach, double spacing)
{
    return reach >= 0 && (spacing == 0 || (spacing >= SPLINE_FINEST && spacing <= SPLINE_COARSEST));
}

cairn_status cairn_smooth_spline(const cairn_space *space, const cairn_path *path,
                                 const cairn_curve_options *options, cairn_curve *out)
{
    if (!out) return CAIRN_INVALID;
    const double reach = options ? options->reach : 0, spacing = options ? options->spacing : 0;
    spline s = {
        .reach = reach, .spacing = spacing > 0 ? spacing : SPLINE_DEFAULT, .out = out->points};
    cairn_status status =
        spline_takes(reach, spacing) ? crn_smooth_check(space, path) : CAIRN_INVALID;
    if (!status && !cairn_space_grid(space)) status = CAIRN_UNSUPPORTED;
    if (!status) {
        s.map = crn_grid_space_of(space);
        s.weight = s.map->hex ? 3 : 1;
        s.capacity = out->capacity;
        status = spline_smooth(&s, space, path);
        if (status) s.count = 0, s.length = 0;
    }
    if (!status && out->points && s.count > out->capacity) status = CAIRN_INVALID;
    out->count = s.count;
    out->length = s.length;
    return status;
}
