/* reproduce_plot.c: groups of bars as SVG (see reproduce.h).
 *
 * Bars stand on a linear axis, or on one of powers of ten if the tallest would dwarf the others.
 * Whiskers are one standard deviation long in each direction; one that leaves the picture ends with
 * an arrow. Published numbers are diamonds or dotted lines. Everything is whole or tenths of
 * pixels, so the same numbers make the same file.
 */
#include "reproduce.h"

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

/* Told apart by people who see few colours, too. */
static const char *const plot_colours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                           "#56b4e9", "#d55e00", "#f0e442", "#999999",
                                           "#332288", "#882255", "#44aa99", "#661100"};

/* What was published. */
#define PLOT_DOTTED "stroke-width=\"2\" stroke-dasharray=\"2 3\""
#define PLOT_DIAMOND "<path d=\"M%.1f %.1fl5 5l-5 5l-5 -5z\" fill=\"#fff\" stroke=\"#222\"/>\n"

typedef struct plot_frame {
    const reproduce_bars *bars;
    FILE *out;
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

static void plot_tick(const plot_frame *f, double value)
{
    double y = plot_y(f, value);
    fprintf(f->out,
            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
            PLOT_LEFT, y, f->width - PLOT_RIGHT, y, PLOT_LEFT - 6, y + 4, value);
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

static void plot_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else
            fputc(*text, out);
    }
}

/* What stands before a name: the colour of a series, or the sign for what was published. */
static void plot_sign(const plot_frame *f, uint32_t series, double x, double y)
{
    if (series < f->bars->series_count)
        fprintf(f->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"11\" height=\"11\" fill=\"%s\"/>", x,
                y - 10, plot_colours[series % 12]);
    else if (f->bars->published[0].group == PLOT_ALL)
        fprintf(f->out, "<path d=\"M%.1f %.1fh12\" stroke=\"#222\" " PLOT_DOTTED "/>", x, y - 4);
    else
        fprintf(f->out, PLOT_DIAMOND, x + 6, y - 9);
}

/* The names of the series, in as many lines as they need; returns where the last one stands. */
static double plot_legend(const plot_frame *f, bool draw)
{
    const reproduce_bars *bars = f->bars;
    double x = PLOT_LEFT, y = 44;
    for (uint32_t s = 0; s < bars->series_count + (bars->published_count > 0); s++) {
        const char *name = s < bars->series_count ? bars->series[s] : "published";
        double width = 26 + PLOT_LETTER * (double)strlen(name);
        if (x + width > f->width - PLOT_RIGHT && x > PLOT_LEFT) x = PLOT_LEFT, y += 18;
        if (draw) {
            plot_sign(f, s, x, y);
            fprintf(f->out, "<text x=\"%.1f\" y=\"%.1f\">", x + 16, y);
            plot_text(f->out, name);
            fputs("</text>\n", f->out);
        }
        x += width;
    }
    return y;
}

static bool plot_turned(const plot_frame *f)
{
    for (uint32_t g = 0; g < f->bars->group_count; g++)
        if (PLOT_LETTER * (double)strlen(f->bars->groups[g]) > f->group) return true;
    return false;
}

static void plot_group_name(const plot_frame *f, uint32_t g, bool turned)
{
    double x = PLOT_LEFT + f->group * (g + 0.5), y = f->top + PLOT_HEIGHT + 16;
    if (turned)
        fprintf(
            f->out,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" transform=\"rotate(-60 %.1f %.1f)\">",
            x + 4, y - 4, x + 4, y - 4);
    else
        fprintf(f->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x, y);
    plot_text(f->out, f->bars->groups[g]);
    fputs("</text>\n", f->out);
}

/* ---- bars ---- */

