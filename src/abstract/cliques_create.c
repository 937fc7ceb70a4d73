/* cliques_create.c: levels of cliques as a whole: made, copied and given back. See cliques.h. */
#include "abstract/cliques.h"

static void cliques_open_level(crn_cliques *cliques, uint32_t level)
{
    crn_clique_level *l = &cliques->levels[level];
    *l = (crn_clique_level){0};
    crn_abstract_open(&l->graph, cliques->context);
    l->graph.pool.fine = 1;
    crn_list_pool_open(&l->ledges.pool, cliques->context, sizeof(cairn_edge));
    l->ledges.pool.fine = 1;
}

static void cliques_close_level(crn_cliques *cliques, uint32_t level)
{
    crn_clique_level *l = &cliques->levels[level];
    crn_free(cliques->context, l->parents, l->parent_capacity * sizeof *l->parents);
    crn_free(cliques->context, l->siblings, l->sibling_capacity * sizeof *l->siblings);
    crn_free(cliques->context, l->prices, l->price_capacity * sizeof *l->prices);
    crn_free(cliques->context, l->cliques, l->clique_capacity * sizeof *l->cliques);
    crn_free(cliques->context, l->packs, l->pack_capacity * sizeof *l->packs);
    crn_free(cliques->context, l->doors.items, l->doors.capacity * sizeof *l->doors.items);
    crn_free(cliques->context, l->ledges.lists, l->ledges.capacity * sizeof *l->ledges.lists);
    crn_list_pool_close(&l->ledges.pool);
    crn_abstract_close(&l->graph);
    cliques_open_level(cliques, level);
}

void crn_cliques_drop_top(crn_cliques *cliques)
{
    cliques_close_level(cliques, cliques->top--);
    const crn_clique_level *top = &cliques->levels[cliques->top];
    memset(top->parents, 0xff, crn_cliques_count(cliques, cliques->top) * sizeof *top->parents);
}

/* ---- all of it ---- */

crn_cliques *crn_cliques_create(const cairn_space *ground, bool join, bool plain)
{
    crn_cliques *cliques = crn_alloc_zero(ground->context, sizeof *cliques);
    if (!cliques) return NULL;
    cliques->ground = ground;
    cliques->map = crn_grid_space_of(ground);
    cliques->context = ground->context;
    cliques->join = join;
    cliques->plain = plain;
    cliques->metric = (crn_metric){.blind = !cliques->map, .straight = ground->scale.straight};
    if (cliques->map) cliques->metric.hex = cliques->map->hex;
    if (cliques->map && cliques->map->profile.neighbours == CAIRN_NEIGHBOURS_8) {
        cliques->metric.shortcut = 2 * ground->scale.straight - ground->scale.diagonal;
    }
    for (uint32_t i = 0; i <= CRN_CLIQUE_LEVELS; i++) cliques_open_level(cliques, i);
    cliques->priced = !cliques->map || crn_cliques_uneven(cliques);
    cliques->ledged = crn_cliques_sloped(cliques);
    bool ok = crn_cliques_reserve(cliques, 0, ground->node_count) &&
              (cliques->map || crn_cliques_copy_graph(cliques));
    if (ok) {
        crn_clique_level *l = &cliques->levels[0];
        memset(l->parents, 0xff, ground->node_count * sizeof *l->parents);
        if (l->siblings) memset(l->siblings, 0xff, ground->node_count * sizeof *l->siblings);
        return cliques;
    }
    crn_cliques_destroy(cliques);
    return NULL;
}

void crn_cliques_destroy(crn_cliques *cliques)
{
    if (!cliques) return;
    for (uint32_t i = 0; i <= CRN_CLIQUE_LEVELS; i++) cliques_close_level(cliques, i);
    crn_free(cliques->context, cliques, sizeof *cliques);
}

size_t crn_cliques_bytes(const crn_cliques *cliques)
{
    size_t bytes = sizeof *cliques;
    for (uint32_t i = 0; i <= cliques->top; i++) {
        const crn_clique_level *l = &cliques->levels[i];
        bytes += crn_abstract_bytes(&l->graph) + l->parent_capacity * sizeof *l->parents +
                 l->sibling_capacity * sizeof *l->siblings + l->price_capacity * sizeof *l->prices +
                 l->clique_capacity * sizeof *l->cliques + l->pack_capacity * sizeof *l->packs +
                 l->doors.capacity * sizeof *l->doors.items +
                 l->ledges.capacity * sizeof *l->ledges.lists +
                 l->ledges.pool.capacity * l->ledges.pool.element;
    }
    return bytes;
}

bool crn_cliques_add_prices(crn_cliques *cliques)
{
    cliques->priced = true;
    for (uint32_t level = 1; level <= cliques->top; level++) {
        crn_clique_level *l = &cliques->levels[level];
        if (!crn_cliques_reserve(cliques, level, l->count)) return false;
        for (uint32_t i = 0; i < l->count; i++) l->prices[i] = CRN_CLIQUE_UNIT;
    }
    return true;
}

/* ---- a copy ---- */

static bool cliques_copy_level(crn_cliques *to, const crn_cliques *from, uint32_t level)
{
    crn_clique_level *l = &to->levels[level];
    const crn_clique_level *source = &from->levels[level];
    size_t count = l->count = source->count;
    if (!crn_cliques_reserve(to, level, count)) return false;
    if (count) {
        memcpy(l->packs, source->packs, count * sizeof *l->packs);
        memset(l->parents, 0xff, count * sizeof *l->parents);
        memset(l->siblings, 0xff, count * sizeof *l->siblings);
        if (source->prices) memcpy(l->prices, source->prices, count * sizeof *l->prices);
    }
    l->vacant = source->vacant;
    l->edge_count = source->edge_count;
    memcpy(l->classes, source->classes, sizeof l->classes);
    if (!to->ledged) return true;
    if (count) memcpy(l->ledges.lists, source->ledges.lists, count * sizeof *l->ledges.lists);
    return crn_list_pool_copy(&l->ledges.pool, &source->ledges.pool);
}

/* (Only grids are repaired, and so only theirs are copied.) */
crn_cliques *crn_cliques_copy_lowest(const crn_cliques *cliques)
{
    if (!cliques->map) return NULL;
    crn_cliques *copy = crn_cliques_create(cliques->ground, cliques->join, cliques->plain);
    if (!copy) return NULL;
    copy->priced = cliques->priced;
    copy->ledged = cliques->ledged;
    memcpy(copy->levels[0].parents, cliques->levels[0].parents,
           cliques->ground->node_count * sizeof(uint32_t));
    copy->top = 1;
    if (cliques_copy_level(copy, cliques, 1)) return copy;
    crn_cliques_destroy(copy);
    return NULL;
}
