/* reproduce_plot.c: groups of bars (see reproduce.h).
 *
 * Bars stand on a linear axis, or on one of powers of ten if the tallest would dwarf the others.
 * Whiskers are one standard deviation long in each direction; one that leaves the picture ends with
 * an arrow. Published numbers are diamonds or dotted lines. A pen draws it (pen.h).
 */
#include "reproduce.h"

#include "letters.h"
#include "pen.h"

#include <math.h>
#include <string.h>

enum {
    PLOT_LEFT = 64,
    PLOT_RIGHT = 16,
    PLOT_HEIGHT = 300,
    PLOT_LETTER = 7,
    PLOT_WIDTH_LEAST = 560,
    PLOT_BAR_MOST = 32
};

#define PLOT_SIZE 12.0
#define PLOT_TITLE 15.0

/* Told apart by people who see few colours, too. */
static const uint32_t plot_colours[] = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9,
                                        0xd55e00, 0xf0e442, 0x999999, 0x332288, 0x882255,
                                        0x44aa99, 0x661100, 0x117733, 0xddcc77, 0xaa4499,
                                        0xcc6677, 0x444444, 0xa6761d, 0xb3de69, 0x8dd3c7};
enum { PLOT_COLOURS = sizeof plot_colours / sizeof plot_colours[0] };

static uint32_t plot_colour(uint32_t series)
{
    return series == PLOT_ALL ? PEN_BLACK : plot_colours[series % PLOT_COLOURS];
}

typedef struct plot_frame {
    const reproduce_bars *bars;
    pen *pen;
    bool powers;      /* of ten */
    double low, high; /* of the axis; in powers their logarithms */
    double top, bar, group, width, bottom;
} plot_frame;

static double plot_value(const reproduce_bars *bars, uint32_t group, uint32_t series)
{
    return bars->values[(size_t)group * bars->series_count + series];
}

static double plot_deviation(const reproduce_bars *bars, uint32_t group, uint32_t series)
{
    double d = bars->deviations ? bars->deviations[(size_t)group * bars->series_count + series] : 0;
    return isfinite(d) ? d : 0;
}

/* ---- the axis ---- */

static double plot_step(double range)
{
    double unit = pow(10, floor(log10(range)));
    double steps[] = {0.1, 0.2, 0.5, 1, 2};
    for (uint32_t i = 0; i < 5; i++)
        if (range / (unit * steps[i]) <= 8) return unit * steps[i];
    return unit * 2;
}

static void plot_axis(plot_frame *f)
{
    const reproduce_bars *bars = f->bars;
    double most = bars->reference, tallest = bars->reference, least = HUGE_VAL;
    for (uint32_t g = 0; g < bars->group_count; g++) {
        for (uint32_t s = 0; s < bars->series_count; s++) {
            double value = plot_value(bars, g, s);
            if (!isfinite(value)) continue;
            if (value > most) most = value;
            if (value > 0 && value < least) least = value;
            if (value + plot_deviation(bars, g, s) > tallest)
                tallest = value + plot_deviation(bars, g, s);
        }
    }
    for (uint32_t i = 0; i < bars->published_count; i++) {
        most = fmax(most, bars->published[i].value);
        tallest = fmax(tallest, bars->published[i].value);
        least = fmin(least, bars->published[i].value);
    }
    if (most <= 0) most = tallest = 1;
    f->powers = least < HUGE_VAL && most / least > 60;
    if (f->powers) {
        f->low = floor(log10(least));
        f->high = ceil(log10(most) + 0.05);
        return;
    }
    double high = tallest < 2 * most ? tallest : 2 * most, step = plot_step(high);
    f->low = 0;
    f->high = ceil(high / step) * step;
}

static double plot_y(const plot_frame *f, double value)
{
    double at = f->powers ? (value > 0 ? log10(value) : f->low) : value;
    if (at < f->low) at = f->low;
    if (at > f->high) at = f->high;
    return f->top + PLOT_HEIGHT * (1 - (at - f->low) / (f->high - f->low));
}

/* A line from the axis to the right. */
static pen_line plot_across(const plot_frame *f, double value, uint32_t colour)
{
    double y = plot_y(f, value);
    return (pen_line){
        .from = {PLOT_LEFT, y}, .to = {f->width - PLOT_RIGHT, y}, .colour = colour, .width = 1};
}

