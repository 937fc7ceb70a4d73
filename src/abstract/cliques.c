/* cliques.c: levels of cliques, built from scratch. See cliques.h. */
#include "abstract/cliques.h"

#define CLIQUES_UNIT_BITS 4 /* of positions: CRN_ABSTRACT_UNITS is 1 << 4 */

/* ---- the ground ---- */

/* Directions by which the neighbours of a cell come in ascending order. */
static const uint8_t cliques_directions[CRN_DIRECTIONS] = {CRN_NW, CRN_N,  CRN_NE, CRN_W,
                                                           CRN_E,  CRN_SW, CRN_S,  CRN_SE};

static uint32_t cliques_cell_neighbours(const crn_grid_space *map, cairn_node node, cairn_edge *out)
{
    const uint32_t width = map->grid->width, x = node % width, y = node / width;
    uint32_t moves = crn_grid_moves(map, x, y), count = 0;
    if (map->limited) moves = crn_grid_limit_moves(map, x, y, moves);
    for (uint32_t i = 0; i < CRN_DIRECTIONS; i++) {
        uint32_t d = cliques_directions[i];
        if (!(moves >> d & 1)) continue;
        uint32_t to_x = (uint32_t)((int32_t)x + crn_dx[d]),
                 to_y = (uint32_t)((int32_t)y + crn_dy[d]);
        if (map->limited && !crn_grid_can_step(map, to_x, to_y, x, y)) continue;
        out[count++] = (cairn_edge){to_y * width + to_x, 0};
    }
    return count;
}

const cairn_edge *crn_cliques_make_neighbours(const crn_cliques *cliques, uint32_t level,
                                              cairn_node node, cairn_edge *room, uint32_t *count)
{
    if (!level) {
        *count = cliques_cell_neighbours(cliques->map, node, room);
        return room;
    }
    const crn_clique_pack *pack = &cliques->levels[level].packs[node];
    *count = crn_pack_recall(cliques, pack->child, pack->beside, NULL, room);
    return room;
}

/* Of ground: what its steps cost over what they cost at 1, rounded up, so that estimates by the
 * cheapest ground (crn_metric_of) promise no more than such prices ask for. */
static uint64_t cliques_ground_price(const crn_grid_space *map, uint8_t kind)
{
    uint32_t exact = map->profile.terrain_cost[kind];
    if (exact % 256 == 0) return (uint64_t)exact * CRN_CLIQUE_UNIT / 256;
    cairn_scale scale = map->base.scale;
    uint64_t straight =
        ((uint64_t)map->price[kind][0] * CRN_CLIQUE_UNIT + scale.straight - 1) / scale.straight;
    if (map->hex) return straight;
    uint64_t diagonal =
        ((uint64_t)map->price[kind][1] * CRN_CLIQUE_UNIT + scale.diagonal - 1) / scale.diagonal;
    return diagonal > straight ? diagonal : straight;
}

static uint32_t cliques_cell_price(const crn_grid_space *map, cairn_node node)
{
    const cairn_grid *grid = map->grid;
    uint64_t price = cliques_ground_price(map, grid->terrain ? grid->terrain[node] : 0);
    if (grid->layer) {
        price += (uint64_t)map->layer_cost[grid->layer[node]] * CRN_CLIQUE_UNIT /
                 map->base.scale.straight;
    }
    return crn_saturate(price);
}

bool crn_cliques_uneven(const crn_cliques *cliques)
{
    const crn_grid_space *map = cliques->map;
    return map->grid->terrain || map->grid->layer ||
           cliques_ground_price(map, 0) != CRN_CLIQUE_UNIT;
}

static crn_clique_body cliques_body_above(const crn_cliques *cliques, uint32_t level,
                                          cairn_node node)
{
    const crn_clique_level *l = &cliques->levels[level];
    uint32_t price = l->prices ? l->prices[node] : CRN_CLIQUE_UNIT;
    if (l->packs && !l->graph.nodes) {
        crn_clique_body body = crn_pack_body(cliques, l->packs[node].child, l->packs[node].mask);
        body.price = price;
        return body;
    }
    uint32_t cells = l->packs ? crn_count_bits(l->packs[node].mask) : l->cliques[node].cells;
    return (crn_clique_body){l->graph.nodes[node].x, l->graph.nodes[node].y, cells, price};
}

