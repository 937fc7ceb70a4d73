/* scenario.c: problems of the MovingAI benchmarks (`.scen`): "version 1", then a line of
 * nine fields for each problem:
 *
 *     bucket  map  width  height  start-x  start-y  goal-x  goal-y  length
 *
 * The optimal length is printed rounded, and how it was rounded can only be told from the
 * whole file: "12.35" is 12.35 ± 0.005 where every number has two decimals, but 12.3500
 * in a file of six significant digits, whose trailing zeros are dropped. So the first
 * pass collects how the numbers look, the second one gives each problem its tolerance:
 * 0.6 of a unit of its last digit (half a unit and a little), and at least 0.001, since
 * the last digits of the longest numbers are the noise of adding up in floating point.
 */
#include "io/support.h"

#include <string.h>

#define SCENARIO_FIELDS 9u
#define LEAST_TOLERANCE 0.001
#define LEAST_DIGITS 6u
#define MOST_DIGITS 17u

/* How one number was printed. */
typedef struct scenario_print {
    uint32_t decimals;    /* digits behind the point */
    uint32_t significant; /* digits from the first that is not zero */
    bool exponent;
} scenario_print;

/* What all numbers of a file have in common. */
typedef struct scenario_style {
    uint32_t decimals;
    bool fixed; /* all have `decimals` of them */
    uint32_t significant;
} scenario_style;

/* ---- numbers ---- */

static double scenario_scale10(double value, int32_t power)
{
    /* Exact as long as value < 2^53 and |power| ≤ 22, which covers every real file. */
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    while (power < -22) value /= 1e22, power += 22;
    while (power > 22) value *= 1e22, power -= 22;
    return power < 0 ? value / powers[-power] : value * powers[power];
}

/* Decimal digits with a point and an exponent, both optional. strtod would obey the
 * locale and read "nan" and hexadecimal numbers. */
static bool scenario_number(crn_io_field field, double *out, scenario_print *print)
{
    const char *p = field.text, *end = p + field.length;
    uint64_t mantissa = 0;
    uint32_t digits = 0;
    int32_t power = 0;
    bool point = false;
    *print = (scenario_print){0};
    for (; p < end; p++) {
        if (*p == '.' && !point) {
            point = true;
            continue;
        }
        if (*p < '0' || *p > '9') break;
        if (++digits > 64) return false;
        if (point) print->decimals++;
        if (print->significant || *p != '0') print->significant++;
        if (mantissa < UINT64_MAX / 10 - 10) {
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
            power -= point;
        } else {
            power += !point;
        }
    }
    if (!digits) return false;
    if (p < end && (*p == 'e' || *p == 'E')) {
        print->exponent = true;
        bool minus = ++p < end && *p == '-';
        if (p < end && (*p == '-' || *p == '+')) p++;
        uint32_t exponent;
        if (!crn_io_field_number((crn_io_field){p, (size_t)(end - p)}, 300, &exponent))
            return false;
        power += minus ? -(int32_t)exponent : (int32_t)exponent;
        p = end;
    }
    *out = scenario_scale10((double)mantissa, power);
    return p == end && *out <= 1e15;
}

static void scenario_style_add(scenario_style *style, const scenario_print *print, uint32_t count)
{
    if (!count) *style = (scenario_style){.decimals = print->decimals, .fixed = true};
    if (print->exponent || !print->decimals || print->decimals != style->decimals)
        style->fixed = false;
    if (print->significant > style->significant) style->significant = print->significant;
}

static double scenario_tolerance(double length, const scenario_style *style)
{
    int32_t last = -(int32_t)style->decimals; /* power of ten of the last digit */
    if (!style->fixed) {
        uint32_t digits = style->significant < LEAST_DIGITS ? LEAST_DIGITS : style->significant;
        if (digits > MOST_DIGITS) digits = MOST_DIGITS;
        int32_t before = 1;
        for (double rest = length; rest >= 10; rest /= 10) before++;
        last = before - (int32_t)digits;
    }
    double tolerance = 0.6 * scenario_scale10(1, last);
    return tolerance < LEAST_TOLERANCE ? LEAST_TOLERANCE : tolerance;
}

/* ---- lines ---- */

