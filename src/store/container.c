/* container.c: the `.cairn` container: named sections, each with a checksum, in one file that
 * detects every changed bit. docs/files.md describes the bytes.
 *
 * Header and directory are written byte by byte, low byte first, and covered by a checksum of their
 * own, which covers the checksums of the sections too. What no checksum covers, the filling between
 * sections, must be zero. Before it uses a number, the reader compares it with the only legal one.
 */
#include "store/container.h"

/* Like PNG's: the first byte is lost where only seven bits pass, the line ends change where
 * somebody takes the file for text, and the third last byte ends a listing on old systems. */
static const uint8_t container_magic[8] = {0x89, 'C', 'R', 'N', '\r', '\n', 0x1a, '\n'};

enum { CONTAINER_SIGN = 4, CONTAINER_CHECKSUM = 24, CONTAINER_CHUNK = 4096 };

/* ---- bytes ---- */

bool crn_high_byte_first(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 0;
}

void crn_turn_bytes(void *data, size_t size, uint32_t element)
{
    uint8_t *bytes = data;
    for (size_t at = 0; at < size; at += element) {
        for (uint32_t i = 0; i < element / 2; i++) {
            uint8_t byte = bytes[at + i];
            bytes[at + i] = bytes[at + element - 1 - i];
            bytes[at + element - 1 - i] = byte;
        }
    }
}

static void container_put(uint8_t *to, uint64_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t container_get(const uint8_t *from, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

/* The next legal place for a section; sizes are far from wrapping. */
static uint64_t container_align(uint64_t offset)
{
    return (offset + CRN_STORE_ALIGN - 1) / CRN_STORE_ALIGN * CRN_STORE_ALIGN;
}

static bool container_element_ok(uint32_t element)
{
    return element == 1 || element == 2 || element == 4 || element == 8;
}

/* The length of a name in its field of 16 bytes, 0 if it is none. */
static size_t container_name_length(const char *name)
{
    size_t length = 0, end;
    while (length < CRN_STORE_NAME && name[length] > ' ' && name[length] < 127) length++;
    for (end = length; end < CRN_STORE_NAME; end++) {
        if (name[end]) return 0;
    }
    return length < CRN_STORE_NAME ? length : 0;
}

/* Of all of header and directory but the field that holds it. */
static uint64_t container_head_checksum(const uint8_t *head, size_t size)
{
    uint64_t hash = crn_hash_begin(size - 8);
    hash = crn_hash_bytes(hash, head, CONTAINER_CHECKSUM);
    return crn_hash_end(
        crn_hash_bytes(hash, head + CONTAINER_CHECKSUM + 8, size - CONTAINER_CHECKSUM - 8));
}

static void container_free_sections(cairn_context *context, crn_section *sections, size_t count,
                                    size_t capacity)
{
    for (size_t i = 0; i < count; i++) {
        if (sections[i].owned)
            crn_free(context, (void *)(uintptr_t)sections[i].data, sections[i].size);
    }
    crn_free(context, sections, capacity * sizeof *sections);
}

static const crn_section *container_find(const crn_section *sections, size_t count,
                                         const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(sections[i].name, name)) return &sections[i];
    }
    return NULL;
}

/* ---- writing ---- */

cairn_status cairn_store_create(cairn_context *context, cairn_store **out)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!context) return CAIRN_INVALID;
    cairn_store *store = crn_alloc_zero(context, sizeof *store);
    if (!store) return CAIRN_OUT_OF_MEMORY;
    store->context = context;
    store->turn = crn_high_byte_first();
    *out = store;
    return CAIRN_OK;
}

void cairn_store_destroy(cairn_store *store)
{
    if (!store) return;
    if (store->let_go) store->let_go(store->held);
    container_free_sections(store->context, store->sections, store->count, store->capacity);
    crn_free(store->context, store, sizeof *store);
}

cairn_context *cairn_store_context(const cairn_store *store)
{
    return store->context;
}

/* Passes on the section as it is in the file, in pieces; the size of all but the last is a multiple
 * of 8. */
static cairn_status store_pieces(const cairn_store *store, const crn_section *section,
                                 const cairn_writer *writer)
{
    if (!store->turn || section->element == 1)
        return section->size ? writer->write(writer->user, section->data, section->size) : CAIRN_OK;
    uint8_t chunk[CONTAINER_CHUNK];
    for (size_t at = 0; at < section->size;) {
        size_t length = section->size - at < sizeof chunk ? section->size - at : sizeof chunk;
        memcpy(chunk, section->data + at, length);
        crn_turn_bytes(chunk, length, section->element);
        cairn_status status = writer->write(writer->user, chunk, length);
        if (status) return status;
        at += length;
    }
    return CAIRN_OK;
}

