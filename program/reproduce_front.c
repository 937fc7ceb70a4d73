/* reproduce_front.c: points on two logarithmic axes and their Pareto front (see reproduce.h).
 *
 * Less is better on both axes. What was measured is a square, what was published a cross of the
 * same colour. A dashed line joins the measured points that no other one beats in both numbers. A
 * label stands beside its point in one of four places, the first one that is free; where none is,
 * there is no label. A pen draws it (pen.h).
 */
#include "reproduce.h"

#include "letters.h"
#include "pen.h"

#include <math.h>
#include <string.h>

enum {
    FRONT_LEFT = 70,
    FRONT_WIDTH = 640,
    FRONT_HEIGHT = 380,
    FRONT_RIGHT = 48,
    FRONT_BELOW = 52,
    FRONT_LINE = 18,
    FRONT_LABELS = 128
};
#define FRONT_SIZE 12.0
#define FRONT_TITLE 15.0
#define FRONT_POINT 4.5 /* half its width */

typedef struct front_box {
    double left, top, right, bottom;
} front_box;

typedef struct front_frame {
    const reproduce_scatter *scatter;
    pen *pen;
    double low[2], high[2]; /* logarithms: x, y */
    double top, bottom;
    front_box taken[FRONT_LABELS]; /* by points and labels */
    uint32_t taken_count;
} front_frame;

/* ---- the front ---- */

static bool front_is_there(const reproduce_point *p)
{
    return isfinite(p->x) && isfinite(p->y) && p->x > 0;
}

bool reproduce_on_front(const reproduce_scatter *scatter, uint32_t point)
{
    const reproduce_point *own = &scatter->points[point];
    if (own->published || !front_is_there(own)) return false;
    for (uint32_t i = 0; i < scatter->count; i++) {
        const reproduce_point *p = &scatter->points[i];
        if (p->published || !front_is_there(p)) continue;
        if (p->x <= own->x && p->y <= own->y && (p->x < own->x || p->y < own->y)) return false;
    }
    return true;
}

/* ---- axes ---- */

static double front_y_of(const front_frame *f, double y)
{
    return log10(fmax(y, f->scatter->least));
}

static void front_axes(front_frame *f)
{
    f->low[0] = f->low[1] = HUGE_VAL;
    f->high[0] = f->high[1] = -HUGE_VAL;
    for (uint32_t i = 0; i < f->scatter->count; i++) {
        const reproduce_point *p = &f->scatter->points[i];
        if (!front_is_there(p)) continue;
        double at[2] = {log10(p->x), front_y_of(f, p->y)};
        for (uint32_t a = 0; a < 2; a++) {
            f->low[a] = fmin(f->low[a], floor(at[a] - 0.1));
            f->high[a] = fmax(f->high[a], ceil(at[a] + 0.1));
        }
    }
    f->low[1] = fmax(f->low[1], log10(f->scatter->least)); /* nothing is below it */
}

static double front_x(const front_frame *f, double x)
{
    return FRONT_LEFT + FRONT_WIDTH * (log10(x) - f->low[0]) / (f->high[0] - f->low[0]);
}

static double front_y(const front_frame *f, double y)
{
    double part = (front_y_of(f, y) - f->low[1]) / (f->high[1] - f->low[1]);
    return f->top + FRONT_HEIGHT * (1 - part);
}

static void front_stroke(const front_frame *f, const double from[2], const double to[2],
                         uint32_t colour)
{
    f->pen->line(f->pen, &(pen_line){{from[0], from[1]}, {to[0], to[1]}, colour, 1, 0, 0});
}

static void front_text(const front_frame *f, const char *text, double x, double y, int anchor)
{
    f->pen->text(f->pen, &(pen_text){.at = {x, y},
                                     .text = text,
                                     .size = FRONT_SIZE,
                                     .anchor = anchor == 2   ? PEN_RIGHT
                                               : anchor == 1 ? PEN_MIDDLE
                                                             : PEN_LEFT});
}

