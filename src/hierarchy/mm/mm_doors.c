/* mm_doors.c: links between regions of `mm`. See mm_index.h.
 *
 * A link that leads from one region to another is an edge of each level on which it does. These
 * edges are found when an index has been built, repaired or loaded, and are not part of its bytes:
 * so no sector depends on links, which may lead anywhere. A region that nothing but links lead out
 * of is left out of upper levels (mm_upper.c), and so are such links there.
 */
#include "hierarchy/mm/mm_job.h"

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

static cairn_node doors_region(crn_mm_job *job, cairn_node cell)
{
    const crn_mm *mm = job->mm;
    uint32_t sector = crn_mm_sector_of_cell(mm, job->space, cell), width = job->space->grid->width;
    crn_flood_open(&job->flood, job->space, crn_mm_area(mm, job->space, sector));
    crn_flood_begin(&job->flood, cell % width % mm->side, cell / width % mm->side);
    while (!crn_flood_sweep(&job->flood)) {
    }
    return crn_mm_flooded(mm, &job->flood, sector);
}

static bool doors_before(const void *a, const void *b)
{
    const crn_mm_door *x = a, *y = b;
    return x->from != y->from ? x->from < y->from : x->link < y->link;
}

/* The links of level 1. */
static void doors_find(crn_mm_job *job)
{
    const crn_links *links = &job->space->links;
    crn_mm_doors *doors = &job->mm->doors[0];
    for (uint32_t i = 0; i < links->count; i++) {
        crn_mm_door door = {doors_region(job, links->links[i].from),
                            doors_region(job, links->links[i].to), i};
        bool known = door.from != CAIRN_NO_NODE && door.to != CAIRN_NO_NODE;
        if (known && door.from != door.to) doors->items[doors->count++] = door;
    }
}

/* Those that are links of a level above, too. */
static void doors_lift(crn_mm *mm, uint32_t level)
{
    const crn_mm_doors *below = &mm->doors[level - 1];
    crn_mm_doors *doors = &mm->doors[level];
    for (uint32_t i = 0; i < below->count; i++) {
        crn_mm_door door = below->items[i];
        door.from = crn_mm_above(mm, level - 1, door.from);
        door.to = crn_mm_above(mm, level - 1, door.to);
        bool known = door.from != CAIRN_NO_NODE && door.to != CAIRN_NO_NODE;
        if (known && door.from != door.to) doors->items[doors->count++] = door;
    }
    crn_sort(doors->items, doors->count, sizeof *doors->items, doors_before);
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

cairn_status crn_mm_find_doors(crn_mm_job *job)
{
    crn_mm *mm = job->mm;
    uint32_t count = job->space->links.count;
    crn_mm_drop_doors(mm, job->context);
    if (!count) return CAIRN_OK;
    if (!doors_reserve(mm, job->context, count)) return CAIRN_OUT_OF_MEMORY;
    doors_find(job);
    crn_sort(mm->doors[0].items, mm->doors[0].count, sizeof(crn_mm_door), doors_before);
    for (uint32_t i = 1; i < mm->level_count; i++) doors_lift(mm, i);
    return CAIRN_OK;
}

uint32_t crn_mm_first_door(const crn_mm_doors *doors, cairn_node from)
{
    return (uint32_t)crn_lower_bound(doors->items, doors->count, from);
}
