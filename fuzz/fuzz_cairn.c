/* fuzz_cairn.c: any bytes as a `.cairn` file. The first byte of the input says whether checksums
 * are made right before the file is read: else no change would ever get past them. What is refused
 * must say why; what is accepted is taken apart, and what comes out of it must come back the same
 * after it was stored and read again.
 */
#include "seal.h"
#include <cairn/io.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

/* ---- what is in it ---- */

typedef struct output {
    uint8_t *data;
    size_t size;
} output;

static cairn_status output_write(void *user, const void *data, size_t size)
{
    output *out = user;
    out->data = realloc(out->data, out->size + size);
    require(out->data != NULL);
    memcpy(out->data + out->size, data, size);
    out->size += size;
    return CAIRN_OK;
}

static void fair(cairn_status status, const cairn_error *error)
{
    require(status == CAIRN_OK || ((status == CAIRN_BAD_DATA || status == CAIRN_OUT_OF_MEMORY) &&
                                   error->status == status &&
                                   memchr(error->text, 0, sizeof error->text) && error->text[0]));
}

/* Did it work? If not, then because of the context's limit. */
static bool done(cairn_status status)
{
    require(status == CAIRN_OK || status == CAIRN_OUT_OF_MEMORY);
    return status == CAIRN_OK;
}

static bool hash_of(cairn_grid *grid, uint64_t *out)
{
    cairn_space *space = NULL;
    if (!done(cairn_space_of_grid(grid, NULL, &space, NULL))) return false;
    *out = cairn_space_hash(space);
    cairn_space_destroy(space);
    return true;
}

static void store_and_read(cairn_context *context, cairn_grid *grid)
{
    cairn_store *store = NULL;
    cairn_archive *archive = NULL;
    cairn_grid *again = NULL;
    output out = {0};
    cairn_writer writer = {output_write, &out};
    uint64_t hash, other;
    if (done(cairn_store_create(context, &store)) && done(cairn_store_grid(store, grid)) &&
        done(cairn_store_write(store, &writer)) &&
        done(cairn_archive_open(context, (cairn_bytes){out.data, out.size}, 0, &archive, NULL)) &&
        done(cairn_archive_grid(archive, &again, NULL)) && hash_of(grid, &hash) &&
        hash_of(again, &other))
        require(hash == other);
    cairn_grid_destroy(again);
    cairn_archive_close(archive);
    cairn_store_destroy(store);
    free(out.data);
}

static void take_apart(cairn_context *context, const cairn_archive *archive)
{
    cairn_error error = {0};
    cairn_grid *grid = NULL;
    cairn_graph *graph = NULL;
    cairn_space *space = NULL;
    cairn_profile profile;
    cairn_query query;
    fair(cairn_archive_query(archive, &query, &error), &error);
    cairn_status profiled = cairn_archive_profile(archive, &profile, &error);
    fair(profiled, &error);
    fair(cairn_archive_graph(archive, &graph, &error), &error);
    fair(cairn_archive_grid(archive, &grid, &error), &error);
    if (grid) {
        require(cairn_grid_version(grid) == 1);
        store_and_read(context, grid);
        if (!profiled)
            cairn_space_of_grid(grid, &profile, &space, &error); /* may be too much for this grid */
        cairn_space_destroy(space);
    }
    cairn_grid_destroy(grid);
    cairn_graph_destroy(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    cairn_context_options limits = cairn_context_defaults();
    limits.byte_limit = 64u << 20;
    cairn_context *context = NULL;
    require(cairn_context_create(&limits, &context) == CAIRN_OK);
    size_t empty = cairn_context_memory(context).bytes;
    bool sealed = data[0] & 1, unaligned = data[0] & 2, turn = data[0] & 4;
    size_t shift = unaligned ? 3 : 0;
    uint8_t *memory = malloc(size - 1 + shift + (size == 1));
    require(memory != NULL);
    uint8_t *file = memory + shift;
    memcpy(file, data + 1, size - 1);
    if (sealed) seal(file, size - 1);
    cairn_archive *archive = NULL;
    cairn_error error = {0};
    uint32_t flags = data[0] & 8 ? CAIRN_ARCHIVE_UNVERIFIED : 0;
    cairn_status status = crn_archive_open(context, (cairn_bytes){file, size - 1},
                                           flags | (turn ? CRN_ARCHIVE_TURN : 0), &archive, &error);
    fair(status, &error);
    require((status == CAIRN_OK) == (archive != NULL));
    if (archive) take_apart(context, archive);
    cairn_archive_close(archive);
    free(memory);
    require(cairn_context_memory(context).bytes == empty);
    cairn_context_destroy(context);
    return 0;
}
