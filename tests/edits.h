/* edits.h: worlds that change. A scene and the grid made from it are edited alike, cells and links;
 * after each commit everything that can be asked is compared with an oracle made from the scene:
 * what the space hands out, connected components, and the answers of every algorithm, from searches
 * that live through all edits.
 */
#ifndef TESTS_EDITS_H
#define TESTS_EDITS_H

#include "slow_ray.h"

enum { EDITED_ALGORITHMS = 64 };

typedef struct edited {
    world w;
    cairn_planner *planners[EDITED_ALGORITHMS];
    cairn_search *searches[EDITED_ALGORITHMS];
    uint32_t links_used; /* by the paths seen */
    uint32_t found;
} edited;

/* Takes over the scene. */
static inline edited edited_of(scene *s)
{
    edited e = {.w = world_of(s)};
    for (uint32_t i = 0; i < cairn_algorithm_count() && i < EDITED_ALGORITHMS; i++) {
        const cairn_algorithm *a = cairn_algorithm_at(i);
        if (a->flags & CAIRN_NEEDS_INDEX) continue;
        char spec[64];
        if (cairn_planner_create(e.w.space, soon_given_up(a, spec), &e.planners[i], NULL) !=
            CAIRN_OK)
            continue;
        CHECK_OK(cairn_search_create(e.planners[i], NULL, &e.searches[i]));
    }
    return e;
}

static inline void edited_end(edited *e)
{
    for (uint32_t i = 0; i < EDITED_ALGORITHMS; i++) {
        cairn_search_destroy(e->searches[i]);
        cairn_planner_destroy(e->planners[i]);
    }
    world_end(&e->w);
}

/* ---- edits ----------------------------------------------------------------------------- */

static inline void edit_cell(world *w, cairn_node node, scene_rng *rng)
{
    scene *s = w->scene;
    int32_t x = (int32_t)(node % s->width), y = (int32_t)(node / s->width);
    uint32_t what = scene_random(rng, 4);
    if (what == 1 && s->terrain) {
        s->terrain[node] = (uint8_t)scene_random(rng, 6);
        CHECK_OK(cairn_grid_set_terrain(w->grid, x, y, s->terrain[node]));
    } else if (what == 2 && s->elevation) {
        s->elevation[node] = (int16_t)scene_random(rng, 8);
        CHECK_OK(cairn_grid_set_elevation(w->grid, x, y, s->elevation[node]));
    } else {
        s->open[node] = !s->open[node];
        CHECK_OK(cairn_grid_set_open(w->grid, x, y, s->open[node]));
    }
}

static inline void edit_add_link(world *w, const cairn_link *link)
{
    scene *s = w->scene;
    s->links = realloc(s->links, (s->link_count + 1) * sizeof *s->links);
    if (!s->links) abort();
    s->links[s->link_count++] = *link;
    CHECK_OK(cairn_grid_add_link(w->grid, link));
}

static inline void edit_remove_links(world *w, uint32_t id)
{
    scene *s = w->scene;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->link_count; i++) {
        if (s->links[i].id != id) s->links[kept++] = s->links[i];
    }
    s->link_count = kept;
    CHECK_OK(cairn_grid_remove_links(w->grid, id));
}

/* One change: a cell, the end of a link, a new link, or some links away. */
static inline void edit_something(world *w, bool links, scene_rng *rng)
{
    const scene *s = w->scene;
    uint32_t what = links ? scene_random(rng, 6) : 0;
    if (what == 1 && s->link_count) {
        const cairn_link *link = &s->links[scene_random(rng, s->link_count)];
        edit_cell(w, scene_random(rng, 2) ? link->from : link->to, rng);
    } else if (what == 2 || what == 4) {
        cairn_link link = {any_cell(w, rng), any_cell(w, rng), scene_random(rng, 30),
                           scene_random(rng, 3000), (uint8_t)scene_random(rng, 6)};
        if (link.from != link.to) edit_add_link(w, &link);
    } else if (what == 3 && s->link_count) {
        edit_remove_links(w, s->links[scene_random(rng, s->link_count)].id);
    } else {
        edit_cell(w, any_cell(w, rng), rng);
    }
}

/* ---- comparing ------------------------------------------------------------------------- */

static inline void report_fault(void *user, cairn_node from, cairn_node to, const char *text)
{
    (void)user;
    print_error("from %u to %u: %s\n", from, to, text);
}

