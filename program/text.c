/* text.c: small helpers with text, numbers, the terminal and the clock (see text.h). */
#define _POSIX_C_SOURCE 200809L
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_WORD_MAX = 48 };

static uint32_t text_min3(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t least = a < b ? a : b;
    return least < c ? least : c;
}

uint32_t text_distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    if (m > TEXT_WORD_MAX || n > TEXT_WORD_MAX) return UINT32_MAX;
    uint32_t rows[3][TEXT_WORD_MAX + 1];
    for (uint32_t j = 0; j <= n; j++) rows[0][j] = j;
    for (uint32_t i = 1; i <= m; i++) {
        uint32_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (uint32_t j = 1; j <= n; j++) {
            row[j] = text_min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            /* Two letters the wrong way round are one slip, not two. */
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                two_above[j - 2] + 1 < row[j])
                row[j] = two_above[j - 2] + 1;
        }
    }
    return rows[m % 3][n];
}

const char *text_nearer(const char *word, const char *best, const char *candidate)
{
    uint32_t allowed = 1 + (uint32_t)strlen(word) / 4;
    uint32_t distance = text_distance(word, candidate);
    if (distance > allowed) return best;
    return best && text_distance(word, best) <= distance ? best : candidate;
}

bool text_integer(const char *text, size_t length, int64_t minimum, int64_t maximum, int64_t *out)
{
    size_t i = length && text[0] == '-' ? 1 : 0;
    bool minus = i == 1;
    int64_t value = 0;
    if (i == length || length - i > 15) return false;
    for (; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        value = value * 10 + (text[i] - '0');
    }
    *out = minus ? -value : value;
    return *out >= minimum && *out <= maximum;
}

bool text_pair(const char *text, int32_t *x, int32_t *y)
{
    const char *comma = strchr(text, ',');
    int64_t a, b;
    if (!comma || !text_integer(text, (size_t)(comma - text), INT32_MIN, INT32_MAX, &a) ||
        !text_integer(comma + 1, strlen(comma + 1), INT32_MIN, INT32_MAX, &b))
        return false;
    *x = (int32_t)a;
    *y = (int32_t)b;
    return true;
}

const char *text_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool text_ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && !strcmp(name + length - tail, ending);
}

uint32_t text_width(const char *text)
{
    uint32_t width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

uint32_t text_character(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    uint32_t length = p[0] < 0x80                   ? 1
                      : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
                      : (p[0] & 0xf0) == 0xe0       ? 3
                      : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                    : 0;
    for (uint32_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    if (length == 3 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0))) return 0;
    if (length == 4 && ((p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90))) return 0;
    return length;
}

/* ---- text from elsewhere ---- */

