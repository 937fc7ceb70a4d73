/* cliques_pack.c: level 1 of a grid, in 16 bytes a node.
 *
 * Level 1 has as many nodes as all levels above it three times over, so its nodes are kept small.
 * The cells of a clique are one step from each other, and joined orphans one step from one of
 * these. So all of them lie within three columns and three rows of the first one, and a bit for
 * each place says which cells they are. Positions follow from that.
 *
 * A node next to it has a cell one step farther at most. One such cell for each of them, again a
 * bit for its place, leads to the node by the parents of cells. Nothing of this needs the world, so
 * a thread may read it while the world changes. Edges cost what the positions say. How many there
 * are by classes of cost is tallied as in levels with lists.
 */
#include "abstract/cliques.h"

static crn_clique_level *pack_level(crn_cliques *cliques)
{
    return &cliques->levels[1];
}

/* ---- cells ---- */

/* The bit of a cell in a pack that begins at another one; 0: too far away. */
static uint32_t pack_bit(const crn_cliques *cliques, cairn_node child, cairn_node cell)
{
    const uint32_t width = cliques->map->grid->width;
    uint32_t down = cell / width - child / width,
             right = cell % width + CRN_PACK_LEFT - child % width;
    if (cell < child || down >= CRN_PACK_ROWS || right > 2 * CRN_PACK_LEFT) return 0;
    return 1u << (down * 8 + right);
}

static cairn_node pack_cell(const crn_cliques *cliques, cairn_node child, uint32_t place)
{
    return child + (place >> 3) * cliques->map->grid->width + (place & 7) - CRN_PACK_LEFT;
}

cairn_node crn_pack_next(const crn_cliques *cliques, cairn_node cell)
{
    const crn_clique_pack *pack = &cliques->levels[1].packs[cliques->levels[0].parents[cell]];
    uint32_t bit = pack_bit(cliques, pack->child, cell), rest = pack->mask & ~(2 * bit - 1);
    return rest ? pack_cell(cliques, pack->child, crn_lowest_bit(rest)) : CAIRN_NO_NODE;
}

/* The cells of a mask again, from another first one on; 0: one of them is too far away. */
static uint32_t pack_rebase(const crn_cliques *cliques, const crn_clique_pack *pack,
                            cairn_node child)
{
    uint32_t mask = 0;
    for (uint32_t left = pack->mask; left; left &= left - 1) {
        uint32_t bit =
            pack_bit(cliques, child, pack_cell(cliques, pack->child, crn_lowest_bit(left)));
        if (!bit) return 0;
        mask |= bit;
    }
    return mask;
}

bool crn_pack_join(crn_cliques *cliques, cairn_node node, cairn_node cell)
{
    crn_clique_pack *pack = &pack_level(cliques)->packs[node];
    uint32_t mask = pack->mask;
    if (pack->child == CAIRN_NO_NODE) mask = 0;
    cairn_node child = mask && pack->child < cell ? pack->child : cell;
    if (mask && child != pack->child && !(mask = pack_rebase(cliques, pack, child))) return false;
    uint32_t bit = pack_bit(cliques, child, cell);
    if (!bit) return false;
    pack->child = child;
    pack->mask = mask | bit;
    return true;
}

void crn_pack_leave(crn_cliques *cliques, cairn_node node, cairn_node cell)
{
    crn_clique_pack *pack = &pack_level(cliques)->packs[node];
    pack->mask &= ~pack_bit(cliques, pack->child, cell);
    cairn_node child =
        pack->mask ? pack_cell(cliques, pack->child, crn_lowest_bit(pack->mask)) : CAIRN_NO_NODE;
    if (child == pack->child) return;
    pack->mask = pack->mask ? pack_rebase(cliques, pack, child) : 0;
    pack->child = child;
}

/* ---- positions and prices ---- */

