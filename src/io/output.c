/* output.c: files appear whole or not at all.
 *
 * All that the library and the program write goes through here. What is written goes to a file
 * beside the one that is meant, in the same folder. When all of it is on the disk, that file is
 * renamed, which puts it in the place of the old one at once. So at every moment, whatever fails,
 * and however many write at a time, there is the old file or a new one, never a mixture.
 *
 * Until then the new file has no name at all, where the system can do that (O_TMPFILE of Linux):
 * nothing is left of it when the process is ended. Elsewhere it has a temporary name that no other
 * file has: it is created exclusively, so it is never somebody else's, nor a link to somewhere.
 *
 * A link is followed: it stays a link, and the file that it leads to is replaced. A file keeps its
 * permissions; one that must not be written is not replaced either. Devices and pipes are written
 * in place.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#elif defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#endif
#if defined(__unix__) || defined(__APPLE__)
#define OUTPUT_POSIX 1
#else
#define OUTPUT_POSIX 0
#endif
#include "io/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#if OUTPUT_POSIX
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#define OUTPUT_TRIES 1000u
#define OUTPUT_STEM 180u /* so much of the name is in the temporary one: names have 255 at most */
#define OUTPUT_LINKS 40u /* more of them, one after the other, are a ring */

static cairn_status output_fail(cairn_error *error, int fault)
{
    return crn_io_fail(error, CAIRN_FILE_ERROR, 0, "cannot be written: %s", strerror(fault));
}

/* The length of the folder's part of a name, with its last slash. */
static size_t output_folder(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? (size_t)(slash - name) + 1 : 0;
}

/* The number-th temporary name. */
static void output_rename(crn_io_output *output, uint32_t number)
{
    size_t folder = output_folder(output->name);
#if OUTPUT_POSIX
    long process = (long)getpid();
#else
    long process = 0;
#endif
    snprintf(output->temporary, CRN_IO_NAME, "%.*s%.*s.%ld-%u.tmp", (int)folder, output->name,
             (int)OUTPUT_STEM, output->name + folder, process, number);
}

#if OUTPUT_POSIX
/* Replaces a name by what the link of that name leads to, if it is one; 0 or an error. */
static int output_resolve(char name[CRN_IO_NAME])
{
    char target[CRN_IO_NAME];
    for (uint32_t links = 0; links < OUTPUT_LINKS; links++) {
        ssize_t length = readlink(name, target, sizeof target - 1);
        if (length < 0) return 0; /* no link, or nothing yet */
        target[length] = 0;
        size_t folder = target[0] == '/' ? 0 : output_folder(name);
        if (folder + (size_t)length >= CRN_IO_NAME) return ENAMETOOLONG;
        memcpy(name + folder, target, (size_t)length + 1);
    }
    return ELOOP;
}

/* A file without a name in the same folder, or -1. /proc gives it its name later. */
static int output_nameless(const crn_io_output *output)
{
#if defined(O_TMPFILE)
    char folder[CRN_IO_NAME];
    snprintf(folder, sizeof folder, "%.*s.", (int)output_folder(output->name), output->name);
    if (access("/proc/self/fd", X_OK)) return -1;
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#else
    (void)output;
    return -1;
#endif
}

