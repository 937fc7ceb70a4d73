/* hcdps_stream.c: streams of numbers in the index of `hcdps`, and what is looked up in them. See
 * hcdps_index.h. */
#include "realtime/hcdps/hcdps_index.h"

/* ---- writing ---- */

void crn_hcdps_write_byte(crn_hcdps_writer *writer, uint32_t byte)
{
    writer->word |= byte << writer->shift;
    writer->shift += 8;
    if (writer->shift < 32) return;
    writer->failed |= !crn_hcdps_put(writer->out, writer->context, writer->word);
    writer->word = writer->shift = 0;
}

void crn_hcdps_write(crn_hcdps_writer *writer, uint32_t value)
{
    for (; value >= 128; value >>= 7) crn_hcdps_write_byte(writer, (value & 127) | 128);
    crn_hcdps_write_byte(writer, value);
}

bool crn_hcdps_write_end(crn_hcdps_writer *writer)
{
    while (writer->shift) crn_hcdps_write_byte(writer, 0);
    return !writer->failed;
}

/* ---- reading ---- */

static const uint8_t *stream_bytes(const crn_hcdps *index, uint32_t array)
{
    return (const uint8_t *)crn_hcdps_items(index, array);
}

crn_hcdps_reader crn_hcdps_stream(const crn_hcdps *index, uint32_t array, uint32_t first,
                                  uint32_t number)
{
    const uint32_t *at = crn_hcdps_items(index, first) + number;
    const uint8_t *bytes = stream_bytes(index, array);
    return (crn_hcdps_reader){bytes + (size_t)at[0] * 4, bytes + (size_t)at[1] * 4};
}

crn_hcdps_run crn_hcdps_run_at(const crn_hcdps *index, cairn_node node)
{
    uint32_t block = node / index->every, place = node % index->every, begin = 0, region = 0;
    crn_hcdps_reader r = crn_hcdps_stream(index, CRN_HCDPS_RUNS, CRN_HCDPS_ENTRIES, block);
    for (;;) {
        region += crn_hcdps_signed(crn_hcdps_read(&r));
        uint32_t length = crn_hcdps_read(&r), base = block * index->every;
        if (!length) return (crn_hcdps_run){region, base + begin, base + index->every};
        if (begin + length > place)
            return (crn_hcdps_run){region, base + begin, base + begin + length};
        begin += length;
    }
}

uint32_t crn_hcdps_region(const crn_hcdps *index, cairn_node node)
{
    return crn_hcdps_run_at(index, node).region;
}

static crn_hcdps_reader stream_links(const crn_hcdps *index, uint32_t region)
{
    return crn_hcdps_stream(index, CRN_HCDPS_LINKS, CRN_HCDPS_LINK_FIRST, region);
}

uint32_t crn_hcdps_links(const crn_hcdps *index, uint32_t region)
{
    crn_hcdps_reader r = stream_links(index, region);
    return crn_hcdps_read(&r);
}

/* The node so many columns and rows from another one. */
static cairn_node stream_node(const crn_hcdps *index, cairn_node from, uint32_t columns,
                              uint32_t rows)
{
    return from + crn_hcdps_signed(rows) * index->width + crn_hcdps_signed(columns);
}

/* A link, from the number of its region on up to the reader's end. */
static crn_hcdps_link stream_link(const crn_hcdps *index, uint32_t region, bool near,
                                  crn_hcdps_reader r)
{
    crn_hcdps_link link = {.leave = CAIRN_NO_NODE, .enter = CAIRN_NO_NODE};
    link.region = region + crn_hcdps_signed(crn_hcdps_read(&r));
    if (near) {
        uint32_t columns = crn_hcdps_read(&r), rows = crn_hcdps_read(&r), d = rows % 9;
        link.leave = stream_node(index, crn_hcdps_home(index, region), columns, rows / 9);
        if (d == CRN_DIRECTIONS) {
            link.enter = crn_hcdps_read(&r);
        } else {
            uint32_t right = (uint32_t)crn_dx[d], down = (uint32_t)crn_dy[d];
            link.enter = link.leave + down * index->width + right;
        }
    }
    link.read = (uint32_t)(r.at - stream_bytes(index, CRN_HCDPS_LINKS));
    link.end = (uint32_t)(r.end - stream_bytes(index, CRN_HCDPS_LINKS));
    return link;
}