static void plot_whisker(const plot_frame *f, double x, double value, double deviation)
{
    double low = plot_y(f, value - deviation), high = plot_y(f, value + deviation);
    double half = f->bar * 0.3;
    fprintf(f->out, "<path d=\"M%.1f %.1fV%.1f", x, low, high);
    if (high > f->top + 0.05)
        fprintf(f->out, "M%.1f %.1fh%.1f", x - half, high, 2 * half);
    else
        fprintf(f->out, "m%.1f 4l%.1f -4l%.1f 4", -half - 1, half + 1, half + 1);
    fputs("\"/>\n", f->out);
}

static void plot_group(const plot_frame *f, uint32_t g, bool whiskers)
{
    const reproduce_bars *bars = f->bars;
    double left = PLOT_LEFT + f->group * g + (f->group - f->bar * bars->series_count) / 2;
    for (uint32_t s = 0; s < bars->series_count; s++) {
        double value = plot_value(bars, g, s), deviation = plot_deviation(bars, g, s);
        if (!isfinite(value)) continue;
        double x = left + f->bar * s, y = plot_y(f, value);
        if (!whiskers)
            fprintf(f->out,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x,
                    y, f->bar * 0.92, f->top + PLOT_HEIGHT - y, plot_colours[s % 12]);
        else if (deviation > 0)
            plot_whisker(f, x + f->bar * 0.46, value, deviation);
    }
}

static void plot_spot(const plot_frame *f, const reproduce_spot *spot)
{
    double y = plot_y(f, spot->value);
    if (spot->group == PLOT_ALL) {
        fprintf(f->out,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" " PLOT_DOTTED
                "/>\n",
                PLOT_LEFT, y, f->width - PLOT_RIGHT, y,
                spot->series == PLOT_ALL ? "#222" : plot_colours[spot->series % 12]);
        return;
    }
    double left =
        PLOT_LEFT + f->group * spot->group + (f->group - f->bar * f->bars->series_count) / 2;
    fprintf(f->out, PLOT_DIAMOND, left + f->bar * (spot->series + 0.46), y - 5);
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
            names = fmax(names, 18 + PLOT_LETTER * 0.9 * (double)strlen(bars->groups[g]));
    }
    f->bottom = f->top + PLOT_HEIGHT + names;
    plot_axis(f);
}

void reproduce_plot(const reproduce_bars *bars, FILE *out)
{
    plot_frame f = {.bars = bars, .out = out};
    plot_layout(&f);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 "
            "0 %.0f %.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
            "fill=\"#fff\"/>\n",
            f.width, f.bottom, f.width, f.bottom);
    fprintf(out, "<text x=\"%d\" y=\"22\" font-size=\"15\" font-weight=\"bold\">", PLOT_LEFT);
    plot_text(out, bars->title);
    fprintf(out,
            "</text>\n<text x=\"14\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 14 "
            "%.1f)\">",
            f.top + PLOT_HEIGHT / 2.0, f.top + PLOT_HEIGHT / 2.0);
    plot_text(out, bars->unit);
    fputs("</text>\n", out);
    plot_legend(&f, true);
    plot_ticks(&f);
    for (uint32_t g = 0; g < bars->group_count; g++) plot_group(&f, g, false);
    fputs("<g fill=\"none\" stroke=\"#222\" stroke-width=\"1\">\n", out);
    for (uint32_t g = 0; g < bars->group_count; g++) plot_group(&f, g, true);
    fputs("</g>\n", out);
    if (bars->reference > 0)
        fprintf(out,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#b00\" "
                "stroke-dasharray=\"6 4\"/>\n",
                PLOT_LEFT, plot_y(&f, bars->reference), f.width - PLOT_RIGHT,
                plot_y(&f, bars->reference));
    for (uint32_t i = 0; i < bars->published_count; i++) plot_spot(&f, &bars->published[i]);
    fprintf(out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#222\"/>\n",
            PLOT_LEFT, f.top + PLOT_HEIGHT, f.width - PLOT_RIGHT, f.top + PLOT_HEIGHT);
    bool turned = plot_turned(&f);
    for (uint32_t g = 0; g < bars->group_count; g++) plot_group_name(&f, g, turned);
    fputs("</svg>\n", out);
}
