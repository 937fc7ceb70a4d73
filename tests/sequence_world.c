/* sequence_world.c: the world of a program, edited alike in the library and in a drawing, and the
 * spaces made of it (see sequence.h).
 *
 * The drawing has two states. What is staged goes into `next`, and becomes `now` when a commit
 * succeeds, so that commits that fail and changes that are discarded can be told apart.
 */
#include "sequence.h"

#include <math.h>

/* ---- drawings ------------------------------------------------------------------------------ */

static void *copied(const void *data, size_t size)
{
    void *copy = calloc(size ? size : 1, 1);
    if (!copy) abort();
    if (data && size) memcpy(copy, data, size);
    return copy;
}

/* With every plane, so that any cell can become anything. */
scene *scene_copy(const scene *s)
{
    size_t cells = (size_t)s->width * s->height;
    scene *copy = copied(s, sizeof *s);
    copy->open = copied(s->open, cells);
    copy->terrain = copied(s->terrain, cells);
    copy->layer = copied(s->layer, cells);
    copy->added = copied(s->added, cells * sizeof *s->added);
    copy->elevation = copied(s->elevation, cells * sizeof *s->elevation);
    copy->links = copied(s->links, s->link_count * sizeof *s->links);
    return copy;
}

static void scene_take(scene *to, const scene *from)
{
    size_t cells = (size_t)to->width * to->height;
    memcpy(to->open, from->open, cells);
    memcpy(to->terrain, from->terrain, cells);
    memcpy(to->layer, from->layer, cells);
    memcpy(to->elevation, from->elevation, cells * sizeof *to->elevation);
    free(to->links);
    to->links = copied(from->links, from->link_count * sizeof *from->links);
    to->link_count = from->link_count;
}

static bool scene_same_cells(const scene *a, const scene *b)
{
    size_t cells = (size_t)a->width * a->height;
    return !memcmp(a->open, b->open, cells) && !memcmp(a->terrain, b->terrain, cells) &&
           !memcmp(a->layer, b->layer, cells) &&
           !memcmp(a->elevation, b->elevation, cells * sizeof *a->elevation);
}

static void drawn_take(drawn_graph *to, const drawn_graph *from)
{
    drawn_free(to);
    *to = *from;
    to->capacity = to->edge_count;
    to->edges = copied(from->edges, from->edge_count * sizeof *from->edges);
    to->open = copied(from->open, from->node_count * sizeof *from->open);
    to->positions = copied(from->positions, from->node_count * sizeof *from->positions);
}

cairn_node world_node(sequence *q)
{
    return choose(q, q->world.node_count);
}

/* Mostly one where somebody could stand. */
cairn_node world_place(sequence *q)
{
    const sequence_world *w = &q->world;
    cairn_node n = world_node(q);
    for (uint32_t i = 0; i < 4 && !(w->now ? w->now->open[n] : w->drawn.open[n]); i++)
        n = world_node(q);
    return n;
}

/* ---- grids ------------------------------------------------------------------------------------ */

static scene *scene_drawn(sequence *q, uint32_t width, uint32_t height)
{
    uint64_t seed = 1 + choose(q, 60000);
    switch (choose(q, 8)) {
    case 0: return scene_blank("blank", width, height);
    case 1: return scene_rooms("rooms", width, height, 3 + choose(q, 6), seed);
    case 2: return scene_blocks("blocks", width, height, 1 + width * height / 40, seed);
    case 3: return scene_serpent("serpent", width, height);
    default: return scene_noise("noise", width, height, choose(q, 42), seed);
    }
}

/* Mostly a few cells; now and then several clusters, sectors or tiles. */
static scene *scene_of_some_size(sequence *q)
{
    uint32_t kind = choose(q, 16), width = 4 + choose(q, 14), height = 4 + choose(q, 14);
    if (kind >= 11) width += choose(q, 14), height += choose(q, 14);
    if (kind == 14) width = 60 + choose(q, 30), height = 4 + choose(q, 6);
    if (kind == 15) width = 30 + choose(q, 16), height = 28 + choose(q, 12);
    if (kind == 14 && one_in(q, 2)) {
        uint32_t swapped = width;
        width = height, height = swapped;
    }
    return scene_drawn(q, width, height);
}

