/* json.c: writing JSON. The members of the document and of lists have a line each, everything else
 * is on one line: so a row of a result is a line of the document.
 */
#include "json.h"

#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t json_begun;

json json_to(FILE *out)
{
    json_begun += out == stdout;
    return (json){.out = out};
}

uint32_t json_documents(void)
{
    return json_begun;
}

static void json_quote(json *j, const char *text)
{
    fputc('"', j->out);
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t length = text_character((const char *)p);
        if (*p == '"' || *p == '\\')
            fprintf(j->out, "\\%c", *p);
        else if (*p == '\n')
            fputs("\\n", j->out);
        else if (*p == '\t')
            fputs("\\t", j->out);
        else if (!length)
            fputs("\\ufffd", j->out); /* a file name may hold any bytes, JSON may not */
        else if (text_commands((const char *)p, length))
            fprintf(j->out, "\\u%04x", (unsigned)text_code((const char *)p, length));
        else
            fwrite(p, 1, length, j->out);
        p += length ? length : 1;
    }
    fputc('"', j->out);
}

static void json_break(json *j)
{
    fputc('\n', j->out);
    for (uint32_t i = 0; i < j->depth; i++) fputs("  ", j->out);
}

/* What comes before every value: comma, line end, key. */
static void json_lead(json *j, const char *key)
{
    if (j->depth) {
        if (j->filled[j->depth]) fputs(j->broken[j->depth] ? "," : ", ", j->out);
        if (j->broken[j->depth]) json_break(j);
        j->filled[j->depth] = true;
    }
    if (key) {
        json_quote(j, key);
        fputs(": ", j->out);
    }
}

static void json_open(json *j, const char *key, char opening, char closing, bool broken)
{
    json_lead(j, key);
    fputc(opening, j->out);
    j->depth++;
    j->filled[j->depth] = false;
    j->broken[j->depth] = broken || j->depth == 1;
    j->closing[j->depth] = closing;
}

void json_object(json *j, const char *key)
{
    json_open(j, key, '{', '}', false);
}

void json_array(json *j, const char *key)
{
    json_open(j, key, '[', ']', false);
}

void json_list(json *j, const char *key)
{
    json_open(j, key, '[', ']', true);
}

void json_end(json *j)
{
    uint32_t depth = j->depth--;
    if (j->filled[depth] && j->broken[depth]) json_break(j);
    fputc(j->closing[depth], j->out);
    if (!j->depth) fputc('\n', j->out);
}

void json_text(json *j, const char *key, const char *value)
{
    json_lead(j, key);
    if (value)
        json_quote(j, value);
    else
        fputs("null", j->out);
}

void json_integer(json *j, const char *key, int64_t value)
{
    json_lead(j, key);
    fprintf(j->out, "%lld", (long long)value);
}

void json_number(json *j, const char *key, double value)
{
    if (!isfinite(value)) {
        json_null(j, key);
        return;
    }
    /* The fewest digits that read back as the same number. */
    char text[40];
    for (int digits = 12; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    /* Whatever the locale writes between the digits, JSON wants a point. */
    for (char *p = text; *p; p++)
        if (!strchr("0123456789+-eE", *p)) *p = '.';
    json_lead(j, key);
    fputs(text, j->out);
}

void json_bool(json *j, const char *key, bool value)
{
    json_lead(j, key);
    fputs(value ? "true" : "false", j->out);
}

void json_null(json *j, const char *key)
{
    json_lead(j, key);
    fputs("null", j->out);
}
