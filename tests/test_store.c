/* test_store.c: containers: bytes where the format says they are, every damage noticed, worlds,
 * profiles and queries that come back as they were, and the hash of a space.
 *
 * The format is checked by a reader of its own below, which works on single bytes and shares
 * nothing with the library.
 */
#include "scenes.h"
#include "store/container.h"
#include "support.h"

/* ---- a plain reader, from the description ------------------------------------------- */

enum { PLAIN_HEADER = 64, PLAIN_ENTRY = 48 };

static uint64_t plain_number(const uint8_t *at, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = bytes; i > 0; i--) value = value * 256 + at[i - 1];
    return value;
}

static uint64_t plain_hash(const uint8_t *data, size_t size, size_t skip)
{
    /* `skip`: eight bytes that are left out; SIZE_MAX = none. */
    size_t length = skip == SIZE_MAX ? size : size - 8;
    uint64_t h = (length + 1) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t at = 0; at < size; at += 8) {
        if (at == skip) continue;
        uint8_t word[8] = {0};
        for (size_t i = 0; i < 8 && at + i < size; i++) word[i] = data[at + i];
        h ^= plain_number(word, 8);
        h = (h << 29 | h >> 35) * UINT64_C(0xd6e8feb86659fd93);
    }
    h = (h ^ (h >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ (h >> 27)) * UINT64_C(0x94d049bb133111eb);
    return h ^ (h >> 31);
}

/* The bytes of a section, NULL if there is none. */
static const uint8_t *plain_section(const uint8_t *file, const char *name, size_t *size)
{
    uint32_t count = (uint32_t)plain_number(file + 12, 4);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = file + PLAIN_HEADER + i * PLAIN_ENTRY;
        if (strcmp((const char *)entry, name) != 0) continue;
        *size = (size_t)plain_number(entry + 24, 8);
        return file + plain_number(entry + 16, 8);
    }
    return NULL;
}

/* Makes the checksums right again after somebody has changed something. */
static void plain_seal(uint8_t *file, size_t size)
{
    uint64_t count = plain_number(file + 12, 4), directory = PLAIN_HEADER + count * PLAIN_ENTRY;
    if (directory > size) return;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *entry = file + PLAIN_HEADER + i * PLAIN_ENTRY;
        uint64_t offset = plain_number(entry + 16, 8), length = plain_number(entry + 24, 8);
        if (offset > size || length > size - offset) continue;
        uint64_t hash = plain_hash(file + offset, (size_t)length, SIZE_MAX);
        for (uint32_t b = 0; b < 8; b++) entry[32 + b] = (uint8_t)(hash >> (8 * b));
    }
    uint64_t hash = plain_hash(file, (size_t)directory, 24);
    for (uint32_t b = 0; b < 8; b++) file[24 + b] = (uint8_t)(hash >> (8 * b));
}

/* ---- files in memory ----------------------------------------------------------------- */

typedef struct bytes {
    uint8_t *data;
    size_t size;
    uint32_t calls, fail_at; /* this call of the writer fails, from 1; 0 = none */
} bytes;

static cairn_status bytes_write(void *user, const void *data, size_t size)
{
    bytes *b = user;
    if (++b->calls == b->fail_at) return CAIRN_FILE_ERROR;
    b->data = realloc(b->data, b->size + size);
    if (!b->data) abort();
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return CAIRN_OK;
}

static bytes bytes_of(const cairn_store *store)
{
    bytes b = {0};
    cairn_writer writer = {bytes_write, &b};
    CHECK_OK(cairn_store_write(store, &writer));
    return b;
}

static bytes bytes_copy(const bytes *from)
{
    bytes b = {.data = malloc(from->size + 1), .size = from->size};
    if (!b.data) abort();
    memcpy(b.data, from->data, from->size);
    return b;
}

/* The file must be refused, with a sentence. */
static void refused(cairn_context *context, const void *data, size_t size, uint32_t flags,
                    const char *word)
{
    cairn_archive *archive = (cairn_archive *)context;
    cairn_error error = {0};
    CHECK_STATUS(cairn_archive_open(context, (cairn_bytes){data, size}, flags, &archive, &error),
                 CAIRN_BAD_DATA);
    assert_null(archive);
    CHECK(error.status == CAIRN_BAD_DATA && strlen(error.text) > 10, "\"%s\"", error.text);
    CHECK(!word || strstr(error.text, word), "\"%s\" does not say \"%s\"", error.text, word);
}

static cairn_archive *opened(cairn_context *context, const bytes *file)
{
    cairn_archive *archive = NULL;
    cairn_error error = {0};
    CHECK(cairn_archive_open(context, (cairn_bytes){file->data, file->size}, 0, &archive, &error) ==
              CAIRN_OK,
          "%s", error.text);
    return archive;
}

/* ---- worlds --------------------------------------------------------------------------- */

/* A grid with a bit of everything, as asked for. */
typedef struct recipe {
    uint32_t width, height;
    cairn_layout layout;
    bool terrain, layer, elevation;
    uint32_t links;
} recipe;

static void add_links(cairn_grid *grid, uint32_t count, scene_rng *rng)
{
    uint32_t cells = cairn_grid_width(grid) * cairn_grid_height(grid);
    for (uint32_t i = 0; i < count && cells > 1; i++) {
        cairn_link link = {scene_random(rng, cells), scene_random(rng, cells), scene_random(rng, 5),
                           scene_random(rng, 2000), (uint8_t)scene_random(rng, 32)};
        if (link.to == link.from) link.to = (link.from + 1) % cells;
        CHECK_OK(cairn_grid_add_link(grid, &link));
    }
    CHECK_OK(cairn_grid_commit(grid));
}

static cairn_grid *cooked(cairn_context *context, const recipe *r, uint64_t seed)
{
    scene_rng rng = {seed};
    size_t cells = (size_t)r->width * r->height;
    uint8_t *open = malloc(cells), *terrain = malloc(cells), *layer = malloc(cells);
    int16_t *elevation = malloc(cells * sizeof *elevation);
    if (!open || !terrain || !layer || !elevation) abort();
    for (size_t i = 0; i < cells; i++) {
        open[i] = scene_random(&rng, 4) != 0;
        terrain[i] = (uint8_t)scene_random(&rng, 256);
        layer[i] = (uint8_t)scene_random(&rng, 256);
        elevation[i] = (int16_t)((int32_t)scene_random(&rng, 65536) - 32768);
    }
    cairn_grid_options options = {.width = r->width,
                                  .height = r->height,
                                  .open = open,
                                  .terrain = r->terrain ? terrain : NULL,
                                  .layer = r->layer ? layer : NULL,
                                  .elevation = r->elevation ? elevation : NULL,
                                  .layout = r->layout,
                                  .origin = {-3.25, 1e6, 0},
                                  .cell_size = 0.75};
    cairn_grid *grid = NULL;
    CHECK_OK(cairn_grid_create(context, &options, &grid, NULL));
    if (r->links) add_links(grid, r->links, &rng);
    free(open), free(terrain), free(layer), free(elevation);
    return grid;
}

static const recipe everything = {9, 3, CAIRN_LAYOUT_SQUARE, true, true, true, 3};

static cairn_profile odd_profile(void)
{
    cairn_profile profile = cairn_profile_default();
    profile.corners = CAIRN_CORNERS_ONE;
    for (uint32_t i = 0; i < 256; i++) profile.terrain_cost[i] = (uint16_t)(i % 7 * 256);
    profile.layer_weight = 300;
    profile.gradient = 65535;
    profile.max_climb = 12;
    profile.cost_scale = 5;
    profile.radius = 1.25;
    profile.links = 0x80000001u;
    return profile;
}

