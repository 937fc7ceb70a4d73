/* grid_file.c: grids in files of any kind. How a file begins decides which reader it is for; the
 * end of a name decides which writer. A file that begins like no other kind is read as plain text.
 * If that fails, and its name is that of another kind, the error is about its beginning.
 */
#include "io/tiled.h"

#include <string.h>

static bool file_ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && !strcmp(name + length - tail, ending);
}

/* ---- reading ---- */

typedef struct load_input {
    cairn_context *context;
    const char *name; /* NULL = it has none */
    const cairn_file *file;
    const cairn_tiled_options *tiled; /* how tilesets are read; NULL = not */
} load_input;

static cairn_status load_map(load_input in, cairn_grid **out, cairn_error *error)
{
    return cairn_map_parse(in.context, (cairn_bytes){in.file->data, in.file->size}, out, error);
}

static cairn_status load_text(load_input in, cairn_grid **out, cairn_error *error)
{
    static const struct {
        const char *ending, *begins;
    } others[] = {{".png", "like a PNG"},
                  {".cairn", "like a .cairn file"},
                  {".tmx", "with '<'"},
                  {".tmj", "with '{'"},
                  {".map", "with \"type octile\""}};
    cairn_status status =
        cairn_grid_from_text(in.context, in.file->data, in.file->size, out, error);
    for (size_t i = 0; status == CAIRN_BAD_DATA && in.name && i < sizeof others / sizeof others[0];
         i++) {
        if (file_ends_with(in.name, others[i].ending))
            return crn_io_fail(error, CAIRN_BAD_DATA, 0,
                               "its name ends in %s, but it does not begin %s", others[i].ending,
                               others[i].begins);
    }
    return status;
}

static cairn_status load_png(load_input in, cairn_grid **out, cairn_error *error)
{
    return cairn_png_parse(in.context, (cairn_bytes){in.file->data, in.file->size}, NULL, out,
                           error);
}

static cairn_status load_tiled(load_input in, cairn_grid **out, cairn_error *error)
{
    return cairn_tiled_parse(in.context, (cairn_bytes){in.file->data, in.file->size}, in.tiled, out,
                             error);
}

static cairn_status load_archive(load_input in, cairn_grid **out, cairn_error *error)
{
    return crn_io_archive_grid(in.context, in.file->data, in.file->size, out, error);
}

static const struct {
    const char *start; /* the first that fits; "" fits all */
    cairn_status (*load)(load_input in, cairn_grid **out, cairn_error *error);
} load_kinds[] = {
    {"\x89PNG", load_png},
    {"\x89"
     "CRN",
     load_archive},
    {"<", load_tiled},
    {"{", load_tiled},
    {"type", load_map},
    {"", load_text},
};

static cairn_status load_any(load_input in, cairn_grid **out, cairn_error *error)
{
    size_t kind = 0, length;
    cairn_bytes bytes = crn_io_skip_mark((cairn_bytes){in.file->data, in.file->size});
    cairn_file file = {(char *)(uintptr_t)bytes.data, bytes.size};
    in.file = &file;
    while ((length = strlen(load_kinds[kind].start)) > in.file->size ||
           memcmp(in.file->data, load_kinds[kind].start, length) != 0)
        kind++;
    return load_kinds[kind].load(in, out, error);
}

cairn_status cairn_grid_parse(cairn_context *context, cairn_bytes bytes, const char *name,
                              cairn_grid **out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    if (!context || (!bytes.data && bytes.size))
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and data must be given");
    cairn_file file = {.data = bytes.size ? (char *)(uintptr_t)bytes.data : (char[1]){0},
                       .size = bytes.size};
    return load_any((load_input){context, name, &file, NULL}, out, error);
}

cairn_status cairn_grid_load(cairn_context *context, const char *name, cairn_grid **out,
                             cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    cairn_file file;
    cairn_status status = cairn_file_read(context, name, 0, &file, error);
    if (status) return status;
    cairn_tiled_options tiled = crn_tiled_beside(NULL, name);
    status = load_any((load_input){context, name, &file, &tiled}, out, error);
    cairn_file_free(context, &file);
    return status;
}

/* ---- writing ---- */

static cairn_status save_map(const cairn_grid *grid, cairn_file *out, cairn_error *error)
{
    cairn_status status = cairn_map_format(grid, out);
    return status ? crn_io_no_memory(error) : CAIRN_OK;
}

static cairn_status save_text(const cairn_grid *grid, cairn_file *out, cairn_error *error)
{
    cairn_status status = crn_io_text_format(grid, out);
    return status ? crn_io_no_memory(error) : CAIRN_OK;
}

static const struct {
    const char *ending;
    cairn_status (*format)(const cairn_grid *grid, cairn_file *out, cairn_error *error);
} save_kinds[] = {{".map", save_map},
                  {".txt", save_text},
                  {".png", cairn_grid_png},
                  {".cairn", crn_io_archive_format}};

cairn_status cairn_grid_format(const cairn_grid *grid, const char *name, cairn_file *out,
                               cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_file){0};
    if (!grid || !name) return crn_io_fail(error, CAIRN_INVALID, 0, "grid and name must be given");
    for (size_t i = 0; i < sizeof save_kinds / sizeof save_kinds[0]; i++) {
        if (file_ends_with(name, save_kinds[i].ending))
            return save_kinds[i].format(grid, out, error);
    }
    return crn_io_fail(error, CAIRN_UNSUPPORTED, 0,
                       "the name of a map must end in .map, .txt, .png or .cairn");
}

cairn_status cairn_grid_save(const cairn_grid *grid, const char *name, cairn_error *error)
{
    cairn_file file;
    if (grid && name && file_ends_with(name, ".cairn"))
        return crn_io_archive_save(grid, name, error);
    cairn_status status = cairn_grid_format(grid, name, &file, error);
    if (status) return status;
    status = cairn_file_write(name, (cairn_bytes){file.data, file.size}, error);
    cairn_file_free(cairn_grid_context(grid), &file);
    return status;
}