static void plot_tick(const plot_frame *f, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%g", value);
    pen_line line = plot_across(f, value, 0xdddddd);
    f->pen->line(f->pen, &line);
    f->pen->text(f->pen, &(pen_text){.at = {PLOT_LEFT - 6, plot_y(f, value) + 4},
                                     .text = text,
                                     .size = PLOT_SIZE,
                                     .anchor = PEN_RIGHT});
}

static void plot_ticks(const plot_frame *f)
{
    if (f->powers) {
        for (double power = f->low; power <= f->high; power++) plot_tick(f, pow(10, power));
        return;
    }
    double step = plot_step(f->high);
    uint32_t count = (uint32_t)(f->high / step + 0.5);
    for (uint32_t i = 0; i <= count; i++) plot_tick(f, step * i);
}

/* ---- text ---- */

/* Roughly, as the letters of an SVG are those of who looks at it. */
static double plot_length(const char *text)
{
    return fmax(PLOT_LETTER * (double)strlen(text), letters_width(text) * PLOT_SIZE * 0.06);
}

static void plot_dotted(const plot_frame *f, pen_line line)
{
    line.width = 2;
    line.dash = 2;
    line.gap = 3;
    f->pen->line(f->pen, &line);
}

/* What stands before a name: the colour of a series, or the sign for what was published. */
static void plot_sign(const plot_frame *f, uint32_t series, double x, double y)
{
    const double corner[2] = {x, y - 10}, size[2] = {11, 11}, centre[2] = {x + 6, y - 4};
    if (series < f->bars->series_count)
        f->pen->box(f->pen, corner, size, plot_colour(series));
    else if (f->bars->published[0].group == PLOT_ALL)
        plot_dotted(f, (pen_line){{x, y - 4}, {x + 11, y - 4}, PEN_BLACK, 2, 0, 0});
    else
        f->pen->diamond(f->pen, centre);
}

/* The names of the series, in as many lines as they need; returns where the last one stands. */
static double plot_legend(const plot_frame *f, bool draw)
{
    const reproduce_bars *bars = f->bars;
    double x = PLOT_LEFT, y = 44;
    for (uint32_t s = 0; s < bars->series_count + (bars->published_count > 0); s++) {
        const char *name = s < bars->series_count ? bars->series[s] : "published";
        double width = 26 + plot_length(name);
        if (x + width > f->width - PLOT_RIGHT && x > PLOT_LEFT) x = PLOT_LEFT, y += 18;
        if (draw) {
            plot_sign(f, s, x, y);
            f->pen->text(f->pen, &(pen_text){.at = {x + 16, y}, .text = name, .size = PLOT_SIZE});
        }
        x += width;
    }
    return y;
}

static bool plot_turned(const plot_frame *f)
{
    for (uint32_t g = 0; g < f->bars->group_count; g++)
        if (plot_length(f->bars->groups[g]) > f->group) return true;
    return false;
}

static void plot_group_name(const plot_frame *f, uint32_t g, bool turned)
{
    double x = PLOT_LEFT + f->group * (g + 0.5), y = f->top + PLOT_HEIGHT + 16;
    f->pen->text(f->pen, &(pen_text){.at = {turned ? x + 4 : x, turned ? y - 4 : y},
                                     .text = f->bars->groups[g],
                                     .size = PLOT_SIZE,
                                     .anchor = turned ? PEN_RIGHT : PEN_MIDDLE,
                                     .turn = turned ? -60 : 0});
}

/* ---- bars ---- */

static void plot_stroke(const plot_frame *f, double x1, double y1, double x2, double y2)
{
    f->pen->line(f->pen, &(pen_line){{x1, y1}, {x2, y2}, PEN_BLACK, 1, 0, 0});
}

static void plot_whisker(const plot_frame *f, double x, double value, double deviation)
{
    double low = plot_y(f, value - deviation), high = plot_y(f, value + deviation);
    double half = f->bar * 0.3;
    plot_stroke(f, x, low, x, high);
    if (high > f->top + 0.05) {
        plot_stroke(f, x - half, high, x + half, high);
    } else {
        plot_stroke(f, x - half - 1, high + 4, x, high);
        plot_stroke(f, x, high, x + half + 1, high + 4);
    }
}

