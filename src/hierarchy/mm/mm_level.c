/* mm_level.c: the packed abstraction: reading, writing, files. See mm_level.h. */
#include "hierarchy/mm/mm_level.h"

#define LEVEL_SORTED 512u /* edges are moved at most at a time */

/* ---- reading ---- */

uint32_t crn_mm_sector_of(const crn_mm_level *level, cairn_node node)
{
    /* the last one whose first region is no later */
    uint32_t low = 0, high = crn_mm_sector_count(level) - 1;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (level->first[middle] <= node) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

uint32_t crn_mm_passed(const crn_mm_sector *sector)
{
    uint32_t passed = 0;
    for (uint32_t i = 0; i < sector->count; i++)
        passed += crn_mm_length(sector->ends, sector->width + 1, i) > 1;
    return passed;
}

uint32_t crn_mm_beside(const crn_mm_level *level, uint32_t sector, uint32_t direction)
{
    int64_t x = (int64_t)(sector % level->columns) + crn_dx[direction],
            y = (int64_t)(sector / level->columns) + crn_dy[direction];
    bool inside = x >= 0 && y >= 0 && x < level->columns && y < level->rows;
    return inside ? (uint32_t)(y * level->columns + x) : UINT32_MAX;
}

bool crn_mm_leads(const crn_mm_level *level, uint32_t sector, uint32_t region, uint32_t to_sector,
                  uint32_t to_region)
{
    crn_mm_sector packed = crn_mm_sector_at(level, sector);
    crn_mm_edges edges = crn_mm_edges_of(&packed, region);
    uint32_t direction, to;
    while (crn_mm_edges_next(&edges, &direction, &to))
        if (crn_mm_lead(level, sector, direction, &to) == to_sector && to == to_region) return true;
    return false;
}

/* ---- opening and closing ---- */

static size_t level_table_bytes(const crn_mm_level *level)
{
    return crn_mul_size((size_t)crn_mm_sector_count(level) * 2 + 1, sizeof *level->begin);
}

bool crn_mm_level_open(crn_mm_level *level, cairn_context *context, crn_mm_extent extent)
{
    const uint32_t side = extent.side;
    *level = (crn_mm_level){.side = side, .one_way = extent.one_way};
    level->width = extent.places <= 256 && !extent.one_way ? 1 : 2;
    level->columns = (extent.width + side - 1) / side;
    level->rows = (extent.height + side - 1) / side;
    crn_mm_blocks_open(&level->bytes, 1);
    crn_mm_blocks_open(&level->labels, sizeof(uint16_t));
    level->begin = crn_alloc_zero(context, level_table_bytes(level));
    if (!level->begin) return false;
    level->first = level->begin + crn_mm_sector_count(level);
    return true;
}

static size_t level_label_table_bytes(const crn_mm_level *level)
{
    return crn_mm_sector_count(level) * sizeof *level->label_begin;
}

bool crn_mm_level_open_labels(crn_mm_level *level, cairn_context *context)
{
    level->label_begin = crn_alloc_zero(context, level_label_table_bytes(level));
    return level->label_begin;
}

void crn_mm_level_close(crn_mm_level *level, cairn_context *context)
{
    if (!level->begin) return;
    crn_mm_blocks_close(&level->labels, context);
    crn_mm_blocks_close(&level->bytes, context);
    crn_free(context, level->label_begin, level_label_table_bytes(level));
    crn_free(context, level->begin, level_table_bytes(level));
    *level = (crn_mm_level){0};
}

size_t crn_mm_level_bytes(const crn_mm_level *level)
{
    if (!level->begin) return 0;
    return sizeof *level + level_table_bytes(level) + crn_mm_blocks_bytes(&level->bytes) +
           crn_mm_blocks_bytes(&level->labels) +
           (level->label_begin ? level_label_table_bytes(level) : 0);
}

/* ---- writing ---- */

void crn_mm_draft_close(crn_mm_draft *draft, cairn_context *context)
{
    crn_free(context, draft->centres, draft->centre_capacity * sizeof *draft->centres);
    crn_free(context, draft->edges, draft->edge_capacity * sizeof *draft->edges);
    *draft = (crn_mm_draft){0};
}

bool crn_mm_draft_region(crn_mm_draft *draft, cairn_context *context, uint32_t centre)
{
    void *centres = draft->centres;
    bool ok = crn_grow(context, &centres, &draft->centre_capacity, draft->count + 1,
                       sizeof *draft->centres);
    draft->centres = centres;
    if (ok) draft->centres[draft->count++] = centre;
    return ok;
}

bool crn_mm_draft_edge(crn_mm_draft *draft, cairn_context *context, uint32_t region,
                       uint32_t direction, uint32_t other)
{
    uint64_t edge = (uint64_t)region << 32 | direction << 16 | other;
    if (draft->edge_count && draft->edges[draft->edge_count - 1] == edge) return true;
    void *edges = draft->edges;
    bool ok = crn_grow(context, &edges, &draft->edge_capacity, draft->edge_count + 1,
                       sizeof *draft->edges);
    draft->edges = edges;
    if (ok) draft->edges[draft->edge_count++] = edge;
    return ok;
}

/* Shell's method: they are few, and come nearly in order. */
bool crn_mm_draft_sort_on(crn_mm_draft *draft)
{
    static const size_t gaps[] = {1968, 701, 301, 132, 57, 23, 10, 4, 1};
    size_t left = LEVEL_SORTED, kept = 0;
    uint64_t *edges = draft->edges;
    for (; draft->gap < sizeof gaps / sizeof *gaps; draft->gap++, draft->sorted = 0) {
        size_t gap = gaps[draft->gap], i = draft->sorted > gap ? draft->sorted : gap;
        for (; i < draft->edge_count; i++, left--) {
            uint64_t edge = edges[i];
            size_t at = i;
            if (!left) {
                draft->sorted = i;
                return false;
            }
            for (; at >= gap && edges[at - gap] > edge; at -= gap) edges[at] = edges[at - gap];
            edges[at] = edge;
        }
    }
    for (size_t i = 0; i < draft->edge_count; i++) {
        if (!i || edges[i] != edges[i - 1]) edges[kept++] = edges[i];
    }
    draft->edge_count = kept;
    draft->gap = 0;
    return true;
}

static uint8_t *level_put(uint8_t *at, uint32_t number, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) at[i] = (uint8_t)(number >> 8 * i);
    return at + width;
}