uint32_t text_code(const char *text, uint32_t length)
{
    uint32_t code = (unsigned char)text[0] & (length == 1 ? 0x7f : 0xff >> (length + 1));
    for (uint32_t i = 1; i < length; i++) code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

bool text_commands(const char *text, uint32_t length)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
                  {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    uint32_t code = text_code(text, length);
    for (uint32_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (code >= ranges[i].first && code <= ranges[i].last) return true;
    return false;
}

enum { TEXT_LETTER = 4 * 4 + 1 }; /* a character as it is shown, and a zero byte */

/* The next character of a text that ends before `end`. Returns how many bytes it has. */
static uint32_t text_show(const char *text, const char *end, char out[TEXT_LETTER])
{
    char next[5] = "";
    for (uint32_t i = 0; i < 4 && text + i < end; i++) next[i] = text[i];
    uint32_t length = text_character(next), size = length ? length : 1;
    if (length && !text_commands(next, length)) {
        memcpy(out, next, length + 1u);
        out[length] = 0;
        return length;
    }
    for (uint32_t i = 0; i < size; i++)
        snprintf(out + 4 * i, TEXT_LETTER - 4 * i, "\\x%02x", (unsigned char)next[i]);
    return size;
}

void text_shown(const char *text, char *out, size_t size)
{
    const char *end = text + strlen(text);
    char letter[TEXT_LETTER];
    size_t used = 0;
    while (text < end) {
        text += text_show(text, end, letter);
        if (used + strlen(letter) >= size) break;
        used += (size_t)snprintf(out + used, size - used, "%s", letter);
    }
    if (size) out[used] = 0;
}

/* One conversion of a format: "%-*.2f" */
typedef struct text_conversion {
    char spec[16];        /* with stars in place of its numbers: "%-*.*f" */
    int width, precision; /* precision: negative = none */
    char size, kind;      /* 'l', 'q' for ll, 'z' or 0; 's', 'd', … */
} text_conversion;

typedef struct text_arguments {
    va_list list;
} text_arguments;

/* A number or a star. */
static const char *text_read_number(const char *p, text_arguments *arguments, int *out)
{
    if (*p == '*') {
        *out = va_arg(arguments->list, int);
        return p + 1;
    }
    for (*out = 0; *p >= '0' && *p <= '9'; p++) *out = *out * 10 + (*p - '0');
    return p;
}

/* Reads a conversion, from behind its "%", and returns where it ends. */
static const char *text_read_conversion(const char *p, text_arguments *arguments,
                                        text_conversion *out)
{
    size_t flags = strspn(p, "-+ #0");
    *out = (text_conversion){.precision = -1};
    const char *after = text_read_number(p + flags, arguments, &out->width);
    if (*after == '.') after = text_read_number(after + 1, arguments, &out->precision);
    size_t letters = strspn(after, "lz");
    out->size = letters == 2 ? 'q' : letters ? *after : 0;
    out->kind = after[letters];
    snprintf(out->spec, sizeof out->spec, "%%%.*s*.*%.*s%c", (int)flags, p, (int)letters, after,
             out->kind);
    return after + letters + (out->kind != 0);
}

/* Width and precision count characters as they are shown, and bytes as they are given. */
static void text_say_text(FILE *out, const text_conversion *how, const char *text)
{
    size_t length = 0, most = how->precision < 0 ? SIZE_MAX : (size_t)how->precision;
    while (length < most && text[length]) length++;
    const char *end = text + length;
    char letter[TEXT_LETTER];
    int width = how->width < 0 ? -how->width : how->width;
    bool left = how->width < 0 || strchr(how->spec, '-');
    for (const char *p = text; p < end; width -= (int)text_width(letter))
        p += text_show(p, end, letter);
    fprintf(out, "%*s", left || width < 0 ? 0 : width, "");
    while (text < end) {
        text += text_show(text, end, letter);
        fputs(letter, out);
    }
    fprintf(out, "%*s", left && width > 0 ? width : 0, "");
}

/* Integers of one size are passed alike, with a sign or without. */
static void text_say_number(FILE *out, const text_conversion *how, text_arguments *arguments)
{
    const char *spec = how->spec;
    int w = how->width, p = how->precision;
    if (how->kind == 'c') /* has no precision */
        fprintf(out, "%*c", w, va_arg(arguments->list, int));
    else if (strchr("feg", how->kind))
        fprintf(out, spec, w, p, va_arg(arguments->list, double));
    else if (how->size == 'q')
        fprintf(out, spec, w, p, va_arg(arguments->list, unsigned long long));
    else if (how->size == 'l')
        fprintf(out, spec, w, p, va_arg(arguments->list, unsigned long));
    else if (how->size == 'z')
        fprintf(out, spec, w, p, va_arg(arguments->list, size_t));
    else
        fprintf(out, spec, w, p, va_arg(arguments->list, unsigned));
}

void text_say(FILE *out, const char *format, va_list given)
{
    text_arguments arguments;
    va_copy(arguments.list, given);
    for (const char *p = format; *p;) {
        size_t plain = strcspn(p, "%");
        fwrite(p, 1, plain, out);
        p += plain;
        if (!*p) break;
        text_conversion how;
        p = text_read_conversion(p + 1, &arguments, &how);
        if (how.kind == '%')
            fputc('%', out);
        else if (how.kind == 's')
            text_say_text(out, &how, va_arg(arguments.list, const char *));
        else
            text_say_number(out, &how, &arguments);
    }
    va_end(arguments.list);
}

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_say(stdout, format, arguments);
    va_end(arguments);
}

/* ---- short forms ---- */

const char *text_count(uint64_t n, char out[TEXT_SHORT])
{
    char digits[TEXT_SHORT];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    int at = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = 0;
    return out;
}

const char *text_bytes(uint64_t n, char out[TEXT_SHORT])
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    double value = (double)n;
    uint32_t unit = 0;
    while (value >= 1000 && unit < 4) value /= 1024, unit++;
    snprintf(out, TEXT_SHORT, unit && value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return out;
}

const char *text_number(double n, char out[TEXT_SHORT])
{
    double size = n < 0 ? -n : n;
    snprintf(out, TEXT_SHORT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", n);
    return out;
}

const char *text_duration(double microseconds, char out[TEXT_SHORT])
{
    static const char *const units[] = {"us", "ms", "s"};
    uint32_t unit = 0;
    char number[TEXT_SHORT - 4];
    while (microseconds >= 1000 && unit < 2) microseconds /= 1000, unit++;
    snprintf(number, sizeof number, "%s", text_number(microseconds, out));
    snprintf(out, TEXT_SHORT, "%s %s", number, units[unit]);
    return out;
}

bool text_terminal(FILE *stream)
{
    const char *term = getenv("TERM");
    return isatty(fileno(stream)) && !(term && !strcmp(term, "dumb"));
}

bool text_colourful(FILE *stream)
{
    const char *no = getenv("NO_COLOR");
    return text_terminal(stream) && !(no && no[0]);
}

bool text_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (uint32_t i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && value[0])
            return strstr(value, "UTF-8") || strstr(value, "utf-8") || strstr(value, "UTF8") ||
                   strstr(value, "utf8");
    }
    return false;
}

uint32_t text_columns(void)
{
    struct winsize size;
    if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col) return size.ws_col;
    const char *columns = getenv("COLUMNS");
    int64_t n;
    return columns && text_integer(columns, strlen(columns), 20, 1000, &n) ? (uint32_t)n : 80;
}

double text_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
