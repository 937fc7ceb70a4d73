/* text.c: a grid from text, one character a cell. */
#include "world/grid.h"

typedef struct text_size {
    uint32_t width, height;
} text_size;

/* The next row: its length without the line end. */
static size_t text_row(const char *text, size_t length, size_t *next)
{
    const char *end = memchr(text, '\n', length);
    size_t row = end ? (size_t)(end - text) : length;
    *next = end ? row + 1 : row;
    if (row && text[row - 1] == '\r') row--;
    return row;
}

static cairn_status text_measure(const char *text, size_t length, text_size *size,
                                 cairn_error *error)
{
    *size = (text_size){0, 0};
    for (size_t at = 0, next; at < length; at += next) {
        size_t row = text_row(text + at, length - at, &next);
        uint32_t line = size->height + 1;
        if (row > CAIRN_GRID_MAX || line > CAIRN_GRID_MAX) {
            return crn_fail(error, CAIRN_BAD_DATA, line, "a grid has at most %u rows and columns",
                            CAIRN_GRID_MAX);
        }
        if (line == 1) size->width = (uint32_t)row;
        if (row != size->width) {
            return crn_fail(error, CAIRN_BAD_DATA, line, "this row has %u cells, the first one %u",
                            (unsigned)row, size->width);
        }
        size->height = line;
    }
    if (size->width == 0) return crn_fail(error, CAIRN_BAD_DATA, 1, "there are no cells");
    return CAIRN_OK;
}

/* Recognizes files of other kinds, so that the error names the kind instead of the first strange
 * row. */
static cairn_status text_check(const char *text, size_t length, cairn_error *error)
{
    const char *zero = memchr(text, 0, length);
    uint32_t line = 1;
    if (!zero) return CAIRN_OK;
    for (const char *at = text; at < zero; at++) line += *at == '\n';
    return crn_fail(error, CAIRN_BAD_DATA, line, "malformed text: there is a zero byte in it");
}

/* Terrain class of a character, -1 = blocked, -2 = not a cell. */
static int text_class(char c)
{
    switch (c) {
    case '.':
    case 'G':
    case ' ': return CAIRN_TERRAIN_GROUND;
    case 'S': return CAIRN_TERRAIN_SWAMP;
    case 'W': return CAIRN_TERRAIN_WATER;
    case 'T': return CAIRN_TERRAIN_TREES;
    case '#':
    case '@':
    case 'O': return -1;
    default: return -2;
    }
}

static cairn_status text_bad_cell(cairn_error *error, char c, uint32_t column, uint32_t line)
{
    if (c > ' ' && c < 127) {
        return crn_fail(error, CAIRN_BAD_DATA, line,
                        "'%c' in column %u is not a cell (. G S W T # @ O are)", c, column);
    }
    return crn_fail(error, CAIRN_BAD_DATA, line,
                    "byte %u in column %u is not a cell (. G S W T # @ O are)",
                    (unsigned)(unsigned char)c, column);
}

static cairn_status text_fill(const char *text, size_t length, uint8_t *open, uint8_t *terrain,
                              cairn_error *error)
{
    size_t cell = 0;
    uint32_t line = 1;
    for (size_t at = 0, next; at < length; at += next, line++) {
        size_t row = text_row(text + at, length - at, &next);
        for (size_t x = 0; x < row; x++, cell++) {
            int kind = text_class(text[at + x]);
            if (kind == -2) return text_bad_cell(error, text[at + x], (uint32_t)x + 1, line);
            open[cell] = kind >= 0;
            terrain[cell] = kind > 0 ? (uint8_t)kind : 0;
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_grid_from_text(cairn_context *context, const char *text, size_t length,
                                  cairn_grid **out, cairn_error *error)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!context || !text) return crn_fail(error, CAIRN_INVALID, 0, "no context or no text");
    while (length && (text[length - 1] == '\n' || text[length - 1] == '\r')) length--;
    text_size size;
    cairn_status status = text_check(text, length, error);
    if (status == CAIRN_OK) status = text_measure(text, length, &size, error);
    if (status != CAIRN_OK) return status;
    size_t cells = (size_t)size.width * size.height;
    uint8_t *planes = crn_alloc(context, cells * 2);
    if (!planes) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory to read a grid");
    status = text_fill(text, length, planes, planes + cells, error);
    if (status == CAIRN_OK) {
        cairn_grid_options options = {
            .width = size.width, .height = size.height, .open = planes, .terrain = planes + cells};
        status = cairn_grid_create(context, &options, out, error);
    }
    crn_free(context, planes, cells * 2);
    return status;
}
