/* mm_check.c: what must hold of the packed levels of `mm`. See mm_check.h. */
#include "hierarchy/mm/mm_check.h"

#if defined(CAIRN_CHECKS)

static const char *mm_check_region(const crn_mm_level *level, uint32_t at,
                                   const crn_mm_sector *sector, uint32_t region, bool whole)
{
    crn_mm_edges edges = crn_mm_edges_of(sector, region);
    uint32_t direction, other, least = 0;
    if (edges.end < edges.at ||
        level->begin[at] + (size_t)(edges.end - sector->centres) + crn_mm_head(level) >
            level->bytes.used)
        return "edges go beyond the level";
    while (edges.at < edges.end && crn_mm_edges_next(&edges, &direction, &other)) {
        uint32_t order = direction << 16 | other;
        if (order < least) return "edges of a region do not ascend";
        least = order + 1;
        uint32_t beside = crn_mm_lead(level, at, direction, &other);
        if (beside == UINT32_MAX || other >= level->first[beside + 1] - level->first[beside])
            return "an edge leads to no region";
        if (whole && !level->one_way && !crn_mm_leads(level, beside, other, at, region))
            return "an edge between regions leads one way only";
    }
    return edges.at == edges.end ? NULL : "edges go beyond their region";
}

static const char *mm_check_sector(const crn_mm_level *level, uint32_t at, bool whole)
{
    crn_mm_sector sector = crn_mm_sector_at(level, at);
    if (level->first[at + 1] < level->first[at]) return "sectors do not follow one another";
    if (crn_mm_number(crn_mm_block(&level->bytes, level->begin[at]), crn_mm_head(level)) !=
        sector.count)
        return "the regions of a sector are counted wrong";
    const char *wrong = NULL;
    for (uint32_t i = 0; i < sector.count && !wrong; i++)
        wrong = mm_check_region(level, at, &sector, i, whole);
    return wrong;
}

/* Centres are cells that can be stood on, in their own sector. */
static const char *mm_check_centres(const crn_mm *mm, const crn_grid_space *space, uint32_t level,
                                    uint32_t sector)
{
    const crn_mm_level *l = &mm->levels[level];
    for (uint32_t i = 0; i < l->first[sector + 1] - l->first[sector]; i++) {
        uint32_t lower = sector, region = i;
        for (uint32_t k = level; k; k--) lower = crn_mm_descend(mm, k, lower, region, &region);
        uint32_t above = lower;
        for (uint32_t k = 0; k < level; k++) above = crn_mm_upper(mm, k, above);
        if (above != sector) return "a centre lies in another sector";
        cairn_cell cell = crn_mm_place(mm, level, sector, i);
        crn_area area = crn_mm_area(mm, space, lower);
        if ((uint32_t)cell.x - area.left >= area.width ||
            (uint32_t)cell.y - area.top >= area.height)
            return "a centre lies in another sector";
        if (!crn_bit(&space->usable, cell.x, cell.y)) return "nobody can stand on a centre";
    }
    return NULL;
}

const char *crn_mm_check(const crn_mm *mm, const crn_grid_space *space, bool whole)
{
    const char *wrong = NULL;
    for (uint32_t i = 0; i < mm->level_count && !wrong; i++) {
        const crn_mm_level *level = &mm->levels[i];
        if (!level->bytes.data || level->first[0]) return "a level is not there";
        uint32_t passed = 0;
        for (uint32_t at = 0; at < crn_mm_sector_count(level) && !wrong; at++) {
            wrong = mm_check_sector(level, at, whole);
            crn_mm_sector packed = crn_mm_sector_at(level, at);
            passed += crn_mm_passed(&packed);
            if (!wrong) wrong = mm_check_centres(mm, space, i, at);
        }
        if (!wrong && passed != level->passed) wrong = "regions that are passed are counted wrong";
    }
    if (!wrong && mm->stored && !crn_mm_check_paths(mm, space))
        wrong = "a stored path does not lead from centre to centre at its cost";
    return wrong;
}

#endif
