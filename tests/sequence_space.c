/* sequence_space.c: spaces and views of a program's world, and what can be asked of them (see
 * sequence.h). */
#include "sequence.h"

#include <cairn/callbacks.h>
#include <math.h>

/* ---- slots --------------------------------------------------------------------------------- */

static sequence_space *space_free_slot(sequence *q)
{
    for (uint32_t i = 0; i < SEQUENCE_SPACES; i++) {
        if (!q->spaces[i].space) return &q->spaces[i];
    }
    return NULL;
}

uint32_t space_number(const sequence *q, const sequence_space *s)
{
    return (uint32_t)(s - q->spaces);
}

/* One whose handle is still there. */
sequence_space *space_any(sequence *q)
{
    uint32_t first = choose(q, SEQUENCE_SPACES);
    for (uint32_t i = 0; i < SEQUENCE_SPACES; i++) {
        sequence_space *s = &q->spaces[(first + i) % SEQUENCE_SPACES];
        if (s->space && !s->gone) return s;
    }
    return NULL;
}

uint64_t space_version(const sequence_space *s)
{
    return cairn_space_version(s->space);
}

static void space_forget(sequence_space *s)
{
    sequence_space *below = s->below;
    oracle_destroy(s->place.oracle);
    scene_destroy(s->seen);
    free(s->mode), free(s->extra);
    *s = (sequence_space){0};
    if (below) space_leave(below);
}

void space_leave(sequence_space *s)
{
    s->users--;
    if (s->gone && !s->users) space_forget(s);
}

void space_destroy(sequence *q, sequence_space *s)
{
    if (!s->space || s->gone) return;
    sequence_before(q, "space_destroy(space%u)", space_number(q, s));
    cairn_space_destroy(s->space);
    q->memory.fail_at = 0;
    s->gone = true;
    if (!s->users) space_forget(s);
}

/* ---- the oracle -------------------------------------------------------------------------------- */

/* The world as a view shows it. */
static void space_look_through(sequence_space *s, const sequence_world *world)
{
    scene_destroy(s->seen);
    s->seen = scene_copy(world->now);
    for (uint32_t i = 0; i < world->node_count; i++) {
        if (s->mode[i]) s->seen->open[i] = s->mode[i] == 2;
        s->seen->added[i] = s->extra[i];
    }
    s->place.scene = s->seen;
}

oracle *space_oracle(sequence_space *s, const sequence_world *world)
{
    uint64_t version = space_version(s);
    if (s->place.oracle && s->oracle_version == version) return s->place.oracle;
    oracle_destroy(s->place.oracle);
    s->oracle_version = version;
    if (s->below) space_look_through(s, world);
    if (!s->place.scene) {
        s->place.oracle = drawn_oracle(&world->drawn);
    } else {
        oracle_grid raw = scene_raw(s->place.scene);
        s->place.oracle = oracle_of_grid(&raw, &s->place.profile, cairn_space_scale(s->space));
    }
    s->place.oracle->costs_only = true;
    return s->place.oracle;
}

/* ---- profiles ------------------------------------------------------------------------------------ */

/* The oracle is slow about sizes. */
static void profile_add_size(sequence *q, cairn_profile *p, const scene *s)
{
    static const double radii[] = {0.4, 0.5, 0.8, 1.0, 1.2, 1.3};
    uint32_t cells = s->width * s->height;
    if (s->hex && cells <= 120 && one_in(q, 6)) p->radius = radii[choose(q, LENGTH(radii))];
    if (s->hex || cells > 500 || !one_in(q, 5)) return;
    if (one_in(q, 2))
        p->radius = radii[choose(q, LENGTH(radii))];
    else
        p->footprint = 2 + choose(q, cells < 300 ? 4 : 2);
}

