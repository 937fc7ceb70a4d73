/* pra_search.c: the searches of PRA*. See pra.c.
 *
 * A piece of the path is made in phases, from the level where it begins down to the ground:
 *
 *     search    A* on a level, inside the corridor if there is one
 *     read      its path is read off, and cut off
 *     mark      what it stands for, with its neighbours or without, is the corridor of the level
 *     below; on the ground its cells are shown
 *     walk      A* on the ground, inside the corridor; its path is turned round, cut off and taken;
 *     or
 *     leave,    from one clique to the next
 *     enter     by the cell of the least cost and estimate
 *     open      (where that has failed) all cells are shown
 *     hide      what was shown is hidden again
 *     smooth    rays, when the path is as long as it is to be
 */
#include "hierarchy/pra/pra.h"

typedef enum pra_phase {
    PRA_SEARCHES,
    PRA_READS,
    PRA_MARKS,
    PRA_WALKS,
    PRA_TURNS,
    PRA_TAKES,
    PRA_LEAVES,
    PRA_ENTERS,
    PRA_OPENS,
    PRA_HIDES,
    PRA_SMOOTHS
} pra_phase;

/* How far the squares of a corridor reach from the centre of a node of level 0, in units of a
 * level. */
enum { PRA_REACH = CRN_ABSTRACT_UNITS * 14 / 16 };

/* Rings of neighbours with corridor=wider, by level; above the last one as there. On coarse levels
 * a path may lead past a lake on the wrong side; they have few nodes, so leaving it the choice
 * costs little. */
static const uint8_t pra_rings[] = {1, 1, 1, 1, 3, 5};

/* For a piece, the path on a level is cut off so many nodes after what the piece itself is there:
 * they tell where it should lead. Followed in pieces of 16 steps, ways of dao and bg512 are within
 * 5 % of the best in 96.7 % of all cases with 2 of them, in 99.6 % with 7, and then in 91 % within
 * 1 %. */
enum { PRA_AHEAD = 7 };

/* So many ends of pieces are kept in mind. */
enum { PRA_ENDS = 8 };

/* How much of a phase is one unit of work. */
enum { PRA_READ_NODES = 64, PRA_TAKE_NODES = 32, PRA_MARK_NODES = 6, PRA_HIDE_ROWS = 32 };

/* A graph of which only some nodes are shown. */
typedef struct pra_filter {
    cairn_space base;
    const cairn_space *whole;
    const uint32_t *group, *stamps; /* as of a view of a level; NULL = all */
    uint32_t stamp;
} pra_filter;

typedef struct pra_stamps {
    uint32_t *of; /* nodes of a level */
    size_t count, capacity;
} pra_stamps;

/* Around all cells that are shown; first > last: there are none. */
typedef struct pra_span {
    cairn_node first, last;
    uint32_t left, right; /* columns */
} pra_span;

static const pra_span pra_nothing = {UINT32_MAX, 0, UINT32_MAX, 0};

typedef struct pra {
    crn_builder builder;
    cairn_search *search;
    const crn_cliques *cliques;
    bool stale; /* the index is of an earlier world; a new one is being made */

    crn_abstract_graph none; /* what the view shows before the first query */
    crn_abstract_view view;
    crn_subsearch upper; /* on all levels */
    crn_part part;       /* grids */
    pra_filter filter;   /* graphs */
    crn_subsearch lower; /* on the ground */

    /* which nodes of a level are the corridor of the level below */
    pra_stamps stamps[CRN_CLIQUE_LEVELS + 1];
    uint32_t stamp;

    pra_phase phase;
    uint32_t level, lowest; /* that is searched now, and last before the ground */
    uint32_t fine;          /* whose nodes make up the corridor of the ground */
    uint32_t steps;         /* paths are cut off after so many; 0 = never */
    /* on levels, after what these are there and so many more; 0 = after as many */
    uint32_t ahead;
    cairn_node from[CRN_CLIQUE_LEVELS + 1], to[CRN_CLIQUE_LEVELS + 1]; /* the ends on each level */
    cairn_node target;                                                 /* of the search under way */
    cairn_node read; /* the next node of the path that is read off */
    /* the path on a level, from its end to its start, with what it costs from the start on */
    cairn_edge *path;
    size_t path_count, path_capacity, path_most;
    size_t length;      /* nodes of it that count, from the start on */
    size_t at;          /* how far a phase has come */
    bool wide, opened;  /* the corridor; everything is shown */
    bool squares;       /* a wide corridor of the ground is made of squares */
    cairn_node *marked; /* nodes of the level that belong to the corridor, ring by ring */
    size_t marked_count, marked_capacity, marked_most, ring_end;
    uint32_t rings; /* still to come */
    pra_span shown; /* grids */
    bool arrived;   /* the path ends at the goal */

    cairn_node ends[PRA_ENDS]; /* of the last pieces */
    cairn_node milestone;      /* Brent: an end of a piece, ... */
    uint32_t since, power;     /* ... so many pieces ago, and when to set the next one */
} pra;