/* The edges of a region, from the i-th on; where the next region's begin. */
static size_t level_put_edges(const crn_mm_draft *draft, size_t i, uint32_t region, uint8_t **at)
{
    for (; i < draft->edge_count && draft->edges[i] >> 32 == region; i++) {
        uint32_t direction = (uint32_t)(draft->edges[i] >> 16 & 7),
                 other = (uint32_t)draft->edges[i] & 0xffff;
        *(*at)++ = (uint8_t)(direction << 5 | crn_min_u32(other, CRN_MM_REGION_LONG));
        if (other >= CRN_MM_REGION_LONG) *at = level_put(*at, other, 2);
    }
    return i;
}

size_t crn_mm_pack_room(const crn_mm_level *level, const crn_mm_draft *draft)
{
    return crn_mm_head(level) + (level->width + crn_mm_head(level)) * draft->count +
           3 * draft->edge_count;
}

uint32_t crn_mm_pack(const crn_mm_level *level, const crn_mm_draft *draft, uint8_t *out)
{
    const uint32_t head = crn_mm_head(level), count = (uint32_t)draft->count;
    uint8_t *at = level_put(out, count, head);
    for (uint32_t i = 0; i < count; i++) at = level_put(at, draft->centres[i], level->width);
    uint8_t *ends = at;
    at += (size_t)head * count;
    const uint8_t *edges = at;
    size_t edge = 0;
    for (uint32_t i = 0; i < count; i++) {
        edge = level_put_edges(draft, edge, i, &at);
        ends = level_put(ends, (uint32_t)(at - edges), head);
    }
    return (uint32_t)(at - out);
}

bool crn_mm_write(crn_mm_level *level, cairn_context *context, uint32_t sector,
                  const crn_mm_draft *draft)
{
    uint8_t *out = crn_mm_blocks_room(&level->bytes, context, crn_mm_pack_room(level, draft));
    if (!out) return false;
    level->begin[sector] = crn_mm_blocks_append(&level->bytes, crn_mm_pack(level, draft, out));
    level->first[sector + 1] = level->first[sector] + (uint32_t)draft->count;
    crn_mm_sector packed = crn_mm_sector_at(level, sector);
    level->passed += crn_mm_passed(&packed);
    return true;
}

uint32_t crn_mm_sector_bytes(const crn_mm_level *level, const uint8_t *bytes, uint32_t regions)
{
    const uint32_t head = crn_mm_head(level);
    const uint8_t *ends = bytes + head + level->width * (size_t)regions;
    return head + (level->width + head) * regions +
           (regions ? crn_mm_end(ends, head, regions - 1) : 0);
}

