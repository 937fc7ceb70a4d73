/* craft.c: craft FOLDER writes `.cairn` files that the program itself never writes, for
 * tests/test_program.sh: worlds with links and heights, queries with a budget, and texts that
 * nobody should trust.
 */
#include <cairn/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(cairn_status status)
{
    if (!status) return;
    fprintf(stderr, "craft: %s\n", cairn_status_text(status));
    exit(1);
}

/* What stands in one file; NULL = no such section. */
typedef struct craft {
    const char *name;
    const char *algorithm, *smooth, *from, *version;
    uint64_t max_work;
} craft;

static const craft crafts[] = {
    {.name = "plain", .algorithm = "astar", .version = "0.0.1"},
    {.name = "budget", .algorithm = "astar", .max_work = 5},
    {.name = "escape", .algorithm = "astar\033[31m"},
    {.name = "version", .version = "1\n2"},
    {.name = "unknown", .algorithm = "asatr"},
    {.name = "key", .algorithm = "wastar:wieght=2"},
    {.name = "smooth", .smooth = "splines"},
    {.name = "place", .from = "3;0"},
};

static void add_text(cairn_store *store, const char *section, const char *text)
{
    if (text) must(cairn_store_add(store, section, (cairn_bytes){text, strlen(text)}, 1, false));
}

static void save(const cairn_store *store, const char *folder, const char *name)
{
    char file[1024];
    snprintf(file, sizeof file, "%s/%s.cairn", folder, name);
    must(cairn_store_save(store, file, NULL));
}

static void write_question(cairn_context *context, const craft *c, const char *folder)
{
    static const char row[] = "..............................\n";
    cairn_grid *grid = NULL;
    cairn_store *store = NULL;
    cairn_query query = {.from = 0, .to = 29, .max_work = c->max_work};
    must(cairn_grid_from_text(context, row, sizeof row - 1, &grid, NULL));
    must(cairn_store_create(context, &store));
    must(cairn_store_grid(store, grid));
    must(cairn_store_query(store, &query));
    add_text(store, "repro.algorithm", c->algorithm);
    add_text(store, "repro.smooth", c->smooth);
    add_text(store, "repro.from", c->from);
    add_text(store, "repro.version", c->version);
    save(store, folder, c->name);
    cairn_store_destroy(store);
    cairn_grid_destroy(grid);
}

/* Two halves that only links join, cheap and expensive ones, with a hill and some extra costs. */
static void write_linked(cairn_context *context, bool hex, const char *folder)
{
    enum { WIDTH = 40, HEIGHT = 20 };
    cairn_grid *grid = NULL;
    cairn_store *store = NULL;
    cairn_grid_options options = {
        .width = WIDTH, .height = HEIGHT, .layout = hex ? CAIRN_LAYOUT_HEX : CAIRN_LAYOUT_SQUARE};
    must(cairn_grid_create(context, &options, &grid, NULL));
    for (int32_t y = 0; y < HEIGHT; y++) must(cairn_grid_set_open(grid, 20, y, false));
    must(cairn_grid_set_elevation(grid, 3, 4, 17));
    must(cairn_grid_set_elevation(grid, 3, 5, -2));
    for (int32_t x = 5; x < 10; x++) must(cairn_grid_set_layer(grid, x, 9, (uint8_t)(3 * x)));
    for (uint32_t i = 0; i < 6; i++) {
        cairn_link link = {
            .from = i * 3 * WIDTH + 2 + i, .to = (i + 2) * 2 * WIDTH + 30 - i, .id = i};
        link.cost = i * 700 + 1;
        must(cairn_grid_add_link(grid, &link));
        cairn_link back = {.from = link.to, .to = link.from, .id = i, .cost = 100};
        must(cairn_grid_add_link(grid, &back));
    }
    must(cairn_grid_commit(grid));
    must(cairn_store_create(context, &store));
    must(cairn_store_grid(store, grid));
    save(store, folder, hex ? "linked-hex" : "linked");
    cairn_store_destroy(store);
    cairn_grid_destroy(grid);
}

int main(int argc, char **argv)
{
    cairn_context *context = NULL;
    if (argc != 2) return 2;
    must(cairn_context_create(NULL, &context));
    for (size_t i = 0; i < sizeof crafts / sizeof crafts[0]; i++)
        write_question(context, &crafts[i], argv[1]);
    write_linked(context, false, argv[1]);
    write_linked(context, true, argv[1]);
    cairn_context_destroy(context);
    return 0;
}