static cairn_link link_drawn(sequence *q, const scene *s)
{
    uint32_t cells = s->width * s->height;
    cairn_link link = {.from = choose(q, cells), .to = choose(q, cells)};
    if (s->link_count && one_in(q, 3)) { /* beside another one, perhaps just as cheap */
        link = s->links[choose(q, s->link_count)];
        if (one_in(q, 2)) link.cost++;
    } else {
        link.cost = choose(q, one_in(q, 2) ? 400 : 4000);
        if (one_in(q, 3)) link.to = (link.from + 1) % cells;
    }
    link.id = choose(q, 24);
    link.kind = (uint8_t)choose(q, 6);
    return link;
}

static void scene_append_link(scene *s, const cairn_link *link)
{
    s->links = realloc(s->links, (s->link_count + 1) * sizeof *s->links);
    if (!s->links) abort();
    s->links[s->link_count++] = *link;
}

static void scene_decorate(sequence *q, scene *s)
{
    uint64_t seed = 1 + choose(q, 60000);
    if (one_in(q, 4)) scene_add_terrain(s, seed);
    if (one_in(q, 6)) scene_add_danger(s, seed);
    if (one_in(q, 10))
        scene_add_hills(s, seed);
    else if (one_in(q, 8))
        scene_add_cliffs(s, seed);
    if (one_in(q, 4)) scene_make_hex(s);
    for (uint32_t i = one_in(q, 3) ? 1 + choose(q, 9) : 0; i; i--) {
        cairn_link link = link_drawn(q, s);
        if (link.from != link.to) scene_append_link(s, &link);
    }
}

static void log_scene(sequence *q, const scene *s)
{
    sequence_note(q, "\ngrid of %u x %u, %s%s%s%s%s, %u links", s->width, s->height,
                  s->hex ? "hexagons" : "squares", s->terrain ? ", terrain" : "",
                  s->layer ? ", extra costs" : "", s->elevation ? ", heights" : "",
                  s->profile.max_climb == CAIRN_ANY_STEP ? "" : ", cliffs", s->link_count);
    for (uint32_t y = 0; y < s->height; y++) {
        char row[128];
        for (uint32_t x = 0; x < s->width; x++) row[x] = s->open[y * s->width + x] ? '.' : '#';
        sequence_note(q, "\n    %.*s", (int)s->width, row);
    }
    for (uint32_t i = 0; i < s->link_count; i++)
        sequence_note(q, "\n    link %u: %u to %u, cost %u, kind %u", s->links[i].id,
                      s->links[i].from, s->links[i].to, s->links[i].cost, s->links[i].kind);
}

static void world_create_grid(sequence *q)
{
    sequence_world *w = &q->world;
    scene *s = scene_of_some_size(q);
    scene_decorate(q, s);
    log_scene(q, s);
    CHECK_OK(scene_grid(s, q->context, &w->grid));
    w->now = scene_copy(s);
    w->next = scene_copy(s);
    w->own = scene_copy(s);
    scene_destroy(s);
    w->node_count = w->now->width * w->now->height;
}

/* ---- graphs and functions ----------------------------------------------------------------------- */

/* Worlds of functions promise that no edge is cheaper than its length. */
static cairn_cost weight_drawn(sequence *q, const drawn_graph *d, cairn_node a, cairn_node b)
{
    cairn_cost weight = 1 + choose(q, 3000);
    if (q->world.kind != CAIRN_WORLD_CALLBACKS) return weight;
    cairn_position from = d->positions[a], to = d->positions[b];
    return weight + (cairn_cost)ceil(10 * hypot(from.x - to.x, from.y - to.y));
}

