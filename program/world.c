/* world.c: loading worlds, and what all commands say about them (see world.h). */
#define _POSIX_C_SOURCE 200809L
#include "world.h"

#include "algorithms.h"
#include "files.h"
#include "text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A fault of the library itself, found in a build that keeps its checks. */
static void world_check_failed(void *user, const char *file, int line, const char *text)
{
    (void)user;
    fflush(stdout);
    complain("%s:%d: a check inside the library failed: %s", file, line, text);
    abort();
}

cairn_context *world_context(uint32_t threads)
{
    cairn_context_options options = cairn_context_defaults();
    options.workers = threads > 1 ? threads : 0;
    options.fail = world_check_failed;
    options.file_cells = args_max_cells();
    cairn_context *context = NULL;
    if (cairn_context_create(&options, &context)) complain("there is not enough memory to begin");
    return context;
}

int world_complain(const char *name, const cairn_error *error)
{
    const char *hint = error->status == CAIRN_OUT_OF_BUDGET ? " (--max-cells raises that)" : "";
    const char *text = error->text[0] ? error->text : cairn_status_text(error->status);
    if (error->line)
        complain("%s:%u: %s%s", name, error->line, text, hint);
    else
        complain("%s: %s%s", name, text, hint);
    return END_DATA;
}

int world_complain_no_grid(const command *self, const world *w, const char *need)
{
    return complain_usage(self, "%s: expected a grid, but %s is a %s", need, w->name,
                          world_kind_of(w)->name);
}

/* ---- loading ---- */

/* The kind of world that a file which is no archive holds. DIMACS lines start with c (comment) or
 * p (problem), which are no cells of a map. What is called .cairn is taken for an archive: if its
 * beginning is damaged, that is what must be said. */
static const world_kind *world_kind_by_head(const char *name, cairn_bytes bytes)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char *head = bytes.data;
    if (text_ends_with(name, ".cairn") || cairn_archive_begins(bytes)) return NULL;
    if (bytes.size > 3 && !memcmp(head, mark, 3)) head += 3, bytes.size -= 3;
    bool graph = bytes.size > 1 && (head[0] == 'c' || head[0] == 'p') && head[1] &&
                 strchr(" \t\r\n", head[1]);
    return graph ? &world_kind_graph : &world_kind_grid;
}

static const world_kind *world_file_kind(const char *name)
{
    char head[8] = "";
    FILE *stream = fopen(name, "rb");
    size_t got = stream ? fread(head, 1, sizeof head, stream) : 0;
    if (stream) fclose(stream);
    return world_kind_by_head(name, (cairn_bytes){head, got});
}

static cairn_status world_unpack(world *w, cairn_error *error)
{
    for (uint32_t i = 0; world_kinds[i]; i++) {
        if (cairn_archive_has(w->archive, world_kinds[i]->section))
            return world_kinds[i]->unpack(w, error);
    }
    return CAIRN_OK;
}

static cairn_status world_read_archive(world *w, cairn_error *error)
{
    cairn_status status = cairn_archive_load(w->context, w->name, 0, &w->archive, error);
    return status ? status : world_unpack(w, error);
}

/* What can be read only once: kept in memory, and looked at there. */
static cairn_status world_read_pipe(world *w, cairn_error *error)
{
    cairn_status status = cairn_file_read(w->context, w->name, 0, &w->piped, error);
    if (status) return status;
    cairn_bytes bytes = {w->piped.data, w->piped.size};
    const world_kind *kind = world_kind_by_head(w->name, bytes);
    status = kind ? kind->read(w, bytes, error)
                  : cairn_archive_open(w->context, bytes, 0, &w->archive, error);
    return status || kind ? status : world_unpack(w, error);
}

static cairn_status world_read_file(world *w, cairn_error *error)
{
    const world_kind *kind = world_file_kind(w->name);
    return kind ? kind->load(w, error) : world_read_archive(w, error);
}

