/* part_links.c: the links of a grid that lie inside a part of it. See part.h.
 *
 * A link belongs to the part if both of its ends are shown. So estimates in a corridor know only
 * the few shortcuts that a search in it can take. One that is no cheaper than a step of the whole
 * is left out, also where the part lacks that step because a corner is hidden: paths are read by
 * the rules of the whole (crn_links_used), which would take the step, at another cost.
 */
#include "abstract/part.h"

static bool part_shows(const crn_part *part, cairn_node node)
{
    cairn_cell cell = cairn_grid_cell(part->whole->grid, node);
    return crn_bit(&part->space.usable, cell.x, cell.y);
}

static bool part_reserve_links(crn_part *part, size_t count)
{
    void *links = part->links, *targets = part->targets, *shortcuts = part->shortcuts;
    crn_scratch *memory = part->memory;
    bool ok =
        crn_scratch_grow(memory, &links, &part->link_capacity, count, sizeof *part->links) &&
        crn_scratch_grow(memory, &targets, &part->target_capacity, count, sizeof *part->targets) &&
        crn_scratch_grow(memory, &shortcuts, &part->shortcut_capacity, count,
                         sizeof *part->shortcuts);
    part->links = links;
    part->targets = targets;
    part->shortcuts = shortcuts;
    return ok;
}

/* Those of the shortcuts of the whole that are links of the part, in the same order. */
static void part_take_shortcuts(crn_part *part)
{
    const crn_links *all = &part->whole->links;
    crn_links *links = &part->space.links;
    for (uint32_t i = 0; i < all->shortcut_count; i++) {
        const crn_space_link *of = &all->links[(uint32_t)all->shortcuts[i]],
                             *link = crn_links_between(links, of->from, of->to);
        if (!link) continue;
        uint64_t number = (uint64_t)(link - links->links);
        links->shortcuts[links->shortcut_count++] = all->shortcuts[i] >> 32 << 32 | number;
    }
}

cairn_status crn_part_take_links(crn_part *part)
{
    const crn_links *all = &part->whole->links;
    crn_links *links = &part->space.links;
    if (!all->count) return CAIRN_OK; /* nor has the part had any since the last commit */
    if (!part_reserve_links(part, all->count)) return CAIRN_OUT_OF_MEMORY;
    *links = (crn_links){.links = part->links,
                         .targets = part->targets,
                         .shortcuts = part->shortcuts,
                         .from = all->from,
                         .least = all->least,
                         .costliest = all->costliest};
    for (uint32_t i = 0; i < all->count; i++) {
        const crn_space_link *link = &all->links[i];
        if (part_shows(part, link->from) && part_shows(part, link->to) &&
            link->cost < crn_grid_walk_cost(part->whole, link->from, link->to))
            links->links[links->count++] = *link;
    }
    if (links->count) {
        crn_links_number_targets(links);
        part_take_shortcuts(part);
    }
    const cairn_space *whole = &part->whole->base;
    part->space.base.max_edge = links->count ? whole->max_edge : whole->max_step;
    return CAIRN_OK;
}
