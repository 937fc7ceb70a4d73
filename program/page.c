/* page.c: puts a world into the playground (see page.h).
 *
 * The page that is built holds everything but a world. The world goes in as an element just before
 * the end of the body:
 *
 *     <script type="application/octet-stream" id="world" data-name="NAME">BASE64 OF A .cairn
 *     FILE</script>
 *
 * which browsers keep and do not run. The `.cairn` file holds the grid, the agent, the query, the
 * algorithm and what happened in a simulation if the file that was read brings them; not an index,
 * which may be large and which the page can build.
 *
 * The page brings a content security policy in its head, which names the one script and the one
 * style in it by their hashes. A page without one is refused: it would run whatever got into it.
 */
#define _POSIX_C_SOURCE 200809L
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif
#include "page.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

#define PAGE_POLICY "<meta http-equiv=\"Content-Security-Policy\" content=\""
#define PAGE_END_OF_BODY "</body>"
#define PAGE_WORLD "<script type=\"application/octet-stream\" id=\"world\" data-name=\""
#define PAGE_END_OF_WORLD "</script>\n"

static const char page_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum { PAGE_PATH = 4096 };

/* ---- where the page is ---- */

/* The folder of the program, with a slash at its end; false if the system does not tell. */
static bool page_program_folder(char out[PAGE_PATH])
{
#if defined(__APPLE__)
    uint32_t size = PAGE_PATH;
    if (_NSGetExecutablePath(out, &size)) return false;
#else
    ssize_t length = readlink("/proc/self/exe", out, PAGE_PATH - 1);
    if (length <= 0) return false;
    out[length] = 0;
#endif
    char *slash = strrchr(out, '/');
    if (slash) slash[1] = 0;
    return slash;
}

/* Beside the program in the folder that it was built in; where it is installed, in the folder for
 * data. */
static int page_find(char out[PAGE_PATH])
{
    static const char *const places[] = {"share/cairn/playground.html", CAIRN_PAGE_PLACE};
    char folder[PAGE_PATH];
    struct stat info;
    bool known = page_program_folder(folder);
    for (uint32_t i = 0; known && i < 2; i++) {
        int length = snprintf(out, PAGE_PATH, "%s%s", folder, places[i]);
        if (length < PAGE_PATH && !stat(out, &info)) return END_OK;
    }
    complain("the page of the playground was not found. `./run view` builds it, and so does\n"
             "       `cmake --build BUILD --target playground`; or name the file with --page");
    return END_DATA;
}

/* ---- what is in it ---- */

/* The last place of a text in another, NULL if there is none. */
static const char *page_last(const char *data, size_t size, const char *text)
{
    size_t length = strlen(text);
    for (size_t at = size < length ? 0 : size - length + 1; at-- > 0;)
        if (!memcmp(data + at, text, length)) return data + at;
    return NULL;
}

/* Finds the policy, before anything that it must hold for; false if there is none. */
static bool page_read_policy(const char *data, char out[PAGE_POLICY_MAX])
{
    const char *found = strstr(data, PAGE_POLICY);
    const char *script = strstr(data, "<script"), *style = strstr(data, "<style");
    if (!found || (script && script < found) || (style && style < found)) return false;
    const char *start = found + sizeof PAGE_POLICY - 1;
    size_t length = strcspn(start, "\"\r\n");
    if (length >= PAGE_POLICY_MAX || start[length] != '"') return false;
    memcpy(out, start, length);
    out[length] = 0;
    return true;
}

/* Returns the beginning of a world that ends just before `end`, or `end` if there is none. Scripts
 * may mention such elements without being one, so it may hold nothing but digits. */
static const char *page_before_world(const char *data, const char *end)
{
    const char *start = page_last(data, (size_t)(end - data), PAGE_WORLD);
    if (!start) return end;
    const char *at = strchr(start + strlen(PAGE_WORLD), '"');
    if (!at || at[1] != '>') return end;
    at += 2;
    at += strspn(at, page_digits);
    at += strspn(at, "=");
    size_t length = strlen(PAGE_END_OF_WORLD);
    return !strncmp(at, PAGE_END_OF_WORLD, length) && at + length == end ? start : end;
}

/* ---- the world ---- */

/* Bytes as base64: three become four digits. */
typedef struct page_base64 {
    FILE *out;
    unsigned char held[3];
    uint32_t count;
} page_base64;

/* Fewer than three are filled up with "=". */
static void page_put_held(page_base64 *b)
{
    for (uint32_t i = b->count; i < 3; i++) b->held[i] = 0;
    uint32_t bits = (uint32_t)b->held[0] << 16 | (uint32_t)b->held[1] << 8 | b->held[2];
    for (uint32_t i = 0; i < 4; i++)
        fputc(i <= b->count ? page_digits[bits >> (18 - 6 * i) & 63] : '=', b->out);
    b->count = 0;
}

static cairn_status page_put_bytes(void *user, const void *data, size_t size)
{
    page_base64 *b = user;
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        b->held[b->count++] = bytes[i];
        if (b->count == 3) page_put_held(b);
    }
    return ferror(b->out) ? CAIRN_OUT_OF_MEMORY : CAIRN_OK;
}

