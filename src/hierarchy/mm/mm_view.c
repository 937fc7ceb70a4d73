/* mm_view.c: packed levels as spaces. See mm_view.h. */
#include "hierarchy/mm/mm_view.h"

#define MM_VIEW_EDGES 256u   /* unpacked at a time: few regions have more */
#define MM_VIEW_COMPARED 16u /* a door whose cost is needed is as much work as this many others */

/* ---- where regions lie ---- */

static const crn_mm_view *view_of(const cairn_space *space)
{
    return (const crn_mm_view *)(const void *)space;
}

/* Where what is known of a node is noted. */
CRN_INLINE crn_mm_note *view_note(const crn_mm_view *view, cairn_node node)
{
    return &view->notes[node % CRN_MM_NOTES];
}

/* Finds where a region of a sector lies, and notes it. The number of its node is given as well. */
CRN_INLINE crn_mm_note *view_find(const crn_mm_view *view, cairn_node node, uint32_t sector,
                                  uint32_t region)
{
    crn_mm_note *note = view_note(view, node);
    for (uint32_t i = 0; i < 2; i++) {
        if (view->ends[i].node != node) continue;
        *note = view->ends[i];
        return note;
    }
    cairn_cell cell = crn_mm_place(view->mm, view->level, sector, region);
    int32_t x = cell.x * CRN_ABSTRACT_UNITS +
                (view->ground->hex && cell.y & 1 ? CRN_ABSTRACT_UNITS / 2 : 0);
    *note = (crn_mm_note){node, x, cell.y * CRN_ABSTRACT_UNITS};
    return note;
}

/* The same where the sector is not known. */
static CRN_NOINLINE crn_mm_note *view_search(const crn_mm_view *view, cairn_node node)
{
    const crn_mm_level *level = &view->mm->levels[view->level];
    uint32_t sector = crn_mm_sector_of(level, node);
    return view_find(view, node, sector, node - level->first[sector]);
}

CRN_INLINE const crn_mm_note *view_locate(const crn_mm_view *view, cairn_node node)
{
    const crn_mm_note *note = view_note(view, node);
    return CRN_LIKELY(note->node == node) ? note : view_search(view, node);
}

/* ---- edges ---- */

/* What is being expanded: edges that are left, and where they leave from. */
typedef struct mm_view_edges {
    crn_mm_edges packed;
    uint32_t number; /* of those that were unpacked */
    uint32_t beside; /* the sector that it leads to */
    uint32_t at;     /* the sector */
    uint32_t direction, region;
} mm_view_edges;

/* Does a region have a single edge? Then no path passes it. Maps of scattered cells have many. */
CRN_INLINE bool mm_view_is_leaf(const crn_mm_level *level, uint32_t sector, uint32_t region)
{
    const uint32_t head = crn_mm_head(level), *first = &level->first[sector];
    const uint8_t *ends = level->bytes.data + level->begin[sector] + head +
                          (size_t)level->width * (first[1] - first[0]);
    /* the lower two bytes tell: no region has more bytes of edges than they hold */
    uint32_t end = crn_mm_number(ends + region * head, 2),
             before = region ? crn_mm_number(ends + region * head - head, 2) : 0;
    return (uint16_t)(end - before) == 1;
}

/* Is there a door that leaves it? */
static CRN_NOINLINE bool mm_view_has_door(const crn_mm_view *view, cairn_node node)
{
    uint32_t i = crn_mm_first_door(view->doors, node);
    return i < view->doors->count && view->doors->items[i].from == node;
}

CRN_INLINE bool mm_view_is_end(const crn_mm_view *view, cairn_node node)
{
    if (CRN_UNLIKELY(view->doors->count) && mm_view_has_door(view, node)) return true;
    return node == view->target || node == view->ends[0].node || node == view->ends[1].node;
}