/* ---- files ---- */

/* How many bytes the sector at `at` has, and how many regions; 0 if they do not fit into what is
 * left. */
static size_t level_measure(const crn_mm_level *level, const uint8_t *at, size_t left,
                            uint32_t *regions)
{
    const uint32_t width = level->width, head = crn_mm_head(level);
    if (left < head) return 0;
    *regions = crn_mm_number(at, head);
    size_t size = head + (width + head) * (size_t)*regions;
    if (left < size) return 0;
    const uint8_t *ends = at + head + width * (size_t)*regions;
    uint32_t last = 0;
    for (uint32_t i = 0; i < *regions; i++) {
        uint32_t end = crn_mm_end(ends, head, i);
        if (end < last) return 0;
        last = end;
    }
    return size + last <= left ? size + last : 0;
}

static bool level_find_sectors(crn_mm_level *level, const uint8_t *data, size_t size)
{
    size_t at = 0;
    for (uint32_t i = 0; i < crn_mm_sector_count(level); i++) {
        uint32_t regions = 0;
        size_t bytes = level_measure(level, data + at, size - at, &regions);
        if (!bytes) return false;
        level->begin[i] = (uint32_t)at;
        at += bytes;
        level->first[i + 1] = level->first[i] + regions;
    }
    return at == size;
}

/* Are the edges of a region whole and in order, and do they lead to regions that there are? */
static bool level_check_edges(const crn_mm_level *level, uint32_t sector, crn_mm_edges edges)
{
    uint32_t least = 0;
    while (edges.at != edges.end) {
        bool is_long = (*edges.at & CRN_MM_REGION_LONG) == CRN_MM_REGION_LONG;
        if (is_long && edges.end - edges.at < 3) return false;
        uint32_t direction, region;
        crn_mm_edges_next(&edges, &direction, &region);
        uint32_t order = direction << 16 | region;
        if (order < least || (is_long && region < CRN_MM_REGION_LONG)) return false;
        uint32_t beside = crn_mm_lead(level, sector, direction, &region);
        if (beside == UINT32_MAX || region >= level->first[beside + 1] - level->first[beside])
            return false;
        least = order + 1;
    }
    return true;
}

static bool level_check_sector(const crn_mm_level *level, uint32_t at, crn_mm_centre_check *check,
                               const void *user)
{
    crn_mm_sector sector = crn_mm_sector_at(level, at);
    for (uint32_t i = 0; i < sector.count; i++) {
        if (!check(user, at, crn_mm_centre(&sector, i))) return false;
        if (!level_check_edges(level, at, crn_mm_edges_of(&sector, i))) return false;
    }
    return true;
}

static cairn_status level_bad(cairn_error *error)
{
    return crn_fail(error, CAIRN_BAD_DATA, 0,
                    "the sectors of the abstraction are missing or make no sense");
}

static uint32_t level_block(const void *user, uint32_t sector, uint32_t *bytes)
{
    const crn_mm_level *level = user;
    *bytes = crn_mm_sector_bytes(level, crn_mm_block(&level->bytes, level->begin[sector]),
                                 crn_mm_count(level, sector));
    return level->begin[sector];
}

cairn_status crn_mm_level_save(const crn_mm_level *level, cairn_context *context,
                               cairn_store *store, const char *name)
{
    crn_mm_saving saving = {context, store, name, level_block, level, crn_mm_sector_count(level)};
    return crn_mm_blocks_save(&level->bytes, &saving);
}

cairn_status crn_mm_level_load(crn_mm_level *level, cairn_context *context,
                               const crn_mm_section *section, cairn_error *error)
{
    size_t size = 0;
    const uint8_t *data = cairn_archive_section(section->archive, section->name, 1, &size);
    if (!data || size >= UINT32_MAX || !level_find_sectors(level, data, size)) {
        memset(level->begin, 0, level_table_bytes(level));
        return level_bad(error);
    }
    crn_mm_blocks_load(&level->bytes, context, (cairn_bytes){data, size}, true);
    for (uint32_t i = 0; i < crn_mm_sector_count(level); i++) {
        if (!level_check_sector(level, i, section->check, section->user)) return level_bad(error);
        crn_mm_sector packed = crn_mm_sector_at(level, i);
        level->passed += crn_mm_passed(&packed);
    }
    if (!crn_mm_blocks_load(&level->bytes, context, (cairn_bytes){data, size}, section->borrow))
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the abstraction");
    return CAIRN_OK;
}
