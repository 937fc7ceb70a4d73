/* view.c: spaces with a patch on top. See view.h. */
#include "world/view.h"
#include "core/hash.h"
#include "world/changes.h"
#include <math.h>

static crn_view *view_edited(cairn_space *space)
{
    return (crn_view *)(void *)space;
}

/* ---- edges ---- */

/* Edges found, of which the first `skip` are not wanted. */
typedef struct view_edges {
    cairn_edge *out;
    uint32_t skip, count, capacity;
} view_edges;

/* A cost of 0 means that there is no edge. */
static void view_add(view_edges *edges, cairn_node node, cairn_cost cost)
{
    if (!cost || edges->count == edges->capacity) return;
    if (edges->skip) {
        edges->skip--;
    } else {
        edges->out[edges->count++] = (cairn_edge){node, cost};
    }
}

static bool view_usable(const cairn_space *space, cairn_node node)
{
    const crn_view *view = crn_view_of(space);
    cairn_cell cell = cairn_grid_cell(view->ground->grid, node);
    return crn_patch_usable(&view->patch, cell.x, cell.y);
}

/* Links that leave the node (or lead to it), of the ground where both ends can still be used, and
 * of the view. */
static void view_add_links(const crn_view *view, cairn_node node, bool back, view_edges *edges)
{
    const crn_links *links = &view->ground->links;
    uint32_t first = back ? crn_links_first_arrival(links, node) : crn_links_first(links, node);
    if (!view_usable(&view->base, node)) return;
    for (uint32_t i = first; i < links->count; i++) {
        const crn_space_link *link = &links->links[back ? links->arrivals[i].link : i];
        cairn_node other = back ? link->from : link->to;
        if ((back ? link->to : link->from) != node) break;
        if (view_usable(&view->base, other)) view_add(edges, other, link->cost);
    }
    for (uint32_t i = 0; i < view->more_count; i++) {
        const crn_space_link *link = &view->more[i];
        if ((back ? link->to : link->from) == node)
            view_add(edges, back ? link->from : link->to, link->cost);
    }
}

/* Edges of a node near the patch, or of any node if there are links. */
static uint32_t view_look(const crn_view *view, cairn_node node, bool back, view_edges *edges)
{
    uint32_t width = view->ground->grid->width;
    crn_patch_steps steps;
    crn_patch_look(&view->patch, node % width, node / width, &steps);
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        cairn_node other = (cairn_node)((int64_t)node + (int64_t)crn_dy[d] * width + crn_dx[d]);
        view_add(edges, other, back ? steps.in[d] : steps.out[d]);
    }
    if (view->ground->grid->link_count) view_add_links(view, node, back, edges);
    return edges->count;
}

/* Are the edges of the node those of the ground? An agent without a size minds the cells round it
 * only. */
static bool view_is_ground(const crn_view *view, cairn_node node)
{
    uint32_t width = view->ground->grid->width, x = node % width, y = node / width;
    if (view->ground->grid->link_count) return false;
    if (!crn_patch_touches(&view->patch, x, y)) return true;
    return !view->ground->sized && !view->patch.table && !crn_patch_near(&view->patch, x, y);
}

static uint32_t view_expand(const cairn_space *space, cairn_node node, uint32_t first,
                            cairn_edge *out, uint32_t capacity)
{
    const crn_view *view = crn_view_of(space);
    const cairn_space *ground = &view->ground->base;
    if (view_is_ground(view, node))
        return ground->functions->expand(ground, node, first, out, capacity);
    return view_look(view, node, false, &(view_edges){out, first, 0, capacity});
}

static uint32_t view_expand_back(const cairn_space *space, cairn_node node, uint32_t first,
                                 cairn_edge *out, uint32_t capacity)
{
    const crn_view *view = crn_view_of(space);
    const cairn_space *ground = &view->ground->base;
    if (view_is_ground(view, node))
        return ground->functions->expand_back(ground, node, first, out, capacity);
    return view_look(view, node, true, &(view_edges){out, first, 0, capacity});
}