static void profile_add_costs(sequence *q, cairn_profile *p)
{
    static const uint16_t costs[] = {0, 100, 256, 300, 512, 1500};
    if (one_in(q, 4)) {
        for (uint32_t i = 1; i < 8; i++) p->terrain_cost[i] = costs[choose(q, LENGTH(costs))];
    }
    uint32_t layer = choose(q, 3);
    if (layer) p->layer_weight = layer == 1 ? 256 : 0;
    if (one_in(q, 5)) p->gradient = (uint16_t)choose(q, 300);
    if (one_in(q, 8)) p->max_climb = (int32_t)choose(q, 4), p->max_drop = (int32_t)choose(q, 4);
}

static cairn_profile profile_drawn(sequence *q)
{
    const scene *s = q->world.now;
    cairn_profile p = s->profile;
    uint32_t rule = choose(q, 5);
    if (!s->hex) {
        p.neighbours = rule == 3 ? CAIRN_NEIGHBOURS_4 : CAIRN_NEIGHBOURS_8;
        p.corners = (cairn_corners)(rule % CAIRN_CORNERS_COUNT);
    }
    profile_add_costs(q, &p);
    profile_add_size(q, &p, s);
    if (one_in(q, 4)) p.links = 0x15;
    return p;
}

/* ---- making them ----------------------------------------------------------------------------------- */

static cairn_status make_of_functions(sequence *q, cairn_space **out)
{
    sequence_world *w = &q->world;
    cairn_callbacks world = sequence_functions(w);
    if (one_in(q, 2)) world.estimate = 10;
    return SEQUENCE_CALL(q, cairn_space_of_callbacks(q->context, &world, out, NULL),
                         "space_of_callbacks(estimate %g)", world.estimate);
}

static cairn_status make_of_grid(sequence *q, cairn_profile *p, cairn_space **out)
{
    static const char *const neighbours[] = {"4", "8", "hex"}, *const corners[] = {"never", "one",
                                                                                   "always"};
    *p = profile_drawn(q);
    return SEQUENCE_CALL(
        q, cairn_space_of_grid(q->world.grid, p, out, NULL),
        "space_of_grid(%s %s, radius %g, footprint %u, layer %u, gradient %u, climb %d, drop %d, "
        "links %x)",
        neighbours[p->neighbours], corners[p->corners], p->radius, p->footprint, p->layer_weight,
        p->gradient, p->max_climb, p->max_drop, p->links);
}

void space_create(sequence *q)
{
    sequence_world *w = &q->world;
    sequence_space *s = space_free_slot(q);
    cairn_space *space = NULL;
    cairn_profile profile = {0};
    cairn_status status = CAIRN_OK;
    bool functions = w->kind == CAIRN_WORLD_CALLBACKS;
    if (!s || (functions ? q->spaces[0].space != NULL : !w->grid && !w->graph)) return;
    if (functions)
        status = make_of_functions(q, &space);
    else if (w->grid)
        status = make_of_grid(q, &profile, &space);
    else
        status = SEQUENCE_CALL(q, cairn_space_of_graph(w->graph, &space, NULL), "space_of_graph()");
    CHECK(status == CAIRN_OK ? space != NULL : q->refused && !space, "no space: %s",
          cairn_status_text(status));
    if (!space) return;
    *s = (sequence_space){.space = space};
    s->place = (place){.scene = w->now,
                       .drawn = w->now ? NULL : &w->shape,
                       .context = q->context,
                       .grid = w->grid,
                       .graph = w->graph,
                       .space = space,
                       .profile = profile};
    snprintf(s->place.name, sizeof s->place.name, "space%u", space_number(q, s));
    sequence_note(q, " -> space%u", space_number(q, s));
}

