/* files.c: which names mean the same file, and what is written (see files.h). */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include "text.h"
#include "world.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finds the folder of a name; false if it cannot be read. */
static bool files_folder(const char *name, struct stat *out)
{
    char folder[4096];
    size_t length = (size_t)(text_base(name) - name);
    if (length + 2 > sizeof folder) return false;
    snprintf(folder, sizeof folder, "%.*s.", (int)length, name);
    return !stat(folder, out);
}

static bool files_same_place(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Would writing to one change the other? Devices and pipes hold nothing that could be lost. */
static bool files_same(const char *a, const char *b)
{
    struct stat first, second;
    bool first_there = !stat(a, &first), second_there = !stat(b, &second);
    if (first_there && second_there)
        return S_ISREG(first.st_mode) && files_same_place(&first, &second);
    if (first_there != second_there) return false;
    return !strcmp(text_base(a), text_base(b)) && files_folder(a, &first) &&
           files_folder(b, &second) && files_same_place(&first, &second);
}

int files_check(const command *self, const file_use *files, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < count; k++) {
            const file_use *out = &files[i], *other = &files[k];
            if (!out->name || !other->name || !out->written || (other->written && k >= i)) continue;
            if (!files_same(out->name, other->name)) continue;
            if (other->written)
                return complain_usage(self, "%s and %s would be the same file, %s", other->what,
                                      out->what, out->name);
            return complain_usage(self, "%s %s is the %s: it would be overwritten", out->what,
                                  out->name, other->what);
        }
    }
    return END_OK;
}

/* ---- writing ---- */

/* Where the file goes that is written to standard output; NULL = there is none. */
static FILE *files_output;

bool files_is_special(const char *name)
{
    struct stat info;
    return !stat(name, &info) && !S_ISREG(info.st_mode);
}

void files_take_output(const char *name)
{
    if (strcmp(name, "-") || files_output) return;
    int copy = dup(STDOUT_FILENO);
    files_output = copy < 0 ? NULL : fdopen(copy, "wb");
    fflush(stdout);
    dup2(STDERR_FILENO, STDOUT_FILENO);
}

bool files_end(void)
{
    /* Output that could not be written must not look like success. */
    bool ok = !fflush(stdout) && !ferror(stdout);
    bool lost = files_output && ferror(files_output);
    if (files_output && fclose(files_output)) lost = true; /* the last bytes go out now */
    ok = ok && !lost;
    files_output = NULL;
    if (!ok) complain("standard output cannot be written");
    return ok;
}

static cairn_status files_write_out(void *user, const void *data, size_t size)
{
    (void)user;
    bool ok = files_output && fwrite(data, 1, size, files_output) == size;
    return ok ? CAIRN_OK : CAIRN_FILE_ERROR;
}

cairn_writer files_writer(void)
{
    return (cairn_writer){files_write_out, NULL};
}

cairn_status files_try_put(const char *name, cairn_file file, cairn_error *error)
{
    return strcmp(name, "-") ? cairn_file_write(name, (cairn_bytes){file.data, file.size}, error)
                             : files_write_out(NULL, file.data, file.size);
}

int files_put(const char *name, cairn_file file)
{
    cairn_error error = {0};
    error.status = files_try_put(name, file, &error);
    return error.status ? world_complain(name, &error) : END_OK;
}

bool files_named(const char *name, const char *format)
{
    return !format && strcmp(name, "-") && !files_is_special(name);
}

cairn_status files_format_grid(const cairn_grid *grid, const char *name, const char *format,
                               cairn_file *out, cairn_error *error)
{
    char kind[32];
    snprintf(kind, sizeof kind, "-.%.24s", format ? format : "map");
    return cairn_grid_format(grid, files_named(name, format) ? name : kind, out, error);
}

int files_save(const cairn_store *store, const char *name)
{
    cairn_error error = {0};
    cairn_writer writer = files_writer();
    error.status = strcmp(name, "-") ? cairn_store_save(store, name, &error)
                                     : cairn_store_write(store, &writer);
    return error.status ? world_complain(name, &error) : END_OK;
}