static void draw_graph(sequence *q, drawn_graph *d)
{
    d->node_count = 2 + choose(q, 48);
    d->open = copied(NULL, d->node_count * sizeof *d->open);
    d->positions = copied(NULL, d->node_count * sizeof *d->positions);
    for (cairn_node n = 0; n < d->node_count; n++) {
        d->open[n] = true;
        d->positions[n] = (cairn_position){choose(q, 250) / 2.0, choose(q, 250) / 2.0, 0};
    }
    for (uint32_t i = d->node_count * (1 + choose(q, 3)); i; i--) {
        cairn_node a = choose(q, d->node_count), b = choose(q, d->node_count);
        if (a == b) continue;
        cairn_graph_edge edge = {a, b, weight_drawn(q, d, a, b)};
        drawn_add(d, edge);
        if (one_in(q, 2)) drawn_add(d, (cairn_graph_edge){b, a, edge.weight});
    }
}

static void world_create_graph(sequence *q)
{
    sequence_world *w = &q->world;
    drawn_graph *d = &w->staged;
    draw_graph(q, d);
    drawn_take(&w->drawn, d);
    w->node_count = d->node_count;
    bool placed = w->kind == CAIRN_WORLD_CALLBACKS || one_in(q, 2);
    w->shape = (graph_scene){.name = "graph", .positions = placed ? w->drawn.positions : NULL};
    sequence_note(q, "\n%s of %u nodes and %u edges%s",
                  w->kind == CAIRN_WORLD_GRAPH ? "graph" : "functions", d->node_count,
                  d->edge_count, placed ? "" : ", without positions");
    if (w->kind == CAIRN_WORLD_CALLBACKS) return;
    uint32_t count;
    cairn_graph_edge *edges = drawn_list(d, &count);
    cairn_graph_options options = {.node_count = d->node_count,
                                   .edge_count = count,
                                   .positions = placed ? d->positions : NULL,
                                   .edges = edges};
    CHECK_OK(cairn_graph_create(q->context, &options, &w->graph, NULL));
    free(edges);
}

static uint32_t call_neighbours(void *user, cairn_node node, cairn_edge *out)
{
    const drawn_graph *d = &((const sequence_world *)user)->drawn;
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->edge_count && count < CAIRN_CALLBACKS_DEGREE; i++) {
        const drawn_edge *e = &d->edges[i];
        if (e->edge.from == node && e->open)
            out[count++] = (cairn_edge){e->edge.to, e->edge.weight};
    }
    return count;
}

static bool call_usable(void *user, cairn_node node)
{
    return ((const sequence_world *)user)->drawn.open[node];
}

static cairn_position call_position(void *user, cairn_node node)
{
    return ((const sequence_world *)user)->drawn.positions[node];
}

cairn_callbacks sequence_functions(sequence_world *w)
{
    return (cairn_callbacks){.node_count = w->node_count,
                             .neighbours = call_neighbours,
                             .usable = call_usable,
                             .position = call_position,
                             .user = w,
                             .max_degree = CAIRN_CALLBACKS_DEGREE};
}

void world_create(sequence *q)
{
    uint32_t kind = choose(q, 12);
    q->world.kind = kind == 10   ? CAIRN_WORLD_GRAPH
                    : kind == 11 ? CAIRN_WORLD_CALLBACKS
                                 : CAIRN_WORLD_GRID;
    if (q->world.kind == CAIRN_WORLD_GRID)
        world_create_grid(q);
    else
        world_create_graph(q);
}

void world_destroy_handle(sequence *q)
{
    sequence_world *w = &q->world;
    if (!w->grid && !w->graph) return;
    bool first = one_in(q, 2);
    sequence_before(q, "world_destroy()");
    if (first) cairn_obstacles_destroy(w->obstacles);
    cairn_grid_destroy(w->grid);
    cairn_graph_destroy(w->graph);
    if (!first) cairn_obstacles_destroy(w->obstacles);
    w->grid = NULL, w->graph = NULL, w->obstacles = NULL;
}

void world_free(sequence *q)
{
    sequence_world *w = &q->world;
    scene_destroy(w->now), scene_destroy(w->next), scene_destroy(w->own);
    drawn_free(&w->drawn), drawn_free(&w->staged);
}

/* ---- edits of grids ------------------------------------------------------------------------------ */

