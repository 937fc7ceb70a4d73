/* pra_corridor.c: the corridor that a search of PRA* may look at. See pra_search.h.
 *
 * On a level, nodes are marked with the stamp of the search under way, ring by ring round the path
 * of the level above. On the ground, the cells of a grid are shown in a part of it; nodes of a
 * graph are shown by a filter that asks for the stamp of what holds them.
 */
#include "hierarchy/pra/pra_search.h"

/* ---- graphs with some nodes only ---- */

static const crn_pra_filter *pra_filter_of(const cairn_space *space)
{
    return (const crn_pra_filter *)(const void *)space;
}

static bool pra_filter_shows(const crn_pra_filter *filter, cairn_node node)
{
    return !filter->stamps || filter->stamps[filter->group[node]] == filter->stamp;
}

/* An edge to a node that is not shown becomes one to the node itself, which no path takes: so the
 * others keep their numbers, and a node with many edges can be expanded in batches. */
static uint32_t pra_filter_edges(const crn_pra_filter *filter, cairn_node node, cairn_edge *edges,
                                 uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!pra_filter_shows(filter, edges[i].node)) edges[i].node = node;
    return count;
}

static uint32_t pra_filter_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                  cairn_edge *out, uint32_t capacity)
{
    const crn_pra_filter *filter = pra_filter_of(space);
    return pra_filter_edges(filter, node, out,
                            cairn_space_expand(filter->whole, node, first, out, capacity));
}

static uint32_t pra_filter_expand_back(const cairn_space *space, cairn_node node, uint32_t first,
                                       cairn_edge *out, uint32_t capacity)
{
    const crn_pra_filter *filter = pra_filter_of(space);
    return pra_filter_edges(filter, node, out,
                            cairn_space_expand_back(filter->whole, node, first, out, capacity));
}

static bool pra_filter_usable(const cairn_space *space, cairn_node node)
{
    return node < space->node_count && pra_filter_shows(pra_filter_of(space), node);
}

static cairn_position pra_filter_position(const cairn_space *space, cairn_node node)
{
    return cairn_space_position(pra_filter_of(space)->whole, node);
}

static cairn_cost pra_filter_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                      cairn_node node, const crn_box *box)
{
    const cairn_space *whole = pra_filter_of(space)->whole;
    return whole->functions->estimate(whole, heuristic, node, box);
}

static uint64_t pra_filter_version(const cairn_space *space)
{
    return cairn_space_version(pra_filter_of(space)->whole);
}

static void pra_filter_box_add(const cairn_space *space, cairn_node node, crn_box *box)
{
    crn_box_add(box, pra_filter_of(space)->whole, node);
}

static const crn_space_functions pra_filter_functions = {
    .box_add = pra_filter_box_add,
    .expand = pra_filter_expand,
    .usable = pra_filter_usable,
    .position = pra_filter_position,
    .estimate = pra_filter_estimate,
    .version = pra_filter_version,
    .expand_back = pra_filter_expand_back,
};

void crn_pra_filter_refresh(crn_pra_filter *filter)
{
    filter->base = *filter->whole;
    filter->base.functions = &pra_filter_functions;
    filter->base.world = CRN_WORLD_ABSTRACT;
}

/* ---- opening and closing ---- */

cairn_status crn_pra_open_ground(crn_pra *p)
{
    cairn_search *search = p->search;
    cairn_space *space;
    cairn_status status = CAIRN_OK;
    const crn_grid_space *map = crn_grid_space_of(search->space);
    if (map) {
        status = crn_part_open(&p->part, &search->memory, map);
        space = &p->part.space.base;
    } else {
        p->filter.whole = search->space;
        crn_pra_filter_refresh(&p->filter);
        space = &p->filter.base;
    }
    return status == CAIRN_OK ? crn_subsearch_open(&p->lower, &search->memory, search, space, 0)
                              : status;
}
/* ---- what is shown ---- */