void space_create_view(sequence *q)
{
    sequence_space *s = space_free_slot(q), *below = space_any(q);
    cairn_space *space = NULL;
    if (!s || !below || !below->place.scene || below->below) return;
    cairn_status status = SEQUENCE_CALL(q, cairn_space_view_create(below->space, &space, NULL),
                                        "view_create(space%u)", space_number(q, below));
    CHECK(status == CAIRN_OK ? space != NULL : q->refused && !space, "no view: %s",
          cairn_status_text(status));
    if (!space) return;
    uint32_t cells = q->world.node_count;
    *s = (sequence_space){.space = space,
                          .below = below,
                          .place = below->place,
                          .mode = calloc(cells, 1),
                          .extra = calloc(cells, 1)};
    if (!s->mode || !s->extra) abort();
    s->place.space = space;
    s->place.oracle = NULL;
    snprintf(s->place.name, sizeof s->place.name, "space%u", space_number(q, s));
    below->users++;
    sequence_note(q, " -> space%u", space_number(q, s));
}

/* ---- edits of views ---------------------------------------------------------------------------------- */

static cairn_status view_call(sequence_space *s, cairn_node cell, uint32_t what, uint32_t extra)
{
    switch (what) {
    case 0: return cairn_view_block(s->space, cell);
    case 1: return cairn_view_open(s->space, cell);
    case 2: return cairn_view_cost(s->space, cell, extra * 256);
    default: return cairn_view_restore(s->space, cell);
    }
}

static void edit_view(sequence *q, sequence_space *s, cairn_node cell, uint32_t what)
{
    static const char *const names[] = {"view_block", "view_open", "view_cost", "view_restore"};
    uint32_t extra = choose(q, 4);
    cairn_status status = SEQUENCE_CALL(q, view_call(s, cell, what, extra), "%s(space%u, %u, %u)",
                                        names[what], space_number(q, s), cell, extra);
    CHECK(status == CAIRN_OK || q->refused, "a view: %s", cairn_status_text(status));
    if (status != CAIRN_OK) return;
    if (what == 2)
        s->extra[cell] = (uint8_t)extra;
    else if (what < 2)
        s->mode[cell] = (uint8_t)(what + 1);
    else
        s->mode[cell] = s->extra[cell] = 0;
}

void space_edit_view(sequence *q)
{
    sequence_space *s = space_any(q);
    if (!s || !s->below) return;
    uint32_t what = choose(q, 16) % 5;
    if (what == 4) {
        cairn_status status =
            SEQUENCE_CALL(q, cairn_view_clear(s->space), "view_clear(space%u)", space_number(q, s));
        CHECK(status == CAIRN_OK, "view_clear: %s", cairn_status_text(status));
        memset(s->mode, 0, q->world.node_count);
        memset(s->extra, 0, q->world.node_count);
        return;
    }
    /* extra costs are drawn as units of the extra layer */
    if (what == 2 && s->place.profile.layer_weight != 256) what = 0;
    for (uint32_t i = 1 + choose(q, 3); i; i--) edit_view(q, s, world_node(q), what);
}

/* ---- questions ------------------------------------------------------------------------------------------ */

static void report_fault(void *user, cairn_node from, cairn_node to, const char *text)
{
    (void)user;
    print_error("from %u to %u: %s\n", from, to, text);
}

static void ask_whole(sequence *q, sequence_space *s)
{
    sequence_before(q, "space_validate(space%u)", space_number(q, s));
    uint64_t wrong = cairn_space_validate(s->space, report_fault, NULL);
    sequence_after(q, CAIRN_OK);
    CHECK(wrong == 0, "%u edges are wrong", (unsigned)wrong);
}

static void ask_pair(sequence *q, sequence_space *s)
{
    oracle *o = space_oracle(s, &q->world);
    cairn_node a = q->haunts[choose(q, SEQUENCE_HAUNTS)], b = world_node(q);
    sequence_before(q, "reachable(space%u, %u, %u)", space_number(q, s), a, b);
    cairn_reach says = cairn_reachable(s->space, a, b);
    sequence_after(q, CAIRN_OK);
    oracle_search(o, a);
    bool near = o->distance[b] != ORACLE_NONE;
    CHECK(says != CAIRN_REACH_NO || !near, "from %u to %u there is a path", a, b);
    CHECK(says != CAIRN_REACH_YES || near, "from %u to %u there is no path", a, b);
    CHECK(cairn_space_usable(s->space, b) == o->usable[b], "usable %u", b);
    cairn_cost cost = cairn_space_step_cost(s->space, a, b);
    uint64_t edge = oracle_edge(o, a, b);
    CHECK(cost == (edge == ORACLE_NONE ? CAIRN_NO_COST : edge), "a step from %u to %u costs %u", a,
          b, cost);
}