static cairn_status scenario_version_line(crn_io_lines *lines, cairn_error *error)
{
    crn_io_field word = {0}, number = {0}, rest;
    bool ok = crn_io_next_line(lines);
    if (ok) {
        const char *at = lines->line, *end = at + lines->length;
        ok = crn_io_next_field(&at, end, &word) && crn_io_next_field(&at, end, &number) &&
             !crn_io_next_field(&at, end, &rest) && crn_io_field_is(word, "version") &&
             (crn_io_field_is(number, "1") || crn_io_field_is(number, "1.0"));
    }
    if (ok) return CAIRN_OK;
    return crn_io_fail(error, CAIRN_BAD_DATA, 1, "a scenario starts with the line \"version 1\"");
}

static void scenario_keep_map_name(crn_io_field field, char *out, size_t capacity)
{
    size_t first = field.length;
    while (first && field.text[first - 1] != '/' && field.text[first - 1] != '\\') first--;
    size_t length = field.length - first;
    if (length > capacity - 1) length = capacity - 1;
    memcpy(out, field.text + first, length);
    out[length] = 0;
}

static cairn_status scenario_coordinates(const crn_io_field *fields, uint32_t line,
                                         cairn_problem *out, cairn_error *error)
{
    static const char *const names[] = {"start-x", "start-y", "goal-x", "goal-y"};
    uint32_t values[4];
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t size = i & 1 ? out->height : out->width;
        if (!crn_io_field_number(fields[i], size - 1, &values[i]))
            return crn_io_fail(error, CAIRN_BAD_DATA, line,
                               "%s must be 0 to %u on a map of %u x %u", names[i], size - 1,
                               out->width, out->height);
    }
    out->from = (cairn_cell){(int32_t)values[0], (int32_t)values[1]};
    out->to = (cairn_cell){(int32_t)values[2], (int32_t)values[3]};
    return CAIRN_OK;
}

static cairn_status scenario_problem(const crn_io_field *fields, uint32_t line, cairn_problem *out,
                                     scenario_print *print, cairn_error *error)
{
    *out = (cairn_problem){0};
    if (!crn_io_field_number(fields[0], UINT32_MAX, &out->bucket))
        return crn_io_fail(error, CAIRN_BAD_DATA, line, "the bucket is not a whole number");
    if (!crn_io_field_number(fields[2], CAIRN_GRID_MAX, &out->width) || !out->width ||
        !crn_io_field_number(fields[3], CAIRN_GRID_MAX, &out->height) || !out->height)
        return crn_io_fail(error, CAIRN_BAD_DATA, line,
                           "width and height of the map must be 1 to %u", CAIRN_GRID_MAX);
    cairn_status status = scenario_coordinates(fields + 4, line, out, error);
    if (status) return status;
    if (!scenario_number(fields[8], &out->length, print))
        return crn_io_fail(error, CAIRN_BAD_DATA, line,
                           "the length is not a decimal number of at least 0");
    return CAIRN_OK;
}

/* How many fields the line has; the first nine are kept. */
static uint32_t scenario_split(const crn_io_lines *lines, crn_io_field fields[SCENARIO_FIELDS])
{
    const char *at = lines->line, *end = at + lines->length;
    uint32_t count = 0;
    for (crn_io_field field; crn_io_next_field(&at, end, &field); count++)
        if (count < SCENARIO_FIELDS) fields[count] = field;
    return count;
}

/* ---- the whole ---- */

typedef struct scenario_reader {
    cairn_context *context;
    crn_io_lines lines;
    cairn_scenario *out;
    size_t capacity;
    scenario_style style;
} scenario_reader;

static bool scenario_grow(scenario_reader *reader)
{
    if (reader->out->count < reader->capacity) return true;
    size_t capacity = reader->capacity ? reader->capacity * 2 : 256;
    if (capacity > UINT32_MAX) return false;
    void *problems = crn_io_resize(reader->context, reader->out->problems,
                                   reader->capacity * sizeof(cairn_problem),
                                   crn_io_multiply(capacity, sizeof(cairn_problem)));
    if (!problems) return false;
    reader->out->problems = problems;
    reader->capacity = capacity;
    return true;
}

static cairn_status scenario_read(scenario_reader *reader, cairn_error *error)
{
    cairn_status status = scenario_version_line(&reader->lines, error);
    while (!status && crn_io_next_line(&reader->lines)) {
        crn_io_field fields[SCENARIO_FIELDS];
        uint32_t line = reader->lines.number, count = scenario_split(&reader->lines, fields);
        if (!count) continue;
        if (count != SCENARIO_FIELDS)
            return crn_io_fail(error, CAIRN_BAD_DATA, line,
                               "a problem has %u fields, but here are %u", SCENARIO_FIELDS, count);
        if (!scenario_grow(reader)) return crn_io_no_memory(error);
        scenario_print print = {0};
        cairn_scenario *out = reader->out;
        status = scenario_problem(fields, line, &out->problems[out->count], &print, error);
        if (status) return status;
        if (!out->count) scenario_keep_map_name(fields[1], out->map, sizeof out->map);
        scenario_style_add(&reader->style, &print, out->count++);
    }
    return status;
}