/* A file may be called anything. */
static void page_put_name(const char *name, FILE *out)
{
    for (const char *p = name; *p;) {
        uint32_t length = text_character(p);
        if (strchr("&<>\"'", *p) || (unsigned char)*p < ' ' || *p == 0x7f)
            fprintf(out, "&#%u;", (unsigned)*p);
        else if (length)
            fwrite(p, 1, length, out);
        else
            fputs("&#65533;", out);
        p += length ? length : 1;
    }
}

/* Copies a section, if the file that the world came from has it. */
static cairn_status page_store_section(cairn_store *store, const cairn_archive *archive,
                                       const char *section, uint32_t element)
{
    size_t size = 0;
    const void *data = archive ? cairn_archive_section(archive, section, element, &size) : NULL;
    cairn_bytes bytes = {data, size};
    return data ? cairn_store_add(store, section, bytes, element, true) : CAIRN_OK;
}

static cairn_status page_store_agent(cairn_store *store, const cairn_archive *archive,
                                     cairn_error *error)
{
    if (!cairn_archive_has(archive, "profile")) return CAIRN_OK;
    cairn_profile profile;
    cairn_status status = cairn_archive_profile(archive, &profile, error);
    return status ? status : cairn_store_profile(store, &profile);
}

static cairn_status page_store_query(cairn_store *store, const cairn_archive *archive,
                                     cairn_error *error)
{
    if (!cairn_archive_has(archive, "query")) return CAIRN_OK;
    cairn_query query;
    cairn_status status = cairn_archive_query(archive, &query, error);
    if (!status) status = cairn_store_query(store, &query);
    return status ? status : page_store_section(store, archive, "repro.algorithm", 1);
}

/* What happened in a simulation, to be played (simulate_record.c). */
static cairn_status page_store_recording(cairn_store *store, const cairn_archive *archive)
{
    static const char *const words[] = {"sim.events", "sim.edits", "sim.frames"};
    cairn_status status = page_store_section(store, archive, "sim.options", 1);
    for (uint32_t i = 0; i < sizeof words / sizeof words[0] && !status; i++)
        status = page_store_section(store, archive, words[i], 4);
    return status;
}

static int page_put_world(const world *w, FILE *out)
{
    cairn_store *store = NULL;
    cairn_error error = {0};
    page_base64 base64 = {.out = out};
    fputs(PAGE_WORLD, out);
    page_put_name(text_base(w->name), out);
    fputs("\">", out);
    cairn_status status = cairn_store_create(w->context, &store);
    if (!status) status = cairn_store_grid(store, w->grid);
    if (!status) status = page_store_agent(store, w->archive, &error);
    if (!status) status = page_store_query(store, w->archive, &error);
    if (!status) status = page_store_recording(store, w->archive);
    if (!status) status = cairn_store_write(store, &(cairn_writer){page_put_bytes, &base64});
    cairn_store_destroy(store);
    if (base64.count) page_put_held(&base64);
    fputs(PAGE_END_OF_WORLD, out);
    error.status = status;
    return status ? world_complain(w->name, &error) : END_OK;
}

/* ---- all of it ---- */

static int page_write(const cairn_file *file, const world *w, FILE *out)
{
    const char *end = page_last(file->data, file->size, PAGE_END_OF_BODY);
    const char *before = w ? page_before_world(file->data, end) : end;
    fwrite(file->data, 1, (size_t)(before - file->data), out);
    int result = w ? page_put_world(w, out) : END_OK;
    fwrite(end, 1, file->size - (size_t)(end - file->data), out);
    return result;
}

static int page_check(page *p, const cairn_file *file, const char *name)
{
    const char *missing = !page_last(file->data, file->size, PAGE_END_OF_BODY) ? PAGE_END_OF_BODY
                          : !page_read_policy(file->data, p->policy) ? "content security policy"
                                                                     : NULL;
    if (!missing) return END_OK;
    complain("%s: not a page of the playground: it has no %s", name, missing);
    return END_DATA;
}

static int page_fill(page *p, const cairn_file *file, const char *name, const world *w)
{
    int end = page_check(p, file, name);
    if (end) return end;
    FILE *out = open_memstream(&p->data, &p->size);
    if (out) end = page_write(file, w, out);
    bool lost = !out || ferror(out);
    if (out && fclose(out)) lost = true;
    if (lost && !end) complain("%s: there is not enough memory for the page", name);
    return lost ? END_DATA : end;
}

int page_make(page *p, cairn_context *context, const char *name, const world *w)
{
    char found[PAGE_PATH];
    *p = (page){0};
    if (!name) {
        int end = page_find(found);
        if (end) return end;
        name = found;
    }
    cairn_file file;
    cairn_error error = {0};
    error.status = cairn_file_read(context, name, 0, &file, &error);
    if (error.status) return world_complain(name, &error);
    int end = page_fill(p, &file, name, w);
    cairn_file_free(context, &file);
    return end;
}

void page_free(page *p)
{
    free(p->data);
    *p = (page){0};
}