crn_clique_body crn_cliques_body(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    if (level) return cliques_body_above(cliques, level, node);
    crn_clique_body body = {.cells = 1};
    crn_abstract_position(cliques->ground, node, &body.x, &body.y);
    if (cliques->map) body.price = cliques_cell_price(cliques->map, node);
    return body;
}

/* ---- looking for cliques ---- */

/* Which nodes of the field after its i-th are neighbours of it; both are ascending. 0 if it has too
 * few for a clique of that size. */
static uint32_t cliques_mask(const crn_cliques *cliques, uint32_t level,
                             const crn_clique_field *field, uint32_t i, uint32_t size)
{
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count, mask = 0, at = i + 1;
    const cairn_edge *edges = crn_cliques_neighbours(cliques, level, field->nodes[i], room, &count);
    if (count + 1 < size) return 0;
    if (count > CRN_CLIQUE_FIELD) {
        for (; at < field->count; at++)
            mask |= (uint32_t)crn_cliques_leads(edges, count, field->nodes[at]) << at;
    }
    for (uint32_t e = 0; e < count && at < field->count; e++) {
        while (at < field->count && field->nodes[at] < edges[e].node) at++;
        if (at < field->count && field->nodes[at] == edges[e].node) mask |= 1u << at;
    }
    return mask;
}

/* Which block of the size of the level above a node of a grid lies in. */
static cairn_cell cliques_block(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    cairn_cell at;
    uint32_t shift = level + 1 + CLIQUES_UNIT_BITS;
    if (shift > 30) return (cairn_cell){0, 0};
    const crn_abstract_node *nodes = cliques->levels[level].graph.nodes;
    if (level && nodes) {
        at = (cairn_cell){nodes[node].x, nodes[node].y};
    } else if (level) {
        crn_clique_body body = crn_cliques_body(cliques, level, node);
        at = (cairn_cell){body.x, body.y};
    } else {
        crn_abstract_position(cliques->ground, node, &at.x, &at.y);
    }
    return (cairn_cell){at.x >> shift, at.y >> shift};
}

/* Leaves out what lies in another block than the node. */
static void cliques_restrict(const crn_cliques *cliques, uint32_t level, cairn_node node,
                             crn_clique_field *field)
{
    cairn_cell home = cliques_block(cliques, level, node);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < field->count; i++) {
        cairn_cell block = cliques_block(cliques, level, field->nodes[i]);
        if (block.x == home.x && block.y == home.y) field->nodes[kept++] = field->nodes[i];
    }
    field->count = kept;
}

void crn_cliques_gather(const crn_cliques *cliques, uint32_t level, cairn_node node, uint32_t size,
                        crn_clique_field *field)
{
    cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
    uint32_t count;
    const cairn_edge *edges = crn_cliques_neighbours(cliques, level, node, room, &count);
    const uint32_t *parents = cliques->levels[level].parents;
    field->count = 0;
    for (uint32_t e = 0; e < count && field->count < CRN_CLIQUE_FIELD; e++) {
        field->nodes[field->count] = edges[e].node; /* kept only if counted: no branch needed */
        field->count += parents[edges[e].node] == CAIRN_NO_NODE;
    }
    if (field->aligned && field->count + 1 >= size) cliques_restrict(cliques, level, node, field);
    if (size < 3 || field->count + 1 < size) return;
    for (uint32_t i = 0; i < field->count; i++) {
        field->masks[i] = cliques_mask(cliques, level, field, i, size);
    }
}

static bool cliques_choose_two(const crn_clique_field *field, uint32_t i, uint32_t others,
                               cairn_node members[CRN_CLIQUE_SIZE])
{
    for (; others; others &= others - 1) {
        uint32_t j = crn_lowest_bit(others), third = others & field->masks[j];
        if (!third) continue;
        members[1] = field->nodes[i];
        members[2] = field->nodes[j];
        members[3] = field->nodes[crn_lowest_bit(third)];
        return true;
    }
    return false;
}