/* Frees the room that is not used, as cairn_scenario_free knows only the count. */
static bool scenario_shrink(scenario_reader *reader)
{
    cairn_scenario *out = reader->out;
    size_t size = sizeof(cairn_problem);
    if (out->count == reader->capacity) return true;
    void *problems =
        crn_io_resize(reader->context, out->problems, reader->capacity * size, out->count * size);
    if (!problems && out->count) return false;
    out->problems = problems;
    reader->capacity = out->count;
    return true;
}

cairn_status cairn_scenario_parse(cairn_context *context, cairn_bytes bytes, cairn_scenario *out,
                                  cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_scenario){0};
    if (!context || (!bytes.data && bytes.size))
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and data must be given");
    bytes = crn_io_skip_mark(bytes);
    scenario_reader reader = {
        .context = context, .lines = crn_io_lines_of(bytes.data, bytes.size), .out = out};
    cairn_status status = crn_io_check_text(bytes.data, bytes.size, "", error);
    if (!status) status = scenario_read(&reader, error);
    if (!status && !scenario_shrink(&reader)) status = crn_io_no_memory(error);
    if (status) {
        if (out->problems)
            crn_io_resize(context, out->problems, reader.capacity * sizeof(cairn_problem), 0);
        *out = (cairn_scenario){0};
        return status;
    }
    for (uint32_t i = 0; i < out->count; i++)
        out->problems[i].tolerance = scenario_tolerance(out->problems[i].length, &reader.style);
    return CAIRN_OK;
}

cairn_status cairn_scenario_load(cairn_context *context, const char *name, cairn_scenario *out,
                                 cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_scenario){0};
    cairn_file file;
    cairn_status status = cairn_file_read(context, name, 0, &file, error);
    if (status) return status;
    status = cairn_scenario_parse(context, (cairn_bytes){file.data, file.size}, out, error);
    cairn_file_free(context, &file);
    return status;
}

void cairn_scenario_free(cairn_context *context, cairn_scenario *scenario)
{
    if (!scenario) return;
    if (scenario->problems)
        crn_io_resize(context, scenario->problems, scenario->count * sizeof(cairn_problem), 0);
    *scenario = (cairn_scenario){0};
}

/* ---- writing ---- */

/* With eight decimals, by whole numbers: printf would ask the locale for the decimal point. */
static void scenario_put_length(crn_io_buffer *buffer, double length)
{
    uint64_t whole = (uint64_t)length;
    uint64_t part = (uint64_t)((length - (double)whole) * 1e8 + 0.5);
    if (part == 100000000) whole++, part = 0;
    crn_io_print(buffer, "%llu.%08llu\n", (unsigned long long)whole, (unsigned long long)part);
}

cairn_status cairn_scenario_format(cairn_context *context, const cairn_scenario *scenario,
                                   cairn_file *out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_file){0};
    if (!context || !scenario || (scenario->count && !scenario->problems))
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and scenario must be given");
    if (scenario->count && (!scenario->map[0] || strpbrk(scenario->map, " \t\r\n")))
        return crn_io_fail(error, CAIRN_INVALID, 0,
                           "a scenario cannot hold a map's name that is empty or has blanks");
    crn_io_buffer buffer = {.context = context};
    crn_io_print(&buffer, "version 1\n");
    for (uint32_t i = 0; i < scenario->count; i++) {
        const cairn_problem *p = &scenario->problems[i];
        if (!(p->length >= 0 && p->length <= 1e15)) {
            crn_io_discard(&buffer);
            return crn_io_fail(error, CAIRN_INVALID, 0, "the length of problem %u is no length",
                               i + 1);
        }
        crn_io_print(&buffer, "%u\t%s\t%u\t%u\t%d\t%d\t%d\t%d\t", p->bucket, scenario->map,
                     p->width, p->height, (int)p->from.x, (int)p->from.y, (int)p->to.x,
                     (int)p->to.y);
        scenario_put_length(&buffer, p->length);
    }
    return crn_io_finish(&buffer, out, error);
}
