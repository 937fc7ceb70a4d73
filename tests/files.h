/* files.h: containers (store.h) in memory, for tests that save and load. */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include "support.h"

/* What was written, at an address that is a multiple of 64. */
typedef struct bytes {
    void *block;
    uint8_t *data;
    size_t size, capacity;
} bytes;

static inline cairn_status bytes_write(void *user, const void *data, size_t size)
{
    bytes *b = user;
    if (b->size + size > b->capacity) return CAIRN_FILE_ERROR;
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return CAIRN_OK;
}

static inline void bytes_free(bytes *b)
{
    free(b->block);
    *b = (bytes){0};
}

static inline bytes bytes_of(const cairn_store *store)
{
    bytes b = {.capacity = (size_t)1 << 22};
    b.block = malloc(b.capacity + 64);
    if (!b.block) abort();
    b.data = (uint8_t *)b.block + (64 - (uintptr_t)b.block % 64);
    CHECK_OK(cairn_store_write(store, &(cairn_writer){bytes_write, &b}));
    return b;
}

static inline cairn_context *context_of(const cairn_planner *planner)
{
    return cairn_space_context(cairn_planner_space(planner));
}

static inline bytes saved(const cairn_planner *planner)
{
    cairn_store *store;
    cairn_error error = {0};
    CHECK_OK(cairn_store_create(context_of(planner), &store));
    CHECK(cairn_planner_save(planner, store, &error) == CAIRN_OK, "%s", error.text);
    bytes b = bytes_of(store);
    cairn_store_destroy(store);
    return b;
}

static inline bool bytes_same(const bytes *a, const bytes *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static inline cairn_archive *opened(cairn_context *context, const bytes *b)
{
    cairn_archive *archive;
    CHECK_OK(cairn_archive_open(context, (cairn_bytes){b->data, b->size}, 0, &archive, NULL));
    return archive;
}

#endif