bool crn_cliques_choose(const crn_clique_field *field, uint32_t size,
                        cairn_node members[CRN_CLIQUE_SIZE])
{
    if (field->count + 1 < size) return false;
    if (size == 2) {
        members[1] = field->nodes[0];
        return true;
    }
    for (uint32_t i = 0; i < field->count; i++) {
        uint32_t others = field->masks[i];
        if (!others) continue;
        if (size == 3) {
            members[1] = field->nodes[i];
            members[2] = field->nodes[crn_lowest_bit(others)];
            return true;
        }
        if (cliques_choose_two(field, i, others, members)) return true;
    }
    return false;
}

/* ---- the cliques of a whole level ---- */

/* While they are made, parents are numbers in the order of making. */
static void cliques_take(crn_clique_level *level, const cairn_node *members, uint32_t size,
                         uint32_t number)
{
    for (uint32_t i = 0; i < size; i++) level->parents[members[i]] = number;
}

/* All of a size, three or four if they are to lie in a block, in the order of their first nodes. */
static uint32_t cliques_of_size(crn_cliques *cliques, uint32_t level, uint32_t size, bool aligned,
                                uint32_t made)
{
    crn_clique_level *l = &cliques->levels[level];
    uint32_t count = crn_cliques_count(cliques, level);
    crn_clique_field field;
    field.aligned = aligned;
    for (cairn_node node = 0; node < count; node++) {
        if (l->parents[node] != CAIRN_NO_NODE || !crn_cliques_has(cliques, level, node)) continue;
        cairn_node members[CRN_CLIQUE_SIZE] = {node};
        crn_cliques_gather(cliques, level, node, size, &field);
        if (crn_cliques_choose(&field, size, members)) cliques_take(l, members, size, made++);
    }
    return made;
}

/* The fours of a row and the one below it, on squares where only the bits count; `columns` says
 * where one may begin. (A four is found at its upper left cell: at the other three it would have
 * been found before.) */
static uint32_t cliques_row_of_fours(crn_cliques *cliques, uint32_t y, uint64_t columns,
                                     uint32_t made)
{
    const crn_grid_space *map = cliques->map;
    const uint32_t width = map->grid->width;
    uint32_t *row = cliques->levels[0].parents + (size_t)y * width, *below = row + width;
    for (uint32_t x = 0; x + 1 < width; x += 62) {
        uint64_t both = crn_bits_word(&map->usable, (int32_t)x, (int32_t)y) &
                        crn_bits_word(&map->usable, (int32_t)x, (int32_t)y + 1);
        uint64_t fours = both & both >> 1 & columns & UINT64_MAX >> 2;
        for (; fours; fours &= fours - 1) {
            uint32_t at = x + crn_lowest_bit(fours);
            uint32_t taken = row[at] & row[at + 1] & below[at] & below[at + 1];
            if (taken == CAIRN_NO_NODE) row[at] = row[at + 1] = below[at] = below[at + 1] = made++;
        }
    }
    return made;
}

static uint32_t cliques_fours(crn_cliques *cliques, bool aligned, uint32_t made)
{
    const uint32_t height = cliques->map->grid->height;
    const uint64_t columns = aligned ? UINT64_C(0x5555555555555555) : UINT64_MAX;
    for (uint32_t y = 0; y + 1 < height; y += aligned ? 2 : 1) {
        made = cliques_row_of_fours(cliques, y, columns, made);
    }
    return made;
}

/* What is left over: alone, or where its only neighbour is. */
static uint32_t cliques_leftovers(crn_cliques *cliques, uint32_t level, uint32_t made)
{
    crn_clique_level *l = &cliques->levels[level];
    uint32_t count = crn_cliques_count(cliques, level);
    for (cairn_node node = 0; node < count; node++) {
        if (l->parents[node] != CAIRN_NO_NODE || !crn_cliques_has(cliques, level, node)) continue;
        cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
        uint32_t neighbours;
        const cairn_edge *edges = crn_cliques_neighbours(cliques, level, node, room, &neighbours);
        l->parents[node] = cliques->join && neighbours == 1 ? l->parents[edges[0].node] : made++;
    }
    return made;
}