static pra *pra_of(const cairn_search *search)
{
    return search->scratch;
}

static int64_t pra_parameter(const pra *p, uint32_t i)
{
    return p->search->planner->parameters[i];
}

static void pra_spend(pra *p, uint64_t *work)
{
    --*work;
    p->search->metrics.work++;
}

/* ---- graphs with some nodes only ---- */

static const pra_filter *pra_filter_of(const cairn_space *space)
{
    return (const pra_filter *)(const void *)space;
}

static bool pra_filter_shows(const pra_filter *filter, cairn_node node)
{
    return !filter->stamps || filter->stamps[filter->group[node]] == filter->stamp;
}

/* Of the edges that `walk` (cairn_space_expand or cairn_space_expand_back) finds those to nodes
 * shown. */
typedef uint32_t pra_filter_walk(const cairn_space *space, cairn_node node, uint32_t first,
                                 cairn_edge *out, uint32_t capacity);
static uint32_t pra_filter_edges(const pra_filter *filter, pra_filter_walk *walk, cairn_node node,
                                 uint32_t first, cairn_edge *out, uint32_t capacity)
{
    enum { BATCH = 16 };
    cairn_edge batch[BATCH];
    uint32_t written = 0, seen = 0;
    for (uint32_t at = 0, count = BATCH; count == BATCH && written < capacity; at += count) {
        count = walk(filter->whole, node, at, batch, BATCH);
        for (uint32_t i = 0; i < count && written < capacity; i++) {
            if (pra_filter_shows(filter, batch[i].node) && seen++ >= first)
                out[written++] = batch[i];
        }
    }
    return written;
}

static uint32_t pra_filter_expand(const cairn_space *space, cairn_node node, uint32_t first,
                                  cairn_edge *out, uint32_t capacity)
{
    return pra_filter_edges(pra_filter_of(space), cairn_space_expand, node, first, out, capacity);
}

static uint32_t pra_filter_expand_back(const cairn_space *space, cairn_node node, uint32_t first,
                                       cairn_edge *out, uint32_t capacity)
{
    return pra_filter_edges(pra_filter_of(space), cairn_space_expand_back, node, first, out,
                            capacity);
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

/* When a query begins: takes over what a commit may have changed. */
static void pra_filter_refresh(pra_filter *filter)
{
    filter->base = *filter->whole;
    filter->base.functions = &pra_filter_functions;
    filter->base.world = CRN_WORLD_ABSTRACT;
}

/* ---- opening and closing ---- */

static cairn_status pra_open_ground(pra *p)
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
        pra_filter_refresh(&p->filter);
        space = &p->filter.base;
    }
    return status == CAIRN_OK ? crn_subsearch_open(&p->lower, &search->memory, search, space, 0)
                              : status;
}

cairn_status crn_pra_open(cairn_search *search)
{
    pra *p = crn_scratch_alloc(&search->memory, sizeof *p);
    if (!p) return CAIRN_OUT_OF_MEMORY;
    memset(p, 0, sizeof *p);
    search->scratch = p;
    p->search = search;
    p->shown = pra_nothing;
    crn_builder_open(&p->builder, search);
    crn_abstract_open(&p->none, search->context);
    crn_abstract_view_open(&p->view, &p->none, search->space);
    cairn_status status = crn_subsearch_open(&p->upper, &search->memory, search, &p->view.base, 1);
    return status == CAIRN_OK ? pra_open_ground(p) : status;
}

void crn_pra_close(cairn_search *search)
{
    pra *p = search->scratch;
    crn_scratch *memory = &search->memory;
    if (!p) return;
    crn_subsearch_close(&p->upper);
    crn_subsearch_close(&p->lower);
    if (p->part.memory) crn_part_close(&p->part);
    for (uint32_t i = 0; i <= CRN_CLIQUE_LEVELS; i++) {
        crn_scratch_free(memory, p->stamps[i].of, p->stamps[i].capacity * sizeof *p->stamps[i].of);
    }
    crn_scratch_free(memory, p->path, p->path_capacity * sizeof *p->path);
    crn_scratch_free(memory, p->marked, p->marked_capacity * sizeof *p->marked);
    crn_builder_close(&p->builder);
    crn_scratch_free(memory, p, sizeof *p);
}

/* ---- what is shown ---- */