/* Of several edges between two nodes only the cheapest counts. */
static cairn_cost cheapest_of(const cairn_edge *edges, uint32_t count, cairn_node node)
{
    cairn_cost least = CAIRN_NO_COST;
    for (uint32_t i = 0; i < count; i++) {
        if (edges[i].node == node && edges[i].cost < least) least = edges[i].cost;
    }
    return least;
}

/* The edges of a node are those of the oracle. */
static void ask_edges(sequence *q, sequence_space *s)
{
    enum { MOST = 64 };
    const oracle *o = space_oracle(s, &q->world);
    cairn_node a = one_in(q, 2) ? world_node(q) : q->haunts[choose(q, SEQUENCE_HAUNTS)];
    bool back = one_in(q, 2);
    cairn_edge edges[MOST];
    sequence_before(q, "%s(space%u, %u)", back ? "expand_back" : "expand", space_number(q, s), a);
    uint32_t count = back ? cairn_space_expand_back(s->space, a, 0, edges, MOST)
                          : cairn_space_expand(s->space, a, 0, edges, MOST);
    sequence_after(q, CAIRN_OK);
    for (cairn_node n = 0; n < o->count && count < MOST; n++) {
        uint64_t edge = back ? oracle_edge(o, n, a) : oracle_edge(o, a, n);
        cairn_cost cost = cheapest_of(edges, count, n);
        CHECK(cost == (edge == ORACLE_NONE ? CAIRN_NO_COST : edge), "%u and %u: %u, not %u", a, n,
              cost, (unsigned)edge);
    }
}

static void ask_nearest(sequence *q, sequence_space *s)
{
    const oracle *o = space_oracle(s, &q->world);
    cairn_node at = world_node(q), found = CAIRN_NO_NODE;
    if (!cairn_space_has_positions(s->space)) return;
    cairn_status status = SEQUENCE_CALL(q, cairn_nearest_usable(s->space, at, INFINITY, &found),
                                        "nearest_usable(space%u, %u)", space_number(q, s), at);
    cairn_position p = cairn_space_position(s->space, at);
    double least = INFINITY, given = INFINITY;
    for (cairn_node n = 0; n < o->count; n++) {
        if (!o->usable[n]) continue;
        cairn_position r = cairn_space_position(s->space, n);
        double d = hypot(hypot(p.x - r.x, p.y - r.y), p.z - r.z);
        if (d < least) least = d;
        if (n == found) given = d;
    }
    CHECK(status == (isfinite(least) ? CAIRN_OK : CAIRN_UNREACHABLE), "nearest: %s",
          cairn_status_text(status));
    CHECK(status != CAIRN_OK || given <= least + 1e-9, "%u is %f away, the nearest %f", found,
          given, least);
}

/* A field that commits must keep up to date. */
static void keep_clearance(sequence *q, sequence_space *s)
{
    uint32_t cells = choose(q, 5);
    if (!s->place.scene || s->below) return;
    cairn_status status = SEQUENCE_CALL(q, cairn_space_keep_clearance(s->space, cells),
                                        "keep_clearance(space%u, %u)", space_number(q, s), cells);
    CHECK(status == CAIRN_OK || q->refused, "clearance: %s", cairn_status_text(status));
    s->clears = cells || status != CAIRN_OK;
}

