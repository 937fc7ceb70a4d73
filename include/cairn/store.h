/* store.h: the `.cairn` container: worlds, profiles, queries and indexes in one file that detects
 * every flipped bit.
 *
 * Layout, little-endian: a header (magic, format version, sizes, a checksum of header and
 * directory), a directory of named sections, then the sections. Each section begins at a multiple
 * of 64 bytes, and has its size and checksum in the directory. Everything in the file is checked,
 * the padding included. The library writes through a callback and reads from memory; io.h handles
 * files.
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

/* The sections to be written to a file. */
typedef struct cairn_store cairn_store;
CAIRN_API cairn_status cairn_store_create(cairn_context *context, cairn_store **out);
CAIRN_API void cairn_store_destroy(cairn_store *store);
CAIRN_API cairn_context *cairn_store_context(const cairn_store *store);

/* The largest number of sections in a file. */
#define CAIRN_STORE_SECTIONS 1024u

/* Adds a section. CAIRN_INVALID if a condition does not hold:
 * - `name` has 1…15 printable characters without blanks, and occurs once per file.
 * - `element` is 1, 2, 4 or 8: the size of the numbers in the section. They are stored
 *   little-endian on every machine.
 * - The number of bytes is a multiple of `element`.
 *
 * The data is copied unless `keep` says that it stays unchanged until the store is destroyed. */
CAIRN_API cairn_status cairn_store_add(cairn_store *store, const char *name, cairn_bytes bytes,
                                       uint32_t element, bool keep);

/* Add a world, a profile or a query; one of each per file. On failure nothing is added. A query
 * (planner.h) is stored with its goals; CAIRN_UNSUPPORTED if it has an estimate of its own. */
struct cairn_query;
CAIRN_API cairn_status cairn_store_grid(cairn_store *store, const cairn_grid *grid);
CAIRN_API cairn_status cairn_store_graph(cairn_store *store, const cairn_graph *graph);
CAIRN_API cairn_status cairn_store_profile(cairn_store *store, const cairn_profile *profile);
CAIRN_API cairn_status cairn_store_query(cairn_store *store, const struct cairn_query *query);

/* Adds the world of a space and, if it has one, the profile. CAIRN_UNSUPPORTED if worlds of this
 * kind cannot be stored. */
CAIRN_API cairn_status cairn_store_space(cairn_store *store, const cairn_space *space);

/* Writes the file from its first to its last byte. The same sections give the same bytes on every
 * machine. If the writer answers anything but CAIRN_OK, that ends the writing and is returned. */
CAIRN_API cairn_status cairn_store_write(const cairn_store *store, const cairn_writer *writer);

/* ---- reading ----------------------------------------------------------------------- */

typedef struct cairn_archive cairn_archive;

enum {
    /* Do not read all sections only to check them: for huge mapped files that are trusted. What is
     * read whole (grids, profiles, queries) is checked when it is read. The tables of an index,
     * which are used in place, are not. */
    CAIRN_ARCHIVE_UNVERIFIED = 1u << 0
};

/* Opens a file in memory. CAIRN_BAD_DATA, with the reason, for everything that differs from what
 * the writer makes.
 * - The bytes must stay where they are until the archive is closed.
 * - A planner that borrows from an archive (cairn_planner_load) keeps it open until its index is
 *   dropped. */
CAIRN_API cairn_status cairn_archive_open(cairn_context *context, cairn_bytes bytes, uint32_t flags,
                                          cairn_archive **out, cairn_error *error);
CAIRN_API void cairn_archive_close(cairn_archive *archive);

/* Sets a function that is called when the archive is closed, to release the memory of its data. */
CAIRN_API void cairn_archive_on_close(cairn_archive *archive, void (*release)(void *user),
                                      void *user);

/* Returns the bytes of a section, or NULL if there is none with this name and this size of
 * elements. An empty section is not NULL.
 * - Numbers are in this machine's byte order.
 * - The bytes lie in the file's data, and are aligned to 64 if that is.
 * - Where the machine's order differs, or the data is not aligned to 8, they are an aligned
 *   copy. */
CAIRN_API const void *cairn_archive_section(const cairn_archive *archive, const char *name,
                                            uint32_t element, size_t *size);

/* Read a world, a profile or a query. CAIRN_BAD_DATA if there is none, or if it is malformed.
 * Checksums are compared even if the archive was opened unverified. Grids are new, at version 1.
 * The goals of a query stay in the archive. */
CAIRN_API cairn_status cairn_archive_grid(const cairn_archive *archive, cairn_grid **out,
                                          cairn_error *error);
CAIRN_API cairn_status cairn_archive_graph(const cairn_archive *archive, cairn_graph **out,
                                           cairn_error *error);
CAIRN_API cairn_status cairn_archive_profile(const cairn_archive *archive, cairn_profile *out,
                                             cairn_error *error);
CAIRN_API cairn_status cairn_archive_query(const cairn_archive *archive, struct cairn_query *out,
                                           cairn_error *error);

/* Returns whether the data begins like a `.cairn` file, by its first 4 bytes. (cairn_archive_open
 * checks the rest.) */
CAIRN_API bool cairn_archive_begins(cairn_bytes bytes);

/* Returns the name of the i-th section, or NULL past the end. *size (may be NULL) becomes its
 * number of bytes. */
CAIRN_API const char *cairn_archive_section_name(const cairn_archive *archive, uint32_t i,
                                                 size_t *size);

/* Returns whether there is a section with this name. Worlds are in "grid" or "graph", the others in
 * "profile" and "query". */
CAIRN_API bool cairn_archive_has(const cairn_archive *archive, const char *name);

/* ---- identity ---------------------------------------------------------------------- */

/* Returns a hash of everything that paths in the space depend on: cells, links, profile and scale,
 * or nodes, edges and positions of a graph. The same content has the same hash, whatever its
 * history, on every machine. */
CAIRN_API uint64_t cairn_space_hash(const cairn_space *space);

#ifdef __cplusplus
}
#endif
#endif
