/* glue.c: the module itself: context, memory, errors, output, and the registry as JSON. */
#include "glue.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

glue_state glue;

/* ---- start and memory ---- */

/* `cells`: how many a short file may ask for; 0 = default. */
GLUE_EXPORT("glue_start") cairn_status glue_start(uint32_t cells)
{
    cairn_context_options options = cairn_context_defaults();
    options.file_cells = cells;
    return cairn_context_create(&options, &glue.context);
}

GLUE_EXPORT("glue_version") const char *glue_version(void)
{
    return cairn_version();
}

GLUE_EXPORT("glue_numbers") double *glue_numbers(void)
{
    return glue.numbers;
}

GLUE_EXPORT("glue_resize") void *glue_resize(void *old, size_t old_size, size_t new_size)
{
    return cairn_context_resize(glue.context, old, old_size, new_size);
}

/* Numbers: bytes, peak, allocations. */
GLUE_EXPORT("glue_memory") void glue_memory(void)
{
    cairn_memory memory = cairn_context_memory(glue.context);
    glue.numbers[0] = (double)memory.bytes;
    glue.numbers[1] = (double)memory.peak_bytes;
    glue.numbers[2] = (double)memory.allocations;
}

/* ---- errors ---- */

void glue_begin(void)
{
    glue.error = (cairn_error){0};
}

cairn_status glue_fail(cairn_status status, const char *text)
{
    glue.error = (cairn_error){.status = status};
    snprintf(glue.error.text, sizeof glue.error.text, "%s", text);
    return status;
}

cairn_status glue_check(cairn_status status)
{
    if (!status || (glue.error.status == status && glue.error.text[0])) return status;
    return glue_fail(status, status == CAIRN_OUT_OF_MEMORY ? "there is not enough memory"
                                                           : cairn_status_text(status));
}

/* Numbers: status, line; returns the sentence. */
GLUE_EXPORT("glue_error") const char *glue_error(void)
{
    glue.numbers[0] = glue.error.status;
    glue.numbers[1] = glue.error.line;
    return glue.error.text;
}

/* ---- output ---- */

void glue_put(glue_bytes *bytes, const void *data, size_t size)
{
    if (bytes->failed) return;
    if (size > bytes->capacity - bytes->size) {
        size_t capacity = bytes->capacity ? bytes->capacity : 256;
        while (capacity - bytes->size < size) {
            if (capacity > SIZE_MAX / 2) {
                bytes->failed = true;
                return;
            }
            capacity *= 2;
        }
        void *data_now = glue_resize(bytes->data, bytes->capacity, capacity);
        if (!data_now) {
            bytes->failed = true;
            return;
        }
        bytes->data = data_now;
        bytes->capacity = capacity;
    }
    if (size) memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void glue_clear(glue_bytes *bytes)
{
    if (bytes->data) glue_resize(bytes->data, bytes->capacity, 0);
    *bytes = (glue_bytes){0};
}

void glue_print(const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length < 0 || (size_t)length >= sizeof text)
        glue.output.failed = true;
    else
        glue_put(&glue.output, text, (size_t)length);
}

void glue_print_text(const char *text)
{
    if (!text) {
        glue_print("null");
        return;
    }
    glue_print("\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c < 32)
            glue_print("\\u%04x", c);
        else
            glue_put(&glue.output, text, 1);
    }
    glue_print("\"");
}

GLUE_EXPORT("glue_output_begin") void glue_output_begin(void)
{
    glue_clear(&glue.output);
}

cairn_status glue_output_finish(void)
{
    if (!glue.output.failed) return CAIRN_OK;
    glue_output_begin();
    return glue_check(CAIRN_OUT_OF_MEMORY);
}

void glue_output_take(cairn_file *file)
{
    glue_output_begin();
    glue.output =
        (glue_bytes){.data = (uint8_t *)file->data, .size = file->size, .capacity = file->size + 1};
    *file = (cairn_file){0};
}

static cairn_status output_write(void *user, const void *data, size_t size)
{
    (void)user;
    glue_put(&glue.output, data, size);
    return glue.output.failed ? CAIRN_OUT_OF_MEMORY : CAIRN_OK;
}

cairn_writer glue_output_writer(void)
{
    return (cairn_writer){.write = output_write};
}

GLUE_EXPORT("glue_output") const void *glue_output(void)
{
    return glue.output.data;
}

GLUE_EXPORT("glue_output_size") size_t glue_output_size(void)
{
    return glue.output.size;
}

/* ---- progress ---- */

__attribute__((import_module("cairn"), import_name("progress"))) int32_t glue_report(double done,
                                                                                     double total);

