/* mm_doors.c: links between regions of `mm`. See mm_index.h.
 *
 * A link that leads from one region to another is an edge of each level on which it does. These
 * edges are found when an index has been built, repaired or loaded, and are not part of its bytes:
 * so no sector depends on links, which may lead anywhere. A region that nothing but links lead out
 * of is left out of upper levels (mm_upper.c), and so are such links there.
 */
#include "hierarchy/mm/mm_job.h"

enum { DOORS_LIFTED = 64 }; /* at a time */

cairn_node crn_mm_flooded(const crn_mm *mm, const crn_flood *flood, uint32_t sector)
{
    const crn_mm_level *level = &mm->levels[0];
    crn_mm_sector packed = crn_mm_sector_at(level, sector);
    for (uint32_t i = 0; i < packed.count; i++) {
        uint32_t centre = crn_mm_centre(&packed, i);
        if (crn_flood_reached(flood, centre % mm->side, centre / mm->side))
            return level->first[sector] + i;
    }
    return CAIRN_NO_NODE;
}

uint32_t crn_mm_sector_of_cell(const crn_mm *mm, const crn_grid_space *space, cairn_node cell)
{
    uint32_t width = space->grid->width;
    return cell / width / mm->side * mm->levels[0].columns + cell % width / mm->side;
}

static bool doors_before(const void *a, const void *b)
{
    const crn_mm_door *x = a, *y = b;
    return x->from != y->from ? x->from < y->from : x->link < y->link;
}

/* Is it one between two regions? */
static void doors_add(crn_mm_doors *doors, crn_mm_door door)
{
    bool known = door.from != CAIRN_NO_NODE && door.to != CAIRN_NO_NODE;
    if (known && door.from != door.to) doors->items[doors->count++] = door;
}

/* Finds the region of a cell, by flooding its sector. */
static cairn_status doors_region_on(crn_mm_job *job, cairn_node cell, cairn_node *region)
{
    enum { BEGIN, OPEN, SWEEP };
    const crn_mm *mm = job->mm;
    uint32_t sector = crn_mm_sector_of_cell(mm, job->space, cell), width = job->space->grid->width;
    uint32_t *step = &job->flooding.step;
    if (*step == BEGIN) {
        crn_flood_open_begin(&job->flood, job->space, crn_mm_area(mm, job->space, sector));
        *step = OPEN;
    }
    if (*step == OPEN) {
        if (!crn_flood_open_on(&job->flood, job->space)) return CAIRN_RUNNING;
        crn_flood_begin(&job->flood, cell % width % mm->side, cell / width % mm->side);
        *step = SWEEP;
    }
    if (!crn_flood_sweep(&job->flood)) return CAIRN_RUNNING;
    *step = BEGIN;
    *region = crn_mm_flooded(mm, &job->flood, sector);
    return CAIRN_OK;
}

/* The links of level 1, end by end. */
static cairn_status doors_find_on(crn_mm_job *job)
{
    const crn_links *links = &job->space->links;
    crn_mm_progress *p = &job->drafting;
    if (p->at == links->count) return CAIRN_OK;
    const crn_space_link *link = &links->links[p->at];
    cairn_status status =
        doors_region_on(job, p->slot ? link->to : link->from, &job->ends[p->slot]);
    if (status != CAIRN_OK || !p->slot++) return CAIRN_RUNNING;
    doors_add(&job->mm->doors[0], (crn_mm_door){job->ends[0], job->ends[1], p->at++});
    p->slot = 0;
    return CAIRN_RUNNING;
}

/* Those that are links of a level above, too. */
static cairn_status doors_lift_on(crn_mm_job *job, uint32_t level)
{
    crn_mm *mm = job->mm;
    const crn_mm_doors *below = &mm->doors[level - 1];
    uint32_t *at = &job->drafting.at, end = crn_min_u32(*at + DOORS_LIFTED, below->count);
    for (; *at < end; ++*at) {
        crn_mm_door door = below->items[*at];
        door.from = crn_mm_above(mm, level - 1, door.from);
        door.to = crn_mm_above(mm, level - 1, door.to);
        doors_add(&mm->doors[level], door);
    }
    return end < below->count ? CAIRN_RUNNING : CAIRN_OK;
}

static cairn_status doors_sort_on(crn_mm_job *job, uint32_t level)
{
    static const crn_mm_order order = {doors_before, sizeof(crn_mm_door), false};
    crn_mm_doors *doors = &job->mm->doors[level];
    size_t count = doors->count;
    return crn_mm_sort_on(&job->sort, doors->items, &count, &order) ? CAIRN_OK : CAIRN_RUNNING;
}

void crn_mm_drop_doors(crn_mm *mm, cairn_context *context)
{
    for (uint32_t i = 0; i < CRN_MM_LEVELS; i++) {
        crn_free(context, mm->doors[i].items, mm->doors[i].capacity * sizeof(crn_mm_door));
        mm->doors[i] = (crn_mm_doors){0};
    }
}

static bool doors_reserve(crn_mm *mm, cairn_context *context, uint32_t count)
{
    for (uint32_t i = 0; i < mm->level_count; i++) {
        mm->doors[i].items = crn_alloc(context, count * sizeof(crn_mm_door));
        if (!mm->doors[i].items) return false;
        mm->doors[i].capacity = count;
    }
    return true;
}

/* An odd step sorts what the one before has found: of level 1, then of those above. */
cairn_status crn_mm_find_doors_on(crn_mm_job *job)
{
    crn_mm *mm = job->mm;
    crn_mm_progress *p = &job->drafting;
    if (!job->at) {
        uint32_t count = job->space->links.count;
        crn_mm_drop_doors(mm, job->context);
        if (!count) return CAIRN_OK;
        if (!doors_reserve(mm, job->context, count)) return CAIRN_OUT_OF_MEMORY;
        *p = (crn_mm_progress){0};
        job->flooding.step = 0;
        job->at = 1;
    }
    for (; p->step < 2 * mm->level_count; *p = (crn_mm_progress){.step = p->step + 1}) {
        uint32_t level = p->step / 2;
        cairn_status status = p->step % 2 ? doors_sort_on(job, level)
                              : level     ? doors_lift_on(job, level)
                                          : doors_find_on(job);
        if (status != CAIRN_OK) return status;
        job->sort = (crn_mm_sort){0};
    }
    *p = (crn_mm_progress){0};
    return CAIRN_OK;
}

uint32_t crn_mm_first_door(const crn_mm_doors *doors, cairn_node from)
{
    return (uint32_t)crn_lower_bound(doors->items, doors->count, from);
}
