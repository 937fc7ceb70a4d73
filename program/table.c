/* table.c: aligned tables (see table.h). */
#include "table.h"

#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

table table_with(const char *const *headings, uint32_t columns)
{
    table t = {.columns = columns};
    for (uint32_t i = 0; i < columns; i++) {
        t.right[i] = headings[i][0] == '>';
        table_add(&t, "%s", headings[i] + t.right[i]);
    }
    return t;
}

void table_add(table *t, const char *format, ...)
{
    char given[256], text[4 * sizeof given];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(given, sizeof given, format, arguments);
    va_end(arguments);
    text_shown(given, text, sizeof text);
    if (t->count == t->capacity) {
        size_t capacity = t->capacity ? t->capacity * 2 : 128;
        char **cells = realloc(t->cells, capacity * sizeof *cells);
        if (!cells) {
            t->failed = true;
            return;
        }
        t->cells = cells;
        t->capacity = capacity;
    }
    size_t size = strlen(text) + 1;
    char *cell = malloc(size);
    if (!cell) {
        t->failed = true;
        return;
    }
    t->cells[t->count++] = memcpy(cell, text, size);
}

static void table_print_row(const table *t, size_t first, const uint32_t *widths, FILE *out)
{
    for (uint32_t i = 0; i < t->columns && first + i < t->count; i++) {
        const char *text = t->cells[first + i];
        uint32_t gap = widths[i] - text_width(text);
        bool last = i + 1 == t->columns;
        fprintf(out, "%s%*s%s%*s", i ? "  " : "", t->right[i] ? (int)gap : 0, "", text,
                t->right[i] || last ? 0 : (int)gap, "");
    }
}

bool table_print_to(table *t, FILE *out)
{
    uint32_t widths[TABLE_COLUMNS] = {0};
    bool bold = text_colourful(out), ok = !t->failed;
    for (size_t i = 0; i < t->count; i++) {
        uint32_t width = text_width(t->cells[i]);
        if (width > widths[i % t->columns]) widths[i % t->columns] = width;
    }
    for (size_t i = 0; ok && i < t->count; i += t->columns) {
        if (bold && !i) fputs("\033[1m", out);
        table_print_row(t, i, widths, out);
        fputs(bold && !i ? "\033[0m\n" : "\n", out);
    }
    for (size_t i = 0; i < t->count; i++) free(t->cells[i]);
    free(t->cells);
    *t = (table){0};
    return ok;
}

bool table_print(table *t)
{
    return table_print_to(t, stdout);
}