static int output_named(crn_io_output *output)
{
    for (uint32_t i = 0; i < OUTPUT_TRIES; i++) {
        output_rename(output, i);
        int file = open(output->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

/* Opens the stream that is written to; 0 or an error. */
static int output_create(crn_io_output *output, bool named)
{
    struct stat old;
    bool there = !stat(output->name, &old);
    if (there && access(output->name, W_OK)) return errno;
    int file = named ? -1 : output_nameless(output);
    output->nameless = file >= 0;
    if (file < 0) file = output_named(output);
    if (file < 0) return errno;
    if (there) fchmod(file, old.st_mode & 0777); /* where it cannot, it has those of a new file */
    output->stream = fdopen(file, "wb");
    if (output->stream) return 0;
    int fault = errno;
    close(file);
    if (!output->nameless) unlink(output->temporary);
    return fault;
}

/* Gives a nameless file a temporary name: it can be renamed, but not take the place of another. */
static int output_link(crn_io_output *output, int file)
{
    char place[64];
    snprintf(place, sizeof place, "/proc/self/fd/%d", file);
    for (uint32_t i = 0; i < OUTPUT_TRIES; i++) {
        output_rename(output, i);
        if (!linkat(AT_FDCWD, place, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW)) {
            output->nameless = false;
            return 0;
        }
        if (errno != EEXIST) break;
    }
    return errno;
}

/* All that was written is on the disk, and has a name; 0 or an error. */
static int output_settle(crn_io_output *output)
{
    int file = fileno(output->stream);
    if (fflush(output->stream) || fsync(file)) return errno ? errno : EIO;
    return output->nameless ? output_link(output, file) : 0;
}

/* So that the new name is not forgotten either; if that fails, the old or the new file is there. */
static void output_sync_folder(const crn_io_output *output)
{
    char folder[CRN_IO_NAME];
    snprintf(folder, sizeof folder, "%.*s.", (int)output_folder(output->name), output->name);
    int file = open(folder, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
}
#else
static int output_resolve(char name[CRN_IO_NAME])
{
    (void)name;
    return 0;
}

static int output_create(crn_io_output *output, bool named)
{
    (void)named;
    for (uint32_t i = 0; i < OUTPUT_TRIES && !output->stream; i++) {
        output_rename(output, i);
        output->stream = fopen(output->temporary, "wbx");
    }
    return output->stream ? 0 : errno ? errno : EIO;
}

static int output_settle(crn_io_output *output)
{
    return fflush(output->stream) ? errno ? errno : EIO : 0;
}

static void output_sync_folder(const crn_io_output *output)
{
    (void)output;
}
#endif

bool crn_io_is_special(const char *name)
{
#if OUTPUT_POSIX
    struct stat about;
    return !stat(name, &about) && !S_ISREG(about.st_mode);
#else
    (void)name;
    return false;
#endif
}

/* /dev/stdout and the like may lead to a file that somebody else has open: it stays theirs. */
static bool output_is_stream(const char *name)
{
    return !strncmp(name, "/dev/", 5) || !strncmp(name, "/proc/", 6);
}

static cairn_status output_open(crn_io_output *output, const char *name, bool named,
                                cairn_error *error)
{
    *output = (crn_io_output){0};
    if (strlen(name) >= CRN_IO_NAME - 64) return output_fail(error, ENAMETOOLONG);
    memcpy(output->name, name, strlen(name) + 1);
    output->in_place = crn_io_is_special(name) || output_is_stream(name);
    errno = 0;
    int fault;
    if (output->in_place) {
        output->stream = fopen(name, "wb");
        fault = output->stream ? 0 : errno;
    } else {
        fault = output_resolve(output->name);
        if (!fault) fault = output_create(output, named);
    }
    return fault ? output_fail(error, fault) : CAIRN_OK;
}

cairn_status crn_io_output_open(crn_io_output *output, const char *name, cairn_error *error)
{
    return output_open(output, name, false, error);
}

cairn_status crn_io_output_open_named(crn_io_output *output, const char *name, cairn_error *error)
{
    return output_open(output, name, true, error);
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

void crn_io_output_drop(crn_io_output *output)
{
    fclose(output->stream);
    output->stream = NULL;
    if (!output->in_place && !output->nameless) remove(output->temporary);
}

cairn_status crn_io_output_close(crn_io_output *output, cairn_error *error)
{
    errno = 0;
    if (!output->fault && !output->in_place) output->fault = output_settle(output);
    if (output->fault) {
        crn_io_output_drop(output);
        return output_fail(error, output->fault);
    }
    /* The last bytes go out when the file is closed: a full disk may show only then. */
    if (fclose(output->stream)) output->fault = errno ? errno : EIO;
    output->stream = NULL;
    if (!output->in_place) {
#if !OUTPUT_POSIX
        /* there no file can be given the name of one that exists */
        if (!output->fault) remove(output->name);
#endif
        if (!output->fault && rename(output->temporary, output->name)) output->fault = errno;
        if (output->fault) remove(output->temporary);
        output_sync_folder(output);
    }
    return output->fault ? output_fail(error, output->fault) : CAIRN_OK;
}