static void front_ticks(const front_frame *f)
{
    char text[32];
    for (double power = f->low[0]; power <= f->high[0] + 0.01; power++) {
        double x = front_x(f, pow(10, power));
        snprintf(text, sizeof text, "%.9g", pow(10, power));
        front_stroke(f, (double[2]){x, f->top}, (double[2]){x, f->bottom}, 0xdddddd);
        front_text(f, text, x, f->bottom + 16, 1);
    }
    for (double power = ceil(f->low[1]); power <= f->high[1] + 0.01; power++) {
        double y = front_y(f, pow(10, power));
        snprintf(text, sizeof text, "%.9g", pow(10, power));
        front_stroke(f, (double[2]){FRONT_LEFT, y}, (double[2]){FRONT_LEFT + FRONT_WIDTH, y},
                     0xdddddd);
        front_text(f, text, FRONT_LEFT - 6, y + 4, 2);
    }
}

/* ---- points ---- */

static void front_cross(const front_frame *f, double x, double y, uint32_t colour)
{
    double r = FRONT_POINT;
    f->pen->line(f->pen, &(pen_line){{x - r, y - r}, {x + r, y + r}, colour, 2, 0, 0});
    f->pen->line(f->pen, &(pen_line){{x - r, y + r}, {x + r, y - r}, colour, 2, 0, 0});
}

/* Half the width of a square. */
static double front_half(uint32_t size)
{
    return size ? 0.7 + 2.1 * size : FRONT_POINT;
}

static void front_square(const front_frame *f, double x, double y, uint32_t size, uint32_t colour)
{
    double half = front_half(size);
    f->pen->box(f->pen, (double[2]){x - half, y - half}, (double[2]){2 * half, 2 * half}, colour);
}

static void front_take(front_frame *f, front_box box)
{
    if (f->taken_count < FRONT_LABELS) f->taken[f->taken_count++] = box;
}

static bool front_is_free(const front_frame *f, front_box box)
{
    if (box.right > FRONT_LEFT + FRONT_WIDTH || box.bottom > f->bottom || box.left < FRONT_LEFT)
        return false;
    for (uint32_t i = 0; i < f->taken_count; i++) {
        const front_box *t = &f->taken[i];
        if (box.left < t->right && t->left < box.right && box.top < t->bottom &&
            t->top < box.bottom)
            return false;
    }
    return true;
}

static void front_label(front_frame *f, const reproduce_point *p)
{
    static const double places[4][2] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1}};
    double x = front_x(f, p->x), y = front_y(f, p->y);
    double width = letters_width(p->label) * FRONT_SIZE * 0.06 + 4, height = 12;
    double half = front_half(p->size);
    for (uint32_t i = 0; i < 4; i++) {
        double left = x + places[i][0] * (half + 3 + width / 2) - width / 2;
        double top = y + places[i][1] * (half + 2 + height / 2) - height / 2;
        front_box box = {left, top, left + width, top + height};
        if (!front_is_free(f, box)) continue;
        front_text(f, p->label, left + 2, top + height - 2, 0);
        front_take(f, box);
        return;
    }
}

static void front_points(front_frame *f, bool published)
{
    for (uint32_t i = 0; i < f->scatter->count; i++) {
        const reproduce_point *p = &f->scatter->points[i];
        if (!front_is_there(p) || p->published != published) continue;
        double x = front_x(f, p->x), y = front_y(f, p->y), r = front_half(p->size);
        if (published)
            front_cross(f, x, y, p->colour);
        else
            front_square(f, x, y, p->size, p->colour);
        front_take(f, (front_box){x - r, y - r, x + r, y + r});
    }
}

/* The next point of the front to the right of `x`; NULL: none is left. */
static const reproduce_point *front_next(const reproduce_scatter *scatter, double x)
{
    const reproduce_point *next = NULL;
    for (uint32_t i = 0; i < scatter->count; i++) {
        const reproduce_point *p = &scatter->points[i];
        if (reproduce_on_front(scatter, i) && p->x > x && (!next || p->x < next->x)) next = p;
    }
    return next;
}

static void front_step(const front_frame *f, double x1, double y1, double x2, double y2)
{
    f->pen->line(f->pen, &(pen_line){{x1, y1}, {x2, y2}, 0x888888, 1, 5, 4});
}

/* What is above and to the right of this line is beaten. */
static void front_line(const front_frame *f)
{
    const reproduce_point *p = front_next(f->scatter, 0);
    if (!p) return;
    double x = front_x(f, p->x), y = front_y(f, p->y);
    front_step(f, x, f->top, x, y);
    for (const reproduce_point *next; (next = front_next(f->scatter, p->x)); p = next) {
        double right = front_x(f, next->x), down = front_y(f, next->y);
        front_step(f, x, y, right, y);
        front_step(f, right, y, right, down);
        x = right;
        y = down;
    }
    front_step(f, x, y, FRONT_LEFT + FRONT_WIDTH, y);
}

