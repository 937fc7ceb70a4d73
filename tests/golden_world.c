/* golden_world.c: worlds by name, and their edits, for the golden program. */
#include "golden.h"

#include <stdio.h>
#include <string.h>

/* ---- opening ---- */

static graph_scene *golden_graph_named(const char *name)
{
    for (uint32_t i = 0; i < graph_scene_count(); i++) {
        graph_scene *s = graph_scene_at(i);
        if (!strcmp(s->name, name)) return s;
        graph_scene_destroy(s);
    }
    return NULL;
}

static bool golden_world_of_graph(golden_world *w, cairn_context *context, const char *name,
                                  uint32_t rule)
{
    w->graph_scene = golden_graph_named(name);
    return w->graph_scene && rule == 0 && !graph_scene_graph(w->graph_scene, context, &w->graph) &&
           !cairn_space_of_graph(w->graph, &w->space, NULL);
}

bool golden_world_open(golden_world *w, cairn_context *context, const char *name, uint32_t rule)
{
    cairn_profile profile;
    *w = (golden_world){.scene = scene_named(name)};
    if (!w->scene) return golden_world_of_graph(w, context, name, rule);
    return scene_rule(w->scene, rule, &profile) && !scene_grid(w->scene, context, &w->grid) &&
           !cairn_space_of_grid(w->grid, &profile, &w->space, NULL);
}

void golden_world_close(golden_world *w)
{
    cairn_space_destroy(w->space);
    cairn_grid_destroy(w->grid);
    cairn_graph_destroy(w->graph);
    scene_destroy(w->scene);
    if (w->graph_scene) graph_scene_destroy(w->graph_scene);
    *w = (golden_world){0};
}

cairn_node golden_world_pick(const golden_world *w, scene_rng *rng)
{
    return w->scene ? scene_pick(w->scene, rng)
                    : scene_random(rng, cairn_space_node_count(w->space));
}

cairn_status golden_planner(cairn_space *space, const char *spec, cairn_planner **out)
{
    const char *effort = "effort=2000";
    char quick[GOLDEN_SPEC + 16];
    const cairn_algorithm *a = cairn_algorithm_find(spec, strcspn(spec, ":"));
    bool limited = a && a->flags & CAIRN_EXPONENTIAL && !strstr(spec, "effort=");
    snprintf(quick, sizeof quick, "%s%s%s", spec,
             !limited            ? ""
             : strchr(spec, ':') ? ","
                                 : ":",
             limited ? effort : "");
    return cairn_planner_create(space, quick, out, NULL);
}

cairn_planner *golden_world_plan(golden_world *w, const char *spec)
{
    cairn_planner *planner = NULL;
    if (golden_planner(w->space, spec, &planner) != CAIRN_OK) return NULL;
    if (cairn_planner_build(planner, NULL, NULL) == CAIRN_OK) return planner;
    cairn_planner_destroy(planner);
    return NULL;
}

/* ---- parameters ---- */

#define PUBLISHED "size=10"

static bool golden_is_hpa(const cairn_algorithm *a)
{
    return !strcmp(a->name, "hpa");
}

uint32_t golden_spec_count(void)
{
    return cairn_algorithm_count() + (cairn_algorithm_find("hpa", strlen("hpa")) != NULL);
}

const cairn_algorithm *golden_spec_algorithm(uint32_t i)
{
    bool last = i == cairn_algorithm_count();
    return last ? cairn_algorithm_find("hpa", strlen("hpa")) : cairn_algorithm_at(i);
}

const char *golden_spec_at(uint32_t i)
{
    const cairn_algorithm *a = golden_spec_algorithm(i);
    bool published = i < cairn_algorithm_count() && golden_is_hpa(a);
    return published ? "hpa:" PUBLISHED : a->name;
}

