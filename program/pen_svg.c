/* pen_svg.c: drawing as SVG (see pen.h). Everything is whole or tenths of pixels, so the same
 * numbers make the same file. */
#include "pen.h"

#include "command.h"

#include <stdlib.h>

typedef struct svg_pen {
    pen pen;
    FILE *out;
} svg_pen;

static FILE *svg_out(pen *p)
{
    return ((svg_pen *)p)->out;
}

static void svg_letters(FILE *out, const char *text)
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

static void svg_box(pen *p, const double corner[2], const double size[2], uint32_t colour)
{
    fprintf(svg_out(p),
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>\n",
            corner[0], corner[1], size[0], size[1], colour);
}

static void svg_line(pen *p, const pen_line *line)
{
    FILE *out = svg_out(p);
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#%06x\"",
            line->from[0], line->from[1], line->to[0], line->to[1], line->colour);
    if (line->width > 1) fprintf(out, " stroke-width=\"%g\"", line->width);
    if (line->dash > 0) fprintf(out, " stroke-dasharray=\"%g %g\"", line->dash, line->gap);
    fputs("/>\n", out);
}

static void svg_diamond(pen *p, const double centre[2])
{
    fprintf(svg_out(p), "<path d=\"M%.1f %.1fl5 5l-5 5l-5 -5z\" fill=\"#fff\" stroke=\"#%06x\"/>\n",
            centre[0], centre[1] - PEN_DIAMOND, PEN_BLACK);
}

static void svg_text(pen *p, const pen_text *text)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    FILE *out = svg_out(p);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\"%s%s", text->at[0], text->at[1],
            text->size, text->bold ? " font-weight=\"bold\"" : "", anchors[text->anchor]);
    if (text->turn < 0 || text->turn > 0)
        fprintf(out, " transform=\"rotate(%g %.1f %.1f)\"", text->turn, text->at[0], text->at[1]);
    fputc('>', out);
    svg_letters(out, text->text);
    fputs("</text>\n", out);
}

static bool svg_end(pen *p)
{
    fputs("</svg>\n", svg_out(p));
    free(p);
    return true;
}

pen *pen_svg(FILE *out, double width, double height)
{
    svg_pen *svg = malloc(sizeof *svg);
    if (!svg) return complain("there is not enough memory for plots"), NULL;
    *svg = (svg_pen){{svg_box, svg_line, svg_diamond, svg_text, svg_end}, out};
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            width, height, width, height);
    return &svg->pen;
}
