/* world.c: loading worlds, and what all commands say about them (see world.h). */
#define _POSIX_C_SOURCE 200809L
#include "world.h"

#include "algorithms.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

cairn_context *world_context(uint32_t threads)
{
    cairn_context_options options = cairn_context_defaults();
    options.workers = threads > 1 ? threads : 0;
    cairn_context *context = NULL;
    if (cairn_context_create(&options, &context)) complain("there is not enough memory to begin");
    return context;
}

int world_complain(const char *name, const cairn_error *error)
{
    if (error->line)
        complain("%s:%u: %s", name, error->line, error->text);
    else
        complain("%s: %s", name, error->text[0] ? error->text : cairn_status_text(error->status));
    return END_DATA;
}

/* DIMACS lines start with c (comment) or p (problem), which are no cells of a map. */
static bool world_is_graph(const char *name)
{
    char head[2] = "";
    FILE *stream = fopen(name, "rb");
    if (!stream) return false;
    size_t got = fread(head, 1, 2, stream);
    fclose(stream);
    return got == 2 && (head[0] == 'c' || head[0] == 'p') && strchr(" \t\r\n", head[1]) && head[1];
}

/* Hexagons go with hexagonal neighbours: a map that does not say how it lies is taken as the profile says,
 * and a profile that says nothing else is taken as the map says. */
static cairn_status world_grid_space(world *w, const cairn_profile *profile, cairn_error *error)
{
    cairn_profile chosen = *profile;
    if (cairn_grid_layout(w->grid) == CAIRN_LAYOUT_HEX && chosen.neighbours == CAIRN_NEIGHBOURS_8)
        chosen.neighbours = CAIRN_NEIGHBOURS_HEX;
    if (chosen.neighbours == CAIRN_NEIGHBOURS_HEX) cairn_grid_set_layout(w->grid, CAIRN_LAYOUT_HEX);
    return cairn_space_of_grid(w->grid, &chosen, &w->space, error);
}

bool world_is_archive(const char *name)
{
    char head[4] = "";
    FILE *stream = fopen(name, "rb");
    if (!stream) return false;
    size_t got = fread(head, 1, sizeof head, stream);
    fclose(stream);
    return got == sizeof head && !memcmp(head, "\211CRN", sizeof head);
}

bool world_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static cairn_status world_load_archive(world *w, const char *name, cairn_error *error)
{
    cairn_archive *archive = NULL;
    cairn_status status = cairn_archive_load(w->context, name, 0, &archive, error);
    if (!status)
        status = cairn_archive_has(archive, "graph") ? cairn_archive_graph(archive, &w->graph, error)
                                                     : cairn_archive_grid(archive, &w->grid, error);
    cairn_archive_close(archive);
    return status;
}

int world_load(world *w, cairn_context *context, const char *name)
{
    *w = (world){.context = context, .name = name};
    cairn_error error = {0};
    cairn_status status = world_is_archive(name) ? world_load_archive(w, name, &error)
                          : world_is_graph(name) ? cairn_graph_load(context, name, &w->graph, &error)
                                                 : cairn_grid_load(context, name, &w->grid, &error);
    error.status = status;
    return status ? world_complain(name, &error) : END_OK;
}

int world_open(world *w, cairn_context *context, const char *name, const cairn_profile *profile)
{
    int end = world_load(w, context, name);
    if (end) return end;
    cairn_error error = {0};
    cairn_status status =
        w->grid ? world_grid_space(w, profile, &error) : cairn_space_of_graph(w->graph, &w->space, &error);
    error.status = status;
    return status ? world_complain(name, &error) : END_OK;
}

void world_close(world *w)
{
    cairn_space_destroy(w->space);
    cairn_grid_destroy(w->grid);
    cairn_graph_destroy(w->graph);
    w->space = NULL;
    w->grid = NULL;
    w->graph = NULL;
}

size_t world_bytes(const world *w)
{
    return cairn_space_bytes(w->space) + (w->grid ? cairn_grid_bytes(w->grid) : cairn_graph_bytes(w->graph));
}

const char *world_place(const world *w, cairn_node node, char out[WORLD_PLACE])
{
    if (w->grid) {
        cairn_cell cell = cairn_grid_cell(w->grid, node);
        snprintf(out, WORLD_PLACE, "(%d,%d)", (int)cell.x, (int)cell.y);
    } else {
        snprintf(out, WORLD_PLACE, "waypoint %u", node);
    }
    return out;
}

int world_planner(const command *self, const world *w, const char *spec, bool quietly, cairn_planner **out)
{
    *out = NULL;
    cairn_error error = {0};
    cairn_status status = cairn_planner_create(w->space, spec, out, &error);
    if (!status || (quietly && status == CAIRN_UNSUPPORTED)) return END_OK;
    if (status == CAIRN_OUT_OF_MEMORY) {
        complain("%s: there is not enough memory", spec);
        return END_DATA;
    }
    int end = algorithms_check(self, spec);
    if (end) return end;
    return complain_usage(self, "%s: %s", spec, error.text[0] ? error.text : cairn_status_text(status));
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
        size_t length = strlen(entry->d_name);
        if (length > 4 && !strcmp(entry->d_name + length - 4, ".map"))
            ok = world_list_add(list, folder, entry->d_name);
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
        ok = folder ? world_list_folder(out, arguments[i]) : world_list_add(out, NULL, arguments[i]);
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
