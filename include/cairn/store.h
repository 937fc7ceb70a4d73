/* store.h: the `.cairn` container: worlds, profiles, queries and indexes in one file that notices
 * every flipped bit.
 *
 * Layout, little-endian: a header (magic, format version, sizes, a checksum of header and
 * directory), a directory of named sections, then the sections, each at a multiple of 64 bytes,
 * with its size and checksum. Nothing in the file is left unchecked, the padding included. The
 * library writes through a callback and reads from memory; files are the business of io.h.
 */
#ifndef CAIRN_STORE_H
#define CAIRN_STORE_H

#include "base.h"
#include "graph.h"
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

/* Sections that are to be written to a file. */
typedef struct cairn_store cairn_store;
CAIRN_API cairn_status cairn_store_create(cairn_context *context, cairn_store **out);
CAIRN_API void cairn_store_destroy(cairn_store *store);
CAIRN_API cairn_context *cairn_store_context(const cairn_store *store);

/* The most sections of one file. */
#define CAIRN_STORE_SECTIONS 1024u

/* Adds a section. `name`: 1…15 printable characters without blanks, each name once per file.
 * `element`: 1, 2, 4 or 8, the size of the numbers it is made of, which are turned round on
 * machines that keep them the other way; `size` is a multiple of it. CAIRN_INVALID if not so. The
 * data is copied unless `keep` says that it stays as it is until the store is destroyed. */
CAIRN_API cairn_status cairn_store_add(cairn_store *store, const char *name, const void *data,
                                       size_t size, uint32_t element, bool keep);

/* One of each per file. All of it or, on failure, nothing is added. A query (planner.h) is stored
 * with its goals; CAIRN_UNSUPPORTED if it brings an estimate of its own. */
struct cairn_query;
CAIRN_API cairn_status cairn_store_grid(cairn_store *store, const cairn_grid *grid);
CAIRN_API cairn_status cairn_store_graph(cairn_store *store, const cairn_graph *graph);
CAIRN_API cairn_status cairn_store_profile(cairn_store *store, const cairn_profile *profile);
CAIRN_API cairn_status cairn_store_query(cairn_store *store, const struct cairn_query *query);

/* The world of a space and, if it has one, the profile. CAIRN_UNSUPPORTED if worlds of its kind
 * cannot be stored. */
CAIRN_API cairn_status cairn_store_space(cairn_store *store, const cairn_space *space);

/* The file from its first to its last byte; the same sections give the same bytes on every machine.
 * Ends with what the writer answers if that is not CAIRN_OK. */
CAIRN_API cairn_status cairn_store_write(const cairn_store *store, const cairn_writer *writer);

/* ---- reading ----------------------------------------------------------------------- */

typedef struct cairn_archive cairn_archive;

enum {
    /* Do not read all sections just to check them: for huge mapped files that are trusted. What is
     * read whole (grids, profiles, queries) is checked then; the tables of an index, which are used
     * where they lie, are not. */
    CAIRN_ARCHIVE_UNVERIFIED = 1u << 0
};

/* CAIRN_BAD_DATA, with the reason, for everything that is not exactly a file as the writer makes
 * it. `data` must stay where it is until the archive is closed. */
CAIRN_API cairn_status cairn_archive_open(cairn_context *context, const void *data, size_t size,
                                          uint32_t flags, cairn_archive **out, cairn_error *error);
CAIRN_API void cairn_archive_close(cairn_archive *archive);

/* Called when the archive is closed, for whoever holds the memory it lies in. */
CAIRN_API void cairn_archive_on_close(cairn_archive *archive, void (*release)(void *user),
                                      void *user);

/* The section's bytes, NULL if there is none of that name with elements of that size; never NULL
 * else, even if it is empty. Numbers are in this machine's order. The bytes lie in the file's data
 * and are aligned to 64 if that is; where the machine differs or the data is not aligned to 8,
 * numbers were copied and are aligned as they must be. */
CAIRN_API const void *cairn_archive_section(const cairn_archive *archive, const char *name,
                                            uint32_t element, size_t *size);

/* CAIRN_BAD_DATA if there is none, or if it makes no sense; checksums are compared even if the
 * archive was opened unverified. Grids are new, at version 1; the goals of a query lie in the
 * archive. */
CAIRN_API cairn_status cairn_archive_grid(const cairn_archive *archive, cairn_grid **out,
                                          cairn_error *error);
CAIRN_API cairn_status cairn_archive_graph(const cairn_archive *archive, cairn_graph **out,
                                           cairn_error *error);
CAIRN_API cairn_status cairn_archive_profile(const cairn_archive *archive, cairn_profile *out,
                                             cairn_error *error);
CAIRN_API cairn_status cairn_archive_query(const cairn_archive *archive, struct cairn_query *out,
                                           cairn_error *error);

/* Does it begin as a `.cairn` file does, by the first 4 bytes? (Whether it is one says
 * cairn_archive_open.) */
CAIRN_API bool cairn_archive_begins(const void *data, size_t size);

/* The i-th section: its name and, if `size` is not NULL, how many bytes it has; NULL past the
 * end. */
CAIRN_API const char *cairn_archive_section_name(const cairn_archive *archive, uint32_t i,
                                                 size_t *size);

/* Is there a section of that name, whatever its elements? Worlds are in "grid" or "graph", the
 * others in "profile" and "query". */
CAIRN_API bool cairn_archive_has(const cairn_archive *archive, const char *name);

/* ---- identity ---------------------------------------------------------------------- */

/* A hash of everything that paths in the space depend on: cells, links, profile, scale; nodes,
 * edges and positions of graphs. The same for the same content however it came about, and on every
 * machine. */
CAIRN_API uint64_t cairn_space_hash(const cairn_space *space);

#ifdef __cplusplus
}
#endif
#endif