/* The next edge that counts. */
CRN_INLINE bool mm_view_next(const crn_mm_view *view, mm_view_edges *edges)
{
    const crn_mm_level *level = &view->mm->levels[view->level];
    while (crn_mm_edges_next(&edges->packed, &edges->direction, &edges->region)) {
        edges->number++;
        edges->beside = edges->at + view->beside[edges->direction];
        if (CRN_UNLIKELY(level->one_way)) {
            edges->beside = crn_mm_lead(level, edges->at, edges->direction, &edges->region);
            return true;
        }
        if (CRN_LIKELY(!mm_view_is_leaf(level, edges->beside, edges->region)) ||
            mm_view_is_end(view, level->first[edges->beside] + edges->region))
            return true;
    }
    return false;
}

/* What it costs to go to a link, along it, and on. */
static cairn_cost mm_view_door_cost(const crn_mm_view *view, const cairn_node ends[2],
                                    const crn_space_link *link)
{
    const crn_mm_note from = *view_locate(view, ends[0]), to = *view_locate(view, ends[1]);
    int32_t x, y;
    crn_abstract_position(&view->ground->base, link->from, &x, &y);
    uint64_t cost = link->cost + crn_metric_distance(view->metric, from.x, from.y, x, y);
    crn_abstract_position(&view->ground->base, link->to, &x, &y);
    return crn_saturate(cost + crn_metric_distance(view->metric, x, y, to.x, to.y));
}

/* Appends the doors of a node, after this many of them. */
static CRN_NOINLINE uint32_t mm_view_expand_doors(const crn_mm_view *view, cairn_node node,
                                                  uint32_t first, cairn_edge *out,
                                                  uint32_t capacity)
{
    const crn_mm_doors *doors = view->doors;
    uint32_t written = 0;
    for (uint32_t i = crn_mm_first_door(doors, node) + first;
         written < capacity && i < doors->count && doors->items[i].from == node; i++) {
        const crn_mm_door *door = &doors->items[i];
        cairn_cost cost = mm_view_door_cost(view, (const cairn_node[]){node, door->to},
                                            &view->ground->links.links[door->link]);
        out[written++] = (cairn_edge){door->to, cost};
    }
    return written;
}

/* Edges that are written: after the first ones, and so many. */
typedef struct mm_view_batch {
    uint32_t first; /* those that are left to be skipped */
    cairn_edge *out;
    uint32_t capacity;
} mm_view_batch;

/* What the path of an edge costs where one of the regions is taken to lie elsewhere. */
static CRN_NOINLINE uint64_t mm_view_end_cost(const crn_mm_view *view, cairn_node node,
                                              const mm_view_edges *edges, cairn_cost stored)
{
    const crn_mm_level *level = &view->mm->levels[view->level];
    const crn_mm_note from = *view_locate(view, node),
                      to = *view_locate(view, level->first[edges->beside] + edges->region);
    int32_t at[2][2];
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t sector = i ? edges->beside : edges->at,
                 region = i ? edges->region : node - level->first[edges->at];
        crn_abstract_position(&view->ground->base,
                              crn_mm_cell(view->mm, view->ground, view->level, sector, region),
                              &at[i][0], &at[i][1]);
    }
    uint64_t apart = crn_metric_distance(view->metric, at[0][0], at[0][1], at[1][0], at[1][1]);
    return crn_metric_distance(view->metric, from.x, from.y, to.x, to.y) +
           (stored > apart ? stored - apart : 0);
}

/* The cost of an edge whose path is stored. */
CRN_INLINE uint64_t mm_view_stored(const crn_mm_view *view, cairn_node node,
                                   const mm_view_edges *edges, const cairn_cost *costs)
{
    cairn_cost stored = costs[edges->number - 1];
    cairn_node to = view->mm->levels[0].first[edges->beside] + edges->region;
    bool moved = node == view->ends[0].node || to == view->ends[0].node ||
                 node == view->ends[1].node || to == view->ends[1].node;
    return CRN_UNLIKELY(moved) ? mm_view_end_cost(view, node, edges, stored) : stored;
}