/* A file with every kind of section. */
static bytes small_file(cairn_context *context)
{
    static const cairn_node goals[] = {3, 8, CAIRN_NO_NODE};
    const cairn_graph_edge edges[] = {{0, 1, 5}, {1, 2, 6}, {2, 0, 7}, {0, 2, 8}};
    const cairn_position places[] = {{0, 0, 0}, {1.5, 0, 0}, {0, -2, 0}};
    cairn_graph_options options = {
        .node_count = 3, .edge_count = 4, .edges = edges, .positions = places};
    cairn_grid *grid = cooked(context, &everything, 1);
    cairn_graph *graph = NULL;
    cairn_store *store = NULL;
    cairn_profile profile = odd_profile();
    cairn_query query = {
        .from = 1, .to = CAIRN_NO_NODE, .goals = goals, .goal_count = 3, .partial = true};
    CHECK_OK(cairn_graph_create(context, &options, &graph, NULL));
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_OK(cairn_store_grid(store, grid));
    CHECK_OK(cairn_store_graph(store, graph));
    CHECK_OK(cairn_store_profile(store, &profile));
    CHECK_OK(cairn_store_query(store, &query));
    CHECK_OK(cairn_store_add(store, "nothing", (cairn_bytes){NULL, 0}, 8, false));
    CHECK_OK(cairn_store_add(store, "version", (cairn_bytes){"0.1.0", 5}, 1, true));
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    cairn_graph_destroy(graph);
    cairn_grid_destroy(grid);
    return file;
}

static void same_links(const cairn_grid *a, const cairn_grid *b)
{
    assert_int_equal(cairn_grid_link_count(a), cairn_grid_link_count(b));
    for (uint32_t i = 0; i < cairn_grid_link_count(a); i++) {
        cairn_link x = cairn_grid_link_at(a, i), y = cairn_grid_link_at(b, i);
        assert_true(x.from == y.from && x.to == y.to && x.id == y.id && x.cost == y.cost &&
                    x.kind == y.kind);
    }
}

static void same_grid(const cairn_grid *a, const cairn_grid *b)
{
    uint32_t width = cairn_grid_width(a), height = cairn_grid_height(a);
    assert_true(width == cairn_grid_width(b) && height == cairn_grid_height(b));
    assert_int_equal(cairn_grid_layout(a), cairn_grid_layout(b));
    assert_true(cairn_grid_origin(a).x == cairn_grid_origin(b).x &&
                cairn_grid_origin(a).y == cairn_grid_origin(b).y);
    assert_true(cairn_grid_cell_size(a) == cairn_grid_cell_size(b));
    for (int32_t y = 0; y < (int32_t)height; y++) {
        for (int32_t x = 0; x < (int32_t)width; x++) {
            assert_int_equal(cairn_grid_is_open(a, x, y), cairn_grid_is_open(b, x, y));
            assert_int_equal(cairn_grid_terrain(a, x, y), cairn_grid_terrain(b, x, y));
            assert_int_equal(cairn_grid_layer(a, x, y), cairn_grid_layer(b, x, y));
            assert_int_equal(cairn_grid_elevation(a, x, y), cairn_grid_elevation(b, x, y));
        }
    }
    same_links(a, b);
}

static bytes grid_file(const cairn_grid *grid)
{
    cairn_store *store = NULL;
    CHECK_OK(cairn_store_create(cairn_grid_context(grid), &store));
    CHECK_OK(cairn_store_grid(store, grid));
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    return file;
}

static uint64_t hash_of(cairn_grid *grid, const cairn_profile *profile)
{
    cairn_space *space = NULL;
    cairn_error error = {0};
    CHECK(cairn_space_of_grid(grid, profile, &space, &error) == CAIRN_OK, "%s", error.text);
    uint64_t hash = cairn_space_hash(space);
    cairn_space_destroy(space);
    return hash;
}

/* ---- the container --------------------------------------------------------------------- */