static bool progress_report(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    return glue_report((double)done, (double)total) != 0;
}

const cairn_progress *glue_progress(bool wanted)
{
    static const cairn_progress progress = {.report = progress_report};
    return wanted ? &progress : NULL;
}

/* ---- the registry ---- */

static void registry_bits(const char *name, uint32_t bits, const char *const *words)
{
    glue_print(",\"%s\":[", name);
    const char *comma = "";
    for (uint32_t i = 0; words[i]; i++) {
        if (!(bits >> i & 1u)) continue;
        glue_print("%s\"%s\"", comma, words[i]);
        comma = ",";
    }
    glue_print("]");
}

static void registry_parameter(const cairn_parameter *parameter)
{
    static const char *const types[] = {"integer", "number", "choice"};
    double unit = parameter->type == CAIRN_PARAMETER_NUMBER ? 256 : 1;
    glue_print("{\"name\":");
    glue_print_text(parameter->name);
    glue_print(",\"summary\":");
    glue_print_text(parameter->summary);
    glue_print(
        ",\"type\":\"%s\",\"minimum\":%.17g,\"maximum\":%.17g,\"default\":", types[parameter->type],
        (double)parameter->minimum / unit, (double)parameter->maximum / unit);
    if (parameter->type != CAIRN_PARAMETER_CHOICE) {
        glue_print("%.17g}", (double)parameter->default_value / unit);
        return;
    }
    glue_print_text(parameter->choices[parameter->default_value]);
    for (uint32_t i = 0; parameter->choices[i]; i++) {
        glue_print(i ? "," : ",\"choices\":[");
        glue_print_text(parameter->choices[i]);
    }
    glue_print("]}");
}

static void registry_flags(uint32_t flags)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } names[] = {{CAIRN_OPTIMAL, "optimal"},         {CAIRN_BOUNDED, "bounded"},
                 {CAIRN_ANY_ANGLE, "anyAngle"},      {CAIRN_NEEDS_INDEX, "needsIndex"},
                 {CAIRN_REPAIRS, "repairs"},         {CAIRN_FILTERS, "filters"},
                 {CAIRN_TERRAIN, "terrain"},         {CAIRN_MANY_GOALS, "manyGoals"},
                 {CAIRN_NO_GOAL, "noGoal"},          {CAIRN_PIECES, "pieces"},
                 {CAIRN_BACKGROUND, "background"},   {CAIRN_SLICES, "slices"},
                 {CAIRN_ANYTIME, "anytime"},         {CAIRN_NEXT_MOVE, "nextMove"},
                 {CAIRN_EXPONENTIAL, "exponential"}, {CAIRN_MAY_BE_TRAPPED, "mayBeTrapped"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        glue_print("%s\"%s\":%s", i ? "," : "{", names[i].name,
                   flags & names[i].bit ? "true" : "false");
    glue_print("}");
}

static const char *const registry_worlds[] = {"grid", "graph", NULL};
static const char *const registry_neighbours[] = {"4", "8", "hex", NULL};
static const char *const registry_corners[] = {"never", "one", "always", NULL};
static const char *const registry_layouts[] = {"square", "hex", NULL};

static void registry_algorithm(const cairn_algorithm *algorithm)
{
    static const char *const kinds[] = {"planner", "navigator"};
    const char *const texts[][2] = {
        {"name", algorithm->name},       {"aliases", algorithm->aliases},
        {"summary", algorithm->summary}, {"source", algorithm->source},
        {"family", algorithm->family},   {"kind", kinds[algorithm->kind]}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        glue_print("%s\"%s\":", i ? "," : "{", texts[i][0]);
        glue_print_text(texts[i][1]);
    }
    glue_print(",\"flags\":");
    registry_flags(algorithm->flags);
    registry_bits("worlds", algorithm->worlds, registry_worlds);
    registry_bits("neighbours", algorithm->neighbourhoods, registry_neighbours);
    registry_bits("corners", algorithm->corners, registry_corners);
    glue_print(",\"parameters\":[");
    for (uint32_t i = 0; i < algorithm->parameter_count; i++) {
        if (i) glue_print(",");
        registry_parameter(&algorithm->parameters[i]);
    }
    glue_print("]}");
}

static void registry_generator(const cairn_generator_info *info)
{
    glue_print("{\"name\":");
    glue_print_text(info->name);
    glue_print(",\"summary\":");
    glue_print_text(info->summary);
    glue_print(",\"width\":%u,\"height\":%u,\"connected\":%s,\"parameters\":[", info->width,
               info->height, info->connected ? "true" : "false");
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        const cairn_generator_parameter *parameter = &info->parameters[i];
        glue_print(i ? ",{\"name\":" : "{\"name\":");
        glue_print_text(parameter->name);
        glue_print(",\"summary\":");
        glue_print_text(parameter->summary);
        glue_print(",\"minimum\":%u,\"maximum\":%u,\"default\":%u}", parameter->minimum,
                   parameter->maximum, parameter->default_value);
    }
    glue_print("]}");
}

