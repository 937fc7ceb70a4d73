/* clusters.c: clusters, entrances and transitions. See clusters.h. */
#include "abstract/clusters.h"

void crn_clusters_divide(crn_clusters *out, const crn_grid_space *space, uint32_t size,
                         crn_entrances rule, uint32_t threshold)
{
    *out = (crn_clusters){.space = space, .size = size, .rule = rule, .threshold = threshold};
    out->columns = (space->grid->width + size - 1) / size;
    out->rows = (space->grid->height + size - 1) / size;
}

crn_area crn_clusters_area(const crn_clusters *clusters, uint32_t cluster)
{
    const cairn_grid *grid = clusters->space->grid;
    uint32_t left = cluster % clusters->columns * clusters->size,
             top = cluster / clusters->columns * clusters->size;
    return (crn_area){left, top, crn_min_u32(clusters->size, grid->width - left),
                      crn_min_u32(clusters->size, grid->height - top)};
}

/* ---- steps ---- */

typedef struct clusters_cell {
    uint32_t x, y;
} clusters_cell;

/* Can one step from a to b? Both lie inside the map and are neighbours. */
static bool clusters_leads(const crn_grid_space *space, clusters_cell a, clusters_cell b)
{
    if (!crn_bit(&space->usable, (int32_t)a.x, (int32_t)a.y) ||
        !crn_bit(&space->usable, (int32_t)b.x, (int32_t)b.y)) {
        return false;
    }
    if (!space->limited && (a.x == b.x || a.y == b.y)) return true;
    return crn_grid_can_step(space, a.x, a.y, b.x, b.y);
}

/* And back? */
static bool clusters_joined(const crn_grid_space *space, clusters_cell a, clusters_cell b)
{
    return clusters_leads(space, a, b) && (!space->limited || clusters_leads(space, b, a));
}

/* Can there be diagonal steps that straight ones do not cover? */
static bool clusters_slanted(const crn_grid_space *space)
{
    if (space->profile.neighbours == CAIRN_NEIGHBOURS_4) return false;
    return space->hex || space->limited || space->profile.corners == CAIRN_CORNERS_ALWAYS;
}

/* Does a diagonal step lead from a to b that two straight ones cannot replace? */
static bool clusters_alone(const crn_grid_space *space, clusters_cell a, clusters_cell b)
{
    if (!clusters_leads(space, a, b)) return false;
    clusters_cell sides[2] = {{a.x, b.y}, {b.x, a.y}};
    for (uint32_t i = 0; i < 2; i++) {
        if (clusters_leads(space, a, sides[i]) && clusters_leads(space, sides[i], b)) return false;
    }
    return true;
}

/* In which directions is there such a step? */
static uint32_t clusters_alone_use(const crn_grid_space *space, clusters_cell a, clusters_cell b)
{
    uint32_t out = clusters_alone(space, a, b) ? CRN_EXIT_OUT : 0;
    if (!space->limited) return out ? CRN_EXIT_BOTH : 0;
    return out | (clusters_alone(space, b, a) ? CRN_EXIT_IN : 0);
}

/* ---- borders ---- */

/* A border, seen from one of its clusters: the i-th of `length` pairs of cells across it is near(i)
 * and far(i). */
typedef struct clusters_border {
    const crn_clusters *clusters;
    clusters_cell near, far; /* of the first pair */
    bool upright;            /* the next pairs lie below, not to the right */
    uint32_t length;
    crn_exit *out;
    uint32_t count;
} clusters_border;

static clusters_cell clusters_along(const clusters_border *border, clusters_cell first, uint32_t i)
{
    return border->upright ? (clusters_cell){first.x, first.y + i}
                           : (clusters_cell){first.x + i, first.y};
}

static clusters_cell clusters_near(const clusters_border *border, uint32_t i)
{
    return clusters_along(border, border->near, i);
}

static clusters_cell clusters_far(const clusters_border *border, uint32_t i)
{
    return clusters_along(border, border->far, i);
}

static void clusters_put(clusters_border *border, clusters_cell near, clusters_cell far,
                         uint32_t use)
{
    uint32_t width = border->clusters->space->grid->width;
    if (!use) return;
    border->out[border->count++] = (crn_exit){near.y * width + near.x, far.y * width + far.x, use};
}

static void clusters_put_pair(clusters_border *border, uint32_t i, uint32_t use)
{
    clusters_put(border, clusters_near(border, i), clusters_far(border, i), use);
}

/* Which of the pairs of an entrance are transitions? */
static void clusters_choose(clusters_border *border, uint32_t first, uint32_t length, uint32_t use)
{
    const crn_clusters *clusters = border->clusters;
    bool tiers = clusters->rule == CRN_ENTRANCES_TIERS;
    uint32_t inwards = tiers && length >= 7 ? 2 : 0;
    uint32_t places[2] = {first + inwards, first + length - 1 - inwards};
    if (length < (tiers ? 5 : clusters->threshold)) places[0] = places[1] = first + length / 2;
    clusters_put_pair(border, places[0], use);
    if (places[0] != places[1]) clusters_put_pair(border, places[1], use);
}

