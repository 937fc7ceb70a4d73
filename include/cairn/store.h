/* store.h: the `.cairn` container: worlds, profiles, queries and indexes in one file that notices every
 * flipped bit.
 *
 * Layout, little-endian: a header (magic, format version, sizes, a checksum of header and directory), a directory of
 * named sections, then the sections, each at a multiple of 64 bytes, with its size and checksum. Nothing in
 * the file is left unchecked, the padding included. The library writes through a callback and reads from memory;
 * files are the business of io.h.
 */
#ifndef CAIRN_STORE_H
#define CAIRN_STORE_H

#include "base.h"
#include "grid.h"
#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing ----------------------------------------------------------------------- */

typedef struct cairn_writer {
    cairn_status (*write)(void *user, const void *data, size_t size);
    void *user;
} cairn_writer;

/* Sections on their way into a file. */
typedef struct cairn_store cairn_store;
CAIRN_API cairn_status cairn_store_create(cairn_context *context, cairn_store **out);
CAIRN_API void cairn_store_destroy(cairn_store *store);

/* Adds a section. `name`: 1…15 characters, each once per file (else CAIRN_INVALID). `element`: 1, 2, 4 or 8, the size of
 * the numbers it is made of, which are turned round on machines that keep them the other way. The data is copied
 * unless `keep` says that it stays as it is until the store is destroyed. */
CAIRN_API cairn_status cairn_store_add(cairn_store *store, const char *name, const void *data, size_t size,
                                       uint32_t element, bool keep);

CAIRN_API cairn_status cairn_store_grid(cairn_store *store, const cairn_grid *grid);
CAIRN_API cairn_status cairn_store_profile(cairn_store *store, const cairn_profile *profile);

CAIRN_API cairn_status cairn_store_write(const cairn_store *store, const cairn_writer *writer);

/* ---- reading ----------------------------------------------------------------------- */

typedef struct cairn_archive cairn_archive;

enum {
    CAIRN_ARCHIVE_UNVERIFIED =
        1u << 0 /* do not read all sections just to check them: for huge mapped files */
};

/* `data` must stay where it is until the archive is closed. */
CAIRN_API cairn_status cairn_archive_open(cairn_context *context, const void *data, size_t size,
                                          uint32_t flags, cairn_archive **out, cairn_error *error);
CAIRN_API void cairn_archive_close(cairn_archive *archive);

/* The section's bytes, aligned to 64 if the file's data is; NULL if there is none of that name, or if its size is no
 * multiple of `element`. Numbers are in this machine's order (copied on machines that differ). */
CAIRN_API const void *cairn_archive_section(const cairn_archive *archive, const char *name, uint32_t element,
                                            size_t *size);

/* CAIRN_BAD_DATA if there is none, or if it makes no sense. The grid is new, at version 1. */
CAIRN_API cairn_status cairn_archive_grid(const cairn_archive *archive, cairn_grid **out, cairn_error *error);
CAIRN_API cairn_status cairn_archive_profile(const cairn_archive *archive, cairn_profile *out,
                                             cairn_error *error);

/* ---- identity ---------------------------------------------------------------------- */

/* A hash of everything that paths in the space depend on: cells, links, profile, scale. The same on every machine. */
CAIRN_API uint64_t cairn_space_hash(const cairn_space *space);

#ifdef __cplusplus
}
#endif
#endif
