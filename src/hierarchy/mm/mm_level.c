/* mm_level.c: the packed abstraction: reading, writing, files. See mm_level.h. */
#include "hierarchy/mm/mm_level.h"

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

uint32_t crn_mm_passed(const crn_mm_level *level, uint32_t sector)
{
    crn_mm_sector packed = crn_mm_sector_at(level, sector);
    uint32_t passed = 0;
    for (uint32_t i = 0; i < packed.count; i++)
        passed += crn_mm_length(packed.ends, packed.width + 1, i) > 1;
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
    return crn_mul_size((size_t)crn_mm_sector_count(level) + 1, 2 * sizeof *level->begin);
}

bool crn_mm_level_open(crn_mm_level *level, cairn_context *context, crn_mm_extent extent)
{
    const uint32_t side = extent.side;
    *level = (crn_mm_level){.side = side, .one_way = extent.one_way};
    level->width = extent.places <= 256 && !extent.one_way ? 1 : 2;
    level->columns = (extent.width + side - 1) / side;
    level->rows = (extent.height + side - 1) / side;
    level->begin = crn_alloc_zero(context, level_table_bytes(level));
    if (!level->begin) return false;
    level->first = level->begin + crn_mm_sector_count(level) + 1;
    return true;
}

bool crn_mm_level_open_labels(crn_mm_level *level, cairn_context *context)
{
    size_t count = (size_t)crn_mm_node_count(level) + 1; /* there may be none */
    level->above = crn_alloc(context, count * sizeof *level->above);
    level->above_count = level->above ? count : 0;
    return level->above;
}

void crn_mm_level_close(crn_mm_level *level, cairn_context *context)
{
    if (!level->begin) return;
    crn_free(context, level->above, level->above_count * sizeof *level->above);
    crn_free(context, level->owned, level->capacity);
    crn_free(context, level->begin, level_table_bytes(level));
    *level = (crn_mm_level){0};
}

size_t crn_mm_level_bytes(const crn_mm_level *level)
{
    if (!level->begin) return 0;
    size_t data = level->owned ? level->capacity : level->begin[crn_mm_sector_count(level)];
    return sizeof *level + level_table_bytes(level) + data +
           level->above_count * sizeof *level->above;
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

static bool level_edge_before(const void *a, const void *b)
{
    return *(const uint64_t *)a < *(const uint64_t *)b;
}

void crn_mm_draft_sort(crn_mm_draft *draft)
{
    crn_sort(draft->edges, draft->edge_count, sizeof *draft->edges, level_edge_before);
    size_t kept = 0;
    for (size_t i = 0; i < draft->edge_count; i++) {
        if (!i || draft->edges[i] != draft->edges[i - 1]) draft->edges[kept++] = draft->edges[i];
    }
    draft->edge_count = kept;
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

static uint8_t *level_reserve(crn_mm_writer *writer, size_t more)
{
    void *data = writer->level->owned;
    bool ok = writer->size + more <= UINT32_MAX &&
              crn_grow(writer->context, &data, &writer->level->capacity, writer->size + more, 1);
    writer->level->owned = data;
    return ok ? writer->level->owned + writer->size : NULL;
}

static void level_wrote(crn_mm_writer *writer, size_t bytes, uint32_t regions)
{
    crn_mm_level *level = writer->level;
    writer->size += bytes;
    level->first[writer->sector + 1] = level->first[writer->sector] + regions;
    level->begin[++writer->sector] = (uint32_t)writer->size;
}

bool crn_mm_write(crn_mm_writer *writer, crn_mm_draft *draft)
{
    const uint32_t width = writer->level->width, head = crn_mm_head(writer->level),
                   count = (uint32_t)draft->count;
    crn_mm_draft_sort(draft);
    uint8_t *start =
        level_reserve(writer, head + (width + head) * (size_t)count + 3 * draft->edge_count);
    if (!start) return false;
    uint8_t *at = level_put(start, count, head);
    for (uint32_t i = 0; i < count; i++) at = level_put(at, draft->centres[i], width);
    uint8_t *ends = at;
    at += (size_t)head * count;
    const uint8_t *edges = at;
    size_t edge = 0;
    for (uint32_t i = 0; i < count; i++) {
        edge = level_put_edges(draft, edge, i, &at);
        ends = level_put(ends, (uint32_t)(at - edges), head);
    }
    level_wrote(writer, (size_t)(at - start), count);
    return true;
}

bool crn_mm_write_copy(crn_mm_writer *writer, const crn_mm_level *from)
{
    uint32_t sector = writer->sector;
    size_t bytes = from->begin[sector + 1] - from->begin[sector];
    uint8_t *at = level_reserve(writer, bytes);
    if (!at) return false;
    memcpy(at, from->data + from->begin[sector], bytes);
    level_wrote(writer, bytes, from->first[sector + 1] - from->first[sector]);
    return true;
}

bool crn_mm_write_end(crn_mm_writer *writer)
{
    crn_mm_level *level = writer->level;
    void *exact = crn_realloc(writer->context, level->owned, level->capacity, writer->size);
    if (!exact) return false;
    level->data = level->owned = exact;
    level->capacity = writer->size;
    return true;
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
        at += bytes;
        level->begin[i + 1] = (uint32_t)at;
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

cairn_status crn_mm_level_load(crn_mm_level *level, cairn_context *context,
                               const crn_mm_section *section, cairn_error *error)
{
    size_t size = 0;
    const uint8_t *data = cairn_archive_section(section->archive, section->name, 1, &size);
    if (!data || size > UINT32_MAX || !level_find_sectors(level, data, size)) {
        memset(level->begin, 0, level_table_bytes(level));
        return level_bad(error);
    }
    level->data = data;
    for (uint32_t i = 0; i < crn_mm_sector_count(level); i++) {
        if (!level_check_sector(level, i, section->check, section->user)) return level_bad(error);
        level->passed += crn_mm_passed(level, i);
    }
    if (section->borrow) return CAIRN_OK;
    level->owned = crn_alloc(context, size);
    if (!level->owned)
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for the abstraction");
    memcpy(level->owned, data, size);
    level->capacity = size;
    level->data = level->owned;
    return CAIRN_OK;
}