static void plot_group(const plot_frame *f, uint32_t g, bool whiskers)
{
    const reproduce_bars *bars = f->bars;
    double left = PLOT_LEFT + f->group * g + (f->group - f->bar * bars->series_count) / 2;
    for (uint32_t s = 0; s < bars->series_count; s++) {
        double value = plot_value(bars, g, s), deviation = plot_deviation(bars, g, s);
        if (!isfinite(value)) continue;
        double x = left + f->bar * s, y = plot_y(f, value);
        const double corner[2] = {x, y}, size[2] = {f->bar * 0.92, f->top + PLOT_HEIGHT - y};
        if (!whiskers)
            f->pen->box(f->pen, corner, size, plot_colour(s));
        else if (deviation > 0)
            plot_whisker(f, x + f->bar * 0.46, value, deviation);
    }
}

static void plot_spot(const plot_frame *f, const reproduce_spot *spot)
{
    if (spot->group == PLOT_ALL) {
        plot_dotted(f, plot_across(f, spot->value, plot_colour(spot->series)));
        return;
    }
    double left =
        PLOT_LEFT + f->group * spot->group + (f->group - f->bar * f->bars->series_count) / 2;
    const double centre[2] = {left + f->bar * (spot->series + 0.46), plot_y(f, spot->value)};
    f->pen->diamond(f->pen, centre);
}

static void plot_layout(plot_frame *f)
{
    const reproduce_bars *bars = f->bars;
    f->bar = bars->group_count * bars->series_count > 60 ? 7 : 14;
    f->group = f->bar * (bars->series_count + 1.2);
    if (f->group * bars->group_count < PLOT_WIDTH_LEAST)
        f->group = (double)PLOT_WIDTH_LEAST / bars->group_count;
    f->bar = fmin(PLOT_BAR_MOST, f->group / (bars->series_count + 1.2));
    f->width = PLOT_LEFT + f->group * bars->group_count + PLOT_RIGHT;
    f->top = plot_legend(f, false) + 18;
    double names = 26;
    if (plot_turned(f)) {
        for (uint32_t g = 0; g < bars->group_count; g++)
            names = fmax(names, 18 + 0.9 * plot_length(bars->groups[g]));
    }
    f->bottom = f->top + PLOT_HEIGHT + names;
    plot_axis(f);
}

static void plot_heads(const plot_frame *f)
{
    f->pen->text(f->pen, &(pen_text){.at = {PLOT_LEFT, 22},
                                     .text = f->bars->title,
                                     .size = PLOT_TITLE,
                                     .bold = true});
    f->pen->text(f->pen, &(pen_text){.at = {14, f->top + PLOT_HEIGHT / 2.0},
                                     .text = f->bars->unit,
                                     .size = PLOT_SIZE,
                                     .anchor = PEN_MIDDLE,
                                     .turn = -90});
    plot_legend(f, true);
}

static void plot_draw(const plot_frame *f)
{
    const reproduce_bars *bars = f->bars;
    plot_heads(f);
    plot_ticks(f);
    for (uint32_t g = 0; g < bars->group_count; g++) plot_group(f, g, false);
    for (uint32_t g = 0; g < bars->group_count; g++) plot_group(f, g, true);
    if (bars->reference > 0) {
        pen_line line = plot_across(f, bars->reference, 0xbb0000);
        line.dash = 6;
        line.gap = 4;
        f->pen->line(f->pen, &line);
    }
    for (uint32_t i = 0; i < bars->published_count; i++) plot_spot(f, &bars->published[i]);
    plot_stroke(f, PLOT_LEFT, f->top + PLOT_HEIGHT, f->width - PLOT_RIGHT, f->top + PLOT_HEIGHT);
    bool turned = plot_turned(f);
    for (uint32_t g = 0; g < bars->group_count; g++) plot_group_name(f, g, turned);
}

bool reproduce_plot(const reproduce_bars *bars, bool png, FILE *out)
{
    plot_frame f = {.bars = bars};
    plot_layout(&f);
    f.pen = png ? pen_png(out, f.width, f.bottom) : pen_svg(out, f.width, f.bottom);
    if (!f.pen) return false;
    plot_draw(&f);
    return f.pen->end(f.pen);
}
