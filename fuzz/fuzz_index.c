/* fuzz_index.c: damaged indexes. For each algorithm that needs one an index is built for a small map and saved; the input
 * says which algorithm, and which bytes of the file are to be other ones (two bytes for the place, one for the value).
 * Checksums are made right, then the file is loaded. What is refused must say why; with what is accepted, searches must
 * end and paths be legal, whatever the tables say.
 */
#include "seal.h"
#include <cairn/cairn.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

static const char *nth_with_index(uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < cairn_algorithm_count(); i++)
        count += (cairn_algorithm_at(i)->flags & CAIRN_NEEDS_INDEX) != 0;
    require(count > 0);
    n %= count;
    for (uint32_t i = 0;; i++) {
        if (!(cairn_algorithm_at(i)->flags & CAIRN_NEEDS_INDEX)) continue;
        if (!n--) return cairn_algorithm_at(i)->name;
    }
}

static void save(cairn_context *context, cairn_planner *planner, output *out)
{
    cairn_store *store = NULL;
    cairn_writer writer = {output_write, out};
    require(cairn_planner_build(planner, NULL, NULL) == CAIRN_OK);
    require(cairn_store_create(context, &store) == CAIRN_OK);
    require(cairn_planner_save(planner, store, NULL) == CAIRN_OK);
    require(cairn_store_write(store, &writer) == CAIRN_OK);
    cairn_store_destroy(store);
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
    static const char map[] =
        "..........\n.###.####.\n.#......#.\n.#.####.#.\n...#..#...\n.#.#..#.#.\n.#......#.\n";
    if (!size) return 0;
    output *out = calloc(1, sizeof *out);
    cairn_context *context = NULL;
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    cairn_planner *planner = NULL;
    cairn_archive *archive = NULL;
    cairn_error error = {0};
    require(out && cairn_context_create(NULL, &context) == CAIRN_OK);
    require(cairn_grid_from_text(context, map, sizeof map - 1, &grid, NULL) == CAIRN_OK);
    require(cairn_space_of_grid(grid, NULL, &space, NULL) == CAIRN_OK);
    require(cairn_planner_create(space, nth_with_index(data[0]), &planner, NULL) == CAIRN_OK);
    save(context, planner, out);
    for (size_t i = 1; i + 2 < size; i += 3) {
        size_t at = data[i] | (size_t)data[i + 1] << 8;
        out->data[at % out->size] = data[i + 2];
    }
    seal(out->data, out->size);
    cairn_status status = cairn_archive_open(context, out->data, out->size, 0, &archive, &error);
    if (!status) status = cairn_planner_load(planner, archive, true, &error);
    require(!status || ((status == CAIRN_BAD_DATA || status == CAIRN_STALE) && error.text[0]));
    if (!status) search(planner, cairn_space_node_count(space));
    cairn_planner_destroy(planner);
    cairn_archive_close(archive);
    cairn_space_destroy(space);
    cairn_grid_destroy(grid);
    cairn_context_destroy(context);
    free(out);
    return 0;
}