static cairn_node cell_drawn(sequence *q)
{
    const scene *s = q->world.next;
    cairn_node cell = world_node(q);
    if (one_in(q, 2)) return cell;
    /* beside a place where queries begin */
    uint32_t haunt = q->haunts[choose(q, SEQUENCE_HAUNTS)], x = haunt % s->width + choose(q, 5),
             y = haunt / s->width + choose(q, 5);
    if (x < 2 || y < 2 || x - 2 >= s->width || y - 2 >= s->height) return cell;
    return (y - 2) * s->width + x - 2;
}

static void set_open(sequence *q, cairn_node cell, bool open)
{
    const scene *s = q->world.next;
    int32_t x = (int32_t)(cell % s->width), y = (int32_t)(cell / s->width);
    cairn_status status = SEQUENCE_CALL(q, cairn_grid_set_open(q->world.grid, x, y, open),
                                        "set_open(%d, %d, %d)", x, y, open);
    CHECK(status == CAIRN_OK || q->refused, "an edit fails: %s", cairn_status_text(status));
    if (status == CAIRN_OK) s->open[cell] = open;
}

/* A block, or a wall, of one state. */
static void set_open_area(sequence *q)
{
    const scene *s = q->world.next;
    cairn_node cell = cell_drawn(q);
    uint32_t left = cell % s->width, top = cell / s->width, wide = 1 + choose(q, 5),
             high = 1 + choose(q, one_in(q, 3) ? 5 : 2);
    bool open = one_in(q, 2);
    for (uint32_t y = top; y < top + high && y < s->height; y++) {
        for (uint32_t x = left; x < left + wide && x < s->width; x++)
            set_open(q, y * s->width + x, open);
    }
}

static void set_plane(sequence *q)
{
    sequence_world *w = &q->world;
    scene *s = w->next;
    cairn_node cell = cell_drawn(q);
    int32_t x = (int32_t)(cell % s->width), y = (int32_t)(cell / s->width);
    uint32_t plane = choose(q, 3), value = choose(q, plane == 0 ? 6 : 8);
    cairn_status status =
        SEQUENCE_CALL(q,
                      plane == 0   ? cairn_grid_set_terrain(w->grid, x, y, (uint8_t)value)
                      : plane == 1 ? cairn_grid_set_layer(w->grid, x, y, (uint8_t)value)
                                   : cairn_grid_set_elevation(w->grid, x, y, (int16_t)value),
                      "%s(%d, %d, %u)",
                      plane == 0   ? "set_terrain"
                      : plane == 1 ? "set_layer"
                                   : "set_elevation",
                      x, y, value);
    CHECK(status == CAIRN_OK || q->refused, "an edit fails: %s", cairn_status_text(status));
    if (status != CAIRN_OK) return;
    if (plane == 0) s->terrain[cell] = (uint8_t)value;
    if (plane == 1) s->layer[cell] = (uint8_t)value;
    if (plane == 2) s->elevation[cell] = (int16_t)value;
}

static void add_link(sequence *q)
{
    cairn_link link = link_drawn(q, q->world.next);
    if (link.from == link.to) return;
    cairn_status status = SEQUENCE_CALL(q, cairn_grid_add_link(q->world.grid, &link),
                                        "add_link(id %u, %u to %u, cost %u, kind %u)", link.id,
                                        link.from, link.to, link.cost, link.kind);
    CHECK(status == CAIRN_OK || q->refused, "a link fails: %s", cairn_status_text(status));
    if (status == CAIRN_OK) scene_append_link(q->world.next, &link), q->world.links_staged = true;
}

static void remove_links(sequence *q)
{
    scene *s = q->world.next;
    uint32_t id = s->link_count ? s->links[choose(q, s->link_count)].id : choose(q, 24), kept = 0;
    cairn_status status =
        SEQUENCE_CALL(q, cairn_grid_remove_links(q->world.grid, id), "remove_links(%u)", id);
    CHECK(status == CAIRN_OK || q->refused, "a link stays: %s", cairn_status_text(status));
    if (status != CAIRN_OK) return;
    for (uint32_t i = 0; i < s->link_count; i++) {
        if (s->links[i].id != id) s->links[kept++] = s->links[i];
    }
    s->link_count = kept;
    q->world.links_staged = true;
}

