/* simulate_chart.c: two charts of a simulation: how long its turns took, and how many turns goals
 * waited.
 *
 * Each is a curve over shares: from left to right the value that a half of all do not exceed, then
 * nine tenths, 99 and 99.9 of 100, and so on to the worst one, every step as wide as the other. A
 * game is judged by its right end. A pen draws it (pen.h).
 */
#define _POSIX_C_SOURCE 200809L
#include "simulate.h"

#include "files.h"
#include "pen.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHART_LEFT = 64,
    CHART_TOP = 56,
    CHART_WIDTH = 380,
    CHART_HEIGHT = 260,
    CHART_STEP = 490, /* from one panel to the next */
    CHART_WHOLE = 2 * CHART_STEP,
    CHART_TALL = 410,
    CHART_LINE = 18
};
#define CHART_SIZE 12.0
#define CHART_TITLE 15.0
static const uint32_t chart_colours[] = {0x0072b2, 0xd55e00};

typedef struct chart_curve {
    const char *name;
    simulate_series *series;
} chart_curve;

typedef struct chart_panel {
    pen *pen;
    const char *title, *unit;
    chart_curve curves[2];
    uint32_t curve_count;
    double left;
    bool powers;             /* of ten */
    double low, high, right; /* of the axes: values or their logarithms; the share at the end */
    double limit;            /* 0 = none */
} chart_panel;

/* ---- axes ---- */

static double chart_value(const chart_panel *p, double value)
{
    return p->powers ? log10(fmax(value, 1)) : value;
}

static void chart_measure(chart_panel *p)
{
    double worst = p->limit;
    size_t most = 1;
    for (uint32_t i = 0; i < p->curve_count; i++) {
        worst = fmax(worst, simulate_quantile(p->curves[i].series, 1));
        if (p->curves[i].series->count > most) most = p->curves[i].series->count;
    }
    p->low = 0;
    p->high = p->powers ? fmax(ceil(log10(fmax(worst, 1)) + 0.01), 1) : fmax(worst * 1.05, 1);
    p->right = fmax(log10((double)most), 1);
}

static double chart_x(const chart_panel *p, double share)
{
    double at = share < 1 ? -log10(1 - share) : p->right;
    return p->left + CHART_WIDTH * fmin(at / p->right, 1);
}

static double chart_y(const chart_panel *p, double value)
{
    double part = (chart_value(p, value) - p->low) / (p->high - p->low);
    return CHART_TOP + CHART_HEIGHT * (1 - part);
}

static void chart_write(const chart_panel *p, const char *text, double x, double y, bool right)
{
    p->pen->text(p->pen, &(pen_text){.at = {x, y},
                                     .text = text,
                                     .size = CHART_SIZE,
                                     .anchor = right ? PEN_RIGHT : PEN_MIDDLE});
}

static void chart_rule(const chart_panel *p, double x0, double y0, double x1, double y1)
{
    p->pen->line(p->pen, &(pen_line){{x0, y0}, {x1, y1}, 0xdddddd, 1, 0, 0});
}

static void chart_shares(const chart_panel *p)
{
    static const char *const names[] = {"50 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %"};
    double bottom = CHART_TOP + CHART_HEIGHT, share = 0.5;
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (i) share = 1 - pow(10, -(double)i);
        if (-log10(1 - share) > p->right - 0.25) break;
        double x = chart_x(p, share);
        chart_rule(p, x, CHART_TOP, x, bottom);
        chart_write(p, names[i], x, bottom + 16, false);
    }
    chart_rule(p, p->left + CHART_WIDTH, CHART_TOP, p->left + CHART_WIDTH, bottom);
    chart_write(p, "worst", p->left + CHART_WIDTH, bottom + 16, false);
}

/* A step of an axis with about four of them: 1, 2 or 5 times a power of ten. */
static double chart_step(double range)
{
    double power = pow(10, floor(log10(range / 4))), part = range / 4 / power;
    return power * (part > 5 ? 10 : part > 2 ? 5 : part > 1 ? 2 : 1);
}

static void chart_values(const chart_panel *p)
{
    char text[TEXT_SHORT];
    double step = p->powers ? 1 : fmax(chart_step(p->high), 1);
    for (double at = p->low; at <= p->high + 0.001; at += step) {
        double value = p->powers ? pow(10, at) : at, y = chart_y(p, value);
        snprintf(text, sizeof text, "%.9g", value);
        chart_rule(p, p->left, y, p->left + CHART_WIDTH, y);
        chart_write(p, text, p->left - 6, y + 4, true);
    }
}

