/* changes.c: what commits changed. See changes.h.
 *
 * The nodes of a grid whose edges differ. The grid remembers what each edited cell was, so the
 * world as it was is the present one with a patch of old cells (patch.h). Only nodes near a cell
 * that the agent sees a difference in can have other edges: those that need the cell for their
 * size, and one more all round, for steps along and past it. They are gathered as pieces of rows,
 * sorted, and each node's steps are compared with those in the patched world. Links are few: what
 * led from one cell to another then is what does now, without the links added since and with
 * those taken away.
 */
#include "world/changes.h"
#include "world/graph.h"
#include "world/patch.h"

/* ---- edited cells ---- */

CRN_INLINE const crn_commit *changes_commit(const cairn_grid *grid, uint64_t version)
{
    const crn_commit *commit = &grid->commits[version % CRN_COMMITS_KEPT];
    return commit->changes && commit->version == version ? commit : NULL;
}

cairn_status crn_edits_begin(crn_edits *edits, const cairn_grid *grid, uint64_t since)
{
    static const crn_commit none = {0};
    *edits = (crn_edits){.grid = grid, .commit = &none, .version = since};
    for (uint64_t version = grid->version; version > since; version--) { /* ends with the first */
        edits->commit = changes_commit(grid, version);
        if (!edits->commit) return CAIRN_STALE;
        edits->version = version;
        edits->links |= edits->commit->links_changed;
    }
    return CAIRN_OK;
}

bool crn_edits_turn(crn_edits *edits)
{
    while (edits->version < edits->grid->version) {
        edits->commit = changes_commit(edits->grid, ++edits->version);
        edits->next = 0;
        if (edits->commit->count) return true;
    }
    return false;
}

const cairn_link *crn_link_edits_next(crn_link_edits *edits)
{
    for (; edits->version <= edits->grid->version; edits->version++, edits->next = 0) {
        const crn_commit *commit = changes_commit(edits->grid, edits->version);
        if (edits->next < commit->link_change_count)
            return &commit->link_changes[edits->next++].link;
    }
    return NULL;
}

/* ---- the world as it was ---- */

/* Nodes of a row, both ends inclusive. */
typedef struct changes_run {
    uint32_t y, left, right;
} changes_run;

/* A link as it matters: what it costs this agent, and how often it was there then and is now. */
typedef struct changes_link {
    cairn_node from, to;
    cairn_cost price;
    int32_t then, now;
} changes_link;

typedef struct changes_job {
    const crn_grid_space *space;
    crn_patch then, now;
    crn_patch_cell *cells; /* of `then` */
    size_t cell_count, cell_capacity;
    changes_run *runs;
    size_t run_count, run_capacity;
    changes_link *links;
    size_t link_count, link_capacity;
    cairn_node *ends; /* of links that differ */
    size_t end_count, end_capacity;
    bool loose; /* all nodes near an edited cell count, whether they differ or not */
} changes_job;

static void changes_close(changes_job *job)
{
    cairn_context *context = job->space->base.context;
    crn_free(context, job->cells, job->cell_capacity * sizeof *job->cells);
    crn_free(context, job->runs, job->run_capacity * sizeof *job->runs);
    crn_free(context, job->links, job->link_capacity * sizeof *job->links);
    crn_free(context, job->ends, job->end_capacity * sizeof *job->ends);
}

static bool changes_allows(const crn_grid_space *space, const cairn_cell_state *state)
{
    return state->open && space->profile.terrain_cost[state->terrain];
}

/* Does the agent see a difference? */
static bool changes_matter(const crn_grid_space *space, const cairn_cell_state *a,
                           const cairn_cell_state *b)
{
    const cairn_profile *profile = &space->profile;
    bool allowed = changes_allows(space, a);
    if (allowed != changes_allows(space, b)) return true;
    bool heights = profile->gradient || crn_grid_minds_heights(space);
    return allowed && (profile->terrain_cost[a->terrain] != profile->terrain_cost[b->terrain] ||
                       space->layer_cost[a->layer] != space->layer_cost[b->layer] ||
                       (heights && a->elevation != b->elevation));
}

/* By node, then in the order of the commits, which stands in `extra`. */
static bool changes_cell_before(const void *a, const void *b)
{
    const crn_patch_cell *first = a, *second = b;
    return first->node != second->node ? first->node < second->node : first->extra < second->extra;
}

/* The edited cells as they were, each once, without those that are for this agent what they were.
 */