static cairn_status store_hash_piece(void *user, const void *data, size_t size)
{
    uint64_t *hash = user;
    *hash = crn_hash_bytes(*hash, data, size);
    return CAIRN_OK;
}

static uint64_t store_checksum(const cairn_store *store, const crn_section *section)
{
    uint64_t hash = crn_hash_begin(section->size);
    cairn_writer writer = {store_hash_piece, &hash};
    store_pieces(store, section, &writer);
    return crn_hash_end(hash);
}

cairn_status cairn_store_add(cairn_store *store, const char *name, cairn_bytes bytes,
                             uint32_t element, bool keep)
{
    if (!store || !name || (!bytes.data && bytes.size)) return CAIRN_INVALID;
    if (!container_element_ok(element) || bytes.size % element) return CAIRN_INVALID;
    if (strlen(name) >= CRN_STORE_NAME || store->count >= CAIRN_STORE_SECTIONS)
        return CAIRN_INVALID;
    crn_section section = {.element = element, .size = bytes.size, .data = bytes.data};
    memcpy(section.name, name, strlen(name));
    if (!container_name_length(section.name) || container_find(store->sections, store->count, name))
        return CAIRN_INVALID;

    void *sections = store->sections;
    if (!crn_grow(store->context, &sections, &store->capacity, store->count + 1, sizeof section))
        return CAIRN_OUT_OF_MEMORY;
    store->sections = sections;
    if (!keep && bytes.size) {
        void *copy = crn_alloc(store->context, bytes.size);
        if (!copy) return CAIRN_OUT_OF_MEMORY;
        memcpy(copy, bytes.data, bytes.size);
        section.data = copy;
        section.owned = true;
    }
    section.checksum = store_checksum(store, &section);
    store->sections[store->count++] = section;
    return CAIRN_OK;
}

void crn_store_cut(cairn_store *store, size_t count)
{
    for (; store->count > count; store->count--) {
        const crn_section *last = &store->sections[store->count - 1];
        if (last->owned) crn_free(store->context, (void *)(uintptr_t)last->data, last->size);
    }
}

static void store_put_entry(uint8_t *entry, const crn_section *section, uint64_t offset)
{
    memcpy(entry, section->name, CRN_STORE_NAME);
    container_put(entry + 16, offset, 8);
    container_put(entry + 24, section->size, 8);
    container_put(entry + 32, section->checksum, 8);
    container_put(entry + 40, section->element, 4);
}

/* Header and directory; `head` is full of zeros. */
static void store_put_head(const cairn_store *store, uint8_t *head, size_t size)
{
    uint64_t end = size;
    for (size_t i = 0; i < store->count; i++) {
        uint64_t offset = container_align(end);
        store_put_entry(head + CRN_STORE_HEADER + i * CRN_STORE_ENTRY, &store->sections[i], offset);
        end = offset + store->sections[i].size;
    }
    memcpy(head, container_magic, sizeof container_magic);
    container_put(head + 8, crn_max_u32(store->version, 1), 4);
    container_put(head + 12, store->count, 4);
    container_put(head + 16, end, 8);
    container_put(head + CONTAINER_CHECKSUM, container_head_checksum(head, size), 8);
}

cairn_status cairn_store_write(const cairn_store *store, const cairn_writer *writer)
{
    if (!store || !writer || !writer->write) return CAIRN_INVALID;
    static const uint8_t zeros[CRN_STORE_ALIGN] = {0};
    size_t size = CRN_STORE_HEADER + store->count * CRN_STORE_ENTRY;
    uint8_t *head = crn_alloc_zero(store->context, size);
    if (!head) return CAIRN_OUT_OF_MEMORY;
    store_put_head(store, head, size);
    cairn_status status = writer->write(writer->user, head, size);
    crn_free(store->context, head, size);

    uint64_t end = size;
    for (size_t i = 0; i < store->count && !status; i++) {
        uint64_t offset = container_align(end);
        if (offset > end) status = writer->write(writer->user, zeros, (size_t)(offset - end));
        if (!status) status = store_pieces(store, &store->sections[i], writer);
        end = offset + store->sections[i].size;
    }
    return status;
}

/* ---- reading: header and directory ---- */

typedef struct archive_head {
    uint32_t count;
    size_t size; /* of header and directory */
} archive_head;