static void edit_grid(sequence *q)
{
    uint32_t what = choose(q, 18);
    if (!q->world.grid) return;
    if (what >= 16) {
        world_obstruct(q);
    } else if (what < 7) {
        cairn_node cell = cell_drawn(q);
        set_open(q, cell, !q->world.next->open[cell]);
    } else if (what < 10) {
        set_open_area(q);
    } else if (what < 13) {
        set_plane(q);
    } else if (what < 15) {
        add_link(q);
    } else {
        remove_links(q);
    }
}

/* ---- edits of graphs ------------------------------------------------------------------------------- */

static void edit_edges(sequence *q, drawn_graph *d)
{
    cairn_graph_edge e = d->edges[choose(q, d->edge_count)].edge;
    bool reweigh = one_in(q, 2), open = one_in(q, 2);
    cairn_cost weight = weight_drawn(q, d, e.from, e.to);
    cairn_status status = CAIRN_OK;
    if (q->world.graph)
        status =
            SEQUENCE_CALL(q,
                          reweigh ? cairn_graph_set_weight(q->world.graph, e.from, e.to, weight)
                                  : cairn_graph_set_edge_open(q->world.graph, e.from, e.to, open),
                          "%s(%u, %u, %u)", reweigh ? "set_weight" : "set_edge_open", e.from, e.to,
                          reweigh ? weight : open);
    CHECK(status == CAIRN_OK || q->refused, "an edit fails: %s", cairn_status_text(status));
    for (uint32_t i = 0; i < d->edge_count && status == CAIRN_OK; i++) {
        drawn_edge *other = &d->edges[i];
        if (other->edge.from != e.from || other->edge.to != e.to) continue;
        if (reweigh)
            other->edge.weight = weight;
        else
            other->open = open;
    }
}

static void add_edge(sequence *q, drawn_graph *d)
{
    cairn_node a = world_node(q), b = world_node(q);
    if (a == b) return;
    cairn_graph_edge edge = {a, b, weight_drawn(q, d, a, b)};
    cairn_status status = CAIRN_OK;
    if (q->world.graph)
        status = SEQUENCE_CALL(q, cairn_graph_add_edge(q->world.graph, &edge),
                               "add_edge(%u, %u, %u)", a, b, edge.weight);
    CHECK(status == CAIRN_OK || q->refused, "an edge fails: %s", cairn_status_text(status));
    if (status == CAIRN_OK) drawn_add(d, edge);
}

static void edit_node(sequence *q, drawn_graph *d)
{
    cairn_node a = world_node(q);
    bool open = !d->open[a];
    cairn_status status = CAIRN_OK;
    if (q->world.graph)
        status = SEQUENCE_CALL(q, cairn_graph_set_node_open(q->world.graph, a, open),
                               "set_node_open(%u, %d)", a, open);
    CHECK(status == CAIRN_OK || q->refused, "an edit fails: %s", cairn_status_text(status));
    if (status == CAIRN_OK) d->open[a] = open;
}

static void move_node(sequence *q, drawn_graph *d)
{
    cairn_node a = world_node(q);
    cairn_position to = {choose(q, 250) / 2.0, choose(q, 250) / 2.0, one_in(q, 4) ? 3.5 : 0};
    if (!q->world.graph || !cairn_graph_has_positions(q->world.graph)) return;
    cairn_status status = SEQUENCE_CALL(q, cairn_graph_set_position(q->world.graph, a, to),
                                        "set_position(%u, %g, %g, %g)", a, to.x, to.y, to.z);
    CHECK(status == CAIRN_OK || q->refused, "a move fails: %s", cairn_status_text(status));
    if (status == CAIRN_OK) d->positions[a] = to;
}

static void edit_graph(sequence *q)
{
    drawn_graph *d = &q->world.staged;
    uint32_t what = choose(q, 8);
    if (q->world.kind == CAIRN_WORLD_GRAPH && !q->world.graph) return;
    if (what < 4 && d->edge_count)
        edit_edges(q, d);
    else if (what == 4)
        add_edge(q, d);
    else if (what == 5)
        move_node(q, d);
    else
        edit_node(q, d);
}