static void changes_fold_cells(changes_job *job)
{
    size_t kept = 0;
    cairn_node last = CAIRN_NO_NODE;
    crn_sort(job->cells, job->cell_count, sizeof *job->cells, changes_cell_before);
    for (size_t i = 0; i < job->cell_count; i++) {
        crn_patch_cell cell = job->cells[i];
        cairn_cell_state now = crn_grid_state(job->space->grid, cell.node);
        bool first = cell.node != last;
        last = cell.node;
        cell.extra = 0;
        /* A view may have opened a cell that is blocked below: there every edit matters. */
        bool matters = job->loose || changes_matter(job->space, &cell.state, &now);
        if (first && matters) job->cells[kept++] = cell;
    }
    job->cell_count = kept;
}

static cairn_status changes_gather_cells(changes_job *job, uint64_t since)
{
    crn_edits edits;
    cairn_status status = crn_edits_begin(&edits, job->space->grid, since);
    if (status != CAIRN_OK) return status;
    for (const cairn_change *change; (change = crn_edits_next(&edits));) {
        void *cells = job->cells;
        if (!crn_grow(job->space->base.context, &cells, &job->cell_capacity, job->cell_count + 1,
                      sizeof *job->cells)) {
            return CAIRN_OUT_OF_MEMORY;
        }
        job->cells = cells;
        uint32_t order = (uint32_t)job->cell_count; /* commits remember far fewer than 2³² cells */
        job->cells[job->cell_count++] =
            (crn_patch_cell){.node = change->node, .state = change->before, .extra = order};
    }
    changes_fold_cells(job);
    job->then =
        (crn_patch){.space = job->space, .cells = job->cells, .count = (uint32_t)job->cell_count};
    job->now = (crn_patch){.space = job->space};
    crn_patch_bound(&job->then);
    return CAIRN_OK;
}

/* ---- which nodes to look at ---- */

static bool changes_add_rows(changes_job *job, crn_size_box box)
{
    void *runs = job->runs;
    size_t need = job->run_count + (box.bottom - box.top) + 1;
    if (!crn_grow(job->space->base.context, &runs, &job->run_capacity, need, sizeof *job->runs))
        return false;
    job->runs = runs;
    for (uint32_t y = box.top; y <= box.bottom; y++) {
        job->runs[job->run_count++] = (changes_run){y, box.left, box.right};
    }
    return true;
}

/* The nodes that may have other edges because of a cell. */
static crn_size_box changes_box(const changes_job *job, const crn_patch_cell *cell)
{
    const cairn_grid *grid = job->space->grid;
    cairn_cell_state now = crn_grid_state(grid, cell->node);
    if (job->loose ||
        changes_allows(job->space, &cell->state) != changes_allows(job->space, &now)) {
        return crn_edits_box(job->space, cell->node, 1);
    }
    uint32_t x = cell->node % grid->width, y = cell->node / grid->width;
    return (crn_size_box){x - (x > 0), y - (y > 0), crn_min_u32(x + 1, grid->width - 1),
                          crn_min_u32(y + 1, grid->height - 1)};
}

static bool changes_run_before(const void *a, const void *b)
{
    const changes_run *first = a, *second = b;
    return first->y != second->y ? first->y < second->y : first->left < second->left;
}

/* Boxes of the same rows that touch become one. */
static bool changes_join(crn_size_box *box, const crn_size_box *more)
{
    if (more->top != box->top || more->bottom != box->bottom) return false;
    if (more->left > box->right + 1 || box->left > more->right + 1) return false;
    box->left = crn_min_u32(box->left, more->left);
    box->right = crn_max_u32(box->right, more->right);
    return true;
}

static bool changes_gather_runs(changes_job *job)
{
    crn_size_box open = {0};
    for (size_t i = 0; i < job->cell_count; i++) {
        crn_size_box box = changes_box(job, &job->cells[i]);
        if (i && changes_join(&open, &box)) continue;
        if (i && !changes_add_rows(job, open)) return false;
        open = box;
    }
    if (job->cell_count && !changes_add_rows(job, open)) return false;
    crn_sort(job->runs, job->run_count, sizeof *job->runs, changes_run_before);
    return true;
}

/* ---- links ---- */

static bool changes_add_link(changes_job *job, const cairn_link *link, int32_t then, int32_t now)
{
    if (!crn_links_allowed(job->space, link)) return true;
    void *links = job->links;
    if (!crn_grow(job->space->base.context, &links, &job->link_capacity, job->link_count + 1,
                  sizeof *job->links)) {
        return false;
    }
    job->links = links;
    cairn_cost price = crn_links_price(job->space, link);
    job->links[job->link_count++] = (changes_link){link->from, link->to, price, then, now};
    return true;
}