/* Returns where one can step straight across and back, a bit for each pair: by words of the
 * map. */
static uint64_t clusters_pairs(const clusters_border *border)
{
    const crn_grid_space *space = border->clusters->space;
    const int32_t x = (int32_t)crn_min_u32(border->near.x, border->far.x),
                  y = (int32_t)border->near.y;
    uint64_t pairs = 0;
    if (border->upright) {
        for (uint32_t i = 0; i < border->length; i++)
            pairs |= (uint64_t)((crn_bits_word(&space->usable, x, y + (int32_t)i) & 3) == 3) << i;
        return pairs;
    }
    pairs = crn_bits_word(&space->usable, x, y) &
            crn_bits_word(&space->usable, x, (int32_t)border->far.y);
    return border->length == 64 ? pairs : pairs & ((UINT64_C(1) << border->length) - 1);
}

/* Does the entrance that a pair belongs to go on with the next pair? */
static bool clusters_go_on(const clusters_border *border, uint32_t i)
{
    const crn_grid_space *space = border->clusters->space;
    return !space->limited ||
           (clusters_joined(space, clusters_near(border, i), clusters_near(border, i + 1)) &&
            clusters_joined(space, clusters_far(border, i), clusters_far(border, i + 1)));
}

/* The entrances made of these pairs, which can all be crossed in the same directions. */
static void clusters_entrances(clusters_border *border, uint64_t pairs, uint32_t use)
{
    while (pairs) {
        uint32_t first = crn_lowest_bit(pairs), last = first;
        pairs &= pairs - 1;
        for (; last < 63 && pairs >> (last + 1) & 1 && clusters_go_on(border, last); last++)
            pairs &= pairs - 1;
        clusters_choose(border, first, last - first + 1, use);
    }
}

/* Where a step depends on more than its ends, each pair is tested by itself. */
static void clusters_straight(clusters_border *border)
{
    const crn_grid_space *space = border->clusters->space;
    if (!space->limited) {
        clusters_entrances(border, clusters_pairs(border), CRN_EXIT_BOTH);
        return;
    }
    uint64_t pairs[CRN_EXIT_BOTH + 1] = {0};
    for (uint32_t i = 0; i < border->length; i++) {
        clusters_cell near = clusters_near(border, i), far = clusters_far(border, i);
        uint32_t use = (clusters_leads(space, near, far) ? CRN_EXIT_OUT : 0) |
                       (clusters_leads(space, far, near) ? CRN_EXIT_IN : 0);
        pairs[use] |= UINT64_C(1) << i;
    }
    for (uint32_t use = CRN_EXIT_OUT; use <= CRN_EXIT_BOTH; use++)
        clusters_entrances(border, pairs[use], use);
}

static void clusters_diagonal(clusters_border *border)
{
    const crn_grid_space *space = border->clusters->space;
    for (uint32_t i = 0; i + 1 < border->length; i++) {
        for (uint32_t down = 0; down < 2; down++) {
            clusters_cell near = clusters_near(border, i + !down),
                          far = clusters_far(border, i + down);
            clusters_put(border, near, far, clusters_alone_use(space, near, far));
        }
    }
}

/* ---- clusters ---- */

static bool clusters_before(const void *a, const void *b)
{
    const crn_exit *p = a, *q = b;
    return p->from != q->from ? p->from < q->from : p->to < q->to;
}

/* Returns a corner of a cluster, or the end of a side: its first or last column or row. */
static clusters_cell clusters_corner(crn_area area, bool right, bool bottom)
{
    return (clusters_cell){area.left + (right ? area.width - 1 : 0),
                           area.top + (bottom ? area.height - 1 : 0)};
}

/* Does the cell (dx, dy) further on lie inside the map? */
static bool clusters_shift(const crn_clusters *clusters, clusters_cell *cell, int32_t dx,
                           int32_t dy)
{
    const cairn_grid *grid = clusters->space->grid;
    cell->x += (uint32_t)dx;
    cell->y += (uint32_t)dy;
    return cell->x < grid->width && cell->y < grid->height;
}

/* Each direction has two parts: the straight steps over the side that lies there, and the diagonal
 * ones, over a side or a corner. */
enum { CLUSTERS_PARTS = 2 * CRN_DIRECTIONS };