/* A node of level 1 belongs to the corridor of the ground: its cells are shown. */
static void pra_show_cells(crn_pra *p, cairn_node node)
{
    p->stamps[1].of[node] = p->stamp;
    if (!p->cliques->map) return;
    const crn_clique_pack *pack = &p->cliques->levels[1].packs[node];
    const uint32_t width = p->part.whole->grid->width, x0 = pack->child % width,
                   y0 = pack->child / width;
    crn_pra_span shown = p->shown;
    for (uint32_t mask = pack->mask; mask; mask &= mask - 1) {
        uint32_t place = crn_lowest_bit(mask), x = x0 + (place & 7) - CRN_PACK_LEFT,
                 y = y0 + (place >> 3), cell = y * width + x;
        if (CRN_UNLIKELY(p->stale) && !crn_bit(&p->part.whole->usable, (int32_t)x, (int32_t)y))
            continue;
        crn_part_show_cell(&p->part, x, y);
        shown.first = crn_min_u32(shown.first, cell);
        shown.last = crn_max_u32(shown.last, cell);
        shown.left = crn_min_u32(shown.left, x);
        shown.right = crn_max_u32(shown.right, x);
    }
    p->shown = shown;
}

/* All that lies below a node of a level. */
static void pra_show(crn_pra *p, uint32_t level, cairn_node node)
{
    if (level == 1) {
        pra_show_cells(p, node);
        return;
    }
    const uint32_t *siblings = p->cliques->levels[level - 1].siblings;
    cairn_node child = p->cliques->levels[level].cliques[node].child;
    for (; child != CAIRN_NO_NODE; child = siblings[child]) pra_show(p, level - 1, child);
}

static bool pra_grow_marked(crn_pra *p, size_t more)
{
    void *marked = p->marked;
    bool ok = crn_scratch_grow(&p->search->memory, &marked, &p->marked_capacity,
                               p->marked_count + more, sizeof *p->marked);
    p->marked = marked;
    return ok;
}

/* A node of a level belongs to the corridor; if that is the ground's, what lies below it is
 * shown. */
static cairn_status pra_mark(crn_pra *p, uint32_t level, cairn_node node)
{
    if (p->marked_count == p->marked_capacity && !pra_grow_marked(p, 1)) return CAIRN_OUT_OF_MEMORY;
    p->stamps[level].of[node] = p->stamp;
    p->marked[p->marked_count++] = node;
    if (level == p->fine) pra_show(p, level, node);
    return CAIRN_OK;
}

static cairn_status pra_mark_children(crn_pra *p, uint32_t level, cairn_node node)
{
    const uint32_t *siblings = p->cliques->levels[level - 1].siblings;
    cairn_node child = p->cliques->levels[level].cliques[node].child;
    cairn_status status = CAIRN_OK;
    for (; child != CAIRN_NO_NODE && status == CAIRN_OK; child = siblings[child])
        status = pra_mark(p, level - 1, child);
    return status;
}

/* The same for these that do not belong to it yet; they are not shown. Into a list with room for
 * them. Returns where it ends. */
CRN_INLINE cairn_node *pra_mark_edges(uint32_t *stamps, uint32_t stamp, cairn_node *marked,
                                      const cairn_edge *edges, uint32_t most)
{
    for (const cairn_edge *last = edges + most; edges != last; edges++) {
        uint32_t to = edges->node, *seen = stamps + to;
        size_t more = *seen != stamp; /* as wide as an address: nothing to convert */
        *marked = to;
        *seen = stamp;
        marked += more;
    }
    return marked;
}