/* ---- legend ---- */

/* Is a point the first one of its family that is drawn? */
static bool front_is_first(const reproduce_scatter *scatter, uint32_t i)
{
    const reproduce_point *points = scatter->points;
    for (uint32_t k = 0; k < i; k++)
        if (front_is_there(&points[k]) && !strcmp(points[k].family, points[i].family)) return false;
    return front_is_there(&points[i]);
}

/* A sign of the legend. */
typedef struct front_sign {
    const char *name;
    uint32_t colour, size;
    bool cross;
} front_sign;

/* Families, sizes, and the two signs if something was published. */
static uint32_t front_signs(const reproduce_scatter *scatter, front_sign *out)
{
    uint32_t count = 0;
    bool published = false;
    for (uint32_t i = 0; i < scatter->count; i++) {
        const reproduce_point *p = &scatter->points[i];
        published |= p->published;
        if (front_is_first(scatter, i) && count < FRONT_LABELS)
            out[count++] = (front_sign){p->family, p->colour, 0, false};
    }
    for (uint32_t i = 0; i < SCATTER_SIZES && scatter->sizes[i]; i++)
        out[count++] = (front_sign){scatter->sizes[i], 0x888888, i + 1, false};
    if (!published) return count;
    out[count++] = (front_sign){"measured", PEN_BLACK, 0, false};
    out[count++] = (front_sign){"published", PEN_BLACK, 0, true};
    return count;
}

/* Returns where the last line stands. */
static double front_legend(const front_frame *f, bool draw)
{
    front_sign signs[FRONT_LABELS + SCATTER_SIZES + 2];
    double x = FRONT_LEFT, y = 44;
    uint32_t count = front_signs(f->scatter, signs);
    for (uint32_t i = 0; i < count; i++) {
        const front_sign *sign = &signs[i];
        double letters = letters_width(sign->name) * FRONT_SIZE * 0.06;
        double width = 28 + fmax(7 * (double)strlen(sign->name), letters);
        bool next = sign->size == 1 || x + width > FRONT_LEFT + FRONT_WIDTH;
        if (next && x > FRONT_LEFT) x = FRONT_LEFT, y += FRONT_LINE;
        if (draw && sign->cross) front_cross(f, x + 6, y - 4, sign->colour);
        if (draw && !sign->cross) front_square(f, x + 6, y - 4, sign->size, sign->colour);
        if (draw) front_text(f, sign->name, x + 16, y, 0);
        x += width;
    }
    return y;
}

static void front_heads(const front_frame *f)
{
    f->pen->text(f->pen, &(pen_text){.at = {FRONT_LEFT, 22},
                                     .text = f->scatter->title,
                                     .size = FRONT_TITLE,
                                     .bold = true});
    front_text(f, f->scatter->across, FRONT_LEFT + FRONT_WIDTH / 2.0, f->bottom + 38, 1);
    f->pen->text(f->pen, &(pen_text){.at = {16, f->top + FRONT_HEIGHT / 2.0},
                                     .text = f->scatter->up,
                                     .size = FRONT_SIZE,
                                     .anchor = PEN_MIDDLE,
                                     .turn = -90});
    front_legend(f, true);
}

bool reproduce_plot_front(const reproduce_scatter *scatter, bool png, FILE *out)
{
    front_frame f = {.scatter = scatter};
    front_axes(&f);
    f.top = front_legend(&f, false) + FRONT_LINE;
    f.bottom = f.top + FRONT_HEIGHT;
    double width = FRONT_LEFT + FRONT_WIDTH + FRONT_RIGHT, height = f.bottom + FRONT_BELOW;
    f.pen = png ? pen_png(out, width, height) : pen_svg(out, width, height);
    if (!f.pen) return false;
    front_heads(&f);
    front_ticks(&f);
    if (!scatter->unrelated) front_line(&f);
    front_points(&f, true);
    front_points(&f, false);
    for (uint32_t i = 0; i < scatter->count; i++)
        if (!scatter->points[i].published && front_is_there(&scatter->points[i]))
            front_label(&f, &scatter->points[i]);
    return f.pen->end(f.pen);
}
