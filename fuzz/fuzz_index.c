/* fuzz_index.c: damaged indexes. For each algorithm that needs one an index is built for several
 * worlds and saved; the input says which one, and which bytes of the file are to be other ones (two
 * bytes for the place, one for the value; the last place shortens the file). The input's length
 * says whether tables are used where they are, and whether its last byte is the number of a request
 * for memory that is refused. Checksums are made right, then the file is loaded. What is refused
 * must say why; with what is accepted, searches must end and paths be legal, whatever the tables
 * say.
 *
 * The worlds are large enough for several clusters, sectors and levels, and have what changes the
 * format of a file: terrain, links, one-way steps, hexagons, an agent with a size, a graph.
 */
#include "scenes.h"
#include "seal.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORLDS = 7, MOST = 256, LARGEST = 1 << 16 }; /* planners in all, bytes of a file */

static void require(bool condition)
{
    if (!condition) abort();
}

/* Memory of which one request is refused, perhaps. */
static uint32_t requests, refused_at; /* counted from 1; 0 = none */

static void *allocate(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user, (void)old_size;
    if (new_size && refused_at && ++requests == refused_at) return NULL;
    if (new_size) return realloc(old, new_size);
    free(old);
    return NULL;
}

typedef struct output {
    uint8_t data[LARGEST];
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

/* The spaces, and for each algorithm with an index, in each that it serves, the file of it. Files
 * are made when they are first asked for. */
typedef struct world {
    cairn_context *context;
    cairn_space *spaces[WORLDS];
    uint32_t count;
    uint32_t space[MOST];
    const char *specs[MOST];
    output *files[MOST];
} world;

/* Empty if the algorithm does not serve the space. */
static output *save(const world *w, cairn_space *space, const char *spec)
{
    cairn_planner *planner = NULL;
    cairn_store *store = NULL;
    output *out = calloc(1, sizeof *out);
    cairn_writer writer = {output_write, out};
    require(out != NULL);
    if (cairn_planner_create(space, spec, &planner, NULL) != CAIRN_OK) return out;
    require(cairn_planner_build(planner, NULL, NULL) == CAIRN_OK);
    require(cairn_store_create(w->context, &store) == CAIRN_OK);
    require(cairn_planner_save(planner, store, NULL) == CAIRN_OK);
    require(cairn_store_write(store, &writer) == CAIRN_OK);
    cairn_store_destroy(store);
    cairn_planner_destroy(planner);
    return out;
}

/* ---- the worlds ---- */

static scene *scene_of(uint32_t i)
{
    static const char map[] =
        "..........\n.###.####.\n.#......#.\n.#.####.#.\n...#..#...\n.#.#..#.#.\n.#......#.\n";
    scene *s = i == 0 ? scene_of_text("small", map) : scene_rooms("rooms", 31, 24, 6, i);
    if (i == 2) scene_add_terrain(s, 5);
    if (i == 3) scene_add_links(s, 9, 300, 3000, false, 5);
    if (i == 4) scene_make_hex(s);
    if (i == 5) scene_add_cliffs(s, 5);
    if (i == 4) s->profile.radius = 0.4;
    return s;
}

static cairn_space *space_of_scene(cairn_context *context, uint32_t i)
{
    scene *s = scene_of(i);
    cairn_grid *grid = NULL;
    cairn_space *space = NULL;
    require(scene_grid(s, context, &grid) == CAIRN_OK);
    require(cairn_space_of_grid(grid, &s->profile, &space, NULL) == CAIRN_OK);
    cairn_grid_destroy(grid);
    scene_destroy(s);
    return space;
}

static cairn_space *space_of_graph(cairn_context *context)
{
    graph_scene *s = graph_scene_at(5);
    cairn_graph *graph = NULL;
    cairn_space *space = NULL;
    require(graph_scene_graph(s, context, &graph) == CAIRN_OK);
    require(cairn_space_of_graph(graph, &space, NULL) == CAIRN_OK);
    cairn_graph_destroy(graph);
    graph_scene_destroy(s);
    return space;
}

/* These come first and in this order, so that inputs mean the same when algorithms are added. */
static const char *const known[] = {
    "alt", "cluster-table", "jps-plus", "hpa", "dhpa", "pra", "mm", "hierarchical-astar",
    /* what only a parameter adds to a file, and more of it in a small world */
    "jps-plus:boxes=on", "hpa:size=5,levels=2", "hpa:size=6,entrances=tiers", "dhpa:size=5",
    "mm:sector=4,levels=3", "mm:sector=5,centres=optimised", "alt:landmarks=2",
    "cluster-table:size=5", "hierarchical-astar:levels=3,radius=2", "hpa:size=5,levels=3,growth=2"};

enum { KNOWN = sizeof known / sizeof *known };

static void add_planner(world *w, uint32_t space, const char *spec)
{
    require(w->count < MOST);
    w->space[w->count] = space;
    w->specs[w->count++] = spec;
}

static bool is_known(const char *name)
{
    for (uint32_t i = 0; i < KNOWN; i++) {
        if (!strcmp(known[i], name)) return true;
    }
    return false;
}

static void make_world(world *w)
{
    cairn_context_options options = cairn_context_defaults();
    options.allocate = allocate;
    require(cairn_context_create(&options, &w->context) == CAIRN_OK);
    for (uint32_t i = 0; i < WORLDS; i++) {
        w->spaces[i] = i + 1 < WORLDS ? space_of_scene(w->context, i) : space_of_graph(w->context);
        for (uint32_t k = 0; k < KNOWN; k++) add_planner(w, i, known[k]);
    }
    for (uint32_t a = 0; a < cairn_algorithm_count(); a++) {
        const cairn_algorithm *info = cairn_algorithm_at(a);
        bool more = (info->flags & CAIRN_NEEDS_INDEX) && !is_known(info->name);
        for (uint32_t i = 0; more && i < WORLDS; i++) add_planner(w, i, info->name);
    }
}

/* ---- one file ---- */

static void search(cairn_planner *planner)
{
    const cairn_space *space = cairn_planner_space(planner);
    uint32_t nodes = cairn_space_node_count(space);
    cairn_search *search = NULL;
    const cairn_path *path;
    require(cairn_search_create(planner, NULL, &search) == CAIRN_OK);
    for (cairn_node from = 0; from < nodes; from += 7 + nodes / 20) {
        cairn_query query = {.from = from, .to = nodes - 1 - from};
        cairn_status status = cairn_search_find(search, &query, &path);
        require(status == CAIRN_FOUND || path->count == 0);
        if (status == CAIRN_FOUND) require(cairn_path_valid(space, path, NULL, NULL, NULL));
    }
    cairn_search_destroy(search);
}

static void load(const world *w, uint32_t which, const output *file, bool borrow, uint8_t refuse)
{
    cairn_planner *planner = NULL;
    cairn_archive *archive = NULL;
    cairn_error error = {0};
    cairn_space *space = w->spaces[w->space[which]];
    require(cairn_planner_create(space, w->specs[which], &planner, NULL) == CAIRN_OK);
    cairn_status status =
        cairn_archive_open(w->context, (cairn_bytes){file->data, file->size}, 0, &archive, &error);
    requests = 0;
    refused_at = refuse;
    if (!status) status = cairn_planner_load(planner, archive, borrow, &error);
    bool lacking = refuse && requests >= refuse;
    refused_at = 0;
    require(!status || (status == CAIRN_OUT_OF_MEMORY && lacking) ||
            ((status == CAIRN_BAD_DATA || status == CAIRN_STALE) && error.text[0]));
    if (!status) search(planner);
    cairn_planner_destroy(planner);
    cairn_archive_close(archive);
}

/* The last section, and the file, end so many eighths earlier. */
static void shorten(output *out, uint32_t eighths)
{
    uint64_t sections = seal_get(out->data + 12, 4);
    if (!sections || sections > 64) return;
    uint8_t *entry = out->data + CRN_STORE_HEADER + (sections - 1) * CRN_STORE_ENTRY;
    uint64_t length = seal_get(entry + 24, 8), cut = 8 * (uint64_t)eighths;
    if (cut > length || length > out->size) return;
    seal_put(entry + 24, length - cut);
    out->size -= (size_t)cut;
}

static void damage(output *out, const uint8_t *change)
{
    size_t at = change[0] | (size_t)change[1] << 8;
    if (at == UINT16_MAX)
        shorten(out, change[2]);
    else
        out->data[at % out->size] = change[2];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static world w;
    if (!size) return 0;
    if (!w.context) make_world(&w);
    uint32_t which = data[0] % w.count;
    if (!w.files[which]) w.files[which] = save(&w, w.spaces[w.space[which]], w.specs[which]);
    if (!w.files[which]->size) return 0;
    size_t before = cairn_context_memory(w.context).bytes;
    output *out = malloc(sizeof *out);
    require(out != NULL);
    *out = *w.files[which];
    for (size_t i = 1; i + 2 < size; i += 3) damage(out, data + i);
    seal(out->data, out->size);
    load(&w, which, out, size & 1, size % 3 ? 0 : data[size - 1]);
    require(cairn_context_memory(w.context).bytes == before);
    free(out);
    return 0;
}