static uint32_t view_next_to(const cairn_space *space, cairn_node goal, uint32_t *at,
                             cairn_node *out)
{
    const crn_view *view = crn_view_of(space);
    const cairn_grid *grid = view->ground->grid;
    cairn_cell cell = cairn_grid_cell(grid, goal);
    uint32_t count = 0;
    *at = UINT32_MAX;
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        int32_t x = cell.x - crn_dx[d], y = cell.y - crn_dy[d];
        if (!cairn_grid_inside(grid, x, y)) continue;
        if (crn_patch_could_step(&view->patch, (uint32_t)x, (uint32_t)y, d))
            out[count++] = cairn_grid_node(grid, x, y);
    }
    return count;
}

/* ---- places and estimates ---- */

static cairn_position view_position(const cairn_space *space, cairn_node node)
{
    return cairn_space_position(crn_view_ground(space), node);
}

static cairn_node view_node_at(const cairn_space *space, cairn_position position)
{
    return cairn_space_node_at(crn_view_ground(space), position);
}

/* Costs only rise, and the cheapest ground counts blocked cells too: what holds below holds here.
 */
static cairn_cost view_estimate(const cairn_space *space, cairn_heuristic heuristic,
                                cairn_node node, const crn_box *box)
{
    const crn_view *view = crn_view_of(space);
    const cairn_space *ground = &view->ground->base;
    if (view->blind) return 0;
    cairn_cost estimate = ground->functions->estimate(ground, heuristic, node, box);
    if (!view->share[1]) return estimate;
    return (cairn_cost)((uint64_t)estimate * view->share[0] / view->share[1]);
}

static bool view_admissible(const cairn_space *space, cairn_heuristic heuristic)
{
    return cairn_heuristic_admissible(crn_view_ground(space), heuristic);
}

/* A link that only the view has is no shortcut (or all estimates are 0), and edges cost at least
 * what they cost below: no estimate falls by more. */
static bool view_consistent(const cairn_space *space, cairn_heuristic heuristic)
{
    return crn_heuristic_consistent(crn_view_ground(space), heuristic);
}

static bool view_uniform(const cairn_space *space)
{
    const crn_view *view = crn_view_of(space);
    return !view->extra && !view->patch.table && crn_space_uniform(&view->ground->base);
}

static void view_box_add(const cairn_space *space, cairn_node node, crn_box *box)
{
    crn_box_add(box, crn_view_ground(space), node);
}

static uint32_t view_within(const cairn_space *space, cairn_node goal, double radius, uint32_t *at,
                            cairn_node *out)
{
    return crn_space_within(crn_view_ground(space), goal, radius, at, out);
}

static uint64_t view_version(const cairn_space *space)
{
    const crn_view *view = crn_view_of(space);
    return cairn_space_version(&view->ground->base) + view->edits;
}

static size_t view_bytes(const cairn_space *space)
{
    const crn_view *view = crn_view_of(space);
    return sizeof *view + view->capacity * sizeof *view->cells +
           view->more_capacity * sizeof *view->more;
}

/* In cells, from centre to centre. */
static double view_length(const cairn_space *space, const crn_path_sums *sums)
{
    double length = 0, size = cairn_grid_cell_size(crn_view_of(space)->ground->grid);
    for (size_t i = 1; i < sums->node_count; i++) {
        cairn_position a = view_position(space, sums->nodes[i - 1]),
                       b = view_position(space, sums->nodes[i]);
        length += sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)) / size;
    }
    return length;
}

static uint64_t view_hash(const cairn_space *space, uint64_t hash)
{
    const crn_view *view = crn_view_of(space);
    for (uint32_t i = 0; i < view->patch.count; i++) {
        const crn_patch_cell *cell = &view->cells[i];
        hash = crn_hash_word(hash, (uint64_t)cell->node << 32 | cell->extra);
        hash = crn_hash_word(hash, cell->mode);
    }
    return crn_grid_hash(&view->ground->base, hash);
}

/* ---- components ---- */

