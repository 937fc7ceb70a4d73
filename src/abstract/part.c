/* part.c: parts of grids. See part.h. */
#include "abstract/part.h"

cairn_status crn_part_open(crn_part *part, crn_scratch *memory, const crn_grid_space *whole)
{
    *part = (crn_part){.whole = whole, .memory = memory, .version = UINT64_MAX};
    crn_bits shown = whole->usable; /* of the same shape */
    size_t bytes = crn_bits_bytes(&shown);
    uint8_t *block = crn_scratch_alloc(memory, bytes);
    if (!block) return CAIRN_OUT_OF_MEMORY;
    memset(block, 0, bytes);
    part->space.usable = shown;
    part->space.usable.rows = block + 8;
    crn_part_refresh(part);
    return CAIRN_OK;
}

void crn_part_close(crn_part *part)
{
    crn_bits *shown = &part->space.usable;
    if (shown->rows) crn_scratch_free(part->memory, shown->rows - 8, crn_bits_bytes(shown));
    shown->rows = NULL;
    crn_scratch_free(part->memory, part->links, part->link_capacity * sizeof *part->links);
    crn_scratch_free(part->memory, part->shortcuts,
                     part->shortcut_capacity * sizeof *part->shortcuts);
}

void crn_part_refresh(crn_part *part)
{
    uint64_t version = cairn_space_version(&part->whole->base);
    if (version == part->version) return;
    crn_bits shown = part->space.usable;
    crn_grid_space_copy(&part->space, part->whole);
    part->space.usable = shown;
    part->space.free = *crn_grid_free_bits(part->whole); /* bodies may reach out of the part */
    part->space.sized = true;
    part->space.links.count = part->space.links.shortcut_count = 0;
    part->space.base.max_edge = part->space.base.max_step;
    part->version = version;
}

/* Cells of a row that fit a word wherever it begins. */
#define PART_STRIP 56u

/* Sets the bits of a strip of at most this many columns to those of the whole, or to none. */
static void part_strip(crn_part *part, crn_area area, bool shown)
{
    const crn_bits *bits = &part->space.usable;
    size_t first = area.left + 1u, at = (area.top + 1u) * bits->stride + first / 8;
    uint64_t mask = ((UINT64_C(1) << area.width) - 1) << first % 8;
    for (uint32_t y = 0; y < area.height; y++, at += bits->stride) {
        uint64_t usable = shown ? crn_word_load(part->whole->usable.rows + at) & mask : 0;
        crn_word_store(bits->rows + at, (crn_word_load(bits->rows + at) & ~mask) | usable);
    }
}

static void part_set(crn_part *part, crn_area area, bool shown)
{
    for (uint32_t end = area.left + area.width; area.left < end; area.left += PART_STRIP) {
        area.width = crn_min_u32(end - area.left, PART_STRIP);
        part_strip(part, area, shown);
    }
}

void crn_part_show(crn_part *part, crn_area area)
{
    part_set(part, area, true);
}

void crn_part_hide(crn_part *part, crn_area area)
{
    part_set(part, area, false);
}

/* ---- what the ground is like ---- */

enum { PART_SURVEYED = 1024 }; /* cells at a time, or a row */

static void part_survey_cell(const crn_part *part, crn_part_survey *survey, size_t cell)
{
    const cairn_grid *grid = part->space.grid;
    uint32_t kind = grid->terrain ? grid->terrain[cell] : 0;
    crn_surface_add(&survey->surface, part->space.profile.terrain_cost[kind]);
    if (grid->layer && grid->layer[cell] > survey->surface.layer)
        survey->surface.layer = grid->layer[cell];
    if (!grid->elevation) return;
    int32_t height = grid->elevation[cell];
    if (height < survey->lowest) survey->lowest = height;
    if (height > survey->highest) survey->highest = height;
}

void crn_part_learn_begin(crn_part *part)
{
    part->survey = (crn_part_survey){.lowest = INT16_MAX, .highest = INT16_MIN};
}

static void part_survey_row(crn_part *part, crn_area area, uint32_t y)
{
    for (uint32_t x = 0; x < area.width; x += 64) {
        uint64_t shown = crn_bits_word(&part->space.usable, (int32_t)(area.left + x), (int32_t)y);
        for (; shown; shown &= shown - 1) {
            uint32_t column = area.left + x + crn_lowest_bit(shown);
            part_survey_cell(part, &part->survey, (size_t)y * part->space.grid->width + column);
        }
    }
}

/* Where the whole is uniform, so is every part of it. */
bool crn_part_learn_on(crn_part *part, crn_area area)
{
    crn_part_survey *survey = &part->survey;
    if (part->whole->uniform) return true;
    for (uint32_t cells = 0; survey->rows < area.height; cells += area.width) {
        if (cells >= PART_SURVEYED) return false;
        part_survey_row(part, area, area.top + survey->rows++);
    }
    survey->surface.heights = survey->highest > survey->lowest;
    if (survey->surface.heights)
        survey->surface.rise = (uint32_t)(survey->highest - survey->lowest);
    crn_grid_space_learn_surface(&part->space, &survey->surface);
    part->space.base.max_edge = part->space.base.max_step;
    return true;
}
