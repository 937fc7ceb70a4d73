/* file.c: whole files in and out of memory. Here and in output.c alone the library opens files;
 * everything that understands them works on memory.
 */
#if defined(__unix__) || defined(__APPLE__)
#define FILE_POSIX 1
#define _POSIX_C_SOURCE 200809L
#else
#define FILE_POSIX 0
#endif
#include "io/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#if FILE_POSIX
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#define FILE_LIMIT ((size_t)INT32_MAX) /* the largest map and its line ends */

/* Reads until the end or until one byte more than `limit` is there. */
static void file_read_all(FILE *stream, size_t limit, crn_io_buffer *buffer)
{
    char chunk[16384];
    while (buffer->size <= limit && !buffer->failed) {
        size_t got = fread(chunk, 1, sizeof chunk, stream);
        if (!got) break;
        crn_io_put(buffer, chunk, got);
    }
}

cairn_status cairn_file_read(cairn_context *context, const char *name, size_t limit,
                             cairn_file *out, cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_file){0};
    if (!context || !name)
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and name must be given");
    if (!limit) limit = FILE_LIMIT;
    FILE *stream = fopen(name, "rb");
    if (!stream)
        return crn_io_fail(error, CAIRN_FILE_ERROR, 0, "cannot be opened: %s", strerror(errno));

    crn_io_buffer buffer = {.context = context};
    errno = 0;
    file_read_all(stream, limit, &buffer);
    int fault = ferror(stream) ? (errno ? errno : EIO) : 0;
    fclose(stream);
    if (!fault && buffer.size <= limit) return crn_io_finish(&buffer, out, error);

    crn_io_discard(&buffer);
    if (fault)
        return crn_io_fail(error, CAIRN_FILE_ERROR, 0, "cannot be read: %s", strerror(fault));
    return crn_io_fail(error, CAIRN_FILE_ERROR, 0, "is larger than the limit of %llu bytes",
                       (unsigned long long)limit);
}

cairn_status crn_io_need_regular(const char *name, cairn_error *error)
{
    if (!crn_io_is_special(name)) return CAIRN_OK;
    return crn_io_fail(error, CAIRN_FILE_ERROR, 0, "cannot be read: it is no regular file");
}

cairn_status crn_io_read_regular(cairn_context *context, const char *name, size_t limit,
                                 cairn_file *out, cairn_error *error)
{
    cairn_status status = crn_io_need_regular(name, error);
    return status ? status : cairn_file_read(context, name, limit, out, error);
}

void cairn_file_free(cairn_context *context, cairn_file *file)
{
    if (!file) return;
    if (file->data) crn_io_resize(context, file->data, file->size + 1, 0);
    *file = (cairn_file){0};
}

/* ---- writing ---- */

cairn_status cairn_file_write(const char *name, cairn_bytes bytes, cairn_error *error)
{
    if (!name || (!bytes.data && bytes.size))
        return crn_io_fail(error, CAIRN_INVALID, 0, "name and data must be given");
    crn_io_output output;
    cairn_status status = crn_io_output_open(&output, name, error);
    if (status) return status;
    crn_io_output_write(&output, bytes.data, bytes.size);
    return crn_io_output_close(&output, error);
}

cairn_status cairn_store_save(const cairn_store *store, const char *name, cairn_error *error)
{
    if (!store || !name)
        return crn_io_fail(error, CAIRN_INVALID, 0, "store and name must be given");
    crn_io_output output;
    cairn_status status = crn_io_output_open(&output, name, error);
    if (status) return status;
    cairn_writer writer = {crn_io_output_write, &output};
    status = cairn_store_write(store, &writer);
    if (!status || output.fault) return crn_io_output_close(&output, error);
    crn_io_output_drop(&output);
    return crn_io_fail(error, status, 0, "cannot be written: %s", cairn_status_text(status));
}

/* ---- mapping ---- */

#if FILE_POSIX
/* False if the file is nothing that can be mapped: then it is read, and reading says what is
 * wrong. */
static bool file_try_map(const char *name, cairn_mapping *out)
{
    int file = open(name, O_RDONLY);
    if (file < 0) return false;
    struct stat about;
    void *data = MAP_FAILED;
    bool fits = !fstat(file, &about) && S_ISREG(about.st_mode) && about.st_size > 0 &&
                (uintmax_t)about.st_size <= PTRDIFF_MAX;
    if (fits) data = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file); /* the mapping stays */
    if (data == MAP_FAILED) return false;
    *out = (cairn_mapping){data, (size_t)about.st_size, true};
    return true;
}
#endif

cairn_status cairn_file_map(cairn_context *context, const char *name, cairn_mapping *out,
                            cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_mapping){0};
    if (!context || !name)
        return crn_io_fail(error, CAIRN_INVALID, 0, "context and name must be given");
#if FILE_POSIX
    if (file_try_map(name, out)) return CAIRN_OK;
#endif
    cairn_file file;
    cairn_status status = cairn_file_read(context, name, 0, &file, error);
    if (!status) *out = (cairn_mapping){file.data, file.size, false};
    return status;
}

void cairn_file_unmap(cairn_context *context, cairn_mapping *mapping)
{
    if (!mapping) return;
    void *data = (void *)(uintptr_t)mapping->data;
#if FILE_POSIX
    if (mapping->mapped) munmap(data, mapping->size);
#endif
    cairn_file file = {mapping->mapped ? NULL : data, mapping->size};
    cairn_file_free(context, &file);
    *mapping = (cairn_mapping){0};
}