static uint64_t view_component(const cairn_space *space, cairn_node node)
{
    const crn_view *view = crn_view_of(space);
    return view->opened ? 1 : cairn_space_component(&view->ground->base, node);
}

static bool view_directed(const cairn_space *space)
{
    (void)space;
    return true; /* of the same component means maybe */
}

/* Both ends of every edge are in one set. */
static void view_unite(const cairn_space *space, uint32_t *set)
{
    enum { BATCH = 16 };
    cairn_edge edges[BATCH];
    for (cairn_node node = 0; node < space->node_count; node++) set[node] = node;
    for (cairn_node node = 0; node < space->node_count; node++) {
        for (uint32_t first = 0, count = BATCH; count == BATCH; first += count) {
            count = view_expand(space, node, first, edges, BATCH);
            for (uint32_t i = 0; i < count; i++) crn_set_unite(set, node, edges[i].node);
        }
    }
}

static bool view_components(const cairn_space *space, uint32_t *count, uint32_t *largest)
{
    size_t size = crn_mul_size(space->node_count, sizeof(uint32_t));
    uint32_t *set = crn_alloc(space->context, size), *nodes = crn_alloc_zero(space->context, size);
    bool ok = set && nodes;
    if (ok) view_unite(space, set);
    for (cairn_node node = 0; ok && node < space->node_count; node++) {
        if (!view_usable(space, node)) continue;
        uint32_t root = crn_set_find(set, node);
        *count += nodes[root]++ == 0;
        *largest = crn_max_u32(*largest, nodes[root]);
    }
    crn_free(space->context, set, size);
    crn_free(space->context, nodes, size);
    return ok;
}

/* ---- checking and changes ---- */

/* Does an edge lead from `node` to `to` at this cost, seen from its end? */
static bool view_leads_back(const cairn_space *space, cairn_node node, cairn_edge edge)
{
    cairn_edge back;
    for (uint32_t i = 0; view_expand_back(space, edge.node, i, &back, 1); i++) {
        if (back.node == node && back.cost == edge.cost) return true;
    }
    return false;
}

static uint64_t view_validate(const cairn_space *space, cairn_fault_report *report, void *user)
{
    uint64_t faults = cairn_space_validate(crn_view_ground(space), report, user);
    for (cairn_node node = 0; node < space->node_count; node++) {
        cairn_edge edge;
        for (uint32_t i = 0; view_expand(space, node, i, &edge, 1); i++) {
            bool usable = view_usable(space, node) && view_usable(space, edge.node);
            if (usable && edge.cost <= space->max_edge && view_leads_back(space, node, edge))
                continue;
            if (report) report(user, node, edge.node, "an edge of the view cannot be walked");
            faults++;
        }
    }
    return faults;
}

static cairn_status view_changes(const cairn_space *space, uint64_t since,
                                 cairn_node_report *report, void *user)
{
    const crn_view *view = crn_view_of(space);
    cairn_node nodes[CRN_VIEW_EDITS];
    uint32_t count = 0;
    for (uint64_t left = view->edits; left; left--) {
        const crn_view_edit *edit = &view->remembered[left % CRN_VIEW_EDITS];
        if (view->edits - left == CRN_VIEW_EDITS) return CAIRN_STALE;
        if (edit->version <= since) break;
        nodes[count++] = edit->node;
    }
    /* Of the versions up to `since` this many were made by edits of the view, the others by the
     * ground. */
    uint64_t own = view->edits - count;
    if (since < own) return CAIRN_STALE;
    crn_changes_near near = {since - own, nodes, count};
    return crn_grid_changes_near(view->ground, &near, report, user);
}

/* ---- the patch ---- */

static void view_learn_cell(crn_view *view, crn_patch_cell *cell)
{
    cell->state = crn_grid_state(view->ground->grid, cell->node);
    if (cell->mode != CRN_VIEW_AS_IS) cell->state.open = cell->mode == CRN_VIEW_OPEN;
}