void golden_spec_write(const cairn_algorithm *a, const cairn_parameter *parameter, int64_t v,
                       char *spec)
{
    char value[24];
    snprintf(value, sizeof value, "%lld", (long long)v);
    bool choice = parameter->type == CAIRN_PARAMETER_CHOICE;
    bool published = golden_is_hpa(a) && strcmp(parameter->name, "size");
    snprintf(spec, GOLDEN_SPEC, "%s:%s%s=%s", a->name, published ? PUBLISHED "," : "",
             parameter->name, choice ? parameter->choices[v] : value);
}

bool golden_other_spec(const cairn_algorithm *a, uint32_t i, char *spec)
{
    for (uint32_t p = 0; p < a->parameter_count; p++) {
        const cairn_parameter *parameter = &a->parameters[p];
        bool choice = parameter->type == CAIRN_PARAMETER_CHOICE;
        int64_t first = choice ? 0 : parameter->default_value + 1,
                last = choice ? parameter->maximum : first + 1;
        for (int64_t v = first; v <= last && v <= parameter->maximum; v++) {
            if (v == parameter->default_value || i--) continue;
            golden_spec_write(a, parameter, v, spec);
            return true;
        }
    }
    return false;
}

/* ---- edits ---- */

enum { PATCH = 6 };

static cairn_cell golden_edit_place(const golden_world *w, scene_rng *rng)
{
    int32_t x = (int32_t)scene_random(rng, w->scene->width);
    return (cairn_cell){x, (int32_t)scene_random(rng, w->scene->height)};
}

static void golden_edit_toggle(golden_world *w, uint32_t count, scene_rng *rng)
{
    for (uint32_t i = 0; i < count; i++) {
        cairn_cell c = golden_edit_place(w, rng);
        cairn_grid_set_open(w->grid, c.x, c.y, !cairn_grid_is_open(w->grid, c.x, c.y));
    }
}

/* Cells over the edge are refused, which is as good. */
static void golden_edit_patch(golden_world *w, bool open, scene_rng *rng)
{
    cairn_cell c = golden_edit_place(w, rng);
    for (int32_t i = 0; i < PATCH * PATCH; i++)
        cairn_grid_set_open(w->grid, c.x + i % PATCH, c.y + i / PATCH, open);
}

static void golden_edit_ground(golden_world *w, uint32_t count, scene_rng *rng)
{
    for (uint32_t i = 0; i < count; i++) {
        cairn_cell c = golden_edit_place(w, rng);
        cairn_grid_set_terrain(w->grid, c.x, c.y, (uint8_t)scene_random(rng, 6));
        c = golden_edit_place(w, rng);
        cairn_grid_set_layer(w->grid, c.x, c.y, (uint8_t)scene_random(rng, 256));
        c = golden_edit_place(w, rng);
        cairn_grid_set_elevation(w->grid, c.x, c.y, (int16_t)scene_random(rng, 6));
    }
}

static void golden_edit_links(golden_world *w, uint32_t count, scene_rng *rng)
{
    for (uint32_t i = 0; i < count; i++) {
        cairn_link link = {.id = 7000 + i, .cost = 300 + scene_random(rng, 900)};
        link.from = golden_world_pick(w, rng);
        link.to = golden_world_pick(w, rng);
        cairn_grid_add_link(w->grid, &link);
    }
}

cairn_status golden_edit(golden_world *w, uint32_t round, scene_rng *rng)
{
    switch (round % 7) {
    case 0: golden_edit_toggle(w, 1, rng); break;
    case 1: golden_edit_patch(w, false, rng); break;
    case 2: golden_edit_toggle(w, 9, rng); break;
    case 3: golden_edit_patch(w, true, rng); break;
    case 4: golden_edit_ground(w, 5, rng); break;
    case 5: golden_edit_links(w, 3, rng); break;
    default:
        for (uint32_t i = 0; i < 3; i++) cairn_grid_remove_links(w->grid, 7000 + i);
        cairn_grid_remove_links(w->grid, 1001);
        golden_edit_toggle(w, 2, rng);
        break;
    }
    return cairn_grid_commit(w->grid);
}