crn_clique_body crn_pack_body(const crn_cliques *cliques, cairn_node child, uint32_t mask)
{
    const uint32_t width = cliques->map->grid->width, x0 = child % width, y0 = child / width;
    uint32_t count = 0, x = 0, y = 0, odd = 0;
    for (; mask; mask &= mask - 1, count++) {
        uint32_t place = crn_lowest_bit(mask), row = place >> 3;
        x += x0 + (place & 7) - CRN_PACK_LEFT;
        y += y0 + row;
        odd += (y0 + row) & 1;
    }
    x = x * CRN_ABSTRACT_UNITS + (cliques->map->hex ? odd * (CRN_ABSTRACT_UNITS / 2) : 0);
    return (crn_clique_body){(int32_t)(x / count), (int32_t)(y * CRN_ABSTRACT_UNITS / count), count,
                             CRN_CLIQUE_UNIT};
}

bool crn_pack_price(crn_cliques *cliques, cairn_node node)
{
    const crn_clique_pack *pack = &pack_level(cliques)->packs[node];
    uint64_t sum = 0, count = 0;
    if (!cliques->priced) return false;
    for (uint32_t mask = pack->mask; mask; mask &= mask - 1, count++) {
        cairn_node cell = pack_cell(cliques, pack->child, crn_lowest_bit(mask));
        sum += crn_cliques_body(cliques, 0, cell).price;
    }
    uint32_t *price = &pack_level(cliques)->prices[node], before = *price;
    *price = (uint32_t)(sum / count);
    return *price != before;
}

/* ---- edges ---- */

/* Into a list of this many, ascending, each once. Returns whether it is new. */
static bool pack_insert(cairn_edge *list, uint32_t count, cairn_node node)
{
    uint32_t at = count;
    while (at > 0 && list[at - 1].node > node) at--;
    if (at > 0 && list[at - 1].node == node) return false;
    for (uint32_t i = count; i > at; i--) list[i] = list[i - 1];
    list[at] = (cairn_edge){node, 0};
    return true;
}

uint32_t crn_pack_find(const crn_cliques *cliques, cairn_node node, cairn_edge *out,
                       uint64_t *beside)
{
    const crn_clique_pack *pack = &cliques->levels[1].packs[node];
    const uint32_t *parents = cliques->levels[0].parents, width = cliques->map->grid->width;
    const uint32_t x = pack->child % width, y = pack->child / width;
    uint32_t found = 0, mask = pack->child == CAIRN_NO_NODE ? 0 : pack->mask;
    uint64_t places = 0;
    for (; mask; mask &= mask - 1) {
        cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
        uint32_t count;
        cairn_node cell = pack_cell(cliques, pack->child, crn_lowest_bit(mask));
        const cairn_edge *steps = crn_cliques_neighbours(cliques, 0, cell, room, &count);
        for (uint32_t i = 0; i < count; i++) {
            cairn_node to = parents[steps[i].node];
            if (to == node || !pack_insert(out, found, to)) continue;
            found++;
            uint32_t row = steps[i].node / width, column = steps[i].node - row * width;
            places |=
                UINT64_C(1) << ((row + 1 - y) * CRN_BESIDE_WIDTH + column + CRN_BESIDE_LEFT - x);
        }
    }
    *beside = places;
    return found;
}

/* Which node a cell belonged to. */
static cairn_node pack_owner(const crn_cliques *cliques, cairn_node cell, const crn_pack_past *past)
{
    size_t low = past ? crn_lower_bound(past->moved, past->count, cell) : 0;
    bool moved = past && low < past->count && past->moved[low].node == cell;
    return moved ? past->moved[low].cost : cliques->levels[0].parents[cell];
}