/* Numbers the cliques in the order of their first nodes; false = no memory. */
static bool cliques_number(crn_cliques *cliques, uint32_t level, uint32_t made)
{
    crn_clique_level *l = &cliques->levels[level];
    size_t size = crn_mul_size(made, sizeof(uint32_t));
    uint32_t *numbers = crn_alloc(cliques->context, size), next = 0,
             count = crn_cliques_count(cliques, level);
    if (!numbers && made) return false;
    if (made) memset(numbers, 0xff, size);
    for (cairn_node node = 0; node < count; node++) {
        uint32_t was = l->parents[node];
        if (was == CAIRN_NO_NODE) continue;
        if (numbers[was] == CAIRN_NO_NODE) numbers[was] = next++;
        l->parents[node] = numbers[was];
    }
    crn_free(cliques->context, numbers, size);
    return true;
}

static uint32_t cliques_find(crn_cliques *cliques, uint32_t level)
{
    const crn_grid_space *map = level ? NULL : cliques->map;
    bool bits = map && map->profile.neighbours == CAIRN_NEIGHBOURS_8 && !map->limited;
    /* three of a block are four of it */
    bool whole = bits && map->profile.corners == CAIRN_CORNERS_NEVER;
    uint32_t made = 0;
    for (uint32_t free = cliques->map ? 0 : 1; free < 2; free++) {
        made = bits ? cliques_fours(cliques, !free, made)
                    : cliques_of_size(cliques, level, 4, !free, made);
        if (free || !whole) made = cliques_of_size(cliques, level, 3, !free, made);
    }
    made = cliques_of_size(cliques, level, 2, false, made);
    return cliques_leftovers(cliques, level, made);
}

/* ---- nodes ---- */

/* What a node has in any level. */
static bool cliques_reserve_plain(crn_cliques *cliques, uint32_t level, size_t count)
{
    crn_clique_level *l = &cliques->levels[level];
    void *parents = l->parents, *siblings = l->siblings, *prices = l->prices,
         *ledges = l->ledges.lists;
    cairn_context *context = cliques->context;
    bool ok =
        crn_cliques_grow(context, &parents, &l->parent_capacity, count, sizeof *l->parents) &&
        ((!level && cliques->map) ||
         crn_cliques_grow(context, &siblings, &l->sibling_capacity, count, sizeof *l->siblings)) &&
        (!level || !cliques->priced ||
         crn_cliques_grow(context, &prices, &l->price_capacity, count, sizeof *l->prices)) &&
        (!level || !cliques->ledged ||
         crn_cliques_grow(context, &ledges, &l->ledges.capacity, count, sizeof *l->ledges.lists));
    l->ledges.lists = ledges;
    l->parents = parents;
    l->siblings = siblings;
    l->prices = prices;
    return ok;
}

/* The least that an array of a level above the ground has room for. */
static size_t cliques_room(const crn_cliques *cliques, uint32_t level)
{
    const crn_clique_level *l = &cliques->levels[level];
    bool packed = crn_cliques_packed(cliques, level);
    size_t room = packed ? l->pack_capacity : l->clique_capacity;
    if (l->parent_capacity < room) room = l->parent_capacity;
    if (l->sibling_capacity < room) room = l->sibling_capacity;
    if (!packed && l->graph.node_capacity < room) room = l->graph.node_capacity;
    if (cliques->priced && l->price_capacity < room) room = l->price_capacity;
    if (cliques->ledged && l->ledges.capacity < room) room = l->ledges.capacity;
    return room;
}

bool crn_cliques_reserve(crn_cliques *cliques, uint32_t level, size_t count)
{
    crn_clique_level *l = &cliques->levels[level];
    void *packs = l->packs, *made = l->cliques, *nodes = l->graph.nodes;
    cairn_context *context = cliques->context;
    bool ok = cliques_reserve_plain(cliques, level, count);
    if (ok && crn_cliques_packed(cliques, level)) {
        ok = crn_cliques_grow(context, &packs, &l->pack_capacity, count, sizeof *l->packs);
    } else if (ok && level) {
        ok = crn_cliques_grow(context, &made, &l->clique_capacity, count, sizeof *l->cliques) &&
             crn_cliques_grow(context, &nodes, &l->graph.node_capacity, count,
                              sizeof *l->graph.nodes);
    }
    l->packs = packs;
    l->cliques = made;
    l->graph.nodes = nodes;
    l->room = cliques_room(cliques, level);
    return ok;
}