/* The edges but doors. `stored`: paths are. */
CRN_INLINE uint32_t mm_view_expand_steps(const crn_mm_view *view, cairn_node node,
                                         mm_view_batch *batch, bool stored)
{
    const crn_mm_level *level = &view->mm->levels[view->level];
    const crn_mm_note from = *view_locate(view, node);
    const crn_metric metric = view->metric;
    const uint32_t *regions = level->first, units = view->side * CRN_ABSTRACT_UNITS;
    uint32_t column = (uint32_t)from.x / units, row = (uint32_t)from.y / units;
    uint32_t at = row * level->columns + column, written = 0;
    crn_mm_sector sector = crn_mm_sector_at(level, at);
    mm_view_edges edges = {.at = at};
    edges.packed = crn_mm_edges_of(&sector, node - regions[at]);
    const cairn_cost *costs =
        stored ? crn_mm_costs_of(&view->mm->paths, at, node - regions[at]) : NULL;
    while (batch->first && mm_view_next(view, &edges)) batch->first--;
    while (written < batch->capacity && mm_view_next(view, &edges)) {
        cairn_node to = regions[edges.beside] + edges.region;
        const crn_mm_note *note = view_note(view, to);
        if (CRN_UNLIKELY(note->node != to)) note = view_find(view, to, edges.beside, edges.region);
        uint64_t cost = stored ? mm_view_stored(view, node, &edges, costs)
                               : crn_metric_distance(metric, from.x, from.y, note->x, note->y);
        batch->out[written++] = (cairn_edge){to, crn_saturate(cost)};
    }
    return written;
}

CRN_INLINE uint32_t mm_view_expand_all(const crn_mm_view *view, cairn_node node,
                                       mm_view_batch *batch, bool stored)
{
    uint32_t written = mm_view_expand_steps(view, node, batch, stored);
    if (CRN_UNLIKELY(view->doors->count) && written < batch->capacity)
        written += mm_view_expand_doors(view, node, batch->first, batch->out + written,
                                        batch->capacity - written);
    return written;
}

static uint32_t mm_view_expand(const cairn_space *space, cairn_node node, uint32_t first,
                               cairn_edge *out, uint32_t capacity)
{
    mm_view_batch batch = {first, out, capacity};
    return mm_view_expand_all(view_of(space), node, &batch, false);
}

static uint32_t mm_view_expand_stored(const cairn_space *space, cairn_node node, uint32_t first,
                                      cairn_edge *out, uint32_t capacity)
{
    mm_view_batch batch = {first, out, capacity};
    return mm_view_expand_all(view_of(space), node, &batch, true);
}

/* Is there an edge between two regions, not a door, that costs less than this? */
static bool mm_view_has_step(const crn_mm_view *view, const cairn_node ends[2], cairn_cost least)
{
    cairn_edge edges[MM_VIEW_EDGES];
    uint32_t count, seen = 0;
    do {
        mm_view_batch batch = {seen, edges, MM_VIEW_EDGES};
        count = mm_view_expand_steps(view, ends[0], &batch, view->mm->stored && !view->level);
        for (uint32_t i = 0; i < count; i++)
            if (edges[i].node == ends[1] && edges[i].cost < least) return true;
        seen += count;
    } while (count == MM_VIEW_EDGES);
    return false;
}

bool crn_mm_view_link_on(const crn_mm_view *view, const cairn_node ends[2], crn_mm_scan *scan,
                         uint32_t *left)
{
    const crn_mm_doors *doors = view->doors;
    cairn_cost least = scan->link ? mm_view_door_cost(view, ends, scan->link) : CAIRN_NO_COST;
    uint32_t i = crn_mm_first_door(doors, ends[0]) + scan->tested;
    for (; i < doors->count && doors->items[i].from == ends[0]; i++, scan->tested++) {
        bool leads = doors->items[i].to == ends[1];
        if (!*left) return false;
        *left -= crn_min_u32(leads ? MM_VIEW_COMPARED : 1, *left);
        if (!leads) continue;
        const crn_space_link *link = &view->ground->links.links[doors->items[i].link];
        cairn_cost cost = mm_view_door_cost(view, ends, link);
        if (cost >= least) continue;
        least = cost;
        scan->link = link;
    }
    if (scan->link && mm_view_has_step(view, ends, least)) scan->link = NULL;
    return true;
}

static bool mm_view_usable(const cairn_space *space, cairn_node node)
{
    return node < space->node_count;
}

static cairn_position mm_view_position(const cairn_space *space, cairn_node node)
{
    const crn_mm_note *note = view_locate(view_of(space), node);
    return (cairn_position){note->x, note->y, 0};
}

