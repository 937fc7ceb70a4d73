/* part_links.c: the links of a grid that lie inside a part of it. See part.h.
 *
 * A link belongs to the part if both of its ends are shown. So estimates in a corridor know only
 * the few shortcuts that a search in it can take. One that is no cheaper than a step of the whole
 * is left out, also where the part lacks that step because a corner is hidden: paths are read by
 * the rules of the whole (crn_links_used), which would take the step, at another cost.
 *
 * There may be thousands of links, so they are found in pieces: copied, then the shortcuts among
 * them are sorted and put into groups (gates.c). Targets keep the numbers of the whole.
 */
#include "abstract/part.h"

static bool part_shows(const crn_part *part, cairn_node node)
{
    cairn_cell cell = cairn_grid_cell(part->whole->grid, node);
    return crn_bit(&part->space.usable, cell.x, cell.y);
}

/* Of each stage, for a unit of work. */
enum { PART_COPY = 256, PART_SORT = 64, PART_GROUP = 512 };

static bool part_reserve_links(crn_part *part, size_t count)
{
    void *links = part->links, *shortcuts = part->shortcuts;
    crn_scratch *memory = part->memory;
    bool ok = crn_scratch_grow(memory, &links, &part->link_capacity, count, sizeof *part->links) &&
              crn_scratch_grow(memory, &shortcuts, &part->shortcut_capacity, count,
                               sizeof *part->shortcuts);
    part->links = links;
    part->shortcuts = shortcuts;
    return ok;
}

static void part_take_link(crn_part *part, const crn_space_link *link)
{
    crn_links *links = &part->space.links;
    if (!part_shows(part, link->from) || !part_shows(part, link->to) ||
        link->cost >= crn_grid_walk_cost(part->whole, link->from, link->to))
        return;
    if (crn_links_shortens(part->whole, link))
        links->shortcuts[links->shortcut_count++] =
            crn_links_shortcut(part->whole->grid, links->count, link);
    links->links[links->count++] = *link;
}

/* Some more of the links of the whole. True when there are no more. */
static bool part_copy(crn_part *part)
{
    const crn_links *all = &part->whole->links;
    uint32_t *at = &part->taking.at, end = crn_min_u32(*at + PART_COPY, all->count);
    cairn_node last = part->taking.last;
    for (; *at < end && all->links[*at].from <= last; ++*at) part_take_link(part, &all->links[*at]);
    return *at < end || end == all->count;
}

static cairn_status part_end_links(crn_part *part)
{
    const cairn_space *whole = &part->whole->base;
    part->space.base.max_edge = part->space.links.count ? whole->max_edge : whole->max_step;
    return CAIRN_OK;
}

cairn_status crn_part_take_links(crn_part *part)
{
    crn_links *links = &part->space.links;
    crn_part_taking *taking = &part->taking;
    if (!part->whole->links.count) return CAIRN_OK;
    if (taking->stage == CRN_PART_COPIES) {
        if (!part_copy(part)) return CAIRN_RUNNING;
        taking->stage = CRN_PART_SORTS;
        taking->sorting = crn_sorting_of(links->shortcut_count);
    }
    if (taking->stage == CRN_PART_SORTS) {
        if (!crn_sort_go_on(&taking->sorting, links->shortcuts, sizeof *links->shortcuts,
                            crn_links_shortcut_before, PART_SORT))
            return CAIRN_RUNNING;
        taking->stage = CRN_PART_GROUPS;
        taking->at = 0;
    }
    if (!crn_gates_group(&part->space, &part->groups, &taking->at, PART_GROUP))
        return CAIRN_RUNNING;
    return part_end_links(part);
}

cairn_status crn_part_begin_links(crn_part *part, cairn_node first, cairn_node last)
{
    const crn_links *all = &part->whole->links;
    if (!all->count) return CAIRN_OK; /* nor has the part had any since the last commit */
    if (!part_reserve_links(part, all->count)) return CAIRN_OUT_OF_MEMORY;
    part->space.links = (crn_links){.links = part->links,
                                    .targets = all->targets,
                                    .target_count = all->target_count,
                                    .shortcuts = part->shortcuts,
                                    .groups = &part->groups,
                                    .from = all->from,
                                    .least = all->least,
                                    .costliest = all->costliest};
    part->taking = (crn_part_taking){.at = crn_links_first(all, first), .last = last};
    return CAIRN_OK;
}
