/* file.c: whole files in and out of memory. The only place of the library that opens
 * files; everything that understands them works on memory.
 */
#include "io/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

cairn_status cairn_file_read(cairn_context *context, const char *name, size_t limit, cairn_file *out,
                             cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = (cairn_file){0};
    if (!context || !name) return crn_io_fail(error, CAIRN_INVALID, 0, "context and name must be given");
    if (!limit) limit = FILE_LIMIT;
    FILE *stream = fopen(name, "rb");
    if (!stream) return crn_io_fail(error, CAIRN_FILE_ERROR, 0, "cannot be opened: %s", strerror(errno));

    crn_io_buffer buffer = {.context = context};
    errno = 0;
    file_read_all(stream, limit, &buffer);
    int fault = ferror(stream) ? (errno ? errno : EIO) : 0;
    fclose(stream);
    if (!fault && buffer.size <= limit) return crn_io_finish(&buffer, out, error);

    crn_io_discard(&buffer);
    if (fault) return crn_io_fail(error, CAIRN_FILE_ERROR, 0, "cannot be read: %s", strerror(fault));
    return crn_io_fail(error, CAIRN_FILE_ERROR, 0, "is larger than the limit of %llu bytes",
                       (unsigned long long)limit);
}

void cairn_file_free(cairn_context *context, cairn_file *file)
{
    if (!file) return;
    if (file->data) crn_io_resize(context, file->data, file->size + 1, 0);
    *file = (cairn_file){0};
}

/* ---- writing ---- */

cairn_status crn_io_output_open(crn_io_output *output, const char *name, cairn_error *error)
{
    *output = (crn_io_output){.stream = fopen(name, "wb")};
    if (output->stream) return CAIRN_OK;
    return crn_io_fail(error, CAIRN_FILE_ERROR, 0, "cannot be written: %s", strerror(errno));
}

cairn_status crn_io_output_write(void *output, const void *data, size_t size)
{
    crn_io_output *o = output;
    if (o->fault) return CAIRN_FILE_ERROR;
    errno = 0;
    if (!size || fwrite(data, 1, size, o->stream) == size) return CAIRN_OK;
    o->fault = errno ? errno : EIO;
    return CAIRN_FILE_ERROR;
}

cairn_status crn_io_output_close(crn_io_output *output, cairn_error *error)
{
    errno = 0;
    /* The last bytes go out when the file is closed: a full disk may show only then. */
    if (fclose(output->stream) && !output->fault) output->fault = errno ? errno : EIO;
    output->stream = NULL;
    if (!output->fault) return CAIRN_OK;
    return crn_io_fail(error, CAIRN_FILE_ERROR, 0, "cannot be written: %s", strerror(output->fault));
}

cairn_status cairn_file_write(const char *name, const void *data, size_t size, cairn_error *error)
{
    if (!name || (!data && size)) return crn_io_fail(error, CAIRN_INVALID, 0, "name and data must be given");
    crn_io_output output;
    cairn_status status = crn_io_output_open(&output, name, error);
    if (status) return status;
    crn_io_output_write(&output, data, size);
    return crn_io_output_close(&output, error);
}