/* Of level 1 of a grid. */
static CRN_NOINLINE cairn_status pra_mark_packs(crn_pra *p, size_t from, size_t end)
{
    for (; from < end; from++) {
        cairn_edge room[CRN_CLIQUE_NEIGHBOURS];
        uint32_t most;
        const cairn_edge *edges =
            crn_cliques_neighbours(p->cliques, 1, p->marked[from], room, &most);
        if (p->marked_count + most > p->marked_capacity && !pra_grow_marked(p, most))
            return CAIRN_OUT_OF_MEMORY;
        cairn_node *marked = p->marked + p->marked_count;
        marked = pra_mark_edges(p->stamps[1].of, p->stamp, marked, edges, most);
        p->marked_count = (size_t)(marked - p->marked);
    }
    return CAIRN_OK;
}

/* (Everything is held in variables, which stores do not touch.) */
static cairn_status pra_mark_lists(crn_pra *p, uint32_t level, size_t from, size_t end)
{
    const crn_abstract_graph *graph = &p->cliques->levels[level].graph;
    const crn_abstract_node *nodes = graph->nodes;
    const cairn_edge *edges = graph->edges;
    uint32_t *stamps = p->stamps[level].of, stamp = p->stamp;
    cairn_node *marked = p->marked + p->marked_count, *full = p->marked + p->marked_capacity;
    if (CRN_UNLIKELY(!nodes)) return pra_mark_packs(p, from, end);
    for (; from < end; from++) {
        const crn_abstract_node *node = &nodes[p->marked[from]];
        if (CRN_UNLIKELY(full - marked < (ptrdiff_t)node->count)) {
            p->marked_count = (size_t)(marked - p->marked);
            if (!pra_grow_marked(p, node->count)) return CAIRN_OUT_OF_MEMORY;
            marked = p->marked + p->marked_count;
            full = p->marked + p->marked_capacity;
        }
        if (node->count)
            marked = pra_mark_edges(stamps, stamp, marked, edges + node->first, node->count);
    }
    p->marked_count = (size_t)(marked - p->marked);
    return CAIRN_OK;
}

/* The neighbours of marked nodes, from one on. */
static cairn_status pra_mark_around(crn_pra *p, uint32_t level, size_t from, size_t count)
{
    size_t first = p->marked_count;
    cairn_status status = pra_mark_lists(p, level, from, from + count);
    if (level == p->fine) {
        for (; first < p->marked_count; first++) pra_show(p, level, p->marked[first]);
    }
    return status;
}

/* With corridor=wider the neighbours of the path are, for the ground of a grid, all that lies in
 * squares round its nodes: on open ground where nodes are 2, 4, 8 cells wide this is half a node
 * more on each side. A node of a strange shape may reach out of its square; should the corridor
 * lead nowhere for that, all is shown. */
bool crn_pra_in_squares(const crn_pra *p)
{
    return p->squares && p->wide && p->level == p->lowest;
}

static void pra_show_square(crn_pra *p, int32_t x, int32_t y)
{
    enum { UNITS = CRN_ABSTRACT_UNITS };
    const cairn_grid *grid = p->part.whole->grid;
    const int32_t reach = PRA_REACH << p->lowest;
    uint32_t left = (uint32_t)(x > reach ? x - reach + UNITS - 1 : 0) / UNITS;
    uint32_t top = (uint32_t)(y > reach ? y - reach + UNITS - 1 : 0) / UNITS;
    uint32_t right = crn_min_u32((uint32_t)(x + reach) / UNITS, grid->width - 1);
    uint32_t bottom = crn_min_u32((uint32_t)(y + reach) / UNITS, grid->height - 1);
    crn_part_show(&p->part, (crn_area){left, top, right - left + 1, bottom - top + 1});
    crn_pra_span *shown = &p->shown;
    shown->first = crn_min_u32(shown->first, top * grid->width);
    shown->last = crn_max_u32(shown->last, bottom * grid->width);
    shown->left = crn_min_u32(shown->left, left);
    shown->right = crn_max_u32(shown->right, right);
}

static CRN_NOINLINE void pra_show_pack(crn_pra *p, cairn_node node)
{
    crn_clique_body place = crn_cliques_body(p->cliques, 1, node);
    pra_show_square(p, place.x, place.y);
}

