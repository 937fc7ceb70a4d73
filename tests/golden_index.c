/* golden_index.c: golden lines of indexes as they are saved, and of what overlays show of them. */
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- saved ---- */

typedef struct index_file {
    uint8_t *bytes;
    size_t size, capacity;
} index_file;

static cairn_status index_write(void *user, const void *data, size_t size)
{
    index_file *file = user;
    if (file->size + size > file->capacity) {
        file->capacity = 2 * (file->size + size);
        file->bytes = realloc(file->bytes, file->capacity);
        if (!file->bytes) abort();
    }
    if (size) memcpy(file->bytes + file->size, data, size);
    file->size += size;
    return CAIRN_OK;
}

/* The numbers of a section, whatever their size. */
static uint64_t index_section(const cairn_archive *archive, const char *name, uint64_t hash)
{
    for (uint32_t element = 1; element <= 8; element *= 2) {
        size_t size = 0;
        const uint8_t *bytes = cairn_archive_section(archive, name, element, &size);
        if (!bytes) continue;
        hash = golden_bytes(golden_bytes(hash, element, 4), size, 8);
        for (size_t i = 0; i < size; i++) hash = golden_bytes(hash, bytes[i], 1);
    }
    return hash;
}

/* Names of sections may change; their order may not. */
static uint64_t index_sections(const cairn_archive *archive)
{
    uint64_t hash = golden_start();
    const char *name;
    for (uint32_t i = 0; (name = cairn_archive_section_name(archive, i, NULL)); i++) {
        if (strcmp(name, "index") != 0) hash = index_section(archive, name, hash);
    }
    return hash;
}

uint64_t golden_index(cairn_planner *planner)
{
    cairn_context *context = cairn_space_context(cairn_planner_space(planner));
    cairn_store *store = NULL;
    cairn_archive *archive = NULL;
    index_file file = {0};
    cairn_writer writer = {index_write, &file};
    uint64_t hash = 0;
    if (!cairn_store_create(context, &store) && !cairn_planner_save(planner, store, NULL) &&
        !cairn_store_write(store, &writer) &&
        !cairn_archive_open(context, (cairn_bytes){file.bytes, file.size}, 0, &archive, NULL))
        hash = index_sections(archive);
    cairn_archive_close(archive);
    cairn_store_destroy(store);
    free(file.bytes);
    return hash;
}

/* ---- shown ---- */

static void index_item(void *user, const cairn_overlay_item *item)
{
    uint64_t hash = golden_bytes(*(uint64_t *)user, (uint32_t)item->kind, 4);
    hash = golden_bytes(hash, item->level, 4);
    hash = golden_bytes(hash, item->node, 4);
    hash = golden_bytes(hash, item->group, 4);
    hash = golden_number(golden_number(hash, item->from.x), item->from.y);
    hash = golden_number(golden_number(hash, item->to.x), item->to.y);
    *(uint64_t *)user = golden_bytes(hash, item->cost, 4);
}

/* All layers at once, then the lowest ones alone. */
uint64_t golden_overlay(cairn_planner *planner)
{
    uint64_t hash = golden_start();
    cairn_overlay_sink sink = {index_item, &hash};
    for (uint32_t layer = 0; layer < 4; layer++) {
        cairn_status status = cairn_planner_overlay(planner, layer, &sink);
        hash = golden_bytes(hash, (uint32_t)status, 4);
    }
    return hash;
}

/* ---- printed ---- */

typedef struct index_hashes {
    uint64_t index, overlay;
} index_hashes;

static index_hashes index_of_spec(cairn_context *context, const char *where, const char *spec)
{
    golden_world w;
    index_hashes hashes = {golden_start(), golden_start()};
    for (uint32_t rule = 0; golden_world_open(&w, context, where, rule); rule++) {
        cairn_planner *planner = golden_world_plan(&w, spec);
        hashes.index = golden_bytes(hashes.index, planner ? golden_index(planner) : 1, 8);
        hashes.overlay = golden_bytes(hashes.overlay, planner ? golden_overlay(planner) : 1, 8);
        cairn_planner_destroy(planner);
        golden_world_close(&w);
    }
    golden_world_close(&w);
    return hashes;
}

static void index_print(cairn_context *context, const char *where, const char *spec)
{
    index_hashes hashes = index_of_spec(context, where, spec);
    char what[120];
    snprintf(what, sizeof what, "index.%s", spec);
    golden_print(what, where, hashes.index);
    snprintf(what, sizeof what, "overlay.%s", spec);
    golden_print(what, where, hashes.overlay);
}

static void index_print_others(cairn_context *context, const cairn_algorithm *a)
{
    char spec[GOLDEN_SPEC];
    for (uint32_t i = 0; golden_other_spec(a, i, spec); i++) index_print(context, "rooms", spec);
}

void golden_indexes(cairn_context *context)
{
    static const char *const worlds[] = {"dot",        "rooms",   "gaps",    "tiles",    "swamps",
                                         "everything", "network", "wide",    "hex-open", "hex-all",
                                         "roads",      "ring",    "abstract"};
    for (uint32_t a = 0; a < golden_spec_count(); a++) {
        const cairn_algorithm *algorithm = golden_spec_algorithm(a);
        if (!(algorithm->flags & CAIRN_NEEDS_INDEX)) continue;
        for (uint32_t i = 0; i < sizeof worlds / sizeof *worlds; i++)
            index_print(context, worlds[i], golden_spec_at(a));
        if (a < cairn_algorithm_count()) index_print_others(context, algorithm);
    }
}
