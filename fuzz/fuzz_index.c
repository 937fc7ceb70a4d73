/* fuzz_index.c: damaged indexes. For each algorithm that needs one an index is built for a small
 * map and saved, once; the input says which algorithm, and which bytes of the file are to be other
 * ones (two bytes for the place, one for the value). Checksums are made right, then the file is
 * loaded. What is refused must say why; with what is accepted, searches must end and paths be
 * legal, whatever the tables say.
 */
#include "seal.h"
#include <cairn/cairn.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 16 }; /* algorithms with an index */

static void require(bool condition)
{
    if (!condition) abort();
}

typedef struct output {
    uint8_t data[1 << 16];
    size_t size;
} output;

static cairn_status output_write(void *user, const void *data, size_t size)
{
    output *out = user;
    require(size <= sizeof out->data - out->size);
    memcpy(out->data + out->size, data, size);
    out->size += size;
    return CAIRN_OK;
}

/* The map, and for each algorithm with an index the file of it. */
typedef struct world {
    cairn_context *context;
    cairn_grid *grid;
    cairn_space *space;
    uint32_t count;
    const char *names[MOST];
    output *files[MOST];
} world;

static output *save(const world *w, const char *name)
{
    cairn_planner *planner = NULL;
    cairn_store *store = NULL;
    output *out = calloc(1, sizeof *out);
    cairn_writer writer = {output_write, out};
    require(out && cairn_planner_create(w->space, name, &planner, NULL) == CAIRN_OK);
    require(cairn_planner_build(planner, NULL, NULL) == CAIRN_OK);
    require(cairn_store_create(w->context, &store) == CAIRN_OK);
    require(cairn_planner_save(planner, store, NULL) == CAIRN_OK);
    require(cairn_store_write(store, &writer) == CAIRN_OK);
    cairn_store_destroy(store);
    cairn_planner_destroy(planner);
    return out;
}

static void make_world(world *w)
{
    static const char map[] =
        "..........\n.###.####.\n.#......#.\n.#.####.#.\n...#..#...\n.#.#..#.#.\n.#......#.\n";
    require(cairn_context_create(NULL, &w->context) == CAIRN_OK);
    require(cairn_grid_from_text(w->context, map, sizeof map - 1, &w->grid, NULL) == CAIRN_OK);
    require(cairn_space_of_grid(w->grid, NULL, &w->space, NULL) == CAIRN_OK);
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++) {
        if (!(cairn_algorithm_at(i)->flags & CAIRN_NEEDS_INDEX)) continue;
        require(w->count < MOST);
        w->names[w->count] = cairn_algorithm_at(i)->name;
        w->files[w->count++] = save(w, cairn_algorithm_at(i)->name);
    }
    static const char bounded[] = "jps-plus:boxes=on"; /* what only a parameter adds to a file */
    require(w->count > 0 && w->count < MOST);
    w->names[w->count] = bounded;
    w->files[w->count++] = save(w, bounded);
}

static void search(cairn_planner *planner, uint32_t nodes)
{
    cairn_search *search = NULL;
    const cairn_path *path;
    require(cairn_search_create(planner, NULL, &search) == CAIRN_OK);
    for (cairn_node from = 0; from < nodes; from += 7) {
        cairn_query query = {.from = from, .to = nodes - 1 - from};
        cairn_status status = cairn_search_find(search, &query, &path);
        require(status == CAIRN_FOUND || path->count == 0);
        if (status == CAIRN_FOUND)
            require(cairn_path_valid(cairn_planner_space(planner), path, NULL, NULL, NULL));
    }
    cairn_search_destroy(search);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static world w;
    if (!size) return 0;
    if (!w.context) make_world(&w);
    size_t before = cairn_context_memory(w.context).bytes;
    cairn_planner *planner = NULL;
    cairn_archive *archive = NULL;
    cairn_error error = {0};
    output *out = malloc(sizeof *out);
    require(out != NULL);
    *out = *w.files[data[0] % w.count];
    for (size_t i = 1; i + 2 < size; i += 3) {
        size_t at = data[i] | (size_t)data[i + 1] << 8;
        out->data[at % out->size] = data[i + 2];
    }
    seal(out->data, out->size);
    require(cairn_planner_create(w.space, w.names[data[0] % w.count], &planner, NULL) == CAIRN_OK);
    cairn_status status =
        cairn_archive_open(w.context, (cairn_bytes){out->data, out->size}, 0, &archive, &error);
    if (!status) status = cairn_planner_load(planner, archive, true, &error);
    require(!status || ((status == CAIRN_BAD_DATA || status == CAIRN_STALE) && error.text[0]));
    if (!status) search(planner, cairn_space_node_count(w.space));
    cairn_planner_destroy(planner);
    cairn_archive_close(archive);
    require(cairn_context_memory(w.context).bytes == before);
    free(out);
    return 0;
}