/* Would the link be used in the view, but not in the ground? */
static bool view_gains(const crn_view *view, const cairn_link *link)
{
    const cairn_space *ground = &view->ground->base;
    if (cairn_space_usable(ground, link->from) && cairn_space_usable(ground, link->to))
        return false;
    return crn_links_allowed(view->ground, link) && view_usable(&view->base, link->from) &&
           view_usable(&view->base, link->to);
}

static void view_add_more(crn_view *view, const cairn_link *link)
{
    cairn_cost cost = crn_links_price(view->ground, link);
    crn_space_link *last = view->more_count ? &view->more[view->more_count - 1] : NULL;
    if (last && last->from == link->from && last->to == link->to) {
        last->cost = crn_min_u32(last->cost, cost); /* links of a pair stand side by side */
    } else {
        view->more[view->more_count++] = (crn_space_link){link->from, link->to, cost, link->id, 0};
    }
}

/* What follows from other prices. Let each step cost at least k ≤ 1 times what it costs on the
 * cheapest ground below. A consistent estimate h below never falls by more than that cost, so k·h
 * never falls by more than the step costs here; rounded down neither, since costs are whole. Links
 * cost what they cost below. */
static void view_learn_table(crn_view *view)
{
    const crn_patch_table *table = view->patch.table;
    const cairn_cost *step = view->ground->step;
    uint64_t straight = (uint64_t)table->least[0] * step[CRN_NE],
             diagonal = (uint64_t)table->least[1] * step[CRN_N];
    uint32_t d = straight <= diagonal ? 0 : 1;
    cairn_cost below = step[d ? CRN_NE : CRN_N];
    if (table->least[d] < below) {
        view->share[0] = table->least[d];
        view->share[1] = below;
    }
    view->base.min_edge = crn_min_u32(view->base.min_edge, table->least[0]);
    view->base.max_step = crn_edge_cost((uint64_t)view->base.max_step + table->most);
    view->base.max_edge = crn_max_u32(view->base.max_edge, view->base.max_step);
}

/* Everything that follows from the cells and the ground. There is room in `more` for every link
 * of the grid if a cell is opened. */
void crn_view_learn(crn_view *view)
{
    const crn_grid_space *ground = view->ground;
    const cairn_grid *grid = ground->grid;
    cairn_cost costliest = 0;
    view->extra = 0;
    view->opened = 0;
    for (uint32_t i = 0; i < view->patch.count; i++) {
        view_learn_cell(view, &view->cells[i]);
        view->extra = crn_max_u32(view->extra, view->cells[i].extra);
        view->opened += view->cells[i].mode == CRN_VIEW_OPEN;
    }
    view->patch.cells = view->cells;
    crn_patch_bound(&view->patch);
    view->more_count = 0;
    view->blind = false;
    for (uint32_t i = 0; view->opened && i < grid->link_count; i++) {
        if (view_gains(view, &grid->links[i])) view_add_more(view, &grid->links[i]);
    }
    for (uint32_t i = 0; i < view->more_count; i++) {
        const crn_space_link *link = &view->more[i];
        crn_box box = crn_box_empty();
        crn_box_add(&box, &ground->base, link->to);
        costliest = crn_max_u32(costliest, link->cost);
        view->blind |= link->cost < ground->base.functions->estimate(&ground->base,
                                                                     ground->base.default_heuristic,
                                                                     link->from, &box);
    }
    view->base.max_step = crn_edge_cost((uint64_t)ground->base.max_step + view->extra);
    view->base.max_edge =
        crn_max_u32(crn_max_u32(view->base.max_step, ground->base.max_edge), costliest);
    view->base.min_edge = ground->base.min_edge;
    view->share[0] = view->share[1] = 0;
    if (view->patch.table) view_learn_table(view);
    view->base.default_heuristic = ground->base.default_heuristic;
    view->base.scale = ground->base.scale;
}

static bool view_reserve_more(crn_view *view, uint32_t link_count)
{
    void *more = view->more;
    bool ok =
        crn_grow(view->base.context, &more, &view->more_capacity, link_count, sizeof *view->more);
    view->more = more;
    return ok;
}

