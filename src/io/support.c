/* support.c: memory, errors, growing text and lines of libcairn-io (see support.h). */
#include "io/support.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- memory ---- */

void *crn_io_resize(cairn_context *context, void *old, size_t old_size, size_t new_size)
{
    return cairn_context_resize(context, old, old_size, new_size);
}

void *crn_io_zeros(cairn_context *context, size_t size)
{
    void *block = cairn_context_resize(context, NULL, 0, size);
    if (block) memset(block, 0, size);
    return block;
}

size_t crn_io_multiply(size_t a, size_t b)
{
    return b && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* What stands in front of a block that remembers its size, large enough to keep the block
 * aligned. */
typedef union io_block_head {
    size_t size; /* with the head */
    max_align_t align;
} io_block_head;

void *crn_io_block(cairn_context *context, void *old, size_t size)
{
    io_block_head *head = old ? (io_block_head *)old - 1 : NULL;
    if (size > SIZE_MAX - sizeof *head) return NULL;
    size += sizeof *head;
    head = cairn_context_resize(context, head, head ? head->size : 0, size);
    if (!head) return NULL;
    head->size = size;
    return head + 1;
}

void crn_io_block_free(cairn_context *context, void *block)
{
    if (!block) return;
    io_block_head *head = (io_block_head *)block - 1;
    cairn_context_resize(context, head, head->size, 0);
}

/* ---- errors ---- */

cairn_status crn_io_fail(cairn_error *error, cairn_status status, uint32_t line, const char *format,
                         ...)
{
    if (error) {
        error->status = status;
        error->line = line;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

cairn_status crn_io_no_memory(cairn_error *error)
{
    return crn_io_fail(error, CAIRN_OUT_OF_MEMORY, 0, "there is not enough memory");
}

cairn_status crn_io_check_claim(const cairn_context *context, crn_io_claim claim,
                                cairn_error *error)
{
    uint64_t most = cairn_context_file_cells(context, claim.bytes);
    if (claim.cells <= most) return CAIRN_OK;
    return crn_io_fail(error, CAIRN_OUT_OF_BUDGET, claim.line,
                       "it asks for %llu cells, but a file of its size may ask for at most %llu",
                       (unsigned long long)claim.cells, (unsigned long long)most);
}

/* ---- places ---- */

void crn_io_box(const cairn_space *space, cairn_position *low, cairn_position *high)
{
    uint32_t count = cairn_space_node_count(space);
    *low = *high = cairn_space_position(space, 0);
    for (cairn_node node = 1; node < count; node++) {
        cairn_position p = cairn_space_position(space, node);
        if (p.x < low->x) low->x = p.x;
        if (p.y < low->y) low->y = p.y;
        if (p.x > high->x) high->x = p.x;
        if (p.y > high->y) high->y = p.y;
    }
}

/* ---- growing text ---- */

/* Room for `more` bytes and a zero byte behind them. */
static bool io_buffer_reserve(crn_io_buffer *buffer, size_t more)
{
    if (buffer->failed) return false;
    if (buffer->capacity > buffer->size && more < buffer->capacity - buffer->size) return true;
    size_t need = buffer->size + more + 1;
    size_t capacity = buffer->capacity < 256 ? 256 : buffer->capacity;
    while (capacity < need && capacity <= SIZE_MAX / 2) capacity *= 2;
    void *data = need > more && capacity >= need
                     ? crn_io_resize(buffer->context, buffer->data, buffer->capacity, capacity)
                     : NULL;
    if (!data) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void crn_io_put(crn_io_buffer *buffer, const void *data, size_t size)
{
    if (!size || !io_buffer_reserve(buffer, size)) return;
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
}

void crn_io_print(crn_io_buffer *buffer, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        buffer->failed = true;
    else
        crn_io_put(buffer, text, (size_t)length);
}

void crn_io_put_milli(crn_io_buffer *buffer, int64_t milli)
{
    char text[32];
    uint64_t size = milli < 0 ? 0 - (uint64_t)milli : (uint64_t)milli;
    int length = snprintf(text, sizeof text, "%s%llu", milli < 0 ? "-" : "",
                          (unsigned long long)(size / 1000));
    uint32_t rest = (uint32_t)(size % 1000);
    if (rest) {
        length += snprintf(text + length, sizeof text - (size_t)length, ".%03u", rest);
        while (text[length - 1] == '0') length--;
    }
    crn_io_put(buffer, text, (size_t)length);
}

void crn_io_put_double(crn_io_buffer *buffer, double value)
{
    const double limit = 1e15;
    value = value > limit ? limit : value < -limit ? -limit : value == value ? value : 0;
    crn_io_put_milli(buffer, (int64_t)(value * 1000 + (value < 0 ? -0.5 : 0.5)));
}

void crn_io_discard(crn_io_buffer *buffer)
{
    if (buffer->data) crn_io_resize(buffer->context, buffer->data, buffer->capacity, 0);
    *buffer = (crn_io_buffer){.context = buffer->context};
}

cairn_status crn_io_finish(crn_io_buffer *buffer, cairn_file *out, cairn_error *error)
{
    *out = (cairn_file){0};
    bool ok = io_buffer_reserve(buffer, 0);
    /* A file's block is exactly its size and the zero byte: that is how it is freed. */
    void *data =
        ok ? crn_io_resize(buffer->context, buffer->data, buffer->capacity, buffer->size + 1)
           : NULL;
    if (!data) {
        crn_io_discard(buffer);
        return crn_io_no_memory(error);
    }
    out->data = data;
    out->size = buffer->size;
    out->data[out->size] = 0;
    *buffer = (crn_io_buffer){.context = buffer->context};
    return CAIRN_OK;
}

/* ---- lines and fields ---- */

cairn_bytes crn_io_skip_mark(cairn_bytes text)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t size = sizeof mark - 1;
    if (text.size < size || memcmp(text.data, mark, size) != 0) return text;
    return (cairn_bytes){(const char *)text.data + size, text.size - size};
}

cairn_status crn_io_check_text(const char *data, size_t size, const char *what, cairn_error *error)
{
    const char *zero = size ? memchr(data, 0, size) : NULL;
    if (!zero) return CAIRN_OK;
    crn_io_lines lines = crn_io_lines_of(data, (size_t)(zero - data) + 1);
    while (crn_io_next_line(&lines)) continue;
    return crn_io_fail(error, CAIRN_BAD_DATA, lines.number,
                       "%smalformed text: there is a zero byte in it", what);
}

crn_io_lines crn_io_lines_of(const char *data, size_t size)
{
    return (crn_io_lines){.next = data, .end = data ? data + size : NULL};
}

bool crn_io_next_line(crn_io_lines *lines)
{
    if (lines->next == lines->end) return false;
    size_t left = (size_t)(lines->end - lines->next);
    const char *newline = memchr(lines->next, '\n', left);
    lines->line = lines->next;
    lines->length = newline ? (size_t)(newline - lines->next) : left;
    lines->next = newline ? newline + 1 : lines->end;
    if (lines->length && lines->line[lines->length - 1] == '\r') lines->length--;
    if (lines->number < UINT32_MAX) lines->number++;
    return true;
}

static bool io_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool crn_io_next_field(const char **at, const char *end, crn_io_field *out)
{
    const char *p = *at;
    while (p < end && io_blank(*p)) p++;
    out->text = p;
    while (p < end && !io_blank(*p)) p++;
    out->length = (size_t)(p - out->text);
    *at = p;
    return out->length > 0;
}

bool crn_io_field_is(crn_io_field field, const char *word)
{
    return strlen(word) == field.length && !memcmp(field.text, word, field.length);
}

bool crn_io_field_number(crn_io_field field, uint32_t maximum, uint32_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < field.length; i++) {
        if (field.text[i] < '0' || field.text[i] > '9') return false;
        value = value * 10 + (uint64_t)(field.text[i] - '0');
        if (value > maximum) return false;
    }
    *out = (uint32_t)value;
    return field.length > 0;
}