typedef const char *registry_name(uint32_t i);

static const char *registry_event(uint32_t i)
{
    return cairn_event_name((cairn_event_kind)i);
}
static const char *registry_colouring(uint32_t i)
{
    return cairn_colouring_name((cairn_colouring)i);
}
static const char *registry_heuristic(uint32_t i)
{
    return cairn_heuristic_name((cairn_heuristic)i);
}
static const char *registry_status(uint32_t i)
{
    return cairn_status_text((cairn_status)i);
}
static const char *registry_reason(uint32_t i)
{
    return cairn_reason_text((cairn_reason)i);
}

static const char *registry_overlay(uint32_t i)
{
    static const char *const names[CAIRN_OVERLAY_KIND_COUNT] = {"area", "border", "node", "edge"};
    return names[i];
}

static void registry_list(const char *name, registry_name *name_of, uint32_t count)
{
    glue_print(",\"%s\":[", name);
    for (uint32_t i = 0; i < count; i++) {
        if (i) glue_print(",");
        glue_print_text(name_of(i));
    }
    glue_print("]");
}

static const char *registry_replan(uint32_t i)
{
    return cairn_replan_name((cairn_replan)i);
}
static const char *registry_move(uint32_t i)
{
    return cairn_move_name((cairn_move_kind)i);
}
static const char *registry_action(uint32_t i)
{
    return cairn_script_action_name((cairn_script_action)i);
}

static void registry_colours(void)
{
    glue_print(",\"colours\":[");
    for (uint32_t i = 0; i <= 256; i++) {
        cairn_png_colour colour = cairn_png_default(i > 0, (uint8_t)(i - 1));
        glue_print("%s[%u,%u,%u]", i ? "," : "", colour.red, colour.green, colour.blue);
    }
    glue_print("]");
}

/* Output: the registry as JSON. */
GLUE_EXPORT("glue_registry") cairn_status glue_registry(void)
{
    glue_begin();
    glue_output_begin();
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        glue_print(i ? "," : "{\"algorithms\":[");
        registry_algorithm(cairn_algorithm_at(i));
    }
    for (uint32_t i = 0; i < CAIRN_GENERATE_COUNT; i++) {
        glue_print(i ? "," : "],\"generators\":[");
        registry_generator(cairn_generator_about((cairn_generator_kind)i));
    }
    glue_print("]");
    registry_list("events", registry_event, CAIRN_EVENT_KIND_COUNT);
    registry_list("overlays", registry_overlay, CAIRN_OVERLAY_KIND_COUNT);
    registry_list("colourings", registry_colouring, CAIRN_COLOUR_COUNT);
    registry_list("heuristics", registry_heuristic, CAIRN_HEURISTIC_COUNT);
    registry_list("statuses", registry_status, CAIRN_STATUS_COUNT);
    registry_list("reasons", registry_reason, CAIRN_REASON_COUNT);
    registry_list("replans", registry_replan, CAIRN_REPLAN_COUNT);
    registry_list("moves", registry_move, CAIRN_MOVE_COUNT);
    registry_list("scriptActions", registry_action, CAIRN_SCRIPT_ACTION_COUNT);
    registry_list("terrains", cairn_terrain_name, CAIRN_TERRAIN_FREE);
    registry_bits("neighbours", UINT32_MAX, registry_neighbours);
    registry_bits("corners", UINT32_MAX, registry_corners);
    registry_bits("layouts", UINT32_MAX, registry_layouts);
    registry_colours();
    glue_print(",\"limits\":{\"gridMax\":%u,\"radiusMax\":%.17g,\"footprintMax\":%u,\"noNode\":%u,"
               "\"noCost\":%u,\"sensorMax\":%u,\"fileCells\":%llu}}",
               CAIRN_GRID_MAX, CAIRN_RADIUS_MAX, CAIRN_FOOTPRINT_MAX, CAIRN_NO_NODE, CAIRN_NO_COST,
               CAIRN_SENSOR_MAX, (unsigned long long)cairn_context_file_cells(glue.context, 0));
    return glue_output_finish();
}