static void the_hash_is_as_described_and_notices_every_bit(void **state)
{
    (void)state;
    uint8_t data[61];
    for (uint32_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 37 + 11);
    for (size_t size = 0; size <= sizeof data; size++) {
        uint64_t hash = crn_hash(data, size);
        assert_true(hash == plain_hash(data, size, SIZE_MAX));
        for (size_t bit = 0; bit < size * 8; bit++) {
            data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_true(crn_hash(data, size) != hash);
            data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
    /* The same on every machine. */
    assert_true(crn_hash("cairn", 5) == plain_hash((const uint8_t *)"cairn", 5, SIZE_MAX));
    CHECK(crn_hash("cairn", 5) == UINT64_C(0x866bef2970e4b7d1), "%llx",
          (unsigned long long)crn_hash("cairn", 5));
}

static void bytes_are_where_the_format_says(void **state)
{
    cairn_context *context = *state;
    const uint32_t numbers[] = {1, 0x01020304u};
    cairn_store *store = NULL;
    CHECK_OK(cairn_store_create(context, &store));
    assert_ptr_equal(cairn_store_context(store), context);
    CHECK_OK(cairn_store_add(store, "numbers", (cairn_bytes){numbers, sizeof numbers}, 4, false));
    CHECK_OK(cairn_store_add(store, "abcdefghijklmno", (cairn_bytes){"xyz", 3}, 1, true));
    bytes file = bytes_of(store), again = bytes_of(store);
    cairn_store_destroy(store);

    const uint8_t *f = file.data, *entry = f + 64, *second = entry + 48;
    assert_int_equal(file.size, 256 + 3);
    assert_memory_equal(f, "\211CRN\r\n\032\n", 8);
    assert_int_equal(plain_number(f + 8, 4), 1);
    assert_int_equal(plain_number(f + 12, 4), 2);
    assert_int_equal(plain_number(f + 16, 8), file.size);
    assert_true(plain_number(f + 24, 8) == plain_hash(f, 64 + 96, 24));
    for (uint32_t i = 32; i < 64; i++) assert_int_equal(f[i], 0);
    assert_memory_equal(entry, "numbers\0\0\0\0\0\0\0\0", 16);
    assert_int_equal(plain_number(entry + 16, 8), 192);
    assert_int_equal(plain_number(entry + 24, 8), 8);
    assert_true(plain_number(entry + 32, 8) == plain_hash(f + 192, 8, SIZE_MAX));
    assert_int_equal(plain_number(entry + 40, 8), 4);
    assert_memory_equal(second, "abcdefghijklmno", 16);
    assert_int_equal(plain_number(second + 16, 8), 256);
    assert_memory_equal(f + 192, "\1\0\0\0\4\3\2\1", 8);
    for (uint32_t i = 200; i < 256; i++) assert_int_equal(f[i], 0);
    assert_memory_equal(f + 256, "xyz", 3);
    assert_true(again.size == file.size && !memcmp(again.data, file.data, file.size));
    free(again.data), free(file.data);
}

static void sections_come_back_and_others_are_not_there(void **state)
{
    cairn_context *context = *state;
    bytes file = small_file(context);
    cairn_archive *archive = opened(context, &file);
    size_t size = 7;
    assert_memory_equal(cairn_archive_section(archive, "version", 1, &size), "0.1.0", 5);
    assert_int_equal(size, 5);
    assert_non_null(cairn_archive_section(archive, "nothing", 8, &size));
    assert_int_equal(size, 0);
    assert_null(cairn_archive_section(archive, "version", 2, &size));
    assert_null(cairn_archive_section(archive, "Version", 1, NULL));
    assert_null(cairn_archive_section(archive, "", 1, NULL));
    assert_true(cairn_archive_has(archive, "grid.links") &&
                !cairn_archive_has(archive, "grid.link"));
    const char *name;
    uint32_t count = 0;
    bool seen = false;
    for (; (name = cairn_archive_section_name(archive, count, &size)); count++) {
        assert_true(cairn_archive_has(archive, name));
        if (!strcmp(name, "version")) assert_int_equal(size, 5), seen = true;
    }
    assert_true(seen && count == plain_number((const uint8_t *)file.data + 12, 4) && size == 0);
    assert_null(cairn_archive_section_name(NULL, 0, NULL));
    assert_true(cairn_archive_begins((cairn_bytes){file.data, 4}) &&
                !cairn_archive_begins((cairn_bytes){file.data, 3}));
    assert_true(!cairn_archive_begins((cairn_bytes){"\x89PNG", 4}) &&
                !cairn_archive_begins((cairn_bytes){NULL, 0}));
    cairn_archive_close(archive);
    free(file.data);
    cairn_archive_close(NULL);
    cairn_store_destroy(NULL);
}

static void no_sections_at_all_are_a_file_too(void **state)
{
    cairn_context *context = *state;
    cairn_store *store = NULL;
    CHECK_OK(cairn_store_create(context, &store));
    bytes file = bytes_of(store);
    assert_int_equal(file.size, 64);
    cairn_archive *archive = opened(context, &file);
    cairn_grid *grid = NULL;
    cairn_error error;
    CHECK_STATUS(cairn_archive_grid(archive, &grid, &error), CAIRN_BAD_DATA);
    assert_non_null(strstr(error.text, "no grid"));
    cairn_archive_close(archive);
    cairn_store_destroy(store);
    free(file.data);
}

static void senseless_sections_are_not_taken(void **state)
{
    cairn_store *store = NULL;
    CHECK_STATUS(cairn_store_create(NULL, &store), CAIRN_INVALID);
    CHECK_STATUS(cairn_store_create(*state, NULL), CAIRN_INVALID);
    CHECK_OK(cairn_store_create(*state, &store));
    CHECK_OK(cairn_store_add(store, "one", (cairn_bytes){"1234", 4}, 1, false));
    static const char *const names[] = {"",    "one",   "sixteen letters!", "abcdefghijklmnop",
                                        "a b", "tab\t", "\303\244"};
    for (uint32_t i = 0; i < LENGTH(names); i++)
        CHECK_STATUS(cairn_store_add(store, names[i], (cairn_bytes){"1234", 4}, 1, false),
                     CAIRN_INVALID);
    static const uint32_t elements[] = {0, 3, 5, 16};
    for (uint32_t i = 0; i < LENGTH(elements); i++)
        CHECK_STATUS(cairn_store_add(store, "x", (cairn_bytes){"1234", 4}, elements[i], false),
                     CAIRN_INVALID);
    CHECK_STATUS(cairn_store_add(store, "x", (cairn_bytes){"1234", 3}, 2, false), CAIRN_INVALID);
    CHECK_STATUS(cairn_store_add(store, "x", (cairn_bytes){NULL, 4}, 1, false), CAIRN_INVALID);
    CHECK_STATUS(cairn_store_add(store, NULL, (cairn_bytes){"1234", 4}, 1, false), CAIRN_INVALID);
    CHECK_STATUS(cairn_store_write(store, NULL), CAIRN_INVALID);
    for (uint32_t i = 1; i < CAIRN_STORE_SECTIONS; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%u", i);
        CHECK_OK(cairn_store_add(store, name, (cairn_bytes){"1234", 4}, 4, true));
    }
    CHECK_STATUS(cairn_store_add(store, "x", (cairn_bytes){"1234", 4}, 1, false), CAIRN_INVALID);
    bytes file = bytes_of(store);
    cairn_archive_close(opened(*state, &file));
    cairn_store_destroy(store);
    free(file.data);
}

/* ---- damage ------------------------------------------------------------------------------ */

static void every_flipped_bit_is_noticed(void **state)
{
    bytes file = small_file(*state);
    for (size_t bit = 0; bit < file.size * 8; bit++) {
        file.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        refused(*state, file.data, file.size, 0, NULL);
        file.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    cairn_archive_close(opened(*state, &file));
    free(file.data);
}

static void every_shorter_and_longer_file_is_refused(void **state)
{
    bytes file = small_file(*state);
    for (size_t size = 0; size < file.size; size++) {
        uint8_t *cut = malloc(size + 1); /* so that a sanitizer sees what is read behind it */
        uint8_t *exact = size ? realloc(cut, size) : cut;
        if (!exact) abort();
        memcpy(exact, file.data, size);
        refused(*state, exact, size, 0,
                size < 8    ? "first 8 bytes"
                : size < 64 ? "header"
                            : "cut off");
        refused(*state, exact, size, CAIRN_ARCHIVE_UNVERIFIED, NULL);
        free(exact);
    }
    uint8_t *longer = calloc(file.size + 64, 1);
    if (!longer) abort();
    memcpy(longer, file.data, file.size);
    for (size_t more = 1; more <= 64; more++)
        refused(*state, longer, file.size + more, 0, "follow the end");
    free(longer);
    free(file.data);
}

static void an_unverified_file_still_has_a_sound_directory(void **state)
{
    cairn_context *context = *state;
    bytes file = small_file(context);
    size_t size = 0, directory = 64 + 48 * (size_t)plain_number(file.data + 12, 4);
    for (size_t bit = 0; bit < directory * 8; bit++) {
        file.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        refused(context, file.data, file.size, CAIRN_ARCHIVE_UNVERIFIED, NULL);
        file.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    /* Damage in a section is not looked for, but noticed by whoever makes a grid of it. */
    uint8_t *links = (uint8_t *)(uintptr_t)plain_section(file.data, "grid.links", &size);
    links[size - 1] ^= 0x40;
    cairn_archive *archive = NULL;
    CHECK_OK(cairn_archive_open(context, (cairn_bytes){file.data, file.size},
                                CAIRN_ARCHIVE_UNVERIFIED, &archive, NULL));
    assert_ptr_equal(cairn_archive_section(archive, "grid.links", 4, NULL), links);
    cairn_grid *grid = NULL;
    cairn_error error = {0};
    CHECK_STATUS(cairn_archive_grid(archive, &grid, &error), CAIRN_BAD_DATA);
    assert_null(grid);
    assert_non_null(strstr(error.text, "\"grid.links\" is damaged"));
    cairn_archive_close(archive);
    refused(context, file.data, file.size, 0, "\"grid.links\" is damaged");
    free(file.data);
}

static void put(uint8_t *at, uint64_t value, uint32_t bytes_of_it)
{
    for (uint32_t i = 0; i < bytes_of_it; i++) at[i] = (uint8_t)(value >> (8 * i));
}

/* Lies whose checksums are right. */
static void a_directory_that_lies_is_refused(void **state)
{
    static const struct {
        size_t at;
        uint32_t width;
        uint64_t value;
        const char *word;
    } lies[] = {
        {8, 4, 0, "version 0"},
        {8, 4, 3, "reads versions 1 to 2"},
        {12, 4, 1025, "at most 1024"},
        {12, 4, UINT32_MAX, "at most 1024"},
        {12, 4, 500, "within the directory"},
        {16, 8, UINT64_MAX, "cut off"},
        {16, 8, 0, "follow the end"},
        {12, 4, 0, "behind the last"},
        {12, 4, 3, "only place"},
        {40, 1, 1, "free bytes"},
        {63, 1, 1, "free bytes"},
        {64, 1, 0, "name"},
        {64, 1, ' ', "name"},
        {64 + 15, 1, 'x', "name"},
        {64 + 9, 1, 'x', "name"},
        {64, 8, UINT64_C(0x646e6f636573), "two sections"},
        {64 + 16, 8, 0, "only place"},
        {64 + 16, 8, 128, "only place"},
        {64 + 16, 8, 193, "only place"},
        {64 + 16, 8, 256, "only place"},
        {64 + 16, 8, UINT64_MAX - 63, "only place"},
        {64 + 24, 8, UINT64_MAX, "senseless"},
        {64 + 24, 8, UINT64_MAX - 3, "beyond the end"},
        {64 + 24, 8, UINT64_MAX / 2 - 3, "beyond the end"},
        {64 + 24, 8, 1000, "beyond the end"},
        {64 + 24, 8, 72, "only place"},
        {64 + 24, 8, 9, "senseless"},
        {64 + 24, 8, 4, NULL},
        {64 + 40, 4, 3, "senseless"},
        {64 + 40, 4, 0, "senseless"},
        {64 + 40, 4, 0x10004, "senseless"},
        {64 + 44, 4, 1, "senseless"},
        {160, 1, 1, "filling"},
        {255, 1, 0x80, "filling"},
    };
    cairn_store *store = NULL;
    CHECK_OK(cairn_store_create(*state, &store));
    CHECK_OK(cairn_store_add(store, "first", (cairn_bytes){"12345678", 8}, 4, false));
    CHECK_OK(cairn_store_add(store, "second", (cairn_bytes){"1234567890", 10}, 1, false));
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    assert_int_equal(file.size, 266);
    for (uint32_t i = 0; i < LENGTH(lies); i++) {
        bytes lie = bytes_copy(&file);
        put(lie.data + lies[i].at, lies[i].value, lies[i].width);
        plain_seal(lie.data, lie.size);
        if (lies[i].word) {
            refused(*state, lie.data, lie.size, 0, lies[i].word);
            refused(*state, lie.data, lie.size, CAIRN_ARCHIVE_UNVERIFIED, lies[i].word);
        } else { /* what was cut off the section is filling now, and must be zero */
            refused(*state, lie.data, lie.size, 0, "filling");
        }
        free(lie.data);
    }
    free(file.data);
}

/* ---- machines of the other kind, unaligned memory ------------------------------------------- */

static void the_other_order_of_bytes_gives_the_same_file(void **state)
{
    cairn_context *context = *state;
    uint8_t odd[] = {1, 2, 3, 4, 5, 6, 7, 8};
    crn_turn_bytes(odd, 8, 2);
    assert_memory_equal(odd, "\2\1\4\3\6\5\10\7", 8);
    crn_turn_bytes(odd, 8, 8);
    assert_memory_equal(odd, "\7\10\5\6\3\4\1\2", 8);
    crn_turn_bytes(odd, 8, 4);
    crn_turn_bytes(odd, 8, 1);
    assert_memory_equal(odd, "\6\5\10\7\2\1\4\3", 8);

    enum { COUNT = 5000 }; /* more than one piece */
    uint16_t plain[COUNT], turned[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) plain[i] = turned[i] = (uint16_t)(i * 31);
    crn_turn_bytes(turned, sizeof turned, 2);
    cairn_store *here = NULL, *there = NULL;
    CHECK_OK(cairn_store_create(context, &here));
    CHECK_OK(cairn_store_create(context, &there));
    there->turn = !here->turn;
    CHECK_OK(cairn_store_add(here, "x", (cairn_bytes){plain, sizeof plain}, 2, true));
    CHECK_OK(cairn_store_add(there, "x", (cairn_bytes){turned, sizeof turned}, 2, true));
    bytes a = bytes_of(here), b = bytes_of(there);
    assert_true(a.size == b.size && !memcmp(a.data, b.data, a.size));
    cairn_archive *archive = NULL;
    CHECK_OK(crn_archive_open(context, (cairn_bytes){a.data, a.size},
                              there->turn ? CRN_ARCHIVE_TURN : 0, &archive, NULL));
    assert_memory_equal(cairn_archive_section(archive, "x", 2, NULL), turned, sizeof turned);
    cairn_archive_close(archive);
    cairn_store_destroy(here), cairn_store_destroy(there);
    free(a.data), free(b.data);
}

static void unaligned_files_are_read_all_the_same(void **state)
{
    cairn_context *context = *state;
    cairn_grid *grid = cooked(context, &everything, 7);
    bytes file = grid_file(grid);
    uint8_t *moved = malloc(file.size + 8);
    if (!moved) abort();
    for (size_t shift = 0; shift < 8; shift++) {
        memmove(moved + shift, file.data, file.size);
        cairn_archive *archive = NULL;
        CHECK_OK(cairn_archive_open(context, (cairn_bytes){moved + shift, file.size}, 0, &archive,
                                    NULL));
        assert_int_equal((uintptr_t)cairn_archive_section(archive, "grid", 8, NULL) % 8, 0);
        cairn_grid *again = NULL;
        CHECK_OK(cairn_archive_grid(archive, &again, NULL));
        same_grid(grid, again);
        cairn_grid_destroy(again);
        cairn_archive_close(archive);
    }
    free(moved), free(file.data);
    cairn_grid_destroy(grid);
}

/* ---- worlds there and back
 * --------------------------------------------------------------------- */

static void random_grids_come_back(void **state)
{
    cairn_context *context = *state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        scene_rng rng = {seed * 977};
        recipe r = {1 + scene_random(&rng, seed % 10 ? 40 : 200),
                    1 + scene_random(&rng, 30),
                    CAIRN_LAYOUT_SQUARE,
                    scene_random(&rng, 2),
                    scene_random(&rng, 2),
                    scene_random(&rng, 2),
                    scene_random(&rng, 2) ? scene_random(&rng, 12) : 0};
        if (scene_random(&rng, 3) == 0) r.layout = CAIRN_LAYOUT_HEX;
        cairn_grid *grid = cooked(context, &r, seed), *again = NULL;
        bytes file = grid_file(grid);
        cairn_archive *archive = opened(context, &file);
        CHECK_OK(cairn_archive_grid(archive, &again, NULL));
        same_grid(grid, again);
        assert_int_equal(cairn_grid_version(again), 1);
        assert_true(hash_of(grid, NULL) == hash_of(again, NULL));
        bytes twice = grid_file(again);
        assert_true(twice.size == file.size && !memcmp(twice.data, file.data, file.size));
        cairn_archive_close(archive);
        cairn_grid_destroy(grid), cairn_grid_destroy(again);
        free(file.data), free(twice.data);
    }
}

/* Bit by bit, by the plain reader. */
static void the_cells_of_a_grid_are_where_the_format_says(void **state)
{
    cairn_context *context = *state;
    cairn_grid *grid = cooked(context, &everything, 3);
    bytes file = grid_file(grid);
    size_t size;
    const uint8_t *measures = plain_section(file.data, "grid", &size);
    assert_int_equal(size, 48);
    assert_int_equal(plain_number(measures, 8), 9);
    assert_int_equal(plain_number(measures + 8, 8), 3);
    assert_int_equal(plain_number(measures + 16, 8), 0);
    assert_true(plain_number(measures + 24, 8) == UINT64_C(0xc00a000000000000)); /* -3.25 */
    assert_true(plain_number(measures + 40, 8) == UINT64_C(0x3fe8000000000000)); /* 0.75 */
    const uint8_t *open = plain_section(file.data, "grid.open", &size);
    assert_int_equal(size, 6);
    const uint8_t *terrain = plain_section(file.data, "grid.terrain", &size);
    const uint8_t *layer = plain_section(file.data, "grid.layer", &size);
    assert_int_equal(size, 27);
    const uint8_t *elevation = plain_section(file.data, "grid.elevation", &size);
    assert_int_equal(size, 54);
    for (int32_t y = 0; y < 3; y++) {
        for (int32_t x = 0; x < 9; x++) {
            int32_t node = y * 9 + x;
            assert_int_equal(open[y * 2 + x / 8] >> x % 8 & 1, cairn_grid_is_open(grid, x, y));
            assert_int_equal(terrain[node], cairn_grid_terrain(grid, x, y));
            assert_int_equal(layer[node], cairn_grid_layer(grid, x, y));
            assert_int_equal((int16_t)plain_number(elevation + 2 * node, 2),
                             cairn_grid_elevation(grid, x, y));
        }
    }
    const uint8_t *links = plain_section(file.data, "grid.links", &size);
    assert_int_equal(size, 60);
    for (uint32_t i = 0; i < 3; i++) {
        cairn_link link = cairn_grid_link_at(grid, i);
        const uint8_t *at = links + (size_t)i * 20;
        assert_true(plain_number(at, 4) == link.from && plain_number(at + 4, 4) == link.to);
        assert_true(plain_number(at + 8, 4) == link.id && plain_number(at + 12, 4) == link.cost);
        assert_int_equal(plain_number(at + 16, 4), link.kind);
    }
    free(file.data);
    cairn_grid_destroy(grid);
}

/* Opens a file in which one section was overwritten, its checksums made right, and asks for what is
 * in it. */
static void refused_content(cairn_context *context, const bytes *file, const char *name, size_t at,
                            uint64_t value, uint32_t width, const char *word)
{
    bytes lie = bytes_copy(file);
    size_t size = 0;
    uint8_t *section = (uint8_t *)(uintptr_t)plain_section(lie.data, name, &size);
    CHECK(section && at + width <= size, "no such place in %s", name);
    put(section + at, value, width);
    plain_seal(lie.data, lie.size);
    cairn_archive *archive = opened(context, &lie);
    cairn_error error = {0};
    cairn_grid *grid = NULL;
    cairn_graph *graph = NULL;
    cairn_profile profile;
    cairn_query query;
    cairn_status status =
        !strncmp(name, "grid", 4)      ? cairn_archive_grid(archive, &grid, &error)
        : !strncmp(name, "graph", 5)   ? cairn_archive_graph(archive, &graph, &error)
        : !strncmp(name, "profile", 7) ? cairn_archive_profile(archive, &profile, &error)
                                       : cairn_archive_query(archive, &query, &error);
    CHECK(status == CAIRN_BAD_DATA, "%s at %u: %s", name, (unsigned)at, cairn_status_text(status));
    assert_true(!grid && !graph);
    CHECK(error.status == status && strstr(error.text, word), "\"%s\" does not say \"%s\"",
          error.text, word);
    cairn_archive_close(archive);
    free(lie.data);
}

static void worlds_that_make_no_sense_are_refused(void **state)
{
    static const uint64_t not_a_number = UINT64_C(0x7ff8000000000000),
                          infinite = UINT64_C(0x7ff0000000000000);
    const struct {
        const char *name;
        size_t at;
        uint64_t value;
        uint32_t width;
        const char *word;
    } lies[] = {
        {"grid", 0, 0, 8, "each side"},
        {"grid", 0, 32769, 8, "each side"},
        {"grid", 8, UINT64_C(1) << 32 | 3, 8, "each side"},
        {"grid", 0, 10, 8, "bytes long"},
        {"grid", 8, 4, 8, "bytes long"},
        {"grid", 16, 2, 8, "layout"},
        {"grid", 24, not_a_number, 8, "origin"},
        {"grid", 32, infinite, 8, "origin"},
        {"grid", 40, 0, 8, "cell size"},
        {"grid", 40, UINT64_C(0xbfe8000000000000), 8, "cell size"},
        {"grid.open", 1, 2, 1, "row 0"},
        {"grid.open", 5, 0x80, 1, "row 2"},
        {"grid.links", 0, 27, 4, "link 1"},
        {"grid.links", 24, UINT32_MAX, 4, "link 2"},
        {"grid.links", 16, 32, 4, "kind 32"},
        {"grid.links", 16, 256, 4, "kind 256"},
        {"graph", 0, not_a_number, 8, "unit"},
        {"graph", 0, 0, 8, "unit"},
        {"graph", 8, 2, 8, "unit"},
        {"graph.offsets", 0, 1, 4, "ascend"},
        {"graph.offsets", 4, 9, 4, "ascend"},
        {"graph.offsets", 8, 0, 4, "ascend"},
        {"graph.offsets", 12, 3, 4, "ascend"},
        {"graph.edges", 0, 3, 4, "edge"},
        {"graph.edges", 0, 0, 4, "itself"},
        {"graph.edges", 4, 0, 4, "weight"},
        {"graph.points", 8, not_a_number, 8, "finite"},
        {"profile", 0, 3, 8, "profile"},
        {"profile", 8, 3, 8, "profile"},
        {"profile", 16, 65536, 8, "profile"},
        {"profile", 24, 65536, 8, "profile"},
        {"profile", 32, UINT64_C(0x80000000), 8, "profile"},
        {"profile", 40, UINT64_C(0x80000000), 8, "profile"},
        {"profile", 48, 8, 8, "profile"},
        {"profile", 56, not_a_number, 8, "profile"},
        {"profile", 56, UINT64_C(0x4040800000000000), 8, "profile"}, /* 33 */
        {"profile", 56, UINT64_C(0xbff0000000000000), 8, "profile"}, /* -1 */
        {"profile", 64, 65, 8, "profile"},
        {"profile", 72, UINT64_C(1) << 32, 8, "profile"},
        {"query", 0, UINT64_C(1) << 32, 8, "query"},
        {"query", 8, UINT64_C(1) << 32, 8, "query"},
        {"query", 16, 4, 8, "query"},
        {"query", 24, not_a_number, 8, "query"},
        {"query", 32, UINT64_C(1) << 32, 8, "query"},
        {"query", 48, 2, 8, "query"},
    };
    bytes file = small_file(*state);
    for (uint32_t i = 0; i < LENGTH(lies); i++)
        refused_content(*state, &file, lies[i].name, lies[i].at, lies[i].value, lies[i].width,
                        lies[i].word);
    free(file.data);
}

/* A section that is missing, of another size or of other elements. */
static void worlds_with_wrong_sections_are_refused(void **state)
{
    cairn_context *context = *state;
    const uint64_t measures[] = {9, 3, 0, 0, 0, UINT64_C(0x3ff0000000000000)};
    const uint8_t cells[54] = {0};
    const struct {
        const char *name;
        size_t size;
        uint32_t element;
        const char *word;
    } wrong[] = {{"grid.open", 5, 1, "5 bytes long, not 6"},
                 {"grid.open", 6, 2, "2 bytes, not 1"},
                 {"grid.other", 6, 1, "no section \"grid.open\""},
                 {"grid.terrain", 26, 1, "26 bytes long"},
                 {"grid.layer", 28, 1, "28 bytes long"},
                 {"grid.elevation", 27, 1, "1 bytes, not 2"},
                 {"grid.links", 16, 4, "five numbers"}};
    for (uint32_t i = 0; i < LENGTH(wrong); i++) {
        cairn_store *store = NULL;
        CHECK_OK(cairn_store_create(context, &store));
        CHECK_OK(
            cairn_store_add(store, "grid", (cairn_bytes){measures, sizeof measures}, 8, false));
        CHECK_OK(cairn_store_add(store, wrong[i].name, (cairn_bytes){cells, wrong[i].size},
                                 wrong[i].element, false));
        if (i > 2) CHECK_OK(cairn_store_add(store, "grid.open", (cairn_bytes){cells, 6}, 1, false));
        bytes file = bytes_of(store);
        cairn_archive *archive = opened(context, &file);
        cairn_grid *grid = NULL;
        cairn_error error = {0};
        CHECK_STATUS(cairn_archive_grid(archive, &grid, &error), CAIRN_BAD_DATA);
        CHECK(strstr(error.text, wrong[i].word), "%s", error.text);
        cairn_archive_close(archive);
        cairn_store_destroy(store);
        free(file.data);
    }
}

static void profiles_and_queries_come_back(void **state)
{
    cairn_context *context = *state;
    bytes file = small_file(context);
    cairn_archive *archive = opened(context, &file);
    cairn_profile expected = odd_profile(), profile;
    CHECK_OK(cairn_archive_profile(archive, &profile, NULL));
    assert_int_equal(profile.neighbours, expected.neighbours);
    assert_int_equal(profile.corners, expected.corners);
    assert_memory_equal(profile.terrain_cost, expected.terrain_cost, sizeof profile.terrain_cost);
    assert_int_equal(profile.layer_weight, 300);
    assert_int_equal(profile.gradient, 65535);
    assert_int_equal(profile.max_climb, 12);
    assert_int_equal(profile.max_drop, CAIRN_ANY_STEP);
    assert_int_equal(profile.cost_scale, 5);
    assert_true(profile.radius == 1.25);
    assert_int_equal(profile.footprint, 0);
    assert_true(profile.links == 0x80000001u);
    cairn_query query;
    CHECK_OK(cairn_archive_query(archive, &query, NULL));
    assert_true(query.from == 1 && query.to == CAIRN_NO_NODE && query.goal_count == 3 &&
                query.partial);
    assert_true(query.goals[0] == 3 && query.goals[1] == 8 && query.goals[2] == CAIRN_NO_NODE);
    assert_true(query.goal_kind == CAIRN_GOAL_AT && query.radius == 0 && !query.max_cost &&
                !query.max_work);
    cairn_archive_close(archive);
    free(file.data);

    cairn_query full = {.from = 5,
                        .to = 6,
                        .goal_kind = CAIRN_GOAL_WITHIN,
                        .radius = 2.5,
                        .max_cost = CAIRN_COST_MAX};
    full.max_work = UINT64_MAX;
    profile = cairn_profile_default();
    cairn_store *store = NULL;
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_OK(cairn_store_query(store, &full));
    CHECK_OK(cairn_store_profile(store, &profile));
    file = bytes_of(store);
    archive = opened(context, &file);
    CHECK_OK(cairn_archive_query(archive, &query, NULL));
    assert_true(query.from == 5 && query.to == 6 && !query.goals &&
                query.goal_kind == CAIRN_GOAL_WITHIN);
    assert_true(query.radius == 2.5 && query.max_cost == CAIRN_COST_MAX &&
                query.max_work == UINT64_MAX);
    CHECK_OK(cairn_archive_profile(archive, &profile, NULL));
    assert_int_equal(profile.cost_scale, CAIRN_COST_SCALE_AUTO);
    cairn_archive_close(archive);
    cairn_store_destroy(store);
    free(file.data);
}

static cairn_cost no_estimate(void *user, cairn_node node)
{
    (void)user, (void)node;
    return 0;
}

static void each_thing_fits_a_file_once(void **state)
{
    cairn_context *context = *state;
    cairn_grid *grid = cooked(context, &everything, 1);
    cairn_profile profile = cairn_profile_default();
    cairn_query query = {.estimate = no_estimate};
    cairn_store *store = NULL;
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_STATUS(cairn_store_query(store, &query), CAIRN_UNSUPPORTED);
    query.estimate = NULL;
    CHECK_OK(cairn_store_grid(store, grid));
    CHECK_OK(cairn_store_profile(store, &profile));
    CHECK_OK(cairn_store_query(store, &query));
    bytes before = bytes_of(store);
    CHECK_STATUS(cairn_store_grid(store, grid), CAIRN_INVALID);
    CHECK_STATUS(cairn_store_profile(store, &profile), CAIRN_INVALID);
    CHECK_STATUS(cairn_store_query(store, &query), CAIRN_INVALID);
    bytes after = bytes_of(store);
    assert_true(before.size == after.size && !memcmp(before.data, after.data, before.size));
    free(before.data), free(after.data);
    cairn_store_destroy(store);
    /* All or nothing: a name in the way of the last section takes the first ones back too. */
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_OK(cairn_store_add(store, "grid.links", (cairn_bytes){"1234", 4}, 4, false));
    CHECK_STATUS(cairn_store_grid(store, grid), CAIRN_INVALID);
    before = bytes_of(store);
    assert_int_equal(plain_number(before.data + 12, 4), 1);
    free(before.data);
    cairn_store_destroy(store);
    cairn_grid_destroy(grid);
}

/* ---- graphs
 * --------------------------------------------------------------------------------------- */

static uint64_t graph_hash(cairn_graph *graph)
{
    cairn_space *space = NULL;
    CHECK_OK(cairn_space_of_graph(graph, &space, NULL));
    uint64_t hash = cairn_space_hash(space);
    cairn_space_destroy(space);
    return hash;
}

static cairn_graph *graph_again(cairn_context *context, const cairn_graph *graph)
{
    cairn_store *store = NULL;
    cairn_graph *again = NULL;
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_OK(cairn_store_graph(store, graph));
    bytes file = bytes_of(store);
    cairn_archive *archive = opened(context, &file);
    CHECK_OK(cairn_archive_graph(archive, &again, NULL));
    cairn_archive_close(archive);
    cairn_store_destroy(store);
    free(file.data);
    return again;
}

static void graphs_come_back(void **state)
{
    cairn_context *context = *state;
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        cairn_graph *graph = NULL;
        CHECK_OK(graph_scene_graph(s, context, &graph));
        cairn_graph *again = graph_again(context, graph);
        assert_int_equal(cairn_graph_node_count(graph), cairn_graph_node_count(again));
        assert_int_equal(cairn_graph_edge_count(graph), cairn_graph_edge_count(again));
        assert_int_equal(cairn_graph_has_positions(graph), cairn_graph_has_positions(again));
        for (cairn_node n = 0; n < cairn_graph_node_count(graph); n++) {
            assert_int_equal(cairn_graph_degree(graph, n), cairn_graph_degree(again, n));
            for (uint32_t e = 0; e < cairn_graph_degree(graph, n); e++) {
                cairn_graph_edge a = cairn_graph_edge_at(graph, n, e),
                                 b = cairn_graph_edge_at(again, n, e);
                assert_true(a.to == b.to && a.weight == b.weight);
            }
            assert_true(cairn_graph_position(graph, n).x == cairn_graph_position(again, n).x);
            assert_true(cairn_graph_position(graph, n).y == cairn_graph_position(again, n).y);
        }
        assert_true(graph_hash(graph) == graph_hash(again));
        cairn_graph_destroy(graph), cairn_graph_destroy(again);
        graph_scene_destroy(s);
    }
}

/* The format version of a file with a graph. */
static uint64_t graph_file_version(cairn_context *context, const cairn_graph *graph)
{
    cairn_store *store = NULL;
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_OK(cairn_store_graph(store, graph));
    bytes file = bytes_of(store);
    uint64_t version = plain_number(file.data + 8, 4);
    cairn_store_destroy(store);
    free(file.data);
    return version;
}

static void heights_of_graphs_come_back(void **state)
{
    const cairn_graph_edge edges[] = {{0, 1, 5}, {1, 2, 6}};
    cairn_position places[] = {{0, 0, 0}, {1.5, 0, -7}, {0, -2, 0.25}};
    cairn_graph_options options = {
        .node_count = 3, .edge_count = 2, .edges = edges, .positions = places};
    cairn_graph *graph = NULL;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    cairn_graph *again = graph_again(*state, graph);
    for (cairn_node n = 0; n < 3; n++) {
        cairn_position at = cairn_graph_position(again, n);
        assert_true(at.x == places[n].x && at.y == places[n].y && at.z == places[n].z);
    }
    uint64_t hash = graph_hash(graph);
    assert_true(hash == graph_hash(again));
    assert_int_equal(graph_file_version(*state, graph), 2);
    cairn_graph_destroy(graph), cairn_graph_destroy(again);
    /* Another height is another world; a flat one is read by those who know no heights. */
    places[1].z = 7;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    assert_true(hash != graph_hash(graph));
    cairn_graph_destroy(graph);
    places[1].z = places[2].z = 0;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    assert_int_equal(graph_file_version(*state, graph), 1);
    cairn_graph_destroy(graph);
}

static void heights_without_a_place_are_refused(void **state)
{
    const uint64_t words[] = {UINT64_C(0x3ff0000000000000), 1};
    const uint32_t offsets[] = {0, 0, 0};
    const double numbers[] = {1, 2, 3, 4};
    for (uint32_t points = 0; points < 2; points++) {
        cairn_store *store = NULL;
        CHECK_OK(cairn_store_create(*state, &store));
        CHECK_OK(cairn_store_add(store, "graph", (cairn_bytes){words, sizeof words}, 8, false));
        CHECK_OK(cairn_store_add(store, "graph.offsets", (cairn_bytes){offsets, sizeof offsets}, 4,
                                 false));
        CHECK_OK(cairn_store_add(store, "graph.edges", (cairn_bytes){NULL, 0}, 4, false));
        if (points)
            CHECK_OK(cairn_store_add(store, "graph.points", (cairn_bytes){numbers, sizeof numbers},
                                     8, false));
        CHECK_OK(cairn_store_add(store, "graph.heights", (cairn_bytes){numbers, points ? 8 : 16}, 8,
                                 false));
        bytes file = bytes_of(store);
        cairn_archive *archive = opened(*state, &file);
        cairn_graph *graph = NULL;
        cairn_error error = {0};
        CHECK_STATUS(cairn_archive_graph(archive, &graph, &error), CAIRN_BAD_DATA);
        CHECK(strstr(error.text, "positions"), "%s", error.text);
        cairn_archive_close(archive);
        cairn_store_destroy(store);
        free(file.data);
    }
}

static void ends_that_are_positions_come_back(void **state)
{
    for (uint32_t ends = 0; ends < 5; ends++) {
        cairn_query query = {.from = 3, .to = 4, .by_position = ends}, again;
        query.from_position = (cairn_position){1.5, -2, 3};
        query.to_position = (cairn_position){4, 5, -6.25};
        cairn_store *store = NULL;
        CHECK_OK(cairn_store_create(*state, &store));
        CHECK_OK(cairn_store_query(store, &query));
        bytes file = bytes_of(store);
        assert_int_equal(plain_number(file.data + 8, 4), ends ? 2 : 1);
        cairn_archive *archive = opened(*state, &file);
        CHECK_STATUS(cairn_archive_query(archive, &again, NULL),
                     ends < 4 ? CAIRN_OK : CAIRN_BAD_DATA);
        if (ends && ends < 4) {
            assert_int_equal(again.by_position, ends);
            assert_memory_equal(&again.from_position, &query.from_position,
                                sizeof query.from_position);
            assert_memory_equal(&again.to_position, &query.to_position, sizeof query.to_position);
        }
        cairn_archive_close(archive);
        cairn_store_destroy(store);
        free(file.data);
    }
}

static void weights_that_were_doubles_keep_their_unit(void **state)
{
    const cairn_graph_edge edges[] = {{0, 1, 0}, {1, 0, 0}};
    const double weights[] = {0.1, 2.0 / 3};
    cairn_graph_options options = {
        .node_count = 2, .edge_count = 2, .edges = edges, .weights = weights, .unit = 1000.5};
    cairn_graph *graph = NULL;
    CHECK_OK(cairn_graph_create(*state, &options, &graph, NULL));
    cairn_graph *again = graph_again(*state, graph);
    assert_true(cairn_graph_unit(again) == 1000.5);
    assert_true(graph_hash(graph) == graph_hash(again));
    assert_int_equal(cairn_graph_edge_at(again, 1, 0).weight,
                     cairn_graph_edge_at(graph, 1, 0).weight);
    cairn_graph_destroy(graph), cairn_graph_destroy(again);
}

/* ---- failure at every point
 * ------------------------------------------------------------------------ */

static void a_writer_that_fails_ends_it(void **state)
{
    cairn_context *context = *state;
    cairn_grid *grid = cooked(context, &everything, 1);
    cairn_store *store = NULL;
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_OK(cairn_store_grid(store, grid));
    bytes whole = bytes_of(store);
    for (uint32_t call = 1; call <= whole.calls; call++) {
        bytes b = {.fail_at = call};
        cairn_writer writer = {bytes_write, &b};
        CHECK_STATUS(cairn_store_write(store, &writer), CAIRN_FILE_ERROR);
        assert_int_equal(b.calls, call);
        free(b.data);
    }
    free(whole.data);
    cairn_store_destroy(store);
    cairn_grid_destroy(grid);
}

static cairn_status store_and_read(cairn_context *context, const cairn_grid *grid,
                                   const cairn_graph *graph)
{
    cairn_store *store = NULL;
    cairn_archive *archive = NULL;
    cairn_grid *again = NULL;
    cairn_graph *other = NULL;
    bytes file = {0};
    cairn_writer writer = {bytes_write, &file};
    cairn_error error = {0};
    cairn_status status = cairn_store_create(context, &store);
    if (!status) status = cairn_store_grid(store, grid);
    if (!status) status = cairn_store_graph(store, graph);
    if (!status) status = cairn_store_write(store, &writer);
    if (!status)
        status =
            crn_archive_open(context, (cairn_bytes){file.data, file.size}, 0, &archive, &error);
    if (!status) status = cairn_archive_grid(archive, &again, &error);
    if (!status) status = cairn_archive_graph(archive, &other, &error);
    if (!status) same_grid(grid, again);
    cairn_grid_destroy(again);
    cairn_graph_destroy(other);
    cairn_archive_close(archive);
    /* Numbers copied and turned round: more memory to be refused. */
    if (!status) {
        status = crn_archive_open(context, (cairn_bytes){file.data, file.size}, CRN_ARCHIVE_TURN,
                                  &archive, &error);
        cairn_archive_close(archive);
    }
    cairn_store_destroy(store);
    free(file.data);
    return status;
}

static void memory_may_fail_at_every_point(void **state)
{
    cairn_context *plain = *state;
    cairn_grid *grid = cooked(plain, &everything, 5);
    graph_scene *s = graph_scene_at(0);
    cairn_graph *graph = NULL;
    CHECK_OK(graph_scene_graph(s, plain, &graph));
    watched w = {0};
    cairn_context *context = NULL;
    CHECK_OK(watched_context(&w, &context));
    size_t empty = w.bytes;
    uint64_t before = w.calls;
    CHECK_OK(store_and_read(context, grid, graph));
    uint64_t calls = w.calls - before;
    assert_true(calls > 20);
    for (uint64_t at = 1; at <= calls; at++) {
        w.fail_at = w.calls + at;
        CHECK_STATUS(store_and_read(context, grid, graph), CAIRN_OUT_OF_MEMORY);
        assert_int_equal(w.bytes, empty);
    }
    assert_false(w.wrong_size);
    cairn_context_destroy(context);
    cairn_graph_destroy(graph);
    graph_scene_destroy(s);
    cairn_grid_destroy(grid);
}

/* ---- identity
 * ---------------------------------------------------------------------------------------- */

typedef struct hashes {
    uint64_t seen[1024];
    uint32_t count;
} hashes;

static void fresh(hashes *h, uint64_t hash, const char *what)
{
    for (uint32_t i = 0; i < h->count; i++)
        CHECK(h->seen[i] != hash, "%s: the hash was there before", what);
    assert_true(h->count < LENGTH(h->seen));
    h->seen[h->count++] = hash;
}

static void every_change_of_the_world_changes_the_hash(void **state)
{
    cairn_grid *grid = cooked(*state, &everything, 11);
    hashes h = {0};
    fresh(&h, hash_of(grid, NULL), "start");
    for (int32_t y = 0; y < 3; y++) {
        for (int32_t x = 0; x < 9; x++) {
            cairn_grid_set_open(grid, x, y, !cairn_grid_is_open(grid, x, y));
            CHECK_OK(cairn_grid_commit(grid));
            fresh(&h, hash_of(grid, NULL), "open");
            cairn_grid_set_terrain(grid, x, y, (uint8_t)(cairn_grid_terrain(grid, x, y) + 1));
            CHECK_OK(cairn_grid_commit(grid));
            fresh(&h, hash_of(grid, NULL), "terrain");
            cairn_grid_set_layer(grid, x, y, (uint8_t)(cairn_grid_layer(grid, x, y) + 1));
            CHECK_OK(cairn_grid_commit(grid));
            fresh(&h, hash_of(grid, NULL), "layer");
            cairn_grid_set_elevation(grid, x, y, (int16_t)(cairn_grid_elevation(grid, x, y) ^ 1));
            CHECK_OK(cairn_grid_commit(grid));
            fresh(&h, hash_of(grid, NULL), "elevation");
        }
    }
    const cairn_link links[] = {{1, 2, 77, 9, 0}, {1, 3, 77, 9, 0}, {2, 3, 77, 9, 0},
                                {1, 2, 78, 9, 0}, {1, 2, 77, 8, 0}, {1, 2, 77, 9, 1}};
    for (uint32_t i = 0; i < LENGTH(links); i++) {
        CHECK_OK(cairn_grid_add_link(grid, &links[i]));
        CHECK_OK(cairn_grid_commit(grid));
        fresh(&h, hash_of(grid, NULL), "link");
        CHECK_OK(cairn_grid_remove_links(grid, links[i].id));
        CHECK_OK(cairn_grid_commit(grid));
        assert_true(hash_of(grid, NULL) == h.seen[h.count - 2 - i]);
    }
    cairn_grid_destroy(grid);
}

static cairn_profile stored_profile(cairn_context *context, const cairn_profile *profile,
                                    uint32_t *version)
{
    cairn_store *store = NULL;
    cairn_profile again;
    CHECK_OK(cairn_store_create(context, &store));
    CHECK_OK(cairn_store_profile(store, profile));
    bytes file = bytes_of(store);
    cairn_store_destroy(store);
    *version = file.data[8];
    cairn_archive *archive = opened(context, &file);
    CHECK_OK(cairn_archive_profile(archive, &again, NULL));
    cairn_archive_close(archive);
    free(file.data);
    return again;
}

/* Only what old readers do not know makes a file of a newer version. */
static void terrain_costs_come_back_to_the_256th(void **state)
{
    cairn_profile profile = odd_profile(), again;
    uint32_t version;
    again = stored_profile(*state, &profile, &version);
    assert_int_equal(version, 1);
    assert_memory_equal(again.terrain_cost, profile.terrain_cost, sizeof again.terrain_cost);
    for (uint32_t first = 0; first <= UINT16_MAX; first += 4096) {
        for (uint32_t i = 0; i < 256; i++)
            profile.terrain_cost[i] = (uint16_t)(first + i * 257 % 4096);
        again = stored_profile(*state, &profile, &version);
        assert_int_equal(version, 2);
        assert_memory_equal(again.terrain_cost, profile.terrain_cost, sizeof again.terrain_cost);
    }
    profile = cairn_profile_default(), profile.terrain_cost[255] = UINT16_MAX;
    again = stored_profile(*state, &profile, &version);
    assert_memory_equal(again.terrain_cost, profile.terrain_cost, sizeof again.terrain_cost);
}

static void every_field_of_the_profile_changes_the_hash(void **state)
{
    const recipe plain = {6, 5, CAIRN_LAYOUT_SQUARE, false, false, false, 0};
    cairn_grid *grid = cooked(*state, &plain, 2);
    cairn_profile base = cairn_profile_default(), p;
    hashes h = {0};
    base.cost_scale = 3;
    fresh(&h, hash_of(grid, &base), "start");
    for (uint32_t i = 0; i < 256; i++) {
        p = base, p.terrain_cost[i] = (uint16_t)(p.terrain_cost[i] + 256);
        fresh(&h, hash_of(grid, &p), "terrain cost");
        p = base, p.terrain_cost[i] = (uint16_t)(p.terrain_cost[i] + 1);
        fresh(&h, hash_of(grid, &p), "terrain cost, a 256th");
    }
    p = base, p.neighbours = CAIRN_NEIGHBOURS_4, fresh(&h, hash_of(grid, &p), "neighbours");
    p = base, p.corners = CAIRN_CORNERS_ONE, fresh(&h, hash_of(grid, &p), "corners");
    p = base, p.corners = CAIRN_CORNERS_ALWAYS, fresh(&h, hash_of(grid, &p), "corners");
    p = base, p.layer_weight = 1, fresh(&h, hash_of(grid, &p), "layer weight");
    p = base, p.gradient = 1, fresh(&h, hash_of(grid, &p), "gradient");
    p = base, p.max_climb = 1, fresh(&h, hash_of(grid, &p), "climb");
    p = base, p.max_drop = 1, fresh(&h, hash_of(grid, &p), "drop");
    p = base, p.cost_scale = 4, fresh(&h, hash_of(grid, &p), "cost-scale");
    p = base, p.radius = 1, fresh(&h, hash_of(grid, &p), "radius");
    p = base, p.footprint = 2, fresh(&h, hash_of(grid, &p), "footprint");
    p = base, p.links = 1, fresh(&h, hash_of(grid, &p), "links");
    cairn_grid_destroy(grid);
}

static void the_hash_knows_no_history(void **state)
{
    cairn_context *context = *state;
    const recipe plain = {13, 7, CAIRN_LAYOUT_SQUARE, false, false, false, 0};
    cairn_grid *a = cooked(context, &plain, 4), *b = cooked(context, &plain, 4);
    const cairn_link link = {1, 9, 5, 6, 7};
    /* There and back again: planes exist now, and say nothing. */
    cairn_grid_set_open(a, 3, 3, !cairn_grid_is_open(a, 3, 3));
    cairn_grid_set_terrain(a, 1, 1, 9), cairn_grid_set_layer(a, 1, 1, 9),
        cairn_grid_set_elevation(a, 1, 1, 9);
    CHECK_OK(cairn_grid_add_link(a, &link));
    CHECK_OK(cairn_grid_commit(a));
    assert_true(hash_of(a, NULL) != hash_of(b, NULL));
    cairn_grid_set_open(a, 3, 3, !cairn_grid_is_open(a, 3, 3));
    cairn_grid_set_terrain(a, 1, 1, 0), cairn_grid_set_layer(a, 1, 1, 0),
        cairn_grid_set_elevation(a, 1, 1, 0);
    CHECK_OK(cairn_grid_remove_links(a, 5));
    CHECK_OK(cairn_grid_commit(a));
    assert_true(hash_of(a, NULL) == hash_of(b, NULL));
    bytes x = grid_file(a), y = grid_file(b);
    assert_true(x.size == y.size && !memcmp(x.data, y.data, x.size));
    free(x.data), free(y.data);
    cairn_grid_destroy(a), cairn_grid_destroy(b);
}

/* The same bytes and hashes on every machine. */
static void a_fixed_scene_has_fixed_hashes(void **state)
{
    cairn_grid *grid = cooked(*state, &everything, 42);
    bytes file = grid_file(grid);
    cairn_profile profile = odd_profile();
    uint64_t bytes_hash = crn_hash(file.data, file.size), space_hash = hash_of(grid, &profile);
    CHECK(bytes_hash == UINT64_C(0x7d7651526b88ace9), "the file's is %llx",
          (unsigned long long)bytes_hash);
    CHECK(space_hash == UINT64_C(0xfe2f977ad7f6b3f1), "the space's is %llx",
          (unsigned long long)space_hash);
    free(file.data);
    cairn_grid_destroy(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, context_set_up, context_tear_down)
        CASE(the_hash_is_as_described_and_notices_every_bit),
        CASE(bytes_are_where_the_format_says),
        CASE(sections_come_back_and_others_are_not_there),
        CASE(no_sections_at_all_are_a_file_too),
        CASE(senseless_sections_are_not_taken),
        CASE(every_flipped_bit_is_noticed),
        CASE(every_shorter_and_longer_file_is_refused),
        CASE(an_unverified_file_still_has_a_sound_directory),
        CASE(a_directory_that_lies_is_refused),
        CASE(the_other_order_of_bytes_gives_the_same_file),
        CASE(unaligned_files_are_read_all_the_same),
        CASE(random_grids_come_back),
        CASE(the_cells_of_a_grid_are_where_the_format_says),
        CASE(worlds_that_make_no_sense_are_refused),
        CASE(worlds_with_wrong_sections_are_refused),
        CASE(profiles_and_queries_come_back),
        CASE(terrain_costs_come_back_to_the_256th),
        CASE(each_thing_fits_a_file_once),
        CASE(graphs_come_back),
        CASE(heights_of_graphs_come_back),
        CASE(heights_without_a_place_are_refused),
        CASE(ends_that_are_positions_come_back),
        CASE(weights_that_were_doubles_keep_their_unit),
        CASE(a_writer_that_fails_ends_it),
        CASE(memory_may_fail_at_every_point),
        CASE(every_change_of_the_world_changes_the_hash),
        CASE(every_field_of_the_profile_changes_the_hash),
        CASE(the_hash_knows_no_history),
        CASE(a_fixed_scene_has_fixed_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
