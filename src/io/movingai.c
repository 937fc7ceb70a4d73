/* movingai.c: maps of the MovingAI benchmarks (`.map`), read and written.
 *
 * Only the header is parsed here: four lines, then one line of text per row. The core reads such
 * rows as plain text anyway, so they are passed to cairn_grid_from_text unchanged, after their
 * number and lengths have been compared with the header. The line of an error from there is shifted
 * to where the rows begin in the file.
 */
#include "io/support.h"

#include <string.h>

typedef struct map_header {
    uint32_t width, height; /* 0 = not seen yet */
} map_header;

/* "height 49" or "width 49". */
static cairn_status map_size_line(const crn_io_lines *lines, map_header *header, cairn_error *error)
{
    const char *at = lines->line, *end = at + lines->length;
    crn_io_field key, value, rest;
    bool two = crn_io_next_field(&at, end, &key) && crn_io_next_field(&at, end, &value);
    uint32_t *size = !two                             ? NULL
                     : crn_io_field_is(key, "height") ? &header->height
                     : crn_io_field_is(key, "width")  ? &header->width
                                                      : NULL;
    if (!size || *size || crn_io_next_field(&at, end, &rest))
        return crn_io_fail(error, CAIRN_BAD_DATA, lines->number,
                           "a line \"height N\" or \"width N\" is expected here, each once");
    if (!crn_io_field_number(value, CAIRN_GRID_MAX, size) || !*size)
        return crn_io_fail(error, CAIRN_BAD_DATA, lines->number, "%.*s must be 1 to %u",
                           (int)key.length, key.text, CAIRN_GRID_MAX);
    return CAIRN_OK;
}

static bool map_line_is(const crn_io_lines *lines, const char *first, const char *second)
{
    const char *at = lines->line, *end = at + lines->length;
    crn_io_field field;
    if (!crn_io_next_field(&at, end, &field) || !crn_io_field_is(field, first)) return false;
    if (second && (!crn_io_next_field(&at, end, &field) || !crn_io_field_is(field, second)))
        return false;
    return !crn_io_next_field(&at, end, &field);
}

static cairn_status map_parse_header(crn_io_lines *lines, map_header *header, cairn_error *error)
{
    *header = (map_header){0};
    for (int i = 0; i < 4; i++) {
        if (!crn_io_next_line(lines))
            return crn_io_fail(error, CAIRN_BAD_DATA, lines->number ? lines->number : 1,
                               "the file ends within the header (type, height, width, map)");
        if (i == 0 && !map_line_is(lines, "type", "octile"))
            return crn_io_fail(error, CAIRN_BAD_DATA, 1,
                               "a MovingAI map starts with the line \"type octile\"");
        if (i == 3 && !map_line_is(lines, "map", NULL))
            return crn_io_fail(error, CAIRN_BAD_DATA, lines->number,
                               "the line \"map\" is expected here");
        if (i == 1 || i == 2) {
            cairn_status status = map_size_line(lines, header, error);
            if (status) return status;
        }
    }
    return CAIRN_OK;
}

/* Compares number and lengths of the rows with the header; *rows_end is the end of the
 * last row's text. Empty lines after the last row are allowed, as some editors add one. */
static cairn_status map_check_rows(crn_io_lines lines, const map_header *header,
                                   const char **rows_end, cairn_error *error)
{
    uint32_t rows = 0;
    while (crn_io_next_line(&lines)) {
        if (rows == header->height) {
            if (!lines.length) continue;
            return crn_io_fail(error, CAIRN_BAD_DATA, lines.number,
                               "there are more rows than height %u says", header->height);
        }
        if (lines.length != header->width)
            return crn_io_fail(error, CAIRN_BAD_DATA, lines.number,
                               "row %u has %llu cells, but width is %u", rows,
                               (unsigned long long)lines.length, header->width);
        *rows_end = lines.next;
        rows++;
    }
    if (rows < header->height)
        return crn_io_fail(error, CAIRN_BAD_DATA, lines.number, "the file ends after %u of %u rows",
                           rows, header->height);
    return CAIRN_OK;
}

cairn_status cairn_map_parse(cairn_context *context, cairn_bytes bytes, cairn_grid **out,
                             cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    if (!context || (!bytes.data && bytes.size))
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and data must be given");

    bytes = crn_io_skip_mark(bytes);
    crn_io_lines lines = crn_io_lines_of(bytes.data, bytes.size);
    map_header header;
    cairn_status status = crn_io_check_text(bytes.data, bytes.size, "", error);
    if (!status) status = map_parse_header(&lines, &header, error);
    if (status) return status;
    const char *rows = lines.next, *rows_end = rows;
    uint32_t header_lines = lines.number;
    status = map_check_rows(lines, &header, &rows_end, error);
    if (status) return status;

    cairn_error subsearch = {0};
    status = cairn_grid_from_text(context, rows, (size_t)(rows_end - rows), out, &subsearch);
    if (status && error) {
        *error = subsearch;
        if (subsearch.line) error->line += header_lines;
    }
    return status;
}

static char map_letter(const cairn_grid *grid, int32_t x, int32_t y)
{
    if (!cairn_grid_is_open(grid, x, y)) return '@';
    switch (cairn_grid_terrain(grid, x, y)) {
    case CAIRN_TERRAIN_SWAMP: return 'S';
    case CAIRN_TERRAIN_WATER: return 'W';
    case CAIRN_TERRAIN_TREES: return 'T';
    default: return '.';
    }
}

/* The rows, each ended by '\n'. */
static void map_put_rows(crn_io_buffer *buffer, const cairn_grid *grid)
{
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid);
    char *row = crn_io_resize(buffer->context, NULL, 0, (size_t)width + 1);
    if (!row) buffer->failed = true;
    for (uint32_t y = 0; y < height && !buffer->failed; y++) {
        for (uint32_t x = 0; x < width; x++) row[x] = map_letter(grid, (int32_t)x, (int32_t)y);
        row[width] = '\n';
        crn_io_put(buffer, row, (size_t)width + 1);
    }
    if (row) crn_io_resize(buffer->context, row, (size_t)width + 1, 0);
}

cairn_status cairn_map_format(const cairn_grid *grid, cairn_file *out)
{
    if (!out) return CAIRN_INVALID;
    *out = (cairn_file){0};
    if (!grid) return CAIRN_INVALID;
    crn_io_buffer buffer = {.context = cairn_grid_context(grid)};
    crn_io_print(&buffer, "type octile\nheight %u\nwidth %u\nmap\n", cairn_grid_height(grid),
                 cairn_grid_width(grid));
    map_put_rows(&buffer, grid);
    return crn_io_finish(&buffer, out, NULL);
}

cairn_status crn_io_text_format(const cairn_grid *grid, cairn_file *out)
{
    crn_io_buffer buffer = {.context = cairn_grid_context(grid)};
    map_put_rows(&buffer, grid);
    return crn_io_finish(&buffer, out, NULL);
}