static bool changes_add_links(changes_job *job, uint64_t since)
{
    const cairn_grid *grid = job->space->grid;
    bool edited = false;
    for (uint64_t version = since + 1; version <= grid->version; version++) {
        const crn_commit *commit = changes_commit(grid, version);
        edited |= commit->links_changed;
        for (uint32_t i = 0; i < commit->link_change_count; i++) {
            const crn_link_change *change = &commit->link_changes[i];
            if (!changes_add_link(job, &change->link, change->added ? -1 : 1, 0)) return false;
        }
    }
    if (!edited && !job->run_count) return true;
    for (uint32_t i = 0; i < grid->link_count; i++) {
        if (!changes_add_link(job, &grid->links[i], 1, 1)) return false;
    }
    return true;
}

static bool changes_link_before(const void *a, const void *b)
{
    const changes_link *first = a, *second = b;
    if (first->from != second->from) return first->from < second->from;
    return first->to != second->to ? first->to < second->to : first->price < second->price;
}

static bool changes_both_usable(const crn_patch *patch, const changes_link *link)
{
    cairn_cell a = cairn_grid_cell(patch->space->grid, link->from),
               b = cairn_grid_cell(patch->space->grid, link->to);
    return crn_patch_usable(patch, a.x, a.y) && crn_patch_usable(patch, b.x, b.y);
}

/* Sorts them; those between the same cells at the same price become one. */
static void changes_fold_links(changes_job *job)
{
    size_t kept = 0;
    crn_sort(job->links, job->link_count, sizeof *job->links, changes_link_before);
    for (size_t i = 0; i < job->link_count; i++) {
        changes_link *last = kept ? &job->links[kept - 1] : NULL;
        if (last && !changes_link_before(last, &job->links[i])) {
            last->then += job->links[i].then;
            last->now += job->links[i].now;
        } else {
            job->links[kept++] = job->links[i];
        }
    }
    job->link_count = kept;
}

/* Is the cheapest of the links between two cells, which stand side by side from the `first` on,
 * another one than it was? *next is the one behind them. */
static bool changes_link_differs(const changes_job *job, size_t first, size_t *next)
{
    const changes_link *pair = &job->links[first];
    cairn_cost then = CAIRN_NO_COST, now = CAIRN_NO_COST;
    size_t i = first;
    for (; i < job->link_count && job->links[i].from == pair->from && job->links[i].to == pair->to;
         i++) {
        const changes_link *link = &job->links[i];
        if (link->then > 0) then = crn_min_u32(then, link->price);
        if (link->now > 0) now = crn_min_u32(now, link->price);
    }
    *next = i;
    if (!changes_both_usable(&job->then, pair)) then = CAIRN_NO_COST;
    if (!changes_both_usable(&job->now, pair)) now = CAIRN_NO_COST;
    return then != now;
}

static bool changes_node_before(const void *a, const void *b)
{
    return *(const cairn_node *)a < *(const cairn_node *)b;
}

static bool changes_add_ends(changes_job *job, const changes_link *link)
{
    void *ends = job->ends;
    if (!crn_grow(job->space->base.context, &ends, &job->end_capacity, job->end_count + 2,
                  sizeof *job->ends)) {
        return false;
    }
    job->ends = ends;
    job->ends[job->end_count++] = link->from;
    job->ends[job->end_count++] = link->to;
    return true;
}

/* Is it one of the nodes to look at? */
static bool changes_covers(const changes_job *job, cairn_node node)
{
    uint32_t x = node % job->space->grid->width, y = node / job->space->grid->width;
    for (size_t i = 0; i < job->run_count; i++) {
        const changes_run *run = &job->runs[i];
        if (run->y == y && run->left <= x && x <= run->right) return true;
    }
    return false;
}

/* The nodes to look at are known. */
static bool changes_gather_links(changes_job *job, uint64_t since)
{
    if (!changes_add_links(job, since)) return false;
    changes_fold_links(job);
    for (size_t i = 0, next; i < job->link_count; i = next) {
        const changes_link *link = &job->links[i];
        bool differs = changes_link_differs(job, i, &next);
        if (job->loose) {
            for (size_t k = i; k < next; k++) differs |= job->links[k].then != job->links[k].now;
            differs = differs || changes_covers(job, link->from) || changes_covers(job, link->to);
        }
        if (differs && !changes_add_ends(job, link)) return false;
    }
    crn_sort(job->ends, job->end_count, sizeof *job->ends, changes_node_before);
    return true;
}

/* ---- telling ---- */

/* Are the steps to and from a node others than they were? */
static bool changes_differ(const changes_job *job, uint32_t x, uint32_t y)
{
    crn_patch_steps then, now;
    bool same = crn_patch_pattern(&job->then, x, y) == crn_grid_pattern(job->space, x, y);
    if (same && !job->space->size.dips && !crn_patch_near(&job->then, x, y)) return false;
    crn_patch_look(&job->then, x, y, &then);
    crn_patch_look(&job->now, x, y, &now);
    return memcmp(then.out, now.out, sizeof now.out) != 0 ||
           memcmp(then.in, now.in, sizeof now.in) != 0;
}