static cairn_cost mm_view_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                   cairn_node node, const crn_box *box)
{
    const crn_mm_view *view = view_of(space);
    if (heuristic == CAIRN_HEURISTIC_NULL || CRN_UNLIKELY(view->blind)) return 0;
    const crn_mm_note *note = view_locate(view, node);
    if (CRN_UNLIKELY(view->gates))
        return crn_saturate(
            crn_metric_bound(view->metric, view->gates, (const int32_t[]){note->x, note->y},
                             (const int32_t[]){(int32_t)box->x0, (int32_t)box->y0}));
    return crn_saturate(
        crn_metric_distance(view->metric, note->x, note->y, (int32_t)box->x0, (int32_t)box->y0));
}

static uint64_t mm_view_version(const cairn_space *space)
{
    return cairn_space_version(&view_of(space)->ground->base);
}

#define MM_VIEW_FUNCTIONS \
    .usable = mm_view_usable, .position = mm_view_position, .estimate = mm_view_estimate, \
    .version = mm_view_version

static const crn_space_functions mm_view_functions = {.expand = mm_view_expand, MM_VIEW_FUNCTIONS},
                                 mm_view_stored_functions = {.expand = mm_view_expand_stored,
                                                             MM_VIEW_FUNCTIONS};

void crn_mm_view_open(crn_mm_view *view, const crn_mm *mm, const crn_grid_space *ground,
                      uint32_t level, crn_mm_note *notes)
{
    *view = (crn_mm_view){.mm = mm, .ground = ground, .level = level, .notes = notes};
    view->side = mm->side;
    for (uint32_t i = 0; i < level; i++) view->side *= CRN_MM_UPPER_SIDE;
    view->base.functions = mm->stored && !level ? &mm_view_stored_functions : &mm_view_functions;
    view->base.context = ground->base.context;
    view->base.world = CRN_WORLD_ABSTRACT;
    view->base.scale = ground->base.scale;
    view->base.default_heuristic = CAIRN_HEURISTIC_OCTILE;
    view->base.min_edge = view->base.max_edge = view->base.max_step = 1;
}

/* Edges are about as long as a sector, so buckets of about that width do well. */
void crn_mm_view_refresh(crn_mm_view *view)
{
    const crn_mm *mm = view->mm;
    uint64_t side = view->side;
    view->metric = crn_metric_of(&view->ground->base);
    view->ends[0].node = view->ends[1].node = CAIRN_NO_NODE;
    view->target = CAIRN_NO_NODE;
    view->doors = &mm->doors[view->level];
    view->gates = NULL;
    view->blind = false;
    memset(view->notes, 0xff, CRN_MM_NOTES * sizeof *view->notes); /* CAIRN_NO_NODE */
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        view->beside[d] =
            (uint32_t)crn_dy[d] * mm->levels[view->level].columns + (uint32_t)crn_dx[d];
    }
    view->base.node_count = crn_mm_node_count(&mm->levels[view->level]);
    view->base.min_edge = crn_saturate(view->metric.straight * side / 4);
    uint64_t most = 4 * side * view->metric.straight;
    if (view->doors->count) most += view->ground->links.costliest;
    if (mm->stored && !view->level) most += crn_mm_most_cost(&mm->paths);
    view->base.max_edge = view->base.max_step = crn_saturate(most);
    if (mm->stored && !view->level)
        view->base.min_edge = crn_abstract_least(view->base.min_edge, view->base.max_edge);
}

void crn_mm_view_aim(crn_mm_view *view, cairn_node node, cairn_node cell, crn_metric_gates *gates)
{
    view->target = node;
    view->gates = NULL;
    view->blind = false;
    if (!view->doors->count || !view->ground->links.shortcut_count) return;
    view->blind = crn_metric_open_gates(&view->ground->base, cell, gates);
    if (gates->count) view->gates = gates;
}

void crn_mm_view_place(crn_mm_view *view, uint32_t end, cairn_node node, cairn_node cell)
{
    crn_mm_note *note = &view->ends[end];
    note->node = node;
    crn_abstract_position(&view->ground->base, cell, &note->x, &note->y);
    *view_note(view, node) = *note;
}