void world_edit(sequence *q)
{
    if (q->world.kind == CAIRN_WORLD_GRID)
        edit_grid(q);
    else
        edit_graph(q);
}

/* ---- commits ------------------------------------------------------------------------------------- */

void world_made(sequence *q, uint64_t before)
{
    sequence_world *w = &q->world;
    uint64_t risen = cairn_grid_version(w->grid) - before;
    scene *old = scene_copy(w->now);
    scene_take(w->own, w->next);
    scene_take(w->now, w->own);
    world_cover(w, w->now);
    CHECK(w->links_staged ? risen <= 1 : risen == !scene_same_cells(old, w->now),
          "the version rises by %u", (unsigned)risen);
    scene_destroy(old);
    CHECK(cairn_grid_link_count(w->grid) == w->now->link_count, "%u links, not %u",
          cairn_grid_link_count(w->grid), w->now->link_count);
    w->links_staged = false;
    w->changes += risen;
}

static void commit_grid(sequence *q)
{
    sequence_world *w = &q->world;
    if (!w->grid) return;
    uint64_t before = cairn_grid_version(w->grid);
    cairn_status status = SEQUENCE_CALL(q, cairn_grid_commit(w->grid), "commit()");
    uint64_t risen = cairn_grid_version(w->grid) - before;
    CHECK(status == CAIRN_OK || q->refused, "a commit fails: %s", cairn_status_text(status));
    CHECK(status == CAIRN_OK ? risen <= 1 : risen == 0, "the version rises by %u", (unsigned)risen);
    if (status == CAIRN_OK) world_made(q, before);
}

static void commit_graph(sequence *q)
{
    sequence_world *w = &q->world;
    if (!w->graph) return;
    uint64_t before = cairn_graph_version(w->graph);
    cairn_status status = SEQUENCE_CALL(q, cairn_graph_commit(w->graph), "commit()");
    uint64_t risen = cairn_graph_version(w->graph) - before;
    CHECK(status == CAIRN_OK || q->refused, "a commit fails: %s", cairn_status_text(status));
    CHECK(status == CAIRN_OK ? risen <= 1 : risen == 0, "the version rises by %u", (unsigned)risen);
    if (status == CAIRN_OK) drawn_take(&w->drawn, &w->staged), w->changes += risen;
    w->shape.positions = w->shape.positions ? w->drawn.positions : NULL;
}

/* Functions may answer otherwise only if every space can be told of it. */
static void commit_functions(sequence *q)
{
    sequence_world *w = &q->world;
    for (uint32_t i = 0; i < SEQUENCE_SPACES; i++) {
        if (q->spaces[i].space && q->spaces[i].gone) return;
    }
    drawn_take(&w->drawn, &w->staged);
    w->shape.positions = w->drawn.positions;
    for (uint32_t i = 0; i < SEQUENCE_SPACES; i++) {
        if (!q->spaces[i].space) continue;
        cairn_status status =
            SEQUENCE_CALL(q, cairn_callbacks_changed(q->spaces[i].space), "changed()");
        CHECK(status == CAIRN_OK, "changed: %s", cairn_status_text(status));
    }
    w->changes++;
}

void world_commit(sequence *q)
{
    switch (q->world.kind) {
    case CAIRN_WORLD_GRID: commit_grid(q); break;
    case CAIRN_WORLD_GRAPH: commit_graph(q); break;
    default: commit_functions(q);
    }
    q->haunts[choose(q, SEQUENCE_HAUNTS)] = world_place(q);
}

void world_discard(sequence *q)
{
    sequence_world *w = &q->world;
    if (w->grid) {
        sequence_before(q, "discard()");
        cairn_grid_discard(w->grid);
        scene_take(w->next, w->own);
        w->links_staged = false;
    } else if (w->graph) {
        sequence_before(q, "discard()");
        cairn_graph_discard(w->graph);
        drawn_take(&w->staged, &w->drawn);
    }
    q->memory.fail_at = 0;
}