static void pra_show_cell(crn_pra *p, cairn_node cell)
{
    int32_t x, y;
    crn_abstract_position(p->search->space, cell, &x, &y);
    pra_show_square(p, x, y);
}

/* The ends of the link that the path takes after its i-th node, if it does. */
static void pra_show_door(crn_pra *p, size_t i)
{
    const crn_clique_door *door = crn_pra_door(p, i);
    if (!door) return;
    pra_show_cell(p, door->leave);
    pra_show_cell(p, door->arrive);
}

/* Nothing is marked yet: first the path is to be, then this many rings round it. */
void crn_pra_begin_marking(crn_pra *p)
{
    bool wider = crn_pra_parameter(p, PRA_CORRIDOR) == PRA_CORRIDOR_WIDER && p->level > p->lowest;
    uint32_t last = CRN_COUNT(pra_rings) - 1;
    p->rings =
        p->wide && !crn_pra_in_squares(p) ? pra_rings[wider ? crn_min_u32(p->level, last) : 0] : 0;
    p->phase = PRA_MARKS;
    p->at = p->marked_count = p->ring_end = p->edge = 0;
}

/* Hides what is shown in this many rows; true = nothing is shown any more. */
bool crn_pra_hide(crn_pra *p, size_t count)
{
    crn_pra_span *shown = &p->shown;
    if (shown->first <= shown->last) {
        const uint32_t width = p->part.whole->grid->width;
        const crn_bits *bits = &p->part.space.usable;
        size_t first = (shown->left + (size_t)1) / 8,
               bytes = (shown->right + (size_t)1) / 8 - first + 1;
        uint32_t row = shown->first / width, end = shown->last / width + 1;
        for (; count && row < end; count--, row++)
            memset(bits->rows + ((size_t)row + 1) * bits->stride + first, 0, bytes);
        shown->first = row * width;
        if (row < end) return false;
    }
    *shown = crn_pra_nothing;
    p->opened = false;
    return true;
}

/* Until now nothing is marked. */
void crn_pra_new_stamp(crn_pra *p)
{
    if (++p->stamp) return;
    for (uint32_t i = 0; i <= CRN_CLIQUE_LEVELS; i++) {
        if (p->stamps[i].count)
            memset(p->stamps[i].of, 0, p->stamps[i].count * sizeof *p->stamps[i].of);
    }
    p->stamp = 1;
}

/* Of the levels whose nodes may be marked. */
cairn_status crn_pra_prepare_stamps(crn_pra *p, uint32_t first)
{
    for (uint32_t i = first; i <= p->level; i++) {
        crn_pra_stamps *stamps = &p->stamps[i];
        size_t count = crn_cliques_count(p->cliques, i);
        if (count <= stamps->count) continue;
        void *of = stamps->of;
        if (!crn_scratch_grow(&p->search->memory, &of, &stamps->capacity, count,
                              sizeof *stamps->of)) {
            return CAIRN_OUT_OF_MEMORY;
        }
        stamps->of = of;
        memset(stamps->of + stamps->count, 0, (count - stamps->count) * sizeof *stamps->of);
        stamps->count = count;
    }
    return CAIRN_OK;
}

/* ---- searching levels ---- */
/* A node of the path. */
static cairn_status pra_mark_route(crn_pra *p, cairn_node node, bool squares)
{
    if (squares) {
        const crn_abstract_node *nodes = p->cliques->levels[p->level].graph.nodes;
        if (CRN_UNLIKELY(!nodes)) {
            pra_show_pack(p, node);
        } else {
            pra_show_square(p, nodes[node].x, nodes[node].y);
        }
        return CAIRN_OK;
    }
    bool children = p->level == p->lowest && p->level > p->fine;
    return children ? pra_mark_children(p, p->level, node) : pra_mark(p, p->level, node);
}