static cairn_status archive_check_header(const uint8_t *data, size_t size, archive_head *head,
                                         cairn_error *error)
{
    if (size < sizeof container_magic || memcmp(data, container_magic, sizeof container_magic) != 0)
        return crn_fail(
            error, CAIRN_BAD_DATA, 0,
            "this is no .cairn file, or it was damaged in transfer: the first 8 bytes are wrong");
    if (size < CRN_STORE_HEADER)
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the file ends within the header, after %llu bytes",
                        (unsigned long long)size);
    uint32_t version = (uint32_t)container_get(data + 8, 4);
    if (version < 1 || version > CRN_STORE_VERSION)
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the file has format version %u, but Cairn %s reads versions 1 to %u",
                        version, cairn_version(), CRN_STORE_VERSION);
    head->count = (uint32_t)container_get(data + 12, 4);
    if (head->count > CAIRN_STORE_SECTIONS)
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the file claims %u sections, but there can be at most %u", head->count,
                        CAIRN_STORE_SECTIONS);
    uint64_t claimed = container_get(data + 16, 8);
    if (claimed > size)
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the file is cut off: %llu of %llu bytes are here",
                        (unsigned long long)size, (unsigned long long)claimed);
    if (claimed < size)
        return crn_fail(error, CAIRN_BAD_DATA, 0, "%llu bytes follow the end of the file at %llu",
                        (unsigned long long)(size - claimed), (unsigned long long)claimed);
    head->size = CRN_STORE_HEADER + (size_t)head->count * CRN_STORE_ENTRY;
    if (size < head->size)
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the file ends within the directory of %u sections", head->count);
    if (container_get(data + CONTAINER_CHECKSUM, 8) != container_head_checksum(data, head->size))
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the directory is damaged: its checksum is wrong");
    return CAIRN_OK;
}

static bool archive_is_zero(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (data[i]) return false;
    }
    return true;
}

/* One entry of the directory; `end` is where the part before it ended. */
static cairn_status archive_read_entry(const uint8_t *data, size_t size, const uint8_t *entry,
                                       uint64_t end, crn_section *out, cairn_error *error)
{
    memcpy(out->name, entry, CRN_STORE_NAME);
    if (!container_name_length(out->name))
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the directory holds a section without a proper name");
    out->offset = container_get(entry + 16, 8);
    uint64_t length = container_get(entry + 24, 8);
    out->checksum = container_get(entry + 32, 8);
    out->element = (uint32_t)container_get(entry + 40, 4);
    if (!container_element_ok(out->element) || length % out->element ||
        !archive_is_zero(entry + 44, 4))
        return crn_fail(error, CAIRN_BAD_DATA, 0, "section \"%s\" has elements of a senseless size",
                        out->name);
    if (out->offset != container_align(end))
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "section \"%s\" lies at %llu, where %llu is the only place for it",
                        out->name, (unsigned long long)out->offset,
                        (unsigned long long)container_align(end));
    if (out->offset > size || length > size - out->offset)
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "section \"%s\" reaches beyond the end of the file", out->name);
    if (!archive_is_zero(data + end, (size_t)(out->offset - end)))
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the filling in front of section \"%s\" is not zero", out->name);
    out->size = (size_t)length;
    out->data = data + out->offset;
    return CAIRN_OK;
}

static cairn_status archive_read_directory(cairn_archive *archive, size_t size,
                                           const archive_head *head, cairn_error *error)
{
    uint64_t end = head->size;
    for (uint32_t i = 0; i < head->count; i++) {
        crn_section *section = &archive->sections[i];
        const uint8_t *entry = archive->data + CRN_STORE_HEADER + (size_t)i * CRN_STORE_ENTRY;
        cairn_status status = archive_read_entry(archive->data, size, entry, end, section, error);
        if (status) return status;
        if (container_find(archive->sections, i, section->name))
            return crn_fail(error, CAIRN_BAD_DATA, 0, "there are two sections \"%s\"",
                            section->name);
        end = section->offset + section->size;
    }
    if (end != size)
        return crn_fail(error, CAIRN_BAD_DATA, 0, "there is something behind the last section");
    if (!archive_is_zero(archive->data + 32, CRN_STORE_HEADER - 32))
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the free bytes of the header are not zero");
    return CAIRN_OK;
}

/* ---- reading: sections ---- */

static cairn_status archive_verify(const cairn_archive *archive, const crn_section *section,
                                   cairn_error *error)
{
    if (crn_hash(archive->data + section->offset, section->size) == section->checksum)
        return CAIRN_OK;
    return crn_fail(error, CAIRN_BAD_DATA, 0, "section \"%s\" is damaged: its checksum is wrong",
                    section->name);
}

/* Numbers that cannot be used in place are copied, and byte-swapped if necessary. */
static cairn_status archive_copy_section(cairn_archive *archive, crn_section *section, bool turn,
                                         cairn_error *error)
{
    bool aligned = (uintptr_t)archive->data % 8 == 0;
    if (!section->size || section->element == 1 || (aligned && !turn)) return CAIRN_OK;
    uint8_t *copy = crn_alloc(archive->context, section->size);
    if (!copy)
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for section \"%s\"",
                        section->name);
    memcpy(copy, section->data, section->size);
    if (turn) crn_turn_bytes(copy, section->size, section->element);
    section->data = copy;
    section->owned = true;
    return CAIRN_OK;
}