static void clusters_side(clusters_border *border, crn_area area, uint32_t part)
{
    const int32_t dx = crn_dx[part / 2], dy = crn_dy[part / 2];
    bool diagonal = part % 2, slanted = clusters_slanted(border->clusters->space);
    border->near = border->far = clusters_corner(area, dx > 0, dy > 0);
    if (!clusters_shift(border->clusters, &border->far, dx, dy) || (diagonal && !slanted)) return;
    if (dx && dy) {
        if (diagonal)
            clusters_put(border, border->near, border->far,
                         clusters_alone_use(border->clusters->space, border->near, border->far));
        return;
    }
    border->upright = dx != 0;
    border->length = border->upright ? area.height : area.width;
    if (diagonal) {
        clusters_diagonal(border);
    } else {
        clusters_straight(border);
    }
}

/* In no order. */
static uint32_t clusters_find(const crn_clusters *clusters, uint32_t cluster, crn_exit *out)
{
    clusters_border border = {.clusters = clusters, .out = out};
    crn_area area = crn_clusters_area(clusters, cluster);
    for (uint32_t i = 0; i < CLUSTERS_PARTS; i++) clusters_side(&border, area, i);
    return border.count;
}

uint32_t crn_clusters_exits(const crn_clusters *clusters, uint32_t cluster, crn_exit *out)
{
    uint32_t count = clusters_find(clusters, cluster, out);
    crn_sort(out, count, sizeof *out, clusters_before);
    return count;
}

/* ---- links ---- */

static bool clusters_reserve(crn_exits *exits, crn_scratch *memory, size_t need)
{
    void *items = exits->items;
    bool ok = crn_scratch_grow(memory, &items, &exits->capacity, need, sizeof *exits->items);
    exits->items = items;
    return ok;
}

static bool clusters_add(crn_exits *exits, crn_scratch *memory, crn_exit exit)
{
    if (!clusters_reserve(exits, memory, exits->count + 1u)) return false;
    exits->items[exits->count++] = exit;
    return true;
}

/* The links that leave the cells of a row, and those that lead there. */
static bool clusters_add_row(const crn_links *links, cairn_node first, cairn_node last,
                             crn_scratch *memory, crn_exits *out)
{
    for (uint32_t i = crn_links_first(links, first); i < links->count; i++) {
        const crn_space_link *link = &links->links[i];
        if (link->from > last) break;
        if (!clusters_add(out, memory, (crn_exit){link->from, link->to, CRN_EXIT_OUT}))
            return false;
    }
    for (uint32_t i = crn_links_first_arrival(links, first); i < links->count; i++) {
        const crn_space_link *link = &links->links[links->arrivals[i].link];
        if (link->to > last) break;
        if (!clusters_add(out, memory, (crn_exit){link->to, link->from, CRN_EXIT_IN})) return false;
    }
    return true;
}

/* Transitions between the same two cells, which stand side by side, become one. */
static void clusters_fold(crn_exits *exits)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < exits->count; i++) {
        crn_exit *last = kept ? &exits->items[kept - 1] : NULL;
        if (last && last->from == exits->items[i].from && last->to == exits->items[i].to) {
            last->use |= exits->items[i].use;
        } else {
            exits->items[kept++] = exits->items[i];
        }
    }
    exits->count = kept;
}

/* In no order, some of them in two parts. */
static bool clusters_gather(const crn_clusters *clusters, uint32_t cluster, crn_scratch *memory,
                            crn_exits *out)
{
    const crn_links *links = &clusters->space->links;
    if (!clusters_reserve(out, memory, CRN_EXITS_OF(clusters->size))) return false;
    out->count = clusters_find(clusters, cluster, out->items);
    if (!links->count) return true;
    crn_area area = crn_clusters_area(clusters, cluster);
    for (uint32_t y = area.top; y < area.top + area.height; y++) {
        cairn_node first = y * clusters->space->grid->width + area.left;
        if (!clusters_add_row(links, first, first + area.width - 1, memory, out)) return false;
    }
    return true;
}

bool crn_clusters_transitions(const crn_clusters *clusters, uint32_t cluster, crn_scratch *memory,
                              crn_exits *out)
{
    if (!clusters_gather(clusters, cluster, memory, out)) return false;
    crn_sort(out->items, out->count, sizeof *out->items, clusters_before);
    if (clusters->space->links.count) clusters_fold(out);
    return true;
}

static bool clusters_outlet_before(const void *a, const void *b)
{
    const crn_exit *p = a, *q = b;
    return p->to != q->to ? p->to < q->to : p->from < q->from;
}

/* What is done of each in a unit of work. */
enum { CLUSTERS_LINKS = 128, CLUSTERS_SIFTS = 64 };

/* Leaves out what only leads into the cluster. */
static void clusters_keep_outlets(crn_exits *exits)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < exits->count; i++) {
        if (exits->items[i].use & CRN_EXIT_OUT) exits->items[kept++] = exits->items[i];
    }
    exits->count = kept;
}

