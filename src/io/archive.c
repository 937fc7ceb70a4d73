/* archive.c: `.cairn` files: archives that hold the file they are in, and grids alone. */
#include "io/support.h"

#include <string.h>

/* What an archive from a file holds until it is closed. */
typedef struct archive_hold {
    cairn_context *context;
    cairn_mapping mapping;
} archive_hold;

static void archive_release(void *user)
{
    archive_hold *hold = user;
    cairn_context *context = hold->context;
    cairn_file_unmap(context, &hold->mapping);
    crn_io_resize(context, hold, sizeof *hold, 0);
}

cairn_status cairn_archive_load(cairn_context *context, const char *name, uint32_t flags,
                                cairn_archive **out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    if (!context || !name)
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and name must be given");
    archive_hold *hold = crn_io_zeros(context, sizeof *hold);
    if (!hold) return crn_io_no_memory(error);
    hold->context = context;
    cairn_status status = cairn_file_map(context, name, &hold->mapping, error);
    if (!status)
        status = cairn_archive_open(context, (cairn_bytes){hold->mapping.data, hold->mapping.size},
                                    flags, out, error);
    if (status)
        archive_release(hold);
    else
        cairn_archive_on_close(*out, archive_release, hold);
    return status;
}

cairn_status crn_io_archive_grid(cairn_context *context, const void *data, size_t size,
                                 cairn_grid **out, cairn_error *error)
{
    cairn_archive *archive;
    cairn_status status =
        cairn_archive_open(context, (cairn_bytes){data, size}, 0, &archive, error);
    if (!status) status = cairn_archive_grid(archive, out, error);
    cairn_archive_close(archive);
    return status;
}

static cairn_status archive_of_grid(const cairn_grid *grid, cairn_store **store, cairn_error *error)
{
    cairn_status status = cairn_store_create(cairn_grid_context(grid), store);
    if (!status) status = cairn_store_grid(*store, grid);
    return status ? crn_io_no_memory(error) : CAIRN_OK;
}

cairn_status crn_io_archive_save(const cairn_grid *grid, const char *name, cairn_error *error)
{
    cairn_store *store = NULL;
    cairn_status status = archive_of_grid(grid, &store, error);
    if (!status) status = cairn_store_save(store, name, error);
    cairn_store_destroy(store);
    return status;
}

static cairn_status archive_put(void *buffer, const void *data, size_t size)
{
    crn_io_put(buffer, data, size);
    return ((crn_io_buffer *)buffer)->failed ? CAIRN_OUT_OF_MEMORY : CAIRN_OK;
}

cairn_status crn_io_archive_format(const cairn_grid *grid, cairn_file *out, cairn_error *error)
{
    crn_io_buffer buffer = {.context = cairn_grid_context(grid)};
    cairn_writer writer = {archive_put, &buffer};
    cairn_store *store = NULL;
    cairn_status status = archive_of_grid(grid, &store, error);
    if (!status && cairn_store_write(store, &writer)) status = crn_io_no_memory(error);
    cairn_store_destroy(store);
    if (!status) return crn_io_finish(&buffer, out, error);
    crn_io_discard(&buffer);
    return status;
}
