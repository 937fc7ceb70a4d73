/* world.c: loading worlds, and what all commands say about them (see world.h). */
#define _POSIX_C_SOURCE 200809L
#include "world.h"

#include "algorithms.h"
#include "text.h"

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

/* ---- loading ---- */

typedef enum world_kind { WORLD_GRID_FILE, WORLD_GRAPH_FILE, WORLD_ARCHIVE } world_kind;

/* DIMACS lines start with c (comment) or p (problem), which are no cells of a map. What is called
 * .cairn is taken for one: if its beginning is damaged, that is what must be said. */
static world_kind world_kind_of(const char *name)
{
    char head[8] = "";
    FILE *stream = fopen(name, "rb");
    size_t got = stream ? fread(head, 1, sizeof head, stream) : 0;
    if (stream) fclose(stream);
    if (text_ends_with(name, ".cairn") || cairn_archive_begins(head, got)) return WORLD_ARCHIVE;
    bool graph =
        got > 1 && (head[0] == 'c' || head[0] == 'p') && head[1] && strchr(" \t\r\n", head[1]);
    return graph ? WORLD_GRAPH_FILE : WORLD_GRID_FILE;
}

static cairn_status world_read_archive(world *w, cairn_error *error)
{
    cairn_status status = cairn_archive_load(w->context, w->name, 0, &w->archive, error);
    if (!status && cairn_archive_has(w->archive, "graph"))
        status = cairn_archive_graph(w->archive, &w->graph, error);
    else if (!status && cairn_archive_has(w->archive, "grid"))
        status = cairn_archive_grid(w->archive, &w->grid, error);
    return status;
}

int world_read(world *w, cairn_context *context, const char *name)
{
    *w = (world){.context = context, .name = name};
    cairn_error error = {0};
    cairn_status status = CAIRN_OK;
    switch (world_kind_of(name)) {
    case WORLD_ARCHIVE: status = world_read_archive(w, &error); break;
    case WORLD_GRAPH_FILE: status = cairn_graph_load(context, name, &w->graph, &error); break;
    case WORLD_GRID_FILE: status = cairn_grid_load(context, name, &w->grid, &error); break;
    }
    error.status = status;
    return status ? world_complain(name, &error) : END_OK;
}

int world_load(world *w, cairn_context *context, const char *name)
{
    int end = world_read(w, context, name);
    if (end || w->grid || w->graph) return end;
    complain("%s: there is no world in this file (`cairn info` tells what there is)", name);
    return END_DATA;
}

/* ---- the agent ---- */

/* Hexagons go with hexagonal neighbours: a map that does not say how it lies is taken as the flags
 * say. */
static int world_layout(const command *self, const world *w, const profile_options *flags,
                        const cairn_profile *profile)
{
    if (!flags->neighbours) return END_OK;
    if (profile->neighbours == CAIRN_NEIGHBOURS_HEX)
        cairn_grid_set_layout(w->grid, CAIRN_LAYOUT_HEX);
    if (profile->neighbours == CAIRN_NEIGHBOURS_HEX ||
        cairn_grid_layout(w->grid) != CAIRN_LAYOUT_HEX)
        return END_OK;
    return complain_usage(
        self, "%s is made of hexagons, which have 6 neighbours: --neighbours %s is for squares",
        w->name, flags->neighbours);
}

static int world_enter_grid(const command *self, world *w, const profile_options *flags)
{
    cairn_error error = {0};
    cairn_profile profile = cairn_profile_for(w->grid);
    cairn_status status = CAIRN_OK;
    if (cairn_archive_has(w->archive, "profile"))
        status = cairn_archive_profile(w->archive, &profile, &error);
    if (!status) {
        int end = profile_change(self, flags, &profile);
        if (!end) end = world_layout(self, w, flags, &profile);
        if (end) return end;
        status = cairn_space_of_grid(w->grid, &profile, &w->space, &error);
    }
    error.status = status;
    return status ? world_complain(w->name, &error) : END_OK;
}

int world_enter(const command *self, world *w, const profile_options *flags)
{
    if (w->grid) return world_enter_grid(self, w, flags);
    const char *given = profile_given(flags);
    if (given)
        return complain_usage(self, "%s is a graph, where all agents are alike: --%s is for grids",
                              w->name, given);
    cairn_error error = {0};
    error.status = cairn_space_of_graph(w->graph, &w->space, &error);
    return error.status ? world_complain(w->name, &error) : END_OK;
}

int world_open(const command *self, world *w, cairn_context *context, const char *name,
               const profile_options *flags)
{
    int end = world_load(w, context, name);
    return end ? end : world_enter(self, w, flags);
}

void world_close(world *w)
{
    cairn_space_destroy(w->space);
    cairn_grid_destroy(w->grid);
    cairn_graph_destroy(w->graph);
    cairn_archive_close(w->archive);
    w->space = NULL;
    w->grid = NULL;
    w->graph = NULL;
    w->archive = NULL;
}

size_t world_bytes(const world *w)
{
    return cairn_space_bytes(w->space) +
           (w->grid ? cairn_grid_bytes(w->grid) : cairn_graph_bytes(w->graph));
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