/* A node of level 1 belongs to the corridor of the ground: its cells are shown. */
static void pra_show_cells(pra *p, cairn_node node)
{
    p->stamps[1].of[node] = p->stamp;
    if (!p->cliques->map) return;
    const uint32_t *siblings = p->cliques->levels[0].siblings;
    const uint32_t width = p->part.whole->grid->width;
    cairn_node cell = p->cliques->levels[1].cliques[node].child;
    pra_span shown = p->shown;
    for (; cell != CAIRN_NO_NODE; cell = siblings[cell]) {
        uint32_t x = cell % width, y = cell / width;
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
static void pra_show(pra *p, uint32_t level, cairn_node node)
{
    if (level == 1) {
        pra_show_cells(p, node);
        return;
    }
    const uint32_t *siblings = p->cliques->levels[level - 1].siblings;
    cairn_node child = p->cliques->levels[level].cliques[node].child;
    for (; child != CAIRN_NO_NODE; child = siblings[child]) pra_show(p, level - 1, child);
}

static bool pra_grow_marked(pra *p, size_t more)
{
    void *marked = p->marked;
    bool ok = crn_scratch_grow(&p->search->memory, &marked, &p->marked_capacity,
                               p->marked_count + more, sizeof *p->marked);
    p->marked = marked;
    return ok;
}

/* A node of a level belongs to the corridor; if that is the ground's, what lies below it is
 * shown. */
static cairn_status pra_mark(pra *p, uint32_t level, cairn_node node)
{
    if (p->marked_count == p->marked_capacity && !pra_grow_marked(p, 1)) return CAIRN_OUT_OF_MEMORY;
    p->stamps[level].of[node] = p->stamp;
    p->marked[p->marked_count++] = node;
    if (level == p->fine) pra_show(p, level, node);
    return CAIRN_OK;
}

static cairn_status pra_mark_children(pra *p, uint32_t level, cairn_node node)
{
    const uint32_t *siblings = p->cliques->levels[level - 1].siblings;
    cairn_node child = p->cliques->levels[level].cliques[node].child;
    cairn_status status = CAIRN_OK;
    for (; child != CAIRN_NO_NODE && status == CAIRN_OK; child = siblings[child])
        status = pra_mark(p, level - 1, child);
    return status;
}

/* The same for its neighbours that do not belong to it yet. */
static cairn_status pra_mark_around(pra *p, uint32_t level, cairn_node node)
{
    const crn_abstract_graph *graph = &p->cliques->levels[level].graph;
    const cairn_edge *edge = crn_abstract_edges(graph, node),
                     *end = edge + graph->nodes[node].count;
    size_t first = p->marked_count, count = first, most = graph->nodes[node].count;
    if (count + most > p->marked_capacity && !pra_grow_marked(p, most)) return CAIRN_OUT_OF_MEMORY;
    uint32_t *stamps = p->stamps[level].of, stamp = p->stamp;
    cairn_node *marked = p->marked;
    for (; edge != end; edge++) {
        marked[count] = edge->node;
        count += stamps[edge->node] != stamp;
        stamps[edge->node] = stamp;
    }
    p->marked_count = count;
    if (level == p->fine) {
        for (; first < count; first++) pra_show(p, level, marked[first]);
    }
    return CAIRN_OK;
}

/* With corridor=wider the neighbours of the path are, for the ground of a grid, all that lies in
 * squares round its nodes: on open ground where nodes are 2, 4, 8 cells wide this is half a node
 * more on each side. A node of a strange shape may reach out of its square; should the corridor
 * lead nowhere for that, all is shown. */
static bool pra_in_squares(const pra *p)
{
    return p->squares && p->wide && p->level == p->lowest;
}

static void pra_show_square(pra *p, int32_t x, int32_t y)
{
    enum { UNITS = CRN_ABSTRACT_UNITS };
    const cairn_grid *grid = p->part.whole->grid;
    const int32_t reach = PRA_REACH << p->lowest;
    uint32_t left = (uint32_t)(x > reach ? x - reach + UNITS - 1 : 0) / UNITS;
    uint32_t top = (uint32_t)(y > reach ? y - reach + UNITS - 1 : 0) / UNITS;
    uint32_t right = crn_min_u32((uint32_t)(x + reach) / UNITS, grid->width - 1);
    uint32_t bottom = crn_min_u32((uint32_t)(y + reach) / UNITS, grid->height - 1);
    crn_part_show(&p->part, (crn_area){left, top, right - left + 1, bottom - top + 1});
    pra_span *shown = &p->shown;
    shown->first = crn_min_u32(shown->first, top * grid->width);
    shown->last = crn_max_u32(shown->last, bottom * grid->width);
    shown->left = crn_min_u32(shown->left, left);
    shown->right = crn_max_u32(shown->right, right);
}

/* Nothing is marked yet: first the path is to be, then so many rings round it. */
static void pra_begin_marking(pra *p)
{
    bool wider = pra_parameter(p, PRA_CORRIDOR) == PRA_CORRIDOR_WIDER && p->level > p->lowest;
    uint32_t last = CRN_COUNT(pra_rings) - 1;
    p->rings =
        p->wide && !pra_in_squares(p) ? pra_rings[wider ? crn_min_u32(p->level, last) : 0] : 0;
    p->phase = PRA_MARKS;
    p->at = p->marked_count = p->ring_end = 0;
}

/* Hides what is shown in so many rows; true = nothing is shown any more. */
static bool pra_hide(pra *p, size_t count)
{
    pra_span *shown = &p->shown;
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
    *shown = pra_nothing;
    p->opened = false;
    return true;
}

/* Until now nothing is marked. */
static void pra_new_stamp(pra *p)
{
    if (++p->stamp) return;
    for (uint32_t i = 0; i <= CRN_CLIQUE_LEVELS; i++) {
        if (p->stamps[i].count)
            memset(p->stamps[i].of, 0, p->stamps[i].count * sizeof *p->stamps[i].of);
    }
    p->stamp = 1;
}

/* Of the levels whose nodes may be marked. */
static cairn_status pra_prepare_stamps(pra *p, uint32_t first)
{
    for (uint32_t i = first; i <= p->level; i++) {
        pra_stamps *stamps = &p->stamps[i];
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

/* The i-th node of the path on the level, from its start. */
static cairn_node pra_path(const pra *p, size_t i)
{
    return p->path[p->path_count - 1 - i].node;
}

/* A level may have more numbers than the one below it: some are vacant. */
static uint32_t pra_most_nodes(const pra *p)
{
    uint32_t most = 0;
    for (uint32_t i = 1; i <= p->cliques->top; i++)
        most = crn_max_u32(most, crn_cliques_count(p->cliques, i));
    return most;
}

/* Begins A* on p->level; inside the corridor that the level above has marked, if one was
 * searched. */
static cairn_status pra_search_level(pra *p, bool corridor)
{
    const crn_clique_level *level = &p->cliques->levels[p->level];
    cairn_cost least, most;
    crn_clique_level_bounds(level, &least, &most);
    p->view.graph = &level->graph;
    p->view.group = corridor ? level->parents : NULL;
    p->view.stamps = p->stamps[p->level + 1].of;
    p->view.stamp = p->stamp;
    crn_abstract_view_refresh(&p->view, least, most);
    p->view.base.node_count = pra_most_nodes(p) + 2; /* records for all levels */
    p->upper.search.level = p->level;
    p->phase = PRA_SEARCHES;
    cairn_status status = crn_subsearch_begin(&p->upper, p->from[p->level], p->target);
    return status == CAIRN_OUT_OF_MEMORY ? status : CAIRN_RUNNING;
}

/* The ends on all levels, and the first on which they are the same; CAIRN_STALE: the index does not
 * know one of them. */
static cairn_status pra_find_ends(pra *p, uint32_t *same)
{
    const crn_cliques *cliques = p->cliques;
    p->from[0] = crn_builder_end(&p->builder);
    p->to[0] = p->search->goals[0];
    *same = p->from[0] == p->to[0] ? 0 : UINT32_MAX;
    for (uint32_t i = 1; i <= cliques->top; i++) {
        p->from[i] = cliques->levels[i - 1].parents[p->from[i - 1]];
        p->to[i] = cliques->levels[i - 1].parents[p->to[i - 1]];
        if (p->from[i] == CAIRN_NO_NODE || p->to[i] == CAIRN_NO_NODE) return CAIRN_STALE;
        if (*same == UINT32_MAX && p->from[i] == p->to[i]) *same = i;
    }
    if (*same == UINT32_MAX) *same = cliques->top;
    return CAIRN_OK;
}

/* Gives up corridors: everything is searched. */
static cairn_status pra_open_all(pra *p)
{
    if (p->stale) return CAIRN_STALE;
    p->phase = PRA_OPENS;
    p->target = p->to[0];
    p->at = 0;
    return CAIRN_RUNNING;
}

/* From the end of the path on. */
static cairn_status pra_begin_piece(pra *p)
{
    uint32_t same;
    cairn_status status = pra_find_ends(p, &same);
    if (status != CAIRN_OK) return p->stale ? CAIRN_STALE : pra_open_all(p);
    uint32_t level = (pra_parameter(p, PRA_START) == PRA_START_HALF ? same : p->cliques->top) / 2;
    p->level = level ? level : 1;
    bool cliques = pra_parameter(p, PRA_GROUND) == PRA_GROUND_CLIQUES;
    p->lowest = cliques ? 1 : crn_min_u32((uint32_t)pra_parameter(p, PRA_LOWEST), p->level);
    p->fine = crn_max_u32(p->lowest, 2) - 1;
    p->wide = pra_parameter(p, PRA_CORRIDOR) != PRA_CORRIDOR_INNER;
    p->squares = p->part.memory && !cliques && pra_parameter(p, PRA_CORRIDOR) == PRA_CORRIDOR_WIDER;
    status = pra_prepare_stamps(p, p->squares ? p->lowest + 1 : 1);
    if (status != CAIRN_OK) return status;
    pra_new_stamp(p);
    p->target = p->to[p->level];
    return pra_search_level(p, false);
}

/* The path leads nowhere on this level. */
static cairn_status pra_lost(pra *p, cairn_status status)
{
    return status == CAIRN_OUT_OF_MEMORY ? status : pra_open_all(p);
}

static cairn_status pra_search_on(pra *p, uint64_t *work)
{
    cairn_status status = crn_subsearch_step(&p->upper, work);
    if (status == CAIRN_RUNNING) return status;
    if (status != CAIRN_FOUND) return pra_lost(p, status);
    p->phase = PRA_READS;
    p->path_count = 0;
    p->read = p->target;
    return CAIRN_RUNNING;
}

static bool pra_grow_path(pra *p, size_t more)
{
    void *path = p->path;
    bool ok = crn_scratch_grow(&p->search->memory, &path, &p->path_capacity, p->path_count + more,
                               sizeof *p->path);
    p->path = path;
    return ok;
}

/* After so many steps the path on the level is cut off. */
static uint32_t pra_level_steps(const pra *p)
{
    return p->ahead && p->steps ? (p->steps >> p->level) + p->ahead : p->steps;
}

/* Reads on, from the end to the start; CAIRN_OK when it is done. */
static cairn_status pra_read(pra *p, const crn_subsearch *subsearch, uint64_t *work)
{
    cairn_node nodes[PRA_READ_NODES];
    cairn_cost costs[PRA_READ_NODES];
    pra_spend(p, work);
    uint32_t count =
        crn_best_first_trail(&subsearch->search, p->read, nodes, costs, PRA_READ_NODES);
    if (p->path_count + count >= p->path_capacity && !pra_grow_path(p, (size_t)count + 1))
        return CAIRN_OUT_OF_MEMORY;
    for (uint32_t i = 0, last = PRA_READ_NODES - 1; i < count; i++)
        p->path[p->path_count++] = (cairn_edge){nodes[last - i], costs[last - i]};
    if (count == PRA_READ_NODES) {
        p->read = crn_subsearch_before(subsearch, nodes[0]);
        return CAIRN_RUNNING;
    }
    p->path[p->path_count++] = (cairn_edge){subsearch->search.query.from, 0};
    if (p->path_count > p->path_most) p->path_most = p->path_count;
    p->length = p->path_count;
    uint32_t steps = subsearch == &p->upper ? pra_level_steps(p) : p->steps;
    if (steps && p->length > (size_t)steps + 1) p->length = (size_t)steps + 1;
    p->at = 0;
    return CAIRN_OK;
}

static cairn_status pra_read_on(pra *p, uint64_t *work)
{
    cairn_status status = pra_read(p, &p->upper, work);
    if (status != CAIRN_OK) return status;
    bool enters = p->level == p->lowest && pra_parameter(p, PRA_GROUND) == PRA_GROUND_CLIQUES;
    if (enters) {
        p->phase = PRA_LEAVES;
        p->wide = false;
    } else {
        pra_begin_marking(p);
    }
    return CAIRN_RUNNING;
}

/* Of what a node stands for on the level below what is nearest to a place; CAIRN_NO_NODE: nothing
 * is left of it. */
static cairn_node pra_nearest_child(const pra *p, uint32_t level, cairn_node node,
                                    const crn_abstract_node *there)
{
    const crn_cliques *cliques = p->cliques;
    cairn_node best = CAIRN_NO_NODE, child = cliques->levels[level].cliques[node].child;
    uint64_t least = UINT64_MAX;
    for (; child != CAIRN_NO_NODE; child = cliques->levels[level - 1].siblings[child]) {
        if (p->stale && level == 1 && !cairn_space_usable(p->search->space, child)) continue;
        crn_clique_body body = crn_cliques_body(cliques, level - 1, child);
        uint64_t distance =
            crn_metric_distance(cliques->metric, body.x, body.y, there->x, there->y);
        if (distance >= least) continue;
        least = distance;
        best = child;
    }
    return best;
}

/* The end of the search on the level below: the goal, or of what the last node that counts stands
 * for what is nearest to the node after it. */
static cairn_node pra_aim(const pra *p)
{
    const crn_cliques *cliques = p->cliques;
    if (p->length == p->path_count && pra_path(p, p->length - 1) == p->to[p->level])
        return p->to[p->level > p->lowest ? p->level - 1 : 0];
    cairn_node last = pra_path(p, p->length - 1);
    cairn_node beyond = p->length < p->path_count ? pra_path(p, p->length) : last;
    const crn_abstract_node *there = &cliques->levels[p->level].graph.nodes[beyond];
    for (uint32_t level = p->level; level > 0 && last != CAIRN_NO_NODE; level--) {
        last = pra_nearest_child(p, level, last, there);
        if (level > p->lowest) break;
    }
    return last;
}

/* ---- the ground ---- */

static void pra_show_ground(pra *p)
{
    p->filter.group = p->cliques->levels[0].parents;
    p->filter.stamps = p->opened ? NULL : p->stamps[1].of;
    p->filter.stamp = p->stamp;
}

static cairn_status pra_walk(pra *p)
{
    pra_show_ground(p);
    p->phase = PRA_WALKS;
    if (p->target == CAIRN_NO_NODE) return CAIRN_STALE;
    cairn_status status = crn_subsearch_begin(&p->lower, crn_builder_end(&p->builder), p->target);
    return status == CAIRN_OUT_OF_MEMORY ? status : CAIRN_RUNNING;
}

/* A node of the path. */
static cairn_status pra_mark_route(pra *p, cairn_node node)
{
    if (pra_in_squares(p)) {
        const crn_abstract_node *place = &p->cliques->levels[p->level].graph.nodes[node];
        pra_show_square(p, place->x, place->y);
        return CAIRN_OK;
    }
    bool children = p->level == p->lowest && p->level > p->fine;
    return children ? pra_mark_children(p, p->level, node) : pra_mark(p, p->level, node);
}

/* The next node of the path, or what is next to a node of the ring marked before. CAIRN_OK when
 * there is none. */
static cairn_status pra_mark_next(pra *p)
{
    cairn_status status;
    if (p->at < p->length) {
        status = pra_mark_route(p, pra_path(p, p->at));
    } else {
        size_t ring = p->at - p->length;
        if (ring == p->ring_end && p->rings) {
            p->rings--;
            p->ring_end = p->marked_count;
        }
        if (ring == p->ring_end) return CAIRN_OK;
        status = pra_mark_around(p, p->level > p->lowest ? p->level : p->fine, p->marked[ring]);
    }
    p->at++;
    return status == CAIRN_OK ? CAIRN_RUNNING : status;
}

/* The ends must be inside, however strange the shapes of their nodes are. */
static void pra_show_ends(pra *p)
{
    const cairn_node ends[] = {crn_builder_end(&p->builder), p->target};
    for (uint32_t i = 0; i < CRN_COUNT(ends) && ends[i] != CAIRN_NO_NODE; i++) {
        int32_t x, y;
        crn_abstract_position(p->search->space, ends[i], &x, &y);
        pra_show_square(p, x, y);
    }
}

static cairn_status pra_mark_on(pra *p, uint64_t *work)
{
    cairn_status status = CAIRN_RUNNING;
    pra_spend(p, work);
    for (uint32_t i = 0; i < PRA_MARK_NODES && status == CAIRN_RUNNING; i++)
        status = pra_mark_next(p);
    if (p->marked_count > p->marked_most) p->marked_most = p->marked_count;
    if (status != CAIRN_OK) return status;
    p->target = pra_aim(p);
    if (pra_in_squares(p)) pra_show_ends(p);
    if (p->level == p->lowest) return pra_walk(p);
    p->level--;
    return pra_search_level(p, true);
}

static cairn_status pra_open_on(pra *p, uint64_t *work)
{
    pra_spend(p, work);
    p->opened = true;
    if (p->part.memory) {
        const cairn_grid *grid = p->part.whole->grid;
        p->shown = (pra_span){0, p->search->space->node_count - 1, 0, grid->width - 1};
        crn_part_show(&p->part, (crn_area){0, (uint32_t)p->at, grid->width, 1});
        if (++p->at < grid->height) return CAIRN_RUNNING;
    }
    return pra_walk(p);
}

/* The corridor leads nowhere: a wider one, then everything. */
static cairn_status pra_widen(pra *p)
{
    if (p->wide) return pra_open_all(p);
    p->wide = true;
    pra_new_stamp(p);
    pra_begin_marking(p);
    return CAIRN_RUNNING;
}

static cairn_status pra_walk_on(pra *p, uint64_t *work)
{
    cairn_status status = crn_subsearch_step(&p->lower, work);
    if (status == CAIRN_UNREACHABLE && !p->opened) return pra_widen(p);
    if (status != CAIRN_FOUND) return status;
    p->phase = PRA_TURNS;
    p->path_count = 0;
    p->read = p->target;
    return CAIRN_RUNNING;
}

static cairn_status pra_turn_on(pra *p, uint64_t *work)
{
    cairn_status status = pra_read(p, &p->lower, work);
    if (status != CAIRN_OK) return status;
    p->phase = PRA_TAKES;
    p->arrived = p->length == p->path_count && p->target == p->to[0];
    p->at = 1; /* the first is the end of the path so far */
    return CAIRN_RUNNING;
}

static cairn_status pra_take_on(pra *p, uint64_t *work)
{
    pra_spend(p, work);
    size_t left = p->length - p->at;
    uint32_t count = (uint32_t)(left < PRA_TAKE_NODES ? left : PRA_TAKE_NODES);
    p->at += count;
    cairn_status status = crn_builder_put_back(&p->builder, &p->path[p->path_count - p->at], count);
    if (status != CAIRN_OK) return status;
    if (p->at == p->length) p->phase = PRA_HIDES;
    return CAIRN_RUNNING;
}

/* ---- from clique to clique ---- */

/* From the clique that the way has come to. Shows it and the next one, and if need be all that are
 * next to it. */
static cairn_status pra_enter(pra *p, uint64_t *work)
{
    cairn_node node = pra_path(p, p->at);
    pra_spend(p, work);
    pra_new_stamp(p);
    p->marked_count = 0;
    cairn_status status = pra_mark(p, 1, node);
    bool last = p->at + 1 == p->length;
    if (status == CAIRN_OK && !last) status = pra_mark(p, 1, pra_path(p, p->at + 1));
    if (status == CAIRN_OK && p->wide) status = pra_mark_around(p, 1, node);
    if (status != CAIRN_OK) return status;
    pra_show_ground(p);
    p->phase = PRA_ENTERS;
    p->target = last ? pra_aim(p) : CAIRN_NO_NODE;
    if (last && p->target == CAIRN_NO_NODE) return CAIRN_STALE;
    status = crn_subsearch_begin(&p->lower, crn_builder_end(&p->builder), p->target);
    return status == CAIRN_OUT_OF_MEMORY ? status : CAIRN_RUNNING;
}

/* The node of the next clique that the search inside reached with the least cost and estimate;
 * CAIRN_NO_NODE: none. */
static cairn_node pra_entrance(const pra *p)
{
    const cairn_space *space = p->search->space;
    cairn_node best = CAIRN_NO_NODE;
    uint64_t least = UINT64_MAX;
    cairn_node node = p->cliques->levels[1].cliques[pra_path(p, p->at + 1)].child;
    for (; node != CAIRN_NO_NODE; node = p->cliques->levels[0].siblings[node]) {
        cairn_cost cost = crn_subsearch_cost(&p->lower, node);
        if (cost == CAIRN_NO_COST) continue;
        uint64_t sum = (uint64_t)cost + space->functions->estimate(space, space->default_heuristic,
                                                                   node, &p->search->box);
        if (sum >= least) continue;
        least = sum;
        best = node;
    }
    return best;
}

static cairn_status pra_enter_on(pra *p, uint64_t *work)
{
    cairn_status status = crn_subsearch_step(&p->lower, work);
    if (status == CAIRN_RUNNING || status == CAIRN_OUT_OF_MEMORY || status == CAIRN_COST_OVERFLOW)
        return status;
    bool last = p->at + 1 == p->length;
    cairn_node to = status != CAIRN_FOUND ? CAIRN_NO_NODE : last ? p->target : pra_entrance(p);
    pra_hide(p, SIZE_MAX);
    p->phase = PRA_LEAVES;
    if (to == CAIRN_NO_NODE && p->wide) return pra_open_all(p);
    p->wide = to == CAIRN_NO_NODE;
    if (p->wide) return CAIRN_RUNNING;
    status = crn_builder_append(&p->builder, &p->lower, to);
    if (status != CAIRN_OK) return status;
    p->at++;
    if (!last) return CAIRN_RUNNING;
    p->arrived = to == p->to[0];
    p->phase = PRA_HIDES;
    return CAIRN_RUNNING;
}

/* ---- the end of a piece ---- */

/* Has the end of a piece been the end of one before? Small circles are noticed at once, larger ones
 * some time later. */
static void pra_watch(pra *p)
{
    cairn_node end = crn_builder_end(&p->builder);
    bool again = end == p->milestone;
    for (uint32_t i = 0; i < PRA_ENDS; i++) again |= end == p->ends[i];
    if (again) p->steps = 0;
    memmove(p->ends + 1, p->ends, (PRA_ENDS - 1) * sizeof *p->ends);
    p->ends[0] = end;
    if (++p->since < p->power) return;
    p->since = 0;
    p->power *= 2;
    p->milestone = end;
}

static cairn_status pra_end_piece(pra *p)
{
    if (!p->arrived) {
        pra_watch(p);
        if (!crn_builder_suffices(&p->builder)) return pra_begin_piece(p);
    }
    p->phase = PRA_SMOOTHS;
    return crn_builder_deliver(p->search, p->arrived, !p->part.memory);
}

static cairn_status pra_hide_on(pra *p, uint64_t *work)
{
    pra_spend(p, work);
    return pra_hide(p, PRA_HIDE_ROWS) ? pra_end_piece(p) : CAIRN_RUNNING;
}

static cairn_status pra_smooth_on(pra *p, uint64_t *work)
{
    cairn_status status = crn_builder_smooth_step(&p->builder, work);
    return status == CAIRN_OK ? crn_builder_deliver(p->search, p->arrived, true) : status;
}

/* ---- queries ---- */

static cairn_status pra_go_on(pra *p, uint64_t *work)
{
    switch (p->phase) {
    case PRA_SEARCHES: return pra_search_on(p, work);
    case PRA_READS: return pra_read_on(p, work);
    case PRA_MARKS: return pra_mark_on(p, work);
    case PRA_WALKS: return pra_walk_on(p, work);
    case PRA_TURNS: return pra_turn_on(p, work);
    case PRA_TAKES: return pra_take_on(p, work);
    case PRA_LEAVES: return pra_enter(p, work);
    case PRA_ENTERS: return pra_enter_on(p, work);
    case PRA_OPENS: return pra_open_on(p, work);
    case PRA_HIDES: return pra_hide_on(p, work);
    default: return pra_smooth_on(p, work);
    }
}

static cairn_status pra_pause(pra *p, cairn_status status)
{
    size_t bytes = sizeof *p + crn_builder_bytes(&p->builder) + p->path_most * sizeof *p->path +
                   p->marked_most * sizeof *p->marked;
    uint64_t peak = bytes + p->upper.peak + p->lower.peak;
    if (peak > p->search->metrics.peak_bytes) p->search->metrics.peak_bytes = peak;
    return status;
}

cairn_status crn_pra_step(cairn_search *search, uint64_t work)
{
    pra *p = pra_of(search);
    cairn_status status = CAIRN_RUNNING;
    while (work && status == CAIRN_RUNNING) status = pra_go_on(p, &work);
    pra_pause(p, status);
    /* A path that is not the cheapest may cost more than 32 bits hold. */
    if (status == CAIRN_COST_OVERFLOW && !p->builder.given) return crn_search_delegate(search);
    return status;
}

static uint32_t pra_steps(const pra *p)
{
    uint32_t k = (uint32_t)pra_parameter(p, PRA_K), piece = p->search->query.piece;
    if (k || !piece) return k;
    return piece > PRA_PIECE_STEPS ? piece : PRA_PIECE_STEPS;
}

bool crn_pra_handles(const cairn_search *search)
{
    const crn_pra_index *index = search->planner->index;
    return crn_builder_handles(search) && !index->cliques->one_way;
}

cairn_status crn_pra_begin(cairn_search *search)
{
    pra *p = pra_of(search);
    const crn_pra_index *index = search->planner->index;
    p->cliques = index->cliques;
    p->stale = search->planner->built_version != search->version;
    pra_hide(p, SIZE_MAX); /* what a query that was given up has left */
    if (p->part.memory) {
        crn_part_refresh(&p->part);
    } else {
        pra_filter_refresh(&p->filter);
    }
    crn_subsearch_rest(&p->upper);
    crn_subsearch_rest(&p->lower);
    p->path_most = p->marked_most = 0;
    p->steps = pra_steps(p);
    p->ahead = pra_parameter(p, PRA_K) ? 0 : PRA_AHEAD;
    memset(p->ends, 0xff, sizeof p->ends); /* CAIRN_NO_NODE */
    p->milestone = CAIRN_NO_NODE;
    p->since = 0;
    p->power = 1;
    crn_builder_announce(search);
    cairn_status status = crn_builder_begin(&p->builder, search->query.from);
    return pra_pause(p, status == CAIRN_OK ? pra_begin_piece(p) : status);
}

cairn_status crn_pra_next(cairn_search *search)
{
    pra *p = pra_of(search);
    const crn_pra_index *index = search->planner->index;
    p->cliques = index->cliques;
    p->stale = search->planner->built_version != search->version;
    crn_builder_next(&p->builder);
    return pra_pause(p, pra_begin_piece(p));
}