bool crn_views_prepare(crn_grid_space *ground, uint32_t link_count)
{
    for (crn_view *view = ground->views; view; view = view->next) {
        if (view->opened && !view_reserve_more(view, link_count)) return false;
    }
    return true;
}

void crn_views_refresh(crn_grid_space *ground)
{
    for (crn_view *view = ground->views; view; view = view->next) crn_view_learn(view);
}

/* Where a cell stands among those of the patch, or would stand. */
static uint32_t view_place(const crn_view *view, cairn_node node)
{
    return (uint32_t)crn_lower_bound(view->cells, view->patch.count, node);
}

static void view_remember(crn_view *view, cairn_node node)
{
    view->edits++;
    view->remembered[view->edits % CRN_VIEW_EDITS] =
        (crn_view_edit){view_version(&view->base), node};
}

/* Puts a cell into the patch, or takes it out if it is what it is in the grid. */
static cairn_status view_set(crn_view *view, cairn_node node, uint8_t mode, cairn_cost extra)
{
    uint32_t at = view_place(view, node), count = view->patch.count;
    bool there = at < count && view->cells[at].node == node,
         wanted = mode != CRN_VIEW_AS_IS || extra;
    if (there ? view->cells[at].mode == mode && view->cells[at].extra == extra : !wanted)
        return CAIRN_OK;
    if (mode == CRN_VIEW_OPEN && !view_reserve_more(view, view->ground->grid->link_count)) {
        return CAIRN_OUT_OF_MEMORY;
    }
    void *cells = view->cells;
    bool ok = crn_grow(view->base.context, &cells, &view->capacity, (size_t)count + 1,
                       sizeof *view->cells);
    view->cells = cells;
    view->patch.cells = cells;
    if (!ok) return CAIRN_OUT_OF_MEMORY;
    size_t behind = (count - at - there) * sizeof *view->cells;
    memmove(view->cells + at + wanted, view->cells + at + there, behind);
    if (wanted) view->cells[at] = (crn_patch_cell){.node = node, .mode = mode, .extra = extra};
    view->patch.count = count + wanted - there;
    view_remember(view, node);
    crn_view_learn(view);
    return CAIRN_OK;
}

static cairn_status view_check(const cairn_space *space, cairn_node node)
{
    if (!space || space->world != CAIRN_WORLD_VIEW) return CAIRN_INVALID;
    return node < space->node_count ? CAIRN_OK : CAIRN_OUT_OF_BOUNDS;
}

static const crn_patch_cell *view_cell(const crn_view *view, cairn_node node)
{
    static const crn_patch_cell none = {0};
    const crn_patch_cell *cell = crn_patch_find(&view->patch, node);
    return cell ? cell : &none;
}

cairn_status cairn_view_block(cairn_space *view, cairn_node node)
{
    cairn_status status = view_check(view, node);
    if (status != CAIRN_OK) return status;
    return view_set(view_edited(view), node, CRN_VIEW_BLOCKED,
                    view_cell(view_edited(view), node)->extra);
}

cairn_status cairn_view_open(cairn_space *view, cairn_node node)
{
    cairn_status status = view_check(view, node);
    if (status != CAIRN_OK) return status;
    return view_set(view_edited(view), node, CRN_VIEW_OPEN,
                    view_cell(view_edited(view), node)->extra);
}

cairn_status cairn_view_cost(cairn_space *view, cairn_node node, uint32_t extra)
{
    cairn_status status = view_check(view, node);
    if (status != CAIRN_OK) return status;
    uint64_t cost = (uint64_t)view->scale.straight * extra / 256;
    return view_set(view_edited(view), node, view_cell(view_edited(view), node)->mode,
                    crn_saturate(cost));
}

cairn_status cairn_view_restore(cairn_space *view, cairn_node node)
{
    cairn_status status = view_check(view, node);
    return status == CAIRN_OK ? view_set(view_edited(view), node, CRN_VIEW_AS_IS, 0) : status;
}