crn_hcdps_link crn_hcdps_link_at(const crn_hcdps *index, uint32_t region, uint32_t slot)
{
    crn_hcdps_reader r = stream_links(index, region);
    crn_hcdps_read(&r);
    uint32_t near = crn_hcdps_read(&r), size = crn_hcdps_read(&r);
    for (uint32_t i = 0; i < slot; i++) {
        r.at = size < (size_t)(r.end - r.at) ? r.at + size : r.end;
        size = crn_hcdps_read(&r);
    }
    if (size < (size_t)(r.end - r.at)) r.end = r.at + size;
    return stream_link(index, region, slot < near, r);
}

uint32_t crn_hcdps_list_links(const crn_hcdps *index, uint32_t region,
                              crn_hcdps_link links[CRN_HCDPS_SLOTS])
{
    crn_hcdps_reader r = stream_links(index, region);
    uint32_t count = crn_hcdps_read(&r), near = crn_hcdps_read(&r);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = crn_hcdps_read(&r);
        links[i] = stream_link(index, region, i < near, (crn_hcdps_reader){r.at, r.at + size});
        r.at += size;
    }
    return count;
}

bool crn_hcdps_subgoal(const crn_hcdps *index, uint32_t *read, uint32_t end, cairn_node *node)
{
    if (*read >= end) return false;
    const uint8_t *bytes = stream_bytes(index, CRN_HCDPS_LINKS);
    crn_hcdps_reader r = {bytes + *read, bytes + end};
    uint32_t columns = crn_hcdps_read(&r), rows = crn_hcdps_read(&r);
    *node = stream_node(index, *node, columns, rows);
    *read = (uint32_t)(r.at - bytes);
    return true;
}

static uint32_t stream_three_bytes(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
}

uint32_t crn_hcdps_next(const crn_hcdps *index, uint32_t from, uint32_t to, bool near)
{
    uint32_t end;
    return crn_hcdps_next_run(index, from, to, near, &end);
}

uint32_t crn_hcdps_next_run(const crn_hcdps *index, uint32_t from, uint32_t to, bool near,
                            uint32_t *end)
{
    *end = crn_hcdps_regions(index);
    near = near && index->depth > 1;
    crn_hcdps_reader r = crn_hcdps_stream(index, near ? CRN_HCDPS_NEAR : CRN_HCDPS_ROWS,
                                          near ? CRN_HCDPS_NEAR_FIRST : CRN_HCDPS_ROW_FIRST, from);
    uint32_t links = crn_hcdps_links(index, from), slot = links, runs = crn_hcdps_read(&r);
    uint32_t start = UINT32_MAX, low = 0; /* the number before the first run */
    uint32_t entries = runs ? (runs - 1) / CRN_HCDPS_GROUP : 0;
    const uint8_t *entry = r.at;
    for (uint32_t high = entries; low < high;) { /* entries that begin at `to` or before */
        uint32_t middle = low + (high - low + 1) / 2;
        if (stream_three_bytes(entry + (size_t)(middle - 1) * CRN_HCDPS_ENTRY) <= to) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    r.at += (size_t)entries * CRN_HCDPS_ENTRY;
    if (low < entries) *end = stream_three_bytes(entry + (size_t)low * CRN_HCDPS_ENTRY);
    if (low) {
        entry += (size_t)(low - 1) * CRN_HCDPS_ENTRY;
        start = stream_three_bytes(entry) - 1;
        r.at += stream_three_bytes(entry + 3);
    }
    for (uint32_t left = crn_min_u32(runs - low * CRN_HCDPS_GROUP, CRN_HCDPS_GROUP); left; left--) {
        uint32_t value = crn_hcdps_read(&r);
        start += value / (links + 1) + 1;
        if (start > to) {
            *end = start;
            break;
        }
        slot = value % (links + 1);
    }
    return slot == links ? UINT32_MAX : slot;
}