/* A number that was given back; CAIRN_NO_NODE: none. */
static cairn_node cliques_reuse(crn_clique_level *l)
{
    if (!l->vacant) return CAIRN_NO_NODE;
    cairn_node node = l->vacant - 1;
    uint32_t *next = l->packs ? &l->packs[node].mask : &l->cliques[node].cells;
    l->vacant = *next;
    *next = 0;
    if (l->packs) l->packs[node].beside |= CRN_PACK_FRESH;
    return node;
}

/* A new number, for which there is room. */
static cairn_node cliques_append(crn_cliques *cliques, uint32_t level)
{
    crn_clique_level *l = &cliques->levels[level];
    cairn_node node = l->count++;
    l->parents[node] = l->siblings[node] = CAIRN_NO_NODE;
    if (l->prices) l->prices[node] = CRN_CLIQUE_UNIT;
    if (l->ledges.lists) l->ledges.lists[node] = (crn_list){0};
    if (l->packs) {
        l->packs[node] = (crn_clique_pack){.child = CAIRN_NO_NODE, .beside = CRN_PACK_FRESH};
        return node;
    }
    l->cliques[node] = (crn_clique){.child = CAIRN_NO_NODE};
    l->graph.nodes[l->graph.node_count++] = (crn_abstract_node){0};
    return node;
}

cairn_node crn_cliques_add(crn_cliques *cliques, uint32_t level)
{
    crn_clique_level *l = &cliques->levels[level];
    cairn_node node = cliques_reuse(l);
    if (node != CAIRN_NO_NODE) return node;
    if (l->count >= l->room && !crn_cliques_reserve(cliques, level, (size_t)l->count + 1))
        return CAIRN_NO_NODE;
    return cliques_append(cliques, level);
}

void crn_cliques_list_vacant(crn_clique_level *level)
{
    level->vacant = 0;
    for (uint32_t i = level->count; i-- > 0;) {
        if ((level->packs ? level->packs[i].child : level->cliques[i].child) != CAIRN_NO_NODE)
            continue;
        *(level->packs ? &level->packs[i].mask : &level->cliques[i].cells) = level->vacant;
        level->vacant = i + 1;
    }
}

void crn_cliques_adopt(crn_cliques *cliques, uint32_t level)
{
    crn_clique_level *l = &cliques->levels[level], *above = l + 1;
    for (uint32_t i = crn_cliques_count(cliques, level); i-- > 0;) {
        uint32_t parent = l->parents[i];
        if (parent == CAIRN_NO_NODE) continue;
        l->siblings[i] = above->cliques[parent].child;
        above->cliques[parent].child = i;
    }
}

/* Graphs: the mean cost of the edges between the children of a node, or what its only child has. */
static uint32_t cliques_width(const crn_cliques *cliques, uint32_t level, cairn_node node)
{
    const crn_clique_level *below = &cliques->levels[level - 1];
    uint64_t sum = 0, count = 0;
    cairn_node child = cliques->levels[level].cliques[node].child;
    uint32_t width = crn_cliques_body(cliques, level - 1, child).price;
    for (; child != CAIRN_NO_NODE; child = below->siblings[child]) {
        const cairn_edge *edges = crn_abstract_edges(&below->graph, child);
        for (uint32_t e = 0; e < below->graph.nodes[child].count; e++) {
            if (below->parents[edges[e].node] != node) continue;
            sum += edges[e].cost;
            count++;
        }
    }
    return count ? crn_saturate(sum / count) : width;
}

crn_clique_change crn_cliques_update(crn_cliques *cliques, uint32_t level, cairn_node node)
{
    crn_clique_level *l = &cliques->levels[level];
    const uint32_t *siblings = cliques->levels[level - 1].siblings;
    uint64_t x = 0, y = 0, weight = 0, price = 0, cells = 0;
    for (cairn_node child = l->cliques[node].child; child != CAIRN_NO_NODE;
         child = siblings[child]) {
        crn_clique_body body = crn_cliques_body(cliques, level - 1, child);
        uint64_t counts = cliques->plain ? 1 : body.cells;
        x += counts * (uint32_t)body.x;
        y += counts * (uint32_t)body.y;
        price += counts * body.price;
        weight += counts;
        cells += body.cells;
    }
    if (!weight) return CRN_CLIQUE_OTHER;
    crn_abstract_node before = l->graph.nodes[node], *now = &l->graph.nodes[node];
    uint32_t cells_before = l->cliques[node].cells;
    now->x = (int32_t)(x / weight);
    now->y = (int32_t)(y / weight);
    l->cliques[node].cells = (uint32_t)cells;
    bool moved = now->x != before.x || now->y != before.y;
    if (l->prices) {
        uint32_t price_before = l->prices[node];
        l->prices[node] =
            cliques->map ? (uint32_t)(price / weight) : cliques_width(cliques, level, node);
        moved |= l->prices[node] != price_before;
    }
    if (moved) return CRN_CLIQUE_MOVED;
    return cells_before != (uint32_t)cells ? CRN_CLIQUE_OTHER : CRN_CLIQUE_SAME;
}