int world_read(world *w, cairn_context *context, const char *name)
{
    *w = (world){.context = context, .name = name};
    cairn_error error = {0};
    error.status = files_is_special(name) ? world_read_pipe(w, &error) : world_read_file(w, &error);
    return error.status ? world_complain(name, &error) : END_OK;
}

int world_load(world *w, cairn_context *context, const char *name)
{
    int end = world_read(w, context, name);
    if (end || world_kind_of(w)) return end;
    complain("%s: there is no world in this file (`cairn info` lists what there is)", name);
    return END_DATA;
}

/* ---- the agent ---- */

int world_enter(const command *self, world *w, const profile_options *flags)
{
    return world_kind_of(w)->enter(self, w, flags);
}

int world_open(const command *self, world *w, cairn_context *context, const char *name,
               const profile_options *flags)
{
    int end = world_load(w, context, name);
    return end ? end : world_enter(self, w, flags);
}

void world_close(world *w)
{
    const world_kind *kind = world_kind_of(w);
    cairn_space_destroy(w->space);
    if (kind) kind->drop(w);
    cairn_archive_close(w->archive);
    if (w->context) cairn_file_free(w->context, &w->piped);
    w->space = NULL;
    w->archive = NULL;
}

size_t world_bytes(const world *w)
{
    return cairn_space_bytes(w->space) + world_kind_of(w)->bytes(w);
}

const char *world_place(const world *w, cairn_node node, char out[WORLD_PLACE])
{
    world_kind_of(w)->place(w, node, out);
    return out;
}

int world_planner(const command *self, const world *w, const char *spec, bool quietly,
                  cairn_planner **out)
{
    *out = NULL;
    cairn_error error = {0};
    cairn_status status = cairn_planner_create(w->space, spec, out, &error);
    if (!status || (quietly && status == CAIRN_UNSUPPORTED)) return END_OK;
    if (status == CAIRN_OUT_OF_MEMORY) {
        complain("%s: there is not enough memory", spec);
        return END_DATA;
    }
    const char *why = error.text[0] ? error.text : cairn_status_text(status);
    if (!self) {
        complain("%s: the algorithm of this file, %s: %s", w->name, spec, why);
        return END_DATA;
    }
    int end = algorithms_check(self, spec);
    return end ? end : complain_usage(self, "%s: %s", spec, why);
}

/* ---- lists ---- */

static bool world_list_add(world_list *list, const char *folder, const char *name)
{
    char **names = realloc(list->names, (list->count + 1u) * sizeof *names);
    if (!names) return false;
    list->names = names;
    size_t size = (folder ? strlen(folder) + 1 : 0) + strlen(name) + 1;
    char *text = malloc(size);
    if (!text) return false;
    bool slash = folder && folder[0] && folder[strlen(folder) - 1] == '/';
    snprintf(text, size, "%s%s%s", folder ? folder : "", folder && !slash ? "/" : "", name);
    list->names[list->count++] = text;
    return true;
}

static int world_compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool world_list_folder(world_list *list, const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir) return complain("%s: the folder cannot be opened", folder), false;
    uint32_t first = list->count;
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        if (text_ends_with(entry->d_name, ".map")) ok = world_list_add(list, folder, entry->d_name);
    }
    closedir(dir);
    if (list->count == first && ok) return complain("%s: the folder holds no *.map", folder), false;
    if (list->count > first)
        qsort(list->names + first, list->count - first, sizeof *list->names, world_compare_names);
    return ok;
}

bool world_list_of(char **arguments, int count, world_list *out)
{
    *out = (world_list){0};
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        struct stat info;
        bool folder = !stat(arguments[i], &info) && S_ISDIR(info.st_mode);
        ok =
            folder ? world_list_folder(out, arguments[i]) : world_list_add(out, NULL, arguments[i]);
    }
    if (!ok) world_list_free(out);
    return ok;
}

void world_list_free(world_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) free(list->names[i]);
    free(list->names);
    *list = (world_list){0};
}