cairn_status cairn_view_clear(cairn_space *space)
{
    if (!space || space->world != CAIRN_WORLD_VIEW) return CAIRN_INVALID;
    crn_view *view = view_edited(space);
    for (uint32_t i = 0; i < view->patch.count; i++) view_remember(view, view->cells[i].node);
    view->patch.count = 0;
    crn_view_learn(view);
    return CAIRN_OK;
}

uint32_t cairn_view_count(const cairn_space *space)
{
    const crn_view *view = space ? crn_view_of(space) : NULL;
    return view ? view->patch.count : 0;
}

/* ---- life ---- */

static void view_destroy(cairn_space *space)
{
    crn_view *view = view_edited(space), **link = &view->ground->views;
    while (*link && *link != view) link = &(*link)->next;
    if (*link) *link = view->next;
    cairn_space *ground = &view->ground->base;
    crn_free(space->context, view->more, view->more_capacity * sizeof *view->more);
    crn_free(space->context, view->cells, view->capacity * sizeof *view->cells);
    crn_free(space->context, view, sizeof *view);
    cairn_space_destroy(ground); /* lets go of it */
}

static const crn_space_functions view_functions = {
    .plural = "views",
    .destroy = view_destroy,
    .expand = view_expand,
    .usable = view_usable,
    .position = view_position,
    .node_at = view_node_at,
    .estimate = view_estimate,
    .version = view_version,
    .validate = view_validate,
    .bytes = view_bytes,
    .component = view_component,
    .directed = view_directed,
    .nearest = crn_space_scan_nearest,
    .pick = crn_space_scan_pick,
    .components = view_components,
    .box_add = view_box_add,
    .admissible = view_admissible,
    .consistent = view_consistent,
    .uniform = view_uniform,
    .length = view_length,
    .next_to = view_next_to,
    .within = view_within,
    .hash = view_hash,
    .expand_back = view_expand_back,
    .changes = view_changes,
};

const crn_space_link *crn_view_link_used(const crn_view *view, cairn_node a, cairn_node b)
{
    const crn_space_link *link = crn_links_between(&view->ground->links, a, b);
    uint32_t width = view->ground->grid->width;
    crn_patch_steps steps;
    if (!link) return NULL;
    crn_patch_look(&view->patch, a % width, a / width, &steps);
    for (uint32_t d = 0; d < CRN_DIRECTIONS; d++) {
        int64_t to = (int64_t)a + (int64_t)crn_dy[d] * width + crn_dx[d];
        if (to == (int64_t)b && steps.out[d] && steps.out[d] <= link->cost) return NULL;
    }
    return link;
}

void crn_view_init(crn_view *view, crn_grid_space *ground)
{
    *view = (crn_view){.ground = ground};
    view->patch.space = ground;
    view->base.functions = &view_functions;
    view->base.context = ground->base.context;
    view->base.world = CAIRN_WORLD_VIEW;
    view->base.placed = ground->base.placed;
    view->base.node_count = ground->base.node_count;
}

cairn_status cairn_space_view_create(cairn_space *space, cairn_space **out, cairn_error *error)
{
    if (out) *out = NULL;
    if (!space || !out) {
        return crn_fail(error, CAIRN_INVALID, 0, "a view needs a space and a place for the result");
    }
    if (space->world != CAIRN_WORLD_GRID) {
        return crn_fail(error, CAIRN_UNSUPPORTED, 0, "a view needs a space of a grid");
    }
    crn_view *view = crn_alloc(space->context, sizeof *view);
    if (!view) return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0, "no memory for a view");
    crn_view_init(view, (crn_grid_space *)(void *)space);
    view->next = view->ground->views;
    view->ground->views = view;
    crn_hold(&space->holders);
    crn_view_learn(view);
    *out = &view->base;
    return CAIRN_OK;
}

const cairn_space *cairn_view_space(const cairn_space *view)
{
    return view && view->world == CAIRN_WORLD_VIEW ? crn_view_ground(view) : NULL;
}
