/* support.h: what the files of libcairn-io share: memory, errors, growing text, lines.
 *
 * The io library stands outside the core and sees only its public headers, so it has these few
 * things of its own. Memory is the context's; the size of every block is known when it is freed.
 */
#ifndef CRN_IO_SUPPORT_H
#define CRN_IO_SUPPORT_H

#include <cairn/io.h>

#if defined(__GNUC__)
#define CRN_IO_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define CRN_IO_PRINTF(f, a)
#endif

/* Like realloc with the old size: new_size 0 frees, old NULL allocates; NULL = no memory
 * and `old` is as it was. */
void *crn_io_resize(cairn_context *context, void *old, size_t old_size, size_t new_size);

/* The same for new memory full of zeros. */
void *crn_io_zeros(cairn_context *context, size_t size);

/* a * b, or SIZE_MAX if that does not fit (no allocator gives that much). */
size_t crn_io_multiply(size_t a, size_t b);

/* Sets a cell of a plane of `cells` bytes, which is made (of zeros) for the first value in it that
 * is not 0. False = no memory. */
static inline bool crn_io_set_cell(cairn_context *context, uint8_t **plane, size_t cells,
                                   size_t cell, uint8_t value)
{
    if (!value && !*plane) return true;
    if (!*plane) *plane = crn_io_zeros(context, cells);
    if (*plane) (*plane)[cell] = value;
    return *plane != NULL;
}

/* Like crn_io_resize, for foreign libraries that do not say how large a block was: it remembers.
 * NULL may be freed. */
void *crn_io_block(cairn_context *context, void *old, size_t size);
void crn_io_block_free(cairn_context *context, void *block);

/* Fills *error (may be NULL) and returns the status. */
cairn_status crn_io_fail(cairn_error *error, cairn_status status, uint32_t line, const char *format,
                         ...) CRN_IO_PRINTF(4, 5);
cairn_status crn_io_no_memory(cairn_error *error);

/* Refuses a file of this many bytes that asks for more cells than it may, before memory is asked
 * for. */
typedef struct crn_io_claim {
    uint64_t cells;
    size_t bytes;
    uint32_t line;
} crn_io_claim;
cairn_status crn_io_check_claim(const cairn_context *context, crn_io_claim claim,
                                cairn_error *error);

/* The box round all positions of a space. */
void crn_io_box(const cairn_space *space, cairn_position *low, cairn_position *high);

/* Hexagons as wide as 1: from row to row, and from the upper point to the centre. */
#define CRN_IO_HEX_ROW 0.8660254037844386
#define CRN_IO_HEX_CENTRE 0.5773502691896258

/* Text that grows. The first failure sticks, so that only the end needs to be checked. */
typedef struct crn_io_buffer {
    cairn_context *context;
    char *data;
    size_t size, capacity;
    bool failed;
} crn_io_buffer;

void crn_io_put(crn_io_buffer *buffer, const void *data, size_t size);
void crn_io_print(crn_io_buffer *buffer, const char *format, ...) CRN_IO_PRINTF(2, 3);

/* A number of thousandths as a short decimal ("1.5", "-0.02", "7"): printf would ask the
 * locale for the decimal point. */
void crn_io_put_milli(crn_io_buffer *buffer, int64_t milli);

/* A double with up to three decimals; what is not finite or beyond 10^15 is cut to that. */
void crn_io_put_double(crn_io_buffer *buffer, double value);

void crn_io_discard(crn_io_buffer *buffer);

/* Turns the text into a file; the buffer is empty afterwards in every case. */
cairn_status crn_io_finish(crn_io_buffer *buffer, cairn_file *out, cairn_error *error);

/* As cairn_file_read, but regular files only: a pipe might block for ever, a device never end. For
 * names that come from a file or are made of another name. */
cairn_status crn_io_read_regular(cairn_context *context, const char *name, size_t limit,
                                 cairn_file *out, cairn_error *error);
cairn_status crn_io_need_regular(const char *name, cairn_error *error);

/* Does the map that a script names lie in the script's folder, or below it? (script.c) */
bool crn_script_name_fits(const char *name);

/* A text without the byte-order mark that some editors put before it. */
cairn_bytes crn_io_skip_mark(cairn_bytes text);

/* A text has no zero bytes; `what` stands before the complaint ("coordinates: "). */
cairn_status crn_io_check_text(const char *data, size_t size, const char *what, cairn_error *error);

/* Lines of a text, without their ends (LF or CR LF). */
typedef struct crn_io_lines {
    const char *next, *end;
    const char *line; /* not ended by a zero byte */
    size_t length;
    uint32_t number; /* 1-based, of `line` */
} crn_io_lines;

crn_io_lines crn_io_lines_of(const char *data, size_t size);
bool crn_io_next_line(crn_io_lines *lines);

/* The next field of a line: a run of anything but blanks and tabs. False at the end. */
typedef struct crn_io_field {
    const char *text;
    size_t length;
} crn_io_field;

bool crn_io_next_field(const char **at, const char *end, crn_io_field *out);
bool crn_io_field_is(crn_io_field field, const char *word);

/* Decimal digits only, at most `maximum`. */
bool crn_io_field_number(crn_io_field field, uint32_t maximum, uint32_t *out);

/* The rows of a grid as plain text (movingai.c). */
cairn_status crn_io_text_format(const cairn_grid *grid, cairn_file *out);

/* `.cairn` files (archive.c): the grid in one, and a file for a grid. */
cairn_status crn_io_archive_grid(cairn_context *context, const void *data, size_t size,
                                 cairn_grid **out, cairn_error *error);
cairn_status crn_io_archive_save(const cairn_grid *grid, const char *name, cairn_error *error);
cairn_status crn_io_archive_format(const cairn_grid *grid, cairn_file *out, cairn_error *error);

#endif