/* ---- levels ---- */

/* The nodes of the level above one whose nodes have parents, with all that belongs to them. */
static bool cliques_raise(crn_cliques *cliques, uint32_t level, uint32_t made)
{
    crn_clique_edges edges = {0};
    bool ok = crn_cliques_reserve(cliques, level + 1, crn_cliques_with_spare(made)), changed;
    cliques->top = level + 1;
    if (!ok) return false;
    for (uint32_t i = 0; i < made; i++) cliques_append(cliques, level + 1);
    if (crn_cliques_packed(cliques, level + 1))
        return crn_packs_make(cliques, &changed) && crn_cliques_raise_ledges(cliques, level + 1);
    crn_cliques_adopt(cliques, level);
    for (cairn_node i = 0; ok && i < made; i++) crn_cliques_update(cliques, level + 1, i);
    for (cairn_node i = 0; ok && i < made; i++)
        ok = crn_cliques_relink(cliques, level + 1, i, &edges, &changed);
    crn_clique_edges_close(&edges, cliques->context);
    return ok && crn_cliques_trim(cliques, level + 1, true) &&
           crn_cliques_raise_ledges(cliques, level + 1);
}

static bool cliques_build_level(crn_cliques *cliques, uint32_t level)
{
    uint32_t made = cliques_find(cliques, level);
    bool ok = cliques_number(cliques, level, made) && cliques_raise(cliques, level, made);
    if (level == 1) crn_packs_finish(cliques);
    return ok;
}

bool crn_cliques_build_up(crn_cliques *cliques)
{
    bool ok = true;
    while (ok && cliques->levels[cliques->top].edge_count && cliques->top < CRN_CLIQUE_LEVELS) {
        ok = cliques_build_level(cliques, cliques->top);
    }
    return ok && crn_cliques_lift_doors(cliques);
}

bool crn_cliques_build_on(crn_cliques *cliques)
{
    enum { FEW = 1024, NODES_TO_EDGES = 16 };
    bool ok = true;
    while (ok && cliques->top < CRN_CLIQUE_LEVELS) {
        const crn_clique_level *top = &cliques->levels[cliques->top];
        if (top->edge_count <= (top->count < FEW ? 0 : top->count / NODES_TO_EDGES)) break;
        ok = cliques_build_level(cliques, cliques->top);
    }
    return ok;
}

/* Level 0 is about three quarters of the work; the rest is divided among the levels that may
 * come. */
cairn_status crn_cliques_build(crn_cliques *cliques, const cairn_progress *progress)
{
    const uint64_t total = 4 * CRN_CLIQUE_LEVELS;
    if (!crn_progress(progress, 0, total)) return CAIRN_CANCELLED;
    uint32_t made = cliques_find(cliques, 0);
    if (!crn_progress(progress, total / 4, total)) return CAIRN_CANCELLED;
    if (!cliques_number(cliques, 0, made) || !cliques_raise(cliques, 0, made))
        return CAIRN_OUT_OF_MEMORY;
    while (cliques->levels[cliques->top].edge_count && cliques->top < CRN_CLIQUE_LEVELS) {
        if (!crn_progress(progress, total * 3 / 4 + cliques->top - 1, total))
            return CAIRN_CANCELLED;
        if (!cliques_build_level(cliques, cliques->top)) return CAIRN_OUT_OF_MEMORY;
    }
    crn_packs_finish(cliques);
    if (!crn_cliques_take_links(cliques) || !crn_cliques_lift_doors(cliques))
        return CAIRN_OUT_OF_MEMORY;
    return crn_progress(progress, total, total) ? CAIRN_OK : CAIRN_CANCELLED;
}