static cairn_status archive_read(cairn_archive *archive, size_t size, uint32_t flags,
                                 const archive_head *head, cairn_error *error)
{
    archive->count = head->count;
    archive->sections = crn_alloc_zero(archive->context, head->count * sizeof *archive->sections);
    if (!archive->sections && head->count) {
        archive->count = 0;
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0,
                        "no memory for the directory of a .cairn file");
    }
    cairn_status status = archive_read_directory(archive, size, head, error);
    for (uint32_t i = 0; i < head->count && !status; i++) {
        if (!(flags & CAIRN_ARCHIVE_UNVERIFIED))
            status = archive_verify(archive, &archive->sections[i], error);
        if (!status)
            status = archive_copy_section(archive, &archive->sections[i], flags & CRN_ARCHIVE_TURN,
                                          error);
    }
    return status;
}

cairn_status crn_archive_open(cairn_context *context, cairn_bytes bytes, uint32_t flags,
                              cairn_archive **out, cairn_error *error)
{
    if (!out) return crn_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    if (!context || (!bytes.data && bytes.size))
        return crn_fail(error, CAIRN_INVALID, 0, "context and data must be given");
    archive_head head = {0};
    cairn_status status = archive_check_header(bytes.data, bytes.size, &head, error);
    if (status) return status;
    cairn_archive *archive = crn_alloc_zero(context, sizeof *archive);
    if (!archive) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a .cairn file");
    archive->context = context;
    archive->data = bytes.data;
    status = archive_read(archive, bytes.size, flags, &head, error);
    if (status) {
        cairn_archive_close(archive);
        return status;
    }
    *out = archive;
    return CAIRN_OK;
}

cairn_status cairn_archive_open(cairn_context *context, cairn_bytes bytes, uint32_t flags,
                                cairn_archive **out, cairn_error *error)
{
    flags &= ~CRN_ARCHIVE_TURN;
    if (crn_high_byte_first()) flags |= CRN_ARCHIVE_TURN;
    return crn_archive_open(context, bytes, flags, out, error);
}

void cairn_archive_close(cairn_archive *archive)
{
    if (!archive || !crn_let_go(&archive->holders)) return;
    if (archive->release) archive->release(archive->release_user);
    container_free_sections(archive->context, archive->sections, archive->count, archive->count);
    crn_free(archive->context, archive, sizeof *archive);
}

void cairn_archive_on_close(cairn_archive *archive, void (*release)(void *user), void *user)
{
    archive->release = release;
    archive->release_user = user;
}

const void *cairn_archive_section(const cairn_archive *archive, const char *name, uint32_t element,
                                  size_t *size)
{
    if (size) *size = 0;
    const crn_section *section =
        archive && name ? container_find(archive->sections, archive->count, name) : NULL;
    if (!section || section->element != element) return NULL;
    if (size) *size = section->size;
    return section->data;
}

bool cairn_archive_begins(cairn_bytes bytes)
{
    return bytes.data && bytes.size >= CONTAINER_SIGN &&
           !memcmp(bytes.data, container_magic, CONTAINER_SIGN);
}

const char *cairn_archive_section_name(const cairn_archive *archive, uint32_t i, size_t *size)
{
    if (size) *size = 0;
    if (!archive || i >= archive->count) return NULL;
    if (size) *size = archive->sections[i].size;
    return archive->sections[i].name;
}

bool cairn_archive_has(const cairn_archive *archive, const char *name)
{
    return archive && name && container_find(archive->sections, archive->count, name);
}

cairn_status crn_archive_take(const cairn_archive *archive, const char *name, uint32_t element,
                              const crn_section **found, cairn_error *error)
{
    *found = NULL;
    const crn_section *section = container_find(archive->sections, archive->count, name);
    if (!section) return CAIRN_OK;
    if (section->element != element)
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "section \"%s\" is made of numbers of %u bytes, not %u", name,
                        section->element, element);
    cairn_status status = archive_verify(archive, section, error);
    if (!status) *found = section;
    return status;
}

cairn_status crn_archive_need(const cairn_archive *archive, const char *name,
                              crn_section_shape shape, const crn_section **found,
                              cairn_error *error)
{
    cairn_status status = crn_archive_take(archive, name, shape.element, found, error);
    if (status) return status;
    if (!*found) return crn_fail(error, CAIRN_BAD_DATA, 0, "there is no section \"%s\"", name);
    if ((*found)->size == shape.size) return CAIRN_OK;
    return crn_fail(error, CAIRN_BAD_DATA, 0, "section \"%s\" is %llu bytes long, not %llu", name,
                    (unsigned long long)(*found)->size, (unsigned long long)shape.size);
}