/* Costs near walls, as the clearance of each cell says: edits like those of set_layer. */
static void stage_walls(sequence *q, sequence_space *s)
{
    cairn_walls walls = {.range = 0.5 * (1 + choose(q, 6)), .cost = (uint8_t)choose(q, 40)};
    if (!q->world.grid || !s->place.scene || s->below || s->clears) return;
    cairn_status status = SEQUENCE_CALL(q, cairn_space_stage_walls(s->space, &walls),
                                        "stage_walls(space%u, range %g, cost %u)",
                                        space_number(q, s), walls.range, walls.cost);
    CHECK(status == CAIRN_OK || q->refused, "walls: %s", cairn_status_text(status));
    if (status != CAIRN_OK) { /* some are staged */
        world_discard(q);
        return;
    }
    for (cairn_node i = 0; i < q->world.node_count; i++) {
        double away = cairn_space_clearance(s->space, i) - 0.5;
        bool near = away >= 0 && away < walls.range;
        q->world.next->layer[i] =
            near ? (uint8_t)floor(walls.cost * (1 - away / walls.range) + 0.5) : 0;
    }
}

/* ---- stored and read again ---------------------------------------------------------------------------- */

static cairn_status store_to(sequence *q, const cairn_space *space, bytes *out)
{
    cairn_store *store = NULL;
    cairn_status status = cairn_store_create(q->context, &store);
    if (status == CAIRN_OK) status = cairn_store_space(store, space);
    if (status == CAIRN_OK) status = cairn_store_write(store, &(cairn_writer){sequence_write, out});
    cairn_store_destroy(store);
    return status;
}

static cairn_status read_from(sequence *q, const bytes *file, cairn_space **out)
{
    cairn_archive *archive = NULL;
    cairn_grid *grid = NULL;
    cairn_graph *graph = NULL;
    cairn_profile profile;
    cairn_status status =
        cairn_archive_open(q->context, (cairn_bytes){file->data, file->size}, 0, &archive, NULL);
    if (status == CAIRN_OK && q->world.now) {
        status = cairn_archive_grid(archive, &grid, NULL);
        if (status == CAIRN_OK) status = cairn_archive_profile(archive, &profile, NULL);
        if (status == CAIRN_OK) status = cairn_space_of_grid(grid, &profile, out, NULL);
    } else if (status == CAIRN_OK) {
        status = cairn_archive_graph(archive, &graph, NULL);
        if (status == CAIRN_OK) status = cairn_space_of_graph(graph, out, NULL);
    }
    cairn_grid_destroy(grid);
    cairn_graph_destroy(graph);
    cairn_archive_close(archive);
    return status;
}

static void store_and_read(sequence *q, sequence_space *s)
{
    bytes file = {0};
    cairn_space *again = NULL;
    bool can = !s->below && q->world.kind != CAIRN_WORLD_CALLBACKS;
    cairn_status status =
        SEQUENCE_CALL(q, store_to(q, s->space, &file), "store_space(space%u)", space_number(q, s));
    CHECK(status == (can ? CAIRN_OK : CAIRN_UNSUPPORTED) || q->refused, "stored: %s",
          cairn_status_text(status));
    if (status == CAIRN_OK) {
        status = SEQUENCE_CALL(q, read_from(q, &file, &again), "space_of_archive()");
        CHECK(status == CAIRN_OK || q->refused, "read: %s", cairn_status_text(status));
    }
    CHECK(!again || cairn_space_hash(again) == cairn_space_hash(s->space),
          "stored and read again it is another space");
    cairn_space_destroy(again);
    bytes_free(&file);
}

void space_ask(sequence *q)
{
    sequence_space *s = space_any(q);
    if (!s) return;
    switch (choose(q, 16)) {
    case 0: ask_whole(q, s); break;
    case 1: ask_nearest(q, s); break;
    case 5: keep_clearance(q, s); break;
    case 6: store_and_read(q, s); break;
    case 7: stage_walls(q, s); break;
    case 2:
    case 3:
    case 4: ask_edges(q, s); break;
    default: ask_pair(q, s);
    }
}