/* Reports the ends of links before a node, and whether the node is one. */
static bool changes_tell_ends(const changes_job *job, size_t *at, uint64_t node,
                              cairn_node_report *report, void *user)
{
    const cairn_node *ends = job->ends;
    for (; *at < job->end_count && ends[*at] < node; ++*at) {
        if (!*at || ends[*at] != ends[*at - 1]) report(user, ends[*at]);
    }
    bool found = *at < job->end_count && ends[*at] == node;
    while (*at < job->end_count && ends[*at] == node) ++*at;
    return found;
}

static void changes_tell(const changes_job *job, cairn_node_report *report, void *user)
{
    uint64_t next = 0; /* node that has not been looked at */
    size_t at = 0;
    for (size_t i = 0; i < job->run_count; i++) {
        const changes_run *run = &job->runs[i];
        uint64_t row = (uint64_t)run->y * job->space->grid->width;
        for (uint64_t node = next > row + run->left ? next : row + run->left;
             node <= row + run->right; node++) {
            bool end = changes_tell_ends(job, &at, node, report, user);
            if (end || job->loose || changes_differ(job, (uint32_t)(node - row), run->y)) {
                report(user, (cairn_node)node);
            }
            next = node + 1;
        }
    }
    changes_tell_ends(job, &at, UINT64_MAX, report, user);
}

static cairn_status changes_finish(changes_job *job, const crn_changes_near *near,
                                   cairn_node_report *report, void *user)
{
    cairn_status status = changes_gather_cells(job, near->since);
    bool ok = status == CAIRN_OK;
    for (uint32_t i = 0; ok && i < near->count; i++) {
        ok = changes_add_rows(job, crn_edits_box(job->space, near->nodes[i], 1));
    }
    ok = ok && changes_gather_runs(job) && changes_gather_links(job, near->since);
    if (ok) changes_tell(job, report, user);
    changes_close(job);
    return ok || status != CAIRN_OK ? status : CAIRN_OUT_OF_MEMORY;
}

cairn_status crn_grid_changes(const cairn_space *base, uint64_t since, cairn_node_report *report,
                              void *user)
{
    changes_job job = {.space = crn_grid_space_of(base)};
    return changes_finish(&job, &(crn_changes_near){.since = since}, report, user);
}

cairn_status crn_grid_changes_near(const crn_grid_space *space, const crn_changes_near *near,
                                   cairn_node_report *report, void *user)
{
    changes_job job = {.space = space, .loose = true};
    return changes_finish(&job, near, report, user);
}

/* ---- graphs ---- */

static const crn_graph_commit *changes_graph_commit(const cairn_graph *graph, uint64_t version)
{
    const crn_graph_commit *commit = &graph->commits[version % CRN_COMMITS_KEPT];
    return commit->version == version ? commit : NULL;
}

cairn_status crn_graph_changes(const cairn_space *space, uint64_t since, cairn_node_report *report,
                               void *user)
{
    const cairn_graph *graph = cairn_space_graph(space);
    size_t count = 0, capacity = 0;
    for (uint64_t version = since + 1; version <= graph->version; version++) {
        const crn_graph_commit *commit = changes_graph_commit(graph, version);
        if (!commit) return CAIRN_STALE;
        capacity += commit->count;
    }
    if (!capacity) return CAIRN_OK;
    cairn_node *nodes = crn_alloc(space->context, capacity * sizeof *nodes);
    if (!nodes) return CAIRN_OUT_OF_MEMORY;
    for (uint64_t version = since + 1; version <= graph->version; version++) {
        const crn_graph_commit *commit = changes_graph_commit(graph, version);
        if (commit->count) memcpy(nodes + count, commit->nodes, commit->count * sizeof *nodes);
        count += commit->count;
    }
    crn_sort(nodes, count, sizeof *nodes, changes_node_before);
    for (size_t i = 0; i < count; i++) {
        if (!i || nodes[i] != nodes[i - 1]) report(user, nodes[i]);
    }
    crn_free(space->context, nodes, capacity * sizeof *nodes);
    return CAIRN_OK;
}

cairn_status cairn_space_changes(const cairn_space *space, uint64_t since,
                                 cairn_node_report *report, void *user)
{
    if (!space || !report || since > cairn_space_version(space)) return CAIRN_INVALID;
    if (since == cairn_space_version(space)) return CAIRN_OK;
    return space->functions->changes ? space->functions->changes(space, since, report, user)
                                     : CAIRN_STALE;
}