uint32_t crn_pack_recall(const crn_cliques *cliques, cairn_node child, uint64_t beside,
                         const crn_pack_past *past, cairn_edge *out)
{
    const uint32_t width = cliques->map->grid->width;
    uint32_t count = 0;
    for (beside &= CRN_PACK_BESIDE; beside; beside &= beside - 1) {
        uint32_t place = crn_lowest_bit(beside), row = place / CRN_BESIDE_WIDTH;
        cairn_node cell =
            child + (row - 1) * width + (place - row * CRN_BESIDE_WIDTH) - CRN_BESIDE_LEFT;
        cairn_node to = pack_owner(cliques, cell, past);
        if (to != CAIRN_NO_NODE) count += pack_insert(out, count, to);
    }
    return count;
}

static void pack_count(crn_clique_level *level, cairn_cost cost, uint32_t times)
{
    level->classes[crn_highest_bit((uint64_t)cost | 1)] += times;
    level->edge_count += times;
}

void crn_pack_tally(crn_cliques *cliques, cairn_node a, cairn_node b, uint32_t times)
{
    cairn_cost cost =
        crn_cliques_cost(cliques, crn_cliques_body(cliques, 1, a), crn_cliques_body(cliques, 1, b));
    pack_count(pack_level(cliques), cost, times);
}

/* ---- all of them ---- */

/* Position and price of a node while there are lists. */
CRN_INLINE crn_clique_body pack_listed(const crn_clique_level *level, cairn_node node)
{
    const crn_abstract_node *at = &level->graph.nodes[node];
    return (crn_clique_body){at->x, at->y, 0,
                             level->prices ? level->prices[node] : CRN_CLIQUE_UNIT};
}

/* The edges of a node, with a list of them. */
static bool pack_link(crn_cliques *cliques, cairn_node node)
{
    crn_clique_level *level = pack_level(cliques);
    cairn_edge edges[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count = crn_pack_find(cliques, node, edges, &level->packs[node].beside);
    crn_clique_body body = pack_listed(level, node);
    for (uint32_t i = 0; i < count; i++) {
        edges[i].cost = crn_cliques_cost(cliques, body, pack_listed(level, edges[i].node));
        pack_count(level, edges[i].cost, 1);
    }
    return crn_abstract_connect(&level->graph, node, edges, count);
}

/* All cells into their packs, ascending; false = one is too far from others. */
static bool pack_all_cells(crn_cliques *cliques)
{
    const uint32_t *parents = cliques->levels[0].parents, width = cliques->map->grid->width;
    crn_clique_pack *packs = pack_level(cliques)->packs;
    for (uint32_t y = 0, cell = 0; y < cliques->map->grid->height; y++) {
        for (uint32_t x = 0; x < width; x++, cell++) {
            if (parents[cell] == CAIRN_NO_NODE) continue;
            crn_clique_pack *pack = &packs[parents[cell]];
            if (!pack->mask) pack->child = cell;
            uint32_t row = pack->child / width, down = y - row,
                     right = x + CRN_PACK_LEFT - (pack->child - row * width);
            if (down >= CRN_PACK_ROWS || right > 2 * CRN_PACK_LEFT) return false;
            pack->mask |= 1u << (down * 8 + right);
        }
    }
    return true;
}

bool crn_packs_make(crn_cliques *cliques, bool *legal)
{
    crn_clique_level *level = pack_level(cliques);
    bool ok = *legal = pack_all_cells(cliques);
    for (cairn_node i = 0; ok && i < level->count; i++) {
        bool exists = level->packs[i].child != CAIRN_NO_NODE;
        crn_clique_body body = {0};
        if (exists) body = crn_pack_body(cliques, level->packs[i].child, level->packs[i].mask);
        if (exists) crn_pack_price(cliques, i);
        ok = crn_abstract_add(&level->graph, body.x, body.y) != CAIRN_NO_NODE;
    }
    for (cairn_node i = 0; ok && i < level->count; i++) ok = pack_link(cliques, i);
    return ok || !*legal;
}

void crn_packs_finish(crn_cliques *cliques)
{
    if (cliques->map) crn_abstract_close(&pack_level(cliques)->graph);
}
