/* cmd_convert.c: `cairn convert`: a world from one kind of file into another.
 *
 * What got lost is not a list of what each format cannot hold: the new file is read again and
 * compared with the world that was written, so the answer holds for all formats and shows a writer
 * that fails, too.
 */
#include "command.h"
#include "files.h"
#include "import.h"
#include "json.h"
#include "profile.h"
#include "text.h"
#include "world.h"

#include <string.h>

typedef struct convert_options {
    import_options import;
    const char *format;
    bool json;
} convert_options;

static const arg_flag convert_flags[] = {FLAG_FORMAT(offsetof(convert_options, format)),
                                         IMPORT_FLAGS(convert_options, import), FLAG_MAX_CELLS,
                                         FLAG_JSON(convert_options, json)};

/* How many of each thing differ between the two files. */
typedef enum convert_loss {
    CONVERT_CELLS,
    CONVERT_TERRAIN,
    CONVERT_LAYER,
    CONVERT_ELEVATION,
    CONVERT_LINKS,
    CONVERT_LAYOUT,
    CONVERT_PLACE,
    CONVERT_AGENT,
    CONVERT_QUERY,
    CONVERT_LOSSES
} convert_loss;

static const struct {
    const char *key;  /* in JSON */
    const char *text; /* a sentence with one %s for the number, or without */
} convert_words[CONVERT_LOSSES] = {
    [CONVERT_CELLS] = {"cells", "%s cells are open in one file and blocked in the other"},
    [CONVERT_TERRAIN] = {"terrain", "the terrain class of %s open cells is lost"},
    [CONVERT_LAYER] = {"extra_cost", "the extra cost of %s cells is lost"},
    [CONVERT_ELEVATION] = {"elevation", "the elevation of %s cells is lost"},
    [CONVERT_LINKS] = {"links", "%s links are lost"},
    [CONVERT_LAYOUT] = {"layout", "the hexagonal layout is lost"},
    [CONVERT_PLACE] = {"place", "origin and cell size are lost"},
    [CONVERT_AGENT] = {"agent", "the agent in the file is left out"},
    [CONVERT_QUERY] = {"query", "the query in the file is left out"},
};

typedef struct convert_losses {
    uint64_t counts[CONVERT_LOSSES];
} convert_losses;

/* ---- comparing ---- */

static void convert_compare_cell(const cairn_grid *a, const cairn_grid *b, int32_t x, int32_t y,
                                 convert_losses *out)
{
    bool open = cairn_grid_is_open(a, x, y);
    out->counts[CONVERT_CELLS] += open != cairn_grid_is_open(b, x, y);
    out->counts[CONVERT_TERRAIN] +=
        open && cairn_grid_terrain(a, x, y) != cairn_grid_terrain(b, x, y);
    out->counts[CONVERT_LAYER] += cairn_grid_layer(a, x, y) != cairn_grid_layer(b, x, y);
    out->counts[CONVERT_ELEVATION] +=
        cairn_grid_elevation(a, x, y) != cairn_grid_elevation(b, x, y);
}

static convert_losses convert_compare(const cairn_grid *a, const cairn_grid *b)
{
    convert_losses losses = {0};
    for (uint32_t y = 0; y < cairn_grid_height(a); y++) {
        for (uint32_t x = 0; x < cairn_grid_width(a); x++)
            convert_compare_cell(a, b, (int32_t)x, (int32_t)y, &losses);
    }
    uint32_t before = cairn_grid_link_count(a), after = cairn_grid_link_count(b);
    cairn_position p = cairn_grid_origin(a), q = cairn_grid_origin(b);
    losses.counts[CONVERT_LINKS] = before > after ? before - after : 0;
    losses.counts[CONVERT_LAYOUT] = cairn_grid_layout(a) != cairn_grid_layout(b);
    losses.counts[CONVERT_PLACE] =
        p.x != q.x || p.y != q.y || cairn_grid_cell_size(a) != cairn_grid_cell_size(b);
    return losses;
}

static void convert_warn(const convert_losses *losses, const char *name)
{
    for (int i = 0; i < CONVERT_LOSSES; i++) {
        if (!losses->counts[i]) continue;
        char number[TEXT_SHORT], text[160];
        const char *words = convert_words[i].text, *at = strstr(words, "%s");
        text_count(losses->counts[i], number);
        if (at)
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - words), words, number, at + 2);
        else
            snprintf(text, sizeof text, "%s", words);
        complain("note: %s: %s", name, text);
    }
}

/* ---- writing ---- */

/* A world for which there is no other kind of file. */
static int convert_write_cairn(const command *self, const world *w, const char *name,
                               const char *format)
{
    bool fits = format ? !strcmp(format, "cairn")
                       : !files_named(name, format) || text_ends_with(name, ".cairn");
    if (!fits)
        return complain_usage(self, "%s: a %s can only be written as a .cairn file", name,
                              world_kind_of(w)->name);
    cairn_store *store = NULL;
    cairn_error error = {.status = cairn_store_create(w->context, &store)};
    if (!error.status) error.status = world_kind_of(w)->pack(w, store);
    int end = error.status ? world_complain(name, &error) : files_save(store, name);
    cairn_store_destroy(store);
    return end;
}