/* Weak components: both ends of every edge take the smaller number until nothing changes. */
static inline uint32_t *components(const oracle *o)
{
    uint32_t *number = malloc(o->count * sizeof *number);
    if (!number) abort();
    for (uint32_t i = 0; i < o->count; i++) number[i] = o->usable[i] ? i + 1 : 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (cairn_node a = 0; a < o->count; a++) {
            for (uint32_t e = o->first[a]; e < o->first[a + 1]; e++) {
                uint32_t *x = &number[a], *y = &number[o->to[e]];
                changed |= *x != *y;
                *x = *y = *x < *y ? *x : *y;
            }
        }
    }
    return number;
}

/* What cairn_reachable says of everything seen from one node. */
static inline void check_reachable(const cairn_space *space, oracle *o, const uint32_t *number,
                                   cairn_node from)
{
    oracle_search(o, from);
    for (cairn_node to = 0; to < o->count; to++) {
        cairn_reach says = cairn_reachable(space, from, to);
        bool near = o->distance[to] != ORACLE_NONE,
             together = number[from] && number[from] == number[to];
        cairn_reach must = !together                                   ? CAIRN_REACH_NO
                           : cairn_space_directed(space) && from != to ? CAIRN_REACH_MAYBE
                                                                       : CAIRN_REACH_YES;
        CHECK(says == must, "from %u to %u: %d, not %d", from, to, says, must);
        CHECK(says != CAIRN_REACH_NO || !near, "from %u to %u there is a way", from, to);
        CHECK(says != CAIRN_REACH_YES || near, "from %u to %u there is no way", from, to);
        bool same = cairn_space_component(space, from) == cairn_space_component(space, to);
        CHECK(same == (number[from] == number[to]), "regions of %u and %u", from, to);
    }
}

static inline void check_answers(edited *e, const oracle *o, cairn_node from, cairn_node to)
{
    for (uint32_t i = 0; i < EDITED_ALGORITHMS; i++) {
        if (!e->searches[i]) continue;
        const char *name = cairn_algorithm_at(i)->name;
        const cairn_path *path;
        cairn_status status =
            cairn_search_find(e->searches[i], &(cairn_query){.from = from, .to = to}, &path);
        if (status == CAIRN_UNSUPPORTED || gave_up(cairn_algorithm_at(i), status)) continue;
        uint64_t best = o->distance[to];
        CHECK(status == (best == ORACLE_NONE ? CAIRN_UNREACHABLE : CAIRN_FOUND),
              "%s from %u to %u: %s", name, from, to, cairn_status_text(status));
        if (status != CAIRN_FOUND) continue;
        bool optimal = cairn_planner_optimal(e->planners[i]);
        /* lines are at least half as long as steps */
        uint64_t least = path->any_angle ? best / 2 : best;
        CHECK(path->cost >= least && (!optimal || path->cost == best),
              "%s from %u to %u: %u, the best is %u", name, from, to, path->cost, (unsigned)best);
        cairn_cost sum;
        CHECK(cairn_path_valid(e->w.space, path, &sum, NULL, NULL) && sum == path->cost,
              "%s from %u to %u", name, from, to);
        e->links_used += path->link_count;
        e->found++;
    }
}

static inline void check_edited(edited *e, scene_rng *rng)
{
    world *w = &e->w;
    w->raw = scene_raw(w->scene);
    assert_int_equal(cairn_grid_link_count(w->grid), w->scene->link_count);
    assert_int_equal(cairn_space_validate(w->space, report_fault, NULL), 0);
    oracle *o = oracle_of_grid(&w->raw, &w->scene->profile, cairn_space_scale(w->space));
    uint32_t *number = components(o);
    for (int i = 0; i < 3; i++) {
        cairn_node from = scene_pick(w->scene, rng), to = scene_pick(w->scene, rng);
        if (from == CAIRN_NO_NODE) break;
        check_reachable(w->space, o, number, from);
        check_answers(e, o, from, to);
    }
    free(number);
    oracle_destroy(o);
}

/* Many rounds of edits and comparisons. Takes over the scene. */
static inline edited edit_and_check(scene *s, bool links, int rounds, uint64_t seed)
{
    scene_rng rng = {seed};
    edited e = edited_of(s);
    check_edited(&e, &rng);
    for (int round = 0; round < rounds; round++) {
        for (uint32_t i = 1 + scene_random(&rng, 6); i; i--) edit_something(&e.w, links, &rng);
        CHECK_OK(cairn_grid_commit(e.w.grid));
        check_edited(&e, &rng);
    }
    return e;
}

#endif