/* ---- curves ---- */

static void chart_draw_curve(const chart_panel *p, uint32_t which)
{
    simulate_series *series = p->curves[which].series;
    double before[2] = {0};
    for (uint32_t i = 0; series->count && i <= CHART_WIDTH; i++) {
        double share = 1 - pow(10, -p->right * i / CHART_WIDTH);
        double value = simulate_quantile(series, i == CHART_WIDTH ? 1 : share);
        double at[2] = {p->left + i, chart_y(p, value)};
        if (i)
            p->pen->line(
                p->pen,
                &(pen_line){{before[0], before[1]}, {at[0], at[1]}, chart_colours[which], 2, 0, 0});
        memcpy(before, at, sizeof at);
    }
}

/* Its numbers, below the panel. */
static void chart_tell(const chart_panel *p, uint32_t which)
{
    const chart_curve *curve = &p->curves[which];
    char text[160];
    double y = CHART_TOP + CHART_HEIGHT + 40 + which * CHART_LINE;
    const double corner[2] = {p->left, y - 9}, size[2] = {10, 10};
    snprintf(text, sizeof text, "%s: half %.0f, 99 %% %.0f, 99.9 %% %.0f, worst %.0f %s",
             curve->name, simulate_quantile(curve->series, 0.5),
             simulate_quantile(curve->series, 0.99), simulate_quantile(curve->series, 0.999),
             simulate_quantile(curve->series, 1), p->unit);
    p->pen->box(p->pen, corner, size, chart_colours[which]);
    p->pen->text(p->pen, &(pen_text){.at = {p->left + 16, y}, .text = text, .size = CHART_SIZE});
}

static void chart_draw(chart_panel *p)
{
    chart_measure(p);
    chart_shares(p);
    chart_values(p);
    p->pen->text(p->pen, &(pen_text){.at = {p->left, CHART_TOP - 14},
                                     .text = p->title,
                                     .size = CHART_SIZE,
                                     .bold = true});
    if (p->limit > 0) {
        double y = chart_y(p, p->limit);
        p->pen->line(p->pen,
                     &(pen_line){{p->left, y}, {p->left + CHART_WIDTH, y}, PEN_BLACK, 1, 5, 4});
        chart_write(p, "budget", p->left + CHART_WIDTH - 4, y - 5, true);
    }
    for (uint32_t i = 0; i < p->curve_count; i++) chart_draw_curve(p, i);
    for (uint32_t i = 0; i < p->curve_count; i++) chart_tell(p, i);
}

/* ---- the whole ---- */

static bool chart_all(simulate_run *run, pen *p)
{
    char title[192];
    chart_panel frames = {.pen = p,
                          .title = "How long does a frame take? (microseconds)",
                          .unit = "us",
                          .curves = {{"frames", &run->frames}},
                          .curve_count = 1,
                          .left = CHART_LEFT,
                          .powers = true,
                          .limit = run->setup->budget_us};
    chart_panel waits = {
        .pen = p,
        .title = "How long does a goal wait? (frames)",
        .unit = "frames",
        .curves = {{"later goals", &run->responses}, {"first goals", &run->opening}},
        .curve_count = 2,
        .left = CHART_LEFT + CHART_STEP};
    snprintf(title, sizeof title, "%s on %s, %u agents", run->spec, text_base(run->world->name),
             run->agents);
    p->text(p,
            &(pen_text){.at = {CHART_LEFT, 22}, .text = title, .size = CHART_TITLE, .bold = true});
    chart_draw(&frames);
    chart_draw(&waits);
    return p->end(p);
}

bool simulate_chart_is_png(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && !strcmp(name + length - 4, ".png");
}

int simulate_chart(simulate_run *run, const char *name)
{
    cairn_file file = {0};
    FILE *out = open_memstream(&file.data, &file.size);
    double width = CHART_WHOLE, height = CHART_TALL;
    pen *p = NULL;
    if (out)
        p = simulate_chart_is_png(name) ? pen_png(out, width, height) : pen_svg(out, width, height);
    bool ok = p && chart_all(run, p);
    ok = out && !fclose(out) && ok;
    if (!ok) complain("%s: the chart could not be drawn", name);
    int end = ok ? files_put(name, file) : END_DATA;
    free(file.data);
    return end;
}