/* Some of the neighbours of a node that has many. */
static cairn_status pra_mark_crowd(crn_pra *p, uint32_t level, const crn_abstract_node *node)
{
    uint32_t count = crn_min_u32(node->count - p->edge, PRA_MARK_EDGES);
    size_t first = p->marked_count;
    if (first + count > p->marked_capacity && !pra_grow_marked(p, count))
        return CAIRN_OUT_OF_MEMORY;
    const cairn_edge *edges = p->cliques->levels[level].graph.edges + node->first + p->edge;
    cairn_node *end =
        pra_mark_edges(p->stamps[level].of, p->stamp, p->marked + first, edges, count);
    p->marked_count = (size_t)(end - p->marked);
    for (; level == p->fine && first < p->marked_count; first++)
        pra_show(p, level, p->marked[first]);
    p->edge += count;
    p->crowded = p->edge < node->count;
    if (!p->crowded) p->edge = 0;
    return CAIRN_OK;
}

/* The node marked before, if it has many neighbours; NULL: it has few. */
static const crn_abstract_node *pra_crowd(const crn_pra *p, uint32_t level, size_t ring)
{
    const crn_abstract_node *nodes = p->cliques->levels[level].graph.nodes;
    return nodes && nodes[p->marked[ring]].count > PRA_MARK_EDGES ? &nodes[p->marked[ring]] : NULL;
}

/* What is next to nodes of the ring marked before, at most this many. CAIRN_OK when there is
 * none. */
static cairn_status pra_mark_ring(crn_pra *p, size_t most)
{
    size_t ring = p->at - p->length;
    if (ring == p->ring_end && p->rings) {
        p->rings--;
        p->ring_end = p->marked_count;
    }
    if (ring == p->ring_end) return CAIRN_OK;
    if (most > p->ring_end - ring) most = p->ring_end - ring;
    uint32_t level = p->level > p->lowest ? p->level : p->fine;
    size_t few = 0;
    while (few < most && !pra_crowd(p, level, ring + few)) few++;
    cairn_status status = few ? pra_mark_around(p, level, ring, few)
                              : pra_mark_crowd(p, level, pra_crowd(p, level, ring));
    p->at += few ? few : !p->crowded;
    return status == CAIRN_OK ? CAIRN_RUNNING : status;
}

cairn_status crn_pra_mark_some(crn_pra *p)
{
    cairn_status status = CAIRN_RUNNING;
    const size_t end = p->at + PRA_MARK_NODES;
    const bool squares = crn_pra_in_squares(p),
               doors = squares && p->cliques->levels[p->level].doors.count;
    p->crowded = false;
    while (p->at < end && status == CAIRN_RUNNING && !p->crowded) {
        if (p->at < p->length) {
            status = pra_mark_route(p, crn_pra_path(p, p->at), squares);
            if (doors) pra_show_door(p, p->at);
            p->at++;
            if (status == CAIRN_OK) status = CAIRN_RUNNING;
        } else {
            status = pra_mark_ring(p, end - p->at);
        }
    }
    if (p->marked_count > p->marked_most) p->marked_most = p->marked_count;
    return status;
}

cairn_status crn_pra_mark_cliques(crn_pra *p)
{
    cairn_node node = crn_pra_path(p, p->at);
    crn_pra_new_stamp(p);
    p->marked_count = 0;
    cairn_status status = pra_mark(p, 1, node);
    bool last = p->at + 1 == p->length;
    if (status == CAIRN_OK && !last) status = pra_mark(p, 1, crn_pra_path(p, p->at + 1));
    if (status == CAIRN_OK && p->wide) status = pra_mark_around(p, 1, 0, 1);
    return status;
}

/* The ends must be inside, however strange the shapes of their nodes are. */
void crn_pra_show_ends(crn_pra *p)
{
    const cairn_node ends[] = {crn_builder_end(&p->builder), p->target};
    for (uint32_t i = 0; i < CRN_COUNT(ends) && ends[i] != CAIRN_NO_NODE; i++)
        pra_show_cell(p, ends[i]);
}
