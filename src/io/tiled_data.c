/* tiled_data.c: the tiles of a layer as Tiled writes them into text: numbers with commas, or 32-bit
 * numbers, low byte first, in base64, plain or packed by zlib, gzip or zstd.
 *
 * How many tiles there must be is known beforehand, so everything is compared with that before
 * memory is asked for: a packed text that cannot hold that many (deflate makes at most 1032 bytes
 * of one, zstd 128 KiB of four) is refused, and no more is ever unpacked than is needed. zlib
 * works in memory of the context, zstd in some of the C library's, a fixed amount.
 */
#include "io/tiled.h"

#include <string.h>

#if defined(CAIRN_WITH_ZLIB)
#include <zlib.h>
#endif
#if defined(CAIRN_WITH_ZSTD)
#include <zstd.h>
#endif

static size_t data_needed(const crn_tiled_patch *patch)
{
    return (size_t)patch->width * patch->height;
}

static bool data_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* ---- CSV ---- */

typedef struct data_csv {
    const char *at, *end;
    uint32_t line;
} data_csv;

static void data_skip_blanks(data_csv *csv)
{
    for (; csv->at < csv->end && data_blank(*csv->at); csv->at++) csv->line += *csv->at == '\n';
}

static bool data_csv_number(data_csv *csv, uint32_t *out)
{
    data_skip_blanks(csv);
    const char *start = csv->at;
    while (csv->at < csv->end && *csv->at >= '0' && *csv->at <= '9') csv->at++;
    crn_io_field field = {start, (size_t)(csv->at - start)};
    bool ok = crn_io_field_number(field, UINT32_MAX, out);
    data_skip_blanks(csv);
    return ok;
}

/* How many numbers there are; the text is sure to be well formed afterwards. */
static cairn_status data_csv_count(crn_tiled *model, data_csv csv, uint64_t *count,
                                   const crn_tiled_patch *patch)
{
    const char *name = crn_tiled_layer_at(model, patch->layer)->name;
    data_skip_blanks(&csv);
    *count = 0;
    while (csv.at < csv.end || *count) {
        uint32_t number;
        if (!data_csv_number(&csv, &number))
            return crn_io_fail(model->error, CAIRN_BAD_DATA, csv.line,
                               "tile %llu of layer '%s' is no number of 0 to 4294967295",
                               (unsigned long long)*count, name);
        ++*count;
        if (csv.at == csv.end) break;
        if (*csv.at++ != ',')
            return crn_io_fail(model->error, CAIRN_BAD_DATA, csv.line,
                               "a comma is needed after tile %llu of layer '%s'",
                               (unsigned long long)(*count - 1), name);
    }
    return CAIRN_OK;
}

static cairn_status data_csv_unpack(crn_tiled *model, data_csv csv, crn_tiled_patch *patch)
{
    uint64_t count;
    uint32_t line = csv.line;
    cairn_status status = data_csv_count(model, csv, &count, patch);
    if (status) return status;
    if (count != data_needed(patch)) return crn_tiled_wrong_count(model, line, patch, count);
    patch->tiles =
        crn_io_resize(model->context, NULL, 0, data_needed(patch) * sizeof *patch->tiles);
    if (!patch->tiles) return crn_io_no_memory(model->error);
    for (size_t i = 0; i < count; i++) {
        data_csv_number(&csv, &patch->tiles[i]);
        csv.at++; /* the comma */
    }
    return CAIRN_OK;
}

/* ---- base64 ---- */