void crn_clusters_begin_outlets(crn_exits *out)
{
    out->count = out->side = out->row = out->link = 0;
    out->sorts = false;
}

/* The next of its sides; where steps are tested one by one, they are many. True when all are
 * done. */
static bool clusters_sides_on(const crn_clusters *clusters, crn_area area, crn_exits *out)
{
    clusters_border border = {.clusters = clusters, .out = out->items, .count = out->count};
    do {
        clusters_side(&border, area, out->side++);
    } while (out->side < CLUSTERS_PARTS && !clusters->space->limited);
    out->count = border.count;
    if (out->side < CLUSTERS_PARTS) return false;
    if (clusters->space->limited) clusters_keep_outlets(out);
    return true;
}

/* Some more of the links that leave the cells of the cluster. */
static cairn_status clusters_links_on(const crn_clusters *clusters, crn_area area,
                                      crn_scratch *memory, crn_exits *out)
{
    const crn_links *links = &clusters->space->links;
    if (!links->count) out->row = area.height;
    for (uint32_t left = CLUSTERS_LINKS; out->row < area.height; out->row++, out->link = 0) {
        cairn_node first = (area.top + out->row) * clusters->space->grid->width + area.left,
                   last = first + area.width - 1;
        if (!out->link) out->link = crn_links_first(links, first);
        for (; out->link < links->count && links->links[out->link].from <= last; out->link++) {
            const crn_space_link *link = &links->links[out->link];
            if (!left--) return CAIRN_RUNNING;
            if (!clusters_add(out, memory, (crn_exit){link->from, link->to, CRN_EXIT_OUT}))
                return CAIRN_OUT_OF_MEMORY;
        }
    }
    return CAIRN_OK;
}

cairn_status crn_clusters_outlets(const crn_clusters *clusters, uint32_t cluster,
                                  crn_scratch *memory, crn_exits *out)
{
    crn_area area = crn_clusters_area(clusters, cluster);
    if (!clusters_reserve(out, memory, CRN_EXITS_OF(clusters->size))) return CAIRN_OUT_OF_MEMORY;
    if (out->side < CLUSTERS_PARTS && !clusters_sides_on(clusters, area, out)) return CAIRN_RUNNING;
    cairn_status status = clusters_links_on(clusters, area, memory, out);
    if (status != CAIRN_OK) return status;
    if (!out->sorts) out->sorting = crn_sorting_of(out->count);
    out->sorts = true;
    bool sorted = crn_sort_go_on(&out->sorting, out->items, sizeof *out->items,
                                 clusters_outlet_before, CLUSTERS_SIFTS);
    return sorted ? CAIRN_OK : CAIRN_RUNNING;
}

/* The first cell of a cluster that is this one or behind it; CAIRN_NO_NODE if there is none. */
static cairn_node clusters_from(const crn_clusters *clusters, crn_area area, cairn_node cell)
{
    uint32_t width = clusters->space->grid->width, x = cell % width, y = cell / width;
    if (x >= area.left + area.width) y++;
    if (x >= area.left + area.width || x < area.left || y < area.top) x = area.left;
    if (y < area.top) y = area.top;
    return y < area.top + area.height ? y * width + x : CAIRN_NO_NODE;
}

uint32_t crn_clusters_arrival(const crn_clusters *clusters, uint32_t cluster, cairn_node to,
                              uint32_t i)
{
    const crn_links *links = &clusters->space->links;
    crn_area area = crn_clusters_area(clusters, cluster);
    while (i < links->count && links->arrivals[i].to == to) {
        cairn_node from = links->links[links->arrivals[i].link].from,
                   inside = clusters_from(clusters, area, from);
        if (inside == from) return i;
        if (inside == CAIRN_NO_NODE) break;
        i = crn_links_arrival_from(links, to, inside);
    }
    return links->count;
}

void crn_exits_close(crn_exits *exits, crn_scratch *memory)
{
    crn_scratch_free(memory, exits->items, exits->capacity * sizeof *exits->items);
    *exits = (crn_exits){0};
}

bool crn_clusters_linked(const crn_clusters *clusters, cairn_node cell)
{
    const crn_links *links = &clusters->space->links;
    if (!links->count) return false;
    uint32_t leaves = crn_links_first(links, cell), arrives = crn_links_first_arrival(links, cell);
    return (leaves < links->count && links->links[leaves].from == cell) ||
           (arrives < links->count && links->arrivals[arrives].to == cell);
}

cairn_cost crn_clusters_crossing(const crn_clusters *clusters, cairn_node from, cairn_node to)
{
    const crn_grid_space *space = clusters->space;
    cairn_cost step = crn_saturate(crn_grid_walk_cost(space, from, to));
    if (!space->links.count) return step;
    const crn_space_link *link = crn_links_between(&space->links, from, to);
    return link ? crn_min_u32(step, link->cost) : step;
}
