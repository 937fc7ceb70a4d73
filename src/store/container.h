/* container.h (internal): sections of a file, for writing and reading.
 *
 * The file (docs/files.md has every byte): a header of 64 bytes, a directory of 48 bytes a section,
 * then the sections. There is one legal place for each section: the first multiple of 64 after what
 * comes before it. So nothing can overlap, and a reader compares instead of searching.
 */
#ifndef CRN_CONTAINER_H
#define CRN_CONTAINER_H

#include "core/core.h"
#include "core/hash.h"
#include <cairn/store.h>

/* A file says the least version that reads it right: 2 if a graph has heights, a query's ends
 * are positions or a terrain cost is not a whole multiple, else 1. */
#define CRN_STORE_VERSION 2u
#define CRN_STORE_HEADER 64u
#define CRN_STORE_ENTRY 48u
#define CRN_STORE_NAME 16u
#define CRN_STORE_ALIGN 64u

/* One section, written or read. */
typedef struct crn_section {
    char name[CRN_STORE_NAME]; /* filled up with zeros, at least one */
    uint32_t element;
    uint64_t offset; /* in the file */
    uint64_t checksum;
    size_t size;
    const uint8_t *data; /* numbers in this machine's order */
    bool owned;          /* `data` is memory of ours */
} crn_section;

struct cairn_store {
    cairn_context *context;
    crn_section *sections;
    size_t count, capacity;
    uint32_t version; /* 0 = 1 */
    /* whose memory sections lie in that were not copied; let go of when the store is destroyed */
    void *held;
    void (*let_go)(void *held);
    /* this machine keeps the high byte first; tests set it to see what such a machine would do */
    bool turn;
};

struct cairn_archive {
    cairn_context *context;
    crn_holders holders; /* planners whose index lies in it */
    crn_section *sections;
    uint32_t count;
    const uint8_t *data; /* the whole file */
    void (*release)(void *user);
    void *release_user;
};

/* cairn_archive_open on a machine that keeps the high byte first (with this flag) or not. */
#define CRN_ARCHIVE_TURN (1u << 31)
cairn_status crn_archive_open(cairn_context *context, cairn_bytes bytes, uint32_t flags,
                              cairn_archive **out, cairn_error *error);

/* Swaps the bytes of every number; `size` is a multiple of `element`. */
void crn_turn_bytes(void *data, size_t size, uint32_t element);

/* Does this machine keep the high byte of a number first? */
bool crn_high_byte_first(void);

/* Removes all sections but the first `count`, so that several can be added all or none. */
void crn_store_cut(cairn_store *store, size_t count);

/* The section of that name in *found, NULL if there is none; CAIRN_BAD_DATA if it is there and
 * damaged (also in archives that were opened unverified) or made of other elements. */
cairn_status crn_archive_take(const cairn_archive *archive, const char *name, uint32_t element,
                              const crn_section **found, cairn_error *error);

/* The same for a section that must be there and be this many bytes long. */
typedef struct crn_section_shape {
    uint32_t element;
    uint64_t size;
} crn_section_shape;
cairn_status crn_archive_need(const cairn_archive *archive, const char *name,
                              crn_section_shape shape, const crn_section **found,
                              cairn_error *error);

#endif