static int data_base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes into bytes (at least 3/4 of the text's size); false = this is no base64. */
static bool data_base64(const char *text, size_t size, uint8_t *bytes, size_t *out_size)
{
    uint32_t bits = 0;
    size_t digits = 0, padding = 0, length = 0;
    for (size_t i = 0; i < size; i++) {
        if (data_blank(text[i])) continue;
        int digit = text[i] == '=' ? 0 : data_base64_digit(text[i]);
        if (text[i] == '=')
            padding++;
        else if (padding)
            return false;
        if (digit < 0 || padding > 2) return false;
        bits = bits << 6 | (uint32_t)digit;
        if (++digits % 4) continue;
        for (int shift = 16; shift >= 0; shift -= 8) bytes[length++] = (uint8_t)(bits >> shift);
    }
    if (digits % 4) return false;
    *out_size = length - padding;
    return true;
}

/* ---- unpacking: into room for the tiles; *got is what there was, at most one byte more than
 * needed ---- */

typedef struct data_packed {
    const uint8_t *bytes;
    size_t size;
} data_packed;

#if defined(CAIRN_WITH_ZLIB)

static voidpf data_zlib_allocate(voidpf context, uInt items, uInt size)
{
    return crn_io_block(context, NULL, crn_io_multiply(items, size));
}

static void data_zlib_free(voidpf context, voidpf block)
{
    crn_io_block_free(context, block);
}

/* There is room for one byte more than needed, to detect whether there is more. */
static cairn_status data_inflate(crn_tiled *model, data_packed from, uint8_t *out, size_t needed,
                                 size_t *got)
{
    z_stream stream = {
        .zalloc = data_zlib_allocate, .zfree = data_zlib_free, .opaque = model->context};
    stream.next_in = (z_const Bytef *)(uintptr_t)from.bytes;
    stream.avail_in = (uInt)from.size;
    stream.next_out = out;
    stream.avail_out = (uInt)needed + 1;
    /* +32: zlib and gzip are told apart by what they start with. */
    int result = inflateInit2(&stream, 15 + 32);
    if (result != Z_OK) return crn_io_no_memory(model->error);
    result = inflate(&stream, Z_FINISH);
    *got = needed + 1 - stream.avail_out;
    inflateEnd(&stream);
    if (result == Z_STREAM_END || *got > needed) return CAIRN_OK;
    if (result == Z_MEM_ERROR) return crn_io_no_memory(model->error);
    return crn_io_fail(model->error, CAIRN_BAD_DATA, 0, "%s",
                       result == Z_BUF_ERROR ? "it ends too early" : "it is damaged");
}

#else

static cairn_status data_inflate(crn_tiled *model, data_packed from, uint8_t *out, size_t needed,
                                 size_t *got)
{
    (void)from, (void)out, (void)needed, (void)got;
    return crn_io_fail(model->error, CAIRN_UNSUPPORTED, 0, "this build of the library has no zlib");
}

#endif

#if defined(CAIRN_WITH_ZSTD)

static cairn_status data_zstd(crn_tiled *model, data_packed from, uint8_t *out, size_t needed,
                              size_t *got)
{
    *got = ZSTD_decompress(out, needed + 1, from.bytes, from.size);
    if (!ZSTD_isError(*got)) return CAIRN_OK;
    return crn_io_fail(model->error, CAIRN_BAD_DATA, 0, "it is damaged or too long");
}

#else

static cairn_status data_zstd(crn_tiled *model, data_packed from, uint8_t *out, size_t needed,
                              size_t *got)
{
    (void)from, (void)out, (void)needed, (void)got;
    return crn_io_fail(model->error, CAIRN_UNSUPPORTED, 0, "this build of the library has no zstd");
}

#endif

static cairn_status data_copy(crn_tiled *model, data_packed from, uint8_t *out, size_t needed,
                              size_t *got)
{
    (void)model;
    *got = from.size;
    memcpy(out, from.bytes, from.size <= needed ? from.size : needed);
    return CAIRN_OK;
}

/* The least packed bytes of which this many can come. */
static size_t data_least(crn_tiled_packing packing, size_t needed)
{
    switch (packing) {
    case CRN_TILED_ZLIB: return needed / 1032;
    case CRN_TILED_ZSTD: return needed / (128u << 10) * 4;
    default: return needed;
    }
}

/* Says which layer it was that could not be unpacked. */
static cairn_status data_blame(crn_tiled *model, uint32_t line, const crn_tiled_patch *patch,
                               const cairn_error *subsearch)
{
    return crn_io_fail(model->error, subsearch->status, line,
                       "the layer '%s' cannot be unpacked: %.100s",
                       crn_tiled_layer_at(model, patch->layer)->name, subsearch->text);
}

/* Low byte first, whatever this machine does. */
static void data_to_numbers(uint32_t *tiles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t b[4];
        memcpy(b, &tiles[i], 4);
        tiles[i] = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    }
}