/* Writes the grid where it cannot be read again, and reads what was written from memory. */
static cairn_status convert_pipe_grid(const world *w, const char *name, const char *format,
                                      cairn_grid **again, cairn_error *error)
{
    cairn_file file;
    cairn_status status = files_format_grid(w->grid, name, format, &file, error);
    if (status) return status;
    status = cairn_grid_parse(w->context, (cairn_bytes){file.data, file.size}, NULL, again, error);
    if (!status) status = files_try_put(name, file, error);
    cairn_file_free(w->context, &file);
    return status;
}

static int convert_write_grid(const command *self, const world *w, const char *name,
                              const char *format, convert_losses *losses)
{
    cairn_error error = {0};
    cairn_grid *again = NULL;
    cairn_status status;
    if (files_named(name, format)) {
        status = cairn_grid_save(w->grid, name, &error);
        if (!status) status = cairn_grid_load(w->context, name, &again, &error);
    } else {
        status = convert_pipe_grid(w, name, format, &again, &error);
    }
    error.status = status;
    if (status) cairn_grid_destroy(again);
    if (status == CAIRN_UNSUPPORTED) return complain_usage(self, "%s: %s", name, error.text);
    if (status) return world_complain(name, &error);
    bool same = cairn_grid_width(again) == cairn_grid_width(w->grid) &&
                cairn_grid_height(again) == cairn_grid_height(w->grid);
    if (same) *losses = convert_compare(w->grid, again);
    cairn_grid_destroy(again);
    if (same) return END_OK;
    complain("%s: read back, it differs in size from %s", name, w->name);
    return END_DATA;
}

/* ---- telling ---- */

static void convert_print_json(const world *w, const char *name, const convert_losses *losses)
{
    json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "input", w->name);
    json_text(&j, "output", name);
    json_text(&j, "world", world_kind_of(w)->name);
    json_object(&j, "lost");
    for (int i = 0; i < CONVERT_LOSSES; i++) {
        if (losses->counts[i]) json_integer(&j, convert_words[i].key, (int64_t)losses->counts[i]);
    }
    json_end(&j);
    json_end(&j);
}

static void convert_print_text(const world *w, const char *name)
{
    char text[96];
    world_kind_of(w)->describe(w, text, sizeof text);
    say("%s: %s\n", name, text);
}

static int convert_run(const command *self, world *w, const char *name,
                       const convert_options *options)
{
    convert_losses losses = {0};
    int end = w->grid ? convert_write_grid(self, w, name, options->format, &losses)
                      : convert_write_cairn(self, w, name, options->format);
    if (end) return end;
    losses.counts[CONVERT_AGENT] = cairn_archive_has(w->archive, "profile");
    losses.counts[CONVERT_QUERY] = cairn_archive_has(w->archive, "query");
    convert_warn(&losses, name);
    if (options->json)
        convert_print_json(w, name, &losses);
    else
        convert_print_text(w, name);
    return END_OK;
}

static int convert_main(const command *self, int argc, char **argv)
{
    convert_options options = {0};
    args_result parsed = args_parse(self, &argc, argv, &options);
    if (parsed != ARGS_GO) return parsed == ARGS_HELPED ? END_OK : END_USAGE;
    if (argc != 2)
        return complain_count(self, "two files, IN and OUT", argc,
                              "maps/village.txt village.cairn");
    const file_use files[] = {{"input", argv[0], false}, {"OUT", argv[1], true}};
    int end = files_check(self, files, 2);
    if (end) return end;
    cairn_context *context = world_context(1);
    if (!context) return END_DATA;
    world w;
    end = import_world(self, &options.import, &w, context, argv[0]);
    if (!end) end = convert_run(self, &w, argv[1], &options);
    world_close(&w);
    cairn_context_destroy(context);
    return end;
}

const command command_convert = {
    .name = "convert",
    .summary = "Write a world as another kind of file",
    .synopsis = "IN OUT [options]",
    .details = "IN is any world. The name of OUT says what it becomes: .map (MovingAI), .txt (its "
               "rows alone),\n"
               ".png (a pixel per cell) or .cairn, which holds everything and detects any damage. "
               "Graphs can only\n"
               "become .cairn. With OUT - (standard output) --format says it. What the new file "
               "cannot hold is listed on standard error. Bright "
               "pixels of a\n"
               "picture are open, unless flags say what colours mean; docs/files.md says what "
               "counts in a Tiled\n"
               "map.\n"
               "\n"
               "Examples:\n"
               "  cairn convert maps/village.txt village.cairn\n"
               "  cairn convert maps/cave.txt cave.map\n"
               "  cairn convert maps/cave.txt cave.png && cairn convert cave.png back.map "
               "--threshold 200\n"
               "  cairn convert maps/farm.tmx farm.map --layer walls --empty open\n"
               "  cat maps/village.txt | cairn convert - - --format cairn | cairn info -\n",
    .output = 2,
    .flags = convert_flags,
    .flag_count = sizeof convert_flags / sizeof convert_flags[0],
    .run = convert_main,
};
