/* status.c: statuses and errors as words, and the version.
 *
 * Errors are formatted by a few lines of our own: the core stays free of stdio, which a
 * WebAssembly build would have to drag in.
 */
#include "core/core.h"
#include <stdarg.h>

#define STATUS_TEXT(x) #x
#define STATUS_VERSION(a, b, c) STATUS_TEXT(a) "." STATUS_TEXT(b) "." STATUS_TEXT(c)

const char *cairn_version(void)
{
    return STATUS_VERSION(CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR, CAIRN_VERSION_PATCH);
}

const char *cairn_status_text(cairn_status status)
{
    static const char *const texts[CAIRN_STATUS_COUNT] = {
        "ok",         "running",       "unreachable",  "out of budget", "out of memory",
        "cancelled",  "blocked start", "blocked goal", "out of bounds", "stale",
        "not built",  "cost overflow", "unsupported",  "bad data",      "invalid argument",
        "file error", "too long",
    };
    return (unsigned)status < CAIRN_STATUS_COUNT ? texts[status] : "unknown status";
}

const char *cairn_result_text(cairn_status status)
{
    return status == CAIRN_FOUND ? "found" : cairn_status_text(status);
}

typedef struct status_writer {
    char *text;
    size_t used, size;
} status_writer;

static void status_put(status_writer *w, const char *text, size_t length)
{
    for (size_t i = 0; i < length && w->used + 1 < w->size; i++) w->text[w->used++] = text[i];
}

static void status_put_number(status_writer *w, unsigned long long value, bool negative)
{
    char digits[24];
    size_t n = sizeof digits;
    do {
        digits[--n] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    if (negative) digits[--n] = '-';
    status_put(w, digits + n, sizeof digits - n);
}

/* Writes one conversion; returns what follows it in the format. */
static const char *status_convert(status_writer *w, const char *f, va_list *args)
{
    if (*f == 's') {
        const char *text = va_arg(*args, const char *);
        status_put(w, text, strlen(text));
    } else if (f[0] == '.' && f[1] == '*' && f[2] == 's') {
        int length = va_arg(*args, int);
        status_put(w, va_arg(*args, const char *), length > 0 ? (size_t)length : 0);
        f += 2;
    } else if (*f == 'c') {
        char c = (char)va_arg(*args, int);
        status_put(w, &c, 1);
    } else if (*f == 'd') {
        int value = va_arg(*args, int);
        status_put_number(
            w, value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value, value < 0);
    } else if (*f == 'u') {
        status_put_number(w, va_arg(*args, unsigned), false);
    } else if (f[0] == 'l' && f[1] == 'l' && f[2] == 'u') {
        status_put_number(w, va_arg(*args, unsigned long long), false);
        f += 2;
    } else {
        status_put(w, f, 1);
    }
    return f + 1;
}

static size_t status_format(char *out, size_t size, const char *format, va_list *args)
{
    status_writer w = {out, 0, size};
    for (const char *f = format; *f;) {
        if (*f != '%') {
            status_put(&w, f++, 1);
        } else {
            f = status_convert(&w, f + 1, args);
        }
    }
    w.text[w.used] = '\0';
    return w.used;
}

size_t crn_format(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t used = status_format(out, size, format, &args);
    va_end(args);
    return used;
}

cairn_status crn_fail(cairn_error *error, cairn_status status, uint32_t line, const char *format,
                      ...)
{
    if (!error) return status;
    error->status = status;
    error->line = line;
    va_list args;
    va_start(args, format);
    status_format(error->text, sizeof error->text, format, &args);
    va_end(args);
    return status;
}