/* Bytes → tiles: into a block with a byte to spare, which is then cut to size. */
static cairn_status data_unpack_bytes(crn_tiled *model, uint32_t line, data_packed from,
                                      crn_tiled_packing packing, crn_tiled_patch *patch)
{
    static cairn_status (*const unpack[])(crn_tiled *, data_packed, uint8_t *, size_t,
                                          size_t *) = {[CRN_TILED_PLAIN] = data_copy,
                                                       [CRN_TILED_ZLIB] = data_inflate,
                                                       [CRN_TILED_ZSTD] = data_zstd};
    size_t needed = data_needed(patch) * 4, got = 0;
    if (packing == CRN_TILED_PLAIN && from.size != needed)
        return crn_tiled_wrong_count(model, line, patch, from.size / 4);
    cairn_error *outer = model->error, subsearch = {0};
    if (from.size < data_least(packing, needed)) {
        crn_io_fail(&subsearch, CAIRN_BAD_DATA, 0, "it is too short for %llu tiles",
                    (unsigned long long)needed / 4);
        return data_blame(model, line, patch, &subsearch);
    }
    uint32_t *tiles = crn_io_resize(model->context, NULL, 0, needed + 4);
    if (!tiles) return crn_io_no_memory(model->error);
    model->error = &subsearch;
    cairn_status status = unpack[packing](model, from, (uint8_t *)tiles, needed, &got);
    model->error = outer;
    if (status) data_blame(model, line, patch, &subsearch);
    if (!status && got > needed) {
        status = crn_io_fail(model->error, CAIRN_BAD_DATA, line,
                             "the layer '%s' has more than the %llu tiles needed",
                             crn_tiled_layer_at(model, patch->layer)->name,
                             (unsigned long long)needed / 4);
    } else if (!status && got < needed) {
        status = crn_tiled_wrong_count(model, line, patch, got / 4);
    }
    patch->tiles = status ? NULL : crn_io_resize(model->context, tiles, needed + 4, needed);
    if (!status && !patch->tiles) status = crn_io_no_memory(model->error);
    if (status) {
        crn_io_resize(model->context, tiles, needed + 4, 0);
        return status;
    }
    data_to_numbers(patch->tiles, data_needed(patch));
    return CAIRN_OK;
}

static cairn_status data_base64_unpack(crn_tiled *model, uint32_t line, cairn_bytes text,
                                       crn_tiled_packing packing, crn_tiled_patch *patch)
{
    size_t room = text.size / 4 * 3 + 3, length = 0;
    uint8_t *bytes = crn_io_resize(model->context, NULL, 0, room);
    if (!bytes) return crn_io_no_memory(model->error);
    cairn_status status;
    if (data_base64(text.data, text.size, bytes, &length))
        status = data_unpack_bytes(model, line, (data_packed){bytes, length}, packing, patch);
    else
        status = crn_io_fail(model->error, CAIRN_BAD_DATA, line, "the layer '%s' is no base64",
                             crn_tiled_layer_at(model, patch->layer)->name);
    crn_io_resize(model->context, bytes, room, 0);
    return status;
}

cairn_status crn_tiled_unpack(crn_tiled *model, uint32_t line, cairn_bytes text,
                              crn_tiled_writing writing, crn_tiled_patch *patch)
{
    const char *data = text.data;
    if (writing.encoding == CRN_TILED_BASE64)
        return data_base64_unpack(model, line, text, writing.packing, patch);
    return data_csv_unpack(model, (data_csv){data, data + text.size, line}, patch);
}
